"""Chapter 11: the time of a batch against the number of its pieces."""

import style

table = style.rows("async")
fig, axes = style.figure(height=320)

style.lines(axes, table, "ms", [("pieces", "in pieces, four streams",
                                 style.BLUE, "o")])
for variant, label, colour, dash in [
        ("alone_in", "the copy in alone", style.GREEN, "--"),
        ("in_kernel_out", "all three at once", style.ORANGE, ":")]:
    (ms,) = style.series(table, variant, "ms")[1]
    axes.axhline(ms, color=colour, linestyle=dash, label=label)
axes.set_xscale("log", base=2)
style.plain_numbers(axes.xaxis)
axes.set_ylim(bottom=0)
axes.set_xlabel("pieces")
axes.set_title("milliseconds for copy in, kernel and copy out", loc="left")
style.legend_below(fig, 3)

style.save(fig, __file__,
           "Milliseconds for a batch against the number of pieces, from 1 to 64, "
           "with the times of the copy in alone, and of copy in, kernel and copy "
           "out of three batches at once, as lines across.")
