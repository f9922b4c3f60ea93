/* Values of the command line, read in slices: dispatch on the kinds of text_value.h to slice.h, npy.h and archive.h. */
#include "io/input.h"
#include "io/slice.h"
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

static enum sr_status open_file(struct sr_diags *diags, struct sr_input *input)
{
	const struct sr_text_value *value = &input->value;
	enum sr_status status = sr_file_open(diags, value->path, &input->file);
	if (status)
		return status;
	if (value->kind == SR_VALUE_NPY_FILE)
		status = sr_npy_read_header(diags, &input->file, 0, &input->npy);
	else if (input->file.size != value->bytes)
		status = sr_error(diags, SR_USAGE, (struct sr_src_loc){value->path},
				  "file has %" PRId64 " bytes, the shape requires %" PRId64, input->file.size, value->bytes);
	if (status)
		sr_input_close(input);
	return status;
}

/* Describe a tensor as raw bytes in the middle of its file. */
static void describe_tensor(const struct sr_safetensor *t, struct sr_input *input)
{
	struct sr_text_value *value = &input->value;
	value->kind = SR_VALUE_RAW_FILE;
	value->type = t->type;
	value->rank = t->rank;
	value->bytes = t->bytes;
	memcpy(value->dims, t->dims, sizeof value->dims);
	input->offset = t->offset;
}

static enum sr_status open_member(struct sr_diags *diags, const struct sr_archive *archive, int64_t i, struct sr_input *input)
{
	enum sr_status status = sr_file_open(diags, input->value.path, &input->file);
	if (status)
		return status;
	if (archive->kind == SR_ARCHIVE_SAFETENSORS) {
		describe_tensor(&archive->tensors.tensors[i], input);
		return SR_OK;
	}
	input->value.kind = SR_VALUE_NPY_FILE;
	input->member = &archive->npz.members[i];
	status = sr_npz_read_header(diags, &input->file, input->member, &input->npy);
	if (status)
		sr_input_close(input);
	return status;
}

/* Open an array of an archive. Messages name file and array. An item of an index or a folder is opened as an input of its own. */
static enum sr_status open_archive(struct sr_diags *diags, struct sr_arena *arena, struct sr_archives *archives,
				   enum sr_dtype scalar, struct sr_input *input)
{
	struct sr_archives own_archives = {NULL};
	const struct sr_archive *archive;
	int64_t i;
	enum sr_status status = sr_archives_open(diags, arena, archives ? archives : &own_archives, input->value.path, &archive);
	if (!status)
		status = sr_archive_find(diags, archive, input->value.key, &i);
	if (!status && archive->items)
		return sr_input_open(diags, arena, archives, input->flag, archive->items[i].text, scalar, input);
	if (!status)
		status = open_member(diags, archive, i, input);
	if (!status)
		input->flag = input->file.path = sr_printf(arena, "%s:%s", archive->path, sr_archive_name(archive, i));
	return status;
}

enum sr_status sr_input_open(struct sr_diags *diags, struct sr_arena *arena, struct sr_archives *archives, const char *flag,
			     const char *text, enum sr_dtype scalar, struct sr_input *input)
{
	*input = (struct sr_input){.flag = flag, .file.fd = -1};
	enum sr_status status = sr_text_value_parse(diags, arena, flag, text, scalar, &input->value);
	if (status || !input->value.path)
		return status;
	return input->value.kind == SR_VALUE_ARCHIVE ? open_archive(diags, arena, archives, scalar, input)
						     : open_file(diags, input);
}

enum sr_status sr_input_check(struct sr_diags *diags, const struct sr_input *input, const char *value_name, enum sr_dtype type,
			      const int64_t *dims, int rank)
{
	const struct sr_text_value *value = &input->value;
	if (value->kind == SR_VALUE_NPY_FILE)
		return sr_npy_check(diags, &input->file, &input->npy, value_name, type, dims, rank);
	bool is_same = value->type == type && value->rank == rank;
	for (int i = 0; is_same && i < rank; i++)
		is_same = value->dims[i] == dims[i];
	if (is_same)
		return SR_OK;
	struct sr_buf actual, expected;
	sr_buf_init(&actual, diags->arena);
	sr_buf_init(&expected, diags->arena);
	sr_shape_print(&actual, value->type, value->dims, value->rank);
	sr_shape_print(&expected, type, dims, rank);
	return sr_error(diags, SR_USAGE, (struct sr_src_loc){input->flag}, "%s has type tensor<%s>, but %s is given", value_name,
			sr_buf_string(&expected), sr_buf_string(&actual));
}

enum sr_status sr_input_read_slice(struct sr_diags *diags, struct sr_input *input, const int64_t *start, const int64_t *size,
				   const int64_t *local_dims, void *dst)
{
	struct sr_text_value *value = &input->value;
	if (value->kind == SR_VALUE_NPY_FILE)
		return sr_npy_read_slice(diags, &input->file, &input->npy, start, size, local_dims, dst);
	struct sr_slice slice = {.rank = value->rank,
				 .element_bytes = sr_dtype_bytes(value->type),
				 .offset = input->offset,
				 .dims = value->dims,
				 .start = start,
				 .size = size,
				 .local_dims = local_dims};
	if (value->kind == SR_VALUE_RAW_FILE)
		return sr_slice_read(diags, &input->file, &slice, dst);
	if (value->kind == SR_VALUE_ZEROS)
		sr_slice_clear(&slice, dst);
	else
		sr_slice_copy_in(&slice, value->data, dst);
	return SR_OK;
}

void sr_input_close(struct sr_input *input)
{
	if (input->file.fd >= 0)
		close(input->file.fd); /* no error is expected: the file was only read */
	input->file.fd = -1;
}

enum sr_status sr_input_load(struct sr_diags *diags, struct sr_arena *arena, struct sr_archives *archives, const char *flag,
			     const char *text, const struct sr_input_request *w, void *dst)
{
	struct sr_input input;
	int64_t n = 1;
	enum sr_status status = sr_input_open(diags, arena, archives, flag, text, w->type, &input);
	if (status)
		return status;
	status = sr_input_check(diags, &input, w->description, w->type, w->dims, w->rank);
	if (!status && dst)
		status = sr_input_read_slice(diags, &input, w->start, w->size, w->local_dims, dst);
	for (int d = 0; d < w->rank; d++)
		n *= w->local_dims[d];
	if (!status && dst) /* sign- or zero-extend, since NumPy stores i4 with the upper bits clear */
		sr_elements_extend(w->type, dst, n);
	sr_input_close(&input);
	return status;
}
