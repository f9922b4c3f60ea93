"""python/shardrun_export.py with the real PyTorch/XLA: export lazy tensors of eight devices, run on 8 ranks, compare with PyTorch on a CPU.

    torch_test.py --shardrun BUILD/shardrun [NAME...]
"""
import os
import pathlib
import sys
import warnings

os.environ["PJRT_DEVICE"] = "CPU"
os.environ["CPU_NUM_DEVICES"] = "8"
ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "python"))
import numpy as np
import torch
import torch.nn.functional as F
import torch_xla.distributed.spmd as xs
import torch_xla.runtime as xr

import shardrun_export
from harness import main, run

xr.use_spmd()
TESTS = {}
MESH = xs.Mesh(np.arange(8), (2, 4), ("data", "model"))
TOLERANCE = {torch.bfloat16: 2**-6}


class Plain:
    """Stands for PyTorch/XLA when the program runs on a CPU; annotations have no effect."""
    device = torch.device("cpu")

    def put(self, tensor, *spec):
        return tensor.clone().detach().requires_grad_(tensor.requires_grad)


class Lazy(Plain):
    device = torch.device("xla")

    def put(self, tensor, *spec):
        lazy = tensor.detach().to("xla").requires_grad_(tensor.requires_grad)
        if spec:
            xs.mark_sharding(lazy, MESH, spec)
        return lazy


def program(f):
    def test(scratch):
        made = {}
        for at in Plain(), Lazy():
            torch.manual_seed(0)
            made[type(at)] = [result.detach() for result in f(at)]
        run(shardrun_export.export_torch(made[Lazy], dir="out"))
        for got, want in zip(shardrun_export.load("out"), made[Plain], strict=True):
            assert got.shape == want.shape and got.dtype.name == str(want.dtype).split(".")[1], (got.dtype, want.dtype)
            rtol = TOLERANCE.get(want.dtype, 1e-5)
            np.testing.assert_allclose(got.astype(np.float64), want.double().numpy(), rtol=rtol, atol=rtol)
    TESTS[f.__name__] = test
    return f


@program
def gradients(at):
    """Weights sharded along one axis, the batch along the other; constants that PyTorch/XLA makes parameters."""
    x, y = at.put(torch.randn(16, 12), "data", None), at.put(torch.randn(16, 4), "data", None)
    w1 = at.put((0.3 * torch.randn(32, 12)).requires_grad_(), "model", None)
    w2 = at.put((0.3 * torch.randn(4, 32)).requires_grad_(), None, "model")
    loss = F.mse_loss(F.linear(F.gelu(F.linear(x, w1)), w2), y)
    loss.backward()
    return [loss, w1.grad, w2.grad]


@program
def attention(at):
    q, k, v = (at.put(torch.randn(2, 4, 8, 8), "data", "model", None, None) for _ in range(3))
    mask = torch.ones(8, 8, device=at.device).tril().bool()
    return [(q @ k.transpose(-1, -2) / 8**0.5).masked_fill(~mask, float("-inf")).softmax(-1) @ v]


@program
def words(at):
    """Integer arguments and results with the shapes of floats."""
    table, ids = at.put(torch.randn(64, 16), "model", None), at.put(torch.randint(0, 64, (8, 6)), "data", None)
    logits = F.embedding(ids, table) @ table.t()
    return [logits.argmax(-1), F.cross_entropy(logits.view(-1, 64), ids.view(-1)), ids + 1]


@program
def images(at):
    x, kernel = at.put(torch.randn(8, 3, 8, 8), "data", None, None, None), at.put(0.3 * torch.randn(4, 3, 3, 3))
    y = F.batch_norm(F.conv2d(x, kernel, padding=1), None, None, training=True)
    return [F.max_pool2d(F.relu(y), 2), F.interpolate(x, scale_factor=2)]


@program
def halves(at):
    """Results of bfloat16, a type that NumPy does not have."""
    x, w = at.put(torch.randn(16, 32).bfloat16(), "data", None), at.put(torch.randn(32, 8).bfloat16(), None, "model")
    return [x @ w, x.float().sum(0)]


@program
def large_constants(at):
    """Large constants, which PyTorch/XLA's HLO text omits."""
    x, w = at.put(torch.randn(16, 64), "data", None), at.put(torch.randn(64, 32), None, "model")
    return [(x + torch.arange(64, device=at.device)) @ w, torch.arange(100, device=at.device).view(4, 25).sum(0)]


@program
def factors(at):
    a = at.put(torch.randn(8, 6, 4), "data", None, None)
    q, r = torch.linalg.qr(a)
    return [q @ r, torch.linalg.inv(a.transpose(1, 2) @ a + torch.eye(4, device=at.device))]


@program
def evaluated(at):
    """Results that have been evaluated: gradients of weight_norm, which PyTorch/XLA computes on the CPU, and an argument."""
    x = at.put(torch.randn(16, 8), "data", None)
    v, g = (at.put(torch.rand(*shape).requires_grad_()) for shape in ((4, 8), (4, 1)))
    loss = torch.sin(x @ torch._weight_norm(v, g, 0).t()).sum()
    loss.backward()
    return [loss, v.grad, g.grad, x, 2 * x]


def warning(scratch):
    """Ops without a lowering are named."""
    x = torch._weight_norm(torch.ones(4, 8, device="xla"), torch.ones(4, 1, device="xla"), 0)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        shardrun_export.export_torch([x + 1], dir="out")
    assert any("aten::_weight_norm_interface" in str(w.message) for w in caught), [str(w.message) for w in caught]


TESTS["warning"] = warning


if __name__ == "__main__":
    main(TESTS)
