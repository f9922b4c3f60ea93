"""Register shardrun's PJRT plugin with JAX, which finds this module by the entry point group jax_plugins, or in the namespace package.

    JAX_PLATFORMS=shardrun,cpu SHARDRUN_DEVICES=8 python train.py
    JAX_PLATFORMS=shardrun,cpu mpirun -np 8 python train.py

The platform is registered as "shardrun" and reports itself as "cpu", so that JAX lowers linear algebra and callbacks, donates buffers and
caches executables as on CPUs; "cpu" stays beside it for XLA:CPU. Unless JAX_PLATFORMS names it, XLA:CPU remains the default."""
import logging

from shardrun import callbacks, host_arrays
from shardrun.locate import library

logger = logging.getLogger(__name__)

# Lower than XLA:CPU's priority, 0: programs that do not ask for shardrun run on XLA:CPU as before.
PRIORITY = -10


def initialize():
    import jax
    from jax._src import xla_bridge

    path = library()
    if path is None:
        if "shardrun" in (jax.config.jax_platforms or "").split(","):  # others have the package to export programs
            logger.warning("libshardrun_pjrt.so was not found; set SHARDRUN_PJRT_LIBRARY to its path")
        return
    getattr(xla_bridge, "_nonexperimental_plugins", set()).add("shardrun")  # no warning for who asked for it
    xla_bridge.register_plugin("shardrun", priority=PRIORITY, library_path=path, options={})
    host_arrays.prefer_for_dlpack()
    plugin = callbacks.Plugin(path)
    callbacks.forward_targets(plugin)
    callbacks.intercept_compilation(plugin)
