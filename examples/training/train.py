"""Train a small transformer with Adam on increasing sequences: writes what shardrun needs, and the losses of the same loop in JAX.

    python train.py
"""
import os
os.environ["XLA_FLAGS"], os.environ["JAX_PLATFORMS"] = "--xla_force_host_platform_device_count=8", "cpu"
import numpy as np, jax, jax.numpy as jnp, optax
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

jax.config.update("jax_include_full_tracebacks_in_locations", False)
jax.config.update("jax_hlo_source_file_canonicalization_regex", ".*/")
mesh = Mesh(np.array(jax.devices()).reshape(4, 2), ("data", "model"))
B, T, D, H, F, V = 16, 16, 32, 4, 64, 32
STEPS, FILES = 200, 16
adam = optax.adam(0.003)

def norm(x):
    return x * jax.lax.rsqrt(jnp.mean(x * x, -1, keepdims=True) + 1e-6)

def forward(p, tokens):
    x = p["embed"][tokens]
    q, k, v = jnp.einsum("btd,cdhe->cbthe", norm(x), p["qkv"])
    a = jnp.einsum("bthe,bshe->bhts", q, k) / np.sqrt(D // H)
    a = jnp.where(jnp.tril(jnp.ones((T, T), bool)), a, -1e9)
    x = x + jnp.einsum("bhts,bshe,hed->btd", jax.nn.softmax(a), v, p["out"])
    x = x + jax.nn.gelu(norm(x) @ p["up"]) @ p["down"]
    return norm(x) @ p["head"]

def loss(p, data):
    logp = jax.nn.log_softmax(forward(p, data[:, :-1]))
    return -jnp.mean(jnp.take_along_axis(logp, data[:, 1:, None], -1))

def step(p, state, data):
    value, gradients = jax.value_and_grad(loss)(p, data)
    updates, state = adam.update(gradients, state, p)
    return optax.apply_updates(p, updates), state, value

specs = {"embed": P(None, "model"), "head": P("model", None), "qkv": P(None, "data", "model", None),
         "out": P("model", None, "data"), "up": P("data", "model"), "down": P("model", "data")}
r = np.random.default_rng(0)
p = {"embed": r.normal(size=(V, D)), "head": r.normal(size=(D, V)) / 6, "qkv": r.normal(size=(3, D, H, D // H)) / 6,
     "out": r.normal(size=(H, D // H, D)) / 6, "up": r.normal(size=(D, F)) / 6, "down": r.normal(size=(F, D)) / 8}
p = {k: v.astype(np.float32) for k, v in p.items()}
state = adam.init(p)
first, by = r.integers(0, V, (FILES, B, 1)), r.integers(1, 4, (FILES, B, 1))
data = ((first + by * np.arange(T + 1)) % V).astype(np.int32)

sh = lambda s: NamedSharding(mesh, s)
ps = {k: sh(s) for k, s in specs.items()}
ss = jax.tree.map(lambda leaf: sh(P()), state)
ss = (ss[0]._replace(mu=ps, nu=ps), *ss[1:])
program = jax.jit(step, in_shardings=(ps, ss, sh(P("data"))), out_shardings=(ps, ss, sh(P())), donate_argnums=(0, 1))
with open("model.mlir", "w") as model:
    model.write(program.lower(p, state, data[0]).as_text(debug_info=True))
part = lambda key: str(next(getattr(key, a) for a in ("key", "idx", "name") if hasattr(key, a)))
leaves = jax.tree_util.tree_leaves_with_path({"p": p, "state": state})
np.savez("start.npz", **{".".join(map(part, path)): np.asarray(leaf) for path, leaf in leaves})
for i in range(FILES):
    np.save(f"data_{i:02}.npy", data[i])

one = jax.jit(step)
with open("losses.csv", "w") as losses:
    print("step,loss", file=losses)
    for i in range(STEPS):
        p, state, value = one(p, state, data[i % FILES])
        print(f"{i + 1},{value}", file=losses)
np.save("embed.npy", np.asarray(p["embed"]))
print("loss after", STEPS, "steps:", value)
