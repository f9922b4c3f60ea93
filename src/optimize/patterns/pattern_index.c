/* Patterns that read or find one element of a row, where the program computes with all of them:
 *
 *	dot_general(convert(iota == i), t)               ->  row i of t
 *	reduce of (value, index) to the largest value    ->  min(select(value == max(value), index, largest integer)) along rows,
 *							     a reduction with a shorter body along columns
 *
 * All keep all bits. They apply in a local module, where sharded dimensions are split already. */
#include "dialect/attr_names.h"
#include "dialect/comparison.h"
#include "dialect/op_builders.h"
#include "dialect/reducer.h"
#include "optimize/patterns/match.h"
#include "optimize/patterns/patterns.h"
#include <math.h>

/* Return the index in `dims` of dimension dim; -1 if it is not there. */
static int find_dim(struct sr_ints dims, int dim)
{
	for (int64_t i = 0; i < dims.n; i++)
		if (dims.v[i] == dim)
			return (int)i;
	return -1;
}

/* Follow v through broadcast_in_dim along dim. Returns the value that has the elements along dim, as its dimension *dim; NULL if
 * the elements of v are equal along dim. */
static const struct sr_value *source_along(struct sr_rewriter *rw, const struct sr_value *v, int *dim)
{
	for (const struct sr_op *op; (op = sr_value_def_of(v, SR_OP_stablehlo_broadcast_in_dim));) {
		int operand_dim = find_dim(sr_match_ints(rw->ctx, op, SR_NAME_broadcast_dimensions), *dim);
		const struct sr_value *operand = sr_operand(op, 0);
		if (operand_dim < 0 || (operand->type->shape[operand_dim] == 1 && v->type->shape[*dim] != 1))
			return NULL;
		v = operand;
		*dim = operand_dim;
	}
	return v;
}

static bool counts_along(struct sr_rewriter *rw, const struct sr_value *v, int dim)
{
	v = source_along(rw, v, &dim);
	const struct sr_op *iota = v ? sr_value_def_of(v, SR_OP_stablehlo_iota) : NULL;
	return iota && sr_op_int(iota, SR_NAME_iota_dimension, -1) == dim;
}

static bool is_equal_along(struct sr_rewriter *rw, const struct sr_value *v, int dim)
{
	return !source_along(rw, v, &dim);
}

/* ---------------------------------------------------------------- products with one-hot rows */

/* A product whose left operand has a single one in each row along the contracted dimension, or none, and else zeros. */
struct one_hot_product {
	struct sr_builder b;
	/* the positions of the ones, in the shape of the left operand; equal along the contracted dimension */
	struct sr_value *index;
	struct sr_value *table; /* the right operand */
	int left_dim, table_dim; /* the contracted dimensions */
	const struct sr_type *result;
};

static bool is_supported_number(const struct sr_type *t)
{
	bool is_float = t->dtype == SR_F32 || t->dtype == SR_F64 || t->dtype == SR_BF16 || t->dtype == SR_F16;
	return sr_type_is_static(t) && (is_float || (sr_dtype_is_integer(t->dtype) && sr_dtype_bytes(t->dtype) >= 4));
}

static bool read_one_hot(struct sr_rewriter *rw, struct sr_op *op, struct one_hot_product *p)
{
	enum { MIN_ROWS = 16 }; /* products with fewer rows cost no more than the gather */
	const struct sr_attr *numbers = sr_op_attr(op, SR_NAME_dot_dimension_numbers);
	struct sr_ints batch = {0}, left = {0}, right = {0};
	const struct sr_op *convert = sr_value_def_of(sr_operand(op, 0), SR_OP_stablehlo_convert);
	const struct sr_op *compare = convert ? sr_value_def_of(sr_operand(convert, 0), SR_OP_stablehlo_compare) : NULL;
	if (!compare || sr_comparison_of(compare) != SR_EQ)
		return false;
	sr_struct_ints(rw->ctx, numbers, SR_NAME_lhs_batching_dimensions, &batch.v, &batch.n);
	sr_struct_ints(rw->ctx, numbers, SR_NAME_lhs_contracting_dimensions, &left.v, &left.n);
	sr_struct_ints(rw->ctx, numbers, SR_NAME_rhs_contracting_dimensions, &right.v, &right.n);
	p->table = sr_operand(op, 1);
	p->result = sr_result(op, 0)->type;
	if (batch.n || left.n != 1 || !is_supported_number(p->table->type) || !is_supported_number(p->result) ||
	    !sr_type_is_static(sr_operand(op, 0)->type) ||
	    sr_dtype_is_integer(p->table->type->dtype) != sr_dtype_is_integer(p->result->dtype))
		return false;
	p->left_dim = (int)left.v[0];
	p->table_dim = (int)right.v[0];
	for (int i = 0; i < 2 && !p->index; i++)
		if (counts_along(rw, sr_operand(compare, i), p->left_dim) &&
		    is_equal_along(rw, sr_operand(compare, 1 - i), p->left_dim))
			p->index = sr_operand(compare, 1 - i);
	return p->index && sr_dtype_is_integer(p->index->type->dtype) && sr_dtype_bytes(p->index->type->dtype) >= 4 &&
	       p->table->type->shape[p->table_dim] >= MIN_ROWS;
}

/* Build table rows [index], in the shape of the product; indices out of range are clamped. */
static struct sr_value *build_rows(const struct one_hot_product *p, struct sr_builder *b, struct sr_value *index)
{
	struct sr_context *ctx = b->ctx;
	const struct sr_type *t = p->table->type;
	int64_t offset_dims[SR_MAX_RANK], sizes[SR_MAX_RANK], row = p->table_dim;
	int n = index->type->rank;
	for (int d = 0; d < t->rank; d++) {
		sizes[d] = d == p->table_dim ? 1 : t->shape[d];
		offset_dims[d] = n + d;
	}
	const struct sr_attr *none = sr_attr_i64s(ctx, NULL, 0), *rows = sr_attr_i64s(ctx, &row, 1);
	const struct sr_attr *fields[] = {sr_attr_i64s(ctx, offset_dims, t->rank - 1), rows, none, none, rows, sr_attr_i64(ctx, n)};
	const struct sr_attr *numbers = sr_attr_struct(ctx, sr_attr_def_find("stablehlo", "gather"), fields);
	struct sr_named_attr attrs[] = {{SR_NAME_dimension_numbers, numbers},
					{SR_NAME_slice_sizes, sr_attr_i64s(ctx, sizes, t->rank)},
					{SR_NAME_indices_are_sorted, sr_attr_bool(ctx, false)}};
	return sr_build_infer(b, SR_OP_stablehlo_gather, (struct sr_value *[]){p->table, index}, 2, attrs, 3);
}

/* Build, for each column of the table, whether at most `n` of its elements are not finite, in the shape of `like`, which has the
 * columns last. */
static struct sr_value *build_column_mask(const struct one_hot_product *p, struct sr_builder *b, struct sr_value *n_finite,
					  int64_t n, const struct sr_type *like)
{
	int64_t columns[SR_MAX_RANK];
	int n_columns = p->table->type->rank - 1;
	for (int d = 0; d < n_columns; d++)
		columns[d] = like->rank - n_columns + d;
	struct sr_value *least = sr_build_integer(b, n_finite->type, p->table->type->shape[p->table_dim] - n);
	return sr_build_broadcast(b, sr_build_compare(b, n_finite, SR_GE, least, "SIGNED"), like, columns);
}

/* Build NaN where another row of the table than the selected one has an element in the column that is not finite, since zero times
 * that element is NaN; else v. `selected` are the selected elements, n_finite the numbers of finite elements of each column. */
static struct sr_value *build_nan_of_others(const struct one_hot_product *p, struct sr_builder *b, struct sr_value *n_finite,
					    struct sr_value *selected, struct sr_value *v)
{
	struct sr_value *own = sr_build_infer(b, SR_OP_stablehlo_is_finite, &selected, 1, NULL, 0);
	own = sr_build_infer(b, SR_OP_stablehlo_not, &own, 1, NULL, 0);
	own = sr_build_binary(b, SR_OP_stablehlo_and, build_column_mask(p, b, n_finite, 1, v->type), own);
	struct sr_value *all = build_column_mask(p, b, n_finite, 0, v->type);
	struct sr_value *others_are_finite = sr_build_binary(b, SR_OP_stablehlo_or, all, own);
	return sr_build_select(b, others_are_finite, v, sr_build_splat(b, v->type, NAN));
}

/* Build the product from `selected`, rows of the table or zeros, in the result's type. */
static struct sr_value *build_product(const struct one_hot_product *p, struct sr_builder *b, struct sr_value *selected)
{
	int64_t dim = p->table_dim;
	struct sr_value *v = selected->type->dtype == p->result->dtype ? selected : sr_build_convert(b, selected, p->result->dtype);
	if (!sr_dtype_is_float(selected->type->dtype))
		return v;
	struct sr_value *table = p->table, *finite = sr_build_infer(b, SR_OP_stablehlo_is_finite, &table, 1, NULL, 0);
	struct sr_value *zero = sr_build_scalar(b, SR_I32, 0), *ones = sr_build_convert(b, finite, SR_I32);
	struct sr_value *n_finite = sr_build_reduction(b, ones, zero, SR_OP_stablehlo_add, &dim, 1);
	v = sr_build_binary(b, SR_OP_stablehlo_add, v, sr_build_splat(b, v->type, 0));
	return build_nan_of_others(p, b, n_finite, selected, v);
}

/* Build the product of many rows: compute the product for each row of the table, which is along the first dimension, and for a row
 * of zeros behind them, and select from these rows. */
static struct sr_value *build_rows_of_products(const struct one_hot_product *p, struct sr_builder *b, struct sr_value *index,
					       struct sr_value *is_inside)
{
	struct sr_value *row_of_zeros = sr_build_integer(b, index->type, p->table->type->shape[0]);
	struct one_hot_product of_rows = *p;
	of_rows.table = build_product(p, b, sr_build_pad_dim(b, p->table, 0, (struct sr_dim_padding){.high = 1}, NULL));
	return build_rows(&of_rows, b, sr_build_select(b, is_inside, index, row_of_zeros));
}

/* In a local module, dot_general(convert(iota == i), t) -> gather of rows of t, zero where i is out of range. If as many rows are
 * selected as t has, each row is computed once, before it is selected. Sums of zeros and one element are exact, and never -0. */
bool sr_pattern_product_of_one_hot(struct sr_rewriter *rw, struct sr_op *op)
{
	struct one_hot_product p = {0};
	if (rw->config->keeps_shardings || !read_one_hot(rw, op, &p))
		return false;
	struct sr_builder b = sr_rewrite_before(rw, op);
	struct sr_value *index = sr_build_slice_dim(&b, p.index, p.left_dim, 0, 1, 1);
	const struct sr_type *t = index->type;
	int64_t shape[SR_MAX_RANK], same_dims[SR_MAX_RANK];
	int n = 0;
	for (int d = 0; d < t->rank; d++) {
		same_dims[d] = d;
		if (d != p.left_dim)
			shape[n++] = t->shape[d];
	}
	index = sr_build_reshape(&b, index, n, shape);
	struct sr_value *n_rows = sr_build_integer(&b, index->type, p.table->type->shape[p.table_dim]);
	struct sr_value *is_inside = sr_build_compare(&b, index, SR_LT, n_rows, NULL);
	struct sr_value *is_positive = sr_build_compare(&b, index, SR_GE, sr_build_integer(&b, index->type, 0), NULL);
	is_inside = sr_build_binary(&b, SR_OP_stablehlo_and, is_inside, is_positive);
	int64_t n_selected;
	if (!p.table_dim && sr_type_elements(index->type, &n_selected) && n_selected >= p.table->type->shape[0])
		return sr_rewrite_to_value(rw, op, build_rows_of_products(&p, &b, index, is_inside));
	struct sr_value *rows = build_rows(&p, &b, index);
	rows = sr_build_select(&b, sr_build_broadcast(&b, is_inside, rows->type, same_dims), rows, sr_build_splat(&b, rows->type, 0));
	return sr_rewrite_to_value(rw, op, build_product(&p, &b, rows));
}

/* ---------------------------------------------------------------- index of the largest or smallest value */

/* A reduction of pairs (value, index), whose body has arguments (value a, index a, value b, index b). */
struct pair_reduction {
	const struct sr_value *value[2], *index[2];
	enum sr_compare order; /* SR_GT: to the largest value; SR_LT: to the smallest one */
};

/* Return true if v is a comparison of x and y in this direction, by the default order of their type. */
static bool is_comparison(const struct sr_value *v, const struct sr_value *x, enum sr_compare direction, const struct sr_value *y)
{
	const struct sr_op *op = sr_value_def_of(v, SR_OP_stablehlo_compare);
	if (!op || sr_comparison_type_is(op, "TOTALORDER") ||
	    (sr_dtype_is_integer(x->type->dtype) &&
	     sr_comparison_type_is(op, "UNSIGNED") != (sr_dtypes[x->type->dtype].class == SR_CLASS_UINT)))
		return false;
	enum sr_compare found = sr_comparison_of(op);
	return (sr_operand(op, 0) == x && sr_operand(op, 1) == y && found == direction) ||
	       (sr_operand(op, 0) == y && sr_operand(op, 1) == x && found == sr_comparison_swapped(direction));
}

/* Return true if value a is kept: it comes before b, or is NaN. */
static bool is_kept_value(struct pair_reduction *r, const struct sr_value *v)
{
	const struct sr_op *either = sr_value_def_of(v, SR_OP_stablehlo_or);
	bool needs_nan = sr_dtype_is_float(r->value[0]->type->dtype);
	for (int i = 0; either && i < 2; i++)
		if (is_comparison(sr_operand(either, i), r->value[0], SR_NE, r->value[0])) {
			v = sr_operand(either, 1 - i);
			needs_nan = false;
		}
	for (r->order = SR_GT; !is_comparison(v, r->value[0], r->order, r->value[1]); r->order = SR_LT)
		if (r->order == SR_LT)
			return false;
	return !needs_nan;
}

/* Return true if index a is kept: with value a, or if the values are equal and index a is smaller. */
static bool is_kept_index(const struct pair_reduction *r, const struct sr_value *v, const struct sr_value *is_kept)
{
	const struct sr_op *either = sr_value_def_of(v, SR_OP_stablehlo_or);
	for (int i = 0; either && i < 2; i++) {
		const struct sr_op *both = sr_value_def_of(sr_operand(either, 1 - i), SR_OP_stablehlo_and);
		for (int k = 0; both && sr_operand(either, i) == is_kept && k < 2; k++)
			if (is_comparison(sr_operand(both, k), r->value[0], SR_EQ, r->value[1]) &&
			    is_comparison(sr_operand(both, 1 - k), r->index[0], SR_LT, r->index[1]))
				return true;
	}
	return false;
}

static bool selects_first(const struct sr_value *v, const struct sr_value *const *values, struct sr_value **predicate)
{
	const struct sr_op *select = sr_value_def_of(v, SR_OP_stablehlo_select);
	*predicate = select ? sr_operand(select, 0) : NULL;
	return select && sr_operand(select, 1) == values[0] && sr_operand(select, 2) == values[1];
}

static bool read_pair_reduction(struct sr_op *op, struct pair_reduction *r)
{
	const struct sr_block *body = op->regions[0].first;
	struct sr_value *is_kept, *is_index_kept;
	if (op->n_operands != 4 || !is_supported_number(sr_operand(op, 0)->type) ||
	    !sr_dtype_is_integer(sr_operand(op, 1)->type->dtype) || sr_operand(op, 0)->type->dtype != sr_result(op, 0)->type->dtype)
		return false;
	for (int i = 0; i < 2; i++) {
		r->value[i] = body->args[2 * i];
		r->index[i] = body->args[2 * i + 1];
	}
	return selects_first(sr_operand(body->last, 0), r->value, &is_kept) && is_kept_value(r, is_kept) &&
	       selects_first(sr_operand(body->last, 1), r->index, &is_index_kept) && is_kept_index(r, is_index_kept, is_kept);
}

/* Return an index of 64 bits in 32 bits if its positions and the initial index need no more; else `index`. */
static struct sr_value *narrow_index(struct sr_rewriter *rw, struct sr_builder *b, struct sr_value *index,
				     const struct sr_value *init)
{
	const struct sr_op *iota = sr_value_def_of(index, SR_OP_stablehlo_iota);
	int64_t dim = iota ? sr_op_int(iota, SR_NAME_iota_dimension, 0) : 0, first;
	bool is_narrow = iota && index->type->dtype == SR_I64 && index->type->shape[dim] < INT32_MAX &&
			 sr_constant_integer(rw->ctx, init, &first) && first > INT32_MIN && first < INT32_MAX;
	return is_narrow ? sr_build_iota(b, SR_I32, index->type, dim) : index;
}

/* Return true if the last dimension of several elements is reduced, unless a loop nest reduces its short rows as columns. */
static bool reduces_rows(const struct sr_type *t, struct sr_ints dims)
{
	enum { MIN_COLUMNS = 5, MAX_COLUMNS = 16, MIN_ROWS = 64 };
	int last = t->rank - 1;
	int64_t rows = 1;
	while (last > 0 && t->shape[last] == 1)
		last--;
	if (last < 0 || !sr_list_has(dims.v, dims.n, last))
		return false;
	for (int d = 0; d < t->rank; d++)
		rows *= sr_list_has(dims.v, dims.n, d) ? 1 : t->shape[d];
	bool is_short = t->shape[last] >= MIN_COLUMNS && t->shape[last] <= MAX_COLUMNS && rows >= MIN_ROWS;
	return !is_short || !sr_dtype_is_float(t->dtype);
}

/* Build the mask of a body (best value, its index, new value, its index) that is true where the best value stays: it compares so
 * with the new one, or it is NaN (is_nan; NULL: no float). */
static struct sr_value *build_keeps(struct sr_builder *body, struct sr_value *const *a, enum sr_compare order,
				    struct sr_value *is_nan)
{
	struct sr_value *keeps = sr_build_compare(body, a[0], order, a[2], NULL);
	return is_nan ? sr_build_binary(body, SR_OP_stablehlo_or, keeps, is_nan) : keeps;
}

/* Build the body of a reduction of pairs whose indices ascend: of equal values, the first index stays. If the value is used, too,
 * the second of equal ones, such as 0 and -0, becomes the value, as in the original body. */
static void build_ordered_body(struct sr_builder *b, struct sr_op *reduce, enum sr_compare order, bool has_value)
{
	struct sr_block *block = sr_block_new(b->ctx, &reduce->regions[0]);
	struct sr_builder body = {.ctx = b->ctx, .block = block, .loc = b->loc};
	for (int i = 0; i < 4; i++)
		sr_block_add_arg(b->ctx, block, sr_operand(reduce, 2 + i % 2)->type, b->loc);
	struct sr_value *const *a = block->args;
	struct sr_value *is_nan = sr_dtype_is_float(a[0]->type->dtype) ? sr_build_compare(&body, a[0], SR_NE, a[0], NULL) : NULL;
	struct sr_value *keeps_index = build_keeps(&body, a, order == SR_GT ? SR_GE : SR_LE, is_nan);
	struct sr_value *keeps_value = has_value ? build_keeps(&body, a, order, is_nan) : keeps_index;
	struct sr_value *value = sr_build_select(&body, keeps_value, a[0], a[2]);
	struct sr_value *results[] = {value, sr_build_select(&body, keeps_index, a[1], a[3])};
	sr_build(&body, SR_OP_stablehlo_return, results, 2, NULL, 0, NULL, 0);
}

/* Return true if the pairs are combined in the order of their indices: these are positions along the only dimension that is reduced
 * and has several elements, and the initial index is not behind them. */
static bool has_ascending_indices(struct sr_rewriter *rw, const struct sr_op *op, struct sr_ints dims)
{
	const struct sr_op *iota = sr_value_def_of(sr_operand(op, 1), SR_OP_stablehlo_iota);
	int64_t first, along = iota ? sr_op_int(iota, SR_NAME_iota_dimension, 0) : -1;
	if (!iota || !sr_constant_integer(rw->ctx, sr_operand(op, 3), &first) || first > 0 || !sr_list_has(dims.v, dims.n, along))
		return false;
	for (int64_t i = 0; i < dims.n; i++)
		if (dims.v[i] != along && sr_operand_type(op, 0)->shape[dims.v[i]] != 1)
			return false;
	return true;
}

/* In a local module, a reduction of pairs along columns, to the largest value and the smallest index of equal ones -> the same with
 * a body that does not compare indices, which are in 32 bits if they fit: loop nests combine the pairs in order. */
bool sr_pattern_reduce_to_index_in_order(struct sr_rewriter *rw, struct sr_op *op)
{
	struct pair_reduction r;
	struct sr_ints dims = sr_match_ints(rw->ctx, op, SR_NAME_dimensions);
	if (rw->config->keeps_shardings || !read_pair_reduction(op, &r) || reduces_rows(sr_operand(op, 0)->type, dims) ||
	    !has_ascending_indices(rw, op, dims))
		return false;
	struct sr_builder b = sr_rewrite_before(rw, op);
	struct sr_value *index = sr_operand(op, 1), *narrow = narrow_index(rw, &b, index, sr_operand(op, 3));
	enum sr_dtype type = narrow->type->dtype;
	int64_t first;
	sr_constant_integer(rw->ctx, sr_operand(op, 3), &first);
	struct sr_value *init = type == index->type->dtype ? sr_operand(op, 3) : sr_build_scalar(&b, type, first);
	struct sr_value *operands[] = {sr_operand(op, 0), narrow, sr_operand(op, 2), init};
	const struct sr_type *types[] = {sr_result(op, 0)->type, NULL};
	types[1] = sr_type_tensor(rw->ctx, type, types[0]->rank, types[0]->shape);
	struct sr_named_attr attr = {SR_NAME_dimensions, sr_op_attr(op, SR_NAME_dimensions)};
	struct sr_op *new_op = sr_build(&b, SR_OP_stablehlo_reduce, operands, 4, &attr, 1, types, 2);
	build_ordered_body(&b, new_op, r.order, sr_result(op, 0)->uses != NULL);
	sr_rewrite_notify_inserted(rw, new_op);
	sr_rewrite_replace_value(rw, sr_result(op, 0), sr_result(new_op, 0));
	struct sr_value *found = sr_result(new_op, 1);
	found = narrow == index ? found : sr_build_convert(&b, found, index->type->dtype);
	sr_rewrite_replace_value(rw, sr_result(op, 1), found);
	sr_rewrite_erase(rw, op);
	return true;
}

/* In a local module, reduce of pairs along the last dimension, whose values are not used, to the index of the largest value, the
 * smallest of equal ones -> the smallest index of a value that equals the largest one. Of NaN the first one counts as the largest
 * value. The initial pair counts too. */
bool sr_pattern_reduce_to_index(struct sr_rewriter *rw, struct sr_op *op)
{
	struct pair_reduction r;
	struct sr_ints dims = sr_match_ints(rw->ctx, op, SR_NAME_dimensions);
	if (rw->config->keeps_shardings || sr_result(op, 0)->uses || !read_pair_reduction(op, &r))
		return false;
	struct sr_value *value = sr_operand(op, 0), *index = sr_operand(op, 1);
	struct sr_value *init = sr_operand(op, 2), *init_index = sr_operand(op, 3);
	if (!reduces_rows(value->type, dims) || !sr_constant_value(init))
		return false;
	struct sr_builder b = sr_rewrite_before(rw, op);
	int64_t kept_dims[SR_MAX_RANK];
	for (int d = 0, n = 0; d < value->type->rank; d++)
		if (!sr_list_has(dims.v, dims.n, d))
			kept_dims[n++] = d;
	enum sr_op_code code = r.order == SR_GT ? SR_OP_stablehlo_maximum : SR_OP_stablehlo_minimum;
	struct sr_value *best = sr_build_reduction(&b, value, init, code, dims.v, dims.n);
	struct sr_value *is_best = sr_build_compare(&b, value, SR_EQ, sr_build_broadcast(&b, best, value->type, kept_dims), NULL);
	if (sr_dtype_is_float(value->type->dtype))
		is_best = sr_build_binary(&b, SR_OP_stablehlo_or, is_best, sr_build_compare(&b, value, SR_NE, value, NULL));
	const struct sr_reducer *smallest = sr_reducer_find(SR_OP_stablehlo_minimum);
	struct sr_value *narrow = narrow_index(rw, &b, index, init_index);
	struct sr_value *none = sr_build_constant(&b, sr_reducer_identity(rw->ctx, smallest, narrow->type->dtype));
	struct sr_value *found = sr_build_select(&b, is_best, narrow, sr_build_broadcast(&b, none, narrow->type, NULL));
	found = sr_build_reduction(&b, found, none, SR_OP_stablehlo_minimum, dims.v, dims.n);
	if (narrow != index)
		found = sr_build_convert(&b, found, index->type->dtype);
	struct sr_value *is_init = sr_build_compare(&b, best, SR_EQ, sr_build_broadcast(&b, init, best->type, NULL), NULL);
	struct sr_value *with_init =
		sr_build_binary(&b, SR_OP_stablehlo_minimum, found, sr_build_broadcast(&b, init_index, found->type, NULL));
	sr_rewrite_replace_value(rw, sr_result(op, 1), sr_build_select(&b, is_init, with_init, found));
	sr_rewrite_erase(rw, op);
	return true;
}
