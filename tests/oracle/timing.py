"""Time of propagation, compared with Shardy's on the same machine, and its growth with the layers of a training step.

    timing.py --shardopt ./shardopt [--layers 4 8 16 32] [--repeats 3] [MODEL.mlir...]

Processor time of the passes: upstream's between parsing and printing, shardopt's less that of a run without passes. Runs alternate; the minimum
counts. The training step is a transformer's: attention and a gated perceptron per layer, unrolled, with gradients and Adam, weights sharded over
two axes of a mesh of 512."""
import argparse
import os
import resource
import subprocess
import sys

sys.dont_write_bytecode = True
os.environ["JAX_PLATFORMS"] = "cpu"
import oracle  # noqa: E402

PIPELINE = "sdy-propagation-pipeline"


def training_step(layers, width=1024, hidden=4096, heads=16, batch=512, length=256):
    """The text of a step with this number of layers."""
    import jax
    import jax.numpy as jnp
    from jax.sharding import AbstractMesh, AxisType, NamedSharding, PartitionSpec as P
    shapes = dict(q=(width, width), k=(width, width), v=(width, width), o=(width, width), gate=(width, hidden), up=(width, hidden), down=(hidden, width))
    specs = {name: P("tensor", "fsdp") if name in ("o", "down") else P("fsdp", "tensor") for name in shapes}

    def norm(x):
        return x * jax.lax.rsqrt((x * x).mean(-1, keepdims=True) + 1e-6)

    def layer(x, w):
        q, k, v = ((norm(x) @ w[n]).reshape(batch, length, heads, -1) for n in "qkv")
        scores = jnp.einsum("bqhd,bkhd->bhqk", q, k) / (width // heads) ** 0.5
        x = x + jnp.einsum("bhqk,bkhd->bqhd", jax.nn.softmax(scores), v).reshape(batch, length, width) @ w["o"]
        return x + (jax.nn.silu(norm(x) @ w["gate"]) * (norm(x) @ w["up"])) @ w["down"]

    def loss(weights, x):
        for w in weights:
            x = layer(x, w)
        return (x * x).mean()

    def step(weights, m, v, x):
        value, grads = jax.value_and_grad(loss)(weights, x)
        m = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, m, grads)
        v = jax.tree.map(lambda v, g: 0.99 * v + 0.01 * g * g, v, grads)
        return jax.tree.map(lambda w, m, v: w - 1e-3 * m / (jnp.sqrt(v) + 1e-8), weights, m, v), m, v, value

    mesh = AbstractMesh((8, 8, 8), ("data", "fsdp", "tensor"), axis_types=(AxisType.Auto,) * 3)
    weights = [{n: jax.ShapeDtypeStruct(s, jnp.float32) for n, s in shapes.items()} for _ in range(layers)]
    where = [{n: NamedSharding(mesh, s) for n, s in specs.items()} for _ in range(layers)]
    x = jax.ShapeDtypeStruct((batch, length, width), jnp.float32)
    ins = (where, where, where, NamedSharding(mesh, P(("data", "fsdp"))))
    traced = jax.jit(step, in_shardings=ins, out_shardings=(where, where, where, NamedSharding(mesh, P()))).trace(weights, weights, weights, x)
    return traced.lower(lowering_platforms=("cpu",)).as_text()


def processor_time(command, text):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, input=text, capture_output=True, text=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def theirs(text):
    return oracle.run_one(text, PIPELINE)[1]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--shardopt", default="shardopt")
    parser.add_argument("--layers", type=int, nargs="*", default=[4, 8, 16, 32])
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--alone", action="store_true", help="without upstream")
    parser.add_argument("files", nargs="*")
    options = parser.parse_args()
    programs = [(os.path.basename(os.path.dirname(os.path.abspath(path))), open(path).read()) for path in options.files]
    programs += [(f"training step, {n} layers", training_step(n)) for n in options.layers]
    print(f"{'program':28} {'lines':>7} {'upstream s':>11} {'shardopt s':>11} {'ratio':>6}")
    for name, text in programs:
        upstream, whole, bare = [], [], []
        for _ in range(options.repeats):
            whole.append(processor_time([options.shardopt, "-", f"-{PIPELINE}", "-o", os.devnull], text))
            bare.append(processor_time([options.shardopt, "-", "-o", os.devnull], text))
            upstream.append(0 if options.alone else theirs(text))
        passes = min(whole) - min(bare)
        ratio = "-" if options.alone else f"{passes / min(upstream):.2f}"
        print(f"{name:28} {text.count(chr(10)):7} {min(upstream):11.3f} {passes:11.3f} {ratio:>6}", flush=True)


if __name__ == "__main__":
    main()
