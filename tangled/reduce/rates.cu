/* rates: what the manual says of three types, and what this GPU does. */
#include <math.h>
#include <stdio.h>

#include "reduce/rate.cuh"
#include "tour/args.h"
#include "tour/check.h"

/* list the manual's rates */
/* Multiply-adds that an SM begins in a cycle, by compute capability times 10.
   0: several instructions. */
static const struct rates {
    int capability, floats, doubles, ints;
} manual[] = {
    {60, 64, 32, 0},  {61, 128, 4, 0},  {70, 64, 32, 64}, {75, 64, 2, 64},
    {80, 64, 32, 64}, {86, 128, 2, 64}, {89, 128, 2, 64}, {90, 128, 64, 64},
};

/* multiply with 32 bits and with 24 */
__global__ void products(const int *x, int *y)
{
    y[0] = x[0] * x[1];
    y[1] = __mul24(x[0], x[1]);
}

/* print the manual's rates */
enum { ROWS = sizeof manual / sizeof manual[0] };

static void print_manual(void)
{
    printf("capability  float  double  int  float:double  float:int\n");
    for (int i = 0; i < ROWS; i++) {
        const struct rates *r = &manual[i];

        printf("%d.%d %13d %7d ", r->capability / 10, r->capability % 10,
               r->floats, r->doubles);
        if (r->ints)
            printf("%4d %13d %10d\n", r->ints, r->floats / r->doubles,
                   r->floats / r->ints);
        else
            printf("%4s %13d %10s\n", "-", r->floats / r->doubles, "-");
    }
}

/* check the products */
static void check_products(void)
{
    int x[2] = {-1234567, 0x7000123}, y[2] = {0, 0}, *d;

    CUDA_CHECK(cudaMalloc((void **)&d, sizeof x + sizeof y));
    CUDA_CHECK(cudaMemcpy(d, x, sizeof x, cudaMemcpyHostToDevice));
    products<<<1, 1>>>(d, d + 2);
    CUDA_LAUNCH_CHECK();
    CUDA_CHECK(cudaMemcpy(y, d + 2, sizeof y, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaFree(d));
    CHECK(y[0] == (int)((unsigned)x[0] * (unsigned)x[1]), "32 bits: %d", y[0]);
    CHECK(y[1] == -1234567 * 0x123, "24 bits: %d", y[1]);
}

/* judge this GPU's rates */
static void judge(const char *what, double measured, double said)
{
    printf("float:%s is %.2f here, %g in the manual\n", what, measured, said);
    CHECK(fabs(measured - said) < said / 4, "float:%s is off", what);
}

static void judge_rates(void)
{
    struct cudaDeviceProp p;
    double f, d, i;

    CUDA_CHECK(cudaGetDeviceProperties(&p, 0));
    f = rate_of<float>(2 * p.multiProcessorCount, 16 * LINKS);
    d = rate_of<double>(2 * p.multiProcessorCount, 16 * LINKS);
    i = rate_of<int>(2 * p.multiProcessorCount, 16 * LINKS);
    for (int k = 0; k < ROWS; k++)
        if (manual[k].capability == 10 * p.major + p.minor && manual[k].ints) {
            judge("double", f / d, manual[k].floats / manual[k].doubles);
            judge("int", f / i, manual[k].floats / manual[k].ints);
            return;
        }
    printf("float:double is %.2f here, float:int %.2f\n", f / d, f / i);
}

int main(int argc, char **argv)
{
    struct arg judge = ARG_FLAG("--judge");

    args_parse(argc, argv, "rates of three types", &judge, 1);
    print_manual();
    check_products();
    if (judge.value)
        judge_rates();
    printf("ok: products of 32 and of 24 bits\n");
    return 0;
}
