/* wrong: compile: deleted function .*curand_poisson */
/* wrong: compile: CURAND_RNG_QUASI_SOBOL32 */
#include <curand.h>
#include <curand_kernel.h>

__global__ void draw(unsigned *x)
{
    curandState s;

    curand_init(1, threadIdx.x, 0, &s);
    x[threadIdx.x] = curand_poisson(&s, 1);
}

int main(void)
{
    curandGenerator_t g;

    return curandCreateGenerator(&g, CURAND_RNG_QUASI_SOBOL32);
}
