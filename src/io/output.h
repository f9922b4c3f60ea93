/* Outputs in .npy files, one array each, written by several processes in parallel. One process creates all files at full length
 * under temporary names and broadcasts the numbers in the names. Once all processes have written their slices, it renames the
 * files.
 *
 *	sr_outputs_create(diags, arena, outputs, n);                          one process
 *	sr_output_write(diags, arena, &outputs[i], start, size, local, data);    any process
 *	sr_outputs_finish(diags, arena, outputs, n);                          one process; sr_outputs_remove to give up */
#ifndef SR_IO_OUTPUT_H
#define SR_IO_OUTPUT_H

#include "io/temporary.h"
#include "support/dtype.h"

struct sr_output {
	const char *path; /* path of the file; NULL: this output is not written */
	enum sr_dtype type;
	int rank;
	const int64_t *dims;
	int number; /* number in the temporary name, which makes the name unique (io/temporary.h) */
	bool is_made; /* true if this process has created the file and not yet finished it */
};

/* Create the files; sets `number` and `is_made` of each output. */
enum sr_status sr_outputs_create(struct sr_diags *diags, struct sr_arena *arena, struct sr_output *outputs, size_t n);
/* Write the slice [start, start + size) from the origin of a row-major buffer with the extents `local`. */
enum sr_status sr_output_write(struct sr_diags *diags, struct sr_arena *arena, const struct sr_output *output, const int64_t *start,
			       const int64_t *size, const int64_t *local_dims, const void *data);
enum sr_status sr_outputs_finish(struct sr_diags *diags, struct sr_arena *arena, struct sr_output *outputs, size_t n);

/* Delete the files that this process has created and not finished. */
void sr_outputs_remove(struct sr_arena *arena, struct sr_output *outputs, size_t n);

#endif
