"""Chapter 23: the losses of whole trainings, in bf16 and in fp32."""

import os
import sys

import style

if not os.path.exists(os.path.join(style.RESULTS, style.GPU, "race.csv")):
    sys.exit(0)  # not measured yet: no figure yet
table = style.rows("race")
fig, (loss, right) = style.plt.subplots(2, 1, figsize=(4.5, 7),
                                        layout="constrained")
for curve, plain, name, colour, at in [
    ("curve_fp32", "plain_fp32", "fp32", style.ORANGE, 0),
    ("curve_bf16", "plain_bf16", "fast, bf16", style.BLUE, 1),
]:
    step, middle = style.series(table, curve, "loss")
    _, least = style.series(table, curve, "loss_least")
    _, most = style.series(table, curve, "loss_most")
    loss.fill_between(step, least, most, color=colour, alpha=0.25, linewidth=0)
    loss.plot(step, middle, color=colour, label=name, linewidth=1.4)
    seed, accuracy = style.series(table, plain, "accuracy")
    right.plot([k + 0.24 * at - 0.12 for k in seed], accuracy, "os"[at],
               color=colour, label=name)
loss.set_yscale("log")
style.plain_numbers(loss.yaxis)
loss.set_xlabel("step")
loss.set_title("loss: least, median, most of ten seeds", loc="left")
right.set_xlabel("seed")
right.set_xticks(range(1, 11))
right.grid(axis="x", visible=False)
right.set_title("test digits that are right, %", loc="left")
style.legend_below(fig, 2)

style.save(fig, __file__,
           "Above: the losses of ten trainings in fp32 and ten in bf16 over "
           "five epochs, as two bands. Below: the final accuracies of all "
           "twenty.")
