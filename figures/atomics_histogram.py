"""Chapter 9: the histograms at 2^28 bytes, uniform and all equal."""

import style

table = style.rows("atomics")
fig, axes = style.figure(height=400)

BARS = [  # variant, what it is called in the book
    ("fast", "32 columns, tuned"),
    ("columns32", "32 columns"),
    ("columns16", "16 columns"),
    ("columns8", "8 columns"),
    ("columns4", "4 columns"),
    ("columns2", "2 columns"),
    ("columns1", "1 column, vectors"),
    ("runs", "runs"),
    ("block", "a table a block"),
    ("global", "global"),
    ("cub", "CUB"),
]

size = 1 << 28
value = {(v, m): x for v, s, m, x in table if s == size}
for k, (variant, label) in enumerate(BARS):
    for shift, kind, colour in ((-0.2, "uniform", style.BLUE),
                                (0.2, "equal", style.ORANGE)):
        axes.barh(k + shift, value[f"{variant}_{kind}", "gbps"], height=0.38,
                  color=colour, label=kind if k == 0 else None)
axes.axvline(value["read_uniform", "gbps"], color=style.MUTED, linestyle="--")
axes.set_yticks(range(len(BARS)), [label for _, label in BARS])
axes.invert_yaxis()
axes.grid(axis="y", visible=False)
axes.set_axisbelow(True)
axes.set_xlabel("GB/s; the broken line is a kernel that only reads")
style.legend_below(fig, 2)

style.save(fig, __file__,
           "Bars: the rate of each histogram on uniform random bytes and on "
           "equal bytes. With 32 columns both come close to the rate of a "
           "kernel that only reads, and are faster than CUB's.")
