/* kernels: all that sgemm launches, for the programs that nvcc compiles with
   SGEMM_LINKED. */
#define SGEMM_MODULE
#include "gemm/sgemm.cuh"
