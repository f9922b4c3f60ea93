/* Collection of the region of a change. An axis is added to (or removed from) a factor of a node, and from there to all
 * corresponding dimensions: through values to neighboring ops, and through the factors of these. If an op is reached by two
 * factors, the nearer one is changed. The region ends at nodes without a choice and at factors that cannot have the axis. The
 * minimum cut then decides which part of the region changes. */
#include "partition/search/search.h"

/* maximum number of factors that one change may visit again after an earlier change of the same axis */
enum { MAX_REVISITS = 64 };

struct change {
	struct sr_search *s;
	int n_revisits;
	struct sr_axis_ref axis;
	int axis_index; /* index of a full mesh axis; -1: the axis is a sub-axis */
	enum sr_axis_change kind;
};

static struct sr_axes list_of(const struct sr_search *s, int number)
{
	return s->lists.data[number];
}

static int list_without_axis(struct change *c, int number)
{
	struct sr_axes removed_axes = {&c->axis, 1};
	return sr_search_axes_number(c->s, sr_axes_prefix_without_overlaps(c->s->ctx->scratch, list_of(c->s, number), removed_axes));
}

static int list_with_axis(struct change *c, int number)
{
	return sr_search_axes_number(c->s, sr_axes_append(c->s->ctx->scratch, list_of(c->s, number), c->axis));
}

/* Return the dimension of the first result of which this is the last factor; -1: none. */
static int dim_of_result(const struct sr_op_class *kind, int factor)
{
	const struct sr_tensor_mapping *map = sr_projection_mapping(&kind->view.p, kind->view.rule->n_operands);
	for (int d = 0; d < map->rank; d++)
		if (map->dims[d].n && map->dims[d].factors[map->dims[d].n - 1] == factor)
			return d;
	return -1;
}

static struct sr_strategy *remove_axis(struct change *c, struct sr_op_class *kind, const struct sr_strategy *current_strategy, int factor)
{
	int axes[SR_SEARCH_MAX_FACTORS], scatter[SR_SEARCH_MAX_TENSORS];
	for (int f = 0; f < kind->view.rule->n_factors; f++)
		axes[f] = f == factor ? list_without_axis(c, current_strategy->axes[f]) : current_strategy->axes[f];
	int dim = kind->result_rank ? dim_of_result(kind, factor) : -1;
	for (int d = 0; current_strategy->scatter && d < kind->result_rank; d++)
		scatter[d] = d == dim ? list_without_axis(c, current_strategy->scatter[d]) : current_strategy->scatter[d];
	return sr_search_strategy(c->s, kind, axes, current_strategy->scatter ? scatter : NULL);
}

/* Return true if a sub-axis of the axis shards some factor, so that the full axis is not available. */
static bool has_sub_axis(struct change *c, const struct sr_op_class *kind, const struct sr_strategy *current_strategy)
{
	struct sr_axes axis_list = {&c->axis, 1};
	for (int f = 0; f < kind->view.rule->n_factors; f++) {
		struct sr_axes axes = list_of(c->s, current_strategy->axes[f]);
		if (sr_axes_overlap(axes, axis_list) && !sr_axes_has(axes, c->axis))
			return true;
	}
	return false;
}

/* Return the strategy with the axis added to the factor. If the axis is reduced and the factor is the result's,
 * SR_AXIS_ADD_SCATTERED scatters the result along it; otherwise the axis is removed from the factor that had it. If a reduction
 * factor gets an axis that shards the result, the result is scattered along that axis. */
static struct sr_strategy *add_axis(struct change *c, struct sr_op_class *kind, const struct sr_strategy *current_strategy, int factor)
{
	const struct sr_sharding_rule *rule = kind->view.rule;
	int axes[SR_SEARCH_MAX_FACTORS], scatter[SR_SEARCH_MAX_TENSORS], dim = kind->result_rank ? dim_of_result(kind, factor) : -1;
	bool is_reduction = sr_index_list_has(rule->reduction, factor);
	if (has_sub_axis(c, kind, current_strategy))
		return NULL;
	for (int d = 0; d < kind->result_rank; d++)
		scatter[d] = current_strategy->scatter ? list_without_axis(c, current_strategy->scatter[d]) : 0;
	for (int f = 0; f < rule->n_factors; f++)
		axes[f] = current_strategy->axes[f];
	for (int f = 0; f < rule->n_factors; f++) {
		if (f == factor || !sr_axes_has(list_of(c->s, axes[f]), c->axis))
			continue;
		bool can_scatter = dim >= 0 && sr_index_list_has(rule->reduction, f);
		c->s->may_scatter = c->s->may_scatter || can_scatter;
		if (can_scatter && c->kind == SR_AXIS_ADD_SCATTERED) {
			scatter[dim] = list_with_axis(c, scatter[dim]);
			return sr_search_strategy(c->s, kind, axes, scatter);
		}
		axes[f] = list_without_axis(c, axes[f]);
		int dim_without_axis = kind->result_rank && is_reduction ? dim_of_result(kind, f) : -1;
		if (dim_without_axis >= 0)
			scatter[dim_without_axis] = list_with_axis(c, scatter[dim_without_axis]);
	}
	if (kind->shardability.must_replicate[factor] ||
	    rule->sizes[factor] % (sr_axes_size(list_of(c->s, axes[factor])) * c->axis.size))
		return NULL;
	axes[factor] = list_with_axis(c, axes[factor]);
	struct sr_strategy *x = sr_search_strategy(c->s, kind, axes, kind->result_rank ? scatter : NULL);
	return sr_axes_has(list_of(c->s, x->axes[factor]), c->axis) ? x : NULL;
}

/* Return the node's strategy after the change at this factor; NULL if the region ends at this node. */
static struct sr_strategy *changed_strategy(struct change *c, const struct sr_search_node *n, int factor)
{
	bool has_axis = sr_axes_has(list_of(c->s, n->current->axes[factor]), c->axis);
	int dim = n->kind->result_rank ? dim_of_result(n->kind, factor) : -1;
	bool is_scattered = dim >= 0 && n->current->scatter && sr_axes_has(list_of(c->s, n->current->scatter[dim]), c->axis);
	if (c->kind == SR_AXIS_REMOVE)
		return has_axis || is_scattered ? remove_axis(c, n->kind, n->current, factor) : NULL;
	return has_axis ? n->current : add_axis(c, n->kind, n->current, factor);
}

/* Return the memoized result of changed_strategy, since layers and rounds repeat the same changes. */
static struct sr_strategy *memoized_strategy(struct change *c, const struct sr_search_node *n, int factor)
{
	struct sr_search *s = c->s;
	int n_factors = n->kind->view.rule->n_factors;
	if (c->axis_index < 0)
		return changed_strategy(c, n, factor);
	if (!n->current->changed_strategies)
		n->current->changed_strategies = SR_NEW_ARRAY(s->arena, struct sr_changed_strategy,
							      s->mesh.mesh->n_axes * SR_AXIS_CHANGES * n_factors);
	struct sr_changed_strategy *memo_entry =
	    &n->current->changed_strategies[(c->axis_index * SR_AXIS_CHANGES + (int)c->kind) * n_factors + factor];
	if (!memo_entry->is_known) {
		bool may_scatter_before = s->may_scatter;
		s->may_scatter = false;
		memo_entry->strategy = changed_strategy(c, n, factor);
		memo_entry->may_scatter = s->may_scatter;
		memo_entry->is_known = true;
		s->may_scatter = may_scatter_before;
	}
	s->may_scatter = s->may_scatter || memo_entry->may_scatter;
	return memo_entry->strategy;
}

/* Return the index of the axis in the mesh if it is a full axis; -1 for a sub-axis. */
static int index_of_axis(const struct sr_mesh *mesh, struct sr_axis_ref axis)
{
	for (int a = 0; a < mesh->n_axes; a++)
		if (mesh->axes[a].name == axis.axis && axis.pre == 1 && axis.size == mesh->axes[a].size)
			return a;
	return -1;
}

/* Result of visiting a factor. OTHER_FACTOR: the change reached the node by another factor, so this one has not been visited. */
enum visit_result { VISITED, NOT_ENTERED, OTHER_FACTOR };

static enum visit_result visit_node(struct change *c, int node, int factor)
{
	struct sr_search_node *n = &c->s->nodes.data[node];
	bool is_reached = n->reached_factors & (1u << factor);
	if (n->seen_stamp == c->s->stamp)
		return is_reached ? VISITED : OTHER_FACTOR;
	if (!sr_search_may_change(c->s, n) || (is_reached && c->n_revisits++ >= MAX_REVISITS))
		return NOT_ENTERED;
	struct sr_strategy *next = memoized_strategy(c, n, factor);
	if (!next)
		return NOT_ENTERED;
	n->seen_stamp = c->s->stamp;
	n->next = next;
	n->factor = factor;
	n->reached_factors |= 1u << factor;
	sr_push(c->s->arena, &c->s->region, node);
	return VISITED;
}

/* Visit the first factor of a dimension, which the dimension's first axes shard. */
static enum visit_result visit_dim(struct change *c, int node, int tensor, int dim)
{
	const struct sr_search_node *n = &c->s->nodes.data[node];
	const struct sr_tensor_mapping *map = n->kind ? sr_projection_mapping(&n->kind->view.p, tensor) : NULL;
	c->s->visits++;
	return map && dim < map->rank && map->dims[dim].n ? visit_node(c, node, map->dims[dim].factors[0]) : NOT_ENTERED;
}

static enum visit_result visit_reader(struct change *c, const struct sr_search_value *e, size_t i, int dim)
{
	return visit_dim(c, e->readers.data[i].node, e->readers.data[i].tensor, dim);
}

/* Visit the readers of a value with many readers: those that no change of this axis has reached, then others up to the allowed
 * number of repeated visits. All changes together thus visit each reader a constant number of times. */
static void visit_many_readers(struct change *c, struct sr_search_value *e, int dim, bool is_revisit)
{
	struct sr_dim_visits *t = &e->dim_visits[dim];
	size_t n = 0;
	if (!is_revisit) {
		t->open.n = 0;
		for (size_t i = 0; i < e->readers.n; i++)
			sr_push(c->s->arena, &t->open, (int)i);
	}
	for (size_t i = 0; i < t->open.n; i++)
		if (visit_reader(c, e, (size_t)t->open.data[i], dim) == OTHER_FACTOR)
			t->open.data[n++] = t->open.data[i];
	t->open.n = n;
	for (size_t i = 0; is_revisit && i < e->readers.n && c->n_revisits < MAX_REVISITS; i++)
		c->n_revisits += visit_reader(c, e, i, dim) == NOT_ENTERED;
}

/* Visit the nodes that define or read a value and share its dimension dim, once per change. */
static void visit_sharers(struct change *c, struct sr_search_value *e, int dim)
{
	struct sr_dim_visits *t = &e->dim_visits[dim];
	bool is_revisit = t->stamp > c->s->axis_stamp;
	if (t->stamp == c->s->stamp)
		return;
	t->stamp = c->s->stamp;
	if (e->node >= 0)
		visit_dim(c, e->node, e->tensor, dim);
	if (e->readers.n > MAX_REVISITS) {
		visit_many_readers(c, e, dim, is_revisit);
		return;
	}
	for (size_t i = 0; i < e->readers.n; i++)
		visit_reader(c, e, i, dim);
}

/* Store, for each factor of the class, the dimensions whose first axes shard it. */
static void find_factor_dims(struct sr_search *s, struct sr_op_class *kind)
{
	int n_factors = kind->view.rule->n_factors, n = 0;
	kind->factor_starts = SR_NEW_ARRAY(s->arena, int, n_factors + 1);
	for (int t = 0; t < kind->view.n_tensors; t++)
		n += sr_projection_mapping(&kind->view.p, t)->rank;
	kind->factor_dims = SR_NEW_ARRAY(s->arena, struct sr_dim_of_factor, n);
	n = 0;
	for (int f = 0; f < n_factors; f++) {
		for (int t = 0; t < kind->view.n_tensors; t++) {
			const struct sr_tensor_mapping *map = sr_projection_mapping(&kind->view.p, t);
			for (int d = 0; d < map->rank; d++)
				if (map->dims[d].n && map->dims[d].factors[0] == f)
					kind->factor_dims[n++] = (struct sr_dim_of_factor){t, d};
		}
		kind->factor_starts[f + 1] = n;
	}
}

static void expand_region(struct change *c, int node)
{
	const struct sr_search_node *n = &c->s->nodes.data[node];
	if (!n->kind->factor_starts)
		find_factor_dims(c->s, n->kind);
	for (int i = n->kind->factor_starts[n->factor]; i < n->kind->factor_starts[n->factor + 1]; i++) {
		struct sr_dim_of_factor at = n->kind->factor_dims[i];
		if (n->edges[at.tensor] >= 0)
			visit_sharers(c, &c->s->edges.data[n->edges[at.tensor]], at.dim);
	}
}

void sr_search_collect_region(struct sr_search *s, int node, int factor, struct sr_axis_ref axis, enum sr_axis_change how)
{
	struct change c = {.s = s, .axis = axis, .axis_index = index_of_axis(s->mesh.mesh, axis), .kind = how};
	struct sr_arena_position mark = sr_arena_mark(s->ctx->scratch);
	s->stamp++;
	s->region.n = 0;
	s->may_scatter = false;
	visit_node(&c, node, factor);
	for (size_t i = 0; i < s->region.n; i++)
		expand_region(&c, s->region.data[i]);
	sr_arena_release(s->ctx->scratch, mark);
}

/* Return the node's strategy without the axis; an axis of size 0 stands for all axes. */
static struct sr_strategy *strategy_without_axis(struct change *c, const struct sr_search_node *n)
{
	int axes[SR_SEARCH_MAX_FACTORS] = {0}, scatter[SR_SEARCH_MAX_TENSORS] = {0};
	bool is_all_axes = c->axis.size == 0;
	for (int f = 0; !is_all_axes && f < n->kind->view.rule->n_factors; f++)
		axes[f] = list_without_axis(c, n->current->axes[f]);
	for (int d = 0; !is_all_axes && n->current->scatter && d < n->kind->result_rank; d++)
		scatter[d] = list_without_axis(c, n->current->scatter[d]);
	return sr_search_strategy(c->s, n->kind, axes, n->current->scatter ? scatter : NULL);
}

void sr_search_collect_without_axis(struct sr_search *s, struct sr_axis_ref axis)
{
	struct change c = {.s = s, .axis = axis, .kind = SR_AXIS_REMOVE};
	struct sr_arena_position mark = sr_arena_mark(s->ctx->scratch);
	s->stamp++;
	s->region.n = 0;
	for (size_t i = 0; i < s->nodes.n; i++) {
		struct sr_search_node *n = &s->nodes.data[i];
		if (!sr_search_may_change(s, n))
			continue;
		n->seen_stamp = s->stamp;
		n->next = strategy_without_axis(&c, n);
		sr_push(s->arena, &s->region, (int)i);
	}
	sr_arena_release(s->ctx->scratch, mark);
}
