/* Patterns of the borders that jnp.pad concatenates with a sharded image: a row that is repeated (edge), or a few rows in reverse
 * order (reflect, symmetric). A slice of such a border becomes the border of a slice, so that sr_pattern_distribute_slice can
 * distribute the shifted reads of a stencil over the operands of the concatenate, and its halo exchange recognizes the border:
 *
 *	reshape(broadcast_in_dim(x[0:1], 1 x 2 x n), 2 x n)	->  broadcast_in_dim(x[0:1], 2 x n)
 *	broadcast_in_dim(x[0:1], 2 x n)[1:2, 0:m]		->  broadcast_in_dim(x[0:1][0:1, 0:m], 1 x m)
 *	reverse(x[1:3])[1:2, 0:m]				->  reverse(x[1:3][0:1, 0:m])
 *
 * In local modules, loop nests read the borders as they are. */
#include "optimize/patterns/match.h"
#include "dialect/attr_names.h"
#include "optimize/patterns/patterns.h"

/* Return true if shardings are kept, and ops with this code, and only those, read v, which is static. */
static bool is_read_by(struct sr_rewriter *rw, const struct sr_value *v, enum sr_op_code code)
{
	for (const struct sr_use *use = v->uses; use; use = use->next)
		if (!sr_op_is(use->owner, code))
			return false;
	return rw->config->keeps_shardings && v->uses && sr_type_is_static(v->type);
}

/* Return the dimension of extent 1 that must be repeated to make `to` of `from`; -1: the types differ in other ways, or not. */
static int repeated_dim(const struct sr_type *from, const struct sr_type *to)
{
	int dim = -1;
	if (from->rank != to->rank || !sr_type_is_static(from))
		return -1;
	for (int d = 0; d < to->rank; d++) {
		if (from->shape[d] == to->shape[d])
			continue;
		if (from->shape[d] != 1 || dim >= 0)
			return -1;
		dim = d;
	}
	return dim;
}

/* Return true if the broadcast_in_dim inserts one dimension beside dimension `dim` and changes no extent. */
static bool inserts_dim_beside(struct sr_rewriter *rw, const struct sr_op *broadcast, int dim)
{
	const struct sr_type *from = sr_operand(broadcast, 0)->type, *to = sr_result(broadcast, 0)->type;
	struct sr_ints dims = sr_match_ints(rw->ctx, broadcast, SR_NAME_broadcast_dimensions);
	int64_t inserted = dims.v[dim] == dim ? dim + 1 : dim;
	if (to->rank != from->rank + 1)
		return false;
	for (int d = 0; d < from->rank; d++)
		if (dims.v[d] != d + (d >= inserted) || to->shape[dims.v[d]] != from->shape[d])
			return false;
	return true;
}

bool sr_pattern_repeated_row(struct sr_rewriter *rw, struct sr_op *op)
{
	const struct sr_type *t = sr_result(op, 0)->type;
	struct sr_op *broadcast = sr_value_def_of(sr_operand(op, 0), SR_OP_stablehlo_broadcast_in_dim);
	struct sr_value *row = broadcast ? sr_operand(broadcast, 0) : NULL;
	if (!row || !is_read_by(rw, sr_result(op, 0), SR_OP_stablehlo_concatenate))
		return false;
	int dim = repeated_dim(row->type, t);
	if (dim < 0 || !inserts_dim_beside(rw, broadcast, dim))
		return false;
	int64_t *dims = SR_NEW_ARRAY(rw->ctx->arena, int64_t, t->rank);
	for (int d = 0; d < t->rank; d++)
		dims[d] = d;
	struct sr_named_attr attr = {SR_NAME_broadcast_dimensions, sr_attr_i64s(rw->ctx, dims, t->rank)};
	return sr_rewrite_replace_with(rw, op, SR_OP_stablehlo_broadcast_in_dim, &row, 1, &attr, 1);
}

/* Return v[start, limit), created before op with op's sharding. */
static struct sr_value *create_slice(struct sr_rewriter *rw, struct sr_op *op, struct sr_value *v, const int64_t *start,
				     const int64_t *limit)
{
	for (int d = 0; d < v->type->rank; d++)
		v = sr_rewrite_slice_along(rw, op, v, d, start[d], limit[d] - start[d], 1);
	return v;
}

bool sr_pattern_slice_of_border(struct sr_rewriter *rw, struct sr_op *op)
{
	struct sr_value *v = sr_operand(op, 0);
	struct sr_op *reverse = sr_value_def_of(v, SR_OP_stablehlo_reverse),
		     *broadcast = sr_value_def_of(v, SR_OP_stablehlo_broadcast_in_dim);
	struct sr_value *from = reverse || broadcast ? sr_operand(v->def, 0) : NULL;
	int rank = v->type->rank, repeated = broadcast ? repeated_dim(from->type, v->type) : -1;
	bool is_reverse = reverse && sr_value_def_of(from, SR_OP_stablehlo_slice);
	if ((!is_reverse && repeated < 0) || !sr_type_is_static(v->type) ||
	    !is_read_by(rw, sr_result(op, 0), SR_OP_stablehlo_concatenate) ||
	    !sr_match_all_equal(sr_match_ints(rw->ctx, op, SR_NAME_strides), 1))
		return false;
	const char *name = is_reverse ? SR_NAME_dimensions : SR_NAME_broadcast_dimensions;
	struct sr_named_attr attr = {name, sr_op_attr(v->def, name)};
	struct sr_ints dims = sr_match_ints(rw->ctx, v->def, name);
	int64_t *start = sr_dup(rw->ctx->arena, sr_match_ints(rw->ctx, op, SR_NAME_start_indices).v, (size_t)rank, sizeof *start),
		*limit = sr_dup(rw->ctx->arena, sr_match_ints(rw->ctx, op, SR_NAME_limit_indices).v, (size_t)rank, sizeof *limit);
	for (int64_t i = 0; is_reverse && i < dims.n; i++) {
		int64_t d = dims.v[i], n = v->type->shape[d], first = start[d];
		start[d] = n - limit[d];
		limit[d] = n - first;
	}
	if (!is_reverse && !sr_match_iota(dims))
		return false;
	if (repeated >= 0)
		start[repeated] = 0, limit[repeated] = 1;
	struct sr_value *slice = create_slice(rw, op, from, start, limit);
	return sr_rewrite_replace_with(rw, op, sr_op_code_of(v->def), &slice, 1, &attr, 1);
}
