/* Output of results. Files are written under temporary names, each slice by its owner (the first device that holds it), and renamed
 * when all ranks are done. Results are compared with expected values on every rank, and rank 0 merges the comparisons. */
#include "exec/values/bind.h"
#include "exec/values/input_names.h"
#include "exec/values/bundles.h"
#include "exec/progress.h"
#include "io/output.h"
#include "io/text_value.h"
#include "support/checked.h"
#include <stdio.h>
#include <string.h>

static const char *path_of(const struct sr_run_options *o, size_t i)
{
	const char *text = i < o->outputs.n ? o->outputs.data[i] : "";
	return text[0] == '@' && strcmp(text, SR_OUTPUT_RAW) != 0 ? text + 1 : NULL;
}

/* ---- files ---- */

static enum sr_status write_slices(const struct sr_arrays *a, const struct sr_output *outputs, size_t n, struct sr_arena *arena,
				   struct sr_diags *diags)
{
	const struct sr_executable *e = a->e;
	enum sr_status status = SR_OK;
	for (size_t i = 0; !status && i < n * (size_t)e->n_devices; i++) {
		size_t result = i / (size_t)e->n_devices;
		int k = (int)(i % (size_t)e->n_devices);
		const struct sr_io *io = sr_program_result(e->program, result);
		struct sr_device_slice s = sr_program_slice(e->program, io, e->devices[k].id);
		if (outputs[result].path && sr_program_is_first_holder(e->program, io, e->devices[k].id))
			status = sr_output_write(diags, arena, &outputs[result], s.start, s.size, s.local, sr_arrays_result(a, (int)result, k));
	}
	return status;
}

static enum sr_status write_files(const struct sr_arrays *a, const struct sr_run_options *o, struct sr_arena *arena,
				  struct sr_diags *diags)
{
	struct sr_executable *e = a->e;
	struct sr_launch *l = &e->client->launch;
	size_t n = (size_t)e->program->n_results;
	struct sr_output *outputs = SR_NEW_ARRAY(arena, struct sr_output, n + 1);
	for (size_t i = 0; i < n; i++) {
		const struct sr_io *io = sr_program_result(e->program, i);
		outputs[i] = (struct sr_output){path_of(o, i), (enum sr_dtype)io->dtype, io->rank, sr_program_ids(e->program) + io->shape, 0};
	}
	sr_bind_name_files(e->program, o, outputs, arena);
	enum sr_status status = l->rank ? SR_OK : sr_bind_make_folder(o, arena, diags);
	if (!status && !l->rank)
		status = sr_outputs_create(diags, arena, outputs, n);
	status = sr_launch_agree(l, status, diags);
	for (size_t i = 0; !status && i < n; i++)
		if (outputs[i].path)
			sr_launch_broadcast(l, &outputs[i].number, sizeof outputs[i].number);
	if (!status)
		status = sr_launch_agree(l, sr_executable_is_idle(e) ? SR_OK : write_slices(a, outputs, n, arena, diags), diags);
	if (!status)
		status = sr_launch_agree(l, l->rank ? SR_OK : sr_outputs_finish(diags, arena, outputs, n), diags);
	if (status)
		sr_outputs_remove(arena, outputs, n);
	return status;
}

/* ---- comparison with --expected_output ---- */

static bool is_ignored(const struct sr_run_options *o, size_t i)
{
	return !strcmp(o->expected.data[i], "(ignored)");
}

/* Load the device's slice of the expected value of result i into `to`; if `to` is NULL, only check that it can be loaded. */
static enum sr_status load_expected(const struct sr_program *p, const struct sr_run_options *o, size_t i,
				    const struct sr_device_slice *s,
				    void *to, struct sr_arena *arena, struct sr_diags *diags)
{
	const char *text = o->expected.data[i];
	return sr_bind_value(p, sr_program_result(p, i), NULL, sr_printf(arena, "--expected_output=%s", text), text,
			     sr_program_result_label(p, (int)i, arena), s, to, arena, diags);
}

enum sr_status sr_bind_check_files(const struct sr_program *p, const struct sr_run_options *o, struct sr_arena *arena,
				   struct sr_diags *diags)
{
	enum sr_status status = sr_bind_check_paths(o, false, arena, diags);
	if (!status)
		status = sr_bind_check_bundle(p, o, arena, diags);
	for (size_t i = 0; !status && i < o->expected.n; i++)
		if (!is_ignored(o, i))
			status = load_expected(p, o, i, &(struct sr_device_slice){0}, NULL, arena, diags);
	return status;
}

/* Compare the k-th local device's slice of result i with the expected value. */
static enum sr_status compare_one(const struct sr_arrays *a, int k, const struct sr_run_options *o, size_t i,
				  struct sr_comparison *comparison, struct sr_arena *arena, struct sr_diags *diags)
{
	const struct sr_program *p = a->e->program;
	int64_t device = a->e->devices[k].id;
	const struct sr_io *io = sr_program_result(p, i);
	struct sr_device_slice s = sr_program_slice(p, io, device);
	char *expected = sr_alloc(arena, (size_t)sr_program_buffers(p)[io->buffer].bytes, 1);
	enum sr_status status = load_expected(p, o, i, &s, expected, arena, diags);
	if (!status && sr_program_is_first_holder(p, io, device))
		sr_compare_values((enum sr_dtype)io->dtype, sr_arrays_result(a, (int)i, k), expected,
				  sr_program_ids(p) + io->shape, s.start, s.size, s.local, io->rank, &o->tolerances, comparison);
	return status;
}

static enum sr_status compare_results(const struct sr_arrays *a, const struct sr_run_options *o, struct sr_arena *arena,
				      struct sr_diags *diags)
{
	const struct sr_executable *e = a->e;
	struct sr_launch *l = &e->client->launch;
	const struct sr_program *p = e->program;
	bool has_difference = false;
	for (size_t i = 0; i < o->expected.n; i++) {
		struct sr_comparison *own = SR_NEW_ARRAY(arena, struct sr_comparison, e->n_devices + 1);
		struct sr_buf buf;
		enum sr_status status = SR_OK;
		if (is_ignored(o, i))
			continue;
		sr_progress_phase("comparing results");
		for (int k = 0; !status && k < e->n_devices; k++)
			status = compare_one(a, k, o, i, &own[k], arena, diags);
		status = sr_launch_agree(l, status, diags);
		if (status)
			return status;
		struct sr_comparison *all = sr_executable_gather(e, arena, own, sizeof *own);
		for (int d = 1; all && d < p->n_devices; d++)
			sr_comparison_merge(&all[0], &all[d]);
		sr_progress_stop();
		if (l->rank || !all[0].n_differing)
			continue;
		has_difference = true;
		const char *name = sr_program_string(p, sr_program_result(p, i)->name);
		sr_buf_init(&buf, arena);
		sr_comparison_print(&buf, (enum sr_dtype)sr_program_result(p, i)->dtype, sr_program_result(p, i)->rank, &all[0]);
		if (o->out)
			fprintf(o->out, "[FAILED] result[%zu]%s: %s\n", i, *name ? sr_printf(arena, " (%s)", name) : "",
				sr_buf_string(&buf));
	}
	if (o->expected.n && !l->rank && !has_difference && o->out)
		fputs("[SUCCESS] all outputs matched their expected values.\n", o->out);
	return sr_launch_agree(l, has_difference ? SR_DIFFERS : SR_OK, diags);
}

enum sr_status sr_bind_results(struct sr_arrays *a, const struct sr_run_options *o, struct sr_arena *arena,
			       struct sr_diags *diags)
{
	enum sr_status status = write_files(a, o, arena, diags);
	if (!status)
		status = sr_bind_write_bundle(a, o, arena, diags);
	if (!status)
		status = sr_bind_print(a, o, arena, diags);
	return status ? status : compare_results(a, o, arena, diags);
}
