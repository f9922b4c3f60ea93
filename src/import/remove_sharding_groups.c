/* sdy-remove-sharding-groups: propagation has done what sdy.sharding_group ops asked for; they go. */
#include "import/passes.h"

static bool remove_op(void *data, struct sr_op *op)
{
	if (sr_op_is(op, SR_OP_sdy_sharding_group))
		sr_op_erase(op);
	return true;
}

enum sr_status sr_pass_remove_sharding_groups(struct sr_context *ctx, struct sr_op *module, const struct sr_pass_options *options)
{
	sr_walk_post(module, remove_op, ctx);
	return SR_OK;
}
