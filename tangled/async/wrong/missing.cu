/* wrong: run: the user: y\[0\] is */
/* wrong: gpu: the user: y\[0\] is */
#include "async/pieces.cuh"

static void make_and_use(size_t n, int steps, uint64_t seed)
{
    size_t bytes = n * sizeof(float4);
    float4 *h = (float4 *)check_alloc(2 * n, sizeof *h), *d_x, *d_y, *d_z;
    cudaStream_t maker, user;
    cudaEvent_t made;

    /* prepare for the hand-over */
    rng_fill_float((float *)h, 4 * n, seed);
    CUDA_CHECK(cudaMalloc((void **)&d_x, 3 * bytes));
    d_y = d_x + n;
    d_z = d_y + n;
    CUDA_CHECK(cudaMemcpy(d_x, h, bytes, cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemset(d_y, 0xff, 2 * bytes));
    CUDA_CHECK(cudaStreamCreateWithFlags(&maker, cudaStreamNonBlocking));
    CUDA_CHECK(cudaStreamCreateWithFlags(&user, cudaStreamNonBlocking));
    CUDA_CHECK(cudaEventCreateWithFlags(&made, cudaEventDisableTiming));
    CUDA_CHECK(cudaDeviceSynchronize()); /* nonblocking streams do not wait */
    walk<<<blocks_for(n, 128), 128, 0, maker>>>(n, steps, STEP_A, STEP_B, d_x,
                                                d_y);
    walk<<<blocks_for(n, 128), 128, 0, user>>>(n, 1, STEP_A, STEP_B, d_y, d_z);
    CUDA_LAUNCH_CHECK();
    CUDA_CHECK(cudaDeviceSynchronize());
    CUDA_CHECK(cudaMemcpy(h + n, d_z, bytes, cudaMemcpyDeviceToHost));
    check_walk("the user", (float *)h, (float *)(h + n), 0, 4 * n, steps + 1);
    /* clear up behind the hand-over */
    CUDA_CHECK(cudaEventDestroy(made));
    CUDA_CHECK(cudaStreamDestroy(maker));
    CUDA_CHECK(cudaStreamDestroy(user));
    CUDA_CHECK(cudaFree(d_x));
    free(h);
}

int main(void)
{
    make_and_use(10, 1 << 20, 1);
}
