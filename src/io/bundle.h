/* An output file of several arrays, .npz or safetensors by its name, written by several processes in parallel: each writes its
 * slices. See output.h for files of one array.
 *
 *	sr_bundle_layout(diags, arena, &bundle);                                  every process
 *	sr_bundle_create(diags, arena, &bundle);                                  one process, which broadcasts bundle.number
 *	sr_bundle_write(diags, arena, &bundle, i, start, size, local, data);      any process; followed by a barrier
 *	sr_bundle_checksum(diags, arena, &bundle, chunk, n_chunks, sums);              each process its chunk of the checksums, [n]
 *	sr_bundle_finish(diags, arena, &bundle, all_sums, n_chunks);               one process with all checksums, [n_chunks][n]
 *
 * To give up instead of finishing: sr_temporaries_remove. */
#ifndef SR_IO_BUNDLE_H
#define SR_IO_BUNDLE_H

#include "io/npz_write.h"
#include "io/safetensors.h"
#include "io/temporary.h"

struct sr_bundle {
	const char *path;
	bool is_npz;
	struct sr_npz_array *arrays;      /* the arrays of the file, of which the caller sets name, type, rank and dims; length n */
	struct sr_safetensors tensors;    /* the same arrays as tensors, if the file is a safetensors file */
	int64_t n;
	int64_t size;
	int number; /* number in the temporary name, see io/temporary.h */
};

/* Return true if the path ends in .npz or .safetensors, and set *is_npz to whether it ends in .npz. */
bool sr_bundle_is_bundle_path(const char *path, bool *is_npz);
enum sr_status sr_bundle_layout(struct sr_diags *diags, struct sr_arena *arena, struct sr_bundle *bundle);
enum sr_status sr_bundle_create(struct sr_diags *diags, struct sr_arena *arena, struct sr_bundle *bundle);
/* Write the slice [start, start + size) of array i from the origin of a row-major buffer with the extents `local`. */
enum sr_status sr_bundle_write(struct sr_diags *diags, struct sr_arena *arena, const struct sr_bundle *bundle, int64_t i,
			       const int64_t *start, const int64_t *size, const int64_t *local_dims, const void *data);
enum sr_status sr_bundle_checksum(struct sr_diags *diags, struct sr_arena *arena, const struct sr_bundle *bundle, int64_t chunk,
				  int64_t n_chunks, uint32_t *sums);
enum sr_status sr_bundle_finish(struct sr_diags *diags, struct sr_arena *arena, struct sr_bundle *bundle, const uint32_t *sums,
				int64_t n_chunks);

#endif
