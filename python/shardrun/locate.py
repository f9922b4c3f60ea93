"""Find the plugin's library and the shardrun program."""
import ctypes.util
import os
import pathlib
import shutil

LIBRARY = "libshardrun_pjrt.so"


def _first(candidates):
    return next((str(path) for path in candidates if path and os.path.isfile(path)), None)


def library():
    """Return the path of libshardrun_pjrt.so; None if there is none.

    The places are searched in this order: $SHARDRUN_PJRT_LIBRARY; beside this package, where a wheel has it; in lib of the prefix whose
    bin has shardrun; where the dynamic linker looks (LD_LIBRARY_PATH, /usr/lib)."""
    path = os.environ.get("SHARDRUN_PJRT_LIBRARY")
    if path:
        return path
    here = pathlib.Path(__file__).parent / "lib" / LIBRARY
    prefixes = [pathlib.Path(tool).resolve().parents[1] for tool in [shutil.which("shardrun")] if tool]
    folders = [prefix / lib for prefix in prefixes for lib in ("lib", "lib64", "lib/x86_64-linux-gnu", "lib/aarch64-linux-gnu")]
    folders += [pathlib.Path(folder) for folder in os.environ.get("LD_LIBRARY_PATH", "").split(":") if folder]
    found = _first([here, *(folder / LIBRARY for folder in folders)])
    if found:
        return found
    name = ctypes.util.find_library("shardrun_pjrt")
    return name or None


def tool():
    """Return the path of the shardrun program: $SHARDRUN, the wheel's own, or the one in PATH; None if there is none."""
    return os.environ.get("SHARDRUN") or _first([pathlib.Path(__file__).parent / "bin" / "shardrun", shutil.which("shardrun")])
