"""The plugin for PyTorch/XLA, found by the entry point group torch_xla.plugins: PJRT_DEVICE=SHARDRUN python script.py"""
import os

from torch_xla.experimental import plugins

from shardrun.locate import library


class ShardrunPlugin(plugins.DevicePlugin):
    def library_path(self):
        found = library()
        if found is None:
            raise FileNotFoundError("libshardrun_pjrt.so was not found; set SHARDRUN_PJRT_LIBRARY to its path")
        return found

    def client_create_options(self):
        return {}

    def physical_chip_count(self):
        return int(os.environ.get("SHARDRUN_DEVICES", os.cpu_count() or 1))
