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
    ("torch_eager_fp32", "PyTorch, eager, fp32", style.ORANGE, None, None),
    ("torch_channels_bf16", "channels last, bf16", style.ORANGE, None, None),
    ("torch_compiled_bf16", "compiled", style.GOLD, None, None),
    ("torch_graph_bf16", "a graph, bf16", style.GOLD, None, None),
    ("torch_best_bf16", "its best, bf16", style.PURPLE, None, None),
    ("kernels_fp32", "chapter 22, fp32", style.GREEN, 33, 1400),
    ("fast_bf16", "fast, bf16", style.BLUE, 8, 115),
]
steps = [s for s in STEPS if (s[0], "us") in have]
value = {(v, n, m): x for v, n, m, x in table}
fig, axes = style.figure(columns=4, height=100 + 40 * len(steps))


def bars(axes, numbers, most, log):
    for i, (step, x) in enumerate(zip(steps, numbers)):
        if x is None:
            axes.annotate("not counted", (0, i), xytext=(4, 0), va="center",
                          xycoords=("axes fraction", "data"), fontsize=11,
                          textcoords="offset points", color=style.MUTED)
            continue
        axes.barh(i, x, color=step[2], height=0.62)
        axes.annotate(f"{x:.0f}", (x, i), xytext=(4, 0), va="center",
                      textcoords="offset points", fontsize=11,
                      color=style.INK)
    if log:
        axes.set_xscale("log")
        style.plain_numbers(axes.xaxis)
    axes.set_xlim(*most)
    axes.set_ylim(len(steps) - 0.5, -0.5)
    axes.grid(axis="y", visible=False)
    axes.set_yticks(range(len(steps)), [""] * len(steps))


def times(size):
    return [value.get((s[0], size, "us")) for s in steps]


bars(axes[0], times(64), (10, 20000), True)
axes[0].set_yticks(range(len(steps)), [s[1] for s in steps])
axes[0].set_title("µs, 64 pictures", loc="left", fontsize=12)
bars(axes[1], times(4096), (100, 200000), True)
axes[1].set_title("µs, 4096", loc="left", fontsize=12)
bars(axes[2], [value.get((s[0], 64, "launches"), s[3]) for s in steps],
     (0, 110), False)
axes[2].set_title("launches, copies", loc="left", fontsize=12)
bars(axes[3], [s[4] for s in steps], (10, 30000), True)
axes[3].set_title("KB a picture", loc="left", fontsize=12)

style.save(fig, __file__,
           "Four bar charts with a row for each rung from eager PyTorch to the "
           "fast step: microseconds at 64 and at 4096 pictures on logarithmic "
           "axes, the kernels and copies of a step at 64, and the kilobytes "
           "that a picture's arrays move, which are counted for chapter 22 and "
           "the fast step alone.")
