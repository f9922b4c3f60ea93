"""Greedy decoding with a small language model and a key/value cache."""
import jax, jax.numpy as jnp, numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

BATCH, PROMPT, LENGTH = 4, 6, 24
LAYERS, WIDTH, HEADS, SIZE, HIDDEN, WORDS = 2, 32, 4, 8, 64, 64

mesh = Mesh(np.array(jax.devices()).reshape(4, 2), ("data", "model"))
put = lambda *spec: NamedSharding(mesh, P(*spec))
cached = put(None, None, "data", None, "model")  # layer, key or value, sequence, position, head

def norm(x):
    return x * jax.lax.rsqrt(jnp.mean(x * x, -1, keepdims=True) + 1e-6)

def block(x, layer, keys, values, seen):
    """x: the queried positions; keys and values: of all positions; seen: mask of the positions that each query may attend to."""
    q = jnp.einsum("btd,dhe->bthe", norm(x), layer["q"])
    scores = jnp.einsum("bthe,bshe->bhts", q, keys) / np.sqrt(SIZE)
    weights = jax.nn.softmax(jnp.where(seen, scores, -1e9))
    x = x + jnp.einsum("bhts,bshe,hed->btd", weights, values, layer["out"])
    return x + jax.nn.gelu(norm(x) @ layer["up"]) @ layer["down"]

def keys_values(x, layer):
    return jnp.einsum("btd,cdhe->cbthe", norm(x), layer["kv"])

def step(w, t, tokens, cache):
    """Return the logits after position t, and the updated cache."""
    x = w["embed"][jax.lax.dynamic_slice_in_dim(tokens, t, 1, 1)] + w["position"][t]
    seen = jnp.arange(LENGTH) <= t
    for i, layer in enumerate(w["layers"]):
        cache = jax.lax.dynamic_update_slice(cache, keys_values(x, layer)[None], (i, 0, 0, t, 0, 0))
        cache = jax.lax.with_sharding_constraint(cache, cached)
        x = block(x, layer, cache[i, 0], cache[i, 1], seen)
    return (norm(x) @ w["embed"].T)[:, 0], cache

def choose(t, tokens, logits, score):
    """Append the most likely token after position t, unless it is in the prompt; add its log-likelihood to the score."""
    given = jax.lax.dynamic_slice_in_dim(tokens, t + 1, 1, 1)[:, 0]
    token = jnp.where(t + 1 < PROMPT, given, jnp.argmax(logits, -1).astype(jnp.int32))
    score += jnp.take_along_axis(jax.nn.log_softmax(logits), token[:, None], 1)[:, 0]
    return jax.lax.dynamic_update_slice(tokens, token[:, None], (0, t + 1)), score

def begin(prompt):
    return jnp.zeros((BATCH, LENGTH), jnp.int32).at[:, :PROMPT].set(prompt), jnp.zeros(BATCH)

def write(w, prompt):
    def body(t, state):
        tokens, score, cache = state
        logits, cache = step(w, t, tokens, cache)
        return *choose(t, tokens, logits, score), cache

    cache = jnp.zeros((LAYERS, 2, BATCH, LENGTH, HEADS, SIZE))
    tokens, score, _ = jax.lax.fori_loop(0, LENGTH - 1, body, (*begin(prompt), cache))
    return tokens, score

def reference(w, prompt):
    """Return the same results without a cache: compute all positions again for each token."""
    def body(t, state):
        tokens, score = state
        x = w["embed"][tokens] + w["position"]
        for layer in w["layers"]:
            x = block(x, layer, *keys_values(x, layer), jnp.tril(jnp.ones((LENGTH, LENGTH), bool)))
        return choose(t, tokens, (norm(x) @ w["embed"].T)[:, t], score)

    return jax.lax.fori_loop(0, LENGTH - 1, body, begin(prompt))

r = np.random.default_rng(0)
normal = lambda *shape: (r.normal(size=shape) / np.sqrt(WIDTH)).astype("f4")
layer = lambda: {"q": 2 * normal(WIDTH, HEADS, SIZE), "kv": 2 * normal(2, WIDTH, HEADS, SIZE),
                 "out": normal(HEADS, SIZE, WIDTH), "up": normal(WIDTH, HIDDEN), "down": normal(HIDDEN, WIDTH)}
w = {"embed": normal(WORDS, WIDTH), "position": normal(LENGTH, WIDTH), "layers": [layer() for _ in range(LAYERS)]}
heads = {"q": put(None, "model"), "kv": put(None, None, "model"), "out": put("model"),
         "up": put(None, "model"), "down": put("model")}
shardings = {"embed": put(), "position": put(), "layers": [heads] * LAYERS}

program = jax.jit(write, in_shardings=(shardings, put("data")), out_shardings=(put("data"), put("data")))
arguments = w, r.integers(0, WORDS, (BATCH, PROMPT)).astype("i4")
results = "tokens", "score"
