/* sdy-insert-explicit-reshards: insert an sdy.reshard wherever an operand or result is not sharded as its op's rule requires.
 *
 * 	%0 = stablehlo.dot %a, %b {[{"x"}, {}]}                            %a [{}, {"y"}], %b [{"y"}, {"x"}]
 *  becomes
 * 	%0 = stablehlo.dot %a, %b {[{}, {"x"}]}
 * 	%1 = sdy.all_reduce {"y"} %0 out_sharding=<@mesh, [{}, {"x"}]>
 * 	%2 = sdy.reshard %1 <@mesh, [{"x"}, {}]>
 *
 * Requires: data-flow edges sunk, shardings closed. Leaves (full version): no conflict except along permutation factors, at ops
 * without a rule and at ops with a user's rule; else little more than calls and unreduced axes made explicit. Cost: linear in the
 * module times the factors of an op. Upstream: the pass of this name. */
#include "import/calls/call_graph.h"
#include "dialect/attr_names.h"
#include "partition/insert_reshards/explicit_reshards.h"
#include "partition/partition_passes.h"
#include "support/vec.h"

typedef SR_VEC(struct sr_op *) op_vec;

struct collect {
	struct sr_context *ctx;
	op_vec ops;
};

static bool collect_op(void *data, struct sr_op *op)
{
	struct collect *c = data;
	if (!sr_op_has(op, SR_TERMINATOR) && !sr_op_is(op, SR_OP_func_func))
		sr_push(c->ctx->scratch, &c->ops, op);
	return true;
}

/* Return true if the shardings match by upstream's rule: a value without a sharding matches any replicated sharding, unreduced or
 * not. */
static bool matches(const struct sr_attr *source, const struct sr_attr *target)
{
	if (source)
		return sr_sdy_sharding_is_equivalent(source->sharding, target ? target->sharding : NULL);
	return !target || !sr_sdy_sharding_has_axes(target->sharding);
}

/* Insert a reshard of the value that `use` reads to `target`, at the use or after the definition. is_full: also reshard if more
 * than unreduced axes differ. */
static enum sr_status reshard_use(struct sr_reshard_walk *r, struct sr_use *use, const struct sr_attr *target,
				  bool after_definition, bool is_full)
{
	struct sr_context *ctx = r->ctx;
	enum sr_status status = SR_OK;
	struct sr_builder at = after_definition ? sr_builder_after(ctx, use->value) : sr_builder_before(ctx, use->owner);
	if (is_full && r->open_is_replicated && target && target->sharding->unreduced.n &&
	    !sr_value_sharding(ctx, use->value)) {
		struct sr_mesh_ref mesh = {sr_sharding_mesh(r->module, target->sharding), target->sharding->mesh_name};
		sr_value_set_sharding(ctx, use->value, sr_replicated_on(ctx, mesh, use->value->type));
	}
	const struct sr_attr *source = sr_value_sharding(ctx, use->value);
	if (source)
		source = sr_reduce_unreduced(ctx, r->module, &at, use, source, target, &status);
	const struct sr_attr *unreduced_sharding = status ? NULL : sr_make_unreduced(ctx, r->module, &at, use, target, &status);
	if (status)
		return status;
	if (unreduced_sharding)
		source = unreduced_sharding;
	if (!is_full || matches(source, target))
		return SR_OK;
	if (!target)
		target = sr_replicated_on(ctx, (struct sr_mesh_ref){source->sharding->mesh, source->sharding->mesh_name},
					  use->value->type);
	sr_use_set(use, sr_build_reshard(&at, use->value, target));
	return SR_OK;
}

const struct sr_attr *sr_edge_target_sharding(struct sr_context *ctx, struct sr_op *op, struct sr_value *owner)
{
	if (!sr_op_is(op, SR_OP_sdy_manual_computation))
		return sr_value_sharding(ctx, owner);
	const struct sr_attr *shardings_attr = sr_op_attr(op, owner->def ? SR_NAME_out_shardings : SR_NAME_in_shardings);
	const struct sr_attr *one = shardings_attr && owner->index < shardings_attr->n ? shardings_attr->list[owner->index] : NULL;
	return one && owner->def ? sr_sharding_without_axes(ctx, one, sr_op_attr(op, SR_NAME_manual_axes)) : one;
}

static enum sr_status reshard_edge(struct sr_reshard_walk *r, struct sr_op *op, struct sr_edge edge, bool is_full)
{
	const struct sr_attr *target = sr_edge_target_sharding(r->ctx, op, edge.target);
	enum sr_status status = SR_OK;
	for (int i = 0; i < edge.n && !status; i++)
		status = reshard_use(r, edge.uses[i], target, true, is_full);
	return status;
}

static enum sr_status reshard_data_flow(struct sr_reshard_walk *r, struct sr_op *op, bool is_full)
{
	enum sr_status status = SR_OK;
	int n = sr_edge_count(op), n_args = n - op->n_results;
	for (int i = 0; i < n && !status; i++) /* results are resharded before operands */
		status = reshard_edge(r, op, sr_edge_at(r->ctx, op, i < op->n_results ? n_args + i : i - op->n_results), is_full);
	return status;
}

/* Reshard the operands of a call to the shardings of the callee's arguments. An argument without a sharding counts as open if
 * another argument has a sharding, and as replicated if only operands have one. */
static enum sr_status reshard_call(struct sr_reshard_walk *r, struct sr_op *call)
{
	struct sr_op *callee = sr_call_callee(r->module, call);
	struct sr_block *entry = callee ? sr_func_entry(callee) : NULL;
	const struct sr_attr *sample_sharding = NULL;
	bool is_closed = false;
	enum sr_status status = SR_OK;
	if (!entry || entry->n_args != call->n_operands)
		return SR_OK;
	for (int is_operand = 0; is_operand < 2 && !sample_sharding; is_operand++)
		for (int i = 0; i < call->n_operands && !sample_sharding; i++) {
			const struct sr_attr *s = sr_value_sharding(r->ctx, is_operand ? sr_operand(call, i) : entry->args[i]);
			if (s && !sr_is_single_device(r->module, s))
				sample_sharding = s;
			is_closed = is_operand;
		}
	if (!sample_sharding)
		return SR_OK;
	for (int i = 0; i < call->n_operands && !status; i++) {
		const struct sr_attr *target = sr_value_sharding(r->ctx, entry->args[i]);
		if (!target)
			target = sr_replicated_like(r->ctx, sample_sharding->sharding, entry->args[i]->type, is_closed);
		status = reshard_use(r, &call->operands[i], target, true, true);
	}
	return status;
}

/* Return true if the op's tensors must be made compatible: always for concatenates of differently sharded operands, and for calls,
 * whose callee is compiled once. */
static bool is_always_compatible(struct sr_reshard_walk *r, struct sr_op *op)
{
	if (r->is_full || sr_op_is(op, SR_OP_func_call))
		return true;
	for (int i = 0; sr_op_is(op, SR_OP_stablehlo_concatenate) && i < op->n_operands; i++)
		if (sr_value_sharding(r->ctx, sr_operand(op, i)) != sr_value_sharding(r->ctx, sr_result(op, 0)))
			return true;
	return false;
}

static enum sr_status reshard_return(struct sr_reshard_walk *r)
{
	struct sr_block *entry = sr_func_entry(r->func);
	struct sr_op *end = entry ? sr_block_terminator(entry) : NULL;
	enum sr_status status = SR_OK;
	for (int i = 0; end && i < end->n_operands && !status; i++)
		status = reshard_use(r, &end->operands[i], sr_result_sharding_of_func(r->func, i), false, r->is_full);
	return status;
}

static enum sr_status check_func(struct sr_reshard_walk *r)
{
	const struct sr_type *type = sr_func_type(r->func);
	struct sr_block *entry = sr_func_entry(r->func);
	for (int results = 0; results < 2; results++)
		for (int i = 0; entry && i < (results ? type->n_results : entry->n_args); i++) {
			const struct sr_attr *s =
				results ? sr_result_sharding_of_func(r->func, i) : sr_value_sharding(r->ctx, entry->args[i]);
			if (s && sr_is_single_device(r->module, s))
				return sr_op_error(r->func, &r->ctx->diags, SR_INVALID,
						   "function %s %d cannot have a single-device (maximal) sharding attribute",
						   results ? "result" : "argument", i);
		}
	return SR_OK;
}

enum sr_status sr_reshard_walk_run(struct sr_reshard_walk *r)
{
	struct collect c = {.ctx = r->ctx};
	enum sr_status status = check_func(r);
	if (status)
		return status;
	sr_walk_post(r->func, collect_op, &c);
	for (size_t i = 0; i < c.ops.n && !status; i++) {
		struct sr_op *op = c.ops.data[i];
		struct sr_arena_position mark = sr_arena_mark(r->ctx->scratch);
		bool is_full = is_always_compatible(r, op);
		if (sr_op_has(op, SR_DATA_FLOW_EDGE))
			status = reshard_data_flow(r, op, is_full);
		else if (sr_op_is(op, SR_OP_func_call))
			status = reshard_call(r, op);
		else
			status = r->op(r, op, is_full);
		sr_arena_release(r->ctx->scratch, mark);
	}
	return status ? status : reshard_return(r);
}

/* Replace a reshard to unreduced axes by the collectives that make them unreduced. Returns true if the reshard was erased. */
static bool reshard_to_unreduced(struct sr_reshard_walk *r, struct sr_op *op, enum sr_status *status)
{
	if (!sr_op_is(op, SR_OP_sdy_reshard))
		return false;
	struct sr_builder at = sr_builder_before(r->ctx, op);
	if (!sr_make_unreduced(r->ctx, r->module, &at, &op->operands[0], sr_op_attr(op, SR_NAME_sharding), status))
		return false;
	sr_value_replace_all(sr_result(op, 0), sr_operand(op, 0));
	sr_op_erase(op);
	return true;
}

static struct sr_sdy_axes unreduced_of(struct sr_context *ctx, struct sr_value *v)
{
	const struct sr_attr *s = sr_value_sharding(ctx, v);
	return s ? s->sharding->unreduced : (struct sr_sdy_axes){0};
}

/* Reduce operands along the axes that are unreduced in the operand but not in the result. */
static enum sr_status reduce_operands(struct sr_reshard_walk *r, struct sr_op *op)
{
	struct sr_context *ctx = r->ctx;
	enum sr_status status = SR_OK;
	for (int i = 1; i < op->n_results; i++)
		if (!sr_sdy_axes_equal(unreduced_of(ctx, sr_result(op, 0)), unreduced_of(ctx, sr_result(op, i))))
			return sr_op_error(op, &ctx->diags, SR_UNSUPPORTED, "has results with different unreduced axes");
	const struct sr_attr *target = op->n_results ? sr_value_sharding(ctx, sr_result(op, 0)) : NULL;
	struct sr_builder at = sr_builder_before(ctx, op);
	for (int i = 0; i < op->n_operands && !status; i++) {
		const struct sr_attr *source = sr_value_sharding(ctx, sr_operand(op, i));
		if (source && source->sharding->unreduced.n)
			sr_reduce_unreduced(ctx, r->module, &at, &op->operands[i], source, target, &status);
	}
	return status;
}

static bool result_on_single_device(struct sr_reshard_walk *r, struct sr_op *op, const struct sr_attr ***shardings)
{
	bool is_found = false;
	*shardings = SR_NEW_ARRAY(r->ctx->scratch, const struct sr_attr *, op->n_results);
	for (int i = 0; i < op->n_results; i++) {
		(*shardings)[i] = sr_sharding_through_barriers(r->ctx, sr_result(op, i));
		is_found = is_found || ((*shardings)[i] && sr_is_single_device(r->module, (*shardings)[i]));
	}
	return is_found;
}

/* Choose compatible axes for all factors and insert the reshards. */
static sr_axes_per_factor make_compatible(struct sr_op_view *v)
{
	sr_axes_per_factor axes = sr_reshape_with_overflow(v);
	if (axes)
		return axes;
	bool *is_changed = SR_NEW_ARRAY(v->ctx->scratch, bool, v->n_tensors);
	axes = sr_common_axes(v);
	for (int f = 0; f < v->rule->n_factors; f++)
		sr_op_view_set_factor(v, f, axes[f], is_changed);
	sr_op_view_insert_reshards(v, is_changed);
	return axes;
}

enum sr_status sr_explicit_reshards_before_op(struct sr_reshard_walk *r, struct sr_op *op, bool *is_done)
{
	const struct sr_attr **results;
	enum sr_status status = SR_OK;
	if (sr_op_has(op, SR_COLLECTIVE) && sr_op_attr(op, SR_NAME_out_sharding)) {
		*is_done = true; /* a collective needs no reshards here, since its out_sharding determines its unreduced axes */
		return SR_OK;
	}
	*is_done = reshard_to_unreduced(r, op, &status);
	if (*is_done || status)
		return status;
	status = reduce_operands(r, op);
	if (status || !result_on_single_device(r, op, &results))
		return status;
	*is_done = true;
	return sr_explicit_reshards_single_device(r->ctx, r->module, op, results);
}

static enum sr_status insert_at_op(struct sr_reshard_walk *r, struct sr_op *op, bool is_full)
{
	bool is_done = false;
	enum sr_status status = sr_explicit_reshards_before_op(r, op, &is_done);
	if (status || is_done)
		return status;
	const struct sr_sharding_rule *rule = sr_op_rule(r->ctx, op, false);
	struct sr_op_view v;
	if (!rule || rule->custom || !sr_op_view_init(&v, r->ctx, r->module, op, rule))
		return SR_OK;
	const struct sr_axes *common = NULL;
	if (is_full)
		common = make_compatible(&v);
	else
		sr_product_reshard_result(&v);
	return sr_op_view_insert_all_reduces(&v, common, is_full);
}

enum sr_status sr_insert_explicit_reshards(struct sr_context *ctx, struct sr_op *func, const struct sr_pass_options *options)
{
	struct sr_reshard_walk r = {.ctx = ctx, .module = sr_op_module(func), .func = func,
				    .is_full = sr_option_bool(options, "enable-full-version"), .op = insert_at_op};
	return sr_reshard_walk_run(&r);
}
