"""A mixture of experts: each token is sent to the device of its best expert and back."""
import jax, jax.numpy as jnp, numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

GROUPS, TOKENS, WIDTH, EXPERTS, HIDDEN, CAPACITY = 8, 32, 16, 8, 32, 8  # CAPACITY: tokens of a group per expert

mesh = Mesh(np.array(jax.devices()).reshape(2, 4), ("data", "expert"))
put = lambda *spec: NamedSharding(mesh, P(*spec))
groups, experts = put(("data", "expert")), put("expert", "data")  # shardings of groups of tokens, and of data at the experts

def feed_forward(x, up, down):  # for each expert e
    return jnp.einsum("e...h,ehd->e...d", jax.nn.relu(jnp.einsum("e...d,edh->e...h", x, up)), down)

def route(x, router):
    """Return router weights, and the slot of the expert that each token takes: group, token, expert, slot."""
    gates = jax.nn.softmax(jnp.einsum("gtd,de->gte", x, router))
    chosen = jax.nn.one_hot(jnp.argmax(gates, -1), EXPERTS, dtype=x.dtype)
    # slots are assigned in order within a group and expert; tokens beyond the capacity are dropped
    place = jnp.cumsum(chosen, 1) * chosen - 1
    return gates, jax.nn.one_hot(place.astype(jnp.int32), CAPACITY, dtype=x.dtype)

def counts(places):
    load = jnp.sum(places, (0, 1, 3)).astype(jnp.int32)
    return GROUPS * TOKENS - jnp.sum(load), load

def moe(x, router, up, down):
    gates, places = route(x, router)
    sent = jnp.einsum("gtec,gtd->egcd", places, x)
    sent = jax.lax.with_sharding_constraint(sent, experts)  # from the devices of the tokens to those of the experts
    done = feed_forward(sent, up, down)
    done = jax.lax.with_sharding_constraint(done, put(None, ("data", "expert")))  # and back
    return *counts(places), jnp.einsum("gtec,gte,egcd->gtd", places, gates, done)

def reference(x, router, up, down):
    """Return the same results without communication: compute every expert for every token."""
    gates, places = route(x, router)
    every = feed_forward(jnp.broadcast_to(x, (EXPERTS, *x.shape)), up, down)
    return *counts(places), jnp.einsum("gte,gte,egtd->gtd", jnp.sum(places, 3), gates, every)

r = np.random.default_rng(0)
normal = lambda *shape: (r.normal(size=shape) / np.sqrt(shape[-2])).astype("f4")
program = jax.jit(moe, in_shardings=(groups, put(), put("expert"), put("expert")), out_shardings=(put(), put(), groups))
arguments = (normal(GROUPS, TOKENS, WIDTH), 4 * normal(WIDTH, EXPERTS),
             normal(EXPERTS, WIDTH, HIDDEN), normal(EXPERTS, HIDDEN, WIDTH))
results = "dropped", "load", "y"
