/* Runs: <shardrun/run.h>. The launch, loading and binding are exec's; here they are put behind a handle. */
#include "api/run.h"
#include "exec/bind.h"
#include "exec/names.h"
#include <stdlib.h>
#include <string.h>

enum sr_status sr_run_done(struct shardrun_run *run, enum sr_status status)
{
	run->message = sr_api_message(run->ctx, status);
	return status;
}

static struct sr_place nowhere(void)
{
	return (struct sr_place){0};
}

/* ---- open ---- */

static enum sr_status open_run(void *data)
{
	struct shardrun_run *run = data;
	const struct shardrun_plan *plan = run->plan;
	struct sr_launch *l = &run->s.launch;
	struct sr_diags *diags = &run->ctx->diags;
	const struct shardrun_client *client = run->options.client;
	enum sr_status status = client ? sr_launch_share(l, &client->launch) : sr_launch_join(l, run->options.comm, diags);
	if (status)
		return status;
	run->s.ctx = run->ctx;
	if (!l->rank && plan && plan->compiled.program) {
		run->s.program = plan->compiled.program;
		run->s.model = plan->module->name;
	} else if (!l->rank) {
		status = sr_error(diags, SR_USAGE, nowhere(), "rank 0 opens a run without a plan");
	}
	status = sr_launch_agree(l, status, diags);
	if (!status)
		status = sr_session_open(&run->s, &(struct sr_session_options){.selection = run->options.collectives, .threads = run->options.threads});
	run->open = !status;
	run->loaded = !status && !l->spare;
	return status;
}

enum sr_status shardrun_run_open(const struct shardrun_plan *plan, const struct shardrun_run_options *options, struct shardrun_run **out)
{
	struct shardrun_run *run = calloc(1, sizeof *run);
	*out = NULL;
	if (!run || !(run->ctx = sr_context_new())) {
		free(run);
		return SR_NO_MEMORY;
	}
	*out = run;
	run->plan = plan;
	run->message = "";
	if (!sr_api_options(&run->options, sizeof run->options, options))
		return sr_run_done(run, sr_error(&run->ctx->diags, SR_USAGE, nowhere(), "the options of the run are of a newer library"));
	if (run->options.client && (!run->options.client->open || run->options.comm))
		return sr_run_done(run, sr_error(&run->ctx->diags, SR_USAGE, nowhere(), run->options.comm ? "a client and a communicator are given; the client has its own"
													      : "the client was not opened"));
	return sr_run_done(run, sr_api_guarded(run->ctx, open_run, run));
}

void shardrun_run_close(struct shardrun_run *run)
{
	if (!run)
		return;
	sr_session_close(&run->s);
	sr_context_free(run->ctx);
	free(run);
}

const char *shardrun_run_message(const struct shardrun_run *run)
{
	return run ? run->message : sr_api_no_memory;
}

int64_t shardrun_run_device(const struct shardrun_run *run)
{
	return run && run->loaded ? run->s.device.id : -1;
}

/* ---- values ---- */

enum sr_status sr_run_value(struct shardrun_run *run, int i, bool is_result, struct shardrun_buffer *out)
{
	const struct sr_program *p = run->open ? run->s.program : NULL;
	int n = !p ? 0 : is_result ? p->n_results : p->n_arguments;
	if (i < 0 || i >= n)
		return sr_run_done(run, sr_error(&run->ctx->diags, SR_USAGE, nowhere(), "there is no %s %d; the program has %d", is_result ? "result" : "argument", i, n));
	const struct sr_io *io = sr_program_values(p) + (is_result ? p->n_arguments : 0) + i;
	*out = (struct shardrun_buffer){.rank = io->rank};
	if (!run->loaded)
		return SR_OK;
	struct sr_device_slice s = sr_program_slice(p, io, run->s.device.id);
	memcpy(out->start, s.start, sizeof out->start);
	memcpy(out->size, s.size, sizeof out->size);
	memcpy(out->local, s.local, sizeof out->local);
	out->data = sr_device_buffer(&run->s.device, io->buffer);
	out->bytes = sr_program_buffers(p)[io->buffer].bytes;
	return SR_OK;
}

_Static_assert((int)SHARDRUN_MAX_RANK == SR_MAX_RANK, "the public header states the limit too");

enum sr_status shardrun_run_argument(struct shardrun_run *run, int i, struct shardrun_buffer *out)
{
	return sr_run_value(run, i, false, out);
}

enum sr_status shardrun_run_result(struct shardrun_run *run, int i, struct shardrun_buffer *out)
{
	return sr_run_value(run, i, true, out);
}

struct fill {
	struct shardrun_run *run;
	int i;
	const char *text;
	void *to;
};

static enum sr_status fill(void *data)
{
	struct fill *f = data;
	struct shardrun_run *run = f->run;
	const struct sr_io *io = sr_program_values(run->s.program) + f->i;
	struct sr_device_slice s = sr_program_slice(run->s.program, io, run->s.device.id);
	struct sr_arena *arena = run->ctx->arena;
	return sr_bind_value(run->s.program, io, f->text, f->text, sr_argument_words(run->s.program, f->i, arena), &s, f->to, arena, &run->ctx->diags);
}

enum sr_status sr_run_read(struct shardrun_run *run, int i, const char *text, void *to)
{
	return sr_run_done(run, sr_api_guarded(run->ctx, fill, &(struct fill){run, i, text, to}));
}

enum sr_status shardrun_run_fill(struct shardrun_run *run, int i, const char *text)
{
	struct shardrun_buffer buffer;
	enum sr_status status = sr_run_value(run, i, false, &buffer);
	if (status || !buffer.data)
		return status;
	memset(buffer.data, 0, (size_t)buffer.bytes);
	return sr_run_read(run, i, text, buffer.data);
}

/* ---- step and write ---- */

enum sr_status shardrun_run_step(struct shardrun_run *run)
{
	enum sr_status status;
	if (!run->open)
		return sr_run_done(run, sr_error(&run->ctx->diags, SR_USAGE, nowhere(), "the run was not opened"));
	if (!run->loaded)
		return SR_OK;
	status = sr_device_step(&run->s.device);
	if (status)
		(void)sr_session_step_failed(&run->s, status);
	return sr_run_done(run, status);
}

struct write {
	struct shardrun_run *run;
	const char *const *paths;
	int n;
};

static enum sr_status write_results(void *data)
{
	struct write *w = data;
	struct shardrun_run *run = w->run;
	struct sr_arena *arena = run->ctx->arena;
	struct sr_run_options options = {0};
	for (int i = 0; i < w->n; i++)
		sr_push(arena, &options.outputs, w->paths[i] ? (const char *)sr_printf(arena, "@%s", w->paths[i]) : "");
	return sr_bind_results(&run->s.launch, &run->s.device, run->s.program, &options, arena, &run->ctx->diags);
}

enum sr_status shardrun_run_write(struct shardrun_run *run, const char *const *paths, int n)
{
	if (!run->open || n < 0 || n > run->s.program->n_results)
		return sr_run_done(run, sr_error(&run->ctx->diags, SR_USAGE, nowhere(), "%d results are to be written, but the program has %d", n,
					  run->open ? run->s.program->n_results : 0));
	return n ? sr_run_done(run, sr_api_guarded(run->ctx, write_results, &(struct write){run, paths, n})) : SR_OK;
}
