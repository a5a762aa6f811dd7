/* parts.cc: how chapter 10 launches its kernels, the room it makes, the heights of its
   trees, and how it judges rates. parts.h is made of the chapter's headers by tests/reduce.t, which turns
   k<<<g, b>>>(x) into (launched(g, b), k)(x); a kernel here says what it is given. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "kernels/sizes.h"
#include "reduce/bound.h"
#include "reduce/orders.h"
#include "tour/check.h"
#include "tour/rng.h"

#define WARP 32
#define __device__
#define CUDA_CHECK(call) (void)(call)
#define CUDA_LAUNCH_CHECK()

alignas(4096) static char base[1 << 16]; /* what arrays point into */
static int room;           /* shared memory */

struct scan_job;
static void show(const struct scan_job &);
static void show(const void *p)
{
    intptr_t at = (intptr_t)p - (intptr_t)base; /* some point before it */

    if (at >= -4096 && at < (intptr_t)sizeof base)
        printf("@%d ", (int)at);
    else
        printf(p ? "p " : "0 ");
}
static void show(long long v)
{
    printf("%lld ", v);
}
static void show(int v) { show((long long)v); }
static void show(unsigned v) { show((long long)v); }
static void show(size_t v) { show((long long)v); }

struct kernel {
    const char *name;
    template <class... A> void operator()(A... a) const
    {
        printf("%s ", name);
        (void)(int[]){(show(a), 0)...};
        printf("\n");
    }
    operator const void *() const { return name; }
};

static const kernel sum_once{"sum_once"}, sum_atomic{"sum_atomic"}, sum_wide{"sum_wide"},
    sum_shuffle{"sum_shuffle"}, sum_tree{"sum_tree"}, row_moments{"row_moments"},
    softmax_three{"softmax_three"}, softmax_online{"softmax_online"},
    softmax_four{"softmax_four"}, softmax_held{"softmax_held"};
template <int E> const kernel scan_back{E ? "scan_back<1>" : "scan_back<0>"};
template <int E> const kernel scan_rounds{E ? "scan_rounds<1>" : "scan_rounds<0>"};

template <class G, class T> static void launched(G grid, T block)
{
    printf("%lldx%lld ", (long long)grid, (long long)block);
}

static size_t apart, next; /* how far arrays lie apart, if two are in use */
static int cudaMalloc(void **p, size_t bytes)
{
    printf("malloc %zu\n", bytes);
    *p = base + 16384 + next;
    next += apart;
    memset(*p, 0xff, bytes);
    return 0;
}
#define cudaFree(p) 0
#define cudaMemset(p, v, n) memset(p, v, n)
#define cudaMemcpy(to, from, n, how) memcpy(to, from, n)
#define cudaMemsetAsync(p, v, n, s) memset(p, v, n)
enum cudaDeviceAttr { cudaDevAttrMaxSharedMemoryPerBlockOptin };
enum { cudaFuncAttributeMaxDynamicSharedMemorySize };
#define cudaGetDevice(d) 0
#define cudaDeviceGetAttribute(v, which, device) (*(v) = room)
template <class K> static int cudaFuncSetAttribute(K k, int, int bytes)
{
    printf("%s may have %d bytes\n", k.name, bytes);
    return 0;
}
static unsigned blocks_that_fit(const void *k, int threads, size_t bytes, unsigned most)
{
    printf("%s: %d threads, %zu bytes, %u blocks?\n", (const char *)k, threads, bytes, most);
    return most - 8;
}
static int cudaLaunchCooperativeKernel(const void *k, unsigned grid, unsigned block, void **args,
                                       size_t bytes, int)
{
    printf("%ux%u, %zu bytes, %s ", grid, block, bytes, (const char *)k);
    show(*(const struct scan_job *)args[0]);
    show(*(void **)args[1]);
    printf("\n");
    return 0;
}

/* vectors, and which of the loads of a thread are on their way together: the fourth
   without an addition since the first */
struct float4 { float x, y, z, w; };
static struct { unsigned x; } threadIdx, blockIdx, blockDim = {4}, gridDim = {3};
static unsigned loads, fourths, together;
static float last;
static const float *added;
static float4 __ldcs(const float4 *p)
{
    together = *added == last ? together + 1 : 1;
    last = *added;
    loads++;
    fourths += together == 4;
    return *p;
}

/* one lane at a time, to which no other has anything to add */
#define __global__
#define WARP_ALL 0xffffffff
static int lane, full;
static int my_lane() { return lane; }
static float warp_scan(float v) { return v; }
static float warp_sum(float v) { return v; }
static float warp_broadcast(float v, int) { return v; }
static float __shfl_up_sync(unsigned, float v, int) { return v - 1; }
static unsigned __ballot_sync(unsigned, int yes) { return yes ? 1u << (lane + full + 32) % 32 : 0; }
static int __ffs(int v) { return __builtin_ffs(v); }
static unsigned __float_as_uint(float v)
{
    unsigned u;

    memcpy(&u, &v, 4);
    return u;
}
static float __uint_as_float(unsigned u)
{
    float v;

    memcpy(&v, &u, 4);
    return v;
}
static int looks;
static unsigned long long word_load(unsigned long long *p)
{
    if (++looks > 99999)
        abort(); /* it waits for what nobody writes */
    return *p;
}
static const char *table;
static void word_store(unsigned long long *p, unsigned long long w)
{
    float v = __uint_as_float(w);

    printf("%d: %u %g; ", (int)((const char *)p - table) / 8, (unsigned)(w >> 32), v);
}

/* what a worker does with its tiles: a slot by its number, its items by their slot */
#define __shared__
#define __align__(n)
enum { EXCLUSIVE = 1, TILE = 64 };
float4 slots[8 * TILE / 4];
static int warp;
static int my_warp() { return warp; }
template <int ROWS> struct items { int slot; };
static int slot_number(const float *slot) { return (int)(slot - (float *)slots) / TILE; }
static void tile_fetch(const struct scan_job *, size_t first, float *slot)
{
    printf("fetch %zu to %d; ", first, slot_number(slot));
}
static void tile_store(const struct scan_job *, size_t first, items<4> *a)
{
    printf("store %zu of %d; ", first, a->slot);
}
static items<4> slot_load(const float *slot) { return {slot_number(slot)}; }
static float items_sum(items<4> *a) { return a->slot; }
template <int E> static void scan_rows(items<4> *a, float before)
{
    printf("scan %d after %g; ", a->slot, before);
}
static void turned();
template <int N> static void async_wait()
{
    printf("wait for all but %d; ", N);
    turned();
}

/* each run of the chains takes longer; one thread's result may be wrong */
static int runs, spoiled = -1;
template <class T> struct chains {
    void operator()(int links, T a, T b, T *out, long long *took) const
    {
        printf("%zu bytes, %d links, %g %g\n", sizeof(T), links, (double)a, (double)b);
        for (int i = 0; i < 2048; i++)
            out[i] = (T)(8 * (i % 1024 % 7 + links) + 28 + (i == spoiled));
        runs++;
        took[0] = 1000 * runs, took[1] = 1001 * runs;
    }
};
template <class T> const chains<T> rate{};

/* a device for those that judge it, and how fast it is */
struct cudaDeviceProp { int major, minor, multiProcessorCount; };
static struct cudaDeviceProp device;
#define cudaGetDeviceProperties(p, d) (*(p) = device)
static double speeds[3]; /* of floats, doubles and ints */
template <class T> static double rated(int blocks, int links)
{
    int k = sizeof(T) == 8 ? 1 : (T)0.5 ? 0 : 2;

    printf("%d: %d blocks, %d links; ", k, blocks, links);
    return speeds[k];
}

#include "parts.h"

/* With each turn the talker has told the warp of the next tile, and of no other. */
static unsigned turn;
static struct scan_talk told;
static void turned()
{
    unsigned t = ++turn - SCAN_LAG;

    memset(told.told, 0, sizeof told.told);
    if (turn >= SCAN_LAG)
        told.told[t % SCAN_RING][warp] = word_make(t + 1, 100 + t);
}

static void works()
{
    struct scan_job s = {};

    s.tile = TILE;
    table = (const char *)&told;
    for (unsigned mine = 1; mine < 12; mine += 5) {
        warp = mine == 1 ? 0 : 13, lane = mine == 6, turn = 0;
        scan_work(&s, 640, 128, mine, &told);
        printf("\n");
    }
}

static void rates()
{
    apart = 16384;
    for (int k = 0; k < 3; k++) {
        next = runs = 0;
        printf("%.9g\n", k == 0 ? rate_of<float>(2, 5) : k == 1 ? rate_of<double>(2, 6) : rate_of<int>(2, 7));
    }
    for (spoiled = 0; spoiled < 2048; spoiled += 2047) {
        next = 0;
        REFUSED(rate_of<int>(2, 3));
    }
    apart = next = 0;
}

static void judges()
{
    static const struct { int capability; double speed[3]; } on[] = {
        {60, {64, 1, 1}}, {61, {128, 1, 1}}, {70, {64, 32, 64}}, {75, {64, 2, 64}}, {80, {64, 32, 64}},
        {86, {128, 2, 64}}, {89, {128, 2, 64}}, {90, {128, 64, 64}}, {99, {1, 2, 3}},
        {90, {10, 6.5, 5}}, {90, {9, 6, 4.5}}, {90, {10, 4.1, 5}}, {90, {10, 4, 5}},
        {90, {10, 5, 6.5}}, {90, {9, 4.5, 6}}, {90, {10, 5, 4.1}}, {90, {10, 5, 4}},
        {86, {79, 1, 39}}, {86, {80, 1, 40}}, {86, {49, 1, 24}}, {86, {48, 1, 24}},
    };

    for (const auto &o : on) {
        device = {o.capability / 10, o.capability % 10, 3 + o.capability};
        memcpy(speeds, o.speed, sizeof speeds);
        REFUSED(judge_rates());
    }
}

/* What a lane of the warp that talks says and where, to whom, and what it hears. */
static void talks()
{
    static struct scan_board board;
    static struct scan_talk talk;
    static scan_word words[100];

    gridDim.x = 40, blockIdx.x = 33;
    for (unsigned base = 0; base < 14; base += 13) {
        for (unsigned r = 0; r < 6; r++) {
            for (int w = 0; w < SCAN_THREADS / WARP; w++)
                talk.part[r][w] = word_make(r + 1, 8 * w + r);
            for (int b = 0; b < SCAN_BLOCKS; b++)
                board.words[(base + r + 1) % SCAN_RING][b] = word_make(base + r + 1, 300 + 8 * b + r);
        }
        for (lane = 0; lane < 32; lane += lane ? 15 : 1) {
            float left;
            int before = looks;

            table = (const char *)&talk;
            for (unsigned r = 0; r < 5; r++) {
                table = (const char *)&board;
                printf("%g ", publish(base, r, 3, &left, &board, &talk));
                printf("%g ", left);
            }
            table = (const char *)&talk;
            if (lane)
                scan_talks(base, 5, 3, &board, &talk);
            printf("%d looks\n", looks - before);
            for (unsigned round = base + 2; round < base + 6; round++)
                for (int was = 0; was < 2; was++) {
                    scan_word w[SCAN_LOOKS];

                    ask_others(round, was, &board, w);
                    for (int k = 0; k < SCAN_LOOKS; k++)
                        printf("%u %g ", word_tag(w[k]), word_value(w[k]));
                    printf("%g ", hear_others(round, was, &board, w));
                    memset(w, 0, sizeof w); /* what had not come yet */
                    printf("%g; ", hear_others(round, was, &board, w));
                }
            printf("\n");
        }
        for (int i = 0; i < 100; i++)
            words[i] = word_make(base + (i % 40 == 7 ? WORD_PREFIX : WORD_TOTAL), i);
        for (lane = 0; lane < 32; lane += lane ? 30 : 1)
            for (full = -1; full < 2; full++) {
                double all = 0;

                for (unsigned tile = 0; tile < 100; tile++)
                    all = 1.1 * all + look_back(tile, base, words);
                printf("%.12g ", all);
            }
        printf("\n");
    }
    gridDim.x = 3;
}

static void shares()
{
    static float4 v[101];

    for (auto &one : v)
        one.x = 1;

    for (size_t n = 0; n < 101; n++) {
        float sum = 0;

        loads = fourths = 0;
        for (blockIdx.x = 0; blockIdx.x < 3; blockIdx.x++)
            for (threadIdx.x = 0; threadIdx.x < 4; threadIdx.x++) {
                float4 a = {1, 0, 0, 0};

                added = &a.x, last = 0;
                share_vectors(n, v, &a);
                sum += a.x - 1;
            }
        if (n % 4 < 2)
            printf("%u %u %g; ", loads, fourths, sum);
    }
    printf("\n");
}

static void show(const struct scan_job &j)
{
    show((const void *)j.x), show((const void *)j.y);
    show(j.n), show(j.tile), show(j.skip), show(j.wide);
}

static void sums()
{
    static const size_t n[] = {0, 1, 2048, 2049, 1000003, 528 * 2048, 528 * 2048 + 1};
    struct sum_space s = sum_space_make(2000000);
    float *x = (float *)base, out[2] = {7, 7};

    printf("%d done %u\n", (int)((char *)s.partial - base), *s.done);
    sum_run(SUM_ONCE, 2000000, x, &s, 0, out);
    for (int how = 0; how < SUMS; how++)
        for (int i = 0; i < 7; i++) {
            sum_run((enum sum_how)how, n[i], x, &s, i % 3 == 2 ? 0 : i % 3 ? 528 : 7, out);
            printf("%.12g %.12g %.12g\n", sum_height((enum sum_how)how, n[i], 0),
                   sum_height((enum sum_how)how, n[i], 7), sum_height((enum sum_how)how, n[i], 528));
        }
    printf("%g %g\n", out[0], out[1]);
    REFUSED(sum_run(SUM_ONCE, 2000001, x, &s, 0, out));
    REFUSED(sum_run(SUM_ONCE, 2000000, x, &s, 529, out));
}

static void scans()
{
    static const size_t n[] = {0, 1, 5000, 204800, 409600, 12801 * 127, (1 << 22) - 1, 1 << 22, 5000000};
    struct scan_space s;
    int wrong = 0;
    float *x = (float *)base + 1024;

    for (room = 65536; room < 300000; room += 55555)
        s = scan_space_make(5000000);
    for (int i = 0; i < 39072; i++)
        wrong += base[16384 + i] != 0;
    printf("%u threads, %u blocks, %d wrong\n", s.threads, s.fit, wrong);
    for (int how = 0; how <= SCANS; how++)
        for (int i = 0; i < 9; i++) {
            scan_run((enum scan_how)how, n[i], i % 2, x + i % 3, x + 5 * i, &s, i % 4 == 3 ? 96 : 0,
                     i == 4 ? 5 : i == 5 ? 5000 : 0);
            if (how < SCANS)
                printf("%.12g %.12g %.12g\n", scan_height((enum scan_how)how, n[i], 0, 0),
                       scan_height((enum scan_how)how, n[i], 96, 5),
                       scan_height((enum scan_how)how, n[i], 256, 1));
        }
    scan_run(SCAN_BACK, 1000, 0, x, x + 1, &s, s.threads, 0);
    REFUSED(scan_run(SCAN_BACK, 5000001, 0, x, x, &s, 0, 0));
    REFUSED(scan_run(SCAN_BACK, 1000, 0, x, x, &s, 33, 0));
    REFUSED(scan_run(SCAN_BACK, 1000, 0, x, x, &s, s.threads + 32, 0));
}

/* Ten orders of n floats of many sizes, to the bit. */
static void orders(size_t n)
{
    float *x = (float *)check_alloc(n, sizeof *x), *sorted;
    uint64_t state = n;

    for (size_t i = 0; i < n; i++) {
        int down = rng_below(&state, 30);

        x[i] = ldexpf(rng_float(&state), -down);
    }
    sorted = sorted_copy(n, x);
    for (int k = 0; k < ORDERS; k++)
        printf("%a %.12g; ", order_sum(k, n, x, sorted), order_bound(k, n, 1));
    printf("\n");
    free(x);
    free(sorted);
}

int main(void)
{
    static const int cols[] = {0, 1, 32, 128, 129, 255, 256, 257, 512, 1000, 1024, 1025, 2016, 2048, 2049, 16384};

    setvbuf(stdout, NULL, _IONBF, 0);
    orders(1);
    orders(1025);
    orders(300007);
    sums();
    shares();
    talks();
    works();
    scans();
    for (int i = 0; i < 16; i++) {
        if (cols[i])
            moments_run(i % 4, cols[i], NULL, NULL, NULL);
        for (int how = 0; how < SOFTS; how++)
            softmax_run((enum soft_how)how, i % 4, cols[i], NULL, NULL);
    }
    rates();
    judges();
    moments_run(1, 1 << 24, NULL, NULL, NULL);
    softmax_run(SOFT_THREE, 1, 16385, NULL, NULL);
    REFUSED(softmax_run(SOFT_HELD, 1, 16385, NULL, NULL));
    REFUSED(moments_run(1, 0, NULL, NULL, NULL));
    REFUSED(moments_run(1, (1 << 24) + 1, NULL, NULL, NULL));
    for (int k = -1; k <= ORDERS; k += ORDERS + 1)
        REFUSED(order_sum(k, 1, (const float *)base, (const float *)base));
    return 0;
}
