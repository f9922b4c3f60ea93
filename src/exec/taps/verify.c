/* The module on one device beside its shared program, value by value. */
#include "exec/taps/verify.h"
#include "exec/progress.h"
#include "exec/taps/rounding.h"
#include "exec/values/bind.h"
#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { TOLD = 10 }; /* ops that differ, at most */

struct request { /* of rank 0 */
	int64_t wanted; /* 0: it is done */
	struct sr_tap_at at;
};

struct finding { /* an op that differs */
	const struct sr_tap *tap; /* the shared program's */
	struct sr_tap_at at;
	int64_t different, elements, device, index[SR_MAX_RANK];
	double excess; /* of the worst element, which these are of: */
	unsigned char actual[16], expected[16];
};

struct side_by_side { /* rank 0 */
	struct sr_verification *v;
	struct sr_arena *arena;
	bool forced;       /* take every value from the devices */
	double *largest;   /* [ids]: magnitude of what was compared last */
	struct finding findings[TOLD];
	int n_findings;
	int64_t values, ops_beyond, results_beyond;
	struct sr_comparison result; /* of the first result that differs */
	const struct sr_tap *result_tap;
	struct element { /* being compared */
		const struct sr_tap *tap;
		const struct sr_device_slice *slice;
		struct sr_rounding rounding;
		const char *actual, *expected; /* a device's part; the global value */
		char *into;                    /* the global value of the devices' parts; NULL: this part is another's too */
		struct finding *found;
		int64_t device;
	} e;
};

/* ---- what devices have ---- */

/* Collective: the parts of a value, on rank 0 as many bytes of each device as its buffer has. */
static char *fetch(const struct sr_verification *v, const struct request *r, struct sr_arena *arena, enum sr_status *status)
{
	const struct sr_program *p = v->shared->program;
	const struct sr_tap *t = sr_tap_find(p, r->at.id);
	size_t bytes = (size_t)sr_program_buffers(p)[t->io.buffer].bytes;
	char *mine = sr_alloc(arena, bytes, (size_t)v->shared->n_devices + 1);
	for (int k = 0; k < v->shared->n_devices; k++) {
		const struct sr_spooled *record = sr_spool_find(v->spool, k, &r->at);
		enum sr_status one = record ? sr_spool_read(v->spool, k, record, mine + (size_t)k * bytes,
							    &v->ctx->diags) : SR_INTERNAL;
		*status = *status ? *status : one;
	}
	return sr_executable_gather(v->shared, arena, mine, bytes);
}

static enum sr_status serve(const struct sr_verification *v)
{
	struct sr_arena *scratch = sr_arena_scratch(v->ctx->arena);
	enum sr_status status = SR_OK;
	for (;;) {
		struct request r;
		struct sr_arena_place mark = sr_arena_mark(scratch);
		sr_launch_broadcast(&v->shared->client->launch, &r, sizeof r);
		if (!r.wanted)
			return status;
		fetch(v, &r, scratch, &status);
		sr_arena_release(scratch, mark);
	}
}

/* ---- one value ---- */

static void compare_row(void *data, int64_t first, int64_t n)
{
	struct side_by_side *s = data;
	struct element *e = &s->e;
	const struct sr_io *io = &e->tap->io;
	const int64_t *shape = sr_program_ids(s->v->shared->program) + io->shape;
	int64_t index[SR_MAX_RANK], at = 0, item = sr_dtype_bytes((enum sr_dtype)io->dtype);
	sr_tap_global_index(e->slice, io->rank, first, index);
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
		sr_tap_global_index(e->slice, io->rank, first + i, e->found->index);
		memcpy(e->found->actual, actual, (size_t)item);
		memcpy(e->found->expected, expected, (size_t)item);
	}
}

/* Every device's part with the global value; into: the value that they make. */
static void compare_parts(struct side_by_side *s, const char *parts, const char *expected, char *into, struct finding *found)
{
	const struct sr_program *p = s->v->shared->program;
	const struct sr_tap *t = s->e.tap;
	for (int64_t device = 0; device < p->n_devices; device++) {
		struct sr_device_slice slice = sr_program_slice(p, &t->io, device);
		s->e.slice = &slice;
		s->e.actual = parts + device * sr_program_buffers(p)[t->io.buffer].bytes;
		s->e.expected = expected;
		s->e.into = sr_program_owns(p, &t->io, device) ? into : NULL;
		s->e.found = found;
		s->e.device = device;
		sr_tap_each_row(&slice, t->io.rank, compare_row, s);
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
static double terms_of(const struct side_by_side *s, const struct sr_tap *t)
{
	const int64_t *sources = sr_program_ids(s->v->shared->program) + t->sources;
	double product = t->n_sources ? 1 : 0;
	for (int i = 0; i < t->n_sources; i++)
		product *= s->largest[sources[i]];
	return product;
}

static void compare_op(struct side_by_side *s, const struct sr_tap *t, const struct sr_tap_at *at, const char *parts,
		       const char *expected,
		       int64_t bytes, char *into)
{
	enum sr_dtype type = (enum sr_dtype)t->io.dtype;
	struct finding found = {.tap = t, .at = *at, .elements = bytes / sr_dtype_bytes(type)};
	bool given = t->flags & SR_TAP_GIVEN;
	s->e = (struct element){.tap = t, .rounding = sr_rounding_of(t, largest_of(type, expected, bytes), terms_of(s, t))};
	compare_parts(s, parts, expected, into, given ? NULL : &found);
	s->largest[t->id] = largest_of(type, into, bytes);
	s->values += !given;
	if (!found.different)
		return;
	s->ops_beyond++;
	if (s->n_findings < TOLD)
		s->findings[s->n_findings++] = found;
}

/* A result as one device makes it of the arguments alone. */
static void compare_result(struct side_by_side *s, const struct sr_tap *t, const char *parts, const char *expected, char *into)
{
	const int64_t *shape = sr_program_ids(s->v->shared->program) + t->io.shape;
	const int64_t start[SR_MAX_RANK] = {0};
	struct sr_comparison c = {0};
	s->e = (struct element){.tap = t};
	compare_parts(s, parts, expected, into, NULL);
	sr_compare_values((enum sr_dtype)t->io.dtype, into, expected, shape, start, shape, NULL, t->io.rank, &s->v->o->tolerances,
			  &c);
	if (c.different && !s->results_beyond++) {
		s->result = c;
		s->result_tap = t;
	}
}

/* At a tap of the whole module, on rank 0's own thread. */
static enum sr_status look(void *data, struct sr_device *d, const struct sr_step *step, const struct sr_tap *whole)
{
	struct side_by_side *s = data;
	const struct sr_verification *v = s->v;
	const int32_t *operands = sr_program_operands(d->program) + step->first_operand;
	struct request r = {1, sr_tap_moment(d, whole)};
	const struct sr_tap *t = sr_tap_find(v->shared->program, whole->id);
	bool result = !s->forced && t && t->flags & SR_TAP_RESULT && !r.at.depth;
	bool given = t && t->flags & SR_TAP_GIVEN;
	enum sr_status status = SR_OK;
	if (!t || !sr_spool_find(v->spool, 0, &r.at) || (!s->forced && !result && !given))
		return SR_OK;
	struct sr_arena_place mark = sr_arena_mark(s->arena);
	int64_t bytes = sr_program_buffers(d->program)[operands[0]].bytes;
	sr_launch_broadcast(&v->shared->client->launch, &r, sizeof r);
	const char *parts = fetch(v, &r, s->arena, &status);
	char *into = sr_alloc(s->arena, (size_t)bytes + 1, 1);
	if (!status && result && !given)
		compare_result(s, t, parts, sr_device_buffer(d, operands[0]), into);
	else if (!status)
		compare_op(s, t, &r.at, parts, sr_device_buffer(d, operands[0]), bytes, into);
	if (!status && (s->forced || given))
		memcpy(sr_device_buffer(d, operands[1]), into, (size_t)bytes);
	sr_arena_release(s->arena, mark);
	return status;
}

/* ---- what is said ---- */

static void describe(const struct side_by_side *s, const struct finding *f, struct sr_buf *out)
{
	const struct sr_program *p = s->v->shared->program;
	const struct sr_tap *t = f->tap;
	enum sr_dtype type = (enum sr_dtype)t->io.dtype;
	struct sr_device_slice slice = sr_program_slice(p, &t->io, f->device);
	sr_tap_print(p, t, out);
	sr_tap_print_iteration(&f->at, out);
	sr_buf_puts(out, " differs from what one device makes of the same operands: element ");
	sr_tap_print_index(f->index, t->io.rank, out);
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

/* No op differs that was compared; a result does where rounding adds up, or where an op was not compared. */
static enum sr_status say_results(const struct side_by_side *s)
{
	const struct sr_verification *v = s->v;
	const struct sr_program *p = v->shared->program;
	int64_t left_out = sr_spool_left_out(v->spool);
	struct sr_buf out;
	sr_buf_init(&out, s->arena);
	if (s->results_beyond) {
		sr_tap_print(p, s->result_tap, &out);
		sr_buf_puts(&out, ", a result: ");
		sr_comparison_print(&out, (enum sr_dtype)s->result_tap->io.dtype, s->result_tap->io.rank, &s->result);
	}
	if (s->results_beyond && left_out)
		return sr_error(&v->ctx->diags, SR_DIFFERS, sr_tap_place(p, s->result_tap, s->arena),
				"--verify: %s; no op of the first %lld rounds of a loop does: --dump-iterations=N compares more",
				sr_buf_string(&out), (long long)v->o->dump_iterations);
	if (!v->o->out)
		return SR_OK;
	fprintf(v->o->out, "[SUCCESS] %" PRId64 " values are within the rounding of their ops of what one device computes",
		s->values);
	if (left_out)
		fprintf(v->o->out, "; %" PRId64 " of later rounds of loops were not compared", left_out);
	fputs(".\n", v->o->out);
	if (s->results_beyond)
		fprintf(v->o->out, "That rounding adds up: %s\n", sr_buf_string(&out));
	return SR_OK;
}

static enum sr_status say(const struct side_by_side *s)
{
	struct sr_diags *diags = &s->v->ctx->diags;
	const struct sr_program *p = s->v->shared->program;
	struct sr_buf out;
	for (int i = 0; i < s->n_findings; i++) {
		struct sr_place place = sr_tap_place(p, s->findings[i].tap, s->arena);
		sr_buf_init(&out, s->arena);
		describe(s, &s->findings[i], &out);
		sr_report(diags, i ? SR_NOTE : SR_ERROR, place, "%s%s", i ? "so does " : "--verify: ", sr_buf_string(&out));
	}
	if (s->n_findings)
		return SR_DIFFERS;
	return say_results(s);
}

/* ---- the two runs ---- */

/* On rank 0, while the others serve. */
static enum sr_status play(struct side_by_side *s, struct sr_executable *whole, bool forced)
{
	struct sr_verification *v = s->v;
	struct sr_diags *diags = &v->ctx->diags;
	s->forced = forced;
	sr_progress_phase(forced ? "comparing values with one device's" : "comparing results with one device's");
	enum sr_status status = sr_bind_arguments(whole, v->o, v->ctx->arena, diags);
	return status ? status : sr_executable_step(whole, diags);
}

static enum sr_status play_both(struct sr_verification *v, struct sr_executable *whole)
{
	struct sr_checks checks = {.ctx = v->ctx, .file = v->o->model};
	struct sr_arena *arena = v->ctx->arena;
	struct side_by_side s = {.v = v, .arena = sr_arena_scratch(arena), .largest = SR_NEWS(arena, double,
											      sr_tap_ids(v->shared->program) + 1)};
	checks.tap = look;
	checks.tap_data = &s;
	sr_checks_begin(&checks, whole);
	enum sr_status status = play(&s, whole, false);
	s.values = 0;
	if (!status)
		status = play(&s, whole, true);
	struct request done = {0};
	sr_launch_broadcast(&v->shared->client->launch, &done, sizeof done);
	sr_progress_stop();
	return status ? status : say(&s);
}

enum sr_status sr_verification_run(struct sr_verification *v)
{
	struct sr_launch *l = &v->shared->client->launch;
	struct sr_executable whole;
	struct sr_executable_options options = {.model = v->o->model, .codegen = v->o->codegen, .keeps_donated = true};
	enum sr_status status = sr_executable_open(&whole, v->shared->client, v->whole, &options, v->ctx->arena, &v->ctx->diags);
	if (!status)
		status = sr_launch_agree(l, l->rank ? serve(v) : play_both(v, &whole), &v->ctx->diags);
	sr_executable_close(&whole);
	return status;
}
