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
	struct sr_code_op *to = *(const uint8_t *)op->at[0] ? op->at[SR_CODE_TARGET] : op + 1;
	return SR_CODE_JUMP(to);
}

static struct sr_code_op *jump_if_false(SR_CODE_PARAMETERS)
{
	struct sr_code_op *to = *(const uint8_t *)op->at[0] ? op + 1 : op->at[SR_CODE_TARGET];
	return SR_CODE_JUMP(to);
}

/* Return an integer of n bytes. Functions that take the address of a register instead make no tail calls. */
static inline uint64_t load_integer(const void *at, int64_t n)
{
	if (n == 8)
		return *(const uint64_t *)at;
	return n == 4 ? *(const uint32_t *)at : n == 2 ? *(const uint16_t *)at : *(const uint8_t *)at;
}

/* Load what the registers hold at the end of an iteration, for the first iteration of a loop. n: bytes of the integer. */
static struct sr_code_op *begin_loop(SR_CODE_PARAMETERS)
{
	if (op->at[SR_CODE_INTEGER])
		integer = load_integer(op->at[SR_CODE_INTEGER], op->n);
	if (op->at[SR_CODE_SINGLE])
		single = *(const float *)op->at[SR_CODE_SINGLE];
	if (op->at[SR_CODE_REAL])
		real = *(const double *)op->at[SR_CODE_REAL];
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
	struct sr_code_template t = {.op = op, .n_addresses = n};
	for (int k = 0; k < n; k++)
		t.at[k] = at[k];
	sr_push(arena, &code->ops, t);
}

static struct sr_code_template *last_of(struct sr_code *code)
{
	return &code->ops.data[code->ops.n - 1];
}

static enum sr_code_register register_of(enum sr_dtype type)
{
	return type == SR_F32 ? SR_CODE_SINGLE : type == SR_F64 ? SR_CODE_REAL : SR_CODE_INTEGER;
}

/* Say that the last op copies an element of 4 or 8 bytes. */
static void set_copy(struct sr_code *code, enum sr_code_kind kind, int result, int64_t bytes)
{
	struct sr_code_template *t = last_of(code);
	if (bytes != 4 && bytes != 8)
		return;
	t->kind = kind;
	t->result = result;
	t->bytes = bytes;
	t->sets = 1u << SR_CODE_INTEGER | 1u << (bytes == 4 ? SR_CODE_SINGLE : SR_CODE_REAL);
}

void sr_code_push_copy(struct sr_code *code, struct sr_arena *arena, struct sr_code_address to, struct sr_code_address from,
		       int64_t n)
{
	struct sr_code_op op = {.fn = n == 1 ? copy_1 : n == 2 ? copy_2 : n == 4 ? copy_4 : n == 8 ? copy_8 : copy, .n = n};
	sr_code_push(code, arena, op, (struct sr_code_address[]){from, to}, 2);
	set_copy(code, SR_CODE_COPY, 1, n);
}

void sr_code_push_slice(struct sr_code *code, struct sr_arena *arena, const struct sr_code_slice *slice,
			const struct sr_code_address *at)
{
	sr_code_push(code, arena, (struct sr_code_op){.fn = find_slice, .params = slice}, at, SR_CODE_ADDRESSES);
}

void sr_code_push_slice_load(struct sr_code *code, struct sr_arena *arena, const struct sr_code_slice *slice,
			     const struct sr_code_address *at, enum sr_dtype type, int64_t n)
{
	bool is_element = n == sr_dtype_bytes(type);
	sr_code_fn *load = is_element && n == 4 ? load_slice_4 : is_element && n == 8 ? load_slice_8 : load_slice;
	sr_code_push(code, arena, (struct sr_code_op){.fn = load, .n = n, .params = slice}, at, SR_CODE_ADDRESSES);
	if (is_element)
		set_copy(code, SR_CODE_LOAD, SR_CODE_SLICE_ELEMENT, n);
}

void sr_code_push_slice_store(struct sr_code *code, struct sr_arena *arena, const struct sr_code_slice *slice,
			      const struct sr_code_address *at, int64_t n)
{
	sr_code_fn *store = n == 4 ? store_slice_4 : n == 8 ? store_slice_8 : store_slice;
	sr_code_push(code, arena, (struct sr_code_op){.fn = store, .n = n, .params = slice}, at, SR_CODE_ADDRESSES);
	set_copy(code, SR_CODE_STORE, SR_CODE_INDICES, n);
	last_of(code)->sets = 0;
	for (int k = 0; k < slice->n; k++)
		last_of(code)->bytes += slice->index[k].limit * slice->index[k].stride;
}

void sr_code_push_jump_if(struct sr_code *code, struct sr_arena *arena, struct sr_code_address predicate, bool wanted)
{
	sr_code_push(code, arena, (struct sr_code_op){.fn = wanted ? jump_if_true : jump_if_false}, &predicate, 1);
	last_of(code)->kind = wanted ? SR_CODE_JUMP_IF_TRUE : SR_CODE_JUMP_IF_FALSE;
}

void sr_code_push_loop(struct sr_code *code, struct sr_arena *arena)
{
	sr_code_push(code, arena, (struct sr_code_op){.fn = begin_loop}, NULL, 0);
	last_of(code)->kind = SR_CODE_LOOP;
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
	t->in = (enum sr_dtype)params->in;
	t->out = (enum sr_dtype)params->out;
	t->result = forms ? n_inputs : 0;
	t->bytes = sr_dtype_bytes(t->out);
	t->sets = forms ? 1u << register_of(t->out) : 0;
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

/* The elements whose values the registers hold when an op begins; `at` is NULL: unknown. */
struct registers {
	struct element {
		const char *at;
		int64_t bytes;
	} held[SR_CODE_REGISTERS];
};

/* Follow an op, whose addresses are set. */
static void pass_registers(struct registers *r, const struct sr_code_template *t, const struct sr_code_op *op)
{
	const struct element result = {t->result ? op->at[t->result] : NULL, t->bytes};
	for (int k = 0; k < SR_CODE_REGISTERS; k++) {
		struct element *h = &r->held[k];
		bool is_set = t->sets >> k & 1;
		bool is_overwritten = h->at && h->at < result.at + result.bytes && result.at < h->at + h->bytes;
		if (!result.at || is_set || is_overwritten)
			*h = is_set ? result : (struct element){NULL, 0};
	}
}

/* Return the form of an op, whose addresses are set. */
static enum sr_code_form form_of(const struct registers *r, const struct sr_code_template *t, const struct sr_code_op *op)
{
	const struct element *h = &r->held[register_of(t->in)];
	if (!t->forms || !h->at || h->bytes != sr_dtype_bytes(t->in))
		return SR_CODE_MEMORY;
	for (int k = 0; k < t->result && k < SR_CODE_FORMS - 1; k++)
		if (op->at[k] == h->at && t->forms[SR_CODE_FIRST + k])
			return (enum sr_code_form)(SR_CODE_FIRST + k);
	return SR_CODE_MEMORY;
}

/* Return what the registers hold when the branch at the end of a loop, which begins at op i, leads to the next op after i. A
 * comparison that is executed together with the branch does not set a register. */
static struct registers loop_registers(const struct sr_code *code, const struct sr_code_op *ops, size_t i)
{
	const enum sr_code_form in_memory[] = {SR_CODE_MEMORY, SR_CODE_MEMORY};
	const struct sr_code_template *t = code->ops.data;
	size_t end = i + (size_t)ops[i].n;
	struct registers r = {0};
	for (size_t k = i + 1; k < end && SR_CODE_BRANCHES_PASS_ON; k++)
		if (k + 1 < end || t[k].kind != SR_CODE_COMPARE || !sr_code_pair(&t[k], in_memory))
			pass_registers(&r, &t[k], &ops[k]);
	return r;
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

/* Set the addresses of all ops, and the targets of branches. */
static void set_addresses(const struct sr_code *code, struct sr_code_op *ops, void *const *operands, void *const *buffers)
{
	const char *scratch = (const char *)(ops + code->ops.n + 1);
	for (size_t i = 0; i < code->ops.n; i++) {
		const struct sr_code_template *t = &code->ops.data[i];
		ops[i] = t->op;
		for (int k = 0; k < t->n_addresses; k++) {
			const struct sr_code_address *a = &t->at[k];
			const char *base = address_base(a, operands, buffers, scratch);
			ops[i].at[k] = base ? (char *)(uintptr_t)base + a->offset : NULL;
		}
		if (sr_code_is_branch(t))
			ops[i].at[SR_CODE_TARGET] = &ops[i] + t->op.n;
	}
}

void sr_code_run(const struct sr_code *code, void *const *operands, void *const *buffers, void *memory, const void *data)
{
	struct sr_code_op *ops = memory, *op = ops;
	struct open_ops open = {0};
	struct registers registers = {0};
	set_addresses(code, ops, operands, buffers);
	for (size_t i = 0; i < code->ops.n; i++) {
		const struct sr_code_template *t = &code->ops.data[i];
		open.forms[0] = open.forms[1];
		open.forms[1] = open.forms[2];
		open.forms[2] = form_of(&registers, t, &ops[i]);
		open.n++;
		pass_registers(&registers, t, &ops[i]);
		if (t->kind == SR_CODE_LOOP) {
			registers = loop_registers(code, ops, i);
			ops[i].n = registers.held[SR_CODE_INTEGER].bytes;
			for (int k = 0; k < SR_CODE_REGISTERS; k++)
				ops[i].at[k] = (void *)(uintptr_t)registers.held[k].at;
		}
		if (t->forms)
			ops[i].fn = t->forms[open.forms[2]];
		combine(code, ops, i, &open);
	}
	ops[code->ops.n] = (struct sr_code_op){.fn = end};
	while (op)
		op = op->fn(op, data, 0, 0, 0);
}
