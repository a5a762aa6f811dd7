/* block.cuh: what the threads of a block can add up together. */
#ifndef REDUCE_BLOCK_CUH
#define REDUCE_BLOCK_CUH

#include "simt/warp.cuh"

/* add up over a block */
/* The sum of x over the block, in every thread, with the same bits. All
   threads must call it; the block is whole warps in one dimension. */
static __device__ inline float block_sum(float x)
{
    __shared__ float part[WARP];

    x = warp_sum(x);
    __syncthreads(); /* nobody reads what an earlier call left */
    if (my_lane() == 0)
        part[my_warp()] = x;
    __syncthreads();
    return warp_sum(my_lane() < (int)blockDim.x / WARP ? part[my_lane()] : 0);
}

/* take the largest over a block */
/* The largest x of the block, in every thread; as block_sum. */
static __device__ inline float block_max(float x)
{
    __shared__ float part[WARP];
    int warps = blockDim.x / WARP;

    x = warp_max(x);
    __syncthreads(); /* nobody reads what an earlier call left */
    if (my_lane() == 0)
        part[my_warp()] = x;
    __syncthreads();
    return warp_max(my_lane() < warps ? part[my_lane()] : -INFINITY);
}

#endif
