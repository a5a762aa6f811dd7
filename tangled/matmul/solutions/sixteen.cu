/* sixteen: tiles of 16 x 16, for sizes that are multiples of it. */
#include "matmul/matmul.cuh"
#include "matmul/trial.cuh"

enum { SIDE = 16 };

/* multiply by tiles of sixteen */
__global__ void multiply_sixteen(int n, const float *a, const float *b,
                                 float *c)
{
    __shared__ float x[SIDE][SIDE], y[SIDE][SIDE];
    int i = blockIdx.y * SIDE + threadIdx.y;
    int j = blockIdx.x * SIDE + threadIdx.x;
    float sum = 0;

    for (int p = 0; p < n; p += SIDE) {
        x[threadIdx.y][threadIdx.x] = a[(size_t)i * n + p + threadIdx.x];
        y[threadIdx.y][threadIdx.x] = b[(size_t)(p + threadIdx.y) * n + j];
        __syncthreads();
        for (int q = 0; q < SIDE; q++)
            sum += x[threadIdx.y][q] * y[q][threadIdx.x];
        __syncthreads();
    }
    c[(size_t)i * n + j] = sum;
}

/* multiply by tiles of sixteen as a way */
static void by_sixteen(char ta, char tb, int m, int n, int k, float alpha,
                       const float *a, int lda, const float *b, int ldb,
                       float beta, float *c, int ldc, cudaStream_t stream)
{
    CHECK(ta == 'N' && tb == 'N' && m == n && k == n && n % SIDE == 0 &&
              lda == n && ldb == n && ldc == n && alpha == 1 && beta == 0,
          "only square products, of multiples of %d, without gaps", SIDE);
    multiply_sixteen<<<dim3(n / SIDE, n / SIDE), dim3(SIDE, SIDE), 0, stream>>>(
        n, a, b, c);
    CUDA_LAUNCH_CHECK();
}

int main(int argc, char **argv)
{
    static const struct way ways[] = {{"sixteen", by_sixteen}, {NULL, NULL}};
    struct arg args[] = {ARG_SIZE("n", 128, 16, 4096)};
    uint64_t seed =
        args_parse(argc, argv, "tiles of sixteen", args, ARG_COUNT(args));
    int n = (int)args[0].value;

    try_product(ways, 'N', 'N', n, n, n, &trials[0], seed);
    printf("sixteen,%d,global_read_sectors,%zu\n", n, (size_t)n * n * n / 64);
    return 0;
}
