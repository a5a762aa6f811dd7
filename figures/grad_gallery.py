"""Chapter 20: the losses of a network trained with wrong gradients."""

import style

table = style.rows("grad", gpu="loom")
fig, axes = style.figure(height=360)

for variant, label, colour, dash in [
    ("right", "right", style.INK, "-"),
    ("exchanged", "exchanged", style.GREEN, "-"),
    ("times_32", "times 32", style.BLUE, "-"),
    ("partial", "partial", style.PURPLE, "-"),
    ("transposed", "transposed", style.ORANGE, "-"),
]:
    step, loss = style.series(table, variant, "loss")
    axes.plot(step, loss, color=colour, linestyle=dash, label=label)

axes.set_yscale("log")
axes.set_ylim(0.008, 1.3)
style.plain_numbers(axes.yaxis)
axes.yaxis.set_minor_locator(style.matplotlib.ticker.NullLocator())
axes.set_xlabel("steps of gradient descent")
axes.set_title("loss on the 64 points", loc="left")
style.legend_below(fig, 5)

style.save(fig, __file__,
           "Loss against steps, on a logarithmic scale. All five curves fall. "
           "The right gradient ends at 0.01, closely followed by the "
           "exchanged one; times 32 ends at 0.05, partial at 0.11 and "
           "transposed at 0.16.")
