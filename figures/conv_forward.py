"""Chapter 16: the forward kernels at both layers, against the size of the batch."""

import style

table = style.rows("conv")
fig, (first, second) = style.figure(columns=2, height=340)

KERNELS = [("direct", "direct", style.BLUE, "o"),
           ("tiled", "tiled", style.TEAL, "s"),
           ("im2col", "columns and product", style.GOLD, "D"),
           ("implicit", "implicit", style.PURPLE, "^"),
           ("chosen", "chosen", style.GREEN, "v"),
           ("cublas", "cuBLAS, product alone", style.MUTED, "x")]

for axes, layer, title in ((first, "first", "1 to 32 channels, 28 × 28"),
                           (second, "second", "32 to 64 channels, 14 × 14")):
    for variant, label, colour, marker in KERNELS:
        sizes, rate = style.series(table, f"{layer}_{variant}", "gflops")
        axes.plot(sizes, [r / 1000 for r in rate], label=label, color=colour,
                  marker=marker, linestyle=":" if variant == "cublas" else "-")
    axes.set_xscale("log", base=2)
    axes.set_xticks([64, 256, 1024])
    style.plain_numbers(axes.xaxis)
    axes.set_ylim(bottom=0)
    axes.set_title(title + ": TFLOP/s", loc="left")
    axes.set_xlabel("images in a batch")
style.legend_below(fig, 3)
fig.get_layout_engine().set(rect=(0, 0.16, 1, 0.84))  # two rows of names

style.save(fig, __file__,
           "Two plots of the rate of the forward kernels against the size of "
           "the batch, for the trainer's two layers. Direct, tiled and stored "
           "columns lie at the bottom of both; the implicit product is several "
           "times as fast, and the kernel that the launcher chooses is on top "
           "of the book's own.")
