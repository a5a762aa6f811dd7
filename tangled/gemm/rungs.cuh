/* rungs.cuh: the kernels of the ladder, one by one. */
#ifndef GEMM_RUNGS_CUH
#define GEMM_RUNGS_CUH

#include "gemm/bulk.cuh"
#include "matmul/matmul.cuh"

/* take an element or a zero */
/* Element (i, j) of op(X), which is rows x cols; 0 outside of it. */
static __device__ inline float element(const float *x, struct steps step,
                                       int rows, int cols, int i, int j)
{
    return i < rows && j < cols ? x[i * step.row + j * step.col] : 0;
}

/* multiply by patches */
/* A block has M x N elements of C and takes K steps at a time; a thread has
   TM rows and TN columns, which lie N / TN apart. */
template <int M, int N, int K, int TM, int TN>
__global__ void __launch_bounds__(M / TM * (N / TN))
    multiply_patches(const __grid_constant__ struct product s)
{
    enum { ACROSS = N / TN, THREADS = M / TM * ACROSS };
    __shared__ float a[M][K], b[K][N];
    int i0 = blockIdx.x / s.across * M, i = threadIdx.x / ACROSS * TM;
    int j0 = blockIdx.x % s.across * N, j = threadIdx.x % ACROSS;
    float c[TM][TN] = {};

    for (int p0 = 0; p0 < s.k; p0 += K) {
        /* fetch the tiles of a patch */
        for (int e = threadIdx.x; e < M * K; e += THREADS)
            a[e / K][e % K] =
                element(s.a, s.sa, s.m, s.k, i0 + e / K, p0 + e % K);
        for (int e = threadIdx.x; e < K * N; e += THREADS)
            b[e / N][e % N] =
                element(s.b, s.sb, s.k, s.n, p0 + e / N, j0 + e % N);
        __syncthreads();

/* multiply the tiles of a patch */
#pragma unroll
        for (int p = 0; p < K; p++) {
            float x[TM], y[TN];

            for (int e = 0; e < TM; e++)
                x[e] = a[i + e][p];
            for (int f = 0; f < TN; f++)
                y[f] = b[p][j + f * ACROSS];
            for (int e = 0; e < TM; e++)
                for (int f = 0; f < TN; f++)
                    c[e][f] += x[e] * y[f];
        }
        __syncthreads();
    }
    /* write a patch */
    for (int e = 0; e < TM; e++)
        for (int f = 0; f < TN; f++)
            if (i0 + i + e < s.m && j0 + j + f * ACROSS < s.n)
                put_product(s, i0 + i + e, j0 + j + f * ACROSS, c[e][f]);
}

/* multiply by vectors */
/* As multiply_patches, but A's tile is turned, and a thread reads its numbers
   by fours. AHEAD: the next tiles are on their way during the sums. */
template <int M, int N, int K, int AHEAD>
__global__ void __launch_bounds__(M *N / 64)
    multiply_vectors(const __grid_constant__ struct product s)
{
    enum { ACROSS = N / 8, DOWN = M / 8, THREADS = DOWN * ACROSS };
    __shared__ __align__(16) float a[1 + AHEAD][K][M + PAD];
    __shared__ __align__(16) float b[1 + AHEAD][K][N];
    int i0 = blockIdx.x / s.across * M, i = threadIdx.x / ACROSS * 4;
    int j0 = blockIdx.x % s.across * N, j = threadIdx.x % ACROSS * 4;
    float c[8][8] = {}, ha[M * K / THREADS], hb[N * K / THREADS];
    int now = 0, next = 0;

    /* fetch the next tiles into registers */
    for (int e = 0; e < M * K / THREADS; e++) {
        int at = threadIdx.x + e * THREADS, row = i0 + at / K;

        ha[e] = element(s.a, s.sa, s.m, s.k, row, next + at % K);
    }
    for (int e = 0; e < N * K / THREADS; e++) {
        int at = threadIdx.x + e * THREADS, col = j0 + at % N;

        hb[e] = element(s.b, s.sb, s.k, s.n, next + at / N, col);
    }
    for (int p0 = 0; p0 < s.k; p0 += K) {
        /* store the registers in shared memory */
        for (int e = 0; e < M * K / THREADS; e++) {
            int at = threadIdx.x + e * THREADS;

            a[now][at % K][at / K] = ha[e];
        }
        for (int e = 0; e < N * K / THREADS; e++) {
            int at = threadIdx.x + e * THREADS;

            b[now][at / N][at % N] = hb[e];
        }
        __syncthreads();
        next = p0 + K;
        if (AHEAD) {
            /* fetch the next tiles into registers */
            for (int e = 0; e < M * K / THREADS; e++) {
                int at = threadIdx.x + e * THREADS, row = i0 + at / K;

                ha[e] = element(s.a, s.sa, s.m, s.k, row, next + at % K);
            }
            for (int e = 0; e < N * K / THREADS; e++) {
                int at = threadIdx.x + e * THREADS, col = j0 + at % N;

                hb[e] = element(s.b, s.sb, s.k, s.n, next + at / N, col);
            }
        }

/* multiply the tiles by vectors */
#pragma unroll
        for (int p = 0; p < K; p++) {
            float x[8], y[8];

            load_fours<8, 4 * DOWN>(x, &a[now][p][i]);
            load_fours<8, 4 * ACROSS>(y, &b[now][p][j]);
            for (int e = 0; e < 8; e++)
                for (int f = 0; f < 8; f++)
                    c[e][f] += x[e] * y[f];
        }
        /* go on to the next tiles */
        if (AHEAD)
            now = 1 - now;
        else {
            __syncthreads();
            /* fetch the next tiles into registers */
            for (int e = 0; e < M * K / THREADS; e++) {
                int at = threadIdx.x + e * THREADS, row = i0 + at / K;

                ha[e] = element(s.a, s.sa, s.m, s.k, row, next + at % K);
            }
            for (int e = 0; e < N * K / THREADS; e++) {
                int at = threadIdx.x + e * THREADS, col = j0 + at % N;

                hb[e] = element(s.b, s.sb, s.k, s.n, next + at / N, col);
            }
        }
    }
    /* write a patch by fours */
    for (int e = 0; e < 8; e++)
        for (int f = 0; f < 8; f++) {
            int row = i0 + i + e / 4 * 4 * DOWN + e % 4;
            int col = j0 + j + f / 4 * 4 * ACROSS + f % 4;

            if (row < s.m && col < s.n)
                put_product(s, row, col, c[e][f]);
        }
}

/* launch a rung */
static inline void launch_rung(void (*kernel)(const struct product), int tall,
                               int wide, int threads, char ta, char tb, int m,
                               int n, int k, float alpha, const float *a,
                               int lda, const float *b, int ldb, float beta,
                               float *c, int ldc, cudaStream_t stream)
{
    size_t across = ceil_div((size_t)n, (size_t)wide);
    size_t tiles = ceil_div((size_t)m, (size_t)tall) * across;
    struct steps sa = steps_of(ta, lda), sb = steps_of(tb, ldb);
    struct product s = {
        m,  n,  alpha == 0 ? 0 : k, (int)across, alpha, beta, a, b, c,
        sa, sb, (size_t)ldc};

    matmul_check("A", ta, m, k, lda);
    matmul_check("B", tb, k, n, ldb);
    matmul_check("C", 'N', m, n, ldc);
    CHECK(tiles <= 2147483647, "gemm: C of %d x %d has too many tiles", m, n);
    if (tiles > 0)
        kernel<<<(unsigned)tiles, threads, 0, stream>>>(s);
    CUDA_LAUNCH_CHECK();
}

/* launch the rungs */
#define GEMM_RUNG(name, kernel, tall, wide, threads)                        \
    static inline void name(char ta, char tb, int m, int n, int k,          \
                            float alpha, const float *a, int lda,           \
                            const float *b, int ldb, float beta, float *c,  \
                            int ldc, cudaStream_t stream)                   \
    {                                                                       \
        launch_rung(kernel, tall, wide, threads, ta, tb, m, n, k, alpha, a, \
                    lda, b, ldb, beta, c, ldc, stream);                     \
    }

GEMM_RUNG(gemm_column, (multiply_patches<64, 64, 8, 8, 1>), 64, 64, 512)
GEMM_RUNG(gemm_square, (multiply_patches<128, 128, 8, 8, 8>), 128, 128, 256)
GEMM_RUNG(gemm_vectors, (multiply_vectors<128, 128, 8, 0>), 128, 128, 256)
GEMM_RUNG(gemm_ahead, (multiply_vectors<128, 128, 8, 1>), 128, 128, 256)

#define GEMM_TILES(name, bulks, launch, ...)                                   \
    static inline void name(char ta, char tb, int m, int n, int k,             \
                            float alpha, const float *a, int lda,              \
                            const float *b, int ldb, float beta, float *c,     \
                            int ldc, cudaStream_t stream)                      \
    {                                                                          \
        struct gemm g = {m, n,    k,           0,           0,          0,     \
                         1, 0,    alpha,       beta,        a,          b,     \
                         c, NULL, (size_t)lda, (size_t)ldb, (size_t)ldc};      \
                                                                               \
        if (m > 0 && n > 0 && k > 0 && alpha != 0 && ta == 'N' && tb == 'N' && \
            in_fours(b, (size_t)ldb, bulks ? 4 : n) &&                         \
            (!bulks || bulk_here()))                                           \
            launch<__VA_ARGS__>(g, stream);                                    \
        else                                                                   \
            matmul_tiled(ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc, \
                         stream);                                              \
    }

#define GEMM_COPIED(name, ...) \
    GEMM_TILES(name, 0, launch_kind, tile<__VA_ARGS__>, TURNED, BY_4)

GEMM_COPIED(gemm_warps, 128, 128, 32, 8, 8, 1, 3, 2, ROWWISE)
GEMM_COPIED(gemm_wide, 128, 256, 16, 8, 16, 1, 3, 1, ROWWISE)
GEMM_COPIED(gemm_snake, 128, 128, 32, 8, 8, 1, 3, 2, SNAKE)
GEMM_COPIED(gemm_columns, 128, 128, 32, 8, 8, 1, 3, 2, COLUMNS + SINGLES)
GEMM_COPIED(gemm_pairs, 128, 128, 32, 8, 8, 1, 3, 2, COLUMNS + SINGLES + PAIRS)
GEMM_TILES(gemm_bulk, 1, launch_boxes, bulk<128, 128, 8, 8, 1, 3, 2>, TURNED,
           BULK)
GEMM_TILES(gemm_bulk_wide, 1, launch_boxes, bulk<128, 256, 8, 16, 1, 4, 1>,
           TURNED, BULK)

#endif
