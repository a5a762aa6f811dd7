/* parts.cc: what chapter 21's layers launch for a shape, and how batch norm walks over its
   numbers; without a device. parts.h is made of the chapter's headers by tests/layers.t,
   which turns k<<<g, b>>>(x) into (launched(g, b), k)(x); a kernel here says its name. */
#include <type_traits>

#include "kernels/sizes.h"
#include "layers/reference_d.h"

#define __device__
#define CUDA_LAUNCH_CHECK() printf("; ")
typedef int cudaStream_t;
struct float4 { float x, y, z, w; };
struct float2 { float x, y; };
struct dim3 {
    unsigned x, y;
    dim3(unsigned x = 1, unsigned y = 1) : x(x), y(y) {}
};
static struct { unsigned x, y; } threadIdx, blockIdx, blockDim, gridDim;
enum { WARP = 32 };

static void launched(dim3 grid, dim3 block, size_t bytes, cudaStream_t stream)
{
    printf("%ux%u %ux%u %zu %d ", grid.x, grid.y, block.x, block.y, bytes, stream);
}
template <class T> static void told(T v)
{
    if constexpr (std::is_pointer_v<T>)
        printf("%s", v ? sizeof *v == 16 ? "v" : "f" : "-");
    else
        printf("%.12g ", (double)v);
}
struct kernel {
    const char *name;
    template <class... A> void operator()(A... a) const
    {
        printf("%s ", name);
        (told(a), ...);
    }
};
#define KERNEL(name) static const kernel name{#name}
KERNEL(norm_moments);
KERNEL(norm_apply);
KERNEL(norm_sums);
KERNEL(norm_slope);
KERNEL(relu_each);
KERNEL(relu_slope);
KERNEL(linear_bias);
KERNEL(linear_columns);
KERNEL(sgd_each);
KERNEL(log_softmax_rows);
KERNEL(xent_mean);
KERNEL(xent_slope);
template <int PAIRS> static const kernel maxpool_each{PAIRS ? "maxpool_each by 2" : "maxpool_each"};
template <int PAIRS> static const kernel maxpool_slope{PAIRS ? "maxpool_slope by 2" : "maxpool_slope"};
static void matmul_tiled(char ta, char tb, int m, int n, int k, float alpha, const float *, int lda, const float *,
                         int ldb, float beta, float *, int ldc, cudaStream_t stream)
{
    printf("%c%c %dx%dx%d %g, %d %d, %g, %d, %d; ", ta, tb, m, n, k, alpha, lda, ldb, beta, ldc, stream);
}

#include "parts.h"

alignas(16) static float room[8];

/* n numbers, from a place at a multiple of 16 bytes on and from one that is off. */
static void numbers(size_t n, int off)
{
    relu_forward_run(n, room + off, room, 1);
    relu_forward_run(n, room, room + off, 1);
    relu_backward_run(n, room + off, room, room, 2);
    if (n == 1024) {
        relu_backward_run(n, room, room + off, room, 2);
        relu_backward_run(n, room, room, room + off, 2);
    }
    sgd_run(n, 0.5f, room, room + off, 3);
    printf("\n");
}

static void pools(int planes, int h, int w, int off)
{
    unsigned char which[1];

    REFUSED(maxpool_forward_run(planes, h, w, room + off, room, which, 4));
    REFUSED(maxpool_backward_run(planes, h, w, room, which, room + off, 5));
}

static void norms(int n, int c, int hw, int off)
{
    float *x = room + off, *s = room;

    REFUSED(batchnorm_forward_run(n, c, hw, 0.25f, x, s, s, room, s, s, room, 6));
    REFUSED(batchnorm_apply_run(n, c, hw, 0.25f, room, s, s, s, s, x, 7));
    REFUSED(batchnorm_backward_run(n, c, hw, 0.25f, x, s, s, s, room, room, s, s, room, 8));
    REFUSED(batchnorm_backward_run(n, c, hw, 0.25f, room, s, s, s, room, x, s, s, room, 8));
    printf("%zu\n", batchnorm_space(c));
}

/* Is each of n x hv numbers of a channel met once? */
static int walked(int n, int hv)
{
    static unsigned char met[4096];
    int wrong = 0;

    memset(met, 0, sizeof met);
    blockIdx.y = 2;
    for (blockIdx.x = 0; blockIdx.x < gridDim.x; blockIdx.x++)
        for (threadIdx.x = 0; threadIdx.x < blockDim.x; threadIdx.x++)
            for (struct norm_walk w = norm_walk_from(hv); w.image < n; norm_walk_on(&w, hv)) {
                size_t at = norm_walk_at(&w, w.image, 3, hv);

                if (at != (size_t)(w.image * 3 + 2) * hv + w.place || w.place < 0 || w.place >= hv ||
                    w.image < 0 || met[w.image * hv + w.place]++)
                    return 1;
            }
    for (int i = 0; i < n * hv; i++)
        wrong += !met[i];
    return wrong != 0;
}

/* The way back through a log-softmax is the slope of the sum of y dy, here by differences. */
static void log_softmax_slopes(void)
{
    double x[12], y[12], dy[12], dx[13], h = 1e-5;
    int wrong = 0;

    for (int rows = 1; rows < 4; rows++)
        for (int cols = 1; cols < 5; cols++) {
            for (int i = 0; i < rows * cols; i++)
                x[i] = i * i % 5, dy[i] = 1 + i % 3, dx[i] = NAN;
            dx[rows * cols] = 7;
            log_softmax_forward_d(rows, cols, x, y);
            log_softmax_backward_d(rows, cols, y, dy, dx);
            for (int i = 0; i < rows * cols; i++) {
                double slope = 0;

                for (int side = -1; side < 2; side += 2) {
                    x[i] += side * h;
                    log_softmax_forward_d(rows, cols, x, y);
                    for (int k = 0; k < rows * cols; k++)
                        slope += side * dy[k] * y[k] / (2 * h);
                    x[i] -= side * h;
                }
                wrong += !(fabs(dx[i] - slope) < 1e-8);
            }
            wrong += dx[rows * cols] != 7;
        }
    printf("%d slopes of log-probabilities wrong\n", wrong);
}

int main(void)
{
    static const size_t n[] = {0, 1, 4, 255, 256, 257, 1020, 1024, 1028};
    int wrong = 0;

    for (int i = 0; i < 9; i++)
        for (int off = 0; off < 4; off += 3)
            numbers(n[i], off);
    for (int side = 0; side < 24; side += side < 3 ? 1 : 10)
        for (int off = 0; off < 3; off++)
            pools(3, side + off % 2, side, off);
    for (int w = 16; w < 18; w++)
        pools(1, 32, w, 0), pools(2, 16, w, 1), pools(257, 2, w - 14, 0), pools(257, 1, w - 15, 0);
    pools(11, 38002, 41098, 0), pools(16777215, 32, 32, 0); /* 2^32 - 257 windows, and one more */
    printf("\n");
    norms(0, 3, 4, 0), norms(3, 0, 4, 0), norms(3, 4, 0, 0), norms(1, 65535, 1, 0), norms(1, 65536, 1, 0);
    norms(256, 33, 36, 0), norms(256, 33, 36, 3), norms(257, 33, 1, 0);
    for (int c = 1; c < 4096; c = 3 * c + 1)
        for (int n = 1; n < 260; n += n < 3 ? 1 : n < 255 ? 126 : 1)
            for (int hv = 1; hv < 260; hv *= 4)
                printf("%u ", norm_grid(n, c, hv).x);
    for (int batch = 0; batch < 258; batch += batch < 3 ? 1 : 127)
        for (int out = 0; out < 3; out++) {
            linear_forward_run(batch, 5, 32 * out + out % 2, room, room, room, room, 9);
            linear_backward_run(batch, 5, 32 * out + out % 2, room, room, room, out ? room : NULL, room, room, 9);
        }
    printf("\n");
    linear_forward_run(1, 7, 256, room, room, room, room, 9);
    linear_forward_run(1, 7, 257, room, room, room, room, 9);
    for (int rows = 0; rows < 6; rows++) {
        log_softmax_forward_run(rows, rows % 3, room, room, 10);
        REFUSED(xent_forward_run(rows, rows % 4, room, (int *)room, room, room, room, 11));
        xent_backward_run(32 * rows, 4, room, (int *)room, room, 12);
        xent_backward_run(1, 32 * rows + 1, room, (int *)room, room, 12);
    }
    printf("\n");
    for (gridDim.x = 1; gridDim.x < 5; gridDim.x++)
        for (blockDim.x = 1; blockDim.x < 4; blockDim.x++)
            for (int hv = 1; hv < 30; hv++)
                for (int images = 0; images < 5; images++)
                    wrong += walked(images, hv);
    printf("%d walks wrong\n", wrong);
    log_softmax_slopes();
    return 0;
}
