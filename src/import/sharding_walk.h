/* Every sharding that a module holds, through one function: of function arguments and results, of values, edges, constraints,
 * manual and named computations and collectives. */
#ifndef SR_IMPORT_SHARDING_WALK_H
#define SR_IMPORT_SHARDING_WALK_H

#include "dialect/ops.h"

/* Given a SHARDING attribute, returns the one to stand in its place. */
typedef const struct sr_attr *sr_sharding_map_fn(void *data, const struct sr_attr *sharding);

/* In preorder; of a function the arguments come before the results. */
void sr_shardings_map(struct sr_context *ctx, struct sr_op *root, sr_sharding_map_fn *fn, void *data);
/* Of one attribute: a sharding, or a list of shardings; others come back as they are. */
const struct sr_attr *sr_sharding_attr_map(struct sr_context *ctx, const struct sr_attr *attr, sr_sharding_map_fn *fn, void *data);
/* sdy.sharding in arg_attrs or res_attrs of a function alone. */
void sr_func_shardings_map(struct sr_context *ctx, struct sr_op *func, const char *list, sr_sharding_map_fn *fn, void *data);
/* Take attributes of these names (n of them) off a dictionary list of a function. */
void sr_func_attrs_drop(struct sr_context *ctx, struct sr_op *func, const char *list, const char *const *names, int n);

#endif
