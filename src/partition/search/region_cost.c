/* Cost of a change to a region, and its best part by a minimum cut. The cost of a node is that of its strategy; the cost of a
 * value is that of the reshards to each required layout. In the cut, readers that agree both in the layout required
 * before the change and in the layout required after it share the cost of one reshard; a reader that changes to the layout which
 * unchanged readers require pays nothing. The cut does not represent gains that need two readers together, or reshards that only
 * the complete change makes equal; so the complete change is tried as well, and the exact cost decides.
 * The functions do not change strategies: the number of readers that require a
 * layout after a change is computed from the members of the region. Cost: linear in the region's operands, times the layouts that
 * are required of one value. */
#include "partition/search/region_cost.h"
#include <string.h>

/* Return the node's position among the region's nodes; -1 if the node does not change. */
static int region_position(const struct sr_search *s, int node)
{
	const struct sr_search_node *n = node >= 0 ? &s->nodes.data[node] : NULL;
	return n && n->seen_stamp == s->stamp && n->next != n->current ? n->order : -1;
}

static struct sr_search_node *node_at(const struct sr_search *s, size_t position)
{
	return &s->nodes.data[s->region.data[position]];
}

/* ---------------------------------------------------------------- values and members */

static uint64_t mix_double(uint64_t h, double x)
{
	uint64_t bits;
	memcpy(&bits, &x, sizeof bits);
	return sr_hash_mix(h, bits);
}

static uint64_t hash_of_value(const struct sr_search *s, const struct sr_region_value *x, uint64_t h)
{
	const struct sr_search_value *e = x->e;
	uint64_t required_hash =
	    0; /* The hashes of the layouts are added, so that the sum does not depend on the order of the list. */
	for (size_t k = 0; k < e->required.n; k++)
		if (e->required.data[k].n[0])
			required_hash += sr_hash_mix((uint64_t)e->required.data[k].n[0], (uintptr_t)e->required.data[k].layout);
	h = sr_hash_mix(sr_hash_mix(h, (uintptr_t)sr_search_layout_of(s, e, false)), required_hash);
	h = sr_hash_mix(h, (uint64_t)(x->producer + 1));
	h = e->executions != 1 ? mix_double(h, e->executions) : h;
	return s->memory_price > 0 ? mix_double(mix_double(h, e->lifetime), e->read_span) : h;
}

/* Find the values of the region and hash the change. The hash does not cover which readers require a layout: their number, and the
 * strategies of the readers in the region, determine the requirements of the others. A strategy belongs to one class of ops. */
uint64_t sr_region_cost_begin(struct sr_region_cost_state *p)
{
	struct sr_search *s = p->s;
	uint64_t h = sr_hash_bytes(&s->operation_weight, sizeof s->operation_weight, 1 + s->count_collectives);
	int stamp = ++s->value_stamp;
	p->values.n = 0;
	for (size_t i = 0; i < s->region.n; i++) {
		const struct sr_search_node *n = node_at(s, i);
		h = sr_hash_mix(sr_hash_mix(h, (uintptr_t)n->current), (uintptr_t)n->next);
		h = n->executions != 1 ? mix_double(h, n->executions) : h;
		s->visits += n->n_tensors;
		for (int t = 0; t < n->n_tensors; t++) {
			struct sr_search_value *e = sr_region_changed_value(s, n, t);
			if (!e)
				continue;
			if (e->seen_stamp != stamp) {
				e->seen_stamp = stamp;
				e->order = (int)p->values.n;
				sr_push(s->arena, &p->values, (struct sr_region_value){e, -1, -1, region_position(s, e->node), 0});
			}
			h = sr_hash_mix(h, (uint64_t)e->order + 1);
		}
	}
	for (size_t i = 0; i < p->values.n; i++)
		h = hash_of_value(s, &p->values.data[i], h);
	return h | 1;
}

/* Append a member to the value's list. */
static void add_member(struct sr_region_cost_state *p, struct sr_region_value *x, struct sr_region_member m)
{
	int at = (int)p->members.n;
	sr_push(p->s->arena, &p->members, m);
	if (x->last >= 0)
		p->members.data[x->last].next = at;
	else
		x->first = at;
	x->last = at;
}

static void find_members(struct sr_region_cost_state *p)
{
	struct sr_search *s = p->s;
	p->members.n = p->costs.n = 0;
	for (size_t i = 0; i < p->values.n; i++)
		for (size_t k = 0; k < p->values.data[i].e->required.n; k++)
			p->values.data[i].e->required.data[k].n_in_region = 0;
	for (size_t i = 0; i < s->region.n; i++) {
		const struct sr_search_node *n = node_at(s, i);
		for (int t = 0; t < n->n_operands; t++) {
			struct sr_search_value *e = sr_region_changed_value(s, n, t);
			if (!e)
				continue;
			int required_before = sr_search_required_index(s, e, n->current->layouts[t]);
			int required_after = sr_search_required_index(s, e, n->next->layouts[t]);
			e->required.data[required_before].n_in_region++;
			add_member(p, &p->values.data[e->order],
				   (struct sr_region_member){(int)i, required_before, required_after, -1, -1});
		}
	}
	for (size_t i = 0; i < p->values.n; i++) {
		p->values.data[i].costs = p->costs.n;
		for (size_t k = 0; k < 2 * p->values.data[i].e->required.n; k++)
			sr_push(s->arena, &p->costs, -1);
	}
}

/* Return the number of readers outside of the region that require layout number i. */
static int outside_readers(const struct sr_search_value *e, size_t i)
{
	return e->required.data[i].n[0] - e->required.data[i].n_in_region;
}

/* Return the cost of the value's reshard to a required layout, when the node that defines the value has its next or its present
 * strategy. */
static double required_reshard_cost(struct sr_region_cost_state *p, const struct sr_region_value *x, bool next, size_t layout)
{
	double *memo_entry = &p->costs.data[x->costs + 2 * layout + next];
	if (*memo_entry < 0)
		*memo_entry = sr_search_reshard_cost(p->s, x->e, sr_search_layout_of(p->s, x->e, next),
						      x->e->required.data[layout].layout);
	return *memo_entry;
}

/* ---------------------------------------------------------------- exact costs */

/* Count the readers of each required layout in `counts`, where chosen members require their layout after the change. */
static void count_readers(struct sr_region_cost_state *p, const struct sr_region_value *x)
{
	p->counts.n = 0;
	for (size_t k = 0; k < x->e->required.n; k++)
		sr_push(p->s->arena, &p->counts, x->e->required.data[k].n[0]);
	for (int k = x->first; k >= 0; k = p->members.data[k].next) {
		const struct sr_region_member *m = &p->members.data[k];
		if (p->chosen.data[m->position]) {
			p->counts.data[m->layout_before]--;
			p->counts.data[m->layout_after]++;
		}
	}
}

/* Return the cost of the region's nodes and values if the chosen nodes change to their next strategies. */
static double cost_of_chosen(struct sr_region_cost_state *p)
{
	struct sr_search *s = p->s;
	double cost = 0;
	for (size_t i = 0; i < s->region.n; i++) {
		const struct sr_search_node *n = node_at(s, i);
		cost += sr_search_node_cost(s, n, p->chosen.data[i] ? n->next : n->current);
	}
	for (size_t i = 0; i < p->values.n; i++) {
		const struct sr_region_value *x = &p->values.data[i];
		bool next = x->producer >= 0 && p->chosen.data[x->producer];
		double memory_price = s->memory_price > 0 ? sr_search_memory_cost(s, x->e, sr_search_layout_of(s, x->e, next)) : 0;
		count_readers(p, x);
		s->visits += (int64_t)x->e->required.n;
		for (size_t k = 0; k < x->e->required.n; k++)
			memory_price += p->counts.data[k] ? required_reshard_cost(p, x, next, k) : 0;
		cost += memory_price;
	}
	return cost;
}

static void set_all_chosen(struct sr_region_cost_state *p, bool is_chosen)
{
	p->chosen.n = 0;
	for (size_t i = 0; i < p->s->region.n; i++)
		sr_push(p->s->arena, &p->chosen, is_chosen);
}

double sr_region_extra_bytes(struct sr_region_cost_state *p)
{
	struct sr_search_weights saved_weights = sr_search_count_bytes_alone(p->s);
	double cost[2];
	for (size_t k = 0; k < p->costs.n; k++)
		p->costs.data[k] = -1;
	cost[1] = cost_of_chosen(p);
	bool *chosen = p->chosen.data;
	p->chosen = (typeof(p->chosen)){0};
	set_all_chosen(p, false);
	cost[0] = cost_of_chosen(p);
	p->chosen.data = chosen;
	sr_search_restore_weights(p->s, saved_weights);
	return cost[1] - cost[0];
}

/* ---------------------------------------------------------------- the network */

/* Add to the network the costs of a pair (node that defines a value, reader). cost[a][b]: cost with the node on side a and the
 * reader on side b. `producer` -1: the node is not in the region. */
static void add_pair(struct sr_flow_net *net, int producer, int reader, double cost[2][2])
{
	if (producer == reader) {
		sr_flow_net_node(net, producer, cost[0][0], cost[1][1]);
	} else if (producer < 0) {
		sr_flow_net_node(net, reader, cost[0][0], cost[0][1]);
	} else {
		sr_flow_net_node(net, producer, 0, cost[1][0] - cost[0][0]);
		sr_flow_net_node(net, reader, 0, cost[1][1] - cost[1][0]);
		sr_flow_net_edge(net, producer, reader, cost[0][1] + cost[1][0] - cost[0][0] - cost[1][1]);
	}
}

/* Count the members of the value by (layout before, layout after), and store the index of each member's group. */
static void group_members(struct sr_region_cost_state *p, const struct sr_region_value *x)
{
	p->groups.n = 0;
	for (int k = x->first; k >= 0; k = p->members.data[k].next) {
		struct sr_region_member *m = &p->members.data[k];
		size_t i = 0;
		while (i < p->groups.n &&
		       (p->groups.data[i].layout_before != m->layout_before || p->groups.data[i].layout_after != m->layout_after))
			i++;
		p->s->visits += (int64_t)i + 1;
		if (i == p->groups.n)
			sr_push(p->s->arena, &p->groups, (struct sr_reader_group){m->layout_before, m->layout_after, 0});
		p->groups.data[i].n++;
		m->group = (int)i;
	}
}

static void add_value(struct sr_region_cost_state *p, const struct sr_region_value *x)
{
	struct sr_search *s = p->s;
	double cost[2][2];
	if (x->producer >= 0 && s->memory_price > 0)
		sr_flow_net_node(p->net, x->producer, sr_search_memory_cost(s, x->e, sr_search_layout_of(s, x->e, false)),
				 sr_search_memory_cost(s, x->e, sr_search_layout_of(s, x->e, true)));
	group_members(p, x);
	for (int k = x->first; k >= 0; k = p->members.data[k].next) {
		const struct sr_region_member *m = &p->members.data[k];
		for (int b = 0; b < 2; b++) {
			size_t layout = (size_t)(b ? m->layout_after : m->layout_before);
			/* a reader outside of the region requires the layout, whichever part changes */
			bool is_required_anyway = outside_readers(x->e, layout) > 0;
			for (int a = 0; a < 2; a++)
				cost[a][b] = is_required_anyway ? 0
								 : required_reshard_cost(p, x, a && x->producer >= 0, layout) /
								       p->groups.data[m->group].n;
		}
		add_pair(p->net, x->producer, m->position, cost);
	}
	for (size_t i = 0; x->producer >= 0 && i < x->e->required.n; i++)
		if (outside_readers(x->e, i))
			sr_flow_net_node(p->net, x->producer, required_reshard_cost(p, x, false, i),
					 required_reshard_cost(p, x, true, i));
}

/* Set `chosen` to the best part of the change by the minimum cut. Returns true if it is not empty. */
static bool find_minimum_cut(struct sr_region_cost_state *p)
{
	struct sr_search *s = p->s;
	size_t n = s->region.n;
	bool is_any_chosen = false;
	if (!p->net)
		p->net = sr_flow_net_new(s->arena, 0);
	sr_flow_net_reset(p->net, (int)n);
	for (size_t i = 0; i < n; i++) {
		const struct sr_search_node *node = node_at(s, i);
		sr_flow_net_node(p->net, (int)i, sr_search_node_cost(s, node, node->current), sr_search_node_cost(s, node, node->next));
	}
	for (size_t i = 0; i < p->values.n; i++)
		add_value(p, &p->values.data[i]);
	s->visits += sr_flow_net_cut(p->net, p->chosen.data);
	for (size_t i = 0; i < n; i++)
		is_any_chosen = is_any_chosen || p->chosen.data[i];
	return is_any_chosen;
}

double sr_region_best_subset(struct sr_region_cost_state *p)
{
	find_members(p);
	set_all_chosen(p, false);
	double cost_before = cost_of_chosen(p), cost_of_part = cost_before;
	set_all_chosen(p, true);
	double cost_of_all = cost_of_chosen(p);
	if (p->s->region.n > 1 && find_minimum_cut(p))
		cost_of_part = cost_of_chosen(p);
	if (cost_of_all <= cost_of_part)
		set_all_chosen(p, true);
	return cost_before - (cost_of_all <= cost_of_part ? cost_of_all : cost_of_part);
}
