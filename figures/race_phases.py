"""Chapter 23: what each kernel of the step costs, without pictures and for one."""

import style

table = style.rows("race-phases")
us = {(v, n): x for v, n, m, x in table if m == "us"}
# name, products of 16 x 8 x 16 and KB a picture (chapter 23, the step's table)
KERNELS = [
    ("sum_patches", 0, 0.8),
    ("convolve_twice", 2240, 25.9),
    ("pool_and_multiply", 196, 37.6),
    ("finish_forward", 0, 2.0),
    ("back_to_cells", 196, 12.5),
    ("back_through_both", 4480, 32.1),
    ("step_fc1", 196, 6.3),
    ("finish_step", 0, 0),
]
fig, (left, right) = style.plt.subplots(2, 1, figsize=(4.5, 7.6),
                                        layout="constrained")
for i, (name, products, kb) in enumerate(KERNELS):
    slope = (us[name, 4096] - us[name, 1024]) / 3072
    begin = us[name, 1024] - 1024 * slope
    floor = max(products * 4096 / 650e6, kb / 4.3e6 * 1e3)
    left.barh(i, begin, color=style.BLUE, height=0.62)
    left.annotate(f"{begin:.1f}", (begin, i), xytext=(4, 0), va="center",
                  textcoords="offset points", fontsize=12, color=style.INK)
    right.barh(i, 1e3 * max(slope, 0), color=style.ORANGE, height=0.62)
    right.plot([1e3 * floor] * 2, [i - 0.42, i + 0.42], color=style.INK,
               linestyle="--", linewidth=1.6)
    right.annotate(f"{1e3 * max(slope, 0):.1f}", (1e3 * max(slope, floor), i),
                   xytext=(5, 0), va="center", textcoords="offset points",
                   fontsize=12, color=style.INK)
right.plot([], [], color=style.INK, linestyle="--", linewidth=1.6,
           label="products or bytes")
right.legend(loc="lower right")
for axes, title, unit, most in (
        (left, "a kernel without pictures", "µs", 11),
        (right, "each picture more", "ns", 80)):
    axes.set_yticks(range(len(KERNELS)), [k[0] for k in KERNELS])
    axes.invert_yaxis()
    axes.set_axisbelow(True)
    axes.grid(axis="y", visible=False)
    axes.set_title(title, loc="left")
    axes.set_xlabel(unit)
    axes.set_xlim(0, most)

style.save(fig, __file__,
           "Two bar charts of the eight kernels. Above: what each costs without "
           "pictures, between 3 and 9 microseconds. Below: what each costs for "
           "one picture more, with a mark where its floor lies; "
           "back_through_both has 63 of 132 nanoseconds.")
