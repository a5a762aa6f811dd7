/* launch.h: of CUDA's launches, what a chapter's headers ask for when a test runs their
   host code without a device. */
#ifndef TESTS_LAUNCH_H
#define TESTS_LAUNCH_H

#include <stddef.h>

#define CUDA_CHECK(call) (void)(call)
#define CUDA_LAUNCH_CHECK()
typedef int cudaStream_t;
struct dim3 {
    unsigned x, y, z;
    dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
};
struct int2 {
    int x, y;
};
static inline int2 make_int2(int x, int y)
{
    return {x, y};
}
enum { cudaFuncAttributeMaxDynamicSharedMemorySize };
enum {
    cudaLaunchAttributeClusterDimension = 4,
    cudaLaunchAttributeProgrammaticStreamSerialization = 6
};
struct cudaLaunchAttribute {
    int id;
    struct {
        int programmaticStreamSerializationAllowed;
        dim3 clusterDim;
    } val;
};
struct cudaLaunchConfig_t {
    dim3 gridDim, blockDim;
    size_t dynamicSmemBytes;
    cudaStream_t stream;
    cudaLaunchAttribute *attrs;
    unsigned numAttrs;
};

#endif
