"""Replace functions that define their own partitioning (jax.experimental.custom_partitioning), jax.debug.inspect_array_sharding, and
callbacks that are called with shards (jax.debug.print with partitioned=True).

All are custom calls that name a Python object and depend on shardings that only propagation knows. So the module is propagated here, by
the passes that jaxlib has and whose results the plugin's are equal to, before it goes to the plugin:

    %0 = custom_call @CustomSPMDPartitioning(%x) {backend_config = "KEY"}        becomes
    %0 = sdy.manual_computation(%x) in_shardings=[...] out_shardings=[...] manual_axes={all} (%a) { call @partition_0_main(%a) }

where shardings and body are what the function made of the propagated shardings. @InspectSharding calls its function and is removed. A callback
with shards moves into a manual computation whose in_shardings are the propagated ones.

Calls inside of shard_map are left as they are if an axis of the mesh is not manual there; the plugin rejects them by name."""
import ctypes
import math

import numpy as np

PARTITION, INSPECT, CALLBACK = TARGETS = "CustomSPMDPartitioning", "InspectSharding", "xla_ffi_partitioned_python_cpu_callback"
NUMBER = "shardrun.call"
DTYPES = {"i1": "bool", "f16": "float16", "bf16": "bfloat16", "f32": "float32", "f64": "float64", "complex<f32>": "complex64",
          "complex<f64>": "complex128", **{f"i{bits}": f"int{bits}" for bits in (2, 4, 8, 16, 32, 64)},
          **{f"ui{bits}": f"uint{bits}" for bits in (2, 4, 8, 16, 32, 64)}}


def walk(operation):
    """Yield all operations in the regions of an operation, outer ones first."""
    for region in operation.regions:
        for block in region:
            for op in list(block):
                yield op.operation
                yield from walk(op.operation)


def _manual_axes(op):
    """Return the manual axes of the computations around an op."""
    axes = set()
    while op is not None and op.name != "builtin.module":
        op = op.parent
        if op is not None and op.name == "sdy.manual_computation":
            axes |= {part for part in str(op.attributes["manual_axes"]).split('"')[1::2]}
    return axes


# ---- meshes and shardings ----


def _quoted(axes):
    return [f'"{axis}"' for axis in axes]


class _Mesh:
    """A mesh of the module: the symbol's name and the axes' sizes."""

    def __init__(self, name, sizes):
        self.name, self.sizes = name, sizes  # sizes: in the order of the axes

    def axes(self, sharding, rank):
        """Return the names of the axes along each dimension for an sdy.TensorShardingAttr; None: replicated."""
        from jaxlib.mlir.dialects import sdy

        dimensions = [[] for _ in range(rank)]
        for i, dimension in enumerate(sharding.dimension_shardings if sharding is not None else ()):
            for axis in map(sdy.AxisRefAttr, sdy.DimensionShardingAttr(dimension).axes):
                if axis.sub_axis_info is not None:
                    raise NotImplementedError(f"{', '.join(TARGETS)} of a value that is sharded along a part of axis {axis.name}")
                dimensions[i].append(axis.name)
        return dimensions

    def hlo_sharding(self, sharding, rank):
        """Return the xc.HloSharding for an sdy.TensorShardingAttr; None: replicated."""
        from jax._src.lib import xla_client as xc

        dimensions, names = self.axes(sharding, rank), list(self.sizes)
        tiles = [math.prod(self.sizes[axis] for axis in axes) for axes in dimensions]
        order = [names.index(axis) for axes in dimensions for axis in axes]
        if not order:
            return xc.HloSharding.replicate()
        rest = [i for i in range(len(names)) if i not in order]
        copies = math.prod(self.sizes[names[i]] for i in rest)
        return xc.HloSharding.iota_tile(dims=tiles + [copies] * (copies > 1), reshape_dims=list(self.sizes.values()), transpose_perm=order + rest,
                                        subgroup_types=[xc.OpSharding.Type.REPLICATED] * (copies > 1))

    def text(self, dimensions):
        """Return the sdy sharding with these axes along each dimension."""
        return f"<@{self.name}, [{', '.join('{' + ', '.join(_quoted(axes)) + '}' for axes in dimensions)}]>"

    def text_of_hlo(self, hlo_sharding, rank, devices):
        """Return the sdy sharding of an xc.HloSharding."""
        import jax
        from jax._src import sharding_impls

        mesh = jax.sharding.Mesh(np.array(devices).reshape(list(self.sizes.values())), list(self.sizes))
        spec = list(sharding_impls.parse_flatten_op_sharding(hlo_sharding, mesh)[0])
        return self.text([() if axes is None else axes if isinstance(axes, tuple) else (axes,) for axes in spec + [None] * (rank - len(spec))])


def _mesh(module, n):
    """Return the first mesh of the module over all n devices; add one if there is none."""
    from jaxlib.mlir import ir
    from jaxlib.mlir.dialects import sdy

    for op in module.body:
        if op.operation.name == "sdy.mesh":
            attribute = sdy.MeshAttr(op.operation.attributes["mesh"])
            sizes = {axis.name: axis.size for axis in map(sdy.MeshAxisAttr, attribute.axes)}
            if math.prod(sizes.values()) == n and sizes and not list(attribute.device_ids):
                return _Mesh(op.operation.attributes["sym_name"].value, sizes)
    name = "shardrun_mesh"
    module.body.insert(0, ir.Operation.parse(f'sdy.mesh @{name} = <["devices"={n}]>'))
    return _Mesh(name, {"devices": n})


def _sharding(value):
    """Return the sdy.TensorShardingAttr of a value of a propagated module; None if it has none."""
    from jaxlib.mlir import ir
    from jaxlib.mlir.dialects import sdy

    owner = value.owner
    if isinstance(owner, ir.Block):
        op, index = owner.owner.operation, ir.BlockArgument(value).arg_number
        attributes = op.attributes["arg_attrs"][index] if op.name == "func.func" and "arg_attrs" in op.attributes else ()
        return sdy.TensorShardingAttr(attributes["sdy.sharding"]) if "sdy.sharding" in attributes else None
    op, index = owner.operation, ir.OpResult(value).result_number
    if "sharding" in op.attributes and op.name.startswith("sdy."):
        return sdy.TensorShardingAttr(op.attributes["sharding"])
    name = "out_shardings" if op.name == "sdy.manual_computation" else "sdy.sharding"
    if name not in op.attributes:
        return None
    return sdy.TensorShardingAttr(sdy.TensorShardingPerValueAttr(op.attributes[name]).shardings[index])


def _propagated(module):
    """Return {number: the call in a propagated copy of the module}, and the copy."""
    from jaxlib.mlir import passmanager

    copy = module.operation.clone()
    passmanager.PassManager.parse("builtin.module(sdy-propagation-pipeline)").run(copy.operation)
    return {op.attributes[NUMBER].value: op for op in walk(copy.operation) if NUMBER in op.attributes}, copy


def _manual_computation(call, mesh, ins, outs, kinds, results):
    """Insert a manual computation over all axes, with the operands and results of a call, before it.

    ins, outs: shardings as texts. kinds: types of the body's arguments. results(block) builds the body and returns its results."""
    from jaxlib.mlir import ir

    def per_value(shardings):
        return ir.Attribute.parse(f"#sdy.sharding_per_value<[{', '.join(shardings)}]>")

    attributes = {"in_shardings": per_value(ins), "out_shardings": per_value(outs),
                  "manual_axes": ir.Attribute.parse("#sdy<manual_axes{" + ", ".join(_quoted(mesh.sizes)) + "}>")}
    made = ir.Operation.create("sdy.manual_computation", results=[v.type for v in call.results], operands=list(call.operands),
                               attributes=attributes, regions=1, loc=call.location, ip=ir.InsertionPoint(call))
    block = made.regions[0].blocks.append(*kinds)
    with ir.InsertionPoint(block), call.location:
        ir.Operation.create("sdy.return", operands=results(block))
    for old, new in zip(call.results, made.results):
        old.replace_all_uses_with(new)
    call.erase()


# ---- custom_partitioning ----


def _shape(kind):
    import ml_dtypes
    from jax._src.lib import xla_client as xc
    from jaxlib.mlir import ir

    kind = ir.RankedTensorType(kind)
    name = DTYPES.get(str(kind.element_type)) or str(kind.element_type).replace("f8", "float8_").replace("f4", "float4_").lower()
    return xc.Shape.array_shape(np.dtype(getattr(ml_dtypes, name, name)), list(kind.shape))


def _add_functions(module, body, number):
    """Move the functions of `body` into the module; return the name of its main."""
    from jaxlib.mlir import ir

    have = {op.operation.attributes["sym_name"].value for op in module.body if "sym_name" in op.operation.attributes}
    for op in list(body.body):
        if op.operation.name != "func.func":
            continue
        old = op.operation.attributes["sym_name"].value
        new = f"partition_{number}_{old}"
        ir.SymbolTable.replace_all_symbol_uses(old, new, body.operation)
        ir.SymbolTable.set_symbol_name(op, new)
        ir.SymbolTable.set_visibility(op, "private")
        for name in ("arg_attrs", "res_attrs"):
            if name in op.operation.attributes:
                del op.operation.attributes[name]
    for op in list(body.body):
        if op.operation.attributes["sym_name"].value not in have:  # a mesh may be there already
            module.body.append(op)
    return f"partition_{number}_main"


def _partition(module, call, propagated_call, number, mesh, devices):
    """Replace a call by a manual computation. `propagated_call`: the call in the propagated module."""
    from jax._src import custom_partitioning
    from jax._src.lib import xla_client as xc
    from jaxlib.mlir import ir

    operands, results = [v.type for v in call.operands], [v.type for v in call.results]
    shapes, out_shapes = [_shape(t) for t in operands], [_shape(t) for t in results]
    whole = out_shapes[0] if len(results) == 1 else xc.Shape.tuple_shape(out_shapes)
    operand_shardings = [mesh.hlo_sharding(_sharding(v), ir.RankedTensorType(v.type).rank) for v in propagated_call.operands]
    result_shardings = [mesh.hlo_sharding(_sharding(v), ir.RankedTensorType(v.type).rank) for v in propagated_call.results]
    code, ins, out = custom_partitioning._custom_partitioning_partition(
        shapes, operand_shardings, whole, custom_partitioning._pack_result_sharding(whole, result_shardings),
        ir.StringAttr(call.attributes["backend_config"]).value_bytes)
    outs = [out] if len(results) == 1 else out.tuple_elements()
    body = ir.Module.parse(code)
    main = _add_functions(module, body, number)
    main_type = next(ir.FunctionType(ir.TypeAttr(op.operation.attributes["function_type"]).value) for op in module.body
                     if op.operation.attributes["sym_name"].value == main)

    def texts(shardings, types):
        return [mesh.text_of_hlo(s, ir.RankedTensorType(t).rank, devices) for s, t in zip(shardings, types)]

    def results_of(block):
        return list(ir.Operation.create("func.call", results=list(main_type.results), operands=list(block.arguments),
                                        attributes={"callee": ir.FlatSymbolRefAttr.get(main)}).results)

    _manual_computation(call, mesh, texts(ins, operands), texts(outs, results), main_type.inputs, results_of)


# ---- callbacks ----


def _call_with_shards(call, propagated_call, mesh):
    """Move a callback without results into a manual computation, where each device calls it with its shards. Operands that the mesh does not
    divide evenly are replicated."""
    from jaxlib.mlir import ir

    shardings, kinds = [], []
    for value in propagated_call.operands:
        tensor_type = ir.RankedTensorType(value.type)
        try:
            dimensions = mesh.axes(_sharding(value), tensor_type.rank)
        except NotImplementedError:
            dimensions = [[] for _ in range(tensor_type.rank)]
        tiles = [math.prod(mesh.sizes[axis] for axis in axes) for axes in dimensions]
        if any(extent % tile for extent, tile in zip(tensor_type.shape, tiles)):
            dimensions, tiles = [[] for _ in range(tensor_type.rank)], [1] * tensor_type.rank
        shardings.append(mesh.text(dimensions))
        kinds.append(ir.RankedTensorType.get([extent // tile for extent, tile in zip(tensor_type.shape, tiles)], tensor_type.element_type))
    attributes = {name: call.attributes[name] for name in call.attributes if name not in ("sdy.sharding", "mhlo.sharding")}

    def results_of(block):
        ir.Operation.create(call.name, results=[], operands=list(block.arguments), attributes=attributes)
        return []

    _manual_computation(call, mesh, shardings, [], kinds, results_of)


# ---- inspect_array_sharding ----


def _inspect(call, propagated_call, mesh):
    """Call the function of an @InspectSharding, whose configuration is jaxlib's {C function, PyObject *}."""
    from jax._src.lib import xla_client as xc
    from jaxlib.mlir import ir

    config = ir.StringAttr(call.attributes["backend_config"]).value_bytes
    function = ctypes.cast((ctypes.c_void_p * 2).from_buffer_copy(config)[1], ctypes.py_object).value
    value = propagated_call.operands[0]
    function(xc.HloSharding.manual() if _manual_axes(propagated_call)
             else mesh.hlo_sharding(_sharding(value), ir.RankedTensorType(value.type).rank))
    for result in call.results:
        result.replace_all_uses_with(call.operands[0])
    call.erase()


def resolve_calls(module, devices):
    """Replace the calls of a module that JAX compiles for several devices."""
    from jaxlib.mlir import ir

    with module.context, ir.Location.unknown():
        calls = [op for op in walk(module.operation) if op.name == "stablehlo.custom_call"
                 and ir.StringAttr(op.attributes["call_target_name"]).value in TARGETS]
        if not calls or len(devices) == 1:
            return
        mesh = _mesh(module, len(devices))
        for number, call in enumerate(calls):
            call.attributes[NUMBER] = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), number)
        propagated_calls, copy = _propagated(module)
        for number, call in enumerate(calls):
            del call.attributes[NUMBER]
            if number not in propagated_calls:  # The function is never called.
                continue
            target = ir.StringAttr(call.attributes["call_target_name"]).value
            if target == INSPECT:
                _inspect(call, propagated_calls[number], mesh)
            elif target == CALLBACK:
                if not len(call.results) and not _manual_axes(call):
                    _call_with_shards(call, propagated_calls[number], mesh)
            elif not _manual_axes(call):
                _partition(module, call, propagated_calls[number], number, mesh, devices)
        del copy
