/* How often a loop runs, where its form says so: what JAX makes of fori_loop and scan, a counter from a constant by a constant up or down to a
 * constant.
 *
 * Noted before work is made of what the counter is computed with, as the loop's attribute `shardrun.trips`.
 *
 *	while(%i = %from, ...) cond { compare LT, %i, %to }  do { ...; return %i + %by, ... }
 */
#include "dialect/comparison.h"
#include "dialect/trip_count.h"
#include "dialect/ops.h"
#include "support/checked.h"

struct counter {
	int64_t from, by, to;
};

static bool constant(struct sr_context *ctx, const struct sr_value *v, int64_t *out)
{
	const struct sr_attr *dense = sr_constant_value(v);
	int64_t bytes, n;
	if (!dense || !sr_type_elements(v->type, &n) || n != 1 || !sr_dtype_is_integer(v->type->dtype))
		return false;
	const void *data = sr_dense_data(ctx, dense, true, &bytes);
	if (!data || bytes < sr_dtype_bytes(v->type->dtype))
		return false;
	sr_element_get(v->type->dtype, data, out, NULL, NULL);
	return true;
}

/* Rounds of a counter that stays while it is below (or, going down, above) the limit. */
static int64_t rounds(const struct counter *c, bool up, bool equal_too)
{
	int64_t distance, step = up ? c->by : -c->by;
	if (step <= 0 || (up ? sr_sub_overflows(c->to, c->from, &distance) : sr_sub_overflows(c->from, c->to, &distance)) ||
	    (equal_too && sr_add_overflows(distance, (int64_t)1, &distance)))
		return -1;
	return distance <= 0 ? 0 : sr_ceil_div(distance, step);
}

static int argument_of(const struct sr_block *block, const struct sr_value *v)
{
	for (int i = 0; i < block->n_args; i++)
		if (block->args[i] == v)
			return i;
	return -1;
}

static const struct sr_op *defined_by(const struct sr_value *v, enum sr_op_code code)
{
	return v->def && sr_op_is(v->def, code) ? v->def : NULL;
}

/* The step of state i in the body: i + constant, constant + i, i - constant. */
static bool find_step(struct sr_context *ctx, const struct sr_block *body, int i, int64_t *by)
{
	const struct sr_value *next = sr_operand(sr_block_terminator(body), i), *was = body->args[i];
	const struct sr_op *add = defined_by(next, SR_OP_stablehlo_add), *sub = defined_by(next, SR_OP_stablehlo_subtract);
	if (sub)
		return sr_operand(sub, 0) == was && constant(ctx, sr_operand(sub, 1), by) && !sr_sub_overflows((int64_t)0, *by, by);
	return add && ((sr_operand(add, 0) == was && constant(ctx, sr_operand(add, 1), by)) ||
		       (sr_operand(add, 1) == was && constant(ctx, sr_operand(add, 0), by)));
}

static int64_t count(struct sr_context *ctx, const struct sr_op *loop)
{
	const struct sr_block *cond = loop->regions[0].first, *body = loop->regions[1].first;
	const struct sr_op *compare = defined_by(sr_operand(sr_block_terminator(cond), 0), SR_OP_stablehlo_compare);
	struct counter c;
	if (!compare)
		return -1;
	enum sr_compare how = sr_comparison_of(compare);
	int left = argument_of(cond, sr_operand(compare, 0)), right = argument_of(cond, sr_operand(compare, 1)), i = left < 0 ? right : left;
	if (i < 0 || !constant(ctx, sr_operand(compare, left < 0 ? 0 : 1), &c.to) ||
	    !constant(ctx, sr_operand(loop, i), &c.from) || !find_step(ctx, body, i, &c.by))
		return -1;
	if (how == SR_NE)
		return c.by && (c.to - c.from) % c.by == 0 ? rounds(&c, c.by > 0, false) : -1;
	if (how == SR_EQ)
		return -1;
	return rounds(&c, (how == SR_LT || how == SR_LE) == (left >= 0), sr_comparison_of_equals(how));
}

int64_t sr_trip_count(struct sr_context *ctx, const struct sr_op *loop)
{
	return sr_op_attr(loop, "shardrun.trips") ? sr_op_int(loop, "shardrun.trips", -1) : count(ctx, loop);
}

static bool note(void *data, struct sr_op *op)
{
	struct sr_context *ctx = data;
	int64_t trips = sr_op_is(op, SR_OP_stablehlo_while) ? count(ctx, op) : -1;
	if (trips >= 0)
		sr_op_set_attr(ctx, op, "shardrun.trips", sr_attr_i64(ctx, trips));
	return true;
}

void sr_note_trip_counts(struct sr_context *ctx, struct sr_op *module)
{
	sr_walk(module, note, ctx);
}
