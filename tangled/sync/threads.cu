/* threads: several threads of the host launch kernels at the same time. */
#include <pthread.h>
#include <stdio.h>

#include "kernels/launch.h"
#include "tour/args.h"

/* kernels of several host threads */
__global__ void bump(unsigned n, unsigned *a)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        a[i] += 1; /* not atomic: no other kernel may run at the same time */
}

__global__ void count_launch(unsigned *count)
{
    if (threadIdx.x == 0)
        atomicAdd(count, 1);
}

/* be one of the host's threads */
struct worker {
    pthread_t id;
    int number, errors;
    unsigned n, launches;
    unsigned *d_own, *d_shared, *d_count;
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
        count_launch<<<1, 32, 0, mine>>>(w->d_count);
    }
    CUDA_LAUNCH_CHECK();
    if (w->number == 0)
        bump<<<1, 2000, 0, mine>>>(w->n, w->d_own); /* refused */
    w->errors = cudaGetLastError() != cudaSuccess;
    CUDA_CHECK(cudaStreamSynchronize(mine));
    CUDA_CHECK(cudaStreamDestroy(mine));
    return NULL;
}

/* start the threads and wait for them */
enum { MOST = 64 };
static struct worker workers[MOST];

static unsigned *start(const struct arg *args)
{
    int threads = (int)args[0].value;
    size_t n = (size_t)args[1].value, words = n * (threads + 1) + 1;
    unsigned *d;

    CUDA_CHECK(cudaMalloc((void **)&d, words * sizeof *d));
    CUDA_CHECK(cudaMemset(d, 0, words * sizeof *d));
    CUDA_CHECK(cudaDeviceSynchronize()); /* the workers' streams do not wait */
    for (int t = 0; t < threads; t++) {
        struct worker *w = &workers[t];

        w->number = t;
        w->n = (unsigned)n;
        w->launches = (unsigned)args[2].value;
        w->d_own = d + n * (t + 1);
        w->d_shared = d;
        w->d_count = d + words - 1;
        CHECK(pthread_create(&w->id, NULL, work, w) == 0,
              "thread %d cannot be made", t);
    }
    for (int t = 0; t < threads; t++)
        CHECK(pthread_join(workers[t].id, NULL) == 0, "thread %d", t);
    return d;
}

/* check what the threads left */
static void check_all(const struct arg *args, const unsigned *d)
{
    unsigned threads = (unsigned)args[0].value;
    unsigned launches = (unsigned)args[2].value;
    size_t n = (size_t)args[1].value, words = n * (threads + 1) + 1;
    unsigned *h = (unsigned *)check_alloc(words, sizeof *h);

    CUDA_CHECK(cudaDeviceSynchronize());
    CUDA_CHECK(cudaMemcpy(h, d, words * sizeof *h, cudaMemcpyDeviceToHost));
    for (size_t i = 0; i < n; i++)
        CHECK(h[i] == threads * launches, "shared element %zu is %u, not %u", i,
              h[i], threads * launches);
    for (size_t i = n; i < words - 1; i++)
        CHECK(h[i] == launches, "thread %zu's element %zu is %u, not %u",
              i / n - 1, i % n, h[i], launches);
    CHECK(h[words - 1] == threads * launches, "%u launches counted, not %u",
          h[words - 1], threads * launches);
    for (unsigned t = 0; t < threads; t++)
        CHECK(workers[t].errors == (t == 0), "thread %u saw %d errors", t,
              workers[t].errors);
    free(h);
}

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("threads", 8, 1, MOST),
                         ARG_SIZE("n", 1000, 1, 1 << 24),
                         ARG_SIZE("launches", 50, 0, 100000)};
    unsigned *d;

    args_parse(argc, argv, "host threads that launch", args, ARG_COUNT(args));
    d = start(args);
    check_all(args, d);
    CUDA_CHECK(cudaFree(d));
    printf("ok: %d threads, %d launches each, one of them refused\n",
           (int)args[0].value, (int)args[2].value);
    return 0;
}
