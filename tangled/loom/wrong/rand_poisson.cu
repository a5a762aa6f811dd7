/* wrong: compile: Loom lacks curandGeneratePoisson so far */
#include <curand.h>

int main(void)
{
    curandGenerator_t g;
    unsigned *x;

    if (curandCreateGenerator(&g, CURAND_RNG_PSEUDO_PHILOX4_32_10) ||
        cudaMalloc(&x, 400))
        return 1;
    return curandGeneratePoisson(g, x, 100, 1);
}
