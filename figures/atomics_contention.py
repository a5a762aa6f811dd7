"""Chapter 9: atomic additions a second against the number of addresses."""

import style

table = style.rows("atomics")
fig, plots = style.figure(columns=2, height=360)

LINES = [  # what is measured, what it is called in the book, colour, marker
    ("red", "add", style.BLUE, "o"),
    ("atom", "add, result used", style.TEAL, "s"),
    ("float", "add floats", style.GREEN, "D"),
    ("swap", "swap loop", style.ORANGE, "v"),
]

for axes, where, title in ((plots[0], "row", "neighbors add to neighbors"),
                           (plots[1], "random", "random addresses")):
    for how, label, colour, marker in LINES:
        n, rate = style.series(table, f"{how}_{where}", "gops")
        axes.plot(n, rate, color=colour, marker=marker,
                  label=label if where == "row" else None)
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    axes.set_ylim(0.0005, 1000)
    style.plain_numbers(axes.yaxis)
    style.powers_of_two(axes.xaxis, step=4)
    axes.set_xlabel("addresses")
    axes.set_title(f"{title}, 10⁹ a second", loc="left")
style.legend_below(fig, 4)

style.save(fig, __file__,
           "Two plots of atomic additions a second against the number of "
           "addresses, on logarithmic scales, for four kinds of addition. The "
           "swap loop lies far below the others where addresses are few.")
