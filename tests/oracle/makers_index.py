"""Slices, gathers and scatters."""
from program import DIMS, MAX_ELEMENTS, Type, array, maker

INTEGERS = ("i32",) * 6 + ("i64", "i64", "ui32", "ui8")
TABLE_DIMS = (24, 30, 48, 60, 64, 120, 144, 240)  # of a lookup table: long enough that gathering it is expensive


@maker(1.5)
def slice_op(s):
    v = s.pick(1)
    start, limit, strides, shape = [], [], [], []
    for n in v.type.shape:
        touch = s.rng.random() < 0.5
        a = s.rng.randrange(n) if touch else 0
        b = s.rng.randint(a + 1, n) if touch else n
        st = s.rng.choice((1, 1, 1, 2)) if touch else 1
        start.append(a)
        limit.append(b)
        strides.append(st)
        shape.append((b - a + st - 1) // st)
    return s.op("stablehlo.slice", [v], v.type.of(shape), f"start_indices = {array(start)}, limit_indices = {array(limit)}, strides = {array(strides)}")


def starts(s, n):
    """Return start indices, some far out of bounds."""
    return [wide(s, s.like(Type((), "i32")), 0.3) for _ in range(n)]


def constrained(s, v, likely, along=None):
    """A value with a sharding constraint along any dimensions; `along`: at least along this one."""
    if s.rng.random() > likely:
        return v
    s.used.add(v.name)
    axes = [a for a, _ in s.program.meshes[0].axes] if s.axes is None else list(s.axes)
    wish = s.sharding(v.type.shape)
    if along is not None and axes:
        first = s.rng.choice(axes)
        leading = [[first] if d == along else [] for d in range(v.type.rank)]
        wish = s.program.sharding(v.type.shape, [a for a in axes if a != first], leading=leading, may_special=False)
    return s.results([v.type], f"sdy.sharding_constraint {v.name} {wish} : {v.type}")[0]


def wide(s, v, likely):
    """Spread small numbers over the type's range, with negative ones if it is signed."""
    if s.rng.random() > likely:
        return v
    times = s.constant(v.type, s.rng.choice((2, 3, 7, 13)))
    v = s.op("stablehlo.multiply", [v, times], v.type)
    return v if s.rng.random() < 0.5 else s.op("stablehlo.subtract", [v, s.constant(v.type, s.rng.choice((1, 5)))], v.type)


def table(s):
    """A lookup table: an existing value, or one with a long dimension."""
    if s.rng.random() < 0.4:
        return s.pick(1, dtypes=("f32", "i32"))
    shape = [s.rng.choice((1, 2, 3, 4)) for _ in range(s.rng.choice((0, 1, 1, 2, 3)))]
    shape.insert(s.rng.randint(0, len(shape)), s.rng.choice(TABLE_DIMS))
    t = Type(tuple(shape), s.rng.choice(("f32", "f32", "i32", "f64", "bf16")))
    known = s.find(lambda u: u == t)
    return constrained(s, known or s.fresh(t), 0.7, s.rng.choice((None, longest(t), longest(t))))


def longest(t):
    return t.shape.index(max(t.shape)) if max(t.shape) in TABLE_DIMS else None


@maker(1.2)
def dynamic_slice(s):
    v = table(s)
    sizes = [s.rng.choice((n, n, 1, max(n // 2, 1))) for n in v.type.shape]
    return s.op("stablehlo.dynamic_slice", [v] + starts(s, v.type.rank), v.type.of(sizes), f"slice_sizes = {array(sizes)}")


@maker(1.2)
def dynamic_update_slice(s):
    v = table(s)
    sizes = [s.rng.choice((n, n, 1, max(n // 2, 1))) for n in v.type.shape]
    return s.op("stablehlo.dynamic_update_slice", [v, s.like(v.type.of(sizes))] + starts(s, v.type.rank), v.type)


def indices(s, shape):
    """Indices of any integer type, sharded along any dimensions."""
    return constrained(s, wide(s, s.like(Type(tuple(shape), s.rng.choice(INTEGERS))), 0.5), 0.5)


def index_plan(s, v):
    """Roles of v's dimensions in a gather or scatter: indexed, batching, or window."""
    rng, rank = s.rng, v.type.rank
    dims = list(range(rank))
    rng.shuffle(dims)
    rows = longest(v.type) is not None and rng.random() < 0.7
    if rows:  # lookup along the long dimension, as in embeddings
        dims.sort(key=lambda d: d != longest(v.type))
    n_index = min(rng.choice((1, 1, 1, 2, 2, 3)), rank)
    indexed = dims[:n_index]
    batch = dims[n_index:n_index + rng.choice((1, 1, 2))] if not rows and rng.random() < 0.4 else []
    own = [rng.choice(DIMS[:4] if rows else DIMS[:8]) for _ in range(rng.choice((0, 1, 1, 2)))]
    shape = own + [v.type.shape[d] for d in batch]       # shape of the indices without the index vector dimension
    order = list(range(len(shape)))
    rng.shuffle(order)
    shape_mixed = [shape[o] for o in order]
    batch_at = [order.index(len(own) + i) for i in range(len(batch))]
    vector = rng.randint(0, len(shape)) if n_index > 1 or rng.random() < 0.7 else len(shape)
    with_vector = n_index > 1 or rows or rng.random() < 0.8
    full = shape_mixed[:vector] + [n_index] + shape_mixed[vector:] if with_vector else shape_mixed
    if not with_vector:
        vector = len(shape_mixed)
    batch_at = [b + (with_vector and b >= vector) for b in batch_at]
    pairs = sorted(zip(batch, batch_at))
    return indexed, [d for d, _ in pairs], shape_mixed, [b for _, b in pairs], vector, full


def result_shape(rng, windows, batches):
    """Mix window dimensions among batch dimensions; return the shape and the window dimensions."""
    total = len(windows) + len(batches)
    places = sorted(rng.sample(range(total), len(windows)))
    if rng.random() < 0.6:
        places = list(range(total - len(windows), total))
    shape, w, b = [], list(windows), list(batches)
    for i in range(total):
        shape.append(w.pop(0) if i in places else b.pop(0))
    return tuple(shape), places


@maker(1.5)
def gather(s):
    v = table(s)
    indexed, batch, shape, batch_at, vector, full = index_plan(s, v)
    sizes = []
    collapsed = []
    for d, n in enumerate(v.type.shape):
        if d in batch:
            sizes.append(1)
        elif d in indexed:
            sizes.append(s.rng.choice((1, 1, 1, n, max(n // 2, 1)) if d != longest(v.type) else (1,) * 8 + (2, n)))
            if sizes[-1] == 1 and s.rng.random() < 0.8:
                collapsed.append(d)
        else:
            sizes.append(s.rng.choice((n, n, n, 1)))
    windows = [n for d, n in enumerate(sizes) if d not in collapsed + batch]
    out, offsets = result_shape(s.rng, windows, shape)
    if len(out) > 5 or max(Type(out).size, Type(tuple(full)).size) > MAX_ELEMENTS:
        return None
    fields = [f"offset_dims = {offsets}", f"collapsed_slice_dims = {collapsed}", f"operand_batching_dims = {batch}",
              f"start_indices_batching_dims = {batch_at}", f"start_index_map = {indexed}", f"index_vector_dim = {vector}"]
    fields = [f for f in fields if not f.endswith("[]")]
    return s.op("stablehlo.gather", [v, indices(s, full)], v.type.of(out),
                f"dimension_numbers = #stablehlo.gather<{', '.join(fields)}>, indices_are_sorted = false, slice_sizes = {array(sizes)}")


def unique_rows(s, shape, at, dtype):
    """Indices that are distinct along dimension `at`, the only one longer than 1."""
    return s.op("stablehlo.iota", [], Type(tuple(shape), dtype), f"iota_dimension = {at} : i64")


@maker(1.2)
def scatter(s):
    v = table(s)
    indexed, batch, shape, batch_at, vector, full = index_plan(s, v)
    inserted = [d for d in sorted(indexed) if s.rng.random() < (0.8 if d != longest(v.type) else 0.9)]
    # XLA drops windows that are partly out of bounds, and combines several operands otherwise than specified
    agreed = s.program.features.agreed
    windows = [n if d not in indexed else s.rng.choice((1, 1 if agreed else n)) for d, n in enumerate(v.type.shape) if d not in inserted + batch]
    out, places = result_shape(s.rng, windows, shape)
    if len(out) > 5 or max(Type(out).size, Type(tuple(full)).size) > MAX_ELEMENTS:
        return None
    fields = [f"update_window_dims = {places}", f"inserted_window_dims = {inserted}", f"input_batching_dims = {batch}",
              f"scatter_indices_batching_dims = {batch_at}", f"scatter_dims_to_operand_dims = {indexed}", f"index_vector_dim = {vector}"]
    fields = [f for f in fields if not f.endswith("[]")]
    pairs = 1 if agreed else s.rng.choice((1, 1, 1, 1, 2, 3))
    inputs = [v] + [s.like(v.type) for _ in range(pairs - 1)]
    updates = [constrained(s, s.like(v.type.of(out)), 0.3) for _ in range(pairs)]
    rows = [d for d, n in enumerate(full) if n > 1]
    # overwriting updates must not overlap, or the order would matter
    alone = len(rows) == 1 and rows[0] != vector and inserted == sorted(indexed) and len(indexed) == 1
    if alone and s.rng.random() < 0.5:
        at, kind = unique_rows(s, full, rows[0], s.rng.choice(INTEGERS)), None
    else:
        at, kind = indices(s, full), s.rng.choice(("add", "add", "add", "maximum", "minimum", "multiply"))
    return s.op("stablehlo.scatter", inputs + [at] + updates, [i.type for i in inputs],
                f"indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<{', '.join(fields)}>, "
                f"unique_indices = {'false' if kind else 'true'}", [s.combiner(kind, v.type.dtype, pairs)])[0]
