/* Safetensors files: a JSON table of names, types, shapes and byte ranges, followed by the data, row-major and little-endian.
 * Tensors are read and written slice by slice (io/slice.h):
 *
 *	sr_file_open(diags, "w.safetensors", &file); sr_safetensors_read(diags, arena, &file, &tensors);
 *	t = &tensors.tensors[sr_safetensors_find(&tensors, "wte")]; sr_safetensor_read_slice(diags, &file, t, start, size, local, data);
 *
 * Several processes write one file in parallel. All of them compute the same layout from names, types and shapes. One process
 * creates the file at full length with its table, under a temporary name (io/temporary.h); the others open it:
 *
 *	struct sr_safetensor at[] = {{.name = "wte", .type = SR_BF16, .rank = 2, .dims = {50257, 768}}, ...};
 *	struct sr_safetensors tensors = {at, n};
 *	sr_safetensors_create(diags, arena, name, &tensors, &file);                              one process; then sr_file_close
 *	sr_safetensors_layout(diags, arena, name, &tensors, &header, &size);                        the others
 *	sr_file_open_for_writing(diags, name, &file); sr_safetensor_write_slice(diags, &file, &at[i], start, size, local, data); */
#ifndef SR_IO_SAFETENSORS_H
#define SR_IO_SAFETENSORS_H

#include "io/file.h"
#include "mesh/mesh.h"
#include "support/buf.h"
#include "support/dtype.h"

struct sr_safetensor {
	const char *name;
	enum sr_dtype type;
	int rank;
	int64_t dims[SR_MAX_RANK];
	int64_t offset, bytes; /* byte offset in the file; number of bytes */
};

struct sr_safetensors {
	struct sr_safetensor *tensors; /* tensors in the order of the table, in the arena; length n */
	int64_t n;
};

/* Read and check the table: each range has the length that the tensor's shape requires, the ranges cover the data exactly once,
 * and names are unique. */
enum sr_status sr_safetensors_read(struct sr_diags *diags, struct sr_arena *arena, struct sr_file *file,
				   struct sr_safetensors *tensors);
/* Return the index of the tensor with this name; -1 if there is none. */
int64_t sr_safetensors_find(const struct sr_safetensors *tensors, const char *name);
/* Read the slice [start, start + size) into the origin of a row-major buffer with the extents `local` (NULL: size). */
enum sr_status sr_safetensor_read_slice(struct sr_diags *diags, struct sr_file *file, const struct sr_safetensor *tensor,
					const int64_t *start, const int64_t *size, const int64_t *local_dims, void *dst);

bool sr_safetensors_supports(enum sr_dtype type); /* Return true if the format has a name for the type. */
/* Compute the layout of a file of tensors with given names, types and shapes: set offset and bytes of each, append everything
 * before the data to *header, and set the file's length. The order of the tensors does not matter. `path` is for messages.
 * Returns SR_UNSUPPORTED, after reporting it, for a type that the format does not have (complex<f64>, elements of fewer than 8
 * bits), SR_USAGE for duplicate names. */
enum sr_status sr_safetensors_layout(struct sr_diags *diags, struct sr_arena *arena, const char *path,
				     struct sr_safetensors *tensors, struct sr_buf *header, int64_t *size);
/* Create a file of full length that begins with the table of sr_safetensors_layout; the data is zero. */
enum sr_status sr_safetensors_create(struct sr_diags *diags, struct sr_arena *arena, const char *path,
				     struct sr_safetensors *tensors, struct sr_file *file);
enum sr_status sr_safetensor_write_slice(struct sr_diags *diags, struct sr_file *file, const struct sr_safetensor *tensor,
					 const int64_t *start, const int64_t *size, const int64_t *local_dims, const void *src);

#endif
