"""Chapter 6: the latency of a load against the size of what is loaded."""

import style

table = style.rows("memory")
fig, axes = style.figure(height=340)

size, cycles = style.series(table, "chase", "cycles")
axes.plot(size, cycles, color=style.BLUE, marker="o", markersize=4)
shared = style.series(table, "chase_shared", "cycles")[1][0]
axes.plot([size[0], 228 * 1024], [shared] * 2, color=style.GREEN,
          linestyle="--")
axes.annotate("shared memory: dashed", (size[0], shared), xytext=(0, 12),
              textcoords="offset points", color=style.GREEN)
for edge, label in [(256 << 10, "L1: 256 KiB"), (60 << 20, "L2: 60 MiB")]:
    axes.axvline(edge, color=style.MUTED, linestyle=":", linewidth=1.2)
    axes.annotate(label, (edge, 1.0), xycoords=("data", "axes fraction"),
                  xytext=(-6, -14), textcoords="offset points", ha="right",
                  color=style.MUTED)
axes.set_xscale("log", base=2)
axes.set_ylim(0, 1.1 * max(cycles))
style.powers_of_two(axes.xaxis, step=2)
axes.set_xlabel("bytes that the chain leads through")
axes.set_title("cycles for a load", loc="left")

style.save(fig, __file__,
           "Cycles for a load against the bytes that the chain of pointers "
           "leads through: a low plateau up to the size of L1, a second one, "
           "several times as high, up to about half of L2, and from there a "
           "rise to a third, twice as high again, for device memory.")
