"""Export a jitted JAX function to a folder that shardrun runs, and load its results as a pytree.

    import shardrun_export
    shardrun_export.export(jitted, params, x, dir="step")      # what jitted(params, x) would run
    # on the machine or the cluster, without Python:  sh step/run.sh        or: cd step; mpirun -np 8 shardrun @args.txt
    params, loss = shardrun_export.load("step")
    params, loss = shardrun_export.run(jitted, params, x)      # all three, on this machine

The folder has model.mlir, inputs.npz, args.txt (shardrun's options, one a line), run.sh and manifest.json (names, types, shardings, and the
structure of the results). Needs jax and numpy. bfloat16, float8, int4 and keys (jax.random.key) are stored as shardrun reads them. From a shell:

    python -m shardrun_export train.py:step [-o DIR]           # step() returns (jitted, *args), or step is jitted and --args names a tuple

PyTorch/XLA: export_torch(tensors, dir=...), and export_hlo(text, values, dir=...) for HLO text from anywhere. Needs torch_xla and numpy, and
ml_dtypes for bfloat16.
"""

import argparse
import base64
import importlib.util
import json
import os
import pathlib
import pickle
import re
import shlex
import subprocess
import sys
import tempfile
import warnings

import numpy as np

MANIFEST = "manifest.json"


# ---- files that need no JAX ----


def _clean(name):
    """Return the parts of a name joined by dots: an equivalent name for shardrun."""
    return ".".join(part for part in re.split(r"""[.\[\]'"/]+""", name) if part)


def _keys(names):
    """Return the names of the arrays in inputs.npz: the arguments' names if they are unique, else their numbers."""
    clean = [_clean(name) for name in names]
    tails = [name.partition(".")[2] for name in clean]
    plain = all(clean) and len(set(clean)) == len(clean) and not any(re.fullmatch(r"arr_\d+", name) for name in clean)
    if plain and not set(clean) & set(tails):
        return clean
    return [f"arr_{i}" for i in range(len(names))]


def _write_folder(dir, model_name, model, inputs, devices, manifest):
    """Write all files but the program. inputs: {key: array}; None: shardrun generates values."""
    folder = pathlib.Path(dir)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / model_name).write_text(model)
    words = [model_name]
    if inputs:
        with open(folder / "inputs.npz", "wb") as out:
            _save_npz(out, inputs)
        words.append("--inputs=inputs.npz")
    words.append("--outputs=outputs.npz")
    (folder / "args.txt").write_text("".join(shlex.quote(word) + "\n" for word in words))
    (folder / "run.sh").write_text(
        "#!/bin/sh\n"
        f"# Runs this folder's program on {devices} rank{'s' if devices > 1 else ''}, which shardrun starts unless a launcher did; more options may follow.\n"
        'shardrun=${SHARDRUN:-shardrun}\n'
        'command -v "$shardrun" >/dev/null || {\n'
        '\techo "$0: $shardrun: command not found; set SHARDRUN to the path of the program, or add its folder to PATH" >&2\n'
        '\texit 127\n'
        '}\n'
        f'cd "$(dirname "$0")" && exec "$shardrun" -n {devices} @args.txt "$@"\n'
    )
    (folder / "run.sh").chmod(0o755)
    (folder / "outputs.npz").unlink(missing_ok=True)  # of another program
    (folder / MANIFEST).write_text(json.dumps(manifest, indent=1) + "\n")
    return "sh " + shlex.quote(os.fspath(folder / "run.sh"))


def _save_npz(out, arrays):
    """Write arrays like numpy.savez, with keys that need not be identifiers."""
    import zipfile

    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED, allowZip64=True) as archive:
        for key, value in arrays.items():
            with archive.open(zipfile.ZipInfo(key + ".npy"), "w", force_zip64=True) as member:
                np.lib.format.write_array(member, np.asanyarray(value, order="C"), allow_pickle=False)


def _read_back(array, dtype):
    """Convert an array from a file to its original type: NumPy's files name neither the floats of ml_dtypes nor integers of less than a byte."""
    dtype = np.dtype(dtype)
    if array.dtype == dtype:
        return array
    if array.dtype.kind in "iub" and dtype.name in ("int2", "int4", "uint2", "uint4"):
        return array.astype(dtype)
    return array.view(dtype)


# ---- pytrees ----


def _describe(tree, jax):
    """Return a pytree of leaf numbers, as JSON if it has only dicts, lists, tuples and None, else pickled; None if that fails."""

    def plain(node):
        if node is None:
            return {"none": True}
        if type(node) is int:
            return node
        if type(node) in (list, tuple):
            return {type(node).__name__: [plain(child) for child in node]}
        if type(node) is dict and all(type(key) is str for key in node):
            return {"dict": [[key, plain(child)] for key, child in node.items()]}
        raise TypeError(node)

    numbered = jax.tree.unflatten(tree, range(tree.num_leaves))
    try:
        return {"plain": plain(numbered)}
    except TypeError:
        pass
    try:
        return {"pickle": base64.b64encode(pickle.dumps(numbered)).decode()}
    except Exception:  # whatever a user's class raises
        return None


def _rebuild(node, leaves):
    if isinstance(node, int):
        return leaves[node]
    ((kind, children),) = node.items()
    if kind == "none":
        return None
    if kind == "dict":
        return {key: _rebuild(child, leaves) for key, child in children}
    return {"list": list, "tuple": tuple}[kind](_rebuild(child, leaves) for child in children)


# ---- JAX ----


def _dynamic(jitted, info, args, kwargs):
    """Return the arguments that are not static, as a pytree like `info`."""
    statics, names = (), ()
    if len(info[0]) != len(args) or set(info[1]) != set(kwargs):
        jit_info = getattr(jitted, "_jit_info", None)
        if jit_info is None:
            raise TypeError("which arguments are static is not known of this function: give those that are not static, or bind the "
                            "static ones with functools.partial and give the function that results")
        statics = {i % len(args) if args else i for i in jit_info.static_argnums}
        names = jit_info.static_argnames
    args = tuple(a for i, a in enumerate(args) if i not in statics)
    kwargs = {key: a for key, a in kwargs.items() if key not in names}
    return args, kwargs


def _value(leaf, aval, jax):
    """Return an argument's value as an array of the program's type; None for a ShapeDtypeStruct."""
    if isinstance(leaf, jax.ShapeDtypeStruct):
        return None
    if jax.dtypes.issubdtype(aval.dtype, jax.dtypes.prng_key):
        return np.asarray(jax.random.key_data(leaf))
    return np.asarray(leaf, dtype=aval.dtype)


def _leaf_type(info, jax):
    """Return a result's entry in the manifest."""
    if jax.dtypes.issubdtype(info.dtype, jax.dtypes.prng_key):
        example = jax.eval_shape(jax.random.key_data, jax.ShapeDtypeStruct(info.shape, info.dtype))
        return {"shape": example.shape, "dtype": example.dtype.name, "key": info.dtype._impl.name}
    return {"shape": info.shape, "dtype": np.dtype(info.dtype).name}


def _entry(module):
    """Return the function main of a module, with its attributes by argument and by result."""
    for op in module.body.operations:
        if op.operation.name == "func.func" and op.attributes["sym_name"].value == "main":
            of = lambda name: op.attributes[name] if name in op.attributes else None
            return op, of("arg_attrs"), of("res_attrs")
    raise ValueError("the module has no function main")


def _values(types):
    """Return the indices of values; tokens, which order side effects, are neither arguments nor results."""
    return [i for i, t in enumerate(types) if str(t) != "!stablehlo.token"]


def _attribute(attributes, i, name):
    return str(attributes[i][name]) if attributes is not None and name in attributes[i] else None


def _kept(lowered, n, n_module):
    """Return the arguments that the module has: jax.jit removes unused ones unless keep_unused=True."""
    kept = getattr(getattr(lowered, "_lowering", None), "compile_args", {}).get("kept_var_idx", range(n))
    kept = sorted(kept)
    if len(kept) != n_module:
        raise ValueError(f"the module has {n_module} arguments for {len(kept)} that are used: jit with keep_unused=True")
    return kept


def _inline_partitioning(traced, lowered):
    """Lower a function with custom_partitioning by its body: JAX would write the address of an object of this process in its
    place."""
    if "@CustomSPMDPartitioning(" not in lowered.as_text():
        return lowered
    from jax.experimental.custom_partitioning import custom_partitioning_p
    from jax.extend.core import jaxpr_as_fun
    from jax.interpreters import mlir

    def body(ctx, *values, call, **_):
        return mlir.lower_fun(jaxpr_as_fun(call), multiple_results=True)(ctx, *values)

    return traced.lower(_private_parameters=mlir.LoweringParameters(override_lowering_rules=((custom_partitioning_p, body),)))


def _of_arrays(function, args, kwargs):
    """Return a function that a library has wrapped (equinox.filter_jit, flax.nnx.jit) as a function of arrays, and those arrays.

    Arguments that are no arrays become constants of the program, and None in its results. Modules of flax.nnx are split into graph and
    state: the second result is the state of the arguments' variables after the call, as dicts.
    """
    import jax

    is_array = lambda v: isinstance(v, (jax.Array, np.ndarray, np.generic, jax.ShapeDtypeStruct))
    only_arrays = lambda tree: jax.tree.map(lambda v: v if is_array(v) else None, tree)
    nnx = sys.modules.get("flax.nnx")
    if nnx and any(isinstance(leaf, (nnx.Object, nnx.Variable)) for leaf in
                   jax.tree.leaves((args, kwargs), is_leaf=lambda v: isinstance(v, (nnx.Object, nnx.Variable)))):
        graph, variables, rest = nnx.split((args, kwargs), nnx.Variable, ...)

        def stateful(variables, rest):
            args, kwargs = nnx.merge(graph, variables, rest)
            out = function(*args, **kwargs)
            return only_arrays(out), nnx.to_pure_dict(nnx.state((args, kwargs), nnx.Variable))
        return jax.jit(stateful), (variables, rest)
    leaves, tree = jax.tree.flatten((args, kwargs))
    places = [i for i, leaf in enumerate(leaves) if is_array(leaf)]

    def pure(arrays):
        merged = list(leaves)
        for i, array in zip(places, arrays):
            merged[i] = array
        args, kwargs = jax.tree.unflatten(tree, merged)
        return only_arrays(function(*args, **kwargs))
    return jax.jit(pure), ([leaves[i] for i in places],)


def _lower(function, args, kwargs):
    """Lower any kind of function or lowered object: (lowered, jitted, args, kwargs), the last three as they were lowered."""
    import jax

    if isinstance(function, jax.stages.Compiled):
        raise TypeError("a jax.stages.Compiled holds no StableHLO: give the jitted function, or what its lower(...) returned")
    if isinstance(function, jax.stages.Lowered):
        return function, function, args, kwargs
    if isinstance(function, jax.stages.Traced):
        return _inline_partitioning(function, function.lower()), function, args, kwargs
    if not callable(function):
        raise TypeError(f"an object of type {type(function).__name__} is no function: give a function, jitted or not, or what its "
                        "lower(...) returned")
    stage = getattr(function, "trace", None) or getattr(function, "lower", None)
    if stage is None:
        function = jax.jit(function)
        stage = function.trace
    made = stage(*args, **kwargs)
    if isinstance(made, (jax.stages.Traced, jax.stages.Lowered)):
        return (*_lower(made, args, kwargs)[:1], function, args, kwargs)
    jitted, args = _of_arrays(function, args, kwargs)
    return _lower(jitted.trace(*args), args, {})


def export(jitted, *args, dir, **kwargs):
    """Write the program jitted(*args, **kwargs) into the folder `dir`; return the shell command that runs it.

    jitted: a plain function, or one by jax.jit, jax.pmap, equinox.filter_jit or flax.nnx.jit; or what its lower(...) or trace(...)
    returned, with the same arguments without the static ones. All arguments may be jax.ShapeDtypeStruct: then shardrun makes up
    values.
    """
    import jax

    lowered, jitted, args, kwargs = _lower(jitted, args, kwargs)
    text = lowered.as_text(debug_info=True)
    module = lowered.compiler_ir("stablehlo")
    main, argument_attributes, result_attributes = _entry(module)
    infos = jax.tree.leaves(lowered.args_info)
    values = jax.tree.leaves(_dynamic(jitted, lowered.args_info, args, kwargs))
    if len(values) != len(infos):
        raise TypeError(f"{len(values)} arguments are given, {len(infos)} are traced")
    arguments = _values(a.type for a in main.arguments)
    kept = _kept(lowered, len(infos), len(arguments))
    results = _values(main.attributes["function_type"].value.results)
    names = [getattr(main.arguments[i].location, "name_str", "") for i in arguments]
    keys = _keys(names)
    arrays = [_value(values[i], infos[i]._aval if hasattr(infos[i], "_aval") else infos[i], jax) for i in kept]
    if any(a is None for a in arrays) and not all(a is None for a in arrays):
        raise TypeError("some arguments are shapes alone: give values for all, or for none")
    devices = module.operation.attributes["mhlo.num_partitions"].value if "mhlo.num_partitions" in module.operation.attributes else 1
    outputs = jax.tree.leaves(lowered.out_info)
    manifest = {
        "program": module.operation.attributes["sym_name"].value,
        "devices": devices,
        "inputs": [
            {"name": names[k], "key": keys[k], "shape": list(main.arguments[place].type.shape),
             "type": str(main.arguments[place].type.element_type), "donated": infos[i].donated,
             "sharding": _attribute(argument_attributes, place, "sdy.sharding")}
            for k, (i, place) in enumerate(zip(kept, arguments))
        ],
        "unused": [i for i in range(len(infos)) if i not in set(kept)],
        "outputs": [
            dict(_leaf_type(info, jax), name=_attribute(result_attributes, place, "jax.result_info"),
                 sharding=_attribute(result_attributes, place, "sdy.sharding"))
            for place, info in zip(results, outputs, strict=True)
        ],
        "tree": _describe(lowered.out_tree, jax),
    }
    inputs = None if any(a is None for a in arrays) else dict(zip(keys, arrays))
    return _write_folder(dir, "model.mlir", text, inputs, devices, manifest)


def run(jitted, *args, dir=None, options=(), **kwargs):
    """Export, run and load: return jitted(*args, **kwargs), computed by shardrun on as many ranks as the program has devices.

    dir: the folder to write and keep; None: a temporary one. options: more options of shardrun. shardrun is found in $SHARDRUN, or in
    PATH. A run that fails raises RuntimeError with shardrun's messages.
    """
    with tempfile.TemporaryDirectory() as scratch:
        folder = dir or scratch
        export(jitted, *args, dir=folder, **kwargs)
        done = subprocess.run(["sh", os.path.join(folder, "run.sh"), "-q", *options], stderr=subprocess.PIPE, text=True)
        if done.returncode:
            raise RuntimeError(f"shardrun ended with status {done.returncode}:\n{done.stderr}")
        return load(folder)


def load(dir, like=None):
    """Return the results in the folder, as the pytree that the function returns; leaves are NumPy arrays, keys are jax keys.

    like: a pytree of the same structure, for results of a class that cannot be pickled. A manifest may contain a pickle: load only
    what you, or somebody whom you trust, exported.
    """
    folder = pathlib.Path(dir)
    manifest = json.loads((folder / MANIFEST).read_text())
    path = folder / "outputs.npz"
    if not path.exists():
        raise FileNotFoundError(f"{path}: run the program first: sh {folder / 'run.sh'}")
    with np.load(path) as archive:
        leaves = [_read_back(archive[name], info["dtype"]) for name, info in zip(archive.files, manifest["outputs"], strict=True)]
    for i, info in enumerate(manifest["outputs"]):
        if "key" in info:
            import jax

            leaves[i] = jax.random.wrap_key_data(leaves[i], impl=info["key"])
    tree = manifest["tree"]
    if like is not None:
        import jax

        return jax.tree.unflatten(jax.tree.structure(like), leaves)
    if tree is None:
        raise TypeError("the results' tree could not be written: give one like it, load(dir, like=jax.eval_shape(jitted, *args))")
    if "plain" in tree:
        return _rebuild(tree["plain"], leaves)
    import jax

    return jax.tree.map(lambda i: leaves[i], pickle.loads(base64.b64decode(tree["pickle"])))


# ---- HLO text, and PyTorch/XLA ----

_HLO_TYPES = {"pred": "bool", "bf16": "bfloat16", "f16": "float16", "f32": "float32", "f64": "float64", "c64": "complex64", "c128": "complex128"}


def _hlo_type(kind):
    """Return the name of an element type's dtype: "s4" is "int4", "f8e4m3fn" is "float8_e4m3fn"."""
    integer, small_float = re.fullmatch(r"([su])(\d+)", kind), re.fullmatch(r"f(\d)(e\w+)", kind)
    if integer:
        return {"s": "int", "u": "uint"}[integer[1]] + integer[2]
    if small_float:
        return f"float{small_float[1]}_{small_float[2]}"
    if kind not in _HLO_TYPES:
        raise ValueError(f"parameters and results of type {kind} have no arrays")
    return _HLO_TYPES[kind]


def _hlo_types(text):
    """Return the types of parameters and of results of an HLO module, [(dtype name, shape)] each, from its entry_computation_layout."""
    layout = re.search(r"entry_computation_layout=\{(.*?)\}(?:,\s*\w+=|\s*$)", text.split("\n", 1)[0])
    if not layout:
        raise ValueError("no entry_computation_layout in the first line: not the text of an HLO module")
    parameters, arrow, results = re.sub(r"/\*.*?\*/", "", layout.group(1)).partition("->")
    if not arrow:
        raise ValueError("a malformed entry_computation_layout")
    types = lambda part: [(_hlo_type(kind), tuple(int(n) for n in dims.split(",") if n))
                          for kind, dims in re.findall(r"\b([a-z]\w*)\[([\d,]*)\]", part)]
    return types(parameters), types(results)


def _fits(values, types):
    return [(v.dtype.name, v.shape) for v in values] == types


def _in_order(values, types, is_reversed):
    """Return the values in the order of parameters of these types. They are in that order or reversed; is_reversed() decides if the types
    do not."""
    orders = [order for order in (values, values[::-1]) if _fits(order, types)]
    if not orders:
        have = ", ".join(f"{v.dtype}{list(v.shape)}" for v in values)
        raise ValueError(f"the values ({have}) are not those of the program's parameters ({types})")
    return orders[0] if len(orders) == 1 or len(values) < 2 or not is_reversed() else orders[1]


def _leaves_constants_out(text):
    return "constant({...})" in text


def export_hlo(text, values, *, dir, devices=None):
    """Write a program in HLO text with the values of its parameters, in order; results are loaded as a list."""
    if _leaves_constants_out(text):
        raise ValueError("the text has {...} in place of constants: print the module with its large constants, as "
                         "XLA_FLAGS=--xla_dump_large_constants does")
    return _export_hlo(text, "model.hlo", text, values, dir, devices)


def _export_hlo(text, model_name, model, values, dir, devices):
    """Write a program like export_hlo. `model`: the HLO text or StableHLO to write; `text`: the HLO text with types and number of devices."""
    parameters, results = _hlo_types(text)
    values = [np.asarray(v) for v in values]
    if not _fits(values, parameters):
        _in_order(values, parameters, lambda: False)
        raise ValueError("the values are not in the order of the parameters")
    if devices is None:
        found = re.search(r"\bnum_partitions=(\d+)", text.split("\n", 1)[0])
        lists = re.findall(r"devices=\[([\d,]+)\]", text)
        devices = int(found.group(1)) if found else max([_product(dims) for dims in lists], default=1)
    manifest = {
        "program": text.split(None, 2)[1].rstrip(","), "devices": devices, "unused": [],
        "inputs": [{"name": f"p{i}", "key": f"arr_{i}", "shape": shape, "type": kind} for i, (kind, shape) in enumerate(parameters)],
        "outputs": [{"shape": shape, "dtype": kind} for kind, shape in results],
        "tree": {"plain": {"list": list(range(len(results)))}},
    }
    return _write_folder(dir, model_name, model, {f"arr_{i}": v for i, v in enumerate(values)}, devices, manifest)


def _product(dims):
    n = 1
    for d in dims.split(","):
        n *= int(d)
    return n


def _to_numpy(tensor):
    """Return a tensor's values; those of bfloat16 as bits, since NumPy has no such type."""
    import torch

    tensor = tensor.detach().cpu()
    if tensor.dtype != torch.bfloat16:
        return tensor.numpy()
    import ml_dtypes

    return tensor.view(torch.int16).numpy().view(ml_dtypes.bfloat16)


def _graph(tensors):
    """Return the HLO text of lazy tensors of PyTorch/XLA, and the values of its parameters.

    The values come first: that makes tensors which have been evaluated parameters. The text would omit them.
    """
    import torch_xla

    values = [_to_numpy(v) for v in torch_xla._XLAC._get_tensors_xla_device_data_node(tensors)[1]]
    return torch_xla._XLAC._get_xla_tensors_hlo(tensors), values


def export_torch(tensors, *, dir, devices=None):
    """Write the program of lazy tensors of PyTorch/XLA, which have not been evaluated yet. One that has is an argument and a result.

    As HLO text; as StableHLO if the HLO text omits large constants.
    """
    import torch
    from torch_xla.core.xla_model import get_stablehlo
    from torch_xla.debug.metrics import executed_fallback_ops

    if executed_fallback_ops():
        warnings.warn("PyTorch/XLA executed ops on the CPU, for which it has no lowering: " + ", ".join(sorted(executed_fallback_ops())) +
                      ". Values that they computed are arguments of the program, and no part of it computes them.", stacklevel=2)

    tensors = list(tensors)
    text, values = _graph(tensors)

    def is_reversed():
        probe, pair = _graph([torch.ones(2, device="xla").sum() - torch.ones(3, device="xla").sum()])
        return not _fits(pair, _hlo_types(probe)[0])

    values = _in_order(values, _hlo_types(text)[0], is_reversed)
    if _leaves_constants_out(text):
        return _export_hlo(text, "model.mlir", get_stablehlo(tensors), values, dir, devices)
    return _export_hlo(text, "model.hlo", text, values, dir, devices)


# ---- command line ----


def _load_script(path):
    sys.path.insert(0, os.path.dirname(os.path.abspath(path)))
    spec = importlib.util.spec_from_file_location(pathlib.Path(path).stem, path)
    script = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = script
    spec.loader.exec_module(script)
    return script


def main(argv=None):
    parser = argparse.ArgumentParser(prog="python -m shardrun_export", description="Export a program of JAX for shardrun.")
    parser.add_argument("program", metavar="SCRIPT.py:FUNCTION", help="gives (jitted, *args) when called; or is jitted, with --args")
    parser.add_argument("-o", "--output", metavar="DIR", help="the folder to write; FUNCTION where not given")
    parser.add_argument("--args", metavar="NAME", help="a tuple of arguments in the script, for FUNCTION as it is")
    options = parser.parse_args(argv)
    path, _, name = options.program.rpartition(":")
    if not path:
        parser.error("SCRIPT.py:FUNCTION is expected")
    script = _load_script(path)
    function = getattr(script, name)
    jitted, *args = (function, *getattr(script, options.args)) if options.args else function()
    print(export(jitted, *args, dir=options.output or name))


if __name__ == "__main__":
    main()
