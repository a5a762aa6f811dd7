/* rows.cu: eight blocks turn their rows around in shared memory. */
#include <stdio.h>

/* turn a row around */
__global__ void turn_around(int *a)
{
    __shared__ int row[64];
    int t = threadIdx.x, first = blockIdx.x * 64;

    row[t] = a[first + t];
    __syncthreads();
    a[first + t] = row[63 - t];
}

int main(void)
{
    enum { ROWS = 8, N = ROWS * 64 };
    int h[N], *a;

    for (int i = 0; i < N; i++)
        h[i] = i;
    if (cudaMalloc(&a, sizeof h) != cudaSuccess)
        return 1;
    cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice);
    turn_around<<<ROWS, 64>>>(a);
    cudaMemcpy(h, a, sizeof h, cudaMemcpyDeviceToHost);
    cudaFree(a);
    for (int i = 0; i < N; i++)
        if (h[i] != i / 64 * 64 + 63 - i % 64)
            return 1;
    printf("ok: %d rows turned around\n", (int)ROWS);
    return 0;
}
