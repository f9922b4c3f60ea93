/* Text on a plan for the summary of a run or a compilation. */
#ifndef SR_DRIVER_PLAN_SUMMARY_H
#define SR_DRIVER_PLAN_SUMMARY_H

#include "program/program.h"
#include "support/buf.h"

/* Append a line for each value that is replicated as a last resort. all: true for every such value, false for the first few. */
void sr_plan_replicated_print(const struct sr_program *p, bool all, struct sr_buf *out);
/* Append lines on memory, time, arguments, results and collectives. */
void sr_plan_details_print(const struct sr_program *p, struct sr_arena *arena, struct sr_buf *out);

#endif
