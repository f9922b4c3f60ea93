/* A module: a verified StableHLO program with Shardy shardings, as printed by jax.jit(f).lower(...).as_text(). Portable artifacts
 * (jax.export) and HLO (text or HloModuleProto, of XLA and PyTorch/XLA) are recognized by their first bytes and read as well.
 *
 * Shapes in a module are global: it says what is computed and how values are sharded over the mesh. What one device does is in
 * the plan. A module is immutable; several plans may be made from it.
 *
 *	struct shardrun_module *module;
 *	if (shardrun_module_load("model.mlir", &module))
 *		fputs(shardrun_module_message(module), stderr);        model.mlir:3:41: error: ...
 *	shardrun_module_free(module);
 *
 * Conventions: see <shardrun.h>. No function here is collective. */
#ifndef SHARDRUN_MODULE_H
#define SHARDRUN_MODULE_H

#include <shardrun/status.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

struct shardrun_module;

/* Read, parse and verify the file `path` ("-": standard input). Returns SR_OK; SR_USAGE if the file cannot be read, SR_INVALID if
 * it does not parse or verify, SR_UNSUPPORTED for an unknown format, SR_NO_MEMORY (*out is NULL then). Otherwise *out is a handle
 * that the caller frees; after an error only its message can be used. */
enum sr_status shardrun_module_load(const char *path, struct shardrun_module **out);

/* Parse and verify `n` bytes in memory, which are copied. `name` replaces the file name in messages. Otherwise like
 * shardrun_module_load. */
enum sr_status shardrun_module_read(const char *name, const void *bytes, size_t n, struct shardrun_module **out);

/* Return the error message, one or more lines, or "" if there was no error. For NULL: "out of memory". Owned by the module. */
const char *shardrun_module_message(const struct shardrun_module *module);

/* Return the module as MLIR text, owned by the module; NULL after an error or if memory runs out. */
const char *shardrun_module_text(struct shardrun_module *module);

/* Free the module; NULL is allowed. Plans made from it stay valid: its memory is freed with the last of them. */
void shardrun_module_free(struct shardrun_module *module);

#ifdef __cplusplus
}
#endif
#endif
