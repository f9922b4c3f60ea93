"""The plugin for PyTorch/XLA, found by the entry point group torch_xla.plugins: PJRT_DEVICE=SHARDRUN python script.py

Sharded programs need xr.use_spmd() before the first tensor is on the device; then SHARDRUN_DEVICES says how many devices there are."""
import os

import torch_xla.runtime as xr
from torch_xla.experimental import plugins

from shardrun.locate import library


class ShardrunPlugin(plugins.DevicePlugin):
    def library_path(self):
        found = library()
        if found is None:
            raise FileNotFoundError("libshardrun_pjrt.so was not found; set SHARDRUN_PJRT_LIBRARY to its path")
        return found

    def client_create_options(self):
        """Without SPMD, PyTorch/XLA uses one device of a process."""
        return {} if xr.is_spmd() else {"devices": 1}

    def configure_single_process(self):
        pass

    def physical_chip_count(self):
        return int(os.environ.get("SHARDRUN_DEVICES", os.cpu_count() or 1)) if xr.is_spmd() else 1
