/* NumPy's .npy files: read and write the header, and slices of the data.
 *
 * The header's `descr` does not always determine the element type: bfloat16 is stored as two raw bytes ('<V2', as numpy writes
 * ml_dtypes.bfloat16), 8-bit floats as one ('|V1'). A reader therefore asks whether a file can hold the type that it expects
 * (sr_npy_accepts). Only little-endian data is supported. Several arrays may follow each other in one file (sr_npy_next).
 *
 *	struct sr_file file; struct sr_npy npy;
 *	sr_file_open(diags, "x.npy", &file); sr_npy_read_header(diags, &file, 0, &npy);
 *	sr_npy_check(diags, &file, &npy, "argument 0", SR_F32, global, rank);
 *	sr_npy_read_slice(diags, &file, &npy, slice.start, slice.size, slice.local, buffer); */
#ifndef SR_IO_NPY_H
#define SR_IO_NPY_H

#include "io/file.h"
#include "mesh/mesh.h"
#include "support/buf.h"
#include "support/dtype.h"

struct sr_npy {
	char descr[16];     /* the header's descr, for example "<f4" */
	char kind;          /* NumPy's kind: b, i, u, f, c or V (raw bytes) */
	int element_bytes;  /* bytes per element */
	enum sr_dtype type; /* type implied by descr alone ("V2" is bf16); SR_DTYPE_NONE for other raw bytes */
	bool is_fortran_order;       /* true if the data is column-major */
	int rank;
	int64_t dims[SR_MAX_RANK];
	/* byte offsets in the file: of the header, of the data and of the end of the data */
	int64_t header_offset, data_offset, end_offset;
};

/* Parse the header at the beginning of n bytes; npy->begin is 0. `path` is for messages. */
enum sr_status sr_npy_parse(struct sr_diags *diags, const char *path, const char *bytes, int64_t n, struct sr_npy *npy);
/* Read the header at an offset of a file. The data must be complete and be followed by the end of the file or another array. */
enum sr_status sr_npy_read_header(struct sr_diags *diags, struct sr_file *file, int64_t offset, struct sr_npy *npy);
/* Read the header of an array that occupies exactly `length` bytes of the file, such as an archive member. */
enum sr_status sr_npy_read_header_within(struct sr_diags *diags, struct sr_file *file, int64_t offset, int64_t length,
					 struct sr_npy *npy);
/* Read the header of the next array in the file. Return SR_NEXT, without reporting an error, if there is none. */
enum sr_status sr_npy_next(struct sr_diags *diags, struct sr_file *file, struct sr_npy *npy);
bool sr_npy_accepts(const struct sr_npy *npy, enum sr_dtype type);
/* Check that the file holds this type and shape; the message names both. `value_name` is the array's name in messages, such as
 * "argument 0". */
enum sr_status sr_npy_check(struct sr_diags *diags, const struct sr_file *file, const struct sr_npy *npy, const char *value_name,
			    enum sr_dtype type, const int64_t *dims, int rank);
/* Read the slice [start, start + size) into the origin of a row-major buffer with the extents `local` (NULL: size). */
enum sr_status sr_npy_read_slice(struct sr_diags *diags, struct sr_file *file, const struct sr_npy *npy, const int64_t *start,
				 const int64_t *size, const int64_t *local_dims, void *dst);
enum sr_status sr_npy_write_slice(struct sr_diags *diags, struct sr_file *file, const struct sr_npy *npy, const int64_t *start,
				  const int64_t *size, const int64_t *local_dims, const void *src);

/* Append the header of a row-major array, byte for byte as numpy.save writes it. */
void sr_npy_format_header(struct sr_buf *buf, enum sr_dtype type, const int64_t *dims, int rank);
/* Compute the offsets in a file that starts with the header of a row-major array, for ranks that write to a file created by
 * another rank. */
enum sr_status sr_npy_layout(struct sr_diags *diags, struct sr_arena *arena, const char *path, enum sr_dtype type,
			     const int64_t *dims, int rank, struct sr_npy *npy);
/* Create a file of full length with its header; the data is zero. */
enum sr_status sr_npy_create(struct sr_diags *diags, struct sr_arena *arena, const char *path, enum sr_dtype type,
			     const int64_t *dims, int rank, struct sr_file *file, struct sr_npy *npy);

/* Print type and shape: "4x3xf32". */
void sr_shape_print(struct sr_buf *buf, enum sr_dtype type, const int64_t *dims, int rank);

#endif
