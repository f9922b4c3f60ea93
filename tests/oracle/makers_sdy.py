"""Ops of sdy, and custom calls with and without sharding rules."""
from program import DIMS, Type, maker


def alike(s, v, text):
    s.used.add(v.name)
    return s.results([v.type], f"{text} : {v.type}")[0]


@maker(2.5)
def sharding_constraint(s):
    v = s.pick(dtypes=("f32", "i32", "f64"))
    dead = s.rng.random() < 0.25
    out = alike(s, v, f"sdy.sharding_constraint {v.name} {s.sharding(v.type.shape)}")
    if dead:
        s.values.remove(out)
    return out


@maker(0.6)
def reshard(s):
    v = s.pick()
    return alike(s, v, f"sdy.reshard {v.name} {s.sharding(v.type.shape)}")


@maker(0.6)
def propagation_barrier(s):
    v = s.pick()
    return alike(s, v, f"sdy.propagation_barrier {v.name} allowed_direction={s.rng.choice(('NONE', 'FORWARD', 'BACKWARD'))}")


@maker(1)
def sharding_group(s):
    if s.manual or s.depth > 2:
        return None
    v = s.pick(1)
    others = [o for o in s.values if o.type.shape == v.type.shape and o != v]
    members = [v] + s.rng.sample(others, min(len(others), s.rng.choice((0, 1, 2))))
    # members of a sharding group need equal shapes
    group = 8 * s.program.shapes.setdefault(v.type.shape, len(s.program.shapes)) + s.rng.randrange(8)
    for m in members:
        s.line(f"sdy.sharding_group {m.name} group_id={group} : {m.type}")
    return None


@maker(1, runnable=False)
def custom_rule(s):
    """A custom call with a random rule: factors assigned to dimensions of operands and results."""
    rng = s.rng
    operands = [s.pick(1, 3) for _ in range(rng.choice((1, 2, 2, 3)))]
    sizes, of_size, kinds = [], {}, {}

    def factor(n):
        known = of_size.setdefault(n, [])
        if known and rng.random() < 0.7:
            return rng.choice(known)
        known.append(len(sizes))
        sizes.append(n)
        return known[-1]

    def dimension(n, taken):
        parts = [n]
        divisors = [d for d in range(2, n) if n % d == 0]
        if divisors and rng.random() < 0.25:
            d = rng.choice(divisors)
            parts = [d, n // d]
        out = []
        for p in parts:
            f = factor(p)
            while f in taken:
                of_size.setdefault(p, []).append(len(sizes))
                sizes.append(p)
                f = len(sizes) - 1
            taken.append(f)
            out.append(f)
        return out

    def tensor(shape):
        taken = []
        return [dimension(n, taken) for n in shape]

    ins = [tensor(v.type.shape) for v in operands]
    outs, types = [], []
    for _ in range(rng.choice((1, 1, 2))):
        shape = list(rng.choice(operands).type.shape)
        rng.shuffle(shape)
        outs.append(tensor(shape))
        types.append(Type(tuple(shape)))
    for f in range(len(sizes)):
        kind = rng.choice(("", "", "", "", "reduction", "need_replication", "permutation"))
        if kind == "reduction" and any(f in d for t in outs for d in t):
            kind = ""
        if kind:
            kinds.setdefault(kind, []).append(f)
    name = lambda f: chr(ord("i") + f) if f < 18 else f"z_{f - 17}"
    show = lambda tensors: ", ".join("[" + ", ".join("".join(map(name, d)) for d in t) + "]" for t in tensors)
    rule = f"({show(ins)})->({show(outs)}) {{{', '.join(f'{name(f)}={n}' for f, n in enumerate(sizes))}}}"
    for kind in ("reduction", "need_replication", "permutation"):
        if kind in kinds:
            rule += f" {kind}={{{', '.join(map(name, kinds[kind]))}}}"
    blocked = [f for f in range(len(sizes)) if rng.random() < 0.06]
    if blocked:
        rule += f" blocked_propagation={{{', '.join(map(name, blocked))}}}"
    return s.op("stablehlo.custom_call", operands, types, f'call_target_name = "made_up_{len(sizes)}"',
                extra=f"sdy.sharding_rule = #sdy.op_sharding_rule<{rule}, custom>")[0]


def custom_call(s, target, operands, types):
    return s.op("stablehlo.custom_call", operands, types, f'call_target_name = "{target}"')


@maker(0.8, runnable=False)
def known_call(s):
    rng = s.rng
    n = rng.choice((2, 4, 8))
    batch = tuple(rng.choice(DIMS[:6]) for _ in range(rng.choice((0, 1, 2))))
    matrix = Type(batch + (n, n))
    vector = Type(batch + (n,))
    kind = rng.randrange(7)
    if kind == 0:
        return custom_call(s, "Eigh", [s.like(matrix)], [matrix, vector])[0]
    if kind == 1:
        return custom_call(s, rng.choice(("Qr", "QrDecompositionBlock")), [s.like(matrix)], [matrix, vector])[0]
    if kind == 2:
        return custom_call(s, "ProductOfElementaryHouseholderReflectors", [s.like(matrix), s.like(vector)], matrix)
    if kind == 3:
        v = s.pick(1)
        k = v.type.of(v.type.shape[:-1] + (max(v.type.shape[-1] // 2, 1),))
        return s.op("stablehlo.custom_call", [v], [k, k.of(dtype="i32")], 'call_target_name = "mhlo.topk"',
                    extra=f"mhlo.attributes = {{k = {k.shape[-1]} : i64, largest = true}}")[0]
    if kind == 4:
        v = s.pick(1)
        return custom_call(s, rng.choice(("annotate_device_placement", "mhlo.erf", "LayoutConstraint", "MoveToHost", "Cholesky")), [v], v.type)
    if kind == 5:
        v = s.pick(1)
        k = v.type.of(v.type.shape[:-1] + (max(v.type.shape[-1] // 2, 1),))
        numbers = s.like(v.type.of(dtype="i32"))
        return custom_call(s, rng.choice(("ApproxTopK", "PartialReduce")), [v, numbers, s.constant(Type(())), s.constant(Type((), "i32"))],
                           [k, k.of(dtype="i32")])[0]
    v = s.pick(1)
    return custom_call(s, rng.choice(("unknown_target", "xla_ffi_python_cpu_callback", "tpu_custom_call", "xla.megascale.provide_metadata")), [v], v.type)

