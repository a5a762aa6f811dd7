/* tune: every engine of a layer by number, every setting of its knobs, beside
   the heuristics' best plan and the legacy call. */
#include <cuda_bf16.h>
#include <cuda_profiler_api.h>

#include "conv/conv.cuh"
#include "cudnn/engines.h"
#include "cudnn/graphs.h"
#include "cudnn/legacy.cuh"
#include "kernels/fill.cuh"
#include "measure/bench.h"
#include "tour/args.h"

static cudnnHandle_t handle;

/* write a tensor of whole numbers */
/* The element of logical index i (row-major in its sizes) is small_at(seed, i),
   whatever its strides and its type. */
struct shape {
    int rank;
    int64_t dim[4], stride[4];
    int half; /* bf16 */
};

static __host__ __device__ inline int64_t place_of(const struct shape &s,
                                                   int64_t i)
{
    int64_t at = 0;

    for (int d = s.rank - 1; d >= 0; d--) {
        at += i % s.dim[d] * s.stride[d];
        i /= s.dim[d];
    }
    return at;
}

static __global__ void fill_shape(struct shape s, int64_t n, void *to,
                                  uint64_t seed)
{
    int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;

    for (; i < n; i += (int64_t)gridDim.x * blockDim.x) {
        float value = small_at(seed, (uint64_t)i);

        if (s.half)
            ((__nv_bfloat16 *)to)[place_of(s, i)] = __float2bfloat16(value);
        else
            ((float *)to)[place_of(s, i)] = value;
    }
}

/* read a tensor in the order of its sizes */
static __global__ void read_shape(struct shape s, int64_t n, const void *from,
                                  float *to)
{
    int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;

    for (; i < n; i += (int64_t)gridDim.x * blockDim.x)
        to[i] = s.half ? __bfloat162float(
                             ((const __nv_bfloat16 *)from)[place_of(s, i)])
                       : ((const float *)from)[place_of(s, i)];
}

static int64_t elements(const struct shape &s)
{
    int64_t n = 1;

    for (int d = 0; d < s.rank; d++)
        n *= s.dim[d];
    return n;
}

/* give a tensor its memory */
static struct shape shape_of(const struct dnn_tensor &t, int half)
{
    struct shape s = {t.rank, {0}, {0}, half};

    for (int d = 0; d < t.rank; d++)
        s.dim[d] = t.dim[d], s.stride[d] = t.stride[d];
    return s;
}

static void *memory_of(const struct shape &s, uint64_t seed)
{
    void *p;

    CUDA_CHECK(cudaMalloc(&p, (size_t)elements(s) * (s.half ? 2 : 4)));
    fill_shape<<<1056, 256>>>(s, elements(s), p, seed);
    CUDA_LAUNCH_CHECK();
    return p;
}

/* stop if a graph was refused */
static void must(const struct dnn *g, const char *what)
{
    CHECK(!g->why[0], "%s: %s", what, g->why);
}

enum { PLANS = 512, TENSORS = 4, SETTINGS = 96, TURNS = 24 };

/* make a job of a layer */

/* hold a graph and its plans */

/* hold a setting */
struct setting {
    int64_t engine;
    int knobs; /* so many are set */
    struct dnn_knob knob[DNN_KNOBS];
    int64_t value[DNN_KNOBS];
};

static struct job {
    struct dnn g;
    struct shape shape[TENSORS];
    void *memory[TENSORS]; /* of the tensors, by id - 1 */
    int64_t ids[TENSORS];
    int tensors, plans, named; /* named by the heuristics */
    int room;                  /* for so many plans; 0: PLANS */
    dnn_desc plan[PLANS], pack[PLANS];
    struct setting setting[PLANS];
    bool tensor_cores[PLANS], captured[PLANS];
    int64_t bytes; /* of work */
    void *work;
} job;

/* try to capture a plan */
static bool is_captured(struct job *j, int p)
{
    cudaGraph_t graph = NULL;
    bool good;

    CUDA_CHECK(cudaStreamBeginCapture(cudaStreamPerThread,
                                      cudaStreamCaptureModeRelaxed));
    dnn_run(&j->g, j->plan[p], j->pack[p]);
    good = cudaStreamEndCapture(cudaStreamPerThread, &graph) == cudaSuccess &&
           !j->g.why[0];
    if (good)
        CUDA_CHECK(cudaGraphDestroy(graph));
    (void)cudaGetLastError();
    j->g.why[0] = 0;
    return good;
}

/* build every plan of the graph */

/* compare two settings */
static bool same_setting(const struct setting *a, const struct setting *b)
{
    bool same = a->engine == b->engine && a->knobs == b->knobs;

    for (int i = 0; same && i < a->knobs; i++)
        same = a->knob[i].kind == b->knob[i].kind && a->value[i] == b->value[i];
    return same;
}

/* add a plan */
/* Unless it is refused, or is there, or has tensor cores and may not. */
static void job_add(struct job *j, dnn_desc config, int cores)
{
    struct setting s;
    int64_t bytes = 0;
    dnn_desc plan, engine = dnn_choices(&j->g, config, &s.engine, &s.knobs,
                                        s.knob, s.value);
    bool tensor_cores = engine && dnn_uses_tensor_cores(engine);

    for (int p = 0; engine && p < j->plans; p++)
        if (same_setting(&s, &j->setting[p]))
            engine = NULL;
    if (engine && (cores || !tensor_cores) &&
        j->plans < (j->room ? j->room : PLANS)) {
        plan = dnn_build(&j->g, config, &bytes);
        if (plan && bytes < (int64_t)1 << 31) {
            j->bytes = bytes > j->bytes ? bytes : j->bytes;
            j->tensor_cores[j->plans] = tensor_cores;
            j->setting[j->plans] = s;
            j->plan[j->plans++] = plan;
        }
    }
    j->g.why[0] = 0; /* this one alone is refused */
}

/* add every setting of an engine */
static void job_add_engine(struct job *j, dnn_desc engine, int cores)
{
    struct dnn_knob knob[DNN_KNOBS];
    int64_t value[DNN_KNOBS];
    int count = dnn_knobs(&j->g, engine, knob), at = 0;
    double all = 1;

    job_add(j, dnn_config(&j->g, engine, 0, NULL, NULL), cores);
    for (int i = 0; i < count; i++)
        all *= (double)(knob[i].most - knob[i].least + 1);
    for (int i = 0; all > SETTINGS && i < count; i++)
        for (int64_t v = knob[i].least;
             v <= knob[i].most && v < knob[i].least + TURNS; v++)
            job_add(j, dnn_config(&j->g, engine, 1, &knob[i], &v), cores);
    if (all > SETTINGS || count == 0)
        return;
    for (int i = 0; i < count; i++)
        value[i] = knob[i].least;
    while (at < count) {
        job_add(j, dnn_config(&j->g, engine, count, knob, value), cores);
        for (at = 0; at < count && value[at] == knob[at].most; at++)
            value[at] = knob[at].least;
        if (at < count)
            value[at]++;
    }
}

/* see how long a plan takes */
static double run_us(struct job *j, int p)
{
    double start = clock_us();

    dnn_run(&j->g, j->plan[p], j->pack[p]);
    CUDA_CHECK(cudaDeviceSynchronize());
    return clock_us() - start;
}

/* Modes A and fallback, and, if numbers, mode B and every engine by its number.
   Without cores, plans that use tensor cores are left out. */
static void job_plans(struct job *j, int cores, int numbers)
{
    static const cudnnBackendHeurMode_t modes[] = {
        CUDNN_HEUR_MODE_A, CUDNN_HEUR_MODE_B, CUDNN_HEUR_MODE_FALLBACK};
    static dnn_desc configs[PLANS];

    dnn_finish(&j->g);
    must(&j->g, "a graph of the benchmark");
    for (int m = 0; m < 3; m++) {
        int count = m == 1 && !numbers
                        ? 0
                        : dnn_ask(&j->g, modes[m], configs, PLANS, NULL);

        for (int i = 0; i < count; i++)
            job_add(j, configs[i], cores);
        j->g.why[0] = 0;
    }
    j->named = j->plans;
    for (int e = 0, count = numbers ? dnn_engines(&j->g) : 0; e < count; e++) {
        dnn_desc engine = dnn_engine(&j->g, e);

        j->g.why[0] = 0;
        if (engine && (cores || !dnn_uses_tensor_cores(engine)))
            job_add_engine(j, engine, cores);
    }
    CHECK(j->plans > 0, "no plan for a graph of the benchmark");
    CUDA_CHECK(cudaMalloc(&j->work, (size_t)(j->bytes ? j->bytes : 1)));
    for (int p = 0; p < j->plans; p++)
        j->pack[p] = dnn_pack(&j->g, j->tensors, j->ids, j->memory, j->work);
    must(&j->g, "a variant pack");
    /* leave out plans that do not run */
    double least = 1e15;

    for (int p = 0, kept = 0, all = j->plans, named = j->named; p < all; p++) {
        double took = run_us(j, p);

        if (took > 10000 + 4 * least)
            took = run_us(j, p);
        if (!j->g.why[0] && took < least)
            least = took;
        if (!j->g.why[0] && took < 10000 + 4 * least) {
            j->captured[kept] = is_captured(j, p);
            j->tensor_cores[kept] = j->tensor_cores[p];
            j->setting[kept] = j->setting[p];
            j->pack[kept] = j->pack[p];
            j->plan[kept++] = j->plan[p];
        } else {
            if (j->g.why[0])
                printf("# plan %d of %d was built and does not run: %.*s\n", p,
                       all, (int)strcspn(j->g.why, "\n"), j->g.why);
            j->g.why[0] = 0;
            j->named -= p < named;
        }
        j->plans = kept;
    }
    CHECK(j->plans > 0, "no plan of a graph of the benchmark runs");
}

/* begin a job */
static void job_tensor(struct job *j, const struct dnn_tensor &t, int half,
                       uint64_t seed)
{
    CHECK(j->tensors < TENSORS, "a graph has more than %d tensors", TENSORS);
    j->shape[j->tensors] = shape_of(t, half);
    j->memory[j->tensors] = memory_of(j->shape[j->tensors], seed);
    j->ids[j->tensors++] = t.id;
}

static void job_free(struct job *j)
{
    for (int i = 0; i < j->tensors; i++)
        CUDA_CHECK(cudaFree(j->memory[i]));
    CUDA_CHECK(cudaFree(j->work));
    dnn_close(&j->g);
    memset(j, 0, sizeof *j);
}

/* run one plan */
static void run_plan(void *, int how, int)
{
    dnn_run(&job.g, job.plan[how], job.pack[how]);
    must(&job.g, "a plan's run");
}

/* time every plan and find the best */
static int finalists = 5;

/* order by time */
static int faster(const void *a, const void *b)
{
    double x = bench_us((const struct bench_case *)a);
    double y = bench_us((const struct bench_case *)b);

    return (x > y) - (x < y);
}

/* The fastest of the first plans that may be used: with tensor cores or
   without. -1: none. */
static int best_plan(int plans, int cores)
{
    static struct bench_case table[PLANS];
    int count = 0;

    for (int p = 0; p < plans; p++)
        if (cores || !job.tensor_cores[p]) {
            table[count] = {"plan", run_plan, p};
            table[count].rounds = table[count].by_host = 1;
            count++;
        }
    if (count == 0)
        return -1;
    bench_measure(table, count, 1);
    qsort(table, count, sizeof *table, faster);
    count = count < finalists ? count : finalists;
    while (bench_us(&table[count - 1]) > 1.5 * bench_us(&table[0]))
        count--;
    for (int k = 0; k < count; k++) {
        table[k] = {"plan", run_plan, table[k].how};
        table[k].rounds = 7;
        table[k].by_host = !job.captured[table[k].how];
    }
    bench_measure(table, count, 1);
    qsort(table, count, sizeof *table, faster);
    return table[0].how;
}

/* copy a result to the host */
static float *result_of(const struct shape &s, const void *from)
{
    int64_t n = elements(s);
    float *h = (float *)check_alloc((size_t)n, sizeof *h), *d;

    CUDA_CHECK(cudaMalloc((void **)&d, (size_t)n * sizeof *d));
    read_shape<<<1056, 256>>>(s, n, from, d);
    CUDA_LAUNCH_CHECK();
    CUDA_CHECK(cudaMemcpy(h, d, (size_t)n * sizeof *h, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaFree(d));
    return h;
}

/* Compares n numbers; `part` of the largest may be lost, for a result of bf16
   or an algorithm that transforms. */
static void compare(const char *what, const float *got, const float *want,
                    int64_t n, double part)
{
    double most = 0;

    for (int64_t i = 0; i < n; i++)
        most = fabs(want[i]) > most ? fabs(want[i]) : most;
    for (int64_t i = 0; i < n; i++)
        CHECK(fabs(got[i] - want[i]) <= part * (1 + most),
              "%s: element %lld is %g, not %g", what, (long long)i, got[i],
              want[i]);
}

/* describe a layer's job */
struct kind {
    const char *name; /* of the type: fp32, tf32, bf16 */
    cudnnDataType_t type;
    cudnnMathType_t math;
    int half, cores;
};

static const struct kind kinds[] = {
    {"fp32", CUDNN_DATA_FLOAT, CUDNN_FMA_MATH, 0, 0},
    {"tf32", CUDNN_DATA_FLOAT, CUDNN_TENSOR_OP_MATH, 0, 1},
    {"bf16", CUDNN_DATA_BFLOAT16, CUDNN_TENSOR_OP_MATH, 1, 1}};

static const char *const whichs[] = {"y", "dx", "dw", "bias_relu"};
enum { BIAS_RELU = 3 };

static struct layer_work {
    struct legacy legacy;
    struct conv v;
    int which; /* enum dnn_conv, or BIAS_RELU */
    float *work;
} lw;

/* run a layer by the legacy calls or by chapter 16 */
static void run_legacy(void *, int, int)
{
    if (lw.which != BIAS_RELU) {
        legacy_run(&lw.legacy, (enum dnn_conv)lw.which, job.memory[0],
                   job.memory[1], job.memory[2]);
    } else {
        legacy_run(&lw.legacy, DNN_FORWARD, job.memory[0], job.memory[1],
                   job.memory[2]);
        legacy_bias_relu(&lw.legacy, job.memory[3], job.memory[2]);
    }
}

static void run_own(void *, int, int)
{
    float *x = (float *)job.memory[0], *w = (float *)job.memory[1];
    float *y = (float *)job.memory[2];

    if (lw.which == DNN_FORWARD)
        launch_conv_forward(&lw.v, x, w, y, cudaStreamPerThread);
    else if (lw.which == DNN_INPUT_GRADIENT)
        launch_conv_input_gradient(&lw.v, y, w, x, cudaStreamPerThread);
    else
        launch_conv_filter_gradient(&lw.v, x, y, w, lw.work,
                                    cudaStreamPerThread);
}

/* build the graph of a layer */
static void layer_graph(const struct conv *v, const struct kind *t, bool nhwc,
                        int which, int numbers)
{
    struct dnn *g = &job.g;
    int p = conv_out_h(v), q = conv_out_w(v);
    struct dnn_tensor x, w, y, bias, sum, shifted;

    dnn_open(g, handle, NULL);
    x = dnn_image(g, t->type, nhwc, v->n, v->c, v->h, v->w, false);
    w = dnn_image(g, t->type, nhwc, v->k, v->c, v->r, v->s, false);
    y = dnn_image(g, t->type, nhwc, v->n, v->k, p, q, false);
    if (which == BIAS_RELU) {
        bias = dnn_image(g, t->type, nhwc, 1, v->k, 1, 1, false);
        sum = dnn_image(g, CUDNN_DATA_FLOAT, nhwc, v->n, v->k, p, q, true);
        shifted = dnn_image(g, CUDNN_DATA_FLOAT, nhwc, v->n, v->k, p, q, true);
        dnn_conv(g, DNN_FORWARD, CUDNN_DATA_FLOAT, x, w, sum, v->pad,
                 v->stride);
        dnn_pointwise(g, CUDNN_POINTWISE_ADD, sum, &bias, shifted);
        dnn_pointwise(g, CUDNN_POINTWISE_RELU_FWD, shifted, NULL, y);
    } else {
        dnn_conv(g, (enum dnn_conv)which, CUDNN_DATA_FLOAT, x, w, y, v->pad,
                 v->stride);
    }
    must(g, "a layer's graph");
    job_tensor(&job, x, t->half, 1);
    job_tensor(&job, w, t->half, 2);
    job_tensor(&job, y, t->half, 3);
    if (which == BIAS_RELU)
        job_tensor(&job, bias, t->half, 4);
    job_plans(&job, t->cores, numbers);
}

/* see whether a product was rounded */
static __global__ void fill_same(int64_t n, float *to, float value)
{
    int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;

    for (; i < n; i += (int64_t)gridDim.x * blockDim.x)
        to[i] = value;
}

/* What an element in the middle lacks, as a share of it. */
static double lost(const struct bench_case *c, const struct conv *v, int which)
{
    const float value = 1 + 1.0f / 4096;
    double exact = (double)value * value, terms, want;
    int out = which == DNN_INPUT_GRADIENT    ? 0
              : which == DNN_FILTER_GRADIENT ? 1
                                             : 2;
    int64_t at = v->h / 2 * (int64_t)v->w + v->w / 2;
    float got;

    for (int i = 0; i < job.tensors; i++)
        fill_same<<<1056, 256>>>(elements(job.shape[i]), (float *)job.memory[i],
                                 value);
    CUDA_LAUNCH_CHECK();
    terms = v->r * v->s * (double)(which == DNN_INPUT_GRADIENT ? v->k : v->c);
    if (which == DNN_FILTER_GRADIENT) {
        terms = (double)v->n * conv_out_h(v) * conv_out_w(v);
        at = v->s + 1; /* the middle tap sees every place */
    }
    want = terms * exact + (which == BIAS_RELU ? value : 0);
    c->launch(NULL, c->how, 0);
    CUDA_CHECK(cudaDeviceSynchronize());
    CUDA_CHECK(cudaMemcpy(&got, (float *)job.memory[out] + at, sizeof got,
                          cudaMemcpyDeviceToHost));
    return (want - got) / want;
}

/* search one layer */
static void search(const char *layer, const struct conv *v, int which,
                   int small, int profile)
{
    const struct kind *t = &kinds[0]; /* fp32 */
    int out = which == DNN_INPUT_GRADIENT    ? 0
              : which == DNN_FILTER_GRADIENT ? 1
                                             : 2;
    struct bench b = {NULL, v->n};
    static struct bench_case every[PLANS];
    struct bench_case table[4];
    char names[4][48];
    static const char *const way[] = {"legacy", "heuristics", "number", "own"};
    int heuristics, best = 0, count = which < BIAS_RELU ? 4 : 3;
    float *want, *got;

    lw.v = *v;
    lw.which = which;
    layer_graph(v, t, false, which, 1);
    lw.legacy = legacy_make(handle, v, t->type, false, t->math);
    legacy_choose(&lw.legacy, t->math);
    heuristics = best_plan(job.named, 0);
    CHECK(heuristics >= 0, "%s %s: no plan", layer, whichs[which]);
    /* time every setting */
    for (int p = 0; p < job.plans; p++) {
        every[p] = {"plan", run_plan, p};
        every[p].rounds = 3;
        every[p].by_host = !job.captured[p];
    }
    bench_measure(every, job.plans, 1);
    for (int p = 0; p < job.plans; p++)
        if (bench_us(&every[p]) < bench_us(&every[best]))
            best = p;
    CUDA_CHECK(cudaMalloc((void **)&lw.work, conv_filter_gradient_bytes(v)));
    for (int k = 0; k < count; k++) {
        snprintf(names[k], sizeof names[k], "%s_%s_%s", layer, whichs[which],
                 way[k]);
        table[k] = {names[k],
                    k == 0   ? run_legacy
                    : k == 3 ? run_own
                             : run_plan,
                    k == 1 ? heuristics : best};
        table[k].rounds = small;
        table[k].by_host = !job.captured[heuristics] || !job.captured[best];
    }
    /* compare the layer's results */
    run_legacy(NULL, 0, 0);
    CUDA_CHECK(cudaDeviceSynchronize());
    want = result_of(job.shape[out], job.memory[out]);
    for (int k = 1; k < count; k++) {
        fill_shape<<<1056, 256>>>(job.shape[out], elements(job.shape[out]),
                                  job.memory[out], 99);
        CUDA_LAUNCH_CHECK();
        table[k].launch(NULL, table[k].how, 0);
        CUDA_CHECK(cudaDeviceSynchronize());
        got = result_of(job.shape[out], job.memory[out]);
        compare(names[k], got, want, elements(job.shape[out]), 0.02);
        free(got);
    }
    free(want);
    b.flops = 2.0 * conv_y(v) * v->c * v->r * v->s;
    b.peer[0] = {names[0], "of_legacy"};
    bench_run(table, count, &b);
    /* say what was found */
    bench_row(names[0], v->n, "algorithm",
              lw.legacy.algo[which == BIAS_RELU ? 0 : which], "");
    bench_row(names[1], v->n, "engine", (double)job.setting[heuristics].engine,
              "");
    bench_row(names[2], v->n, "engine", (double)job.setting[best].engine, "");
    for (int e = 0, engines = dnn_engines(&job.g); e < engines; e++) {
        int least = -1, tried = 0;
        char name[64], knob[48];

        for (int p = 0; p < job.plans; p++)
            if (job.setting[p].engine == e && ++tried &&
                (least < 0 || bench_us(&every[p]) < bench_us(&every[least])))
                least = p;
        if (least < 0)
            continue;
        snprintf(name, sizeof name, "%s_%s_engine_%d", layer, whichs[which], e);
        bench_row(name, v->n, "us", bench_us(&every[least]), "µs");
        bench_row(name, v->n, "settings", tried, "");
        for (int i = 0; i < job.setting[least].knobs; i++) {
            snprintf(knob, sizeof knob, "knob_%d",
                     (int)job.setting[least].knob[i].kind);
            bench_row(name, v->n, knob, (double)job.setting[least].value[i],
                      "");
        }
    }
    if (profile) { /* ncu --profile-from-start off names these kernels */
        CUDA_CHECK(cudaProfilerStart());
        for (int k = 0; k < count; k++)
            table[k].launch(NULL, table[k].how, 0);
        CUDA_CHECK(cudaDeviceSynchronize());
        CUDA_CHECK(cudaProfilerStop());
    }
    for (int k = 0; k < count; k++)
        bench_row(names[k], v->n, "lost", lost(&table[k], v, which), "");
    legacy_free(lw.legacy);
    memset(&lw.legacy, 0, sizeof lw.legacy);
    CUDA_CHECK(cudaFree(lw.work));
    lw.work = NULL;
    job_free(&job);
}

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_TEXT("--only", ""), ARG_FLAG("--small"),
                         ARG_FLAG("--profile")};
    int small;

    args_parse(argc, argv, "cuDNN's engines", args, ARG_COUNT(args));
    small = (int)args[1].value;
    /* begin the search */
    DNN_CHECK(cudnnCreate(&handle));
    DNN_CHECK(cudnnSetStream(handle, cudaStreamPerThread));
    bench_begin("cudnn-engines");
    bench_library("cuDNN", (int)cudnnGetVersion());
    /* search every layer */
    for (int n = small ? 2 : 64; n <= (small ? 2 : 1024); n *= 4)
        for (int k = 0; k < 2; k++)
            for (int which = 0; which <= BIAS_RELU; which++) {
                struct conv first = {n, 1, 28, 28, 32, 3, 3, 1, 1, 1};
                struct conv second = {n, 32, 14, 14, 64, 3, 3, 1, 1, 1};
                const char *layer = k ? "second" : "first";
                char name[32];

                snprintf(name, sizeof name, "%s_%s", layer, whichs[which]);
                if (!*args[0].text || !strcmp(args[0].text, name))
                    search(layer, k ? &second : &first, which, small,
                           (int)args[2].value);
            }
    DNN_CHECK(cudnnDestroy(handle));
    return 0;
}
