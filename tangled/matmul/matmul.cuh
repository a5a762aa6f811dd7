/* matmul.cuh: matrix products on the device: naive, coalesced, tiled. */
#ifndef MATMUL_MATMUL_CUH
#define MATMUL_MATMUL_CUH

#include "matmul/product.cuh"

/* multiply with lanes down a column */
__global__ void multiply_naive(struct product s)
{
    int i = blockIdx.x / s.across * TILE + threadIdx.x;
    int j = blockIdx.x % s.across * TILE + threadIdx.y;

    if (i < s.m && j < s.n)
        multiply_one(s, i, j);
}

/* multiply with lanes along a row */
__global__ void multiply_coalesced(struct product s)
{
    int i = blockIdx.x / s.across * TILE + threadIdx.y;
    int j = blockIdx.x % s.across * TILE + threadIdx.x;

    if (i < s.m && j < s.n)
        multiply_one(s, i, j);
}

/* load a tile */
/* tile[r][c] = element (row + r, col + c) of a matrix of rows x cols that is
   stored as it is or TURNED, ld apart; 0 outside of it. A warp's lanes run
   along what lies together in memory. */
template <int TURNED>
static __device__ inline void load_tile(float (*tile)[TILE + TURNED],
                                        const float *x, size_t ld, int rows,
                                        int cols, int row, int col)
{
    int r = TURNED ? threadIdx.x : threadIdx.y;
    int c = TURNED ? threadIdx.y : threadIdx.x;
    int i = row + r, j = col + c, inside = i < rows && j < cols;

    tile[r][c] = inside ? x[TURNED ? j * ld + i : i * ld + j] : 0;
}

/* multiply by tiles in shared memory */
template <int TA, int TB>
__global__ void __launch_bounds__(TILE *TILE) multiply_tiled(struct product s)
{
    __shared__ float a[TILE][TILE + TA], b[TILE][TILE + TB];
    int i0 = blockIdx.x / s.across * TILE, i = i0 + threadIdx.y;
    int j0 = blockIdx.x % s.across * TILE, j = j0 + threadIdx.x;
    float sum = 0;

    for (int p0 = 0; p0 < s.k; p0 += TILE) {
        load_tile<TA>(a, s.a, TA ? s.sa.col : s.sa.row, s.m, s.k, i0, p0);
        load_tile<TB>(b, s.b, TB ? s.sb.col : s.sb.row, s.k, s.n, p0, j0);
        __syncthreads();
        for (int p = 0; p < TILE; p++)
            sum += a[threadIdx.y][p] * b[p][threadIdx.x];
        __syncthreads();
    }
    if (i < s.m && j < s.n)
        put_product(s, i, j, sum);
}

/* launch a kernel on a product */
static inline void launch_product(void (*kernel)(struct product), char ta,
                                  char tb, int m, int n, int k, float alpha,
                                  const float *a, int lda, const float *b,
                                  int ldb, float beta, float *c, int ldc,
                                  cudaStream_t stream)
{
    int across = (int)ceil_div((size_t)n, TILE), deep = alpha == 0 ? 0 : k;
    size_t tiles = ceil_div((size_t)m, TILE) * (size_t)across;
    struct steps sa = steps_of(ta, lda), sb = steps_of(tb, ldb);
    struct product s = {m, n, deep, across, alpha, beta,
                        a, b, c,    sa,     sb,    (size_t)ldc};

    matmul_check("A", ta, m, k, lda);
    matmul_check("B", tb, k, n, ldb);
    matmul_check("C", 'N', m, n, ldc);
    CHECK(tiles <= 2147483647, "matmul: C of %d x %d has too many tiles", m, n);
    /* launch one block for each tile */
    if (tiles > 0)
        kernel<<<(unsigned)tiles, dim3(TILE, TILE), 0, stream>>>(s);
    CUDA_LAUNCH_CHECK();
}

/* launch a product */
/* C = alpha op(A) op(B) + beta C, as matmul_reference; a, b, c are on the
   device, and the work is queued on the stream. The same bits every time. */
static inline void matmul_naive(char ta, char tb, int m, int n, int k,
                                float alpha, const float *a, int lda,
                                const float *b, int ldb, float beta, float *c,
                                int ldc, cudaStream_t stream)
{
    launch_product(multiply_naive, ta, tb, m, n, k, alpha, a, lda, b, ldb, beta,
                   c, ldc, stream);
}

static inline void matmul_coalesced(char ta, char tb, int m, int n, int k,
                                    float alpha, const float *a, int lda,
                                    const float *b, int ldb, float beta,
                                    float *c, int ldc, cudaStream_t stream)
{
    launch_product(multiply_coalesced, ta, tb, m, n, k, alpha, a, lda, b, ldb,
                   beta, c, ldc, stream);
}
static inline void matmul_tiled(char ta, char tb, int m, int n, int k,
                                float alpha, const float *a, int lda,
                                const float *b, int ldb, float beta, float *c,
                                int ldc, cudaStream_t stream)
{
    /* name the kernels by the transposes */
    static void (*const kernels[2][2])(struct product) = {
        {multiply_tiled<0, 0>, multiply_tiled<0, 1>},
        {multiply_tiled<1, 0>, multiply_tiled<1, 1>}};

    launch_product(kernels[ta == 'T'][tb == 'T'], ta, tb, m, n, k, alpha, a,
                   lda, b, ldb, beta, c, ldc, stream);
}

#endif
