/* Ranges of integers in the body of loops (interval arithmetic; Moore, Interval Analysis, 1966), such as the indices of elements
 * that a loop updates. They follow from the trip count, from loop-carried values that each iteration increases by a constant, and
 * from constants, by the ops that index computations use. */
#include "dialect/comparison.h"
#include "dialect/ops.h"
#include "dialect/trip_count.h"
#include "support/checked.h"
#include "support/integers.h"

enum { MAX_DEPTH = 16, MAX_OPERANDS = 3 };

static bool range_of(struct sr_context *ctx, const struct sr_value *v, int depth, struct sr_integer_range *out);

/* Set the range of a loop-carried value to which each iteration adds a constant, or which it does not change. */
static bool carried_range(struct sr_context *ctx, const struct sr_value *v, int depth, struct sr_integer_range *out)
{
	const struct sr_op *loop = v->block->region->op;
	struct sr_integer_range start;
	if (!sr_op_is(loop, SR_OP_stablehlo_while) || v->block != loop->regions[1].first ||
	    !range_of(ctx, sr_operand(loop, v->index), depth + 1, &start))
		return false;
	const struct sr_value *next = sr_operand(sr_block_terminator(v->block), v->index);
	const struct sr_op *add = sr_value_def_of(next, SR_OP_stablehlo_add);
	int64_t trips = sr_trip_count(ctx, loop), step = 0, distance;
	for (int i = 0; add && i < 2; i++)
		if (sr_operand(add, i) == v && sr_constant_integer(ctx, sr_loop_invariant_source(sr_operand(add, 1 - i)), &step))
			next = v;
	if (next != v || (step && (trips < 1 || sr_mul_overflows(trips - 1, step, &distance))))
		return false;
	*out = start;
	if (step > 0)
		return !sr_add_overflows(start.high, distance, &out->high);
	return !step || !sr_add_overflows(start.low, distance, &out->low);
}

/* Set the range of a comparison: 0 to 0, 1 to 1 or 0 to 1. */
static void compare_ranges(const struct sr_op *op, const struct sr_integer_range *x, struct sr_integer_range *out)
{
	enum sr_compare comparison = sr_comparison_of(op);
	bool may_be_less = x[0].low < x[1].high, may_be_greater = x[0].high > x[1].low;
	bool may_be_equal = x[0].low <= x[1].high && x[1].low <= x[0].high;
	*out = (struct sr_integer_range){1, 0};
	for (int k = 0; k < 3; k++) {
		if (!(k == 0 ? may_be_less : k == 1 ? may_be_equal : may_be_greater))
			continue;
		bool result = sr_compare_result(comparison, k == 0, k == 1, k == 2);
		out->low = result ? out->low : 0;
		out->high = result ? 1 : out->high;
	}
}

/* Set the range of an op on operands in ranges x[op->n_operands]. Return false if it is not known. */
static bool op_range(const struct sr_op *op, const struct sr_integer_range *x, struct sr_integer_range *out)
{
	switch (sr_op_code_of(op)) {
	case SR_OP_stablehlo_add:
		return !sr_add_overflows(x[0].low, x[1].low, &out->low) && !sr_add_overflows(x[0].high, x[1].high, &out->high);
	case SR_OP_stablehlo_subtract:
		return !sr_sub_overflows(x[0].low, x[1].high, &out->low) && !sr_sub_overflows(x[0].high, x[1].low, &out->high);
	case SR_OP_stablehlo_minimum:
		*out = (struct sr_integer_range){sr_min(x[0].low, x[1].low), sr_min(x[0].high, x[1].high)};
		return true;
	case SR_OP_stablehlo_maximum:
		*out = (struct sr_integer_range){sr_max(x[0].low, x[1].low), sr_max(x[0].high, x[1].high)};
		return true;
	case SR_OP_stablehlo_compare:
		compare_ranges(op, x, out);
		return true;
	case SR_OP_stablehlo_select:
		*out = x[0].low == 1 ? x[1] : x[0].high == 0 ? x[2] :
			(struct sr_integer_range){sr_min(x[1].low, x[2].low), sr_max(x[1].high, x[2].high)};
		return true;
	case SR_OP_stablehlo_remainder:
		*out = (struct sr_integer_range){0, sr_min(x[0].high, x[1].high - 1)};
		return x[0].low >= 0 && x[1].low > 0;
	case SR_OP_stablehlo_convert:
	case SR_OP_stablehlo_reshape:
	case SR_OP_stablehlo_broadcast_in_dim:
		*out = x[0];
		return true;
	default:
		return false;
	}
}

static bool range_of(struct sr_context *ctx, const struct sr_value *v, int depth, struct sr_integer_range *out)
{
	struct sr_integer_range x[MAX_OPERANDS];
	int64_t elements;
	if (depth > MAX_DEPTH || !sr_type_elements(v->type, &elements) || elements != 1 || !sr_dtype_is_integer(v->type->dtype))
		return false;
	if (sr_constant_integer(ctx, v, &out->low)) {
		out->high = out->low;
		return true;
	}
	bool is_known = v->def ? v->def->n_operands <= MAX_OPERANDS : carried_range(ctx, v, depth, out);
	for (int i = 0; v->def && is_known && i < v->def->n_operands; i++)
		is_known = range_of(ctx, sr_operand(v->def, i), depth + 1, &x[i]);
	return is_known && (!v->def || op_range(v->def, x, out)) && sr_integer_is_representable(v->type->dtype, out->low) &&
	       sr_integer_is_representable(v->type->dtype, out->high);
}

bool sr_loop_integer_range(struct sr_context *ctx, const struct sr_value *v, struct sr_integer_range *out)
{
	return range_of(ctx, v, 0, out);
}
