"""Compare the structs of src/pjrt/pjrt_abi.h with pypjrt's declaration of PJRT's C API: size, and offset of every field of the same name.

    pjrt_abi_test.py --source DIR [--cc COMPILER]

Prints what differs; the last line is "N passed, N failed". Exit status 77 if pypjrt is not installed."""
import argparse, ctypes, os, re, subprocess, sys, tempfile

p = argparse.ArgumentParser()
p.add_argument("--source", required=True)
p.add_argument("--cc", default=os.environ.get("CC", "cc"))
args = p.parse_args()
try:
    from pypjrt._abi import pjrt_0_114 as other
except ImportError:
    print("skipped: no pypjrt")
    sys.exit(77)

header = open(os.path.join(args.source, "src/pjrt/pjrt_abi.h")).read()
names = [n for n in sorted(set(re.findall(r"^struct (PJRT_\w+) \{", header, re.M))) if hasattr(other, n)]
lines = []
for name in names:
    lines.append(f'printf("{name} %zu\\n", sizeof(struct {name}));')
    body = re.search(r"^struct %s \{(.*?)^\};|^struct %s \{([^\n]*)\};" % (name, name), header, re.M | re.S)
    body = body.group(1) or body.group(2)
    for field, *_ in getattr(other, name)._fields_:
        if field in ("struct_size", "extension_start") and "PJRT_HEAD" in body or re.search(r"\b%s;" % field, body):
            lines.append(f'printf("{name}.{field} %zu\\n", offsetof(struct {name}, {field}));')
with tempfile.TemporaryDirectory() as d:
    open(d + "/a.c", "w").write('#include "pjrt/pjrt_abi.h"\n#include <stdio.h>\nint main(void)\n{\n' + "\n".join(lines) + "\nreturn 0;\n}\n")
    subprocess.run([*args.cc.split(), "-std=gnu11", "-I", args.source + "/src", "-o", d + "/a", d + "/a.c"], check=True)
    ours = dict(line.split() for line in subprocess.run([d + "/a"], capture_output=True, text=True, check=True).stdout.splitlines())
failed = 0
for what, number in ours.items():
    name, _, field = what.partition(".")
    theirs = getattr(getattr(other, name), field).offset if field else ctypes.sizeof(getattr(other, name))
    if theirs != int(number):
        failed += 1
        print(f"{what}: {number}, but {theirs} in pypjrt")
print(f"{len(ours) - failed} passed, {failed} failed")
sys.exit(failed > 0)
