"""Slices, gathers and scatters."""
from program import DIMS, MAX_ELEMENTS, Type, array, maker


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
    return [s.like(Type((), "i32")) for _ in range(n)]


@maker(1.2)
def dynamic_slice(s):
    v = s.pick(1)
    sizes = [s.rng.choice((n, n, 1, max(n // 2, 1))) for n in v.type.shape]
    return s.op("stablehlo.dynamic_slice", [v] + starts(s, v.type.rank), v.type.of(sizes), f"slice_sizes = {array(sizes)}")


@maker(1.2)
def dynamic_update_slice(s):
    v = s.pick(1)
    sizes = [s.rng.choice((n, n, 1, max(n // 2, 1))) for n in v.type.shape]
    return s.op("stablehlo.dynamic_update_slice", [v, s.like(v.type.of(sizes))] + starts(s, v.type.rank), v.type)


def indices(s, shape):
    """In range for any dimension of at least this many: remainders of whatever there is."""
    t = Type(tuple(shape), "i32")
    value = s.like(t)
    return value


def index_plan(s, v):
    """Which dimensions of v a gather or scatter indexes, has in batch or keeps as window."""
    rng, rank = s.rng, v.type.rank
    dims = list(range(rank))
    rng.shuffle(dims)
    n_index = rng.choice((1, 1, 1, 2)) if rank > 1 else 1
    indexed = dims[:n_index]
    batch = sorted(dims[n_index:n_index + 1]) if rng.random() < 0.4 else []
    own = [rng.choice(DIMS[:8]) for _ in range(rng.choice((0, 1, 1, 2)))]
    shape = own + [v.type.shape[d] for d in batch]       # of the indices, without the vector dimension
    order = list(range(len(shape)))
    rng.shuffle(order)
    shape_mixed = [shape[o] for o in order]
    batch_at = [order.index(len(own) + i) for i in range(len(batch))]
    vector = rng.randint(0, len(shape)) if n_index > 1 or rng.random() < 0.7 else len(shape)
    with_vector = n_index > 1 or rng.random() < 0.8
    full = shape_mixed[:vector] + [n_index] + shape_mixed[vector:] if with_vector else shape_mixed
    if not with_vector:
        vector = len(shape_mixed)
    batch_at = [b + (with_vector and b >= vector) for b in batch_at]
    return indexed, batch, shape_mixed, batch_at, vector, full


def result_shape(rng, windows, batches):
    """Window dimensions mixed among batch dimensions; the places of the windows."""
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
    v = s.pick(1)
    indexed, batch, shape, batch_at, vector, full = index_plan(s, v)
    sizes = []
    collapsed = []
    for d, n in enumerate(v.type.shape):
        if d in batch:
            sizes.append(1)
        elif d in indexed:
            sizes.append(s.rng.choice((1, 1, 1, n, max(n // 2, 1))))
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


@maker(1.2)
def scatter(s):
    v = s.pick(1)
    indexed, batch, shape, batch_at, vector, full = index_plan(s, v)
    inserted = [d for d in sorted(indexed) if s.rng.random() < 0.8]
    windows = [n if d not in indexed else s.rng.choice((1, n)) for d, n in enumerate(v.type.shape) if d not in inserted + batch]
    out, places = result_shape(s.rng, windows, shape)
    if len(out) > 5 or max(Type(out).size, Type(tuple(full)).size) > MAX_ELEMENTS:
        return None
    fields = [f"update_window_dims = {places}", f"inserted_window_dims = {inserted}", f"input_batching_dims = {batch}",
              f"scatter_indices_batching_dims = {batch_at}", f"scatter_dims_to_operand_dims = {indexed}", f"index_vector_dim = {vector}"]
    fields = [f for f in fields if not f.endswith("[]")]
    pairs = 2 if s.rng.random() < 0.15 else 1
    inputs = [v] + [s.like(v.type) for _ in range(pairs - 1)]
    updates = [s.like(v.type.of(out)) for _ in range(pairs)]
    return s.op("stablehlo.scatter", inputs + [indices(s, full)] + updates, [i.type for i in inputs],
                f"indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<{', '.join(fields)}>, unique_indices = false",
                [s.combiner("add", "f32", pairs)])
