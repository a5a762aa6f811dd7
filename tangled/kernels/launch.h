/* launch.h: sizes of launches, and what to write after one. */
#ifndef KERNELS_LAUNCH_H
#define KERNELS_LAUNCH_H

#include "kernels/sizes.h"
#include "stack/cuda_check.h"

/* check a launch */
/* CUDA_LAUNCH_CHECK() after a launch: stops the program if it was refused.
   A fault inside the kernel shows up later, at any call. */
#define CUDA_LAUNCH_CHECK() CUDA_CHECK(cudaGetLastError())

#endif
