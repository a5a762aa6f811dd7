/* bench: ceilings, the walk, ReLU, bytes on the way, launches, the gallery. */
#include "kernels/fill.cuh"
#include "measure/bench.h"
#include "measure/card.cuh"
#include "measure/flight.cuh"
#include "measure/gallery.cuh"
#include "measure/launch.cuh"
#include "measure/relu.cuh"
#include "measure/walk.cuh"
#include "tour/args.h"

/* hold two arrays */
#ifdef __LOOM__
enum { LOG2 = 14, WALK_LOG2 = 3, SPREAD = 4, THREADS_MOST = 64 };
#else
enum { LOG2 = 28, WALK_LOG2 = 10, SPREAD = 132, THREADS_MOST = 2048 };
#endif

static const size_t n = (size_t)1 << LOG2; /* floats in each */
static float *x, *y;

/* launch what stands under the roof */
static void run_memcpy(void *, int, int)
{
    CUDA_CHECK(cudaMemcpyAsync(y, x, 4 * n, cudaMemcpyDeviceToDevice, 0));
}

static void run_read(void *, int, int)
{
    read_all<<<blocks_for(n / 4 / READS, 256), 256>>>(n / 4, (float4 *)x, NULL);
}

static void run_walk(void *, int k, int)
{
    walk<<<blocks_for(n / 4, 128), 128>>>(n / 4, k, 0.75f, 0.2f, (float4 *)x,
                                          (float4 *)y);
}

static void run_ahead(void *, int k, int)
{
    walk_ahead<<<16 * SPREAD, 128>>>(n / 4, k, 0.75f, 0.2f, (float4 *)x,
                                     (float4 *)y);
}

enum { FLOATS, HALVES, PLACE };

static void run_relu(void *, int kind, int)
{
    const float *from = kind == PLACE ? y : x;

    if (kind == HALVES)
        relu<<<blocks_for(n / 8, 256), 256>>>(n / 8, (half8 *)from, (half8 *)y);
    else
        relu<<<blocks_for(n / 4, 256), 256>>>(n / 4, (float4 *)from,
                                              (float4 *)y);
}

/* check what stands under the roof */
static int is_right(const struct bench_case *c, float x, float y)
{
    uint16_t in[2], out[2];

    if (c->launch == run_walk || c->launch == run_ahead)
        for (int k = 0; k < c->how; k++)
            x = fmaf(x, 0.75f, 0.2f);
    if (c->launch != run_relu)
        return y == x;
    if (c->how != HALVES)
        return y == (x > 0 ? x : 0);
    memcpy(in, &x, sizeof in);
    memcpy(out, &y, sizeof out);
    for (int k = 0; k < 2; k++)
        if ((in[k] & 0x7fff) <= 0x7c00 && /* a number */
            (out[k] & 0x7fff) != (in[k] > 0x7fff ? 0 : in[k]))
            return 0;
    return 1;
}

static void check_slices(const struct bench_case *c)
{
    enum { SLICE = 500 };
    size_t used = c->launch == run_relu && c->how == HALVES ? n / 2 : n;
    size_t starts[3] = {0, used / 2, used - SLICE};
    float h_x[SLICE], h_y[SLICE];

    CUDA_CHECK(cudaMemcpy(y, x, 4 * n, cudaMemcpyDeviceToDevice));
    if (c->launch != run_relu || c->how != PLACE)
        CUDA_CHECK(cudaMemset(y, 0xff, 4 * n));
    c->launch(c->work, c->how, 0);
    for (int s = 0; s < 3; s++) {
        CUDA_CHECK(
            cudaMemcpy(h_x, x + starts[s], sizeof h_x, cudaMemcpyDeviceToHost));
        CUDA_CHECK(
            cudaMemcpy(h_y, y + starts[s], sizeof h_y, cudaMemcpyDeviceToHost));
        for (int i = 0; i < SLICE; i++)
            CHECK(is_right(c, h_x[i], h_y[i]), "%s@%lld: element %zu is %.9g",
                  c->variant, c->size, starts[s] + i, h_y[i]);
    }
}

/* check the first thread's sum */
static void check_roof(const struct bench_case *c)
{
    float h[4], sum = 0, got;

    if (c->launch != run_read) {
        check_slices(c);
        return;
    }
    read_all<<<blocks_for(n / 4 / READS, 256), 256>>>(n / 4, (float4 *)x, y);
    for (int k = 0; k < READS; k++) {
        CUDA_CHECK(
            cudaMemcpy(h, x + 4 * 256 * k, sizeof h, cudaMemcpyDeviceToHost));
        sum += (h[0] + h[1]) + (h[2] + h[3]);
    }
    CUDA_CHECK(cudaMemcpy(&got, y, sizeof got, cudaMemcpyDeviceToHost));
    CHECK(got == sum, "the first thread's sum is %.9g, not %.9g", got, sum);
}

/* measure the roof */
enum { WALKS = 1 + WALK_LOG2, LINES = 6 + 2 * WALKS };

static void bench_roof(void)
{
    struct bench_case table[LINES] = {
        {"memcpy", run_memcpy, 0, NULL, 0, 8.0 * n},
        {"copy", run_walk, 0, NULL, 0, 8.0 * n},
        {"read", run_read, 0, NULL, 0, 4.0 * n},
        {"relu_float", run_relu, FLOATS, NULL, 0, 8.0 * n, (double)n},
        {"relu_half", run_relu, HALVES, NULL, 0, 4.0 * n, (double)n},
        {"relu_place", run_relu, PLACE, NULL, 0, 8.0 * n, (double)n}};
    struct bench b = {NULL, (long long)n, 0, 0, 1, check_roof};
    struct roof card = roof_of_card();
    const struct bench_case *c;

    for (int e = 0; e < WALKS; e++) {
        double steps = 1 << e;

        table[6 + e] = {"walk",   run_walk, 1 << e,         NULL,
                        1ll << e, 8.0 * n,  2.0 * steps * n};
        table[6 + WALKS + e] = table[6 + e];
        table[6 + WALKS + e].variant = "walk_ahead";
        table[6 + WALKS + e].launch = run_ahead;
    }
    b.peer[0] = {"walk", "of_walk"};
    c = bench_run(table, LINES, &b);
    /* print shares of the peaks */
    bench_row("card", 0, "gbps", card.gbps, "GB/s");
    bench_row("card", 0, "tflops", card.gflops / 1e3, "TFLOP/s");
    bench_row("card", 0, "ridge", roof_ridge(card), "FLOP/B");
    for (int k = 0; k < 6 + WALKS; k++) {
        double floor = roof_floor(card, k < 6 ? c[k].bytes : 0, c[k].flops);
        double us = bench_us(&c[k]), tflops = c[k].flops / us / 1e6;
        struct stats share = stats_ratio(c[k].us, c[1].us, c[k].rounds);

        bench_row(c[k].variant, c[k].size, "of_peak", 100 * floor / us, "%");
        if (k >= 6) {
            bench_row("walk", c[k].size, "tflops", tflops, "TFLOP/s");
            bench_spread("walk", c[k].size, "of_copy", share, 1, "times");
        }
    }
    bench_ratio(&c[1], &c[0], "of_memcpy", 100, "%");
    bench_ratio(&c[4], &c[3], "times", 1, "times");
    bench_ratio(&c[5], &c[3], "times", 1, "times");
}

/* measure flights */
struct flight_work {
    const struct flight_kind *kind;
    int threads, turns; /* threads on an SM */
};

static void run_flight(void *work, int, int set)
{
    struct flight_work *f = (struct flight_work *)work;
    int per = f->threads > 1024 ? 2 : 1;

    f->kind->launch(SPREAD * per, f->threads / per, f->turns,
                    x + n / 2 * (size_t)set, (unsigned *)y);
}

static void check_flight_case(const struct bench_case *c)
{
    struct flight_work *f = (struct flight_work *)c->work;
    size_t threads = (size_t)SPREAD * f->threads;

    run_flight(f, 0, 0);
    check_flight(f->kind, threads, f->turns, x, (unsigned *)y, 0, threads - 1);
}

static void bench_flights(void)
{
    struct bench_case table[BENCH_CASES] = {};
    struct flight_work f[BENCH_CASES];
    struct bench b = {NULL, 0, 0, 0, 2, check_flight_case};
    const struct bench_case *c;
    int lines = 0;

    for (int k = 0; k < FLIGHT_KINDS; k++)
        for (int t = 32; t <= THREADS_MOST; t *= 2) {
            const struct flight_kind *kind = &flight_kinds[k];
            double bytes = (double)SPREAD * t * kind->bytes;

            if (t * kind->bytes > 65536)
                continue;
            f[lines] = {kind, t, (int)(n / bytes)};
            table[lines] = {kind->name,
                            run_flight,
                            0,
                            &f[lines],
                            (long long)t * kind->bytes,
                            bytes * f[lines].turns};
            lines++;
        }
    c = bench_run(table, lines, &b);
    for (int k = 0; k < lines; k++)
        bench_spread(c[k].variant, c[k].size, "ns",
                     stats_of(c[k].us, c[k].rounds), 1e3 / f[k].turns, "ns");
}

/* measure launches */
static void bench_way(const char *way,
                      void (*queue)(int, unsigned *, cudaStream_t), int graph)
{
    for (int n = 1; n <= 1000; n *= 10) {
        struct launch_times t = time_launches(queue, graph, n);

        if (graph)
            bench_row(way, n, "make", t.make / n, "µs");
        bench_spread(way, n, "us", t.done, 1.0 / n, "µs");
        bench_spread(way, n, "host", t.host, 1.0 / n, "µs");
        bench_row(way, n, "per_second", 1e6 * n / t.done.median, "per second");
    }
}

/* measure the gallery */
static void bench_gallery(uint64_t seed)
{
    for (int k = 0; k < EXHIBITS; k++) {
        const struct exhibit *e = &exhibits[k];
        size_t many = LOG2 == 28 ? e->n : 1 + e->n / 4096;
        struct gallery g = gallery_new(many, seed);

        bench_row(e->name, many, "wrong", e->time(&g), "µs");
        bench_row(e->name, many, "honest", time_honestly(&g), "µs");
        bench_row(e->name, many, "floor",
                  roof_floor(roof_of_card(), 12.0 * many, many), "µs");
        CUDA_CHECK(cudaFree(g.d));
    }
}

/* run the benchmark */
int main(int argc, char **argv)
{
    uint64_t seed =
        args_parse(argc, argv, "measure the limits of this card", NULL, 0);

    bench_begin("measure");
    bench_gallery(seed);
    bench_way("stream", queue_tiny, 0);
    bench_way("laden", queue_laden, 0);
    bench_way("graph", queue_tiny, 1);
    x = random_floats(n, seed);
    y = random_floats(n, seed + 1);
    bench_roof();
    bench_flights();
    CUDA_CHECK(cudaFree(x));
    CUDA_CHECK(cudaFree(y));
    return 0;
}
