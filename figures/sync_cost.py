"""Chapter 8: the price of a line against the threads of a block."""

import style

table = style.rows("sync")
fig, axes = style.figure(height=360)

LINES = [  # variant, what it is called in the book, colour, marker
    ("launch", "launch by the host", style.ORANGE, "v"),
    ("graph", "launch in a graph", style.PURPLE, "^"),
    ("grid_sync", "grid.sync()", style.BLUE, "o"),
    ("by_hand", "grid, by hand", style.TEAL, "s"),
    ("syncthreads", " __syncthreads()", style.GREEN, "D"),
]

for variant, label, colour, marker in LINES:
    threads, ns = style.series(table, variant, "ns")
    axes.plot(threads, ns, color=colour, marker=marker, label=label)
axes.set_xscale("log", base=2)
axes.set_yscale("log")
style.plain_numbers(axes.yaxis)
style.powers_of_two(axes.xaxis, step=1)
axes.set_xlabel("threads in a block")
axes.set_title("price of one line, ns; a block on each SM", loc="left")
style.legend_below(fig, 5)

style.save(fig, __file__,
           "The price of a barrier against the number of threads in a block, on "
           "a logarithmic scale: a launch by the host costs most, one in a graph "
           "and a barrier of the grid less, a barrier of the block far less.")
