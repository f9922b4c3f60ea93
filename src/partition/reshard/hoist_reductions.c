/* shardrun-hoist-reductions: hoist the all_reduce of a sum that a loop accumulates out of the loop: one all_reduce after the loop
 * instead of one per iteration.
 *
 *	while(%s = %zeros) { %1 = sdy.all_reduce {"x"} %g;  %2 = stablehlo.add %s, %1;  return %2 }
 *  becomes
 *	while(%s = %zeros) { %1 = stablehlo.add %s, %g;  return %1 };  sdy.all_reduce {"x"}
 *
 * An example is the gradient of weights that every iteration of a recurrence reads. Requires: sdy collectives. Unchanged: sums
 * with other readers in the loop, sums that do not start from zero, and loops of unknown trip count, which may be zero. */
#include "dialect/attr_names.h"
#include "dialect/trip_count.h"
#include "partition/collective.h"
#include "partition/partition_passes.h"

/* A loop-carried value, and the op in the body that alone reads it and computes its next value. */
struct carried_value {
	struct sr_context *ctx;
	struct sr_op *loop, *update;
	int index;
};

/* Return true if v is a constant of zeros, or a broadcast of one. */
static bool is_zero(struct sr_context *ctx, const struct sr_value *v)
{
	while (v->def && sr_op_is(v->def, SR_OP_stablehlo_broadcast_in_dim))
		v = sr_operand(v->def, 0);
	const struct sr_attr *value = sr_constant_value(v);
	int64_t n = 0;
	const char *data = value && value->dense->splat ? sr_dense_data(ctx, value, false, &n) : NULL;
	bool is_all_zero = data && n > 0;
	for (int64_t i = 0; i < n && is_all_zero; i++)
		is_all_zero = data[i] == 0;
	return is_all_zero;
}

static struct sr_op *reduced_operand(const struct carried_value *c, int operand)
{
	struct sr_value *v = sr_operand(c->update, operand);
	struct sr_op *op = v->def;
	bool is_all_reduce = op && sr_op_is(op, SR_OP_sdy_all_reduce) && op->block == c->update->block && !v->uses->next;
	return is_all_reduce && sr_collective_kind(op) == SR_UNREDUCED_SUM && sr_collective_starts_from_identity(c->ctx, op) ? op
															     : NULL;
}

static void hoist_reduction(struct carried_value *c)
{
	struct sr_context *ctx = c->ctx;
	struct sr_value *result = sr_result(c->loop, c->index);
	bool is_sum = sr_op_is(c->update, SR_OP_stablehlo_add) && result->type->dtype != SR_I1;
	int reduced_index = is_sum && reduced_operand(c, 0) ? 0 : 1;
	struct sr_op *reduce = is_sum ? reduced_operand(c, reduced_index) : NULL;
	if (!reduce || !is_zero(ctx, sr_operand(c->loop, c->index)))
		return;
	const struct sr_attr *partial_sharding = sr_value_sharding(ctx, sr_operand(reduce, 0));
	sr_op_set_operand(c->update, reduced_index, sr_operand(reduce, 0));
	sr_op_move_before(reduce, c->loop->next);
	sr_value_replace_all(result, sr_result(reduce, 0));
	sr_op_set_operand(reduce, 0, result);
	if (partial_sharding) {
		sr_value_set_sharding(ctx, result, partial_sharding);
		sr_value_set_sharding(ctx, sr_result(c->update, 0), partial_sharding);
	}
}

static bool visit(void *data, struct sr_op *op)
{
	struct carried_value c = {.ctx = data, .loop = op};
	if (!sr_op_is(op, SR_OP_stablehlo_while) || sr_trip_count(c.ctx, op) <= 0)
		return true;
	for (c.index = 0; c.index < op->n_results; c.index++)
		if ((c.update = sr_loop_carried_update(op, c.index)))
			hoist_reduction(&c);
	return true;
}

enum sr_status sr_hoist_reductions(struct sr_context *ctx, struct sr_op *module, const struct sr_pass_options *options)
{
	(void)options;
	sr_walk_post(module, visit, ctx);
	return SR_OK;
}
