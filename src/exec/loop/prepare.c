/* Preparation of a loop: its options applied to the program, and the checkpoint to resume from. */
#include "exec/loop/choose_carry.h"
#include "exec/loop/interrupt.h"
#include "exec/loop/outputs.h"
#include "exec/loop/loop_state.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Read the number of steps from --loop; if --loop has no number, use the length of the shortest stream. */
static enum sr_status read_steps(struct sr_loop *l, struct sr_diags *diags)
{
	const char *text = l->o->loop.steps;
	char *end;
	int n;
	const struct sr_stream_files *files = sr_streams_files(l->streams, &n);
	l->has_step_count = *text;
	if (l->has_step_count) {
		l->steps = isdigit((unsigned char)*text) ? strtoll(text, &end, 10) : 0;
		return l->steps > 0 && !*end && l->steps < INT64_MAX
			       ? SR_OK
			       : sr_error(diags, SR_USAGE, (struct sr_src_loc){0},
					  "--loop=%s: expected a number of steps from 1 on, or none", text);
	}
	l->steps = INT64_MAX;
	for (int k = 0; k < n; k++)
		l->steps = files[k].n < l->steps ? files[k].n : l->steps;
	if (l->steps < INT64_MAX || l->o->loop.until)
		return SR_OK;
	return sr_error(diags, SR_USAGE, (struct sr_src_loc){0},
			"--loop without a number of steps requires an --input=@PATTERN_*.npy, or "
			"--until=RESULT, to end it");
}

enum sr_status sr_loop_prepare(struct sr_run_options *o, struct sr_loop **loop, struct sr_arena *arena, struct sr_diags *diags)
{
	*loop = NULL;
	enum sr_status status = sr_loop_check_options(o, diags);
	if (status || !o->loop.steps)
		return status;
	struct sr_loop *l = SR_NEW(arena, struct sr_loop);
	*loop = l;
	l->o = o;
	if (o->loop.checkpoint)
		sr_interrupt_begin();
	status = sr_streams_expand(o, &l->streams, arena, diags);
	if (!status)
		status = read_steps(l, diags);
	if (!status && o->loop.metrics)
		status = sr_metrics_check(o->loop.metrics, diags);
	if (!status)
		status = sr_loop_check_outputs(o, diags);
	return status;
}

int64_t sr_loop_steps(const struct sr_loop *l)
{
	return l->steps;
}

/* ---- options applied to the program ---- */

/* Find the result that --until names, which must be a scalar. */
static enum sr_status find_until_result(struct sr_loop *l, struct sr_diags *diags)
{
	const struct sr_program *p = l->e->program;
	const char *text = l->o->loop.until, *flag = sr_printf(l->arena, "--until=%s", text ? text : "");
	l->until = -1;
	if (!text)
		return SR_OK;
	enum sr_status status = sr_result_find(p, flag, text, &l->until, diags);
	const struct sr_io *io = sr_program_result(p, l->until);
	if (status || (!io->rank && !sr_dtype_is_complex((enum sr_dtype)io->dtype)))
		return status;
	return sr_error(diags, SR_USAGE, (struct sr_src_loc){.file = flag}, "%s has type %s, but must be a real scalar",
			sr_program_result_label(p, l->until, l->arena), sr_program_string(p, io->type));
}

static enum sr_status choose_values(struct sr_loop *l, struct sr_diags *diags)
{
	const struct sr_program *p = l->e->program;
	bool *is_filled = SR_NEW_ARRAY(l->arena, bool, p->n_arguments);
	struct sr_carried *pairs;
	int n, n_files;
	enum sr_status status = sr_streams_open(l->streams, l->arrays, l->o, is_filled, l->arena, diags);
	if (!status)
		status = sr_carry_choose(l->e, l->o->loop.carry, is_filled, &pairs, &n, l->arena, diags);
	if (!status)
		status = find_until_result(l, diags);
	if (status)
		return status;
	l->pairs = pairs;
	l->n_pairs = n;
	(void)sr_streams_files(l->streams, &n_files);
	if (!n && !n_files)
		return sr_error(diags, SR_USAGE, (struct sr_src_loc){0},
				"--loop: each step would be the same: no argument is donated, so say by "
				"--carry=RESULT:ARGUMENT,... what a step leaves to the "
				"next, or give an --input=@PATTERN_*.npy");
	for (int i = 0; i < n; i++)
		is_filled[pairs[i].argument] = true;
	/* donated arguments that no carried result or stream fills keep the same value in each step */
	for (int i = 0; i < p->n_arguments; i++)
		l->arrays->is_kept[i] = sr_program_values(p)[i].donated && !is_filled[i];
	return SR_OK;
}

/* ---- resuming from a checkpoint ---- */

static const char *file_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

/* Return the name of a stream's file for the next step; "" at the end of a stream that is not repeated. Also works on idle
 * ranks. */
static const char *next_file(const struct sr_loop *l, const struct sr_stream_files *f)
{
	int64_t position = f->begin + l->step - l->first;
	return !l->has_step_count && position >= f->n ? "" : file_name(f->paths[position % f->n]);
}

const struct sr_manifest_stream *sr_loop_positions(const struct sr_loop *l, struct sr_arena *arena)
{
	int n;
	const struct sr_stream_files *files = sr_streams_files(l->streams, &n);
	struct sr_manifest_stream *out = SR_NEW_ARRAY(arena, struct sr_manifest_stream, n);
	for (int k = 0; k < n; k++)
		out[k] = (struct sr_manifest_stream){files[k].input, next_file(l, &files[k])};
	return out;
}

/* Set a stream's position to the index, in the present list of files, of the file that the checkpoint names as the next one. */
static enum sr_status continue_stream(const struct sr_manifest_stream *stream, const char *folder, struct sr_stream_files *f,
				      struct sr_diags *diags)
{
	f->position = *stream->next ? 0 : f->n;
	while (f->position < f->n && strcmp(file_name(f->paths[f->position]), stream->next) != 0)
		f->position++;
	if (f->position < f->n || !*stream->next)
		return SR_OK;
	return sr_error(diags, SR_USAGE, (struct sr_src_loc){.file = folder},
			"continues with %s, which is not among the files of --input=%s",
			stream->next, f->input);
}

static enum sr_status read_positions(struct sr_loop *l, struct sr_diags *diags)
{
	int n;
	struct sr_stream_files *files = sr_streams_files(l->streams, &n);
	const struct sr_manifest *m = &l->resumed.manifest;
	enum sr_status status = SR_OK;
	int64_t min_remaining = INT64_MAX;
	if (m->n_streams != n)
		return sr_error(diags, SR_USAGE, (struct sr_src_loc){.file = l->resumed.folder},
				"has %lld input streams, but the command line has %d", (long long)m->n_streams, n);
	for (int k = 0; !status && k < n; k++) {
		status = continue_stream(&m->streams[k], l->resumed.folder, &files[k], diags);
		min_remaining = files[k].n - files[k].position < min_remaining ? files[k].n - files[k].position : min_remaining;
	}
	if (!status && !l->has_step_count && n)
		l->steps = m->step + min_remaining;
	return status;
}

/* Collective on all ranks: choose and check the checkpoint to resume from; then open the folder for new checkpoints. */
static enum sr_status open_checkpoints(struct sr_loop *l)
{
	struct sr_launch *launch = &l->e->client->launch;
	FILE *out = launch->rank || l->o->quiet ? NULL : l->o->err;
	struct sr_manifest carried_values = sr_carried_values(l->e->program, l->pairs, l->n_pairs, l->arena);
	int n_streams;
	enum sr_status status = sr_resume_choose(launch, &l->o->loop, out, &l->resumed, l->arena, l->diags);
	if (status)
		return status;
	(void)sr_streams_files(l->streams, &n_streams);
	if (l->resumed.folder) {
		status = sr_resume_check(&l->resumed, &carried_values, l->diags);
		if (!status)
			status = read_positions(l, l->diags);
		l->first = l->step = l->resumed.manifest.step;
	}
	if (!status && l->o->loop.checkpoint)
		status = sr_checkpoint_open(&l->checkpoint, &l->o->loop, l->arrays, l->pairs, l->n_pairs, n_streams, l->arena,
					    l->diags);
	status = sr_launch_agree(launch, status, l->diags);
	if (!status && out && l->o->loop.resume && l->resumed.folder)
		fprintf(out, "shardrun: resuming after step %lld (%s)\n", (long long)l->step, l->resumed.folder);
	else if (!status && out && l->o->loop.resume)
		fprintf(out, "shardrun: %s contains no checkpoint yet; starting at the first step\n", l->o->loop.checkpoint);
	return status;
}

enum sr_status sr_loop_load(struct sr_loop *l)
{
	struct sr_manifest carried_values = sr_carried_values(l->e->program, l->pairs, l->n_pairs, l->arena);
	enum sr_status status =
		l->resumed.folder ? sr_resume_load(&l->resumed, &carried_values, l->pairs, l->arrays, l->arena, l->diags) : SR_OK;
	return sr_launch_agree(&l->e->client->launch, status, l->diags);
}

enum sr_status sr_loop_open(struct sr_loop *l, struct sr_arrays *arrays, struct sr_arena *arena, struct sr_diags *diags)
{
	struct sr_launch *launch = &arrays->e->client->launch;
	l->arrays = arrays;
	l->e = arrays->e;
	l->arena = arena;
	l->diags = diags;
	enum sr_status status = SR_OK;
	if (!sr_launch_all_equal(launch, sr_streams_hash(l->streams)) && !launch->rank)
		status = sr_error(diags, SR_USAGE, (struct sr_src_loc){0},
				  "the ranks find different files for an --input=@PATTERN_*.npy");
	status = sr_launch_agree(launch, status, diags);
	if (!status)
		status = sr_launch_agree(launch, choose_values(l, diags), diags);
	if (!status && (l->o->loop.checkpoint || l->o->loop.resume))
		status = open_checkpoints(l);
	if (!status && l->o->loop.metrics)
		status = sr_launch_agree(launch, sr_metrics_open(&l->metrics, l->o->loop.metrics, arrays, l->step, arena, diags),
					 diags);
	return status;
}

void sr_loop_close(struct sr_loop *l)
{
	if (!l)
		return;
	sr_streams_close(l->streams);
	sr_checkpoint_close(l->checkpoint);
}
