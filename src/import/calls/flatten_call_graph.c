/* Implement sdy-flatten-call-graph: give each call its own copy of its callee. The first call keeps the original; later calls
 * get clones of the callee and of the functions it calls. The clones keep the original's name in sdy.original_func_name, which
 * sdy-unflatten-call-graph reads. */
#include "import/calls/call_graph.h"
#include "import/import_passes.h"

enum sr_status sr_pass_flatten_call_graph(struct sr_context *ctx, struct sr_op *module, const struct sr_pass_options *options)
{
	struct sr_symbols symbols;
	struct sr_map called_funcs;
	sr_symbols_init(&symbols, ctx, module);
	sr_map_init(&called_funcs, ctx->arena);
	sr_op_vec funcs = sr_funcs_callees_first(ctx, module);
	for (size_t f = 0; f < funcs.n; f++) {
		sr_op_vec calls = sr_calls_of(ctx, funcs.data[f]);
		for (size_t i = 0; i < calls.n; i++) {
			struct sr_op *func = sr_callee(&symbols, calls.data[i]);
			if (!func)
				return SR_INVALID;
			if (!sr_map_has(&called_funcs, func)) {
				sr_map_put(&called_funcs, func, func);
				continue;
			}
			struct sr_op *copy = sr_func_clone_with_callees(&symbols, func);
			if (!copy)
				return SR_UNSUPPORTED;
			sr_set_callee(ctx, calls.data[i], sr_symbol_name(copy));
		}
	}
	return SR_OK;
}
