"""Random sharded programs through all of shardrun: compiled for any number of devices, executed on a few ranks, and compared with an interpretation
as a program for one device.

    execution.py --shardrun ./shardrun [--mpirun mpirun | --one-process] [--count N] [--seed FIRST] [--compile | --xla] [--save DIR]
                 [--reference ANOTHER/shardrun]

Compilation must end with status 0, or 4 and one sentence; what compiles must run and give the results of --interpret up to rounding.

    --compile       nothing is run, meshes have up to 512 devices, and every kind of op occurs
    --xla           results of both are compared with XLA's for one device (needs JAX), to find common mistakes; all devices are in one process,
                    and ops are left out that XLA is known to compute differently from the specification
    --one-process   all devices are in one process; loop nests are interpreted in three of four programs, else compiled: for sanitizer builds
    --reference     the build that says which programs are refused and computes the expected results: a quick one beside a sanitizer build

The last line is "N passed, N failed"."""
import argparse
import collections
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
from annotations import Style  # noqa: E402
from program import Features, generate  # noqa: E402

# Without these variables Open MPI refuses to run as root, the usual user of a container.
for name in ("OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM"):
    os.environ.setdefault(name, "1")
# Two of four programs prefer ops of OFTEN, which move data, and one of HALOS, which may need a halo exchange. OPS are counted.
OFTEN = ("gather", "scatter", "sort", "top_k", "reduce_several", "reduce_window", "select_and_scatter", "while_loop", "fori_loop", "dynamic_slice", "dynamic_update_slice")
HALOS = ("slice", "pad", "reverse", "concatenate", "reshape", "convolution", "reduce_window", "select_and_scatter")
OPS = ["stablehlo." + op for op in ("gather", "scatter", "sort", "reduce_window", "select_and_scatter", "while", "dynamic_slice",
                                    "dynamic_update_slice")] + ["chlo.top_k"]
CLOSE = ["--expected-rtol=1e-2", "--expected-f32-threshold=1e-2", "--expected-f64-threshold=1e-2", "--expected-bf16-threshold=0.1",
         "--expected-f16-threshold=1e-2"]


def call(command, folder, timeout):
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=timeout)
        return done.returncode, done.stdout, done.stderr
    except subprocess.TimeoutExpired:
        return -1, "", "time is up"


def compiles(options, folder):
    """Return (error or None, whether to execute the program); a refusal to compile must be one sentence."""
    status, _, why = call([options.reference, "--run=false", "model.mlir"], folder, options.timeout)
    errors = [line for line in why.splitlines() if "error:" in line]
    if status == 0 or (status == 4 and len(errors) == 1):
        return None, status == 0
    return f"--run=false: status {status}: {' | '.join(errors)[:300] or why[:300]}", False


def runs(options, folder, text, seed):
    """Run the program on ranks; return an error, or None."""
    results = int(re.search(r"\n    return ([^\n]*?) : ", text).group(1).count("%"))
    names = [f"@r{i}.npy" for i in range(results)]
    program = [options.shardrun, "model.mlir", f"--seed={seed}"]
    status, _, why = call([options.reference, *program[1:], "--interpret"] + [f"--output={n}" for n in names], folder, options.timeout)
    if status:
        return f"--interpret: status {status}: {why.strip()[:300]}"
    ranks = ranks_of(text)
    launch = [*options.mpirun.split(), "-np", ranks, *program, "--timeout=60"]
    if options.one_process:
        launch = [*program, "--devices-per-rank=all", "--codegen=" + ("on" if seed % 4 == 3 else "off")]
    status, out, why = call(launch + CLOSE +
                            [f"--expected-output={n}" for n in names], folder, options.timeout)
    return None if status == 0 else f"on {ranks} ranks: status {status}: {first_error(out + why)[:600]}"


def runs_as_xla(options, folder, text, seed, seen):
    """Compare the program's results with XLA's; return an error, or None."""
    import numpy
    import single
    values = single.arguments(text, seed)
    results = single.results(text, values)
    if results is None:
        seen["refused by XLA"] += 1
        return None
    arrays = [(f"--input=@a{i}.npy", v) for i, v in enumerate(values)] + [(f"--expected-output=@r{i}.npy", v) for i, v in enumerate(results)]
    for flag, v in arrays:
        numpy.save(os.path.join(folder, flag.split("@")[1]), v)
    for way in ("--interpret", "--devices-per-rank=all"):
        status, out, why = call([options.shardrun, "model.mlir", way] + CLOSE + [flag for flag, _ in arrays], folder, options.timeout)
        if status:
            return f"{way}: status {status}: {first_error(out + why)[:600]}"
    return None


def first_error(text):
    """The output without the launcher's messages, if there are others."""
    lines = [line for line in text.splitlines() if re.search(r"error:|FAILED|expected", line)]
    return " | ".join(lines) or text.strip()


def ranks_of(text):
    return re.search(r"mhlo.num_partitions = (\d+)", text).group(1)


def try_one(options, seed, seen):
    """Compile, run and compare one program; return an error, or None."""
    style = Style(unreduced=0, replicated=0.08)
    features = Features(ops=options.ops, style=style, runnable=not options.compile, max_devices=512 if options.compile else options.devices,
                        several_meshes=0, named_computations=options.compile and seed % 2 == 0, often=((), OFTEN, OFTEN, HALOS)[seed % 4], shuffled=0.1,
                        agreed=options.xla)
    text = generate(seed, features)
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "model.mlir"), "w") as f:
            f.write(text)
        wrong, go_on = compiles(options, folder)
        if not wrong and not go_on:
            seen["refused"] += 1
        elif not wrong and not options.compile:
            seen[f"on {ranks_of(text)}"] += 1
            seen.update({op for op in OPS if f'"{op}"' in text})
            wrong = runs_as_xla(options, folder, text, seed, seen) if options.xla else runs(options, folder, text, seed)
        if wrong and options.save:
            os.makedirs(options.save, exist_ok=True)
            shutil.copy(os.path.join(folder, "model.mlir"), os.path.join(options.save, f"p{seed}.mlir"))
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    program = lambda path: shutil.which(path) and os.path.abspath(shutil.which(path))  # noqa: E731
    parser.add_argument("--shardrun", default="shardrun", type=program)
    parser.add_argument("--reference", type=program)
    parser.add_argument("--mpirun", default="mpirun --oversubscribe")
    parser.add_argument("--one-process", action="store_true")
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--ops", type=int, default=10)
    parser.add_argument("--devices", type=int, default=8, help="the most that a mesh has")
    parser.add_argument("--compile", action="store_true")
    parser.add_argument("--xla", action="store_true")
    parser.add_argument("--timeout", type=float, default=90)
    parser.add_argument("--save", help="a folder for programs that go wrong")
    options = parser.parse_args()
    options.reference = options.reference or options.shardrun
    failed, seen = 0, collections.Counter()
    for seed in range(options.seed, options.seed + options.count):
        wrong = try_one(options, seed, seen)
        if wrong:
            print(f"p{seed}: {wrong}", flush=True)
            failed += 1
    print("ranks and ops of what ran: " + ", ".join(f"{what} {n}" for what, n in sorted(seen.items())))
    print(f"{options.count - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
