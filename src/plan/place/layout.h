/* Where classes of buffers lie in the arena. Internal to plan. */
#ifndef SR_PLAN_LAYOUT_H
#define SR_PLAN_LAYOUT_H

#include "plan/place/alias.h"

/* Set every buffer's offset, a multiple of 64, so that classes that are alive in one moment have no byte in common. False:
 * they come to more bytes than can be counted. */
bool sr_plan_layout(struct sr_plan_builder *b, const struct sr_sharing *sharing, struct sr_arena_size *size);

/* alive.c: what is alive at a moment goes to b->alive. */
void sr_plan_note_alive(struct sr_plan_builder *b, const struct sr_sharing *sharing, int64_t moment);

#endif
