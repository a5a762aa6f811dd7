/* net.cuh: the network on the GPU, by the book's kernels or with a library's
   products. No float atomics: equal inputs give equal bits. */
#ifndef MNIST_NET_CUH
#define MNIST_NET_CUH

#include <cublas_v2.h>

#include "conv/conv.cuh"
#include "layers/batchnorm.cuh"
#include "layers/linear.cuh"
#include "layers/maxpool.cuh"
#include "layers/relu.cuh"
#include "layers/sgd.cuh"
#include "layers/xent.cuh"
#include "mnist/path.h"
#include "mnist/ready.cuh"

#define EPSILON 1e-5f /* as PyTorch's */

/* hold a block on the GPU */
struct gpu_block {
    int side, in, out;
    size_t weight, scale, bias; /* where they are in w and in the gradient */
    size_t mean, var;           /* where the model's statistics are in w */
    float *x;                   /* what comes in: not ours */
    float *z, *y, *dy;          /* before and after batch norm; dy is y */
    float *p, *dp;              /* after the maximum, and its gradient */
    unsigned char *which;
    float *batch_mean, *batch_var;
    float *patches; /* of x, by the library's path only */
};

/* hold a network on the GPU */
enum { LONG_PARTS = 14 }; /* in which long sums are divided */
enum room_kind { DIGITS, WEIGHTS, GRADIENTS, ACTIVATIONS, SPACE, ROOM_KINDS };

struct net {
    struct model m;
    int batch, n, library;
    size_t bytes[ROOM_KINDS]; /* the account of our memory */
    void *room[64];
    int rooms;
    unsigned char *pixels[2], *labels[2]; /* training and test digits */
    int *order, *label, counts[2];
    float *w, *g; /* m.total numbers; gradients of m.count */
    float *x, *flat, *dflat, *h, *dh, *o, *dout, *logp, *each, *loss;
    float *moments; /* of the batch: means, then variances */
    struct gpu_block block[2];
    void *norm_space, *conv_space;
    float *parts; /* of long sums */
    size_t conv_bytes;
    cudaStream_t stream;
    cublasHandle_t cublas;
};

/* make room on the GPU */
static void *room_for(struct net *net, enum room_kind kind, size_t bytes)
{
    static const char *name[] = {"the digits", "the weights", "the gradients",
                                 "the activations", "work space"};
    size_t all = 0, free_bytes = 0, total = 0;
    void *p = NULL;

    bytes += bytes == 0;
    if (cudaMalloc(&p, bytes) != cudaSuccess) {
        for (int k = 0; k < ROOM_KINDS; k++)
            all += net->bytes[k];
        cudaGetLastError();
        CUDA_CHECK(cudaMemGetInfo(&free_bytes, &total));
        fflush(stdout);
        fprintf(stderr,
                "mnist: no room on the GPU: %zu MiB more for %s; %zu MiB are "
                "taken and %zu of %zu MiB are free; try a %s smaller than "
                "%d\n",
                bytes >> 20, name[kind], all >> 20, free_bytes >> 20,
                total >> 20, net->batch > 2 ? "--batch" : "--width",
                net->batch > 2 ? net->batch : net->m.width);
        exit(1);
    }
    CHECK(net->rooms < 64, "the table of rooms is full");
    net->room[net->rooms++] = p;
    net->bytes[kind] += bytes;
    return p;
}
static float *floats(struct net *net, enum room_kind kind, size_t count)
{
    return (float *)room_for(net, kind, count * sizeof(float));
}

/* say what is wrong with the GPU */
static void gpu_or_stop(void)
{
    struct fault why;

    if (gpu_ready(&why) == 0)
        return;
    fprintf(stderr, "mnist: %s\n", why.text);
    exit(1);
}
static void check_cublas(cublasStatus_t status, const char *what)
{
    CHECK(status == CUBLAS_STATUS_SUCCESS, "%s: status %d", what, (int)status);
}

/* lay out a block on the GPU */
static void block_room(struct net *net, int which, int side, int in, int out,
                       float *x)
{
    struct gpu_block *b = &net->block[which];
    const struct model_tensor *t = net->m.tensor;
    size_t batch = (size_t)net->batch, pixels = (size_t)side * side;

    b->side = side;
    b->in = in;
    b->out = out;
    b->weight = t[3 * which].at;
    b->scale = t[3 * which + 1].at;
    b->bias = t[3 * which + 2].at;
    b->mean = t[MODEL_LEARNED + 2 * which].at;
    b->var = t[MODEL_LEARNED + 2 * which + 1].at;
    b->x = x;
    /* make room for what a block leaves behind */
    b->z = floats(net, ACTIVATIONS, batch * out * pixels);
    b->y = b->dy = floats(net, ACTIVATIONS, batch * out * pixels);
    b->p = floats(net, ACTIVATIONS, batch * out * pixels / 4);
    b->dp = floats(net, GRADIENTS, batch * out * pixels / 4);
    b->which =
        (unsigned char *)room_for(net, ACTIVATIONS, batch * out * pixels / 4);
    b->batch_mean = net->moments + (which ? net->m.c1 : 0);
    b->batch_var = b->batch_mean + net->m.c1 + net->m.c2;
    if (net->library)
        b->patches = floats(net, SPACE, batch * in * 9 * pixels);
}
/* The convolution of a block, for n pictures. */
static struct conv conv_of(const struct gpu_block *b, int n)
{
    struct conv v = {n, b->in, b->side, b->side, b->out, 3, 3, 1, 1, 1};

    return v;
}

/* open the network on the GPU */
static void digits_room(struct net *net, int which, const struct digits *d)
{
    size_t pixels = (size_t)d->count * MODEL_PIXELS;

    net->pixels[which] = (unsigned char *)room_for(net, DIGITS, pixels);
    net->labels[which] =
        (unsigned char *)room_for(net, DIGITS, (size_t)d->count);
    net->counts[which] = d->count;
    CUDA_CHECK(cudaMemcpy(net->pixels[which], d->pixels, pixels,
                          cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemcpy(net->labels[which], d->labels, (size_t)d->count,
                          cudaMemcpyHostToDevice));
}
static void head_room(struct net *net)
{
    size_t batch = (size_t)net->batch, hidden = (size_t)net->m.hidden;
    size_t flat = (size_t)49 * net->m.c2;

    net->flat = net->block[1].p;
    net->dflat = net->block[1].dp;
    if (net->library) {
        net->flat = floats(net, ACTIVATIONS, batch * flat);
        net->dflat = floats(net, GRADIENTS, batch * flat);
    }
    net->h = floats(net, ACTIVATIONS, batch * hidden);
    net->dh = floats(net, GRADIENTS, batch * hidden);
    net->o = floats(net, ACTIVATIONS, batch * MODEL_DIGITS);
    net->dout = floats(net, GRADIENTS, batch * MODEL_DIGITS);
    net->logp = floats(net, ACTIVATIONS, batch * MODEL_DIGITS);
    net->each = floats(net, ACTIVATIONS, batch);
}
static void space_room(struct net *net)
{
    int c = net->m.c2;

    net->norm_space = room_for(net, SPACE, batchnorm_space(c));
    for (int i = 0; i < 2 && !net->library; i++) {
        struct conv v = conv_of(&net->block[i], net->batch);
        size_t bytes = conv_filter_gradient_bytes(&v);

        net->conv_bytes = bytes > net->conv_bytes ? bytes : net->conv_bytes;
    }
    net->conv_space = room_for(net, SPACE, net->conv_bytes);
    net->parts = floats(
        net, SPACE,
        net->library ? 0 : (size_t)LONG_PARTS * net->batch * net->m.hidden);
}
static struct net *open_net_on_gpu(const struct model *m,
                                   const struct digits *train,
                                   const struct digits *test, int batch,
                                   int library)
{
    struct net *net = (struct net *)check_alloc(1, sizeof *net);
    size_t n = (size_t)batch, channels = (size_t)m->c1 + m->c2;

    gpu_or_stop();
    net->m = *m;
    net->batch = batch;
    net->library = library;
    CUDA_CHECK(cudaStreamCreate(&net->stream));
    /* make room for digits, weights and what goes in */
    digits_room(net, 0, train);
    digits_room(net, 1, test);
    net->order = (int *)room_for(net, DIGITS, train->count * sizeof(int));
    net->label = (int *)room_for(net, DIGITS, n * sizeof(int));
    net->w = floats(net, WEIGHTS, m->total);
    net->g = floats(net, GRADIENTS, m->count);
    net->x = floats(net, ACTIVATIONS, n * MODEL_PIXELS);
    net->moments = floats(net, ACTIVATIONS, 2 * channels);
    net->loss = floats(net, ACTIVATIONS, PATH_SLOTS);
    block_room(net, 0, MODEL_SIDE, 1, m->c1, net->x);
    block_room(net, 1, MODEL_SIDE / 2, m->c1, m->c2, net->block[0].p);
    head_room(net);
    space_room(net);
    if (library)
        check_cublas(cublasCreate(&net->cublas), "cublasCreate");
    if (library)
        check_cublas(cublasSetStream(net->cublas, net->stream),
                     "cublasSetStream");
    return net;
}
static void close_gpu(void *p)
{
    struct net *net = (struct net *)p;

    if (net->library)
        check_cublas(cublasDestroy(net->cublas), "cublasDestroy");
    for (int i = 0; i < net->rooms; i++)
        CUDA_CHECK(cudaFree(net->room[i]));
    CUDA_CHECK(cudaStreamDestroy(net->stream));
    free(net);
}

/* pick a batch out of the digits */
__global__ void pick(const unsigned char *pixels, const unsigned char *labels,
                     const int *order, int first, float *x, int *label)
{
    int i = blockIdx.x, from = order ? order[first + i] : first + i;

    for (int p = threadIdx.x; p < MODEL_PIXELS; p += blockDim.x)
        x[(size_t)i * MODEL_PIXELS + p] =
            pixels[(size_t)from * MODEL_PIXELS + p] / 255.0f;
    if (threadIdx.x == 0)
        label[i] = labels[from];
}

/* load a batch */
static void load_batch(struct net *net, int which, const int *order, int first,
                       int n)
{
    CHECK(n >= 1 && n <= net->batch && first >= 0 &&
              first + n <= net->counts[which],
          "digits %d to %d of %d, at most %d", first, first + n,
          net->counts[which], net->batch);
    net->n = n;
    pick<<<n, 256, 0, net->stream>>>(net->pixels[which], net->labels[which],
                                     order, first, net->x, net->label);
    CUDA_LAUNCH_CHECK();
}

/* multiply by kernels or by the library */
/* C = op(A) op(B) + beta C, row-major: op(A) is m x k. 'T': A is stored as
   k x m. */
static void multiply(struct net *net, char ta, char tb, int m, int n, int k,
                     const float *a, const float *b, float beta, float *c)
{
    int lda = ta == 'N' ? k : m, ldb = tb == 'N' ? n : k;
    const float one = 1;

    if (!net->library) {
        matmul_tiled(ta, tb, m, n, k, 1, a, lda, b, ldb, beta, c, n,
                     net->stream);
        return;
    }
    check_cublas(cublasSgemm(net->cublas, tb == 'N' ? CUBLAS_OP_N : CUBLAS_OP_T,
                             ta == 'N' ? CUBLAS_OP_N : CUBLAS_OP_T, n, m, k,
                             &one, b, ldb, a, lda, &beta, c, n),
                 "cublasSgemm");
}

/* write the patches out */
/* patches[(c, tap)][i] of x[c][n][side][side], i through n, h, w. */
__global__ void write_patches(int side, int pixels, const float *x,
                              float *patches)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int tap = blockIdx.y % 9, c = blockIdx.y / 9;
    int h = i / side % side + tap / 3 - 1, w = i % side + tap % 3 - 1;

    if (i >= pixels)
        return;
    x += (size_t)c * pixels + i + (tap / 3 - 1) * side + tap % 3 - 1;
    patches[(size_t)blockIdx.y * pixels + i] =
        h >= 0 && h < side && w >= 0 && w < side ? *x : 0;
}

/* add the patches up */
__global__ void add_patches(int side, int pixels, const float *patches,
                            float *dx)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, c = blockIdx.y;
    int h = i / side % side, w = i % side;
    float sum = 0;

    if (i >= pixels)
        return;
    for (int tap = 0; tap < 9; tap++) {
        int down = tap / 3 - 1, right = tap % 3 - 1;

        if (h - down >= 0 && h - down < side && w - right >= 0 &&
            w - right < side)
            sum += patches[((size_t)c * 9 + tap) * pixels + i - down * side -
                           right];
    }
    dx[(size_t)c * pixels + i] = sum;
}

/* exchange the first two dimensions */
/* y[b][a][pixels] from x[a][b][pixels]; a block for each b and a. */
__global__ void exchange(int pixels, const float *x, float *y)
{
    size_t from = ((size_t)blockIdx.y * gridDim.x + blockIdx.x) * pixels;
    size_t to = ((size_t)blockIdx.x * gridDim.y + blockIdx.y) * pixels;

    for (int i = threadIdx.x; i < pixels; i += blockDim.x)
        y[to + i] = x[from + i];
}

/* convolve by kernels or by the library */
static void conv_on_gpu(struct net *net, struct gpu_block *b)
{
    int pixels = net->n * b->side * b->side;
    struct conv v = conv_of(b, net->n);
    dim3 grid((unsigned)blocks_for((size_t)pixels, 256), 9 * b->in);

    if (!net->library) {
        launch_conv_forward(&v, b->x, net->w + b->weight, b->z, net->stream);
        return;
    }
    write_patches<<<grid, 256, 0, net->stream>>>(b->side, pixels, b->x,
                                                 b->patches);
    CUDA_LAUNCH_CHECK();
    multiply(net, 'N', 'N', b->out, pixels, 9 * b->in, net->w + b->weight,
             b->patches, 0, b->z);
}
/* From b->dy: the gradient of the weights, and dx unless that is NULL. */
static void conv_back_on_gpu(struct net *net, struct gpu_block *b, float *dx)
{
    int pixels = net->n * b->side * b->side;
    struct conv v = conv_of(b, net->n);
    float *w = net->w + b->weight, *dw = net->g + b->weight;
    dim3 grid((unsigned)blocks_for((size_t)pixels, 256), b->in);

    if (!net->library) {
        CHECK(conv_filter_gradient_bytes(&v) <= net->conv_bytes,
              "work space for %d pictures", net->n);
        launch_conv_filter_gradient(&v, b->x, b->dy, dw, net->conv_space,
                                    net->stream);
        if (dx)
            launch_conv_input_gradient(&v, b->dy, w, dx, net->stream);
        return;
    }
    multiply(net, 'N', 'T', b->out, 9 * b->in, pixels, b->dy, b->patches, 0,
             dw);
    if (!dx)
        return;
    multiply(net, 'T', 'N', 9 * b->in, pixels, b->out, w, b->dy, 0, b->patches);
    add_patches<<<grid, 256, 0, net->stream>>>(b->side, pixels, b->patches, dx);
    CUDA_LAUNCH_CHECK();
}

/* divide a long sum */
/* parts[p][m][n] = sum of x[m][k] w[n][k] over part p = blockIdx.z of k, which
   LONG_PARTS divides. Blocks of 32 x 32. */
__global__ void __launch_bounds__(1024)
    multiply_parts(int m, int n, int k, const float *x, const float *w,
                   float *parts)
{
    __shared__ float a[32][33], b[32][33];
    int i = blockIdx.y * 32 + threadIdx.y, j0 = blockIdx.x * 32;
    int first = k / LONG_PARTS * blockIdx.z, end = first + k / LONG_PARTS;
    int j = j0 + threadIdx.x, row = j0 + threadIdx.y;
    float sum = 0;

    for (int at = first; at < end; at += 32) {
        int c = at + threadIdx.x;

        a[threadIdx.y][threadIdx.x] =
            i < m && c < end ? x[(size_t)i * k + c] : 0;
        b[threadIdx.y][threadIdx.x] =
            row < n && c < end ? w[(size_t)row * k + c] : 0;
        __syncthreads();
        for (int t = 0; t < 32; t++)
            sum += a[threadIdx.y][t] * b[threadIdx.x][t];
        __syncthreads();
    }
    if (i < m && j < n)
        parts[((size_t)blockIdx.z * m + i) * n + j] = sum;
}
__global__ void add_parts(int count, int n, const float *parts,
                          const float *bias, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum;

    if (i >= count)
        return;
    sum = bias[i % n];
    for (int p = 0; p < LONG_PARTS; p++)
        sum += parts[(size_t)p * count + i];
    y[i] = sum;
}

/* launch the divided sum */
/* y[net->n][n] = x[net->n][k] w[n][k]' + bias */
static void multiply_long(struct net *net, int n, int k, const float *x,
                          const float *w, const float *bias, float *y)
{
    int m = net->n, count = m * n;
    dim3 grid((n + 31) / 32, (m + 31) / 32, LONG_PARTS), block(32, 32);

    multiply_parts<<<grid, block, 0, net->stream>>>(m, n, k, x, w, net->parts);
    CUDA_LAUNCH_CHECK();
    add_parts<<<blocks_for((size_t)count, 256), 256, 0, net->stream>>>(
        count, n, net->parts, bias, y);
    CUDA_LAUNCH_CHECK();
}

/* go forward through a block */
static void block_forward(struct net *net, struct gpu_block *b, int training)
{
    int n = net->library ? 1 : net->n;
    int pixels = b->side * b->side * (net->library ? net->n : 1);
    const float *scale = net->w + b->scale, *bias = net->w + b->bias;
    size_t outputs = (size_t)net->n * b->out * b->side * b->side / 4;

    conv_on_gpu(net, b);
    if (training)
        batchnorm_forward_run(n, b->out, pixels, EPSILON, b->z, scale, bias,
                              b->y, b->batch_mean, b->batch_var,
                              net->norm_space, net->stream);
    else
        batchnorm_apply_run(n, b->out, pixels, EPSILON, b->z, net->w + b->mean,
                            net->w + b->var, scale, bias, b->y, net->stream);
    maxpool_forward_run(net->n * b->out, b->side, b->side, b->y, b->p, b->which,
                        net->stream);
    relu_forward_run(outputs, b->p, b->p, net->stream);
}

/* go forward through a linear layer */
/* y[n][out] = x[n][in] w' + bias for fully connected tensor t. */
static void linear_on_gpu(struct net *net, int t, const float *x, float *y)
{
    const struct model_tensor *w = &net->m.tensor[t];
    int out = w->shape[0], in = w->shape[1];
    const float *bias = net->w + net->m.tensor[t + 1].at;
    size_t count = (size_t)net->n * out;

    if (t == 6 && !net->library) {
        multiply_long(net, out, in, x, net->w + w->at, bias, y);
        return;
    }
    linear_bias<<<blocks_for(count, 256), 256, 0, net->stream>>>(count, out,
                                                                 bias, y);
    CUDA_LAUNCH_CHECK();
    multiply(net, 'N', 'T', net->n, out, in, x, net->w + w->at, 1, y);
}

/* go forward through the network */
static void head_forward(struct net *net)
{
    struct gpu_block *b = &net->block[1];

    if (net->library)
        exchange<<<dim3(net->n, b->out), 64, 0, net->stream>>>(49, b->p,
                                                               net->flat);
    CUDA_LAUNCH_CHECK();
    linear_on_gpu(net, 6, net->flat, net->h);
    relu_forward_run((size_t)net->n * net->m.hidden, net->h, net->h,
                     net->stream);
    linear_on_gpu(net, 8, net->h, net->o);
}

static void forward_on_gpu(struct net *net, int training)
{
    block_forward(net, &net->block[0], training);
    block_forward(net, &net->block[1], training);
    head_forward(net);
}

/* go back through the head on the GPU */
/* From dy[n][out]: the gradients of tensor t and its bias, and dx[n][in]. */
static void linear_back_on_gpu(struct net *net, int t, const float *x,
                               const float *dy, float *dx)
{
    const struct model_tensor *w = &net->m.tensor[t];
    int out = w->shape[0], in = w->shape[1];
    dim3 block(WARP, WARP);

    multiply(net, 'T', 'N', out, in, net->n, dy, x, 0, net->g + w->at);
    linear_columns<<<(out + WARP - 1) / WARP, block, 0, net->stream>>>(
        net->n, out, dy, net->g + net->m.tensor[t + 1].at);
    CUDA_LAUNCH_CHECK();
    multiply(net, 'N', 'N', net->n, in, out, dy, net->w + w->at, 0, dx);
}

static void head_back(struct net *net)
{
    struct gpu_block *b = &net->block[1];

    xent_backward_run(net->n, MODEL_DIGITS, net->logp, net->label, net->dout,
                      net->stream);
    linear_back_on_gpu(net, 8, net->h, net->dout, net->dh);
    relu_backward_run((size_t)net->n * net->m.hidden, net->h, net->dh, net->dh,
                      net->stream);
    linear_back_on_gpu(net, 6, net->flat, net->dh, net->dflat);
    if (net->library)
        exchange<<<dim3(b->out, net->n), 64, 0, net->stream>>>(49, net->dflat,
                                                               b->dp);
    CUDA_LAUNCH_CHECK();
}

/* go back through a block on the GPU */
static void block_back(struct net *net, struct gpu_block *b, float *dx)
{
    int n = net->library ? 1 : net->n;
    int pixels = b->side * b->side * (net->library ? net->n : 1);
    size_t outputs = (size_t)net->n * b->out * b->side * b->side / 4;

    relu_backward_run(outputs, b->p, b->dp, b->dp, net->stream);
    maxpool_backward_run(net->n * b->out, b->side, b->side, b->dp, b->which,
                         b->dy, net->stream);
    batchnorm_backward_run(n, b->out, pixels, EPSILON, b->z, b->batch_mean,
                           b->batch_var, net->w + b->scale, b->dy, b->dy,
                           net->g + b->scale, net->g + b->bias, net->norm_space,
                           net->stream);
    conv_back_on_gpu(net, b, dx);
}

/* measure the loss on the GPU */
static void loss_on_gpu(struct net *net, int slot)
{
    xent_forward_run(net->n, MODEL_DIGITS, net->o, net->label, net->logp,
                     net->each, net->loss + slot, net->stream);
}

/* take a step on the GPU */
static void backward_on_gpu(struct net *net)
{
    head_back(net);
    block_back(net, &net->block[1], net->block[0].dp);
    block_back(net, &net->block[0], NULL);
}

static void forward_gpu(void *p, int first, int n)
{
    struct net *net = (struct net *)p;

    load_batch(net, 0, net->order, first, n);
    forward_on_gpu(net, 1);
}

static void step_gpu(void *p, int first, int n, float lr, int slot)
{
    struct net *net = (struct net *)p;

    forward_gpu(p, first, n);
    loss_on_gpu(net, slot);
    backward_on_gpu(net);
    sgd_run(net->m.count, lr, net->g, net->w, net->stream);
}

/* answer the trainer */
static void fetch(struct net *net, void *to, const void *from, size_t bytes)
{
    CUDA_CHECK(
        cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, net->stream));
    CUDA_CHECK(cudaStreamSynchronize(net->stream));
}

static void set_gpu(void *p, const float *w)
{
    struct net *net = (struct net *)p;

    CUDA_CHECK(cudaMemcpyAsync(net->w, w, net->m.total * sizeof *w,
                               cudaMemcpyHostToDevice, net->stream));
    CUDA_CHECK(cudaStreamSynchronize(net->stream));
}
static void get_gpu(void *p, float *w)
{
    struct net *net = (struct net *)p;

    fetch(net, w, net->w, net->m.total * sizeof *w);
}

static void order_gpu(void *p, const int *order)
{
    struct net *net = (struct net *)p;

    CUDA_CHECK(cudaMemcpyAsync(net->order, order,
                               (size_t)net->counts[0] * sizeof *order,
                               cudaMemcpyHostToDevice, net->stream));
    CUDA_CHECK(cudaStreamSynchronize(net->stream));
}
static void losses_gpu(void *p, int count, float *loss)
{
    struct net *net = (struct net *)p;

    fetch(net, loss, net->loss, (size_t)count * sizeof *loss);
}

static void moments_gpu(void *p, float *mean, float *var)
{
    struct net *net = (struct net *)p;
    size_t channels = (size_t)net->m.c1 + net->m.c2;

    fetch(net, mean, net->moments, channels * sizeof *mean);
    fetch(net, var, net->moments + channels, channels * sizeof *var);
}

static void logits_gpu(void *p, int test, int first, int n, float *logits)
{
    struct net *net = (struct net *)p;

    load_batch(net, test, NULL, first, n);
    forward_on_gpu(net, 0);
    fetch(net, logits, net->o, (size_t)n * MODEL_DIGITS * sizeof *logits);
}

/* name the two paths */
static void *open_kernels(const struct model *m, const struct digits *train,
                          const struct digits *test, int batch, int threads)
{
    (void)threads;
    return open_net_on_gpu(m, train, test, batch, 0);
}

static void *open_library(const struct model *m, const struct digits *train,
                          const struct digits *test, int batch, int threads)
{
    (void)threads;
    return open_net_on_gpu(m, train, test, batch, 1);
}

static const struct path path_kernels = {.name = "kernels",
                                         .group = PATH_SLOTS,
                                         .open = open_kernels,
                                         .close = close_gpu,
                                         .set = set_gpu,
                                         .get = get_gpu,
                                         .order = order_gpu,
                                         .step = step_gpu,
                                         .losses = losses_gpu,
                                         .forward = forward_gpu,
                                         .moments = moments_gpu,
                                         .logits = logits_gpu};
static const struct path path_library = {.name = "library",
                                         .group = PATH_SLOTS,
                                         .open = open_library,
                                         .close = close_gpu,
                                         .set = set_gpu,
                                         .get = get_gpu,
                                         .order = order_gpu,
                                         .step = step_gpu,
                                         .losses = losses_gpu,
                                         .forward = forward_gpu,
                                         .moments = moments_gpu,
                                         .logits = logits_gpu};

#endif
