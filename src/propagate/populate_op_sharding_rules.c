/* sdy-populate-op-sharding-rules: attach the sharding rule that propagation uses to every op, for inspection and tests.
 *
 *	%2 = stablehlo.dot %0, %1   becomes
 *	%2 = stablehlo.dot %0, %1 {sdy.sharding_rule = #sdy.op_sharding_rule<([i, k], [k, j])->([i, j]) ...>} */
#include "propagate/propagate_passes.h"

struct rule_population {
	struct sr_context *ctx;
	bool is_conservative;
};

static bool populate_op(void *data, struct sr_op *op)
{
	struct rule_population *p = data;
	if (sr_op_attr(op, "sdy.sharding_rule"))
		return true;
	const struct sr_sharding_rule *rule = sr_op_rule(p->ctx, op, p->is_conservative);
	if (rule)
		sr_op_set_attr(p->ctx, op, "sdy.sharding_rule", sr_attr_rule(p->ctx, rule));
	return true;
}

enum sr_status sr_pass_populate_op_sharding_rules(struct sr_context *ctx, struct sr_op *func, const struct sr_pass_options *options)
{
	struct rule_population p = {ctx, sr_option_bool(options, "conservative-propagation")};
	sr_walk_post(func, populate_op, &p);
	return SR_OK;
}
