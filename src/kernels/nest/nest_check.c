/* Validation of a loop nest from an untrusted program: every property that its execution relies on. */
#include "kernels/kernel_check.h"
#include "kernels/nest/nest_prepared.h"
#include "support/checked.h"
#include <stdlib.h>

struct check {
	const struct sr_nest *t;
	const int64_t *elements;
	const uint8_t *dtypes;
	const char *error;
};

static bool fail(struct check *c, const char *why)
{
	c->error = why;
	return false;
}

static bool is_array_in_block(const struct check *c, uint32_t at, int64_t n, size_t size)
{
	return n >= 0 && at % 16 == 0 && at >= sizeof *c->t && at <= c->t->bytes && (uint64_t)n <= (c->t->bytes - at) / size;
}

static bool check_arrays(struct check *c)
{
	const struct sr_nest *nest = c->t;
	bool is_valid = is_array_in_block(c, nest->stages, nest->n_stages, sizeof(struct sr_nest_stage)) &&
		    is_array_in_block(c, nest->instrs, nest->n_instrs, sizeof(struct sr_nest_instr)) &&
		    is_array_in_block(c, nest->values, nest->n_values, sizeof(struct sr_nest_value)) &&
		    is_array_in_block(c, nest->accesses, nest->n_accesses, sizeof(struct sr_nest_access)) &&
		    is_array_in_block(c, nest->dims, nest->n_dims, sizeof(struct sr_nest_dim)) &&
		    is_array_in_block(c, nest->outputs, nest->n_outputs, sizeof(struct sr_nest_output)) &&
		    is_array_in_block(c, nest->constants, nest->constant_bytes, 1);
	return is_valid || fail(c, "a loop nest's arrays are outside its block");
}

static bool check_loops(struct check *c)
{
	enum {
		ITERATION_BYTES = 1 << 15
	}; /* maximum bytes per iteration of the values saved for all iterations, over all workers */
	int64_t n_iterations = 1, saved_bytes;
	if (c->t->n_loops < 0 || c->t->n_loops > SR_NEST_MAX_LOOPS || c->t->n_parallel < 0 || c->t->n_parallel > c->t->n_loops)
		return fail(c, "a loop nest has more loops than supported");
	for (int l = 0; l < c->t->n_loops; l++)
		if (c->t->extent[l] < 1 || sr_mul_overflows(n_iterations, c->t->extent[l], &n_iterations) ||
		    n_iterations > INT64_MAX / 64)
			return fail(c, "a loop nest has an empty loop, or too many iterations");
	if (sr_mul_overflows(n_iterations, ITERATION_BYTES, &saved_bytes) ||
	    sr_mul_overflows(saved_bytes, (int64_t)c->t->n_values + 1, &saved_bytes))
		return fail(c, "a loop nest has an empty loop, or too many iterations");
	return true;
}

/* Compute the range of offset + sum of coef[l] * (index of loop l). Returns false on overflow. */
static bool linear_range(const struct check *c, int64_t offset, const int64_t *coef, int64_t *low, int64_t *high)
{
	*low = *high = offset;
	for (int l = 0; l < c->t->n_loops; l++) {
		int64_t last_offset, *end = coef[l] < 0 ? low : high;
		if (sr_mul_overflows(coef[l], c->t->extent[l] - 1, &last_offset) || sr_add_overflows(*end, last_offset, end))
			return false;
	}
	return true;
}

/* Compute the range of a dim's contribution to the element offset. Returns false on overflow, or if a dim with a divisor has no
 * bounds. */
static bool dim_range(const struct check *c, const struct sr_nest_dim *d, int64_t *low, int64_t *high)
{
	if (d->invariant_loops || d->divisor < 1 || d->extent < 0 || d->stride < 0 || d->limit < 0 || d->index >= c->t->n_values ||
	    !linear_range(c, d->offset, d->coef, low, high) || (d->divisor > 1 && (d->extent == 0 || d->index >= 0)))
		return false;
	if (d->index >= 0 && sr_add_overflows(*high, d->limit, high))
		return false;
	if (d->divisor > 1 || (d->extent > 0 && d->stride > 0)) {
		*low = 0;
		*high = d->extent - 1;
	}
	return !sr_mul_overflows(*low, d->stride, low) && !sr_mul_overflows(*high, d->stride, high);
}

/* Compute the range of element offsets of an access. Returns false on overflow. */
static bool access_range(const struct check *c, const struct sr_nest_access *a, int64_t *low, int64_t *high)
{
	int64_t l, h;
	if (!linear_range(c, a->offset, a->stride, low, high))
		return false;
	for (int k = 0; k < a->n_dims; k++)
		if (!dim_range(c, sr_nest_dims(c->t) + a->first_dim + k, &l, &h) || sr_add_overflows(*low, l, low) ||
		    sr_add_overflows(*high, h, high))
			return false;
	return true;
}

/* Check all accesses, since preparing a loop nest also reads those that no instruction uses. */
static bool check_accesses(struct check *c)
{
	int64_t low, high;
	for (int i = 0; i < c->t->n_accesses; i++) {
		const struct sr_nest_access *a = sr_nest_accesses(c->t) + i;
		if (a->n_dims < 0 || a->first_dim < 0 || a->n_dims > 2 * SR_NEST_MAX_LOOPS ||
		    (int64_t)a->first_dim + a->n_dims > c->t->n_dims ||
		    a->fill < -1 || a->fill >= c->t->n_values || !access_range(c, a, &low, &high))
			return fail(c, "a loop nest's access overflows");
	}
	return true;
}

static bool is_bounded(const struct check *c, const struct sr_nest_access *a)
{
	for (int k = 0; k < a->n_dims; k++)
		if (sr_nest_dims(c->t)[a->first_dim + k].extent > 0)
			return true;
	return false;
}

/* ---- instructions ---- */

struct values {
	const struct sr_nest_value *v;
	int n;
	bool *is_available;    /* value v may be read by the following instructions of the current stage */
	int32_t *defining_stage; /* for each value: 1 + the stage that defines it, or 0 if none does yet; a value is defined once */
	bool *is_checked;   /* for each instruction: it belongs to a stage that has been checked; length: n_instrs */
	int32_t stage;    /* 1 + number of the current stage */
	bool over_inner;  /* true if the current stage runs over the inner loops */
	int32_t lanes;
};

static bool is_readable(const struct check *c, const struct values *v, int value, bool in_body)
{
	return value >= 0 && value < c->t->n_values && v->is_available[value] && (in_body || v->v[value].stage >= 0);
}

static bool check_access(struct check *c, const struct sr_nest_instr *in, const struct values *v)
{
	int64_t low, high;
	if (in->access < 0 || in->access >= c->t->n_accesses)
		return fail(c, "a loop nest's instruction names no access");
	const struct sr_nest_access *a = sr_nest_accesses(c->t) + in->access;
	(void)access_range(c, a, &low, &high); /* cannot fail: all accesses have been checked */
	for (int k = 0; k < a->n_dims; k++) {
		int index = sr_nest_dims(c->t)[a->first_dim + k].index;
		if (index >= 0 && (in->op != SR_NEST_LOAD || !is_readable(c, v, index, false) ||
		    !sr_dtype_is_integer((enum sr_dtype)v->v[index].dtype)))
			return fail(c, "a loop nest's access has an index that is not an integer");
	}
	if (in->op == SR_NEST_INDEX)
		return !a->n_dims && v->v[in->result].dtype == SR_I64 ? true : fail(c, "a loop nest's index is not of type i64");
	int value = in->op == SR_NEST_LOAD ? in->result : in->args[0];
	if (a->buffer < 0 || a->buffer >= c->t->n_inputs + c->t->n_outputs || c->dtypes[a->buffer] != v->v[value].dtype ||
	    low < 0 ||
	    high >= c->elements[a->buffer])
		return fail(c, "a loop nest reaches outside its buffers");
	if (in->op == SR_NEST_STORE)
		return a->buffer >= c->t->n_inputs && !a->n_dims ? true : fail(c, "a loop nest writes to an input");
	if ((is_bounded(c, a) || a->fill >= 0) &&
	    (!is_readable(c, v, a->fill, false) || v->v[a->fill].dtype != v->v[value].dtype))
		return fail(c, "a loop nest's access has bounds and no fill value of its type");
	return true;
}

/* Return the enum sr_monoid of a REDUCE's kernel, or -1 if the kernel is not a monoid. */
int sr_nest_monoid(int kernel)
{
	static const int8_t monoids[SR_KERNEL_COUNT] = {
		[SR_KERNEL_ADD] = 1 + SR_MONOID_ADD,	  [SR_KERNEL_MULTIPLY] = 1 + SR_MONOID_MUL,
		    [SR_KERNEL_MINIMUM] = 1 + SR_MONOID_MIN,
		[SR_KERNEL_MAXIMUM] = 1 + SR_MONOID_MAX,
		    [SR_KERNEL_AND] = 1 + SR_MONOID_AND,	    [SR_KERNEL_OR] = 1 + SR_MONOID_OR,
		[SR_KERNEL_XOR] = 1 + SR_MONOID_XOR};
	return monoids[kernel] - 1;
}

/* Define the n values from v on. Returns false if one of them is defined already. */
static bool define_values(struct check *c, struct values *values, int32_t v, int n)
{
	for (int k = 0; k < n; k++) {
		if (values->defining_stage[v + k])
			return fail(c, "a loop nest's value is defined twice");
		values->defining_stage[v + k] = values->stage;
		values->is_available[v + k] = true;
	}
	return true;
}

/* Return true if the value may be the initial value of a reduction, which is read before its stage begins. */
static bool is_initial_value(const struct check *c, const struct values *v, int32_t value)
{
	return is_readable(c, v, value, false) && v->defining_stage[value] < v->stage;
}

static bool has_type(const struct sr_nest_instr *in)
{
	return in->kernel > SR_KERNEL_NONE && in->kernel < SR_KERNEL_COUNT && in->type > SR_DTYPE_NONE && in->type < SR_DTYPE_COUNT;
}

/* Check that the kernel is elementwise with this number of arguments, and that each value has the element size that the kernel
 * reads or writes. */
static bool check_map(struct check *c, const struct sr_nest_instr *in, const struct values *v)
{
	enum sr_kernel k = (enum sr_kernel)in->kernel;
	enum sr_dtype type = (enum sr_dtype)in->type, out = (enum sr_dtype)v->v[in->result].dtype;
	if (!has_type(in) || sr_kernel_arity(k) != in->n_args || !in->n_args)
		return fail(c, "a loop nest's instruction has no elementwise kernel with its number of arguments");
	bool is_valid = sr_dtype_bytes(out) == sr_map_bytes(k, type, out, -1) &&
		    (k != SR_KERNEL_BITCAST || sr_dtypes[out].bits == sr_dtypes[v->v[in->args[0]].dtype].bits) &&
		    (k != SR_KERNEL_REDUCE_PRECISION || (in->exponent_bits >= 1 && in->exponent_bits <= 11 &&
		    in->mantissa_bits <= 52));
	for (int i = 0; is_valid && i < in->n_args; i++)
		is_valid = sr_dtype_bytes((enum sr_dtype)v->v[in->args[i]].dtype) == sr_map_bytes(k, type, out, i);
	return is_valid ? true : fail(c, "a loop nest's instruction has values of other types than its kernel");
}

static bool check_reduce(struct check *c, const struct sr_nest_instr *in, const struct values *v)
{
	if (!has_type(in) || sr_nest_monoid(in->kernel) < 0 || in->n_args != 2 || !v->over_inner ||
	    !is_initial_value(c, v, in->args[1]))
		return fail(c, "a loop nest's reduction is not by a monoid over inner loops");
	for (int i = 0; i < 2; i++)
		if (v->v[in->args[i]].dtype != in->type || v->v[in->result].dtype != in->type)
			return fail(c, "a loop nest's reduction has operands of different types");
	int64_t identity[2];
	if (v->v[in->result].is_saved || (v->lanes > 1 && !sr_nest_identity(in->kernel, (enum sr_dtype)in->type, identity)))
		return fail(c, "a loop nest's reduction is saved, or has several lanes and no identity element");
	return true;
}

static bool check_instr(struct check *c, const struct sr_nest_instr *in, struct values *v, bool in_body);

static bool check_fold(struct check *c, const struct sr_nest_instr *in, struct values *v)
{
	const struct sr_nest *nest = c->t;
	int n = in->n_folds;
	if (n < 1 || n > SR_NEST_MAX_FOLDS || !v->over_inner || in->n_args != 2 * n || in->result < 0 ||
	    (int64_t)in->result + n > nest->n_values || in->body < 0 || in->n_body < 0 ||
	    (int64_t)in->body + in->n_body > nest->n_instrs || in->body_args < 0 || (int64_t)in->body_args + 2 * n > nest->n_values)
		return fail(c, "a loop nest's fold is outside its block");
	for (int k = 0; k < 2 * n; k++) {
		int accumulator = in->result + k % n, arg = in->body_args + k;
		if (v->v[accumulator].is_saved || v->lanes > 1)
			return fail(c, "a loop nest's fold is saved, or has several lanes");
		if (!is_readable(c, v, in->args[k], false) || (k >= n && !is_initial_value(c, v, in->args[k])) ||
		    v->v[arg].stage >= 0 || v->v[arg].dtype != v->v[k < n ? accumulator : in->args[k - n]].dtype)
			return fail(c, "a loop nest's fold has values of other types than its body");
	}
	if (!define_values(c, v, in->body_args, 2 * n))
		return false;
	for (int i = 0; i < in->n_body; i++) {
		const struct sr_nest_instr *inner = sr_nest_instrs(nest) + in->body + i;
		if ((inner->op != SR_NEST_MAP && inner->op != SR_NEST_CONSTANT) || !check_instr(c, inner, v, true))
			return c->error
				   ? false
				   : fail(c, "a loop nest's fold has an instruction that is neither elementwise nor a constant");
	}
	for (int k = 0; k < n; k++) {
		if (!is_readable(c, v, in->body_results[k], true) ||
				v->v[in->body_results[k]].dtype != v->v[in->result + k].dtype ||
		    v->v[in->args[n + k]].dtype != v->v[in->result + k].dtype)
			return fail(c, "a loop nest's fold has results of other types");
	}
	return define_values(c, v, in->result, n);
}

static bool check_instr(struct check *c, const struct sr_nest_instr *in, struct values *v, bool in_body)
{
	bool stores = in->op == SR_NEST_STORE, *is_checked = &v->is_checked[in - sr_nest_instrs(c->t)];
	if (*is_checked || (stores && in->result != -1))
		return fail(c, "a loop nest's instruction is in two stages, or is a store with a result");
	*is_checked = true;
	if (in->op >= SR_NEST_OP_COUNT || in->n_args > SR_NEST_MAX_ARGS || (!stores && (in->result < 0 ||
	    in->result >= c->t->n_values)))
		return fail(c, "a loop nest's instruction is of unknown kind");
	for (int k = 0; k < in->n_args; k++)
		if (!is_readable(c, v, in->args[k], in_body))
			return fail(c, "a loop nest's instruction reads an undefined value");
	if (!stores && (in_body ? v->v[in->result].stage >= 0 : v->v[in->result].stage < 0))
		return fail(c, "a loop nest's value belongs to another stage");
	switch ((enum sr_nest_op)in->op) {
	case SR_NEST_STORE:
		if (in->n_args != 1)
			return fail(c, "a loop nest's store has no value");
		return check_access(c, in, v);
	case SR_NEST_LOAD:
	case SR_NEST_INDEX:
		if (in->n_args || !check_access(c, in, v))
			return c->error ? false : fail(c, "a loop nest's load has arguments");
		break;
	case SR_NEST_CONSTANT:
		if (in->constant < 0 || in->constant % 16 ||
		    (uint64_t)in->constant + (uint64_t)sr_dtype_bytes((enum sr_dtype)v->v[in->result].dtype) > c->t->constant_bytes)
			return fail(c, "a loop nest's constant is outside its block, or not aligned");
		break;
	case SR_NEST_MAP:
		if (!check_map(c, in, v))
			return false;
		break;
	case SR_NEST_REDUCE:
		if (!check_reduce(c, in, v))
			return false;
		break;
	case SR_NEST_FOLD:
		return check_fold(c, in, v);
	case SR_NEST_OP_COUNT:
		return false;
	}
	return define_values(c, v, in->result, 1);
}

static bool check_stage(struct check *c, const struct sr_nest_stage *s, struct values *v)
{
	if (s->first < 0 || s->n < 0 || (int64_t)s->first + s->n > c->t->n_instrs)
		return fail(c, "a loop nest's stage is outside its block");
	if (s->lanes < 0 || s->lanes > SR_NEST_MAX_LANES || (s->lanes & (s->lanes - 1)) || (s->lanes > 1 && !s->over_inner))
		return fail(c, "a loop nest's stage has a number of lanes that is no power of two, or is not over inner loops");
	v->over_inner = s->over_inner;
	v->lanes = s->lanes;
	v->stage++;
	for (int i = s->first; i < s->first + s->n; i++)
		if (!check_instr(c, sr_nest_instrs(c->t) + i, v, false))
			return false;
	/* later stages may read only reductions, saved values, and values of stages that run once */
	for (int i = s->first; i < s->first + s->n; i++) {
		const struct sr_nest_instr *in = sr_nest_instrs(c->t) + i;
		bool is_read_by_tiles = !s->over_inner || in->op == SR_NEST_REDUCE || in->op == SR_NEST_FOLD ||
				in->op == SR_NEST_STORE;
		if (!is_read_by_tiles && !v->v[in->result].is_saved)
			v->is_available[in->result] = false;
	}
	return true;
}

const char sr_nest_no_memory[] = "out of memory";

bool sr_nest_check(const struct sr_nest *nest, uint64_t n_bytes, const int64_t *elements, const uint8_t *dtypes, int n_buffers,
		   const char **why)
{
	struct check c = {.t = nest, .elements = elements, .dtypes = dtypes};
	if (n_bytes < sizeof *nest || nest->bytes > n_bytes || nest->bytes < sizeof *nest || nest->n_inputs < 0 ||
	    nest->n_outputs < 0 || nest->n_inputs > n_buffers || nest->n_outputs != n_buffers - nest->n_inputs ||
	    n_buffers > SR_NEST_MAX_BUFFERS)
		fail(&c, "a loop nest is truncated, or its buffers are not those of its instruction");
	bool is_valid = !c.error && check_arrays(&c) && check_loops(&c) && check_accesses(&c);
	struct values v = {.v = is_valid ? sr_nest_values(nest) : NULL, .n = nest->n_values};
	for (int i = 0; is_valid && i < nest->n_values; i++)
		is_valid = v.v[i].dtype > SR_DTYPE_NONE && v.v[i].dtype < SR_DTYPE_COUNT ? true : fail(&c,
		    "a loop nest's value has no type");
	v.is_available = is_valid ? calloc((size_t)nest->n_values + 1, sizeof *v.is_available) : NULL;
	v.defining_stage = is_valid ? calloc((size_t)nest->n_values + 1, sizeof *v.defining_stage) : NULL;
	v.is_checked = is_valid ? calloc((size_t)nest->n_instrs + 1, sizeof *v.is_checked) : NULL;
	if (is_valid && (!v.is_available || !v.defining_stage || !v.is_checked))
		is_valid = fail(&c, sr_nest_no_memory);
	for (int s = 0; is_valid && s < nest->n_stages; s++)
		is_valid = check_stage(&c, sr_nest_stages(nest) + s, &v);
	for (int i = 0; is_valid && i < nest->n_instrs; i++)
		is_valid = v.is_checked[i] ? true : fail(&c, "a loop nest's instruction is in no stage");
	free(v.is_available);
	free(v.defining_stage);
	free(v.is_checked);
	*why = c.error;
	return is_valid;
}
