/* Which buffers are one memory. Internal to plan. */
#ifndef SR_PLAN_PLACE_COALESCE_H
#define SR_PLAN_PLACE_COALESCE_H

#include "plan/place/liveness.h"

/* Buffers in classes: all of a class have one offset and as many bytes. */
struct sr_buffer_classes {
	int *class_of;            /* [buffers]: the class's first member */
	struct sr_ranges *ranges; /* [buffers]: of the class, at its first member */
	int64_t n_points;
};

/* Merge buffers that may be one memory, and take away the copies that have nothing left to do.
 *
 * Requires: all steps, arguments and results. Leaves: the sharing that layout needs; results name the donated argument that they are in. */
void sr_plan_coalesce_buffers(struct sr_plan_builder *b, struct sr_buffer_classes *sharing);

#endif
