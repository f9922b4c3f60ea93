/* Tiles that only copy, and need no memory of their own: slices that a concatenation alone reads, which copies them from where they are
 * sliced, and what has all elements of its operand in their order. */
#include "work/work.h"

static bool only_yields(const struct sr_op *tile)
{
	const struct sr_op *first = tile->regions[0].first->first;
	return sr_op_is(first, SR_OP_work_yield) && !sr_operand(first, 0)->def;
}

/* Loops, but for those of one round, are dimensions of both sides in order, one after another the last. */
static bool is_slice(const struct sr_work_tile *t, const struct sr_access *from, const struct sr_access *to)
{
	int rank = t->n_loops;
	if (!sr_access_is_affine(from) || from->rank != rank || to->rank != rank || t->parallel != rank)
		return false;
	for (int d = 0; d < rank; d++)
		for (int l = 0; l <= rank; l++) {
			int64_t in = sr_access_row(from, d)[l], out = sr_access_row(to, d)[l];
			if (l < rank && t->loops[l] == 1)
				continue;
			if (out != (l == d) || in < 0 || (l < rank && l != d && in) || (l == d && (!in || (d == rank - 1 && in != 1))))
				return false;
		}
	return true;
}

bool sr_work_is_slice(struct sr_context *ctx, struct sr_op *op, struct sr_access *access)
{
	if (!op || !sr_op_is(op, SR_OP_work_tile) || op->n_operands != 1 || op->n_results != 1 || !only_yields(op))
		return false;
	struct sr_work_tile t = sr_work_read(ctx, op);
	*access = t.accesses[0];
	return is_slice(&t, &t.accesses[0], &t.result_accesses[0]);
}

bool sr_work_is_sliced_by_reader(struct sr_context *ctx, struct sr_op *op, struct sr_access *access)
{
	const struct sr_use *use = op->n_results == 1 ? sr_result(op, 0)->uses : NULL;
	return use && !use->next && use->owner->block == op->block && sr_op_is(use->owner, SR_OP_stablehlo_concatenate) &&
	       sr_work_is_slice(ctx, op, access);
}

/* The element's place in the tensor as a number: what loop l adds to it; l = n_loops: where it begins. */
static int64_t adds(const struct sr_access *a, const struct sr_type *t, int l)
{
	int64_t sum = 0, stride = 1;
	for (int d = a->rank - 1; d >= 0; d--) {
		sum += sr_access_row(a, d)[l] * stride;
		stride *= t->shape[d];
	}
	return sum;
}

bool sr_work_is_view(struct sr_context *ctx, struct sr_op *op)
{
	if (!sr_op_is(op, SR_OP_work_tile) || op->n_operands != 1 || op->n_results != 1 || !only_yields(op))
		return false;
	const struct sr_type *from = sr_operand_type(op, 0), *to = sr_result_type(op, 0);
	struct sr_work_tile t = sr_work_read(ctx, op);
	const struct sr_access *in = &t.accesses[0], *out = &t.result_accesses[0];
	int64_t n, points = 1;
	if (from->dtype != to->dtype || t.parallel != t.n_loops || !sr_access_is_affine(in) || !sr_access_is_affine(out) ||
	    !sr_type_elements(from, &n))
		return false;
	for (int l = 0; l <= t.n_loops; l++)
		if ((l == t.n_loops || t.loops[l] > 1) && adds(in, from, l) != adds(out, to, l))
			return false;
	for (int l = 0; l < t.n_loops; l++)
		points *= t.loops[l];
	return points == n && sr_type_elements(to, &n) && points == n;
}
