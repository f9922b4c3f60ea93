"""Arrays of the host that come by DLPack.

jaxlib makes an array of shardrun's devices from a DLPack capsule as a view if the memory is aligned and no copy is asked for. Otherwise it
asks for a buffer that may share and change the host's memory, which PJRT's C interface does not have. The elements are copied by NumPy
instead."""


class _Exporter:
    """An object that exports a capsule of memory of the host, as NumPy expects it."""

    def __init__(self, capsule):
        self._capsule = capsule

    def __dlpack__(self, **_):
        return self._capsule

    def __dlpack_device__(self):
        return 1, 0  # CPU


class _Module:
    """jaxlib's module as jax._src.dlpack sees it."""

    def __init__(self, module):
        self._module = module

    def __getattr__(self, name):
        return getattr(self._module, name)

    def dlpack_managed_tensor_to_buffer(self, capsule, device, stream, copy, *more):
        import jax
        import numpy as np

        try:
            return self._module.dlpack_managed_tensor_to_buffer(capsule, device, stream, copy, *more)
        except jax.errors.JaxRuntimeError as error:
            if copy is False or "HostBufferSemantics" not in str(error):
                raise
            return jax.device_put(np.from_dlpack(_Exporter(capsule)), device, may_alias=False)


def prefer_for_dlpack():
    """Let memory of the host that comes by DLPack become arrays of shardrun's devices if these are the default ones."""
    from jax._src import config, dlpack

    if (config.jax_platforms.value or "").split(",")[0] == "shardrun":
        dlpack._DL_DEVICE_TO_PLATFORM[dlpack.DLDeviceType.kDLCPU] = "shardrun"
        dlpack._jax = _Module(dlpack._jax)
