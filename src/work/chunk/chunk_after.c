/* Products that can be computed after the loop over the iterations of a chunk: no value that the rest of the loop's body reads, in
 * this iteration or in a later one, depends on them. */
#include "dialect/ops.h"
#include "work/chunk/chunk.h"

static bool is_after_value(const struct sr_chunk *c, const struct sr_value *v)
{
	if (v->def)
		return v->def->block == c->body && v->def->mark & SR_CHUNK_AFTER;
	return v->block == c->body && c->is_after[v->index];
}

static bool is_not_after(void *data, struct sr_value *v)
{
	return !is_after_value(data, v);
}

/* Mark the n candidates, and the ops and loop-carried values that depend on them. */
static void mark_dependent(struct sr_chunk *c, struct sr_op *const *candidates, int n)
{
	const struct sr_op *yield = sr_block_terminator(c->body);
	for (struct sr_op *op = c->body->first; op; op = op->next)
		op->mark &= ~SR_CHUNK_AFTER;
	for (int i = 0; i < c->loop->n_operands; i++)
		c->is_after[i] = false;
	for (int i = 0; i < n; i++)
		candidates[i]->mark |= SR_CHUNK_AFTER;
	for (bool is_changed = true; is_changed;) {
		is_changed = false;
		for (struct sr_op *op = c->body->first; op != yield; op = op->next)
			if (!(op->mark & SR_CHUNK_AFTER) && !sr_walk_outer_operands(op, is_not_after, c)) {
				op->mark |= SR_CHUNK_AFTER;
				is_changed = true;
			}
		for (int i = 0; i < c->loop->n_operands; i++)
			if (!c->is_after[i] && is_after_value(c, sr_operand(yield, i)))
				is_changed = c->is_after[i] = true;
	}
}

/* Return true if the loop after can compute the value: it depends on the induction variable only, or is computed there. */
static bool is_available(void *data, struct sr_value *v)
{
	const struct sr_chunk *c = data;
	return is_after_value(c, v) || !(sr_chunk_flags(c, v) & SR_CHUNK_OF_CARRIED);
}

/* Return true if the rows of the n candidates are computed in the loop over the chunk, and the other marked ops read no value of
 * that loop and can be executed later. */
static bool are_separate(struct sr_chunk *c, struct sr_op *const *candidates, int n)
{
	const struct sr_block *cond = c->loop->regions[0].first;
	for (int i = 0; i < c->loop->n_operands; i++)
		if (c->is_after[i] && (cond->args[i]->uses || i == c->counter.value_index))
			return false;
	for (struct sr_op *op = c->body->first; op; op = op->next) {
		bool is_candidate = false;
		if (!(op->mark & SR_CHUNK_AFTER))
			continue;
		if (!sr_op_is_pure(op) || op->info->traits & (SR_COLLECTIVE | SR_CONTROL_FLOW))
			return false;
		for (int i = 0; i < n && !is_candidate; i++)
			is_candidate = candidates[i] == op;
		if (!sr_walk_outer_operands(op, is_candidate ? is_not_after : is_available, c))
			return false;
	}
	return true;
}

static bool try_candidates(struct sr_chunk *c, struct sr_op *const *candidates, int n)
{
	mark_dependent(c, candidates, n);
	return are_separate(c, candidates, n);
}

int sr_chunk_mark_after(struct sr_chunk *c, struct sr_op **candidates, int n)
{
	int n_kept = 0;
	if (try_candidates(c, candidates, n))
		return n;
	for (int i = 0; i < n; i++) {
		struct sr_op *op = candidates[i];
		candidates[i] = candidates[n_kept];
		candidates[n_kept] = op;
		n_kept += try_candidates(c, candidates, n_kept + 1);
	}
	mark_dependent(c, candidates, n_kept);
	return n_kept;
}
