/* bench: what a barrier costs at each level; how often races show. */
#include "measure/bench.h"
#include "sync/litmus.cuh"
#include "sync/shift.cuh"
#include "tour/args.h"

/* choose how much to do */
#ifdef __LOOM__
enum { BLOCKS = 2, STEPS = 4, LARGEST = 64 };
enum { SHIFT = 1000, PAIRS = 2, PLAY = 1 };
#else
enum { BLOCKS = 132, STEPS = 1000, LARGEST = 1024 };
enum { SHIFT = 1 << 24, PAIRS = 32, PLAY = 64 };
#endif

/* draw a line after each step */

/* name the lines */
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

/* check that all steps were made */
static void check_steps(struct line_work *w, size_t n)
{
    unsigned *h = (unsigned *)check_alloc(n, sizeof *h);
    unsigned want = w->how == LINES ? 1 : w->steps;

    run_lines(w, 0);
    CUDA_CHECK(cudaMemcpy(h, w->d_out, n * sizeof *h, cudaMemcpyDeviceToHost));
    for (size_t i = 0; i < n; i++)
        CHECK(h[i] == want, "%s: thread %zu made %u steps, not %u",
              line_names[w->how], i, h[i], want);
    free(h);
}

/* measure the lines for one size of block */
static void bench_lines(int threads, unsigned blocks, unsigned steps)
{
    static struct bench_case cases[LINES + 1];
    static struct line_work work[LINES + 1];
    size_t n = (size_t)blocks * threads;
    double none = 0;
    unsigned *d;

    CUDA_CHECK(cudaMalloc((void **)&d, (n + 1) * sizeof *d));
    CUDA_CHECK(cudaMemset(d, 0, (n + 1) * sizeof *d));
    for (int k = 0; k <= LINES; k++) {
        struct line_work w = {(enum line)k, threads, blocks, steps, d, d + 1};
        struct bench_case c = {line_names[k], run_lines, &work[k]};

        work[k] = w;
        cases[k] = c;
    }
    bench_measure(cases, LINES + 1, 1);
    /* report the price of each line */
    for (int k = 0; k <= LINES; k++) {
        double us = stats_of(cases[k].us, cases[k].rounds).median;

        if (k == LINE_NONE)
            none = us;
        else
            bench_row(line_names[k], threads, "ns",
                      1e3 * (us - (k < LINES ? none : 0)) / steps, "ns");
    }
    for (int k = 0; k <= LINES; k++)
        check_steps(&work[k], n);
    CUDA_CHECK(cudaFree(d));
}

/* count what goes wrong */
static void count_wrong(int shift_n, unsigned pairs, int rounds)
{
    long long games = 1LL * LITMUS_THREADS * LITMUS_EACH * pairs * rounds;
    char name[32];

    for (int how = RACY; how <= SEAMS; how++)
        bench_row(shift_names[how], shift_n, "differ",
                  try_shift((enum shift)how, shift_n, 32, 1), "count");
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
        bench_lines(threads, BLOCKS, STEPS);
    count_wrong(SHIFT, PAIRS, PLAY);
    return 0;
}
