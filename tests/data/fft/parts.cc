/* parts.cc: what chapter 18's planner decides and how its plans are run, without a device.
   parts.h is made of its headers and of kernels.h by tests/fft.t, which turns k<<<g, b>>>(x)
   into (launched(g, b), k)(x); a kernel here says what it is told. */
#include <initializer_list>
#include <limits.h>

#include "fft/fft.h"
#include "kernels/sizes.h"

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

/* A GPU like an H200, with clusters or without. */
static int can_cluster;
enum {
    cudaDevAttrMaxSharedMemoryPerBlockOptin,
    cudaDevAttrClusterLaunch,
    cudaDevAttrMultiProcessorCount
};
enum { cudaFuncAttributeNonPortableClusterSizeAllowed = 1, cudaMemcpyHostToDevice = 1 };
static void cudaGetDevice(int *device)
{
    *device = 0;
}
static void cudaDeviceGetAttribute(int *value, int which, int)
{
    const int of[] = {227 << 10, can_cluster, 132};

    *value = of[which];
}
static void cudaFuncSetAttribute(const void *, int, int)
{
}
static void cudaMalloc(void **p, size_t bytes)
{
    *p = malloc(bytes);
}
static void cudaMemcpy(void *to, const void *from, size_t bytes, int)
{
    memcpy(to, from, bytes);
}
static void cudaFree(void *p)
{
    free(p);
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
    printf("%d, %d and %d threads for 31, 32 and 33 rows\n", fft_constant<31, 1, 2>::THREADS,
           fft_constant<32, 1, 2>::THREADS, fft_constant<33, 1, 2>::THREADS);
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

/* One behind the last of n numbers of a step's rows. */
static size_t ends(const struct fft_side &s, const struct fft_job &j, int n)
{
    return (j.rows / j.group_rows - 1) * s.group + (j.group_rows - 1) * s.row +
           (n - 1) * s.step + 1;
}

static void say_side(int buffer, const struct fft_side &s)
{
    printf(" %d{%zu %zu %zu %d}", buffer, s.group, s.row, s.step, s.across);
}

/* A plan for three transforms: its work arrays, and of each step the rows, blocks, threads,
   shared memory and size of a cluster. Each step reads what the last has written, and nothing
   is in the way: numbers go where others of the step are read only if each goes where it was,
   a ring is no array of the step, and complex numbers all lie in their arrays. */
static void steps(int n, int height, enum fft_kind kind, enum fft_way way, size_t step)
{
    struct fft_plan p = fft_plan_make({n, height, kind, 3, step, step > 0, step, step > 0, way});
    const size_t *w = p.work_count;
    const size_t room[] = {p.in_bytes / 8, p.out_bytes / 8, w[0], w[1], w[2]};
    int last = FFT_IN;

    printf("%d x %d, kind %d, way %d, step %zu: %zu, %zu, %zu\n", height, n, kind, way, step, w[0],
           w[1], w[2]);
    for (int i = 0; i < p.steps; last = p.step[i++].to) {
        const struct fft_step &s = p.step[i];
        const struct fft_job &j = s.job;

        s.run(j);
        say_side(s.from, j.from);
        say_side(s.to, j.to);
        printf(" %d of %d by %d, %zu of %d, %d, %d, take %d, keep %d, swap %d %d", j.rows, j.n,
               j.group_rows, s.blocks, s.threads, s.shared, s.cluster, j.take, j.keep, j.swap_in,
               j.swap_out);
        if (s.reset > 0)
            printf(", ring %d of %d, lag %d, reset %zu", s.ring, j.slots, j.lag, s.reset);
        printf("\n");
        CHECK(s.from == last, "it reads %d, not %d", s.from, last);
        CHECK(s.from != s.to || !memcmp(&j.from, &j.to, offsetof(struct fft_side, across)),
              "rows are written over others");
        CHECK(s.reset == 0 ||
                  (s.ring != s.from && s.ring != s.to && room[s.ring] >= (size_t)j.slots * j.n),
              "the ring is in the way, or too small");
        CHECK(kind != FFT_C2C ||
                  (ends(j.from, j, s.run == fft_each ? j.take : j.n) <= room[s.from] &&
                   ends(j.to, j, j.n) <= room[s.to]),
              "rows end behind their array");
    }
    CHECK(last == FFT_OUT, "the last writes %d", last);
    fft_plan_free(&p);
}

/* Every way to plan, on a GPU with clusters or without. */
static void all_steps(void)
{
    for (enum fft_kind kind : {FFT_C2C, FFT_R2C, FFT_C2R})
        for (int n : {37, 60, 64, 128, 1024, 4099})
            steps(n, n == 60 ? 33 : 0, kind, FFT_BEST, 0);
    for (int n : {256, 512, 1000, 1009, 2048, 4096, 5040, 8192, 8209, 16384, 20000, 32768, 65536})
        steps(n, 0, FFT_C2C, FFT_BEST, 0);
    for (int n : {64, 60, 512, 8192, 16384, 20000})
        steps(n, 0, FFT_C2C, FFT_FOUR_STEPS, 3);
    steps(4099, 0, FFT_R2C, FFT_FOUR_STEPS, 0);
    can_cluster = 1;
    steps(4099, 0, FFT_C2C, FFT_BEST, 0);
    for (int n : {16384, 32768, 65536})
        steps(n, 0, FFT_C2C, FFT_CLUSTER, 0);
}

int main(void)
{
    factors();
    batch(8, 0, 249999999);
    batch(1 << 20, 0, 1907);
    batch(8, 1000, 249999);
    gaps();
    for (int i = 1; i <= 4; i++)
        plans(i);
    all_steps();
    return 0;
}
