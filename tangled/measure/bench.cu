/* bench: ceilings, the walk, ReLU, bytes on the way, launches, the gallery. */
#include "measure/bench.h"
#include "measure/card.cuh"
#include "measure/flight.cuh"
#include "measure/gallery.cuh"
#include "measure/launch.cuh"
#include "measure/relu.cuh"
#include "measure/walk.cuh"
#include "tour/args.h"

/* choose the sizes */
#ifdef __LOOM__
enum { LOG2 = 14, WALK_MOST = 8, SPREAD = 4, THREADS_MOST = 64 };
#else
enum { LOG2 = 28, WALK_MOST = 1024, SPREAD = 132, THREADS_MOST = 2048 };
#endif

/* hold two arrays and a size */
struct work {
    size_t n; /* floats in each array */
    int k;    /* steps of the walk, or turns */
    float *x, *y;
};

static struct work work_new(uint64_t seed)
{
    struct work w = {(size_t)1 << LOG2, 0, NULL, NULL};

    CUDA_CHECK(cudaMalloc((void **)&w.x, 4 * w.n));
    CUDA_CHECK(cudaMalloc((void **)&w.y, 4 * w.n));
    gallery_fill<<<blocks_for(w.n, 256), 256>>>(w.n, w.x, seed);
    gallery_fill<<<blocks_for(w.n, 256), 256>>>(w.n, w.y, seed + 1);
    CUDA_LAUNCH_CHECK();
    return w;
}

/* check slices */
static void check_slices(const char *what, const struct work *w,
                         float (*f)(float x, int k))
{
    enum { SLICE = 500 };
    float x[SLICE], y[SLICE];
    size_t starts[3] = {0, w->n / 2, w->n - SLICE};

    for (int s = 0; s < 3; s++) {
        CUDA_CHECK(
            cudaMemcpy(x, w->x + starts[s], sizeof x, cudaMemcpyDeviceToHost));
        CUDA_CHECK(
            cudaMemcpy(y, w->y + starts[s], sizeof y, cudaMemcpyDeviceToHost));
        for (int i = 0; i < SLICE; i++)
            CHECK(y[i] == f(x[i], w->k), "%s: element %zu is %.9g", what,
                  starts[s] + i, y[i]);
    }
}

/* launch the ceilings */
static void run_memcpy(void *work, int set)
{
    struct work *w = (struct work *)work;

    (void)set;
    CUDA_CHECK(
        cudaMemcpyAsync(w->y, w->x, 4 * w->n, cudaMemcpyDeviceToDevice, 0));
}

static void run_read(void *work, int set)
{
    struct work *w = (struct work *)work;

    (void)set;
    read_all<<<blocks_for(w->n / 4 / READS, 256), 256>>>(w->n / 4,
                                                         (float4 *)w->x, NULL);
}

static void run_walk(void *work, int set)
{
    struct work *w = (struct work *)work;

    (void)set;
    walk<<<blocks_for(w->n / 4, 128), 128>>>(w->n / 4, w->k, 0.75f, 0.2f,
                                             (float4 *)w->x, (float4 *)w->y);
}

/* measure the ceilings */
static void bench_ceilings(struct work *w)
{
    struct bench_case c[3] = {{"memcpy", run_memcpy, w},
                              {"copy", run_walk, w},
                              {"read", run_read, w}};
    struct roof card = roof_of_card();

    bench_row("card", 0, "gbps", card.gbps, "GB/s");
    bench_row("card", 0, "tflops", card.gflops / 1e3, "TFLOP/s");
    bench_row("card", 0, "ridge", roof_ridge(card), "FLOP/B");
    w->k = 0;
    bench_measure(c, 3, 1);
    bench_report(c, 2, w->n, 8.0 * w->n, &c[0], "of_memcpy");
    bench_report(c + 2, 1, w->n, 4.0 * w->n, NULL, NULL);
    for (int k = 0; k < 3; k++)
        bench_row(c[k].variant, w->n, "of_peak",
                  100 * roof_floor(card, (k < 2 ? 8.0 : 4.0) * w->n, 0) /
                      stats_of(c[k].us, c[k].rounds).median,
                  "%");
    /* check the first thread's sum */
    float x[4], sum = 0, got;

    read_all<<<blocks_for(w->n / 4 / READS, 256), 256>>>(w->n / 4,
                                                         (float4 *)w->x, w->y);
    for (int k = 0; k < READS; k++) {
        CUDA_CHECK(cudaMemcpy(x, w->x + 4 * 256 * k, sizeof x,
                              cudaMemcpyDeviceToHost));
        sum += (x[0] + x[1]) + (x[2] + x[3]);
    }
    CUDA_CHECK(cudaMemcpy(&got, w->y, sizeof got, cudaMemcpyDeviceToHost));
    CHECK(got == sum, "the first thread's sum is %.9g, not %.9g", got, sum);
}

/* measure the walk */
static float walked(float x, int k)
{
    while (k--)
        x = fmaf(x, 0.75f, 0.2f);
    return x;
}

static void bench_walk(struct work *w)
{
    struct roof card = roof_of_card();

    for (w->k = 1; w->k <= WALK_MOST; w->k *= 2) {
        struct bench_case c = {"walk", run_walk, w, NULL, 11};
        double flops = 2.0 * w->k * w->n;

        bench_measure(&c, 1, 1);
        bench_report(&c, 1, w->k, 8.0 * w->n, NULL, NULL);
        bench_flops(&c, 1, w->k, flops);
        bench_row("walk", w->k, "tflops",
                  flops / stats_of(c.us, 11).median / 1e6, "TFLOP/s");
        bench_row("walk", w->k, "of_peak",
                  100 * roof_floor(card, 0, flops) / stats_of(c.us, 11).median,
                  "%");
        check_slices("walk", w, walked);
    }
}

/* measure ReLU */
template <class V, int EACH> /* numbers in a vector */
static void run_relu(void *work, int)
{
    struct work *w = (struct work *)work;
    size_t n = w->n / EACH;

    relu<<<blocks_for(n, 256), 256>>>(n, (const V *)w->x, (V *)w->y);
}

static float cut_off(float x, int k)
{
    (void)k;
    return x > 0 ? x : 0;
}

/* measure the three in turn */
static void bench_relu(struct work *w)
{
    struct work place = {w->n, 0, w->y, w->y};
    struct bench_case c[3] = {{"relu_float", run_relu<float4, 4>, w},
                              {"relu_half", run_relu<half8, 8>, w},
                              {"relu_place", run_relu<float4, 4>, &place}};

    bench_measure(c, 3, 1);
    for (int k = 0; k < 3; k++)
        bench_report(&c[k], 1, w->n, (k == 1 ? 4.0 : 8.0) * w->n, NULL, NULL);
    bench_flops(c, 3, w->n, w->n);
    bench_row("relu_half", w->n, "times",
              stats_ratio(c[0].us, c[1].us, c[0].rounds), "times");
    bench_row("relu_place", w->n, "times",
              stats_ratio(c[0].us, c[2].us, c[0].rounds), "times");
    run_relu<float4, 4>(w, 0);
    check_slices("relu", w, cut_off);
}

/* measure flights */
struct flight_work {
    const struct flight_kind *kind;
    int blocks, block, turns;
    const struct work *w;
};

static void run_flight(void *work, int set)
{
    struct flight_work *f = (struct flight_work *)work;

    f->kind->launch(f->blocks, f->block, f->turns,
                    f->w->x + f->w->n / 2 * (size_t)set, (unsigned *)f->w->y);
}

/* measure one flight */
static void bench_flight(const struct flight_kind *kind, int threads,
                         const struct work *w)
{
    int per = threads > 1024 ? 2 : 1;
    struct flight_work f = {kind, SPREAD * per, threads / per, 0, w};
    struct bench_case c = {kind->name, run_flight, &f, NULL, 11};
    double bytes = (double)SPREAD * threads * kind->bytes, us;

    f.turns = (int)(w->n / bytes); /* n bytes: a quarter of x */
    bench_measure(&c, 1, 2);
    us = stats_of(c.us, c.rounds).median;
    bench_report(&c, 1, (long long)threads * kind->bytes, bytes * f.turns, NULL,
                 NULL);
    bench_row(kind->name, (long long)threads * kind->bytes, "ns",
              1e3 * us / f.turns, "ns");
    run_flight(&f, 0);
    check_flight(kind, (size_t)SPREAD * threads, f.turns, w->x,
                 (unsigned *)w->y, 0, (size_t)SPREAD * threads - 1);
}

static void bench_flights(const struct work *w)
{
    for (int k = 0; k < FLIGHT_KINDS; k++)
        for (int threads = 32; threads <= THREADS_MOST; threads *= 2)
            if (threads * flight_kinds[k].bytes <= 65536)
                bench_flight(&flight_kinds[k], threads, w);
}

/* measure launches */
static void bench_way(const char *way,
                      void (*queue)(int, unsigned *, cudaStream_t), int graph)
{
    for (int n = 1; n <= 1000; n *= 10) {
        struct launch_times t = time_launches(queue, graph, n);

        if (graph)
            bench_row(way, n, "make", t.make / n, "µs");
        bench_row(way, n, "us", t.done.median / n, "µs");
        bench_row(way, n, "us_q1", t.done.q1 / n, "µs");
        bench_row(way, n, "us_q3", t.done.q3 / n, "µs");
        bench_row(way, n, "host", t.host.median / n, "µs");
        bench_row(way, n, "per_second", 1e6 * n / t.done.median, "per second");
    }
}

/* measure the gallery */
static void bench_gallery(uint64_t seed)
{
    for (int k = 0; k < EXHIBITS; k++) {
        const struct exhibit *e = &exhibits[k];
        size_t n = LOG2 == 28 ? e->n : 1 + e->n / 4096;
        struct gallery g;
        double wrong, honest;

        g = gallery_new(n, seed);
        wrong = e->time(&g);
        honest = time_honestly(&g);
        bench_row(e->name, n, "wrong", wrong, "µs");
        bench_row(e->name, n, "honest", honest, "µs");
        bench_row(e->name, n, "floor", roof_floor(roof_of_card(), 12.0 * n, n),
                  "µs");
        CUDA_CHECK(cudaFree(g.d));
    }
}

/* run the benchmark */
int main(int argc, char **argv)
{
    uint64_t seed =
        args_parse(argc, argv, "measure the limits of this card", NULL, 0);
    struct work w;

    bench_begin("measure");
    bench_gallery(seed);
    bench_way("stream", queue_tiny, 0);
    bench_way("laden", queue_laden, 0);
    bench_way("graph", queue_tiny, 1);
    w = work_new(seed);
    bench_ceilings(&w);
    bench_walk(&w);
    bench_flights(&w);
    bench_relu(&w);
    CUDA_CHECK(cudaFree(w.x));
    CUDA_CHECK(cudaFree(w.y));
    return 0;
}
