/* Fold ops of the shape dialect on known shapes.
 *
 *	%0 = shape.shape_of %a                                 [4]
 *	%1 = shape.shape_of %b                                 [3, 4]
 *	%2 = shape.cstr_broadcastable %0, %1                   holds
 *	%3 = shape.assuming %2 { ... shape.broadcast %0, %1    [3, 4] ... }   replaced by its body */
#include "optimize/shapes/refine_extents.h"
#include "dialect/attr_names.h"
#include <string.h>

bool sr_known_extents(struct sr_context *ctx, const struct sr_value *shape, struct sr_ints *out)
{
	const struct sr_op *def = shape->def;
	return def && sr_op_is(def, SR_OP_shape_const_shape) ? sr_attr_ints(ctx, sr_op_attr(def, SR_NAME_shape), &out->v, &out->n)
							     : sr_value_ints(ctx, shape, out);
}

/* Broadcast the operands' shapes by NumPy's rule, with trailing dimensions aligned. Returns false if a shape is not known or they
 * are incompatible. */
static bool broadcast(struct sr_context *ctx, const struct sr_op *op, int64_t *extents, int *rank)
{
	*rank = 0;
	for (int i = 0; i < op->n_operands; i++) {
		struct sr_ints operand_shape;
		if (!sr_known_extents(ctx, sr_operand(op, i), &operand_shape) || operand_shape.n > SR_MAX_RANK)
			return false;
		int n_added = (int)operand_shape.n - *rank;
		if (n_added > 0) {
			memmove(extents + n_added, extents, sizeof *extents * (size_t)*rank);
			for (int d = 0; d < n_added; d++)
				extents[d] = 1;
			*rank += n_added;
		}
		for (int64_t d = 0; d < operand_shape.n; d++) {
			int64_t *extent = &extents[*rank - operand_shape.n + d];
			if (*extent != 1 && operand_shape.v[d] != 1 && *extent != operand_shape.v[d])
				return false;
			if (*extent == 1)
				*extent = operand_shape.v[d];
		}
	}
	return op->n_operands > 0;
}

/* Return true if all users of a shape accept any type of shape. */
static bool may_change_type(const struct sr_value *shape)
{
	for (const struct sr_use *use = shape->uses; use; use = use->next)
		if (strcmp(use->owner->info->dialect, "stablehlo") != 0 && !sr_op_is(use->owner, SR_OP_shape_broadcast) &&
		    !sr_op_is(use->owner, SR_OP_shape_cstr_broadcastable))
			return false;
	return true;
}

bool sr_refine_extents(struct sr_context *ctx, struct sr_op *op)
{
	if (op->n_operands == 0) /* a shape.broadcast without operands is not refined */
		return false;
	const struct sr_type *t = sr_operand(op, 0)->type, *declared_type = sr_result(op, 0)->type;
	int64_t buffer[SR_MAX_RANK];
	const int64_t *extents = buffer;
	int rank;
	if (sr_op_is(op, SR_OP_shape_shape_of) && sr_type_is_static(t)) {
		extents = t->shape;
		rank = t->rank;
	} else if (!sr_op_is(op, SR_OP_shape_broadcast) || !broadcast(ctx, op, buffer, &rank)) {
		return false;
	}
	const struct sr_type *index = sr_type_intern(ctx, &(struct sr_type){.kind = SR_TYPE_INDEX});
	const struct sr_type *list = sr_type_tensor_of(ctx, index, 1, (int64_t[]){rank}, NULL);
	const struct sr_type *type = declared_type->kind == SR_TYPE_TENSOR ? list : declared_type;
	if (type != declared_type && !may_change_type(sr_result(op, 0)))
		return false;
	struct sr_builder b = {.ctx = ctx, .block = op->block, .anchor = op, .loc = op->loc};
	struct sr_named_attr attr = {SR_NAME_shape, sr_attr_dense(ctx, list, extents, rank * (int64_t)sizeof *extents)};
	sr_value_replace_all(sr_result(op, 0), sr_result(sr_build(&b, SR_OP_shape_const_shape, NULL, 0, &attr, 1, &type, 1), 0));
	sr_op_erase(op);
	return true;
}

static bool witness_holds(struct sr_context *ctx, const struct sr_value *witness)
{
	int64_t extents[SR_MAX_RANK];
	int rank;
	return witness->def && sr_op_is(witness->def, SR_OP_shape_cstr_broadcastable) &&
	       broadcast(ctx, witness->def, extents, &rank);
}

bool sr_refine_assuming(struct sr_op *assuming, struct sr_context *ctx)
{
	struct sr_block *body = assuming->regions[0].first;
	struct sr_op *end = body ? body->last : NULL;
	if (!end || end->n_operands != assuming->n_results || !witness_holds(ctx, sr_operand(assuming, 0)))
		return false;
	for (int i = 0; i < assuming->n_results; i++)
		sr_value_replace_all(sr_result(assuming, i), sr_operand(end, i));
	sr_op_erase(end);
	while (body->first)
		sr_op_move_before(body->first, assuming);
	sr_op_erase(assuming);
	return true;
}

/* If v is a cast of integers to index values, return the integers; otherwise NULL. */
static struct sr_value *integers_of(const struct sr_value *shape)
{
	const struct sr_op *def = shape->def;
	bool is_cast = def && def->n_operands == 1 &&
		       (sr_op_is(def, SR_OP_builtin_unrealized_conversion_cast) || sr_op_is(def, SR_OP_arith_index_cast));
	struct sr_value *source = is_cast ? sr_operand(def, 0) : NULL;
	bool is_index_cast = source && sr_type_is_static(shape->type) && shape->type->element->kind == SR_TYPE_INDEX &&
		    sr_type_is_static(source->type) && source->type->element->kind == SR_TYPE_INTEGER &&
		    source->type->rank == 1 && shape->type->rank == 1 && source->type->shape[0] == shape->type->shape[0];
	return is_index_cast ? source : NULL;
}

void sr_materialize_extents(struct sr_context *ctx, struct sr_op *op)
{
	for (int i = 0; i < op->n_operands; i++) {
		const struct sr_op *def = sr_operand(op, i)->def;
		struct sr_value *integers = integers_of(sr_operand(op, i));
		struct sr_ints extents;
		if (integers)
			sr_op_set_operand(op, i, integers);
		if (!def || !sr_op_is(def, SR_OP_shape_const_shape) || !sr_known_extents(ctx, sr_operand(op, i), &extents))
			continue;
		struct sr_builder b = {.ctx = ctx, .block = op->block, .anchor = op, .loc = op->loc};
		const struct sr_type *type = sr_type_tensor(ctx, SR_I64, 1, (int64_t[]){extents.n});
		const struct sr_attr *value = sr_attr_dense(ctx, type, extents.v, extents.n * (int64_t)sizeof *extents.v);
		sr_op_set_operand(op, i, sr_build_constant(&b, value));
	}
}
