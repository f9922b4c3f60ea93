"""Train a flax network with optax on data-parallel devices, save a checkpoint by orbax half-way, restore it and go on.

    JAX_PLATFORMS=shardrun,cpu SHARDRUN_DEVICES=8 python train.py
    JAX_PLATFORMS=shardrun,cpu mpirun -np 8 python train.py"""
import os
import tempfile

import flax.linen as nn
import jax
import jax.numpy as jnp
import numpy as np
import optax
import orbax.checkpoint as ocp
from jax.sharding import NamedSharding
from jax.sharding import PartitionSpec as P

from side_by_side import distribute, main

STEPS, BATCH, FEATURES, CLASSES = 10, 64, 32, 10


class Classifier(nn.Module):
    @nn.compact
    def __call__(self, x):
        for width in (128, 64):
            x = nn.gelu(nn.LayerNorm()(nn.Dense(width)(x)))
        return nn.Dense(CLASSES)(x)


def batches():
    """Return batches of random points, clustered around a point for each class."""
    rng = np.random.default_rng(0)
    centers = rng.normal(size=(CLASSES, FEATURES)).astype(np.float32)
    while True:
        labels = rng.integers(CLASSES, size=BATCH)
        yield centers[labels] + rng.normal(size=(BATCH, FEATURES)).astype(np.float32), labels.astype(np.int32)


def train(mesh):
    model, optimizer = Classifier(), optax.adamw(3e-3)
    replicated, sharded = NamedSharding(mesh, P()), NamedSharding(mesh, P("data"))

    @jax.jit
    def step(state, x, labels):
        def loss_of(params):
            return optax.softmax_cross_entropy_with_integer_labels(model.apply(params, x), labels).mean()
        loss, gradients = jax.value_and_grad(loss_of)(state["params"])
        updates, slots = optimizer.update(gradients, state["slots"], state["params"])
        return {"params": optax.apply_updates(state["params"], updates), "slots": slots}, loss

    @jax.jit
    def start():
        params = model.init(jax.random.key(0), jnp.zeros((1, FEATURES)))
        return {"params": params, "slots": optimizer.init(params)}

    with jax.default_device(mesh.local_devices[0]):
        initial = jax.tree.map(np.asarray, start())
    state = jax.tree.map(lambda leaf: distribute(leaf, replicated), initial)
    data = batches()
    for i in range(STEPS):
        x, labels = next(data)
        state, loss = step(state, distribute(x, sharded), distribute(labels, sharded))
        yield loss
        if i == STEPS // 2 and jax.process_count() == 1:
            state = through_checkpoint(state)


def through_checkpoint(state):
    with tempfile.TemporaryDirectory() as folder, ocp.StandardCheckpointer() as checkpointer:
        path = os.path.join(folder, "state")
        checkpointer.save(path, state)
        checkpointer.wait_until_finished()
        return checkpointer.restore(path, state)


if __name__ == "__main__":
    main(train, {"data": -1}, tolerance=1e-4)
