"""Chapter 18: a filter of an image, directly and by transforms."""

import style

table = style.rows("fft")
fig, axes = style.figure(columns=1, height=360)

style.lines(axes, table, "ms", [
    ("image_fft", "by transforms", style.BLUE, "o"),
    ("image_direct", "directly", style.ORANGE, "^"),
    ("image_implicit", "implicit product of matrices", style.GREEN, "s"),
])
axes.set_xscale("log")
axes.set_yscale("log")
ticks = [3, 5, 9, 15, 31, 63, 127, 255]
axes.set_xticks(ticks, [str(k) for k in ticks])
axes.minorticks_off()
axes.set_title("ms for 2048 × 2048 pixels, by the side of the filter", loc="left")
style.plain_numbers(axes.yaxis)
style.legend_below(fig, 3)

style.save(fig, __file__,
           "Times against the side of the filter from 3 to 255, both "
           "logarithmic. The transforms take the same time for every filter. "
           "The direct way and the implicit product rise with the square of the "
           "side; the direct way crosses the transforms between 3 and 5.")
