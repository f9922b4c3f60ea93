/* The worklist and the shardings of values. */
#include "propagate/propagation.h"
#include <string.h>

/* ---------------------------------------------------------------- shardings */

static void read_holder(struct sr_propagation *flow, struct sr_sharding_holder *holder, const struct sr_attr *sharding)
{
	if (!sharding)
		return;
	holder->mesh = sr_sharding_mesh(flow->module, sharding->sharding);
	if (holder->mesh)
		holder->sharding = sr_sharding_resolve(flow->ctx->arena, holder->mesh, sharding->sharding);
}

struct sr_sharding_holder *sr_propagation_holder(struct sr_propagation *flow, struct sr_value *v)
{
	struct sr_value *at = sr_shardable_value(v);
	if (!at)
		return NULL;
	void **entry = sr_map_at(&flow->holders, at);
	if (!*entry) {
		struct sr_sharding_holder *holder = SR_NEW(flow->ctx->arena, struct sr_sharding_holder);
		holder->value = at;
		read_holder(flow, holder, sr_value_sharding(flow->ctx, at));
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

/* ---------------------------------------------------------------- the stack */

static struct sr_propagation_op *flow_op(const struct sr_propagation *flow, const struct sr_op *op)
{
	return &flow->ops[op->mark];
}

/* The op, then those around it; the module is not in the list. */
static void push_op(struct sr_propagation *flow, struct sr_op *op)
{
	for (; op && op != flow->module; op = sr_op_parent(op)) {
		struct sr_propagation_op *at = flow_op(flow, op);
		if (!at->pending)
			sr_push(flow->ctx->arena, &flow->pushed, op->mark);
		at->pending = true;
	}
}

static struct sr_propagation_op *pop_op(struct sr_propagation *flow)
{
	struct sr_propagation_op *at = NULL;
	while (!at || !at->pending) {
		if (flow->pushed.n > 0)
			at = &flow->ops[sr_pop(&flow->pushed)];
		else if (flow->next < flow->n_ops)
			at = &flow->ops[flow->next++];
		else
			return NULL;
	}
	at->pending = false;
	return at;
}

static void op_changed(struct sr_propagation *flow, struct sr_op *op)
{
	if (op == flow->module)
		return;
	if (op != flow->current) {
		flow_op(flow, op)->dirty = true;
		if (!flow->only_mark)
			push_op(flow, op);
	}
}

static void users_changed(struct sr_propagation *flow, struct sr_value *v);

static void target_changed(void *data, struct sr_value *v)
{
	users_changed(data, v);
}

/* A function without callers stands for itself; otherwise what it returns is read behind its calls. */
static void yield_changed(struct sr_propagation *flow, const struct sr_use *use)
{
	struct sr_op *parent = sr_op_parent(use->owner);
	struct sr_value_group *calls = NULL;
	if (sr_op_is(use->owner, SR_OP_func_return))
		calls = sr_map_get(&flow->callers, sr_op_parent_of(use->owner, SR_OP_func_func));
	if (!calls) {
		op_changed(flow, parent);
		return;
	}
	int i = sr_use_index(use);
	for (size_t k = 0; k < calls->members.n; k++) {
		struct sr_op *call = calls->members.data[k]->def;
		if (i < call->n_results)
			users_changed(flow, sr_result(call, i));
	}
}

static void call_changed(struct sr_propagation *flow, const struct sr_use *use)
{
	struct sr_op *callee = sr_call_callee(flow->module, use->owner);
	struct sr_block *entry = callee ? sr_func_entry(callee) : NULL;
	struct sr_propagation_op *at = flow_op(flow, use->owner);
	int i = sr_use_index(use);
	/* What a function returns of its arguments may come back to this call, as in f(f(x)). */
	if (!entry || i >= entry->n_args || at->passing)
		return;
	at->passing = true;
	users_changed(flow, entry->args[i]);
	at->passing = false;
}

static void users_changed(struct sr_propagation *flow, struct sr_value *v)
{
	for (struct sr_use *use = v->uses; use; use = use->next) {
		struct sr_value *owner = sr_edge_owner_of_source(use);
		struct sr_op *edge = owner ? sr_edge_op(owner) : NULL;
		if (edge && !owner->def)
			/* Into the body of a computation upstream goes no sooner than in the next round. */
			flow_op(flow, edge)->dirty = true;
		else if (edge)
			op_changed(flow, edge);
		else if (sr_op_has(use->owner, SR_TERMINATOR))
			yield_changed(flow, use);
		else if (sr_op_is(use->owner, SR_OP_func_call))
			call_changed(flow, use);
		else
			op_changed(flow, use->owner);
	}
}

/* Without an edge op, those that read an owner's sharding through its other targets are looked at in the next round. */
static void mark_targets(struct sr_propagation *flow, struct sr_value *owner)
{
	bool before = flow->only_mark;
	flow->only_mark = true;
	sr_edge_for_each_non_owner_target(owner, target_changed, flow);
	flow->only_mark = before;
}

static void value_changed(struct sr_propagation *flow, struct sr_value *v)
{
	if (v->def && sr_op_is(v->def, SR_OP_sdy_data_flow_edge))
		sr_edge_for_each_non_owner_target(sr_operand(v->def, 0), target_changed, flow);
	else if (v->def && sr_op_has(v->def, SR_DATA_FLOW_EDGE))
		mark_targets(flow, v);
	op_changed(flow, v->def ? v->def : v->block->region->op);
	users_changed(flow, v);
}

static void set_one(struct sr_propagation *flow, struct sr_sharding_holder *holder, const struct sr_sharding *sharding)
{
	holder->sharding = sharding;
	holder->mesh = sr_mesh_of(flow->module, sharding->mesh, sharding->mesh_name);
	holder->changed = true;
	holder->version++;
	if (holder->value)
		value_changed(flow, holder->value);
}

void sr_propagation_set(struct sr_propagation *flow, struct sr_sharding_holder *holder, const struct sr_sharding *sharding)
{
	sharding = copy_sharding(flow->ctx->arena, sharding);
	set_one(flow, holder, sharding);
	struct sr_value_group *group = holder->value ? sr_map_get(&flow->groups, holder->value) : NULL;
	for (size_t i = 0; group && i < group->members.n; i++) {
		struct sr_value *v = group->members.data[i];
		struct sr_sharding_holder *member = v == holder->value ? NULL : sr_propagation_holder(flow, v);
		if (member && flow->provenance)
			sr_record_group(flow->provenance, holder, member, sharding);
		if (member)
			set_one(flow, member, sharding);
	}
}

void sr_propagation_assign(struct sr_propagation *flow, struct sr_sharding_holder *holder, const struct sr_sharding *sharding)
{
	flow->only_mark = true;
	set_one(flow, holder, copy_sharding(flow->ctx->arena, sharding));
	flow->only_mark = false;
}

/* ---------------------------------------------------------------- dead ops, which upstream's driver removes as it meets them */

/* The ops that gave the operands may be dead now: those with at most one other user are looked at again. That user has the value
 * for itself now, which the first level asks for. */
static void operands_lost_use(struct sr_propagation *flow, struct sr_op *op)
{
	for (int i = 0; i < op->n_operands; i++) {
		struct sr_value *v = sr_operand(op, i);
		const struct sr_op *other = NULL;
		bool more = false;
		for (const struct sr_use *use = v->uses; use && !more; use = use->next) {
			if (use->owner == op || use->owner == other)
				continue;
			more = other;
			other = use->owner;
		}
		if (!more && other)
			flow_op(flow, other)->known = false;
		if (!more && v->def) {
			flow_op(flow, v->def)->live = false;
			push_op(flow, v->def);
		}
	}
}

static void forget_tree(struct sr_propagation *flow, struct sr_op *op)
{
	for (int r = op->n_regions - 1; r >= 0; r--)
		for (struct sr_block *b = op->regions[r].last; b; b = b->prev)
			while (b->last) {
				struct sr_op *inner = b->last;
				forget_tree(flow, inner);
				sr_op_erase(inner);
			}
	operands_lost_use(flow, op);
	*flow_op(flow, op) = (struct sr_propagation_op){0};
}

/* ---------------------------------------------------------------- rounds */

static void sweep_scratch(struct sr_propagation *flow)
{
	if (sr_arena_used(flow->scratch) < (size_t)4 << 20)
		return;
	jmp_buf *guard = sr_arena_guard(flow->scratch, NULL);
	sr_arena_free(flow->scratch);
	flow->scratch = sr_arena_new();
	if (!flow->scratch)
		sr_arena_unwind(flow->ctx->arena);
	sr_arena_guard(flow->scratch, guard);
}

void sr_propagation_run(struct sr_propagation *flow)
{
	sr_propagation_func_results(flow);
	for (int i = 0; i < flow->n_ops; i++)
		flow->ops[i].pending = flow->ops[i].op;
	flow->next = 0;
	for (struct sr_propagation_op *at; (at = pop_op(flow));) {
		if (!at->op || (at->live && !sr_propagation_has_work(flow, at)))
			continue;
		if (!at->live && sr_op_is_dead(at->op)) {
			struct sr_op *op = at->op;
			forget_tree(flow, op);
			sr_op_erase(op);
			continue;
		}
		at->live = true;
		flow->current = at->op;
		sr_propagation_visit(flow, at);
		flow->current = NULL;
		sweep_scratch(flow);
	}
	sr_propagation_func_results(flow);
}

/* ---------------------------------------------------------------- beginning and end */

struct collect {
	struct sr_propagation *flow;
	SR_VEC(struct sr_propagation_op) ops;
	bool good;
};

static bool has_good_types(struct sr_propagation *flow, struct sr_op *op)
{
	for (int i = 0; i < op->n_results; i++) {
		const struct sr_type *type = sr_result(op, i)->type;
		if (type->kind == SR_TYPE_TUPLE) {
			sr_error(&flow->ctx->diags, SR_INVALID, sr_loc_source(op->loc),
				 "Shardy propagation doesn't support tuples: %s",
				 sr_type_string(flow->ctx, type));
			return false;
		}
		if (type->kind == SR_TYPE_UNRANKED || (type->kind == SR_TYPE_TENSOR && !sr_type_is_static(type))) {
			sr_error(&flow->ctx->diags, SR_INVALID, sr_loc_source(op->loc),
				 "Shardy propagation only supports ranked tensors with a static shape. type: %s",
				 sr_type_string(flow->ctx, type));
			return false;
		}
	}
	return true;
}

static bool collect_op(void *data, struct sr_op *op)
{
	struct collect *c = data;
	struct sr_propagation *flow = c->flow;
	if (op == flow->module)
		return true;
	c->good = has_good_types(flow, op);
	if (!c->good)
		return false;
	op->mark = (int)c->ops.n;
	sr_push(flow->ctx->scratch, &c->ops, (struct sr_propagation_op){.op = op, .dirty = true});
	struct sr_op *callee = sr_op_is(op, SR_OP_func_call) && op->n_results ? sr_call_callee(flow->module, op) : NULL;
	if (callee) {
		void **calls = sr_map_at(&flow->callers, callee);
		if (!*calls)
			*calls = SR_NEW(flow->ctx->arena, struct sr_value_group);
		struct sr_value_group *group = *calls;
		sr_push(flow->ctx->arena, &group->members, sr_result(op, 0));
	}
	return true;
}

static void find_func_results(struct sr_propagation *flow)
{
	flow->main = sr_main_func(flow->module);
	const struct sr_type *type = flow->main ? sr_func_type(flow->main) : NULL;
	for (int i = 0; type && i < type->n_results; i++) {
		struct sr_sharding_holder *holder = SR_NEW(flow->ctx->arena, struct sr_sharding_holder);
		holder->func = flow->main;
		holder->result = i;
		read_holder(flow, holder, sr_func_result_attr(flow->main, i, "sdy.sharding"));
		sr_push(flow->ctx->arena, &flow->func_results, (struct sr_propagation_result){.result = holder, .versions = {-1, -1}});
	}
}

enum sr_status sr_propagation_init(struct sr_propagation *flow, struct sr_context *ctx, struct sr_op *module, bool conservative)
{
	*flow = (struct sr_propagation){.ctx = ctx, .module = module, .conservative = conservative, .level = SR_DIRECTIONS_ALL};
	flow->strategy = sr_propagate_factors_basic;
	sr_map_init(&flow->holders, ctx->arena);
	sr_map_init(&flow->callers, ctx->arena);
	sr_map_init(&flow->groups, ctx->arena);
	sr_value_groups_read(ctx, module, &flow->groups);
	struct collect c = {.flow = flow, .good = true};
	sr_walk(module, collect_op, &c);
	if (!c.good)
		return SR_INVALID;
	flow->ops = c.ops.data;
	flow->n_ops = (int)c.ops.n;
	find_func_results(flow);
	flow->scratch = sr_arena_new();
	if (!flow->scratch)
		sr_arena_unwind(ctx->arena);
	jmp_buf *guard = sr_arena_guard(ctx->arena, NULL);
	sr_arena_guard(ctx->arena, guard);
	sr_arena_guard(flow->scratch, guard);
	return SR_OK;
}

static const struct sr_attr *holder_attr(struct sr_propagation *flow, const struct sr_sharding_holder *holder)
{
	return sr_sharding_attr(flow->ctx, holder->mesh, holder->sharding);
}

/* A function's arguments together: they are one attribute. */
static void write_args(struct sr_propagation *flow, struct sr_op *func)
{
	struct sr_block *entry = sr_func_entry(func);
	int n = entry ? entry->n_args : 0;
	const struct sr_attr **shardings = SR_NEWS(flow->ctx->arena, const struct sr_attr *, n);
	bool any = false;
	for (int i = 0; i < n; i++) {
		struct sr_sharding_holder *holder = sr_map_get(&flow->holders, entry->args[i]);
		if (!holder || !holder->changed)
			continue;
		shardings[i] = holder_attr(flow, holder);
		holder->changed = false;
		any = true;
	}
	if (any)
		sr_func_set_arg_attrs(flow->ctx, func, "sdy.sharding", shardings);
}

static void write_results(struct sr_propagation *flow)
{
	const struct sr_attr **shardings = SR_NEWS(flow->ctx->arena, const struct sr_attr *, (int)flow->func_results.n);
	bool any = false;
	for (size_t i = 0; i < flow->func_results.n; i++) {
		const struct sr_sharding_holder *holder = flow->func_results.data[i].result;
		shardings[i] = holder->changed ? holder_attr(flow, holder) : NULL;
		any = any || shardings[i];
	}
	if (any)
		sr_func_set_result_attrs(flow->ctx, flow->main, "sdy.sharding", shardings);
}

void sr_propagation_write(struct sr_propagation *flow, bool keep_rules)
{
	for (struct sr_op *op = sr_module_body(flow->module)->first; op; op = op->next)
		if (sr_op_is(op, SR_OP_func_func))
			write_args(flow, op);
	for (size_t i = 0; i < flow->holders.n; i++) {
		struct sr_sharding_holder *holder = flow->holders.entries[i].value;
		bool gone = holder->value->def && !holder->value->def->block;
		if (holder->changed && !gone)
			sr_value_set_sharding(flow->ctx, holder->value, holder_attr(flow, holder));
		holder->changed = false;
	}
	write_results(flow);
	for (int i = 0; i < flow->n_ops; i++) {
		struct sr_propagation_op *at = &flow->ops[i];
		if (!at->op)
			continue;
		const struct sr_attr *rule = sr_op_attr(at->op, "sdy.sharding_rule");
		if (!keep_rules && rule && !rule->rule->custom)
			sr_op_remove_attr(flow->ctx, at->op, "sdy.sharding_rule");
		else if (keep_rules && !rule && at->rule && sr_op_rule_is_own(at->op))
			sr_op_set_attr(flow->ctx, at->op, "sdy.sharding_rule", sr_attr_rule(flow->ctx, at->rule));
	}
}

void sr_propagation_done(struct sr_propagation *flow)
{
	sr_arena_free(flow->scratch);
	flow->scratch = NULL;
}
