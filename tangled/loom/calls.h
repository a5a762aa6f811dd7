/* calls.h: calls of the runtime about devices, host memory, pools, kernels.
   C11 and C++17. */
#ifndef LOOM_CALLS_H
#define LOOM_CALLS_H

#include "loom/cuda_runtime_api.h"

#ifdef __cplusplus
extern "C" {
#endif

/* declare calls about devices */
cudaError_t cudaSetDeviceFlags(unsigned int flags);
cudaError_t cudaGetDeviceFlags(unsigned int *flags);
cudaError_t cudaInitDevice(int device, unsigned int device_flags,
                           unsigned int flags);
cudaError_t cudaSetValidDevices(int *list, int n);
cudaError_t cudaChooseDevice(int *device, const struct cudaDeviceProp *wish);
cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value);
cudaError_t cudaDeviceGetLimit(size_t *value, enum cudaLimit limit);
cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache config);
cudaError_t cudaDeviceGetCacheConfig(enum cudaFuncCache *config);
cudaError_t cudaCtxResetPersistingL2Cache(void);
cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest);
cudaError_t cudaDeviceGetPCIBusId(char *id, int length, int device);
cudaError_t cudaDeviceGetByPCIBusId(int *device, const char *id);
cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer);
cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned int flags);
cudaError_t cudaDeviceDisablePeerAccess(int peer);
cudaError_t cudaProfilerStart(void);
cudaError_t cudaProfilerStop(void);

/* declare calls about streams */
typedef void (*cudaStreamCallback_t)(cudaStream_t s, cudaError_t e, void *data);
cudaError_t cudaStreamCreateWithPriority(cudaStream_t *s, unsigned int flags,
                                         int priority);
cudaError_t cudaStreamGetPriority(cudaStream_t s, int *priority);
cudaError_t cudaStreamGetFlags(cudaStream_t s, unsigned int *flags);
cudaError_t cudaStreamGetId(cudaStream_t s, unsigned long long *id);
cudaError_t cudaStreamGetDevice(cudaStream_t s, int *device);
cudaError_t cudaStreamAddCallback(cudaStream_t s, cudaStreamCallback_t callback,
                                  void *data, unsigned int flags);
cudaError_t cudaStreamAttachMemAsync(cudaStream_t s, void *p,
                                     size_t length LOOM_OR(0),
                                     unsigned int flags LOOM_OR(4));
cudaError_t cudaStreamSetAttribute(cudaStream_t s, cudaStreamAttrID id,
                                   const cudaStreamAttrValue *value);
cudaError_t cudaStreamGetAttribute(cudaStream_t s, cudaStreamAttrID id,
                                   cudaStreamAttrValue *value);
cudaError_t cudaStreamCopyAttributes(cudaStream_t to, cudaStream_t from);
cudaError_t cudaEventRecordWithFlags(cudaEvent_t e, cudaStream_t s LOOM_OR(0),
                                     unsigned int flags LOOM_OR(0));

/* declare calls about memory */
cudaError_t cudaHostRegister(void *p, size_t bytes, unsigned int flags);
cudaError_t cudaHostUnregister(void *p);
cudaError_t loom_host_pointer(void **device, void *host, unsigned int flags);
cudaError_t cudaHostGetFlags(unsigned int *flags, void *p);
cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *a,
                                     const void *p);
cudaError_t cudaMemAdvise(const void *p, size_t bytes,
                          enum cudaMemoryAdvise advice,
                          struct cudaMemLocation where);
cudaError_t cudaMemcpyPeer(void *to, int to_device, const void *from,
                           int from_device, size_t bytes);
cudaError_t cudaMemcpyPeerAsync(void *to, int to_device, const void *from,
                                int from_device, size_t bytes,
                                cudaStream_t s LOOM_OR(0));
cudaError_t cudaMemPoolCreate(cudaMemPool_t *pool,
                              const struct cudaMemPoolProps *p);
cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool);
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t keep);
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr a,
                                    void *value);
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr a,
                                    void *value);
cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool,
                                 const struct cudaMemAccessDesc *list,
                                 size_t n);
cudaError_t cudaMemPoolGetAccess(enum cudaMemAccessFlags *flags,
                                 cudaMemPool_t pool,
                                 struct cudaMemLocation *where);
cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device);
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *pool, int device);
cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool);
cudaError_t loom_malloc_async(void **p, size_t bytes, cudaMemPool_t pool,
                              cudaStream_t s, const char *file, int line);

/* declare calls about kernels */
cudaError_t loom_best_block(int *grid, int *block,
                            size_t (*shared)(int threads, void *data),
                            void *data, size_t bytes, int limit);
cudaError_t loom_room_for_shared(size_t *bytes, int blocks, int threads);
/* The launch of a cudaLaunchConfig_t; what it asks for in vain. */
cudaError_t loom_configured(const cudaLaunchConfig_t *c, struct loom_launch *l);
#ifdef __cplusplus
}
#endif
#endif
