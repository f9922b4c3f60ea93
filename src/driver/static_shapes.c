/* Make dynamic dimensions static: refine a module by the types of its entry's arguments.
 *
 * Leaves static shapes, or reports one error: an argument of unknown shape, a shape that does not match the declared type or an
 * assertion of the program, or an op whose shape depends on data. */
#include "driver/static_shapes.h"
#include "dialect/attr_names.h"
#include "dialect/infer/infer.h"
#include "optimize/shapes/refine.h"
#include <string.h>

static bool is_dynamic(const struct sr_type *t)
{
	return t->kind == SR_TYPE_UNRANKED || (t->kind == SR_TYPE_TENSOR && !sr_type_is_static(t));
}

static bool has_dynamic_result(const struct sr_op *op)
{
	for (int i = 0; i < op->n_results; i++)
		if (is_dynamic(op->results[i].type))
			return true;
	for (int r = 0; r < op->n_regions; r++)
		for (struct sr_block *block = op->regions[r].first; block; block = block->next)
			for (int i = 0; i < block->n_args; i++)
				if (is_dynamic(block->args[i]->type))
					return true;
	return false;
}

/* Walk callback: stop at the first op that has a result or block argument of unknown shape, and set *found_op. */
static bool find_dynamic_op(void *found_op, struct sr_op *op)
{
	*(struct sr_op **)found_op = op;
	return !has_dynamic_result(op);
}

/* Walk callback: stop at the op that introduces an unknown shape, and set *found_op. */
static bool find_shape_source(void *found_op, struct sr_op *op)
{
	bool is_source = has_dynamic_result(op) && !sr_op_is(op, SR_OP_func_call) && !sr_op_is(op, SR_OP_func_func);
	for (int i = 0; i < op->n_operands; i++)
		is_source = is_source && !is_dynamic(sr_operand(op, i)->type);
	if (is_source)
		*(struct sr_op **)found_op = op;
	return !is_source;
}

bool sr_shapes_are_static(struct sr_op *module)
{
	struct sr_op *op;
	return sr_walk(module, find_dynamic_op, &op);
}

static bool is_compatible(const struct sr_type *input_type, const struct sr_type *declared_type)
{
	if (input_type->element != declared_type->element || (declared_type->kind == SR_TYPE_TENSOR && input_type->rank != declared_type->rank))
		return false;
	for (int d = 0; declared_type->kind == SR_TYPE_TENSOR && d < input_type->rank; d++) {
		int64_t bound = sr_dimension_upper_bound(declared_type, d);
		if (declared_type->shape[d] != SR_DYNAMIC ? declared_type->shape[d] != input_type->shape[d]
							  : bound != SR_DYNAMIC && input_type->shape[d] > bound)
			return false;
	}
	return true;
}

static enum sr_status refine_argument_type(struct sr_context *ctx, struct sr_op *func, const struct sr_compile_options *o, int i,
					   const struct sr_type **type)
{
	const struct sr_type *declared_type = sr_func_entry(func)->args[i]->type;
	enum sr_status status = SR_OK;
	*type = declared_type;
	if (!is_dynamic(declared_type))
		return SR_OK;
	const struct sr_type *input_type = o->argument_type ? o->argument_type(ctx, o->argument_data, func, i, declared_type, &status)
							    : NULL;
	if (status)
		return status;
	const char *name = sr_func_arg_name(func, i), *name_text = name ? sr_printf(ctx->arena, " (%s)", name) : "";
	if (!input_type)
		return sr_op_error(func, &ctx->diags, SR_UNSUPPORTED,
				   "argument %d%s has type %s with dynamic dimensions, and no input gives its shape", i, name_text,
				   sr_bounded_type_str(ctx, declared_type));
	if (!is_compatible(input_type, declared_type))
		return sr_error(&ctx->diags, SR_USAGE, (struct sr_src_loc){0}, "argument %d%s has type %s, but %s is given", i,
				name_text, sr_bounded_type_str(ctx, declared_type), sr_type_string(ctx, input_type));
	*type = input_type;
	return SR_OK;
}

enum sr_status sr_refine_entry_arguments(struct sr_context *ctx, struct sr_op *module, const struct sr_compile_options *o)
{
	enum sr_status status;
	struct sr_op *func = sr_find_entry_function(ctx, module, o->function, &status);
	int n = func ? sr_func_entry(func)->n_args : 0;
	const struct sr_type **types = SR_NEW_ARRAY(ctx->arena, const struct sr_type *, n);
	for (int i = 0; !status && i < n; i++)
		status = refine_argument_type(ctx, func, o, i, &types[i]);
	return status ? status : sr_refine_shapes(ctx, module, func, types);
}

enum sr_status sr_check_static_shapes(struct sr_context *ctx, struct sr_op *module)
{
	struct sr_op *op;
	if (sr_walk(module, find_dynamic_op, &op))
		return SR_OK;
	sr_walk(module, find_shape_source, &op);
	const struct sr_attr *target = sr_op_is(op, SR_OP_stablehlo_custom_call) ? sr_op_attr(op, SR_NAME_call_target_name) : NULL;
	return sr_op_error(op, &ctx->diags, SR_UNSUPPORTED,
			   "%s%s%shas a shape that cannot be computed from the shapes of the program's arguments",
			   target ? "calls @" : "", target ? target->s : "", target ? " and " : "");
}
