/* turn: every 32 numbers turned left by one, a warp a row. */
#include <stdio.h>

#include "kernels/launch.h"
#include "tour/args.h"
#include "tour/rng.h"

/* turn the numbers of a warp */
/* out[i] = in[next lane of i's warp]: 32 numbers turned left by one. n is a
   multiple of 32; blocks of WARPS warps. */
enum { WARPS = 4 };

__global__ void turn_warps(int n, const int *in, int *out)
{
    __shared__ int row[WARPS][32];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;

    if (i - lane >= n) /* the whole warp leaves together */
        return;
    row[warp][lane] = in[i];
    __syncwarp();
    out[i] = row[warp][(lane + 1) % 32];
}

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("rows", 50, 1, 1 << 20)};
    uint64_t seed = args_parse(argc, argv, "turn rows of 32 numbers", args,
                               ARG_COUNT(args));
    int n = 32 * (int)args[0].value;
    int *h_in = (int *)check_alloc((size_t)n, 2 * sizeof *h_in), *d_in;
    int *h_out = h_in + n;

    for (int i = 0; i < n; i++)
        h_in[i] = (int)(rng_at(seed, (uint64_t)i) % 1000);
    /* turn on the device and compare */
    CUDA_CHECK(cudaMalloc((void **)&d_in, 2 * (size_t)n * sizeof *d_in));
    CUDA_CHECK(cudaMemset(d_in + n, 0xff, (size_t)n * sizeof *d_in));
    CUDA_CHECK(cudaMemcpy(d_in, h_in, (size_t)n * sizeof *d_in,
                          cudaMemcpyHostToDevice));
    turn_warps<<<blocks_for((size_t)n, 32 * WARPS), 32 * WARPS>>>(n, d_in,
                                                                  d_in + n);
    CUDA_LAUNCH_CHECK();
    CUDA_CHECK(cudaMemcpy(h_out, d_in + n, (size_t)n * sizeof *d_in,
                          cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; i++)
        CHECK(h_out[i] == h_in[i / 32 * 32 + (i + 1) % 32],
              "row %d, place %d: %d, not %d", i / 32, i % 32, h_out[i],
              h_in[i / 32 * 32 + (i + 1) % 32]);
    CUDA_CHECK(cudaFree(d_in));
    free(h_in);
    printf("ok: %d rows turned\n", n / 32);
    return 0;
}
