/* smid: on which SM did each block run? */
#include <stdio.h>

#include "kernels/launch.h"
#include "simt/where.cuh"
#include "tour/args.h"

/* note the SM of every warp */
__global__ void note_sm(unsigned *out)
{
    int warps = (blockDim.x + WARP - 1) / WARP;

    if (my_lane() == 0)
        out[(size_t)blockIdx.x * warps + my_warp()] = sm_id();
}

/* compare the warps of each block */
static unsigned compare(const unsigned *sm, int blocks, int warps, int show)
{
    unsigned used = 0;

    for (int b = 0; b < blocks; b++) {
        const unsigned *mine = sm + (size_t)b * warps;
        int first = 1;

        for (int w = 0; w < warps; w++)
            CHECK(mine[w] == mine[0] && mine[w] != UINT32_MAX,
                  "block %d: warp 0 was on SM %d, warp %d on %d", b,
                  (int)mine[0], w, (int)mine[w]);
        for (int other = 0; other < b && first; other++)
            first = sm[(size_t)other * warps] != mine[0];
        used += first;
        if (show)
            printf("block %d: SM %u\n", b, mine[0]);
    }
    return used;
}

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("blocks", 264, 1, 65535),
                         ARG_SIZE("threads", 128, 1, 1024), ARG_FLAG("--show")};
    int blocks, warps, device, sms;

    args_parse(argc, argv, "the SM of each block", args, ARG_COUNT(args));
    blocks = (int)args[0].value;
    warps = (int)ceil_div((size_t)args[1].value, WARP);
    /* launch and read the numbers back */
    size_t bytes = (size_t)blocks * warps * sizeof(unsigned);
    unsigned *h = (unsigned *)check_alloc(bytes, 1), *d;

    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(
        cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device));
    CUDA_CHECK(cudaMalloc((void **)&d, bytes));
    CUDA_CHECK(cudaMemset(d, 0xff, bytes));
    note_sm<<<blocks, (unsigned)args[1].value>>>(d);
    CUDA_LAUNCH_CHECK();
    CUDA_CHECK(cudaMemcpy(h, d, bytes, cudaMemcpyDeviceToHost));
    printf("ok: %d blocks of %d warps, each whole on one SM; "
           "%u of %d SMs used\n",
           blocks, warps, compare(h, blocks, warps, args[2].value != 0), sms);
    CUDA_CHECK(cudaFree(d));
    free(h);
    return 0;
}
