/* Compute trip counts of loops in the form that JAX generates for fori_loop and scan: a counter that steps from a constant by a
 * constant up or down to a constant. This loop, or loops around it, may also carry the constant unchanged.
 *
 * The trip count is stored as the loop's attribute `shardrun.trip_count` before the ops that compute the counter are lowered to
 * loop nests.
 *
 *	while(%i = %from, ...) cond { compare LT, %i, %to }  do { ...; return %i + %by, ... } */
#include "dialect/comparison.h"
#include "dialect/trip_count.h"
#include "dialect/ops.h"
#include "support/checked.h"

/* Return the number of iterations of a loop that continues while the counter is below the limit (if is_up) or above it (otherwise),
 * or, if includes_limit, equal to it; -1: unknown. */
static int64_t count_iterations(const struct sr_induction_variable *c, int64_t limit, bool is_up, bool includes_limit)
{
	int64_t distance, step = is_up ? c->step : -c->step;
	if (step <= 0 || (is_up ? sr_sub_overflows(limit, c->start, &distance) : sr_sub_overflows(c->start, limit, &distance)) ||
	    (includes_limit && sr_add_overflows(distance, (int64_t)1, &distance)))
		return -1;
	return distance <= 0 ? 0 : sr_ceil_div(distance, step);
}

static int argument_index(const struct sr_block *block, const struct sr_value *v)
{
	for (int i = 0; i < block->n_args; i++)
		if (block->args[i] == v)
			return i;
	return -1;
}

const struct sr_value *sr_loop_invariant_source(const struct sr_value *v)
{
	const struct sr_op *op = v->def ? NULL : v->block->region->op;
	while (op && sr_op_is(op, SR_OP_stablehlo_while)) {
		const struct sr_block *body = op->regions[1].first;
		if (sr_operand(sr_block_terminator(body), v->index) != body->args[v->index])
			break;
		v = sr_operand(op, v->index);
		op = v->def ? NULL : v->block->region->op;
	}
	return v;
}

static bool read_invariant_integer(struct sr_context *ctx, const struct sr_value *v, int64_t *out)
{
	return sr_constant_integer(ctx, sr_loop_invariant_source(v), out);
}

/* Find the constant step of loop-carried value i: i + constant, constant + i or i - constant. */
static bool find_step(struct sr_context *ctx, const struct sr_block *body, int i, int64_t *step)
{
	const struct sr_value *next = sr_operand(sr_block_terminator(body), i), *counter = body->args[i];
	const struct sr_op *add = sr_value_def_of(next, SR_OP_stablehlo_add), *sub = sr_value_def_of(next, SR_OP_stablehlo_subtract);
	if (sub)
		return sr_operand(sub, 0) == counter && read_invariant_integer(ctx, sr_operand(sub, 1), step) &&
		       !sr_sub_overflows((int64_t)0, *step, step);
	return add && ((sr_operand(add, 0) == counter && read_invariant_integer(ctx, sr_operand(add, 1), step)) ||
		       (sr_operand(add, 1) == counter && read_invariant_integer(ctx, sr_operand(add, 0), step)));
}

/* Find the induction variable of a loop, if it is operand number `side` of the comparison. */
static bool find_induction_on_side(struct sr_context *ctx, const struct sr_op *loop, const struct sr_op *compare, int side,
				   struct sr_induction_variable *c)
{
	const struct sr_block *cond = loop->regions[0].first, *body = loop->regions[1].first;
	enum sr_compare comparison = sr_comparison_of(compare);
	int64_t limit;
	int i = argument_index(cond, sr_operand(compare, side));
	if (i < 0 || comparison == SR_EQ || !find_step(ctx, body, i, &c->step) ||
	    !read_invariant_integer(ctx, sr_operand(compare, 1 - side), &limit) ||
	    !read_invariant_integer(ctx, sr_operand(loop, i), &c->start))
		return false;
	c->value_index = i;
	int64_t distance;
	if (comparison == SR_NE)
		c->trip_count = c->step && !sr_sub_overflows(limit, c->start, &distance) &&
					(c->step == -1 || distance % c->step == 0)
				    ? count_iterations(c, limit, c->step > 0, false)
				    : -1;
	else
		c->trip_count = count_iterations(c, limit, (comparison == SR_LT || comparison == SR_LE) == (side == 0),
						 sr_comparison_holds_for_equal(comparison));
	return c->trip_count >= 0;
}

bool sr_loop_find_induction_variable(struct sr_context *ctx, const struct sr_op *loop, struct sr_induction_variable *c)
{
	const struct sr_block *cond = loop->regions[0].first;
	const struct sr_op *compare = sr_value_def_of(sr_operand(sr_block_terminator(cond), 0), SR_OP_stablehlo_compare);
	return compare && (find_induction_on_side(ctx, loop, compare, 0, c) || find_induction_on_side(ctx, loop, compare, 1, c));
}

static int64_t compute_trip_count(struct sr_context *ctx, const struct sr_op *loop)
{
	struct sr_induction_variable c;
	return sr_loop_find_induction_variable(ctx, loop, &c) ? c.trip_count : -1;
}

static struct sr_op *single_user(const struct sr_value *v)
{
	return sr_value_has_one_use(v) ? v->uses->owner : NULL;
}

struct sr_op *sr_loop_carried_update(const struct sr_op *loop, int index)
{
	const struct sr_block *cond = loop->regions[0].first, *body = loop->regions[1].first;
	struct sr_op *step = single_user(body->args[index]);
	if (!step || step->n_results != 1 || step->block != body || cond->args[index]->uses)
		return NULL;
	const struct sr_value *next = sr_result(step, 0);
	return single_user(next) == sr_block_terminator(body) && sr_operand(sr_block_terminator(body), index) == next ? step : NULL;
}

int64_t sr_trip_count(struct sr_context *ctx, const struct sr_op *loop)
{
	return sr_op_attr(loop, "shardrun.trip_count") ? sr_op_int(loop, "shardrun.trip_count", -1) : compute_trip_count(ctx, loop);
}

static bool annotate_trip_count(void *data, struct sr_op *op)
{
	struct sr_context *ctx = data;
	int64_t trips = sr_op_is(op, SR_OP_stablehlo_while) ? compute_trip_count(ctx, op) : -1;
	if (trips >= 0)
		sr_op_set_attr(ctx, op, "shardrun.trip_count", sr_attr_i64(ctx, trips));
	return true;
}

void sr_annotate_trip_counts(struct sr_context *ctx, struct sr_op *module)
{
	sr_walk(module, annotate_trip_count, ctx);
}
