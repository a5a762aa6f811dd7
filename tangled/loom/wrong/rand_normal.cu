/* wrong: compile: has no curandGenerateNormal: see draw_normals */
#include <curand.h>

int main(void)
{
    curandGenerator_t g;
    float *x;

    if (curandCreateGenerator(&g, CURAND_RNG_PSEUDO_PHILOX4_32_10) ||
        cudaMalloc(&x, 400))
        return 1;
    return curandGenerateNormal(g, x, 100, 0, 1);
}
