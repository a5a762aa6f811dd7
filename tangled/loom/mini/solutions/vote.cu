/* vote.cu: any, all and match, with three lanes gone. */
#include <stdio.h>

__global__ void ask(unsigned *out)
{
    unsigned l = threadIdx.x;

    if (l >= 29)
        return;
    out[l] = __match_any_sync(~0u, l % 3);
    out[l] &= __any_sync(~0u, l == 28) && !__any_sync(~0u, l == 29) ? ~0u : 0;
    out[l] &= __all_sync(~0u, l < 29) && !__all_sync(~0u, l < 28) ? ~0u : 0;
}

int main(void)
{
    unsigned h[32] = {0}, *out;

    if (cudaMalloc(&out, sizeof h) != cudaSuccess)
        return 1;
    ask<<<1, 32>>>(out);
    cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
    cudaFree(out);
    for (unsigned l = 0; l < 29; l++)
        for (unsigned k = 0; k < 32; k++)
            if ((h[l] >> k & 1) != (k < 29 && k % 3 == l % 3))
                return 1;
    puts("ok: any, all and match with 29 lanes");
    return 0;
}
