/* Apply a function to every sharding of a module: those of function arguments and results, ops, edges, constraints, manual and
 * named computations and collectives. */
#ifndef SR_IMPORT_SHARDING_WALK_H
#define SR_IMPORT_SHARDING_WALK_H

#include "dialect/ops.h"

/* Return the replacement of a SHARDING attribute. */
typedef const struct sr_attr *sr_sharding_map_fn(void *data, const struct sr_attr *sharding);

/* Map all shardings under `root` in preorder; a function's arguments come before its results. */
void sr_shardings_map(struct sr_context *ctx, struct sr_op *root, sr_sharding_map_fn *fn, void *data);
/* Map sdy.sharding in one list of a function: arg_attrs or res_attrs. */
void sr_func_shardings_map(struct sr_context *ctx, struct sr_op *func, const char *list, sr_sharding_map_fn *fn, void *data);
/* Remove the n named attributes from a function's arg_attrs or res_attrs. */
void sr_func_attrs_drop(struct sr_context *ctx, struct sr_op *func, const char *list, const char *const *names, int n);

#endif
