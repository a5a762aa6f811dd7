/* bulk.cuh: products of plain matrices by tiles that come in bulk. */
#ifndef GEMM_BULK_CUH
#define GEMM_BULK_CUH

#include "gemm/launch.cuh"
#include "loom/ptx.h"

/* name the sizes of tiles in bulk */
/* How a thread takes its numbers of A: four steps at a time, into one set of
   registers or into two; or four rows at a time, from a transposed A. */
enum taking { ONCE, TWICE, BY_ROWS };

/* As tile, with 32 steps in a stage. */
template <int M_, int N_, int TM_, int TN_, int SLICES_, int STAGES_,
          int BLOCKS_, int WAYS_, int TAKE_>
struct bulk : tile<M_, N_, 32, TM_, TN_, SLICES_, STAGES_, BLOCKS_, WAYS_> {
    typedef tile<M_, N_, 32, TM_, TN_, SLICES_, STAGES_, BLOCKS_, WAYS_> base;
    enum {
        ACROSS_A = TAKE_ == BY_ROWS,
        TWO_SETS = TAKE_ == TWICE,
        STAGE = 32 * (M_ + N_), /* floats */
        SUM_FLOATS = SLICES_ > 1 ? base::SUMS : 0,
        BULK_FLOATS =
            STAGES_ * STAGE > SUM_FLOATS ? STAGES_ *STAGE : SUM_FLOATS,
        BARS = 2 * STAGES_,
        BULK_BYTES = 4 * BULK_FLOATS + 8 * BARS
    };

    static_assert(base::ROWS == 4 && base::COLS == 8 && M_ % (8 * TM_) == 0,
                  "two warps share eights of rows");
    static_assert(M_ <= 256 && N_ <= 256, "the side of a box");
    static_assert(base::STEPS % 4 == 0, "A comes by fours of k");

    static __device__ inline int down(int e)
    {
        return ACROSS_A ? base::down(e) : 8 * e;
    }
};

/* order the tiles of a stage */
template <class T>
static __device__ inline void order_stage(const CUtensorMap *ma,
                                          const CUtensorMap *mb, int i0, int j0,
                                          int t, float *to, uint64_t *full)
{
    int at_a[2] = {T::ACROSS_A ? i0 : 32 * t, T::ACROSS_A ? 32 * t : i0};
    int at_b[2] = {j0, 32 * t};

    ptx_mbarrier_expect(full, 4 * T::STAGE);
    ptx_tensor_load<2>(to, ma, at_a, full);
    ptx_tensor_load<2>(to + 32 * T::M, mb, at_b, full);
}

/* load a set of vectors */
template <class T>
static __device__ inline void load_vectors(float (*to)[4], const float *from)
{
#pragma unroll
    for (int e = 0; e < T::TM; e++)
        *(float4 *)to[e] = *(const float4 *)&from[e * 256];
}

/* multiply by tiles in bulk */
template <class T>
__global__ void __launch_bounds__(T::THREADS, T::BLOCKS)
    multiply_bulk(const __grid_constant__ struct gemm g,
                  const __grid_constant__ CUtensorMap ma,
                  const __grid_constant__ CUtensorMap mb)
{
    extern __shared__ __align__(1024) float boxes_in[]; /* as swizzles want */
    float *stages = boxes_in;
    uint64_t *full = (uint64_t *)(stages + T::BULK_FLOATS);
    uint64_t *empty = full + T::STAGES;
    /* find a thread's place in bulk */
    int rest = blockIdx.x - g.whole, part = rest < 0 ? 0 : rest % g.parts;
    int2 at = find_tile(rest < 0 ? blockIdx.x : g.whole + rest / g.parts,
                        g.down, g.across);
    float *sums = rest < 0 ? NULL : g.sums + (size_t)rest * T::M * T::N;
    int i0 = at.x * T::M, j0 = at.y * T::N;
    int slice = threadIdx.x / T::GROUP, inner = threadIdx.x % T::GROUP;
    int warp = inner / 32, lane = inner % 32, wide = T::N / (T::COLS * T::TN);
    int2 of = T::place(lane);
    int eights = warp / wide;
    int i = eights / 2 * 8 * T::TM + eights % 2 * 4 + of.x;
    int j = warp % wide * T::COLS * T::TN + of.y * 4;
    int swizzle = (i % 8 ^ slice * (T::STEPS / 4)) * 4;
    int x = 32 * i, y = 32 * T::M + slice * T::STEPS * T::N + j;
    float c[T::TM][T::TN] = {};
    __align__(16) float xs[2][T::TM][4], xr[2][T::TM], ys[2][T::TN];

    if (T::ACROSS_A) {
        i = eights * T::ROWS * T::TM + of.x * 4;
        x = slice * T::STEPS * T::M + i;
    }
    /* order the first tiles */
    int deep = (g.k + 31) / 32, slot = 0, turn = 0;
    int t = part * g.each, end = rest < 0 ? deep : min(t + g.each, deep);
    int last = T::STAGES - 1, last_turn = 1; /* where the tile before was */

    if (threadIdx.x == 0) {
        for (int s = 0; s < T::STAGES; s++) {
            ptx_mbarrier_init(&full[s], 1);
            ptx_mbarrier_init(&empty[s], T::THREADS / 32);
        }
        ptx_fence_mbarrier_init();
        for (int s = 0; s < T::STAGES - 1 && t + s < end; s++)
            order_stage<T>(&ma, &mb, i0, j0, t + s, stages + s * T::STAGE,
                           &full[s]);
    }
    __syncthreads();
    if (t < end) {
        ptx_mbarrier_wait(&full[0], 0);
        if (T::ACROSS_A)
            load_fours<T::TM, 4 * T::ROWS>(xr[0], stages + x);
        else
            load_vectors<T>(xs[0], stages + x + swizzle);
        load_fours<T::TN, 4 * T::COLS>(ys[0], stages + y);
    }
    for (; t < end; t++) {

/* multiply what came in bulk */
#pragma unroll
        for (int p = 0; p < T::STEPS; p++) {
            const int after = p + 1 < T::STEPS ? p + 1 : 0;

            if (p == T::STEPS / 2) {
                /* order the tile after the next */
                if (threadIdx.x == 0 && t + T::STAGES - 1 < end) {
                    ptx_mbarrier_wait(&empty[last], last_turn);
                    order_stage<T>(&ma, &mb, i0, j0, t + T::STAGES - 1,
                                   stages + last * T::STAGE, &full[last]);
                }
                last = slot;
                last_turn = turn;
            }
            if (after == 0) {
                /* leave a stage */
                __syncwarp();
                if (lane == 0)
                    ptx_mbarrier_arrive(&empty[slot]);
                slot = slot + 1 < T::STAGES ? slot + 1 : 0;
                turn ^= slot == 0;
                if (t + 1 < end)
                    ptx_mbarrier_wait(&full[slot], turn);
            }
            if (after > 0 || t + 1 < end) {
                const float *now = stages + slot * T::STAGE;

                load_fours<T::TN, 4 * T::COLS>(ys[(p + 1) % 2],
                                               now + y + after * T::N);
                if (T::ACROSS_A)
                    load_fours<T::TM, 4 * T::ROWS>(xr[(p + 1) % 2],
                                                   now + x + after * T::M);
            }
            const float *now = stages + slot * T::STAGE + x;
            const int set = T::TWO_SETS ? p / 4 % 2 : 0;
            const int next = (p / 4 + 1) % (T::STEPS / 4) * 4; /* unswizzled */
            const int there = next > 0 || t + 1 < end;

            if (T::TWO_SETS && (next > 0 ? p % 4 == 0 : after == 0) && there)
                load_vectors<T>(xs[1 - set], now + (swizzle ^ next));

/* make the products of a step in bulk */
#pragma unroll
            for (int e = 0; e < T::TM * T::TN; e++) {
                int2 of = T::product(e);

                c[of.x][of.y] +=
                    (T::ACROSS_A ? xr[p % 2][of.x] : xs[set][of.x][p % 4]) *
                    ys[p % 2][of.y];
                if (!T::TWO_SETS && !T::ACROSS_A && p % 4 == 3 &&
                    e % T::TN == T::TN - 1 && there)
                    *(float4 *)xs[0][of.x] =
                        *(const float4 *)&now[of.x * 256 + (swizzle ^ next)];
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
    } else {
        __syncthreads();

/* add the slices and write */
#pragma unroll
        for (int e = 0; e < T::TM * T::TN; e++)
            stages[(slice * T::TM * T::TN + e) * T::GROUP + inner] =
                c[e / T::TN][e % T::TN];
        __syncthreads();
        for (int e = 4 * slice; e < T::TM * T::TN; e += 4 * T::SLICES) {
            int row = e / T::TN, col = e % T::TN;
            float sum[4] = {};

            for (int s = 0; s < T::SLICES; s++)
                for (int q = 0; q < 4; q++)
                    sum[q] +=
                        stages[(s * T::TM * T::TN + e + q) * T::GROUP + inner];
            put_sums<T>(g, sums, i0, j0, i + T::down(row), j + col * T::COLS,
                        sum);
        }
    }
}

/* launch tiles in bulk */
static inline CUtensorMap bulk_map(const float *x, int rows, int cols,
                                   size_t ld, unsigned tall, unsigned wide,
                                   CUtensorMapSwizzle swizzle)
{
    const uint64_t size[2] = {(uint64_t)cols, (uint64_t)rows};
    const uint64_t stride[1] = {4 * ld};
    const unsigned box[2] = {wide, tall};
    CUtensorMap map;
    int wrong = ptx_tensor_map(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2,
                               (void *)x, size, stride, box, swizzle,
                               CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);

    CHECK(!wrong, "no tensor map of %d x %d floats: driver error %d", rows,
          cols, wrong);
    return map;
}

/* keep a transposed A */
/* y, cols x rows, is x transposed; rows of x begin ld apart. Blocks of 32 x 8. */
static __global__ void turn_matrix(int rows, int cols, const float *x,
                                   size_t ld, float *y)
{
    __shared__ float s[32][33];
    int i = blockIdx.y * 32 + threadIdx.y, j = blockIdx.x * 32 + threadIdx.x;
    int u = blockIdx.x * 32 + threadIdx.y, v = blockIdx.y * 32 + threadIdx.x;

    for (int e = 0; e < 32; e += 8)
        if (i + e < rows && j < cols)
            s[threadIdx.y + e][threadIdx.x] = x[(i + e) * ld + j];
    __syncthreads();
    for (int e = 0; e < 32; e += 8)
        if (u + e < cols && v < rows)
            y[(size_t)(u + e) * rows + v] = s[threadIdx.x][threadIdx.y + e];
}

static inline void turn_first(struct gemm *g, cudaStream_t stream)
{
    static float *place;
    static size_t room;
    dim3 grid((unsigned)ceil_div((size_t)g->k, 32),
              (unsigned)ceil_div((size_t)g->m, 32));

    if (room < (size_t)g->m * g->k) {
        CUDA_CHECK(cudaDeviceSynchronize());
        CUDA_CHECK(cudaFree(place));
        room = (size_t)g->m * g->k;
        CUDA_CHECK(cudaMalloc((void **)&place, 4 * room));
    }
    turn_matrix<<<grid, dim3(32, 8), 0, stream>>>(g->m, g->k, g->a, g->lda,
                                                  place);
    CUDA_LAUNCH_CHECK();
    g->a = place;
    g->lda = (size_t)g->m;
}

/* Arguments as launch_tiles. */
template <class T>
static inline void launch_bulk(char ta, char tb, const struct gemm *from,
                               cudaStream_t stream)
{
    void (*kernel)(const struct gemm, const CUtensorMap, const CUtensorMap) =
        multiply_bulk<T>;
    struct gemm g = *from;
    int deep = (int)ceil_div((size_t)g.k, 32), rest, device, major;
    int turn = T::ACROSS_A && ta == 'N';
    struct adding add = {g.m, g.n,     T::M,   T::N,   0,   0,         0,
                         0,   g.alpha, g.beta, g.sums, g.c, {g.ldc, 1}};

    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor,
                                      device));
    if (major < 9 || tb != 'N' || g.k == 0 || !in_fours(g.a, g.lda, 4) ||
        !in_fours(g.b, g.ldb, 4) || (ta != 'N' && !T::ACROSS_A) ||
        (turn && g.m % 4 != 0)) {
        launch_tiles<tile<128, 128, 32, 8, 8, 1, 3, 2>>(ta, tb, from, stream);
        return;
    }
    if (turn)
        turn_first(&g, stream);
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
    CUDA_CHECK(cudaFuncSetAttribute(
        kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, T::BULK_BYTES));
    kernel<<<(unsigned)(g.whole + rest * g.parts), T::THREADS, T::BULK_BYTES,
             stream>>>(
        g,
        T::ACROSS_A ? bulk_map(g.a, g.k, g.m, g.lda, 32, T::M,
                               CU_TENSOR_MAP_SWIZZLE_NONE)
                    : bulk_map(g.a, g.m, g.k, g.lda, T::M, 32,
                               CU_TENSOR_MAP_SWIZZLE_128B),
        bulk_map(g.b, g.k, g.n, g.ldb, 32, T::N, CU_TENSOR_MAP_SWIZZLE_NONE));
    CUDA_LAUNCH_CHECK();
    if (rest > 0)
        launch_add(&add, rest, stream);
}

#endif
