"""A layer of experts, one group on each device: tokens travel to the devices of their experts and back by all_to_all, in a shard_map.

    JAX_PLATFORMS=shardrun,cpu SHARDRUN_DEVICES=8 python moe.py
    JAX_PLATFORMS=shardrun,cpu mpirun -np 8 python moe.py"""
import functools

import jax
import jax.numpy as jnp
import numpy as np
import optax
from jax import lax
from jax.sharding import NamedSharding
from jax.sharding import PartitionSpec as P

from side_by_side import distribute, main

STEPS, TOKENS, WIDTH, HIDDEN, EXPERTS = 6, 512, 32, 64, 8


def layer(params, x, capacity):
    """x: this device's tokens. Each goes to the expert with the highest score; tokens beyond an expert's capacity are passed on as they
    are. The capacity is per device that sends, so that it bounds what each pair of devices exchanges."""
    n = lax.axis_size("expert")
    scores = jax.nn.softmax(x @ params["router"])
    expert = scores.argmax(-1)
    chosen = jax.nn.one_hot(expert, EXPERTS, dtype=x.dtype)
    slot = (jnp.cumsum(chosen, 0) - 1) * chosen
    kept = chosen * (slot < capacity)
    dispatch = kept[:, :, None] * jax.nn.one_hot(slot.astype(jnp.int32), capacity, dtype=x.dtype)
    sent = jnp.einsum("tec,tw->ecw", dispatch, x)                                  # experts x capacity x width
    received = lax.all_to_all(sent.reshape(n, EXPERTS // n, capacity, WIDTH), "expert", 0, 0)
    hidden = jax.nn.gelu(jnp.einsum("necw,ewh->nech", received, params["up"]))
    returned = lax.all_to_all(jnp.einsum("nech,ehw->necw", hidden, params["down"]), "expert", 0, 0)
    y = jnp.einsum("tec,ecw->tw", dispatch, returned.reshape(EXPERTS, capacity, WIDTH))
    return x + y * (kept * scores).sum(-1, keepdims=True)


def train(mesh):
    rng = np.random.default_rng(0)
    initial = {"router": rng.normal(size=(WIDTH, EXPERTS)) / 6, "up": rng.normal(size=(EXPERTS, WIDTH, HIDDEN)) / 6,
               "down": rng.normal(size=(EXPERTS, HIDDEN, WIDTH)) / 8}
    specs = {"router": P(), "up": P("expert"), "down": P("expert")}
    params = {name: distribute(value.astype(np.float32), NamedSharding(mesh, specs[name])) for name, value in initial.items()}
    optimizer = optax.sgd(0.5)
    experts = jax.shard_map(functools.partial(layer, capacity=TOKENS), mesh=mesh, in_specs=(specs, P("expert")), out_specs=P("expert"),
                            check_vma=False)

    @jax.jit
    def step(params, slots, x, wanted):
        def loss_of(params):
            return jnp.mean((experts(params, x) - wanted) ** 2)
        loss, gradients = jax.value_and_grad(loss_of)(params)
        updates, slots = optimizer.update(gradients, slots, params)
        return optax.apply_updates(params, updates), slots, loss

    slots, sharding = optimizer.init(params), NamedSharding(mesh, P("expert"))
    for _ in range(STEPS):
        x = rng.normal(size=(TOKENS, WIDTH)).astype(np.float32)
        params, slots, loss = step(params, slots, distribute(x, sharding), distribute(np.sin(x), sharding))
        yield loss


if __name__ == "__main__":
    main(train, {"expert": -1}, tolerance=1e-4)
