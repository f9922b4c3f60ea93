/* The arguments and buffers for which a plan needs a device's memory. The text of a plan (driver/plan_needs.h) and the HTML page
 * list them for users whose program must fit. */
#ifndef SR_DRIVER_MEMORY_NEEDS_H
#define SR_DRIVER_MEMORY_NEEDS_H

#include "program/program.h"

struct sr_argument_memory {
	int32_t i;
	int64_t bytes;            /* size of the argument's shard on one device, in bytes */
	const char *replicated_axes;  /* mesh axes that do not shard the argument and could: "data=64, model=8"; "": none */
};
/* Buffers live at the peak that have the same op and size, such as one buffer of each layer of a model. */
struct sr_live_memory {
	const char *op, *place; /* op that made the buffers ("": they are donated arguments), and its source location */
	int64_t bytes, n_buffers, n_places;
	/* axes over which an all_gather made the buffers; the buffers would be smaller without the gather. "": not gathered */
	const char *gathered_axes;
};
struct sr_memory_needs {
	/* arguments of at least one byte, sorted by size, largest first; length n_arguments */
	struct sr_argument_memory *arguments;
	int n_arguments;
	/* buffers live at the peak, sorted by total size, largest first; length n_live_buffers */
	struct sr_live_memory *live_buffers;
	int n_live_buffers;
	int64_t peak_bytes;
};
struct sr_memory_needs sr_memory_needs_of(const struct sr_program *p, struct sr_arena *arena);

#endif
