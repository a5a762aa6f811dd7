#pragma once
#ifdef __cplusplus
extern "C" {
#endif
int plain(int x);
#ifdef __cplusplus
}
#include <cuda_runtime.h>
extern __device__ int total;
extern __constant__ int factor[4];
__device__ int times(int x);
__global__ void run(int *p);
int host_side(int n, float4 v);
#endif
