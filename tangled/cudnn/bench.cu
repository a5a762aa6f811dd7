/* bench: own kernels, cuDNN's graphs and its legacy calls, side by side: the
   three regimes of fusion, and the layers of the MNIST model. */
#include <cuda_bf16.h>

#include "conv/conv.cuh"
#include "cudnn/engines.h"
#include "cudnn/fusion.cuh"
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

/* say how many plans there may be */
enum { PLANS = 512, TENSORS = 4, SETTINGS = 96, TURNS = 0 };

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

/* measure one layer in one way */

/* run the gradient of one channel */
static void run_one_channel(void *, int, int)
{
    launch_one_channel_gradient(
        &lw.v, job.shape[2].stride[3] == 1, (__nv_bfloat16 *)job.memory[2],
        (__nv_bfloat16 *)job.memory[1], (__nv_bfloat16 *)job.memory[0],
        cudaStreamPerThread);
}

/* count the nodes of a call */
/* Kernels, copies and settings of memory. */
static size_t nodes_of(const struct bench_case *c)
{
    cudaGraph_t graph;
    size_t nodes = 0;

    CUDA_CHECK(cudaStreamBeginCapture(cudaStreamPerThread,
                                      cudaStreamCaptureModeRelaxed));
    c->launch(NULL, c->how, 0);
    CUDA_CHECK(cudaStreamEndCapture(cudaStreamPerThread, &graph));
    CUDA_CHECK(cudaGraphGetNodes(graph, NULL, &nodes));
    CUDA_CHECK(cudaGraphDestroy(graph));
    return nodes;
}

/* Rows of the heuristics' first plan, of the best plan, of the legacy API's best
   and, where they exist, of chapter 16's kernels or this chapter's; of_legacy
   above 100 % is faster than the legacy call (for bias_relu: than its three
   calls). */
static void bench_layer(const char *layer, const struct conv *v,
                        const struct kind *t, bool nhwc, int which, int small)
{
    int out = which == DNN_INPUT_GRADIENT    ? 0
              : which == DNN_FILTER_GRADIENT ? 1
                                             : 2;
    int one = t->half && v->c == 1 && which == DNN_INPUT_GRADIENT;
    int own = one || (!t->half && !t->cores && !nhwc && which < 3);
    int numbers = !t->cores || (t->half && which < 3 && !small);
    struct bench b = {NULL, v->n};
    struct bench_case table[4];
    char names[4][48];
    static const char *const way[] = {"legacy", "first", "best", "own"};
    int best, count = own ? 4 : 3;
    float *want, *got;

    lw.v = *v;
    lw.which = which;
    layer_graph(v, t, nhwc, which, numbers);
    best = best_plan(job.plans, t->cores);
    CHECK(best >= 0 && job.named > 0, "%s %s %s: no plan", layer, t->name,
          whichs[which]);
    if (own)
        CUDA_CHECK(
            cudaMalloc((void **)&lw.work, conv_filter_gradient_bytes(v)));
    for (int k = 0; k < count; k++) {
        snprintf(names[k], sizeof names[k], "%s_%s_%s_%s_%s", layer,
                 whichs[which], t->name, nhwc ? "nhwc" : "nchw", way[k]);
        table[k] = {names[k],
                    k == 0  ? run_legacy
                    : k < 3 ? run_plan
                    : one   ? run_one_channel
                            : run_own,
                    k == 1 ? 0 : best};
        table[k].rounds = small;
        table[k].by_host = !job.captured[0] || !job.captured[best];
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
    bench_row(names[0], v->n, "algorithm",
              lw.legacy.algo[which == BIAS_RELU ? 0 : which], "");
    bench_row(names[2], v->n, "engine", (double)job.setting[best].engine, "");
    bench_row(names[2], v->n, "named", best < job.named, "");
    bench_row(names[2], v->n, "plans", job.plans, "");
    for (int k = 0; k < count && !table[k].by_host; k++)
        bench_row(names[k], v->n, "nodes", (double)nodes_of(&table[k]), "");
    CUDA_CHECK(cudaFree(lw.work));
    lw.work = NULL;
    job_free(&job);
}

/* measure a layer's passes */
static void bench_passes(const char *layer, const struct conv *v,
                         const struct kind *t, bool nhwc, int small)
{
    lw.legacy = legacy_make(handle, v, t->type, nhwc, t->math);
    legacy_choose(&lw.legacy, t->math);
    for (int which = 0; which <= BIAS_RELU; which++)
        bench_layer(layer, v, t, nhwc, which, small);
    legacy_free(lw.legacy);
    memset(&lw.legacy, 0, sizeof lw.legacy);
}

/* measure a product */
/* A fully connected layer of n rows: the graph's plans; its peer is none. */
static void bench_product(const char *layer, int n, int c, int k,
                          const struct kind *t, int small)
{
    struct dnn_case v = {t->type, false, n, c, 1, 1, k};
    struct bench b = {NULL, n};
    struct bench_case table[2];
    char names[2][48];
    int best, first = 0;

    dnn_open(&job.g, handle, NULL);
    graph_matmul(&job.g, &v);
    for (int i = 0; i < 3; i++) {
        int64_t m = i == 1 ? c : n, many = i == 0 ? c : k;
        struct dnn_tensor d = {i + 1, 3, {1, m, many}, {m * many, many, 1}};

        job_tensor(&job, d, t->half, (uint64_t)i + 1);
    }
    job_plans(&job, 1, 0);
    best = best_plan(job.plans, t->cores);
    while (first < job.plans && !t->cores && job.tensor_cores[first])
        first++;
    if (best >= 0 && first < job.plans) {
        snprintf(names[0], sizeof names[0], "%s_%s_first", layer, t->name);
        snprintf(names[1], sizeof names[1], "%s_%s_best", layer, t->name);
        table[0] = {names[0], run_plan, first};
        table[1] = {names[1], run_plan, best};
        table[0].rounds = table[1].rounds = small;
        table[0].by_host = !job.captured[first] || !job.captured[best];
        table[1].by_host = table[0].by_host;
        b.flops = 2.0 * n * c * k;
        bench_run(table, 2, &b);
    } else {
        bench_row(layer, n, "plans_without_tensor_cores", 0, "plans");
    }
    job_free(&job);
}

/* run the gate in one way */
enum { GATE_WIDTH = 1024 }; /* numbers are given as lines of so many */
enum { GATE_COPY, GATE_SEPARATE, GATE_SEPARATE_GRAPH, GATE_OWN, GATE_PLAN };

static float *between;
static size_t gates;

static void run_gate(void *, int how, int)
{
    float *a = (float *)job.memory[0], *b = (float *)job.memory[1];
    float *c = (float *)job.memory[2], *y = (float *)job.memory[3];
    cudaStream_t stream = cudaStreamPerThread;

    if (how == GATE_COPY) { /* as many bytes: two arrays onto two others */
        CUDA_CHECK(
            cudaMemcpyAsync(y, a, gates * 4, cudaMemcpyDeviceToDevice, stream));
        CUDA_CHECK(cudaMemcpyAsync(between, b, gates * 4,
                                   cudaMemcpyDeviceToDevice, stream));
    } else if (how == GATE_SEPARATE || how == GATE_SEPARATE_GRAPH) {
        gate_separate(gates, a, b, c, between, y, stream);
    } else if (how == GATE_OWN) {
        gate_fused(gates, a, b, c, y, stream);
    } else {
        dnn_run(&job.g, job.plan[how - GATE_PLAN], job.pack[how - GATE_PLAN]);
        must(&job.g, "the gate's plan");
    }
}

/* measure the gate at one size */
/* Sizes from 2^10 on: launches, then bytes. `separate`, `own` and `fused` count
   their launches from the host; separate_graph runs inside a CUDA graph. */
static void bench_gate(int64_t n, int small)
{
    int64_t lines = n / GATE_WIDTH;
    struct dnn_case v = {CUDNN_DATA_FLOAT, false, 1, 1, lines, GATE_WIDTH, 1};
    struct bench_case table[] = {
        {"gate_copy", run_gate, GATE_COPY},
        {"gate_separate", run_gate, GATE_SEPARATE},
        {"gate_separate_graph", run_gate, GATE_SEPARATE_GRAPH},
        {"gate_own", run_gate, GATE_OWN},
        {"gate_own_graph", run_gate, GATE_OWN},
        {"gate_fused", run_gate, GATE_PLAN}};
    struct bench b = {NULL, n};
    float *want, *got;

    gates = (size_t)n;
    dnn_open(&job.g, handle, NULL);
    graph_sigmoid(&job.g, &v);
    for (int i = 0; i < 4; i++) {
        struct dnn_tensor d = {
            i + 1, 3, {1, lines, GATE_WIDTH}, {n, GATE_WIDTH, 1}};

        job_tensor(&job, d, 0, (uint64_t)i + 1);
    }
    job.room = n < 1 << 22 ? 2 : 0; /* small ones take as long as a launch */
    job_plans(&job, 1, 0);
    between = random_floats(gates, 5);
    table[5].how = GATE_PLAN + best_plan(job.plans, 1);
    for (int k = 0; k < 6; k++) {
        table[k].rounds = small;
        table[k].by_host = k == 1 || k == 3 || k == 5;
    }
    run_gate(NULL, GATE_SEPARATE, 0);
    CUDA_CHECK(cudaDeviceSynchronize());
    want = result_of(job.shape[3], job.memory[3]);
    for (int k = 3; k < 6; k++) {
        run_gate(NULL, table[k].how, 0);
        CUDA_CHECK(cudaDeviceSynchronize());
        got = result_of(job.shape[3], job.memory[3]);
        compare(table[k].variant, got, want, n, 1e-5);
        free(got);
    }
    free(want);
    b.bytes = 16.0 * n;
    b.peer[0] = {"gate_copy", "of_copy"};
    b.peer[1] = {"gate_separate", "of_separate"};
    bench_run(table, 6, &b);
    CUDA_CHECK(cudaFree(between));
    job_free(&job);
}

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_FLAG("--small")};
    int small;

    args_parse(argc, argv, "cuDNN's graphs", args, ARG_COUNT(args));
    small = (int)args[0].value;
    finalists = small ? 2 : 8;
    /* begin the measurement */
    DNN_CHECK(cudnnCreate(&handle));
    DNN_CHECK(cudnnSetStream(handle, cudaStreamPerThread));
    bench_begin("cudnn");
    bench_library("cuDNN", (int)cudnnGetVersion());
    /* measure every layer */
    for (int64_t n = 1 << 10; n <= (small ? 1 << 10 : 1 << 26); n *= 4)
        bench_gate(n, small);
    for (int n = small ? 2 : 64; n <= (small ? 2 : 1024); n *= 4)
        for (int t = 0; t < 3; t++) {
            struct conv first = {n, 1, 28, 28, 32, 3, 3, 1, 1, 1};
            struct conv second = {n, 32, 14, 14, 64, 3, 3, 1, 1, 1};

            for (int nhwc = 0; nhwc < 2; nhwc++) {
                if (!small)
                    bench_passes("first", &first, &kinds[t], nhwc, 0);
                bench_passes("second", &second, &kinds[t], nhwc, small);
            }
            if (n == 256 || small) {
                bench_product("third", n, 3136, 128, &kinds[t], small);
                bench_product("fourth", n, 128, 10, &kinds[t], small);
            }
        }
    DNN_CHECK(cudnnDestroy(handle));
    return 0;
}
