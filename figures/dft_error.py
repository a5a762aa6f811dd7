"""Chapter 17: the error of a transform in float, by the way to its roots."""

import style

table = style.rows("dft", gpu="loom")
fig, axes = style.figure(columns=1, height=400)

style.lines(axes, table, "error", [
    ("roots_table", "table of rounded roots", style.BLUE, "o"),
    ("roots_turning", "each root from the one before", style.GREEN, "s"),
    ("roots_angle", "an angle that grows", style.ORANGE, "^"),
    ("roots_goertzel", "Goertzel", style.PURPLE, "D"),
])
style.lines(axes, table, "bound", [
    ("roots", "bound of the first", style.MUTED, "")], linestyle="--")
axes.set_xscale("log")
axes.set_yscale("log")
axes.set_title("error of all bins in units of 2⁻²⁴ of the spectrum, by the length N", loc="left")
style.powers_of_two(axes.xaxis, step=1)
style.plain_numbers(axes.yaxis)
style.legend_below(fig, 3)
fig.get_layout_engine().set(rect=(0, 0.12, 1, 0.88))  # two rows of names

style.save(fig, __file__,
           "Errors against the length from 8 to 4096, both logarithmic. The "
           "table of rounded roots has the lowest line, with half the slope "
           "of the others; roots by turning are above it, roots by a growing "
           "angle and Goertzel's recurrence highest. The bound of the table "
           "is above them all and steeper.")
