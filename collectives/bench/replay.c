/* --replay: run a program's collectives one after another, in the program's order, with the same groups, algorithms and memory
 * as its executions, and no computation between them. Before the measurement each result is compared with the exact result. */
#include "collectives/bench/bench.h"
#include "dialect/ops.h"
#include "driver/driver.h"
#include "run/executable.h"
#include <string.h>

struct call {
	const struct sr_instr *instr;
	struct sr_prepared_collective *prepared; /* NULL if this rank takes no part in the collective */
	void *in, *out;
	double *rank_seconds;                 /* seconds of each measured call on this rank; length: options.iters */
	int64_t times; /* calls of the collective per execution of the program; a loop of unknown trip count counts once */
	/* Results of measuring this collective: wrong elements, and times. */
	int64_t n_wrong;
	double seconds, percentiles[BENCH_PERCENTILES];
};

struct replay {
	struct bench *bench;
	struct sr_context *ctx; /* context of the program's module; only on rank 0 */
	const struct sr_program *program;
	struct sr_client client;
	struct sr_executable executable;
	SR_VEC(struct call) calls;
};

/* Print the messages of the first rank that has an error, before any rank exits. */
static void report_messages(void *data, enum sr_status status, const struct sr_diags *diags)
{
	(void)data, (void)status;
	if (diags)
		sr_diags_print(diags, stderr);
	fflush(stderr);
}

static enum sr_status read_program(struct replay *r)
{
	const char *path = r->bench->options.replay, *text, *message;
	struct sr_compile_options options = {.partition = SR_PARTITION_CHEAP};
	struct sr_compiled compiled;
	size_t n;
	enum sr_status status = sr_read_file(r->ctx, path, 0, &text, &n);
	if (status != SR_OK)
		return status;
	if (!sr_program_has_magic(text, n)) {
		status = sr_compile(r->ctx, path, text, n, &options, &compiled);
		r->program = compiled.program;
		return status;
	}
	status = sr_program_load(text, n, &r->program, &message);
	return status ? sr_error(&r->ctx->diags, status, (struct sr_src_loc){.file = path}, "%s", message) : SR_OK;
}

/* ---- the program's collectives ---- */

/* Append the collectives of a function that is executed `times` times, in the order of its instructions. */
static void find_calls(struct replay *r, int64_t computation, int64_t times)
{
	const struct sr_program *p = r->program;
	const struct sr_computation *range = sr_program_computations(p) + computation;
	const struct sr_device *d = r->executable.devices;
	for (uint64_t i = range->first; i < (uint64_t)range->first + range->n; i++) {
		const struct sr_instr *instr = sr_program_instrs(p) + i;
		const void *params = sr_program_params(p) + instr->params;
		if (instr->kind == SR_INSTR_COLLECTIVE) {
			struct call call = {.instr = instr, .times = times};
			call.rank_seconds = SR_NEW_ARRAY(r->bench->arena, double, r->bench->options.iterations);
			if (!sr_executable_is_idle(&r->executable) && d->own[i].collective) {
				const int32_t *operands = sr_program_operands(p) + instr->first_operand;
				call.prepared = d->own[i].collective;
				call.in = d->arena + sr_program_buffers(p)[operands[0]].offset;
				call.out = d->arena + sr_program_buffers(p)[operands[1]].offset;
			}
			sr_push(r->bench->arena, &r->calls, call);
		} else if (instr->kind == SR_INSTR_WHILE) {
			const struct sr_while_instr *w = params;
			int64_t trips = w->trips < 0 ? 1 : w->trips;
			find_calls(r, w->cond, times * (trips + 1));
			find_calls(r, w->body, times * trips);
		} else if (instr->kind == SR_INSTR_CASE) {
			const struct sr_case_instr *c = params;
			for (int32_t k = 0; k < c->n; k++)
				find_calls(r, c->first + k, times);
		}
	}
}

/* ---- execution ---- */

static enum sr_status run_call(const struct call *c)
{
	enum sr_status status = c->prepared ? sr_collective_start(c->prepared, c->in, c->out) : SR_OK;
	if (c->prepared && status == SR_OK)
		status = sr_collective_wait(c->prepared);
	return c->prepared && status == SR_OK ? sr_collective_release(c->prepared) : status;
}

static enum sr_status verify_calls(struct replay *r)
{
	enum sr_status status = SR_OK;
	for (size_t k = 0; k < r->calls.n && status == SR_OK; k++) {
		struct call *c = &r->calls.data[k];
		const struct sr_coll_call *call = c->prepared ? sr_collective_call(c->prepared) : NULL;
		if (call && !call->in_place)
			memset(c->out, 0x5a, (size_t)sr_coll_layout_extent(&call->form[SR_OUT], sr_coll_out_bytes(call)));
		if (call)
			bench_fill(call, c->in);
		status = run_call(c);
		c->n_wrong = call && status == SR_OK ? bench_count_wrong(call, c->out) : 0;
		MPI_Allreduce(MPI_IN_PLACE, &c->n_wrong, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
	}
	return status;
}

static enum sr_status measure_calls(struct replay *r)
{
	const struct options *o = &r->bench->options;
	bool is_idle = sr_executable_is_idle(&r->executable);
	enum sr_status status = SR_OK;
	for (int64_t i = -o->warmup; i < o->iterations && status == SR_OK; i++) {
		if (!is_idle)
			sr_executable_barrier(&r->executable);
		double call_start = MPI_Wtime();
		for (size_t k = 0; k < r->calls.n && status == SR_OK; k++) {
			status = run_call(&r->calls.data[k]);
			double now = MPI_Wtime();
			if (i >= 0)
				r->calls.data[k].rank_seconds[i] = r->calls.data[k].prepared ? now - call_start : 0;
			call_start = now;
		}
	}
	return status;
}

/* Collective on all ranks: reduce the times of each call to those of the slowest rank. */
static void gather_times(struct replay *r)
{
	int64_t n = r->bench->options.iterations;
	for (size_t k = 0; k < r->calls.n; k++) {
		struct call *c = &r->calls.data[k];
		bench_percentiles_of(c->rank_seconds, n, c->percentiles);
		for (int64_t i = 0; i < n; i++)
			c->seconds += c->rank_seconds[i] / (double)n;
	}
}

/* ---- output on rank 0 ---- */

static double execution_seconds(const struct replay *r)
{
	double sum = 0;
	for (size_t k = 0; k < r->calls.n; k++)
		sum += r->calls.data[k].seconds * (double)r->calls.data[k].times;
	return sum;
}

static int64_t count_wrong(const struct replay *r)
{
	int64_t n_wrong = 0;
	for (size_t k = 0; k < r->calls.n; k++)
		n_wrong += r->calls.data[k].n_wrong;
	return n_wrong;
}

struct call_description {
	const char *collective, *type, *operation, *algorithm, *location;
	int members;
	int64_t bytes, count;
};

/* Describe a call. If rank 0 is in no group of the call, its size is taken from the operands. */
static struct call_description describe_call(const struct replay *r, const struct call *c)
{
	const struct sr_program *p = r->program;
	const struct sr_collective_instr *params = (const void *)(sr_program_params(p) + c->instr->params);
	const struct sr_coll_call *call = c->prepared ? sr_collective_call(c->prepared) : NULL;
	const int32_t *operands = sr_program_operands(p) + c->instr->first_operand;
	int64_t in = sr_program_buffers(p)[operands[0]].bytes, out = sr_program_buffers(p)[operands[1]].bytes;
	struct call_description w = {.collective = sr_coll_name((enum sr_coll)params->coll),
			  .type = bench_type_name((enum sr_dtype)c->instr->dtype),
			  .operation = "none",
			  .algorithm = call ? sr_collective_algorithm(c->prepared) : "",
			  .location = sr_program_string(p, c->instr->place),
			  .members = call ? call->n : 0,
			  .bytes = in > out ? in : out,
			  .count = params->count};
	static const char *const operations[SR_MONOID_COUNT] = {
		[SR_MONOID_ADD] = "sum", [SR_MONOID_MUL] = "prod", [SR_MONOID_MIN] = "min", [SR_MONOID_MAX] = "max",
		[SR_MONOID_AND] = "and", [SR_MONOID_OR] = "or",	   [SR_MONOID_XOR] = "xor"};
	if (params->coll == SR_ALL_REDUCE || params->coll == SR_REDUCE_SCATTER)
		w.operation = operations[params->monoid];
	return w;
}

static void print_head(const struct replay *r)
{
	const struct options *o = &r->bench->options;
	printf("# shardbench version %s\n# Replaying: %s, %zu collectives\n", PACKAGE_VERSION, o->replay, r->calls.n);
	printf("# ranks %d devices %d warmup iters: %lld iters: %lld\n#\n", r->bench->ranks, r->program->n_devices,
	       (long long)o->warmup, (long long)o->iterations);
	printf("# %14s  %12s  %12s  %8s  %6s  %7s  %18s  %6s  %8s", "collective", "size (B)", "count", "type", "redop", "members",
	       "algorithm", "calls", "time(us)");
	for (int k = 0; k < BENCH_PERCENTILES && o->percentiles; k++)
		printf("  %5sp%d", "", bench_percentiles[k]);
	printf("  %6s  at\n", "#wrong");
}

static void print_call(const struct replay *r, const struct call *c)
{
	struct call_description w = describe_call(r, c);
	printf("  %14s  %12lld  %12lld  %8s  %6s  %7d  %18s  %6lld", w.collective, (long long)w.bytes, (long long)w.count, w.type,
	       w.operation, w.members, w.algorithm, (long long)c->times);
	bench_print_us(c->seconds);
	for (int k = 0; k < BENCH_PERCENTILES && r->bench->options.percentiles; k++)
		bench_print_us(c->percentiles[k]);
	printf("  %6lld  %s\n", (long long)c->n_wrong, w.location);
}

static void print_table(const struct replay *r)
{
	print_head(r);
	for (size_t k = 0; k < r->calls.n; k++)
		print_call(r, &r->calls.data[k]);
	printf("# All calls of an execution: %.2f us\n", execution_seconds(r) * 1e6);
	printf("# Out of bounds values : %lld %s\n", (long long)count_wrong(r), count_wrong(r) ? "FAILED" : "OK");
}

static void write_call(struct sr_json *json, const struct replay *r, const struct call *c)
{
	struct call_description w = describe_call(r, c);
	sr_json_open(json, NULL, '{');
	sr_json_string(json, "collective", w.collective);
	sr_json_int(json, "size", w.bytes);
	sr_json_int(json, "count", w.count);
	sr_json_string(json, "type", w.type);
	sr_json_string(json, "redop", w.operation);
	sr_json_int(json, "members", w.members);
	sr_json_string(json, "algorithm", w.algorithm);
	sr_json_int(json, "calls", c->times);
	sr_json_double(json, "time", c->seconds * 1e6);
	bench_write_percentiles(json, r->bench, c->percentiles);
	sr_json_int(json, "nwrong", c->n_wrong);
	sr_json_string(json, "place", w.location);
	sr_json_close(json);
}

static void write_results(const struct replay *r, struct sr_buf *buf)
{
	struct sr_json json;
	sr_buf_init(buf, r->bench->arena);
	sr_json_init(&json, buf);
	sr_json_open(&json, NULL, '{');
	sr_json_string(&json, "version", PACKAGE_VERSION);
	sr_json_string(&json, "program", r->bench->options.replay);
	sr_json_int(&json, "ranks", r->bench->ranks);
	sr_json_int(&json, "devices", r->program->n_devices);
	sr_json_int(&json, "iters", r->bench->options.iterations);
	sr_json_int(&json, "warmup_iters", r->bench->options.warmup);
	sr_json_open(&json, "results", '[');
	for (size_t k = 0; k < r->calls.n; k++)
		write_call(&json, r, &r->calls.data[k]);
	sr_json_close(&json);
	sr_json_double(&json, "execution_time", execution_seconds(r) * 1e6);
	sr_json_int(&json, "nwrong", count_wrong(r));
	sr_json_close(&json);
	sr_buf_putc(buf, '\n');
}

static enum sr_status report_results(const struct replay *r)
{
	const struct options *o = &r->bench->options;
	struct sr_buf buf;
	write_results(r, &buf);
	if (o->json)
		sr_buf_write(&buf, stdout);
	else
		print_table(r);
	return o->output_file ? bench_write_file(r->bench, o->output_file, &buf) : SR_OK;
}

/* ---- entry point ---- */

static enum sr_status open_program(struct replay *r)
{
	struct bench *b = r->bench;
	struct sr_launch *l = &r->client.launch;
	struct sr_client_options client = {
		.selection = b->options.collectives, .threads = 1, .features = UINT64_MAX};
	struct sr_executable_options options = {.model = b->options.replay};
	enum sr_status status = sr_launch_join(l, NULL, b->diags);
	l->report = report_messages;
	if (status == SR_OK)
		status = sr_client_open(&r->client, &client, b->arena, b->diags);
	if (status != SR_OK)
		return status;
	if (!l->rank)
		status = read_program(r);
	status = sr_launch_agree(l, status, r->ctx ? &r->ctx->diags : b->diags);
	if (status == SR_OK)
		status = sr_executable_open(&r->executable, &r->client, r->program, &options, b->arena, b->diags);
	r->program = r->executable.program;
	return status;
}

static enum sr_status replay(struct replay *r)
{
	enum sr_status status = open_program(r);
	if (status != SR_OK)
		return status;
	find_calls(r, 0, 1);
	status = verify_calls(r);
	if (status == SR_OK)
		status = measure_calls(r);
	if (status != SR_OK) {
		struct sr_transport *t = r->executable.device_set->transport;
		sr_error(r->bench->diags, status, (struct sr_src_loc){0}, "%s", t ? sr_transport_failure(t) : "a collective fails");
		sr_launch_abort(&r->client.launch, status, r->bench->diags);
		return status;
	}
	gather_times(r);
	status = sr_launch_agree(&r->client.launch, r->bench->rank ? SR_OK : report_results(r), r->bench->diags);
	return status == SR_OK && count_wrong(r) ? SR_DIFFERS : status;
}

enum sr_status bench_replay(struct bench *b)
{
	struct replay r = {.bench = b};
	jmp_buf *unwind = b->unwind;
	if (!b->rank && !(r.ctx = sr_context_new()))
		return SR_NO_MEMORY;
	if (r.ctx) {
		sr_arena_guard(r.ctx->arena, unwind);
		sr_dialects_register(r.ctx);
		r.ctx->allow_unregistered = true;
	}
	enum sr_status status = replay(&r);
	sr_executable_close(&r.executable);
	sr_client_close(&r.client);
	sr_launch_end(&r.client.launch);
	sr_context_free(r.ctx);
	b->diags->n_errors = 0; /* the error messages have been printed */
	sr_diags_clear(b->diags);
	return status;
}
