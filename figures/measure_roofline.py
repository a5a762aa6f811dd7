"""Chapter 7: every kernel of the book that has results, under the roof.

A kernel is placed by the rows `gbps` and `gflops` of one variant and size (see
bench_flops in measure/bench.h); of each variant, the largest size counts.
Variants that print their bytes alone, and whose operations can be counted on
paper, are listed in COUNTED with their operations per byte.
"""

import glob
import os

import style

COUNTED = {
    "kernels": {"one_block": 1 / 12, "grid": 1 / 12, "stride": 1 / 12,
                "saxpy": 2 / 12, "batch_by_row": 1 / 8, "batch_by_tile": 1 / 8},
    "simt": {"rows_warp": 1 / 4, "rows_thread": 1 / 4, "rows_library": 1 / 4},
    "reduce": {"sum_tree": 1 / 4, "sum_shuffle": 1 / 4, "sum_wide": 1 / 4,
               "sum_once": 1 / 4, "sum_atomic": 1 / 4, "cub_sum": 1 / 4,
               "scan_rounds": 1 / 8, "scan_back": 1 / 8, "cub_scan": 1 / 8},
}
OWN = ("walk", "walk_ahead", "card", "memcpy", "copy", "read")  # drawn as lines, not points
COLOURS = [style.GREEN, style.PURPLE, style.GOLD, style.TEAL, style.ORANGE,
           style.BLUE]
MARKERS = "osD^vPX<>h"


def place(slug):
    """{variant: (operations per byte, GFLOP/s)} of a chapter's results."""
    table = style.rows(slug)
    rates = {(v, s, m): x for v, s, m, x in table}
    places = {}
    for v, s, m, gbps in sorted(table, key=lambda r: (r[0], r[1])):
        if m != "gbps" or slug == "measure" and v in OWN:
            continue
        gflops = rates.get((v, s, "gflops"))
        if gflops is None and v in COUNTED.get(slug, {}):
            gflops = COUNTED[slug][v] * gbps
        if gflops:
            places[v] = gflops / gbps, gflops
    return places


fig, axes = style.figure(height=420)
table = style.rows("measure")
value = {(v, s, m): x for v, s, m, x in table}
largest = max(s for v, s, m, x in table if v == "read")
steps, walked = style.series(table, "walk", "gflops")
read = value["read", largest, "gbps"]
xs = [2 ** (e / 4) for e in range(-20, 49)]
peak = value["card", 0, "gbps"], 1e3 * value["card", 0, "tflops"]
axes.plot(xs, [min(peak[0] * x, peak[1]) for x in xs], color=style.MUTED,
          linestyle="--", linewidth=1.2, label="peaks")
axes.plot(xs, [min(read * x, max(walked)) for x in xs], color=style.INK,
          linewidth=1.4, label="ceilings")
axes.plot([k / 4 for k in steps], walked, color=style.BLUE, marker=".",
          linewidth=1, label="the walk")

chapters = sorted(os.path.basename(p)[:-4] for p in glob.glob(
    os.path.join(style.RESULTS, style.GPU, "*.csv"))
    if "-" not in os.path.basename(p))
drawn = 0
for slug in chapters:
    places = place(slug)
    if not places:
        continue
    axes.plot([p[0] for p in places.values()], [p[1] for p in places.values()],
              linestyle="", color=COLOURS[drawn % len(COLOURS)],
              marker=MARKERS[drawn % len(MARKERS)], label=slug)
    drawn += 1

axes.set_xscale("log", base=2)
axes.set_yscale("log")
axes.set_xlim(2 ** -5, 2 ** 12)
axes.set_xlabel("operations per byte")
axes.set_title("GFLOP/s", loc="left")
axes.xaxis.set_major_locator(style.matplotlib.ticker.LogLocator(base=4,
                                                                numticks=20))
style.plain_numbers(axes.xaxis)
style.plain_numbers(axes.yaxis)
style.legend_below(fig, 6)
fig.get_layout_engine().set(rect=(0, 0.12, 1, 0.88))  # two rows of names

style.save(fig, __file__,
           "Operations per second against operations per byte, both scales "
           "logarithmic. A dashed roof of the card's peaks, a solid one of "
           "measured ceilings just below it. The walk follows the slope and "
           "then the flat part. The kernels of most other chapters stand at "
           "the left, under the slope, some close to it and some far below; "
           "convolutions under the slope and the flat part, and the Fourier "
           "transforms of chapter 17 far to the right, under the flat part.")
