/* sdy-reshard-to-collectives: lower sdy.reshard ops to sdy collectives by upstream's plans.
 *
 *	%1 = sdy.reshard %0 <@mesh, [{}, {"x"}]>                                          %0 is [{"x"}, {}]
 *	%1 = sdy.all_to_all [{"x"}: 0->1] %0 out_sharding=<@mesh, [{}, {"x"}]>
 *
 * Requires: operands with shardings (none: replicated). Leaves: sdy.reshard between meshes with different axes and of values on
 * one device. Cost: linear in the reshards. Upstream: the pass of this name. */
#include "partition/reshard/lower_reshards.h"
#include "dialect/attr_names.h"
#include "dialect/ops.h"
#include "upstream/upstream_passes.h"

struct upstream_lowering {
	struct sr_reshard_lowering lowering;
	bool keep_redundant; /* true: keep reshards between equal shardings */
};

/* Return the replicated sharding on the mesh of `s`, with the unreduced axes of `s`. */
static const struct sr_sdy_sharding *replicated_with_unreduced(struct sr_context *ctx, const struct sr_sdy_sharding *s)
{
	struct sr_sdy_sharding *out = sr_dup(ctx->arena, sr_sdy_replicated_like(ctx, s, s->rank), 1, sizeof *out);
	out->unreduced = s->unreduced;
	out->unreduced_kind = s->unreduced_kind;
	return out;
}

/* Lower a reshard as upstream does; reshards between meshes with different axes stay. */
static void lower_as_upstream(struct upstream_lowering *r, struct sr_op *op)
{
	struct sr_context *ctx = r->lowering.ctx;
	struct sr_value *source = sr_value_before_barriers(sr_operand(op, 0));
	const struct sr_attr *sharding = sr_value_sharding(ctx, source);
	const struct sr_sdy_sharding *out = sr_op_attr(op, SR_NAME_sharding)->sharding,
				 *in = sharding ? sharding->sharding : sr_sdy_replicated_like(ctx, out, out->rank);
	const struct sr_mesh *in_mesh = sr_sharding_mesh(r->lowering.module, in), *out_mesh = sr_sharding_mesh(r->lowering.module, out);
	if (r->keep_redundant && sr_sdy_sharding_is_equivalent(sharding ? in : NULL, out))
		return;
	if (!in_mesh || !out_mesh || sr_mesh_is_single_device(in_mesh) || sr_mesh_is_single_device(out_mesh) ||
	    in->rank != out->rank)
		return;
	if (!sr_sdy_sharding_has_axes(out)) {
		if (!sr_sdy_sharding_has_axes(in) && sr_sdy_axes_equal(in->unreduced, out->unreduced)) {
			sr_reshard_replace(op, sr_operand(op, 0));
			return;
		}
		out = sr_sdy_axes_equal(in->unreduced, out->unreduced) ? replicated_with_unreduced(ctx, in)
								       : sr_sdy_replicated_like(ctx, in, out->rank);
	} else if (!sr_sdy_sharding_same_mesh(in, out) && !sr_mesh_same_axes(in_mesh, out_mesh)) {
		return;
	}
	sr_reshard_replace(op, sr_reshard_lower_on_mesh(&r->lowering, op, source, in, out, in_mesh));
}


static bool visit(void *data, struct sr_op *op)
{
	if (sr_op_is(op, SR_OP_sdy_reshard))
		lower_as_upstream(data, op);
	return true;
}

static void add_upstream_steps(struct sr_reshard_plan *plan, int64_t element_bytes)
{
	(void)element_bytes;
	sr_reshard_plan_upstream(plan);
	sr_reshard_plan_add_reductions(plan, false);
}

enum sr_status sr_reshard_to_collectives(struct sr_context *ctx, struct sr_op *module, const struct sr_pass_options *options)
{
	struct upstream_lowering r = {.lowering = {.ctx = ctx, .module = module, .add_steps = add_upstream_steps},
				      .keep_redundant = sr_option_bool(options, "keep-redundant-reshards")};
	sr_map_init(&r.lowering.plans, ctx->arena);
	sr_walk(module, visit, &r);
	return SR_OK;
}
