/* cuda_runtime_api.c: the runtime's calls. */
#define _GNU_SOURCE
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "loom/cluster.h"
#include "loom/cuda_runtime_api.h"
#include "loom/entry.h"
#include "loom/hooks.h"
#include "loom/runtime_int.h"
#include "loom/streams.h"

/* keep errors, queue work and start kernels */

/* name and explain an error */
#define LOOM_NAME(name, number, text) \
    case number:                      \
        return "cuda" #name;
#define LOOM_TEXT(name, number, text) \
    case number:                      \
        return text;

const char *cudaGetErrorName(cudaError_t e)
{
    switch ((int)e) {
        LOOM_ERRORS(LOOM_NAME)
    }
    return "unrecognized error code";
}

const char *cudaGetErrorString(cudaError_t e)
{
    switch ((int)e) {
        LOOM_ERRORS(LOOM_TEXT)
    }
    return "unrecognized error code";
}

/* keep the errors */

/* know what recordings forbid */
struct loom_recording loom_recording;
#define record loom_recording

static int forbidden(void)
{
    record.spoilt += record.strict > 0;
    return record.strict > 0;
}
static int pending; /* a kernel failed, and nobody has been told (atomic) */
static int sticky;  /* what every call returns from now on, or 0 (atomic) */
static __thread cudaError_t last;

/* Every call of the API returns through here. */
static cudaError_t done(cudaError_t e)
{
    int s = __atomic_load_n(&sticky, __ATOMIC_RELAXED);

    if (s)
        e = (cudaError_t)s;
    if (e != cudaSuccess)
        last = e;
    return e;
}

/* The same for calls that have waited. */
static cudaError_t told(cudaError_t e)
{
    int p = __atomic_load_n(&pending, __ATOMIC_RELAXED);

    if (e == cudaSuccess && forbidden())
        e = cudaErrorStreamCaptureUnsupported;
    if (p)
        __atomic_store_n(&sticky, p, __ATOMIC_RELAXED);
    if (p == cudaErrorAssert)
        loom_noticed(); /* it is told now */
    loom_flush();
    loom_hide();
    return done(e);
}

/* The same for calls that wait until the device is idle. */
static cudaError_t synced(cudaError_t e)
{
    if (!record.strict)
        loom_finish_all();
    return told(e);
}

/* answer questions about errors */
cudaError_t cudaGetLastError(void)
{
    cudaError_t e = done(last);

    loom_noticed();
    last = cudaSuccess;
    return e;
}

cudaError_t cudaPeekAtLastError(void)
{
    loom_noticed();
    return done(last);
}

cudaError_t cudaDeviceSynchronize(void)
{
    return synced(cudaSuccess);
}

cudaError_t cudaDeviceReset(void)
{
    return synced(cudaSuccess);
}

/* tell whether the device still works */
static int usable(void)
{
    return !__atomic_load_n(&pending, __ATOMIC_RELAXED) &&
           done(cudaSuccess) == cudaSuccess;
}

int loom_usable(void)
{
    return usable();
}

cudaError_t loom_result(cudaError_t e)
{
    return done(e);
}

cudaError_t loom_synced(cudaError_t e)
{
    loom_finish(NULL);
    return told(e);
}

void loom_pend(cudaError_t e)
{
    __atomic_store_n(&pending, (int)e, __ATOMIC_RELAXED);
}

/* keep streams */
static int is_stream(cudaStream_t s)
{
    return s == NULL || s == cudaStreamLegacy || s == cudaStreamPerThread ||
           s->word == LOOM_STREAM;
}

int loom_is_stream(cudaStream_t s)
{
    return is_stream(s);
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *s, unsigned int flags)
{
    if (!s || flags > cudaStreamNonBlocking)
        return done(cudaErrorInvalidValue);
    *s = calloc(1, sizeof **s);
    if (!*s)
        return done(cudaErrorMemoryAllocation);
    (*s)->word = LOOM_STREAM;
    (*s)->flags = flags;
    return done(cudaSuccess);
}

cudaError_t cudaStreamCreate(cudaStream_t *s)
{
    return cudaStreamCreateWithFlags(s, cudaStreamDefault);
}

/* keep what is recorded */
static int is_default(cudaStream_t s)
{
    return s == NULL || s == cudaStreamLegacy || s == cudaStreamPerThread;
}

int loom_is_default(cudaStream_t s)
{
    return is_default(s);
}

static struct CUgraph_st *recorded(cudaStream_t s)
{
    return loom_recorded(s);
}
cudaError_t loom_enqueue_as(cudaGraphNodeType type, cudaStream_t s,
                            void (*run)(void *args), const void *args,
                            size_t bytes)
{
    if (!is_stream(s))
        return cudaErrorInvalidResourceHandle;
    if (recorded(s))
        return loom_record(s, type, run, args, bytes);
    if (is_default(s) && s != cudaStreamPerThread && record.blocking) {
        record.spoilt++;
        return cudaErrorStreamCaptureImplicit;
    }
    if (usable())
        loom_put(s, run, args, bytes, 0);
    return cudaSuccess;
}

cudaError_t loom_enqueue(cudaStream_t s, void (*run)(void *args),
                         const void *args, size_t bytes)
{
    return loom_enqueue_as(cudaGraphNodeTypeKernel, s, run, args, bytes);
}
static cudaError_t check_stream(cudaStream_t s)
{
    if (!is_stream(s))
        return cudaErrorInvalidResourceHandle;
    if (!recorded(s))
        return cudaSuccess;
    record.spoilt++;
    return cudaErrorStreamCaptureUnsupported;
}

cudaError_t cudaStreamSynchronize(cudaStream_t s)
{
    cudaError_t e = check_stream(s);

    if (e == cudaSuccess)
        loom_finish(s);
    return told(e);
}

cudaError_t cudaStreamQuery(cudaStream_t s)
{
    cudaError_t e = check_stream(s);

    return e || loom_ask(s) ? told(e) : done(cudaErrorNotReady);
}

cudaError_t cudaStreamDestroy(cudaStream_t s)
{
    if (s == NULL || !is_stream(s))
        return done(cudaErrorInvalidResourceHandle);
    s->word = 0;
    return done(cudaSuccess);
}

/* keep events */
static int is_event(cudaEvent_t e)
{
    return e && e->word == LOOM_EVENT;
}

int loom_is_event(cudaEvent_t e)
{
    return is_event(e);
}

void loom_stamp(cudaEvent_t e)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    e->ms = 1e3 * (double)now.tv_sec + 1e-6 * (double)now.tv_nsec;
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *e, unsigned int flags)
{
    if (!e)
        return done(cudaErrorInvalidValue);
    *e = calloc(1, sizeof **e);
    if (!*e)
        return done(cudaErrorMemoryAllocation);
    (*e)->word = LOOM_EVENT;
    (*e)->flags = flags;
    return done(cudaSuccess);
}
cudaError_t cudaEventCreate(cudaEvent_t *e)
{
    return cudaEventCreateWithFlags(e, cudaEventDefault);
}

cudaError_t cudaEventDestroy(cudaEvent_t e)
{
    if (!is_event(e))
        return done(cudaErrorInvalidResourceHandle);
    e->word = 0;
    return done(cudaSuccess);
}

struct mark {
    cudaEvent_t event;
    unsigned times;
};

static void stamp(void *args)
{
    const struct mark *m = args;

    if (m->event->times == m->times)
        loom_stamp(m->event);
}

cudaError_t cudaEventRecord(cudaEvent_t e, cudaStream_t s)
{
    struct mark m = {e, 0};

    if (!is_event(e) || !is_stream(s))
        return done(cudaErrorInvalidResourceHandle);
    m.times = ++e->times;
    e->ms = 0;
    e->number = 0;
    e->graph = recorded(s);
    e->front.n = 0;
    if (e->graph)
        loom_join_front(&e->front, &s->front);
    else if (usable())
        e->number = loom_put(s, stamp, &m, sizeof m, 0);
    return done(cudaSuccess);
}
cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t from, cudaEvent_t to)
{
    if (!ms)
        return done(cudaErrorInvalidValue);
    if (!is_event(from) || !is_event(to) ||
        ((from->flags | to->flags) & cudaEventDisableTiming))
        return done(cudaErrorInvalidResourceHandle);
    if (loom_is_waiting(from->number) || loom_is_waiting(to->number))
        return done(cudaErrorNotReady);
    if (!from->ms || !to->ms)
        return done(cudaErrorInvalidResourceHandle);
    *ms = (float)(to->ms - from->ms);
    return done(cudaSuccess);
}
static cudaError_t check_event(cudaEvent_t e)
{
    if (!is_event(e))
        return cudaErrorInvalidResourceHandle;
    return loom_recording_into(e->graph) ? cudaErrorCapturedEvent : cudaSuccess;
}

cudaError_t cudaEventSynchronize(cudaEvent_t e)
{
    cudaError_t error = check_event(e);

    if (error == cudaSuccess)
        loom_finish_number(e->number);
    return told(error);
}

cudaError_t cudaEventQuery(cudaEvent_t e)
{
    cudaError_t error = check_event(e);

    return error || loom_ask_number(e->number) ? told(error)
                                               : done(cudaErrorNotReady);
}

static void nothing(void *args)
{
    (void)args;
}

cudaError_t cudaStreamWaitEvent(cudaStream_t s, cudaEvent_t e, unsigned flags)
{
    (void)flags;
    if (!is_event(e) || !is_stream(s))
        return done(cudaErrorInvalidResourceHandle);
    if (!loom_recording_into(e->graph)) {
        /* who checks must hear of it, though it may be done */
        if (e->number && (loom_hooks || loom_is_waiting(e->number)))
            loom_put(s, nothing, NULL, 0, e->number);
        return done(cudaSuccess);
    }
    if (is_default(s) || (recorded(s) && recorded(s) != e->graph))
        return done(cudaErrorStreamCaptureMerge);
    if (!recorded(s))
        s->front.n = 0;
    s->graph = e->graph;
    loom_join_front(&s->front, &e->front);
    return done(cudaSuccess);
}

/* check the limits of a launch */
static const char *bad_cluster(uint3 c, uint3 g)
{
    if (c.x == 0 && c.y == 0 && c.z == 0)
        return NULL;
    if (!c.x || !c.y || !c.z || (uint64_t)c.x * c.y * c.z > 16)
        return "a cluster has 1 to 8 blocks, 16 at most";
    if (g.x % c.x || g.y % c.y || g.z % c.z)
        return "the grid is not a multiple of the cluster";
    return NULL;
}

/* Says in a few words what is wrong with the sizes of a launch, or NULL. */
static const char *over_limit(const struct loom_launch *l)
{
    uint3 g = l->grid, b = l->block;

    if (!g.x || !g.y || !g.z)
        return "no side of a grid may be 0";
    if (!b.x || !b.y || !b.z)
        return "no side of a block may be 0";
    if (g.x > INT_MAX || g.y > 65535 || g.z > 65535)
        return "a grid has at most 2147483647, 65535 and 65535 blocks";
    if (b.z > 64)
        return "a block has at most 64 threads along z";
    if (b.x > 1024 || b.y > 1024 || b.x * b.y * b.z > 1024)
        return "a block has at most 1024 threads";
    return bad_cluster(l->cluster, l->grid);
}

/* say how many blocks fit */
enum { SHARED_OPTIN = 227 << 10, SHARED_SM = 228 << 10 };

static int fitting(unsigned threads, size_t shared)
{
    unsigned warps = (threads + 31) / 32;
    int by_warps = warps ? (int)(64 / warps) : 0;
    int by_shared = (int)(SHARED_SM / (shared + 1024));
    int n = by_warps < 32 ? by_warps : 32;

    return n < by_shared ? n : by_shared;
}

cudaError_t loom_occupancy(int *blocks, int threads, size_t shared)
{
    if (!blocks || threads < 1)
        return done(cudaErrorInvalidValue);
    *blocks = threads > 1024 ? 0 : fitting((unsigned)threads, shared);
    return done(cudaSuccess);
}

/* start the kernel with an address */
cudaError_t loom_start_call(struct loom_launch *l, const void *kernel,
                            void **args, cudaStream_t stream)
{
    l->entry = loom_kernel(kernel);
    if (!l->entry)
        return done(cudaErrorInvalidDeviceFunction);
    l->kernel = loom_kernel_name(l->entry);
    return l->entry->start(l, args, stream);
}

/* set an attribute of a kernel */
cudaError_t loom_set_attribute(const void *kernel,
                               enum cudaFuncAttribute attribute, int value)
{
    struct loom_entry *e = loom_kernel(kernel);

    if (!e)
        return done(cudaErrorInvalidDeviceFunction);
    if (attribute == cudaFuncAttributePreferredSharedMemoryCarveout ||
        attribute == cudaFuncAttributeNonPortableClusterSizeAllowed)
        return done(cudaSuccess);
    if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize || value < 0 ||
        value > SHARED_OPTIN)
        return done(cudaErrorInvalidValue);
    e->shared = (size_t)value;
    return done(cudaSuccess);
}
cudaError_t loom_get_attributes(struct cudaFuncAttributes *a,
                                const void *kernel)
{
    struct loom_entry *e = loom_kernel(kernel);

    if (!a || !e)
        return done(a ? cudaErrorInvalidDeviceFunction : cudaErrorInvalidValue);
    *a = (struct cudaFuncAttributes){.maxThreadsPerBlock = 1024,
                                     .ptxVersion = loom_capability,
                                     .binaryVersion = loom_capability,
                                     .preferredShmemCarveout = -1};
    a->maxDynamicSharedSizeBytes = e->shared ? (int)e->shared : 48 << 10;
    return done(cudaSuccess);
}

/* check the launch against what the kernel may have */
static const char *too_much(const struct loom_launch *l, cudaError_t *e)
{
    uint64_t blocks = (uint64_t)l->grid.x * l->grid.y * l->grid.z;
    unsigned threads = l->block.x * l->block.y * l->block.z;

    *e = cudaErrorInvalidValue;
    if (l->shared > SHARED_OPTIN)
        return "dynamic shared memory is at most 227 KiB";
    if (l->shared > (48 << 10) && l->shared > (l->entry ? l->entry->shared : 0))
        return "dynamic shared memory is at most 48 KiB, unless "
               "cudaFuncSetAttribute(kernel, "
               "cudaFuncAttributeMaxDynamicSharedMemorySize, bytes) was called";
    *e = cudaErrorCooperativeLaunchTooLarge;
    if (l->cooperative &&
        blocks > (uint64_t)fitting(threads, l->shared) * (unsigned)loom_units())
        return "the blocks of a cooperative launch must all fit into the "
               "multiprocessors at once: ask "
               "cudaOccupancyMaxActiveBlocksPerMultiprocessor how many do";
    *e = cudaErrorInvalidConfiguration;
    return NULL;
}

/* run the kernel and remember how it ended */
void loom_run_kernel(const struct loom_launch *l)
{
    int error = loom_run(l);

    if (error)
        __atomic_store_n(&pending, error, __ATOMIC_RELAXED);
}

/* start a kernel */
cudaError_t loom_start(const struct loom_launch *l, cudaStream_t stream)
{
    struct loom_launch shaped = *l;
    cudaError_t e = cudaErrorInvalidConfiguration;
    const char *wrong;

    if (!l->cluster.x)
        shaped.cluster =
            loom_shape_of(l->entry ? loom_kernel_name(l->entry) : l->kernel);
    l = &shaped;
    wrong = over_limit(l);

    loom_flush();
    if (!wrong)
        wrong = too_much(l, &e);
    if (!wrong && !is_stream(stream)) {
        wrong = "the stream is none";
        e = cudaErrorInvalidResourceHandle;
    }
    if (wrong) {
        struct loom_site at = {l->file, l->line};

        loom_refuse(at,
                    "error: kernel %s was not launched: %s; this is grid"
                    " (%u,%u,%u), block (%u,%u,%u)",
                    l->kernel, wrong, l->grid.x, l->grid.y, l->grid.z,
                    l->block.x, l->block.y, l->block.z);
        loom_show(at, 0);
        return done(e);
    }
    return done(loom_record_kernel(l, stream));
}

/* manage memory and describe the device */

/* allocate for the program */
cudaError_t loom_malloc(void **p, size_t bytes, enum loom_kind kind,
                        const char *file, int line)
{
    if (!p || (kind == LOOM_MANAGED && bytes == 0))
        return done(cudaErrorInvalidValue);
    *p = NULL;
    if (forbidden())
        return done(cudaErrorStreamCaptureUnsupported);
    if (bytes && usable()) {
        *p = loom_alloc(bytes, kind, file, line);
        if (!*p) { /* perhaps a stream holds work that frees some */
            loom_finish_all();
            *p = loom_alloc(bytes, kind, file, line);
        }
        if (!*p)
            return done(cudaErrorMemoryAllocation);
    }
    return done(cudaSuccess);
}
cudaError_t cudaFree(void *p)
{
    int ok;

    if (p)
        loom_finish_all();
    ok = !p || loom_release(p, LOOM_DEVICE, "cudaFree");
    return told(ok ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaFreeHost(void *p)
{
    int ok;

    if (p)
        loom_finish_all();
    ok = !p || loom_release(p, LOOM_HOST, "cudaFreeHost");
    return told(ok ? cudaSuccess : cudaErrorInvalidValue);
}

/* check one side of a copy */
/* What is wrong with count bytes at p, or NULL. Between open and done. */
static const char *wrong_with(const void *p, size_t count, int on_device)
{
    const struct loom_area *a = loom_find(p);
    const char *at = p;

    if (!a)
        return on_device ? "is not device memory" : NULL;
    if (!on_device && a->kind == LOOM_DEVICE)
        return "is device memory, where host memory should be";
    if (!a->live)
        return "was freed";
    if (at < a->start || at > a->start + a->bytes)
        return "is outside of the allocation";
    if (count > (size_t)(a->start + a->bytes - at))
        return "has fewer bytes than that behind it";
    return NULL;
}

/* blame one side of a copy */
int loom_blamed(const char *call, const char *role, const void *p, size_t count,
                int on_device)
{
    const char *wrong = wrong_with(p, count, on_device);
    char where[400];

    if (wrong) {
        loom_describe(p, where, sizeof where);
        loom_say("%s of %zu bytes: the %s %s\n  it is %s", call, count, role,
                 wrong, where);
    }
    return wrong != NULL;
}

void loom_written(const void *p, size_t count)
{
    if (loom_hooks && loom_hooks->host_write)
        loom_hooks->host_write(p, count);
}

/* copy */
void loom_do_copy(void *box)
{
    const struct loom_box *b = box;
    size_t depth = b->depth ? b->depth : 1;

    loom_open();
    for (size_t z = 0; z < depth; z++)
        for (size_t y = 0; y < b->height; y++) {
            char *to = b->to + z * b->to_slice + y * b->to_pitch;

            const char *from = b->from + z * b->from_slice + y * b->from_pitch;

            if (loom_hooks && loom_hooks->host_read)
                loom_hooks->host_read(from, b->width);
            memmove(to, from, b->width);
            loom_written(to, b->width);
        }
    loom_done();
}
enum { STAGED_MOST = 64 << 10 };

struct staged {
    struct loom_box b;
    char bytes[];
};

static void copy_staged(void *args)
{
    struct staged *s = args;

    s->b.from = s->bytes;
    loom_do_copy(&s->b);
}

static int pageable(const void *p)
{
    int known;

    loom_open();
    known = loom_find(p) != NULL;
    loom_done();
    return !known && !loom_is_registered(p);
}

/* A copy to the device whose bytes can be put aside. */
static int stageable(const struct loom_box *b)
{
    return b->kind == cudaMemcpyHostToDevice && b->height == 1 &&
           b->depth <= 1 && b->width <= STAGED_MOST && pageable(b->from);
}

static cudaError_t stage(const struct loom_box *b, cudaStream_t s)
{
    size_t bytes = sizeof(struct staged) + b->width;
    struct staged *t = malloc(bytes);
    cudaError_t e;

    if (!t)
        return cudaErrorMemoryAllocation;
    t->b = *b;
    memcpy(t->bytes, b->from, b->width);
    e = loom_enqueue_as(cudaGraphNodeTypeMemcpy, s, copy_staged, t, bytes);
    free(t);
    return e;
}
cudaError_t loom_check_copy(const char *call, const struct loom_box *b)
{
    int to_device = b->kind & 1, from_device = b->kind & 2, bad = 0;
    size_t depth = b->depth ? b->depth : 1;

    if ((unsigned)b->kind > cudaMemcpyDefault)
        return cudaErrorInvalidMemcpyDirection;
    if (b->width == 0 || b->height == 0)
        return cudaSuccess;
    loom_open();
    if (b->kind == cudaMemcpyDefault) {
        to_device = loom_find(b->to) != NULL;
        from_device = loom_find(b->from) != NULL;
    }
    for (size_t i = 0; i < depth * b->height && !bad; i++) {
        size_t z = i / b->height, y = i % b->height;

        bad = loom_blamed(call, "destination",
                          b->to + z * b->to_slice + y * b->to_pitch, b->width,
                          to_device) ||
              loom_blamed(call, "source",
                          b->from + z * b->from_slice + y * b->from_pitch,
                          b->width, from_device);
    }
    loom_done();
    return bad ? cudaErrorInvalidValue : cudaSuccess;
}

cudaError_t loom_copy(const char *call, const struct loom_box *b,
                      cudaStream_t stream)
{
    cudaError_t e;

    if (!is_stream(stream))
        return cudaErrorInvalidResourceHandle;
    if (!recorded(stream) && !usable())
        return cudaSuccess;
    e = recorded(stream) ? cudaSuccess : loom_check_copy(call, b);
    if (e || b->width == 0 || b->height == 0)
        return e;
    if (!recorded(stream) && stageable(b))
        return stage(b, stream);
    e = loom_enqueue_as(cudaGraphNodeTypeMemcpy, stream, loom_do_copy, b,
                        sizeof *b);
    if (!e && !recorded(stream) && (pageable(b->to) || pageable(b->from)))
        loom_finish(stream);
    return e;
}

/* Calls that wait for their copy; one from device to device they do not. */
static cudaError_t copied(cudaError_t e, const struct loom_box *b)
{
    if (b->kind != cudaMemcpyDeviceToDevice && !record.strict)
        loom_finish(NULL);
    return told(e);
}

/* copy and set memory */
cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t count,
                            enum cudaMemcpyKind kind, cudaStream_t stream)
{
    struct loom_box b = {to, from, 0, 0, count, 1, 0, 0, 1, kind};

    return done(loom_copy("cudaMemcpyAsync", &b, stream));
}

cudaError_t cudaMemcpy(void *to, const void *from, size_t count,
                       enum cudaMemcpyKind kind)
{
    struct loom_box b = {to, from, 0, 0, count, 1, 0, 0, 1, kind};

    return copied(loom_copy("cudaMemcpy", &b, NULL), &b);
}

cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from,
                         size_t from_pitch, size_t width, size_t height,
                         enum cudaMemcpyKind kind)
{
    struct loom_box b = {to,     from, to_pitch, from_pitch, width,
                         height, 0,    0,        1,          kind};

    return copied(width > to_pitch || width > from_pitch
                      ? cudaErrorInvalidPitchValue
                      : loom_copy("cudaMemcpy2D", &b, NULL),
                  &b);
}
struct filling {
    void *p;
    int value;
    size_t count;
};

static void fill(void *args)
{
    const struct filling *f = args;

    loom_open();
    memset(f->p, f->value, f->count);
    loom_written(f->p, f->count);
    loom_done();
}
cudaError_t cudaMemsetAsync(void *p, int value, size_t count, cudaStream_t s)
{
    struct filling f = {p, value, count};
    int bad;

    if (!is_stream(s))
        return done(cudaErrorInvalidResourceHandle);
    if (count == 0 || !usable())
        return done(cudaSuccess);
    loom_open();
    bad = !recorded(s) && loom_blamed("cudaMemset", "destination", p, count, 1);
    loom_done();
    return done(
        bad ? cudaErrorInvalidValue
            : loom_enqueue_as(cudaGraphNodeTypeMemset, s, fill, &f, sizeof f));
}

cudaError_t cudaMemset(void *p, int value, size_t count)
{
    cudaError_t e = cudaMemsetAsync(p, value, count, NULL);
    const struct loom_area *a;
    int shared;

    loom_open();
    a = loom_find(p);
    shared = a && a->kind != LOOM_DEVICE;
    loom_done();
    if (!e && shared && !record.strict)
        loom_finish(NULL);
    return e;
}
cudaError_t loom_symbol(void *symbol, size_t size, void *host, size_t count,
                        size_t offset, int to_symbol)
{
    struct loom_box b = {.width = count, .height = 1};

    if (offset > size || count > size - offset) {
        loom_say("a copy of %zu bytes at offset %zu does not fit in a symbol"
                 " of %zu bytes",
                 count, offset, size);
        return told(cudaErrorInvalidValue);
    }
    b.to = to_symbol ? (char *)symbol + offset : (char *)host;
    b.from = to_symbol ? (char *)host : (char *)symbol + offset;
    if (count && usable())
        loom_put(NULL, loom_do_copy, &b, sizeof b, 0);
    loom_finish(NULL);
    return told(cudaSuccess);
}

/* answer questions about memory */
cudaError_t cudaMemGetInfo(size_t *free, size_t *total)
{
    loom_memory(free, total);
    return done(cudaSuccess);
}

cudaError_t cudaMemPrefetchAsync(const void *p, size_t count,
                                 struct cudaMemLocation where,
                                 unsigned int flags, cudaStream_t stream)
{
    int bad;

    if (flags || where.type == cudaMemLocationTypeInvalid || !is_stream(stream))
        return done(cudaErrorInvalidValue);
    loom_open();
    bad = loom_blamed("cudaMemPrefetchAsync", "pointer", p, count, 1);
    if (!bad && loom_find(p)->kind != LOOM_MANAGED) {
        loom_say("cudaMemPrefetchAsync: the pointer is not managed memory");
        bad = 1;
    }
    loom_done();
    return done(bad ? cudaErrorInvalidValue : cudaSuccess);
}

/* describe the device */

/* describe textures and surfaces of the device */
__attribute__((weak)) int loom_capability = 90;

static void describe_textures(struct cudaDeviceProp *p)
{
    p->memPitch = INT_MAX;
    p->textureAlignment = p->surfaceAlignment = 512;
    p->texturePitchAlignment = 32;
    p->maxTexture1D = p->maxTexture1DMipmap = p->maxSurface1D = 131072;
    p->maxTexture2D[0] = p->maxSurface2D[0] = 131072;
    p->maxTexture2D[1] = p->maxSurface2D[1] = 65536;
    memcpy(p->maxTexture2DLinear, (int[]){131072, 65000, 2097120},
           3 * sizeof(int));
    memcpy(p->maxTexture3D, (int[]){16384, 16384, 16384}, 3 * sizeof(int));
    p->maxTextureCubemap = p->maxTexture1DLayered[0] = 32768;
    p->maxTexture1DLayered[1] = 2048;
    memcpy(p->maxTexture2DLayered, (int[]){32768, 32768, 2048},
           3 * sizeof(int));
}
cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *p, int device)
{
    long cache = sysconf(_SC_LEVEL2_CACHE_SIZE);
    size_t unused;

    if (!p || device != 0)
        return done(p ? cudaErrorInvalidDevice : cudaErrorInvalidValue);
    memset(p, 0, sizeof *p);
    snprintf(p->name, sizeof p->name, "Loom");
    loom_memory(&unused, &p->totalGlobalMem);
    p->multiProcessorCount = loom_units();
    p->maxThreadsPerBlock = 1024;
    p->maxThreadsPerMultiProcessor = 2048;
    p->maxBlocksPerMultiProcessor = 32;
    p->cooperativeLaunch = 1;
    p->clusterLaunch = loom_capability == 0 || loom_capability >= 90;
    p->warpSize = 32;
    memcpy(p->maxThreadsDim, (int[]){1024, 1024, 64}, 3 * sizeof(int));
    memcpy(p->maxGridSize, (int[]){INT_MAX, 65535, 65535}, 3 * sizeof(int));
    p->sharedMemPerBlock = 48 << 10;
    p->sharedMemPerBlockOptin = SHARED_OPTIN;
    p->sharedMemPerMultiprocessor = SHARED_SM;
    p->reservedSharedMemPerBlock = 1024;
    p->regsPerBlock = p->regsPerMultiprocessor = 65536;
    p->totalConstMem = 64 << 10;
    p->l2CacheSize = cache > 0 ? (int)cache : 1 << 20;
    p->persistingL2CacheMaxSize = p->l2CacheSize / 2;
    p->clockRate = p->memoryClockRate = 1000000; /* clock() counts ns */
    p->deviceOverlap = 1;
    p->singleToDoublePrecisionPerfRatio = 2;
    p->maxTexture1DLinear = 1 << 28;
    p->accessPolicyMaxWindowSize = 128 << 20;
    p->integrated = p->unifiedAddressing = 1; /* its memory is the host's */
    p->managedMemory = p->concurrentManagedAccess = 1;
    p->directManagedMemAccessFromHost = 1;
    p->major = loom_capability / 10;
    p->minor = loom_capability % 10;
    p->canMapHostMemory = p->hostRegisterSupported = 1;
    p->canUseHostPointerForRegisteredMem = p->streamPrioritiesSupported = 1;
    p->concurrentKernels = p->asyncEngineCount = p->memoryPoolsSupported = 1;
    p->computePreemptionSupported = p->hostNativeAtomicSupported = 1;
    describe_textures(p);
    return done(cudaSuccess);
}

/* answer one question about the device */
#define LOOM_ANSWER(name, number, answer) \
    case cudaDevAttr##name:               \
        *value = answer;                  \
        return done(cudaSuccess);

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute,
                                   int device)
{
    struct cudaDeviceProp p;

    if (cudaGetDeviceProperties(&p, device) != cudaSuccess || !value)
        return done(value ? cudaErrorInvalidDevice : cudaErrorInvalidValue);
    switch (attribute) {
        LOOM_ATTRIBUTES(LOOM_ANSWER)
    }
    return done(cudaErrorInvalidValue);
}

/* answer questions about devices and versions */
static cudaError_t answer(int *to, int value)
{
    if (to)
        *to = value;
    return done(to ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaGetDeviceCount(int *count)
{
    return answer(count, 1);
}

cudaError_t cudaGetDevice(int *device)
{
    return answer(device, 0);
}

cudaError_t cudaSetDevice(int device)
{
    return done(device == 0 ? cudaSuccess : cudaErrorInvalidDevice);
}

cudaError_t cudaRuntimeGetVersion(int *version)
{
    return answer(version, CUDART_VERSION);
}

cudaError_t cudaDriverGetVersion(int *version)
{
    return answer(version, CUDART_VERSION);
}
