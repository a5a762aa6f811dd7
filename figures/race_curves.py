"""Chapter 23: the losses of whole trainings, in bf16 and in fp32."""

import os
import sys

import style

if not os.path.exists(os.path.join(style.RESULTS, style.GPU, "race.csv")):
    sys.exit(0)  # not measured yet: no figure yet
table = style.rows("race")
fig, (loss, right) = style.figure(columns=2, height=360)
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
    right.plot(seed, accuracy, "os"[at], color=colour, label=name)
loss.set_yscale("log")
style.plain_numbers(loss.yaxis)
loss.set_xlabel("step")
loss.set_title("loss: least, median and most of ten seeds", loc="left")
right.set_xlabel("seed")
right.set_title("% of the test digits, after five epochs", loc="left")
style.legend_below(fig, 2)

style.save(fig, __file__,
           "Left: the losses of ten trainings in fp32 and ten in bf16 over "
           "five epochs, as two bands. Right: the final accuracies of all "
           "twenty.")
