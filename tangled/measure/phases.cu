/* phases: a program in three named phases, for a tracer or for its table. */
#include "kernels/vecadd.cuh"
#include "measure/range.h"
#include "tour/args.h"
#include "tour/rng.h"

/* run the phases */
static void run_phases(size_t n, int times, float *h)
{
    size_t bytes = n * sizeof(float);
    float *d;

    CUDA_CHECK(cudaMalloc((void **)&d, 3 * bytes));
    /* copy, add and copy back in three ranges */
    range_open("copy in");
    CUDA_CHECK(cudaMemcpy(d, h, 2 * bytes, cudaMemcpyHostToDevice));
    range_close();
    range_open("add");
    for (int i = 0; i < times; i++)
        launch_grid(n, 256, d, d + n, d + 2 * n);
    range_close();
    range_open("copy out");
    CUDA_CHECK(cudaMemcpy(h + 2 * n, d + 2 * n, bytes, cudaMemcpyDeviceToHost));
    range_close();
    CUDA_CHECK(cudaFree(d));
}

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("n", 100000, 1, 1 << 28),
                         ARG_SIZE("times", 20, 1, 100000)};
    uint64_t seed =
        args_parse(argc, argv, "add in three phases", args, ARG_COUNT(args));
    size_t n = (size_t)args[0].value;
    float *h = (float *)check_alloc(3 * n, sizeof *h);

    rng_fill_small(h, 2 * n, seed);
    run_phases(n, (int)args[1].value, h);
    for (size_t i = 0; i < n; i++)
        CHECK(h[2 * n + i] == h[i] + h[n + i], "z[%zu] is %g", i, h[2 * n + i]);
    range_table();
    free(h);
    return 0;
}
