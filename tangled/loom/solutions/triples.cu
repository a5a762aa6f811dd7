/* triples.cu: points as structs and as three arrays; LOOM_COUNT=1 compares. */
#include <stdio.h>

enum { N = 1024 };

__global__ void structs(float *out, const float3 *p)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    out[i] = p[i].x + p[i].y + p[i].z;
}

__global__ void arrays(float *out, const float *p)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    out[i] = p[i] + p[i + N] + p[i + 2 * N];
}

/* add up both ways */
static float h[3 * N], got[N];

static int differs(int by, int step, const float *out)
{
    cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
    for (int i = 0; i < N; i++)
        if (got[i] != h[i * by] + h[i * by + step] + h[i * by + 2 * step])
            return 1;
    return 0;
}

int main(void)
{
    float *p, *out;

    for (int i = 0; i < 3 * N; i++)
        h[i] = (float)(i % 100);
    if (cudaMalloc(&p, sizeof h) != cudaSuccess ||
        cudaMalloc(&out, sizeof got) != cudaSuccess)
        return 1;
    cudaMemcpy(p, h, sizeof h, cudaMemcpyHostToDevice);
    structs<<<N / 128, 128>>>(out, (const float3 *)p);
    if (differs(3, 1, out))
        return 1;
    arrays<<<N / 128, 128>>>(out, p);
    return differs(1, N, out);
}
