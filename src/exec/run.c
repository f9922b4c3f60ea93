/* The stages of a run. After each stage all ranks agree on a status, so that one message is printed and no rank waits forever. */
#include "exec/abort.h"
#include "exec/agree_options.h"
#include "exec/client_options.h"
#include "exec/loop/loop.h"
#include "exec/progress.h"
#include "exec/spawn.h"
#include "exec/state.h"
#include "exec/values/bind.h"
#include "exec/values/bundles.h"
#include "exec/probes/verify.h"
#include "exec/watch.h"
#include "machine/machine.h"
#include "run/process_environment.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

static const char out_of_memory[] = "shardrun: error: out of memory\n"; /* message printed when no message could be allocated */

/* Print this rank's messages after clearing the progress line. */
static void print_messages(void *data, enum sr_status status, const struct sr_diags *diags)
{
	const struct sr_run_state *r = data;
	sr_progress_suspend();
	if (!diags || !r->o->err)
		return;
	sr_progress_clear_for_error();
	if (status == SR_NO_MEMORY && !diags->n_errors)
		fputs(out_of_memory, r->o->err);
	sr_diags_print(diags, r->o->err);
	fflush(r->o->err);
}

/* Reject instructions that only --interpret supports: prints, probes, and functions that differ between devices. */
static enum sr_status check_instructions(struct sr_run_state *r)
{
	const struct sr_program *p = r->program;
	for (uint64_t i = 0; i < p->instrs.n; i++) {
		const struct sr_instr *instr = sr_program_instrs(p) + i;
		const struct sr_check_instr *c = (const void *)(sr_program_params(p) + instr->params);
		if (instr->kind == SR_INSTR_PARALLEL ||
		    (instr->kind == SR_INSTR_CHECK && c->kind > SR_CHECK_CLOSE && c->kind != SR_CHECK_VALUE_PROBE))
			return sr_error(&r->ctx->diags, SR_UNSUPPORTED,
					(struct sr_src_loc){.file = sr_program_string(p, instr->place)},
					"'%s' is supported only with --interpret", sr_program_string(p, instr->op));
	}
	return SR_OK;
}

/* With -n, reject a program with more devices than the requested number of ranks. */
static enum sr_status check_ranks(struct sr_run_state *r)
{
	if (!r->o->few_cores || r->program->n_devices <= r->o->ranks)
		return SR_OK;
	return sr_error(&r->ctx->diags, SR_USAGE, (struct sr_src_loc){.file = r->o->model},
			"the program needs %d devices, but -n %lld was given; use `shardrun -n %d ...`", r->program->n_devices,
			(long long)r->o->ranks, r->program->n_devices);
}

/* Return true in the one process that prints for the job, with or without MPI. */
static bool is_reporter(const struct sr_run_state *r)
{
	return r->client.launch.size > 1 ? !r->client.launch.rank : sr_launch_is_reporter();
}

/* On rank 0: check the files of the run, and make the program. */
static enum sr_status check_paths_and_make_program(struct sr_run_state *r)
{
	enum sr_status status = sr_bind_check_paths(r->o, true, r->ctx->arena, &r->ctx->diags);
	status = status ? status : sr_run_read_old_report(r);
	return status ? status : sr_run_make_program(r);
}

/* Compile and plan without running. One process of the job does this. */
static enum sr_status plan_only(struct sr_run_state *r)
{
	struct sr_launch *l = &r->client.launch;
	enum sr_status status = SR_OK;
	if (is_reporter(r)) {
		status = check_paths_and_make_program(r);
		status = status ? status : sr_run_conclude(r, false, NULL);
	}
	return sr_launch_agree(l, status, &r->ctx->diags);
}

static enum sr_status bind_arguments(struct sr_run_state *r)
{
	enum sr_status status = sr_bind_check_files(r->program, r->o, r->ctx->arena, &r->ctx->diags);
	return status ? status : sr_bind_arguments(&r->arrays, r->o, r->ctx->arena, &r->ctx->diags);
}

static void log_cache(const struct sr_run_state *r, struct sr_buf *node)
{
	if (r->times.is_cached)
		sr_buf_printf(node, "\n  program: from the cache (%s)", r->cache.folder);
	if (r->cache.unused_reason && !r->o->cache)
		sr_buf_printf(node, "\n  cache: not used: %s", r->cache.unused_reason);
}

/* Warn that --codegen=on could not be obeyed. */
static void warn_of_interpreted_nests(const struct sr_run_state *r)
{
	struct sr_diags *diags = &r->ctx->diags;
	if (r->o->codegen.mode != SR_CODEGEN_ON || !*r->executable.jit_failure)
		return;
	sr_report(diags, SR_WARNING, (struct sr_src_loc){0}, "--codegen=on: the loop nests are interpreted: %s",
		  r->executable.jit_failure);
	if (r->o->err && !r->o->quiet)
		sr_diags_print(diags, r->o->err);
	sr_diags_clear(diags);
}

/* Collective on all ranks: load the program and its arguments. */
static enum sr_status load_program(struct sr_run_state *r, struct sr_buf *node)
{
	struct sr_launch *l = &r->client.launch;
	struct sr_diags *diags = &r->ctx->diags;
	int64_t executions = r->loop ? sr_loop_steps(r->loop) : r->o->repeats + r->o->warmup;
	sr_progress_phase("loading the program");
	struct sr_executable_options options = {.model = r->o->model, .codegen = r->o->codegen, .ffi = r->o->ffi_kernels};
	options.node = r->o->verbose ? node : NULL;
	options.codegen.executions = executions;
	options.codegen.objects = &r->objects;
	options.keeps_donated = !r->loop && executions > 1;
	enum sr_status status = sr_executable_open(&r->executable, &r->client, r->program, &options, r->ctx->arena, diags);
	r->program = r->executable.program;
	r->times.jit_s = r->executable.jit_s;
	log_cache(r, node);
	if (!status)
		warn_of_interpreted_nests(r);
	if (!status)
		status = sr_launch_agree(l, sr_arrays_open(&r->arrays, &r->executable, r->ctx->arena, diags), diags);
	if (!status && r->loop)
		status = sr_loop_open(r->loop, &r->arrays, r->ctx->arena, diags);
	if (status)
		return status;
	r->checks = (struct sr_checks){.ctx = r->ctx, .file = r->o->model};
	sr_checks_begin(&r->checks, &r->executable);
	sr_progress_phase("loading arguments");
	status = sr_probing_begin(&r->probing, r->o, &r->checks, &r->executable, r->ctx->arena, diags);
	status = sr_launch_agree(l, status || sr_executable_is_idle(&r->executable) ? status : bind_arguments(r), diags);
	if (!status)
		status = sr_bind_check_sums(l, r->program, r->o, r->ctx->arena, diags);
	return status || !r->loop ? status : sr_loop_load(r->loop);
}

/* Collective on all ranks: execute the program as often as requested. */
static enum sr_status execute_all(struct sr_run_state *r)
{
	if (r->loop)
		return sr_run_loop(r);
	sr_run_repeat(r);
	return SR_OK;
}

/* Collective on all ranks: assign devices to ranks, and update the estimate on rank 0. */
static enum sr_status place_devices(struct sr_run_state *r)
{
	struct sr_launch *l = &r->client.launch;
	struct sr_diags *diags = &r->ctx->diags;
	enum sr_status status = sr_placement_choose(&r->client, &r->nodes, r->program, r->o, r->ctx->arena, diags, &r->placed);
	if (status)
		return status;
	if (!l->rank) /* rank 0 may modify the program, which no other run shares */
		status = sr_placement_estimate(r->ctx, (struct sr_program *)(uintptr_t)r->program, r->o, &r->placed);
	return sr_launch_agree(l, status, diags);
}

static enum sr_status run_all(struct sr_run_state *r)
{
	struct sr_launch *l = &r->client.launch;
	struct sr_diags *diags = &r->ctx->diags;
	enum sr_status status = SR_OK;
	struct sr_buf node;
	sr_buf_init(&node, r->ctx->arena);
	r->nodes = sr_rank_nodes_find(&r->client, r->o, r->ctx->arena);
	if (!l->rank) {
		status = check_paths_and_make_program(r);
		status = status ? status : check_instructions(r);
		status = status ? status : check_ranks(r);
		status = status ? status : sr_bind_check(r->program, r->o, r->ctx->arena, diags);
	}
	status = sr_launch_agree(l, status, diags);
	if (!status)
		status = place_devices(r);
	if (!status)
		status = load_program(r, &node);
	if (!status)
		status = execute_all(r);
	if (status || !r->n_measured)
		return status;
	sr_background_jit_cancel(&r->executable);
	if (r->o->verbose)
		sr_background_jit_describe(&r->executable, &node);
	status = sr_probing_report(&r->probing, &r->executable, r->ctx->arena, diags);
	if (!status && r->o->verify)
		status = sr_verification_run(
		    &(struct sr_verification){r->o, &r->arrays, r->with_probes, r->one_device, r->ctx});
	if (status)
		return status;
	sr_run_gather_memory(r);
	sr_run_gather_times(r);
	sr_run_gather_hosts(r);
	if (r->o->profile)
		sr_profile_gather(&r->profile, &r->executable, r->ctx->arena);
	sr_progress_phase("writing results");
	enum sr_status result = r->loop ? sr_loop_results(r->loop, r->ctx->arena, diags)
					: sr_bind_results(&r->arrays, r->o, r->ctx->arena, diags);
	if (result && result != SR_DIFFERS)
		return result;
	r->result = result;
	status = sr_launch_agree(l, l->rank ? SR_OK : sr_run_conclude(r, true, &node), diags);
	return status ? status : result;
}

/* Check the options that do not depend on the model, before MPI is initialized. `own`: the options with patterns in inputs replaced
 * by file names. */
static enum sr_status check_options(struct sr_run_state *r, struct sr_run_options *own)
{
	struct sr_selection *selection;
	const char *message = NULL;
	struct sr_diags *diags = &r->ctx->diags;
	if (r->o->ranks < 0 || r->o->ranks > 100000)
		return sr_error(diags, SR_USAGE, (struct sr_src_loc){0}, "-n %lld: a number of ranks from 1 to 100000 is expected",
				(long long)r->o->ranks);
	if (r->o->ranks_per_node < 0 || r->o->ranks_per_node > 100000)
		return sr_error(diags, SR_USAGE, (struct sr_src_loc){0},
				"--ranks-per-node=%lld: a number of ranks from 1 to 100000, or 0, is expected",
				(long long)r->o->ranks_per_node);
	for (size_t i = 0; i < r->o->ffi.n; i++)
		if (sr_ffi_name(r->o->ffi.data[i], &message, r->ctx->arena, diags))
			return SR_USAGE;
	if (r->o->device_ranks && r->o->placement)
		return sr_error(diags, SR_USAGE, (struct sr_src_loc){0},
				"--device-ranks and --placement both assign devices to ranks; use one of them");
	if (sr_check_pass_names(&sr_compiler_passes, "--mlir-print-ir-after", r->o->print_after, r->ctx->arena, diags))
		return SR_USAGE;
	if (sr_probing_check_options(r->o, diags) || sr_interpret_check_options(r->o, diags))
		return SR_USAGE;
	if (sr_selection_parse(r->ctx->arena, r->o->selection, &selection, &message))
		return sr_error(diags, SR_USAGE, (struct sr_src_loc){0}, "--collectives: %s", message);
	return sr_loop_prepare(own, &r->loop, r->ctx->arena, diags);
}

/* Report a failure before MPI is initialized. Launchers end all processes when the first one fails, so processes that do not print
 * wait for the one that does. */
static enum sr_status fail_singleton(const struct sr_run_state *r, enum sr_status status)
{
	if (!sr_launch_is_reporter())
		nanosleep(&(struct timespec){.tv_sec = 1}, NULL);
	else if (r->o->err)
		sr_diags_print(&r->ctx->diags, r->o->err);
	return status;
}

/* Collective: report errors in the options of any rank, and check that all ranks have equal options. */
static enum sr_status agree_options(struct sr_run_state *r, enum sr_status status)
{
	const struct sr_command *c = r->o->command;
	struct sr_launch *l = &r->client.launch;
	if (l->size == 1 && !sr_launch_is_reporter())
		return status ? fail_singleton(r, status) : SR_OK;
	status = sr_launch_agree(l, status, c->status ? c->diags : &r->ctx->diags);
	return status ? status : sr_agree_options(l, c, r->ctx->arena, &r->ctx->diags);
}

static enum sr_status run_launched(struct sr_run_state *r)
{
	const struct sr_run_options *o = r->o;
	if (o->command->print_information) {
		enum sr_status status = SR_OK;
		if (is_reporter(r)) {
			o->command->print_information(o->command->values);
			status = sr_flush_stream(&r->ctx->diags, stdout, "standard output");
		}
		return sr_launch_agree(&r->client.launch, status, &r->ctx->diags);
	}
	if (o->compare)
		return sr_launch_agree(&r->client.launch, is_reporter(r) ? sr_run_compare_reports(r) : SR_OK, &r->ctx->diags);
	if (!o->run)
		return plan_only(r);
	struct sr_client_options c = {.selection = o->selection, .no_segment = !o->shared_segment,
				      .ranks_per_node = (int)o->ranks_per_node, .root = o->root};
	enum sr_status status = sr_client_options_read(o, &c, r->ctx->arena, &r->ctx->diags);
	status = sr_launch_agree(&r->client.launch, status, &r->ctx->diags);
	if (!status)
		status = sr_client_open(&r->client, &c, r->ctx->arena, &r->ctx->diags);
	if (!status)
		status = sr_launch_agree(&r->client.launch, sr_ffi_open(&r->kernels, o->ffi.data, o->ffi.n, r->ctx->arena,
									&r->ctx->diags),
					 &r->ctx->diags);
	return status ? status : o->interpret ? sr_interpret(&r->client, o) : run_all(r);
}

/* Start progress output, the time limit and signal handlers. */
static void start_watch(const struct sr_run_options *o)
{
	bool is_valid = !o->command->status;
	enum sr_progress_mode mode = !is_valid || o->command->print_information || o->quiet || !o->err
					 ? SR_PROGRESS_NONE
					 : (enum sr_progress_mode)o->progress;
	sr_progress_begin(mode, o->progress_interval, STDERR_FILENO, sr_launch_is_reporter());
	sr_watch_begin(is_valid ? o->timeout : 0, sr_launch_is_launched(), sr_launch_is_reporter());
}

/* Let a launcher start the ranks of -n; returns only on failure. Their standard error is a pipe to the launcher, which forwards
 * it. Return SR_USAGE, after reporting it, if this machine's memory is too small for as many processes. */
static enum sr_status spawn(struct sr_run_state *r)
{
	enum { MIN_RANK_BYTES = 8 << 20 }; /* lower bound of the memory that a process of MPI needs for itself */
	const struct sr_run_options *o = r->o;
	int64_t memory = sr_machine_node_memory(o->root);
	if (memory && o->ranks > memory / MIN_RANK_BYTES)
		return sr_error(&r->ctx->diags, SR_USAGE, (struct sr_src_loc){0},
				"-n %lld: this machine has %lld MB of memory, enough for at most %lld ranks", (long long)o->ranks,
				(long long)(memory / 1000000), (long long)(memory / MIN_RANK_BYTES));
	if (o->progress == SR_PROGRESS_AUTO && sr_progress_is_terminal(STDERR_FILENO))
		setenv(SR_PROGRESS_VARIABLE, "line", 1);
	return sr_spawn_ranks(o->launcher, (int)o->ranks, o->arguments, o->timeout, &r->ctx->diags);
}

/* Change the options to run the devices of the ranks requested with -n in this process. */
static void run_ranks_as_devices(struct sr_run_options *own, struct sr_arena *arena)
{
	own->devices_per_rank = sr_printf(arena, "%lld", (long long)own->ranks);
}

/* Raise the soft limit of open files to the hard limit: MPI opens a file descriptor per connected rank. */
static void raise_open_files(void)
{
	struct rlimit files;
	if (getrlimit(RLIMIT_NOFILE, &files) || files.rlim_cur == files.rlim_max)
		return;
	files.rlim_cur = files.rlim_max;
	(void)setrlimit(RLIMIT_NOFILE, &files);
}

static enum sr_status run_stages(struct sr_run_state *r, struct sr_run_options *own)
{
	const struct sr_run_options *o = r->o;
	const struct sr_command *c = o->command;
	bool runs = !c->status && !c->print_information && o->run && !o->compare;
	enum sr_status status = c->status || c->print_information ? c->status : check_options(r, own), begun;
	if (!status && runs && o->ranks > 0 && !sr_launch_is_launched()) {
		own->few_cores = sr_spawn_threads_instead(o, (int)o->ranks);
		if (own->few_cores)
			run_ranks_as_devices(own, r->ctx->arena);
		else
			status = spawn(r);
	}
	if (runs) {
		raise_open_files();
		sr_process_environment_set(sr_client_options_isa(o));
	}
	start_watch(o);
	r->client.launch.report = print_messages;
	r->client.launch.data = r;
	sr_watch_start(runs ? o->stall_timeout : 0);
	begun = sr_launch_begin(&r->client.launch, &r->ctx->diags, runs, o->allow_singleton);
	sr_watch_launch(&r->client.launch);
	status = begun ? fail_singleton(r, begun) : agree_options(r, status);
	if (!status && runs)
		sr_watch_ranks(&r->client, o->stall_timeout);
	if (!status)
		status = run_launched(r);
	if (o->out)
		fflush(o->out);
	sr_probing_end(&r->probing);
	sr_loop_close(r->loop);
	sr_arrays_close(&r->arrays);
	sr_executable_close(&r->executable);
	sr_ffi_close(&r->kernels);
	sr_client_close(&r->client);
	if (status)
		sr_watch_end(); /* ignore the launcher's signals, since the error has been reported */
	sr_launch_exit(&r->client.launch, status);
	sr_watch_end();
	return status;
}

enum sr_status sr_run(const struct sr_run_options *options)
{
	struct sr_run_options own = *options;
	options = &own;
	own.raw = own.out;
	for (size_t i = 0; i < own.outputs.n; i++)
		if (!strcmp(own.outputs.data[i], SR_OUTPUT_RAW)) /* --output=@- reserves standard output for the array */
			own.out = own.err;
	struct sr_run_state *r = calloc(1, sizeof *r);
	jmp_buf unwind;
	volatile enum sr_status status = SR_NO_MEMORY;
	if (!r)
		return SR_NO_MEMORY;
	r->o = options;
	r->started = time(NULL);
	r->unwind = &unwind;
	r->ctx = sr_run_context(NULL);
	if (r->ctx && !setjmp(unwind)) {
		sr_arena_guard(r->ctx->arena, &unwind);
		sr_cache_open(&r->cache, own.cache, own.cache_bytes, r->ctx->arena);
		own.codegen.cache = &r->cache;
		sr_bind_add_inputs(&own, r->ctx->arena);
		own.ffi_kernels = &r->kernels;
		for (size_t i = 0; i < own.ffi.n; i++)
			sr_push(r->ctx->arena, &own.calls,
				sr_strndup(r->ctx->arena, own.ffi.data[i], strcspn(own.ffi.data[i], "=")));
		status = run_stages(r, &own);
	} else {
		if (r->ctx && r->client.launch.mpi)
			sr_abort_ranks(&r->client.launch, SR_NO_MEMORY, &r->ctx->diags);
		if (options->err)
			fputs(out_of_memory, options->err);
	}
	sr_context_free(r->ctx);
	sr_context_free(r->other_context);
	free(r);
	return status;
}
