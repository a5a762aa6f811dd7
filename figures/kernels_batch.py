"""Chapter 3: a batch of fixed total size, by row and by tile."""

import style

table = style.rows("kernels")
fig, axes = style.figure(height=320)
fig.set_figwidth(4.5)

style.lines(axes, table, "gbps", [
    ("batch_by_tile", "block for each tile", style.BLUE, "o"),
    ("batch_by_row", "block for each row", style.ORANGE, "s")])
axes.axvline(132, color=style.MUTED, linestyle=":")
axes.annotate("132 SMs", (132, 0), xytext=(6, 8), textcoords="offset points",
              color=style.MUTED)
axes.set_xscale("log", base=2)
axes.set_ylim(bottom=0)
style.powers_of_two(axes.xaxis, step=3)
axes.set_xlabel("rows in the batch")
axes.set_title("bytes moved per second, GB/s", loc="left")
style.legend_below(fig, 2)

style.save(fig, __file__,
           "Bandwidth against the number of rows of a batch of 2^24 elements. "
           "With a block for each row it is low for few rows, highest in the "
           "middle and low again for very many; with a block for each tile it "
           "is even, but for a drop at a single row.")
