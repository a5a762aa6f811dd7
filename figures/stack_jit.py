"""Chapter 2: time to load a kernel against its length, three ways."""

import style

table = style.rows("stack")
fig, axes = style.figure(height=340)
fig.set_figwidth(4.5)

style.lines(axes, table, "ms", [
    ("first", "PTX, first load", style.ORANGE, "o"),
    ("cached", "PTX, from the cache", style.BLUE, "s"),
    ("cubin", "cubin", style.GREEN, "^")])
axes.set_xscale("log", base=2)
axes.set_yscale("log")
style.powers_of_two(axes.xaxis, step=2)
style.plain_numbers(axes.yaxis)
axes.set_title("time to load, ms", loc="left")
axes.set_xlabel("additional instructions in the kernel")
axes.legend()

style.save(fig, __file__,
           "Time to load a kernel against the number of its instructions, "
           "both axes logarithmic: compiled from PTX, from the driver's cache, "
           "and as a cubin.")
