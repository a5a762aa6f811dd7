/* cuda_runtime.h: what nvcc gives a .cu file, for g++ and clang++. In C it is
   the runtime's calls alone. */
#ifndef MACHINE_CUDA_RUNTIME_H
#define MACHINE_CUDA_RUNTIME_H

/* include what nvcc includes */
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "machine/cuda_runtime_api.h"

#ifdef __cplusplus
#include <initializer_list>
#define __SIMT__ 1   /* this is the machine */
#define __CUDACC__ 1 /* this is CUDA */

/* define CUDA's qualifiers */
#define __global__
#define __device__
#define __host__
#define __constant__
#define __managed__
#define __grid_constant__
#define __launch_bounds__(...)
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __align__(n) __attribute__((aligned(n)))

/* refuse shared memory */
#define __shared__                                                             \
    static_assert(false, "the machine lacks __shared__ so far: in direct mode" \
                         " threads run one after another, and none can wait"); \
    static
#define SIMT_DYNAMIC_SHARED(name, ...) __shared__ __VA_ARGS__ name[1]

/* declare the built-in variables */
extern "C" const __thread uint3 threadIdx;
extern "C" const __thread uint3 blockIdx;
extern "C" const __thread dim3 blockDim;
extern "C" const __thread dim3 gridDim;
constexpr int warpSize = 32;

/* describe the configuration of a launch */
/* The part between the brackets. file and line are those of the launch. */
struct simt_config {
    dim3 grid, block;
    size_t shared;
    cudaStream_t stream;
    const char *file;
    int line;

    simt_config(dim3 grid, dim3 block, size_t shared = 0,
                cudaStream_t stream = 0, const char *file = __builtin_FILE(),
                int line = __builtin_LINE())
        : grid(grid), block(block), shared(shared), stream(stream), file(file),
          line(line)
    {
    }
};

/* run a kernel with its arguments */
template <class Kernel>
struct simt_bound {
    const char *name;
    Kernel kernel;
    simt_config c;

    template <class... Args>
    void operator()(Args... args) const
    {
        auto once = [this, args...]() { kernel(args...); };
        auto thread = [](void *p) { (*static_cast<decltype(once) *>(p))(); };
        simt_launch l = {name,    c.file,   c.line, c.grid,
                         c.block, c.shared, thread, &once};

        simt_start(&l, c.stream);
    }
};
template <class Kernel>
struct simt_named {
    const char *name;
    Kernel kernel;

    simt_bound<Kernel> operator()(const simt_config &c) const
    {
        return {name, kernel, c};
    }
};

template <class Kernel>
simt_named<Kernel> simt_kernel(const char *name, Kernel kernel)
{
    return {name, kernel};
}

/* pass typed pointers to the runtime */
#define SIMT_ALLOCATOR(call, kind, ...)                          \
    template <class T>                                           \
    cudaError_t call(T **p, size_t bytes, ##__VA_ARGS__,         \
                     const char *file = __builtin_FILE(),        \
                     int line = __builtin_LINE())                \
    {                                                            \
        return simt_malloc((void **)p, bytes, kind, file, line); \
    }
SIMT_ALLOCATOR(cudaMalloc, SIMT_DEVICE)
SIMT_ALLOCATOR(cudaMallocManaged, SIMT_MANAGED, unsigned = cudaMemAttachGlobal)
SIMT_ALLOCATOR(cudaMallocHost, SIMT_HOST, unsigned = cudaHostAllocDefault)
SIMT_ALLOCATOR(cudaHostAlloc, SIMT_HOST, unsigned)

template <class T>
cudaError_t cudaMemcpyToSymbol(T &symbol, const void *from, size_t count,
                               size_t offset = 0,
                               cudaMemcpyKind = cudaMemcpyHostToDevice)
{
    return simt_symbol((void *)&symbol, sizeof symbol, (void *)from, count,
                       offset, 1);
}

template <class T>
cudaError_t cudaMemcpyFromSymbol(void *to, const T &symbol, size_t count,
                                 size_t offset = 0,
                                 cudaMemcpyKind = cudaMemcpyDeviceToHost)
{
    return simt_symbol((void *)&symbol, sizeof symbol, to, count, offset, 0);
}

#define printf(...) simt_printf(__VA_ARGS__)
#include "machine/device_functions.h"
#endif
#endif
