/* fits.cuh: grids that fit on the device, and a barrier of all their blocks. */
#ifndef SYNC_FITS_CUH
#define SYNC_FITS_CUH

#include "kernels/launch.h"
#include "sync/order.cuh"

/* count the blocks that fit */
/* At most `wanted` blocks of `threads` threads of this kernel, with `dynamic`
   bytes of shared memory each, that are all on the device at once; at least
   1. */
static inline unsigned blocks_that_fit(const void *kernel, int threads,
                                       size_t dynamic, unsigned wanted)
{
    int device, sms = 0, each = 0, can = 0;

    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(
        cudaDeviceGetAttribute(&can, cudaDevAttrCooperativeLaunch, device));
    CHECK(can, "this device has no cooperative launch");
    /* multiply what fits on one SM by the number of SMs */
    CUDA_CHECK(
        cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device));
    CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, kernel,
                                                             threads, dynamic));
    CHECK(each >= 1, "not one block of %d threads fits on an SM", threads);
    return wanted < (unsigned)(sms * each) ? wanted : (unsigned)(sms * each);
}

/* wait for all blocks */
/* A barrier of all threads of a grid that fits. *count is 0 at first;
   good for 2^32 / gridDim.x barriers. */
static __device__ inline void grid_wait(unsigned *count)
{
    __syncthreads();
    if (threadIdx.x == 0) {
        unsigned mine = add_release(count, 1);
        unsigned goal = (mine / gridDim.x + 1) * gridDim.x;

        while (load_acquire(count) < goal)
            ;
    }
    __syncthreads();
}

#endif
