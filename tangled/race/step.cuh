/* step.cuh: the launches of the fused step, their arrays and their graph. */
#ifndef RACE_STEP_CUH
#define RACE_STEP_CUH

#include "mnist/step.h"
#include "race/finish.cuh"
#include "tour/check.h"

enum { FUSED_GRAPHS = 4 };

/* hold a fused step */
struct fused_host {
    struct model m;
    struct fused d;
    struct fused_args next; /* what the device will have */
    int batch, known;       /* known: next is right */
    float *w;
    cudaStream_t side;
    cudaEvent_t fork, join;
    struct {
        int n;
        cudaGraphExec_t exec;
    } graph[FUSED_GRAPHS];
    int graphs;
    void *room[32];
    int rooms;
};

/* choose the grids of a step */
static void *fused_room(struct fused_host *f, size_t bytes)
{
    void *p;

    CHECK(f->rooms < 32, "more than 32 arrays");
    CUDA_CHECK(cudaMalloc(&p, bytes));
    CUDA_CHECK(cudaMemset(p, 0, bytes));
    return f->room[f->rooms++] = p;
}

static int at_most(int a, int b)
{
    return a < b ? a : b;
}

static int at_least(int a, int b)
{
    return a > b ? a : b;
}

/* Blocks for n things of which `most` blocks can run at once: all take as many. */
static int in_rounds(int n, int most)
{
    int rounds = (n + most - 1) / most;

    return (n + rounds - 1) / rounds;
}

/* Grids for n pictures. */
static void fused_grids(struct fused *d, int n)
{
    int lots = (n + LOT - 1) / LOT, splits;

    d->n = n;
    d->grid1 = in_rounds(n, 2 * d->sms);
    d->grid3 = in_rounds((n + 7) / 8, d->sms);
    d->parts4 = at_least(1, at_most(lots, 2 * d->sms / CELLS));
    d->grid5 = in_rounds(n, d->sms);
    splits = at_least(1, at_most(CELLS, 2 * d->sms / lots));
    d->cells2 = (CELLS + splits - 1) / splits;
    d->splits2 = (CELLS + d->cells2 - 1) / d->cells2;
}

/* make room for the fused step */
static struct fused_host *fused_create(const struct model *m, int batch)
{
    struct fused_host *f = (struct fused_host *)check_alloc(1, sizeof *f);
    struct fused *d = &f->d;
    size_t n = (size_t)batch, most = 0;
    int device;

    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaDeviceGetAttribute(&d->sms, cudaDevAttrMultiProcessorCount,
                                      device));
    f->m = *m;
    f->batch = batch;
    f->w = (float *)fused_room(f, m->total * sizeof(float));
    d->args = (struct fused_args *)fused_room(f, sizeof(struct fused_args));
    d->conv1 = f->w + m->tensor[CONV1_W].at;
    d->bn1 = f->w + m->tensor[BN1_W].at;
    d->conv2 = f->w + m->tensor[CONV2_W].at;
    d->bn2 = f->w + m->tensor[BN2_W].at;
    d->fc1 = f->w + m->tensor[FC1_W].at;
    d->fc1_bias = f->w + m->tensor[FC1_B].at;
    d->fc2 = f->w + m->tensor[FC2_W].at;
    d->fc2_bias = f->w + m->tensor[FC2_B].at;
    d->filters = (bf16 *)fused_room(f, FILTERS * sizeof(bf16));
    d->turned = (bf16 *)fused_room(f, FILTERS * sizeof(bf16));
    d->fc1_half = (bf16 *)fused_room(f, CELLS * HIDDEN * CH2 * sizeof(bf16));
    d->sums = (unsigned long long *)fused_room(f, MOMENTS * 8);
    d->kept = (unsigned long long *)fused_room(f, MOMENTS * 8);
    d->coef1 = (float *)fused_room(f, 4 * CH1 * sizeof(float));
    d->coef2 = (float *)fused_room(f, 4 * CH2 * sizeof(float));
    d->moments = (float *)fused_room(f, (m->total - m->count) * sizeof(float));
    d->z2 = (bf16 *)fused_room(f, n * PIXELS * CH2 * sizeof(bf16));
    d->p2 = (bf16 *)fused_room(f, n * CELLS * CH2 * sizeof(bf16));
    d->best = (bf16 *)fused_room(f, n * CELLS * CH2 * sizeof(bf16));
    d->dp2 = (bf16 *)fused_room(f, n * CELLS * CH2 * sizeof(bf16));
    d->dh = (bf16 *)fused_room(f, (n + LOT) * HIDDEN * sizeof(bf16));
    for (int k = 1; k <= batch; k++) { /* smaller steps may have more splits */
        fused_grids(d, k);
        most = (size_t)d->splits2 * k > most ? (size_t)d->splits2 * k : most;
    }
    d->grid3 = at_most(batch, d->sms);
    d->grid5 = at_most(batch, d->sms);
    d->h_sums = (float *)fused_room(f, most * HIDDEN * sizeof(float));
    d->z_sums = (unsigned long long *)fused_room(f, 2 * CH2 * 8);
    d->head_sums = (float *)fused_room(f, (size_t)d->grid3 * HEAD_SUMS * 4);
    d->dy_sums = (unsigned long long *)fused_room(f, 2 * CH2 * 8);
    d->filter_sums = (float *)fused_room(f, (size_t)d->grid5 * FILTERS * 4);
    d->patch_sums = (float *)fused_room(f, (size_t)d->grid5 * CH1 * 16 * 4);
    CUDA_CHECK(cudaStreamCreateWithFlags(&f->side, cudaStreamNonBlocking));
    CUDA_CHECK(cudaEventCreateWithFlags(&f->fork, cudaEventDisableTiming));
    CUDA_CHECK(cudaEventCreateWithFlags(&f->join, cudaEventDisableTiming));
    /* ask for shared memory */
    CUDA_CHECK(cudaFuncSetAttribute(convolve_twice<1>,
                                    cudaFuncAttributeMaxDynamicSharedMemorySize,
                                    CONV_BYTES));
    CUDA_CHECK(cudaFuncSetAttribute(convolve_twice<2>,
                                    cudaFuncAttributeMaxDynamicSharedMemorySize,
                                    CONV_BYTES));
    CUDA_CHECK(cudaFuncSetAttribute(back_through_both,
                                    cudaFuncAttributeMaxDynamicSharedMemorySize,
                                    BACK_BYTES));
    CUDA_CHECK(cudaFuncSetAttribute(step_fc1,
                                    cudaFuncAttributeMaxDynamicSharedMemorySize,
                                    FC1_STAGES * FC1_STAGE));
    return f;
}

/* give the room of the fused step back */
static void fused_destroy(struct fused_host *f)
{
    for (int i = 0; i < f->graphs; i++)
        CUDA_CHECK(cudaGraphExecDestroy(f->graph[i].exec));
    for (int i = 0; i < f->rooms; i++)
        CUDA_CHECK(cudaFree(f->room[i]));
    CUDA_CHECK(cudaStreamDestroy(f->side));
    CUDA_CHECK(cudaEventDestroy(f->fork));
    CUDA_CHECK(cudaEventDestroy(f->join));
    free(f);
}

/* carry weights in and out of the fused step */
/* Where weight i of fc1, [hidden][channel][cell], stands here. */
static size_t fused_place(size_t i)
{
    size_t cell = i % CELLS, channel = i / CELLS % CH2;

    return (cell * HIDDEN + i / (CELLS * CH2)) * CH2 + channel;
}

static void fused_set(struct fused_host *f, const float *w)
{
    float *mine = (float *)check_alloc(f->m.total, sizeof *mine);
    const struct tensor *t = &f->m.tensor[FC1_W];

    memcpy(mine, w, f->m.total * sizeof *mine);
    for (size_t i = 0; i < t->count; i++)
        mine[t->at + fused_place(i)] = w[t->at + i];
    CUDA_CHECK(cudaMemcpy(f->w, mine, f->m.total * sizeof *mine,
                          cudaMemcpyHostToDevice));
    refresh<<<(CELLS * HIDDEN * CH2 + 255) / 256, 256>>>(f->d);
    CUDA_LAUNCH_CHECK();
    CUDA_CHECK(cudaDeviceSynchronize());
    free(mine);
}

static void fused_get(struct fused_host *f, float *w)
{
    float *mine = (float *)check_alloc(f->m.total, sizeof *mine);
    const struct tensor *t = &f->m.tensor[FC1_W];

    CUDA_CHECK(cudaMemcpy(mine, f->w, f->m.total * sizeof *mine,
                          cudaMemcpyDeviceToHost));
    memcpy(w, mine, f->m.total * sizeof *mine);
    for (size_t i = 0; i < t->count; i++)
        w[t->at + i] = mine[t->at + fused_place(i)];
    free(mine);
}

/* start a kernel early */
/* early: the kernel may be placed before the one before it has ended; it waits for
   that one itself. */
static void fused_start(void (*kernel)(const struct fused), dim3 grid,
                        int threads, size_t bytes, cudaStream_t s, int early,
                        const struct fused &d)
{
    cudaLaunchConfig_t c = {};
    cudaLaunchAttribute a;

    a.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    a.val.programmaticStreamSerializationAllowed = 1;
    c.gridDim = grid;
    c.blockDim = dim3((unsigned)threads);
    c.dynamicSmemBytes = bytes;
    c.stream = s;
    c.attrs = &a;
    c.numAttrs = early ? 1 : 0;
    CUDA_CHECK(cudaLaunchKernelEx(&c, kernel, d));
}

/* start one phase */
enum { FUSED_PHASES = 8 };

/* One phase of the step, alone. */
static void fused_phase(struct fused_host *f, int phase, cudaStream_t s,
                        int early)
{
    const struct fused &d = f->d;
    unsigned lots = (unsigned)((d.n + LOT - 1) / LOT);

    switch (phase) {
    case 0:
        fused_start(sum_patches, d.grid1, SUM_THREADS, 0, s, 0, d);
        break;
    case 1:
        fused_start(2 * d.n <= d.sms ? convolve_twice<2> : convolve_twice<1>,
                    dim3(d.grid1, 2 * d.n <= d.sms ? 2 : 1), CONV_THREADS,
                    CONV_BYTES, s, early, d);
        break;
    case 2:
        fused_start(pool_and_multiply, dim3(lots, (unsigned)d.splits2),
                    HEAD_THREADS, 0, s, early, d);
        break;
    case 3:
        fused_start(finish_forward, d.grid3, HEAD_THREADS, 0, s, early, d);
        break;
    case 4:
        fused_start(back_to_cells, dim3(CELLS, (unsigned)d.parts4),
                    HEAD_THREADS, 0, s, early, d);
        break;
    case 5: /* two blocks for a picture, if there are SMs for them */
        fused_start(back_through_both, dim3(d.grid5, 2 * d.n <= d.sms ? 2 : 1),
                    BACK_THREADS, BACK_BYTES, s, early, d);
        break;
    case 6:
        fused_start(finish_step, FINISH_BLOCKS, FINISH_THREADS, 0, s, early, d);
        break;
    default:
        fused_start(step_fc1, dim3(CELLS, 2), FC1_THREADS,
                    FC1_STAGES * FC1_STAGE, s, 0, d);
    }
}

/* launch the whole step */
/* The whole step; fc1's weights go their step in a branch of their own. */
static void fused_launch(struct fused_host *f, cudaStream_t s)
{
    for (int phase = 0; phase < 5; phase++)
        fused_phase(f, phase, s, 1);
    CUDA_CHECK(cudaEventRecord(f->fork, s));
    CUDA_CHECK(cudaStreamWaitEvent(f->side, f->fork, 0));
    fused_phase(f, 7, f->side, 0);
    fused_phase(f, 5, s, 1);
    fused_phase(f, 6, s, 1);
    CUDA_CHECK(cudaEventRecord(f->join, f->side));
    CUDA_CHECK(cudaStreamWaitEvent(s, f->join, 0));
}

/* make the graph of a step */
/* The graph of a step of n pictures, made when it is first asked for. */
static cudaGraphExec_t fused_graph(struct fused_host *f, int n)
{
    cudaGraph_t graph;
    cudaStream_t s;
    int k;

    for (k = 0; k < f->graphs; k++)
        if (f->graph[k].n == n)
            return f->graph[k].exec;
    if (k == FUSED_GRAPHS) {
        CUDA_CHECK(cudaDeviceSynchronize());
        CUDA_CHECK(cudaGraphExecDestroy(f->graph[--k].exec));
    }
    fused_grids(&f->d, n);
    CUDA_CHECK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    CUDA_CHECK(cudaStreamBeginCapture(s, cudaStreamCaptureModeThreadLocal));
    fused_launch(f, s);
    CUDA_CHECK(cudaStreamEndCapture(s, &graph));
    CUDA_CHECK(cudaGraphInstantiate(&f->graph[k].exec, graph, 0));
    CUDA_CHECK(cudaGraphDestroy(graph));
    CUDA_CHECK(cudaStreamDestroy(s));
    f->graph[k].n = n;
    f->graphs = k + 1;
    return f->graph[k].exec;
}

/* go on with the graph */
/* As fast_step. */
static void fused_step(struct fused_host *f, struct fused_args args, int n,
                       cudaStream_t s)
{
    cudaGraphExec_t exec = fused_graph(f, n);

    CHECK(((size_t)args.images & 3) == 0, "pictures that begin at no word");
    if (!f->known || args.images != f->next.images ||
        args.labels != f->next.labels || args.order != f->next.order ||
        args.loss != f->next.loss || args.first != f->next.first ||
        args.slot != f->next.slot || args.rate != f->next.rate) {
        put_args<<<1, 1, 0, s>>>(f->d.args, args);
        CUDA_LAUNCH_CHECK();
    }
    CUDA_CHECK(cudaGraphLaunch(exec, s));
    f->next = args;
    f->next.first += n;
    f->next.slot = (f->next.slot + 1) % FUSED_SLOTS;
    f->known = 1;
}

#endif
