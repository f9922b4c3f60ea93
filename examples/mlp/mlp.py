import os
os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=8"
import jax, jax.numpy as jnp, numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

def mlp(x, w1, w2):
    h = jnp.tanh(x @ w1)
    return h @ w2

mesh = Mesh(np.array(jax.devices()).reshape(4, 2), ("data", "model"))
put = lambda *spec: NamedSharding(mesh, P(*spec))
sharded = jax.jit(mlp, in_shardings=(put("data", None), put(None, "model"), put("model", None)),
                  out_shardings=put("data", None), keep_unused=True)

r = np.random.default_rng(0)
x, w1, w2 = (r.normal(size=shape).astype("f4") for shape in ((16, 8), (8, 32), (32, 4)))
open("model.mlir", "w").write(sharded.lower(x, w1, w2).as_text(debug_info=True))
np.save("x.npy", x), np.save("w1.npy", w1), np.save("w2.npy", w2)
np.save("y.npy", mlp(x, w1, w2))  # what one device computes
