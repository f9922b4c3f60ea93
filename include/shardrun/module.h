/* A module: a program of StableHLO with Shardy shardings, as jax.jit(f).lower(...).as_text() prints it, read and verified.
 * Portable artifacts (jax.export) and HLO text (XLA, PyTorch/XLA) are told by their first bytes and read as well.
 *
 * Shapes in it are global: the module says what is computed and how values are laid out over the mesh, not what one device does.
 * It does not change; several plans may be made of it.
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

/* Read the file `path` ("-": standard input), parse and verify it. Not collective.
 * Returns SR_OK; SR_USAGE where the file cannot be read, SR_INVALID where it does not parse or verify, SR_UNSUPPORTED for a format
 * that is not read, SR_NO_MEMORY (*out is NULL then). Else *out is a handle that the caller frees, of use for its message alone
 * after an error. */
enum sr_status shardrun_module_load(const char *path, struct shardrun_module **out);

/* The same from memory: `n` bytes, which are copied. `name` stands for the file in messages. Not collective. */
enum sr_status shardrun_module_read(const char *name, const void *bytes, size_t n, struct shardrun_module **out);

/* What went wrong, in one or more lines; "" where nothing did. Also for NULL ("out of memory"). Owned by the module. */
const char *shardrun_module_message(const struct shardrun_module *module);

/* The module as text, as MLIR prints it. Owned by the module; NULL after an error, or where memory runs out. */
const char *shardrun_module_text(struct shardrun_module *module);

/* NULL is fine. Plans made of the module stay good: its memory is given back when the last of them has been freed, too. */
void shardrun_module_free(struct shardrun_module *module);

#ifdef __cplusplus
}
#endif
#endif
