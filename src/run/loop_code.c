/* Translation of interpreted loops to threaded code, and its execution. */
#include "run/loop_code.h"
#include "kernels/element.h"
#include "run/backend.h"
#include <string.h>

struct translation {
	const struct sr_loaded_program *l;
	struct sr_code *code;
	struct sr_arena *arena;
};

/* ---- ops ---- */

struct code_run { /* passed to the ops */
	struct sr_execution_context *x;
	enum sr_status *status; /* of an instruction that failed */
};

static struct sr_code_op *launch(SR_CODE_PARAMETERS)
{
	const struct sr_execution_context *x = ((const struct code_run *)data)->x;
	const struct sr_ready_instr *r = op->params;
	if (r->shifted)
		sr_context_apply_offsets(x, r);
	x->loaded->backend->launch(x, r);
	return op + 1;
}

/* Execute an instruction of the program, whose struct sr_ready_instr is op->params. If it fails, end the run. */
static struct sr_code_op *execute(SR_CODE_PARAMETERS)
{
	const struct code_run *run = data;
	*run->status = sr_execute_next(run->x, (const struct sr_ready_instr *)op->params - run->x->loaded->instrs);
	return *run->status ? NULL : op + 1;
}

static struct sr_code_op *jump(SR_CODE_PARAMETERS)
{
	return op + op->n;
}

/* Select one of n branches, whose jumps follow. */
static struct sr_code_op *select_branch(SR_CODE_PARAMETERS)
{
	int32_t i;
	memcpy(&i, op->at[0], sizeof i);
	return op + 1 + (i < 0 || i >= op->n ? op->n - 1 : i);
}

/* ---- translation ---- */

static const struct sr_program *program_of(const struct translation *t)
{
	return t->l->program;
}

static const struct sr_buffer *buffer_of(const struct translation *t, const struct sr_instr *s, uint32_t operand)
{
	return sr_program_buffers(program_of(t)) + sr_program_operands(program_of(t))[s->first_operand + operand];
}

static struct sr_code_address operand_address(const struct sr_instr *s, uint32_t operand)
{
	return (struct sr_code_address){.base = SR_CODE_OPERAND, .number = (int64_t)s->first_operand + operand};
}

static bool do_buffers_overlap(const struct sr_buffer *a, const struct sr_buffer *b)
{
	return a->offset < b->offset + b->bytes && b->offset < a->offset + a->bytes;
}

static bool translate_map(struct translation *t, const struct sr_instr *s)
{
	struct sr_code_address at[SR_CODE_ADDRESSES];
	struct sr_map_params p = *(const struct sr_map_params *)(const void *)(sr_program_params(program_of(t)) + s->params);
	enum { MAX_ELEMENTS = 4096 };
	if (s->range > MAX_ELEMENTS || s->range < 1 || s->n_operands > SR_CODE_ADDRESSES)
		return false;
	p.n = s->range;
	for (uint32_t k = 0; k < s->n_operands; k++)
		at[k] = operand_address(s, k);
	sr_code_push_map(t->code, t->arena, t->l->kernels, (enum sr_kernel)s->kernel, (enum sr_dtype)s->dtype, &p, at,
			 (int)s->n_operands - 1);
	return true;
}

/* Translate a copy whose elements are contiguous in both buffers. */
static bool translate_move(struct translation *t, const struct sr_instr *s)
{
	const struct sr_move_params *m = (const void *)(sr_program_params(program_of(t)) + s->params);
	struct sr_code_address from = operand_address(s, 0), to = operand_address(s, 1);
	int64_t n = 1;
	for (int d = m->rank - 1; d >= 0; d--) {
		if (m->shape[d] != 1 && (m->src_stride[d] != n || m->dst_stride[d] != n))
			return false;
		n *= m->shape[d];
	}
	from.offset = m->src_offset * m->bytes;
	to.offset = m->dst_offset * m->bytes;
	sr_code_push_copy(t->code, t->arena, to, from, n * m->bytes);
	return true;
}

static bool translate_fill(struct translation *t, const struct sr_instr *s)
{
	const struct sr_fill_params *f = (const void *)(sr_program_params(program_of(t)) + s->params);
	if (f->n == 1)
		sr_code_push_copy(t->code, t->arena, operand_address(s, 1), operand_address(s, 0), f->bytes);
	return f->n == 1;
}

/* Translate a dynamic_update_slice in place whose slice is contiguous in the buffer. */
static bool translate_update_slice(struct translation *t, const struct sr_instr *s)
{
	const struct sr_dynamic_slice_params *p = (const void *)(sr_program_params(program_of(t)) + s->params);
	const int32_t *operands = sr_program_operands(program_of(t)) + s->first_operand;
	struct sr_code_slice *slice = SR_NEW(t->arena, struct sr_code_slice);
	struct sr_code_address at[SR_CODE_ADDRESSES] = {[SR_CODE_SLICE_ELEMENT] = operand_address(s, 1),
							[SR_CODE_INDICES] = operand_address(s, s->n_operands - 1)};
	int64_t stride = p->bytes, n = p->bytes;
	bool is_contiguous = true;
	for (int d = p->rank - 1; d >= 0; d--) {
		is_contiguous = is_contiguous && (p->size[d] == 1 || n == stride);
		n *= p->size[d];
		if (p->size[d] != p->src[d]) {
			if (slice->n == SR_CODE_SLICE_ELEMENT)
				return false;
			slice->index[slice->n].type = (enum sr_dtype)p->index_type;
			slice->index[slice->n].limit = p->src[d] - p->size[d];
			slice->index[slice->n].stride = stride;
			at[slice->n++] = operand_address(s, (uint32_t)(2 + d));
		}
		stride *= p->src[d];
	}
	if (!is_contiguous || buffer_of(t, s, 0)->offset != buffer_of(t, s, s->n_operands - 1)->offset ||
	    operands[0] != operands[s->n_operands - 1])
		return false;
	sr_code_push_slice_store(t->code, t->arena, slice, at, n);
	return true;
}

static bool translate_nest(struct translation *t, const struct sr_instr *s)
{
	const struct sr_ready_instr *r = t->l->instrs + (s - sr_program_instrs(program_of(t)));
	const struct sr_nest *nest = r->params;
	uint64_t shared[SR_NEST_MAX_BUFFERS] = {0};
	for (int k = 0; k < nest->n_outputs; k++)
		for (int i = 0; i < nest->n_inputs; i++)
			if (do_buffers_overlap(buffer_of(t, s, (uint32_t)(nest->n_inputs + k)), buffer_of(t, s, (uint32_t)i)))
				shared[k] |= (uint64_t)1 << i;
	return r->nest && sr_code_push_nest(t->code, t->arena, r->nest, s->first_operand, shared);
}

/* The addresses of an instruction's operands with dynamic offsets: the slice of each operand, and the op that computes its address.
 * slice: NULL for operands without. */
struct operand_slice {
	struct sr_code_slice *slice;
	size_t op;
};

/* Append an op for each operand with dynamic offsets. Returns false if one has too many. */
static bool push_operand_slices(struct translation *t, const struct sr_instr *s, struct operand_slice *slices)
{
	const struct sr_dynamic_offset *offsets = sr_program_dynamic_offsets(program_of(t)) + s->first_dynamic_offset;
	const int32_t *operands = sr_program_operands(program_of(t)) + s->first_operand;
	for (uint32_t k = 0; k < s->n_operands; k++) {
		struct sr_code_slice *slice = SR_NEW(t->arena, struct sr_code_slice);
		struct sr_code_address at[SR_CODE_ADDRESSES] = {
			[SR_CODE_INDICES] = {.base = SR_CODE_BUFFER, .number = operands[k]}};
		bool is_slice = false;
		for (uint32_t i = 0; i < s->n_dynamic_offsets; i++) {
			const struct sr_dynamic_offset *o = &offsets[i];
			if (o->operand != (int32_t)k)
				continue;
			is_slice = true;
			if (o->start < 0) {
				at[SR_CODE_INDICES].offset += o->limit * o->stride;
				continue;
			}
			if (slice->n == SR_CODE_INDICES)
				return false;
			slice->index[slice->n].type = (enum sr_dtype)sr_program_buffers(program_of(t))[o->start].dtype;
			slice->index[slice->n].limit = o->limit;
			slice->index[slice->n].stride = o->stride;
			at[slice->n++] = (struct sr_code_address){.base = SR_CODE_BUFFER, .number = o->start};
		}
		slices[k] = (struct operand_slice){is_slice ? slice : NULL, t->code->ops.n};
		if (is_slice)
			sr_code_push_slice(t->code, t->arena, slice, at);
	}
	return true;
}

/* Let the addresses of an instruction's ops, from op `first` on, depend on those of its operands' slices. */
static void add_users(struct translation *t, const struct sr_instr *s, const struct operand_slice *slices, size_t first)
{
	for (size_t i = first; i < t->code->ops.n; i++)
		for (int k = 0; k < SR_CODE_ADDRESSES; k++) {
			struct sr_code_address *a = &t->code->ops.data[i].at[k];
			int64_t operand = a->number - (int64_t)s->first_operand;
			if (a->base != SR_CODE_OPERAND || !slices[operand].slice)
				continue;
			struct sr_code_user user = {(int64_t)(i - slices[operand].op), k, a->offset};
			sr_push(t->arena, &slices[operand].slice->users, user);
			*a = (struct sr_code_address){.base = SR_CODE_NONE};
		}
}

static bool translate_kernel(struct translation *t, const struct sr_instr *s)
{
	if (sr_kernel_arity((enum sr_kernel)s->kernel) && s->kernel != SR_KERNEL_BITCAST)
		return translate_map(t, s);
	switch (s->kernel) {
	case SR_KERNEL_MOVE:
		return translate_move(t, s);
	case SR_KERNEL_FILL:
		return translate_fill(t, s);
	case SR_KERNEL_DYNAMIC_UPDATE_SLICE:
		return !s->n_dynamic_offsets && translate_update_slice(t, s);
	default:
		return false;
	}
}

/* Translate a nest or a kernel, whose operands may have dynamic offsets. Returns false if it has another form; nothing is appended
 * then. */
static bool translate_launched(struct translation *t, const struct sr_instr *s)
{
	struct operand_slice slices[SR_NEST_MAX_BUFFERS];
	size_t n = t->code->ops.n;
	bool is_translated = s->n_operands <= SR_NEST_MAX_BUFFERS && push_operand_slices(t, s, slices);
	size_t first = t->code->ops.n;
	is_translated = is_translated && (s->kind == SR_INSTR_NEST ? translate_nest(t, s) : translate_kernel(t, s));
	if (is_translated)
		add_users(t, s, slices, first);
	else
		t->code->ops.n = n;
	return is_translated;
}

static int64_t push_op(struct translation *t, struct sr_code_op op, struct sr_code_address at)
{
	sr_code_push(t->code, t->arena, op, &at, 1);
	return (int64_t)t->code->ops.n - 1;
}

static int64_t push_jump_if(struct translation *t, struct sr_code_address predicate, bool wanted)
{
	sr_code_push_jump_if(t->code, t->arena, predicate, wanted);
	return (int64_t)t->code->ops.n - 1;
}

/* Set the target of the jump at `op` to the op that is appended next. */
static void set_target(struct translation *t, int64_t op)
{
	t->code->ops.data[op].op.n = (int64_t)t->code->ops.n - op;
}

static void translate_computation(struct translation *t, int64_t computation);

/* Append a loop. Its condition is executed before the loop and after each execution of the body. */
static void translate_loop(struct translation *t, const struct sr_while_instr *w)
{
	struct sr_code_address predicate = {.base = SR_CODE_BUFFER, .number = w->predicate};
	translate_computation(t, w->cond);
	int64_t exit = push_jump_if(t, predicate, false), first = exit + 1;
	sr_code_push_loop(t->code, t->arena);
	translate_computation(t, w->body);
	translate_computation(t, w->cond);
	int64_t back = push_jump_if(t, predicate, true);
	t->code->ops.data[back].op.n = first + 1 - back;
	t->code->ops.data[first].op.n = back - first;
	set_target(t, exit);
}

static void translate_branches(struct translation *t, const struct sr_instr *s, const struct sr_case_instr *c)
{
	int64_t *jumps = SR_NEW_ARRAY(t->arena, int64_t, c->n), *exits = SR_NEW_ARRAY(t->arena, int64_t, c->n);
	if (c->is_predicate) /* the first branch is that for true */
		t->code->ops.data[push_jump_if(t, operand_address(s, 0), false)].op.n = 2;
	else
		push_op(t, (struct sr_code_op){.fn = select_branch, .n = c->n}, operand_address(s, 0));
	for (int32_t k = 0; k < c->n; k++)
		jumps[k] = push_op(t, (struct sr_code_op){.fn = jump}, (struct sr_code_address){0});
	for (int32_t k = 0; k < c->n; k++) {
		set_target(t, jumps[k]);
		translate_computation(t, c->first + k);
		exits[k] = push_op(t, (struct sr_code_op){.fn = jump}, (struct sr_code_address){0});
	}
	for (int32_t k = 0; k < c->n; k++)
		set_target(t, exits[k]);
}

static void translate_instr(struct translation *t, uint64_t i)
{
	const struct sr_program *p = program_of(t);
	const struct sr_instr *s = sr_program_instrs(p) + i;
	const void *params = sr_program_params(p) + s->params;
	bool is_launched = s->kind == SR_INSTR_NEST || s->kind == SR_INSTR_KERNEL;
	if (s->kind == SR_INSTR_WHILE) {
		translate_loop(t, params);
		return;
	}
	if (s->kind == SR_INSTR_CASE) {
		translate_branches(t, s, params);
		return;
	}
	if (is_launched && translate_launched(t, s))
		return;
	struct sr_code_op op = {.fn = is_launched ? launch : execute, .params = t->l->instrs + i};
	sr_code_push(t->code, t->arena, op, NULL, 0);
}

static void translate_computation(struct translation *t, int64_t computation)
{
	const struct sr_computation *range = sr_program_computations(program_of(t)) + computation;
	for (uint64_t i = range->first; i < (uint64_t)range->first + range->n; i++)
		translate_instr(t, i);
}

/* Return true if a loop, or one inside of it, swaps buffers, which is faster than the copies of its code. */
static bool swaps_buffers(const struct sr_loaded_program *l, int64_t instr)
{
	const struct sr_program *p = l->program;
	const struct sr_while_instr *w = l->instrs[instr].params;
	const struct sr_computation *body = sr_program_computations(p) + w->body;
	bool swaps = l->instrs[instr].swap != NULL;
	for (int64_t i = body->first; i < (int64_t)body->first + body->n && !swaps; i++)
		swaps = l->instrs[i].kind == SR_INSTR_WHILE && swaps_buffers(l, i);
	return swaps;
}

void sr_loaded_prepare_loop_code(struct sr_loaded_program *l, struct sr_arena *arena)
{
	for (uint64_t i = 0; i < l->program->instrs.n; i++) {
		struct sr_ready_instr *r = l->instrs + i;
		if (!r->loop || sr_jit_function_of(l->jit, i) || swaps_buffers(l, (int64_t)i))
			continue;
		struct sr_code *code = SR_NEW(arena, struct sr_code);
		struct translation t = {.l = l, .code = code, .arena = arena};
		translate_loop(&t, r->params);
		r->code = code;
		int64_t bytes = sr_code_bytes(code);
		l->code_bytes = bytes > l->code_bytes ? bytes : l->code_bytes;
	}
}

enum sr_status sr_execute_loop_code(struct sr_execution_context *x, const struct sr_ready_instr *r)
{
	enum sr_status status = SR_OK;
	sr_code_run(r->code, x->operands, x->addresses, x->code, &(struct code_run){x, &status});
	return status;
}
