/* Let collectives write their result directly into a slice of a larger buffer. Internal to plan. */
#ifndef SR_PLAN_INTO_SLICE_H
#define SR_PLAN_INTO_SLICE_H

#include "plan/program_builder.h"

/* Run between lowering and sr_plan_place_buffers. */
void sr_plan_write_into_slices(struct sr_plan_builder *b);

#endif
