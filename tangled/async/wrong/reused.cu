/* wrong: run: the copy: y\[0\] is */
/* wrong: gpu: the copy: y\[0\] is */
#include "async/pieces.cuh"

int main(void)
{
    enum { N = 10 };
    static float want[4 * N], got[4 * N];
    float4 *h, *d_x, *d_y;
    cudaStream_t s;

    CUDA_CHECK(cudaMallocHost((void **)&h, N * sizeof *h));
    CUDA_CHECK(cudaMalloc((void **)&d_x, 2 * N * sizeof *d_x));
    CUDA_CHECK(cudaMemset(d_x, 0, 2 * N * sizeof *d_x));
    CUDA_CHECK(cudaStreamCreate(&s));
    d_y = d_x + N;
    rng_fill_float((float *)h, 4 * N, 1);
    memcpy(want, h, sizeof want);
    walk<<<blocks_for(N, 128), 128, 0, s>>>(N, 1 << 20, STEP_A, STEP_B, d_x,
                                            d_y);
    CUDA_LAUNCH_CHECK();
    CUDA_CHECK(cudaMemcpyAsync(d_x, h, sizeof want, cudaMemcpyHostToDevice, s));
    memset(h, 0, sizeof want); /* the copy has not begun */
    CUDA_CHECK(cudaStreamSynchronize(s));
    CUDA_CHECK(cudaMemcpy(got, d_x, sizeof got, cudaMemcpyDeviceToHost));
    check_walk("the copy", want, got, 0, 4 * N, 0);
}
