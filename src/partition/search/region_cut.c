/* Apply the best part of a change to a region: by a minimum cut, each node of the region keeps its strategy or takes its next
 * one.
 *
 * Nodes that do not change separate the region into components, which share no value with a layout that changes: each is decided
 * alone. Repeated layers have equal components, and a component without gain is evaluated once (s->no_gain).
 *
 * Nodes cost what their strategies do; values cost the reshards to each layout that is required. Readers with equal requirements
 * before and after the change share one reshard and each pay a part of it; a reader that comes to require the layout of
 * unchanged readers pays nothing. The cut does not see gains that need two readers together, or reshards that only the complete
 * change makes equal; therefore the complete change is tried, too. The exact price decides. */
#include "partition/search/flow_net.h"
#include "partition/search/search.h"
#include <math.h>
#include <string.h>

/* A reader in the region: the node's position, and the layouts that it requires before and after the change, as indices into
 * `required`. */
struct member {
	int place;
	size_t before, after;
	int next; /* next reader of the same value; -1: last */
};

/* A value that nodes of the region make or read. */
struct region_value {
	struct sr_search_value *e;
	int first; /* index of its first member; -1: none */
};

struct cut_problem {
	struct sr_search *s;
	struct sr_flow_net *net;
	SR_VEC(struct region_value) values; /* distinct, in the region's order */
	struct member *members;
};

/* Return the node's position among the region's nodes that change; -1: it does not change. */
static int region_position(const struct sr_search *s, int node)
{
	const struct sr_search_node *n = node >= 0 ? &s->nodes.data[node] : NULL;
	return n && n->seen == s->stamp && n->next != n->now ? n->order : -1;
}

/* ---------------------------------------------------------------- the values around */

/* Return the value of a tensor whose layout the change would change; NULL: its layout stays, or costs nothing. */
static struct sr_search_value *changed_value(const struct sr_search *s, const struct sr_search_node *n, const struct sr_strategy *next,
					     int tensor)
{
	return n->edges[tensor] >= 0 && next->layouts[tensor] != n->now->layouts[tensor] ? &s->edges.data[n->edges[tensor]] : NULL;
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
static int outside_readers(const struct sr_search_value *e, size_t i)
{
	return e->required.data[i].n[0] - e->required.data[i].inside;
}

static void find_values(struct cut_problem *c)
{
	struct sr_search *s = c->s;
	int stamp = ++s->value_stamp;
	for (size_t i = 0; i < s->region.n; i++) {
		const struct sr_search_node *n = &s->nodes.data[s->region.data[i]];
		for (int t = 0; t < n->n_tensors; t++) {
			struct sr_search_value *e = changed_value(s, n, n->next, t);
			if (e && e->seen != stamp) {
				e->seen = stamp;
				e->order = (int)c->values.n;
				sr_push(s->ctx->scratch, &c->values, (struct region_value){e, -1});
			}
		}
	}
}

/* Requires: the counts of next strategies are set. */
static void find_members(struct cut_problem *c)
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
			struct sr_search_value *e = changed_value(s, n, n->next, t);
			struct region_value *x = e ? &c->values.data[e->order] : NULL;
			if (!x)
				continue;
			size_t before = index_of(s, e, n->now->layouts[t]), after = index_of(s, e, n->next->layouts[t]);
			e->required.data[before].inside++;
			c->members[--n_members] = (struct member){(int)i, before, after, x->first};
			x->first = n_members;
		}
	}
}

/* ---------------------------------------------------------------- the network */

/* Add the prices of a (maker, reader) pair. price[a][b]: maker on side a, reader on side b; -1: not in the region. */
static void add_pair(struct cut_problem *c, int maker, int reader, double price[2][2])
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

/* Readers with equal requirements before and after. */
struct reader_group {
	size_t before, after;
	int n;
};

struct reader_groups { /* same members as SR_VEC(struct reader_group) */
	struct reader_group *data;
	size_t n, cap;
};

static int count_of(struct sr_search *s, const struct reader_groups *all, size_t before, size_t after)
{
	size_t i = 0;
	while (i < all->n && (all->data[i].before != before || all->data[i].after != after))
		i++;
	s->visits += (int64_t)i + 1;
	return i < all->n ? all->data[i].n : 0;
}

/* Count readers by (layout before, layout after); readers outside of the region keep theirs. */
static struct reader_groups group_readers(const struct cut_problem *c, const struct region_value *x)
{
	struct sr_search *s = c->s;
	struct reader_groups all = {0};
	for (size_t i = 0; i < x->e->required.n; i++)
		if (outside_readers(x->e, i))
			sr_push(s->ctx->scratch, &all, (struct reader_group){i, i, outside_readers(x->e, i)});
	for (int k = x->first; k >= 0; k = c->members[k].next) {
		struct member m = c->members[k];
		size_t i = 0;
		while (i < all.n && (all.data[i].before != m.before || all.data[i].after != m.after))
			i++;
		s->visits += (int64_t)i + 1;
		if (i == all.n)
			sr_push(s->ctx->scratch, &all, (struct reader_group){m.before, m.after, 0});
		all.data[i].n++;
	}
	return all;
}

/* Return one reader's part of the price of a layout that n readers share, with the maker on side a. */
static double price_of(struct sr_search *s, const struct region_value *x, int a, size_t layout, int n)
{
	return sr_search_reshard_price(s, x->e, sr_search_layout_of(s, x->e, a), x->e->required.data[layout].layout) / n;
}

static void add_value(struct cut_problem *c, const struct region_value *x)
{
	struct sr_search *s = c->s;
	int maker = region_position(s, x->e->node);
	struct reader_groups all = group_readers(c, x);
	double price[2][2];
	if (maker >= 0 && s->byte_price > 0)
		sr_flow_net_node(c->net, maker, sr_search_memory_price(s, x->e, sr_search_layout_of(s, x->e, false)),
				 sr_search_memory_price(s, x->e, sr_search_layout_of(s, x->e, true)));
	for (int k = x->first; k >= 0; k = c->members[k].next) {
		struct member m = c->members[k];
		const size_t required_layout[2] = {m.before, m.after};
		int n = count_of(s, &all, m.before, m.after);
		for (int b = 0; b < 2; b++) {
			/* another reader requires the layout whatever changes */
			bool there = m.before != m.after && count_of(s, &all, required_layout[b], required_layout[b]);
			for (int a = 0; a < 2; a++)
				price[a][b] = there ? 0 : price_of(s, x, a, required_layout[b], n);
		}
		add_pair(c, maker, m.place, price);
	}
	for (size_t i = 0; maker >= 0 && i < x->e->required.n; i++) {
		int n = outside_readers(x->e, i), all_n = n ? count_of(s, &all, i, i) : 0;
		if (n)
			sr_flow_net_node(c->net, maker, n * price_of(s, x, 0, i, all_n), n * price_of(s, x, 1, i, all_n));
	}
}

static double cost_of_region(struct cut_problem *c, bool next)
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

/* True: some node takes its next strategy. */
static bool find_best_part(struct cut_problem *c, int n)
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

static uint64_t mix_double(uint64_t h, double x)
{
	uint64_t bits;
	memcpy(&bits, &x, sizeof bits);
	return sr_hash_mix(h, bits);
}

/* Return a hash of everything that the change's gain depends on, never 0: in repeated layers a change without gain is evaluated
 * once. Which readers require a layout is not hashed: their number, and the strategies of those in the region, determine what
 * the others require. */
static uint64_t hash_of(const struct cut_problem *c)
{
	const struct sr_search *s = c->s;
	uint64_t h = sr_hash_bytes(&s->operation_price, sizeof s->operation_price, 1 + s->count_collectives);
	for (size_t i = 0; i < s->region.n; i++) {
		const struct sr_search_node *n = &s->nodes.data[s->region.data[i]];
		h = sr_hash_mix(sr_hash_mix(sr_hash_mix(h, (uintptr_t)n->kind), (uintptr_t)n->now), (uintptr_t)n->next);
		h = mix_double(h, n->runs);
		for (int t = 0; t < n->n_tensors; t++) {
			const struct sr_search_value *e = changed_value(s, n, n->next, t);
			h = e ? sr_hash_mix(h, (uint64_t)e->order + 1) : h;
		}
	}
	for (size_t i = 0; i < c->values.n; i++) {
		const struct region_value *x = &c->values.data[i];
		uint64_t required = 0; /* order-independent: the list's order is the order of first use */
		for (size_t k = 0; k < x->e->required.n; k++) {
			struct sr_required_layout r = x->e->required.data[k];
			required += r.n[0] ? sr_hash_mix((uint64_t)r.n[0], (uintptr_t)r.layout) : 0;
		}
		h = sr_hash_mix(sr_hash_mix(h, (uintptr_t)sr_search_layout_of(s, x->e, false)), required);
		h = sr_hash_mix(h, (uint64_t)(region_position(s, x->e->node) + 1));
		h = mix_double(h, x->e->runs);
		h = s->byte_price > 0 ? mix_double(mix_double(h, x->e->lifetime), x->e->read_span) : h;
	}
	return h | 1;
}

/* Set next strategies to the complete change or its best part, whichever is cheaper. Returns the gain. */
static double choose_change(struct cut_problem *c, int n)
{
	struct sr_search *s = c->s;
	struct sr_strategy **complete = SR_NEWS(s->ctx->scratch, struct sr_strategy *, n);
	for (int i = 0; i < n; i++) {
		struct sr_search_node *node = &s->nodes.data[s->region.data[i]];
		complete[i] = node->next;
		node->next = node->now;
		sr_search_set_next(s, node, complete[i]);
	}
	double before = cost_of_region(c, false), all = cost_of_region(c, true), part = before;
	if (n > 1 && find_best_part(c, n))
		part = cost_of_region(c, true);
	for (int i = 0; i < n && all <= part; i++)
		sr_search_set_next(s, &s->nodes.data[s->region.data[i]], complete[i]);
	return before - (all <= part ? all : part);
}

/* Return true if there are bytes to spare for the next strategies. */
static bool may_send(struct cut_problem *c)
{
	struct sr_search *s = c->s;
	if (isinf(s->spare_bytes))
		return true;
	struct sr_search_prices before = sr_search_price_bytes_alone(s);
	double more = cost_of_region(c, true) - cost_of_region(c, false);
	sr_search_restore_prices(s, before);
	return sr_search_spend_bytes(s, more);
}

/* Make the next strategies the current ones, or discard them. */
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

/* ---------------------------------------------------------------- components */

/* Nodes of the region that change, as trees whose roots stand for components (disjoint sets). */
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

/* Join nodes that share a value with a layout that changes; the root is the first node. */
static struct components find_components(struct sr_search *s)
{
	struct components c = {.node = SR_NEWS(s->ctx->scratch, int, s->region.n + 1),
			       .parent = SR_NEWS(s->ctx->scratch, int, s->region.n + 1)};
	int stamp = ++s->value_stamp;
	for (size_t i = 0; i < s->region.n; i++) {
		const struct sr_search_node *n = &s->nodes.data[s->region.data[i]];
		if (n->next == n->now)
			continue;
		c.node[c.n] = s->region.data[i];
		c.parent[c.n] = c.n;
		for (int t = 0; t < n->n_tensors; t++) {
			struct sr_search_value *e = changed_value(s, n, n->next, t);
			if (!e)
				continue;
			if (e->seen != stamp) {
				e->seen = stamp;
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

/* Return true if the node, or a value whose layout it would change, changed after tick `since`. */
static bool is_fresh(const struct sr_search *s, const struct sr_search_node *n, int since)
{
	bool fresh = n->changed_tick > since;
	for (int t = 0; t < n->n_tensors && !fresh; t++) {
		const struct sr_search_value *e = changed_value(s, n, n->next, t);
		fresh = e && e->changed_tick > since;
	}
	return fresh;
}

/* Store the nodes of each component, one component after another, in s->region; ends[k]: where component k ends. Returns the number
 * of components. Those without a fresh node are left out. */
static int sort_by_component(struct sr_search *s, struct components *c, int since, int *ends)
{
	struct sr_arena *scratch = s->ctx->scratch;
	int *count = SR_NEWS(scratch, int, c->n + 1), *at = SR_NEWS(scratch, int, c->n + 1), n = 0, end = 0;
	bool *fresh = SR_NEWS(scratch, bool, c->n + 1);
	for (int i = 0; i < c->n; i++) {
		int root = root_of(c, i);
		count[root]++;
		fresh[root] = fresh[root] || is_fresh(s, &s->nodes.data[c->node[i]], since);
	}
	for (int i = 0; i < c->n; i++) {
		int root = root_of(c, i);
		if (root == i && fresh[i]) {
			at[i] = end;
			ends[n++] = end += count[i];
		}
		if (fresh[root])
			s->region.data[at[root]++] = c->node[i];
	}
	s->region.n = (size_t)end;
	return n;
}

/* Decide the n nodes of s->region, a component. Returns the gain. */
static double decide_component(struct sr_search *s, int n)
{
	struct cut_problem c = {.s = s};
	struct sr_arena_position mark = sr_arena_mark(s->ctx->scratch);
	double gain = 0;
	s->stamp++;
	for (int i = 0; i < n; i++) {
		struct sr_search_node *node = &s->nodes.data[s->region.data[i]];
		node->seen = s->stamp;
		node->order = i;
	}
	find_values(&c);
	const void *hash = (const void *)(uintptr_t)hash_of(&c);
	if (!sr_map_has(&s->no_gain, hash)) {
		gain = choose_change(&c, n);
		bool pays = gain > 0, fits = pays && may_send(&c);
		end_change(s, fits);
		if (!pays)
			sr_map_put(&s->no_gain, hash, s);
		gain = fits ? gain : 0;
	}
	sr_arena_release(s->ctx->scratch, mark);
	return gain > 0 ? gain : 0;
}

double sr_search_apply_best_part(struct sr_search *s, int since)
{
	struct sr_arena_position mark = sr_arena_mark(s->ctx->scratch);
	struct components c = find_components(s);
	int *ends = SR_NEWS(s->ctx->scratch, int, c.n + 1), n = sort_by_component(s, &c, since, ends);
	int *all = s->region.data;
	double gain = 0;
	for (int k = 0, first = 0; k < n; first = ends[k++]) {
		s->region.data = all + first;
		s->region.n = (size_t)(ends[k] - first);
		gain += decide_component(s, (int)s->region.n);
	}
	s->region.data = all;
	for (int i = 0; i < c.n; i++)
		s->nodes.data[c.node[i]].next = s->nodes.data[c.node[i]].now;
	sr_arena_release(s->ctx->scratch, mark);
	return gain;
}
