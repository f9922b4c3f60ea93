/* Rewrite chlo's broadcasting ops as the stablehlo op, or chlo's own, on operands broadcast to a common shape by NumPy's rule.
 *
 * Static and bounded shapes are broadcast directly. Otherwise shapes are values, and their users are in a region that assumes that
 * they are compatible:
 *
 *	%w = shape.cstr_broadcastable %s, %t
 *	%r = shape.assuming %w -> (...) { %e = shape.broadcast %s, %t ... dynamic_broadcast_in_dim of each operand to %e ... } */
#include "dialect/signature.h"
#include "dialect/attr_names.h"
#include "optimize/legalize/chlo/shapes.h"
#include "optimize/legalize/chlo/structure.h"
#include <string.h>

enum { MAX_OPERANDS = 3 };

static const char prefix[] = "chlo.broadcast_";

/* Return true if the attribute broadcast_dimensions is absent or agrees with NumPy's rule. */
static bool is_numpy_broadcast(struct sr_context *ctx, const struct sr_op *op)
{
	const int64_t *dims;
	int64_t n;
	if (op->n_operands != 2 || !sr_op_attr(op, SR_NAME_broadcast_dimensions))
		return true;
	if (!sr_op_ints(ctx, op, SR_NAME_broadcast_dimensions, &dims, &n))
		return false;
	int larger_rank = sr_operand(op, 0)->type->rank, smaller_rank = sr_operand(op, 1)->type->rank;
	if (larger_rank < smaller_rank) {
		int swap = larger_rank;
		larger_rank = smaller_rank;
		smaller_rank = swap;
	}
	for (int64_t i = 0; i < n; i++)
		if (n != smaller_rank || dims[i] != larger_rank - smaller_rank + i)
			return false;
	return n == smaller_rank;
}

/* Convert an enum attribute of the chlo dialect to that of stablehlo. */
static const struct sr_attr *convert_attr(struct sr_context *ctx, const struct sr_attr *a)
{
	return a->kind == SR_ATTR_ENUM ? sr_attr_enum(ctx, "stablehlo", a->def->name, sr_attr_enum_name(a)) : a;
}

static const struct sr_op_info *plain_op(struct sr_context *ctx, const struct sr_op *op)
{
	static const char *const dialects[] = {"stablehlo", "chlo"};
	for (int i = 0; i < 2; i++) {
		const struct sr_op_info *info = sr_op_info_of(ctx, sr_printf(ctx->arena, "%s.%s", dialects[i], op->info->name + strlen(prefix)));
		if (info->code)
			return info;
	}
	return NULL;
}

static struct sr_value *build_plain_op(struct sr_builder *b, const struct sr_op *op, struct sr_value *const *operands)
{
	struct sr_named_attr attrs[8];
	int n = 0;
	for (int i = 0; i < op->n_attrs && n < 8; i++)
		if (strcmp(op->attrs[i].name, SR_NAME_broadcast_dimensions) != 0)
			attrs[n++] = (struct sr_named_attr){op->attrs[i].name, convert_attr(b->ctx, op->attrs[i].value)};
	const struct sr_type *type = sr_result(op, 0)->type;
	enum sr_op_code code = (enum sr_op_code)plain_op(b->ctx, op)->code;
	return sr_result(sr_build(b, code, operands, op->n_operands, attrs, n, &type, 1), 0);
}

/* Return true for the scalar predicate of a select, which is not broadcast. */
static bool is_scalar_predicate(const struct sr_op *op, int operand)
{
	return op->n_operands == 3 && operand == 0 && sr_operand(op, 0)->type->rank == 0;
}

static struct sr_value *broadcast_static(struct sr_builder *b, const struct sr_op *op)
{
	struct sr_value *operands[MAX_OPERANDS];
	int first = is_scalar_predicate(op, 0) ? 1 : 0;
	for (int i = 0; i < op->n_operands; i++)
		operands[i] = sr_operand(op, i);
	if (!sr_chlo_broadcast_bounded(b, operands + first, op->n_operands - first, operands + first))
		return NULL;
	return build_plain_op(b, op, operands);
}

static bool has_unit_extents(const struct sr_type *t)
{
	for (int d = 0; d < t->rank; d++)
		if (t->shape[d] != 1)
			return false;
	return true;
}

/* Collect the operands' shapes as values, those of dynamic operands first, which is the canonical order. Returns their number. */
static int shapes_of(struct sr_builder *b, const struct sr_op *op, struct sr_value **shapes, struct sr_value **ranked_shapes,
		     int *n_ranked)
{
	struct sr_value *ranked_operands[MAX_OPERANDS];
	int n = 0;
	*n_ranked = 0;
	for (int i = 0; i < op->n_operands; i++)
		ranked_operands[i] = sr_type_is_static(sr_operand(op, i)->type) ? sr_chlo_shape_of(b, sr_operand(op, i)) : NULL;
	for (int constant = 0; constant < 2; constant++)
		for (int i = 0; i < op->n_operands; i++) {
			if ((ranked_operands[i] != NULL) != (constant == 1))
				continue;
			shapes[n] = ranked_operands[i] ? ranked_operands[i] : sr_chlo_shape_of(b, sr_operand(op, i));
			if (!has_unit_extents(sr_operand(op, i)->type))
				ranked_shapes[(*n_ranked)++] = shapes[n];
			n++;
		}
	return n;
}

static struct sr_value *broadcast_dynamic(struct sr_builder *b, struct sr_value *v, const struct sr_type *to,
					  struct sr_value *extents)
{
	int64_t dims[SR_MAX_RANK];
	for (int i = 0; i < v->type->rank; i++)
		dims[i] = to->rank - v->type->rank + i;
	const struct sr_type *type = sr_type_tensor_of(b->ctx, v->type->element, to->rank, to->shape, NULL);
	struct sr_named_attr attr = {SR_NAME_broadcast_dimensions, sr_attr_i64s(b->ctx, dims, v->type->rank)};
	struct sr_value *operands[] = {v, extents};
	return sr_result(sr_build(b, SR_OP_stablehlo_dynamic_broadcast_in_dim, operands, 2, &attr, 1, &type, 1), 0);
}

static struct sr_value *broadcast_assuming(struct sr_builder *b, const struct sr_op *op, struct sr_value **result)
{
	struct sr_context *ctx = b->ctx;
	const struct sr_type *type = sr_result(op, 0)->type;
	struct sr_type opaque = {.kind = SR_TYPE_OPAQUE, .text = sr_intern(ctx, "shape.witness")};
	const struct sr_type *witness = sr_type_intern(ctx, &opaque);
	struct sr_value *shapes[MAX_OPERANDS], *ranked_shapes[MAX_OPERANDS], *operands[MAX_OPERANDS];
	int n_ranked, n = shapes_of(b, op, shapes, ranked_shapes, &n_ranked);
	struct sr_value *w = sr_result(sr_build(b, SR_OP_shape_cstr_broadcastable, shapes, n, NULL, 0, &witness, 1), 0);
	struct sr_op *assuming_op = sr_build(b, SR_OP_shape_assuming, &w, 1, NULL, 0, &type, 1);
	struct sr_builder b_inner = {.ctx = ctx, .block = sr_block_new(ctx, &assuming_op->regions[0]), .loc = op->loc};
	const struct sr_type *index = sr_type_intern(ctx, &(struct sr_type){.kind = SR_TYPE_INDEX});
	const struct sr_type *list = sr_type_tensor_of(ctx, index, 1, (int64_t[]){type->rank}, NULL);
	struct sr_value *extents = sr_result(sr_build(&b_inner, SR_OP_shape_broadcast, ranked_shapes, n_ranked, NULL, 0, &list, 1),
					     0);
	for (int i = 0; i < op->n_operands; i++)
		operands[i] = is_scalar_predicate(op, i) ? sr_operand(op, i)
							 : broadcast_dynamic(&b_inner, sr_operand(op, i), type, extents);
	*result = build_plain_op(&b_inner, op, operands);
	sr_build(&b_inner, SR_OP_shape_assuming_yield, result, 1, NULL, 0, NULL, 0);
	return sr_result(assuming_op, 0);
}

bool sr_chlo_broadcast(struct sr_builder *b, struct sr_op *op, void (*on_created)(void *data, struct sr_op *op), void *data)
{
	bool is_bounded = sr_chlo_is_bounded(sr_result(op, 0)->type), is_ranked = sr_result(op, 0)->type->kind == SR_TYPE_TENSOR;
	if (strncmp(op->info->name, prefix, strlen(prefix)) != 0 || op->n_operands > MAX_OPERANDS || !plain_op(b->ctx, op))
		return false;
	for (int i = 0; i < op->n_operands; i++) {
		is_bounded = is_bounded && sr_chlo_is_bounded(sr_operand(op, i)->type);
		is_ranked = is_ranked && sr_operand(op, i)->type->kind == SR_TYPE_TENSOR;
	}
	if (!is_ranked)
		return false;
	if (!is_numpy_broadcast(b->ctx, op)) {
		sr_report(&b->ctx->diags, SR_WARNING, sr_loc_source(op->loc),
			  "'%s' op unsupported non prefix-padded dynamic rank broadcast_dimensions", op->info->name);
		return false;
	}
	struct sr_value *inner = NULL, *v = is_bounded ? broadcast_static(b, op) : broadcast_assuming(b, op, &inner);
	if (!v)
		return false;
	const struct sr_op *producer = inner ? inner->def : v->def;
	if (strcmp(producer->info->dialect, "chlo") == 0)
		on_created(data, (struct sr_op *)producer);
	sr_value_replace_all(sr_result(op, 0), v);
	sr_op_erase(op);
	return true;
}
