/* parts.cc: which kernel chapter 16 chooses for a shape, in which grid and with how much
   room. parts.h is made of its headers by tests/conv.t, without a device and with
   k<<<g, b>>>(x) as (launched(g, b), k)(x); a kernel here says its name. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "conv/shapes.h"
#include "kernels/sizes.h"

#define __device__
#define __host__
#define CUDA_CHECK(call) (void)(call)
#define CUDA_LAUNCH_CHECK()
typedef int cudaStream_t;

struct dim3 {
    unsigned x, y;
    dim3(unsigned x = 1, unsigned y = 1) : x(x), y(y) {}
};

static void launched(dim3 grid, dim3 block, size_t bytes = 0, int = 0)
{
    printf("%ux%u of %ux%u", grid.x, grid.y, block.x, block.y);
    if (bytes)
        printf(" %zu bytes", bytes);
    printf(" ");
}

struct kernel {
    const char *name;
    template <class... A> void operator()(A...) const { printf("%s; ", name); }
};
static const kernel gather_direct{"direct"}, gather_one{"one"}, convolve_tile{"tiled"},
    write_columns{"columns"}, order_images{"order"}, filter_direct{"filter_direct"},
    filter_add{"add"};
template <int ATOMIC> const kernel filter_tile{"filter_tile"};
template <int ATOMIC> const kernel filter_nine{"filter_nine"};
template <int TAPS, int TALL, int WIDE, int M, int N> struct tile_sizes {
    enum { threads = TALL / M * (WIDE / N) };
    static void say() { printf("tile<%d, %d, %d, %d, %d>; ", TAPS, TALL, WIDE, M, N); }
};
template <class T> struct tile_kernel {
    void operator()(struct gather, const float *, const float *, float *, int by_four) const;
};
template <class T> const tile_kernel<T> gather_tile{};
static void matmul_tiled(char ta, char tb, int m, int n, int k, float alpha, const float *a, int lda,
                         const float *b, int ldb, float beta, float *c, int ldc, cudaStream_t)
{
    printf("%c%c %dx%dx%d %g, %d %d, %g, %d, %td; ", ta, tb, m, n, k, alpha, lda, ldb, beta, ldc, c - b);
}

struct gather;
#include "parts.h"

template <class T>
void tile_kernel<T>::operator()(struct gather, const float *, const float *, float *, int by_four) const
{
    printf("%d ", by_four);
    T::say();
}

static float room[4];

static void shape(const struct conv &v)
{
    struct filter_plan f = filter_plan(&v), d = filter_plan_direct(&v);
    struct gather in = gather_forward(&v), out = gather_input_gradient(&v);
    float *y = (float *)(((uintptr_t)room + 15) / 16 * 16);

    printf("%d %d %d %d, %d %d %d, %d %d %d: ", v.n, v.c, v.h, v.w, v.k, v.r, v.s, v.stride, v.pad, v.dilation);
    printf("plan %d %d %zu %d %d %d, %d %zu; %zu and %zu bytes; ", f.kind, f.splits, f.sums, f.P, f.Q, f.tiles_c,
           d.splits, d.sums, conv_filter_gradient_bytes(&v), conv_im2col_bytes(&v));
    launch_conv_forward(&v, y, y, y, 0);
    launch_conv_input_gradient(&v, y, y, y + 1, 0);
    launch_conv_filter_gradient(&v, y, y, y, y, 0);
    launch_filter<0>(&v, d, y, y, y, 0);
    launch_direct(in, y, y, y, 0);
    launch_tiled(&v, y, y, y, 0);
    launch_im2col(&v, y, y, y, y, 0);
    launch_tile<0, 64, 128, 8, 8>(out, y, y, y, 0);
    printf("\n");
}

int main(void)
{
    static const struct conv more[] = {
        {1, 1, 8, 8, 7, 3, 3, 1, 1, 1},      {1, 2, 8, 8, 7, 3, 3, 1, 1, 1},
        {1, 2, 8, 8, 8, 3, 3, 1, 1, 1},      {1, 2, 8, 8, 8, 3, 3, 2, 1, 1},
        {1, 2, 8, 8, 32, 3, 3, 1, 1, 1},     {1, 2, 8, 8, 33, 3, 3, 1, 1, 1},
        {1, 2, 176, 192, 32, 3, 3, 1, 1, 1}, {1, 2, 175, 192, 32, 3, 3, 1, 1, 1},
        {1, 2, 176, 192, 33, 3, 3, 1, 1, 1}, {1, 2, 175, 192, 64, 3, 3, 1, 1, 1},
        {1, 2, 88, 192, 65, 3, 3, 1, 1, 1},  {1, 2, 87, 192, 65, 3, 3, 1, 1, 1},
        {2, 2, 132, 6, 8, 3, 3, 1, 1, 1},    {2, 2, 133, 6, 8, 3, 3, 1, 1, 1},
        {1, 3, 9, 9, 4, 3, 2, 1, 1, 1},      {1, 3, 9, 9, 4, 2, 3, 1, 1, 1},
        {1, 3, 9, 9, 4, 3, 3, 1, 1, 2},      {1, 32, 9, 9, 32, 3, 3, 1, 1, 1},
        {1, 16, 9, 9, 64, 3, 3, 1, 1, 1},    {1, 15, 9, 9, 64, 3, 3, 1, 1, 1},
        {1, 33, 9, 9, 65, 3, 3, 1, 1, 1},    {1, 1, 100, 100, 1, 30, 30, 3, 1, 1},
        {1, 1, 130, 130, 1, 96, 96, 1, 1, 1},  {1, 1, 130, 130, 1, 78, 79, 1, 1, 1},
        {1, 1, 130, 130, 1, 64, 96, 1, 1, 1},  {1, 1, 130, 130, 1, 110, 111, 1, 1, 1},
        {1, 1, 40, 40, 3, 5, 7, 2, 1, 3}};

    for (int i = 0; i < CONV_SHAPES; i++)
        shape(conv_shapes[i]);
    for (const auto &v : more)
        shape(v);
    return 0;
}
