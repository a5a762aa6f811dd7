/* cas: maximum of floats and sum of doubles by swaps. */
#include <math.h>

#include "atomics/device.h"
#include "sync/order.cuh"
#include "tour/args.h"
#include "tour/rng.h"

/* use both loops */

/* take the maximum of a float */
/* *p = max(*p, v) in one step; returns what *p was. A v that is NaN is ignored;
   a NaN at *p is replaced. Between -0 and +0 the first comer stays. */
static __device__ inline float atomic_max(float *p, float v)
{
    unsigned *bits = (unsigned *)p, old = load_relaxed(bits), seen;

    do {
        seen = old;
        if (!(v > __uint_as_float(seen) || isnan(__uint_as_float(seen))) ||
            isnan(v))
            break;
        old = atomicCAS(bits, seen, __float_as_uint(v));
    } while (old != seen);
    return __uint_as_float(old);
}

/* add a double by hand */
/* *p += v in one step; returns what *p was. */
static __device__ inline double add_by_swaps(double *p, double v)
{
    unsigned long long *bits = (unsigned long long *)p, seen;
    unsigned long long old = atomicAdd(bits, 0ull);

    do {
        seen = old;
        old = atomicCAS(bits, seen,
                        __double_as_longlong(v + __longlong_as_double(seen)));
    } while (old != seen);
    return __longlong_as_double(old);
}

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
    float *h = (float *)check_alloc((size_t)n, sizeof *h), *d_x;
    struct result got = {-INFINITY, 0}, want, *d;

    awkward(n, h, seed);
    want = fold(n, h);
    /* fold on the device */
    d_x = (float *)to_device(h, (size_t)n * sizeof *h);
    d = (struct result *)to_device(&got, sizeof got);
    use_loops<<<blocks_for((size_t)n, 128), 128>>>(n, d_x, d);
    to_host(&got, d, sizeof got);
    CHECK(got.max == want.max && got.sum == want.sum, "%g, %g, not %g, %g",
          got.max, got.sum, want.max, want.sum);
    printf("ok: maximum and sum of %d\n", n);
    return 0;
}
