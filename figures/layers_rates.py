"""Chapter 21: the layers' rates as shares of the copy's, by batch."""

import style

table = style.rows("layers")
fig, axes = style.figure(columns=2, height=380)

KINDS = [
    ("relu", "ReLU", style.BLUE, "o"),
    ("relu_back", "ReLU back", style.BLUE, "s"),
    ("norm_given", "norm, inference", style.ORANGE, "^"),
    ("norm", "norm, training", style.ORANGE, "o"),
    ("norm_back", "norm back", style.ORANGE, "s"),
    ("pool", "pool", style.GREEN, "o"),
    ("pool_back", "pool back", style.GREEN, "s"),
]

for layer, title in ((1, "32 channels of 28 × 28"), (2, "64 channels of 14 × 14")):
    ax = axes[layer - 1]
    style.lines(ax, table, "of_copy",
                [("%s%d" % (k, layer), name, colour, marker)
                 for k, name, colour, marker in KINDS])
    ax.axhline(100, color=style.MUTED, linestyle=":")
    ax.set_xscale("log", base=2)
    ax.set_xticks([64, 256, 1024], ["64", "256", "1024"])
    ax.set_ylim(0, 140)
    ax.set_xlabel("images")
    ax.set_title("%% of the copy's rate, %s" % title, loc="left", fontsize=12)
style.legend_below(fig, 4)
fig.get_layout_engine().set(rect=(0, 0.14, 1, 0.86))

style.save(fig, __file__,
           "The rate at which each layer moves its bytes, relative to a copy of "
           "the same arrays, for 64, 256 and 1024 images. ReLU is at the copy's "
           "rate everywhere. Batch norm in training is lowest at 64 images and "
           "rises; its way back and that of ReLU are above the copy where the "
           "arrays are small.")
