"""Windows: convolution, reduce_window, select_and_scatter."""
from program import MAX_ELEMENTS, Type, array, maker


@maker(1)
def reduce_window(s):
    v = s.pick(1)
    window, strides, padding, shape = [], [], [], []
    cumulative = s.rng.random() < 0.3
    for d, n in enumerate(v.type.shape):
        if cumulative and d == 0:
            w, st, lo, hi = n, 1, n - 1, 0
        else:
            w = s.rng.choice((1, 1, 2, 3)) if n >= 3 else 1
            st = s.rng.choice((1, 1, w))
            lo, hi = s.rng.choice(((0, 0), (0, 0), (w - 1, 0), ((w - 1) // 2, w // 2)))
        window.append(w)
        strides.append(st)
        padding.append([lo, hi])
        shape.append((n + lo + hi - w) // st + 1)
    init = s.constant(Type(()), "0.000000e+00")
    attributes = f"window_dimensions = {array(window)}, window_strides = {array(strides)}"
    if any(p != [0, 0] for p in padding):
        attributes += f", padding = dense<{padding}> : tensor<{len(padding)}x2xi64>"
    return s.op("stablehlo.reduce_window", [v, init], v.type.of(shape), attributes, [s.combiner(s.rng.choice(("add", "maximum")), "f32")])


@maker(0.5)
def select_and_scatter(s):
    v = s.pick(1, test=lambda t: all(n % 2 == 0 for n in t.shape))
    if v is None:
        return None
    window = [s.rng.choice((1, 2)) for _ in v.type.shape]
    source = s.like(v.type.of([n // w for n, w in zip(v.type.shape, window)]))
    inner = s.inner(isolated=True)
    args = [inner.define(Type(())) for _ in range(2)]
    select = s.region(inner, args, results=[inner.op("stablehlo.compare", args, Type((), "i1"),
                                                     "comparison_direction = #stablehlo<comparison_direction GE>", annotate=0)])
    return s.op("stablehlo.select_and_scatter", [v, source, s.constant(Type(()), "0.000000e+00")], v.type,
                f"window_dimensions = {array(window)}, window_strides = {array(window)}", [select, s.combiner("add", "f32")])


def layout(rng, spatial, first, second):
    """A text of dimension numbers, and where each of [first, second, spatial...] stands."""
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
    kernel = [rng.choice((1, 2, 3)) for _ in range(spatial)]
    strides = [rng.choice((1, 1, 2)) for _ in range(spatial)]
    padding = [list(rng.choice(((0, 0), (1, 1), (k - 1, 0)))) for k in kernel]
    lhs_dilation = [rng.choice((1, 1, 1, 2)) for _ in range(spatial)]
    rhs_dilation = [rng.choice((1, 1, 1, 2)) for _ in range(spatial)]
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
    return s.op("stablehlo.convolution", [s.like(x), s.like(w)], y,
                f"batch_group_count = {batch_groups} : i64, feature_group_count = {feature_groups} : i64, "
                f"dimension_numbers = #stablehlo.conv<{lhs_text}x{rhs_text}->{out_text}>, window_strides = {array(strides)}, "
                f"padding = dense<{padding}> : tensor<{spatial}x2xi64>, lhs_dilation = {array(lhs_dilation)}, rhs_dilation = {array(rhs_dilation)}")
