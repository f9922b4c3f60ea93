"""Report what shardrun's compiler decides for a jitted JAX function. The plugin that runs it is in this package as well.

    import shardrun
    print(shardrun.explain(step, params, batch))                      # which device holds which shard
    print(shardrun.explain(step, params, batch, value="dot_general")) # where the shardings of these values come from
    shardrun.report(step, params, batch)["plan"]["collectives"]       # collectives, bytes, memory per device
    shardrun.html(step, params, batch, file="step.html")              # a page with each op and its shardings

The functions compile and plan; they run nothing, so arguments may be jax.ShapeDtypeStruct and the devices need not exist. Options of the
shardrun command are passed as options=["--memory-per-device=8G"]. To run programs, install this package and set
JAX_PLATFORMS=shardrun,cpu: jax_plugins/shardrun registers the plugin."""
import json
import os
import subprocess
import tempfile

from shardrun.locate import library, tool

__all__ = ["explain", "html", "library", "report", "tool"]


def _plan(function, args, kwargs, options, *flags):
    """Return what shardrun prints for the module that function(*args, **kwargs) lowers to."""
    import shardrun_export

    if isinstance(options, str):
        raise TypeError(f"options is the text {options!r}; a list of options is expected, such as [{options!r}]")
    program = tool()
    if program is None:
        raise FileNotFoundError("the shardrun program was not found: put it into PATH, or its path into SHARDRUN")
    lowered = shardrun_export._lower(function, args, kwargs)[0]
    with tempfile.TemporaryDirectory() as folder:
        model = os.path.join(folder, "model.mlir")
        with open(model, "w") as file:
            file.write(lowered.as_text(debug_info=True))
        done = subprocess.run([program, "-q", "--run=false", model, *flags, *options], capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"shardrun ended with status {done.returncode}:\n{done.stderr}")
    return done.stdout + done.stderr


def explain(function, *args, value=None, options=(), **kwargs):
    """Explain the shardings of function(*args, **kwargs) as text.

    value: a value's name, an op's name or a source line ("train.py:41"): where the sharding of these values comes from, and why others
    were not chosen. Without it: a drawing of which device holds which shard of the arguments and results."""
    return _plan(function, args, kwargs, options, f"--explain={value}" if value else "--show-sharding")


def report(function, *args, options=(), **kwargs):
    """Return the plan of function(*args, **kwargs) as shardrun --report writes it: memory, FLOPs, collectives and their bytes per device."""
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "report.json")
        _plan(function, args, kwargs, options, f"--report={file}")
        with open(file) as text:
            return json.load(text)


def html(function, *args, file, options=(), **kwargs):
    """Write a page with each op of function(*args, **kwargs), its shardings, the collectives that it causes, and its source line."""
    _plan(function, args, kwargs, options, f"--html={file}")
    return file
