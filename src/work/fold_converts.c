/* Fold converts of narrow weights into matrix products with few rows. The product reads the weights in their own type and converts
 * them in registers, so that no converted copy is written to memory. A scale of the weights that does not vary along contracting
 * dimensions becomes a scale of the result.
 *
 *	%w = convert %weights : i8 to f32                         %y = dot %x, %weights : f32, i8 to f32
 *	%s = broadcast_in_dim %scale, dims = [1]          =>      %s = broadcast_in_dim %scale, dims = [1]
 *	%m = multiply %w, %s                                      %z = multiply %y, %s
 *	%z = dot %x, %m : f32, f32 to f32
 *
 * The kernel reads the types of is_narrow_type exactly. It has no fast form for i1. */
#include "dialect/attr_names.h"
#include "dialect/signature.h"
#include "work/work.h"

enum {
	MAX_ROWS = 32, /* with more rows, kernels that pack converted weights once are faster */
	MIN_MATRIX_ELEMENTS = 1 << 12, /* of each matrix of a batch; for smaller ones loop nests are faster than kernel calls */
};

/* The ops that define a product's right operand: transpose(multiply(convert(weights), broadcast_in_dim(scale))). The outer two
 * may be missing. */
struct weight_chain {
	struct sr_op *transpose, *multiply, *broadcast, *convert;
};

static struct sr_op *definition_as(const struct sr_value *v, enum sr_op_code code)
{
	return v->def && sr_op_is(v->def, code) ? v->def : NULL;
}

static bool is_narrow_type(enum sr_dtype from, enum sr_dtype to)
{
	bool is_integer = from != SR_I1 && sr_dtype_is_integer(from) && sr_dtypes[from].bits <= 8;
	return to == SR_F32 ? is_integer || from == SR_BF16 || from == SR_F16 : (to == SR_BF16 || to == SR_F16) && is_integer;
}

/* Return true if matrix products and transposes are the value's only users. */
static bool is_used_by_products(const struct sr_value *v)
{
	for (const struct sr_use *use = v->uses; use; use = use->next)
		if (!sr_op_has(use->owner, SR_MATMUL) && !sr_op_is(use->owner, SR_OP_stablehlo_transpose))
			return false;
	return true;
}

static bool find_chain(const struct sr_op *product, struct weight_chain *c)
{
	struct sr_value *v = sr_operand(product, 1);
	*c = (struct weight_chain){.transpose = definition_as(v, SR_OP_stablehlo_transpose)};
	if (c->transpose)
		v = sr_operand(c->transpose, 0);
	bool is_used_otherwise = !is_used_by_products(v);
	c->multiply = definition_as(v, SR_OP_stablehlo_multiply);
	for (int i = 0; c->multiply && i < 2 && !c->broadcast; i++) {
		c->broadcast = definition_as(sr_operand(c->multiply, i), SR_OP_stablehlo_broadcast_in_dim);
		v = sr_operand(c->multiply, 1 - i);
	}
	c->convert = definition_as(v, SR_OP_stablehlo_convert);
	return c->convert && !c->multiply == !c->broadcast && !is_used_otherwise;
}

static const int64_t *dims_of(struct sr_context *ctx, const struct sr_op *product, const char *field, int64_t *n)
{
	const int64_t *dims = NULL;
	if (!sr_struct_ints(ctx, sr_op_attr(product, SR_NAME_dot_dimension_numbers), field, &dims, n))
		*n = 0;
	return dims;
}

static int position(const int64_t *dims, int64_t n, int64_t dim)
{
	for (int64_t i = 0; i < n; i++)
		if (dims[i] == dim)
			return (int)i;
	return -1;
}

/* Return the dimension of the product's result that dimension `dim` of its right operand becomes; -1: it is contracted. */
static int result_dim(struct sr_context *ctx, const struct sr_op *product, int64_t dim)
{
	int64_t n_batch, n_contracting, n_lhs_contracting;
	const int64_t *batch = dims_of(ctx, product, SR_NAME_rhs_batching_dimensions, &n_batch);
	const int64_t *contracting = dims_of(ctx, product, SR_NAME_rhs_contracting_dimensions, &n_contracting);
	dims_of(ctx, product, SR_NAME_lhs_contracting_dimensions, &n_lhs_contracting);
	int place = position(batch, n_batch, dim);
	if (place >= 0 || position(contracting, n_contracting, dim) >= 0)
		return place;
	place = sr_operand_type(product, 0)->rank - (int)n_lhs_contracting;
	for (int64_t d = 0; d < dim; d++)
		place += position(batch, n_batch, d) < 0 && position(contracting, n_contracting, d) < 0;
	return place;
}

/* Return the number of elements of each matrix of the right operand. */
static int64_t matrix_elements(struct sr_context *ctx, const struct sr_op *product)
{
	const struct sr_type *rhs = sr_operand_type(product, 1);
	int64_t n_batch, elements = 1;
	const int64_t *batch = dims_of(ctx, product, SR_NAME_rhs_batching_dimensions, &n_batch);
	for (int d = 0; d < rhs->rank; d++)
		if (position(batch, n_batch, d) < 0 && elements < MIN_MATRIX_ELEMENTS)
			elements *= rhs->shape[d];
	return elements;
}

/* Return the number of rows of each matrix of the left operand. */
static int64_t row_count(struct sr_context *ctx, const struct sr_op *product)
{
	const struct sr_type *lhs = sr_operand_type(product, 0);
	int64_t n_batch, n_contracting, rows = 1;
	const int64_t *batch = dims_of(ctx, product, SR_NAME_lhs_batching_dimensions, &n_batch);
	const int64_t *contracting = dims_of(ctx, product, SR_NAME_lhs_contracting_dimensions, &n_contracting);
	for (int d = 0; d < lhs->rank; d++)
		if (position(batch, n_batch, d) < 0 && position(contracting, n_contracting, d) < 0 && rows <= MAX_ROWS)
			rows *= lhs->shape[d];
	return rows;
}

/* Set dims[] to the result's dimensions along which the scale varies, and shape[] to their extents. Returns false if the scale
 * varies along a contracting dimension. */
static bool map_scale(struct sr_context *ctx, const struct sr_op *product, const struct weight_chain *c, int64_t *dims,
		      int64_t *shape, int *n)
{
	const struct sr_type *scale = sr_operand_type(c->broadcast, 0);
	const int64_t *broadcast_dims, *permutation = NULL;
	int64_t n_dims, rank = sr_operand_type(product, 1)->rank;
	*n = 0;
	if (!sr_op_ints(ctx, c->broadcast, SR_NAME_broadcast_dimensions, &broadcast_dims, &n_dims) ||
	    (c->transpose && !sr_op_ints(ctx, c->transpose, SR_NAME_permutation, &permutation, &rank)))
		return false;
	for (int d = 0; d < scale->rank; d++) {
		if (scale->shape[d] == 1)
			continue;
		int64_t dim = permutation ? position(permutation, rank, broadcast_dims[d]) : broadcast_dims[d];
		shape[*n] = scale->shape[d];
		dims[*n] = result_dim(ctx, product, dim);
		if (dims[(*n)++] < 0)
			return false;
	}
	return true;
}

/* Multiply the product's result by the scale for all its users. */
static void scale_result(struct sr_context *ctx, struct sr_op *product, struct sr_value *scale, const int64_t *dims,
			 const int64_t *shape, int n)
{
	struct sr_builder b = {.ctx = ctx, .block = product->block, .anchor = product->next, .loc = product->loc};
	struct sr_value *result = sr_result(product, 0);
	const struct sr_type *compact = sr_type_tensor_of(ctx, scale->type->element, n, shape, NULL);
	struct sr_named_attr attr = {SR_NAME_broadcast_dimensions, sr_attr_i64s(ctx, dims, n)};
	if (scale->type->rank != n)
		scale = sr_result(sr_build(&b, SR_OP_stablehlo_reshape, &scale, 1, NULL, 0, &compact, 1), 0);
	scale = sr_result(sr_build(&b, SR_OP_stablehlo_broadcast_in_dim, &scale, 1, &attr, 1, &result->type, 1), 0);
	struct sr_op *multiply =
		sr_build(&b, SR_OP_stablehlo_multiply, (struct sr_value *[]){result, scale}, 2, NULL, 0, &result->type, 1);
	sr_value_replace_all(result, sr_result(multiply, 0));
	sr_op_set_operand(multiply, 0, result);
}

void sr_work_fold_converts(struct sr_context *ctx, struct sr_op *product)
{
	struct weight_chain c;
	int64_t dims[SR_MAX_RANK], shape[SR_MAX_RANK], n_weights;
	int n = 0;
	if (!sr_op_attr(product, SR_NAME_dot_dimension_numbers) || !find_chain(product, &c))
		return;
	struct sr_value *weights = sr_operand(c.convert, 0);
	enum sr_dtype type = sr_operand_type(product, 0)->dtype, result_type = sr_result_type(product, 0)->dtype;
	if (sr_operand_type(product, 1)->dtype != type || !is_narrow_type(weights->type->dtype, type) ||
	    !sr_dtype_is_float(result_type) || row_count(ctx, product) > MAX_ROWS ||
	    matrix_elements(ctx, product) < MIN_MATRIX_ELEMENTS || !sr_type_elements(weights->type, &n_weights) ||
	    n_weights < SR_WORK_LARGE_ELEMENTS)
		return;
	if (c.multiply && (type != SR_F32 || result_type != SR_F32 || !map_scale(ctx, product, &c, dims, shape, &n)))
		return;
	if (c.transpose) {
		const struct sr_type *t = sr_result_type(c.transpose, 0);
		struct sr_builder b = {.ctx = ctx, .block = product->block, .anchor = product, .loc = c.transpose->loc};
		t = sr_type_tensor_of(ctx, weights->type->element, t->rank, t->shape, NULL);
		weights = sr_result(sr_build(&b, SR_OP_stablehlo_transpose, &weights, 1, c.transpose->attrs, c.transpose->n_attrs, &t, 1), 0);
	}
	sr_op_set_operand(product, 1, weights);
	if (c.multiply)
		scale_result(ctx, product, sr_operand(c.broadcast, 0), dims, shape, n);
	sr_work_retire_unused(ctx, c.transpose ? c.transpose : c.multiply ? c.multiply : c.convert);
	sr_ops_reclaim(ctx);
}
