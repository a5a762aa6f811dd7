"""Chapter 22: test digits that the trained network reads wrongly."""

import csv
import os

import style

path = os.path.join(style.RESULTS, style.GPU, "mnist-misread.csv")
if not os.path.exists(path):
    raise SystemExit(0)  # not measured yet
with open(path, encoding="utf-8", newline="") as f:
    digits = list(csv.DictReader(f))[:24]
style._read.append(path)

fig, axes = style.plt.subplots(3, 8, figsize=(10, 5.4), layout="constrained")
LEVELS = 4
for a, d in zip(axes.flat, digits):
    ink = bytes.fromhex(d["pixels"])
    for level in range(1, LEVELS + 1):
        runs = []
        for r in range(28):
            row = [round(LEVELS * ink[28 * r + c] / 255) == level
                   for c in range(28)] + [False]
            begin = None
            for c, on in enumerate(row):
                if on and begin is None:
                    begin = c
                if not on and begin is not None:
                    runs.append([(begin, r), (c, r), (c, r + 1),
                                 (begin, r + 1)])
                    begin = None
        a.add_collection(style.matplotlib.collections.PolyCollection(
            runs, facecolor=style.INK, alpha=level / LEVELS, linewidth=0))
    a.set_xlim(0, 28)
    a.set_ylim(28, 0)
    a.set_aspect("equal")
    a.axis("off")
    a.set_title(f"{d['label']}, read as {d['answer']}", fontsize=12)

style.save(fig, __file__,
           "Twenty-four handwritten digits, most of them drawn so that a "
           "person hesitates too, each with its label and the network's "
           "answer.")
