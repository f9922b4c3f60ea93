/* shardrun-merge-reductions: add partial results before they are reduced, so that one collective replaces two.
 *
 *	%1 = sdy.all_reduce {"x"} %a;  %2 = sdy.all_reduce {"x"} %b;  %3 = stablehlo.add %1, %2
 *  becomes
 *	%1 = stablehlo.add %a, %b;  %3 = sdy.all_reduce {"x"} %1
 *
 * Also for differences and for reduce_scatter. Requires: sdy collectives. Unchanged: reductions with other readers, over other
 * axes or of other kinds, and those of a stablehlo.reduce whose init value is applied after the collective. */
#include "dialect/attr_names.h"
#include "dialect/ops.h"
#include "partition/collective.h"
#include "partition/partition_passes.h"

/* Return the all_reduce or reduce_scatter that defines v, if it is a sum and v has one reader; else NULL. */
static struct sr_op *reduction_of(struct sr_context *ctx, const struct sr_value *v)
{
	struct sr_op *op = v->def;
	bool is_reduction = op && (sr_op_is(op, SR_OP_sdy_all_reduce) || sr_op_is(op, SR_OP_sdy_reduce_scatter));
	if (!is_reduction || v->uses->next || sr_collective_kind(op) != SR_UNREDUCED_SUM ||
	    !sr_collective_starts_from_identity(ctx, op))
		return NULL;
	return op;
}

static bool have_same_sharding(struct sr_context *ctx, struct sr_value *a, struct sr_value *b)
{
	const struct sr_attr *x = sr_value_sharding(ctx, a), *y = sr_value_sharding(ctx, b);
	return sr_sdy_sharding_is_equivalent(x ? x->sharding : NULL, y ? y->sharding : NULL);
}

static bool are_same_reduction(struct sr_context *ctx, const struct sr_op *a, const struct sr_op *b)
{
	const char *axes = sr_op_is(a, SR_OP_sdy_all_reduce) ? SR_NAME_reduction_axes : SR_NAME_reduce_scatter_axes;
	return a != b && a->info == b->info && sr_op_attr(a, axes) == sr_op_attr(b, axes) &&
	       sr_op_attr(a, SR_NAME_out_sharding) == sr_op_attr(b, SR_NAME_out_sharding) &&
	       have_same_sharding(ctx, sr_operand(a, 0), sr_operand(b, 0));
}

static bool visit(void *data, struct sr_op *op)
{
	struct sr_context *ctx = data;
	bool is_linear = sr_op_is(op, SR_OP_stablehlo_add) || sr_op_is(op, SR_OP_stablehlo_subtract);
	if (!is_linear || sr_result(op, 0)->type->dtype == SR_I1)
		return true;
	struct sr_op *a = reduction_of(ctx, sr_operand(op, 0)), *b = reduction_of(ctx, sr_operand(op, 1));
	if (!a || !b || a->block != op->block || b->block != op->block || !are_same_reduction(ctx, a, b))
		return true;
	const struct sr_attr *partial_sharding = sr_value_sharding(ctx, sr_operand(a, 0));
	struct sr_op *first = sr_op_is_before(a, b) ? a : b, *last = first == a ? b : a;
	sr_op_set_operand(op, 0, sr_operand(a, 0));
	sr_op_set_operand(op, 1, sr_operand(b, 0));
	sr_value_replace_all(sr_result(op, 0), sr_result(last, 0));
	sr_op_set_operand(last, 0, sr_result(op, 0));
	sr_value_set_sharding(ctx, sr_result(op, 0), partial_sharding);
	sr_op_move_before(last, op);
	sr_op_move_before(op, last);
	sr_op_erase(first);
	return true;
}

enum sr_status sr_merge_reductions(struct sr_context *ctx, struct sr_op *module, const struct sr_pass_options *options)
{
	(void)options;
	sr_walk_post(module, visit, ctx);
	return SR_OK;
}
