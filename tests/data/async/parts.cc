/* parts.cc: what chapter 11 launches, copies and waits for, in its order, and what its
   arena and its loader refuse; without a device, each call a line. parts.h is made of its
   headers by tests/async.t, which turns k<<<g, b>>>(x) into (launched(g, b), k)(x). */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/sizes.h"
#include "tour/check.h"
#include "tour/rng.h"

#define __global__ static
#define __device__
#define __host__
#define CUDA_CHECK(call) (void)(call)
#define CUDA_LAUNCH_CHECK()

struct dim3 {
    unsigned x, y, z;
    dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
};
struct float4 { float x, y, z, w; };
static dim3 threadIdx, blockIdx, blockDim, gridDim;
typedef int cudaStream_t, cudaEvent_t, cudaGraph_t, cudaGraphNode_t, cudaGraphExec_t;
enum { cudaStreamLegacy = -1, cudaStreamNonBlocking = 1, cudaEventDisableTiming = 2 };
enum { cudaMemcpyHostToDevice = 1, cudaMemcpyDeviceToHost = 2, cudaStreamCaptureModeThreadLocal = 2 };

/* The last thread of a launch runs, or the first. */
static int first;
static void launched(dim3 grid, dim3 block, size_t shared = 0, cudaStream_t s = 0)
{
    printf("%u of %u, %zu, in %d; ", grid.x, block.x, shared, s);
    gridDim = grid, blockDim = block;
    blockIdx.x = grid.x - 1, threadIdx.x = first ? 0 : block.x - 1;
}

/* Streams and events are numbered in the order in which they are made. */
static int made, freed;
static int make(int *it, int flags)
{
    *it = ++made;
    if (flags)
        printf("%d is made, %d; ", made, flags);
    return 0;
}
#define cudaStreamCreate(s) make(s, 0)
#define cudaEventCreate(e) make(e, 0)
#define cudaStreamCreateWithFlags make
#define cudaEventCreateWithFlags make
#define cudaGraphCreate make
#define cudaStreamDestroy(s) freed++
#define cudaEventDestroy(e) freed++
#define cudaDeviceSynchronize() printf("all wait; ")
#define cudaStreamSynchronize(s) printf("%d is waited for; ", s)
#define cudaEventSynchronize(e) printf("%d is waited for; ", e)
#define cudaStreamWaitEvent(s, e, ...) printf("%d waits for %d; ", s, e)
#define cudaEventRecord(e, s) printf("%d in %d; ", e, s)
#define cudaStreamBeginCapture(s, how) printf("capture %d; ", s)
#define cudaStreamEndCapture(s, g) (*(g) = 77)
static float when[1000];
#define cudaEventElapsedTime(ms, from, to) (*(ms) = when[to] - when[from])

static int got(void **p, size_t bytes)
{
    *p = calloc(bytes + 1, 1);
    printf("%zu bytes; ", bytes);
    return 0;
}
#define cudaMalloc got
#define cudaMallocHost got
#define cudaFree(p) (free(p), freed++)
#define cudaFreeHost(p) (free(p), freed++)
#define cudaMemset(p, v, n) memset(p, v, n)
#define cudaMemsetAsync(p, v, n, s) (printf("%zu bytes are %d, in %d; ", n, v, s), memset(p, v, n))
#define cudaMemcpy(to, from, n, how) memcpy(to, from, n)
#define cudaMemcpyAsync(to, from, n, how, s) (printf("%zu bytes, %d, in %d; ", n, how, s), memcpy(to, from, n))

static unsigned blocks_that_fit(const void *, int threads, size_t dynamic, unsigned wanted)
{
    printf("%u of %d, %zu fit; ", wanted, threads, dynamic);
    return wanted;
}
namespace cooperative_groups {
static unsigned grids;
struct grid_group {
    void sync() const { grids++; }
};
static grid_group this_grid() { return grid_group(); }
}
template <class K> static int cudaLaunchCooperativeKernel(K, dim3 grid, dim3 block, void **args, size_t bytes, cudaStream_t s)
{
    launched(grid, block, bytes, s);
    printf("%u %u, %d; ", *(unsigned *)args[0], *(unsigned *)args[1], *(unsigned **)args[2] < *(unsigned **)args[3]);
    return 0;
}
struct cudaLaunchAttribute {
    int id;
    struct { int programmaticStreamSerializationAllowed; } val;
};
struct cudaLaunchConfig_t {
    dim3 gridDim, blockDim;
    size_t bytes;
    cudaStream_t stream;
    cudaLaunchAttribute *attrs;
    int numAttrs;
};
enum { cudaLaunchAttributeProgrammaticStreamSerialization = 6 };
template <class K, class... A> static int cudaLaunchKernelEx(cudaLaunchConfig_t *c, K kernel, A... args)
{
    launched(c->gridDim, c->blockDim, c->bytes, c->stream);
    printf("%d attribute, %d is %d; ", c->numAttrs, c->attrs->id, c->attrs->val.programmaticStreamSerializationAllowed);
    kernel(args...);
    return 0;
}
struct cudaKernelNodeParams {
    void *func;
    dim3 gridDim, blockDim;
    unsigned sharedMemBytes;
    void **kernelParams, **extra;
};
static void tell_node(const cudaKernelNodeParams *p)
{
    void **a = p->kernelParams;

    launched(p->gridDim, p->blockDim, p->sharedMemBytes);
    printf("n %u, step %u, up %d; ", *(unsigned *)a[0], *(unsigned *)a[1], *(unsigned **)a[2] < *(unsigned **)a[3]);
}
static int cudaGraphAddKernelNode(int *it, int graph, int *after, size_t count, const cudaKernelNodeParams *p)
{
    *it = ++made;
    printf("%d after %d (%zu): ", made, after ? *after : -1, count);
    tell_node(p);
    return 0;
}
#define cudaGraphExecKernelNodeSetParams(ready, it, p) (printf("%d in %d: ", it, ready), tell_node(p))
static unsigned atomicAdd(unsigned *p, unsigned v) { return (*p += v) - v; }

#include "../once.h"
static void walk(size_t n, int k, float a, float b, const float4 *x, float4 *y)
{
    printf("walk %zu %d %g %g; ", n, k, a, b);
}
#include "parts.h"

static void queue(void (*how)(struct passes *, cudaStream_t))
{
    static const unsigned sizes[] = {1, 256, 257};

    for (unsigned n : sizes) {
        struct passes w;
        cudaGraphNode_t nodes[4];
        unsigned *h;

        first = n == 1; /* which has all passes to do */
        made = freed = 0;
        passes_open(&w, n, 4);
        h = passes_begin(&w);
        printf("%u %u; ", h[n - 1], w.d[1][n - 1]);
        if (how)
            how(&w, 9);
        else {
            built(&w, nodes);
            set_first(&w, 5, nodes[2], 8);
            printf("%d; ", captured(passes_in_stream, &w, 3));
        }
        memcpy(h, w.d[0], n * sizeof *h);
        printf("to %u; ", h[n - 1]);
        passes_end(&w, "what is unchanged", h);
        h = passes_begin(&w);
        h[n - 1]++;
        REFUSED(passes_end(&w, "what is not", h));
        passes_close(&w);
        printf("%d of %d + 1 are freed\n", freed, made);
    }
}

static void rings(void)
{
    static unsigned a[1005], b[1005], twice[2][1005];
    struct passes w;
    int wrong = 0;

    for (unsigned n = 1; n < 1000; n += n < 78 ? 1 : 102) {
        wrong += not_once(n, b, [&] { pass_all(n, 1, a, b); });
        for (size_t i = 0; i < n; i++)
            a[i] = 1;
        b[0] = 0;
        for (blockIdx.x = 0; blockIdx.x < gridDim.x; blockIdx.x++)
            for (threadIdx.x = 0; threadIdx.x < blockDim.x; threadIdx.x++)
                add_up(n, a, b);
        wrong += b[0] != n;
    }
    for (unsigned steps = 0; steps < 4; steps++) {
        for (unsigned i = 0; i < 7; i++)
            a[i] = twice[0][i] = i * i;
        host_passes(7, steps, a, b);
        for (unsigned k = 0; k < steps; k++)
            for (unsigned i = 0; i < 7; i++)
                pass_at(i, 7, k, twice[k % 2], twice[(k + 1) % 2]);
        for (unsigned i = 0; i < 7; i++)
            wrong += a[i] != twice[steps % 2][i];
        printf("%u ", a[6]);
    }
    printf("%d wrong, %u of the grid\n", wrong, cooperative_groups::grids);
    REFUSED(passes_open(&w, 1, 3));
    REFUSED(passes_open(&w, 0, 2));
}

static void arenas(void)
{
    struct arena a = arena_open(2048), half = arena_part(&a, 500);
    static const size_t sizes[] = {0, 1, 255, 256, 257, 0};
    size_t mark = arena_mark(&a);

    for (size_t bytes : sizes) {
        size_t at = (char *)arena_take(&a, bytes) - a.base;

        printf("%zu: %zu %zu %zu; ", bytes, at, a.used, a.most);
    }
    printf("%zu of %zu\n", half.used, half.size);
    REFUSED(arena_take(&half, 501));
    REFUSED(arena_take(&half, SIZE_MAX));
    REFUSED(arena_take(&a, 257));
    arena_take(&a, 256);
    REFUSED(arena_take(&a, 1));
    arena_back(&a, mark);
    arena_back(&a, mark); /* nothing was taken since */
    REFUSED(arena_back(&a, mark + 1));
    arena_take(&a, 1);
    printf("%zu %zu\n", a.used, a.most);
    arena_close(&a);
    printf("%p %zu\n", (void *)a.base, a.size);
}

static void loads(void)
{
    size_t words = 3;
    struct loader l;

    made = freed = 0;
    for (unsigned b = 0; b < 3; b++)
        for (unsigned i = 0; i < 3; i++)
            printf("%u ", batch_word(b, i));
    printf("\n");
    loader_open(&l, words * sizeof(unsigned), batch_fill, &words);
    printf("\n");
    REFUSED(loader_take(&l, 8));
    for (int b = 0; b < 5; b++) {
        loader_send(&l, b);
        if (b == 0) {
            REFUSED(loader_give(&l, 8));
            continue;
        }
        REFUSED(loader_send(&l, 9));
        printf("%u\n", ((const unsigned *)loader_take(&l, 8))[2]);
        loader_give(&l, 8);
    }
    loader_close(&l);
    printf("%d of %d + 4 are freed\n", freed, made);
}

static void cuts(void)
{
    static const float ends[][4] = {{0, 1, 2, 3}, {1, 2, 3, 4}, {0, 4, 5, 6}, {1, 3, 9, 9}, {0, 3, 4, 5}};
    struct pieces w;
    float x[4] = {1, 2, 3, 4}, y[4];

    REFUSED(pieces_open(&w, 1, 0, 1, 1));
    REFUSED(pieces_open(&w, 1, PIECES_MOST + 1, 1, 1));
    for (size_t n = 0; n < 700; n += n < 5 ? 4 : 636) {
        made = freed = 0;
        pieces_open(&w, n, n == 4 ? 9 : 5, 2, 1);
        printf("\n");
        for (w.marked = 0; w.marked < 2; w.marked++)
            for (int way = 0; way < WAYS; way++) {
                printf("%s: ", way_names[way]);
                queue_pieces(&w, (enum way)way);
                printf("\n");
            }
        for (int p = 0; p < 5; p++)
            for (int m = 0; m < 4; m++)
                when[w.mark[p][m]] = ends[p][m] + 10;
        for (int p = 0; p < 5; p++)
            for (int step = 0; step < 3; step++) {
                struct span s = step_span(&w, 0, p, step);

                printf("%g-%g ", s.from, s.to);
            }
        pieces_close(&w);
        printf("%d of %d + 4 are freed\n", freed, made);
    }
    for (int i = 0; i < 4; i++)
        printf("%g ", y[i] = host_walk(x[i], i));
    for (int i = 0; i < 4; i++)
        for (int steps = 0; steps < 2; steps++)
            REFUSED({ check_walk("walk", x, y, i, i + 1, steps); printf("right; "); });
    REFUSED({ check_walk("walk", x, y, 4, 4, 1); printf("right\n"); });
}

int main(void)
{
    queue(passes_in_stream);
    queue(passes_in_one);
    queue(clear_and_pass);
    queue(passes_early);
    queue(passes_by_parent);
    queue(NULL);
    rings();
    arenas();
    loads();
    cuts();
    return 0;
}
