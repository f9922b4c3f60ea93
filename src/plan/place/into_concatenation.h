/* Let loop nests write their results directly into a concatenation. Internal to plan. */
#ifndef SR_PLAN_INTO_CONCATENATION_H
#define SR_PLAN_INTO_CONCATENATION_H

#include "plan/program_builder.h"

/* Run between lowering and sr_plan_place_buffers. */
void sr_plan_write_into_concatenations(struct sr_plan_builder *b);

#endif
