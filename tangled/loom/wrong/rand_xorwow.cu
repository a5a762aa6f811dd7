/* wrong: compile: deleted function .*curand_normal */
/* wrong: compile: CURAND_RNG_PSEUDO_XORWOW */
#include <curand.h>
#include <curand_kernel.h>

__global__ void draw(float *x)
{
    curandStatePhilox4_32_10_t s;

    curand_init(1, threadIdx.x, 0, &s);
    x[threadIdx.x] = curand_normal(&s);
}

int main(void)
{
    curandGenerator_t g;

    return curandCreateGenerator(&g, CURAND_RNG_PSEUDO_XORWOW);
}
