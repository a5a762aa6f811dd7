"""Chapter 14: the ladder over sizes, in TFLOP/s and beside cuBLAS."""

import style

SIZES = (512, 1024, 2048, 4096, 8192)
table = [r for r in style.rows("gemm") if r[1] in SIZES]
there = {r[0] for r in table}
fig, (rate, share) = style.figure(columns=2, height=380)

LINES = [line for line in [  # variant, its name in the book, colour, marker
    ("library", "cuBLAS", style.PURPLE, "^"),
    ("sgemm", "sgemm", style.INK, "P"),
    ("bulk", "bulk", style.TEAL, "X"),
    ("pairs", "pairs", style.GREEN, "D"),
    ("snake", "snake", style.BLUE, "o"),
    ("warps", "warps", style.GOLD, "s"),
    ("vectors", "vectors", style.ORANGE, "v"),
    ("square", "square", style.MUTED, "<"),
    ("column", "column", style.RULE, ">"),
] if line[0] in there]

style.lines(rate, table, "tflops", LINES)
rate.axhline(66.9, color=style.MUTED, linestyle="--", linewidth=1.2)
rate.set_ylim(0, 70)
rate.set_title("TFLOP/s, and the peak", loc="left")

style.lines(share, table, "of_cublas", LINES[1:])
share.axhline(100, color=style.PURPLE, linewidth=1.2)
share.set_ylim(0, 200)
share.set_title("speed, % of cuBLAS's", loc="left")

for axes in (rate, share):
    axes.set_xscale("log", base=2)
    axes.set_xlabel("rows and columns")
    style.powers_of_two(axes.xaxis, step=1)
style.legend_below(fig, 5)
fig.get_layout_engine().set(rect=(0, 0.14, 1, 0.86))  # two rows of names

style.save(fig, __file__,
           "Two plots against the size of the matrices, from 512 to 8192. "
           "Left, in TFLOP/s: cuBLAS rises to three quarters of the dashed "
           "peak; the rungs of the ladder lie below it in their order, the "
           "last ones close to it from 2048 on. Right: the same as shares of "
           "cuBLAS.")
