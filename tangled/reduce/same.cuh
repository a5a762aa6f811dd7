/* same.cuh: how many results has the same sum, or the same scan? */
#ifndef REDUCE_SAME_CUH
#define REDUCE_SAME_CUH

#include "reduce/reduce.cuh"
#include "reduce/reference.h"
#include "reduce/scan.cuh"
#include "tour/rng.h"

/* count different results */
static inline uint64_t hash_bits(size_t n, const float *y)
{
    uint64_t hash = 0;

    for (size_t i = 0; i < n; i++) {
        uint32_t bits;

        memcpy(&bits, &y[i], sizeof bits);
        hash += rng_at(bits, i);
    }
    return hash;
}
/* Adds up (scans, if `scan`) the same n floats `runs` <= 1000 times by kernel
   `how`; returns how many results differ. With vary, run r has r + 1 blocks. */
static int count_results(int scan, int how, size_t n, int runs, int vary,
                         uint64_t seed)
{
    /* make room for many runs */
    size_t out = scan ? n : 1;
    float *x = (float *)check_alloc(n, sizeof *x), *d;
    float *y = (float *)check_alloc(out, sizeof *y);
    struct sum_space sums = sum_space_make(n);
    struct scan_space scans = scan_space_make(n);
    uint64_t seen[1000];
    int different = 0;

    CHECK(runs <= 1000, "%d runs; at most 1000", runs);
    rng_fill_float(x, n, seed);
    CUDA_CHECK(cudaMalloc((void **)&d, (n + out) * sizeof *d));
    CUDA_CHECK(cudaMemcpy(d, x, n * sizeof *d, cudaMemcpyHostToDevice));

    for (int r = 0; r < runs; r++) {
        unsigned most = vary ? (unsigned)r % SUM_BLOCKS + 1 : 0;
        int k = 0;

        if (scan)
            scan_run((enum scan_how)how, n, 0, d, d + n, &scans, 0, most);
        else
            sum_run((enum sum_how)how, n, d, &sums, most, d + n);
        CUDA_CHECK(
            cudaMemcpy(y, d + n, out * sizeof *y, cudaMemcpyDeviceToHost));
        seen[different] = hash_bits(out, y);
        while (seen[k] != seen[different])
            k++;
        different += k == different;
    }
    /* free the room of many runs */
    CUDA_CHECK(cudaFree(d));
    sum_space_free(&sums);
    scan_space_free(&scans);
    free(x);
    free(y);
    return different;
}

#endif
