/* ready.cuh: is there a GPU that runs this program? */
#ifndef MNIST_READY_CUH
#define MNIST_READY_CUH

#include <stdlib.h>

#include "mnist/fault.h"

/* say why no GPU answers */
/* arch: 90 for compute capability 9.0. Returns -1. */
static int gpu_fault(cudaError_t status, int arch, struct fault *why)
{
    const char *advice = "";
    char build[80] = "";

    switch ((int)status) {
    case 2:  /* cudaErrorMemoryAllocation */
    case 46: /* cudaErrorDevicesUnavailable */
        advice = "; another program has it, and nvidia-smi says which";
        break;
    case 35:  /* cudaErrorInsufficientDriver: too old, or none */
    case 100: /* cudaErrorNoDevice */
        advice = "; does nvidia-smi find one, is its driver new enough, and "
                 "does CUDA_VISIBLE_DEVICES hide it?";
        break;
    case 98:  /* cudaErrorInvalidDeviceFunction */
    case 209: /* cudaErrorNoKernelImageForDevice */
    case 222: /* cudaErrorUnsupportedPtxVersion */
        advice = "; compile for this one: make -B build/gpu/mnist/mnist "
                 "ARCH=sm_";
        snprintf(build, sizeof build, "%d", arch);
    }
    return fault_say(why, "no GPU to use: %s%s%s; --path reference needs none",
                     cudaGetErrorString(status), advice, build);
}

__global__ void answer_the_door(void)
{
}

/* Stops the program when no kernel can be launched. */
static void gpu_or_stop(void)
{
    int count, major = 0, minor = 0;
    cudaError_t status = cudaGetDeviceCount(&count);
    struct fault why;

    if (status == cudaSuccess) {
        answer_the_door<<<1, 1>>>();
        status = cudaGetLastError();
    }
    if (status == cudaSuccess)
        return;
    cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0);
    cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, 0);
    gpu_fault(status, 10 * major + minor, &why);
    fprintf(stderr, "mnist: %s\n", why.text);
    exit(1);
}

#endif
