/* Small loop nests as threaded code. A nest without inner loops whose iterations are few becomes a sequence of ops, each of which
 * computes a value for all iterations: kernels on contiguous elements, and copies where an access is not contiguous. The offsets of
 * such an access are a table. */
#include "kernels/code/code.h"
#include "kernels/nest/nest_prepared.h"
#include <string.h>

enum { MAX_ITERATIONS = 1024, MAX_LISTED = 256, MAX_SCRATCH = 16 << 10 };

struct value { /* where the elements of a value are */
	struct sr_code_address at;
	bool is_scalar; /* true if one element stands for all iterations */
};

struct translation {
	struct sr_code *code;
	struct sr_arena *arena;
	const struct sr_nest_prepared *r;
	int64_t first_operand, n, scratch; /* n: number of iterations */
	const uint64_t *shared;
	struct value *values;
};

/* ---- ops ---- */

/* Copy elements from listed offsets, or to them. An offset of -1 stands for the fill element: of address 2, or element i there. */
struct list {
	bool has_one_fill;
	int64_t offset[MAX_LISTED];
};
#define LISTED(T) \
	static struct sr_code_op *load_##T(SR_CODE_PARAMETERS) \
	{ \
		const struct list *list = op->params; \
		const T *from = op->at[0], *fill = op->at[2]; \
		T *to = op->at[1]; \
		for (int64_t i = 0; i < op->n; i++) \
			to[i] = list->offset[i] >= 0 ? from[list->offset[i]] : fill[list->has_one_fill ? 0 : i]; \
		return SR_CODE_NEXT; \
	} \
	static struct sr_code_op *store_##T(SR_CODE_PARAMETERS) \
	{ \
		const struct list *list = op->params; \
		const T *from = op->at[0]; \
		T *to = op->at[1]; \
		for (int64_t i = 0; i < op->n; i++) \
			to[list->offset[i]] = from[list->has_one_fill ? 0 : i]; \
		return SR_CODE_NEXT; \
	}
LISTED(uint8_t)
LISTED(uint16_t)
LISTED(uint32_t)
LISTED(uint64_t)
#undef LISTED
static sr_code_fn *const loads[] = {[1] = load_uint8_t, [2] = load_uint16_t, [4] = load_uint32_t, [8] = load_uint64_t};
static sr_code_fn *const stores[] = {[1] = store_uint8_t, [2] = store_uint16_t, [4] = store_uint32_t, [8] = store_uint64_t};

/* ---- translation ---- */

static int64_t bytes_of(const struct translation *t, int value)
{
	return sr_dtype_bytes((enum sr_dtype)sr_nest_values(t->r->nest)[value].dtype);
}

static bool allocate(struct translation *t, int64_t bytes, struct sr_code_address *out)
{
	*out = (struct sr_code_address){.base = SR_CODE_SCRATCH, .offset = t->scratch};
	t->scratch += (bytes + 63) / 64 * 64;
	return t->scratch <= MAX_SCRATCH;
}

static struct sr_code_address buffer_address(const struct translation *t, int buffer, int64_t offset)
{
	return (struct sr_code_address){.base = SR_CODE_OPERAND, .number = t->first_operand + buffer, .offset = offset};
}

struct pattern { /* the elements of an access, beside what scalar indices add */
	enum { ONE_ELEMENT, CONTIGUOUS, LISTED_ELEMENTS } kind;
	int64_t first;  /* offset of the first element, unless they are listed */
	int64_t *offset; /* offset of each element; -1: out of bounds */
	int n_indices;  /* number of dims with an index */
	const struct sr_nest_dim *indices[SR_CODE_INDICES];
};

/* Return the offset of an access's element at the given indices of the loops, without what index values add; -1: out of bounds. */
static int64_t element_offset(const struct translation *t, const struct sr_nest_access *a, const int64_t *at)
{
	int64_t offset = a->offset;
	for (int l = 0; l < t->r->n_loops; l++)
		offset += a->stride[l] * at[l];
	for (int k = 0; k < a->n_dims; k++) {
		const struct sr_nest_dim *d = &t->r->dims[a->first_dim + k];
		int64_t x = d->offset;
		for (int l = 0; l < t->r->n_loops; l++)
			x += d->coef[l] * at[l];
		if (d->extent && (x < 0 || x % d->divisor || x / d->divisor >= d->extent))
			return -1;
		offset += d->stride * (x / d->divisor);
	}
	return offset;
}

/* Find the elements of an access. Returns false if it is not translated. */
static bool find_pattern(const struct translation *t, const struct sr_nest_access *a, struct pattern *out)
{
	int64_t at[SR_NEST_MAX_LOOPS] = {0};
	bool is_one = true, is_contiguous = true;
	*out = (struct pattern){.offset = SR_NEW_ARRAY(t->arena, int64_t, t->n)};
	for (int k = 0; k < a->n_dims; k++) {
		const struct sr_nest_dim *d = &t->r->dims[a->first_dim + k];
		if (d->index < 0)
			continue;
		if (out->n_indices == SR_CODE_INDICES || d->extent || d->divisor != 1 || !t->values[d->index].is_scalar)
			return false;
		out->indices[out->n_indices++] = d;
	}
	for (int64_t i = 0; i < t->n; i++) {
		out->offset[i] = element_offset(t, a, at);
		if (out->n_indices && out->offset[i] < 0)
			return false;
		is_one = is_one && out->offset[i] == out->offset[0];
		is_contiguous = is_contiguous && out->offset[i] == out->offset[0] + i;
		for (int l = t->r->n_loops - 1; l >= 0 && ++at[l] == t->r->extent[l]; l--)
			at[l] = 0;
	}
	out->first = out->offset[0];
	bool is_inside = out->first >= 0;
	out->kind = is_one && is_inside ? ONE_ELEMENT : is_contiguous && is_inside ? CONTIGUOUS : LISTED_ELEMENTS;
	return true;
}

static struct list *list_of(const struct translation *t, const struct pattern *p, bool has_one_fill)
{
	struct list *list = SR_NEW(t->arena, struct list);
	list->has_one_fill = has_one_fill;
	for (int64_t i = 0; i < t->n; i++)
		list->offset[i] = p->offset[i];
	return list;
}

/* Append a load of n elements from an access with scalar indices, or an op that gives the next op their address. Returns true for a
 * load. */
static bool push_slice(struct translation *t, const struct pattern *p, struct sr_code_address buffer, int64_t n, enum sr_dtype type,
		       struct sr_code_address to)
{
	int64_t bytes = sr_dtype_bytes(type);
	struct sr_code_slice *slice = SR_NEW(t->arena, struct sr_code_slice);
	struct sr_code_address at[SR_CODE_ADDRESSES] = {[SR_CODE_INDICES] = buffer};
	slice->n = p->n_indices;
	for (int k = 0; k < p->n_indices; k++) {
		const struct sr_nest_dim *d = p->indices[k];
		at[k] = t->values[d->index].at;
		slice->index[k].type = (enum sr_dtype)sr_nest_values(t->r->nest)[d->index].dtype;
		slice->index[k].limit = d->limit;
		slice->index[k].stride = d->stride * bytes;
	}
	if (p->n_indices < SR_CODE_INDICES && p->kind != LISTED_ELEMENTS) {
		at[SR_CODE_INDICES - 1] = to;
		sr_code_push_slice_load(t->code, t->arena, slice, at, type, n * bytes);
		return true;
	}
	sr_push(t->arena, &slice->users, (struct sr_code_user){.op = 1});
	sr_code_push_slice(t->code, t->arena, slice, at);
	return false;
}

/* Return true if an output may share memory with input `buffer`. */
static bool is_shared(const struct translation *t, int buffer)
{
	for (int k = 0; k < t->r->nest->n_outputs; k++)
		if (buffer >= t->r->nest->n_inputs || t->shared[k] >> buffer & 1)
			return true;
	return false;
}

static bool translate_load(struct translation *t, const struct sr_nest_instr *in)
{
	const struct sr_nest_access *a = &t->r->accesses[in->access];
	int64_t bytes = bytes_of(t, in->result);
	struct pattern p;
	struct value *v = &t->values[in->result];
	if (bytes > 8 || !find_pattern(t, a, &p))
		return false;
	bool is_listed = p.kind == LISTED_ELEMENTS;
	struct sr_code_address from = buffer_address(t, a->buffer, is_listed ? 0 : p.first * bytes);
	v->is_scalar = p.kind == ONE_ELEMENT;
	if (!is_listed && !p.n_indices && !is_shared(t, a->buffer)) {
		v->at = from;
		return true;
	}
	int64_t n = v->is_scalar ? 1 : t->n;
	if ((is_listed && n > MAX_LISTED) || !allocate(t, n * bytes, &v->at))
		return false;
	enum sr_dtype type = (enum sr_dtype)sr_nest_values(t->r->nest)[in->result].dtype;
	if (p.n_indices && push_slice(t, &p, from, n, type, v->at))
		return true;
	if (!is_listed) {
		sr_code_push_copy(t->code, t->arena, v->at, from, n * bytes);
		return true;
	}
	struct value fill = a->fill >= 0 ? t->values[a->fill] : (struct value){.is_scalar = true};
	struct sr_code_op op = {.fn = loads[bytes], .n = n, .params = list_of(t, &p, fill.is_scalar)};
	sr_code_push(t->code, t->arena, op, (struct sr_code_address[]){from, v->at, fill.at}, 3);
	return true;
}

/* Return the address in an output to which a value may be written when it is computed; base SR_CODE_NONE: there is none. */
static struct sr_code_address direct_address(const struct translation *t, int value)
{
	const struct sr_nest *nest = t->r->nest;
	int store = t->r->slots[value].direct_store;
	struct pattern p;
	if (store < 0)
		return (struct sr_code_address){0};
	const struct sr_nest_access *a = &t->r->accesses[sr_nest_instrs(nest)[store].access];
	if (t->shared[a->buffer - nest->n_inputs] || !find_pattern(t, a, &p) || p.n_indices || p.kind != CONTIGUOUS)
		return (struct sr_code_address){0};
	return buffer_address(t, a->buffer, p.first * bytes_of(t, value));
}

static bool translate_map(struct translation *t, const struct sr_nest_instr *in)
{
	struct sr_map_params params = t->r->maps[in - sr_nest_instrs(t->r->nest)].params;
	struct sr_code_address at[SR_CODE_ADDRESSES];
	struct value *v = &t->values[in->result];
	v->is_scalar = true;
	for (int k = 0; k < in->n_args; k++) {
		at[k] = t->values[in->args[k]].at;
		params.scalar[k] = t->values[in->args[k]].is_scalar;
		v->is_scalar = v->is_scalar && params.scalar[k];
	}
	params.n = v->is_scalar ? 1 : t->n;
	v->at = v->is_scalar ? (struct sr_code_address){0} : direct_address(t, in->result);
	if (v->at.base == SR_CODE_NONE && !allocate(t, params.n * bytes_of(t, in->result), &v->at))
		return false;
	at[in->n_args] = v->at;
	sr_code_push_map(t->code, t->arena, t->r->kernels, (enum sr_kernel)in->kernel, (enum sr_dtype)in->type, &params, at,
			 in->n_args);
	return true;
}

static bool translate_store(struct translation *t, const struct sr_nest_instr *in)
{
	const struct sr_nest_access *a = &t->r->accesses[in->access];
	const struct value *v = &t->values[in->args[0]];
	int64_t bytes = bytes_of(t, in->args[0]);
	struct pattern p;
	if (bytes > 8 || !find_pattern(t, a, &p) || p.n_indices)
		return false;
	bool is_one = t->n == 1, is_copy = p.kind == CONTIGUOUS && (is_one || !v->is_scalar);
	struct sr_code_address to = buffer_address(t, a->buffer, is_copy || is_one ? p.first * bytes : 0);
	if (v->at.base == SR_CODE_OPERAND && v->at.number == to.number && v->at.offset == to.offset && is_copy)
		return true;
	if (is_copy || is_one) {
		sr_code_push_copy(t->code, t->arena, to, v->at, t->n * bytes);
		return true;
	}
	if (t->n > MAX_LISTED)
		return false;
	struct sr_code_op op = {.fn = stores[bytes], .n = t->n, .params = list_of(t, &p, v->is_scalar)};
	sr_code_push(t->code, t->arena, op, (struct sr_code_address[]){v->at, to}, 2);
	return true;
}

/* Translate an INDEX: its elements do not depend on the execution. */
static bool translate_index(struct translation *t, const struct sr_nest_instr *in)
{
	struct pattern p;
	if (!find_pattern(t, &t->r->accesses[in->access], &p) || p.n_indices)
		return false;
	t->values[in->result] = (struct value){{.base = SR_CODE_POINTER, .pointer = p.offset}, p.kind == ONE_ELEMENT};
	return true;
}

static bool translate(struct translation *t, const struct sr_nest_instr *in)
{
	switch ((enum sr_nest_op)in->op) {
	case SR_NEST_LOAD:
		return translate_load(t, in);
	case SR_NEST_STORE:
		return translate_store(t, in);
	case SR_NEST_MAP:
		return translate_map(t, in);
	case SR_NEST_INDEX:
		return translate_index(t, in);
	case SR_NEST_CONSTANT:
		t->values[in->result] = (struct value){
			{.base = SR_CODE_POINTER, .pointer = sr_nest_constants(t->r->nest) + in->constant}, true};
		return true;
	case SR_NEST_REDUCE:
	case SR_NEST_FOLD:
	case SR_NEST_OP_COUNT:
		break;
	}
	return false;
}

/* Return true if no element is loaded after a store to an output that may share memory with an input. */
static bool stores_follow_loads(const struct translation *t)
{
	const struct sr_nest *nest = t->r->nest;
	bool has_stored = false;
	for (int i = 0; i < nest->n_instrs; i++) {
		const struct sr_nest_instr *in = &sr_nest_instrs(nest)[i];
		if (in->op == SR_NEST_LOAD && has_stored)
			return false;
		if (in->op == SR_NEST_STORE && t->shared[t->r->accesses[in->access].buffer - nest->n_inputs])
			has_stored = true;
	}
	return true;
}

bool sr_code_push_nest(struct sr_code *code, struct sr_arena *arena, const struct sr_nest_prepared *nest, int64_t first_operand,
		       const uint64_t *shared)
{
	struct translation t = {.code = code, .arena = arena, .r = nest, .first_operand = first_operand, .n = 1, .shared = shared,
				.values = SR_NEW_ARRAY(arena, struct value, nest->nest->n_values)};
	size_t n_ops = code->ops.n;
	bool is_translated = nest->n_loops == nest->n_parallel;
	for (int l = 0; l < nest->n_loops && is_translated; l++) {
		is_translated = nest->extent[l] > 0 && nest->extent[l] <= MAX_ITERATIONS / t.n;
		t.n *= is_translated ? nest->extent[l] : 1;
	}
	is_translated = is_translated && stores_follow_loads(&t);
	for (int i = 0; i < nest->nest->n_instrs && is_translated; i++)
		is_translated = translate(&t, &sr_nest_instrs(nest->nest)[i]);
	if (!is_translated)
		code->ops.n = n_ops;
	else if (t.scratch > code->scratch)
		code->scratch = t.scratch;
	return is_translated;
}
