/* A whole run, stage by stage; after each stage all ranks agree on the status, so that one message is printed and nobody waits for ever. */
#include "exec/run.h"
#include "exec/bind.h"
#include "kernels/fast/fast.h"
#include "machine/machine.h"
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
	struct sr_launch launch;
	struct sr_compiled compiled;        /* rank 0 */
	const struct sr_program *program;   /* all ranks */
	struct sr_device device;
	struct sr_kernels *kernels;
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

/* ---- compile on rank 0, broadcast ---- */

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
	r->program = r->compiled.program;
	return status;
}

static void mesh_text(const struct run *r, struct sr_buf *out)
{
	const struct sr_mesh *mesh = r->compiled.mesh;
	for (int i = 0; mesh && i < mesh->n_axes; i++)
		sr_buf_printf(out, "%s%s=%lld", i ? ", " : "", mesh->axes[i].name, (long long)mesh->axes[i].size);
	if (!mesh)
		sr_buf_puts(out, "none");
}

/* Enough ranks for the program's devices; rank 0 says what to do where not. */
static enum sr_status check_ranks(struct run *r)
{
	struct sr_buf mesh;
	int n = r->program->n_devices, size = r->launch.size;
	if (size >= n)
		return SR_OK;
	sr_buf_init(&mesh, r->ctx->arena);
	mesh_text(r, &mesh);
	return sr_error(&r->ctx->diags, SR_USAGE, (struct sr_place){.file = r->o->model},
			"the program needs %d devices (mesh %s%s), but %d rank%s started; use `mpirun -np %d shardrun ...` or `shardrun -n %d ...`", n,
			sr_buf_string(&mesh), r->program->n_replicas > 1 ? ", and replicas" : "", size, size == 1 ? " was" : "s were", n, n);
}

/* Collective on all ranks: the program from rank 0 to everybody, checked there. */
static enum sr_status share(struct run *r)
{
	uint64_t bytes = r->launch.rank ? 0 : r->program->bytes;
	const char *message;
	void *blob;
	sr_launch_broadcast(&r->launch, &bytes, sizeof bytes);
	blob = r->launch.rank ? sr_alloc(r->ctx->arena, bytes, 1) : (void *)(uintptr_t)r->program;
	sr_launch_broadcast(&r->launch, blob, bytes);
	r->program = blob;
	if (sr_program_check(r->program, bytes, &message))
		return sr_error(&r->ctx->diags, SR_INTERNAL, (struct sr_place){.file = r->o->model}, "the compiled program is broken: %s", message);
	return SR_OK;
}

/* ---- the machine ---- */

/* Collective on all ranks: threads for BLAS, and whether the program fits before anything is allocated. */
static enum sr_status settle_in(struct run *r)
{
	int here = sr_launch_per_node(&r->launch), n = r->program->n_devices;
	struct sr_machine_question q = {.ranks_per_node = here < n ? here : n};
	struct sr_machine machine = sr_machine_unknown;
	struct sr_machine_node node;
	int64_t needed;
	if (sr_machine_look(&q, &node))
		return SR_OK; /* nothing is known: nothing is refused */
	sr_machine_fill(&q, &node, &machine);
	sr_fast_set_threads(sr_machine_threads(&machine));
	if (r->o->verbose && !r->launch.rank) {
		struct sr_buf buf;
		sr_buf_init(&buf, r->ctx->arena);
		sr_machine_print(&q, &node, &machine, &buf);
		printf("node: %s\n", sr_buf_string(&buf));
	}
	if (sr_add_overflows(r->program->arena_bytes, r->program->scratch_bytes, &needed))
		needed = INT64_MAX;
	if (r->launch.spare || !machine.memory_per_rank || needed <= machine.memory_per_rank)
		return SR_OK;
	return sr_error(&r->ctx->diags, SR_NO_MEMORY, (struct sr_place){.file = r->o->model},
			"a device needs %lld bytes, but this node has %lld for each rank (%d here); use more nodes, or fewer ranks on each", (long long)needed,
			(long long)machine.memory_per_rank, q.ranks_per_node);
}

/* ---- load and run ---- */

static enum sr_status load(struct run *r)
{
	struct sr_device *d = &r->device;
	struct sr_selection *selection = NULL;
	const char *message = NULL;
	enum sr_status status = sr_selection_parse(r->ctx->arena, r->o->selection, &selection, &message);
	if (status)
		return sr_error(&r->ctx->diags, SR_USAGE, (struct sr_place){0}, "--collectives: %s", message);
	r->kernels = SR_NEW(r->ctx->arena, struct sr_kernels);
	sr_kernels_init(r->kernels);
	sr_kernels_fast_init(r->kernels);
	*d = (struct sr_device){.program = r->program, .id = r->launch.rank, .kernels = r->kernels};
	if (r->launch.comm) {
		int *ranks = SR_NEWS(r->ctx->arena, int, r->program->n_devices);
		for (int i = 0; i < r->program->n_devices; i++)
			ranks[i] = i;
		status = sr_transport_open_mpi(r->ctx->arena, r->launch.comm, ranks, r->program->n_devices, selection, &d->transport);
		if (status)
			return sr_error(&r->ctx->diags, status, (struct sr_place){0}, "the MPI transport cannot be opened");
	}
	status = sr_device_load(d, r->ctx->arena, &r->ctx->diags);
	return status ? status : sr_bind_arguments(d, r->o, r->ctx->arena, &r->ctx->diags);
}

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
	struct sr_device *d = &r->device;
	for (int64_t i = -r->o->warmup; i < r->o->repeats; i++) {
		sr_launch_barrier(&r->launch);
		double start = sr_now();
		enum sr_status status = sr_device_step(d);
		if (status) {
			const struct sr_step *s = d->current >= 0 ? sr_program_steps(r->program) + d->current : NULL;
			(void)sr_error(&r->ctx->diags, status, (struct sr_place){.file = r->o->model}, "device %lld failed in %s at %s", (long long)d->id,
				       s ? sr_program_string(r->program, s->op) : "a step", s ? sr_program_string(r->program, s->place) : "");
			sr_launch_abort(&r->launch, status, &r->ctx->diags);
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
	int64_t n = r->o->repeats, size = r->launch.size;
	struct rusage usage;
	getrusage(RUSAGE_SELF, &usage);
	int64_t mine = (int64_t)usage.ru_maxrss * 1024, *rss = SR_NEWS(r->ctx->arena, int64_t, size);
	double *steps = SR_NEWS(r->ctx->arena, double, n * size), *collectives = SR_NEWS(r->ctx->arena, double, n * size);
	sr_launch_gather(&r->launch, &mine, rss, sizeof mine);
	sr_launch_gather(&r->launch, r->step_s, steps, (uint64_t)n * sizeof *steps);
	sr_launch_gather(&r->launch, r->collective_s, collectives, (uint64_t)n * sizeof *collectives);
	if (r->launch.rank)
		return;
	double *wait = SR_NEWS(r->ctx->arena, double, n), *compute = SR_NEWS(r->ctx->arena, double, n);
	r->rss_min = r->rss_max = mine;
	for (int64_t k = 0; k < r->program->n_devices; k++) {
		r->rss_min = rss[k] < r->rss_min ? rss[k] : r->rss_min;
		r->rss_max = rss[k] > r->rss_max ? rss[k] : r->rss_max;
	}
	for (int64_t i = 0; i < n; i++) {
		int64_t slow = 0;
		double least = collectives[i];
		for (int64_t k = 1; k < r->program->n_devices; k++) {
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
	const struct sr_program *p = r->program;
	sr_buf_init(&buf, r->ctx->arena);
	sr_buf_puts(&buf, "shardrun: mesh ");
	mesh_text(r, &buf);
	sr_buf_printf(&buf, "; %d device%s, %d rank%s", p->n_devices, p->n_devices == 1 ? "" : "s", r->launch.size, r->launch.size == 1 ? "" : "s");
	if (r->launch.size > p->n_devices && ran)
		sr_buf_printf(&buf, " (%d idle)", r->launch.size - p->n_devices);
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
	if (!r->launch.rank) {
		status = compile(r);
		if (!status)
			status = write_report(r, false);
		if (!status)
			summary(r, false);
	}
	return sr_launch_agree(&r->launch, status, &r->ctx->diags);
}

static enum sr_status run_all(struct run *r)
{
	struct sr_launch *l = &r->launch;
	struct sr_diags *diags = &r->ctx->diags;
	enum sr_status status = SR_OK;
	if (!l->rank) {
		status = compile(r);
		status = status ? status : check_ranks(r);
		status = status ? status : sr_bind_check(r->program, r->o, r->ctx->arena, diags);
	}
	status = sr_launch_agree(l, status, diags);
	if (!status)
		status = sr_launch_agree(l, share(r), diags);
	if (!status)
		status = sr_launch_agree(l, sr_launch_devices(l, r->program->n_devices), diags);
	if (!status)
		status = sr_launch_agree(l, settle_in(r), diags);
	if (!status)
		status = sr_launch_agree(l, l->spare ? SR_OK : load(r), diags);
	if (status)
		return status;
	r->step_s = SR_NEWS(r->ctx->arena, double, r->o->repeats);
	r->collective_s = SR_NEWS(r->ctx->arena, double, r->o->repeats);
	if (!l->spare)
		repeat(r);
	gather_times(r);
	enum sr_status result = sr_bind_results(l, &r->device, r->program, r->o, r->ctx->arena, diags);
	if (result && result != SR_DIFFERS)
		return result;
	status = sr_launch_agree(l, l->rank ? SR_OK : write_report(r, true), diags);
	if (!status && !l->rank)
		summary(r, true);
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
	status = sr_launch_begin(&r->launch, &r->ctx->diags, r->o->allow_singleton);
	my_rank = r->launch.rank;
	if (status) {
		sr_diags_print(&r->ctx->diags, stderr);
		sr_launch_end(&r->launch);
		return status;
	}
	watch(r->o->timeout);
	status = r->o->run ? run_all(r) : plan_only(r);
	fflush(stdout);
	if (r->device.transport)
		sr_transport_close(r->device.transport);
	sr_device_unload(&r->device);
	sr_launch_end(&r->launch);
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
		sr_dialects_register(r->ctx);
		r->ctx->allow_unregistered = true;
		status = stages(r);
	} else {
		say("shardrun: error: out of memory\n");
		if (r->launch.mpi)
			sr_launch_abort(&r->launch, SR_NO_MEMORY, &r->ctx->diags);
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
