/* Slices that need no memory: what alone reads one is a concatenation, which copies it from where it is sliced. */
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
