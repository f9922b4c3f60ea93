/* Building of the search's graph of a function, and costs of its values. Ops whose rule permits computation on shards are nodes
 * with a choice; other ops require operands and have results with the propagated shardings. Bodies of manual computations are left
 * out. */
#include "dialect/attr_names.h"
#include "import/edges/data_flow_edge.h"
#include "partition/partition.h"
#include "partition/search/search.h"
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool is_tensor(const struct sr_value *v)
{
	return v->type->kind == SR_TYPE_TENSOR && v->type->rank > 0 && sr_type_is_static(v->type);
}

static const struct sr_attr *find_plain_layout(struct sr_search *s, int rank, const struct sr_sdy_sharding *sharding)
{
	if (sharding && (sr_sharding_mesh(s->module, sharding) != s->mesh.mesh || sharding->rank != rank || sharding->unreduced.n))
		return NULL;
	struct sr_arena_position mark = sr_arena_mark(s->ctx->scratch);
	struct sr_axes *axes = SR_NEW_ARRAY(s->ctx->scratch, struct sr_axes, rank);
	for (int d = 0; sharding && d < sharding->rank; d++)
		axes[d] = sr_axes_resolve(s->ctx->scratch, s->mesh.mesh, sharding->dims[d].axes);
	const struct sr_attr *layout = sr_sharding_attr_of_axes(s->ctx, &s->mesh, axes, rank);
	sr_arena_release(s->ctx->scratch, mark);
	return layout;
}

/* Return the value's layout on the search's mesh, reduced to axes per dimension. NULL if it is on another mesh, or unreduced. */
static const struct sr_attr *plain_layout(struct sr_search *s, const struct sr_value *v, const struct sr_attr *sharding)
{
	static const struct sr_attr no_layout; /* placeholder: its address in the memo stands for "the value has no layout" */
	if (sharding && sharding->sharding->rank != v->type->rank)
		return NULL;
	void **memo_entry = sr_map_at(&s->plain_layouts, sharding ? (const void *)sharding : v->type);
	if (!*memo_entry) {
		const struct sr_attr *layout = find_plain_layout(s, v->type->rank, sharding ? sharding->sharding : NULL);
		*memo_entry = (void *)(uintptr_t)(layout ? layout : &no_layout);
	}
	return *memo_entry == &no_layout ? NULL : *memo_entry;
}

const struct sr_attr *sr_search_initial_layout(struct sr_search *s, struct sr_value *v)
{
	return plain_layout(s, v, sr_value_sharding(s->ctx, v));
}

/* ---------------------------------------------------------------- values and nodes */

/* Return the index of the value in s->edges, to which it is added if needed; -1 if its layout costs nothing. */
static int value_index(struct sr_search *s, struct sr_value *v)
{
	intptr_t known_index = (intptr_t)sr_map_get(&s->numbers, v);
	if (known_index)
		return (int)known_index - 1;
	if (!is_tensor(v) || sr_is_rematerializable(v))
		return -1;
	struct sr_search_value e = {.value = v,
				    .executions = sr_search_trip_count_of_value(s, v),
				    .external_layout = sr_search_initial_layout(s, v),
				    .node = -1};
	e.dim_visits = SR_NEW_ARRAY(s->arena, struct sr_dim_visits, v->type->rank);
	sr_push(s->arena, &s->edges, e);
	sr_map_put(&s->numbers, v, (void *)(intptr_t)s->edges.n);
	return (int)s->edges.n - 1;
}

struct sr_search_node *sr_search_new_node(struct sr_search *s, int n_operands, int n_results)
{
	sr_push(s->arena, &s->nodes,
		(struct sr_search_node){.executions = 1, .n_operands = n_operands, .n_tensors = n_operands + n_results});
	struct sr_search_node *n = &s->nodes.data[s->nodes.n - 1];
	n->uses = SR_NEW_ARRAY(s->arena, struct sr_use *, n->n_operands);
	n->edges = SR_NEW_ARRAY(s->arena, int, n->n_tensors);
	n->fixed_layouts = SR_NEW_ARRAY(s->arena, const struct sr_attr *, n->n_tensors);
	for (int t = 0; t < n->n_tensors; t++)
		n->edges[t] = -1;
	return n;
}

void sr_search_add_operand(struct sr_search *s, struct sr_search_node *n, int t, struct sr_use *use)
{
	int e = value_index(s, use->value);
	if (e < 0)
		return;
	n->uses[t] = use;
	n->edges[t] = e;
	sr_push(s->arena, &s->edges.data[e].readers, ((struct sr_search_reader){(int)(n - s->nodes.data), t}));
}

void sr_search_add_result(struct sr_search *s, struct sr_search_node *n, int t, struct sr_value *v)
{
	int e = n->edges[t] = value_index(s, v);
	if (e >= 0)
		s->edges.data[e].node = (int)(n - s->nodes.data), s->edges.data[e].tensor = t;
}

int sr_search_required_index(struct sr_search *s, struct sr_search_value *e, const struct sr_attr *layout)
{
	size_t i = 0;
	while (i < e->required.n && e->required.data[i].layout != layout)
		i++;
	s->visits += (int64_t)i + 1;
	if (i == e->required.n)
		sr_push(s->arena, &e->required, (struct sr_required_layout){.layout = layout});
	return (int)i;
}

/* Add n to the number of the value's readers that require the layout, by present or next strategies. */
static void count_required_layout(struct sr_search *s, int edge, const struct sr_attr *layout, bool next, int n)
{
	struct sr_search_value *e = &s->edges.data[edge];
	/* take the index, not the address: adding an entry may move the list in memory */
	int i = sr_search_required_index(s, e, layout);
	e->required.data[i].n[next] += n;
}

/* Add a reader that always requires this layout. */
static void add_fixed_use(struct sr_search *s, struct sr_use *use, const struct sr_attr *sharding)
{
	const struct sr_attr *layout = is_tensor(use->value) ? plain_layout(s, use->value, sharding) : NULL;
	if (!layout)
		return;
	struct sr_search_node *n = sr_search_new_node(s, 1, 0);
	sr_search_add_operand(s, n, 0, use);
	n->fixed_layouts[0] = layout;
	n->uses = NULL;
	n->boundary = use;
	for (int next = 0; next < 2 && n->edges[0] >= 0; next++)
		count_required_layout(s, n->edges[0], layout, next, 1);
}

/* ---------------------------------------------------------------- ops */

static bool is_indexed(const struct sr_op *op)
{
	enum sr_local_kind word = sr_local_kind_of(op);
	return word == SR_LOCAL_gather || word == SR_LOCAL_scatter;
}

static bool has_several_strategies(struct sr_search *s, struct sr_op *op)
{
	enum sr_local_kind word = sr_local_kind_of(op);
	bool slices = word == SR_LOCAL_dynamic_slice || word == SR_LOCAL_dynamic_update_slice;
	return !sr_op_has(op, SR_DATA_FLOW_EDGE) && !sr_op_has(op, SR_COLLECTIVE) && !sr_op_has(op, SR_CONTROL_FLOW) &&
	       !sr_op_is(op, SR_OP_sdy_reshard) && word != SR_LOCAL_unshardable && strncmp(op->info->dialect, "sdy", 3) != 0 &&
	       (s->has_unconstrained || !(slices && s->keep_slice_shardings));
}

static bool has_initial_layouts(struct sr_search *s, struct sr_op *op)
{
	for (int i = 0; i < op->n_operands + op->n_results; i++) {
		struct sr_value *v = i < op->n_operands ? sr_operand(op, i) : sr_result(op, i - op->n_operands);
		if (is_tensor(v) && !sr_search_initial_layout(s, v))
			return false;
	}
	return true;
}

static void add_fixed_op(struct sr_search *s, struct sr_op *op)
{
	const struct sr_attr *annotated_sharding = sr_op_is(op, SR_OP_sdy_reshard) ? sr_op_attr(op, SR_NAME_sharding) : NULL;
	for (int i = 0; i < op->n_operands; i++)
		add_fixed_use(s, &op->operands[i],
			      annotated_sharding ? annotated_sharding : sr_value_sharding(s->ctx, sr_operand(op, i)));
	for (int i = 0; i < op->n_results; i++)
		value_index(s, sr_result(op, i));
}

static void add_op(struct sr_search *s, struct sr_op *op)
{
	if (sr_form_is_read_through(op))
		return;
	struct sr_op_class *kind = has_several_strategies(s, op) && has_initial_layouts(s, op) ? sr_search_op_class(s, op) : NULL;
	if ((op->n_results == 1 && sr_is_rematerializable(sr_result(op, 0))) ||
	    (sr_local_kind_of(op) == SR_LOCAL_probe && !op->n_results))
		return;
	if (!kind) {
		add_fixed_op(s, op);
		return;
	}
	struct sr_search_node *n = sr_search_new_node(s, op->n_operands, op->n_results);
	n->op = op;
	n->kind = kind;
	n->indexed = is_indexed(op);
	n->executions = sr_search_trip_count(s, op->block);
	for (int t = 0; t < op->n_operands; t++)
		sr_search_add_operand(s, n, t, sr_form_source(op, t));
	for (int i = 0; i < op->n_results; i++)
		sr_search_add_result(s, n, op->n_operands + i, sr_result(op, i));
}

/* Add the sources of a data-flow edge as readers that require the layout of the edge's owner. */
static void add_fixed_edge(struct sr_search *s, struct sr_op *op, int i)
{
	struct sr_edge edge = sr_edge_at(s->ctx, op, i);
	const struct sr_attr *target = sr_edge_target_sharding(s->ctx, op, edge.target);
	for (int k = 0; k < edge.n; k++)
		add_fixed_use(s, edge.uses[k], target);
}

static void add_region(struct sr_search *s, struct sr_region *region)
{
	for (struct sr_block *block = region->first; block; block = block->next)
		for (struct sr_op *op = block->first; op; op = op->next) {
			if (sr_op_has(op, SR_TERMINATOR))
				continue;
			if (sr_op_has(op, SR_DATA_FLOW_EDGE))
				sr_search_add_equalities(s, op, add_fixed_edge);
			else
				add_op(s, op);
			for (int r = 0; sr_op_has(op, SR_CONTROL_FLOW) && r < op->n_regions; r++)
				add_region(s, &op->regions[r]);
		}
}

/* ---------------------------------------------------------------- the function */

static void use_mesh(struct sr_search *s, const struct sr_attr *x)
{
	if (!s->mesh.mesh && x && !sr_sdy_sharding_is_replicated(x->sharding))
		s->mesh = (struct sr_mesh_ref){sr_sharding_mesh(s->module, x->sharding), x->sharding->mesh_name};
}

static bool find_mesh(void *data, struct sr_op *op)
{
	struct sr_search *s = data;
	for (int i = 0; i < op->n_results && !s->mesh.mesh; i++)
		use_mesh(s, is_tensor(sr_result(op, i)) ? sr_value_sharding(s->ctx, sr_result(op, i)) : NULL);
	return !s->mesh.mesh;
}

/* Set the search's mesh to that of the first sharded value. */
static void find_meshes(struct sr_search *s)
{
	const struct sr_block *entry = sr_func_entry(s->func);
	for (int i = 0; i < entry->n_args; i++)
		use_mesh(s, is_tensor(entry->args[i]) ? sr_value_sharding(s->ctx, entry->args[i]) : NULL);
	if (!s->mesh.mesh)
		sr_walk_post(s->func, find_mesh, s);
	const struct sr_op *first = sr_first_mesh_op(s->module);
	if (!s->mesh.mesh && first) /* no value is sharded: use the module's first mesh */
		s->mesh = (struct sr_mesh_ref){sr_op_mesh(first), sr_symbol_name(first)};
}

/* Set the lifetime of each value, measured in nodes. Arguments and results live during the entire function. */
static void find_lifetimes(struct sr_search *s)
{
	const struct sr_block *entry = sr_func_entry(s->func);
	double n = (double)s->nodes.n;
	for (size_t i = 0; i < s->edges.n; i++) {
		struct sr_search_value *e = &s->edges.data[i];
		int first = INT_MAX, last = 0;
		bool is_boundary = !e->value->def && e->value->block == entry;
		for (struct sr_use *use = e->value->uses; use; use = use->next)
			is_boundary = is_boundary || use->owner == entry->last;
		for (size_t k = 0; k < e->readers.n; k++) {
			int at = e->readers.data[k].node;
			first = at < first ? at : first;
			last = at > last ? at : last;
		}
		int producer = e->node >= 0 ? e->node : first;
		e->read_span = last > first ? (double)(last - first) / n : 0;
		e->lifetime = is_boundary ? 1 : last > producer ? (double)(last - producer) / n : 0;
	}
}

bool sr_search_build_graph(struct sr_search *s, struct sr_context *ctx, struct sr_op *func, struct sr_arena *arena,
			   const struct sr_pass_options *options)
{
	struct sr_block *entry = sr_func_entry(func);
	struct sr_op *end = entry ? sr_block_terminator(entry) : NULL;
	bool has_choice = false;
	*s = (struct sr_search){.ctx = ctx,
				.arena = arena,
				.module = sr_op_module(func),
				.func = func,
				.remaining_bytes = HUGE_VAL,
				.memory_price = strtod(sr_option_string(options, "memory-price"), NULL),
				.keep_slice_shardings = sr_option_bool(options, "keep-slice-shardings")};
	if (!end)
		return false;
	sr_walk_post(func, sr_erase_propagation_ops, ctx);
	sr_form_mark_read_through(ctx, func);
	s->costs = sr_cost_model_new(ctx, s->module, true);
	find_meshes(s);
	if (!s->mesh.mesh || sr_mesh_is_single_device(s->mesh.mesh) || sr_mesh_devices(s->mesh.mesh) == 1)
		return false;
	/* costs at first assume that all devices are on one node */
	sr_cost_model_set_links(s->costs, &(struct sr_mesh_links){.mesh = s->mesh.mesh});
	s->tick = 1;
	sr_search_axes_number(s, (struct sr_axes){0});
	sr_map_init(&s->kinds, s->arena);
	sr_map_init(&s->kinds_by_hash, s->arena);
	sr_map_init(&s->numbers, s->arena);
	sr_map_init(&s->plain_layouts, s->arena);
	sr_map_init(&s->block_runs, s->arena);
	sr_map_init(&s->known_changes, s->arena);
	sr_search_add_unconstrained(s);
	add_region(s, &s->func->regions[0]);
	for (int i = 0; i < end->n_operands; i++)
		if (!sr_func_result_attr(s->func, i, SR_UNCONSTRAINED))
			add_fixed_use(s, &end->operands[i], sr_result_sharding_of_func(s->func, i));
	find_lifetimes(s);
	for (size_t i = 0; i < s->nodes.n; i++) {
		struct sr_search_node *n = &s->nodes.data[i];
		if (!n->kind)
			continue;
		n->first = n->kind->is_equality ? sr_search_equality_initial(s, n) : sr_search_local_best(s, n);
		has_choice = has_choice || n->first;
	}
	return has_choice;
}

/* ---------------------------------------------------------------- costs of values */

const struct sr_attr *sr_search_layout_of(const struct sr_search *s, const struct sr_search_value *e, bool next)
{
	if (e->node < 0)
		return e->external_layout;
	const struct sr_search_node *n = &s->nodes.data[e->node];
	return (next ? n->next : n->current)->layouts[e->tensor];
}

const struct sr_attr *sr_search_required_layout(const struct sr_search *s, struct sr_search_reader r, bool next)
{
	const struct sr_search_node *n = &s->nodes.data[r.node];
	return n->kind ? (next ? n->next : n->current)->layouts[r.tensor] : n->fixed_layouts[r.tensor];
}

static struct sr_memoized_reshard *find_reshard(struct sr_search *s, const struct sr_type *type, const struct sr_attr *from,
						const struct sr_attr *to)
{
	uint64_t hash = sr_hash_mix(sr_hash_mix((uintptr_t)type, (uintptr_t)from), (uintptr_t)to);
	size_t at = (size_t)(hash ^ hash >> 32) & (s->reshards.n - 1);
	while (s->reshards.data[at].type && (s->reshards.data[at].type != type || s->reshards.data[at].layout_before != from ||
					     s->reshards.data[at].layout_after != to))
		at = (at + 1) & (s->reshards.n - 1);
	return &s->reshards.data[at];
}

static void grow_reshards(struct sr_search *s)
{
	struct sr_memoized_reshard *old = s->reshards.data;
	size_t n = s->reshards.n;
	s->reshards.n = s->reshards.cap = n ? 2 * n : 32;
	s->reshards.data = SR_NEW_ARRAY(s->arena, struct sr_memoized_reshard, s->reshards.n);
	for (size_t i = 0; i < n; i++)
		if (old[i].type)
			*find_reshard(s, old[i].type, old[i].layout_before, old[i].layout_after) = old[i];
}

double sr_search_reshard_cost(struct sr_search *s, const struct sr_search_value *e, const struct sr_attr *from,
			      const struct sr_attr *to)
{
	const struct sr_type *type = e->value->type;
	if (from == to || !from || !to)
		return 0;
	if (2 * s->n_reshards >= s->reshards.n)
		grow_reshards(s);
	struct sr_memoized_reshard *memo_entry = find_reshard(s, type, from, to);
	if (!memo_entry->type) {
		*memo_entry = (struct sr_memoized_reshard){type, from, to, sr_cost_model_reshard(s->costs, s->mesh, type, from, to),
					   sr_cost_model_local_bytes(type, to->sharding, s->mesh.mesh)};
		s->n_reshards++;
	}
	struct sr_wire_cost cost = memo_entry->cost.steps;
	cost.rounds = s->count_collectives ? memo_entry->cost.rounds_by_dim : cost.rounds;
	return sr_search_collective_cost(s, e->executions, cost) + s->memory_price * e->read_span * memo_entry->bytes;
}

double sr_search_memory_cost(const struct sr_search *s, const struct sr_search_value *e, const struct sr_attr *current_layout)
{
	return s->memory_price > 0 && current_layout
		   ? s->memory_price * e->lifetime * sr_cost_model_local_bytes(e->value->type, current_layout->sharding, s->mesh.mesh)
		   : 0;
}

double sr_search_value_cost(struct sr_search *s, const struct sr_search_value *e, bool next)
{
	const struct sr_attr *current_layout = sr_search_layout_of(s, e, next);
	double cost = sr_search_memory_cost(s, e, current_layout);
	s->visits += (int64_t)e->required.n;
	for (size_t i = 0; i < e->required.n; i++)
		if (e->required.data[i].n[next])
			cost += sr_search_reshard_cost(s, e, current_layout, e->required.data[i].layout);
	return cost;
}

double sr_search_total_cost(struct sr_search *s)
{
	double total_cost = 0;
	for (size_t i = 0; i < s->nodes.n; i++)
		if (s->nodes.data[i].current)
			total_cost += sr_search_node_cost(s, &s->nodes.data[i], s->nodes.data[i].current);
	for (size_t i = 0; i < s->edges.n; i++)
		total_cost += sr_search_value_cost(s, &s->edges.data[i], false);
	return total_cost;
}

struct sr_search_weights sr_search_count_bytes_alone(struct sr_search *s)
{
	struct sr_search_weights saved_weights = {s->operation_weight, s->latency_weight, s->memory_price};
	s->operation_weight = s->latency_weight = s->memory_price = 0;
	return saved_weights;
}

void sr_search_restore_weights(struct sr_search *s, struct sr_search_weights weights)
{
	s->operation_weight = weights.operation_weight;
	s->latency_weight = weights.latency_weight;
	s->memory_price = weights.memory_price;
}

double sr_search_wire_bytes(struct sr_search *s)
{
	struct sr_search_weights saved_weights = sr_search_count_bytes_alone(s);
	double wire = sr_search_total_cost(s);
	sr_search_restore_weights(s, saved_weights);
	return wire;
}

double sr_search_bytes_once(struct sr_search *s)
{
	bool has_forms = false;
	for (size_t i = 0; i < s->classes.n; i++)
		has_forms = has_forms || s->classes.data[i]->shardability.needs_form;
	if (!has_forms)
		return 0;
	s->count_once = true;
	double bytes = sr_search_wire_bytes(s);
	s->count_once = false;
	return bytes;
}

bool sr_search_try_spend_bytes(struct sr_search *s, double extra_bytes)
{
	if (extra_bytes > s->remaining_bytes)
		return false;
	s->remaining_bytes -= extra_bytes;
	return true;
}

/* Update the numbers of readers of required layouts when a node changes from strategy `old` (NULL: none) to x. */
static void update_required_counts(struct sr_search *s, const struct sr_search_node *n, const struct sr_strategy *previous,
				   const struct sr_strategy *x, bool next)
{
	for (int t = 0; t < n->n_operands; t++) {
		if (n->edges[t] < 0 || (previous && previous->layouts[t] == x->layouts[t]))
			continue;
		if (previous)
			count_required_layout(s, n->edges[t], previous->layouts[t], next, -1);
		count_required_layout(s, n->edges[t], x->layouts[t], next, 1);
	}
}

void sr_search_set_next(struct sr_search *s, struct sr_search_node *n, struct sr_strategy *x)
{
	if (n->next != x)
		update_required_counts(s, n, n->next, x, true);
	n->next = x;
}

void sr_search_set(struct sr_search *s, struct sr_search_node *n, struct sr_strategy *x)
{
	sr_search_set_next(s, n, x);
	if (n->current != x)
		update_required_counts(s, n, n->current, x, false);
	n->current = x;
}

void sr_search_mark_changed(struct sr_search *s, struct sr_search_node *n)
{
	n->changed_tick = ++s->tick;
	for (int t = 0; t < n->n_tensors; t++)
		if (n->edges[t] >= 0)
			s->edges.data[n->edges[t]].changed_tick = s->tick;
}

int sr_search_last_change(const struct sr_search *s, const struct sr_search_node *n)
{
	int last = n->changed_tick;
	for (int t = 0; t < n->n_tensors; t++)
		if (n->edges[t] >= 0 && s->edges.data[n->edges[t]].changed_tick > last)
			last = s->edges.data[n->edges[t]].changed_tick;
	return last;
}
