"""Bodies under gravity, by leapfrog: energy and momentum are conserved."""
import jax, jax.numpy as jnp, numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

jax.config.update("jax_enable_x64", True)
BODIES, STEPS, DT, SOFTENING = 128, 100, 0.005, 0.1

mesh = Mesh(np.array(jax.devices()), ("bodies",))
bodies, numbers = NamedSharding(mesh, P("bodies")), NamedSharding(mesh, P())

def between(x):
    d = x[None, :, :] - x[:, None, :]
    return d, jnp.sum(d * d, -1) + SOFTENING**2

def acceleration(m, x):
    d, square = between(x)
    return jnp.einsum("j,ij,ijk->ik", m, square**-1.5, d)

def energy(m, x, v):
    pairs = m[:, None] * m[None, :] / jnp.sqrt(between(x)[1])
    return jnp.sum(m[:, None] * v * v) / 2 - (jnp.sum(pairs) - jnp.sum(m * m) / SOFTENING) / 2

def move(m, x, v):
    def step(_, state):
        x, v, a = state
        v = v + DT / 2 * a
        x = x + DT * v
        a = acceleration(m, x)
        return x, v + DT / 2 * a, a

    x1, v1, _ = jax.lax.fori_loop(0, STEPS, step, (x, v, acceleration(m, x)))
    energies = jnp.stack([energy(m, x, v), energy(m, x1, v1)])
    momenta = jnp.stack([m @ v, m @ v1])
    return energies, momenta, x1, v1

r = np.random.default_rng(0)
m = r.uniform(0.5, 1.5, BODIES) / BODIES
x, v = r.normal(size=(BODIES, 3)), r.normal(size=(BODIES, 3)) / 3
v[:, 0] += 0.25  # all drift along the first axis

program = jax.jit(move, in_shardings=(bodies, bodies, bodies), out_shardings=(numbers, numbers, bodies, bodies))
arguments = m, x, v
results = "energies", "momenta", "x1", "v1"
