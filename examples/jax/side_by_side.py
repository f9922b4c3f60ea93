"""Run a program on all devices of the default platform and on one device of XLA:CPU, and print what they compute side by side.

A program is a function of a mesh that yields numbers, one a line: losses, norms."""
import math
import sys
import time

import jax
import numpy as np
from jax.sharding import AxisType, Mesh


def mesh_of(devices, sizes):
    """Return a mesh with these axes; sizes are by axis name, and -1 takes the devices that are left."""
    devices = list(devices)
    known = math.prod(n for n in sizes.values() if n > 0)
    shape = [n if n > 0 else max(1, len(devices) // known) for n in sizes.values()]
    n = math.prod(shape)
    return Mesh(np.array(devices[:n]).reshape(shape), tuple(sizes), axis_types=(AxisType.Auto,) * len(sizes))


def distribute(array, sharding):
    """Return a global array from an array that every process has."""
    array = np.asarray(array)
    return jax.make_array_from_callback(array.shape, sharding, lambda index: array[index])


def main(program, sizes, tolerance):
    """Print the numbers of both runs; exit status 1 if they differ by more than `tolerance`, relative to their size."""
    sizes = dict(sizes)
    fitting = jax.device_count() >= math.prod(n for n in sizes.values() if n > 0)
    mesh = mesh_of(jax.devices(), sizes if fitting else {name: 1 for name in sizes} | {next(iter(sizes)): -1})
    start = time.perf_counter()
    ours = [float(x) for x in program(mesh)]
    seconds = time.perf_counter() - start
    if jax.process_index():
        return
    one = mesh_of(jax.local_devices(backend="cpu")[:1], {name: 1 for name in sizes})
    reference = [float(x) for x in program(one)]
    print(f"{mesh.size} devices of {jax.process_count()} process(es), {dict(mesh.shape)}; {seconds:.1f} s with compilation")
    print(f"{'':>6} {'here':>14} {'XLA:CPU':>14}")
    worst = 0.0
    for i, (x, y) in enumerate(zip(ours, reference, strict=True)):
        print(f"{i:>6} {x:>14.7g} {y:>14.7g}")
        worst = max(worst, abs(x - y) / max(abs(y), 1e-30))
    print(f"largest relative difference {worst:.2g} (allowed: {tolerance:g})")
    sys.exit(0 if worst <= tolerance else 1)
