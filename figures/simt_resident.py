"""Chapter 4: the blocks on one SM over time, as a Gantt chart."""

import style


def stays(table, variant):
    """(block, start, end) in the order in which blocks began."""
    starts = dict(zip(*style.series(table, variant, "start")))
    ends = dict(zip(*style.series(table, variant, "end")))
    return sorted(((starts[b], ends[b], b) for b in starts))


def rows(bars):
    """A row for each bar: the first whose last bar has ended."""
    free, placed = [], []
    for start, end, block in bars:
        row = next((r for r, t in enumerate(free) if t <= start), len(free))
        if row == len(free):
            free.append(end)
        free[row] = end
        placed.append((row, start, end, block))
    return len(free), placed


table = style.rows("simt")
fig, axes = style.figure(height=380, columns=1)
fig.clear()
above, below = fig.subplots(2, 1, sharex=True,
                            gridspec_kw={"height_ratios": [2, 1]})
for axis, variant, title, colour in [
        (above, "resident_stay", "blocks of 256 threads", style.BLUE),
        (below, "resident_48k_stay",
         "the same, each with 48 KiB of shared memory", style.ORANGE)]:
    height, placed = rows(stays(table, variant))
    for row, start, end, block in placed:
        axis.barh(row, end - start, left=start, height=0.8, color=colour,
                  edgecolor=style.PAPER, linewidth=1)
        axis.text((start + end) / 2, row, str(block), color=style.PAPER,
                  ha="center", va="center", fontsize=10, clip_on=True)
    axis.set_yticks(range(height), [str(r + 1) for r in range(height)])
    axis.invert_yaxis()
    axis.grid(axis="y", visible=False)
    axis.set_axisbelow(True)
    axis.set_title(title, loc="left")
below.set_xlabel("µs since the first block began on this SM")

style.save(fig, __file__,
           "Blocks on one SM over time, each bar a block with its number. "
           "Eight blocks of 256 threads are there at once; when one ends the "
           "next begins. With 48 KiB of shared memory each there are four.")
