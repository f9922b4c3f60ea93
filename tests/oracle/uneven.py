"""Ops along dimensions that the devices do not divide: every extent from 1 to 17 on 2 to 8 devices, compared with --partition=replicate.

    uneven.py --shardrun ./shardrun [--share K/N] [--op REGEX] [--mesh REGEX] [--save DIR]

Padding at the end of the last shards must not be visible in results. Each op reads a value whose padding is one of several that sort before,
after or among the elements or are unordered: NaN of both signs, infinities, large numbers. A program has one op with all extents and paddings,
and all devices in one process. Results must be equal bit by bit, up to NaN payloads. Needs only Python. --share K/N: every N-th program
from the K-th on. The last line is "N passed, N failed"."""
import argparse
import collections
import itertools
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile

MOST, OTHER = 17, 3  # maximum extent of the dimension; extent of the other dimension
MESHES = ('"x"=2', '"x"=3', '"x"=4', '"x"=6', '"x"=8', '"x"=4, "y"=2', '"x"=3, "y"=2', '"x"=2, "y"=3')
# element type -> values that replace zero elements, for example padding of arguments; None keeps the zeros
PADDINGS = {"f32": (None, "0x7FC00000", "0xFFC00000", "0x7F800000", "0xFF800000", "1.0e+09", "-1.0e+09"),
            "i32": (None, "2147483647", "-2147483648")}
# elements of test data: no zero, since some tests pad with zero; duplicates, which sorts must keep in order
INTEGERS = (3, -1, 7, 3, -2, 5, -8, 2, 2, 6, -3)
FINITE = INTEGERS + (4, -1, 9, 1, -7, 8, 3, -5)
SPECIAL = FINITE[:5] + (float("nan"), float("inf"), 2.0, float("-inf"), -0.5) + FINITE[5:]
NPY = {"f32": ("<f4", "f"), "i32": ("<i4", "i")}
AT = (0, 3, 16, -5)                    # start indices of slices, the program's first arguments
PLACES = (0, 16, 5, -3, 2, 40, 1, 5)  # indices of gathers and scatters

Value = collections.namedtuple("Value", "name shape dtype")


def type_of(v):
    return "tensor<" + "".join(f"{d}x" for d in v.shape) + v.dtype + ">"


def types_of(values):
    return "(" + ", ".join(map(type_of, values)) + ")"


def array(numbers):
    return f"array<i64: {', '.join(map(str, numbers))}>"


class Case:
    """One op with one extent and padding: lines of text, arguments, results."""

    def __init__(self, number, extent, dtype, dim, padding):
        self.number, self.n, self.dtype, self.dim, self.padding = number, extent, dtype, dim, padding
        self.lines, self.arguments, self.results, self.count = [], [], [], 0

    def shape(self, n=None):
        n = self.n if n is None else n
        return (n, OTHER) if self.dim == 0 else (OTHER, n)

    def along(self, this, others):
        """Return a pair whose number at the case's dimension is `this`."""
        return [this if d == self.dim else others for d in range(2)]

    def many(self, op, operands, results, attributes="", body=""):
        """Add an op in generic form; results are pairs of shape and type."""
        self.count += 1
        name = f"%v{self.number}_{self.count}"
        values = [Value(f"{name}#{i}" if len(results) > 1 else name, *r) for i, r in enumerate(results)]
        names = ", ".join(v.name for v in operands)
        self.lines.append(f'{name}{f":{len(results)}" if len(results) > 1 else ""} = "{op}"({names}) <{{{attributes}}}> {body}: '
                          f"{types_of(operands)} -> {types_of(values)}")
        return values

    def one(self, op, operands, shape, dtype=None, attributes="", body=""):
        return self.many("stablehlo." + op, operands, [(shape, dtype or self.dtype)], attributes, body)[0]

    def constant(self, value, shape=(), dtype=None):
        v = Value("", shape, dtype or self.dtype)
        return self.one("constant", [], shape, dtype, f"value = dense<{value}> : {type_of(v)}")

    def iota(self, shape, dim, dtype=None):
        return self.one("iota", [], shape, dtype, f"iota_dimension = {dim} : i64")

    def compare(self, direction, a, b):
        return self.one("compare", [a, b], a.shape, "i1", f"comparison_direction = #stablehlo<comparison_direction {direction}>")

    def slice(self, v, first, n, step=1):
        bounds = [array(v) for v in (self.along(first, 0), self.along(first + n, OTHER), self.along(step, 1))]
        return self.one("slice", [v], self.shape(-(-n // step)), v.dtype,
                        f"start_indices = {bounds[0]}, limit_indices = {bounds[1]}, strides = {bounds[2]}")

    def value(self):
        """A new argument with this case's padding. An argument that several ops read would be gathered once for all."""
        v = Value(f"%x{self.number}_{len(self.arguments)}", self.shape(), self.dtype)
        self.arguments.append(v)
        if self.padding is None:
            return v
        zero = self.constant(ZERO[self.dtype], v.shape)
        return self.one("select", [self.compare("EQ", v, zero), self.constant(self.padding, v.shape), v], v.shape)


ZERO = {"f32": "0.0", "i32": "0"}


def firsts(n):
    return sorted({1, (n + 1) // 2, n})


def scalar_body(c, op, dtype=None):
    """A body on two scalars; "set" returns the second."""
    t = f"tensor<{dtype or c.dtype}>"
    end = f"      %r = stablehlo.{op} %a, %b : {t}\n      stablehlo.return %r : {t}\n"
    return f"({{\n    ^bb0(%a: {t}, %b: {t}):\n" + (end if op != "set" else f"      stablehlo.return %b : {t}\n") + "    }) "


# ---- ops: functions that add an op to a case

def compared(direction, total):
    def lines(dtype):
        kind = ("TOTALORDER" if total else "FLOAT") if dtype == "f32" else "SIGNED"
        return [f"%less = stablehlo.compare {direction}, %a0, %b0, {kind} : (tensor<{dtype}>, tensor<{dtype}>) -> tensor<i1>"]
    return lines


def compared_by_two(dtype):
    """Compare by > and, for equal values, by descending position."""
    t = f"(tensor<{dtype}>, tensor<{dtype}>) -> tensor<i1>"
    return [f"%more = stablehlo.compare GT, %a0, %b0 : {t}", f"%same = stablehlo.compare EQ, %a0, %b0 : {t}",
            "%later = stablehlo.compare GT, %a1, %b1 : (tensor<i32>, tensor<i32>) -> tensor<i1>",
            "%tied = stablehlo.and %same, %later : tensor<i1>", "%less = stablehlo.or %more, %tied : tensor<i1>"]


def compared_negated(dtype):
    t = f"tensor<{dtype}>"
    return [f"%na = stablehlo.negate %a0 : {t}", f"%nb = stablehlo.negate %b0 : {t}",
            f"%less = stablehlo.compare LT, %na, %nb : ({t}, {t}) -> tensor<i1>"]


def sorted_by(c, operands, comparator):
    args = ", ".join(f"%{side}{i}: tensor<{v.dtype}>" for i, v in enumerate(operands) for side in "ab")
    lines = "".join(f"      {line}\n" for line in [*comparator(c.dtype), "stablehlo.return %less : tensor<i1>"])
    return c.many("stablehlo.sort", operands, [v[1:] for v in operands], f"dimension = {c.dim} : i64, is_stable = true",
                  f"({{\n    ^bb0({args}):\n{lines}    }}) ")


def sort(comparator, n_operands, first):
    def make(c):
        for k in firsts(c.n) if first else (c.n,):
            operands = [c.value(), c.iota(c.shape(), c.dim, "i32")][:n_operands]
            for v in sorted_by(c, operands, comparator):
                c.results.append(c.slice(v, 0, k) if first else v)
    return make


def top_k(c):
    for k in firsts(c.n):
        c.results += c.many("chlo.top_k", [c.value()], [(c.shape(k), c.dtype), (c.shape(k), "i32")], f"k = {k} : i64")


INITS = {"add": ("0.0", "0"), "maximum": ("0xFF800000", "-2147483648"), "minimum": ("0x7F800000", "2147483647"),
         "multiply": ("1.0", "1")}


def init_of(c, op, dtype=None):
    return c.constant(INITS[op][(dtype or c.dtype) == "i32"], (), dtype)


def scanned(c, v, op, reverse=False):
    n = v.shape[c.dim]
    window, padding = c.along(n, 1), c.along([0, n - 1] if reverse else [n - 1, 0], [0, 0])
    return c.one("reduce_window", [v, init_of(c, op, v.dtype)], v.shape, v.dtype,
                 f"window_dimensions = {array(window)}, padding = dense<{padding}> : tensor<2x2xi64>",
                 scalar_body(c, op, v.dtype))


def cumulative(op, reverse):
    def make(c):
        c.results.append(scanned(c, c.value(), op, reverse))
    return make


def reduce(op):
    def make(c):
        c.results.append(c.one("reduce", [c.value(), init_of(c, op)], (OTHER,), None, f"dimensions = array<i64: {c.dim}>",
                               scalar_body(c, op)))
    return make


ARGMAX = """({
    ^bb0(%a0: F, %a1: I, %b0: F, %b1: I):
      %more = stablehlo.compare GT, %a0, %b0 : (F, F) -> tensor<i1>
      %same = stablehlo.compare EQ, %a0, %b0 : (F, F) -> tensor<i1>
      %nan = stablehlo.compare NE, %a0, %a0 : (F, F) -> tensor<i1>
      %before = stablehlo.compare LT, %a1, %b1 : (I, I) -> tensor<i1>
      %tied = stablehlo.and %same, %before : tensor<i1>
      %first = stablehlo.or %more, %tied : tensor<i1>
      %take = stablehlo.or %first, %nan : tensor<i1>
      %v = stablehlo.select %take, %a0, %b0 : tensor<i1>, F
      %p = stablehlo.select %take, %a1, %b1 : tensor<i1>, I
      stablehlo.return %v, %p : F, I
    }) """


def argmax(c):
    operands = [c.value(), c.iota(c.shape(), c.dim, "i32"), init_of(c, "maximum"), c.constant("-1", (), "i32")]
    c.results += c.many("stablehlo.reduce", operands, [((OTHER,), c.dtype), ((OTHER,), "i32")], f"dimensions = array<i64: {c.dim}>",
                        ARGMAX.replace("F", f"tensor<{c.dtype}>").replace("I", "tensor<i32>"))


def window_numbers(c, window):
    """Dimension numbers for slices of `window` elements along the dimension at each of PLACES: shape of all, of one, offset dimensions,
    collapsed dimensions."""
    sizes = c.along(min(window, c.n), OTHER)
    if window == 1:
        return (len(PLACES), OTHER), sizes, "[1]", f"[{c.dim}]"
    return (len(PLACES), *sizes), sizes, "[1, 2]", "[]"


def indices(c, places):
    return c.constant([[p] for p in places], (len(places), 1), "i32")


def gather(window):
    def make(c):
        shape, sizes, offsets, collapsed = window_numbers(c, window)
        c.results.append(c.one("gather", [c.value(), indices(c, PLACES)], shape, None,
                               f"dimension_numbers = #stablehlo.gather<offset_dims = {offsets}, "
                               f"collapsed_slice_dims = {collapsed}, "
                               f"start_index_map = [{c.dim}], index_vector_dim = 1>, slice_sizes = {array(sizes)}"))
    return make


def gather_by(c):
    """Gather rows by sharded indices, whose padding is out of bounds or points elsewhere."""
    rows = c.constant([[i, i + 20] for i in range(7)], (7, 2))
    c.results.append(c.one("gather", [rows, c.value()], (*c.shape(), 2), None,
                           "dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], "
                           "start_index_map = [0], index_vector_dim = 2>, slice_sizes = array<i64: 1, 2>"))


def scattered(c, op, operands, dims, inserted, to, vector=1):
    c.results.append(c.one("scatter", operands, operands[0].shape, None,
                           f"scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = {dims}, inserted_window_dims = "
                           f"{inserted}, scatter_dims_to_operand_dims = [{to}], index_vector_dim = {vector}>", scalar_body(c, op)))


def scatter(op, window):
    def make(c):
        shape, _, dims, inserted = window_numbers(c, window)
        scattered(c, op, [c.value(), indices(c, PLACES), c.iota(shape, 0)], dims, inserted, c.dim)
    return make


def scatter_of(op):
    """Scatter rows, as many as the extent, into five."""
    def make(c):
        v = c.value()
        if c.dim == 1:
            v = c.one("transpose", [v], (c.n, OTHER), None, "permutation = array<i64: 1, 0>")
        into = c.constant("1.0" if c.dtype == "f32" else "1", c.shape(5))
        scattered(c, op, [into, indices(c, [(3 * i + 2) % 6 for i in range(c.n)]), v], "[1]", f"[{c.dim}]", c.dim)
    return make


def histogram(c):
    """Add ones at integer indices; those out of bounds are dropped."""
    scattered(c, "add", [c.constant("0", (6,)), c.value(), c.constant("1", c.shape())], "[]", "[0]", 0, 2)


def starts(c, place):
    return c.along(Value("%at" + str(place).replace("-", "m"), (), "i32"), c.constant("0", (), "i32"))


def dynamic_slice(c):
    for size in firsts(c.n)[:2]:
        for place in AT:
            sizes = c.shape(size)
            c.results.append(c.one("dynamic_slice", [c.value(), *starts(c, place)], sizes, None,
                                   f"slice_sizes = {array(sizes)}"))


def dynamic_update(c):
    for size in firsts(c.n)[:2]:
        for place in AT:
            c.results.append(c.one("dynamic_update_slice", [c.value(), c.iota(c.shape(size), 0), *starts(c, place)], c.shape()))


def unique(c):
    """Sorted values, and the number of the distinct value that each is."""
    values = sorted_by(c, [c.value()], compared("LT", True))[0]
    c.results.append(values)
    if c.n > 1:
        differ = c.compare("NE", c.slice(values, 0, c.n - 1), c.slice(values, 1, c.n - 1))
        c.results.append(scanned(c, c.one("convert", [differ], differ.shape, "i32"), "add"))


def reverse(c):
    c.results.append(c.one("reverse", [c.value()], c.shape(), None, f"dimensions = array<i64: {c.dim}>"))


def concatenate(c):
    c.results.append(c.one("concatenate", [c.value(), c.value()], c.shape(2 * c.n), None, f"dimension = {c.dim} : i64"))


def strided(c):
    c.results.append(c.slice(c.value(), 0, c.n, 2))


def pad(c):
    c.results.append(c.one("pad", [c.value(), c.constant(ZERO[c.dtype])], c.shape(c.n + 3), None,
                           f"edge_padding_low = {array(c.along(2, 0))}, edge_padding_high = {array(c.along(1, 0))}, "
                           f"interior_padding = {array((0, 0))}"))


# name -> (op, dimensions along which the op is tested, whether elements may be NaN or infinite, element types)
OPS = {
    "top_k": (top_k, (1,), True, ("f32", "i32")),
    "first_less": (sort(compared("LT", True), 1, True), (0, 1), True, ("f32", "i32")),
    "first_greater": (sort(compared("GT", True), 2, True), (0, 1), True, ("f32", "i32")),
    "first_plain": (sort(compared("GT", False), 2, True), (0, 1), False, ("f32",)),
    "first_by_two": (sort(compared_by_two, 2, True), (0, 1), False, ("f32", "i32")),
    "first_negated": (sort(compared_negated, 2, True), (0, 1), False, ("f32",)),
    "sort": (sort(compared("LT", True), 1, False), (0, 1), True, ("f32", "i32")),
    "argsort": (sort(compared("LT", True), 2, False), (0, 1), True, ("f32",)),
    "unique": (unique, (0, 1), False, ("f32", "i32")),
    "argmax": (argmax, (0, 1), True, ("f32",)),
    "reverse": (reverse, (0, 1), True, ("f32",)),
    "concatenate": (concatenate, (0, 1), True, ("f32",)),
    "strided": (strided, (0, 1), True, ("f32",)),
    "pad": (pad, (0, 1), True, ("f32",)),
    "dynamic_slice": (dynamic_slice, (0, 1), True, ("f32", "i32")),
    "dynamic_update": (dynamic_update, (0, 1), True, ("f32",)),
    "gather": (gather(1), (0, 1), True, ("f32", "i32")),
    "gather_window": (gather(2), (0, 1), True, ("f32",)),
    "gather_by": (gather_by, (0, 1), False, ("i32",)),
    "histogram": (histogram, (0, 1), False, ("i32",)),
}
for _op in INITS:
    OPS[f"cumulative_{_op}"] = (cumulative(_op, False), (0, 1), _op != "multiply", ("f32", "i32"))
    OPS[f"cumulative_{_op}_reversed"] = (cumulative(_op, True), (0, 1), _op != "multiply", ("f32",))
    OPS[f"reduce_{_op}"] = (reduce(_op), (0, 1), True, ("f32", "i32"))
for _op in ("add", "maximum", "set"):
    OPS[f"scatter_{_op}"] = (scatter(_op, 1), (0, 1), True, ("f32",))
    OPS[f"scatter_{_op}_window"] = (scatter(_op, 2), (0, 1), True, ("f32",))
    OPS[f"scatter_of_{_op}"] = (scatter_of(_op), (0, 1), True, ("f32",))


# ---- programs

Program = collections.namedtuple("Program", "op dim dtype mesh sharded")  # sharded: results have the arguments' sharding


def cases_of(program):
    cases = []
    for n in range(1, MOST + 1):
        for padding in PADDINGS[program.dtype]:
            cases.append(Case(len(cases), n, program.dtype, program.dim, padding))
            OPS[program.op][0](cases[-1])
    return cases


def text_of(program, cases):
    axes = ['{"y"}' if '"y"' in program.mesh else "{}"] * 2
    axes[program.dim] = '{"x"}'

    def sharded(v):
        more = ["{}"] * (len(v.shape) - 2)
        return f"{type_of(v)} {{sdy.sharding = #sdy.sharding<@mesh, [{', '.join(axes + more)}]>}}"
    arguments = [f"%at{str(p).replace('-', 'm')}: tensor<i32>" for p in AT]
    arguments += [f"{v.name}: {sharded(v)}" for c in cases for v in c.arguments]
    results = [v for c in cases for v in c.results]
    types = [sharded(v) if program.sharded and len(v.shape) > 1 else type_of(v) for v in results]
    body = "".join(f"  {line}\n" for c in cases for line in c.lines)
    return (f"sdy.mesh @mesh = <[{program.mesh}]>\nfunc.func @main({', '.join(arguments)}) -> ({', '.join(types)}) {{\n{body}"
            f"  return {', '.join(v.name for v in results)} : {types_of(results)[1:-1]}\n}}\n")


def write_npy(path, shape, dtype, values):
    header = f"{{'descr': '{NPY[dtype][0]}', 'fortran_order': False, 'shape': ({shape[0]}, {shape[1]}), }}"
    header += " " * (-(10 + len(header) + 1) % 64) + "\n"
    with open(path, "wb") as f:
        f.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
        f.write(struct.pack(f"<{len(values)}{NPY[dtype][1]}", *values))


def read_npy(path):
    """Elements as text; all NaN are equal."""
    with open(path, "rb") as f:
        data = f.read()
    start = 10 + struct.unpack("<H", data[8:10])[0]
    letter = next(letter for descr, letter in NPY.values() if descr.encode() in data[:start])
    return [str(v) for v in struct.unpack(f"<{(len(data) - start) // 4}{letter}", data[start:])]


def read_all(folder):
    files = sorted(os.listdir(folder), key=lambda name: [int(d) for d in re.findall(r"\d+", name)])
    return [read_npy(os.path.join(folder, name)) for name in files]


def write_all(program, cases, folder):
    """Write the program and its arguments; return flags that name them."""
    with open(os.path.join(folder, "model.mlir"), "w", encoding="ascii") as f:
        f.write(text_of(program, cases))
    values = INTEGERS if program.dtype == "i32" else SPECIAL if OPS[program.op][2] else FINITE
    for c in cases:
        write_npy(os.path.join(folder, f"x{c.n}.npy"), c.shape(), program.dtype,
                  [values[(7 * i + c.n) % len(values)] for i in range(c.n * OTHER)])
    return [f"--input=i32={place}" for place in AT] + [f"--input=@x{c.n}.npy" for c in cases for _ in c.arguments]


def run(options, folder, flags):
    """Return (error or None, results) of a program."""
    os.mkdir(os.path.join(folder, "results"))
    command = [options.shardrun, "model.mlir", "-q", "--devices-per-rank=all", "--outputs=results/", *flags]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=options.timeout, check=False)
    if done.returncode:
        return f"status {done.returncode}: {(done.stderr + done.stdout).strip()[:400]}", None
    results = read_all(os.path.join(folder, "results"))
    shutil.rmtree(os.path.join(folder, "results"))
    return None, results


def compare(cases, results, expected):
    names = [f"extent {c.n}, padding {c.padding or 0}, result {i}" for c in cases for i in range(len(c.results))]
    if not len(names) == len(results) == len(expected):
        return f"{len(results)} results, and {len(expected)} with --partition=replicate, of {len(names)}"
    lines = [f"{name}: {results[i]}, expected {expected[i]}" for i, name in enumerate(names) if results[i] != expected[i]]
    return f"{len(lines)} of {len(names)} results differ: {'; '.join(lines[:2])}" if lines else None


def try_one(options, program, references):
    """An error, or None. References: results by op, dimension and type."""
    cases, key = cases_of(program), program[:3]
    with tempfile.TemporaryDirectory() as folder:
        flags = write_all(program, cases, folder)
        wrong = None
        if key not in references:
            wrong, references[key] = run(options, folder, [*flags, "--partition=replicate"])
        if not wrong and references[key]:
            wrong, results = run(options, folder, flags)
            wrong = wrong or compare(cases, results, references[key])
        if wrong and options.save:
            name = re.sub(r"\W+", "_", " ".join(map(str, program)))
            shutil.copytree(folder, os.path.join(options.save, name), dirs_exist_ok=True)
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--shardrun", default="shardrun", type=lambda path: os.path.abspath(shutil.which(path) or path))
    parser.add_argument("--share", default="0/1")
    parser.add_argument("--op", default="")
    parser.add_argument("--mesh", default="")
    parser.add_argument("--timeout", type=float, default=180)
    parser.add_argument("--save", help="a folder for programs that go wrong")
    options = parser.parse_args()
    first, step = map(int, options.share.split("/"))
    programs = [Program(op, *rest) for op, (_, dims, _, dtypes) in OPS.items() if re.search(options.op, op)
                for rest in itertools.product(dims, dtypes, MESHES, (False, True)) if re.search(options.mesh, rest[2])]
    failed, references, programs = 0, {}, programs[first::step]
    for p in programs:
        wrong = try_one(options, p, references)
        if wrong:
            failed += 1
            how = ", results sharded" if p.sharded else ""
            print(f"{p.op} of {p.dtype} along dimension {p.dim} on {p.mesh}{how}: {wrong}", flush=True)
    print(f"{len(programs) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
