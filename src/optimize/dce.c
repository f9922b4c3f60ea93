/* dce: dead code elimination. Keeps the ops on which the results of functions and side effects depend.
 *
 * A value is live if a live op uses it. Ops with side effects and terminators of functions are live. Unlike in canonicalize, a
 * collective does not count as a side effect: all devices run the same program, so an unused collective is removed on all of them.
 * A live op makes its operands live, and the operands of its regions' terminators. A while makes live only those carried values
 * that are read: result, region arguments, operand and yielded value of one position are live or dead together. */
#include "dialect/ops.h"
#include "optimize/pass_functions.h"
#include "support/vec.h"

struct liveness {
	struct sr_context *ctx;
	struct sr_map ops, values; /* sets of live ops and of live values */
	SR_VEC(const struct sr_value *) worklist;
};

static void mark_value_live(struct liveness *l, const struct sr_value *v)
{
	if (sr_map_has(&l->values, v))
		return;
	sr_map_put(&l->values, v, (void *)v);
	sr_push(l->ctx->scratch, &l->worklist, v);
}

static void mark_operands_live(struct liveness *l, const struct sr_op *op)
{
	for (int i = 0; i < op->n_operands; i++)
		mark_value_live(l, sr_operand(op, i));
}

static struct sr_block *func_body(const struct sr_op *op, int region)
{
	return op->regions[region].first;
}

/* Mark as live the five values of position i of a loop's carried values (see the head of the file). */
static void mark_carried_live(struct liveness *l, const struct sr_op *loop, int i)
{
	mark_value_live(l, sr_result(loop, i));
	mark_value_live(l, func_body(loop, 0)->args[i]);
	mark_value_live(l, func_body(loop, 1)->args[i]);
	mark_value_live(l, sr_operand(loop, i));
	mark_value_live(l, sr_operand(func_body(loop, 1)->last, i));
}

static void mark_op_live(struct liveness *l, const struct sr_op *op);

static bool is_live_inside(void *data, struct sr_op *op)
{
	mark_op_live(data, op);
	return true;
}

static void mark_op_live(struct liveness *l, const struct sr_op *op)
{
	if (!op || sr_map_has(&l->ops, op))
		return;
	sr_map_put(&l->ops, op, (void *)op);
	mark_op_live(l, sr_op_parent(op));
	if (sr_op_is(op, SR_OP_stablehlo_while)) {
		mark_operands_live(l, func_body(op, 0)->last);
		return;
	}
	mark_operands_live(l, op);
	if (op->n_regions && !(op->info->traits & (SR_RECURSIVE_EFFECTS | SR_SYMBOL | SR_SYMBOL_TABLE)))
		/* the ops of a reducer or comparator are live if the op that has it as a region is live */
		sr_walk((struct sr_op *)op, is_live_inside, l);
	for (int i = 0; i < op->n_regions; i++)
		for (const struct sr_block *b = op->regions[i].first; b; b = b->next)
			if (b->last && (b->last->info->traits & SR_TERMINATOR))
				mark_operands_live(l, b->last);
}

/* Return true for ops whose execution has an effect besides their results: other devices wait for sends and receives, which have a
 * token; results of other collectives are all that they are for. */
static bool has_effect(const struct sr_op *op)
{
	if (op->info->traits & SR_COLLECTIVE && op->n_results && op->results[op->n_results - 1].type->kind == SR_TYPE_TOKEN)
		return true;
	return !(op->info->traits & (SR_COLLECTIVE | SR_TERMINATOR | SR_RECURSIVE_EFFECTS)) && !sr_op_is_pure(op);
}

static bool find_roots(void *data, struct sr_op *op)
{
	if (has_effect(op))
		mark_op_live(data, op);
	return true;
}

static void mark_definition_live(struct liveness *l)
{
	while (l->worklist.n) {
		const struct sr_value *v = sr_pop(&l->worklist);
		const struct sr_op *owner = sr_value_owner(v);
		mark_op_live(l, owner);
		if (sr_op_is(owner, SR_OP_stablehlo_while))
			mark_carried_live(l, owner, v->index);
	}
}

/* ---------------------------------------------------------------- removal */

static bool carries_live_value(const struct liveness *l, const struct sr_op *loop, int i)
{
	return sr_map_has(&l->values, sr_result(loop, i));
}

/* Copy the shardings of the remaining results from the loop to the loop that replaces it. */
static void keep_shardings(struct liveness *l, const struct sr_op *loop, struct sr_op *new_op)
{
	for (int i = 0; i < loop->n_attrs; i++) {
		const struct sr_attr *old = loop->attrs[i].value;
		const struct sr_attr **list = SR_NEW_ARRAY(l->ctx->scratch, const struct sr_attr *, loop->n_results);
		if (old->kind != SR_ATTR_SHARDINGS || old->n != loop->n_results)
			continue;
		int n = 0;
		for (int k = 0; k < loop->n_results; k++)
			if (carries_live_value(l, loop, k))
				list[n++] = old->list[k];
		sr_op_set_attr(l->ctx, new_op, loop->attrs[i].name, sr_attr_shardings(l->ctx, list, n));
	}
}

/* Replace a loop by one that carries only the live positions. Dead ops in its regions have been erased. */
static void shrink_loop(struct liveness *l, struct sr_op *loop)
{
	const struct sr_type **types = SR_NEW_ARRAY(l->ctx->scratch, const struct sr_type *, loop->n_results);
	struct sr_value **operands = SR_NEW_ARRAY(l->ctx->scratch, struct sr_value *, loop->n_results);
	int n = 0;
	for (int i = 0; i < loop->n_results; i++)
		if (carries_live_value(l, loop, i)) {
			types[n] = sr_result(loop, i)->type;
			operands[n++] = sr_operand(loop, i);
		}
	if (n == loop->n_results)
		return;
	struct sr_op *new_op = sr_op_new(l->ctx, &(struct sr_op_spec){.info = loop->info, .loc = loop->loc, .operands = operands,
								    .n_operands = n, .results = types, .n_results = n,
								    .attrs = loop->attrs, .n_attrs = loop->n_attrs, .n_regions = loop->n_regions});
	keep_shardings(l, loop, new_op);
	for (int i = loop->n_results - 1; i >= 0; i--)
		for (int r = 0; r < 2 && !carries_live_value(l, loop, i); r++)
			sr_block_remove_arg(func_body(loop, r), i);
	for (int r = 0; r < loop->n_regions; r++)
		sr_region_take(&new_op->regions[r], &loop->regions[r]);
	for (int i = 0, k = 0; i < loop->n_results; i++)
		if (carries_live_value(l, loop, i))
			sr_value_replace_all(sr_result(loop, i), sr_result(new_op, k++));
	sr_op_insert_before(loop, new_op);
	sr_op_erase(loop);
}

static void shrink_yield(struct liveness *l, const struct sr_op *loop)
{
	for (int i = loop->n_results - 1; i >= 0; i--)
		if (!carries_live_value(l, loop, i))
			sr_op_remove_operand(func_body(loop, 1)->last, i);
}

/* Erase the dead ops of a region from the last to the first, so that users are erased before definitions. */
static void erase_dead_ops(struct liveness *l, struct sr_op *owner)
{
	for (int r = 0; r < owner->n_regions; r++)
		for (struct sr_block *b = owner->regions[r].first; b; b = b->next)
			for (struct sr_op *op = b->last, *prev; op; op = prev) {
				prev = op->prev;
				bool loop = sr_op_is(op, SR_OP_stablehlo_while);
				if (!sr_map_has(&l->ops, op) && !(op->info->traits & SR_TERMINATOR)) {
					sr_op_erase(op);
					continue;
				}
				if (loop)
					shrink_yield(l, op);
				erase_dead_ops(l, op);
				if (loop)
					shrink_loop(l, op);
			}
}

enum sr_status sr_run_dce(struct sr_context *ctx, struct sr_op *root, const struct sr_pass_options *options)
{
	struct liveness l = {.ctx = ctx};
	sr_map_init(&l.ops, ctx->scratch);
	sr_map_init(&l.values, ctx->scratch);
	mark_op_live(&l, root);
	sr_walk(root, find_roots, &l);
	mark_definition_live(&l);
	erase_dead_ops(&l, root);
	return SR_OK;
}
