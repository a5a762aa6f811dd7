"""Chapter 22: the losses of the first hundred steps, side by side."""

import style

table = style.rows("mnist")
fig, (loss, off) = style.plt.subplots(2, 1, figsize=(4.5, 7),
                                      layout="constrained")

step, exact = style.series(table, "loss_double", "loss")
_, torch = style.series(table, "loss_torch", "loss")
loss.plot(step, exact, color=style.MUTED, linewidth=5, label="in double")
loss.plot(step, torch, color=style.ORANGE, linewidth=1.2, label="PyTorch")
loss.set_xlabel("step")
loss.set_title("loss", loc="left")
loss.set_ylim(0)

for variant, label, colour in [
    ("loss_torch", "PyTorch", style.ORANGE),
    ("loss_kernels", "kernels", style.BLUE),
    ("loss_library", "library", style.GREEN),
    ("loss_reference", "reference", style.PURPLE),
]:
    step, d = style.series(table, variant, "off")
    off.plot(step, d, color=colour, label=label, linewidth=1.4)
off.set_yscale("log")
off.set_xlabel("step")
off.set_title("distance from the loss in double", loc="left")
style.legend_below(fig, 3)
fig.get_layout_engine().set(rect=(0, 0.1, 1, 0.9))  # two rows of names

style.save(fig, __file__,
           "Above: the loss falls from 2.3 to 0.1 in a hundred steps, in double "
           "and in PyTorch on the same line. Below: the distances of PyTorch, "
           "kernels, library and reference from double begin near 1e-7; most "
           "grow to about 1e-3 within a few steps, each at another time.")
