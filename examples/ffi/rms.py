"""A JAX program with a custom kernel, on shards of a batch: exported for shardrun, and run by JAX.

    python rms.py LIBRARY.so DIR       writes DIR, and DIR/expected.npy, which JAX computes on 8 devices with the same library
"""
import ctypes
import os
import sys

os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=8"
os.environ["JAX_PLATFORMS"] = "cpu"
import jax
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

import shardrun_export

library, folder = sys.argv[1:]
jax.ffi.register_ffi_target("rms_norm", jax.ffi.pycapsule(ctypes.cdll.LoadLibrary(os.path.abspath(library)).RmsNorm), platform="cpu")
mesh = Mesh(np.array(jax.devices()).reshape(4, 2), ("data", "model"))


def rms_norm(x):
    return jax.ffi.ffi_call("rms_norm", jax.ShapeDtypeStruct(x.shape, x.dtype))(x, eps=np.float32(1e-5))


def layer(x, w):
    h = jax.shard_map(rms_norm, mesh=mesh, in_specs=P("data"), out_specs=P("data"), check_vma=False)(x)  # on each device's rows
    return rms_norm(h @ w)  # on the full value on every device, since there is no sharding rule


put = lambda *spec: NamedSharding(mesh, P(*spec))
program = jax.jit(layer, in_shardings=(put("data"), put(None, "model")), out_shardings=put("data"))
r = np.random.default_rng(0)
x, w = (r.normal(size=shape).astype("f4") for shape in ((16, 32), (32, 8)))
shardrun_export.export(program, x, w, dir=folder)
np.save(os.path.join(folder, "expected.npy"), program(x, w))
