/* wrong: check: error: cudaFree: the pointer was freed before */
/* Two owners of one array. */
int main(void)
{
    float *y;

    cudaMalloc(&y, 64 * sizeof *y);
    cudaFree(y);
    return cudaFree(y) == cudaSuccess;
}
