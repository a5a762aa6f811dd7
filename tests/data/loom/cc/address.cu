/* kernels that are known by their address */
#include <cstdio>
#include <cstring>

static int ways, bad, *y;

__global__ void set(int *p, int v) { *p = v; }
__global__ void set(int *p, const char *) { *p = -1; }
template <int N, class T = int> __global__ void add(T *p, const T v = 0) { *p = v + N; }
template <class... A> __global__ void sum(int *p, A... a) { *p = (a + ...); }
__global__ void unnamed(int *p, int, float) { *p = 5; }
__global__ void null(int *p, const float *q, int n) { *p = q ? 0 : 6 + n; }
struct big { char name[100]; double d; };
__global__ void pass(int *p, __grid_constant__ const big b) { *p = (int)b.d + (int)sizeof b.name; }
__global__ void large(int *p)
{
    extern __shared__ int s[];
    s[16000] = 7;
    *p = s[16000];
}

static void is(int want)
{
    cudaError_t e = cudaDeviceSynchronize();
    if (e || *y != want) {
        printf("way %d: %d instead of %d, %s\n", ways, *y, want, cudaGetErrorString(e));
        bad = 1;
    }
    ways++;
    *y = 0;
}
static int launches(int *p)
{
    set<<<1, 1>>>(p, 3);
    cudaDeviceSynchronize();
    return *p;
}

int main()
{
    void (*chosen)(int *, int) = set;
    auto f = add<16>;
    int v = 4;
    big b = {"x", 2.5};
    void *args[] = {&y, &v}, *large_args[] = {&y}, *b_args[] = {&y, &b};

    cudaMallocManaged(&y, sizeof *y);
    chosen<<<1, 1>>>(y, 1); is(1);
    f<<<1, 1>>>(y, v); is(20);
    sum<<<1, 1>>>(y, 1, 2.0, 3L); is(6);
    unnamed<<<1, 1>>>(y, 1, 2); is(5);
    null<<<1, 1>>>(y, 0, 0); is(6);
    set<<<1, 1>>>(y, launches(y) + 1); is(4);
    cudaLaunchKernel((void *)f, dim3(1), dim3(1), args, 0, 0); is(20);
    cudaLaunchKernel((const void *)static_cast<void (*)(int *, int)>(set), 1, 1, args); is(4);
    cudaLaunchKernel(pass, 1, 1, b_args); is(102);
    void (*l)(int *) = large;
    if (cudaFuncSetAttribute(l, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536))
        bad = 1;
    cudaLaunchKernel((void *)large, 1, 1, large_args, 65536, 0); is(7);
    int host = 0;
    if (cudaLaunchKernel((void *)&host, 1, 1, args) != cudaErrorInvalidDeviceFunction)
        bad = 1;
    if (!bad)
        printf("ok: %d ways to launch\n", ways);
    return bad;
}
