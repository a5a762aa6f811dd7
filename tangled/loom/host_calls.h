/* host_calls.h: the forms that calls of the runtime have in C++ alone. */
#ifndef LOOM_HOST_CALLS_H
#define LOOM_HOST_CALLS_H

/* pass typed pointers to pools */
template <class T>
cudaError_t cudaMallocAsync(T **p, size_t bytes, cudaStream_t s,
                            const char *file = __builtin_FILE(),
                            int line = __builtin_LINE())
{
    return loom_malloc_async((void **)p, bytes, 0, s, file, line);
}

template <class T>
cudaError_t cudaMallocAsync(T **p, size_t bytes, cudaMemPool_t pool,
                            cudaStream_t s, const char *file = __builtin_FILE(),
                            int line = __builtin_LINE())
{
    return loom_malloc_async((void **)p, bytes, pool, s, file, line);
}

template <class T>
cudaError_t cudaMallocFromPoolAsync(T **p, size_t bytes, cudaMemPool_t pool,
                                    cudaStream_t s,
                                    const char *file = __builtin_FILE(),
                                    int line = __builtin_LINE())
{
    return loom_malloc_async((void **)p, bytes, pool, s, file, line);
}

static inline cudaError_t cudaEventCreate(cudaEvent_t *e, unsigned flags)
{
    return cudaEventCreateWithFlags(e, flags);
}

template <class T>
cudaError_t cudaHostGetDevicePointer(T **device, void *host, unsigned flags)
{
    return loom_host_pointer((void **)device, host, flags);
}

template <class T>
cudaError_t cudaStreamAttachMemAsync(cudaStream_t s, T *p, size_t length = 0,
                                     unsigned flags = cudaMemAttachSingle)
{
    return cudaStreamAttachMemAsync(s, (void *)p, length, flags);
}

/* ask about symbols */
template <class T, class Symbol>
cudaError_t cudaGetSymbolAddress(T **p, const Symbol &symbol)
{
    *p = (T *)(void *)&symbol;
    return cudaSuccess;
}

template <class Symbol>
cudaError_t cudaGetSymbolSize(size_t *bytes, const Symbol &symbol)
{
    *bytes = sizeof symbol;
    return cudaSuccess;
}

template <class T>
cudaError_t cudaMemcpyToSymbolAsync(T &symbol, const void *from, size_t count,
                                    size_t offset, cudaMemcpyKind,
                                    cudaStream_t s = 0)
{
    loom_finish(s);
    return cudaMemcpyToSymbol(symbol, from, count, offset);
}

template <class T>
cudaError_t cudaMemcpyFromSymbolAsync(void *to, const T &symbol, size_t count,
                                      size_t offset, cudaMemcpyKind,
                                      cudaStream_t s = 0)
{
    loom_finish(s);
    return cudaMemcpyFromSymbol(to, symbol, count, offset);
}

/* ask about occupancy */
template <class Kernel>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int *blocks, Kernel kernel, int threads, size_t shared, unsigned)
{
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, kernel,
                                                         threads, shared);
}

template <class Kernel>
cudaError_t cudaOccupancyMaxPotentialBlockSize(int *grid, int *block, Kernel,
                                               size_t shared = 0, int limit = 0)
{
    return loom_best_block(grid, block, NULL, NULL, shared, limit);
}

template <class Kernel>
cudaError_t
cudaOccupancyMaxPotentialBlockSizeWithFlags(int *grid, int *block, Kernel,
                                            size_t shared = 0, int limit = 0,
                                            unsigned = 0)
{
    return loom_best_block(grid, block, NULL, NULL, shared, limit);
}

template <class Kernel, class Shared>
cudaError_t
cudaOccupancyMaxPotentialBlockSizeVariableSMem(int *grid, int *block, Kernel,
                                               Shared shared, int limit = 0)
{
    auto call = [](int threads, void *f) -> size_t {
        return (*static_cast<Shared *>(f))(threads);
    };

    return loom_best_block(grid, block, call, &shared, 0, limit);
}

template <class Kernel>
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, Kernel,
                                                      int blocks, int threads)
{
    return loom_room_for_shared(bytes, blocks, threads);
}

template <class Kernel>
cudaError_t cudaFuncSetCacheConfig(Kernel, cudaFuncCache config)
{
    return cudaDeviceSetCacheConfig(config);
}

template <class Kernel>
cudaError_t cudaFuncSetSharedMemConfig(Kernel, cudaSharedMemConfig)
{
    return cudaSuccess;
}

/* launch with a configuration */
template <class Kernel>
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *c, Kernel *kernel,
                                void **args,
                                const char *file = __builtin_FILE(),
                                int line = __builtin_LINE())
{
    loom_launch l = {};
    cudaError_t e = loom_configured(c, &l);

    l.file = file;
    l.line = line;
    return e ? e : loom_start_call(&l, (const void *)kernel, args, c->stream);
}

template <class... P, class... A>
cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *c,
                               void (*kernel)(P...), A &&...args)
{
    return [&](P... values) {
        void *list[] = {(void *)&values..., NULL};

        return cudaLaunchKernelExC(c, kernel, list);
    }(std::forward<A>(args)...);
}

/* take what older programs say */
static inline cudaMemLocation loom_place_of(int device)
{
    return {device < 0 ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice,
            device < 0 ? 0 : device};
}

static inline cudaError_t cudaMemPrefetchAsync(const void *p, size_t count,
                                               int device, cudaStream_t s = 0)
{
    return cudaMemPrefetchAsync(p, count, loom_place_of(device), 0, s);
}

static inline cudaError_t cudaMemAdvise(const void *p, size_t count,
                                        cudaMemoryAdvise advice, int device)
{
    return cudaMemAdvise(p, count, advice, loom_place_of(device));
}

static inline cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig)
{
    return cudaSuccess;
}

static inline cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig *c)
{
    *c = cudaSharedMemBankSizeFourByte;
    return cudaSuccess;
}

static inline cudaError_t cudaThreadSynchronize()
{
    return cudaDeviceSynchronize();
}

static inline cudaError_t cudaThreadExit()
{
    return cudaDeviceReset();
}

/* build graphs as older programs do */
static inline cudaError_t cudaGraphInstantiate(cudaGraphExec_t *exec,
                                               cudaGraph_t g,
                                               cudaGraphNode_t *bad, char *log,
                                               size_t bytes)
{
    if (bad)
        *bad = NULL;
    if (log && bytes)
        *log = 0;
    return cudaGraphInstantiate(exec, g, 0ull);
}

static inline cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec,
                                              cudaGraph_t g,
                                              cudaGraphNode_t *bad,
                                              cudaGraphExecUpdateResult *result)
{
    cudaGraphExecUpdateResultInfo info;
    cudaError_t e = cudaGraphExecUpdate(exec, g, &info);

    if (bad)
        *bad = info.errorNode;
    if (result)
        *result = info.result;
    return e;
}

static inline cudaError_t cudaGraphAddDependencies(cudaGraph_t g,
                                                   const cudaGraphNode_t *from,
                                                   const cudaGraphNode_t *to,
                                                   size_t n)
{
    return cudaGraphAddDependencies(g, from, to, NULL, n);
}

static inline cudaError_t cudaGraphAddNode(cudaGraphNode_t *node, cudaGraph_t g,
                                           const cudaGraphNode_t *before,
                                           size_t n, cudaGraphNodeParams *p)
{
    return cudaGraphAddNode(node, g, before, NULL, n, p);
}

template <class T>
cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t *node, cudaGraph_t g,
                                           const cudaGraphNode_t *before,
                                           size_t n, const T &symbol,
                                           const void *from, size_t count,
                                           size_t offset, cudaMemcpyKind kind)
{
    return cudaGraphAddMemcpyNode1D(
        node, g, before, n, (char *)&symbol + offset, from, count, kind);
}
template <class T>
cudaError_t
cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t *node, cudaGraph_t g,
                                 const cudaGraphNode_t *before, size_t n,
                                 void *to, const T &symbol, size_t count,
                                 size_t offset, cudaMemcpyKind kind)
{
    return cudaGraphAddMemcpyNode1D(
        node, g, before, n, to, (const char *)&symbol + offset, count, kind);
}

static inline void cudaGraphSetConditional(cudaGraphConditionalHandle h,
                                           unsigned value)
{
    loom_set_condition(h, value);
}
#endif
