"""Chapter 4: instructions per cycle of an SM against its number of warps."""

import style

table = style.rows("simt")
fig, axes = style.figure(height=340)

style.lines(axes, table, "ipc", [
    ("chains", "four chains of multiply-adds in a thread", style.GREEN, "^"),
    ("chain", "one chain", style.BLUE, "o"),
    ("chase", "loads from L2, each waiting for the last", style.ORANGE, "s")])
axes.axhline(4, color=style.MUTED, linestyle=":", linewidth=1.2)
axes.annotate("four schedulers", (64, 4), xytext=(0, 4), ha="right",
              textcoords="offset points", color=style.MUTED)
axes.set_xticks([1, 8, 16, 24, 32, 40, 48, 56, 64])
axes.set_xlim(0, 66)
axes.set_ylim(0, 4.5)
axes.set_xlabel("warps on the SM")
axes.set_title("instructions per cycle of the SM", loc="left")
axes.legend(loc="center right")

style.save(fig, __file__,
           "Instructions per cycle against the number of warps on an SM. One "
           "chain of multiply-adds in each thread comes close to four with "
           "sixteen warps, four chains with eight; dependent loads from L2 "
           "stay far below with any number.")
