/* Let elementwise ops read the operands of a concatenation instead of its result, as rotary embeddings concatenate halves of rows:
 *
 *	concatenate(negate(a), b) * s  ->  concatenate(negate(a) * s[:n], b * s[n:])
 *
 * This precedes the lowering to loop nests. The nests of the operands are then fused with those of the elementwise ops, and
 * write their parts of the last concatenation in place. */
#include "dialect/attr_names.h"
#include "dialect/op_builders.h"
#include "work/work.h"

enum {
	MAX_OPERANDS = SR_WORK_MAX_ELEMENTWISE_OPERANDS, /* also of a concatenation, each of which has its own nest */
	MIN_ROW = 16,         /* minimum contiguous elements of an operand: one vector */
	MIN_BYTES = 16 << 10, /* minimum bytes of the result: a smaller one is copied in less time than a nest begins */
	MAX_DEPTH = 8,        /* maximum length of a chain of elementwise ops that is divided instead of its result */
};

bool sr_work_is_elementwise(const struct sr_op *op)
{
	if (!sr_op_has(op, SR_ELEMENTWISE) || op->n_regions || op->n_results != 1 || !op->n_operands ||
	    op->n_operands > SR_WORK_MAX_ELEMENTWISE_OPERANDS)
		return false;
	const struct sr_type *type = sr_result(op, 0)->type;
	for (int i = 0; i < op->n_operands; i++) {
		const struct sr_type *t = sr_operand(op, i)->type;
		for (int d = 0; t->rank && d < type->rank; d++)
			if (t->rank != type->rank || t->shape[d] != type->shape[d])
				return false;
	}
	return type->rank > 0;
}

/* Return true if operands of the concatenation are slices or computed elementwise, at least one of them, and no operand has most of
 * the elements: nests read the operands of such a concatenation in place. */
static bool is_of_computed_parts(const struct sr_op *op, int64_t dim)
{
	const struct sr_type *type = sr_result(op, 0)->type;
	int64_t elements, row = 1;
	bool is_any_computed = false;
	if (!sr_type_elements(type, &elements))
		return false;
	for (int d = (int)dim + 1; d < type->rank; d++)
		row *= type->shape[d];
	for (int i = 0; i < op->n_operands; i++) {
		const struct sr_value *v = sr_operand(op, i);
		const struct sr_op *def = v->def && v->def->block == op->block ? v->def : NULL;
		int64_t extent = v->type->shape[dim];
		bool is_computed = def && sr_work_is_elementwise(def);
		if (extent > type->shape[dim] / 4 * 3 || extent * row < MIN_ROW ||
		    !(is_computed || (def && sr_op_is(def, SR_OP_stablehlo_slice))))
			return false;
		is_any_computed = is_any_computed || is_computed;
	}
	return is_any_computed;
}

/* Return the only user of the concatenation if it is to be divided; else NULL. */
static struct sr_op *divided_user(const struct sr_op *op, int64_t dim)
{
	struct sr_value *v = sr_result(op, 0);
	if (op->n_operands < 2 || op->n_operands > MAX_OPERANDS || !sr_value_has_one_use(v) || !sr_type_is_static(v->type) ||
	    sr_value_bytes(v) < MIN_BYTES)
		return NULL;
	struct sr_op *user = v->uses->owner;
	bool is_divided = user->block == op->block && sr_work_is_elementwise(user) && is_of_computed_parts(op, dim) &&
			  sr_value_bytes(sr_result(user, 0)) <= sr_value_bytes(v);
	return is_divided ? user : NULL;
}

struct sr_value *sr_work_build_elementwise(struct sr_builder *b, const struct sr_op *op, struct sr_value *const *operands,
					   const struct sr_type *shape)
{
	struct sr_op *copy = sr_op_clone(b->ctx, op, NULL);
	for (int i = 0; i < op->n_operands; i++)
		sr_op_set_operand(copy, i, operands[i]);
	sr_result(copy, 0)->type = sr_type_with_shape(b->ctx, sr_result_type(op, 0), shape->rank, shape->shape);
	sr_op_insert_before(b->anchor, copy);
	return sr_result(copy, 0);
}

/* Build elements [first, first + n) of a value along dimension dim. A chain of elementwise ops of which each has only one reader is
 * divided from its beginning on. A scalar stays. */
static struct sr_value *build_part(struct sr_builder *b, struct sr_value *v, int64_t dim, int64_t first, int64_t n, int depth)
{
	struct sr_op *def = v->def;
	struct sr_value *operands[MAX_OPERANDS], *part = v;
	if (!v->type->rank)
		return v;
	if (!def || def->block != b->block || depth == MAX_DEPTH || !sr_work_is_elementwise(def) || !sr_value_has_one_use(v))
		return sr_build_slice_dim(b, v, (int)dim, first, n, 1);
	for (int i = 0; i < def->n_operands; i++) {
		operands[i] = build_part(b, sr_operand(def, i), dim, first, n, depth + 1);
		part = operands[i]->type->rank ? operands[i] : part;
	}
	return sr_work_build_elementwise(b, def, operands, part->type);
}

struct sr_op *sr_work_sink_concatenate(struct sr_context *ctx, struct sr_op *op)
{
	int64_t dim = sr_op_int(op, SR_NAME_dimension, 0);
	if (sr_work_is_stack(op))
		return op;
	for (struct sr_op *user = divided_user(op, dim); user; user = divided_user(op, dim)) {
		struct sr_builder b = {.ctx = ctx, .block = op->block, .anchor = user, .loc = user->loc};
		struct sr_value *parts[MAX_OPERANDS], *operands[MAX_OPERANDS];
		int64_t first = 0;
		for (int i = 0; i < op->n_operands; i++) {
			struct sr_value *v = sr_operand(op, i);
			int64_t n = v->type->shape[dim];
			for (int k = 0; k < user->n_operands; k++) {
				struct sr_value *operand = sr_operand(user, k);
				operands[k] = operand == sr_result(op, 0) ? v : build_part(&b, operand, dim, first, n, 0);
			}
			parts[i] = sr_work_build_elementwise(&b, user, operands, v->type);
			first += n;
		}
		op = sr_build_concatenate(&b, parts, op->n_operands, (int)dim)->def;
		sr_value_replace_all(sr_result(user, 0), sr_result(op, 0));
		sr_work_retire_unused(ctx, user);
	}
	return op;
}
