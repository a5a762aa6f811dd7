"""Chapter 12: triples of RANDU lie on planes, those of Philox do not."""

import math

import style

POINTS = 1000


def randu():
    x = 1
    while True:
        x = 65539 * x % 2 ** 31
        yield x / 2 ** 31


def philox():
    """Words of stream 0 of seed 1, as random/philox.h draws them."""
    block = 0
    while True:
        c, k0, k1 = [block, 0, 0, 0], 1, 0
        for _ in range(10):
            a, b = 0xd2511f53 * c[0], 0xcd9e8d57 * c[2]
            c = [b >> 32 ^ c[1] ^ k0, b & 0xffffffff,
                 a >> 32 ^ c[3] ^ k1, a & 0xffffffff]
            k0, k1 = k0 + 0x9e3779b9 & 0xffffffff, k1 + 0xbb67ae85 & 0xffffffff
        yield from (w / 2 ** 32 for w in c)
        block += 1


fig, axes = style.figure(columns=2, height=330)
for ax, name, words, colour in ((axes[0], "RANDU", randu(), style.ORANGE),
                                (axes[1], "Philox", philox(), style.BLUE)):
    xs, ys = [], []
    for _ in range(POINTS):
        x, y, z = next(words), next(words), next(words)
        xs += [x, x + 0.004, math.nan]  # a short stroke: one path for all
        ys += [9 * x - 6 * y + z] * 2 + [math.nan]
    ax.plot(xs, ys, color=colour, linewidth=2)
    ax.set_title(name, loc="left")
    ax.set_xlim(0, 1)
    ax.set_ylim(-7, 11)
    ax.set_xlabel("x")
axes[0].set_ylabel("9x − 6y + z")

style.save(fig, __file__,
           "Two scatter plots of 9x minus 6y plus z against x for triples of "
           "consecutive numbers x, y, z. The points of RANDU lie on horizontal "
           "lines at the whole numbers from minus 5 to 9; those of Philox fill "
           "the plane between them evenly.")
