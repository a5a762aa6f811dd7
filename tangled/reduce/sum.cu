/* sum: the sum of n floats by each kernel, from each alignment. */
#include <stdio.h>
#include <string.h>

#include "reduce/reduce.cuh"
#include "reduce/reference.h"
#include "reduce/unchanged.h"
#include "tour/args.h"
#include "tour/rng.h"

/* check what must not change */
static void check_same(const float *got, const float *d_again)
{
    float again;

    CUDA_CHECK(
        cudaMemcpy(&again, d_again, sizeof again, cudaMemcpyDeviceToHost));
    CHECK(memcmp(got, &again, sizeof again) == 0, "first %.9g, then %.9g", *got,
          again);
}

/* check a sum */
static void check_sum(enum sum_how how, size_t n, size_t offset,
                      unsigned blocks, const float *x, float *d,
                      struct sum_space *s)
{
    size_t bytes = n * sizeof(float);
    double exact = sum_exact(n, x), tol = 0;
    float *out = d + n + 16, got;

    CUDA_CHECK(cudaMemset(d, 0xff, bytes + 17 * sizeof(float)));
    CUDA_CHECK(cudaMemcpy(d + offset, x, bytes, cudaMemcpyHostToDevice));
    sum_run(how, n, d + offset, s, blocks, out);
    CUDA_CHECK(cudaMemcpy(&got, out, sizeof got, cudaMemcpyDeviceToHost));
    tol = bound_sum((double)n, sum_height(how, n, blocks), BOUND_FLOAT,
                    sum_abs(n, x));
    CHECK_NEAR(got, exact, tol, "height of the tree");
    sum_run(how, n, d + offset, s, blocks, out);
    if (how != SUM_ATOMIC)
        check_same(&got, out);
    check_unchanged(n, x, d + offset);
}

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("n", 10000, 0, 1 << 28),
                         ARG_SIZE("blocks", 0, 0, SUM_BLOCKS)};
    uint64_t seed =
        args_parse(argc, argv, "sums on the GPU", args, ARG_COUNT(args));
    size_t n = (size_t)args[0].value;
    float *x = (float *)check_alloc(n, sizeof *x), *d;
    struct sum_space s = sum_space_make(n);

    CUDA_CHECK(cudaMalloc((void **)&d, (n + 17) * sizeof *d));
    /* try every way of adding */
    for (int how = 0; how < SUMS; how++)
        for (size_t offset = 0; offset < 4; offset++) {
            rng_fill_float(x, n, seed + offset);
            for (size_t i = 0; i < n; i += 2)
                x[i] = -x[i] * 0.75f;
            check_sum((enum sum_how)how, n, offset, (unsigned)args[1].value, x,
                      d, &s);
        }
    printf("ok: %zu floats, %d ways, 4 alignments\n", n, SUMS);
    CUDA_CHECK(cudaFree(d));
    sum_space_free(&s);
    return 0;
}
