/* Arena layout: offsets of buffer classes. Internal to plan. */
#ifndef SR_PLAN_PLACE_ASSIGN_OFFSETS_H
#define SR_PLAN_PLACE_ASSIGN_OFFSETS_H

#include "plan/place/coalesce.h"

/* Set every buffer's offset, a multiple of 64, so that classes live at the same moment do not overlap. Return false if the
 * sizes overflow. */
bool sr_plan_assign_offsets(struct sr_plan_builder *b, const struct sr_buffer_classes *classes, struct sr_arena_size *size);

/* Record the buffers live at a moment in b->live_at_peak (live_at_peak.c). */
void sr_plan_record_live_buffers(struct sr_plan_builder *b, const struct sr_buffer_classes *classes, int64_t moment);

#endif
