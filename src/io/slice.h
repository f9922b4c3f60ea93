/* A hyper-rectangle of an array in a file, to and from the corner of a rank's own padded buffer.
 *
 * The array lies in the file from `offset` on, in row-major or column-major order. The part [start, start + size) goes to the
 * origin of a row-major buffer of the extents `local`; what lies beyond `size` is neither read nor written, so the padding stays
 * as it was. Ranges that follow each other closely are read in one call, at most a page read through in between; ranges are written
 * in one call only where nothing lies between them, since that belongs to other ranks.
 *
 * Example: rows 4..7, columns 2..3 of a 16x8 array into a 4x3 buffer: start {4, 2}, size {4, 2}, local {4, 3}. */
#ifndef SR_IO_SLICE_H
#define SR_IO_SLICE_H

#include "io/file.h"
#include "mesh/mesh.h"

struct sr_slice {
	int rank;
	int item;             /* bytes of an element */
	bool fortran;         /* the file is column-major */
	int64_t offset;       /* of the first element, bytes */
	const int64_t *dims;  /* [rank] of the array in the file */
	const int64_t *start; /* [rank] */
	const int64_t *size;  /* [rank]; an extent of 0: nothing to do */
	const int64_t *local; /* [rank] extents of the buffer, at least size; NULL: size */
};

enum sr_status sr_slice_read(struct sr_diags *diags, struct sr_file *file, const struct sr_slice *slice, void *dst);
enum sr_status sr_slice_write(struct sr_diags *diags, struct sr_file *file, const struct sr_slice *slice, const void *src);
/* The same from an array in memory (offset from its begin). The slice must lie in the array. */
void sr_slice_copy_in(const struct sr_slice *slice, const void *array, void *dst);
void sr_slice_clear(const struct sr_slice *slice, void *dst); /* zeros where the slice would go */
/* Whether the slice lies in its array and in its buffer and all offsets fit in 63 bits; *end is where the array ends. */
bool sr_slice_is_valid(const struct sr_slice *slice, int64_t *end);

#endif
