/* same.cuh: count the different results of the same sum. */
#ifndef REDUCE_SAME_CUH
#define REDUCE_SAME_CUH

#include "reduce/reduce.cuh"
#include "tour/rng.h"

/* count different results */
/* Adds the same n floats `runs` times; returns how many results differ. With
   vary, run r has r + 1 blocks. */
static int count_results(enum sum_how how, size_t n, int runs, int vary,
                         uint64_t seed)
{
    float *x = (float *)check_alloc(n, sizeof *x), *d, got[1000];
    struct sum_space s = sum_space_make(n);
    int different = 0;

    rng_fill_float(x, n, seed);
    CUDA_CHECK(cudaMalloc((void **)&d, (n + 1) * sizeof *d));
    CUDA_CHECK(cudaMemcpy(d, x, n * sizeof *d, cudaMemcpyHostToDevice));
    for (int r = 0; r < runs; r++) {
        int seen = 0;

        sum_run(how, n, d, &s, vary ? (unsigned)r % SUM_BLOCKS + 1 : 0, d + n);
        CUDA_CHECK(
            cudaMemcpy(&got[r], d + n, sizeof *got, cudaMemcpyDeviceToHost));
        for (int k = 0; k < r; k++)
            seen |= memcmp(&got[k], &got[r], sizeof *got) == 0;
        different += !seen;
    }
    CUDA_CHECK(cudaFree(d));
    sum_space_free(&s);
    free(x);
    return different;
}

#endif
