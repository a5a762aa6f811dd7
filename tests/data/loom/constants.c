/* constants.c: what a program can print of the runtime, one line each. Compiled
   against NVIDIA's header and against Loom's, it must say the same.
   ATTRIBUTES(X) is defined by the test: all that Loom has. */
#include <cuda_runtime_api.h>
#include <stddef.h>
#include <stdio.h>

#define SHOW(name) printf(#name " %lld\n", (long long)(name));
#define EACH(X)                                                                \
    X(cudaMemcpyHostToHost) X(cudaMemcpyHostToDevice)                          \
    X(cudaMemcpyDeviceToHost) X(cudaMemcpyDeviceToDevice) X(cudaMemcpyDefault) \
    X(cudaMemAttachGlobal) X(cudaMemAttachHost) X(cudaHostAllocDefault)        \
    X(cudaHostAllocPortable) X(cudaMemLocationTypeInvalid)                     \
    X(cudaMemLocationTypeDevice) X(cudaMemLocationTypeHost)                    \
    X(cudaCpuDeviceId) X(cudaStreamDefault) X(cudaStreamNonBlocking)           \
    X(cudaEventDefault) X(cudaEventBlockingSync) X(cudaEventDisableTiming)     \
    X((size_t)cudaStreamLegacy) X((size_t)cudaStreamPerThread)                 \
    X(CUDART_VERSION / 1000) X(sizeof(struct cudaMemLocation))

#define SHOW_ATTRIBUTE(name) SHOW(cudaDevAttr##name)

/* the errors that Loom has, given by number on the command line, so
   that both sides are asked for the same */
int main(int argc, char **argv)
{
    EACH(SHOW)
    ATTRIBUTES(SHOW_ATTRIBUTE)
    for (int i = 1; i < argc; i++) {
        int e;

        if (sscanf(argv[i], "%d", &e) == 1)
            printf("%d %s: %s\n", e, cudaGetErrorName((cudaError_t)e),
                   cudaGetErrorString((cudaError_t)e));
    }
    return 0;
}
