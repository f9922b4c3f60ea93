"""Do estimates order plans as measured steps do? Each program is planned in five ways, and each plan is run.

    ranking.py --shardrun ./shardrun [--mpirun mpirun] [--rounds N] [--repeats N] [--only NAME] FOLDER ...

FOLDER/NAME/model.mlir runs on as many ranks as its mesh has devices, with random arguments, plan after plan, in several rounds; a plan's time is
the minimum of its rounds' medians. Use an idle machine with a core per rank. Prints a line per program: estimated and measured seconds of each plan, and
Spearman's rank correlation, in which plans with equal estimates share a rank (1: the same order, 0: none, -: all estimates equal). The last
line has the mean."""
import argparse
import json
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile

# Without these variables Open MPI refuses to run as root, the usual user of a container.
for name in ("OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM"):
    os.environ.setdefault(name, "1")
PLANS = {
    "searched": [],
    "overlapped": ["--overlap=on"],
    "one by one": ["--overlap=off"],
    "as propagated": ["--partition=upstream"],
    "replicated": ["--partition=replicate"],
}


def reported(command, timeout):
    """Return the report of a run, or an error message."""
    with tempfile.TemporaryDirectory() as folder:
        report = os.path.join(folder, "report.json")
        command = [*command, "--quiet", "--cache=off", "--report=" + report]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=timeout)
        except subprocess.TimeoutExpired:
            return f"more than {timeout:g} s"
        if done.returncode:
            return f"status {done.returncode}: {done.stderr.strip()[-200:]}"
        with open(report) as f:
            return json.load(f)


def measured(options, model, devices, flags):
    """Return (estimated, measured) seconds of a step, or an error message."""
    launch = [*shlex.split(options.mpirun), "-np", str(devices), options.shardrun, str(model), *flags]
    report = reported([*launch, "--warmup=1", f"--num_repeats={options.repeats}"], options.timeout)
    return report if isinstance(report, str) else (report["plan"]["estimate_s"]["step"], report["run"]["step_s"]["median"])


def ranks(values):
    """The rank of each value; equal ones share their mean rank."""
    return [sum(w < v for w in values) + (sum(w == v for w in values) - 1) / 2 for v in values]


def correlation(a, b):
    """Spearman's rank correlation; None if all values of one side are equal."""
    a, b = ranks(a), ranks(b)
    middle = (len(a) - 1) / 2
    spread = sum((x - middle) ** 2 for x in a) * sum((y - middle) ** 2 for y in b)
    return sum((x - middle) * (y - middle) for x, y in zip(a, b)) / spread ** 0.5 if spread else None


def one_program(options, model):
    """({plan: (estimated, measured)}, None), or (None, error message)."""
    plan = reported([options.shardrun, str(model), "--run=false"], options.timeout)
    if isinstance(plan, str):
        return None, plan
    best = {}
    for _ in range(options.rounds):
        for name, flags in PLANS.items():
            found = measured(options, model, plan["devices"], flags)
            if isinstance(found, str):
                return None, f"{name}: {found}"
            best[name] = min(best.get(name, found), found, key=lambda times: times[1])
    return best, None


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folders", nargs="+", type=pathlib.Path)
    parser.add_argument("--shardrun", default="shardrun")
    parser.add_argument("--mpirun", default="mpirun --oversubscribe")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--repeats", type=int, default=10)
    parser.add_argument("--timeout", type=float, default=300)
    parser.add_argument("--only", action="append", default=[], help="a program's name")
    options = parser.parse_args()
    found, failed = [], 0
    for model in sorted(path for folder in options.folders for path in folder.glob("*/model.mlir")):
        if options.only and model.parent.name not in options.only:
            continue
        plans, wrong = one_program(options, model)
        if wrong:
            print(f"{model.parent.name}: {wrong}", flush=True)
            failed += 1
            continue
        rho = correlation(*zip(*plans.values()))
        found += [] if rho is None else [rho]
        times = ", ".join(f"{name} {estimate:.2g}/{time:.2g}" for name, (estimate, time) in plans.items())
        print(f"{model.parent.name:<24} {'-' if rho is None else f'{rho:.2f}'}  {times}", flush=True)
    mean = f"mean {sum(found) / len(found):.2f} of {len(found)} programs" if found else "no program whose plans differ"
    print(f"{mean}; {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
