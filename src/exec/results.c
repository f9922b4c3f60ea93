/* Results out of the arena: files written part by part by their owners under temporary names and renamed when all ranks are
 * done; text and comparisons brought to rank 0. A part that several devices hold is written by the first of them. */
#include "exec/bind.h"
#include "exec/temporary.h"
#include "io/npy.h"
#include "io/slice.h"
#include "io/text_value.h"
#include "support/checked.h"
#include <stdio.h>
#include <string.h>

static bool same_part(const struct sr_local_slice *a, const struct sr_local_slice *b, int rank)
{
	return !memcmp(a->start, b->start, sizeof(int64_t) * (size_t)rank) &&
	       !memcmp(a->size, b->size, sizeof(int64_t) * (size_t)rank);
}

static bool is_owner(const struct sr_program *p, const struct sr_io *io, int64_t device, const struct sr_local_slice *mine)
{
	for (int64_t e = 0; e < device; e++) {
		struct sr_local_slice s = sr_program_slice(p, io, e);
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
	return text[0] == '@' ? text + 1 : NULL;
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
		struct sr_local_slice s = sr_program_slice(p, io, d->id);
		struct sr_file file;
		struct sr_npy npy;
		if (!path_of(o, i) || !is_owner(p, io, d->id, &s))
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

/* ---- text: the first elements in row-major order, brought to rank 0 ---- */

struct first { /* what one rank holds of the first `limit` elements: values, then a byte each that says whether it is the owner */
	int64_t limit;
	int item;
};

static void collect(const struct sr_device *d, const struct sr_io *io, const struct first *f, char *mine)
{
	const struct sr_program *p = d->program;
	struct sr_local_slice s = sr_program_slice(p, io, d->id);
	const int64_t *shape = sr_program_ids(p) + io->shape;
	if (!is_owner(p, io, d->id, &s))
		return;
	for (int64_t k = 0; k < f->limit; k++) {
		int64_t rest = k, index[SR_MAX_RANK], local = 0;
		bool inside = true;
		for (int i = io->rank - 1; i >= 0; i--) {
			index[i] = rest % shape[i];
			rest /= shape[i];
		}
		for (int i = 0; i < io->rank; i++) {
			inside = inside && index[i] >= s.start[i] && index[i] < s.start[i] + s.size[i];
			local = local * s.local[i] + index[i] - s.start[i];
		}
		if (!inside)
			continue;
		memcpy(mine + k * f->item, (const char *)sr_device_buffer(d, io->buffer) + local * f->item, (size_t)f->item);
		mine[f->limit * f->item + k] = 1;
	}
}

static void print_value(struct sr_launch *l, struct sr_device *d, const struct sr_program *p, const struct sr_run_options *o,
			size_t i, int64_t limit, struct sr_arena *arena)
{
	const struct sr_io *io = result(p, i);
	const int64_t *shape = sr_program_ids(p) + io->shape;
	struct first f = {.item = sr_dtype_bytes((enum sr_dtype)io->dtype)};
	int64_t n;
	struct sr_buf buf;
	if (sr_product_overflows(shape, io->rank, &n))
		return;
	f.limit = n < limit ? n : limit;
	size_t bytes = (size_t)(f.limit * (f.item + 1));
	char *mine = sr_alloc(arena, bytes, 1), *all = l->rank ? NULL : sr_alloc(arena, bytes, (size_t)l->size), *value;
	if (!l->spare)
		collect(d, io, &f, mine);
	sr_launch_gather(l, mine, all, bytes);
	if (l->rank)
		return;
	value = sr_alloc(arena, (size_t)f.limit, (size_t)f.item);
	for (int r = 0; r < l->size; r++)
		for (int64_t k = 0; k < f.limit; k++)
			if (all[(size_t)r * bytes + (size_t)(f.limit * f.item + k)])
				memcpy(value + k * f.item, all + (size_t)r * bytes + (size_t)(k * f.item), (size_t)f.item);
	sr_buf_init(&buf, arena);
	sr_buf_printf(&buf, "result[%zu]: ", i);
	sr_value_print(&buf, (enum sr_dtype)io->dtype, shape, io->rank, value, f.limit);
	fprintf(o->out, "%s\n", sr_buf_string(&buf));
}

static void print_values(struct sr_launch *l, struct sr_device *d, const struct sr_program *p, const struct sr_run_options *o,
			 struct sr_arena *arena)
{
	for (size_t i = 0; o->out && i < (size_t)p->n_results; i++) {
		if (!o->outputs.n && !o->expected.n)
			print_value(l, d, p, o, i, 16, arena);
		else if (i < o->outputs.n && !strcmp(o->outputs.data[i], "-"))
			print_value(l, d, p, o, i, o->max_elements, arena);
	}
}

/* ---- comparison with --expected_output ---- */

static bool is_ignored(const struct sr_run_options *o, size_t i)
{
	return !strcmp(o->expected.data[i], "(ignored)");
}

/* Result i as it is expected, this device's part; to NULL: only whether it can be had. */
static enum sr_status expect(const struct sr_program *p, const struct sr_run_options *o, size_t i, const struct sr_local_slice *s,
			     void *to, struct sr_arena *arena, struct sr_diags *diags)
{
	const char *text = o->expected.data[i];
	return sr_bind_value(p, result(p, i), sr_printf(arena, "--expected_output=%s", text), text,
			     sr_printf(arena, "result %zu", i), s, to, arena, diags);
}

enum sr_status sr_bind_check_files(const struct sr_program *p, const struct sr_run_options *o, struct sr_arena *arena,
				   struct sr_diags *diags)
{
	enum sr_status status = sr_bind_check_paths(o, false, arena, diags);
	for (size_t i = 0; !status && i < o->expected.n; i++)
		if (!is_ignored(o, i))
			status = expect(p, o, i, &(struct sr_local_slice){0}, NULL, arena, diags);
	return status;
}

static enum sr_status compare_one(struct sr_device *d, const struct sr_program *p, const struct sr_run_options *o, size_t i,
				  struct sr_comparison *found, struct sr_arena *arena, struct sr_diags *diags)
{
	const struct sr_io *io = result(p, i);
	struct sr_local_slice s = sr_program_slice(p, io, d->id);
	char *expected = sr_alloc(arena, (size_t)sr_program_buffers(p)[io->buffer].bytes, 1);
	enum sr_status status = expect(p, o, i, &s, expected, arena, diags);
	if (!status && is_owner(p, io, d->id, &s))
		sr_compare((enum sr_dtype)io->dtype, sr_device_buffer(d, io->buffer), expected, sr_program_ids(p) + io->shape,
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
		if (!l->spare)
			status = compare_one(d, p, o, i, &mine, arena, diags);
		status = sr_launch_agree(l, status, diags);
		if (status)
			return status;
		sr_launch_gather(l, &mine, all, sizeof mine);
		for (int r = 1; !l->rank && r < l->size; r++)
			sr_comparison_merge(&all[0], &all[r]);
		if (l->rank || !all[0].different)
			continue;
		differs = true;
		sr_buf_init(&buf, arena);
		sr_comparison_print(&buf, (enum sr_dtype)result(p, i)->dtype, result(p, i)->rank, &all[0]);
		if (o->out)
			fprintf(o->out, "[FAILED] result[%zu]: %s\n", i, sr_buf_string(&buf));
	}
	if (o->expected.n && !l->rank && !differs && o->out)
		fputs("[SUCCESS] all outputs matched their expected values.\n", o->out);
	return sr_launch_agree(l, differs ? SR_DIFFERS : SR_OK, diags);
}

enum sr_status sr_bind_results(struct sr_launch *l, struct sr_device *d, const struct sr_program *p, const struct sr_run_options *o,
			       struct sr_arena *arena, struct sr_diags *diags)
{
	enum sr_status status = write_files(l, d, p, o, arena, diags);
	if (status)
		return status;
	print_values(l, d, p, o, arena);
	return compare(l, d, p, o, arena, diags);
}
