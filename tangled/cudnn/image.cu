/* image: cuDNN filters an image, with filters from 3 x 3 to 255 x 255. */
#include <cuda_bf16.h>

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

enum { PLANS = 512, TENSORS = 4, SETTINGS = 0, TURNS = 0 };

/* make a job of an image */

/* hold an image's plans */

/* hold a setting */
struct setting {
    int64_t engine;
    int knobs; /* so many are set */
    struct dnn_knob knob[DNN_KNOBS];
    int64_t value[DNN_KNOBS];
};

enum { ENGINES = 256 };

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
    bool hopeless[ENGINES]; /* by its number */
    int64_t bytes;          /* of work */
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

/* build an image's plans */

/* compare two settings */
static bool same_setting(const struct setting *a, const struct setting *b)
{
    bool same = a->engine == b->engine && a->knobs == b->knobs;

    for (int i = 0; same && i < a->knobs; i++)
        same = a->knob[i].kind == b->knob[i].kind && a->value[i] == b->value[i];
    return same;
}

/* add an image's plan */
/* Unless it is refused, is there or hopeless, or has tensor cores and may not. */
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
    if (engine && s.engine < ENGINES && j->hopeless[s.engine])
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

static bool is_compiled(dnn_desc engine)
{
    return dnn_notes(engine, CUDNN_ATTR_ENGINE_BEHAVIOR_NOTE,
                     CUDNN_TYPE_BEHAVIOR_NOTE) >>
               CUDNN_BEHAVIOR_NOTE_RUNTIME_COMPILATION &
           1;
}

/* Modes A and fallback, and, if numbers, every engine by its number and, without
   cores, mode B. Without cores, plans that use tensor cores are left out. */
static void job_plans(struct job *j, int cores, int numbers)
{
    static const cudnnBackendHeurMode_t modes[] = {
        CUDNN_HEUR_MODE_A, CUDNN_HEUR_MODE_B, CUDNN_HEUR_MODE_FALLBACK};
    static dnn_desc configs[PLANS];

    dnn_finish(&j->g);
    must(&j->g, "a graph of the benchmark");
    for (int m = 0; m < 3; m++) {
        int count = m == 1 && (cores || !numbers)
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
        if (engine &&
            (!dnn_uses_tensor_cores(engine) || (cores && !is_compiled(engine))))
            job_add_engine(j, engine, cores);
    }
    CHECK(j->plans > 0, "no plan for a graph of the benchmark");
    CUDA_CHECK(cudaMalloc(&j->work, (size_t)(j->bytes ? j->bytes : 1)));
    for (int p = 0; p < j->plans; p++)
        j->pack[p] = dnn_pack(&j->g, j->tensors, j->ids, j->memory, j->work);
    must(&j->g, "a variant pack");
    /* leave out an image's slow plans */
    static double took[PLANS];
    double least = 1e15;
    int kept = 0, all = j->plans, named = j->named;

    for (int p = 0; p < all; p++) {
        took[p] = run_us(j, p);
        if (took[p] < 1e6 && (p == 0 || took[p] > 10000 + 4 * least))
            took[p] = run_us(j, p);
        if (!j->g.why[0] && took[p] < least)
            least = took[p];
        if (j->g.why[0]) {
            printf("# plan %d of %d was built and does not run: %.*s\n", p, all,
                   (int)strcspn(j->g.why, "\n"), j->g.why);
            took[p] = 1e15;
        }
        j->g.why[0] = 0;
    }
    for (int p = 0; p < all; p++)
        if (took[p] < 10000 + 4 * least) {
            j->captured[kept] = is_captured(j, p);
            j->tensor_cores[kept] = j->tensor_cores[p];
            j->setting[kept] = j->setting[p];
            j->pack[kept] = j->pack[p];
            j->plan[kept++] = j->plan[p];
        } else {
            j->named -= p < named;
            if (j->setting[p].engine < ENGINES)
                j->hopeless[j->setting[p].engine] = true;
        }
    j->plans = kept;
    for (int p = 0; p < j->plans; p++)
        if (j->setting[p].engine < ENGINES)
            j->hopeless[j->setting[p].engine] = false;
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

/* look at a plan */
static cudaEvent_t look_from, look_to;

/* Microseconds of a call, from the second launch. */
static double look_us(int p)
{
    double us = run_us(&job, p);
    int calls = us > 200 || !job.captured[p] ? 1 : 16;
    cudaGraphExec_t many = NULL;
    cudaGraph_t graph;
    float ms = 0;

    if (calls > 1) {
        CUDA_CHECK(cudaStreamBeginCapture(cudaStreamPerThread,
                                          cudaStreamCaptureModeRelaxed));
        for (int i = 0; i < calls; i++)
            run_plan(NULL, p, 0);
        CUDA_CHECK(cudaStreamEndCapture(cudaStreamPerThread, &graph));
        CUDA_CHECK(cudaGraphInstantiate(&many, graph, 0));
        CUDA_CHECK(cudaGraphDestroy(graph));
    }
    for (int i = 0; i < 2; i++) {
        CUDA_CHECK(cudaEventRecord(look_from, cudaStreamPerThread));
        if (many)
            CUDA_CHECK(cudaGraphLaunch(many, cudaStreamPerThread));
        else
            run_plan(NULL, p, 0);
        CUDA_CHECK(cudaEventRecord(look_to, cudaStreamPerThread));
        CUDA_CHECK(cudaEventSynchronize(look_to));
        CUDA_CHECK(cudaEventElapsedTime(&ms, look_from, look_to));
    }
    if (many)
        CUDA_CHECK(cudaGraphExecDestroy(many));
    return 1e3 * ms / calls;
}

/* find an image's best plan */
static int finalists = 6;

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

    CUDA_CHECK(cudaEventCreate(&look_from));
    CUDA_CHECK(cudaEventCreate(&look_to));
    for (int p = 0; p < plans; p++)
        if (cores || !job.tensor_cores[p]) {
            table[count] = {"plan", run_plan, p};
            table[count].rounds = 1;
            table[count++].us[0] = look_us(p);
        }
    CUDA_CHECK(cudaEventDestroy(look_from));
    CUDA_CHECK(cudaEventDestroy(look_to));
    if (count == 0)
        return -1;
    qsort(table, count, sizeof *table, faster);
    count = count < finalists ? count : finalists;
    while (table[count - 1].us[0] > 1.5 * table[0].us[0])
        count--;
    for (int k = 0; k < count; k++) {
        int p = table[k].how, slow = table[k].us[0] > 10000;

        table[k] = {"plan", run_plan, p};
        table[k].rounds = slow ? 1 : 7;
        table[k].by_host = !job.captured[p];
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

/* find a legacy algorithm, if there is one */
static int legacy_found(struct legacy *l, int k)
{
    static int algo = -1;
    cudnnConvolutionFwdAlgoPerf_t p[16];
    int count = 0, i = 0;

    if (k <= 21 || algo < 0) {
        if (cudnnFindConvolutionForwardAlgorithm(l->handle, l->x, l->w, l->conv,
                                                 l->y, 16, &count,
                                                 p) != CUDNN_STATUS_SUCCESS)
            return 0;
        while (i < count && (p[i].status != CUDNN_STATUS_SUCCESS ||
                             p[i].mathType == CUDNN_TENSOR_OP_MATH))
            i++;
        if (i == count)
            return 0;
        algo = (int)p[i].algo;
    }
    l->algo[DNN_FORWARD] = algo;
    if (cudnnGetConvolutionForwardWorkspaceSize(
            l->handle, l->x, l->w, l->conv, l->y,
            (cudnnConvolutionFwdAlgo_t)algo, &l->bytes) != CUDNN_STATUS_SUCCESS)
        return 0;
    if (l->bytes > (size_t)1 << 34) { /* no room: the one that needs none */
        l->algo[DNN_FORWARD] = CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM;
        l->bytes = 0;
    }
    if (l->bytes > 0)
        CUDA_CHECK(cudaMalloc(&l->work, l->bytes));
    return 1;
}

/* filter an image in every way */
static void run_direct(void *, int, int)
{
    launch_direct(gather_forward(&lw.v), (float *)job.memory[0],
                  (float *)job.memory[1], (float *)job.memory[2],
                  cudaStreamPerThread);
}

static void filter_image(int side, int k)
{
    static bool hopeless[ENGINES];
    struct conv v = {1, 1, side, side, 1, k, k, 1, 0, 1};
    struct bench b = {NULL, k};
    struct bench_case table[] = {{"direct", run_direct},
                                 {"plan", run_plan},
                                 {"plan_tf32", run_plan},
                                 {"legacy", run_legacy}};
    const char *names[] = {"direct", "plan", "plan_tf32", "legacy"};
    const int out = 2;
    int count = 3;
    float *want, *got;

    (void)run_own; /* chooses by itself */
    lw.v = v;
    lw.which = DNN_FORWARD;
    memcpy(job.hopeless, hopeless, sizeof hopeless);
    layer_graph(&v, &kinds[1], false, DNN_FORWARD, 1); /* tf32, too */
    memcpy(hopeless, job.hopeless, sizeof hopeless);
    table[1].how = best_plan(job.plans, 0);
    table[2].how = best_plan(job.plans, 1);
    CHECK(table[1].how >= 0, "no plan without tensor cores");
    lw.legacy =
        legacy_make(handle, &v, CUDNN_DATA_FLOAT, false, CUDNN_FMA_MATH);
    count += legacy_found(&lw.legacy, k);
    for (int i = 0; i < count; i++) {
        table[i].rounds = k > 63 ? 5 : 0;
        table[i].by_host =
            !job.captured[table[1].how] || !job.captured[table[2].how];
    }
    /* compare the ways of an image */
    run_direct(NULL, 0, 0);
    CUDA_CHECK(cudaDeviceSynchronize());
    want = result_of(job.shape[out], job.memory[out]);
    for (int i = 1; i < count; i++) {
        fill_shape<<<1056, 256>>>(job.shape[out], elements(job.shape[out]),
                                  job.memory[out], 99);
        CUDA_LAUNCH_CHECK();
        table[i].launch(NULL, table[i].how, 0);
        CUDA_CHECK(cudaDeviceSynchronize());
        got = result_of(job.shape[out], job.memory[out]);
        compare(names[i], got, want, elements(job.shape[out]), 0.02);
        free(got);
    }
    free(want);
    b.flops = 2.0 * conv_y(&v) * k * k;
    bench_run(table, count, &b);
    if (count > 3)
        bench_row("legacy", k, "algorithm", lw.legacy.algo[DNN_FORWARD], "");
    for (int i = 1; i < 3; i++) {
        bench_row(names[i], k, "cores", job.tensor_cores[table[i].how], "");
        bench_row(names[i], k, "named", table[i].how < job.named, "");
        bench_row(names[i], k, "engine",
                  (double)job.setting[table[i].how].engine, "");
    }
    bench_row("plan", k, "plans", job.plans, "");
    legacy_free(lw.legacy);
    memset(&lw.legacy, 0, sizeof lw.legacy);
    job_free(&job);
}

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("side", 2048, 8, 4096),
                         ARG_SIZE("filter", 0, 0, 255)};
    static const int filters[] = {3, 5, 7, 9, 11, 15, 21, 31, 63, 127, 255};
    int side;

    args_parse(argc, argv, "an image and cuDNN", args, ARG_COUNT(args));
    side = (int)args[0].value;
    DNN_CHECK(cudnnCreate(&handle));
    DNN_CHECK(cudnnSetStream(handle, cudaStreamPerThread));
    bench_begin("cudnn-image");
    bench_library("cuDNN", (int)cudnnGetVersion());
    for (int i = 0; i < ARG_COUNT(filters); i++)
        if (!args[1].value || args[1].value == filters[i])
            filter_image(side, filters[i]);
    DNN_CHECK(cudnnDestroy(handle));
    return 0;
}
