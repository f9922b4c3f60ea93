#!/usr/bin/env python3
"""Time functions of JAX on XLA:CPU and on shardrun, in turn, and print a table as in doc/performance.md.

    scripts/measure-jax.py [--shardrun build/shardrun] [--rounds N] [--seconds S] [--cores N] SCRIPT.py:PROGRAMS

PROGRAMS is a dictionary in the script, from a name to a function, jitted or not, and its arguments:

    programs = {"softmax": (jax.nn.softmax, np.ones((2048, 2048), "f4"))}

A function whose arguments are sharded over N devices runs on N ranks of shardrun, and on N devices of XLA, which the script makes with
XLA_FLAGS=--xla_force_host_platform_device_count=N before it imports jax. Both take turns for the given rounds; in each, a function is
called for about the given seconds, after one call that is not counted. The least time of a call counts. Results are not compared. Measure
on an idle machine; with --cores both are bound to as many cores."""
import argparse
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "python"))


def xla_seconds(function, arguments, seconds):
    """Return the least time of a call, and the number of calls in the given time, at least 3."""
    import jax

    jax.block_until_ready(function(*arguments))
    best, n, end = math.inf, 0, time.perf_counter() + seconds
    while n < 3 or time.perf_counter() < end:
        start = time.perf_counter()
        jax.block_until_ready(function(*arguments))
        best, n = min(best, time.perf_counter() - start), n + 1
    return best, n


def shardrun_seconds(folder, repeats):
    """Return the least time of a step of the exported program."""
    report = os.path.join(folder, "report.json")
    done = subprocess.run(["sh", os.path.join(folder, "run.sh"), "-q", "--warmup=1", f"--num-repeats={repeats}", f"--report={report}"],
                          stderr=subprocess.PIPE, text=True)
    if done.returncode:
        raise RuntimeError(f"shardrun ended with status {done.returncode}:\n{done.stderr}")
    with open(report) as text:
        return json.load(text)["run"]["step_s"]["min"]


def measure(function, arguments, options):
    """Return the least times of a call on XLA and on shardrun."""
    import jax
    import shardrun_export

    function = function if hasattr(function, "lower") else jax.jit(function)
    xla = shardrun = math.inf
    with tempfile.TemporaryDirectory() as folder:
        shardrun_export.export(function, *arguments, dir=folder)
        for _ in range(options.rounds):
            seconds, n = xla_seconds(function, arguments, options.seconds)
            xla, shardrun = min(xla, seconds), min(shardrun, shardrun_seconds(folder, min(n, 1000)))
    return xla, shardrun


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", metavar="SCRIPT.py:PROGRAMS")
    parser.add_argument("--shardrun", default=ROOT / "build" / "shardrun", type=pathlib.Path)
    parser.add_argument("--rounds", default=3, type=int)
    parser.add_argument("--seconds", default=1., type=float)
    parser.add_argument("--cores", default=0, type=int)
    options = parser.parse_args()
    path, _, name = options.programs.rpartition(":")
    if not path or options.rounds < 1:
        parser.error("SCRIPT.py:PROGRAMS and at least one round are expected")
    if options.cores:
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[-options.cores:])
    os.environ["SHARDRUN"] = str(options.shardrun.resolve())
    import shardrun_export

    programs = getattr(shardrun_export._load_script(path), name)
    print("| program | XLA | shardrun | ratio |\n|---|---|---|---|")
    ratios = []
    for name, (function, *arguments) in programs.items():
        xla, shardrun = measure(function, arguments, options)
        ratios.append(shardrun / xla)
        print(f"| {name} | {1e3 * xla:.3g} ms | {1e3 * shardrun:.3g} ms | {ratios[-1]:.2f} |", flush=True)
    print(f"\nGeometric mean: {math.exp(sum(map(math.log, ratios)) / len(ratios)):.2f}")


if __name__ == "__main__":
    main()
