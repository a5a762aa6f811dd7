/* parts.cc: how chapter 9 launches its histograms, and what its benchmark asks of memory,
   with one thread and no device. parts.h is made of the chapter's headers by
   tests/atomics.t, which turns k<<<g, b>>>(x) into (launched(g, b), k)(x). */
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
static const int *off; /* what the next sums of floats are off by */

static uint4 make_uint4(unsigned x, unsigned y, unsigned z, unsigned w)
{
    uint4 v = {x, y, z, w};

    return v;
}

static uint4 __ldcs(const uint4 *p)
{
    seen[p - first]++;
    return *p;
}

template <class T, class U> static T atomicAdd(T *p, U v)
{
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

static unsigned atomicCAS(unsigned *p, unsigned want, unsigned v)
{
    unsigned old = *p;

    wanted = want;
    if (old == want)
        *p = v;
    return old;
}

static unsigned load_relaxed(unsigned *p)
{
    return *p;
}

static void __syncthreads()
{
}

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

int main()
{
    static const size_t n[] = {0, 1, 16384, 16385, 16384 * 3, 16384 * 3 + 1, 1 << 20};
    static char room[10016];
    unsigned out;
    int op;

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
    return 0;
}
