/* Ops of threaded code that copy, that compute addresses, and that call a kernel. */
#include "kernels/code/code.h"
#include "kernels/element.h"
#include <string.h>

#define COPY(bytes) \
	static struct sr_code_op *copy_##bytes(SR_CODE_PARAMETERS) \
	{ \
		memcpy(op->at[1], op->at[0], bytes); \
		return SR_CODE_NEXT; \
	}
COPY(1)
COPY(2)
#undef COPY

/* Copies of an element of 4 or 8 bytes also pass it on, as an integer and as a float. */
static struct sr_code_op *copy_4(SR_CODE_PARAMETERS)
{
	uint32_t v;
	memcpy(&v, op->at[0], sizeof v);
	memcpy(op->at[1], &v, sizeof v);
	memcpy(&single, &v, sizeof v);
	integer = v;
	return SR_CODE_NEXT;
}

static struct sr_code_op *copy_8(SR_CODE_PARAMETERS)
{
	memcpy(&integer, op->at[0], sizeof integer);
	memcpy(op->at[1], &integer, sizeof integer);
	memcpy(&real, &integer, sizeof integer);
	return SR_CODE_NEXT;
}

static struct sr_code_op *copy(SR_CODE_PARAMETERS)
{
	memmove(op->at[1], op->at[0], (size_t)op->n);
	return SR_CODE_NEXT;
}

static struct sr_code_op *find_slice(SR_CODE_PARAMETERS)
{
	const struct sr_code_slice *s = op->params;
	char *at = sr_code_slice_address(op);
	for (size_t k = 0; k < s->users.n; k++) {
		const struct sr_code_user *u = &s->users.data[k];
		op[u->op].at[u->address] = at + u->offset;
	}
	return SR_CODE_NEXT;
}

/* Load an element of a slice. */
static struct sr_code_op *load_slice_4(SR_CODE_PARAMETERS)
{
	uint32_t v;
	memcpy(&v, sr_code_slice_address(op), sizeof v);
	memcpy(op->at[SR_CODE_SLICE_ELEMENT], &v, sizeof v);
	memcpy(&single, &v, sizeof v);
	integer = v;
	return SR_CODE_NEXT;
}

static struct sr_code_op *load_slice_8(SR_CODE_PARAMETERS)
{
	memcpy(&integer, sr_code_slice_address(op), sizeof integer);
	memcpy(op->at[SR_CODE_SLICE_ELEMENT], &integer, sizeof integer);
	memcpy(&real, &integer, sizeof integer);
	return SR_CODE_NEXT;
}

static struct sr_code_op *store_slice_4(SR_CODE_PARAMETERS)
{
	memcpy(sr_code_slice_address(op), op->at[SR_CODE_SLICE_ELEMENT], 4);
	return SR_CODE_NEXT;
}

static struct sr_code_op *store_slice_8(SR_CODE_PARAMETERS)
{
	memcpy(sr_code_slice_address(op), op->at[SR_CODE_SLICE_ELEMENT], 8);
	return SR_CODE_NEXT;
}

static struct sr_code_op *store_slice(SR_CODE_PARAMETERS)
{
	memmove(sr_code_slice_address(op), op->at[SR_CODE_SLICE_ELEMENT], (size_t)op->n);
	return SR_CODE_NEXT;
}

static struct sr_code_op *load_slice(SR_CODE_PARAMETERS)
{
	memcpy(op->at[SR_CODE_SLICE_ELEMENT], sr_code_slice_address(op), (size_t)op->n);
	return SR_CODE_NEXT;
}

static struct sr_code_op *jump_if_true(SR_CODE_PARAMETERS)
{
	return *(const uint8_t *)op->at[0] ? op + op->n : op + 1;
}

static struct sr_code_op *jump_if_false(SR_CODE_PARAMETERS)
{
	return *(const uint8_t *)op->at[0] ? op + 1 : op + op->n;
}

struct map_call {
	struct sr_map_params params;
	sr_kernel_fn *kernel;
};

static struct sr_code_op *call_map(SR_CODE_PARAMETERS)
{
	const struct map_call *call = op->params;
	call->kernel(&call->params, op->at, NULL, 0, op->n);
	return SR_CODE_NEXT;
}

void sr_code_push(struct sr_code *code, struct sr_arena *arena, struct sr_code_op op, const struct sr_code_address *at, int n)
{
	struct sr_code_template t = {.op = op};
	for (int k = 0; k < n; k++)
		t.at[k] = at[k];
	sr_push(arena, &code->ops, t);
}

static struct sr_code_template *last_of(struct sr_code *code)
{
	return &code->ops.data[code->ops.n - 1];
}

void sr_code_push_copy(struct sr_code *code, struct sr_arena *arena, struct sr_code_address to, struct sr_code_address from,
		       int64_t n)
{
	struct sr_code_op op = {.fn = n == 1 ? copy_1 : n == 2 ? copy_2 : n == 4 ? copy_4 : n == 8 ? copy_8 : copy, .n = n};
	sr_code_push(code, arena, op, (struct sr_code_address[]){from, to}, 2);
	struct sr_code_template *t = last_of(code);
	t->kind = n == 4 || n == 8 ? SR_CODE_COPY : SR_CODE_OTHER;
	t->n_inputs = 1;
}

void sr_code_push_slice(struct sr_code *code, struct sr_arena *arena, const struct sr_code_slice *slice,
			const struct sr_code_address *at)
{
	sr_code_push(code, arena, (struct sr_code_op){.fn = find_slice, .params = slice}, at, SR_CODE_ADDRESSES);
}

void sr_code_push_slice_load(struct sr_code *code, struct sr_arena *arena, const struct sr_code_slice *slice,
			     const struct sr_code_address *at, enum sr_dtype type, int64_t n)
{
	static sr_code_fn *const loads_4[SR_CODE_FORMS] = {load_slice_4}, *const loads_8[SR_CODE_FORMS] = {load_slice_8};
	bool is_element = n == sr_dtype_bytes(type) && (n == 4 || n == 8);
	sr_code_push(code, arena, (struct sr_code_op){.fn = load_slice, .n = n, .params = slice}, at, SR_CODE_ADDRESSES);
	struct sr_code_template *t = last_of(code);
	t->forms = !is_element ? NULL : n == 4 ? loads_4 : loads_8;
	t->kind = is_element ? SR_CODE_LOAD : SR_CODE_OTHER;
	t->n_inputs = SR_CODE_SLICE_ELEMENT;
	t->out = type;
}

void sr_code_push_slice_store(struct sr_code *code, struct sr_arena *arena, const struct sr_code_slice *slice,
			      const struct sr_code_address *at, int64_t n)
{
	sr_code_fn *store = n == 4 ? store_slice_4 : n == 8 ? store_slice_8 : store_slice;
	sr_code_push(code, arena, (struct sr_code_op){.fn = store, .n = n, .params = slice}, at, SR_CODE_ADDRESSES);
	last_of(code)->kind = n == 4 || n == 8 ? SR_CODE_STORE : SR_CODE_OTHER;
}

void sr_code_push_jump_if(struct sr_code *code, struct sr_arena *arena, struct sr_code_address predicate, bool wanted)
{
	sr_code_push(code, arena, (struct sr_code_op){.fn = wanted ? jump_if_true : jump_if_false}, &predicate, 1);
	last_of(code)->kind = wanted ? SR_CODE_JUMP_IF_TRUE : SR_CODE_JUMP_IF_FALSE;
}

void sr_code_push_map(struct sr_code *code, struct sr_arena *arena, const struct sr_kernels *kernels, enum sr_kernel kernel,
		      enum sr_dtype type, const struct sr_map_params *params, const struct sr_code_address *at, int n_inputs)
{
	sr_code_fn *const *forms = params->n == 1 ? sr_code_scalar(kernel, type, params) : NULL;
	struct sr_code_op op = {.fn = forms ? forms[SR_CODE_MEMORY] : call_map, .n = params->n};
	if (!forms) {
		struct map_call *call = SR_NEW(arena, struct map_call);
		*call = (struct map_call){*params, kernels->fn[kernel][type]};
		op.params = call;
	}
	sr_code_push(code, arena, op, at, n_inputs + 1);
	struct sr_code_template *t = last_of(code);
	t->forms = forms;
	t->n_inputs = n_inputs;
	t->in = (enum sr_dtype)params->in;
	t->out = (enum sr_dtype)params->out;
	t->kind = forms ? sr_code_kind_of(kernel) : SR_CODE_OTHER;
	t->variant = params->variant;
}

/* ---- running ---- */

static struct sr_code_op *end(SR_CODE_PARAMETERS)
{
	return NULL;
}

static const char *address_base(const struct sr_code_address *a, void *const *operands, void *const *buffers, const char *scratch)
{
	switch (a->base) {
	case SR_CODE_POINTER:
		return a->pointer;
	case SR_CODE_OPERAND:
		return operands[a->number];
	case SR_CODE_BUFFER:
		return buffers[a->number];
	case SR_CODE_SCRATCH:
		return scratch;
	case SR_CODE_NONE:
		break;
	}
	return NULL;
}

/* Return the form of op i of the code, whose addresses are set. */
static enum sr_code_form form_of(const struct sr_code *code, const struct sr_code_op *ops, size_t i)
{
	const struct sr_code_template *t = &code->ops.data[i], *before = t - 1;
	if (i == 0 || !t->forms)
		return SR_CODE_MEMORY;
	bool is_copy = before->kind == SR_CODE_COPY;
	bool is_passed = is_copy ? before->op.n == sr_dtype_bytes(t->in) : before->forms && before->out == t->in;
	if (!is_passed)
		return SR_CODE_MEMORY;
	const void *result = ops[i - 1].at[before->n_inputs];
	for (int k = 0; k < t->n_inputs && k < SR_CODE_FORMS - 1 && result; k++)
		if (ops[i].at[k] == result && t->forms[SR_CODE_FIRST + k])
			return (enum sr_code_form)(SR_CODE_FIRST + k);
	return SR_CODE_MEMORY;
}

int64_t sr_code_bytes(const struct sr_code *code)
{
	return (int64_t)((code->ops.n + 1) * sizeof(struct sr_code_op)) + code->scratch;
}

/* The ops of a run so far: the number of the last ones that no function executes together with others yet, and their forms. */
enum { MAX_COMBINED = 3 };
struct open_ops {
	int n;
	enum sr_code_form forms[MAX_COMBINED]; /* of the last ops */
};

/* Let one function execute op i together with the ops before it, if there is one for them. It takes the place of the first one's;
 * the functions of the others are skipped. No branch leads to the others, since they do not follow a branch. */
static void combine(const struct sr_code *code, struct sr_code_op *ops, size_t i, struct open_ops *open)
{
	const struct sr_code_template *t = &code->ops.data[i];
	const enum sr_code_form *forms = open->forms;
	sr_code_fn *three = open->n >= 3 ? sr_code_count(t - 2, forms) : NULL;
	sr_code_fn *two = !three && open->n >= 2 ? sr_code_pair(t - 1, forms + 1) : NULL;
	if (three)
		ops[i - 2].fn = three;
	if (two)
		ops[i - 1].fn = two;
	if (two || three)
		open->n = 0;
}

void sr_code_run(const struct sr_code *code, void *const *operands, void *const *buffers, void *memory, const void *data)
{
	struct sr_code_op *ops = memory, *op = ops;
	const char *scratch = (const char *)(ops + code->ops.n + 1);
	struct open_ops open = {0};
	for (size_t i = 0; i < code->ops.n; i++) {
		const struct sr_code_template *t = &code->ops.data[i];
		ops[i] = t->op;
		for (int k = 0; k < SR_CODE_ADDRESSES; k++) {
			const struct sr_code_address *a = &t->at[k];
			const char *base = address_base(a, operands, buffers, scratch);
			ops[i].at[k] = base ? (char *)(uintptr_t)base + a->offset : NULL;
		}
		open.forms[0] = open.forms[1];
		open.forms[1] = open.forms[2];
		open.forms[2] = form_of(code, ops, i);
		open.n++;
		if (t->forms)
			ops[i].fn = t->forms[open.forms[2]];
		combine(code, ops, i, &open);
	}
	ops[code->ops.n] = (struct sr_code_op){.fn = end};
	while (op)
		op = op->fn(op, data, 0, 0, 0);
}
