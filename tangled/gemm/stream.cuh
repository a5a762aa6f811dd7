/* stream.cuh: products by blocks that have equally many steps each. */
#ifndef GEMM_STREAM_CUH
#define GEMM_STREAM_CUH

#include "gemm/launch.cuh"

/* share the steps out */
static __host__ __device__ inline long long share(long long all, int blocks,
                                                  int b)
{
    return all * b / blocks;
}

/* multiply a piece */
/* Tiles t to end of k, for the tile of C at `at`. */
template <class T, int HOW_A, int HOW_B>
static __device__ inline void multiply_piece(const struct gemm &g,
                                             float *stages, int2 at, int t,
                                             int end, float *sums)
{
    int slot = 0, spare = T::STAGES - 1;
    int p = (t - (g.k + T::K - 1) / T::K) * T::K + g.k;

    /* find a thread's place in its tile */
    int i0 = at.x * T::M, j0 = at.y * T::N;
    int slice = threadIdx.x / T::GROUP, inner = threadIdx.x % T::GROUP;
    int warp = inner / 32, lane = inner % 32, wide = T::N / (T::COLS * T::TN);
    int2 of = T::place(lane);
    int i = warp / wide * T::ROWS * T::TM + of.x * 4;
    int j = warp % wide * T::COLS * T::TN + of.y * 4;
    int x = slice * T::STEPS * (T::M + PAD) + i;
    int y = slice * T::STEPS * (T::N + PAD) + j + T::A_FLOATS;
    float c[T::TM][T::TN] = {}, xs[2][T::TM], ys[2][T::TN];
    /* start the copies from step p on */
    feed<T, T::M, HOW_A> fa;
    feed<T, T::N, HOW_B> fb;

    feed_start(fa, g.a, g.lda, i0, g.m, p);
    feed_start(fb, g.b, g.ldb, j0, g.n, p);
    if (t < end) {
        feed_copy<1>(fa, stages, p);
        feed_copy<1>(fb, stages + T::A_FLOATS, p);
    }
    async_commit();
    for (int s = 1; s < T::STAGES - 1; s++) {
        float *next = stages + s * T::STAGE_FLOATS;

        if (t + s < end) {
            feed_copy<0>(fa, next, 0);
            feed_copy<0>(fb, next + T::A_FLOATS, 0);
        }
        async_commit();
    }
    async_wait<T::STAGES - 2>();
    __syncthreads();
    load_step<T>(xs[0], ys[0], stages + x, stages + y);
    for (; t < end; t++) {

/* multiply what a stage holds */
#pragma unroll
        for (int p = 0; p < T::STEPS; p++) {
            const int after = p + 1 < T::STEPS ? p + 1 : 0;

            if (after == 0) {
                slot = slot + 1 < T::STAGES ? slot + 1 : 0;
                async_wait<T::STAGES - 2>();
                __syncthreads();
            }
            if (after > 0 || t + 1 < end) {
                const float *now = stages + slot * T::STAGE_FLOATS;

                load_step<T>(xs[(p + 1) % 2], ys[(p + 1) % 2],
                             now + x + after * (T::M + PAD),
                             now + y + after * (T::N + PAD));
            }
            if (p == 0) {
                /* copy the tile after the next */
                if (t + T::STAGES - 1 < end) {
                    float *next = stages + spare * T::STAGE_FLOATS;

                    feed_copy<0>(fa, next, 0);
                    feed_copy<0>(fb, next + T::A_FLOATS, 0);
                }
                async_commit();
                spare = spare + 1 < T::STAGES ? spare + 1 : 0;
            }

/* multiply a column by a row */
#pragma unroll
            for (int e = 0; e < T::TM * T::TN; e++) {
                int2 at = T::product(e);

                c[at.x][at.y] += xs[p % 2][at.x] * ys[p % 2][at.y];
            }
        }
    }
    if (T::SLICES == 1) {

/* write a thread's elements */
#pragma unroll
        for (int e = 0; e < T::TM; e++)
#pragma unroll
            for (int f = 0; f < T::TN; f += 4)
                put_sums<T>(g, sums, i0, j0, i + T::down(e), j + f * T::COLS,
                            &c[e][f]);
    }
    async_wait<0>();
    __syncthreads(); /* the stages may be filled again */
}

/* multiply equal shares */
/* g.sums: two tiles for each block, of what it has of a tile without its first
   steps, and of one without its last. */
template <class T, int HOW_A, int HOW_B>
__global__ void __launch_bounds__(T::THREADS, T::BLOCKS)
    multiply_shares(const __grid_constant__ struct gemm g)
{
    extern __shared__ __align__(16) float stages[];
    int deep = (g.k + T::K - 1) / T::K, blocks = (int)gridDim.x;
    long long all = (long long)g.down * g.across * deep;
    long long now = share(all, blocks, (int)blockIdx.x);
    long long stop = share(all, blocks, (int)blockIdx.x + 1);

    static_assert(T::SLICES == 1, "sums are one thread's");
    while (now < stop) {
        int t = (int)(now % deep);
        int end = (int)min((long long)deep, t + stop - now);
        int2 at = find_tile((int)(now / deep), g.down, g.across);
        size_t place = 2 * blockIdx.x + (t == 0);
        int whole = t == 0 && end == deep;

        multiply_piece<T, HOW_A, HOW_B>(
            g, stages, at, t, end, whole ? NULL : g.sums + place * T::M * T::N);
        now += end - t;
    }
}

/* add what several blocks have of a tile */
template <class T>
__global__ void __launch_bounds__(256)
    add_shares(const __grid_constant__ struct gemm g, int blocks)
{
    int deep = (g.k + T::K - 1) / T::K, b = (int)blockIdx.y;
    int e = (int)(blockIdx.x * 256 + threadIdx.x);
    long long all = (long long)g.down * g.across * deep;
    long long first = share(all, blocks, b + 1) / deep * deep;
    int2 at = find_tile((int)(first / deep), g.down, g.across);
    int i = at.x * T::M + e / T::N, j = at.y * T::N + e % T::N;
    float *out = &g.c[i * g.ldc + j], sum = 0;

    if (share(all, blocks, b + 1) == first || share(all, blocks, b) > first ||
        i >= g.m || j >= g.n)
        return;
    for (; b < blocks && share(all, blocks, b) < first + deep; b++) {
        size_t place = 2 * (size_t)b + (share(all, blocks, b) <= first);

        sum += g.sums[place * T::M * T::N + e];
    }
    *out = g.alpha * sum + (g.beta == 0 ? 0 : g.beta * *out);
}

/* launch equal shares */
/* How many blocks share g's steps. */
template <class T>
static inline int shares_of(const struct gemm *g, int sms)
{
    size_t all = ceil_div((size_t)g->m, T::M) * ceil_div((size_t)g->n, T::N) *
                 ceil_div((size_t)g->k, T::K);

    return (size_t)(T::BLOCKS * sms) < all ? T::BLOCKS * sms : (int)all;
}

/* g.sums has room for 2 x blocks tiles. */
template <class T, int HOW_A, int HOW_B>
static inline void launch_shares(struct gemm g, int blocks, cudaStream_t stream)
{
    void (*kernel)(const struct gemm) = multiply_shares<T, HOW_A, HOW_B>;

    g.down = (int)ceil_div((size_t)g.m, T::M);
    g.across = (int)ceil_div((size_t)g.n, T::N);
    CUDA_CHECK(cudaFuncSetAttribute(
        kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 4 * T::FLOATS));
    kernel<<<(unsigned)blocks, T::THREADS, 4 * T::FLOATS, stream>>>(g);
    CUDA_LAUNCH_CHECK();
    if (blocks > 1)
        add_shares<T><<<dim3(T::M * T::N / 256, blocks - 1), 256, 0, stream>>>(
            g, blocks);
    CUDA_LAUNCH_CHECK();
}

#endif
