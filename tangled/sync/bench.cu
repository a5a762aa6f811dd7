/* bench: what a barrier costs at each level; how often races show. */
#include <string.h>

#include "measure/bench.h"
#include "sync/grid.cuh"
#include "sync/litmus.cuh"
#include "sync/shift.cuh"
#include "tour/args.h"

/* choose how much to do */
#ifdef __SIMT__
enum { BLOCKS = 2, FEW = 2, MANY = 2, RING = 512, LARGEST = 64 };
enum { SHIFT = 1000, PAIRS = 2, PLAY = 1 };
#else
enum { BLOCKS = 132, FEW = 64, MANY = 4096, RING = 65536, LARGEST = 1024 };
enum { SHIFT = 1 << 24, PAIRS = 64, PLAY = 32 };
#endif

/* draw a line after each step */
enum line { LINE_NONE, LINE_WARP, LINE_BLOCK, LINE_GRID, LINE_HAND, LINES };

static const char *const line_names[] = {"none",      "syncwarp", "syncthreads",
                                         "grid_sync", "by_hand",  "launch"};

/* out[global thread] = steps. At most 1024 threads a block. */
__global__ void draw_lines(enum line how, unsigned steps, unsigned *count,
                           unsigned *out)
{
    __shared__ volatile unsigned slot[1024];

    slot[threadIdx.x] = 0;
    for (unsigned k = 0; k < steps; k++) {
        slot[threadIdx.x] = slot[threadIdx.x] + 1;
        if (how == LINE_WARP)
            __syncwarp();
        else if (how == LINE_BLOCK)
            __syncthreads();
        else if (how == LINE_GRID)
            cg::this_grid().sync();
        else if (how == LINE_HAND)
            grid_wait(count);
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = slot[threadIdx.x];
}

/* queue a number of steps */
struct line_work {
    enum line how; /* LINES: a launch a step */
    int threads;
    unsigned blocks, steps, *d_count, *d_out;
};

static void run_lines(void *argument, int set)
{
    struct line_work *w = (struct line_work *)argument;
    enum line how = w->how;
    void *args[] = {&how, &w->steps, &w->d_count, &w->d_out};

    (void)set;
    if (how == LINES) {
        for (unsigned k = 0; k < w->steps; k++)
            draw_lines<<<w->blocks, w->threads>>>(LINE_NONE, 1, w->d_count,
                                                  w->d_out);
    } else if (how == LINE_GRID || how == LINE_HAND) {
        CUDA_CHECK(cudaLaunchCooperativeKernel(draw_lines, w->blocks,
                                               w->threads, args, 0, 0));
    } else {
        draw_lines<<<w->blocks, w->threads>>>(how, w->steps, w->d_count,
                                              w->d_out);
    }
    CUDA_LAUNCH_CHECK();
}

/* report the price of a line */
static void report_lines(const struct bench_case *cases, int threads)
{
    double none = 0;

    for (int k = 0; k <= LINES; k++) {
        const struct bench_case *c = &cases[2 * k];
        unsigned steps = ((const struct line_work *)c->work)->steps;
        double once = stats_of(c->us, c->rounds).median;
        double twice = stats_of(c[1].us, c[1].rounds).median;
        double ns = 1e3 * (twice - once) / steps;

        if (k == LINE_NONE)
            none = ns;
        bench_row(c->variant, threads, "step", ns, "ns");
        if (k != LINE_NONE)
            bench_row(c->variant, threads, "ns", ns - (k < LINES ? none : 0),
                      "ns");
    }
}

/* check that all steps were made */
static void check_lines(struct line_work *work, size_t n)
{
    unsigned *h = (unsigned *)check_alloc(n, sizeof *h);

    for (int k = 0; k < 2 * (LINES + 1); k++) {
        unsigned want = work[k].how == LINES ? 1 : work[k].steps;

        run_lines(&work[k], 0);
        CUDA_CHECK(cudaMemcpy(h, work[k].d_out, n * sizeof *h,
                              cudaMemcpyDeviceToHost));
        for (size_t i = 0; i < n; i++)
            CHECK(h[i] == want, "%s: thread %zu made %u steps, not %u",
                  line_names[k / 2], i, h[i], want);
    }
    free(h);
}

/* measure the lines for one size of block */
static void bench_lines(int threads, unsigned blocks, int few, int many)
{
    static struct bench_case cases[2 * (LINES + 1)];
    static struct line_work work[2 * (LINES + 1)];
    unsigned *d;
    size_t words = (size_t)blocks * threads + 1;

    CUDA_CHECK(cudaMalloc((void **)&d, words * sizeof *d));
    CUDA_CHECK(cudaMemset(d, 0, words * sizeof *d));
    memset(cases, 0, sizeof cases);
    for (int k = 0; k < 2 * (LINES + 1); k++) {
        struct line_work w = {(enum line)(k / 2), threads, blocks, 0, d, d + 1};

        w.steps = (unsigned)((k / 2 <= LINE_BLOCK ? many : few) << k % 2);
        work[k] = w;
        cases[k].variant = line_names[k / 2];
        cases[k].launch = run_lines;
        cases[k].work = &work[k];
    }
    bench_measure(cases, 2 * (LINES + 1), 1);
    report_lines(cases, threads);
    check_lines(work, words - 1);
    CUDA_CHECK(cudaFree(d));
}

/* measure the ring */
struct ring_work {
    enum ring how;
    unsigned n, steps, *d;
};

static void run_ring(void *argument, int set)
{
    struct ring_work *w = (struct ring_work *)argument;

    (void)set;
    ring_run(w->how, w->n, w->steps, w->d, w->d + w->n, w->d + 2 * w->n);
}
static void bench_rings(unsigned n, unsigned steps)
{
    static const char *const names[] = {"ring_launches", "ring_grid",
                                        "ring_hand"};
    static struct bench_case cases[RINGS];
    struct ring_work work[RINGS];
    unsigned *d;

    CUDA_CHECK(cudaMalloc((void **)&d, (2 * (size_t)n + 1) * sizeof *d));
    CUDA_CHECK(cudaMemset(d, 1, (2 * (size_t)n + 1) * sizeof *d));
    for (int k = 0; k < RINGS; k++) {
        struct ring_work w = {(enum ring)k, n, steps, d};

        work[k] = w;
        cases[k].variant = names[k];
        cases[k].launch = run_ring;
        cases[k].work = &work[k];
    }
    bench_measure(cases, RINGS, 1);
    for (int k = 0; k < RINGS; k++)
        bench_row(names[k], n, "us_step",
                  stats_of(cases[k].us, cases[k].rounds).median / steps, "µs");
    CUDA_CHECK(cudaFree(d));
}

/* count what goes wrong */
static void count_wrong(int shift_n, unsigned pairs, int rounds)
{
    long long games = 1LL * LITMUS_THREADS * LITMUS_EACH * pairs * rounds;
    char name[32];

    bench_row("racy", shift_n, "differ", try_shift(RACY, shift_n, 1024, 1),
              "count");
    bench_row("seams", shift_n, "differ", try_shift(SEAMS, shift_n, 1024, 1),
              "count");
    for (int f = 0; f < FENCES; f++)
        for (int t = 0; t < TESTS; t++) {
            long weak =
                litmus_weak((enum litmus)t, (enum fence)f, pairs, rounds);

            snprintf(name, sizeof name, "fence_%s", fence_names[f]);
            bench_row(name, games, litmus_names[t], (double)weak, "count");
            CHECK(weak == 0 || litmus_allowed[t][f], "%s, fence %s: %ld times",
                  litmus_names[t], fence_names[f], weak);
        }
}

int main(int argc, char **argv)
{
    args_parse(argc, argv, "what a barrier costs", NULL, 0);
    bench_begin("sync");
    for (int threads = 32; threads <= LARGEST; threads *= 2)
        bench_lines(threads, BLOCKS, FEW, MANY);
    bench_rings(RING, 2 * FEW);
    count_wrong(SHIFT, PAIRS, PLAY);
    return 0;
}
