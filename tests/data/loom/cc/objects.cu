/* what strangers write: templates with __restrict__, arrays of objects in shared memory, memory that kernels allocate */
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <cstdio>
#include <cstdlib>

template <class T, unsigned N, bool Twice>
__global__ void sum(const T *__restrict__ in, T *__restrict__ out, unsigned n)
{
    __shared__ T part[N], last[2];

    part[threadIdx.x] = threadIdx.x < n ? in[threadIdx.x] : T(0);
    __syncthreads();
    if (threadIdx.x == 0) {
        last[0] = part[0];
        for (unsigned i = 1; i < N; i++)
            last[0] = last[0] + part[i];
        *out = Twice ? last[0] + last[0] : last[0];
    }
}

struct number {
    float x;
    __device__ number() { }
    __device__ number(float from) : x(from) { }
};

__global__ void pairs(float *out)
{
    __shared__ number own[32], one;
    __shared__ half2 s[32];
    __shared__ __align__(16) __nv_fp8_e4m3 small[2][32];

    s[threadIdx.x] = __floats2half2_rn((float)threadIdx.x, 0.5f);
    small[1][threadIdx.x] = __nv_fp8_e4m3(1.3f);
    own[threadIdx.x] = number((float)threadIdx.x);
    if (threadIdx.x == 0)
        one = number(0.5f);
    __syncthreads();
    out[threadIdx.x] = __low2float(s[31 - threadIdx.x]) + (float)small[1][threadIdx.x ^ 1]
        + own[threadIdx.x ^ 1].x * one.x;
}

struct shape {
    int sides;
    __device__ shape(int n) : sides(n) { }
    __device__ virtual ~shape() { }
    __device__ virtual int angles() { return 0; }
};
struct polygon : shape {
    __device__ polygon(int n) : shape(n) { }
    __device__ int angles() override { return sides; }
};

__global__ void make(shape **all, int **words)
{
    all[threadIdx.x] = new polygon((int)threadIdx.x);
    if (threadIdx.x == 0)
        *words = (int *)malloc(32 * sizeof **words);
    __syncthreads();
    (*words)[threadIdx.x] = all[threadIdx.x]->angles();
}

__global__ void count(shape **all, int **words, int *out)
{
    atomicAdd(out, (*words)[threadIdx.x]);
    delete all[threadIdx.x];
    __syncthreads();
    if (threadIdx.x == 0)
        free(*words);
}

template <class T>
static float sum_of(T *x, T *y)
{
    sum<T, 32, true><<<1, 32>>>(x, y, 3);
    cudaDeviceSynchronize();
    return (float)*y;
}

int main()
{
    float *x, *out;
    half *h;
    shape **all;
    int **words, *total;

    cudaMallocManaged(&x, 33 * 4);
    cudaMallocManaged(&h, 33 * 2);
    cudaMallocManaged(&out, 32 * 4);
    cudaMallocManaged(&all, 32 * sizeof *all);
    cudaMallocManaged(&words, sizeof *words);
    cudaMallocManaged(&total, sizeof *total);
    for (int i = 0; i < 33; i++) {
        x[i] = (float)i + 1;
        h[i] = __float2half((float)i + 1);
    }
    *total = 0;
    if (sum_of(x, x + 32) != 12 || sum_of(h, h + 32) != 12)
        return puts("wrong sums"), 1;
    pairs<<<1, 32>>>(out);
    cudaDeviceSynchronize();
    if (out[3] != 28 + 1.25f + 1)
        return printf("wrong pairs: %g\n", out[3]), 1;
    make<<<1, 32>>>(all, words);
    count<<<1, 32>>>(all, words, total);
    if (cudaDeviceSynchronize() || *total != 31 * 16)
        return printf("wrong total: %d\n", *total), 1;
    free(malloc(3));
    delete[] new int[3];
    puts("ok: objects");
    return 0;
}
