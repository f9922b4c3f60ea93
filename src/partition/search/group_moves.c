/* Group moves: give an op another strategy. The ops that define or read a value whose layout this changes adapt to the new layout,
 * which changes the layouts of further values, and so on; all of these ops follow the first one. Changes of one axis (region.c) and
 * of one op (descent.c) do not find improvements that need several axes and several ops at once, such as a reshard from
 * [{"x"}, {}] to [{}, {"y"}] that two readers would share. Every strategy of every op is tried, unless a lower bound shows that it
 * cannot lower the cost: first with the neighboring ops, then with all ops that follow, where a minimum cut finds the best part of
 * the change; then with coordinate descent of all other ops. Cost: ops times strategies times the ops that follow, so group moves
 * are only tried in small programs. */
#include "partition/search/search.h"
#include <math.h>

enum { MAX_STRATEGIES = 256 }; /* number of assignments of axes that are tried per class of ops */
#define MIN_GAIN 1e-9 /* Minimum gain of a pinned descent, relative to the total cost: smaller gains may be rounding errors. */

struct group_move {
	struct sr_search *s;
	bool moves_all_readers; /* true: all readers of a value move together to the layout that one of them requires */
	SR_VEC(struct sr_strategy *) next; /* for each node of the region: its strategy after the move */
	struct sr_strategy **strategies_before;       /* strategies of all nodes before a pinned descent */
	double cost, min_total; /* present cost, and the lower bound on it (sr_search_min_total_cost) */
};

static void add_node(struct group_move *m, int node, struct sr_strategy *next)
{
	m->s->nodes.data[node].seen_stamp = m->s->stamp;
	sr_push(m->s->arena, &m->s->region, node);
	sr_push(m->s->arena, &m->next, next);
}

/* Add the node to the region if it has a strategy with this layout for its tensor. */
static void follow(struct group_move *m, int node, int tensor, const struct sr_attr *layout)
{
	struct sr_search *s = m->s;
	struct sr_search_node *n = node >= 0 ? &s->nodes.data[node] : NULL;
	if (!n || !sr_search_may_change(s, n) || n->seen_stamp == s->stamp || n->current->layouts[tensor] == layout)
		return;
	struct sr_strategy *x = n->current;
	for (int t = tensor; x && t < n->n_tensors; t++) /* an op may read the value several times */
		if (t == tensor || (t < n->n_operands && n->edges[t] == n->edges[tensor]))
			x = sr_search_memoized_with_layout(s, n->kind, x, t, layout);
	if (!x || x->layouts[tensor] != layout)
		return;
	add_node(m, node, x);
}

/* Add to the region the ops that define or read a value whose layout is changed by node number i of the region. */
static void follow_node(struct group_move *m, size_t i)
{
	struct sr_search *s = m->s;
	const struct sr_search_node *n = &s->nodes.data[s->region.data[i]];
	for (int t = 0; t < n->n_tensors; t++) {
		const struct sr_attr *layout = m->next.data[i]->layouts[t];
		const struct sr_search_value *e = n->edges[t] >= 0 ? &s->edges.data[n->edges[t]] : NULL;
		if (!e || layout == n->current->layouts[t])
			continue;
		follow(m, e->node, e->tensor, layout);
		for (size_t k = 0; k < e->readers.n && (m->moves_all_readers || t >= n->n_operands); k++)
			follow(m, e->readers.data[k].node, e->readers.data[k].tensor, layout);
	}
}

/* Restrict the change to the region's first n nodes, and apply its best part. Returns the gain. */
static double apply_best_part(struct group_move *m, size_t n)
{
	struct sr_search *s = m->s;
	size_t n_nodes = s->region.n;
	int *nodes = sr_dup(s->ctx->scratch, s->region.data, n_nodes, sizeof *nodes);
	s->stamp++;
	s->region.n = n;
	for (size_t i = 0; i < n; i++) {
		struct sr_search_node *node = &s->nodes.data[nodes[i]];
		node->seen_stamp = s->stamp;
		node->next = m->next.data[i];
	}
	double gain = sr_search_apply_best_subset(s, 0);
	for (size_t i = 0; i < n_nodes; i++) /* restore the region's order of nodes, since components were sorted */
		s->region.data[i] = nodes[i];
	s->region.n = n_nodes;
	return gain;
}

/* Give the node strategy x, and apply the best part of the change of the node and of all ops that follow it. With
 * moves_all_readers, first try the node and the ops that share a value with it. Returns the gain. */
static double try_with_followers(struct group_move *m, int node, struct sr_strategy *x, bool moves_all_readers)
{
	struct sr_search *s = m->s;
	struct sr_arena_position mark = sr_arena_mark(s->ctx->scratch);
	s->stamp++;
	s->region.n = m->next.n = 0;
	m->moves_all_readers = moves_all_readers;
	add_node(m, node, x);
	follow_node(m, 0);
	size_t n_near = s->region.n;
	for (size_t i = 1; i < s->region.n; i++)
		follow_node(m, i);
	double gain = moves_all_readers && n_near < s->region.n ? apply_best_part(m, n_near) : 0;
	gain = gain > 0 ? gain : apply_best_part(m, s->region.n);
	sr_arena_release(s->ctx->scratch, mark);
	return gain;
}

/* Give the node strategy x and run coordinate descent of all other nodes. Keeps the result, and returns the gain, if it has a lower
 * cost and is within the limit on bytes; otherwise returns 0. */
static double try_pinned(struct group_move *m, int node, struct sr_strategy *x)
{
	struct sr_search *s = m->s;
	bool is_limited = !isinf(s->remaining_bytes);
	struct sr_arena_position mark = sr_arena_mark(s->ctx->scratch);
	double wire_bytes = is_limited ? sr_search_wire_bytes(s) : 0, min_gain = MIN_GAIN * sr_search_total_cost(s);
	for (size_t i = 0; i < s->nodes.n; i++)
		m->strategies_before[i] = s->nodes.data[i].current;
	double gain = sr_search_pinned_descent(s, &s->nodes.data[node], x);
	if (!(gain > min_gain) || (is_limited && !sr_search_try_spend_bytes(s, sr_search_wire_bytes(s) - wire_bytes))) {
		gain = 0;
		for (size_t i = 0; i < s->nodes.n; i++)
			if (m->strategies_before[i])
				sr_search_set(s, &s->nodes.data[i], m->strategies_before[i]);
	}
	sr_arena_release(s->ctx->scratch, mark);
	return gain;
}

/* Return a lower bound on the cost of every answer in which the node has strategy x: its own cost, the reshards of operands that
 * no node defines and of results for readers without a choice, and the least costs of the other nodes. */
static double min_cost_with(const struct group_move *m, const struct sr_search_node *n, const struct sr_strategy *x)
{
	struct sr_search *s = m->s;
	double cost = sr_search_node_cost(s, n, x) + m->min_total - sr_search_min_node_cost(s, n);
	for (int t = 0; t < n->n_tensors; t++) {
		const struct sr_search_value *e = n->edges[t] >= 0 ? &s->edges.data[n->edges[t]] : NULL;
		bool is_first = e && e->node < 0;
		for (int k = 0; k < t && is_first; k++)
			is_first = n->edges[k] != n->edges[t];
		if (e && t >= n->n_operands)
			cost += sr_search_max_fixed_reshard(s, e, x->layouts[t]);
		else if (is_first)
			cost += sr_search_reshard_cost(s, e, e->external_layout, x->layouts[t]);
	}
	return cost;
}

/* Try every strategy of the node. Returns the gain. */
static double try_node(struct group_move *m, int node)
{
	struct sr_search *s = m->s;
	const struct sr_search_node *n = &s->nodes.data[node];
	SR_VEC(struct sr_strategy *) all = {0}; /* The strategies are copied, since trying one may create others. */
	double total_gain = 0;
	if (!sr_search_may_change(s, n))
		return 0;
	sr_search_make_strategies(s, n->kind, MAX_STRATEGIES);
	for (size_t i = 0; i < n->kind->slots.n; i++)
		for (struct sr_strategy *x = n->kind->slots.data[i]; x; x = x->next)
			if (!x->fallback)
				sr_push(s->ctx->scratch, &all, x);
	for (size_t i = 0; i < all.n && s->visits < s->max_visits; i++) {
		struct sr_strategy *x = all.data[i];
		if (x == n->current || min_cost_with(m, n, x) >= m->cost)
			continue;
		double gain = try_with_followers(m, node, x, true);
		if (!(gain > 0))
			gain = try_with_followers(m, node, x, false);
		if (!(gain > 0))
			gain = try_pinned(m, node, x);
		m->cost -= gain;
		total_gain += gain;
	}
	return total_gain;
}

double sr_search_group_moves(struct sr_search *s)
{
	struct group_move m = {.s = s,
			       .strategies_before = SR_NEW_ARRAY(s->arena, struct sr_strategy *, s->nodes.n),
			       .cost = sr_search_total_cost(s),
			       .min_total = sr_search_min_total_cost(s)};
	double gain = 0;
	for (size_t i = 0; i < s->nodes.n; i++) {
		struct sr_arena_position mark = sr_arena_mark(s->ctx->scratch);
		gain += try_node(&m, (int)i);
		sr_arena_release(s->ctx->scratch, mark);
	}
	return gain;
}
