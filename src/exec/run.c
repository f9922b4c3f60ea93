/* A whole run, stage by stage; after each stage all ranks agree on the status, so that one message is printed and nobody waits for ever. */
#include "exec/run.h"
#include "exec/bind.h"
#include "exec/session.h"
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

struct run {
	const struct sr_run_options *o;
	struct sr_context *ctx;
	struct sr_session s;
	struct sr_compiled compiled;        /* rank 0 */
	double *step_s, *collective_s;      /* [repeats], mine; on rank 0 after the run: of the slowest rank */
	double step_median, wait_s, compute_s, collective_median;
	int64_t rss_min, rss_max;
};

/* ---- signals and the time limit ---- */

static volatile double limit_s;
static volatile int my_rank;

static void say(const char *text)
{
	ssize_t n = write(STDERR_FILENO, text, strlen(text));
	(void)n;
}

static void on_signal(int number)
{
	sr_bind_cleanup();
	if (number == SIGALRM) {
		if (!my_rank)
			say("shardrun: error: the time limit of --timeout is over\n");
		_exit(SR_TIMEOUT);
	}
	signal(number, SIG_DFL);
	raise(number);
}

static void watch(double timeout)
{
	struct sigaction action = {.sa_handler = on_signal};
	sigemptyset(&action.sa_mask);
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGALRM, &action, NULL);
	if (timeout > 0) {
		struct itimerval timer = {.it_value = {.tv_sec = (time_t)timeout, .tv_usec = (suseconds_t)((timeout - (double)(time_t)timeout) * 1e6)}};
		limit_s = timeout;
		setitimer(ITIMER_REAL, &timer, NULL);
	}
}

/* ---- compile on rank 0 ---- */

static enum sr_status compile(struct run *r)
{
	const struct sr_run_options *o = r->o;
	struct sr_buf dump;
	const char *text;
	size_t n;
	sr_buf_init(&dump, r->ctx->arena);
	struct sr_compile_options c = {.function = o->function, .partition = (enum sr_partition_mode)o->partition, .interpret = o->interpret,
				       .print_after = o->print_after, .dump = &dump, .verify_each = o->verify_each, .machine = &sr_machine_unknown};
	enum sr_status status = sr_read_file(r->ctx, o->model, &text, &n);
	if (!status)
		status = sr_compile(r->ctx, o->model, text, n, &c, &r->compiled);
	fwrite(dump.data, 1, dump.n, stderr);
	if (!status && o->print_plan) {
		struct sr_buf plan;
		sr_buf_init(&plan, r->ctx->arena);
		sr_program_print(r->compiled.program, &plan);
		fwrite(plan.data, 1, plan.n, stdout);
	}
	r->s.program = r->compiled.program;
	return status;
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

/* A rank that fails here cannot wait for an agreement: the others may be inside a collective. */
static void repeat(struct run *r)
{
	struct sr_device *d = &r->s.device;
	for (int64_t i = -r->o->warmup; i < r->o->repeats; i++) {
		sr_launch_barrier(&r->s.launch);
		double start = sr_now();
		enum sr_status status = sr_device_step(d);
		if (status) {
			(void)sr_session_step_failed(&r->s, status);
			sr_launch_abort(&r->s.launch, status, &r->ctx->diags);
		}
		if (i >= 0) {
			r->step_s[i] = sr_now() - start;
			r->collective_s[i] = d->collective_s;
		}
	}
}

/* Collective: per repeat the time of the slowest rank; memory of all. A step's waiting is what its slowest rank spent in collectives
 * beyond the rank that spent least. */
static void gather_times(struct run *r)
{
	int64_t n = r->o->repeats, size = r->s.launch.size;
	struct rusage usage;
	getrusage(RUSAGE_SELF, &usage);
	int64_t mine = (int64_t)usage.ru_maxrss * 1024, *rss = SR_NEWS(r->ctx->arena, int64_t, size);
	double *steps = SR_NEWS(r->ctx->arena, double, n * size), *collectives = SR_NEWS(r->ctx->arena, double, n * size);
	sr_launch_gather(&r->s.launch, &mine, rss, sizeof mine);
	sr_launch_gather(&r->s.launch, r->step_s, steps, (uint64_t)n * sizeof *steps);
	sr_launch_gather(&r->s.launch, r->collective_s, collectives, (uint64_t)n * sizeof *collectives);
	if (r->s.launch.rank)
		return;
	double *wait = SR_NEWS(r->ctx->arena, double, n), *compute = SR_NEWS(r->ctx->arena, double, n);
	r->rss_min = r->rss_max = mine;
	for (int64_t k = 0; k < r->s.program->n_devices; k++) {
		r->rss_min = rss[k] < r->rss_min ? rss[k] : r->rss_min;
		r->rss_max = rss[k] > r->rss_max ? rss[k] : r->rss_max;
	}
	for (int64_t i = 0; i < n; i++) {
		int64_t slow = 0;
		double least = collectives[i];
		for (int64_t k = 1; k < r->s.program->n_devices; k++) {
			slow = steps[k * n + i] > steps[slow * n + i] ? k : slow;
			least = collectives[k * n + i] < least ? collectives[k * n + i] : least;
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

static void report_run(struct run *r, struct sr_json *j)
{
	double lo = r->step_s[0], hi = r->step_s[0];
	for (int64_t i = 1; i < r->o->repeats; i++) {
		lo = r->step_s[i] < lo ? r->step_s[i] : lo;
		hi = r->step_s[i] > hi ? r->step_s[i] : hi;
	}
	sr_json_open(j, "run", '{');
	sr_json_int(j, "repeats", r->o->repeats);
	sr_json_open(j, "step_s", '{');
	sr_json_double(j, "median", r->step_median);
	sr_json_double(j, "min", lo);
	sr_json_double(j, "max", hi);
	sr_json_close(j);
	sr_json_double(j, "compute_s", r->compute_s);
	sr_json_double(j, "collective_s", r->collective_median);
	sr_json_double(j, "wait_s", r->wait_s);
	sr_json_open(j, "peak_rss_bytes", '{');
	sr_json_int(j, "min", r->rss_min);
	sr_json_int(j, "max", r->rss_max);
	sr_json_close(j);
	sr_json_close(j);
}

static enum sr_status write_report(struct run *r, bool ran)
{
	struct sr_json json;
	struct sr_buf buf;
	FILE *out;
	if (!r->o->report)
		return SR_OK;
	sr_buf_init(&buf, r->ctx->arena);
	sr_json_init(&json, &buf);
	sr_report_plan(&json, &(struct sr_report){r->o->model, &r->compiled});
	if (ran)
		report_run(r, &json);
	sr_json_close(&json);
	sr_buf_putc(&buf, '\n');
	out = fopen(r->o->report, "w");
	bool good = out && fwrite(buf.data, 1, buf.n, out) == buf.n;
	if ((out && fclose(out)) || !good)
		return sr_error(&r->ctx->diags, SR_USAGE, (struct sr_place){.file = r->o->report}, "the report cannot be written: %s", strerror(errno));
	return SR_OK;
}

static void summary(struct run *r, bool ran)
{
	struct sr_buf buf;
	const struct sr_program *p = r->s.program;
	sr_buf_init(&buf, r->ctx->arena);
	sr_buf_puts(&buf, "shardrun: mesh ");
	sr_session_mesh(r->s.program, &buf);
	sr_buf_printf(&buf, "; %d device%s, %d rank%s", p->n_devices, p->n_devices == 1 ? "" : "s", r->s.launch.size, r->s.launch.size == 1 ? "" : "s");
	if (r->s.launch.size > p->n_devices && ran)
		sr_buf_printf(&buf, " (%d idle)", r->s.launch.size - p->n_devices);
	sr_buf_printf(&buf, "; arguments %s", r->o->inputs.n ? "as given" : r->o->argument_mode == SR_ARGS_ZEROS ? "zeros" : "random");
	if (!r->o->inputs.n && r->o->argument_mode != SR_ARGS_ZEROS)
		sr_buf_printf(&buf, " (seed %lld)", (long long)r->o->seed);
	if (ran)
		sr_buf_printf(&buf, "; step %.6f s", r->step_median);
	sr_buf_printf(&buf, "; planned %lld bytes a device", (long long)(p->argument_bytes + p->output_bytes - p->alias_bytes + p->temp_bytes));
	if (ran)
		sr_buf_printf(&buf, "; peak memory %.1f MB", (double)r->rss_max / 1e6);
	printf("%s\n", sr_buf_string(&buf));
	if (r->o->verbose)
		for (int i = 0; i < SR_COST_KINDS; i++)
			if (r->compiled.costs[i].count)
				printf("  %-22s %6lld ops %14lld bytes %14lld on the wire\n", r->compiled.costs[i].kind, (long long)r->compiled.costs[i].count,
				       (long long)r->compiled.costs[i].bytes, (long long)r->compiled.costs[i].wire_bytes);
}

/* ---- the stages ---- */

static enum sr_status plan_only(struct run *r)
{
	enum sr_status status = SR_OK;
	if (!r->s.launch.rank) {
		status = compile(r);
		if (!status)
			status = write_report(r, false);
		if (!status)
			summary(r, false);
	}
	return sr_launch_agree(&r->s.launch, status, &r->ctx->diags);
}

static enum sr_status run_all(struct run *r)
{
	struct sr_launch *l = &r->s.launch;
	struct sr_diags *diags = &r->ctx->diags;
	enum sr_status status = SR_OK;
	struct sr_buf node;
	sr_buf_init(&node, r->ctx->arena);
	if (!l->rank) {
		status = compile(r);
		status = status ? status : sr_bind_check(r->s.program, r->o, r->ctx->arena, diags);
	}
	status = sr_launch_agree(l, status, diags);
	if (!status)
		status = sr_session_open(&r->s, &(struct sr_session_options){.selection = r->o->selection, .node = r->o->verbose ? &node : NULL});
	if (!status)
		status = sr_launch_agree(l, l->spare ? SR_OK : sr_bind_arguments(&r->s.device, r->o, r->ctx->arena, diags), diags);
	if (status)
		return status;
	r->step_s = SR_NEWS(r->ctx->arena, double, r->o->repeats);
	r->collective_s = SR_NEWS(r->ctx->arena, double, r->o->repeats);
	if (!l->spare)
		repeat(r);
	gather_times(r);
	enum sr_status result = sr_bind_results(l, &r->s.device, r->s.program, r->o, r->ctx->arena, diags);
	if (result && result != SR_DIFFERS)
		return result;
	status = sr_launch_agree(l, l->rank ? SR_OK : write_report(r, true), diags);
	if (!status && !l->rank)
		summary(r, true);
	if (!status && !l->rank && node.n)
		printf("  node: %s\n", sr_buf_string(&node));
	return status ? status : result;
}

static enum sr_status stages(struct run *r)
{
	enum sr_status status;
	if (r->o->ranks > 0 && !sr_launch_is_launched() && r->o->run) {
		status = r->o->ranks > 100000 ? sr_error(&r->ctx->diags, SR_USAGE, (struct sr_place){0}, "-n %lld is too many ranks", (long long)r->o->ranks)
					      : sr_launch_spawn((int)r->o->ranks, r->o->arguments, &r->ctx->diags);
		sr_diags_print(&r->ctx->diags, stderr);
		return status;
	}
	status = sr_launch_begin(&r->s.launch, &r->ctx->diags, r->o->allow_singleton);
	my_rank = r->s.launch.rank;
	if (status) {
		sr_diags_print(&r->ctx->diags, stderr);
		sr_launch_end(&r->s.launch);
		return status;
	}
	watch(r->o->timeout);
	status = r->o->run ? run_all(r) : plan_only(r);
	fflush(stdout);
	sr_session_close(&r->s);
	return status;
}

enum sr_status sr_run(const struct sr_run_options *options)
{
	struct run *r = calloc(1, sizeof *r);
	jmp_buf unwind;
	volatile enum sr_status status = SR_NO_MEMORY;
	if (!r)
		return SR_NO_MEMORY;
	r->o = options;
	r->ctx = sr_context_new();
	if (r->ctx && !setjmp(unwind)) {
		sr_arena_guard(r->ctx->arena, &unwind);
		r->s.ctx = r->ctx;
		r->s.model = options->model;
		sr_dialects_register(r->ctx);
		r->ctx->allow_unregistered = true;
		status = stages(r);
	} else {
		say("shardrun: error: out of memory\n");
		if (r->s.launch.mpi)
			sr_launch_abort(&r->s.launch, SR_NO_MEMORY, &r->ctx->diags);
	}
	sr_context_free(r->ctx);
	free(r);
	return status;
}

/* Before MPI is started, every rank sees the same wrong flag: the launcher's first speaks. */
bool sr_run_speaks(void)
{
	static const char *const ranks[] = {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "SLURM_PROCID"};
	for (size_t i = 0; i < sizeof ranks / sizeof *ranks; i++)
		if (sr_env(ranks[i]))
			return !strcmp(sr_env(ranks[i]), "0");
	return true;
}
