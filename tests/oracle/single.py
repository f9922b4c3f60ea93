"""XLA's results of a program on one device, as a reference that shares no code with shardrun. Needs JAX."""
import os
import re

os.environ.setdefault("JAX_PLATFORMS", "cpu")
# let XLA round bf16 values wherever the program does
os.environ.setdefault("XLA_FLAGS", "--xla_allow_excess_precision=false")
import jax  # noqa: E402
import numpy as np  # noqa: E402
from jax._src.lib import xla_client  # noqa: E402
from jax.extend import backend  # noqa: E402

jax.config.update("jax_enable_x64", True)
TYPES = {"f64": np.float64, "f32": np.float32, "f16": np.float16, "bf16": jax.numpy.bfloat16, "i64": np.int64, "i32": np.int32, "i16": np.int16,
         "i8": np.int8, "ui8": np.uint8, "ui32": np.uint32, "ui64": np.uint64, "i1": np.bool_, "complex<f32>": np.complex64}


def arguments(text, seed):
    """Return random values for the arguments of main."""
    rng = np.random.default_rng(seed)
    head = re.search(r"func\.func public @main\((.*?)\) -> ", text, re.S).group(1)
    values = []
    for dims, name in re.findall(r"%arg\d+: tensor<((?:\d+x)*)([^x>]+(?:<f32>)?)>", head):
        shape, dtype = [int(n) for n in dims.split("x") if n], TYPES[name]
        kind = np.dtype(dtype).kind
        values.append((rng.integers(0 if kind in "ub" else -3, 2 if kind == "b" else 10, shape) if kind in "iub" else rng.standard_normal(shape)).astype(dtype))
    return values


# Pattern of shardings of values, which are removed; constraints stay. XLA would miscount them in loops with unused carried values.
SHARDING = r"sdy\.sharding = #sdy\.sharding(?:_per_value)?<(?:[^<>]|<[^<>]*>)*>"


def results(text, values):
    """Return the program's results on one device; None if XLA refuses the program or fails."""
    text = re.sub(f", {SHARDING}|{SHARDING}(?:, )?", "", text)
    text = re.sub(r"mhlo.num_partitions = \d+", "mhlo.num_partitions = 1", text).replace("sdy.reshard ", "sdy.sharding_constraint ")
    client = backend.get_backend("cpu")
    options = xla_client.CompileOptions()
    build = options.executable_build_options
    options.num_replicas = options.num_partitions = build.num_replicas = build.num_partitions = 1
    build.use_spmd_partitioning = build.use_shardy_partitioner = True
    build.device_assignment = xla_client.DeviceAssignment.create(np.zeros((1, 1), int))
    try:
        made = client.compile_and_load(text.encode(), xla_client.DeviceList(tuple(client.devices()[:1])), options)
        parts = made.execute_sharded([jax.device_put(v) for v in values]).disassemble_into_single_device_arrays()
        return [np.asarray(part[0]) for part in parts]
    except jax.errors.JaxRuntimeError:  # unsupported layouts of FFTs
        return None
