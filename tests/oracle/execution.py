"""Random sharded programs through all of shardrun: compiled for any number of devices, and run on a few ranks against their own
interpretation as one device's program.

    execution.py --shardrun ./shardrun [--mpirun mpirun] [--count N] [--seed FIRST] [--compile] [--save DIR]

Compiling ends with status 0, or 4 and one sentence; what compiles runs, and its results are those of --interpret but for rounding. With
--compile nothing is run, meshes have up to 512 devices and every kind of op occurs. The last line is "N passed, N failed"."""
import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
from annotations import Style  # noqa: E402
from program import Features, generate  # noqa: E402

# Open MPI refuses root, the usual user of a container, without these.
for name in ("OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM"):
    os.environ.setdefault(name, "1")
CLOSE = ["--expected-rtol=1e-2", "--expected-f32-threshold=1e-2", "--expected-f64-threshold=1e-2", "--expected-bf16-threshold=0.1"]


def call(command, folder, timeout):
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=timeout)
        return done.returncode, done.stdout, done.stderr
    except subprocess.TimeoutExpired:
        return -1, "", "time is up"


def compiles(options, folder):
    """None where it does, or says in one sentence that it cannot; else what is wrong. And whether to go on."""
    status, _, why = call([options.shardrun, "--run=false", "model.mlir"], folder, options.timeout)
    errors = [line for line in why.splitlines() if "error:" in line]
    if status == 0 or (status == 4 and len(errors) == 1):
        return None, status == 0
    return f"--run=false: status {status}: {' | '.join(errors)[:300] or why[:300]}", False


def runs(options, folder, text):
    """What is wrong, or None."""
    results = int(re.search(r"\n    return ([^\n]*?) : ", text).group(1).count("%"))
    names = [f"@r{i}.npy" for i in range(results)]
    status, _, why = call([options.shardrun, "--interpret", "model.mlir"] + [f"--output={n}" for n in names], folder, options.timeout)
    if status:
        return f"--interpret: status {status}: {why.strip()[:300]}"
    ranks = re.search(r"mhlo.num_partitions = (\d+)", text).group(1)
    status, out, why = call([*options.mpirun.split(), "-np", ranks, options.shardrun, "model.mlir", "--timeout=60"] + CLOSE +
                            [f"--expected-output={n}" for n in names], folder, options.timeout)
    return None if status == 0 else f"on {ranks} ranks: status {status}: {(why + out).strip()[:600]}"


def try_one(options, seed):
    """What is wrong, or None."""
    style = Style(unreduced=0, replicated=0.08)
    features = Features(ops=options.ops, style=style, runnable=not options.compile, max_devices=512 if options.compile else 4,
                        several_meshes=0, named_computations=options.compile and seed % 2 == 0)
    text = generate(seed, features)
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "model.mlir"), "w") as f:
            f.write(text)
        wrong, go_on = compiles(options, folder)
        if not wrong and go_on and not options.compile:
            wrong = runs(options, folder, text)
        if wrong and options.save:
            os.makedirs(options.save, exist_ok=True)
            shutil.copy(os.path.join(folder, "model.mlir"), os.path.join(options.save, f"p{seed}.mlir"))
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--shardrun", default="shardrun", type=lambda path: shutil.which(path) and os.path.abspath(shutil.which(path)))
    parser.add_argument("--mpirun", default="mpirun --oversubscribe")
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--ops", type=int, default=10)
    parser.add_argument("--compile", action="store_true")
    parser.add_argument("--timeout", type=float, default=90)
    parser.add_argument("--save", help="a folder for programs that go wrong")
    options = parser.parse_args()
    failed = 0
    for seed in range(options.seed, options.seed + options.count):
        wrong = try_one(options, seed)
        if wrong:
            print(f"p{seed}: {wrong}", flush=True)
            failed += 1
    print(f"{options.count - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
