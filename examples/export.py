"""Write an example's files: model.mlir, its arguments in inputs.npz, and its results as JAX computes them on one device.

    cd heat; python ../export.py heat.py

The script defines `program`, a jitted function, `arguments`, `results` (file names of the results), and optionally `reference`, another way to
compute the same results.
"""
import runpy, sys
import jax, numpy as np

jax.config.update("jax_platforms", "cpu")
jax.config.update("jax_num_cpu_devices", 8)
# write source locations as file and line only, without callers and folders
jax.config.update("jax_include_full_tracebacks_in_locations", False)
jax.config.update("jax_hlo_source_file_canonicalization_regex", ".*/")

script = runpy.run_path(sys.argv[1])
program, arguments = script["program"], script["arguments"]
with open("model.mlir", "w") as model:
    model.write(program.lower(*arguments).as_text(debug_info=True))

names = program.__wrapped__.__code__.co_varnames
leaves = {".".join((names[path[0].idx], *(str(getattr(key, "key", getattr(key, "idx", None))) for key in path[1:]))): leaf
          for path, leaf in jax.tree_util.tree_leaves_with_path(arguments)}
np.savez("inputs.npz", **leaves)

# compute the expected values op by op on one device, without a partitioner
jax.lax.with_sharding_constraint = lambda x, sharding: x
values = script.get("reference", program.__wrapped__)(*jax.tree.map(jax.numpy.asarray, arguments))
for name, value in zip(script["results"], jax.tree.leaves(values), strict=True):
    np.save(f"{name}.npy", np.asarray(value))
    print(name, np.asarray(value) if value.size < 10 else value.aval.str_short())
