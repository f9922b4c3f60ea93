/* Find the ranges of a loop nest's integers from their types, the loops' extents and constants. Programs compute in 64 bits what
 * needs fewer, such as the comparison of an i32, converted to i64, with an index. Vectors of fewer bits have more elements. */
#include "codegen/nest_ranges.h"
#include "kernels/element.h"
#include "support/checked.h"
#include "support/integers.h"

static const struct sr_nest_range unknown = {INT64_MIN, INT64_MAX};

static struct sr_nest_range range_of_type(enum sr_dtype type)
{
	int bits = sr_dtypes[type].bits;
	if (type == SR_I1)
		return (struct sr_nest_range){0, 1};
	if (!sr_dtype_is_integer(type) || bits >= 64)
		return unknown;
	if (sr_dtypes[type].class == SR_CLASS_UINT)
		return (struct sr_nest_range){0, ((int64_t)1 << bits) - 1};
	return (struct sr_nest_range){-((int64_t)1 << (bits - 1)), ((int64_t)1 << (bits - 1)) - 1};
}

bool sr_nest_range_fits(const struct sr_nest_range *range, int bytes)
{
	int64_t limit = bytes < 8 ? (int64_t)1 << (8 * bytes - 1) : INT64_MAX;
	return range->low >= -limit && range->high < limit;
}

static struct sr_nest_range range_of_index(const struct sr_nest_form *g, const struct sr_nest_access *a)
{
	struct sr_nest_range range = {a->offset, a->offset};
	for (int l = 0; l < g->r->n_loops; l++) {
		int64_t *limit = a->stride[l] < 0 ? &range.low : &range.high, last;
		if (sr_mul_overflows(a->stride[l], g->r->extent[l] - 1, &last) || sr_add_overflows(*limit, last, limit))
			return unknown;
	}
	return a->n_dims ? unknown : range;
}

/* Return the range of products: that of the products of the limits. */
static struct sr_nest_range range_of_product(const struct sr_nest_range *a, const struct sr_nest_range *b)
{
	struct sr_nest_range range = {INT64_MAX, INT64_MIN};
	for (int k = 0; k < 4; k++) {
		int64_t product;
		if (sr_mul_overflows(k & 1 ? a->low : a->high, k & 2 ? b->low : b->high, &product))
			return unknown;
		range = (struct sr_nest_range){sr_min(range.low, product), sr_max(range.high, product)};
	}
	return range;
}

/* Return the range of a & b: it has no bits that a nonnegative operand does not have. */
static struct sr_nest_range range_of_and(const struct sr_nest_range *a, const struct sr_nest_range *b)
{
	if (a->low < 0 && b->low < 0)
		return unknown;
	return (struct sr_nest_range){0, sr_min(a->low < 0 ? INT64_MAX : a->high, b->low < 0 ? INT64_MAX : b->high)};
}

/* Return the range of a shifted right. A shift by all bits or more leaves 0 or, of a negative number, -1. */
static struct sr_nest_range range_of_shift(const struct sr_nest_range *a, const struct sr_nest_range *bits, bool is_arithmetic)
{
	bool is_known = bits->low == bits->high && bits->low >= 0 && bits->low < 8;
	if (a->low < 0 && !is_arithmetic)
		return unknown;
	if (is_known)
		return (struct sr_nest_range){a->low >> bits->low, a->high >> bits->low};
	return (struct sr_nest_range){sr_min(a->low, 0), sr_max(a->high, 0)};
}

static struct sr_nest_range range_of_map(const struct sr_nest_instr *in, const struct sr_nest_range *ranges)
{
	const struct sr_nest_range *a = &ranges[in->args[0]], *b = &ranges[in->args[in->n_args > 1]];
	struct sr_nest_range range = unknown;
	bool is_unknown;
	switch (in->kernel) {
	case SR_KERNEL_CONVERT:
		return *a;
	case SR_KERNEL_ADD:
		is_unknown = sr_add_overflows(a->low, b->low, &range.low) || sr_add_overflows(a->high, b->high, &range.high);
		return is_unknown ? unknown : range;
	case SR_KERNEL_SUBTRACT:
		is_unknown = sr_sub_overflows(a->low, b->high, &range.low) || sr_sub_overflows(a->high, b->low, &range.high);
		return is_unknown ? unknown : range;
	case SR_KERNEL_MULTIPLY:
		return range_of_product(a, b);
	case SR_KERNEL_AND:
		return range_of_and(a, b);
	case SR_KERNEL_SHIFT_RIGHT_ARITHMETIC:
	case SR_KERNEL_SHIFT_RIGHT_LOGICAL:
		return range_of_shift(a, b, in->kernel == SR_KERNEL_SHIFT_RIGHT_ARITHMETIC);
	case SR_KERNEL_MAXIMUM:
		return (struct sr_nest_range){sr_max(a->low, b->low), sr_max(a->high, b->high)};
	case SR_KERNEL_MINIMUM:
		return (struct sr_nest_range){sr_min(a->low, b->low), sr_min(a->high, b->high)};
	case SR_KERNEL_SELECT:
		a = &ranges[in->args[2]];
		return (struct sr_nest_range){sr_min(a->low, b->low), sr_max(a->high, b->high)};
	default:
		return unknown;
	}
}

/* Return the range of a sum over the inner loops, and of each partial sum. */
static struct sr_nest_range range_of_sum(const struct sr_nest_form *g, const struct sr_nest_instr *in,
					 const struct sr_nest_range *ranges)
{
	const struct sr_nest_range *element = &ranges[in->args[0]], *init = &ranges[in->args[1]];
	struct sr_nest_range range;
	if (sr_mul_overflows(sr_min(element->low, 0), g->r->inner_iterations, &range.low) ||
	    sr_mul_overflows(sr_max(element->high, 0), g->r->inner_iterations, &range.high) ||
	    sr_add_overflows(range.low, sr_min(init->low, 0), &range.low) ||
	    sr_add_overflows(range.high, sr_max(init->high, 0), &range.high))
		return unknown;
	return range;
}

/* Return the range of an instruction's value. An instruction that wraps around, or converts from a float, has that of its type. */
static struct sr_nest_range range_of(const struct sr_nest_form *g, const struct sr_nest_instr *in,
				     const struct sr_nest_range *ranges)
{
	enum sr_dtype type = (enum sr_dtype)sr_nest_values(g->t)[in->result].dtype;
	struct sr_nest_range of_type = range_of_type(type), range = of_type;
	if (!sr_dtype_is_integer(type))
		return of_type;
	if (in->op == SR_NEST_CONSTANT) {
		int64_t number = 0;
		double ignored;
		sr_element_get(type, sr_nest_constants(g->t) + in->constant, &number, &ignored, NULL);
		range = (struct sr_nest_range){number, number};
	} else if (in->op == SR_NEST_INDEX) {
		range = range_of_index(g, &g->r->accesses[in->access]);
	} else if (in->op == SR_NEST_REDUCE && in->kernel == SR_KERNEL_ADD && type != SR_I1) {
		range = range_of_sum(g, in, ranges);
	} else if (in->op == SR_NEST_MAP) {
		enum sr_dtype from = (enum sr_dtype)sr_nest_values(g->t)[in->args[0]].dtype;
		if (in->kernel != SR_KERNEL_CONVERT || from == SR_I1 || sr_dtype_is_integer(from))
			range = range_of_map(in, ranges);
	}
	/* a ui64 may exceed INT64_MAX, which stands for all greater numbers in some of these computations */
	bool is_number = range.low >= of_type.low && range.high <= of_type.high;
	return is_number && (type != SR_UI64 || (range.low >= 0 && range.high <= UINT32_MAX)) ? range : of_type;
}

const struct sr_nest_range *sr_nest_ranges(const struct sr_nest_form *g)
{
	struct sr_nest_range *ranges = SR_NEW_ARRAY(g->arena, struct sr_nest_range, g->t->n_values + 1);
	for (int v = 0; v < g->t->n_values; v++)
		ranges[v] = range_of_type((enum sr_dtype)sr_nest_values(g->t)[v].dtype);
	for (int s = 0; s < g->t->n_stages; s++)
		for (int i = 0; i < sr_nest_stages(g->t)[s].n; i++) {
			const struct sr_nest_instr *in = sr_nest_instrs(g->t) + sr_nest_stages(g->t)[s].first + i;
			if (in->result >= 0 && in->op != SR_NEST_FOLD)
				ranges[in->result] = range_of(g, in, ranges);
		}
	return ranges;
}

int sr_nest_form_register_bytes(const struct sr_nest_form *g, int v)
{
	enum sr_dtype type = (enum sr_dtype)sr_nest_values(g->t)[v].dtype;
	int bytes = sr_dtype_bytes(type) / (sr_dtypes[type].class == SR_CLASS_COMPLEX ? 2 : 1);
	if (sr_c_is_narrow_float(type))
		return 4;
	return sr_dtype_is_integer(type) && bytes == 8 && sr_nest_range_fits(&g->ranges[v], 4) ? 4 : bytes;
}

bool sr_nest_form_compares_in(const struct sr_nest_form *g, const struct sr_nest_instr *in, int arg, int bytes,
			      struct sr_nest_range *limits, bool *is_clamped)
{
	const struct sr_nest_range *own = &g->ranges[in->args[arg]], *other = &g->ranges[in->args[1 - arg]];
	enum sr_dtype type = (enum sr_dtype)sr_nest_values(g->t)[in->args[arg]].dtype;
	*limits = (struct sr_nest_range){other->low - (other->low > INT64_MIN), other->high + (other->high < INT64_MAX)};
	*is_clamped = !sr_nest_range_fits(own, bytes);
	return !*is_clamped || (sr_dtypes[type].class == SR_CLASS_SINT && sr_nest_range_fits(limits, bytes));
}

bool sr_nest_form_is_clamped(const struct sr_nest_form *g, const struct sr_nest_instr *in, int arg, struct sr_nest_range *limits)
{
	bool is_clamped = false;
	if (in->op != SR_NEST_MAP || in->kernel != SR_KERNEL_COMPARE || g->vector < 0 ||
	    sr_nest_values(g->t)[in->args[arg]].dtype != SR_I64)
		return false;
	bool is_invariant = !(g->deps[in->args[arg]] >> g->vector & 1) && g->deps[in->args[1 - arg]] >> g->vector & 1;
	return is_invariant && sr_nest_form_compares_in(g, in, arg, 4, limits, &is_clamped) && is_clamped;
}
