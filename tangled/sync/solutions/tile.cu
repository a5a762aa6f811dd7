/* tile: a matrix product by tiles, with a barrier taken out on request. */
#include <stdio.h>

#include "kernels/launch.h"
#include "tour/args.h"
#include "tour/rng.h"

/* multiply by tiles, with a barrier missing */
enum { TILE = 8, FIRST = 1, SECOND = 2 };

/* c = a b, n x n, row-major. `missing`: which barriers to leave out. */
__global__ void multiply(int n, const float *a, const float *b, float *c,
                         int missing)
{
    __shared__ float tile_a[TILE][TILE], tile_b[TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;
    float sum = 0;

    for (int k = 0; k < n; k += TILE) {
        tile_a[ty][tx] = row < n && k + tx < n ? a[row * n + k + tx] : 0;
        tile_b[ty][tx] = k + ty < n && col < n ? b[(k + ty) * n + col] : 0;
        if (!(missing & FIRST))
            __syncthreads();
        for (int i = 0; i < TILE; i++)
            sum += tile_a[ty][i] * tile_b[i][tx];
        if (!(missing & SECOND))
            __syncthreads();
    }
    if (row < n && col < n)
        c[row * n + col] = sum;
}

/* count the wrong elements of a product */
static int count_product(int n, int missing, uint64_t seed)
{
    size_t nn = (size_t)n * n;
    float *h = (float *)check_alloc(3 * nn, sizeof *h), *d;
    unsigned side = (unsigned)ceil_div((size_t)n, TILE);
    int wrong = 0;

    rng_fill_small(h, 2 * nn, seed);
    poison(h + 2 * nn, nn * sizeof *h);
    CUDA_CHECK(cudaMalloc((void **)&d, 3 * nn * sizeof *d));
    CUDA_CHECK(cudaMemcpy(d, h, 3 * nn * sizeof *d, cudaMemcpyHostToDevice));
    multiply<<<dim3(side, side), dim3(TILE, TILE)>>>(n, d, d + nn, d + 2 * nn,
                                                     missing);
    CUDA_LAUNCH_CHECK();
    CUDA_CHECK(cudaMemcpy(h, d, 3 * nn * sizeof *d, cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            float sum = 0;

            for (int k = 0; k < n; k++)
                sum += h[i * n + k] * h[nn + (size_t)k * n + j];
            wrong += h[2 * nn + (size_t)i * n + j] != sum;
        }
    CUDA_CHECK(cudaFree(d));
    free(h);
    return wrong;
}

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("most", 40, 1, 512),
                         ARG_NUMBER("--missing", 0, 0, 3)};
    uint64_t seed = args_parse(argc, argv, "tiles with and without barriers",
                               args, ARG_COUNT(args));
    int wrong = 0;

    for (int n = 1; n <= (int)args[0].value; n++)
        if (count_product(n, (int)args[1].value, seed) > 0 && wrong++ == 0)
            printf("the smallest size that came out wrong is %d\n", n);
    CHECK(args[1].value || wrong == 0, "%d sizes are wrong", wrong);
    printf("ok: %d sizes tried, %d of them wrong\n", (int)args[0].value, wrong);
    return 0;
}
