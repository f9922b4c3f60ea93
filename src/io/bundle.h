/* One file of several arrays, .npz or safetensors by its name, that several processes write, each its parts, as output.h's files of
 * one array are.
 *
 *	sr_bundle_layout(diags, arena, &bundle);                                  every process
 *	sr_bundle_create(diags, arena, &bundle);                                  one, which tells the others bundle.number
 *	sr_bundle_write(diags, arena, &bundle, i, start, size, local, data);      any; all wait for each other then
 *	sr_bundle_checksum(diags, arena, &bundle, part, n_parts, sums);                each its part of the checksums, [n]; brought to
 * one
 *	sr_bundle_finish(diags, arena, &bundle, all_sums, n_parts);               one, [n_parts][n]; else sr_temporaries_remove */
#ifndef SR_IO_BUNDLE_H
#define SR_IO_BUNDLE_H

#include "io/npz_write.h"
#include "io/safetensors.h"
#include "io/temporary.h"

struct sr_bundle {
	const char *path;
	bool is_npz;
	struct sr_npz_array *arrays;      /* [n]; name, type, rank and dims are given */
	struct sr_safetensors tensors;    /* the same, where it is no .npz */
	int64_t n;
	int64_t size;
	int number; /* of its temporary name */
};

/* Whether the name's end says that it is such a file. */
bool sr_bundle_is_bundle_path(const char *path, bool *is_npz);
enum sr_status sr_bundle_layout(struct sr_diags *diags, struct sr_arena *arena, struct sr_bundle *bundle);
enum sr_status sr_bundle_create(struct sr_diags *diags, struct sr_arena *arena, struct sr_bundle *bundle);
/* Of array i the part [start, start + size), which lies in a row-major buffer of the extents local. */
enum sr_status sr_bundle_write(struct sr_diags *diags, struct sr_arena *arena, const struct sr_bundle *bundle, int64_t i,
			       const int64_t *start, const int64_t *size, const int64_t *local, const void *data);
enum sr_status sr_bundle_checksum(struct sr_diags *diags, struct sr_arena *arena, const struct sr_bundle *bundle, int64_t part,
			     int64_t n_parts, uint32_t *sums);
enum sr_status sr_bundle_finish(struct sr_diags *diags, struct sr_arena *arena, struct sr_bundle *bundle, const uint32_t *sums,
				int64_t n_parts);

#endif
