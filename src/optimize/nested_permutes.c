/* Send one halo for several that contain each other: a stencil of reach 2 reads the neighbour's last row and its last two rows,
 * each by a collective_permute of its own. The shorter ones become slices of the longest.
 *
 *	%a = permute(%x[6:8]), %b = permute(%x[7:8])  ->  %a = permute(%x[6:8]), %b = %a[1:2]
 *
 * Requires a local module of static shapes. */
#include "dialect/attr_names.h"
#include "dialect/op_builders.h"
#include "dialect/ops.h"
#include "optimize/pass_functions.h"
#include "support/vec.h"

/* A collective_permute of a slice with unit strides. */
struct halo {
	struct sr_op *permute, *slice;
	const int64_t *start, *limit;
	int rank;
};

typedef SR_VEC(struct halo) sr_halos;

static bool read_halo(struct sr_context *ctx, struct sr_op *op, struct halo *h)
{
	struct sr_op *slice = sr_op_is(op, SR_OP_stablehlo_collective_permute) ? sr_operand(op, 0)->def : NULL;
	const int64_t *strides;
	int64_t n;
	if (!slice || op->n_operands != 1 || !sr_op_is(slice, SR_OP_stablehlo_slice) || slice->block != op->block)
		return false;
	*h = (struct halo){.permute = op, .slice = slice};
	sr_op_ints(ctx, slice, SR_NAME_strides, &strides, &n);
	sr_op_ints(ctx, slice, SR_NAME_start_indices, &h->start, &n);
	sr_op_ints(ctx, slice, SR_NAME_limit_indices, &h->limit, &n);
	h->rank = (int)n;
	for (int d = 0; d < h->rank; d++)
		if (strides[d] != 1)
			return false;
	return true;
}

/* Return true if b's elements are a part of a's, from the same value to the same devices. */
static bool contains(const struct halo *a, const struct halo *b)
{
	bool is_part = sr_operand(a->slice, 0) == sr_operand(b->slice, 0) &&
		       sr_op_attr(a->permute, SR_NAME_source_target_pairs) == sr_op_attr(b->permute, SR_NAME_source_target_pairs) &&
		       sr_have_same_group_numbering(a->permute, b->permute);
	for (int d = 0; d < a->rank && is_part; d++)
		is_part = a->start[d] <= b->start[d] && b->limit[d] <= a->limit[d];
	return is_part;
}

/* Replace b by a slice of a. */
static void replace(struct sr_context *ctx, const struct halo *a, const struct halo *b)
{
	int64_t start[SR_MAX_RANK], limit[SR_MAX_RANK], strides[SR_MAX_RANK];
	if (sr_op_is_before(b->permute, a->permute)) {
		if (sr_op_is_before(b->permute, a->slice))
			sr_op_move_before(a->slice, b->permute);
		sr_op_move_before(a->permute, b->permute);
	}
	for (int d = 0; d < a->rank; d++) {
		start[d] = b->start[d] - a->start[d];
		limit[d] = b->limit[d] - a->start[d];
		strides[d] = 1;
	}
	struct sr_builder builder = {.ctx = ctx, .block = b->permute->block, .anchor = b->permute, .loc = b->permute->loc};
	struct sr_value *part = sr_build_slice(&builder, sr_result(a->permute, 0), start, limit, strides);
	sr_value_replace_all(sr_result(b->permute, 0), part);
	sr_op_retire(ctx, b->permute);
	if (!sr_result(b->slice, 0)->uses)
		sr_op_retire(ctx, b->slice);
}

void sr_share_nested_permutes(struct sr_context *ctx, struct sr_block *block)
{
	struct sr_arena_position mark = sr_arena_mark(ctx->scratch);
	sr_halos halos = {0};
	struct halo h;
	for (struct sr_op *op = block->first; op; op = op->next)
		if (read_halo(ctx, op, &h))
			sr_push(ctx->scratch, &halos, h);
	for (size_t i = 0; i < halos.n; i++) {
		struct halo *b = &halos.data[i], *largest = b;
		for (size_t k = 0; k < halos.n; k++)
			if (halos.data[k].permute && contains(&halos.data[k], largest))
				largest = &halos.data[k];
		if (largest != b) {
			replace(ctx, largest, b);
			b->permute = NULL;
		}
	}
	sr_arena_release(ctx->scratch, mark);
}
