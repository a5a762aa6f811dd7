#!/usr/bin/env python3
"""The peers of chapter 23: the same network, weights and batches in PyTorch.

race.py START [--data DIR] [--dry]

START is a folder with what the bench wrote: weights.bin (float32, in the order
of the book's model) and order.bin (int32, the order of the pictures). The
script reads commands from its standard input, a line each, and answers each
with a line, so that its samples can stand between the bench's own:

    version               versions of PyTorch and cuDNN
    open NAME BATCH [S]   NAME is way_precision or way_precision_loaded; S: seconds
                          that it may take; answers "open ID SECONDS"
    sample ID COUNT       COUNT training steps; answers "us U", of one step
    loss ID               of the last step; answers "loss X"
    launches ID           kernels and copies of one step on the GPU, and the time
                          that they are busy; answers "launches N U"
    close ID              answers "closed ID"

or, where that is not possible, with "failed" and the reason: one is that opening
(compiling, tuning) took longer than it may. With --dry it runs on the CPU, on 600
random pictures: to see that every line of it works.
"""
import argparse
import gzip
import os
import signal
import sys
import time

import numpy as np
import torch
from torch import nn

SHAPES = [("conv1.weight", (32, 1, 3, 3)), ("bn1.weight", (32,)),
          ("bn1.bias", (32,)), ("conv2.weight", (64, 32, 3, 3)),
          ("bn2.weight", (64,)), ("bn2.bias", (64,)),
          ("fc1.weight", (128, 3136)), ("fc1.bias", (128,)),
          ("fc2.weight", (10, 128)), ("fc2.bias", (10,))]

# way: (channels_last, torch.compile's mode or None, the whole step a graph)
WAYS = {"eager": (False, None, False),
        "channels": (True, None, False),
        "compiled": (True, "default", False),
        "graph": (True, None, True),
        "best": (True, "max-autotune-no-cudagraphs", True)}
PRECISIONS = ["fp32", "tf32", "bf16"]
DEVICE = "cuda"


class Late(BaseException):
    """Opening took longer than it may. No Exception, for tuning catches those and
    goes on."""


def be_late(*_):
    raise Late("it was not ready in time")


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 32, 3, padding=1, bias=False)
        self.bn1 = nn.BatchNorm2d(32)
        self.conv2 = nn.Conv2d(32, 64, 3, padding=1, bias=False)
        self.bn2 = nn.BatchNorm2d(64)
        self.fc1 = nn.Linear(3136, 128)
        self.fc2 = nn.Linear(128, 10)

    def forward(self, x):
        pool = nn.functional.max_pool2d
        x = pool(torch.relu(self.bn1(self.conv1(x))), 2)
        x = pool(torch.relu(self.bn2(self.conv2(x))), 2)
        return self.fc2(torch.relu(self.fc1(x.flatten(1))))


def read_idx(folder, name, skip):
    path = os.path.join(folder, name)
    if os.path.exists(path):
        raw = open(path, "rb").read()
    else:
        raw = gzip.open(path + ".gz", "rb").read()
    return np.frombuffer(raw, np.uint8, offset=skip)


class Data:
    """The training digits as bytes: in the GPU's memory as they lie, and in
    pinned memory of the host in the order in which they are asked for."""

    def __init__(self, args):
        if args.dry:
            draw = np.random.default_rng(1)
            x = draw.integers(0, 256, (600, 1, 28, 28), np.uint8)
            y = draw.integers(0, 10, 600).astype(np.int64)
            order = draw.permutation(600).astype(np.int64)
        else:
            x = read_idx(args.data, "train-images-idx3-ubyte", 16)
            x = x.reshape(-1, 1, 28, 28)
            y = read_idx(args.data, "train-labels-idx1-ubyte", 8)
            y = y.astype(np.int64)
            order = np.fromfile(os.path.join(args.start, "order.bin"),
                                np.int32).astype(np.int64)
        self.x = torch.from_numpy(x.copy()).to(DEVICE)
        self.y = torch.from_numpy(y.copy()).to(DEVICE)
        self.order = torch.from_numpy(order).to(DEVICE)
        self.host_x = torch.from_numpy(x[order])
        self.host_y = torch.from_numpy(y[order])
        if DEVICE == "cuda":
            self.host_x = self.host_x.pin_memory()
            self.host_y = self.host_y.pin_memory()


def read_weights(args, model):
    """Sets the weights to those of the book."""
    if args.dry:
        return
    w = np.fromfile(os.path.join(args.start, "weights.bin"), np.float32)
    state, at = {}, 0
    for name, shape in SHAPES:
        n = int(np.prod(shape))
        state[name] = torch.from_numpy(w[at:at + n].reshape(shape).copy())
        at += n
    missing, extra = model.load_state_dict(state, strict=False)
    assert not extra and all("running" in k or "tracked" in k for k in missing)


class Run:
    """One network in training, in one way, precision and batch size."""

    def __init__(self, args, data, name, batch):
        way, self.precision, *rest = name.split("_")
        channels_last, mode, self.graphed = WAYS[way]
        if self.precision not in PRECISIONS or rest not in ([], ["loaded"]):
            raise ValueError(f"no such peer: {name}")
        self.loaded = bool(rest)
        self.data, self.batch, self.steps = data, batch, 0
        self.in_epoch = data.order.numel() // batch
        self.use()
        torch.manual_seed(1)
        self.model = Net()
        read_weights(args, self.model)
        self.model.to(DEVICE)
        if channels_last:
            self.model.to(memory_format=torch.channels_last)
        self.opt = torch.optim.SGD(self.model.parameters(), lr=0.05,
                                   fused=True if self.graphed else None)
        self.entropy = nn.CrossEntropyLoss()
        self.cost = self.plain_cost
        if mode:
            self.cost = torch.compile(self.plain_cost, dynamic=False,
                                      mode=mode)
        self.open_input()
        if self.graphed and DEVICE == "cuda":
            self.capture()

    def use(self):
        """The settings of this run, which are PyTorch's for the process."""
        tf32 = self.precision != "fp32"
        torch.backends.cuda.matmul.allow_tf32 = tf32
        torch.backends.cudnn.allow_tf32 = tf32
        torch.backends.cudnn.benchmark = True

    def plain_cost(self, x, y, pick, count):
        """The loss of a batch: bytes and labels; or those that pick names; or,
        where a step is counted on the GPU, those that belong to the step."""
        if count is not None:
            pick = pick[count % self.in_epoch * self.batch + self.places]
        if pick is not None:
            x, y = x[pick], y[pick]
        with torch.autocast(DEVICE, torch.bfloat16,
                            enabled=self.precision == "bf16"):
            return self.entropy(self.model(x / 255.0), y)

    # ---- the batch --------------------------------------------------------
    def open_input(self):
        """Where pictures and labels are, and the numbers of those of a batch.
        A batch that is loaded has a place of its own on the GPU, in the order
        of the steps, so that the step is compiled the same in both cases."""
        data = self.data
        self.places = torch.arange(self.batch, device=DEVICE)
        self.count = torch.zeros(1, dtype=torch.int64, device=DEVICE)
        self.x, self.y, self.order = data.x, data.y, data.order
        if self.loaded:
            self.x, self.y = torch.empty_like(data.x), torch.empty_like(data.y)
            self.order = torch.arange(data.order.numel(), device=DEVICE)
            if DEVICE == "cuda":
                torch.cuda.synchronize()
                self.copier = torch.cuda.Stream()
                self.full = [torch.cuda.Event() for _ in range(2)]
                self.done = [torch.cuda.Event() for _ in range(2)]
            for k in range(2):
                self.fetch(k)

    def fetch(self, k):
        """Queues the copy of the batch of step k, two steps ahead."""
        first = k % self.in_epoch * self.batch
        rows = slice(first, first + self.batch)

        def copy():
            self.x[rows].copy_(self.data.host_x[rows], non_blocking=True)
            self.y[rows].copy_(self.data.host_y[rows], non_blocking=True)

        if DEVICE != "cuda":
            copy()
            return
        with torch.cuda.stream(self.copier):
            if k >= 2:
                self.copier.wait_event(self.done[k % 2])
            copy()
            self.full[k % 2].record()

    def batch_of(self, k, in_graph):
        """What plain_cost() gets for the batch of step k."""
        first = k % self.in_epoch * self.batch
        rows = slice(first, first + self.batch)
        if in_graph:
            return self.x, self.y, self.order, self.count
        if self.loaded:
            return self.x[rows], self.y[rows], None, None
        return self.x, self.y, self.order[rows], None

    # ---- the step ---------------------------------------------------------
    def work(self, k, in_graph=False):
        """Forward, backward, update, zero: what a graph may hold."""
        self.loss = self.cost(*self.batch_of(k, in_graph))
        self.loss.backward()
        self.opt.step()
        self.opt.zero_grad(set_to_none=True)
        if in_graph:
            self.count.add_(1)

    def capture(self):
        """The step as a graph, which counts its batches from 0."""
        side = torch.cuda.Stream()
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):
            if self.loaded:
                side.wait_event(self.full[1])
            for _ in range(4):
                self.count.zero_()
                self.work(0, in_graph=True)
        torch.cuda.current_stream().wait_stream(side)
        self.count.zero_()
        torch.cuda.synchronize()
        self.graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(self.graph):
            self.work(0, in_graph=True)

    def step(self):
        k = self.steps
        self.steps += 1
        cuda = DEVICE == "cuda"
        if self.loaded and cuda:
            torch.cuda.current_stream().wait_event(self.full[k % 2])
        if self.graphed and cuda:
            self.graph.replay()
        else:
            self.work(k)
        if self.loaded:
            if cuda:
                self.done[k % 2].record()
            self.fetch(k + 2)

    # ---- what is asked for ------------------------------------------------
    def sample(self, count):
        self.use()
        if DEVICE != "cuda":
            began = time.perf_counter()
            for _ in range(count):
                self.step()
            return 1e6 * (time.perf_counter() - began) / count
        start, stop = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        start.record()
        for _ in range(count):
            self.step()
        stop.record()
        stop.synchronize()
        return 1e3 * start.elapsed_time(stop) / count

    def launches(self):
        """Kernels and copies of 4 steps, divided by 4, and their time."""
        from torch.profiler import ProfilerActivity, profile
        kinds = [ProfilerActivity.CPU]
        if DEVICE == "cuda":
            kinds.append(ProfilerActivity.CUDA)
        self.sample(2)
        with profile(activities=kinds) as prof:
            for _ in range(4):
                self.step()
            if DEVICE == "cuda":
                torch.cuda.synchronize()
        on_gpu = [e for e in prof.events()
                  if e.device_type == torch.autograd.DeviceType.CUDA]
        busy = sum(e.time_range.elapsed_us() for e in on_gpu)
        return len(on_gpu) / 4, busy / 4


def answer(args, data, runs, words):
    if words[0] == "version":
        cudnn = torch.backends.cudnn.version() or 0
        return (f"version PyTorch {torch.__version__} cuDNN {cudnn // 10000}."
                f"{cudnn // 100 % 100}.{cudnn % 100}")
    if words[0] == "open":
        began = time.time()
        signal.alarm(int(words[3]) if len(words) > 3 else 0)
        try:
            run = Run(args, data, words[1], int(words[2]))
            run.sample(3)
        finally:
            signal.alarm(0)
        runs.append(run)
        return f"open {len(runs) - 1} {time.time() - began:.3f}"
    which = int(words[1])
    run = runs[which]
    if run is None:
        raise ValueError(f"{which} is closed")
    if words[0] == "sample":
        return f"us {run.sample(int(words[2])):.6f}"
    if words[0] == "loss":
        return f"loss {run.loss.item():.9g}"
    if words[0] == "launches":
        return "launches %.2f %.3f" % run.launches()
    if words[0] == "close":
        runs[which] = None
        return f"closed {which}"
    raise ValueError(f"what is {words[0]}?")


def main():
    global DEVICE
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("start")
    p.add_argument("--data", default=os.environ.get("MNIST_DIR", "data/mnist"))
    p.add_argument("--dry", action="store_true")
    args = p.parse_args()
    if args.dry:
        DEVICE = "cpu"
    elif not torch.cuda.is_available():
        sys.exit("race.py: needs a GPU that PyTorch can use")
    # each run compiles the same function for itself
    limits = torch._dynamo.config
    for limit in "recompile_limit", "accumulated_recompile_limit":
        if hasattr(limits, limit):
            setattr(limits, limit, 1000)
    # what libraries print to the standard output is no answer
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    signal.signal(signal.SIGALRM, be_late)
    data, runs = Data(args), []
    for line in sys.stdin:
        words = line.split()
        if not words:
            continue
        try:
            said = answer(args, data, runs, words)
        except (Exception, Late) as e:  # the bench goes on without this peer
            said = "failed " + " ".join(f"{type(e).__name__}: {e}".split())[:300]
        print(said, file=answers, flush=True)
    os._exit(0)  # the compiler's workers and graphs take seconds to put away


if __name__ == "__main__":
    main()
