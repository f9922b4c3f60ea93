/* Coordinate descent: one node after another takes its cheapest strategy with its neighbors fixed. Candidates: the layout of an
 * operand, a layout that a reader requires, more or fewer reduced axes. Sweeps over all nodes alternate in direction and are
 * repeated as long as the cost falls. */
#include "partition/search/search.h"
#include <math.h>

enum { MAX_SWEEPS = 6 };

double sr_search_cost_around(struct sr_search *s, const struct sr_search_node *n)
{
	double cost = sr_search_node_cost(s, n, n->next);
	for (int t = 0; t < n->n_tensors; t++) {
		bool is_repeated = n->edges[t] < 0;
		for (int k = 0; k < t && !is_repeated; k++)
			is_repeated = n->edges[k] == n->edges[t];
		if (!is_repeated)
			cost += sr_search_value_cost(s, &s->edges.data[n->edges[t]], true);
	}
	return cost;
}

struct best_strategy {
	struct sr_strategy *strategy;
	double cost;
};

static void try_strategy(struct sr_search *s, struct sr_search_node *n, struct sr_strategy *x, struct best_strategy *best)
{
	if (!x || x == best->strategy)
		return;
	sr_search_set_next(s, n, x);
	double cost = sr_search_cost_around(s, n);
	if (cost < best->cost)
		*best = (struct best_strategy){x, cost};
}

static void try_neighbors_layouts(struct sr_search *s, struct sr_search_node *n, struct best_strategy *best)
{
	for (int t = 0; t < n->n_tensors; t++) {
		const struct sr_search_value *e = n->edges[t] >= 0 ? &s->edges.data[n->edges[t]] : NULL;
		if (!e)
			continue;
		if (t < n->n_operands) {
			const struct sr_attr *current_layout = sr_search_layout_of(s, e, false);
			if (current_layout && current_layout != n->current->layouts[t])
				try_strategy(s, n, sr_search_strategy_with_layout(s, n->kind, n->current, t, current_layout), best);
			continue;
		}
		for (size_t i = 0; i < e->required.n; i++) {
			struct sr_required_layout required_layout = e->required.data[i];
			if (!required_layout.n[0] || required_layout.layout == n->current->layouts[t])
				continue;
			try_strategy(s, n, sr_search_strategy_with_layout(s, n->kind, n->current, t, required_layout.layout), best);
			try_strategy(s, n, sr_search_scattered_strategy(s, n->kind, n->current, required_layout.layout), best);
		}
	}
}

/* Try to add one mesh axis to each reduction factor, and a reduction without scatter. */
static void try_reductions(struct sr_search *s, struct sr_search_node *n, struct best_strategy *best)
{
	const struct sr_sharding_rule *rule = n->kind->view.rule;
	const struct sr_mesh *mesh = s->mesh.mesh;
	int axes[SR_SEARCH_MAX_FACTORS];
	if (n->current->scatter)
		try_strategy(s, n, sr_search_strategy(s, n->kind, n->current->axes, NULL), best);
	for (int i = 0; n->kind->result_rank && i < rule->reduction.n; i++)
		for (int a = 0; a < mesh->n_axes; a++) {
			struct sr_axis_ref axis = {mesh->axes[a].name, 1, mesh->axes[a].size};
			bool is_used = axis.size == 1;
			for (int f = 0; f < rule->n_factors; f++) {
				axes[f] = n->current->axes[f];
				is_used = is_used || sr_axes_overlap(s->lists.data[axes[f]], (struct sr_axes){&axis, 1});
			}
			int f = rule->reduction.indices[i];
			if (is_used || rule->sizes[f] % (sr_axes_size(s->lists.data[axes[f]]) * axis.size))
				continue;
			axes[f] = sr_search_axes_number(s, sr_axes_append(s->ctx->scratch, s->lists.data[axes[f]], axis));
			try_strategy(s, n, sr_search_strategy(s, n->kind, axes, NULL), best);
		}
}

/* Return true if the node may take strategy x within the limit on bytes on the wire. */
static bool fits_remaining_bytes(struct sr_search *s, struct sr_search_node *n, struct sr_strategy *x)
{
	if (isinf(s->remaining_bytes))
		return true;
	struct sr_search_weights saved_weights = sr_search_count_bytes_alone(s);
	sr_search_set_next(s, n, n->current);
	double cost_before = sr_search_cost_around(s, n);
	sr_search_set_next(s, n, x);
	double extra_bytes = sr_search_cost_around(s, n) - cost_before;
	sr_search_restore_weights(s, saved_weights);
	return sr_search_try_spend_bytes(s, extra_bytes);
}

/* Try, for each operand, the layouts that other readers of the value require: readers that require the same layout share one
 * reshard. */
static void try_readers_layouts(struct sr_search *s, struct sr_search_node *n, struct best_strategy *best)
{
	for (int t = 0; t < n->n_operands; t++) {
		const struct sr_search_value *e = n->edges[t] >= 0 ? &s->edges.data[n->edges[t]] : NULL;
		for (size_t i = 0; e && i < e->required.n; i++) {
			const struct sr_attr *layout = e->required.data[i].n[0] ? e->required.data[i].layout : NULL;
			if (layout && layout != n->current->layouts[t])
				try_strategy(s, n, sr_search_memoized_with_layout(s, n->kind, n->current, t, layout), best);
		}
	}
}

static double improve_node(struct sr_search *s, struct sr_search_node *n)
{
	struct sr_arena_position mark = sr_arena_mark(s->ctx->scratch);
	sr_search_set_next(s, n, n->current);
	struct best_strategy best = {n->current, sr_search_cost_around(s, n)};
	double cost_before = best.cost;
	try_neighbors_layouts(s, n, &best);
	try_reductions(s, n, &best);
	if (s->max_visits) /* the number of visits is limited only while a small program is refined */
		try_readers_layouts(s, n, &best);
	if (best.strategy != n->current && !fits_remaining_bytes(s, n, best.strategy))
		best = (struct best_strategy){n->current, cost_before};
	double gain = cost_before - best.cost;
	sr_search_set_next(s, n, best.strategy);
	if (n->current != n->next) {
		sr_search_set(s, n, n->next);
		sr_search_mark_changed(s, n);
	}
	sr_arena_release(s->ctx->scratch, mark);
	return gain;
}

double sr_search_coordinate_descent(struct sr_search *s)
{
	double total_gain = 0, gain = 1;
	for (int sweep = 0; sweep < MAX_SWEEPS && gain > 0; sweep++) {
		gain = 0;
		for (size_t i = 0; i < s->nodes.n; i++) {
			struct sr_search_node *n = &s->nodes.data[sweep % 2 ? s->nodes.n - 1 - i : i];
			if (n != s->pinned_node && sr_search_may_change(s, n) && sr_search_last_change(s, n) > n->descent_tick) {
				n->descent_tick = s->tick;
				gain += improve_node(s, n);
			}
		}
		total_gain += gain;
	}
	return total_gain;
}

double sr_search_pinned_descent(struct sr_search *s, struct sr_search_node *n, struct sr_strategy *x)
{
	double limit = s->remaining_bytes;
	sr_search_set_next(s, n, n->current);
	double gain = sr_search_cost_around(s, n);
	sr_search_set(s, n, x);
	sr_search_mark_changed(s, n);
	gain -= sr_search_cost_around(s, n);
	s->pinned_node = n;
	s->remaining_bytes = HUGE_VAL;
	gain += sr_search_coordinate_descent(s);
	s->pinned_node = NULL;
	s->remaining_bytes = limit;
	return gain;
}
