/* Return the sharding rule of an op: the user's attribute, or that of the RULE column's function. */
#include "propagate/rules/rules.h"

static sr_rule_fn *const rules[SR_OP_COUNT] = {
#define OP(dialect, name, signature, attributes) [SR_OP_##dialect##_##name] =
#define RULE(f) sr_rule_##f,
#include "dialect/table/all.ops"
};

const struct sr_sharding_rule *sr_op_rule(struct sr_context *ctx, struct sr_op *op, bool conservative)
{
	const struct sr_attr *own = sr_op_attr(op, "sdy.sharding_rule");
	if (own && own->kind == SR_ATTR_RULE)
		return own->rule;
	sr_rule_fn *fn = rules[sr_op_code_of(op)];
	if (!fn || fn == sr_rule_none)
		return NULL;
	struct sr_rule_builder b;
	sr_rule_builder_init(&b, ctx, op);
	b.is_conservative = conservative;
	return fn(&b, op) ? sr_rule_finish(&b) : NULL;
}
