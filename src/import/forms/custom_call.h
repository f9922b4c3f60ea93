/* What the imports and exports of other forms of shardings share: custom calls, attributes of functions, returns. */
#ifndef SR_IMPORT_CUSTOM_CALL_H
#define SR_IMPORT_CUSTOM_CALL_H

#include "dialect/ops.h"

#define SR_FRONTEND_ATTRIBUTES "mhlo.frontend_attributes"
#define SR_MHLO_SHARDING "mhlo.sharding"

bool sr_is_custom_call_to(const struct sr_op *op, const char *target);

/* A stablehlo.custom_call before the anchor, detached where it is NULL, without attributes but its target. */
struct sr_op *sr_build_custom_call(struct sr_context *ctx, struct sr_op *anchor, const struct sr_attr *loc, const char *target,
			     struct sr_value *const *operands, int n_operands, const struct sr_type *const *results, int n_results);

/* An sdy op of one operand, and a result of the same type but for sharding groups, in the place of a call, whose results it takes
 * over. Frontend attributes given stay (NULL: none). */
void sr_replace_custom_call(struct sr_context *ctx, struct sr_op *call, enum sr_op_code code, const char *attr,
		     const struct sr_attr *value, const struct sr_attr *frontend);

/* The arguments and the results of a function, and their attributes. */
struct sr_func_value_kind {
	const char *name;
	int (*count)(const struct sr_op *func);
	const struct sr_attr *(*get)(const struct sr_op *func, int i, const char *name);
	const struct sr_attr **(*dicts)(struct sr_context *ctx, const struct sr_op *func);
	void (*set_dicts)(struct sr_context *ctx, struct sr_op *func, const struct sr_attr **dicts);
};
extern const struct sr_func_value_kind sr_func_value_kinds[2];

void sr_sdy_constant_to_stablehlo(struct sr_context *ctx, struct sr_op *op); /* in its place */
void sr_stablehlo_constant_to_sdy(struct sr_context *ctx, struct sr_op *op); /* in its place, with its sharding */

/* The func.return that ends the region becomes sdy.return. */
void sr_func_return_to_sdy(struct sr_context *ctx, struct sr_region *region);
struct sr_op *sr_build_sdy_return(struct sr_context *ctx, const struct sr_attr *loc, struct sr_value *const *values,
			    int n); /* detached */

#endif
