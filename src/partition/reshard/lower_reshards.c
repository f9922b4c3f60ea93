/* sdy-reshard-to-collectives and shardrun-lower-reshards: every sdy.reshard as a sequence of sdy collectives.
 *
 *	%1 = sdy.reshard %0 <@mesh, [{}, {"x"}]>                                          %0 is [{"x"}, {}]
 *	%1 = sdy.all_to_all [{"x"}: 0->1] %0 out_sharding=<@mesh, [{}, {"x"}]>
 *
 * The first makes upstream's choice and leaves, as upstream does, what lies between unlike meshes. The second takes the route
 * with the fewest bytes on the wire, between meshes of the same devices too; a single-device mesh counts as replicated there.
 *
 * Requires: operands with shardings (none: replicated). Leaves: no sdy.reshard but those. Cost: linear in the number of
 * reshards; a search per distinct one is bounded. Upstream: sdy-reshard-to-collectives. */
#include "partition/reshard/reshard_plan.h"
#include "dialect/attr_names.h"
#include "dialect/ops.h"
#include "partition/partition_passes.h"

struct router {
	struct sr_context *ctx;
	struct sr_op *module;
	bool cheaply;        /* ours: by bytes; else upstream's choice */
	bool keep_redundant; /* reshards between equal shardings stay */
	struct sr_map routes; /* those made already: array of input sharding, output sharding and type -> struct sr_reshard_plan */
	enum sr_status status;
};

static bool has_no_axes(const struct sr_sdy_sharding *s)
{
	for (int d = 0; d < s->rank; d++)
		if (s->dims[d].axes.n)
			return false;
	return true;
}

/* The value behind propagation barriers, which matter to propagation alone. */
static struct sr_value *behind_barriers(struct sr_value *v)
{
	while (v->def && sr_op_is(v->def, SR_OP_sdy_propagation_barrier))
		v = sr_operand(v->def, 0);
	return v;
}

/* A fully replicated sharding on the mesh of another. */
static const struct sr_sdy_sharding *replicated_like(struct sr_context *ctx, const struct sr_sdy_sharding *s, int rank)
{
	struct sr_sdy_sharding *out = SR_NEW(ctx->arena, struct sr_sdy_sharding);
	*out = sr_sdy_replicated_sharding(ctx->arena, s->mesh_name, rank, true);
	out->mesh = s->mesh;
	return out;
}

/* The same, unreduced as `s` is. */
static const struct sr_sdy_sharding *with_unreduced(struct sr_context *ctx, const struct sr_sdy_sharding *s)
{
	struct sr_sdy_sharding *out = sr_dup(ctx->arena, replicated_like(ctx, s, s->rank), 1, sizeof *out);
	out->unreduced = s->unreduced;
	out->unreduced_kind = s->unreduced_kind;
	return out;
}

static bool same_mesh(const struct sr_sdy_sharding *a, const struct sr_sdy_sharding *b)
{
	return a->mesh || b->mesh ? a->mesh && b->mesh && sr_mesh_equal(a->mesh, b->mesh) : a->mesh_name == b->mesh_name;
}

static void make_steps(const struct router *r, struct sr_reshard_plan *route, int64_t element_bytes)
{
	if (r->cheaply)
		sr_reshard_plan_cheapest(route, element_bytes);
	else
		sr_reshard_plan_upstream(route);
	if (!sr_axes_equal(route->in->unreduced, route->out->unreduced))
		sr_reshard_plan_add_reductions(route, r->cheaply);
}

static void replace(struct sr_op *op, struct sr_value *with)
{
	sr_value_replace_all(sr_result(op, 0), with);
	sr_op_erase(op);
}

static struct sr_value *route_between(struct router *r, struct sr_op *op, struct sr_value *from,
				      const struct sr_sdy_sharding *in,
				      const struct sr_sdy_sharding *out, const struct sr_mesh *mesh)
{
	struct sr_arena *arena = r->ctx->arena;
	struct sr_reshard_plan route = {.arena = arena,
				 .mesh = mesh,
				 .rank = out->rank,
				 .shape = from->type->shape,
				 .same_mesh = same_mesh(in, out),
				 .in = sr_sharding_resolve(arena, mesh, in),
				 .out = sr_sharding_resolve(arena, mesh, out)};
	const struct sr_attr *parts[] = {sr_attr_sharding(r->ctx, in), sr_attr_sharding(r->ctx, out),
					 sr_attr_type(r->ctx, from->type)};
	void **known = sr_map_at(&r->routes, sr_attr_array(r->ctx, parts, 3));
	if (!*known) {
		int64_t bytes = from->type->dtype ? sr_dtype_bytes(from->type->dtype) : 1;
		make_steps(r, &route, bytes ? bytes : 1);
		*known = sr_dup(arena, &route, 1, sizeof route);
	}
	return sr_reshard_plan_emit(r->ctx, *known, op, from);
}

/* Upstream's cases: some reshards stay as they are. */
static void route_as_upstream(struct router *r, struct sr_op *op)
{
	struct sr_context *ctx = r->ctx;
	struct sr_value *from = behind_barriers(sr_operand(op, 0));
	const struct sr_attr *given = sr_value_sharding(ctx, from);
	const struct sr_sdy_sharding *out = sr_op_attr(op, SR_NAME_sharding)->sharding,
				 *in = given ? given->sharding : replicated_like(ctx, out, out->rank);
	const struct sr_mesh *in_mesh = sr_sharding_mesh(r->module, in), *out_mesh = sr_sharding_mesh(r->module, out);
	if (r->keep_redundant && sr_sdy_sharding_is_equivalent(given ? in : NULL, out))
		return;
	if (!in_mesh || !out_mesh || sr_mesh_is_single_device(in_mesh) || sr_mesh_is_single_device(out_mesh) ||
	    in->rank != out->rank)
		return;
	if (has_no_axes(out)) {
		if (has_no_axes(in) && sr_sdy_axes_equal(in->unreduced, out->unreduced)) {
			replace(op, sr_operand(op, 0));
			return;
		}
		out = sr_sdy_axes_equal(in->unreduced, out->unreduced) ? with_unreduced(ctx, in) : replicated_like(ctx, in, out->rank);
	} else if (!same_mesh(in, out) && !sr_mesh_same_axes(in_mesh, out_mesh)) {
		return;
	}
	replace(op, route_between(r, op, from, in, out, in_mesh));
}

/* Along axes that both meshes have; where there are none, gathered and sliced again, with a warning. */
static void between_meshes(struct router *r, struct sr_op *op, struct sr_value *from, struct sr_mesh_sharding in,
			   struct sr_mesh_sharding out)
{
	struct sr_context *ctx = r->ctx;
	struct sr_builder at = {.ctx = ctx, .anchor = op, .loc = op->loc};
	const struct sr_sdy_sharding *wanted = sr_op_attr(op, SR_NAME_sharding)->sharding;
	int64_t devices = sr_mesh_devices(in.mesh), others = sr_mesh_devices(out.mesh), elements = 0;
	if (devices != others) {
		r->status = sr_op_error(op, &ctx->diags, SR_UNSUPPORTED, "is between meshes of %lld and %lld devices",
					(long long)devices, (long long)others);
		return;
	}
	if (sr_mesh_shardings_to_common_axes(ctx, &in, &out)) {
		from = sr_relabel_sharding(&at, from, &in.sharding);
		from = route_between(r, op, from, &in.sharding, &out.sharding, in.mesh);
		from = sr_relabel_sharding(&at, from, wanted);
	} else {
		sr_note_replication(ctx, op, from, "its meshes have no axes in common: use meshes that have");
		sr_type_elements(from->type, &elements);
		sr_report(&ctx->diags, SR_WARNING, sr_loc_source(op->loc),
			  "meshes whose axes have no common parts: %s of %lld elements is gathered on every device", op->info->name,
			  (long long)elements);
		from = route_between(r, op, from, &in.sharding, replicated_like(ctx, &in.sharding, in.sharding.rank), in.mesh);
		from = sr_relabel_sharding(&at, from, replicated_like(ctx, &out.sharding, out.sharding.rank));
		from = route_between(r, op, from, replicated_like(ctx, &out.sharding, out.sharding.rank), &out.sharding, out.mesh);
	}
	replace(op, from);
}

/* Every reshard is routed or reported. */
static void route_or_report(struct router *r, struct sr_op *op)
{
	struct sr_context *ctx = r->ctx;
	struct sr_value *from = behind_barriers(sr_operand(op, 0));
	const struct sr_attr *given = sr_value_sharding(ctx, from);
	const struct sr_sdy_sharding *out = sr_op_attr(op, SR_NAME_sharding)->sharding, *in = given ? given->sharding : NULL;
	const struct sr_mesh *in_mesh = in ? sr_sharding_mesh(r->module, in) : NULL, *out_mesh = sr_sharding_mesh(r->module, out);
	bool in_whole = !in_mesh || sr_mesh_is_single_device(in_mesh) || (has_no_axes(in) && !in->unreduced.n),
	     out_whole = !out_mesh || sr_mesh_is_single_device(out_mesh) || (has_no_axes(out) && !out->unreduced.n);
	if (r->keep_redundant && sr_sdy_sharding_is_equivalent(in, out))
		return;
	if ((in_whole && out_whole) || from->type->kind != SR_TYPE_TENSOR) {
		replace(op, sr_operand(op, 0));
		return;
	}
	if (in_whole) { /* on its own mesh where it can be, since no slice leads from one mesh to another */
		bool stays = in_mesh && sr_mesh_same_axes(in_mesh, out_mesh);
		in = replicated_like(ctx, stays ? in : out, from->type->rank);
		from = in_mesh && !stays ? sr_relabel_sharding(&(struct sr_builder){.ctx = ctx, .anchor = op, .loc = op->loc}, from, in)
					 : from;
		in_mesh = out_mesh;
	} else if (out_whole) {
		out = replicated_like(ctx, in, from->type->rank);
	} else if (!same_mesh(in, out) && !sr_mesh_same_axes(in_mesh, out_mesh)) {
		between_meshes(r, op, from, (struct sr_mesh_sharding){in_mesh, *in}, (struct sr_mesh_sharding){out_mesh, *out});
		return;
	}
	replace(op, route_between(r, op, from, in, out, in_mesh));
}

static bool visit(void *data, struct sr_op *op)
{
	struct router *r = data;
	if (sr_op_is(op, SR_OP_sdy_reshard))
		(r->cheaply ? route_or_report : route_as_upstream)(r, op);
	return !r->status;
}

/* A reshard of a reshard back to where the value came from: as functions leave them that are inlined. */
static bool go_back(void *data, struct sr_op *op)
{
	struct sr_context *ctx = data;
	struct sr_op *before = sr_op_is(op, SR_OP_sdy_reshard) ? sr_operand(op, 0)->def : NULL;
	if (!before || !sr_op_is(before, SR_OP_sdy_reshard))
		return true;
	const struct sr_attr *from = sr_value_sharding(ctx, sr_operand(before, 0));
	if (!from || !sr_sdy_sharding_is_equivalent(from->sharding, sr_op_attr(op, SR_NAME_sharding)->sharding))
		return true;
	sr_op_set_operand(op, 0, sr_operand(before, 0));
	if (!sr_result(before, 0)->uses)
		sr_op_erase(before);
	return true;
}

static enum sr_status run(struct sr_context *ctx, struct sr_op *module, bool keep_redundant, bool cheaply)
{
	struct router r = {.ctx = ctx, .module = module, .cheaply = cheaply, .keep_redundant = keep_redundant};
	sr_map_init(&r.routes, ctx->arena);
	sr_walk(module, visit, &r);
	return r.status;
}

enum sr_status sr_reshard_to_collectives(struct sr_context *ctx, struct sr_op *module, const struct sr_pass_options *options)
{
	return run(ctx, module, sr_option_bool(options, "keep-redundant-reshards"), false);
}

enum sr_status sr_lower_reshards(struct sr_context *ctx, struct sr_op *module, const struct sr_pass_options *options)
{
	(void)options;
	sr_walk(module, go_back, ctx);
	return run(ctx, module, false, true);
}
