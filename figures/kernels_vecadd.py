"""Chapter 3: vector addition against size, in bandwidth and beside the copy."""

import style

table = style.rows("kernels")
fig, (rate, share) = style.plt.subplots(2, 1, figsize=(4.5, 7),
                                        layout="constrained")

LINES = [  # variant, what it is called in the book, colour, marker
    ("grid", "grid", style.BLUE, "o"),
    ("stride", "grid, stride", style.TEAL, "s"),
    ("saxpy", "cuBLAS saxpy", style.PURPLE, "^"),
    ("one_block", "one block", style.GREEN, "D"),
    ("one_thread", "one thread", style.ORANGE, "v"),
]

style.lines(rate, table, "gbps", [("copy", "copy", style.MUTED, "")],
            linestyle="--")
style.lines(rate, table, "gbps", LINES)
rate.set_xscale("log", base=2)
rate.set_yscale("log")
style.plain_numbers(rate.yaxis)
rate.set_title("bytes moved per second, GB/s", loc="left")

style.lines(share, table, "of_copy", LINES[:3])
share.axhline(100, color=style.MUTED, linestyle="--")
share.set_xscale("log", base=2)
share.set_ylim(0, max(110, 1.05 * share.get_ylim()[1]))
share.set_title("speed, % of the copy's", loc="left")

for axes in (rate, share):
    axes.set_xlabel("elements")
    style.powers_of_two(axes.xaxis, step=4)
share.legend(*rate.get_legend_handles_labels(), loc="lower left", ncol=2)

style.save(fig, __file__,
           "Two plots against the number of elements. Above, bandwidth: the "
           "grid, the grid with a stride and cuBLAS rise with the size and "
           "level off somewhat below the copy's rate; one block levels off far "
           "below, and one thread is flat at the bottom. Below, the speed of "
           "the first three as a percentage of the copy's: a little below it for "
           "few elements, about four fifths of it for many.")
