/* Patterns of rolls: concatenates of slices along one dimension of one value, as jnp.roll makes them.
 *
 * A roll of few elementwise ops of rolls of one value becomes the same ops of rolls of this value, so that the ops' result need
 * not be stored, nor its border be exchanged. A roll along a sharded dimension comes before rolls along other dimensions. */
#include "optimize/patterns/match.h"
#include "dialect/attr_names.h"
#include "mesh/sdy_sharding.h"
#include "optimize/patterns/patterns.h"

/* ---------------------------------------------------------------- rolls */

/* Set [*first, *first + *n) to the range of a slice along dim alone, with stride 1. Return false for other values. */
static bool read_slice(struct sr_rewriter *rw, const struct sr_value *v, int64_t dim, int64_t *first, int64_t *n)
{
	const struct sr_op *slice = sr_value_def_of(v, SR_OP_stablehlo_slice);
	if (!slice || !sr_type_is_static(sr_operand(slice, 0)->type))
		return false;
	for (int d = 0; d < v->type->rank; d++)
		if (sr_match_ints(rw->ctx, slice, SR_NAME_strides).v[d] != 1 ||
		    (d != dim && v->type->shape[d] != sr_operand(slice, 0)->type->shape[d]))
			return false;
	*first = sr_match_ints(rw->ctx, slice, SR_NAME_start_indices).v[dim];
	*n = v->type->shape[dim];
	return true;
}

/* Return the value of which all operands of a concatenate are slices along its dimension alone, with stride 1; NULL: none. */
static struct sr_value *rolled_value(struct sr_rewriter *rw, const struct sr_op *concatenate)
{
	int64_t dim = sr_op_int(concatenate, SR_NAME_dimension, 0), first, n;
	struct sr_value *v = NULL;
	for (int i = 0; i < concatenate->n_operands; i++) {
		if (!read_slice(rw, sr_operand(concatenate, i), dim, &first, &n))
			return NULL;
		struct sr_value *sliced = sr_operand(sr_operand(concatenate, i)->def, 0);
		if (v && sliced != v)
			return NULL;
		v = sliced;
	}
	return v;
}

/* Create before op a concatenate of slices of v with the ranges of the operands of `model`, for which rolled_value returns a
 * value. */
static struct sr_value *create_like_roll(struct sr_rewriter *rw, struct sr_op *op, const struct sr_op *model, struct sr_value *v)
{
	int dim = (int)sr_op_int(model, SR_NAME_dimension, 0);
	struct sr_value **slices = SR_NEW_ARRAY(rw->ctx->arena, struct sr_value *, model->n_operands);
	struct sr_named_attr attr = {SR_NAME_dimension, sr_op_attr(model, SR_NAME_dimension)};
	int64_t first = 0, n = 0;
	for (int i = 0; i < model->n_operands; i++) {
		read_slice(rw, sr_operand(model, i), dim, &first, &n);
		slices[i] = sr_rewrite_slice_along(rw, op, v, dim, first, n, 1);
	}
	return sr_rewrite_create_like(rw, op, SR_OP_stablehlo_concatenate, slices, model->n_operands, &attr, 1,
				      sr_match_with_extent(rw->ctx, v->type, dim, sr_result(model, 0)->type->shape[dim]));
}

/* ---------------------------------------------------------------- order of rolls */

/* Return true if devices have shards of v along dim. */
static bool is_sharded_along(struct sr_rewriter *rw, const struct sr_value *v, int64_t dim)
{
	const struct sr_attr *sharding = rw->config->keeps_shardings ? sr_value_sharding(rw->ctx, v) : NULL;
	return sharding && dim < sharding->sharding->rank && sharding->sharding->dims[dim].axes.n;
}

/* Return the concatenate along a dimension that is not sharded of which op, a concatenate along a sharded one, rolls the result, if
 * both roll one value; else NULL. */
static struct sr_op *rolled_before(struct sr_rewriter *rw, const struct sr_op *op)
{
	int64_t dim = sr_op_int(op, SR_NAME_dimension, 0);
	struct sr_value *rolled = is_sharded_along(rw, sr_result(op, 0), dim) ? rolled_value(rw, op) : NULL;
	struct sr_op *inner = rolled ? sr_value_def_of(rolled, SR_OP_stablehlo_concatenate) : NULL;
	int64_t inner_dim = inner ? sr_op_int(inner, SR_NAME_dimension, 0) : dim;
	return inner_dim != dim && !is_sharded_along(rw, rolled, inner_dim) && rolled_value(rw, inner) ? inner : NULL;
}

bool sr_match_rolled_twice(struct sr_rewriter *rw, const struct sr_value *v)
{
	for (const struct sr_use *use = v->uses; use; use = use->next)
		if (sr_op_is(use->owner, SR_OP_stablehlo_concatenate) && rolled_before(rw, use->owner))
			return true;
	return false;
}

/* A roll along a sharded dimension of a roll along one that is not -> the roll along the sharded one first:
 *
 *	a = concatenate(u[:, 7:], u[:, :7], dim = 1), concatenate(a[7:], a[:7], dim = 0)
 *	->  b = concatenate(u[7:], u[:7], dim = 0), concatenate(b[:, 7:], b[:, :7], dim = 1)
 *
 * So rolls of one value by different distances along the other dimension share one exchange of borders, and slices along the
 * sharded dimension are not distributed over the operands of a concatenate along another one, whose borders are exchanged one by
 * one. */
bool sr_pattern_roll_sharded_first(struct sr_rewriter *rw, struct sr_op *op)
{
	struct sr_op *inner = rolled_before(rw, op);
	struct sr_value *v = inner ? create_like_roll(rw, op, op, rolled_value(rw, inner)) : NULL;
	return v && sr_rewrite_to_value(rw, op, create_like_roll(rw, op, inner, v));
}

/* ---------------------------------------------------------------- rolls of elementwise ops */

enum { MAX_OPS = 3 }; /* maximum number of elementwise ops that are computed again */

/* A roll `op` along dim of elementwise ops of rolls of `base`. Element i of a roll is element (i + shift) mod extent. */
struct rolled_ops {
	struct sr_rewriter *rw;
	struct sr_op *op;
	struct sr_value *base;
	int64_t dim, extent, shift;
	int n_ops;
};

/* Return the value that v, the result of a concatenate of two slices, rotates along dim, and the distance; NULL for others. */
static struct sr_value *rotated_value(struct sr_rewriter *rw, const struct sr_value *v, int64_t dim, int64_t *shift)
{
	const struct sr_op *op = sr_value_def_of(v, SR_OP_stablehlo_concatenate);
	struct sr_value *rolled = NULL;
	int64_t first, n, rest;
	if (op && op->n_operands == 2 && sr_op_int(op, SR_NAME_dimension, 0) == dim)
		rolled = rolled_value(rw, op);
	if (!rolled || rolled->type != v->type || !read_slice(rw, sr_operand(op, 0), dim, shift, &n) ||
	    !read_slice(rw, sr_operand(op, 1), dim, &first, &rest))
		return NULL;
	return first == 0 && rest == *shift && n == v->type->shape[dim] - *shift ? rolled : NULL;
}

/* Return true for elementwise ops that take about as long as reading their result. */
static bool is_cheap(const struct sr_op *op)
{
	static const enum sr_op_code cheap[] = {SR_OP_stablehlo_abs,	 SR_OP_stablehlo_add,	 SR_OP_stablehlo_compare,
						SR_OP_stablehlo_maximum, SR_OP_stablehlo_minimum, SR_OP_stablehlo_multiply,
						SR_OP_stablehlo_negate,	 SR_OP_stablehlo_select, SR_OP_stablehlo_subtract};
	for (size_t i = 0; op && i < sizeof cheap / sizeof *cheap; i++)
		if (sr_op_is(op, cheap[i]))
			return true;
	return false;
}

/* Return the value of which v, few elementwise ops, reads a roll along r->dim; NULL: none. */
static struct sr_value *find_base(const struct rolled_ops *r, struct sr_value *v, int n_ops)
{
	int64_t shift;
	struct sr_value *base = rotated_value(r->rw, v, r->dim, &shift);
	for (int i = 0; !base && n_ops && is_cheap(v->def) && i < v->def->n_operands; i++)
		base = find_base(r, sr_operand(v->def, i), n_ops - 1);
	return base;
}

/* Return true if v is computed by few elementwise ops from uniform values, from the base and its rolls. Counts the ops. */
static bool depends_on_base(struct rolled_ops *r, struct sr_value *v)
{
	int64_t shift;
	if (sr_match_uniform(v) || v == r->base || rotated_value(r->rw, v, r->dim, &shift) == r->base)
		return true;
	if (!is_cheap(v->def) || v->type->rank != r->base->type->rank || ++r->n_ops > MAX_OPS)
		return false;
	for (int i = 0; i < v->def->n_operands; i++)
		if (!depends_on_base(r, sr_operand(v->def, i)))
			return false;
	return true;
}

/* Return true if only elementwise ops and slices read v: it need not be stored for other readers. */
static bool is_temporary(const struct sr_value *v)
{
	for (const struct sr_use *use = v->uses; use; use = use->next)
		if (use->owner->block != v->def->block ||
		    (!sr_op_has(use->owner, SR_ELEMENTWISE) && !sr_op_is(use->owner, SR_OP_stablehlo_slice)))
			return false;
	return true;
}

/* Create the base, rolled by this distance. */
static struct sr_value *create_rotated(struct rolled_ops *r, int64_t shift)
{
	struct sr_value *slices[2];
	struct sr_named_attr attr = {SR_NAME_dimension, sr_attr_i64(r->rw->ctx, r->dim)};
	shift %= r->extent;
	if (!shift)
		return r->base;
	slices[0] = sr_rewrite_slice_along(r->rw, r->op, r->base, (int)r->dim, shift, r->extent - shift, 1);
	slices[1] = sr_rewrite_slice_along(r->rw, r->op, r->base, (int)r->dim, 0, shift, 1);
	return sr_rewrite_create_like(r->rw, r->op, SR_OP_stablehlo_concatenate, slices, 2, &attr, 1, r->base->type);
}

/* Create v, for which depends_on_base returns true, rolled by r->shift. */
static struct sr_value *create_rolled(struct rolled_ops *r, struct sr_value *v)
{
	int64_t shift = 0;
	struct sr_value *operands[3];
	if (sr_match_uniform(v))
		return v;
	if (v == r->base || rotated_value(r->rw, v, r->dim, &shift) == r->base)
		return create_rotated(r, v == r->base ? r->shift : r->shift + shift);
	const struct sr_op *def = v->def;
	int n = def->n_operands;
	for (int i = 0; i < n; i++)
		operands[i] = create_rolled(r, sr_operand(def, i));
	return sr_rewrite_create_like(r->rw, r->op, sr_op_code_of(def), operands, n, def->attrs, def->n_attrs, v->type);
}

/* Roll of at most MAX_OPS elementwise ops of rolls of one value along the same dimension -> these ops of other rolls of the value:
 *
 *	d = subtract(u, roll(u, 1)), roll(d, -1)  ->  subtract(roll(u, -1), u)
 *
 * The elements are computed twice, but d is not stored, and devices do not exchange its border after u's. */
bool sr_pattern_roll_of_elementwise(struct sr_rewriter *rw, struct sr_op *op)
{
	struct rolled_ops r = {.rw = rw, .op = op, .dim = sr_op_int(op, SR_NAME_dimension, 0)};
	struct sr_value *v = rotated_value(rw, sr_result(op, 0), r.dim, &r.shift);
	if (!v || !is_cheap(v->def) || v->def->block != op->block)
		return false;
	r.extent = v->type->shape[r.dim];
	r.base = find_base(&r, v, MAX_OPS);
	return r.base && depends_on_base(&r, v) && is_temporary(v) && sr_rewrite_to_value(rw, op, create_rolled(&r, v));
}
