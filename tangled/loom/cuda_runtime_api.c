/* cuda_runtime_api.c: the runtime's calls. */
#define _GNU_SOURCE
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "loom/cuda_runtime_api.h"
#include "loom/hooks.h"

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
static struct {
    int strict;   /* recordings that forbid the host to wait */
    int blocking; /* that the legacy stream would have to wait for */
    int spoilt;   /* calls that did what is forbidden */
} record;

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

/* The same for calls that wait until the device is idle. */
static cudaError_t synced(cudaError_t e)
{
    int p = __atomic_load_n(&pending, __ATOMIC_RELAXED);

    if (e == cudaSuccess && forbidden())
        e = cudaErrorStreamCaptureUnsupported;
    if (p)
        __atomic_store_n(&sticky, p, __ATOMIC_RELAXED);
    loom_flush();
    loom_hide();
    return done(e);
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

/* keep streams */
enum { STREAM = 0x7eac0de1, EVENT, GRAPH, EXEC };

struct CUstream_st {
    unsigned word; /* STREAM while it exists */
    unsigned flags;
    struct CUgraph_st *graph; /* what it was last recorded into, or NULL */
};

static int is_stream(cudaStream_t s)
{
    return s == NULL || s == cudaStreamLegacy || s == cudaStreamPerThread ||
           s->word == STREAM;
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *s, unsigned int flags)
{
    if (!s || flags > cudaStreamNonBlocking)
        return done(cudaErrorInvalidValue);
    *s = calloc(1, sizeof **s);
    if (!*s)
        return done(cudaErrorMemoryAllocation);
    (*s)->word = STREAM;
    (*s)->flags = flags;
    return done(cudaSuccess);
}

cudaError_t cudaStreamCreate(cudaStream_t *s)
{
    return cudaStreamCreateWithFlags(s, cudaStreamDefault);
}

/* keep what is recorded */
struct node {
    void (*run)(void *args);
    void *args; /* a copy */
    size_t bytes;
};
struct CUgraph_st {
    unsigned word;       /* GRAPH or EXEC while it exists */
    int open;            /* it is being recorded ... */
    cudaStream_t origin; /* ... beginning here, ... */
    int spoilt;          /* ... when so many calls had spoilt one */
    size_t n, room;
    struct node *node;
};
static int is_default(cudaStream_t s)
{
    return s == NULL || s == cudaStreamLegacy || s == cudaStreamPerThread;
}

/* The graph that the stream is being recorded into, or NULL. */
static struct CUgraph_st *recorded(cudaStream_t s)
{
    return !is_default(s) && s->graph && s->graph->open ? s->graph : NULL;
}

/* add a node */
static cudaError_t add_node(struct CUgraph_st *g, const struct node *from)
{
    struct node n = *from;

    if (g->n == g->room) {
        size_t room = 2 * g->room + 16;
        struct node *more = realloc(g->node, room * sizeof *more);

        if (!more)
            return cudaErrorMemoryAllocation;
        g->node = more;
        g->room = room;
    }
    n.args = aligned_alloc(64, (n.bytes + 64) / 64 * 64);
    if (!n.args)
        return cudaErrorMemoryAllocation;
    memcpy(n.args, from->args, n.bytes);
    g->node[g->n++] = n;
    return cudaSuccess;
}
cudaError_t loom_enqueue(cudaStream_t s, void (*run)(void *args),
                         const void *args, size_t bytes)
{
    struct CUgraph_st *g = recorded(s);

    if (!is_stream(s))
        return cudaErrorInvalidResourceHandle;
    if (g)
        return add_node(g, &(struct node){run, (void *)args, bytes});
    if (is_default(s) && s != cudaStreamPerThread && record.blocking) {
        record.spoilt++;
        return cudaErrorStreamCaptureImplicit;
    }
    if (usable())
        run((void *)args);
    return cudaSuccess;
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
    return synced(check_stream(s));
}

cudaError_t cudaStreamQuery(cudaStream_t s)
{
    return cudaStreamSynchronize(s);
}

cudaError_t cudaStreamDestroy(cudaStream_t s)
{
    if (s == NULL || !is_stream(s))
        return done(cudaErrorInvalidResourceHandle);
    s->word = 0;
    return done(cudaSuccess);
}

/* keep events */
struct CUevent_st {
    unsigned word; /* EVENT while it exists */
    unsigned flags;
    double ms;                /* when it was last recorded, or 0 */
    struct CUgraph_st *graph; /* or into what */
};

static int is_event(cudaEvent_t e)
{
    return e && e->word == EVENT;
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *e, unsigned int flags)
{
    if (!e)
        return done(cudaErrorInvalidValue);
    *e = calloc(1, sizeof **e);
    if (!*e)
        return done(cudaErrorMemoryAllocation);
    (*e)->word = EVENT;
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

cudaError_t cudaEventRecord(cudaEvent_t e, cudaStream_t s)
{
    struct timespec now;

    if (!is_event(e) || !is_stream(s))
        return done(cudaErrorInvalidResourceHandle);
    clock_gettime(CLOCK_MONOTONIC, &now);
    e->ms = 1e3 * (double)now.tv_sec + 1e-6 * (double)now.tv_nsec;
    e->graph = recorded(s);
    if (e->graph)
        e->ms = 0;
    return done(cudaSuccess);
}
cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t from, cudaEvent_t to)
{
    if (!ms)
        return done(cudaErrorInvalidValue);
    if (!is_event(from) || !is_event(to) || !from->ms || !to->ms ||
        ((from->flags | to->flags) & cudaEventDisableTiming))
        return done(cudaErrorInvalidResourceHandle);
    *ms = (float)(to->ms - from->ms);
    return done(cudaSuccess);
}
static cudaError_t check_event(cudaEvent_t e)
{
    if (!is_event(e))
        return cudaErrorInvalidResourceHandle;
    return e->graph && e->graph->open ? cudaErrorCapturedEvent : cudaSuccess;
}

cudaError_t cudaEventSynchronize(cudaEvent_t e)
{
    return synced(check_event(e));
}

cudaError_t cudaEventQuery(cudaEvent_t e)
{
    return cudaEventSynchronize(e);
}

cudaError_t cudaStreamWaitEvent(cudaStream_t s, cudaEvent_t e, unsigned flags)
{
    (void)flags;
    if (!is_event(e) || !is_stream(s))
        return done(cudaErrorInvalidResourceHandle);
    if (!e->graph || !e->graph->open)
        return done(cudaSuccess);
    if (is_default(s) || (recorded(s) && recorded(s) != e->graph))
        return done(cudaErrorStreamCaptureMerge);
    s->graph = e->graph;
    return done(cudaSuccess);
}

/* make and destroy graphs */
static struct CUgraph_st *new_graph(unsigned word)
{
    struct CUgraph_st *g = calloc(1, sizeof *g);

    if (g)
        g->word = word;
    return g;
}
/* Destroys a graph of this kind. */
static cudaError_t destroy(struct CUgraph_st *g, unsigned word)
{
    if (!g || g->word != word || g->open)
        return done(cudaErrorInvalidValue);
    for (size_t i = 0; i < g->n; i++)
        free(g->node[i].args);
    free(g->node);
    g->node = NULL;
    g->n = g->room = g->word = 0;
    return done(cudaSuccess);
}

cudaError_t cudaGraphDestroy(cudaGraph_t g)
{
    return destroy(g, GRAPH);
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec)
{
    return destroy((struct CUgraph_st *)exec, EXEC);
}

/* record a stream */
cudaError_t cudaStreamBeginCapture(cudaStream_t s,
                                   enum cudaStreamCaptureMode mode)
{
    if (!is_stream(s))
        return done(cudaErrorInvalidResourceHandle);
    if ((unsigned)mode > cudaStreamCaptureModeRelaxed)
        return done(cudaErrorInvalidValue);
    if (is_default(s))
        return done(cudaErrorStreamCaptureUnsupported);
    if (recorded(s))
        return done(cudaErrorIllegalState);
    s->graph = new_graph(GRAPH);
    if (!s->graph)
        return done(cudaErrorMemoryAllocation);
    s->graph->open = mode == cudaStreamCaptureModeRelaxed ? 1 : 2;
    s->graph->origin = s;
    s->graph->spoilt = record.spoilt;
    record.strict += s->graph->open == 2;
    record.blocking += s->flags != cudaStreamNonBlocking;
    return done(cudaSuccess);
}
cudaError_t cudaStreamEndCapture(cudaStream_t s, cudaGraph_t *graph)
{
    struct CUgraph_st *g = is_stream(s) ? recorded(s) : NULL;

    if (graph)
        *graph = NULL;
    if (!g || !graph)
        return done(!is_stream(s) ? cudaErrorInvalidResourceHandle
                    : graph       ? cudaErrorIllegalState
                                  : cudaErrorInvalidValue);
    if (g->origin != s)
        return done(cudaErrorStreamCaptureUnmatched);
    record.strict -= g->open == 2;
    record.blocking -= s->flags != cudaStreamNonBlocking;
    g->open = 0;
    if (g->spoilt != record.spoilt) {
        cudaGraphDestroy(g);
        return done(cudaErrorStreamCaptureInvalidated);
    }
    *graph = g;
    return done(cudaSuccess);
}

/* launch graphs */
static cudaError_t add_nodes(struct CUgraph_st *to,
                             const struct CUgraph_st *from)
{
    cudaError_t e = cudaSuccess;

    for (size_t i = 0; i < from->n && e == cudaSuccess; i++)
        e = add_node(to, &from->node[i]);
    return e;
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t g,
                                 unsigned long long flags)
{
    struct CUgraph_st *x;

    (void)flags; /* they say where memory and branches are; here, nowhere */
    if (!exec || !g || g->word != GRAPH || g->open)
        return done(cudaErrorInvalidValue);
    x = new_graph(EXEC);
    if (!x || add_nodes(x, g) != cudaSuccess)
        return done(cudaErrorMemoryAllocation);
    *exec = (cudaGraphExec_t)x;
    return done(cudaSuccess);
}
cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t s)
{
    struct CUgraph_st *g = (struct CUgraph_st *)exec;

    if (!g || g->word != EXEC)
        return done(cudaErrorInvalidValue);
    if (!is_stream(s))
        return done(cudaErrorInvalidResourceHandle);
    if (recorded(s))
        return done(add_nodes(recorded(s), g));
    for (size_t i = 0; i < g->n && usable(); i++)
        g->node[i].run(g->node[i].args);
    return done(cudaSuccess);
}

cudaError_t cudaGraphGetNodes(cudaGraph_t g, cudaGraphNode_t *nodes, size_t *n)
{
    if (!g || g->word != GRAPH || !n)
        return done(cudaErrorInvalidValue);
    for (size_t i = 0; nodes && i < *n && i < g->n; i++)
        nodes[i] = (cudaGraphNode_t)&g->node[i];
    if (!nodes || *n > g->n)
        *n = g->n;
    return done(cudaSuccess);
}

/* check the limits of a launch */
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
    return NULL;
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

/* write a kernel's name plainly */
static void plain_name(char *to, size_t size, const char *from)
{
    size_t n = 0;

    while (*from == '(' && strchr(from, '*') && strchr(from, ')'))
        from = strchr(from, ')') + 1; /* a cast */
    for (; *from && n + 1 < size; from++)
        if (*from != ' ' && *from != '&')
            to[n++] = *from;
    to[n] = 0;
}

/* name the first argument of a launch */
const char *loom_first_name(const char *text)
{
    static __thread char name[200];
    int depth = 0;
    size_t n = 0;

    for (; *text && n + 1 < sizeof name; text++) {
        depth +=
            (*text == '<' || *text == '(') - (*text == '>' || *text == ')');
        if (*text == ',' && depth == 0)
            break;
        name[n++] = *text;
    }
    name[n] = 0;
    return name;
}

/* remember which kernels may have more */
static struct {
    char name[200];
    size_t bytes;
} opted[64];
static int opted_n;

static size_t opted_in(const char *kernel)
{
    char name[200];

    plain_name(name, sizeof name, kernel);
    for (int i = 0; i < opted_n; i++)
        if (strcmp(opted[i].name, name) == 0)
            return opted[i].bytes;
    return 0;
}

/* set an attribute of a kernel */
cudaError_t loom_set_attribute(const char *kernel,
                               enum cudaFuncAttribute attribute, int value)
{
    char name[200];
    int i = 0;

    plain_name(name, sizeof name, kernel);
    if (attribute == cudaFuncAttributePreferredSharedMemoryCarveout)
        return done(cudaSuccess);
    if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize || value < 0 ||
        value > SHARED_OPTIN)
        return done(cudaErrorInvalidValue);
    while (i < opted_n && strcmp(opted[i].name, name) != 0)
        i++;
    if (i == (int)(sizeof opted / sizeof opted[0]))
        return done(cudaErrorMemoryAllocation);
    if (i == opted_n)
        strcpy(opted[opted_n++].name, name);
    opted[i].bytes = (size_t)value;
    return done(cudaSuccess);
}
cudaError_t loom_get_attributes(struct cudaFuncAttributes *a,
                                const char *kernel)
{
    size_t most = opted_in(kernel);

    if (!a)
        return done(cudaErrorInvalidValue);
    *a = (struct cudaFuncAttributes){.maxThreadsPerBlock = 1024,
                                     .preferredShmemCarveout = -1};
    a->maxDynamicSharedSizeBytes = most ? (int)most : 48 << 10;
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
    if (l->shared > (48 << 10) && l->shared > opted_in(l->kernel))
        return "dynamic shared memory is at most 48 KiB, unless "
               "cudaFuncSetAttribute(kernel, "
               "cudaFuncAttributeMaxDynamicSharedMemorySize, bytes) was called";
    *e = cudaErrorCooperativeLaunchTooLarge;
    if (l->cooperative && blocks > (uint64_t)fitting(threads, l->shared) *
                                       (unsigned)loom_threads())
        return "the blocks of a cooperative launch must all fit into the "
               "multiprocessors at once: ask "
               "cudaOccupancyMaxActiveBlocksPerMultiprocessor how many do";
    *e = cudaErrorInvalidConfiguration;
    return NULL;
}

/* run the kernel and remember how it ended */
static void run_kernel(const struct loom_launch *l)
{
    int error = loom_run(l);

    if (error)
        __atomic_store_n(&pending, error, __ATOMIC_RELAXED);
}

/* record a kernel */
struct recorded_launch {
    struct loom_launch l;
    char kernel[200];
    _Alignas(64) char args[];
};

static void run_recorded(void *node)
{
    struct recorded_launch *r = node;

    loom_flush();
    r->l.kernel = r->kernel;
    r->l.args = r->args;
    run_kernel(&r->l);
}
static cudaError_t record_kernel(const struct loom_launch *l, cudaStream_t s)
{
    size_t bytes = sizeof(struct recorded_launch) + (l->bytes + 63) / 64 * 64;
    struct recorded_launch *r = aligned_alloc(64, bytes);
    cudaError_t e = cudaErrorMemoryAllocation;

    if (r) {
        r->l = *l;
        snprintf(r->kernel, sizeof r->kernel, "%s", l->kernel);
        memcpy(r->args, l->args, l->bytes);
        e = loom_enqueue(s, run_recorded, r, bytes);
    }
    free(r);
    return e;
}

/* start a kernel */
cudaError_t loom_start(const struct loom_launch *l, cudaStream_t stream)
{
    const char *wrong = over_limit(l);
    cudaError_t e = cudaErrorInvalidConfiguration;

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
    if (recorded(stream) || record.blocking)
        return done(record_kernel(l, stream));
    if (usable())
        run_kernel(l);
    return done(cudaSuccess);
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
        if (!*p)
            return done(cudaErrorMemoryAllocation);
    }
    return done(cudaSuccess);
}
cudaError_t cudaFree(void *p)
{
    int ok = !p || loom_release(p, LOOM_DEVICE, "cudaFree");

    return synced(ok ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaFreeAsync(void *p, cudaStream_t s)
{
    return is_stream(s) ? cudaFree(p) : done(cudaErrorInvalidResourceHandle);
}

cudaError_t cudaFreeHost(void *p)
{
    int ok = !p || loom_release(p, LOOM_HOST, "cudaFreeHost");

    return synced(ok ? cudaSuccess : cudaErrorInvalidValue);
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
struct transfer {
    char *to;
    const char *from;
    size_t to_pitch, from_pitch, width, height;
};

static void transfer(void *args)
{
    const struct transfer *t = args;

    loom_open();
    for (size_t row = 0; row < t->height; row++) {
        memmove(t->to + row * t->to_pitch, t->from + row * t->from_pitch,
                t->width);
        loom_written(t->to + row * t->to_pitch, t->width);
    }
    loom_done();
}
static cudaError_t copy(const char *call, const struct transfer *t,
                        enum cudaMemcpyKind kind, cudaStream_t stream)
{
    int to_device = kind & 1, from_device = kind & 2, bad = 0;

    if ((unsigned)kind > cudaMemcpyDefault)
        return cudaErrorInvalidMemcpyDirection;
    if (!is_stream(stream))
        return cudaErrorInvalidResourceHandle;
    if (t->width == 0 || t->height == 0 || !usable())
        return cudaSuccess;
    loom_open();
    if (kind == cudaMemcpyDefault) {
        to_device = loom_find(t->to) != NULL;
        from_device = loom_find(t->from) != NULL;
    }
    for (size_t i = 0; i < t->height && !bad; i++)
        bad = loom_blamed(call, "destination", t->to + i * t->to_pitch,
                          t->width, to_device) ||
              loom_blamed(call, "source", t->from + i * t->from_pitch, t->width,
                          from_device);
    loom_done();
    return bad ? cudaErrorInvalidValue
               : loom_enqueue(stream, transfer, t, sizeof *t);
}

/* copy and set memory */
cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t count,
                            enum cudaMemcpyKind kind, cudaStream_t stream)
{
    struct transfer t = {to, from, 0, 0, count, 1};

    return done(copy("cudaMemcpyAsync", &t, kind, stream));
}

cudaError_t cudaMemcpy(void *to, const void *from, size_t count,
                       enum cudaMemcpyKind kind)
{
    struct transfer t = {to, from, 0, 0, count, 1};

    return synced(copy("cudaMemcpy", &t, kind, NULL));
}

cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from,
                         size_t from_pitch, size_t width, size_t height,
                         enum cudaMemcpyKind kind)
{
    struct transfer t = {to, from, to_pitch, from_pitch, width, height};

    return synced(width > to_pitch || width > from_pitch
                      ? cudaErrorInvalidPitchValue
                      : copy("cudaMemcpy2D", &t, kind, NULL));
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
    bad = loom_blamed("cudaMemset", "destination", p, count, 1);
    loom_done();
    return done(bad ? cudaErrorInvalidValue
                    : loom_enqueue(s, fill, &f, sizeof f));
}

cudaError_t cudaMemset(void *p, int value, size_t count)
{
    return cudaMemsetAsync(p, value, count, NULL);
}
cudaError_t loom_symbol(void *symbol, size_t size, void *host, size_t count,
                        size_t offset, int to_symbol)
{
    if (offset > size || count > size - offset) {
        loom_say("a copy of %zu bytes at offset %zu does not fit in a symbol"
                 " of %zu bytes",
                 count, offset, size);
        return synced(cudaErrorInvalidValue);
    }
    loom_open();
    if (to_symbol)
        memcpy((char *)symbol + offset, host, count);
    else
        memcpy(host, (char *)symbol + offset, count);
    loom_done();
    return synced(cudaSuccess);
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
cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *p, int device)
{
    long cache = sysconf(_SC_LEVEL2_CACHE_SIZE);
    size_t unused;

    if (!p || device != 0)
        return done(p ? cudaErrorInvalidDevice : cudaErrorInvalidValue);
    memset(p, 0, sizeof *p);
    snprintf(p->name, sizeof p->name, "Loom");
    loom_memory(&unused, &p->totalGlobalMem);
    p->multiProcessorCount = loom_threads();
    p->maxThreadsPerBlock = 1024;
    p->maxThreadsPerMultiProcessor = 2048;
    p->maxBlocksPerMultiProcessor = 32;
    p->cooperativeLaunch = 1;
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
    p->integrated = p->unifiedAddressing = 1; /* its memory is the host's */
    p->managedMemory = p->concurrentManagedAccess = 1;
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
cudaError_t cudaGetDeviceCount(int *count)
{
    *count = 1;
    return done(cudaSuccess);
}

cudaError_t cudaGetDevice(int *device)
{
    *device = 0;
    return done(cudaSuccess);
}

cudaError_t cudaSetDevice(int device)
{
    return done(device == 0 ? cudaSuccess : cudaErrorInvalidDevice);
}

cudaError_t cudaRuntimeGetVersion(int *version)
{
    *version = CUDART_VERSION;
    return done(cudaSuccess);
}

cudaError_t cudaDriverGetVersion(int *version)
{
    *version = 0;
    return done(cudaSuccess);
}
