/* move.cuh: kernels that move numbers from one array to another, and a test. */
#ifndef MEMORY_MOVE_CUH
#define MEMORY_MOVE_CUH

#include "kernels/launch.h"
#include "tour/args.h"
#include "tour/rng.h"

/* describe a move */
enum move_kind { COPIED, TURNED, BOXED }; /* what y must be */

/* x and y: rows times cols floats on the device, at multiples of 16 bytes. */
struct move {
    const char *name;
    void (*launch)(int rows, int cols, const float *x, float *y);
    enum move_kind kind;
};

/* ask for shared memory */
/* May a block of this kernel have `bytes` of dynamic shared memory? */
template <class KERNEL>
static inline int shared_allowed(KERNEL kernel, int bytes)
{
    int device, most = 0;

    if (bytes <= 48 << 10)
        return 1;
    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaDeviceGetAttribute(
        &most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
    if (bytes <= most)
        CUDA_CHECK(cudaFuncSetAttribute(
            kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    return bytes <= most;
}

/* say what a move must give */

/* transpose on the host */
static void transpose_reference(size_t rows, size_t cols, const float *x,
                                float *y)
{
    for (size_t r = 0; r < rows; r++)
        for (size_t c = 0; c < cols; c++)
            y[c * rows + r] = x[r * cols + c];
}

/* filter on the host */
static void box_reference(size_t n, const float *x, float *y)
{
    for (size_t i = 0; i < n; i++) {
        y[i] = 0;
        for (size_t d = 0; d <= 8; d++)
            if (i + d >= 4 && i + d - 4 < n)
                y[i] += x[i + d - 4];
    }
}

/* y: what must come of x, which has rows times cols floats, row-major. */
static void move_reference(enum move_kind kind, size_t rows, size_t cols,
                           const float *x, float *y)
{
    if (kind == COPIED)
        memcpy(y, x, rows * cols * sizeof *y);
    else if (kind == TURNED)
        transpose_reference(rows, cols, x, y);
    else
        box_reference(rows * cols, x, y);
}

/* load and store with a hint or without */
enum { STREAM_IN = 1, STREAM_OUT = 2, STREAM_BOTH = 3 };

template <int STREAM, class V>
static __device__ inline V take(const V *p)
{
    return STREAM & STREAM_IN ? __ldcs(p) : *p;
}

template <int STREAM, class V>
static __device__ inline void put(V *p, V v)
{
    if (STREAM & STREAM_OUT)
        __stcs(p, v);
    else
        *p = v;
}

/* try a move */
enum { MARGIN = 64 };

/* h_x: the input; want: what must come out; h: room for both and a margin. */
static inline void try_move(const struct move *m, int rows, int cols,
                            const float *h_x, const float *want, float *h)
{
    size_t n = (size_t)rows * cols, bytes = n * sizeof(float);
    size_t room = (n + MARGIN) * sizeof(float);
    float *d_x, *d_y;

    CUDA_CHECK(cudaMalloc((void **)&d_x, room));
    CUDA_CHECK(cudaMalloc((void **)&d_y, room));
    CUDA_CHECK(cudaMemset(d_x, 0, room)); /* what must not be copied */
    CUDA_CHECK(cudaMemcpy(d_x, h_x, bytes, cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemset(d_y, 0xff, room));
    if (n > 0)
        m->launch(rows, cols, d_x, d_y);
    CUDA_LAUNCH_CHECK();
    CUDA_CHECK(cudaMemcpy(h, d_y, room, cudaMemcpyDeviceToHost));
    CHECK_ARRAY(h, want, n);
    for (size_t i = n; i < n + MARGIN; i++)
        CHECK(isnan(h[i]), "%s, %d x %d: wrote behind the end", m->name, rows,
              cols);
    CUDA_CHECK(cudaMemcpy(h, d_x, bytes, cudaMemcpyDeviceToHost));
    CHECK(memcmp(h, h_x, bytes) == 0, "%s changed its input", m->name);
    CUDA_CHECK(cudaFree(d_x));
    CUDA_CHECK(cudaFree(d_y));
}

/* try the moves of a list */
static inline void try_moves(const struct move *moves, int count, int rows,
                             int cols, const char *only, uint64_t seed)
{
    size_t n = (size_t)rows * cols;
    float *h_x = (float *)check_alloc(n, sizeof *h_x);
    float *want = (float *)check_alloc(n, sizeof *want);
    float *h = (float *)check_alloc(n + MARGIN, sizeof *h);
    int tried = 0;

    rng_fill_small(h_x, n, seed);
    for (int k = 0; k < count; k++)
        if (!strcmp(only, "all") || !strcmp(only, moves[k].name)) {
            move_reference(moves[k].kind, (size_t)rows, (size_t)cols, h_x,
                           want);
            try_move(&moves[k], rows, cols, h_x, want, h);
            tried++;
        }
    CHECK(tried > 0, "there is none called %s", only);
    free(h_x);
    free(want);
    free(h);
}
#endif
