"""Training steps of GPT-2 small (124 million parameters) on random text, fully sharded: batch and parameters along "data".

    JAX_PLATFORMS=shardrun,cpu SHARDRUN_DEVICES=8 python gpt2.py
    JAX_PLATFORMS=shardrun,cpu mpirun -np 8 python gpt2.py
    python gpt2.py --layers 2 --width 64 --heads 4 --vocabulary 512        a small one"""
import argparse

import jax
import jax.numpy as jnp
import numpy as np
import optax
from jax.sharding import NamedSharding
from jax.sharding import PartitionSpec as P

from side_by_side import distribute, main

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
for name, value in {"layers": 12, "width": 768, "heads": 12, "vocabulary": 50257, "context": 64, "batch": 8, "steps": 2}.items():
    parser.add_argument(f"--{name}", type=int, default=value)


def initial(o):
    rng = np.random.default_rng(0)

    def weights(*shape):
        return (rng.normal(size=shape) * 0.02).astype(np.float32)

    def block():
        w = o.width
        return {"ln1": np.ones(w, np.float32), "qkv": weights(w, 3, o.heads, w // o.heads), "out": weights(o.heads, w // o.heads, w),
                "ln2": np.ones(w, np.float32), "up": weights(w, 4 * w), "down": weights(4 * w, w)}
    return {"tokens": weights(o.vocabulary, o.width), "places": weights(o.context, o.width), "ln": np.ones(o.width, np.float32),
            "blocks": jax.tree.map(lambda *layers: np.stack(layers), *(block() for _ in range(o.layers)))}


def norm(x, scale):
    centered = x - x.mean(-1, keepdims=True)
    return centered * scale / jnp.sqrt((centered ** 2).mean(-1, keepdims=True) + 1e-5)


def block(x, p):
    q, k, v = jnp.einsum("btw,wnhd->nbhtd", norm(x, p["ln1"]), p["qkv"])
    scores = jnp.einsum("bhtd,bhsd->bhts", q, k) / np.sqrt(q.shape[-1])
    causal = jnp.tril(jnp.ones(scores.shape[-2:], bool))
    mixed = jnp.einsum("bhts,bhsd->bhtd", jax.nn.softmax(jnp.where(causal, scores, -1e9)), v)
    x = x + jnp.einsum("bhtd,hdw->btw", mixed, p["out"])
    return x + jax.nn.gelu(norm(x, p["ln2"]) @ p["up"]) @ p["down"], None


def loss_of(params, tokens):
    x = params["tokens"][tokens[:, :-1]] + params["places"][:tokens.shape[1] - 1]
    x, _ = jax.lax.scan(block, x, params["blocks"])
    logits = norm(x, params["ln"]) @ params["tokens"].T
    return optax.softmax_cross_entropy_with_integer_labels(logits, tokens[:, 1:]).mean()


def train_of(o):
    def spec(leaf, n):
        """Shard the largest dimension that the devices divide."""
        dims = [d for d in sorted(range(leaf.ndim), key=lambda d: -leaf.shape[d]) if leaf.shape[d] % n == 0 and leaf.ndim > 1]
        return P(*("data" if d in dims[:1] else None for d in range(leaf.ndim)))

    def train(mesh):
        params = jax.tree.map(lambda leaf: distribute(leaf, NamedSharding(mesh, spec(leaf, mesh.size))), initial(o))
        optimizer = optax.adam(1e-3)

        @jax.jit
        def step(params, slots, tokens):
            loss, gradients = jax.value_and_grad(loss_of)(params, tokens)
            updates, slots = optimizer.update(gradients, slots, params)
            return optax.apply_updates(params, updates), slots, loss

        slots, rng = jax.jit(optimizer.init)(params), np.random.default_rng(1)
        for _ in range(o.steps):
            tokens = rng.integers(o.vocabulary, size=(o.batch, o.context)).astype(np.int32)
            params, slots, loss = step(params, slots, distribute(tokens, NamedSharding(mesh, P("data"))))
            yield loss
    return train


if __name__ == "__main__":
    main(train_of(parser.parse_args()), {"data": -1}, tolerance=1e-4)
