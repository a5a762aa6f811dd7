"""Chapter 23: from eager PyTorch to the fast step: time, launches and bytes."""

import os
import sys

import style

if not os.path.exists(os.path.join(style.RESULTS, style.GPU, "race.csv")):
    sys.exit(0)  # not measured yet: no figure yet
table = style.rows("race")
have = {(v, m) for v, _, m, _ in table}
# variant, name, color; launches and KB a picture where they are counted by hand:
# chapter 22's step and the fast one (PyTorch's launches are in the results)
STEPS = [
    ("torch_eager_fp32", "eager, fp32", style.ORANGE, None, None),
    ("torch_channels_bf16", "channels", style.ORANGE, None, None),
    ("torch_compiled_bf16", "compiled", style.GOLD, None, None),
    ("torch_graph_bf16", "graph", style.GOLD, None, None),
    ("torch_best_bf16", "best", style.PURPLE, None, None),
    ("kernels_fp32", "chapter 22, fp32", style.GREEN, 33, 1400),
    ("fast_bf16", "fast", style.BLUE, 8, 115),
]
steps = [s for s in STEPS if (s[0], "us") in have]
value = {(v, n, m): x for v, n, m, x in table}
fig, (time, count, size) = style.plt.subplots(
    3, 1, figsize=(4.5, 8.4), layout="constrained",
    height_ratios=[1.1, 1, 1])


def row(axes, label, title):
    axes.set_ylim(len(steps) - 0.5, -0.5)
    axes.set_yticks(range(len(steps)), [s[1] for s in steps])
    axes.grid(axis="y", visible=False)
    axes.set_axisbelow(True)
    axes.set_xlabel(label)
    axes.set_title(title, loc="left")


def say(axes, text, at, where, color=style.INK):
    axes.annotate(text, at, xytext=where, textcoords="offset points",
                  fontsize=11, color=color, va="center",
                  ha="left" if where[0] > 0 else "right")


for i, step in enumerate(steps):
    for n, marker in (64, "o"), (4096, "s"):
        us = value[step[0], n, "us"]
        time.plot(us, i, marker, color=step[2], markersize=7,
                  markerfacecolor=step[2] if n == 64 else style.PAPER)
        say(time, f"{us:.0f}", (us, i), (-6, 0) if n == 64 else (6, 0))
    n = value.get((step[0], 64, "launches"), step[3])
    count.barh(i, n, color=step[2], height=0.62)
    say(count, f"{n:.0f}", (n, i), (4, 0))
    if step[4]:
        size.barh(i, step[4], color=step[2], height=0.62)
        say(size, f"{step[4]}", (step[4], i), (4, 0))
    else:
        say(size, "not counted", (0, i), (4, 0), style.MUTED)
time.set_xscale("log")
style.plain_numbers(time.xaxis)
time.set_xlim(22, 90000)
row(time, "µs", "a step: ● B = 64, □ B = 4096")
count.set_xlim(0, 95)
row(count, "kernels and copies", "what a step of 64 launches")
size.set_xlim(0, 1750)
row(size, "KB a picture", "what its arrays move")

style.save(fig, __file__,
           "Three charts with a row for each rung from eager PyTorch to the "
           "fast step: microseconds of a step at 64 and at 4096 pictures on a "
           "logarithmic axis, the kernels and copies of a step at 64, and the "
           "kilobytes that a picture's arrays move, which are counted for "
           "chapter 22 and the fast step alone.")
