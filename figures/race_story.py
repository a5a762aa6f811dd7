"""Chapter 23: from eager PyTorch to the fast step, at four batch sizes."""

import os
import sys

import style

if not os.path.exists(os.path.join(style.RESULTS, style.GPU, "race.csv")):
    sys.exit(0)  # not measured yet: no figure yet
table = style.rows("race")
have = {(v, m) for v, _, m, _ in table}
STEPS = [
    ("torch_eager_fp32", "PyTorch, eager, fp32", style.ORANGE),
    ("torch_channels_bf16", "channels last, bf16", style.ORANGE),
    ("torch_compiled_bf16", "compiled", style.GOLD),
    ("torch_graph_bf16", "a graph, bf16", style.GOLD),
    ("torch_best_bf16", "its best", style.PURPLE),
    ("kernels_fp32", "chapter 22, fp32", style.GREEN),
    ("fast_bf16", "fast, bf16", style.BLUE),
]
steps = [s for s in STEPS if (s[0], "us") in have]
sizes = sorted({n for v, n, m, _ in table
                if v == "fast_bf16" and m == "us"})
fig, axes = style.figure(columns=len(sizes), height=100 + 34 * len(steps))
values = {(v, n, m): x for v, n, m, x in table}
for k, (ax, size) in enumerate(zip(axes, sizes)):
    for i, (variant, name, colour) in enumerate(steps):
        us = values.get((variant, size, "us"))
        if us is None:
            continue
        ax.barh(i, us, color=colour, height=0.62)
        launches = values.get((variant, size, "launches"))
        mb = values.get((variant, size, "mb"))
        text = f"{us:.0f}" + (f" / {launches:.0f}" if launches else "")
        text += f" / {mb:.3g} MB" if mb else ""
        ax.annotate(text, (us, i), xytext=(4, 0), va="center", fontsize=11,
                    textcoords="offset points", color=style.INK)
    ax.set_title(f"{size} pictures", loc="left")
    ax.set_yticks(range(len(steps)), [s[1] for s in steps] if k == 0 else [])
    ax.invert_yaxis()
    ax.set_xlim(0, 1.9 * max(values.get((v, size, "us"), 0)
                              for v, _, _ in steps))
    ax.grid(axis="y", visible=False)
    ax.set_xlabel("µs a step")
    ax.xaxis.set_major_locator(style.matplotlib.ticker.MaxNLocator(3))

style.save(fig, __file__,
           "The time of a training step at each batch size, from eager "
           "PyTorch by its graphs and its compiler to the fast step; behind "
           "each bar the microseconds and, where known, the launches and "
           "the megabytes.")
