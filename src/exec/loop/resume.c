/* Resuming from a checkpoint: choice and verification of the checkpoint, and loading of this rank's slices. */
#include "exec/loop/resume.h"
#include "io/folder.h"
#include "io/safetensors.h"
#include "io/slice.h"
#include "support/crc32.h"
#include "support/format_text.h"
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- selection ---- */

/* Read a small file into the arena; *n: its bytes. Returns NULL if the file cannot be read. */
static char *read_text(const char *path, int64_t *n, struct sr_arena *arena)
{
	struct sr_diags ignored;
	struct sr_file file;
	sr_diags_init(&ignored, arena);
	if (sr_file_open(&ignored, path, &file))
		return NULL;
	char *text = sr_alloc(arena, (size_t)file.size + 1, 1);
	enum sr_status status = sr_file_read_at(&ignored, &file, text, file.size, 0);
	*n = file.size;
	return sr_file_close(&ignored, &file) || status ? NULL : text;
}

/* On rank 0: check the manifest of a checkpoint and the sizes of its files. Returns NULL, or a message. */
static const char *check_files(const char *folder, char **text, int64_t *n, struct sr_arena *arena)
{
	struct sr_manifest m;
	const char *why;
	*text = read_text(sr_printf(arena, "%s/" SR_MANIFEST_NAME, folder), n, arena);
	if (!*text)
		return "it has no manifest";
	if (!sr_manifest_read(&m, *text, (size_t)*n, arena, &why))
		return why;
	for (int64_t i = 0; i < m.n_files; i++) {
		struct stat st;
		const char *path = sr_printf(arena, "%s/%s", folder, m.files[i].name);
		if (stat(path, &st))
			return sr_printf(arena, "%s is missing", m.files[i].name);
		if (st.st_size != m.files[i].bytes)
			return sr_printf(arena, "%s has %lld bytes instead of %lld", m.files[i].name, (long long)st.st_size,
					 (long long)m.files[i].bytes);
	}
	return NULL;
}

/* Return true if a checkpoint file's contents have the checksum that the manifest lists for the file. */
static bool checksum_matches(const char *folder, const struct sr_manifest_file *f, struct sr_arena *arena)
{
	enum { CHUNK = 1 << 20 };
	struct sr_arena_position mark = sr_arena_mark(arena);
	struct sr_diags ignored;
	struct sr_file file;
	uint32_t crc = 0;
	char *chunk = sr_alloc(arena, CHUNK, 1);
	sr_diags_init(&ignored, arena);
	bool is_intact = !sr_file_open(&ignored, sr_printf(arena, "%s/%s", folder, f->name), &file);
	bool is_open = is_intact;
	for (int64_t at = 0; is_intact && at < f->bytes; at += CHUNK) {
		int64_t n = f->bytes - at < CHUNK ? f->bytes - at : CHUNK;
		is_intact = !sr_file_read_at(&ignored, &file, chunk, n, at);
		crc = sr_crc32(crc, chunk, (size_t)n);
	}
	if (is_open)
		(void)sr_file_close(&ignored, &file);
	sr_arena_release(arena, mark);
	return is_intact && crc == f->crc;
}

/* Collective on all ranks: return the index of a checkpoint file with a wrong checksum, or -1. */
static int64_t find_corrupt_file(struct sr_launch *l, const char *folder, const struct sr_manifest *m, struct sr_arena *arena)
{
	uint64_t corrupt_file = 0;
	for (int64_t i = l->rank; i < m->n_files; i += l->size)
		if (!checksum_matches(folder, &m->files[i], arena))
			corrupt_file = (uint64_t)i + 1;
	sr_launch_max(l, &corrupt_file, 1);
	return (int64_t)corrupt_file - 1;
}

/* Collective on all ranks: return rank 0's text of n bytes on every rank; NULL if rank 0 passes n < 0. */
static char *share_text(struct sr_launch *l, char *text, int64_t *n, struct sr_arena *arena)
{
	sr_launch_broadcast(l, n, sizeof *n);
	if (*n < 0)
		return NULL;
	if (l->rank)
		text = sr_alloc(arena, (size_t)*n + 1, 1);
	sr_launch_broadcast(l, text, (uint64_t)*n);
	return text;
}

struct search {
	struct sr_launch *l;
	const char *folder;
	const char **names; /* rank 0: names of the checkpoints in the folder, oldest first */
	int64_t n;	    /* number of names not yet checked */
	bool renames_invalid;    /* true to rename invalid checkpoints, because this run writes new ones to the folder */
	FILE *out;
	struct sr_arena *arena;
};

/* Report an invalid checkpoint, and rename it if this run may write a checkpoint of the same step. */
static void report_invalid(struct search *s, const char *path, const char *why)
{
	bool is_renamed = s->renames_invalid && !rename(path, sr_printf(s->arena, "%s.broken", path));
	if (s->out)
		fprintf(s->out, "shardrun: %s is invalid: %s; %susing the previous one\n", path, sr_printable(s->arena, why),
			is_renamed ? "renamed to .broken; " : "");
}

/* On rank 0: return the newest checkpoint not yet tried that passes check_files; NULL: none is left. */
static const char *next_candidate(struct search *s, char **text, int64_t *n)
{
	while (s->n > 0) {
		const char *path = sr_printf(s->arena, "%s/%s", s->folder, s->names[--s->n]);
		const char *why = check_files(path, text, n, s->arena);
		if (!why)
			return path;
		report_invalid(s, path, why);
	}
	return NULL;
}

/* Collective on all ranks: find the newest valid checkpoint. */
static void find_valid_checkpoint(struct search *s, struct sr_resumed *resumed)
{
	const char *why;
	do {
		char *text = NULL;
		int64_t n = -1, length = -1;
		const char *path = s->l->rank ? NULL : next_candidate(s, &text, &n);
		length = path ? (int64_t)strlen(path) : -1;
		n = path ? n : -1;
		resumed->folder = share_text(s->l, (char *)(uintptr_t)path, &length, s->arena);
		text = share_text(s->l, text, &n, s->arena);
		if (!resumed->folder)
			return;
		/* The status is ignored: rank 0 has already parsed this text successfully. */
		(void)sr_manifest_read(&resumed->manifest, text, (size_t)n, s->arena, &why);
		int64_t corrupt_file = find_corrupt_file(s->l, resumed->folder, &resumed->manifest, s->arena);
		if (corrupt_file < 0)
			return;
		if (!s->l->rank)
			report_invalid(s, resumed->folder,
				       sr_printf(s->arena, "%s has a wrong checksum", resumed->manifest.files[corrupt_file].name));
	} while (true);
}

/* On rank 0, for a run that does not resume: return an error if the folder already contains checkpoints. */
static enum sr_status reject_existing(const struct search *s, struct sr_diags *diags)
{
	if (!s->n)
		return SR_OK;
	return sr_error(diags, SR_USAGE, (struct sr_src_loc){.file = s->folder},
			"has checkpoints already (%s): use --resume to continue from them, or another folder", s->names[0]);
}

enum sr_status sr_resume_choose(struct sr_launch *l, const struct sr_loop_options *o, FILE *out, struct sr_resumed *resumed,
				struct sr_arena *arena, struct sr_diags *diags)
{
	bool is_own_folder = !o->resume || !*o->resume || (o->checkpoint && !strcmp(o->resume, o->checkpoint));
	const char *folder = o->resume && *o->resume ? o->resume : o->checkpoint;
	struct search s = {.l = l, .folder = folder, .renames_invalid = is_own_folder, .out = out, .arena = arena};
	enum sr_status status = SR_OK;
	struct stat st;
	bool is_required = o->resume && *o->resume;
	*resumed = (struct sr_resumed){0};
	if (!l->rank && (is_required || !stat(folder, &st)))
		status = sr_checkpoint_list(diags, arena, folder, &s.names, &s.n);
	if (!status && !l->rank && !o->resume)
		status = reject_existing(&s, diags);
	status = sr_launch_agree(l, status, diags);
	if (status || !o->resume)
		return status;
	find_valid_checkpoint(&s, resumed);
	if (!resumed->folder && is_required && !l->rank)
		status = sr_error(diags, SR_USAGE, (struct sr_src_loc){.file = folder}, "contains no complete checkpoint");
	return sr_launch_agree(l, status, diags);
}

/* ---- loading ---- */

static const struct sr_manifest_value *find_value(const struct sr_manifest *m, const char *name)
{
	for (int64_t i = 0; i < m->n_values; i++)
		if (!strcmp(m->values[i].name, name))
			return &m->values[i];
	return NULL;
}

enum sr_status sr_resume_check(const struct sr_resumed *resumed, const struct sr_manifest *carried_values, struct sr_diags *diags)
{
	struct sr_src_loc location = {.file = resumed->folder};
	for (int64_t i = 0; i < carried_values->n_values; i++) {
		const struct sr_manifest_value *needed_value = &carried_values->values[i],
					       *stored_value = find_value(&resumed->manifest, needed_value->name);
		if (!stored_value)
			return sr_error(diags, SR_USAGE, location,
					"has no value for '%s' of type %s, which the loop carries",
					needed_value->name, needed_value->type);
		if (strcmp(stored_value->type, needed_value->type) != 0 || stored_value->rank != needed_value->rank ||
		    memcmp(stored_value->shape, needed_value->shape, sizeof *stored_value->shape * (size_t)stored_value->rank) != 0)
			return sr_error(diags, SR_USAGE, location, "'%s' has type %s there, but %s in the program",
					needed_value->name, stored_value->type, needed_value->type);
	}
	for (int64_t i = 0; i < resumed->manifest.n_values; i++)
		if (!find_value(carried_values, resumed->manifest.values[i].name))
			return sr_error(diags, SR_USAGE, location, "has a value for '%s', which the loop does not carry",
					resumed->manifest.values[i].name);
	return SR_OK;
}

/* Intersect a shard of a value with a device's slice: compute the range within the shard, and the range's offset in the slice's
 * buffer, in elements. Returns false if the intersection is empty. */
static bool intersect(const struct sr_manifest_shard *shard, const struct sr_device_slice *s, int rank, int64_t *start,
		      int64_t *size, int64_t *to)
{
	*to = 0;
	for (int d = 0; d < rank; d++) {
		int64_t begin = shard->start[d] > s->start[d] ? shard->start[d] : s->start[d];
		int64_t shard_end = shard->start[d] + shard->size[d], slice_end = s->start[d] + s->size[d];
		size[d] = (shard_end < slice_end ? shard_end : slice_end) - begin;
		start[d] = begin - shard->start[d];
		*to = *to * s->local[d] + begin - s->start[d];
		if (size[d] <= 0)
			return false;
	}
	return true;
}

struct source { /* a checkpoint file, opened when it is first read */
	struct sr_file file;
	struct sr_safetensors tensors;
	bool is_open;
};

static enum sr_status open_source(const struct sr_resumed *r, int64_t file, struct source *source, struct sr_arena *arena,
				  struct sr_diags *diags)
{
	if (source->is_open)
		return SR_OK;
	enum sr_status status =
		sr_file_open(diags, sr_printf(arena, "%s/%s", r->folder, r->manifest.files[file].name), &source->file);
	if (status)
		return status;
	source->is_open = true;
	return sr_safetensors_read(diags, arena, &source->file, &source->tensors);
}

/* Load the shards of one value from one file for one device. */
static enum sr_status load_shards(const struct sr_resumed *r, const struct sr_manifest_value *v, int64_t file,
				 const struct sr_arrays *a, int argument, int device, struct source *source, struct sr_arena *arena,
				  struct sr_diags *diags)
{
	const struct sr_io *io = sr_program_values(a->e->program) + argument;
	struct sr_device_slice s = sr_program_slice(a->e->program, io, a->e->devices[device].id);
	int item = sr_dtype_bytes((enum sr_dtype)io->dtype);
	enum sr_status status = SR_OK;
	for (int64_t k = 0; !status && k < v->n_shards; k++) {
		const struct sr_manifest_shard *shard = &v->shards[k];
		int64_t start[SR_MAX_RANK], size[SR_MAX_RANK], to, end;
		if (shard->file != file || !intersect(shard, &s, v->rank, start, size, &to))
			continue;
		status = open_source(r, file, source, arena, diags);
		int64_t t = status ? -1 : sr_safetensors_find(&source->tensors, v->name);
		struct sr_slice slice = {
		    .rank = v->rank, .element_bytes = item, .dims = shard->size, .start = start, .size = size, .local_dims = s.local};
		slice.offset = t < 0 ? 0 : source->tensors.tensors[t].offset;
		if (!status &&
		    (t < 0 || !sr_slice_is_valid(&slice, &end) || end != slice.offset + source->tensors.tensors[t].bytes))
			status = sr_error(diags, SR_USAGE, (struct sr_src_loc){.file = source->file.path},
					  "does not contain the shard of '%s' that the manifest lists", v->name);
		if (!status)
			status = sr_slice_read(diags, &source->file, &slice,
					       (char *)sr_arrays_argument(a, argument, device) + to * item);
	}
	return status;
}

/* Load the carried values file by file, so that each file is opened once. */
enum sr_status sr_resume_load(const struct sr_resumed *r, const struct sr_manifest *carried_values, const struct sr_carried *pairs,
			      const struct sr_arrays *a, struct sr_arena *arena, struct sr_diags *diags)
{
	enum sr_status status = SR_OK;
	int n = a->e->n_devices;
	for (int64_t f = 0; !status && f < r->manifest.n_files; f++) {
		struct source source = {.is_open = false};
		for (int64_t i = 0; !status && i < carried_values->n_values * n; i++) {
			int64_t value = i / n;
			status = load_shards(r, find_value(&r->manifest, carried_values->values[value].name), f, a,
					     pairs[value].argument, (int)(i % n), &source, arena, diags);
		}
		enum sr_status closed = source.is_open ? sr_file_close(diags, &source.file) : SR_OK;
		status = status ? status : closed;
	}
	return status;
}
