/* matmul: a batch of matrix products, one thread for each element. */
#include <stdio.h>

#include "kernels/launch.h"
#include "tour/args.h"
#include "tour/rng.h"

/* multiply a batch, one thread an element */
__global__ void batched_matmul(int m, int n, int k, const float *a,
                               const float *b, float *c)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    size_t matrix = blockIdx.z;
    float sum = 0;

    if (row >= m || col >= n)
        return;
    a += matrix * m * k + (size_t)row * k;
    b += matrix * k * n + col;
    for (int i = 0; i < k; i++)
        sum += a[i] * b[(size_t)i * n];
    c[matrix * m * n + (size_t)row * n + col] = sum;
}

/* multiply a batch on the CPU */
static void matmul_reference(int batch, int m, int n, int k, const float *a,
                             const float *b, float *c)
{
    for (int s = 0; s < batch; s++) {
        for (int i = 0; i < m; i++)
            for (int j = 0; j < n; j++) {
                float sum = 0;

                for (int l = 0; l < k; l++)
                    sum += a[(size_t)i * k + l] * b[(size_t)l * n + j];
                *c++ = sum;
            }
        a += (size_t)m * k;
        b += (size_t)k * n;
    }
}

/* compare the products */
static void compare(int batch, int m, int n, int k, uint64_t seed)
{
    size_t na = (size_t)batch * m * k, nb = (size_t)batch * k * n;
    size_t nc = (size_t)batch * m * n;
    float *h_a = (float *)check_alloc(na + nb, sizeof(float));
    float *h_c = (float *)check_alloc(nc, sizeof(float));
    float *h_want = (float *)check_alloc(nc, sizeof(float)), *d_a, *d_c;
    dim3 block(32, 8);
    dim3 grid((unsigned)ceil_div((size_t)n, 32),
              (unsigned)ceil_div((size_t)m, 8), (unsigned)batch);

    rng_fill_small(h_a, na + nb, seed);
    matmul_reference(batch, m, n, k, h_a, h_a + na, h_want);
    CUDA_CHECK(cudaMalloc((void **)&d_a, (na + nb) * sizeof(float)));
    CUDA_CHECK(cudaMalloc((void **)&d_c, nc * sizeof(float)));
    CUDA_CHECK(cudaMemcpy(d_a, h_a, (na + nb) * sizeof(float),
                          cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemset(d_c, 0xff, nc * sizeof(float)));
    batched_matmul<<<grid, block>>>(m, n, k, d_a, d_a + na, d_c);
    CUDA_LAUNCH_CHECK();
    /* compare the products with the reference and free */
    CUDA_CHECK(
        cudaMemcpy(h_c, d_c, nc * sizeof(float), cudaMemcpyDeviceToHost));
    CHECK_ARRAY(h_c, h_want, nc);
    CUDA_CHECK(cudaFree(d_a));
    CUDA_CHECK(cudaFree(d_c));
    free(h_a);
    free(h_c);
    free(h_want);
}

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("batch", 3, 1, 65535),
                         ARG_SIZE("m", 17, 1, 4096), ARG_SIZE("n", 33, 1, 4096),
                         ARG_SIZE("k", 9, 1, 4096)};
    uint64_t seed = args_parse(argc, argv, "a batch of matrix products", args,
                               ARG_COUNT(args));
    int batch = (int)args[0].value, m = (int)args[1].value;
    int n = (int)args[2].value, k = (int)args[3].value;

    compare(batch, m, n, k, seed);
    printf("ok: %d products of %d x %d by %d x %d\n", batch, m, k, k, n);
    return 0;
}
