/* .npy files: read the header in place, check length, type and shape, and transfer slices of the data. */
#include "io/npy.h"
#include "io/slice.h"
#include "support/checked.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_HEADER_BYTES = 1 << 16 }; /* maximum bytes of a header: the limit of format version 1, far more than 16 extents need */

/* Read the header of an array at `offset`, of which at most `length` bytes are in the file. */
static enum sr_status read_header_text(struct sr_diags *diags, struct sr_file *file, int64_t offset, int64_t length,
				       struct sr_npy *npy)
{
	struct sr_src_loc location = {file->path};
	int64_t n = length < MAX_HEADER_BYTES ? length : MAX_HEADER_BYTES;
	char *bytes = malloc(MAX_HEADER_BYTES);
	if (!bytes)
		return sr_error(diags, SR_NO_MEMORY, location, "no memory for an .npy header");
	enum sr_status status = sr_file_read_at(diags, file, bytes, n, offset);
	if (!status)
		status = sr_npy_parse(diags, file->path, bytes, n, npy);
	free(bytes);
	if (status)
		return status;
	npy->header_offset = offset;
	npy->data_offset += offset;
	if (sr_add_overflows(npy->end_offset, offset, &npy->end_offset) || npy->end_offset - offset > length)
		return sr_error(diags, SR_USAGE, location, "file has %" PRId64 " bytes, its header and shape require %" PRId64,
				offset + length, npy->end_offset);
	return SR_OK;
}

static enum sr_status report_too_long(struct sr_diags *diags, const struct sr_file *file, int64_t file_bytes,
				      const struct sr_npy *npy)
{
	return sr_error(diags, SR_USAGE, (struct sr_src_loc){file->path},
			"file has %" PRId64 " bytes, its header and shape require only %" PRId64, file_bytes, npy->end_offset);
}

enum sr_status sr_npy_read_header(struct sr_diags *diags, struct sr_file *file, int64_t offset, struct sr_npy *npy)
{
	enum sr_status status = read_header_text(diags, file, offset, file->size - offset, npy);
	if (status || npy->end_offset == file->size)
		return status;
	char next_byte = 0;
	status = sr_file_read_at(diags, file, &next_byte, 1, npy->end_offset);
	if (!status && next_byte != '\x93') /* first byte of the magic number of the next array in the file */
		status = report_too_long(diags, file, file->size, npy);
	return status;
}

enum sr_status sr_npy_read_header_within(struct sr_diags *diags, struct sr_file *file, int64_t offset, int64_t length,
					 struct sr_npy *npy)
{
	enum sr_status status = read_header_text(diags, file, offset, length, npy);
	if (!status && npy->end_offset != offset + length)
		status = report_too_long(diags, file, offset + length, npy);
	return status;
}

enum sr_status sr_npy_next(struct sr_diags *diags, struct sr_file *file, struct sr_npy *npy)
{
	if (npy->end_offset == file->size)
		return SR_NEXT;
	return sr_npy_read_header(diags, file, npy->end_offset, npy);
}

bool sr_npy_accepts(const struct sr_npy *npy, enum sr_dtype type)
{
	const struct sr_dtype_info *info = &sr_dtypes[type];
	if (npy->element_bytes != info->bytes)
		return false;
	bool is_raw = info->npy[1] == 'V'; /* the type is stored as raw bytes, since NumPy has no type with this name */
	if (npy->kind == 'V')
		return is_raw || info->bits < 8;
	if (npy->kind == 'f' && npy->element_bytes == 1)
		return is_raw;
	return npy->kind == info->npy[1];
}

void sr_shape_print(struct sr_buf *buf, enum sr_dtype type, const int64_t *dims, int rank)
{
	for (int i = 0; i < rank; i++)
		sr_buf_printf(buf, "%" PRId64 "x", dims[i]);
	sr_buf_puts(buf, type == SR_DTYPE_NONE ? "?" : sr_dtypes[type].name);
}

enum sr_status sr_npy_check(struct sr_diags *diags, const struct sr_file *file, const struct sr_npy *npy, const char *value_name,
			    enum sr_dtype type, const int64_t *dims, int rank)
{
	struct sr_buf expected, actual;
	bool is_same = npy->rank == rank && sr_npy_accepts(npy, type);
	for (int i = 0; is_same && i < rank; i++)
		is_same = npy->dims[i] == dims[i];
	if (is_same)
		return SR_OK;
	sr_buf_init(&expected, diags->arena);
	sr_buf_init(&actual, diags->arena);
	sr_shape_print(&expected, type, dims, rank);
	sr_shape_print(&actual, npy->type, npy->dims, npy->rank);
	return sr_error(diags, SR_USAGE, (struct sr_src_loc){file->path}, "holds %s (descr '%s'), but %s is %s",
			sr_buf_string(&actual), npy->descr, value_name, sr_buf_string(&expected));
}

static struct sr_slice slice_of(const struct sr_npy *npy, const int64_t *start, const int64_t *size, const int64_t *local_dims)
{
	return (struct sr_slice){.rank = npy->rank,
				 .element_bytes = npy->element_bytes,
				 .is_fortran_order = npy->is_fortran_order,
				 .offset = npy->data_offset,
				 .dims = npy->dims,
				 .start = start,
				 .size = size,
				 .local_dims = local_dims};
}

enum sr_status sr_npy_read_slice(struct sr_diags *diags, struct sr_file *file, const struct sr_npy *npy, const int64_t *start,
				 const int64_t *size, const int64_t *local_dims, void *dst)
{
	struct sr_slice slice = slice_of(npy, start, size, local_dims);
	return sr_slice_read(diags, file, &slice, dst);
}

enum sr_status sr_npy_write_slice(struct sr_diags *diags, struct sr_file *file, const struct sr_npy *npy, const int64_t *start,
				  const int64_t *size, const int64_t *local_dims, const void *src)
{
	struct sr_slice slice = slice_of(npy, start, size, local_dims);
	return sr_slice_write(diags, file, &slice, src);
}

enum sr_status sr_npy_layout(struct sr_diags *diags, struct sr_arena *arena, const char *path, enum sr_dtype type,
			     const int64_t *dims, int rank, struct sr_npy *npy)
{
	struct sr_buf header;
	if (rank > SR_MAX_RANK)
		return sr_error(diags, SR_UNSUPPORTED, (struct sr_src_loc){path}, "an array of more than %d dimensions", SR_MAX_RANK);
	sr_buf_init(&header, arena);
	sr_npy_format_header(&header, type, dims, rank);
	return sr_npy_parse(diags, path, header.data, (int64_t)header.n, npy);
}

enum sr_status sr_npy_create(struct sr_diags *diags, struct sr_arena *arena, const char *path, enum sr_dtype type,
			     const int64_t *dims, int rank, struct sr_file *file, struct sr_npy *npy)
{
	enum sr_status status = sr_npy_layout(diags, arena, path, type, dims, rank, npy);
	if (!status)
		status = sr_file_create(diags, path, npy->end_offset, file);
	if (status)
		return status;
	struct sr_buf header;
	sr_buf_init(&header, arena);
	sr_npy_format_header(&header, type, dims, rank);
	status = sr_file_write_at(diags, file, header.data, (int64_t)header.n, 0);
	if (status) {
		sr_file_close(diags, file);
		sr_file_remove(path);
	}
	return status;
}
