"""Chapter 12: random numbers in a second, beside a plain fill of memory."""

import style

SIZE = 1 << 28
table = style.rows("random")
rate = {v: x for v, s, m, x in table if m == "rate" and s == SIZE}
BARS = [  # variant, what it is called, colour
    ("plain", "a constant", style.MUTED),
    ("words", "words", style.BLUE),
    ("keyed", "words, keys ready", style.BLUE),
    ("device", "words, cuRAND in the kernel", style.ORANGE),
    ("curand", "words, cuRAND from the host", style.ORANGE),
    ("xorwow", "words, cuRAND's XORWOW", style.ORANGE),
    ("normals", "normals", style.BLUE),
    ("curand_normals", "normals, cuRAND from the host", style.ORANGE),
    ("fold", "not written", style.GREEN),
    ("fold_keyed", "not written, keys ready", style.GREEN),
]

fig, axes = style.figure(columns=1, height=380)
names = [name for _, name, _ in BARS]
axes.barh(names, [rate[v] for v, _, _ in BARS],
          color=[colour for _, _, colour in BARS], height=0.7)
for y, (variant, _, _) in enumerate(BARS):
    axes.text(rate[variant] + 10, y, f"{rate[variant]:.0f}", va="center",
              fontsize=12)
axes.axvline(rate["plain"], color=style.MUTED, linestyle="--", linewidth=1.2)
axes.set_axisbelow(True)
axes.invert_yaxis()
axes.grid(axis="y", visible=False)
axes.tick_params(axis="y", length=0)
axes.set_title("numbers in a second, in thousands of millions", loc="left")

style.save(fig, __file__,
           "Bars of numbers in a second. Filling memory with the book's words "
           "comes near the rate of a constant, cuRAND's words in the kernel "
           "and from the host come next; normals and XORWOW are slower; "
           "numbers that are not written are drawn faster than any that are.")
