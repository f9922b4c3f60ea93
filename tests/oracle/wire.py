"""Bytes on the wire per device as shardrun reports them, compared with XLA's partitioner for the same programs.

    wire.py --shardrun ./shardrun [--keep DIR] [--only NAME] [FOLDER ...]

The programs are those of wire_programs.py, lowered by JAX and compiled by XLA for virtual devices, or those of FOLDER/NAME/model.mlir, whose case.json
holds XLA's collectives. Each collective counts once, in a loop or not. With results of r bytes over n devices a device sends: all-reduce 2r(n-1)/n,
all-gather and all-to-all r(n-1)/n, reduce-scatter r(n-1), permute r. --keep stores what JAX and XLA made in DIR and reads it again. The last line has
the geometric mean of the ratios where XLA sends anything, and how many programs send more. Status 77 without JAX."""
import argparse
import json
import math
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=8"
os.environ["JAX_PLATFORMS"] = "cpu"
# bytes that a device sends in a collective with results of r bytes over n devices
SENDS = {
    "all-reduce": lambda r, n: 2 * r * (n - 1) / n,
    "all-gather": lambda r, n: r * (n - 1) / n,
    "all-to-all": lambda r, n: r * (n - 1) / n,
    "reduce-scatter": lambda r, n: r * (n - 1),
    "collective-permute": lambda r, n: r,
    "collective-broadcast": lambda r, n: r,
    "ragged-all-to-all": lambda r, n: r * (n - 1) / n,
}
COLLECTIVE = re.compile(r"= (.+?) (" + "|".join(SENDS) + r")(?:-start)?\(")
LISTED = re.compile(r"replica_groups=\{\{([\d,]*)\}")
IOTA = re.compile(r"replica_groups=\[[\d,]*?(\d+)\]")
BY_AXES = re.compile(r"replica_groups=mesh\[(.*?)\].*? \{(.*?)\}")


def group_size(line):
    """Number of devices in a group of an HLO collective; 1 if it names none."""
    if found := LISTED.search(line):
        return found[1].count(",") + 1
    if found := IOTA.search(line):
        return int(found[1])
    if found := BY_AXES.search(line):
        sizes = dict(re.findall(r"'([^']+)'=(\d+)", found[1]))
        return math.prod(int(part or sizes[axis]) for axis, part in re.findall(r"'([^']+)'(?::\(\d+\)(\d+))?", found[2]))
    if "replica_groups" in line:
        raise ValueError("groups in a form that is not known: " + line.strip())
    return 1


def bytes_of(types):
    """Bytes of all arrays in an HLO type."""
    total = 0
    for name, bits, shape in re.findall(r"\b(pred|[a-z]+?(\d+)\w*)\[([\d,]*)\]", types):
        size = 1 if name == "pred" else max(1, int(bits) // 8)
        total += size * math.prod(int(d) for d in shape.split(",") if d)
    return total


def hlo_wire(text):
    """{kind: bytes that a device sends} of a partitioned HLO module."""
    wire = {}
    for line in text.splitlines():
        if found := COLLECTIVE.search(line):
            wire[found[2]] = wire.get(found[2], 0) + int(SENDS[found[2]](bytes_of(found[1]), group_size(line)))
    return wire


def lowered(program):
    """The program's StableHLO, and the bytes that XLA's partitioned program sends."""
    import jax
    import numpy
    from jax.sharding import AxisType, Mesh, NamedSharding, PartitionSpec
    names, sizes = zip(*program.mesh)
    devices = numpy.array(jax.devices()[:math.prod(sizes)]).reshape(sizes)
    mesh = Mesh(devices, names, axis_types=(AxisType.Explicit if program.explicit else AxisType.Auto,) * len(names))
    shardings = [NamedSharding(mesh, at) for _, at, _ in program.arguments]
    divided = [divides(sharding, shape) for sharding, (shape, _, _) in zip(shardings, program.arguments)]
    at_border = [s if even else NamedSharding(mesh, PartitionSpec()) for s, even in zip(shardings, divided)]
    arguments = [jax.ShapeDtypeStruct(shape, dtype, sharding=s) for s, (shape, _, dtype) in zip(at_border, program.arguments)]

    def function(*values):
        values = [v if even else jax.lax.with_sharding_constraint(v, s) for v, s, even in zip(values, shardings, divided)]
        out = program.function(*values)
        return out if program.results is None else jax.lax.with_sharding_constraint(out, program.results)
    with jax.set_mesh(mesh):
        made = jax.jit(function, in_shardings=at_border).lower(*arguments)
        return made.as_text(), hlo_wire(made.compile().as_text())


def divides(sharding, shape):
    """True if the sharding divides the shape. JAX takes no other arguments; those are sharded inside the program."""
    try:
        sharding.shard_shape(shape)
        return True
    except ValueError:
        return False


def made_programs(options):
    """(name, model file, XLA's bytes by kind) of each program of wire_programs.py."""
    try:
        import jax  # noqa: F401
    except ImportError:
        print("skipped: no JAX")
        sys.exit(77)
    import wire_programs
    options.keep.mkdir(parents=True, exist_ok=True)
    for program in wire_programs.PROGRAMS:
        if options.only and program.name not in options.only:
            continue
        model, figures = (options.keep / (program.name + end) for end in (".mlir", ".json"))
        if not figures.exists():
            text, wire = lowered(program)
            model.write_text(text)
            figures.write_text(json.dumps(wire))
        yield program.name, model, json.loads(figures.read_text())


def found_programs(options):
    """Yield (name, model file, XLA's bytes by kind) of each program in the folders, whose case.json has XLA's figures."""
    for folder in options.folders:
        for case in sorted(folder.glob("*/case.json")):
            kinds = json.loads(case.read_text()).get("xla", {}).get("collectives")
            if kinds is not None and (not options.only or case.parent.name in options.only):
                yield case.parent.name, case.parent / "model.mlir", {kind: int(k["wire_bytes"]) for kind, k in kinds.items()}


def our_wire(options, model):
    """Return {kind: bytes that shardrun's program sends}, or an error message."""
    with tempfile.TemporaryDirectory() as folder:
        report = os.path.join(folder, "report.json")
        done = subprocess.run([options.shardrun, "--cache=off", "--run=false", "--report=" + report, *options.option, str(model)],
                              capture_output=True, text=True, timeout=options.timeout)
        if done.returncode:
            return f"status {done.returncode}: {done.stderr.strip()[-200:]}"
        with open(report) as f:
            kinds = json.load(f)["plan"]["collectives"]
    return {kind: k["wire_bytes"] for kind, k in kinds.items()}


def shown(wire):
    return ", ".join(f"{kind} {n}" for kind, n in sorted(wire.items())) or "nothing"


def table(options, programs):
    """Print the table; return the number of programs that failed."""
    logs, above, failed = [], 0, 0
    for name, model, xla in programs:
        ours = our_wire(options, model)
        if isinstance(ours, str):
            print(f"{name:<28} {ours}")
            failed += 1
            continue
        a, b = sum(ours.values()), sum(xla.values())
        above += a > b
        if b:
            logs.append(math.log(max(a, 1) / b))
        kinds = f"  {shown(ours)} | {shown(xla)}" if options.kinds else ""
        print(f"{name:<28} {a:>12} {b:>12} {f'{a / b:.3f}' if b else '-':>7}{kinds}", flush=True)
    mean = math.exp(sum(logs) / len(logs)) if logs else 1
    print(f"geometric mean {mean:.3f} of {len(logs)} programs with traffic; {above} send more than XLA's; {failed} failed")
    return failed


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folders", nargs="*", type=pathlib.Path)
    parser.add_argument("--shardrun", default="shardrun")
    parser.add_argument("--keep", type=pathlib.Path, help="a folder for models and XLA's figures")
    parser.add_argument("--only", action="append", default=[], help="a program's name")
    parser.add_argument("--kinds", action="store_true", help="which collectives they are")
    parser.add_argument("--timeout", type=float, default=120)
    parser.add_argument("--option", action="append", default=[], help="a flag for shardrun: --option=--partition=upstream")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        options.keep = options.keep or pathlib.Path(folder)
        return 1 if table(options, found_programs(options) if options.folders else made_programs(options)) else 0


if __name__ == "__main__":
    sys.exit(main())
