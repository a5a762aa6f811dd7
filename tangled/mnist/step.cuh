/* step.cuh: step.c on the GPU, by the book's kernels. The same functions in the
   same order. No float atomics: equal inputs give equal bits. */
#ifndef MNIST_STEP_CUH
#define MNIST_STEP_CUH

/* include the kernels */
#include "conv/conv.cuh"
#include "gemm/launch.cuh"
#include "layers/linear.cuh"
#include "layers/relu.cuh"
#include "mnist/kernels.cuh"
#include "mnist/train.h"

/* hold a block on the GPU */
struct gpu_block {
    enum tensors weight; /* the filters; behind them scale and bias */
    int side, in, out;
    float *x, *dx;         /* comes in: [n][in][side][side] */
    float *z, *dz;         /* after the convolution: [n][out][side][side] */
    float *y, *dy;         /* after the maximum: [n][out][side/2][side/2] */
    unsigned char *winner; /* of each cell: 0 to 3, 4: none */
};

/* name who multiplies */
struct gpu;

/* On the GPU, queued on c->stream. */
struct products {
    int beside; /* 1: may run beside each other, and be captured in a graph */
    void (*open)(struct gpu *c);
    void (*close)(struct gpu *c);                              /* or NULL */
    void (*convolve)(struct gpu *c, struct gpu_block *b);      /* z */
    void (*filters)(struct gpu *c, struct gpu_block *b);       /* from x, dz */
    void (*convolve_back)(struct gpu *c, struct gpu_block *b); /* dx */
    /* z = op(x) op(y) + beta z, row-major: op(x) is m x k. 'T': x is stored
       as k x m. */
    void (*multiply)(struct gpu *c, char tx, char ty, int m, int n, int k,
                     const float *x, const float *y, float beta, float *z);
};

/* hold the network on the GPU */
enum room_kind { DIGITS, WEIGHTS, GRADIENTS, ACTIVATIONS, SPACE, ROOM_KINDS };

struct gpu {
    struct model m;
    const struct products *by;
    int batch, n;
    float *w, *g, *moments; /* as in struct net */
    const float *stats;
    struct gpu_block block[2];
    float *h, *dh, *o, *dout, *each, *loss;
    unsigned char *pixels[2], *labels[2]; /* training and test digits */
    int *order, *label, counts[2];
    struct request (*ask)(void *asked, const int *order, int first);
    void *asked;       /* by whom training digits come, if they are not here */
    void *space, *own; /* work space; of `by` */
    cudaStream_t stream;
    size_t bytes[ROOM_KINDS]; /* the account of our memory */
    void *room[64];
    int rooms;
    /* hold what runs beside, and the graph */
    cudaStream_t side;
    void *side_space;
    cudaEvent_t fork, joined;
    struct request *kept; /* on the GPU */
    int steps;            /* of full batches so far, until there is a graph */
    cudaGraph_t drawn;
    cudaGraphNode_t root; /* pick */
    cudaGraphExec_t graph;
};

/* stop where no GPU answers */
__global__ void answer_the_door(void)
{
}

static void gpu_or_stop(void)
{
    int count, major = 0, minor = 0;
    cudaError_t status = cudaGetDeviceCount(&count);
    const char *advice;
    char build[80] = "";

    if (status == cudaSuccess) {
        answer_the_door<<<1, 1>>>();
        status = cudaGetLastError();
    }
    if (status == cudaSuccess)
        return;
    advice = cuda_advice((int)status);
    cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0);
    cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, 0);
    if (major)
        sprintf(build, "; make -B build/gpu/mnist/mnist ARCH=sm_%d%d", major,
                minor);
    stop("no GPU to use: %s%s%s%s; --path reference needs none",
         cudaGetErrorString(status), advice ? "; " : "", advice ? advice : "",
         build);
}

/* make room on the GPU */
static void *room_for(struct gpu *c, enum room_kind kind, size_t bytes)
{
    static const char *name[] = {"the digits", "the weights", "the gradients",
                                 "the activations", "work space"};
    size_t all = 0, free_bytes = 0, total = 0;
    void *p = NULL;

    bytes += bytes == 0;
    if (cudaMalloc(&p, bytes) != cudaSuccess) {
        for (int k = 0; k < ROOM_KINDS; k++)
            all += c->bytes[k];
        cudaGetLastError();
        CUDA_CHECK(cudaMemGetInfo(&free_bytes, &total));
        stop("no room on the GPU: %zu MiB more for %s; %zu MiB are taken and "
             "%zu of %zu MiB are free; try a %s smaller than %d",
             bytes >> 20, name[kind], all >> 20, free_bytes >> 20, total >> 20,
             c->batch > 2 ? "--batch" : "--width",
             c->batch > 2 ? c->batch : c->m.width);
    }
    CHECK(c->rooms < 64, "the table of rooms is full");
    c->bytes[kind] += bytes;
    return c->room[c->rooms++] = p;
}

static float *floats(struct gpu *c, enum room_kind kind, size_t count)
{
    return (float *)room_for(c, kind, count * sizeof(float));
}

/* take the convolutions of chapter 16 */
static struct conv conv_of(const struct gpu_block *b, int n)
{
    struct conv v = {n, b->in, b->side, b->side, b->out, 3, 3, 1, 1, 1};

    return v;
}

static void kernels_convolve(struct gpu *c, struct gpu_block *b)
{
    struct conv v = conv_of(b, c->n);

    launch_conv_forward(&v, b->x, c->w + c->m.tensor[b->weight].at, b->z,
                        c->stream);
}

static void kernels_filters(struct gpu *c, struct gpu_block *b)
{
    struct conv v = conv_of(b, c->n);

    launch_conv_filter_gradient(
        &v, b->x, b->dz, c->g + c->m.tensor[b->weight].at, c->own, c->stream);
}

static void kernels_convolve_back(struct gpu *c, struct gpu_block *b)
{
    struct conv v = conv_of(b, c->n);

    launch_conv_input_gradient(&v, b->dz, c->w + c->m.tensor[b->weight].at,
                               b->dx, c->stream);
}

/* take the products of chapter 14 */
enum { BLOCKS = 128 }; /* of a product, at least, where its sums are long */

static void kernels_multiply(struct gpu *c, char tx, char ty, int m, int n,
                             int k, const float *x, const float *y, float beta,
                             float *z)
{
    typedef tile<32, 32, 64, 4, 8, 8, 3, 1> small;
    size_t tiles = ceil_div((size_t)m, 32) * ceil_div((size_t)n, 32);
    struct gemm g = {m, n, k};

    g.parts = tiles < BLOCKS ? BLOCKS / (int)tiles : 1;
    g.alpha = 1;
    g.beta = beta;
    g.a = x;
    g.b = y;
    g.c = z;
    g.sums = (float *)c->space;
    g.lda = (size_t)(tx == 'N' ? k : m);
    g.ldb = (size_t)(ty == 'N' ? n : k);
    g.ldc = (size_t)n;
    launch_tiles<small>(tx, ty, &g, c->stream);
}

/* open and close the kernels */
static void kernels_open(struct gpu *c)
{
    size_t most = 0;

    for (int i = 0; i < 2; i++) {
        struct conv v = conv_of(&c->block[i], c->batch);
        size_t bytes = conv_filter_gradient_bytes(&v);

        most = bytes > most ? bytes : most;
    }
    c->own = room_for(c, SPACE, most);
}

static const struct products by_kernels = {.beside = 1,
                                           .open = kernels_open,
                                           .convolve = kernels_convolve,
                                           .filters = kernels_filters,
                                           .convolve_back =
                                               kernels_convolve_back,
                                           .multiply = kernels_multiply};

/* let work run beside other work */
static void gpu_swap(struct gpu *c)
{
    cudaStream_t stream = c->stream;
    void *space = c->space;

    c->stream = c->side;
    c->side = stream;
    c->space = c->side_space;
    c->side_space = space;
}

/* What is queued from here on runs beside the rest ... */
static void gpu_aside(struct gpu *c)
{
    if (!c->by->beside)
        return;
    CUDA_CHECK(cudaEventRecord(c->fork, c->stream));
    CUDA_CHECK(cudaStreamWaitEvent(c->side, c->fork, 0));
    gpu_swap(c);
}

/* ... until here; */
static void gpu_ahead(struct gpu *c)
{
    if (c->by->beside)
        gpu_swap(c);
}

/* and what is queued from here on waits for it. */
static void gpu_join(struct gpu *c)
{
    if (!c->by->beside)
        return;
    CUDA_CHECK(cudaEventRecord(c->joined, c->side));
    CUDA_CHECK(cudaStreamWaitEvent(c->stream, c->joined, 0));
}

/* normalize on the GPU */

/* gather what a normalization needs */
static struct norm_args norm_args_of(struct gpu *c, struct gpu_block *b)
{
    size_t at = b == c->block ? 0 : 2 * c->m.c1;
    size_t scale = c->m.tensor[b->weight + 1].at;
    struct norm_args g = {c->n, b->out};

    g.shares = (int)norm_grid(c->n, b->out, b->side * b->side / 4).x;
    g.z = b->z;
    g.scale = c->w + scale;
    g.mean = (float *)c->stats + at;
    g.measured = c->stats == c->moments ? (struct moments *)c->space : NULL;
    g.sums = (float2 *)c->space;
    g.y = b->y;
    g.dy = b->dy;
    g.dz = b->dz;
    g.dscale = c->g + scale;
    g.winner = b->winner;
    return g;
}

static void gpu_normalize(struct gpu *c, struct gpu_block *b)
{
    struct norm_args g = norm_args_of(c, b);
    dim3 grid(g.shares, b->out);

    if (g.measured)
        norm_moments<<<grid, NORM_THREADS, 0, c->stream>>>(
            c->n, b->out, b->side * b->side / 4, (const float4 *)b->z,
            g.measured);
    CUDA_LAUNCH_CHECK();
    if (b->side == DIGIT_SIDE)
        maxima<DIGIT_SIDE><<<grid, NORM_THREADS, 0, c->stream>>>(g);
    else
        maxima<DIGIT_SIDE / 2><<<grid, NORM_THREADS, 0, c->stream>>>(g);
    CUDA_LAUNCH_CHECK();
}

/* go forward through the head on the GPU */
static void gpu_bias(struct gpu *c, enum tensors t, float *y)
{
    int out = c->m.tensor[t].shape[0];
    size_t count = (size_t)c->n * out;

    linear_bias<<<blocks_for(count, 256), 256, 0, c->stream>>>(
        count, out, c->w + c->m.tensor[t].at, y);
    CUDA_LAUNCH_CHECK();
}

static void gpu_linear(struct gpu *c, enum tensors t, const float *x, float *y)
{
    int out = c->m.tensor[t].shape[0], in = c->m.tensor[t].shape[1];

    c->by->multiply(c, 'N', 'T', c->n, out, in, x, c->w + c->m.tensor[t].at, 1,
                    y);
}

static void gpu_head(struct gpu *c)
{
    gpu_join(c);
    gpu_linear(c, FC1_W, c->block[1].y, c->h);
    relu_forward_run((size_t)c->n * c->m.hidden, c->h, c->h, c->stream);
    gpu_linear(c, FC2_W, c->h, c->o);
}

/* go forward on the GPU */
static void gpu_biases(struct gpu *c)
{
    gpu_aside(c);
    gpu_bias(c, FC1_B, c->h);
    gpu_bias(c, FC2_B, c->o);
    gpu_ahead(c);
}

static void gpu_forward(struct gpu *c, int training)
{
    c->stats = training ? c->moments : c->w + c->m.count;
    gpu_biases(c);
    for (int i = 0; i < 2; i++) {
        c->by->convolve(c, &c->block[i]);
        gpu_normalize(c, &c->block[i]);
    }
    gpu_head(c);
}

/* measure the loss on the GPU */
static void gpu_loss(struct gpu *c)
{
    size_t blocks = ceil_div((size_t)c->n, LOSS_WARPS);

    cross_entropy<<<(unsigned)blocks, LOSS_WARPS * WARP, 0, c->stream>>>(
        c->n, c->o, c->label, c->dout, c->each);
    CUDA_LAUNCH_CHECK();
    gpu_aside(c);
    mean_loss<<<1, 256, 0, c->stream>>>(c->n, c->each, c->kept);
    CUDA_LAUNCH_CHECK();
    gpu_ahead(c);
}

/* go back through the head on the GPU */
static void gpu_linear_back(struct gpu *c, enum tensors t, const float *x,
                            const float *dy, float *dx)
{
    int out = c->m.tensor[t].shape[0], in = c->m.tensor[t].shape[1];

    gpu_aside(c);
    c->by->multiply(c, 'T', 'N', out, in, c->n, dy, x, 0,
                    c->g + c->m.tensor[t].at);
    linear_columns<<<(out + WARP - 1) / WARP, dim3(WARP, WARP), 0, c->stream>>>(
        c->n, out, dy, c->g + c->m.tensor[t + 1].at);
    CUDA_LAUNCH_CHECK();
    gpu_ahead(c);
    c->by->multiply(c, 'N', 'N', c->n, in, out, dy, c->w + c->m.tensor[t].at, 0,
                    dx);
}

static void gpu_head_back(struct gpu *c)
{
    gpu_linear_back(c, FC2_W, c->h, c->dout, c->dh);
    relu_backward_run((size_t)c->n * c->m.hidden, c->h, c->dh, c->dh,
                      c->stream);
    gpu_linear_back(c, FC1_W, c->block[1].y, c->dh, c->block[1].dy);
}

/* go back through a block on the GPU */
template <int SIDE>
static void block_back_run(struct norm_args g, cudaStream_t stream)
{
    dim3 grid(g.shares, g.out);

    winner_sums<SIDE><<<grid, NORM_THREADS, 0, stream>>>(g);
    CUDA_LAUNCH_CHECK();
    norm_back<SIDE><<<grid, NORM_THREADS, 0, stream>>>(g);
    CUDA_LAUNCH_CHECK();
}

static void gpu_block_back(struct gpu *c, struct gpu_block *b)
{
    if (b->side == DIGIT_SIDE)
        block_back_run<DIGIT_SIDE>(norm_args_of(c, b), c->stream);
    else
        block_back_run<DIGIT_SIDE / 2>(norm_args_of(c, b), c->stream);
    gpu_aside(c);
    c->by->filters(c, b);
    gpu_ahead(c);
}

/* go back on the GPU */
static void gpu_backward(struct gpu *c)
{
    gpu_head_back(c);
    gpu_block_back(c, &c->block[1]);
    c->by->convolve_back(c, &c->block[1]);
    gpu_block_back(c, &c->block[0]);
    gpu_join(c);
}

/* take a step on the GPU */

/* load a batch on the GPU */
/* Digits first, ... of the test or the training digits, in this order (NULL: as
   they lie). */
static struct request gpu_ask(struct gpu *c, int test, const int *order,
                              int first, int n)
{
    CHECK(n >= 1 && n <= c->batch && first >= 0 && first + n <= c->counts[test],
          "digits %d to %d of %d, at most %d", first, first + n,
          c->counts[test], c->batch);
    if (c->ask && !test)
        return c->ask(c->asked, order, first);
    return {c->pixels[test], c->labels[test], order, first};
}

/* c->n digits. */
static void gpu_load(struct gpu *c, struct request r)
{
    pick<<<c->n, PICK_THREADS, 0, c->stream>>>(r, c->block[0].x, c->label,
                                               c->kept);
    CUDA_LAUNCH_CHECK();
}

static void gpu_descend(struct gpu *c, const struct request *kept)
{
    descend<<<blocks_for(c->m.count, 256), 256, 0, c->stream>>>(
        c->m.count, kept, c->g, c->w);
    CUDA_LAUNCH_CHECK();
}

static void gpu_launch(struct gpu *c, struct request r)
{
    gpu_load(c, r);
    gpu_forward(c, 1);
    gpu_loss(c);
    gpu_backward(c);
    gpu_descend(c, c->kept);
}

/* take a step by a graph */
static void gpu_capture(struct gpu *c, struct request r)
{
    cudaStream_t stream = c->stream;
    size_t one = 1;

    CUDA_CHECK(cudaStreamCreate(&c->stream));
    CUDA_CHECK(cudaStreamBeginCapture(c->stream, cudaStreamCaptureModeRelaxed));
    gpu_launch(c, r);
    CUDA_CHECK(cudaStreamEndCapture(c->stream, &c->drawn));
    CUDA_CHECK(cudaStreamDestroy(c->stream));
    c->stream = stream;
    CUDA_CHECK(cudaGraphGetRootNodes(c->drawn, &c->root, &one));
    CUDA_CHECK(cudaGraphInstantiate(&c->graph, c->drawn, 0));
}

static void gpu_take(struct gpu *c, struct request r, int n)
{
    void *args[] = {&r, &c->block[0].x, &c->label, &c->kept};
    struct cudaKernelNodeParams p = {};

    c->n = n;
    if (!c->by->beside || n < c->batch || c->steps++ == 0) {
        gpu_launch(c, r);
        return;
    }
    if (c->graph == NULL)
        gpu_capture(c, r);
    p.func = (void *)pick;
    p.gridDim = dim3(n);
    p.blockDim = dim3(PICK_THREADS);
    p.kernelParams = args;
    CUDA_CHECK(cudaGraphExecKernelNodeSetParams(c->graph, c->root, &p));
    CUDA_CHECK(cudaGraphLaunch(c->graph, c->stream));
}

static void gpu_step(void *p, int first, int n, float lr, int slot)
{
    struct gpu *c = (struct gpu *)p;
    struct request r = gpu_ask(c, 0, c->order, first, n);

    r.lr = lr;
    r.loss = c->loss + slot;
    gpu_take(c, r, n);
}

/* open and close the network on the GPU */

/* make room for a block on the GPU */
static void gpu_open_block(struct gpu *c, int which, int side, int in, int out,
                           float *x, float *dx)
{
    struct gpu_block *b = &c->block[which];
    size_t count = (size_t)c->batch * out * side * side;

    b->weight = which ? CONV2_W : CONV1_W;
    b->side = side;
    b->in = in;
    b->out = out;
    b->x = x;
    b->dx = dx;
    b->z = floats(c, ACTIVATIONS, count);
    b->dz = floats(c, GRADIENTS, count);
    b->y = floats(c, ACTIVATIONS, count / 4);
    b->dy = floats(c, GRADIENTS, count / 4);
    b->winner = (unsigned char *)room_for(c, ACTIVATIONS, count / 4);
}

/* put digits on the GPU */
static void gpu_digits(struct gpu *c, int test, const struct digits *d)
{
    size_t count = (size_t)d->count, bytes = count * DIGIT_PIXELS;

    c->counts[test] = d->count;
    c->pixels[test] = (unsigned char *)room_for(c, DIGITS, bytes);
    c->labels[test] = (unsigned char *)room_for(c, DIGITS, count);
    CUDA_CHECK(
        cudaMemcpy(c->pixels[test], d->pixels, bytes, cudaMemcpyHostToDevice));
    CUDA_CHECK(
        cudaMemcpy(c->labels[test], d->labels, count, cudaMemcpyHostToDevice));
}

static struct gpu *gpu_open(const struct products *by, const struct model *m,
                            const struct digits *train,
                            const struct digits *test, int batch)
{
    struct gpu *c = (struct gpu *)check_alloc(1, sizeof *c);
    size_t n = (size_t)batch, norm = batchnorm_space(m->c2);
    size_t sums = BLOCKS * 32 * 32 * sizeof(float);

    gpu_or_stop();
    c->m = *m;
    c->by = by;
    c->batch = batch;
    c->stream = cudaStreamPerThread;
    gpu_digits(c, 0, train);
    gpu_digits(c, 1, test);
    c->order = (int *)room_for(c, DIGITS, train->count * sizeof(int));
    c->label = (int *)room_for(c, DIGITS, n * sizeof(int));
    c->w = floats(c, WEIGHTS, m->total);
    c->g = floats(c, GRADIENTS, m->count);
    c->moments = floats(c, ACTIVATIONS, m->total - m->count);
    c->loss = floats(c, ACTIVATIONS, PATH_SLOTS);
    gpu_open_block(c, 0, DIGIT_SIDE, 1, m->c1,
                   floats(c, ACTIVATIONS, n * DIGIT_PIXELS), NULL);
    gpu_open_block(c, 1, DIGIT_SIDE / 2, m->c1, m->c2, c->block[0].y,
                   c->block[0].dy);
    c->h = floats(c, ACTIVATIONS, n * m->hidden);
    c->dh = floats(c, GRADIENTS, n * m->hidden);
    c->o = floats(c, ACTIVATIONS, n * DIGIT_KINDS);
    c->dout = floats(c, GRADIENTS, n * DIGIT_KINDS);
    c->each = floats(c, ACTIVATIONS, n);
    c->space = room_for(c, SPACE, norm > sums ? norm : sums);
    c->side_space = room_for(c, SPACE, sums);
    /* open the second stream */
    c->kept = (struct request *)room_for(c, SPACE, sizeof *c->kept);
    CUDA_CHECK(cudaStreamCreate(&c->side));
    CUDA_CHECK(cudaEventCreateWithFlags(&c->fork, cudaEventDisableTiming));
    CUDA_CHECK(cudaEventCreateWithFlags(&c->joined, cudaEventDisableTiming));
    by->open(c);
    return c;
}

static void gpu_close(void *p)
{
    struct gpu *c = (struct gpu *)p;

    if (c->by->close)
        c->by->close(c);
    for (int i = 0; i < c->rooms; i++)
        CUDA_CHECK(cudaFree(c->room[i]));
    if (c->graph) {
        CUDA_CHECK(cudaGraphExecDestroy(c->graph));
        CUDA_CHECK(cudaGraphDestroy(c->drawn));
    }
    CUDA_CHECK(cudaEventDestroy(c->fork));
    CUDA_CHECK(cudaEventDestroy(c->joined));
    CUDA_CHECK(cudaStreamDestroy(c->side));
    free(c);
}

/* name the path of the kernels */

/* answer the trainer */
static void gpu_copy(struct gpu *c, void *to, const void *from, size_t bytes)
{
    CUDA_CHECK(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, c->stream));
    CUDA_CHECK(cudaStreamSynchronize(c->stream));
}

static void gpu_set(void *p, const float *w)
{
    struct gpu *c = (struct gpu *)p;

    gpu_copy(c, c->w, w, c->m.total * sizeof *w);
}

static void gpu_get(void *p, float *w)
{
    struct gpu *c = (struct gpu *)p;

    gpu_copy(c, w, c->w, c->m.total * sizeof *w);
}

static void gpu_order(void *p, const int *order)
{
    struct gpu *c = (struct gpu *)p;

    gpu_copy(c, c->order, order, (size_t)c->counts[0] * sizeof *order);
}

static void gpu_losses(void *p, int count, float *loss)
{
    struct gpu *c = (struct gpu *)p;

    gpu_copy(c, loss, c->loss, (size_t)count * sizeof *loss);
}

static void gpu_go(struct gpu *c, int test, const int *order, int first, int n,
                   int training)
{
    struct request r = gpu_ask(c, test, order, first, n);

    c->n = n;
    gpu_load(c, r);
    gpu_forward(c, training);
}

static void gpu_measure(void *p, int first, int n, float *moments)
{
    struct gpu *c = (struct gpu *)p;

    if (n > 0)
        gpu_go(c, 0, c->order, first, n, 1);
    gpu_copy(c, moments, c->moments,
             (c->m.total - c->m.count) * sizeof *moments);
}

static void gpu_answers(void *p, int test, int first, int n, float *o)
{
    struct gpu *c = (struct gpu *)p;

    gpu_go(c, test, NULL, first, n, 0);
    gpu_copy(c, o, c->o, (size_t)n * DIGIT_KINDS * sizeof *o);
}

static void *open_kernels(const struct model *m, const struct digits *train,
                          const struct digits *test, int batch, int)
{
    return gpu_open(&by_kernels, m, train, test, batch);
}

static struct path path_by(const char *name,
                           void *(*open)(const struct model *,
                                         const struct digits *,
                                         const struct digits *, int, int),
                           void (*close)(void *) = gpu_close,
                           void (*order)(void *, const int *) = gpu_order)
{
    return {.name = name,
            .group = PATH_SLOTS,
            .open = open,
            .close = close,
            .set = gpu_set,
            .get = gpu_get,
            .order = order,
            .step = gpu_step,
            .losses = gpu_losses,
            .measure = gpu_measure,
            .answers = gpu_answers};
}

static const struct path path_kernels = path_by("kernels", open_kernels);

#endif
