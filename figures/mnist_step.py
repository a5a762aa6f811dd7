"""Chapter 22: the time of a training step, PyTorch and the two paths; PyTorch's
best is chapter 23's."""

import style

table = style.rows("mnist")
fig, axes = style.plt.subplots(figsize=(4.5, 4.6), layout="constrained")

style.lines(axes, table, "us", [
    ("torch_eager", "PyTorch, eager", style.ORANGE, "o"),
    ("torch_graph", "PyTorch, graph", style.GOLD, "s"),
    ("library", "library", style.GREEN, "D"),
    ("kernels", "kernels", style.BLUE, "^"),
])
style.lines(axes, style.rows("race"), "us", [("torch_best_bf16",
                                              "its best, bf16",
                                              style.PURPLE, "o")],
            markersize=11, markerfacecolor="none", linewidth=0)
sizes = [64, 256, 1024, 4096]
axes.plot(sizes, [s * 24995328 / 66.9e6 for s in sizes], color=style.MUTED,
          linestyle="--", label="floor of fp32")
axes.set_xscale("log")
axes.set_yscale("log")
axes.set_xticks(sizes)
style.plain_numbers(axes.xaxis)
style.plain_numbers(axes.yaxis)
axes.xaxis.set_minor_locator(style.matplotlib.ticker.NullLocator())
axes.set_title("time of a step, µs", loc="left")
axes.set_xlabel("pictures in a batch")
style.legend_below(fig, 2)
fig.get_layout_engine().set(rect=(0, 0.2, 1, 0.8))  # three rows of names

style.save(fig, __file__,
           "Time of a training step against the batch. Eager PyTorch is flat "
           "from 64 to 256 pictures; the graph, the library path and the "
           "kernels rise with the batch, all above the floor of the "
           "fp32 units; PyTorch's tuned step in bf16 goes below it.")
