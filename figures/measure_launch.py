"""Chapter 7: the price of a launch in a stream and in a graph."""

import style

table = style.rows("measure")
fig, axes = style.figure(height=320)

style.lines(axes, table, "us", [
    ("laden", "stream, 4000 bytes of arguments", style.ORANGE, "v"),
    ("stream", "stream", style.BLUE, "o"),
    ("graph", "graph", style.GREEN, "D")])
style.lines(axes, table, "make",
            [("graph", "making the graph", style.MUTED, "s")], linestyle="--")
axes.set_xscale("log")
axes.set_yscale("log")
style.plain_numbers(axes.xaxis)
style.plain_numbers(axes.yaxis)
axes.set_xlabel("kernels one after the other")
axes.set_title("microseconds for each kernel", loc="left")
style.legend_below(fig, 4)

style.save(fig, __file__,
           "Microseconds for each kernel against the number of kernels in a row, "
           "from one to a thousand. All fall with the number; a graph is lowest, "
           "and from ten kernels on it costs as much to make as one to one and a "
           "half rounds of launches in the stream.")
