/* Find, build and replace custom calls, function attributes and returns, for the passes that import and export shardings as GSPMD
 * annotations or frontend attributes. */
#ifndef SR_IMPORT_CUSTOM_CALL_H
#define SR_IMPORT_CUSTOM_CALL_H

#include "dialect/ops.h"

#define SR_FRONTEND_ATTRIBUTES "mhlo.frontend_attributes"
#define SR_MHLO_SHARDING "mhlo.sharding"

bool sr_is_custom_call_to(const struct sr_op *op, const char *target);

/* Create a stablehlo.custom_call before `anchor` (detached if NULL) with call_target_name as its only attribute. */
struct sr_op *sr_build_custom_call(struct sr_context *ctx, struct sr_op *anchor, const struct sr_attr *loc, const char *target,
				   struct sr_value *const *operands, int n_operands, const struct sr_type *const *results,
				   int n_results);

/* Replace `call` by an sdy op with the call's operand 0 and attribute `attr`. The op has one result of the operand's type, except
 * sdy.sharding_group, which has none. `frontend_attrs` becomes its frontend attributes; NULL: none. */
void sr_replace_custom_call(struct sr_context *ctx, struct sr_op *call, enum sr_op_code code, const char *attr,
			    const struct sr_attr *value, const struct sr_attr *frontend_attrs);

/* Functions that read and set the attributes of a function's arguments, or those of its results. */
struct sr_func_value_kind {
	const char *name;
	int (*count)(const struct sr_op *func);
	const struct sr_attr *(*get)(const struct sr_op *func, int i, const char *name);
	const struct sr_attr **(*dicts)(struct sr_context *ctx, const struct sr_op *func);
	void (*set_dicts)(struct sr_context *ctx, struct sr_op *func, const struct sr_attr **dicts);
};
extern const struct sr_func_value_kind sr_func_value_kinds[2];

void sr_sdy_constant_to_stablehlo(struct sr_context *ctx, struct sr_op *op); /* Replace an sdy.constant by a stablehlo.constant. */
/* Replace a stablehlo.constant by an sdy.constant with the same sharding. */
void sr_stablehlo_constant_to_sdy(struct sr_context *ctx, struct sr_op *op);

/* Replace the func.return that ends the region by sdy.return. */
void sr_func_return_to_sdy(struct sr_context *ctx, struct sr_region *region);
/* Build an sdy.return that is not in a block. */
struct sr_op *sr_build_sdy_return(struct sr_context *ctx, const struct sr_attr *loc, struct sr_value *const *values, int n);

#endif
