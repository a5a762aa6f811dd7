"""Chapter 7: bandwidth and latency against the bytes on the way in each SM."""

import style

table = style.rows("measure")
fig, (rate, wait) = style.figure(columns=2, height=360)

LINES = [  # variant, what it is called in the book, colour, marker
    ("one_float", "1 × 4 bytes", style.ORANGE, "v"),
    ("four_floats", "4 × 4 bytes", style.GREEN, "D"),
    ("one_vector", "1 × 16 bytes", style.TEAL, "s"),
    ("four_vectors", "4 × 16 bytes", style.BLUE, "o"),
]

style.lines(rate, table, "gbps", LINES)
style.lines(wait, table, "ns", LINES)
value = {(v, s, m): x for v, s, m, x in table}
ceiling = max(x for v, s, m, x in table if v == "read" and m == "gbps")
sizes, ns = style.series(table, "one_float", "ns")
rate.plot([s for s in (128, 65536)], [132 * s / min(ns) for s in (128, 65536)],
          color=style.MUTED, linestyle="--", label="bytes / latency")
rate.axhline(ceiling, color=style.MUTED, linestyle=":", label="ceiling")
for axes in (rate, wait):
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    axes.set_xlabel("bytes on the way in an SM")
    style.powers_of_two(axes.xaxis, step=2)
    style.plain_numbers(axes.yaxis)
rate.set_ylim(top=2 * ceiling)
wait.yaxis.set_major_locator(style.matplotlib.ticker.FixedLocator(
    [500, 1000, 2000, 4000]))
wait.yaxis.set_minor_locator(style.matplotlib.ticker.NullLocator())
rate.set_title("bandwidth, GB/s", loc="left")
wait.set_title("time of a turn, ns", loc="left")
style.legend_below(fig, 6)

style.save(fig, __file__,
           "Two plots against the bytes that each SM has on the way. Left, the "
           "bandwidth of four kinds of load lies on nearly one straight line and "
           "bends to the ceiling. Right, the time of a turn is constant at first and "
           "rises where the bandwidth no longer does.")
