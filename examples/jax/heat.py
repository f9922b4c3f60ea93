"""The heat equation on a grid that is sharded along both dimensions, by shard_map: each device sends its border to its neighbours.

    JAX_PLATFORMS=shardrun,cpu SHARDRUN_DEVICES=8 python heat.py
    JAX_PLATFORMS=shardrun,cpu mpirun -np 8 python heat.py"""
import functools

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.sharding import NamedSharding
from jax.sharding import PartitionSpec as P

from side_by_side import distribute, main

SIZE, STEPS, OUTPUTS = 256, 100, 5


def borders(block, name, axis):
    """Return the rows (or columns) before and after a device's block; 0 outside of the grid."""
    n = lax.axis_size(name)
    first, last = lax.slice_in_dim(block, 0, 1, axis=axis), lax.slice_in_dim(block, -1, None, axis=axis)
    before = lax.ppermute(last, name, [(i, i + 1) for i in range(n - 1)])
    after = lax.ppermute(first, name, [(i + 1, i) for i in range(n - 1)])
    return before, after


def step(_, block):
    up, down = borders(block, "x", 0)
    left, right = borders(block, "y", 1)
    rows = jnp.concatenate([up, block, down], 0)
    columns = jnp.concatenate([left, block, right], 1)
    laplacian = rows[:-2] + rows[2:] + columns[:, :-2] + columns[:, 2:] - 4 * block
    return block + 0.2 * laplacian


def heat(mesh):
    spec = P("x", "y")

    @jax.jit
    @functools.partial(jax.shard_map, mesh=mesh, in_specs=spec, out_specs=spec, check_vma=False)
    def advance(block):
        return lax.fori_loop(0, STEPS, step, block)

    grid = np.zeros((SIZE, SIZE), np.float32)
    grid[SIZE // 4:SIZE // 2, SIZE // 4:SIZE // 2] = 100
    grid = distribute(grid, NamedSharding(mesh, spec))
    energy = jax.jit(lambda grid: jnp.sum(grid * grid))
    for _ in range(OUTPUTS):
        grid = advance(grid)
        yield energy(grid)


if __name__ == "__main__":
    main(heat, {"x": -1, "y": 2}, tolerance=1e-5)
