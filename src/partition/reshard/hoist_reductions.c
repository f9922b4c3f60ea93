/* shardrun-hoist-reductions: what a loop adds up is reduced once, behind it.
 *
 *	while(%s = %zeros) { %1 = sdy.all_reduce {"x"} %g;  %2 = stablehlo.add %s, %1;  return %2 }
 * becomes
 *	while(%s = %zeros) { %1 = stablehlo.add %s, %g;  return %1 };  sdy.all_reduce {"x"}
 *
 * The gradient of what every step of a recurrence reads: one round is sent in place of all. Requires: sdy collectives. Leaves the
 * rest alone: sums that anything else in the loop reads, those that do not start from zero, and loops whose rounds cannot be
 * counted: there may be none. */
#include "dialect/attr_names.h"
#include "dialect/trip_count.h"
#include "partition/collective.h"
#include "partition/partition_passes.h"

/* A value that a loop carries, and the op that alone reads it and makes the next. */
struct carried {
	struct sr_context *ctx;
	struct sr_op *loop, *step;
	int number;
};

/* A constant of zeros, or one broadcast. */
static bool is_zero(struct sr_context *ctx, const struct sr_value *v)
{
	while (v->def && sr_op_is(v->def, SR_OP_stablehlo_broadcast_in_dim))
		v = sr_operand(v->def, 0);
	const struct sr_attr *value = sr_constant_value(v);
	int64_t n = 0;
	const char *data = value && value->dense->splat ? sr_dense_data(ctx, value, false, &n) : NULL;
	bool zero = data && n > 0;
	for (int64_t i = 0; i < n && zero; i++)
		zero = data[i] == 0;
	return zero;
}

static struct sr_op *summed(const struct carried *c, int operand)
{
	struct sr_value *v = sr_operand(c->step, operand);
	struct sr_op *op = v->def;
	bool sums = op && sr_op_is(op, SR_OP_sdy_all_reduce) && op->block == c->step->block && !v->uses->next;
	return sums && sr_collective_kind(op) == SR_UNREDUCED_SUM && sr_collective_starts_from_identity(c->ctx, op) ? op : NULL;
}

static void reduce_behind(struct carried *c)
{
	struct sr_context *ctx = c->ctx;
	struct sr_value *result = sr_result(c->loop, c->number);
	bool adds = sr_op_is(c->step, SR_OP_stablehlo_add) && result->type->dtype != SR_I1;
	int at = adds && summed(c, 0) ? 0 : 1;
	struct sr_op *reduce = adds ? summed(c, at) : NULL;
	if (!reduce || !is_zero(ctx, sr_operand(c->loop, c->number)))
		return;
	const struct sr_attr *partial = sr_value_sharding(ctx, sr_operand(reduce, 0));
	sr_op_set_operand(c->step, at, sr_operand(reduce, 0));
	sr_op_move_before(reduce, c->loop->next);
	sr_value_replace_all(result, sr_result(reduce, 0));
	sr_op_set_operand(reduce, 0, result);
	if (partial) {
		sr_value_set_sharding(ctx, result, partial);
		sr_value_set_sharding(ctx, sr_result(c->step, 0), partial);
	}
}

static bool visit(void *data, struct sr_op *op)
{
	struct carried c = {.ctx = data, .loop = op};
	if (!sr_op_is(op, SR_OP_stablehlo_while) || sr_trip_count(c.ctx, op) <= 0)
		return true;
	for (c.number = 0; c.number < op->n_results; c.number++)
		if ((c.step = sr_loop_carried_update(op, c.number)))
			reduce_behind(&c);
	return true;
}

enum sr_status sr_hoist_reductions(struct sr_context *ctx, struct sr_op *module, const struct sr_pass_options *options)
{
	(void)options;
	sr_walk_post(module, visit, ctx);
	return SR_OK;
}
