/* stablehlo-canonicalize-dynamism: ops whose shapes come from operands, where these are constants, as the ops with attributes.
 * The result types must be static, as they are after shape refinement. */
#include "optimize/decompose.h"
#include "optimize/pass_functions.h"
#include <string.h>

/* The integers of a constant operand; false where it is none. */
static bool constant(struct sr_builder *b, struct sr_op *op, int i, const int64_t **v, int64_t *n)
{
	struct sr_op *def = sr_operand(op, i)->def;
	const struct sr_attr *value = def && sr_op_has(def, SR_CONSTANT) ? sr_op_attr(def, "value") : NULL;
	return value && sr_attr_ints(b->ctx, value, v, n);
}

static const struct sr_attr *constant_attr(struct sr_builder *b, struct sr_op *op, int i)
{
	const int64_t *v;
	int64_t n;
	return constant(b, op, i, &v, &n) ? sr_attr_i64s(b->ctx, v, n) : NULL;
}

/* The op with its first n operands, its attributes but those named in `hidden`, and `more`. */
static bool rebuild(struct sr_builder *b, struct sr_op *op, enum sr_op_code code, int n, const char *hidden,
		    const struct sr_named *more, int n_more)
{
	struct sr_context *ctx = b->ctx;
	const struct sr_type *type = sr_result(op, 0)->type;
	struct sr_value *operands[4];
	struct sr_named *attrs = SR_NEWS(ctx->arena, struct sr_named, op->n_attrs + n_more);
	int k = 0;
	for (int i = 0; i < n_more; i++)
		if (!more[i].value)
			return false;
	if (!sr_type_is_static(type))
		return false;
	for (int i = 0; i < n; i++)
		operands[i] = sr_operand(op, i);
	for (int i = 0; i < op->n_attrs; i++)
		if (!strstr(hidden, op->attrs[i].name))
			attrs[k++] = op->attrs[i];
	for (int i = 0; i < n_more; i++)
		attrs[k++] = more[i];
	sr_value_replace_all(sr_result(op, 0), sr_result(sr_build(b, code, operands, n, attrs, k, &type, 1), 0));
	return true;
}

static bool dynamic_broadcast_in_dim(struct sr_builder *b, struct sr_op *op)
{
	return rebuild(b, op, SR_OP_stablehlo_broadcast_in_dim, 1, "known_expanding_dimensions known_nonexpanding_dimensions", NULL,
		       0);
}

static bool dynamic_reshape(struct sr_builder *b, struct sr_op *op)
{
	return rebuild(b, op, SR_OP_stablehlo_reshape, 1, "", NULL, 0);
}

static bool dynamic_iota(struct sr_builder *b, struct sr_op *op)
{
	return rebuild(b, op, SR_OP_stablehlo_iota, 0, "", NULL, 0);
}

static bool dynamic_pad(struct sr_builder *b, struct sr_op *op)
{
	struct sr_named more[] = {{"edge_padding_low", constant_attr(b, op, 2)}, {"edge_padding_high", constant_attr(b, op, 3)},
				  {"interior_padding", constant_attr(b, op, 4)}};
	return rebuild(b, op, SR_OP_stablehlo_pad, 2, "", more, 3);
}

static bool dynamic_gather(struct sr_builder *b, struct sr_op *op)
{
	struct sr_named more[] = {{"slice_sizes", constant_attr(b, op, 2)}};
	return rebuild(b, op, SR_OP_stablehlo_gather, 2, "", more, 1);
}

static bool dynamic_conv(struct sr_builder *b, struct sr_op *op)
{
	const int64_t *v;
	int64_t n;
	struct sr_named more = {"padding", NULL};
	if (constant(b, op, 2, &v, &n))
		more.value = sr_attr_dense_i64(b->ctx, 2, (int64_t[]){n / 2, 2}, v);
	return rebuild(b, op, SR_OP_stablehlo_convolution, 2, "", &more, 1);
}

/* With constant starts, limits and strides a slice; with starts that are not, and strides of 1, a dynamic_slice. */
static bool real_dynamic_slice(struct sr_builder *b, struct sr_op *op)
{
	struct sr_named more[] = {{"start_indices", constant_attr(b, op, 1)},
				  {"limit_indices", constant_attr(b, op, 2)},
				  {"strides", constant_attr(b, op, 3)}};
	return rebuild(b, op, SR_OP_stablehlo_slice, 1, "", more, 3);
}

static bool get_dimension_size(struct sr_builder *b, struct sr_op *op)
{
	const struct sr_type *t = sr_operand(op, 0)->type;
	int64_t dim = sr_op_int(op, "dimension", 0);
	if (t->kind != SR_TYPE_TENSOR || dim >= t->rank || t->shape[dim] == SR_DYNAMIC)
		return false;
	int32_t extent = (int32_t)t->shape[dim];
	const struct sr_attr *value = sr_attr_dense(b->ctx, sr_result(op, 0)->type, &extent, sizeof extent);
	sr_value_replace_all(sr_result(op, 0), sr_build_constant(b, value));
	return true;
}

/* The full extent of a static dimension is no change. */
static bool set_dimension_size(struct sr_builder *b, struct sr_op *op)
{
	const struct sr_type *t = sr_operand(op, 0)->type;
	const int64_t *v;
	int64_t n;
	if (sr_result(op, 0)->type != t || !constant(b, op, 1, &v, &n) || n != 1 || v[0] != t->shape[sr_op_int(op, "dimension", 0)])
		return false;
	sr_value_replace_all(sr_result(op, 0), sr_operand(op, 0));
	return true;
}

static const struct sr_decomposition table[] = {
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

enum sr_status sr_run_canonicalize_dynamism(struct sr_context *ctx, struct sr_op *root, const struct sr_pass_options *options)
{
	(void)options;
	sr_decompose(ctx, root, table);
	return SR_OK;
}
