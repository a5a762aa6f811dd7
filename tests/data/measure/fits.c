/* fits.c: what measure/occupancy.c knows of each SM, and a sum over all that fits. judge.cu
   compares the same with NVIDIA's header, where nvcc is. */
#include "measure/occupancy.h"

#include <stdio.h>

#include "tour/rng.h"

int main(void)
{
    static const int threads[] = {1, 31, 32, 33, 64, 65, 96, 128, 129, 192, 256, 512, 768, 1000, 1024, 1025};
    static const int registers[] = {0, 1, 8, 24, 32, 33, 40, 63, 64, 65, 128, 168, 255, 256};
    static const size_t shared[] = {0, 1, 1000, 1024, 8192, 33 << 10, 48 << 10, 64 << 10, (64 << 10) + 1,
                                    99 << 10, (99 << 10) + 1, 163 << 10, (163 << 10) + 1, 227 << 10, (227 << 10) + 1};

    for (int cc = 0; cc < 200; cc++) {
        struct occupancy_sm s;
        uint64_t sum[7] = {0};

        if (!occupancy_sm(cc / 10, cc % 10, &s))
            continue;
        printf("%d: %d %d %d %d %d %zu %zu %zu %zu", cc, s.warps, s.blocks, s.registers, s.partitions,
               s.register_unit, s.shared, s.shared_block, s.shared_unit, s.reserved);
        for (int t = 0; t < 16; t++)
            for (int r = 0; r < 14; r++)
                for (int k = 0; k < 15; k++) {
                    struct occupancy_kernel kernel = {threads[t], registers[r], shared[k]};
                    struct occupancy o = occupancy_of(&s, &kernel);
                    const long long part[] = {o.by_blocks, o.by_registers, o.by_shared, o.by_warps,
                                              o.blocks, o.warps, (long long)(o.percent * 1e6 + 0.5)};

                    for (int i = 0; i < 7; i++)
                        sum[i] = rng_mix(sum[i] + (uint64_t)part[i]);
                }
        for (int i = 0; i < 7; i++)
            printf(" %08x", (unsigned)sum[i]);
        printf("\n");
    }
    /* without what the runtime keeps for itself, a block may need no shared memory at all */
    struct occupancy_sm s = {64, 32, 65536, 4, 256, 1 << 16, 1 << 16, 128, 0};
    struct occupancy_kernel none = {32, 0, 0};
    struct occupancy o = occupancy_of(&s, &none);

    printf("%d %d %d; %g %g\n", o.by_registers, o.by_shared, o.blocks, occupancy_waves(12800, 46, 4),
           occupancy_waves(1, 1, 3));
    return 0;
}
