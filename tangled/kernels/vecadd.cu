/* vecadd: add two vectors on the device in four ways; compare with the CPU. */
#include <stdio.h>
#include <string.h>

#include "kernels/launch.h"
#include "kernels/reference.h"
#include "kernels/vecadd.cuh"
#include "tour/args.h"
#include "tour/rng.h"

/* hold the vectors of both machines */
enum { MARGIN = 1024 }; /* elements after the output that nobody may write */

struct vectors {
    size_t n;
    float *h_x, *h_y, *h_z, *h_want; /* host; h_z has MARGIN more */
    float *d_x, *d_y, *d_z;          /* device; d_z has MARGIN more */
};

/* allocate and copy the inputs in */
static struct vectors prepare(size_t n, uint64_t seed)
{
    struct vectors v;
    size_t bytes = n * sizeof(float), more = (n + MARGIN) * sizeof(float);

    v.n = n;
    v.h_x = (float *)check_alloc(n, sizeof(float));
    v.h_y = (float *)check_alloc(n, sizeof(float));
    v.h_z = (float *)check_alloc(n + MARGIN, sizeof(float));
    v.h_want = (float *)check_alloc(n, sizeof(float));
    rng_fill_float(v.h_x, n, seed);
    rng_fill_float(v.h_y, n, seed + 1);
    add_reference(n, v.h_x, v.h_y, v.h_want);
    /* allocate on the device and copy the inputs in */
    CUDA_CHECK(cudaMalloc((void **)&v.d_x, bytes + (n == 0)));
    CUDA_CHECK(cudaMalloc((void **)&v.d_y, bytes + (n == 0)));
    CUDA_CHECK(cudaMalloc((void **)&v.d_z, more)); /* n + MARGIN */
    CUDA_CHECK(cudaMemcpy(v.d_x, v.h_x, bytes, cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemcpy(v.d_y, v.h_y, bytes, cudaMemcpyHostToDevice));
    return v;
}

/* add, copy the result out and compare */
static void try_variant(struct vectors *v, const struct add_variant *variant,
                        int block)
{
    size_t n = v->n, more = (n + MARGIN) * sizeof(float);

    CUDA_CHECK(cudaMemset(v->d_z, 0xff, more));
    variant->launch(n, block, v->d_x, v->d_y, v->d_z);
    CUDA_CHECK(cudaMemcpy(v->h_z, v->d_z, more, cudaMemcpyDeviceToHost));
    for (size_t i = 0; i < n; i++)
        CHECK(v->h_z[i] == v->h_want[i],
              "%s, blocks of %d: z[%zu] is %.9g, not %.9g", variant->name,
              block, i, v->h_z[i], v->h_want[i]);
    for (size_t i = n; i < n + MARGIN; i++)
        CHECK(isnan(v->h_z[i]),
              "%s, blocks of %d: wrote %.9g to z[%zu], but n is %zu",
              variant->name, block, v->h_z[i], i, n);
}

/* try six sizes of block */
static void try_blocks(struct vectors *v, const struct add_variant *variant)
{
    static const int blocks[] = {256, 1, 32, 33, 100, 1024};

    for (size_t b = 0; b < sizeof blocks / sizeof *blocks; b++)
        try_variant(v, variant, blocks[b]);
}

/* compare the inputs and free */
static void finish(struct vectors *v)
{
    size_t bytes = v->n * sizeof(float);

    CUDA_CHECK(cudaMemcpy(v->h_z, v->d_x, bytes, cudaMemcpyDeviceToHost));
    CHECK(memcmp(v->h_z, v->h_x, bytes) == 0, "a kernel changed its input x");
    CUDA_CHECK(cudaMemcpy(v->h_z, v->d_y, bytes, cudaMemcpyDeviceToHost));
    CHECK(memcmp(v->h_z, v->h_y, bytes) == 0, "a kernel changed its input y");
    CUDA_CHECK(cudaFree(v->d_x));
    CUDA_CHECK(cudaFree(v->d_y));
    CUDA_CHECK(cudaFree(v->d_z));
    free(v->h_x);
    free(v->h_y);
    free(v->h_z);
    free(v->h_want);
}

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("n", 1000, 0, INT_MAX - 1024)};
    uint64_t seed =
        args_parse(argc, argv, "z = x + y in four ways", args, ARG_COUNT(args));
    struct vectors v = prepare((size_t)args[0].value, seed);

    for (int k = 0; k < ADD_VARIANTS; k++)
        try_blocks(&v, &add_variants[k]);
    finish(&v);
    printf("ok: %zu sums by %d variants, 6 sizes of block\n", v.n,
           (int)ADD_VARIANTS);
    return 0;
}
