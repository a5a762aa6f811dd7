/* parts.cc: chapter 3's sizes at their edges, and how its kernels are launched: its headers
   without a device, k<<<g, b>>>(x) as (launched(g, b), k)(x) (tests/kernels.t); a kernel is
   run by its last thread but for fill, which all run, and the strides. An exit comes back. */
#include <limits.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static jmp_buf back;
static int awaited; /* or else it is the end */
__attribute__((noreturn)) static void left(int status)
{
    if (!awaited)
        _Exit(status);
    longjmp(back, status + 1);
}

#define exit left
#define __global__
#define __device__
#define __host__
#define CUDA_CHECK(call) (void)(call)
#define CUDA_LAUNCH_CHECK() fprintf(stderr, "\n")
#define SAY(...) fprintf(stderr, __VA_ARGS__)

struct dim3 {
    unsigned x, y, z;
    dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
};
static dim3 threadIdx, blockIdx, blockDim, gridDim;

#include "../once.h"

static void launched(dim3 grid, dim3 block)
{
    SAY("%ux%ux%u of %ux%ux%u; ", grid.x, grid.y, grid.z, block.x, block.y, block.z);
    gridDim = grid, blockDim = block;
    blockIdx = dim3(grid.x - 1, grid.y - 1, grid.z - 1);
    threadIdx = dim3(block.x - 1, block.y - 1, block.z - 1);
}

#define cudaGetLastError() 0
static struct { size_t n; float *sets; } v; /* the benchmark's */

static int cudaMalloc(void **p, size_t bytes)
{
    SAY("malloc %zu; ", bytes);
    *p = calloc(bytes, 1);
    return 0;
}

#include "kernels/sizes.h"
#include "tour/rng.h"
#include "parts.h"

#define TRY(...)                 \
    do {                         \
        awaited = 1;             \
        if (setjmp(back) == 0) { \
            __VA_ARGS__;         \
            SAY("ok\n");         \
        }                        \
        awaited = 0;             \
    } while (0)

static void sizes(void)
{
    static const uint64_t shape[][6] = {
        {1, 1, 1, 1, 1, 1},          {2147483647, 65535, 65535, 32, 32, 1},
        {2147483648, 1, 1, 1, 1, 1}, {1, 65536, 1, 1, 1, 1}, {1, 1, 65536, 1, 1, 1},
        {0, 1, 1, 1, 1, 1}, {1, 0, 1, 1, 1, 1}, {1, 1, 0, 1, 1, 1}, {1, 1, 1, 0, 1, 1},
        {1, 1, 1, 1, 0, 1}, {1, 1, 1, 1, 1, 0}, {1, 1, 1, 1024, 1, 1}, {1, 1, 1, 1025, 1, 1},
        {1, 1, 1, 1, 1024, 1}, {1, 1, 1, 1, 1025, 1}, {1, 1, 1, 1, 1, 64}, {1, 1, 1, 1, 1, 65},
        {1, 1, 1, 4, 4, 64}, {1, 1, 1, 25, 41, 1}, {1, 1, 1, 5, 5, 41}, {1, 1, 1, 33, 32, 1}};
    static const size_t n[] = {0, 1, 31, 32, 33, 64, SIZE_MAX - 1, SIZE_MAX};

    for (int i = 0; i < 8; i++)
        for (size_t d = 1; d < 64; d += 31)
            SAY("%zu ", ceil_div(n[i], d));
    SAY("\n");
    for (const auto &s : shape) {
        const char *why = launch_refusal(s, s + 3);

        SAY("%s; ", why ? why : "fine");
    }
    SAY("\n");
    for (int b = 0; b < 1026; b += b == 1 ? 1023 : 1)
        TRY(SAY("%d ", blocks_for(5000, b)));
    TRY(SAY("%d ", blocks_for(2147483647UL * 7, 7)));
    TRY(SAY("%d ", blocks_for(2147483647UL * 7 + 1, 7)));
    TRY(SAY("%d %d %d ", blocks_for(0, 7), blocks_for(7, 7), blocks_for(8, 7)));
}

static void adds(void)
{
    static const size_t n[] = {0, 1, 255, 256, 257, 4224 * 256 - 1, 4224 * 256, 4224 * 256 + 1};
    static float x[4224 * 256 + 1], y[4224 * 256 + 1], z[4224 * 256 + 1];

    for (int v = 0; v < ADD_VARIANTS; v++)
        for (size_t k : n) {
            int set = 0;
            int wrong = 0;

            for (size_t i = 0; i < k; i++)
                x[i] = i % 100, y[i] = 3, z[i] = -1;
            SAY("%s %zu: ", add_variants[v].name, k);
            add_variants[v].launch(k, 256, x, y, z);
            for (size_t i = 0; i < k; i++)
                if (z[i] != -1) {
                    set++;
                    wrong += z[i] != x[i] + 3;
                }
            SAY("%d set, %d wrong\n", set, wrong);
        }
    launched(1, 1);
    add_grid(5, x, y, z);
    blockIdx = dim3(2), blockDim = dim3(3), threadIdx = dim3(1);
    for (int k = 6; k < 9; k++) {
        z[7] = -1;
        add_grid(k, x, y, z);
        SAY("%g ", z[7]);
    }
    SAY("\n");
    /* a grid of ints ends before the largest */
    blockDim = dim3(0);
    TRY(launch_grid(INT_MAX - 32 + 1UL, 32, x, y, z));
}

static void eighths(void)
{
    static const size_t n[] = {0, 1, 8, 9, 100};

    for (size_t k : n) {
        float x[101], y[101], z[101];
        int set = 0;

        for (int i = 0; i < 101; i++)
            x[i] = i, y[i] = 3, z[i] = -1;
        add_eighth(k, x, y, z);
        for (int i = 0; i < 101; i++)
            set += z[i] == (i % 8 == 0 && i < (int)k ? i + 3 : -1);
        SAY("%d of 101; ", set);
    }
    SAY("\n");
    for (int set = 0; set < 3; set++) {
        float x[3 * 3 * 20];
        int wrong = 0;

        for (int i = 0; i < 180; i++)
            x[i] = i;
        v.n = 20, v.sets = x;
        run_eighth(NULL, 0, set);
        for (int i = 0; i < 180; i++)
            wrong += x[i] != (i / 60 == set && i % 60 >= 40 && i % 60 % 20 % 8 == 0 ? 2 * i - 60 : i);
        SAY("%d wrong; ", wrong);
    }
    SAY("\n");
}

static void batches(void)
{
    static const int shape[][2] = {{1, 1}, {8, 32}, {9, 33}, {8 * 65535, 1}, {8 * 65535 + 1, 1}, {700000, 1}};
    static float in[700000], out[700001], bias[33];

    for (const auto &s : shape)
        for (int how = 0; how < 2; how++) {
            int set = 0, wrong = 0;
            size_t n = (size_t)s[0] * s[1];

            for (size_t i = 0; i < n; i++)
                in[i] = i, out[i] = -1;
            for (int j = 0; j < 33; j++)
                bias[j] = 1 + j;
            out[n] = -2;
            (how ? launch_by_tile : launch_by_row)(s[0], s[1], in, bias, out);
            for (size_t i = 0; i < n; i++)
                if (out[i] != -1) {
                    set++;
                    wrong += out[i] != in[i] + bias[i % s[1]];
                }
            SAY("%d set, %d wrong, %g\n", set, wrong, out[n]);
        }
    for (int b = 0; b < 5; b++)
        SAY("%d ", idle_sms(b, 3));
    SAY("\n");
}

static void fills(void)
{
    float *x;

    for (uint64_t i = 0; i < 9; i++)
        SAY("%g ", small_at(7, i));
    SAY("\n");
    for (int small = 0; small < 2; small++) {
        int wrong = 0;

        x = small ? small_floats(1000, 7) : random_floats(1000, 7);
        gridDim = dim3(3), blockDim = dim3(5);
        for (blockIdx.x = 0; blockIdx.x < 3; blockIdx.x++)
            for (threadIdx.x = 0; threadIdx.x < 5; threadIdx.x++)
                fill(1000, x, 7, small);
        for (uint64_t i = 0; i < 1004; i++)
            wrong += x[i] != (i >= 1000 ? 0 : small ? small_at(7, i) : rng_to_float(rng_at(7, i)));
        SAY("%d wrong\n", wrong);
        free(x);
    }
}

/* whose elements a thread does, where it does several */
static void strides(void)
{
    static const size_t sizes[] = {0, 1, 74, 75, 76, 200, 1000};
    static float x[1005], y[1005], z[1005];

    for (size_t n : sizes)
        SAY("%d %d %d %d; ", not_once(n, z, [&] { fill(n, z, 7, 1); }),
            not_once(n, z, [&] { add_stride(n, x, y, z); }),
            not_once(n, z, [&] { by_stride(n, z); }), not_once(n, z, [&] { by_piece(n, z); }));
    SAY("\n");
}

int main()
{
    sizes();
    adds();
    eighths();
    batches();
    fills();
    strides();
    return 0;
}
