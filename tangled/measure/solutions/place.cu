/* place: ReLU over its own input gives what it gives beside it. */
#include "measure/relu.cuh"
#include "tour/rng.h"

enum { N = 1001 };

int main(void)
{
    float x[4 * N], y[2][4 * N];
    float4 *d;

    rng_fill_float(x, 4 * N, 3);
    for (int i = 0; i < 4 * N; i++)
        x[i] -= 0.5f;
    CUDA_CHECK(cudaMalloc((void **)&d, 2 * sizeof x));
    CUDA_CHECK(cudaMemcpy(d, x, sizeof x, cudaMemcpyHostToDevice));
    relu<<<blocks_for(N, 256), 256>>>(N, d, d + N);
    relu<<<blocks_for(N, 256), 256>>>(N, d, d);
    CUDA_LAUNCH_CHECK();
    CUDA_CHECK(cudaMemcpy(y[0], d, sizeof x, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaMemcpy(y[1], d + N, sizeof x, cudaMemcpyDeviceToHost));
    CHECK_ARRAY(y[0], y[1], 4 * N);
    CUDA_CHECK(cudaFree(d));
    printf("ok: in place, the same %d numbers\n", 4 * N);
    return 0;
}
