"""python/shardrun_export.py with the real JAX: export programs, run them on 8 ranks, load the results as pytrees. Each program of programs.py is a
test, too.

    export_test.py --shardrun BUILD/shardrun [NAME...]
"""
import functools
import json
import os
import pathlib
import subprocess
import sys
import typing

os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=8"
os.environ["JAX_PLATFORMS"] = "cpu"
ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "python"))
import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
from jax.sharding import NamedSharding, PartitionSpec as P

import programs
import shardrun_export
from harness import Skipped, main, run

TESTS = {}
MESH = jax.make_mesh((4, 2), ("x", "y"))


def test(f):
    TESTS[f.__name__] = f
    return f


def sharded(*spec):
    return NamedSharding(MESH, P(*spec))


# relative tolerance of some units in the last place, for types with few mantissa bits
TOLERANCE = {"bfloat16": 2**-6, "float16": 2**-9}


def expect(got, want):
    """Check equal structure, types and values."""
    assert jax.tree.structure(got) == jax.tree.structure(want), (jax.tree.structure(got), jax.tree.structure(want))
    for a, b in zip(jax.tree.leaves(got), jax.tree.leaves(want)):
        assert a.dtype == b.dtype and a.shape == b.shape, (a.dtype, b.dtype, a.shape, b.shape)
        if jax.dtypes.issubdtype(b.dtype, jax.dtypes.prng_key):
            a, b = jax.random.key_data(a), jax.random.key_data(b)
        rtol = TOLERANCE.get(b.dtype.name, 1e-5)
        a, b = (np.asarray(v).astype(np.complex128 if np.asarray(v).dtype.kind == "c" else np.float64) for v in (a, b))
        np.testing.assert_allclose(a, b, rtol=rtol, atol=rtol / 10)


def there_and_back(jitted, *args, dir="out", like=None, **kwargs):
    run(shardrun_export.export(jitted, *args, dir=dir, **kwargs))
    return shardrun_export.load(dir, like)


@test
def a_training_step(scratch):
    """Dicts in and out, donated arguments, results of several shardings."""
    def step(p, x):
        loss, g = jax.value_and_grad(lambda p: (jnp.tanh(x @ p["w"]) ** 2).mean())(p)
        return jax.tree.map(lambda a, b: a - 0.1 * b, p, g), loss
    p, x = {"w": np.arange(32, dtype=np.float32).reshape(8, 4) / 32}, np.ones((16, 8), np.float32)
    jitted = jax.jit(step, in_shardings=({"w": sharded(None, "y")}, sharded("x")), donate_argnums=0)
    got = there_and_back(jitted, p, x)
    assert json.loads(pathlib.Path("out/manifest.json").read_text())["inputs"][0]["donated"]
    expect(got, jax.jit(step)(p, x))


@test
def unused_and_static_arguments(scratch):
    @functools.partial(jax.jit, static_argnums=1, static_argnames="flag")
    def f(x, n, unused, *, flag, extra=None):
        return {"a": x * n, "nothing": None, "e": [extra + flag, (x,)]}
    args, kwargs = (np.ones(8, np.float32), 3, np.zeros(2)), dict(flag=True, extra=np.float32(2))
    expect(there_and_back(f, *args, **kwargs), f(*args, **kwargs))


@test
def whatever_jax_or_a_library_made_of_a_function(scratch):
    """A plain function; results of lower() and trace() (only those get static arguments); jax.pmap."""
    def f(x, n):
        return {"a": x * n}
    x = np.arange(8, dtype=np.float32)
    jitted = jax.jit(f, static_argnums=1)
    for function, args in (f, (x, 3.0)), (jitted.lower(x, 3), (x,)), (jitted.trace(x, 3), (x,)):
        expect(there_and_back(function, *args), f(jnp.asarray(x), 3))
    mapped = jax.pmap(lambda x: jax.lax.psum(x, "i") + x, axis_name="i")
    expect(there_and_back(mapped, x), x.sum() + x)


@test
def what_holds_no_program(scratch):
    f = jax.jit(lambda x: x + 1)
    for wrong, words in (f.lower(np.ones(8)).compile(), "holds no StableHLO"), (3, "an object of type int is no function"):
        try:
            shardrun_export.export(wrong, np.ones(8), dir="out")
        except TypeError as e:
            assert words in str(e), e
        else:
            raise AssertionError(f"{wrong} was exported")


@test
def hlo_text_without_its_constants(scratch):
    text = "HloModule m, entry_computation_layout={()->s64[32]{0}}\n\nENTRY %m () -> s64[32] {\n  ROOT %c = s64[32]{0} constant({...})\n}\n"
    try:
        shardrun_export.export_hlo(text, [], dir="out")
    except ValueError as e:
        assert "xla_dump_large_constants" in str(e), e
    else:
        raise AssertionError("the text was exported")


@test
def filter_jit_of_equinox(scratch):
    """Arguments that are no arrays are constants of the program, and None in its results."""
    try:
        import equinox as eqx
    except ImportError:
        raise Skipped("no equinox")
    model = eqx.nn.MLP(4, 4, 8, 2, key=jax.random.key(0))
    @eqx.filter_jit
    def step(model, x, flag):
        grads = eqx.filter_grad(lambda m: (jax.vmap(m)(x) ** 2).sum())(model)
        return eqx.apply_updates(model, grads), x if flag else None
    x = np.arange(32, dtype=np.float32).reshape(8, 4) / 32
    model_out, x_out = step(model, x, True)
    expect(there_and_back(step, model, x, True), (eqx.filter(model_out, eqx.is_array), x_out))


@test
def jit_of_flax_nnx(scratch):
    """The second result is the state of the arguments' variables after the call."""
    try:
        from flax import nnx
    except ImportError:
        raise Skipped("no flax")
    class Model(nnx.Module):
        def __init__(self, rngs):
            self.dense, self.norm = nnx.Linear(4, 4, rngs=rngs), nnx.BatchNorm(4, rngs=rngs)
        def __call__(self, x):
            return self.norm(self.dense(x))
    model, x = Model(nnx.Rngs(0)), np.arange(32, dtype=np.float32).reshape(8, 4) / 32
    step = nnx.jit(lambda model, x: model(x).sum(axis=0))
    out, state = there_and_back(step, model, x)
    expect(out, step(model, x))
    expect(state[0][0], nnx.to_pure_dict(nnx.state(model)))


@test
def export_run_and_load_at_once(scratch):
    f = jax.jit(lambda x: (x + 1, x.sum()), in_shardings=sharded("x"))
    x = np.ones(8, np.float32)
    expect(shardrun_export.run(f, x), f(x))
    try:
        shardrun_export.run(f, x, options=["--no-such-option"])
    except RuntimeError as e:
        assert "status 2" in str(e) and "no-such-option" in str(e), e
    else:
        raise AssertionError("a run that failed returned results")


@test
def no_shardrun_to_run(scratch):
    """run.sh names what it looked for."""
    line = shardrun_export.export(jax.jit(lambda x: x + 1), np.ones(8, np.float32), dir="out")
    done = subprocess.run(line.split(), env={**os.environ, "SHARDRUN": "no-such-program"}, capture_output=True, text=True)
    assert done.returncode == 127 and "no-such-program: command not found; set SHARDRUN" in done.stderr, done


@test
def constants_that_a_function_closes_over(scratch):
    big = jnp.arange(4096.0)
    f = jax.jit(lambda x: x + big, in_shardings=sharded("x"))
    expect(there_and_back(f, np.ones(4096, np.float32)), f(np.ones(4096, np.float32)))


@test
def keys(scratch):
    def f(key, old):
        a, b = jax.random.split(key)
        return {"next": a, "x": jax.random.normal(b, (8, 4)), "old": jax.random.split(old)[0]}
    args = jax.random.key(7), jax.random.PRNGKey(8)
    expect(there_and_back(jax.jit(f), *args), jax.jit(f)(*args))


@test
def small_types(scratch):
    types = [ml_dtypes.bfloat16, np.float16, ml_dtypes.float8_e4m3fn, ml_dtypes.float8_e5m2, ml_dtypes.int4, ml_dtypes.uint4, np.bool_, np.complex64]
    args = [np.arange(8).astype(t) for t in types]
    f = jax.jit(lambda *a: [x[::-1] for x in a], in_shardings=sharded("x"))
    expect(there_and_back(f, *args), f(*args))


@test
def wide_types(scratch):
    with jax.enable_x64(True):
        f = jax.jit(lambda x, y: (x + 1, y / 3), in_shardings=sharded("x"))
        args = np.arange(8) * 10**15, np.arange(8.0)
        want = f(*args)
        expect(there_and_back(f, *args), want)


@test
def prints(scratch):
    """Calls into Python are skipped; the token that orders them is no argument."""
    def f(x):
        jax.debug.print("x {}", x.sum(), ordered=True)
        jax.debug.callback(lambda v: None, x)
        return x + 1
    x = np.ones(8, np.float32)
    expect(there_and_back(jax.jit(f), x), jax.jit(f)(x))


@test
def partitionings_of_users(scratch):
    """custom_partitioning: the module has the function's body; JAX on 8 devices, which asks the user's code for shardings, gives the same."""
    from jax.experimental.custom_partitioning import custom_partitioning
    layouts = (sharded("x", None), sharded(None, None)), (sharded("x", None), sharded())
    def shared(x, w, total):
        return jax.nn.softmax(x @ w, axis=-1), total(jnp.sum(x * x))
    @functools.partial(custom_partitioning, static_argnums=(2,))
    def mix(x, w, power):
        y, s = shared(x, w, lambda s: s)
        return y ** power, s
    def partition(power, mesh, arguments, results):
        def local(x, w):
            y, s = shared(x, w, lambda s: jax.lax.psum(s, "x"))
            return y ** power, s
        return mesh, local, layouts[1], layouts[0]
    mix.def_partition(partition, infer_sharding_from_operands=lambda *_: layouts[1], sharding_rule="i j, j k -> i k, ")
    @functools.partial(jax.jit, in_shardings=layouts[0])
    def f(x, w):
        looped = jax.lax.scan(lambda c, _: (mix(c, w[:, :4], 3)[0], mix(c, w, 2)[1]), x, length=3)
        return mix(jnp.sin(x), w, 2), looped
    x, w = np.arange(32, dtype=np.float32).reshape(8, 4) / 7, np.arange(24, dtype=np.float32).reshape(4, 6) / 11 - 0.5
    assert "@CustomSPMDPartitioning(" in f.lower(x, w).as_text()
    expect(there_and_back(f, x, w), f(x, w))
    assert "CustomSPMDPartitioning" not in pathlib.Path("out/model.mlir").read_text()


def training_step(optax):
    """Dropout with a carried key, clipped gradients, a learning rate by the count of steps: (step, its first arguments)."""
    adam = optax.chain(optax.clip_by_global_norm(1.0), optax.adamw(optax.warmup_cosine_decay_schedule(0.0, 0.01, 20, 200), weight_decay=0.01))
    def step(p, state, key, batch):
        key, now = jax.random.split(key)
        def loss(p):
            h = jnp.tanh(batch["x"] @ p["in"] + p["bias"])
            h = jnp.where(jax.random.bernoulli(now, 0.9, h.shape), h / 0.9, 0)
            return jnp.mean((h @ p["out"] - batch["y"]) ** 2)
        value, g = jax.value_and_grad(loss)(p)
        updates, state = adam.update(g, state, p)
        return optax.apply_updates(p, updates), state, key, value
    r = np.random.default_rng(0)
    shapes = {"in": (16, 32), "bias": (32,), "out": (32, 8)}
    p = {name: (r.normal(size=shape) / 5).astype(np.float32) for name, shape in shapes.items()}
    return step, (p, adam.init(p), jax.random.key(3))


@test
def two_hundred_steps(scratch):
    """--loop of an exported step on streams of batches: losses, parameters, optimizer state and key equal those of the loop in JAX, also when
    resumed from a checkpoint of 100 steps on this mesh and on others."""
    try:
        import optax
    except ImportError:
        raise Skipped("no optax")
    step, carried = training_step(optax)
    r, w = np.random.default_rng(1), np.random.default_rng(2).normal(size=(16, 8))
    x = r.normal(size=(10, 32, 16)).astype(np.float32)
    batches = [{"x": each, "y": np.sin(each @ w).astype(np.float32)} for each in x]
    for i, batch in enumerate(batches):
        np.savez(f"batch_{i}.npz", **batch)
    streams = [f"--input=batch['{name}']=@{scratch}/batch_*.npz:{name}" for name in "xy"]
    def loop(n, mesh, dir, *flags):
        part = lambda *spec: NamedSharding(mesh, P(*spec))
        weights = {"in": part(None, "y"), "bias": part("y"), "out": part("y", None)}
        jitted = jax.jit(step, in_shardings=(weights, None, None, part("x")), donate_argnums=(0, 1, 2))
        run(shardrun_export.export(jitted, *carried, batches[0], dir=dir), *streams, f"--loop={n}", "--metrics=m.csv", *flags)
        names, *lines = (line.split(",") for line in pathlib.Path(dir, "m.csv").read_text().splitlines())
        return [float(line[names.index("result[3]")]) for line in lines]
    losses = loop(100, MESH, "half", f"--checkpoint={scratch}/saved")
    ends = {}
    for shape in ((4, 2), (2, 2), (8, 1)):
        mesh = jax.make_mesh(shape, ("x", "y"), devices=jax.devices()[:shape[0] * shape[1]])
        ends[shape] = loop(200, mesh, f"on_{shape[0]}", f"--resume={scratch}/saved")
    one, state, want = jax.jit(step), carried, []
    for i in range(200):
        *state, value = one(*state, batches[i % len(batches)])
        want.append(float(value))
    for shape, end in ends.items():
        np.testing.assert_allclose(losses + end, want, rtol=1e-5)
        expect(shardrun_export.load(f"on_{shape[0]}"), (*state, value))
    assert want[-1] < 0.8 * want[0], (want[0], want[-1])


def ragged_exchange(groups, operand, output, begin, size, place):
    """The documented result of jax.lax.ragged_all_to_all, [devices, ...] each; JAX does not run it on CPUs."""
    result = output.copy()
    for group in groups:
        for source in group:
            for k in range(begin.shape[1]):
                target = group[k // (begin.shape[1] // len(group))]
                a, n, b = begin[source, k], size[source, k], place[source, k]
                result[target, b:b + n] = operand[source, a:a + n]
    return result


@test
def ragged_exchanges(scratch):
    """ragged_all_to_all along one axis, along both, and from longer arrays back to shorter ones; device 1 sends nothing."""
    random = np.random.default_rng(5)
    mesh = jax.make_mesh((4, 2), ("x", "y"), axis_types=(jax.sharding.AxisType.Auto,) * 2)
    spec = P(("x", "y"))
    for axes, groups, slices in ("y", np.arange(8).reshape(4, 2), 3), (("x", "y"), np.arange(8)[None], 1):
        n = groups.shape[1]
        for rows, places in ((16, 16 * n), (16 * n, 16)):
            # sent[source, target, slice] in order, so that slices overlap neither in operands nor in outputs
            sent = np.zeros((8, n, slices), int)
            for group in groups:
                for t in range(n):
                    for s in range(n):
                        sent[group[s], t] = random.multinomial(random.integers(16 // n + 1), np.full(slices, 1 / slices))
            sent[1] = 0
            size = sent.reshape(8, -1)
            begin, place = size.cumsum(1) - size, np.zeros_like(sent)
            for group in groups:
                ends = sent[group].transpose(1, 0, 2).reshape(n, -1).cumsum(1)
                place[group] = ends.reshape(n, n, slices).transpose(1, 0, 2) - sent[group]
            received = np.zeros_like(sent)
            for group in groups:
                received[group] = sent[group].transpose(1, 0, 2)
            values = [random.random((8, r, 3), np.float32) for r in (rows, places)]
            numbers = [a.reshape(8, -1).astype(np.int32) for a in (begin, size, place, received)]
            exchange = functools.partial(jax.lax.ragged_all_to_all, axis_name=axes)
            f = jax.jit(jax.shard_map(exchange, mesh=mesh, in_specs=(spec,) * 6, out_specs=spec))
            got = there_and_back(f, *(a.reshape(-1, *a.shape[2:]) for a in (*values, *numbers)))
            expect(got, ragged_exchange(groups, *values, *numbers[:3]).reshape(-1, 3))


class State(typing.NamedTuple):
    step: typing.Any
    moments: typing.Any


@test
def trees_of_classes(scratch):
    f = jax.jit(lambda s: State(s.step + 1, {"m": s.moments * 2}))
    s = State(np.int32(1), np.ones(8, np.float32))
    expect(there_and_back(f, s), f(s))
    class Local(typing.NamedTuple): # cannot be pickled
        x: typing.Any
    g = jax.jit(lambda x: Local(x + 1))
    x = np.ones(8, np.float32)
    run(shardrun_export.export(g, x, dir="local"))
    try:
        shardrun_export.load("local")
        raise AssertionError("a tree out of nothing")
    except TypeError as e:
        assert "give one like it" in str(e), e
    expect(shardrun_export.load("local", like=jax.eval_shape(g, x)), g(x))


@test
def names_that_are_not_told_apart(scratch):
    """Different paths whose names are equal: numbers are used instead."""
    f = jax.jit(lambda a: a["b.c"] - a["b"]["c"])
    a = {"b.c": np.ones(8, np.float32), "b": {"c": np.full(8, 3, np.float32)}}
    expect(there_and_back(f, a), f(a))


@test
def shapes_alone(scratch):
    """Arguments have no values: shardrun generates them, so only types of results can be compared."""
    f = jax.jit(lambda x, y: (x @ y, x.sum()), in_shardings=(sharded("x"), sharded(None, "y")))
    shapes = jax.ShapeDtypeStruct((8, 4), np.float32), jax.ShapeDtypeStruct((4, 8), np.float32)
    got = there_and_back(f, *shapes)
    assert [a.shape for a in got] == [(8, 8), ()] and np.isfinite(got[0]).all()
    try:
        shardrun_export.export(f, shapes[0], np.ones((4, 8), np.float32), dir="half")
        raise AssertionError("half of the values")
    except TypeError as e:
        assert "for all, or for none" in str(e), e


@test
def results_before_a_run(scratch):
    shardrun_export.export(jax.jit(lambda x: x), np.ones(2), dir="never")
    try:
        shardrun_export.load("never")
        raise AssertionError("results of no run")
    except FileNotFoundError as e:
        assert "run the program first: sh never/run.sh" in str(e), e


@test
def a_script(scratch):
    pathlib.Path("script.py").write_text(
        "import jax, numpy as np\nf = jax.jit(lambda x: x * 2)\nvalues = (np.arange(8.0, dtype=np.float32),)\ndef program():\n    return f, *values\n")
    tool = [sys.executable, "-m", "shardrun_export"]
    env = dict(os.environ, PYTHONPATH=os.path.dirname(shardrun_export.__file__))
    for words in (["script.py:program"], ["script.py:f", "--args", "values", "-o", "a folder/f"]):
        subprocess.run([*tool, *words], check=True, env=env, capture_output=True)
    run("sh program/run.sh")
    subprocess.run(["sh", "a folder/f/run.sh", "-q"], check=True)
    for folder in ("program", "a folder/f"):
        np.testing.assert_array_equal(shardrun_export.load(folder), np.arange(8) * 2)


HLO = """HloModule sum, entry_computation_layout={(f32[8,2]{1,0}, bf16[8,2]{1,0})->(f32[8,2]{1,0}, /*index=1*/f32[2,8]{1,0})}

ENTRY main {
  p0 = f32[8,2]{1,0} parameter(0), sharding={devices=[4,2]0,1,2,3,4,5,6,7}
  p1 = bf16[8,2]{1,0} parameter(1)
  c = f32[8,2]{1,0} convert(p1)
  s = f32[8,2]{1,0} add(p0, c)
  t = f32[2,8]{1,0} transpose(s), dimensions={1,0}
  ROOT r = (f32[8,2]{1,0}, f32[2,8]{1,0}) tuple(s, t)
}
"""


@test
def hlo_text(scratch):
    """The HLO text that PyTorch/XLA prints, with values in order or reversed."""
    a, b = np.arange(16, dtype=np.float32).reshape(8, 2), np.ones((8, 2), ml_dtypes.bfloat16)
    types = shardrun_export._hlo_types(HLO)[0]
    for values in ([a, b], [b, a]):
        assert shardrun_export._in_order(values, types, None)[0] is a
    same = [a, a + 1]
    pair = [("float32", (8, 2))] * 2
    assert shardrun_export._in_order(same, pair, lambda: False)[0] is a and shardrun_export._in_order(same, pair, lambda: True)[1] is a
    run(shardrun_export.export_hlo(HLO, [a, b], dir="hlo"))
    assert json.loads(pathlib.Path("hlo/manifest.json").read_text())["devices"] == 8
    expect(shardrun_export.load("hlo"), [a + 1, (a + 1).T])
    for values, words in (([b, a], "not in the order"), ([a], "are not those of the program's parameters")):
        try:
            shardrun_export.export_hlo(HLO, values, dir="wrong")
            raise AssertionError(words)
        except ValueError as e:
            assert words in str(e), e


@test
def hlo_element_types(scratch):
    """Types of less than two bytes in HLO text keep their names and values; a type that no array has is named in the message."""
    for name in ("int2", "uint4", "float4_e2m1fn", "float8_e3m4", "float8_e4m3b11fnuz", "float8_e5m2", "float8_e8m0fnu"):
        x = np.array([1, 0.5, 1, 1]).astype(getattr(ml_dtypes, name))
        text = jax.jit(lambda a: (a[::-1], a.astype(jnp.float32))).lower(x).as_text("hlo")
        run(shardrun_export.export_hlo(text, [x], dir=name))
        expect(shardrun_export.load(name), [x[::-1], x.astype(np.float32)])
    try:
        shardrun_export.export_hlo(HLO.replace("f32[8,2]", "token[]", 1), [], dir="wrong")
        raise AssertionError("a token has no array")
    except ValueError as e:
        assert "type token" in str(e), e


def compile_c(*words):
    done = subprocess.run(["cc", f"-I{jax.ffi.include_dir()}", *words], capture_output=True, text=True)
    assert not done.returncode, done.stderr


@test
def kernels_of_users(scratch):
    """examples/ffi, built with jaxlib's header: JAX on 8 devices and shardrun on 8 ranks call one library."""
    if not pathlib.Path(jax.ffi.include_dir(), "xla/ffi/api/c_api.h").exists():
        raise Skipped("jaxlib comes without xla/ffi/api/c_api.h")
    compile_c(f"-I{ROOT / 'src'}", "-fsyntax-only", str(ROOT / "tests/python/ffi_layout.c"))
    compile_c("-O2", "-shared", "-fPIC", "-o", "librms.so", str(ROOT / "examples/ffi/rms.c"), "-lm")
    env = dict(os.environ, PYTHONPATH=str(ROOT / "python"))
    subprocess.run([sys.executable, str(ROOT / "examples/ffi/rms.py"), "librms.so", "out"], check=True, env=env)
    run("sh out/run.sh", f"--ffi=rms_norm={os.getcwd()}/librms.so:RmsNorm")
    expect(shardrun_export.load("out"), np.load("out/expected.npy"))


@test
def measured_beside_jax(scratch):
    """scripts/measure-jax.py prints a row of times for each program of a script, and their geometric mean."""
    pathlib.Path("script.py").write_text("import jax, jax.numpy as jnp, numpy as np\n"
                                         "x = np.ones((8, 4), 'f4')\n"
                                         "programs = {'plain': (jnp.sin, x), 'jitted': (jax.jit(lambda x, y: x @ y.T), x, x)}\n")
    words = [str(ROOT / "scripts/measure-jax.py"), "--shardrun", os.environ["SHARDRUN"], "--rounds=1", "--seconds=0", "script.py:programs"]
    done = subprocess.run([sys.executable, *words], capture_output=True, text=True)
    assert not done.returncode, done.stderr
    lines = done.stdout.splitlines()
    assert [line.split("|")[1].strip() for line in lines[2:4]] == ["plain", "jitted"], lines
    assert all(float(cell.split()[0]) > 0 for line in lines[2:4] for cell in line.split("|")[2:5]), lines
    assert lines[-1].startswith("Geometric mean: "), lines


def program_test(make):
    def run_it(scratch):
        jitted, args, kwargs = make()
        got = there_and_back(jitted, *args, **kwargs)
        expect(got, jitted(*args, **kwargs))
    return run_it


TESTS |= {name: program_test(make) for name, make in programs.PROGRAMS.items()}


main(TESTS)
