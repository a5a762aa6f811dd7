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
    ("deep", 128, 256, PEAK), ("bulk", 128, 256, PEAK),
]
COLOURS = [style.ORANGE, style.GOLD, style.GREEN, style.TEAL, style.BLUE]

value = {(v, s, m): x for v, s, m, x in style.rows("gemm")}
memory = {(v, s, m): x for v, s, m, x in style.rows("memory")}
l2, dram = memory["l2", 0, "tbps"], memory["memory", 0, "tbps"]
fig, axes = style.figure(height=420)
xs = [2 ** (e / 8) for e in range(8, 57)]
axes.plot(xs, [min(l2 * x, PEAK) for x in xs], color=style.INK, linewidth=1.4,
          label="L2 and the peak")
axes.plot(xs, [min(dram * x, PEAK) for x in xs], color=style.MUTED,
          linestyle="--", linewidth=1.2, label="device memory")
for k, (rung, m, n, ceiling) in enumerate(TILES):
    if (rung, N, "tflops") not in value:
        continue
    x = m * n / (2 * (m + n))
    colour = COLOURS[k % len(COLOURS)]
    axes.plot([x], [value[rung, N, "tflops"]], linestyle="", color=colour,
              marker="osD^vPX<>h"[k], label=rung)
    if ceiling < PEAK:
        axes.plot([x / 1.2, x * 1.2], [ceiling, ceiling], color=colour,
                  linestyle=":", linewidth=1.6)
axes.set_xscale("log", base=2)
axes.set_yscale("log", base=2)
axes.set_xlim(2, 128)
axes.set_ylim(4, 80)
axes.set_xlabel("operations for each byte that a block loads")
axes.set_title("TFLOP/s at 4096", loc="left")
style.plain_numbers(axes.xaxis)
style.plain_numbers(axes.yaxis)
style.legend_below(fig, 5)
fig.get_layout_engine().set(rect=(0, 0.12, 1, 0.88))  # two rows of names

style.save(fig, __file__,
           "Operations per second against operations for each byte that a "
           "block loads, both scales logarithmic. A solid roof rises with the "
           "bandwidth of L2 to the peak of multiply-adds, a dashed one with "
           "that of device memory. The rungs stand in columns by their tiles, "
           "all under the flat part of the L2 roof or right of its slope. "
           "Short dotted lines are the ceilings of the load unit above tiled "
           "and column; the later rungs climb toward the peak.")
