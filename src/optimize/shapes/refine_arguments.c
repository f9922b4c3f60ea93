/* stablehlo-refine-arguments: change the types of an entry function's arguments.
 *
 * Uses keep the declared types: each changed argument goes through a custom call with the argument and its shape, which shape
 * refinement removes:
 *
 *	func @main(%arg0: tensor<?xf32>)        types=tensor<2xf32>
 *	=> func @main(%arg0: tensor<2xf32>)
 *	     %c = stablehlo.constant dense<2> : tensor<1xi64>
 *	     %0 = stablehlo.custom_call @stablehlo.shape_refinement_operand_wrapper(%arg0, %c) -> tensor<?xf32> */
#include "dialect/infer/infer.h"
#include "dialect/attr_names.h"
#include "optimize/pass_functions.h"
#include "optimize/shapes/refine.h"
#include "support/vec.h"
#include "text/text.h"
#include <string.h>

/* ---------------------------------------------------------------- checks */

static enum sr_status check_shape(const struct sr_type *t, const struct sr_type *refined_type, const char **mismatch)
{
	if (t->element != refined_type->element)
		*mismatch = "refinement element types must match in";
	else if (!sr_is_ranked(t))
		*mismatch = NULL;
	else if (!sr_is_ranked(refined_type))
		*mismatch = "refinement must be ranked in";
	else if (t->rank != refined_type->rank)
		*mismatch = "refinement rank must match operand rank in";
	else
		for (int d = 0; d < t->rank && !*mismatch; d++)
			if (!sr_is_dynamic(t->shape[d]) && t->shape[d] != refined_type->shape[d])
				*mismatch = "refinement dimension sizes must match for static dimensions in";
	return *mismatch ? SR_INVALID : SR_OK;
}

static bool is_tensor(const struct sr_type *t)
{
	return t->kind == SR_TYPE_TENSOR || t->kind == SR_TYPE_UNRANKED;
}

static enum sr_status check_argument(struct sr_context *ctx, struct sr_op *func, int i, const struct sr_type *t,
				     const struct sr_type *refined_type)
{
	const char *mismatch = NULL;
	if (t == refined_type)
		return SR_OK;
	if (!is_tensor(t) || !is_tensor(refined_type))
		mismatch = "refinement must be a tensor in";
	else
		check_shape(t, refined_type, &mismatch);
	if (!mismatch)
		return SR_OK;
	return sr_op_error(func, &ctx->diags, SR_INVALID, "invalid refinement for argument %d, %s %s -> %s", i, mismatch,
			   sr_type_string(ctx, t), sr_type_string(ctx, refined_type));
}

/* ---------------------------------------------------------------- */

/* Change the argument's type and wrap it, so that its uses keep the declared type. */
static void wrap(struct sr_builder *b, struct sr_value *arg, const struct sr_type *refined_type)
{
	struct sr_context *ctx = b->ctx;
	const struct sr_type *declared_type = arg->type;
	int64_t rank = refined_type->rank, one = 1;
	struct sr_named_attr attrs[] = {
		{SR_NAME_call_target_name, sr_attr_string(ctx, "stablehlo.shape_refinement_operand_wrapper", 42)},
		{"indices_of_shape_operands", sr_attr_dense_i64(ctx, 1, &one, &one)},
	};
	arg->type = refined_type;
	struct sr_value *operands[] = {NULL, sr_build_constant(b, sr_attr_dense_i64(ctx, 1, &rank, refined_type->shape))};
	struct sr_op *call = sr_build(b, SR_OP_stablehlo_custom_call, NULL, 0, attrs, 2, &declared_type, 1);
	sr_value_replace_all(arg, sr_result(call, 0));
	operands[0] = arg;
	sr_op_set_operands(ctx, call, operands, 2);
}

enum sr_status sr_refine_arguments(struct sr_context *ctx, struct sr_op *func, const struct sr_type *const *types, int n)
{
	struct sr_block *entry = sr_func_entry(func);
	const struct sr_type *type = sr_func_type(func);
	if (!entry || type->n_inputs != n)
		return sr_op_error(func, &ctx->diags, SR_INVALID, "number of refinements must match number of op operands %d vs %d",
				   n, type->n_inputs);
	for (int i = 0; i < n; i++)
		if (check_argument(ctx, func, i, entry->args[i]->type, types[i]))
			return SR_INVALID;
	struct sr_builder b = {.ctx = ctx, .block = entry, .anchor = entry->first, .loc = func->loc};
	for (int i = 0; i < n; i++)
		if (entry->args[i]->type != types[i])
			wrap(&b, entry->args[i], types[i]);
	sr_func_set_type(ctx, func, sr_type_function(ctx, types, n, type->results, type->n_results));
	return SR_OK;
}

/* Parse a comma-separated list of types; commas inside brackets belong to a type. */
static enum sr_status parse_types(struct sr_context *ctx, const char *text, const struct sr_type ***types, int *n)
{
	SR_VEC(const struct sr_type *) list = {0};
	const char *start = text;
	int depth = 0;
	for (const char *at = text;; at++) {
		depth += *at == '<' || *at == '(';
		depth -= *at == '>' || *at == ')';
		if (*at && (*at != ',' || depth))
			continue;
		const struct sr_type *type;
		const char *word = sr_strndup(ctx->arena, start, (size_t)(at - start));
		if (at > start && (sr_parse_type(ctx, word, &type) || type->kind == SR_TYPE_OPAQUE))
			return sr_error(&ctx->diags, SR_USAGE, (struct sr_src_loc){0}, "Invalid type string: %s", word);
		if (at > start)
			sr_push(ctx->arena, &list, type);
		if (!*at)
			break;
		start = at + 1;
	}
	*types = list.data;
	*n = (int)list.n;
	return SR_OK;
}

enum sr_status sr_run_refine_arguments(struct sr_context *ctx, struct sr_op *root, const struct sr_pass_options *options)
{
	const struct sr_type **types = NULL;
	int n = 0;
	enum sr_status st = parse_types(ctx, sr_option_string(options, "types"), &types, &n);
	struct sr_op *func = st ? NULL : sr_refine_entry(ctx, root);
	return func ? sr_refine_arguments(ctx, func, types, n) : st ? st : SR_INVALID;
}
