/* square: the square of each element, along one and two dimensions. */
#include <stdio.h>
#include <string.h>

#include "kernels/launch.h"
#include "kernels/reference.h"
#include "tour/args.h"
#include "tour/rng.h"

/* square a number */
static __host__ __device__ inline float squared(float x)
{
    return x * x;
}

/* square along one dimension */
__global__ void square(int n, const float *__restrict__ in,
                       float *__restrict__ out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        out[i] = squared(in[i]);
}

/* square along two dimensions */
__global__ void square_2d(int rows, int cols, size_t ld,
                          const float *__restrict__ in, float *__restrict__ out)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;

    if (row < rows && col < cols)
        out[row * ld + col] = squared(in[row * ld + col]);
}

/* run a square and compare */
static void launch_square(int dims, int rows, int cols, size_t ld,
                          const float *d_in, float *d_out)
{
    if (dims == 1) {
        size_t n = (size_t)rows * cols;

        square<<<blocks_for(n, 1024), 1024>>>((int)n, d_in, d_out);
    } else {
        /* launch over two dimensions */
        dim3 block(32, 8);
        dim3 grid((unsigned)ceil_div((size_t)cols, block.x),
                  (unsigned)ceil_div((size_t)rows, block.y));

        square_2d<<<grid, block>>>(rows, cols, ld, d_in, d_out);
    }
    CUDA_LAUNCH_CHECK();
}

/* compare a square with the reference */
static void compare(int dims, size_t rows, size_t cols, size_t ld,
                    uint64_t seed)
{
    size_t n = rows * ld, bytes = n * sizeof(float);
    float *h_in = (float *)check_alloc(n, sizeof(float));
    float *h_got = (float *)check_alloc(n, sizeof(float));
    float *h_want = (float *)check_alloc(n, sizeof(float));
    float *d_in, *d_out;

    rng_fill_float(h_in, n, seed);
    poison(h_want, bytes);
    square_reference(rows, cols, ld, h_in, h_want);
    CUDA_CHECK(cudaMalloc((void **)&d_in, bytes));
    CUDA_CHECK(cudaMalloc((void **)&d_out, bytes));
    CUDA_CHECK(cudaMemcpy(d_in, h_in, bytes, cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemset(d_out, 0xff, bytes));
    launch_square(dims, (int)rows, (int)cols, ld, d_in, d_out);
    CUDA_CHECK(cudaMemcpy(h_got, d_out, bytes, cudaMemcpyDeviceToHost));
    /* compare the bits of the squares, and the input */
    for (size_t i = 0; i < n; i++)
        CHECK(memcmp(&h_got[i], &h_want[i], sizeof(float)) == 0,
              "in %d dimensions: row %zu, column %zu is %.9g, not %.9g", dims,
              i / ld, i % ld, h_got[i], h_want[i]);
    CUDA_CHECK(cudaMemcpy(h_got, d_in, bytes, cudaMemcpyDeviceToHost));
    CHECK(memcmp(h_got, h_in, bytes) == 0, "the input was changed");
    CUDA_CHECK(cudaFree(d_in));
    CUDA_CHECK(cudaFree(d_out));
    free(h_in);
    free(h_got);
    free(h_want);
}

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("rows", 17, 1, 65535),
                         ARG_SIZE("cols", 45, 1, 65535),
                         ARG_SIZE("padding", 3, 0, 65535)};
    uint64_t seed = args_parse(argc, argv, "squares in 1 and 2 dimensions",
                               args, ARG_COUNT(args));
    size_t rows = (size_t)args[0].value, cols = (size_t)args[1].value;
    size_t ld = cols + (size_t)args[2].value;

    CHECK(rows * ld <= 1 << 30, "%zu x %zu elements are too many", rows, ld);
    compare(1, rows, ld, ld, seed);
    compare(2, rows, cols, ld, seed);
    printf("ok: squares of %zu x %zu, rows %zu apart\n", rows, cols, ld);
    return 0;
}
