/* patterns.cu: a warp reads 32 words in three ways. */
#include <stdio.h>

/* read by rows, by columns and by padded columns */
__global__ void patterns(const int *in, int *out)
{
    __shared__ int tile[32 * 33];
    int l = threadIdx.x;

    for (int i = l; i < 32 * 33; i += 32)
        tile[i] = in[i];
    __syncwarp();
    out[l] = in[l] + tile[l];                /* a row */
    out[32 + l] = in[32 * l] + tile[32 * l]; /* a column */
    out[64 + l] = in[33 * l] + tile[33 * l]; /* of padded rows */
}

int main(void)
{
    enum { N = 32 * 33 };
    int h[N], *in, *out;

    for (int i = 0; i < N; i++)
        h[i] = i;
    if (cudaMalloc(&in, sizeof h) != cudaSuccess ||
        cudaMalloc(&out, 3 * 32 * sizeof *out) != cudaSuccess)
        return 1;
    cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
    patterns<<<1, 32>>>(in, out);
    cudaMemcpy(h, out, 3 * 32 * sizeof *out, cudaMemcpyDeviceToHost);
    cudaFree(in);
    cudaFree(out);
    for (int l = 0; l < 32; l++)
        if (h[l] != 2 * l || h[32 + l] != 2 * 32 * l || h[64 + l] != 2 * 33 * l)
            return 1;
    puts("ok: rows, columns and padded columns");
    return 0;
}
