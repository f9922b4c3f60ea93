/* Check that instructions read and write only inside their operands: all fields of all kinds that addresses are computed from. */
#include "kernels/kernel_check.h"
#include "program/program_check.h"
#include <string.h>

#define NOT_COMPLETED "a collective is not completed as its fields say"
enum { IS_STARTED = 128 }; /* bit of sr_checker.collectives beside SR_ENDS_* */

static const struct sr_buffer *operand(const struct sr_checker *c, const struct sr_instr *instr, uint64_t i)
{
	return sr_program_buffers(c->p) + sr_program_operands(c->p)[instr->first_operand + i];
}

/* Check entry e of a grid with function f. The entry's inputs are copied into the function's arguments, the function's results into
 * the entry's. */
static bool check_entry(struct sr_checker *c, const struct sr_instr *instr, const int64_t *e, const int64_t *f)
{
	if (!sr_check_range((uint64_t)e[1], (uint64_t)f[2], instr->n_operands) ||
	    !sr_check_range((uint64_t)e[2], (uint64_t)f[4], instr->n_operands))
		return sr_check_fail(c, "an entry of a grid has values outside its operands");
	for (int64_t i = 0; i < f[2]; i++)
		if (operand(c, instr, (uint64_t)(e[1] + i))->bytes != operand(c, instr, (uint64_t)(f[1] + i))->bytes)
			return sr_check_fail(c, "an entry of a grid has values of other sizes than its function");
	for (int64_t i = 0; i < f[4]; i++)
		if (operand(c, instr, (uint64_t)(e[2] + i))->bytes != operand(c, instr, (uint64_t)(f[3] + i))->bytes)
			return sr_check_fail(c, "an entry of a grid has values of other sizes than its function");
	return true;
}

/* Check that all operands that entries and functions name are operands of the instruction. */
static bool check_parallel(struct sr_checker *c, const struct sr_instr *instr, const struct sr_parallel_instr *k)
{
	const struct sr_program *p = c->p;
	const int64_t *ids = sr_program_ids(p);
	uint64_t entries = (uint64_t)k->replicas * (uint64_t)k->partitions, n = (uint64_t)k->n_functions;
	if (k->replicas < 1 || k->partitions < 1 || k->n_functions < 1 || entries > (uint64_t)p->n_devices ||
	    !sr_check_range(k->functions, 5 * n, p->ids.n) || !sr_check_range(k->entries, 3 * entries, p->ids.n))
		return sr_check_fail(c, "a grid's fields are outside the program");
	for (uint64_t i = 0; i < n; i++) {
		const int64_t *f = ids + k->functions + 5 * i;
		if (f[2] < 0 || f[4] < 0 || !sr_check_range((uint64_t)f[1], (uint64_t)f[2], instr->n_operands) ||
		    !sr_check_range((uint64_t)f[3], (uint64_t)f[4], instr->n_operands))
			return sr_check_fail(c, "a function of a grid is invalid");
	}
	for (uint64_t i = 0; i < entries; i++) {
		const int64_t *e = ids + k->entries + 3 * i;
		if (e[0] < 0 || (uint64_t)e[0] >= n)
			return sr_check_fail(c, "an entry of a grid has no function");
		if (!check_entry(c, instr, e, ids + k->functions + 5 * (uint64_t)e[0]))
			return false;
	}
	return true;
}

/* ---- instructions with a body ---- */

struct body {
	const struct sr_instr *s;
	const struct sr_body_instr *b;
	uint64_t k;
};

/* Return true if operand i has at least n elements, whose size in bytes is that of the elements of `model`. */
static bool has_elements(const struct sr_checker *c, const struct body *b, uint64_t i, int64_t n, const struct sr_buffer *model)
{
	const struct sr_buffer *buffer = operand(c, b->s, i);
	int bytes = sr_dtype_bytes((enum sr_dtype)buffer->dtype);
	return bytes > 0 && bytes == sr_dtype_bytes((enum sr_dtype)model->dtype) && n <= buffer->bytes / bytes;
}

/* Check a reduction of `in` elements of each input to `out` elements. The body computes as many outputs as it has lanes. */
static bool check_reduction(const struct sr_checker *c, const struct body *b, int64_t in, int64_t out)
{
	for (uint64_t i = 0; i < b->k; i++) {
		const struct sr_buffer *input = operand(c, b->s, i);
		if (!has_elements(c, b, i, in, input) || !has_elements(c, b, b->k + i, 1, input) ||
		    !has_elements(c, b, 2 * b->k + i, out, input))
			return false;
	}
	return b->b->lanes == out;
}

static bool check_reduce(const struct sr_checker *c, const struct body *b)
{
	int64_t in, out;
	return sr_reduce_check(&b->b->u.reduce, &in, &out) && check_reduction(c, b, in, out);
}

static bool check_reduce_window(const struct sr_checker *c, const struct body *b)
{
	int64_t in, out;
	return sr_window_check(&b->b->u.window, &in, &out) && check_reduction(c, b, in, out);
}

/* Check a sort, which needs scratch for two arrays of a row's indices. */
static bool check_sort(const struct sr_checker *c, const struct body *b)
{
	const struct sr_sort_params *p = &b->b->u.sort;
	int64_t n, scratch;
	if (!sr_sort_check(p, &n) || sr_mul_overflows(p->length, 2 * (int64_t)sizeof(int64_t), &scratch) ||
	    scratch > c->p->scratch_bytes)
		return false;
	for (uint64_t i = 0; i < b->k; i++)
		if (!has_elements(c, b, i, n, operand(c, b->s, i)) || !has_elements(c, b, b->k + i, n, operand(c, b->s, i)))
			return false;
	return true;
}

static bool check_scatter(const struct sr_checker *c, const struct body *b)
{
	const struct sr_gather_params *g = &b->b->u.scatter.g;
	int64_t in, indices, updates;
	if (!sr_gather_check(g, &in, &indices, &updates) ||
	    indices > operand(c, b->s, b->k)->bytes / sr_dtype_bytes((enum sr_dtype)g->index_type))
		return false;
	for (uint64_t i = 0; i < b->k; i++) {
		const struct sr_buffer *input = operand(c, b->s, i);
		if (!has_elements(c, b, i, in, input) || !has_elements(c, b, b->k + 1 + i, updates, input) ||
		    input->bytes != operand(c, b->s, 2 * b->k + 1 + i)->bytes)
			return false;
	}
	return true;
}

static bool check_select(const struct sr_checker *c, const struct body *b)
{
	int64_t in, out;
	return b->k == 1 && sr_window_check(&b->b->u.window, &in, &out) && has_elements(c, b, 0, in, operand(c, b->s, 0)) &&
	       out <= operand(c, b->s, 1)->bytes / (int64_t)sizeof(int64_t);
}

/* Check an instruction with a body. The body's argument and result buffers hold an element of the operand for each lane.
 * Comparators (sort, select) take two arguments for each operand. */
static bool check_body(struct sr_checker *c, const struct sr_instr *instr, const struct sr_body_instr *b)
{
	static const struct {
		bool (*check)(const struct sr_checker *c, const struct body *b);
		uint8_t operands_per_k, extra_operands; /* number of operands: operands_per_k * k + extra_operands */
		bool compares; /* true for a comparator: the body has two adjacent arguments for each operand, and an i1 result */
	} kinds[] = {[SR_BODY_REDUCE] = {check_reduce, 3, 0, false},
		     [SR_BODY_REDUCE_WINDOW] = {check_reduce_window, 3, 0, false},
		     [SR_BODY_SORT] = {check_sort, 2, 0, true},
		     [SR_BODY_SCATTER] = {check_scatter, 3, 1, false},
		     [SR_BODY_SELECT] = {check_select, 2, 0, true}};
	if (b->kind < 0 || (size_t)b->kind >= sizeof kinds / sizeof *kinds)
		return sr_check_fail(c, "an instruction's body is of an unknown kind");
	uint64_t k = (uint64_t)b->k, n_results = kinds[b->kind].compares ? 1 : k;
	if (b->k < 1 || b->arguments < 0 || b->results < 0 || b->lanes < 0 ||
	    !sr_check_range(0, kinds[b->kind].operands_per_k * k + kinds[b->kind].extra_operands, instr->n_operands) ||
	    !sr_check_range((uint64_t)b->arguments, 2 * k, instr->n_operands) ||
	    !sr_check_range((uint64_t)b->results, n_results, instr->n_operands))
		return sr_check_fail(c, "an instruction with a body has too few operands");
	const struct body bound_body = {instr, b, k};
	bool counts_lanes = b->kind == SR_BODY_REDUCE || b->kind == SR_BODY_REDUCE_WINDOW;
	if (!counts_lanes && b->lanes != 1)
		return sr_check_fail(c, "an instruction's body has a wrong number of lanes");
	for (uint64_t i = 0; i < 2 * k; i++)
		if (!has_elements(c, &bound_body, (uint64_t)b->arguments + i, b->lanes,
				  operand(c, instr, kinds[b->kind].compares ? i / 2 : i % k)))
			return sr_check_fail(c, "a buffer of an instruction's body is too small");
	for (uint64_t i = 0; i < n_results; i++)
		if (kinds[b->kind].compares
			? operand(c, instr, (uint64_t)b->results)->bytes < 1
			: !has_elements(c, &bound_body, (uint64_t)b->results + i, b->lanes, operand(c, instr, i)))
			return sr_check_fail(c, "a buffer of an instruction's body is too small");
	return kinds[b->kind].check(c, &bound_body) || sr_check_fail(c, "an instruction's body reaches outside its operands");
}

/* ---- kernels and loop nests ---- */

/* Check that operands with dynamic offsets begin inside their buffers, at an element. */
static bool check_dynamic_offsets(struct sr_checker *c, const struct sr_instr *instr)
{
	const struct sr_program *p = c->p;
	bool may = instr->kind == SR_INSTR_KERNEL || instr->kind == SR_INSTR_NEST || instr->kind == SR_INSTR_COLLECTIVE;
	if (!sr_check_range(instr->first_dynamic_offset, instr->n_dynamic_offsets, p->dynamic_offsets.n) ||
	    instr->n_dynamic_offsets > (may ? SR_INSTR_MAX_OPERANDS * SR_KERNEL_MAX_RANK : 0))
		return sr_check_fail(c, "an instruction's dynamic offsets are outside the program");
	for (uint32_t i = 0; i < instr->n_dynamic_offsets; i++) {
		const struct sr_dynamic_offset *dynamic_offset = sr_program_dynamic_offsets(p) + instr->first_dynamic_offset + i;
		int64_t furthest = 0, bytes;
		if (dynamic_offset->operand < 0 || (uint32_t)dynamic_offset->operand >= instr->n_operands ||
		    dynamic_offset->limit < 0 || dynamic_offset->stride < 0)
			return sr_check_fail(c, "a dynamic offset has no operand, or a negative limit or stride");
		if (dynamic_offset->start >= 0) {
			const struct sr_buffer *start = sr_program_buffers(p) + dynamic_offset->start;
			if ((uint64_t)dynamic_offset->start >= p->buffers.n || !start->dtype ||
			    !sr_dtype_is_integer((enum sr_dtype)start->dtype) ||
			    start->bytes < sr_dtype_bytes((enum sr_dtype)start->dtype))
				return sr_check_fail(c, "a dynamic offset's start index is not an integer");
		}
		int32_t buffer = sr_program_operands(p)[instr->first_operand + (uint32_t)dynamic_offset->operand];
		const struct sr_buffer *in = sr_program_buffers(p) + buffer;
		for (uint32_t k = 0; k <= i; k++) {
			const struct sr_dynamic_offset *previous = dynamic_offset - k;
			if (previous->operand == dynamic_offset->operand &&
			    (sr_mul_overflows(previous->limit, previous->stride, &bytes) ||
			     sr_add_overflows(furthest, bytes, &furthest)))
				return sr_check_fail(c, "a dynamic offset is outside its buffer");
		}
		if (furthest > in->bytes || !in->dtype || dynamic_offset->stride % sr_dtype_bytes((enum sr_dtype)in->dtype))
			return sr_check_fail(c, "a dynamic offset is outside its buffer");
	}
	return true;
}

/* Check that a loop nest is complete in its params and stays inside its buffers. */
static bool check_nest(struct sr_checker *c, const struct sr_instr *instr)
{
	int64_t elements[SR_NEST_MAX_BUFFERS];
	uint8_t dtypes[SR_NEST_MAX_BUFFERS];
	const struct sr_program *p = c->p;
	if (instr->n_operands > SR_NEST_MAX_BUFFERS)
		return sr_check_fail(c, "a loop nest has too many buffers");
	for (uint32_t i = 0; i < instr->n_operands; i++) {
		const struct sr_buffer *b = sr_program_buffers(p) + sr_program_operands(p)[instr->first_operand + i];
		dtypes[i] = b->dtype;
		elements[i] = b->dtype ? (b->bytes - sr_program_max_offset(p, instr, i)) / sr_dtype_bytes((enum sr_dtype)b->dtype)
				       : 0;
	}
	return sr_nest_check((const void *)(sr_program_params(p) + instr->params), p->params.n - instr->params, elements, dtypes,
			     (int)instr->n_operands, &c->message);
}

static bool check_kernel(struct sr_checker *c, const struct sr_instr *instr)
{
	int64_t bytes[SR_INSTR_MAX_OPERANDS];
	if (instr->n_operands > SR_INSTR_MAX_OPERANDS)
		return sr_check_fail(c, "a kernel has too many operands");
	for (uint32_t i = 0; i < instr->n_operands; i++)
		bytes[i] = operand(c, instr, i)->bytes - sr_program_max_offset(c->p, instr, i);
	const struct sr_kernel_call call = {.kernel = (enum sr_kernel)instr->kernel,
					    .type = (enum sr_dtype)instr->dtype,
					    .params = sr_program_params(c->p) + instr->params,
					    .n_params = c->p->params.n - instr->params,
					    .range = instr->range,
					    .scratch = c->p->scratch_bytes,
					    .bytes = bytes,
					    .n_buffers = (int)instr->n_operands};
	return sr_kernel_check(&call) || sr_check_fail(c, "a kernel reaches outside its operands");
}

/* ---- other instructions ---- */

/* Check a compare, print or probe: it has the operands of its kind, which hold all elements of its shape. */
static bool check_op(struct sr_checker *c, const struct sr_instr *instr, const struct sr_check_instr *k)
{
	const struct sr_program *p = c->p;
	uint32_t n_values = k->kind <= SR_CHECK_CLOSE ? 2 : 1;
	int64_t bytes = sr_dtype_bytes((enum sr_dtype)instr->dtype);
	if (k->kind < 0 || k->kind > SR_CHECK_VALUE_PROBE || !instr->dtype || instr->n_operands < n_values)
		return sr_check_fail(c, "a check lacks operands of its kind");
	if (k->rank < 0 || k->rank > SR_KERNEL_MAX_RANK || !sr_check_range(k->shape, (uint64_t)k->rank, p->ids.n) ||
	    k->type >= p->text.n ||
	    k->name >= p->text.n)
		return sr_check_fail(c, "a check's fields are outside the program");
	for (int32_t d = 0; d < k->rank; d++)
		if (sr_program_ids(p)[k->shape + (uint64_t)d] < 0 ||
		    sr_mul_overflows(bytes, sr_program_ids(p)[k->shape + (uint64_t)d], &bytes))
			return sr_check_fail(c, "a check's shape is invalid");
	if (k->kind == SR_CHECK_VALUE_PROBE) {
		if (k->iteration < 0 || (uint64_t)k->iteration >= p->probes.n)
			return sr_check_fail(c, "a probe is outside the program's table");
		n_values = instr->n_operands;
		bytes = sr_program_buffers(p)[sr_program_operands(p)[instr->first_operand]].bytes > bytes && n_values > 1
			    /* The probe copies the full buffer. */
			    ? sr_program_buffers(p)[sr_program_operands(p)[instr->first_operand]].bytes
			    : bytes;
	}
	if (k->kind <= SR_CHECK_CLOSE && instr->n_operands > 2 && operand(c, instr, 2)->bytes < 1)
		return sr_check_fail(c, "a check lacks operands of its kind");
	for (uint32_t i = 0; i < n_values; i++)
		if (sr_program_buffers(p)[sr_program_operands(p)[instr->first_operand + i]].bytes < bytes)
			return sr_check_fail(c, "a check reaches beyond its operands");
	return true;
}

/* Check the type of one operand, which is stored at *at in `ids`, against the operand's buffer, and move *at to the next type. */
static bool check_custom_call_type(const struct sr_program *p, const struct sr_buffer *buffer, uint64_t *at)
{
	int64_t bytes;
	if (!sr_check_range(*at, 2, p->ids.n))
		return false;
	const int64_t *t = sr_program_ids(p) + *at;
	if (t[0] <= SR_DTYPE_NONE || t[0] >= SR_DTYPE_COUNT || t[1] < 0 || t[1] > SR_MAX_RANK ||
	    !sr_check_range(*at + 2, (uint64_t)t[1], p->ids.n))
		return false;
	bytes = sr_dtype_bytes((enum sr_dtype)t[0]);
	for (int64_t d = 0; d < t[1]; d++)
		if (t[2 + d] < 0 || sr_mul_overflows(bytes, t[2 + d], &bytes))
			return false;
	*at += 2 + (uint64_t)t[1];
	return bytes <= buffer->bytes;
}

static bool check_custom_call_attr(const struct sr_program *p, const struct sr_custom_call_instr *k, const struct sr_custom_attr *a,
				   uint64_t i)
{
	if (a->name >= p->text.n || a->kind >= SR_CUSTOM_KINDS || a->dtype >= SR_DTYPE_COUNT)
		return false;
	if (a->kind == SR_CUSTOM_STRING)
		return sr_check_range(a->payload, a->n, p->text.n);
	if (a->kind == SR_CUSTOM_DICTIONARY)
		return a->payload > i && sr_check_range(a->payload, a->n, k->n_attrs);
	return a->kind == SR_CUSTOM_SCALAR
		   ? sr_dtype_bytes((enum sr_dtype)a->dtype) <= 8
		   : sr_check_range(a->payload, (uint64_t)a->n * (uint64_t)sr_dtype_bytes((enum sr_dtype)a->dtype), k->n_bytes);
}

static bool check_custom_call(struct sr_checker *c, const struct sr_instr *instr, const struct sr_custom_call_instr *k)
{
	const struct sr_program *p = c->p;
	const struct sr_custom_attr *attrs = (const void *)(k + 1);
	uint64_t attrs_start = instr->params + sizeof *k, at = k->types;
	if (k->description >= p->text.n || k->name >= p->text.n)
		return sr_check_fail(c, "a custom call's text is outside the program");
	if (k->n_inputs == SR_CUSTOM_UNKNOWN || k->n_inputs == SR_CUSTOM_FAILED_CHECK)
		return true;
	if (k->n_inputs < 0 || (uint32_t)k->n_inputs > instr->n_operands || k->n_top > k->n_attrs ||
	    !sr_check_range(attrs_start, (uint64_t)k->n_attrs * sizeof *attrs + k->n_bytes, p->params.n))
		return sr_check_fail(c, "a custom call's attributes are outside the program");
	for (uint64_t i = 0; i < k->n_attrs; i++)
		if (!check_custom_call_attr(p, k, &attrs[i], i))
			return sr_check_fail(c, "an attribute of a custom call is outside the program");
	for (uint32_t i = 0; i < instr->n_operands; i++)
		if (!check_custom_call_type(p, sr_program_buffers(p) + sr_program_operands(p)[instr->first_operand + i], &at))
			return sr_check_fail(c, "a custom call's types are invalid");
	uint32_t n_results = instr->n_operands - (uint32_t)k->n_inputs;
	if (!sr_check_range(at, n_results, p->ids.n))
		return sr_check_fail(c, "a custom call's types are invalid");
	for (uint32_t i = 0; i < n_results; i++) {
		int64_t operand_number = sr_program_ids(p)[at + i];
		const int32_t *operands = sr_program_operands(p) + instr->first_operand;
		if (operand_number < 0 || operand_number > k->n_inputs ||
		    (operand_number && sr_program_buffers(p)[operands[operand_number - 1]].bytes >
				 sr_program_buffers(p)[operands[(uint32_t)k->n_inputs + i]].bytes))
			return sr_check_fail(c, "a custom call's result aliases no input");
	}
	return true;
}

/* Check that all elements of a collective are inside its operands, with their layouts. */
static bool check_collective_elements(struct sr_checker *c, const struct sr_instr *instr, const struct sr_collective_instr *k)
{
	const struct sr_program *p = c->p;
	const int32_t *operands = sr_program_operands(p) + instr->first_operand;
	struct sr_coll_call call = sr_program_collective_call(p, instr);
	int64_t bytes;
	if (call.type == SR_DTYPE_NONE || call.n < 1 || call.n > p->n_devices || k->count < 0 ||
	    sr_mul_overflows(k->count, 64, &bytes) || sr_mul_overflows(bytes, (int64_t)call.n, &bytes))
		return sr_check_fail(c, "a collective's number of elements is invalid");
	if (!sr_coll_layouts_are_valid(&call))
		return sr_check_fail(c, "a collective's rows do not add up to its elements");
	const int64_t needed_elements[SR_COLL_LAYOUTS] = {sr_coll_in_bytes(&call), sr_coll_out_bytes(&call)};
	for (int i = 0; i < SR_COLL_LAYOUTS; i++)
		if (sr_coll_layout_extent(&call.form[i], needed_elements[i]) >
		    sr_program_buffers(p)[operands[i]].bytes - sr_program_max_offset(p, instr, (uint32_t)i))
			return sr_check_fail(c, "a collective's elements are outside its operands");
	return true;
}

/* Minimum size of the params of each kind of instruction; sr_kernel_check checks those of kernels. */
static const size_t params_bytes[SR_INSTR_COUNT] = {
	[SR_INSTR_COLLECTIVE] = sizeof(struct sr_collective_instr), [SR_INSTR_WHILE] = sizeof(struct sr_while_instr),
	[SR_INSTR_CASE] = sizeof(struct sr_case_instr),		  [SR_INSTR_DEVICE_ID] = sizeof(int32_t),
	[SR_INSTR_BODY] = sizeof(struct sr_body_instr),		  [SR_INSTR_CUSTOM_CALL] = sizeof(struct sr_custom_call_instr),
	[SR_INSTR_CHECK] = sizeof(struct sr_check_instr),		  [SR_INSTR_PARALLEL] = sizeof(struct sr_parallel_instr),
	[SR_INSTR_NEST] = sizeof(struct sr_nest),		  [SR_INSTR_FINISH] = sizeof(struct sr_collective_instr),
	[SR_INSTR_RELEASE] = sizeof(struct sr_collective_instr),
};

static bool check_collective(struct sr_checker *c, const struct sr_instr *instr, const struct sr_collective_instr *k)
{
	const struct sr_program *p = c->p;
	if (k->reshard_text > p->text.n)
		return sr_check_fail(c, "a collective's texts are outside the program");
	if (k->coll < 0 || k->coll >= SR_COLL_COUNT || k->monoid < 0 || k->monoid >= SR_MONOID_COUNT || instr->n_operands != 2)
		return sr_check_fail(c, "a collective is of an unknown kind");
	if ((k->coll == SR_PERMUTE) != (k->group < 0))
		return sr_check_fail(c, "a collective has neither a group nor, if it is a permute, pairs");
	if (k->group >= 0 ? (uint64_t)k->group >= p->groups.n
			  : (k->members >= 0 && (uint64_t)k->members >= p->groups.n) || !sr_program_pairs_are_valid(p, k, c->seen))
		return sr_check_fail(c, "a collective's group is invalid");
	return check_collective_elements(c, instr, k);
}

/* Check a while, case or device id. The predicate of a while is an i1; the index of a case is an i32, or an i1 if there are two
 * branches. */
static bool check_control(struct sr_checker *c, const struct sr_instr *instr, const void *params)
{
	const struct sr_program *p = c->p;
	const struct sr_while_instr *w = params;
	const struct sr_case_instr *k = params;
	if (instr->kind == SR_INSTR_WHILE &&
	    (w->predicate < 0 || (uint64_t)w->predicate >= p->buffers.n || sr_program_buffers(p)[w->predicate].bytes < 1))
		return sr_check_fail(c, "a while has no predicate");
	if (instr->kind == SR_INSTR_CASE && (k->n < (k->is_predicate ? 2 : 1) || k->first < 0 || !instr->n_operands ||
					     operand(c, instr, 0)->bytes < (k->is_predicate ? 1 : (int64_t)sizeof(int32_t))))
		return sr_check_fail(c, "a case has no computations");
	if (instr->kind == SR_INSTR_DEVICE_ID && (instr->n_operands < 1 || operand(c, instr, 0)->bytes < (int64_t)sizeof(uint32_t)))
		return sr_check_fail(c, "the result of a device id is too small");
	return true;
}

bool sr_check_instruction(struct sr_checker *c, const struct sr_instr *instr)
{
	const struct sr_program *p = c->p;
	if (instr->kind >= SR_INSTR_COUNT || instr->kernel >= SR_KERNEL_COUNT || instr->dtype >= SR_DTYPE_COUNT)
		return sr_check_fail(c, "an instruction is of an unknown kind");
	if (!sr_check_range(instr->first_operand, instr->n_operands, p->operands.n) || instr->params % SR_PROGRAM_ALIGN ||
	    !sr_check_range(instr->params, params_bytes[instr->kind], p->params.n))
		return sr_check_fail(c, "an instruction's operands are outside the program");
	if (instr->place >= p->text.n || instr->op >= p->text.n || instr->cause >= p->text.n)
		return sr_check_fail(c, "an instruction's texts are outside the program");
	if (!check_dynamic_offsets(c, instr))
		return false;
	const void *params = sr_program_params(p) + instr->params;
	switch ((enum sr_instr_kind)instr->kind) {
	case SR_INSTR_KERNEL:
		return check_kernel(c, instr);
	case SR_INSTR_NEST:
		return check_nest(c, instr);
	case SR_INSTR_COLLECTIVE:
		return check_collective(c, instr, params);
	case SR_INSTR_BODY:
		return check_body(c, instr, params);
	case SR_INSTR_CUSTOM_CALL:
		return check_custom_call(c, instr, params);
	case SR_INSTR_CHECK:
		return check_op(c, instr, params);
	case SR_INSTR_PARALLEL:
		return check_parallel(c, instr, params);
	default:
		return check_control(c, instr, params);
	}
}

/* ---- computations ---- */

/* Make computation number `computation` the owner of computations first .. first + n - 1. */
static bool claim_computations(struct sr_checker *c, int64_t first, int64_t n, uint64_t computation)
{
	if (first <= (int64_t)computation || !sr_check_range((uint64_t)first, (uint64_t)n, c->p->computations.n))
		return sr_check_fail(c, "an instruction's computation is invalid");
	for (int64_t i = first; i < first + n; i++) {
		if (c->depth[i] || c->depth[computation] >= SR_PROGRAM_DEPTH)
			return sr_check_fail(c, "a computation has two owners or is nested too deep");
		c->depth[i] = c->depth[computation] + 1;
	}
	return true;
}

bool sr_check_owned_computations(struct sr_checker *c, const struct sr_instr *instr, uint64_t computation)
{
	const void *params = sr_program_params(c->p) + instr->params;
	const struct sr_while_instr *w = params;
	const struct sr_case_instr *k = params;
	const struct sr_parallel_instr *grid = params;
	bool is_owned = true;
	switch ((enum sr_instr_kind)instr->kind) {
	case SR_INSTR_WHILE:
		return claim_computations(c, w->cond, 1, computation) && claim_computations(c, w->body, 1, computation);
	case SR_INSTR_CASE:
		return claim_computations(c, k->first, k->n, computation);
	case SR_INSTR_BODY:
		return claim_computations(c, ((const struct sr_body_instr *)params)->computation, 1, computation);
	case SR_INSTR_PARALLEL:
		for (uint64_t i = 0; is_owned && i < (uint64_t)grid->n_functions; i++)
			is_owned = claim_computations(c, sr_program_ids(c->p)[grid->functions + 5 * i], 1, computation);
		return is_owned;
	default:
		return true;
	}
}

/* Record that an instruction completes a collective, which must have been started and not been completed in this way. A FINISH comes
 * before the RELEASE. */
static bool record_end(struct sr_checker *c, const struct sr_instr *instr)
{
	const struct sr_collective_instr *k = (const void *)(sr_program_params(c->p) + instr->params);
	int32_t end = instr->kind == SR_INSTR_FINISH ? SR_ENDS_FINISH : SR_ENDS_RELEASE;
	uint8_t *state = &c->collectives[instr->params];
	if (!*state)
		return sr_check_fail(c, "an instruction completes a collective that was not started");
	if (!(k->completion_flags & end) || *state & end ||
	    (end == SR_ENDS_RELEASE && k->completion_flags & SR_ENDS_FINISH && !(*state & SR_ENDS_FINISH)))
		return sr_check_fail(c, NOT_COMPLETED);
	*state |= (uint8_t)end;
	return true;
}

/* Return true if the collective with these params was not started, or is completed. */
static bool is_completed(const struct sr_checker *c, uint32_t params)
{
	const struct sr_collective_instr *k = (const void *)(sr_program_params(c->p) + params);
	return !c->collectives[params] || (c->collectives[params] & ~IS_STARTED) == k->completion_flags;
}

bool sr_check_collective_ends(struct sr_checker *c, const struct sr_computation *computation)
{
	const struct sr_instr *instrs = sr_program_instrs(c->p) + computation->first;
	for (uint32_t i = 0; i < computation->n; i++) {
		if (!sr_instr_is_collective(&instrs[i]))
			continue;
		if (instrs[i].kind != SR_INSTR_COLLECTIVE && !record_end(c, &instrs[i]))
			return false;
		if (instrs[i].kind == SR_INSTR_COLLECTIVE && !is_completed(c, instrs[i].params))
			return sr_check_fail(c, NOT_COMPLETED);
		if (instrs[i].kind == SR_INSTR_COLLECTIVE)
			c->collectives[instrs[i].params] = IS_STARTED;
	}
	for (uint32_t i = 0; i < computation->n; i++) {
		if (!sr_instr_is_collective(&instrs[i]))
			continue;
		if (!is_completed(c, instrs[i].params))
			return sr_check_fail(c, NOT_COMPLETED);
		c->collectives[instrs[i].params] = 0;
	}
	return true;
}

