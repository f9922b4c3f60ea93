/* Write .npz files, uncompressed as numpy.savez does, by several processes in parallel: the offset of each array follows from
 * names, types and shapes. The checksums, which precede the data in the file, are filled in once all data is written. Uses Zip64
 * where a length or an offset does not fit in 32 bits.
 *
 *	struct sr_npz_array at[] = {{"w", SR_F32, 2, dims}, ...};
 *	sr_npz_layout(diags, arena, path, at, n, &size);                     every process
 *	sr_npz_write_headers(diags, arena, &file, at, n);                      one process, in a file of that length; again with checksums
 *	sr_npy_write_slice(diags, &file, &at[i].npy, start, size, local, data); */
#ifndef SR_IO_NPZ_WRITE_H
#define SR_IO_NPZ_WRITE_H

#include "io/npy.h"

struct sr_npz_array {
	const char *name; /* name without the suffix .npy */
	enum sr_dtype type;
	int rank;
	const int64_t *dims;
	struct sr_npy npy; /* header of the .npy member, with byte offsets in the archive */
	int64_t header_offset;    /* byte offset of the member's local header */
	uint32_t crc;      /* CRC-32 of the bytes from npy.begin to npy.end */
};

/* Compute npy and header of each array, and the length of the file. Returns SR_USAGE, after reporting it, if a name is too long
 * or a duplicate. */
enum sr_status sr_npz_layout(struct sr_diags *diags, struct sr_arena *arena, const char *path, struct sr_npz_array *arrays,
			     int64_t n, int64_t *size);
/* Write everything but the elements: local headers, .npy headers, and the zip directory. */
enum sr_status sr_npz_write_headers(struct sr_diags *diags, struct sr_arena *arena, struct sr_file *file,
				    const struct sr_npz_array *arrays, int64_t n);

#endif
