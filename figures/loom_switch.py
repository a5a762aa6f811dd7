"""Chapter 5: the stacks of two fibers before and after a switch."""

import style
from matplotlib.patches import Rectangle

REGISTERS = ["rbp", "rbx", "r12", "r13", "r14", "r15"]
CALLED = ["locals of the kernel", "address in the kernel",
          "locals of __syncthreads", "address to return to"]


def stack(axes, x, title, words, pointer, colour):
    """A stack that grows downwards; `pointer` names what points at its top."""
    axes.text(x + 2.4, 0.2, title, ha="center", va="bottom", weight="bold")
    for i, word in enumerate(words):
        saved = word in REGISTERS
        axes.add_patch(Rectangle((x, i + 0.5), 4.8, 1, linewidth=1,
                                 facecolor=style.PANEL if saved else style.PAPER,
                                 edgecolor=colour if saved else style.MUTED))
        axes.text(x + 2.4, i + 1, word, ha="center", va="center", fontsize=10,
                  color=style.INK)
    top = len(words) + 0.5
    axes.annotate(pointer, (x + 2.4, top), (x + 2.4, top + 1.3), ha="center",
                  va="top", fontsize=10, color=colour,
                  arrowprops={"arrowstyle": "->", "color": colour})


fig, _ = style.figure(columns=1)
fig.set_size_inches(4.5, 9)  # narrow: a telephone shows it whole
fig.clear()
before, after = fig.subplots(2, 1)
for axes, title in ((before, "before: thread 0 runs"),
                    (after, "after: thread 1 runs")):
    axes.set_title(title, loc="left", pad=16)
    axes.set_xlim(-0.1, 10.2)
    axes.set_ylim(14, -0.2)
    axes.axis("off")
asleep = CALLED + REGISTERS
stack(before, 0, "thread 0", CALLED, "rsp", style.BLUE)
stack(before, 5.2, "thread 1", asleep, "saved[1]", style.ORANGE)
stack(after, 0, "thread 0", asleep, "saved[0]", style.BLUE)
stack(after, 5.2, "thread 1", CALLED[:-1], "rsp", style.ORANGE)

style.save(fig, __file__,
           "Two stacks that grow downwards, before and after a switch. Before, "
           "rsp points at the stack of thread 0, and saved[1] at that of "
           "thread 1, which ends in six registers. After, saved[0] points at "
           "the stack of thread 0, which now ends in its six registers, and "
           "rsp at that of thread 1, whose registers and return address have "
           "been taken off.")
