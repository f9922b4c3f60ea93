/* --outputs: write all results that have no --output into one file or folder, named like the results or, if names are missing or
 * not unique, arr_0, arr_1, ... as numpy.savez names arrays. Also reads --inputs. */
#include "exec/values/input_names.h"
#include "exec/values/bundles.h"
#include "io/bundle.h"
#include "support/map.h"
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

/* Return true if result i has an --output of its own. */
static bool has_own_output(const struct sr_run_options *o, size_t i)
{
	return i < o->outputs.n && *o->outputs.data[i];
}

/* Return true if a result's name can be a file name: it is not too long, does not look like an option, and has no line break. */
static bool is_file_name(const char *name)
{
	return name && strlen(name) < 200 && *name != '-' && !strchr(name, '\n');
}

static const char *const *names_of(const struct sr_program *p, struct sr_arena *arena)
{
	const char **names = SR_NEW_ARRAY(arena, const char *, p->n_results + 1);
	struct sr_strings strings;
	struct sr_map used_names;
	bool is_valid = true;
	sr_strings_init(&strings, arena);
	sr_map_init(&used_names, arena);
	for (int i = 0; i < p->n_results; i++) {
		names[i] = sr_name_path(&strings, sr_program_string(p, sr_program_result(p, i)->name));
		is_valid = is_valid && is_file_name(names[i]) && !sr_map_has(&used_names, names[i]);
		if (is_valid)
			sr_map_put(&used_names, names[i], arena);
	}
	for (int i = 0; !is_valid && i < p->n_results; i++)
		names[i] = sr_printf(arena, "arr_%d", i);
	return names;
}

/* ---- a folder ---- */

static const char *folder_of(const struct sr_run_options *o, struct sr_arena *arena)
{
	bool is_npz;
	size_t n = o->output_bundle ? strlen(o->output_bundle) : 0;
	if (!n || sr_bundle_is_bundle_path(o->output_bundle, &is_npz))
		return NULL;
	while (n > 1 && o->output_bundle[n - 1] == '/')
		n--;
	return sr_strndup(arena, o->output_bundle, n);
}

void sr_bind_name_files(const struct sr_program *p, const struct sr_run_options *o, struct sr_output *outputs,
			struct sr_arena *arena)
{
	const char *folder = folder_of(o, arena), *const *names = folder ? names_of(p, arena) : NULL;
	for (int i = 0; folder && i < p->n_results; i++)
		if (!has_own_output(o, (size_t)i))
			outputs[i].path = sr_printf(arena, "%s/%s.npy", folder, names[i]);
}

enum sr_status sr_bind_make_folder(const struct sr_run_options *o, struct sr_arena *arena, struct sr_diags *diags)
{
	const char *folder = folder_of(o, arena);
	if (!folder || !mkdir(folder, 0777) || errno == EEXIST)
		return SR_OK;
	return sr_error(diags, SR_USAGE, (struct sr_src_loc){folder}, "cannot make this folder: %s", strerror(errno));
}

/* ---- a file ---- */

/* Describe the arrays to be written to the bundle, and the result that each one holds. */
static void describe_bundle(const struct sr_program *p, const struct sr_run_options *o, struct sr_bundle *b, int **results,
			    struct sr_arena *arena)
{
	const char *const *names = names_of(p, arena);
	b->path = o->output_bundle;
	b->arrays = SR_NEW_ARRAY(arena, struct sr_npz_array, p->n_results);
	*results = SR_NEW_ARRAY(arena, int, p->n_results);
	for (int i = 0; i < p->n_results; i++) {
		const struct sr_io *io = sr_program_result(p, i);
		if (has_own_output(o, (size_t)i))
			continue;
		(*results)[b->n] = i;
		b->arrays[b->n++] = (struct sr_npz_array){.name = names[i],
							  .type = (enum sr_dtype)io->dtype,
							  .rank = io->rank,
							  .dims = sr_program_ids(p) + io->shape};
	}
}

enum sr_status sr_bind_check_bundle(const struct sr_program *p, const struct sr_run_options *o, struct sr_arena *arena,
				    struct sr_diags *diags)
{
	struct sr_bundle b = {0};
	int *results;
	if (!o->output_bundle || !sr_bundle_is_bundle_path(o->output_bundle, &b.is_npz))
		return SR_OK;
	describe_bundle(p, o, &b, &results, arena);
	return sr_bundle_layout(diags, arena, &b);
}

static enum sr_status write_slices(const struct sr_arrays *a, const struct sr_bundle *b, const int *results,
				   struct sr_arena *arena, struct sr_diags *diags)
{
	const struct sr_executable *e = a->e;
	enum sr_status status = SR_OK;
	for (int64_t i = 0; !status && i < b->n; i++)
		for (int k = 0; !status && k < e->n_devices; k++) {
			const struct sr_device *d = &e->devices[k];
			const struct sr_io *io = sr_program_result(e->program, results[i]);
			struct sr_device_slice s = sr_program_slice(e->program, io, d->id);
			if (sr_program_is_first_holder(e->program, io, d->id))
				status = sr_bundle_write(diags, arena, b, i, s.start, s.size, s.local,
							 sr_arrays_result(a, results[i], k));
		}
	return status;
}

/* Collective: compute checksums of the written data, and rename the file. */
static enum sr_status finish_bundle(struct sr_launch *l, struct sr_bundle *b, struct sr_arena *arena, struct sr_diags *diags)
{
	uint32_t *own_checksums = SR_NEW_ARRAY(arena, uint32_t, b->n), *all = NULL;
	enum sr_status status = sr_launch_agree(l, sr_bundle_checksum(diags, arena, b, l->rank, l->size, own_checksums), diags);
	if (status)
		return status;
	if (!l->rank)
		all = SR_NEW_ARRAY(arena, uint32_t, b->n * l->size);
	sr_launch_gather(l, own_checksums, all, (size_t)b->n * sizeof *own_checksums);
	return sr_launch_agree(l, l->rank ? SR_OK : sr_bundle_finish(diags, arena, b, all, l->size), diags);
}

enum sr_status sr_bind_write_bundle(const struct sr_arrays *a, const struct sr_run_options *o, struct sr_arena *arena,
				    struct sr_diags *diags)
{
	struct sr_executable *e = a->e;
	struct sr_launch *l = &e->client->launch;
	struct sr_bundle b = {0};
	int *results;
	if (!o->output_bundle || !sr_bundle_is_bundle_path(o->output_bundle, &b.is_npz))
		return SR_OK;
	describe_bundle(e->program, o, &b, &results, arena);
	enum sr_status status = sr_launch_agree(l, sr_bundle_layout(diags, arena, &b), diags);
	if (!status)
		status = sr_launch_agree(l, l->rank ? SR_OK : sr_bundle_create(diags, arena, &b), diags);
	sr_launch_broadcast(l, &b.number, sizeof b.number);
	if (!status)
		status = sr_launch_agree(l, write_slices(a, &b, results, arena, diags), diags);
	if (!status)
		status = finish_bundle(l, &b, arena, diags);
	if (status)
		sr_temporaries_remove();
	return status;
}

/* ---- --inputs ---- */

void sr_bind_add_inputs(struct sr_run_options *o, struct sr_arena *arena)
{
	for (size_t i = 0; i < o->input_bundles.n; i++) {
		const char *text = o->input_bundles.data[i], *file, *key, *at = *text == '@' ? "" : "@";
		bool is_file = sr_archive_parse_reference(arena, text, &file, &key);
		sr_push(arena, &o->inputs, sr_printf(arena, "%s%s%s", at, text, is_file ? "" : "/"));
	}
}
