/* Creation of a run's program on rank 0: it is compiled, loaded from the cache, or read from a file. */
#include "driver/driver.h"
#include "exec/program_file.h"
#include "exec/progress.h"
#include "exec/state.h"
#include "exec/summary.h"
#include "exec/values/bind.h"
#include "exec/values/check_ops.h"
#include "machine/machine.h"
#include "support/knobs/knobs.h"
#include <stdlib.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

/* Return the number of ranks, or of the threads that -n started instead. */
static int n_ranks(const struct sr_run_state *r)
{
	return r->o->few_cores ? (int)r->o->ranks : r->client.launch.size;
}

/* Print the warnings and notes of a compilation, such as values that are replicated as a last resort, and of the cache, if the user
 * chose its folder. */
static void print_warnings(struct sr_run_state *r)
{
	if (r->o->cache && r->cache.unused_reason)
		sr_report(&r->ctx->diags, SR_WARNING, (struct sr_src_loc){0}, "the cache is not used: %s", r->cache.unused_reason);
	sr_note_sharding(r->program, r->o, n_ranks(r), &r->ctx->diags);
	if (r->o->err && !r->o->quiet)
		sr_diags_print(&r->ctx->diags, r->o->err);
	sr_diags_clear(&r->ctx->diags);
}

/* Return a device's share of the memory that Slurm gave the job on a node; 0 if unknown. */
static int64_t slurm_share(const struct sr_run_options *o)
{
	const char *tasks_per_node = sr_env("SLURM_NTASKS_PER_NODE");
	int64_t ranks = o->ranks_per_node ? o->ranks_per_node : tasks_per_node ? atoi(tasks_per_node) : 0;
	return ranks > 0 ? sr_slurm_memory() / ranks : 0;
}

/* Print the candidate plans of a search that chose none, since they tell how much memory is missing. */
static void print_candidates(const struct sr_run_state *r, const struct sr_candidates *c)
{
	struct sr_buf table;
	if (!c->n || r->o->quiet)
		return;
	sr_buf_init(&table, r->ctx->arena);
	sr_candidates_print(c, r->ctx->arena, &table);
	sr_run_emit(r->o->err, &table);
}

/* Return the number of threads that each device will have; 0: unknown. Devices of one rank share its threads. */
static int64_t threads_of_device(const struct sr_run_state *r)
{
	const struct sr_client_options *o = &r->client.options;
	if (!r->o->run)
		return r->o->threads;
	return o->threads > 0 || o->devices_per_rank == 1 ? r->client.threads
	       : o->devices_per_rank > 1		  ? r->client.threads / o->devices_per_rank
							  : 1;
}

/* Purpose of a compilation: RUN compiles the program to be run. --verify compiles the module twice more: for one device, and for
 * all devices with probes, both WITH_PROBES. */
enum purpose { FOR_RUN, FOR_ONE_DEVICE, FOR_PROBES };

static enum sr_status compile(struct sr_run_state *r, const char *text, size_t n, enum purpose purpose)
{
	const struct sr_run_options *o = r->o;
	struct sr_buf dump, explanation, drawings;
	struct sr_compiled compiled;
	struct sr_bind_types types = {.o = o};
	sr_buf_init(&dump, r->ctx->arena);
	sr_buf_init(&explanation, r->ctx->arena);
	sr_buf_init(&drawings, r->ctx->arena);
	sr_buf_init(&r->page, r->ctx->arena);
	struct sr_compile_options c = {.function = o->function,
				       .partition = (enum sr_partition_mode)o->partition,
				       .overlap = (enum sr_overlap)o->overlap,
				       .combine = (enum sr_combine_collectives)o->combine,
				       .strip_mine = (enum sr_strip_mine)o->strip_mine,
				       .interpret_nests = o->codegen.mode == SR_CODEGEN_OFF,
				       .decompose_matmul = (enum sr_decompose_matmul)o->decompose_matmul,
				       .direct_convolutions = o->winograd == SR_WINOGRAD_OFF,
				       .keep_denormals = !o->flush_denormals,
				       .interpret = o->interpret,
				       .outputs.print_after = o->print_after,
				       .outputs.dump = &dump,
				       .outputs.verify_each = o->verify_each,
				       .machine = o->machine,
				       .nodes = o->run ? sr_rank_nodes_of_job(&r->nodes, &r->client) : sr_job_nodes_of_options(o),
				       .threads = threads_of_device(r),
				       .axis_order = sr_placement_axis_order(o),
				       .call_targets = o->calls.data,
				       .n_call_targets = o->calls.n,
				       .argument_type = sr_bind_argument_type,
				       .argument_data = &types,
				       .outputs.explain = o->explain,
				       .outputs.explain_partition = o->explain_partition,
				       .outputs.explanation = &explanation,
				       .progress = sr_progress_compiling,
				       .keep_results = o->loop.steps != NULL,
				       .outputs.page = o->html ? &r->page : NULL,
				       .outputs.shown_values = o->show_sharding,
				       .outputs.drawings = &drawings};
	struct sr_probe_options probe_options = {.replaces_readers = purpose == FOR_ONE_DEVICE};
	if (purpose != FOR_RUN || sr_probing_is_requested(o, &probe_options))
		c.probes = &probe_options;
	c.unshard = purpose == FOR_ONE_DEVICE;
	if (purpose != FOR_RUN) /* dumps and explanations concern only the program that is run */
		c.outputs = (struct sr_compile_outputs){.verify_each = o->verify_each};
	struct sr_tune_options tune = {.auto_shard = o->auto_shard,
				       .meshes = o->meshes.data,
				       .n_meshes = o->meshes.n,
				       .devices = o->devices,
				       .ranks = o->run ? n_ranks(r) : 0,
				       .memory = {o->memory_per_device, slurm_share(o)}};
	if (purpose != FOR_ONE_DEVICE && (o->auto_shard || o->memory_per_device || o->meshes.n))
		c.tune = &tune;
	struct sr_cached_program cached;
	sr_cached_program_of(r->ctx, &r->cache, o->model, text, n, &c, &cached);
	r->program = sr_cached_program_get(r->ctx, &cached);
	if (r->program) {
		r->times.is_cached = true;
		return SR_OK;
	}
	enum sr_status status = sr_compile(r->ctx, o->model, text, n, &c, &compiled);
	sr_progress_stop();
	if (!status)
		sr_cached_program_put(r->ctx, &cached, &compiled);
	sr_run_emit(o->err, &dump);
	sr_run_emit(o->out, &explanation);
	sr_run_emit(o->out, &drawings);
	r->program = compiled.program;
	r->times = compiled.times;
	if (c.tune && !status && purpose == FOR_RUN)
		r->candidates = compiled.candidates;
	if (c.tune && status == SR_NO_MEMORY)
		print_candidates(r, &compiled.candidates);
	return status;
}

/* Compile the model, or open it if the file is a compiled program. */
static enum sr_status read_program(struct sr_run_state *r, enum purpose purpose)
{
	const struct sr_run_options *o = r->o;
	const char *text;
	size_t n;
	bool is_trusted;
	sr_progress_phase("reading the model");
	enum sr_status status = sr_read_own_file(r->ctx, o->model, o->max_model_bytes, &text, &n, &is_trusted);
	if (!status && !sr_program_has_magic(text, n))
		status = compile(r, text, n, purpose);
	else if (!status && (purpose != FOR_RUN || sr_probing_is_requested(o, &(struct sr_probe_options){0})))
		status = sr_error(&r->ctx->diags, SR_USAGE, (struct sr_src_loc){.file = o->model},
				  "is a compiled program: inspecting values needs the module that it was compiled from");
	else if (!status)
		status = sr_program_open(o, text, n, is_trusted, r->ctx->arena, &r->ctx->diags, &r->program, &r->objects);
	sr_progress_stop();
	if (!status && o->print_plan && purpose == FOR_RUN) {
		struct sr_buf plan;
		sr_buf_init(&plan, r->ctx->arena);
		sr_program_print(r->program, &plan);
		sr_run_emit(o->out, &plan);
	}
	if (!status && purpose == FOR_RUN) /* warnings are printed only once: the other compilations would repeat them */
		print_warnings(r);
	return status;
}

struct sr_context *sr_run_context(jmp_buf *unwind)
{
	struct sr_context *ctx = sr_context_new();
	if (!ctx)
		return NULL;
	sr_arena_guard(ctx->arena, unwind);
	sr_dialects_register(ctx);
	ctx->allow_unregistered = true;
	return ctx;
}

/* Compile in a separate context that is freed before the run begins, so that only the program's memory remains. */
static enum sr_status compile_program(struct sr_run_state *r, enum purpose purpose)
{
	struct sr_context *run_context = r->ctx;
	struct sr_context *compiler = sr_run_context(r->unwind);
	if (!compiler)
		sr_arena_unwind(run_context->arena);
	r->ctx = compiler;
	r->other_context = run_context;
	enum sr_status status = read_program(r, purpose);
	r->ctx = run_context;
	r->other_context = compiler;
	if (status) { /* the caller's context owns the messages */
		sr_diags_splice(&run_context->diags, &compiler->diags);
		return status;
	}
	if (r->program)
		r->program = sr_dup(run_context->arena, r->program, 1, r->program->bytes);
	r->objects = sr_program_objects_copy(&r->objects, run_context->arena);
	r->candidates = sr_candidates_copy(&r->candidates, run_context->arena);
	if (r->page.n) {
		struct sr_buf page = r->page;
		sr_buf_init(&r->page, run_context->arena);
		sr_buf_put(&r->page, page.data, page.n);
	}
	r->other_context = NULL;
	sr_context_free(compiler);
#ifdef __GLIBC__
	malloc_trim(0); /* return fragmented free memory to the system */
#endif
	return SR_OK;
}

/* Compile or load the program and check its plan against the limits of the command line. */
enum sr_status sr_run_make_program(struct sr_run_state *r)
{
	enum sr_status status = r->o->verify ? compile_program(r, FOR_ONE_DEVICE) : SR_OK;
	r->one_device = r->program;
	if (!status && r->o->verify)
		status = compile_program(r, FOR_PROBES);
	r->with_probes = r->program;
	r->program = NULL;
	if (!status)
		status = compile_program(r, FOR_RUN);
	if (status || !r->program || r->o->interpret)
		return status;
	return sr_plan_limits_check(r->program, &r->o->limits, r->ctx->arena, &r->ctx->diags);
}
