/* The rewriter and its worklist, a stack of ops without duplicates. A change pushes the ops that it may have made simplifiable. */
#include "optimize/patterns/rewrite.h"
#include "optimize/discardable.h"

static void push(struct sr_rewriter *rw, struct sr_op *op)
{
	if (op->mark)
		return;
	sr_push(rw->ctx->scratch, &rw->worklist, op);
	op->mark = (int)rw->worklist.n;
}

static bool remove_from_worklist(void *data, struct sr_op *op)
{
	struct sr_rewriter *rw = data;
	if (op->mark)
		rw->worklist.data[op->mark - 1] = NULL;
	op->mark = 0;
	return true;
}

struct sr_builder sr_rewrite_before(struct sr_rewriter *rw, struct sr_op *anchor)
{
	return (struct sr_builder){.ctx = rw->ctx, .block = anchor->block, .anchor = anchor, .loc = anchor->loc};
}

void sr_rewrite_notify_inserted(struct sr_rewriter *rw, struct sr_op *op)
{
	push(rw, op);
}

void sr_rewrite_notify_modified(struct sr_rewriter *rw, struct sr_op *op)
{
	push(rw, op);
}

void sr_rewrite_replace_value(struct sr_rewriter *rw, struct sr_value *old_value, struct sr_value *new_value)
{
	for (struct sr_use *use = old_value->uses; use; use = use->next)
		push(rw, use->owner);
	sr_value_replace_all(old_value, new_value);
}

/* Push the op that defines a value which loses a use, if at most one other user is left: the op may now be dead or foldable. */
static void push_definition(struct sr_rewriter *rw, const struct sr_value *v, const struct sr_op *removed_reader)
{
	const struct sr_op *only_reader = NULL;
	if (!v->def)
		return;
	for (const struct sr_use *use = v->uses; use; use = use->next) {
		if (use->owner == removed_reader || use->owner == only_reader)
			continue;
		if (only_reader)
			return;
		only_reader = use->owner;
	}
	push(rw, v->def);
}

static bool push_operands(void *data, struct sr_op *op)
{
	for (int i = 0; i < op->n_operands; i++)
		push_definition(data, sr_operand(op, i), op);
	return true;
}

void sr_rewrite_erase(struct sr_rewriter *rw, struct sr_op *op)
{
	sr_walk_post(op, push_operands, rw);
	sr_walk(op, remove_from_worklist, rw);
	sr_op_erase(op);
}

void sr_rewrite_replace(struct sr_rewriter *rw, struct sr_op *op, struct sr_value *value)
{
	sr_rewrite_replace_value(rw, sr_result(op, 0), value);
	sr_rewrite_erase(rw, op);
}

void sr_rewrite_inline_block(struct sr_rewriter *rw, struct sr_op *op, struct sr_block *block)
{
	while (block->first != block->last) {
		struct sr_op *inner = block->first;
		sr_op_move_before(inner, op);
		sr_rewrite_notify_modified(rw, inner);
	}
	for (int i = 0; i < op->n_results; i++)
		sr_rewrite_replace_value(rw, sr_result(op, i), sr_operand(block->last, i));
}

struct sr_op *sr_rewrite_create(struct sr_rewriter *rw, struct sr_op *anchor, enum sr_op_code code,
				struct sr_value *const *operands, int n_operands, const struct sr_named_attr *attrs,
				int n_attrs, const struct sr_type *type)
{
	struct sr_builder b = sr_rewrite_before(rw, anchor);
	struct sr_op *new_op = sr_build(&b, code, operands, n_operands, attrs, n_attrs, &type, 1);
	sr_rewrite_notify_inserted(rw, new_op);
	return new_op;
}

bool sr_rewrite_replace_with(struct sr_rewriter *rw, struct sr_op *op, enum sr_op_code code, struct sr_value *const *operands,
			     int n_operands, const struct sr_named_attr *attrs, int n_attrs)
{
	struct sr_op *new_op = sr_rewrite_create(rw, op, code, operands, n_operands, attrs, n_attrs, sr_result(op, 0)->type);
	sr_discardable_merge(rw->ctx, op, new_op);
	sr_rewrite_replace(rw, op, sr_result(new_op, 0));
	return true;
}

bool sr_rewrite_decompose(struct sr_rewriter *rw, struct sr_op *op, bool (*decompose)(struct sr_builder *b, struct sr_op *op))
{
	struct sr_op *previous = op->prev;
	struct sr_builder b = sr_rewrite_before(rw, op);
	SR_VEC(struct sr_op *) users = {0};
	for (const struct sr_use *use = sr_result(op, 0)->uses; use; use = use->next)
		sr_push(rw->ctx->scratch, &users, use->owner);
	if (!decompose(&b, op))
		return false;
	for (struct sr_op *new_op = previous ? previous->next : op->block->first; new_op != op; new_op = new_op->next)
		push(rw, new_op);
	for (size_t i = 0; i < users.n; i++)
		push(rw, users.data[i]);
	sr_rewrite_erase(rw, op);
	return true;
}
