/* judge: our occupancy against cuda_occupancy.h of the toolkit, for random
   kernels on every SM of the table. For tests/measure.t; needs nvcc, no GPU. */
#include <stdio.h>

#include <cuda_occupancy.h>

#include "measure/occupancy.h"
#include "tour/args.h"
#include "tour/check.h"
#include "tour/rng.h"

/* ask the judge */
static cudaOccResult judged(int cc, const struct occupancy_sm *sm,
                            const struct occupancy_kernel *k)
{
    cudaOccDeviceProp p;
    cudaOccFuncAttributes f = {};
    cudaOccDeviceState state = {};
    cudaOccResult r;
    cudaOccError e;

    /* describe the SM to the judge */
    p.computeMajor = cc / 10;
    p.computeMinor = cc % 10;
    p.maxThreadsPerBlock = 1024;
    p.maxThreadsPerMultiprocessor = 32 * sm->warps;
    p.regsPerBlock = p.regsPerMultiprocessor = sm->registers;
    p.warpSize = 32;
    p.sharedMemPerBlock = 48 << 10;
    p.sharedMemPerMultiprocessor = sm->shared;
    p.numSms = 132;
    p.sharedMemPerBlockOptin = sm->shared_block;
    p.reservedSharedMemPerBlock = sm->reserved;
    f.maxThreadsPerBlock = 1024;
    f.numRegs = k->registers;
    f.sharedSizeBytes = k->shared;
    f.maxDynamicSharedSizeBytes = 0;
    f.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
    f.partitionedGCConfig = PARTITIONED_GC_OFF;
    state.carveoutConfig = SHAREDMEM_CARVEOUT_MAX_SHARED;
    e = cudaOccMaxActiveBlocksPerMultiprocessor(&r, &p, &f, &state, k->threads,
                                                0);
    CHECK(e == CUDA_OCC_SUCCESS, "the judge refuses: error %d", (int)e);
    return r;
}

/* try random kernels on an SM */
static void try_sm(int cc, int kernels, uint64_t seed)
{
    struct occupancy_sm sm;

    CHECK(occupancy_sm(cc / 10, cc % 10, &sm), "no SM %d", cc);
    for (int i = 0; i < kernels; i++) {
        struct occupancy_kernel k = {1 + (int)rng_below(&seed, 1024),
                                     1 + (int)rng_below(&seed, 255),
                                     rng_below(&seed, 2048)};
        cudaOccResult r;
        struct occupancy o;

        if (i % 2)
            k.shared = rng_below(&seed, (uint32_t)sm.shared_block + 1);
        r = judged(cc, &sm, &k);
        o = occupancy_of(&sm, &k);
        /* compare with the judge */
        CHECK(o.by_blocks == r.blockLimitBlocks &&
                  o.by_warps == r.blockLimitWarps &&
                  o.by_registers == r.blockLimitRegs &&
                  o.by_shared == r.blockLimitSharedMem &&
                  o.blocks == r.activeBlocksPerMultiprocessor,
              "%d threads, %d registers, %zu bytes on SM %d: blocks %d/%d, "
              "registers "
              "%d/%d, shared %d/%d, warps %d/%d, all %d/%d",
              k.threads, k.registers, k.shared, cc, o.by_blocks,
              r.blockLimitBlocks, o.by_registers, r.blockLimitRegs, o.by_shared,
              r.blockLimitSharedMem, o.by_warps, r.blockLimitWarps, o.blocks,
              r.activeBlocksPerMultiprocessor);
    }
}

/* try random kernels on every SM */
int main(int argc, char **argv)
{
    struct arg args[] = {ARG_SIZE("kernels", 10000, 1, 1 << 26)};
    uint64_t seed = args_parse(argc, argv, "compare with cuda_occupancy.h",
                               args, ARG_COUNT(args));
    static const int cards[] = {75, 80, 86, 87, 89, 90, 100, 103, 120};

    for (unsigned i = 0; i < sizeof cards / sizeof *cards; i++)
        try_sm(cards[i], (int)args[0].value, seed + i);
    printf("ok: %lld kernels on each of 9 SMs, all limits agree\n",
           (long long)args[0].value);
    return 0;
}
