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
static int compare(const unsigned *sm, int blocks, int warps)
{
    static char seen[SM_MOST];
    int used = 0;

    for (int b = 0; b < blocks; b++, sm += warps) {
        CHECK(sm[0] < SM_MOST, "block %d says that it was on SM %u", b, sm[0]);
        for (int w = 1; w < warps; w++)
            CHECK(sm[w] == sm[0],
                  "block %d: warp 0 was on SM %u, warp %d on %u", b, sm[0], w,
                  sm[w]);
        used += !seen[sm[0]];
        seen[sm[0]] = 1;
    }
    return used;
}

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("blocks", 264, 1, 65535),
                         ARG_SIZE("threads", 128, 1, 1024)};
    int blocks, warps, sms;

    args_parse(argc, argv, "the SM of each block", args, ARG_COUNT(args));
    blocks = (int)args[0].value;
    warps = (int)ceil_div((size_t)args[1].value, WARP);
    /* launch and read the numbers back */
    size_t bytes = (size_t)blocks * warps * sizeof(unsigned);
    unsigned *h = (unsigned *)check_alloc(bytes, 1), *d;

    CUDA_CHECK(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
    CUDA_CHECK(cudaMalloc((void **)&d, bytes));
    CUDA_CHECK(cudaMemset(d, 0xff, bytes));
    note_sm<<<blocks, (unsigned)args[1].value>>>(d);
    CUDA_LAUNCH_CHECK();
    CUDA_CHECK(cudaMemcpy(h, d, bytes, cudaMemcpyDeviceToHost));
    printf("ok: %d blocks of %d warps, each whole on one SM; "
           "%d of %d SMs used\n",
           blocks, warps, compare(h, blocks, warps), sms);
    CUDA_CHECK(cudaFree(d));
    free(h);
    return 0;
}
