"""Loops, branches, calls, named computations, manual computations and the collectives in them."""
from makers_index import constrained
from program import Function, Scope, Type, Value, array, function_text, maker


@maker(1.2)
def while_loop(s):
    if s.depth > 4:
        return None
    carried = [s.pick(dtypes=("f32", "i32")) for _ in range(s.rng.choice((1, 2, 3)))]
    count = s.constant(Type((), "i32"), 0)
    values = [count] + carried
    cond, body = s.inner(), s.inner()
    names = [s.program.new_name() for _ in values]
    args = [Value(n, v.type) for n, v in zip(names, values)]
    limit = cond.constant(Type((), "i32"), s.rng.randint(1, 3))
    more = cond.op("stablehlo.compare", [args[0], limit], Type((), "i1"), "comparison_direction = #stablehlo<comparison_direction LT>", annotate=0)
    test = s.region(cond, args, results=[more])
    body.values += args
    one = body.constant(Type((), "i32"), 1)
    next_count = body.op("stablehlo.add", [args[0], one], Type((), "i32"), annotate=0)
    body.grow(s.rng.randint(1, 4))
    ends = []
    for a in args[1:]:
        mine = [v for v in body.values if v.type == a.type]
        ends.append(s.rng.choice(mine[-3:]) if s.rng.random() < 0.7 else body.like(a.type))
    # the same names in both regions, which are separate scopes
    return s.op("stablehlo.while", values, [v.type for v in values], regions=[test, s.region(body, args, results=[next_count] + ends)],
                annotate=0.3)[1]


@maker(1)
def fori_loop(s):
    """A loop as jax.lax.scan lowers it: each iteration reads a slice, updates carried state, writes a slice."""
    if s.depth > 4:
        return None
    xs = s.pick(1, dtypes=("f32", "i32", "bf16"), test=lambda t: t.shape[0] <= 8)
    if xs is None:
        return None
    n, row = xs.type.shape[0], xs.type.of((1,) + xs.type.shape[1:])
    state, ys = (constrained(s, s.like(t), 0.5) for t in (xs.type.of(row.shape[1:]), xs.type))
    values = [s.constant(Type((), "i32"), 0), state, ys] + ([s.pick()] if s.rng.random() < 0.5 else [])
    args = [Value(s.program.new_name(), v.type) for v in values]
    cond, body = s.inner(), s.inner()
    limit = cond.constant(Type((), "i32"), n)
    test = s.region(cond, args, results=[cond.op("stablehlo.compare", [args[0], limit], Type((), "i1"),
                                                 "comparison_direction = #stablehlo<comparison_direction LT>", annotate=0)])
    body.values += args
    zero, one = (body.constant(Type((), "i32"), k) for k in (0, 1))
    starts = [args[0]] + [zero] * (row.rank - 1)
    x = body.op("stablehlo.dynamic_slice", [xs] + starts, row, f"slice_sizes = {array(row.shape)}")
    kind = s.rng.choice(("add", "subtract", "maximum"))
    new_state = body.op(f"stablehlo.{kind}", [args[1], body.op("stablehlo.reshape", [x], state.type)], state.type)
    body.grow(s.rng.randint(0, 3))
    y = body.op("stablehlo.reshape", [body.like(state.type)], row)
    new_ys = body.op("stablehlo.dynamic_update_slice", [args[2], y] + starts, ys.type)
    ends = [body.op("stablehlo.add", [args[0], one], Type((), "i32"), annotate=0), new_state, new_ys] + [body.like(a.type) for a in args[3:]]
    return s.op("stablehlo.while", values, [v.type for v in values], regions=[test, s.region(body, args, results=ends)], annotate=0.4)[1]


def branch(s, types):
    inner = s.inner()
    inner.grow(s.rng.randint(0, 3))
    return s.region(inner, results=[inner.like(t) for t in types])


@maker(0.5)
def if_op(s):
    if s.depth > 4:
        return None
    types = [s.pick().type for _ in range(s.rng.choice((1, 2)))]
    pred = s.like(Type((), "i1"))
    return s.op("stablehlo.if", [pred], types, regions=[branch(s, types), branch(s, types)])[0]


@maker(0.7)
def case(s):
    if s.depth > 4:
        return None
    types = [s.pick().type for _ in range(s.rng.choice((1, 2)))]
    index = s.like(Type((), "i32"))
    return s.op("stablehlo.case", [index], types, regions=[branch(s, types) for _ in range(s.rng.choice((1, 2, 3)))])[0]


def new_function(s):
    program = s.program
    scope = Scope(program, axes=s.axes, depth=2)
    arguments = [Value(f"%arg{i}", s.pick().type) for i in range(s.rng.choice((1, 2, 3)))]
    scope.values += arguments
    scope.grow(s.rng.randint(1, 4))
    results = scope.outcome(2)
    f = Function(f"f{len(program.texts)}", arguments, results)
    annotate = program.features.annotate / 3 if s.axes is None else 0
    program.texts.append(function_text(f.name, s.rng.choice(("private", "private", "")), scope, arguments, results, annotate))
    # a function that is called inside a manual computation is called only there
    f.axes = s.axes
    program.functions.append(f)
    return f


@maker(1.5)
def call(s):
    known = [f for f in s.program.functions if f.axes == s.axes]
    if s.depth > 4 or (not known and s.depth > 3):
        return None
    f = s.rng.choice(known) if known and s.rng.random() < 0.7 else new_function(s)
    operands = [s.like(a.type) for a in f.inputs]
    types = [r.type for r in f.results]
    s.used |= {v.name for v in operands}
    note = f" {{{s.per_value(types)}}}" if s.rng.random() < 0.1 else ""
    out = ", ".join(map(str, types))
    return s.results(types, f"func.call @{f.name}({', '.join(v.name for v in operands)}){note} : "
                     f"({', '.join(str(v.type) for v in operands)}) -> {out if len(types) == 1 else '(' + out + ')'}")[0]


def computation(s, operands, head, types_in, scope, results, types_out, sep):
    """The common text of sdy ops with a body: results, header, body."""
    args = ", ".join(f"{a.name}: {a.type}" for a in types_in)
    pad = "  " * s.depth
    body = "".join(l + "\n" for l in scope.lines)
    end = f"{pad}  sdy.return {', '.join(v.name for v in results)} : {', '.join(str(v.type) for v in results)}\n{pad}}}"
    s.used |= {v.name for v in operands} | scope.used
    outs = ", ".join(map(str, types_out))
    kinds = f"({', '.join(str(v.type) for v in operands)}) -> {outs if len(types_out) == 1 else '(' + outs + ')'}"
    return s.results(types_out, f"{head} ({args}) {{\n{body}{end} : {kinds}")


@maker(0.8)
def named_computation(s):
    if s.depth > 4:
        return None
    operands = [s.pick() for _ in range(s.rng.choice((1, 1, 2)))]
    scope = s.inner(isolated=True)
    args = [scope.define(v.type) for v in operands]
    scope.grow(s.rng.randint(1, 4))
    results = scope.outcome(2)
    types = [v.type for v in results]
    head = f"sdy.named_computation<\"g{s.rng.randrange(3)}\">({', '.join(v.name for v in operands)})"
    if s.rng.random() < 0.4:
        head += f" in_shardings=[{', '.join(s.sharding(v.type.shape) for v in operands)}]"
    if s.rng.random() < 0.4:
        head += f" out_shardings=[{', '.join(s.sharding(t.shape) for t in types)}]"
    return computation(s, operands, head, args, scope, results, types, "")[0]


def spread(s, shape, axes, divide):
    """Manual axes for each dimension, which come first; `divide`: they must divide the extent."""
    sizes = dict(s.program.meshes[0].axes)
    leading = [[] for _ in shape]
    left = list(shape)
    for a in axes:
        places = [d for d in range(len(shape)) if not divide or left[d] % sizes[a] == 0]
        if places and s.rng.random() < 0.75:
            d = s.rng.choice(places)
            leading[d].append(a)
            left[d] = left[d] // sizes[a] if divide else left[d] * sizes[a]
    return leading, tuple(left)


@maker(1, runnable=False)
def manual_computation(s):
    program = s.program
    axes = [a for a, _ in program.meshes[0].axes] if s.axes is None else list(s.axes)
    if s.depth > 3 or not axes:
        return None
    manual = [a for a in axes if s.rng.random() < 0.6] or axes[:1]
    free = [a for a in axes if a not in manual]
    operands = [s.pick(1) for _ in range(s.rng.choice((1, 1, 2)))]
    scope = s.inner(isolated=True, axes=free)
    scope.manual = tuple(manual)
    args, ins = [], []
    for v in operands:
        leading, local = spread(s, v.type.shape, manual, True)
        args.append(scope.define(v.type.of(local)))
        ins.append(program.sharding(v.type.shape, free, leading=leading, may_special=False))
    scope.grow(s.rng.randint(1, 5))
    results = scope.outcome(2)
    types, outs = [], []
    for v in results:
        leading, whole = spread(s, v.type.shape, manual, False)
        types.append(v.type.of(whole))
        outs.append(program.sharding(whole, free, leading=leading, may_special=False))
    named = ", ".join(f'"{a}"' for a in manual)
    head = (f"sdy.manual_computation({', '.join(v.name for v in operands)}) in_shardings=[{', '.join(ins)}] "
            f"out_shardings=[{', '.join(outs)}] manual_axes={{{named}}}")
    return computation(s, operands, head, args, scope, results, types, "")[0]


@maker(2)
def collective(s):
    if not s.manual:
        return None
    mesh, rng = s.program.meshes[0], s.rng
    axes = [a for a in s.manual if rng.random() < 0.6] or [s.manual[0]]
    groups = mesh.groups(axes)
    n = len(groups[0])
    v = s.pick(1)
    d = rng.randrange(v.type.rank)
    shape = list(v.type.shape)
    common = (f"channel_handle = #stablehlo.channel_handle<handle = {rng.randint(1, 9)}, type = 1>, "
              f"replica_groups = dense<{groups}> : tensor<{len(groups)}x{n}xi64>")
    kind = rng.choice(("all_reduce", "all_gather", "reduce_scatter", "all_to_all", "collective_permute", "collective_broadcast"))
    if kind == "all_reduce":
        return s.op("stablehlo.all_reduce", [v], [v.type], common + ", use_global_device_ids", [s.combiner("add", "f32")])[0]
    if kind == "all_gather" and shape[d] * n <= 256:
        shape[d] *= n
        return s.op("stablehlo.all_gather", [v], [v.type.of(shape)], f"all_gather_dim = {d} : i64, {common}, use_global_device_ids")[0]
    if kind == "reduce_scatter" and shape[d] % n == 0:
        shape[d] //= n
        return s.op("stablehlo.reduce_scatter", [v], v.type.of(shape), f"scatter_dimension = {d} : i64, {common}, use_global_device_ids",
                    [s.combiner("add", "f32")])
    if kind == "all_to_all" and shape[d] % n == 0:
        c = rng.randrange(v.type.rank)
        shape[d] //= n
        shape[c] *= n
        return s.op("stablehlo.all_to_all", [v], [v.type.of(shape)],
                    f"split_dimension = {d} : i64, concat_dimension = {c} : i64, split_count = {n} : i64, {common}")[0]
    if kind == "collective_permute":
        pairs = [[g[i], g[(i + 1) % n]] for g in groups for i in range(n)]
        return s.op("stablehlo.collective_permute", [v], v.type, "channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, "
                    f"source_target_pairs = dense<{pairs}> : tensor<{len(pairs)}x2xi64>")
    if kind == "collective_broadcast":
        return s.op("stablehlo.collective_broadcast", [v], v.type, common)
    return None
