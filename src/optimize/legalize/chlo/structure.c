/* Rewriting of chlo's constants and top_k as stablehlo ops, and the table of functions that rewrite the other chlo ops. */
#include "optimize/legalize/chlo/structure.h"
#include "dialect/comparison.h"
#include "dialect/op_builders.h"
#include "dialect/attr_names.h"
#include "dialect/signature.h"
#include "optimize/legalize/chlo/shapes.h"
#include <string.h>

typedef bool restructure_fn(struct sr_builder *b, struct sr_op *op);

static void replace(struct sr_op *op, struct sr_value *v)
{
	sr_value_replace_all(sr_result(op, 0), v);
	sr_op_erase(op);
}

/* ---------------------------------------------------------------- constants */

static bool constant(struct sr_builder *b, struct sr_op *op)
{
	replace(op, sr_build_constant(b, sr_op_attr(op, SR_NAME_value)));
	return true;
}

/* Rewrite constant_like: a constant with the attribute's value in every element. */
static bool constant_like(struct sr_builder *b, struct sr_op *op)
{
	const struct sr_attr *value = sr_op_attr(op, SR_NAME_value);
	const struct sr_type *type = sr_result(op, 0)->type;
	unsigned char element[16] = {0};
	if (!value || type->kind != SR_TYPE_TENSOR ||
	    (value->kind != SR_ATTR_FLOAT && value->kind != SR_ATTR_INTEGER && value->kind != SR_ATTR_BOOL))
		return false;
	double d = value->kind == SR_ATTR_FLOAT ? sr_float_decode(value->type->dtype, (uint64_t)value->i) : (double)value->i;
	sr_element_set(type->dtype, element, value->i, d, 0);
	replace(op, sr_chlo_constant_like(b, type->element, element, sr_operand(op, 0)));
	return true;
}

/* ---------------------------------------------------------------- top_k */

/* Build the comparator of top_k's sort, with arguments (a, b, ia, ib): a > b, floats in total order. */
static void fill_comparator(struct sr_context *ctx, struct sr_op *sort, const struct sr_type *element)
{
	struct sr_block *block = sr_block_new(ctx, &sort->regions[0]);
	const struct sr_type *value = sr_type_tensor_of(ctx, element, 0, NULL, NULL), *index = sr_type_tensor(ctx, SR_I32, 0, NULL);
	struct sr_value *args[2];
	for (int i = 0; i < 4; i++) {
		struct sr_value *arg = sr_block_add_arg(ctx, block, i < 2 ? value : index, sort->loc);
		if (i < 2)
			args[i] = arg;
	}
	struct sr_builder body_builder = {.ctx = ctx, .block = block, .loc = sort->loc};
	struct sr_value *v = sr_build_compare(&body_builder, args[0], SR_GT, args[1],
					      sr_dtype_is_float(element->dtype) ? "TOTALORDER" : NULL);
	sr_build(&body_builder, SR_OP_stablehlo_return, &v, 1, NULL, 0, NULL, 0);
}

static struct sr_value *first_of_last_dimension(struct sr_builder *b, struct sr_value *v, int64_t k)
{
	return sr_build_slice_dim(b, v, v->type->rank - 1, 0, k, 1);
}

/* Build top_k's slices of the first k elements, for dynamic extents; both slices share the starts and strides. */
static void first_of_unknown(struct sr_builder *b, struct sr_op *op, struct sr_op *sort, struct sr_value *limit)
{
	const struct sr_type *list = limit->type;
	struct sr_value *start = sr_build_splat(b, list, 0), *stride = sr_build_splat(b, list, 1);
	for (int i = 0; i < 2; i++) {
		struct sr_value *operands[] = {sr_result(sort, i), start, limit, stride};
		const struct sr_type *type = sr_result(op, i)->type;
		sr_value_replace_all(sr_result(op, i),
				     sr_result(sr_build(b, SR_OP_stablehlo_real_dynamic_slice, operands, 4, NULL, 0, &type, 1), 0));
	}
}

/* Build the extents of x as a tensor; *limit: the extents with k in place of the last one. */
static struct sr_value *extents(struct sr_builder *b, struct sr_value *x, int64_t k, struct sr_value **limit)
{
	struct sr_value *rows[SR_MAX_RANK];
	int rank = x->type->rank;
	for (int d = 0; d < rank; d++)
		rows[d] = sr_chlo_as_row(b, sr_chlo_extent(b, x, d));
	struct sr_value *x_extents = sr_chlo_rows(b, rows, rank);
	const struct sr_type *scalar = sr_type_tensor(b->ctx, SR_I64, 0, NULL);
	rows[rank - 1] = sr_chlo_as_row(b, sr_build_constant(b, sr_attr_dense(b->ctx, scalar, &k, sizeof k)));
	*limit = sr_chlo_rows(b, rows, rank);
	return x_extents;
}

/* Rewrite top_k: sort values with their indices in descending order, and slice the first k. */
static bool top_k(struct sr_builder *b, struct sr_op *op)
{
	struct sr_context *ctx = b->ctx;
	struct sr_value *x = sr_operand(op, 0), *limit = NULL, *shape = NULL;
	int last = x->type->rank - 1;
	if (last < 0 || x->type->kind != SR_TYPE_TENSOR)
		return false;
	int64_t extent = x->type->shape[last], k = sr_op_int(op, SR_NAME_k, 0);
	bool is_static = sr_type_is_static(x->type);
	const struct sr_type *types[] = {x->type, sr_type_tensor(ctx, SR_I32, x->type->rank, x->type->shape)};
	struct sr_named_attr iota_attr = {SR_NAME_iota_dimension, sr_attr_i64(ctx, last)};
	if (!is_static)
		shape = extents(b, x, k, &limit);
	enum sr_op_code count = is_static ? SR_OP_stablehlo_iota : SR_OP_stablehlo_dynamic_iota;
	struct sr_value *iota = sr_result(sr_build(b, count, &shape, !is_static, &iota_attr, 1, &types[1], 1), 0);
	struct sr_value *pair[] = {x, iota};
	struct sr_named_attr attrs[] = {{SR_NAME_dimension, sr_attr_i64(ctx, last)},
				   {SR_NAME_is_stable, sr_attr_bool(ctx, sr_op_int(op, SR_NAME_is_stable, 1))}};
	struct sr_op *sort = sr_build(b, SR_OP_stablehlo_sort, pair, 2, attrs, 2, types, 2);
	fill_comparator(ctx, sort, x->type->element);
	if (is_static)
		for (int i = 0; i < 2; i++)
			sr_value_replace_all(sr_result(op, i), first_of_last_dimension(b, sr_result(sort, i), k < extent ? k : extent));
	else
		first_of_unknown(b, op, sort, limit);
	sr_op_erase(op);
	return true;
}

/* ---------------------------------------------------------------- */

static const struct {
	enum sr_op_code code;
	restructure_fn *fn;
} table[] = {
	{SR_OP_chlo_constant, constant},
	{SR_OP_chlo_constant_like, constant_like},
	{SR_OP_chlo_ragged_dot, sr_chlo_ragged_dot},
	{SR_OP_chlo_scan, sr_chlo_scan},
	{SR_OP_chlo_top_k, top_k},
};

bool sr_chlo_restructure(struct sr_builder *b, struct sr_op *op, void (*on_created)(void *data, struct sr_op *op), void *data)
{
	for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
		if (sr_op_is(op, table[i].code))
			return table[i].fn(b, op);
	return sr_chlo_broadcast(b, op, on_created, data);
}
