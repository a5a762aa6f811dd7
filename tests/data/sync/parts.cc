/* parts.cc: chapter 8's litmus tests as they are written down and counted, its grids that
   fit and wait, its lines, rings and mailbox, and the two wrong shifts in the one order in which they are right; with one thread
   at a time and no device. parts.h is made of the chapter's headers by tests/sync.t, which
   turns k<<<g, b>>>(x) into (launched(g, b), k)(x), and litmus_games into fake_games there. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/sizes.h"
#include "tour/check.h"
#include "tour/rng.h"

#define __global__ static
#define __device__
#define __shared__ static
#define CUDA_CHECK(call) (void)(call)
#define CUDA_LAUNCH_CHECK()
#define __LOOM__

static struct { unsigned x; } threadIdx, blockIdx, blockDim = {1}, gridDim = {1};
static unsigned loads, fences, grid, block;
static int can = 1, sms, each, fake[2];

static unsigned flag; /* of the mailbox: with each look the other block has gone on */
static unsigned load_relaxed(unsigned *p)
{
    if (++loads > 9999)
        abort(); /* it waits for ever */
    return p == &flag ? (*p)++ : *p;
}
static void store_relaxed(unsigned *p, unsigned v)
{
    *p = v;
    if (p == &flag)
        printf("%u ", v);
}
static void __nanosleep(unsigned) {}
static void __threadfence(void) {}
static unsigned atomicAdd(unsigned *p, unsigned v) { return (*p += v) - v; }
static unsigned barriers, warps, grids, looks;
static void __syncthreads(void) { barriers++; }
static void __syncwarp(void) { warps++; }
#define __syncthreads_or(v) (v)
extern unsigned row[64];
static unsigned add_release(unsigned *p, unsigned v)
{
    looks = 0;
    return (*p += v) - v;
}
/* with each look one more block has come */
static unsigned load_acquire(unsigned *p)
{
    if (++looks > 9999)
        abort(); /* it waits for ever */
    return (*p)++;
}
namespace cooperative_groups {
struct grid_group {
    void sync() const { grids++; }
};
static grid_group this_grid() { return grid_group(); }
}
namespace cg = cooperative_groups;
enum fence { NO_FENCE, FENCE_CTA, FENCE_GPU, FENCE_SC, FENCES };
static void fence(enum fence f) { fences += f; }
template <class G, class T> static void launched(G g, T b) { grid = g, block = b; }

static int cudaMalloc(void **p, size_t bytes)
{
    *p = check_alloc(bytes, 1);
    memset(*p, 0xff, bytes);
    return 0;
}
#define cudaMemset(p, v, n) memset(p, v, n)
#define cudaFree(p) free(p)
#define cudaMemcpy(to, from, n, how) memcpy(to, from, n)
#define cudaGetDevice(d) 0
enum { cudaDevAttrCooperativeLaunch, cudaDevAttrMultiProcessorCount };
static int cudaDeviceGetAttribute(int *v, int which, int)
{
    *v = which == cudaDevAttrCooperativeLaunch ? can : sms;
    return 0;
}
static int cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *v, const void *, int threads, size_t bytes)
{
    *v = each;
    printf("(%d %zu) ", threads, bytes);
    return 0;
}
struct litmus_test;
static void fake_games(struct litmus_test test, enum fence f, unsigned games, unsigned *x,
                       unsigned *y, unsigned *met, unsigned char *out);

#include "../once.h"
#include "parts.h"

unsigned row[64];
static long lost = -1; /* a store that does not arrive, if one does not */

/* Every game has the outcome fake[0], fake[1]; all stores arrive, but one. */
static void fake_games(struct litmus_test, enum fence f, unsigned games, unsigned *x, unsigned *y,
                       unsigned *met, unsigned char *out)
{
    static int rounds;
    unsigned left = 0, pairs = grid / 2;

    if (++rounds > 9999)
        abort(); /* it plays for ever */

    for (unsigned g = 0; g < games; g++) {
        left += x[g] + y[g];
        x[g] = 1;
        y[g] = fake[0] != 4;
        out[2 * g] = fake[0] % 4;
        out[2 * g + 1] = fake[1];
    }
    for (unsigned p = 0; p < pairs; p++)
        left += met[p];
    if (lost >= 0)
        (lost < games ? x : y)[lost % games] ^= 1;
    if (left || games != pairs * block * 2 || f != FENCE_SC)
        printf("%u words are not 0, %u games; ", left, games);
}

static void written(void)
{
    for (int t = 0; t < TESTS; t++) {
        printf("%s:", litmus_names[t]);
        for (int f = 0; f < FENCES; f++)
            printf(" %s %d", fence_names[f], litmus_allowed[t][f]);
        for (int thread = 0; thread < 2; thread++)
            printf("; %d%d %d%d", litmus_tests[t].step[thread][0], litmus_tests[t].step[thread][1],
                   litmus_tests[t].weak[thread][0], litmus_tests[t].weak[thread][1]);
        for (int a = 0; a < 4; a++)
            for (int b = 0; b < 4; b++) {
                fake[0] = t == COHERENCE && a == 0 ? 4 : a;
                fake[1] = b;
                if (t != COHERENCE || a == 0)
                    for (int pairs = 1; pairs < 5; pairs *= 2) {
                        long weak = litmus_weak((enum litmus)t, FENCE_SC, pairs, 3);

                        if (weak)
                            printf("; %d, %d: %ld of %ux%u", a, b, weak, grid, block);
                    }
            }
        printf("\n");
    }
}

/* A store that has not arrived is seen, whichever it is. */
static void losses(void)
{
    for (int t = 0; t <= COHERENCE; t += COHERENCE) {
        int before = refused_times;

        fake[0] = t == COHERENCE ? 4 : 0;
        quietly = 1;
        for (lost = 0; lost < 4 * LITMUS_THREADS * LITMUS_EACH; lost++)
            REFUSED(litmus_weak((enum litmus)t, FENCE_SC, 2, 1));
        quietly = 0, lost = -1;
        printf("%s: %d losses are seen\n", litmus_names[t], refused_times - before);
    }
}

/* What a thread of a branch makes of its number before the barrier. */
static void branches(void)
{
    unsigned a[64], turns[64];

    for (threadIdx.x = 0; threadIdx.x < 64; threadIdx.x++) {
        a[threadIdx.x] = 10;
        halve_all(a, turns);
    }
    for (unsigned v : row)
        printf("%u ", v);
    printf("\n");
}

static void steps(void)
{
    for (int what = NOTHING; what <= LOAD_Y; what++) {
        unsigned x = 5, y = 7, got = litmus_step(what, &x, &y);

        printf("%u %u %u; ", got, x, y);
    }
    printf("\n");
}

/* The games of a test, all of one block before those of the next, or the other way. */
static void games(enum litmus which, unsigned pairs, unsigned threads, unsigned n, int back)
{
    unsigned x[65] = {0}, y[65] = {0}, met[8] = {0}, stored[2] = {0}, kinds[16] = {0};
    unsigned char out[130];

    memset(out, 9, sizeof out);
    gridDim.x = 2 * pairs, blockDim.x = threads, loads = fences = 0;
    for (unsigned b = 0; b < 2 * pairs; b++)
        for (threadIdx.x = 0; threadIdx.x < threads; threadIdx.x++) {
            blockIdx.x = back ? 2 * pairs - 1 - b : b;
            litmus_games(litmus_tests[which], FENCE_GPU, n, x, y, met, out);
        }
    for (unsigned g = 0; g < 64; g++) {
        stored[0] += x[g], stored[1] += y[g];
        if (g < n)
            kinds[(4 * out[2 * g] + out[2 * g + 1]) % 16]++;
    }
    printf("%s: %u x, %u y, met %u %u %u, %u loads, fences %u, behind %d;", litmus_names[which],
           stored[0], stored[1], met[0], met[pairs - 1], met[pairs], loads, fences, out[2 * n]);
    for (int k = 0; k < 16; k++)
        if (kinds[k])
            printf(" %d%d: %u", k / 4, k % 4, kinds[k]);
    printf("\n");
}

/* Which words the games of one thread use. */
static void places(void)
{
    for (threadIdx.x = 0; threadIdx.x < 4; threadIdx.x++)
        for (blockIdx.x = 0; blockIdx.x < 2; blockIdx.x++) {
            unsigned x[16] = {0}, y[16] = {0}, met[1] = {9};
            unsigned char out[32] = {0};
            struct litmus_test both = {{{STORE_X, STORE_Y}, {STORE_Y, STORE_X}}, {{0, 0}, {0, 0}}};

            gridDim.x = 2, blockDim.x = 4;
            litmus_games(both, NO_FENCE, 16, x, y, met, out);
            for (int i = 0; i < 16; i++)
                printf("%d", x[i] + 2 * y[i]);
            printf(" ");
        }
    printf("\n");
}

static void fits(void)
{
    for (sms = 1; sms < 4; sms++)
        for (each = 1; each < 3; each++)
            for (unsigned wanted = 3; wanted < 7; wanted += 3)
                printf("%u ", blocks_that_fit(NULL, 64 * sms, 100, wanted));
    printf("\n");
    each = 0;
    REFUSED(blocks_that_fit(NULL, 64, 100, 1));
    each = 1, can = 0;
    REFUSED(blocks_that_fit(NULL, 64, 100, 1));
}

static void shifts(void)
{
    int wrong = 0;

    barriers = 0;
    for (int how = 0; how < 2; how++)
        for (int n = 0; n < 20; n++) {
            float a[25], b[25];

            for (int i = 0; i < 25; i++)
                a[i] = b[i] = i + 1;
            shift_reference(n, b);
            blockDim.x = 3, gridDim.x = 8;
            for (blockIdx.x = 0; blockIdx.x < 8; blockIdx.x++)
                for (threadIdx.x = 0; threadIdx.x < 3; threadIdx.x++)
                    if (how)
                        shift_seams(n, a);
                    else
                        shift_racy(n, a);
            for (int i = 0; i < 25; i++) /* the reference, too */
                wrong += a[i] != b[i] || b[i] != i + 1 + (i < n - 1);
        }
    printf("shifts: %d wrong, %u barriers\n", wrong, barriers);
}

/* How long a block waits for the others, which arrive one after another. */
static void waits(void)
{
    blockDim.x = 7;
    for (gridDim.x = 1; gridDim.x < 7; gridDim.x += 2)
        for (unsigned mine = 0; mine < 12; mine++) {
            unsigned count = mine;

            looks = barriers = 0;
            for (threadIdx.x = 0; threadIdx.x < 2; threadIdx.x++)
                grid_wait(&count);
            printf("%u:%u ", looks, barriers);
        }
    printf("\n");
}

/* Which line a thread draws, and how often. */
template <int LINE> static void drawn(void)
{
    unsigned count = 0, out[40];

    looks = barriers = warps = grids = 0;
    gridDim.x = 3, blockDim.x = 8;
    memset(out, 0, sizeof out);
    threadIdx.x = 2, blockIdx.x = 1;
    draw_lines<LINE>(5, &count, out);
    printf("line %d: %u %u %u %u, %u; ", LINE, warps, barriers, grids, looks, out[10]);
}

/* What both sides of a mailbox write, and how often they look. */
static void mails(void)
{
    static const unsigned from[] = {5, 6, 7};
    unsigned to[] = {0, 0, 0}, box = 9;

    for (blockIdx.x = 0; blockIdx.x < 2; blockIdx.x++) {
        flag = loads = 0;
        mail(3, &box, &flag, from, to);
        printf("after %u looks: %u; ", loads, to[2] + box);
    }
    printf("\n");
}

static void rings(void)
{
    static unsigned a[1005], b[1005];
    unsigned count = 0;

    barriers = grids = 0;
    for (unsigned n = 1; n < 1000; n += n < 78 ? 1 : 102) {
        int wrong = not_once(n, b, [&] { ring_once(n, a, b); }) +
                    not_once(n, b, [&] { ring_many(n, 1, a, b, NULL); }) +
                    not_once(n, b, [&] { ring_many(n, 1, a, b, &count); });

        if (wrong)
            printf("%u of %u are not once; ", wrong, n);
    }
    printf("rings: %u barriers, %u of the grid\n", barriers, grids);
}

int main(void)
{
    written();
    losses();
    branches();
    steps();
    for (int back = 0; back < 2; back++)
        for (int t = 0; t < TESTS; t++) {
            games((enum litmus)t, 2, 8, 32, back);
            games((enum litmus)t, 1, 4, 64, back);
        }
    places();
    fits();
    shifts();
    waits();
    drawn<LINE_NONE>();
    drawn<LINE_WARP>();
    drawn<LINE_BLOCK>();
    drawn<LINE_GRID>();
    drawn<LINE_HAND>();
    rings();
    mails();
    return 0;
}
