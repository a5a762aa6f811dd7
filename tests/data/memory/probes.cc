/* probes.cc: chapter 6's probes without a device: what they launch and how often, which
   of the words that come back are looked at, and how a device is judged; each thread runs after the one before, twice,
   so that in the second turn shared memory is full and warps are added up. parts.h is made
   of the chapter's headers by tests/memory.t, with all(g, b, k)(x) for k<<<g, b>>>(x). */
#include <math.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static jmp_buf back;
static int quiet; /* while a refusal is awaited */
__attribute__((noreturn)) static void left(int status)
{
    if (quiet)
        longjmp(back, 1);
    fflush(stdout);
    _Exit(status);
}
#define exit left

#include "kernels/sizes.h"
#include "tour/check.h"
#include "tour/rng.h"

#define __global__ static
#define __device__
#define __host__
#define __shared__ static
#define __constant__ static
#define CUDA_CHECK(call) (void)(call)
#define CUDA_LAUNCH_CHECK()

enum { WARP = 32, cudaDevAttrL2CacheSize = 38 };
enum { cudaMemcpyHostToDevice = 1, cudaMemcpyDeviceToHost = 2 };
struct dim3 { unsigned x; };
struct float2 { float x, y; };
struct float4 { float x, y, z, w; };
static dim3 threadIdx, blockIdx, blockDim, gridDim;
static float4 make_float4(float x, float y, float z, float w) { return {x, y, z, w}; }
template <class V> static V __ldcg(const V *p) { return *p; }
template <class V> static V __ldcs(const V *p) { return *p; }
template <class V> static V __ldg(const V *p) { return *p; }
static void __syncthreads(void) {}
static long long ticks;
static long long clock64(void) { return ticks += 10; }
static unsigned long long global_ns(void) { return ticks += 7; }
static unsigned atomicAdd(unsigned *p, unsigned v) { return (*p += v) - v; }
static int bench_attribute(int) { return 100; }

/* the sum of a warp is known in the second turn */
static int turn;
static float sum_of[100];
static int my_lane(void) { return threadIdx.x % WARP; }
static float warp_sum(float v)
{
    float *sum = &sum_of[(blockIdx.x * blockDim.x + threadIdx.x) / WARP];

    if (turn == 0)
        *sum += v;
    return *sum;
}
template <class K> static auto all(unsigned grid, unsigned block, K kernel)
{
    return [=](auto... a) {
        if (!quiet)
            printf("%u of %u; ", grid, block);
        memset(sum_of, 0, sizeof sum_of);
        /* what has as many as 1056 strides, and two do */
        gridDim.x = grid > 100 ? 2 : grid, blockDim.x = block;
        for (turn = 0; turn < 2; turn++)
            for (blockIdx.x = 0; blockIdx.x < gridDim.x; blockIdx.x++)
                for (threadIdx.x = 0; threadIdx.x < block; threadIdx.x++)
                    kernel(a...);
    };
}

static int got(void **p, size_t bytes)
{
    *p = calloc(bytes, 1);
    if (!quiet)
        printf("%zu bytes; ", bytes);
    return 0;
}
#define cudaMalloc got
#define cudaFree(p) free(p)
static int cudaMemset(void *p, int v, size_t n)
{
    if (!quiet)
        printf("%zu of %#x; ", n, v);
    memset(p, v, n);
    return 0;
}
#define cudaMemcpyToSymbol(to, from, n) memcpy(to, from, n)

/* The copy with this number, from the device, has one word that is wrong. */
static long copies, spoil_copy, spoil_word, words_of[20];
static int spoil_all; /* its bits, as if nobody wrote it, or one of them */
static int cudaMemcpy(void *to, const void *from, size_t n, int how)
{
    memcpy(to, from, n);
    if (how == cudaMemcpyDeviceToHost) {
        unsigned all = 0; /* of what comes back, without the pointer that may be first */

        for (size_t i = 2; i < n / 4; i++)
            all = 31 * all + ((unsigned *)to)[i];
        if (!quiet)
            printf("%zu back, %u; ", n, all);
        words_of[copies] = n / 4;
        if (copies++ == spoil_copy)
            ((unsigned *)to)[spoil_word] ^= spoil_all ? ~((unsigned *)to)[spoil_word] : 1 << 27;
    }
    return 0;
}

struct stats { double median; };
static struct stats stats_of(const double *x, int n)
{
    if (!quiet)
        for (int i = 0; i < n; i++)
            printf("%g ", x[i]);
    return {x[0]};
}

/* the loads and the stores that are made several at a time */
static unsigned takes, stored;
template <int STREAM, class V> static V take(const V *p)
{
    return takes++, *p;
}
template <int STREAM, class V> static void put(V *p, V v)
{
    stored++, *p = v;
}

/* what a device says of itself, and how long loads take, for those that judge it */
struct cudaDeviceProp {
    int regsPerMultiprocessor;
    size_t sharedMemPerMultiprocessor;
    int multiProcessorCount, l2CacheSize;
    size_t totalGlobalMem;
};
static struct cudaDeviceProp device;
#define cudaGetDeviceProperties(p, d) (*(p) = device)
static double hops_of[2]; /* near, far */
static int hopped_times;
struct hopped_for { struct stats cycles; };
static struct hopped_for hopped(size_t lines, int hops, int trips)
{
    printf("%zu lines, %d hops, %d trips; ", lines, hops, trips);
    return {{hops_of[hopped_times++ % 2]}};
}
static double loads_of[3];
static void loaded(int, struct stats *t);

#include "../once.h"
#include "parts.h"

static void loaded(int, struct stats *t)
{
    t[ONE] = {loads_of[0]}, t[TOGETHER] = {loads_of[1]}, t[CHAINED] = {loads_of[2]};
}

/* What is passed, and what is refused? */
template <class F> static void judged(F judge)
{
    quiet = 1, hopped_times = 0;
    if (setjmp(back) == 0) {
        judge();
        printf("passed\n");
    } else {
        printf("refused\n");
    }
    quiet = 0;
}

static void judges(void)
{
    static const double loads[][3] = {{10, 19, 41}, {10, 20, 41}, {10, 19, 40}, {20, 39, 81}};
    static const size_t sizes[] = {0, 1, 128, 129, 256, 257, 1 << 20, (1 << 20) + 1};
    static const double fars[] = {39.9, 40, 40.1};

    for (size_t n : sizes)
        printf("%zu: %zu lines; ", n, lines_of(n));
    printf("\n");
    for (const auto &t : loads) {
        memcpy(loads_of, t, sizeof loads_of);
        judged([] { judge_loads(1); });
    }
    judged([] { judge_loads(0); });
    device = {1000, 100, 3, 1 << 13, (size_t)5 << 30};
    for (double far : fars) {
        hops_of[0] = 30, hops_of[1] = far;
        judged(judge_chase);
    }
    device = {65536, 233472, 132, 60 << 20, (size_t)140 << 30};
    judged(judge_chase);
}

/* How many of some words that come back, spread over each copy, are missed when wrong? */
template <class F> static void looked(const char *what, F check)
{
    long count, words[20], tried = 0, refused = 0;

    printf("%s: ", what);
    copies = 0, spoil_copy = -1;
    check();
    count = copies, quiet = 1;
    memcpy(words, words_of, sizeof words);
    for (spoil_copy = 0; spoil_copy < count; spoil_copy++)
        for (long w = 0; w < words[spoil_copy]; w++) {
            long step = words[spoil_copy] / 64 + 1;

            if (w % step && w != words[spoil_copy] - 1 && w > 3 && w % 1024 != 64)
                continue;
            spoil_word = w;
            for (spoil_all = 0; spoil_all < 2; spoil_all++) {
                tried++, copies = 0;
                if (setjmp(back) == 0)
                    check();
                else
                    refused++;
            }
        }
    quiet = 0;
    printf("\n%ld copies, %ld of %ld wrong words are seen\n", count, refused, tried);
}

static void rungs(void)
{
    static const char *const names[] = {"registers", "shared", "l1", "l2", "memory"};

    for (const char *name : names)
        for (int every = 1; every < 3; every++)
            looked(name, [=] {
                struct rung r = {name, 3, 64, 61, 127, NULL, NULL, 7};

                r.d_x = small_floats(3 * 4 * (size_t)(r.mask + 1), 7);
                CUDA_CHECK(cudaMalloc((void **)&r.d_sums, 6 * sizeof(float)));
                check_rung(&r, every);
                cudaFree(r.d_x);
                cudaFree(r.d_sums);
            });
}

static void counters(void)
{
    for (int k = 0; k < 4; k++)
        looked("digits", [=] {
            struct digits d = digits_new(2, 3, k / 2, 7);

            check_digits(&d, k % 2);
            cudaFree(d.x);
            cudaFree(d.counts);
        });
    for (int k = 0; k < 4; k++)
        looked("look up", [=] {
            struct tables t = tables_new(2, 30, 7);

            t.constant = k / 2, t.spread = k % 2 * 33;
            check_look_up(&t);
            tables_free(&t);
        });
}

/* what many sums begin with */
static void many(void)
{
    float y[8];

    for (int turns = 0; turns < 3; turns++) {
        all(2, 4, keep_many)(turns, 0.5f, y);
        for (int i = 0; i < 8; i++)
            printf("%g ", y[i]);
    }
    printf("\n");
}

static void strides(void)
{
    static struct line x[205];
    static unsigned words[205];
    int wrong = 0;

    for (size_t n = 1; n <= 200; n++) {
        unsigned lost = 0;

        wrong += not_once(n, x, [&] { link_lines(n, x); }) +
                 not_once(n, words, [&] { fill_words(n, 1, words, 7); });
        for (size_t i = 0; i < n; i++)
            x[i].next = i % 3 ? x : NULL;
        for (blockIdx.x = 0; blockIdx.x < gridDim.x; blockIdx.x++)
            for (threadIdx.x = 0; threadIdx.x < blockDim.x; threadIdx.x++)
                touch_lines(n, x, &lost);
        wrong += lost != (n + 2) / 3;
    }
    printf("%d are wrong\n", wrong);
}

static void copy(void)
{
    static const size_t size[] = {0, 1, 4, 79, 80, 81, 84, 160, 1199, 1200};
    alignas(16) static float x[1210], y[1210];
    int wrong = 0;

    for (int i = 0; i < 1210; i++)
        x[i] = i;
    for (size_t n : size) {
        takes = stored = 0;
        wrong += not_once(n, y, [&] { copy_words<float4, 4, 3>(n, (float4 *)x, (float4 *)y); });
        printf("%zu: %u %u; ", n, takes, stored);
        takes = stored = 0;
        n /= 4;
        wrong += not_once(n, y, [&] { copy_words<float, 4, 0>(n, x, y); });
        printf("%u %u; ", takes, stored);
    }
    printf("%d are wrong\n", wrong);
}

int main(void)
{
    rungs();
    for (int stride = 0; stride < 4; stride += 3) {
        looked("4 bytes", [=] { printf("%g; " + 4 * quiet, run_banks<float>(stride, 2, 5, 7)); });
        looked("8 bytes", [=] { printf("%g; " + 4 * quiet, run_banks<float2>(stride, 2, 5, 7)); });
        looked("16 bytes", [=] { printf("%g; " + 4 * quiet, run_banks<float4>(stride, 3, 5, 7)); });
    }
    looked("chase", [] { chase(8, 5, 3); });
    looked("far chase", [] { chase(1 << 14, 5, 2); });
    looked("shared", [] { printf("%g; " + 4 * quiet, chase_in_shared(100)); });
    looked("loads", [] { struct stats s[TIMES]; run_loads(3, s); });
    counters();
    many();
    strides();
    copy();
    judges();
    return 0;
}
