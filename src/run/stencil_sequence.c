/* Stencil loops with several loop nests. The body of such a while loop computes arrays of the same number of rows by a sequence of
 * nests: the stages of a Runge-Kutta method, red and black points, coupled fields. Each nest reads rows near its own row of
 * arrays that the body computes. time_blocking.c executes the nests of one or more steps on a block of rows, each nest some rows
 * behind the previous one, so that intermediate arrays stay in cache.
 *
 * Nest number j lags j * halo rows behind the first one. When it is executed on row r, all nests before it have been executed on
 * the rows that it reads, and none of them still has to read row r of any array, which it may overwrite. This holds for every
 * reuse of memory, if arrays that overlap are the same bytes, so that their rows are, too. It is checked for all operands.
 *
 * The other instructions of the body and the condition are independent of the arrays, or belong to halo exchanges: they read
 * edges of arrays, and the nests read their results only in rows on edges. */
#include "run/stencil_loop.h"
#include <string.h>

enum { MAX_BUFFERS = 256 }; /* maximum number of written arrays and of operands of all nests */

struct finder {
	const struct sr_loaded_program *l;
	const struct sr_program *p;
	const struct sr_computation *body;
	const struct sr_while_instr *loop;
	/* the nests with their loops merged, as compiled code has them */
	const struct sr_nest_prepared *merged[SR_STENCIL_MAX_NESTS];
	const bool *is_unused[SR_STENCIL_MAX_NESTS]; /* sr_nest_find_unused's results */
	struct sr_stencil_nest nests[SR_STENCIL_MAX_NESTS];
	int64_t elements; /* number of elements of each array that the nests write */
	int32_t written[MAX_BUFFERS]; /* arrays that the nests write, and the buffers that are swapped */
	int n_written;
	bool *is_exchange;
	struct sr_stencil_loop *out;
};

static const struct sr_nest *nest_of(const struct finder *f, int k)
{
	return f->l->instrs[f->nests[k].instr].params;
}
static const int32_t *operands_of(const struct finder *f, int64_t instr)
{
	return sr_program_operands(f->p) + sr_program_instrs(f->p)[instr].first_operand;
}

static bool is_same_memory(const struct sr_program *p, int32_t a, int32_t b)
{
	const struct sr_buffer *x = sr_program_buffers(p) + a, *y = sr_program_buffers(p) + b;
	return x->offset == y->offset && x->bytes == y->bytes;
}

/* Return the number of elements of a row of a buffer; 0 if it does not have rows of whole elements. */
static int64_t row_of(const struct finder *f, int32_t buffer)
{
	const struct sr_buffer *b = sr_program_buffers(f->p) + buffer;
	int64_t bytes = f->out->rows * sr_dtype_bytes((enum sr_dtype)b->dtype);
	return bytes > 0 && b->bytes % bytes == 0 ? b->bytes / bytes : 0;
}

/* ---- the nests ---- */

static int64_t iterations(const struct sr_nest_prepared *r)
{
	int64_t n = 1;
	for (int l = 0; l < r->n_loops; l++)
		n *= r->extent[l];
	return n;
}

/* Set `elements` and the number of rows to those of the largest nest of the body with more than one loop. */
static void find_shape(struct finder *f, struct sr_arena *arena)
{
	for (int64_t i = f->body->first; i < (int64_t)f->body->first + f->body->n; i++) {
		if (f->l->instrs[i].kind != SR_INSTR_NEST)
			continue;
		const struct sr_nest *nest = f->l->instrs[i].params;
		const struct sr_nest_prepared *r = sr_nest_merge_loops(nest, sr_alloc(arena, sr_nest_prepared_bytes(nest), 1));
		if (r->n_loops > 1 && iterations(r) > f->elements) {
			f->elements = iterations(r);
			f->out->rows = r->extent[0];
		}
	}
}

/* Return true if a store writes each element of an output once, a row in `scale` iterations. */
static bool is_store_of_rows(const struct finder *f, const struct sr_nest_prepared *r, const struct sr_nest_access *a,
			     int32_t buffer, int64_t scale)
{
	int64_t row = row_of(f, buffer), first, last;
	return row > 0 && row * f->out->rows == f->elements && sr_stencil_find_rows(r, a, row, scale, &first, &last) && !first &&
	       !last;
}

/* Return true if the nest of instruction i computes the rows of its outputs one after another. Set *scale. */
static bool computes_rows(const struct finder *f, int64_t i, const struct sr_nest_prepared *r, int64_t *scale)
{
	const struct sr_nest *nest = f->l->instrs[i].params;
	if (f->l->instrs[i].shifted || !r->n_loops || r->n_parallel < r->n_loops || iterations(r) != f->elements ||
	    r->extent[0] % f->out->rows)
		return false;
	*scale = r->extent[0] / f->out->rows;
	for (int k = 0; k < nest->n_instrs; k++) {
		const struct sr_nest_instr *in = sr_nest_instrs(nest) + k;
		const struct sr_nest_access *a = in->op == SR_NEST_STORE ? &r->accesses[in->access] : NULL;
		if (a && !is_store_of_rows(f, r, a, operands_of(f, i)[a->buffer], *scale))
			return false;
	}
	return true;
}

/* Find the nests that compute rows. Return false if there are less than two, or too many. */
static bool find_nests(struct finder *f, struct sr_arena *arena)
{
	int n = 0;
	for (int64_t i = f->body->first; i < (int64_t)f->body->first + f->body->n; i++) {
		int64_t scale;
		if (f->l->instrs[i].kind != SR_INSTR_NEST)
			continue;
		const struct sr_nest *nest = f->l->instrs[i].params;
		const struct sr_nest_prepared *r = sr_nest_merge_loops(nest, sr_alloc(arena, sr_nest_prepared_bytes(nest), 1));
		if (!computes_rows(f, i, r, &scale))
			continue;
		if (n == SR_STENCIL_MAX_NESTS)
			return false;
		f->nests[n] = (struct sr_stencil_nest){i, scale};
		f->merged[n] = r;
		f->is_unused[n++] = sr_nest_find_unused(r, arena);
	}
	f->out->n_nests = n;
	return n > 1;
}

static int number_of_nest(const struct finder *f, int64_t instr)
{
	for (int k = 0; k < f->out->n_nests; k++)
		if (f->nests[k].instr == instr)
			return k;
	return -1;
}

/* ---- arrays ---- */

/* Add a buffer to the written ones. Return false if it overlaps one that is not the same memory, or if there are too many. */
static bool add_written(struct finder *f, int32_t buffer)
{
	for (int w = 0; w < f->n_written; w++) {
		if (is_same_memory(f->p, buffer, f->written[w]))
			return true;
		if (sr_stencil_overlap(f->p, buffer, f->written[w]))
			return false;
	}
	if (f->n_written == MAX_BUFFERS || row_of(f, buffer) <= 0)
		return false;
	f->written[f->n_written++] = buffer;
	return true;
}

static bool find_written(struct finder *f)
{
	for (int k = 0; k < f->out->n_nests; k++)
		for (int i = 0; i < nest_of(f, k)->n_outputs; i++)
			if (!add_written(f, operands_of(f, f->nests[k].instr)[nest_of(f, k)->n_inputs + i]))
				return false;
	for (int64_t i = f->body->first; i < (int64_t)f->body->first + f->body->n; i++)
		for (int k = 0; (int)f->l->instrs[i].kind == SR_READY_SWAP && k < 2; k++)
			if (!add_written(f, operands_of(f, i)[k]))
				return false;
	return true;
}

/* Check a load of nest k from buffer b, and update halo and is_periodic. */
static bool check_load(struct finder *f, int k, const struct sr_nest_access *a, int32_t b)
{
	const int32_t *outputs = operands_of(f, f->nests[k].instr) + nest_of(f, k)->n_inputs;
	for (int w = 0; w < f->n_written; w++) {
		int64_t first, last, row = row_of(f, b);
		if (!sr_stencil_overlap(f->p, b, f->written[w]))
			continue;
		if (!is_same_memory(f->p, b, f->written[w]) || row <= 0 ||
		    !sr_stencil_find_rows(f->merged[k], a, row, f->nests[k].scale, &first, &last))
			return false;
		for (int i = 0; i < nest_of(f, k)->n_outputs; i++)
			if (sr_stencil_overlap(f->p, b, outputs[i]) && (first || last)) /* computed in place */
				return false;
		sr_stencil_add_rows(f->out, first, last);
	}
	return true;
}

/* Check all loads from arrays that the body writes. Other loads are unrestricted. */
static bool check_loads(struct finder *f)
{
	for (int k = 0; k < f->out->n_nests; k++)
		for (int i = 0; i < nest_of(f, k)->n_instrs; i++) {
			const struct sr_nest_instr *in = sr_nest_instrs(nest_of(f, k)) + i;
			const struct sr_nest_access *a = in->op == SR_NEST_LOAD ? &f->merged[k]->accesses[in->access] : NULL;
			if (a && !f->is_unused[k][in->result] &&
			    !check_load(f, k, a, operands_of(f, f->nests[k].instr)[a->buffer]))
				return false;
		}
	return true;
}

/* Set row_bytes: one row of each array, counted once. */
static void count_bytes(struct finder *f)
{
	int32_t seen[MAX_BUFFERS];
	int n_seen = 0;
	for (int k = 0; k < f->out->n_nests; k++)
		for (int i = 0; i < nest_of(f, k)->n_inputs + nest_of(f, k)->n_outputs; i++) {
			int32_t b = operands_of(f, f->nests[k].instr)[i];
			bool is_seen = n_seen == MAX_BUFFERS;
			for (int s = 0; s < n_seen; s++)
				is_seen = is_seen || is_same_memory(f->p, b, seen[s]);
			if (is_seen)
				continue;
			seen[n_seen++] = b;
			f->out->row_bytes += sr_program_buffers(f->p)[b].bytes / f->out->rows;
		}
	f->out->row_bytes += !f->out->row_bytes;
}

/* ---- other instructions ---- */

/* Return true if the contents of a written array at the beginning of a step are not used: the first nest that touches it writes all
 * of it, and reads none. */
static bool is_dead_at_begin(const struct finder *f, int32_t buffer)
{
	for (int k = 0; k < f->out->n_nests; k++) {
		const int32_t *operands = operands_of(f, f->nests[k].instr);
		const struct sr_nest *nest = nest_of(f, k);
		for (int i = 0; i < nest->n_inputs; i++)
			if (sr_stencil_overlap(f->p, buffer, operands[i]))
				return false;
		for (int i = nest->n_inputs; i < nest->n_inputs + nest->n_outputs; i++)
			if (is_same_memory(f->p, buffer, operands[i]))
				return true;
	}
	return false;
}

/* Return true if an instruction may share the memory of this operand with the nests: they do not touch it, it is a constant, or,
 * `is_before_nests`, it is in an array whose contents are not used. */
static bool is_operand_independent(const struct finder *f, int32_t operand, bool is_before_nests)
{
	if (f->l->constant_of[operand])
		return true;
	for (int w = 0; w < f->n_written; w++)
		if (sr_stencil_overlap(f->p, operand, f->written[w]) &&
		    !(is_before_nests && is_dead_at_begin(f, f->written[w])))
			return false;
	for (int k = 0; k < f->out->n_nests; k++) {
		const int32_t *operands = operands_of(f, f->nests[k].instr);
		for (int i = 0; i < nest_of(f, k)->n_inputs; i++) {
			bool is_array = false;
			for (int w = 0; w < f->n_written; w++)
				is_array = is_array || is_same_memory(f->p, operands[i], f->written[w]);
			if (!is_array && sr_stencil_overlap(f->p, operand, operands[i]))
				return false;
		}
	}
	return true;
}

static bool is_independent(const struct finder *f, const struct sr_instr *s, bool is_before_nests)
{
	if ((s->kind != SR_INSTR_KERNEL && s->kind != SR_INSTR_NEST) || s->n_dynamic_offsets)
		return false;
	for (uint32_t i = 0; i < s->n_operands; i++)
		if (!is_operand_independent(f, sr_program_operands(f->p)[s->first_operand + i], is_before_nests))
			return false;
	return true;
}

/* Return true if an instruction of the halo exchange has an operand that overlaps the buffer or, if `is_written`, may write one. */
static bool is_exchanged(const struct finder *f, int32_t buffer, bool is_written)
{
	for (int64_t k = 0; k < f->body->n; k++) {
		const struct sr_instr *s = sr_program_instrs(f->p) + f->body->first + k;
		for (uint32_t i = is_written ? sr_stencil_first_written(f->p, s) : 0; f->is_exchange[k] && i < s->n_operands; i++)
			if (sr_stencil_overlap(f->p, buffer, sr_program_operands(f->p)[s->first_operand + i]) &&
			    !f->l->constant_of[buffer])
				return true;
	}
	return false;
}

/* Return true if an instruction has an operand, other than buffer `ignored`, in common with the halo exchange. */
static bool shares_with_exchange(const struct finder *f, const struct sr_instr *s, int32_t ignored)
{
	for (uint32_t i = 0; i < s->n_operands; i++) {
		int32_t operand = sr_program_operands(f->p)[s->first_operand + i];
		if (operand != ignored && is_exchanged(f, operand, false))
			return true;
	}
	return false;
}

/* Set is_exchange for the instructions of the body, other than the nests and the swaps, that are not independent of the nests, that
 * send messages, or that have an operand in common with one of these. */
static void mark_exchange(struct finder *f)
{
	bool has_changed = true;
	while (has_changed) {
		has_changed = false;
		for (int64_t k = 0, i = f->body->first; k < f->body->n; k++, i++) {
			const struct sr_instr *s = sr_program_instrs(f->p) + i;
			if (number_of_nest(f, i) >= 0 || (int)f->l->instrs[i].kind == SR_READY_SWAP || f->is_exchange[k] ||
			    (!sr_stencil_may_communicate(s) && is_independent(f, s, i < f->nests[0].instr) &&
			     !shares_with_exchange(f, s, -1)))
				continue;
			f->is_exchange[k] = f->out->has_exchange = has_changed = true;
		}
	}
}

/* Return true if an instruction of the halo exchange only reads edges of arrays. */
static bool is_on_edges(struct finder *f, const struct sr_instr *s)
{
	const struct sr_nest *nest = (const void *)(sr_program_params(f->p) + s->params);
	if ((s->kind != SR_INSTR_KERNEL && s->kind != SR_INSTR_NEST && !sr_instr_is_collective(s)) || s->n_dynamic_offsets)
		return false;
	for (uint32_t i = 0; i < s->n_operands; i++) {
		int32_t operand = sr_program_operands(f->p)[s->first_operand + i];
		for (int w = 0; w < f->n_written; w++)
			if (sr_stencil_overlap(f->p, operand, f->written[w]) &&
			    !(s->kind == SR_INSTR_NEST && (int)i < nest->n_inputs && is_same_memory(f->p, operand, f->written[w]) &&
			      row_of(f, operand) > 0 && sr_stencil_reads_edges(f->out, nest, (int)i, row_of(f, operand))))
				return false;
	}
	return true;
}

/* Return true if the nests load the results of the halo exchange only in iterations on edges. */
static bool loads_exchange_on_edges(struct finder *f)
{
	for (int k = 0; k < f->out->n_nests; k++)
		for (int i = 0; i < nest_of(f, k)->n_instrs; i++) {
			const struct sr_nest_instr *in = sr_nest_instrs(nest_of(f, k)) + i;
			const struct sr_nest_access *a = in->op == SR_NEST_LOAD ? &f->merged[k]->accesses[in->access] : NULL;
			int64_t first, last;
			int loop;
			if (!a || !is_exchanged(f, operands_of(f, f->nests[k].instr)[a->buffer], true))
				continue;
			if (f->nests[k].scale != 1 || !sr_nest_find_bound(f->merged[k], a, &loop, &first, &last) || loop != 0 ||
			    !sr_stencil_add_edge(f->out, first, last))
				return false;
		}
	return true;
}

/* Check the instructions of the condition and of the body other than the nests and the swaps. The condition's result may share
 * memory with temporary values. */
static bool check_other_instrs(struct finder *f)
{
	const struct sr_computation *cond = sr_program_computations(f->p) + f->loop->cond;
	const struct sr_instr *instrs = sr_program_instrs(f->p);
	mark_exchange(f);
	for (int64_t i = cond->first; i < (int64_t)cond->first + cond->n; i++)
		if (sr_stencil_may_communicate(instrs + i) || !is_independent(f, instrs + i, true) ||
		    shares_with_exchange(f, instrs + i, f->loop->predicate))
			return false;
	for (int64_t k = 0; k < f->body->n; k++)
		if (f->is_exchange[k] && !is_on_edges(f, instrs + f->body->first + k))
			return false;
	return !f->out->has_exchange || (!f->out->is_periodic && loads_exchange_on_edges(f));
}

const struct sr_stencil_loop *sr_find_stencil_sequence(const struct sr_loaded_program *l, const struct sr_while_instr *w,
						       struct sr_arena *arena)
{
	const struct sr_computation *body = sr_program_computations(l->program) + w->body;
	struct sr_stencil_loop *out = SR_NEW(arena, struct sr_stencil_loop);
	struct finder f = {.l = l, .p = l->program, .body = body, .loop = w, .out = out};
	find_shape(&f, arena);
	if (out->rows < 1 || !find_nests(&f, arena))
		return NULL;
	int *copied_output = SR_NEW_ARRAY(arena, int, body->n);
	for (int64_t k = 0; k < body->n; k++)
		copied_output[k] = -1;
	out->nests = SR_NEW_ARRAY(arena, struct sr_stencil_nest, out->n_nests);
	memcpy(out->nests, f.nests, sizeof *out->nests * (size_t)out->n_nests);
	out->copied_output = copied_output;
	out->is_exchange = f.is_exchange = SR_NEW_ARRAY(arena, bool, body->n);
	out->halo = 1;
	if (!find_written(&f) || !check_loads(&f) || !check_other_instrs(&f))
		return NULL;
	out->edge = out->halo > out->edge ? out->halo : out->edge;
	count_bytes(&f);
	return out;
}
