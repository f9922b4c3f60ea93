/* The worklist and the shardings of a propagation. */
#include "propagate/propagation.h"
#include "support/arena_child.h"
#include <string.h>

/* ---------------------------------------------------------------- shardings */

static void read_holder(struct sr_propagation *state, struct sr_sharding_holder *holder, const struct sr_attr *sharding)
{
	if (!sharding)
		return;
	holder->mesh = sr_sharding_mesh(state->module, sharding->sharding);
	if (holder->mesh)
		holder->sharding = sr_sharding_resolve(state->ctx->arena, holder->mesh, sharding->sharding);
}

struct sr_sharding_holder *sr_propagation_holder(struct sr_propagation *state, struct sr_value *v)
{
	struct sr_value *at = sr_shardable_value(v);
	if (!at)
		return NULL;
	void **entry = sr_map_at(&state->holders, at);
	if (!*entry) {
		struct sr_sharding_holder *holder = SR_NEW(state->ctx->arena, struct sr_sharding_holder);
		holder->value = at;
		read_holder(state, holder, sr_value_sharding(state->ctx, at));
		*entry = holder;
	}
	return *entry;
}

static struct sr_axes copy_axes(struct sr_arena *arena, struct sr_axes axes)
{
	return (struct sr_axes){sr_dup(arena, axes.refs, (size_t)axes.n, sizeof *axes.refs), axes.n};
}

static const struct sr_sharding *copy_sharding(struct sr_arena *arena, const struct sr_sharding *s)
{
	struct sr_sharding *out = sr_dup(arena, s, 1, sizeof *s);
	struct sr_dim_sharding *dims = sr_dup(arena, s->dims, (size_t)s->rank, sizeof *dims);
	for (int d = 0; d < s->rank; d++)
		dims[d].axes = copy_axes(arena, dims[d].axes);
	out->dims = dims;
	out->replicated = copy_axes(arena, s->replicated);
	out->unreduced = copy_axes(arena, s->unreduced);
	return out;
}

/* ---------------------------------------------------------------- worklist */

static struct sr_propagation_op *entry_of(const struct sr_propagation *state, const struct sr_op *op)
{
	return &state->ops[op->mark];
}

/* Push an op on the worklist, then the ops around it, except the module. */
static void push_op(struct sr_propagation *state, struct sr_op *op)
{
	for (; op && op != state->module; op = sr_op_parent(op)) {
		struct sr_propagation_op *at = entry_of(state, op);
		if (!at->is_pending)
			sr_push(state->ctx->arena, &state->pushed, op->mark);
		at->is_pending = true;
	}
}

static struct sr_propagation_op *pop_op(struct sr_propagation *state)
{
	struct sr_propagation_op *at = NULL;
	while (!at || !at->is_pending) {
		if (state->pushed.n > 0)
			at = &state->ops[sr_pop(&state->pushed)];
		else if (state->next < state->n_ops)
			at = &state->ops[state->next++];
		else
			return NULL;
	}
	at->is_pending = false;
	return at;
}

static void push_changed_op(struct sr_propagation *state, struct sr_op *op)
{
	if (op == state->module)
		return;
	if (op != state->current_op) {
		entry_of(state, op)->has_changed_sharding = true;
		if (!state->mark_only)
			push_op(state, op);
	}
}

static void push_users(struct sr_propagation *state, struct sr_value *v);

static void push_target_users(void *data, struct sr_value *v)
{
	push_users(data, v);
}

/* Push the users of a yielded value: the op around the terminator, or the users of all calls if a called function returns it. */
static void push_yield_users(struct sr_propagation *state, const struct sr_use *use)
{
	struct sr_op *parent = sr_op_parent(use->owner);
	struct sr_value_group *calls = NULL;
	if (sr_op_is(use->owner, SR_OP_func_return))
		calls = sr_map_get(&state->callers, sr_op_parent_of(use->owner, SR_OP_func_func));
	if (!calls) {
		push_changed_op(state, parent);
		return;
	}
	int i = sr_use_index(use);
	for (size_t k = 0; k < calls->members.n; k++) {
		struct sr_op *call = calls->members.data[k]->def;
		if (i < call->n_results)
			push_users(state, sr_result(call, i));
	}
}

static void push_callee_users(struct sr_propagation *state, const struct sr_use *use)
{
	struct sr_op *callee = sr_call_callee(state->module, use->owner);
	struct sr_block *entry = callee ? sr_func_entry(callee) : NULL;
	struct sr_propagation_op *at = entry_of(state, use->owner);
	int i = sr_use_index(use);
	/* The flag in_callee guards against recursion: the callee may return its argument to this call, as in f(f(x)). */
	if (!entry || i >= entry->n_args || at->in_callee)
		return;
	at->in_callee = true;
	push_users(state, entry->args[i]);
	at->in_callee = false;
}

static void push_users(struct sr_propagation *state, struct sr_value *v)
{
	for (struct sr_use *use = v->uses; use; use = use->next) {
		struct sr_value *owner = sr_edge_owner_of_source(use);
		struct sr_op *edge = owner ? sr_edge_op(owner) : NULL;
		if (edge && !owner->def)
			/* upstream does not enter the body of this computation before the next round */
			entry_of(state, edge)->has_changed_sharding = true;
		else if (edge)
			push_changed_op(state, edge);
		else if (sr_op_has(use->owner, SR_TERMINATOR))
			push_yield_users(state, use);
		else if (sr_op_is(use->owner, SR_OP_func_call))
			push_callee_users(state, use);
		else
			push_changed_op(state, use->owner);
	}
}

/* For a data-flow edge without an edge op: mark the users of the targets other than the owner, for a visit in the next round. */
static void mark_targets(struct sr_propagation *state, struct sr_value *owner)
{
	bool was_mark_only = state->mark_only;
	state->mark_only = true;
	sr_edge_for_each_non_owner_target(owner, push_target_users, state);
	state->mark_only = was_mark_only;
}

static void value_changed(struct sr_propagation *state, struct sr_value *v)
{
	if (v->def && sr_op_is(v->def, SR_OP_sdy_data_flow_edge))
		sr_edge_for_each_non_owner_target(sr_operand(v->def, 0), push_target_users, state);
	else if (v->def && sr_op_has(v->def, SR_DATA_FLOW_EDGE))
		mark_targets(state, v);
	push_changed_op(state, sr_value_owner(v));
	push_users(state, v);
}

static void set_value(struct sr_propagation *state, struct sr_sharding_holder *holder, const struct sr_sharding *sharding)
{
	holder->sharding = sharding;
	holder->mesh = sr_mesh_of(state->module, sharding->mesh, sharding->mesh_name);
	holder->has_changed = true;
	holder->version++;
	if (holder->value)
		value_changed(state, holder->value);
}

void sr_propagation_set(struct sr_propagation *state, struct sr_sharding_holder *holder, const struct sr_sharding *sharding)
{
	sharding = copy_sharding(state->ctx->arena, sharding);
	set_value(state, holder, sharding);
	struct sr_value_group *group = holder->value ? sr_map_get(&state->groups, holder->value) : NULL;
	for (size_t i = 0; group && i < group->members.n; i++) {
		struct sr_value *v = group->members.data[i];
		struct sr_sharding_holder *member = v == holder->value ? NULL : sr_propagation_holder(state, v);
		if (member && state->provenance)
			sr_record_group(state->provenance, holder, member, sharding);
		if (member)
			set_value(state, member, sharding);
	}
}

void sr_propagation_assign(struct sr_propagation *state, struct sr_sharding_holder *holder, const struct sr_sharding *sharding)
{
	state->mark_only = true;
	set_value(state, holder, copy_sharding(state->ctx->arena, sharding));
	state->mark_only = false;
}

/* ---------------------------------------------------------------- dead ops, which upstream's driver removes when it visits them */

/* Push the definition of an operand that lost a use, if at most one other use is left. The definition may be dead now; and a
 * value with a single use matters at level 0 of op priority. */
static void operands_lost_use(struct sr_propagation *state, struct sr_op *op)
{
	for (int i = 0; i < op->n_operands; i++) {
		struct sr_value *v = sr_operand(op, i);
		const struct sr_op *other_reader = NULL;
		bool has_others = false;
		for (const struct sr_use *use = v->uses; use && !has_others; use = use->next) {
			if (use->owner == op || use->owner == other_reader)
				continue;
			has_others = other_reader;
			other_reader = use->owner;
		}
		if (!has_others && other_reader)
			entry_of(state, other_reader)->is_initialized = false;
		if (!has_others && v->def) {
			entry_of(state, v->def)->is_live = false;
			push_op(state, v->def);
		}
	}
}

static void forget_op_tree(struct sr_propagation *state, struct sr_op *op)
{
	for (int r = op->n_regions - 1; r >= 0; r--)
		for (struct sr_block *b = op->regions[r].last; b; b = b->prev)
			while (b->last) {
				struct sr_op *inner = b->last;
				forget_op_tree(state, inner);
				sr_op_erase(inner);
			}
	operands_lost_use(state, op);
	*entry_of(state, op) = (struct sr_propagation_op){0};
}

/* ---------------------------------------------------------------- rounds */

static void recycle_scratch(struct sr_propagation *state)
{
	if (sr_arena_used(state->scratch) < (size_t)4 << 20)
		return;
	sr_arena_free(state->scratch);
	state->scratch = sr_arena_new_child(state->ctx->arena);
}

void sr_propagation_run(struct sr_propagation *state)
{
	sr_propagation_func_results(state);
	for (int i = 0; i < state->n_ops; i++)
		state->ops[i].is_pending = state->ops[i].op;
	state->next = 0;
	for (struct sr_propagation_op *at; (at = pop_op(state));) {
		if (!at->op || (at->is_live && !sr_propagation_has_work(state, at)))
			continue;
		if (!at->is_live && sr_op_is_dead(at->op)) {
			struct sr_op *op = at->op;
			forget_op_tree(state, op);
			sr_op_erase(op);
			continue;
		}
		at->is_live = true;
		state->current_op = at->op;
		sr_propagation_visit(state, at);
		state->current_op = NULL;
		recycle_scratch(state);
	}
	sr_propagation_func_results(state);
}

/* ---------------------------------------------------------------- initialization and result */

struct op_collection {
	struct sr_propagation *state;
	SR_VEC(struct sr_propagation_op) ops;
	bool is_valid;
};

static bool has_supported_types(struct sr_propagation *state, struct sr_op *op)
{
	for (int i = 0; i < op->n_results; i++) {
		const struct sr_type *type = sr_result(op, i)->type;
		if (type->kind == SR_TYPE_TUPLE) {
			sr_error(&state->ctx->diags, SR_INVALID, sr_loc_source(op->loc),
				 "Shardy propagation doesn't support tuples: %s",
				 sr_type_string(state->ctx, type));
			return false;
		}
		if (type->kind == SR_TYPE_UNRANKED || (type->kind == SR_TYPE_TENSOR && !sr_type_is_static(type))) {
			sr_error(&state->ctx->diags, SR_INVALID, sr_loc_source(op->loc),
				 "Shardy propagation only supports ranked tensors with a static shape. type: %s",
				 sr_type_string(state->ctx, type));
			return false;
		}
	}
	return true;
}

static bool collect_op(void *data, struct sr_op *op)
{
	struct op_collection *c = data;
	struct sr_propagation *state = c->state;
	if (op == state->module)
		return true;
	c->is_valid = has_supported_types(state, op);
	if (!c->is_valid)
		return false;
	op->mark = (int)c->ops.n;
	sr_push(state->ctx->scratch, &c->ops, (struct sr_propagation_op){.op = op, .has_changed_sharding = true});
	struct sr_op *callee = sr_op_is(op, SR_OP_func_call) && op->n_results ? sr_call_callee(state->module, op) : NULL;
	if (callee) {
		void **calls = sr_map_at(&state->callers, callee);
		if (!*calls)
			*calls = SR_NEW(state->ctx->arena, struct sr_value_group);
		struct sr_value_group *group = *calls;
		sr_push(state->ctx->arena, &group->members, sr_result(op, 0));
	}
	return true;
}

static void find_func_results(struct sr_propagation *state)
{
	state->main = sr_main_func(state->module);
	const struct sr_type *type = state->main ? sr_func_type(state->main) : NULL;
	for (int i = 0; type && i < type->n_results; i++) {
		struct sr_sharding_holder *holder = SR_NEW(state->ctx->arena, struct sr_sharding_holder);
		holder->func = state->main;
		holder->result = i;
		read_holder(state, holder, sr_func_result_attr(state->main, i, "sdy.sharding"));
		sr_push(state->ctx->arena, &state->func_results, (struct sr_propagation_result){.result = holder, .versions = {-1, -1}});
	}
}

enum sr_status sr_propagation_init(struct sr_propagation *state, struct sr_context *ctx, struct sr_op *module, bool conservative)
{
	*state = (struct sr_propagation){.ctx = ctx, .module = module, .is_conservative = conservative, .level = SR_DIRECTIONS_ALL};
	state->strategy = sr_propagate_factors_basic;
	sr_map_init(&state->holders, ctx->arena);
	sr_map_init(&state->callers, ctx->arena);
	sr_map_init(&state->groups, ctx->arena);
	sr_value_groups_read(ctx, module, &state->groups);
	struct op_collection c = {.state = state, .is_valid = true};
	sr_walk(module, collect_op, &c);
	if (!c.is_valid)
		return SR_INVALID;
	state->ops = c.ops.data;
	state->n_ops = (int)c.ops.n;
	find_func_results(state);
	state->scratch = sr_arena_new_child(ctx->arena);
	return SR_OK;
}

static const struct sr_attr *sharding_attr(struct sr_propagation *state, const struct sr_sharding_holder *holder)
{
	return sr_sharding_attr(state->ctx, holder->mesh, holder->sharding);
}

/* Write a function's argument shardings together: they are one attribute. */
static void write_args(struct sr_propagation *state, struct sr_op *func)
{
	struct sr_block *entry = sr_func_entry(func);
	int n = entry ? entry->n_args : 0;
	const struct sr_attr **shardings = SR_NEW_ARRAY(state->ctx->arena, const struct sr_attr *, n);
	bool has_sharding = false;
	for (int i = 0; i < n; i++) {
		struct sr_sharding_holder *holder = sr_map_get(&state->holders, entry->args[i]);
		if (!holder || !holder->has_changed)
			continue;
		shardings[i] = sharding_attr(state, holder);
		holder->has_changed = false;
		has_sharding = true;
	}
	if (has_sharding)
		sr_func_set_arg_attrs(state->ctx, func, "sdy.sharding", shardings);
}

static void write_results(struct sr_propagation *state)
{
	const struct sr_attr **shardings = SR_NEW_ARRAY(state->ctx->arena, const struct sr_attr *, (int)state->func_results.n);
	bool has_sharding = false;
	for (size_t i = 0; i < state->func_results.n; i++) {
		const struct sr_sharding_holder *holder = state->func_results.data[i].result;
		shardings[i] = holder->has_changed ? sharding_attr(state, holder) : NULL;
		has_sharding = has_sharding || shardings[i];
	}
	if (has_sharding)
		sr_func_set_result_attrs(state->ctx, state->main, "sdy.sharding", shardings);
}

void sr_propagation_write(struct sr_propagation *state, bool keep_rules)
{
	for (struct sr_op *op = sr_module_body(state->module)->first; op; op = op->next)
		if (sr_op_is(op, SR_OP_func_func))
			write_args(state, op);
	for (size_t i = 0; i < state->holders.n; i++) {
		struct sr_sharding_holder *holder = state->holders.entries[i].value;
		bool is_erased = holder->value->def && !holder->value->def->block;
		if (holder->has_changed && !is_erased)
			sr_value_set_sharding(state->ctx, holder->value, sharding_attr(state, holder));
		holder->has_changed = false;
	}
	write_results(state);
	for (int i = 0; i < state->n_ops; i++) {
		struct sr_propagation_op *at = &state->ops[i];
		if (!at->op)
			continue;
		const struct sr_attr *rule = sr_op_attr(at->op, "sdy.sharding_rule");
		if (!keep_rules && rule && !rule->rule->custom)
			sr_op_remove_attr(state->ctx, at->op, "sdy.sharding_rule");
		else if (keep_rules && !rule && at->rule && sr_op_rule_is_own(at->op))
			sr_op_set_attr(state->ctx, at->op, "sdy.sharding_rule", sr_attr_rule(state->ctx, at->rule));
	}
}

void sr_propagation_done(struct sr_propagation *state)
{
	sr_arena_free(state->scratch);
	state->scratch = NULL;
}
