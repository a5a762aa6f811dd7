/* relu: both kinds of number against the host. */
#include "measure/relu.cuh"
#include "tour/args.h"
#include "tour/rng.h"

/* run and check one kind */
template <class V, class E>
static void check_relu(size_t n, uint64_t seed)
{
    size_t count = n * sizeof(V) / sizeof(E);
    E *x = (E *)check_alloc(2 * count, sizeof *x), *y = x + count;
    V *d;

    for (size_t i = 0; i < count; i++)
        x[i] = (E)rng_small(&seed);
    CUDA_CHECK(cudaMalloc((void **)&d, 2 * n * sizeof *d));
    CUDA_CHECK(cudaMemcpy(d, x, n * sizeof *d, cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemset(d + n, 0xff, n * sizeof *d));
    relu<<<blocks_for(n, 256), 256>>>(n, d, d + n);
    CUDA_LAUNCH_CHECK();
    CUDA_CHECK(cudaMemcpy(y, d + n, n * sizeof *d, cudaMemcpyDeviceToHost));
    for (size_t i = 0; i < count; i++)
        CHECK((float)y[i] == fmaxf((float)x[i], 0), "relu(%g) = %g",
              (float)x[i], (float)y[i]);
    CUDA_CHECK(cudaFree(d));
    free(x);
}

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("n", 1000, 1, 1 << 26)};
    uint64_t seed = args_parse(argc, argv, "check ReLU on n vectors", args,
                               ARG_COUNT(args));
    size_t n = (size_t)args[0].value;

    check_relu<float4, float>(n, seed);
    check_relu<half8, __half>(n, seed + 1);
    printf("ok: %g operations per byte in float, %g in half\n",
           4 / (2.0 * sizeof(float4)), 8 / (2.0 * sizeof(half8)));
    return 0;
}
