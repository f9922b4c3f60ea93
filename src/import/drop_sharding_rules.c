/* sdy-drop-sharding-rules: takes sdy.sharding_rule off ops, but for rules that the user gave. */
#include "import/passes.h"

static bool drop_of_op(void *data, struct sr_op *op)
{
	const struct sr_attr *rule = sr_op_attr(op, "sdy.sharding_rule");
	if (rule && rule->kind == SR_ATTR_RULE && !rule->rule->custom)
		sr_op_remove_attr(data, op, "sdy.sharding_rule");
	return true;
}

enum sr_status sr_pass_drop_sharding_rules(struct sr_context *ctx, struct sr_op *func, const struct sr_pass_options *options)
{
	sr_walk_post(func, drop_of_op, ctx);
	return SR_OK;
}
