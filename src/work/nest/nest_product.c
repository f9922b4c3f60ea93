/* Lower four kinds of products to loop nests, which can be fused with the nests around them:
 *
 * - Products without a sum: outer products and scalings, which einsum writes as products.
 * - Batches of tiny products, for which a kernel call takes longer than the product: scalar products of 3-vectors, products of
 *   quaternions, and small matrices times vectors, which vmap creates in geometry; and products of small matrices that a kernel
 *   would transpose, such as those of rotations and their derivatives.
 *
 *	result[b, i] = x[b, i, 0] * y[b, 0] + x[b, i, 1] * y[b, 1] + x[b, i, 2] * y[b, 2]
 *
 * - A small matrix applied along an outer dimension of an array: color spaces of planar images, discrete cosine transforms,
 *   tensor products of finite elements, quantum gates. The result is transposed such that its rows are those of the array. A
 *   product kernel would transpose in memory.
 *
 *	result[b, i, w] = s[i, 0] * x[b, 0, w] + s[i, 1] * x[b, 1, w]
 *
 * - Batches of matrices times vectors, and of scalar products, whose terms are reduced in an inner loop. A nest reads the operands
 *   in place, whatever the order of their dimensions, and vectors of SIMD lanes may extend over several products.
 *
 * Terms of the first three kinds are added in order. */
#include "dialect/attr_names.h"
#include "kernels/nest/nest.h"
#include "support/integers.h"
#include "work/nest/nest_from_op.h"

enum {
	MAX_TERMS = 4,              /* maximum terms of a tiny product in a batch */
	MAX_BATCH_MATRIX = 64,      /* maximum free elements of either matrix of such a product */
	MAX_KERNEL_ROW = 16,        /* maximum elements of rows for which kernels of batches are fast */
	MAX_MATRIX_EXTENT = 16,     /* maximum rows and columns of a matrix that is applied along a dimension */
	MIN_ROW = 16,               /* minimum elements of the array's rows: one vector */
	MIN_SHORT_ROW = 4,          /* the same for sums of at most MAX_SHORT_TERMS terms, where a vector has several rows */
	MAX_SHORT_TERMS = 8,
	MAX_REREAD_BYTES = 1 << 20, /* maximum bytes that a nest may read once for each row of the matrix: they stay in L2 */
};

/* An operand of a product: its batch and its contracting dimensions. All others are free. */
struct tiny_operand {
	const int64_t *batch_dims, *contracting_dims;
	int64_t n_batch, n_contracted;
};

static bool is_free_dim(const struct tiny_operand *o, int d)
{
	return !sr_list_has(o->batch_dims, o->n_batch, d) && !sr_list_has(o->contracting_dims, o->n_contracted, d);
}

/* Return the product of the extents of the operand's free dimensions: those neither batched nor contracted. */
static int64_t free_elements(const struct tiny_operand *o, const struct sr_type *type)
{
	int64_t n = 1;
	for (int d = 0; d < type->rank; d++)
		n *= is_free_dim(o, d) ? type->shape[d] : 1;
	return n;
}

static int64_t count_terms(const struct tiny_operand *o, const struct sr_type *type)
{
	int64_t n = 1;
	for (int64_t i = 0; i < o->n_contracted; i++)
		n *= type->shape[o->contracting_dims[i]];
	return n;
}

/* Read the dimension numbers of a product whose operands and result have one element type. Returns false for other ops. */
static bool read_operands(struct sr_context *ctx, const struct sr_op *op, struct tiny_operand *x, struct tiny_operand *y)
{
	const struct sr_attr *numbers = sr_op_attr(op, SR_NAME_dot_dimension_numbers);
	return numbers && sr_operand_type(op, 0)->dtype == sr_result_type(op, 0)->dtype &&
	       sr_operand_type(op, 1)->dtype == sr_result_type(op, 0)->dtype &&
	       sr_struct_ints(ctx, numbers, SR_NAME_lhs_batching_dimensions, &x->batch_dims, &x->n_batch) &&
	       sr_struct_ints(ctx, numbers, SR_NAME_rhs_batching_dimensions, &y->batch_dims, &y->n_batch) &&
	       sr_struct_ints(ctx, numbers, SR_NAME_lhs_contracting_dimensions, &x->contracting_dims, &x->n_contracted) &&
	       sr_struct_ints(ctx, numbers, SR_NAME_rhs_contracting_dimensions, &y->contracting_dims, &y->n_contracted);
}

/* Return true if a product kernel reads an operand with one contracting dimension in place: its batch dimensions are those of one
 * stride, and so are its free dimensions. */
static bool is_read_in_place(const struct tiny_operand *o, const struct sr_type *type)
{
	int64_t stride = 1, next_stride[] = {-1, -1}; /* stride of the next outer batch and free dimension */
	for (int64_t i = 1; i < o->n_batch; i++)
		if (o->batch_dims[i] < o->batch_dims[i - 1])
			return false;
	for (int d = type->rank - 1; d >= 0; stride *= type->shape[d--]) {
		int64_t *next = &next_stride[is_free_dim(o, d)];
		if (type->shape[d] == 1 || sr_list_has(o->contracting_dims, o->n_contracted, d))
			continue;
		if (*next >= 0 && *next != stride)
			return false;
		*next = stride * type->shape[d];
	}
	return true;
}

/* Return true for a batch of products of small matrices that a nest computes faster than a product kernel, which would transpose an
 * operand or, compared with a compiled nest, has rows longer than a vector. A nest over the result is strided if the batch is
 * innermost. */
static bool is_batch_of_small_matrices(const struct sr_lowering *l, const struct tiny_operand *x, const struct tiny_operand *y)
{
	const struct sr_type *a = sr_operand(l->op, 0)->type, *b = sr_operand(l->op, 1)->type;
	bool is_in_place = is_read_in_place(x, a) && is_read_in_place(y, b);
	bool is_for_kernel = is_in_place && (l->is_interpreted || free_elements(y, b) <= MAX_KERNEL_ROW);
	return !is_for_kernel && free_elements(x, a) <= MAX_BATCH_MATRIX && free_elements(y, b) <= MAX_BATCH_MATRIX &&
	       !sr_list_has(x->batch_dims, x->n_batch, a->rank - 1) && !sr_list_has(y->batch_dims, y->n_batch, b->rank - 1);
}

/* Return true for a product without a sum, and for a batch of products of few terms of which one operand is a vector or both are
 * small matrices. */
static bool is_tiny(const struct sr_lowering *l, const struct tiny_operand *x, const struct tiny_operand *y)
{
	const struct sr_op *op = l->op;
	const struct sr_type *a = sr_operand(op, 0)->type, *b = sr_operand(op, 1)->type, *out = sr_result(op, 0)->type;
	if (out->dtype == SR_I1 || x->n_contracted > 1)
		return false;
	if (count_terms(x, a) == 1)
		return true;
	return (out->dtype == SR_F32 || out->dtype == SR_F64) && x->n_batch && count_terms(x, a) <= MAX_TERMS &&
	       (free_elements(x, a) == 1 || free_elements(y, b) == 1 || is_batch_of_small_matrices(l, x, y));
}

/* Add an operand. Dimensions of the result are those of the batch, then the free ones of the left operand, then those of the right
 * one, from number first_free on; loop_of[d]: loop of dimension d. Return the operand's indexing map, without its contracted
 * dimensions. */
static struct sr_indexing_map *add_operand(struct sr_nest_builder *p, const struct tiny_operand *o, struct sr_value *v,
					   int first_free, const int *loop_of)
{
	struct sr_indexing_map *map = sr_nest_builder_add_operand(p, v);
	for (int64_t i = 0; i < o->n_batch; i++)
		sr_indexing_map_row(map, (int)o->batch_dims[i])[loop_of[i]] = 1;
	for (int d = 0; d < v->type->rank; d++)
		if (is_free_dim(o, d))
			sr_indexing_map_row(map, d)[loop_of[first_free++]] = 1;
	return map;
}

/* Select element k of an operand's contracted dimensions, in row-major order. */
static void select_term(struct sr_indexing_map *map, const struct tiny_operand *o, const struct sr_value *v, int64_t k)
{
	for (int64_t i = o->n_contracted - 1; i >= 0; i--) {
		int64_t extent = v->type->shape[o->contracting_dims[i]];
		sr_indexing_map_row(map, (int)o->contracting_dims[i])[map->n_loops] = k % extent;
		k /= extent;
	}
}

/* Build the nest of a product over the result of l->op, which is the product or its transpose. */
static bool build_nest(struct sr_lowering *l, const struct sr_op *product, const struct tiny_operand *x,
		       const struct tiny_operand *y, const int *loop_of)
{
	struct sr_value *a = sr_operand(product, 0), *b = sr_operand(product, 1), *sum = NULL;
	int terms = (int)count_terms(x, a->type);
	struct sr_nest_builder p = sr_nest_builder_over_result(l, 2 * terms);
	for (int k = 0; k < terms; k++) {
		select_term(add_operand(&p, x, a, (int)x->n_batch, loop_of), x, a, k);
		select_term(add_operand(&p, y, b, a->type->rank - (int)x->n_contracted, loop_of), y, b, k);
	}
	sr_nest_builder_create_op(&p);
	for (int k = 0; k < terms; k++) {
		struct sr_value *pair[] = {sr_nest_builder_arg(&p, 2 * k), sr_nest_builder_arg(&p, 2 * k + 1)};
		struct sr_value *term = sr_build_infer(&p.body, SR_OP_stablehlo_multiply, pair, 2, NULL, 0);
		struct sr_value *addends[] = {sum, term};
		sum = sum ? sr_build_infer(&p.body, SR_OP_stablehlo_add, addends, 2, NULL, 0) : term;
	}
	return sr_nest_builder_yield(&p, &sum, 1);
}

/* Return true if an operand is a batch of matrices that are large, or have long contiguous rows, and a product kernel reads them
 * in place: its time per call is small then. A kernel would transpose matrices of which the batch is not outermost. */
static bool is_for_kernel(const struct tiny_operand *o, const struct sr_type *type, bool is_interpreted)
{
	enum { MIN_LONG_ROW = 257, MIN_LONG_INTERPRETED_ROW = 48, MIN_LARGE_MATRIX = 4096 };
	int64_t long_row = is_interpreted ? MIN_LONG_INTERPRETED_ROW : MIN_LONG_ROW;
	int64_t n_free = type->rank - o->n_batch - o->n_contracted, rows = free_elements(o, type), terms = count_terms(o, type);
	bool has_rows = true;
	for (int64_t i = 0; i < o->n_batch; i++)
		if (o->batch_dims[i] != i)
			return false;
	for (int64_t i = 0; i < o->n_contracted; i++)
		has_rows = has_rows && o->contracting_dims[i] == o->n_batch + n_free + i;
	return rows > 1 && ((has_rows && terms >= long_row) || rows > MIN_LARGE_MATRIX || terms > MIN_LARGE_MATRIX / rows);
}

/* Return true for a batch of products with at least one vector each, which a nest computes faster than a product kernel. */
static bool is_batch_of_vectors(const struct sr_lowering *l, const struct tiny_operand *x, const struct tiny_operand *y)
{
	const struct sr_type *a = sr_operand_type(l->op, 0), *b = sr_operand_type(l->op, 1), *out = sr_result_type(l->op, 0);
	int64_t n_batch = 1;
	for (int64_t i = 0; i < x->n_batch; i++)
		n_batch *= a->shape[x->batch_dims[i]];
	return (out->dtype == SR_F32 || out->dtype == SR_F64) && n_batch > 1 &&
	       (free_elements(x, a) == 1 || free_elements(y, b) == 1) && !is_for_kernel(x, a, l->is_interpreted) &&
	       !is_for_kernel(y, b, l->is_interpreted) &&
	       out->rank + x->n_contracted <= SR_NEST_MAX_LOOPS;
}

/* Build a nest with an inner loop for each contracted dimension, in the order in which the larger operand has them. */
static bool build_reduction(struct sr_lowering *l, const struct tiny_operand *x, const struct tiny_operand *y, const int *loop_of)
{
	struct sr_value *a = sr_operand(l->op, 0), *b = sr_operand(l->op, 1);
	const struct sr_type *out = sr_result(l->op, 0)->type, *scalar = sr_element_scalar(l->ctx, out);
	const struct tiny_operand *larger = free_elements(x, a->type) > 1 ? x : y;
	int n_loops = out->rank + (int)x->n_contracted, n_left = a->type->rank - (int)x->n_contracted;
	int64_t *loops = SR_NEW_ARRAY(l->ctx->scratch, int64_t, n_loops + 1);
	int *loop_of_term = SR_NEW_ARRAY(l->ctx->scratch, int, x->n_contracted + 1);
	for (int d = 0; d < out->rank; d++)
		loops[d] = out->shape[d];
	for (int64_t i = 0; i < x->n_contracted; i++) {
		loop_of_term[i] = out->rank;
		for (int64_t k = 0; k < x->n_contracted; k++)
			loop_of_term[i] += larger->contracting_dims[k] < larger->contracting_dims[i];
		loops[loop_of_term[i]] = a->type->shape[x->contracting_dims[i]];
	}
	struct sr_nest_builder p = sr_nest_builder_new(l, loops, n_loops, out->rank, 2);
	struct sr_indexing_map *maps[] = {add_operand(&p, x, a, (int)x->n_batch, loop_of), add_operand(&p, y, b, n_left, loop_of)};
	for (int64_t i = 0; i < x->n_contracted; i++) {
		sr_indexing_map_row(maps[0], (int)x->contracting_dims[i])[loop_of_term[i]] = 1;
		sr_indexing_map_row(maps[1], (int)y->contracting_dims[i])[loop_of_term[i]] = 1;
	}
	sr_nest_builder_create_op(&p);
	const struct sr_attr *zero_attr = sr_attr_dense(l->ctx, scalar, (const double[]){0}, sr_dtype_bytes(out->dtype));
	struct sr_value *zero = sr_build_constant(&p.body, zero_attr);
	struct sr_value *term = sr_build_infer(&p.body, SR_OP_stablehlo_multiply, p.body.block->args, 2, NULL, 0);
	struct sr_value *sum = sr_nest_build_reduce(&p, term, zero, SR_OP_stablehlo_add);
	return sr_nest_builder_yield(&p, &sum, 1);
}

bool sr_nest_from_product(struct sr_lowering *l)
{
	struct tiny_operand x, y;
	int loop_of[SR_MAX_RANK];
	for (int d = 0; d < SR_MAX_RANK; d++)
		loop_of[d] = d;
	if (!read_operands(l->ctx, l->op, &x, &y))
		return false;
	if (is_tiny(l, &x, &y))
		return build_nest(l, l->op, &x, &y, loop_of);
	return is_batch_of_vectors(l, &x, &y) && build_reduction(l, &x, &y, loop_of);
}

/* A product of a small matrix and an array. */
struct matrix_product {
	struct tiny_operand array;
	const struct sr_type *array_type, *result;
	int first, end; /* dimensions `first` to `end` - 1 of the product are the array's, the others are the matrix's */
	int64_t terms;
};

/* Read a product of a small matrix and an array, of floats with at least 32 bits or complex numbers. Returns false for other ops. */
static bool read_matrix_product(struct sr_context *ctx, const struct sr_op *op, struct matrix_product *m)
{
	struct tiny_operand x, y;
	if (!sr_op_has(op, SR_MATMUL) || !read_operands(ctx, op, &x, &y) || x.n_batch || !x.n_contracted)
		return false;
	const struct sr_type *a = sr_operand_type(op, 0), *b = sr_operand_type(op, 1), *out = sr_result_type(op, 0);
	int64_t n_left = free_elements(&x, a), n_right = free_elements(&y, b), rows = n_left < n_right ? n_left : n_right;
	int n_left_dims = a->rank - (int)x.n_contracted;
	*m = (struct matrix_product){.array = y, .array_type = b, .result = out, .first = n_left_dims, .end = out->rank,
				     .terms = count_terms(&x, a)};
	if (n_left > n_right)
		m->array = x, m->array_type = a, m->first = 0, m->end = n_left_dims;
	bool is_float = sr_dtype_is_complex(out->dtype) || (sr_dtype_is_float(out->dtype) && sr_dtype_bytes(out->dtype) >= 4);
	return is_float && n_left != n_right && rows <= MAX_MATRIX_EXTENT && m->terms <= MAX_MATRIX_EXTENT &&
	       out->rank <= SR_MAX_RANK;
}

/* Return the number of elements of the innermost dimensions of the transposed product that are the array's innermost dimensions. */
static int64_t elements_of_rows(const struct matrix_product *m, const int64_t *permutation)
{
	int64_t n = 1;
	int d = m->result->rank - 1, from = m->array_type->rank - 1, dim = m->end - 1;
	for (; dim >= m->first && permutation[d] == dim && is_free_dim(&m->array, from); d--, from--, dim--)
		n *= m->result->shape[dim];
	return n;
}

/* Return the bytes of the array that a nest over the transposed product reads again for each row of the matrix: those along the
 * dimensions inside the matrix's. */
static double reread_bytes(const struct matrix_product *m, const int64_t *permutation)
{
	double bytes = (double)(m->terms * sr_dtype_bytes(m->result->dtype));
	bool is_inside = false;
	for (int d = 0; d < m->result->rank; d++) {
		bool is_of_array = permutation[d] >= m->first && permutation[d] < m->end;
		int64_t extent = m->result->shape[permutation[d]];
		is_inside = is_inside || (!is_of_array && extent > 1);
		bytes *= is_inside && is_of_array ? (double)extent : 1;
	}
	return bytes;
}

static bool is_nest_of_rows(struct sr_context *ctx, const struct sr_op *product, const int64_t *permutation)
{
	struct matrix_product m;
	return read_matrix_product(ctx, product, &m) &&
	       elements_of_rows(&m, permutation) >= (m.terms <= MAX_SHORT_TERMS ? MIN_SHORT_ROW : MIN_ROW) &&
	       reread_bytes(&m, permutation) <= MAX_REREAD_BYTES;
}

bool sr_work_is_small_matrix(struct sr_context *ctx, const struct sr_op *product)
{
	struct matrix_product m;
	return read_matrix_product(ctx, product, &m);
}

bool sr_work_order_of_array(struct sr_context *ctx, const struct sr_op *product, int64_t *permutation)
{
	struct matrix_product m;
	int n = 0, dim;
	bool has_matrix = false, changes_order = false;
	if (!read_matrix_product(ctx, product, &m))
		return false;
	dim = m.first;
	for (int d = 0; d < m.array_type->rank; d++) {
		if (is_free_dim(&m.array, d))
			permutation[n++] = dim++;
		for (int i = 0; !is_free_dim(&m.array, d) && !has_matrix && i < m.result->rank; i++)
			if (i < m.first || i >= m.end)
				permutation[n++] = i;
		has_matrix = has_matrix || !is_free_dim(&m.array, d);
	}
	for (int d = 0; d < n; d++)
		changes_order = changes_order || permutation[d] != d;
	return changes_order && is_nest_of_rows(ctx, product, permutation);
}

bool sr_work_is_transposed_product(struct sr_context *ctx, const struct sr_op *transpose)
{
	const struct sr_op *product = sr_operand(transpose, 0)->def;
	const int64_t *permutation;
	int64_t n;
	return product && product->block == transpose->block && !sr_operand(transpose, 0)->uses->next &&
	       sr_op_ints(ctx, transpose, SR_NAME_permutation, &permutation, &n) && is_nest_of_rows(ctx, product, permutation);
}

bool sr_nest_from_transposed_product(struct sr_lowering *l)
{
	const struct sr_op *product = sr_operand(l->op, 0)->def;
	const int64_t *permutation;
	struct tiny_operand x, y;
	int loop_of[SR_MAX_RANK];
	int64_t n;
	if (!sr_work_is_transposed_product(l->ctx, l->op) || !read_operands(l->ctx, product, &x, &y) ||
	    !sr_op_ints(l->ctx, l->op, SR_NAME_permutation, &permutation, &n))
		return false;
	for (int64_t d = 0; d < n; d++)
		loop_of[permutation[d]] = (int)d;
	return build_nest(l, product, &x, &y, loop_of);
}
