/* Let collectives, loop nests and matrix products write directly into slices. If a dynamic_update_slice reads a result, the
 * producer writes to the run-time offset in the larger buffer itself, and the update is removed. The copy of the larger value that
 * precedes the update is moved before the producer, and coalescing (coalesce.c) removes the copy. In this way, a loop that stacks
 * values computes them in the stack. Other readers of the result, such as those of an activation that is kept for the backward
 * pass, read the slice. */
#include "plan/place/into_slice.h"
#include "plan/place/effects.h"
#include <string.h>

enum {
	MAX_DISTANCE = 64, /* maximum number of instructions inspected after a producer */
	/* minimum bytes of a result with other readers: a smaller one is copied in little time, and stays in place, where reading it
	 * needs no offset and a compiled loop knows which threads access which elements of it */
	MIN_SHARED_BYTES = 32 << 10,
};

/* Return true if the slice is contiguous and starts at a multiple of its size: one dimension is sliced, and those before it have
 * extent 1. */
static bool find_slice_start(const struct sr_dynamic_slice_params *p, struct sr_dynamic_offset *shift, int *dimension)
{
	*shift = (struct sr_dynamic_offset){.operand = SR_OUT, .stride = p->bytes};
	*dimension = -1;
	for (int d = p->rank - 1; d >= 0; d--) {
		if (*dimension >= 0 && p->src[d] != 1)
			return false;
		if (*dimension < 0 && p->src[d] != p->size[d]) {
			*dimension = d;
			shift->limit = p->src[d] - p->size[d];
		}
		shift->stride *= *dimension < 0 ? p->src[d] : 1;
	}
	return *dimension >= 0;
}

struct search {
	struct sr_plan_builder *b;
	int *n_references; /* sr_plan_count_references */
	sr_effects effects;
};

/* Return true if the copy of the larger value and the write into that copy may be moved before the instruction: it has no nested
 * computations, does not write the start index, and names neither the larger value nor the copy. If it read the larger value, that
 * and its copy would both be live, and could not be one buffer. */
static bool commutes_with_copy(struct search *f, const struct sr_instr *instr, int larger, int start, int copy)
{
	const struct sr_instr_traits *traits = sr_instr_traits_of(instr);
	const int32_t *operands = f->b->operands.data + instr->first_operand;
	if (traits->flow != SR_FLOW_STRAIGHT || !traits->start)
		return false;
	sr_instr_effects(f->b, instr, traits->start, &f->effects);
	for (uint32_t i = 0; i < instr->n_operands; i++) {
		bool is_written = sr_effect_writes(f->effects.data[i]);
		if (operands[i] == copy || operands[i] == larger || (is_written && operands[i] == start))
			return false;
	}
	return true;
}

/* Return the number of the instruction's first operand that is a result which may be written at a run-time offset; n_operands if
 * there is none. */
static uint32_t first_result(const struct sr_plan_builder *b, const struct sr_instr *instr)
{
	const struct sr_collective_instr *c = sr_plan_params(b, instr);
	if (instr->kind == SR_INSTR_NEST)
		return (uint32_t)((const struct sr_nest *)sr_plan_params(b, instr))->n_inputs;
	if (instr->kind == SR_INSTR_KERNEL && instr->kernel == SR_KERNEL_PRODUCT)
		return instr->n_operands - 1;
	bool is_collective = instr->kind == SR_INSTR_COLLECTIVE && !instr->n_dynamic_offsets && c->group >= 0 &&
			     !sr_coll_supports_in_place((enum sr_coll)c->coll);
	return is_collective ? 1 : instr->n_operands;
}

/* Return the number of the instruction's operands that are `buffer`. */
static int count_operands(const struct sr_plan_builder *b, const struct sr_instr *instr, int buffer)
{
	int n = 0;
	for (uint32_t i = 0; i < instr->n_operands; i++)
		n += b->operands.data[instr->first_operand + i] == buffer;
	return n;
}

/* Return true if the instruction may read the result in the slice instead. A copy may not: coalescing would remove it. */
static bool may_read_slice(struct search *f, const struct sr_instr *instr, int result)
{
	bool is_product = instr->kind == SR_INSTR_KERNEL && instr->kernel == SR_KERNEL_PRODUCT,
	     is_move = instr->kind == SR_INSTR_KERNEL && instr->kernel == SR_KERNEL_MOVE && !sr_instr_is_copy(f->b, instr);
	if (instr->kind != SR_INSTR_NEST && !is_product && !is_move)
		return false;
	bool is_read = true;
	sr_instr_effects(f->b, instr, sr_instr_traits_of(instr)->start, &f->effects);
	for (uint32_t i = 0; i < instr->n_operands; i++)
		is_read &= f->b->operands.data[instr->first_operand + i] != result || f->effects.data[i] == SR_EFFECT_READ ||
			   f->effects.data[i] == SR_EFFECT_READ_ELEMENTWISE;
	return is_read;
}

/* Return true if all readers of `result` other than the update at instr[at] may read it in the slice, at `start` in `larger`. From
 * the update to the last reader, no instruction may change the slice or the start. */
static bool may_share_slice(struct search *f, const struct sr_instr *instr, size_t n, size_t at, int result, int start, int larger)
{
	int n_remaining = f->n_references[result] - 2;
	if (n_remaining && f->b->buffers.data[result].bytes < MIN_SHARED_BYTES)
		return false;
	for (size_t i = 1; i < n && i < MAX_DISTANCE && n_remaining > 0; i++) {
		int n_read = i == at ? 0 : count_operands(f->b, &instr[i], result);
		if ((n_read && !may_read_slice(f, &instr[i], result)) ||
		    (i > at && !commutes_with_copy(f, &instr[i], larger, start, larger)))
			return false;
		n_remaining -= n_read;
	}
	return n_remaining == 0;
}

static bool is_update_of(const struct sr_plan_builder *b, const struct sr_instr *instr, int result)
{
	return instr->kind == SR_INSTR_KERNEL && instr->kernel == SR_KERNEL_DYNAMIC_UPDATE_SLICE &&
	       b->operands.data[instr->first_operand + 1] == result;
}

/* Find the update that can be replaced by a write of result k of the producer at instr[0]. Return the distance to it, or 0 if there
 * is none. */
static size_t find_update(struct search *f, const struct sr_instr *instr, size_t n, uint32_t k, struct sr_dynamic_offset *shift)
{
	const int32_t *operands = f->b->operands.data;
	int result = operands[instr->first_operand + k], d;
	size_t at = 2;
	if (f->n_references[result] < 2 || f->b->uses.data[result])
		return 0;
	while (at < n && at < MAX_DISTANCE && !is_update_of(f->b, &instr[at], result))
		at++;
	if (at >= n || at >= MAX_DISTANCE || !sr_instr_is_copy(f->b, &instr[at - 1]) || instr[at - 1].n_dynamic_offsets ||
	    instr[at].n_dynamic_offsets || !find_slice_start(sr_plan_params(f->b, &instr[at]), shift, &d))
		return 0;
	const int32_t *copy = operands + instr[at - 1].first_operand, *update = operands + instr[at].first_operand;
	shift->operand = (int32_t)k;
	shift->start = update[2 + d];
	bool can_move = update[0] == copy[1];
	for (size_t i = 0; i + 1 < at && can_move; i++)
		can_move = commutes_with_copy(f, &instr[i], copy[0], shift->start, copy[1]);
	return can_move && may_share_slice(f, instr, n, at, result, shift->start, copy[1]) ? at : 0;
}

/* Let the instruction access operand shift.operand in `buffer`, at the offset `shift`. */
static void access_slice(struct sr_plan_builder *b, struct sr_instr *instr, int buffer, struct sr_dynamic_offset shift)
{
	uint32_t first = (uint32_t)b->dynamic_offsets.n;
	b->operands.data[instr->first_operand + (uint32_t)shift.operand] = buffer;
	for (uint32_t i = 0; i < instr->n_dynamic_offsets; i++) {
		struct sr_dynamic_offset earlier = b->dynamic_offsets.data[instr->first_dynamic_offset + i];
		sr_push(b->arena, &b->dynamic_offsets, earlier);
	}
	sr_push(b->arena, &b->dynamic_offsets, shift);
	instr->first_dynamic_offset = first;
	instr->n_dynamic_offsets++;
}

/* Move the copy to the position of the producer, and let the producer write into the slice, and the readers of its result read it
 * there. The caller removes the update at instr[at]. */
static void move_write_into_slice(struct sr_plan_builder *b, struct sr_instr *instr, size_t n, size_t at,
				  struct sr_dynamic_offset shift)
{
	struct sr_instr copy = instr[at - 1];
	int result = b->operands.data[instr[0].first_operand + (uint32_t)shift.operand],
	    larger = b->operands.data[copy.first_operand + 1];
	access_slice(b, &instr[0], larger, shift);
	for (size_t i = 1; i < n && i < MAX_DISTANCE; i++)
		for (uint32_t k = 0; i != at && k < instr[i].n_operands; k++) {
			shift.operand = (int32_t)k;
			if (b->operands.data[instr[i].first_operand + k] == result)
				access_slice(b, &instr[i], larger, shift);
		}
	memmove(instr + 1, instr, (at - 1) * sizeof *instr);
	instr[0] = copy;
}

/* Let the producer at instr[0] write one of its results into a slice. Return the distance from it to the update that is thereby
 * to be removed, or 0 if there is none. */
static size_t write_into_slice(struct search *f, struct sr_instr *instr, size_t n)
{
	struct sr_dynamic_offset shift;
	for (uint32_t k = first_result(f->b, instr); k < instr->n_operands; k++) {
		size_t at = find_update(f, instr, n, k, &shift);
		if (!at)
			continue;
		move_write_into_slice(f->b, instr, n, at, shift);
		return at;
	}
	return 0;
}

void sr_plan_write_into_slices(struct sr_plan_builder *b)
{
	struct search f = {.b = b, .n_references = sr_plan_count_references(b)};
	for (size_t computation = 0; computation < b->computations.n; computation++) {
		struct sr_instr_list *list = &b->computations.data[computation];
		for (size_t i = 0; i + 2 < list->instrs.n; i++) {
			struct sr_instr *instr = &list->instrs.data[i];
			size_t n_remaining = list->instrs.n - i, at = write_into_slice(&f, instr, n_remaining);
			if (!at)
				continue;
			memmove(instr + at, instr + at + 1, (n_remaining - at - 1) * sizeof *instr);
			list->instrs.n--;
		}
	}
}
