/* Functions that reductions combine values by: recognition in a region, identity elements, and building of the region. */
#include "dialect/reducer.h"
#include <math.h>

static const struct sr_reducer reducers[SR_OP_COUNT] = {
	{
		.has_reducer_column = false
#define OP(dialect, name, signature, attributes) }, [SR_OP_##dialect##_##name] = { .code = SR_OP_##dialect##_##name
#define REDUCER(id, unit, idempotent) \
	, .has_reducer_column = true, .monoid = SR_MONOID_##id, .identity = SR_IDENTITY_##unit, .is_idempotent = idempotent
#include "dialect/table/all.ops"
	},
};

const struct sr_reducer *sr_reducer_find(enum sr_op_code code)
{
	return reducers[code].has_reducer_column ? &reducers[code] : NULL;
}

const struct sr_reducer *sr_reducer_of_pair(const struct sr_region *region, int k)
{
	const struct sr_block *block = region->first;
	const struct sr_op *terminator = block ? sr_block_terminator(block) : NULL;
	const struct sr_op *body = terminator && k < terminator->n_operands ? sr_operand(terminator, k)->def : NULL;
	int n = block ? block->n_args / 2 : 0;
	if (!body || body->block != block || body->n_operands != 2 || k >= n)
		return NULL;
	const struct sr_value *x = sr_operand(body, 0), *y = sr_operand(body, 1);
	bool is_in_order = x == block->args[k] && y == block->args[k + n],
	     is_swapped = y == block->args[k] && x == block->args[k + n];
	return is_in_order || is_swapped ? sr_reducer_find(sr_op_code_of(body)) : NULL;
}

const struct sr_reducer *sr_reducer_of(const struct sr_region *region)
{
	const struct sr_block *block = region->first;
	const struct sr_op *terminator = block && block->n_args == 2 ? sr_block_terminator(block) : NULL;
	return terminator && terminator->n_operands == 1 ? sr_reducer_of_pair(region, 0) : NULL;
}

/* Return the lowest or highest value of a float type: an infinity, or a finite number if the format has no infinities. */
static double float_limit(enum sr_dtype t, bool lowest)
{
	double limit = lowest ? INFINITY : -INFINITY;
	if (sr_dtypes[t].bits > 8)
		return -limit;
	for (uint64_t bits = 0; bits >> sr_dtypes[t].bits == 0; bits++)
		limit = lowest ? fmin(limit, sr_float_decode(t, bits)) : fmax(limit, sr_float_decode(t, bits)); /* neither is NaN */
	return limit;
}

const struct sr_attr *sr_reducer_identity(struct sr_context *ctx, const struct sr_reducer *r, enum sr_dtype type)
{
	enum sr_dtype_class class = sr_dtypes[type].class;
	int bits = sr_dtypes[type].bits;
	if (!r)
		return NULL;
	bool is_float = class == SR_CLASS_FLOAT, is_signed = class == SR_CLASS_SINT, is_lowest = r->identity == SR_IDENTITY_LOWEST;
	int64_t max_value = is_signed	 ? (int64_t)(((uint64_t)1 << (bits - 1)) - 1)
			    : bits == 64 ? -1
					 : (int64_t)(((uint64_t)1 << bits) - 1);
	int64_t i = 0;
	double d = 0;
	char element[16] = {0};
	if (r->identity == SR_IDENTITY_ONE) {
		i = 1, d = 1;
	} else if (r->identity == SR_IDENTITY_ALL_BITS) {
		i = class == SR_CLASS_BOOL ? 1 : -1;
	} else if (r->identity != SR_IDENTITY_ZERO) {
		if (class == SR_CLASS_COMPLEX)
			return NULL;
		i = !is_lowest ? max_value : is_signed ? -max_value - 1 : 0;
		d = !is_float ? 0 : float_limit(type, is_lowest);
	} else if (type == SR_F8E8M0FNU) {
		return NULL; /* the format has no zero */
	}
	sr_element_set(type, element, i, d, 0);
	return sr_attr_dense(ctx, sr_type_tensor(ctx, type, 0, NULL), element, sr_dtype_bytes(type));
}

bool sr_reducer_unreduced_kind(const struct sr_reducer *r, bool is_boolean, enum sr_unreduced_kind *kind)
{
	bool is_max = r->monoid == SR_MONOID_MAX || (is_boolean && r->monoid == SR_MONOID_OR);
	bool is_min = r->monoid == SR_MONOID_MIN || (is_boolean && r->monoid == SR_MONOID_AND);
	*kind = is_max ? SR_UNREDUCED_MAX : is_min ? SR_UNREDUCED_MIN : SR_UNREDUCED_SUM;
	return is_max || is_min || r->monoid == SR_MONOID_ADD;
}

void sr_build_reducer(struct sr_context *ctx, struct sr_region *region, enum sr_op_code code, const struct sr_type *element,
		      const struct sr_attr *loc)
{
	struct sr_block *block = sr_block_new(ctx, region);
	const struct sr_type *scalar = sr_type_tensor_of(ctx, element, 0, NULL, NULL);
	struct sr_value *args[] = {sr_block_add_arg(ctx, block, scalar, loc), sr_block_add_arg(ctx, block, scalar, loc)};
	struct sr_builder b = {.ctx = ctx, .block = block, .loc = loc};
	struct sr_value *v = sr_result(sr_build(&b, code, args, 2, NULL, 0, &scalar, 1), 0);
	sr_build(&b, SR_OP_stablehlo_return, &v, 1, NULL, 0, NULL, 0);
}
