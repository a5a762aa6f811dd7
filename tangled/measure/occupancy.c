#include "measure/occupancy.h"

#include <limits.h>

/* list the SMs */
/* CUDA C++ Programming Guide, technical specifications. */
static const struct {
    int capability, warps, blocks, shared_kib;
} sms[] = {
    {75, 32, 16, 64},   {80, 64, 32, 164},  {86, 48, 16, 100},
    {87, 48, 16, 164},  {89, 48, 24, 100},  {90, 64, 32, 228},
    {100, 64, 32, 228}, {103, 64, 32, 228}, {120, 48, 24, 100},
};

int occupancy_sm(int major, int minor, struct occupancy_sm *sm)
{
    for (unsigned i = 0; i < sizeof sms / sizeof *sms; i++)
        if (sms[i].capability == 10 * major + minor) {
            size_t shared = (size_t)sms[i].shared_kib << 10;
            size_t own = major < 8 ? 0 : 1024;

            *sm = (struct occupancy_sm){
                sms[i].warps, sms[i].blocks,         65536, 4, 256, shared,
                shared - own, major < 8 ? 256 : 128, own};
            return 1;
        }
    return 0;
}

/* round up to a unit */
static size_t round_up(size_t n, size_t unit)
{
    return (n + unit - 1) / unit * unit;
}

/* count the blocks that registers allow */
static int by_registers(const struct occupancy_sm *sm, int warps, int registers)
{
    int warp = (int)round_up(32 * (size_t)registers, sm->register_unit);
    int all = (int)round_up(warps, sm->partitions);
    int fit;

    if (warp == 0)
        return INT_MAX;
    if (registers > 255 || all * warp > sm->registers)
        return 0;
    fit = sm->registers / sm->partitions / warp; /* in one partition */
    return fit * sm->partitions / warps;
}

/* count the blocks that shared memory allows */
static int by_shared(const struct occupancy_sm *sm, size_t shared)
{
    size_t block = round_up(shared + sm->reserved, sm->shared_unit);

    if (block == 0)
        return INT_MAX;
    if (shared > sm->shared_block)
        return 0;
    return (int)(sm->shared / block);
}

/* find the smallest limit */
static int least(int a, int b)
{
    return a < b ? a : b;
}

struct occupancy occupancy_of(const struct occupancy_sm *sm,
                              const struct occupancy_kernel *kernel)
{
    int warps = (kernel->threads + 31) / 32;
    struct occupancy o;

    o.by_blocks = sm->blocks;
    o.by_registers = by_registers(sm, warps, kernel->registers);
    o.by_shared = by_shared(sm, kernel->shared);
    o.by_warps = kernel->threads > 1024 ? 0 : sm->warps / warps;
    o.blocks = least(least(o.by_blocks, o.by_registers),
                     least(o.by_shared, o.by_warps));
    o.warps = o.blocks * warps;
    o.percent = 100.0 * o.warps / sm->warps;
    return o;
}

double occupancy_waves(long long grid, int sms, int each)
{
    return (double)grid / ((double)sms * each);
}
