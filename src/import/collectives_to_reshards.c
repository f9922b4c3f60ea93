/* Implement shardrun-collectives-to-reshards: before propagation, replace sdy collectives that only move data by sdy.reshard.
 *
 *	sdy.all_slice [{"x"}, {}] %0 out_sharding=<@mesh, [{"x"}, {}]>   becomes   sdy.reshard %0 <@mesh, [{"x"}, {}]>
 *
 * A collective's axes imply its operand's sharding. Propagation does not know collectives and may give the operand another
 * sharding, or drop axes that do not divide it; a reshard is valid for any operand sharding. Collectives that compute
 * (reductions, to_unreduced) stay, and their operands are resharded to the declared sharding. */
#include "dialect/attr_names.h"
#include "import/import_passes.h"

static bool is_data_movement(const struct sr_op *op)
{
	return sr_op_is(op, SR_OP_sdy_all_gather) || sr_op_is(op, SR_OP_sdy_all_slice) || sr_op_is(op, SR_OP_sdy_all_to_all) ||
	       sr_op_is(op, SR_OP_sdy_collective_permute);
}

static bool is_computation(const struct sr_op *op)
{
	return sr_op_is(op, SR_OP_sdy_all_reduce) || sr_op_is(op, SR_OP_sdy_reduce_scatter) || sr_op_is(op, SR_OP_sdy_sharded_to_unreduced) ||
	       sr_op_is(op, SR_OP_sdy_replicated_to_unreduced);
}

/* Insert a reshard of op's operand before op. */
static struct sr_value *insert_reshard_before(struct sr_context *ctx, struct sr_op *op, const struct sr_attr *target_sharding)
{
	struct sr_value *input = sr_operand(op, 0);
	const struct sr_named_attr sharding = {SR_NAME_sharding, target_sharding};
	struct sr_op_spec spec = {.info = sr_info(ctx, SR_OP_sdy_reshard), .loc = op->loc, .operands = &input, .n_operands = 1,
				  .results = &input->type, .n_results = 1, .attrs = &sharding, .n_attrs = 1};
	struct sr_op *reshard = sr_op_new(ctx, &spec);
	sr_op_insert_before(op, reshard);
	return sr_result(reshard, 0);
}

static bool convert_op(void *data, struct sr_op *op)
{
	struct sr_context *ctx = data;
	const struct sr_attr *declared_sharding = is_computation(op) ? sr_value_sharding(ctx, sr_operand(op, 0)) : NULL;
	if (declared_sharding)
		sr_op_set_operand(op, 0, insert_reshard_before(ctx, op, declared_sharding));
	if (!is_data_movement(op))
		return true;
	sr_value_replace_all(sr_result(op, 0), insert_reshard_before(ctx, op, sr_op_attr(op, SR_NAME_out_sharding)));
	sr_op_erase(op);
	return true;
}

enum sr_status sr_pass_collectives_to_reshards(struct sr_context *ctx, struct sr_op *module, const struct sr_pass_options *options)
{
	(void)options;
	sr_walk_post(module, convert_op, ctx);
	return SR_OK;
}
