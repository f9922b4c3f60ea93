/* Safetensors files: a JSON table of names, types, shapes and byte ranges, then the bytes, row-major and little-endian. Tensors are
 * read by slices, as any array (io/slice.h):
 *
 *	sr_safetensors_read(diags, arena, &file, &tensors); t = &tensors.at[sr_safetensors_find(&tensors, "wte")];
 *	slice = (struct sr_slice){t->rank, sr_dtype_bytes(t->type), false, t->offset, t->dims, start, size, local}; */
#ifndef SR_IO_SAFETENSORS_H
#define SR_IO_SAFETENSORS_H

#include "io/file.h"
#include "mesh/mesh.h"
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

#endif
