"""Chapter 6: the bandwidth of each memory, measured beside the computed peak."""

import style

table = style.rows("memory")
fig, axes = style.figure(height=300)

RUNGS = [("registers", "registers"), ("shared", "shared memory"),
         ("l1", "L1 cache"), ("l2", "L2 cache"), ("memory", "device memory"),
         ("to_device", "PCIe, to the device")]


def value(variant, metric):
    found = [x for v, s, m, x in table if v == variant and m == metric]
    return found[0] if found else None


for place, (variant, label) in enumerate(RUNGS):
    measured = value(variant, "gbps")
    peak = value(variant, "of_peak")
    axes.barh(place, measured, height=0.55, color=style.BLUE,
              label="measured" if place == 0 else None)
    if peak:
        axes.plot([100 * measured / peak] * 2, [place - 0.4, place + 0.4],
                  color=style.ORANGE, linewidth=3,
                  label="computed" if place == 0 else None)
    text = f"{measured / 1000:.3g} TB/s" if measured >= 1000 else (
        f"{measured:.3g} GB/s")
    axes.annotate(text, (max(measured, 100 * measured / (peak or 100)), place),
                  xytext=(10, 0), textcoords="offset points", va="center",
                  color=style.INK)
axes.set_yticks(range(len(RUNGS)))
axes.set_yticklabels([label for _, label in RUNGS])
axes.invert_yaxis()
axes.set_xscale("log")
axes.set_xlim(10, 4e6)
axes.grid(axis="y", visible=False)
style.plain_numbers(axes.xaxis)
axes.set_xlabel("GB/s")
axes.legend(loc="lower right")

style.save(fig, __file__,
           "Bars on a logarithmic scale: the bandwidth of registers, shared "
           "memory, the L1 cache, the L2 cache, device memory and PCIe, each "
           "several times smaller than the one before, with a mark at the "
           "computed peak where there is one; the bars end just before it.")
