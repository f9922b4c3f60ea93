/* Implement sdy-apply-sharding-constraints: give the operand of a sharding_constraint or manual_computation the sharding required
 * there, if the operand has no sharding, the constraint closes every dimension, and no other constraint on the operand differs.
 *
 *	%0 = add ...; %1 = sdy.sharding_constraint %0 <@mesh, [{"x"}]>   gives %0 the sharding [{"x"}]
 *
 * All targets of a data-flow edge share one sharding, which must stay unrestricted. For such a target the constraint is moved
 * directly after the value and replaces the value for all its users. Later users of the input of a chain of constraints use the
 * result of the chain's last constraint. Requires data-flow edges (sdy-add-data-flow-edges). */
#include "import/edges/edge_ops.h"
#include "dialect/attr_names.h"
#include "import/provenance/provenance.h"
#include "import/op_class.h"
#include "import/import_passes.h"
#include "dialect/ops.h"

static const struct sr_attr *manual_in_sharding(const struct sr_op *op, int i)
{
	const struct sr_attr *in = sr_op_attr(op, SR_NAME_in_shardings);
	return in && i < in->n ? in->list[i] : NULL;
}

static bool has_other_constraint(const struct sr_value *v, const struct sr_attr *sharding)
{
	for (const struct sr_use *use = v->uses; use; use = use->next) {
		if (sr_op_is(use->owner, SR_OP_sdy_sharding_constraint) && sr_op_attr(use->owner, SR_NAME_sharding) != sharding)
			return true;
		if (sr_op_is(use->owner, SR_OP_sdy_manual_computation) &&
		    manual_in_sharding(use->owner, sr_use_index(use)) != sharding)
			return true;
	}
	return false;
}

static bool has_constraint_except(const struct sr_value *v, const struct sr_op *excluded_op)
{
	for (const struct sr_use *use = v->uses; use; use = use->next)
		if (use->owner != excluded_op && (sr_op_is(use->owner, SR_OP_sdy_sharding_constraint) ||
						  sr_op_is(use->owner, SR_OP_sdy_manual_computation)))
			return true;
	return false;
}

static bool is_closed(const struct sr_sdy_sharding *s)
{
	for (int d = 0; d < s->rank; d++)
		if (!s->dims[d].closed)
			return false;
	return true;
}

static bool should_apply(struct sr_context *ctx, struct sr_value *v, const struct sr_attr *sharding)
{
	return sr_shardable_value(v) && !sr_value_sharding(ctx, v) && is_closed(sharding->sharding) &&
	       !has_other_constraint(v, sharding);
}

static bool is_edge_target(struct sr_context *ctx, struct sr_value *v)
{
	return (v->def && sr_op_is(v->def, SR_OP_sdy_data_flow_edge)) || sr_edge_op_of_target(ctx, v);
}

static void move_after(struct sr_op *op, struct sr_value *v)
{
	struct sr_op *first_op = v->def ? NULL : v->block->first;
	if (first_op == op)
		return;
	sr_op_unlink(op);
	if (v->def)
		sr_op_insert_after(v->def, op);
	else
		sr_op_insert_before(first_op, op);
}

static bool is_other_user(void *data, struct sr_use *use)
{
	return use->owner != data;
}

/* Copy the unreduced axes of `constraint` to v's sharding. Propagation does not propagate unreduced axes. */
static void copy_unreduced_axes(struct sr_context *ctx, struct sr_value *v, const struct sr_sdy_sharding *constraint)
{
	const struct sr_attr *old_sharding = sr_value_sharding(ctx, v);
	if (constraint->unreduced.n == 0)
		return;
	struct sr_sdy_sharding s = old_sharding ? *old_sharding->sharding
		: sr_sdy_replicated_sharding(ctx->arena, constraint->mesh_name, constraint->rank, false);
	if (!old_sharding)
		s.mesh = constraint->mesh;
	s.unreduced = constraint->unreduced;
	s.unreduced_kind = constraint->unreduced_kind;
	sr_value_set_sharding(ctx, v, sr_attr_sharding(ctx, &s));
}

struct constraint_applier {
	struct sr_context *ctx;
	struct sr_provenance *provenance; /* record of propagated axes; NULL: not requested */
};

/* Record that the constraint's operand got every axis of its result's sharding. */
static void record_provenance(struct sr_provenance *provenance, struct sr_op *op, const struct sr_sdy_sharding *s)
{
	const struct sr_mesh *mesh = sr_sharding_mesh(provenance->module, s);
	struct sr_propagated_axis event = {.step = provenance->step, .op = op, .mesh = mesh, .source = 1, .target = 0,
					  .n_operands = 1,
			       .from = sr_shardable_value(sr_result(op, 0)),
			       .to = sr_shardable_value(sr_operand(op, 0))};
	for (int d = 0; mesh && d < s->rank; d++)
		for (int i = 0; i < s->dims[d].axes.n; i++) {
			event.factor = d;
			event.axis = sr_axis_resolve(mesh, s->dims[d].axes.refs[i]);
			sr_provenance_record(provenance, &event);
		}
	provenance->step += s->rank > 0;
}

static void apply_constraint(struct constraint_applier *a, struct sr_op *op, const struct sr_attr *sharding)
{
	struct sr_context *ctx = a->ctx;
	struct sr_value *v = sr_operand(op, 0);
	if (!should_apply(ctx, v, sharding))
		return;
	if (!is_edge_target(ctx, v)) {
		const struct sr_sharding_rule *rule = sr_rule_identity(ctx, v->type, 1, 1);
		if (!sr_op_attr(op, "sdy.sharding_rule") && v->type->kind == SR_TYPE_TENSOR)
			sr_op_set_attr(ctx, op, "sdy.sharding_rule", sr_attr_rule(ctx, rule));
		sr_value_set_sharding(ctx, v, sharding);
		if (a->provenance)
			record_provenance(a->provenance, op, sharding->sharding);
		return;
	}
	move_after(op, v);
	sr_value_replace_if(v, sr_result(op, 0), is_other_user, op);
	copy_unreduced_axes(ctx, v, sharding->sharding);
}

static void apply_manual(struct sr_context *ctx, struct sr_op *op)
{
	for (int i = 0; i < op->n_operands; i++) {
		/* If the same value is also an earlier operand, operand i may now be the constraint that was inserted for the
		 * earlier one. */
		struct sr_value *v = sr_operand(op, i);
		const struct sr_attr *sharding = manual_in_sharding(op, i);
		if (!sharding || !should_apply(ctx, v, sharding))
			continue;
		if (!is_edge_target(ctx, v)) {
			sr_value_set_sharding(ctx, v, sharding);
			continue;
		}
		struct sr_named_attr attr = {SR_NAME_sharding, sharding};
		sr_insert_after_value(ctx, v, SR_OP_sdy_sharding_constraint, op->loc, &attr, 1);
		copy_unreduced_axes(ctx, v, sharding->sharding);
	}
}

static struct sr_op *single_user(const struct sr_op *op)
{
	const struct sr_use *use = sr_result(op, 0)->uses;
	return use && !use->next ? use->owner : NULL;
}

/* Return the last of two or more chained constraints that begin with `head`; NULL if there is no such chain. The chain's input must
 * have no sharding and no other constraint, and only the last constraint may have several users. */
static struct sr_op *chain_tail(struct sr_context *ctx, struct sr_op *head)
{
	struct sr_value *input = sr_operand(head, 0);
	if ((input->def && sr_op_is(input->def, SR_OP_sdy_sharding_constraint)) || sr_value_sharding(ctx, input) ||
	    has_constraint_except(input, head))
		return NULL;
	struct sr_op *tail = head;
	while (single_user(tail) && sr_op_is(single_user(tail), SR_OP_sdy_sharding_constraint))
		tail = single_user(tail);
	return tail == head || has_constraint_except(sr_result(tail, 0), NULL) ? NULL : tail;
}

struct constraint_chain {
	struct sr_op *head, *tail;
};

static bool is_after_chain(void *data, struct sr_use *use)
{
	const struct constraint_chain *c = data;
	return use->owner != c->head && !sr_op_is(use->owner, SR_OP_func_return) && use->owner->block == c->tail->block &&
	       sr_op_is_before(c->tail, use->owner);
}

static bool apply_op(void *data, struct sr_op *op)
{
	struct constraint_applier *a = data;
	if (sr_op_is(op, SR_OP_sdy_sharding_constraint)) {
		struct constraint_chain c = {op, chain_tail(a->ctx, op)};
		if (c.tail)
			sr_value_replace_if(sr_operand(op, 0), sr_result(c.tail, 0), is_after_chain, &c);
		apply_constraint(a, op, sr_op_attr(op, SR_NAME_sharding));
	} else if (sr_op_is(op, SR_OP_sdy_manual_computation)) {
		apply_manual(a->ctx, op);
	}
	return true;
}

enum sr_status sr_pass_apply_sharding_constraints(struct sr_context *ctx, struct sr_op *module,
						  const struct sr_pass_options *options)
{
	struct sr_provenance_request request = sr_provenance_request_read(options);
	struct sr_provenance provenance;
	struct constraint_applier a = {ctx, request.edges || request.origins ? &provenance : NULL};
	if (a.provenance)
		sr_provenance_init(a.provenance, ctx, module, request.origins);
	sr_walk_post(module, apply_op, &a);
	if (a.provenance)
		sr_provenance_write(a.provenance, request);
	return SR_OK;
}
