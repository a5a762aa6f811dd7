/* warp.cuh: what a warp can do together. Every function must be called by all
   32 lanes of the warp. Shuffles: CUDA Programming Guide; the scan: Hillis and
   Steele, "Data parallel algorithms", 1986. */
#ifndef SIMT_WARP_CUH
#define SIMT_WARP_CUH

#include "simt/where.cuh"

#define WARP_ALL 0xffffffffu /* a mask that names all lanes */

/* add up over a warp */
/* The sum of x over the warp, in every lane, with the same bits. The order of
   additions is that of a tree, not that of a loop. */
static __device__ inline float warp_sum(float x)
{
    for (int far = WARP / 2; far > 0; far /= 2)
        x += __shfl_xor_sync(WARP_ALL, x, far);
    return x;
}

/* take the largest of a warp */
/* The largest x of the warp, in every lane. NaNs are passed over. */
static __device__ inline float warp_max(float x)
{
    for (int far = WARP / 2; far > 0; far /= 2)
        x = fmaxf(x, __shfl_xor_sync(WARP_ALL, x, far));
    return x;
}

/* add up to each lane */
/* The sum of x over the lanes up to and including this one. */
static __device__ inline float warp_scan(float x)
{
    for (int far = 1; far < WARP; far *= 2) {
        float below = __shfl_up_sync(WARP_ALL, x, far);

        if (my_lane() >= far)
            x += below;
    }
    return x;
}

/* give one lane's value to all */
/* The x of lane `from`, 0 to 31, the same for all lanes. */
static __device__ inline float warp_broadcast(float x, int from)
{
    return __shfl_sync(WARP_ALL, x, from);
}

/* count votes */
/* How many lanes said yes (non-zero), and how many below this one. */
static __device__ inline int warp_count(int yes)
{
    return __popc(__ballot_sync(WARP_ALL, yes));
}

static __device__ inline int warp_rank(int yes)
{
    unsigned below = (1u << my_lane()) - 1;

    return __popc(__ballot_sync(WARP_ALL, yes) & below);
}

#endif
