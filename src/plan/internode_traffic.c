/* Compute internode traffic: each collective of a program counts as often as it is executed, with its groups mapped to nodes. */
#include "plan/internode_traffic.h"
#include "collectives/hierarchy.h"
#include <string.h>

struct group_members {
	const int64_t *device; /* devices of all groups, -1 where a group is shorter; length n_groups * size */
	int64_t n_groups, size;
};

struct counted_collective {
	const struct sr_instr *instr;
	const struct sr_collective_instr *c;
	double times;
	struct group_members groups;
	const int64_t *target; /* for a permute, the target of each device, -1: none; length n_devices */
};

struct sr_traffic_query {
	const struct sr_program *p;
	struct sr_arena *arena, *scratch;
	struct group_members *lists; /* members of each group list, computed on demand; the last entry is for all devices */
	struct counted_collective *counted;
	int64_t n;
	int *names; /* for each node, its index within the current group; -1: no member seen yet; length n_devices */
};

/* ---- execution counts ---- */

static void add_inner(const struct sr_program *p, const struct sr_instr *instr, double times, double *computations)
{
	const void *params = sr_program_params(p) + instr->params;
	if (instr->kind == SR_INSTR_WHILE) {
		const struct sr_while_instr *w = params;
		double trips = w->trips < 0 ? 1 : (double)w->trips;
		computations[w->body] += times * trips;
		computations[w->cond] += times * (trips + 1);
	} else if (instr->kind == SR_INSTR_CASE) {
		const struct sr_case_instr *c = params;
		for (int32_t i = 0; i < c->n; i++)
			computations[c->first + i] += times;
	}
}

/* ---- members ---- */

static struct group_members members_of(struct sr_traffic_query *q, int32_t list)
{
	const struct sr_program *p = q->p;
	struct group_members *members = &q->lists[list < 0 ? (int64_t)p->groups.n : list];
	const struct sr_group_list *g = list < 0 ? NULL : sr_program_groups(p) + list;
	if (members->device)
		return *members;
	*members = (struct group_members){.n_groups = g ? g->n_groups : 1, .size = g ? g->size : p->n_devices};
	int64_t *devices = SR_NEW_ARRAY(q->arena, int64_t, members->n_groups * members->size + 1);
	for (int64_t i = 0; i < members->n_groups * members->size; i++)
		devices[i] = -1;
	for (int64_t d = 0; d < p->n_devices; d++) {
		int64_t group = 0, index = d;
		if (!g || sr_program_group_of(p, g, d, &group, &index))
			devices[group * members->size + index] = d;
	}
	members->device = devices;
	return *members;
}

static const int64_t *targets_of(struct sr_traffic_query *q, const struct sr_collective_instr *c)
{
	int64_t *to = SR_NEW_ARRAY(q->arena, int64_t, q->p->n_devices), source;
	for (int64_t d = 0; d < q->p->n_devices; d++)
		sr_program_permute_peers(q->p, c, d, &source, &to[d]);
	return to;
}

/* Return an earlier collective with the same traffic, or NULL. Permutes are never merged. */
static struct counted_collective *find_same_traffic(struct sr_traffic_query *q, const struct sr_instr *instr,
						    const struct sr_collective_instr *c)
{
	for (int64_t i = q->n; c->coll != SR_PERMUTE && i-- > 0;) {
		struct counted_collective *a = &q->counted[i];
		if (a->c->coll == c->coll && a->c->group == c->group && a->c->members == c->members && a->c->count == c->count &&
		    a->c->monoid == c->monoid && a->instr->dtype == instr->dtype)
			return a;
	}
	return NULL;
}

static void count_collective(struct sr_traffic_query *q, const struct sr_instr *instr, double times)
{
	const struct sr_collective_instr *c = (const void *)(sr_program_params(q->p) + instr->params);
	struct counted_collective *a = find_same_traffic(q, instr, c);
	if (a) {
		a->times += times;
		return;
	}
	a = &q->counted[q->n++];
	*a = (struct counted_collective){.instr = instr, .c = c, .times = times};
	if (c->coll == SR_PERMUTE)
		a->target = targets_of(q, c);
	else
		a->groups = members_of(q, c->group < 0 ? c->members : c->group);
}

struct sr_traffic_query *sr_traffic_begin(const struct sr_program *p, struct sr_arena *arena)
{
	if (p->n_devices > SR_TRAFFIC_DEVICES)
		return NULL;
	struct sr_traffic_query *q = SR_NEW(arena, struct sr_traffic_query);
	double *times = SR_NEW_ARRAY(arena, double, p->computations.n);
	*q = (struct sr_traffic_query){.p = p, .arena = arena, .scratch = sr_arena_scratch(arena)};
	q->lists = SR_NEW_ARRAY(arena, struct group_members, p->groups.n + 1);
	q->counted = SR_NEW_ARRAY(arena, struct counted_collective, p->instrs.n);
	q->names = SR_NEW_ARRAY(arena, int, p->n_devices);
	for (int32_t d = 0; d < p->n_devices; d++)
		q->names[d] = -1;
	times[0] = 1;
	/* a nested computation has a higher number than the computation that contains its owner */
	for (uint64_t i = 0; i < p->computations.n; i++) {
		const struct sr_computation *computation = sr_program_computations(p) + i;
		for (uint32_t k = 0; k < computation->n; k++) {
			const struct sr_instr *instr = sr_program_instrs(p) + computation->first + k;
			if (instr->kind == SR_INSTR_COLLECTIVE && times[i] > 0)
				count_collective(q, instr, times[i]);
			else
				add_inner(p, instr, times[i], times);
		}
	}
	return q;
}

/* ---- traffic ---- */

struct traffic_sums {
	struct sr_traffic_query *q;
	const int *node;  /* node of each device; length n_devices */
	double *sent_bytes;   /* for each node: bytes that its devices send to other nodes */
	struct sr_traffic *out;
};

static void add_bytes(struct traffic_sums *s, const struct counted_collective *a, int node, double bytes)
{
	s->sent_bytes[node] += a->times * bytes;
	s->out->bytes[a->c->coll] += a->times * bytes;
	s->out->total += a->times * bytes;
}

static struct sr_coll_call call_of(const struct counted_collective *a, int n)
{
	return (struct sr_coll_call){.coll = (enum sr_coll)a->c->coll,
				     .n = n,
				     .count = a->c->count,
				     .type = (enum sr_dtype)a->instr->dtype,
				     .monoid = (enum sr_monoid)a->c->monoid,
				     .carrier = SR_CARRIER_HIERARCHICAL};
}

/* Add a group's traffic: number its nodes by first member and count the bytes that leave each. */
static void add_group(struct traffic_sums *s, const struct counted_collective *a, const int64_t *devices)
{
	struct sr_arena *scratch = s->q->scratch;
	int n = 0, n_nodes = 0, *node = SR_NEW_ARRAY(scratch, int, a->groups.size),
	    *node_number = SR_NEW_ARRAY(scratch, int, a->groups.size);
	for (int64_t i = 0; i < a->groups.size; i++) {
		if (devices[i] < 0)
			continue;
		int *name = &s->q->names[s->node[devices[i]]];
		if (*name < 0) {
			node_number[n_nodes] = s->node[devices[i]];
			*name = n_nodes++;
		}
		node[n++] = *name;
	}
	for (int k = 0; k < n_nodes; k++)
		s->q->names[node_number[k]] = -1;
	struct sr_coll_call call = call_of(a, n);
	struct sr_hierarchy l;
	call.node = node;
	if (n_nodes < 2 || !sr_hierarchy_find(&call, scratch, &l))
		return;
	int *n_sums_of_node = SR_NEW_ARRAY(scratch, int, n_nodes);
	double *leaves = SR_NEW_ARRAY(scratch, double, n_nodes);
	for (int k = 0; k < l.n_subtrees; k++)
		n_sums_of_node[l.subtrees[k].node]++;
	double carried = n == n_nodes ? 1 : (double)sr_dtype_bytes(sr_accumulator(call.type, call.monoid)) / sr_dtype_bytes(call.type);
	struct sr_cost_nodes nodes = {.n = n, .n_nodes = n_nodes, .members = l.count, .sums = n_sums_of_node};
	sr_cost_internode_bytes(call.coll, (double)sr_coll_out_bytes(&call), carried, &nodes, leaves);
	for (int k = 0; k < n_nodes; k++)
		add_bytes(s, a, node_number[k], leaves[k]);
}

static void add_pairs(struct traffic_sums *s, const struct counted_collective *a)
{
	struct sr_coll_call call = call_of(a, 2);
	double bytes = sr_cost_wire(SR_PERMUTE, (double)sr_coll_out_bytes(&call), 2);
	for (int64_t d = 0; d < s->q->p->n_devices; d++)
		if (a->target[d] >= 0 && s->node[a->target[d]] != s->node[d])
			add_bytes(s, a, s->node[d], bytes);
}

struct sr_traffic sr_traffic_of(struct sr_traffic_query *q, const int *node)
{
	struct sr_arena_position mark = sr_arena_mark(q->scratch);
	struct sr_traffic out = {0};
	struct traffic_sums s = {q, node, SR_NEW_ARRAY(q->scratch, double, q->p->n_devices), &out};
	for (int64_t i = 0; i < q->n; i++) {
		const struct counted_collective *a = &q->counted[i];
		if (a->target)
			add_pairs(&s, a);
		for (int64_t g = 0; !a->target && g < a->groups.n_groups; g++) {
			struct sr_arena_position one = sr_arena_mark(q->scratch);
			add_group(&s, a, a->groups.device + g * a->groups.size);
			sr_arena_release(q->scratch, one);
		}
	}
	for (int32_t a = 0; a < q->p->n_devices; a++)
		out.busiest_node_bytes = s.sent_bytes[a] > out.busiest_node_bytes ? s.sent_bytes[a] : out.busiest_node_bytes;
	sr_arena_release(q->scratch, mark);
	return out;
}

bool sr_traffic_less(const struct sr_traffic *x, const struct sr_traffic *y)
{
	return x->busiest_node_bytes != y->busiest_node_bytes ? x->busiest_node_bytes < y->busiest_node_bytes : x->total < y->total;
}

/* Return the index of the best order on these nodes, the first among equals; *out is its traffic. */
static int best_axis_order(struct sr_traffic_query *q, const struct sr_axis_orders *orders, const int *node_of_slot,
			   struct sr_traffic *out)
{
	int n = q->p->n_devices, best_index = 0, *slot = SR_NEW_ARRAY(q->arena, int, n), *node = SR_NEW_ARRAY(q->arena, int, n);
	for (int i = 0; i < orders->n; i++) {
		sr_slots_by_axes(q->p, orders->orders + i * orders->n_axes, slot);
		for (int d = 0; d < n; d++)
			node[d] = node_of_slot[slot[d]];
		struct sr_traffic one = sr_traffic_of(q, node);
		if (!i || sr_traffic_less(&one, out)) {
			*out = one;
			best_index = i;
		}
	}
	return best_index;
}

void sr_plan_internode_traffic(struct sr_traffic_query *q, const int *node_of_slot, const int *node_in_order, struct sr_node_plan *out)
{
	int n = q->p->n_devices, *cyclic = SR_NEW_ARRAY(q->arena, int, n), *slot = SR_NEW_ARRAY(q->arena, int, n);
	struct sr_axis_orders orders = sr_axis_orders_find(q->p, q->arena);
	*out = (struct sr_node_plan){.n_nodes = node_of_slot[n - 1] + 1};
	for (int s = 0, n_on_node = 0; s < n; s++) {
		n_on_node = s && node_of_slot[s] == node_of_slot[s - 1] ? n_on_node + 1 : 1;
		out->ranks_per_node = n_on_node > out->ranks_per_node ? n_on_node : out->ranks_per_node;
	}
	sr_slots_cyclic(n, node_of_slot, slot, q->arena);
	for (int d = 0; d < n; d++)
		cyclic[d] = node_of_slot[slot[d]];
	out->block = sr_traffic_of(q, node_of_slot);
	out->order = sr_traffic_of(q, node_in_order);
	out->cyclic = sr_traffic_of(q, cyclic);
	out->best_axes = orders.orders + best_axis_order(q, &orders, node_of_slot, &out->best) * orders.n_axes;
}

bool sr_plan_equal_nodes_traffic(const struct sr_program *p, int64_t per_node, struct sr_arena *arena, struct sr_node_plan *out)
{
	struct sr_traffic_query *q = sr_traffic_begin(p, arena);
	if (!q)
		return false;
	int *block = SR_NEW_ARRAY(arena, int, p->n_devices);
	for (int d = 0; d < p->n_devices; d++)
		block[d] = (int)(d / per_node);
	sr_plan_internode_traffic(q, block, block, out);
	out->ranks_per_node = (int)per_node;
	return true;
}
