"""Chapter 19: the gate in separate kernels and in one, from 2^10 to 2^26."""

import style

table = style.rows("cudnn")
fig, axes = style.figure(columns=1, height=380)

style.lines(axes, table, "us", [
    ("gate_separate", "separate", style.ORANGE, "^"),
    ("gate_separate_graph", "the same, graph", style.PURPLE, "v"),
    ("gate_own", "fused", style.BLUE, "o"),
    ("gate_own_graph", "fused, graph", style.TEAL, "D"),
    ("gate_fused", "cuDNN", style.GREEN, "s"),
    ("gate_copy", "copy", style.MUTED, "."),
])
axes.set_xscale("log")
axes.set_yscale("log")
axes.set_title("µs, by how many numbers", loc="left")
style.powers_of_two(axes.xaxis, step=2)
style.plain_numbers(axes.yaxis)
style.legend_below(fig, 6)

style.save(fig, __file__,
           "Times of the gate against its size from 2 to the 10 to 2 to the 26, "
           "both logarithmic. Up to about 2 to the 18 numbers all lines are "
           "nearly flat: launches. From 2 to the 22 on all rise with the bytes: the "
           "fused kernels lie on the copy, the separate ones at more than twice "
           "its time.")
