/* Compute the components of sums of vectors one by one, if the vectors are computed in pairs of few values, as forces between
 * particles are:
 *
 *	d = x[j] - x[i]                       : n x n x 3
 *	w = f(sum(d * d, components))         : n x n
 *	sum(d * w, j)                         : n x 3
 *
 * becomes
 *
 *	w = f(d_0 * d_0 + d_1 * d_1 + d_2 * d_2)
 *	stack(sum(d_0 * w, j), sum(d_1 * w, j), sum(d_2 * w, j))
 *
 * in which all ops have the loops of w, so that fusion makes one nest of them, and w is not stored. As one loop nest with the
 * components as a loop, the sum would compute w for each component or read its n * n elements from memory. Sums of the components
 * keep their order.
 *
 * Distances whose minimum or other reduction is computed over one of the two sets, as of points to centres, are such binary ops on
 * components, too, so that the nest of the reduction computes them. This precedes the lowering to loop nests. */
#include "dialect/attr_names.h"
#include "dialect/reducer.h"
#include "work/unstack.h"

enum {
	MAX_COMPONENTS = 4,
	MIN_TERMS = 64,    /* minimum terms of a sum of vectors */
	MIN_PAIRS = 8,     /* minimum values of a reduction of norms */
	MIN_REUSE = 16,    /* minimum ratio of the vectors' elements to those of each value that is read from memory */
	MAX_NORMS = 4,     /* maximum reductions of components */
	MAX_DEPTH = 24,    /* maximum length of a chain of ops that computes the vectors */
	MAX_VISITS = 512,  /* maximum ops that are visited; one with several readers counts for each */
};

struct pairs {
	const struct sr_block *block;
	int64_t n_components, max_elements; /* maximum elements of a value that is read from memory */
	struct sr_op *norms[MAX_NORMS];     /* reductions of components, in block order */
	int n_norms, n_visits;
	bool is_cheap; /* values computed by expensive functions do not count */
};

/* Return the reduction's op code if it reduces one static value along dimensions dims[*n]; else -1. */
static int reduction_code(struct sr_context *ctx, const struct sr_op *op, const int64_t **dims, int64_t *n)
{
	bool is_plain = sr_op_is(op, SR_OP_stablehlo_reduce) && op->n_operands == 2 && sr_type_is_static(sr_operand_type(op, 0)) &&
			sr_op_ints(ctx, op, SR_NAME_dimensions, dims, n);
	const struct sr_reducer *reducer = is_plain ? sr_op_reducer(op) : NULL;
	return reducer ? (int)reducer->code : -1;
}

/* Return true if the op reduces the components alone. */
static bool is_norm(struct sr_context *ctx, const struct sr_op *op, int64_t n_components)
{
	const int64_t *dims;
	int64_t n;
	return reduction_code(ctx, op, &dims, &n) >= 0 && n == 1 && sr_operand_type(op, 0)->shape[dims[0]] == n_components;
}

/* Insert the reduction into the list in block order. Return false if the list is full. */
static bool add_norm(struct pairs *p, struct sr_op *norm)
{
	int k = p->n_norms;
	for (int i = 0; i < p->n_norms; i++)
		if (p->norms[i] == norm)
			return true;
	if (k == MAX_NORMS)
		return false;
	for (; k && sr_op_is_before(norm, p->norms[k - 1]); k--)
		p->norms[k] = p->norms[k - 1];
	p->norms[k] = norm;
	p->n_norms++;
	return true;
}

/* Return true if v is computed from small values by elementwise ops, broadcasts and reductions of components, which are added to
 * the list. */
static bool is_computed_from_few(struct sr_context *ctx, struct pairs *p, const struct sr_value *v, int depth)
{
	struct sr_op *def = v->def;
	int64_t n;
	if ((sr_type_elements(v->type, &n) && n <= p->max_elements) || sr_constant_value(v))
		return true;
	if (!def || depth == MAX_DEPTH || ++p->n_visits > MAX_VISITS)
		return false;
	if (sr_op_is(def, SR_OP_stablehlo_broadcast_in_dim)) /* in a loop: perhaps before the loop */
		return is_computed_from_few(ctx, p, sr_operand(def, 0), depth + 1);
	if (def->block != p->block)
		return false;
	if (sr_op_is(def, SR_OP_stablehlo_iota))
		return true;
	if (is_norm(ctx, def, p->n_components))
		return add_norm(p, def) && is_computed_from_few(ctx, p, sr_operand(def, 0), depth + 1);
	if (!sr_op_is(def, SR_OP_stablehlo_reshape) && !sr_work_is_elementwise(def))
		return false;
	if (p->is_cheap && sr_work_is_expensive(def))
		return false;
	for (int i = 0; i < def->n_operands; i++)
		if (!is_computed_from_few(ctx, p, sr_operand(def, i), depth + 1))
			return false;
	return true;
}

/* Return the dimension of the components of the vectors that op sums; -1 if it does not sum vectors. */
static int component_dim(struct sr_context *ctx, const struct sr_op *op)
{
	const int64_t *dims;
	int64_t n, terms = 1;
	int dim = -1;
	if (reduction_code(ctx, op, &dims, &n) < 0)
		return -1;
	const struct sr_type *type = sr_operand_type(op, 0);
	for (int d = 0; d < type->rank; d++) {
		bool is_reduced = false;
		for (int64_t k = 0; k < n; k++)
			is_reduced = is_reduced || dims[k] == d;
		terms *= is_reduced ? type->shape[d] : 1;
		dim = !is_reduced && type->shape[d] > 1 && type->shape[d] <= MAX_COMPONENTS ? d : dim;
	}
	return terms >= MIN_TERMS ? dim : -1;
}

static void replace_reduction(struct sr_context *ctx, struct sr_op *op, struct sr_value *by)
{
	struct sr_op *def = sr_operand(op, 0)->def;
	sr_value_replace_all(sr_result(op, 0), by);
	sr_op_retire(ctx, op);
	sr_work_retire_unused(ctx, def);
}

/* Replace the reduction of components by binary ops on them, in the same order. */
static void expand_norm(struct sr_unstacker *u, struct sr_op *norm)
{
	const int64_t *dims;
	int64_t n;
	int code = reduction_code(u->b.ctx, norm, &dims, &n);
	u->b.anchor = norm;
	u->b.loc = norm->loc;
	u->dim = (int)dims[0];
	struct sr_value *sum = sr_build_broadcast(&u->b, sr_operand(norm, 1), sr_result_type(norm, 0), NULL);
	for (int i = 0; i < u->n; i++)
		sum = sr_build_binary(&u->b, (enum sr_op_code)code, sum, sr_unstack_part(u, sr_operand(norm, 0), i, 0));
	replace_reduction(u->b.ctx, norm, sum);
}

/* Build the stack of the sums of each component, before op. */
static struct sr_value *build_sums(struct sr_unstacker *u, struct sr_op *op, int dim)
{
	struct sr_value *parts[MAX_COMPONENTS];
	const int64_t *dims;
	int64_t n;
	int code = reduction_code(u->b.ctx, op, &dims, &n), result_dim = dim;
	int64_t *part_dims = sr_dup(u->b.ctx->scratch, dims, (size_t)n, sizeof *dims);
	for (int64_t k = 0; k < n; k++) {
		part_dims[k] -= dims[k] > dim;
		result_dim -= dims[k] < dim;
	}
	u->b.anchor = op;
	u->b.loc = op->loc;
	u->dim = dim;
	for (int i = 0; i < u->n; i++) {
		struct sr_value *terms = sr_unstack_part(u, sr_operand(op, 0), i, 0);
		parts[i] = sr_build_reduction(&u->b, terms, sr_operand(op, 1), (enum sr_op_code)code, part_dims, n);
	}
	u->dim = result_dim;
	return sr_unstack_join(u, parts, sr_result_type(op, 0));
}

static void expand_norms(struct sr_unstacker *u, const struct pairs *p)
{
	for (int i = 0; i < p->n_norms; i++)
		expand_norm(u, p->norms[i]);
}

/* Replace the norms of few components that the values of a reduction are computed from, if they are norms of pairs. Along rows,
 * values of expensive functions take less time as two nests, each of which reads its operands contiguously. */
static void expand_reduced_norms(struct sr_context *ctx, struct sr_op *op)
{
	int64_t elements, results;
	if (!sr_type_elements(sr_operand_type(op, 0), &elements) || !sr_type_elements(sr_result_type(op, 0), &results) ||
	    elements / MIN_PAIRS < results)
		return;
	for (int components = MAX_COMPONENTS; components > 1; components--) {
		struct pairs p = {.block = op->block, .n_components = components, .is_cheap = true};
		p.max_elements = elements / MIN_REUSE * components;
		if (!is_computed_from_few(ctx, &p, sr_operand(op, 0), 0) || !p.n_norms)
			continue;
		struct sr_unstacker u = {.b = {.ctx = ctx, .block = op->block}, .n = components, .divides_shared = true};
		expand_norms(&u, &p);
		return;
	}
}

struct sr_op *sr_work_sum_components(struct sr_context *ctx, struct sr_op *op)
{
	int dim = component_dim(ctx, op);
	int64_t elements;
	if (dim < 0)
		expand_reduced_norms(ctx, op);
	if (dim < 0 || !sr_type_elements(sr_operand_type(op, 0), &elements) || !sr_operand(op, 0)->def ||
	    !sr_work_is_elementwise(sr_operand(op, 0)->def))
		return op;
	struct pairs p = {.block = op->block, .max_elements = elements / MIN_REUSE};
	p.n_components = sr_operand_type(op, 0)->shape[dim];
	if (!is_computed_from_few(ctx, &p, sr_operand(op, 0), 0) || !p.n_norms)
		return op;
	struct sr_unstacker u = {.b = {.ctx = ctx, .block = op->block}, .n = p.n_components, .divides_shared = true};
	expand_norms(&u, &p);
	struct sr_value *sums = build_sums(&u, op, dim);
	replace_reduction(ctx, op, sums);
	return sums->def;
}
