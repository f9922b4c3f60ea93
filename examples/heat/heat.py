"""The heat equation on a plate with periodic edges: a wave keeps its shape and decays at a known rate."""
import jax, jax.numpy as jnp, numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

POINTS, STEPS, RATE = 64, 200, 0.2  # points per side; time steps; diffusivity * dt / h^2
WAVES = 1, 2                        # along the rows, along the columns

mesh = Mesh(np.array(jax.devices()).reshape(4, 2), ("rows", "columns"))
plate, number = NamedSharding(mesh, P("rows", "columns")), NamedSharding(mesh, P())

def neighbours(u):
    return jnp.roll(u, 1, 0) + jnp.roll(u, -1, 0) + jnp.roll(u, 1, 1) + jnp.roll(u, -1, 1)

def heat(u):
    first = u
    u = jax.lax.fori_loop(0, STEPS, lambda _, u: u + RATE * (neighbours(u) - 4 * u), u)
    decay = jnp.sum(u * first) / jnp.sum(first * first)
    # deviation from the wave: rounding
    rest = jnp.max(jnp.abs(u - decay * first))
    return decay, rest, u

phases = [2 * np.pi * k * np.arange(POINTS) / POINTS for k in WAVES]
wave = np.outer(np.sin(phases[0]), np.sin(phases[1])).astype("f4")

program = jax.jit(heat, in_shardings=plate, out_shardings=(number, number, plate))
arguments = (wave,)
results = "decay", "rest", "plate"
