// refused: configured.cu:13: error: a __device__ function call cannot be configured
namespace a
{
__device__ void helper(int *x);
template <int N> __device__ int twice(int x) { return N * x; }
} // namespace a
namespace b
{
__global__ void twice(int *x);
}
void starts(int *x)
{
    b::twice<<<1, 1>>>(x), a::helper<<<1, 1>>>(x);
}
