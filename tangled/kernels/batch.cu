/* batch: one batch, two layouts of the grid, the same result. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "kernels/batch.cuh"
#include "kernels/reference.h"
#include "tour/args.h"
#include "tour/rng.h"

/* run one layout and compare */
static void try_layout(const char *name, bias_launcher launch, int batch,
                       int length, uint64_t seed)
{
    size_t n = (size_t)batch * length, bytes = n * sizeof(float);
    size_t row = length * sizeof(float);
    float *h_in = (float *)check_alloc(n + length, sizeof(float));
    float *h_got = (float *)check_alloc(n + length, sizeof(float));
    float *h_want = (float *)check_alloc(n, sizeof(float));
    float *d_in, *d_out; /* the bias stands behind the input */

    rng_fill_float(h_in, n + length, seed);
    bias_reference(batch, length, h_in, h_in + n, h_want);
    CUDA_CHECK(cudaMalloc((void **)&d_in, bytes + row));
    CUDA_CHECK(cudaMalloc((void **)&d_out, bytes + row));
    CUDA_CHECK(cudaMemcpy(d_in, h_in, bytes + row, cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemset(d_out, 0xff, bytes + row));
    launch(batch, length, d_in, d_in + n, d_out);
    /* compare the batch, its margin and its inputs */
    CUDA_CHECK(cudaMemcpy(h_got, d_out, bytes + row, cudaMemcpyDeviceToHost));
    for (size_t i = 0; i < n; i++)
        CHECK(h_got[i] == h_want[i],
              "%s: row %zu, column %zu is %.9g, not %.9g", name, i / length,
              i % length, h_got[i], h_want[i]);
    for (size_t i = n; i < n + length; i++)
        CHECK(isnan(h_got[i]), "%s: wrote element %zu past the end", name,
              i - n);
    CUDA_CHECK(cudaMemcpy(h_got, d_in, bytes + row, cudaMemcpyDeviceToHost));
    CHECK(memcmp(h_got, h_in, bytes + row) == 0, "%s: an input changed", name);
    CUDA_CHECK(cudaFree(d_in));
    CUDA_CHECK(cudaFree(d_out));
    free(h_in);
    free(h_got);
    free(h_want);
}

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("batch", 8, 1, 1 << 24),
                         ARG_SIZE("length", 1000, 1, 1 << 24)};
    uint64_t seed = args_parse(argc, argv, "a bias for each row of a batch",
                               args, ARG_COUNT(args));
    int batch = (int)args[0].value, length = (int)args[1].value;

    CHECK((size_t)batch * length <= 1 << 28, "%d x %d elements are too many",
          batch, length);
    try_layout("by row", launch_by_row, batch, length, seed);
    try_layout("by tile", launch_by_tile, batch, length, seed);
    printf("ok: %d x %d both ways; by row, %d of 132 SMs get no block\n", batch,
           length, idle_sms((size_t)batch, 132));
    return 0;
}
