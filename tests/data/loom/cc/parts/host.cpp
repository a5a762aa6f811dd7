#include <memory>
#include "shared.h"
#ifdef __CUDACC__
#error "this is no CUDA"
#endif
__host__ int host_side(int n, float4 v)
{
    std::shared_ptr<int> m = std::make_shared<int>((int)v.w);
    int device;
    return cudaGetDevice(&device) == cudaSuccess ? plain(n) * *m : -1;
}
