/* pieces.cuh: a batch is copied in, worked on and copied out, in pieces. */
#ifndef ASYNC_PIECES_CUH
#define ASYNC_PIECES_CUH

#include <string.h>

#include "async/after.cuh"
#include "measure/walk.cuh"
#include "tour/rng.h"

/* name the ways */
enum way { ONE_STREAM, STREAMS, PAGEABLE, LEGACY, WAITING, WAYS };

static const char *const way_names[WAYS] = {"one_stream", "streams", "pageable",
                                            "legacy", "waiting"};

/* describe the pieces */
enum { LINES = 4, PIECES_MOST = 64 };
#define STEP_A (-1.0f)
#define STEP_B 0.2f

struct pieces {
    size_t n;                      /* vectors of four floats */
    int count, steps;              /* pieces; steps of each walk */
    float4 *h_x, *h_y, *m_x, *m_y; /* pinned, and pageable */
    float4 *d_x, *d_y;
    cudaStream_t stream[LINES];
    int marked; /* put marks before and behind each step */
    cudaEvent_t mark[PIECES_MOST][4];
};

struct span {
    float from, to; /* ms */
};

/* put a mark into a stream */
/* The stream notes the time when it has come here; only if w->marked. */
static inline void mark(struct pieces *w, int p, int which, cudaStream_t s)
{
    if (w->marked)
        CUDA_CHECK(cudaEventRecord(w->mark[p][which], s));
}

/* queue one piece */
/* Copies piece p in, walks from it, and copies the result out. */
static inline void queue_piece(struct pieces *w, enum way way, int p,
                               cudaStream_t s)
{
    size_t from = w->n * p / w->count, n = w->n * (p + 1) / w->count - from;
    cudaStream_t kernels = way == LEGACY ? cudaStreamLegacy : s;
    float4 *x = way == PAGEABLE ? w->m_x : w->h_x;
    float4 *y = way == PAGEABLE ? w->m_y : w->h_y;

    if (n == 0)
        return;
    mark(w, p, 0, s);
    CUDA_CHECK(cudaMemcpyAsync(w->d_x + from, x + from, n * sizeof *x,
                               cudaMemcpyHostToDevice, s));
    mark(w, p, 1, s);
    walk<<<blocks_for(n, 128), 128, 0, kernels>>>(n, w->steps, STEP_A, STEP_B,
                                                  w->d_x + from, w->d_y + from);
    CUDA_LAUNCH_CHECK();
    mark(w, p, 2, s);
    CUDA_CHECK(cudaMemcpyAsync(y + from, w->d_y + from, n * sizeof *y,
                               cudaMemcpyDeviceToHost, s));
    mark(w, p, 3, s);
}

/* queue all pieces */
/* Queues all pieces; w->stream[0 .. w->count) is used in turn. */
static inline void queue_pieces(struct pieces *w, enum way way)
{
    for (int p = 0; p < w->count; p++) {
        cudaStream_t s = w->stream[way == ONE_STREAM ? 0 : p % LINES];

        queue_piece(w, way, p, s);
        if (way == WAITING)
            CUDA_CHECK(cudaStreamSynchronize(s));
    }
}

/* find when a step began */
/* From and to, in ms since `start`, of a step of piece p: 0 in, 1 kernel,
   2 out. It waited for that step of the piece before, unless it overtook it. */
static inline struct span step_span(struct pieces *w, cudaEvent_t start, int p,
                                    int step)
{
    struct span s;
    float before = 0;

    CUDA_CHECK(cudaEventElapsedTime(&s.from, start, w->mark[p][step]));
    CUDA_CHECK(cudaEventElapsedTime(&s.to, start, w->mark[p][step + 1]));
    if (p > 0)
        CUDA_CHECK(
            cudaEventElapsedTime(&before, start, w->mark[p - 1][step + 1]));
    if (before > s.from && before <= s.to)
        s.from = before;
    return s;
}

/* open and close the pieces */
static inline void pieces_open(struct pieces *w, size_t n, int count, int steps,
                               uint64_t seed)
{
    size_t bytes = n * sizeof(float4);

    CHECK(count >= 1 && count <= PIECES_MOST, "%d pieces: 1 to %d", count,
          PIECES_MOST);
    memset(w, 0, sizeof *w);
    w->n = n;
    w->count = count;
    w->steps = steps;
    CUDA_CHECK(cudaMallocHost((void **)&w->h_x, bytes));
    CUDA_CHECK(cudaMallocHost((void **)&w->h_y, bytes));
    w->m_x = (float4 *)check_alloc(n, sizeof *w->m_x);
    w->m_y = (float4 *)check_alloc(n, sizeof *w->m_y);
    CUDA_CHECK(cudaMalloc((void **)&w->d_x, bytes));
    CUDA_CHECK(cudaMalloc((void **)&w->d_y, bytes));
    rng_fill_float((float *)w->h_x, 4 * n, seed);
    memcpy(w->m_x, w->h_x, bytes);
    for (int s = 0; s < LINES; s++)
        CUDA_CHECK(cudaStreamCreate(&w->stream[s]));
    for (int p = 0; p < PIECES_MOST; p++)
        for (int m = 0; m < 4; m++)
            CUDA_CHECK(cudaEventCreate(&w->mark[p][m]));
}

static inline void pieces_close(struct pieces *w)
{
    CUDA_CHECK(cudaDeviceSynchronize());
    for (int p = 0; p < PIECES_MOST; p++)
        for (int m = 0; m < 4; m++)
            CUDA_CHECK(cudaEventDestroy(w->mark[p][m]));
    for (int s = 0; s < LINES; s++)
        CUDA_CHECK(cudaStreamDestroy(w->stream[s]));
    CUDA_CHECK(cudaFree(w->d_x));
    CUDA_CHECK(cudaFree(w->d_y));
    CUDA_CHECK(cudaFreeHost(w->h_x));
    CUDA_CHECK(cudaFreeHost(w->h_y));
    free(w->m_x);
    free(w->m_y);
}

/* walk on the host */
static inline float host_walk(float v, int steps)
{
    for (int s = 0; s < steps; s++)
        v = fmaf(v, STEP_A, STEP_B);
    return v;
}

/* Compares floats [from, to) of y with the walk from x. */
static inline void check_walk(const char *who, const float *x, const float *y,
                              size_t from, size_t to, int steps)
{
    for (size_t i = from; i < to; i++)
        CHECK(y[i] == host_walk(x[i], steps), "%s: y[%zu] is %.9g, not %.9g",
              who, i, y[i], host_walk(x[i], steps));
}

#endif
