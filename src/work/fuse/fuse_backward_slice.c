/* Compute one result of a nest by a nest of its own: find the ops of the body that the result needs. Results of the nest that
 * are much smaller are read from memory instead of being recomputed, if that makes the body shorter. */
#include "dialect/signature.h"
#include "work/fuse/fuse.h"
#include <string.h>

enum { READ_RATIO = 8 }; /* results smaller by this factor are read instead of recomputed */

static void mark_needed(struct sr_backward_slice *slice, struct sr_op *nest, struct sr_value *v)
{
	const struct sr_op *end = sr_block_terminator(nest->regions[0].first);
	if (!v->def) {
		slice->reads[v->index] = true;
		return;
	}
	if (v->def->mark)
		return;
	for (int i = 0; i < nest->n_results && !sr_op_has(v->def, SR_CONSTANT); i++)
		if (sr_operand(end, i) == v && slice->may_read[i]) {
			slice->reads_result[i] = true;
			return;
		}
	v->def->mark = 1;
	slice->has_reduction = slice->has_reduction || sr_op_is(v->def, SR_OP_work_reduce);
	for (int i = 0; i < v->def->n_operands; i++)
		mark_needed(slice, nest, sr_operand(v->def, i));
}

/* Add to the slice the operands and ops that give the index and fill values of the operands that are read. */
static void add_indices_and_fills(struct sr_context *ctx, struct sr_backward_slice *slice, struct sr_op *nest)
{
	struct sr_work_nest t = sr_work_read(ctx, nest);
	bool is_added[SR_NEST_MAX_BUFFERS] = {false}, has_changed = true;
	while (has_changed) {
		has_changed = false;
		for (int i = 0; i < t.n_operands; i++) {
			if (!slice->reads[i] || is_added[i])
				continue;
			is_added[i] = has_changed = true;
			for (int d = -1; d < (t.accesses[i].index ? t.accesses[i].rank : 0); d++) {
				int64_t k = d < 0 ? t.accesses[i].fill : t.accesses[i].index[d];
				if (k >= 0)
					mark_needed(slice, nest, sr_work_index_value(nest, k));
			}
		}
	}
}

bool sr_fuse_backward_slice(struct sr_context *ctx, struct sr_op *nest, int result, struct sr_backward_slice *slice)
{
	const struct sr_op *end = sr_block_terminator(nest->regions[0].first);
	memset(slice, 0, sizeof *slice);
	if (nest->n_operands > SR_NEST_MAX_BUFFERS || nest->n_results > SR_NEST_MAX_BUFFERS)
		return false;
	for (struct sr_op *op = nest->regions[0].first->first; op; op = op->next)
		op->mark = 0;
	int64_t max_bytes = sr_value_bytes(sr_result(nest, result)) / READ_RATIO;
	for (int i = 0; i < nest->n_results; i++)
		slice->may_read[i] = i != result && sr_value_bytes(sr_result(nest, i)) <= max_bytes;
	mark_needed(slice, nest, sr_operand(end, result));
	if (nest->n_results == 1)
		memset(slice->reads, true, sizeof *slice->reads * (size_t)nest->n_operands);
	add_indices_and_fills(ctx, slice, nest);
	return true;
}

struct sr_op *sr_fuse_build_backward_slice(struct sr_context *ctx, struct sr_op *nest, int result, const struct sr_backward_slice *slice,
					   struct sr_op *anchor)
{
	struct sr_fusion f = sr_fuse_single(ctx, nest);
	f.sides[SR_FUSE_CONSUMER].is_kept = true;
	f.results[0] = sr_result(nest, result);
	f.n_results = 1;
	if (!slice->has_reduction)
		f.parallel = f.n_loops;
	memcpy(f.is_read, slice->reads_result, sizeof f.is_read);
	return sr_fuse_prepare(&f) ? sr_fuse_create(&f, anchor) : NULL;
}
