/* Write files of one array each, in slices. */
#include "io/output.h"
#include "io/npy.h"

enum sr_status sr_outputs_create(struct sr_diags *diags, struct sr_arena *arena, struct sr_output *outputs, size_t n)
{
	enum sr_status status = SR_OK;
	for (size_t i = 0; !status && i < n; i++) {
		struct sr_output *o = &outputs[i];
		struct sr_file file;
		struct sr_npy npy;
		if (!o->path)
			continue;
		status = sr_temporary_make(diags, arena, o->path, &o->number);
		o->is_made = !status;
		if (!status)
			status = sr_npy_create(diags, arena, sr_file_temporary_name(arena, o->path, o->number), o->type, o->dims, o->rank, &file, &npy);
		if (!status)
			status = sr_file_close(diags, &file);
	}
	return status;
}

enum sr_status sr_output_write(struct sr_diags *diags, struct sr_arena *arena, const struct sr_output *o, const int64_t *start,
			       const int64_t *size, const int64_t *local_dims, const void *data)
{
	struct sr_file file;
	struct sr_npy npy;
	const char *name = sr_file_temporary_name(arena, o->path, o->number);
	enum sr_status status = sr_npy_layout(diags, arena, name, o->type, o->dims, o->rank, &npy);
	if (!status)
		status = sr_file_open_for_writing(diags, name, &file);
	if (status)
		return status;
	status = sr_npy_write_slice(diags, &file, &npy, start, size, local_dims, data);
	enum sr_status close_status = sr_file_close(diags, &file);
	return status ? status : close_status;
}

enum sr_status sr_outputs_finish(struct sr_diags *diags, struct sr_arena *arena, struct sr_output *outputs, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct sr_output *o = &outputs[i];
		if (o->path && sr_temporary_finish(diags, arena, o->path, o->number))
			return SR_USAGE;
		o->is_made = false;
	}
	return SR_OK;
}

void sr_outputs_remove(struct sr_arena *arena, struct sr_output *outputs, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (outputs[i].is_made)
			sr_temporary_remove(arena, outputs[i].path, outputs[i].number);
}
