/* bench: what a barrier costs at each level; how often races show. */
#include "measure/bench.h"
#include "sync/litmus.cuh"
#include "sync/shift.cuh"
#include "tour/args.h"

#ifdef __LOOM__
enum { BLOCKS = 2, STEPS = 4, LARGEST = 64, SHIFT = 1000, TRIALS = 2 };
enum { PAIRS = 2, PLAY = 1 };
#else
enum { BLOCKS = 132, STEPS = 1000, LARGEST = 1024 };
enum { SHIFT = 1 << 22, TRIALS = 64, PAIRS = 32, PLAY = 64 };
#endif

/* draw a line after each step */

/* name the lines */
enum line {
    LINE_NONE,
    LINE_WARP,
    LINE_BLOCK,
    LINE_GRID,
    LINE_HAND,
    LINE_GRAPH,
    LINE_LAUNCH,
    LINES
};

static const char *const line_names[] = {"none",      "syncwarp", "syncthreads",
                                         "grid_sync", "by_hand",  "graph",
                                         "launch"};

/* out[global thread] = steps. At most 1024 threads a block. */
template <int LINE>
__global__ void draw_lines(unsigned steps, unsigned *count, unsigned *out)
{
    __shared__ volatile unsigned slot[1024];

    slot[threadIdx.x] = 0;
#pragma unroll 1
    for (unsigned k = 0; k < steps; k++) {
        slot[threadIdx.x] = slot[threadIdx.x] + 1;
        if (LINE == LINE_WARP)
            __syncwarp();
        else if (LINE == LINE_BLOCK)
            __syncthreads();
        else if (LINE == LINE_GRID)
            cg::this_grid().sync();
        else if (LINE == LINE_HAND)
            grid_wait(count);
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = slot[threadIdx.x];
}

/* queue a number of steps */
struct grid {
    int threads;
    unsigned *d_count, *d_out;
};

static void run_lines(void *work, int how, int)
{
    struct grid *w = (struct grid *)work;
    unsigned steps = STEPS;
    void *args[] = {&steps, &w->d_count, &w->d_out};

    if (how == LINE_GRID)
        CUDA_CHECK(cudaLaunchCooperativeKernel(draw_lines<LINE_GRID>, BLOCKS,
                                               w->threads, args, 0, 0));
    else if (how == LINE_HAND)
        CUDA_CHECK(cudaLaunchCooperativeKernel(draw_lines<LINE_HAND>, BLOCKS,
                                               w->threads, args, 0, 0));
    else if (how == LINE_WARP)
        draw_lines<LINE_WARP><<<BLOCKS, w->threads>>>(STEPS, NULL, w->d_out);
    else if (how == LINE_BLOCK)
        draw_lines<LINE_BLOCK><<<BLOCKS, w->threads>>>(STEPS, NULL, w->d_out);
    else
        draw_lines<LINE_NONE><<<BLOCKS, w->threads>>>(
            how == LINE_NONE ? STEPS : 1, NULL, w->d_out);
    CUDA_LAUNCH_CHECK();
}

static void check_lines(const struct bench_case *c)
{
    struct grid *w = (struct grid *)c->work;
    unsigned h[BLOCKS * LARGEST], want = c->how < LINE_GRAPH ? STEPS : 1;
    size_t n = (size_t)BLOCKS * w->threads;

    CUDA_CHECK(cudaMemset(w->d_out, 0xff, n * sizeof *h));
    run_lines(w, c->how, 0);
    CUDA_CHECK(cudaMemcpy(h, w->d_out, n * sizeof *h, cudaMemcpyDeviceToHost));
    for (size_t i = 0; i < n; i++)
        CHECK(h[i] == want, "%s: thread %zu made %u steps, not %u", c->variant,
              i, h[i], want);
}

/* measure the lines */
static void bench_lines(void)
{
    enum { SIZES = 6 };
    struct bench_case table[SIZES * LINES] = {};
    const struct bench_case *c;
    struct grid work[SIZES];
    struct bench b = {};
    size_t bytes = (1 + BLOCKS * LARGEST) * sizeof(unsigned);
    int count = 0;
    unsigned *d;

    CUDA_CHECK(cudaMalloc((void **)&d, bytes));
    CUDA_CHECK(cudaMemset(d, 0, bytes));
    for (int i = 0; i < SIZES && 32 << i <= LARGEST; i++) {
        work[i] = {32 << i, d, d + 1};
        for (int k = 0; k < LINES; k++)
            table[count++] = {line_names[k], run_lines, k, &work[i], 32 << i};
        table[count - 1].by_host = 1;
    }
    b.check = check_lines;
    c = bench_run(table, count, &b);
    for (int k = 0; k < count; k++) {
        const struct bench_case *none = &c[k - k % LINES];
        int one = c[k].how >= LINE_GRAPH;
        double price[BENCH_ROUNDS];

        for (int r = 0; r < c[k].rounds; r++)
            price[r] = one ? c[k].us[r] : (c[k].us[r] - none->us[r]) / STEPS;
        bench_spread(c[k].variant, c[k].size, "ns",
                     stats_of(price, c[k].rounds), 1e3, "ns");
    }
    CUDA_CHECK(cudaFree(d));
}

/* count what goes wrong */
static void count_wrong(void)
{
    long long games = 1LL * LITMUS_THREADS * LITMUS_EACH * PAIRS * PLAY;
    char name[32];

    for (int how = RACY; how <= SEAMS; how++) {
        int differ = 0, clean = 0;

        for (int trial = 0; trial < TRIALS; trial++) {
            int now = try_shift((enum shift)how, SHIFT, 32, 1);

            differ += now;
            clean += now == 0;
        }
        bench_row(shift_names[how], SHIFT, "differ", differ, "count");
        bench_row(shift_names[how], SHIFT, "clean", clean, "count");
    }
    for (int f = 0; f < FENCES; f++)
        for (int t = 0; t < TESTS; t++) {
            long weak = litmus_weak((enum litmus)t, (enum fence)f, PAIRS, PLAY);

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
    bench_lines();
    count_wrong();
    return 0;
}
