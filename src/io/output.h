/* Arrays in .npy files that several processes write, each its parts. One process creates all files at their whole length under
 * temporary names and tells the others the numbers of these; when all have written their parts, it gives them their names.
 *
 *	sr_outputs_create(diags, arena, outputs, n);                          one process
 *	sr_output_write(diags, arena, &outputs[i], start, size, local, data);    any
 *	sr_outputs_finish(diags, arena, outputs, n);                          one process; else sr_outputs_remove */
#ifndef SR_IO_OUTPUT_H
#define SR_IO_OUTPUT_H

#include "io/temporary.h"
#include "support/dtype.h"

struct sr_output {
	const char *path; /* NULL: not wanted */
	enum sr_dtype type;
	int rank;
	const int64_t *dims;
	int number; /* of its temporary name */
	bool is_made; /* by this process, and not finished */
};

/* Set number and is_made. */
enum sr_status sr_outputs_create(struct sr_diags *diags, struct sr_arena *arena, struct sr_output *outputs, size_t n);
/* The part [start, start + size), which lies in a row-major buffer of the extents local. */
enum sr_status sr_output_write(struct sr_diags *diags, struct sr_arena *arena, const struct sr_output *output, const int64_t *start,
			       const int64_t *size, const int64_t *local, const void *data);
enum sr_status sr_outputs_finish(struct sr_diags *diags, struct sr_arena *arena, struct sr_output *outputs, size_t n);

/* Not to be completed: unlink the files that this process made and did not finish. */
void sr_outputs_remove(struct sr_arena *arena, struct sr_output *outputs, size_t n);

#endif
