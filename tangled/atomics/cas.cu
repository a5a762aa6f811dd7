/* cas: maximum of floats and sum of doubles by swaps. */
#include "atomics/cas.cuh"
#include "atomics/device.h"
#include "tour/args.h"
#include "tour/rng.h"

/* use both loops */
struct result {
    float max;
    double sum;
};

__global__ void use_loops(int n, const float *x, struct result *r)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i >= n)
        return;
    atomic_max(&r->max, x[i]);
    add_by_swaps(&r->sum, isfinite(x[i]) ? rint(x[i]) : 0.0);
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
    struct result r = {-INFINITY, 0};

    for (int i = 0; i < n; i++) {
        r.max = fmaxf(r.max, x[i]);
        r.sum += isfinite(x[i]) ? rint(x[i]) : 0.0;
    }
    return r;
}

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("n", 1000, 1, 1 << 20)};
    uint64_t seed =
        args_parse(argc, argv, "loops of swaps", args, ARG_COUNT(args));
    int n = (int)args[0].value;
    float *h = (float *)check_alloc((size_t)n, sizeof *h);
    struct result got = {-INFINITY, 0}, want;
    struct result *d = (struct result *)to_device(&got, sizeof got);

    awkward(n, h, seed);
    want = fold(n, h);
    use_loops<<<blocks_for((size_t)n, 128), 128>>>(
        n, (float *)to_device(h, (size_t)n * sizeof *h), d);
    to_host(&got, d, sizeof got);
    CHECK(got.max == want.max && got.sum == want.sum, "%g, %g, not %g, %g",
          got.max, got.sum, want.max, want.sum);
    printf("ok: maximum and sum of %d\n", n);
    return 0;
}
