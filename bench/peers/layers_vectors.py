#!/usr/bin/env python3
"""layers_vectors.py: what PyTorch's layers give, as text for layers/torch.cu.

Usage: layers_vectors.py > tests/data/layers/torch.txt

Inputs are random, made on the CPU from a fixed seed, and are floats. Each result
is written twice: computed by torch.autograd in float64, and in float32 (on the
GPU if there is one). A case is a line `case NAME` and four sizes; then arrays,
`in NAME COUNT` and the numbers, or `out NAME COUNT`, the numbers of float64 and
those of float32. A gradient dX belongs to the loss sum(dy * y), or to the loss.
"""
import platform
import sys

import torch
import torch.nn.functional as F

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
EPS = 1e-5


def numbers(t, digits):
    flat = t.detach().double().cpu().reshape(-1).tolist()
    for i in range(0, len(flat), 6):
        print(" ".join("%.*g" % (digits, v) for v in flat[i:i + 6]))


def case(name, sizes, function, inputs, wanted, dy=None):
    """inputs: name -> float32 tensor; wanted: names whose gradients to write;
    function(inputs) gives the outputs, name -> tensor, the first is y or loss."""
    print("case", name, *(tuple(sizes) + 4 * (1,))[:4])
    for key, t in inputs.items():
        print("in", key, t.numel())
        numbers(t, 9)
    if dy is not None:
        print("in dy", dy.numel())
        numbers(dy, 9)
    results = []
    for kind, device in ((torch.float64, "cpu"), (torch.float32, DEVICE)):
        x = {}
        for key, t in inputs.items():
            x[key] = t.detach().clone().to(device)
            if t.is_floating_point():
                x[key] = x[key].to(kind).requires_grad_(key in wanted)
        out = function(x)
        first = next(iter(out.values()))
        first.backward(None if dy is None else dy.to(device, kind))
        for key in wanted:
            out["d" + key] = x[key].grad
        results.append(out)
    for key in results[0]:
        print("out", key, results[0][key].numel())
        numbers(results[0][key], 17)
        numbers(results[1][key], 9)


def main():
    gen = torch.Generator().manual_seed(21)

    def rand(*shape):
        return 2 * torch.rand(*shape, generator=gen) - 1

    def small(*shape):
        return torch.randint(-2, 3, shape, generator=gen).float()

    def distinct(planes, h, w):
        """in every 2 x 2 the numbers are far apart"""
        place = 2 * (torch.arange(h)[:, None] % 2) + torch.arange(w) % 2
        turn = torch.randint(0, 4, (planes, (h + 1) // 2, (w + 1) // 2),
                             generator=gen)
        turn = turn.repeat_interleave(2, 1).repeat_interleave(2, 2)
        return (place ^ turn[:, :h, :w]).float() + 0.3 * rand(planes, h, w)

    gpu = torch.cuda.get_device_name() if DEVICE == "cuda" else "no GPU"
    print("# made by bench/peers/layers_vectors.py")
    print("# PyTorch %s, CUDA %s, cuDNN %s, Python %s" % (
        torch.__version__, torch.version.cuda, torch.backends.cudnn.version(),
        platform.python_version()))
    print("# float64 on the CPU, float32 on: %s" % gpu)

    case("linear", (5, 7, 4),
         lambda i: {"y": F.linear(i["x"], i["w"], i["bias"])},
         {"x": rand(5, 7), "w": rand(4, 7), "bias": rand(4)},
         ("x", "w", "bias"), rand(5, 4))
    x = rand(23)
    case("relu", (23,), lambda i: {"y": F.relu(i["x"])},
         {"x": x + 0.1 * x.sign()}, ("x",), rand(23))
    case("relu_kink", (9,), lambda i: {"y": F.relu(i["x"])},
         {"x": small(9)}, ("x",), rand(9))

    def norm(i):
        return {"y": F.batch_norm(i["x"], None, None, i["scale"], i["shift"],
                                  True, 0.1, EPS)}

    def norm_given(i):
        return {"y": F.batch_norm(i["x"], i["mean"], i["var"], i["scale"],
                                  i["shift"], False, 0.1, EPS)}

    for middle, shape in ((0, (4, 3, 3, 5)), (30, (3, 2, 4, 4))):
        x, c = rand(*shape) + middle, shape[1]
        scale, shift, dy = rand(c), rand(c), rand(*shape)
        case("norm", shape, norm, {"x": x, "scale": scale, "shift": shift},
             ("x", "scale", "shift"), dy)
        given = {"x": x, "scale": scale, "shift": shift,
                 "mean": x.mean((0, 2, 3)), "var": x.var((0, 2, 3))}
        case("norm_given", shape, norm_given, given, ("x",), dy)

    def pool(i):
        y, at = F.max_pool2d(i["x"][None], 2, return_indices=True)
        w = i["x"].shape[2]
        return {"y": y[0], "which": 2 * (at[0] // w % 2) + at[0] % w % 2}

    for name, x in (("pool", distinct(3, 5, 6)), ("pool_ties", small(3, 5, 7))):
        planes, h, w = x.shape
        case(name, (planes, h, w), pool, {"x": x}, ("x",),
             rand(planes, h // 2, w // 2))

    label = torch.randint(0, 10, (6,), generator=gen)
    x = 8 * rand(6, 10)
    case("xent", (6, 10),
         lambda i: {"loss": F.cross_entropy(i["x"], i["label"])},
         {"x": x, "label": label}, ("x",))
    case("xent_twice", (6, 10),
         lambda i: {"loss": F.cross_entropy(F.log_softmax(i["x"], 1),
                                            i["label"])},
         {"x": x, "label": label}, ("x",))
    case("xent_far", (6, 10),
         lambda i: {"loss": F.cross_entropy(i["x"], i["label"])},
         {"x": 25 * x, "label": label}, ("x",))
    return 0


if __name__ == "__main__":
    sys.exit(main())
