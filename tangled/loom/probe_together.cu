/* probe_together: barriers, warps, groups, spinning, atomics, halves. */
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_pipeline.h>

#include "tour/check.h"

namespace cg = cooperative_groups;

constexpr unsigned int FULL = 0xffffffffu;
#define WANT(condition) (atomicAdd(&count[!(condition)], 1))
__device__ int2 source[128];

/* wait in a block */
template <class T>
__global__ void reverse(T *count)
{
    extern __shared__ T dynamic[];
    __shared__ int fixed[300];
    int t = threadIdx.x, n = blockDim.x;

    fixed[t] = t;
    dynamic[n - 1 - t] = t;
    __syncthreads();
    WANT(fixed[n - 1 - t] == n - 1 - t && dynamic[t] == n - 1 - t);
    WANT(__syncthreads_count(t % 2 == 0) == (n + 1) / 2);
    WANT(__syncthreads_or(t == n - 1) != 0);
    WANT(__syncthreads_and(t < n - 1) == 0);
    if (t % 3 == 0)
        return; /* the others wait for those that are left */
    WANT(__syncthreads_count(1) == n - (n + 2) / 3);
}

/* exchange in a warp */
__global__ void shuffle(int *count)
{
    int lane = threadIdx.x % 32;

    for (int width = 2; width <= 32; width *= 2) {
        int low = lane / width * width, in = lane - low;

        for (int by = 0; by < width; by++) {
            WANT(__shfl_sync(FULL, lane, by, width) == low + by);
            WANT(__shfl_up_sync(FULL, lane, by, width) ==
                 (in >= by ? lane - by : lane));
            WANT(__shfl_down_sync(FULL, lane, by, width) ==
                 (in + by < width ? lane + by : lane));
            WANT(__shfl_xor_sync(FULL, (double)lane, by, width) ==
                 (double)(lane ^ by));
        }
    }
}
__global__ void vote(int *count)
{
    unsigned lane = (threadIdx.y * blockDim.x + threadIdx.x) % 32;
    unsigned half = lane < 16 ? 0xffff : 0xffff0000;
    int all;

    WANT(__ballot_sync(FULL, lane % 4 == 1) == 0x22222222u);
    WANT(__ballot_sync(half, lane % 4 == 1) == (0x22222222u & half));
    WANT(__any_sync(FULL, lane == 7) && !__all_sync(FULL, lane != 7));
    WANT(__match_any_sync(FULL, lane / 8) == 0xffu << lane / 8 * 8);
    WANT(__match_all_sync(FULL, 5, &all) == 0xffffffffu && all);
    WANT(__match_all_sync(FULL, lane, &all) == 0 && !all);
    WANT(__reduce_add_sync(FULL, lane) == 496u);
    WANT(__reduce_min_sync(half, (int)lane - 20) == (lane < 16 ? -20 : -4));
    WANT(__reduce_max_sync(FULL, lane) == 31u);
    WANT(__reduce_xor_sync(FULL, 1u << lane) == 0xffffffffu);
    if (lane % 2)
        WANT((__activemask() & 0x55555555u) == 0);
}

/* work in groups */
__device__ int sum_of(cg::thread_group g, int twice)
{
    for (unsigned k = 0; k <= threadIdx.x / 4 % 2; k++)
        g.sync();
    return g.size() == 4 && g.thread_rank() == threadIdx.x % 4 ? twice : 0;
}

__device__ int turned(cg::thread_group g, int own)
{
    __shared__ int row[64];
    int rank = g.thread_rank(), last = g.size() - 1;

    row[rank] = own;
    g.sync();
    return row[last - rank];
}

__global__ void groups(int *count)
{
    cg::thread_block block = cg::this_thread_block();
    auto tile = cg::tiled_partition<8>(block);
    int rank = tile.thread_rank(), lane = threadIdx.x % 32;

    WANT(tile.meta_group_rank() == threadIdx.x / 8);
    WANT(cg::reduce(tile, rank, cg::plus<int>()) == 28);
    WANT(tile.ballot(rank == 3) == 8u);
    WANT(tile.shfl(lane, 2) == lane / 8 * 8 + 2);
    WANT(sum_of(cg::tiled_partition(block, 4), tile.num_threads()) == 8);
    WANT(turned(block, 64 * blockIdx.x + threadIdx.x) ==
         64 * (int)blockIdx.x + 63 - (int)threadIdx.x);
    if (lane % 3 == 0) {
        cg::coalesced_group g = cg::coalesced_threads();

        WANT(cg::reduce(g, 1, cg::plus<int>()) == (int)g.size());
        WANT(g.shfl(lane, 0) <= lane);
    }
    block.sync();
}
__global__ void stage(int *count)
{
    __shared__ int2 pairs[2][64];
    __shared__ int few[64];
    int t = threadIdx.x;

    for (int k = 0; k < 2; k++) {
        __pipeline_memcpy_async(&pairs[k][t], &source[64 * k + t], 8);
        __pipeline_commit();
    }
    __pipeline_memcpy_async(&few[t], &source[t].x, 4, t < 7 ? 0 : 4);
    __pipeline_commit();
#if defined(__LOOM__) && !defined(LOOM_CHECKED)
    WANT(pairs[0][t].x == -1); /* it has not arrived */
#else
    WANT(true); /* as many everywhere */
#endif
    __pipeline_wait_prior(2);
    __syncthreads();
    WANT(pairs[0][t ^ 1].x == (t ^ 1) && pairs[0][t ^ 1].y == -(t ^ 1));
    __pipeline_wait_prior(0);
    __syncthreads();
    WANT(pairs[1][63 - t].x == 64 + 63 - t);
    WANT(few[63 - t] == (63 - t < 7 ? 63 - t : 0));
}

/* wait for other threads and blocks */
__global__ void ring(int *count, int *at)
{
    cg::grid_group grid = cg::this_grid();
    int b = blockIdx.x, n = gridDim.x;

    for (int i = 0; i < 5; i++) {
        if (threadIdx.x == 0)
            at[i * n + (b + 1) % n] = b * 10 + i;
        grid.sync();
        WANT(at[i * n + b] == (b + n - 1) % n * 10 + i);
    }
}

__global__ void chain(int *count, int *flags)
{
    int b = blockIdx.x, n = gridDim.x;

    if (threadIdx.x == 0) {
        while (b + 1 < n && atomicAdd(&flags[b + 1], 0) == 0) {
        }
        __threadfence();
        WANT(atomicExch(&flags[b], 1) == 0);
    }
}

__global__ void flag(int *count, volatile int *f)
{
    if (threadIdx.x == 0) {
        while (*f == 0) {
        }
        WANT(*f == 63);
    } else if (threadIdx.x == 63) {
        *f = 63;
    }
}

/* compute with halves */
__global__ void halves(int *count)
{
    unsigned short bits = (unsigned short)(blockIdx.x * 1024 + threadIdx.x);
    __half h = __ushort_as_half(bits);
    __nv_bfloat16 b = __ushort_as_bfloat16(bits);

    if ((bits & 0x7fff) <= 0x7c00)
        WANT(__half_as_ushort(__float2half(__half2float(h))) == bits);
    if ((bits & 0x7fff) <= 0x7f80)
        WANT(__bfloat16_as_ushort(__float2bfloat16(__bfloat162float(b))) ==
             bits);
    WANT(__half2float(__float2half(2049.0f)) == 2048.0f);
    WANT(__half2float(__float2half(2051.0f)) == 2052.0f);
    WANT(__half2float(__hadd(__float2half(65504.0f), __float2half(8.0f))) ==
         65504.0f);
    WANT(__bfloat162float(__float2bfloat16(257.0f)) == 256.0f);
}

/* run them all */
#define EXPECT(call)                                                   \
    do {                                                               \
        cudaError_t e = call;                                          \
        CHECK(e == cudaSuccess, "%s: %s", #call, cudaGetErrorName(e)); \
    } while (0)

static int *count, *room; /* count: what is right, what is wrong */

static void look(const char *name, int right)
{
    EXPECT(cudaDeviceSynchronize());
    CHECK(count[1] == 0, "%s: %d wrong", name, count[1]);
    CHECK(count[0] == right, "%s: %d right, %d looked for", name, count[0],
          right);
    count[0] = 0;
    EXPECT(cudaMemset(room, 0, 4096 * sizeof *room));
    EXPECT(cudaDeviceSynchronize());
}

static void run_ring(void)
{
    int fit = 0;
    void *args[] = {&count, &room};

    EXPECT(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&fit, ring, 64, 0));
    CHECK(fit >= 8, "only %d blocks fit", fit);
    EXPECT(cudaLaunchCooperativeKernel((void *)ring, dim3(8), dim3(64), args));
    look("ring", 2560);
}
static void run_stage(void)
{
    int2 pairs[128];

    for (int i = 0; i < 128; i++)
        pairs[i] = make_int2(i, -i);
    EXPECT(cudaMemcpyToSymbol(source, pairs, sizeof pairs));
    stage<<<2, 64>>>(count);
    look("stage", 512);
}
int main(void)
{
    EXPECT(cudaMallocManaged(&count, 2 * sizeof *count));
    EXPECT(cudaMalloc(&room, 4096 * sizeof *room));
    count[0] = count[1] = 0;
    look("room", 0);
    EXPECT(cudaFuncSetAttribute(
        reverse<int>, cudaFuncAttributeMaxDynamicSharedMemorySize, 100000));
    for (int n = 1; n <= 300; n += 23)
        reverse<int><<<5, n, 100000>>>(count);
    look("reverse", 49140);
    shuffle<<<3, 96>>>(count);
    look("shuffle", 71424);
    vote<<<3, dim3(8, 4, 2)>>>(count);
    look("vote", 2016);
    groups<<<3, 64>>>(count);
    look("groups", 1284);
    run_stage();
    run_ring();
    chain<<<12, 64>>>(count, room);
    look("chain", 12);
    flag<<<1, 64>>>(count, room);
    look("flag", 1);
    halves<<<64, 1024>>>(count);
    look("halves", 390916);
    printf("ok: barriers, warps, groups, spinning, halves\n");
    return 0;
}
