/* parts.cc: how chapter 9 launches its histograms, and what its benchmark asks of memory,
   with one thread and no device; what its loops do, one thread after the other, in kernels.h.
   Both are made of the chapter's files by tests/atomics.t, which turns k<<<g, b>>>(x) into
   (launched(g, b), k)(x). What does not end is ended by its number of steps. */
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "kernels/sizes.h"
#include "tour/check.h"
#include "tour/rng.h"

#define __global__
#define __device__
#define __host__
#define __shared__ static
#define CUDA_CHECK(call) (void)(call)
#define CUDA_LAUNCH_CHECK()
#define cudaFree(p) free(p)
#define cudaMemsetAsync(p, v, n, s) memset(p, v, n)

enum { BINS = 256 };
static struct { unsigned x; } threadIdx, blockIdx, blockDim = {1}, gridDim = {1};
struct uint4 { unsigned x, y, z, w; };
static long long ticks;
static unsigned seen[1000], wanted;
static const uint4 *first;
static long steps, meddle; /* meddle: so many swaps fail, since another was faster */
static const int *off; /* what the next sums of floats are off by */

static uint4 make_uint4(unsigned x, unsigned y, unsigned z, unsigned w)
{
    uint4 v = {x, y, z, w};

    return v;
}

static void step(void)
{
    if (++steps > 10000000) {
        printf("does not end\n");
        fflush(stdout);
        _Exit(1);
    }
}

static uint4 __ldcs(const uint4 *p)
{
    step();
    seen[p - first]++;
    return *p;
}

template <class T, class U> static T atomicAdd(T *p, U v)
{
    step();
    T old = *p;

    *p = (T)(old + v);
    return old;
}

static float atomicAdd(float *p, float v)
{
    float old = *p;

    *p = old + v + (off ? *off++ : 0);
    return old;
}

template <class T, class U> static T atomicCAS(T *p, T want, U v)
{
    step();
    if (meddle-- > 0)
        *p += 1;
    T old = *p;

    wanted = (unsigned)want;
    if (old == want)
        *p = (T)v;
    return old;
}

static unsigned load_relaxed(unsigned *p)
{
    return *p;
}

static void __syncthreads() { step(); }
static int __reduce_add_sync(unsigned, int x) { return x + 1000; }
static int __shfl_down_sync(unsigned, int x, int by) { return step(), x + by; }
static int __shfl_xor_sync(unsigned, int x, int by) { return step(), x + by; }
template <class To, class From> static To as(From x)
{
    To y;

    memcpy(&y, &x, sizeof y);
    return y;
}
#define __uint_as_float as<float>
#define __float_as_uint as<unsigned>
#define __double_as_longlong as<long long>
#define __longlong_as_double as<double>
#define __threadfence()
#define __launch_bounds__(...)

/* A lock that a thread gets hold of at every second try, and what it does for it. */
struct record;
static struct { int tries, left, waits, notes; } did;
static bool lock_try(unsigned *) { return step(), ++did.tries % 2 == 0; }
static void lock_leave(unsigned *) { did.left++; }
static void __syncwarp() { did.waits++; }
static void __nanosleep(unsigned) {}
static void record_note(struct record *, int x, int where) { did.notes += x == 9 * where; }

static long long clock64()
{
    return ticks += 640;
}

static void *to_device(const void *h, size_t bytes)
{
    void *d = check_alloc(bytes, 1);

    return h ? memcpy(d, h, bytes) : d;
}

static void to_host(void *h, const void *d, size_t bytes)
{
    memcpy(h, d, bytes);
}

static void launched(unsigned grid, unsigned block)
{
    printf("%ux%u ", grid, block);
}

#define COUNTS(name)                                                 \
    static void name(size_t, const unsigned char *, unsigned *)      \
    {                                                                \
        printf(#name ";");                                           \
    }
COUNTS(count_global)
COUNTS(count_block)
COUNTS(count_runs)
COUNTS(count_fast)
template <int N> static void count_columns(size_t, const unsigned char *, unsigned *)
{
    printf("count_columns<%d>;", N);
}

#include "parts.h"
namespace real {
#include "kernels.h"
}
namespace old { /* without a sum in one instruction */
#define __CUDA_ARCH__ 750
#include "warp_sum.h"
#undef __CUDA_ARCH__
}

static void histograms_of(size_t n, int sms)
{
    unsigned counts[BINS + 1], wrong = 0;

    memset(counts, 255, sizeof counts);
    for (int i = 0; i < HISTOGRAMS; i++)
        histogram(&histograms[i], n, NULL, counts, sms);
    for (int b = 0; b < BINS; b++)
        wrong += counts[b] != 0;
    printf(" %zu bytes, %d SMs, %u wrong\n", n, sms, wrong || counts[BINS] != ~0u);
}

/* What a kernel of the benchmark adds, and where. */
static void contended(int which)
{
    unsigned p[2][33] = {{0}}, state, wrong = 0;

    blockIdx.x = 3, blockDim.x = 2;
    for (unsigned t = 6; t < 8; t++) {
        threadIdx.x = t - 6;
        state = (unsigned)rng_mix(t);
        contenders[which](5, 100, p[0]);
        for (unsigned k = 0; k < 100; k++) {
            unsigned row = (t + 32 * k) & 31;

            state = state * 1664525u + 1013904223u;
            p[1][which % 2 ? state >> 27 : row]++;
        }
    }
    for (int i = 0; i < 33; i++)
        wrong += counted(p[0][i], which / 2 == RED_FLOAT) != p[1][i];
    for (int k = 0; k < 2; k++) { /* who finds all ones leaves them */
        memset(p[0], 255, sizeof p[0]);
        p[0][6] = ~0u - k;
        threadIdx.x = 0;
        contenders[which](5, 1, p[0]);
        printf("%x %x ", p[0][0], p[0][6]);
    }
    printf("%s: %u wrong; ", contender_names[which], wrong);
    threadIdx.x = blockIdx.x = 0, blockDim.x = 1;
}

static void words()
{
    for (int p = 0; p < PATTERNS; p++) {
        int least = 4096, most = 0, off = 0, mine = 0, seen[4096] = {0}, kinds = 0;

        for (unsigned t = 0; t < 1024; t++)
            for (unsigned k = 0; k < 8; k++) {
                int w = (int)word_of((enum pattern)p, t, k);

                least = w < least ? w : least;
                most = w > most ? w : most;
                off += w % 32 == (int)t % 32;
                mine += w / 128 == (int)t % 32;
                if (w >= 0 && w < 4096)
                    kinds += !seen[w]++;
            }
        printf("%s: %d to %d, %d kinds, %d in the lane's bank, %d in its 128\n",
               pattern_names[p], least, most, kinds, off, mine);
    }
}

/* Thread 3 of 4 does what is its own. */
static void fourth()
{
    static unsigned word[64], out[1 + 2 * WORDS];
    int right = 0;

    for (unsigned i = 0; i < 64; i++)
        word[i] = 4 * i + 3;
    threadIdx.x = 3, blockDim.x = 4;
    memset(out, 255, sizeof out);
    shared_kernels[0](word, 1, 5, out);
    for (int i = 0; i < 2 * WORDS; i++)
        right += out[1 + i] == (i % 4 != 3 ? ~0u : i / 4 >= 24 && i / 4 < 32 ? 5 : 0);
    printf("thread 3: %d of %d right, %x\n", right, 2 * WORDS, out[0]);
    threadIdx.x = 0, blockDim.x = 1;
}

/* Where each operation in shared memory adds, and what. */
static void shared_adds()
{
    static const unsigned word[8] = {5, 100, 2000, 4095, 7, 7, 0, 33};
    static unsigned out[1 + 2 * WORDS];

    for (int op = 0; op < SHARED_OPS; op++) {
        shared_kernels[op](word, 9, 3, out);
        printf("%s: ", shared_op_names[op]);
        for (int i = 0; i < 2 * WORDS; i++)
            if (out[1 + i])
                printf("%d %u, ", i, counted(out[1 + i], op == ADD_FLOAT));
    }
    printf("\n");
}

static void reads(size_t n, unsigned blocks, unsigned threads)
{
    static uint4 in[1000];
    unsigned out = 1, once = 0, other = 0;

    first = in;
    memset(seen, 0, sizeof seen);
    gridDim.x = blocks, blockDim.x = threads;
    for (blockIdx.x = 0; blockIdx.x < blocks; blockIdx.x++)
        for (threadIdx.x = 0; threadIdx.x < threads; threadIdx.x++)
            read_only(n, in, &out);
    for (size_t i = 0; i < 1000; i++)
        once += i < n && seen[i] == 1, other += i >= n && seen[i];
    printf("read %u once, %u others; ", once, other);
    for (int k = 0; k < 4; k++) { /* each of the four parts of each word counts */
        unsigned *part = (unsigned *)&in[n - 1] + k;

        *part = 0x12345678u;
        out = 1;
        for (blockIdx.x = 0; blockIdx.x < blocks; blockIdx.x++)
            for (threadIdx.x = 0; threadIdx.x < threads; threadIdx.x++)
                read_only(n, in, &out);
        *part = 0;
        printf("%x ", out);
    }
    threadIdx.x = blockIdx.x = 0, gridDim.x = blockDim.x = 1;
}

static void sums_of(const int *how)
{
    struct sums s;

    off = how;
    s = add_again(1, 5, 7);
    printf("%d different, %d in fixed point, spread %g; ", s.floats, s.fixed, s.spread);
    off = NULL;
}

/* Each histogram by grids of single threads: how many are wrong. */
static int histograms_by(unsigned blocks, unsigned n, const unsigned char *in)
{
    static histogram_kernel *const kernel[] = {
        real::count_global, real::count_block, real::count_runs, real::count_columns<1>,
        real::count_columns<4>, real::count_columns<32>, real::count_fast};
    unsigned want[BINS] = {0};
    int wrong = 0;

    for (unsigned i = 0; i < n; i++)
        want[in[i]]++;
    gridDim.x = blocks, blockDim.x = 1, threadIdx.x = 0;
    for (int k = 0; k < 7; k++) {
        unsigned counts[BINS] = {0};

        for (blockIdx.x = 0; blockIdx.x < blocks; blockIdx.x++)
            kernel[k](n, in, counts);
        wrong += memcmp(counts, want, sizeof want) != 0;
    }
    /* a block of more has no barrier to wait at in the first */
    unsigned counts[BINS] = {0};

    blockDim.x = 2;
    for (blockIdx.x = 0; blockIdx.x < blocks; blockIdx.x++)
        for (threadIdx.x = 0; threadIdx.x < 2; threadIdx.x++)
            real::count_global(n, in, counts);
    threadIdx.x = blockIdx.x = 0, gridDim.x = blockDim.x = 1;
    return wrong + (memcmp(counts, want, sizeof want) != 0);
}

/* How many steps the sums of a thread take, and what they come to. */
static void added_up()
{
    static int cell[256], x[100], total[2];
    unsigned count = 0;

    for (int i = 0; i < 100; i++)
        x[i] = 1 << i % 8;
    for (unsigned block = 1; block <= 256; block *= 2) {
        blockDim.x = block, steps = 0;
        printf("%d ", real::block_sum(block, cell));
        printf("in %ld; ", steps);
        memset(cell, 0, sizeof cell);
    }
    blockDim.x = 1, gridDim.x = 3;
    for (blockIdx.x = 0; blockIdx.x < 3; blockIdx.x++)
        real::last_sum(100, x, cell, &count, total);
    printf("%d %u\n", total[0], count);
    for (int way = 0; way < real::WAYS; way++)
        for (unsigned grid = 1; grid < 8; grid += 3) {
            total[0] = total[1] = steps = 0;
            gridDim.x = grid;
            for (blockIdx.x = 0; blockIdx.x < grid; blockIdx.x++)
                real::sum((enum real::way)way, 0, 100, x, total);
            printf("%s %d %d in %ld; ", real::way_names[way], total[0], total[1], steps);
        }
    blockIdx.x = 0, gridDim.x = 1, steps = 0;
    printf("%d", old::warp_sum(100));
    printf(" in %ld\n", steps);
}

/* Loops of swaps that fail now and then: another has added 1 to the bits. */
static void swaps()
{
    for (int fail = 0; fail < 4; fail++) {
        float f = 1;
        double d = 1, before;

        steps = 0, meddle = fail;
        before = real::atomic_max(&f, 1 + 2 * FLT_EPSILON);
        printf("%.9g before %.9g, ", f, before);
        meddle = fail;
        before = real::add_by_swaps(&d, 1);
        printf("%.17g before %.17g in %ld; ", d, before, steps);
        meddle = 0;
    }
    printf("\n");
}

/* What each of 64 threads does for a lock, one after the other: said when it is another thing. */
template <class F> static void locked(const char *name, F kernel)
{
    auto before = did;

    printf("%s: ", name);
    memset(&before, 255, sizeof before);
    for (threadIdx.x = 0; threadIdx.x < 64; threadIdx.x++) {
        memset(&did, 0, sizeof did);
        kernel();
        if (memcmp(&did, &before, sizeof did))
            printf("%u, %d tries, %d left, %d waits, %d notes; ", threadIdx.x, did.tries, did.left, did.waits, did.notes);
        before = did;
    }
    threadIdx.x = 0;
}

static void locks()
{
    int x[64], total = 0, most = 0;

    for (int i = 0; i < 64; i++)
        x[i] = 9 * i;
    blockDim.x = 64;
    locked("lanes", [&] { real::record_lanes<0>(50, x, NULL, NULL); });
    locked("at rest", [&] { real::record_lanes<1>(50, x, NULL, NULL); });
    locked("warps", [&] { real::record_warps(50, x, NULL, NULL); });
    locked("by warp", [&] { real::add_by_warp(NULL, &total); });
    locked("up to", [&] { real::add_up_to(1, NULL, &most), real::add_up_to(1, NULL, &most); });
    blockDim.x = 1;
    printf("%d, %d\n", total, most);
}

int main()
{
    alignas(16) static unsigned char in[16 * 30 + 16];
    static const size_t n[] = {0, 1, 16384, 16385, 16384 * 3, 16384 * 3 + 1, 1 << 20};
    static char room[10016];
    unsigned out;
    int op, wrong = 0;

    for (int i = 0; i < 7; i++)
        histograms_of(n[i], 3);
    for (int which = 0; which < CONTENDERS; which++)
        contended(which);
    printf("\n");
    words();
    for (op = 0; op < SHARED_OPS; op++)
        for (int p = 0; p < 2; p++)
            printf("%s: %g; ", shared_op_names[op],
                   shared_cycles((enum shared_op)op, (enum pattern)p, 5));
    printf("\nswapped for %x\n", wanted);
    fourth();
    shared_adds();
    reads(1000, 3, 7);
    reads(999, 3, 100);
    reads(5, 2, 2);
    printf("\n");
    blockDim.x = 1;
    first = (const uint4 *)(((uintptr_t)room + 15) / 16 * 16);
    for (int k = 0; k < 2; k++)
        for (size_t bytes = 30; bytes < 34; bytes++) {
            memset(seen, 0, sizeof seen);
            threadIdx.x = 0, gridDim.x = 1;
            read_run(bytes, (const char *)first + 15 * k, 1, &out);
            printf("%zu from %d: %u%u%u; ", bytes, 15 * k, seen[0], seen[1], seen[2]);
        }
    printf("\n");
    sums_of(NULL);
    sums_of((const int[]){0, 1, 1, 0, -2});
    sums_of((const int[]){3, 4, 5, 4, 4});
    printf("\n");
    first = (const uint4 *)in;
    for (int i = 0; i < 16 * 30 + 16; i++)
        in[i] = (unsigned char)(rng_at(9, i) >> 59);
    for (unsigned blocks = 1; blocks < 8; blocks++)
        for (unsigned n = 0; n <= 16 * 30; n += n < 256 ? 16 : 224)
            wrong += histograms_by(blocks, n, in);
    wrong += histograms_by(3, 1, in) + histograms_by(3, 17, in) + histograms_by(2, 17, in + 15);
    printf("%d histograms wrong\n", wrong);
    added_up();
    swaps();
    locks();
    return 0;
}
