"""The look of every plot, and the only place that reads results and writes SVG.

A plot is drawn by figures/<slug>_<name>.py:

    import style
    table = style.rows("kernels")         # bench/results/<GPU>/kernels.csv
    fig, (rate, share) = style.figure(columns=2)
    style.lines(rate, table, "gbps", [("grid", "grid", style.BLUE, "o")])
    ...
    style.save(fig, __file__, "What the picture shows, in a sentence.")

save() writes figures/<slug>_<name>.svg, the same bytes every time, with the
SHA-256 of all that it was drawn from (the script, this file, the CSVs), so that
figures/check.sh can tell without matplotlib whether it is up to date.

GPU= chooses the card (default h200). For trials with made-up numbers, and only
for these: RESULTS=<folder> to read from and FIGURES=<folder> to write to.
"""

import csv
import hashlib
import io
import math
import os
import re
import sys

try:
    import matplotlib
except ImportError:
    sys.exit("figures are drawn with matplotlib, which this python3 lacks;"
             " install it, or leave the committed SVGs as they are")

matplotlib.use("svg")
import matplotlib.pyplot as plt  # noqa: E402  (after the choice of back end)
import matplotlib.ticker  # noqa: E402

# The palette of the book. The weaver turns each of these into a colour of the
# reader's theme, so no other colour may be used.
INK, MUTED, RULE = "#1c1c1a", "#6a6a64", "#c8c8be"
PAPER, PANEL = "#fdfdfb", "#f4f4ee"
BLUE, GREEN, ORANGE = "#1d5fa8", "#3b7a12", "#a0430a"
PURPLE, GOLD, TEAL = "#7a3e9d", "#8a5a00", "#0b7285"
PALETTE = (INK, MUTED, RULE, PAPER, PANEL,
           BLUE, GREEN, ORANGE, PURPLE, GOLD, TEAL)

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
GPU = os.environ.get("GPU", "h200")
RESULTS = os.environ.get("RESULTS", os.path.join(ROOT, "bench", "results"))
FIGURES = os.environ.get("FIGURES", HERE)

plt.rcParams.update({
    "svg.fonttype": "none",          # text stays text
    "font.family": "sans-serif",
    "font.size": 13,                 # on a page of 720 units
    "axes.titlesize": 13,
    "axes.labelsize": 13,
    "xtick.labelsize": 12,
    "ytick.labelsize": 12,
    "legend.fontsize": 12,
    "text.color": INK,
    "axes.labelcolor": INK,
    "axes.edgecolor": MUTED,
    "axes.linewidth": 1.0,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.facecolor": "none",
    "figure.facecolor": "none",
    "savefig.facecolor": "none",
    "xtick.color": MUTED,
    "ytick.color": MUTED,
    "xtick.labelcolor": INK,
    "ytick.labelcolor": INK,
    "axes.grid": True,
    "grid.color": RULE,
    "grid.linewidth": 0.8,
    "lines.linewidth": 2.0,
    "lines.markersize": 5,
    "legend.frameon": False,
})

_read = []  # the CSVs that were read, in order


def rows(slug, gpu=GPU):
    """The results of a chapter: a list of (variant, size, metric, value).
    gpu="loom" reads what was measured on Loom and in plain C."""
    path = os.path.join(RESULTS, gpu, slug + ".csv")
    try:
        with open(path, encoding="utf-8", newline="") as f:
            lines = [l for l in f if l.strip() and not l.startswith("#")]
    except FileNotFoundError:
        sys.exit(f"{path} is not there: measure first (make bench "
                 f"CHAPTER={slug}), or choose another card with GPU=")
    names = ["chapter", "variant", "size", "metric", "value", "unit"]
    if not lines or lines[0].strip().split(",") != names:
        sys.exit(f"{path}: the first line must be {','.join(names)}")
    if path not in _read:
        _read.append(path)
    return [(r["variant"], int(r["size"]), r["metric"], float(r["value"]))
            for r in csv.DictReader(lines)]


def series(table, variant, metric):
    """Sizes and values of one metric of one variant, in order of size."""
    points = sorted((s, x) for v, s, m, x in table
                    if v == variant and m == metric)
    if not points:
        sys.exit(f"the results hold no {metric} of {variant}")
    return [p[0] for p in points], [p[1] for p in points]


def figure(columns=1, height=340):
    """A figure 720 units wide with `columns` plots side by side."""
    fig, axes = plt.subplots(1, columns, figsize=(10, height / 72),
                             layout="constrained")
    return fig, axes


def lines(axes, table, metric, variants, **how):
    """A line for each (variant, its name in the book, colour, marker): one
    metric against the size."""
    for variant, label, colour, marker in variants:
        axes.plot(*series(table, variant, metric), color=colour, marker=marker,
                  label=label, **how)


def legend_below(fig, columns):
    """One legend for all plots of the figure, in a strip below them, each label
    once. (The "outside" places of newer matplotlibs are unknown to 3.6.)"""
    strip = 26 / (72 * fig.get_figheight())
    fig.get_layout_engine().set(rect=(0, strip, 1, 1 - strip))
    once = {}
    for axes in fig.axes:
        for handle, label in zip(*axes.get_legend_handles_labels()):
            once.setdefault(label, handle)
    fig.legend(once.values(), once.keys(), loc="lower center", ncol=columns,
               handlelength=1.6, columnspacing=1.2, borderaxespad=0.2)


def powers_of_two(axis, step=2):
    """Ticks of an axis at powers of two, written as such."""
    superscript = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")

    def write(x, _):
        return "2" + str(round(math.log2(x))).translate(superscript)

    axis.set_major_locator(matplotlib.ticker.LogLocator(base=2 ** step,
                                                        numticks=40))
    axis.set_major_formatter(matplotlib.ticker.FuncFormatter(write))
    axis.set_minor_locator(matplotlib.ticker.NullLocator())


def plain_numbers(axis):
    """Ticks of a logarithmic axis as 0.1, 10, 1000 and so on."""
    axis.set_major_formatter(
        matplotlib.ticker.FuncFormatter(lambda x, _: f"{x:g}"))


def _relative(path):
    return os.path.relpath(os.path.abspath(path), ROOT)


def _own_ids(svg, stem):
    """Ids that nobody refers to go; the rest get the figure's name in front,
    so that two figures can stand on one page."""
    used = set(re.findall(r'"(?:url\()?#([^")]+)', svg))
    svg = re.sub(r' id="([^"]+)"', lambda m: f' id="{stem}-{m.group(1)}"'
                 if m.group(1) in used else "", svg)
    return re.sub(r'("(?:url\()?#)([^")]+)', rf"\g<1>{stem}-\g<2>", svg)


def _plain(svg, title, comment, stem):
    """Matplotlib's SVG without prolog, metadata, style sheet and point sizes:
    what can stand in a page, with its title as the first child."""
    svg = svg[svg.index("<svg"):]
    svg = re.sub(r"<metadata>.*?</metadata>\s*", "", svg, flags=re.S)
    svg = re.sub(r"<defs>\s*<style[^>]*>.*?</style>\s*</defs>\s*", "", svg,
                 flags=re.S)
    svg = re.sub(r"font:\s*(?:(\w+)\s+)?([\d.]+)px\s+[^;\"]*",
                 r"font-size: \2px; font-family: sans-serif", svg)
    svg = re.sub(r"font-family:\s*'[^;\"]*", "font-family: sans-serif", svg)
    svg = re.sub(r' (width|height)="([\d.]+)pt"', r' \1="\2"', svg, count=2)
    svg = _own_ids(svg, stem)
    head, rest = svg.split(">", 1)
    head += ' role="img" stroke-linejoin="round" stroke-linecap="butt"'
    title = title.replace("&", "&amp;").replace("<", "&lt;")
    svg = f"{head}>\n<title>{title}</title>\n{comment}{rest}"
    for colour in sorted(set(re.findall(r"#[0-9a-fA-F]{6}\b", svg))):
        if colour not in PALETTE:
            sys.exit(f"the colour {colour} is not in the book's palette")
    return svg


def save(fig, script, title):
    """Writes the figure that `script` drew; `title` is its alternative text."""
    stem = os.path.splitext(os.path.basename(script))[0]
    sources = [os.path.abspath(script), os.path.abspath(__file__)] + _read
    digest = hashlib.sha256()
    for path in sources:
        with open(path, "rb") as f:
            digest.update(f.read())
    comment = (f"<!-- drawn from {' '.join(map(_relative, sources))}"
               f" sha256 {digest.hexdigest()} -->")
    text = io.StringIO()
    with matplotlib.rc_context({"svg.hashsalt": stem}):
        fig.savefig(text, format="svg", metadata={"Date": None})
    path = os.path.join(FIGURES, stem + ".svg")
    with open(path + ".new", "w", encoding="utf-8") as f:
        f.write(_plain(text.getvalue(), title, comment, stem))
    os.replace(path + ".new", path)
    print(_relative(path))
