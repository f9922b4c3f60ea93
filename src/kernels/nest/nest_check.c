/* Is a tile's block sound? Everything that running it relies on. */
#include "kernels/kernel_check.h"
#include "kernels/nest/nest_prepared.h"
#include "support/checked.h"
#include <stdlib.h>

struct check {
	const struct sr_nest *t;
	const int64_t *elements;
	const uint8_t *dtypes;
	const char *why;
};

static bool fail(struct check *c, const char *why)
{
	c->why = why;
	return false;
}

static bool array(const struct check *c, uint32_t at, int64_t n, size_t size)
{
	return n >= 0 && at % 16 == 0 && at >= sizeof *c->t && at <= c->t->bytes && (uint64_t)n <= (c->t->bytes - at) / size;
}

static bool arrays(struct check *c)
{
	const struct sr_nest *t = c->t;
	bool good = array(c, t->stages, t->n_stages, sizeof(struct sr_nest_stage)) && array(c, t->instrs, t->n_instrs,
	    sizeof(struct sr_nest_instr)) &&
		    array(c, t->values, t->n_values, sizeof(struct sr_nest_value)) &&
		    array(c, t->accesses, t->n_accesses, sizeof(struct sr_nest_access)) && array(c, t->dims, t->n_dims,
		    sizeof(struct sr_nest_dim)) &&
		    array(c, t->outputs, t->n_outputs, sizeof(struct sr_nest_output)) && array(c, t->constants, t->constant_bytes,
		    1);
	return good || fail(c, "a tile's arrays lie outside it");
}

static bool loops(struct check *c)
{
	enum { POINT_BYTES = 1 << 15 }; /* of a value at most, where all of its points are saved, with the values of all workers */
	int64_t points = 1, saved;
	if (c->t->n_loops < 0 || c->t->n_loops > SR_NEST_MAX_LOOPS || c->t->n_parallel < 0 || c->t->n_parallel > c->t->n_loops)
		return fail(c, "a tile has more loops than there may be");
	for (int l = 0; l < c->t->n_loops; l++)
		if (c->t->extent[l] < 1 || sr_mul_overflows(points, c->t->extent[l], &points) || points > INT64_MAX / 64)
			return fail(c, "a tile's loops are empty or too long");
	if (sr_mul_overflows(points, POINT_BYTES, &saved) || sr_mul_overflows(saved, (int64_t)c->t->n_values + 1, &saved))
		return fail(c, "a tile's loops are empty or too long");
	return true;
}

/* The least and the greatest of offset + sum of coef[l] * index; false: overflow. */
static bool range(const struct check *c, int64_t offset, const int64_t *coef, int64_t *low, int64_t *high)
{
	*low = *high = offset;
	for (int l = 0; l < c->t->n_loops; l++) {
		int64_t far, *end = coef[l] < 0 ? low : high;
		if (sr_mul_overflows(coef[l], c->t->extent[l] - 1, &far) || sr_add_overflows(*end, far, end))
			return false;
	}
	return true;
}

/* What a dim may add to the element's number; false: it overflows, or is not bounded though it may be anywhere. */
static bool dim_range(const struct check *c, const struct sr_nest_dim *d, int64_t *low, int64_t *high)
{
	if (d->steady || d->divisor < 1 || d->extent < 0 || d->stride < 0 || d->limit < 0 || d->index >= c->t->n_values ||
	    !range(c, d->offset, d->coef, low, high) || (d->divisor > 1 && (d->extent == 0 || d->index >= 0)))
		return false;
	if (d->index >= 0 && sr_add_overflows(*high, d->limit, high))
		return false;
	if (d->divisor > 1 || (d->extent > 0 && d->stride > 0)) {
		*low = 0;
		*high = d->extent - 1;
	}
	return !sr_mul_overflows(*low, d->stride, low) && !sr_mul_overflows(*high, d->stride, high);
}

/* The least and the greatest element that an access means. */
static bool access_range(const struct check *c, const struct sr_nest_access *a, int64_t *low, int64_t *high)
{
	int64_t l, h;
	if (!range(c, a->offset, a->stride, low, high))
		return false;
	for (int k = 0; k < a->n_dims; k++)
		if (!dim_range(c, sr_nest_dims(c->t) + a->first_dim + k, &l, &h) || sr_add_overflows(*low, l, low) ||
		    sr_add_overflows(*high, h, high))
			return false;
	return true;
}

/* Accesses that no instruction has are read, too, where a tile is made ready. */
static bool accesses(struct check *c)
{
	int64_t low, high;
	for (int i = 0; i < c->t->n_accesses; i++) {
		const struct sr_nest_access *a = sr_nest_accesses(c->t) + i;
		if (a->n_dims < 0 || a->first_dim < 0 || a->n_dims > 2 * SR_NEST_MAX_LOOPS ||
		    (int64_t)a->first_dim + a->n_dims > c->t->n_dims ||
		    a->fill < -1 || a->fill >= c->t->n_values || !access_range(c, a, &low, &high))
			return fail(c, "a tile's access overflows");
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

/* ---- instructions; made[v]: value v is there for those that follow in this stage ---- */

struct values {
	const struct sr_nest_value *v;
	int n;
	bool *made;    /* by instructions so far, or in stages before */
	int32_t *made_in; /* 1 + the stage, 0: not yet. A value is made once */
	bool *executed;   /* [n_instrs] */
	int32_t stage;    /* 1 + the number of this one */
	bool over_inner;  /* of this stage */
};

static bool reads(const struct check *c, const struct values *v, int value, bool in_body)
{
	return value >= 0 && value < c->t->n_values && v->made[value] && (in_body || v->v[value].stage >= 0);
}

static bool access_ok(struct check *c, const struct sr_nest_instr *in, const struct values *v)
{
	int64_t low, high;
	if (in->access < 0 || in->access >= c->t->n_accesses)
		return fail(c, "a tile's instruction names no access");
	const struct sr_nest_access *a = sr_nest_accesses(c->t) + in->access;
	(void)access_range(c, a, &low, &high); /* all of them have been looked at */
	for (int k = 0; k < a->n_dims; k++) {
		int index = sr_nest_dims(c->t)[a->first_dim + k].index;
		if (index >= 0 && (in->op != SR_NEST_LOAD || !reads(c, v, index, false) ||
		    !sr_dtype_is_integer((enum sr_dtype)v->v[index].dtype)))
			return fail(c, "a tile's access has an index that is no number");
	}
	if (in->op == SR_NEST_INDEX)
		return !a->n_dims && v->v[in->result].dtype == SR_I64 ? true : fail(c, "a tile's index is of no type for it");
	int value = in->op == SR_NEST_LOAD ? in->result : in->args[0];
	if (a->buffer < 0 || a->buffer >= c->t->n_inputs + c->t->n_outputs || c->dtypes[a->buffer] != v->v[value].dtype ||
	    low < 0 ||
	    high >= c->elements[a->buffer])
		return fail(c, "a tile reaches outside its buffers");
	if (in->op == SR_NEST_STORE)
		return a->buffer >= c->t->n_inputs && !a->n_dims ? true : fail(c, "a tile writes what it only reads");
	if ((is_bounded(c, a) || a->fill >= 0) && (!reads(c, v, a->fill, false) || v->v[a->fill].dtype != v->v[value].dtype))
		return fail(c, "a tile's access has nothing to fill with");
	return true;
}

/* Return the monoid that a REDUCE combines by, -1 if the kernel is none of them. */
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

/* Return true if no instruction before made the n values from v on; note that one does now. */
static bool define(struct check *c, struct values *values, int32_t v, int n)
{
	for (int k = 0; k < n; k++) {
		if (values->made_in[v + k])
			return fail(c, "a tile's value is made twice");
		values->made_in[v + k] = values->stage;
		values->made[v + k] = true;
	}
	return true;
}

/* A reduction's init is read before its stage begins. */
static bool is_init(const struct check *c, const struct values *v, int32_t value)
{
	return reads(c, v, value, false) && v->made_in[value] < v->stage;
}

static bool has_type(const struct sr_nest_instr *in)
{
	return in->kernel > SR_KERNEL_NONE && in->kernel < SR_KERNEL_COUNT && in->type > SR_DTYPE_NONE && in->type < SR_DTYPE_COUNT;
}

/* Its kernel is elementwise, of as many arguments, and values have the elements that it reads and writes. */
static bool map_ok(struct check *c, const struct sr_nest_instr *in, const struct values *v)
{
	enum sr_kernel k = (enum sr_kernel)in->kernel;
	enum sr_dtype type = (enum sr_dtype)in->type, out = (enum sr_dtype)v->v[in->result].dtype;
	if (!has_type(in) || sr_kernel_arity(k) != in->n_args || !in->n_args)
		return fail(c, "a tile's instruction has no kernel of its kind");
	bool good = sr_dtype_bytes(out) == sr_map_bytes(k, type, out, -1) &&
		    (k != SR_KERNEL_BITCAST || sr_dtypes[out].bits == sr_dtypes[v->v[in->args[0]].dtype].bits) &&
		    (k != SR_KERNEL_REDUCE_PRECISION || (in->exponent_bits >= 1 && in->exponent_bits <= 11 &&
		    in->mantissa_bits <= 52));
	for (int i = 0; good && i < in->n_args; i++)
		good = sr_dtype_bytes((enum sr_dtype)v->v[in->args[i]].dtype) == sr_map_bytes(k, type, out, i);
	return good ? true : fail(c, "a tile's instruction has values of other types than its kernel");
}

static bool reduce_ok(struct check *c, const struct sr_nest_instr *in, const struct values *v)
{
	if (!has_type(in) || sr_nest_monoid(in->kernel) < 0 || in->n_args != 2 || !v->over_inner || !is_init(c, v, in->args[1]))
		return fail(c, "a tile's reduction has no kernel of its kind");
	for (int i = 0; i < 2; i++)
		if (v->v[in->args[i]].dtype != in->type || v->v[in->result].dtype != in->type)
			return fail(c, "a tile's reduction is of several types");
	return true;
}

static bool instr_ok(struct check *c, const struct sr_nest_instr *in, struct values *v, bool in_body);

static bool fold_ok(struct check *c, const struct sr_nest_instr *in, struct values *v)
{
	const struct sr_nest *t = c->t;
	int n = in->n_folds;
	if (n < 1 || n > SR_NEST_MAX_FOLDS || !v->over_inner || in->n_args != 2 * n || in->result < 0 ||
	    (int64_t)in->result + n > t->n_values || in->body < 0 || in->n_body < 0 ||
	    (int64_t)in->body + in->n_body > t->n_instrs || in->body_args < 0 || (int64_t)in->body_args + 2 * n > t->n_values)
		return fail(c, "a tile's fold lies outside it");
	for (int k = 0; k < 2 * n; k++) {
		int so_far = in->result + k % n, arg = in->body_args + k;
		if (!reads(c, v, in->args[k], false) || (k >= n && !is_init(c, v, in->args[k])) || v->v[arg].stage >= 0 ||
		    v->v[arg].dtype != v->v[k < n ? so_far : in->args[k - n]].dtype)
			return fail(c, "a tile's fold has values of other types than its body");
	}
	if (!define(c, v, in->body_args, 2 * n))
		return false;
	for (int i = 0; i < in->n_body; i++) {
		const struct sr_nest_instr *inner = sr_nest_instrs(t) + in->body + i;
		if ((inner->op != SR_NEST_MAP && inner->op != SR_NEST_CONSTANT) || !instr_ok(c, inner, v, true))
			return c->why ? false : fail(c, "a tile's fold does more than compute");
	}
	for (int k = 0; k < n; k++) {
		if (!reads(c, v, in->body_results[k], true) || v->v[in->body_results[k]].dtype != v->v[in->result + k].dtype ||
		    v->v[in->args[n + k]].dtype != v->v[in->result + k].dtype)
			return fail(c, "a tile's fold has results of other types");
	}
	return define(c, v, in->result, n);
}

static bool instr_ok(struct check *c, const struct sr_nest_instr *in, struct values *v, bool in_body)
{
	bool stores = in->op == SR_NEST_STORE, *executed = &v->executed[in - sr_nest_instrs(c->t)];
	if (*executed || (stores && in->result != -1))
		return fail(c, "a tile's instruction is of two stages, or stores a value of its own");
	*executed = true;
	if (in->op >= SR_NEST_OP_COUNT || in->n_args > SR_NEST_MAX_ARGS || (!stores && (in->result < 0 ||
	    in->result >= c->t->n_values)))
		return fail(c, "a tile's instruction is of no known kind");
	for (int k = 0; k < in->n_args; k++)
		if (!reads(c, v, in->args[k], in_body))
			return fail(c, "a tile's instruction reads what is not made");
	if (!stores && (in_body ? v->v[in->result].stage >= 0 : v->v[in->result].stage < 0))
		return fail(c, "a tile's value is of another stage");
	switch ((enum sr_nest_op)in->op) {
	case SR_NEST_STORE:
		if (in->n_args != 1)
			return fail(c, "a tile's store has no value");
		return access_ok(c, in, v);
	case SR_NEST_LOAD:
	case SR_NEST_INDEX:
		if (in->n_args || !access_ok(c, in, v))
			return c->why ? false : fail(c, "a tile's load has arguments");
		break;
	case SR_NEST_CONSTANT:
		if (in->constant < 0 ||
		    (uint64_t)in->constant + (uint64_t)sr_dtype_bytes((enum sr_dtype)v->v[in->result].dtype) > c->t->constant_bytes)
			return fail(c, "a tile's constant lies outside it");
		break;
	case SR_NEST_MAP:
		if (!map_ok(c, in, v))
			return false;
		break;
	case SR_NEST_REDUCE:
		if (!reduce_ok(c, in, v))
			return false;
		break;
	case SR_NEST_FOLD:
		return fold_ok(c, in, v);
	case SR_NEST_OP_COUNT:
		return false;
	}
	return define(c, v, in->result, 1);
}

static bool stage_ok(struct check *c, const struct sr_nest_stage *s, struct values *v)
{
	if (s->first < 0 || s->n < 0 || (int64_t)s->first + s->n > c->t->n_instrs)
		return fail(c, "a tile's stage lies outside it");
	v->over_inner = s->over_inner;
	v->stage++;
	for (int i = s->first; i < s->first + s->n; i++)
		if (!instr_ok(c, sr_nest_instrs(c->t) + i, v, false))
			return false;
	/* what later stages may read: reductions, what is saved, what is made once */
	for (int i = s->first; i < s->first + s->n; i++) {
		const struct sr_nest_instr *in = sr_nest_instrs(c->t) + i;
		bool stays = !s->over_inner || in->op == SR_NEST_REDUCE || in->op == SR_NEST_FOLD || in->op == SR_NEST_STORE;
		if (!stays && !v->v[in->result].saved)
			v->made[in->result] = false;
	}
	return true;
}

const char sr_nest_no_memory[] = "out of memory";

bool sr_nest_check(const struct sr_nest *t, uint64_t n_bytes, const int64_t *elements, const uint8_t *dtypes, int n_buffers,
    const char **why)
{
	struct check c = {.t = t, .elements = elements, .dtypes = dtypes};
	if (n_bytes < sizeof *t || t->bytes > n_bytes || t->bytes < sizeof *t || t->n_inputs < 0 || t->n_outputs < 0 ||
	    t->n_inputs > n_buffers ||
	    t->n_outputs != n_buffers - t->n_inputs || n_buffers > SR_NEST_MAX_BUFFERS)
		fail(&c, "a tile is cut short, or has other buffers than its step");
	bool good = !c.why && arrays(&c) && loops(&c) && accesses(&c);
	struct values v = {.v = good ? sr_nest_values(t) : NULL, .n = t->n_values};
	for (int i = 0; good && i < t->n_values; i++)
		good = v.v[i].dtype > SR_DTYPE_NONE && v.v[i].dtype < SR_DTYPE_COUNT ? true : fail(&c,
		    "a tile's value has no type");
	v.made = good ? calloc((size_t)t->n_values + 1, sizeof *v.made) : NULL;
	v.made_in = good ? calloc((size_t)t->n_values + 1, sizeof *v.made_in) : NULL;
	v.executed = good ? calloc((size_t)t->n_instrs + 1, sizeof *v.executed) : NULL;
	if (good && (!v.made || !v.made_in || !v.executed))
		good = fail(&c, sr_nest_no_memory);
	for (int s = 0; good && s < t->n_stages; s++)
		good = stage_ok(&c, sr_nest_stages(t) + s, &v);
	for (int i = 0; good && i < t->n_instrs; i++)
		good = v.executed[i] ? true : fail(&c, "a tile's instruction is of no stage");
	free(v.made);
	free(v.made_in);
	free(v.executed);
	*why = c.why;
	return good;
}
