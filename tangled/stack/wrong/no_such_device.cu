/* wrong: run: cudaSetDevice\(99\): cudaErrorInvalidDevice \(101\): */
/* wrong: gpu: cudaSetDevice\(99\): cudaErrorInvalidDevice \(101\): */
#include "stack/cuda_check.h"

int main(void)
{
    CUDA_CHECK(cudaSetDevice(99));
    return 0;
}
