/* guard: more threads than characters */
#include "tour/check.h"
#include "tour/mirror.cuh"

/* mirror with a guard */
__global__ void mirror_guarded(int n, const char *in, char *out)
{
    int i = threadIdx.x;
    int row = i / SIDE, column = i % SIDE;

    if (i < n)
        out[row * SIDE + (SIDE - 1 - column)] = in[i];
}

int main(void)
{
    char in[CELLS], out[CELLS], *d;

    for (int i = 0; i < CELLS; i++)
        in[i] = (char)i;
    must(cudaMalloc((void **)&d, 3 * CELLS));
    must(cudaMemcpy(d, in, CELLS, cudaMemcpyHostToDevice));
    mirror_guarded<<<1, 128>>>(CELLS, d, d + CELLS);
    mirror_guarded<<<1, 128>>>(CELLS, d + CELLS, d + 2 * CELLS);
    must(cudaMemcpy(out, d + 2 * CELLS, CELLS, cudaMemcpyDeviceToHost));
    must(cudaFree(d));
    CHECK(memcmp(in, out, CELLS) == 0, "mirrored twice is not the same");
    printf("ok: mirrored twice by 128 threads\n");
    return 0;
}
