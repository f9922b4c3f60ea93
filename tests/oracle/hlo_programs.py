"""HLO modules for hlo_proto.py: of HLO text, of StableHLO text, and of JAX functions before and after XLA's passes."""
import functools
import os

os.environ.setdefault("JAX_PLATFORMS", "cpu")  # before jaxlib is loaded, which reads both
os.environ["XLA_FLAGS"] = os.environ.get("XLA_FLAGS", "") + " --xla_force_host_platform_device_count=8"


def module_of_hlo_text(file):
    """[(name, module)]; nothing if XLA cannot read the file."""
    from jaxlib import _hlo
    try:
        return [(file.name, _hlo.hlo_module_from_text(file.read_text()))]
    except Exception:  # noqa: BLE001: XLA's errors have no common type
        return []


def modules_of_mlir(name, text):
    """[(name, module)] of a StableHLO module; nothing if XLA cannot convert it."""
    from jax._src.interpreters import mlir
    from jax._src.lib import _jax
    from jaxlib.mlir import ir
    with mlir.make_ir_context(), ir.Location.unknown():
        try:
            module = mlir.module_to_bytecode(ir.Module.parse(text))
            computation = _jax.mlir.mlir_module_to_xla_computation(module, use_tuple_args=False, return_tuple=False)
            return [(name, computation.as_hlo_module())]
        except Exception:  # noqa: BLE001
            return []


def functions():
    """Functions of all kinds of ops with their arguments."""
    import jax
    import jax.numpy as jnp
    from jax import lax
    f32 = functools.partial(jax.ShapeDtypeStruct, dtype=jnp.float32)
    i32 = functools.partial(jax.ShapeDtypeStruct, dtype=jnp.int32)
    key = jax.random.key(0)
    yield "small types", lambda: (jnp.array([1, -2, 3], jnp.int4), jnp.array([1, 2, 3], jnp.uint4), jnp.arange(9) % 3 == 0,
                                  jnp.array([1.5, -2], jnp.float8_e5m2), jnp.array([1.5, -2], jnp.bfloat16),
                                  jnp.array([1.5, -2], jnp.float16), jnp.array([1 + 2j, -3j])), ()
    yield "elementwise", lambda x, y: (jnp.sin(x) ** 2 + jnp.exp(y) / jnp.tanh(x), jnp.where(x > y, x, y), lax.erf(x), jnp.cbrt(x)), \
        (f32((4, 3)), f32((4, 3)))
    yield "comparisons", lambda i, x: (i < 2, x >= 0, (i < 2) == (i > 0), lax.eq(i.astype(jnp.uint8), jnp.uint8(3))), \
        (i32((5,)), f32((5,)))
    yield "products", lambda a, b: (jnp.einsum("bij,bjk->bik", a, b), jnp.tensordot(a, b, 0),
                                    jnp.einsum("bij,bjk->bik", a, b, precision="highest")), (f32((2, 3, 4)), f32((2, 4, 5)))
    yield "convolution", lambda x, w: (lax.conv_general_dilated(x, w, (2, 1), [(1, 2), (0, 1)], (1, 2), (2, 1),
                                                                ("NHWC", "HWIO", "NHWC"), feature_group_count=2),), \
        (f32((2, 9, 8, 4)), f32((3, 2, 2, 6)))
    yield "reductions", lambda x: (x.sum(), x.max(0), x.argmin(1), jnp.cumsum(x, 0), jnp.prod(x, 1), x.any()), (f32((6, 5)),)
    yield "windows", lambda x: (lax.reduce_window(x, 0., lax.add, (2, 3), (1, 2), "SAME"),
                                jax.grad(lambda x: lax.reduce_window(x, -jnp.inf, lax.max, (2, 2), (2, 2), "VALID").sum())(x)), \
        (f32((6, 8)),)
    yield "indexing", lambda x, i: (x[i], x[1:5:2, ::-1], x.at[i].add(1.), lax.dynamic_slice(x, (i[0], 0), (2, 3)),
                                    lax.dynamic_update_slice(x, x[:2, :2], (i[1], 1)), jnp.take_along_axis(x, i[None, :4], 0)), \
        (f32((8, 4)), i32((8,)))
    yield "batched gather", jax.vmap(lambda x, i: (x[i], x.at[i].set(0., unique_indices=True))), (f32((3, 8)), i32((3, 2)))
    yield "shapes", lambda x: (jnp.pad(x, ((1, 2), (0, 1))), x.T.reshape(2, -1), jnp.concatenate([x, x], 1), jnp.tile(x, 2),
                               lax.pad(x, 0., ((1, -1, 2), (0, 0, 1))), lax.rev(x, (0, 1))), (f32((4, 6)),)
    yield "sorting", lambda x: (jnp.sort(x), jnp.argsort(x, 0), lax.top_k(x, 2), jnp.median(x)), (f32((4, 6)),)
    yield "control", lambda x: (lax.while_loop(lambda c: c[0] < 3, lambda c: (c[0] + 1, c[1] * 2), (0, x)),
                                lax.cond(x[0] > 0, jnp.sin, jnp.cos, x), lax.switch(x.astype(int)[1], [jnp.sin, jnp.cos, jnp.tan], x),
                                lax.scan(lambda c, a: (c + a, c), 0., x), lax.fori_loop(0, 4, lambda i, v: v + i, x)), (f32((5,)),)
    yield "transforms", lambda x: (jnp.fft.fft(x), jnp.fft.irfft(jnp.fft.rfft(x)), jnp.fft.ifft2(x)), (f32((4, 8)),)
    yield "linear algebra", lambda a: (jnp.linalg.cholesky(a), jnp.linalg.eigh(a), jnp.linalg.svd(a), jnp.linalg.solve(a, a),
                                       lax.linalg.triangular_solve(a, a, left_side=True, lower=True, transpose_a=True)), (f32((4, 4)),)
    yield "random", lambda: (jax.random.normal(key, (4,)), jax.random.randint(key, (3,), 0, 9), jax.random.permutation(key, 5),
                             lax.rng_bit_generator(jnp.zeros(4, jnp.uint32), (5,)), lax.rng_uniform(0., 1., (3,))), ()
    yield "donation", jax.jit(lambda x, y: (x + y, y * 2), donate_argnums=(0,)), (f32((4, 4)), f32((4, 4)))
    yield "callback", lambda x: jax.pure_callback(lambda x: x, f32((3,)), x), (f32((3,)),)
    yield "precision", lambda x: (lax.reduce_precision(x, 5, 10), lax.bitcast_convert_type(x, jnp.int32), x.astype(jnp.bfloat16),
                                  lax.optimization_barrier(x), lax.clamp(0., x, 1.)), (f32((4,)),)
    yield "layer", jax.grad(lambda w, x: jax.nn.softmax(jax.nn.gelu(x @ w) @ w.T).var()), (f32((6, 6)), f32((3, 6)))


def sharded_functions():
    """Functions on 8 devices with shardings and collectives; one argument of 16 x 8 elements."""
    import jax
    import jax.numpy as jnp
    from jax import lax
    from jax.sharding import NamedSharding, PartitionSpec as P
    mesh = jax.make_mesh((4, 2), ("x", "y"), axis_types=(jax.sharding.AxisType.Auto,) * 2)

    def shard(spec):
        return NamedSharding(mesh, spec)

    def manual(f, out=P("x", "y")):
        return jax.jit(jax.shard_map(f, mesh=mesh, in_specs=P("x", "y"), out_specs=out, check_vma=False))
    yield "constraint", jax.jit(lambda a: lax.with_sharding_constraint(a @ a.T, shard(P("y", None))).sum(0), in_shardings=shard(P("x", "y")),
                                out_shardings=shard(P("x")))
    yield "all_reduce", manual(lambda a: lax.psum(a, "x") + lax.pmean(a, ("x", "y")))
    yield "all_gather", manual(lambda a: lax.all_gather(a, "x", axis=0, tiled=True).sum(0, keepdims=True) + a)
    yield "reduce_scatter", manual(lambda a: lax.psum_scatter(a, "y", scatter_dimension=1, tiled=True), P("x", None))
    yield "all_to_all", manual(lambda a: lax.all_to_all(a, "y", 0, 1, tiled=True))
    yield "permute", manual(lambda a: lax.ppermute(a, "x", [(i, (i + 1) % 4) for i in range(4)]) + lax.axis_index("y"))


def varint(data, at):
    """(number, position after it)."""
    value = shift = 0
    while True:
        value |= (data[at] & 127) << shift
        at, shift = at + 1, shift + 7
        if data[at - 1] < 128:
            return value, at


def unscheduled(module):
    """The module without its schedule (field 7), in whose order XLA would print it."""
    from jaxlib import _hlo
    data, at, kept = module.as_serialized_hlo_module_proto(), 0, b""
    while at < len(data):
        start = at
        tag, at = varint(data, at)
        size, at = varint(data, at)
        at += size if tag & 7 == 2 else 0
        kept += data[start:at] if tag >> 3 != 7 else b""
    return _hlo.HloModule.from_serialized_hlo_module_proto(kept)


def jax_modules():
    """(name, module) for each function, as JAX lowers it and as XLA:CPU compiles it."""
    import jax
    import jax.numpy as jnp
    cases = list(functions())
    for shardy in (True, False):
        jax.config.update("jax_use_shardy_partitioner", shardy)
        cases += [(f"{name}{' shardy' if shardy else ''}", f, (jax.ShapeDtypeStruct((16, 8), jnp.float32),))
                  for name, f in sharded_functions()]
        for name, f, arguments in cases:
            lowered = jax.jit(f).lower(*arguments)
            yield name, lowered.compiler_ir("hlo").as_hlo_module()
            for module in lowered.compile().runtime_executable().hlo_modules():
                yield f"{name}, compiled", unscheduled(module)
        cases = []
