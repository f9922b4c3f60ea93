"""Reductions of one to four operands over extents of 0, 1, 2 and more, with every kind of reducer: one op per operand, argmax and argmin, and
payloads that follow the compared operand. Results do not depend on the order of reduction."""
from makers_mixed import some
from program import Type, array, maker

NEUTRAL = {"add": {"f32": "0.000000e+00", "i32": 0}, "multiply": {"f32": "1.000000e+00", "i32": 1},
           "maximum": {"f32": "0xFF800000", "i32": -2**31}, "minimum": {"f32": "0x7F800000", "i32": 2**31 - 1}}


def narrowed(s, v, d, extent):
    """Return a slice of v: its first `extent` elements along dimension d."""
    limits = [extent if i == d else n for i, n in enumerate(v.type.shape)]
    zeros, ones = array([0] * v.type.rank), array([1] * v.type.rank)
    return s.op("stablehlo.slice", [v], v.type.of(limits), f"start_indices = {zeros}, limit_indices = {array(limits)}, strides = {ones}")


def constant(s, dtype, op):
    v = s.constant(Type((), dtype), NEUTRAL[op][dtype])
    s.values.remove(v)
    return v


def op_for_each(s, values, ops):
    """The reducer of several independent reductions."""
    b = s.inner(isolated=True)
    args = [b.define(Type((), v.type.dtype)) for v in values * 2]
    n = len(values)
    return s.region(b, args, results=[b.op(f"stablehlo.{op}", [args[i], args[i + n]], args[i].type, annotate=0) for i, op in enumerate(ops)])


def best_with_payload(s, values, direction):
    """The reducer that keeps the pair with the better first number, on ties with the lower second one; other operands follow."""
    b = s.inner(isolated=True)
    args = [b.define(Type((), v.type.dtype)) for v in values * 2]
    n, truth = len(values), Type((), "i1")
    compare = lambda x, y, how: b.op("stablehlo.compare", [x, y], truth,  # noqa: E731
                                     f"comparison_direction = #stablehlo<comparison_direction {how}>", annotate=0)
    wins, same = compare(args[0], args[n], direction), compare(args[0], args[n], "EQ")
    lower = b.op("stablehlo.and", [same, compare(args[1], args[n + 1], "LT")], truth, annotate=0)
    first = b.op("stablehlo.or", [wins, lower], truth, annotate=0)
    return s.region(b, args, results=[b.op("stablehlo.select", [first, args[i], args[i + n]], args[i].type, annotate=0) for i in range(n)])


@maker(3)
def reduce_several(s):
    v = s.pick(1, 3, test=lambda t: t.size <= 1024)
    dims = some(s, v.type.rank)
    values = [v] + [s.like(v.type) for _ in range(s.rng.randrange(4))]
    if s.rng.random() < 0.6:
        d, extent = s.rng.choice(dims), s.rng.choice((0, 1, 1, 2))
        if v.type.shape[d] >= extent:
            values = [narrowed(s, x, d, extent) for x in values]
    shape = values[0].type.shape
    if len(values) > 1 and s.rng.random() < 0.5:
        place = s.op("stablehlo.iota", [], Type(shape, "i32"), f"iota_dimension = {s.rng.choice(dims)} : i64")
        # ties between equal pairs would depend on the order
        values = [values[0], place] + ([place] if len(values) > 2 else []) if len(dims) == 1 else values[:1] + [place]
        direction = s.rng.choice(("GT", "LT"))
        region = best_with_payload(s, values, direction)
        inits = [constant(s, "f32", "maximum" if direction == "GT" else "minimum"), constant(s, "i32", "minimum"),
                 *[constant(s, "i32", "minimum") for _ in values[2:]]]
    else:
        ops = [s.rng.choice(("add", "maximum", "minimum")) for _ in values]
        region, inits = op_for_each(s, values, ops), [constant(s, "f32", op) for op in ops]
    out = [n for d, n in enumerate(shape) if d not in dims]
    results = s.op("stablehlo.reduce", values + inits, [x.type.of(out) for x in values], f"dimensions = {array(dims)}", [region])
    if 0 in shape:
        s.values = [x for x in s.values if 0 not in x.type.shape]
    # no other op may use an infinity, or an index that is out of range
    s.values = [x for x in s.values if x not in results]
    few = [s.constant(Type(()), x) for x in ("-1.000000e+03", "1.000000e+03")]
    floats = [x if x.type.dtype == "f32" else s.op("stablehlo.convert", [x], x.type.of(dtype="f32")) for x in results]
    return [s.op("stablehlo.clamp", [few[0], x, few[1]], x.type) for x in floats][0]
