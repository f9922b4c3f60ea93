/* Implement sdy-unflatten-call-graph, the inverse of sdy-flatten-call-graph: redirect the calls of clones of one function with
 * equal shardings to one of the clones. With dedup-functions-fully, shardings need not be equal and the clone with the most calls
 * is chosen.
 *
 * Leaves uncalled functions for symbol-dce to erase, and no sdy.original_func_name. */
#include "import/calls/call_graph.h"
#include "import/import_passes.h"

struct func_key { /* key of a function; functions with equal keys are merged */
	const void *name, *manual_axes, *in_shardings, *out_shardings;
};

struct representative {
	struct sr_op *func;
};

/* Return the key as an interned pointer: equal keys are the same pointer. */
static const char *intern_func_key(struct sr_context *ctx, const struct sr_op *func, bool includes_shardings)
{
	struct func_key s = {.name = sr_intern(ctx, sr_func_original_name(func)),
			     .manual_axes = sr_op_attr(func, "sdy.func_manual_axes")};
	if (includes_shardings) {
		s.in_shardings = sr_func_arg_shardings(ctx, func);
		s.out_shardings = sr_func_result_shardings(ctx, func);
	}
	return sr_intern_n(ctx, (const char *)&s, sizeof s);
}

/* Count a call of func and make it *best if it now has more calls than the current best. */
static void count_call(struct sr_context *ctx, struct sr_map *counts, struct representative *best, struct sr_op *func)
{
	uintptr_t *n = (uintptr_t *)sr_map_at(counts, intern_func_key(ctx, func, true));
	++*n;
	const uintptr_t *n_best = (const uintptr_t *)sr_map_at(counts, intern_func_key(ctx, best->func, true));
	n = (uintptr_t *)sr_map_at(counts, intern_func_key(ctx, func, true));
	if (*n > *n_best)
		best->func = func;
}

enum sr_status sr_pass_unflatten_call_graph(struct sr_context *ctx, struct sr_op *module, const struct sr_pass_options *options)
{
	bool ignores_shardings = sr_option_bool(options, "dedup-functions-fully");
	struct sr_symbols symbols;
	struct sr_map representatives, counts;
	sr_symbols_init(&symbols, ctx, module);
	sr_map_init(&representatives, ctx->arena);
	sr_map_init(&counts, ctx->arena);
	sr_op_vec calls = sr_calls_of(ctx, module);
	for (size_t i = 0; i < calls.n; i++) {
		struct sr_op *func = sr_callee(&symbols, calls.data[i]);
		if (!func)
			return SR_INVALID;
		void **at = sr_map_at(&representatives, intern_func_key(ctx, func, !ignores_shardings));
		if (!*at) {
			struct representative *e = SR_NEW(ctx->arena, struct representative);
			e->func = func;
			*at = e;
		}
	}
	for (size_t i = 0; ignores_shardings && i < calls.n; i++) {
		struct sr_op *func = sr_callee(&symbols, calls.data[i]);
		count_call(ctx, &counts, sr_map_get(&representatives, intern_func_key(ctx, func, false)), func);
	}
	for (size_t i = 0; i < calls.n; i++) {
		const struct representative *e = sr_map_get(
		    &representatives, intern_func_key(ctx, sr_callee(&symbols, calls.data[i]), !ignores_shardings));
		sr_set_callee(ctx, calls.data[i], sr_symbol_name(e->func));
	}
	for (struct sr_op *op = sr_module_body(module)->first; op; op = op->next)
		if (sr_op_is(op, SR_OP_func_func)) {
			sr_op_remove_attr(ctx, op, "sdy.original_func_name");
			sr_op_remove_attr(ctx, op, "sdy.func_manual_axes");
		}
	return SR_OK;
}
