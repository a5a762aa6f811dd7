/* kernels: what plans launch, compiled once. */
#define FFT_MODULE
#include "fft/linked.cuh"
