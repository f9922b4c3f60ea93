/* --interpret: run each section of a file as written, unpartitioned, on one device, or on as many devices as the section's
 * interpreter.run_parallel ops need.
 *
 * Prints the entry function's results on standard output as the reference interpreter does, unless --output names a destination. A
 * failed check ends its section; the other sections still run, and the first bad status is returned. */
#include "exec/abort.h"
#include "exec/set_flags.h"
#include "exec/values/bind.h"
#include "exec/values/check_ops.h"
#include "exec/progress.h"
#include "exec/watch.h"
#include "support/characters.h"
#include "support/checked.h"
#include "text/text.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct interpret {
	const struct sr_run_options *o;
	struct sr_client *client;
	struct sr_checks checks; /* state of check ops; the count of probe files continues over all sections */
	const char *text;        /* rank 0: text of the entire file; NULL on other ranks */
	size_t n;
};

struct section {
	struct sr_context *ctx;
	const struct sr_program *program; /* rank 0: compiled program of the section */
	struct sr_executable executable;
	struct sr_arrays arrays;
	const char *text;
	size_t n;
	int line_offset;
	bool is_empty; /* true if the section contains no function, so nothing is run */
};

/* ---- --args ---- */

/* Parse an array attribute with one dense constant per argument. */
static enum sr_status parse_args(struct sr_context *ctx, const char *text, const struct sr_attr **out)
{
	struct sr_diags *diags = &ctx->diags;
	struct sr_src_loc no_place = {0};
	if (sr_parse_attr(ctx, text, out) || (*out)->kind != SR_ATTR_ARRAY) {
		sr_diags_clear(diags);
		return sr_error(diags, SR_USAGE, no_place,
				"expectected array attribute string for args, i.e. --args=[dense<1> : tensor<2xi32>, ...]");
	}
	for (int i = 0; i < (*out)->n; i++)
		if ((*out)->list[i]->kind != SR_ATTR_DENSE)
			return sr_error(
				diags, SR_USAGE, no_place,
				"expected dense elements attribute for args elements, i.e. --args=[dense<1> : tensor<2xi32>, ...]");
	return SR_OK;
}

/* Return the declared type of an argument for --args; a callback like sr_bind_argument_type. */
static const struct sr_type *args_type(struct sr_context *ctx, void *data, const struct sr_op *func, int i,
				       const struct sr_type *declared, enum sr_status *status)
{
	const struct sr_bind_types *types = data;
	const struct sr_attr *args;
	(void)func;
	(void)declared;
	*status = parse_args(ctx, types->o->args, &args);
	return *status || i >= args->n ? NULL : args->list[i]->type;
}

static enum sr_status bind_args(struct section *s, const char *text)
{
	const struct sr_program *p = s->executable.program;
	const struct sr_attr *args;
	enum sr_status status = parse_args(s->ctx, text, &args);
	if (status)
		return status;
	if (args->n != p->n_arguments)
		return sr_error(&s->ctx->diags, SR_USAGE, (struct sr_src_loc){0},
				"--args has %d values, but the program has %d arguments", args->n, p->n_arguments);
	for (int i = 0; i < args->n; i++) {
		const struct sr_io *io = sr_program_values(p) + i;
		const char *declared_type = sr_program_string(p, io->type),
			   *given_type = sr_type_string(s->ctx, args->list[i]->type);
		int64_t bytes;
		if (strcmp(declared_type, given_type))
			return sr_error(&s->ctx->diags, SR_USAGE, (struct sr_src_loc){0},
					"--args: value %d has type %s, but the program's argument has type %s", i, given_type,
					declared_type);
		const void *data = sr_dense_data(s->ctx, args->list[i], true, &bytes);
		for (int k = 0; k < s->executable.n_devices; k++)
			memcpy(sr_arrays_argument(&s->arrays, i, k), data, (size_t)bytes);
	}
	return SR_OK;
}

/* ---- one section ---- */

static enum sr_status compile(struct interpret *in, struct section *s)
{
	const struct sr_run_options *o = in->o;
	struct sr_compiled compiled;
	struct sr_bind_types types = {.o = o};
	struct sr_buf dump, plan;
	sr_buf_init(&dump, s->ctx->arena);
	sr_buf_init(&plan, s->ctx->arena);
	struct sr_compile_options c = {.function = o->function,
				       .interpret = true,
				       .outputs.print_after = o->print_after,
				       .outputs.dump = &dump,
				       .outputs.verify_each = o->verify_each,
				       .machine = o->machine,
				       .call_targets = o->calls.data,
				       .n_call_targets = o->calls.n,
				       .line_offset = s->line_offset,
				       .progress = sr_progress_compiling,
				       .argument_type = o->args ? args_type : sr_bind_argument_type,
				       .argument_data = &types};
	sr_diags_add_source(&s->ctx->diags, o->model, in->text, in->n);
	enum sr_status status = sr_compile(s->ctx, o->model, s->text, s->n, &c, &compiled);
	sr_progress_stop();
	sr_buf_write(&dump, stderr);
	s->program = compiled.program;
	s->is_empty = !status && !compiled.program;
	if (!status && !s->is_empty)
		status = sr_bind_check(s->program, o, s->ctx->arena, &s->ctx->diags);
	if (!status && o->print_plan && s->program) {
		sr_program_print(s->program, &plan);
		sr_buf_write(&plan, stdout);
	}
	return status;
}

/* Print all results of this rank's k-th device. */
static void print_results(struct section *s, int k, const struct sr_checks *checks)
{
	const struct sr_program *p = s->executable.program;
	struct sr_buf buf;
	sr_buf_init(&buf, s->ctx->arena);
	for (int32_t i = 0; i < p->n_results; i++) {
		const struct sr_io *io = sr_program_result(p, i);
		sr_print_tensor(s->ctx, sr_program_string(p, io->type), sr_arrays_result(&s->arrays, i, k), checks->dense,
				&buf);
		sr_buf_putc(&buf, '\n');
	}
	sr_buf_write(&buf, stdout);
	fflush(stdout);
}

/* Execute the section's program once. If only this rank fails, abort the job: other ranks may be inside a collective. Failed checks
 * are already reported. */
static enum sr_status execute_once(struct section *s)
{
	struct sr_executable *e = &s->executable;
	struct sr_launch *l = &e->client->launch;
	sr_progress_phase("running");
	sr_watch_devices(e->devices, e->n_devices);
	enum sr_status status = sr_arrays_execute(&s->arrays, false, &s->ctx->diags);
	sr_watch_devices(NULL, 0);
	sr_progress_stop();
	if (status && l->mpi && e->program->n_devices > 1)
		sr_abort_ranks(l, status, &s->ctx->diags);
	return sr_launch_agree(l, status, &s->ctx->diags);
}

static enum sr_status run_compiled(struct interpret *in, struct section *s)
{
	const struct sr_run_options *o = in->o;
	struct sr_executable *e = &s->executable;
	struct sr_diags *diags = &s->ctx->diags;
	struct sr_arena *arena = s->ctx->arena;
	struct sr_executable_options options = {.model = o->model, .codegen = o->codegen, .ffi = o->ffi_kernels};
	options.codegen.executions = o->repeats + o->warmup;
	enum sr_status status = sr_executable_open(e, in->client, s->program, &options, arena, diags);
	if (!status)
		status = sr_launch_agree(&in->client->launch, sr_arrays_open(&s->arrays, e, arena, diags), diags);
	if (status)
		return status;
	in->checks.ctx = s->ctx;
	sr_checks_begin(&in->checks, e);
	if (!sr_executable_is_idle(e)) {
		status = sr_bind_check_files(e->program, o, arena, diags);
		if (!status)
			status = o->args ? bind_args(s, o->args) : sr_bind_arguments(&s->arrays, o, arena, diags);
	}
	status = sr_launch_agree(&in->client->launch, status, diags);
	if (!status)
		status = sr_bind_check_sums(&in->client->launch, e->program, o, arena, diags);
	if (!status)
		status = execute_once(s);
	if (status)
		return status;
	if (o->outputs.n || o->output_bundle || o->expected.n)
		return sr_bind_results(&s->arrays, o, arena, diags);
	int first = sr_executable_find(e, 0);
	if (first >= 0)
		print_results(s, first, &in->checks);
	return SR_OK;
}

/* Collective: run one section in its own context. Only rank 0 reads the text. */
static enum sr_status run_section(struct interpret *in, struct section *section)
{
	struct sr_launch *l = &in->client->launch;
	struct sr_context *ctx = sr_context_new();
	jmp_buf unwind;
	volatile enum sr_status status = SR_NO_MEMORY;
	if (!ctx)
		return SR_NO_MEMORY;
	section->ctx = ctx;
	if (!setjmp(unwind)) {
		sr_arena_guard(ctx->arena, &unwind);
		sr_dialects_register(ctx);
		ctx->allow_unregistered = true;
		if (in->checks.probe_dir && !l->rank)
			unlink(sr_printf(ctx->arena, "%s/index.csv", in->checks.probe_dir));
		status = l->rank ? SR_OK : compile(in, section);
		status = sr_launch_agree(l, status, &ctx->diags);
		sr_launch_broadcast(l, &section->is_empty, sizeof section->is_empty);
		if (!status && !section->is_empty)
			status = run_compiled(in, section);
	} else {
		if (l->mpi)
			sr_abort_ranks(l, SR_NO_MEMORY, &ctx->diags);
		(void)sr_launch_agree(l, SR_NO_MEMORY, &ctx->diags);
	}
	sr_arrays_close(&section->arrays);
	sr_executable_close(&section->executable);
	sr_context_free(ctx);
	return status;
}

/* ---- options ---- */

enum sr_status sr_interpret_check_options(const struct sr_run_options *o, struct sr_diags *diags)
{
	const struct sr_flag_state sharding_flags[] = {{"--explain", o->explain != NULL},
						{"--explain-partition", o->explain_partition != NULL},
						{"--show-sharding", o->show_sharding != NULL},
						{"--html", o->html != NULL}},
			      run_flags[] = {{"--report", o->report != NULL},
					   {"--json", o->json},
					   {"--plan-diff", o->plan_diff != NULL},
					   {"--profile", o->profile != NULL},
					   {"--num-repeats", o->repeats > 1},
					   {"--warmup", o->warmup > 0}};
	const char *name = sr_first_set_flag(sharding_flags, sizeof sharding_flags / sizeof *sharding_flags);
	if (o->interpret && name)
		return sr_error(diags, SR_USAGE, (struct sr_src_loc){0},
				"%s: --interpret takes the program as written; nothing is sharded by propagation", name);
	name = sr_first_set_flag(run_flags, sizeof run_flags / sizeof *run_flags);
	if (o->interpret && o->run && name)
		return sr_error(diags, SR_USAGE, (struct sr_src_loc){0},
				"%s: a run of --interpret is not measured; with --run=false it is planned", name);
	return SR_OK;
}

/* ---- all sections of a test file ---- */

static enum sr_status run_sections(struct interpret *in)
{
	const char *p = in->text, *end = in->text + in->n;
	enum sr_status first_error = SR_OK;
	bool has_next = true;
	while (has_next) {
		const char *cut = in->o->split_input_file && p ? sr_split_marker(p, end) : NULL;
		struct section section = {.text = p, .n = (size_t)((cut ? cut : end) - p), .line_offset = sr_count_lines(in->text, p)};
		enum sr_status status = run_section(in, &section);
		first_error = first_error ? first_error : status;
		has_next = cut != NULL;
		sr_launch_broadcast(&in->client->launch, &has_next, sizeof has_next);
		if (cut) {
			p = memchr(cut, '\n', (size_t)(end - cut));
			p = p ? p + 1 : end;
		}
	}
	return first_error;
}

static enum sr_status read_file(struct interpret *in, struct sr_context *ctx)
{
	const struct sr_attr *args;
	enum sr_status status = in->o->args ? parse_args(ctx, in->o->args, &args) : SR_OK;
	if (!status && !in->client->launch.rank)
		status = sr_read_file(ctx, in->o->model, in->o->max_model_bytes, &in->text, &in->n);
	return sr_launch_agree(&in->client->launch, status, &ctx->diags);
}

enum sr_status sr_interpret(struct sr_client *client, const struct sr_run_options *options)
{
	struct interpret in = {.o = options,
			       .client = client,
			       .checks = {.file = options->model, .probe_dir = options->probe_dir, .dense = options->print_dense}};
	struct sr_context *ctx = sr_context_new();
	if (!ctx)
		return SR_NO_MEMORY;
	sr_dialects_register(ctx);
	enum sr_status status = read_file(&in, ctx);
	if (!status)
		status = run_sections(&in);
	if (!status)
		status = sr_launch_agree(&client->launch, sr_flush_stream(&ctx->diags, stdout, "standard output"), &ctx->diags);
	sr_context_free(ctx);
	return status;
}
