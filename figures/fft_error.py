"""Chapter 18: how the error grows with the length, beside cuFFT's."""

import math

import style

table = [r for r in style.rows("fft") if r[1] & (r[1] - 1) == 0]
fig, axes = style.figure(columns=1, height=360)

style.lines(axes, table, "error", [
    ("library", "cuFFT", style.MUTED, "s"),
    ("c2c", "the chapter's plan", style.BLUE, "o"),
])
sizes, errors = style.series(table, "c2c", "error")
axes.plot(sizes, [errors[0] * math.sqrt(math.log2(n) / math.log2(sizes[0]))
                  for n in sizes], color=style.ORANGE, linestyle="--",
          label="predicted: root of the number of levels")
axes.set_xscale("log")
axes.set_ylim(bottom=0)
axes.set_title("error in units of 2⁻²⁴ of the spectrum, by the length N", loc="left")
style.powers_of_two(axes.xaxis, step=2)
style.legend_below(fig, 3)

style.save(fig, __file__,
           "Errors against the length from 64 to a million points, with a "
           "logarithmic axis of lengths. cuFFT's rises from 1.4 to 3.3, the "
           "plan's lies below it everywhere and rises from 1.1 to 2.5. The dashed "
           "root of the number of levels rises from 1.1 to 2.0 and is below "
           "both.")
