"""Chapter 5: the cell of one byte and the clock, without and with a barrier."""

import style

# (time, who, what); the byte is one of row[32], which thread 32 writes and
# thread 31 reads: the turns of the small Loom, in their order.
WITHOUT = [(1, "thread 31 reads", "read"), (1, "thread 32 writes", "write")]
WITH = [(1, "thread 32 writes", "write"), (2, "barrier", "tick"),
        (2, "thread 31 reads", "read")]


def story(axes, title, events, verdict, colour):
    axes.set_title(title, loc="left")
    axes.set_xlim(0, 12)
    axes.set_ylim(3.4, -0.2)
    axes.axis("off")
    axes.annotate("", (11.8, 1), (0.1, 1),
                  arrowprops={"arrowstyle": "->", "color": style.MUTED})
    for i, (time, what, kind) in enumerate(events):
        x = 1.9 + 4.0 * i if len(events) == 3 else 1.9 + 8.0 * i
        mark = {"write": style.ORANGE, "read": style.BLUE,
                "tick": style.GREEN}[kind]
        axes.plot([x], [1], marker="o" if kind != "tick" else "|",
                  markersize=9 if kind != "tick" else 26, color=mark)
        axes.text(x, 0.35, what, ha="center", va="center", fontsize=11)
        axes.text(x, 1.7, f"clock {time}", ha="center", va="center",
                  fontsize=11, color=style.MUTED)
        if i == 0:
            axes.text(x, 2.6, f"leaves in the cell:\n{kind}, time {time},\n"
                      + what.rsplit(" ", 1)[0],
                      ha="center", va="center", fontsize=10)
        if i == len(events) - 1:
            axes.text(x, 2.6, verdict, ha="center", va="center", fontsize=10,
                      color=colour)


fig, _ = style.figure(columns=1)
fig.set_size_inches(4.5, 5.2)  # narrow: a telephone shows it whole
fig.clear()
above, below = fig.subplots(2, 1)
story(above, "without the barrier", WITHOUT,
      "last barrier at 0:\n1 < 0 is false,\na race", style.ORANGE)
story(below, "with it", WITH,
      "last barrier at 2:\n1 < 2, the write\ncame before", style.GREEN)

style.save(fig, __file__,
           "Two time lines of one byte of shared memory. Without the barrier, "
           "thread 31 reads at clock 1, which the cell keeps, and thread 32 "
           "writes at clock 1: no barrier lies between, so it is a race. With "
           "it, thread 32 writes at clock 1, the barrier moves the clock to 2, "
           "and when thread 31 reads, the write's time 1 is less than the "
           "barrier's.")
