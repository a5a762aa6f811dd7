/* functions, variables and kernels whose two halves differ */
#include <cstdio>
#include <vector>

struct counted { /* a constructor that must run once */
    counted()
    {
        if (getenv("LOOM_MADE"))
            exit(4);
        setenv("LOOM_MADE", "1", 1);
    }
};
static counted one;

static __constant__ int addend[2];
static __device__ int calls;
namespace {
__device__ int hidden = 1;
__managed__ int managed = 0;
}

__host__ __device__ int where()
{
#ifdef __CUDA_ARCH__
    return __CUDA_ARCH__;
#else
    return -1;
#endif
}
#ifdef __CUDA_ARCH__
#define ONLY_DEVICE 40
#else
#define ONLY_DEVICE 0
#endif

template <class F> __global__ void apply(F f, int *out)
{
    f(out);
    atomicAdd(&calls, hidden);
}
static __global__ void plain(int *out) { out[0] = where(); managed = 1; atomicAdd(&calls, 1); }

int main()
{
    int *out, n, two[2] = {0, 2};
    std::vector<int> host(2);

    if (cudaMalloc(&out, 8) || cudaMemcpyToSymbol(addend, two, sizeof two))
        return 1;
    plain<<<1, 1>>>(out);
    apply<<<1, 1>>>([] __device__(int *p) { p[1] = ONLY_DEVICE; }, out);
    apply<<<1, 1>>>([] __device__(int *p) { p[1] += addend[1]; }, out);
    cudaMemcpy(host.data(), out, 8, cudaMemcpyDeviceToHost);
    if (cudaMemcpyFromSymbol(&n, calls, sizeof n) || managed != 1)
        return 3;
    printf("device %d, host %d, sum %d, count %d\n", host[0], where(), host[1], n);
    return 0;
}
