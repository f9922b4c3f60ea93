/* Find, build and replace custom calls, constants and returns for the passes that import and export shardings. */
#include "import/forms/custom_call.h"
#include "dialect/attr_names.h"
#include <string.h>

bool sr_is_custom_call_to(const struct sr_op *op, const char *target)
{
	const struct sr_attr *name = sr_op_is(op, SR_OP_stablehlo_custom_call) ? sr_op_attr(op, SR_NAME_call_target_name) : NULL;
	return name && name->kind == SR_ATTR_STRING && !strcmp(name->s, target);
}

struct sr_op *sr_build_custom_call(struct sr_context *ctx, struct sr_op *anchor, const struct sr_attr *loc, const char *target,
				   struct sr_value *const *operands, int n_operands, const struct sr_type *const *results,
				   int n_results)
{
	struct sr_named_attr attrs[] = {{sr_intern(ctx, SR_NAME_call_target_name), sr_attr_string(ctx, target, strlen(target))}};
	struct sr_op_spec spec = {.info = sr_info(ctx, SR_OP_stablehlo_custom_call), .loc = loc, .operands = operands,
				  .n_operands = n_operands, .results = results, .n_results = n_results, .attrs = attrs,
				  .n_attrs = 1};
	struct sr_op *op = sr_op_new(ctx, &spec);
	if (anchor)
		sr_op_insert_before(anchor, op);
	return op;
}

void sr_replace_custom_call(struct sr_context *ctx, struct sr_op *call, enum sr_op_code code, const char *attr,
			    const struct sr_attr *value, const struct sr_attr *frontend_attrs)
{
	struct sr_value *input = sr_operand(call, 0);
	struct sr_named_attr attrs[] = {{sr_intern(ctx, attr), value}, {sr_intern(ctx, SR_FRONTEND_ATTRIBUTES), frontend_attrs}};
	bool has_result = code != SR_OP_sdy_sharding_group;
	struct sr_op_spec spec = {.info = sr_info(ctx, code), .loc = call->loc, .operands = &input, .n_operands = 1,
				  .results = &input->type, .n_results = has_result, .attrs = attrs, .n_attrs = 2};
	struct sr_op *new_op = sr_op_new(ctx, &spec);
	sr_op_insert_before(call, new_op);
	for (int i = 0; i < call->n_results; i++)
		sr_value_replace_all(sr_result(call, i), has_result ? sr_result(new_op, 0) : input);
	sr_op_erase(call);
}

void sr_sdy_constant_to_stablehlo(struct sr_context *ctx, struct sr_op *op)
{
	struct sr_builder b = {.ctx = ctx, .block = op->block, .anchor = op, .loc = op->loc};
	sr_value_replace_all(sr_result(op, 0), sr_build_constant(&b, sr_op_attr(op, SR_NAME_value)));
	sr_op_erase(op);
}

void sr_stablehlo_constant_to_sdy(struct sr_context *ctx, struct sr_op *op)
{
	struct sr_op_spec spec = {.info = sr_info(ctx, SR_OP_sdy_constant), .loc = op->loc, .results = &sr_result(op, 0)->type,
				  .n_results = 1, .attrs = op->attrs, .n_attrs = op->n_attrs};
	struct sr_op *sdy_constant = sr_op_new(ctx, &spec);
	sr_op_insert_before(op, sdy_constant);
	sr_value_replace_all(sr_result(op, 0), sr_result(sdy_constant, 0));
	sr_op_erase(op);
}

struct sr_op *sr_build_sdy_return(struct sr_context *ctx, const struct sr_attr *loc, struct sr_value *const *values, int n)
{
	struct sr_op_spec spec = {.info = sr_info(ctx, SR_OP_sdy_return), .loc = loc, .operands = values, .n_operands = n};
	return sr_op_new(ctx, &spec);
}

void sr_func_return_to_sdy(struct sr_context *ctx, struct sr_region *region)
{
	struct sr_op *old_return = region->first ? region->first->last : NULL;
	if (!old_return || !sr_op_is(old_return, SR_OP_func_return))
		return;
	struct sr_value **values = SR_NEW_ARRAY(ctx->arena, struct sr_value *, old_return->n_operands);
	for (int i = 0; i < old_return->n_operands; i++)
		values[i] = sr_operand(old_return, i);
	sr_op_insert_before(old_return, sr_build_sdy_return(ctx, old_return->loc, values, old_return->n_operands));
	sr_op_erase(old_return);
}

static int count_arguments(const struct sr_op *func)
{
	return sr_func_type(func)->n_inputs;
}

static int count_results(const struct sr_op *func)
{
	return sr_func_type(func)->n_results;
}

const struct sr_func_value_kind sr_func_value_kinds[2] = {
	{"argument", count_arguments, sr_func_arg_attr, sr_func_arg_dicts, sr_func_set_arg_dicts},
	{"result", count_results, sr_func_result_attr, sr_func_result_dicts, sr_func_set_result_dicts},
};
