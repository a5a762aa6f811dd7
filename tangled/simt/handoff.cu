/* handoff: lane 0 waits for lane 31 of its own warp. */
#include <stdio.h>

#include "kernels/launch.h"
#include "simt/where.cuh"
#include "tour/args.h"

/* hand over from the last lane to the first */
/* flags: one a warp, 0 at first; got: one a warp. */
__global__ void hand_over(int *flags, int *got)
{
    int warp = (blockIdx.x * blockDim.x + threadIdx.x) / WARP;

    if (my_lane() == 0) {
        while (atomicAdd(&flags[warp], 0) == 0)
            ; /* lane 31 must get its turn, or this never ends */
        got[warp] = warp + 1;
    } else if (my_lane() == WARP - 1) {
        atomicExch(&flags[warp], 1);
    }
}

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("blocks", 2, 1, 1024),
                         ARG_SIZE("warps", 2, 1, 32)};
    int n, *d, h[32 * 1024];

    args_parse(argc, argv, "lane 0 waits", args, ARG_COUNT(args));
    n = (int)(args[0].value * args[1].value);
    CUDA_CHECK(cudaMalloc((void **)&d, 2 * (size_t)n * sizeof *d));
    CUDA_CHECK(cudaMemset(d, 0, 2 * (size_t)n * sizeof *d));
    hand_over<<<(unsigned)args[0].value, (unsigned)args[1].value * WARP>>>(
        d, d + n);
    CUDA_LAUNCH_CHECK();
    CUDA_CHECK(cudaMemcpy(h, d + n, n * sizeof *h, cudaMemcpyDeviceToHost));
    for (int w = 0; w < n; w++)
        CHECK(h[w] == w + 1, "warp %d has handed over %d", w, h[w]);
    printf("ok: in %d warps lane 0 waited for lane 31\n", n);
    CUDA_CHECK(cudaFree(d));
    return 0;
}
