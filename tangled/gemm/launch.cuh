/* launch.cuh: launch the kernels of this chapter. */
#ifndef GEMM_LAUNCH_CUH
#define GEMM_LAUNCH_CUH

#include "gemm/few.cuh"
#include "gemm/tiles.cuh"

/* launch the sum of the parts */
static inline void launch_add(const struct adding *g, int tiles,
                              cudaStream_t stream)
{
    size_t blocks = ceil_div((size_t)g->tall * g->wide,
                             few_parts(g->parts) ? 32 * WARPS : 32);

    add_parts<<<dim3((unsigned)blocks, tiles), dim3(32, WARPS), 0, stream>>>(
        *g);
    CUDA_LAUNCH_CHECK();
}

/* launch tiles of one kind */
template <class T, int HOW_A, int HOW_B>
static inline void launch_kind(struct gemm g, cudaStream_t stream)
{
    void (*kernel)(const struct gemm) = multiply_tiles<T, HOW_A, HOW_B>;
    int deep = (int)ceil_div((size_t)g.k, T::K), bytes = T::FLOATS * 4, rest;
    struct adding add = {g.m, g.n,     T::M,   T::N,   0,   0,         0,
                         0,   g.alpha, g.beta, g.sums, g.c, {g.ldc, 1}};

    g.down = (int)ceil_div((size_t)g.m, T::M);
    g.across = (int)ceil_div((size_t)g.n, T::N);
    /* divide what is not computed whole */
    rest = g.down * g.across - g.whole;
    if (rest <= 0 || g.parts <= 1 || deep <= 1) {
        g.whole += rest;
        rest = 0;
    }
    g.each = (int)ceil_div((size_t)deep, (size_t)(g.parts > 1 ? g.parts : 1));
    g.parts = rest > 0 ? (int)ceil_div((size_t)deep, (size_t)g.each) : 1;
    add.down = g.down;
    add.across = g.across;
    add.first = g.whole;
    add.parts = g.parts;
    if (bytes > 48 << 10)
        CUDA_CHECK(cudaFuncSetAttribute(
            kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    kernel<<<(unsigned)(g.whole + rest * g.parts), T::THREADS, bytes, stream>>>(
        g);
    CUDA_LAUNCH_CHECK();
    if (rest > 0)
        launch_add(&add, rest, stream);
}

/* launch tiles */
/* Vectors need rows that begin at multiples of 16 bytes, and whole vectors. */
static inline int in_fours(const float *x, size_t ld, int width)
{
    return (size_t)x % 16 == 0 && ld % 4 == 0 && width % 4 == 0;
}

/* g.whole and g.parts are wishes: so many tiles whole, the others in so many
   parts; g.sums has room for the parts. */
template <class T>
static inline void launch_tiles(char ta, char tb, const struct gemm *g,
                                cudaStream_t stream)
{
    int fa = in_fours(g->a, g->lda, g->m), fb = in_fours(g->b, g->ldb, g->n);

    if (ta == 'N' && tb == 'T')
        launch_kind<T, TURNED, TURNED>(*g, stream);
    else if (ta == 'N' && fb)
        launch_kind<T, TURNED, BY_4>(*g, stream);
    else if (ta == 'N')
        launch_kind<T, TURNED, BY_ONE>(*g, stream);
    else if (tb == 'T' && fa)
        launch_kind<T, BY_4, TURNED>(*g, stream);
    else if (tb == 'T')
        launch_kind<T, BY_ONE, TURNED>(*g, stream);
    else if (fa && fb)
        launch_kind<T, BY_4, BY_4>(*g, stream);
    else
        launch_kind<T, BY_ONE, BY_ONE>(*g, stream);
}

/* launch a short product */
/* A part begins at a whole vector. */
enum { PART = 128 };

template <int S>
static inline void launch_few(struct few g, cudaStream_t stream)
{
    int across = g.sx.col == 1 || g.k < 64; /* too short for 32 lanes */
    int four = across ? g.sx.col == 1 && in_fours(g.x, g.sx.row, g.many)
                      : in_fours(g.x, g.sx.col, g.k);
    int cols = !across ? WARPS * (S > 1 ? 2 : 1) : four ? 128 : 32;
    size_t blocks = ceil_div((size_t)g.many, (size_t)cols);
    void (*kernel)(const struct few) =
        across ? (four ? multiply_across<S, 4> : multiply_across<S, 1>)
               : (four ? multiply_along<S, 4> : multiply_along<S, 1>);
    struct adding add = {g.few, g.many,  g.few,  g.many, 1,   1,   0,
                         0,     g.alpha, g.beta, g.sums, g.c, g.sc};

    g.each = (int)ceil_div(ceil_div((size_t)g.k, (size_t)g.parts), PART) * PART;
    g.parts = g.k > 0 ? (int)ceil_div((size_t)g.k, (size_t)g.each) : 1;
    add.parts = g.parts;
    kernel<<<dim3((unsigned)blocks, g.parts), dim3(32, WARPS), 0, stream>>>(g);
    CUDA_LAUNCH_CHECK();
    if (g.parts > 1)
        launch_add(&add, 1, stream);
}

#endif
