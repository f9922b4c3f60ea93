"""JAX programs on the PJRT plugin. `plugin_test.py --plugin LIBRARY [--mpirun COMMAND] [TEST...]`"""
import argparse, os, subprocess, sys, unittest

here = os.path.dirname(os.path.abspath(__file__))
options = None


def run(script, devices, launcher=(), **more):
    env = dict(os.environ, JAX_PLATFORMS="shardrun,cpu", SHARDRUN_DEVICES=str(devices),
               PJRT_NAMES_AND_LIBRARY_PATHS="shardrun:" + os.path.abspath(options.plugin), **more)
    command = [*launcher, sys.executable, "-B", *script]
    return subprocess.run(command, env=env, capture_output=True, text=True, timeout=300)


class Plugin(unittest.TestCase):
    def check(self, code, devices=8):
        p = run(["-c", "import jax, jax.numpy as jnp, numpy as np\nfrom jax.sharding import NamedSharding, PartitionSpec as P\n" + code], devices)
        self.assertEqual(p.returncode, 0, p.stdout + p.stderr)
        return p.stdout

    def test_devices(self):
        self.assertEqual(self.check("print(len(jax.devices()), jax.devices()[0].platform)", 3), "3 cpu\n")

    def test_jit(self):
        self.check("""
x, y = np.random.rand(64, 32).astype("f4"), np.random.rand(32, 16).astype("f4")
np.testing.assert_allclose(jax.jit(lambda x, y: jnp.sin(x) @ y + 1)(x, y), np.sin(x) @ y + 1, rtol=1e-5)
assert jax.jit(lambda: ())() == ()
""")

    def test_element_types(self):
        self.check("""
for t in "bool int8 uint8 int16 uint16 int32 uint32 bfloat16 float16 float32 complex64 int4 uint4 float8_e4m3fn float8_e5m2".split():
    a = (np.arange(12) % 5).reshape(4, 3).astype(jnp.dtype(t))
    np.testing.assert_array_equal(np.asarray(jax.jit(lambda x: x.T)(a)), a.T, err_msg=t)
    np.testing.assert_array_equal(np.asarray(jax.device_put(a.T[::2], jax.devices()[1])), a.T[::2], err_msg=t)
""")

    def test_shardings(self):
        self.check("""
mesh = jax.make_mesh((4, 2), ("x", "y"), axis_types=(jax.sharding.AxisType.Auto,) * 2)
a = np.random.rand(16, 8).astype("f4")
x = jax.device_put(a, NamedSharding(mesh, P("x", "y")))
np.testing.assert_array_equal(x, a)
r = jax.jit(lambda x: x @ x.T, out_shardings=NamedSharding(mesh, P("x", None)))(x)
np.testing.assert_allclose(r, a @ a.T, rtol=1e-5)
assert r.sharding.spec == P("x", None) or r.sharding.spec == P("x")
np.testing.assert_allclose(jax.jit(lambda x: x.sum(0))(x), a.sum(0), rtol=1e-5)
s = jax.shard_map(lambda b: jax.lax.psum(b, "x"), mesh=mesh, in_specs=P("x", "y"), out_specs=P(None, "y"))(x)
np.testing.assert_allclose(s, a.reshape(4, 4, 8).sum(0), rtol=1e-5)
np.testing.assert_array_equal(jax.pmap(lambda x: jax.lax.psum(x, "i"), axis_name="i")(np.arange(8.)), np.full(8, 28.))
assert "all-reduce" in jax.jit(lambda x: x.sum()).lower(x).compile().as_text()
""")

    def test_donation(self):
        self.check("""
f = jax.jit(lambda x: x * 2, donate_argnums=0)
x = jnp.arange(8.)
y = f(x)
assert x.is_deleted()
host = np.arange(64, dtype="f4")
view = np.asarray(y)
f(y)
np.testing.assert_array_equal(view, 2 * np.arange(8.))
f(jnp.asarray(host))
np.testing.assert_array_equal(host, np.arange(64))
""")

    def test_layouts(self):
        self.check("""
from jax.experimental.layout import Format, Layout
mesh = jax.make_mesh((4, 2), ("x", "y"), axis_types=(jax.sharding.AxisType.Auto,) * 2)
a = np.arange(256, dtype="f4").reshape(16, 16)
s = NamedSharding(mesh, P("x", "y"))
column_major = Format(Layout(major_to_minor=(1, 0)), s)
x = jax.device_put(a, column_major)
assert x.format.layout.major_to_minor == (1, 0)
np.testing.assert_array_equal(x, a)
np.testing.assert_array_equal(x.addressable_shards[3].data, a[4:8, 8:])
f = jax.jit(lambda x: x + a, in_shardings=column_major, out_shardings=column_major, donate_argnums=0)
y = f(x)
assert y.format.layout.major_to_minor == (1, 0) and y.sharding == s
np.testing.assert_array_equal(y, a + a)
t = jax.jit(lambda x: x.T, out_shardings=Format(Layout.AUTO)).lower(jax.device_put(a, s)).compile()
assert t.output_formats.layout.major_to_minor == (1, 0)
z = t(jax.device_put(a, s))
np.testing.assert_array_equal(z, a.T)
assert z.sharding.spec == P("y", "x")
np.testing.assert_array_equal(jax.device_put(z, jax.devices()[1]), a.T)
three = jax.device_put(np.arange(24).reshape(2, 3, 4), Format(Layout((2, 0, 1)), jax.sharding.SingleDeviceSharding(jax.devices()[2])))
np.testing.assert_array_equal(jax.jit(lambda x: x + 1)(three), np.arange(1, 25).reshape(2, 3, 4))
""")

    def test_memory_kinds(self):
        self.check("""
from jax.experimental import serialize_executable
mesh = jax.make_mesh((4, 2), ("x", "y"), axis_types=(jax.sharding.AxisType.Auto,) * 2)
host, device = (NamedSharding(mesh, P("x", "y"), memory_kind=kind) for kind in ("pinned_host", "device"))
a = np.arange(32, dtype="f4").reshape(8, 4)
assert [m.kind for m in jax.devices()[1].addressable_memories()] == ["device", "pinned_host", "unpinned_host"]
x = jax.device_put(a, host)
assert x.sharding.memory_kind == "pinned_host" and jax.device_put(x, device).sharding.memory_kind == "device"
f = jax.jit(lambda x: (jax.device_put(x, device) + 1, x * 2), out_shardings=(device, host))
c = f.lower(x).compile()
for g in (f, c, serialize_executable.deserialize_and_load(*serialize_executable.serialize(c))):
    y, z = g(x)
    assert y.sharding.memory_kind == "device" and z.sharding.memory_kind == z.addressable_shards[3].data.sharding.memory_kind == "pinned_host"
    np.testing.assert_array_equal(y, a + 1)
    np.testing.assert_array_equal(z, a * 2)
""")

    def test_async_collectives(self):
        self.check("""
from jax._src.lax import parallel
if hasattr(parallel, "psum_start"):
    mesh = jax.make_mesh((4,), ("x",), axis_types=(jax.sharding.AxisType.Explicit,))
    with jax.set_mesh(mesh):
        f = jax.jit(jax.shard_map(lambda x: parallel.psum_start(x, "x").done() + 1, out_specs=P("x")))
        x = jax.device_put(np.arange(16.), P("x"))
        np.testing.assert_array_equal(f(x), np.tile(np.arange(16.).reshape(4, 4).sum(0) + 1, 4))
        assert "all-reduce(" in f.lower(x).compile().as_text()
""", 4)

    def test_high_bits_of_int4(self):
        self.check("""
import ml_dtypes
for dtype in (ml_dtypes.int4, ml_dtypes.uint4, ml_dtypes.int2):
    low = np.array([0, 1, 2, 3, -1, -2], "i1").astype(dtype)
    for high in (0, 0xf0, 0x50):
        memory = np.zeros(192, np.uint8)
        x = memory[-memory.ctypes.data % 64:][:6]     # used in place if its elements were bytes
        x[:] = (low.view(np.uint8) & (3 if dtype is ml_dtypes.int2 else 15)) | high & (0xfc if dtype is ml_dtypes.int2 else 0xf0)
        x = x.view(dtype)
        want = x.astype("i1")
        np.testing.assert_array_equal(jax.lax.gt(x, x[::-1].copy()), want > want[::-1])
        np.testing.assert_array_equal(jax.jit(lambda x: x.astype(jnp.int32))(x), want)
        np.testing.assert_array_equal(jax.device_put(x[::2]).astype(jnp.int32), want[::2])
""", 1)

    def test_unreduced(self):
        self.check("""
mesh = jax.make_mesh((2, 2), ("x", "y"), axis_types=(jax.sharding.AxisType.Explicit,) * 2)
a = np.arange(32, dtype="f4").reshape(8, 4)
with jax.set_mesh(mesh):
    x, y = jax.device_put(a, P("x", "y")), jax.device_put(a.T, P("y", None))
    r = jax.jit(lambda x, y: jnp.einsum("ab,bc->ac", x, y, out_sharding=P("x", None, unreduced={"y"})))(x, y)
    assert r.sharding.spec == P("x", None, unreduced={"y"}), r.sharding
    np.testing.assert_array_equal(sum(np.asarray(s.data) for s in r.addressable_shards[:2]), (a @ a.T)[:4])
    np.testing.assert_array_equal(jax.jit(lambda r: jax.reshard(r, P()))(r), a @ a.T)
    c = jax.jit(lambda: jax.reshard(jnp.full((8, 4), 3.), P(None, None, unreduced={"x", "y"})))()
    assert c.sharding.spec == P(None, None, unreduced={"x", "y"})
    np.testing.assert_array_equal(sum(np.asarray(s.data) for s in c.addressable_shards), np.full((8, 4), 3.))
    values, segments = jax.device_put(np.arange(8), P("x")), jax.device_put(np.array([0, 0, 1, 1, 1, 2, 2, 3]), P("x"))
    t = jax.jit(lambda v, s: jax.ops.segment_sum(v, s, num_segments=4, out_sharding=P(unreduced={"x"})))(values, segments)
    assert [np.asarray(s.data).tolist() for s in t.addressable_shards[::2]] == [[1, 5, 0, 0], [0, 4, 11, 7]]
    np.testing.assert_array_equal(jax.reshard(t, P()), [1, 9, 11, 7])
    inside = jax.jit(jax.shard_map(lambda x: x, in_specs=P(None, None, unreduced={"x", "y"}), out_specs=P(), check_vma=False))
    assert [float(np.asarray(s.data).sum()) for s in inside(c).addressable_shards].count(0.) == 3
""", 4)

    def test_result_shardings_divide(self):
        self.check("""
mesh = jax.make_mesh((4, 2), ("i", "j"), axis_types=(jax.sharding.AxisType.Auto,) * 2)
@jax.jit
def f(x):
    x = jax.lax.with_sharding_constraint(x, NamedSharding(mesh, P(("i", "j"))))
    y = jax.shard_map(lambda x: jnp.sum(x)[None], mesh=mesh, in_specs=P("i"), out_specs=P("i"), check_vma=False, axis_names={"i"})(x)
    return jax.lax.with_sharding_constraint(y, NamedSharding(mesh, P(("i", "j"))))
np.testing.assert_array_equal(f(jnp.arange(8.)), [1., 5., 9., 13.])
""")

    def test_errors(self):
        self.check("""
try:
    jax.jit(lambda x: x).lower(1.).compile(compiler_options={"no_such_option": 1})
    raise SystemExit("accepted")
except jax.errors.JaxRuntimeError as e:
    assert "no_such_option" in str(e)
""")

    def test_compiler_options_write_files(self):
        self.check("""
import json, os, tempfile
mesh = jax.make_mesh((8,), ("x",), axis_types=(jax.sharding.AxisType.Auto,))
x = jax.device_put(np.ones((16, 4), "f4"), NamedSharding(mesh, P("x")))
with tempfile.TemporaryDirectory() as folder:
    def total(x):
        return x.sum()
    options = {"shardrun_report": folder + "/%n_%m.json", "shardrun_html": folder + "/page.html", "shardrun_verify_each": True}
    assert float(jax.jit(total, compiler_options=options)(x)) == 64
    report = json.load(open(folder + "/0001_jit_total.json"))
    assert report["plan"]["collectives"]["all-reduce"]["count"] == 1, report["plan"]
    assert "stablehlo.reduce" in open(folder + "/page.html").read()
    try:
        jax.jit(lambda x: x, compiler_options={"shardrun_report": folder + "/none/plan.json"})(x)
        raise SystemExit("written")
    except jax.errors.JaxRuntimeError as e:
        assert "cannot be written" in str(e), e
""")

    def test_compiler_options_change_the_plan(self):
        self.check("""
mesh = jax.make_mesh((8,), ("x",), axis_types=(jax.sharding.AxisType.Auto,))
x = jax.device_put(np.random.rand(64, 64).astype("f4"), NamedSharding(mesh, P("x")))
lowered = jax.jit(lambda x: jnp.tanh(x @ x).sum(0)).lower(x)
compile = lambda **options: lowered.compile({"shardrun_" + name: value for name, value in options.items()})
default, replicated = compile(), compile(partition="replicate")
np.testing.assert_allclose(default(x), replicated(x), rtol=1e-5)
assert replicated.cost_analysis()["flops"] > 4 * default.cost_analysis()["flops"]
for mode in "off", "on", "auto":
    np.testing.assert_allclose(compile(codegen=mode)(x), default(x), rtol=1e-5)
compile(memory_per_device="1M")
try:
    compile(memory_per_device=1000)
    raise SystemExit("fits")
except jax.errors.JaxRuntimeError as e:
    assert "RESOURCE_EXHAUSTED" in str(e) and "no plan fits" in str(e), e
""")

    def test_auto_shard(self):
        self.check("""
mesh = jax.make_mesh((8,), ("x",), axis_types=(jax.sharding.AxisType.Auto,))
a, b = np.random.rand(256, 64).astype("f4"), np.random.rand(64, 64).astype("f4")
f = lambda a, b: jnp.tanh(a @ b) @ b
with jax.set_mesh(mesh):
    lowered = jax.jit(f).lower(a, b)
    found = lowered.compile({"shardrun_auto_shard": True})
    assert not found.input_shardings[0][0].is_fully_replicated, found.input_shardings
    jitted = jax.jit(f, compiler_options={"shardrun_auto_shard": True})
    y = jitted(a, b)
    assert not y.sharding.is_fully_replicated, y.sharding
np.testing.assert_allclose(y, np.tanh(a @ b) @ b, rtol=1e-4)
assert float(jax.jit(lambda x: x + 1, compiler_options={"shardrun_auto_shard": True})(1.)) == 2 # one device
""")

    def test_denormal_results_are_flushed(self):
        self.check("""
square = lambda x: jax.lax.bitcast_convert_type(x * x, jax.numpy.int32)
assert jax.jit(square)(jax.numpy.float32(1e-20)) == 0  # denormal results are flushed to zero, as by XLA
assert jax.jit(square, compiler_options={"xla_cpu_ftz": False})(jax.numpy.float32(1e-20)) > 0
""")

    def test_options_are_refused_by_name(self):
        self.check("""
def refuses(text, **options):
    try:
        jax.jit(lambda x: x).lower(1.).compile(compiler_options=options)
    except jax.errors.JaxRuntimeError as e:
        assert "INVALID_ARGUMENT" in str(e) and text in str(e), e
        return
    raise SystemExit(f"accepted {options}")
refuses("No such compile option: 'shardrun_reprot'; did you mean 'shardrun_report'?", shardrun_reprot="x")
refuses("No such compile option: 'shardrun_memory_per_devices'; did you mean 'shardrun_memory_per_device'?", shardrun_memory_per_devices=1)
refuses("No such compile option: 'shardrun_zzzzzzzzzz'", shardrun_zzzzzzzzzz=1)
refuses("shardrun_partition: expected one of cheap|upstream|replicate, got 'fast'", shardrun_partition="fast")
refuses("shardrun_verbose: expected true or false, got '2'", shardrun_verbose=2)
refuses("require shardrun_partition=cheap", shardrun_partition="upstream", shardrun_memory_per_device="1G")
refuses("No such compile option: 'xla_no_such_option'", xla_no_such_option=1)
refuses("No such compile option: 'no_such_option'", no_such_option=1)
refuses("No such compile option: 'report'", report="x")  # shardrun's own options have a prefix
refuses("While setting option xla_dump_max_hlo_modules, '1.5' is not a valid int32 value.", xla_dump_max_hlo_modules=1.5)
refuses("While setting option xla_embed_ir_in_executable, 'perhaps' is not a valid bool value.", xla_embed_ir_in_executable="perhaps")
jax.jit(lambda x: x, compiler_options={"xla_embed_ir_in_executable": True, "xla_dump_max_hlo_modules": 200,
    "xla_gpu_auto_spmd_partitioning_memory_budget_ratio": 0.5, "xla_dump_to": "folder", "xla_cpu_enable_fast_math": "False"})(1.)
refuses("xla_cpu_ftz: expected true or false, got '2'", xla_cpu_ftz=2)
""")

    def test_options_from_the_environment(self):
        code = """
import jax.numpy as jnp, jax
print(jax.jit(lambda x: x * 2, compiler_options={"shardrun_codegen": "off"})(jnp.ones(3)))
"""
        p = run(["-c", code], 1, SHARDRUN_VERBOSE="1", SHARDRUN_OVERLAP="on")
        self.assertEqual((p.returncode, p.stdout), (0, "[2. 2. 2.]\n"), p.stderr)
        self.assertIn("shardrun: jit__lambda: mesh none; 1 device; planned", p.stderr)
        p = run(["-c", code], 1, SHARDRUN_OVERLAP="sometimes")
        self.assertIn("SHARDRUN_OVERLAP: expected one of auto|on|off, got 'sometimes'", p.stderr)

    def test_results_have_propagated_shardings(self):
        self.check("""
mesh = jax.make_mesh((8,), ("x",), axis_types=(jax.sharding.AxisType.Auto,))
x = jax.device_put(np.ones((64, 64), "f4"), NamedSharding(mesh, P()))
assert (x @ x).sharding.is_fully_replicated
y = jax.device_put(x, NamedSharding(mesh, P("x")))
assert jax.jit(lambda y: jnp.sin(y) + 1)(y).sharding.is_equivalent_to(y.sharding, 2)
assert jax.jit(lambda y: y.sum(0))(y).sharding.is_fully_replicated
""")

    def test_profiler(self):
        self.check("""
import glob, tempfile, time
mesh = jax.make_mesh((2,), ("x",), axis_types=(jax.sharding.AxisType.Auto,))
x = jax.device_put(np.ones((64, 64), "f4"), NamedSharding(mesh, P("x")))
step = jax.jit(lambda x: jax.lax.fori_loop(0, 3, lambda i, y: jnp.sin(y @ y), x).sum())
step(x).block_until_ready()
def planes():
    with tempfile.TemporaryDirectory() as folder:
        with jax.profiler.trace(folder):
            for _ in range(2):
                step(x).block_until_ready()
        data = jax.profiler.ProfileData.from_file(glob.glob(folder + "/**/*.xplane.pb", recursive=True)[0])
        return {plane.name: {line.name: [(e.name, e.duration_ns, dict(e.stats)) for e in line.events] for line in plane.lines}
                for plane in data.planes if "shardrun" in plane.name}
found = planes()
assert sorted(found) == ["/device:CUSTOM:shardrun device 0", "/device:CUSTOM:shardrun device 1"], found
for lines in found.values():
    assert [name for name, _, _ in lines["XLA Modules"]] == ["jit__lambda"] * 2, lines
    products = [e for e in lines["XLA Ops"] if e[0] == "stablehlo.dot_general"]
    assert len(products) == 6 and all("<string>:" in stats["source"] for _, _, stats in products), lines
    inside, whole = sum(d for _, d, _ in products), sum(d for _, d, _ in lines["XLA Modules"])
    assert 0 < inside < whole, (inside, whole)
assert sorted(planes()) == sorted(found)
""", devices=2)

    def test_tokens(self):
        self.check("""
token = jax.jit(jax.lax.create_token)(1.)
assert isinstance(token, jax._src.core.Token)
x, token = jax.jit(lambda x, t: (x + 1, jax.lax.after_all(t, jax.lax.create_token())))(jnp.ones(3), token)
np.testing.assert_array_equal(x, np.full(3, 2))
token.block_until_ready()
try:
    token._buf._value
except RuntimeError as e:
    assert "token" in str(e), e
else:
    raise AssertionError("a token was read")
""")

    def test_partial_windows(self):
        self.check("""
numbers = jax.lax.ScatterDimensionNumbers(update_window_dims=(1,), inserted_window_dims=(), scatter_dims_to_operand_dims=(0,))
f = lambda x, i, u: jax.lax.scatter_add(x, i, u, numbers)
arguments = np.zeros(10, "f4"), np.array([[8], [9], [-1]]), np.ones((3, 2), "f4")
np.testing.assert_array_equal(jax.jit(f)(*arguments), [0] * 8 + [1, 1])
u = jax.grad(lambda u: f(arguments[0], arguments[1], u).sum())(arguments[2])
np.testing.assert_array_equal(u, [[1, 1], [0, 0], [0, 0]])
""")

    def test_analysis(self):
        self.check("""
c = jax.jit(lambda x: x @ x).lower(jnp.ones((32, 32))).compile()
assert c.cost_analysis()["flops"] == 2 * 32 ** 3, c.cost_analysis()
assert c.memory_analysis().argument_size_in_bytes == 4096
""")


class Processes(unittest.TestCase):
    def check(self, processes, devices, *arguments):
        if not options.mpirun:
            self.skipTest("no launcher")
        p = run([os.path.join(here, "plugin_processes.py"), *arguments], devices, [*options.mpirun.split(), "-np", str(processes)])
        self.assertEqual((p.returncode, p.stdout.count("process ended well")), (0, processes), p.stdout + p.stderr)

    def test_two_processes(self):
        self.check(2, 1)

    def test_two_processes_with_two_devices(self):
        self.check(2, 2)

    def test_a_process_fails(self):
        if not options.mpirun:
            self.skipTest("no launcher")
        p = run([os.path.join(here, "plugin_processes.py"), "fail"], 1, [*options.mpirun.split(), "-np", "2"])
        self.assertNotEqual(p.returncode, 0)
        self.assertIn("process 1 fails", p.stderr)
        self.assertIn("the process of rank 1 has ended", p.stdout + p.stderr)

    def test_a_process_ends_later(self):
        self.check(2, 1, "late")

    def test_four_processes(self):
        self.check(4, 1)


parser = argparse.ArgumentParser()
parser.add_argument("--plugin", required=True)
parser.add_argument("--mpirun", default="")
options, rest = parser.parse_known_args()
unittest.main(argv=[sys.argv[0], *rest])
