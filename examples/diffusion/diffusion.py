"""A step of a diffusion model's sampler: a small U-Net estimates the noise in images that are sharded by rows."""
import jax, jax.numpy as jnp, numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

IMAGES, ROWS, COLUMNS, COLOURS, WIDTH, TIMES = 4, 32, 16, 3, 8, 1000

mesh = Mesh(np.array(jax.devices()).reshape(2, 4), ("data", "rows"))
put = lambda *spec: NamedSharding(mesh, P(*spec))

def conv(x, w, stride=1):
    return jax.lax.conv_general_dilated(x, w, (stride, stride), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))

def norm(x):  # over each image
    mean = jnp.mean(x, (1, 2, 3), keepdims=True)
    return (x - mean) * jax.lax.rsqrt(jnp.mean((x - mean) ** 2, (1, 2, 3), keepdims=True) + 1e-5)

def block(x, w, time):
    h = conv(jax.nn.silu(norm(x)), w["first"]) + (time @ w["time"])[:, None, None, :]
    return x + conv(jax.nn.silu(norm(h)), w["second"])

def attend(x, w):  # self-attention over the points of an image
    n, rows, columns, c = x.shape
    q, k, v = jnp.einsum("nrsc,kcd->knrsd", norm(x), w["qkv"])
    weights = jax.nn.softmax(jnp.einsum("nrsd,ntud->nrstu", q, k).reshape(n, rows, columns, -1) / np.sqrt(c))
    return x + jnp.einsum("nrstu,ntud->nrsd", weights.reshape(n, rows, columns, rows, columns), v) @ w["out"]

def twice(x):
    return jnp.repeat(jnp.repeat(x, 2, 1), 2, 2)

def noise(w, x, t):
    angles = t[:, None] * jnp.exp(-jnp.log(TIMES) * jnp.arange(WIDTH) / WIDTH)
    time = jnp.concatenate([jnp.sin(angles), jnp.cos(angles)], -1)
    fine = block(conv(x, w["in"]), w["fine"], time)
    coarse = block(conv(fine, w["down"], stride=2), w["coarse"], time)
    coarse = block(attend(coarse, w["attention"]), w["coarse2"], time)
    fine = block(fine + conv(twice(coarse), w["up"]), w["fine2"], time)
    return conv(jax.nn.silu(norm(fine)), w["last"])

def signal(t):  # share of the image in the signal at time t (cosine schedule)
    return (jnp.cos(t / TIMES * jnp.pi / 2) ** 2)[:, None, None, None]

def step(w, x, t, to):
    e = noise(w, x, t)
    image = (x - jnp.sqrt(1 - signal(t)) * e) / jnp.sqrt(signal(t))
    return jnp.sqrt(signal(to)) * image + jnp.sqrt(1 - signal(to)) * e, image

r = np.random.default_rng(0)
normal = lambda *shape: (r.normal(size=shape) / np.sqrt(np.prod(shape[:-1]))).astype("f4")
both = lambda c: {"first": normal(3, 3, c, c), "time": normal(2 * WIDTH, c), "second": normal(3, 3, c, c)}
w = {"in": normal(3, 3, COLOURS, WIDTH), "fine": both(WIDTH), "down": normal(3, 3, WIDTH, 2 * WIDTH), "coarse": both(2 * WIDTH),
     "attention": {"qkv": normal(3, 2 * WIDTH, 2 * WIDTH), "out": normal(2 * WIDTH, 2 * WIDTH)}, "coarse2": both(2 * WIDTH),
     "up": normal(3, 3, 2 * WIDTH, WIDTH), "fine2": both(WIDTH), "last": normal(3, 3, WIDTH, COLOURS)}
images, times = put("data", "rows"), put("data")

program = jax.jit(step, in_shardings=(put(), images, times, times), out_shardings=(images, images))
arguments = w, r.normal(size=(IMAGES, ROWS, COLUMNS, COLOURS)).astype("f4"), np.full(IMAGES, 500, "f4"), np.full(IMAGES, 480, "f4")
results = "x1", "image"
