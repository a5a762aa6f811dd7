/* group.cuh: products of matrices of bf16 by warpgroups (wgmma), sm_90a. */
#ifndef TENSOR_GROUP_CUH
#define TENSOR_GROUP_CUH

#include "tensor/warp.cuh"

/* describe a product by tensor maps */
struct tiled16 : product16 {
    CUtensorMap a_map, b_map, c_map;
    int boxed; /* rows of C are whole eights, and c_map may be used */
};

/* describe a tile of warpgroups */
/* A block has M x N elements of C, by so many consumers of M / CONSUMERS rows; the
   ring has STAGES of 64 steps. CLUSTER blocks, one above the other, share B, or
   -CLUSTER, side by side, A; or SPLIT blocks share the steps of one tile. An SM
   has room for BLOCKS. */
template <int M_, int N_, int CONSUMERS_, int STAGES_, int CLUSTER_,
          int SPLIT_ = 1, int BLOCKS_ = 1>
struct group_tile {
    enum { M = M_, N = N_, CONSUMERS = CONSUMERS_, STAGES = STAGES_ };
    enum { BLOCKS = BLOCKS_ };
    enum { DOWN = CLUSTER_ > 1 ? CLUSTER_ : 1 };
    enum { RIGHT = CLUSTER_ < 0 ? -CLUSTER_ : 1, CLUSTER = DOWN * RIGHT };
    enum { SPLIT = SPLIT_, GROUP = CLUSTER * SPLIT };
    enum { R = M / CONSUMERS / 64, STAGE = (M + N) * 128 };
    enum { THREADS = 128 + 128 * CONSUMERS };
    /* boxes of a consumer: one will do for blocks that share an SM */
    enum { OUTS = BLOCKS > 1 && SPLIT == 1 && N *R == 64 ? 1 : 2 };
    /* their bytes, or those of the sums that are sent to it */
    enum { OUT = SPLIT == 1 ? OUTS * 8192 : (SPLIT - 1) * R * 256 * N / SPLIT };
    enum { BOXES = STAGES * STAGE + CONSUMERS * OUT }; /* then barriers */
    enum { BYTES = BOXES + (2 * STAGES + CONSUMERS) * 8 };

    static_assert(M % (64 * CONSUMERS) == 0, "consumers have 64 rows or more");
    static_assert(N % (64 * DOWN) == 0, "blocks bring whole panels of B");
    static_assert(M % (64 * RIGHT) == 0, "blocks bring whole panels of A");
    static_assert(CLUSTER == 1 || SPLIT == 1, "one way to share at a time");
    static_assert(N / SPLIT % 32 == 0 && OUT / 8192 <= STAGES * R,
                  "sums are sent by whole pieces from the ring");
    static_assert(BYTES <= 227 << 10, "as much as a block may have");

    static __device__ void few_registers(void)
    {
        if constexpr (BLOCKS == 1 && CONSUMERS == 2)
            ptx_fewer_registers<24>();
        if constexpr (BLOCKS == 1 && CONSUMERS == 3)
            ptx_fewer_registers<32>();
    }
    static __device__ void many_registers(void)
    {
        if constexpr (BLOCKS == 1 && CONSUMERS == 2)
            ptx_more_registers<240>();
        if constexpr (BLOCKS == 1 && CONSUMERS == 3)
            ptx_more_registers<160>();
    }
};

/* describe a tile to the tensor cores */
/* Rows from `row` (a multiple of 64) on of a tile of 64 steps, whose lines run
   along k or, if TURNED, along the rows. */
template <int TURNED>
static __device__ inline uint64_t tile_matrix(const char *tile, int row)
{
    return ptx_matrix(tile + row * 128, TURNED ? 64 * 128 : 16, 1024,
                      CU_TENSOR_MAP_SWIZZLE_128B);
}

/* What is added to it for rows and steps further on. */
template <int TURNED>
static __device__ constexpr int tile_further(int rows, int steps)
{
    return (rows * 128 + (TURNED ? steps * 128 : steps * 2)) / 16;
}

/* multiply a stage by a warpgroup */
/* d += A B for rows from `row` on of a stage, 64 steps; d = A B if !add. */
template <int N, int R, int TA, int TB>
static __device__ inline void multiply_stage(float (&d)[R][N / 2],
                                             const char *a, const char *b,
                                             int row, int add)
{
    uint64_t of_a = tile_matrix<TA>(a, row), of_b = tile_matrix<TB>(b, 0);

    ptx_wgmma_fence();
#pragma unroll
    for (int p = 0; p < 64; p += 16)
#pragma unroll
        for (int r = 0; r < R; r++)
            ptx_wgmma<N, TA, TB>(d[r], of_a + tile_further<TA>(64 * r, p),
                                 of_b + tile_further<TB>(0, p), add || p > 0);
    ptx_wgmma_commit();
}

/* bring a tile by boxes */
/* ROWS rows from r0 and 64 steps from k0 on, which tell bar when they arrive; to
   each block of the cluster whose bit is set in `to_all`, if any is. */
template <int TURNED, int ROWS>
static __device__ inline void bring_tile(char *to, const CUtensorMap *map,
                                         int r0, int k0, uint64_t *bar,
                                         unsigned to_all)
{
    for (int r = 0; r < ROWS; r += TURNED ? 64 : ROWS) {
        int at[2] = {TURNED ? r0 + r : k0, TURNED ? k0 : r0 + r};

        if (to_all)
            ptx_tensor_load_all<2>(to + r * 128, map, at, bar, to_all);
        else
            ptx_tensor_load<2>(to + r * 128, map, at, bar);
    }
}

/* bring a part of a tile */
/* The tile of ROWS rows from r0 on, which SHARE blocks of a cluster share: this one
   asks for its part, for all of them. Each part tells every block's `bar`. */
template <int TURNED, int ROWS, int SHARE>
static __device__ inline void bring_part(char *to, const CUtensorMap *map,
                                         int r0, int k0, uint64_t *bar,
                                         int rank)
{
    int first = SHARE > 1 ? rank * (ROWS / SHARE) : 0;

    bring_tile<TURNED, ROWS / SHARE>(to + first * 128, map, r0 + first, k0, bar,
                                     SHARE > 1 ? (1u << SHARE) - 1 : 0);
}

/* hold the sums of a warpgroup */
template <int R, int N>
static __device__ inline void hold_sums(float (&d)[R][N / 2])
{
#pragma unroll
    for (int r = 0; r < R; r++)
        ptx_hold<N / 2>(d[r]);
}

/* write sums of a warpgroup */
/* R times 64 x N sums, which begin at (i0, j0) of C. */
template <int R, int N>
static __device__ inline void put_sums16(const struct product16 &g, int i0,
                                         int j0, const float (&d)[R][N / 2])
{
    int l = threadIdx.x % 32, w = threadIdx.x / 32 % 4;

#pragma unroll
    for (int r = 0; r < R; r++)
#pragma unroll
        for (int i = 0; i < N / 2; i += 2)
            put_pair(g, i0 + 64 * r + 16 * w + l / 4 + i / 2 % 2 * 8,
                     j0 + i / 4 * 8 + l % 4 * 2, d[r][i], d[r][i + 1]);
}

/* multiply by copied tiles */
/* C = alpha op(A) op(B) + beta C, by one warpgroup and one stage for each block. */
template <int TA, int TB>
__global__ void __launch_bounds__(128)
    multiply_copied(const __grid_constant__ struct tiled16 g)
{
    extern __shared__ __align__(1024) char stage[];
    uint64_t *full = (uint64_t *)(stage + 2 * 128 * 128);
    int2 at = tile_place((int)blockIdx.x, g.down, g.across, g.strip);
    int i0 = at.x * 128, j0 = at.y * 128, steps = (g.k + 63) / 64;
    float d[2][64];

    if (threadIdx.x == 0) {
        ptx_mbarrier_init(full, 1);
        ptx_fence_mbarrier_init();
    }
    __syncthreads();
    for (int step = 0; step < steps; step++) {
        /* copy and multiply a step */
        if (threadIdx.x == 0) {
            ptx_mbarrier_expect(full, 2 * 128 * 128);
            bring_tile<TA, 128>(stage, &g.a_map, i0, step * 64, full, 0);
            bring_tile<TB, 128>(stage + 128 * 128, &g.b_map, j0, step * 64,
                                full, 0);
        }
        ptx_mbarrier_wait(full, step % 2);
        multiply_stage<128, 2, TA, TB>(d, stage, stage + 128 * 128, 0,
                                       step > 0);
        ptx_wgmma_wait<0>();
        hold_sums<2, 128>(d);
        __syncthreads(); /* all have read the stage */
    }
    put_sums16<2, 128>(g, i0, j0, d);
}

/* give a stage back */
/* Tells the producers of all blocks of the cluster that this warpgroup has read
   a stage. One thread tells one block. */
template <int CLUSTER>
static __device__ inline void give_back(uint64_t *empty)
{
    if (CLUSTER == 1 && threadIdx.x % 128 == 0)
        ptx_mbarrier_arrive(empty);
    if (CLUSTER > 1 && threadIdx.x % 128 < CLUSTER)
        ptx_mbarrier_arrive_at_relaxed(empty, threadIdx.x % 128);
}

/* fill a box */
/* 64 x 64 sums of a warpgroup, 32 of each thread, times alpha, to a swizzled box;
   plus beta times what is at (i0, j0) of C. */
static __device__ inline void fill_box(char *box, float *d,
                                       const struct tiled16 &g, int i0, int j0)
{
    int l = threadIdx.x % 32, w = threadIdx.x / 32 % 4;
    int row = 16 * w + l / 8 % 2 * 8 + l % 8;
    float scale = g.alpha;

    if (g.beta != 0) { /* one question, not one for each pair */
#pragma unroll
        for (int i = 0; i < 32; i += 2)
            finish_pair(g, i0 + 16 * w + l / 4 + i / 2 % 2 * 8,
                        j0 + i / 4 * 8 + l % 4 * 2, d[i], d[i + 1]);
        scale = 1;
    }
#pragma unroll
    for (int q = 0; q < 4; q++) { /* 16 columns */
        unsigned x[4];

        for (int e = 0; e < 4; e++) /* two of one row */
            x[e] = pair_bits(scale * d[8 * q + 2 * e],
                             scale * d[8 * q + 2 * e + 1]);
        ptx_stmatrix<4, 0>(box + piece<0>(row, 16 * q + l / 16 * 8), x);
    }
}

/* write a tile by boxes */
/* R times 64 rows of N sums of consumer `role`, which begin at (i0, j0) of C. It
   has OUTS boxes; `boxes` counts those that were sent. */
template <class T, int N>
static __device__ inline void write_boxes(const struct tiled16 &g, char *out,
                                          float (&d)[T::R][N / 2], int role,
                                          int i0, int j0, int *boxes)
{
#pragma unroll
    for (int r = 0; r < T::R; r++)
#pragma unroll
        for (int p = 0; p < N / 64; p++) {
            char *box = out + *boxes % T::OUTS * 8192;
            int to[2] = {j0 + 64 * p, i0 + 64 * r};

            if (threadIdx.x % 128 == 0)
                ptx_bulk_wait_read<T::OUTS - 1>(); /* this box is free */
            ptx_barrier_at(1 + role, 128);
            fill_box(box, d[r] + 32 * p, g, to[1], to[0]);
            ptx_fence_async_shared();
            ptx_barrier_at(1 + role, 128);
            if (threadIdx.x % 128 == 0) {
                ptx_tensor_store<2>(&g.c_map, to, box);
                ptx_bulk_commit();
            }
            ++*boxes;
        }
}

/* join the parts of a tile */
/* d: sums of this block's share of the steps. Sends to each block of the cluster
   what belongs to its columns, adds what comes, and writes N / SPLIT columns. `in`
   has T::OUT bytes, `got` counts them. The tile is the block's only one. */
template <class T>
static __device__ inline void
join_parts(const struct tiled16 &g, char *ring, char *in, uint64_t *got,
           float (&d)[T::R][T::N / 2], int role, int part, int i0, int j0)
{
    enum { HALF = T::N / T::SPLIT / 2, PIECES = T::R * HALF / 16 };
    int l = threadIdx.x % 128, boxes = 0;
    float sums[T::R][HALF];

/* send sums to the other parts */
#pragma unroll
    for (int q = 0; q < T::SPLIT; q++)
#pragma unroll
        for (int e = 0; e < PIECES; e++) {
            int at = (q - (q > part)) * PIECES + e;
            char *piece =
                ring + at / T::R * T::STAGE + (role * T::R + at % T::R) * 8192;
            const float *x = d[e * 16 / HALF] + q * HALF + e * 16 % HALF;

            for (int i = 0; i < 16; i += 4)
                if (q == part)
                    memcpy(&sums[e * 16 / HALF][e * 16 % HALF + i], &x[i], 16);
                else
                    ((float4 *)piece)[i / 4 * 128 + l] =
                        make_float4(x[i], x[i + 1], x[i + 2], x[i + 3]);
        }
    ptx_fence_async_shared();
    ptx_barrier_at(1 + role, 128);
    if (l == 0)
        for (int at = 0; at < (T::SPLIT - 1) * PIECES; at++) {
            int q = at / PIECES + (at / PIECES >= part);
            int to = (part - (part > q)) * PIECES + at % PIECES;

            ptx_bulk_send(in + to * 8192,
                          ring + at / T::R * T::STAGE +
                              (role * T::R + at % T::R) * 8192,
                          8192, got, (unsigned)q);
        }
    if (l == 0)
        ptx_mbarrier_expect(got, T::OUT);
    ptx_mbarrier_wait(got, 0);

/* add the sums of the other parts */
#pragma unroll
    for (int s = 0; s < T::SPLIT - 1; s++)
#pragma unroll
        for (int e = 0; e < PIECES; e++)
            for (int i = 0; i < 16; i += 4) {
                const char *piece = in + (s * PIECES + e) * 8192;
                float4 x = ((const float4 *)piece)[i / 4 * 128 + l];
                float *to = &sums[e * 16 / HALF][e * 16 % HALF + i];

                to[0] += x.x;
                to[1] += x.y;
                to[2] += x.z;
                to[3] += x.w;
            }
    if (g.boxed && T::N / T::SPLIT % 64 == 0)
        write_boxes<T, 2 * HALF>(g, in, sums, role, i0, j0 + part * 2 * HALF,
                                 &boxes);
    else
        put_sums16<T::R, 2 * HALF>(g, i0, j0 + part * 2 * HALF, sums);
}

/* bring a matrix to L2 */
/* By one warp of each block: its share of the rows. */
static __device__ inline void bring_to_l2(const bf16 *x, int rows, int cols,
                                          int ld)
{
    unsigned bytes = (unsigned)cols * 2 / 16 * 16;
    int r = (int)(blockIdx.x + threadIdx.x % 32 * gridDim.x);

    for (; bytes > 0 && r < rows; r += 32 * (int)gridDim.x)
        PTX_90("cp.async.bulk.prefetch.L2.global [%0], %1;" ::"l"(
                   x + (size_t)r * ld),
               "r"(bytes)
               : "memory");
    (void)x, (void)ld;
}

/* multiply by warpgroups */
template <class T, int TA, int TB>
__global__ void __launch_bounds__(T::THREADS, T::BLOCKS)
    multiply_warpgroups(const __grid_constant__ struct tiled16 g)
{
    extern __shared__ __align__(1024) char ring[];
    uint64_t *full = (uint64_t *)(ring + T::BOXES), *empty = full + T::STAGES;
    int role = __shfl_sync(~0u, (int)threadIdx.x / 128, 0) - 1; /* -1: brings */
    int first = (int)blockIdx.x / T::GROUP, tiles = g.down * g.across;
    int slot = 0, before = 0, lap = 0; /* of the ring; rounds of it, modulo 2 */

    /* find this block's share of a tile */
    int rank = T::CLUSTER > 1 ? (int)ptx_cluster_rank() : 0;
    int part = T::SPLIT > 1 ? (int)ptx_cluster_rank() : 0;
    int steps = (g.k + 63) / 64;
    int from = steps * part / T::SPLIT, to = steps * (part + 1) / T::SPLIT;
    int2 at = tile_place(first, g.down, g.across, g.strip); /* divides: early */
    /* prepare the barriers of the ring */
    if (threadIdx.x == 0) {
        for (int s = 0; s < T::STAGES; s++) {
            ptx_mbarrier_init(&full[s], 1);
            ptx_mbarrier_init(&empty[s], T::CONSUMERS * T::CLUSTER);
        }
        for (int c = 0; T::SPLIT > 1 && c < T::CONSUMERS; c++)
            ptx_mbarrier_init(&empty[T::STAGES + c], 1);
        ptx_fence_mbarrier_init();
    }
    if (T::GROUP > 1)
        ptx_cluster_sync_relaxed();
    else
        __syncthreads();
    /* let the next product begin */
    if (threadIdx.x == 0) {
        ptx_prefetch_map(&g.a_map);
        ptx_prefetch_map(&g.b_map);
        ptx_prefetch_map(&g.c_map);
    }
    if (g.ahead && threadIdx.x / 32 == 1) {
        bring_to_l2(g.a, TA ? g.k : g.m, TA ? g.m : g.k, g.lda);
        bring_to_l2(g.b, TB ? g.k : g.n, TB ? g.n : g.k, g.ldb);
    }
    ptx_grid_launch();
    ptx_grid_wait();
    if (role < 0) {
        T::few_registers();
        if (__shfl_sync(~0u, threadIdx.x / 32, 0) == 0) {
            /* bring the tiles */
            for (int t = first; t < tiles; t += (int)gridDim.x / T::GROUP) {
                at = t == first ? at : tile_place(t, g.down, g.across, g.strip);
                int i0 = (at.x * T::DOWN + rank % T::DOWN) * T::M;
                int j0 = (at.y * T::RIGHT + rank % T::RIGHT) * T::N;
                int k0 = g.turn ? (from + t * g.turn) % steps * 64 : from * 64;

                for (int step = from; step < to; step++) {
                    char *a = ring + slot * T::STAGE, *b = a + T::M * 128;

                    ptx_mbarrier_wait(&empty[slot], lap ^ 1);
                    if (threadIdx.x == 0) {
                        ptx_mbarrier_expect(&full[slot], T::STAGE);
                        bring_part<TA, T::M, T::RIGHT>(a, &g.a_map, i0, k0,
                                                       &full[slot], rank);
                        bring_part<TB, T::N, T::DOWN>(b, &g.b_map, j0, k0,
                                                      &full[slot], rank);
                    }
                    __syncwarp(); /* no lane may miss a phase */
                    k0 = k0 + 64 < g.k ? k0 + 64 : 0;
                    if (++slot == T::STAGES)
                        slot = 0, lap ^= 1;
                }
            }
        }
    } else {
        char *out = ring + T::STAGES * T::STAGE + role * T::OUT;
        int row = role * 64 * T::R, boxes = 0;
        float d[T::R][T::N / 2];

        T::many_registers();
        /* take tile after tile */
        for (int t = first; t < tiles; t += (int)gridDim.x / T::GROUP) {
            at = t == first ? at : tile_place(t, g.down, g.across, g.strip);
            int i0 = (at.x * T::DOWN + rank % T::DOWN) * T::M;
            int j0 = (at.y * T::RIGHT + rank % T::RIGHT) * T::N;

            /* multiply the tiles */
            for (int step = from; step < to; step++) {
                const char *a = ring + slot * T::STAGE;

                ptx_mbarrier_wait(&full[slot], lap);
                multiply_stage<T::N, T::R, TA, TB>(d, a, a + T::M * 128, row,
                                                   step > from);
                ptx_wgmma_wait<1>();
                if (step > from)
                    give_back<T::CLUSTER>(&empty[before]);
                before = slot;
                if (++slot == T::STAGES)
                    slot = 0, lap ^= 1;
            }
            ptx_wgmma_wait<0>();
            give_back<T::CLUSTER>(&empty[before]);
            hold_sums<T::R, T::N>(d);
            if constexpr (T::SPLIT > 1)
                join_parts<T>(g, ring, out, &empty[T::STAGES + role], d, role,
                              part, i0 + row, j0);
            else if (g.boxed)
                write_boxes<T, T::N>(g, out, d, role, i0 + row, j0, &boxes);
            else
                put_sums16<T::R, T::N>(g, i0 + row, j0, d);
        }
        if (threadIdx.x % 128 == 0)
            ptx_bulk_wait_read<0>(); /* its boxes go with the block */
    }
    /* leave the cluster together */
    if (T::GROUP > 1)
        ptx_cluster_sync_relaxed();
}

#endif
