"""Chapter 20: the error of differences against the step."""

import math

import style

table = style.rows("grad", gpu="loom")
fig, axes = style.figure(height=400)

LINES = [  # variant, its name, colour, marker, bound(h) of theory for exp
    ("onesided_float", "one-sided, float", style.ORANGE, "o",
     lambda h: h / 2 + 2 * 2 ** -24 / h),
    ("central_float", "central, float", style.GOLD, "s",
     lambda h: h * h / 6 + 2 ** -24 / h),
    ("onesided_double", "one-sided, double", style.BLUE, "^",
     lambda h: h / 2 + 2 * 2 ** -53 / h),
    ("central_double", "central, double", style.GREEN, "D",
     lambda h: h * h / 6 + 2 ** -53 / h),
]

for variant, label, colour, marker, theory in LINES:
    k, error = style.series(table, variant, "error")
    h = [2.0 ** -i for i in k]
    points = [(x, y) for x, y in zip(h, error) if 0 < y < 0.99]
    axes.plot(*zip(*points), color=colour, marker=marker, markersize=4,
              linestyle="none", label=label)
    fine = [2.0 ** (-i / 4) for i in range(4, 4 * 56)]
    axes.plot(*zip(*[(x, theory(x)) for x in fine if theory(x) < 1]),
              color=colour, linewidth=1)

axes.set_xscale("log", base=2)
axes.set_yscale("log")
axes.invert_xaxis()
style.powers_of_two(axes.xaxis, step=8)
axes.set_ylim(1e-13, 3)
axes.set_yticks([10.0 ** -i for i in range(12, -1, -2)])
axes.yaxis.set_minor_locator(style.matplotlib.ticker.NullLocator())
axes.set_xlabel("step h, smaller to the right")
axes.set_title("relative error of the slope of exp", loc="left")
style.legend_below(fig, 4)

style.save(fig, __file__,
           "Relative error against the step h, both logarithmic. Four curves "
           "in the shape of a V: with a smaller step the error falls, along "
           "the line of the truncation error, to a lowest point, and then "
           "rises along the line of the rounding error. Lowest points: in "
           "float about 1e-4 to one side and 4e-6 to both; in double 1e-8 to "
           "one side and 6e-12 to both.")
