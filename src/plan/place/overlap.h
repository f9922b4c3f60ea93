/* Overlap of collectives and computation. Internal to plan.
 *
 * Lowering gives a collective one instruction that starts and completes it. Here its completion is split into two instructions:
 * FINISH, before its result is first named or its operand overwritten, and RELEASE (other members no longer read its memory in
 * place), before that memory is first written again. All devices run the same instructions, hence the same order of
 * starts and ends; a collective ends in the computation that starts it. */
#ifndef SR_PLAN_OVERLAP_H
#define SR_PLAN_OVERLAP_H

#include "plan/place/effects.h"
#include "plan/place/assign_offsets.h"

/* Coalesce and place all buffers, with collectives in flight as long as possible. If that takes more memory than without overlap,
 * only those collectives stay in flight whose operands stay live until the FINISH in any case, or none, as enum sr_overlap says.
 * Return false if the sizes overflow. */
bool sr_plan_place_buffers(struct sr_plan_builder *b, struct sr_buffer_classes *classes, struct sr_arena_size *size);

/* Place the release of each collective as late as the use of its memory allows. Runs after the layout. */
void sr_plan_release_collectives(struct sr_plan_builder *b);

/* ---- between the two files ---- */
/* Return the index of the first of the copies at the end of a computation, which copy loop state; the executor may swap buffers
 * instead of copying. */
static inline size_t sr_plan_last_copies(const struct sr_plan_builder *b, const struct sr_instr_list *list)
{
	size_t n = list->instrs.n;
	while (n && sr_instr_is_copy(b, &list->instrs.data[n - 1]))
		n--;
	return n;
}
static inline struct sr_collective_instr *sr_plan_collective(struct sr_plan_builder *b, const struct sr_instr *instr)
{
	return (struct sr_collective_instr *)(void *)(b->params.data + instr->params);
}

#endif
