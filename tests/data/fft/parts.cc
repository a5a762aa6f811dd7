/* parts.cc: what chapter 18's planner decides and how its plans are run, without a device.
   parts.h is made of its headers by tests/fft.t, which turns k<<<g, b>>>(x) into
   (launched(g, b), k)(x); a kernel here says what it is told. */
#include <limits.h>

#include "fft/fft.h"

struct float2 { float x, y; };

static void launched(unsigned grid, unsigned block, size_t bytes, int stream)
{
    printf("%u of %u, %zu, %d: ", grid, block, bytes, stream);
}
static float2 room[64];
/* The number of a place in room, or -1. */
static int at(const void *p)
{
    return p ? (int)((const float2 *)p - room) : -1;
}
static void cudaMemsetAsync(void *p, int value, size_t bytes, cudaStream_t stream)
{
    printf("%d := %zu times %d, %d; ", at(p), bytes, value, stream);
}
template <class K, class J>
static void cudaLaunchKernelEx(const cudaLaunchConfig_t *c, K run, const J &job)
{
    const cudaLaunchAttribute *a = c->attrs;

    launched(c->gridDim.x, c->blockDim.x, c->dynamicSmemBytes, c->stream);
    printf("%u attribute, %d, %ux%ux%u: ", c->numAttrs, a->id, a->val.clusterDim.x,
           a->val.clusterDim.y, a->val.clusterDim.z);
    run(job);
}

#define __host__
#define __device__
#include "parts.h"

static void kernel(const struct fft_job job)
{
    printf("%d to %d, ring %d, swap %d %d, times %g\n", at(job.in), at(job.out), at(job.ring),
           job.swap_in, job.swap_out, job.scale);
}

/* The smallest divisor of each number, and the radices of some. */
static void factors(void)
{
    static const int n[] = {1,  2,  3,  4,  5,  7,  8,  9,   10,  11,  13,  17,  19,   23,   29,   31,  6,
                            14, 16, 27, 37, 60, 64, 74, 81, 121, 900, 961, 1000, 2187, 5040, 8190, 1 << 24};

    for (int i = 2; i < 2000; i++) {
        int p = 2;

        while (i % p != 0)
            p++;
        if (fft_factor(i) != p)
            printf("%d divides %d, not %d\n", p, i, fft_factor(i));
    }
    for (int i : n) {
        int radix[FFT_RADICES], count = fft_radices(i, radix);

        printf("%d:", i);
        for (int j = 0; j < count; j++)
            printf(" %d", radix[j]);
        printf("\n");
    }
}

/* The largest batch that is planned. */
static void batch(int n, int height, int most)
{
    struct fft_wish w = {n, height, FFT_C2C, most};

    fft_check_wish(&w);
    w.batch = most + 1;
    printf("%d x %d, %d: ", height, n, w.batch);
    REFUSED(fft_check_wish(&w));
}

/* The levels of all mixed lengths: how many of 16 neighbors meet in a bank of shared memory
   when they write, at most, in a first level, a short and a long one; the widest gap. */
static void gaps(void)
{
    int most[3] = {}, wide = 0, radix[FFT_RADICES];

    for (int n = 2; n <= MIXED_MOST; n++) {
        int count = fft_radices(n, radix);
        const struct mixed_shape s = mixed_shape_of(n, count, radix);

        for (int i = 0; i + 1 < count; i++) {
            const struct mixed_at &l = s.level[i];
            int &m = most[l.ns == 1 ? 0 : l.ns * l.radix < 32 ? 1 : 2];

            wide = l.gap_out > wide ? l.gap_out : wide;
            for (int j = 0; j + 16 <= l.m; j += 16)
                for (int t = j, meet[16] = {}; t < j + 16; t++) {
                    int to = t / l.ns * (l.ns * l.radix + l.gap_out) + t % l.ns;

                    m = ++meet[to % 16] > m ? meet[to % 16] : m;
                }
        }
    }
    printf("%d, %d and %d of 16 meet, gaps of up to %d\n", most[0], most[1], most[2], wide);
}

/* Steps of one block and of clusters, with counters to be reset and without. */
static void plans(int steps)
{
    struct fft_plan p = {};

    p.n = 8, p.batch = 1, p.in_bytes = p.out_bytes = 8 * sizeof *room;
    p.in_place = 1, p.scale = 3, p.steps = steps;
    for (int i = 0; i < FFT_WORK; i++)
        p.work[i] = room + 30 + i;
    for (int i = 0; i < steps; i++) {
        struct fft_step *s = &p.step[i];

        s->run = kernel;
        s->job.scale = i + 1;
        s->blocks = 100 + i, s->threads = 32 * (i + 1), s->shared = 16 * i, s->cluster = 1 << i;
        s->from = i ? FFT_WORK_0 + i - 1 : FFT_IN;
        s->to = i < steps - 1 ? FFT_WORK_0 + i : FFT_OUT;
        s->ring = FFT_WORK_0 + FFT_WORK - 1;
        if (i % 2 == 0)
            s->reset = 4 * (i + 5), s->job.done = (unsigned *)(room + 40 + i);
    }
    fft_c2c(&p, 8, room, room + 8, FFT_FORWARD, 5);
    fft_c2c(&p, 8, room, room, FFT_INVERSE, 0);
}

int main(void)
{
    factors();
    batch(8, 0, 249999999);
    batch(1 << 20, 0, 1907);
    batch(8, 1000, 249999);
    gaps();
    for (int steps = 1; steps <= 4; steps++)
        plans(steps);
    return 0;
}
