/* Process one op: project its tensors' shardings to factors, run the strategy, and set the changed shardings. */
#include "propagate/propagation.h"
#include "dialect/attr_names.h"
#include "propagate/rules/rule_builder.h"

static bool is_manual(struct sr_axis_ref ref, const struct sr_attr *manual_axes)
{
	for (int i = 0; manual_axes && manual_axes->axes && i < manual_axes->axes->n; i++)
		if (manual_axes->axes->refs[i].axis == ref.axis)
			return true;
	return false;
}

/* Return how many of the first references are manual axes. */
static int n_leading_manual(struct sr_axes axes, const struct sr_attr *manual_axes)
{
	int n = 0;
	while (n < axes.n && is_manual(axes.refs[n], manual_axes))
		n++;
	return n;
}

static struct sr_axes drop_manual_axes(struct sr_arena *arena, struct sr_axes axes, const struct sr_attr *manual_axes)
{
	struct sr_axis_ref *refs = SR_NEW_ARRAY(arena, struct sr_axis_ref, axes.n);
	int n = 0;
	for (int i = 0; i < axes.n; i++)
		if (!is_manual(axes.refs[i], manual_axes))
			refs[n++] = axes.refs[i];
	return (struct sr_axes){refs, n};
}

/* Return the sharding of a value at the boundary of a manual computation as seen inside: without the manual axes, which come
 * first in each dimension. */
static struct sr_sharding inner_sharding(struct sr_arena *arena, const struct sr_sharding *s, const struct sr_attr *manual_axes)
{
	struct sr_sharding out = *s;
	struct sr_dim_sharding *dims = sr_dup(arena, s->dims, (size_t)s->rank, sizeof *dims);
	for (int d = 0; d < s->rank; d++) {
		int n = n_leading_manual(dims[d].axes, manual_axes);
		if (n)
			dims[d].axes = (struct sr_axes){dims[d].axes.refs + n, dims[d].axes.n - n};
	}
	out.dims = dims;
	out.replicated = drop_manual_axes(arena, s->replicated, manual_axes);
	out.unreduced = drop_manual_axes(arena, s->unreduced, manual_axes);
	return out;
}

/* Return the sharding as seen outside: prepend the manual axes of `boundary` to the axes of `inner`. */
static struct sr_sharding outer_sharding(struct sr_arena *arena, const struct sr_sharding *boundary,
					 const struct sr_sharding *inner,
					 const struct sr_attr *manual_attr)
{
	struct sr_sharding out = *boundary;
	struct sr_dim_sharding *dims = sr_dup(arena, boundary->dims, (size_t)boundary->rank, sizeof *dims);
	for (int d = 0; d < boundary->rank && d < inner->rank; d++) {
		struct sr_axes manual_axes = {dims[d].axes.refs, n_leading_manual(dims[d].axes, manual_attr)},
			       inner_axes = inner->dims[d].axes;
		struct sr_axis_ref *refs = SR_NEW_ARRAY(arena, struct sr_axis_ref, manual_axes.n + inner_axes.n);
		for (int i = 0; i < manual_axes.n + inner_axes.n; i++)
			refs[i] = i < manual_axes.n ? manual_axes.refs[i] : inner_axes.refs[i - manual_axes.n];
		dims[d] = (struct sr_dim_sharding){
		    {refs, manual_axes.n + inner_axes.n}, inner->dims[d].closed, inner->dims[d].priority};
	}
	out.mesh_name = inner->mesh_name;
	out.mesh = inner->mesh;
	out.dims = dims;
	out.unreduced_kind = SR_UNREDUCED_SUM;
	return out;
}

/* Translate a sharding across the boundary of a manual computation: shardings outside begin with the manual axes, shardings inside
 * lack them. The edge of a block argument has the inner sharding, that of a result the outer one; its source is on the other
 * side. */
static struct sr_sharding sharding_across_boundary(struct sr_propagation *state, const struct sr_value *owner,
						   const struct sr_sharding *s, bool is_outward)
{
	const struct sr_op *op = sr_value_owner(owner);
	const struct sr_attr *manual_axes = sr_op_attr(op, SR_NAME_manual_axes);
	const struct sr_attr *outer = sr_op_attr(op, owner->def ? SR_NAME_out_shardings : SR_NAME_in_shardings);
	if (!is_outward)
		return inner_sharding(state->scratch, s, manual_axes);
	const struct sr_sdy_sharding *boundary = outer->list[owner->index]->sharding;
	const struct sr_mesh *mesh = sr_sharding_mesh(state->module, boundary);
	return outer_sharding(state->scratch, sr_sharding_resolve(state->scratch, mesh, boundary), s, manual_axes);
}

static void read_shardings(struct sr_propagation *state, struct sr_rule_application *s)
{
	s->shardings = SR_NEW_ARRAY(state->scratch, const struct sr_sharding *, s->n);
	for (int i = 0; i < s->n; i++)
		s->shardings[i] = s->holders[i] ? s->holders[i]->sharding : NULL;
	if (s->manual_owner && s->shardings[s->n - 1]) {
		struct sr_sharding *boundary_sharding = SR_NEW(state->scratch, struct sr_sharding);
		*boundary_sharding = sharding_across_boundary(state, s->manual_owner, s->shardings[s->n - 1],
							      !s->manual_owner->def);
		s->shardings[s->n - 1] = boundary_sharding;
	}
}

static bool is_empty_mesh(const struct sr_mesh *mesh)
{
	return mesh->n_axes == 0 && mesh->n_device_ids == 0;
}

/* Return the common mesh of all shardings, ignoring empty meshes; NULL: there is none, or they differ. *name: name of the first
 * mesh. */
static const struct sr_mesh *common_mesh(const struct sr_rule_application *s, const char **name)
{
	const struct sr_mesh *mesh = NULL;
	for (int i = 0; i < s->n; i++) {
		if (!s->shardings[i])
			continue;
		const struct sr_mesh *other_mesh = s->holders[i]->mesh;
		if (!mesh || is_empty_mesh(mesh)) {
			mesh = other_mesh;
			*name = s->shardings[i]->mesh_name;
		} else if (!is_empty_mesh(other_mesh) && !sr_mesh_equal(mesh, other_mesh)) {
			return NULL;
		}
	}
	return mesh;
}

static bool has_axes(const struct sr_sharding *s)
{
	for (int d = 0; d < s->rank; d++)
		if (s->dims[d].axes.n > 0)
			return true;
	return s->replicated.n > 0 || s->unreduced.n > 0;
}

/* Set a tensor's sharding from the projection. Return true if the sharding changed. */
static bool write_back(struct sr_propagation *state, const struct sr_rule_application *s, const struct sr_projection *p, int i,
		       const char *mesh_name)
{
	const struct sr_sharding *old_sharding = s->shardings[i];
	struct sr_sharding new_sharding = sr_projection_sharding(state->scratch, p, i, mesh_name);
	if (!s->holders[i] || (old_sharding ? sr_sharding_equal(old_sharding, &new_sharding) : !has_axes(&new_sharding)))
		return false;
	if (s->manual_owner && i == s->n - 1)
		new_sharding = sharding_across_boundary(state, s->manual_owner, &new_sharding, s->manual_owner->def);
	sr_propagation_set(state, s->holders[i], &new_sharding);
	return true;
}

static bool apply_rule(struct sr_propagation *state, struct sr_rule_application *s)
{
	const char *mesh_name = NULL;
	read_shardings(state, s);
	const struct sr_mesh *mesh = common_mesh(s, &mesh_name);
	if (!mesh || !mesh_name || sr_mesh_is_single_device(mesh))
		return false;
	struct sr_projection p = sr_projection_build(state->scratch, s->rule, mesh, s->shardings, false);
	struct sr_factor_propagation propagation = {.arena = state->scratch, .projection = &p, .directions = s->directions,
				 .is_conservative = s->is_conservative, .is_elementwise = s->is_elementwise};
	propagation.is_updated = SR_NEW_ARRAY(state->scratch, bool, s->n);
	const struct sr_tensor_factors *factors_before = state->provenance ? sr_copy_factors(state->scratch, &p) : NULL;
	state->strategy(&propagation);
	bool has_updated = false;
	for (int i = 0; i < s->n; i++)
		if (propagation.is_updated[i] && write_back(state, s, &p, i, mesh_name))
			has_updated = true;
	if (has_updated && factors_before)
		sr_record_rule_application(state->provenance, s, factors_before, &p);
	return has_updated;
}

static bool is_static_tensor(const struct sr_type *type)
{
	return type->kind == SR_TYPE_TENSOR && sr_type_is_static(type);
}

/* Set the rule and the shardings of an edge with n sources and one target. */
static void init_edge(struct sr_propagation *state, struct sr_propagation_op *at, struct sr_value *const *sources, int n)
{
	at->rule = sr_rule_identity(state->ctx, sr_result(at->op, 0)->type, n, 1);
	at->holders = SR_NEW_ARRAY(state->ctx->arena, struct sr_sharding_holder *, n + 1);
	for (int i = 0; i < n; i++)
		at->holders[i] = sr_propagation_holder(state, sources[i]);
	at->holders[n] = sr_propagation_holder(state, sr_result(at->op, 0));
}

static void init_func_edge(struct sr_propagation *state, struct sr_propagation_op *at)
{
	struct sr_value *v = sr_operand(at->op, 0);
	SR_VEC(struct sr_value *) sources = {0};
	if (v->def) {
		struct sr_op *callee = sr_call_callee(state->module, v->def);
		struct sr_block *entry = callee ? sr_func_entry(callee) : NULL;
		if (entry && v->index < sr_block_terminator(entry)->n_operands)
			sr_push(state->ctx->arena, &sources, sr_operand(sr_block_terminator(entry), v->index));
	} else {
		struct sr_value_group *calls = sr_map_get(&state->callers, v->block->region->op);
		for (size_t i = 0; calls && i < calls->members.n; i++)
			sr_push(state->ctx->arena, &sources, sr_operand(calls->members.data[i]->def, v->index));
	}
	if (sources.n > 0)
		init_edge(state, at, sources.data, (int)sources.n);
}

static void init_rule(struct sr_propagation *state, struct sr_propagation_op *at)
{
	struct sr_op *op = at->op;
	bool edge = sr_op_is(op, SR_OP_sdy_data_flow_edge), func_edge = sr_op_is(op, SR_OP_sdy_func_data_flow_edge);
	if ((edge || func_edge) && !is_static_tensor(sr_result(op, 0)->type))
		return;
	if (edge) {
		struct sr_edge of = sr_edge_of(state->ctx, sr_operand(op, 0));
		init_edge(state, at, of.sources, of.n);
	} else if (func_edge) {
		init_func_edge(state, at);
	} else if (sr_op_is(op, SR_OP_sdy_propagation_barrier)) {
		init_edge(state, at, &(struct sr_value *){sr_operand(op, 0)}, 1);
	} else {
		at->rule = sr_op_rule(state->ctx, op, state->is_conservative);
		if (!at->rule || at->rule->n_operands != op->n_operands || at->rule->n_results != op->n_results) {
			at->rule = NULL;
			return;
		}
		at->holders = SR_NEW_ARRAY(state->ctx->arena, struct sr_sharding_holder *, op->n_operands + op->n_results);
		for (int i = 0; i < op->n_operands; i++)
			at->holders[i] = sr_propagation_holder(state, sr_operand(op, i));
		for (int i = 0; i < op->n_results; i++)
			at->holders[op->n_operands + i] = sr_propagation_holder(state, sr_result(op, i));
	}
}

bool sr_op_rule_is_own(const struct sr_op *op)
{
	return !sr_op_is(op, SR_OP_sdy_data_flow_edge) && !sr_op_is(op, SR_OP_sdy_func_data_flow_edge) &&
	       !sr_op_is(op, SR_OP_sdy_propagation_barrier);
}

static const struct sr_value *manual_owner(const struct sr_op *op)
{
	if (!sr_op_is(op, SR_OP_sdy_data_flow_edge))
		return NULL;
	const struct sr_value *owner = sr_operand(op, 0);
	const struct sr_op *of = sr_value_owner(owner);
	return sr_op_is(of, SR_OP_sdy_manual_computation) ? owner : NULL;
}

static void init_op(struct sr_propagation *state, struct sr_propagation_op *at)
{
	at->is_initialized = true;
	init_rule(state, at);
	enum sr_direction *directions = SR_NEW_ARRAY(state->scratch, enum sr_direction, at->rule ? at->rule->n_factors : 0);
	for (int level = 0; at->rule && level < SR_DIRECTIONS_COUNT; level++)
		at->directions[level] = (uint8_t)sr_op_directions(at->op, at->rule, level, directions);
}

bool sr_propagation_has_work(const struct sr_propagation *state, const struct sr_propagation_op *at)
{
	int key = at->directions[state->level];
	if (!at->is_initialized)
		return true;
	return at->rule && key != 0 && (at->has_changed_sharding || key != at->last_directions || state->strategy != at->strategy);
}

void sr_propagation_visit(struct sr_propagation *state, struct sr_propagation_op *at)
{
	if (!at->is_initialized)
		init_op(state, at);
	if (!sr_propagation_has_work(state, at))
		return;
	enum sr_direction *directions = SR_NEW_ARRAY(state->scratch, enum sr_direction, at->rule->n_factors);
	at->last_directions = (uint8_t)sr_op_directions(at->op, at->rule, state->level, directions);
	at->strategy = state->strategy;
	struct sr_rule_application s = {.op = at->op, .rule = at->rule, .holders = at->holders,
			    .n = at->rule->n_operands + at->rule->n_results, .directions = directions,
			    .is_conservative = state->is_conservative && sr_op_rule_is_own(at->op),
			    .is_elementwise = sr_op_is_elementwise(at->op), .manual_owner = manual_owner(at->op)};
	at->has_changed_sharding = false;
	/* changed shardings may allow further changes of this op; like upstream, make those in the next round */
	if (apply_rule(state, &s))
		at->has_changed_sharding = true;
}

static void propagate_func_result(struct sr_propagation *state, struct sr_propagation_result *at, struct sr_value *v)
{
	struct sr_sharding_holder *holders[2] = {sr_propagation_holder(state, v), at->result};
	bool has_changed = at->strategy != state->strategy;
	for (int i = 0; i < 2; i++) {
		int version = holders[i] ? holders[i]->version : 0;
		has_changed = has_changed || at->versions[i] != version;
		at->versions[i] = version;
	}
	if (!has_changed)
		return;
	at->strategy = state->strategy;
	const struct sr_sharding_rule *rule = sr_rule_identity(state->ctx, v->type, 1, 1);
	enum sr_direction *directions = SR_NEW_ARRAY(state->scratch, enum sr_direction, rule->n_factors);
	for (int f = 0; f < rule->n_factors; f++)
		directions[f] = SR_DIRECTION_BOTH;
	struct sr_rule_application s = {.op = state->main, .func_result = at->result->result, .rule = rule, .holders = holders, .n = 2,
			    .directions = directions};
	apply_rule(state, &s);
}

void sr_propagation_func_results(struct sr_propagation *state)
{
	struct sr_block *entry = state->main ? sr_func_entry(state->main) : NULL;
	struct sr_op *end = entry ? sr_block_terminator(entry) : NULL;
	state->mark_only = true;
	for (int i = 0; end && i < end->n_operands && i < (int)state->func_results.n; i++)
		if (is_static_tensor(sr_operand(end, i)->type))
			propagate_func_result(state, &state->func_results.data[i], sr_operand(end, i));
	state->mark_only = false;
}
