"""Read HloModuleProtos and the HLO text of the same modules, and compare what shardopt prints.

    python hlo_proto.py --shardopt ./shardopt [--count N] [--seed N] [--save DIR] [FILE.hlo...]

The modules are those of the files, of hlo_programs.py before and after XLA's passes, and of N random programs (program.py).
XLA prints the text and writes the proto. Operand order, names and attributes must be equal; locations, which binary modules
have in another form, are not compared. --save keeps modules that differ. The last line has the numbers."""
import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

from hlo_programs import jax_modules, module_of_hlo_text, modules_of_mlir  # before jaxlib: it sets the environment
from jaxlib import _hlo
from program import Features, generate


def options_of_text():
    options = _hlo.HloPrintOptions()
    options.print_large_constants = True
    options.print_metadata = False
    return options


def modules(arguments):
    """(name, module) for each module that is compared."""
    for file in arguments.files:
        yield from module_of_hlo_text(file)
    yield from jax_modules()
    for seed in range(arguments.seed, arguments.seed + arguments.count):
        program = generate(seed, Features())
        yield from modules_of_mlir(f"random {seed}", getattr(program, "text", program))


def shardopt(tool, file):
    """Status, module, messages. The numbers of devices are left out: XLA prints them from a configuration that is not in the proto."""
    done = subprocess.run([tool, str(file)], capture_output=True, text=True, timeout=120)
    header, *rest = done.stdout.split("\n", 1) if done.stdout else [""]
    header = re.sub(r"(, )?mhlo\.num_(partitions|replicas) = \d+ : i32", "", header).replace("{, ", "{").replace(" attributes {} ", " ")
    return done.returncode, "\n".join([header, *rest]), done.stderr.replace(str(file), "FILE")


def compare(tool, module, folder):
    """'equal', 'both refused', or the difference."""
    text, proto = folder / "module.hlo", folder / "module.pb"
    written = module.as_serialized_hlo_module_proto()
    proto.write_bytes(written)
    text.write_text(_hlo.HloModule.from_serialized_hlo_module_proto(written).to_string(options_of_text()))
    want, got = shardopt(tool, text), shardopt(tool, proto)
    if want[0] and got[0] and want[0] != 125 and got[0] != 125:
        return "both refused"
    if want[:2] == got[:2]:
        return "equal"
    lines = zip(want[1].splitlines() + [""], got[1].splitlines() + [""])
    first = next(((a, b) for a, b in lines if a != b), ("", ""))
    return f"text: {want[0]} {want[2].strip()[:300]} {first[0]}\n    proto: {got[0]} {got[2].strip()[:300]} {first[1]}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shardopt", default="./shardopt")
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--save", type=pathlib.Path)
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    arguments = parser.parse_args()
    counts = {"equal": 0, "both refused": 0, "different": 0}
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        for name, module in modules(arguments):
            verdict = compare(arguments.shardopt, module, folder)
            counts[verdict if verdict in counts else "different"] += 1
            if verdict == "equal":
                continue
            if verdict != "both refused":
                print(f"{name} differs:\n    {verdict}")
            if arguments.save:
                kept = arguments.save / "".join(c if c.isalnum() else "_" for c in name)
                kept.mkdir(parents=True, exist_ok=True)
                for file in folder.iterdir():
                    (kept / file.name).write_bytes(file.read_bytes())
    print("hlo_proto: " + ", ".join(f"{n} {what}" for what, n in counts.items()))
    sys.exit(1 if counts["different"] or not counts["equal"] else 0)


if __name__ == "__main__":
    main()
