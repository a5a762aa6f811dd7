/* library.cuh: the products of step.cuh by cuBLAS, the convolutions by im2col. */
#ifndef MNIST_LIBRARY_CUH
#define MNIST_LIBRARY_CUH

#include "conv/im2col.cuh"
#include "matmul/library.cuh"
#include "mnist/step.cuh"

/* hold what the library needs */
/* For a batch whose n pictures of a channel lie side by side: [channel][n]. */
struct library {
    cublasHandle_t cublas;
    float *patches[2]; /* of each block: [in][9][n][side][side] */
    float *turned;     /* [out][n][side][side] */
};

static void library_multiply(struct gpu *c, char tx, char ty, int m, int n,
                             int k, const float *x, const float *y, float beta,
                             float *z)
{
    struct library *l = (struct library *)c->own;

    matmul_library(l->cublas, tx, ty, m, n, k, 1, x, tx == 'N' ? k : m, y,
                   ty == 'N' ? n : k, beta, z, n, c->stream);
}

/* add the patches up */
/* dx[n][in][side][side]: each pixel gathers its nine. */
__global__ void add_patches(int side, int in, int pixels, const float *patches,
                            float *dx)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, ch = blockIdx.y;
    int h = i / side % side, w = i % side, plane = side * side;
    float sum = 0;

    if (i >= pixels)
        return;
    for (int tap = 0; tap < 9; tap++) {
        int down = tap / 3 - 1, right = tap % 3 - 1;

        if (h - down >= 0 && h - down < side && w - right >= 0 &&
            w - right < side)
            sum += patches[((size_t)ch * 9 + tap) * pixels + i - down * side -
                           right];
    }
    dx[((size_t)(i / plane) * in + ch) * plane + i % plane] = sum;
}

/* convolve by the library */
static void library_convolve(struct gpu *c, struct gpu_block *b)
{
    struct library *l = (struct library *)c->own;
    struct conv v = conv_of(b, c->n);
    float *patches = l->patches[b - c->block];
    int plane = b->side * b->side, pixels = c->n * plane;

    write_columns<<<1056, 256, 0, c->stream>>>(gather_forward(&v), b->x,
                                               patches);
    CUDA_LAUNCH_CHECK();
    library_multiply(c, 'N', 'N', b->out, pixels, 9 * b->in,
                     c->w + c->m.tensor[b->weight].at, patches, 0, l->turned);
    order_images<<<1056, 256, 0, c->stream>>>(c->n, b->out, plane, l->turned,
                                              b->z);
    CUDA_LAUNCH_CHECK();
}

/* go back by the library */
static void library_filters(struct gpu *c, struct gpu_block *b)
{
    struct library *l = (struct library *)c->own;
    int plane = b->side * b->side, pixels = c->n * plane;

    order_images<<<1056, 256, 0, c->stream>>>(b->out, c->n, plane, b->dz,
                                              l->turned);
    CUDA_LAUNCH_CHECK();
    library_multiply(c, 'N', 'T', b->out, 9 * b->in, pixels, l->turned,
                     l->patches[b - c->block], 0,
                     c->g + c->m.tensor[b->weight].at);
}

static void library_convolve_back(struct gpu *c, struct gpu_block *b)
{
    struct library *l = (struct library *)c->own;
    int pixels = c->n * b->side * b->side;
    dim3 grid(blocks_for((size_t)pixels, 256), b->in);

    library_multiply(c, 'T', 'N', 9 * b->in, pixels, b->out,
                     c->w + c->m.tensor[b->weight].at, l->turned, 0,
                     l->patches[b - c->block]);
    add_patches<<<grid, 256, 0, c->stream>>>(b->side, b->in, pixels,
                                             l->patches[b - c->block], b->dx);
    CUDA_LAUNCH_CHECK();
}

static void library_open(struct gpu *c)
{
    struct library *l = (struct library *)check_alloc(1, sizeof *l);
    size_t most = (size_t)c->batch * c->m.c1 * DIGIT_PIXELS; /* block 1's */

    c->own = l;
    CUBLAS_CHECK(cublasCreate(&l->cublas));
    l->turned = floats(c, SPACE, most);
    for (int i = 0; i < 2; i++) {
        const struct gpu_block *b = &c->block[i];

        l->patches[i] =
            floats(c, SPACE, (size_t)c->batch * b->in * 9 * b->side * b->side);
    }
}

static void library_close(struct gpu *c)
{
    struct library *l = (struct library *)c->own;

    CUBLAS_CHECK(cublasDestroy(l->cublas));
    free(l);
}

static const struct products by_library = {.open = library_open,
                                           .close = library_close,
                                           .convolve = library_convolve,
                                           .filters = library_filters,
                                           .convolve_back =
                                               library_convolve_back,
                                           .multiply = library_multiply};

/* name the path of the library */
static void *open_library(const struct model *m, const struct digits *train,
                          const struct digits *test, int batch, int)
{
    return gpu_open(&by_library, m, train, test, batch);
}

static const struct path path_library = path_by("library", open_library);

#endif
