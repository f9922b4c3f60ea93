"""Chains that are fused: sums and maxima with their broadcast results, also over extents of 1; small types, booleans and complex numbers; nested
loops with reductions. Numbers of small types are small integers, so that the order of sums does not matter."""
from program import DIMS, MAX_ELEMENTS, Type, Value, array, maker

SMALL = ("bf16", "f16", "i8", "i16", "i64", "ui8", "f64")
ZEROS = {"f": "0.000000e+00", "b": "0.000000e+00", "i": 0, "u": 0, "c": "(0.000000e+00,0.000000e+00)"}


def zero(s, dtype):
    return s.constant(Type((), dtype), "false" if dtype == "i1" else ZEROS[dtype[0]])


def reduced(s, v, dims, op="add"):
    """Return v reduced over `dims`: a sum, a maximum of floats, or whether any is true."""
    init = s.constant(v.type.of(()), "0xFF800000") if op == "maximum" else zero(s, v.type.dtype)
    s.values.remove(init)  # no other op may use an infinity
    out = v.type.of([n for d, n in enumerate(v.type.shape) if d not in dims])
    return s.op("stablehlo.reduce", [v, init], [out], f"dimensions = {array(dims)}", [s.combiner(op, v.type.dtype)])[0]


def back(s, v, shape, dims):
    """Broadcast the result of a reduction over `dims` back to this shape."""
    kept = [d for d in range(len(shape)) if d not in dims]
    return s.op("stablehlo.broadcast_in_dim", [v], v.type.of(shape), f"broadcast_dimensions = {array(kept)}")


def with_ones(s, v):
    """Insert one or two dimensions of extent 1; return their positions."""
    shape, ones = list(v.type.shape), []
    for _ in range(s.rng.choice((1, 1, 2))):
        at = s.rng.randint(0, len(shape))
        shape.insert(at, 1)
        ones = [d + (d >= at) for d in ones] + [at]
    return s.op("stablehlo.reshape", [v], v.type.of(shape)), sorted(ones)


def some(s, rank):
    return sorted(s.rng.sample(range(rank), s.rng.randint(1, rank)))


@maker(2)
def reduce_of_ones(s):
    """A sum over extents of 1 from a reshape or broadcast, used by another sum, alone or together with the original value."""
    v = s.pick(1, 3)
    wide, ones = with_ones(s, v)
    if s.rng.random() < 0.4:
        wide = s.op("stablehlo.multiply", [wide, wide], wide.type)
    others = [d for d in range(wide.type.rank) if d not in ones and s.rng.random() < 0.3]
    op = s.rng.choice(("add", "add", "maximum"))
    r = reduced(s, wide, sorted(ones + others), op)
    for _ in range(s.rng.choice((0, 1, 2))):
        r = s.op("stablehlo." + s.rng.choice(("multiply", "add", "maximum")), [r, s.rng.choice((r, s.like(r.type)))], r.type)
    if s.rng.random() < 0.5 and r.type.rank:
        r = reduced(s, r, some(s, r.type.rank))
    elif not others and s.rng.random() < 0.5:
        r = reduced(s, s.op("stablehlo.subtract", [v, r], v.type), some(s, v.type.rank))
    return s.op("stablehlo.tanh", [r], r.type)


@maker(2)
def normalise(s):
    """Softmax, or a normalization: two reductions, each broadcast back."""
    v = s.pick(1)
    dims = some(s, v.type.rank)
    shape = v.type.shape
    if s.rng.random() < 0.5:
        e = s.op("stablehlo.exponential", [s.op("stablehlo.subtract", [v, back(s, reduced(s, v, dims, "maximum"), shape, dims)], v.type)], v.type)
        return s.op("stablehlo.divide", [e, back(s, reduced(s, e, dims), shape, dims)], v.type)
    n = 1
    for d in dims:
        n *= shape[d]
    scale = lambda r: s.op("stablehlo.multiply", [r, s.constant(r.type, f"{1 / n:e}")], r.type)  # noqa: E731
    t = s.op("stablehlo.tanh", [v], v.type)
    x = s.op("stablehlo.subtract", [t, back(s, scale(reduced(s, t, dims)), shape, dims)], v.type)
    var = scale(reduced(s, s.op("stablehlo.multiply", [x, x], v.type), dims))
    rsqrt = s.op("stablehlo.rsqrt", [s.op("stablehlo.add", [var, s.constant(var.type, "1.000000e+00")], var.type)], var.type)
    return s.op("stablehlo.multiply", [x, back(s, rsqrt, shape, dims)], v.type)


def whole(s, v, dtype):
    """Return v with its elements reduced to small integers of a type."""
    low, high = (s.constant(Type(()), x) for x in ("0.000000e+00" if dtype == "ui8" else "-2.000000e+00", "2.000000e+00"))
    few = s.op("stablehlo.clamp", [low, v, high], v.type)
    return s.op("stablehlo.convert", [s.op("stablehlo.round_nearest_even", [few], v.type)], v.type.of(dtype=dtype))


@maker(2)
def small_type(s):
    """A chain in a small type: two operands, maybe a comparison, a reduction or a product, and back to f32."""
    dtype = s.rng.choice(SMALL)
    v = s.pick(1, 3, test=lambda t: t.size <= 512)
    a, b = (whole(s, x, dtype) for x in (v, s.like(v.type)))
    x = s.op("stablehlo." + s.rng.choice(("add", "multiply", "maximum", "minimum")), [a, b], a.type)
    kind = s.rng.randrange(4)
    if kind == 0:
        p = s.op("stablehlo.compare", [a, b], a.type.of(dtype="i1"), "comparison_direction = #stablehlo<comparison_direction GT>")
        q = s.op("stablehlo.not", [p], p.type)
        x = s.op("stablehlo.select", [s.rng.choice((p, q)), x, b], x.type)
        if s.rng.random() < 0.5:
            dims = some(s, p.type.rank)
            x = s.op("stablehlo.select", [back(s, reduced(s, p, dims, "or"), p.type.shape, dims), x, a], x.type)
    elif kind == 1:
        dims = [s.rng.randrange(x.type.rank)]
        few = x.type.shape[dims[0]] <= 16  # the range of an i8 sum
        x = reduced(s, x if few else a, dims) if few else x
    elif kind == 2 and a.type.shape[-1] <= 16:
        wide = {"i8": "i32", "ui8": "i32", "bf16": "f32", "f16": "f32"}.get(dtype, dtype)
        n = a.type.rank - 1
        x = s.op("stablehlo.dot_general", [a, b], Type(a.type.shape[:-1] + b.type.shape[:-1], wide),
                 f"dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [{n}], rhs_contracting_dimensions = [{n}]>") \
            if Type(a.type.shape[:-1] * 2).size <= MAX_ELEMENTS else x
    return s.op("stablehlo.convert", [x], x.type.of(dtype="f32"))


@maker(1)
def complex_chain(s):
    """Complex products, sums and matrix products."""
    v = s.pick(1, 2, test=lambda t: t.size <= 256)
    z = [s.op("stablehlo.complex", [s.op("stablehlo.tanh", [x], x.type), s.op("stablehlo.cosine", [x], x.type)], x.type.of(dtype="complex<f32>"))
         for x in (v, s.like(v.type))]
    x = s.op("stablehlo." + s.rng.choice(("multiply", "add", "subtract")), z, z[0].type)
    if s.rng.random() < 0.5:
        x = reduced(s, x, some(s, x.type.rank))
    elif v.type.rank == 2:
        n = v.type.shape[0]
        x = s.op("stablehlo.dot_general", [x, z[1]], x.type.of((n, n)),
                 "dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>")
    return s.op("stablehlo." + s.rng.choice(("real", "imag", "abs")), [x], x.type.of(dtype="f32"))


def counted(s, n, values, step):
    """A loop of n iterations; `step` maps the body's scope, the counter and the values to the next values."""
    values = [s.constant(Type((), "i32"), 0)] + values
    args = [Value(s.program.new_name(), v.type) for v in values]
    cond, body = s.inner(), s.inner()
    test = s.region(cond, args, results=[cond.op("stablehlo.compare", [args[0], cond.constant(Type((), "i32"), n)], Type((), "i1"),
                                                 "comparison_direction = #stablehlo<comparison_direction LT>", annotate=0)])
    body.values += args
    ends = step(body, args[0], args[1:])
    ends = [body.op("stablehlo.add", [args[0], body.constant(Type((), "i32"), 1)], Type((), "i32"), annotate=0)] + ends
    return s.op("stablehlo.while", values, [v.type for v in values], regions=[test, s.region(body, args, results=ends)], annotate=0.3)[1:]


@maker(1.5)
def loops_of_rows(s):
    """A nested scan: each iteration reduces a row of extent 1, and an inner loop combines it with the state."""
    if s.depth > 3:
        return None
    xs = s.pick(2, 3, test=lambda t: 1 < t.shape[0] <= 8 and t.size <= 512)
    if xs is None:
        return None
    row = xs.type.of((1,) + xs.type.shape[1:])
    state = s.like(xs.type.of(row.shape[1:]))

    def inner(b, _, values):
        h, x = values
        t = b.op("stablehlo.tanh", [b.op("stablehlo.add", [h, x], h.type)], h.type)
        dims = some(b, t.type.rank)
        if b.rng.random() < 0.7:
            t = b.op("stablehlo.subtract", [t, back(b, reduced(b, t, dims, b.rng.choice(("maximum", "add"))), t.type.shape, dims)], t.type)
        b.grow(b.rng.choice((0, 0, 1)))
        return [t, x]

    def outer(b, i, values):
        starts = [i] + [b.constant(Type((), "i32"), 0)] * (row.rank - 1)
        x = b.op("stablehlo.dynamic_slice", [xs] + starts, row, f"slice_sizes = {array(row.shape)}")
        x = reduced(b, x, [0], b.rng.choice(("add", "maximum"))) if b.rng.random() < 0.6 else b.op("stablehlo.reshape", [x], state.type)
        h = counted(b, b.rng.randint(1, 3), [values[0], x], inner)[0]
        b.grow(b.rng.choice((0, 0, 1)))
        return [b.op("stablehlo.tanh", [h], h.type)] + values[1:]
    return counted(s, xs.type.shape[0], [state] + ([s.pick()] if s.rng.random() < 0.3 else []), outer)[0]


@maker(1)
def outer_of_vectors(s):
    """Row and column vectors broadcast against each other and reduced along one dimension, as in distances and attention."""
    n, m, k = (s.rng.choice(DIMS) for _ in range(3))
    if n * m * k > MAX_ELEMENTS:
        return None
    a, b = s.like(Type((n, k))), s.like(Type((m, k)))
    t = Type((n, m, k))
    d = s.op("stablehlo.subtract", [s.op("stablehlo.broadcast_in_dim", [a], t, f"broadcast_dimensions = {array((0, 2))}"),
                                    s.op("stablehlo.broadcast_in_dim", [b], t, f"broadcast_dimensions = {array((1, 2))}")], t)
    d = s.op("stablehlo.tanh", [d], t)
    r = reduced(s, s.op("stablehlo.multiply", [d, d], t), [2])
    return reduced(s, r, [s.rng.randrange(2)], s.rng.choice(("add", "maximum"))) if s.rng.random() < 0.6 else r
