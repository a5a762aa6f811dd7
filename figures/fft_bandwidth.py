"""Chapter 18: transforms beside cuFFT, as shares of a copy, by length."""

import style

table = [r for r in style.rows("fft") if r[1] & (r[1] - 1) == 0]
fig, axes = style.figure(columns=1, height=380)

style.lines(axes, table, "of_copy", [
    ("library", "cuFFT", style.MUTED, "s"),
    ("c2c", "the chapter's plan", style.BLUE, "o"),
    ("four_steps", "four steps in two launches", style.ORANGE, "^"),
    ("cluster", "clusters", style.GREEN, "D"),
])
axes.axhline(100, color=style.INK, linestyle=":")
axes.axhline(50, color=style.INK, linestyle=":", linewidth=1)
axes.text(70, 51.5, "two trips", color=style.INK)
axes.text(70, 101.5, "a copy", color=style.INK)
axes.set_xscale("log")
axes.set_ylim(0, 112)
axes.set_title("% of the rate of a copy, by the length N", loc="left")
style.powers_of_two(axes.xaxis, step=2)
style.legend_below(fig, 4)

style.save(fig, __file__,
           "Shares of the copy's rate against the length from 64 to a million "
           "points. Up to 4096 points cuFFT and the plan are near the copy. From "
           "16384 points on all fall to 80 or less, and the plan is above cuFFT, "
           "the four steps and the clusters. A dotted line at 50 marks two trips.")
