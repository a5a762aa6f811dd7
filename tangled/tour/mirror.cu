/* mirror: turn a drawing left to right, one thread for each character. */
#include <stdio.h>

#include "tour/mirror.cuh"

/* mirror one character */
__global__ void mirror(const char *in, char *out)
{
    int i = threadIdx.x;
    int row = i / SIDE, column = i % SIDE;

    out[row * SIDE + (SIDE - 1 - column)] = in[i];
}

/* mirror the drawing */
static void mirrored(const char *drawing, char *result)
{
    char *d_in, *d_out;

    must(cudaMalloc((void **)&d_in, CELLS));
    must(cudaMalloc((void **)&d_out, CELLS));
    must(cudaMemcpy(d_in, drawing, CELLS, cudaMemcpyHostToDevice));
    must(cudaMemset(d_out, '?', CELLS));
    mirror<<<1, 100>>>(d_in, d_out);
    must(cudaMemcpy(result, d_out, CELLS, cudaMemcpyDeviceToHost));
    must(cudaFree(d_in));
    must(cudaFree(d_out));
}

int main(void)
{
    static const char seven[] = ".........."
                                ".########."
                                ".#######+."
                                "......##.."
                                ".....+##.."
                                ".....##..."
                                "....+##..."
                                "....##...."
                                "...##....."
                                "...##.....";
    char result[CELLS];

    mirrored(seven, result);
    for (int row = 0; row < SIDE; row++)
        printf("%.*s\n", SIDE, &result[row * SIDE]);
    return 0;
}
