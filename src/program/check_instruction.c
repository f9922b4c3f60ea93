/* Checks of instructions: every field that says where an instruction reads or writes, of every kind. */
#include "kernels/kernel_check.h"
#include "program/program_check.h"
#include <string.h>

/* Buffer of operand i. */
static const struct sr_buffer *operand(const struct sr_checker *c, const struct sr_instr *s, uint64_t i)
{
	return sr_program_buffers(c->p) + sr_program_operands(c->p)[s->first_operand + i];
}

/* Programs of a grid copy their inputs into their function's arguments, and its results into theirs. */
static bool entry(struct sr_checker *c, const struct sr_instr *s, const int64_t *e, const int64_t *f)
{
	if (!sr_check_range((uint64_t)e[1], (uint64_t)f[2], s->n_operands) || !sr_check_range((uint64_t)e[2], (uint64_t)f[4],
	    s->n_operands))
		return sr_check_fail(c, "a program of a grid names no values");
	for (int64_t i = 0; i < f[2]; i++)
		if (operand(c, s, (uint64_t)(e[1] + i))->bytes != operand(c, s, (uint64_t)(f[1] + i))->bytes)
			return sr_check_fail(c, "a program of a grid has values of other sizes than its function");
	for (int64_t i = 0; i < f[4]; i++)
		if (operand(c, s, (uint64_t)(e[2] + i))->bytes != operand(c, s, (uint64_t)(f[3] + i))->bytes)
			return sr_check_fail(c, "a program of a grid has values of other sizes than its function");
	return true;
}

/* All that entries and functions name lies among the step's operands. */
static bool parallel(struct sr_checker *c, const struct sr_instr *s, const struct sr_parallel_instr *k)
{
	const struct sr_program *p = c->p;
	const int64_t *ids = sr_program_ids(p);
	uint64_t entries = (uint64_t)k->replicas * (uint64_t)k->partitions, n = (uint64_t)k->n_functions;
	if (k->replicas < 1 || k->partitions < 1 || k->n_functions < 1 || entries > (uint64_t)p->n_devices ||
	    !sr_check_range(k->functions, 5 * n, p->ids.n) || !sr_check_range(k->entries, 3 * entries, p->ids.n))
		return sr_check_fail(c, "a grid of programs lies outside the program");
	for (uint64_t i = 0; i < n; i++) {
		const int64_t *f = ids + k->functions + 5 * i;
		if (f[2] < 0 || f[4] < 0 || !sr_check_range((uint64_t)f[1], (uint64_t)f[2], s->n_operands) ||
		    !sr_check_range((uint64_t)f[3], (uint64_t)f[4], s->n_operands))
			return sr_check_fail(c, "a grid names no plan");
	}
	for (uint64_t i = 0; i < entries; i++) {
		const int64_t *e = ids + k->entries + 3 * i;
		if (e[0] < 0 || (uint64_t)e[0] >= n)
			return sr_check_fail(c, "a program of a grid is none of its functions");
		if (!entry(c, s, e, ids + k->functions + 5 * (uint64_t)e[0]))
			return false;
	}
	return true;
}

/* ---- general bodies ---- */

struct body {
	const struct sr_instr *s;
	const struct sr_body_instr *b;
	uint64_t k;
};

/* Return true if operand i of the step holds n elements of `type`, none of its elements of another size. */
static bool holds(const struct sr_checker *c, const struct body *b, uint64_t i, int64_t n, const struct sr_buffer *like)
{
	const struct sr_buffer *buffer = operand(c, b->s, i);
	int bytes = sr_dtype_bytes((enum sr_dtype)buffer->dtype);
	return bytes > 0 && bytes == sr_dtype_bytes((enum sr_dtype)like->dtype) && n <= buffer->bytes / bytes;
}

/* in: elements of each input; the body computes as many outputs as it has lanes. */
static bool reduction(const struct sr_checker *c, const struct body *b, int64_t in, int64_t out)
{
	for (uint64_t i = 0; i < b->k; i++) {
		const struct sr_buffer *input = operand(c, b->s, i);
		if (!holds(c, b, i, in, input) || !holds(c, b, b->k + i, 1, input) || !holds(c, b, 2 * b->k + i, out, input))
			return false;
	}
	return b->b->lanes == out;
}

static bool reduce(const struct sr_checker *c, const struct body *b)
{
	int64_t in, out;
	return sr_reduce_check(&b->b->u.reduce, &in, &out) && reduction(c, b, in, out);
}

static bool reduce_window(const struct sr_checker *c, const struct body *b)
{
	int64_t in, out;
	return sr_window_check(&b->b->u.window, &in, &out) && reduction(c, b, in, out);
}

/* Positions of a row, twice, are in the program's scratch. */
static bool sort(const struct sr_checker *c, const struct body *b)
{
	const struct sr_sort_params *p = &b->b->u.sort;
	int64_t n, scratch;
	if (!sr_sort_check(p, &n) || sr_mul_overflows(p->length, 2 * (int64_t)sizeof(int64_t), &scratch) ||
	    scratch > c->p->scratch_bytes)
		return false;
	for (uint64_t i = 0; i < b->k; i++)
		if (!holds(c, b, i, n, operand(c, b->s, i)) || !holds(c, b, b->k + i, n, operand(c, b->s, i)))
			return false;
	return true;
}

static bool scatter(const struct sr_checker *c, const struct body *b)
{
	const struct sr_gather_params *g = &b->b->u.scatter.g;
	int64_t in, indices, updates;
	if (!sr_gather_check(g, &in, &indices, &updates) ||
	    indices > operand(c, b->s, b->k)->bytes / sr_dtype_bytes((enum sr_dtype)g->index_type))
		return false;
	for (uint64_t i = 0; i < b->k; i++) {
		const struct sr_buffer *input = operand(c, b->s, i);
		if (!holds(c, b, i, in, input) || !holds(c, b, b->k + 1 + i, updates, input) ||
		    input->bytes != operand(c, b->s, 2 * b->k + 1 + i)->bytes)
			return false;
	}
	return true;
}

static bool select(const struct sr_checker *c, const struct body *b)
{
	int64_t in, out;
	return b->k == 1 && sr_window_check(&b->b->u.window, &in, &out) && holds(c, b, 0, in, operand(c, b->s, 0)) &&
	       out <= operand(c, b->s, 1)->bytes / (int64_t)sizeof(int64_t);
}

/* The body's own buffers hold an element of its operands for each lane. Arguments of a sort and a selection come in pairs. */
static bool body(struct sr_checker *c, const struct sr_instr *s, const struct sr_body_instr *b)
{
	static const struct {
		bool (*check)(const struct sr_checker *c, const struct body *b);
		uint8_t per_k, more; /* operands: per_k * k + more */
		bool compares;       /* two arguments of each operand, one after the other, and an i1 */
	} kinds[] = {[SR_BODY_REDUCE] = {reduce, 3, 0, false},
		     [SR_BODY_REDUCE_WINDOW] = {reduce_window, 3, 0, false},
		     [SR_BODY_SORT] = {sort, 2, 0, true},
		     [SR_BODY_SCATTER] = {scatter, 3, 1, false},
		     [SR_BODY_SELECT] = {select, 2, 0, true}};
	if (b->kind < 0 || (size_t)b->kind >= sizeof kinds / sizeof *kinds)
		return sr_check_fail(c, "a body is of no known kind");
	uint64_t k = (uint64_t)b->k, n_results = kinds[b->kind].compares ? 1 : k;
	if (b->k < 1 || b->arguments < 0 || b->results < 0 || b->lanes < 0 ||
	    !sr_check_range(0, kinds[b->kind].per_k * k + kinds[b->kind].more, s->n_operands) ||
	    !sr_check_range((uint64_t)b->arguments, 2 * k, s->n_operands) || !sr_check_range((uint64_t)b->results, n_results,
	    s->n_operands))
		return sr_check_fail(c, "a body lacks operands");
	const struct body bound = {s, b, k};
	bool by_lanes = b->kind == SR_BODY_REDUCE || b->kind == SR_BODY_REDUCE_WINDOW;
	if (!by_lanes && b->lanes != 1)
		return sr_check_fail(c, "a body has other lanes than its kind");
	for (uint64_t i = 0; i < 2 * k; i++)
		if (!holds(c, &bound, (uint64_t)b->arguments + i, b->lanes, operand(c, s, kinds[b->kind].compares ? i / 2 : i % k)))
			return sr_check_fail(c, "a body's buffer is too small");
	for (uint64_t i = 0; i < n_results; i++)
		if (kinds[b->kind].compares ? operand(c, s, (uint64_t)b->results)->bytes < 1
					    : !holds(c, &bound, (uint64_t)b->results + i, b->lanes, operand(c, s, i)))
			return sr_check_fail(c, "a body's buffer is too small");
	return kinds[b->kind].check(c, &bound) || sr_check_fail(c, "a body reaches outside its operands");
}

/* ---- kernels and tiles ---- */

/* Operands that begin behind the beginning of their buffers begin in them, at an element. */
static bool shifts(struct sr_checker *c, const struct sr_instr *s)
{
	const struct sr_program *p = c->p;
	bool may = s->kind == SR_INSTR_KERNEL || s->kind == SR_INSTR_NEST || s->kind == SR_INSTR_COLLECTIVE;
	if (!sr_check_range(s->first_dynamic_offset, s->n_dynamic_offsets, p->dynamic_offsets.n) ||
	    s->n_dynamic_offsets > (may ? SR_INSTR_MAX_OPERANDS * SR_KERNEL_MAX_RANK : 0))
		return sr_check_fail(c, "a step's places in buffers lie outside the program");
	for (uint32_t i = 0; i < s->n_dynamic_offsets; i++) {
		const struct sr_dynamic_offset *shift = sr_program_dynamic_offsets(p) + s->first_dynamic_offset + i;
		int64_t furthest = 0, bytes;
		if (shift->operand < 0 || (uint32_t)shift->operand >= s->n_operands || shift->limit < 0 || shift->stride < 0)
			return sr_check_fail(c, "a place in a buffer is of no operand");
		if (shift->start >= 0) {
			const struct sr_buffer *start = sr_program_buffers(p) + shift->start;
			if ((uint64_t)shift->start >= p->buffers.n || !start->dtype ||
			    !sr_dtype_is_integer((enum sr_dtype)start->dtype) ||
			    start->bytes < sr_dtype_bytes((enum sr_dtype)start->dtype))
				return sr_check_fail(c, "a place in a buffer follows from no integer");
		}
		int32_t buffer = sr_program_operands(p)[s->first_operand + (uint32_t)shift->operand];
		const struct sr_buffer *in = sr_program_buffers(p) + buffer;
		for (uint32_t k = 0; k <= i; k++) {
			const struct sr_dynamic_offset *other = shift - k;
			if (other->operand == shift->operand && (sr_mul_overflows(other->limit, other->stride, &bytes) ||
								 sr_add_overflows(furthest, bytes, &furthest)))
				return sr_check_fail(c, "a place lies outside its buffer");
		}
		if (furthest > in->bytes || !in->dtype || shift->stride % sr_dtype_bytes((enum sr_dtype)in->dtype))
			return sr_check_fail(c, "a place lies outside its buffer");
	}
	return true;
}

/* A tile stands in its params whole, and reaches no further than its buffers. */
static bool tile(struct sr_checker *c, const struct sr_instr *s)
{
	int64_t elements[SR_NEST_MAX_BUFFERS];
	uint8_t dtypes[SR_NEST_MAX_BUFFERS];
	const struct sr_program *p = c->p;
	if (s->n_operands > SR_NEST_MAX_BUFFERS)
		return sr_check_fail(c, "a tile has more buffers than there may be");
	for (uint32_t i = 0; i < s->n_operands; i++) {
		const struct sr_buffer *b = sr_program_buffers(p) + sr_program_operands(p)[s->first_operand + i];
		dtypes[i] = b->dtype;
		elements[i] = b->dtype ? (b->bytes - sr_program_max_offset(p, s, i)) / sr_dtype_bytes((enum sr_dtype)b->dtype) : 0;
	}
	return sr_nest_check((const void *)(sr_program_params(p) + s->params), p->params.n - s->params, elements, dtypes,
	    (int)s->n_operands,
			     &c->message);
}

static bool kernel(struct sr_checker *c, const struct sr_instr *s)
{
	int64_t bytes[SR_INSTR_MAX_OPERANDS];
	if (s->n_operands > SR_INSTR_MAX_OPERANDS)
		return sr_check_fail(c, "a kernel has more operands than there may be");
	for (uint32_t i = 0; i < s->n_operands; i++)
		bytes[i] = operand(c, s, i)->bytes - sr_program_max_offset(c->p, s, i);
	const struct sr_kernel_call call = {.kernel = (enum sr_kernel)s->kernel, .type = (enum sr_dtype)s->dtype,
					    .params = sr_program_params(c->p) + s->params, .n_params = c->p->params.n - s->params,
					    .range = s->range, .scratch = c->p->scratch_bytes, .bytes = bytes,
					    .n_buffers = (int)s->n_operands};
	return sr_kernel_check(&call) || sr_check_fail(c, "a kernel reaches outside its operands");
}

/* ---- the rest ---- */

/* A check, print or probe has the values that its kind takes, which hold all elements of its shape. */
static bool look(struct sr_checker *c, const struct sr_instr *s, const struct sr_check_instr *k)
{
	const struct sr_program *p = c->p;
	uint32_t values = k->kind <= SR_CHECK_CLOSE ? 2 : 1;
	int64_t bytes = sr_dtype_bytes((enum sr_dtype)s->dtype);
	if (k->kind < 0 || k->kind > SR_CHECK_VALUE_PROBE || !s->dtype || s->n_operands < values)
		return sr_check_fail(c, "a check has not what its kind takes");
	if (k->rank < 0 || k->rank > SR_KERNEL_MAX_RANK || !sr_check_range(k->shape, (uint64_t)k->rank, p->ids.n) ||
	    k->type >= p->text.n ||
	    k->name >= p->text.n)
		return sr_check_fail(c, "a check lies outside the program");
	for (int32_t d = 0; d < k->rank; d++)
		if (sr_program_ids(p)[k->shape + (uint64_t)d] < 0 ||
		    sr_mul_overflows(bytes, sr_program_ids(p)[k->shape + (uint64_t)d], &bytes))
			return sr_check_fail(c, "a check has no shape");
	if (k->kind == SR_CHECK_VALUE_PROBE) {
		if (k->iteration < 0 || (uint64_t)k->iteration >= p->probes.n)
			return sr_check_fail(c, "a step looks at no value that is known");
		values = s->n_operands;
		bytes = sr_program_buffers(p)[sr_program_operands(p)[s->first_operand]].bytes > bytes && values > 1
			    ? sr_program_buffers(p)[sr_program_operands(p)[s->first_operand]].bytes /* all of it is handed on */
			    : bytes;
	}
	if (k->kind <= SR_CHECK_CLOSE && s->n_operands > 2 && operand(c, s, 2)->bytes < 1)
		return sr_check_fail(c, "a check has not what its kind takes");
	for (uint32_t i = 0; i < values; i++)
		if (sr_program_buffers(p)[sr_program_operands(p)[s->first_operand + i]].bytes < bytes)
			return sr_check_fail(c, "a check reaches beyond its values");
	return true;
}

/* One operand's type at *at in ids: its buffer holds as much. */
static bool custom_type(const struct sr_program *p, const struct sr_buffer *buffer, uint64_t *at)
{
	int64_t bytes;
	if (!sr_check_range(*at, 2, p->ids.n))
		return false;
	const int64_t *t = sr_program_ids(p) + *at;
	if (t[0] <= SR_DTYPE_NONE || t[0] >= SR_DTYPE_COUNT || t[1] < 0 || t[1] > SR_MAX_RANK || !sr_check_range(*at + 2,
	    (uint64_t)t[1],
			p->ids.n))
		return false;
	bytes = sr_dtype_bytes((enum sr_dtype)t[0]);
	for (int64_t d = 0; d < t[1]; d++)
		if (t[2 + d] < 0 || sr_mul_overflows(bytes, t[2 + d], &bytes))
			return false;
	*at += 2 + (uint64_t)t[1];
	return bytes <= buffer->bytes;
}

static bool custom_attr(const struct sr_program *p, const struct sr_custom_call_instr *k, const struct sr_custom_attr *a, uint64_t i)
{
	if (a->name >= p->text.n || a->kind >= SR_CUSTOM_KINDS || a->dtype >= SR_DTYPE_COUNT)
		return false;
	if (a->kind == SR_CUSTOM_STRING)
		return sr_check_range(a->at, a->n, p->text.n);
	if (a->kind == SR_CUSTOM_DICTIONARY)
		return a->at > i && sr_check_range(a->at, a->n, k->n_attrs);
	return a->kind == SR_CUSTOM_SCALAR ? sr_dtype_bytes((enum sr_dtype)a->dtype) <= 8
					   : sr_check_range(a->at,
					   (uint64_t)a->n * (uint64_t)sr_dtype_bytes((enum sr_dtype)a->dtype),
						   k->n_bytes);
}

static bool custom(struct sr_checker *c, const struct sr_instr *s, const struct sr_custom_call_instr *k)
{
	const struct sr_program *p = c->p;
	const struct sr_custom_attr *attrs = (const void *)(k + 1);
	uint64_t behind = s->params + sizeof *k, at = k->types;
	if (k->what >= p->text.n || k->name >= p->text.n)
		return sr_check_fail(c, "a call's text lies outside the program");
	if (k->n_inputs == SR_CUSTOM_UNKNOWN || k->n_inputs == SR_CUSTOM_FAILED_CHECK)
		return true;
	if (k->n_inputs < 0 || (uint32_t)k->n_inputs > s->n_operands || k->n_top > k->n_attrs ||
	    !sr_check_range(behind, (uint64_t)k->n_attrs * sizeof *attrs + k->n_bytes, p->params.n))
		return sr_check_fail(c, "a call's attributes lie outside the program");
	for (uint64_t i = 0; i < k->n_attrs; i++)
		if (!custom_attr(p, k, &attrs[i], i))
			return sr_check_fail(c, "an attribute of a call lies outside the program");
	for (uint32_t i = 0; i < s->n_operands; i++)
		if (!custom_type(p, sr_program_buffers(p) + sr_program_operands(p)[s->first_operand + i], &at))
			return sr_check_fail(c, "a call has no types");
	uint32_t n_results = s->n_operands - (uint32_t)k->n_inputs;
	if (!sr_check_range(at, n_results, p->ids.n))
		return sr_check_fail(c, "a call has no types");
	for (uint32_t i = 0; i < n_results; i++) {
		int64_t from = sr_program_ids(p)[at + i];
		const int32_t *operands = sr_program_operands(p) + s->first_operand;
		if (from < 0 || from > k->n_inputs ||
		    (from &&
		     sr_program_buffers(p)[operands[from - 1]].bytes > sr_program_buffers(p)[operands[(uint32_t)k->n_inputs +
				     i]].bytes))
			return sr_check_fail(c, "a call's result is made from no input");
	}
	return true;
}

/* All elements lie in the step's buffers, however they lie there. */
static bool elements(struct sr_checker *c, const struct sr_instr *s, const struct sr_collective_instr *k)
{
	const struct sr_program *p = c->p;
	const int32_t *operands = sr_program_operands(p) + s->first_operand;
	struct sr_coll_call call = sr_program_collective_call(p, s);
	int64_t bytes;
	if (call.type == SR_DTYPE_NONE || call.n < 1 || call.n > p->n_devices || k->count < 0 ||
	    sr_mul_overflows(k->count, 64, &bytes) || sr_mul_overflows(bytes, (int64_t)call.n, &bytes))
		return sr_check_fail(c, "a collective has no number of elements");
	if (!sr_coll_layouts_are_valid(&call))
		return sr_check_fail(c, "a collective's rows are not its elements");
	const int64_t needed[SR_COLL_LAYOUTS] = {sr_coll_in_bytes(&call), sr_coll_out_bytes(&call)};
	for (int i = 0; i < SR_COLL_LAYOUTS; i++)
		if (sr_coll_layout_extent(&call.form[i], needed[i]) >
		    sr_program_buffers(p)[operands[i]].bytes - sr_program_max_offset(p, s, (uint32_t)i))
			return sr_check_fail(c, "a collective's elements lie outside its operands");
	return true;
}

/* What a step's kind reads of its params at least; kernels know their own. */
static const size_t params_bytes[SR_INSTR_COUNT] = {
	[SR_INSTR_COLLECTIVE] = sizeof(struct sr_collective_instr), [SR_INSTR_WHILE] = sizeof(struct sr_while_instr),
	[SR_INSTR_CASE] = sizeof(struct sr_case_instr),		  [SR_INSTR_DEVICE_ID] = sizeof(int32_t),
	[SR_INSTR_BODY] = sizeof(struct sr_body_instr),		  [SR_INSTR_CUSTOM_CALL] = sizeof(struct sr_custom_call_instr),
	[SR_INSTR_CHECK] = sizeof(struct sr_check_instr),		  [SR_INSTR_PARALLEL] = sizeof(struct sr_parallel_instr),
	[SR_INSTR_NEST] = sizeof(struct sr_nest),		  [SR_INSTR_FINISH] = sizeof(struct sr_collective_instr),
	[SR_INSTR_RELEASE] = sizeof(struct sr_collective_instr),
};

static bool collective(struct sr_checker *c, const struct sr_instr *s, const struct sr_collective_instr *k)
{
	const struct sr_program *p = c->p;
	if (k->moved > p->text.n)
		return sr_check_fail(c, "a collective's texts lie outside the program");
	if (k->coll < 0 || k->coll >= SR_COLL_COUNT || k->monoid < 0 || k->monoid >= SR_MONOID_COUNT || s->n_operands != 2)
		return sr_check_fail(c, "a collective is of no known kind");
	if ((k->coll == SR_PERMUTE) != (k->group < 0))
		return sr_check_fail(c, "a collective has not what its kind takes: a group, or a permute's pairs");
	if (k->group >= 0 ? (uint64_t)k->group >= p->groups.n
			  : (k->members >= 0 && (uint64_t)k->members >= p->groups.n) || !sr_program_pairs_are_valid(p, k, c->seen))
		return sr_check_fail(c, "a collective names no group");
	return elements(c, s, k);
}

/* A loop's condition is an i1; a choice's index is of 32 bits, or an i1 between two. */
static bool control(struct sr_checker *c, const struct sr_instr *s, const void *params)
{
	const struct sr_program *p = c->p;
	const struct sr_while_instr *w = params;
	const struct sr_case_instr *k = params;
	if (s->kind == SR_INSTR_WHILE && (w->predicate < 0 || (uint64_t)w->predicate >= p->buffers.n ||
	    sr_program_buffers(p)[w->predicate].bytes < 1))
		return sr_check_fail(c, "a loop has no condition");
	if (s->kind == SR_INSTR_CASE && (k->n < (k->is_predicate ? 2 : 1) || k->first < 0 || !s->n_operands ||
					operand(c, s, 0)->bytes < (k->is_predicate ? 1 : (int64_t)sizeof(int32_t))))
		return sr_check_fail(c, "a choice has no plans");
	if (s->kind == SR_INSTR_DEVICE_ID && (s->n_operands < 1 || operand(c, s, 0)->bytes < (int64_t)sizeof(uint32_t)))
		return sr_check_fail(c, "a device's number has no place");
	return true;
}

bool sr_check_instruction(struct sr_checker *c, const struct sr_instr *s)
{
	const struct sr_program *p = c->p;
	if (s->kind >= SR_INSTR_COUNT || s->kernel >= SR_KERNEL_COUNT || s->dtype >= SR_DTYPE_COUNT)
		return sr_check_fail(c, "a step is of no known kind");
	if (!sr_check_range(s->first_operand, s->n_operands, p->operands.n) || s->params % 16 ||
	    !sr_check_range(s->params, params_bytes[s->kind], p->params.n))
		return sr_check_fail(c, "a step's operands lie outside the program");
	if (s->place >= p->text.n || s->op >= p->text.n || s->cause >= p->text.n)
		return sr_check_fail(c, "a step's texts lie outside the program");
	if (!shifts(c, s))
		return false;
	const void *params = sr_program_params(p) + s->params;
	switch ((enum sr_instr_kind)s->kind) {
	case SR_INSTR_KERNEL:
		return kernel(c, s);
	case SR_INSTR_NEST:
		return tile(c, s);
	case SR_INSTR_COLLECTIVE:
		return collective(c, s, params);
	case SR_INSTR_BODY:
		return body(c, s, params);
	case SR_INSTR_CUSTOM_CALL:
		return custom(c, s, params);
	case SR_INSTR_CHECK:
		return look(c, s, params);
	case SR_INSTR_PARALLEL:
		return parallel(c, s, params);
	default:
		return control(c, s, params);
	}
}

/* ---- plans ---- */

/* Plans first .. first + n - 1 are owned by plan number `plan`. */
static bool own(struct sr_checker *c, int64_t first, int64_t n, uint64_t plan)
{
	if (first <= (int64_t)plan || !sr_check_range((uint64_t)first, (uint64_t)n, c->p->computations.n))
		return sr_check_fail(c, "a step names no plan");
	for (int64_t i = first; i < first + n; i++) {
		if (c->depth[i] || c->depth[plan] >= SR_PROGRAM_DEPTH)
			return sr_check_fail(c, "a plan is owned twice, or nested too deep");
		c->depth[i] = c->depth[plan] + 1;
	}
	return true;
}

bool sr_check_owned_computations(struct sr_checker *c, const struct sr_instr *s, uint64_t plan)
{
	const void *params = sr_program_params(c->p) + s->params;
	const struct sr_while_instr *w = params;
	const struct sr_case_instr *k = params;
	const struct sr_parallel_instr *grid = params;
	bool good = true;
	switch ((enum sr_instr_kind)s->kind) {
	case SR_INSTR_WHILE:
		return own(c, w->cond, 1, plan) && own(c, w->body, 1, plan);
	case SR_INSTR_CASE:
		return own(c, k->first, k->n, plan);
	case SR_INSTR_BODY:
		return own(c, ((const struct sr_body_instr *)params)->plan, 1, plan);
	case SR_INSTR_PARALLEL:
		for (uint64_t i = 0; good && i < (uint64_t)grid->n_functions; i++)
			good = own(c, sr_program_ids(c->p)[grid->functions + 5 * i], 1, plan);
		return good;
	default:
		return true;
	}
}

int64_t sr_program_collective_start(const struct sr_program *p, const struct sr_computation *plan, uint32_t i)
{
	const struct sr_instr *steps = sr_program_instrs(p);
	for (int64_t k = (int64_t)i - 1; k >= plan->first; k--)
		if (steps[k].kind == SR_INSTR_COLLECTIVE && steps[k].params == steps[i].params)
			return k;
	return -1;
}

/* A collective ends in the plan that it starts in, once: it finishes, and is withdrawn then. `seen` has its ends so far. */
static bool ends(struct sr_checker *c, const struct sr_computation *plan, uint32_t start)
{
	const struct sr_instr *steps = sr_program_instrs(c->p);
	const struct sr_collective_instr *k = (const void *)(sr_program_params(c->p) + steps[start].params);
	int32_t seen = 0;
	for (uint32_t i = start + 1; seen != k->ends && i < plan->first + plan->n; i++) {
		if (steps[i].params != steps[start].params || !sr_instr_is_collective(&steps[i]))
			continue;
		int32_t end = 0;
		if (steps[i].kind != SR_INSTR_COLLECTIVE)
			end = steps[i].kind == SR_INSTR_FINISH ? SR_ENDS_FINISH : SR_ENDS_RELEASE;
		if (!end || seen & end || (end == SR_ENDS_RELEASE && k->ends & SR_ENDS_FINISH && !seen))
			break;
		seen |= end;
	}
	return seen == k->ends || sr_check_fail(c, "a collective does not end as it says");
}

/* And what ends has started. */
bool sr_check_collective_ends(struct sr_checker *c, const struct sr_computation *plan)
{
	const struct sr_instr *steps = sr_program_instrs(c->p);
	for (uint32_t i = plan->first; i < plan->first + plan->n; i++) {
		if (steps[i].kind == SR_INSTR_COLLECTIVE && !ends(c, plan, i))
			return false;
		bool is_end = sr_instr_is_collective(&steps[i]) && steps[i].kind != SR_INSTR_COLLECTIVE;
		if (is_end && sr_program_collective_start(c->p, plan, i) < 0)
			return sr_check_fail(c, "what ends is no collective that has started");
	}
	return true;
}

