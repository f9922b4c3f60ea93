"""Elementwise ops, shape ops, products, reductions and linear algebra."""
from primes import prime_factors
from program import DIMS, MAX_ELEMENTS, Type, array, maker

FLOATS = ("f32", "f64", "bf16")
NUMBERS = ("f32", "i32", "f64", "bf16")


@maker(3)
def unary(s):
    v = s.pick()
    names = ["tanh", "cosine", "negate", "abs", "logistic"] + ([] if s.program.features.runnable else ["floor", "sign"])
    return s.op("stablehlo." + s.rng.choice(names), [v], v.type)


@maker(5)
def binary(s):
    v = s.pick(dtypes=NUMBERS)
    return s.op("stablehlo." + s.rng.choice(("add", "subtract", "multiply", "maximum", "minimum")), [v, s.like(v.type)], v.type)


@maker(1)
def compare_select(s):
    v = s.pick(dtypes=NUMBERS)
    direction = s.rng.choice(("EQ", "LT", "GE"))
    p = s.op("stablehlo.compare", [v, s.like(v.type)], v.type.of(dtype="i1"), f"comparison_direction = #stablehlo<comparison_direction {direction}>")
    return s.op("stablehlo.select", [p, s.like(v.type), v], v.type)


@maker(0.5)
def select_by_scalar(s):
    v = s.pick()
    return s.op("stablehlo.select", [s.like(Type((), "i1")), v, s.like(v.type)], v.type)


@maker(0.5)
def clamp(s):
    v = s.pick()
    low = s.like(s.rng.choice((v.type, Type(()))))
    high = s.like(low.type)
    return s.op("stablehlo.clamp", [low, v, high], v.type)


@maker(0.7)
def convert(s):
    v = s.pick(dtypes=NUMBERS)
    return s.op("stablehlo.convert", [v], v.type.of(dtype=s.rng.choice([d for d in ("f32", "f32", "f64", "bf16") if d != v.type.dtype])))


@maker(0.3, runnable=False)
def bitcast(s):
    v = s.pick(dtypes=("f32", "i32"))
    if v.type.rank and v.type.shape[-1] == 2 and s.rng.random() < 0.5:
        return s.op("stablehlo.bitcast_convert", [v], Type(v.type.shape[:-1], "f64"))
    return s.op("stablehlo.bitcast_convert", [v], v.type.of(dtype="i32" if v.type.dtype == "f32" else "f32"))


@maker(0.4, runnable=False)
def bitcast_split(s):
    v = s.pick(most=3, dtypes=("f64",))
    return s.op("stablehlo.bitcast_convert", [v], Type(v.type.shape + (2,), "f32"))


@maker(0.3)
def complex_parts(s):
    v = s.pick()
    z = s.op("stablehlo.complex", [v, s.like(v.type)], v.type.of(dtype="complex<f32>"))
    return s.op("stablehlo." + s.rng.choice(("real", "imag")), [z], v.type)


@maker(0.7)
def iota(s):
    t = Type(s.shape(1), s.rng.choice(("f32", "i32")))
    return s.op("stablehlo.iota", [], t, f"iota_dimension = {s.rng.randrange(t.rank)} : i64")


@maker(0.7)
def constant(s):
    return s.constant(Type(s.shape()))


@maker(3)
def broadcast_in_dim(s):
    v = s.pick(0, 3)
    for _ in range(10):
        shape, dims = list(v.type.shape), list(range(v.type.rank))
        for _ in range(s.rng.choice((0, 1, 1, 2)) if shape else 1):
            at = s.rng.randint(0, len(shape))
            shape.insert(at, s.rng.choice(DIMS))
            dims = [d + (d >= at) for d in dims]
        shape = [s.rng.choice(DIMS) if n == 1 and s.rng.random() < 0.6 else n for n in shape]
        if s.rng.random() < 0.15 and len(dims) > 1:
            order = list(range(len(dims)))
            s.rng.shuffle(order)
            new = [0] * len(shape)
            for n, d in zip(shape, range(len(shape))):
                new[d] = n
            moved = [dims[o] for o in order]
            for i, d in enumerate(moved):
                new[d] = max(v.type.shape[i], 1) if v.type.shape[i] != 1 else new[d]
            shape, dims = new, moved
        if len(shape) <= 5 and Type(tuple(shape)).size <= MAX_ELEMENTS:
            return s.op("stablehlo.broadcast_in_dim", [v], v.type.of(shape), f"broadcast_dimensions = {array(dims)}")


@maker(2.5)
def transpose(s):
    v = s.pick(1)
    order = list(range(v.type.rank))
    s.rng.shuffle(order)
    return s.op("stablehlo.transpose", [v], v.type.of([v.type.shape[d] for d in order]), f"permutation = {array(order)}")


@maker(4)
def reshape(s):
    v = s.pick(1, test=lambda t: t.size > 1)
    shape = list(v.type.shape)
    if s.rng.random() < 0.6:
        for _ in range(s.rng.choice((1, 1, 2, 3))):  # split, merge, add or remove a 1
            kind = s.rng.random()
            at = s.rng.randrange(len(shape)) if shape else 0
            if kind < 0.4 and shape and len(shape) < 5:
                d = s.rng.choice([d for d in range(1, shape[at] + 1) if shape[at] % d == 0])
                shape[at:at + 1] = [d, shape[at] // d]
            elif kind < 0.8 and at + 1 < len(shape):
                shape[at:at + 2] = [shape[at] * shape[at + 1]]
            elif 1 in shape and kind < 0.9:
                shape.remove(1)
            elif len(shape) < 5:
                shape.insert(at, 1)
    else:  # any shape with as many elements
        shape = [1] * s.rng.randint(1, 4)
        for f in prime_factors(v.type.size):
            shape[s.rng.randrange(len(shape))] *= f
    return s.op("stablehlo.reshape", [v], v.type.of(shape))


@maker(1.5)
def concatenate(s):
    v = s.pick(1)
    d = s.rng.randrange(v.type.rank)
    parts = [v]
    for _ in range(s.rng.choice((1, 1, 2))):
        shape = list(v.type.shape)
        if s.rng.random() < 0.4:
            shape[d] = s.rng.choice(DIMS)
        parts.append(s.like(v.type.of(shape)))
    shape = list(v.type.shape)
    shape[d] = sum(p.type.shape[d] for p in parts)
    return s.op("stablehlo.concatenate", parts, v.type.of(shape), f"dimension = {d} : i64")


@maker(1)
def reverse(s):
    v = s.pick(1)
    dims = sorted(s.rng.sample(range(v.type.rank), s.rng.randint(1, v.type.rank)))
    return s.op("stablehlo.reverse", [v], v.type, f"dimensions = {array(dims)}")


@maker(1.2)
def pad(s):
    v = s.pick(1)
    low, high, interior, shape = [], [], [], []
    for n in v.type.shape:
        touch = s.rng.random() < 0.5
        low.append(s.rng.choice((0, 1, 2, -1)) if touch else 0)
        high.append(s.rng.choice((0, 1, 3)) if touch else 0)
        interior.append(s.rng.choice((0, 0, 0, 1)) if touch else 0)
        shape.append(max(n + max(n - 1, 0) * interior[-1] + low[-1] + high[-1], 0))
    if 0 in shape or Type(tuple(shape)).size > MAX_ELEMENTS:
        return None
    return s.op("stablehlo.pad", [v, s.like(Type(()))], v.type.of(shape),
                f"edge_padding_low = {array(low)}, edge_padding_high = {array(high)}, interior_padding = {array(interior)}")


@maker(6)
def dot_general(s):
    a = s.pick(1, 4)
    dims = list(range(a.type.rank))
    s.rng.shuffle(dims)
    n_contract = s.rng.choice((0, 1, 1, 1, 1, 2)) if len(dims) > 1 else s.rng.choice((0, 1))
    contract, rest = dims[:n_contract], dims[n_contract:]
    batch = rest[:s.rng.choice((0, 0, 1, 1, 2))]
    free = [d for d in range(a.type.rank) if d not in contract + batch]
    other = [("k", d) for d in contract] + [("b", d) for d in batch] + [("n", s.rng.choice(DIMS)) for _ in range(s.rng.choice((0, 1, 1, 2)))]
    s.rng.shuffle(other)
    b_shape = tuple(a.type.shape[x] if kind != "n" else x for kind, x in other)
    out = [a.type.shape[d] for d in batch] + [a.type.shape[d] for d in free] + [x for kind, x in other if kind == "n"]
    if len(b_shape) > 4 or len(out) > 5 or max(Type(b_shape).size, Type(tuple(out)).size) > MAX_ELEMENTS:
        return None
    b = s.like(Type(b_shape, a.type.dtype))
    where = {kind: {x: i for i, (k, x) in enumerate(other) if k == kind} for kind in "kb"}
    fields = []
    for word, mine, theirs in (("batching", batch, [where["b"][d] for d in batch]), ("contracting", contract, [where["k"][d] for d in contract])):
        if mine:
            fields += [f"lhs_{word}_dimensions = {mine}", f"rhs_{word}_dimensions = {theirs}"]
    fields.sort(key=lambda f: ("batching" not in f, "rhs" in f))
    return s.op("stablehlo.dot_general", [a, b], a.type.of(out), f"dot_dimension_numbers = #stablehlo.dot<{', '.join(fields)}>")


@maker(0.5)
def dot(s):
    a = s.pick(1, 2)
    k = a.type.shape[-1]
    b = s.like(s.rng.choice((Type((k,)), Type((k, s.rng.choice(DIMS))))))
    return s.op("stablehlo.dot", [a, b], Type(a.type.shape[:-1] + b.type.shape[1:]))


@maker(3)
def reduce(s):
    v = s.pick(1, dtypes=("f32", "i32"))
    dims = sorted(s.rng.sample(range(v.type.rank), s.rng.randint(1, v.type.rank)))
    out = v.type.of([n for d, n in enumerate(v.type.shape) if d not in dims])
    inputs = [v, s.like(v.type)] if s.rng.random() < 0.2 else [v]
    scalar = v.type.of(())
    inits = [s.constant(scalar, {"f32": "0.000000e+00", "i32": 0}[v.type.dtype]) for _ in inputs]
    one = s.program.features.agreed and v.type.size == out.size  # with a single element XLA ignores the initial value
    region = s.combiner(s.rng.choice(("add", "maximum")) if len(inputs) == 1 and not one else "add", v.type.dtype, len(inputs))
    outs = s.op("stablehlo.reduce", inputs + inits, [out] * len(inputs), f"dimensions = {array(dims)}", [region])
    return outs[0]


@maker(1)
def sort(s):
    v = s.pick(1, dtypes=("f32", "f32", "i32"))
    inputs = [v] + [s.like(v.type.of(dtype=s.rng.choice(("f32", "i32")))) for _ in range(s.rng.choice((0, 0, 1, 2)))]
    inner = s.inner(isolated=True)
    args = [inner.define(i.type.of(())) for i in inputs for _ in range(2)]
    less = inner.op("stablehlo.compare", args[:2], Type((), "i1"),
                    f"comparison_direction = #stablehlo<comparison_direction {s.rng.choice(('LT', 'LT', 'GT'))}>", annotate=0)
    return s.op("stablehlo.sort", inputs, [i.type for i in inputs], f"dimension = {s.rng.randrange(v.type.rank)} : i64, is_stable = true",
                [s.region(inner, args, results=[less])])[0]


@maker(0.4)
def top_k(s):
    v = s.pick(1)
    k = s.rng.randint(1, v.type.shape[-1])
    out = v.type.of(v.type.shape[:-1] + (k,))
    return s.op("chlo.top_k", [v], [out, out.of(dtype="i32")], f"k = {k} : i64")[0]


@maker(0.6)
def map_op(s):
    v = s.pick(1)
    inner = s.inner(isolated=True)
    args = [inner.define(v.type.of(())) for _ in range(2)]
    region = s.region(inner, args, results=[inner.op("stablehlo.add", args, v.type.of(()), annotate=0)])
    return s.op("stablehlo.map", [v, s.like(v.type)], v.type, f"dimensions = {array(range(v.type.rank))}", [region])


@maker(0.7, runnable=False)
def cholesky(s):
    n = s.rng.choice((2, 4, 8))
    a = s.like(Type(tuple(s.rng.choice(DIMS[:6]) for _ in range(s.rng.choice((0, 1, 1, 2)))) + (n, n)))
    return s.op("stablehlo.cholesky", [a], a.type, f"lower = {s.rng.choice(('true', 'false'))}")


@maker(0.7, runnable=False)
def triangular_solve(s):
    n, m = s.rng.choice((2, 4, 8)), s.rng.choice(DIMS[:7])
    batch = tuple(s.rng.choice(DIMS[:6]) for _ in range(s.rng.choice((0, 1, 1, 2))))
    left = s.rng.random() < 0.6
    a, b = s.like(Type(batch + (n, n))), s.like(Type(batch + ((n, m) if left else (m, n))))
    return s.op("stablehlo.triangular_solve", [a, b], b.type, f"left_side = {str(left).lower()}, lower = true, unit_diagonal = false, "
                f"transpose_a = #stablehlo<transpose {s.rng.choice(('NO_TRANSPOSE', 'TRANSPOSE'))}>")


@maker(0.8)
def fft(s):
    v = s.pick(1, 4)
    n = s.rng.randint(1, min(3, v.type.rank))
    z = s.op("stablehlo.complex", [v, s.like(v.type)], v.type.of(dtype="complex<f32>"))
    kind = s.rng.choice(("FFT", "IFFT", "RFFT", "IRFFT"))
    last = v.type.shape[-1]
    if kind == "RFFT":
        return s.op("stablehlo.fft", [v], Type(v.type.shape[:-1] + (last // 2 + 1,), "complex<f32>"),
                    f"fft_length = {array(v.type.shape[-n:])}, fft_type = #stablehlo<fft_type RFFT>")
    if kind == "IRFFT":
        out = 2 * (last - 1) or 1
        return s.op("stablehlo.fft", [z], Type(v.type.shape[:-1] + (out,)),
                    f"fft_length = {array(v.type.shape[-n:-1] + (out,))}, fft_type = #stablehlo<fft_type IRFFT>")
    return s.op("stablehlo.fft", [z], z.type, f"fft_length = {array(v.type.shape[-n:])}, fft_type = #stablehlo<fft_type {kind}>")


@maker(0.4, runnable=False)
def batch_norm(s):
    v = s.pick(2, 4)
    d = s.rng.randrange(v.type.rank)
    one = Type((v.type.shape[d],))
    values = [v] + [s.like(one) for _ in range(4)]
    attributes = f"epsilon = 1.000000e-03 : f32, feature_index = {d} : i64"
    kind = s.rng.choice(("inference", "training", "grad"))
    if kind == "inference":
        return s.op("stablehlo.batch_norm_inference", values, v.type, attributes)
    if kind == "training":
        return s.op("stablehlo.batch_norm_training", values[:3], [v.type, one, one], attributes)[0]
    return s.op("stablehlo.batch_norm_grad", [v, values[1], values[2], values[3], s.like(v.type)], [v.type, one, one], attributes)[0]


@maker(0.4, runnable=False)
def random_bits(s):
    state = s.like(Type((s.rng.choice((2, 3)),), "ui64"))
    out = Type(s.shape(1), "ui32")
    algorithm = "THREE_FRY" if state.type.shape == (2,) else "PHILOX"
    bits = s.op("stablehlo.rng_bit_generator", [state], [state.type, out], f"rng_algorithm = #stablehlo<rng_algorithm {algorithm}>")[1]
    return s.op("stablehlo.convert", [bits], out.of(dtype="f32"))


@maker(0.3, runnable=False)
def reduce_precision(s):
    v = s.pick()
    return s.op("stablehlo.reduce_precision", [v], v.type, "exponent_bits = 8 : i32, mantissa_bits = 10 : i32")


@maker(1)
def optimization_barrier(s):
    values = [s.pick(dtypes=FLOATS) for _ in range(s.rng.choice((1, 2, 3)))]
    return s.op("stablehlo.optimization_barrier", values, [v.type for v in values])[0]
