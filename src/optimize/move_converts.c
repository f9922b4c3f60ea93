/* shardrun-move-converts: move ops that shrink a value before a collective, and ops that enlarge it after the collective, so that
 * fewer bytes are sent.
 *
 *	convert(all_gather(%x)) to a smaller type        all_gather(convert(%x))
 *	slice(all_gather(%x)) along other dimensions     all_gather(slice(%x)); same for reduce
 *	all_gather(convert(%x)) from a smaller type      convert(all_gather(%x))
 *	all_gather(broadcast(%x))                        broadcast(all_gather(%x))
 *
 * The same holds for the other collectives that only move elements: all_to_all, collective_permute and collective_broadcast. A
 * device that receives nothing from them has zeros. Converts, slices and broadcasts preserve zeros; reductions may not, so they
 * are moved only before all_gather and all_to_all. Each element is computed as before, so results keep their bits. The report's
 * text of the collective (its source and target sharding) stays that of the original value. Adjacent collectives are folded into
 * one (fold_collectives.c).
 *
 * Requires a local module. */
#include "optimize/move_converts.h"
#include "dialect/attr_names.h"
#include "optimize/pass_functions.h"
#include "optimize/patterns/match.h"

enum { MAX_OWN_DIMS = 2 };

/* A collective that moves elements without computing, and its attributes that name dimensions. */
struct element_mover {
	enum sr_op_code code;
	const char *own[MAX_OWN_DIMS];
	bool all_devices_receive; /* true if every device receives elements from some device */
};

static const struct element_mover kinds[] = {
	{SR_OP_stablehlo_all_gather, {SR_NAME_all_gather_dim}, true},
	{SR_OP_stablehlo_all_to_all, {SR_NAME_split_dimension, SR_NAME_concat_dimension}, true},
	{SR_OP_stablehlo_collective_broadcast, {NULL}, false},
	{SR_OP_stablehlo_collective_permute, {NULL}, false},
};

static const struct element_mover *find_element_mover(const struct sr_op *op)
{
	for (size_t i = 0; op && i < sizeof kinds / sizeof *kinds; i++)
		if (sr_op_is(op, kinds[i].code) && op->n_operands == 1 && op->n_results == 1)
			return &kinds[i];
	return NULL;
}

/* Return the collective that defines op's operand, if op is its only user. */
static struct sr_op *collective_before(const struct sr_op *op, const struct element_mover **kind)
{
	struct sr_op *c = sr_operand(op, 0)->def;
	*kind = find_element_mover(c);
	return *kind && sr_value_has_one_use(sr_result(c, 0)) && c->block == op->block ? c : NULL;
}

static bool is_own_dim(const struct element_mover *kind, const struct sr_op *c, int64_t dim)
{
	for (int i = 0; i < MAX_OWN_DIMS && kind->own[i]; i++)
		if (sr_op_int(c, kind->own[i], -1) == dim)
			return true;
	return false;
}

/* Return true for types that collectives support, whose elements have at least 8 bits. */
static bool has_byte_elements(const struct sr_type *t)
{
	return t->dtype == SR_I1 || (t->dtype != SR_DTYPE_NONE && sr_dtypes[t->dtype].bits >= 8);
}

static bool has_smaller_elements(const struct sr_type *a, const struct sr_type *other_type)
{
	int64_t x, y;
	return has_byte_elements(a) && has_byte_elements(other_type) && sr_type_bytes(a, &x) && sr_type_bytes(other_type, &y) &&
	       x < y;
}

static const struct sr_type *with_element(struct sr_rewriter *rw, const struct sr_type *shape, const struct sr_type *like)
{
	return sr_type_tensor_of(rw->ctx, like->element, shape->rank, shape->shape, shape->encoding);
}

/* Insert a copy of an op before `anchor`, with x as its first operand and this result type. */
static struct sr_op *clone_with(struct sr_rewriter *rw, struct sr_op *anchor, const struct sr_op *op, struct sr_value *x,
				const struct sr_type *type)
{
	struct sr_op *new_op = sr_op_clone(rw->ctx, op, NULL);
	sr_op_set_operand(new_op, 0, x);
	new_op->results[0].type = type;
	sr_op_insert_before(anchor, new_op);
	sr_rewrite_notify_inserted(rw, new_op);
	return new_op;
}

/* Replace op(c(%x)) by c(op(%x)), where c is a collective. inner_type: type of op(%x). */
static bool swap_before(struct sr_rewriter *rw, struct sr_op *op, struct sr_op *c, const struct sr_type *inner_type)
{
	struct sr_op *first = clone_with(rw, op, op, sr_operand(c, 0), inner_type),
		     *second = clone_with(rw, op, c, sr_result(first, 0), sr_result_type(op, 0));
	sr_rewrite_replace(rw, op, sr_result(second, 0));
	sr_rewrite_erase(rw, c);
	return true;
}

static bool move_convert_before(struct sr_rewriter *rw, struct sr_op *op)
{
	const struct element_mover *kind;
	struct sr_op *c = collective_before(op, &kind);
	if (!c || !has_smaller_elements(sr_result_type(op, 0), sr_operand_type(op, 0)))
		return false;
	return swap_before(rw, op, c, with_element(rw, sr_operand_type(c, 0), sr_result_type(op, 0)));
}

static bool move_slice_before(struct sr_rewriter *rw, struct sr_op *op)
{
	const struct element_mover *kind;
	struct sr_op *c = collective_before(op, &kind);
	const struct sr_type *out = sr_result_type(op, 0), *full_type = sr_operand_type(op, 0);
	if (!c || !has_smaller_elements(out, full_type))
		return false;
	const struct sr_type *unsliced_type = sr_operand_type(c, 0);
	int64_t *shape = SR_NEW_ARRAY(rw->ctx->scratch, int64_t, out->rank);
	for (int d = 0; d < out->rank; d++) {
		if (is_own_dim(kind, c, d) && out->shape[d] != full_type->shape[d])
			return false;
		shape[d] = is_own_dim(kind, c, d) ? unsliced_type->shape[d] : out->shape[d];
	}
	/* The slice must keep all elements along the dimensions that the collective names; their extents before the collective do
	 * not matter. */
	struct sr_ints limits = sr_match_ints(rw->ctx, op, SR_NAME_limit_indices), strides = sr_match_ints(rw->ctx, op, SR_NAME_strides);
	int64_t *new_limits = sr_dup(rw->ctx->scratch, limits.v, (size_t)limits.n, sizeof *new_limits);
	int64_t *new_strides = sr_dup(rw->ctx->scratch, strides.v, (size_t)strides.n, sizeof *new_strides);
	for (int d = 0; d < out->rank; d++)
		if (is_own_dim(kind, c, d)) {
			new_limits[d] = unsliced_type->shape[d];
			new_strides[d] = 1;
		}
	sr_op_set_attr(rw->ctx, op, SR_NAME_limit_indices, sr_attr_i64s(rw->ctx, new_limits, limits.n));
	sr_op_set_attr(rw->ctx, op, SR_NAME_strides, sr_attr_i64s(rw->ctx, new_strides, strides.n));
	return swap_before(rw, op, c, sr_type_with_shape(rw->ctx, out, out->rank, shape));
}

/* Move a reduce before a collective. Dimensions after reduced ones get smaller numbers. */
static bool move_reduce_before(struct sr_rewriter *rw, struct sr_op *op)
{
	const struct element_mover *kind;
	struct sr_op *c = op->n_results == 1 ? collective_before(op, &kind) : NULL;
	struct sr_ints dims = sr_match_ints(rw->ctx, op, SR_NAME_dimensions);
	const struct sr_type *out = sr_result_type(op, 0);
	if (!c || !kind->all_devices_receive || !has_smaller_elements(out, sr_operand_type(op, 0)))
		return false;
	const struct sr_type *unreduced_type = sr_operand_type(c, 0);
	int64_t *shape = SR_NEW_ARRAY(rw->ctx->scratch, int64_t, out->rank),
		*at = SR_NEW_ARRAY(rw->ctx->scratch, int64_t, unreduced_type->rank);
	int rank = 0;
	for (int d = 0; d < unreduced_type->rank; d++) {
		bool is_reduced = false;
		for (int64_t i = 0; i < dims.n; i++)
			is_reduced = is_reduced || dims.v[i] == d;
		if (is_reduced && is_own_dim(kind, c, d))
			return false;
		at[d] = rank;
		if (!is_reduced)
			shape[rank++] = unreduced_type->shape[d];
	}
	struct sr_op *first = clone_with(rw, op, op, sr_operand(c, 0), sr_type_with_shape(rw->ctx, out, rank, shape)),
		     *second = clone_with(rw, op, c, sr_result(first, 0), out);
	for (int i = 0; i < MAX_OWN_DIMS && kind->own[i]; i++)
		sr_op_set_attr(rw->ctx, second, kind->own[i], sr_attr_i64(rw->ctx, at[sr_op_int(c, kind->own[i], 0)]));
	sr_rewrite_replace(rw, op, sr_result(second, 0));
	sr_rewrite_erase(rw, c);
	return true;
}

/* Replace c(op(%x)) by op(c(%x)), where c is a collective and op a convert from a smaller type. */
static bool move_convert_after(struct sr_rewriter *rw, struct sr_op *c)
{
	struct sr_op *op = sr_value_def_of(sr_operand(c, 0), SR_OP_stablehlo_convert);
	if (!find_element_mover(c) || !op || !has_smaller_elements(sr_operand_type(op, 0), sr_result_type(op, 0)))
		return false;
	const struct sr_type *out = sr_result_type(c, 0);
	struct sr_op *first = clone_with(rw, c, c, sr_operand(op, 0), with_element(rw, out, sr_operand_type(op, 0))),
		     *second = clone_with(rw, c, op, sr_result(first, 0), out);
	sr_rewrite_replace(rw, c, sr_result(second, 0));
	return true;
}

/* Move a broadcast after a collective if no dimension that the collective names is broadcast. */
static bool move_broadcast_after(struct sr_rewriter *rw, struct sr_op *c)
{
	const struct element_mover *kind = find_element_mover(c);
	struct sr_op *op = sr_value_def_of(sr_operand(c, 0), SR_OP_stablehlo_broadcast_in_dim);
	if (!kind || !op || !has_smaller_elements(sr_operand_type(op, 0), sr_result_type(op, 0)))
		return false;
	const struct sr_type *in = sr_operand_type(op, 0), *wide_type = sr_result_type(op, 0), *out = sr_result_type(c, 0);
	struct sr_ints dims = sr_match_ints(rw->ctx, op, SR_NAME_broadcast_dimensions);
	int64_t *shape = sr_dup(rw->ctx->scratch, in->shape, (size_t)in->rank, sizeof *shape);
	const struct sr_attr *own[MAX_OWN_DIMS] = {NULL};
	for (int i = 0; i < MAX_OWN_DIMS && kind->own[i]; i++) {
		int64_t dim = sr_op_int(c, kind->own[i], -1);
		for (int k = 0; k < in->rank && !own[i]; k++)
			if (dims.v[k] == dim && in->shape[k] == wide_type->shape[dim]) {
				own[i] = sr_attr_i64(rw->ctx, k);
				shape[k] = out->shape[dim];
			}
		if (!own[i])
			return false;
	}
	struct sr_op *first = clone_with(rw, c, c, sr_operand(op, 0), sr_type_with_shape(rw->ctx, in, in->rank, shape)),
		     *second = clone_with(rw, c, op, sr_result(first, 0), out);
	for (int i = 0; i < MAX_OWN_DIMS && kind->own[i]; i++)
		sr_op_set_attr(rw->ctx, first, kind->own[i], own[i]);
	sr_rewrite_replace(rw, c, sr_result(second, 0));
	return true;
}

#define MOVE_AFTER(op) {SR_OP_stablehlo_##op, move_convert_after, NULL}, {SR_OP_stablehlo_##op, move_broadcast_after, NULL}
static const struct sr_pattern patterns[] = {
	{SR_OP_stablehlo_convert, move_convert_before, NULL},
	{SR_OP_stablehlo_reduce, move_reduce_before, NULL},
	{SR_OP_stablehlo_slice, move_slice_before, NULL},
	MOVE_AFTER(all_gather),
	MOVE_AFTER(all_to_all),
	MOVE_AFTER(collective_broadcast),
	MOVE_AFTER(collective_permute),
	{SR_OP_stablehlo_all_gather, sr_pattern_gather_of_gather, NULL},
	{SR_OP_stablehlo_all_reduce, sr_pattern_reduce_of_reduce, NULL},
	{0},
};
#undef MOVE_AFTER

enum { ROUNDS = 10 };

enum sr_status sr_run_move_converts(struct sr_context *ctx, struct sr_op *root, const struct sr_pass_options *options)
{
	(void)options;
	sr_rewrite_greedily(ctx, root, &(struct sr_rewrite_config){.tables = {patterns}, .max_rounds = ROUNDS});
	return SR_OK;
}
