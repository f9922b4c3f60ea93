/* Output files of several arrays, written in slices: .npz or safetensors. */
#include "io/bundle.h"
#include "io/npz.h"
#include <string.h>

bool sr_bundle_is_bundle_path(const char *path, bool *is_npz)
{
	const char *dot = strrchr(path, '.');
	*is_npz = dot && !strcmp(dot, ".npz");
	return *is_npz || (dot && !strcmp(dot, ".safetensors"));
}

static void describe_tensors(struct sr_arena *arena, struct sr_bundle *b)
{
	b->tensors = (struct sr_safetensors){SR_NEW_ARRAY(arena, struct sr_safetensor, b->n), b->n};
	for (int64_t i = 0; i < b->n; i++) {
		const struct sr_npz_array *a = &b->arrays[i];
		struct sr_safetensor *t = &b->tensors.tensors[i];
		*t = (struct sr_safetensor){.name = a->name, .type = a->type, .rank = a->rank};
		memcpy(t->dims, a->dims, (size_t)a->rank * sizeof *t->dims);
	}
}

enum sr_status sr_bundle_layout(struct sr_diags *diags, struct sr_arena *arena, struct sr_bundle *b)
{
	struct sr_buf header;
	if (b->is_npz)
		return sr_npz_layout(diags, arena, b->path, b->arrays, b->n, &b->size);
	describe_tensors(arena, b);
	sr_buf_init(&header, arena);
	return sr_safetensors_layout(diags, arena, b->path, &b->tensors, &header, &b->size);
}

static const char *temporary_name(struct sr_arena *arena, const struct sr_bundle *b)
{
	return sr_file_temporary_name(arena, b->path, b->number);
}

enum sr_status sr_bundle_create(struct sr_diags *diags, struct sr_arena *arena, struct sr_bundle *b)
{
	struct sr_file file = {.fd = -1};
	enum sr_status status = sr_temporary_make(diags, arena, b->path, &b->number);
	if (!status)
		status = b->is_npz ? sr_file_create(diags, temporary_name(arena, b), b->size, &file)
				   : sr_safetensors_create(diags, arena, temporary_name(arena, b), &b->tensors, &file);
	if (!status && b->is_npz)
		status = sr_npz_write_headers(diags, arena, &file, b->arrays, b->n);
	enum sr_status close_status = sr_file_close(diags, &file);
	return status ? status : close_status;
}

enum sr_status sr_bundle_write(struct sr_diags *diags, struct sr_arena *arena, const struct sr_bundle *b, int64_t i,
			       const int64_t *start, const int64_t *size, const int64_t *local_dims, const void *data)
{
	struct sr_file file;
	enum sr_status status = sr_file_open_for_writing(diags, temporary_name(arena, b), &file);
	if (status)
		return status;
	status = b->is_npz ? sr_npy_write_slice(diags, &file, &b->arrays[i].npy, start, size, local_dims, data)
			   : sr_safetensor_write_slice(diags, &file, &b->tensors.tensors[i], start, size, local_dims, data);
	enum sr_status close_status = sr_file_close(diags, &file);
	return status ? status : close_status;
}

/* Read the written file to compute its checksums: a rank writes strided slices of an array, whose checksums cannot be combined. */
enum sr_status sr_bundle_checksum(struct sr_diags *diags, struct sr_arena *arena, const struct sr_bundle *b, int64_t chunk,
				  int64_t n_chunks, uint32_t *sums)
{
	struct sr_file file;
	if (!b->is_npz)
		return SR_OK;
	enum sr_status status = sr_file_open(diags, temporary_name(arena, b), &file);
	if (status)
		return status;
	for (int64_t i = 0; !status && i < b->n; i++)
		status = sr_npz_checksum(diags, &file, &b->arrays[i].npy, chunk, n_chunks, &sums[i]);
	enum sr_status close_status = sr_file_close(diags, &file);
	return status ? status : close_status;
}

static enum sr_status write_checksums(struct sr_diags *diags, struct sr_arena *arena, struct sr_bundle *b, const uint32_t *sums,
				      int64_t n_chunks)
{
	struct sr_file file;
	uint32_t *chunk_sums = SR_NEW_ARRAY(arena, uint32_t, n_chunks);
	for (int64_t i = 0; i < b->n; i++) {
		for (int64_t k = 0; k < n_chunks; k++)
			chunk_sums[k] = sums[k * b->n + i];
		b->arrays[i].crc = sr_npz_combine_checksums(&b->arrays[i].npy, chunk_sums, n_chunks);
	}
	enum sr_status status = sr_file_open_for_writing(diags, temporary_name(arena, b), &file);
	if (status)
		return status;
	status = sr_npz_write_headers(diags, arena, &file, b->arrays, b->n);
	enum sr_status close_status = sr_file_close(diags, &file);
	return status ? status : close_status;
}

enum sr_status sr_bundle_finish(struct sr_diags *diags, struct sr_arena *arena, struct sr_bundle *b, const uint32_t *sums,
				int64_t n_chunks)
{
	enum sr_status status = b->is_npz ? write_checksums(diags, arena, b, sums, n_chunks) : SR_OK;
	return status ? status : sr_temporary_finish(diags, arena, b->path, b->number);
}
