/* A whole run, stage by stage; after each stage all ranks agree on the status, so that one message is printed and nobody waits
 * for ever. */
#include "exec/run.h"
#include "driver/plan_diff.h"
#include "exec/agree_options.h"
#include "exec/abort.h"
#include "exec/values/bind.h"
#include "exec/values/check.h"
#include "exec/client_options.h"
#include "exec/placement.h"
#include "exec/profile/profile.h"
#include "exec/program_file.h"
#include "exec/progress.h"
#include "exec/spawn.h"
#include "exec/summary.h"
#include "exec/watch.h"
#include "machine/machine.h"
#include "plan/nodes.h"
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

struct extremes {
	int64_t min, max;
};

struct run {
	const struct sr_run_options *o;
	struct sr_context *ctx;
	struct sr_context *other;           /* the run's own while it compiles; of a program that cannot be compiled; NULL */
	jmp_buf *unwind;
	struct sr_client client;
	const struct sr_program *program;   /* rank 0, and all ranks once it is open */
	struct sr_program_units units;      /* rank 0: of the program's file */
	struct sr_cache cache;              /* rank 0 */
	struct sr_executable executable;
	struct sr_checks checks;
	struct sr_compile_times times;      /* rank 0; zeros where a compiled program was given */
	struct sr_buf page;                 /* rank 0, where --html asks for it */
	double *start, *step_s, *collective_s; /* [devices here][repeats]: the clock when it left the barrier, seconds; on rank 0
					     * after the run: of the slowest device */
	char ***kept;                       /* [devices here][arguments]: copies of the donated, NULL of others */
	double step_median, wait_s, compute_s, collective_median;
	struct extremes rss, pss;              /* rank 0: bytes of a process with devices, the peak, and after the last step */
	struct sr_gathered profile;
};

static const char out_of_memory[] = "shardrun: error: out of memory\n"; /* where no message could be made */

/* One rank's messages, past the line of progress. */
static void tell(void *data, enum sr_status status, const struct sr_diags *diags)
{
	const struct run *r = data;
	sr_progress_hold();
	if (!diags || !r->o->err)
		return;
	sr_progress_give_way();
	if (status == SR_NO_MEMORY && !diags->n_errors)
		fputs(out_of_memory, r->o->err);
	sr_diags_print(diags, r->o->err);
	fflush(r->o->err);
}

static void emit(FILE *out, const struct sr_buf *text)
{
	if (out)
		sr_buf_write(text, out);
}

/* ---- compile on rank 0 ---- */

/* Warnings of a program that compiles: what is gathered for want of a better way, and the like; notes. */
static void say_warnings(struct run *r)
{
	sr_note_sharding(r->program, r->o, r->client.launch.size, &r->ctx->diags);
	if (r->o->err && !r->o->quiet)
		sr_diags_print(&r->ctx->diags, r->o->err);
	sr_diags_clear(&r->ctx->diags);
}

static enum sr_status compile(struct run *r, const char *text, size_t n)
{
	const struct sr_run_options *o = r->o;
	struct sr_buf dump, explanation, picture;
	struct sr_compiled compiled;
	struct sr_bind_types types = {.o = o};
	sr_buf_init(&dump, r->ctx->arena);
	sr_buf_init(&explanation, r->ctx->arena);
	sr_buf_init(&picture, r->ctx->arena);
	sr_buf_init(&r->page, r->ctx->arena);
	struct sr_compile_options c = {.function = o->function,
				       .partition = (enum sr_partition_mode)o->partition,
				       .overlap = (enum sr_overlap)o->overlap,
				       .interpret = o->interpret,
				       .print_after = o->print_after,
				       .dump = &dump,
				       .verify_each = o->verify_each,
				       .machine = o->machine,
				       .argument_type = sr_bind_argument_type,
				       .argument_data = &types,
				       .explain = o->explain,
				       .explanation = &explanation,
				       .progress = sr_progress_compiling,
				       .page = o->html ? &r->page : NULL,
				       .show = o->show_sharding,
				       .picture = &picture};
	struct sr_kept_program kept;
	sr_kept_program_of(r->ctx, &r->cache, o->model, text, n, &c, &kept);
	r->program = sr_kept_program_get(r->ctx, &kept);
	if (r->program) {
		r->times.kept = true;
		return SR_OK;
	}
	enum sr_status status = sr_compile(r->ctx, o->model, text, n, &c, &compiled);
	sr_progress_stop();
	if (!status)
		sr_kept_program_put(r->ctx, &kept, &compiled);
	emit(o->err, &dump);
	emit(o->out, &explanation);
	emit(o->out, &picture);
	r->program = compiled.program;
	r->times = compiled.times;
	return status;
}

/* The program, of a module or as it was compiled before. */
static enum sr_status read_program(struct run *r)
{
	const struct sr_run_options *o = r->o;
	const char *text;
	size_t n;
	bool own;
	sr_progress_phase("reading the model");
	enum sr_status status = sr_read_own_file(r->ctx, o->model, o->max_model_bytes, &text, &n, &own);
	if (!status && !sr_program_is(text, n))
		status = compile(r, text, n);
	else if (!status)
		status = sr_program_open(o, text, n, own, r->ctx->arena, &r->ctx->diags, &r->program, &r->units);
	sr_progress_stop();
	if (!status && o->print_plan) {
		struct sr_buf plan;
		sr_buf_init(&plan, r->ctx->arena);
		sr_program_print(r->program, &plan);
		emit(o->out, &plan);
	}
	if (!status)
		say_warnings(r);
	return status;
}

static struct sr_context *new_context(jmp_buf *unwind)
{
	struct sr_context *ctx = sr_context_new();
	if (!ctx)
		return NULL;
	sr_arena_guard(ctx->arena, unwind);
	sr_dialects_register(ctx);
	ctx->allow_unregistered = true;
	return ctx;
}

/* In a context that goes before the run begins: its memory is the program's alone. */
static enum sr_status compile_program(struct run *r)
{
	struct sr_context *own = r->ctx;
	struct sr_context *compiler = new_context(r->unwind);
	if (!compiler)
		sr_arena_unwind(own->arena);
	r->ctx = compiler;
	r->other = own;
	enum sr_status status = read_program(r);
	r->ctx = own;
	r->other = compiler;
	if (status) { /* what is wrong is said by the run */
		sr_diags_take(&own->diags, &compiler->diags);
		return status;
	}
	if (r->program)
		r->program = sr_dup(own->arena, r->program, 1, r->program->bytes);
	r->units = sr_program_units_copy(&r->units, own->arena);
	if (r->page.n) {
		struct sr_buf page = r->page;
		sr_buf_init(&r->page, own->arena);
		sr_buf_put(&r->page, page.data, page.n);
	}
	r->other = NULL;
	sr_context_free(compiler);
#ifdef __GLIBC__
	malloc_trim(0); /* else what lay between other blocks stays resident */
#endif
	return SR_OK;
}

/* The program, held to the limits that were given for its plan. */
static enum sr_status make_program(struct run *r)
{
	enum sr_status status = compile_program(r);
	if (status || !r->program || r->o->interpret)
		return status;
	return sr_plan_limits_check(r->program, &r->o->limits, r->ctx->arena, &r->ctx->diags);
}

/* What --interpret alone has: prints, probes, and functions of which each device runs another. */
static enum sr_status check_steps(struct run *r)
{
	const struct sr_program *p = r->program;
	for (uint64_t i = 0; i < p->steps.n; i++) {
		const struct sr_step *s = sr_program_steps(p) + i;
		const struct sr_check_step *c = (const void *)(sr_program_params(p) + s->params);
		if (s->kind == SR_STEP_PARALLEL || (s->kind == SR_STEP_CHECK && c->kind > SR_CHECK_CLOSE))
			return sr_error(&r->ctx->diags, SR_UNSUPPORTED, (struct sr_place){.file = sr_program_string(p, s->place)},
					"'%s' is run with --interpret alone", sr_program_string(p, s->op));
	}
	return SR_OK;
}

/* ---- run ---- */

static int by_value(const void *x, const void *y)
{
	double a = *(const double *)x, b = *(const double *)y;
	return (a > b) - (a < b);
}

static double median(struct sr_arena *arena, const double *v, int64_t n)
{
	double *sorted = sr_dup(arena, v, (size_t)n, sizeof *v);
	qsort(sorted, (size_t)n, sizeof *sorted, by_value);
	return n % 2 ? sorted[n / 2] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2;
}

/* Copies of the arguments that are donated, whose memory a step may use as it likes, where there is more than one step;
 * [n_arguments], NULL where there is nothing to keep. */
static char **keep_donated(const struct run *r, const struct sr_device *d)
{
	const struct sr_program *p = r->program;
	char **kept = SR_NEWS(r->ctx->arena, char *, p->n_arguments + 1);
	for (int32_t i = 0; r->o->repeats + r->o->warmup > 1 && i < p->n_arguments; i++) {
		const struct sr_io *io = sr_program_values(p) + i;
		if (io->donated)
			kept[i] = sr_dup(r->ctx->arena, sr_device_buffer(d, io->buffer),
					 (size_t)sr_program_buffers(p)[io->buffer].bytes, 1);
	}
	return kept;
}

static void refill(const struct sr_device *d, char *const *kept)
{
	const struct sr_program *p = d->program;
	for (int32_t i = 0; i < p->n_arguments; i++) {
		int32_t buffer = sr_program_values(p)[i].buffer;
		if (kept[i])
			memcpy(sr_device_buffer(d, buffer), kept[i], (size_t)sr_program_buffers(p)[buffer].bytes);
	}
}

/* All steps of one device, the k-th of this rank. */
static enum sr_status repeat_device(void *data, struct sr_device *d, int k)
{
	struct run *r = data;
	int64_t repeats = r->o->repeats, warmup = r->o->warmup;
	for (int64_t i = -warmup; i < repeats; i++) {
		if (!k) {
			sr_progress_phase(i < 0 ? "warming up" : "running");
			sr_progress_step("step", i < 0 ? i + warmup + 1 : i + 1, i < 0 ? warmup : repeats, NULL);
		}
		refill(d, r->kept[k]);
		sr_device_barrier(d);
		if (!i && r->o->profile)
			sr_profile_start(&r->profile, d, k);
		double start = sr_now();
		enum sr_status status = sr_device_step(d);
		if (status)
			return status;
		if (i >= 0) {
			r->start[k * repeats + i] = start;
			r->step_s[k * repeats + i] = sr_now() - start;
			r->collective_s[k * repeats + i] = d->collective_s;
		}
	}
	return SR_OK;
}

/* A rank that fails here cannot wait for an agreement: the others may be inside a collective. */
static void repeat(struct run *r)
{
	struct sr_executable *e = &r->executable;
	size_t n = (size_t)r->o->repeats * (size_t)e->n_devices;
	r->start = SR_NEWS(r->ctx->arena, double, n);
	r->step_s = SR_NEWS(r->ctx->arena, double, n);
	r->collective_s = SR_NEWS(r->ctx->arena, double, n);
	r->kept = SR_NEWS(r->ctx->arena, char **, e->n_devices);
	for (int k = 0; k < e->n_devices; k++)
		r->kept[k] = keep_donated(r, &e->devices[k]);
	if (r->o->profile)
		sr_profile_begin(&r->profile, e, r->o->repeats, r->ctx->arena);
	if (!e->n_devices)
		return;
	sr_watch_devices(e->devices, e->n_devices);
	enum sr_status status = sr_executable_each(e, repeat_device, r, &r->ctx->diags);
	if (status)
		sr_abort_ranks(&r->client.launch, status, &r->ctx->diags);
	sr_watch_devices(NULL, 0);
}

/* Collective: of each rank that plays devices; on rank 0. */
static struct extremes gather_range(struct run *r, int64_t mine)
{
	const struct sr_executable *e = &r->executable;
	int64_t *each = SR_NEWS(r->ctx->arena, int64_t, e->n_devices + 1);
	struct extremes range = {0, 0};
	for (int k = 0; k < e->n_devices; k++)
		each[k] = mine;
	const int64_t *all = sr_executable_gather(e, r->ctx->arena, each, sizeof mine);
	for (int64_t d = 0; all && d < r->program->n_devices; d++) {
		range.min = d && range.min < all[d] ? range.min : all[d];
		range.max = range.max > all[d] ? range.max : all[d];
	}
	return range;
}

/* Before anything is written. */
static void gather_memory(struct run *r)
{
	struct rusage usage;
	getrusage(RUSAGE_SELF, &usage);
	r->pss = gather_range(r, sr_machine_resident(NULL));
	r->rss = gather_range(r, (int64_t)usage.ru_maxrss * 1024);
}

/* When the first device of this rank began step i; HUGE_VAL on a spare rank. */
static double first_start(const struct run *r, int64_t i)
{
	double first = HUGE_VAL;
	for (int k = 0; k < r->executable.n_devices; k++)
		first = fmin(first, r->start[k * r->o->repeats + i]);
	return first;
}

/* Collective: a step begins when the first device of a node leaves the barrier. Where devices outnumber cores others get their turn
 * later, and what they wait for it is of the step too. */
static void begin_together(struct run *r)
{
	enum { PART = 4096 };
	int64_t n = r->o->repeats;
	double mine[PART];
	for (int64_t at = 0; at < n; at += PART) {
		int64_t some = n - at < PART ? n - at : PART;
		const void *all;
		for (int64_t i = 0; i < some; i++)
			mine[i] = first_start(r, at + i);
		int here = sr_launch_on_node(&r->client.launch, r->ctx->arena, mine, (uint64_t)some * sizeof *mine, &all);
		for (int64_t i = 0; i < some; i++) {
			double first = mine[i];
			for (int k = 0; k < here; k++)
				first = fmin(first, ((const double *)all)[k * some + i]);
			for (int k = 0; k < r->executable.n_devices; k++)
				r->step_s[k * n + at + i] += r->start[k * n + at + i] - first;
		}
	}
}

/* Collective: per repeat the time of the slowest device. A step's waiting is what its slowest device spent in
 * collectives beyond the one that spent least. */
static void gather_times(struct run *r)
{
	int64_t n = r->o->repeats;
	size_t bytes = (size_t)n * sizeof(double);
	begin_together(r);
	const double *steps = sr_executable_gather(&r->executable, r->ctx->arena, r->step_s, bytes),
		     *collectives = sr_executable_gather(&r->executable, r->ctx->arena, r->collective_s, bytes);
	if (r->client.launch.rank)
		return;
	double *wait = SR_NEWS(r->ctx->arena, double, n), *compute = SR_NEWS(r->ctx->arena, double, n);
	r->step_s = SR_NEWS(r->ctx->arena, double, n);
	r->collective_s = SR_NEWS(r->ctx->arena, double, n);
	for (int64_t i = 0; i < n; i++) {
		int64_t slow = 0;
		double least = collectives[i];
		for (int64_t d = 1; d < r->program->n_devices; d++) {
			slow = steps[d * n + i] > steps[slow * n + i] ? d : slow;
			least = collectives[d * n + i] < least ? collectives[d * n + i] : least;
		}
		r->step_s[i] = steps[slow * n + i];
		r->collective_s[i] = collectives[slow * n + i];
		wait[i] = r->collective_s[i] - least;
		compute[i] = r->step_s[i] - r->collective_s[i];
	}
	r->step_median = median(r->ctx->arena, r->step_s, n);
	r->collective_median = median(r->ctx->arena, r->collective_s, n);
	r->wait_s = median(r->ctx->arena, wait, n);
	r->compute_s = median(r->ctx->arena, compute, n);
}

/* ---- what rank 0 says at the end ---- */

static void report_range(struct sr_json *j, const char *name, struct extremes range)
{
	sr_json_open(j, name, '{');
	sr_json_int(j, "min", range.min);
	sr_json_int(j, "max", range.max);
	sr_json_close(j);
}

static void report_run(struct run *r, struct sr_json *j)
{
	double lo = r->step_s[0], hi = r->step_s[0];
	for (int64_t i = 1; i < r->o->repeats; i++) {
		lo = r->step_s[i] < lo ? r->step_s[i] : lo;
		hi = r->step_s[i] > hi ? r->step_s[i] : hi;
	}
	sr_json_open(j, "run", '{');
	sr_json_int(j, "devices_per_rank", r->executable.world->most);
	sr_json_int(j, "repeats", r->o->repeats);
	sr_json_open(j, "step_s", '{');
	sr_json_double(j, "median", r->step_median);
	sr_json_double(j, "min", lo);
	sr_json_double(j, "max", hi);
	sr_json_close(j);
	sr_json_double(j, "compute_s", r->compute_s);
	sr_json_double(j, "collective_s", r->collective_median);
	sr_json_double(j, "wait_s", r->wait_s);
	report_range(j, "pss_bytes", r->pss);
	report_range(j, "peak_rss_bytes", r->rss);
	sr_json_close(j);
}

/* The table to where the summary goes, and the trace. */
static enum sr_status write_profile(struct run *r)
{
	struct sr_buf text;
	enum sr_status status = sr_read_machine(r->ctx, r->o->machine);
	if (status)
		return status;
	sr_buf_init(&text, r->ctx->arena);
	sr_profile_table(&r->profile, r->ctx->machine, r->ctx->arena, &text);
	emit(r->o->err, &text);
	if (!*r->o->profile)
		return SR_OK;
	sr_buf_init(&text, r->ctx->arena);
	sr_profile_trace(&r->profile, r->ctx->arena, &text);
	return sr_bind_write_text(r->o->profile, &text, r->o->out, r->ctx->arena, &r->ctx->diags);
}

static void make_report(struct run *r, bool ran, struct sr_buf *out)
{
	struct sr_json json;
	struct sr_node_plan nodes;
	sr_buf_init(out, r->ctx->arena);
	sr_json_init(&json, out);
	sr_report_plan(&json, r->program, &r->times, r->ctx->arena);
	if (ran)
		report_run(r, &json);
	if (r->o->ranks_per_node && sr_plan_nodes(r->program, (int)r->o->ranks_per_node, r->ctx->arena, &nodes))
		sr_report_nodes(&json, r->program, &nodes);
	sr_json_close(&json);
	sr_buf_putc(out, '\n');
}

/* The plan beside an earlier one, on standard output. */
static enum sr_status compare_plans(struct run *r, const struct sr_buf *report)
{
	const char *old;
	size_t n;
	struct sr_buf table;
	enum sr_status status = sr_read_file(r->ctx, r->o->plan_diff, 0, &old, &n);
	sr_buf_init(&table, r->ctx->arena);
	if (!status)
		status = sr_plan_diff(r->ctx->arena, &r->ctx->diags, r->o->plan_diff, old, n, report->data, report->n, &table);
	if (!status && r->o->out)
		emit(r->o->out, &table);
	return status;
}

/* The compiled program, the page and the report. */
static enum sr_status write_files(struct run *r, bool ran)
{
	struct sr_buf buf;
	enum sr_status status =
	    r->o->program ? sr_program_write(r->program, r->o, &r->units, r->ctx->arena, &r->ctx->diags) : SR_OK;
	if (!status)
		status = r->o->html ? sr_bind_write_text(r->o->html, &r->page, r->o->out, r->ctx->arena, &r->ctx->diags) : SR_OK;
	if (!status && ran && r->o->profile)
		status = write_profile(r);
	if (status || (!r->o->report && !r->o->plan_diff))
		return status;
	make_report(r, ran, &buf);
	if (r->o->plan_diff)
		status = compare_plans(r, &buf);
	return status || !r->o->report ? status : sr_bind_write_text(r->o->report, &buf, r->o->out, r->ctx->arena, &r->ctx->diags);
}

static void say_summary(struct run *r, bool ran, const struct sr_buf *node)
{
	struct sr_buf buf;
	sr_buf_init(&buf, r->ctx->arena);
	sr_summary_print(&(struct sr_summary){.options = r->o,
					      .program = r->program,
					      .node = node,
					      .ranks = r->client.launch.size,
					      .ran = ran,
					      .step_s = r->step_median,
					      .rss = r->rss.max,
					      .arena = r->ctx->arena},
			 &buf);
	if (!r->o->quiet)
		emit(r->o->err, &buf);
}

/* The files; the summary once nothing that was printed is lost. */
static enum sr_status conclude(struct run *r, bool ran, const struct sr_buf *node)
{
	enum sr_status status = write_files(r, ran);
	if (!status && r->o->out)
		status = sr_flush(&r->ctx->diags, r->o->out, "standard output");
	if (!status)
		say_summary(r, ran, node);
	return status;
}

/* ---- the stages ---- */

/* The process that speaks for a job, with MPI or without. */
static bool speaks(const struct run *r)
{
	return r->client.launch.size > 1 ? !r->client.launch.rank : sr_launch_speaks();
}

/* One process of the job does it. */
static enum sr_status plan_only(struct run *r)
{
	struct sr_launch *l = &r->client.launch;
	enum sr_status status = SR_OK;
	if (speaks(r)) {
		status = sr_bind_check_paths(r->o, true, r->ctx->arena, &r->ctx->diags);
		status = status ? status : make_program(r);
		status = status ? status : conclude(r, false, NULL);
	}
	return sr_launch_agree(l, status, &r->ctx->diags);
}

static enum sr_status bind(struct run *r)
{
	enum sr_status status = sr_bind_check_files(r->program, r->o, r->ctx->arena, &r->ctx->diags);
	return status ? status : sr_bind_arguments(&r->executable, r->o, r->ctx->arena, &r->ctx->diags);
}

static void say_kept(const struct run *r, struct sr_buf *node)
{
	if (r->times.kept)
		sr_buf_printf(node, "\n  program: as it was compiled before (%s)", r->cache.folder);
	if (r->cache.why)
		sr_buf_printf(node, "\n  cache: not used: %s", r->cache.why);
}

static enum sr_status run_all(struct run *r)
{
	struct sr_launch *l = &r->client.launch;
	struct sr_diags *diags = &r->ctx->diags;
	enum sr_status status = SR_OK;
	struct sr_buf node;
	sr_buf_init(&node, r->ctx->arena);
	if (!l->rank) {
		status = sr_bind_check_paths(r->o, true, r->ctx->arena, diags);
		status = status ? status : make_program(r);
		status = status ? status : check_steps(r);
		status = status ? status : sr_bind_check(r->program, r->o, r->ctx->arena, diags);
	}
	status = sr_launch_agree(l, status, diags);
	if (!status)
		status = sr_placement_choose(&r->client, r->program, r->o, r->ctx->arena, diags, &node);
	if (!status) {
		sr_progress_phase("loading the program");
		struct sr_executable_options options = {.model = r->o->model, .node = r->o->verbose ? &node : NULL, .codegen = r->o->codegen};
		options.codegen.executions = r->o->repeats + r->o->warmup;
		options.codegen.units = &r->units;
		options.keeps_donated = r->o->repeats + r->o->warmup > 1;
		status = sr_executable_open(&r->executable, &r->client, r->program, &options, r->ctx->arena, diags);
		r->program = r->executable.program;
		r->times.units_s = r->executable.units_s;
		say_kept(r, &node);
	}
	if (!status) {
		r->checks = (struct sr_checks){.ctx = r->ctx, .file = r->o->model};
		sr_checks_begin(&r->checks, &r->executable);
		sr_progress_phase("loading arguments");
		status = sr_launch_agree(l, sr_executable_is_spare(&r->executable) ? SR_OK : bind(r), diags);
	}
	if (!status)
		status = sr_bind_check_sums(l, r->program, r->o, r->ctx->arena, diags);
	if (status)
		return status;
	repeat(r);
	gather_memory(r);
	gather_times(r);
	if (r->o->profile)
		sr_profile_gather(&r->profile, &r->executable, r->ctx->arena);
	sr_progress_phase("writing results");
	enum sr_status result = sr_bind_results(&r->executable, r->o, r->ctx->arena, diags);
	if (result && result != SR_DIFFERS)
		return result;
	status = sr_launch_agree(l, l->rank ? SR_OK : conclude(r, true, &node), diags);
	return status ? status : result;
}

/* What is wrong whatever the model says, before MPI is started. */
static enum sr_status check_options(const struct run *r)
{
	struct sr_selection *selection;
	const char *message = NULL;
	struct sr_diags *diags = &r->ctx->diags;
	if (r->o->ranks < 0 || r->o->ranks > 100000)
		return sr_error(diags, SR_USAGE, (struct sr_place){0}, "-n %lld: a number of ranks from 1 to 100000 is expected",
				(long long)r->o->ranks);
	if (r->o->ranks_per_node < 0 || r->o->ranks_per_node > 100000)
		return sr_error(diags, SR_USAGE, (struct sr_place){0},
				"--ranks-per-node=%lld: a number of ranks from 1 to 100000, or 0, is expected",
				(long long)r->o->ranks_per_node);
	if (r->o->device_ranks && strcmp(r->o->placement, "order") != 0)
		return sr_error(diags, SR_USAGE, (struct sr_place){0},
				"--device-ranks and --placement both say which rank plays which device");
	if (sr_selection_parse(r->ctx->arena, r->o->selection, &selection, &message))
		return sr_error(diags, SR_USAGE, (struct sr_place){0}, "--collectives: %s", message);
	return SR_OK;
}

/* Processes that do not know of each other: a launcher ends all when the first one fails, so the silent ones give the one that
 * speaks time to do so. */
static enum sr_status fail_apart(const struct run *r, enum sr_status status)
{
	if (!sr_launch_speaks())
		nanosleep(&(struct timespec){.tv_sec = 1}, NULL);
	else if (r->o->err)
		sr_diags_print(&r->ctx->diags, r->o->err);
	return status;
}

/* Whoever finds something wrong with its own options is heard, and nobody goes on with others than the rest. */
static enum sr_status agree_options(struct run *r, enum sr_status status)
{
	const struct sr_command *c = r->o->command;
	struct sr_launch *l = &r->client.launch;
	if (l->size == 1 && !sr_launch_speaks())
		return status ? fail_apart(r, status) : SR_OK;
	status = sr_launch_agree(l, status, c->status ? c->diags : &r->ctx->diags);
	return status ? status : sr_agree_options(l, c, r->ctx->arena, &r->ctx->diags);
}

static enum sr_status launched(struct run *r)
{
	const struct sr_run_options *o = r->o;
	if (o->command->inform) {
		enum sr_status status = SR_OK;
		if (speaks(r)) {
			o->command->inform(o->command->values);
			status = sr_flush(&r->ctx->diags, stdout, "standard output");
		}
		return sr_launch_agree(&r->client.launch, status, &r->ctx->diags);
	}
	if (!o->run)
		return plan_only(r);
	struct sr_client_options c = {.selection = o->selection, .no_window = !o->window, .ranks_per_node = (int)o->ranks_per_node, .root = o->root};
	enum sr_status status = sr_launch_agree(&r->client.launch, sr_client_options_read(o, &c, r->ctx->arena, &r->ctx->diags), &r->ctx->diags);
	if (!status)
		status = sr_client_open(&r->client, &c, r->ctx->arena, &r->ctx->diags);
	return status ? status : o->interpret ? sr_interpret(&r->client, o) : run_all(r);
}

/* Progress and the watch of a process whose options are good. */
static void watch(const struct sr_run_options *o)
{
	bool good = !o->command->status;
	enum sr_progress_mode mode = !good || o->command->inform || o->quiet || !o->err ? SR_PROGRESS_NONE : (enum sr_progress_mode)o->progress;
	sr_progress_begin(mode, o->progress_interval, STDERR_FILENO, sr_launch_speaks());
	sr_watch_begin(good ? o->timeout : 0, sr_launch_is_launched(), sr_launch_speaks());
}

/* The ranks' standard error is a pipe of their launcher's, which leads to ours. */
static void hand_down_progress(const struct sr_run_options *o)
{
	if (o->progress == SR_PROGRESS_AUTO && sr_progress_is_terminal(STDERR_FILENO))
		setenv(SR_PROGRESS_VARIABLE, "line", 1);
}

static enum sr_status stages(struct run *r)
{
	const struct sr_run_options *o = r->o;
	const struct sr_command *c = o->command;
	bool runs = !c->status && !c->inform && o->run;
	enum sr_status status = c->status || c->inform ? c->status : check_options(r), begun;
	if (!status && runs && o->ranks > 0 && !sr_launch_is_launched()) {
		hand_down_progress(o);
		status = sr_spawn_ranks(o->launcher, (int)o->ranks, o->arguments, &r->ctx->diags);
	}
	watch(o);
	r->client.launch.tell = tell;
	r->client.launch.data = r;
	sr_watch_start(runs ? o->stall_timeout : 0);
	begun = sr_launch_begin(&r->client.launch, &r->ctx->diags, runs, o->allow_singleton);
	sr_watch_launch(&r->client.launch);
	status = begun ? fail_apart(r, begun) : agree_options(r, status);
	if (!status && runs)
		sr_watch_ranks(&r->client, o->stall_timeout);
	if (!status)
		status = launched(r);
	if (o->out)
		fflush(o->out);
	sr_executable_close(&r->executable);
	sr_client_close(&r->client);
	if (status)
		sr_watch_end(); /* it was said why; what a launcher does now is no news */
	sr_launch_leave(&r->client.launch, status);
	sr_watch_end();
	return status;
}

enum sr_status sr_run(const struct sr_run_options *options)
{
	struct sr_run_options own = *options;
	options = &own;
	own.raw = own.out;
	for (size_t i = 0; i < own.outputs.n; i++)
		if (!strcmp(own.outputs.data[i], SR_OUTPUT_RAW)) /* nothing else may be there */
			own.out = own.err;
	struct run *r = calloc(1, sizeof *r);
	jmp_buf unwind;
	volatile enum sr_status status = SR_NO_MEMORY;
	if (!r)
		return SR_NO_MEMORY;
	r->o = options;
	r->unwind = &unwind;
	r->ctx = new_context(NULL);
	if (r->ctx && !setjmp(unwind)) {
		sr_arena_guard(r->ctx->arena, &unwind);
		sr_cache_open(&r->cache, own.cache, own.cache_bytes, r->ctx->arena);
		own.codegen.cache = &r->cache;
		status = stages(r);
	} else {
		if (r->ctx && r->client.launch.mpi)
			sr_abort_ranks(&r->client.launch, SR_NO_MEMORY, &r->ctx->diags);
		if (options->err)
			fputs(out_of_memory, options->err);
	}
	sr_context_free(r->ctx);
	sr_context_free(r->other);
	free(r);
	return status;
}
