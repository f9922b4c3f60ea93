/* shape-legalize-to-stablehlo: rewrite computations of shapes on index values as ops on tensors of i32. Casts connect them to
 * remaining users of index values.
 *
 *	%0 = shape.shape_of %a : tensor<?x1xf32> -> tensor<2xindex>
 *	=> get_dimension_size of each dimension, concatenated: tensor<2xi32>
 *	   %0 = builtin.unrealized_conversion_cast %c : tensor<2xi32> to tensor<2xindex> */
#include "dialect/infer/infer.h"
#include "dialect/attr_names.h"
#include "optimize/legalize/decompose.h"
#include "optimize/pass_functions.h"
#include <string.h>

/* ---------------------------------------------------------------- index values and tensors */

static bool is_index(const struct sr_type *t)
{
	return t->kind == SR_TYPE_INDEX;
}

/* Return true for a tensor of index of rank 1 with static length. */
static bool is_index_list(const struct sr_type *t)
{
	return sr_type_is_static(t) && t->rank == 1 && is_index(t->element);
}

/* Return the tensor type that represents an index, an i32, an i64, or a tensor of one of these; NULL for other types. */
static const struct sr_type *tensor_for(struct sr_context *ctx, const struct sr_type *t)
{
	bool scalar = t->kind != SR_TYPE_TENSOR;
	const struct sr_type *element = scalar ? t : t->element;
	if (is_index(element))
		element = sr_type_tensor(ctx, SR_I32, 0, NULL)->element;
	if (element->kind != SR_TYPE_INTEGER || element->sign != SR_SIGNLESS || (element->width != 32 && element->width != 64))
		return NULL;
	return scalar ? sr_type_tensor_of(ctx, element, 0, NULL, NULL) : sr_type_tensor_of(ctx, element, t->rank, t->shape, NULL);
}

static struct sr_value *cast(struct sr_builder *b, struct sr_value *v, const struct sr_type *type)
{
	const struct sr_op *def = v->def;
	if (v->type == type)
		return v;
	if (def && sr_op_is(def, SR_OP_builtin_unrealized_conversion_cast) && def->n_operands == 1 && sr_operand(def, 0)->type == type)
		return sr_operand(def, 0);
	return sr_result(sr_build(b, SR_OP_builtin_unrealized_conversion_cast, &v, 1, NULL, 0, &type, 1), 0);
}

static struct sr_value *constant(struct sr_builder *b, const int64_t *v, int rank, int64_t n)
{
	int32_t *i32_values = SR_NEW_ARRAY(b->ctx->arena, int32_t, n);
	for (int64_t i = 0; i < n; i++)
		i32_values[i] = (int32_t)v[i];
	const struct sr_type *type = sr_type_tensor(b->ctx, SR_I32, rank, &n);
	return sr_build_constant(b, sr_attr_dense(b->ctx, type, i32_values, n * (int64_t)sizeof *i32_values));
}

/* Return a pointer to the number in an index constant; NULL if v is not constant. */
static const int64_t *known_index(const struct sr_value *v)
{
	const struct sr_attr *value = v->def && sr_op_is(v->def, SR_OP_arith_constant) ? sr_op_attr(v->def, SR_NAME_value) : NULL;
	return value && is_index(v->type) && value->kind == SR_ATTR_INTEGER ? &value->i : NULL;
}

/* Convert v to a tensor of integers. tensor_for must not return NULL for its type. */
static struct sr_value *to_tensor(struct sr_builder *b, struct sr_value *v)
{
	const int64_t *constant_index = known_index(v);
	return constant_index ? constant(b, constant_index, 0, 1) : cast(b, v, tensor_for(b->ctx, v->type));
}

static bool replace(struct sr_builder *b, struct sr_op *op, struct sr_value *v)
{
	sr_value_replace_all(sr_result(op, 0), cast(b, v, sr_result(op, 0)->type));
	return true;
}

/* ---------------------------------------------------------------- ops */

/* Build an element of v as a tensor of rank 0. */
static struct sr_value *element(struct sr_builder *b, struct sr_value *v, const int64_t *at)
{
	int64_t limits[SR_MAX_RANK];
	for (int d = 0; d < v->type->rank; d++)
		limits[d] = at[d] + 1;
	return sr_build_reshape(b, sr_build_slice(b, v, at, limits, NULL), 0, NULL);
}

static struct sr_value *dimension_size(struct sr_builder *b, struct sr_value *v, int64_t d)
{
	struct sr_named_attr dim = {SR_NAME_dimension, sr_attr_i64(b->ctx, d)};
	return sr_build_infer(b, SR_OP_stablehlo_get_dimension_size, &v, 1, &dim, 1);
}

static struct sr_value *binary(struct sr_builder *b, enum sr_op_code code, struct sr_value *x, struct sr_value *y)
{
	return sr_build_infer(b, code, (struct sr_value *[]){x, y}, 2, NULL, 0);
}

static bool num_elements(struct sr_builder *b, struct sr_op *op)
{
	if (!is_index_list(sr_operand(op, 0)->type) || !is_index(sr_result(op, 0)->type))
		return false;
	struct sr_value *list = to_tensor(b, sr_operand(op, 0));
	struct sr_value *product = constant(b, (int64_t[]){1}, 0, 1);
	for (int64_t i = 0; i < list->type->shape[0]; i++)
		product = binary(b, SR_OP_stablehlo_multiply, product, element(b, list, &i));
	return replace(b, op, product);
}

static bool shape_of(struct sr_builder *b, struct sr_op *op)
{
	struct sr_value *v = sr_operand(op, 0), *sizes[SR_MAX_RANK];
	if (!sr_is_ranked(v->type) || !is_index_list(sr_result(op, 0)->type))
		return false;
	for (int d = 0; d < v->type->rank; d++)
		sizes[d] = sr_build_reshape(b, dimension_size(b, v, d), 1, (int64_t[]){1});
	return replace(b, op, v->type->rank ? sr_build_concatenate(b, sizes, v->type->rank, 0) : constant(b, NULL, 1, 0));
}

/* Prepend ones to a list of extents, so that its length becomes n. */
static struct sr_value *pad(struct sr_builder *b, struct sr_value *list, int64_t n)
{
	int64_t n_missing = n - list->type->shape[0];
	if (n_missing == 0)
		return list;
	struct sr_value *leading_ones = sr_build_splat(b, sr_type_tensor(b->ctx, SR_I32, 1, &n_missing), 1);
	return sr_build_concatenate(b, (struct sr_value *[]){leading_ones, list}, 2, 0);
}

/* Rewrite shape.broadcast as maximum: correct for compatible shapes without zero extents; upstream does the same. */
static bool broadcast(struct sr_builder *b, struct sr_op *op)
{
	if (op->n_operands != 2 || !is_index_list(sr_operand(op, 0)->type) || !is_index_list(sr_operand(op, 1)->type) ||
	    !is_index_list(sr_result(op, 0)->type))
		return false;
	struct sr_value *x = to_tensor(b, sr_operand(op, 0)), *y = to_tensor(b, sr_operand(op, 1));
	int64_t n = sr_result(op, 0)->type->shape[0];
	if (x->type->shape[0] > n || y->type->shape[0] > n)
		return false;
	x = pad(b, x, n);
	return replace(b, op, binary(b, SR_OP_stablehlo_maximum, x, pad(b, y, n)));
}

static bool const_shape(struct sr_builder *b, struct sr_op *op)
{
	const int64_t *extents;
	int64_t n;
	if (!is_index_list(sr_result(op, 0)->type) || !sr_op_ints(b->ctx, op, SR_NAME_shape, &extents, &n))
		return false;
	return replace(b, op, constant(b, extents, 1, n));
}

static bool index_cast(struct sr_builder *b, struct sr_op *op)
{
	const struct sr_type *to = tensor_for(b->ctx, sr_result(op, 0)->type);
	if (!to || !tensor_for(b->ctx, sr_operand(op, 0)->type))
		return false;
	struct sr_value *v = to_tensor(b, sr_operand(op, 0));
	if (v->type != to)
		v = sr_result(sr_build(b, SR_OP_stablehlo_convert, &v, 1, NULL, 0, &to, 1), 0);
	return replace(b, op, v);
}

static bool muli(struct sr_builder *b, struct sr_op *op)
{
	if (!is_index(sr_result(op, 0)->type) || !is_index(sr_operand(op, 0)->type) || !is_index(sr_operand(op, 1)->type))
		return false;
	struct sr_value *x = to_tensor(b, sr_operand(op, 0));
	return replace(b, op, binary(b, SR_OP_stablehlo_multiply, x, to_tensor(b, sr_operand(op, 1))));
}

static bool dim(struct sr_builder *b, struct sr_op *op)
{
	struct sr_value *v = sr_operand(op, 0);
	const int64_t *d = known_index(sr_operand(op, 1));
	if (!sr_is_ranked(v->type) || !d || *d < 0 || *d >= v->type->rank || !is_index(sr_result(op, 0)->type))
		return false;
	return replace(b, op, dimension_size(b, v, *d));
}

static bool extract(struct sr_builder *b, struct sr_op *op)
{
	const struct sr_type *t = sr_operand(op, 0)->type;
	int64_t at[SR_MAX_RANK];
	if (!sr_type_is_static(t) || !tensor_for(b->ctx, t) || op->n_operands != 1 + t->rank ||
	    sr_result(op, 0)->type != t->element)
		return false;
	/* extracting at an index out of range is undefined behavior; such an op is not rewritten */
	for (int d = 0; d < t->rank; d++) {
		const int64_t *constant_index = known_index(sr_operand(op, 1 + d));
		if (!constant_index || *constant_index < 0 || *constant_index >= t->shape[d])
			return false;
		at[d] = *constant_index;
	}
	return replace(b, op, element(b, to_tensor(b, sr_operand(op, 0)), at));
}

static bool rewrite_from_elements(struct sr_builder *b, struct sr_op *op)
{
	const struct sr_type *t = sr_result(op, 0)->type;
	int n = op->n_operands;
	if (!sr_type_is_static(t) || !tensor_for(b->ctx, t) || t->rank > 1 || !n || n != (t->rank ? t->shape[0] : 1))
		return false;
	for (int i = 0; i < n; i++)
		if (sr_operand(op, i)->type != t->element)
			return false;
	if (t->rank == 0)
		return replace(b, op, to_tensor(b, sr_operand(op, 0)));
	struct sr_value **lists = SR_NEW_ARRAY(b->ctx->arena, struct sr_value *, n);
	for (int i = 0; i < n; i++) {
		const int64_t *constant_index = known_index(sr_operand(op, i));
		lists[i] = constant_index ? constant(b, constant_index, 1, 1) : sr_build_reshape(b, to_tensor(b, sr_operand(op, i)), 1, (int64_t[]){1});
	}
	return replace(b, op, sr_build_concatenate(b, lists, n, 0));
}

static const struct sr_decomposition rows[] = {
	{SR_OP_arith_index_cast, index_cast},
	{SR_OP_arith_muli, muli},
	{SR_OP_shape_broadcast, broadcast},
	{SR_OP_shape_const_shape, const_shape},
	{SR_OP_shape_num_elements, num_elements},
	{SR_OP_shape_shape_of, shape_of},
	{SR_OP_tensor_dim, dim},
	{SR_OP_tensor_extract, extract},
	{SR_OP_tensor_from_elements, rewrite_from_elements},
	{0},
};

/* ---------------------------------------------------------------- */

static bool is_remaining(const struct sr_op *op)
{
	bool is_listed = false;
	for (const struct sr_decomposition *row = rows; row->code; row++)
		is_listed = is_listed || sr_op_is(op, row->code);
	return is_listed || strcmp(op->info->dialect, "shape") == 0;
}

enum sr_status sr_run_shape_legalize(struct sr_context *ctx, struct sr_op *root, const struct sr_pass_options *options)
{
	(void)options;
	sr_decompose(ctx, root, rows);
	return sr_report_illegal_op(ctx, root, is_remaining);
}
