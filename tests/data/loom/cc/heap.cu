/* one mistake with memory that a kernel has allocated */
#include <cstdlib>
__global__ void wrong(int mode, int *out)
{
    int *p = (int *)malloc(64);

    p[mode == 1 ? 16 : 0] = 1;
    if (mode < 2)
        *out = p[mode == 1 ? 16 : 0];
    if (mode == 2) {
        free(p);
        *out = p[0];
    }
    if (mode == 3)
        *out = p[1];
    if (mode == 4) {
        free(p);
        free(p);
    }
    if (mode == 5)
        free(out);
}
int main(int, char **argv)
{
    int *out;

    cudaMalloc(&out, 64);
    wrong<<<1, 1>>>(atoi(argv[1]), out);
    return cudaDeviceSynchronize() != 0;
}
