/* bgemm: products of matrices of bf16 by every rung, beside the reference. */
#include "gemm/kept.cuh"
#include "tensor/rungs.cuh"
#include "tensor/trial.cuh"

/* make every product once */
static void by_first(RUNG_TAKES)
{
    by_bgemm(RUNG_PASSES, stream);
    keep(m, n, c, ldc);
}

/* As on a GPU without tensor cores for bf16. */
static void by_plain(RUNG_TAKES)
{
    struct bgemm old = ladder.h;

    old.major = 7;
    if ((double)m * n * k <= 1e6)
        bgemm(&old, RUNG_PASSES, stream);
    else
        take_kept(m, n, c, ldc);
}

/* What is for one layout only. */
template <void (*RUNG)(RUNG_TAKES)>
static void plain(RUNG_TAKES)
{
    if (ta == 'N' && tb == 'N')
        RUNG(RUNG_PASSES, stream);
    else
        take_kept(m, n, c, ldc);
}

static const struct way16 ways[] = {
    {"bgemm", by_first, 0},
    {"wmma", by_wmma, 0},
    {"mma", by_fragments, 0},
    {"plain", by_plain, 0},
    {"tma", plain<by_copies>, 1},
    {"roles", plain<by_groups<group_tile<128, 128, 2, 4, 1>, 0, 1>>, 1},
    {"wide", plain<by_groups<group_tile<128, 256, 2, 4, 1>, 0, 2>>, 1},
    {"cluster", plain<by_groups<group_tile<128, 256, 2, 4, 2>, 1, 2>>, 1},
    {"large", by_tile<tile_large>, 1},
    {"medium", by_tile<tile_medium>, 1},
    {"small", by_tile<tile_small>, 1},
    {"least", by_tile<tile_least>, 1},
    {"parts", plain<by_groups<tile_parts, 1, 2>>, 1},
    {"tall", plain<by_groups<group_tile<128, 128, 1, 4, 1, 2>, 0, 1>>, 1},
    {"two", plain<by_groups<tile_two, 1, 2>>, 1},
    {"least_two", plain<by_groups<tile_least_two, 1, 2>>, 1},
    {"quarters", plain<by_groups<group_tile<64, 128, 1, 4, 1, 4>, 0, 1>>, 1},
    {"side", plain<by_groups<tile_side, 1, 2>>, 1},
    {"flat", plain<by_groups<tile_flat, 1, 2>>, 1},
    {NULL, NULL, 0}};

int main(int argc, char **argv)
{
    ladder.h = bgemm_make();
    if (ladder.h.major < 8)
        return printf("ok: no tensor cores for bf16 here\n"), 0;
    ladder.h.sms = 4; /* so that blocks take several tiles */
    return try_ways16(argc, argv, ways, ladder.h.has_wgmma);
}
