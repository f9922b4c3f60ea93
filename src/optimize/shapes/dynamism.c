/* stablehlo-canonicalize-dynamism: replace ops with constant shape operands by ops with attributes. Where the result type alone
 * determines the shape, it must be static, as it is after shape refinement. */
#include "optimize/shapes/dynamism.h"
#include "dialect/attr_names.h"
#include "dialect/op_builders.h"
#include "optimize/pass_functions.h"
#include "optimize/shapes/shape_operands.h"
#include <string.h>

/* Get the integers of operand i. Returns false if it is not constant. */
static bool constant(struct sr_builder *b, struct sr_op *op, int i, const int64_t **v, int64_t *n)
{
	struct sr_op *def = sr_operand(op, i)->def;
	const struct sr_attr *value = def && sr_op_has(def, SR_CONSTANT) ? sr_op_attr(def, SR_NAME_value) : NULL;
	return value && sr_attr_ints(b->ctx, value, v, n);
}

static const struct sr_attr *constant_attr(struct sr_builder *b, struct sr_op *op, int i)
{
	const int64_t *v;
	int64_t n;
	return constant(b, op, i, &v, &n) ? sr_attr_i64s(b->ctx, v, n) : NULL;
}

/* Build the static form of an op: it has op's first n operands, op's attributes except those named in `dropped_attrs`, and the
 * attributes `added_attrs`. Return false if a value in `added_attrs` is NULL. */
static bool rebuild(struct sr_builder *b, struct sr_op *op, enum sr_op_code code, int n, const char *dropped_attrs,
		    const struct sr_named_attr *added_attrs, int n_added)
{
	struct sr_context *ctx = b->ctx;
	const struct sr_type *type = sr_result(op, 0)->type;
	struct sr_value *operands[4];
	struct sr_named_attr *attrs = SR_NEW_ARRAY(ctx->arena, struct sr_named_attr, op->n_attrs + n_added);
	int k = 0;
	for (int i = 0; i < n_added; i++)
		if (!added_attrs[i].value)
			return false;
	for (int i = 0; i < n; i++)
		operands[i] = sr_operand(op, i);
	for (int i = 0; i < op->n_attrs; i++)
		if (!strstr(dropped_attrs, op->attrs[i].name))
			attrs[k++] = op->attrs[i];
	for (int i = 0; i < n_added; i++)
		attrs[k++] = added_attrs[i];
	sr_value_replace_all(sr_result(op, 0), sr_result(sr_build(b, code, operands, n, attrs, k, &type, 1), 0));
	return true;
}

/* ---------------------------------------------------------------- shapes determined by the result type */

static bool broadcast_by_type(struct sr_builder *b, struct sr_op *op)
{
	return sr_type_is_static(sr_operand(op, 0)->type) && sr_type_is_static(sr_result(op, 0)->type) &&
	       rebuild(b, op, SR_OP_stablehlo_broadcast_in_dim, 1, "known_expanding_dimensions known_nonexpanding_dimensions", NULL,
		       0);
}

static bool reshape_by_type(struct sr_builder *b, struct sr_op *op)
{
	return sr_type_is_static(sr_result(op, 0)->type) && rebuild(b, op, SR_OP_stablehlo_reshape, 1, "", NULL, 0);
}

static bool iota_by_type(struct sr_builder *b, struct sr_op *op)
{
	return sr_type_is_static(sr_result(op, 0)->type) && rebuild(b, op, SR_OP_stablehlo_iota, 0, "", NULL, 0);
}

const struct sr_decomposition sr_forms_by_type[] = {
	{SR_OP_stablehlo_dynamic_broadcast_in_dim, broadcast_by_type},
	{SR_OP_stablehlo_dynamic_iota, iota_by_type},
	{SR_OP_stablehlo_dynamic_reshape, reshape_by_type},
	{0},
};

static bool dynamic_broadcast_in_dim(struct sr_builder *b, struct sr_op *op)
{
	return constant_attr(b, op, 1) && broadcast_by_type(b, op);
}

static bool dynamic_reshape(struct sr_builder *b, struct sr_op *op)
{
	return constant_attr(b, op, 1) && reshape_by_type(b, op);
}

static bool dynamic_iota(struct sr_builder *b, struct sr_op *op)
{
	return constant_attr(b, op, 0) && iota_by_type(b, op);
}

/* ---------------------------------------------------------------- shapes that become attributes */

static bool dynamic_pad(struct sr_builder *b, struct sr_op *op)
{
	struct sr_named_attr added_attrs[] = {{SR_NAME_edge_padding_low, constant_attr(b, op, 2)},
				       {SR_NAME_edge_padding_high, constant_attr(b, op, 3)},
				       {SR_NAME_interior_padding, constant_attr(b, op, 4)}};
	return rebuild(b, op, SR_OP_stablehlo_pad, 2, "", added_attrs, 3);
}

static bool dynamic_gather(struct sr_builder *b, struct sr_op *op)
{
	struct sr_named_attr added_attrs[] = {{SR_NAME_slice_sizes, constant_attr(b, op, 2)}};
	return rebuild(b, op, SR_OP_stablehlo_gather, 2, "", added_attrs, 1);
}

static bool dynamic_conv(struct sr_builder *b, struct sr_op *op)
{
	const int64_t *v;
	int64_t n;
	struct sr_named_attr added_attr = {SR_NAME_padding, NULL};
	if (constant(b, op, 2, &v, &n))
		added_attr.value = sr_attr_dense_i64(b->ctx, 2, (int64_t[]){n / 2, 2}, v);
	return rebuild(b, op, SR_OP_stablehlo_convolution, 2, "", &added_attr, 1);
}

/* Build element i of a tensor of rank 1, as a scalar. The slice is built for a tensor of one element too, as upstream prints it. */
static struct sr_value *element(struct sr_builder *b, struct sr_value *list, int64_t i)
{
	return sr_build_reshape(b, sr_build_slice(b, list, &i, &(int64_t){i + 1}, NULL), 0, NULL);
}

static bool slice_at(struct sr_builder *b, struct sr_op *op)
{
	struct sr_ints sizes;
	if (!sr_slice_sizes(b->ctx, op, &sizes))
		return false;
	struct sr_value **operands = SR_NEW_ARRAY(b->ctx->arena, struct sr_value *, sizes.n + 1);
	operands[0] = sr_operand(op, 0);
	for (int64_t i = 0; i < sizes.n; i++)
		operands[i + 1] = element(b, sr_operand(op, 1), i);
	struct sr_named_attr *attrs = SR_NEW_ARRAY(b->ctx->arena, struct sr_named_attr, op->n_attrs + 1);
	for (int i = 0; i < op->n_attrs; i++)
		attrs[i] = op->attrs[i];
	attrs[op->n_attrs] = (struct sr_named_attr){SR_NAME_slice_sizes, sr_attr_i64s(b->ctx, sizes.v, sizes.n)};
	sr_value_replace_all(sr_result(op, 0), sr_result(sr_build(b, SR_OP_stablehlo_dynamic_slice, operands, (int)sizes.n + 1,
								  attrs, op->n_attrs + 1, &sr_result(op, 0)->type, 1),
							 0));
	return true;
}

/* Rewrite real_dynamic_slice: constant starts, limits and strides -> slice; constant sizes and unit strides -> dynamic_slice. */
static bool real_dynamic_slice(struct sr_builder *b, struct sr_op *op)
{
	struct sr_named_attr added_attrs[] = {{SR_NAME_start_indices, constant_attr(b, op, 1)},
				  {SR_NAME_limit_indices, constant_attr(b, op, 2)},
				  {SR_NAME_strides, constant_attr(b, op, 3)}};
	return rebuild(b, op, SR_OP_stablehlo_slice, 1, "", added_attrs, 3) || slice_at(b, op);
}

/* ---------------------------------------------------------------- custom calls */

static bool list_contains(struct sr_ints list, int64_t v)
{
	return sr_list_has(list.v, list.n, v);
}

/* Remove the shape operands of a custom call whose results are static. */
static bool custom_call(struct sr_builder *b, struct sr_op *op)
{
	struct sr_ints shapes = sr_shape_operands(b->ctx, op);
	const struct sr_attr *layouts = sr_op_attr(op, SR_NAME_operand_layouts),
			     **kept_layouts = SR_NEW_ARRAY(b->ctx->arena, const struct sr_attr *, op->n_operands);
	int n = 0;
	for (int i = 0; i < op->n_results; i++)
		if (!sr_type_is_static(sr_result(op, i)->type))
			return false;
	for (int i = 0; layouts && i < layouts->n; i++)
		if (!list_contains(shapes, i))
			kept_layouts[n++] = layouts->list[i];
	for (int i = op->n_operands; shapes.n && i-- > 0;)
		if (list_contains(shapes, i))
			sr_op_remove_operand(op, i);
	if (shapes.n)
		sr_op_remove_attr(b->ctx, op, "indices_of_shape_operands");
	if (shapes.n && layouts)
		sr_op_set_attr(b->ctx, op, SR_NAME_operand_layouts, sr_attr_array(b->ctx, kept_layouts, n));
	return false; /* the call has been changed in place, not replaced */
}

/* ---------------------------------------------------------------- sizes */

static bool get_dimension_size(struct sr_builder *b, struct sr_op *op)
{
	const struct sr_type *t = sr_operand(op, 0)->type;
	int64_t dim = sr_op_int(op, SR_NAME_dimension, 0);
	if (t->kind != SR_TYPE_TENSOR || dim >= t->rank || t->shape[dim] == SR_DYNAMIC)
		return false;
	int32_t extent = (int32_t)t->shape[dim];
	const struct sr_attr *value = sr_attr_dense(b->ctx, sr_result(op, 0)->type, &extent, sizeof extent);
	sr_value_replace_all(sr_result(op, 0), sr_build_constant(b, value));
	return true;
}

/* Remove a set_dimension_size whose size is the dimension's static extent. */
static bool set_dimension_size(struct sr_builder *b, struct sr_op *op)
{
	const struct sr_type *t = sr_operand(op, 0)->type;
	const int64_t *v;
	int64_t n;
	if (sr_result(op, 0)->type != t || !constant(b, op, 1, &v, &n) || n != 1 || v[0] != t->shape[sr_op_int(op, SR_NAME_dimension, 0)])
		return false;
	sr_value_replace_all(sr_result(op, 0), sr_operand(op, 0));
	return true;
}

const struct sr_decomposition sr_static_forms[] = {
	{SR_OP_stablehlo_custom_call, custom_call},
	{SR_OP_stablehlo_dynamic_broadcast_in_dim, dynamic_broadcast_in_dim},
	{SR_OP_stablehlo_dynamic_reshape, dynamic_reshape},
	{SR_OP_stablehlo_dynamic_iota, dynamic_iota},
	{SR_OP_stablehlo_dynamic_pad, dynamic_pad},
	{SR_OP_stablehlo_dynamic_gather, dynamic_gather},
	{SR_OP_stablehlo_dynamic_conv, dynamic_conv},
	{SR_OP_stablehlo_real_dynamic_slice, real_dynamic_slice},
	{SR_OP_stablehlo_get_dimension_size, get_dimension_size},
	{SR_OP_stablehlo_set_dimension_size, set_dimension_size},
	{0},
};

struct dynamism_check {
	struct sr_context *ctx;
	enum sr_status status;
};

static bool check_call(void *data, struct sr_op *op)
{
	struct dynamism_check *c = data;
	if (sr_op_is(op, SR_OP_stablehlo_custom_call) && sr_check_shape_operands(c->ctx, op))
		c->status = SR_INVALID;
	return true;
}

enum sr_status sr_run_canonicalize_dynamism(struct sr_context *ctx, struct sr_op *root, const struct sr_pass_options *options)
{
	struct dynamism_check check = {ctx, SR_OK};
	(void)options;
	sr_walk(root, check_call, &check);
	if (!check.status)
		sr_decompose(ctx, root, sr_static_forms);
	return check.status;
}
