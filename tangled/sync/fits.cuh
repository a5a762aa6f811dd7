/* fits.cuh: how many blocks of a kernel can be on the device together. */
#ifndef SYNC_FITS_CUH
#define SYNC_FITS_CUH

#include "kernels/launch.h"

/* count the blocks that fit */
/* At most `wanted` blocks of `threads` threads of this kernel (with no dynamic
   shared memory) that are all on the device at once; at least 1. */
static inline unsigned blocks_that_fit(const void *kernel, int threads,
                                       unsigned wanted)
{
    int device, sms = 0, each = 0, can = 0;

    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(
        cudaDeviceGetAttribute(&can, cudaDevAttrCooperativeLaunch, device));
    CHECK(can, "this device has no cooperative launch");
    CUDA_CHECK(
        cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device));
    CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, kernel,
                                                             threads, 0));
    CHECK(each >= 1, "not one block of %d threads fits on an SM", threads);
    return wanted < (unsigned)(sms * each) ? wanted : (unsigned)(sms * each);
}

#endif
