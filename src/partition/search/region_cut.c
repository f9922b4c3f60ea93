/* Application of the best part of a change to a region: each node of the region keeps its strategy or changes to its next one.
 *
 * Nodes that do not change separate the region into components that share no value whose layout changes. Each component is decided
 * separately by a minimum cut (region_cost.c). Repeated layers have equal components, which are evaluated once
 * (s->known_changes). */
#include "partition/search/region_cost.h"
#include <math.h>
#include <string.h>

enum {
	MAX_UNCUT_NODES = 256, /* larger regions are reduced to the nodes near recent changes (remove_distant_nodes) */
	MAX_NEAR_DISTANCE = 8,
};

/* Return true if the chosen part of the change is within the limit on bytes on the wire. */
static bool fits_remaining_bytes(struct sr_region_cost_state *p)
{
	return isinf(p->s->remaining_bytes) || sr_search_try_spend_bytes(p->s, sr_region_extra_bytes(p));
}

/* Make the next strategies of the chosen nodes the current ones. */
static void apply_chosen_strategies(struct sr_region_cost_state *p)
{
	struct sr_search *s = p->s;
	for (size_t i = 0; i < s->region.n; i++) {
		struct sr_search_node *node = &s->nodes.data[s->region.data[i]];
		struct sr_strategy *next = node->next;
		if (!p->chosen.data[i])
			continue;
		node->next = node->current; /* The counts of required layouts assume next == current between changes. */
		sr_search_set(s, node, next);
		sr_search_mark_changed(s, node);
	}
}

/* ---------------------------------------------------------------- components */

/* Disjoint sets of the region's nodes that change, as trees whose roots stand for components. */
struct components {
	int *node;   /* [n] */
	int *parent; /* [n] */
	int n;
};

static int root_of(struct components *c, int i)
{
	while (c->parent[i] != i)
		i = c->parent[i] = c->parent[c->parent[i]];
	return i;
}

/* Join the nodes that share a value whose layout changes; the first node of a component is its root. */
static struct components find_components(struct sr_search *s)
{
	struct components c = {.node = SR_NEW_ARRAY(s->ctx->scratch, int, s->region.n + 1),
			       .parent = SR_NEW_ARRAY(s->ctx->scratch, int, s->region.n + 1)};
	int stamp = ++s->value_stamp;
	for (size_t i = 0; i < s->region.n; i++) {
		const struct sr_search_node *n = &s->nodes.data[s->region.data[i]];
		if (n->next == n->current)
			continue;
		c.node[c.n] = s->region.data[i];
		c.parent[c.n] = c.n;
		for (int t = 0; t < n->n_tensors; t++) {
			struct sr_search_value *e = sr_region_changed_value(s, n, t);
			if (!e)
				continue;
			if (e->seen_stamp != stamp) {
				e->seen_stamp = stamp;
				e->order = c.n;
				continue;
			}
			int a = root_of(&c, e->order), b = root_of(&c, c.n);
			c.parent[a > b ? a : b] = a > b ? b : a;
		}
		c.n++;
	}
	return c;
}

/* Return true if the node, or a value whose layout it would change, has changed after tick `last_tick`. */
static bool changed_since(const struct sr_search *s, const struct sr_search_node *n, int last_tick)
{
	bool has_changed = n->changed_tick > last_tick;
	for (int t = 0; t < n->n_tensors && !has_changed; t++) {
		const struct sr_search_value *e = sr_region_changed_value(s, n, t);
		has_changed = e && e->changed_tick > last_tick;
	}
	return has_changed;
}

/* Store the node in *at and return 1, if it is in the region and not yet marked as near; otherwise return 0. */
static size_t add_if_not_near(struct sr_search *s, int node, int *at)
{
	struct sr_search_node *n = node >= 0 ? &s->nodes.data[node] : NULL;
	if (!n || n->seen_stamp != s->stamp || n->next == n->current || n->near_stamp == s->stamp)
		return 0;
	n->near_stamp = s->stamp;
	*at = node;
	return 1;
}

/* Keep the nodes of a large region that are within MAX_NEAR_DISTANCE values of a node that has changed after tick `last_tick`; the
 * other nodes keep their strategies. The change was tried at them before, and their choice depends little on changes further away.
 */
static void remove_distant_nodes(struct sr_search *s, int last_tick)
{
	int *queue = SR_NEW_ARRAY(s->ctx->scratch, int, s->region.n + 1), stamp = ++s->value_stamp;
	size_t n = 0, first = 0;
	for (size_t i = 0; i < s->region.n; i++) {
		struct sr_search_node *node = &s->nodes.data[s->region.data[i]];
		node->near_stamp = -1;
		if (node->next != node->current && changed_since(s, node, last_tick)) {
			node->near_stamp = s->stamp;
			queue[n++] = s->region.data[i];
		}
	}
	for (int hop = 0; hop < MAX_NEAR_DISTANCE && first < n; hop++) {
		size_t end = n;
		for (; first < end; first++) {
			const struct sr_search_node *node = &s->nodes.data[queue[first]];
			for (int t = 0; t < node->n_tensors; t++) {
				struct sr_search_value *e = sr_region_changed_value(s, node, t);
				if (!e || e->seen_stamp == stamp)
					continue;
				e->seen_stamp = stamp;
				n += add_if_not_near(s, e->node, &queue[n]);
				for (size_t k = 0; k < e->readers.n; k++)
					n += add_if_not_near(s, e->readers.data[k].node, &queue[n]);
			}
		}
	}
	for (size_t i = 0; i < s->region.n; i++) {
		struct sr_search_node *node = &s->nodes.data[s->region.data[i]];
		node->next = node->near_stamp == s->stamp ? node->next : node->current;
	}
}

/* Store the nodes of each component, one component after another, in s->region; ends[k]: where component k ends. Returns the number
 * of components. Components in which no node has changed after tick `last_tick` are left out. */
static int sort_by_component(struct sr_search *s, struct components *c, int last_tick, int *ends)
{
	struct sr_arena *scratch = s->ctx->scratch;
	int *count = SR_NEW_ARRAY(scratch, int, c->n + 1), *at = SR_NEW_ARRAY(scratch, int, c->n + 1), n = 0, end = 0;
	bool *has_changed = SR_NEW_ARRAY(scratch, bool, c->n + 1);
	for (int i = 0; i < c->n; i++) {
		int root = root_of(c, i);
		count[root]++;
		has_changed[root] = has_changed[root] || changed_since(s, &s->nodes.data[c->node[i]], last_tick);
	}
	for (int i = 0; i < c->n; i++) {
		int root = root_of(c, i);
		if (root == i && has_changed[i]) {
			at[i] = end;
			ends[n++] = end += count[i];
		}
		if (has_changed[root])
			s->region.data[at[root]++] = c->node[i];
	}
	s->region.n = (size_t)end;
	return n;
}

/* Set p->chosen to the best part of the change and return its gain. `hash` covers everything on which both depend; a change with an
 * equal hash is evaluated once. Under a limit on bytes, changes that gain are evaluated again, since the test of the limit needs
 * the members that the evaluation finds. */
static double gain_of_best_subset(struct sr_region_cost_state *p, const void *hash)
{
	struct sr_search *s = p->s;
	const struct sr_known_change *known = sr_map_get(&s->known_changes, hash);
	if (known && !(known->gain > 0))
		return known->gain;
	if (known && known->n == s->region.n && isinf(s->remaining_bytes)) {
		p->chosen.n = 0;
		for (size_t i = 0; i < known->n; i++)
			sr_push(s->arena, &p->chosen, known->chosen[i]);
		return known->gain;
	}
	double gain = sr_region_best_subset(p);
	struct sr_known_change *change = SR_NEW(s->arena, struct sr_known_change);
	*change = (struct sr_known_change){.gain = gain};
	if (gain > 0) {
		change->n = s->region.n;
		change->chosen = SR_NEW_ARRAY(s->arena, bool, change->n);
		memcpy(change->chosen, p->chosen.data, change->n * sizeof *change->chosen);
	}
	sr_map_put(&s->known_changes, hash, change);
	return gain;
}

/* Choose the part of the component in s->region that changes, and apply it. Returns the gain. */
static double choose_strategies(struct sr_region_cost_state *p)
{
	struct sr_search *s = p->s;
	s->stamp++;
	for (size_t i = 0; i < s->region.n; i++) {
		struct sr_search_node *node = &s->nodes.data[s->region.data[i]];
		node->seen_stamp = s->stamp;
		node->order = (int)i;
	}
	double gain = gain_of_best_subset(p, (const void *)(uintptr_t)sr_region_cost_begin(p));
	if (!(gain > 0))
		return 0;
	if (!fits_remaining_bytes(p))
		return 0;
	apply_chosen_strategies(p);
	return gain;
}

double sr_search_apply_best_subset(struct sr_search *s, int last_tick)
{
	if (!s->region.n)
		return 0;
	if (!s->evaluation) {
		s->evaluation = SR_NEW(s->arena, struct sr_region_cost_state);
		s->evaluation->s = s;
	}
	struct sr_arena_position mark = sr_arena_mark(s->ctx->scratch);
	if (last_tick > 0 && s->region.n > MAX_UNCUT_NODES)
		remove_distant_nodes(s, last_tick);
	struct components c = find_components(s);
	int *ends = SR_NEW_ARRAY(s->ctx->scratch, int, c.n + 1), n = sort_by_component(s, &c, last_tick, ends);
	int *region_nodes = s->region.data;
	double gain = 0;
	for (int k = 0, first = 0; k < n; first = ends[k++]) {
		s->region.data = region_nodes + first;
		s->region.n = (size_t)(ends[k] - first);
		gain += choose_strategies(s->evaluation);
	}
	s->region.data = region_nodes;
	for (int i = 0; i < c.n; i++)
		s->nodes.data[c.node[i]].next = s->nodes.data[c.node[i]].current;
	sr_arena_release(s->ctx->scratch, mark);
	return gain;
}
