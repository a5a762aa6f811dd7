/* parts.cc: which kernel chapter 16 chooses for a shape, in which grid and with how much
   room. parts.h is made of its headers by tests/conv.t, without a device and with
   k<<<g, b>>>(x) as (launched(g, b), k)(x); a kernel here says its name. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conv/shapes.h"
#include "kernels/sizes.h"

#define __device__
#define __host__
#define __global__
#define __shared__
#define __align__(n) __attribute__((aligned(n)))
#define __launch_bounds__(n)
#define CUDA_CHECK(call) (void)(call)
#define CUDA_LAUNCH_CHECK()
typedef int cudaStream_t;
struct alignas(16) float4 { float x, y, z, w; };

struct dim3 {
    unsigned x, y;
    dim3(unsigned x = 1, unsigned y = 1) : x(x), y(y) {}
};

/* A kernel runs thread by thread: its sums are wrong, its addresses are not. What it shares
   is on the stack, where the sanitizer sees its end. */
static dim3 threadIdx, blockIdx, blockDim, gridDim;
static void __syncthreads(void) {}
static void __pipeline_commit(void) {}
static void __pipeline_wait_prior(int) {}
static void __pipeline_memcpy_async(void *to, const void *from, size_t bytes)
{
    memcpy(to, from, bytes);
}
static void atomicAdd(float *to, float x)
{
    *to += x;
}

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
static const kernel gather_direct{"direct"}, convolve_tile{"tiled"},
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
static const struct one_kernel {
    void operator()(struct gather, const float *, const float *, float *, int by_four) const;
} gather_one;
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

void one_kernel::operator()(struct gather, const float *, const float *, float *, int by_four) const
{
    printf("%d one; ", by_four);
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

/* Arrays of their exact size, so that the sanitizer sees their ends. */
static void near(const char *what, int at, int i, float got, float want)
{
    if (got != want)
        printf("%s %d, %d: %g, not %g\n", what, at, i, got, want);
}
static float *floats(int count)
{
    float *f = (float *)malloc(count * sizeof *f);

    for (int i = 0; i < count; i++)
        f[i] = i + 1;
    return f;
}

/* What lies at (row, col) of plane c of an image of v. */
static float lies(const struct conv &v, const float *in, int c, int row, int col)
{
    int exists = c < v.c && row >= 0 && row < v.h && col >= 0 && col < v.w;

    return exists ? in[(c * v.h + row) * v.w + col] : 0;
}

/* Nine taps and a window from everywhere, eight terms of every place. */
static void loads(const struct conv &v)
{
    int places = conv_out_h(&v) * conv_out_w(&v), taps = v.r * v.s;
    float *in = floats(v.c * v.h * v.w), *next = floats(9), *eight = floats(8);
    float *window = floats(18);
    unsigned exist;

    for (int top = -4; top <= v.h + 1; top++)
        for (int left = -7; left <= v.w + 1; left++) {
            load_nine(in + top * v.w + left, v.w, nine_exist(top, left, v.h, v.w), next);
            exist = 0;
            load_window(in, v.h, v.w, top, left, (float(*)[6])window);
            for (int i = 0; i < 18; i++) {
                near("window", left, i, window[i], lies(v, in, 0, top + i / 6, left + i % 6));
                if (i >= 9)
                    continue;
                near("nine", left, i, next[i], lies(v, in, 0, top + i / 3, left + i % 3));
                exist |= (next[i] != 0) << i;
            }
            near("exist", top, left, nine_exist(top, left, v.h, v.w), exist);
        }
    for (int at = 0; at <= places; at++)
        for (int term = 0; term < v.c * taps; term += 8) {
            struct place x = {in, at / conv_out_w(&v), at % conv_out_w(&v), at < places};

            load_eight(gather_forward(&v), x, term, eight);
            for (int t = term; t < term + 8; t++)
                near("eight", at, t, eight[t - term],
                     at < places ? lies(v, in, t / taps, x.p * v.stride + t % taps / v.s * v.dilation - v.pad,
                                        x.q * v.stride + t % v.s * v.dilation - v.pad) : 0);
        }
    free(in), free(next), free(eight), free(window);
}

/* Four places of a row, their products, and the sums of a lane. */
static void sums(int Q)
{
    float *row = floats(Q), *d = floats(16), *in = floats(18), *sum = floats(36);
    float *lanes = floats(36 * 33);

    for (int q = 0; q <= Q; q += 4)
        for (int by_four = 0; by_four <= (Q % 4 == 0); by_four++) {
            load_places(row, q, Q, by_four, d + 12);
            for (int j = 0; j < 4; j++)
                near("places", q, j, d[12 + j], q + j < Q ? row[q + j] : 0);
        }
    add_places((float(*)[4])d, (float(*)[6])in, (float(*)[9])sum);
    for (int i = 0; i < 36; i++) {
        float all = i + 1;

        for (int j = 0; j < 4; j++)
            all += d[i / 9 * 4 + j] * in[i % 9 / 3 * 6 + i % 3 + j];
        near("sum", Q, i, sum[i], all);
    }
    for (int lane = 0; lane < 32; lane++)
        spread_sums((float(*)[9])sum, (float(*)[33])lanes, lane);
    for (int i = 0; i < 36 * 33; i++)
        near("lanes", Q, i, lanes[i], i % 33 < 32 ? sum[i / 33] : i + 1);
    free(row), free(d), free(in), free(sum), free(lanes);
}

/* All threads of the blocks of a plan, over arrays of their exact size: x, dy, the shared
   rows and what is kept. */
static void tile(const struct conv &v, int splits)
{
    struct filter_plan f = filter_plan(&v);
    float *x = floats(conv_x(&v)), *dy = floats(conv_y(&v)), *to;

    f.kind = FILTER_TILE, f.splits = splits;
    f.sums = ceil_div(v.k, TILE_K) * f.tiles_c * TILE_ALL, to = floats(f.sums * splits);
    for (blockIdx.y = 0; (int)blockIdx.y < splits; blockIdx.y++)
        for (blockIdx.x = 0; blockIdx.x < f.sums / TILE_ALL; blockIdx.x++)
            for (threadIdx.x = 0; threadIdx.x < 256; threadIdx.x++)
                sum_tile<0>(v, f, x, dy, to);
    free(x), free(dy), free(to);
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
    loads({1, 2, 4, 5, 1, 3, 3, 1, 1, 1});
    loads({1, 3, 7, 6, 1, 2, 3, 2, 1, 2});
    sums(7), sums(8);
    tile({1, 33, 4, 34, 65, 3, 3, 1, 1, 1}, 2), tile({2, 3, 3, 5, 4, 3, 3, 1, 1, 1}, 1);
    return 0;
}
