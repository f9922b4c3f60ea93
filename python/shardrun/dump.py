"""The option xla_dump_to, which XLA's compiler reads itself: modules before and after compilation, as files in a folder.

    jax.jit(f, compiler_options={"xla_dump_to": "dump"})       or XLA_FLAGS=--xla_dump_to=dump

    module_0000.jit_f.before_optimizations.mlir         StableHLO, as JAX gave it
    module_0000.jit_f.cpu_after_optimizations.txt       the program of one device, with collectives, as HLO; XLA's names
    module_0000.jit_f.cpu_after_optimizations.hlo.pb    the same as HloModuleProto, with xla_dump_hlo_as_proto

xla_dump_hlo_as_text, xla_dump_hlo_module_re and xla_dump_max_hlo_modules mean what they mean to XLA. A program that comes from JAX's
compilation cache has no module before compilation. Of several processes, the one that has the program's first device writes."""
import itertools
import os
import re

_number = itertools.count()
_DEFAULTS = {"xla_dump_to": "", "xla_dump_hlo_as_text": False, "xla_dump_hlo_as_proto": False, "xla_dump_hlo_module_re": "",
             "xla_dump_max_hlo_modules": -1}


def _settings(options):
    """Return the options of dumps: those of the process, overridden by those of the function."""
    process = options.executable_build_options.debug_options
    settings = {name: getattr(process, name, default) for name, default in _DEFAULTS.items()}
    for name, value in options.env_option_overrides:
        if name in settings:
            kind = type(_DEFAULTS[name])
            settings[name] = str(value).lower() in ("true", "1") if kind is bool else kind(value)
    return settings


def _write(path, content):
    with open(path + ".tmp", "wb") as file:
        file.write(content if isinstance(content, bytes) else content.encode())
    os.replace(path + ".tmp", path)


def executable(executable, options, before=None):
    """Write an executable's modules if its options ask for it. before: the StableHLO that it was compiled from."""
    settings = _settings(options)
    folder, limit = settings["xla_dump_to"], settings["xla_dump_max_hlo_modules"]
    if not folder:
        return
    after = executable.hlo_modules()[0]
    if settings["xla_dump_hlo_module_re"] and not re.search(settings["xla_dump_hlo_module_re"], after.name):
        return
    number = next(_number)
    if 0 <= limit <= number:
        return
    os.makedirs(folder, exist_ok=True)
    start = os.path.join(folder, f"module_{number:04d}.{re.sub(r'[^A-Za-z0-9_.-]', '_', after.name)}.")
    if before is not None:
        _write(start + "before_optimizations.mlir", before)
    if settings["xla_dump_hlo_as_text"] or not settings["xla_dump_hlo_as_proto"]:
        _write(start + "cpu_after_optimizations.txt", after.to_string())
    if settings["xla_dump_hlo_as_proto"]:
        _write(start + "cpu_after_optimizations.hlo.pb", after.as_serialized_hlo_module_proto())


def is_wanted(options):
    return bool(_settings(options)["xla_dump_to"])
