"""Chapter 11: a hundred small kernels in each way, and what an empty one costs."""

import style

table = style.rows("async")
each = {v: x for v, n, m, x in table if n == 100 and m == "each"}
WAYS = [
    ("by_parent", "by a parent kernel", style.ORANGE),
    ("stream", "from a stream", style.ORANGE),
    ("stream_early", "from a stream, early", style.GOLD),
    ("one_kernel", "one kernel, barriers", style.PURPLE),
    ("graph", "a graph", style.BLUE),
    ("graph_early", "a graph, early", style.TEAL),
    ("stream_empty", "empty, from a stream", style.MUTED),
    ("graph_empty", "empty, in a graph", style.MUTED),
]
fig, axes = style.figure(columns=1, height=330)
for i, (way, name, colour) in enumerate(WAYS):
    axes.barh(i, each[way], color=colour, height=0.62)
    axes.annotate(f"{each[way]:.2f}", (each[way], i), xytext=(4, 0),
                  va="center", textcoords="offset points", fontsize=12,
                  color=style.INK)
axes.set_yticks(range(len(WAYS)), [w[1] for w in WAYS])
axes.invert_yaxis()
axes.grid(axis="y", visible=False)
axes.set_title("µs for each of a hundred passes", loc="left")

style.save(fig, __file__,
           "Bars of the microseconds that each of a hundred dependent small "
           "kernels takes, from 6 by a parent kernel and more than 3 from a "
           "stream to 1.2 in a graph and 0.7 in a graph with early starts; "
           "below them empty kernels from a stream and in a graph.")
