/* Results out of the arena: files written part by part by their owners under temporary names and renamed when all ranks are
 * done; comparisons brought to rank 0. A part that several devices hold is written by the first of them. */
#include "exec/bind.h"
#include "exec/names.h"
#include "exec/progress.h"
#include "exec/temporary.h"
#include "io/npy.h"
#include "io/slice.h"
#include "io/text_value.h"
#include "support/checked.h"
#include <stdio.h>
#include <string.h>

static bool same_part(const struct sr_device_slice *a, const struct sr_device_slice *b, int rank)
{
	return !memcmp(a->start, b->start, sizeof(int64_t) * (size_t)rank) &&
	       !memcmp(a->size, b->size, sizeof(int64_t) * (size_t)rank);
}

bool sr_bind_owns(const struct sr_program *p, const struct sr_io *io, int64_t device, const struct sr_device_slice *mine)
{
	for (int64_t e = 0; e < device; e++) {
		struct sr_device_slice s = sr_program_slice(p, io, e);
		if (same_part(&s, mine, io->rank))
			return false;
	}
	for (int d = 0; d < io->rank; d++)
		if (!mine->size[d])
			return false;
	return true;
}

static const struct sr_io *result(const struct sr_program *p, size_t i)
{
	return sr_program_values(p) + p->n_arguments + i;
}

static const char *path_of(const struct sr_run_options *o, size_t i)
{
	const char *text = o->outputs.data[i];
	return text[0] == '@' && strcmp(text, SR_OUTPUT_RAW) != 0 ? text + 1 : NULL;
}

/* ---- files ---- */

/* By rank 0: the files at their whole length, and the numbers of their temporary names. */
static enum sr_status create_files(const struct sr_program *p, const struct sr_run_options *o, int *numbers, struct sr_arena *arena,
				   struct sr_diags *diags)
{
	for (size_t i = 0; i < o->outputs.n; i++) {
		const struct sr_io *io = result(p, i);
		struct sr_file file;
		struct sr_npy npy;
		if (!path_of(o, i))
			continue;
		enum sr_status status = sr_temporary_make(diags, arena, path_of(o, i), &numbers[i]);
		if (!status)
			status = sr_npy_create(diags, arena, sr_file_temporary_name(arena, path_of(o, i), numbers[i]),
					       (enum sr_dtype)io->dtype, sr_program_ids(p) + io->shape, io->rank, &file, &npy);
		if (!status)
			status = sr_file_close(diags, &file);
		if (status)
			return status;
	}
	return SR_OK;
}

static enum sr_status write_parts(struct sr_device *d, const struct sr_program *p, const struct sr_run_options *o,
				  const int *numbers, struct sr_arena *arena, struct sr_diags *diags)
{
	for (size_t i = 0; i < o->outputs.n; i++) {
		const struct sr_io *io = result(p, i);
		struct sr_device_slice s = sr_program_slice(p, io, d->id);
		struct sr_file file;
		struct sr_npy npy;
		if (!path_of(o, i) || !sr_bind_owns(p, io, d->id, &s))
			continue;
		const char *name = sr_file_temporary_name(arena, path_of(o, i), numbers[i]);
		enum sr_status status =
			sr_npy_layout(diags, arena, name, (enum sr_dtype)io->dtype, sr_program_ids(p) + io->shape, io->rank, &npy);
		if (!status)
			status = sr_file_open_part(diags, name, &file);
		if (status)
			return status;
		status = sr_npy_write_slice(diags, &file, &npy, s.start, s.size, s.local, sr_device_buffer(d, io->buffer));
		enum sr_status closed = sr_file_close(diags, &file);
		if (status || closed)
			return status ? status : closed;
	}
	return SR_OK;
}

static enum sr_status rename_files(const struct sr_run_options *o, const int *numbers, struct sr_arena *arena,
				   struct sr_diags *diags)
{
	for (size_t i = 0; i < o->outputs.n; i++)
		if (path_of(o, i) && sr_temporary_finish(diags, arena, path_of(o, i), numbers[i]))
			return SR_USAGE;
	return SR_OK;
}

static enum sr_status write_files(struct sr_launch *l, struct sr_device *d, const struct sr_program *p,
				  const struct sr_run_options *o, struct sr_arena *arena, struct sr_diags *diags)
{
	int *numbers = SR_NEWS(arena, int, o->outputs.n + 1);
	enum sr_status status = sr_launch_agree(l, l->rank ? SR_OK : create_files(p, o, numbers, arena, diags), diags);
	if (!status) {
		sr_launch_broadcast(l, numbers, o->outputs.n * sizeof *numbers);
		status = sr_launch_agree(l, l->spare ? SR_OK : write_parts(d, p, o, numbers, arena, diags), diags);
	}
	if (!status)
		status = sr_launch_agree(l, l->rank ? SR_OK : rename_files(o, numbers, arena, diags), diags);
	if (status)
		sr_temporaries_remove();
	return status;
}

/* ---- comparison with --expected_output ---- */

static bool is_ignored(const struct sr_run_options *o, size_t i)
{
	return !strcmp(o->expected.data[i], "(ignored)");
}

/* Result i as it is expected, this device's part; to NULL: only whether it can be had. */
static enum sr_status expect(const struct sr_program *p, const struct sr_run_options *o, size_t i, const struct sr_device_slice *s,
			     void *to, struct sr_arena *arena, struct sr_diags *diags)
{
	const char *text = o->expected.data[i];
	return sr_bind_value(p, result(p, i), sr_printf(arena, "--expected_output=%s", text), text,
			     sr_result_words(p, (int)i, arena), s, to, arena, diags);
}

enum sr_status sr_bind_check_files(const struct sr_program *p, const struct sr_run_options *o, struct sr_arena *arena,
				   struct sr_diags *diags)
{
	enum sr_status status = sr_bind_check_paths(o, false, arena, diags);
	for (size_t i = 0; !status && i < o->expected.n; i++)
		if (!is_ignored(o, i))
			status = expect(p, o, i, &(struct sr_device_slice){0}, NULL, arena, diags);
	return status;
}

static enum sr_status compare_one(struct sr_device *d, const struct sr_program *p, const struct sr_run_options *o, size_t i,
				  struct sr_comparison *found, struct sr_arena *arena, struct sr_diags *diags)
{
	const struct sr_io *io = result(p, i);
	struct sr_device_slice s = sr_program_slice(p, io, d->id);
	char *expected = sr_alloc(arena, (size_t)sr_program_buffers(p)[io->buffer].bytes, 1);
	enum sr_status status = expect(p, o, i, &s, expected, arena, diags);
	if (!status && sr_bind_owns(p, io, d->id, &s))
		sr_compare_values((enum sr_dtype)io->dtype, sr_device_buffer(d, io->buffer), expected, sr_program_ids(p) + io->shape,
			   s.start, s.size, s.local, io->rank, &o->tolerances, found);
	return status;
}

static enum sr_status compare(struct sr_launch *l, struct sr_device *d, const struct sr_program *p, const struct sr_run_options *o,
			      struct sr_arena *arena, struct sr_diags *diags)
{
	bool differs = false;
	for (size_t i = 0; i < o->expected.n; i++) {
		struct sr_comparison mine = {0}, *all = SR_NEWS(arena, struct sr_comparison, l->size);
		struct sr_buf buf;
		enum sr_status status = SR_OK;
		if (is_ignored(o, i))
			continue;
		sr_progress_phase("comparing results");
		if (!l->spare)
			status = compare_one(d, p, o, i, &mine, arena, diags);
		status = sr_launch_agree(l, status, diags);
		if (status)
			return status;
		sr_launch_gather(l, &mine, all, sizeof mine);
		for (int r = 1; !l->rank && r < l->size; r++)
			sr_comparison_merge(&all[0], &all[r]);
		sr_progress_stop();
		if (l->rank || !all[0].different)
			continue;
		differs = true;
		const char *name = sr_program_string(p, result(p, i)->name);
		sr_buf_init(&buf, arena);
		sr_comparison_print(&buf, (enum sr_dtype)result(p, i)->dtype, result(p, i)->rank, &all[0]);
		if (o->out)
			fprintf(o->out, "[FAILED] result[%zu]%s: %s\n", i, *name ? sr_printf(arena, " (%s)", name) : "",
				sr_buf_string(&buf));
	}
	if (o->expected.n && !l->rank && !differs && o->out)
		fputs("[SUCCESS] all outputs matched their expected values.\n", o->out);
	return sr_launch_agree(l, differs ? SR_DIFFERS : SR_OK, diags);
}

enum sr_status sr_bind_results(struct sr_launch *l, struct sr_device *d, const struct sr_program *p, const struct sr_run_options *o,
			       struct sr_arena *arena, struct sr_diags *diags)
{
	enum sr_status status = write_files(l, d, p, o, arena, diags);
	if (!status)
		status = sr_bind_print(l, d, p, o, arena, diags);
	if (status)
		return status;
	return compare(l, d, p, o, arena, diags);
}
