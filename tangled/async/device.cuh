/* device.cuh: passes launched early, and by a kernel. nvcc -rdc=true. */
#ifndef ASYNC_DEVICE_CUH
#define ASYNC_DEVICE_CUH

#include "async/passes.cuh"

/* make one pass that starts early */
/* The same pass for a launch that may begin before the one before ends. */
__global__ void pass_early(unsigned n, unsigned step, const unsigned *from,
                           unsigned *to)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    cudaTriggerProgrammaticLaunchCompletion();
    cudaGridDependencySynchronize();
#endif
    if (i < n)
        pass_at(i, n, step, from, to);
}

/* launch the passes early */
static inline void passes_early(struct passes *w, cudaStream_t s)
{
    cudaLaunchConfig_t c = {};
    cudaLaunchAttribute early;

    early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    early.val.programmaticStreamSerializationAllowed = 1;
    c.gridDim = dim3((unsigned)blocks_for(w->n, 256));
    c.blockDim = dim3(256);
    c.stream = s;
    c.attrs = &early;
    c.numAttrs = 1;
    for (unsigned k = 0; k < w->steps; k++)
        CUDA_CHECK(cudaLaunchKernelEx(&c, pass_early, w->n, k,
                                      (const unsigned *)w->d[k % 2],
                                      w->d[(k + 1) % 2]));
}

/* launch passes from the device */
/* One thread launches all passes; they run in order, in its stream. */
__global__ void pass_parent(unsigned n, unsigned steps, unsigned *a,
                            unsigned *b)
{
    for (unsigned k = 0; k < steps; k++)
        pass<<<(n + 255) / 256, 256>>>(n, k, k % 2 ? b : a, k % 2 ? a : b);
}

/* launch the parent */
static inline void passes_by_parent(struct passes *w, cudaStream_t s)
{
    pass_parent<<<1, 1, 0, s>>>(w->n, w->steps, w->d[0], w->d[1]);
    CUDA_LAUNCH_CHECK();
}

#endif
