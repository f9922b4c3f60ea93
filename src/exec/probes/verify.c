/* A module on one device beside the same on all devices: its results, and value by value. */
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

enum { TOLD = 10 }; /* ops that differ, at most */
enum { MORE_ROUNDING = 32 }; /* times as far from one device's as with taps, or as is allowed, is not rounding any more */

enum wanted { NOTHING_MORE, VALUE, RESULT, TAPPED_RESULT };
struct request { /* of rank 0 */
	int64_t wanted; /* enum wanted */
	int64_t result;
	struct sr_probe_event at;
};

struct verification { /* each rank's */
	const struct sr_verification *v;
	struct sr_executable shared; /* with taps, after its step */
	struct sr_spool spool;       /* its values */
};

struct finding { /* an op that differs */
	const struct sr_probe *probe; /* the shared program's */
	struct sr_probe_event at;
	int64_t different, elements, device, index[SR_MAX_RANK];
	double excess; /* of the worst element, which these are of: */
	unsigned char actual[16], expected[16];
};

struct side_by_side { /* rank 0 */
	struct verification *own;
	const struct sr_verification *v;
	struct sr_arena *arena;
	bool forced;       /* take every value from the devices */
	double *largest;   /* [ids]: magnitude of what was compared last */
	struct finding findings[TOLD];
	int n_findings;
	int64_t values;
	struct differing { /* the first result of the program that differs; that differs by rounding that adds up */
		struct sr_comparison c;
		int result; /* -1: none */
	} differs, rounds;
	struct element { /* being compared */
		const struct sr_program *p;
		const struct sr_io *io;
		const struct sr_device_slice *slice;
		struct sr_rounding rounding;
		const char *actual, *expected; /* a device's part; the global value */
		char *into;                    /* the global value of the devices' parts; NULL: this part is another's too */
		struct finding *found;
		int64_t device;
	} e;
};

/* ---- what devices have ---- */

static const struct sr_io *result_io(const struct sr_program *p, int64_t i)
{
	return sr_program_values(p) + p->n_arguments + i;
}

/* Collective: the devices' shards of what is wanted, on rank 0 as many bytes of each device as its buffer has. */
static char *fetch(const struct verification *own, const struct request *r, struct sr_arena *arena, enum sr_status *status)
{
	const struct sr_executable *e = r->wanted == RESULT ? own->v->run : &own->shared;
	const struct sr_program *p = e->program;
	const struct sr_io *io = r->wanted == VALUE ? &sr_probe_find(p, r->at.id)->io : result_io(p, r->result);
	size_t bytes = (size_t)sr_program_buffers(p)[io->buffer].bytes;
	char *mine = sr_alloc(arena, bytes, (size_t)e->n_devices + 1);
	for (int k = 0; k < e->n_devices; k++) {
		char *to = mine + (size_t)k * bytes;
		if (r->wanted != VALUE) {
			memcpy(to, sr_device_buffer(&e->devices[k], io->buffer), bytes);
			continue;
		}
		const struct sr_spool_record *record = sr_spool_find(&own->spool, k, &r->at);
		enum sr_status one = record ? sr_spool_read(&own->spool, k, record, to, &own->v->ctx->diags) : SR_INTERNAL;
		*status = *status ? *status : one;
	}
	return sr_executable_gather(e, arena, mine, bytes);
}

static enum sr_status serve(const struct verification *own)
{
	struct sr_arena *scratch = sr_arena_scratch(own->v->ctx->arena);
	enum sr_status status = SR_OK;
	for (;;) {
		struct request r;
		struct sr_arena_position mark = sr_arena_mark(scratch);
		sr_launch_broadcast(&own->shared.client->launch, &r, sizeof r);
		if (r.wanted == NOTHING_MORE)
			return status;
		fetch(own, &r, scratch, &status);
		sr_arena_release(scratch, mark);
	}
}

/* On rank 0: what is wanted of all devices. */
static char *ask(struct side_by_side *s, struct request r, enum sr_status *status)
{
	sr_launch_broadcast(&s->own->shared.client->launch, &r, sizeof r);
	return fetch(s->own, &r, s->arena, status);
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
	if (e->into)
		memcpy(e->into + at * item, e->actual + first * item, (size_t)(n * item));
	for (int64_t i = 0; e->found && i < n; i++) {
		const char *actual = e->actual + (first + i) * item, *expected = e->expected + (at + i) * item;
		double excess = sr_rounding_excess(&e->rounding, (enum sr_dtype)io->dtype, actual, expected);
		e->found->different += excess > 1;
		if (!(excess > 1) || !(excess > e->found->excess))
			continue;
		e->found->excess = excess;
		e->found->device = e->device;
		sr_probe_global_index(e->slice, io->rank, first + i, e->found->index);
		memcpy(e->found->actual, actual, (size_t)item);
		memcpy(e->found->expected, expected, (size_t)item);
	}
}

/* Every device's part of s->e.io with the global value; into: the value that they make. */
static void compare_parts(struct side_by_side *s, const char *parts, const char *expected, char *into, struct finding *found)
{
	const struct sr_program *p = s->e.p;
	const struct sr_io *io = s->e.io;
	for (int64_t device = 0; device < p->n_devices; device++) {
		struct sr_device_slice slice = sr_program_slice(p, io, device);
		s->e.slice = &slice;
		s->e.actual = parts + device * sr_program_buffers(p)[io->buffer].bytes;
		s->e.expected = expected;
		s->e.into = sr_program_is_first_holder(p, io, device) ? into : NULL;
		s->e.found = found;
		s->e.device = device;
		sr_probe_for_each_row(&slice, io->rank, compare_row, s);
	}
}

static double largest_of(enum sr_dtype type, const char *data, int64_t bytes)
{
	double largest = 0;
	for (int64_t at = 0; at < bytes; at += sr_dtype_bytes(type)) {
		double re = 0, im = 0;
		int64_t i = 0;
		sr_element_get(type, data + at, &i, &re, &im);
		if (sr_dtype_is_integer(type))
			re = (double)i;
		if (isfinite(re) && isfinite(im))
			largest = fmax(largest, hypot(re, im));
	}
	return largest;
}

/* The greatest that a term of the op's sum can be; 0 where no operand is known. */
static double terms_of(const struct side_by_side *s, const struct sr_probe *t)
{
	const int64_t *sources = sr_program_ids(s->own->shared.program) + t->sources;
	double product = t->n_sources ? 1 : 0;
	for (int i = 0; i < t->n_sources; i++)
		product *= s->largest[sources[i]];
	return product;
}

static void compare_op(struct side_by_side *s, const struct sr_probe *t, const struct sr_probe_event *at, const char *parts,
		       const char *expected,
		       int64_t bytes, char *into)
{
	enum sr_dtype type = (enum sr_dtype)t->io.dtype;
	struct finding found = {.probe = t, .at = *at, .elements = bytes / sr_dtype_bytes(type)};
	bool given = t->flags & SR_PROBE_MANUAL;
	s->e = (struct element){.p = s->own->shared.program, .io = &t->io};
	s->e.rounding = sr_rounding_of(t, largest_of(type, expected, bytes), terms_of(s, t));
	compare_parts(s, parts, expected, into, given ? NULL : &found);
	s->largest[t->id] = largest_of(type, into, bytes);
	s->values += !given;
	if (found.different && s->n_findings < TOLD)
		s->findings[s->n_findings++] = found;
}

/* Compare result i, as `wanted` says of the program or of the one with taps, with one device's. */
static enum sr_status compare_result(struct side_by_side *s, int i, enum wanted wanted, const char *expected,
				     const struct sr_tolerances *tolerances, struct sr_comparison *c)
{
	const struct sr_program *p = wanted == RESULT ? s->v->run->program : s->own->shared.program;
	const struct sr_io *io = result_io(p, i);
	enum sr_dtype type = (enum sr_dtype)io->dtype;
	const int64_t *shape = sr_program_ids(p) + io->shape, start[SR_MAX_RANK] = {0};
	int64_t bytes = sr_dtype_bytes(type);
	enum sr_status status = SR_OK;
	struct sr_arena_position mark = sr_arena_mark(s->arena);
	const char *parts = ask(s, (struct request){.wanted = wanted, .result = i}, &status);
	for (int d = 0; d < io->rank; d++)
		bytes *= shape[d];
	char *value = sr_alloc(s->arena, (size_t)bytes + 1, 1);
	s->e = (struct element){.p = p, .io = io};
	compare_parts(s, parts, expected, value, NULL);
	*c = (struct sr_comparison){0};
	sr_compare_values(type, value, expected, shape, start, shape, NULL, io->rank, tolerances, c);
	sr_arena_release(s->arena, mark);
	return status;
}

static struct sr_tolerances widened(struct sr_tolerances t)
{
	double *const each[] = {&t.f8, &t.f16, &t.bf16, &t.f32, &t.f64, &t.rtol};
	for (size_t i = 0; i < sizeof each / sizeof *each; i++)
		*each[i] *= MORE_ROUNDING;
	return t;
}

/* After the first step. What the program gives differs by rounding that adds up if it does with taps as well, or is close. */
static enum sr_status compare_results(struct side_by_side *s, const struct sr_executable *one)
{
	const struct sr_tolerances *given = &s->v->o->tolerances, wide = widened(*given);
	enum sr_status status = SR_OK;
	for (int i = 0; !status && i < one->program->n_results; i++) {
		const char *expected = sr_device_buffer(&one->devices[0], result_io(one->program, i)->buffer);
		struct sr_comparison run, tapped, far = {0};
		status = compare_result(s, i, RESULT, expected, given, &run);
		if (status || !run.different)
			continue;
		status = compare_result(s, i, TAPPED_RESULT, expected, given, &tapped);
		if (!status && !tapped.different)
			status = compare_result(s, i, RESULT, expected, &wide, &far);
		bool rounds = tapped.different ? run.largest <= MORE_ROUNDING * tapped.largest : !far.different;
		struct differing *into = rounds ? &s->rounds : &s->differs;
		if (into->result < 0)
			*into = (struct differing){run, i};
	}
	return status;
}

/* At a tap of the module for one device, on rank 0's own thread. */
static enum sr_status look(void *data, struct sr_device *d, const struct sr_instr *step, const struct sr_probe *one)
{
	struct side_by_side *s = data;
	const int32_t *operands = sr_program_operands(d->program) + step->first_operand;
	struct request r = {.wanted = VALUE, .at = sr_probe_event_now(d, one)};
	const struct sr_probe *t = sr_probe_find(s->own->shared.program, one->id);
	enum sr_status status = SR_OK;
	if (!t || !sr_spool_find(&s->own->spool, 0, &r.at) || !(s->forced || t->flags & SR_PROBE_MANUAL))
		return SR_OK;
	struct sr_arena_position mark = sr_arena_mark(s->arena);
	int64_t bytes = sr_program_buffers(d->program)[operands[0]].bytes;
	const char *parts = ask(s, r, &status);
	char *into = sr_alloc(s->arena, (size_t)bytes + 1, 1);
	if (!status) {
		compare_op(s, t, &r.at, parts, sr_device_buffer(d, operands[0]), bytes, into);
		memcpy(sr_device_buffer(d, operands[1]), into, (size_t)bytes);
	}
	sr_arena_release(s->arena, mark);
	return status;
}

/* ---- what is said ---- */

static void describe(const struct side_by_side *s, const struct finding *f, struct sr_buf *out)
{
	const struct sr_program *p = s->own->shared.program;
	const struct sr_probe *t = f->probe;
	enum sr_dtype type = (enum sr_dtype)t->io.dtype;
	struct sr_device_slice slice = sr_program_slice(p, &t->io, f->device);
	sr_probe_print(p, t, out);
	sr_probe_print_iteration(&f->at, out);
	sr_buf_puts(out, " differs from what one device makes of the same operands: element ");
	sr_probe_print_index(f->index, t->io.rank, out);
	sr_buf_printf(out, " of %s is ", sr_program_string(p, t->io.type));
	sr_print_number(out, type, f->actual);
	sr_buf_printf(out, " on device %" PRId64 ", which has ", f->device);
	for (int d = 0; d < t->io.rank; d++)
		sr_buf_printf(out, "%s%" PRId64 ":%" PRId64, d ? ", " : "[", slice.start[d], slice.start[d] + slice.size[d]);
	sr_buf_puts(out, t->io.rank ? "] of it, and " : "all of it, and ");
	sr_print_number(out, type, f->expected);
	sr_buf_puts(out, " on one");
	if (isfinite(f->excess))
		sr_buf_printf(out, ", %.3g times as far apart as rounding may bring them", f->excess);
	sr_buf_printf(out, "; %" PRId64 " element%s differ%s so", f->different, f->different == 1 ? "" : "s",
		      f->different == 1 ? "s" : "");
}

static const char *result_words(const struct side_by_side *s, const struct differing *d)
{
	const struct sr_program *p = s->v->run->program;
	const struct sr_io *io = result_io(p, d->result);
	struct sr_buf out;
	sr_buf_init(&out, s->arena);
	sr_buf_printf(&out, "%s: ", sr_program_result_label(p, d->result, s->arena));
	sr_comparison_print(&out, (enum sr_dtype)io->dtype, io->rank, &d->c);
	return sr_buf_string(&out);
}

/* No op differs that was compared. A result does where rounding adds up, where an op was not compared, or where the program without
 * taps is partitioned otherwise. */
static enum sr_status say_results(const struct side_by_side *s)
{
	const struct sr_verification *v = s->v;
	int64_t left_out = sr_spool_skipped(&s->own->spool);
	struct sr_src_loc file = {.file = v->o->model};
	if (s->differs.result >= 0)
		return sr_error(&v->ctx->diags, SR_DIFFERS, file,
				"--verify: %s; no op differs while its values are read: the program is partitioned otherwise then",
				result_words(s, &s->differs));
	if (s->rounds.result >= 0 && left_out)
		return sr_error(&v->ctx->diags, SR_DIFFERS, file,
				"--verify: %s; no op of the first %lld rounds of a loop does: --dump-iterations=N compares more",
				result_words(s, &s->rounds), (long long)v->o->dump_iterations);
	if (!v->o->out)
		return SR_OK;
	fprintf(v->o->out, "[SUCCESS] %" PRId64 " values are within the rounding of their ops of what one device computes",
		s->values);
	if (left_out)
		fprintf(v->o->out, "; %" PRId64 " of later rounds of loops were not compared", left_out);
	fputs(".\n", v->o->out);
	if (s->rounds.result >= 0)
		fprintf(v->o->out, "That rounding adds up: %s\n", result_words(s, &s->rounds));
	return SR_OK;
}

static enum sr_status say(const struct side_by_side *s)
{
	struct sr_diags *diags = &s->v->ctx->diags;
	const struct sr_program *p = s->own->shared.program;
	struct sr_buf out;
	for (int i = 0; i < s->n_findings; i++) {
		struct sr_src_loc place = sr_probe_loc(p, s->findings[i].probe, s->arena);
		sr_buf_init(&out, s->arena);
		describe(s, &s->findings[i], &out);
		sr_report(diags, i ? SR_NOTE : SR_ERROR, place, "%s%s", i ? "so does " : "--verify: ", sr_buf_string(&out));
	}
	if (s->n_findings)
		return SR_DIFFERS;
	return say_results(s);
}

/* ---- the runs ---- */

static enum sr_status step(const struct sr_verification *v, struct sr_executable *e)
{
	enum sr_status status = sr_bind_arguments(e, v->o, v->ctx->arena, &v->ctx->diags);
	return status ? status : sr_executable_step(e, &v->ctx->diags);
}

/* Collective: a step of the program with taps. */
static enum sr_status step_shared(struct verification *own, struct sr_checks *checks)
{
	const struct sr_verification *v = own->v;
	struct sr_launch *l = &v->run->client->launch;
	sr_progress_phase("running with taps");
	enum sr_status status = sr_spool_begin(&own->spool, &own->shared, v->o->dump_iterations, v->ctx->arena, &v->ctx->diags);
	*checks = (struct sr_checks){.ctx = v->ctx, .file = v->o->model, .probe = sr_spool_inspect, .probe_data = &own->spool};
	sr_checks_begin(checks, &own->shared);
	status = sr_launch_agree(l, status, &v->ctx->diags);
	if (status)
		return status;
	status = sr_executable_is_idle(&own->shared) ? SR_OK : step(v, &own->shared);
	if (status) /* others may be inside a collective */
		sr_abort_ranks(l, status, &v->ctx->diags);
	return SR_OK;
}

static enum sr_status step_one_device(struct verification *own, struct sr_executable *one)
{
	const struct sr_verification *v = own->v;
	struct side_by_side s = {.own = own, .v = v, .arena = sr_arena_scratch(v->ctx->arena), .differs.result = -1,
				 .rounds.result = -1};
	struct sr_checks checks = {.ctx = v->ctx, .file = v->o->model, .probe = look, .probe_data = &s};
	s.largest = SR_NEWS(v->ctx->arena, double, sr_probe_id_count(own->shared.program) + 1);
	sr_checks_begin(&checks, one);
	sr_progress_phase("comparing results with one device's");
	enum sr_status status = step(v, one);
	if (!status)
		status = compare_results(&s, one);
	sr_progress_phase("comparing values with one device's");
	s.forced = true;
	s.values = s.n_findings = 0;
	if (!status)
		status = step(v, one);
	struct request done = {.wanted = NOTHING_MORE};
	sr_launch_broadcast(&own->shared.client->launch, &done, sizeof done);
	sr_progress_stop();
	return status ? status : say(&s);
}

static enum sr_status verify(struct verification *own, struct sr_executable *one)
{
	const struct sr_verification *v = own->v;
	struct sr_launch *l = &v->run->client->launch;
	struct sr_executable_options options = {.model = v->o->model, .codegen = v->o->codegen, .ffi = v->o->own_kernels,
						.keeps_donated = true};
	struct sr_checks checks;
	struct sr_client *client = v->run->client;
	struct sr_arena *arena = v->ctx->arena;
	struct sr_diags *diags = &v->ctx->diags;
	enum sr_status status = sr_executable_open(&own->shared, client, v->tapped, &options, arena, diags);
	if (!status)
		status = step_shared(own, &checks);
	if (!status)
		status = sr_executable_open(one, client, v->one_device, &options, arena, diags);
	return status ? status : sr_launch_agree(l, l->rank ? serve(own) : step_one_device(own, one), diags);
}

enum sr_status sr_verification_run(struct sr_verification *v)
{
	struct verification own = {.v = v};
	struct sr_executable one = {0};
	enum sr_status status = verify(&own, &one);
	sr_spool_end(&own.spool);
	sr_executable_close(&one);
	sr_executable_close(&own.shared);
	return status;
}
