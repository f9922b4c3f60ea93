/* Copy a slice (hyper-rectangle) of an array in a file from or to the origin of a rank's padded buffer.
 *
 * The array begins at byte `offset` of the file, in row-major or column-major order. The slice [start, start + size) is copied to
 * the origin of a row-major buffer with extents `local`; padding beyond `size` is neither read nor written. When reading,
 * contiguous ranges that are at most a page apart are read in one call, and the gap is dropped. When writing, only adjacent
 * ranges share a call, since bytes in a gap belong to other ranks.
 *
 * Example: rows 4..7, columns 2..3 of a 16x8 array into a 4x3 buffer: start {4, 2}, size {4, 2}, local {4, 3}. */
#ifndef SR_IO_SLICE_H
#define SR_IO_SLICE_H

#include "io/file.h"
#include "mesh/mesh.h"

struct sr_slice {
	int rank;
	int element_bytes;    /* bytes per element */
	bool is_fortran_order;         /* true if the file is column-major */
	int64_t offset;       /* byte offset of the array's first element in the file */
	const int64_t *dims;  /* extents of the array in the file; length: rank */
	const int64_t *start; /* first index of the slice; length: rank */
	const int64_t *size;  /* extents of the slice, an extent of 0 makes it empty; length: rank */
	const int64_t *local_dims; /* extents of the buffer, at least `size`; NULL: equal to `size`; length: rank */
};

enum sr_status sr_slice_read(struct sr_diags *diags, struct sr_file *file, const struct sr_slice *slice, void *dst);
enum sr_status sr_slice_write(struct sr_diags *diags, struct sr_file *file, const struct sr_slice *slice, const void *src);
/* Copy a slice from an array in memory; slice->offset is relative to `array`. The slice must be within the array. */
void sr_slice_copy_in(const struct sr_slice *slice, const void *array, void *dst);
void sr_slice_clear(const struct sr_slice *slice, void *dst); /* Fill the elements of the slice in the buffer with zeros. */
/* Return true if the slice is within its array and its buffer, and no offset overflows 63 bits. *end: byte offset of the
 * array's end. */
bool sr_slice_is_valid(const struct sr_slice *slice, int64_t *end);

#endif
