"""What a tiny function costs from Python, on the PJRT plugin and on XLA:CPU in turn: compilation, and calls on one device and on 8.

    chrt -r 5 python dispatch_timing.py --plugin BUILD/.libs/libshardrun_pjrt.so [--rounds 3]

Each round is a process; the figures are the least of all rounds."""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import time

PACKAGE = pathlib.Path(__file__).resolve().parents[2] / "python"
COMPILATIONS, SERIES, CALLS = 15, 60, 100


def least(repeats, measure):
    return min(measure(i) for i in range(repeats))


def measure(sharding):
    """Return seconds of a compilation, of a call in a series, and of a call that is waited for."""
    import jax
    import jax.numpy as jnp
    import numpy as np

    x = jax.device_put(np.arange(64, dtype=np.float32).reshape(8, 8), sharding)

    def compile_one(i):
        lowered = jax.jit(lambda x: jnp.sin(x) * 2 + i).lower(x)
        start = time.perf_counter()
        lowered.compile()
        return time.perf_counter() - start

    f = jax.jit(lambda x: x + 1)

    def call_series(_):
        start = time.perf_counter()
        for _ in range(CALLS):
            y = f(x)
        y.block_until_ready()
        return (time.perf_counter() - start) / CALLS

    def call_and_wait(_):
        start = time.perf_counter()
        f(x).block_until_ready()
        return time.perf_counter() - start

    return {"compilation": least(COMPILATIONS, compile_one), "call, 100 in a row": least(SERIES, call_series),
            "call, waited for": least(SERIES * CALLS // 10, call_and_wait)}


def child():
    import jax
    mesh = jax.make_mesh((8,), ("x",), axis_types=(jax.sharding.AxisType.Auto,))
    shardings = {"one device": jax.devices()[0], "8 devices": jax.sharding.NamedSharding(mesh, jax.sharding.PartitionSpec("x"))}
    print(json.dumps({f"{what}, {where}": seconds for where, sharding in shardings.items() for what, seconds in measure(sharding).items()}))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--plugin")
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    environments = {
        "shardrun": {"JAX_PLATFORMS": "shardrun,cpu", "SHARDRUN_DEVICES": "8", "SHARDRUN_PJRT_LIBRARY": os.path.abspath(arguments.plugin or ""),
                     "PYTHONPATH": str(PACKAGE)},
        "XLA:CPU": {"JAX_PLATFORMS": "cpu", "XLA_FLAGS": "--xla_force_host_platform_device_count=8", "PYTHONPATH": ""}}
    best = {name: {} for name in environments}
    for _ in range(arguments.rounds):
        for name, environment in environments.items():
            done = subprocess.run([sys.executable, __file__], env={**os.environ, **environment, "DISPATCH_TIMING": name}, check=True,
                                  stdout=subprocess.PIPE, text=True)
            for what, seconds in json.loads(done.stdout.splitlines()[-1]).items():
                best[name][what] = min(best[name].get(what, seconds), seconds)
    print(f"{'microseconds':32s}" + "".join(f"{name:>10s}" for name in best))
    for what in best["shardrun"]:
        print(f"{what:32s}" + "".join(f"{1e6 * best[name][what]:10.1f}" for name in best))


if __name__ == "__main__":
    child() if "DISPATCH_TIMING" in os.environ else main()
