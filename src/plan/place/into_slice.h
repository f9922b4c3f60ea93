/* Collectives whose result is put into a slice of a larger value put it there themselves. Internal to plan. */
#ifndef SR_PLAN_INTO_SLICE_H
#define SR_PLAN_INTO_SLICE_H

#include "plan/program_builder.h"

/* Before anything is placed: between lowering and sr_plan_place_buffers. */
void sr_plan_write_into_slices(struct sr_plan_builder *b);

#endif
