/* Of a change to a region, all of it or the part that gains most: each node of the region keeps its strategy or takes its next one.
 *
 * Nodes cost what their strategies do; values cost the reshards between how they lie and how each reader wants them. Readers that
 * want the same both before and after share one reshard: each pays its part of it; who joins readers that do not change pays
 * nothing. What a cut cannot say (two that gain only apart) counts as nothing gained, and so do reshards that only the change makes
 * equal: the whole change is tried beside the part. What they really gain decides. */
#include "partition/search/flow_net.h"
#include "partition/search/search.h"

struct cutting {
	struct sr_search *s;
	struct sr_flow_net *net;
};

/* Its place among the region's nodes that change; -1: it does not. */
static int place_of(const struct sr_search *s, int node)
{
	const struct sr_node *n = node >= 0 ? &s->nodes.data[node] : NULL;
	return n && n->seen == s->stamp && n->next != n->now ? n->order : -1;
}

/* price[a][b]: of the maker on side a and the reader on side b. */
static void add_pair(struct cutting *c, int maker, int reader, double price[2][2])
{
	if (maker == reader || (maker >= 0 && reader < 0)) {
		if (maker >= 0)
			sr_flow_net_node(c->net, maker, price[0][0], price[1][maker == reader]);
	} else if (maker < 0) {
		sr_flow_net_node(c->net, reader, price[0][0], price[0][1]);
	} else {
		sr_flow_net_node(c->net, maker, 0, price[1][0] - price[0][0]);
		sr_flow_net_node(c->net, reader, 0, price[1][1] - price[1][0]);
		sr_flow_net_edge(c->net, maker, reader, price[0][1] + price[1][0] - price[0][0] - price[1][1]);
	}
}

static void add_value(struct cutting *c, const struct sr_edge_of_value *e)
{
	struct sr_search *s = c->s;
	int maker = place_of(s, e->node);
	if (maker >= 0 && s->memory > 0)
		sr_flow_net_node(c->net, maker, sr_search_held(s, e, sr_search_lies(s, e, false)),
				 sr_search_held(s, e, sr_search_lies(s, e, true)));
	for (size_t i = 0; i < e->readers.n; i++) {
		struct sr_reader r = e->readers.data[i];
		const struct sr_attr *wanted[] = {sr_search_wants(s, r, false), sr_search_wants(s, r, true)};
		int reader = place_of(s, r.node), alike = 0;
		double price[2][2];
		if (maker < 0 && reader < 0)
			continue;
		bool there[2] = {false, false}; /* whatever changes, another reader wants it so */
		for (size_t k = 0; k < e->readers.n; k++) {
			const struct sr_attr *before = sr_search_wants(s, e->readers.data[k], false),
					     *after = sr_search_wants(s, e->readers.data[k], true);
			alike += before == wanted[0] && after == wanted[1];
			for (int b = 0; b < 2 && before == after && wanted[0] != wanted[1]; b++)
				there[b] = there[b] || wanted[b] == before;
		}
		for (int a = 0; a < 2; a++)
			for (int b = 0; b < 2; b++)
				price[a][b] = there[b] ? 0 : sr_search_price(s, e, sr_search_lies(s, e, a), wanted[b]) / alike;
		add_pair(c, maker, reader, price);
	}
}

/* Each value around the region's nodes, once. */
static double for_values(struct cutting *c, bool add, bool next)
{
	struct sr_search *s = c->s;
	double cost = 0;
	int stamp = ++s->value_stamp;
	for (size_t i = 0; i < s->region.n; i++) {
		const struct sr_node *n = &s->nodes.data[s->region.data[i]];
		for (int t = 0; t < n->n_tensors; t++) {
			struct sr_edge_of_value *e = n->edges[t] >= 0 ? &s->edges.data[n->edges[t]] : NULL;
			if (!e || e->seen == stamp)
				continue;
			e->seen = stamp;
			if (add)
				add_value(c, e);
			else
				cost += sr_search_edge_cost(s, e, next);
		}
	}
	return cost;
}

static double cost_of_region(struct cutting *c, bool next)
{
	const struct sr_search *s = c->s;
	double cost = 0;
	for (size_t i = 0; i < s->region.n; i++) {
		const struct sr_node *n = &s->nodes.data[s->region.data[i]];
		cost += sr_search_cost(s, n, next ? n->next : n->now);
	}
	return cost + for_values(c, false, next);
}

/* Only what changes stays in the region, and nothing where it was tried before. */
static int keep_changes(struct sr_search *s, int since)
{
	size_t n = 0;
	bool fresh = false;
	for (size_t i = 0; i < s->region.n; i++) {
		struct sr_node *node = &s->nodes.data[s->region.data[i]];
		node->order = (int)n;
		fresh = fresh || node->touched > since;
		if (node->next != node->now)
			s->region.data[n++] = s->region.data[i];
	}
	for (size_t i = 0; i < n && !fresh; i++)
		s->nodes.data[s->region.data[i]].next = s->nodes.data[s->region.data[i]].now;
	s->region.n = fresh ? n : 0;
	return (int)s->region.n;
}

/* True: something is left of the change. */
static bool choose_part(struct cutting *c, int n)
{
	struct sr_search *s = c->s;
	bool *ones = SR_NEWS(s->ctx->scratch, bool, n), any = false;
	c->net = sr_flow_net_new(s->ctx->scratch, n);
	for (int i = 0; i < n; i++) {
		const struct sr_node *node = &s->nodes.data[s->region.data[i]];
		sr_flow_net_node(c->net, i, sr_search_cost(s, node, node->now), sr_search_cost(s, node, node->next));
	}
	for_values(c, true, false);
	sr_flow_net_cut(c->net, ones);
	for (int i = 0; i < n; i++) {
		struct sr_node *node = &s->nodes.data[s->region.data[i]];
		if (!ones[i])
			node->next = node->now;
		any = any || ones[i];
	}
	return any;
}

/* Of all that its gain depends on: layers that repeat are changed in vain once. Never 0. */
static uint64_t hash_of(const struct sr_search *s)
{
	uint64_t h = sr_hash_bytes(&s->weight, sizeof s->weight, 1);
	for (size_t i = 0; i < s->region.n; i++) {
		const struct sr_node *n = &s->nodes.data[s->region.data[i]];
		h = sr_hash_mix(sr_hash_mix(sr_hash_mix(h, (uintptr_t)n->kind), (uintptr_t)n->now), (uintptr_t)n->next);
		h = sr_hash_bytes(&n->times, sizeof n->times, h);
		for (int t = 0; t < n->n_tensors; t++) {
			const struct sr_edge_of_value *e = n->edges[t] >= 0 ? &s->edges.data[n->edges[t]] : NULL;
			h = sr_hash_mix(h, e ? (uintptr_t)sr_search_lies(s, e, false) : 0);
			h = sr_hash_mix(h, e ? (uint64_t)(place_of(s, e->node) + 1) : 0);
			h = e ? sr_hash_bytes(&e->times, sizeof e->times, h) : h;
			h = e && s->memory > 0 ? sr_hash_bytes(&e->held, 2 * sizeof e->held, h) : h;
			for (size_t k = 0; e && k < e->readers.n; k++) {
				h = sr_hash_mix(h, (uintptr_t)sr_search_wants(s, e->readers.data[k], false));
				h = sr_hash_mix(h, (uint64_t)(place_of(s, e->readers.data[k].node) + 1));
			}
		}
	}
	return h | 1;
}

/* The whole of the change or a part of it, whichever is cheaper: the next strategies are left so. What it gains. */
static double choose_change(struct cutting *c, int n)
{
	struct sr_search *s = c->s;
	struct sr_strategy **whole = SR_NEWS(s->ctx->scratch, struct sr_strategy *, n);
	double before = cost_of_region(c, false), all = cost_of_region(c, true), part = before;
	for (int i = 0; i < n; i++)
		whole[i] = s->nodes.data[s->region.data[i]].next;
	if (n > 1 && choose_part(c, n))
		part = cost_of_region(c, true);
	for (int i = 0; i < n && all <= part; i++)
		s->nodes.data[s->region.data[i]].next = whole[i];
	return before - (all <= part ? all : part);
}

double sr_search_cut(struct sr_search *s, int since)
{
	struct cutting c = {.s = s};
	struct sr_arena_place mark = sr_arena_mark(s->ctx->scratch);
	int n = keep_changes(s, since);
	const void *hash = n ? (const void *)(uintptr_t)hash_of(s) : NULL;
	double gain = n && !sr_map_has(&s->vain, hash) ? choose_change(&c, n) : 0;
	if (n && gain <= 0)
		sr_map_put(&s->vain, hash, s);
	for (int i = 0; i < n; i++) {
		struct sr_node *node = &s->nodes.data[s->region.data[i]];
		if (gain > 0 && node->now != node->next) {
			node->now = node->next;
			sr_search_touch(s, node);
		}
		node->next = node->now;
	}
	sr_arena_release(s->ctx->scratch, mark);
	return gain > 0 ? gain : 0;
}
