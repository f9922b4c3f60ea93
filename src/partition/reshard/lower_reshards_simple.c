/* shardrun-lower-reshards-simple: lower every sdy.reshard to an all_gather along the axes that only the input sharding has and an
 * all_slice along the axes that only the output has. The longest common prefix of each dimension's axes stays. Correct for every
 * pair of shardings; other plans send less.
 *
 * Requires: sdy.reshard only between shardings of equal rank. Leaves: no sdy.reshard. */
#include "partition/collective.h"
#include "dialect/attr_names.h"
#include "partition/partition_passes.h"
#include "partition/reshard/reshard_plan.h"
#include "dialect/ops.h"
#include <string.h>

struct lowering {
	struct sr_context *ctx;
	struct sr_op *module;
};

static struct sr_axes axes_after(struct sr_arena *arena, struct sr_axes axes, struct sr_axes prefix)
{
	struct sr_axes out = {0};
	sr_axes_difference(arena, axes, prefix, &out);
	return out;
}

static enum sr_status reshard(struct lowering *r, struct sr_op *op)
{
	struct sr_context *ctx = r->ctx;
	struct sr_value *v = sr_operand(op, 0);
	const struct sr_attr *in_sharding = sr_value_sharding(ctx, v), *out_sharding = sr_op_attr(op, SR_NAME_sharding);
	const struct sr_mesh *mesh = sr_sharding_mesh(r->module, out_sharding->sharding),
			     *old = in_sharding ? sr_sharding_mesh(r->module, in_sharding->sharding) : mesh;
	bool is_same_mesh = mesh && old && sr_mesh_equal(mesh, old);
	int rank = v->type->rank;
	struct sr_axes *gathered_axes = SR_NEW_ARRAY(ctx->arena, struct sr_axes, rank),
		       *sliced_axes = SR_NEW_ARRAY(ctx->arena, struct sr_axes, rank);
	struct sr_sdy_dim *kept_dims = SR_NEW_ARRAY(ctx->arena, struct sr_sdy_dim, rank);
	struct sr_sdy_sharding intermediate = is_same_mesh ? *out_sharding->sharding : *in_sharding->sharding;
	for (int d = 0; d < rank; d++) {
		struct sr_axes a = in_sharding && in_sharding->sharding->rank
				       ? sr_axes_resolve(ctx->arena, old, in_sharding->sharding->dims[d].axes)
				       : (struct sr_axes){0};
		struct sr_axes b = sr_axes_resolve(ctx->arena, mesh, out_sharding->sharding->dims[d].axes),
			       common = is_same_mesh ? sr_axes_common_prefix(ctx->arena, a, b) : (struct sr_axes){0};
		kept_dims[d] = (struct sr_sdy_dim){.axes = sr_axes_to_sdy(ctx->arena, is_same_mesh ? mesh : old, common),
					      .closed = true,
					      .priority = -1};
		gathered_axes[d] = axes_after(ctx->arena, a, common);
		sliced_axes[d] = axes_after(ctx->arena, b, common);
	}
	intermediate.dims = kept_dims;
	struct sr_builder at = {.ctx = ctx, .anchor = op, .loc = op->loc};
	struct sr_collective gather = {.code = SR_OP_sdy_all_gather,
				       .mesh = old,
				       .axes = gathered_axes,
				       .out = sr_attr_sharding(ctx, &intermediate),
				       .cause = sr_op_attr(op, "shardrun.cause")},
			     slice = {.code = SR_OP_sdy_all_slice,
				      .mesh = mesh,
				      .axes = sliced_axes,
				      .out = out_sharding,
				      .cause = gather.cause};
	v = sr_collective_build(&at, &gather, v);
	if (!is_same_mesh) {
		struct sr_sdy_sharding replicated_sharding = sr_sdy_replicated_sharding(
											ctx->arena, out_sharding->sharding->mesh_name, rank, true);
		replicated_sharding.mesh = out_sharding->sharding->mesh;
		v = sr_relabel_sharding(&at, v, &replicated_sharding);
	}
	v = sr_collective_build(&at, &slice, v);
	sr_value_replace_all(sr_result(op, 0), v);
	sr_op_erase(op);
	return SR_OK;
}

static bool visit(void *data, struct sr_op *op)
{
	if (sr_op_is(op, SR_OP_sdy_reshard) && sr_op_attr(op, SR_NAME_sharding)->sharding->rank == sr_operand(op, 0)->type->rank)
		reshard(data, op);
	return true;
}

enum sr_status sr_lower_reshards_simple(struct sr_context *ctx, struct sr_op *module, const struct sr_pass_options *options)
{
	struct lowering r = {ctx, module};
	(void)options;
	sr_walk(module, visit, &r);
	return SR_OK;
}
