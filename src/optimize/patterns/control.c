/* Patterns that simplify case and while. */
#include "optimize/patterns/match.h"
#include "optimize/patterns/patterns.h"
#include "optimize/side_effects.h"

/* ---------------------------------------------------------------- case */

/* Return the branch that a constant index selects, -1 if it is not constant. An index out of range selects the last branch. */
static int selected_branch(struct sr_rewriter *rw, const struct sr_op *op)
{
	struct sr_ints index;
	if (!sr_value_ints(rw->ctx, sr_operand(op, 0), &index) || index.n != 1)
		return -1;
	return index.v[0] < 0 || index.v[0] >= op->n_regions ? op->n_regions - 1 : (int)index.v[0];
}

/* case with a constant index -> ops of the selected branch. */
bool sr_pattern_case_of_constant(struct sr_rewriter *rw, struct sr_op *op)
{
	int selected_index = selected_branch(rw, op);
	if (selected_index < 0)
		return false;
	sr_rewrite_inline_block(rw, op, op->regions[selected_index].first);
	sr_rewrite_erase(rw, op);
	return true;
}

/* Build an arbitrary value of the given type, which nothing reads. */
static struct sr_value *placeholder(struct sr_rewriter *rw, struct sr_builder *b, const struct sr_type *t)
{
	if (t->kind == SR_TYPE_TOKEN)
		return sr_result(sr_build(b, SR_OP_stablehlo_after_all, NULL, 0, NULL, 0, &t, 1), 0);
	return sr_build_constant(b, sr_splat_number(rw->ctx, t, 0));
}

static bool has_placeholders(const struct sr_op *op)
{
	for (int i = 0; i < op->n_results; i++) {
		const struct sr_type *t = op->results[i].type;
		if (t->kind != SR_TYPE_TOKEN && (!sr_type_is_static(t) || t->dtype == SR_DTYPE_NONE))
			return false;
	}
	return true;
}

static bool is_used(const struct sr_op *op)
{
	for (int i = 0; i < op->n_results; i++)
		if (op->results[i].uses)
			return true;
	return false;
}

/* case with a constant index and used results -> the selected branch's ops before it. The case op stays, as in upstream, in case
 * the other branches have side effects; otherwise it is dead and is erased later. */
bool sr_pattern_inline_case(struct sr_rewriter *rw, struct sr_op *op)
{
	int selected_index = selected_branch(rw, op);
	if (selected_index < 0 || !is_used(op) || !has_placeholders(op))
		return false;
	struct sr_block *body = op->regions[selected_index].first;
	sr_rewrite_inline_block(rw, op, body);
	struct sr_builder b = sr_rewrite_before(rw, body->last);
	for (int i = 0; i < op->n_results; i++)
		sr_op_set_operand(body->last, i, placeholder(rw, &b, sr_result(op, i)->type));
	sr_rewrite_notify_modified(rw, op);
	return true;
}

/* ---------------------------------------------------------------- while */

static bool never_runs(struct sr_rewriter *rw, const struct sr_op *loop)
{
	const struct sr_op *end = loop->regions[0].first->last;
	return sr_is_splat_of(rw->ctx, sr_operand(end, 0), 0);
}

/* while whose condition is constant false -> operands. */
bool sr_pattern_while_never_runs(struct sr_rewriter *rw, struct sr_op *op)
{
	if (!is_used(op) || !never_runs(rw, op))
		return false;
	for (int i = 0; i < op->n_results; i++)
		sr_rewrite_replace_value(rw, sr_result(op, i), sr_operand(op, i));
	sr_rewrite_notify_modified(rw, op);
	return true;
}

static bool declares_no_effects(void *data, struct sr_op *op)
{
	(void)data;
	return op->n_regions || sr_op_has(op, SR_TERMINATOR) || sr_op_is(op, SR_OP_func_call) || sr_op_is_pure(op);
}

/* Erase an unused while whose condition is constant false, if the configuration assumes that calls have no side effects. */
bool sr_pattern_unused_while(struct sr_rewriter *rw, struct sr_op *op)
{
	if (!rw->config->assume_pure || is_used(op) || !never_runs(rw, op) || !sr_walk(op, declares_no_effects, NULL))
		return false;
	sr_rewrite_erase(rw, op);
	return true;
}

/* while with a carried value that is yielded unchanged -> the value is captured from outside instead. */
bool sr_pattern_while_capture(struct sr_rewriter *rw, struct sr_op *op)
{
	struct sr_block *blocks[] = {op->regions[0].first, op->regions[1].first};
	struct sr_op *end = blocks[1]->last;
	struct sr_value **operands = SR_NEW_ARRAY(rw->ctx->arena, struct sr_value *, op->n_operands);
	const struct sr_type **types = SR_NEW_ARRAY(rw->ctx->arena, const struct sr_type *, op->n_operands);
	int n = 0;
	for (int i = op->n_operands; i-- > 0;) {
		struct sr_value *in = sr_operand(op, i), *out = sr_operand(end, i);
		if ((out != in && out != blocks[1]->args[i]) || in->type != sr_result(op, i)->type ||
		    in->type != blocks[1]->args[i]->type) {
			n++;
			continue;
		}
		sr_rewrite_replace_value(rw, sr_result(op, i), in);
		sr_op_remove_operand(end, i);
		for (int k = 0; k < 2; k++) {
			sr_rewrite_replace_value(rw, blocks[k]->args[i], in);
			sr_block_remove_arg(blocks[k], i);
		}
		operands[i] = in; /* a non-NULL entry marks the carried value as captured from outside */
	}
	if (n == op->n_operands)
		return false;
	struct sr_value **carried = SR_NEW_ARRAY(rw->ctx->arena, struct sr_value *, n);
	for (int i = 0, k = 0; i < op->n_operands; i++)
		if (!operands[i]) {
			types[k] = sr_result(op, i)->type;
			carried[k++] = sr_operand(op, i);
		}
	struct sr_builder b = sr_rewrite_before(rw, op);
	struct sr_op *new_op = sr_build(&b, SR_OP_stablehlo_while, carried, n, op->attrs, op->n_attrs, types, n);
	for (int k = 0; k < 2; k++)
		sr_region_take(&new_op->regions[k], &op->regions[k]);
	for (int i = 0, k = 0; i < op->n_operands; i++)
		if (!operands[i])
			sr_rewrite_replace_value(rw, sr_result(op, i), sr_result(new_op, k++));
	sr_rewrite_notify_inserted(rw, new_op);
	sr_rewrite_erase(rw, op);
	return true;
}
