"""Chapter 12: the book's random numbers in numpy, and PyTorch's beside them.

    random_philox.py check FILE...   make again what build/*/random/export wrote
    random_philox.py torch           is PyTorch's generator Philox? (needs a GPU)
    random_philox.py show            lines for build/*/random/check_philox

Other scripts import words(), kaiming_uniform() and shuffle_order() from here.
"""

import sys

import numpy as np

ROUNDS = 16  # of the shuffle
LOW = np.uint64(0xffffffff)
HALF = np.uint64(32)


def philox(seed, stream, block):
    """The four words of blocks: an array [4, ...] of uint32. stream and block
    are numbers or arrays, below 2^64."""
    block, stream = np.broadcast_arrays(np.asarray(block, np.uint64),
                                        np.asarray(stream, np.uint64))
    c = [block & LOW, block >> HALF, stream & LOW, stream >> HALF]
    k0, k1 = seed & 0xffffffff, seed >> 32 & 0xffffffff
    for _ in range(10):
        a = np.uint64(0xd2511f53) * c[0]
        b = np.uint64(0xcd9e8d57) * c[2]
        c = [b >> HALF ^ c[1] ^ np.uint64(k0), b & LOW,
             a >> HALF ^ c[3] ^ np.uint64(k1), a & LOW]
        k0 = k0 + 0x9e3779b9 & 0xffffffff
        k1 = k1 + 0xbb67ae85 & 0xffffffff
    return np.stack(c).astype(np.uint32)


def words(seed, stream, n, first=0):
    """Words first ... first + n - 1 of a stream."""
    i = np.arange(n, dtype=np.uint64) + np.uint64(first)
    b = philox(seed, stream, i >> np.uint64(2))
    return b[(i & np.uint64(3)).astype(np.int64), np.arange(n)]


def signed(w):
    """Words to floats in (-1, 1): draw_signed of random/draw.h."""
    odd = 2 * (w >> np.uint32(8)).astype(np.int64) - 16777215
    return odd.astype(np.float32) * np.float32(2.0 ** -24)


def uniform(n, bound, seed, stream):
    """n weights in (-bound, bound), float32: init_uniform of random/init.h."""
    return np.float32(bound) * signed(words(seed, stream, n))


def kaiming_uniform(n, fan_in, seed, stream):
    """init_uniform of random/init.h, with the bound of He and others."""
    return uniform(n, np.float32(np.sqrt(np.float64(6) / fan_in)), seed, stream)


def shuffle_order(n, seed, epoch):
    """The order of n samples in an epoch: shuffle_order of random/shuffle.h."""
    side = 2
    while side * side < n:
        side += 2
    cell, out = np.arange(n, dtype=np.uint64), np.ones(n, bool)
    while out.any():
        left, right = cell[out] // side, cell[out] % side
        for r in range(ROUNDS):
            w = philox(seed, epoch | 1 << 63, np.uint64(r << 32) | right)[0]
            step = w.astype(np.uint64) * np.uint64(side) >> HALF
            left, right = right, (left + step) % np.uint64(side)
        cell[out] = left * np.uint64(side) + right
        out = cell >= n
    return cell.astype(np.int64)


def curand_uniform(w):
    """Words to floats in (0, 1]: draw_curand of random/draw.h."""
    return (w.astype(np.float32) * np.float32(2.0 ** -32)
            + np.float32(2.0 ** -33))


def check(name):
    """Makes again each line "kind seed stream number n bits" of a file."""
    count = 0
    for line in open(name, encoding="ascii"):
        kind, *rest = line.split()
        if kind == "kind":
            continue
        seed, stream, i, n = map(int, rest[:4])
        want = int(rest[4], 16)
        if kind == "words":
            got = words(seed, stream, 1, i)[0]
        elif kind == "floats":
            got = np.float32(words(seed, stream, 1, i)[0] >> 8) \
                * np.float32(2.0 ** -24)
        elif kind == "weights":
            got = kaiming_uniform(i + 1, n, seed, stream)[i]
        elif kind == "order":
            got = shuffle_order(n, seed, stream)[i]
        else:
            continue  # normals and ranges are not made here
        if isinstance(got, np.floating):
            got = got.view(np.uint32)
        if int(got) != want:
            sys.exit(f"{name}: {line.strip()}: numpy has {int(got):08x}")
        count += 1
    print(f"ok: {count} numbers of {name}")


def torch_order(n, call_offset, threads):
    """Stream and place of each of n numbers of one call on the GPU."""
    e = np.arange(n)
    k = e // threads
    return e % threads, call_offset + k


def check_torch(show):
    import torch
    props = torch.cuda.get_device_properties(0)
    most = props.multi_processor_count * (
        props.max_threads_per_multi_processor // 256) * 256
    for seed in (7, 2 ** 40 + 1):
        for n in (1, 5, 300, 100000, most + 3, 9 * most + 1):
            threads = min(-(-n // 256) * 256, most)
            torch.manual_seed(seed)
            offset = 0
            for call in range(3):
                x = torch.rand(n, device="cuda").cpu().numpy()
                stream, place = torch_order(n, offset, threads)
                w = philox(seed, stream, place >> 2)[place & 3, np.arange(n)]
                want = curand_uniform(w)
                want[want == 1] = 0
                if not np.array_equal(x, want):
                    bad = int(np.argmax(x != want))
                    sys.exit(f"torch.rand({n}), seed {seed}, call {call}: number"
                             f" {bad} is {x[bad]!r}, not {want[bad]!r}: "
                             + where(x[bad], seed))
                if show and n == 300:
                    for i in range(0, n, 25):
                        print(f"torch {seed} {stream[i]} {place[i]} "
                              f"{int(x[i].view(np.uint32)):08x}")
                offset += 4 * (-(-n // (4 * threads)))
    if show:
        return
    print(f"ok: torch.rand on the GPU is Philox, a stream for each of up to "
          f"{most} threads")
    x = torch.rand(2 ** 28, device="cuda")
    if x.max().item() >= 1 or x.min().item() != 0:
        sys.exit("torch.rand on the GPU is not in [0, 1)")
    print(f"ok: among 2^28 numbers no 1, and {(x == 0).sum().item()} times 0")
    for seed in (7, 12345):
        torch.manual_seed(seed)
        x = torch.rand(1000).numpy()
        w = np.random.RandomState(seed)._bit_generator.random_raw(1000)
        want = (w & 0xffffff).astype(np.float32) * np.float32(2.0 ** -24)
        if not np.array_equal(x, want):
            sys.exit(f"torch.rand on the CPU is not MT19937: {x[:3]} {want[:3]}")
    print("ok: torch.rand on the CPU is MT19937, the low 24 bits of a word")
    bound = torch.nn.Linear(256, 1024).weight.abs().max().item()
    if not 0.99 / 16 < bound <= 1 / 16:
        sys.exit(f"nn.Linear(256, ...) has weights up to {bound}")
    print("ok: nn.Linear draws its weights from (-1/sqrt(m), 1/sqrt(m))")


def where(x, seed):
    """For a puzzle: which stream and place hold this float?"""
    streams = np.arange(300000)
    for block in range(16):
        b = curand_uniform(philox(seed, streams, block))
        hit = np.argwhere(b == x)
        if len(hit):
            return f"it is stream {hit[0][1]}, place {4 * block + hit[0][0]}"
    return "it is in no stream below 300000, place below 64"


if __name__ == "__main__":
    if sys.argv[1:2] == ["check"] and len(sys.argv) > 2:
        for file in sys.argv[2:]:
            check(file)
    elif sys.argv[1:] in (["torch"], ["show"]):
        check_torch(sys.argv[1] == "show")
    else:
        sys.exit(__doc__)
