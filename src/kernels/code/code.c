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
COPY(4)
COPY(8)
#undef COPY

static struct sr_code_op *copy(SR_CODE_PARAMETERS)
{
	memmove(op->at[1], op->at[0], (size_t)op->n);
	return SR_CODE_NEXT;
}

static inline char *slice_address(const struct sr_code_op *op)
{
	const struct sr_code_slice *s = op->params;
	char *at = op->at[SR_CODE_INDICES];
	for (int k = 0; k < s->n; k++) {
		int64_t i = sr_code_index(s->index[k].type, op->at[k]);
		at += (i < 0 ? 0 : i > s->index[k].limit ? s->index[k].limit : i) * s->index[k].stride;
	}
	return at;
}

static struct sr_code_op *find_slice(SR_CODE_PARAMETERS)
{
	const struct sr_code_slice *s = op->params;
	char *at = slice_address(op);
	for (size_t k = 0; k < s->users.n; k++) {
		const struct sr_code_user *u = &s->users.data[k];
		op[u->op].at[u->address] = at + u->offset;
	}
	return SR_CODE_NEXT;
}

/* Load an element of a slice. */
enum { SLICE_RESULT = SR_CODE_INDICES - 1 };
static struct sr_code_op *load_slice_4(SR_CODE_PARAMETERS)
{
	uint32_t v;
	memcpy(&v, slice_address(op), sizeof v);
	memcpy(op->at[SLICE_RESULT], &v, sizeof v);
	memcpy(&single, &v, sizeof v);
	integer = v;
	return SR_CODE_NEXT;
}

static struct sr_code_op *load_slice_8(SR_CODE_PARAMETERS)
{
	memcpy(&integer, slice_address(op), sizeof integer);
	memcpy(op->at[SLICE_RESULT], &integer, sizeof integer);
	memcpy(&real, &integer, sizeof integer);
	return SR_CODE_NEXT;
}

static struct sr_code_op *load_slice(SR_CODE_PARAMETERS)
{
	memcpy(op->at[SLICE_RESULT], slice_address(op), (size_t)op->n);
	return SR_CODE_NEXT;
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

void sr_code_push_copy(struct sr_code *code, struct sr_arena *arena, struct sr_code_address to, struct sr_code_address from,
		       int64_t n)
{
	struct sr_code_op op = {.fn = n == 1 ? copy_1 : n == 2 ? copy_2 : n == 4 ? copy_4 : n == 8 ? copy_8 : copy, .n = n};
	sr_code_push(code, arena, op, (struct sr_code_address[]){from, to}, 2);
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
	struct sr_code_template *t = &code->ops.data[code->ops.n - 1];
	t->forms = !is_element ? NULL : n == 4 ? loads_4 : loads_8;
	t->n_inputs = SLICE_RESULT;
	t->out = type;
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
	struct sr_code_template *t = &code->ops.data[code->ops.n - 1];
	t->forms = forms;
	t->n_inputs = n_inputs;
	t->in = (enum sr_dtype)params->in;
	t->out = (enum sr_dtype)params->out;
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
	if (i == 0 || !before->forms || before->out != t->in)
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

void sr_code_run(const struct sr_code *code, void *const *operands, void *const *buffers, void *memory, const void *data)
{
	struct sr_code_op *ops = memory, *op = ops;
	const char *scratch = (const char *)(ops + code->ops.n + 1);
	for (size_t i = 0; i < code->ops.n; i++) {
		const struct sr_code_template *t = &code->ops.data[i];
		ops[i] = t->op;
		for (int k = 0; k < SR_CODE_ADDRESSES; k++) {
			const struct sr_code_address *a = &t->at[k];
			const char *base = address_base(a, operands, buffers, scratch);
			ops[i].at[k] = base ? (char *)(uintptr_t)base + a->offset : NULL;
		}
		if (t->forms)
			ops[i].fn = t->forms[form_of(code, ops, i)];
	}
	ops[code->ops.n] = (struct sr_code_op){.fn = end};
	while (op)
		op = op->fn(op, data, 0, 0, 0);
}
