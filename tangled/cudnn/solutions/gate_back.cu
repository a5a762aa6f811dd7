/* gate_back: the three gradients of sigmoid(a + b c), in one kernel. */
#include "kernels/launch.h"
#include "tour/args.h"
#include "tour/check.h"
#include "tour/rng.h"

/* compute three gradients in one kernel */
/* da, db and dc from dy: each number is read once. */
static __global__ void gate_back(size_t n, const float *a, const float *b,
                                 const float *c, const float *dy, float *da,
                                 float *db, float *dc)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    float s, d;

    if (i >= n)
        return;
    s = 1 / (1 + expf(-(a[i] + b[i] * c[i])));
    d = dy[i] * s * (1 - s);
    da[i] = d;
    db[i] = d * c[i];
    dc[i] = d * b[i];
}

/* check it by differences */
static double gate_of(double a, double b, double c)
{
    return 1 / (1 + exp(-(a + b * c)));
}

static void check_back(size_t n, float *const *h)
{
    const double e = 1e-4;

    for (size_t i = 0; i < n; i++) {
        double at[3] = {h[0][i], h[1][i], h[2][i]};

        for (int k = 0; k < 3; k++) {
            double up[3] = {at[0], at[1], at[2]},
                   down[3] = {at[0], at[1], at[2]};

            up[k] += e, down[k] -= e;
            CHECK_NEAR(h[4 + k][i],
                       h[3][i] *
                           (gate_of(up[0], up[1], up[2]) -
                            gate_of(down[0], down[1], down[2])) /
                           (2 * e),
                       1e-6, "floats, and a difference of second order");
        }
    }
}

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("n", 1000, 0, 1 << 20)};
    uint64_t seed =
        args_parse(argc, argv, "a backward gate", args, ARG_COUNT(args));
    size_t n = (size_t)args[0].value;
    float *h[7], *d[7];

    for (int k = 0; k < 7; k++) {
        h[k] = (float *)check_alloc(n, sizeof *h[k]);
        rng_fill_float(h[k], n, seed + k);
        if (k > 3)
            poison(h[k], n * sizeof *h[k]);
        CUDA_CHECK(cudaMalloc((void **)&d[k], (n + !n) * sizeof *d[k]));
        CUDA_CHECK(
            cudaMemcpy(d[k], h[k], n * sizeof *h[k], cudaMemcpyHostToDevice));
    }
    if (n > 0)
        gate_back<<<blocks_for(n, 256), 256>>>(n, d[0], d[1], d[2], d[3], d[4],
                                               d[5], d[6]);
    CUDA_LAUNCH_CHECK();
    for (int k = 4; k < 7; k++)
        CUDA_CHECK(
            cudaMemcpy(h[k], d[k], n * sizeof *h[k], cudaMemcpyDeviceToHost));
    check_back(n, h);
    for (int k = 0; k < 7; k++) {
        CUDA_CHECK(cudaFree(d[k]));
        free(h[k]);
    }
    printf("ok: three gradients of %zu gates\n", n);
    return 0;
}
