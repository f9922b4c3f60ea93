/* shardrun-insert-reshards: insert reshards until no operand or result conflicts with its op's sharding rule. Like the full version
 * of sdy-insert-explicit-reshards, but correct for every op: a dimension that an op's local form cannot partition is replicated, an
 * op without a rule gets replicated operands, results are reduced by the op's own reducer, and propagation barriers and sharding
 * groups are erased. With cost=true the axes of an op's factors are chosen by bytes on the wire, with cost=false they are those that
 * upstream chooses.
 *
 * Requires: propagation done, calls inlined. Leaves: no conflict; sdy.reshard and sdy.all_reduce. Cost: linear in the module
 * times the choices per op. */
#include "import/forms/custom_call.h"
#include "dialect/attr_names.h"
#include "partition/form/form.h"
#include "partition/insert_reshards/insert_reshards.h"
#include "partition/partition.h"
#include "partition/partition_passes.h"

static bool is_tensor(const struct sr_value *v)
{
	return v->type->kind == SR_TYPE_TENSOR;
}

static bool is_replicated(const struct sr_attr *sharding)
{
	return !sharding || sr_sdy_sharding_is_replicated(sharding->sharding);
}

static struct sr_mesh_ref mesh_named_by(struct sr_op *module, const struct sr_attr *s)
{
	return (struct sr_mesh_ref){sr_sharding_mesh(module, s->sharding), s->sharding->mesh_name};
}

/* Insert a reshard so that the use reads a replicated value. */
static void replicate_use(struct sr_reshard_inserter *c, struct sr_builder *at, struct sr_use *use)
{
	struct sr_context *ctx = c->r.ctx;
	const struct sr_attr *s = is_tensor(use->value) ? sr_value_sharding(ctx, use->value) : NULL;
	if (!is_replicated(s))
		sr_use_set(
		    use, sr_build_reshard(at, use->value, sr_replicated_on(ctx, mesh_named_by(c->r.module, s), use->value->type)));
}

/* Replicate the values that the op's regions return, for an op without data-flow edges. */
static void replicate_yields(struct sr_reshard_inserter *c, struct sr_op *op)
{
	for (int g = 0; g < op->n_regions; g++) {
		struct sr_op *end = op->regions[g].first ? sr_block_terminator(op->regions[g].first) : NULL;
		struct sr_builder at = sr_builder_before(c->r.ctx, end ? end : op);
		for (int i = 0; end && i < end->n_operands; i++)
			replicate_use(c, &at, &end->operands[i]);
	}
}

/* Replicate the operands of the op; readers of its results still get the propagated shardings. */
static void compute_replicated(struct sr_reshard_inserter *c, struct sr_op *op)
{
	struct sr_context *ctx = c->r.ctx;
	struct sr_builder at = sr_builder_before(ctx, op), builder_after_op = at;
	builder_after_op.anchor = op->next;
	for (int i = 0; i < op->n_operands; i++) {
		struct sr_value *v = sr_operand(op, i);
		replicate_use(c, &at, &op->operands[i]);
		if (sr_operand(op, i) != v)
			sr_note_replication(
				ctx, op, v,
				"the op has no sharding rule: give it one (sdy.sharding_rule), or write it as ops that have one");
	}
	replicate_yields(c, op);
	for (int i = 0; i < op->n_results; i++) {
		struct sr_value *v = sr_result(op, i);
		const struct sr_attr *s = is_tensor(v) ? sr_value_sharding(ctx, v) : NULL;
		if (is_replicated(s))
			continue;
		struct sr_value *out = sr_build_reshard(&builder_after_op, v, s);
		sr_value_replace_except(v, out, out->def);
		sr_value_set_sharding(ctx, v, sr_replicated_on(ctx, mesh_named_by(c->r.module, s), v->type));
	}
}

/* Return true if every device can compute its shard at almost no cost: constant, iota, broadcast of a scalar. */
static bool is_rematerializable(const struct sr_op *op)
{
	for (int i = 0; i < op->n_operands; i++)
		if (sr_operand(op, i)->type->rank > 0)
			return false;
	return sr_op_has(op, SR_CONSTANT) || sr_op_has(op, SR_REMATERIALIZABLE);
}

/* Return true for ops without operands, which are computed shard by shard, and for a probe without result, which reads the local
 * shard. They need no reshards. */
static bool keeps_its_shardings(const struct sr_op *op)
{
	return (op->n_operands == 0 && is_rematerializable(op)) || sr_op_is(op, SR_OP_sdy_reshard) ||
	       (sr_local_kind_of(op) == SR_LOCAL_probe && !op->n_results);
}

/* Let a result be unreduced along the axes `unreduced_axes` only, and insert a reshard to its present sharding after the op. */
static void reshard_to_unreduced(struct sr_context *ctx, const struct sr_mesh *mesh, struct sr_value *v,
				 struct sr_axes unreduced_axes)
{
	const struct sr_attr *s = sr_value_sharding(ctx, v);
	struct sr_builder builder = sr_builder_after(ctx, v);
	struct sr_value *out = sr_build_reshard(&builder, v, s);
	sr_value_replace_except(v, out, out->def);
	sr_value_set_sharding(ctx, v, sr_sharding_with_unreduced(ctx, mesh, s->sharding, unreduced_axes));
}

/* If the result of an op without operands must be unreduced, compute it in full on each device and make partial results of it after
 * the op. */
static void make_constant_unreduced(struct sr_reshard_inserter *c, struct sr_op *op)
{
	struct sr_context *ctx = c->r.ctx;
	struct sr_value *v = op->n_results == 1 && !op->n_operands ? sr_result(op, 0) : NULL;
	const struct sr_attr *s = v && is_tensor(v) ? sr_value_sharding(ctx, v) : NULL;
	if (s && s->sharding->unreduced.n)
		reshard_to_unreduced(ctx, sr_sharding_mesh(c->r.module, s->sharding), v, (struct sr_axes){0});
}

/* Let results be partial along their unreduced axes, if neither the op's reduction nor its operands leave them partial along these
 * axes already. `axes`: axes of the op's factors. */
static enum sr_status make_results_unreduced(struct sr_op_view *v, const struct sr_axes *axes)
{
	struct sr_arena *arena = v->ctx->scratch;
	struct sr_axes partial_axes = {0};
	for (int i = 0; i < v->rule->reduction.n; i++)
		partial_axes = sr_axes_concat(arena, partial_axes, axes[v->rule->reduction.indices[i]]);
	for (int t = 0; t < v->rule->n_operands; t++) {
		const struct sr_sdy_sharding *s = v->shardings[t] ? v->shardings[t]->sharding : NULL;
		if (s && s->unreduced.n)
			partial_axes = sr_axes_concat(arena, partial_axes, sr_axes_resolve(arena, v->mesh.mesh, s->unreduced));
	}
	for (int i = 0; i < v->op->n_results; i++) {
		const struct sr_attr *s = sr_value_sharding(v->ctx, sr_result(v->op, i));
		struct sr_axes all_axes, missing_axes, present_axes;
		if (!s || !s->sharding->unreduced.n)
			continue;
		all_axes = sr_axes_resolve(arena, v->mesh.mesh, s->sharding->unreduced);
		if (!sr_axes_difference(arena, all_axes, partial_axes, &missing_axes) ||
		    !sr_axes_difference(arena, all_axes, missing_axes, &present_axes))
			return sr_op_error(v->op, &v->ctx->diags, SR_UNSUPPORTED,
					   "has unreduced axes that cannot be split from its reduction axes");
		if (missing_axes.n)
			reshard_to_unreduced(v->ctx, v->mesh.mesh, sr_result(v->op, i), present_axes);
	}
	return SR_OK;
}

/* Return for each operand whether it is sharded along a factor that the op cannot partition; length: number of operands. */
static bool *find_unshardable(const struct sr_op_view *v, const struct sr_shardability *shardability)
{
	bool *unshardable = SR_NEW_ARRAY(v->ctx->scratch, bool, v->rule->n_operands);
	for (int t = 0; t < v->rule->n_operands; t++)
		for (int f = 0; f < v->rule->n_factors; f++)
			unshardable[t] = unshardable[t] || (shardability->must_replicate[f] && v->p.tensors[t].factors[f].axes.n);
	return unshardable;
}

void sr_note_unshardable_dim(struct sr_context *ctx, const struct sr_op *op, const struct sr_value *v, int t,
			     const struct sr_attr *old_sharding)
{
	int d = 0;
	while (d < old_sharding->sharding->rank - 1 && !old_sharding->sharding->dims[d].axes.n)
		d++;
	sr_note_replication(ctx, op, v,
			    sr_printf(ctx->arena,
				      "the op cannot be partitioned along dimension %d of operand %d: shard another dimension", d,
				      t));
}

void sr_retract_replication(struct sr_context *ctx, const struct sr_op *op, const struct sr_value *v)
{
	struct sr_src_loc place = sr_loc_source(op->loc);
	int64_t bytes;
	for (size_t i = 0; sr_type_bytes(v->type, &bytes) && i < ctx->replication_notes.n; i++) {
		struct sr_replication_note *note = &ctx->replication_notes.data[i];
		if (note->op != op->info->name || note->place.file != place.file || note->place.line != place.line ||
		    note->place.col != place.col)
			continue;
		note->bytes -= bytes;
		if (note->bytes <= 0)
			*note = ctx->replication_notes.data[--ctx->replication_notes.n];
		return;
	}
}

static void note_unshardable(const struct sr_op_view *v, const bool *unshardable, const bool *is_changed)
{
	for (int t = 0; t < v->rule->n_operands; t++)
		if (v->shardings[t] && unshardable[t] && is_changed[t] && is_replicated(sr_op_view_sharding(v, t)))
			sr_note_unshardable_dim(v->ctx, v->op, sr_op_view_value(v, t), t, v->shardings[t]);
}

/* Return the axes of the layouts that the search recorded for the op; NULL: it recorded none. */
static struct sr_axes *recorded_axes(const struct sr_op_view *v)
{
	struct sr_arena *arena = v->ctx->scratch;
	const struct sr_attr **layouts = SR_NEW_ARRAY(arena, const struct sr_attr *, v->n_tensors);
	const struct sr_sharding **resolved_shardings = SR_NEW_ARRAY(arena, const struct sr_sharding *, v->n_tensors);
	struct sr_axes *axes = SR_NEW_ARRAY(arena, struct sr_axes, v->rule->n_factors);
	const struct sr_attr *name = sr_form_recorded(v->op, layouts);
	if (!name || !sr_form_is_by_factors(name))
		return NULL;
	for (int t = 0; t < v->n_tensors; t++) {
		if (sr_sharding_mesh(v->module, layouts[t]->sharding) != v->mesh.mesh ||
		    layouts[t]->sharding->rank != sr_projection_mapping(&v->p, t)->rank)
			return NULL;
		resolved_shardings[t] = sr_sharding_resolve(arena, v->mesh.mesh, layouts[t]->sharding);
	}
	struct sr_projection p = sr_projection_build(arena, v->rule, v->mesh.mesh, resolved_shardings, true);
	for (int f = 0; f < v->rule->n_factors; f++)
		for (int t = 0; t < v->n_tensors && !axes[f].n; t++)
			axes[f] = p.tensors[t].factors[f].axes;
	return axes;
}

/* Insert the reshards by which the op can be computed by its rule. recorded_axes: axes of the factors that the search chose; NULL:
 * choose them here. */
static enum sr_status reshard_by_factors(struct sr_reshard_inserter *c, struct sr_op_view *v, struct sr_axes *recorded_axes)
{
	struct sr_shardability shardability = sr_shardability_of(v);
	bool *is_changed = SR_NEW_ARRAY(v->ctx->scratch, bool, v->n_tensors);
	bool *unshardable = find_unshardable(v, &shardability);
	struct sr_axes *axes = recorded_axes ? recorded_axes : sr_common_axes(v);
	sr_shardability_apply(v, &shardability, axes);
	if (c->costs && !recorded_axes)
		axes = sr_cheapest_axes(c->costs, v, &shardability, axes);
	for (int f = 0; f < v->rule->n_factors; f++)
		sr_op_view_set_factor(v, f, axes[f], is_changed);
	note_unshardable(v, unshardable, is_changed);
	bool is_scattered = sr_op_view_insert_reduce_scatter(v, axes, is_changed);
	sr_op_view_insert_reshards(v, is_changed);
	enum sr_status status = make_results_unreduced(v, axes);
	return status || is_scattered ? status : sr_op_view_insert_all_reduces(v, axes, true);
}

/* Return true if an operand or result has a sharding that is not replicated. */
static bool is_sharded(struct sr_reshard_inserter *c, const struct sr_op *op)
{
	for (int i = 0; i < op->n_operands + op->n_results; i++)
		if (!is_replicated(sr_value_sharding(c->r.ctx,
						     i < op->n_operands ? sr_operand(op, i) : sr_result(op, i - op->n_operands))))
			return true;
	return false;
}

static enum sr_status insert_at_op(struct sr_reshard_walk *r, struct sr_op *op, bool is_full)
{
	struct sr_reshard_inserter *c = (struct sr_reshard_inserter *)r;
	enum sr_status status;
	struct sr_op_view v;
	bool is_done = false;
	(void)is_full;
	status = sr_explicit_reshards_before_op(r, op, &is_done);
	if (status || is_done)
		return status;
	if (keeps_its_shardings(op)) {
		make_constant_unreduced(c, op);
		return SR_OK;
	}
	const struct sr_sharding_rule *rule = is_sharded(c, op) ? sr_op_rule(r->ctx, op, false) : NULL;
	if (rule && sr_op_view_init(&v, r->ctx, r->module, op, rule)) {
		struct sr_axes *recorded = recorded_axes(&v);
		sr_op_remove_attr(r->ctx, op, SR_FORM);
		return reshard_by_factors(c, &v, recorded);
	}
	sr_op_remove_attr(r->ctx, op, SR_FORM);
	compute_replicated(c, op);
	return SR_OK;
}

const struct sr_attr *sr_sharding_attr_of_axes(struct sr_context *ctx, const struct sr_mesh_ref *mesh, const struct sr_axes *axes,
					       int rank)
{
	struct sr_dim_sharding *dims = SR_NEW_ARRAY(ctx->scratch, struct sr_dim_sharding, rank);
	for (int d = 0; d < rank; d++)
		dims[d] = (struct sr_dim_sharding){axes[d], true, -1};
	struct sr_sharding s = {.mesh_name = mesh->name, .mesh = mesh->name ? NULL : mesh->mesh, .dims = dims, .rank = rank};
	return sr_sharding_attr(ctx, mesh->mesh, &s);
}

/* ---------------------------------------------------------------- cleanup of what only propagation needed */

/* Return true for an all_reduce that upstream's propagation pipeline adds after a reduction whose result is unreduced, over the
 * axes along which it is not unreduced. The all_reduce changes no sharding, and this pass inserts one over the final axes of the
 * op's reduction factors. */
static bool is_all_reduce_of_unreduced(struct sr_context *ctx, struct sr_op *op)
{
	const struct sr_value *v = sr_op_is(op, SR_OP_sdy_all_reduce) ? sr_operand(op, 0) : NULL;
	const struct sr_sharding_rule *rule = v && v->def && sr_value_sharding(ctx, v) == sr_op_attr(op, SR_NAME_out_sharding)
						      ? sr_op_rule(ctx, v->def, false)
						      : NULL;
	return rule && rule->reduction.n > 0;
}

bool sr_erase_propagation_ops(void *data, struct sr_op *op)
{
	struct sr_context *ctx = data;
	if (sr_op_is(op, SR_OP_sdy_sharding_group)) {
		sr_op_erase(op);
	} else if (sr_op_is(op, SR_OP_sdy_propagation_barrier) || is_all_reduce_of_unreduced(ctx, op)) {
		sr_value_replace_all(sr_result(op, 0), sr_operand(op, 0));
		sr_op_erase(op);
	} else if (sr_op_is(op, SR_OP_sdy_sharding_constraint)) {
		struct sr_builder at = sr_builder_before(ctx, op);
		sr_value_replace_all(sr_result(op, 0), sr_build_reshard(&at, sr_operand(op, 0), sr_op_attr(op, SR_NAME_sharding)));
		sr_op_erase(op);
	}
	return true;
}

bool sr_is_rematerializable(const struct sr_value *v)
{
	return v->def && is_rematerializable(v->def);
}

/* Replace a reshard of a rematerializable value by a copy of the op that defines the value, with the new sharding. */
static bool rematerialize(void *data, struct sr_op *op)
{
	struct sr_context *ctx = data;
	struct sr_map map;
	if (!sr_op_is(op, SR_OP_sdy_reshard) || !sr_is_rematerializable(sr_operand(op, 0)) ||
	    sr_op_attr(op, SR_NAME_sharding)->sharding->unreduced.n)
		return true;
	sr_map_init(&map, ctx->scratch);
	struct sr_op *copy = sr_op_clone(ctx, sr_operand(op, 0)->def, &map);
	sr_op_insert_before(op, copy);
	sr_value_set_sharding(ctx, sr_result(copy, 0), sr_op_attr(op, SR_NAME_sharding));
	sr_value_replace_all(sr_result(op, 0), sr_result(copy, 0));
	sr_op_erase(op);
	return true;
}

/* Convert a sharded stablehlo.constant to sdy.constant, since canonicalization merges equal stablehlo constants whatever their
 * shardings are. */
static bool convert_constant(void *data, struct sr_op *op)
{
	struct sr_context *ctx = data;
	if (sr_op_is(op, SR_OP_stablehlo_constant) && !is_replicated(sr_value_sharding(ctx, sr_result(op, 0))))
		sr_stablehlo_constant_to_sdy(ctx, op);
	return true;
}

enum sr_status sr_insert_reshards(struct sr_context *ctx, struct sr_op *func, const struct sr_pass_options *options)
{
	struct sr_op *module = sr_op_module(func);
	struct sr_reshard_inserter c = {.r = {.ctx = ctx, .module = module, .func = func, .is_full = true,
					      .open_is_replicated = true, .op = insert_at_op}};
	if (sr_option_bool(options, "cost"))
		c.costs = sr_cost_model_new(ctx, module, false);
	sr_walk_post(func, sr_erase_propagation_ops, ctx);
	enum sr_status status = sr_reshard_walk_run(&c.r);
	if (!status) {
		sr_walk_post(func, rematerialize, ctx);
		sr_walk_post(func, convert_constant, ctx);
	}
	return status;
}
