/* The invariants of a program, checked before a blob is trusted: sections inside the blob, indices inside sections, buffers inside the
 * arena, plans that form a tree. */
#include "program/groups.h"
#include "support/checked.h"
#include <string.h>

struct check {
	const struct sr_program *p;
	uint64_t bytes;
	const char *message;
};

static bool fail(struct check *c, const char *message)
{
	c->message = message;
	return false;
}

static bool section(struct check *c, struct sr_section s, uint64_t size)
{
	uint64_t n, end;
	if (sr_mul_overflows(s.n, size, &n) || sr_add_overflows(s.offset, n, &end) || end > c->bytes || s.offset % 16)
		return fail(c, "a section lies outside the program");
	return true;
}

static bool sections(struct check *c)
{
	const struct sr_program *p = c->p;
	return section(c, p->buffers, sizeof(struct sr_buffer)) && section(c, p->steps, sizeof(struct sr_step)) &&
	       section(c, p->plans, sizeof(struct sr_plan)) && section(c, p->operands, sizeof(int32_t)) &&
	       section(c, p->shifts, sizeof(struct sr_shift)) && section(c, p->params, 1) &&
	       section(c, p->ids, sizeof(int64_t)) && section(c, p->groups, sizeof(struct sr_group_list)) &&
	       section(c, p->values, sizeof(struct sr_io)) && section(c, p->inits, sizeof(struct sr_init)) && section(c, p->data, 1) &&
	       section(c, p->text, 1) && section(c, p->mesh, sizeof(struct sr_program_axis)) && section(c, p->device_ids, sizeof(int64_t)) &&
	       section(c, p->alive, sizeof(struct sr_alive)) && section(c, p->whole, sizeof(struct sr_whole)) &&
	       section(c, p->taps, sizeof(struct sr_tap));
}

static bool range(uint64_t first, uint64_t n, uint64_t size)
{
	uint64_t end;
	return !sr_add_overflows(first, n, &end) && end <= size;
}

static bool buffers(struct check *c)
{
	const struct sr_program *p = c->p;
	for (uint64_t i = 0; i < p->buffers.n; i++) {
		const struct sr_buffer *b = sr_program_buffers(p) + i;
		if (b->offset < 0 || b->bytes < 0 || b->offset % 64 || !range((uint64_t)b->offset, (uint64_t)b->bytes, (uint64_t)p->arena_bytes))
			return fail(c, "a buffer lies outside the arena");
		if (b->dtype >= SR_DTYPE_COUNT)
			return fail(c, "a buffer has no element type");
	}
	for (uint64_t i = 0; i < p->operands.n; i++)
		if (sr_program_operands(p)[i] < 0 || (uint64_t)sr_program_operands(p)[i] >= p->buffers.n)
			return fail(c, "an operand names no buffer");
	for (uint64_t i = 0; i < p->inits.n; i++) {
		const struct sr_init *in = sr_program_inits(p) + i;
		if (in->buffer < 0 || (uint64_t)in->buffer >= p->buffers.n || !range(in->data, in->n, p->data.n))
			return fail(c, "a constant lies outside the program");
		if (in->n > (uint64_t)sr_program_buffers(p)[in->buffer].bytes)
			return fail(c, "a constant is longer than its buffer");
	}
	return true;
}

/* Every function is a later plan, and all that entries and functions name lies among the step's operands. */
static bool parallel(struct check *c, const struct sr_step *s, const struct sr_parallel_step *k, uint64_t plan)
{
	const struct sr_program *p = c->p;
	const int64_t *ids = sr_program_ids(p);
	uint64_t entries = (uint64_t)k->replicas * (uint64_t)k->partitions, n = (uint64_t)k->n_functions;
	if (k->replicas < 1 || k->partitions < 1 || k->n_functions < 1 || entries > (uint64_t)p->n_devices || !range(k->functions, 5 * n, p->ids.n) ||
	    !range(k->entries, 3 * entries, p->ids.n))
		return fail(c, "a grid of programs lies outside the program");
	for (uint64_t i = 0; i < n; i++) {
		const int64_t *f = ids + k->functions + 5 * i;
		if (f[0] <= (int64_t)plan || (uint64_t)f[0] >= p->plans.n || f[2] < 0 || f[4] < 0 || !range((uint64_t)f[1], (uint64_t)f[2], s->n_operands) ||
		    !range((uint64_t)f[3], (uint64_t)f[4], s->n_operands))
			return fail(c, "a grid names no plan");
	}
	for (uint64_t i = 0; i < entries; i++) {
		const int64_t *e = ids + k->entries + 3 * i;
		if (e[0] < 0 || (uint64_t)e[0] >= n)
			return fail(c, "a program of a grid is none of its functions");
		const int64_t *f = ids + k->functions + 5 * (uint64_t)e[0];
		if (!range((uint64_t)e[1], (uint64_t)f[2], s->n_operands) ||
		    !range((uint64_t)e[2], (uint64_t)f[4], s->n_operands))
			return fail(c, "a program of a grid names no values");
	}
	return true;
}

/* The operands of a body's kind are there, and the body's own buffers behind them, which hold an element for each lane. */
static bool body(struct check *c, const struct sr_step *s, const struct sr_body_step *b)
{
	static const struct {
		uint8_t per_k, more, results; /* operands: per_k * k + more; result buffers, 0: k */
	} kinds[] = {[SR_BODY_REDUCE] = {3, 0, 0},
		     [SR_BODY_REDUCE_WINDOW] = {3, 0, 0},
		     [SR_BODY_SORT] = {2, 0, 1},
		     [SR_BODY_SCATTER] = {3, 1, 0},
		     [SR_BODY_SELECT] = {2, 0, 1}};
	const int32_t *operands = sr_program_operands(c->p) + s->first_operand;
	if (b->kind < 0 || (size_t)b->kind >= sizeof kinds / sizeof *kinds)
		return fail(c, "a body is of no known kind");
	uint64_t k = (uint64_t)b->k, n_results = kinds[b->kind].results ? kinds[b->kind].results : k;
	if (b->k < 1 || (b->kind == SR_BODY_SELECT && k != 1) || b->arguments < 0 || b->results < 0 || b->lanes < 0 ||
	    !range(0, kinds[b->kind].per_k * k + kinds[b->kind].more, s->n_operands) ||
	    !range((uint64_t)b->arguments, 2 * k, s->n_operands) || !range((uint64_t)b->results, n_results, s->n_operands))
		return fail(c, "a body lacks operands");
	for (uint64_t i = 0; i < 2 * k + n_results; i++) {
		uint64_t at = i < 2 * k ? (uint64_t)b->arguments + i : (uint64_t)b->results + i - 2 * k;
		const struct sr_buffer *buffer = sr_program_buffers(c->p) + operands[at];
		if (!buffer->dtype || buffer->bytes / sr_dtype_bytes((enum sr_dtype)buffer->dtype) < b->lanes)
			return fail(c, "a body's buffer is too small");
	}
	return true;
}

/* Operands that begin behind the beginning of their buffers begin in them, at an element. */
static bool shifts(struct check *c, const struct sr_step *s)
{
	const struct sr_program *p = c->p;
	bool may = s->kind == SR_STEP_KERNEL || s->kind == SR_STEP_TILE || s->kind == SR_STEP_COLLECTIVE;
	if (!range(s->first_shift, s->n_shifts, p->shifts.n) || s->n_shifts > (may ? SR_STEP_OPERANDS * SR_KERNEL_RANK : 0))
		return fail(c, "a step's places in buffers lie outside the program");
	for (uint32_t i = 0; i < s->n_shifts; i++) {
		const struct sr_shift *shift = sr_program_shifts(p) + s->first_shift + i;
		int64_t furthest = 0, bytes;
		if (shift->operand < 0 || (uint32_t)shift->operand >= s->n_operands || shift->limit < 0 || shift->stride < 0)
			return fail(c, "a place in a buffer is of no operand");
		if (shift->start >= 0) {
			const struct sr_buffer *start = sr_program_buffers(p) + shift->start;
			if ((uint64_t)shift->start >= p->buffers.n || !start->dtype ||
			    !sr_dtype_is_integer((enum sr_dtype)start->dtype) ||
			    start->bytes < sr_dtype_bytes((enum sr_dtype)start->dtype))
				return fail(c, "a place in a buffer follows from no integer");
		}
		int32_t buffer = sr_program_operands(p)[s->first_operand + (uint32_t)shift->operand];
		const struct sr_buffer *in = sr_program_buffers(p) + buffer;
		for (uint32_t k = 0; k <= i; k++) {
			const struct sr_shift *other = shift - k;
			if (other->operand == shift->operand && (sr_mul_overflows(other->limit, other->stride, &bytes) ||
								 sr_add_overflows(furthest, bytes, &furthest)))
				return fail(c, "a place lies outside its buffer");
		}
		if (furthest > in->bytes || !in->dtype || shift->stride % sr_dtype_bytes((enum sr_dtype)in->dtype))
			return fail(c, "a place lies outside its buffer");
	}
	return true;
}

/* A tile stands in its params whole, and reaches no further than its buffers. */
static bool tile(struct check *c, const struct sr_step *s)
{
	int64_t elements[SR_TILE_BUFFERS];
	uint8_t dtypes[SR_TILE_BUFFERS];
	const struct sr_program *p = c->p;
	if (s->n_operands > SR_TILE_BUFFERS)
		return fail(c, "a tile has more buffers than there may be");
	for (uint32_t i = 0; i < s->n_operands; i++) {
		const struct sr_buffer *b = sr_program_buffers(p) + sr_program_operands(p)[s->first_operand + i];
		dtypes[i] = b->dtype;
		elements[i] = b->dtype ? (b->bytes - sr_program_furthest(p, s, i)) / sr_dtype_bytes((enum sr_dtype)b->dtype) : 0;
	}
	return sr_tile_check((const void *)(sr_program_params(p) + s->params), p->params.n - s->params, elements, dtypes, (int)s->n_operands,
			     &c->message);
}

/* A check, print or probe has the values that its kind takes, which hold all elements of its shape. */
static bool look(struct check *c, const struct sr_step *s, const struct sr_check_step *k)
{
	const struct sr_program *p = c->p;
	uint32_t values = k->kind <= SR_CHECK_CLOSE ? 2 : 1;
	int64_t bytes = sr_dtype_bytes((enum sr_dtype)s->dtype);
	if (k->kind < 0 || k->kind > SR_CHECK_TAP || !s->dtype || s->n_operands < values)
		return fail(c, "a check has not what its kind takes");
	if (k->rank < 0 || k->rank > SR_KERNEL_RANK || !range(k->shape, (uint64_t)k->rank, p->ids.n) || k->type >= p->text.n ||
	    k->name >= p->text.n)
		return fail(c, "a check lies outside the program");
	for (int32_t d = 0; d < k->rank; d++)
		if (sr_program_ids(p)[k->shape + (uint64_t)d] < 0 ||
		    sr_mul_overflows(bytes, sr_program_ids(p)[k->shape + (uint64_t)d], &bytes))
			return fail(c, "a check has no shape");
	if (k->kind == SR_CHECK_TAP) {
		if (k->iteration < 0 || (uint64_t)k->iteration >= p->taps.n)
			return fail(c, "a step looks at no value that is known");
		values = s->n_operands;
		bytes = sr_program_buffers(p)[sr_program_operands(p)[s->first_operand]].bytes > bytes && values > 1
			    ? sr_program_buffers(p)[sr_program_operands(p)[s->first_operand]].bytes /* all of it is handed on */
			    : bytes;
	}
	for (uint32_t i = 0; i < values; i++)
		if (sr_program_buffers(p)[sr_program_operands(p)[s->first_operand + i]].bytes < bytes)
			return fail(c, "a check reaches beyond its values");
	return true;
}

/* One operand's type at *at in ids: its buffer holds as much. */
static bool custom_type(const struct sr_program *p, const struct sr_buffer *buffer, uint64_t *at)
{
	int64_t bytes;
	if (!range(*at, 2, p->ids.n))
		return false;
	const int64_t *t = sr_program_ids(p) + *at;
	if (t[0] <= SR_DTYPE_NONE || t[0] >= SR_DTYPE_COUNT || t[1] < 0 || t[1] > SR_MAX_RANK || !range(*at + 2, (uint64_t)t[1],
			p->ids.n))
		return false;
	bytes = sr_dtype_bytes((enum sr_dtype)t[0]);
	for (int64_t d = 0; d < t[1]; d++)
		if (t[2 + d] < 0 || sr_mul_overflows(bytes, t[2 + d], &bytes))
			return false;
	*at += 2 + (uint64_t)t[1];
	return bytes <= buffer->bytes;
}

static bool custom_attr(const struct sr_program *p, const struct sr_custom_step *k, const struct sr_custom_attr *a, uint64_t i)
{
	if (a->name >= p->text.n || a->kind >= SR_CUSTOM_KINDS || a->dtype >= SR_DTYPE_COUNT)
		return false;
	if (a->kind == SR_CUSTOM_STRING)
		return range(a->at, a->n, p->text.n);
	if (a->kind == SR_CUSTOM_DICTIONARY)
		return a->at > i && range(a->at, a->n, k->n_attrs);
	return a->kind == SR_CUSTOM_SCALAR ? sr_dtype_bytes((enum sr_dtype)a->dtype) <= 8
					   : range(a->at, (uint64_t)a->n * (uint64_t)sr_dtype_bytes((enum sr_dtype)a->dtype),
						   k->n_bytes);
}

static bool custom(struct check *c, const struct sr_step *s, const struct sr_custom_step *k)
{
	const struct sr_program *p = c->p;
	const struct sr_custom_attr *attrs = (const void *)(k + 1);
	uint64_t behind = s->params + sizeof *k, at = k->types;
	if (k->what >= p->text.n || k->name >= p->text.n)
		return fail(c, "a call's text lies outside the program");
	if (k->n_inputs == -1)
		return true;
	if (k->n_inputs < 0 || (uint32_t)k->n_inputs > s->n_operands || k->n_top > k->n_attrs ||
	    !range(behind, (uint64_t)k->n_attrs * sizeof *attrs + k->n_bytes, p->params.n))
		return fail(c, "a call's attributes lie outside the program");
	for (uint64_t i = 0; i < k->n_attrs; i++)
		if (!custom_attr(p, k, &attrs[i], i))
			return fail(c, "an attribute of a call lies outside the program");
	for (uint32_t i = 0; i < s->n_operands; i++)
		if (!custom_type(p, sr_program_buffers(p) + sr_program_operands(p)[s->first_operand + i], &at))
			return fail(c, "a call has no types");
	uint32_t n_results = s->n_operands - (uint32_t)k->n_inputs;
	if (!range(at, n_results, p->ids.n))
		return fail(c, "a call has no types");
	for (uint32_t i = 0; i < n_results; i++) {
		int64_t from = sr_program_ids(p)[at + i];
		const int32_t *operands = sr_program_operands(p) + s->first_operand;
		if (from < 0 || from > k->n_inputs ||
		    (from &&
		     sr_program_buffers(p)[operands[from - 1]].bytes > sr_program_buffers(p)[operands[(uint32_t)k->n_inputs +
				     i]].bytes))
			return fail(c, "a call's result is made from no input");
	}
	return true;
}

/* All elements lie in the step's buffers, however they lie there. */
static bool elements(struct check *c, const struct sr_step *s, const struct sr_collective_step *k)
{
	const struct sr_program *p = c->p;
	const int32_t *operands = sr_program_operands(p) + s->first_operand;
	struct sr_coll_call call = sr_program_call(p, s);
	int64_t bytes;
	if (call.type == SR_DTYPE_NONE || call.n < 1 || call.n > p->n_devices || k->count < 0 ||
	    sr_mul_overflows(k->count, 64, &bytes) || sr_mul_overflows(bytes, (int64_t)call.n, &bytes))
		return fail(c, "a collective has no number of elements");
	if (!sr_coll_forms_are_good(&call))
		return fail(c, "a collective's rows are not its elements");
	const int64_t needed[SR_FORMS] = {sr_coll_in_bytes(&call), sr_coll_out_bytes(&call)};
	for (int i = 0; i < SR_FORMS; i++)
		if (sr_form_extent(&call.form[i], needed[i]) >
		    sr_program_buffers(p)[operands[i]].bytes - sr_program_furthest(p, s, (uint32_t)i))
			return fail(c, "a collective's elements lie outside its operands");
	return true;
}

/* What a step's kind reads of its params at least; kernels know their own. */
static const size_t params_bytes[SR_STEP_COUNT] = {
	[SR_STEP_COLLECTIVE] = sizeof(struct sr_collective_step), [SR_STEP_WHILE] = sizeof(struct sr_while_step),
	[SR_STEP_CASE] = sizeof(struct sr_case_step),		  [SR_STEP_DEVICE_ID] = sizeof(int32_t),
	[SR_STEP_BODY] = sizeof(struct sr_body_step),		  [SR_STEP_CUSTOM] = sizeof(struct sr_custom_step),
	[SR_STEP_CHECK] = sizeof(struct sr_check_step),		  [SR_STEP_PARALLEL] = sizeof(struct sr_parallel_step),
	[SR_STEP_TILE] = sizeof(struct sr_tile),		  [SR_STEP_FINISH] = sizeof(struct sr_collective_step),
	[SR_STEP_WITHDRAW] = sizeof(struct sr_collective_step),
};

static bool step(struct check *c, const struct sr_step *s, uint64_t plan)
{
	const struct sr_program *p = c->p;
	const char *params = sr_program_params(p) + s->params;
	if (s->kind >= SR_STEP_COUNT || s->kernel >= SR_KERNEL_COUNT || s->dtype >= SR_DTYPE_COUNT)
		return fail(c, "a step is of no known kind");
	if (!range(s->first_operand, s->n_operands, p->operands.n) || s->params % 16 || !range(s->params, params_bytes[s->kind], p->params.n))
		return fail(c, "a step's operands lie outside the program");
	if (s->kind == SR_STEP_KERNEL && s->n_operands > SR_STEP_OPERANDS)
		return fail(c, "a kernel has more operands than there may be");
	if (s->place >= p->text.n || s->op >= p->text.n || s->cause >= p->text.n)
		return fail(c, "a step's texts lie outside the program");
	if (!shifts(c, s))
		return false;
	uint64_t first = 0, n = 0;
	if (s->kind == SR_STEP_WHILE) {
		const struct sr_while_step *w = (const void *)params;
		if (w->cond < 0 || w->body < 0 || (uint64_t)w->cond <= plan || (uint64_t)w->cond >= p->plans.n || w->predicate < 0 ||
		    (uint64_t)w->predicate >= p->buffers.n)
			return fail(c, "a loop names no plan");
		first = (uint64_t)w->body, n = 1;
	} else if (s->kind == SR_STEP_CASE) {
		const struct sr_case_step *k = (const void *)params;
		if (k->n < 1 || k->first < 0 || !s->n_operands)
			return fail(c, "a choice has no plans");
		first = (uint64_t)k->first, n = (uint64_t)k->n;
	} else if (s->kind == SR_STEP_BODY) {
		if (!body(c, s, (const void *)params))
			return false;
		first = (uint64_t)((const struct sr_body_step *)(const void *)params)->plan, n = 1;
	} else if (s->kind == SR_STEP_CHECK) {
		return look(c, s, (const void *)params);
	} else if (s->kind == SR_STEP_CUSTOM) {
		return custom(c, s, (const void *)params);
	} else if (s->kind == SR_STEP_TILE) {
		return tile(c, s);
	} else if (s->kind == SR_STEP_PARALLEL) {
		return parallel(c, s, (const void *)params, plan);
	} else if (s->kind == SR_STEP_COLLECTIVE) {
		if (((const struct sr_collective_step *)(const void *)params)->moved > p->text.n)
			return fail(c, "a collective's texts lie outside the program");
		const struct sr_collective_step *k = (const void *)params;
		if (k->coll < 0 || k->coll >= SR_COLL_COUNT || k->monoid < 0 || k->monoid >= SR_MONOID_COUNT || s->n_operands != 2)
			return fail(c, "a collective is of no known kind");
		if ((k->coll == SR_PERMUTE) != (k->group < 0))
			return fail(c, "a collective has not what its kind takes: a group, or a permute's pairs");
		if (k->group >= 0 ? (uint64_t)k->group >= p->groups.n
				  : (k->members >= 0 && (uint64_t)k->members >= p->groups.n) || !sr_program_pairs_are_good(p, k))
			return fail(c, "a collective names no group");
		return elements(c, s, k);
	}
	/* an owned plan comes after its owner's, so plans form a tree */
	if (n && (first <= plan || !range(first, n, p->plans.n)))
		return fail(c, "a step names no plan");
	return true;
}

static bool axis_name(const struct sr_program *p, int64_t name)
{
	return name >= 0 && (uint64_t)name < p->text.n;
}

/* The mesh of a value: its number of axes, -1 where it is none over the program's partitions. */
static int64_t mesh_axes(const struct sr_program *p, const struct sr_io *io)
{
	int64_t partitions = p->n_devices / p->n_replicas, devices = 1, n_ids = (int64_t)p->device_ids.n;
	if (io->mesh && !range(io->mesh - 1, 1, p->ids.n))
		return -1;
	const int64_t *ids = sr_program_ids(p), *at = ids + (io->mesh ? io->mesh - 1 : 0);
	int64_t n = io->mesh ? *at++ : (int64_t)p->mesh.n;
	if (n < 0 || n > SR_PROGRAM_AXES || (io->mesh && !range((uint64_t)(at - ids), 2 * (uint64_t)n + 1, p->ids.n)))
		return -1;
	for (int64_t i = 0; i < n; i++) {
		int64_t name = io->mesh ? at[2 * i] : sr_program_mesh(p)[i].name, size = io->mesh ? at[2 * i + 1] : sr_program_mesh(p)[i].size;
		if (!axis_name(p, name) || size < 1 || sr_mul_overflows(devices, size, &devices))
			return -1;
	}
	if (io->mesh) {
		n_ids = at[2 * n];
		if (n_ids < 0 || !range((uint64_t)(at + 2 * n + 1 - ids), (uint64_t)n_ids, p->ids.n))
			return -1;
	}
	return (n && devices != partitions) || (n_ids && n_ids != devices) ? -1 : n;
}

static bool sharding(const struct sr_program *p, const struct sr_io *io)
{
	int64_t n_axes = mesh_axes(p, io), n_refs = 0;
	uint64_t at = io->refs;
	if (!range(at, 0, p->ids.n))
		return false;
	for (int32_t d = 0; n_axes >= 0 && d < io->rank; d++) {
		if (!range(at, 1, p->ids.n))
			return false;
		int64_t n = sr_program_ids(p)[at++];
		if (n < 0 || n > SR_PROGRAM_REFS - n_refs || !range(at, 3 * (uint64_t)n, p->ids.n))
			return false;
		n_refs += n;
		for (; n > 0; n--, at += 3) {
			const int64_t *ref = sr_program_ids(p) + at;
			if (ref[0] < 0 || ref[0] >= n_axes || ref[1] < 1 || ref[2] < 1)
				return false;
		}
	}
	return n_axes >= 0;
}

static bool alive(struct check *c)
{
	for (uint64_t i = 0; i < c->p->whole.n; i++) {
		const struct sr_whole *w = sr_program_whole(c->p) + i;
		if (w->op >= c->p->text.n || w->place >= c->p->text.n || w->cure >= c->p->text.n)
			return fail(c, "a whole value's texts lie outside the program");
	}
	for (uint64_t i = 0; i < c->p->alive.n; i++) {
		const struct sr_alive *a = sr_program_alive(c->p) + i;
		if (a->op >= c->p->text.n || a->place >= c->p->text.n)
			return fail(c, "a live buffer's texts lie outside the program");
	}
	return true;
}

static bool value(struct check *c, const struct sr_io *io)
{
	const struct sr_program *p = c->p;
	if (io->buffer < 0 || (uint64_t)io->buffer >= p->buffers.n || io->rank < 0 || io->rank > SR_MAX_RANK ||
	    !range(io->shape, (uint64_t)io->rank, p->ids.n) || io->type >= p->text.n || io->name >= p->text.n)
		return fail(c, "an argument or result lies outside the program");
	if (io->dtype < 0 || io->dtype >= SR_DTYPE_COUNT)
		return fail(c, "an argument or result has no element type");
	for (int32_t d = 0; d < io->rank; d++)
		if (sr_program_ids(p)[io->shape + (uint64_t)d] < 0 || sr_program_ids(p)[io->shape + (uint64_t)d] > INT64_MAX / 2)
			return fail(c, "an argument or result has no shape");
	return sharding(p, io) || fail(c, "an argument's or result's sharding fits no mesh of the program");
}

/* And that a device's part of it lies in its buffer. */
static bool taps(struct check *c)
{
	const struct sr_program *p = c->p;
	for (uint64_t i = 0; i < p->taps.n; i++) {
		const struct sr_tap *t = sr_program_taps(p) + i;
		if (!value(c, &t->io))
			return false;
		struct sr_device_slice s = sr_program_slice(p, &t->io, 0);
		int64_t bytes = sr_dtype_bytes((enum sr_dtype)t->io.dtype);
		for (int32_t d = 0; d < t->io.rank; d++)
			if (sr_mul_overflows(bytes, s.local[d], &bytes))
				return fail(c, "a value that is looked at has no size");
		if (bytes > sr_program_buffers(p)[t->io.buffer].bytes || t->n_sources < 0 ||
		    !range(t->sources, (uint64_t)t->n_sources, p->ids.n) || t->op >= p->text.n || t->said >= p->text.n ||
		    t->place >= p->text.n || t->name >= p->text.n || t->id < 0)
			return fail(c, "a value that is looked at lies outside the program");
	}
	return true;
}

static bool values(struct check *c)
{
	const struct sr_program *p = c->p;
	if (p->n_arguments < 0 || p->n_results < 0 || (uint64_t)p->n_arguments + (uint64_t)p->n_results != p->values.n)
		return fail(c, "arguments and results do not add up");
	for (uint64_t i = 0; i < p->values.n; i++) {
		const struct sr_io *io = sr_program_values(p) + i;
		if (!value(c, io))
			return false;
		if (io->aliases < -1 || io->aliases >= (i < (uint64_t)p->n_arguments ? 0 : p->n_arguments))
			return fail(c, "a result takes the place of no argument");
	}
	for (uint64_t i = 0; i < p->groups.n; i++) {
		const struct sr_group_list *g = sr_program_groups(p) + i;
		if (!sr_program_group_is_good(p, g))
			return fail(c, "a group lies outside the program");
	}
	return true;
}

int64_t sr_program_start_of(const struct sr_program *p, const struct sr_plan *plan, uint32_t i)
{
	const struct sr_step *steps = sr_program_steps(p);
	for (int64_t k = (int64_t)i - 1; k >= plan->first; k--)
		if (steps[k].kind == SR_STEP_COLLECTIVE && steps[k].params == steps[i].params)
			return k;
	return -1;
}

/* A collective ends in the plan that it starts in, once: it finishes, and is withdrawn then. `seen` has its ends so far. */
static bool ends(struct check *c, const struct sr_plan *plan, uint32_t start)
{
	const struct sr_step *steps = sr_program_steps(c->p);
	const struct sr_collective_step *k = (const void *)(sr_program_params(c->p) + steps[start].params);
	int32_t seen = 0;
	for (uint32_t i = start + 1; seen != k->ends && i < plan->first + plan->n; i++) {
		if (steps[i].params != steps[start].params || !sr_step_is_collective(&steps[i]))
			continue;
		int32_t end = 0;
		if (steps[i].kind != SR_STEP_COLLECTIVE)
			end = steps[i].kind == SR_STEP_FINISH ? SR_ENDS_FINISH : SR_ENDS_WITHDRAW;
		if (!end || seen & end || (end == SR_ENDS_WITHDRAW && k->ends & SR_ENDS_FINISH && !seen))
			break;
		seen |= end;
	}
	return seen == k->ends || fail(c, "a collective does not end as it says");
}

/* And what ends has started. */
static bool all_ends(struct check *c, const struct sr_plan *plan)
{
	const struct sr_step *steps = sr_program_steps(c->p);
	for (uint32_t i = plan->first; i < plan->first + plan->n; i++) {
		if (steps[i].kind == SR_STEP_COLLECTIVE && !ends(c, plan, i))
			return false;
		bool is_end = sr_step_is_collective(&steps[i]) && steps[i].kind != SR_STEP_COLLECTIVE;
		if (is_end && sr_program_start_of(c->p, plan, i) < 0)
			return fail(c, "what ends is no collective that has started");
	}
	return true;
}

enum sr_status sr_program_check(const struct sr_program *p, uint64_t n_bytes, const char **message)
{
	struct check c = {p, n_bytes, NULL};
	bool good = n_bytes >= sizeof *p && !memcmp(p->magic, SR_PROGRAM_MAGIC, sizeof p->magic) && p->version == sr_program_version() && p->bytes == n_bytes &&
		    p->arena_bytes >= 0;
	if (!good)
		fail(&c, "not a program of this version");
	good = good && sections(&c);
	if (good && (!p->text.n || p->model >= p->text.n || sr_program_text(p)[p->text.n - 1] || !p->plans.n || p->n_devices < 1 || p->n_replicas < 1 || p->n_devices % p->n_replicas))
		good = fail(&c, "the program has no entry");
	good = good && buffers(&c) && values(&c) && alive(&c) && taps(&c);
	for (uint64_t i = 0; good && i < p->plans.n; i++) {
		const struct sr_plan *plan = sr_program_plans(p) + i;
		good = range(plan->first, plan->n, p->steps.n) || fail(&c, "a plan lies outside the program");
		for (uint32_t k = 0; good && k < plan->n; k++)
			good = step(&c, sr_program_steps(p) + plan->first + k, i);
		good = good && all_ends(&c, plan);
	}
	*message = c.message;
	return good ? SR_OK : SR_INTERNAL;
}
