"""Chapter 14: each rung under three roofs: L2, the load unit, multiply-adds.

A rung's operations per byte are counted from its tiles: a block of M x N loads
4 (M + N) bytes for 2 M N operations.
"""

import style

N = 4096
PEAK = 66.9  # TFLOP/s
TILES = [  # rung, its tile, its ceiling by the load unit in TFLOP/s, if lower
    ("tiled", 32, 32, PEAK * 0.25 / 1.625), ("column", 64, 64, PEAK * 0.25 / 1.125),
    ("square", 128, 128, PEAK), ("vectors", 128, 128, PEAK),
    ("warps", 128, 128, PEAK), ("snake", 128, 128, PEAK),
    ("pairs", 128, 128, PEAK), ("wide", 128, 256, PEAK),
    ("bulk", 128, 128, PEAK), ("bulk_wide", 128, 256, PEAK),
]

value = {(v, s, m): x for v, s, m, x in style.rows("gemm")}
memory = {(v, s, m): x for v, s, m, x in style.rows("memory")}
l2, dram = memory["l2", 0, "tbps"], memory["memory", 0, "tbps"]
fig, axes = style.figure(height=420)
xs = [2 ** (e / 8) for e in range(8, 57)]
axes.plot(xs, [min(l2 * x, PEAK) for x in xs], color=style.INK, linewidth=1.4,
          label="L2 and the peak")
axes.plot(xs, [min(dram * x, PEAK) for x in xs], color=style.MUTED,
          linestyle="--", linewidth=1.2, label="device memory")
columns = {}
for rung, m, n, ceiling in TILES:
    if (rung, N, "tflops") not in value:
        continue
    x, y = m * n / (2 * (m + n)), value[rung, N, "tflops"]
    axes.plot([x], [y], linestyle="", color=style.BLUE, marker="o")
    columns.setdefault(x, []).append((y, rung))
    if ceiling < PEAK:
        axes.plot([x / 1.2, x * 1.2], [ceiling, ceiling], color=style.BLUE,
                  linestyle=":", linewidth=1.6)

# Names stand beside the dots, none nearer than GAP to the one below it.
GAP = 1.13
for x, dots in columns.items():
    at, side = 0, 1 if x > 40 else -1
    for y, rung in sorted(dots):
        at = max(y * 0.97, at * GAP)
        axes.annotate(rung, (x, y), (x * 1.13 ** side, at), va="center",
                      ha="left" if side > 0 else "right", fontsize=11,
                      arrowprops={"arrowstyle": "-", "color": style.MUTED,
                                  "linewidth": 0.6, "shrinkB": 3})
axes.set_xscale("log", base=2)
axes.set_yscale("log", base=2)
axes.set_xlim(2, 128)
axes.set_ylim(4, 100)
axes.set_xlabel("operations for each byte that a block loads")
axes.set_title("TFLOP/s at 4096", loc="left")
style.plain_numbers(axes.xaxis)
style.plain_numbers(axes.yaxis)
style.legend_below(fig, 2)

style.save(fig, __file__,
           "Operations per second against operations for each byte that a "
           "block loads, both scales logarithmic. A solid roof rises with the "
           "bandwidth of L2 to the peak of multiply-adds, a dashed one with "
           "that of device memory. The rungs stand in columns by their tiles, "
           "all under the flat part of the L2 roof or right of its slope. "
           "Short dotted lines are the ceilings of the load unit above tiled "
           "and column; the later rungs climb toward the peak.")
