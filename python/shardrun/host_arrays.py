"""Arrays of the host that come by DLPack.

jaxlib makes an array of shardrun's devices from a DLPack capsule as a view if the memory is aligned and no copy is asked for. Otherwise it
asks for a buffer that may share and change the host's memory, which PJRT's C interface does not have. The elements are copied by NumPy
instead."""
import functools
import threading


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


class _Platforms(dict):
    """The platform that a kind of device of DLPack belongs to: "shardrun" for CPUs, unless the array at hand is on another CPU platform."""

    source = threading.local()  # .platform: that of the array which from_dlpack converts

    def __getitem__(self, kind):
        platform = super().__getitem__(kind)
        return getattr(self.source, "platform", None) or platform if platform == "shardrun" else platform


def prefer_for_dlpack():
    """Let memory of the host that comes by DLPack become arrays of shardrun's devices if these are the default ones. Arrays on XLA:CPU's
    devices stay there."""
    import jax
    from jax._src import config, dlpack

    if (config.jax_platforms.value or "").split(",")[0] != "shardrun":
        return
    platforms = dlpack._DL_DEVICE_TO_PLATFORM = _Platforms(dlpack._DL_DEVICE_TO_PLATFORM)
    platforms[dlpack.DLDeviceType.kDLCPU] = "shardrun"
    dlpack._jax = _Module(dlpack._jax)
    original = dlpack.from_dlpack

    @functools.wraps(original)
    def from_dlpack(external_array, device=None, copy=None):
        on_xla = isinstance(external_array, jax.Array) and all(
            "shardrun" not in device.client.platform_version for device in external_array.devices())
        platforms.source.platform = "cpu" if on_xla else None
        try:
            return original(external_array, device, copy)
        finally:
            platforms.source.platform = None

    dlpack.from_dlpack = jax.dlpack.from_dlpack = from_dlpack
