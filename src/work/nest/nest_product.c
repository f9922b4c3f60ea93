/* Lower products without a sum, and batches of tiny products, to loop nests: outer products and scalings, which einsum writes as
 * products; and batches of scalar products of 3-vectors, products of quaternions, and small matrices times vectors, which vmap
 * creates in geometry. A kernel call takes longer than such a product, and a nest can be fused with its operands' producers.
 *
 *	result[b, i] = x[b, i, 0] * y[b, 0] + x[b, i, 1] * y[b, 1] + x[b, i, 2] * y[b, 2]
 *
 * Terms are added in order. */
#include "dialect/attr_names.h"
#include "work/nest/nest_from_op.h"

enum { MAX_TERMS = 4 };

/* An operand of a product: its batch and its contracting dimensions. All others are free. */
struct tiny_operand {
	const int64_t *batch_dims, *contracting_dims;
	int64_t n_batch, n_contracted;
};

static bool list_contains(const int64_t *dims, int64_t n, int64_t d)
{
	for (int64_t i = 0; i < n; i++)
		if (dims[i] == d)
			return true;
	return false;
}

static bool is_free_dim(const struct tiny_operand *o, int d)
{
	return !list_contains(o->batch_dims, o->n_batch, d) && !list_contains(o->contracting_dims, o->n_contracted, d);
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
	return o->n_contracted ? type->shape[o->contracting_dims[0]] : 1;
}

static bool read_operands(struct sr_lowering *l, struct tiny_operand *x, struct tiny_operand *y)
{
	const struct sr_attr *numbers = sr_op_attr(l->op, SR_NAME_dot_dimension_numbers);
	return numbers && sr_struct_ints(l->ctx, numbers, SR_NAME_lhs_batching_dimensions, &x->batch_dims, &x->n_batch) &&
	       sr_struct_ints(l->ctx, numbers, SR_NAME_rhs_batching_dimensions, &y->batch_dims, &y->n_batch) &&
	       sr_struct_ints(l->ctx, numbers, SR_NAME_lhs_contracting_dimensions, &x->contracting_dims, &x->n_contracted) &&
	       sr_struct_ints(l->ctx, numbers, SR_NAME_rhs_contracting_dimensions, &y->contracting_dims, &y->n_contracted);
}

/* Return true for a product without a sum, and for a batch of products of few terms of which one operand is a vector. */
static bool is_tiny(const struct sr_op *op, const struct tiny_operand *x, const struct tiny_operand *y)
{
	const struct sr_type *a = sr_operand(op, 0)->type, *b = sr_operand(op, 1)->type, *out = sr_result(op, 0)->type;
	if (a->dtype != out->dtype || b->dtype != out->dtype || out->dtype == SR_I1 || x->n_contracted > 1)
		return false;
	if (count_terms(x, a) == 1)
		return true;
	return (out->dtype == SR_F32 || out->dtype == SR_F64) && x->n_batch && count_terms(x, a) <= MAX_TERMS &&
	       (free_elements(x, a) == 1 || free_elements(y, b) == 1);
}

/* Add an operand at element k of its contracted dimension. Dimensions of the result are those of the batch, then the free ones of
 * the left operand, then those of the right one, from number first_free on. */
static void add_operand(struct sr_nest_builder *p, const struct tiny_operand *o, struct sr_value *v, int first_free, int64_t k)
{
	struct sr_indexing_map *map = sr_nest_builder_add_operand(p, v);
	for (int64_t i = 0; i < o->n_batch; i++)
		sr_indexing_map_row(map, (int)o->batch_dims[i])[i] = 1;
	for (int d = 0; d < v->type->rank; d++)
		if (is_free_dim(o, d))
			sr_indexing_map_row(map, d)[first_free++] = 1;
	if (o->n_contracted)
		sr_indexing_map_row(map, (int)o->contracting_dims[0])[map->n_loops] = k;
}

bool sr_nest_from_product(struct sr_lowering *l)
{
	struct sr_value *a = sr_operand(l->op, 0), *b = sr_operand(l->op, 1), *sum = NULL;
	struct tiny_operand x, y;
	if (!read_operands(l, &x, &y) || !is_tiny(l->op, &x, &y))
		return false;
	int terms = (int)count_terms(&x, a->type);
	struct sr_nest_builder p = sr_nest_builder_over_result(l, 2 * terms);
	for (int k = 0; k < terms; k++) {
		add_operand(&p, &x, a, (int)x.n_batch, k);
		add_operand(&p, &y, b, a->type->rank - (int)x.n_contracted, k);
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
