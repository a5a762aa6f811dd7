"""Chapter 19: the best plan and the heuristics' first against the legacy calls."""

import style

table = style.rows("cudnn")
us = {(v, n): x for v, n, m, x in table if m == "us"}
KINDS = [("fp32", "nchw"), ("fp32", "nhwc"), ("tf32", "nchw"),
         ("tf32", "nhwc"), ("bf16", "nchw"), ("bf16", "nhwc")]
TASKS = [("y", style.BLUE, "forward"), ("dx", style.ORANGE, "input gradient"),
         ("dw", style.GREEN, "filter gradient"),
         ("bias_relu", style.PURPLE, "with bias, ReLU")]
fig, (left, right) = style.figure(columns=2, height=380)
for row, (precision, layout) in enumerate(KINDS):
    for k, (task, colour, label) in enumerate(TASKS):
        for layer in "first", "second":
            for size in 64, 256, 1024:
                name = f"{layer}_{task}_{precision}_{layout}_"
                plan, choice = (min((us[name + way, size] for way in ways
                                     if (name + way, size) in us), default=None)
                                for ways in (("first", "best"),
                                             ("first", "best", "own")))
                y = row + 0.18 * (k - 1.5)
                how = {"color": colour, "marker": "o", "markersize": 4.5,
                       "linestyle": "none", "alpha": 0.8, "label": label}
                if choice and (name + "legacy", size) in us:
                    left.plot(us[name + "legacy", size] / choice, y, **how)
                if plan and (name + "first", size) in us:
                    right.plot(us[name + "first", size] / plan, y, **how)
for axes, title in ((left, "legacy call's time / best choice's"),
                    (right, "first plan's time / best plan's")):
    axes.axvline(1, color=style.INK, linewidth=1)
    axes.set_xscale("log")
    axes.invert_yaxis()
    axes.set_title(title, loc="left")
    style.plain_numbers(axes.xaxis)
    axes.xaxis.set_minor_formatter(style.matplotlib.ticker.NullFormatter())
    axes.grid(axis="y", visible=False)
left.set_xticks([1, 2, 3, 4])
right.set_xticks([1, 1.5, 2, 3])
left.set_yticks(range(len(KINDS)), [f"{p}, {l.upper()}" for p, l in KINDS])
right.set_yticks([])
style.legend_below(fig, 4)

style.save(fig, __file__,
           "Dots for each layer, size and pass, in six rows of precision and "
           "layout. Left: how much longer the legacy call takes than the best "
           "plan or our own kernel; all dots are at 1 or to the right, up to 4.2. "
           "Right: how much longer the heuristics' first plan takes than the "
           "best: from 1 to 3.1.")
