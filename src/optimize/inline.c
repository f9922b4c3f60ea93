/* inline: replace calls by the bodies of their functions.
 *
 * Functions are visited in post-order of the call graph, so that a callee has no calls left when it is inlined. Calls on a cycle of
 * the call graph stay. At the last call of a private function its body is moved; at earlier calls it is copied. An inlined op gets
 * a callsite location of its own location and the call's.
 *
 * With the option unsharded, used before propagation, calls and functions that have shardings stay, since these would be lost. */
#include "dialect/ops.h"
#include "dialect/attr_names.h"
#include "optimize/pass_functions.h"
#include "optimize/symbol_uses.h"

struct inliner {
	struct sr_context *ctx;
	struct sr_op *module;
	struct sr_map functions; /* map from name to func op */
	struct sr_map uses;      /* map from symbol name to its number of uses (an integer stored as a pointer) */
	struct sr_map visited;   /* map from func op to &in_progress_mark or &visited_mark */
	bool unsharded_only;
};

static char in_progress_mark, visited_mark;

static void count_use(void *data, const char *name)
{
	++*(uintptr_t *)sr_map_at(data, name);
}

static const struct sr_attr *call_site(struct sr_context *ctx, const struct sr_attr *callee, const struct sr_attr *caller)
{
	const struct sr_attr *list[] = {callee, caller};
	return sr_attr_intern(ctx, &(struct sr_attr){.kind = SR_LOC_CALLSITE, .list = list, .n = 2});
}

struct relocation {
	struct sr_context *ctx;
	const struct sr_attr *caller;
};

static bool relocate(void *data, struct sr_op *op)
{
	const struct relocation *r = data;
	op->loc = call_site(r->ctx, op->loc, r->caller);
	for (int i = 0; i < op->n_regions; i++)
		for (struct sr_block *b = op->regions[i].first; b; b = b->next)
			for (int k = 0; k < b->n_args; k++)
				b->args[k]->loc = call_site(r->ctx, b->args[k]->loc, r->caller);
	return true;
}

/* Move the body's ops before the call, and replace the call's results by the returned values. Leaves the body empty. */
static void splice(struct sr_context *ctx, struct sr_op *call, struct sr_block *body)
{
	struct relocation relocation = {ctx, call->loc};
	for (int i = 0; i < body->n_args; i++)
		sr_value_replace_all(body->args[i], sr_operand(call, i));
	while (body->first != body->last) {
		struct sr_op *op = body->first;
		sr_op_move_before(op, call);
		sr_walk(op, relocate, &relocation);
	}
	struct sr_op *terminator = body->first;
	for (int i = 0; i < call->n_results; i++)
		sr_value_replace_all(sr_result(call, i), sr_operand(terminator, i));
	sr_op_erase(terminator);
	sr_op_erase(call);
}

static bool can_inline(const struct sr_op *call, const struct sr_op *callee)
{
	const struct sr_block *entry = sr_func_entry(callee);
	return entry && !entry->next && entry->last && entry->n_args == call->n_operands &&
			entry->last->n_operands == call->n_results &&
	       !sr_op_attr(call, SR_NAME_no_inline) && !sr_op_attr(callee, SR_NAME_no_inline);
}

static bool has_shardings(const struct sr_op *call, const struct sr_op *callee)
{
	const struct sr_block *entry = sr_func_entry(callee);
	bool is_any_sharded = sr_op_attr(call, "sdy.sharding");
	for (int i = 0; i < entry->n_args; i++)
		is_any_sharded = is_any_sharded || sr_func_arg_attr(callee, i, "sdy.sharding");
	for (int i = 0; i < call->n_results; i++)
		is_any_sharded = is_any_sharded || sr_func_result_attr(callee, i, "sdy.sharding");
	return is_any_sharded;
}

static void inline_call(struct inliner *in, struct sr_op *call, struct sr_op *callee)
{
	uintptr_t *uses = (uintptr_t *)sr_map_at(&in->uses, sr_symbol_name(callee));
	bool last = *uses == 1 && sr_symbol_is_private(callee);
	struct sr_op *body_owner = last ? callee : sr_op_clone(in->ctx, callee, NULL);
	if (last)
		sr_op_unlink(callee);
	else
		sr_symbol_uses(body_owner, count_use, &in->uses); /* the copied body contains further symbol references */
	--*uses;
	splice(in->ctx, call, sr_func_entry(body_owner));
}

static void process(struct inliner *in, struct sr_op *func);

static bool process_call(void *data, struct sr_op *op)
{
	struct inliner *in = data;
	const struct sr_attr *name = sr_op_is(op, SR_OP_func_call) ? sr_op_attr(op, SR_NAME_callee) : NULL;
	struct sr_op *callee = name ? sr_map_get(&in->functions, name->s) : NULL;
	if (!callee)
		return true;
	process(in, callee);
	if (sr_map_get(&in->visited, callee) == &visited_mark && can_inline(op, callee) &&
	    !(in->unsharded_only && has_shardings(op, callee)))
		inline_call(in, op, callee);
	return true;
}

static void process(struct inliner *in, struct sr_op *func)
{
	void **state = sr_map_at(&in->visited, func);
	if (*state)
		return;
	*state = &in_progress_mark;
	sr_walk_post(func, process_call, in);
	sr_map_put(&in->visited, func, &visited_mark);
}

enum sr_status sr_run_inline(struct sr_context *ctx, struct sr_op *root, const struct sr_pass_options *options)
{
	struct inliner in = {.ctx = ctx, .module = root, .unsharded_only = sr_option_bool(options, "unsharded")};
	sr_map_init(&in.functions, ctx->arena);
	sr_map_init(&in.uses, ctx->arena);
	sr_map_init(&in.visited, ctx->arena);
	sr_symbol_uses(root, count_use, &in.uses);
	for (struct sr_op *op = sr_module_body(root)->first; op; op = op->next)
		if (sr_op_is(op, SR_OP_func_func))
			sr_map_put(&in.functions, sr_symbol_name(op), op);
	for (size_t i = 0; i < in.functions.n; i++)
		process(&in, in.functions.entries[i].value);
	for (size_t i = 0; i < in.functions.n; i++) {
		struct sr_op *func = in.functions.entries[i].value;
		if (func->block && sr_symbol_is_private(func) && !sr_map_get(&in.uses, in.functions.entries[i].key))
			sr_op_erase(func);
	}
	return SR_OK;
}
