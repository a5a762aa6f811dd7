/* graph.c: graphs, built node by node or recorded from streams. */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loom/graph.h"
#include "loom/hooks.h"
#include "loom/runtime_int.h"

/* keep nodes */
struct CUgraphNode_st {
    unsigned word; /* LOOM_NODE while it exists */
    int disabled, mark;
    struct CUgraph_st *graph;
    struct CUgraphNode_st *origin, *copy;
    struct loom_nodes before; /* what it waits for */
    void (*run)(void *args);
    void *args; /* a copy */
    size_t bytes;
    struct cudaGraphNodeParams params; /* as the program gave them */
    struct CUgraph_st *child;          /* what it runs instead */
};
struct CUgraph_st {
    unsigned word;       /* LOOM_GRAPH or LOOM_EXEC while it exists */
    int open;            /* it is being recorded ... */
    cudaStream_t origin; /* ... beginning here, ... */
    int spoilt;          /* ... when so many calls had spoilt one */
    int body;            /* it belongs to a node or a condition */
    int auto_free;
    unsigned flags;
    struct loom_nodes all;
    struct condition *conditions;
};

static int push(struct loom_nodes *list, struct CUgraphNode_st *n)
{
    if (list->n == list->room) {
        size_t room = 2 * list->room + 4;
        void *more = realloc(list->at, room * sizeof *list->at);

        if (!more)
            return 0;
        list->at = more;
        list->room = room;
    }
    list->at[list->n++] = n;
    return 1;
}

void loom_join_front(struct loom_nodes *to, const struct loom_nodes *from)
{
    for (size_t i = 0; i < from->n; i++) {
        size_t k = 0;

        while (k < to->n && to->at[k] != from->at[i])
            k++;
        if (k == to->n)
            push(to, from->at[i]);
    }
}
static int is_node(const struct CUgraphNode_st *n)
{
    return n && n->word == LOOM_NODE;
}

static int is_graph(const struct CUgraph_st *g)
{
    return g && g->word == LOOM_GRAPH;
}

static int all_in(const struct CUgraph_st *g, const cudaGraphNode_t *list,
                  size_t n)
{
    if (n && !list)
        return 0;
    for (size_t i = 0; i < n; i++)
        if (!is_node(list[i]) || list[i]->graph != g)
            return 0;
    return 1;
}

static struct CUgraphNode_st *new_node(struct CUgraph_st *g,
                                       cudaGraphNodeType type,
                                       const cudaGraphNode_t *before, size_t n)
{
    struct CUgraphNode_st *node = calloc(1, sizeof *node);

    if (!node || !push(&g->all, node)) {
        free(node);
        return NULL;
    }
    node->word = LOOM_NODE;
    node->params.type = type;
    node->graph = g;
    for (size_t i = 0; i < n; i++)
        push(&node->before, before[i]);
    return node;
}

static int set_work(struct CUgraphNode_st *n, void (*run)(void *),
                    const void *args, size_t bytes)
{
    /* aligned for any type */
    void *copy = aligned_alloc(64, (bytes + 64) / 64 * 64);

    if (!copy)
        return 0;
    if (bytes)
        memcpy(copy, args, bytes);
    free(n->args);
    n->run = run;
    n->args = copy;
    n->bytes = bytes;
    return 1;
}
static void forget(struct CUgraph_st *g);

static void drop_node(struct CUgraphNode_st *n)
{
    if (n->params.type == cudaGraphNodeTypeMemAlloc)
        loom_unkeep(n->params.alloc.dptr);
    if (n->params.type == cudaGraphNodeTypeConditional && n->origin)
        for (unsigned i = 0; i < n->params.conditional.size; i++)
            forget(n->params.conditional.phGraph_out[i]);
    if (n->child)
        forget(n->child);
    free(n->args);
    free(n->before.at);
    memset(n, 0, sizeof *n);
}

/* make kernel nodes */
struct kernel_work {
    struct loom_launch l;
    char name[200];
    _Alignas(64) char args[];
};

static void run_kernel(void *args)
{
    struct kernel_work *w = args;

    loom_flush();
    w->l.kernel = w->name;
    w->l.args = w->args;
    loom_run_kernel(&w->l);
}

cudaError_t loom_record_kernel(const struct loom_launch *l, cudaStream_t s)
{
    size_t bytes = sizeof(struct kernel_work) + (l->bytes + 63) / 64 * 64;
    struct kernel_work *w = aligned_alloc(64, bytes);
    cudaError_t e = cudaErrorMemoryAllocation;

    if (w) {
        w->l = *l;
        snprintf(w->name, sizeof w->name, "%s", l->kernel);
        memcpy(w->args, l->args, l->bytes);
        e = loom_enqueue_as(cudaGraphNodeTypeKernel, s, run_kernel, w, bytes);
    }
    free(w);
    return e;
}
static cudaError_t set_kernel(struct CUgraphNode_st *n,
                              const struct cudaKernelNodeParams *p)
{
    struct CUgraph_st g = {.word = LOOM_GRAPH, .open = 1};
    struct CUstream_st s = {.word = LOOM_STREAM, .graph = &g};
    struct loom_launch l = {.file = "a node of a graph", .line = 0};
    cudaError_t e;

    if (p->extra) {
        loom_say("Loom lacks kernel nodes with `extra`: give kernelParams");
        return cudaErrorNotSupported;
    }
    l.grid = p->gridDim;
    l.block = p->blockDim;
    l.shared = p->sharedMemBytes;
    e = loom_start_call(&l, p->func, p->kernelParams, &s);
    if (e == cudaSuccess && g.all.n == 1) {
        struct CUgraphNode_st *made = g.all.at[0];

        free(n->args);
        n->run = made->run;
        n->args = made->args;
        n->bytes = made->bytes;
        made->args = NULL;
        n->params.kernel = *p;
    }
    forget(&g);
    free(s.front.at);
    return e;
}

/* make copy nodes */
static void run_copy(void *args)
{
    if (loom_check_copy("a copy of a graph", args) != cudaSuccess)
        loom_pend(cudaErrorInvalidValue);
    else
        loom_do_copy(args);
}

static cudaError_t set_copy(struct CUgraphNode_st *n,
                            const struct cudaMemcpy3DParms *p)
{
    struct loom_box b;
    cudaError_t e = loom_box_of(&b, p);

    if (e == cudaSuccess && !set_work(n, run_copy, &b, sizeof b))
        e = cudaErrorMemoryAllocation;
    n->params.memcpy.copyParams = *p;
    return e;
}

static void run_fill(void *args)
{
    struct cudaMemsetParams *p = args;
    size_t pitch = p->height > 1 ? p->pitch : 0;
    size_t bytes = p->width * p->elementSize;
    int bad = 0;

    loom_open();
    for (size_t y = 0; y < p->height && !bad; y++) {
        char *row = (char *)p->dst + y * pitch;

        bad = loom_blamed("a fill of a graph", "destination", row, bytes, 1);
        for (size_t x = 0; x < bytes && !bad; x += p->elementSize)
            memcpy(row + x, &p->value, p->elementSize);
        if (!bad)
            loom_written(row, bytes);
    }
    loom_done();
    if (bad)
        loom_pend(cudaErrorInvalidValue);
}

static cudaError_t set_fill(struct CUgraphNode_st *n,
                            const struct cudaMemsetParams *p)
{
    if ((p->elementSize != 1 && p->elementSize != 2 && p->elementSize != 4) ||
        (p->height > 1 && p->pitch < p->width * p->elementSize))
        return cudaErrorInvalidValue;
    n->params.memset = *p;
    return set_work(n, run_fill, p, sizeof *p) ? cudaSuccess
                                               : cudaErrorMemoryAllocation;
}

/* make nodes of the host */
static void run_host(void *args)
{
    const struct cudaHostNodeParams *p = args;

    loom_flush();
    if (loom_hooks)
        loom_hooks->wait(NULL, LOOM_TOLD, 0);
    p->fn(p->userData);
}

static void run_event(void *args)
{
    loom_stamp(*(cudaEvent_t *)args);
}

static void run_nothing(void *args)
{
    (void)args;
}

static cudaError_t set_host(struct CUgraphNode_st *n,
                            const struct cudaHostNodeParams *p)
{
    if (!p->fn)
        return cudaErrorInvalidValue;
    n->params.host = *p;
    return set_work(n, run_host, p, sizeof *p) ? cudaSuccess
                                               : cudaErrorMemoryAllocation;
}

static cudaError_t set_event(struct CUgraphNode_st *n, cudaEvent_t e,
                             void (*run)(void *))
{
    if (!loom_is_event(e))
        return cudaErrorInvalidValue;
    n->params.eventRecord.event = e;
    return set_work(n, run, &e, sizeof e) ? cudaSuccess
                                          : cudaErrorMemoryAllocation;
}

cudaError_t cudaLaunchHostFunc(cudaStream_t s, cudaHostFn_t fn, void *data)
{
    struct cudaHostNodeParams p = {fn, data};

    if (!fn)
        return loom_result(cudaErrorInvalidValue);
    return loom_result(
        loom_enqueue_as(cudaGraphNodeTypeHost, s, run_host, &p, sizeof p));
}

/* make nodes of memory */
static struct {
    size_t used_high, reserved, reserved_high;
} graph_memory;

static size_t note_used(void)
{
    size_t used = loom_kept_bytes();

    if (used > graph_memory.used_high)
        graph_memory.used_high = used;
    if (used > graph_memory.reserved)
        graph_memory.reserved = used;
    if (graph_memory.reserved > graph_memory.reserved_high)
        graph_memory.reserved_high = graph_memory.reserved;
    return used;
}

static void run_alloc(void *args)
{
    if (!loom_revive(*(void **)args))
        loom_pend(cudaErrorInvalidValue);
    note_used();
}

static void run_free(void *args)
{
    if (!loom_release(*(void **)args, LOOM_DEVICE, "a free node of a graph"))
        loom_pend(cudaErrorInvalidValue);
}
static int waits_for(const struct CUgraphNode_st *n,
                     const struct CUgraphNode_st *other, int depth)
{
    if (n == other)
        return 1;
    for (size_t i = 0; depth < 200 && i < n->before.n; i++)
        if (waits_for(n->before.at[i], other, depth + 1))
            return 1;
    return 0;
}

static void *address_again(const struct CUgraphNode_st *n, size_t bytes)
{
    const struct loom_nodes *all = &n->graph->all;

    for (size_t i = 0; i < all->n; i++) {
        const struct CUgraphNode_st *f = all->at[i], *a = NULL;
        int taken = 0;

        if (f->params.type != cudaGraphNodeTypeMemFree || !waits_for(n, f, 0))
            continue;
        for (size_t k = 0; k < all->n; k++) {
            const struct CUgraphNode_st *o = all->at[k];

            if (o == n || o->params.type != cudaGraphNodeTypeMemAlloc ||
                o->params.alloc.dptr != f->params.free.dptr)
                continue;
            a = o;
            taken |= waits_for(o, f, 0);
        }
        if (a && !taken && a->params.alloc.bytesize == bytes)
            return f->params.free.dptr;
    }
    return NULL;
}

static cudaError_t set_alloc(struct CUgraphNode_st *n,
                             struct cudaMemAllocNodeParams *p)
{
    void *at = address_again(n, p->bytesize);

    if (!at && p->bytesize)
        at = loom_alloc(p->bytesize, LOOM_DEVICE, NULL, 0);
    if (!at)
        return p->bytesize ? cudaErrorMemoryAllocation : cudaErrorInvalidValue;
    loom_keep(at);
    p->dptr = at;
    n->params.alloc = *p;
    return set_work(n, run_alloc, &at, sizeof at) ? cudaSuccess
                                                  : cudaErrorMemoryAllocation;
}
static cudaError_t set_free(struct CUgraphNode_st *n, void *at)
{
    if (!at)
        return cudaErrorInvalidValue;
    n->params.free.dptr = at;
    return set_work(n, run_free, &at, sizeof at) ? cudaSuccess
                                                 : cudaErrorMemoryAllocation;
}
static void advance(cudaStream_t s, struct CUgraphNode_st *n)
{
    s->front.n = 0;
    push(&s->front, n);
}

cudaError_t loom_record_alloc(void **p, size_t bytes, cudaStream_t s)
{
    struct cudaMemAllocNodeParams a = {.bytesize = bytes};
    struct CUgraphNode_st *n =
        new_node(s->graph, cudaGraphNodeTypeMemAlloc, s->front.at, s->front.n);
    cudaError_t e = n ? set_alloc(n, &a) : cudaErrorMemoryAllocation;

    *p = a.dptr;
    if (n)
        advance(s, n);
    return e;
}

cudaError_t loom_record_free(void *p, cudaStream_t s)
{
    struct CUgraphNode_st *n =
        new_node(s->graph, cudaGraphNodeTypeMemFree, s->front.at, s->front.n);

    if (n)
        advance(s, n);
    return n ? set_free(n, p) : cudaErrorMemoryAllocation;
}

cudaError_t cudaDeviceGetGraphMemAttribute(int device,
                                           enum cudaGraphMemAttributeType what,
                                           void *value)
{
    size_t used = note_used();
    size_t v[] = {used, graph_memory.used_high, graph_memory.reserved,
                  graph_memory.reserved_high};

    if (device != 0 || !value || (unsigned)what > 3)
        return loom_result(device ? cudaErrorInvalidDevice
                                  : cudaErrorInvalidValue);
    memcpy(value, &v[what], sizeof v[what]);
    return loom_result(cudaSuccess);
}
cudaError_t cudaDeviceSetGraphMemAttribute(int device,
                                           enum cudaGraphMemAttributeType what,
                                           void *value)
{
    size_t zero = 0;

    if (device != 0 || !value || memcmp(value, &zero, sizeof zero) ||
        (what != cudaGraphMemAttrUsedMemHigh &&
         what != cudaGraphMemAttrReservedMemHigh))
        return loom_result(cudaErrorInvalidValue);
    if (what == cudaGraphMemAttrUsedMemHigh)
        graph_memory.used_high = loom_kept_bytes();
    else
        graph_memory.reserved_high = graph_memory.reserved;
    return loom_result(cudaSuccess);
}

cudaError_t cudaDeviceGraphMemTrim(int device)
{
    if (device == 0)
        graph_memory.reserved = loom_kept_bytes();
    return loom_result(device ? cudaErrorInvalidDevice : cudaSuccess);
}

/* make and destroy graphs */
static struct CUgraph_st *new_graph(unsigned word)
{
    struct CUgraph_st *g = calloc(1, sizeof *g);

    if (g)
        g->word = word;
    return g;
}

static void forget(struct CUgraph_st *g)
{
    for (size_t i = 0; i < g->all.n; i++)
        if (is_node(g->all.at[i]))
            drop_node(g->all.at[i]);
    free(g->all.at);
    memset(g, 0, sizeof *g);
}

static cudaError_t destroy(struct CUgraph_st *g, unsigned word)
{
    if (!g || g->word != word || g->open || g->body)
        return loom_result(cudaErrorInvalidValue);
    forget(g);
    return loom_result(cudaSuccess);
}

cudaError_t cudaGraphCreate(cudaGraph_t *g, unsigned int flags)
{
    if (!g || flags)
        return loom_result(cudaErrorInvalidValue);
    *g = new_graph(LOOM_GRAPH);
    return loom_result(*g ? cudaSuccess : cudaErrorMemoryAllocation);
}

cudaError_t cudaGraphDestroy(cudaGraph_t g)
{
    return destroy(g, LOOM_GRAPH);
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec)
{
    loom_finish_all();
    return destroy((struct CUgraph_st *)exec, LOOM_EXEC);
}

cudaError_t cudaGraphExecGetFlags(cudaGraphExec_t exec,
                                  unsigned long long *flags)
{
    struct CUgraph_st *g = (struct CUgraph_st *)exec;

    if (!g || g->word != LOOM_EXEC || !flags)
        return loom_result(cudaErrorInvalidValue);
    *flags = g->flags;
    return loom_result(cudaSuccess);
}

/* copy graphs */
static struct CUgraph_st *copy_graph(struct CUgraph_st *g, unsigned word);

static int copy_node(struct CUgraph_st *to, struct CUgraphNode_st *n)
{
    struct CUgraphNode_st *c;

    if (n->mark)
        return n->mark == 2;
    n->mark = 1;
    for (size_t i = 0; i < n->before.n; i++)
        if (!copy_node(to, n->before.at[i]))
            return 0;
    n->mark = 2;
    c = new_node(to, n->params.type, NULL, 0);
    if (!c || (n->run && !set_work(c, n->run, n->args, n->bytes)))
        return 0;
    n->copy = c;
    c->origin = n;
    c->disabled = n->disabled;
    c->params = n->params;
    if (n->params.type == cudaGraphNodeTypeMemAlloc)
        loom_keep(n->params.alloc.dptr);
    for (size_t i = 0; i < n->before.n; i++)
        push(&c->before, n->before.at[i]->copy);
    if (n->child)
        c->child = copy_graph(n->child, LOOM_GRAPH);
    return !n->child || c->child;
}

static int copy_bodies(struct CUgraphNode_st *c);

static struct CUgraph_st *copy_graph(struct CUgraph_st *g, unsigned word)
{
    struct CUgraph_st *x = new_graph(word);
    int ok = x != NULL;

    for (size_t i = 0; i < g->all.n; i++)
        if (is_node(g->all.at[i]))
            g->all.at[i]->mark = 0;
    for (size_t i = 0; ok && i < g->all.n; i++)
        if (is_node(g->all.at[i]))
            ok = copy_node(x, g->all.at[i]);
    for (size_t i = 0; ok && i < x->all.n; i++)
        ok = copy_bodies(x->all.at[i]);
    if (!ok && x) {
        forget(x);
        x = NULL;
    }
    if (x) {
        x->conditions = g->conditions;
        x->body = g->body && word == LOOM_GRAPH;
    }
    return x;
}
cudaError_t cudaGraphClone(cudaGraph_t *to, cudaGraph_t g)
{
    if (!to || !is_graph(g))
        return loom_result(cudaErrorInvalidValue);
    *to = copy_graph(g, LOOM_GRAPH);
    return loom_result(*to ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t *node,
                                     cudaGraphNode_t original,
                                     cudaGraph_t clone)
{
    if (!node || !is_graph(clone))
        return loom_result(cudaErrorInvalidValue);
    for (size_t i = 0; i < clone->all.n; i++)
        if (clone->all.at[i]->origin == original) {
            *node = clone->all.at[i];
            return loom_result(cudaSuccess);
        }
    return loom_result(cudaErrorInvalidValue);
}

/* run under a condition */
struct condition {
    unsigned value, first;
    int assign;
    struct condition *next;
};

cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle *h,
                                             cudaGraph_t g, unsigned first,
                                             unsigned flags)
{
    struct condition *c;

    if (!h || !is_graph(g) || flags > 1)
        return loom_result(cudaErrorInvalidValue);
    c = calloc(1, sizeof *c);
    if (!c)
        return loom_result(cudaErrorMemoryAllocation);
    *c = (struct condition){first, first, flags & 1, g->conditions};
    g->conditions = c;
    *h = (cudaGraphConditionalHandle)(uintptr_t)c;
    return loom_result(cudaSuccess);
}

void loom_set_condition(cudaGraphConditionalHandle h, unsigned value)
{
    __atomic_store_n(&((struct condition *)(uintptr_t)h)->value, value,
                     __ATOMIC_RELAXED);
}

static void run_all(struct CUgraph_st *g)
{
    for (size_t i = 0; i < g->all.n && loom_usable(); i++) {
        struct CUgraphNode_st *n = g->all.at[i];

        if (n->disabled)
            continue;
        if (n->child)
            run_all(n->child);
        else
            n->run(n->args);
    }
}
static void run_condition(void *args)
{
    struct cudaConditionalNodeParams *p = args;
    struct condition *c = (struct condition *)(uintptr_t)p->handle;

    if (p->type == cudaGraphCondTypeWhile)
        while (c->value && loom_usable())
            run_all(p->phGraph_out[0]);
    else if (p->type == cudaGraphCondTypeSwitch && c->value < p->size)
        run_all(p->phGraph_out[c->value]);
    else if (p->type == cudaGraphCondTypeIf && c->value)
        run_all(p->phGraph_out[0]);
    else if (p->type == cudaGraphCondTypeIf && p->size == 2)
        run_all(p->phGraph_out[1]);
}

static cudaError_t set_condition(struct CUgraphNode_st *n,
                                 struct cudaConditionalNodeParams *p)
{
    if (!p->handle || p->size < 1 || (unsigned)p->type > 2 ||
        (p->type == cudaGraphCondTypeWhile && p->size > 1) ||
        (p->type == cudaGraphCondTypeIf && p->size > 2))
        return cudaErrorInvalidValue;
    p->phGraph_out = calloc(p->size, sizeof *p->phGraph_out);
    for (unsigned i = 0; p->phGraph_out && i < p->size; i++) {
        p->phGraph_out[i] = new_graph(LOOM_GRAPH);
        p->phGraph_out[i]->body = 1;
    }
    n->params.conditional = *p;
    return p->phGraph_out && set_work(n, run_condition, p, sizeof *p)
               ? cudaSuccess
               : cudaErrorMemoryAllocation;
}

static int copy_bodies(struct CUgraphNode_st *c)
{
    struct cudaConditionalNodeParams *p = &c->params.conditional;
    struct CUgraph_st **from = p->phGraph_out;

    if (c->params.type != cudaGraphNodeTypeConditional)
        return 1;
    p->phGraph_out = calloc(p->size, sizeof *from);
    for (unsigned i = 0; p->phGraph_out && i < p->size; i++) {
        p->phGraph_out[i] = copy_graph(from[i], LOOM_GRAPH);
        if (!p->phGraph_out[i])
            return 0;
    }
    return p->phGraph_out && set_work(c, run_condition, p, sizeof *p);
}

/* record a stream */
struct CUgraph_st *loom_recorded(cudaStream_t s)
{
    return !loom_is_default(s) && s->graph && s->graph->open ? s->graph : NULL;
}

int loom_recording_into(const struct CUgraph_st *g)
{
    return g && g->open;
}

cudaError_t loom_record(cudaStream_t s, cudaGraphNodeType type,
                        void (*run)(void *), const void *args, size_t bytes)
{
    struct CUgraphNode_st *n =
        new_node(s->graph, type, s->front.at, s->front.n);

    if (!n || !set_work(n, run, args, bytes))
        return cudaErrorMemoryAllocation;
    advance(s, n);
    return cudaSuccess;
}

static cudaError_t begin(cudaStream_t s, enum cudaStreamCaptureMode mode,
                         struct CUgraph_st *g)
{
    if (!g)
        return cudaErrorMemoryAllocation;
    s->graph = g;
    s->front.n = 0;
    g->open = mode == cudaStreamCaptureModeRelaxed ? 1 : 2;
    g->origin = s;
    g->spoilt = loom_recording.spoilt;
    loom_recording.strict += g->open == 2;
    loom_recording.blocking += s->flags != cudaStreamNonBlocking;
    return cudaSuccess;
}

static cudaError_t may_begin(cudaStream_t s, enum cudaStreamCaptureMode mode)
{
    if (!loom_is_stream(s))
        return cudaErrorInvalidResourceHandle;
    if ((unsigned)mode > cudaStreamCaptureModeRelaxed)
        return cudaErrorInvalidValue;
    if (loom_is_default(s))
        return cudaErrorStreamCaptureUnsupported;
    return loom_recorded(s) ? cudaErrorIllegalState : cudaSuccess;
}

cudaError_t cudaStreamBeginCapture(cudaStream_t s,
                                   enum cudaStreamCaptureMode mode)
{
    cudaError_t e = may_begin(s, mode);

    return loom_result(e ? e : begin(s, mode, new_graph(LOOM_GRAPH)));
}
cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t s, cudaGraph_t g,
                                          const cudaGraphNode_t *before,
                                          const cudaGraphEdgeData *edges,
                                          size_t n,
                                          enum cudaStreamCaptureMode mode)
{
    cudaError_t e = may_begin(s, mode);

    (void)edges;
    if (!e && (!is_graph(g) || g->open || !all_in(g, before, n)))
        e = cudaErrorInvalidValue;
    if (!e)
        e = begin(s, mode, g);
    for (size_t i = 0; !e && i < n; i++)
        push(&s->front, before[i]);
    return loom_result(e);
}

cudaError_t cudaStreamEndCapture(cudaStream_t s, cudaGraph_t *graph)
{
    struct CUgraph_st *g = loom_is_stream(s) ? loom_recorded(s) : NULL;

    if (graph)
        *graph = NULL;
    if (!g)
        return loom_result(!loom_is_stream(s) ? cudaErrorInvalidResourceHandle
                                              : cudaErrorIllegalState);
    if (g->origin != s)
        return loom_result(cudaErrorStreamCaptureUnmatched);
    loom_recording.strict -= g->open == 2;
    loom_recording.blocking -= s->flags != cudaStreamNonBlocking;
    g->open = 0;
    if (g->spoilt != loom_recording.spoilt) {
        cudaGraphDestroy(g);
        return loom_result(cudaErrorStreamCaptureInvalidated);
    }
    if (graph)
        *graph = g;
    return loom_result(cudaSuccess);
}
cudaError_t cudaStreamIsCapturing(cudaStream_t s,
                                  enum cudaStreamCaptureStatus *status)
{
    if (!status || !loom_is_stream(s))
        return loom_result(status ? cudaErrorInvalidResourceHandle
                                  : cudaErrorInvalidValue);
    *status = cudaStreamCaptureStatusNone;
    if (loom_recorded(s))
        *status = s->graph->spoilt == loom_recording.spoilt
                      ? cudaStreamCaptureStatusActive
                      : cudaStreamCaptureStatusInvalidated;
    return loom_result(cudaSuccess);
}

cudaError_t cudaStreamGetCaptureInfo(cudaStream_t s,
                                     enum cudaStreamCaptureStatus *status,
                                     unsigned long long *id, cudaGraph_t *graph,
                                     const cudaGraphNode_t **before,
                                     const cudaGraphEdgeData **edges, size_t *n)
{
    cudaError_t e = cudaStreamIsCapturing(s, status);

    if (e || *status == cudaStreamCaptureStatusNone)
        return e;
    if (id)
        *id = (uintptr_t)s->graph;
    if (graph)
        *graph = s->graph;
    if (before)
        *before = s->front.at;
    if (edges)
        *edges = NULL;
    if (n)
        *n = s->front.n;
    return cudaSuccess;
}

cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t s,
                                                cudaGraphNode_t *before,
                                                const cudaGraphEdgeData *edges,
                                                size_t n, unsigned flags)
{
    struct loom_nodes add = {before, n, n};

    (void)edges;
    if (!loom_is_stream(s) || !loom_recorded(s))
        return loom_result(cudaErrorIllegalState);
    if (!all_in(s->graph, before, n) || flags > 1)
        return loom_result(cudaErrorInvalidValue);
    if (flags == cudaStreamSetCaptureDependencies)
        s->front.n = 0;
    loom_join_front(&s->front, &add);
    return loom_result(cudaSuccess);
}

/* add nodes */
static cudaError_t set_params(struct CUgraphNode_st *n,
                              struct cudaGraphNodeParams *p)
{
    switch (p->type) {
    case cudaGraphNodeTypeKernel:
        return set_kernel(n, &p->kernel);
    case cudaGraphNodeTypeMemcpy:
        return set_copy(n, &p->memcpy.copyParams);
    case cudaGraphNodeTypeMemset:
        return set_fill(n, &p->memset);
    case cudaGraphNodeTypeHost:
        return set_host(n, &p->host);
    case cudaGraphNodeTypeEmpty:
        return set_work(n, run_nothing, NULL, 0) ? cudaSuccess
                                                 : cudaErrorMemoryAllocation;
    case cudaGraphNodeTypeGraph:
        if (!is_graph(p->graph.graph) || p->graph.graph == n->graph)
            return cudaErrorInvalidValue;
        if (n->child)
            forget(n->child);
        n->child = copy_graph(p->graph.graph, LOOM_GRAPH);
        return n->child ? cudaSuccess : cudaErrorInvalidValue;
    case cudaGraphNodeTypeEventRecord:
        return set_event(n, p->eventRecord.event, run_event);
    case cudaGraphNodeTypeWaitEvent:
        return set_event(n, p->eventWait.event, run_nothing);
    case cudaGraphNodeTypeMemAlloc:
        return set_alloc(n, &p->alloc);
    case cudaGraphNodeTypeMemFree:
        return set_free(n, p->free.dptr);
    case cudaGraphNodeTypeConditional:
        return set_condition(n, &p->conditional);
    default:
        return cudaErrorInvalidValue;
    }
}
cudaError_t cudaGraphAddNode(cudaGraphNode_t *node, cudaGraph_t g,
                             const cudaGraphNode_t *before,
                             const cudaGraphEdgeData *edges, size_t n,
                             struct cudaGraphNodeParams *p)
{
    struct CUgraphNode_st *made;
    cudaError_t e;

    (void)edges;
    if (!node || !p || !is_graph(g) || !all_in(g, before, n))
        return loom_result(cudaErrorInvalidValue);
    made = new_node(g, p->type, before, n);
    if (!made)
        return loom_result(cudaErrorMemoryAllocation);
    e = set_params(made, p);
    if (e != cudaSuccess) {
        drop_node(made);
        g->all.n--;
    } else {
        *node = made;
    }
    return loom_result(e);
}
static struct CUgraphNode_st *find(struct CUgraph_st *g, cudaGraphNode_t node)
{
    for (size_t i = 0; i < g->all.n; i++) {
        struct CUgraphNode_st *n = g->all.at[i], *deep;

        if (n == node || n->origin == node)
            return n;
        deep = n->child ? find(n->child, node) : NULL;
        if (deep)
            return deep;
    }
    return NULL;
}

static cudaError_t change(struct CUgraph_st *g, cudaGraphNode_t node,
                          struct cudaGraphNodeParams *p)
{
    struct CUgraphNode_st *n = g && node ? find(g, node) : NULL;

    if (!n || n->params.type != p->type)
        return loom_result(cudaErrorInvalidValue);
    return loom_result(set_params(n, p));
}
#define LOOM_NODE_OF(Name, T, field)                                           \
    cudaError_t cudaGraphAdd##Name##Node(cudaGraphNode_t *node, cudaGraph_t g, \
                                         const cudaGraphNode_t *before,        \
                                         size_t n, const T *p)                 \
    {                                                                          \
        struct cudaGraphNodeParams all = {.type = cudaGraphNodeType##Name};    \
                                                                               \
        if (!p)                                                                \
            return loom_result(cudaErrorInvalidValue);                         \
        all.field = *p;                                                        \
        return cudaGraphAddNode(node, g, before, NULL, n, &all);               \
    }                                                                          \
    cudaError_t cudaGraph##Name##NodeGetParams(cudaGraphNode_t n, T *p)        \
    {                                                                          \
        if (!p || !is_node(n) || n->params.type != cudaGraphNodeType##Name)    \
            return loom_result(cudaErrorInvalidValue);                         \
        *p = n->params.field;                                                  \
        return loom_result(cudaSuccess);                                       \
    }                                                                          \
    cudaError_t cudaGraph##Name##NodeSetParams(cudaGraphNode_t n, const T *p)  \
    {                                                                          \
        struct cudaGraphNodeParams all = {.type = cudaGraphNodeType##Name};    \
                                                                               \
        if (!p || !is_node(n))                                                 \
            return loom_result(cudaErrorInvalidValue);                         \
        all.field = *p;                                                        \
        return change(n->graph, n, &all);                                      \
    }                                                                          \
    cudaError_t cudaGraphExec##Name##NodeSetParams(                            \
        cudaGraphExec_t exec, cudaGraphNode_t n, const T *p)                   \
    {                                                                          \
        struct cudaGraphNodeParams all = {.type = cudaGraphNodeType##Name};    \
                                                                               \
        if (!p || !exec)                                                       \
            return loom_result(cudaErrorInvalidValue);                         \
        all.field = *p;                                                        \
        return change((struct CUgraph_st *)exec, n, &all);                     \
    }
LOOM_NODE_OF(Kernel, struct cudaKernelNodeParams, kernel)
LOOM_NODE_OF(Memcpy, struct cudaMemcpy3DParms, memcpy.copyParams)
LOOM_NODE_OF(Memset, struct cudaMemsetParams, memset)
LOOM_NODE_OF(Host, struct cudaHostNodeParams, host)
static struct cudaMemcpy3DParms row(void *to, const void *from, size_t count,
                                    enum cudaMemcpyKind kind)
{
    struct cudaMemcpy3DParms p = {.kind = kind, .extent = {count, 1, 1}};

    p.dstPtr = (struct cudaPitchedPtr){to, count, count, 1};
    p.srcPtr = (struct cudaPitchedPtr){(void *)from, count, count, 1};
    return p;
}

cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t *node, cudaGraph_t g,
                                     const cudaGraphNode_t *before, size_t n,
                                     void *to, const void *from, size_t count,
                                     enum cudaMemcpyKind kind)
{
    struct cudaMemcpy3DParms p = row(to, from, count, kind);

    return cudaGraphAddMemcpyNode(node, g, before, n, &p);
}

cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t exec,
                                               cudaGraphNode_t node, void *to,
                                               const void *from, size_t count,
                                               enum cudaMemcpyKind kind)
{
    struct cudaMemcpy3DParms p = row(to, from, count, kind);

    return cudaGraphExecMemcpyNodeSetParams(exec, node, &p);
}

cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t *node, cudaGraph_t g,
                                     const cudaGraphNode_t *before, size_t n,
                                     struct cudaMemAllocNodeParams *p)
{
    struct cudaGraphNodeParams all = {.type = cudaGraphNodeTypeMemAlloc};
    cudaError_t e;

    if (!p)
        return loom_result(cudaErrorInvalidValue);
    all.alloc = *p;
    e = cudaGraphAddNode(node, g, before, NULL, n, &all);
    p->dptr = all.alloc.dptr;
    return e;
}

#define LOOM_NODE_FROM(Name, T, field)                                         \
    cudaError_t cudaGraphAdd##Name##Node(cudaGraphNode_t *node, cudaGraph_t g, \
                                         const cudaGraphNode_t *before,        \
                                         size_t n, T value)                    \
    {                                                                          \
        struct cudaGraphNodeParams all = {.type = cudaGraphNodeType##Name};    \
                                                                               \
        all.field = value;                                                     \
        return cudaGraphAddNode(node, g, before, NULL, n, &all);               \
    }
LOOM_NODE_FROM(MemFree, void *, free.dptr)
LOOM_NODE_FROM(EventRecord, cudaEvent_t, eventRecord.event)
cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t *node, cudaGraph_t g,
                                      const cudaGraphNode_t *before, size_t n,
                                      cudaEvent_t event)
{
    struct cudaGraphNodeParams all = {.type = cudaGraphNodeTypeWaitEvent};

    all.eventWait.event = event;
    return cudaGraphAddNode(node, g, before, NULL, n, &all);
}

cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t *node, cudaGraph_t g,
                                       const cudaGraphNode_t *before, size_t n,
                                       cudaGraph_t child)
{
    struct cudaGraphNodeParams all = {.type = cudaGraphNodeTypeGraph};

    all.graph.graph = child;
    return cudaGraphAddNode(node, g, before, NULL, n, &all);
}

cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t *node, cudaGraph_t g,
                                  const cudaGraphNode_t *before, size_t n)
{
    struct cudaGraphNodeParams all = {.type = cudaGraphNodeTypeEmpty};

    return cudaGraphAddNode(node, g, before, NULL, n, &all);
}

cudaError_t cudaGraphNodeSetParams(cudaGraphNode_t n,
                                   struct cudaGraphNodeParams *p)
{
    if (!p || !is_node(n))
        return loom_result(cudaErrorInvalidValue);
    return change(n->graph, n, p);
}

cudaError_t cudaGraphExecNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t n,
                                       struct cudaGraphNodeParams *p)
{
    if (!p || !exec)
        return loom_result(cudaErrorInvalidValue);
    return change((struct CUgraph_st *)exec, n, p);
}

cudaError_t cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t exec,
                                                 cudaGraphNode_t n,
                                                 cudaGraph_t child)
{
    struct cudaGraphNodeParams all = {.type = cudaGraphNodeTypeGraph};

    all.graph.graph = child;
    return exec ? change((struct CUgraph_st *)exec, n, &all)
                : loom_result(cudaErrorInvalidValue);
}

/* answer questions about graphs */
static cudaError_t list(const struct loom_nodes *of, cudaGraphNode_t *to,
                        size_t *n)
{
    size_t all = 0;

    for (size_t i = 0; i < of->n; i++) {
        if (!is_node(of->at[i]))
            continue;
        if (to && all < *n)
            to[all] = of->at[i];
        all++;
    }
    for (size_t i = all; to && i < *n; i++)
        to[i] = NULL;
    if (!to || *n > all)
        *n = all;
    return loom_result(cudaSuccess);
}

cudaError_t cudaGraphGetNodes(cudaGraph_t g, cudaGraphNode_t *nodes, size_t *n)
{
    if (!is_graph(g) || !n)
        return loom_result(cudaErrorInvalidValue);
    return list(&g->all, nodes, n);
}

cudaError_t cudaGraphGetRootNodes(cudaGraph_t g, cudaGraphNode_t *nodes,
                                  size_t *n)
{
    struct loom_nodes roots = {0};
    cudaError_t e;

    if (!is_graph(g) || !n)
        return loom_result(cudaErrorInvalidValue);
    for (size_t i = 0; i < g->all.n; i++)
        if (is_node(g->all.at[i]) && g->all.at[i]->before.n == 0)
            push(&roots, g->all.at[i]);
    e = list(&roots, nodes, n);
    free(roots.at);
    return e;
}

cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node,
                                         cudaGraphNode_t *before,
                                         cudaGraphEdgeData *edges, size_t *n)
{
    (void)edges;
    if (!is_node(node) || !n)
        return loom_result(cudaErrorInvalidValue);
    return list(&node->before, before, n);
}
cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node,
                                           cudaGraphNode_t *behind,
                                           cudaGraphEdgeData *edges, size_t *n)
{
    struct loom_nodes found = {0};
    cudaError_t e;

    (void)edges;
    if (!is_node(node) || !n)
        return loom_result(cudaErrorInvalidValue);
    for (size_t i = 0; i < node->graph->all.n; i++) {
        struct CUgraphNode_st *o = node->graph->all.at[i];

        for (size_t k = 0; is_node(o) && k < o->before.n; k++)
            if (o->before.at[k] == node)
                push(&found, o);
    }
    e = list(&found, behind, n);
    free(found.at);
    return e;
}

cudaError_t cudaGraphGetEdges(cudaGraph_t g, cudaGraphNode_t *from,
                              cudaGraphNode_t *to, cudaGraphEdgeData *edges,
                              size_t *n)
{
    size_t all = 0;

    (void)edges;
    if (!is_graph(g) || !n || !from != !to)
        return loom_result(cudaErrorInvalidValue);
    for (size_t i = 0; i < g->all.n; i++) {
        struct CUgraphNode_st *o = g->all.at[i];

        for (size_t k = 0; is_node(o) && k < o->before.n; k++, all++)
            if (from && all < *n) {
                from[all] = o->before.at[k];
                to[all] = o;
            }
    }
    if (!from || *n > all)
        *n = all;
    return loom_result(cudaSuccess);
}

cudaError_t cudaGraphNodeGetType(cudaGraphNode_t n, cudaGraphNodeType *type)
{
    if (!is_node(n) || !type)
        return loom_result(cudaErrorInvalidValue);
    *type = n->params.type;
    return loom_result(cudaSuccess);
}
cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t n, cudaGraph_t *g)
{
    if (!is_node(n) || !g || !n->child)
        return loom_result(cudaErrorInvalidValue);
    *g = n->child;
    return loom_result(cudaSuccess);
}

/* change graphs */
cudaError_t cudaGraphAddDependencies(cudaGraph_t g, const cudaGraphNode_t *from,
                                     const cudaGraphNode_t *to,
                                     const cudaGraphEdgeData *edges, size_t n)
{
    (void)edges;
    if (!is_graph(g) || !all_in(g, from, n) || !all_in(g, to, n))
        return loom_result(cudaErrorInvalidValue);
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < to[i]->before.n; k++)
            if (to[i]->before.at[k] == from[i])
                return loom_result(cudaErrorInvalidValue);
        push(&to[i]->before, from[i]);
    }
    return loom_result(cudaSuccess);
}

static int cut(struct CUgraphNode_st *n, const struct CUgraphNode_st *from)
{
    size_t kept = 0, all = n->before.n;

    for (size_t i = 0; i < all; i++)
        if (n->before.at[i] != from)
            n->before.at[kept++] = n->before.at[i];
    n->before.n = kept;
    return kept < all;
}

cudaError_t cudaGraphRemoveDependencies(cudaGraph_t g,
                                        const cudaGraphNode_t *from,
                                        const cudaGraphNode_t *to,
                                        const cudaGraphEdgeData *edges,
                                        size_t n)
{
    (void)edges;
    if (!is_graph(g) || !all_in(g, from, n) || !all_in(g, to, n))
        return loom_result(cudaErrorInvalidValue);
    for (size_t i = 0; i < n; i++)
        if (!cut(to[i], from[i]))
            return loom_result(cudaErrorInvalidValue);
    return loom_result(cudaSuccess);
}

cudaError_t cudaGraphDestroyNode(cudaGraphNode_t n)
{
    struct CUgraph_st *g = is_node(n) ? n->graph : NULL;

    if (!g || !is_graph(g) || n->params.type == cudaGraphNodeTypeMemAlloc ||
        n->params.type == cudaGraphNodeTypeMemFree)
        return loom_result(cudaErrorInvalidValue);
    for (size_t i = 0; i < g->all.n; i++)
        if (is_node(g->all.at[i]))
            cut(g->all.at[i], n);
    drop_node(n);
    return loom_result(cudaSuccess);
}
cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node,
                                    unsigned int on)
{
    struct CUgraphNode_st *n =
        exec ? find((struct CUgraph_st *)exec, node) : NULL;

    if (!n || (n->params.type != cudaGraphNodeTypeKernel &&
               n->params.type != cudaGraphNodeTypeMemcpy &&
               n->params.type != cudaGraphNodeTypeMemset))
        return loom_result(cudaErrorInvalidValue);
    n->disabled = !on;
    return loom_result(cudaSuccess);
}

cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node,
                                    unsigned int *on)
{
    struct CUgraphNode_st *n =
        exec ? find((struct CUgraph_st *)exec, node) : NULL;

    if (!n || !on)
        return loom_result(cudaErrorInvalidValue);
    *on = !n->disabled;
    return loom_result(cudaSuccess);
}

/* update a launchable graph */
static cudaGraphExecUpdateResult differ(const struct CUgraph_st *a,
                                        const struct CUgraph_st *b,
                                        cudaGraphNode_t *at)
{
    *at = NULL;
    if (a->all.n != b->all.n)
        return cudaGraphExecUpdateErrorTopologyChanged;
    for (size_t i = 0; i < a->all.n; i++) {
        const struct CUgraphNode_st *n = a->all.at[i], *o = b->all.at[i];

        *at = o->origin;
        if (n->params.type != o->params.type)
            return cudaGraphExecUpdateErrorNodeTypeChanged;
        if (n->before.n != o->before.n)
            return cudaGraphExecUpdateErrorTopologyChanged;
        for (size_t k = 0; k < a->all.n; k++)
            for (size_t d = 0; d < n->before.n; d++)
                if ((n->before.at[d] == a->all.at[k]) !=
                    (o->before.at[d] == b->all.at[k]))
                    return cudaGraphExecUpdateErrorTopologyChanged;
        if (n->params.type == cudaGraphNodeTypeMemAlloc ||
            n->params.type == cudaGraphNodeTypeMemFree ||
            n->params.type == cudaGraphNodeTypeConditional)
            return cudaGraphExecUpdateErrorNotSupported;
    }
    *at = NULL;
    return cudaGraphExecUpdateSuccess;
}

cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t g,
                                cudaGraphExecUpdateResultInfo *info)
{
    struct CUgraph_st *x = (struct CUgraph_st *)exec, *fresh;
    cudaGraphExecUpdateResultInfo r = {cudaGraphExecUpdateError, NULL, NULL};

    if (!x || x->word != LOOM_EXEC || !is_graph(g) || !info)
        return loom_result(cudaErrorInvalidValue);
    fresh = copy_graph(g, LOOM_EXEC);
    if (fresh)
        r.result = differ(x, fresh, &r.errorNode);
    if (r.result == cudaGraphExecUpdateSuccess) {
        struct CUgraph_st old = *x;

        for (size_t i = 0; i < old.all.n; i++) /* the handles stay */
            fresh->all.at[i]->origin = old.all.at[i]->origin;
        x->all = fresh->all;
        fresh->all = old.all;
        for (size_t i = 0; i < x->all.n; i++)
            x->all.at[i]->graph = x;
    }
    if (fresh)
        forget(fresh);
    *info = r;
    return loom_result(r.result == cudaGraphExecUpdateSuccess
                           ? cudaSuccess
                           : cudaErrorGraphExecUpdateFailure);
}

/* launch graphs */
cudaError_t cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t g,
                                 unsigned long long flags)
{
    struct CUgraph_st *x;

    if (!exec || !is_graph(g) || g->open || flags > 15)
        return loom_result(cudaErrorInvalidValue);
    if (flags & cudaGraphInstantiateFlagDeviceLaunch) {
        loom_say("cudaGraphInstantiate: Loom lacks graphs that kernels launch");
        return loom_result(cudaErrorNotSupported);
    }
    x = copy_graph(g, LOOM_EXEC);
    if (!x)
        return loom_result(cudaErrorInvalidValue);
    x->flags = (unsigned)flags;
    x->auto_free = flags & cudaGraphInstantiateFlagAutoFreeOnLaunch;
    *exec = (cudaGraphExec_t)x;
    return loom_result(cudaSuccess);
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *exec, cudaGraph_t g,
                                          unsigned long long flags)
{
    return cudaGraphInstantiate(exec, g, flags);
}

cudaError_t cudaGraphUpload(cudaGraphExec_t exec, cudaStream_t s)
{
    struct CUgraph_st *g = (struct CUgraph_st *)exec;

    return loom_result(g && g->word == LOOM_EXEC && loom_is_stream(s)
                           ? cudaSuccess
                           : cudaErrorInvalidValue);
}

static cudaError_t ready(struct CUgraph_st *g)
{
    for (struct condition *c = g->conditions; c; c = c->next)
        if (c->assign)
            c->value = c->first;
    for (size_t i = 0; i < g->all.n; i++) {
        struct CUgraphNode_st *n = g->all.at[i];
        int again = 0;

        if (n->params.type != cudaGraphNodeTypeMemAlloc)
            continue;
        for (size_t k = 0; k < i; k++) /* the address of another, freed */
            again |= g->all.at[k]->params.type == cudaGraphNodeTypeMemAlloc &&
                     g->all.at[k]->params.alloc.dptr == n->params.alloc.dptr;
        if (again || !loom_alive(n->params.alloc.dptr))
            continue;
        if (!g->auto_free)
            return cudaErrorInvalidValue;
        loom_release(n->params.alloc.dptr, LOOM_DEVICE, "cudaGraphLaunch");
    }
    return cudaSuccess;
}
/* Whether a launch changes what the next one finds, or needs the graph itself
   when its turn comes. */
static int keeps_state(const struct CUgraph_st *g)
{
    for (size_t i = 0; i < g->all.n; i++) {
        const struct CUgraphNode_st *n = g->all.at[i];

        if (n->params.type == cudaGraphNodeTypeMemAlloc ||
            n->params.type == cudaGraphNodeTypeConditional ||
            (n->child && keeps_state(n->child)))
            return 1;
    }
    return 0;
}

static cudaError_t enqueue_all(struct CUgraph_st *g, cudaStream_t s)
{
    cudaError_t e = cudaSuccess;

    for (size_t i = 0; i < g->all.n && !e; i++) {
        struct CUgraphNode_st *n = g->all.at[i];

        if (n->disabled)
            continue;
        e = n->child
                ? enqueue_all(n->child, s)
                : loom_enqueue_as(n->params.type, s, n->run, n->args, n->bytes);
    }
    return e;
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t s)
{
    struct CUgraph_st *g = (struct CUgraph_st *)exec;
    cudaError_t e;

    if (!g || g->word != LOOM_EXEC)
        return loom_result(cudaErrorInvalidValue);
    if (!loom_is_stream(s))
        return loom_result(cudaErrorInvalidResourceHandle);
    if (keeps_state(g))
        loom_finish_all();
    e = ready(g);
    return loom_result(e ? e : enqueue_all(g, s));
}

/* draw a graph */
cudaError_t cudaGraphDebugDotPrint(cudaGraph_t g, const char *path,
                                   unsigned int flags)
{
    static const char *const name[] = {
        "kernel", "memcpy", "memset", "host",  "graph", "empty", "wait",
        "record", "",       "",       "alloc", "free",  "",      "condition"};
    FILE *f = is_graph(g) && path ? fopen(path, "w") : NULL;

    (void)flags;
    if (!f)
        return loom_result(cudaErrorInvalidValue);
    fprintf(f, "digraph graph_1 {\n");
    for (size_t i = 0; i < g->all.n; i++) {
        const struct CUgraphNode_st *n = g->all.at[i];

        if (!is_node(n))
            continue;
        fprintf(f, "  n%zu [label=\"%s%s%s\"];\n", i, name[n->params.type],
                n->run == run_kernel ? " " : "",
                n->run == run_kernel ? ((struct kernel_work *)n->args)->name
                                     : "");
        for (size_t k = 0; k < g->all.n; k++)
            for (size_t d = 0; d < n->before.n; d++)
                if (n->before.at[d] == g->all.at[k])
                    fprintf(f, "  n%zu -> n%zu;\n", k, i);
    }
    fprintf(f, "}\n");
    return loom_result(fclose(f) ? cudaErrorOperatingSystem : cudaSuccess);
}
