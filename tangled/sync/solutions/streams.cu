/* streams: host threads, each with its own default stream, share an array. */
#include <pthread.h>
#include <stdio.h>

#include "kernels/launch.h"
#include "tour/args.h"

/* bump from the thread's default stream */
__global__ void bump_atomic(unsigned n, unsigned *a)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        atomicAdd(&a[i], 1);
}

enum { N = 300, THREADS = 4, LAUNCHES = 25 };

static void *bump_often(void *shared)
{
    for (int k = 0; k < LAUNCHES; k++)
        bump_atomic<<<(N + 127) / 128, 128, 0, cudaStreamPerThread>>>(
            N, (unsigned *)shared);
    CUDA_LAUNCH_CHECK();
    CUDA_CHECK(cudaStreamSynchronize(cudaStreamPerThread));
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t id[THREADS];
    unsigned h[N], *d;

    args_parse(argc, argv, "per-thread default streams", NULL, 0);
    CUDA_CHECK(cudaMalloc((void **)&d, sizeof h));
    CUDA_CHECK(cudaMemset(d, 0, sizeof h));
    for (int t = 0; t < THREADS; t++)
        CHECK(pthread_create(&id[t], NULL, bump_often, d) == 0, "thread %d", t);
    for (int t = 0; t < THREADS; t++)
        CHECK(pthread_join(id[t], NULL) == 0, "thread %d", t);
    CUDA_CHECK(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
    for (int i = 0; i < N; i++)
        CHECK(h[i] == THREADS * LAUNCHES, "element %d is %u, not %d", i, h[i],
              THREADS * LAUNCHES);
    CUDA_CHECK(cudaFree(d));
    printf("ok: %d threads, %d launches each\n", (int)THREADS, (int)LAUNCHES);
    return 0;
}
