/* sdy-propagate-sharding-from-func-to-call: a call without shardings gets those of its function's results.
 *
 *	%0 = call @f(%x)   with @f's result sharded [{"x"}]   gets   {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} */
#include "import/call_graph.h"
#include "import/passes.h"

enum sr_status sr_pass_propagate_sharding_from_func_to_call(struct sr_context *ctx, struct sr_op *module,
							    const struct sr_pass_options *options)
{
	struct sr_symbols symbols;
	sr_symbols_init(&symbols, ctx, module);
	sr_op_vec calls = sr_calls_of(ctx, module);
	for (size_t i = 0; i < calls.n; i++) {
		struct sr_op *func = sr_callee(&symbols, calls.data[i]);
		if (!func)
			return SR_INVALID;
		const struct sr_attr *shardings = sr_op_attr(calls.data[i], "sdy.sharding") ? NULL
										      : sr_func_result_shardings(ctx, func);
		if (shardings)
			sr_op_set_attr(ctx, calls.data[i], "sdy.sharding", shardings);
	}
	return SR_OK;
}
