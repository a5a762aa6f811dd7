"""Chapter 14: the 60 shapes, the speed of sgemm beside cuBLAS's by work."""

import style

value = {(v, s, m): x for v, s, m, x in style.rows("gemm")}
fig, axes = style.figure(height=400)
KINDS = [  # its name, colour, marker, which shapes
    ("a side of 1 to 4", style.GREEN, "^", lambda m, n, k: min(m, n) <= 4),
    ("k at least 16 times both sides", style.ORANGE, "v",
     lambda m, n, k: k >= 16 * max(m, n)),
    ("others", style.BLUE, "o", lambda m, n, k: True),
]
points = {kind[0]: [] for kind in KINDS}
for i in range(1, 61):
    m, n, k = (int(value["shape", i, side]) for side in "mnk")
    kind = next(name for name, _, _, is_it in KINDS if is_it(m, n, k))
    points[kind].append((2.0 * m * n * k, value["shape", i, "of_cublas"]))
for name, colour, marker, _ in KINDS:
    axes.plot([x for x, _ in points[name]], [y for _, y in points[name]],
              linestyle="", color=colour, marker=marker, label=name)
axes.axhline(100, color=style.PURPLE, linewidth=1.2)
axes.axhline(70, color=style.MUTED, linestyle="--", linewidth=1.2)
axes.set_xscale("log")
axes.set_yscale("log", base=2)
axes.set_ylim(20, 800)
axes.set_yticks([25, 50, 100, 200, 400])
axes.set_xlabel("operations of the product")
axes.set_title("speed, % of cuBLAS's", loc="left")
style.plain_numbers(axes.yaxis)
style.legend_below(fig, 3)

style.save(fig, __file__,
           "Sixty points, a shape each: speed as a percentage of cuBLAS's "
           "against the operations of the product, both logarithmic. The few "
           "products of more than ten billion operations lie near 100; with "
           "less work they spread from 29 to 640 percent. Most shapes with "
           "long sums lie at the bottom.")
