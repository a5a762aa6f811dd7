/* bulk.cuh: the box filter, from tiles that come in bulk. */
#ifndef MEMORY_BULK_CUH
#define MEMORY_BULK_CUH

#include "loom/ptx.h"
#include "memory/box.cuh"

/* order a tile in bulk */
/* A tile: 4 boxes of 256 elements, of which the middle 1016 get their sums. */
enum { SIDE = 256, BULK = 4 * SIDE, INNER = BULK - 2 * RADIUS };

static __device__ inline void order_tile(const CUtensorMap *map, size_t tile,
                                         float *s, uint64_t *full)
{
    int at = (int)(tile * INNER) - RADIUS; /* -4 at first: outside, zeros */

    ptx_mbarrier_expect(full, BULK * sizeof *s);
    for (int k = 0; k < BULK; k += SIDE, at += SIDE)
        ptx_tensor_load<1>(&s[k], map, &at, full);
}

/* filter tiles that come in bulk */
__global__ void box_bulk(const __grid_constant__ CUtensorMap map, size_t n,
                         float *y)
{
    __shared__ __align__(128) float s[2][BULK];
    __shared__ uint64_t full[2];
    size_t tile = blockIdx.x;

    if (threadIdx.x == 0) {
        ptx_mbarrier_init(&full[0], 1);
        ptx_mbarrier_init(&full[1], 1);
        ptx_fence_mbarrier_init();
        order_tile(&map, tile, s[0], &full[0]);
    }
    __syncthreads(); /* nobody waits at a barrier that is not there yet */
    for (int turn = 0; tile * INNER < n; tile += gridDim.x, turn++) {
        size_t next = tile + gridDim.x, first = tile * INNER;
        int now = turn & 1;

        if (threadIdx.x == 0 && next * INNER < n)
            order_tile(&map, next, s[now ^ 1], &full[now ^ 1]);
        ptx_mbarrier_wait(&full[now], turn >> 1 & 1);
        if (threadIdx.x < INNER / 4)
            sum_tile<16>(min(n - first, (size_t)INNER), 0, s[now], y + first);
        __syncthreads(); /* the buffer is read before it is filled again */
    }
}

/* launch the filter in bulk */
template <int MOST>
static void launch_bulk(int rows, int cols, const float *x, float *y)
{
    uint64_t n = (uint64_t)rows * cols, stride = 0;
    const unsigned side = SIDE;
    CUtensorMap map;
    int wrong;

    if (n == 0)
        return;
    wrong = ptx_tensor_map(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 1, (void *)x,
                           &n, &stride, &side, CU_TENSOR_MAP_SWIZZLE_NONE,
                           CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    CHECK(!wrong, "no tensor map of %d floats: driver error %d", rows * cols,
          wrong);
    box_bulk<<<min(blocks_for(n, INNER), MOST), BOX_THREADS>>>(map, n, y);
}

static const struct move bulks[] = {
    {"box_bulk", launch_bulk<BOX_BLOCKS>, BOXED},
    {"box_bulk_once", launch_bulk<INT_MAX>, BOXED},
};

enum { BULKS = sizeof bulks / sizeof *bulks };

/* How many of them this card can run. */
static inline int bulks_here(void)
{
    int device, major;

    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor,
                                      device));
    return major < 9 ? 0 : BULKS;
}
#endif
