/* threads: several threads of the host launch kernels at the same time. */
#include <pthread.h>
#include <stdio.h>

#include "kernels/launch.h"
#include "tour/args.h"

/* add 1 to all elements */
__global__ void bump(unsigned n, unsigned *a)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        a[i] += 1; /* not atomic: no other kernel may run at the same time */
}

/* be one of the host's threads */

/* describe a thread of the host */
struct worker {
    pthread_t id;
    int number, errors;
    unsigned n, launches, *d_own, *d_shared;
};

static void *work(void *argument)
{
    struct worker *w = (struct worker *)argument;
    unsigned blocks = (w->n + 127) / 128;
    cudaStream_t mine;

    CUDA_CHECK(cudaStreamCreateWithFlags(&mine, cudaStreamNonBlocking));
    for (unsigned k = 0; k < w->launches; k++) {
        bump<<<blocks, 128, 0, mine>>>(w->n, w->d_own);
        bump<<<blocks, 128>>>(w->n, w->d_shared);
    }
    CUDA_LAUNCH_CHECK();
    if (w->number == 0)
        bump<<<1, 2000, 0, mine>>>(w->n, w->d_own); /* refused */
    w->errors = cudaGetLastError() != cudaSuccess;
    CUDA_CHECK(cudaStreamSynchronize(mine));
    CUDA_CHECK(cudaStreamDestroy(mine));
    return NULL;
}

enum { MOST = 64 };
static struct worker workers[MOST];

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("threads", 8, 1, MOST),
                         ARG_SIZE("n", 1000, 1, 1 << 24),
                         ARG_SIZE("launches", 50, 0, 100000)};
    unsigned threads, n, launches;

    args_parse(argc, argv, "host threads that launch", args, ARG_COUNT(args));
    threads = (unsigned)args[0].value;
    n = (unsigned)args[1].value;
    launches = (unsigned)args[2].value;
    /* start the threads and wait for them */
    size_t words = (size_t)n * (threads + 1);
    unsigned *h = (unsigned *)check_alloc(words, sizeof *h), *d;

    CUDA_CHECK(cudaMalloc((void **)&d, words * sizeof *d));
    /* clear the memory before the threads use it */
    CUDA_CHECK(cudaMemset(d, 0, words * sizeof *d));
    CUDA_CHECK(cudaDeviceSynchronize()); /* the workers' streams do not wait */
    for (unsigned t = 0; t < threads; t++) {
        struct worker *w = &workers[t];

        w->number = (int)t;
        w->n = n;
        w->launches = launches;
        w->d_own = d + (size_t)n * (t + 1);
        w->d_shared = d;
        CHECK(pthread_create(&w->id, NULL, work, w) == 0,
              "thread %u cannot be made", t);
    }
    for (unsigned t = 0; t < threads; t++)
        CHECK(pthread_join(workers[t].id, NULL) == 0, "thread %u", t);
    /* check what the threads left */
    CUDA_CHECK(cudaDeviceSynchronize());
    CUDA_CHECK(cudaMemcpy(h, d, words * sizeof *h, cudaMemcpyDeviceToHost));
    for (size_t i = 0; i < words; i++) {
        unsigned want = i < n ? threads * launches : launches;

        CHECK(h[i] == want, "element %zu of array %zu is %u, not %u", i % n,
              i / n, h[i], want);
    }
    for (unsigned t = 0; t < threads; t++)
        CHECK(workers[t].errors == (t == 0), "thread %u saw %d errors", t,
              workers[t].errors);
    CUDA_CHECK(cudaFree(d));
    free(h);
    printf("ok: %u threads, %u launches each, one of them refused\n", threads,
           launches);
    return 0;
}
