"""PyTorch/XLA on the plugin: forward and backward passes of models equal PyTorch's own, on one device; training sharded over eight.

    torch_plugin_test.py --plugin LIBRARY [NAME...]         NAME: a model
    torch_plugin_test.py --plugin LIBRARY --spmd

Models of torchvision and transformers are tested if these packages are installed; weights are random. A model passes if its result and each
gradient differ from PyTorch's by at most TOLERANCE of the largest element."""
import argparse, os, pathlib, sys

parser = argparse.ArgumentParser()
parser.add_argument("--plugin", required=True)
parser.add_argument("--spmd", action="store_true")
parser.add_argument("names", nargs="*")
options = parser.parse_args()
os.environ.update(PJRT_DEVICE="SHARDRUN", SHARDRUN_PJRT_LIBRARY=os.path.abspath(options.plugin))
os.environ.setdefault("SHARDRUN_DEVICES", "8")
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "python"))

import numpy as np
import torch
import torch.nn.functional as F
import torch_xla
import torch_xla.distributed.spmd as xs
import torch_xla.runtime as xr
from torch import nn
from torch_xla.experimental import plugins
from shardrun.torch import ShardrunPlugin

plugins.use_dynamic_plugins()  # what the package's entry point does where it is installed
plugins.register_plugin("SHARDRUN", ShardrunPlugin())

if options.spmd:
    xr.use_spmd()
DEVICE = torch_xla.device()  # before the first backward pass, which counts the devices
TOLERANCE = 1e-4
MODELS = {}  # name: function that returns a module and its arguments


def model(make):
    MODELS[make.__name__] = make


# ---- models defined in this file ----

@model
def mlp():
    return nn.Sequential(nn.Linear(32, 64), nn.GELU(), nn.LayerNorm(64), nn.Linear(64, 8), nn.Softmax(-1)), [torch.randn(16, 32)]


@model
def lenet():
    return nn.Sequential(nn.Conv2d(1, 6, 5), nn.Tanh(), nn.AvgPool2d(2), nn.Conv2d(6, 16, 5), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(),
                         nn.Linear(256, 10), nn.LogSoftmax(-1)), [torch.randn(4, 1, 28, 28)]


# There are no models with ELU or GRU, since PyTorch/XLA fails on them on XLA:CPU: gradients of ELU are wrong, GRU mixes devices.

class Residual(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.body = nn.Sequential(nn.Conv2d(channels, channels, 3, padding=1, bias=False), nn.BatchNorm2d(channels), nn.ReLU(),
                                  nn.Conv2d(channels, channels, 3, padding=1, groups=2, bias=False), nn.BatchNorm2d(channels))

    def forward(self, x):
        return F.relu(x + self.body(x))


@model
def small_resnet():
    return nn.Sequential(nn.Conv2d(3, 8, 3, 2, 1), Residual(8), Residual(8), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(8, 5)), \
        [torch.randn(4, 3, 32, 32)]


@model
def unet():
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.down, self.mid = nn.Conv2d(3, 8, 3, 2, 1), nn.Conv2d(8, 8, 3, 1, 2, dilation=2)
            self.up, self.out = nn.ConvTranspose2d(8, 8, 4, 2, 1), nn.Conv2d(11, 1, 1)

        def forward(self, x):
            y = self.up(F.silu(self.mid(F.silu(self.down(x)))))
            y = F.interpolate(F.interpolate(y, scale_factor=0.5, mode="nearest"), scale_factor=2, mode="nearest")
            return torch.sigmoid(self.out(torch.cat([x, y], 1)))
    return Net(), [torch.randn(2, 3, 16, 16)]


@model
def transformer_encoder():
    return nn.TransformerEncoder(nn.TransformerEncoderLayer(32, 4, 64, dropout=0, batch_first=True), 2, enable_nested_tensor=False), \
        [torch.randn(2, 12, 32)]


@model
def transformer():
    return nn.Transformer(32, 4, 1, 1, 64, dropout=0, batch_first=True), [torch.randn(2, 7, 32), torch.randn(2, 5, 32)]


@model
def causal_language_model():
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.embed, self.qkv, self.out = nn.Embedding(50, 32), nn.Linear(32, 96), nn.Linear(32, 32)

        def forward(self, ids):
            x = self.embed(ids)
            q, k, v = (t.reshape(*t.shape[:2], 4, 8).transpose(1, 2) for t in self.qkv(x).chunk(3, -1))
            y = F.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).reshape(x.shape)
            return F.cross_entropy((x + self.out(y)).matmul(self.embed.weight.T).flatten(0, 1), ids.flatten().roll(-1))
    return Net(), [torch.randint(0, 50, (2, 11))]


@model
def lstm():
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.net = nn.LSTM(8, 16, 2, batch_first=True, bidirectional=True)

        def forward(self, x):
            return self.net(x)[0]
    return Net(), [torch.randn(3, 6, 8)]


@model
def autoencoder():
    return nn.Sequential(nn.Conv1d(2, 4, 5, 2), nn.SiLU(), nn.Conv1d(4, 4, 3, padding=1), nn.GroupNorm(2, 4), nn.ConvTranspose1d(4, 2, 6, 2)), \
        [torch.randn(3, 2, 33)]


@model
def embedding_bag_and_indexing():
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.table, self.net = nn.Parameter(torch.randn(20, 8)), nn.Linear(8, 3)

        def forward(self, ids):
            rows = self.table[ids]
            top = self.net(rows.mean(1)).topk(2).values
            return torch.where(top > 0, top, top.exp() - 1) + rows.cumsum(1)[:, -1, :2] + rows.std(1)[:, :2]
    return Net(), [torch.randint(0, 20, (6, 4))]


@model
def linear_algebra():
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.weight = nn.Parameter(torch.randn(6, 6))

        def forward(self, x):
            positive = self.weight @ self.weight.T + 6 * torch.eye(6, device=x.device)
            return torch.einsum("bi,ij->bj", x, positive).norm(dim=-1) + positive.diagonal().log().sum() + torch.tril(positive).sum()
    return Net(), [torch.randn(4, 6)]


@model
def conv3d():
    return nn.Sequential(nn.Conv3d(1, 4, 3), nn.LeakyReLU(), nn.MaxPool3d(2), nn.Flatten(), nn.Linear(4 * 27, 3)), [torch.randn(2, 1, 8, 8, 8)]


# ---- models of packages ----

def package_models():
    try:
        import torchvision.models as tv
        for name, size in dict(resnet18=64, resnet50=64, resnext50_32x4d=64, wide_resnet50_2=64, vgg11_bn=64, alexnet=96, squeezenet1_1=96,
                               densenet121=64, mobilenet_v2=64, mobilenet_v3_small=64, efficientnet_b0=64, shufflenet_v2_x1_0=64, mnasnet0_5=64,
                               regnet_y_400mf=64, convnext_tiny=64, googlenet=96, inception_v3=96, vit_b_16=224, swin_t=64).items():
            def make(name=name, size=size):
                net = getattr(tv, name)(weights=None, **({"init_weights": True, "aux_logits": False} if name in ("googlenet", "inception_v3") else {}))
                for part in net.modules():  # in training, since PyTorch/XLA has no gradients of normalization in evaluation; without randomness
                    if hasattr(part, "p"):
                        part.p = 0.
                # f64, since normalization of small batches enlarges rounding
                return net.double(), [torch.randn(4, 3, size, size, dtype=torch.float64)]
            MODELS[name] = make
    except ImportError:
        print("skipped: torchvision is not installed")
    try:
        import transformers as tf
        sizes = dict(hidden_size=32, num_attention_heads=4, num_hidden_layers=2, intermediate_size=64, vocab_size=99)
        small = dict(bert=("Bert", sizes), roberta=("Roberta", sizes), electra=("Electra", sizes), llama=("Llama", sizes), qwen2=("Qwen2", dict(sizes, num_key_value_heads=2)), gemma=("Gemma", dict(sizes, num_key_value_heads=2, head_dim=8)),
                     gpt2=("GPT2", dict(n_embd=32, n_head=4, n_layer=2, vocab_size=99)), gpt_neox=("GPTNeoX", sizes),
                     opt=("OPT", dict(hidden_size=32, num_attention_heads=4, num_hidden_layers=2, ffn_dim=64, vocab_size=99, word_embed_proj_dim=32)),
                     bloom=("Bloom", dict(hidden_size=32, n_head=4, n_layer=2, vocab_size=99)), distilbert=("DistilBert", dict(dim=32, n_heads=4, n_layers=2, hidden_dim=64, vocab_size=99)))

        class Hidden(nn.Module):
            def __init__(self, net):
                super().__init__()
                self.net = net

            def forward(self, ids):
                return self.net(input_ids=ids).last_hidden_state
        for name, (kind, settings) in small.items():
            def make(kind=kind, settings=settings):
                config = getattr(tf, kind + "Config")(**settings, attn_implementation="eager")
                return Hidden(getattr(tf, kind + "Model")(config).eval()), [torch.randint(3, 99, (2, 9))]
            MODELS[name] = make
    except ImportError:
        print("skipped: transformers is not installed")


# ---- comparison ----

def results(net, arguments):
    """The output of a net, and the gradients of a sum of products with fixed numbers."""
    out = net(*arguments)
    loss = (out * torch.sin(torch.arange(out.numel(), dtype=out.dtype)).reshape(out.shape).to(out.device)).sum()
    loss.backward()
    return [out.detach()] + [p.grad for p in net.parameters() if p.grad is not None]


def compare(expected, found):
    assert len(expected) == len(found), (len(expected), len(found))
    for i, (a, b) in enumerate(zip(expected, found)):
        scale = max(1e-3, a.abs().max().item()) if a.numel() else 1
        difference = (a - b.cpu()).abs().max().item() if a.numel() else 0
        assert difference <= TOLERANCE * scale, f"value {i} of {tuple(a.shape)} differs by {difference / scale:.2e} of its largest element"


def check(make):
    torch.manual_seed(0)
    net, arguments = make()
    expected = results(net, arguments)
    net.zero_grad()
    found = results(net.to(DEVICE), [a.to(DEVICE) for a in arguments])
    torch_xla.sync()
    compare(expected, found)


def spmd():
    """Data and model parallel training steps over a mesh of 4 x 2 devices."""
    mesh = xs.Mesh(np.arange(8), (4, 2), ("data", "model"))
    torch.manual_seed(0)
    net, x = nn.Sequential(nn.Linear(16, 32), nn.ReLU(), nn.Linear(32, 4)), torch.randn(8, 16)
    losses = []
    for device in torch.device("cpu"), DEVICE:
        torch.manual_seed(1)
        copy = nn.Sequential(nn.Linear(16, 32), nn.ReLU(), nn.Linear(32, 4))
        copy.load_state_dict(net.state_dict())
        copy, data = copy.to(device), x.to(device)
        if device.type == "xla":
            xs.mark_sharding(data, mesh, ("data", None))
            xs.mark_sharding(copy[0].weight, mesh, ("model", None))
            xs.mark_sharding(copy[2].weight, mesh, (None, "model"))
        optimizer, steps = torch.optim.SGD(copy.parameters(), lr=0.1), []
        for _ in range(5):
            optimizer.zero_grad()
            loss = copy(data).square().mean()
            loss.backward()
            optimizer.step()
            torch_xla.sync()
            steps.append(loss.item())
        losses.append(steps)
    np.testing.assert_allclose(losses[1], losses[0], rtol=TOLERANCE)
    assert losses[0][-1] < losses[0][0]


def spmd_uneven():
    """Tensors that the mesh does not divide evenly: PyTorch/XLA pads their shards, and some shards are padding alone."""
    mesh = xs.Mesh(np.arange(8), (1, 8))
    for shape in (2, 2), (3, 3), (3, 10), (17, 9):
        a, b = torch.randn(*shape), torch.randn(*shape)
        x, y = a.to(DEVICE), b.to(DEVICE)
        xs.mark_sharding(x, mesh, (0, 1))
        for ours, theirs in ((x + y).cpu(), a + b), ((x @ y.T).cpu(), a @ b.T), ((x + 1).sum(1).cpu(), (a + 1).sum(1)):
            np.testing.assert_allclose(ours.numpy(), theirs.numpy(), rtol=TOLERANCE, atol=TOLERANCE)


def main():
    package_models()
    tests = {"spmd": spmd, "spmd_uneven": spmd_uneven} if options.spmd else {name: lambda make=make: check(make) for name, make in MODELS.items()}
    passed = failed = 0
    for name in options.names or tests:
        try:
            tests[name]()
            passed += 1
        except Exception as error:  # noqa: BLE001: the others go on
            failed += 1
            print(f"FAIL: {name}: {type(error).__name__}: {' '.join(str(error).split())[:600]}", flush=True)
    print(f"{passed} passed, {failed} failed")
    return int(failed > 0)


sys.exit(main())
