/* Where classes of buffers lie in the arena. Internal to plan. */
#ifndef SR_PLAN_PLACE_ASSIGN_OFFSETS_H
#define SR_PLAN_PLACE_ASSIGN_OFFSETS_H

#include "plan/place/coalesce.h"

/* Set every buffer's offset, a multiple of 64, so that classes that are alive in one moment have no byte in common. False:
 * they come to more bytes than can be counted. */
bool sr_plan_assign_offsets(struct sr_plan_builder *b, const struct sr_buffer_classes *sharing, struct sr_arena_size *size);

/* live_at_peak.c: what is alive at a moment goes to b->alive. */
void sr_plan_record_live_buffers(struct sr_plan_builder *b, const struct sr_buffer_classes *sharing, int64_t moment);

#endif
