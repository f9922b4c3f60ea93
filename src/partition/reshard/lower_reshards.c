/* shardrun-lower-reshards: lower every sdy.reshard to the sdy collectives with the fewest bytes on the wire.
 *
 *	%1 = sdy.reshard %0 <@mesh, [{}, {"x"}]>                                          %0 is [{"x"}, {}]
 *	%1 = sdy.all_to_all [{"x"}: 0->1] %0 out_sharding=<@mesh, [{}, {"x"}]>
 *
 * Reshards between different meshes of the same devices are lowered along common axes; a single-device mesh counts as replicated.
 *
 * Requires: operands with shardings (none: replicated). Leaves: no sdy.reshard. Cost: linear in the reshards, with one bounded
 * search per distinct reshard. */
#include "partition/reshard/lower_reshards.h"
#include "dialect/attr_names.h"
#include "partition/collective.h"
#include "partition/partition_passes.h"

const struct sr_sdy_sharding *sr_sdy_replicated_like(struct sr_context *ctx, const struct sr_sdy_sharding *s, int rank)
{
	struct sr_sdy_sharding *out = SR_NEW(ctx->arena, struct sr_sdy_sharding);
	*out = sr_sdy_replicated_sharding(ctx->arena, s->mesh_name, rank, true);
	out->mesh = s->mesh;
	return out;
}

void sr_reshard_replace(struct sr_op *op, struct sr_value *replacement)
{
	sr_value_replace_all(sr_result(op, 0), replacement);
	sr_op_erase(op);
}

struct sr_value *sr_reshard_lower_on_mesh(struct sr_reshard_lowering *r, struct sr_op *op, struct sr_value *source,
					  const struct sr_sdy_sharding *in, const struct sr_sdy_sharding *out,
					  const struct sr_mesh *mesh)
{
	struct sr_arena *arena = r->ctx->arena;
	struct sr_reshard_plan plan = {.arena = arena,
				 .mesh = mesh,
				 .rank = out->rank,
				 .shape = source->type->shape,
				 .is_same_mesh = sr_sdy_sharding_same_mesh(in, out),
				 .in = sr_sharding_resolve(arena, mesh, in),
				 .out = sr_sharding_resolve(arena, mesh, out)};
	const struct sr_attr *key_fields[] = {sr_attr_sharding(r->ctx, in), sr_attr_sharding(r->ctx, out),
					 sr_attr_type(r->ctx, source->type)};
	void **memo_entry = sr_map_at(&r->plans, sr_attr_array(r->ctx, key_fields, 3));
	if (!*memo_entry) {
		int64_t bytes = source->type->dtype ? sr_dtype_bytes(source->type->dtype) : 1;
		r->add_steps(&plan, bytes ? bytes : 1);
		*memo_entry = sr_dup(arena, &plan, 1, sizeof plan);
	}
	return sr_reshard_plan_emit(r->ctx, *memo_entry, op, source);
}

/* Lower a reshard between different meshes along common axes; if there are none, gather and slice, with a warning. */
static void lower_between_meshes(struct sr_reshard_lowering *r, struct sr_op *op, struct sr_value *source, struct sr_mesh_sharding in,
				 struct sr_mesh_sharding out)
{
	struct sr_context *ctx = r->ctx;
	struct sr_builder at = {.ctx = ctx, .anchor = op, .loc = op->loc};
	const struct sr_sdy_sharding *required_sharding = sr_op_attr(op, SR_NAME_sharding)->sharding;
	int64_t in_devices = sr_mesh_devices(in.mesh), out_devices = sr_mesh_devices(out.mesh), elements = 0;
	if (in_devices != out_devices) {
		r->status = sr_op_error(op, &ctx->diags, SR_UNSUPPORTED, "is between meshes of %lld and %lld devices",
					(long long)in_devices, (long long)out_devices);
		return;
	}
	if (sr_mesh_shardings_to_common_axes(ctx, &in, &out)) {
		source = sr_relabel_sharding(&at, source, &in.sharding);
		source = sr_reshard_lower_on_mesh(r, op, source, &in.sharding, &out.sharding, in.mesh);
		source = sr_relabel_sharding(&at, source, required_sharding);
	} else {
		sr_note_replication(ctx, op, source, "the meshes have no common axes: use meshes that have");
		sr_type_elements(source->type, &elements);
		sr_report(&ctx->diags, SR_WARNING, sr_loc_source(op->loc),
			  "meshes without common axes: %s of %lld elements is gathered on every device", op->info->name,
			  (long long)elements);
		source = sr_reshard_lower_on_mesh(r, op, source, &in.sharding, sr_sdy_replicated_like(ctx, &in.sharding, in.sharding.rank), in.mesh);
		source = sr_relabel_sharding(&at, source, sr_sdy_replicated_like(ctx, &out.sharding, out.sharding.rank));
		source = sr_reshard_lower_on_mesh(r, op, source, sr_sdy_replicated_like(ctx, &out.sharding, out.sharding.rank), &out.sharding,
						  out.mesh);
	}
	sr_reshard_replace(op, source);
}

/* Lower a reshard, or report why it cannot be lowered. */
static void lower_or_report(struct sr_reshard_lowering *r, struct sr_op *op)
{
	struct sr_context *ctx = r->ctx;
	struct sr_value *source = sr_value_before_barriers(sr_operand(op, 0));
	const struct sr_attr *sharding = sr_value_sharding(ctx, source);
	const struct sr_sdy_sharding *out = sr_op_attr(op, SR_NAME_sharding)->sharding, *in = sharding ? sharding->sharding : NULL;
	const struct sr_mesh *in_mesh = in ? sr_sharding_mesh(r->module, in) : NULL, *out_mesh = sr_sharding_mesh(r->module, out);
	bool in_replicated = !in_mesh || sr_mesh_is_single_device(in_mesh) || sr_sdy_sharding_is_replicated(in),
	     out_replicated = !out_mesh || sr_mesh_is_single_device(out_mesh) || sr_sdy_sharding_is_replicated(out);
	if ((in_replicated && out_replicated) || source->type->kind != SR_TYPE_TENSOR) {
		sr_reshard_replace(op, sr_operand(op, 0));
		return;
	}
	if (in_replicated) { /* keep the result's own mesh if possible, since a slice cannot change the mesh */
		bool keeps_mesh = in_mesh && sr_mesh_same_axes(in_mesh, out_mesh);
		in = sr_sdy_replicated_like(ctx, keeps_mesh ? in : out, source->type->rank);
		source = in_mesh && !keeps_mesh
			       ? sr_relabel_sharding(&(struct sr_builder){.ctx = ctx, .anchor = op, .loc = op->loc}, source, in)
			       : source;
		in_mesh = out_mesh;
	} else if (out_replicated) {
		out = sr_sdy_replicated_like(ctx, in, source->type->rank);
	} else if (!sr_sdy_sharding_same_mesh(in, out) && !sr_mesh_same_axes(in_mesh, out_mesh)) {
		lower_between_meshes(r, op, source, (struct sr_mesh_sharding){in_mesh, *in},
				     (struct sr_mesh_sharding){out_mesh, *out});
		return;
	}
	sr_reshard_replace(op, sr_reshard_lower_on_mesh(r, op, source, in, out, in_mesh));
}

static bool visit(void *data, struct sr_op *op)
{
	struct sr_reshard_lowering *r = data;
	if (sr_op_is(op, SR_OP_sdy_reshard))
		lower_or_report(r, op);
	return !r->status;
}

/* Turn a reduce_scatter whose result is gathered again into an all_reduce. */
static void reduce_everywhere(struct sr_context *ctx, struct sr_op *gather, struct sr_op *scatter)
{
	const struct sr_attr *out = sr_op_attr(gather, SR_NAME_sharding), *lists = sr_op_attr(scatter, SR_NAME_reduce_scatter_axes);
	const struct sr_mesh *mesh = sr_sharding_mesh(sr_op_module(gather), out->sharding);
	struct sr_builder at = {.ctx = ctx, .anchor = scatter, .loc = scatter->loc};
	struct sr_axes axes = {0};
	for (int d = 0; d < lists->n; d++)
		axes = sr_axes_concat(ctx->arena, axes, sr_axes_resolve(ctx->arena, mesh, *lists->list[d]->axes));
	axes = sr_axes_sort_and_merge(ctx->arena, mesh, axes);
	struct sr_collective c = {
	    .code = SR_OP_sdy_all_reduce, .mesh = mesh, .axes = &axes, .kind = sr_collective_kind(scatter), .out = out};
	sr_reshard_replace(gather, sr_collective_build(&at, &c, sr_operand(scatter, 0)));
	sr_op_erase(scatter);
}

/* Bypass a reshard that restores the sharding that the value had before another reshard or a reduce_scatter. Inlined functions
 * leave such pairs of reshards. */
static bool skip_round_trip(void *data, struct sr_op *op)
{
	struct sr_context *ctx = data;
	struct sr_op *previous_op = sr_op_is(op, SR_OP_sdy_reshard) ? sr_operand(op, 0)->def : NULL;
	bool is_reduce_scatter = previous_op && sr_op_is(previous_op, SR_OP_sdy_reduce_scatter);
	if (!previous_op || !(is_reduce_scatter || sr_op_is(previous_op, SR_OP_sdy_reshard)))
		return true;
	const struct sr_attr *in_sharding = sr_value_sharding(ctx, sr_operand(previous_op, 0));
	if (!in_sharding || !sr_sdy_sharding_is_equivalent(in_sharding->sharding, sr_op_attr(op, SR_NAME_sharding)->sharding))
		return true;
	if (is_reduce_scatter && !sr_result(previous_op, 0)->uses->next) {
		reduce_everywhere(ctx, op, previous_op);
	} else if (!is_reduce_scatter) {
		sr_op_set_operand(op, 0, sr_operand(previous_op, 0));
		if (!sr_result(previous_op, 0)->uses)
			sr_op_erase(previous_op);
	}
	return true;
}

static void add_cheapest_steps(struct sr_reshard_plan *plan, int64_t element_bytes)
{
	sr_reshard_plan_cheapest(plan, element_bytes);
	sr_reshard_plan_add_reductions(plan, true);
}

enum sr_status sr_lower_reshards(struct sr_context *ctx, struct sr_op *module, const struct sr_pass_options *options)
{
	struct sr_reshard_lowering r = {.ctx = ctx, .module = module, .add_steps = add_cheapest_steps};
	(void)options;
	sr_map_init(&r.plans, ctx->arena);
	sr_walk(module, skip_round_trip, ctx);
	sr_walk(module, visit, &r);
	return r.status;
}
