/* shardrun-move-converts: what makes a value smaller is done before it is sent, what makes it larger when it has come.
 *
 *	convert(all_gather(%x)) to fewer bytes      all_gather(convert(%x))
 *	slice(all_gather(%x)), along other dims     all_gather(slice(%x)); a reduce alike
 *	all_gather(convert(%x)) of fewer bytes      convert(all_gather(%x))
 *	all_gather(broadcast(%x))                   broadcast(all_gather(%x))
 *
 * So for all that move elements as they are: all_to_all, collective_permute and collective_broadcast, too. Where no device sends
 * to one it gets zeros, of which a convert, a slice and a broadcast make zeros; a reduce may not. What is moved is on one device,
 * and every element is computed as before: the bits stay. What the report says of from where to where stays that of the value
 * that was to be sent. Collectives of collectives are one (fold_collectives.c).
 *
 * Requires a local module. */
#include "optimize/move_converts.h"
#include "dialect/attr_names.h"
#include "optimize/pass_functions.h"
#include "optimize/patterns/match.h"

enum { MOST_OWN = 2 };

/* A collective that moves elements as they are, and the attributes that name the dimensions which it works along. */
struct moving {
	enum sr_op_code code;
	const char *own[MOST_OWN];
	bool all_get; /* every device gets elements of some */
};

static const struct moving kinds[] = {
	{SR_OP_stablehlo_all_gather, {SR_NAME_all_gather_dim}, true},
	{SR_OP_stablehlo_all_to_all, {SR_NAME_split_dimension, SR_NAME_concat_dimension}, true},
	{SR_OP_stablehlo_collective_broadcast, {NULL}, false},
	{SR_OP_stablehlo_collective_permute, {NULL}, false},
};

static const struct moving *moving_of(const struct sr_op *op)
{
	for (size_t i = 0; op && i < sizeof kinds / sizeof *kinds; i++)
		if (sr_op_is(op, kinds[i].code) && op->n_operands == 1 && op->n_results == 1)
			return &kinds[i];
	return NULL;
}

/* The collective whose result nobody but `op` reads. */
static struct sr_op *moved_before(const struct sr_op *op, const struct moving **kind)
{
	struct sr_op *c = sr_operand(op, 0)->def;
	*kind = moving_of(c);
	return *kind && sr_match_one_use(sr_result(c, 0)) && c->block == op->block ? c : NULL;
}

static bool is_own(const struct moving *kind, const struct sr_op *c, int64_t dim)
{
	for (int i = 0; i < MOST_OWN && kind->own[i]; i++)
		if (sr_op_int(c, kind->own[i], -1) == dim)
			return true;
	return false;
}

/* Collectives have no numbers of less than a byte. */
static bool is_whole_bytes(const struct sr_type *t)
{
	return t->dtype == SR_I1 || (t->dtype != SR_DTYPE_NONE && sr_dtypes[t->dtype].bits >= 8);
}

static bool is_smaller(const struct sr_type *a, const struct sr_type *than)
{
	int64_t x, y;
	return is_whole_bytes(a) && is_whole_bytes(than) && sr_type_bytes(a, &x) && sr_type_bytes(than, &y) && x < y;
}

static const struct sr_type *with_element(struct sr_rewriter *rw, const struct sr_type *shape, const struct sr_type *like)
{
	return sr_type_tensor_of(rw->ctx, like->element, shape->rank, shape->shape, shape->encoding);
}

/* A copy of an op before `anchor`, that reads x first and makes this type. */
static struct sr_op *again(struct sr_rewriter *rw, struct sr_op *anchor, const struct sr_op *op, struct sr_value *x,
			   const struct sr_type *type)
{
	struct sr_op *made = sr_op_clone(rw->ctx, op, NULL);
	sr_op_set_operand(made, 0, x);
	made->results[0].type = type;
	sr_op_insert_before(anchor, made);
	sr_rewrite_notify_inserted(rw, made);
	return made;
}

/* op(c(%x)) as c(op(%x)); part: the type of op(%x). */
static bool do_before(struct sr_rewriter *rw, struct sr_op *op, struct sr_op *c, const struct sr_type *part)
{
	struct sr_op *first = again(rw, op, op, sr_operand(c, 0), part),
		     *then = again(rw, op, c, sr_result(first, 0), sr_result_type(op, 0));
	sr_rewrite_replace(rw, op, sr_result(then, 0));
	sr_rewrite_erase(rw, c);
	return true;
}

static bool convert_before(struct sr_rewriter *rw, struct sr_op *op)
{
	const struct moving *kind;
	struct sr_op *c = moved_before(op, &kind);
	if (!c || !is_smaller(sr_result_type(op, 0), sr_operand_type(op, 0)))
		return false;
	return do_before(rw, op, c, with_element(rw, sr_operand_type(c, 0), sr_result_type(op, 0)));
}

static bool slice_before(struct sr_rewriter *rw, struct sr_op *op)
{
	const struct moving *kind;
	struct sr_op *c = moved_before(op, &kind);
	const struct sr_type *out = sr_result_type(op, 0), *whole = sr_operand_type(op, 0);
	if (!c || !is_smaller(out, whole))
		return false;
	const struct sr_type *given = sr_operand_type(c, 0);
	int64_t *shape = SR_NEWS(rw->ctx->scratch, int64_t, out->rank);
	for (int d = 0; d < out->rank; d++) {
		if (is_own(kind, c, d) && out->shape[d] != whole->shape[d])
			return false;
		shape[d] = is_own(kind, c, d) ? given->shape[d] : out->shape[d];
	}
	/* of the dimensions that it works along the slice takes all, whatever their extent is before */
	struct sr_ints limits = sr_match_ints(rw->ctx, op, SR_NAME_limit_indices), strides = sr_match_ints(rw->ctx, op, SR_NAME_strides);
	int64_t *until = sr_dup(rw->ctx->scratch, limits.v, (size_t)limits.n, sizeof *until);
	int64_t *by = sr_dup(rw->ctx->scratch, strides.v, (size_t)strides.n, sizeof *by);
	for (int d = 0; d < out->rank; d++)
		if (is_own(kind, c, d)) {
			until[d] = given->shape[d];
			by[d] = 1;
		}
	sr_op_set_attr(rw->ctx, op, SR_NAME_limit_indices, sr_attr_i64s(rw->ctx, until, limits.n));
	sr_op_set_attr(rw->ctx, op, SR_NAME_strides, sr_attr_i64s(rw->ctx, by, strides.n));
	return do_before(rw, op, c, sr_type_with_shape(rw->ctx, out, out->rank, shape));
}

/* Dimensions that it does not reduce come one after another. */
static bool reduce_before(struct sr_rewriter *rw, struct sr_op *op)
{
	const struct moving *kind;
	struct sr_op *c = op->n_results == 1 ? moved_before(op, &kind) : NULL;
	struct sr_ints dims = sr_match_ints(rw->ctx, op, SR_NAME_dimensions);
	const struct sr_type *out = sr_result_type(op, 0);
	if (!c || !kind->all_get || !is_smaller(out, sr_operand_type(op, 0)))
		return false;
	const struct sr_type *given = sr_operand_type(c, 0);
	int64_t *shape = SR_NEWS(rw->ctx->scratch, int64_t, out->rank), *at = SR_NEWS(rw->ctx->scratch, int64_t, given->rank);
	int rank = 0;
	for (int d = 0; d < given->rank; d++) {
		bool reduced = false;
		for (int64_t i = 0; i < dims.n; i++)
			reduced = reduced || dims.v[i] == d;
		if (reduced && is_own(kind, c, d))
			return false;
		at[d] = rank;
		if (!reduced)
			shape[rank++] = given->shape[d];
	}
	struct sr_op *first = again(rw, op, op, sr_operand(c, 0), sr_type_with_shape(rw->ctx, out, rank, shape)),
		     *then = again(rw, op, c, sr_result(first, 0), out);
	for (int i = 0; i < MOST_OWN && kind->own[i]; i++)
		sr_op_set_attr(rw->ctx, then, kind->own[i], sr_attr_i64(rw->ctx, at[sr_op_int(c, kind->own[i], 0)]));
	sr_rewrite_replace(rw, op, sr_result(then, 0));
	sr_rewrite_erase(rw, c);
	return true;
}

/* c(op(%x)) as op(c(%x)), of fewer bytes. */
static bool convert_behind(struct sr_rewriter *rw, struct sr_op *c)
{
	struct sr_op *op = sr_match_def(sr_operand(c, 0), SR_OP_stablehlo_convert);
	if (!moving_of(c) || !op || !is_smaller(sr_operand_type(op, 0), sr_result_type(op, 0)))
		return false;
	const struct sr_type *out = sr_result_type(c, 0);
	struct sr_op *first = again(rw, c, c, sr_operand(op, 0), with_element(rw, out, sr_operand_type(op, 0))),
		     *then = again(rw, c, op, sr_result(first, 0), out);
	sr_rewrite_replace(rw, c, sr_result(then, 0));
	return true;
}

/* The dimensions that c works along are the operand's own. */
static bool broadcast_behind(struct sr_rewriter *rw, struct sr_op *c)
{
	const struct moving *kind = moving_of(c);
	struct sr_op *op = sr_match_def(sr_operand(c, 0), SR_OP_stablehlo_broadcast_in_dim);
	if (!kind || !op || !is_smaller(sr_operand_type(op, 0), sr_result_type(op, 0)))
		return false;
	const struct sr_type *in = sr_operand_type(op, 0), *wide = sr_result_type(op, 0), *out = sr_result_type(c, 0);
	struct sr_ints dims = sr_match_ints(rw->ctx, op, SR_NAME_broadcast_dimensions);
	int64_t *shape = sr_dup(rw->ctx->scratch, in->shape, (size_t)in->rank, sizeof *shape);
	const struct sr_attr *own[MOST_OWN] = {NULL};
	for (int i = 0; i < MOST_OWN && kind->own[i]; i++) {
		int64_t dim = sr_op_int(c, kind->own[i], -1);
		for (int k = 0; k < in->rank && !own[i]; k++)
			if (dims.v[k] == dim && in->shape[k] == wide->shape[dim]) {
				own[i] = sr_attr_i64(rw->ctx, k);
				shape[k] = out->shape[dim];
			}
		if (!own[i])
			return false;
	}
	struct sr_op *first = again(rw, c, c, sr_operand(op, 0), sr_type_with_shape(rw->ctx, in, in->rank, shape)),
		     *then = again(rw, c, op, sr_result(first, 0), out);
	for (int i = 0; i < MOST_OWN && kind->own[i]; i++)
		sr_op_set_attr(rw->ctx, first, kind->own[i], own[i]);
	sr_rewrite_replace(rw, c, sr_result(then, 0));
	return true;
}

#define BEHIND(op) {SR_OP_stablehlo_##op, convert_behind, NULL}, {SR_OP_stablehlo_##op, broadcast_behind, NULL}
static const struct sr_pattern patterns[] = {
	{SR_OP_stablehlo_convert, convert_before, NULL},
	{SR_OP_stablehlo_reduce, reduce_before, NULL},
	{SR_OP_stablehlo_slice, slice_before, NULL},
	BEHIND(all_gather),
	BEHIND(all_to_all),
	BEHIND(collective_broadcast),
	BEHIND(collective_permute),
	{SR_OP_stablehlo_all_gather, sr_pattern_gather_of_gather, NULL},
	{SR_OP_stablehlo_all_reduce, sr_pattern_reduce_of_reduce, NULL},
	{0},
};
#undef BEHIND

enum { ROUNDS = 10 };

enum sr_status sr_run_move_converts(struct sr_context *ctx, struct sr_op *root, const struct sr_pass_options *options)
{
	(void)options;
	sr_rewrite_greedily(ctx, root, &(struct sr_rewrite_config){.tables = {patterns}, .max_rounds = ROUNDS});
	return SR_OK;
}
