/* sgemm.cuh: products of matrices of every shape. */
#ifndef GEMM_SGEMM_CUH
#define GEMM_SGEMM_CUH

#include <string.h>

#include "gemm/bulk.cuh"
#include "gemm/small.cuh"
#ifndef SGEMM_MODULE
#include "matmul/matmul.cuh"
#endif

/* say where sgemm's kernels are */
#ifdef SGEMM_MODULE
#define SGEMM_OWN extern
#else
#define SGEMM_OWN static
#endif

/* list the tiles */
/* X(M, N, K, TM, TN, SLICES, STAGES, BLOCKS) */
#define SGEMM_TILES(X)             \
    X(128, 128, 32, 8, 8, 1, 3, 2) \
    X(128, 64, 16, 8, 8, 1, 3, 3)  \
    X(64, 128, 32, 8, 8, 4, 3, 1)  \
    X(128, 64, 32, 8, 8, 4, 3, 1)  \
    X(64, 64, 32, 8, 8, 4, 3, 2)   \
    X(64, 32, 64, 8, 8, 8, 3, 1)   \
    X(32, 32, 64, 4, 8, 8, 3, 1)   \
    X(16, 128, 32, 4, 8, 4, 3, 2)  \
    X(128, 16, 32, 8, 4, 4, 3, 2)

/* X(M, N, TM, TN, SLICES, STAGES, BLOCKS), for GPUs with bulk copies */
#define SGEMM_BULKS(X)          \
    X(128, 128, 8, 8, 1, 3, 2)  \
    X(128, 256, 8, 16, 1, 4, 1) \
    X(64, 128, 8, 8, 2, 3, 2)   \
    X(64, 64, 8, 8, 4, 4, 2)

struct sgemm_kernel {
    int m, n, k, blocks, bytes, bulk;
    void (*run)(char ta, char tb, const struct gemm *g, cudaStream_t stream);
};

#define SGEMM_ONE(...) +1

enum { SGEMM_KERNELS = 0 SGEMM_TILES(SGEMM_ONE) SGEMM_BULKS(SGEMM_ONE) };

#ifdef SGEMM_LINKED
extern const struct sgemm_kernel sgemm_kernels[SGEMM_KERNELS];
#else
#define SGEMM_KERNEL(M, N, K, TM, TN, SLICES, STAGES, BLOCKS)   \
    {M,                                                         \
     N,                                                         \
     K,                                                         \
     BLOCKS,                                                    \
     4 * tile<M, N, K, TM, TN, SLICES, STAGES, BLOCKS>::FLOATS, \
     0,                                                         \
     launch_tiles<tile<M, N, K, TM, TN, SLICES, STAGES, BLOCKS>>},

#define SGEMM_BULK(M, N, ...)             \
    {M,                                   \
     N,                                   \
     32,                                  \
     bulk<M, N, __VA_ARGS__>::BLOCKS,     \
     bulk<M, N, __VA_ARGS__>::BULK_BYTES, \
     1,                                   \
     launch_bulk<bulk<M, N, __VA_ARGS__>>},

SGEMM_OWN const struct sgemm_kernel sgemm_kernels[SGEMM_KERNELS] = {
    SGEMM_TILES(SGEMM_KERNEL) SGEMM_BULKS(SGEMM_BULK)};
#endif

/* list the rates */
/* Cycles of one tile of k: of a block that has an SM to itself, and of all
   the blocks that fit on one; and of a block's beginning and end. */
struct rate {
    double alone, full, fixed;
};

struct sgemm_rates {
    const char *gpu; /* NULL: any other */
    struct rate of[SGEMM_KERNELS];
};

static const struct sgemm_rates sgemm_rates[] = {
    {"NVIDIA H200",
     {{6061, 11069, 2300},
      {1810, 4437, 4600},
      {3163, 3163, 5100},
      {3310, 3310, 3200},
      {1826, 3163, 6900},
      {2075, 2075, 5400},
      {1327, 1327, 2400},
      {1277, 2142, 2100},
      {1662, 2859, 2400},
      {5670, 10859, 2400},
      {9880, 9880, 3200},
      {2840, 5512, 7800},
      {1631, 3016, 8000}}},
    {NULL,
     {{6500, 10300, 5000},
      {2300, 4300, 5000},
      {3276, 3276, 5000},
      {3529, 3529, 5000},
      {1854, 1854, 5000},
      {2172, 2172, 5000},
      {1506, 1506, 4500},
      {1274, 2126, 5000},
      {1704, 3029, 4500},
      {5500, 9600, 5000},
      {9600, 9600, 6000},
      {2600, 5000, 5000},
      {1500, 2700, 5000}}},
};

/* make a handle */
struct sgemm {
    float *sums;   /* on the device: room for parts */
    size_t room;   /* of so many floats */
    int sms, most; /* multiprocessors; bytes of shared memory for a block */
    int bulk;      /* whether the GPU has bulk copies */
    const struct sgemm_rates *rates;
};

enum { SGEMM_ROOM = 8 << 20 }; /* floats */

/* A handle for the current device. It serves one stream at a time. */
static inline struct sgemm sgemm_make(void)
{
    struct sgemm h = {NULL, SGEMM_ROOM, 0, 0, 0, sgemm_rates};
    struct cudaDeviceProp prop;
    int device;

    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaGetDeviceProperties(&prop, device));
    CUDA_CHECK(cudaMalloc((void **)&h.sums, h.room * sizeof *h.sums));
    h.sms = prop.multiProcessorCount;
    h.most = (int)prop.sharedMemPerBlockOptin;
    h.bulk = bulk_here();
    while (h.rates->gpu && strcmp(h.rates->gpu, prop.name) != 0)
        h.rates++;
    return h;
}

static inline void sgemm_free(struct sgemm *h)
{
    CUDA_CHECK(cudaFree(h->sums));
    h->sums = NULL;
}

/* predict the time of a plan */
/* kernels that are not in the list */
enum { BY_FEW = -1, BY_TILED = -2, BY_SHORT = -3, BY_DOTS = -4 };
enum { SHORT = 8 }; /* the longest side that is short */

/* Which kernel; how many tiles it computes whole, and the others in how many
   parts. */
struct plan {
    int kernel, whole, parts;
    double cycles;
};

static inline double larger(double a, double b)
{
    return a > b ? a : b;
}

/* predict the time of the blocks */
/* The cycles of so many blocks, each of `each` tiles of k. */
static inline double block_cycles(const struct sgemm *h, int kernel, int blocks,
                                  int each)
{
    const struct rate *r = &h->rates->of[kernel];
    int fit = sgemm_kernels[kernel].blocks;
    int load = (int)ceil_div((size_t)blocks, (size_t)h->sms), last = load % fit;
    double step = load / fit * r->full, turns = ceil_div((size_t)load, fit);

    if (last > 0)
        step += r->alone + (r->full - r->alone) * (last - 1) / (fit - 1);
    return step * each + turns * r->fixed;
}

/* One more launch, and the parts go to L2 and back. */
static inline double add_cycles(const struct sgemm *h, double floats)
{
    return 4000 + 8 * floats / (12.0 * h->sms);
}

/* look for the best plan */
/* Does an operand come by single numbers along the side of C? Then bringers
   are slower than all threads together. */
static inline int singly(char ta, char tb, int lda, int ldb)
{
    return (ta == 'T' && lda % 4 != 0) || (tb == 'N' && ldb % 4 != 0);
}

/* consider a way to divide the tiles */
static inline void consider(const struct sgemm *h, struct plan *best,
                            int kernel, int tiles, int whole, int parts,
                            int deep)
{
    const struct sgemm_kernel *t = &sgemm_kernels[kernel];
    double floats = (double)(tiles - whole) * parts * t->m * t->n, cycles;
    int each = (int)ceil_div((size_t)deep, (size_t)parts);

    cycles = block_cycles(h, kernel, whole, deep);
    if (whole < tiles)
        cycles += block_cycles(h, kernel, (tiles - whole) * parts, each) +
                  add_cycles(h, floats);
    if (cycles < best->cycles && (whole == tiles || floats <= h->room))
        *best = {kernel, whole, parts, cycles};
}

/* consider a kernel */
/* All tiles whole; or those of the last turn in parts, twice what fits. A turn
   is a block for each SM, or as many as fit. */
static inline void plan_kernel(const struct sgemm *h, struct plan *best,
                               int kernel, int m, int n, int k)
{
    const struct sgemm_kernel *t = &sgemm_kernels[kernel];
    size_t all = ceil_div((size_t)m, t->m) * ceil_div((size_t)n, t->n);
    int deep = (int)ceil_div((size_t)k, t->k), tiles = (int)all;

    if (t->bytes > h->most || all > 1 << 30)
        return;
    consider(h, best, kernel, tiles, tiles, 1, deep);
    for (int fit = t->blocks; fit > 0; fit = fit > 1 ? 1 : 0) {
        int whole = tiles / (fit * h->sms) * fit * h->sms, rest = tiles - whole;

        for (int load = rest > 0 ? 2 * t->blocks : 0; load > 0; load--)
            for (int p = load * h->sms / rest; p > 1;
                 p = load > 1 ? 1 : p / 2) {
                int each = (int)ceil_div((size_t)deep, (size_t)p);

                if (each < deep)
                    consider(h, best, kernel, tiles, whole,
                             (int)ceil_div((size_t)deep, (size_t)each), deep);
            }
    }
}

/* plan a product with a short side */
/* Enough blocks for the card, if the sums can be divided. */
static inline struct plan plan_few(const struct sgemm *h, int few, int many,
                                   int k)
{
    size_t blocks = ceil_div((size_t)many, 128);
    size_t parts = ceil_div((size_t)h->sms * 4, blocks);
    size_t most = ceil_div((size_t)k, 2 * PART);

    parts = parts < most ? parts : most;
    if (parts < 1 || parts * few * many > h->room)
        parts = 1;
    return {BY_FEW, 0, (int)parts, 0};
}

static inline struct plan sgemm_plan(const struct sgemm *h, int m, int n, int k,
                                     char ta, char tb, int lda, int ldb)
{
    struct plan best = {BY_TILED, 0, 1, 1e300};
    int least = m < n ? m : n, most = m < n ? n : m;
    int far = (lda > ldb ? lda : ldb) > 2147483647 / 256;
    int bulk = h->bulk && k > 0 && !singly(ta, tb, lda, ldb);
    double sums = (double)m * n;

    if (sums <= 600 && sums * k <= 1e6)
        return {BY_DOTS, 0, 1, 0};
    if (least <= 4 || (least <= SHORT && k <= 64))
        return plan_few(h, least, most, k);
    if (n >= 8 && (k <= 4 || (k <= SHORT_SUM && sums <= 1e5)))
        return {BY_SHORT, 0, 1, 0};
    for (int i = 0; i < SGEMM_KERNELS && !far; i++)
        if (!sgemm_kernels[i].bulk || bulk)
            plan_kernel(h, &best, i, m, n, k);
    return best;
}

/* multiply by a plan */
#ifdef SGEMM_LINKED
extern void sgemm_launch(const struct sgemm *h, struct plan plan, char ta,
                         char tb, int m, int n, int k, float alpha,
                         const float *a, int lda, const float *b, int ldb,
                         float beta, float *c, int ldc, cudaStream_t stream);
#else

/* multiply with a short side */
/* The kernel that a product with a short side takes, by that side. */
static inline void sgemm_few(struct few g, cudaStream_t stream)
{
    if (g.few == 1)
        launch_few<1>(g, stream);
    else if (g.few == 2)
        launch_few<2>(g, stream);
    else if (g.few <= 4)
        launch_few<4>(g, stream);
    else
        launch_few<SHORT>(g, stream);
}

/* As sgemm, by the given plan for a kernel of this chapter. */
SGEMM_OWN void sgemm_launch(const struct sgemm *h, struct plan plan, char ta,
                            char tb, int m, int n, int k, float alpha,
                            const float *a, int lda, const float *b, int ldb,
                            float beta, float *c, int ldc, cudaStream_t stream)
{
    struct steps sa = steps_of(ta, lda), sb = steps_of(tb, ldb);
    struct gemm g = {
        m,    n, k, 0, 0,       plan.whole,  plan.parts,  0,          alpha,
        beta, a, b, c, h->sums, (size_t)lda, (size_t)ldb, (size_t)ldc};
    struct few up = {m, n, k, plan.parts, 0,  alpha, beta,
                     b, a, c, h->sums,    sb, sa,    {(size_t)ldc, 1}};
    struct few on_side = {n,
                          m,
                          k,
                          plan.parts,
                          0,
                          alpha,
                          beta,
                          a,
                          b,
                          c,
                          h->sums,
                          {sa.col, sa.row},
                          {sb.col, sb.row},
                          {1, (size_t)ldc}};

    struct product s = {m, n, k, 0, alpha, beta, a, b, c, sa, sb, (size_t)ldc};

    if (plan.kernel == BY_SHORT)
        launch_short(&s, h->sms, stream);
    else if (plan.kernel == BY_DOTS)
        launch_dots(&s, stream);
    else if (plan.kernel == BY_FEW)
        sgemm_few(m <= n ? up : on_side, stream);
    else
        sgemm_kernels[plan.kernel].run(ta, tb, &g, stream);
}
#endif
#ifndef SGEMM_MODULE

/* multiply by any plan */
/* As sgemm, by the given plan. m and n are not 0. */
static inline void sgemm_by(const struct sgemm *h, struct plan plan, char ta,
                            char tb, int m, int n, int k, float alpha,
                            const float *a, int lda, const float *b, int ldb,
                            float beta, float *c, int ldc, cudaStream_t stream)
{
    if (plan.kernel == BY_TILED)
        matmul_tiled(ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc,
                     stream);
    else
        sgemm_launch(h, plan, ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c,
                     ldc, stream);
}

/* multiply by the best plan */
/* C = alpha op(A) op(B) + beta C, as matmul_reference; a, b, c are on the
   device, and the work is queued on the stream. The same bits every time. */
static inline void sgemm(const struct sgemm *h, char ta, char tb, int m, int n,
                         int k, float alpha, const float *a, int lda,
                         const float *b, int ldb, float beta, float *c, int ldc,
                         cudaStream_t stream)
{
    matmul_check("A", ta, m, k, lda);
    matmul_check("B", tb, k, n, ldb);
    matmul_check("C", 'N', m, n, ldc);
    if (alpha == 0)
        k = 0;
    if (m > 0 && n > 0)
        sgemm_by(h, sgemm_plan(h, m, n, k, ta, tb, lda, ldb), ta, tb, m, n, k,
                 alpha, a, lda, b, ldb, beta, c, ldc, stream);
}
#endif

#endif
