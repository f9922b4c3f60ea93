"""Run by plugin_test.py on every process of a job: programs on global and on local devices of the plugin."""
import sys
import time
import jax, jax.numpy as jnp, numpy as np
from jax.experimental import multihost_utils
from jax.sharding import NamedSharding, PartitionSpec as P

n, me = jax.device_count(), jax.process_index()
assert jax.process_count() * jax.local_device_count() == n
mesh = jax.make_mesh((n,), ("x",), axis_types=(jax.sharding.AxisType.Auto,))
sharding = NamedSharding(mesh, P("x"))
a = np.arange(n * 4, dtype="f4").reshape(n * 2, 2)

x = jax.device_put(a, sharding)
y = jax.make_array_from_callback(a.shape, sharding, lambda index: a[index])
assert float(jax.jit(lambda x, y: (x + y).sum())(x, y)) == 2 * a.sum()
sums = jax.jit(jax.shard_map(lambda b: jax.lax.psum(b, "x"), mesh=mesh, in_specs=P("x"), out_specs=P()))(x)
np.testing.assert_array_equal(sums, a.reshape(n, 2, 2).sum(0))
if "fail" in sys.argv:
    if me == 1:
        raise ValueError("process 1 fails")
    try:
        float(jax.jit(jnp.sum)(x))
    except jax.errors.JaxRuntimeError as e:
        sys.stdout.write(str(e) + "\n")
        sys.stdout.flush()
    sys.exit(1)
gathered = multihost_utils.process_allgather(np.array([me], dtype="f4"))
np.testing.assert_array_equal(gathered.ravel(), np.arange(jax.process_count()))
# run a program on the devices of this process only
for _ in range(me):
    np.testing.assert_array_equal(jax.jit(lambda v: v * 2)(jnp.arange(3.) + me), 2 * (np.arange(3.) + me))
# run a program on the devices of some of the processes
if jax.process_count() > 2 and me < 2:
    part = jax.sharding.Mesh(np.array([d for d in jax.devices() if d.process_index < 2]), ("x",))
    z = jax.make_array_from_callback((part.size,), NamedSharding(part, P("x")), lambda index: np.arange(part.size, dtype="f4")[index])
    assert float(jax.jit(jnp.sum)(z)) == part.size * (part.size - 1) / 2
multihost_utils.sync_global_devices("end")
if "late" in sys.argv and me == 0: # work of its own, longer than the others wait for it (GRACE_SECONDS)
    time.sleep(12)
sys.stdout.write("process ended well\n")
