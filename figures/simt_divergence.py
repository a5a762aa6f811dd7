"""Chapter 4: time against the number of paths, within warps and by warps."""

import style

table = style.rows("simt")
fig, axes = style.figure(height=320)

style.lines(axes, table, "us", [
    ("within", "within each warp", style.ORANGE, "s"),
    ("by_warps", "by warps", style.BLUE, "o")])
axes.plot([1, 32], [8.28, 32 * 8.28], color=style.MUTED, linestyle=":",
          linewidth=1.2, label="floor within a warp")
axes.set_xticks([1, 4, 8, 12, 16, 20, 24, 28, 32])
axes.set_xlim(0, 33)
axes.set_ylim(bottom=0)
axes.set_xlabel("different paths")
axes.set_title("time of a call, µs", loc="left")
axes.legend()

style.save(fig, __file__,
           "Time of a kernel against the number of different paths that its "
           "threads take. With the paths within each warp it grows in "
           "proportion; with the same paths given to whole warps it hardly "
           "grows.")
