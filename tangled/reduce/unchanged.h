/* unchanged.h: has an array on the device kept its bits? */
#ifndef REDUCE_UNCHANGED_H
#define REDUCE_UNCHANGED_H

#include <string.h>

#include "stack/cuda_check.h"
#include "tour/check.h"

/* Stops the program unless d_x[0..n) on the device equals x[0..n). */
static inline void check_unchanged(size_t n, const float *x, const float *d_x)
{
    float *h = (float *)check_alloc(n, sizeof *h);

    CUDA_CHECK(cudaMemcpy(h, d_x, n * sizeof *h, cudaMemcpyDeviceToHost));
    CHECK(memcmp(h, x, n * sizeof *h) == 0, "the input was changed");
    free(h);
}

#endif
