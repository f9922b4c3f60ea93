"""Windows: convolution, reduce_window, select_and_scatter."""
from program import MAX_ELEMENTS, Type, array, maker


REDUCERS = {"add": {"f": "0.000000e+00", "i": 0}, "maximum": {"f": "0xFF800000", "i": -2147483648},
            "minimum": {"f": "0x7F800000", "i": 2147483647}}


@maker(1)
def reduce_window(s):
    v = s.pick(1, dtypes=("f32", "i32"))
    rng, names = s.rng, ("window_dimensions", "window_strides", "base_dilations", "window_dilations")
    lists, padding, shape = {name: [] for name in names}, [], []
    cumulative = rng.random() < 0.3
    along = rng.randrange(v.type.rank)
    for d, n in enumerate(v.type.shape):
        base = gaps = 1
        if cumulative:
            w, st = (n, 1) if d == along else (1, 1)
            lo, hi = (0, 0) if d != along else rng.choice(((n - 1, 0), (0, n - 1)))
        else:
            w = rng.choice((1, 1, 2, 3)) if n >= 3 else 1
            st = rng.choice((1, 1, w, 2))
            base, gaps = rng.choice((1, 1, 1, 2)), rng.choice((1, 1, 1, 2))
            lo, hi = rng.choice(((0, 0), (0, 0), (w - 1, 0), ((w - 1) // 2, w // 2), (2, 1)))
        wide = (n - 1) * base + 1 + lo + hi - ((w - 1) * gaps + 1)
        if wide < 0:
            return None
        for name, value in zip(names, (w, st, base, gaps)):
            lists[name].append(value)
        padding.append([lo, hi])
        shape.append(wide // st + 1)
    if Type(tuple(shape)).size > MAX_ELEMENTS:
        return None
    kind = rng.choice(("add", "maximum", "minimum"))
    inputs = [v] + [s.like(v.type) for _ in range(rng.choice((0, 0, 0, 1)))]
    inits = [s.constant(v.type.of(()), REDUCERS[kind][v.type.dtype[0]]) for _ in inputs]
    s.values = [x for x in s.values if x not in inits]  # no other op may use an infinity: infinity times padding is undefined
    attributes = ", ".join(f"{name} = {array(values)}" for name, values in lists.items())
    if any(p != [0, 0] for p in padding):
        attributes += f", padding = dense<{padding}> : tensor<{len(padding)}x2xi64>"
    return s.op("stablehlo.reduce_window", inputs + inits, [v.type.of(shape)] * len(inputs), attributes,
                [s.combiner(kind, v.type.dtype, len(inputs))])[0]


@maker(0.5)
def select_and_scatter(s):
    v = s.pick(1)
    if v is None:
        return None
    window = [s.rng.choice((1, 2, 3)) if n > 2 else 1 for n in v.type.shape]
    strides = [s.rng.choice((w, w, 1, 2)) for w in window]
    source = s.like(v.type.of([(n - w) // st + 1 for n, w, st in zip(v.type.shape, window, strides)]))
    inner = s.inner(isolated=True)
    args = [inner.define(Type(())) for _ in range(2)]
    select = s.region(inner, args, results=[inner.op("stablehlo.compare", args, Type((), "i1"),
                                                     "comparison_direction = #stablehlo<comparison_direction GE>", annotate=0)])
    return s.op("stablehlo.select_and_scatter", [v, source, s.constant(Type(()), "0.000000e+00")], v.type,
                f"window_dimensions = {array(window)}, window_strides = {array(strides)}", [select, s.combiner("add", "f32")])


def layout(rng, spatial, first, second):
    """Text of convolution dimension numbers, and the positions of [first, second, spatial...]."""
    names = [first, second] + [str(i) for i in range(spatial)]
    rng.shuffle(names)
    return "[" + ", ".join(names) + "]", [names.index(n) for n in [first, second] + [str(i) for i in range(spatial)]]


def place(where, sizes):
    shape = [0] * len(sizes)
    for at, n in zip(where, sizes):
        shape[at] = n
    return tuple(shape)


@maker(1.2)
def convolution(s):
    rng = s.rng
    spatial = rng.choice((1, 1, 2))
    batch, inputs, outputs = rng.choice((1, 2, 4, 8)), rng.choice((2, 4, 8)), rng.choice((2, 4, 8))
    feature_groups, batch_groups = rng.choice(((1, 1), (1, 1), (1, 1), (2, 1), (inputs, 1), (1, 2)))
    if batch % batch_groups or outputs % max(feature_groups, batch_groups):
        return None
    image = [rng.choice((4, 6, 8)) for _ in range(spatial)]
    gradient = rng.random() < 0.3  # a weight gradient: the window is as large as the image
    kernel = [n if gradient else rng.choice((1, 2, 3)) for n in image]
    strides = [rng.choice((1, 1, 2)) for _ in range(spatial)]
    padding = [list(rng.choice(((0, 0), (1, 1), (1 if gradient else k - 1, 0)))) for k in kernel]
    lhs_dilation = [rng.choice((1, 1, 1, 2)) for _ in range(spatial)]
    rhs_dilation = [1 if gradient else rng.choice((1, 1, 1, 2)) for _ in range(spatial)]
    out = []
    for i in range(spatial):
        size = (image[i] - 1) * lhs_dilation[i] + 1 + sum(padding[i])
        window = (kernel[i] - 1) * rhs_dilation[i] + 1
        if size < window:
            return None
        out.append((size - window) // strides[i] + 1)
    lhs_text, lhs = layout(rng, spatial, "b", "f")
    rhs_text, rhs = layout(rng, spatial, "i", "o")
    out_text, result = layout(rng, spatial, "b", "f")
    x = Type(place(lhs, [batch, inputs] + image))
    w = Type(place(rhs, [inputs // feature_groups, outputs] + kernel))
    y = Type(place(result, [batch // batch_groups, outputs] + out))
    if max(x.size, w.size, y.size) > MAX_ELEMENTS:
        return None
    image, kernel = s.like(x), s.like(w)
    if s.program.features.agreed:  # whether padding is multiplied by an infinity depends on the kernel
        finite = s.op("stablehlo.is_finite", [kernel], w.of(dtype="i1"))
        kernel = s.op("stablehlo.select", [finite, kernel, s.constant(w)], w)
    return s.op("stablehlo.convolution", [image, kernel], y,
                f"batch_group_count = {batch_groups} : i64, feature_group_count = {feature_groups} : i64, "
                f"dimension_numbers = #stablehlo.conv<{lhs_text}x{rhs_text}->{out_text}>, window_strides = {array(strides)}, "
                f"padding = dense<{padding}> : tensor<{spatial}x2xi64>, window_reversal = array<i1: {', '.join(rng.choice(('true', 'false')) for _ in range(spatial))}>, "
                f"lhs_dilation = {array(lhs_dilation)}, rhs_dilation = {array(rhs_dilation)}")
