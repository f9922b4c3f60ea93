/* Streams of input files with read-ahead. While a step computes on an argument's array, the reader thread fills a second array with
 * the next file; that array becomes the argument of the next step. */
#include "exec/loop/streams.h"
#include "exec/loop/background.h"
#include "exec/values/bind.h"
#include "io/archive.h"
#include "support/map.h"
#include <glob.h>
#include <string.h>

struct stream { /* stream of input files for one argument */
	const struct sr_stream_files *files;
	int argument;
	const char *prefix, *suffix; /* text of the --input value before and after the path */
	const char *label;	    /* the argument in messages: "argument 2 (batch)" */
	struct sr_array *next;	    /* array for the next step, being read; NULL: no file is left to be read */
};

struct sr_streams {
	struct sr_stream_files *files;
	int n_files;
	struct sr_arrays *arrays;
	struct stream *streams;
	int n;
	int64_t n_unread_steps; /* number of steps whose files are not yet read */
	struct sr_background_task reader;
};

/* ---- files ---- */

/* Return the path in the value of an --input if it contains a *, else NULL. *end points after the path, at the key of an archive:
 * "4xf32=@raw_*.bin", "@data_*.npz:x". */
static const char *find_pattern(const char *text, const char **end, struct sr_arena *arena)
{
	const char *at = strchr(text, '@'), *file, *key;
	if (!at)
		return NULL;
	*end = at + strlen(at);
	if (sr_archive_parse_reference(arena, at + 1, &file, &key))
		*end = at + 1 + strlen(file);
	return memchr(at, '*', (size_t)(*end - at)) ? at + 1 : NULL;
}

static enum sr_status expand_pattern(const char *text, const char *pattern, const char *end, struct sr_stream_files *files,
				     struct sr_arena *arena, struct sr_diags *diags)
{
	glob_t matches;
	const char *path = sr_strndup(arena, pattern, (size_t)(end - pattern));
	int rc = glob(path, 0, NULL, &matches);
	if (rc == GLOB_NOSPACE)
		sr_arena_unwind(arena);
	if (rc)
		return sr_error(diags, SR_USAGE, (struct sr_src_loc){.file = sr_printf(arena, "--input=%s", text)},
				"no file matches %s; a stream needs a file for each step", path);
	const char **paths = SR_NEW_ARRAY(arena, const char *, matches.gl_pathc);
	for (size_t i = 0; i < matches.gl_pathc; i++)
		paths[i] = sr_strdup(arena, matches.gl_pathv[i]);
	*files = (struct sr_stream_files){.input = text, .paths = paths, .n = (int64_t)matches.gl_pathc};
	globfree(&matches);
	return SR_OK;
}

enum sr_status sr_streams_expand(struct sr_run_options *o, struct sr_streams **streams, struct sr_arena *arena,
				 struct sr_diags *diags)
{
	struct sr_streams *s = *streams = SR_NEW(arena, struct sr_streams);
	const char **inputs = SR_NEW_ARRAY(arena, const char *, o->inputs.n);
	enum sr_status status = SR_OK;
	s->files = SR_NEW_ARRAY(arena, struct sr_stream_files, o->inputs.n);
	for (size_t k = 0; !status && k < o->inputs.n; k++) {
		const char *text = o->inputs.data[k], *end, *pattern = find_pattern(text, &end, arena);
		inputs[k] = text;
		if (!pattern)
			continue;
		struct sr_stream_files *files = &s->files[s->n_files++];
		status = expand_pattern(text, pattern, end, files, arena, diags);
		if (!status)
			inputs[k] = sr_printf(arena, "%.*s%s%s", (int)(pattern - text), text, files->paths[0], end);
	}
	o->inputs.data = inputs;
	return status;
}

struct sr_stream_files *sr_streams_files(struct sr_streams *s, int *n)
{
	*n = s->n_files;
	return s->files;
}

uint64_t sr_streams_hash(const struct sr_streams *s)
{
	uint64_t hash = 0;
	for (int k = 0; k < s->n_files; k++)
		for (int64_t i = 0; i < s->files[k].n; i++)
			hash = sr_hash_bytes(s->files[k].paths[i], strlen(s->files[k].paths[i]) + 1, hash);
	return hash;
}

/* ---- arguments ---- */

/* Find the stream whose first file this argument's input names. *out receives the stream and the input's text around the path. */
static bool match_stream(const struct sr_streams *s, const char *text, struct stream *out, struct sr_arena *arena)
{
	for (int k = 0; text && k < s->n_files; k++) {
		size_t n = strlen(s->files[k].paths[0]);
		const char *at = strchr(text, '@');
		if (!at || strncmp(at + 1, s->files[k].paths[0], n) != 0 || (at[1 + n] && at[1 + n] != ':'))
			continue;
		*out = (struct stream){
			.files = &s->files[k], .prefix = sr_strndup(arena, text, (size_t)(at + 1 - text)), .suffix = at + 1 + n};
		return true;
	}
	return false;
}

enum sr_status sr_streams_open(struct sr_streams *s, struct sr_arrays *arrays, const struct sr_run_options *o, bool *is_filled,
			       struct sr_arena *arena, struct sr_diags *diags)
{
	const struct sr_program *p = arrays->e->program;
	struct sr_archives archives = {NULL};
	const char **texts;
	int n_extra;
	s->arrays = arrays;
	s->streams = SR_NEW_ARRAY(arena, struct stream, p->n_arguments);
	enum sr_status status = s->n_files ? sr_bind_match_inputs(p, o, &archives, &texts, &n_extra, arena, diags) : SR_OK;
	for (int i = 0; !status && s->n_files && i < p->n_arguments; i++) {
		struct stream *t = &s->streams[s->n];
		if (!match_stream(s, texts[i], t, arena))
			continue;
		t->argument = i;
		t->label = sr_program_argument_label(p, i, arena);
		is_filled[i] = true;
		s->n++;
	}
	return status;
}

/* ---- read-ahead ---- */

static enum sr_status read_one(const struct sr_streams *s, const struct stream *t, int k, struct sr_archives *archives,
			       struct sr_arena *arena, struct sr_diags *diags)
{
	const struct sr_program *p = s->arrays->e->program;
	const struct sr_io *io = sr_program_values(p) + t->argument;
	struct sr_device_slice slice = sr_program_slice(p, io, s->arrays->e->devices[k].id);
	void *to = t->next->shards[k].data;
	const char *path = t->files->paths[t->files->position % t->files->n];
	const char *text = sr_printf(arena, "%s%s%s", t->prefix, path, t->suffix);
	sr_bind_clear_padding(&slice, io->rank, to, sr_program_buffers(p)[io->buffer].bytes);
	return sr_bind_value(p, io, archives, sr_printf(arena, "--input=%s", text), text, t->label, &slice, to, arena, diags);
}

/* Task of the reader thread: read each stream's file at its current position into the array for the next step. Messages of a
 * failure refer to `arena`, which the caller then keeps. */
static enum sr_status read_all(void *data, struct sr_arena *arena, struct sr_diags *diags)
{
	struct sr_streams *s = data;
	struct sr_archives archives = {NULL};
	enum sr_status status = SR_OK;
	for (int i = 0; !status && i < s->n; i++)
		for (int k = 0; !status && k < s->arrays->e->n_devices; k++)
			status = read_one(s, &s->streams[i], k, &archives, arena, diags);
	return status;
}

/* Start reading the arguments of the next step. */
static enum sr_status read_next(struct sr_streams *s, struct sr_diags *diags)
{
	for (int i = 0; i < s->n; i++)
		if (!(s->streams[i].next = sr_arrays_new_argument(s->arrays, s->streams[i].argument, diags)))
			return SR_NO_MEMORY;
	sr_background_run(&s->reader);
	return SR_OK;
}

enum sr_status sr_streams_start(struct sr_streams *s, int64_t steps, struct sr_diags *diags)
{
	s->n_unread_steps = steps;
	for (int k = 0; k < s->n_files; k++)
		s->files[k].begin = s->files[k].position;
	if (!s->n || !s->arrays->e->n_devices || !steps)
		return SR_OK;
	enum sr_status status = sr_background_open(&s->reader, read_all, s, diags);
	return status ? status : read_next(s, diags);
}

enum sr_status sr_streams_next(struct sr_streams *s, struct sr_diags *diags)
{
	bool reads = s->reader.is_open;
	enum sr_status status = reads ? sr_background_wait(&s->reader, diags) : SR_OK;
	if (status)
		return status;
	for (int i = 0; reads && i < s->n; i++) {
		sr_arrays_set_argument(s->arrays, s->streams[i].argument, s->streams[i].next);
		s->streams[i].next = NULL;
	}
	for (int k = 0; k < s->n_files; k++)
		s->files[k].position++;
	return reads && --s->n_unread_steps > 0 ? read_next(s, diags) : SR_OK;
}

void sr_streams_close(struct sr_streams *s)
{
	if (!s)
		return;
	sr_background_close(&s->reader);
	for (int i = 0; i < s->n; i++)
		sr_array_release(s->streams[i].next);
}
