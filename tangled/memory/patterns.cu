/* patterns: predict what a strided read costs, and make it. */
#include <stdio.h>

#include "memory/probes.cuh"
#include "tour/args.h"

/* check a strided read */
static void check_strided(int n, int stride, int shift, uint64_t seed)
{
    float *h = (float *)check_alloc(n, sizeof *h), *d_y;
    float *d_x = small_floats((size_t)(n - 1) * stride + shift + 1, seed);

    CUDA_CHECK(cudaMalloc((void **)&d_y, n * sizeof *d_y));
    CUDA_CHECK(cudaMemset(d_y, 0xff, n * sizeof *d_y));
    read_strided<<<blocks_for((size_t)n, 1024), 256>>>(n, stride, shift, d_x,
                                                       d_y);
    CUDA_LAUNCH_CHECK();
    CUDA_CHECK(cudaMemcpy(h, d_y, n * sizeof *h, cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; i++)
        CHECK(h[i] == small_at(seed, (uint64_t)i * stride + shift),
              "stride %d, shift %d: y[%d] is %g", stride, shift, i, h[i]);
    CUDA_CHECK(cudaFree(d_x));
    CUDA_CHECK(cudaFree(d_y));
    free(h);
}

int main(int argc, char **argv)
{
    struct arg args[] = {
        ARG_SIZE("stride", 1, 0, 1024), ARG_SIZE("shift", 0, 0, 1024),
        ARG_SIZE("n", 1024, 1, 1 << 20), ARG_NUMBER("--banks", 0, 4, 16)};
    uint64_t seed =
        args_parse(argc, argv, "read with a stride", args, ARG_COUNT(args));
    int stride = (int)args[0].value, shift = (int)args[1].value;
    int size = (int)args[3].value;

    if (size == 0) {
        check_strided((int)args[2].value, stride, shift, seed);
        printf("predicted: %d sectors\n",
               predict_sectors(4 * shift, 4 * stride, 4, 32));
        return 0;
    }
    /* read shared memory with elements of that size */
    CHECK(size == 4 || size == 8 || size == 16,
          "an element has 4, 8 or 16 bytes, not %d", size);
    if (size == 4)
        run_banks<float>(stride, 2, 16, seed);
    else if (size == 8)
        run_banks<float2>(stride, 2, 16, seed);
    else
        run_banks<float4>(stride, 2, 16, seed);
    printf("predicted: %d passes\n", predict_passes(size, stride));
    return 0;
}
