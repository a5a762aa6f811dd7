"""Chapter 6: transposes as a share of the copy, at four sizes."""

import style

table = style.rows("memory")
fig, axes = style.figure(height=450)

SIZES = [(1 << 20, "1024²", style.GOLD), (1 << 24, "4096²", style.GREEN),
         (1 << 28, "16384²", style.BLUE),
         (16381 * 16411, "16381 × 16411", style.PURPLE)]
LINES = [("write", "strided writes"), ("read", "strided reads"),
         ("tile", "tile"), ("padded", "padded"), ("swizzled", "swizzled"),
         ("tall", "tall tile"), ("vectors", "vectors"),
         ("down", "down the columns"), ("streamed", "streamed"),
         ("geam", "cublasSgeam")]
LINES = [(v, l) for v, l in LINES if any(r[0] == v for r in table)]

for k, (size, label, colour) in enumerate(SIZES):
    places, shares = [], []
    for place, (variant, _) in enumerate(LINES):
        found = [x for v, s, m, x in table
                 if v == variant and s == size and m == "of_copy"]
        if found:
            places.append(place + (k - 1.5) * 0.2)
            shares.append(found[0])
    axes.barh(places, shares, height=0.18, color=colour, label=label)
axes.axvline(100, color=style.MUTED, linestyle="--")
axes.axvline(95, color=style.MUTED, linestyle=":")
axes.set_yticks(range(len(LINES)))
axes.set_yticklabels([label for _, label in LINES])
axes.invert_yaxis()
axes.grid(axis="y", visible=False)
axes.set_xlabel("speed, % of the copy's")
style.legend_below(fig, 4)

style.save(fig, __file__,
           "Bars for each way to transpose, at four sizes, as a percentage of "
           "the copy's speed: strided writes far below all others, strided "
           "reads and the plain tile at less than half, the padded and the "
           "swizzled tile near nine tenths, and vectors close to the copy.")
