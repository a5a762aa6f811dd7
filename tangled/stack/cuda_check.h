/* cuda_check.h: stop at the first CUDA call that fails, and say which. */
#ifndef STACK_CUDA_CHECK_H
#define STACK_CUDA_CHECK_H

#include <stdio.h>
#include <stdlib.h>

#include <cuda_runtime.h>

/* give the stack's own advice for an error */
/* Returns one line of advice for an error that the installation causes (a
   cudaError_t or CUresult as int), or NULL when it is the program's own. */
static inline const char *cuda_advice(int code)
{
    switch (code) {
    case 34:
        return "linked to a stub libcuda: is a stubs/ folder in the path?";
    case 35:
        return "the driver is missing, or too old for this CUDA: see stackinfo";
    case 100:
        return "no GPU is visible: driver, container, CUDA_VISIBLE_DEVICES?";
    case 209:
        return "nothing in the binary fits this GPU: build for its sm_XY";
    case 218:
        return "the driver's compiler refused the PTX";
    case 221:
        return "libnvidia-ptxjitcompiler.so.1 is missing beside libcuda";
    case 222:
        return "the PTX is newer than the driver: ship a cubin or update";
    case 803:
        return "libcuda.so and the kernel driver differ: reboot or reinstall";
    default:
        return NULL;
    }
}

/* report a failed call and exit */
static inline void cuda_fail(const char *file, int line, const char *call,
                             const char *name, const char *text, int code)
{
    const char *advice = cuda_advice(code);

    fprintf(stderr, "%s:%d: %s: %s (%d): %s\n", file, line, call, name, code,
            text);
    if (advice)
        fprintf(stderr, "  %s\n", advice);
    exit(EXIT_FAILURE);
}

/* check a call of the runtime API */
/* CUDA_CHECK(call): evaluates a runtime-API call once; when it did not
   return cudaSuccess, reports it on stderr and exits with status 1. */
#define CUDA_CHECK(call)                                                    \
    do {                                                                    \
        cudaError_t status_ = (call);                                       \
                                                                            \
        if (status_ != cudaSuccess)                                         \
            cuda_fail(__FILE__, __LINE__, #call, cudaGetErrorName(status_), \
                      cudaGetErrorString(status_), (int)status_);           \
    } while (0)
#ifdef CUDA_VERSION /* only cuda.h defines it: the driver API is here too */

/* check a call of the driver API */
/* Reports a driver-API status that is not CUDA_SUCCESS and exits. */
static inline void cu_check(CUresult status, const char *file, int line,
                            const char *call)
{
    const char *name = NULL, *text = NULL;

    if (status == CUDA_SUCCESS)
        return;
    (void)cuGetErrorName(status, &name);
    (void)cuGetErrorString(status, &text);
    cuda_fail(file, line, call, name ? name : "unknown error",
              text ? text : "no text for this number", (int)status);
}

/* CU_CHECK(call): the same as CUDA_CHECK for a driver-API call. Include
   <cuda.h> before this header to have it. */
#define CU_CHECK(call) cu_check((call), __FILE__, __LINE__, #call)
#endif

#endif
