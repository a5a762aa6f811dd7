"""Chapter 10: errors of sums of 2^24 floats in ten orders, and their bounds."""

import style

table = style.rows("reduce")
fig, axes = style.figure(columns=1, height=420)

ORDERS = [  # variant, what it is called in the book, colour, marker
    ("forward", "forward", style.BLUE, "o"),
    ("backward", "backward", style.BLUE, "s"),
    ("rising", "rising", style.ORANGE, "^"),
    ("falling", "falling", style.ORANGE, "v"),
    ("lanes", "lanes", style.PURPLE, "D"),
    ("blocks", "blocks", style.GOLD, "P"),
    ("pairwise", "pairwise", style.GREEN, "o"),
    ("threads", "threads", style.GREEN, "s"),
    ("gpu", "gpu", style.GREEN, "X"),
    ("kahan", "Kahan", style.TEAL, "^"),
    ("double", "double", style.TEAL, "v"),
]

for variant, label, colour, marker in ORDERS:
    _, error = style.series(table, "order_" + variant, "error")
    _, bound = style.series(table, "order_" + variant, "bound")
    axes.plot(bound, [max(e, 1e-10) for e in error], color=colour,
              marker=marker, linestyle="", label=label, markersize=7)
axes.plot([1e-10, 2], [1e-10, 2], color=style.MUTED, linestyle="--",
          linewidth=1.2)
axes.set_xscale("log")
axes.set_yscale("log")
axes.set_xlim(2e-8, 3)
axes.set_ylim(1e-10, 3)
axes.set_title("error (up) against bound (to the right), relative to the sum",
               loc="left")
style.legend_below(fig, 6)
fig.get_layout_engine().set(rect=(0, 0.12, 1, 0.88))  # two rows of names

style.save(fig, __file__,
           "A scatter plot of the errors of sums against their bounds, both "
           "logarithmic. All points lie below the diagonal. Sorted orders have "
           "errors of a few percent at a bound of one; unsorted loops lie "
           "between a millionth and a ten-thousandth; trees, the GPU, Kahan "
           "and double lie near a ten-millionth or below, left of all others.")
