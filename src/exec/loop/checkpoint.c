/* Writing of checkpoints. The images of this rank's files, headers included, are laid out once when the loop begins; each
 * checkpoint copies the tensors into the images. */
#include "exec/loop/checkpoint.h"
#include "exec/loop/background.h"
#include "io/folder.h"
#include "io/safetensors.h"
#include "io/slice.h"
#include "support/crc32.h"
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct tensor {
	int value;	/* index of the value in the manifest */
	int64_t offset; /* byte offset of the tensor in the image */
};

struct image {				/* contents of the checkpoint file of one device, kept in memory until they are written */
	bool owns_data;			/* true if the device owns a slice of a carried value, so that it writes a file */
	int device;			/* index of the device on this rank */
	int64_t file;			/* index of the file in the manifest */
	char *bytes;
	struct tensor *tensors;
	int n_tensors;
	uint32_t crc;
};

struct sr_checkpoint {
	const char *folder;
	int64_t max_kept;
	const struct sr_arrays *arrays;
	struct sr_executable *e;
	const struct sr_carried *pairs;
	/* manifest of every checkpoint; step, stream positions and checksums are filled in for each one */
	struct sr_manifest manifest;
	const int *devices;	     /* owning device of each file; length: number of files */
	struct image *images;	     /* file image of each local device; length: number of local devices */
	int64_t pending_step;
	/* Fields of the background thread. The main thread changes them only while the background thread is idle. */
	struct sr_background_task writer;
	int64_t to_write, to_commit; /* steps of the checkpoint to write and of the checkpoint to commit; 0: none */
	struct sr_buf text;	     /* rank 0: manifest text of the checkpoint to commit */
};

/* ---- layout ---- */

static const char *value_key(const struct sr_program *p, const struct sr_carried *pairs, int n, int i, struct sr_arena *arena)
{
	const struct sr_io *values = sr_program_values(p);
	const char *name = sr_program_string(p, values[pairs[i].argument].name);
	bool has_name = *name;
	for (int k = 0; k < n; k++)
		has_name = has_name && (k == i || strcmp(name, sr_program_string(p, values[pairs[k].argument].name)) != 0);
	return has_name ? name : sr_printf(arena, "argument%d", pairs[i].argument);
}

struct sr_manifest sr_carried_values(const struct sr_program *p, const struct sr_carried *pairs, int n, struct sr_arena *arena)
{
	struct sr_manifest m = {.devices = p->n_devices, .values = SR_NEW_ARRAY(arena, struct sr_manifest_value, n), .n_values = n};
	for (int i = 0; i < n; i++) {
		const struct sr_io *io = sr_program_values(p) + pairs[i].argument;
		struct sr_manifest_value *v = &m.values[i];
		*v = (struct sr_manifest_value){
			.name = value_key(p, pairs, n, i, arena), .type = sr_program_string(p, io->type), .rank = io->rank};
		memcpy(v->shape, sr_program_ids(p) + io->shape, sizeof *v->shape * (size_t)io->rank);
	}
	return m;
}

/* Return the safetensors description of a slice. A type that safetensors does not support is described as bytes. */
static struct sr_safetensor describe_tensor(const struct sr_manifest_value *v, enum sr_dtype type, const int64_t *size)
{
	struct sr_safetensor t = {.name = v->name, .type = type, .rank = v->rank};
	memcpy(t.dims, size, sizeof *size * (size_t)v->rank);
	if (sr_safetensors_supports(type))
		return t;
	t.type = SR_UI8;
	if (t.rank < SR_MAX_RANK)
		t.dims[t.rank++] = sr_dtype_bytes(type);
	else
		t.dims[t.rank - 1] *= sr_dtype_bytes(type);
	return t;
}

/* Describe the slices that device d owns, and add each one to its value's shards in the manifest, with file number `file`.
 * tensors[]: descriptions; members[]: index of the value of each. Returns their number. */
static int add_slices(struct sr_checkpoint *c, int64_t d, int64_t file, struct sr_safetensor *at, int *of)
{
	const struct sr_program *p = c->e->program;
	int n = 0;
	for (int i = 0; i < c->manifest.n_values; i++) {
		const struct sr_io *io = sr_program_values(p) + c->pairs[i].argument;
		struct sr_manifest_value *v = &c->manifest.values[i];
		if (!sr_program_is_first_holder(p, io, d))
			continue;
		struct sr_device_slice s = sr_program_slice(p, io, d);
		struct sr_manifest_shard *shard = &v->shards[v->n_shards++];
		shard->file = file;
		memcpy(shard->start, s.start, sizeof shard->start);
		memcpy(shard->size, s.size, sizeof shard->size);
		of[n] = i;
		at[n++] = describe_tensor(v, (enum sr_dtype)io->dtype, s.size);
	}
	return n;
}

/* Create the image of the k-th local device's file. */
static void make_image(struct sr_checkpoint *c, int k, int64_t file, int64_t size, const struct sr_buf *head,
		       const struct sr_safetensor *descriptions, const int *members, int n, struct sr_arena *arena)
{
	struct image *image = &c->images[k];
	*image = (struct image){
		.owns_data = true, .device = k, .file = file, .bytes = sr_alloc(arena, (size_t)size, 1), .n_tensors = n};
	image->tensors = SR_NEW_ARRAY(arena, struct tensor, n);
	memcpy(image->bytes, head->data, head->n);
	for (int i = 0; i < n; i++)
		image->tensors[i] = (struct tensor){members[i], descriptions[i].offset};
}

/* Lay out the files of all devices, which rank 0 lists in the manifest, and create the images of local devices. */
static enum sr_status lay_out_files(struct sr_checkpoint *c, struct sr_arena *arena, struct sr_diags *diags)
{
	const struct sr_program *p = c->e->program;
	struct sr_manifest *m = &c->manifest;
	int *devices = SR_NEW_ARRAY(arena, int, p->n_devices), *of = SR_NEW_ARRAY(arena, int, m->n_values);
	struct sr_safetensor *at = SR_NEW_ARRAY(arena, struct sr_safetensor, m->n_values);
	enum sr_status status = SR_OK;
	m->files = SR_NEW_ARRAY(arena, struct sr_manifest_file, p->n_devices);
	for (int64_t i = 0; i < m->n_values; i++)
		m->values[i].shards = SR_NEW_ARRAY(arena, struct sr_manifest_shard, p->n_devices);
	for (int d = 0; !status && d < p->n_devices; d++) {
		struct sr_buf head;
		int n = add_slices(c, d, m->n_files, at, of), k = sr_executable_find(c->e, d);
		struct sr_safetensors tensors = {at, n};
		struct sr_manifest_file *file = &m->files[m->n_files];
		if (!n)
			continue;
		file->name = sr_printf(arena, "device-%05d.safetensors", d);
		sr_buf_init(&head, arena);
		status = sr_safetensors_layout(diags, arena, file->name, &tensors, &head, &file->bytes);
		if (!status && k >= 0)
			make_image(c, k, m->n_files, file->bytes, &head, at, of, n, arena);
		devices[m->n_files++] = d;
	}
	c->devices = devices;
	return status;
}

/* ---- on the background thread ---- */

static const char *folder_of(const struct sr_checkpoint *c, int64_t step, const char *end, struct sr_arena *arena)
{
	return sr_printf(arena, "%s/" SR_CHECKPOINT_PREFIX "%08lld%s", c->folder, (long long)step, end);
}

static enum sr_status write_file(const char *path, const void *bytes, int64_t n, struct sr_diags *diags)
{
	struct sr_file file;
	enum sr_status status = sr_file_create(diags, path, n, &file);
	if (status)
		return status;
	status = sr_file_write_at(diags, &file, bytes, n, 0);
	if (!status)
		status = sr_file_sync(diags, &file);
	enum sr_status close_status = sr_file_close(diags, &file);
	return status ? status : close_status;
}

static enum sr_status write_images(struct sr_checkpoint *c, struct sr_arena *arena, struct sr_diags *diags)
{
	const char *folder = folder_of(c, c->to_write, ".part", arena);
	enum sr_status status = sr_folder_make(diags, folder);
	for (int k = 0; !status && k < c->e->n_devices; k++) {
		struct image *image = &c->images[k];
		const struct sr_manifest_file *file = &c->manifest.files[image->file];
		if (!image->owns_data)
			continue;
		image->crc = sr_crc32(0, image->bytes, (size_t)file->bytes);
		status = write_file(sr_printf(arena, "%s/%s", folder, file->name), image->bytes, file->bytes, diags);
	}
	return status;
}

int64_t sr_checkpoint_step_of(const char *name)
{
	size_t n = strlen(SR_CHECKPOINT_PREFIX);
	char *end;
	if (strncmp(name, SR_CHECKPOINT_PREFIX, n) != 0 || !isdigit((unsigned char)name[n]))
		return -1;
	errno = 0;
	int64_t step = strtoll(name + n, &end, 10);
	return *end || errno ? -1 : step;
}

/* Order of qsort: by step. Names sort otherwise once steps have more digits than names are padded to. */
static int compare_by_step(const void *x, const void *y)
{
	int64_t a = sr_checkpoint_step_of(*(const char *const *)x), b = sr_checkpoint_step_of(*(const char *const *)y);
	return (a > b) - (a < b);
}

enum sr_status sr_checkpoint_list(struct sr_diags *diags, struct sr_arena *arena, const char *folder, const char ***names,
				  int64_t *n)
{
	int64_t n_names = 0;
	*n = 0;
	enum sr_status status = sr_folder_list(diags, arena, folder, names, &n_names);
	for (int64_t i = 0; !status && i < n_names; i++)
		if (sr_checkpoint_step_of((*names)[i]) >= 0)
			(*names)[(*n)++] = (*names)[i];
	if (*n)
		qsort(*names, (size_t)*n, sizeof **names, compare_by_step);
	return status;
}

/* Remove the oldest checkpoints so that c->max_kept remain, including the checkpoint just finished. */
static void remove_old(const struct sr_checkpoint *c, int64_t last_step, struct sr_arena *arena, struct sr_diags *diags)
{
	const char **names;
	int64_t n, n_older = 0;
	if (sr_checkpoint_list(diags, arena, c->folder, &names, &n))
		return;
	for (int64_t i = n - 1; i >= 0; i--)
		if (sr_checkpoint_step_of(names[i]) < last_step && ++n_older >= c->max_kept)
			sr_folder_remove(sr_printf(arena, "%s/%s", c->folder, names[i]));
}

static enum sr_status finalize_checkpoint(struct sr_checkpoint *c, struct sr_arena *arena, struct sr_diags *diags)
{
	const char *unfinished_folder = folder_of(c, c->to_commit, ".part", arena),
		   *final_folder = folder_of(c, c->to_commit, "", arena);
	enum sr_status status =
		write_file(sr_printf(arena, "%s/" SR_MANIFEST_NAME, unfinished_folder), c->text.data, (int64_t)c->text.n, diags);
	if (!status)
		status = sr_folder_sync(diags, unfinished_folder);
	if (!status) {
		sr_folder_remove(final_folder); /* an earlier run may have left an invalid checkpoint of this step */
		status = sr_folder_rename(diags, unfinished_folder, final_folder);
	}
	if (!status)
		status = sr_folder_sync(diags, c->folder);
	if (!status)
		remove_old(c, c->to_commit, arena, diags);
	return status;
}

static enum sr_status write_all(void *data, struct sr_arena *arena, struct sr_diags *diags)
{
	struct sr_checkpoint *c = data;
	enum sr_status status = c->to_commit ? finalize_checkpoint(c, arena, diags) : SR_OK;
	c->to_commit = 0;
	if (!status && c->to_write)
		status = write_images(c, arena, diags);
	c->to_write = 0;
	return status;
}

/* ---- on the main thread ---- */

/* Remove unfinished checkpoints of an earlier run. */
static void remove_unfinished(const struct sr_checkpoint *c, struct sr_arena *arena, struct sr_diags *diags)
{
	const char **names;
	int64_t n;
	static const char end[] = ".part";
	if (sr_folder_list(diags, arena, c->folder, &names, &n))
		return;
	for (int64_t i = 0; i < n; i++) {
		size_t length = strlen(names[i]);
		if (!strncmp(names[i], SR_CHECKPOINT_PREFIX, strlen(SR_CHECKPOINT_PREFIX)) && length > sizeof end &&
		    !strcmp(names[i] + length - (sizeof end - 1), end))
			sr_folder_remove(sr_printf(arena, "%s/%s", c->folder, names[i]));
	}
}

enum sr_status sr_checkpoint_open(struct sr_checkpoint **out, const struct sr_loop_options *o, const struct sr_arrays *arrays,
				  const struct sr_carried *pairs, int n, int n_streams, struct sr_arena *arena,
				  struct sr_diags *diags)
{
	struct sr_executable *e = arrays->e;
	struct sr_checkpoint *c = *out = SR_NEW(arena, struct sr_checkpoint);
	*c = (struct sr_checkpoint){
	    .folder = o->checkpoint, .max_kept = o->checkpoint_keep, .arrays = arrays, .e = e, .pairs = pairs};
	c->manifest = sr_carried_values(e->program, pairs, n, arena);
	c->manifest.n_streams = n_streams;
	c->manifest.streams = SR_NEW_ARRAY(arena, struct sr_manifest_stream, n_streams);
	c->images = SR_NEW_ARRAY(arena, struct image, e->n_devices);
	sr_buf_init(&c->text, arena);
	enum sr_status status = lay_out_files(c, arena, diags);
	if (!status && !e->client->launch.rank)
		status = sr_folder_make(diags, c->folder);
	if (status)
		return status;
	if (!e->client->launch.rank)
		remove_unfinished(c, arena, diags);
	return sr_background_open(&c->writer, write_all, c, diags);
}

int64_t sr_checkpoint_pending_step(const struct sr_checkpoint *c)
{
	return c->pending_step;
}

bool sr_checkpoint_is_idle(struct sr_checkpoint *c, bool *has_failed)
{
	bool idle = sr_background_is_idle(&c->writer);
	*has_failed = idle && c->writer.status;
	return idle;
}

/* Copy a slice without its padding into the file image. */
static void copy_in(const struct sr_checkpoint *c, const struct image *image, const struct tensor *t)
{
	static const int64_t origin[SR_MAX_RANK];
	const struct sr_program *p = c->e->program;
	const struct sr_io *io = sr_program_result(p, c->pairs[t->value].result);
	struct sr_device_slice s = sr_program_slice(p, io, c->e->devices[image->device].id);
	struct sr_slice slice = {.rank = io->rank,
				 .element_bytes = sr_dtype_bytes((enum sr_dtype)io->dtype),
				 .dims = s.local,
				 .start = origin,
				 .size = s.size};
	sr_slice_copy_in(&slice, sr_arrays_result(c->arrays, c->pairs[t->value].result, image->device), image->bytes + t->offset);
}

void sr_checkpoint_begin(struct sr_checkpoint *c, int64_t step, const struct sr_manifest_stream *streams)
{
	c->pending_step = c->to_write = c->manifest.step = step;
	memcpy(c->manifest.streams, streams, sizeof *streams * (size_t)c->manifest.n_streams);
	for (int k = 0; k < c->e->n_devices; k++)
		for (int i = 0; i < c->images[k].n_tensors; i++)
			copy_in(c, &c->images[k], &c->images[k].tensors[i]);
}

void sr_checkpoint_commit(struct sr_checkpoint *c, struct sr_arena *arena)
{
	struct sr_arena_position mark = sr_arena_mark(arena);
	uint32_t *own_checksums = SR_NEW_ARRAY(arena, uint32_t, c->e->n_devices);
	for (int k = 0; k < c->e->n_devices; k++)
		own_checksums[k] = c->images[k].crc;
	const uint32_t *all = sr_executable_gather(c->e, arena, own_checksums, sizeof *own_checksums);
	for (int64_t i = 0; all && i < c->manifest.n_files; i++)
		c->manifest.files[i].crc = all[c->devices[i]];
	bool is_writer = all != NULL;
	sr_arena_release(arena, mark);
	if (is_writer) {
		c->text.n = 0;
		sr_manifest_print(&c->manifest, &c->text);
		c->to_commit = c->pending_step;
	}
	c->pending_step = 0;
}

void sr_checkpoint_start_writing(struct sr_checkpoint *c)
{
	if (c->to_commit || c->to_write)
		sr_background_run(&c->writer);
}

enum sr_status sr_checkpoint_wait(struct sr_checkpoint *c, struct sr_diags *diags)
{
	return sr_background_wait(&c->writer, diags);
}

void sr_checkpoint_close(struct sr_checkpoint *c)
{
	if (c)
		sr_background_close(&c->writer);
}
