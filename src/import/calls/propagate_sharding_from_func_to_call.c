/* Implement sdy-propagate-sharding-from-func-to-call: give a call without shardings those of its callee's results.
 *
 *	%0 = call @f(%x)   with @f's result sharded [{"x"}]   gets   {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} */
#include "import/calls/call_graph.h"
#include "import/import_passes.h"

static void shard_call(struct sr_context *ctx, struct sr_op *call, struct sr_op *callee)
{
	const struct sr_attr *shardings = sr_op_attr(call, "sdy.sharding") ? NULL : sr_func_result_shardings(ctx, callee);
	if (shardings)
		sr_op_set_attr(ctx, call, "sdy.sharding", shardings);
}

enum sr_status sr_pass_propagate_sharding_from_func_to_call(struct sr_context *ctx, struct sr_op *module,
							    const struct sr_pass_options *options)
{
	return sr_for_each_call(ctx, module, shard_call);
}
