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
   ring has STAGES of 64 steps; so many blocks, one above the other, share B. */
template <int M_, int N_, int CONSUMERS_, int STAGES_, int CLUSTER_>
struct group_tile {
    enum { M = M_, N = N_, CONSUMERS = CONSUMERS_, STAGES = STAGES_ };
    enum { CLUSTER = CLUSTER_, THREADS = 128 + 128 * CONSUMERS };
    enum { R = M / CONSUMERS / 64, STAGE = (M + N) * 128 };
    enum { BOXES = STAGES * STAGE + CONSUMERS * 16384 }; /* then barriers */
    enum { BYTES = BOXES + 2 * STAGES * 8 };
    enum { SMALL = M * N <= 8192 && 2 * (BYTES + 1024) <= 228 << 10 };
    enum { BLOCKS = SMALL ? 2 : 1 }; /* on an SM, with registers for both */

    static_assert(M % (64 * CONSUMERS) == 0, "consumers have 64 rows or more");
    static_assert(N % (64 * CLUSTER) == 0, "blocks bring whole panels");
    static_assert(BYTES <= 227 << 10, "as much as a block may have");

    static __device__ void few_registers(void)
    {
        if constexpr (CONSUMERS == 2 && BLOCKS == 1)
            ptx_fewer_registers<24>();
        if constexpr (CONSUMERS == 3)
            ptx_fewer_registers<32>();
    }
    static __device__ void many_registers(void)
    {
        if constexpr (CONSUMERS == 2 && BLOCKS == 1)
            ptx_more_registers<240>();
        if constexpr (CONSUMERS == 3)
            ptx_more_registers<160>();
    }
};

/* describe a tile to the tensor cores */
/* Rows from `row` (a multiple of 64) and steps from `step` on of a tile of 64
   steps, whose lines run along k or, if TURNED, along the rows. */
template <int TURNED>
static __device__ inline uint64_t tile_matrix(const char *tile, int row,
                                              int step)
{
    const char *p = tile + row * 128 + (TURNED ? step * 128 : step * 2);

    return ptx_matrix(p, TURNED ? 64 * 128 : 16, 1024,
                      CU_TENSOR_MAP_SWIZZLE_128B);
}

/* multiply a stage by a warpgroup */
/* d += A B for rows from `row` on of a stage, 64 steps; d = A B if !add. */
template <int N, int R, int TA, int TB>
static __device__ inline void multiply_stage(float (&d)[R][N / 2],
                                             const char *a, const char *b,
                                             int row, int add)
{
    ptx_wgmma_fence();
#pragma unroll
    for (int p = 0; p < 64; p += 16)
#pragma unroll
        for (int r = 0; r < R; r++)
            ptx_wgmma<N, TA, TB>(d[r], tile_matrix<TA>(a, row + 64 * r, p),
                                 tile_matrix<TB>(b, 0, p), add || p > 0);
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
static __device__ inline void fill_box(char *box, const float *d,
                                       const struct tiled16 &g, int i0, int j0)
{
    int l = threadIdx.x % 32, w = threadIdx.x / 32 % 4;
    int row = 16 * w + l / 8 % 2 * 8 + l % 8;

#pragma unroll
    for (int q = 0; q < 4; q++) { /* 16 columns */
        unsigned x[4];

        for (int e = 0; e < 4; e++) { /* two of one row: d[8 q + 2 e] */
            int i = i0 + 16 * w + l / 4 + e % 2 * 8;
            int j = j0 + 16 * q + e / 2 * 8 + l % 4 * 2;

            x[e] = finish_pair(g, i, j, d[8 * q + 2 * e], d[8 * q + 2 * e + 1]);
        }
        ptx_stmatrix<4, 0>(box + piece<0>(row, 16 * q + l / 16 * 8), x);
    }
}

/* write a tile by boxes */
/* R times 64 rows of N sums of consumer `role`, which begin at (i0, j0) of C. It
   has two boxes; `boxes` counts those that were sent. */
template <int R, int N>
static __device__ inline void write_boxes(const struct tiled16 &g, char *out,
                                          const float (&d)[R][N / 2], int role,
                                          int i0, int j0, int *boxes)
{
#pragma unroll
    for (int r = 0; r < R; r++)
#pragma unroll
        for (int p = 0; p < N / 64; p++) {
            char *box = out + *boxes % 2 * 8192;
            int to[2] = {j0 + 64 * p, i0 + 64 * r};

            if (threadIdx.x % 128 == 0)
                ptx_bulk_wait_read<1>(); /* the box before the last is free */
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

/* multiply by warpgroups */
template <class T, int TA, int TB>
__global__ void __launch_bounds__(T::THREADS, T::BLOCKS)
    multiply_warpgroups(const __grid_constant__ struct tiled16 g)
{
    extern __shared__ __align__(1024) char ring[];
    uint64_t *full = (uint64_t *)(ring + T::BOXES), *empty = full + T::STAGES;
    int role = (int)threadIdx.x / 128 - 1; /* -1: brings, 0, 1, ...: multiply */
    int rank = T::CLUSTER > 1 ? (int)ptx_cluster_rank() : 0;
    int first = (int)blockIdx.x / T::CLUSTER, tiles = g.down * g.across;
    int steps = (g.k + 63) / 64, n = 0; /* stages so far */

    /* prepare the barriers of the ring */
    if (threadIdx.x == 0) {
        for (int s = 0; s < T::STAGES; s++) {
            ptx_mbarrier_init(&full[s], 1);
            ptx_mbarrier_init(&empty[s], T::CONSUMERS * T::CLUSTER);
        }
        ptx_fence_mbarrier_init();
    }
    if (T::CLUSTER > 1)
        ptx_cluster_sync_relaxed();
    else
        __syncthreads();
    /* let the next product begin */
    if (threadIdx.x == 0) {
        ptx_prefetch_map(&g.a_map);
        ptx_prefetch_map(&g.b_map);
        ptx_prefetch_map(&g.c_map);
    }
    ptx_grid_launch();
    ptx_grid_wait();
    if (role < 0) {
        T::few_registers();
        if (threadIdx.x == 0) {
            /* bring the tiles */
            for (int t = first; t < tiles; t += (int)gridDim.x / T::CLUSTER) {
                int2 at = tile_place(t, g.down, g.across, g.strip);
                int i0 = (at.x * T::CLUSTER + rank) * T::M, j0 = at.y * T::N;

                for (int step = 0; step < steps; step++, n++) {
                    int slot = n % T::STAGES;
                    char *a = ring + slot * T::STAGE, *b = a + T::M * 128;

                    ptx_mbarrier_wait(&empty[slot], n / T::STAGES % 2 ^ 1);
                    ptx_mbarrier_expect(&full[slot], T::STAGE);
                    bring_tile<TA, T::M>(a, &g.a_map, i0, step * 64,
                                         &full[slot], 0);
                    /* bring this block's part of B */
                    if (T::CLUSTER == 1)
                        bring_tile<TB, T::N>(b, &g.b_map, j0, step * 64,
                                             &full[slot], 0);
                    else
                        bring_tile<TB, T::N / T::CLUSTER>(
                            b + rank * (T::N / T::CLUSTER) * 128, &g.b_map,
                            j0 + rank * (T::N / T::CLUSTER), step * 64,
                            &full[slot], (1u << T::CLUSTER) - 1);
                }
            }
        }
    } else {
        char *out = ring + T::STAGES * T::STAGE + role * 16384;
        int row = role * 64 * T::R, boxes = 0;
        float d[T::R][T::N / 2];

        T::many_registers();
        /* take tile after tile */
        for (int t = first; t < tiles; t += (int)gridDim.x / T::CLUSTER) {
            int2 at = tile_place(t, g.down, g.across, g.strip);
            int i0 = (at.x * T::CLUSTER + rank) * T::M, j0 = at.y * T::N;

            /* multiply the tiles */
            for (int step = 0; step < steps; step++, n++) {
                int slot = n % T::STAGES;
                const char *a = ring + slot * T::STAGE;

                ptx_mbarrier_wait(&full[slot], n / T::STAGES % 2);
                multiply_stage<T::N, T::R, TA, TB>(d, a, a + T::M * 128, row,
                                                   step > 0);
                ptx_wgmma_wait<1>();
                if (step > 0)
                    give_back<T::CLUSTER>(&empty[(n - 1) % T::STAGES]);
            }
            ptx_wgmma_wait<0>();
            give_back<T::CLUSTER>(&empty[(n - 1) % T::STAGES]);
            hold_sums<T::R, T::N>(d);
            if (g.boxed)
                write_boxes<T::R, T::N>(g, out, d, role, i0 + row, j0, &boxes);
            else
                put_sums16<T::R, T::N>(g, i0 + row, j0, d);
        }
        if (threadIdx.x % 128 == 0)
            ptx_bulk_wait_read<0>(); /* its boxes go with the block */
    }
    /* leave the cluster together */
    if (T::CLUSTER > 1)
        ptx_cluster_sync_relaxed();
}

#endif
