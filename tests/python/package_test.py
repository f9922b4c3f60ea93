"""The package in python/ as JAX sees it: found by JAX's discovery, run in a process of its own with 8 devices.

    python package_test.py --build BUILD_FOLDER [NAME...]"""
import argparse
import os
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
PACKAGE = HERE.parents[1] / "python"

TESTS = {
    "devices": """
        assert jax.default_backend() == "cpu" and "shardrun" in jax.devices()[0].client.platform_version, jax.devices()
        assert jax.device_count() == 8
        assert jax.devices("cpu")  # XLA:CPU is there, too
    """,
    "missing_library": """
        # a warning for who asks for shardrun, none for who only exports programs
        import logging
        import jax_plugins.shardrun as plugin
        plugin.library = lambda: None
        messages = []
        handler = logging.Handler()
        handler.emit = lambda record: messages.append(record.getMessage())
        plugin.logger.addHandler(handler)
        for platforms, n in ("", 0), ("cpu", 0), ("shardrun,cpu", 1):
            jax.config.update("jax_platforms", platforms)
            messages.clear()
            plugin.initialize()
            assert len(messages) == n, (platforms, messages)
    """,
    "jit": """
        x = np.arange(12, dtype=np.float32).reshape(3, 4)
        np.testing.assert_allclose(jax.jit(lambda x: jnp.sin(x) @ x.T)(x), np.sin(x) @ x.T, rtol=1e-5)
    """,
    "sharded": """
        mesh = mesh_of(x=4, y=2)
        x = put(np.arange(64, dtype=np.float32).reshape(8, 8), mesh, "x", "y")
        y = jax.jit(lambda x: x @ x + x.sum(0))(x)
        want = np.asarray(x) @ np.asarray(x) + np.asarray(x).sum(0)
        np.testing.assert_allclose(y, want, rtol=1e-5)
        assert x.addressable_shards[3].data.shape == (2, 4)
    """,
    "buffer_callbacks": """
        from jax.experimental import buffer_callback
        def double(context, out, x):
            assert context.stage == buffer_callback.ExecutionStage.EXECUTE and out.writeable and not x.writeable
            np.asarray(out)[...] = 2 * np.asarray(x)
        f = jax.jit(buffer_callback.buffer_callback(double, jax.ShapeDtypeStruct((3, 4), jnp.float32)))
        x = np.arange(12, dtype=np.float32).reshape(3, 4)
        np.testing.assert_array_equal(f(x), 2 * x)
        np.testing.assert_array_equal(f(f(x)), 4 * x)
        def ask(context, out, x):
            try:
                context.stream  # of a GPU
                seen.append("a stream of a CPU")
            except jax.errors.JaxRuntimeError as error:
                seen.append(str(error))
        seen = []
        buffer_callback.buffer_callback(ask, jax.ShapeDtypeStruct((), jnp.float32))(1.).block_until_ready()
        assert len(seen) == 1 and "XLA FFI GPU context is not available" in seen[0], seen
    """,
    "custom_partitioning": """
        from jax.experimental.custom_partitioning import custom_partitioning
        seen = []
        @custom_partitioning
        def total(x, y):
            return jnp.sum(x, 1), y * 2
        def partition(mesh, args, results):
            rows, columns = (tuple(args[0].sharding.spec) + (None, None))[:2]
            seen.append((rows, columns))
            def lower(x, y):
                return jax.lax.psum(jnp.sum(x, 1), columns) if columns else jnp.sum(x, 1), y * 2
            ins = tuple(jax.sharding.NamedSharding(mesh, P(*s)) for s in ((rows, columns), (rows,)))
            return mesh, lower, (ins[1], ins[1]), ins
        total.def_partition(partition=partition, sharding_rule="i j, i -> i, i")
        mesh = mesh_of(x=4, y=2)
        x = np.arange(64, dtype=np.float32).reshape(8, 8)
        with jax.set_mesh(mesh):
            for spec in (P("x", "y"), P("y"), P(None, "x"), P()):
                s, y = jax.jit(lambda x: total(x + 1, x[:, 0]))(jax.device_put(x, spec))
                np.testing.assert_array_equal(s, (x + 1).sum(1))
                np.testing.assert_array_equal(y, 2 * x[:, 0])
        assert seen == [("x", "y"), ("y", None), (None, "x"), (None, None)], seen
        def wrong(mesh, args, results):
            sharding = jax.sharding.NamedSharding(mesh, P("x"))
            return mesh, lambda x, y: (x, y), (sharding, sharding), (sharding, sharding)
        total.def_partition(partition=wrong, sharding_rule="i j, i -> i, i")
        try:
            with jax.set_mesh(mesh):
                jax.jit(lambda x: total(x, x[:, 0]))(jax.device_put(x, P("x")))
            raise SystemExit("results of other shapes were taken")
        except ValueError as error:
            assert "Mismatch" in str(error), error
    """,
    "inspect_sharding": """
        seen = []
        mesh = mesh_of(x=4, y=2)
        x = put(np.ones((8, 8), np.float32), mesh, "x", "y")
        def f(x):
            y = x.T + 1
            jax.debug.inspect_array_sharding(y, callback=seen.append)
            return y
        with jax.set_mesh(mesh):
            np.testing.assert_array_equal(jax.jit(f)(x), np.full((8, 8), 2.))
        assert [s.is_equivalent_to(jax.sharding.NamedSharding(mesh, P("y", "x")), 2) for s in seen] == [True], seen
    """,
    "linalg_of_batches": """
        x = np.random.RandomState(3).randn(9, 6, 6).astype(np.float32)
        x = x @ np.swapaxes(x, 1, 2)
        b = x[:, :, :2].copy()
        for f in (lambda x, b: jnp.linalg.cholesky(x), lambda x, b: jax.lax.linalg.lu(x)[0],
                  lambda x, b: jax.lax.linalg.triangular_solve(x, b, left_side=True, lower=True)):
            f = jax.jit(f)
            for part in (slice(0, 4), slice(3, 4), slice(1, 9)):  # a matrix has the same bits whatever it is with
                np.testing.assert_array_equal(np.asarray(f(x, b))[part], f(x[part], b[part]))
    """,
    "tridiagonal": """
        diagonals = [np.full(5, v, np.float32) for v in (1., 4., 1.)]
        b = np.arange(5, dtype=np.float32)[:, None]
        x = jax.lax.linalg.tridiagonal_solve_p.bind(*diagonals, b, perturb_singular=True)
        np.testing.assert_allclose((np.diag(diagonals[1]) + np.diag(diagonals[0][1:], -1) + np.diag(diagonals[2][1:], 1)) @ x, b, atol=1e-5)
    """,
    "dlpack": """
        memory = np.zeros(1024 + 64, np.uint8)
        host = memory[-memory.ctypes.data % 64:][:1024].view(np.float32)
        host[:] = np.arange(256)
        x = jnp.from_dlpack(host, device=jax.devices()[0], copy=False)
        assert x.devices() == {jax.devices()[0]} and x.unsafe_buffer_pointer() == host.ctypes.data
        np.testing.assert_array_equal(np.from_dlpack(x), host)
        try:
            jnp.from_dlpack(host[1:], device=jax.devices()[0], copy=False)
            raise SystemExit("memory that is not aligned was taken without a copy")
        except (ValueError, jax.errors.JaxRuntimeError) as error:
            assert "aligned" in str(error) or "copy" in str(error), error
        for source in (host[1:], np.arange(6, dtype=np.int32).reshape(2, 3).T):
            for copy in (None, True):
                x, expected = jnp.from_dlpack(source, copy=copy), source.copy()
                assert x.devices() == {jax.devices()[0]}
                np.testing.assert_array_equal(x, expected)
                source += copy is True
                np.testing.assert_array_equal(x, expected)
    """,
    "dlpack_of_xla": """
        ours = jax.devices()[0]
        x = jax.device_put(np.arange(6., dtype=np.float32).reshape(2, 3), jax.devices("cpu")[0])
        y = jax.dlpack.from_dlpack(x)
        assert y.devices() == x.devices(), y.devices()
        np.testing.assert_array_equal(y, x)
        assert jnp.from_dlpack(x, device=ours).devices() == {ours}
        assert jnp.from_dlpack(np.array(x)).devices() == {ours} == jnp.from_dlpack(jax.device_put(x, ours)).devices()
    """,
    "dump": """
        import glob, tempfile
        with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as cache:
            jax.config.update("jax_compilation_cache_dir", cache)
            jax.config.update("jax_persistent_cache_min_compile_time_secs", 0)
            jax.config.update("jax_persistent_cache_min_entry_size_bytes", 0)
            mesh = mesh_of(x=4, y=2)
            x = put(np.ones((8, 8), np.float32), mesh, "x", "y")
            def compile(name, **options):
                def product(x):
                    return jnp.sin(x @ x)
                options = {"xla_dump_to": os.path.join(folder, name), **options}
                jax.jit(product, compiler_options=options).lower(x).compile()
                return sorted(os.path.basename(file).split(".", 1)[1] for file in glob.glob(os.path.join(folder, name, "*")))
            before, text, proto = ("jit_product." + end for end in ("before_optimizations.mlir", "cpu_after_optimizations.txt",
                                                                    "cpu_after_optimizations.hlo.pb"))
            assert compile("new") == [before, text]
            assert compile("cached", xla_dump_hlo_as_proto=True, xla_dump_hlo_as_text=True) == [proto, text]
            assert compile("proto", xla_dump_hlo_as_proto=True) == [proto]
            assert compile("others", xla_dump_hlo_module_re="nothing") == []
            texts = [open(glob.glob(os.path.join(folder, name, "*.txt"))[0]).read() for name in ("new", "cached")]
            assert texts[0] == texts[1] and "f32[2,4]" in texts[0] and "all-" in texts[0], texts
            assert "sdy.mesh" in open(glob.glob(os.path.join(folder, "new", "*.mlir"))[0]).read()
    """,
    "donation": """
        x = jnp.ones(1000)
        y = jax.jit(lambda x: x + 1, donate_argnums=0)(x)
        assert x.is_deleted() and float(y.sum()) == 2000
    """,
    "callbacks": """
        three = jax.ShapeDtypeStruct((3,), jnp.float32)
        double = jax.jit(lambda x: jax.pure_callback(lambda x: 2 * x, three, x) + 1)
        np.testing.assert_array_equal(double(jnp.arange(3.)), [1, 3, 5])
        four_bits = jax.ShapeDtypeStruct((3,), jnp.int4)
        negative = jax.jit(lambda x: jax.pure_callback(lambda x: np.asarray(-x).astype(jnp.int4), four_bits, x).astype(jnp.int8))
        np.testing.assert_array_equal(negative(jnp.arange(3.)), [0, -1, -2])
        denormal = lambda x: np.asarray(np.float32(1e-40) + np.float32(1e-40))  # computed as by NumPy, not flushed to zero
        bits = jax.jit(lambda x: jax.lax.bitcast_convert_type(jax.pure_callback(denormal, jax.ShapeDtypeStruct((), "float32"), x), "int32"))
        assert bits(jnp.float32(1)) > 0
        seen = []
        append = jax.jit(lambda x: jax.debug.callback(lambda x: seen.append(float(x)), x) or x + 1)
        assert append(4.) == 5
        jax.effects_barrier()
        assert seen == [4.], seen
        kept = []
        keep = jax.jit(lambda x: jax.pure_callback(lambda x: kept.append(x) or x + x, three, x))
        keep(np.arange(3, dtype=np.float32)), keep(np.ones(3, np.float32))
        jax.jit(lambda: jnp.full(3, 7.))()
        assert [k.tolist() for k in kept] == [[0, 1, 2], [1, 1, 1]], kept
        add = jax.jit(lambda x: jax.experimental.io_callback(lambda x: x + len(seen), jax.ShapeDtypeStruct((), jnp.float32), x, ordered=True))
        assert add(1.) == 2
        for kind in (jnp.bfloat16, jnp.int8, jnp.bool_, jnp.float8_e5m2):
            same = jax.jit(lambda x: jax.pure_callback(lambda x: x, jax.ShapeDtypeStruct((2,), kind), x))(jnp.ones(2, kind))
            assert same.dtype == kind and np.asarray(same).astype(float).tolist() == [1, 1]
        def fail(x):
            raise ValueError("no good")
        try:
            jax.jit(lambda x: jax.pure_callback(fail, three, x))(jnp.ones(3)).block_until_ready()
        except jax.errors.JaxRuntimeError as error:
            assert "no good" in str(error), error
        else:
            raise AssertionError("the callback's exception was lost")
    """,
    "ordered callbacks": """
        seen = []
        @jax.jit
        def f(x):
            for i in range(5):
                jax.debug.callback(lambda x, i=i: seen.append((i, float(x))), x, ordered=True)
            return x
        f(1.), f(2.)
        jax.effects_barrier()
        assert seen == [(i, x) for x in (1., 2.) for i in range(5)], seen
    """,
    "callbacks on 8 devices": """
        mesh = mesh_of(x=8)
        x = put(np.arange(16, dtype=np.float32), mesh, "x")
        shapes = []
        def double(x):
            shapes.append(x.shape)
            return 2 * x
        whole = jax.jit(lambda x: jax.pure_callback(double, jax.ShapeDtypeStruct((16,), jnp.float32), x))
        for _ in range(3):
            np.testing.assert_array_equal(whole(x), 2 * np.arange(16))
        assert shapes == [(16,)] * 3, shapes
    """,
    "callbacks on each device": """
        mesh = mesh_of(x=8)
        x = put(np.arange(16, dtype=np.float32), mesh, "x")
        for call in jax.pure_callback, jax.experimental.io_callback:
            shapes = []
            def add(x):
                shapes.append(x.shape)
                return x + 1
            local = lambda x: call(add, jax.ShapeDtypeStruct((2,), jnp.float32), x)
            y = jax.jit(jax.shard_map(local, mesh=mesh, in_specs=P("x"), out_specs=P("x")))(x)
            np.testing.assert_array_equal(y, np.arange(16) + 1)
            assert shapes == [(2,)] * 8, shapes
    """,
    "callbacks with shards": """
        mesh, seen = mesh_of(x=4, y=2), []
        def show(*values, **more):
            jax.debug.callback(lambda *values: seen.append([np.asarray(v).tolist() for v in values]), *values, partitioned=True, **more)
        def calls(f, *arguments):
            seen.clear()
            with jax.set_mesh(mesh):
                jax.jit(f)(*arguments)
            jax.effects_barrier()
            return sorted(seen)
        x = put(np.arange(4, dtype=np.float32), mesh, "x")
        z = put(np.arange(6, dtype=np.float32).reshape(3, 2), mesh, None, "y")
        each = lambda values: sorted(values * 2)  # along the axis that does not shard the value
        assert calls(lambda x: show(x + 1), x) == each([[[1.]], [[2.]], [[3.]], [[4.]]]), seen
        want = sorted([[i], [[j], [2 + j], [4 + j]]] for i in range(4) for j in range(2))
        assert calls(lambda x, z: show(x, z), x, z) == want, seen
        assert calls(lambda z: show(z.sum()), z) == [[15.]] * 8, seen
        assert calls(jax.vmap(show), x[:, None]) == sorted([[[float(i)]] for i in range(4)] * 8), seen
        uneven = jax.lax.with_sharding_constraint
        assert calls(lambda z: show(uneven(z[:, 0], P("x"))), z) == [[[0., 2., 4.]]] * 8, seen
        local = jax.shard_map(show, mesh=mesh, in_specs=P("x"), out_specs=None)
        assert calls(local, x) == each([[[0.]], [[1.]], [[2.]], [[3.]]]), seen
    """,
    "report": """
        import shardrun
        mesh = mesh_of(x=8)
        sharding = jax.sharding.NamedSharding(mesh, P("x"))
        x = jax.ShapeDtypeStruct((64, 8), np.float32, sharding=sharding)
        f = jax.jit(lambda x: x.sum(0))
        plan = shardrun.report(f, x)["plan"]
        assert plan["collectives"]["reduce-scatter"]["count"] == 1, plan
        assert "reduce" in shardrun.explain(f, x, value="reduce_sum")
        assert shardrun.explain(f, x)
        page = shardrun.html(f, x, file="page.html")
        assert "<html" in open(page).read()[:200]
        os.remove(page)
        try:
            shardrun.report(f, x, options=["--no-such-option"])
        except RuntimeError as error:
            assert "status 2" in str(error), error
        else:
            raise AssertionError("an unknown option was accepted")
        try:
            shardrun.report(f, x, options="--overlap=off")
        except TypeError as error:
            assert "['--overlap=off']" in str(error), error
        else:
            raise AssertionError("a text was accepted in place of a list")
    """,
}

HEAD = """
import os
import jax
import jax.numpy as jnp
import numpy as np

P = jax.sharding.PartitionSpec


def mesh_of(**axes):
    return jax.make_mesh(tuple(axes.values()), tuple(axes), axis_types=(jax.sharding.AxisType.Auto,) * len(axes))


def put(value, mesh, *spec):
    return jax.device_put(value, jax.sharding.NamedSharding(mesh, P(*spec)))

"""


def main():
    import textwrap
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("names", nargs="*")
    arguments = parser.parse_args()
    build = arguments.build.resolve()
    environment = dict(os.environ, PYTHONPATH=str(PACKAGE), JAX_PLATFORMS="shardrun,cpu", SHARDRUN_DEVICES="8", PYTHONDONTWRITEBYTECODE="1",
                       SHARDRUN_PJRT_LIBRARY=str(build / ".libs" / "libshardrun_pjrt.so"), SHARDRUN=str(build / "shardrun"))
    failed = 0
    for name in arguments.names or TESTS:
        done = subprocess.run([sys.executable, "-c", HEAD + textwrap.dedent(TESTS[name])], env=environment, capture_output=True, text=True,
                              timeout=600)
        if done.returncode:
            failed += 1
            print(f"FAIL: package, {name}\n{done.stdout}{done.stderr[-3000:]}")
    print(f"package: {len(arguments.names or TESTS) - failed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
