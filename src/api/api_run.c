/* Implement <shardrun/run.h>: runs on top of run/'s client and executable, with reading and writing of files. */
#include "api/api_run.h"
#include "io/input.h"
#include "io/output.h"
#include "run/compare_values.h"
#include <stdlib.h>
#include <string.h>

void sr_run_begin_call(struct shardrun_run *run)
{
	run->message = "";
	if (run->is_open)
		sr_arena_release(run->ctx->arena, run->arena_top);
}

enum sr_status sr_run_end_call(struct shardrun_run *run, enum sr_status status)
{
	run->message = sr_api_message(run->ctx, status);
	return status;
}

static enum sr_status report_abort(void *data)
{
	struct shardrun_run *run = data;
	return sr_launch_report_abort(&run->client->client.launch, SR_OK, &run->ctx->diags);
}

/* Return SR_OK, or the status of the abort if the client is aborted, with the message in the run. */
static enum sr_status report_abort_of_client(struct shardrun_run *run)
{
	if (!sr_abort_read(&run->client->client.launch.abort))
		return SR_OK;
	return sr_run_end_call(run, sr_api_guarded(run->ctx, report_abort, run));
}

static struct sr_src_loc no_location(void)
{
	return (struct sr_src_loc){0};
}

/* ---- checks ---- */

struct check {
	struct shardrun_run *run;
	const struct sr_execution_context *x;
	const struct sr_instr *step;
	struct sr_arena *arena; /* arena of this device's thread */
};

static enum sr_status compare(void *data)
{
	const struct check *c = data;
	const struct sr_execution_context *x = c->x;
	const int32_t *operands = sr_program_operands(x->program) + c->step->first_operand;
	struct sr_diags diags;
	sr_diags_init(&diags, c->arena);
	enum sr_status status = sr_check_compare(x->program, c->step, c->run->name,
						 sr_context_buffer(x, operands[0]), sr_context_buffer(x, operands[1]),
						 sr_check_reports(x) ? &diags : NULL);
	if (!diags.first || !x->failure)
		return status;
	return sr_failure_set(x->failure, status, diags.first->place, "%s", diags.first->message);
}

/* Execute a check op. Every device compares, so that all get the same status, and one reports the difference. */
static enum sr_status run_check(void *data, struct sr_execution_context *x, const struct sr_instr *instr)
{
	const struct sr_check_instr *c = (const void *)(sr_program_params(x->program) + instr->params);
	if (c->kind > SR_CHECK_CLOSE)
		return c->kind == SR_CHECK_PROBE ? SR_OK : SR_UNSUPPORTED;
	struct check check = {data, x, instr, sr_arena_new()};
	enum sr_status status = check.arena ? sr_arena_guarded(check.arena, compare, &check) : SR_NO_MEMORY;
	sr_arena_free(check.arena);
	return status;
}

/* ---- open ---- */

/* Convert rank 0's options of compiled loops to those of run/. */
static enum sr_status read_codegen_options(const struct shardrun_run_options *o, struct sr_arena *arena, struct sr_cache *cache,
					   struct sr_codegen_options *out, struct sr_diags *diags)
{
	static const char *const modes[] = {[SR_CODEGEN_OFF] = "off", [SR_CODEGEN_AUTO] = "auto", [SR_CODEGEN_ON] = "on",
					   [SR_CODEGEN_BACKGROUND] = "background"};
	*out = (struct sr_codegen_options){
	    .mode = o->codegen ? -1 : SR_CODEGEN_AUTO, .compiler = o->compiler, .targets = sr_targets_read(o->target)};
	for (int i = 0; o->codegen && i < (int)(sizeof modes / sizeof *modes); i++)
		out->mode = strcmp(o->codegen, modes[i]) ? out->mode : i;
	if (out->mode < 0)
		return sr_error(diags, SR_USAGE, no_location(), "codegen is '%s'; off, auto, on or background is expected",
				o->codegen);
	if (o->target && !out->targets)
		return sr_error(diags, SR_USAGE, no_location(), "there is no target '%s'; base, avx2, avx512 or native is expected",
				o->target);
	sr_cache_open(cache, o->cache, 0, arena);
	out->cache = cache;
	return SR_OK;
}

struct opening {
	struct shardrun_run *run;
	const struct shardrun_run_options *options;
	struct sr_executable_options executable;
	struct sr_cache cache;
};

/* Convert this rank's options to those of run/. */
static enum sr_status read_options(void *data)
{
	struct opening *o = data;
	const struct shardrun_plan *plan = o->run->plan;
	struct sr_context *ctx = o->run->ctx;
	/* Other ranks than 0 use these options only to compile in the background, if rank 0 asks for it. */
	if (o->run->client->client.launch.rank) {
		sr_cache_open(&o->cache, o->options->cache, 0, ctx->arena);
		o->executable.codegen = (struct sr_codegen_options){.compiler = o->options->compiler, .cache = &o->cache};
		return SR_OK;
	}
	if (!plan || !plan->program)
		return sr_error(&ctx->diags, SR_USAGE, no_location(), "rank 0 opens a run without a plan");
	enum sr_status status = read_codegen_options(o->options, ctx->arena, &o->cache, &o->executable.codegen, &ctx->diags);
	o->executable.model = plan->name;
	o->executable.codegen.objects = plan->trusts_objects ? &plan->objects : NULL;
	return status;
}

/* Allocate now all that later calls need: layouts of arguments and results, hooks. The plan is not needed any more. */
static enum sr_status describe_values(void *data)
{
	const struct opening *o = data;
	struct shardrun_run *run = o->run;
	const struct sr_program *p = run->executable.program;
	if (!sr_executable_make_layouts(&run->executable))
		sr_arena_unwind(run->ctx->arena);
	if (run->plan) {
		run->name = run->executable.model = sr_strdup(run->ctx->arena, run->plan->name);
		shardrun_plan_free(run->plan);
		run->plan = NULL;
	}
	run->values = SR_NEW_ARRAY(run->ctx->arena, struct sr_array *, p->n_arguments + p->n_results);
	run->executable.loaded.hooks = (struct sr_hooks){.data = run, .inspect = run_check};
	return SR_OK;
}

static enum sr_status open_run(void *data)
{
	struct opening *o = data;
	struct shardrun_run *run = o->run;
	struct sr_client *client = &run->client->client;
	struct sr_diags *diags = &run->ctx->diags;
	enum sr_status status = sr_client_stage(client, read_options, o, diags);
	if (!status)
		status = sr_executable_open(&run->executable, client, client->launch.rank ? NULL : run->plan->program,
					    &o->executable, run->ctx->arena, diags);
	return status ? status : sr_client_stage(client, describe_values, o, diags);
}

/* Return an empty run; NULL if out of memory. */
static struct shardrun_run *new_run(const struct shardrun_plan *plan)
{
	struct shardrun_run *run = calloc(1, sizeof *run);
	if (!run || !(run->ctx = sr_context_new())) {
		free(run);
		return NULL;
	}
	run->message = "";
	pthread_mutex_init(&run->lock, NULL);
	run->plan = (struct shardrun_plan *)(uintptr_t)plan;
	if (plan)
		run->plan->references++;
	return run;
}

/* Open the run on a client that all ranks have opened. run NULL: this rank has no memory for a run; tell the other ranks. */
static enum sr_status open_on_client(struct shardrun_client *client, struct shardrun_run *run,
				     const struct shardrun_run_options *options)
{
	struct opening o = {.run = run, .options = options};
	if (!run)
		return sr_launch_agree(&client->client.launch, SR_NO_MEMORY, NULL);
	run->client = client;
	enum sr_status status = sr_api_guarded(run->ctx, open_run, &o);
	run->is_open = !status;
	run->is_loaded = run->is_open && !sr_executable_is_idle(&run->executable);
	(void)sr_run_end_call(run, status);
	run->arena_top = sr_arena_mark(run->ctx->arena);
	return status;
}

/* Open the run on a client of its own. If the client cannot be opened, its message becomes the run's. */
static enum sr_status open_with_own_client(struct shardrun_run *run, const struct shardrun_run_options *o)
{
	struct shardrun_client_options c = SHARDRUN_CLIENT_OPTIONS_INIT;
	struct shardrun_client *client;
	c.comm = o->comm;
	c.collectives = o->collectives;
	c.threads = o->threads;
	enum sr_status status = shardrun_client_open(&c, &client);
	if (!status)
		status = open_on_client(client, run, o);
	else if (run)
		run->message = shardrun_client_message(client);
	if (!run) {
		shardrun_client_close(client);
		return status;
	}
	run->client = client;
	run->owns_client = true;
	return status;
}

enum sr_status shardrun_run_open(const struct shardrun_plan *plan, const struct shardrun_run_options *options,
				 struct shardrun_run **out)
{
	struct shardrun_run *run = *out = new_run(plan);
	struct shardrun_run_options o = {0};
	if (!sr_api_options(&o, sizeof o, options))
		return run ? sr_run_error(run, "the options of the run are of a newer library") : SR_NO_MEMORY;
	if (o.client && !o.client->is_open)
		return run ? sr_run_error(run, "the client was not opened") : SR_NO_MEMORY;
	if (o.client && (o.comm || o.collectives || o.threads))
		return run ? sr_run_error(run, "a client has its own communicator, algorithms and threads; do not pass others")
			   : SR_NO_MEMORY;
	return o.client ? open_on_client(o.client, run, &o) : open_with_own_client(run, &o);
}

/* Runs that are not freed because MPI may still use their memory. The list is global, so that leak checkers find them. */
static struct shardrun_run *_Atomic unfreed_runs;

static void keep_open_run(struct shardrun_run *run)
{
	run->next = atomic_load(&unfreed_runs);
	while (!atomic_compare_exchange_weak(&unfreed_runs, &run->next, run))
		;
}

void shardrun_run_close(struct shardrun_run *run)
{
	if (!run)
		return;
	if (run->client && atomic_load(&run->client->client.launch.abort.has_pending)) {
		sr_client_drain(&run->client->client);
		if (run->owns_client)
			shardrun_client_close(run->client);
		keep_open_run(run);
		return;
	}
	for (int i = 0; run->values && i < run->executable.program->n_arguments + run->executable.program->n_results; i++)
		sr_array_release(run->values[i]);
	sr_executable_close(&run->executable);
	if (run->owns_client)
		shardrun_client_close(run->client);
	shardrun_plan_free(run->plan);
	sr_execute_call_free(atomic_exchange(&run->unused_call, NULL));
	pthread_mutex_destroy(&run->lock);
	sr_context_free(run->ctx);
	free(run);
}

const char *shardrun_run_message(const struct shardrun_run *run)
{
	return run ? run->message : sr_api_no_memory;
}

int64_t shardrun_run_device(const struct shardrun_run *run)
{
	return run && run->is_loaded ? run->executable.devices[run->selected].id : -1;
}

int shardrun_run_devices(const struct shardrun_run *run)
{
	return run && run->is_loaded ? run->executable.n_devices : 0;
}

bool shardrun_run_is_compiled(const struct shardrun_run *run)
{
	return run && run->is_loaded && sr_executable_is_compiled(&run->executable);
}

enum sr_status shardrun_run_select(struct shardrun_run *run, int k)
{
	int n = shardrun_run_devices(run);
	sr_run_begin_call(run);
	if (k < 0 || k >= n)
		return sr_run_error(run, "there is no device %d of this rank, which executes %d", k, n);
	run->selected = k;
	return SR_OK;
}

/* ---- values ---- */

_Static_assert((int)SHARDRUN_MAX_RANK == SR_MAX_RANK, "the public header states the limit too");

void sr_run_describe(const struct sr_layout *layout, int k, void *data, struct shardrun_buffer *out)
{
	*out = (struct shardrun_buffer){.data = data, .rank = layout->rank};
	if (k >= layout->n_shards)
		return;
	const struct sr_shard_layout *s = &layout->shards[k];
	out->bytes = s->bytes;
	memcpy(out->start, s->slice.start, sizeof out->start);
	memcpy(out->size, s->slice.size, sizeof out->size);
	memcpy(out->local, s->slice.local, sizeof out->local);
}

struct sr_layout *sr_run_layout(struct shardrun_run *run, int i, bool is_result)
{
	const struct sr_program *p = run->is_open ? run->executable.program : NULL;
	int n = !p ? 0 : is_result ? p->n_results : p->n_arguments;
	if (i >= 0 && i < n)
		return run->executable.layouts[is_result ? p->n_arguments + i : i];
	(void)sr_run_error(run, "there is no %s %d; the program has %d", is_result ? "result" : "argument", i, n);
	return NULL;
}

/* Create the arrays that the run owns, filled with zeros. A result that aliases an argument has no separate memory. */
static enum sr_status make_values(void *data)
{
	struct shardrun_run *run = data;
	const struct sr_executable *e = &run->executable;
	int n = e->program->n_arguments;
	for (int i = 0; i < n + e->program->n_results; i++) {
		struct sr_array *a = run->values[i] ? run->values[i] : (run->values[i] = sr_array_new(e->layouts[i]));
		if (a && i >= n && sr_executable_aliased(e, i - n) >= 0)
			continue;
		for (int k = 0; a && k < a->layout->n_shards; k++) {
			if (a->shards[k].data)
				continue;
			if (!sr_array_allocate(a, k, e->device_set->memory))
				a = NULL;
			else
				memset(a->shards[k].data, 0, (size_t)a->layout->shards[k].bytes);
		}
		if (!a)
			return sr_error(&run->ctx->diags, SR_NO_MEMORY, no_location(),
					"out of memory for the program's arguments and results");
	}
	return SR_OK;
}

/* Return the memory of value i (arguments are counted first, then results) of the k-th device of this rank. */
static void *array_memory(const struct shardrun_run *run, int i, int k)
{
	int n = run->executable.program->n_arguments,
	    aliased_argument = i < n ? -1 : sr_executable_aliased(&run->executable, i - n);
	return run->values[aliased_argument >= 0 ? aliased_argument : i]->shards[k].data;
}

/* Describe argument or result i in the run's own memory. */
static enum sr_status value_in_run_memory(struct shardrun_run *run, int i, bool is_result, struct shardrun_buffer *out)
{
	sr_run_begin_call(run);
	const struct sr_layout *layout = sr_run_layout(run, i, is_result);
	if (!layout)
		return SR_USAGE;
	enum sr_status status = sr_run_end_call(run, sr_api_guarded(run->ctx, make_values, run));
	if (status)
		return status;
	i += is_result ? run->executable.program->n_arguments : 0;
	sr_run_describe(layout, run->selected, run->is_loaded ? array_memory(run, i, run->selected) : NULL, out);
	return SR_OK;
}

enum sr_status shardrun_run_argument(struct shardrun_run *run, int i, struct shardrun_buffer *out)
{
	return value_in_run_memory(run, i, false, out);
}

enum sr_status shardrun_run_result(struct shardrun_run *run, int i, struct shardrun_buffer *out)
{
	return value_in_run_memory(run, i, true, out);
}

struct fill_argument {
	struct shardrun_run *run;
	int i, k;
	const char *text;
	void *to;
};

static enum sr_status fill_argument(void *data)
{
	const struct fill_argument *f = data;
	struct shardrun_run *run = f->run;
	const struct sr_program *p = run->executable.program;
	const struct sr_io *io = sr_program_values(p) + f->i;
	const struct sr_device_slice *s = &run->executable.layouts[f->i]->shards[f->k].slice;
	struct sr_input_request request = {sr_program_argument_label(p, f->i, run->ctx->arena), (enum sr_dtype)io->dtype, io->rank,
					 sr_program_ids(p) + io->shape, s->start, s->size, s->local};
	return sr_input_load(&run->ctx->diags, run->ctx->arena, NULL, f->text, f->text, &request, f->to);
}

enum sr_status sr_run_read(struct shardrun_run *run, int i, int k, const char *text, void *to)
{
	return sr_run_end_call(run, sr_api_guarded(run->ctx, fill_argument, &(struct fill_argument){run, i, k, text, to}));
}

enum sr_status shardrun_run_fill(struct shardrun_run *run, int i, const char *value)
{
	struct shardrun_buffer buffer;
	enum sr_status status = value_in_run_memory(run, i, false, &buffer);
	if (status || !buffer.data)
		return status;
	memset(buffer.data, 0, (size_t)buffer.bytes);
	return sr_run_read(run, i, run->selected, value, buffer.data);
}

/* ---- step and write ---- */

static enum sr_status run_step(void *data)
{
	struct shardrun_run *run = data;
	struct sr_executable *e = &run->executable;
	struct sr_execution x = {e, run->values, e->program->n_arguments, run->values + e->program->n_arguments, e->program->n_results};
	enum sr_status status = SR_OK;
	if (!run->has_run_step)
		status = sr_client_stage(e->client, make_values, run, &run->ctx->diags);
	run->has_run_step = !status;
	return status ? status : sr_execute_in_place(&x, &run->ctx->diags);
}

enum sr_status shardrun_run_step(struct shardrun_run *run)
{
	sr_run_begin_call(run);
	if (!run->is_open)
		return sr_run_error(run, "the run was not opened");
	enum sr_status status = report_abort_of_client(run);
	return status ? status : sr_run_end_call(run, sr_api_guarded(run->ctx, run_step, run));
}

struct write {
	struct shardrun_run *run;
	const char *const *paths;
	size_t n;
	struct sr_output *outputs; /* length n; NULL if memory ran out */
};

static enum sr_status create_outputs(void *data)
{
	struct write *w = data;
	struct sr_context *ctx = w->run->ctx;
	const struct sr_program *p = w->run->executable.program;
	w->outputs = SR_NEW_ARRAY(ctx->arena, struct sr_output, w->n);
	for (size_t i = 0; i < w->n; i++) {
		const struct sr_io *io = sr_program_result(p, i);
		w->outputs[i] = (struct sr_output){w->paths[i], (enum sr_dtype)io->dtype, io->rank, sr_program_ids(p) + io->shape, 0};
	}
	return w->run->client->client.launch.rank ? SR_OK : sr_outputs_create(&ctx->diags, ctx->arena, w->outputs, w->n);
}

/* Write the shards of all results that the k-th device of this rank holds. */
static enum sr_status write_shards(const struct write *w, int k)
{
	const struct shardrun_run *run = w->run;
	const struct sr_executable *e = &run->executable;
	enum sr_status status = SR_OK;
	for (int i = 0; !status && i < (int)w->n; i++) {
		const struct sr_io *io = sr_program_result(e->program, i);
		const struct sr_device_slice *s = &e->layouts[e->program->n_arguments + i]->shards[k].slice;
		if (w->outputs[i].path && sr_program_is_first_holder(e->program, io, e->devices[k].id))
			status = sr_output_write(&run->ctx->diags, run->ctx->arena, &w->outputs[i], s->start, s->size, s->local,
						 array_memory(run, e->program->n_arguments + i, k));
	}
	return status;
}

static enum sr_status write_outputs(void *data)
{
	const struct write *w = data;
	enum sr_status status = SR_OK;
	for (int k = 0; w->run->is_loaded && !status && k < w->run->executable.n_devices; k++)
		status = write_shards(w, k);
	return status;
}

static enum sr_status finish_outputs(void *data)
{
	const struct write *w = data;
	struct sr_context *ctx = w->run->ctx;
	return w->run->client->client.launch.rank ? SR_OK : sr_outputs_finish(&ctx->diags, ctx->arena, w->outputs, w->n);
}

/* Run this rank's part of a stage, and agree on a status with all ranks, also if memory runs out here. */
static enum sr_status run_stage(struct write *w, enum sr_status (*stage)(void *data))
{
	struct sr_context *ctx = w->run->ctx;
	return sr_launch_agree(&w->run->client->client.launch, sr_arena_guarded(ctx->arena, stage, w), &ctx->diags);
}

static enum sr_status write_results(void *data)
{
	struct write *w = data;
	struct shardrun_run *run = w->run;
	struct sr_launch *l = &run->client->client.launch;
	enum sr_status status = run->has_run_step ? SR_OK : sr_client_stage(&run->client->client, make_values, run,
									    &run->ctx->diags);
	if (status)
		return status;
	status = run_stage(w, create_outputs);
	for (size_t i = 0; !status && i < w->n; i++)
		sr_launch_broadcast(l, &w->outputs[i].number, sizeof w->outputs[i].number);
	if (!status)
		status = run_stage(w, write_outputs);
	if (!status)
		status = run_stage(w, finish_outputs);
	if (status && w->outputs)
		sr_outputs_remove(run->ctx->arena, w->outputs, w->n);
	return status;
}

enum sr_status shardrun_run_write(struct shardrun_run *run, const char *const *paths, int n)
{
	sr_run_begin_call(run);
	int n_results = run->is_open ? run->executable.program->n_results : 0;
	if (!run->is_open || n < 0 || n > n_results)
		return sr_run_error(run, "%d results are to be written, but the program has %d", n, n_results);
	return n ? sr_run_end_call(run, sr_api_guarded(run->ctx, write_results, &(struct write){run, paths, (size_t)n, NULL})) : SR_OK;
}
