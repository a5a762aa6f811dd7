"""Chapter 15: what a type of the factors loses, and how fast it is."""

import style

SPEED, ERROR = 4096, 1024
table = style.rows("tensor")
got = {(r[0], r[1], r[2]): r[3] for r in table}
fig, axes = style.figure(columns=1, height=400)

TYPES = [  # variant, its name in the book, colour, marker, name's place
    ("type_float", "float", style.PURPLE, "^", (8, 6)),
    ("type_three", "three of BF16", style.TEAL, "D", (8, 6)),
    ("type_tf32", "TF32", style.GREEN, "o", (-8, -16)),
    ("type_fp16", "FP16", style.BLUE, "s", (-16, -18)),
    ("type_bf16", "BF16", style.ORANGE, "v", (8, -4)),
    ("type_e4m3", "FP8", style.INK, "P", (-30, -4)),
]
for variant, name, colour, marker, place in TYPES:
    speed = got[variant, SPEED, "tflops"]
    error = got[variant, ERROR, "error"]
    bound = got[variant, ERROR, "bound"]
    axes.plot([speed, speed], [error, bound], color=colour, linewidth=1.2)
    axes.plot([speed], [error], color=colour, marker=marker, linestyle="")
    axes.plot([speed], [bound], color=colour, marker="_", markersize=14,
              linestyle="")
    axes.annotate(name, (speed, error), textcoords="offset points",
                  xytext=place, color=colour)
axes.set_xscale("log")
axes.set_yscale("log")
axes.set_xlim(30, 2500)
axes.set_xticks([50, 100, 200, 500, 1000, 2000])
style.plain_numbers(axes.xaxis)
axes.minorticks_off()
axes.set_ylim(1e-7, 1)
axes.set_xlabel("TFLOP/s at 4096")
axes.set_title("largest error at 1024, of the sum of absolute values; the bar is "
               "the bound", loc="left")

style.save(fig, __file__,
           "Six points, error against speed, both axes logarithmic. From lower "
           "left to upper right: float, then three products of BF16, TF32, "
           "FP16 and BF16, and FP8 as the fastest and the least exact. Each has "
           "its error bound some twenty to two hundred times above it.")
