/* flags: one product, sum, quotient, root and exponential, for the flags. */
#include "kernels/launch.h"
#include "reduce/ulp.h"
#include "tour/args.h"

/* mix one of each */
__global__ void mixture(const float *x, float *y)
{
    float a = x[0], b = x[1];

    y[0] = a * b + a;
    y[1] = a / b;
    y[2] = sqrtf(b);
    y[3] = expf(a);
}

int main(int argc, char **argv)
{
    float x[2] = {0.7f, 3}, y[4], *d;

    args_parse(argc, argv, "what the flags change", NULL, 0);
    CUDA_CHECK(cudaMalloc((void **)&d, sizeof x + sizeof y));
    CUDA_CHECK(cudaMemcpy(d, x, sizeof x, cudaMemcpyHostToDevice));
    mixture<<<1, 1>>>(d, d + 2);
    CUDA_LAUNCH_CHECK();
    CUDA_CHECK(cudaMemcpy(y, d + 2, sizeof y, cudaMemcpyDeviceToHost));
    /* compare with the correctly rounded values */
    CHECK(ulp_float(y[0], (float)((double)x[0] * x[1] + x[0])) <= 1, "a b + a");
    CHECK(y[1] == (float)((double)x[0] / x[1]), "a / b is %.9g", y[1]);
    CHECK(y[2] == (float)sqrt((double)x[1]), "the root is %.9g", y[2]);
    CHECK(ulp_float(y[3], (float)exp((double)x[0])) <= 2, "exp is %.9g", y[3]);
    printf("ok: quotient and root are rounded to nearest, exp is %d ulp away\n",
           (int)ulp_float(y[3], (float)exp((double)x[0])));
    CUDA_CHECK(cudaFree(d));
    return 0;
}
