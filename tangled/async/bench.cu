/* bench: copies, overlap, managed memory, launches, allocation, host threads. */
#include <pthread.h>

#include "async/arena.cuh"
#include "async/batches.cuh"
#include "async/passes.cuh"
#include "async/pieces.cuh"
#include "async/prefetch.cuh"
#include "measure/bench.h"
#include "measure/clock.h"
#include "tour/args.h"
#ifndef __LOOM__
#include <cuda_device_runtime_api.h>

#include "async/device.cuh"
#include "async/nodes.cuh"
#endif

/* choose the sizes */
#ifdef __LOOM__
enum { LOG_COPY = 12, BATCH = 1 << 8, STEPS = 3, RING = 500, CHAIN = 10 };
enum { WORDS = 1000, TOUCHED = 1 << 10, ALLOCS = 10, LAUNCHES = 20 };
#else
enum { LOG_COPY = 28, BATCH = 1 << 22, STEPS = 1501, RING = 1 << 14 };
enum { CHAIN = 100, WORDS = 1 << 22, TOUCHED = 1 << 23, ALLOCS = 100 };
enum { LAUNCHES = 10000 };
#endif

/* measure copies */
struct copies {
    size_t bytes;
    void *host[2], *device; /* pinned, pageable */
};

enum { FROM_PAGEABLE = 1, BACK = 2 };

static void run_copy(void *work, int how, int)
{
    struct copies *w = (struct copies *)work;
    void *host = w->host[how & FROM_PAGEABLE];

    if (how & BACK)
        CUDA_CHECK(cudaMemcpyAsync(host, w->device, w->bytes,
                                   cudaMemcpyDeviceToHost, 0));
    else
        CUDA_CHECK(cudaMemcpyAsync(w->device, host, w->bytes,
                                   cudaMemcpyHostToDevice, 0));
}

static const char *const copy_names[4] = {"in_pinned", "in_pageable",
                                          "out_pinned", "out_pageable"};

/* Microseconds until the call of a copy has returned. */
static struct stats returns(struct copies *w, int how)
{
    enum { TIMES = 11 };
    double us[TIMES];

    for (int r = 0; r < TIMES; r++) {
        us[r] = clock_us();
        run_copy(w, how, 0);
        us[r] = clock_us() - us[r];
        CUDA_CHECK(cudaDeviceSynchronize());
    }
    return stats_of(us, TIMES);
}

/* measure one size of copies */
static void bench_copies(size_t bytes)
{
    struct bench_case table[4] = {};
    struct bench b = {NULL, (long long)bytes, (double)bytes, 0, 1, NULL};
    struct copies w = {bytes};

    CUDA_CHECK(cudaMallocHost(&w.host[0], bytes));
    w.host[1] = check_alloc(bytes, 1);
    memset(w.host[0], 1, bytes);
    memset(w.host[1], 2, bytes);
    CUDA_CHECK(cudaMalloc(&w.device, bytes));
    CUDA_CHECK(cudaMemset(w.device, 3, bytes));
    b.work = &w;
    for (int how = 0; how < 4; how++) {
        table[how].variant = copy_names[how];
        table[how].launch = run_copy;
        table[how].how = how;
        table[how].by_host = 1;
    }
    bench_run(table, 4, &b);
    for (int how = 0; how < 4; how++)
        bench_spread(copy_names[how], (long long)bytes, "returns",
                     returns(&w, how), 1, "µs");
    CUDA_CHECK(cudaFree(w.device));
    CUDA_CHECK(cudaFreeHost(w.host[0]));
    free(w.host[1]);
}

/* measure the cost of pinning */
static void bench_pinning(size_t bytes)
{
    enum { TIMES = 7 };
    double pin[TIMES], plain[TIMES];

    for (int r = 0; r < TIMES; r++) {
        double start = clock_us();
        char *p;

        CUDA_CHECK(cudaMallocHost((void **)&p, bytes));
        CUDA_CHECK(cudaFreeHost(p));
        pin[r] = clock_us() - start;
        start = clock_us();
        p = (char *)check_alloc(bytes, 1);
        for (size_t i = 0; i < bytes; i += 4096)
            ((volatile char *)p)[i] = 1;
        free(p);
        plain[r] = clock_us() - start;
    }
    bench_spread("pin", (long long)bytes, "ms", stats_of(pin, TIMES), 1e-3,
                 "ms");
    bench_spread("malloc", (long long)bytes, "ms", stats_of(plain, TIMES), 1e-3,
                 "ms");
}

/* measure parts and pieces */
enum { PART_IN = 1, PART_KERNEL = 2, PART_OUT = 4 };

struct overlap {
    struct pieces w;
    float4 *d_in, *d_out, *h_out; /* of other batches */
    cudaEvent_t fork, join[LINES];
};

static void fork_lines(struct overlap *o)
{
    CUDA_CHECK(cudaEventRecord(o->fork, 0));
    for (int k = 0; k < LINES; k++)
        CUDA_CHECK(cudaStreamWaitEvent(o->w.stream[k], o->fork, 0));
}

static void join_lines(struct overlap *o)
{
    for (int k = 0; k < LINES; k++)
        stream_after(0, o->w.stream[k], o->join[k]);
}

static void run_parts(void *work, int parts, int)
{
    struct overlap *o = (struct overlap *)work;
    struct pieces *w = &o->w;
    size_t bytes = w->n * sizeof(float4);

    fork_lines(o);
    if (parts & PART_IN)
        CUDA_CHECK(cudaMemcpyAsync(o->d_in, w->h_x, bytes,
                                   cudaMemcpyHostToDevice, w->stream[0]));
    if (parts & PART_KERNEL) {
        walk<<<blocks_for(w->n, 128), 128, 0, w->stream[1]>>>(
            w->n, w->steps, STEP_A, STEP_B, w->d_x, w->d_y);
        CUDA_LAUNCH_CHECK();
    }
    if (parts & PART_OUT)
        CUDA_CHECK(cudaMemcpyAsync(o->h_out, o->d_out, bytes,
                                   cudaMemcpyDeviceToHost, w->stream[2]));
    join_lines(o);
}

static void run_pieces(void *work, int how, int)
{
    struct overlap *o = (struct overlap *)work;

    o->w.count = how / WAYS;
    fork_lines(o);
    queue_pieces(&o->w, (enum way)(how % WAYS));
    join_lines(o);
}

/* check an overlap */
static void check_overlap(const struct bench_case *c)
{
    struct overlap *o = (struct overlap *)c->work;
    size_t floats = 4 * o->w.n, slice = floats < 200 ? floats : 200;
    size_t at[3] = {0, (floats - slice) / 2, floats - slice};
    float4 *y = o->w.h_y;

    poison(o->w.h_y, o->w.n * sizeof *y);
    poison(o->w.m_y, o->w.n * sizeof *y);
    c->launch(o, c->how, 0);
    CUDA_CHECK(cudaDeviceSynchronize());
    if (c->launch == run_parts && !(c->how & PART_KERNEL))
        return;
    if (c->launch == run_parts)
        CUDA_CHECK(cudaMemcpy(y, o->w.d_y, o->w.n * sizeof *y,
                              cudaMemcpyDeviceToHost));
    else if (c->how % WAYS == PAGEABLE)
        y = o->w.m_y;
    for (int k = 0; k < 3; k++)
        check_walk(c->variant, (float *)o->w.h_x, (float *)y, at[k],
                   at[k] + slice, o->w.steps);
}

/* measure all of it in one table */
enum { PARTS_TABLE = 6, PIECES_TABLE = 7 + WAYS };

static void print_of_longer(const struct bench_case *both,
                            const struct bench_case *a,
                            const struct bench_case *b)
{
    double longer[BENCH_ROUNDS];

    for (int r = 0; r < both->rounds; r++)
        longer[r] = a->us[r] > b->us[r] ? a->us[r] : b->us[r];
    bench_spread(both->variant, both->size, "of_longer",
                 stats_ratio(both->us, longer, both->rounds), 1, "times");
}

static void bench_overlap(struct overlap *o)
{
    static const int parts[PARTS_TABLE] = {PART_IN,
                                           PART_KERNEL,
                                           PART_OUT,
                                           PART_IN | PART_KERNEL,
                                           PART_IN | PART_OUT,
                                           PART_IN | PART_KERNEL | PART_OUT};
    static const char *const names[PARTS_TABLE] = {
        "alone_in",  "alone_kernel", "alone_out",
        "in_kernel", "in_out",       "in_kernel_out"};
    struct bench_case table[PARTS_TABLE + PIECES_TABLE] = {};
    struct bench b = {o, BATCH, 0, 0, 1, check_overlap};
    const struct bench_case *c;
    int lines = PARTS_TABLE;

    for (int k = 0; k < PARTS_TABLE; k++)
        table[k] = {names[k], run_parts, parts[k]};
    for (int count = 1; count <= PIECES_MOST; count *= 2)
        table[lines++] = {"pieces", run_pieces, count * WAYS + STREAMS, NULL,
                          count};
    for (int way = 0; way < WAYS; way++)
        table[lines++] = {way_names[way], run_pieces, 16 * WAYS + way, NULL,
                          16};
    for (int k = 0; k < lines; k++)
        table[k].by_host = 1;
    b.peer[0] = {"streams", "of_streams"};
    c = bench_run(table, lines, &b);
    print_of_longer(&c[3], &c[0], &c[1]);
    print_of_longer(&c[4], &c[0], &c[2]);
}

/* record time lines */
enum { DRAWN = 6 }; /* pieces of a drawn line */

static void record_line(struct overlap *o, enum way way)
{
    static const char *const steps[3] = {"in", "kernel", "out"};
    struct pieces *w = &o->w;
    cudaEvent_t start;
    char name[64];

    CUDA_CHECK(cudaEventCreate(&start));
    w->count = DRAWN;
    w->marked = 1;
    for (int again = 0; again < 2; again++) {
        CUDA_CHECK(cudaDeviceSynchronize());
        CUDA_CHECK(cudaEventRecord(start, w->stream[0]));
        queue_pieces(w, way);
        CUDA_CHECK(cudaDeviceSynchronize());
    }
    for (int p = 0; p < DRAWN; p++)
        for (int k = 0; k < 3; k++) {
            struct span s = step_span(w, start, p, k);

            snprintf(name, sizeof name, "line_%s_%s", way_names[way], steps[k]);
            bench_row(name, p, "from", 1e3 * s.from, "µs");
            bench_row(name, p, "to", 1e3 * s.to, "µs");
        }
    w->marked = 0;
    CUDA_CHECK(cudaEventDestroy(start));
}

static void bench_batches(uint64_t seed)
{
    static struct overlap o;
    size_t bytes = BATCH * sizeof(float4);

    pieces_open(&o.w, BATCH, PIECES_MOST, STEPS, seed);
    CUDA_CHECK(cudaMalloc((void **)&o.d_in, bytes));
    CUDA_CHECK(cudaMalloc((void **)&o.d_out, bytes));
    CUDA_CHECK(cudaMallocHost((void **)&o.h_out, bytes));
    CUDA_CHECK(cudaMemcpy(o.w.d_x, o.w.h_x, bytes, cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemset(o.d_out, 0, bytes));
    CUDA_CHECK(cudaEventCreateWithFlags(&o.fork, cudaEventDisableTiming));
    for (int k = 0; k < LINES; k++)
        CUDA_CHECK(
            cudaEventCreateWithFlags(&o.join[k], cudaEventDisableTiming));
    bench_overlap(&o);
    for (int way = 0; way < WAYS; way++)
        record_line(&o, (enum way)way);
    CUDA_CHECK(cudaFreeHost(o.h_out));
    CUDA_CHECK(cudaFree(o.d_in));
    CUDA_CHECK(cudaFree(o.d_out));
    pieces_close(&o.w);
}

/* measure the loader */
enum { SENT = 16 };

struct loading {
    struct loader l;
    unsigned *data, *d_sum;
};

static void fill_by_copy(void *source, int batch, void *to)
{
    memcpy(to, (const unsigned *)source + (size_t)batch % 4 * WORDS,
           WORDS * sizeof(unsigned));
}

static void run_loader(void *work, int ahead, int)
{
    struct loading *w = (struct loading *)work;

    if (ahead)
        loader_send(&w->l, 0);
    for (int b = 0; b < SENT; b++) {
        const unsigned *x;

        if (!ahead)
            loader_send(&w->l, b);
        x = (const unsigned *)loader_take(&w->l, 0);
        add_up<<<132, 256>>>(WORDS, x, w->d_sum);
        CUDA_LAUNCH_CHECK();
        loader_give(&w->l, 0);
        if (!ahead)
            CUDA_CHECK(cudaStreamSynchronize(cudaStreamPerThread));
        else if (b + 1 < SENT)
            loader_send(&w->l, b + 1);
    }
}

/* check and time the loader */
static void check_loader(const struct bench_case *c)
{
    struct loading *w = (struct loading *)c->work;
    unsigned want = 0, got;

    for (size_t i = 0; i < 4 * (size_t)WORDS; i++)
        want += SENT / 4 * w->data[i];
    CUDA_CHECK(cudaMemset(w->d_sum, 0, sizeof got));
    CUDA_CHECK(cudaDeviceSynchronize());
    run_loader(w, c->how, 0);
    CUDA_CHECK(cudaDeviceSynchronize());
    CUDA_CHECK(cudaMemcpy(&got, w->d_sum, sizeof got, cudaMemcpyDeviceToHost));
    CHECK(got == want, "%s: the sum is %u, not %u", c->variant, got, want);
}

static void bench_loader(void)
{
    struct bench_case table[2] = {{"load_waiting", run_loader, 0},
                                  {"load_ahead", run_loader, 1}};
    struct loading w = {};
    struct bench b = {&w, WORDS, SENT * 4.0 * WORDS, 0, 1, check_loader};
    double fill[11];

    w.data = (unsigned *)check_alloc(4 * (size_t)WORDS, sizeof *w.data);
    for (size_t i = 0; i < 4 * (size_t)WORDS; i++)
        w.data[i] = batch_word(7, (unsigned)i);
    CUDA_CHECK(cudaMalloc((void **)&w.d_sum, sizeof *w.d_sum));
    loader_open(&w.l, WORDS * sizeof(unsigned), fill_by_copy, w.data);
    table[0].by_host = table[1].by_host = 1;
    b.peer[0] = {"load_waiting", "of_waiting"};
    bench_run(table, 2, &b);
    for (int r = 0; r < 11; r++) {
        fill[r] = clock_us();
        for (int k = 0; k < SENT; k++)
            fill_by_copy(w.data, k, w.l.slot[0].host);
        fill[r] = clock_us() - fill[r];
    }
    bench_spread("load_fill", WORDS, "us", stats_of(fill, 11), 1, "µs");
    bench_row("load_fill", WORDS, "ms", 1e-3 * stats_of(fill, 11).median, "ms");
    loader_close(&w.l);
    CUDA_CHECK(cudaFree(w.d_sum));
    free(w.data);
}

/* measure managed memory */
enum { ON_HOST, ON_DEVICE, FETCHED, COPIED };

struct touch {
    float4 *x, *y, *h;
};

static void run_touch(void *work, int how, int)
{
    struct touch *t = (struct touch *)work;
    size_t bytes = TOUCHED * sizeof(float4);
    float4 *x = how == COPIED ? t->y + TOUCHED : t->x;
    int device;

    CUDA_CHECK(cudaGetDevice(&device));
    if (how == FETCHED)
        CUDA_CHECK(prefetch(t->x, bytes, device, 0));
    if (how == COPIED)
        CUDA_CHECK(cudaMemcpyAsync(x, t->h, bytes, cudaMemcpyHostToDevice, 0));
    walk<<<blocks_for(TOUCHED, 128), 128>>>(TOUCHED, 1, STEP_A, STEP_B, x,
                                            t->y);
    CUDA_LAUNCH_CHECK();
}

static void place_pages(void *work, int how, int)
{
    struct touch *t = (struct touch *)work;

    if (how == ON_DEVICE)
        run_touch(work, how, 0);
    CUDA_CHECK(cudaDeviceSynchronize());
    if (how != ON_DEVICE)
        memcpy(t->x, t->h, TOUCHED * sizeof(float4));
}

static void check_touch(const struct bench_case *c)
{
    struct touch *t = (struct touch *)c->work;
    float got[200];

    CUDA_CHECK(cudaMemset(t->y, 0xff, TOUCHED * sizeof *t->y));
    place_pages(t, c->how, 0);
    run_touch(t, c->how, 0);
    CUDA_CHECK(
        cudaMemcpyAsync(got, t->y, sizeof got, cudaMemcpyDeviceToHost, 0));
    CUDA_CHECK(cudaDeviceSynchronize());
    check_walk(c->variant, (float *)t->h, got, 0, 200, 1);
}

/* measure all touches */
static void bench_managed(uint64_t seed)
{
    struct bench_case table[4] = {{"managed_touched", run_touch, ON_HOST},
                                  {"managed_again", run_touch, ON_DEVICE},
                                  {"managed_copied", run_touch, COPIED},
                                  {"managed_fetched", run_touch, FETCHED}};
    size_t bytes = TOUCHED * sizeof(float4);
    struct touch t = {};
    struct bench b = {&t, TOUCHED, (double)bytes, 0, 1, check_touch};
    double back[7];
    int device, lines;

    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaMallocManaged((void **)&t.x, bytes));
    CUDA_CHECK(cudaMallocHost((void **)&t.h, bytes));
    CUDA_CHECK(cudaMalloc((void **)&t.y, 2 * bytes));
    rng_fill_float((float *)t.h, 4 * (size_t)TOUCHED, seed);
    memcpy(t.x, t.h, bytes);
    for (int k = 0; k < 4; k++) {
        table[k].prepare = place_pages;
        table[k].rounds = 11;
        table[k].by_host = 1;
    }
    b.peer[0] = {"managed_copied", "of_copied"};
    lines = prefetch(t.x, bytes, device, 0) == cudaSuccess ? 4 : 3;
    (void)cudaGetLastError();
    bench_run(table, lines, &b);
    for (int r = 0; r < 7; r++) {
        volatile char *c = (volatile char *)t.x;

        place_pages(&t, ON_DEVICE, 0);
        back[r] = clock_us();
        for (size_t i = 0; i < bytes; i += 4096)
            (void)c[i];
        back[r] = clock_us() - back[r];
    }
    bench_spread("managed_back", TOUCHED, "ms", stats_of(back, 7), 1e-3, "ms");
    CUDA_CHECK(cudaFree(t.x));
    CUDA_CHECK(cudaFree(t.y));
    CUDA_CHECK(cudaFreeHost(t.h));
}

/* measure ways to launch */
__global__ void nothing(void)
{
}

static void queue_nothing(struct passes *w, cudaStream_t s)
{
    for (unsigned k = 0; k < w->steps; k++)
        nothing<<<1, 1, 0, s>>>();
    CUDA_LAUNCH_CHECK();
}

static const struct way_to_launch {
    const char *name;
    void (*queue)(struct passes *, cudaStream_t);
    int graph, empty;
} launch_ways[] = {
    {"stream_empty", queue_nothing, 0, 1}, {"graph_empty", queue_nothing, 1, 1},
    {"stream", passes_in_stream, 0, 0},    {"graph", passes_in_stream, 1, 0},
    {"one_kernel", passes_in_one, 0, 0},
#ifndef __LOOM__
    {"stream_early", passes_early, 0, 0},  {"graph_early", passes_early, 1, 0},
    {"by_parent", passes_by_parent, 0, 0},
#endif
};

enum { LAUNCH_WAYS = sizeof launch_ways / sizeof *launch_ways };

struct launching {
    struct passes w;
    cudaGraphExec_t ready[LAUNCH_WAYS];
};

static void run_launches(void *work, int how, int)
{
    struct launching *l = (struct launching *)work;

    if (launch_ways[how].graph)
        CUDA_CHECK(cudaGraphLaunch(l->ready[how], 0));
    else
        launch_ways[how].queue(&l->w, 0);
}

/* check and time the ways */
static void check_launches(const struct bench_case *c)
{
    struct launching *l = (struct launching *)c->work;
    unsigned *h = passes_begin(&l->w);

    if (!launch_ways[c->how].empty)
        host_passes(l->w.n, l->w.steps, h, h + l->w.n);
    run_launches(l, c->how, 0);
    passes_end(&l->w, c->variant, h);
}

static void bench_launches(void)
{
    struct bench_case table[LAUNCH_WAYS] = {};
    static struct launching l;
    struct bench b = {&l, CHAIN, 0, 0, 1, check_launches};
    const struct bench_case *c;

    passes_open(&l.w, RING, CHAIN);
    for (int k = 0; k < LAUNCH_WAYS; k++) {
        const struct way_to_launch *way = &launch_ways[k];

        table[k] = {way->name, run_launches, k};
        table[k].by_host = 1;
        if (way->graph) {
            cudaGraph_t graph = captured(way->queue, &l.w, l.w.side);

            CUDA_CHECK(cudaGraphInstantiate(&l.ready[k], graph, 0));
            CUDA_CHECK(cudaGraphDestroy(graph));
        }
    }
    b.peer[0] = {"stream", "of_stream"};
    c = bench_run(table, LAUNCH_WAYS, &b);
    for (int k = 0; k < LAUNCH_WAYS; k++)
        bench_spread(c[k].variant, CHAIN, "each",
                     stats_of(c[k].us, c[k].rounds), 1.0 / CHAIN, "µs");
    bench_ratio(&c[1], &c[0], "of_launch", 1, "times");
    for (int k = 0; k < LAUNCH_WAYS; k++)
        if (l.ready[k])
            CUDA_CHECK(cudaGraphExecDestroy(l.ready[k]));
    passes_close(&l.w);
}

/* measure making graphs */
enum { CAPTURE, INSTANTIATE, BUILD, UPDATE, SET, MAKES };

/* build, update and set, and time it */
/* Returns how many things have been timed. */
static int time_nodes(struct passes *w, cudaGraphExec_t ready,
                      cudaGraph_t graph, double us[MAKES][BENCH_ROUNDS], int r)
{
#ifdef __LOOM__ /* whose times say nothing */
    (void)w, (void)ready, (void)graph, (void)us, (void)r;
    return BUILD;
#else
    double start = clock_us(), then;
    cudaGraphExecUpdateResultInfo info;
    cudaGraphNode_t nodes[CHAIN];
    cudaGraph_t by_node = built(w, nodes);
    cudaGraphExec_t other;

    us[BUILD][r] = (then = clock_us()) - start;
    CUDA_CHECK(cudaGraphExecUpdate(ready, graph, &info));
    us[UPDATE][r] = clock_us() - then;
    CUDA_CHECK(cudaGraphInstantiate(&other, by_node, 0));
    start = clock_us();
    set_first(w, other, nodes[0], 1);
    us[SET][r] = clock_us() - start;
    CUDA_CHECK(cudaGraphExecDestroy(other));
    CUDA_CHECK(cudaGraphDestroy(by_node));
    return MAKES;
#endif
}

static void print_makes(double us[MAKES][BENCH_ROUNDS], int makes)
{
    static const char *const names[MAKES] = {"make_capture", "make_instantiate",
                                             "make_build", "make_update",
                                             "make_set"};

    for (int m = 0; m < makes; m++)
        bench_spread(names[m], CHAIN, "each", stats_of(us[m], BENCH_ROUNDS),
                     1.0 / (m == SET ? 1 : CHAIN), "µs");
}

static void bench_makes(void)
{
    static double us[MAKES][BENCH_ROUNDS];
    struct passes w;
    int makes = 0;

    passes_open(&w, RING, CHAIN);
    for (int r = 0; r < BENCH_ROUNDS; r++) {
        double start = clock_us(), then;
        cudaGraph_t graph = captured(passes_in_stream, &w, w.side);
        cudaGraphExec_t ready;

        us[CAPTURE][r] = (then = clock_us()) - start;
        CUDA_CHECK(cudaGraphInstantiate(&ready, graph, 0));
        us[INSTANTIATE][r] = clock_us() - then;
        makes = time_nodes(&w, ready, graph, us, r);
        CUDA_CHECK(cudaGraphExecDestroy(ready));
        CUDA_CHECK(cudaGraphDestroy(graph));
    }
    print_makes(us, makes);
    passes_close(&w);
}

/* measure allocation */
enum { ALLOC_MALLOC, ALLOC_POOL, ALLOC_KEPT, ALLOC_ARENA, ALLOC_KINDS };

static double time_allocs(int kind, struct arena *a)
{
    double start;
    unsigned *p;

    CUDA_CHECK(cudaDeviceSynchronize());
    start = clock_us();
    for (int k = 0; k < ALLOCS; k++) {
        size_t mark = arena_mark(a);

        if (kind == ALLOC_MALLOC)
            CUDA_CHECK(cudaMalloc((void **)&p, 1 << 20));
        else if (kind == ALLOC_ARENA)
            p = (unsigned *)arena_take(a, 1 << 20);
        else
            CUDA_CHECK(cudaMallocAsync((void **)&p, 1 << 20, 0));
        pass<<<1, 1>>>(1, 1, p, p + 1);
        if (kind == ALLOC_MALLOC)
            CUDA_CHECK(cudaFree(p));
        else if (kind == ALLOC_ARENA)
            arena_back(a, mark);
        else
            CUDA_CHECK(cudaFreeAsync(p, 0));
        if (k % 10 == 9) /* as a program does that reads a result */
            CUDA_CHECK(cudaStreamSynchronize(cudaStreamPerThread));
    }
    CUDA_LAUNCH_CHECK();
    return (clock_us() - start) / ALLOCS;
}

/* let the pool keep its memory */
static void pool_keeps(unsigned long long keep)
{
    cudaMemPool_t pool;
    int device;

    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaDeviceGetDefaultMemPool(&pool, device));
    CUDA_CHECK(
        cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep));
}

static void bench_allocs(void)
{
    static const char *const names[ALLOC_KINDS] = {"alloc_malloc", "alloc_pool",
                                                   "alloc_kept", "alloc_arena"};
    struct arena a = arena_open(2 << 20);
    double us[BENCH_ROUNDS];

    CUDA_CHECK(cudaMemset(a.base, 0, a.size));
    for (int kind = 0; kind < ALLOC_KINDS; kind++) {
        pool_keeps(kind == ALLOC_KEPT ? ~0ull : 0);
        time_allocs(kind, &a);
        for (int r = 0; r < BENCH_ROUNDS; r++)
            us[r] = time_allocs(kind, &a);
        bench_spread(names[kind], 1 << 20, "us", stats_of(us, BENCH_ROUNDS), 1,
                     "µs");
    }
    arena_close(&a);
}

/* measure host threads */
static pthread_barrier_t ready_set_go;

static void *launch_many(void *)
{
    cudaStream_t s;

    CUDA_CHECK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    nothing<<<1, 1, 0, s>>>();
    CUDA_CHECK(cudaStreamSynchronize(s));
    pthread_barrier_wait(&ready_set_go);
    for (int k = 0; k < LAUNCHES; k++)
        nothing<<<1, 1, 0, s>>>();
    CUDA_LAUNCH_CHECK();
    CUDA_CHECK(cudaStreamSynchronize(s));
    pthread_barrier_wait(&ready_set_go);
    CUDA_CHECK(cudaStreamDestroy(s));
    return NULL;
}

static void bench_threads(int threads)
{
    pthread_t id[8];
    double start, us[7];

    for (int r = 0; r < 7; r++) {
        pthread_barrier_init(&ready_set_go, NULL, (unsigned)threads + 1);
        for (int t = 0; t < threads; t++)
            CHECK(!pthread_create(&id[t], NULL, launch_many, NULL), "thread %d",
                  t);
        pthread_barrier_wait(&ready_set_go);
        start = clock_us();
        pthread_barrier_wait(&ready_set_go);
        us[r] = (clock_us() - start) / LAUNCHES / threads;
        for (int t = 0; t < threads; t++)
            CHECK(!pthread_join(id[t], NULL), "thread %d", t);
        pthread_barrier_destroy(&ready_set_go);
    }
    bench_spread("host_threads", threads, "us", stats_of(us, 7), 1, "µs");
    bench_row("host_threads", threads, "per_second",
              1e6 / stats_of(us, 7).median, "per second");
}

/* run the benchmark */
int main(int argc, char **argv)
{
    uint64_t seed =
        args_parse(argc, argv, "measure streams, graphs, copies", NULL, 0);

    bench_begin("async");
    for (int log = LOG_COPY % 4 + 4; log <= LOG_COPY; log += 4)
        bench_copies((size_t)1 << log);
    bench_pinning((size_t)1 << LOG_COPY);
    bench_batches(seed);
    bench_loader();
    bench_managed(seed);
    bench_launches();
    bench_makes();
    bench_allocs();
    for (int threads = 1; threads <= 8; threads *= 2)
        bench_threads(threads);
    return 0;
}
