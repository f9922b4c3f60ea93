/* Find masks that are constant in most iterations of a loop nest.
 *
 * Programs write the border of a grid as a select by comparisons of indices with constants:
 *
 *	select(1 <= i, select(i < n - 1, f(u), u), u)
 *
 * Both comparisons are true for i in [1, n - 1). The vector loop over that range contains neither comparisons nor selects; the
 * loops over the peeled ends contain both. A comparison has a range if it is constant except for few indices, because the peeled
 * ends take more time for each element. On a shard of the grid, the index is the sum of a loop index and the device's first index,
 * a number that is computed before the vector loop, as is the range then. A conjunction, disjunction or negation of values that are
 * known in the range is known, too. Rows in which such a mask has its other value, such as the first row of a grid, have loops of
 * their own. */
#include "codegen/nest_masks.h"
#include "support/checked.h"
#include <string.h>

#define MAX_NUMBER (INT64_MAX / 8) /* maximum magnitude of numbers in comparisons, so that sums of a few do not overflow */

/* An integer that is affine in the loop indices: offset + sum of coef[l] * il, which is in [min, max], + the value `scalar`, which
 * does not depend on the vector loop; scalar is -1 if there is none. The sum with a scalar is modulo 2^32 or 2^64. */
struct affine {
	int64_t offset, coef[SR_NEST_MAX_LOOPS], min, max;
	int scalar;
};

/* Set min and max. Returns false if they overflow. */
static bool set_limits(const struct sr_nest_form *g, struct affine *a)
{
	a->min = a->max = a->offset;
	for (int l = 0; l < g->r->n_loops; l++) {
		int64_t *limit = a->coef[l] < 0 ? &a->min : &a->max, last;
		if (sr_mul_overflows(a->coef[l], g->r->extent[l] - 1, &last) || sr_add_overflows(*limit, last, limit))
			return false;
	}
	return true;
}

/* Return true if all values of `a` are numbers of this type, which is i32 or i64. */
static bool fits(const struct affine *a, enum sr_dtype type)
{
	return type == SR_I64 || (type == SR_I32 && a->min >= INT32_MIN && a->max <= INT32_MAX);
}

static bool read_constant(const struct sr_nest_form *g, const struct sr_nest_instr *in, struct affine *a)
{
	enum sr_dtype type = (enum sr_dtype)sr_nest_values(g->t)[in->result].dtype;
	const char *data = sr_nest_constants(g->t) + in->constant;
	int32_t number;
	*a = (struct affine){.scalar = -1};
	if (type == SR_I64) {
		memcpy(&a->offset, data, sizeof a->offset);
	} else {
		memcpy(&number, data, sizeof number);
		a->offset = number;
	}
	return type == SR_I32 || type == SR_I64;
}

static bool read_affine(const struct sr_nest_form *g, int v, struct affine *a);

/* Read value v, which a constant, an index, a conversion or a sum defines. */
static bool read_definition(const struct sr_nest_form *g, int v, struct affine *a)
{
	const struct sr_nest_instr *in = g->definition[v];
	struct affine other;
	bool is_read = false;
	if (in && in->op == SR_NEST_CONSTANT) {
		is_read = read_constant(g, in, a);
	} else if (in && in->op == SR_NEST_INDEX) {
		const struct sr_nest_access *access = &g->r->accesses[in->access];
		*a = (struct affine){.offset = access->offset, .scalar = -1};
		memcpy(a->coef, access->stride, sizeof a->coef);
		is_read = !access->n_dims;
	} else if (in && in->op == SR_NEST_MAP && in->kernel == SR_KERNEL_CONVERT) {
		bool is_type_kept = sr_nest_values(g->t)[v].dtype == sr_nest_values(g->t)[in->args[0]].dtype;
		is_read = read_affine(g, in->args[0], a) && (a->scalar < 0 || is_type_kept);
	} else if (in && in->op == SR_NEST_MAP && (in->kernel == SR_KERNEL_ADD || in->kernel == SR_KERNEL_SUBTRACT)) {
		int64_t sign = in->kernel == SR_KERNEL_ADD ? 1 : -1, term;
		is_read = read_affine(g, in->args[0], a) && read_affine(g, in->args[1], &other) &&
			  (other.scalar < 0 || (a->scalar < 0 && sign > 0)) && !sr_mul_overflows(other.offset, sign, &term) &&
			  !sr_add_overflows(a->offset, term, &a->offset);
		for (int l = 0; is_read && l < g->r->n_loops; l++)
			is_read = !sr_mul_overflows(other.coef[l], sign, &term) && !sr_add_overflows(a->coef[l], term, &a->coef[l]);
		a->scalar = a->scalar < 0 ? other.scalar : a->scalar;
	}
	return is_read && set_limits(g, a) && fits(a, (enum sr_dtype)sr_nest_values(g->t)[v].dtype);
}

/* Return true if the C code computes value v before the vector loop. */
static bool precedes_vector_loop(const struct sr_nest_form *g, int v)
{
	struct sr_stage_loops n;
	sr_nest_form_stage_loops(g, 0, &n);
	return g->definition[v] && !g->is_inlined_fill[v] && sr_nest_form_loop_depth(g, &n, g->definition[v]) < n.n;
}

/* Read value v as an affine function of the loop indices, or as a scalar. Returns false if it is neither. */
static bool read_affine(const struct sr_nest_form *g, int v, struct affine *a)
{
	enum sr_dtype type = (enum sr_dtype)sr_nest_values(g->t)[v].dtype;
	if (read_definition(g, v, a))
		return true;
	*a = (struct affine){.scalar = v};
	return (type == SR_I32 || type == SR_I64) && precedes_vector_loop(g, v);
}

static bool compare(const struct sr_nest_instr *in, int64_t a, int64_t b)
{
	return sr_compare_result((enum sr_compare)(in->variant & SR_COMPARE_MASK), a < b, a == b, a > b);
}

/* Set the range of a comparison of an index with a constant: the longest interval of indices for which it is constant. If a
 * scalar is added to the index, it is the interval of sums below the constant or above it that do not overflow. The sum is
 * presumed to be at least a.min: a constant near it is the first border of a grid, another one the last. */
static void set_range(const struct sr_nest_form *g, const struct sr_nest_instr *in, struct sr_nest_mask *mask)
{
	struct affine a, b;
	if (!read_affine(g, in->args[0], &a) || !read_affine(g, in->args[1], &b) || b.min != b.max || b.scalar >= 0 ||
	    a.min == a.max || a.max > MAX_NUMBER || a.min < -MAX_NUMBER)
		return;
	int64_t min = a.min, max = a.max, n = max - min + 1;
	if (a.scalar >= 0) {
		bool is_short = sr_nest_values(g->t)[a.scalar].dtype == SR_I32;
		min = is_short ? INT32_MIN : -MAX_NUMBER;
		max = is_short ? INT32_MAX : MAX_NUMBER;
	}
	int64_t number = b.min < min - 1 ? min - 1 : b.min > max + 1 ? max + 1 : b.min;
	bool is_below = compare(in, number - 1, number), is_above = compare(in, number + 1, number);
	bool is_equal = compare(in, number, number);
	int64_t below_end = number + (is_equal == is_below), above_begin = number + (is_equal != is_above);
	bool has_more_below = a.scalar >= 0 ? !sr_nest_peels(n, number - a.min) : below_end - min > max + 1 - above_begin;
	int64_t begin = has_more_below || above_begin < min ? min : above_begin;
	int64_t end = !has_more_below || below_end > max ? max + 1 : below_end;
	if (begin >= end || (a.scalar < 0 && !sr_nest_peels(n, n - (end - begin))))
		return;
	*mask = (struct sr_nest_mask){.is_known = true, .value = has_more_below ? is_below : is_above, .has_range = true};
	mask->range = (struct sr_nest_dim){.offset = a.offset - begin, .divisor = 1, .extent = end - begin, .index = -1};
	mask->scalar = a.scalar;
	memcpy(mask->range.coef, a.coef, sizeof a.coef);
}

/* Set what is known of a logical operation's result. */
static void combine(const struct sr_nest_instr *in, const struct sr_nest_mask *masks, struct sr_nest_mask *mask)
{
	const struct sr_nest_mask *a = &masks[in->args[0]], *b = &masks[in->args[in->n_args - 1]];
	if (in->kernel == SR_KERNEL_NOT && a->is_known)
		*mask = (struct sr_nest_mask){.is_known = true, .value = !a->value};
	if (in->kernel != SR_KERNEL_AND && in->kernel != SR_KERNEL_OR)
		return;
	bool decisive = in->kernel == SR_KERNEL_OR; /* the result if one operand has this value */
	bool is_decided = (a->is_known && a->value == decisive) || (b->is_known && b->value == decisive);
	if (is_decided || (a->is_known && b->is_known))
		*mask = (struct sr_nest_mask){.is_known = true, .value = is_decided == decisive};
}

const struct sr_nest_mask *sr_nest_masks(struct sr_nest_form *g)
{
	struct sr_nest_mask *masks = SR_NEW_ARRAY(g->arena, struct sr_nest_mask, g->t->n_values + 1);
	bool has_range = false;
	if (g->form != SR_NEST_FORM_MAP || g->vector < 0 || g->unrolled_loop >= 0 || g->transposed_loop >= 0)
		return NULL;
	for (int s = 0; s < g->t->n_stages; s++)
		for (int i = 0; i < sr_nest_stages(g->t)[s].n; i++) {
			const struct sr_nest_instr *in = sr_nest_instrs(g->t) + sr_nest_stages(g->t)[s].first + i;
			if (in->result < 0 || sr_nest_values(g->t)[in->result].dtype != SR_I1)
				continue;
			struct sr_nest_mask *mask = &masks[in->result];
			if (in->op == SR_NEST_CONSTANT)
				*mask = (struct sr_nest_mask){.is_known = true, .value = sr_nest_constants(g->t)[in->constant] != 0};
			else if (in->op == SR_NEST_MAP && in->kernel == SR_KERNEL_COMPARE)
				set_range(g, in, mask);
			else if (in->op == SR_NEST_MAP)
				combine(in, masks, mask);
			has_range = has_range || mask->has_range;
		}
	return has_range ? masks : NULL;
}
