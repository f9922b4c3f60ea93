/* What a step needs of a device by its plan, for a person who wants it to fit: in words (exec/needs.h) and on the page. */
#ifndef SR_DRIVER_MEMORY_NEEDS_H
#define SR_DRIVER_MEMORY_NEEDS_H

#include "program/program.h"

struct sr_argument_memory {
	int32_t i;
	int64_t bytes;            /* on a device */
	const char *replicated_along;  /* axes that would make it smaller: "data=64, model=8"; "": none */
};
/* Buffers that are alive where the most is, of one op and size: the layers of a model leave one each. */
struct sr_live_memory {
	const char *op, *place; /* op "": donated arguments */
	int64_t bytes, buffers, places;
	const char *gathered;   /* over these axes; what stays cut so is smaller. "": it was not gathered */
};
struct sr_memory_needs {
	struct sr_argument_memory *arguments; /* the largest first, none of no bytes */
	int n_arguments;
	struct sr_live_memory *alive; /* the most bytes first */
	int n_alive;
	int64_t peak_bytes;
};
struct sr_memory_needs sr_memory_needs_of(const struct sr_program *p, struct sr_arena *arena);

#endif
