/* calls.c: calls of the runtime about devices, host memory, pools, kernels. */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loom/calls.h"
#include "loom/graph.h"
#include "loom/heap.h"
#include "loom/hooks.h"
#include "loom/runtime_int.h"

/* set up the device */
static unsigned device_flags = cudaDeviceMapHost;
static enum cudaFuncCache cache_config;
static size_t limits[] = {1024, 1 << 20, 8 << 20, 2, 2048, 64, 0};

static cudaError_t about(int device)
{
    return loom_result(device == 0 ? cudaSuccess : cudaErrorInvalidDevice);
}

cudaError_t cudaSetDeviceFlags(unsigned flags)
{
    if (flags & ~0x9fu)
        return loom_result(cudaErrorInvalidValue);
    device_flags = flags | cudaDeviceMapHost;
    return loom_result(cudaSuccess);
}

cudaError_t cudaGetDeviceFlags(unsigned *flags)
{
    if (flags)
        *flags = device_flags;
    return loom_result(flags ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaInitDevice(int device, unsigned wanted, unsigned flags)
{
    (void)wanted, (void)flags;
    return about(device);
}

cudaError_t cudaSetValidDevices(int *list, int n)
{
    if (n < 0 || (n && !list))
        return loom_result(cudaErrorInvalidValue);
    return about(n ? list[0] : 0);
}

cudaError_t cudaChooseDevice(int *device, const struct cudaDeviceProp *wish)
{
    if (!device || !wish)
        return loom_result(cudaErrorInvalidValue);
    *device = 0;
    return loom_result(cudaSuccess);
}

cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value)
{
    if ((unsigned)limit > cudaLimitPersistingL2CacheSize)
        return loom_result(cudaErrorUnsupportedLimit);
    limits[limit] = value;
    if (limit == cudaLimitMallocHeapSize)
        loom_heap_limit(value);
    return loom_result(cudaSuccess);
}
cudaError_t cudaDeviceGetLimit(size_t *value, enum cudaLimit limit)
{
    if (!value || (unsigned)limit > cudaLimitPersistingL2CacheSize)
        return loom_result(value ? cudaErrorUnsupportedLimit
                                 : cudaErrorInvalidValue);
    *value = limits[limit];
    return loom_result(cudaSuccess);
}

cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache config)
{
    if ((unsigned)config > cudaFuncCachePreferEqual)
        return loom_result(cudaErrorInvalidValue);
    cache_config = config;
    return loom_result(cudaSuccess);
}

cudaError_t cudaDeviceGetCacheConfig(enum cudaFuncCache *config)
{
    if (config)
        *config = cache_config;
    return loom_result(config ? cudaSuccess : cudaErrorInvalidValue);
}
cudaError_t cudaCtxResetPersistingL2Cache(void)
{
    return loom_result(cudaSuccess);
}

cudaError_t cudaProfilerStart(void)
{
    return loom_result(cudaSuccess);
}

cudaError_t cudaProfilerStop(void)
{
    return loom_result(cudaSuccess);
}

cudaError_t cudaDeviceGetPCIBusId(char *id, int length, int device)
{
    if (!id || length < 13)
        return loom_result(cudaErrorInvalidValue);
    snprintf(id, (size_t)length, "0000:00:00.0");
    return about(device);
}

cudaError_t cudaDeviceGetByPCIBusId(int *device, const char *id)
{
    if (!device || !id || strcmp(id, "0000:00:00.0") != 0)
        return loom_result(cudaErrorInvalidValue);
    *device = 0;
    return loom_result(cudaSuccess);
}

cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer)
{
    if (can)
        *can = 0;
    return about(can ? device | peer : -1);
}

cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags)
{
    (void)peer, (void)flags;
    return loom_result(cudaErrorInvalidDevice); /* nor itself */
}

cudaError_t cudaDeviceDisablePeerAccess(int peer)
{
    (void)peer;
    return loom_result(cudaErrorInvalidDevice);
}

/* know more of streams */
enum { LEAST = 0, GREATEST = -5 };

cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest)
{
    if (least)
        *least = LEAST;
    if (greatest)
        *greatest = GREATEST;
    return loom_result(cudaSuccess);
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *s, unsigned flags,
                                         int priority)
{
    cudaError_t e = cudaStreamCreateWithFlags(s, flags);

    if (e == cudaSuccess)
        (*s)->priority = priority > LEAST      ? LEAST
                         : priority < GREATEST ? GREATEST
                                               : priority;
    return e;
}

#define LOOM_STREAM_HAS(Name, T, of_default, of_stream)              \
    cudaError_t cudaStreamGet##Name(cudaStream_t s, T *value)        \
    {                                                                \
        if (!value)                                                  \
            return loom_result(cudaErrorInvalidValue);               \
        if (!loom_is_stream(s))                                      \
            return loom_result(cudaErrorInvalidResourceHandle);      \
        *value = (T)(loom_is_default(s) ? (of_default) : of_stream); \
        return loom_result(cudaSuccess);                             \
    }
LOOM_STREAM_HAS(Priority, int, 0, s->priority)
LOOM_STREAM_HAS(Flags, unsigned, 0, s->flags)
LOOM_STREAM_HAS(Id, unsigned long long, (uintptr_t)s, (uintptr_t)s)
LOOM_STREAM_HAS(Device, int, 0, 0)

struct callback {
    cudaStream_t s;
    cudaStreamCallback_t call;
    void *data;
};

static void call_back(void *args)
{
    const struct callback *c = args;

    loom_flush();
    if (loom_hooks)
        loom_hooks->wait(NULL, LOOM_TOLD, 0);
    c->call(c->s, cudaSuccess, c->data);
}
cudaError_t cudaStreamAddCallback(cudaStream_t s, cudaStreamCallback_t call,
                                  void *data, unsigned flags)
{
    struct callback c = {s, call, data};

    if (!call || flags)
        return loom_result(cudaErrorInvalidValue);
    if (loom_is_stream(s) && loom_recorded(s)) {
        loom_recording.spoilt++;
        return loom_result(cudaErrorStreamCaptureUnsupported);
    }
    return loom_result(
        loom_enqueue_as(cudaGraphNodeTypeHost, s, call_back, &c, sizeof c));
}
cudaError_t cudaStreamSetAttribute(cudaStream_t s, cudaStreamAttrID id,
                                   const cudaStreamAttrValue *value)
{
    if (!loom_is_stream(s) || loom_is_default(s))
        return loom_result(cudaErrorInvalidResourceHandle);
    if (!value || (id != cudaStreamAttributeAccessPolicyWindow &&
                   id != cudaStreamAttributeSynchronizationPolicy &&
                   id != cudaStreamAttributePriority))
        return loom_result(cudaErrorInvalidValue);
    s->attribute[id] = *value;
    if (id == cudaStreamAttributePriority)
        s->priority = value->priority;
    return loom_result(cudaSuccess);
}

cudaError_t cudaStreamGetAttribute(cudaStream_t s, cudaStreamAttrID id,
                                   cudaStreamAttrValue *value)
{
    if (!loom_is_stream(s) || loom_is_default(s))
        return loom_result(cudaErrorInvalidResourceHandle);
    if (!value || (unsigned)id > 15)
        return loom_result(cudaErrorInvalidValue);
    *value = s->attribute[id];
    if (id == cudaStreamAttributePriority)
        value->priority = s->priority;
    return loom_result(cudaSuccess);
}

cudaError_t cudaStreamCopyAttributes(cudaStream_t to, cudaStream_t from)
{
    if (!loom_is_stream(to) || !loom_is_stream(from) || loom_is_default(to) ||
        loom_is_default(from))
        return loom_result(cudaErrorInvalidResourceHandle);
    memcpy(to->attribute, from->attribute, sizeof to->attribute);
    to->priority = from->priority;
    return loom_result(cudaSuccess);
}

cudaError_t cudaStreamAttachMemAsync(cudaStream_t s, void *p, size_t length,
                                     unsigned flags)
{
    const struct loom_area *a;

    (void)length;
    loom_open();
    a = loom_find(p);
    loom_done();
    if (!a || !a->live || a->kind != LOOM_MANAGED ||
        (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost &&
         flags != cudaMemAttachSingle))
        return loom_result(cudaErrorInvalidValue);
    return loom_result(loom_is_stream(s) ? cudaSuccess
                                         : cudaErrorInvalidResourceHandle);
}
cudaError_t cudaEventRecordWithFlags(cudaEvent_t e, cudaStream_t s,
                                     unsigned flags)
{
    return flags > 1 ? loom_result(cudaErrorInvalidValue)
                     : cudaEventRecord(e, s);
}

/* register host memory */
static struct registered {
    char *at;
    size_t bytes;
    unsigned flags;
    struct registered *next;
} * registered;

static struct registered **find_registered(const void *p, size_t bytes)
{
    struct registered **r = &registered;

    while (*r && ((char *)p >= (*r)->at + (*r)->bytes ||
                  (char *)p + bytes <= (*r)->at))
        r = &(*r)->next;
    return r;
}

int loom_is_registered(const void *p)
{
    return *find_registered(p, 1) != NULL;
}

cudaError_t cudaHostRegister(void *p, size_t bytes, unsigned flags)
{
    struct registered *r;

    if (!p || !bytes || flags & ~15u)
        return loom_result(cudaErrorInvalidValue);
    if (*find_registered(p, bytes))
        return loom_result(cudaErrorHostMemoryAlreadyRegistered);
    r = calloc(1, sizeof *r);
    if (!r)
        return loom_result(cudaErrorMemoryAllocation);
    *r = (struct registered){p, bytes, flags, registered};
    registered = r;
    loom_register(p, bytes, 1);
    return loom_result(cudaSuccess);
}

cudaError_t cudaHostUnregister(void *p)
{
    struct registered **r = find_registered(p, 1), *old = *r;

    if (!old || old->at != p)
        return loom_result(p ? cudaErrorHostMemoryNotRegistered
                             : cudaErrorInvalidValue);
    *r = old->next;
    loom_finish_all();
    loom_register(p, old->bytes, 0);
    free(old);
    return loom_synced(cudaSuccess);
}
static enum loom_kind kind_of(const void *p, int *known)
{
    const struct loom_area *a;
    enum loom_kind kind = LOOM_HOST;

    loom_open();
    a = loom_find(p);
    *known = a && a->live && (char *)p >= a->start &&
             (char *)p < a->start + a->bytes;
    if (*known)
        kind = a->kind;
    loom_done();
    return kind;
}

cudaError_t loom_host_pointer(void **device, void *host, unsigned flags)
{
    int known;
    enum loom_kind kind = kind_of(host, &known);

    if (!device || flags)
        return loom_result(cudaErrorInvalidValue);
    if (!(known && kind == LOOM_HOST) && !*find_registered(host, 1))
        return loom_result(cudaErrorInvalidValue);
    *device = host;
    return loom_result(cudaSuccess);
}

cudaError_t cudaHostGetFlags(unsigned *flags, void *p)
{
    struct registered *r = *find_registered(p, 1);
    int known;

    if (!flags || (!r && !(kind_of(p, &known) == LOOM_HOST && known)))
        return loom_result(cudaErrorInvalidValue);
    *flags = r ? r->flags : cudaHostAllocMapped;
    return loom_result(cudaSuccess);
}
cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *a,
                                     const void *p)
{
    int known, device;
    enum loom_kind kind = kind_of(p, &known);

    if (!a)
        return loom_result(cudaErrorInvalidValue);
    *a = (struct cudaPointerAttributes){cudaMemoryTypeUnregistered, -2, NULL,
                                        (void *)p};
    if (!known && !*find_registered(p, 1))
        return loom_result(cudaSuccess);
    device = known && kind == LOOM_DEVICE;
    a->type = device                          ? cudaMemoryTypeDevice
              : known && kind == LOOM_MANAGED ? cudaMemoryTypeManaged
                                              : cudaMemoryTypeHost;
    a->device = 0;
    a->devicePointer = (void *)p;
    a->hostPointer = device ? NULL : (void *)p;
    return loom_result(cudaSuccess);
}
cudaError_t cudaMemAdvise(const void *p, size_t bytes,
                          enum cudaMemoryAdvise advice,
                          struct cudaMemLocation where)
{
    int known;
    enum loom_kind kind = kind_of(p, &known);

    (void)where;
    return loom_result(known && bytes && kind == LOOM_MANAGED &&
                               advice >= cudaMemAdviseSetReadMostly &&
                               advice <= cudaMemAdviseUnsetAccessedBy
                           ? cudaSuccess
                           : cudaErrorInvalidValue);
}

cudaError_t cudaMemcpyPeerAsync(void *to, int to_device, const void *from,
                                int from_device, size_t bytes, cudaStream_t s)
{
    if (to_device || from_device)
        return loom_result(cudaErrorInvalidDevice);
    return cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, s);
}

cudaError_t cudaMemcpyPeer(void *to, int to_device, const void *from,
                           int from_device, size_t bytes)
{
    return cudaMemcpyPeerAsync(to, to_device, from, from_device, bytes, NULL);
}

/* keep pools */
struct CUmemPoolHandle_st {
    unsigned word; /* LOOM_POOL while it exists */
    struct cudaMemPoolProps props;
    int reuse[3];
    unsigned long long threshold, reserved, reserved_high, used, used_high;
    struct piece {
        void *at;
        size_t bytes;
        struct piece *next;
    } * pieces;
    struct CUmemPoolHandle_st *next; /* of all */
};

static struct CUmemPoolHandle_st default_pool = {
    .word = LOOM_POOL,
    .props = {.allocType = cudaMemAllocationTypePinned,
              .location = {cudaMemLocationTypeDevice, 0}},
    .reuse = {1, 1, 1}};
static struct CUmemPoolHandle_st *pools = &default_pool;
static cudaMemPool_t current_pool = &default_pool;

static int is_pool(cudaMemPool_t p)
{
    return p && p->word == LOOM_POOL;
}

cudaError_t cudaMemPoolCreate(cudaMemPool_t *pool,
                              const struct cudaMemPoolProps *p)
{
    if (!pool || !p || p->allocType != cudaMemAllocationTypePinned)
        return loom_result(cudaErrorInvalidValue);
    if (p->location.type == cudaMemLocationTypeDevice && p->location.id != 0)
        return loom_result(cudaErrorInvalidDevice);
    *pool = calloc(1, sizeof **pool);
    if (!*pool)
        return loom_result(cudaErrorMemoryAllocation);
    **pool = default_pool;
    (*pool)->props = *p;
    (*pool)->pieces = NULL;
    (*pool)->threshold = (*pool)->reserved = (*pool)->reserved_high = 0;
    (*pool)->used = (*pool)->used_high = 0;
    (*pool)->next = pools;
    pools = *pool;
    return loom_result(cudaSuccess);
}

cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool)
{
    if (!is_pool(pool) || pool == &default_pool)
        return loom_result(cudaErrorInvalidValue);
    if (current_pool == pool)
        current_pool = &default_pool;
    pool->word = 0; /* what came from it lives on */
    return loom_result(cudaSuccess);
}
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t keep)
{
    if (!is_pool(pool))
        return loom_result(cudaErrorInvalidValue);
    if (pool->reserved > keep)
        pool->reserved = pool->used > keep ? pool->used : keep;
    return loom_result(cudaSuccess);
}
static cudaError_t attribute_of(cudaMemPool_t pool, enum cudaMemPoolAttr a,
                                unsigned long long **wide, int **narrow)
{
    *narrow = NULL;
    *wide = NULL;
    if (!is_pool(pool))
        return cudaErrorInvalidValue;
    switch (a) {
    case cudaMemPoolReuseFollowEventDependencies:
    case cudaMemPoolReuseAllowOpportunistic:
    case cudaMemPoolReuseAllowInternalDependencies:
        *narrow = &pool->reuse[a - 1];
        return cudaSuccess;
    case cudaMemPoolAttrReleaseThreshold:
        *wide = &pool->threshold;
        return cudaSuccess;
    case cudaMemPoolAttrReservedMemCurrent:
        *wide = &pool->reserved;
        return cudaSuccess;
    case cudaMemPoolAttrReservedMemHigh:
        *wide = &pool->reserved_high;
        return cudaSuccess;
    case cudaMemPoolAttrUsedMemCurrent:
        *wide = &pool->used;
        return cudaSuccess;
    case cudaMemPoolAttrUsedMemHigh:
        *wide = &pool->used_high;
        return cudaSuccess;
    }
    return cudaErrorInvalidValue;
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr a,
                                    void *value)
{
    unsigned long long *wide, zero = 0;
    int *narrow;
    cudaError_t e = attribute_of(pool, a, &wide, &narrow);

    if (e || !value)
        return loom_result(cudaErrorInvalidValue);
    if (narrow)
        memcpy(narrow, value, sizeof *narrow);
    else if (a == cudaMemPoolAttrReleaseThreshold)
        memcpy(wide, value, sizeof *wide);
    else if (memcmp(value, &zero, sizeof zero) ||
             a == cudaMemPoolAttrReservedMemCurrent ||
             a == cudaMemPoolAttrUsedMemCurrent)
        return loom_result(cudaErrorInvalidValue);
    else
        *wide = wide[-1]; /* the current value stands before the high one */
    return loom_result(cudaSuccess);
}
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr a,
                                    void *value)
{
    unsigned long long *wide;
    int *narrow;
    cudaError_t e = attribute_of(pool, a, &wide, &narrow);

    if (e || !value)
        return loom_result(cudaErrorInvalidValue);
    if (narrow)
        memcpy(value, narrow, sizeof *narrow);
    else
        memcpy(value, wide, sizeof *wide);
    return loom_result(cudaSuccess);
}
cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool,
                                 const struct cudaMemAccessDesc *list, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (list[i].location.type != cudaMemLocationTypeDevice ||
            list[i].location.id != 0 ||
            list[i].flags != cudaMemAccessFlagsProtReadWrite)
            return loom_result(cudaErrorInvalidDevice);
    return loom_result(is_pool(pool) ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaMemPoolGetAccess(enum cudaMemAccessFlags *flags,
                                 cudaMemPool_t pool,
                                 struct cudaMemLocation *where)
{
    if (!flags || !is_pool(pool) || !where || where->id != 0)
        return loom_result(cudaErrorInvalidValue);
    *flags = cudaMemAccessFlagsProtReadWrite;
    return loom_result(cudaSuccess);
}

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device)
{
    if (!pool)
        return loom_result(cudaErrorInvalidValue);
    *pool = &default_pool;
    return about(device);
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *pool, int device)
{
    if (!pool)
        return loom_result(cudaErrorInvalidValue);
    *pool = current_pool;
    return about(device);
}

cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool)
{
    if (!is_pool(pool))
        return loom_result(cudaErrorInvalidValue);
    if (device == 0)
        current_pool = pool;
    return about(device);
}
cudaError_t loom_malloc_async(void **p, size_t bytes, cudaMemPool_t pool,
                              cudaStream_t s, const char *file, int line)
{
    struct piece *piece;
    cudaError_t e;

    pool = pool ? pool : current_pool;
    if (!p || !is_pool(pool))
        return loom_result(cudaErrorInvalidValue);
    if (!loom_is_stream(s))
        return loom_result(cudaErrorInvalidResourceHandle);
    if (loom_recorded(s))
        return loom_result(loom_record_alloc(p, bytes, s));
    e = loom_malloc(p, bytes, LOOM_DEVICE, file, line);
    piece = e || !*p ? NULL : calloc(1, sizeof *piece);
    if (piece) {
        *piece = (struct piece){*p, bytes, pool->pieces};
        pool->pieces = piece;
        pool->used += bytes;
        if (pool->used > pool->used_high)
            pool->used_high = pool->used;
        if (pool->used > pool->reserved)
            pool->reserved = pool->used;
        if (pool->reserved > pool->reserved_high)
            pool->reserved_high = pool->reserved;
    }
    return e;
}

static void leave_pool(void *p)
{
    for (cudaMemPool_t pool = pools; pool; pool = pool->next)
        for (struct piece **i = &pool->pieces; *i; i = &(*i)->next)
            if ((*i)->at == p) {
                struct piece *gone = *i;

                pool->used -= gone->bytes;
                if (pool->reserved > pool->threshold)
                    pool->reserved = pool->used > pool->threshold
                                         ? pool->used
                                         : pool->threshold;
                *i = gone->next;
                free(gone);
                return;
            }
}

static void free_now(void *args)
{
    void *p = *(void **)args;

    if (loom_release(p, LOOM_DEVICE, "cudaFreeAsync"))
        leave_pool(p);
    else
        loom_pend(cudaErrorInvalidValue);
}
cudaError_t cudaFreeAsync(void *p, cudaStream_t s)
{
    if (!loom_is_stream(s))
        return loom_result(cudaErrorInvalidResourceHandle);
    if (p && loom_recorded(s))
        return loom_result(loom_record_free(p, s));
    if (p && !loom_alive(p))
        loom_finish(s); /* a graph that waits in s may allocate it */
    if (p && !loom_alive(p)) {
        loom_release(p, LOOM_DEVICE, "cudaFreeAsync"); /* says what is wrong */
        return loom_result(cudaErrorInvalidValue);
    }
    return loom_result(
        p ? loom_enqueue_as(cudaGraphNodeTypeMemFree, s, free_now, &p, sizeof p)
          : cudaSuccess);
}

/* choose the shape of a launch */
cudaError_t loom_best_block(int *grid, int *block,
                            size_t (*shared)(int threads, void *data),
                            void *data, size_t bytes, int limit)
{
    int best = 0, sms;

    if (!grid || !block || limit < 0)
        return loom_result(cudaErrorInvalidValue);
    if (limit == 0 || limit > 1024)
        limit = 1024;
    cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
    for (int n = (limit + 31) / 32 * 32; n > 0; n -= 32) {
        int blocks = 0, threads = n < limit ? n : limit;

        loom_occupancy(&blocks, threads,
                       shared ? shared(threads, data) : bytes);
        if (blocks * threads > best) {
            best = blocks * threads;
            *block = threads;
            *grid = blocks * sms;
        }
    }
    return loom_result(best ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t loom_room_for_shared(size_t *bytes, int blocks, int threads)
{
    size_t n = 227 << 10;
    int fit = 0;

    if (!bytes || blocks < 1 || threads < 1 || threads > 1024)
        return loom_result(cudaErrorInvalidValue);
    while (n && (loom_occupancy(&fit, threads, n), fit < blocks))
        n -= n < 128 ? n : 128;
    *bytes = n;
    return loom_result(cudaSuccess);
}
cudaError_t loom_configured(const cudaLaunchConfig_t *c, struct loom_launch *l)
{
    if (!c || (c->numAttrs && !c->attrs))
        return loom_result(cudaErrorInvalidValue);
    l->grid = c->gridDim;
    l->block = c->blockDim;
    l->shared = c->dynamicSmemBytes;
    for (unsigned i = 0; i < c->numAttrs; i++) {
        const cudaLaunchAttributeValue *v = &c->attrs[i].val;

        if (c->attrs[i].id == cudaLaunchAttributeCooperative)
            l->cooperative = v->cooperative != 0;
        if (c->attrs[i].id == cudaLaunchAttributeClusterDimension)
            l->cluster =
                (uint3){v->clusterDim.x, v->clusterDim.y, v->clusterDim.z};
    }
    return loom_result(cudaSuccess);
}
