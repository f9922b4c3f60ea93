/* stablehlo-legalize-composite-to-call: rewrite composites as calls of their decompositions, except those named in the option
 * `except`. */
#include "dialect/ops.h"
#include "dialect/attr_names.h"
#include "optimize/legalize/name_list.h"
#include "optimize/pass_functions.h"

struct legalizer {
	struct sr_context *ctx;
	const char *excluded;
};

static void call_decomposition(struct sr_context *ctx, struct sr_op *op, const struct sr_attr *decomposition)
{
	struct sr_builder b = {.ctx = ctx, .block = op->block, .anchor = op, .loc = op->loc};
	struct sr_value **operands = SR_NEW_ARRAY(ctx->arena, struct sr_value *, op->n_operands);
	const struct sr_type **types = SR_NEW_ARRAY(ctx->arena, const struct sr_type *, op->n_results);
	struct sr_named_attr attr = {SR_NAME_callee, decomposition};
	for (int i = 0; i < op->n_operands; i++)
		operands[i] = sr_operand(op, i);
	for (int i = 0; i < op->n_results; i++)
		types[i] = sr_result(op, i)->type;
	struct sr_op *call = sr_build(&b, SR_OP_func_call, operands, op->n_operands, &attr, 1, types, op->n_results);
	for (int i = 0; i < op->n_results; i++)
		sr_value_replace_all(sr_result(op, i), sr_result(call, i));
	sr_op_erase(op);
}

static bool visit(void *data, struct sr_op *op)
{
	const struct legalizer *l = data;
	const struct sr_attr *name = sr_op_is(op, SR_OP_stablehlo_composite) ? sr_op_attr(op, SR_NAME_name) : NULL,
			     *decomposition = name ? sr_op_attr(op, SR_NAME_decomposition) : NULL;
	if (decomposition && !sr_name_is_listed(l->excluded, name->s))
		call_decomposition(l->ctx, op, decomposition);
	return true;
}

enum sr_status sr_run_legalize_composite_to_call(struct sr_context *ctx, struct sr_op *root, const struct sr_pass_options *options)
{
	struct legalizer l = {ctx, sr_option_string(options, "except")};
	sr_walk_post(root, visit, &l);
	return SR_OK;
}
