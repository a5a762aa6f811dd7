/* guard: how many warps of a vector addition diverge? */
#include <stdio.h>

#include "simt/guard.cuh"
#include "tour/args.h"

int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("n", 1000, 0, 1 << 24)};
    uint64_t seed = args_parse(argc, argv, "who diverges at the guard", args,
                               ARG_COUNT(args));
    int n = (int)args[0].value, blocks = blocks_for((size_t)n + 1, GUARD_BLOCK);
    unsigned divided = 0, *d_divided;

    check_guard(n, seed);
    CUDA_CHECK(cudaMalloc((void **)&d_divided, sizeof divided));
    CUDA_CHECK(cudaMemset(d_divided, 0, sizeof divided));
    count_divided<<<blocks, GUARD_BLOCK>>>(n, d_divided);
    CUDA_LAUNCH_CHECK();
    CUDA_CHECK(cudaMemcpy(&divided, d_divided, sizeof divided,
                          cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaFree(d_divided));
    CHECK(divided == (n % WARP != 0), "%u warps diverge at %d", divided, n);
    printf("ok: %d elements, %d warps, %u of them divided by the guard\n", n,
           blocks * GUARD_BLOCK / WARP, divided);
    return 0;
}
