/* mask: -infinity above the diagonal of a matrix of scores. */
#include <math.h>
#include <stdio.h>

#include "kernels/launch.h"
#include "tour/args.h"
#include "tour/rng.h"

/* mask the scores of later keys */
/* The score of query `row` and key `col`, or -infinity for a later key. */
static __host__ __device__ inline float masked(float score, int row, int col)
{
    return col > row ? -INFINITY : score;
}

__global__ void mask_scores(int n, float *scores)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    size_t i = (size_t)row * n + col;

    if (row < n && col < n)
        scores[i] = masked(scores[i], row, col);
}

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("n", 77, 1, 8192)};
    uint64_t seed = args_parse(argc, argv, "mask a matrix of scores", args,
                               ARG_COUNT(args));
    int n = (int)args[0].value;
    size_t count = (size_t)n * n, bytes = count * sizeof(float);
    dim3 block(32, 8);
    dim3 grid((unsigned)ceil_div((size_t)n, 32),
              (unsigned)ceil_div((size_t)n, 8));

    /* mask on the device and check both halves */
    float *h_in = (float *)check_alloc(count, sizeof(float)), *d;
    float *h_out = (float *)check_alloc(count, sizeof(float));

    rng_fill_float(h_in, count, seed);
    CUDA_CHECK(cudaMalloc((void **)&d, bytes));
    CUDA_CHECK(cudaMemcpy(d, h_in, bytes, cudaMemcpyHostToDevice));
    mask_scores<<<grid, block>>>(n, d);
    CUDA_LAUNCH_CHECK();
    CUDA_CHECK(cudaMemcpy(h_out, d, bytes, cudaMemcpyDeviceToHost));
    for (size_t i = 0; i < count; i++) {
        int later = i % n > i / n;

        CHECK(later ? isinf(h_out[i]) && h_out[i] < 0 : h_out[i] == h_in[i],
              "row %zu, column %zu is %g", i / n, i % n, h_out[i]);
    }
    CUDA_CHECK(cudaFree(d));
    free(h_in);
    free(h_out);
    printf("ok: %d x %d scores masked\n", n, n);
    return 0;
}
