#!/usr/bin/env python3
"""The peer of chapter 22: the same network, weights and batches in PyTorch.

mnist.py START [--data DIR] [--steps N]

START is a folder with what the bench wrote: weights.bin (float32, the order
of the book's model), order.bin (int32, the pictures of each epoch) and
losses.bin (float64, the losses of the first steps in double). Prints rows
chapter,variant,size,metric,value,unit on stdout: the losses of the first steps
and their distances from those in double, and the time of a step and of its
stages, for several ways to run it.
"""
import argparse
import gzip
import os
import sys
import time

import numpy as np
import torch
from torch import nn

import race

SHAPES = [("conv1.weight", (32, 1, 3, 3)), ("bn1.weight", (32,)),
          ("bn1.bias", (32,)), ("conv2.weight", (64, 32, 3, 3)),
          ("bn2.weight", (64,)), ("bn2.bias", (64,)),
          ("fc1.weight", (128, 3136)), ("fc1.bias", (128,)),
          ("fc2.weight", (10, 128)), ("fc2.bias", (10,))]
STAGES = ["load", "forward", "backward", "update", "zero"]


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


def row(variant, size, metric, value, unit=""):
    print(f"mnist,{variant},{size},{metric},{value:.9g},{unit}", flush=True)


def read_idx(folder, name, skip):
    path = os.path.join(folder, name)
    if os.path.exists(path):
        raw = open(path, "rb").read()
    else:
        raw = gzip.open(path + ".gz", "rb").read()
    return np.frombuffer(raw, np.uint8, offset=skip)


def read_data(folder):
    """The training pictures as bytes and their labels, on the GPU."""
    x = read_idx(folder, "train-images-idx3-ubyte", 16).reshape(-1, 1, 28, 28)
    y = read_idx(folder, "train-labels-idx1-ubyte", 8).astype(np.int64)
    return torch.from_numpy(x.copy()).cuda(), torch.from_numpy(y).cuda()


def read_start(folder, model):
    """Sets the weights to those of the book; returns the order of pictures."""
    w = np.fromfile(os.path.join(folder, "weights.bin"), np.float32)
    state, at = {}, 0
    for name, shape in SHAPES:
        n = int(np.prod(shape))
        state[name] = torch.from_numpy(w[at:at + n].reshape(shape).copy())
        at += n
    missing, extra = model.load_state_dict(state, strict=False)
    assert not extra and all("running" in k or "tracked" in k for k in missing)
    order = np.fromfile(os.path.join(folder, "order.bin"), np.int32)
    return torch.from_numpy(order.astype(np.int64)).cuda()


class Run:
    """One network in training."""

    def __init__(self, args, batch, data):
        torch.manual_seed(1)
        torch.backends.cudnn.benchmark = False
        self.model = Net().cuda()
        self.order = read_start(args.start, self.model)
        self.x, self.y = data
        self.batch, self.at = batch, 0
        self.cost = nn.CrossEntropyLoss()
        self.bytes = torch.empty(batch, 1, 28, 28, device="cuda")
        self.label = torch.empty(batch, dtype=torch.int64, device="cuda")
        self.pick = torch.empty(batch, dtype=torch.int64, device="cuda")
        self.opt = torch.optim.SGD(self.model.parameters(), lr=0.05)

    def choose(self):
        """Where the next batch is (the epochs' last pictures are dropped)."""
        n = self.x.shape[0] // self.batch * self.batch
        first = self.at % n
        epoch = self.at // n % (self.order.numel() // self.x.shape[0])
        first += epoch * self.x.shape[0]
        self.at += self.batch
        self.pick.copy_(self.order[first:first + self.batch])

    def load(self):
        torch.div(self.x[self.pick], 255.0, out=self.bytes)
        torch.index_select(self.y, 0, self.pick, out=self.label)

    def forward(self):
        self.loss = self.cost(self.model(self.bytes), self.label)

    def backward(self):
        self.loss.backward()

    def update(self):
        self.opt.step()

    def zero(self):
        self.opt.zero_grad(set_to_none=True)

    def step(self):
        for stage in STAGES:
            getattr(self, stage)()

    def capture(self):
        """The whole step as a CUDA graph, which then replaces step()."""
        side = torch.cuda.Stream()
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):
            for _ in range(3):
                self.choose()
                self.step()
        torch.cuda.current_stream().wait_stream(side)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            self.step()
        self.step = graph.replay


def losses(args, data, variant, tf32):
    """The loss of the first steps, one row each."""
    precision(tf32)
    run = Run(args, 64, data)
    exact = np.fromfile(os.path.join(args.start, "losses.bin"), np.float64)
    for k in range(args.steps):
        run.choose()
        run.step()
        loss = run.loss.item()
        row(variant, k, "loss", loss)
        row(variant, k, "off", abs(loss - exact[k]))


def precision(tf32):
    torch.backends.cuda.matmul.allow_tf32 = tf32
    torch.backends.cudnn.allow_tf32 = tf32


def timed(function, count):
    """Microseconds of each of `count` calls, between events."""
    events = [torch.cuda.Event(enable_timing=True) for _ in range(count + 1)]
    events[0].record()
    for k in range(count):
        function()
        events[k + 1].record()
    torch.cuda.synchronize()
    return np.array([1e3 * a.elapsed_time(b)
                     for a, b in zip(events, events[1:])])


def spread(variant, batch, us):
    """Rows for the median and the quartiles, as the book's own benches have."""
    for name, q in ("us", 50), ("us_q1", 25), ("us_q3", 75):
        row(variant, batch, name, np.percentile(us, q), "µs")


def step_time(args, data, variant, batch, tf32=False, graph=True):
    """Rows for the whole step, args.count of them after a warm-up, and for the
    loss after them, which must have fallen."""
    began = time.time()
    precision(tf32)
    run = Run(args, batch, data)
    if graph:
        run.capture()

    def one():
        run.choose()
        run.step()

    timed(one, args.warm)
    spread(variant, batch, timed(one, args.count))
    loss = run.loss.item()
    if not loss < 1.0:
        sys.exit(f"mnist.py: {variant} at {batch} does not learn: loss {loss}")
    row(variant, batch, "loss", loss)
    row(variant, batch, "seconds", time.time() - began, "s")


def graph_time(args, data, variant, batch, way):
    """The same for a whole-step graph of the race: channels_last, cuDNN's own
    search, a fused update."""
    began = time.time()
    run = race.Run(args, data, way, batch)
    run.sample(args.warm)
    ready = time.time() - began
    spread(variant, batch, np.array([run.sample(20) for _ in range(31)]))
    row(variant, batch, "loss", run.loss.item())
    row(variant, batch, "seconds", ready, "s")


def stage_times(args, data, variant, batch):
    """Rows for each stage: events between the stages of eager fp32 steps."""
    precision(False)
    run = Run(args, batch, data)
    all_us = {stage: [] for stage in STAGES}
    for k in range(args.warm + args.count):
        run.choose()
        events = [torch.cuda.Event(enable_timing=True) for _ in range(6)]
        events[0].record()
        for stage, event in zip(STAGES, events[1:]):
            getattr(run, stage)()
            event.record()
        torch.cuda.synchronize()
        if k >= args.warm:
            for stage, a, b in zip(STAGES, events, events[1:]):
                all_us[stage].append(1e3 * a.elapsed_time(b))
    for stage in STAGES:
        spread(variant + "_" + stage, batch, all_us[stage])


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("start")
    p.add_argument("--data", default=os.environ.get("MNIST_DIR", "data/mnist"))
    p.add_argument("--steps", type=int, default=100)
    p.add_argument("--warm", type=int, default=30)
    p.add_argument("--count", type=int, default=200)
    args = p.parse_args()
    args.dry = False
    if not torch.cuda.is_available():
        sys.exit("mnist.py: needs a GPU that PyTorch can use")
    version = torch.backends.cudnn.version()
    print(f"# library: PyTorch {torch.__version__}")
    print(f"# library: cuDNN {version // 10000}.{version // 100 % 100}."
          f"{version % 100} (PyTorch's)")
    data, raced = read_data(args.data), race.Data(args)
    losses(args, data, "loss_torch", False)
    losses(args, data, "loss_torch_tf32", True)
    for batch in 64, 256, 1024, 4096:
        step_time(args, data, "torch_eager", batch, graph=False)
        step_time(args, data, "torch_eager_tf32", batch, True, graph=False)
        step_time(args, data, "torch_graph", batch)
        step_time(args, data, "torch_graph_tf32", batch, True)
        stage_times(args, data, "torch_eager", batch)
        graph_time(args, raced, "torch_graph_fp32", batch, "graph_fp32")
        graph_time(args, raced, "torch_graph_bf16", batch, "graph_bf16")


if __name__ == "__main__":
    main()
