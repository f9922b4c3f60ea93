#!/usr/bin/env python3
"""Compare the search for shardings with the optimum of the same problem, found by an integer program (HiGHS, scipy.optimize.milp).

    exact.py --shardopt ./shardopt [--count N] [--seed S] [--ops M] [--limit SECONDS] [FILE.mlir ...]

Problems are those of the files, propagated or not, and of N random programs of at most M ops. shardopt exports each problem with the
search's answer (shardrun-search-shardings{export=true}). A row: program, ops, cost of the answer, of the optimum (or the bound, if
the time limit ended the solver), gap. The optimum may not send more bytes than the ops alone, or the answer, do: the search must not.

The integer program has a binary variable for each node and strategy, and for each value and reader the share of each pair of (layout
that the value has, layout that the reader requires), whose marginals are those of the strategies. A value pays a reshard once,
however many readers require the same layout: its variable is at least every reader's share."""

import argparse, json, os, random, re, statistics, subprocess, sys, tempfile
import numpy
from scipy import sparse
from scipy.optimize import Bounds, LinearConstraint, milp

PIPELINE = ["-shardrun-import-pipeline", "-sdy-propagation-pipeline", "-inline", "-symbol-dce",
            "-shardrun-search-shardings=export=true"]


class Program:
    """Columns and rows of an integer program, collected one by one."""

    def __init__(self):
        self.cost, self.integral, self.upper = [], [], []
        self.entries, self.low, self.high = [], [], []

    def column(self, cost, integral, upper=1):
        self.cost.append(cost)
        self.integral.append(integral)
        self.upper.append(upper)
        return len(self.cost) - 1

    def row(self, terms, low, high):
        self.entries += [(len(self.low), column, factor) for column, factor in terms]
        self.low.append(low)
        self.high.append(high)

    def solve(self, seconds):
        rows, columns, factors = zip(*self.entries)
        matrix = sparse.csr_matrix((factors, (rows, columns)), shape=(len(self.low), len(self.cost)))
        return milp(numpy.array(self.cost), constraints=LinearConstraint(matrix, self.low, self.high), integrality=self.integral,
                    bounds=Bounds(0, numpy.array(self.upper)), options={"time_limit": seconds, "mip_rel_gap": 1e-6})


def layouts_of(columns, strategies, tensor):
    """Columns of a node by the layout that its tensor gets."""
    out = {}
    for column, strategy in zip(columns, strategies):
        out.setdefault(strategy[2 + tensor], []).append(column)
    return out


def solve(problem, seconds):
    """Return (lower bound, whether it is the optimum, number of each node's strategy there)."""
    scale = max(problem["cost"], 1)
    program, wire = Program(), []
    columns = []
    for node in problem["nodes"]:
        mine = [program.column(s[0] / scale, 1) for s in node["strategies"]]
        wire += [(column, s[1] / scale) for column, s in zip(mine, node["strategies"]) if s[1]]
        program.row([(column, 1) for column in mine], 1, 1)
        columns.append(mine)
    for value in problem["values"]:
        costs = {(a, b): (cost, bytes) for a, b, cost, bytes in value["costs"]}
        if not costs:
            continue
        maker = value["node"]
        has = {value["layout"]: None} if maker < 0 else layouts_of(columns[maker], problem["nodes"][maker]["strategies"], value["tensor"])
        paid = {}
        for node, tensor in value["readers"]:
            requires = layouts_of(columns[node], problem["nodes"][node]["strategies"], tensor)
            shares = {(a, b): program.column(0, 0) for a in has for b in requires}
            for a in has:
                terms = [(shares[a, b], 1) for b in requires]
                constant = 1 if has[a] is None else 0
                program.row(terms + [(column, -1) for column in has[a] or []], constant, constant)
            for b in requires:
                program.row([(shares[a, b], 1) for a in has] + [(column, -1) for column in requires[b]], 0, 0)
            for pair in shares.keys() & costs.keys():
                if pair not in paid:
                    cost, bytes = costs[pair]
                    paid[pair] = program.column(cost / scale, 0)
                    if bytes:
                        wire.append((paid[pair], bytes / scale))
                program.row([(paid[pair], 1), (shares[pair], -1)], 0, numpy.inf)
    if problem["alone"] >= 0 and wire:
        program.row(wire, 0, max(problem["alone"], problem["wire"]) / scale)
    answer = program.solve(seconds)
    if answer.mip_dual_bound is None:
        return None, False, []
    chosen = [max(range(len(mine)), key=lambda k: answer.x[mine[k]]) for mine in columns] if answer.x is not None else []
    return answer.mip_dual_bound * scale, answer.status == 0, chosen


def differences(problem, chosen):
    """A line per node whose strategy differs: the answer's layouts and cost, then the optimum's."""
    names = {number: layout for layout, number in problem["layouts"].items()}
    for number, (node, best) in enumerate(zip(problem["nodes"], chosen)):
        now = node["now"]
        if best == now:
            continue
        texts = [f"{s[0]:.0f} " + " ".join(names.get(x, "?") for x in s[2:]) for s in (node["strategies"][now], node["strategies"][best])]
        yield f"    {number} {node['op']} {node['values']}: {texts[0]}  ->  {texts[1]}"


def export(shardopt, path):
    """Return the exported problem of the program's largest function; None: it has no choice."""
    run = subprocess.run([shardopt, path] + PIPELINE, capture_output=True, text=True)
    if run.returncode:
        sys.exit(f"{path}: shardopt exited with {run.returncode}\n{run.stderr}")
    found = re.findall(r'shardrun\.search_problem = "((?:[^"\\]|\\.)*)"', run.stdout)
    texts = [re.sub(r"\\([0-9A-F]{2})", lambda m: chr(int(m.group(1), 16)), t).replace('\\"', '"') for t in found]
    return json.loads(max(texts, key=len)) if texts else None


# ---------------------------------------------------------------- random programs

MESHES = ['"a"=4', '"a"=2, "b"=2', '"a"=2, "b"=4', '"a"=4, "b"=2']


class Maker:
    """A random program: matrices of a few extents through products, elementwise ops, transposes, reductions and broadcasts, with
    random shardings on arguments and results, and values that several ops read."""

    def __init__(self, seed, ops):
        self.random = random.Random(seed)
        self.mesh = self.random.choice(MESHES)
        self.axes = re.findall(r'"(\w+)"', self.mesh)
        self.extents = [self.random.choice([16, 64, 256, 1024]) for _ in range(3)]
        self.values, self.lines, self.arguments = [], [], []
        for _ in range(self.random.randint(2, 4)):
            self.argument()
        for _ in range(self.random.randint(3, ops)):
            self.random.choice([self.product, self.product, self.unary, self.binary, self.binary, self.transpose, self.reduce,
                                self.argument])()

    def sharding(self, rank):
        dims = [[] for _ in range(rank)]
        for axis in self.random.sample(self.axes, len(self.axes)):
            d = self.random.randint(-1, rank - 1)
            if d >= 0:
                dims[d].append(f'"{axis}"')
        return "#sdy.sharding<@mesh, [" + ", ".join("{" + ", ".join(d) + "}" for d in dims) + "]>"

    def type(self, shape):
        return "tensor<" + "x".join(map(str, shape)) + "xf32>"

    def argument(self):
        shape = tuple(self.random.choice(self.extents) for _ in range(2))
        name = f"%a{len(self.arguments)}"
        self.arguments.append(f"{name}: {self.type(shape)} {{sdy.sharding = {self.sharding(2)}}}")
        self.values.append((name, shape))

    def add(self, text, shape):
        name = f"%{len(self.lines)}"
        self.lines.append(f"  {name} = {text}")
        self.values.append((name, shape))

    def pick(self, good=lambda shape: True):
        found = [v for v in self.values if good(v[1])]
        return self.random.choice(found[-6:]) if found else None

    def product(self):
        x, a = self.pick(lambda s: len(s) == 2)
        y = self.pick(lambda s: len(s) == 2 and s[0] == a[1])
        if y:
            shape = (a[0], y[1][1])
            self.add(f"stablehlo.dot {x}, {y[0]} : ({self.type(a)}, {self.type(y[1])}) -> {self.type(shape)}", shape)

    def unary(self):
        x, a = self.pick()
        self.add(f"stablehlo.{self.random.choice(['tanh', 'negate', 'exponential'])} {x} : {self.type(a)}", a)

    def binary(self):
        x, a = self.pick()
        y, _ = self.pick(lambda s: s == a)
        self.add(f"stablehlo.{self.random.choice(['add', 'multiply'])} {x}, {y} : {self.type(a)}", a)

    def transpose(self):
        x, a = self.pick(lambda s: len(s) == 2)
        self.add(f"stablehlo.transpose {x}, dims = [1, 0] : ({self.type(a)}) -> {self.type(a[::-1])}", a[::-1])

    def reduce(self):
        x, a = self.pick(lambda s: len(s) == 2)
        d = self.random.randint(0, 1)
        kept = a[1 - d:2 - d]
        self.lines.append(f"  %c{len(self.lines)} = stablehlo.constant dense<0.0> : tensor<f32>")
        zero = f"%c{len(self.lines) - 1}"
        self.add(f"stablehlo.reduce({x} init: {zero}) applies stablehlo.add across dimensions = [{d}] : ({self.type(a)}, tensor<f32>) -> "
                 f"{self.type(kept)}", kept)
        self.add(f"stablehlo.broadcast_in_dim {self.values[-1][0]}, dims = [{1 - d}] : ({self.type(kept)}) -> {self.type(a)}", a)

    def text(self):
        read = set(re.findall(r"%\w+", " ".join(line.split("=", 1)[1] for line in self.lines)))
        ends = [v for v in self.values if v[0] not in read and not v[0].startswith("%a")] or self.values[-1:]
        types = ", ".join(f"{self.type(s)} {{sdy.sharding = {self.sharding(len(s))}}}" for _, s in ends)
        return (f"sdy.mesh @mesh = <[{self.mesh}]>\nfunc.func @main({', '.join(self.arguments)}) -> ({types}) {{\n" +
                "\n".join(self.lines) + f"\n  return {', '.join(n for n, _ in ends)} : {', '.join(self.type(s) for _, s in ends)}\n}}\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--shardopt", required=True)
    parser.add_argument("--count", type=int, default=0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--ops", type=int, default=16)
    parser.add_argument("--limit", type=float, default=60)
    parser.add_argument("--worst", type=float, default=5, help="largest gap allowed, in percent")
    parser.add_argument("--show", action="store_true", help="print the ops whose layouts are not the optimum's")
    parser.add_argument("--save", help="folder for random programs with a gap")
    parser.add_argument("files", nargs="*")
    options = parser.parse_args()
    gaps, open_bounds = [], 0
    with tempfile.TemporaryDirectory() as folder:
        programs = [(os.path.relpath(f), f) for f in options.files]
        for seed in range(options.seed, options.seed + options.count):
            path = os.path.join(folder, f"{seed}.mlir")
            with open(path, "w") as f:
                f.write(Maker(seed, options.ops).text())
            programs.append((f"random {seed}", path))
        for name, path in programs:
            problem = export(options.shardopt, path)
            if not problem:
                continue
            bound, optimal, chosen = solve(problem, options.limit)
            ops = sum(len(n["strategies"]) > 1 for n in problem["nodes"])
            if bound is None:
                print(f"{name:40} {ops:4} ops  {problem['cost']:12.6g} no bound within the time limit", flush=True)
                continue
            gap = (problem["cost"] / bound - 1) * 100 if bound else 0 if problem["cost"] < 1e-6 else float("inf")
            open_bounds += not optimal
            if gap > 0.01 or path in options.files:
                print(f"{name:40} {ops:4} ops  {problem['cost']:12.6g} {'optimum' if optimal else 'bound  '} {bound:12.6g}  gap {gap:.2f}%",
                      flush=True)
            if gap > 0.01 and options.show:
                print("\n".join(differences(problem, chosen)))
            if gap > 0.01 and options.save:
                os.makedirs(options.save, exist_ok=True)
                with open(path) as f, open(os.path.join(options.save, name.replace("/", "_").replace(" ", "_") + ".mlir"), "w") as to:
                    to.write(f.read())
            gaps.append(gap)
    if not gaps:
        sys.exit("no program has a choice")
    zero = sum(g <= 0.01 for g in gaps)
    print(f"{len(gaps)} programs: {zero} optimal, median gap {statistics.median(gaps):.2f}%, worst {max(gaps):.2f}%; "
          f"{open_bounds} against a bound")
    sys.exit(max(gaps) > options.worst)


if __name__ == "__main__":
    main()
