"""Chapter 5: a barrier as sets of lanes, a square for each thread."""

import style
from matplotlib.patches import Rectangle

THREADS = 40


def sets(axes, title, rows):
    """rows: (name, the threads in the set, colour)."""
    axes.set_title(title, loc="left", fontsize=12)
    for r, (name, members, colour) in enumerate(rows):
        axes.text(-0.6, r + 0.5, name, ha="right", va="center", fontsize=11)
        for t in range(THREADS):
            x = t + (1 if t >= 32 else 0)
            axes.add_patch(Rectangle((x + 0.1, r + 0.12), 0.8, 0.76,
                                     linewidth=0.6, edgecolor=style.MUTED,
                                     facecolor=colour if t in members
                                     else style.PAPER))
    for t in (0, 5, 32, 39):
        axes.text(t + (1.5 if t >= 32 else 0.5), len(rows) + 0.1, str(t),
                  ha="center", va="top", fontsize=10, color=style.MUTED)
    axes.set_xlim(-12.5, THREADS + 1.2)
    axes.set_ylim(len(rows) + 0.9, -0.1)
    axes.axis("off")


everyone = set(range(THREADS))
fig, _ = style.figure(columns=1)
fig.set_size_inches(4.5, 4.6)  # narrow: a telephone shows it whole
fig.clear()
a, b, c = fig.subplots(3, 1)
sets(a, "thread 39 has not come: they differ, all wait",
     [("alive", everyone, style.BLUE),
      ("at_barrier", everyone - {39}, style.ORANGE)])
sets(b, "thread 39 comes: they are equal, all go on",
     [("alive", everyone, style.BLUE), ("at_barrier", everyone, style.ORANGE)])
sets(c, "thread 5 has returned: nobody waits for it",
     [("alive", everyone - {5}, style.BLUE),
      ("at_barrier", everyone - {5}, style.ORANGE)])

style.save(fig, __file__,
           "Squares for the 40 threads of a block, 32 of the first warp and 8 "
           "of the second. Above, all are alive and all but thread 39 are at "
           "the barrier. In the middle thread 39 is there, too, and the two "
           "sets are equal. Below, thread 5 is in neither set, and they are "
           "equal again.")
