/* Implementation of --verify: compare the results and every value of a module on all devices with those of the same module on one
 * device. */
#include "exec/probes/verify.h"
#include "exec/abort.h"
#include "exec/progress.h"
#include "exec/probes/rounding.h"
#include "exec/probes/spool.h"
#include "exec/values/bind.h"
#include "exec/values/check_ops.h"
#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { MAX_REPORTED = 10 }; /* maximum number of differing ops that are reported */
/* A result that differs counts as rounded differently if its difference is at most this many times the difference of the program
 * with probes or, if that program's result does not differ, this many times the tolerance. */
enum { ROUNDING_MARGIN = 32 };

enum verify_request { DONE, VALUE, RESULT, RESULT_WITH_PROBES };
struct request { /* request that rank 0 broadcasts to all ranks */
	int64_t request; /* what the ranks shall do next, an enum verify_request */
	int64_t result;
	struct sr_probe_event at;
};

struct verification { /* state of --verify on each rank */
	const struct sr_verification *v;
	struct sr_executable shared_executable; /* program for all devices with probes, already executed once */
	struct sr_arrays values;     /* arguments and results of `shared_executable` */
	struct sr_spool spool;       /* values that the probes of `shared_executable` inspected */
};

struct finding { /* an op whose value on the mesh differs from the value on one device */
	const struct sr_probe *probe; /* probe in the program for all devices */
	struct sr_probe_event at;
	int64_t n_differing, elements, device, index[SR_MAX_RANK];
	/* difference of the worst element divided by its rounding bound; device, index, actual and expected describe that element
	 */
	double excess;
	unsigned char actual[16], expected[16];
};

struct side_by_side { /* state of the comparison on rank 0 */
	struct verification *own;
	const struct sr_verification *v;
	struct sr_arena *arena;
	bool replaces_values; /* true in the second step: each value is replaced by the value of all devices after the comparison */
	double *max_magnitude;   /* for each probe id: largest magnitude in the last value compared */
	struct finding findings[MAX_REPORTED];
	int n_findings;
	int64_t values;
	struct differing { /* first result that differs, and first result that differs only by accumulated rounding */
		struct sr_comparison c;
		int result; /* index of the result; -1: none */
	} first_difference, rounding;
	struct element { /* state of the comparison of one value, element by element */
		const struct sr_program *p;
		const struct sr_io *io;
		const struct sr_device_slice *slice;
		struct sr_rounding rounding;
		const char *actual, *expected; /* a device's shard; the global value of the program for one device */
		/* buffer in which the global value is assembled from the shards; NULL: another device owns this shard's elements */
		char *global_value;
		struct finding *finding;
		int64_t device;
	} e;
};

/* ---- values of the devices ---- */

/* Collective: gather the requested value on rank 0. Each device sends its entire buffer; returns the shards of all devices one
 * after another. */
static char *gather_shards(const struct verification *own, const struct request *r, struct sr_arena *arena, enum sr_status *status)
{
	const struct sr_arrays *a = r->request == RESULT ? own->v->run : &own->values;
	const struct sr_executable *e = a->e;
	const struct sr_program *p = e->program;
	const struct sr_io *io = r->request == VALUE ? &sr_probe_find(p, r->at.id)->io : sr_program_result(p, r->result);
	size_t bytes = (size_t)sr_program_buffers(p)[io->buffer].bytes;
	char *own_shards = sr_alloc(arena, bytes, (size_t)e->n_devices + 1);
	for (int k = 0; k < e->n_devices; k++) {
		char *to = own_shards + (size_t)k * bytes;
		if (r->request != VALUE) {
			memcpy(to, sr_arrays_result(a, (int)r->result, k), bytes);
			continue;
		}
		const struct sr_spool_record *record = sr_spool_find(&own->spool, k, &r->at);
		enum sr_status read_status = record ? sr_spool_read(&own->spool, k, record, to, &own->v->ctx->diags) : SR_INTERNAL;
		*status = *status ? *status : read_status;
	}
	return sr_executable_gather(e, arena, own_shards, bytes);
}

static enum sr_status answer_requests(const struct verification *own)
{
	struct sr_arena *scratch = sr_arena_scratch(own->v->ctx->arena);
	enum sr_status status = SR_OK;
	for (;;) {
		struct request r;
		struct sr_arena_position mark = sr_arena_mark(scratch);
		sr_launch_broadcast(&own->shared_executable.client->launch, &r, sizeof r);
		if (r.request == DONE)
			return status;
		gather_shards(own, &r, scratch, &status);
		sr_arena_release(scratch, mark);
	}
}

/* On rank 0: request a value from all ranks and return the shards of all devices. */
static char *request_value(struct side_by_side *s, struct request r, enum sr_status *status)
{
	sr_launch_broadcast(&s->own->shared_executable.client->launch, &r, sizeof r);
	return gather_shards(s->own, &r, s->arena, status);
}

/* ---- one value ---- */

static void compare_row(void *data, int64_t first, int64_t n)
{
	struct side_by_side *s = data;
	struct element *e = &s->e;
	const struct sr_io *io = e->io;
	const int64_t *shape = sr_program_ids(e->p) + io->shape;
	int64_t index[SR_MAX_RANK], at = 0, item = sr_dtype_bytes((enum sr_dtype)io->dtype);
	sr_probe_global_index(e->slice, io->rank, first, index);
	for (int d = 0; d < io->rank; d++)
		at = at * shape[d] + index[d];
	if (e->global_value)
		memcpy(e->global_value + at * item, e->actual + first * item, (size_t)(n * item));
	for (int64_t i = 0; e->finding && i < n; i++) {
		const char *actual = e->actual + (first + i) * item, *expected = e->expected + (at + i) * item;
		double rounding_excess = sr_rounding_excess(&e->rounding, (enum sr_dtype)io->dtype, actual, expected);
		e->finding->n_differing += rounding_excess > 1;
		if (!(rounding_excess > 1) || !(rounding_excess > e->finding->excess))
			continue;
		e->finding->excess = rounding_excess;
		e->finding->device = e->device;
		sr_probe_global_index(e->slice, io->rank, first + i, e->finding->index);
		memcpy(e->finding->actual, actual, (size_t)item);
		memcpy(e->finding->expected, expected, (size_t)item);
	}
}

/* Compare every device's shard of the value s->e.io with the global value `expected`. `global_value`, if not NULL, receives the
 * global value assembled from the shards. */
static void compare_shards(struct side_by_side *s, const char *shards, const char *expected, char *global_value,
			   struct finding *finding)
{
	const struct sr_program *p = s->e.p;
	const struct sr_io *io = s->e.io;
	for (int64_t device = 0; device < p->n_devices; device++) {
		struct sr_device_slice slice = sr_program_slice(p, io, device);
		s->e.slice = &slice;
		s->e.actual = shards + device * sr_program_buffers(p)[io->buffer].bytes;
		s->e.expected = expected;
		s->e.global_value = sr_program_is_first_holder(p, io, device) ? global_value : NULL;
		s->e.finding = finding;
		s->e.device = device;
		sr_probe_for_each_row(&slice, io->rank, compare_row, s);
	}
}

static double largest_of(enum sr_dtype type, const char *data, int64_t bytes)
{
	double max_magnitude = 0;
	for (int64_t at = 0; at < bytes; at += sr_dtype_bytes(type)) {
		double re = 0, im = 0;
		int64_t i = 0;
		sr_element_get(type, data + at, &i, &re, &im);
		if (sr_dtype_is_integer(type))
			re = (double)i;
		if (isfinite(re) && isfinite(im))
			max_magnitude = fmax(max_magnitude, hypot(re, im));
	}
	return max_magnitude;
}

/* Return an upper bound of the magnitude of a term in the op's sum; 0 if the operands' magnitudes are unknown. */
static double largest_term(const struct side_by_side *s, const struct sr_probe *probe)
{
	const int64_t *sources = sr_program_ids(s->own->shared_executable.program) + probe->sources;
	double product = probe->n_sources ? 1 : 0;
	for (int i = 0; i < probe->n_sources; i++)
		product *= s->max_magnitude[sources[i]];
	return product;
}

static void compare_op(struct side_by_side *s, const struct sr_probe *probe, const struct sr_probe_event *at, const char *shards,
		       const char *expected, int64_t bytes, char *global_value)
{
	enum sr_dtype type = (enum sr_dtype)probe->io.dtype;
	struct finding found_difference = {.probe = probe, .at = *at, .elements = bytes / sr_dtype_bytes(type)};
	bool is_manual = probe->flags & SR_PROBE_MANUAL;
	s->e = (struct element){.p = s->own->shared_executable.program, .io = &probe->io};
	s->e.rounding = sr_rounding_of(probe, largest_of(type, expected, bytes), largest_term(s, probe));
	compare_shards(s, shards, expected, global_value, is_manual ? NULL : &found_difference);
	s->max_magnitude[probe->id] = largest_of(type, global_value, bytes);
	s->values += !is_manual;
	if (found_difference.n_differing && s->n_findings < MAX_REPORTED)
		s->findings[s->n_findings++] = found_difference;
}

/* Compare result i of the program that runs, or of the program with probes (`request`), with the result of the program for one
 * device. */
static enum sr_status compare_result(struct side_by_side *s, int i, enum verify_request request, const char *expected,
				     const struct sr_tolerances *tolerances, struct sr_comparison *c)
{
	const struct sr_program *p = request == RESULT ? s->v->run->e->program : s->own->shared_executable.program;
	const struct sr_io *io = sr_program_result(p, i);
	enum sr_dtype type = (enum sr_dtype)io->dtype;
	const int64_t *shape = sr_program_ids(p) + io->shape, start[SR_MAX_RANK] = {0};
	int64_t bytes = sr_dtype_bytes(type);
	enum sr_status status = SR_OK;
	struct sr_arena_position mark = sr_arena_mark(s->arena);
	const char *shards = request_value(s, (struct request){.request = request, .result = i}, &status);
	for (int d = 0; d < io->rank; d++)
		bytes *= shape[d];
	char *value = sr_alloc(s->arena, (size_t)bytes + 1, 1);
	s->e = (struct element){.p = p, .io = io};
	compare_shards(s, shards, expected, value, NULL);
	*c = (struct sr_comparison){0};
	sr_compare_values(type, value, expected, shape, start, shape, NULL, io->rank, tolerances, c);
	sr_arena_release(s->arena, mark);
	return status;
}

static struct sr_tolerances widen_tolerances(struct sr_tolerances t)
{
	double *const tolerance_fields[] = {&t.f8, &t.f16, &t.bf16, &t.f32, &t.f64, &t.rtol};
	for (size_t i = 0; i < sizeof tolerance_fields / sizeof *tolerance_fields; i++)
		*tolerance_fields[i] *= ROUNDING_MARGIN;
	return t;
}

/* Compare all results after the first step. A result differs only by accumulated rounding if the program with probes differs as
 * well, or if the difference is small. */
static enum sr_status compare_results(struct side_by_side *s, const struct sr_arrays *one_device_arrays)
{
	const struct sr_tolerances *base_tolerances = &s->v->o->tolerances, wide_tolerances = widen_tolerances(*base_tolerances);
	enum sr_status status = SR_OK;
	for (int i = 0; !status && i < one_device_arrays->e->program->n_results; i++) {
		const char *expected = sr_arrays_result(one_device_arrays, i, 0);
		struct sr_comparison run, with_probes, wide_comparison = {0};
		status = compare_result(s, i, RESULT, expected, base_tolerances, &run);
		if (status || !run.n_differing)
			continue;
		status = compare_result(s, i, RESULT_WITH_PROBES, expected, base_tolerances, &with_probes);
		if (!status && !with_probes.n_differing)
			status = compare_result(s, i, RESULT, expected, &wide_tolerances, &wide_comparison);
		bool is_rounding = with_probes.n_differing ? run.max_distance <= ROUNDING_MARGIN * with_probes.max_distance
							   : !wide_comparison.n_differing;
		struct differing *difference = is_rounding ? &s->rounding : &s->first_difference;
		if (difference->result < 0)
			*difference = (struct differing){run, i};
	}
	return status;
}

/* Probe callback of the program for one device, on rank 0: compare the value with the one of all devices. */
static enum sr_status compare_probe(void *data, struct sr_execution_context *x, const struct sr_instr *instr,
				    const struct sr_probe *one_device_probe)
{
	struct side_by_side *s = data;
	const int32_t *operands = sr_program_operands(x->program) + instr->first_operand;
	struct request r = {.request = VALUE, .at = sr_probe_event_now(x, one_device_probe)};
	const struct sr_probe *probe = sr_probe_find(s->own->shared_executable.program, one_device_probe->id);
	enum sr_status status = SR_OK;
	if (!probe || !sr_spool_find(&s->own->spool, 0, &r.at) || !(s->replaces_values || probe->flags & SR_PROBE_MANUAL))
		return SR_OK;
	struct sr_arena_position mark = sr_arena_mark(s->arena);
	int64_t bytes = sr_program_buffers(x->program)[operands[0]].bytes;
	const char *shards = request_value(s, r, &status);
	char *global_value = sr_alloc(s->arena, (size_t)bytes + 1, 1);
	if (!status) {
		compare_op(s, probe, &r.at, shards, sr_context_buffer(x, operands[0]), bytes, global_value);
		memcpy(sr_context_buffer(x, operands[1]), global_value, (size_t)bytes);
	}
	sr_arena_release(s->arena, mark);
	return status;
}

/* ---- report ---- */

static void describe_finding(const struct side_by_side *s, const struct finding *f, struct sr_buf *out)
{
	const struct sr_program *p = s->own->shared_executable.program;
	const struct sr_probe *probe = f->probe;
	enum sr_dtype type = (enum sr_dtype)probe->io.dtype;
	struct sr_device_slice slice = sr_program_slice(p, &probe->io, f->device);
	sr_probe_print(p, probe, out);
	sr_probe_print_iteration(&f->at, out);
	sr_buf_puts(out, " differs from one device with the same operands: element ");
	sr_probe_print_index(f->index, probe->io.rank, out);
	sr_buf_printf(out, " of %s is ", sr_program_string(p, probe->io.type));
	sr_print_number(out, type, f->actual);
	sr_buf_printf(out, " on device %" PRId64 ", which holds ", f->device);
	for (int d = 0; d < probe->io.rank; d++)
		sr_buf_printf(out, "%s%" PRId64 ":%" PRId64, d ? ", " : "[", slice.start[d], slice.start[d] + slice.size[d]);
	sr_buf_puts(out, probe->io.rank ? "] of it, and " : "all of it, and ");
	sr_print_number(out, type, f->expected);
	sr_buf_puts(out, " on one device");
	if (isfinite(f->excess))
		sr_buf_printf(out, ", %.3g times the rounding bound", f->excess);
	sr_buf_printf(out, "; %" PRId64 " element%s differ%s", f->n_differing, f->n_differing == 1 ? "" : "s",
		      f->n_differing == 1 ? "s" : "");
}

static const char *result_words(const struct side_by_side *s, const struct differing *d)
{
	const struct sr_program *p = s->v->run->e->program;
	const struct sr_io *io = sr_program_result(p, d->result);
	struct sr_buf out;
	sr_buf_init(&out, s->arena);
	sr_buf_printf(&out, "%s: ", sr_program_result_label(p, d->result, s->arena));
	sr_comparison_print(&out, (enum sr_dtype)io->dtype, io->rank, &d->c);
	return sr_buf_string(&out);
}

/* Report the differing results when no compared op differs. The cause is then accumulated rounding, an op that was not compared, or
 * another partitioning of the program without probes. */
static enum sr_status report_results(const struct side_by_side *s)
{
	const struct sr_verification *v = s->v;
	int64_t n_skipped = sr_spool_skipped(&s->own->spool);
	struct sr_src_loc file = {.file = v->o->model};
	if (s->first_difference.result >= 0)
		return sr_error(&v->ctx->diags, SR_DIFFERS, file,
				"--verify: %s; no op differs in the program with probes, which is partitioned otherwise",
				result_words(s, &s->first_difference));
	if (s->rounding.result >= 0 && n_skipped)
		return sr_error(&v->ctx->diags, SR_DIFFERS, file,
				"--verify: %s; no op differs in the first %lld iterations of a loop: --dump-iterations=N compares more",
				result_words(s, &s->rounding), (long long)v->o->dump_iterations);
	if (!v->o->out)
		return SR_OK;
	fprintf(v->o->out, "[SUCCESS] %" PRId64 " values equal those of one device within the rounding of their ops",
		s->values);
	if (n_skipped)
		fprintf(v->o->out, "; %" PRId64 " of later loop iterations were not compared", n_skipped);
	fputs(".\n", v->o->out);
	if (s->rounding.result >= 0)
		fprintf(v->o->out, "Rounding accumulates: %s\n", result_words(s, &s->rounding));
	return SR_OK;
}

static enum sr_status report_findings(const struct side_by_side *s)
{
	struct sr_diags *diags = &s->v->ctx->diags;
	const struct sr_program *p = s->own->shared_executable.program;
	struct sr_buf out;
	for (int i = 0; i < s->n_findings; i++) {
		struct sr_src_loc location = sr_probe_loc(p, s->findings[i].probe, s->arena);
		sr_buf_init(&out, s->arena);
		describe_finding(s, &s->findings[i], &out);
		sr_report(diags, i ? SR_NOTE : SR_ERROR, location, "%s%s", i ? "so does " : "--verify: ", sr_buf_string(&out));
	}
	if (s->n_findings)
		return SR_DIFFERS;
	return report_results(s);
}

/* ---- the runs ---- */

static enum sr_status run_step(const struct sr_verification *v, struct sr_arrays *a)
{
	sr_arrays_keep_donated(a);
	enum sr_status status = sr_bind_arguments(a, v->o, v->ctx->arena, &v->ctx->diags);
	return status ? status : sr_arrays_execute(a, false, &v->ctx->diags);
}

/* Collective: execute the program with probes once. */
static enum sr_status step_shared(struct verification *own, struct sr_checks *checks)
{
	const struct sr_verification *v = own->v;
	struct sr_launch *l = &v->run->e->client->launch;
	sr_progress_phase("running with probes");
	enum sr_status status = sr_spool_begin(&own->spool, &own->shared_executable, v->o->dump_iterations, v->ctx->arena,
					       &v->ctx->diags);
	*checks = (struct sr_checks){.ctx = v->ctx, .file = v->o->model, .probe = sr_spool_inspect, .probe_data = &own->spool};
	sr_checks_begin(checks, &own->shared_executable);
	if (!status)
		status = sr_arrays_open(&own->values, &own->shared_executable, v->ctx->arena, &v->ctx->diags);
	status = sr_launch_agree(l, status, &v->ctx->diags);
	if (status)
		return status;
	status = sr_executable_is_idle(&own->shared_executable) ? SR_OK : run_step(v, &own->values);
	if (status) /* abort the job: other ranks may be inside a collective */
		sr_abort_ranks(l, status, &v->ctx->diags);
	return SR_OK;
}

static enum sr_status step_on_one_device(struct verification *own, struct sr_executable *one, struct sr_arrays *a)
{
	const struct sr_verification *v = own->v;
	struct side_by_side s = {.own = own, .v = v, .arena = sr_arena_scratch(v->ctx->arena), .first_difference.result = -1,
				 .rounding.result = -1};
	struct sr_checks checks = {.ctx = v->ctx, .file = v->o->model, .probe = compare_probe, .probe_data = &s};
	s.max_magnitude = SR_NEW_ARRAY(v->ctx->arena, double, sr_probe_id_count(own->shared_executable.program) + 1);
	sr_checks_begin(&checks, one);
	sr_progress_phase("comparing results with one device's");
	enum sr_status status = sr_arrays_open(a, one, v->ctx->arena, &v->ctx->diags);
	if (!status)
		status = run_step(v, a);
	if (!status)
		status = compare_results(&s, a);
	sr_progress_phase("comparing values with one device's");
	s.replaces_values = true;
	s.values = s.n_findings = 0;
	if (!status)
		status = run_step(v, a);
	struct request done_request = {.request = DONE};
	sr_launch_broadcast(&own->shared_executable.client->launch, &done_request, sizeof done_request);
	sr_progress_stop();
	return status ? status : report_findings(&s);
}

static enum sr_status verify(struct verification *own, struct sr_executable *one, struct sr_arrays *one_device_arrays)
{
	const struct sr_verification *v = own->v;
	struct sr_launch *l = &v->run->e->client->launch;
	struct sr_executable_options options = {.model = v->o->model, .codegen = v->o->codegen, .ffi = v->o->ffi_kernels,
						.keeps_donated = true};
	struct sr_checks checks;
	struct sr_client *client = v->run->e->client;
	struct sr_arena *arena = v->ctx->arena;
	struct sr_diags *diags = &v->ctx->diags;
	enum sr_status status = sr_executable_open(&own->shared_executable, client, v->with_probes, &options, arena, diags);
	if (!status)
		status = step_shared(own, &checks);
	if (!status)
		status = sr_executable_open(one, client, v->one_device, &options, arena, diags);
	return status ? status
		      : sr_launch_agree(l, l->rank ? answer_requests(own) : step_on_one_device(own, one, one_device_arrays), diags);
}

enum sr_status sr_verification_run(struct sr_verification *v)
{
	struct verification local_state = {.v = v};
	struct sr_executable one_device_executable = {0};
	struct sr_arrays one_device_arrays = {0};
	enum sr_status status = verify(&local_state, &one_device_executable, &one_device_arrays);
	sr_spool_end(&local_state.spool);
	sr_arrays_close(&one_device_arrays);
	sr_arrays_close(&local_state.values);
	sr_executable_close(&one_device_executable);
	sr_executable_close(&local_state.shared_executable);
	return status;
}
