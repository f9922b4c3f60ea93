/* Collectives that are under way while other steps run. Internal to plan.
 *
 * Lowering gives a collective one step, which starts and ends it. Here its ends become steps of their own: it finishes where its
 * result is first named or its operand written over, and is withdrawn, so that others no longer read its memory in place, where that
 * is first written again. All devices have the same steps, so the same order of starts and of ends; what starts in a plan ends in it. */
#ifndef SR_PLAN_OVERLAP_H
#define SR_PLAN_OVERLAP_H

#include "plan/place/effects.h"
#include "plan/place/assign_offsets.h"

/* Share memory and lay it out, with collectives under way as long as they may be: where that takes more memory than without, only
 * those that keep no operand alive for it, or none (enum sr_overlap says). Leaves: as sr_plan_assign_offsets; false as that. */
bool sr_plan_place_buffers(struct sr_plan_builder *b, struct sr_buffer_classes *sharing, struct sr_arena_size *size);

/* After the layout. Withdraw collectives as late as their memory allows. */
void sr_plan_release_collectives(struct sr_plan_builder *b);

/* ---- between the two files ---- */
/* Steps [first, n) of the list that only copy, at its end: loop state, which a run may exchange. */
static inline size_t sr_plan_last_copies(const struct sr_plan_builder *b, const struct sr_instr_list *list)
{
	size_t n = list->steps.n;
	while (n && sr_instr_is_copy(b, &list->steps.data[n - 1]))
		n--;
	return n;
}
static inline struct sr_collective_instr *sr_plan_collective(struct sr_plan_builder *b, const struct sr_instr *s)
{
	return (struct sr_collective_instr *)(void *)(b->params.data + s->params);
}

#endif
