/* named.cu: each warp rotates its row, the second one more often. */
#include <stdio.h>

/* rotate each half of a row */
__global__ void rotate(int *a)
{
    __shared__ int row[64];
    unsigned t = threadIdx.x, first = t / 32 * 32, turns = t < 32 ? 3 : 5;

    row[t] = (int)t;
    for (unsigned k = 0; k < turns; k++) {
        int next;

        named_barrier(t / 32, 32);
        next = row[first + (t + 1) % 32];
        named_barrier(t / 32, 32);
        row[t] = next;
    }
    a[t] = row[t];
}

int main(void)
{
    int h[64], *a;

    if (cudaMalloc(&a, sizeof h) != cudaSuccess)
        return 1;
    rotate<<<1, 64>>>(a);
    cudaMemcpy(h, a, sizeof h, cudaMemcpyDeviceToHost);
    cudaFree(a);
    for (int i = 0; i < 64; i++)
        if (h[i] != i / 32 * 32 + (i + (i < 32 ? 3 : 5)) % 32)
            return 1;
    puts("ok: rotated by 3 and by 5");
    return 0;
}
