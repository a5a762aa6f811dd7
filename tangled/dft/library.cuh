/* library.cuh: calls of cuFFT, checked. */
#ifndef DFT_LIBRARY_CUH
#define DFT_LIBRARY_CUH

#include <cufft.h>

#include "stack/cuda_check.h"
#include "tour/check.h"

/* CUFFT_CHECK(call): stops the program if the call failed. */
#define CUFFT_CHECK(call)                                                      \
    do {                                                                       \
        cufftResult status_ = (call);                                          \
                                                                               \
        CHECK(status_ == CUFFT_SUCCESS, "%s: status %d", #call, (int)status_); \
    } while (0)

#endif
