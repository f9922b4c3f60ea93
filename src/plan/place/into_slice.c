/* Let collectives, loop nests and matrix products write directly into slices. If the only reader of a result is a
 * dynamic_update_slice, the producer writes to the run-time offset in the larger buffer itself, and the update is removed. The copy
 * of the larger value that precedes the update is moved before the producer, and coalescing (coalesce.c) removes the copy. In this
 * way, a loop that stacks values computes them in the stack. */
#include "plan/place/into_slice.h"
#include "plan/place/effects.h"
#include <string.h>

enum { MAX_DISTANCE = 64 }; /* maximum number of instructions inspected after a producer */

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
	SR_VEC(uint8_t) access;
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
	f->access.n = 0;
	for (uint32_t i = 0; i < instr->n_operands; i++)
		sr_push(f->b->arena, &f->access, SR_EFFECT_NONE);
	sr_instr_effects(f->b, instr, traits->start, f->access.data);
	for (uint32_t i = 0; i < instr->n_operands; i++) {
		bool is_written = f->access.data[i] == SR_EFFECT_UPDATE || f->access.data[i] == SR_EFFECT_WRITE;
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

/* Find the update that can be replaced by a write of result k of the producer at instr[0]. Return the distance to it, or 0 if there
 * is none. */
static size_t find_update(struct search *f, const struct sr_instr *instr, size_t n, uint32_t k, struct sr_dynamic_offset *shift)
{
	const int32_t *operands = f->b->operands.data;
	int result = operands[instr->first_operand + k], d;
	size_t at = 2;
	if (f->n_references[result] != 2 || f->b->uses.data[result])
		return 0;
	while (at < n && at < MAX_DISTANCE && (instr[at].n_operands < 2 || operands[instr[at].first_operand + 1] != result))
		at++;
	if (at >= n || at >= MAX_DISTANCE || instr[at].kind != SR_INSTR_KERNEL ||
	    instr[at].kernel != SR_KERNEL_DYNAMIC_UPDATE_SLICE || !sr_instr_is_copy(f->b, &instr[at - 1]) ||
	    instr[at - 1].n_dynamic_offsets || instr[at].n_dynamic_offsets ||
	    !find_slice_start(sr_plan_params(f->b, &instr[at]), shift, &d))
		return 0;
	const int32_t *copy = operands + instr[at - 1].first_operand, *update = operands + instr[at].first_operand;
	shift->operand = (int32_t)k;
	shift->start = update[2 + d];
	bool can_move = update[0] == copy[1];
	for (size_t i = 0; i + 1 < at && can_move; i++)
		can_move = commutes_with_copy(f, &instr[i], copy[0], shift->start, copy[1]);
	return can_move ? at : 0;
}

/* Move the copy to the position of the producer, and let the producer write into the slice. The caller removes the update at
 * instr[at]. */
static void move_write_into_slice(struct sr_plan_builder *b, struct sr_instr *instr, size_t at, struct sr_dynamic_offset shift)
{
	struct sr_instr copy = instr[at - 1], producer = instr[0];
	b->operands.data[producer.first_operand + (uint32_t)shift.operand] = b->operands.data[copy.first_operand + 1];
	producer.first_dynamic_offset = (uint32_t)b->dynamic_offsets.n;
	for (uint32_t i = 0; i < producer.n_dynamic_offsets; i++) {
		struct sr_dynamic_offset earlier = b->dynamic_offsets.data[instr[0].first_dynamic_offset + i];
		sr_push(b->arena, &b->dynamic_offsets, earlier);
	}
	sr_push(b->arena, &b->dynamic_offsets, shift);
	producer.n_dynamic_offsets++;
	memmove(instr + 2, instr + 1, (at - 2) * sizeof *instr);
	instr[0] = copy;
	instr[1] = producer;
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
		move_write_into_slice(f->b, instr, at, shift);
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
