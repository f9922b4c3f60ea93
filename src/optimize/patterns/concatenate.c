/* Patterns that simplify concatenate. */
#include "optimize/patterns/match.h"
#include "dialect/attr_names.h"
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
		const struct sr_op *inner = sr_match_def(v, SR_OP_stablehlo_concatenate);
		if (!inner || !sr_match_one_use(v) || sr_op_attr(inner, SR_NAME_dimension) != sr_op_attr(op, SR_NAME_dimension)) {
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
