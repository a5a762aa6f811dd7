"""Chapter 5: the cell of one byte and the clock, without and with a barrier."""

import style

# (time, who, what); the byte is one of row[31]. Thread 31 writes and reads,
# and thread 32 reads it: the turns of the small Loom, in their order.
WITHOUT = [(1, "thread 31 writes", "write"), (1, "thread 32 reads", "read")]
WITH = [(1, "thread 31 writes", "write"), (2, "barrier", "tick"),
        (2, "thread 32 reads", "read")]


def story(axes, title, events, verdict, colour):
    axes.set_title(title, loc="left")
    axes.set_xlim(0, 12)
    axes.set_ylim(3.6, -0.4)
    axes.axis("off")
    axes.annotate("", (11.8, 1), (0.1, 1),
                  arrowprops={"arrowstyle": "->", "color": style.MUTED})
    last = None
    for i, (time, what, kind) in enumerate(events):
        x = 1.6 + 3.9 * i if len(events) == 3 else 1.6 + 7.8 * i
        mark = {"write": style.ORANGE, "read": style.BLUE,
                "tick": style.GREEN}[kind]
        axes.plot([x], [1], marker="o" if kind != "tick" else "|",
                  markersize=9 if kind != "tick" else 26, color=mark)
        axes.text(x, 0.35, what, ha="center", va="center")
        axes.text(x, 1.7, f"clock {time}", ha="center", va="center",
                  fontsize=11, color=style.MUTED)
        if kind == "write":
            axes.text(x, 2.6, f"cell: write = (time {time},\nthread 31, its line)",
                      ha="center", va="center", fontsize=11)
            last = time
        if kind == "read":
            axes.text(x, 2.6, verdict, ha="center", va="center", fontsize=11,
                      color=colour)


fig, _ = style.figure(columns=1, height=360)
fig.clear()
above, below = fig.subplots(2, 1)
story(above, "without the barrier", WITHOUT,
      "last barrier at 0: 1 < 0 is false,\na race", style.ORANGE)
story(below, "with it", WITH,
      "last barrier at 2: 1 < 2,\nthe write came before", style.GREEN)

style.save(fig, __file__,
           "Two time lines of one byte of shared memory. Without the barrier, "
           "thread 31 writes at clock 1, which the cell keeps, and thread 32 "
           "reads at clock 1: no barrier lies between, so it is a race. With "
           "it, the barrier moves the clock to 2, and the write's time 1 is "
           "less than the barrier's.")
