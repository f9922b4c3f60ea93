/* Split a long reduction to a scalar in two reductions: over the trailing dimensions first, then over the partial results. The
 * first one has a parallel loop, which threads share, and fuses with its producer; a single reduction would read all of memory
 * again on one thread. The split follows from the shape alone. */
#include "work/nest/nest_from_op.h"
#include "dialect/op_builders.h"
#include "dialect/reducer.h"

enum {
	MIN_ELEMENTS = 1 << 16, /* fewest elements of a reduction that is split */
	MIN_ROW = 256           /* fewest elements that a partial result combines */
};

/* Return how many leading dimensions the second reduction gets; 0: the reduction is not split. */
static int dims_left(const struct sr_type *in)
{
	int64_t row = 1, rows = 1;
	int n_outer = in->rank;
	while (n_outer > 0 && row < MIN_ROW)
		row *= in->shape[--n_outer];
	for (int d = 0; d < n_outer; d++)
		rows *= in->shape[d];
	return rows > 1 && row >= MIN_ELEMENTS / rows ? n_outer : 0;
}

/* Return the init value of the partial results: an identity, because the op's init value must enter once unless the reducer is
 * idempotent. -0 keeps the sign of a sum of zeros. NULL: no identity is known. */
static struct sr_value *partial_init(struct sr_builder *b, const struct sr_reducer *r, struct sr_value *init)
{
	const struct sr_attr *identity = sr_reducer_identity(b->ctx, r, init->type->dtype);
	if (r->is_idempotent)
		return init;
	if (r->monoid == SR_MONOID_ADD && sr_dtype_is_float(init->type->dtype))
		return sr_build_splat(b, init->type, -0.);
	return identity ? sr_build_constant(b, identity) : NULL;
}

/* Build the reduction of v along the dimensions [begin, end). */
static struct sr_value *build_reduce(struct sr_builder *b, const struct sr_reducer *r, struct sr_value *v, struct sr_value *init,
				     int begin, int end)
{
	int64_t dims[SR_MAX_RANK];
	for (int d = begin; d < end; d++)
		dims[d - begin] = d;
	return sr_build_reduction(b, v, init, r->code, dims, end - begin);
}

struct sr_op *sr_work_split_reduction(struct sr_context *ctx, struct sr_op *op)
{
	struct sr_builder b = {.ctx = ctx, .block = op->block, .anchor = op, .loc = op->loc};
	struct sr_op *previous_op = op->prev;
	const struct sr_reducer *r = sr_op_is(op, SR_OP_stablehlo_reduce) && op->n_operands == 2 ? sr_op_reducer(op) : NULL;
	if (!r || sr_result(op, 0)->type->rank || sr_operand(op, 0)->type->dtype != sr_result(op, 0)->type->dtype)
		return NULL;
	const struct sr_type *in = sr_operand(op, 0)->type;
	/* Reductions of 16-bit floats are not split, since partial sums would be rounded to the narrow type. */
	bool is_narrow = in->dtype == SR_BF16 || in->dtype == SR_F16;
	int n_outer = is_narrow || sr_dtypes[in->dtype].class == SR_CLASS_COMPLEX ? 0 : dims_left(in);
	struct sr_value *init = n_outer ? partial_init(&b, r, sr_operand(op, 1)) : NULL;
	if (!init)
		return NULL;
	struct sr_value *rows = build_reduce(&b, r, sr_operand(op, 0), init, n_outer, in->rank);
	sr_value_replace_all(sr_result(op, 0), build_reduce(&b, r, rows, sr_operand(op, 1), 0, n_outer));
	return previous_op ? previous_op->next : op->block->first;
}
