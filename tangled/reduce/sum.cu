/* sum: the sum of n floats by each kernel, from each alignment. */
#include <stdio.h>

#include "reduce/reduce.cuh"
#include "reduce/reference.h"
#include "reduce/unchanged.h"
#include "tour/args.h"
#include "tour/rng.h"

/* check a sum */
static void check_sum(enum sum_how how, size_t n, size_t offset,
                      unsigned blocks, uint64_t seed, float *x, float *d,
                      struct sum_space *s)
{
    size_t bytes = n * sizeof(float);
    float *out = d + n + 16, got;
    double tol;

    rng_fill_float(x, n, seed + offset);
    for (size_t i = 0; i < n; i += 2)
        x[i] = -x[i] * 0.75f;
    tol = bound_sum((double)n, sum_height(how, n, blocks), BOUND_FLOAT,
                    sum_abs(n, x));
    CUDA_CHECK(cudaMemset(d, 0xff, bytes + 17 * sizeof(float)));
    CUDA_CHECK(cudaMemcpy(d + offset, x, bytes, cudaMemcpyHostToDevice));
    for (int again = 0; again < 2; again++) {
        sum_run(how, n, d + offset, s, blocks, out);
        CUDA_CHECK(cudaMemcpy(&got, out, sizeof got, cudaMemcpyDeviceToHost));
        CHECK_NEAR(got, sum_exact(n, x), tol, "height of the tree");
    }
    check_unchanged(n, x, d + offset);
}

int main(int argc, char **argv)
{
    /* read the arguments of a sum */
    struct arg args[] = {ARG_SIZE("n", 10000, 0, 1 << 28),
                         ARG_SIZE("blocks", 0, 0, SUM_BLOCKS)};
    uint64_t seed =
        args_parse(argc, argv, "sums on the GPU", args, ARG_COUNT(args));
    size_t n = (size_t)args[0].value;
    float *x = (float *)check_alloc(n, sizeof *x), *d;
    struct sum_space s = sum_space_make(n);

    CUDA_CHECK(cudaMalloc((void **)&d, (n + 17) * sizeof *d));

    for (int how = 0; how < SUMS; how++)
        for (size_t offset = 0; offset < 4; offset++)
            check_sum((enum sum_how)how, n, offset, (unsigned)args[1].value,
                      seed, x, d, &s);
    printf("ok: %zu floats, %d ways, 4 alignments\n", n, SUMS);
    CUDA_CHECK(cudaFree(d));
    sum_space_free(&s);
    return 0;
}
