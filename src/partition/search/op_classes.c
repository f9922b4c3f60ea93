/* Classes of equal ops, their strategies and costs. A strategy is computed once per class and assignment of axes. */
#include "cost/cost.h"
#include "dialect/attr_names.h"
#include "dialect/reducer.h"
#include "partition/partition.h"
#include "partition/search/search.h"

enum { FIRST_SLOTS = 16 };

int sr_search_axes_number(struct sr_search *s, struct sr_axes axes)
{
	size_t i = 0;
	while (i < s->lists.n && !sr_axes_equal(s->lists.data[i], axes))
		i++;
	if (i == s->lists.n)
		sr_push(s->arena, &s->lists, (struct sr_axes){sr_dup(s->arena, axes.refs, (size_t)axes.n, sizeof *axes.refs),
							      axes.n});
	return (int)i;
}

/* ---------------------------------------------------------------- classes */

static bool is_sharding(const struct sr_attr *x)
{
	return x->kind == SR_ATTR_SHARDINGS || x->kind == SR_ATTR_SHARDING;
}

static const struct sr_type *type_of_tensor(const struct sr_op *op, int t)
{
	return t < op->n_operands ? sr_operand(op, t)->type : sr_result(op, t - op->n_operands)->type;
}

/* Return the op that defines operand i if op's form reads through it, so that the form depends on it; else NULL. */
static const struct sr_op *read_through_def(const struct sr_op *op, int i)
{
	const struct sr_op *def = sr_operand(op, i)->def;
	return def && sr_form_is_read_through(def) ? def : NULL;
}

/* Return a hash of the properties that determine the op's computation: name, types, attributes, reducer. */
static uint64_t hash_of_op(const struct sr_op *op)
{
	const struct sr_reducer *reducer = sr_op_reducer(op);
	uint64_t h = sr_hash_mix((uintptr_t)op->info, reducer ? (uint64_t)reducer->code : 0);
	for (int t = 0; t < op->n_operands + op->n_results; t++)
		h = sr_hash_mix(h, (uintptr_t)type_of_tensor(op, t));
	for (int i = 0; i < op->n_attrs; i++)
		h = is_sharding(op->attrs[i].value) ? h : sr_hash_mix(h, (uintptr_t)op->attrs[i].value);
	for (int i = 0; i < op->n_operands; i++)
		h = read_through_def(op, i) ? sr_hash_mix(h, hash_of_op(read_through_def(op, i))) : h;
	return h | 1;
}

/* Return the index of the next attribute, from i on, that is not a sharding; n_attrs if there is none. */
static int next_attr(const struct sr_op *op, int i)
{
	while (i < op->n_attrs && is_sharding(op->attrs[i].value))
		i++;
	return i;
}

/* Return true if the ops are equal except for operands and shardings. */
static bool is_same_op(const struct sr_op *a, const struct sr_op *b)
{
	const struct sr_reducer *reducer_a = sr_op_reducer(a), *reducer_b = sr_op_reducer(b);
	if (a->info != b->info || a->n_operands != b->n_operands || a->n_results != b->n_results ||
	    (reducer_a ? reducer_a->code : 0) != (reducer_b ? reducer_b->code : 0))
		return false;
	for (int t = 0; t < a->n_operands + a->n_results; t++)
		if (type_of_tensor(a, t) != type_of_tensor(b, t))
			return false;
	for (int t = 0; t < a->n_operands; t++) {
		const struct sr_op *def_a = read_through_def(a, t), *def_b = read_through_def(b, t);
		if (!def_a != !def_b || (def_a && !is_same_op(def_a, def_b)))
			return false;
	}
	int i = next_attr(a, 0), k = next_attr(b, 0);
	for (; i < a->n_attrs && k < b->n_attrs; i = next_attr(a, i + 1), k = next_attr(b, k + 1))
		if (a->attrs[i].name != b->attrs[k].name || a->attrs[i].value != b->attrs[k].value)
			return false;
	return i == a->n_attrs && k == b->n_attrs;
}

static bool has_static_types(const struct sr_op_view *v)
{
	if (v->rule->n_factors > SR_SEARCH_MAX_FACTORS || v->n_tensors > SR_SEARCH_MAX_TENSORS)
		return false;
	for (int t = 0; t < v->n_tensors; t++) {
		const struct sr_type *type = sr_op_view_value(v, t)->type;
		if (!sr_type_is_static(type) || type->dtype == SR_DTYPE_NONE)
			return false;
	}
	return true;
}

struct sr_op_class *sr_search_new_op_class(struct sr_search *s)
{
	struct sr_op_class *kind = SR_NEW(s->arena, struct sr_op_class);
	kind->min_operations = -1;
	for (int i = 0; i < FIRST_SLOTS; i++)
		sr_push(s->arena, &kind->slots, NULL);
	sr_push(s->arena, &s->classes, kind);
	return kind;
}

static struct sr_op_class *make_kind(struct sr_search *s, struct sr_op *op)
{
	const struct sr_sharding_rule *rule = sr_form_rule(s->ctx, s->arena, op, sr_op_rule(s->ctx, op, false));
	struct sr_op_view view;
	if (!rule || !sr_op_view_init_on(&view, s->ctx, s->module, op, rule, s->mesh) || !has_static_types(&view))
		return NULL;
	struct sr_op_class *kind = sr_search_new_op_class(s);
	kind->view = view;
	kind->shardability = sr_shardability_expanded(&kind->view);
	if (kind->shardability.can_reduce && rule->reduction.n && op->n_results == 1 &&
	    sr_result(op, 0)->type->rank <= SR_SEARCH_MAX_TENSORS)
		kind->result_rank = sr_result(op, 0)->type->rank;
	return kind;
}

/* Return true if the op's shardings are on the search's mesh. Equal ops may have shardings on different meshes. */
static bool is_on_mesh(struct sr_search *s, struct sr_op *op, const struct sr_sharding_rule *rule)
{
	struct sr_arena_position mark = sr_arena_mark(s->ctx->scratch);
	bool is_on_mesh_already = s->mesh.name;
	for (int t = 0; is_on_mesh_already && t < op->n_operands + op->n_results; t++) {
		struct sr_value *v = t < op->n_operands ? sr_operand(op, t) : sr_result(op, t - op->n_operands);
		const struct sr_attr *sharding = sr_sharding_through_barriers(s->ctx, v);
		is_on_mesh_already = !sharding || sharding->sharding->mesh_name == s->mesh.name;
	}
	struct sr_op_view v;
	bool has_view = is_on_mesh_already || sr_op_view_init_on(&v, s->ctx, s->module, op, rule, s->mesh);
	sr_arena_release(s->ctx->scratch, mark);
	return has_view;
}

struct sr_op_class *sr_search_op_class(struct sr_search *s, struct sr_op *op)
{
	/* false: the op has a body other than a simple reducer, and is in a class of its own */
	bool is_comparable = !op->n_regions || sr_op_reducer(op);
	const void *hash = (const void *)(uintptr_t)hash_of_op(op);
	struct sr_op_class *first = is_comparable ? sr_map_get(&s->kinds_by_hash, hash) : NULL, *kind = first;
	while (kind && !is_same_op(kind->view.op, op))
		kind = kind->next;
	if (kind)
		return is_on_mesh(s, op, kind->view.rule) ? kind : NULL;
	kind = make_kind(s, op);
	if (kind && is_comparable) {
		kind->next = first;
		sr_map_put(&s->kinds_by_hash, hash, kind);
	}
	return kind;
}

/* ---------------------------------------------------------------- strategies */

static const struct sr_type *type_of(const struct sr_op_class *kind, int tensor)
{
	return sr_op_view_value(&kind->view, tensor)->type;
}

static struct sr_axes list_of(const struct sr_search *s, int number)
{
	return s->lists.data[number];
}

static uint64_t hash_of(const struct sr_op_class *kind, const int *axes, const int *scatter)
{
	uint64_t h = sr_hash_bytes(axes, (size_t)kind->view.rule->n_factors * sizeof *axes, 7);
	return scatter ? sr_hash_bytes(scatter, (size_t)kind->result_rank * sizeof *scatter, h) : h;
}

static bool has_same_axes(const struct sr_op_class *kind, const struct sr_strategy *a, const int *axes, const int *scatter)
{
	for (int f = 0; f < kind->view.rule->n_factors; f++)
		if (a->axes[f] != axes[f])
			return false;
	if (!a->scatter != !scatter)
		return false;
	for (int d = 0; scatter && d < kind->result_rank; d++)
		if (a->scatter[d] != scatter[d])
			return false;
	return true;
}

static void grow_slots(struct sr_search *s, struct sr_op_class *kind)
{
	struct sr_strategy **old = kind->slots.data;
	size_t n = kind->slots.n;
	kind->slots.data = SR_NEW_ARRAY(s->arena, struct sr_strategy *, 2 * n);
	kind->slots.n = kind->slots.cap = 2 * n;
	for (size_t i = 0; i < n; i++)
		for (struct sr_strategy *x = old[i], *next; x; x = next) {
			uint64_t at = hash_of(kind, x->axes, x->scatter) & (2 * n - 1);
			next = x->next;
			x->next = kind->slots.data[at];
			kind->slots.data[at] = x;
		}
}

/* The reduction of partial results: all reduced axes, and those of them that are scattered and that are not. In scratch memory. */
struct reduction {
	struct sr_axes all_axes, scattered_axes, unscattered_axes;
};

static struct reduction reduction_of(const struct sr_search *s, const struct sr_op_class *kind, const struct sr_strategy *x)
{
	const struct sr_sharding_rule *rule = kind->view.rule;
	struct sr_arena *scratch = s->ctx->scratch;
	struct reduction r = {{0}, {0}, {0}};
	for (int i = 0; i < rule->reduction.n; i++)
		r.all_axes = sr_axes_concat(scratch, r.all_axes, list_of(s, x->axes[rule->reduction.indices[i]]));
	for (int d = 0; x->scatter && d < kind->result_rank; d++)
		r.scattered_axes = sr_axes_concat(scratch, r.scattered_axes, list_of(s, x->scatter[d]));
	if (!sr_axes_difference(scratch, r.all_axes, r.scattered_axes, &r.unscattered_axes))
		r.unscattered_axes = r.all_axes;
	return r;
}

/* Choose the cheapest form of a strategy and add its cost. Returns false if no form can compute the op with these layouts. */
static bool cost_form(const struct sr_search *s, const struct sr_op_class *kind, struct sr_strategy *x)
{
	struct sr_form_query q = {.ctx = s->ctx, .arena = s->ctx->scratch, .module = s->module, .op = kind->view.op,
				  .mesh = s->mesh, .costs = s->costs, .layouts = x->layouts, .max_listed = SR_FORM_MAX_LISTED};
	bool impossible = false;
	if (kind->shardability.needs_form)
		x->form = sr_form_cheapest(&q, &x->reductions, &impossible);
	return !impossible;
}

/* Add the cost of a strategy's reductions (a reduce_scatter along the scattered axes, an all_reduce along the others) and form.
 * Returns false if no form can compute the op. */
static bool cost_collectives(const struct sr_search *s, const struct sr_op_class *kind, struct sr_strategy *x)
{
	struct reduction reduction = reduction_of(s, kind, x);
	const struct sr_mesh_links *links = sr_cost_model_links(s->costs, s->mesh.mesh);
	x->reductions = (struct sr_wire_cost){0};
	for (int t = kind->view.rule->n_operands; reduction.all_axes.n && t < kind->view.n_tensors; t++) {
		double result_bytes = sr_cost_model_local_bytes(type_of(kind, t), x->layouts[t]->sharding, s->mesh.mesh);
		sr_wire_cost_add(&x->reductions,
					sr_cost_collective(links, SR_REDUCE_SCATTER, result_bytes, reduction.scattered_axes));
		sr_wire_cost_add(&x->reductions,
					sr_cost_collective(links, SR_ALL_REDUCE, result_bytes, reduction.unscattered_axes));
	}
	return cost_form(s, kind, x);
}

void sr_search_set_links(struct sr_search *s, const struct sr_mesh_links *links)
{
	sr_cost_model_set_links(s->costs, links);
	s->reshards.n = s->reshards.cap = s->n_reshards = 0;
	sr_map_init(&s->known_changes, s->arena);
	for (size_t i = 0; i < s->classes.n; i++) {
		const struct sr_op_class *kind = s->classes.data[i];
		for (size_t k = 0; k < kind->slots.n; k++)
			for (struct sr_strategy *x = kind->slots.data[k]; x; x = x->next) {
				struct sr_arena_position mark = sr_arena_mark(s->ctx->scratch);
				cost_collectives(s, kind, x);
				sr_arena_release(s->ctx->scratch, mark);
			}
	}
}

static const struct sr_attr *layout_of(struct sr_search *s, const struct sr_op_class *kind, int t, const int *scatter)
{
	struct sr_sharding sharding = sr_projection_sharding(s->ctx->scratch, &kind->view.p, t, s->mesh.name);
	struct sr_axes *axes = SR_NEW_ARRAY(s->ctx->scratch, struct sr_axes, sharding.rank);
	/* operand 0 of a scatter is combined with the reduced updates, so it has the scattered axes, too */
	bool is_scattered = t == kind->view.rule->n_operands || (t == 0 && sr_local_kind_of(kind->view.op) == SR_LOCAL_scatter);
	for (int d = 0; d < sharding.rank; d++) {
		axes[d] = sharding.dims[d].axes;
		if (scatter && is_scattered)
			axes[d] = sr_axes_concat(s->ctx->scratch, axes[d], list_of(s, scatter[d]));
	}
	return sr_sharding_attr_of_axes(s->ctx, &s->mesh, axes, sharding.rank);
}

/* Return the strategy without the axes that need a form, for use when no form can compute the op. */
static struct sr_strategy *strategy_without_form(struct sr_search *s, struct sr_op_class *kind, const int *numbers,
						 const int *scatter)
{
	int axes[SR_SEARCH_MAX_FACTORS];
	for (int f = 0; f < kind->view.rule->n_factors; f++)
		axes[f] = kind->shardability.needs_form[f] ? 0 : numbers[f];
	return sr_search_strategy(s, kind, axes, scatter);
}

static struct sr_strategy *make_strategy(struct sr_search *s, struct sr_op_class *kind, const int *numbers, const int *scatter)
{
	int n = kind->view.rule->n_factors;
	bool is_changed[SR_SEARCH_MAX_TENSORS] = {false};
	struct sr_axes axes[SR_SEARCH_MAX_FACTORS];
	struct sr_strategy *x = SR_NEW(s->arena, struct sr_strategy);
	x->axes = sr_dup(s->arena, numbers, (size_t)n, sizeof *numbers);
	x->scatter = scatter ? sr_dup(s->arena, scatter, (size_t)kind->result_rank, sizeof *scatter) : NULL;
	x->layouts = SR_NEW_ARRAY(s->arena, const struct sr_attr *, kind->view.n_tensors);
	for (int f = 0; f < n; f++) {
		axes[f] = list_of(s, numbers[f]);
		sr_op_view_set_factor(&kind->view, f, axes[f], is_changed);
	}
	for (int t = 0; t < kind->view.n_tensors; t++)
		x->layouts[t] = layout_of(s, kind, t, x->scatter);
	if (!cost_collectives(s, kind, x))
		x->fallback = strategy_without_form(s, kind, numbers, scatter);
	if (!kind->is_equality)
		x->operations = s->has_unconstrained ? sr_cost_model_operations_or_traffic(s->costs, &kind->view, axes)
						     : sr_cost_model_operations(s->costs, &kind->view, axes);
	return x;
}

/* Clear scattered lists that contain axes that are not reduced. Returns true if some list is still scattered. */
static bool clear_unreduced(struct sr_search *s, const struct sr_op_class *kind, const int *axes, int *scatter)
{
	struct sr_axes reduced_axes = {0};
	bool is_any_scattered = false;
	for (int i = 0; i < kind->view.rule->reduction.n; i++)
		reduced_axes = sr_axes_concat(s->ctx->scratch, reduced_axes,
					      list_of(s, axes[kind->view.rule->reduction.indices[i]]));
	for (int d = 0; d < kind->result_rank; d++) {
		struct sr_axes list = list_of(s, scatter[d]), remaining_axes;
		bool is_reduced = true;
		for (int i = 0; i < list.n; i++)
			is_reduced = is_reduced && sr_axes_has(reduced_axes, list.refs[i]);
		if (!is_reduced || !sr_axes_difference(s->ctx->scratch, reduced_axes, list, &remaining_axes)) {
			scatter[d] = 0;
			continue;
		}
		reduced_axes = remaining_axes;
		is_any_scattered = is_any_scattered || scatter[d];
	}
	return is_any_scattered;
}

struct sr_strategy *sr_search_strategy(struct sr_search *s, struct sr_op_class *kind, const int *axes, const int *scatter)
{
	int n = kind->view.rule->n_factors, numbers[SR_SEARCH_MAX_FACTORS], kept_scatter[SR_SEARCH_MAX_TENSORS];
	struct sr_axes lists[SR_SEARCH_MAX_FACTORS];
	for (int f = 0; f < n; f++)
		lists[f] = list_of(s, axes[f]);
	sr_shardability_apply(&kind->view, &kind->shardability, lists);
	for (int f = 0; f < n; f++)
		numbers[f] = sr_axes_equal(lists[f], list_of(s, axes[f])) ? axes[f] : sr_search_axes_number(s, lists[f]);
	if (!kind->result_rank)
		scatter = NULL;
	for (int d = 0; scatter && d < kind->result_rank; d++)
		kept_scatter[d] = scatter[d];
	scatter = scatter && clear_unreduced(s, kind, numbers, kept_scatter) ? kept_scatter : NULL;
	uint64_t h = hash_of(kind, numbers, scatter);
	for (struct sr_strategy *x = kind->slots.data[h & (kind->slots.n - 1)]; x; x = x->next)
		if (has_same_axes(kind, x, numbers, scatter))
			return x->fallback ? x->fallback : x;
	struct sr_strategy *x = make_strategy(s, kind, numbers, scatter);
	if ((size_t)kind->n_strategies++ >= 2 * kind->slots.n)
		grow_slots(s, kind);
	struct sr_strategy **slot = &kind->slots.data[h & (kind->slots.n - 1)];
	x->next = *slot;
	*slot = x;
	return x->fallback ? x->fallback : x;
}

/* State of the enumeration of a class's strategies. */
struct strategy_enumeration {
	struct sr_search *s;
	struct sr_op_class *kind;
	int *axes, *scatter; /* assignment of axes to factors so far, as arguments of sr_search_strategy */
	int n_remaining;            /* number of complete assignments that may still be tried */
};

static void assign_axes(struct strategy_enumeration *e, int axis);

/* Append the axis to the list, then prepend it instead, each time with all assignments of the mesh's following axes. */
static void assign_in_any_order(struct strategy_enumeration *e, int axis, int *list)
{
	struct sr_search *s = e->s;
	const struct sr_mesh *mesh = s->mesh.mesh;
	struct sr_axis_ref ref = {mesh->axes[axis].name, 1, mesh->axes[axis].size};
	int old_list = *list;
	*list = sr_search_axes_number(s, sr_axes_append(s->ctx->scratch, list_of(s, old_list), ref));
	assign_axes(e, axis + 1);
	if (old_list) {
		*list = sr_search_axes_number(s, sr_axes_concat(s->ctx->scratch, (struct sr_axes){&ref, 1}, list_of(s, old_list)));
		assign_axes(e, axis + 1);
	}
	*list = old_list;
}

/* Create every strategy in which this axis and each following axis of the mesh are assigned to one factor, or to none. */
static void assign_axes(struct strategy_enumeration *e, int axis)
{
	struct sr_search *s = e->s;
	const struct sr_mesh *mesh = s->mesh.mesh;
	const struct sr_sharding_rule *rule = e->kind->view.rule;
	if (e->n_remaining <= 0)
		return;
	if (axis == mesh->n_axes) {
		e->n_remaining--;
		sr_search_strategy(s, e->kind, e->axes, e->scatter);
		return;
	}
	assign_axes(e, axis + 1);
	for (int f = 0; mesh->axes[axis].size > 1 && f < rule->n_factors; f++) {
		if (e->kind->shardability.must_replicate[f] ||
		    rule->sizes[f] % (sr_axes_size(list_of(s, e->axes[f])) * mesh->axes[axis].size))
			continue;
		assign_in_any_order(e, axis, &e->axes[f]);
		if (!sr_index_list_has(rule->reduction, f))
			continue;
		struct sr_axis_ref ref = {mesh->axes[axis].name, 1, mesh->axes[axis].size};
		int old_list = e->axes[f];
		e->axes[f] = sr_search_axes_number(s, sr_axes_append(s->ctx->scratch, list_of(s, old_list), ref));
		for (int d = 0; d < e->kind->result_rank; d++)
			assign_in_any_order(e, axis, &e->scatter[d]);
		e->axes[f] = old_list;
	}
}

bool sr_search_make_strategies(struct sr_search *s, struct sr_op_class *kind, int limit)
{
	int axes[SR_SEARCH_MAX_FACTORS] = {0}, scatter[SR_SEARCH_MAX_TENSORS] = {0};
	struct sr_arena_position mark = sr_arena_mark(s->ctx->scratch);
	struct strategy_enumeration e = {s, kind, axes, scatter, limit};
	if (limit > kind->strategies_limit) {
		assign_axes(&e, 0);
		kind->strategies_limit = limit;
		kind->has_all_strategies = e.n_remaining > 0;
	}
	sr_arena_release(s->ctx->scratch, mark);
	return kind->has_all_strategies;
}

double sr_search_min_node_cost(struct sr_search *s, const struct sr_search_node *n)
{
	const int no_axes[SR_SEARCH_MAX_FACTORS] = {0};
	if (!n->kind)
		return 0;
	if (n->kind->min_operations < 0)
		n->kind->min_operations = sr_search_strategy(s, n->kind, no_axes, NULL)->operations / (double)sr_mesh_devices(s->mesh.mesh);
	return n->executions * s->operation_weight * n->kind->min_operations;
}

double sr_search_min_total_cost(struct sr_search *s)
{
	double total = 0;
	for (size_t i = 0; i < s->nodes.n; i++)
		total += sr_search_min_node_cost(s, &s->nodes.data[i]);
	return total;
}

/* ---------------------------------------------------------------- strategies from layouts */

/* Return, by dimension of the result, the axes that the layout has in addition to the strategy's. NULL if no axes are reduced. */
static const int *scatter_to_layout(struct sr_search *s, const struct sr_op_class *kind, const struct sr_strategy *x,
				    const struct sr_attr *layout)
{
	int *scatter = SR_NEW_ARRAY(s->ctx->scratch, int, kind->result_rank);
	const struct sr_sharding *current_sharding, *target;
	if (!kind->result_rank || !layout)
		return NULL;
	current_sharding = sr_sharding_resolve(s->ctx->scratch, s->mesh.mesh, x->layouts[kind->view.rule->n_operands]->sharding);
	target = sr_sharding_resolve(s->ctx->scratch, s->mesh.mesh, layout->sharding);
	for (int d = 0; d < kind->result_rank && d < target->rank; d++) {
		struct sr_axes missing_axes;
		if (sr_axes_is_strict_prefix(current_sharding->dims[d].axes, target->dims[d].axes) &&
		    sr_axes_difference(s->ctx->scratch, target->dims[d].axes, current_sharding->dims[d].axes, &missing_axes))
			scatter[d] = sr_search_axes_number(s, missing_axes);
	}
	return scatter;
}

struct sr_strategy *sr_search_scattered_strategy(struct sr_search *s, struct sr_op_class *kind, struct sr_strategy *x,
						 const struct sr_attr *layout)
{
	const int *scatter = scatter_to_layout(s, kind, x, layout);
	return scatter ? sr_search_strategy(s, kind, x->axes, scatter) : x;
}

/* Return a hash of everything besides the class on which the best strategy depends: shardings, which operands are equal or can be
 * rematerialized on every device, and whether the op is in a loop. */
static uint64_t hash_of_surroundings(struct sr_search *s, const struct sr_op *op)
{
	uint64_t h = sr_hash_mix(1, sr_op_parent_of(op, SR_OP_stablehlo_while) != NULL);
	for (int t = 0; t < op->n_operands + op->n_results; t++) {
		struct sr_value *v = t < op->n_operands ? sr_operand(op, t) : sr_result(op, t - op->n_operands);
		int first = 0;
		while (t < op->n_operands && sr_operand(op, first) != v)
			first++;
		struct sr_value *source = t < op->n_operands ? sr_form_source(op, t)->value : v;
		h = sr_hash_mix(h, (uintptr_t)sr_sharding_through_barriers(s->ctx, source));
		h = sr_hash_mix(h, (uint64_t)(2 * first + (t < op->n_operands && sr_is_rematerializable(v))));
	}
	return h | 1;
}

static struct sr_strategy *find_local_best(struct sr_search *s, const struct sr_search_node *n)
{
	struct sr_op_view v;
	int numbers[SR_SEARCH_MAX_FACTORS];
	if (!sr_op_view_init_on(&v, s->ctx, s->module, n->op, n->kind->view.rule, s->mesh))
		return NULL;
	struct sr_shardability shardability = sr_shardability_expanded(&v);
	struct sr_axes *axes = sr_common_axes(&v);
	sr_shardability_apply(&v, &shardability, axes);
	axes = sr_cheapest_axes(s->costs, &v, &shardability, axes);
	for (int f = 0; f < v.rule->n_factors; f++)
		numbers[f] = sr_search_axes_number(s, axes[f]);
	struct sr_strategy *x = sr_search_strategy(s, n->kind, numbers, NULL);
	return n->op->n_results ? sr_search_scattered_strategy(s, n->kind, x, v.shardings[v.rule->n_operands]) : x;
}

struct sr_strategy *sr_search_local_best(struct sr_search *s, struct sr_search_node *n)
{
	if (!n->kind->best_alone.arena)
		sr_map_init(&n->kind->best_alone, s->arena);
	void **memo_entry = sr_map_at(&n->kind->best_alone, (const void *)(uintptr_t)hash_of_surroundings(s, n->op));
	if (!*memo_entry) {
		struct sr_arena_position mark = sr_arena_mark(s->ctx->scratch);
		*memo_entry = find_local_best(s, n);
		sr_arena_release(s->ctx->scratch, mark);
	}
	return *memo_entry;
}

struct sr_strategy *sr_search_strategy_with_layout(struct sr_search *s, struct sr_op_class *kind, const struct sr_strategy *base,
						   int t, const struct sr_attr *layout)
{
	const struct sr_sharding_rule *rule = kind->view.rule;
	const struct sr_sharding **shardings = SR_NEW_ARRAY(s->ctx->scratch, const struct sr_sharding *, kind->view.n_tensors);
	int numbers[SR_SEARCH_MAX_FACTORS];
	struct sr_axes taken_axes = {0};
	shardings[t] = sr_sharding_resolve(s->ctx->scratch, s->mesh.mesh, layout->sharding);
	struct sr_projection p = sr_projection_build(s->ctx->scratch, rule, s->mesh.mesh, shardings, true);
	const struct sr_factor_sharding *has = p.tensors[t].factors;
	for (int f = 0; f < rule->n_factors; f++)
		if (has[f].is_present)
			taken_axes = sr_axes_concat(s->ctx->scratch, taken_axes, has[f].axes);
	for (int f = 0; f < rule->n_factors; f++) {
		struct sr_axes list = has[f].is_present ? has[f].axes :
						       sr_axes_prefix_without_overlaps(s->ctx->scratch, list_of(s, base->axes[f]),
										       taken_axes);
		numbers[f] = sr_search_axes_number(s, list);
	}
	struct sr_strategy *x = sr_search_strategy(s, kind, numbers, NULL);
	return t >= rule->n_operands ? sr_search_scattered_strategy(s, kind, x, layout)
				     : sr_search_strategy(s, kind, numbers, base->scatter);
}

struct sr_strategy *sr_search_memoized_with_layout(struct sr_search *s, struct sr_op_class *kind, const struct sr_strategy *base,
						   int t, const struct sr_attr *layout)
{
	if (!kind->strategies_by_layout.arena)
		sr_map_init(&kind->strategies_by_layout, s->arena);
	uint64_t hash = sr_hash_mix(sr_hash_mix((uintptr_t)base, (uintptr_t)layout), (uint64_t)t);
	void **memo_entry = sr_map_at(&kind->strategies_by_layout, (const void *)(uintptr_t)(hash | 1));
	if (!*memo_entry)
		*memo_entry = sr_search_strategy_with_layout(s, kind, base, t, layout);
	return *memo_entry;
}
