/* rows.cuh: sums over the rows of a matrix, and their check. */
#ifndef SIMT_ROWS_CUH
#define SIMT_ROWS_CUH

#include "kernels/launch.h"
#include "simt/warp.cuh"
#include "tour/rng.h"

/* add up rows on the CPU */
/* sums[r] = the sum of row r; x has rows times cols elements, row-major. */
static void rows_reference(int rows, int cols, const float *x, float *sums)
{
    for (int r = 0; r < rows; r++) {
        sums[r] = 0;
        for (int c = 0; c < cols; c++)
            sums[r] += x[(size_t)r * cols + c];
    }
}

/* add up rows, a warp each */
/* A warp for each row. sums[r] = the sum of row r, row-major x. */
__global__ void sum_rows_warp(int rows, int cols, const float *x, float *sums)
{
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / WARP;
    float sum = 0;

    if (row >= rows)
        return; /* the whole warp leaves */
    for (int c = my_lane(); c < cols; c += WARP)
        sum += x[(size_t)row * cols + c];
    sum = warp_sum(sum);
    if (my_lane() == 0)
        sums[row] = sum;
}

/* add up rows, a thread each */
/* A thread for each row. */
__global__ void sum_rows_thread(int rows, int cols, const float *x, float *sums)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;

    if (row >= rows)
        return;
    for (int c = 0; c < cols; c++)
        sum += x[(size_t)row * cols + c];
    sums[row] = sum;
}

/* add up rows, eight lanes each */
/* Eight lanes for each row, four floats a load: cols must be a multiple of 4,
   and x lie at a multiple of 16 bytes. */
__global__ void sum_rows_eight(int rows, int cols, const float *x, float *sums)
{
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 8;
    const float4 *from = (const float4 *)(x + (size_t)row * cols);
    float sum = 0;

    for (int c = threadIdx.x % 8; c < cols / 4 && row < rows; c += 8) {
        float4 v = from[c];

        sum += (v.x + v.y) + (v.z + v.w);
    }
    for (int far = 4; far > 0; far /= 2)
        sum += __shfl_xor_sync(WARP_ALL, sum, far);
    if (threadIdx.x % 8 == 0 && row < rows)
        sums[row] = sum;
}

/* launch a sum over rows */
typedef void (*rows_launcher)(int rows, int cols, const float *x, float *sums);

static void rows_by_warp(int rows, int cols, const float *x, float *sums)
{
    int blocks = blocks_for((size_t)rows * WARP, 256);

    sum_rows_warp<<<blocks, 256>>>(rows, cols, x, sums);
    CUDA_LAUNCH_CHECK();
}

static void rows_by_eight(int rows, int cols, const float *x, float *sums)
{
    CHECK(cols % 4 == 0, "a row of %d floats is no whole number of float4s",
          cols);
    sum_rows_eight<<<blocks_for((size_t)rows * 8, 256), 256>>>(rows, cols, x,
                                                               sums);
    CUDA_LAUNCH_CHECK();
}

static void rows_by_thread(int rows, int cols, const float *x, float *sums)
{
    sum_rows_thread<<<blocks_for((size_t)rows, 256), 256>>>(rows, cols, x,
                                                            sums);
    CUDA_LAUNCH_CHECK();
}

/* check a sum over rows */
static void check_rows(rows_launcher launch, int rows, int cols, uint64_t seed)
{
    enum { MARGIN = 64 };
    size_t n = (size_t)rows * cols, out = (size_t)rows + MARGIN;
    float *h_x = (float *)check_alloc(n, sizeof(float)), *d_x, *d_sums;
    float *h = (float *)check_alloc(out, sizeof(float));
    float *want = (float *)check_alloc(out, sizeof(float));

    rng_fill_small(h_x, n, seed);
    rows_reference(rows, cols, h_x, want);
    CUDA_CHECK(cudaMalloc((void **)&d_x, (n + 1) * sizeof(float)));
    CUDA_CHECK(cudaMalloc((void **)&d_sums, out * sizeof(float)));
    CUDA_CHECK(cudaMemcpy(d_x, h_x, n * sizeof(float), cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemset(d_sums, 0xff, out * sizeof(float)));
    if (rows > 0)
        launch(rows, cols, d_x, d_sums);
    CUDA_CHECK(
        cudaMemcpy(h, d_sums, out * sizeof(float), cudaMemcpyDeviceToHost));
    CHECK_ARRAY(h, want, (size_t)rows);
    for (size_t r = (size_t)rows; r < out; r++)
        CHECK(isnan(h[r]), "row %zu of %d was written", r, rows);
    CUDA_CHECK(cudaFree(d_x));
    CUDA_CHECK(cudaFree(d_sums));
    free(h_x);
    free(h);
    free(want);
}

#endif
