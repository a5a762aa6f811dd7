/* cuda_runtime.h: what nvcc gives a .cu file, for g++ and clang++. In C it is
   the runtime's calls alone. */
#ifndef LOOM_CUDA_RUNTIME_H
#define LOOM_CUDA_RUNTIME_H

/* include what nvcc includes */
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "loom/cuda_runtime_api.h"

#ifdef __cplusplus
#include <initializer_list>
#include <type_traits>
#include <tuple>
#include <utility>
#define __LOOM__ 1   /* this is Loom */
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
extern "C" __thread char loom_dynamic[];
#define LOOM_DYNAMIC_SHARED(name, ...)                \
    __VA_ARGS__ *const name __attribute__((unused)) = \
        (__VA_ARGS__ *)loom_dynamic
#define LOOM_DYNAMIC_GLOBAL(name, ...) \
    extern __thread __VA_ARGS__ name[] __asm__("loom_dynamic")

/* declare the built-in variables */
extern "C" const __thread uint3 threadIdx;
extern "C" const __thread uint3 blockIdx;
extern "C" const __thread dim3 blockDim;
extern "C" const __thread dim3 gridDim;
constexpr int warpSize = 32;

/* turn a launch into calls */

/* describe the configuration of a launch */
/* The part between the brackets. file and line are those of the launch. */
struct loom_config {
    dim3 grid, block;
    size_t shared;
    cudaStream_t stream;
    const char *file;
    int line;

    loom_config(dim3 grid, dim3 block, size_t shared = 0,
                cudaStream_t stream = 0, const char *file = __builtin_FILE(),
                int line = __builtin_LINE())
        : grid(grid), block(block), shared(shared), stream(stream), file(file),
          line(line)
    {
    }
};

/* run a kernel with its arguments */
template <class Kernel>
struct loom_bound {
    const char *name;
    Kernel kernel;
    loom_config c;

    template <class... Args>
    void operator()(Args... args) const
    {
        auto once = [run = kernel, args...]() { run(args...); };
        auto thread = [](void *p) { (*static_cast<decltype(once) *>(p))(); };
        loom_launch l = {name,     c.file, c.line, c.grid,      c.block,
                         c.shared, thread, &once,  sizeof once, 0};

        loom_start(&l, c.stream);
    }
};

/* let a zero be a number or a pointer */
struct loom_zero {
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
T loom_number(T x)
{
    return x;
}
static inline int loom_number(loom_zero)
{
    return 0;
}
#define LOOM_ZEROS(...)                                                 \
    [=](auto... loom_a) {                                               \
        auto loom_try = [=](auto... b) -> decltype(__VA_ARGS__(b...)) { \
            return __VA_ARGS__(b...);                                   \
        };                                                              \
        if constexpr (std::is_invocable<decltype(loom_try),             \
                                        decltype(loom_number(           \
                                            loom_a))...>::value)        \
            __VA_ARGS__(loom_number(loom_a)...);                        \
        else                                                            \
            __VA_ARGS__(loom_a...);                                     \
    }

/* hold a kernel until its arguments are known */
template <class Kernel>
struct loom_named {
    const char *name;
    Kernel kernel;

    loom_bound<Kernel> operator()(const loom_config &c) const
    {
        return {name, kernel, c};
    }
};

template <class Kernel>
loom_named<Kernel> loom_kernel(const char *name, Kernel kernel)
{
    return {name, kernel};
}

/* pass typed pointers to the runtime */
#define LOOM_ALLOCATOR(call, kind, ...)                          \
    template <class T>                                           \
    cudaError_t call(T **p, size_t bytes, ##__VA_ARGS__,         \
                     const char *file = __builtin_FILE(),        \
                     int line = __builtin_LINE())                \
    {                                                            \
        return loom_malloc((void **)p, bytes, kind, file, line); \
    }
LOOM_ALLOCATOR(cudaMalloc, LOOM_DEVICE)
LOOM_ALLOCATOR(cudaMallocManaged, LOOM_MANAGED, unsigned = cudaMemAttachGlobal)
LOOM_ALLOCATOR(cudaMallocHost, LOOM_HOST, unsigned = cudaHostAllocDefault)
LOOM_ALLOCATOR(cudaHostAlloc, LOOM_HOST, unsigned)
LOOM_ALLOCATOR(cudaMallocAsync, LOOM_DEVICE, cudaStream_t)

template <class T>
cudaError_t cudaMemcpyToSymbol(T &symbol, const void *from, size_t count,
                               size_t offset = 0,
                               cudaMemcpyKind = cudaMemcpyHostToDevice)
{
    return loom_symbol((void *)&symbol, sizeof symbol, (void *)from, count,
                       offset, 1);
}

template <class T>
cudaError_t cudaMemcpyFromSymbol(void *to, const T &symbol, size_t count,
                                 size_t offset = 0,
                                 cudaMemcpyKind = cudaMemcpyDeviceToHost)
{
    return loom_symbol((void *)&symbol, sizeof symbol, to, count, offset, 0);
}

/* launch with an array of arguments */
template <class... P, size_t... I>
cudaError_t loom_call(void (*kernel)(P...), std::index_sequence<I...>,
                      void **args, loom_launch l, cudaStream_t stream)
{
    auto once = [kernel, values = std::tuple<std::decay_t<P>...>(
                             *(std::decay_t<P> *)args[I]...)]() {
        kernel(std::get<I>(values)...);
    };

    l.thread = [](void *p) { (*static_cast<decltype(once) *>(p))(); };
    l.args = &once;
    l.bytes = sizeof once;
    return loom_start(&l, stream);
}

template <class... P>
cudaError_t
loom_launch_call(int cooperative, const char *name, void (*kernel)(P...),
                 dim3 grid, dim3 block, void **args, size_t shared = 0,
                 cudaStream_t stream = 0, const char *file = __builtin_FILE(),
                 int line = __builtin_LINE())
{
    return loom_call(
        kernel, std::index_sequence_for<P...>(), args,
        {name, file, line, grid, block, shared, NULL, NULL, 0, cooperative},
        stream);
}
#define cudaLaunchKernel(...) \
    loom_launch_call(0, loom_first_name(#__VA_ARGS__), __VA_ARGS__)
#define cudaLaunchCooperativeKernel(...) \
    loom_launch_call(1, loom_first_name(#__VA_ARGS__), __VA_ARGS__)

/* ask about kernels */
#define cudaFuncSetAttribute(...) \
    loom_attribute(loom_first_name(#__VA_ARGS__), __VA_ARGS__)
template <class Kernel>
cudaError_t loom_attribute(const char *name, Kernel,
                           enum cudaFuncAttribute attribute, int value)
{
    return loom_set_attribute(name, attribute, value);
}

#define cudaFuncGetAttributes(attributes, ...) \
    loom_attributes(attributes, loom_first_name(#__VA_ARGS__), __VA_ARGS__)
template <class Kernel>
cudaError_t loom_attributes(cudaFuncAttributes *a, const char *name, Kernel)
{
    return loom_get_attributes(a, name);
}

template <class Kernel>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, Kernel,
                                                          int threads,
                                                          size_t shared)
{
    return loom_occupancy(blocks, threads, shared);
}

/* refuse what is missing */
#define LOOM_LACKS(what) __attribute__((error("Loom lacks " what " so far")))
#define LOOM_LACKS_CALL(name) \
    template <class... A>     \
    LOOM_LACKS(#name)         \
    int name(A...);
LOOM_LACKS_CALL(cudaMallocPitch)
LOOM_LACKS_CALL(cudaMalloc3D)
LOOM_LACKS_CALL(cudaMallocArray)
LOOM_LACKS_CALL(cudaMemcpy3D)
LOOM_LACKS_CALL(cudaMemcpyToArray)
LOOM_LACKS_CALL(cudaMemcpyPeer)
LOOM_LACKS_CALL(cudaCreateTextureObject)
LOOM_LACKS_CALL(cudaCreateSurfaceObject)
LOOM_LACKS_CALL(cudaGraphCreate)
LOOM_LACKS_CALL(cudaGraphAddKernelNode)
LOOM_LACKS_CALL(cudaGraphExecKernelNodeSetParams)
LOOM_LACKS_CALL(cudaStreamAddCallback)
LOOM_LACKS_CALL(cudaLaunchKernelEx)
LOOM_LACKS_CALL(cudaLaunchKernelExC)
LOOM_LACKS_CALL(cudaHostRegister)
LOOM_LACKS_CALL(cudaHostGetDevicePointer)
LOOM_LACKS_CALL(cudaSetDeviceFlags)
LOOM_LACKS_CALL(cudaDeviceSetLimit)
LOOM_LACKS_CALL(cudaMemPoolCreate)
LOOM_LACKS_CALL(cudaMallocFromPoolAsync)
LOOM_LACKS_CALL(cudaIpcGetMemHandle)
LOOM_LACKS_CALL(cudaGetSymbolAddress)
LOOM_LACKS_CALL(cudaOccupancyMaxActiveClusters)

/* refuse words of the language */
LOOM_LACKS_CALL(tex1Dfetch)
LOOM_LACKS_CALL(tex2D)
LOOM_LACKS_CALL(tex3D)
LOOM_LACKS_CALL(surf2Dread)
LOOM_LACKS_CALL(surf2Dwrite)
LOOM_LACKS_CALL(__dp4a)
LOOM_LACKS_CALL(__dp2a)
LOOM_LACKS_CALL(__vadd4)
LOOM_LACKS_CALL(__shfl)
LOOM_LACKS_CALL(__shfl_up)
LOOM_LACKS_CALL(__shfl_down)
LOOM_LACKS_CALL(__shfl_xor)
LOOM_LACKS_CALL(__ballot)
LOOM_LACKS_CALL(__any)
LOOM_LACKS_CALL(__all)
#define LOOM_LACKS_TYPE(name)        \
    typedef struct loom_##name *name \
        __attribute__((unavailable("Loom lacks " #name " so far")));
LOOM_LACKS_TYPE(cudaTextureObject_t)
LOOM_LACKS_TYPE(cudaSurfaceObject_t)
LOOM_LACKS_TYPE(cudaArray_t)
LOOM_LACKS_TYPE(cudaMemPool_t)
LOOM_LACKS_TYPE(cudaLaunchConfig_t)
LOOM_LACKS_TYPE(cudaLaunchAttribute)
#define LOOM_LACKS_WORD(what) \
    static_assert(false, "Loom lacks " what " so far");
#define __cluster_dims__(...) LOOM_LACKS_WORD("__cluster_dims__")
#define __nv_tex_surf_handler LOOM_LACKS_WORD("textures")

#define printf(...) loom_printf(__VA_ARGS__)
#include "loom/device_functions.h"
#endif
#endif
