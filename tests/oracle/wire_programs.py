"""Sharded JAX programs whose traffic depends on the partitioner, for wire.py: a function, a mesh, and shape and axes of each argument. wire.py sets
the number of devices before JAX is imported."""
import collections

import jax
import jax.numpy as jnp
from jax import lax
from jax.sharding import PartitionSpec as P

Program = collections.namedtuple("Program", "name function mesh arguments results explicit")
PROGRAMS = []
X4Y2 = (("x", 4), ("y", 2))
X8 = (("x", 8),)


def arg(*shape, at=P(), dtype="float32"):
    """An argument: its shape, the axes of its dimensions, its type."""
    return shape, at, dtype


def program(*arguments, mesh=X4Y2, results=None, explicit=False):
    def enter(function):
        PROGRAMS.append(Program(function.__name__, function, mesh, arguments, results, explicit))
        return function
    return enter


def descend(loss, params, *data, rate=0.1):
    value, grads = jax.value_and_grad(loss)(params, *data)
    return jax.tree.map(lambda p, g: p - rate * g.astype(p.dtype), params, grads), value


# ---------------------------------------------------------------- convolutions, pooling, stencils

def conv(images, kernel, stride=1, groups=1):
    return lax.conv_general_dilated(images, kernel, (stride, stride), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"),
                                    feature_group_count=groups)


@program(arg(8, 64, 64, 16, at=P("y", "x")), arg(3, 3, 16, 32), arg(3, 3, 32, 16))
def conv_grad_spatial(images, a, b):
    return descend(lambda p: jnp.mean(conv(jax.nn.relu(conv(images, p[0])), p[1]) ** 2), (a, b))


@program(arg(4, 64, 48, 8, at=P(None, "x", "y")), arg(5, 5, 8, 16), arg(3, 3, 16, 16))
def conv_grad_strided(images, a, b):
    return descend(lambda p: jnp.mean(conv(jnp.tanh(conv(images, p[0], 2)), p[1], 2) ** 2), (a, b))


@program(arg(16, 16, 16, 64, at=P("x")), arg(3, 3, 64, 64, at=P(None, None, None, "y")), arg(3, 3, 64, 64, at=P(None, None, "y")))
def conv_grad_channels(images, a, b):
    return descend(lambda p: jnp.mean(conv(jax.nn.relu(conv(images, p[0])), p[1]) ** 2), (a, b))


@program(arg(2, 50, 30, 8, at=P(None, "x", "y")), arg(3, 3, 8, 8))
def conv_grad_uneven(images, a):
    return descend(lambda k: jnp.sum(jnp.tanh(conv(images, k)) ** 2), a)


@program(arg(8, 32, 32, 32, at=P("y", "x")), arg(3, 3, 1, 32), arg(1, 1, 32, 64))
def conv_depthwise(images, a, b):
    return descend(lambda p: jnp.mean(conv(conv(images, p[0], groups=32), p[1]) ** 2), (a, b))


@program(arg(4, 64, 64, 8, at=P(None, "x", "y")))
def max_pool_grad(images):
    pool = lambda v: lax.reduce_window(v, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")
    return jax.grad(lambda v: jnp.sum(pool(v) ** 2))(images)


@program(arg(130, 70, at=P("x", "y")), results=P("x", "y"))
def stencil_uneven(u):
    def step(_, u):
        p = jnp.pad(u, 1, mode="wrap")
        return sum(p[1 + i:131 + i, 1 + j:71 + j] for i in (-1, 0, 1) for j in (-1, 0, 1)) / 9
    return lax.fori_loop(0, 10, step, u)


@program(arg(64, 64, 32, at=P("x", "y")), arg(64, 64, 32, at=P("x", "y")), results=(P("x", "y"), P("x", "y")))
def wave_3d(u, v):
    def step(_, uv):
        u, v = uv
        lap = sum(jnp.roll(u, s, a) for a in range(3) for s in (1, -1)) - 6 * u
        v = v + 0.1 * lap
        return u + 0.1 * v, v
    return lax.fori_loop(0, 5, step, (u, v))


@program(arg(96, 96, at=P("x", "y")), arg(96, 96, at=P("x", "y")))
def jacobi(f, u):
    def step(state):
        u, _, k = state
        p = jnp.pad(u, 1)
        new = (p[:-2, 1:-1] + p[2:, 1:-1] + p[1:-1, :-2] + p[1:-1, 2:] - f) / 4
        return new, jnp.max(jnp.abs(new - u)), k + 1
    return lax.while_loop(lambda s: (s[1] > 1e-3) & (s[2] < 50), step, (u, jnp.float32(1), 0))


# ---------------------------------------------------------------- gathers and scatters

@program(arg(4096, 32, at=P("x")), arg(4096, at=P("x"), dtype="int32"))
def segment_sum(values, segments):
    return jax.ops.segment_sum(values, segments, 256)


@program(arg(4096, 16, at=P("x")), arg(4096, at=P("x"), dtype="int32"), results=P("y"))
def segment_max(values, segments):
    return jax.ops.segment_max(values, segments, 128)


@program(arg(1024, 64, at=P("y")), arg(64, 128, at=P("x"), dtype="int32"), arg(64, 32))
def embedding_grad(table, tokens, head):
    return descend(lambda p: jnp.mean((p[0][tokens] @ p[1]) ** 2), (table, head))


@program(arg(512, 64, at=P("y")), arg(4096, 2, at=P("x"), dtype="int32"), arg(64, 64), arg(64, 64))
def graph_layer(nodes, edges, w, v):
    def loss(p):
        messages = nodes[edges[:, 0]] @ p[0]
        summed = jax.ops.segment_sum(messages, edges[:, 1], 512)
        return jnp.mean(jax.nn.relu(summed + nodes @ p[1]) ** 2)
    return descend(loss, (w, v))


@program(arg(8192, at=P("x"), dtype="int32"))
def histogram(values):
    return jnp.zeros(100, jnp.int32).at[values % 100].add(1)


@program(arg(2048, 64, at=P("x")), arg(200, dtype="int32"))
def rows_taken(table, rows):
    return jnp.tanh(table[rows]), table.at[rows].mul(2.0)


# ---------------------------------------------------------------- training steps on explicit axes

@program(arg(64, 256, at=P("x")), arg(256, 512, at=P(None, "y")), arg(512, 256, at=P("y")), explicit=True)
def mlp_explicit(data, a, b):
    def loss(p):
        h = jax.nn.relu(jnp.einsum("bi,ih->bh", data, p[0], out_sharding=P("x", "y")))
        return jnp.mean((jnp.einsum("bh,ho->bo", h, p[1], out_sharding=P("x", None)) - data) ** 2)
    return descend(loss, (a, b))


@program(arg(64, 256, at=P("x")), arg(256, 512, at=P("x", "y")), arg(512, 256, at=P("y", "x")), explicit=True)
def fsdp_explicit(data, a, b):
    def loss(p):
        h = jax.nn.gelu(jnp.einsum("bi,ih->bh", data, p[0], out_sharding=P("x", "y")))
        return jnp.mean(jnp.einsum("bh,ho->bo", h, p[1], out_sharding=P("x", None)) ** 2)
    return descend(loss, (a, b))


# ---------------------------------------------------------------- indivisible sizes; reshapes across axes

@program(arg(50, 30, at=P("x")), arg(30, 70, at=P(None, "y")), arg(70, 30, at=P("y")))
def mlp_uneven(data, a, b):
    return descend(lambda p: jnp.mean((jnp.tanh(data @ p[0]) @ p[1] - data) ** 2), (a, b))


@program(arg(37, 1001, at=P("x", "y")))
def softmax_uneven(x):
    return jax.grad(lambda x: jnp.sum(jax.nn.softmax(x, axis=1) ** 2))(x)


@program(arg(1002, 32, at=P("x")), results=P("y"))
def resharded_uneven(x):
    return jnp.sin(x)


@program(arg(32, 256, at=P("x", "y")), results=P("y", None, "x"))
def reshape_to_heads(x):
    return jnp.cos(x.reshape(32, 8, 32))


@program(arg(64, 8, 32, at=P(None, ("x", "y"))))
def reshape_merged(x):
    return jnp.tanh(x.reshape(64, 2, 4, 32)).sum(1), x.reshape(64 * 8, 32) * 2


@program(arg(10, 6, 64, at=P("x", "y")))
def reshape_misaligned(x):
    return jnp.exp(x.reshape(60, 64)), x.reshape(4, 15, 64) + 1


# ---------------------------------------------------------------- ops along a sharded dimension

@program(arg(16, 4096, at=P("y", "x")))
def running_sums(x):
    return jnp.cumsum(x, 1), jnp.flip(lax.cummax(jnp.flip(x, 1), axis=1), 1)


@program(arg(256, 16, 32, at=P("x")), arg(32, 32))
def scan_sharded_time(x, w):
    return lax.scan(lambda h, v: (jnp.tanh(h @ w + v),) * 2, jnp.zeros((16, 32)), x)


@program(arg(32, 8192, at=P("y", "x")))
def top_k_sharded(x):
    return lax.top_k(x, 16)


@program(arg(8192, at=P("x")), arg(8192, at=P("x")))
def sort_pairs(keys, values):
    return lax.sort((keys, values), num_keys=1)


@program(arg(1024, 64, at=P("x")), arg(1024, 64, at=P("x")))
def linear_recurrence(a, b):
    return lax.associative_scan(lambda l, r: (l[0] * r[0], r[0] * l[1] + r[1]), (jax.nn.sigmoid(a), b))[1]


# ---------------------------------------------------------------- loops and rematerialisation

@program(arg(8, 32, 128, at=P(None, "x")), arg(128, 256, at=P(None, "y")), arg(256, 128, at=P("y")))
def accumulated_remat(batches, a, b):
    loss = jax.checkpoint(lambda p, x: jnp.mean((jax.nn.gelu(x @ p[0]) @ p[1] - x) ** 2))

    def add(total, x):
        return jax.tree.map(jnp.add, total, jax.grad(loss)((a, b), x)), None
    return jax.tree.map(lambda p, g: p - 0.1 * g, (a, b), lax.scan(add, (jnp.zeros_like(a), jnp.zeros_like(b)), batches)[0])


@program(arg(64, 128, at=P("x")), arg(6, 128, 128, at=P(None, "x", "y")))
def layers_remat(data, weights):
    layer = jax.checkpoint(lambda h, w: (jnp.tanh(h @ w), None))
    return descend(lambda w: jnp.mean(lax.scan(layer, data, w)[0] ** 2), weights)


# ---------------------------------------------------------------- linear algebra, sums

@program(arg(4, 64, 64, at=P("x")), arg(4, 64, 48, at=P("x", None, "y")))
def cholesky_solve(a, b):
    spd = a @ jnp.swapaxes(a, 1, 2) + 64 * jnp.eye(64)
    return jax.vmap(lambda m, r: jax.scipy.linalg.cho_solve((jnp.linalg.cholesky(m), True), r))(spd, b)


@program(arg(128, 128, at=P("x")), arg(128, 96, at=P("x", "y")))
def triangular_solve(a, b):
    return jax.scipy.linalg.solve_triangular(jnp.tril(a) + 8 * jnp.eye(128), b, lower=True)


@program(arg(64, 64, at=P("x", "y")), arg(64, 64, at=P("x", "y")))
def elementwise_sum(a, b):
    return sum(jnp.sum(f(a) * b) for f in (jnp.sin, jnp.exp, jnp.tanh, jnp.abs, jnp.square, lax.erf, jnp.sign))


@program(arg(256, 512, at=P("x", "y")), arg(512), arg(512))
def norms(x, scale, bias):
    def loss(p):
        h = (x - x.mean(1, keepdims=True)) * lax.rsqrt(x.var(1, keepdims=True) + 1e-5) * p[0] + p[1]
        return jnp.mean((h * lax.rsqrt(jnp.mean(h * h, 0) + 1e-5)) ** 4)
    return descend(loss, (scale, bias))


# ---------------------------------------------------------------- optimizers

def mlp_loss(p, data):
    return jnp.mean((jax.nn.relu(data @ p[0]) @ p[1] - data) ** 2)


@program(arg(64, 256, at=P("x")), arg(256, 512, at=P("x", "y")), arg(512, 256, at=P("y", "x")), arg(256), arg(512))
def adafactor(data, a, b, rows, cols):
    grads = jax.grad(mlp_loss)((a, b), data)
    rows = 0.9 * rows + 0.1 * jnp.mean(grads[0] ** 2, 1)
    cols = 0.9 * cols + 0.1 * jnp.mean(grads[0] ** 2, 0)
    return a - grads[0] * lax.rsqrt(rows[:, None] * cols / rows.mean() + 1e-8), b - 0.1 * grads[1], rows, cols


@program(arg(64, 256, at=P("x")), arg(256, 512, at=P(None, "y")), arg(512, 256, at=P("y")), arg(256, 512, at=P(None, "y")),
         arg(512, 256, at=P("y")))
def clipped_momentum(data, a, b, m, n):
    grads = jax.grad(mlp_loss)((a, b), data)
    norm = jnp.sqrt(sum(jnp.sum(g * g) for g in grads))
    m, n = (0.9 * v + g / jnp.maximum(norm, 1) for v, g in zip((m, n), grads))
    return a - 0.1 * m, b - 0.1 * n, m, n


@program(arg(64, 128, at=P("x")), arg(128, 256, at=P("x", "y")), arg(256, 128, at=P("y", "x")))
def muon(data, a, b):
    def orthogonal(g):
        g = g / (jnp.linalg.norm(g) + 1e-7)
        for _ in range(3):
            s = g @ g.T
            g = 3.4 * g + (-4.8 * s + 2.0 * s @ s) @ g
        return g
    grads = jax.grad(mlp_loss)((a, b), data)
    return a - 0.1 * orthogonal(grads[0]), b - 0.1 * orthogonal(grads[1].T).T


@program(arg(64, 256, at=P("x"), dtype="bfloat16"), arg(256, 512, at=P("x", "y")), arg(512, 256, at=P("y", "x")),
         arg(256, 512, at=P("x", "y")))
def lion_mixed(data, a, b, m):
    loss = lambda p: mlp_loss(jax.tree.map(lambda w: w.astype(jnp.bfloat16), p), data).astype(jnp.float32)
    grads = jax.grad(loss)((a, b))
    return a - 0.01 * jnp.sign(0.9 * m + 0.1 * grads[0]), b - 0.01 * jnp.sign(grads[1]), 0.99 * m + 0.01 * grads[0]


# ---------------------------------------------------------------- mixtures of experts, recurrent networks

@program(arg(256, 64, at=P("x")), arg(64, 8), arg(8, 64, 128, at=P("x", None, "y")), arg(8, 128, 64, at=P("x", "y")))
def moe_switch(tokens, router, up, down):
    def loss(p):
        gates = jax.nn.softmax(tokens @ p[0])
        expert = jnp.argmax(gates, 1)
        place = jnp.cumsum(jax.nn.one_hot(expert, 8), 0) * jax.nn.one_hot(expert, 8) - 1
        sent = jax.nn.one_hot(place, 48) * jax.nn.one_hot(expert, 8)[:, :, None]
        h = jnp.einsum("tec,td->ecd", sent, tokens)
        h = jnp.einsum("ech,ehd->ecd", jax.nn.relu(jnp.einsum("ecd,edh->ech", h, p[1])), p[2])
        return jnp.mean((jnp.einsum("tec,ecd->td", sent, h) * gates.max(1, keepdims=True) - tokens) ** 2)
    return descend(loss, (router, up, down))


@program(arg(256, 64, at=P("x")), arg(64, 8), arg(8, 64, 64, at=P("y")))
def moe_dense(tokens, router, weights):
    gates = jax.nn.softmax(tokens @ router)
    best, which = lax.top_k(gates, 2)
    mask = jnp.sum(jax.nn.one_hot(which, 8) * best[..., None], 1)
    return jnp.einsum("te,ted->td", mask, jnp.einsum("td,edf->tef", tokens, weights))


@program(arg(32, 64, 48, at=P(None, "x")), arg(48, 256, at=P(None, "y")), arg(64, 256, at=P(None, "y")))
def lstm(x, w, u):
    def loss(p):
        def step(state, v):
            h, c = state
            i, f, g, o = jnp.split(v @ p[0] + h @ p[1], 4, axis=-1)
            c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
            return (jax.nn.sigmoid(o) * jnp.tanh(c), c), None
        return jnp.mean(lax.scan(step, (jnp.zeros((64, 64)),) * 2, x)[0][0] ** 2)
    return descend(loss, (w, u))


@program(arg(16, 64, 32, at=P(None, "x")), arg(32, 3, 64, at=P(None, None, "y")), arg(64, 3, 64, at=P(None, None, "y")))
def gru(x, w, u):
    def step(h, v):
        a, b = jnp.einsum("bi,igh->gbh", v, w), jnp.einsum("bi,igh->gbh", h, u)
        z, r = jax.nn.sigmoid(a[0] + b[0]), jax.nn.sigmoid(a[1] + b[1])
        return (1 - z) * h + z * jnp.tanh(a[2] + r * b[2]), None
    return lax.scan(step, jnp.zeros((64, 64)), x)[0]


# ---------------------------------------------------------------- attention

def attend(q, k, v, mask=None):
    s = jnp.einsum("bqhd,bkhd->bhqk", q, k) / 8
    return jnp.einsum("bhqk,bkhd->bqhd", jax.nn.softmax(s if mask is None else jnp.where(mask, s, -1e9)), v)


@program(arg(8, 64, 128, at=P("x")), arg(128, 8, 16, at=P(None, "y")), arg(128, 2, 2, 16, at=P(None, None, "y")),
         arg(8, 16, 128, at=P("y")))
def attention_grouped(x, wq, wkv, wo):
    def loss(p):
        q = jnp.einsum("bsd,dhk->bshk", x, p[0])
        k, v = (jnp.repeat(t, 4, 2) for t in jnp.einsum("bsd,dchk->cbshk", x, p[1]))
        return jnp.mean(jnp.einsum("bshk,hkd->bsd", attend(q, k, v), p[2]) ** 2)
    return descend(loss, (wq, wkv, wo))


@program(*[arg(2, 512, 8, 16, at=P(None, "x", "y"))] * 3)
def attention_sequence(q, k, v):
    return attend(q, k, v, jnp.tril(jnp.ones((512, 512), bool)))


@program(*[arg(2, 512, 4, 16, at=P("y", "x"))] * 3)
def attention_window(q, k, v):
    blocks = lambda t: t.reshape(2 * 8, 64, 4, 16)
    before = lambda t: jnp.pad(t.reshape(2, 8, 64, 4, 16)[:, :-1], ((0, 0), (1, 0), (0, 0), (0, 0), (0, 0))).reshape(16, 64, 4, 16)
    pair = lambda t: jnp.concatenate([before(t), blocks(t)], 1)
    return attend(blocks(q), pair(k), pair(v)).reshape(2, 512, 4, 16)


@program(*[arg(4, 256, 8, 16, at=P("y", "x"))] * 3)
def attention_linear(q, k, v):
    def loss(t):
        q, k, v = jax.nn.elu(t[0]) + 1, jax.nn.elu(t[1]) + 1, t[2]
        state = jnp.einsum("bshd,bshe->bhde", k, v)
        return jnp.mean((jnp.einsum("bshd,bhde->bshe", q, state) / jnp.einsum("bshd,bhd->bsh", q, k.sum(1))[..., None]) ** 2)
    return jax.grad(loss)((q, k, v))


@program(arg(8, 64, 64, at=P("x")), arg(64, 1024, at=P(None, "y")), arg(8, 64, at=P("x"), dtype="int32"))
def cross_entropy_vocabulary(h, head, labels):
    def loss(w):
        logits = h @ w
        picked = jnp.take_along_axis(logits, labels[..., None], 2)[..., 0]
        return jnp.mean(jax.nn.logsumexp(logits, 2) - picked)
    return descend(loss, head)
