"""Chapter 11: six pieces of a batch on three engines, drawn from events."""

import style

table = style.rows("async")
WAYS = [("streams", "four streams"), ("one_stream", "one stream"),
        ("waiting", "the host waits"),
        ("legacy", "kernels in the default stream"),
        ("pageable", "pageable memory")]
STEPS = [("in", "copy in", style.BLUE), ("kernel", "kernel", style.GREEN),
         ("out", "copy out", style.ORANGE)]

fig, axes = style.figure(height=470)
labels = []
for row, (way, title) in enumerate(WAYS):
    for lane, (step, name, colour) in enumerate(STEPS):
        variant = f"line_{way}_{step}"
        pieces, begin = style.series(table, variant, "from")
        _, end = style.series(table, variant, "to")
        at = 4 * row + lane
        axes.barh([at] * len(pieces),
                  [(b - a) / 1000 for a, b in zip(begin, end)],
                  left=[a / 1000 for a in begin], height=0.8, color=colour,
                  edgecolor=style.PAPER, linewidth=0.8, zorder=3,
                  label=name if row == 0 else None)
    labels.append((4 * row + 1, title))
    if way == "one_stream":
        longest = 1.06 * end[-1] / 1000
    if way == "pageable":  # far longer: it goes on behind the edge
        axes.annotate(f"goes on to {end[-1] / 1000:.1f} ms",
                      (0.88 * longest, 4 * row + 1),
                      ha="right", va="center")
axes.set_yticks([at for at, _ in labels], [title for _, title in labels])
axes.invert_yaxis()
axes.grid(axis="y", visible=False)
axes.set_xlim(0, longest)
axes.set_xlabel("milliseconds")
style.legend_below(fig, 3)

style.save(fig, __file__,
           "Five time lines of the same six pieces, each with a row for the copies "
           "in, the kernels and the copies out. In four streams the three rows are "
           "busy at the same time; in one stream, and where the host waits, one at a "
           "time; with kernels in the default stream only the copies overlap. The "
           "line of pageable memory goes on behind the edge.")
