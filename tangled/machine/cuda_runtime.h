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
#include <type_traits>
#include <tuple>
#include <utility>
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

/* define shared memory */
#define __shared__ static __thread
extern "C" __thread char simt_dynamic[];
#define SIMT_DYNAMIC_SHARED(name, ...)                \
    __VA_ARGS__ *const name __attribute__((unused)) = \
        (__VA_ARGS__ *)simt_dynamic
#define SIMT_DYNAMIC_GLOBAL(name, ...) \
    extern __thread __VA_ARGS__ name[] __asm__("simt_dynamic")

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
        auto once = [run = kernel, args...]() { run(args...); };
        auto thread = [](void *p) { (*static_cast<decltype(once) *>(p))(); };
        simt_launch l = {name,     c.file, c.line, c.grid,      c.block,
                         c.shared, thread, &once,  sizeof once, 0};

        simt_start(&l, c.stream);
    }
};
struct simt_zero {
    operator int() const
    {
        return 0;
    }
    template <class T>
    operator T *() const
    {
        return nullptr;
    }
};
template <class T>
T simt_number(T x)
{
    return x;
}
static inline int simt_number(simt_zero)
{
    return 0;
}
#define SIMT_ZEROS(...)                                                 \
    [=](auto... simt_a) {                                               \
        auto simt_try = [=](auto... b) -> decltype(__VA_ARGS__(b...)) { \
            return __VA_ARGS__(b...);                                   \
        };                                                              \
        if constexpr (std::is_invocable<decltype(simt_try),             \
                                        decltype(simt_number(           \
                                            simt_a))...>::value)        \
            __VA_ARGS__(simt_number(simt_a)...);                        \
        else                                                            \
            __VA_ARGS__(simt_a...);                                     \
    }
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
SIMT_ALLOCATOR(cudaMallocAsync, SIMT_DEVICE, cudaStream_t)

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

/* launch with an array of arguments */
template <class... P, size_t... I>
cudaError_t simt_call(void (*kernel)(P...), std::index_sequence<I...>,
                      void **args, simt_launch l, cudaStream_t stream)
{
    auto once = [kernel, values = std::tuple<std::decay_t<P>...>(
                             *(std::decay_t<P> *)args[I]...)]() {
        kernel(std::get<I>(values)...);
    };

    l.thread = [](void *p) { (*static_cast<decltype(once) *>(p))(); };
    l.args = &once;
    l.bytes = sizeof once;
    return simt_start(&l, stream);
}

template <class... P>
cudaError_t
simt_launch_call(int cooperative, const char *name, void (*kernel)(P...),
                 dim3 grid, dim3 block, void **args, size_t shared = 0,
                 cudaStream_t stream = 0, const char *file = __builtin_FILE(),
                 int line = __builtin_LINE())
{
    return simt_call(
        kernel, std::index_sequence_for<P...>(), args,
        {name, file, line, grid, block, shared, NULL, NULL, 0, cooperative},
        stream);
}
#define cudaLaunchKernel(...) \
    simt_launch_call(0, simt_first_name(#__VA_ARGS__), __VA_ARGS__)
#define cudaLaunchCooperativeKernel(...) \
    simt_launch_call(1, simt_first_name(#__VA_ARGS__), __VA_ARGS__)

/* ask about kernels */
#define cudaFuncSetAttribute(...) \
    simt_attribute(simt_first_name(#__VA_ARGS__), __VA_ARGS__)
template <class Kernel>
cudaError_t simt_attribute(const char *name, Kernel,
                           enum cudaFuncAttribute attribute, int value)
{
    return simt_set_attribute(name, attribute, value);
}

#define cudaFuncGetAttributes(attributes, ...) \
    simt_attributes(attributes, simt_first_name(#__VA_ARGS__), __VA_ARGS__)
template <class Kernel>
cudaError_t simt_attributes(cudaFuncAttributes *a, const char *name, Kernel)
{
    return simt_get_attributes(a, name);
}

template <class Kernel>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, Kernel,
                                                          int threads,
                                                          size_t shared)
{
    return simt_occupancy(blocks, threads, shared);
}

/* refuse what is missing */
#define SIMT_LACKS(what) \
    __attribute__((error("the machine lacks " what " so far")))
#define SIMT_LACKS_CALL(name) \
    template <class... A>     \
    SIMT_LACKS(#name)         \
    int name(A...);
SIMT_LACKS_CALL(cudaMallocPitch)
SIMT_LACKS_CALL(cudaMalloc3D)
SIMT_LACKS_CALL(cudaMallocArray)
SIMT_LACKS_CALL(cudaMemcpy3D)
SIMT_LACKS_CALL(cudaMemcpyToArray)
SIMT_LACKS_CALL(cudaMemcpyPeer)
SIMT_LACKS_CALL(cudaCreateTextureObject)
SIMT_LACKS_CALL(cudaCreateSurfaceObject)
SIMT_LACKS_CALL(cudaGraphCreate)
SIMT_LACKS_CALL(cudaGraphAddKernelNode)
SIMT_LACKS_CALL(cudaGraphExecKernelNodeSetParams)
SIMT_LACKS_CALL(cudaStreamAddCallback)
SIMT_LACKS_CALL(cudaLaunchKernelEx)
SIMT_LACKS_CALL(cudaLaunchKernelExC)
SIMT_LACKS_CALL(cudaHostRegister)
SIMT_LACKS_CALL(cudaHostGetDevicePointer)
SIMT_LACKS_CALL(cudaSetDeviceFlags)
SIMT_LACKS_CALL(cudaDeviceSetLimit)
SIMT_LACKS_CALL(cudaMemPoolCreate)
SIMT_LACKS_CALL(cudaMallocFromPoolAsync)
SIMT_LACKS_CALL(cudaIpcGetMemHandle)
SIMT_LACKS_CALL(cudaGetSymbolAddress)
SIMT_LACKS_CALL(cudaOccupancyMaxActiveClusters)

/* refuse words of the language */
SIMT_LACKS_CALL(tex1Dfetch)
SIMT_LACKS_CALL(tex2D)
SIMT_LACKS_CALL(tex3D)
SIMT_LACKS_CALL(surf2Dread)
SIMT_LACKS_CALL(surf2Dwrite)
SIMT_LACKS_CALL(__dp4a)
SIMT_LACKS_CALL(__dp2a)
SIMT_LACKS_CALL(__vadd4)
SIMT_LACKS_CALL(__shfl)
SIMT_LACKS_CALL(__shfl_up)
SIMT_LACKS_CALL(__shfl_down)
SIMT_LACKS_CALL(__shfl_xor)
SIMT_LACKS_CALL(__ballot)
SIMT_LACKS_CALL(__any)
SIMT_LACKS_CALL(__all)
#define SIMT_LACKS_TYPE(name)        \
    typedef struct simt_##name *name \
        __attribute__((unavailable("the machine lacks " #name " so far")));
SIMT_LACKS_TYPE(cudaTextureObject_t)
SIMT_LACKS_TYPE(cudaSurfaceObject_t)
SIMT_LACKS_TYPE(cudaArray_t)
SIMT_LACKS_TYPE(cudaMemPool_t)
SIMT_LACKS_TYPE(cudaLaunchConfig_t)
SIMT_LACKS_TYPE(cudaLaunchAttribute)
#define SIMT_LACKS_WORD(what) \
    static_assert(false, "the machine lacks " what " so far");
#define __cluster_dims__(...) SIMT_LACKS_WORD("__cluster_dims__")
#define __nv_tex_surf_handler SIMT_LACKS_WORD("textures")

#define printf(...) simt_printf(__VA_ARGS__)
#include "machine/device_functions.h"
#endif
#endif
