"""Twenty programs as users jit them, for meshes of 2 to 8 devices: PROGRAMS, {name: function that returns (jitted, args, kwargs)}.

Together they have static, donated, unused and keyword arguments, keys, bfloat16 and integers, pytrees of every kind, loops and branches, shardings
of arguments, results and intermediate values, and none.
"""
import dataclasses
import functools
import typing

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.sharding import AxisType, NamedSharding, PartitionSpec as P

PROGRAMS = {}


def program(f):
    PROGRAMS[f.__name__] = f
    return f


def mesh(kind=AxisType.Auto, **axes):
    """A mesh of the first devices, and a function that makes shardings on it. With Explicit axes shardings are part of types."""
    sizes = tuple(axes.values())
    made = jax.make_mesh(sizes, tuple(axes), (kind,) * len(sizes), devices=jax.devices()[: int(np.prod(sizes))])
    return made, lambda *spec: NamedSharding(made, P(*spec))


def normal(*shape, seed=0, dtype=np.float32):
    return np.random.default_rng(seed).normal(size=shape).astype(dtype)


def integers(most, *shape, seed=0, dtype=np.int32):
    return np.random.default_rng(seed).integers(0, most, size=shape).astype(dtype)


class Moments(typing.NamedTuple):
    count: typing.Any
    mu: typing.Any
    nu: typing.Any


@program
def adam_on_a_nested_tree():
    """Weights and state are donated and returned in the same positions; nested lists, dicts and a named tuple."""
    _, on = mesh(AxisType.Explicit, data=4, model=2)

    def step(params, state, batch):
        def loss(p):
            h = batch["x"]
            for layer in p["layers"]:
                h = jnp.tanh(h @ layer["w"] + layer["b"])
            return jnp.mean((h @ p["out"] - batch["y"]) ** 2)
        value, grads = jax.value_and_grad(loss)(params)
        count = state.count + 1
        mu = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, state.mu, grads)
        nu = jax.tree.map(lambda v, g: 0.99 * v + 0.01 * g * g, state.nu, grads)
        new = jax.tree.map(lambda p, m, v: p - 0.01 * m / (jnp.sqrt(v) + 1e-3), params, mu, nu)
        return (new, Moments(count, mu, nu)), {"loss": value}
    params = {"layers": [{"w": normal(n, 16, seed=n) / 4, "b": normal(16, seed=9)} for n in (8, 16, 16)],
              "out": normal(16, 4, seed=5)}
    lies = {"layers": [{"w": on(None, "model"), "b": on("model")}] * 3, "out": on("model", None)}
    zeros = jax.tree.map(np.zeros_like, params)
    shardings = lies, Moments(on(), lies, lies), {"x": on("data"), "y": on("data")}
    jitted = jax.jit(step, in_shardings=shardings, donate_argnums=(0, 1))
    return jitted, (params, Moments(np.int32(0), zeros, zeros), {"x": normal(16, 8), "y": normal(16, 4, seed=7)}), {}


@program
def causal_attention_in_bfloat16():
    _, on = mesh(batch=2, heads=4)

    def attend(q, k, v):
        scores = jnp.einsum("bqhd,bkhd->bhqk", q, k, preferred_element_type=jnp.float32) / 4
        scores = jnp.where(jnp.tril(jnp.ones(scores.shape[-2:], bool)), scores, -jnp.inf)
        return jnp.einsum("bhqk,bkhd->bqhd", jax.nn.softmax(scores).astype(v.dtype), v)
    lies = on("batch", None, "heads")
    args = tuple(normal(4, 8, 4, 16, seed=i, dtype=jnp.bfloat16) for i in range(3))
    return jax.jit(attend, in_shardings=lies, out_shardings=lies), args, {}


@program
def a_recurrent_net_by_scan():
    """The number of unrolled cells is static; states of all steps are stacked."""
    _, on = mesh(AxisType.Explicit, x=2)

    @functools.partial(jax.jit, static_argnums=3, in_shardings=(on(None, "x"), on("x"), on(None, "x")))
    def run(w, h, xs, unroll):
        def cell(h, x):
            h = jnp.tanh(h @ w + x)
            return h, h.sum(-1)
        return lax.scan(cell, h, xs, unroll=unroll)
    return run, (normal(8, 8) / 3, normal(4, 8, seed=1), normal(10, 4, 8, seed=2), 2), {}


@program
def dropout_by_a_key():
    """A key as argument; another key and random numbers as results."""
    _, on = mesh(AxisType.Explicit, x=8)

    def f(key, x, rate):
        key, mine = jax.random.split(key)
        keep = jax.random.bernoulli(mine, 1 - rate, x.shape)
        return key, {"y": jnp.where(keep, x / (1 - rate), 0), "kept": keep.sum(), "mask": keep}
    jitted = jax.jit(f, static_argnums=2, in_shardings=(None, on("x")))
    return jitted, (jax.random.key(3), normal(16, 8), 0.25), {}


@program
def keywords_and_what_is_not_used():
    """Keyword arguments, one static, one unused; None as argument and result."""
    _, on = mesh(x=4)

    @functools.partial(jax.jit, static_argnames="mode")
    def f(x, spare, *, scale, mode, shift=None, debug):
        y = lax.with_sharding_constraint(x, on("x")) * scale
        return (y if mode == "plain" else jnp.abs(y)), shift, [y.max(), ()]
    return f, (normal(8, 3), np.zeros((100, 100), np.float32)), dict(scale=np.float32(2), mode="abs", debug=np.ones(3, np.int32))


@program
def convolutions_and_statistics():
    _, on = mesh(x=4)

    def f(images, kernel, running):
        y = lax.conv_general_dilated(images, kernel, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
        mean, variance = y.mean((0, 1, 2)), y.var((0, 1, 2))
        y = jax.nn.relu((y - mean) * lax.rsqrt(variance + 1e-5))
        return y, jax.tree.map(lambda old, new: 0.9 * old + 0.1 * new, running, {"mean": mean, "var": variance})
    jitted = jax.jit(f, in_shardings=(on("x"), None, None), donate_argnums=2)
    return jitted, (normal(4, 8, 8, 3), normal(3, 3, 3, 6, seed=1), {"mean": normal(6, seed=2), "var": np.ones(6, np.float32)}), {}


@program
def sorting():
    """Sort along the sharded dimension; ties by position."""
    _, on = mesh(x=4)

    def f(x, n):
        values, places = lax.top_k(x, 3)
        return {"order": jnp.argsort(n, stable=True), "sorted": jnp.sort(n)[::-1], "top": (values, places)}
    return jax.jit(f, in_shardings=(on("x"), on("x"))), (normal(8, 20), integers(5, 24)), {}


@program
def poisson_by_transforms():
    _, on = mesh(x=2)

    def f(rho):
        k = jnp.fft.fftfreq(rho.shape[0]) ** 2
        k2 = (k[:, None] + k).at[0, 0].set(1.0)
        u = jnp.fft.ifft2(jnp.fft.fft2(rho) / k2).real
        return u / jnp.abs(u).max()
    return jax.jit(f, in_shardings=on("x"), out_shardings=on(None, "x")), (normal(16, 16),), {}


@program
def sums_by_segment():
    _, on = mesh(x=8)

    def f(values, ids):
        sums = jax.ops.segment_sum(values, ids, num_segments=8)
        return sums, jax.ops.segment_max(values, ids, num_segments=8), jnp.zeros(8, jnp.int32).at[ids].add(1)
    ids = np.concatenate([integers(8, 56), np.arange(8, dtype=np.int32)])
    return jax.jit(f, in_shardings=(on("x"), on("x"))), (normal(64, 4), ids), {}


@program
def a_language_models_loss():
    """Gather rows of a sharded table, and scatter for the gradient."""
    _, on = mesh(data=4, model=2)

    def f(table, tokens):
        def loss(table):
            logits = table[tokens[:, :-1]] @ table.T
            return -jnp.take_along_axis(jax.nn.log_softmax(logits), tokens[:, 1:, None], -1).mean()
        return jax.value_and_grad(loss)(table)
    jitted = jax.jit(f, in_shardings=(on("model"), on("data")), out_shardings=(None, on("model")))
    return jitted, (normal(32, 16) / 4, integers(32, 8, 9)), {}


@program
def newtons_method_until_it_is_done():
    _, on = mesh(x=2)

    def f(a):
        def more(state):
            return (state[2] > 1e-5) & (state[0] < 50)
        def step(state):
            n, x, _ = state
            new = 0.5 * (x + a / x)
            return n + 1, new, jnp.abs(new - x).max()
        n, x, _ = lax.while_loop(more, step, (0, a, jnp.float32(1)))
        return n, x
    return jax.jit(f, in_shardings=on("x")), (np.abs(normal(32)) + 1,), {}


@program
def branches_on_three_devices():
    _, on = mesh(x=3)

    def f(which, x):
        y = lax.switch(which, [jnp.sin, lambda x: x @ x.T @ x, lambda x: x[::-1]], x)
        return lax.cond(y.sum() > 0, lambda: y, lambda: -y)
    return jax.jit(f, in_shardings=(None, on("x"))), (np.int32(1), normal(6, 4)), {}


@program
def linear_algebra():
    _, on = mesh(x=2, y=2)

    def f(a, b):
        spd = a @ a.T + 8 * jnp.eye(8)
        factor = jnp.linalg.cholesky(spd)
        return {"x": jax.scipy.linalg.cho_solve((factor, True), b), "logdet": 2 * jnp.log(jnp.diag(factor)).sum(),
                "inverse": jnp.linalg.inv(spd)}
    return jax.jit(f, in_shardings=(on("x", "y"), on(None, "x"))), (normal(8, 8), normal(8, 4, seed=1)), {}


@program
def a_ring_within_shard_map():
    """A matrix product whose right operand is passed around a ring."""
    ring, on = mesh(x=8)

    @functools.partial(jax.shard_map, mesh=ring, in_specs=(P("x"), P("x")), out_specs=(P("x"), P()))
    def f(a, b):
        me, n = lax.axis_index("x"), 8
        def round(i, state):
            sum, b = state
            columns = lax.dynamic_slice_in_dim(a, ((me + i) % n) * b.shape[0], b.shape[0], 1)
            return sum + columns @ b, lax.ppermute(b, "x", [(k, (k - 1) % n) for k in range(n)])
        product, _ = lax.fori_loop(0, n, round, (lax.pcast(jnp.zeros((a.shape[0], b.shape[1])), "x", to="varying"), b))
        return product, lax.psum((product**2).sum(), "x")
    return jax.jit(f), (normal(16, 32), normal(32, 4, seed=1)), {}


@program
def prefix_sums_on_six_devices():
    _, on = mesh(x=3, y=2)

    def f(x, gates):
        def join(a, b):
            return a[0] * b[0], a[1] * b[0] + b[1]
        return jnp.cumsum(x, 0), lax.cummax(x, 1), lax.associative_scan(join, (jax.nn.sigmoid(gates), x))[1]
    return jax.jit(f, in_shardings=on("x", "y")), (normal(12, 8), normal(12, 8, seed=1)), {}


@program
def bits_of_integers():
    """Small and unsigned types wrap around; on five devices."""
    _, on = mesh(x=5)

    def f(a, b, c):
        return [a + a, a >> 3, lax.population_count(b), b * b, lax.clz(b), (c // 3, c % 3, -c), jnp.left_shift(b, 5) ^ b, a > 100]
    a, b, c = integers(256, 20, dtype=np.uint8), integers(2**31, 10, seed=1, dtype=np.uint32), integers(100, 15, dtype=np.int8)
    return jax.jit(f, in_shardings=on("x")), (a, b, c - np.int8(50)), {}


@program
def complex_contractions():
    _, on = mesh(AxisType.Explicit, x=2, y=2, z=2)

    def f(a, b):
        c = jnp.einsum("ijk,kl->ijl", a, jnp.conj(b))
        return c, jnp.abs(c).sum(), jnp.angle(b)
    args = tuple((normal(*shape) + 1j * normal(*shape, seed=1)).astype(np.complex64) for shape in ((4, 4, 8), (8, 4)))
    return jax.jit(f, in_shardings=(on("x", "y", "z"), on("z", None))), args, {}


@program
def derivatives_of_derivatives():
    """A Hessian for each of many points, and a Jacobian-vector product."""
    _, on = mesh(x=4)

    def f(points, direction):
        energy = lambda p: jnp.sum(jnp.sin(p) ** 2) * jnp.exp(-jnp.dot(p, p) / 10)
        return jax.vmap(jax.hessian(energy))(points), jax.jvp(jax.vmap(jax.grad(energy)), (points,), (direction,))[1]
    return jax.jit(f, in_shardings=(on("x"), on("x"))), (normal(8, 3), normal(8, 3, seed=1)), {}


@program
def windows_on_seven_devices():
    _, on = mesh(x=7)

    def f(x):
        pooled = lax.reduce_window(x, -jnp.inf, lax.max, (3, 2), (1, 2), "SAME")
        sums = lax.reduce_window(x, 0.0, lax.add, (3, 1), (1, 1), ((1, 1), (0, 0)))
        return pooled, sums, jnp.roll(x, 3, 0), jnp.pad(x, 2, mode="reflect")
    return jax.jit(f, in_shardings=on("x")), (normal(14, 6),), {}


@jax.tree_util.register_dataclass
@dataclasses.dataclass
class Scaled:
    master: typing.Any
    scale: typing.Any
    skipped: typing.Any = None


@program
def mixed_precision_with_a_loss_scale():
    """f32 weights, bf16 products, a donated dataclass. Numbers are so small that bf16 holds all sums exactly, since the compiler decides how often
    a gradient is rounded."""
    _, on = mesh(x=8)

    def step(state, x, y):
        def loss(w):
            return (((x.astype(jnp.bfloat16) @ w.astype(jnp.bfloat16)).astype(jnp.float32) - y) ** 2).mean() * state.scale
        value, grad = jax.value_and_grad(loss)(state.master)
        good = jnp.isfinite(grad).all()
        master = jnp.where(good, state.master - 0.1 * grad / state.scale, state.master)
        return Scaled(master, jnp.where(good, state.scale, state.scale / 2), ~good), value.astype(jnp.bfloat16)
    jitted = jax.jit(step, in_shardings=(Scaled(on("x"), None), on(None, "x"), on()), donate_argnums=0)
    x, w, y = (integers(n, *shape, seed=n, dtype=np.float32) - n // 2 for n, shape in ((3, (16, 32)), (5, (32, 4)), (7, (16, 4))))
    return jitted, (Scaled(w / 2, np.float32(1024)), x, y), {}
