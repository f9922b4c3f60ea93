"""A training step of a small transformer."""
import os
os.environ["XLA_FLAGS"], os.environ["JAX_PLATFORMS"] = "--xla_force_host_platform_device_count=8", "cpu"
import numpy as np, jax, jax.numpy as jnp
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P
mesh = Mesh(np.array(jax.devices()).reshape(4, 2), ("data", "model"))
B, T, D, H, F, V = 8, 16, 32, 4, 64, 50
def norm(x): return x * jax.lax.rsqrt(jnp.mean(x * x, -1, keepdims=True) + 1e-6)
def forward(p, tokens):
    x = p["embed"][tokens]
    h = norm(x)
    q, k, v = jnp.einsum("btd,cdhe->cbthe", h, p["qkv"])
    a = jnp.einsum("bthe,bshe->bhts", q, k) / np.sqrt(D // H)
    a = jnp.where(jnp.tril(jnp.ones((T, T), bool)), a, -1e9)
    x = x + jnp.einsum("bhts,bshe,hed->btd", jax.nn.softmax(a), v, p["out"])
    h = norm(x)
    x = x + jax.nn.gelu(h @ p["up"]) @ p["down"]
    return norm(x) @ p["embed"].T
def loss(p, tokens, targets):
    logp = jax.nn.log_softmax(forward(p, tokens))
    return -jnp.mean(jnp.take_along_axis(logp, targets[..., None], -1))
def step(p, tokens, targets):
    l, g = jax.value_and_grad(loss)(p, tokens, targets)
    return l, jax.tree.map(lambda a, b: a - 0.1 * b, p, g)
specs = {"embed": P("model", None), "qkv": P(None, "data", "model", None), "out": P("model", None, "data"),
         "up": P("data", "model"), "down": P("model", "data")}
r = np.random.default_rng(0)
p = {"embed": r.normal(size=(V, D)), "qkv": r.normal(size=(3, D, H, D // H)) / 6,
     "out": r.normal(size=(H, D // H, D)) / 6, "up": r.normal(size=(D, F)) / 6,
     "down": r.normal(size=(F, D)) / 8}
p = {k: v.astype(np.float32) for k, v in p.items()}
tokens = r.integers(0, V, (B, T)).astype(np.int32); targets = np.roll(tokens, -1, 1)
sh = lambda s: NamedSharding(mesh, s)
ps = {k: sh(s) for k, s in specs.items()}
j = jax.jit(step, in_shardings=(ps, sh(P("data")), sh(P("data"))), out_shardings=(sh(P()), ps))
low = j.lower(p, tokens, targets)
open("model.mlir", "w").write(low.as_text())
out = jax.jit(step)(p, tokens, targets)
for i, a in enumerate(jax.tree.leaves((p, tokens, targets))): np.save(f"in_{i}.npy", a)
for i, a in enumerate(jax.tree.leaves(out)): np.save(f"out_{i}.npy", np.asarray(a))
print("loss", out[0])
