/* bgemm: products of matrices of bf16 by every rung, beside the reference. */
#include "tensor/rungs.cuh"
#include "tensor/trial.cuh"

static const struct way16 ways[] = {
    {"bgemm", by_bgemm, 0},
    {"wmma", by_wmma, 0},
    {"mma", by_fragments, 0},
    {"tma", by_copies, 1},
    {"roles", by_groups<group_tile<128, 128, 2, 4, 1>, 0, 1>, 1},
    {"wide", by_groups<group_tile<128, 256, 2, 4, 1>, 0, 2>, 1},
    {"cluster", by_groups<group_tile<128, 256, 2, 4, 2>, 1, 2>, 1},
    {"large", by_tile<tile_large>, 1},
    {"medium", by_tile<tile_medium>, 1},
    {"small", by_tile<tile_small>, 1},
    {"least", by_tile<tile_least>, 1},
    {"parts", by_groups<tile_parts, 1, 2>, 1},
    {"two", by_groups<tile_two, 1, 2>, 1},
    {"least_two", by_groups<tile_least_two, 1, 2>, 1},
    {"quarters", by_groups<group_tile<64, 128, 1, 4, 1, 4>, 0, 1>, 1},
    {"side", by_groups<tile_side, 1, 2>, 1},
    {"flat", by_groups<tile_flat, 1, 2>, 1},
    {NULL, NULL, 0}};

int main(int argc, char **argv)
{
    ladder.h = bgemm_make();
    if (ladder.h.major < 8)
        return printf("ok: no tensor cores for bf16 here\n"), 0;
    ladder.h.sms = 4; /* so that blocks take several tiles */
    return try_ways16(argc, argv, ways, ladder.h.has_wgmma);
}
