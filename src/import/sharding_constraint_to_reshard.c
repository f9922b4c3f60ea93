/* Implement sdy-sharding-constraint-to-reshard: after propagation, turn each sharding_constraint into a reshard.
 *
 *	sdy.sharding_constraint %0 <@mesh, [{"x"}]>   becomes   sdy.reshard %0 <@mesh, [{"x"}]> */
#include "import/import_passes.h"

static bool convert_op(void *data, struct sr_op *op)
{
	struct sr_context *ctx = data;
	if (!sr_op_is(op, SR_OP_sdy_sharding_constraint))
		return true;
	struct sr_value *input = sr_operand(op, 0);
	struct sr_op_spec spec = {.info = sr_info(ctx, SR_OP_sdy_reshard), .loc = op->loc, .operands = &input, .n_operands = 1,
				  .results = &sr_result(op, 0)->type, .n_results = 1, .attrs = op->attrs, .n_attrs = op->n_attrs};
	struct sr_op *new = sr_op_new(ctx, &spec);
	sr_op_insert_before(op, new);
	sr_value_replace_all(sr_result(op, 0), sr_result(new, 0));
	sr_op_erase(op);
	return true;
}

enum sr_status sr_pass_sharding_constraint_to_reshard(struct sr_context *ctx, struct sr_op *func,
						      const struct sr_pass_options *options)
{
	sr_walk_post(func, convert_op, ctx);
	return SR_OK;
}
