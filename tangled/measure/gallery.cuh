/* gallery.cuh: five wrong ways to time an addition, and an honest one. */
#ifndef MEASURE_GALLERY_CUH
#define MEASURE_GALLERY_CUH

#include "kernels/fill.cuh"
#include "kernels/vecadd.cuh"
#include "measure/bench.h"
#include "measure/card.cuh"
#include "measure/clock.h"

/* hang the material */
struct gallery {
    size_t n;
    int sets;
    float *d; /* x, y, z of each set: 3 n floats */
};

static void gallery_add(void *work, int, int set)
{
    struct gallery *g = (struct gallery *)work;
    float *x = g->d + 3 * g->n * (size_t)set;

    launch_grid(g->n, 256, x, x + g->n, x + 2 * g->n);
}

/* hang a gallery */
static struct gallery gallery_new(size_t n, uint64_t seed)
{
    struct gallery g = {n, bench_sets(8 * n), NULL};

    g.d = random_floats(3 * n * (size_t)g.sets, seed);
    CUDA_CHECK(cudaDeviceSynchronize());
    return g;
}

/* time it honestly */
static double time_honestly(struct gallery *g)
{
    struct bench_case c = {"honest", gallery_add, 0, g};

    bench_measure(&c, 1, g->sets);
    return stats_of(c.us, c.rounds).median;
}

/* time it the first way */
static double time_early(struct gallery *g)
{
    double start, stop;

    gallery_add(g, 0, 0);
    CUDA_CHECK(cudaDeviceSynchronize());
    start = clock_us();
    for (int i = 0; i < 20; i++)
        gallery_add(g, 0, i % g->sets);
    stop = clock_us();
    CUDA_CHECK(cudaDeviceSynchronize());
    return (stop - start) / 20;
}

/* time it the second way */
static double time_cold(struct gallery *g)
{
    double start = clock_us();

    gallery_add(g, 0, 0);
    CUDA_CHECK(cudaDeviceSynchronize());
    return clock_us() - start;
}

/* time it the third way */
static double time_waiting(struct gallery *g)
{
    double start;

    gallery_add(g, 0, 0);
    CUDA_CHECK(cudaDeviceSynchronize());
    start = clock_us();
    for (int i = 0; i < 200; i++) {
        gallery_add(g, 0, i % g->sets);
        CUDA_CHECK(cudaDeviceSynchronize());
    }
    return (clock_us() - start) / 200;
}

/* time it the fourth way */
static double time_cached(struct gallery *g)
{
    cudaEvent_t start, stop;
    float ms;

    CUDA_CHECK(cudaEventCreate(&start));
    CUDA_CHECK(cudaEventCreate(&stop));
    gallery_add(g, 0, 0);
    CUDA_CHECK(cudaEventRecord(start, 0));
    for (int i = 0; i < 200; i++)
        gallery_add(g, 0, 0);
    CUDA_CHECK(cudaEventRecord(stop, 0));
    CUDA_CHECK(cudaEventSynchronize(stop));
    CUDA_CHECK(cudaEventElapsedTime(&ms, start, stop));
    CUDA_CHECK(cudaEventDestroy(start));
    CUDA_CHECK(cudaEventDestroy(stop));
    return 1e3 * ms / 200;
}

/* time it the fifth way */
static double time_unrun(struct gallery *g)
{
    double start;
    int block = 2048, blocks = (int)ceil_div(g->n, (size_t)block);

    start = clock_us();
    for (int i = 0; i < 20; i++) {
        float *x = g->d + 3 * g->n * (size_t)(i % g->sets);

        add_grid<<<blocks, block>>>((int)g->n, x, x + g->n, x + 2 * g->n);
    }
    CUDA_CHECK(cudaDeviceSynchronize());
    start = (clock_us() - start) / 20;
    (void)cudaGetLastError(); /* "nobody asks": clear it for those who do */
    return start;
}

/* list the gallery */
static const struct exhibit {
    const char *name;
    size_t n; /* where the error shows */
    double (*time)(struct gallery *g);
} exhibits[] = {
    {"cold", 1 << 20, time_cold},       {"early", 1 << 25, time_early},
    {"waiting", 1 << 12, time_waiting}, {"cached", 3 << 20, time_cached},
    {"unrun", 1 << 25, time_unrun},
};

enum { EXHIBITS = sizeof exhibits / sizeof *exhibits };

#endif
