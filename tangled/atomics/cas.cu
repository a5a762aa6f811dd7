/* cas: maximum of floats, sum of doubles, product of residues, by swaps. */
#include <stdio.h>

#include "atomics/cas.cuh"
#include "kernels/launch.h"
#include "tour/args.h"
#include "tour/rng.h"

/* use the three loops */
struct result {
    float max;
    unsigned product;
    double sum;
};

__global__ void use_loops(int n, const float *x, struct result *r)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i >= n)
        return;
    atomic_max(&r->max, x[i]);
    add_by_swaps(&r->sum, isfinite(x[i]) ? rint(x[i]) : 0.0);
    atomic_product(&r->product, 1 + (unsigned)i % 65520);
}

/* make awkward floats */
static void awkward(int n, float *x, uint64_t seed)
{
    static const float odd[] = {NAN, -0.0f, 0.0f, -INFINITY, -NAN, -1e-42f};

    for (int i = 0; i < n; i++) {
        uint64_t r = rng_at(seed, (uint64_t)i);

        x[i] = (float)((int)(r >> 44) - (1 << 20)) / 2;
        if (r % 7 == 0)
            x[i] = odd[r / 7 % 6];
    }
}

/* fold on the CPU */
static struct result fold(int n, const float *x)
{
    struct result r = {-INFINITY, 1, 0};

    for (int i = 0; i < n; i++) {
        r.max = fmaxf(r.max, x[i]);
        r.sum += isfinite(x[i]) ? rint(x[i]) : 0.0;
        r.product = r.product * (1 + (unsigned)i % 65520) % 65521;
    }
    return r;
}

/* fold on the device */
static struct result on_device(int n, const float *h)
{
    struct result r = {-INFINITY, 1, 0}, *d_r;
    float *d;

    CUDA_CHECK(cudaMalloc((void **)&d, (size_t)n * sizeof *d));
    CUDA_CHECK(cudaMalloc((void **)&d_r, sizeof *d_r));
    CUDA_CHECK(cudaMemcpy(d, h, (size_t)n * sizeof *d, cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemcpy(d_r, &r, sizeof r, cudaMemcpyHostToDevice));
    use_loops<<<blocks_for((size_t)n, 128), 128>>>(n, d, d_r);
    CUDA_LAUNCH_CHECK();
    CUDA_CHECK(cudaMemcpy(&r, d_r, sizeof r, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaFree(d));
    CUDA_CHECK(cudaFree(d_r));
    return r;
}

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("n", 1000, 1, 1 << 20)};
    uint64_t seed = args_parse(argc, argv, "operations by compare and swap",
                               args, ARG_COUNT(args));
    int n = (int)args[0].value;
    float *h = (float *)check_alloc((size_t)n, sizeof *h);
    struct result got, want;

    awkward(n, h, seed);
    want = fold(n, h);
    got = on_device(n, h);
    CHECK(got.max == want.max, "maximum %g, not %g", got.max, want.max);
    CHECK(got.sum == want.sum, "sum %g, not %g", got.sum, want.sum);
    CHECK(got.product == want.product, "product %u, not %u", got.product,
          want.product);
    printf("ok: maximum, sum and product of %d\n", n);
    free(h);
    return 0;
}
