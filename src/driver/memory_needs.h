/* What a plan needs a device's memory for. Shown as text (driver/plan_needs.h) and on the HTML page to users whose program must
 * fit. */
#ifndef SR_DRIVER_MEMORY_NEEDS_H
#define SR_DRIVER_MEMORY_NEEDS_H

#include "program/program.h"

struct sr_argument_memory {
	int32_t i;
	int64_t bytes;            /* size of the argument's shard on one device, in bytes */
	const char *replicated_along;  /* mesh axes that do not shard the argument and could: "data=64, model=8"; "": none */
};
/* Buffers live at the peak with the same op and size: the layers of a model leave one each. */
struct sr_live_memory {
	const char *op, *place; /* op "" stands for donated arguments */
	int64_t bytes, buffers, places;
	/* axes over which an all_gather made the buffers; without it they would be smaller. "": not gathered */
	const char *gathered_axes;
};
struct sr_memory_needs {
	struct sr_argument_memory *arguments; /* sorted by size, largest first; empty arguments are left out */
	int n_arguments;
	struct sr_live_memory *live; /* sorted by total size, largest first */
	int n_live;
	int64_t peak_bytes;
};
struct sr_memory_needs sr_memory_needs_of(const struct sr_program *p, struct sr_arena *arena);

#endif
