/* shardrun-choose: like the full version of sdy-insert-explicit-reshards, but right for every op: what an op's local form cannot take is
 * made whole, an op without a rule computes on whole values, results are reduced by the op's own reducer, and barriers and groups of
 * propagation, which are over, go. With cost=true, which factors are sharded is decided by bytes on the wire; else as upstream decides.
 *
 * Requires: propagation done, calls inlined. Leaves: no conflict anywhere; sdy.reshard and sdy.all_reduce. Cost: linear in the module times
 * what an op's choices cost. */
#include "partition/explicit_reshards.h"
#include "partition/passes.h"

struct choose {
	struct sr_reshards r; /* first: what the walk hands back */
	struct sr_costs *costs; /* NULL: upstream's choice */
};

static bool is_tensor(const struct sr_value *v)
{
	return v->type->kind == SR_TYPE_TENSOR;
}

static bool is_whole(const struct sr_attr *sharding)
{
	return !sharding || sr_sharding_is_replicated(sharding->sharding);
}

static struct sr_mesh_ref mesh_named_by(struct sr_op *module, const struct sr_attr *s)
{
	return (struct sr_mesh_ref){sr_sharding_mesh(module, s->sharding), s->sharding->mesh_name};
}

/* Read the whole value. */
static void make_whole(struct choose *c, struct sr_builder *at, struct sr_use *use)
{
	struct sr_context *ctx = c->r.ctx;
	const struct sr_attr *s = is_tensor(use->value) ? sr_get_sharding(ctx, use->value) : NULL;
	if (!is_whole(s))
		sr_use_set(use, sr_insert_reshard(at, use->value, sr_replicated_on(ctx, mesh_named_by(c->r.module, s), use->value->type)));
}

/* What a region yields to an op that no edge goes through. */
static void make_yields_whole(struct choose *c, struct sr_op *op)
{
	for (int g = 0; g < op->n_regions; g++) {
		struct sr_op *end = op->regions[g].first ? sr_block_terminator(op->regions[g].first) : NULL;
		struct sr_builder at = sr_builder_before(c->r.ctx, end ? end : op);
		for (int i = 0; end && i < end->n_operands; i++)
			make_whole(c, &at, &end->operands[i]);
	}
}

/* Whole operands and results; readers of the results have what propagation said. */
static void compute_whole(struct choose *c, struct sr_op *op)
{
	struct sr_context *ctx = c->r.ctx;
	struct sr_builder at = sr_builder_before(ctx, op), behind = at;
	behind.anchor = op->next;
	for (int i = 0; i < op->n_operands; i++)
		make_whole(c, &at, &op->operands[i]);
	make_yields_whole(c, op);
	for (int i = 0; i < op->n_results; i++) {
		struct sr_value *v = sr_result(op, i);
		const struct sr_attr *s = is_tensor(v) ? sr_get_sharding(ctx, v) : NULL;
		if (is_whole(s))
			continue;
		struct sr_value *out = sr_insert_reshard(&behind, v, s);
		sr_replace_but(v, out, out->def);
		sr_set_sharding(ctx, v, sr_replicated_on(ctx, mesh_named_by(c->r.module, s), v->type));
	}
}

/* Values made from nothing are made in parts, and collectives say themselves what they do. */
static bool keeps_its_shardings(const struct sr_op *op)
{
	return sr_op_has(op, SR_CONSTANT) || sr_op_is(op, SR_OP_stablehlo_iota) || sr_op_is(op, SR_OP_sdy_reshard) ||
	       (sr_op_has(op, SR_COLLECTIVE) && sr_op_attr(op, "out_sharding"));
}

static enum sr_status choose_factors(struct choose *c, struct sr_op_view *v)
{
	struct sr_limits limits = sr_limits_of(v);
	bool *changed = SR_NEWS(v->ctx->arena, bool, v->n_tensors);
	struct sr_axes *axes = sr_common_axes(v);
	sr_limits_apply(v, &limits, axes);
	if (c->costs)
		axes = sr_cheapest_axes(c->costs, v, &limits, axes);
	for (int f = 0; f < v->rule->n_factors; f++)
		sr_view_set_factor(v, f, axes[f], changed);
	sr_view_insert(v, changed);
	return sr_view_reduce(v, axes, true);
}

/* Something of the op is on a mesh, and not only whole. */
static bool is_sharded(struct choose *c, const struct sr_op *op)
{
	for (int i = 0; i < op->n_operands + op->n_results; i++)
		if (!is_whole(sr_get_sharding(c->r.ctx, i < op->n_operands ? sr_operand(op, i) : sr_result(op, i - op->n_operands))))
			return true;
	return false;
}

static enum sr_status choose_at_op(struct sr_reshards *r, struct sr_op *op, bool full)
{
	struct choose *c = (struct choose *)r;
	enum sr_status status;
	struct sr_op_view v;
	bool done = false;
	(void)full;
	status = sr_reshards_before_op(r, op, &done);
	if (status || done || keeps_its_shardings(op))
		return status;
	const struct sr_sharding_rule *rule = is_sharded(c, op) ? sr_op_rule(r->ctx, op, false) : NULL;
	if (rule && sr_op_view_init(&v, r->ctx, r->module, op, rule))
		return choose_factors(c, &v);
	compute_whole(c, op);
	return SR_OK;
}

/* ---------------------------------------------------------------- what propagation needed and partition does not */

static bool clean(void *data, struct sr_op *op)
{
	struct sr_context *ctx = data;
	if (sr_op_is(op, SR_OP_sdy_sharding_group)) {
		sr_op_erase(op);
	} else if (sr_op_is(op, SR_OP_sdy_propagation_barrier)) {
		sr_value_replace_all(sr_result(op, 0), sr_operand(op, 0));
		sr_op_erase(op);
	} else if (sr_op_is(op, SR_OP_sdy_sharding_constraint)) {
		struct sr_builder at = sr_builder_before(ctx, op);
		sr_value_replace_all(sr_result(op, 0), sr_insert_reshard(&at, sr_operand(op, 0), sr_op_attr(op, "sharding")));
		sr_op_erase(op);
	}
	return true;
}

enum sr_status sr_choose(struct sr_context *ctx, struct sr_op *func, const struct sr_pass_options *options)
{
	struct sr_op *module = sr_op_module(func);
	struct choose c = {{ctx, module, func, true, choose_at_op}, NULL};
	if (sr_option_bool(options, "cost"))
		c.costs = sr_costs_new(ctx, module);
	sr_walk_post(func, clean, ctx);
	return sr_reshards_run(&c.r);
}
