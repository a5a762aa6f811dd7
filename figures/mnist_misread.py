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

Path = style.matplotlib.path.Path
fig, axes = style.plt.subplots(6, 4, figsize=(4.5, 7.8), layout="constrained")
PIXEL = 2.8  # height of a pixel in points


def runs(ink, least):
    """The horizontal runs of pixels with at least this much ink."""
    for r in range(28):
        begin = None
        for c in range(29):
            on = c < 28 and ink[28 * r + c] >= least
            if on and begin is None:
                begin = c
            if not on and begin is not None:
                yield (begin, r + 0.5), (c, r + 0.5)
                begin = None


for a, d in zip(axes.flat, digits):
    ink = bytes.fromhex(d["pixels"])
    for least, colour in (48, style.RULE), (112, style.MUTED), (176, style.INK):
        points = [p for run in runs(ink, least) for p in run]
        codes = [Path.MOVETO, Path.LINETO] * (len(points) // 2)
        if points:
            a.add_patch(style.matplotlib.patches.PathPatch(
                Path(points, codes), fill=False, edgecolor=colour,
                linewidth=PIXEL, capstyle="butt"))
    a.set_xlim(0, 28)
    a.set_ylim(28, 0)
    a.set_aspect("equal")
    a.axis("off")
    a.set_title(f"{d['label']}, read as {d['answer']}", fontsize=12)

style.save(fig, __file__,
           "Twenty-four handwritten digits, most of them drawn so that a "
           "person hesitates too, each with its label and the network's "
           "answer.")
