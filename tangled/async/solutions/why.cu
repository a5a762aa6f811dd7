/* why: the same copies from pageable and from pinned memory. */
#include "kernels/launch.h"

enum { N = 4096 };
static float data[N];

/* double each element */
__global__ void twice(const float *x, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    y[i] = 2 * x[i];
}

/* send both halves through two streams */
/* Both halves of `from` through two streams, into got. */
static void through_streams(const float *from, float *got)
{
    cudaStream_t s[2];
    float *d;

    CUDA_CHECK(cudaMalloc((void **)&d, 2 * N * sizeof *d));
    for (int k = 0; k < 2; k++) {
        int at = k * N / 2;

        CUDA_CHECK(cudaStreamCreateWithFlags(&s[k], cudaStreamNonBlocking));
        CUDA_CHECK(cudaMemcpyAsync(d + at, from + at, N / 2 * sizeof *d,
                                   cudaMemcpyHostToDevice, s[k]));
        twice<<<N / 2 / 128, 128, 0, s[k]>>>(d + at, d + N + at);
        CUDA_LAUNCH_CHECK();
        CUDA_CHECK(cudaMemcpyAsync(got + at, d + N + at, N / 2 * sizeof *d,
                                   cudaMemcpyDeviceToHost, s[k]));
    }
    for (int k = 0; k < 2; k++) {
        CUDA_CHECK(cudaStreamSynchronize(s[k]));
        CUDA_CHECK(cudaStreamDestroy(s[k]));
    }
    CUDA_CHECK(cudaFree(d));
}

int main(void)
{
    static float got[N];
    float *pinned;

    CUDA_CHECK(cudaMallocHost((void **)&pinned, 2 * sizeof data));
    for (int i = 0; i < N; i++)
        pinned[i] = data[i] = (float)i;
    through_streams(data, got);
    through_streams(pinned, pinned + N);
    for (int i = 0; i < N; i++)
        CHECK(got[i] == 2.0f * i && pinned[N + i] == got[i], "element %d", i);
    CUDA_CHECK(cudaFreeHost(pinned));
    printf("ok: the same %d numbers from both kinds of memory\n", N);
    return 0;
}
