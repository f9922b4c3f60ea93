/* Time blocking of stencil loops. A stencil loop is a while loop whose body computes the next values of its arrays by one loop
 * nest, from rows near the same row; the buffers of old and new values, and of the values before the old ones if the loop carries
 * these, too, are swapped (buffer_swap.c). An array may be computed in place, if a row depends on no other row of this array. The
 * loop's steps are executed in the order of a wavefront: several steps on one block of rows, each step some rows behind the
 * previous one, before the next block. The block's rows stay in cache for all these steps. Only the order changes, so results are
 * bit-identical.
 *
 *	for (position = 0; position - halo * (steps - 1) < rows; position += block)
 *		for (t = 0; t < steps; t++)
 *			step t on rows [position - halo * t, position - halo * t + block), clipped to [0, rows)
 *
 * An iteration reads rows up to `halo` from its own row. So step t reads rows that step t - 1 has written already, and overwrites
 * old values that no later iteration of step t - 1 reads.
 *
 * Several threads: each has a slab of adjacent rows and executes the wavefront there, but leaves out `halo * t` rows of step t at a
 * boundary to another slab. The rows left out at each boundary are computed afterwards, step by step. They read rows left out by
 * the step before them, and rows next to those, which are not overwritten meanwhile: step t + 1, which has the buffer with the
 * values before step t as its output, leaves out halo rows more. Where borders are periodic, so that the first rows read the last
 * ones, there is such a boundary between the last and the first slab. (Split tiling: Grosser et al., "Split Tiling for GPUs",
 * GPGPU-6, 2013.)
 *
 * The condition, and the instructions of the body other than the nest and the swaps, do not depend on the arrays: they are executed
 * first, for as many steps as are executed together. Except for a halo exchange: instructions, collectives among them, that compute
 * values from the first and last rows (the edges) of the old values, and for these rows. A step leaves out its edges, and the rows
 * that depend on those of the steps before. Then the exchange and the rows left out are executed, step by step. So a device sends
 * the same messages as in plain order, in the same order, whatever order its neighbors execute their steps in.
 *
 * After the nest the body may copy new values to borders (Neumann conditions, or ghost cells of periodic ones): u[0] = u[1], or
 * u[:, 0] = u[:, 1]. A copy within each row is executed after the nest, on the same block of rows. A copy between rows that are
 * edges counts as part of the halo exchange, and so do instructions that read edges of new values, exchange them, and update edges:
 * on shards, a row of a border is copied from another device, or on the devices that have the border only.
 *
 * A loop with several nests (stencil_sequence.c) is executed in the same order. There, each nest of each step counts as a step. */
#include "kernels/element.h"
#include "run/stencil_loop.h"
#include <string.h>

enum {
	MAX_STEPS = 16, /* maximum number of steps that are executed together */
	MIN_STEPS = 3,  /* minimum number of steps for which an order other than the plain one pays off */
	/* number of steps after which each buffer has its address again: a multiple of 2 and 3, the numbers of buffers of swaps */
	PERIOD = 6,
};

/* ---- finding stencil loops ---- */

struct finder {
	const struct sr_loaded_program *l;
	const struct sr_nest *nest;
	const struct sr_nest_prepared *merged; /* the nest with its loops merged, as compiled code has them */
	const bool *is_unused;                 /* sr_nest_find_unused's result for `merged` */
	const int32_t *operands;               /* the nest's buffers */
	int64_t row[SR_NEST_MAX_BUFFERS];      /* for each output: elements of a row, the stride of the outermost loop */
	int32_t states[SR_NEST_MAX_BUFFERS];   /* for each output: the buffer of its old values; in place: its own */
	int32_t older[SR_NEST_MAX_BUFFERS];    /* for each output: the buffer of the values before the old ones; -1: none */
	const struct sr_while_instr *loop;
	bool *is_exchange;
	int *copied_output;
	struct sr_stencil_loop *out;
};

/* Return true if an instruction swaps buffers. */
static bool is_swap(const struct sr_loaded_program *l, int64_t instr)
{
	return (int)l->instrs[instr].kind == SR_READY_SWAP && l->instrs[instr].swap;
}

/* Add to [*low, *high] the range of coef[l] * (index of loop l) over all loops but the outermost one. */
static void add_inner_loops(const struct sr_nest_prepared *r, const int64_t *coef, int64_t *low, int64_t *high)
{
	for (int l = 1; l < r->n_loops; l++)
		*(coef[l] < 0 ? low : high) += coef[l] * (r->extent[l] - 1);
}

bool sr_stencil_find_rows(const struct sr_nest_prepared *r, const struct sr_nest_access *a, int64_t row, int64_t scale,
			  int64_t *first, int64_t *last)
{
	int64_t low = a->offset, high = a->offset, per_iteration = a->stride[0];
	add_inner_loops(r, a->stride, &low, &high);
	for (int k = 0; k < a->n_dims; k++) {
		const struct sr_nest_dim *d = &r->dims[a->first_dim + k];
		int64_t begin = d->offset, end = d->offset;
		if (d->index >= 0 || d->divisor != 1 || d->stride < 0)
			return false;
		add_inner_loops(r, d->coef, &begin, &end);
		if (!d->coef[0] && d->extent > 0) { /* elements out of bounds are not read */
			begin = begin < 0 ? 0 : begin;
			end = end < d->extent ? end : d->extent - 1;
		}
		per_iteration += d->coef[0] * d->stride;
		low += begin * d->stride;
		high += end * d->stride;
	}
	high += (scale - 1) * per_iteration;
	*first = sr_stencil_floor_divide(low, row);
	*last = sr_stencil_floor_divide(high, row);
	return per_iteration * scale == row && low <= high;
}

static bool find_rows(const struct sr_nest_prepared *r, const struct sr_nest_access *a, int64_t row, int64_t *first, int64_t *last)
{
	return sr_stencil_find_rows(r, a, row, 1, first, last);
}

/* Return true if two buffers are the same bytes as elements of the same type. */
static bool is_same_buffer(const struct sr_program *p, int32_t a, int32_t b)
{
	const struct sr_buffer *x = sr_program_buffers(p) + a, *y = sr_program_buffers(p) + b;
	return x->offset == y->offset && x->bytes == y->bytes && x->dtype == y->dtype;
}

/* Return true if output k has the buffer of its old values. */
static bool is_in_place(const struct finder *f, int k)
{
	return f->states[k] == f->operands[f->nest->n_inputs + k];
}

/* Return the number of the output whose new values the instruction, after the nest, copies within its buffer; -1: none. */
static int copied_output(const struct finder *f, int64_t instr)
{
	const struct sr_instr *s = sr_program_instrs(f->l->program) + instr;
	const int32_t *operands = sr_program_operands(f->l->program) + s->first_operand;
	if (instr < f->out->nests[0].instr || s->kind != SR_INSTR_KERNEL || s->kernel != SR_KERNEL_MOVE || s->n_dynamic_offsets)
		return -1;
	for (int k = 0; k < f->nest->n_outputs; k++) {
		int32_t output = f->operands[f->nest->n_inputs + k];
		if (is_same_buffer(f->l->program, operands[0], output) && is_same_buffer(f->l->program, operands[1], output))
			return k;
	}
	return -1;
}

/* Set [*low, *high] to the range of offsets of the elements that a side of a move touches, if its dimensions from `first_dim` on
 * have more than one element. */
static void find_moved(const struct sr_move_params *m, int first_dim, bool is_source, int64_t *low, int64_t *high)
{
	const int64_t *stride = is_source ? m->src_stride : m->dst_stride;
	*low = *high = is_source ? m->src_offset : m->dst_offset;
	for (int d = first_dim; d < m->rank; d++)
		*(stride[d] < 0 ? low : high) += stride[d] * (m->shape[d] - 1);
}

/* Return true if a move between elements of output k copies elements of each row to the same row. */
static bool copies_in_rows(const struct finder *f, const struct sr_move_params *m, int k)
{
	int64_t row = f->row[k];
	if (!m->rank || m->shape[0] != f->out->rows || m->src_stride[0] != row || m->dst_stride[0] != row)
		return false;
	for (int side = 0; side < 2; side++) {
		int64_t low, high;
		find_moved(m, 1, side, &low, &high);
		if (low < 0 || high >= row)
			return false;
	}
	return true;
}

/* Check the stores, and set the length of the outputs' rows: each output must have the rows of the outermost loop. */
static bool check_stores(struct finder *f)
{
	for (int i = 0; i < f->nest->n_instrs; i++) {
		const struct sr_nest_instr *in = sr_nest_instrs(f->nest) + i;
		int64_t first, last;
		if (in->op != SR_NEST_STORE)
			continue;
		const struct sr_nest_access *a = &f->merged->accesses[in->access];
		const struct sr_buffer *b = sr_program_buffers(f->l->program) + f->operands[a->buffer];
		int64_t row = a->stride[0], bytes = sr_dtype_bytes((enum sr_dtype)b->dtype);
		if (row <= 0 || row * bytes * f->out->rows != b->bytes)
			return false;
		if (!find_rows(f->merged, a, row, &first, &last) || first || last)
			return false;
		int k = a->buffer - f->nest->n_inputs;
		f->row[k] = row;
		f->out->row_bytes += (f->older[k] >= 0 ? 3 : is_in_place(f, k) ? 1 : 2) * row * bytes;
	}
	return true;
}

/* ---- loads and stores of the arrays ---- */

void sr_stencil_add_rows(struct sr_stencil_loop *loop, int64_t first, int64_t last)
{
	int64_t rows = loop->rows;
	if (first >= rows - rows / 4) { /* within bounds in the first rows only */
		loop->is_periodic = true;
		first -= rows, last -= rows;
	} else if (last <= rows / 4 - rows) {
		loop->is_periodic = true;
		first += rows, last += rows;
	}
	loop->halo = -first > loop->halo ? -first : loop->halo;
	loop->halo = last > loop->halo ? last : loop->halo;
}

/* Check a load from the old values of the output that has rows of `row` elements, and update halo and is_periodic. */
static bool check_load(struct finder *f, const struct sr_nest_access *a, int64_t row)
{
	int64_t first, last;
	if (!find_rows(f->merged, a, row, &first, &last))
		return false;
	sr_stencil_add_rows(f->out, first, last);
	return true;
}

/* Check a load from buffer b, if it has values of output k. */
static bool check_load_of(struct finder *f, const struct sr_nest_access *a, int32_t b, int k)
{
	const struct sr_program *p = f->l->program;
	const int32_t old[] = {f->states[k], f->older[k]};
	int64_t first, last;
	if (sr_stencil_overlap(p, b, f->operands[f->nest->n_inputs + k]))
		return is_in_place(f, k) && is_same_buffer(p, b, f->states[k]) &&
		       find_rows(f->merged, a, f->row[k], &first, &last) && !first && !last;
	for (int i = 0; i < 2; i++)
		if (old[i] >= 0 && sr_stencil_overlap(p, b, old[i]) &&
		    !(is_same_buffer(p, b, old[i]) && check_load(f, a, f->row[k])))
			return false;
	return true;
}

/* Check all loads of old values. Loads of other buffers are unrestricted, if the loop does not write them. */
static bool check_loads(struct finder *f)
{
	for (int i = 0; i < f->nest->n_instrs; i++) {
		const struct sr_nest_instr *in = sr_nest_instrs(f->nest) + i;
		const struct sr_nest_access *a = in->op == SR_NEST_LOAD ? &f->merged->accesses[in->access] : NULL;
		if (!a || f->is_unused[in->result])
			continue;
		for (int k = 0; k < f->nest->n_outputs; k++)
			if (!check_load_of(f, a, f->operands[a->buffer], k))
				return false;
	}
	return true;
}

/* ---- halo exchanges ---- */

/* Return true if an instruction neither reads what the nest writes nor writes what it reads: it touches none of the nest's buffers,
 * except for constants, nor the old values. Before the nest the memory of the nest's outputs holds temporary values. */
static bool is_independent(const struct finder *f, const struct sr_instr *s, bool is_before_nest)
{
	int n_buffers = f->nest->n_inputs + (is_before_nest ? 0 : f->nest->n_outputs);
	const struct sr_program *p = f->l->program;
	const int32_t *operands = sr_program_operands(p) + s->first_operand;
	if ((s->kind != SR_INSTR_KERNEL && s->kind != SR_INSTR_NEST) || s->n_dynamic_offsets)
		return false;
	for (uint32_t i = 0; i < s->n_operands; i++) {
		for (int k = 0; k < n_buffers; k++)
			if (sr_stencil_overlap(p, operands[i], f->operands[k]) && !f->l->constant_of[operands[i]])
				return false;
		for (int k = 0; k < f->nest->n_outputs; k++)
			if (sr_stencil_overlap(p, operands[i], f->states[k]) ||
			    (f->older[k] >= 0 && sr_stencil_overlap(p, operands[i], f->older[k])))
				return false;
	}
	return true;
}

uint32_t sr_stencil_first_written(const struct sr_program *p, const struct sr_instr *s)
{
	const struct sr_nest *nest = (const void *)(sr_program_params(p) + s->params);
	return s->kind == SR_INSTR_NEST ? (uint32_t)nest->n_inputs : s->kind == SR_INSTR_KERNEL ? 0 : 1;
}

/* Return true if an instruction of the halo exchange has an operand that overlaps the buffer or, if `is_written`, may write one. */
static bool is_exchanged(const struct finder *f, int32_t buffer, bool is_written)
{
	const struct sr_program *p = f->l->program;
	const struct sr_computation *body = sr_program_computations(p) + f->loop->body;
	for (int64_t i = 0; i < body->n; i++) {
		const struct sr_instr *s = sr_program_instrs(p) + body->first + i;
		for (uint32_t k = is_written ? sr_stencil_first_written(p, s) : 0; f->is_exchange[i] && k < s->n_operands; k++)
			if (sr_stencil_overlap(p, buffer, sr_program_operands(p)[s->first_operand + k]) &&
			    !f->l->constant_of[buffer])
				return true;
	}
	return false;
}

/* Return true if an instruction has an operand, other than buffer `ignored`, in common with the halo exchange. */
static bool shares_with_exchange(const struct finder *f, const struct sr_instr *s, int32_t ignored)
{
	const int32_t *operands = sr_program_operands(f->l->program) + s->first_operand;
	for (uint32_t i = 0; i < s->n_operands; i++)
		if (operands[i] != ignored && is_exchanged(f, operands[i], false))
			return true;
	return false;
}

bool sr_stencil_may_communicate(const struct sr_instr *s)
{
	return sr_instr_is_collective(s) || s->kind == SR_INSTR_WHILE || s->kind == SR_INSTR_CASE || s->kind == SR_INSTR_PARALLEL ||
	       s->kind == SR_INSTR_CUSTOM_CALL;
}

/* Set copied_output for the instructions of the body. */
static void mark_row_copies(struct finder *f)
{
	const struct sr_computation *body = sr_program_computations(f->l->program) + f->loop->body;
	for (int64_t i = 0; i < body->n; i++) {
		const struct sr_instr *s = sr_program_instrs(f->l->program) + body->first + i;
		int k = copied_output(f, (int64_t)body->first + i);
		bool is_in_rows = k >= 0 && copies_in_rows(f, (const void *)(sr_program_params(f->l->program) + s->params), k);
		f->copied_output[i] = is_in_rows ? k : -1;
	}
}

/* Set is_exchange for the instructions of the body, other than the nest and the swaps, that are not independent of the nest, that
 * send messages, or that have an operand in common with one of these. */
static void mark_exchange(struct finder *f)
{
	const struct sr_computation *body = sr_program_computations(f->l->program) + f->loop->body;
	bool has_changed = true;
	while (has_changed) {
		has_changed = false;
		for (int64_t k = 0, i = body->first; k < body->n; k++, i++) {
			const struct sr_instr *s = sr_program_instrs(f->l->program) + i;
			if (i == f->out->nests[0].instr || (int)f->l->instrs[i].kind == SR_READY_SWAP || f->is_exchange[k] ||
			    f->copied_output[k] >= 0 ||
			    (!sr_stencil_may_communicate(s) && is_independent(f, s, i < f->out->nests[0].instr) &&
			     !shares_with_exchange(f, s, -1)))
				continue;
			f->is_exchange[k] = f->out->has_exchange = has_changed = true;
		}
	}
}

bool sr_stencil_add_edge(struct sr_stencil_loop *out, int64_t first, int64_t last)
{
	int64_t edge = last < out->rows - 1 - first ? last + 1 : out->rows - first;
	if (first < 0 || last >= out->rows || edge > out->rows / 4)
		return false;
	out->edge = edge > out->edge ? edge : out->edge;
	return true;
}

bool sr_stencil_reads_edges(struct sr_stencil_loop *out, const struct sr_nest *nest, int k, int64_t row)
{
	for (int i = 0; i < nest->n_accesses; i++) {
		const struct sr_nest_access *a = sr_nest_accesses(nest) + i;
		int64_t low = a->offset, high = a->offset;
		if (a->buffer != k)
			continue;
		for (int l = 0; l < nest->n_loops; l++)
			*(a->stride[l] < 0 ? &low : &high) += a->stride[l] * (nest->extent[l] - 1);
		if (a->n_dims || !sr_stencil_add_edge(out, sr_stencil_floor_divide(low, row), sr_stencil_floor_divide(high, row)))
			return false;
	}
	return true;
}

/* Return true if a move between elements of output k reads and writes edges only. */
static bool copies_on_edges(struct finder *f, const struct sr_move_params *m, int k)
{
	for (int side = 0; side < 2; side++) {
		int64_t low, high;
		find_moved(m, 0, side, &low, &high);
		if (!sr_stencil_add_edge(f->out, sr_stencil_floor_divide(low, f->row[k]), sr_stencil_floor_divide(high, f->row[k])))
			return false;
	}
	return true;
}

/* Return true if an instruction updates edges of the new values of an output with rows of `row` elements, in place and at constant
 * indices. */
static bool updates_edges(struct finder *f, const struct sr_instr *s, int64_t row)
{
	const struct sr_program *p = f->l->program;
	const struct sr_dynamic_slice_params *u = (const void *)(sr_program_params(p) + s->params);
	const int32_t *operands = sr_program_operands(p) + s->first_operand;
	int64_t first = 0, last = 0, stride = 1;
	if (s->kind != SR_INSTR_KERNEL || s->kernel != SR_KERNEL_DYNAMIC_UPDATE_SLICE ||
	    !is_same_buffer(p, operands[0], operands[s->n_operands - 1]))
		return false;
	for (int d = u->rank - 1; d >= 0; stride *= u->src[d--]) {
		const char *constant = f->l->constant_of[operands[2 + d]];
		if (!constant)
			return false;
		int64_t at = sr_index_load((enum sr_dtype)u->index_type, constant, 0), limit = u->src[d] - u->size[d];
		at = at < 0 ? 0 : at > limit ? limit : at;
		first += at * stride;
		last += (at + u->size[d] - 1) * stride;
	}
	return sr_stencil_add_edge(f->out, sr_stencil_floor_divide(first, row), sr_stencil_floor_divide(last, row));
}

/* Return true if operand i of an instruction of the halo exchange is not in the buffer `values`, the old or new values of output k,
 * or all elements that the instruction touches there are on edges. */
static bool is_operand_on_edges(struct finder *f, const struct sr_instr *s, uint32_t i, int32_t values, int k)
{
	const struct sr_program *p = f->l->program;
	const struct sr_nest *nest = (const void *)(sr_program_params(p) + s->params);
	int32_t operand = sr_program_operands(p)[s->first_operand + i];
	bool is_after_nest = s - sr_program_instrs(p) > f->out->nests[0].instr;
	bool is_new = values == f->operands[f->nest->n_inputs + k];
	if (!sr_stencil_overlap(p, operand, values))
		return true;
	if (!is_same_buffer(p, operand, values) || (is_new && !is_after_nest))
		return false;
	if (s->kind == SR_INSTR_NEST)
		return (int)i < nest->n_inputs && sr_stencil_reads_edges(f->out, nest, (int)i, f->row[k]);
	return is_new && i != 1 && updates_edges(f, s, f->row[k]);
}

/* Return true if an instruction of the halo exchange may be executed with the rows left out of the wavefront: of old and new values
 * it touches only edges, and before the nest no new values. */
static bool is_on_edges(struct finder *f, const struct sr_instr *s)
{
	const struct sr_program *p = f->l->program;
	const struct sr_nest *nest = (const void *)(sr_program_params(p) + s->params);
	const int32_t *operands = sr_program_operands(p) + s->first_operand;
	int copied = copied_output(f, s - sr_program_instrs(p));
	if ((s->kind != SR_INSTR_KERNEL && s->kind != SR_INSTR_NEST && !sr_instr_is_collective(s)) || s->n_dynamic_offsets)
		return false;
	if (copied >= 0)
		return copies_on_edges(f, (const void *)nest, copied);
	for (uint32_t i = 0; i < s->n_operands; i++)
		for (int k = 0; k < f->nest->n_outputs; k++)
			if ((f->older[k] >= 0 && sr_stencil_overlap(p, operands[i], f->older[k])) ||
			    !is_operand_on_edges(f, s, i, f->operands[f->nest->n_inputs + k], k) ||
			    !is_operand_on_edges(f, s, i, f->states[k], k))
				return false;
	return true;
}

/* Return true if the nest loads the values that the halo exchange computes only in iterations on edges. */
static bool loads_exchange_on_edges(struct finder *f)
{
	for (int i = 0; i < f->nest->n_instrs; i++) {
		const struct sr_nest_instr *in = sr_nest_instrs(f->nest) + i;
		const struct sr_nest_access *a = in->op == SR_NEST_LOAD ? &f->merged->accesses[in->access] : NULL;
		int64_t first, last;
		int loop;
		if (a && is_exchanged(f, f->operands[a->buffer], true) &&
		    (!sr_nest_find_bound(f->merged, a, &loop, &first, &last) || loop != 0 ||
		     !sr_stencil_add_edge(f->out, first, last)))
			return false;
	}
	return true;
}

/* Check the instructions of the condition and of the body other than the nest and the swaps: they are independent of the nest and
 * send no messages, or belong to a halo exchange that the others are independent of. The condition's result may share memory with
 * temporary values. */
static bool check_other_instrs(struct finder *f)
{
	const struct sr_computation *cond = sr_program_computations(f->l->program) + f->loop->cond;
	const struct sr_computation *body = sr_program_computations(f->l->program) + f->loop->body;
	const struct sr_instr *instrs = sr_program_instrs(f->l->program);
	mark_row_copies(f);
	mark_exchange(f);
	for (int64_t i = cond->first; i < (int64_t)cond->first + cond->n; i++)
		if (sr_stencil_may_communicate(instrs + i) || !is_independent(f, instrs + i, true) ||
		    shares_with_exchange(f, instrs + i, f->loop->predicate))
			return false;
	for (int64_t k = 0; k < body->n; k++)
		if (f->is_exchange[k] && !is_on_edges(f, instrs + body->first + k))
			return false;
	return !f->out->has_exchange || (!f->out->is_periodic && loads_exchange_on_edges(f));
}

/* ---- stencil loops ---- */

/* Return the buffer of input i that is the same as output k, which the nest then computes in place; -1: none. */
static int32_t find_input_of(const struct finder *f, int k)
{
	int32_t output = f->operands[f->nest->n_inputs + k];
	for (int i = 0; i < f->nest->n_inputs; i++)
		if (is_same_buffer(f->l->program, f->operands[i], output))
			return output;
	return -1;
}

/* Set states[k] to the buffer of the old values of output k, and older[k]. Return false if an output is neither the new value of a
 * swap nor computed in place, or a swap is not of an output. */
static bool find_states(struct finder *f, const struct sr_computation *body)
{
	const struct sr_program *p = f->l->program;
	int n_swaps = 0, n_found = 0;
	for (int k = 0; k < f->nest->n_outputs; k++)
		f->states[k] = f->older[k] = -1;
	for (int64_t i = body->first; i < (int64_t)body->first + body->n; i++) {
		const int32_t *swapped = sr_program_operands(p) + sr_program_instrs(p)[i].first_operand;
		if (!is_swap(f->l, i))
			continue;
		n_swaps++;
		for (int k = 0; k < f->nest->n_outputs; k++)
			if (is_same_buffer(p, f->operands[f->nest->n_inputs + k], swapped[0])) {
				f->states[k] = swapped[1];
				f->older[k] = sr_buffer_swap_older_state(f->l->instrs[i].swap);
				n_found++;
			}
	}
	for (int k = 0; k < f->nest->n_outputs; k++) {
		f->states[k] = f->states[k] < 0 ? find_input_of(f, k) : f->states[k];
		if (f->states[k] < 0)
			return false;
	}
	return n_swaps == n_found;
}

/* Add to row_bytes the rows of inputs other than the old values, each buffer once. */
static void add_other_inputs(const struct finder *f)
{
	for (int i = 0; i < f->nest->n_inputs; i++) {
		bool is_counted = false;
		for (int k = 0; k < f->nest->n_outputs; k++)
			is_counted = is_counted || f->operands[i] == f->states[k] || f->operands[i] == f->older[k] ||
				     is_same_buffer(f->l->program, f->operands[i], f->states[k]);
		for (int k = 0; k < i; k++)
			is_counted = is_counted || f->operands[i] == f->operands[k];
		f->out->row_bytes += is_counted ? 0 : sr_program_buffers(f->l->program)[f->operands[i]].bytes / f->out->rows;
	}
}

/* Return the number of the loop nest that computes the new value of a swap in a computation with swaps; -1: none. */
static int64_t find_nest(const struct sr_loaded_program *l, const struct sr_computation *body)
{
	const int32_t *all_operands = sr_program_operands(l->program);
	int64_t swap = body->first;
	while (!is_swap(l, swap))
		swap++;
	for (int64_t i = body->first; i < swap; i++) {
		const struct sr_nest *nest = l->instrs[i].params;
		const int32_t *operands = all_operands + l->instrs[i].first_operand;
		for (int k = 0; l->instrs[i].kind == SR_INSTR_NEST && k < nest->n_outputs; k++)
			if (is_same_buffer(l->program, operands[nest->n_inputs + k], all_operands[l->instrs[swap].first_operand]))
				return i;
	}
	return -1;
}

/* Return the description of a while loop with swaps in memory of the arena; NULL if it is not a stencil loop. */
static const struct sr_stencil_loop *find_stencil(const struct sr_loaded_program *l, const struct sr_while_instr *w,
						  struct sr_arena *arena)
{
	const struct sr_computation *body = sr_program_computations(l->program) + w->body;
	struct sr_stencil_loop *out = SR_NEW(arena, struct sr_stencil_loop);
	out->nests = SR_NEW(arena, struct sr_stencil_nest);
	out->n_nests = 1;
	out->nests[0] = (struct sr_stencil_nest){.instr = find_nest(l, body), .scale = 1};
	if (out->nests[0].instr < 0 || l->instrs[out->nests[0].instr].shifted)
		return NULL;
	struct finder f = {.l = l, .nest = l->instrs[out->nests[0].instr].params, .loop = w, .out = out,
			   .operands = sr_program_operands(l->program) + l->instrs[out->nests[0].instr].first_operand};
	f.merged = sr_nest_merge_loops(f.nest, sr_alloc(arena, sr_nest_prepared_bytes(f.nest), 1));
	f.is_unused = sr_nest_find_unused(f.merged, arena);
	out->rows = f.merged->n_loops ? f.merged->extent[0] : 0;
	out->halo = 1;
	out->is_exchange = f.is_exchange = SR_NEW_ARRAY(arena, bool, body->n);
	out->copied_output = f.copied_output = SR_NEW_ARRAY(arena, int, body->n);
	if (!out->rows || f.merged->n_parallel < f.merged->n_loops || !find_states(&f, body) || !check_stores(&f) ||
	    !check_loads(&f) || !check_other_instrs(&f))
		return NULL;
	out->edge = out->halo > out->edge ? out->halo : out->edge;
	add_other_inputs(&f);
	return out;
}

void sr_loaded_find_stencil_loops(struct sr_loaded_program *l, struct sr_arena *arena)
{
	for (uint64_t i = 0; l->time_blocking != SR_TIME_BLOCKING_OFF && i < l->program->instrs.n; i++) {
		struct sr_ready_instr *loop = l->instrs + i;
		if (loop->kind != SR_INSTR_WHILE)
			continue;
		loop->stencil = loop->swap ? find_stencil(l, loop->params, arena) : NULL;
		if (!loop->stencil)
			loop->stencil = sr_find_stencil_sequence(l, loop->params, arena);
		l->n_stencil_loops += loop->stencil != NULL;
	}
}

/* ---- choosing blocks ---- */

struct blocking {
	int64_t slabs; /* number of slabs of rows, one for each thread */
	int64_t block; /* number of rows of a block */
	int64_t steps; /* maximum number of steps that are executed together */
};

/* Choose blocks so that the rows which a thread touches between two uses of a row fit in half of the cache. Return false if too few
 * nests would share a block. */
static bool fit_blocks(const struct sr_stencil_loop *s, int64_t cache, struct blocking *b)
{
	int64_t rows = cache / 2 / s->row_bytes, step = s->halo * s->n_nests;
	int64_t max_steps = (s->rows / b->slabs / 4 - s->edge) / step;
	b->block = rows / 4 > 0 ? rows / 4 : 1;
	b->steps = (rows - b->block) / step;
	max_steps = max_steps < MAX_STEPS ? max_steps : MAX_STEPS;
	b->steps = b->steps < max_steps ? b->steps : max_steps;
	return b->steps * s->n_nests >= MIN_STEPS;
}

/* Choose blocks for a loop. Return false if the plain order is used: for arrays that fit in the L2 caches, and for arrays that fit
 * in the last-level cache with rows too long for the L2 cache. */
static bool choose_blocks(const struct sr_execution_context *x, const struct sr_stencil_loop *s, struct blocking *b)
{
	const struct sr_loaded_program *l = x->loaded;
	double bytes = (double)s->rows * (double)s->row_bytes;
	b->slabs = sr_workers_count(x->device->workers);
	if (l->time_blocking == SR_TIME_BLOCKING_ON)
		return fit_blocks(s, s->row_bytes * (s->rows / 4 + 16), b);
	if (bytes <= (double)l->l2_bytes * (double)b->slabs)
		return false;
	return fit_blocks(s, l->l2_bytes, b) || (bytes > (double)l->cache_bytes && fit_blocks(s, l->cache_bytes / b->slabs, b));
}

/* ---- execution ---- */

struct steps {
	const struct sr_stencil_loop *loop;
	const struct sr_jit_function *nests[SR_STENCIL_MAX_NESTS];
	const struct sr_ready_instr *body; /* first instruction of the body; length: body_n */
	int64_t body_n;
	int n_inputs; /* number of the inputs of the only nest */
	struct blocking b;
	int64_t n; /* number of steps times number of nests: nest k of step t has number t * n_nests + k */
	/* the nests' operands in step number t, modulo PERIOD */
	void *operands[PERIOD][SR_STENCIL_MAX_NESTS][SR_NEST_MAX_BUFFERS];
};

static int64_t first_row(const struct steps *s, int64_t slab)
{
	return s->loop->rows / s->b.slabs * slab + (slab < s->loop->rows % s->b.slabs ? slab : s->loop->rows % s->b.slabs);
}

/* Execute instruction i of the body, a copy within rows, on rows [first, last). */
static void execute_row_copy(const struct steps *s, int64_t i, int64_t t, int64_t first, int64_t last)
{
	void *values = s->operands[t % PERIOD][0][s->n_inputs + s->loop->copied_output[i]];
	if (first < last)
		s->body[i].fn(s->body[i].params, (void *const[]){values, values}, NULL, first, last);
}

/* Execute nest number j on rows [first, last). The results are read again soon, so they are not stored past the caches. */
static void execute_nest(const struct steps *s, int64_t j, int64_t first, int64_t last)
{
	int64_t t = j / s->loop->n_nests, k = j % s->loop->n_nests, scale = s->loop->nests[k].scale;
	if (first < last)
		s->nests[k]->run((void *const *)s->operands[t % PERIOD][k], first * scale, last * scale, INT64_MAX);
}

/* Execute nest number j on rows [first, last), and the copies within rows. */
static void execute_rows(const struct steps *s, int64_t j, int64_t first, int64_t last)
{
	execute_nest(s, j, first, last);
	for (int64_t i = 0; i < s->body_n; i++)
		if (s->loop->copied_output[i] >= 0)
			execute_row_copy(s, i, j, first, last);
}

/* Execute the wavefront of a slab, without the rows that depend on other slabs. */
static void execute_slab(const struct steps *s, int64_t slab)
{
	int64_t low = first_row(s, slab), high = first_row(s, slab + 1), halo = s->loop->halo;
	bool is_first = slab == 0, is_last = slab == s->b.slabs - 1, is_cyclic = s->loop->is_periodic || s->loop->has_exchange;
	int64_t low_halo = !is_first || is_cyclic ? halo : 0, high_halo = !is_last || is_cyclic ? halo : 0;
	if (s->loop->has_exchange) {
		low += is_first ? s->loop->edge : 0;
		high -= is_last ? s->loop->edge : 0;
	}
	for (int64_t position = low; position - halo * (s->n - 1) < high; position += s->b.block)
		for (int64_t j = 0; j < s->n; j++) {
			int64_t first = position - halo * j, last = first + s->b.block;
			int64_t min = low + low_halo * j, max = high - high_halo * j;
			execute_rows(s, j, first > min ? first : min, last < max ? last : max);
		}
}

/* Execute the rows left out at the boundary between a slab and the one before it. */
static void execute_boundary(const struct steps *s, int64_t slab)
{
	int64_t at = first_row(s, slab), rows = s->loop->rows;
	for (int64_t j = 1, margin = s->loop->halo; j < s->n; j++, margin += s->loop->halo) {
		if (slab > 0) {
			execute_rows(s, j, at - margin, at + margin);
		} else if (s->loop->is_periodic) {
			execute_rows(s, j, 0, margin);
			execute_rows(s, j, rows - margin, rows);
		}
	}
}

static void execute_slabs(void *data, int worker, int64_t begin, int64_t end)
{
	(void)worker;
	for (int64_t slab = begin; slab < end; slab++)
		execute_slab(data, slab);
}

static void execute_boundaries(void *data, int worker, int64_t begin, int64_t end)
{
	(void)worker;
	for (int64_t slab = begin; slab < end; slab++)
		execute_boundary(data, slab);
}

/* Return which of the loop's nests an instruction is; -1: none. */
static int number_of_nest(const struct sr_stencil_loop *loop, int64_t instr)
{
	for (int k = 0; k < loop->n_nests; k++)
		if (loop->nests[k].instr == instr)
			return k;
	return -1;
}

/* Execute the halo exchanges, the rows on the edges and the swaps of all steps. */
static enum sr_status execute_edges(struct sr_execution_context *x, const struct sr_ready_instr *loop, const struct steps *s)
{
	const struct sr_while_instr *w = loop->params;
	const struct sr_computation *body = sr_program_computations(x->program) + w->body;
	int64_t rows = s->loop->rows, margin = s->loop->edge, n_nests = s->loop->n_nests, j = 0;
	enum sr_status status = SR_OK;
	for (int64_t t = 0; !status && t < s->n / n_nests; t++)
		for (int64_t k = 0, i = body->first; !status && k < body->n; k++, i++) {
			double begin = x->profile ? sr_now() : 0;
			if (number_of_nest(s->loop, i) >= 0) {
				margin = s->loop->edge + s->loop->halo * j;
				execute_nest(s, j, 0, margin);
				execute_nest(s, j++, rows - margin, rows);
			} else if (s->loop->copied_output[k] >= 0) {
				execute_row_copy(s, k, t, 0, margin);
				execute_row_copy(s, k, t, rows - margin, rows);
			} else if (s->loop->is_exchange[k] || (int)x->loaded->instrs[i].kind == SR_READY_SWAP) {
				status = sr_execute_instr(x, i);
				if (x->profile)
					sr_profile_note(x->profile, i, begin, sr_now());
			}
		}
	return status;
}

/* Set the nests' functions and operands in each step. */
static void prepare_steps(struct sr_execution_context *x, const struct sr_ready_instr *loop, struct steps *s)
{
	for (int t = 0; t < PERIOD; t++) {
		for (int k = 0; k < s->loop->n_nests; k++) {
			const struct sr_ready_instr *nest = x->loaded->instrs + s->loop->nests[k].instr;
			uint32_t n_operands = sr_program_instrs(x->program)[s->loop->nests[k].instr].n_operands;
			s->nests[k] = sr_context_compiled(x, nest);
			memcpy(s->operands[t][k], sr_context_operands(x, nest), n_operands * sizeof(void *));
		}
		sr_buffer_swaps_all(x, loop->swap);
	}
}

/* Execute n steps of the nests, and the halo exchange and the swaps of each. */
static enum sr_status execute_steps(struct sr_execution_context *x, const struct sr_ready_instr *loop, const struct blocking *b,
				    int64_t n)
{
	const struct sr_ready_instr *nest = x->loaded->instrs + loop->stencil->nests[0].instr;
	const struct sr_while_instr *w = loop->params;
	const struct sr_computation *body = sr_program_computations(x->program) + w->body;
	struct steps s;
	s.loop = loop->stencil;
	s.b = *b;
	s.n = n * s.loop->n_nests;
	s.body = x->loaded->instrs + body->first;
	s.body_n = body->n;
	s.n_inputs = ((const struct sr_nest *)nest->params)->n_inputs;
	prepare_steps(x, loop, &s);
	if (b->slabs > 1) {
		sr_workers_parallel_for(x->device->workers, b->slabs, 1, execute_slabs, &s);
		sr_workers_parallel_for(x->device->workers, b->slabs, 1, execute_boundaries, &s);
	} else {
		execute_slab(&s, 0);
		execute_boundary(&s, 0);
	}
	if (s.loop->has_exchange)
		return execute_edges(x, loop, &s);
	for (int t = 0; t < n % PERIOD; t++)
		sr_buffer_swaps_all(x, loop->swap);
	return SR_OK;
}

/* Execute the condition, and while it is true the instructions of the body other than the nests, the halo exchange and the swaps,
 * at most `max` times. *n: the number of times. They may use the memory of the nests' outputs, so the predicate is lost when the
 * nests are executed. */
static enum sr_status count_steps(struct sr_execution_context *x, const struct sr_ready_instr *loop, int64_t max, int64_t *n)
{
	const struct sr_while_instr *w = loop->params;
	const struct sr_computation *body = sr_program_computations(x->program) + w->body;
	enum sr_status status = SR_OK;
	for (*n = 0; !status && *n < max; ++*n) {
		status = sr_execute_computation(x, (uint64_t)w->cond);
		if (status || !*(const uint8_t *)sr_context_buffer(x, w->predicate))
			break;
		for (int64_t i = body->first; !status && i < (int64_t)body->first + body->n; i++)
			if (number_of_nest(loop->stencil, i) < 0 && (int)x->loaded->instrs[i].kind != SR_READY_SWAP &&
			    !loop->stencil->is_exchange[i - body->first] && loop->stencil->copied_output[i - body->first] < 0)
				status = sr_execute_instr(x, i);
	}
	return status;
}

bool sr_is_time_blocked(const struct sr_execution_context *x, const struct sr_ready_instr *loop)
{
	const struct sr_stencil_loop *s = loop->stencil;
	struct blocking b;
	for (int k = 0; s && k < s->n_nests; k++) {
		const struct sr_jit_function *nest = sr_context_compiled(x, x->loaded->instrs + s->nests[k].instr);
		if (!nest || nest->iterations != s->rows * s->nests[k].scale)
			return false;
	}
	return s && !x->sends_in_flight && choose_blocks(x, s, &b);
}

/* Record the time of n steps in the profile, in equal parts for all nests. */
static void note_steps(const struct sr_execution_context *x, const struct sr_stencil_loop *s, int64_t n, double begin)
{
	double nest_s = (sr_now() - begin) / (double)(n * s->n_nests);
	for (int64_t j = 0; j < n * s->n_nests; j++, begin += nest_s)
		sr_profile_note(x->profile, s->nests[j % s->n_nests].instr, begin, begin + nest_s);
}

enum sr_status sr_execute_stencil_loop(struct sr_execution_context *x, const struct sr_ready_instr *loop)
{
	struct blocking b;
	int64_t n;
	choose_blocks(x, loop->stencil, &b);
	enum sr_status status;
	do {
		status = count_steps(x, loop, b.steps, &n);
		double begin = x->profile ? sr_now() : 0;
		sr_context_begin_instr(x, loop->stencil->nests[0].instr);
		if (!status && n)
			status = execute_steps(x, loop, &b, n);
		if (x->profile && n)
			note_steps(x, loop->stencil, n, begin);
	} while (!status && n == b.steps);
	return status;
}
