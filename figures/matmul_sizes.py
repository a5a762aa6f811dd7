"""Chapter 13: square products against size, in TFLOP/s and beside cuBLAS."""

import style

table = [r for r in style.rows("matmul") if r[1] != 1023]  # the odd one
fig, (rate, share) = style.figure(columns=2, height=360)

LINES = [  # variant, what it is called in the book, colour, marker
    ("library", "cuBLAS", style.PURPLE, "^"),
    ("tiled", "tiled", style.BLUE, "o"),
    ("tiled_tn", "tiled, A transposed", style.TEAL, "s"),
    ("coalesced", "coalesced", style.GREEN, "D"),
    ("naive", "naive", style.ORANGE, "v"),
]
PASS = 1.98e9 * 132 * 64 / 1e12  # TFLOP/s at one pass a multiply-add
PASSES = {"tiled": 1.625, "tiled_tn": 2.125, "coalesced": 2, "naive": 33}

style.lines(rate, table, "tflops", LINES)
for variant, _, colour, _ in LINES:
    if variant in PASSES:
        rate.axhline(PASS / PASSES[variant], color=colour, linestyle=":",
                     linewidth=1.2)
rate.set_yscale("log")
style.plain_numbers(rate.yaxis)
rate.set_title("TFLOP/s, and predicted ceilings", loc="left")

style.lines(share, table, "of_library", LINES[1:])
share.set_ylim(0, 100)
share.set_title("speed, % of cuBLAS's", loc="left")

for axes in (rate, share):
    axes.set_xscale("log", base=2)
    axes.set_xlabel("rows and columns")
    style.powers_of_two(axes.xaxis, step=1)
style.legend_below(fig, 5)

style.save(fig, __file__,
           "Two plots against the size of the matrices. Left, on a "
           "logarithmic scale: cuBLAS rises far above the rest; tiled, tiled "
           "with A transposed, coalesced and naive level off in this order, "
           "each somewhat below a dotted line, naive upon it. Right: as shares "
           "of cuBLAS the tiled kernels fall from nearly all to a sixth, "
           "coalesced from two fifths to a tenth, naive from a tenth to a "
           "hundredth.")
