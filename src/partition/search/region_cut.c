/* Of a change to a region, all of it or the part that gains most: each node of the region keeps its strategy or takes its next one.
 *
 * Nodes cost what their strategies do; values cost the reshards between how they lie and how each reader wants them. Readers that
 * want the same both before and after share one reshard: each pays its part of it; who joins readers that do not change pays
 * nothing. What a cut cannot say (two that gain only apart) counts as nothing gained, and so do reshards that only the change makes
 * equal: the whole change is tried beside the part. What they really gain decides. */
#include "partition/search/flow_net.h"
#include "partition/search/search.h"

/* A reader in the region: the node's place, and what it requires before and after the change as indices into `required`. */
struct member {
	int place;
	size_t before, after;
	int next; /* reader of the same value; -1: the last */
};

/* A value that nodes of the region make or read. */
struct touched {
	struct sr_search_value *e;
	int first; /* member; -1: none */
};

struct cutting {
	struct sr_search *s;
	struct sr_flow_net *net;
	SR_VEC(struct touched) values; /* each once, in the region's order */
	struct member *members;
};

/* Its place among the region's nodes that change; -1: it does not. */
static int place_of(const struct sr_search *s, int node)
{
	const struct sr_search_node *n = node >= 0 ? &s->nodes.data[node] : NULL;
	return n && n->seen == s->stamp && n->next != n->now ? n->order : -1;
}

/* ---------------------------------------------------------------- the values around */

static struct sr_search_value *edge_at(const struct sr_search *s, const struct sr_search_node *n, int tensor)
{
	return n->edges[tensor] >= 0 ? &s->edges.data[n->edges[tensor]] : NULL;
}

static size_t index_of(struct sr_search *s, const struct sr_search_value *e, const struct sr_attr *layout)
{
	size_t i = 0;
	while (e->required.data[i].layout != layout)
		i++;
	s->visits += (int64_t)i + 1;
	return i;
}

/* Return how many readers outside of the region require the layout. */
static int others(const struct sr_search_value *e, size_t i)
{
	return e->required.data[i].n[0] - e->required.data[i].inside;
}

static void find_values(struct cutting *c)
{
	struct sr_search *s = c->s;
	int stamp = ++s->value_stamp;
	for (size_t i = 0; i < s->region.n; i++) {
		const struct sr_search_node *n = &s->nodes.data[s->region.data[i]];
		for (int t = 0; t < n->n_tensors; t++) {
			struct sr_search_value *e = edge_at(s, n, t);
			if (e && e->seen != stamp) {
				e->seen = stamp;
				e->order = (int)c->values.n;
				sr_push(s->ctx->scratch, &c->values, (struct touched){e, -1});
			}
		}
	}
}

/* Requires: what the region's next strategies require is counted. */
static void find_members(struct cutting *c)
{
	struct sr_search *s = c->s;
	int n_members = 0;
	for (size_t i = 0; i < s->region.n; i++)
		n_members += s->nodes.data[s->region.data[i]].n_operands;
	c->members = SR_NEWS(s->ctx->scratch, struct member, n_members);
	for (size_t i = 0; i < c->values.n; i++)
		for (size_t k = 0; k < c->values.data[i].e->required.n; k++)
			c->values.data[i].e->required.data[k].inside = 0;
	for (size_t i = s->region.n; i-- > 0;) { /* each list in the region's order */
		const struct sr_search_node *n = &s->nodes.data[s->region.data[i]];
		for (int t = n->n_operands; t-- > 0;) {
			struct sr_search_value *e = edge_at(s, n, t);
			struct touched *x = e ? &c->values.data[e->order] : NULL;
			if (!x)
				continue;
			size_t before = index_of(s, e, n->now->layouts[t]), after = index_of(s, e, n->next->layouts[t]);
			e->required.data[before].inside++;
			c->members[--n_members] = (struct member){(int)i, before, after, x->first};
			x->first = n_members;
		}
	}
}

/* ---------------------------------------------------------------- the net */

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

/* Members that require the same before and after. */
struct alike {
	size_t before, after;
	int n;
};

struct alikes { /* as SR_VEC(struct alike), with a name */
	struct alike *data;
	size_t n, cap;
};

static int count_of(struct sr_search *s, const struct alikes *all, size_t before, size_t after)
{
	size_t i = 0;
	while (i < all->n && (all->data[i].before != before || all->data[i].after != after))
		i++;
	s->visits += (int64_t)i + 1;
	return i < all->n ? all->data[i].n : 0;
}

/* Readers with equal layouts, before and after, are together; others that keep theirs are with the members that keep it. */
static struct alikes find_alike(const struct cutting *c, const struct touched *x)
{
	struct sr_search *s = c->s;
	struct alikes all = {0};
	for (size_t i = 0; i < x->e->required.n; i++)
		if (others(x->e, i))
			sr_push(s->ctx->scratch, &all, (struct alike){i, i, others(x->e, i)});
	for (int k = x->first; k >= 0; k = c->members[k].next) {
		struct member m = c->members[k];
		size_t i = 0;
		while (i < all.n && (all.data[i].before != m.before || all.data[i].after != m.after))
			i++;
		s->visits += (int64_t)i + 1;
		if (i == all.n)
			sr_push(s->ctx->scratch, &all, (struct alike){m.before, m.after, 0});
		all.data[i].n++;
	}
	return all;
}

/* What one of n alike readers pays for its layout, on side b, where the maker is on side a. */
static double price_of(struct sr_search *s, const struct touched *x, int a, size_t layout, int n)
{
	return sr_search_reshard_price(s, x->e, sr_search_layout_of(s, x->e, a), x->e->required.data[layout].layout) / n;
}

static void add_value(struct cutting *c, const struct touched *x)
{
	struct sr_search *s = c->s;
	int maker = place_of(s, x->e->node);
	struct alikes all = find_alike(c, x);
	double price[2][2];
	if (maker >= 0 && s->memory > 0)
		sr_flow_net_node(c->net, maker, sr_search_memory_price(s, x->e, sr_search_layout_of(s, x->e, false)),
				 sr_search_memory_price(s, x->e, sr_search_layout_of(s, x->e, true)));
	for (int k = x->first; k >= 0; k = c->members[k].next) {
		struct member m = c->members[k];
		const size_t wanted[2] = {m.before, m.after};
		int n = count_of(s, &all, m.before, m.after);
		for (int b = 0; b < 2; b++) {
			/* whatever changes, another reader requires it too */
			bool there = m.before != m.after && count_of(s, &all, wanted[b], wanted[b]);
			for (int a = 0; a < 2; a++)
				price[a][b] = there ? 0 : price_of(s, x, a, wanted[b], n);
		}
		add_pair(c, maker, m.place, price);
	}
	for (size_t i = 0; maker >= 0 && i < x->e->required.n; i++) {
		int n = others(x->e, i), all_n = n ? count_of(s, &all, i, i) : 0;
		if (n)
			sr_flow_net_node(c->net, maker, n * price_of(s, x, 0, i, all_n), n * price_of(s, x, 1, i, all_n));
	}
}

static double cost_of_region(struct cutting *c, bool next)
{
	struct sr_search *s = c->s;
	double cost = 0;
	for (size_t i = 0; i < s->region.n; i++) {
		const struct sr_search_node *n = &s->nodes.data[s->region.data[i]];
		cost += sr_search_node_cost(s, n, next ? n->next : n->now);
	}
	for (size_t i = 0; i < c->values.n; i++)
		cost += sr_search_value_cost(s, c->values.data[i].e, next);
	return cost;
}

/* Only what changes stays in the region, and nothing where it was tried before. */
static int keep_changes(struct sr_search *s, int since)
{
	size_t n = 0;
	bool fresh = false;
	for (size_t i = 0; i < s->region.n; i++) {
		struct sr_search_node *node = &s->nodes.data[s->region.data[i]];
		node->order = (int)n;
		fresh = fresh || sr_search_last_change(s, node) > since;
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
		const struct sr_search_node *node = &s->nodes.data[s->region.data[i]];
		sr_flow_net_node(c->net, i, sr_search_node_cost(s, node, node->now), sr_search_node_cost(s, node, node->next));
	}
	find_members(c);
	for (size_t i = 0; i < c->values.n; i++)
		add_value(c, &c->values.data[i]);
	s->visits += sr_flow_net_cut(c->net, ones);
	for (int i = 0; i < n; i++) {
		struct sr_search_node *node = &s->nodes.data[s->region.data[i]];
		if (!ones[i])
			sr_search_set_next(s, node, node->now);
		any = any || ones[i];
	}
	return any;
}

/* Return a hash of all that the change's gain depends on: layers that repeat are changed in vain once. Never 0. Which readers
 * require a layout does not count: how many do, and the strategies of those in the region, say what the others require. */
static uint64_t hash_of(const struct cutting *c)
{
	const struct sr_search *s = c->s;
	uint64_t h = sr_hash_bytes(&s->weight, sizeof s->weight, 1 + s->exact);
	for (size_t i = 0; i < s->region.n; i++) {
		const struct sr_search_node *n = &s->nodes.data[s->region.data[i]];
		h = sr_hash_mix(sr_hash_mix(sr_hash_mix(h, (uintptr_t)n->kind), (uintptr_t)n->now), (uintptr_t)n->next);
		h = sr_hash_bytes(&n->times, sizeof n->times, h);
		for (int t = 0; t < n->n_tensors; t++)
			h = sr_hash_mix(h, n->edges[t] >= 0 ? (uint64_t)s->edges.data[n->edges[t]].order + 1 : 0);
	}
	for (size_t i = 0; i < c->values.n; i++) {
		const struct touched *x = &c->values.data[i];
		uint64_t required = 0; /* in any order: their order says when each was first required */
		for (size_t k = 0; k < x->e->required.n; k++) {
			struct sr_required_layout r = x->e->required.data[k];
			required += r.n[0] ? sr_hash_mix((uint64_t)r.n[0], (uintptr_t)r.layout) : 0;
		}
		h = sr_hash_mix(sr_hash_mix(h, (uintptr_t)sr_search_layout_of(s, x->e, false)), required);
		h = sr_hash_mix(h, (uint64_t)(place_of(s, x->e->node) + 1));
		h = sr_hash_bytes(&x->e->times, sizeof x->e->times, h);
		h = s->memory > 0 ? sr_hash_bytes(&x->e->held, 2 * sizeof x->e->held, h) : h;
	}
	return h | 1;
}

/* The whole of the change or a part of it, whichever is cheaper: the next strategies are left so. What it gains. */
static double choose_change(struct cutting *c, int n)
{
	struct sr_search *s = c->s;
	struct sr_strategy **whole = SR_NEWS(s->ctx->scratch, struct sr_strategy *, n);
	for (int i = 0; i < n; i++) {
		struct sr_search_node *node = &s->nodes.data[s->region.data[i]];
		whole[i] = node->next;
		node->next = node->now;
		sr_search_set_next(s, node, whole[i]);
	}
	double before = cost_of_region(c, false), all = cost_of_region(c, true), part = before;
	if (n > 1 && choose_part(c, n))
		part = cost_of_region(c, true);
	for (int i = 0; i < n && all <= part; i++)
		sr_search_set_next(s, &s->nodes.data[s->region.data[i]], whole[i]);
	return before - (all <= part ? all : part);
}

/* Make the nodes' next strategies their current ones, or drop them. */
static void end_change(struct sr_search *s, bool make)
{
	for (size_t i = 0; i < s->region.n; i++) {
		struct sr_search_node *node = &s->nodes.data[s->region.data[i]];
		bool changed = make && node->now != node->next;
		if (changed) {
			sr_search_set(s, node, node->next);
			sr_search_mark_changed(s, node);
		} else {
			sr_search_set_next(s, node, node->now);
		}
	}
}

double sr_search_apply_best_part(struct sr_search *s, int since)
{
	struct cutting c = {.s = s};
	struct sr_arena_position mark = sr_arena_mark(s->ctx->scratch);
	int n = keep_changes(s, since);
	double gain = 0;
	find_values(&c);
	const void *hash = n ? (const void *)(uintptr_t)hash_of(&c) : NULL;
	if (n && !sr_map_has(&s->vain, hash)) {
		gain = choose_change(&c, n);
		end_change(s, gain > 0);
		if (gain <= 0)
			sr_map_put(&s->vain, hash, s);
	}
	for (int i = 0; i < n; i++)
		s->nodes.data[s->region.data[i]].next = s->nodes.data[s->region.data[i]].now;
	sr_arena_release(s->ctx->scratch, mark);
	return gain > 0 ? gain : 0;
}
