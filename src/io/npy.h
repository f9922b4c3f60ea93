/* NumPy's .npy files: the header read and written, the data read and written by slices.
 *
 * A header says what the bytes are called there, which is not always an element type: bfloat16 is written as two raw bytes
 * ('<V2', as numpy writes ml_dtypes.bfloat16), the 8-bit floats as one ('|V1'). So a reader asks whether a file can hold the type
 * that it expects (sr_npy_accepts). Byte order must be little-endian. Arrays may follow each other in one file (sr_npy_next).
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
	char descr[16];     /* as written: "<f4" */
	char kind;          /* b, i, u, f, c or V (raw bytes) */
	int item;           /* bytes of an element */
	enum sr_dtype type; /* what descr names if nothing else is known ("V2" is bf16); SR_DTYPE_NONE for other raw bytes */
	bool fortran;       /* column-major */
	int rank;
	int64_t dims[SR_MAX_RANK];
	int64_t begin, data, end; /* offsets in the file: of the header, of the data, behind the data */
};

/* The header at the begin of n bytes; npy->begin is 0. `path` is for messages. */
enum sr_status sr_npy_parse(struct sr_diags *diags, const char *path, const char *bytes, int64_t n, struct sr_npy *npy);
/* The header at an offset of a file; the data must be there in full, followed by nothing or by another array. */
enum sr_status sr_npy_read_header(struct sr_diags *diags, struct sr_file *file, int64_t offset, struct sr_npy *npy);
/* The same where the array takes up exactly `length` bytes of the file: a member of an archive. */
enum sr_status sr_npy_read_header_within(struct sr_diags *diags, struct sr_file *file, int64_t offset, int64_t length,
					 struct sr_npy *npy);
/* The array that follows; SR_NEXT, unreported, where there is none. */
enum sr_status sr_npy_next(struct sr_diags *diags, struct sr_file *file, struct sr_npy *npy);
bool sr_npy_accepts(const struct sr_npy *npy, enum sr_dtype type);
/* That the file holds this type and shape; the message names both. `what` is who wants it: "argument 0". */
enum sr_status sr_npy_check(struct sr_diags *diags, const struct sr_file *file, const struct sr_npy *npy, const char *what,
			    enum sr_dtype type, const int64_t *dims, int rank);
/* The slice [start, start + size) into the origin of a row-major buffer of the extents local (NULL: size). */
enum sr_status sr_npy_read_slice(struct sr_diags *diags, struct sr_file *file, const struct sr_npy *npy, const int64_t *start,
				 const int64_t *size, const int64_t *local, void *dst);
enum sr_status sr_npy_write_slice(struct sr_diags *diags, struct sr_file *file, const struct sr_npy *npy, const int64_t *start,
				  const int64_t *size, const int64_t *local, const void *src);

/* The header of a row-major array as numpy.save writes it, byte for byte. */
void sr_npy_format_header(struct sr_buf *buf, enum sr_dtype type, const int64_t *dims, int rank);
/* Where things lie in a file that starts with that header: what ranks that did not create the file write by. */
enum sr_status sr_npy_layout(struct sr_diags *diags, struct sr_arena *arena, const char *path, enum sr_dtype type,
			     const int64_t *dims, int rank, struct sr_npy *npy);
/* A new file of full length with its header; the data is zero. */
enum sr_status sr_npy_create(struct sr_diags *diags, struct sr_arena *arena, const char *path, enum sr_dtype type,
			     const int64_t *dims, int rank, struct sr_file *file, struct sr_npy *npy);

/* "4x3xf32" */
void sr_shape_print(struct sr_buf *buf, enum sr_dtype type, const int64_t *dims, int rank);

#endif
