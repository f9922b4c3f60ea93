/* Fold converts of narrow weights into matrix products with few rows. The product reads the weights in their own type and converts
 * them in registers, so that no converted copy is written to memory. A scale of the weights that does not vary along contracting
 * dimensions becomes a scale of the result, which is f32 until it is scaled.
 *
 *	%w = convert %weights : i8 to f32                         %y = dot %x, %weights : f32, i8 to f32
 *	%s = broadcast_in_dim %scale, dims = [1]          =>      %s = broadcast_in_dim %scale, dims = [1]
 *	%m = multiply %w, %s                                      %z = multiply %y, %s
 *	%z = dot %x, %m : f32, f32 to f32
 *
 * If there is a scale for each group of rows of the weights, the product becomes a batch of products, one per group. Their scaled
 * results are added.
 *
 *	%w = convert %weights : 32x128x4096xi8 to f32             %g = reshape %x : 8x4096 to 8x32x128
 *	%s = broadcast_in_dim %scale, dims = [0, 2]               %y = dot %g, %weights, batching_dims = [1] x [0] : to 32x8x4096
 *	%m = reshape (multiply %w, %s) : to 4096x4096     =>      %s = broadcast_in_dim %scale, dims = [0, 2]
 *	%z = dot %x, %m : 8x4096, 4096x4096 to 8x4096             %z = reduce add (multiply %y, %s) across dimensions = [0]
 *
 * The kernel reads the types of is_narrow_type exactly. It has no fast form for i1. */
#include "dialect/attr_names.h"
#include "dialect/op_builders.h"
#include "dialect/signature.h"
#include "support/integers.h"
#include "work/work.h"

enum {
	MAX_ROWS = 32, /* with more rows, kernels that pack converted weights once are faster */
	MIN_GROUP_ROWS = 32,
	MIN_MATRIX_ELEMENTS = 1 << 12, /* of each matrix of a batch; for smaller ones loop nests are faster than kernel calls */
};

/* The ops that define a product's right operand: transpose(merge(multiply(split(convert(weights)), broadcast_in_dim(scale)))). The
 * reshapes merge and split join and divide dimensions. All ops but the convert may be missing. */
struct weight_chain {
	struct sr_op *transpose, *merge, *multiply, *broadcast, *split, *convert;
};

/* The scale as a factor of the product's result: the extents of its dimensions, and the result's dimensions that they are. */
struct result_scale {
	int64_t dims[SR_MAX_RANK], shape[SR_MAX_RANK];
	int rank;
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

/* Return the op that defines *v, and set *v to its operand, if the op has this code; else NULL. */
static struct sr_op *step_over(struct sr_value **v, enum sr_op_code code)
{
	struct sr_op *op = definition_as(*v, code);
	if (op)
		*v = sr_operand(op, 0);
	return op;
}

static bool find_chain(const struct sr_op *product, struct weight_chain *c)
{
	struct sr_value *v = sr_operand(product, 1);
	*c = (struct weight_chain){.transpose = step_over(&v, SR_OP_stablehlo_transpose)};
	if (!is_used_by_products(v))
		return false;
	c->merge = step_over(&v, SR_OP_stablehlo_reshape);
	c->multiply = definition_as(v, SR_OP_stablehlo_multiply);
	if (c->merge && (!c->multiply || v->uses->next))
		return false;
	for (int i = 0; c->multiply && i < 2 && !c->broadcast; i++) {
		c->broadcast = definition_as(sr_operand(c->multiply, i), SR_OP_stablehlo_broadcast_in_dim);
		v = sr_operand(c->multiply, 1 - i);
	}
	if (c->multiply)
		c->split = step_over(&v, SR_OP_stablehlo_reshape);
	c->convert = definition_as(v, SR_OP_stablehlo_convert);
	return c->convert && !c->multiply == !c->broadcast;
}

static const int64_t *dims_of(struct sr_context *ctx, const struct sr_op *product, const char *field, int64_t *n)
{
	const int64_t *dims = NULL;
	if (!sr_struct_ints(ctx, sr_op_attr(product, SR_NAME_dot_dimension_numbers), field, &dims, n))
		*n = 0;
	return dims;
}

/* Return the dimension of the product's result that dimension `dim` of its right operand becomes; -1: it is contracted. */
static int result_dim(struct sr_context *ctx, const struct sr_op *product, int64_t dim)
{
	int64_t n_batch, n_contracting, n_lhs_contracting;
	const int64_t *batch = dims_of(ctx, product, SR_NAME_rhs_batching_dimensions, &n_batch);
	const int64_t *contracting = dims_of(ctx, product, SR_NAME_rhs_contracting_dimensions, &n_contracting);
	dims_of(ctx, product, SR_NAME_lhs_contracting_dimensions, &n_lhs_contracting);
	int place = sr_list_find(batch, n_batch, dim);
	if (place >= 0 || sr_list_find(contracting, n_contracting, dim) >= 0)
		return place;
	place = sr_operand_type(product, 0)->rank - (int)n_lhs_contracting;
	for (int64_t d = 0; d < dim; d++)
		place += sr_list_find(batch, n_batch, d) < 0 && sr_list_find(contracting, n_contracting, d) < 0;
	return place;
}

/* Return the number of elements of each matrix of the right operand. */
static int64_t matrix_elements(struct sr_context *ctx, const struct sr_op *product)
{
	const struct sr_type *rhs = sr_operand_type(product, 1);
	int64_t n_batch, elements = 1;
	const int64_t *batch = dims_of(ctx, product, SR_NAME_rhs_batching_dimensions, &n_batch);
	for (int d = 0; d < rhs->rank; d++)
		if (sr_list_find(batch, n_batch, d) < 0 && elements < MIN_MATRIX_ELEMENTS)
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
		if (sr_list_find(batch, n_batch, d) < 0 && sr_list_find(contracting, n_contracting, d) < 0 && rows <= MAX_ROWS)
			rows *= lhs->shape[d];
	return rows;
}

/* Return true if the product, without batch dimensions, contracts dimension 0 of a matrix that merges two dimensions of the
 * weights, groups and rows of a group, and if its results for all groups take at most half of the memory of converted weights. */
static bool has_groups(struct sr_context *ctx, const struct sr_op *product, const struct weight_chain *c)
{
	const struct sr_type *matrix = sr_result_type(c->merge, 0), *weights = sr_result_type(c->multiply, 0);
	int64_t n_batch, n_contracting;
	dims_of(ctx, product, SR_NAME_rhs_batching_dimensions, &n_batch);
	const int64_t *contracting = dims_of(ctx, product, SR_NAME_rhs_contracting_dimensions, &n_contracting);
	return n_batch == 0 && n_contracting == 1 && contracting[0] == (c->transpose ? 1 : 0) && matrix->rank == 2 &&
	       weights->rank == 3 && weights->shape[2] == matrix->shape[1] && weights->shape[1] >= MIN_GROUP_ROWS &&
	       weights->shape[2] >= MIN_MATRIX_ELEMENTS / MIN_GROUP_ROWS && row_count(ctx, product) <= weights->shape[1] / 2;
}

/* Return the dimension of the result that dimension `dim` of the scaled weights becomes; -1: it is contracted. */
static int result_dim_of_weights(struct sr_context *ctx, const struct sr_op *product, const struct weight_chain *c, int64_t dim)
{
	const int64_t *permutation;
	int64_t rank;
	if (c->merge)
		return dim == 0 ? 0 : dim == 1 ? -1 : sr_result_type(product, 0)->rank;
	if (c->transpose && sr_op_ints(ctx, c->transpose, SR_NAME_permutation, &permutation, &rank))
		dim = sr_list_find(permutation, rank, dim);
	return result_dim(ctx, product, dim);
}

/* Describe the scale as a factor of the product's result, or of its results for all groups. Returns false if the scale varies
 * along a contracting dimension. */
static bool map_scale(struct sr_context *ctx, const struct sr_op *product, const struct weight_chain *c, struct result_scale *s)
{
	const struct sr_type *scale = sr_operand_type(c->broadcast, 0);
	const int64_t *broadcast_dims;
	int64_t n_dims;
	s->rank = 0;
	if (!sr_op_ints(ctx, c->broadcast, SR_NAME_broadcast_dimensions, &broadcast_dims, &n_dims))
		return false;
	for (int d = 0; d < scale->rank; d++) {
		if (scale->shape[d] == 1)
			continue;
		s->shape[s->rank] = scale->shape[d];
		s->dims[s->rank] = result_dim_of_weights(ctx, product, c, broadcast_dims[d]);
		if (s->dims[s->rank++] < 0)
			return false;
	}
	return true;
}

/* Let the product multiply each group of columns of its left operand, shape[1] of shape[0] * shape[1], by its own matrix. Dimension
 * 0 of the result becomes the group. */
static void divide_into_groups(struct sr_context *ctx, struct sr_op *product, const int64_t *shape)
{
	struct sr_builder b = {.ctx = ctx, .block = product->block, .anchor = product, .loc = product->loc};
	struct sr_value *left = sr_operand(product, 0), *result = sr_result(product, 0);
	int64_t n, divided[SR_MAX_RANK], result_shape[SR_MAX_RANK] = {shape[0]};
	int64_t dim = *dims_of(ctx, product, SR_NAME_lhs_contracting_dimensions, &n);
	int rank = 0;
	for (int d = 0; d < left->type->rank; d++) {
		if (d == dim)
			divided[rank++] = shape[0];
		divided[rank++] = d == dim ? shape[1] : left->type->shape[d];
	}
	for (int d = 0; d < result->type->rank; d++)
		result_shape[d + 1] = result->type->shape[d];
	sr_op_set_operand(product, 0, sr_build_reshape(&b, left, rank, divided));
	const struct sr_attr *numbers[] = {sr_attr_i64s(ctx, &dim, 1), sr_attr_i64s(ctx, &(int64_t){0}, 1),
					   sr_attr_i64s(ctx, &(int64_t){dim + 1}, 1), sr_attr_i64s(ctx, &(int64_t){1}, 1)};
	sr_op_set_attr(ctx, product, SR_NAME_dot_dimension_numbers,
		       sr_attr_struct(ctx, sr_attr_def_find("stablehlo", "dot"), numbers));
	result->type = sr_type_with_shape(ctx, result->type, result->type->rank + 1, result_shape);
}

/* Multiply the product's result, of f32, by the scale, add the results of groups, and convert the sum to `type` for all users. */
static void scale_result(struct sr_context *ctx, struct sr_op *product, struct sr_value *scale, const struct result_scale *s,
			 bool adds_groups, enum sr_dtype type)
{
	struct sr_builder b = {.ctx = ctx, .block = product->block, .anchor = product->next, .loc = product->loc};
	struct sr_value *result = sr_result(product, 0);
	if (scale->type->rank != s->rank)
		scale = sr_build_reshape(&b, scale, s->rank, s->shape);
	scale = sr_build_broadcast(&b, sr_build_convert(&b, scale, SR_F32), result->type, s->dims);
	struct sr_value *scaled = sr_build_binary(&b, SR_OP_stablehlo_multiply, result, scale), *final = scaled;
	if (adds_groups)
		final = sr_build_reduction(&b, scaled, sr_build_zero_scalar(&b, result->type->element), SR_OP_stablehlo_add,
					   &(int64_t){0}, 1);
	final = sr_build_convert(&b, final, type);
	sr_value_replace_all(result, final);
	sr_op_set_operand(scaled->def, 0, result);
}

/* Let the product read the weights. If they are scaled, its result becomes f32 and is scaled instead. */
static void read_weights(struct sr_context *ctx, struct sr_op *product, const struct weight_chain *c, const struct result_scale *s)
{
	struct sr_builder b = {.ctx = ctx, .block = product->block, .anchor = product, .loc = product->loc};
	struct sr_value *weights = sr_operand(c->convert, 0), *result = sr_result(product, 0);
	enum sr_dtype type = result->type->dtype;
	if (c->split)
		weights = sr_build_reshape(&b, weights, sr_result_type(c->split, 0)->rank, sr_result_type(c->split, 0)->shape);
	if (c->merge) {
		divide_into_groups(ctx, product, weights->type->shape);
	} else if (c->transpose) {
		const struct sr_op *op = c->transpose;
		const struct sr_type *t = sr_result_type(op, 0);
		t = sr_type_with_shape(ctx, weights->type, t->rank, t->shape);
		weights = sr_result(sr_build(&b, op->info->code, &weights, 1, op->attrs, op->n_attrs, &t, 1), 0);
	}
	sr_op_set_operand(product, 1, weights);
	if (!c->multiply)
		return;
	result->type = sr_type_tensor(ctx, SR_F32, result->type->rank, result->type->shape);
	scale_result(ctx, product, sr_operand(c->broadcast, 0), s, c->merge, type);
}

void sr_work_fold_converts(struct sr_context *ctx, struct sr_op *product)
{
	struct weight_chain c;
	struct result_scale scale;
	int64_t n_weights;
	if (!sr_op_attr(product, SR_NAME_dot_dimension_numbers) || !find_chain(product, &c))
		return;
	const struct sr_type *weights = sr_operand_type(c.convert, 0);
	enum sr_dtype type = sr_operand_type(product, 0)->dtype, result_type = sr_result_type(product, 0)->dtype;
	if (sr_operand_type(product, 1)->dtype != type || !is_narrow_type(weights->dtype, type) ||
	    !sr_dtype_is_float(result_type) || row_count(ctx, product) > MAX_ROWS ||
	    matrix_elements(ctx, product) < MIN_MATRIX_ELEMENTS || !sr_type_elements(weights, &n_weights) ||
	    n_weights < SR_WORK_LARGE_ELEMENTS)
		return;
	if (c.merge && !has_groups(ctx, product, &c))
		return;
	if (c.multiply && (result_type == SR_F64 || !map_scale(ctx, product, &c, &scale)))
		return;
	read_weights(ctx, product, &c, &scale);
	sr_work_retire_unused(ctx, c.transpose ? c.transpose : c.merge ? c.merge : c.multiply ? c.multiply : c.convert);
	sr_ops_reclaim(ctx);
}
