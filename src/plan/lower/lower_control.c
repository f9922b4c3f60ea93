/* Lower while, case, if and calls. Loop state that an iteration changes has a buffer of its own, which is filled before the
 * loop unless the initial value is undefined (work.empty), read by condition and body, and written at the end of the body; after
 * the loop it holds the result. */
#include "plan/lower/lower.h"
#include "dialect/attr_names.h"
#include "dialect/trip_count.h"

static int *yielded_buffers(struct sr_plan_builder *b, struct sr_block *block, int *n)
{
	struct sr_op *end = sr_block_terminator(block);
	*n = end->n_operands;
	int *out = SR_NEW_ARRAY(b->arena, int, *n);
	for (int i = 0; i < *n; i++)
		out[i] = sr_plan_buffer_for(b, sr_operand(end, i));
	return out;
}

/* A parallel copy: to[i] = from[i] for all i at once, where buffers may occur on both sides. */
struct parallel_copy {
	struct sr_plan_builder *b;
	const int *to;
	int *from, *readers; /* for each copy i: number of other pending copies that read its target to[i] */
	int *ready_copies, n_ready;
	struct sr_map index; /* maps buffer to[i] to 1 + i; keys are buffer numbers plus 1 */
};

static int index_of(const struct parallel_copy *c, int buffer)
{
	return (int)(intptr_t)sr_map_get(&c->index, (const void *)(intptr_t)(buffer + 1)) - 1;
}

static void emit_copy(struct parallel_copy *c, int i)
{
	int source = index_of(c, c->from[i]);
	sr_plan_add_copy(c->b, c->from[i], c->to[i]);
	c->from[i] = c->to[i];
	if (source >= 0 && source != i && --c->readers[source] == 0)
		c->ready_copies[c->n_ready++] = source;
}

/* Break a cycle: save the content of to[i] in a temporary, for the one copy that reads it. */
static void break_cycle(struct parallel_copy *c, int i)
{
	const struct sr_buffer *s = &c->b->buffers.data[c->to[i]];
	enum sr_dtype type = (enum sr_dtype)s->dtype;
	int saved_buffer = sr_plan_buffer(c->b, type, s->bytes / sr_dtype_bytes(type));
	sr_plan_add_copy(c->b, c->to[i], saved_buffer);
	int reader = i;
	while (c->from[reader] != c->to[i])
		reader = index_of(c, c->from[reader]);
	c->from[reader] = saved_buffer;
	c->readers[i] = 0;
}

/* Emit the copies, each when no pending copy reads its destination; for a cycle, first save one value in a temporary. */
static void copy_all(struct sr_plan_builder *b, int *sources, const int *targets, int n)
{
	struct parallel_copy c = {.b = b,
				  .to = targets,
				  .from = sources,
				  .readers = SR_NEW_ARRAY(b->arena, int, n),
				  .ready_copies = SR_NEW_ARRAY(b->arena, int, n)};
	sr_map_init(&c.index, b->arena);
	for (int i = 0; i < n; i++)
		sr_map_put(&c.index, (const void *)(intptr_t)(targets[i] + 1), (void *)(intptr_t)(i + 1));
	for (int i = 0; i < n; i++)
		if (index_of(&c, sources[i]) >= 0 && sources[i] != targets[i])
			c.readers[index_of(&c, sources[i])]++;
	for (int i = 0; i < n; i++)
		if (!c.readers[i])
			c.ready_copies[c.n_ready++] = i;
	for (int i = 0; i <= n; i++) {
		while (c.n_ready)
			emit_copy(&c, c.ready_copies[--c.n_ready]);
		if (i < n && c.readers[i]) {
			break_cycle(&c, i);
			emit_copy(&c, i);
		}
	}
}

/* Return true if no iteration changes state i: it keeps its initial value. */
static bool is_loop_invariant(const struct sr_op *op, int i)
{
	struct sr_block *body = op->regions[1].first;
	return sr_operand(sr_block_terminator(body), i) == body->args[i];
}

static int begin_state(struct sr_plan_builder *b, struct sr_op *op, int i)
{
	struct sr_value *initial = sr_operand(op, i);
	bool is_defined = !initial->def || !sr_op_is(initial->def, SR_OP_work_empty);
	int state;
	if (is_loop_invariant(op, i)) {
		state = sr_plan_buffer_for(b, initial);
		sr_plan_bind_value(b, sr_result(op, i), state);
	} else {
		state = sr_plan_buffer_for(b, sr_result(op, i));
		if (is_defined)
			sr_plan_add_copy(b, sr_plan_buffer_for(b, initial), state);
		else
			sr_plan_add_use(b, state, SR_USE_NO_INITIAL_VALUE);
	}
	sr_plan_bind_value(b, op->regions[0].first->args[i], state);
	sr_plan_bind_value(b, op->regions[1].first->args[i], state);
	return state;
}

enum sr_status sr_lower_while(struct sr_plan_builder *b, struct sr_op *op)
{
	struct sr_block *cond = op->regions[0].first, *body = op->regions[1].first;
	int n = op->n_operands, n_changed = 0, m, *state = SR_NEW_ARRAY(b->arena, int, n),
	    *instr_operands = SR_NEW_ARRAY(b->arena, int, n + 1);
	enum sr_status status;
	for (int i = 0; i < n; i++)
		state[i] = begin_state(b, op, i);
	struct sr_plan_scope scope = sr_plan_begin_computation(b);
	struct sr_while_instr instr = {.cond = scope.computation, .trips = sr_trip_count(b->ctx, op)};
	status = sr_lower_block(b, cond);
	if (status)
		return status;
	instr.predicate = yielded_buffers(b, cond, &m)[0];
	sr_plan_end_computation(b, scope);
	scope = sr_plan_begin_computation(b);
	instr.body = scope.computation;
	status = sr_lower_block(b, body);
	if (status)
		return status;
	int *out = yielded_buffers(b, body, &m);
	for (int i = 0; i < n; i++)
		if (!is_loop_invariant(op, i)) {
			out[n_changed] = out[i];
			instr_operands[1 + n_changed++] = state[i];
		}
	copy_all(b, out, instr_operands + 1, n_changed);
	sr_plan_end_computation(b, scope);
	instr_operands[0] = instr.predicate;
	sr_plan_add_instr(b, SR_INSTR_WHILE, instr_operands, n_changed + 1, &instr, sizeof instr);
	return SR_OK;
}

enum sr_status sr_lower_case(struct sr_plan_builder *b, struct sr_op *op)
{
	struct sr_case_instr instr = {.n = op->n_regions, .is_predicate = sr_plan_dtype(sr_operand(op, 0)) == SR_I1};
	int *results = SR_NEW_ARRAY(b->arena, int, op->n_results + 1);
	results[0] = sr_plan_buffer_for(b, sr_operand(op, 0));
	for (int i = 0; i < op->n_results; i++)
		results[i + 1] = sr_plan_buffer_for(b, sr_result(op, i));
	/* the computations of the branches must be consecutive, so nested computations are numbered after them */
	instr.first = (int32_t)b->computations.n;
	for (int i = 0; i < op->n_regions; i++)
		sr_push(b->arena, &b->computations, (struct sr_instr_list){0});
	int outer = b->computation;
	for (int i = 0; i < op->n_regions; i++) {
		int n;
		b->computation = instr.first + i;
		enum sr_status status = sr_lower_block(b, op->regions[i].first);
		if (status)
			return status;
		int *branch_results = yielded_buffers(b, op->regions[i].first, &n);
		for (int k = 0; k < n; k++)
			sr_plan_add_copy(b, branch_results[k], results[k + 1]);
	}
	b->computation = outer;
	sr_plan_add_instr(b, SR_INSTR_CASE, results, op->n_results + 1, &instr, sizeof instr);
	return SR_OK;
}

/* Forget the buffers of an op's results, since every call of a function gets new ones. */
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
		sr_plan_bind_value(b, entry->args[i], arguments[i]);
	func->mark = 1;
	sr_walk(func, forget_results, b);
	enum sr_status status = sr_lower_block(b, entry);
	func->mark = 0;
	if (!status)
		*out = yielded_buffers(b, entry, n);
	return status;
}

enum sr_status sr_lower_inlined(struct sr_plan_builder *b, struct sr_op *op, struct sr_op *func, int **out, int *n)
{
	struct sr_block *entry = func ? sr_func_entry(func) : NULL;
	int *arguments = SR_NEW_ARRAY(b->arena, int, op->n_operands);
	if (!entry)
		return sr_lower_unsupported(b, op, "calls a function that has no body");
	if (func->mark)
		return sr_lower_unsupported(b, op, "calls itself; recursion is not supported");
	for (int i = 0; i < op->n_operands; i++)
		arguments[i] = sr_plan_buffer_for(b, sr_operand(op, i));
	return sr_lower_body(b, func, arguments, out, n);
}

/* Lower a call by appending the callee's instructions in its place. */
static enum sr_status lower_callee(struct sr_plan_builder *b, struct sr_op *op, struct sr_op *callee)
{
	int n, *out;
	enum sr_status status = sr_lower_inlined(b, op, callee, &out, &n);
	for (int i = 0; !status && i < n; i++)
		sr_plan_bind_value(b, sr_result(op, i), out[i]);
	return status;
}

enum sr_status sr_lower_call(struct sr_plan_builder *b, struct sr_op *op)
{
	return lower_callee(b, op, sr_call_callee(b->module, op));
}

/* Lower a composite: append the instructions of its decomposition. */
enum sr_status sr_lower_composite(struct sr_plan_builder *b, struct sr_op *op)
{
	const struct sr_attr *decomposition = sr_op_attr(op, SR_NAME_decomposition);
	return lower_callee(b, op, decomposition && decomposition->kind == SR_ATTR_SYMBOL ? sr_symbol_find(b->module, decomposition->s) : NULL);
}
