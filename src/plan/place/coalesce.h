/* Buffer coalescing: which buffers share memory. Internal to plan. */
#ifndef SR_PLAN_PLACE_COALESCE_H
#define SR_PLAN_PLACE_COALESCE_H

#include "plan/place/liveness.h"

/* Classes of buffers: the buffers of a class have the same offset and size. */
struct sr_buffer_classes {
	int *class_of;            /* for each buffer, the first member of its class */
	struct sr_ranges *ranges; /* for each class, stored at its first member: its live ranges */
	int64_t n_times;
};

/* Coalesce buffers that may share memory, and drop the copies that become no-ops.
 *
 * Requires: all instructions, arguments and results. Leaves: the classes that layout needs; io.aliases of a result names the
 * donated argument whose memory it shares. */
void sr_plan_coalesce_buffers(struct sr_plan_builder *b, struct sr_buffer_classes *classes);

#endif
