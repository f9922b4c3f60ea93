/* while, case, if and calls. State of a loop is a set of buffers of its own: filled before, read by cond and body, written at the end of the
 * body; the results of the loop are these buffers. */
#include "plan/lower.h"

static int *yields(struct sr_plan_builder *b, struct sr_block *block, int *n)
{
	struct sr_op *end = sr_block_terminator(block);
	*n = end->n_operands;
	int *out = SR_NEWS(b->arena, int, *n);
	for (int i = 0; i < *n; i++)
		out[i] = sr_plan_buffer_for(b, sr_operand(end, i));
	return out;
}

/* to[i] = from[i] for all i at once: a source that is a target of another pair goes through a buffer of its own first. */
static void copy_all(struct sr_plan_builder *b, int *from, const int *to, int n)
{
	for (int i = 0; i < n; i++) {
		bool state = false;
		for (int j = 0; j < n && !state; j++)
			state = j != i && from[i] == to[j];
		if (state && from[i] != to[i]) {
			const struct sr_buffer *s = &b->buffers.data[from[i]];
			enum sr_dtype type = (enum sr_dtype)s->dtype;
			int copy = sr_plan_buffer(b, type, s->bytes / sr_dtype_bytes(type));
			sr_plan_copy(b, from[i], copy);
			from[i] = copy;
		}
	}
	for (int i = 0; i < n; i++)
		sr_plan_copy(b, from[i], to[i]);
}

enum sr_status sr_lower_while(struct sr_plan_builder *b, struct sr_op *op)
{
	struct sr_block *cond = op->regions[0].first, *body = op->regions[1].first;
	int n = op->n_operands, m;
	int *state = SR_NEWS(b->arena, int, n);
	enum sr_status status;
	for (int i = 0; i < n; i++) {
		int from = sr_plan_buffer_for(b, sr_operand(op, i));
		state[i] = sr_plan_buffer_for(b, sr_result(op, i));
		sr_plan_copy(b, from, state[i]);
		sr_plan_alias(b, cond->args[i], state[i]);
		sr_plan_alias(b, body->args[i], state[i]);
	}
	int64_t since = b->now + 1;
	struct sr_nest nest = sr_plan_begin(b);
	struct sr_while_step step = {.cond = nest.plan, .trips = sr_trip_count(b->ctx, op)};
	status = sr_lower_block(b, cond);
	if (status)
		return status;
	step.predicate = yields(b, cond, &m)[0];
	sr_plan_end(b, nest);
	nest = sr_plan_begin(b);
	step.body = nest.plan;
	status = sr_lower_block(b, body);
	if (status)
		return status;
	int *out = yields(b, body, &m);
	copy_all(b, out, state, n);
	sr_plan_end(b, nest);
	int *touched = SR_NEWS(b->arena, int, n + 1);
	touched[0] = step.predicate;
	for (int i = 0; i < n; i++)
		touched[i + 1] = state[i];
	sr_plan_step(b, SR_STEP_WHILE, touched, n + 1, &step, sizeof step);
	sr_plan_loop_end(b, since);
	return SR_OK;
}

enum sr_status sr_lower_case(struct sr_plan_builder *b, struct sr_op *op)
{
	struct sr_case_step step = {.n = op->n_regions, .is_predicate = sr_plan_dtype(sr_operand(op, 0)) == SR_I1};
	int *results = SR_NEWS(b->arena, int, op->n_results + 1);
	results[0] = sr_plan_buffer_for(b, sr_operand(op, 0));
	for (int i = 0; i < op->n_results; i++)
		results[i + 1] = sr_plan_buffer_for(b, sr_result(op, i));
	/* the branches' plans must be neighbours: plans nested in them come after */
	step.first = (int32_t)b->plans.n;
	for (int i = 0; i < op->n_regions; i++)
		sr_push(b->arena, &b->plans, (struct sr_step_list){0});
	int outer = b->plan;
	for (int i = 0; i < op->n_regions; i++) {
		int n;
		b->plan = step.first + i;
		enum sr_status status = sr_lower_block(b, op->regions[i].first);
		if (status)
			return status;
		int *from = yields(b, op->regions[i].first, &n);
		for (int k = 0; k < n; k++)
			sr_plan_copy(b, from[k], results[k + 1]);
	}
	b->plan = outer;
	sr_plan_step(b, SR_STEP_CASE, results, op->n_results + 1, &step, sizeof step);
	return SR_OK;
}

/* Values of a callee mean new buffers in every call. */
static bool forget_results(void *data, struct sr_op *op)
{
	struct sr_plan_builder *b = data;
	for (int i = 0; i < op->n_results; i++)
		sr_map_remove(&b->buffer_of, sr_result(op, i));
	return true;
}

enum sr_status sr_lower_body(struct sr_plan_builder *b, struct sr_op *func, const int *arguments, int **out, int *n)
{
	struct sr_block *entry = sr_func_entry(func);
	for (int i = 0; i < entry->n_args; i++)
		sr_plan_alias(b, entry->args[i], arguments[i]);
	func->mark = 1;
	sr_walk(func, forget_results, b);
	enum sr_status status = sr_lower_block(b, entry);
	func->mark = 0;
	if (!status)
		*out = yields(b, entry, n);
	return status;
}

enum sr_status sr_lower_inlined(struct sr_plan_builder *b, struct sr_op *op, struct sr_op *func, int **out, int *n)
{
	struct sr_block *entry = func ? sr_func_entry(func) : NULL;
	int *arguments = SR_NEWS(b->arena, int, op->n_operands);
	if (!entry)
		return sr_lower_unsupported(b, op, "calls a function that has no body");
	if (func->mark)
		return sr_lower_unsupported(b, op, "calls itself; recursion cannot be run");
	for (int i = 0; i < op->n_operands; i++)
		arguments[i] = sr_plan_buffer_for(b, sr_operand(op, i));
	return sr_lower_body(b, func, arguments, out, n);
}

/* A call that was not inlined: its body's steps stand here, as if it had been. */
static enum sr_status call(struct sr_plan_builder *b, struct sr_op *op, struct sr_op *callee)
{
	int n, *out;
	enum sr_status status = sr_lower_inlined(b, op, callee, &out, &n);
	for (int i = 0; !status && i < n; i++)
		sr_plan_alias(b, sr_result(op, i), out[i]);
	return status;
}

enum sr_status sr_lower_call(struct sr_plan_builder *b, struct sr_op *op)
{
	return call(b, op, sr_call_callee(b->module, op));
}

/* A composite is what its decomposition computes. */
enum sr_status sr_lower_composite(struct sr_plan_builder *b, struct sr_op *op)
{
	const struct sr_attr *decomposition = sr_op_attr(op, "decomposition");
	return call(b, op, decomposition && decomposition->kind == SR_ATTR_SYMBOL ? sr_symbol_find(b->module, decomposition->s) : NULL);
}
