/* One result of a tile made alone: what the body needs for it, reading those results beside it that are much smaller and make it
 * shorter. */
#include "dialect/signature.h"
#include "work/fuse/fuse.h"
#include <string.h>

enum { SMALLER = 8 }; /* times, are results that are read rather than made again */

static int64_t bytes_of(const struct sr_value *v)
{
	int64_t bytes;
	return v->type->kind == SR_TYPE_TENSOR && sr_type_bytes(v->type, &bytes) ? bytes : 0;
}

static void mark_needed(struct sr_backward_slice *part, struct sr_op *tile, struct sr_value *v)
{
	const struct sr_op *end = sr_block_terminator(tile->regions[0].first);
	if (!v->def) {
		part->reads[v->index] = true;
		return;
	}
	if (v->def->mark)
		return;
	for (int i = 0; i < tile->n_results && !sr_op_has(v->def, SR_CONSTANT); i++)
		if (sr_operand(end, i) == v && part->may_read[i]) {
			part->reads_result[i] = true;
			return;
		}
	v->def->mark = 1;
	part->reduces = part->reduces || sr_op_is(v->def, SR_OP_work_reduce);
	for (int i = 0; i < v->def->n_operands; i++)
		mark_needed(part, tile, sr_operand(v->def, i));
}

/* Operands that give those that are read their index or fill. */
static void add_numbers(struct sr_context *ctx, struct sr_backward_slice *part, struct sr_op *tile)
{
	struct sr_work_nest t = sr_work_read(ctx, tile);
	bool more = true;
	while (more) {
		more = false;
		for (int i = 0; i < t.n_operands; i++)
			for (int d = -1; part->reads[i] && d < (t.accesses[i].index ? t.accesses[i].rank : 0); d++) {
				int64_t k = d < 0 ? t.accesses[i].fill : t.accesses[i].index[d];
				more = more || (k >= 0 && !part->reads[k]);
				if (k >= 0)
					part->reads[k] = true;
			}
	}
}

bool sr_fuse_backward_slice(struct sr_context *ctx, struct sr_op *tile, int result, struct sr_backward_slice *part)
{
	const struct sr_op *end = sr_block_terminator(tile->regions[0].first);
	memset(part, 0, sizeof *part);
	if (tile->n_operands > SR_NEST_MAX_BUFFERS || tile->n_results > SR_NEST_MAX_BUFFERS)
		return false;
	for (struct sr_op *op = tile->regions[0].first->first; op; op = op->next)
		op->mark = 0;
	for (int i = 0; i < tile->n_results; i++)
		part->may_read[i] = i != result && bytes_of(sr_result(tile, i)) <= bytes_of(sr_result(tile, result)) / SMALLER;
	mark_needed(part, tile, sr_operand(end, result));
	if (tile->n_results > 1)
		add_numbers(ctx, part, tile);
	else
		memset(part->reads, true, sizeof *part->reads * (size_t)tile->n_operands);
	return true;
}

struct sr_op *sr_fuse_build_backward_slice(struct sr_context *ctx, struct sr_op *tile, int result, const struct sr_backward_slice *part,
				 struct sr_op *anchor)
{
	struct sr_fusion f = sr_fuse_single(ctx, tile);
	f.sides[SR_FUSE_CONSUMER].stays = true;
	f.results[0] = sr_result(tile, result);
	f.n_results = 1;
	if (!part->reduces)
		f.parallel = f.n_loops;
	memcpy(f.given, part->reads_result, sizeof f.given);
	return sr_fuse_prepare(&f) ? sr_fuse_create(&f, anchor) : NULL;
}
