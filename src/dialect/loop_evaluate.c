/* Evaluate integers in the body of a counted loop at compile time for one iteration, such as the index of the slice that the
 * iteration writes. Values follow from the induction variable and constants by the ops that index computations use. */
#include "dialect/comparison.h"
#include "dialect/ops.h"
#include "dialect/trip_count.h"
#include "support/checked.h"

enum { MAX_DEPTH = 32, MAX_OPERANDS = 3, MAX_SLICES = 1 << 16 };

struct loop_iteration {
	struct sr_context *ctx;
	const struct sr_op *loop;
	const struct sr_induction_variable *counter;
	int64_t iteration; /* number of the iteration, from 0 */
};

static bool evaluate(const struct loop_iteration *r, const struct sr_value *v, int depth, int64_t *out);

/* Evaluate an op on operands x[op->n_operands]. Return false if the op is not supported or the result overflows 64 bits. */
static bool fold_op(const struct sr_op *op, const int64_t *x, int64_t *out)
{
	switch (sr_op_code_of(op)) {
	case SR_OP_stablehlo_add:
		return !sr_add_overflows(x[0], x[1], out);
	case SR_OP_stablehlo_subtract:
		return !sr_sub_overflows(x[0], x[1], out);
	case SR_OP_stablehlo_multiply:
		return !sr_mul_overflows(x[0], x[1], out);
	case SR_OP_stablehlo_negate:
		return !sr_sub_overflows((int64_t)0, x[0], out);
	case SR_OP_stablehlo_minimum:
		*out = x[0] < x[1] ? x[0] : x[1];
		return true;
	case SR_OP_stablehlo_maximum:
		*out = x[0] > x[1] ? x[0] : x[1];
		return true;
	case SR_OP_stablehlo_compare:
		*out = sr_compare_result(sr_comparison_of(op), x[0] < x[1], x[0] == x[1], x[0] > x[1]);
		return true;
	case SR_OP_stablehlo_select:
		*out = x[0] ? x[1] : x[2];
		return true;
	case SR_OP_stablehlo_convert:
	case SR_OP_stablehlo_reshape:
		*out = x[0];
		return true;
	default:
		return false;
	}
}

bool sr_integer_is_representable(enum sr_dtype type, int64_t number)
{
	char element[16] = {0};
	int64_t stored_number = 0;
	sr_element_set(type, element, number, (double)number, 0);
	sr_element_get(type, element, &stored_number, NULL, NULL);
	return stored_number == number;
}

static bool evaluate_argument(const struct loop_iteration *r, const struct sr_value *v, int depth, int64_t *out)
{
	const struct sr_block *body = r->loop->regions[1].first;
	if (v->block != body)
		return false;
	if (v->index == r->counter->value_index)
		return !sr_mul_overflows(r->counter->step, r->iteration, out) && !sr_add_overflows(r->counter->start, *out, out);
	bool is_passed_through = sr_operand(sr_block_terminator(body), v->index) == v;
	return is_passed_through && evaluate(r, sr_operand(r->loop, v->index), depth + 1, out);
}

static bool evaluate(const struct loop_iteration *r, const struct sr_value *v, int depth, int64_t *out)
{
	int64_t x[MAX_OPERANDS] = {0}, elements;
	if (depth > MAX_DEPTH || !sr_type_elements(v->type, &elements) || elements != 1 ||
	    !sr_dtype_is_integer(v->type->dtype))
		return false;
	if (!v->def)
		return evaluate_argument(r, v, depth, out) && sr_integer_is_representable(v->type->dtype, *out);
	if (sr_constant_integer(r->ctx, v, out))
		return true;
	if (v->def->n_operands > MAX_OPERANDS || v->def->n_results != 1)
		return false;
	for (int i = 0; i < v->def->n_operands; i++)
		if (!evaluate(r, sr_operand(v->def, i), depth + 1, &x[i]))
			return false;
	return fold_op(v->def, x, out) && sr_integer_is_representable(v->type->dtype, *out);
}

bool sr_loop_evaluate_integer(struct sr_context *ctx, const struct sr_op *loop, const struct sr_induction_variable *counter,
			      const struct sr_value *v, int64_t iteration, int64_t *out)
{
	return evaluate(&(struct loop_iteration){ctx, loop, counter, iteration}, v, 0, out);
}

int sr_dim_of_slices(const struct sr_type *stack, const struct sr_type *slice)
{
	int sliced_dim = -1;
	for (int d = 0; d < stack->rank; d++)
		if (stack->shape[d] != slice->shape[d])
			sliced_dim = sliced_dim == -1 ? d : -2;
	return sliced_dim;
}

bool sr_loop_writes_all_slices(struct sr_context *ctx, const struct sr_op *loop, const struct sr_induction_variable *counter,
			       const struct sr_op *update)
{
	const struct sr_type *stack = sr_result(update, 0)->type, *slice = sr_operand(update, 1)->type;
	int dim = sr_dim_of_slices(stack, slice);
	if (dim < 0)
		return dim == -1 && counter->trip_count > 0;
	int64_t extent = stack->shape[dim], slice_extent = slice->shape[dim];
	int64_t slices = slice_extent > 0 && extent % slice_extent == 0 ? extent / slice_extent : 0, n_unwritten = slices;
	if (slices <= 0 || slices > MAX_SLICES || counter->trip_count < slices || counter->trip_count > MAX_SLICES)
		return false;
	struct sr_arena_position mark = sr_arena_mark(ctx->scratch);
	bool *is_written = SR_NEW_ARRAY(ctx->scratch, bool, slices), is_known = true;
	for (int64_t k = 0; k < counter->trip_count && is_known && n_unwritten; k++) {
		int64_t at = 0;
		is_known = sr_loop_evaluate_integer(ctx, loop, counter, sr_operand(update, 2 + dim), k, &at);
		at = at < 0			  ? 0
		     : at > extent - slice_extent ? extent - slice_extent
						  : at; /* clamp the index as dynamic_update_slice does */
		if (is_known && at % slice_extent == 0 && !is_written[at / slice_extent]) {
			is_written[at / slice_extent] = true;
			n_unwritten--;
		}
	}
	sr_arena_release(ctx->scratch, mark);
	return is_known && !n_unwritten;
}
