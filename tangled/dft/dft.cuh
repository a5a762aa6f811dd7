/* dft.cuh: batches of Fourier transforms by their definition on the device:
   by angles, by a table of roots, and as a matrix product. */
#ifndef DFT_DFT_CUH
#define DFT_DFT_CUH

#include "dft/dft.h"
#include "matmul/matmul.cuh"

/* start and end a plan */
enum { DFT_MOST = 16384 };

struct dft_plan {
    int n;
    float2 *roots; /* n, e^(-2 pi i r / n) */
    float *matrix; /* 2n x 2n */
};

/* write the matrix of roots */
/* m is 2n x 2n: rows 2j and 2j + 1 say what the real and the imaginary part
   of x[j] add to each bin. */
__global__ void dft_write_matrix(int n, const float2 *roots, float2 *m)
{
    int k = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y;

    if (k < n) {
        float2 w = roots[(int64_t)j * k % n];

        m[2 * (size_t)j * n + k] = {w.x, w.y};
        m[(2 * (size_t)j + 1) * n + k] = {-w.y, w.x};
    }
}

static inline void dft_plan_free(struct dft_plan *p)
{
    CUDA_CHECK(cudaFree(p->roots));
    CUDA_CHECK(cudaFree(p->matrix));
    p->roots = NULL;
    p->matrix = NULL;
}

/* For transforms of n numbers; dft_plan_free() it. */
static inline struct dft_plan dft_plan_make(int n)
{
    struct dft_plan p = {n, NULL, NULL};
    float2 *h;

    CHECK(n >= 1 && n <= DFT_MOST,
          "dft: a transform has 1 to %d points, not %d", DFT_MOST, n);
    /* fill the table and the matrix */
    h = (float2 *)check_alloc((size_t)n, sizeof *h);
    for (int r = 0; r < n; r++) {
        struct cplx w = dft_root(-r, n);

        h[r] = {(float)w.re, (float)w.im};
    }
    CUDA_CHECK(cudaMalloc((void **)&p.roots, n * sizeof *h));
    CUDA_CHECK(cudaMemcpy(p.roots, h, n * sizeof *h, cudaMemcpyHostToDevice));
    CUDA_CHECK(
        cudaMalloc((void **)&p.matrix, 4 * sizeof(float) * n * (size_t)n));
    dft_write_matrix<<<dim3((unsigned)ceil_div((size_t)n, 256), (unsigned)n),
                       256>>>(n, p.roots, (float2 *)p.matrix);
    CUDA_LAUNCH_CHECK();
    free(h);
    return p;
}

/* check the arguments of a transform */
/* Rows of x and y have so many floats. Stops the program if that cannot be. */
static inline void dft_check(const struct dft_plan *p, int batch, const void *x,
                             size_t x_row, const void *y, size_t y_row)
{
    const char *a = (const char *)x, *b = (const char *)y;
    size_t rows = batch > 0 ? (size_t)batch * sizeof(float) : 0;

    CHECK(p->matrix != NULL, "dft: the plan for %d points was freed", p->n);
    CHECK(batch >= 0, "dft: a batch of %d rows", batch);
    CHECK(batch == 0 || (x != NULL && y != NULL), "dft: an array is NULL");
    CHECK(a + rows * x_row <= b || b + rows * y_row <= a,
          "dft: input and output overlap; give the output its own %zu bytes",
          rows * y_row);
}

/* transform by angles */
static __device__ inline float2 root_by_angle(int r, int n)
{
    float2 w;

    sincosf(-6.2831853f * (2 * r > n ? r - n : r) / n, &w.y, &w.x);
    return w;
}

/* y[b][k] = bin k of row b of x; count is all numbers, rows times n. */
__global__ void dft_by_angle(int n, size_t count, const float2 *x, float2 *y)
{
    /* start at a bin */
    size_t at = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    int k = (int)(at % n), r = 0; /* r is jk mod n */
    const float2 *row = x + (at - k);
    float2 sum = {0, 0};

    if (at >= count)
        return;
    for (int j = 0; j < n; j++) {
        float2 w = root_by_angle(r, n);

        /* add a term and walk on */
        sum.x += row[j].x * w.x - row[j].y * w.y;
        sum.y += row[j].x * w.y + row[j].y * w.x;
        r += k;
        if (r >= n)
            r -= n;
    }
    y[at] = sum;
}

/* transform by a table of roots */
__global__ void dft_by_table(int n, size_t count, const float2 *roots,
                             const float2 *x, float2 *y)
{
    /* start at a bin */
    size_t at = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    int k = (int)(at % n), r = 0; /* r is jk mod n */
    const float2 *row = x + (at - k);
    float2 sum = {0, 0};

    if (at >= count)
        return;
    for (int j = 0; j < n; j++) {
        float2 w = roots[r];

        /* add a term and walk on */
        sum.x += row[j].x * w.x - row[j].y * w.y;
        sum.y += row[j].x * w.y + row[j].y * w.x;
        r += k;
        if (r >= n)
            r -= n;
    }
    y[at] = sum;
}

/* launch a thread for each bin */
enum dft_way { DFT_BY_ANGLE, DFT_BY_TABLE };

/* y = the transforms of the rows of x by one of the two kernels. */
static inline void dft_by_bins(enum dft_way how, const struct dft_plan *p,
                               int batch, const float2 *x, float2 *y,
                               cudaStream_t stream)
{
    size_t count = (size_t)p->n * (batch > 0 ? batch : 0);
    unsigned blocks = (unsigned)blocks_for(count, 256);

    dft_check(p, batch, x, 2 * (size_t)p->n, y, 2 * (size_t)p->n);
    if (blocks > 0 && how == DFT_BY_ANGLE)
        dft_by_angle<<<blocks, 256, 0, stream>>>(p->n, count, x, y);
    else if (blocks > 0)
        dft_by_table<<<blocks, 256, 0, stream>>>(p->n, count, p->roots, x, y);
    CUDA_LAUNCH_CHECK();
}

/* transform by a matrix product */
/* y = the transforms of the `batch` rows of x, n complex numbers each. */
static inline void dft_forward(const struct dft_plan *p, int batch,
                               const float2 *x, float2 *y, cudaStream_t stream)
{
    int n = 2 * p->n;

    dft_check(p, batch, x, 2 * (size_t)p->n, y, 2 * (size_t)p->n);
    matmul_tiled('N', 'N', batch, n, n, 1, (const float *)x, n, p->matrix, n, 0,
                 (float *)y, n, stream);
}

/* transform back by the transposed matrix */
/* x = the inverse transforms of the rows of y, scaled by 1 / n: of the
   transforms of x, x again. */
static inline void dft_inverse(const struct dft_plan *p, int batch,
                               const float2 *y, float2 *x, cudaStream_t stream)
{
    int n = 2 * p->n;

    dft_check(p, batch, y, 2 * (size_t)p->n, x, 2 * (size_t)p->n);
    matmul_tiled('N', 'T', batch, n, n, 1.0f / p->n, (const float *)y, n,
                 p->matrix, n, 0, (float *)x, n, stream);
}

/* transform real samples */
/* y = bins 0 to n / 2 of the transforms of the rows of x, n floats each. */
static inline void dft_real(const struct dft_plan *p, int batch, const float *x,
                            float2 *y, cudaStream_t stream)
{
    int n = p->n, bins = n / 2 + 1;

    dft_check(p, batch, x, (size_t)n, y, 2 * (size_t)bins);
    matmul_tiled('N', 'N', batch, 2 * bins, n, 1, x, n, p->matrix, 4 * n, 0,
                 (float *)y, 2 * bins, stream);
}

#endif
