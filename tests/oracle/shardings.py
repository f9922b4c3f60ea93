"""Convert random GSPMD shardings, as device lists (V1), iotas (V2) and serialized, to sdy and back with shardopt, and compare with XLA's HloSharding.

    shardings.py --shardopt ./shardopt [--count N] [--seed FIRST] [--save DIR]

A module has a few shardings over one mesh: axes split at random, permuted, assigned to dimensions and subgroups; some meshes have their own
device order. Compared are, for each sharding: every device's tile by the sdy text with XLA's assignment; the V2 text that comes back with XLA's;
the V1 text likewise. In a fifth of the modules the sharding is on an op in a manual computation. The last line is "N passed, N failed"; exit
status 1 if any failed."""
import argparse
import itertools
import math
import os
import random
import re
import subprocess
import sys

import numpy as np
from jax._src.lib import xla_client

from primes import prime_factors

HloSharding = xla_client.HloSharding
MANUAL, UNREDUCED, REPLICATED = (getattr(xla_client.OpSharding.Type, k) for k in ("MANUAL", "UNREDUCED", "REPLICATED"))
SPLIT = "// -----"


class Sharding:
    """A device list as sub-axes (size, stride), per dimension and then per subgroup."""

    def __init__(self, dims, subgroups, order):
        self.rank = len(dims)
        self.types = [kind for kind in (MANUAL, UNREDUCED, REPLICATED) if subgroups[kind]]
        groups = dims + [subgroups[kind] for kind in self.types]
        self.dims = [math.prod(s for s, _ in g) for g in groups]
        flat = [p for g in groups for p in g]
        ids = np.zeros(1, np.int64)
        for size, stride in flat:
            ids = (ids[:, None] + np.arange(size) * stride).reshape(-1)
        self.ids = np.array(order)[ids] if order else ids
        self.v1 = HloSharding.subgroup_with_device_ordering(self.ids.reshape(self.dims), self.types)
        self.v2 = None
        if not order:
            by_stride = sorted(flat, key=lambda p: -p[1])
            perm = [by_stride.index(p) for p in flat]
            self.v2 = HloSharding.iota_tile(self.dims, [s for s, _ in by_stride], perm, self.types)

    def type(self):
        return f'tensor<{"8x" * self.rank}f32>'

    def text(self, rng):
        """Return the sharding as text, or, as in old programs, as an escaped serialized message."""
        form = self.v2 if self.v2 is not None and rng.random() < 0.5 else self.v1
        if rng.random() < 0.8:
            return str(form)
        return "".join(f"\\{byte:02X}" for byte in form.to_proto().SerializeToString())

    def tiles(self):
        """Tile coordinates of every device, the replication dimension last."""
        ids = self.ids.reshape(self.dims)
        keep = len(self.dims) - (1 if self.types and self.types[-1] == REPLICATED else 0)
        out = {}
        for index in np.ndindex(*self.dims):
            out[int(ids[index])] = index[:keep]
        return out


class Module:
    """Shardings of arguments; or one on an op within a manual computation."""

    def __init__(self, seed):
        rng = random.Random(seed)
        n = rng.choice([2, 4, 6, 8, 8, 8, 12, 16, 16, 24, 32, 36, 64])
        order = rng.sample(range(n), n) if rng.random() < 0.2 else None
        self.manual = rng.random() < 0.2
        if self.manual:
            all_parts = parts(rng, n)
            manual = [p for p in all_parts if rng.random() < 0.5] or all_parts[:1]
            self.shardings = [random_sharding(rng, all_parts, order, manual)]
            around = Sharding([[]] * self.shardings[0].rank, {MANUAL: manual, UNREDUCED: [], REPLICATED: [p for p in all_parts if p not in manual]}, order)
            body = self.computation(self.shardings[0].text(rng), around.text(rng))
        else:
            self.shardings = [random_sharding(rng, parts(rng, n), order, []) for _ in range(rng.randint(1, 4))]
            body = ") {\n"
        arguments = [f'%arg{i}: {s.type()}' + ("" if self.manual else f' {{mhlo.sharding = "{s.text(rng)}"}}') for i, s in enumerate(self.shardings)]
        self.text = f"module attributes {{mhlo.num_partitions = {n} : i32}} {{\nfunc.func @main({', '.join(arguments)}{body}return\n}}\n}}\n"

    def computation(self, sharding, around):
        t = self.shardings[0].type()

        def call(result, target, operand, text):
            return f'{result} = stablehlo.custom_call @{target}({operand}) {{mhlo.sharding = "{text}"}} : ({t}) -> {t}\n'
        return (") {\n" + call("%0", "Sharding", "%arg0", "{replicated}") + call("%1", "SPMDFullToShardShape", "%0", around) +
                f'%2 = stablehlo.negate %1 {{mhlo.sharding = "{sharding}"}} : {t}\n' +
                call("%3", "Sharding", "%2", around) + call("%4", "SPMDShardToFullShape", "%3", "{replicated}"))


def run(tool, modules, passes):
    done = subprocess.run([tool, "-", "-split-input-file", *passes], input=f"\n{SPLIT}\n".join(m.text for m in modules), capture_output=True, text=True)
    out = done.stdout.split(SPLIT)
    if done.returncode or len(out) != len(modules):
        print(done.stderr[:2000])
        sys.exit(f"shardopt: exit status {done.returncode}, {len(out)} of {len(modules)} modules")
    return out


def texts_of(module, m, attribute):
    """The attribute's text of every argument of @main, or of the op in the manual computation."""
    if m.manual:
        heads = [line for line in module.splitlines() if "stablehlo.negate" in line]
    else:
        heads = re.split(r"%arg\d+: ", module.split("@main(")[1].split(") {\n")[0])[1:]
    found = [re.search(attribute, h) for h in heads]
    return [f.group(1) if f else None for f in found]


def parts(rng, n):
    """Split n devices at random: (size, stride), major to minor, each of prime size."""
    sizes = prime_factors(n)
    rng.shuffle(sizes)
    strides = list(itertools.accumulate(sizes[::-1], lambda a, b: a * b, initial=1))[-2::-1]
    return list(zip(sizes, strides))


def random_sharding(rng, all_parts, order, manual):
    """Assign sub-axes in any order to dimensions; subgroups, whose order sdy does not keep, in mesh order."""
    rank, left = rng.randint(1, 4), all_parts[:]
    subgroups = {MANUAL: manual, UNREDUCED: [], REPLICATED: []}
    left = [p for p in left if p not in manual]
    if left and rng.random() < 0.1:
        subgroups[UNREDUCED] = [left.pop(rng.randrange(len(left)))]
    homes = [rng.randint(-1, rank - 1) for _ in left]
    subgroups[REPLICATED] = [p for p, home in zip(left, homes) if home < 0]
    shuffled = list(zip(left, homes))
    rng.shuffle(shuffled)
    return Sharding([[p for p, home in shuffled if home == d] for d in range(rank)], subgroups, order)


def sdy_tiles(module, text, with_unreduced):
    """Tile coordinates of every device according to an sdy sharding."""
    name, dims, rest = re.fullmatch(r"#sdy\.sharding<@(\w+), \[(.*?)\](.*)>", text).groups()
    axes, order = re.search(rf"sdy\.mesh @{name} = <\[(.*?)\](?:, device_ids=\[(.*?)\])?>", module).groups()
    sizes = {a: int(s) for a, s in re.findall(r'"(\w+)"=(\d+)', axes)}
    n = math.prod(sizes.values())
    order = [int(i) for i in order.split(",")] if order else list(range(n))
    lists = re.findall(r"\{(.*?)\}", dims)
    unreduced = re.search(r"unreduced=\{(.*?)\}", rest)
    lists += [unreduced.group(1)] if unreduced and with_unreduced else []
    out = {}
    for position, device in enumerate(order):
        place = dict(zip(sizes, np.unravel_index(position, list(sizes.values()))))
        index = []
        for axes_of_dim in lists:
            at = 0
            for axis, pre, size in re.findall(r'"(\w+)"(?::\((\d+)\)(\d+))?', axes_of_dim):
                pre, size = int(pre or 1), int(size or sizes[axis])
                at = at * size + int(place[axis]) // (sizes[axis] // (pre * size)) % size
            index.append(at)
        out[device] = tuple(index)
    return out


def same_text(got, want):
    """Compare texts; within a manual computation {manual} is implied."""
    return got is None and want.is_manual() or got == str(want) and HloSharding.from_string(got) == want


def judge(m, sdy, v2, v1):
    """Return the differences, a list for each sharding."""
    tiles = texts_of(sdy, m, r"sdy\.sharding = (#sdy\.sharding<.*?>)\}")
    v2, v1 = (texts_of(text, m, r'mhlo\.sharding = "(.*?)"') for text in (v2, v1))
    for i, s in enumerate(m.shardings):
        told = []
        if tiles[i] and s.tiles() != sdy_tiles(sdy, tiles[i], UNREDUCED in s.types):
            told.append(f"tiles of {tiles[i]}")
        if s.v2 is not None and not same_text(v2[i], s.v2):
            told.append(f"V2 {v2[i]}, XLA {s.v2}")
        if not same_text(v1[i], s.v1):
            told.append(f"V1 {v1[i]}, XLA {s.v1}")
        yield told


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--shardopt", required=True)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--save")
    options = parser.parse_args()
    modules, total = [], 0
    while total < options.count:
        modules.append(Module(options.seed + len(modules)))
        total += len(modules[-1].shardings)
    there = ["-shardrun-import-gspmd"]
    outs = [run(options.shardopt, modules, passes) for passes in (there, there + ["-sdy-to-gspmd"], there + ["-sdy-to-gspmd=v1=true"])]
    failed = 0
    for k, (m, *got) in enumerate(zip(modules, *outs)):
        for i, told in enumerate(judge(m, *got)):
            failed += bool(told)
            if told and failed <= 20:
                print(f"seed {options.seed + k}, argument {i}: " + "; ".join(told))
                if options.save:
                    os.makedirs(options.save, exist_ok=True)
                    with open(os.path.join(options.save, f"{options.seed + k}.mlir"), "w") as f:
                        f.write(m.text)
    print(f"{total - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
