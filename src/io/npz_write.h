/* Writing .npz files as numpy.savez does, stored, by many processes at once: where each array lies follows from names, types and
 * shapes, and the sums of checksums, which stand in front of the bytes, are put in when all is written. Zip64 where 32 bits do not
 * hold a length or a place.
 *
 *	struct sr_npz_array at[] = {{"w", SR_F32, 2, dims}, ...};
 *	sr_npz_layout(diags, arena, path, at, n, &size);                     every process
 *	sr_npz_write_headers(diags, arena, &file, at, n);                      one, into a file of that length; again with the sums
 *	sr_npy_write_slice(diags, &file, &at[i].npy, start, size, local, data); */
#ifndef SR_IO_NPZ_WRITE_H
#define SR_IO_NPZ_WRITE_H

#include "io/npy.h"

struct sr_npz_array {
	const char *name; /* without .npy */
	enum sr_dtype type;
	int rank;
	const int64_t *dims;
	struct sr_npy npy; /* its begin, data and end in the file */
	int64_t header;    /* of the member, in front of that */
	uint32_t crc;      /* of all bytes from npy.begin to npy.end */
};

/* Sets npy and header of each; the file's length. SR_USAGE, reported, where a name is too long or stands twice. */
enum sr_status sr_npz_layout(struct sr_diags *diags, struct sr_arena *arena, const char *path, struct sr_npz_array *arrays,
			     int64_t n, int64_t *size);
/* All but the arrays' elements: the members' headers and those of .npy, and the directory. */
enum sr_status sr_npz_write_headers(struct sr_diags *diags, struct sr_arena *arena, struct sr_file *file,
				  const struct sr_npz_array *arrays, int64_t n);

#endif
