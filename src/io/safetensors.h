/* Safetensors files: a JSON table of names, types, shapes and byte ranges, then the bytes, row-major and little-endian. Tensors are
 * read and written by slices, as any array (io/slice.h):
 *
 *	sr_file_open(diags, "w.safetensors", &file); sr_safetensors_read(diags, arena, &file, &tensors);
 *	t = &tensors.at[sr_safetensors_find(&tensors, "wte")]; sr_safetensor_read_slice(diags, &file, t, start, size, local, data);
 *
 * Many processes write one file, each its parts. All make the same layout of names, types and shapes; one makes the file, of its
 * whole length and with its table, under a temporary name (io/temporary.h), which the others open:
 *
 *	struct sr_safetensor at[] = {{.name = "wte", .type = SR_BF16, .rank = 2, .dims = {50257, 768}}, ...};
 *	struct sr_safetensors tensors = {at, n};
 *	sr_safetensors_create(diags, arena, name, &tensors, &file);                              one process; then sr_file_close
 *	sr_safetensors_layout(diags, arena, name, &tensors, &head, &size);                        the others
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
	int64_t offset, bytes; /* in the file */
};

struct sr_safetensors {
	struct sr_safetensor *at; /* [n], in the order of the table; in the arena */
	int64_t n;
};

/* The table; every range is as long as its shape asks for, and together they are all bytes of the file, each once; names differ. */
enum sr_status sr_safetensors_read(struct sr_diags *diags, struct sr_arena *arena, struct sr_file *file,
				   struct sr_safetensors *tensors);
int64_t sr_safetensors_find(const struct sr_safetensors *tensors, const char *name); /* -1 where there is none */
/* The slice [start, start + size) into the origin of a row-major buffer of the extents local (NULL: size). */
enum sr_status sr_safetensor_read_slice(struct sr_diags *diags, struct sr_file *file, const struct sr_safetensor *tensor,
					const int64_t *start, const int64_t *size, const int64_t *local, void *dst);

bool sr_safetensors_supports(enum sr_dtype type); /* the format has a name for it */
/* Where the tensors, of which names, types and shapes are given, lie in a file of their own: sets offset and bytes of each, appends
 * the file's first bytes to *head, up to the data, and says its length. The same tensors in any order give the same file. `path`
 * is for messages: SR_UNSUPPORTED, reported, for a type that the format does not know (complex<f64>, elements of fewer bits than a
 * byte), SR_USAGE for two of one name. */
enum sr_status sr_safetensors_layout(struct sr_diags *diags, struct sr_arena *arena, const char *path,
				     struct sr_safetensors *tensors, struct sr_buf *head, int64_t *size);
/* A new file of full length with that table; the data is zero. */
enum sr_status sr_safetensors_create(struct sr_diags *diags, struct sr_arena *arena, const char *path,
				     struct sr_safetensors *tensors, struct sr_file *file);
enum sr_status sr_safetensor_write_slice(struct sr_diags *diags, struct sr_file *file, const struct sr_safetensor *tensor,
					 const int64_t *start, const int64_t *size, const int64_t *local, const void *src);

#endif
