/* Transposed operands and results of matrix products: a product reads a transpose's operand by other dimension numbers, computes
 * the transposed result by exchanging its operands, or exchanges its operands so that few rows are the left one. */
#include "dialect/attr_names.h"
#include "dialect/op_builders.h"
#include "dialect/signature.h"
#include "work/work.h"
#include <string.h>

/* Maximum rows of the left operand for which kernels/fast/gemm reads the right operand once and in place. */
enum { MAX_FEW_ROWS = 32 };

struct transpose_view {
	const struct sr_type *source;
	const int64_t *permutation;
};

/* Return true if the group's dimensions, in order, have one common stride in the transpose's operand. */
static bool have_one_stride(const struct transpose_view *t, const int64_t *group, int64_t n)
{
	int64_t next = -1; /* the operand's dimension that the group's next one must be, ignoring dimensions of extent 1; -1: any */
	for (int64_t i = n - 1; i >= 0; i--) {
		int64_t d = t->permutation[group[i]];
		if (t->source->shape[d] == 1)
			continue;
		if (next >= 0 && d != next)
			return false;
		for (next = d - 1; next >= 0 && t->source->shape[next] == 1; next--)
			;
		next = next < 0 ? t->source->rank : next; /* d is outermost: no dimension of the group may precede it */
	}
	return true;
}

static const char *const fields[4] = {SR_NAME_lhs_batching_dimensions, SR_NAME_rhs_batching_dimensions,
				      SR_NAME_lhs_contracting_dimensions, SR_NAME_rhs_contracting_dimensions};

static int64_t count_dims(struct sr_context *ctx, const struct sr_op *product, const char *field)
{
	const int64_t *dims;
	int64_t n;
	return sr_struct_ints(ctx, sr_op_attr(product, SR_NAME_dot_dimension_numbers), field, &dims, &n) ? n : 0;
}

/* Reshape the product's result if the transpose moved free dimensions of extent 1 of its operand number `operand`, which are
 * dimensions `free_dims` of the transpose's result. */
static void reorder_unit_dims(struct sr_context *ctx, struct sr_op *product, int operand, const struct transpose_view *t,
			      const int64_t *free_dims, int64_t n_free)
{
	struct sr_value *result = sr_result(product, 0);
	const struct sr_type *type = result->type;
	int64_t *shape = sr_make_ints(ctx, type->rank, 0), at;
	bool is_free[SR_MAX_RANK] = {false}, is_same = true;
	for (int64_t i = 0; i < n_free; i++)
		is_free[t->permutation[free_dims[i]]] = true;
	memcpy(shape, type->shape, sizeof *shape * (size_t)type->rank);
	at = operand ? type->rank - n_free : count_dims(ctx, product, fields[0]);
	for (int d = 0; d < t->source->rank; d++)
		if (is_free[d])
			shape[at++] = t->source->shape[d];
	for (int d = 0; d < type->rank; d++)
		is_same = is_same && shape[d] == type->shape[d];
	if (is_same)
		return;
	result->type = sr_type_with_shape(ctx, type, type->rank, shape);
	struct sr_builder b = {.ctx = ctx, .block = product->block, .anchor = product->next, .loc = product->loc};
	struct sr_value *reshaped = sr_build_reshape(&b, result, type->rank, type->shape);
	sr_value_replace_all(result, reshaped);
	sr_op_set_operand(reshaped->def, 0, result);
}

/* Transpose the product's result, whose operand number `operand` has changed from the transpose to its operand `t->source`, so that
 * users see the order of before. free_dims: the dimensions of the transpose that are free. */
static void restore_order(struct sr_context *ctx, struct sr_op *product, int operand, const struct transpose_view *t,
			  const int64_t *free_dims, int64_t n_free)
{
	struct sr_value *result = sr_result(product, 0);
	const struct sr_type *type = result->type;
	int64_t *shape = sr_make_ints(ctx, type->rank, 0), permutation[SR_MAX_RANK];
	int64_t first = operand ? type->rank - n_free : count_dims(ctx, product, fields[0]), n = 0;
	for (int d = 0; d < type->rank; d++) {
		permutation[d] = d;
		shape[d] = type->shape[d];
	}
	for (int d = 0; d < t->source->rank; d++)
		for (int64_t i = 0; i < n_free; i++)
			if (t->permutation[free_dims[i]] == d) {
				permutation[first + i] = first + n;
				shape[first + n++] = type->shape[first + i];
			}
	result->type = sr_type_with_shape(ctx, type, type->rank, shape);
	struct sr_builder b = {.ctx = ctx, .block = product->block, .anchor = product->next, .loc = product->loc};
	struct sr_value *transposed = sr_build_transpose(&b, result, permutation);
	sr_value_replace_all(result, transposed);
	sr_op_set_operand(transposed->def, 0, result);
}

/* How read_source treats free dimensions whose order changes. */
enum order { KEEP_ORDER, TRANSPOSE_RESULT };

/* Let operand number `operand` of the product be `source`, of which the operand is a transpose. Return false, without a change, if
 * free dimensions would change their order, except those of extent 1, and `order` does not permit that. */
static bool read_source(struct sr_context *ctx, struct sr_op *product, int operand, struct sr_value *source,
			const struct transpose_view *t, enum order order)
{
	const struct sr_attr *numbers = sr_op_attr(product, SR_NAME_dot_dimension_numbers), *new_fields[4];
	int64_t free_dims[SR_MAX_RANK], n_free = 0, last = -1;
	bool is_numbered[SR_MAX_RANK] = {false}, is_foldable = true;
	for (int f = 0; f < 4; f++) {
		const int64_t *dims;
		int64_t n, *new_dims;
		new_fields[f] = sr_attr_field(numbers, fields[f]);
		if (f % 2 != operand || !new_fields[f] || !sr_struct_ints(ctx, numbers, fields[f], &dims, &n))
			continue;
		new_dims = SR_NEW_ARRAY(ctx->arena, int64_t, n + 1);
		for (int64_t i = 0; i < n; i++) {
			new_dims[i] = t->permutation[dims[i]];
			is_numbered[dims[i]] = true;
		}
		is_foldable = is_foldable && have_one_stride(t, dims, n);
		new_fields[f] = sr_attr_i64s(ctx, new_dims, n);
	}
	for (int d = 0; d < t->source->rank; d++) {
		if (is_numbered[d])
			continue;
		free_dims[n_free++] = d;
		if (t->source->shape[t->permutation[d]] > 1) {
			is_foldable = is_foldable && t->permutation[d] > last;
			last = t->permutation[d];
		}
	}
	if (order == KEEP_ORDER && !(is_foldable && have_one_stride(t, free_dims, n_free)))
		return false;
	sr_op_set_attr(ctx, product, SR_NAME_dot_dimension_numbers,
		       sr_attr_struct(ctx, sr_attr_def_find("stablehlo", "dot"), new_fields));
	sr_op_set_operand(product, operand, source);
	(order == KEEP_ORDER ? reorder_unit_dims : restore_order)(ctx, product, operand, t, free_dims, n_free);
	return true;
}

/* The sizes of a product: rows of the left operand and columns of the right one, elements of their free dimensions. */
struct product_size {
	int64_t n_batch, n_lhs_free, n_rhs_free; /* numbers of dimensions */
	int64_t rows, columns;
};

static struct product_size size_of(struct sr_context *ctx, const struct sr_op *product)
{
	const int64_t *shape = sr_result_type(product, 0)->shape;
	struct product_size size = {.n_batch = count_dims(ctx, product, fields[0]), .rows = 1, .columns = 1};
	size.n_lhs_free = sr_operand_type(product, 0)->rank - size.n_batch - count_dims(ctx, product, fields[2]);
	size.n_rhs_free = sr_result_type(product, 0)->rank - size.n_batch - size.n_lhs_free;
	for (int64_t d = 0; d < size.n_lhs_free; d++)
		size.rows *= shape[size.n_batch + d];
	for (int64_t d = 0; d < size.n_rhs_free; d++)
		size.columns *= shape[size.n_batch + size.n_lhs_free + d];
	return size;
}

/* Return true for few rows times a large matrix, which kernels read once and in place. */
static bool has_few_rows_left(const struct product_size *size)
{
	return size->rows <= MAX_FEW_ROWS && size->columns > MAX_FEW_ROWS;
}

/* Return true if the operand is contracted along its last dimension. */
static bool is_contracted_along_last(struct sr_context *ctx, const struct sr_op *product, int operand)
{
	const int64_t *contracting;
	int64_t n;
	if (!sr_struct_ints(ctx, sr_op_attr(product, SR_NAME_dot_dimension_numbers), fields[2 + operand], &contracting, &n))
		return false;
	for (int64_t i = 0; i < n; i++)
		if (contracting[i] == sr_operand_type(product, operand)->rank - 1)
			return true;
	return false;
}

/* Return true for a large matrix times few columns, if the result is small beside the matrix, and either the
 * matrix does not have contiguous rows, or the right operand has contiguous columns. */
static bool is_few_columns(struct sr_context *ctx, const struct sr_op *product)
{
	struct product_size size = size_of(ctx, product);
	int64_t n_matrix, n_result;
	if (size.columns > MAX_FEW_ROWS || size.rows <= MAX_FEW_ROWS || !sr_type_elements(sr_operand_type(product, 0), &n_matrix) ||
	    !sr_type_elements(sr_result_type(product, 0), &n_result))
		return false;
	return n_matrix >= SR_WORK_LARGE_ELEMENTS && n_result <= n_matrix / 4 &&
	       (is_contracted_along_last(ctx, product, 1) || !is_contracted_along_last(ctx, product, 0));
}

/* Return true if the operands may be exchanged: equal element types and precisions. */
static bool operands_are_exchangeable(const struct sr_op *product)
{
	const struct sr_attr *precisions = sr_op_attr(product, SR_NAME_precision_config);
	return sr_operand_type(product, 0)->dtype == sr_operand_type(product, 1)->dtype &&
	       (!precisions || precisions->n != 2 || precisions->list[0] == precisions->list[1]);
}

/* Return true if the transpose moves the right operand's free dimensions, the last ones of the product, before those of the left
 * operand. */
static bool swaps_operands(struct sr_context *ctx, const struct sr_op *product, const int64_t *permutation)
{
	struct product_size size = size_of(ctx, product);
	for (int64_t d = 0, first = size.n_batch; d < sr_result_type(product, 0)->rank; d++)
		if (permutation[d] != (d < first ? d : d < first + size.n_rhs_free ? d + size.n_lhs_free : d - size.n_rhs_free))
			return false;
	if (has_few_rows_left(&size))
		return false;
	/* Do not exchange the operands if the left one is contracted along its last dimension: its rows are contiguous, as a left
	 * operand's should be. */
	return !is_contracted_along_last(ctx, product, 0);
}

/* Exchange the operands; the result's type becomes `type`. */
static void exchange_operands(struct sr_context *ctx, struct sr_op *product, const struct sr_type *type)
{
	const struct sr_attr *numbers = sr_op_attr(product, SR_NAME_dot_dimension_numbers), *new_fields[4];
	for (int f = 0; f < 4; f++)
		new_fields[f] = sr_attr_field(numbers, fields[f ^ 1]);
	sr_op_set_attr(ctx, product, SR_NAME_dot_dimension_numbers,
		       sr_attr_struct(ctx, sr_attr_def_find("stablehlo", "dot"), new_fields));
	sr_op_set_operands(ctx, product, (struct sr_value *[]){sr_operand(product, 1), sr_operand(product, 0)}, 2);
	sr_result(product, 0)->type = type;
}

void sr_work_put_few_rows_left(struct sr_context *ctx, struct sr_op *product)
{
	struct sr_value *result = sr_result(product, 0);
	int64_t permutation[SR_MAX_RANK];
	if (!sr_op_attr(product, SR_NAME_dot_dimension_numbers) || !operands_are_exchangeable(product) ||
	    !is_few_columns(ctx, product))
		return;
	struct product_size size = size_of(ctx, product);
	int64_t *shape = sr_make_ints(ctx, result->type->rank, 0);
	for (int64_t d = 0; d < result->type->rank; d++) {
		int64_t from = d;
		if (d >= size.n_batch)
			from = d < size.n_batch + size.n_rhs_free ? d + size.n_lhs_free : d - size.n_rhs_free;
		shape[d] = result->type->shape[from];
		permutation[from] = d;
	}
	exchange_operands(ctx, product, sr_type_with_shape(ctx, result->type, result->type->rank, shape));
	struct sr_builder b = {.ctx = ctx, .block = product->block, .anchor = product->next, .loc = product->loc};
	struct sr_value *transposed = sr_build_transpose(&b, result, permutation);
	sr_value_replace_all(result, transposed);
	sr_op_set_operand(transposed->def, 0, result);
}

/* Return true if op is a matrix product in the transpose's block. */
static bool is_product_in_block(const struct sr_op *op, const struct sr_op *transpose)
{
	return sr_op_has(op, SR_MATMUL) && sr_op_attr(op, SR_NAME_dot_dimension_numbers) && op->block == transpose->block;
}

bool sr_work_fold_transpose_into_producer(struct sr_context *ctx, struct sr_op *op)
{
	struct sr_op *product = sr_operand(op, 0)->def;
	const int64_t *permutation;
	int64_t n;
	if (!product || !is_product_in_block(product, op) || sr_result(product, 0)->uses->next ||
	    !operands_are_exchangeable(product) || !sr_op_ints(ctx, op, SR_NAME_permutation, &permutation, &n) ||
	    !swaps_operands(ctx, product, permutation))
		return false;
	exchange_operands(ctx, product, sr_result_type(op, 0));
	sr_value_replace_all(sr_result(op, 0), sr_result(product, 0));
	return true;
}

/* Return true if operand number `operand` of the product is the left one and has contiguous rows only without the transpose. */
static bool makes_rows_contiguous(struct sr_context *ctx, const struct sr_op *product, int operand, const struct transpose_view *t)
{
	const int64_t *contracting;
	int64_t n;
	if (operand || is_contracted_along_last(ctx, product, 0) ||
	    !sr_struct_ints(ctx, sr_op_attr(product, SR_NAME_dot_dimension_numbers), fields[2], &contracting, &n))
		return false;
	for (int64_t i = 0; i < n; i++)
		if (t->permutation[contracting[i]] == t->source->rank - 1)
			return true;
	return false;
}

bool sr_work_fold_transpose_into_readers(struct sr_context *ctx, struct sr_op *op)
{
	struct transpose_view t = {.source = sr_operand(op, 0)->type};
	int64_t n, rank;
	if (!sr_type_elements(t.source, &n) || !sr_op_ints(ctx, op, SR_NAME_permutation, &t.permutation, &rank))
		return false;
	bool has_changed = false, is_large = n >= SR_WORK_LARGE_ELEMENTS;
	for (struct sr_use *use = sr_result(op, 0)->uses, *next; use; use = next) {
		next = use->next;
		int operand = sr_use_index(use);
		if (is_product_in_block(use->owner, op) && (is_large || makes_rows_contiguous(ctx, use->owner, operand, &t)) &&
		    read_source(ctx, use->owner, operand, sr_operand(op, 0), &t, KEEP_ORDER))
			has_changed = true;
	}
	return has_changed && !sr_result(op, 0)->uses;
}

/* Replace a transpose of a transpose by one, or by the operand if both together keep the order. */
static void compose_transposes(struct sr_context *ctx, struct sr_op *inner)
{
	struct sr_use *use = sr_result(inner, 0)->uses;
	const int64_t *inner_dims, *outer_dims;
	int64_t permutation[SR_MAX_RANK], n;
	bool is_identity = true;
	if (!use || use->next || !sr_op_is(use->owner, SR_OP_stablehlo_transpose) || use->owner->block != inner->block ||
	    !sr_op_ints(ctx, inner, SR_NAME_permutation, &inner_dims, &n) ||
	    !sr_op_ints(ctx, use->owner, SR_NAME_permutation, &outer_dims, &n))
		return;
	struct sr_op *outer = use->owner;
	for (int64_t d = 0; d < n; d++) {
		permutation[d] = inner_dims[outer_dims[d]];
		is_identity = is_identity && permutation[d] == d;
	}
	struct sr_builder b = {.ctx = ctx, .block = outer->block, .anchor = outer, .loc = outer->loc};
	struct sr_value *source = sr_operand(inner, 0);
	sr_value_replace_all(sr_result(outer, 0), is_identity ? source : sr_build_transpose(&b, source, permutation));
	sr_work_retire_unused(ctx, outer);
	sr_ops_reclaim(ctx);
}

void sr_work_keep_rows(struct sr_context *ctx, struct sr_op *product)
{
	struct sr_value *result = sr_result(product, 0);
	struct sr_use *use = result->uses;
	int64_t permutation[SR_MAX_RANK], back[SR_MAX_RANK];
	if (!use || use->next || use->owner->block != product->block || !sr_work_is_small_matrix(ctx, use->owner) ||
	    !sr_work_order_of_array(ctx, product, permutation))
		return;
	struct sr_op *user = use->owner;
	struct sr_builder b = {.ctx = ctx, .block = product->block, .anchor = product->next, .loc = product->loc};
	int operand = sr_use_index(use);
	struct sr_value *transposed = sr_build_transpose(&b, result, permutation);
	for (int d = 0; d < result->type->rank; d++)
		back[permutation[d]] = d;
	struct transpose_view t = {.source = transposed->type, .permutation = back};
	read_source(ctx, user, operand, transposed, &t, TRANSPOSE_RESULT);
	compose_transposes(ctx, sr_result(user, 0)->uses->owner);
}
