/* measured.cuh: sets of products of bf16 to be timed, and their verification. */
#ifndef TENSOR_MEASURED_CUH
#define TENSOR_MEASURED_CUH

#include "kernels/fill.cuh"
#include "measure/bench.h"
#include "tensor/rung.cuh"

/* fill matrices of bf16 */
__global__ void fill16(size_t n, bf16 *x, uint64_t seed, int small)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    for (; i < n; i += (size_t)gridDim.x * blockDim.x) {
        uint64_t r = rng_at(seed, i);

        x[i] = __float2bfloat16(small ? (float)((r >> 40) % 8 == 0) -
                                            (float)((r >> 40) % 8 == 1)
                                      : 2 * rng_to_float(r) - 1);
    }
}

/* hold the matrices that are measured */
static struct {
    int n;
    size_t each; /* numbers of one matrix */
    int sets;
    bf16 *x;
} measured;

static inline void measured_open(int n)
{
    measured.n = n;
    measured.each = ceil_div((size_t)n * n, 128) * 128;
    measured.sets = bench_sets(2 * 2 * measured.each);
    measured.sets = measured.sets < 256 ? measured.sets : 256;
    CUDA_CHECK(cudaMalloc((void **)&measured.x,
                          2 * 3 * measured.each * measured.sets));
    fill16<<<1056, 256>>>(3 * measured.each * measured.sets, measured.x, 5, 0);
    CUDA_LAUNCH_CHECK();
}

typedef void (*rung_run)(RUNG_TAKES);

/* C = A B of a set by a rung; rows lie as far apart as copies want them. */
static inline void measured_run(rung_run run, int set)
{
    bf16 *a = measured.x + 3 * measured.each * set, *b = a + measured.each;
    int n = measured.n;

    run('N', 'N', n, n, n, 1, a, n, b, n, 0, b + measured.each, n,
        cudaStreamPerThread);
}

/* check a measured product */
/* y = X v of n x n numbers. */
static inline void apply16(int n, const bf16 *x, const double *v, double *y)
{
    for (int i = 0; i < n; i++) {
        y[i] = 0;
        for (int j = 0; j < n; j++)
            y[i] += __bfloat162float(x[(size_t)i * n + j]) * v[j];
    }
}

/* Runs it on small numbers in the first set, over a C of NaN. */
static inline void measured_check(const struct bench_case *c)
{
    int n = measured.n;
    size_t all = 3 * measured.each;
    bf16 *h = (bf16 *)check_alloc(all, sizeof *h);
    double *v = (double *)check_alloc(4 * (size_t)n, sizeof *v);
    double *bv = v + n, *abv = bv + n, *cv = abv + n;
    uint64_t seed = 6;

    fill16<<<1056, 256>>>(2 * measured.each, measured.x, 7, 1);
    CUDA_LAUNCH_CHECK();
    CUDA_CHECK(
        cudaMemset(measured.x + 2 * measured.each, 0xff, 2 * measured.each));
    c->launch(c->work, c->how, 0);
    CUDA_CHECK(cudaMemcpy(h, measured.x, 2 * all, cudaMemcpyDeviceToHost));
    for (int j = 0; j < n; j++)
        v[j] = rng_small(&seed);
    apply16(n, h + measured.each, v, bv);
    apply16(n, h, bv, abv);
    apply16(n, h + 2 * measured.each, v, cv);
    for (int i = 0; i < n; i++)
        CHECK(cv[i] == abv[i], "%s: row %d of %d is wrong", c->variant, i, n);
    fill16<<<1056, 256>>>(all, measured.x, 5, 0);
    CUDA_LAUNCH_CHECK();
    free(v);
    free(h);
}

#endif
