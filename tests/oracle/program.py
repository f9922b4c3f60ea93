"""Random sharded programs: values, types, scopes. makers_*.py have the ops, one function each.

A program is text; a value has a name and a type. A scope is a block under construction: it sees its own values and, unless its op is
isolated from above, those around it. All random choices come from one seed."""
import random
from dataclasses import dataclass, field, replace

from annotations import Mesh, Style, random_mesh, random_sharding

DIMS = (1, 2, 3, 4, 4, 6, 8, 8, 12, 16)
MAX_ELEMENTS = 4096


@dataclass(frozen=True)
class Type:
    shape: tuple
    dtype: str = "f32"

    def __str__(self):
        return "tensor<" + "".join(f"{n}x" for n in self.shape) + self.dtype + ">"

    @property
    def rank(self):
        return len(self.shape)

    @property
    def size(self):
        n = 1
        for k in self.shape:
            n *= k
        return n

    def of(self, shape=None, dtype=None):
        return Type(tuple(self.shape if shape is None else shape), dtype or self.dtype)


@dataclass(frozen=True)
class Value:
    name: str
    type: Type


@dataclass
class Features:
    """The features that a random program may have. `runnable`: only ops and values with the same results, up to rounding, on any devices."""
    ops: int = 14
    max_devices: int = 512
    several_meshes: float = 0.05
    annotate: float = 0.45      # probability for an argument
    annotate_op: float = 0.08   # for a result
    style: Style = field(default_factory=Style)
    named_computations: bool = True
    runnable: bool = False
    often: tuple = ()           # makers that are used often
    shuffled: float = 0         # probability of a mesh with its own device order
    agreed: bool = False        # leave out what XLA computes differently, or not deterministically


@dataclass
class Function:
    name: str
    inputs: list
    results: list


def dense(values):
    return "dense<" + str(list(values) if not hasattr(values, "tolist") else values.tolist()) + ">"


def array(values, dtype="i64"):
    values = list(values)
    return f"array<{dtype}: {', '.join(map(str, values))}>" if values else f"array<{dtype}>"


MAKERS = []  # (function, weight, runnable)


def maker(weight=1.0, runnable=True):
    """Register a function of a scope that adds an op, or returns None if it cannot."""
    def note(f):
        MAKERS.append((f, weight, runnable))
        return f
    return note


class Program:
    def __init__(self, seed, features=None):
        self.rng = random.Random(seed)
        self.seed = seed
        self.features = features or Features()
        self.meshes = [random_mesh(self.rng, "mesh", self.features.max_devices)]
        if self.features.shuffled and self.rng.random() < self.features.shuffled:
            self.meshes = [replace(self.meshes[0], device_ids=self.shuffled())]
        if self.rng.random() < self.features.several_meshes:
            self.meshes.append(self.another_mesh())
        self.functions, self.texts = [], []
        self.names = 0
        self.shapes = {}  # sharding groups by shape
        self.style = self.features.style
        left_out = set() if self.features.named_computations else {"named_computation"}
        # upstream's versions differ in whether unreduced axes alone make a reshard after a call, so a program has calls or such axes
        if self.rng.random() < 0.4:
            left_out.add("call")
        else:
            self.style = replace(self.style, unreduced=0)
        makers = [(f, w) for f, w, runnable in MAKERS if (runnable or not self.features.runnable) and f.__name__ not in left_out]
        # each program prefers some ops and lacks others
        self.makers = [f for f, _ in makers]
        self.weights = [w * self.rng.choice((0, 0.5, 1, 1, 2, 4)) + 1e-9 for _, w in makers]
        self.weights = [8 * w if f.__name__ in self.features.often else w for f, w in zip(self.makers, self.weights)]

    def shuffled(self):
        """Return the devices in a random order; None for the default order."""
        ids = list(range(self.meshes[0].size))
        self.rng.shuffle(ids)
        return () if ids == sorted(ids) else tuple(ids)

    def another_mesh(self):
        first, ids = self.meshes[0], self.shuffled()
        kind = self.rng.randrange(3)
        if kind == 0 and ids:
            return Mesh("mesh2", first.axes, ids)
        if kind == 1:
            return Mesh("mesh2", first.axes)
        return Mesh("mesh2", ())

    def new_name(self):
        self.names += 1
        return f"%v{self.names}"

    def mesh(self):
        return self.meshes[0] if self.rng.random() < 0.7 else self.rng.choice(self.meshes)

    def sharding(self, shape, axes=None, **kw):
        mesh = self.mesh() if axes is None else self.meshes[0]
        if self.features.runnable:
            kw["may_special"] = False
        return random_sharding(self.rng, mesh, shape, axes, style=self.style, **kw)

    def text(self):
        head = f"module @p{self.seed} attributes {{mhlo.num_partitions = {self.meshes[0].size} : i32, mhlo.num_replicas = 1 : i32}} {{\n"
        meshes = "".join(f"  {m.text()}\n" for m in self.meshes)
        return head + meshes + "".join(self.texts) + "}\n"


class Scope:
    def __init__(self, program, outer=None, axes=None, depth=1, may_add_arguments=False):
        self.program, self.rng = program, program.rng
        self.outer = outer        # the enclosing scope whose values are visible; None: isolated
        self.axes = axes          # axes that shardings here may use; None: all
        self.depth = depth
        self.manual = ()          # axes of enclosing manual computations
        self.values, self.lines = [], []
        self.used = set()
        self.arguments = [] if may_add_arguments else None

    # ---- existing values

    def visible(self):
        return self.values + (self.outer.visible() if self.outer else [])

    def find(self, test):
        found = [v for v in self.visible() if test(v.type)]
        if not found:
            return None
        # prefer recent values, for longer chains
        return found[min(int(self.rng.expovariate(0.25)), len(found) - 1)] if self.rng.random() < 0.5 else self.rng.choice(found)

    def shape(self, least=0, most=4):
        while True:
            shape = tuple(self.rng.choice(DIMS) for _ in range(self.rng.choice([r for r in (0, 1, 1, 2, 2, 2, 3, 3, 4) if least <= r <= most])))
            if Type(shape).size <= MAX_ELEMENTS:
                return shape

    def pick(self, least=0, most=4, dtypes=("f32",), test=lambda t: True):
        """Return a value with one of these ranks and types; a new one if there is none."""
        value = self.find(lambda t: least <= t.rank <= most and t.dtype in dtypes and test(t))
        if value is None or self.rng.random() < 0.1:
            for _ in range(20):
                type = Type(self.shape(least, most), self.rng.choice(dtypes))
                if test(type):
                    return self.fresh(type)
        return value

    def fresh(self, type):
        if self.arguments is not None and self.rng.random() < 0.75:
            value = Value(f"%arg{len(self.arguments)}", type)
            self.arguments.append(value)
            self.values.append(value)
            return value
        if type.dtype in ("f32", "i32", "f64", "bf16") and type.rank and self.rng.random() < 0.4:
            return self.op("stablehlo.iota", [], type, f"iota_dimension = {self.rng.randrange(type.rank)} : i64")
        return self.constant(type)

    def constant(self, type, value=None):
        if value is None:
            value = {"f": "1.000000e+00", "b": "5.000000e-01", "c": "(1.000000e+00,0.000000e+00)"}.get(type.dtype[0], self.rng.randrange(1, 3))
        if type.dtype == "i1":
            value = "true"
        return self.op("stablehlo.constant", [], type, f"value = dense<{value}> : {type}", annotate=0.02)

    def like(self, type):
        """Return a value of exactly this type."""
        dice = self.rng.random()
        if dice < 0.7:
            value = self.find(lambda t: t == type)
            if value:
                return value
        if dice > 0.3:
            value = self.find(lambda t: t.dtype == type.dtype and t.size == type.size and t != type)
            if value:
                return self.op("stablehlo.reshape", [value], type)
            value = self.find(lambda t: t.dtype == type.dtype and t.rank < type.rank and subsequence(t.shape, type.shape) is not None)
            if value:
                dims = subsequence(value.type.shape, type.shape)
                return self.op("stablehlo.broadcast_in_dim", [value], type, f"broadcast_dimensions = {array(dims)}")
        return self.fresh(type)

    # ---- new values

    def line(self, text):
        self.lines.append("  " * self.depth + text)

    def define(self, type, name=None):
        value = Value(name or self.program.new_name(), type)
        self.values.append(value)
        return value

    def op(self, name, operands, results, attributes="", regions=(), annotate=None, extra=""):
        """Add an op in generic form; `results` is a type or a list of types, and the result is a value or a list."""
        types = [results] if isinstance(results, Type) else list(results)
        for v in operands:
            self.used.add(v.name)
        extras = [extra] if extra else []
        likely = self.program.features.annotate_op if annotate is None else annotate
        if types and self.rng.random() < likely:
            extras.append(self.per_value(types))
        text = f'"{name}"({", ".join(v.name for v in operands)})'
        if attributes:
            text += f" <{{{attributes}}}>"
        if regions:
            text += " (" + ", ".join(regions) + ")"
        if extras:
            text += f" {{{', '.join(extras)}}}"
        text += f" : ({', '.join(str(v.type) for v in operands)}) -> "
        text += str(types[0]) if len(types) == 1 else f"({', '.join(map(str, types))})"
        values = self.results(types, text)
        return values[0] if isinstance(results, Type) else values

    def results(self, types, text):
        """Add a line that defines values."""
        if not types:
            self.line(text)
            return []
        name = self.program.new_name()
        self.line(f"{name}{':%d' % len(types) if len(types) > 1 else ''} = {text}")
        values = [Value(name if len(types) == 1 else f"{name}#{i}", t) for i, t in enumerate(types)]
        self.values += values
        return values

    def per_value(self, types, **kw):
        # upstream crashes on priorities of dead ops
        kw["may_rank"] = self.rng.random() < 0.1
        return "sdy.sharding = #sdy.sharding_per_value<[" + ", ".join(self.sharding(t.shape, **kw) for t in types) + "]>"

    def sharding(self, shape, **kw):
        return self.program.sharding(shape, self.axes, **kw)

    def inner(self, isolated=False, axes=None):
        scope = Scope(self.program, None if isolated else self, self.axes if axes is None else axes, self.depth + 1)
        scope.manual = self.manual
        return scope

    def region(self, scope, arguments=(), terminator="stablehlo.return", results=()):
        """The text of a region around a finished scope."""
        head = f"^bb0({', '.join(f'{a.name}: {a.type}' for a in arguments)}):\n" if arguments else ""
        end = f'"{terminator}"({", ".join(v.name for v in results)}) : ({", ".join(str(v.type) for v in results)}) -> ()\n'
        pad = "  " * self.depth
        self.used |= scope.used | {v.name for v in results}
        return "{\n" + (pad + head if head else "") + "".join(l + "\n" for l in scope.lines) + pad + "  " + end + pad + "}"

    def combiner(self, op, dtype, pairs=1):
        """A reducer region: `op` on scalars, or the second value if `op` is None."""
        scope = self.inner(isolated=True)
        args = [scope.define(Type((), dtype)) for _ in range(2 * pairs)]
        return self.region(scope, args, results=[scope.op(f"stablehlo.{op}", [args[i], args[i + pairs]], Type((), dtype), annotate=0)
                                                 if op else args[i + pairs] for i in range(pairs)])

    def grow(self, n):
        for _ in range(n):
            self.rng.choices(self.program.makers, self.program.weights)[0](self)

    def outcome(self, most=3, least=1):
        """Return values for the terminator: mostly unused ones."""
        mine = [v for v in self.values if v.type.dtype != "token"]
        leaves = [v for v in mine if v.name not in self.used]
        values = leaves if leaves and self.rng.random() < 0.8 else mine
        if not values:
            values = [self.fresh(Type(self.shape()))]
        return self.rng.sample(values, min(len(values), self.rng.randint(least, most)))


def subsequence(small, large):
    """Positions of the numbers of `small` in `large`, in order; None if they do not occur so."""
    dims, at = [], 0
    for n in small:
        while at < len(large) and large[at] != n:
            at += 1
        if at == len(large):
            return None
        dims.append(at)
        at += 1
    return dims


def function_text(name, visibility, scope, arguments, results, annotate):
    program = scope.program

    def slot(type, name=""):
        note = f" {{sdy.sharding = #sdy.sharding{program.sharding(type.shape)}}}" if program.rng.random() < annotate else ""
        return f"{name}{type}{note}"

    ins = ", ".join(slot(a.type, f"{a.name}: ") for a in arguments)
    outs = ", ".join(slot(v.type) for v in results)
    end = f"    return {', '.join(v.name for v in results)} : {', '.join(str(v.type) for v in results)}\n"
    return f"  func.func {visibility} @{name}({ins}) -> ({outs}) {{\n" + "".join(l + "\n" for l in scope.lines) + end + "  }\n"


def generate(seed, features=None):
    """Return the text of the random program with this number."""
    import makers  # noqa: F401  (fills MAKERS)
    program = Program(seed, features)
    rng = program.rng
    main = Scope(program, depth=2, may_add_arguments=True)
    n = max(3, int(rng.gauss(program.features.ops, program.features.ops / 2)))
    main.grow(n)
    results = main.outcome(12, 8) if program.features.runnable else main.outcome(5)
    program.texts.insert(0, function_text("main", "public", main, main.arguments, results, program.features.annotate))
    return program.text()
