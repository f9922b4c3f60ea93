"""Sample the posterior of a logistic regression by numpyro's NUTS, a chain on each device.

    JAX_PLATFORMS=shardrun,cpu SHARDRUN_DEVICES=8 python sampler.py
    JAX_PLATFORMS=shardrun,cpu mpirun -np 8 python sampler.py

Chains are chaotic: a difference in the last bit grows. What is compared are the energies of the first samples, and the posterior mean."""
import jax
import jax.numpy as jnp
import numpy as np
import numpyro
import numpyro.distributions as dist
from jax.sharding import NamedSharding
from jax.sharding import PartitionSpec as P
from numpyro.infer import NUTS
from numpyro.infer.util import init_to_value

from side_by_side import distribute, main

CHAINS, WARMUP, SAMPLES = 8, 100, 200


def data():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(200, 3)).astype(np.float32)
    return x, (x @ np.array([1.0, -2.0, 0.5]) + rng.logistic(size=200) > 0).astype(np.int32)


def model(x, y):
    weights = numpyro.sample("weights", dist.Normal(jnp.zeros(3), 3.0).to_event(1))
    numpyro.sample("y", dist.Bernoulli(logits=x @ weights), obs=y)


def sample(mesh):
    x, y = data()
    kernel = NUTS(model, init_strategy=init_to_value(values={"weights": jnp.zeros(3)}), max_tree_depth=5)
    sharding = NamedSharding(mesh, P("chain"))

    def chain(seed):
        state = kernel.init(jax.random.key(seed), WARMUP, None, (x, y), {})
        state = jax.lax.fori_loop(0, WARMUP, lambda _, s: kernel.sample(s, (x, y), {}), state)

        def one(state, _):
            state = kernel.sample(state, (x, y), {})
            return state, state.z["weights"]
        return jax.lax.scan(one, state, None, length=SAMPLES)[1]

    with jax.default_device(mesh.local_devices[0]):
        kernel.init(jax.random.key(0), WARMUP, None, (x, y), {})  # numpyro builds the model's potential outside of a trace
    seeds = distribute(np.arange(CHAINS, dtype=np.int32), sharding)
    draws = jax.jit(jax.vmap(chain), out_shardings=sharding)(seeds)
    yield from np.asarray(jax.jit(lambda d: d.mean((0, 1)), out_shardings=NamedSharding(mesh, P()))(draws))


if __name__ == "__main__":
    main(sample, {"chain": -1}, tolerance=0.15)
