/* Division of the instructions of a compiled loop among threads, and conflicts of their accesses. */
#include "codegen/loop_threads.h"
#include "cost/cost.h"
#include "cost/machine_text.h"
#include "kernels/nest/nest_prepared.h"
#include <float.h>

/* ---- conflicts ---- */

static bool is_within_first_unit(const struct sr_loop_access *a, const struct sr_loop_access *rows)
{
	return a->begin >= rows->begin && a->end <= rows->begin + rows->unit_bytes;
}

/* Return true if every byte that both accesses touch is touched by the same thread. The first unit is always the first thread's. */
static bool is_by_same_thread(const struct sr_loop_access *a, const struct sr_loop_access *b)
{
	if (a->by == SR_ACCESS_BY_ROWS && b->by == SR_ACCESS_BY_ROWS)
		return a->begin == b->begin && a->units == b->units && a->unit_bytes == b->unit_bytes;
	if (a->by == SR_ACCESS_BY_FIRST && b->by == SR_ACCESS_BY_ROWS)
		return is_within_first_unit(a, b);
	if (a->by == SR_ACCESS_BY_ROWS && b->by == SR_ACCESS_BY_FIRST)
		return is_within_first_unit(b, a);
	return a->by == SR_ACCESS_BY_FIRST && b->by == SR_ACCESS_BY_FIRST;
}

bool sr_access_conflicts(const struct sr_pending_accesses *pending, const struct sr_loop_access *access)
{
	for (int i = 0; i < pending->n; i++) {
		const struct sr_loop_access *other = &pending->list[i];
		bool overlaps = other->begin < access->end && access->begin < other->end;
		if (overlaps && (other->is_written || access->is_written) && !is_by_same_thread(other, access))
			return true;
	}
	return false;
}

static bool contains_access(const struct sr_pending_accesses *pending, const struct sr_loop_access *a)
{
	for (int i = 0; i < pending->n; i++) {
		const struct sr_loop_access *b = &pending->list[i];
		if (a->begin == b->begin && a->end == b->end && a->is_written == b->is_written && a->by == b->by &&
		    a->units == b->units && a->unit_bytes == b->unit_bytes)
			return true;
	}
	return false;
}

bool sr_access_add(struct sr_pending_accesses *pending, const struct sr_loop_access *access)
{
	if (contains_access(pending, access))
		return true;
	if (pending->n == SR_MAX_PENDING_ACCESSES)
		return false;
	pending->list[pending->n++] = *access;
	return true;
}

bool sr_access_add_all(struct sr_pending_accesses *pending, const struct sr_pending_accesses *others, bool *has_grown)
{
	int n = pending->n;
	bool fits = true;
	for (int i = 0; i < others->n; i++)
		fits = sr_access_add(pending, &others->list[i]) && fits;
	if (has_grown)
		*has_grown = pending->n > n;
	return fits;
}

/* ---- division ---- */

static const void *params_of(const struct sr_program *p, uint64_t instr)
{
	return sr_program_params(p) + sr_program_instrs(p)[instr].params;
}

/* Return the estimated seconds of the elementwise work of a loop nest. */
static double nest_seconds(const struct sr_nest *nest)
{
	struct sr_machine machine;
	double n_parallel = 1, n_inner = 1, seconds = 0;
	sr_machine_default(&machine);
	for (int l = 0; l < nest->n_loops; l++)
		*(l < nest->n_parallel ? &n_parallel : &n_inner) *= (double)nest->extent[l];
	for (int s = 0; s < nest->n_stages; s++) {
		const struct sr_nest_stage *stage = sr_nest_stages(nest) + s;
		for (int i = stage->first; i < stage->first + stage->n; i++) {
			const struct sr_nest_instr *in = &sr_nest_instrs(nest)[i];
			double n = n_parallel * (stage->over_inner ? n_inner : 1);
			bool is_map = in->op == SR_NEST_MAP;
			seconds += n / machine.work_per_s[is_map ? sr_kernel_work_class((enum sr_kernel)in->kernel) : SR_WORK_CHEAP];
		}
	}
	return seconds;
}

bool sr_nest_pays_for_threads(const struct sr_nest *nest)
{
	return sr_cost_threads_pay(nest_seconds(nest));
}

static double product_seconds(const struct sr_product_params *product, enum sr_dtype type)
{
	struct sr_machine machine;
	sr_machine_default(&machine);
	double rate = machine.product_flops_per_s[type == SR_F64 ? SR_PRODUCT_F64 : SR_PRODUCT_F32];
	return 2.0 * (double)product->batch * (double)product->m * (double)product->n * (double)product->k / rate;
}

/* Return the estimated seconds of a loop nest or a product. */
static double instr_seconds(const struct sr_program *p, uint64_t instr)
{
	const struct sr_instr *s = sr_program_instrs(p) + instr;
	return s->kind == SR_INSTR_NEST ? nest_seconds(params_of(p, instr))
					: product_seconds(params_of(p, instr), (enum sr_dtype)s->dtype);
}

static const struct sr_nest_prepared *merge_loops(const struct sr_nest *nest, struct sr_arena *arena)
{
	return sr_nest_merge_loops(nest, sr_alloc(arena, sr_nest_prepared_bytes(nest), 1));
}

/* Return the least bytes of an output that one iteration of the outermost loop stores, at least 1. */
static int64_t iteration_bytes(const struct sr_program *p, const struct sr_instr *s, uint32_t first_output, int64_t iterations)
{
	int64_t least_bytes = INT64_MAX;
	for (uint32_t i = first_output; i < s->n_operands && iterations; i++) {
		int64_t bytes = sr_program_buffers(p)[sr_program_operands(p)[s->first_operand + i]].bytes / iterations;
		least_bytes = bytes < least_bytes ? bytes : least_bytes;
	}
	return least_bytes > 1 ? least_bytes : 1;
}

struct sr_loop_division sr_loop_divide(const struct sr_program *p, uint64_t instr, int64_t max_units, struct sr_arena *arena)
{
	enum { LINE_BYTES = 64, BLOCK_ROWS = 4, MIN_UNITS = 2 }; /* a product's code computes blocks of 4 rows */
	const struct sr_instr *s = sr_program_instrs(p) + instr;
	struct sr_loop_division division = {0};
	if (s->kind == SR_INSTR_NEST) {
		const struct sr_nest_prepared *merged = merge_loops(params_of(p, instr), arena);
		division.iterations = merged->n_parallel && !sr_nest_is_one_task(merged) ? merged->extent[0] : 1;
		int64_t bytes = iteration_bytes(p, s, (uint32_t)merged->nest->n_inputs, division.iterations);
		division.step = bytes < LINE_BYTES ? LINE_BYTES / bytes : 1;
	} else if (s->kind == SR_INSTR_KERNEL && s->kernel == SR_KERNEL_PRODUCT) {
		const struct sr_product_params *product = params_of(p, instr);
		division.is_batch = product->batch > 1;
		division.iterations = division.is_batch ? product->batch : product->m;
		division.step = division.is_batch || product->m % BLOCK_ROWS ? 1 : BLOCK_ROWS;
	}
	if (division.iterations < MIN_UNITS * division.step || !division.iterations ||
	    !sr_cost_division_pays(instr_seconds(p, instr), s->kind == SR_INSTR_NEST))
		return (struct sr_loop_division){0};
	if (max_units && division.iterations % max_units == 0 && division.iterations / max_units >= division.step)
		division.step = division.iterations / max_units;
	division.units = (division.iterations + division.step - 1) / division.step;
	return division;
}

enum { MAX_DEPTH = 3 }; /* maximum nesting of loops and branches in a loop that threads divide */

struct totals { /* sums over the instructions of a loop's condition and body */
	double divided_s; /* estimated seconds of its divided instructions */
	int64_t units;    /* least units of these instructions; 0: none */
};

/* Add the divided instructions of a computation. Return false if loops and branches are nested too deeply. */
static bool add_computation(const struct sr_program *p, uint64_t computation, int depth, struct sr_arena *arena, struct totals *t)
{
	const struct sr_computation *range = sr_program_computations(p) + computation;
	bool fits = depth <= MAX_DEPTH;
	for (uint64_t i = range->first; fits && i < (uint64_t)range->first + range->n; i++) {
		const struct sr_instr *s = sr_program_instrs(p) + i;
		if (s->kind == SR_INSTR_WHILE) {
			const struct sr_while_instr *w = params_of(p, i);
			struct totals nested = {.units = t->units};
			fits = add_computation(p, (uint64_t)w->cond, depth + 1, arena, &nested) &&
			       add_computation(p, (uint64_t)w->body, depth + 1, arena, &nested);
			t->divided_s += nested.divided_s * (double)sr_cost_jit_trips(w->trips, false, true);
			t->units = nested.units;
		} else if (s->kind == SR_INSTR_CASE) {
			const struct sr_case_instr *c = params_of(p, i);
			for (int32_t k = 0; fits && k < c->n; k++)
				fits = add_computation(p, (uint64_t)(c->first + k), depth + 1, arena, t);
		} else {
			struct sr_loop_division division = sr_loop_divide(p, i, 0, arena);
			if (division.iterations && (!t->units || division.units < t->units))
				t->units = division.units;
			if (division.iterations)
				t->divided_s += instr_seconds(p, i);
		}
	}
	return fits;
}

int64_t sr_loop_units(const struct sr_program *p, uint64_t loop, struct sr_arena *arena, double *seconds)
{
	const struct sr_while_instr *w = params_of(p, loop);
	struct totals t = {0};
	bool fits = add_computation(p, (uint64_t)w->cond, 1, arena, &t) && add_computation(p, (uint64_t)w->body, 1, arena, &t);
	double trips = (double)sr_cost_jit_trips(w->trips, false, true);
	*seconds = w->trips < 0 ? DBL_MAX : t.divided_s * trips;
	return fits && sr_cost_threads_pay(t.divided_s * trips) ? t.units : 0;
}

/* ---- accesses of divided instructions ---- */

/* Extend [*low, *high] by coef * i for i in [0, extent). */
static void extend_range(int64_t coef, int64_t extent, int64_t *low, int64_t *high)
{
	*(coef < 0 ? low : high) += coef * (extent - 1);
}

/* Return the elements of a row if iteration i of the outermost loop accesses only elements of row i; 0: it may access others. */
static int64_t row_elements(const struct sr_nest_prepared *r, const struct sr_nest_access *a)
{
	int64_t low = a->offset, high = a->offset, row = a->stride[0];
	for (int l = 1; l < r->n_loops; l++)
		extend_range(a->stride[l], r->extent[l], &low, &high);
	for (int k = 0; k < a->n_dims; k++) {
		const struct sr_nest_dim *d = &r->dims[a->first_dim + k];
		int64_t y_low = d->offset, y_high = d->offset;
		if (d->index >= 0 || d->divisor != 1 || d->coef[0] || d->stride < 0)
			return 0;
		for (int l = 1; l < r->n_loops; l++)
			extend_range(d->coef[l], r->extent[l], &y_low, &y_high);
		if (d->extent > 0) {
			y_low = y_low < 0 ? 0 : y_low;
			y_high = y_high >= d->extent ? d->extent - 1 : y_high;
		}
		low += y_low * d->stride;
		high += y_high * d->stride;
	}
	return row > 0 && low >= 0 && high < row ? row : 0;
}

/* Return the elements of a row of a nest's buffer if all its accesses are by row; 0: they are not. */
static int64_t nest_row(const struct sr_nest_prepared *r, int32_t buffer)
{
	int64_t row = -1;
	for (int i = 0; i < r->nest->n_accesses; i++) {
		const struct sr_nest_access *a = &r->accesses[i];
		if (a->buffer != buffer)
			continue;
		int64_t elements = row_elements(r, a);
		row = row < 0 || row == elements ? elements : 0;
	}
	return row > 0 ? row : 0;
}

static int64_t product_row(const struct sr_product_params *m, uint32_t operand, const struct sr_loop_division *division)
{
	if (division->is_batch)
		return operand == 0 ? (m->m * m->k <= m->lhs_batch ? m->lhs_batch : 0)
		     : operand == 1 ? (m->n * m->k <= m->rhs_batch ? m->rhs_batch : 0)
				    : m->m * m->n;
	return operand == 0 ? (m->lhs_k == 1 && m->k <= m->lhs_m ? m->lhs_m : 0) : operand == 1 ? 0 : m->n;
}

void sr_loop_divide_access(const struct sr_program *p, uint64_t instr, uint32_t operand, const struct sr_loop_division *division,
			   struct sr_arena *arena, struct sr_loop_access *access)
{
	const struct sr_instr *s = sr_program_instrs(p) + instr;
	const struct sr_buffer *b = sr_program_buffers(p) + sr_program_operands(p)[s->first_operand + operand];
	int64_t row = s->kind == SR_INSTR_NEST ? nest_row(merge_loops(params_of(p, instr), arena), (int32_t)operand)
					       : product_row(params_of(p, instr), operand, division);
	int64_t row_bytes = row * sr_dtype_bytes((enum sr_dtype)b->dtype);
	access->by = row_bytes && row_bytes * division->iterations == b->bytes ? SR_ACCESS_BY_ROWS : SR_ACCESS_BY_ANY;
	if (access->by == SR_ACCESS_BY_ROWS) {
		access->units = division->units;
		access->unit_bytes = division->step * row_bytes;
	}
}
