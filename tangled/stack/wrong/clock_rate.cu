/* wrong: nvcc: clockRate */
#include "stack/cuda_check.h"

#if defined(CUDART_VERSION) && CUDART_VERSION < 13000
#error "clockRate left cudaDeviceProp with CUDA 13; this is an older one"
#endif

int main(void)
{
    struct cudaDeviceProp p;

    CUDA_CHECK(cudaGetDeviceProperties(&p, 0));
    return p.clockRate == 0; /* cudaDevAttrClockRate is the question to ask */
}
