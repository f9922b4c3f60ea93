/* Implement sdy-insert-func-call-reshards: where a call's result shardings differ from the callee's, give the call the callee's
 * shardings and insert an sdy.reshard to the call's former sharding after each such result. */
#include "import/calls/call_graph.h"
#include "dialect/attr_names.h"
#include "import/edges/edge_ops.h"
#include "import/import_passes.h"
#include "dialect/ops.h"

static bool is_equivalent(const struct sr_op *module, const struct sr_sdy_sharding *a, const struct sr_sdy_sharding *b)
{
	return !sr_sharding_mesh(module, a) || sr_sdy_sharding_is_equivalent(a, b);
}

static void reshard_results(struct sr_context *ctx, struct sr_op *call, const struct sr_attr *shardings)
{
	const struct sr_op *module = sr_op_module(call);
	for (int i = 0; i < call->n_results && i < shardings->n; i++) {
		struct sr_value *v = sr_result(call, i);
		const struct sr_attr *old_sharding = sr_value_sharding(ctx, v), *callee_sharding = shardings->list[i];
		if (is_equivalent(module, callee_sharding->sharding, old_sharding ? old_sharding->sharding : NULL))
			continue;
		struct sr_named_attr attr = {SR_NAME_sharding,
					     old_sharding ? old_sharding
							  : sr_replicated_like(ctx, callee_sharding->sharding, v->type, true)};
		sr_insert_after_value(ctx, v, SR_OP_sdy_reshard, call->loc, &attr, 1);
	}
	sr_op_set_attr(ctx, call, "sdy.sharding", shardings);
}

static const struct sr_attr *replicated_results(struct sr_context *ctx, const struct sr_op *call,
						const struct sr_attr *call_shardings)
{
	const struct sr_attr **list = SR_NEW_ARRAY(ctx->arena, const struct sr_attr *, call->n_results);
	for (int i = 0; i < call->n_results; i++)
		list[i] = sr_replicated_like(ctx, call_shardings->list[i]->sharding, sr_result(call, i)->type, true);
	return sr_attr_shardings(ctx, list, call->n_results);
}

static void reshard_call(struct sr_context *ctx, struct sr_op *call, struct sr_op *callee)
{
	const struct sr_attr *shardings = sr_func_result_shardings(ctx, callee), *call_shardings = sr_op_attr(call, "sdy.sharding");
	if (!shardings && call_shardings)
		shardings = replicated_results(ctx, call, call_shardings);
	if (shardings)
		reshard_results(ctx, call, shardings);
}

enum sr_status sr_pass_insert_func_call_reshards(struct sr_context *ctx, struct sr_op *module,
						 const struct sr_pass_options *options)
{
	return sr_for_each_call(ctx, module, reshard_call);
}
