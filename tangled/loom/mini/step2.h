/* step2.h: a thread is a call; blocks run on several cores. */

/* begin a small Loom */
#include <math.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* name errors and directions */
enum cudaError_t {
    cudaSuccess = 0,
    cudaErrorMemoryAllocation = 2,
    cudaErrorInvalidConfiguration = 9
};
enum cudaMemcpyKind {
    cudaMemcpyHostToHost,
    cudaMemcpyHostToDevice,
    cudaMemcpyDeviceToHost,
    cudaMemcpyDeviceToDevice
};

/* let the words of CUDA be words of C++ */
#define __global__
#define __device__
#define __host__

/* say where a thread is */
struct dim3 {
    unsigned x, y, z;
    constexpr dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1)
        : x(x), y(y), z(z)
    {
    }
};
__thread dim3 threadIdx, blockIdx, blockDim, gridDim;

/* count places and find one */
static long count(dim3 d)
{
    return (long)d.x * d.y * d.z;
}

static dim3 place(long i, dim3 d)
{
    return dim3(i % d.x, i / d.x % d.y, i / d.x / d.y);
}

/* describe a launch to the loops */
struct work {
    dim3 grid, block;
    void (*thread)(void *args); /* runs the kernel once */
    void *args;
    long next; /* the first block that nobody has taken */
};

/* run a block as a loop */
static void run_block(const work *w)
{
    for (long t = 0; t < count(w->block); t++) {
        threadIdx = place(t, w->block);
        w->thread(w->args);
    }
}

/* take blocks until none are left */
static void *take_blocks(void *p)
{
    work *w = (work *)p;

    gridDim = w->grid;
    blockDim = w->block;
    for (;;) {
        long b = __atomic_fetch_add(&w->next, 1, __ATOMIC_RELAXED);

        if (b >= count(w->grid))
            return NULL;
        blockIdx = place(b, w->grid);
        run_block(w);
    }
}

/* share the blocks among OS threads */
enum { CORES = 4 };

static void run_grid(work *w)
{
    pthread_t other[CORES];

    for (int i = 1; i < CORES; i++)
        pthread_create(&other[i], NULL, take_blocks, w);
    take_blocks(w);
    for (int i = 1; i < CORES; i++)
        pthread_join(other[i], NULL);
}

/* lend the host's memory */
template <class T>
cudaError_t cudaMalloc(T **p, size_t bytes)
{
    *p = (T *)malloc(bytes);
    return *p || bytes == 0 ? cudaSuccess : cudaErrorMemoryAllocation;
}

static cudaError_t cudaFree(void *p)
{
    free(p);
    return cudaSuccess;
}

/* launch a kernel */
static cudaError_t last_error;

template <class... P>
struct launcher {
    void (*kernel)(P...);
    dim3 grid, block;

    void operator()(P... args)
    {
        auto once = [&] { kernel(args...); };
        work w = {grid, block,
                  [](void *p) { (*static_cast<decltype(once) *>(p))(); }, &once,
                  0};

        if (count(grid) < 1 || count(block) < 1 || count(block) > 1024)
            last_error = cudaErrorInvalidConfiguration;
        else
            run_grid(&w);
    }
};

template <class... P>
launcher<P...> launch(void (*kernel)(P...), dim3 grid, dim3 block)
{
    return {kernel, grid, block};
}

/* answer the host */
[[maybe_unused]] static cudaError_t cudaMemcpy(void *to, const void *from,
                                               size_t bytes, cudaMemcpyKind)
{
    memcpy(to, from, bytes);
    return cudaSuccess;
}

[[maybe_unused]] static cudaError_t cudaMemset(void *p, int c, size_t bytes)
{
    memset(p, c, bytes);
    return cudaSuccess;
}

[[maybe_unused]] static cudaError_t cudaGetLastError(void)
{
    cudaError_t e = last_error;

    last_error = cudaSuccess;
    return e;
}

[[maybe_unused]] static cudaError_t cudaDeviceSynchronize(void)
{
    return cudaSuccess;
}
#define cudaMallocManaged cudaMalloc

/* name an error */

[[maybe_unused]] static const char *cudaGetErrorName(cudaError_t e)
{
    return e == cudaSuccess                 ? "cudaSuccess"
           : e == cudaErrorMemoryAllocation ? "cudaErrorMemoryAllocation"
                                            : "cudaErrorInvalidConfiguration";
}

[[maybe_unused]] static const char *cudaGetErrorString(cudaError_t e)
{
    return e == cudaSuccess                 ? "no error"
           : e == cudaErrorMemoryAllocation ? "out of memory"
                                            : "invalid configuration argument";
}
