/* Passes that convert the sharding annotations of JAX and PyTorch/XLA to the form that propagation requires, and back: upstream's
 * import and export passes, except those that partition. */
#ifndef SR_IMPORT_IMPORT_H
#define SR_IMPORT_IMPORT_H

#include "dialect/ops.h"
#include "ir/pass.h"

/* Unit attribute of an argument or result whose GSPMD sharding does not divide its dimensions evenly. XLA gives such values equal,
 * padded shards, and frameworks pass shards of that size, so sdy-update-non-divisible-input-output-shardings keeps the sharding. */
#define SR_UNEVEN_SHARDING "shardrun.uneven"

/* Return true if custom calls of `target` call back into the Python process that exported the program. */
bool sr_is_python_callback(const char *target);

/* Extend meshes of one device to the devices of the module's largest mesh: shardrun-extend-unit-meshes. */
void sr_extend_unit_meshes(struct sr_context *ctx, struct sr_op *module);

extern const struct sr_pass sr_import_passes[]; /* table of the import passes, ended by a row without a name */

#endif
