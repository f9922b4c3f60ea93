/* Patterns that simplify concatenate. */
#include "optimize/patterns/match.h"
#include "dialect/attr_names.h"
#include "dialect/op_builders.h"
#include "mesh/sdy_sharding.h"
#include "optimize/patterns/patterns.h"

typedef SR_VEC(struct sr_value *) value_list;

static bool rebuild(struct sr_rewriter *rw, struct sr_op *op, const value_list *list)
{
	struct sr_named_attr dim = {SR_NAME_dimension, sr_op_attr(op, SR_NAME_dimension)};
	return sr_rewrite_replace_with(rw, op, SR_OP_stablehlo_concatenate, list->data, (int)list->n, &dim, 1);
}

/* concatenate of one operand -> operand. */
bool sr_pattern_concatenate_noop(struct sr_rewriter *rw, struct sr_op *op)
{
	return op->n_operands == 1 && sr_rewrite_to_value(rw, op, sr_operand(op, 0));
}

/* concatenate with operands without elements -> concatenate of the others. */
bool sr_pattern_concatenate_empty(struct sr_rewriter *rw, struct sr_op *op)
{
	value_list list = {0};
	for (int i = 0; i < op->n_operands; i++)
		if (!sr_match_empty(sr_operand(op, i)->type))
			sr_push(rw->ctx->arena, &list, sr_operand(op, i));
	return list.n && (int)list.n < op->n_operands && rebuild(rw, op, &list);
}

/* concatenate(..., concatenate(...), ...) along the same dimension, the inner one with one use -> one concatenate. */
bool sr_pattern_concatenate_flatten(struct sr_rewriter *rw, struct sr_op *op)
{
	value_list list = {0};
	bool is_flat = true;
	for (int i = 0; i < op->n_operands; i++) {
		struct sr_value *v = sr_operand(op, i);
		const struct sr_op *inner = sr_value_def_of(v, SR_OP_stablehlo_concatenate);
		if (!inner || !sr_value_has_one_use(v) ||
		    sr_op_attr(inner, SR_NAME_dimension) != sr_op_attr(op, SR_NAME_dimension)) {
			sr_push(rw->ctx->arena, &list, v);
			continue;
		}
		is_flat = false;
		for (int k = 0; k < inner->n_operands; k++)
			sr_push(rw->ctx->arena, &list, sr_operand(inner, k));
	}
	return !is_flat && rebuild(rw, op, &list);
}

/* concatenate of adjacent equal splats -> one splat for each run of them. */
bool sr_pattern_concatenate_splats(struct sr_rewriter *rw, struct sr_op *op)
{
	int64_t dim = sr_op_int(op, SR_NAME_dimension, 0);
	value_list list = {0};
	for (int i = 0, next; i < op->n_operands; i = next) {
		struct sr_value *v = sr_operand(op, i);
		const struct sr_attr *value = sr_constant_value(v);
		for (next = i + 1; value && value->dense->splat && next < op->n_operands; next++)
			if (sr_constant_value(sr_operand(op, next)) != value)
				break;
		int64_t *shape = sr_dup(rw->ctx->arena, v->type->shape, (size_t)v->type->rank, sizeof *shape);
		if (next > i + 1 && !__builtin_mul_overflow(shape[dim], (int64_t)(next - i), &shape[dim])) {
			struct sr_builder b = sr_rewrite_before(rw, op);
			v = sr_build_constant(
				&b, sr_splat_to(rw->ctx, value, sr_type_with_shape(rw->ctx, v->type, v->type->rank, shape)));
			sr_rewrite_notify_inserted(rw, v->def);
		}
		sr_push(rw->ctx->arena, &list, v);
	}
	return (int)list.n < op->n_operands && rebuild(rw, op, &list);
}

/* Return the scalar of which all elements of the uniform value v are copies. One that is created is replicated. */
static struct sr_value *scalar_of(struct sr_rewriter *rw, struct sr_op *op, const struct sr_value *v)
{
	const struct sr_attr *constant = sr_constant_value(v), *sharding = sr_value_sharding(rw->ctx, v);
	if (!constant)
		return sr_operand(v->def, 0);
	struct sr_builder b = sr_rewrite_before(rw, op);
	const struct sr_type *t = sr_type_with_shape(rw->ctx, v->type, 0, NULL);
	struct sr_value *scalar = sr_build_constant(&b, sr_splat_to(rw->ctx, constant, t));
	sr_rewrite_notify_inserted(rw, scalar->def);
	if (sharding) {
		struct sr_sdy_sharding replicated = *sharding->sharding;
		replicated.dims = NULL;
		replicated.rank = 0;
		replicated.replicated = replicated.unreduced = (struct sr_sdy_axes){0};
		sr_value_set_sharding(rw->ctx, scalar, sr_attr_sharding(rw->ctx, &replicated));
	}
	return scalar;
}

/* Create v with operand i of the concatenate, which is uniform, before it or after it. */
static struct sr_value *create_padded(struct sr_rewriter *rw, struct sr_op *op, struct sr_value *v, int i, bool is_before)
{
	int dim = (int)sr_op_int(op, SR_NAME_dimension, 0);
	int64_t n = sr_operand(op, i)->type->shape[dim];
	struct sr_value *operands[] = {v, scalar_of(rw, op, sr_operand(op, i))};
	struct sr_named_attr attrs[3];
	sr_match_pad_attrs(rw->ctx, v->type->rank, dim, is_before ? n : 0, is_before ? 0 : n, attrs);
	return sr_rewrite_create_like(rw, op, SR_OP_stablehlo_pad, operands, 2, attrs, 3,
				      sr_match_with_extent(rw->ctx, v->type, dim, v->type->shape[dim] + n));
}

/* concatenate(broadcast of a, x, broadcast of b) -> pad(pad(x, b), a). If a and b are equal constants, the pads become one. */
bool sr_pattern_concatenate_to_pad(struct sr_rewriter *rw, struct sr_op *op)
{
	int at = -1, n_others = 0;
	if (!sr_type_is_static(sr_result(op, 0)->type) || sr_match_empty(sr_result(op, 0)->type))
		return false;
	for (int i = 0; i < op->n_operands; i++)
		if (!sr_match_uniform(sr_operand(op, i))) {
			at = i;
			n_others++;
		}
	if (n_others != 1 || op->n_operands == 1)
		return false;
	struct sr_value *v = sr_operand(op, at);
	for (int i = at + 1; i < op->n_operands; i++)
		v = create_padded(rw, op, v, i, false);
	for (int i = at - 1; i >= 0; i--)
		v = create_padded(rw, op, v, i, true);
	return sr_rewrite_to_value(rw, op, v);
}

enum { MAX_MOVES = 16 }; /* maximum ops between an op and the converts of one of its operands */

/* Return true if an op moves elements of its first operand. */
static bool is_move(const struct sr_op *op)
{
	return sr_op_is(op, SR_OP_stablehlo_slice) || sr_op_is(op, SR_OP_stablehlo_reshape) ||
	       sr_op_is(op, SR_OP_stablehlo_broadcast_in_dim) || sr_op_is(op, SR_OP_stablehlo_reverse);
}

/* Return the narrow integer type from which converts widen all elements of v, if only moves and selects of the block follow them;
 * else SR_DTYPE_NONE. *n_left: number of ops that may still be visited. */
static enum sr_dtype narrow_type(const struct sr_value *v, const struct sr_block *block, int *n_left)
{
	const struct sr_op *def = v->def;
	if (!def || def->block != block || (*n_left)-- == 0)
		return SR_DTYPE_NONE;
	if (is_move(def))
		return narrow_type(sr_operand(def, 0), block, n_left);
	if (sr_op_is(def, SR_OP_stablehlo_select)) {
		enum sr_dtype type = narrow_type(sr_operand(def, 1), block, n_left);
		return type != SR_DTYPE_NONE && narrow_type(sr_operand(def, 2), block, n_left) == type ? type : SR_DTYPE_NONE;
	}
	if (!sr_op_is(def, SR_OP_stablehlo_convert))
		return SR_DTYPE_NONE;
	enum sr_dtype from = sr_operand_type(def, 0)->dtype;
	int bits = sr_dtypes[from].bits;
	bool is_widened = sr_dtype_is_integer(from) && bits >= 8 && bits < sr_dtypes[v->type->dtype].bits;
	return is_widened ? from : SR_DTYPE_NONE;
}

/* Return the type of the op's operands before they are widened, in a local module; SR_DTYPE_NONE: they are not, or differ. */
static enum sr_dtype narrow_type_of_operands(struct sr_rewriter *rw, const struct sr_op *op)
{
	enum sr_dtype type = SR_DTYPE_NONE;
	for (int i = 0; i < op->n_operands; i++) {
		int n_left = MAX_MOVES;
		enum sr_dtype t = rw->config->keeps_shardings ? SR_DTYPE_NONE : narrow_type(sr_operand(op, i), op->block, &n_left);
		if (t == SR_DTYPE_NONE || (i && t != type))
			return SR_DTYPE_NONE;
		type = t;
	}
	return type;
}

/* Build the moves and selects of v, whose elements are widened before, for elements that are not. */
static struct sr_value *build_narrow(struct sr_rewriter *rw, struct sr_op *anchor, struct sr_value *v, enum sr_dtype type)
{
	if (sr_op_is(v->def, SR_OP_stablehlo_convert))
		return sr_operand(v->def, 0);
	struct sr_op *move = sr_op_clone(rw->ctx, v->def, NULL);
	for (int i = sr_op_is(move, SR_OP_stablehlo_select); i < move->n_operands; i++)
		sr_op_set_operand(move, i, build_narrow(rw, anchor, sr_operand(v->def, i), type));
	sr_result(move, 0)->type = sr_type_tensor(rw->ctx, type, v->type->rank, v->type->shape);
	sr_op_insert_before(anchor, move);
	sr_rewrite_notify_inserted(rw, move);
	return sr_result(move, 0);
}

/* In a local module, concatenate(convert(a), slice(convert(b)), ...) of narrow integers -> convert(concatenate(a, slice(b), ...)),
 * as the border of an image whose elements are widened first: readers of the concatenation load fewer bytes. */
bool sr_pattern_concatenate_of_converts(struct sr_rewriter *rw, struct sr_op *op)
{
	value_list list = {0};
	enum sr_dtype type = sr_type_is_static(sr_result_type(op, 0)) ? narrow_type_of_operands(rw, op) : SR_DTYPE_NONE;
	if (type == SR_DTYPE_NONE)
		return false;
	for (int i = 0; i < op->n_operands; i++)
		sr_push(rw->ctx->arena, &list, build_narrow(rw, op, sr_operand(op, i), type));
	struct sr_builder b = sr_rewrite_before(rw, op);
	struct sr_value *joined = sr_build_concatenate(&b, list.data, (int)list.n, (int)sr_op_int(op, SR_NAME_dimension, 0));
	return sr_rewrite_to_value(rw, op, sr_build_convert(&b, joined, sr_result_type(op, 0)->dtype));
}

/* In a local module, collective_permute(slice(convert(x))) of narrow integers -> convert(collective_permute(slice(x))): a border of
 * an image is widened after it is received. A device that receives nothing has zeros in both. */
bool sr_pattern_permute_of_convert(struct sr_rewriter *rw, struct sr_op *op)
{
	enum sr_dtype type = op->n_operands == 1 && sr_type_is_static(sr_result_type(op, 0)) ? narrow_type_of_operands(rw, op)
											     : SR_DTYPE_NONE;
	if (type == SR_DTYPE_NONE)
		return false;
	struct sr_op *permute = sr_op_clone(rw->ctx, op, NULL);
	sr_op_set_operand(permute, 0, build_narrow(rw, op, sr_operand(op, 0), type));
	sr_result(permute, 0)->type = sr_operand_type(permute, 0);
	sr_op_insert_before(op, permute);
	sr_rewrite_notify_inserted(rw, permute);
	struct sr_builder b = sr_rewrite_before(rw, op);
	return sr_rewrite_to_value(rw, op, sr_build_convert(&b, sr_result(permute, 0), sr_result_type(op, 0)->dtype));
}
