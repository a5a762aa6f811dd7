/* step.cuh: step.c on the GPU, by the book's kernels. The same functions in the
   same order. No float atomics: equal inputs give equal bits. */
#ifndef MNIST_STEP_CUH
#define MNIST_STEP_CUH

/* include the kernels */
#include "conv/conv.cuh"
#include "gemm/launch.cuh"
#include "layers/batchnorm.cuh"
#include "layers/linear.cuh"
#include "layers/maxpool.cuh"
#include "layers/relu.cuh"
#include "layers/sgd.cuh"
#include "layers/xent.cuh"
#include "mnist/ready.cuh"
#include "mnist/train.h"

#define EPSILON 1e-5f /* as PyTorch's */

/* hold a block on the GPU */
struct gpu_block {
    enum tensors weight; /* the filters; behind them scale and bias */
    int side, in, out;
    float *x, *dx;         /* comes in: [n][in][side][side] */
    float *z, *dz;         /* after the convolution: [n][out][side][side] */
    float *y, *dy;         /* after the maximum: [n][out][side/2][side/2] */
    unsigned char *winner; /* of each cell */
};

/* name who multiplies */
struct gpu;

/* On the GPU, queued on c->stream. */
struct products {
    void (*open)(struct gpu *c);
    void (*close)(struct gpu *c);
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
    float *h, *dh, *o, *dout, *logp, *each, *loss;
    unsigned char *pixels[2], *labels[2]; /* training and test digits */
    int *order, *label, counts[2];
    void *space, *own; /* work space; of `by` */
    cudaStream_t stream;
    size_t bytes[ROOM_KINDS]; /* the account of our memory */
    void *room[64];
    int rooms;
};

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
        fflush(stdout);
        fprintf(stderr,
                "mnist: no room on the GPU: %zu MiB more for %s; %zu MiB are "
                "taken and %zu of %zu MiB are free; try a %s smaller than "
                "%d\n",
                bytes >> 20, name[kind], all >> 20, free_bytes >> 20,
                total >> 20, c->batch > 2 ? "--batch" : "--width",
                c->batch > 2 ? c->batch : c->m.width);
        exit(1);
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

static void kernels_close(struct gpu *)
{
}

static const struct products by_kernels = {.open = kernels_open,
                                           .close = kernels_close,
                                           .convolve = kernels_convolve,
                                           .filters = kernels_filters,
                                           .convolve_back =
                                               kernels_convolve_back,
                                           .multiply = kernels_multiply};

/* normalize on the GPU */
static void gpu_normalize(struct gpu *c, struct gpu_block *b)
{
    int pixels = b->side * b->side, planes = c->n * b->out;
    const float *scale = c->w + c->m.tensor[b->weight + 1].at;
    size_t at = b == c->block ? 0 : 2 * c->m.c1;

    if (c->stats == c->moments)
        batchnorm_forward_run(c->n, b->out, pixels, EPSILON, b->z, scale,
                              scale + b->out, b->dz, c->moments + at,
                              c->moments + at + b->out, c->space, c->stream);
    else
        batchnorm_apply_run(c->n, b->out, pixels, EPSILON, b->z, c->stats + at,
                            c->stats + at + b->out, scale, scale + b->out,
                            b->dz, c->stream);
    maxpool_forward_run(planes, b->side, b->side, b->dz, b->y, b->winner,
                        c->stream);
    relu_forward_run((size_t)planes * pixels / 4, b->y, b->y, c->stream);
}

/* go forward through the head on the GPU */
static void gpu_linear(struct gpu *c, enum tensors t, const float *x, float *y)
{
    int out = c->m.tensor[t].shape[0], in = c->m.tensor[t].shape[1];
    size_t count = (size_t)c->n * out;

    linear_bias<<<blocks_for(count, 256), 256, 0, c->stream>>>(
        count, out, c->w + c->m.tensor[t + 1].at, y);
    CUDA_LAUNCH_CHECK();
    c->by->multiply(c, 'N', 'T', c->n, out, in, x, c->w + c->m.tensor[t].at, 1,
                    y);
}

static void gpu_head(struct gpu *c)
{
    gpu_linear(c, FC1_W, c->block[1].y, c->h);
    relu_forward_run((size_t)c->n * c->m.hidden, c->h, c->h, c->stream);
    gpu_linear(c, FC2_W, c->h, c->o);
}

/* go forward on the GPU */
static void gpu_forward(struct gpu *c, int training)
{
    c->stats = training ? c->moments : c->w + c->m.count;
    for (int i = 0; i < 2; i++) {
        c->by->convolve(c, &c->block[i]);
        gpu_normalize(c, &c->block[i]);
    }
    gpu_head(c);
}

/* measure the loss on the GPU */
static void gpu_loss(struct gpu *c, int slot)
{
    xent_forward_run(c->n, DIGIT_KINDS, c->o, c->label, c->logp, c->each,
                     c->loss + slot, c->stream);
}

/* go back through the head on the GPU */
static void gpu_linear_back(struct gpu *c, enum tensors t, const float *x,
                            const float *dy, float *dx)
{
    int out = c->m.tensor[t].shape[0], in = c->m.tensor[t].shape[1];

    c->by->multiply(c, 'N', 'N', c->n, in, out, dy, c->w + c->m.tensor[t].at, 0,
                    dx);
    c->by->multiply(c, 'T', 'N', out, in, c->n, dy, x, 0,
                    c->g + c->m.tensor[t].at);
    linear_columns<<<(out + WARP - 1) / WARP, dim3(WARP, WARP), 0, c->stream>>>(
        c->n, out, dy, c->g + c->m.tensor[t + 1].at);
    CUDA_LAUNCH_CHECK();
}

static void gpu_head_back(struct gpu *c)
{
    xent_backward_run(c->n, DIGIT_KINDS, c->logp, c->label, c->dout, c->stream);
    gpu_linear_back(c, FC2_W, c->h, c->dout, c->dh);
    relu_backward_run((size_t)c->n * c->m.hidden, c->h, c->dh, c->dh,
                      c->stream);
    gpu_linear_back(c, FC1_W, c->block[1].y, c->dh, c->block[1].dy);
}

/* go back through a block on the GPU */
static void gpu_block_back(struct gpu *c, struct gpu_block *b)
{
    int pixels = b->side * b->side, planes = c->n * b->out;
    size_t at = b == c->block ? 0 : 2 * c->m.c1;
    size_t scale = c->m.tensor[b->weight + 1].at;

    relu_backward_run((size_t)planes * pixels / 4, b->y, b->dy, b->dy,
                      c->stream);
    maxpool_backward_run(planes, b->side, b->side, b->dy, b->winner, b->dz,
                         c->stream);
    batchnorm_backward_run(c->n, b->out, pixels, EPSILON, b->z, c->moments + at,
                           c->moments + at + b->out, c->w + scale, b->dz, b->dz,
                           c->g + scale, c->g + scale + b->out, c->space,
                           c->stream);
    c->by->filters(c, b);
}

/* go back on the GPU */
static void gpu_backward(struct gpu *c)
{
    gpu_head_back(c);
    gpu_block_back(c, &c->block[1]);
    c->by->convolve_back(c, &c->block[1]);
    gpu_block_back(c, &c->block[0]);
}

/* take a step on the GPU */

/* load a batch on the GPU */

/* pick a batch out of the digits */
__global__ void pick(const unsigned char *pixels, const unsigned char *labels,
                     const int *order, int first, float *x, int *label)
{
    int i = blockIdx.x, from = order ? order[first + i] : first + i;

    for (int p = threadIdx.x; p < DIGIT_PIXELS; p += blockDim.x)
        x[(size_t)i * DIGIT_PIXELS + p] =
            pixels[(size_t)from * DIGIT_PIXELS + p] / 255.0f;
    if (threadIdx.x == 0)
        label[i] = labels[from];
}

/* n digits from the first on, of the test digits or of the training digits; in
   the order, unless it is NULL. */
static void gpu_load(struct gpu *c, int test, const int *order, int first,
                     int n)
{
    CHECK(n >= 1 && n <= c->batch && first >= 0 && first + n <= c->counts[test],
          "digits %d to %d of %d, at most %d", first, first + n,
          c->counts[test], c->batch);
    c->n = n;
    pick<<<n, 256, 0, c->stream>>>(c->pixels[test], c->labels[test], order,
                                   first, c->block[0].x, c->label);
    CUDA_LAUNCH_CHECK();
}

static void gpu_step(void *p, int first, int n, float lr, int slot)
{
    struct gpu *c = (struct gpu *)p;

    gpu_load(c, 0, c->order, first, n);
    gpu_forward(c, 1);
    gpu_loss(c, slot);
    gpu_backward(c);
    sgd_run(c->m.count, lr, c->g, c->w, c->stream);
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
    b->dz = floats(c, ACTIVATIONS, count);
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
    CUDA_CHECK(cudaStreamCreate(&c->stream));
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
    c->logp = floats(c, ACTIVATIONS, n * DIGIT_KINDS);
    c->each = floats(c, ACTIVATIONS, n);
    c->space = room_for(c, SPACE, norm > sums ? norm : sums);
    by->open(c);
    return c;
}

static void gpu_close(void *p)
{
    struct gpu *c = (struct gpu *)p;

    c->by->close(c);
    for (int i = 0; i < c->rooms; i++)
        CUDA_CHECK(cudaFree(c->room[i]));
    CUDA_CHECK(cudaStreamDestroy(c->stream));
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

static void gpu_measure(void *p, int first, int n, float *moments)
{
    struct gpu *c = (struct gpu *)p;

    if (n > 0) {
        gpu_load(c, 0, c->order, first, n);
        gpu_forward(c, 1);
    }
    gpu_copy(c, moments, c->moments,
             (c->m.total - c->m.count) * sizeof *moments);
}

static void gpu_answers(void *p, int test, int first, int n, float *o)
{
    struct gpu *c = (struct gpu *)p;

    gpu_load(c, test, NULL, first, n);
    gpu_forward(c, 0);
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
                                         const struct digits *, int, int))
{
    return {.name = name,
            .group = PATH_SLOTS,
            .open = open,
            .close = gpu_close,
            .set = gpu_set,
            .get = gpu_get,
            .order = gpu_order,
            .step = gpu_step,
            .losses = gpu_losses,
            .measure = gpu_measure,
            .answers = gpu_answers};
}

static const struct path path_kernels = path_by("kernels", open_kernels);

#endif
