/* Prepared FFT kernels: choice of the algorithm for each dimension, and execution of the batch in parts. */
#include "kernels/fast/fft/fft.h"
#include <string.h>

enum { MAX_DIMENSIONS = 3 };

/* Transform of the lines along one dimension. */
struct stage {
	sr_fft_run *run;
	const void *plan;
	int64_t lines, inner; /* number of lines per batch element; number of lines that are neighbours in memory */
	int64_t step;         /* distance between elements of a column, in complex numbers */
	int64_t scratch;      /* scratch in vectors */
	int64_t copied_length; /* length of the columns if they are copied to scratch and transformed one by one; 0: they are not */
};

struct prepared_fft {
	struct sr_prepared_kernel base; /* base struct, must be the first member */
	struct sr_arena *arena;
	const struct sr_fft_routines *code;
	struct stage stages[MAX_DIMENSIONS]; /* transforms of the dimensions, the last dimension first */
	int rank;
	bool is_inverse, is_real, has_rows; /* has_rows: the lines of the first stage are contiguous */
	int64_t batch, chunk_batch;  /* number of batch elements, and number that are transformed at a time */
	int64_t last_length;                /* length of the last dimension */
	int64_t in_bytes, out_bytes; /* input and output bytes of one batch element */
	/* bytes of a buffer for the values between two dimensions; 0 if the result's memory is large enough */
	int64_t intermediate_bytes;
	double scale;
};

enum { CHUNK_BYTES = 1 << 18, COLUMN_BYTES = 1 << 23 };

/* Return true if transforming `count` lines in lanes is cheaper than transforming one line after another. */
static bool is_faster_in_lanes(const struct sr_fft_routines *code, double reals, int64_t count, double lanes_cost, double line_cost)
{
	double copy_cost = 12 * reals;
	return (double)sr_ceil_div(count, code->lanes) * (lanes_cost + copy_cost) <= (double)count * line_cost;
}

static struct stage plan_complex_rows(struct sr_fft_planner *m, int64_t n, int64_t count)
{
	const struct sr_fft_routines *code = m->code;
	if (is_faster_in_lanes(code, 2 * (double)n, count, sr_fft_lanes_cost(code, n), sr_fft_line_cost(code, n))) {
		const struct sr_fft_lanes *f = sr_fft_make_lanes(m, n);
		return (struct stage){.run = code->rows, .plan = f, .scratch = 4 * n + f->scratch};
	}
	const struct sr_fft_line *f = sr_fft_make_line(m, n);
	return (struct stage){.run = code->lines, .plan = f, .scratch = f->scratch};
}

static struct stage plan_real_rows(struct sr_fft_planner *m, int64_t n, int64_t count)
{
	const struct sr_fft_routines *code = m->code;
	if (n == 1 || is_faster_in_lanes(code, (double)n, count, sr_fft_real_cost(code, n), sr_fft_real_line_cost(code, n))) {
		const struct sr_fft_real *f = sr_fft_make_real(m, n);
		return (struct stage){.run = code->real_rows, .plan = f, .scratch = 2 * (n + 2) + f->scratch};
	}
	const struct sr_fft_real_line *f = sr_fft_make_real_line(m, n);
	return (struct stage){.run = code->real_lines, .plan = f, .scratch = f->scratch};
}

static struct stage plan_columns(struct sr_fft_planner *m, int64_t n, int64_t inner)
{
	const struct sr_fft_routines *code = m->code;
	double columns_at_once = (double)(inner < code->lanes ? inner : code->lanes), one = sr_fft_line_cost(code,
			n) + 10 * (double)n;
	if (n <= COLUMN_BYTES / (4 * code->lanes * code->real_bytes) && sr_fft_lanes_cost(code, n) <= columns_at_once * one) {
		const struct sr_fft_lanes *f = sr_fft_make_lanes(m, n);
		int64_t buffers = sr_fft_strips(n, (int64_t)code->lanes * code->real_bytes) + 1;
		return (struct stage){.run = code->columns, .plan = f, .scratch = 2 * n * buffers + f->scratch};
	}
	const struct sr_fft_line *f = sr_fft_make_line(m, n);
	return (struct stage){.run = code->lines, .plan = f, .copied_length = n, .scratch = sr_ceil_div(2 * n,
			code->lanes) + f->scratch};
}

/* ---- execution ---- */

static void copy_column(char *dst, const char *src, int64_t n, int64_t to_step, int64_t from_step, size_t bytes)
{
	for (int64_t j = 0; j < n; j++)
		memcpy(dst + j * to_step, src + j * from_step, bytes);
}

static void transform_copied_columns(const struct prepared_fft *r, const struct stage *s, const struct sr_fft_task *t)
{
	int64_t bytes = 2 * r->code->real_bytes, n = s->copied_length, step = t->step * bytes;
	char *column = t->scratch;
	struct sr_fft_task column_task = *t;
	column_task.in = column_task.out = column;
	column_task.scratch = column + sr_ceil_div(2 * n, r->code->lanes) * r->code->lanes * r->code->real_bytes;
	column_task.count = 1;
	for (int64_t l = 0; l < t->count; l++) {
		int64_t at = (l / t->inner * n * t->step + l % t->inner) * bytes;
		copy_column(column, (const char *)t->in + at, n, bytes, step, (size_t)bytes);
		s->run(s->plan, &column_task);
		copy_column((char *)t->out + at, column, n, step, bytes, (size_t)bytes);
	}
}

/* Transform n batch elements along all dimensions whose lines are not contiguous. */
static void transform_columns(const struct prepared_fft *r, const char *in, char *out, char *scratch, int64_t n, double scale)
{
	for (int d = r->has_rows; d < r->rank; d++) {
		const struct stage *s = &r->stages[d];
		struct sr_fft_task t = {.in = d == r->has_rows ? in : out, .out = out, .scratch = scratch, .count = n * s->lines,
					.inner = s->inner, .step = s->step, .scale = d == r->rank - 1 ? scale : 1,
					.is_inverse = r->is_inverse};
		if (s->copied_length)
			transform_copied_columns(r, s, &t);
		else
			s->run(s->plan, &t);
	}
}

static void transform_rows(const struct prepared_fft *r, const char *in, char *out, char *scratch, int64_t n, double scale)
{
	const struct stage *s = &r->stages[0];
	int64_t real = r->last_length, complex = 2 * (r->is_real ? r->last_length / 2 + 1 : r->last_length);
	s->run(s->plan, &(struct sr_fft_task){.in = in,
					      .out = out,
					      .scratch = scratch,
					      .count = n * s->lines,
					      .in_row = r->is_real && !r->is_inverse ? real : complex,
					      .out_row = r->is_real && r->is_inverse ? real : complex,
					      .scale = scale,
					      .is_inverse = r->is_inverse});
}

static void run(struct sr_prepared_kernel *prepared_fft, void *const *buffers, void *unaligned_scratch)
{
	const struct prepared_fft *r = (const struct prepared_fft *)prepared_fft;
	char *scratch = (char *)(((uintptr_t)unaligned_scratch + 63) / 64 * 64), *free_scratch = scratch + r->intermediate_bytes;
	bool transforms_rows_last = r->is_real && r->is_inverse;

	for (int64_t b = 0; b < r->batch; b += r->chunk_batch) {
		int64_t n = r->batch - b < r->chunk_batch ? r->batch - b : r->chunk_batch;
		const char *in = (const char *)buffers[0] + b * r->in_bytes;
		char *out = (char *)buffers[1] + b * r->out_bytes;
		if (!r->has_rows) {
			transform_columns(r, in, out, free_scratch, n, r->scale);
		} else if (!transforms_rows_last || r->rank == 1) {
			transform_rows(r, in, out, free_scratch, n, r->rank == 1 ? r->scale : 1);
			transform_columns(r, out, out, free_scratch, n, r->scale);
		} else {
			transform_columns(r, in, scratch, free_scratch, n, 1);
			transform_rows(r, scratch, out, free_scratch, n, r->scale);
		}
	}
}

static void release(struct sr_prepared_kernel *prepared_fft)
{
	struct prepared_fft *r = (struct prepared_fft *)prepared_fft;
	sr_arena_free(r->arena);
}

/* ---- preparation ---- */

static void describe(struct prepared_fft *r, const struct sr_fft_params *p)
{
	int64_t rows = 1, reals = r->code->real_bytes, all = 1;
	for (int d = 0; d < p->rank; d++)
		all *= p->length[d];
	r->rank = p->rank;
	r->is_inverse = p->kind == SR_IFFT || p->kind == SR_IRFFT;
	r->is_real = p->kind == SR_RFFT || p->kind == SR_IRFFT;
	r->has_rows = !p->inner;
	r->batch = p->batch;
	r->last_length = p->length[p->rank - 1];
	rows = all / r->last_length;
	rows *= p->inner ? p->stride : 1;
	int64_t complex = rows * (r->is_real ? r->last_length / 2 + 1 : r->last_length) * 2 * reals;
	r->in_bytes = p->kind == SR_RFFT ? all * reals : complex;
	r->out_bytes = p->kind == SR_IRFFT ? all * reals : complex;
	r->chunk_batch = r->rank == 1 ? r->batch : 1 + CHUNK_BYTES / (r->in_bytes + r->out_bytes);
	r->chunk_batch = r->chunk_batch < r->batch ? r->chunk_batch : r->batch;
	r->intermediate_bytes = p->kind == SR_IRFFT && r->rank > 1 ? (r->chunk_batch * complex + 63) / 64 * 64 : 0;
	r->scale = r->is_inverse ? 1 / (double)all : 1;
}

static void plan_stages(struct sr_fft_planner *m, struct prepared_fft *r, const struct sr_fft_params *p)
{
	int64_t inner = r->is_real ? r->last_length / 2 + 1 : r->last_length, outer = 1;
	for (int d = 0; d < p->rank - 1; d++)
		outer *= p->length[d];
	if (p->inner) {
		r->stages[0] = plan_columns(m, r->last_length, p->inner);
		r->stages[0].lines = r->stages[0].inner = p->inner;
		r->stages[0].step = p->stride;
		return;
	}
	r->stages[0] = (r->is_real ? plan_real_rows : plan_complex_rows)(m, r->last_length, r->batch * outer);
	r->stages[0].lines = outer;
	for (int d = p->rank - 2, at = 1; d >= 0; d--, at++) {
		outer /= p->length[d];
		r->stages[at] = plan_columns(m, p->length[d], inner);
		r->stages[at].lines = outer * inner;
		r->stages[at].inner = r->stages[at].step = inner;
		inner *= p->length[d];
	}
}

static bool count_scratch(struct prepared_fft *r)
{
	int64_t max_scratch = 0, bytes;
	for (int d = 0; d < r->rank; d++)
		if (r->stages[d].scratch > max_scratch)
			max_scratch = r->stages[d].scratch;
	if (sr_mul_overflows(max_scratch, (int64_t)r->code->lanes * r->code->real_bytes, &bytes) || sr_add_overflows(bytes,
			r->intermediate_bytes + 64, &bytes))
		return false;
	r->base.scratch = bytes;
	return true;
}

static bool is_empty(const struct sr_fft_params *p)
{
	for (int d = 0; d < p->rank; d++)
		if (p->length[d] <= 0)
			return true;
	return p->batch <= 0 || p->inner < 0;
}

static struct prepared_fft *prepare(struct sr_fft_planner *m, const struct sr_fft_params *p)
{
	struct prepared_fft *prepared;
	jmp_buf unwind;
	if (setjmp(unwind))
		return NULL;
	sr_arena_guard(m->arena, &unwind);
	sr_arena_guard(m->temporary, &unwind);
	prepared = SR_NEW(m->arena, struct prepared_fft);
	*prepared = (struct prepared_fft){.base = {.run = run, .release = release}, .arena = m->arena, .code = m->code};
	describe(prepared, p);
	plan_stages(m, prepared, p);
	return count_scratch(prepared) ? prepared : NULL;
}

struct sr_prepared_kernel *sr_fft_prepare(const struct sr_fft_isa_routines *codes, enum sr_dtype t, const struct sr_fft_params *p)
{
	if (is_empty(p))
		return NULL;
	struct sr_fft_planner m = {.arena = sr_arena_new(), .temporary = sr_arena_new(), .codes = codes};
	m.code = t == SR_C64 ? &codes->f32 : &codes->f64;
	struct prepared_fft *r = m.arena && m.temporary ? prepare(&m, p) : NULL;
	sr_arena_free(m.temporary);
	if (r)
		return &r->base;
	sr_arena_free(m.arena);
	return NULL;
}
