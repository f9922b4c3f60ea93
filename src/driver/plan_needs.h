/* Text on what a step needs per device according to the plan: memory, its largest users, and time. */
#ifndef SR_DRIVER_PLAN_NEEDS_H
#define SR_DRIVER_PLAN_NEEDS_H

#include "program/program.h"
#include "support/buf.h"

void sr_needs_print(const struct sr_program *p, struct sr_arena *arena, struct sr_buf *out);

#endif
