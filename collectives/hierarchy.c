/* Find the nodes of a collective's members and the subtrees of the reduction tree that lie within one node. */
#include "collectives/hierarchy.h"

static int members_on_same_node(const struct sr_coll_call *call, int first, int n)
{
	int n_same_node = 1;
	while (n_same_node < n && call->node[first + n_same_node] == call->node[first])
		n_same_node++;
	return n_same_node;
}

static void find_subtrees(struct sr_hierarchy *l, int first, int n)
{
	if (members_on_same_node(l->call, first, n) == n) {
		l->subtrees[l->n_subtrees++] = (struct sr_hierarchy_subtree){first, n, l->call->node[first]};
		return;
	}
	int n_left = sr_power_below(n - 1);
	find_subtrees(l, first, n_left);
	find_subtrees(l, first + n_left, n - n_left);
}

bool sr_hierarchy_find(const struct sr_coll_call *call, struct sr_arena *arena, struct sr_hierarchy *out)
{
	if (call->carrier != SR_CARRIER_HIERARCHICAL || !call->node)
		return false;
	*out = (struct sr_hierarchy){.call = call, .my_node = call->node[call->member]};
	for (int k = 0; k < call->n; k++)
		out->n_nodes = call->node[k] >= out->n_nodes ? call->node[k] + 1 : out->n_nodes;
	out->local_index = SR_NEW_ARRAY(arena, int, call->n);
	out->count = SR_NEW_ARRAY(arena, int, out->n_nodes);
	out->members = SR_NEW_ARRAY(arena, int *, out->n_nodes);
	out->subtrees = SR_NEW_ARRAY(arena, struct sr_hierarchy_subtree, call->n);
	for (int k = 0; k < call->n; k++)
		out->local_index[k] = out->count[call->node[k]]++;
	for (int a = 0; a < out->n_nodes; a++)
		out->members[a] = SR_NEW_ARRAY(arena, int, out->count[a]);
	for (int k = 0; k < call->n; k++)
		out->members[call->node[k]][out->local_index[k]] = k;
	find_subtrees(out, 0, call->n);
	int *n_subtrees = SR_NEW_ARRAY(arena, int, out->n_nodes);
	for (int p = 0; p < out->n_subtrees; p++) {
		int n = ++n_subtrees[out->subtrees[p].node];
		out->max_subtrees = n > out->max_subtrees ? n : out->max_subtrees;
	}
	for (int a = 0; a < out->n_nodes; a++)
		out->max_members = out->count[a] > out->max_members ? out->count[a] : out->max_members;
	return true;
}

void sr_hierarchy_end_burst(struct sr_schedule_builder *b, const struct sr_hierarchy *l, int s, int messages)
{
	int distances = messages < SR_BURST ? SR_BURST / messages : 1;
	if (s % distances == 0 && s + 1 < l->n_nodes)
		sr_build_round(b);
}

struct sums {
	struct sr_schedule_builder *b;
	const struct sr_hierarchy *l;
	struct sr_area area;
	int64_t stride, count;
	int next; /* index of the next subtree to visit */
};

/* Append the reduction of members first .. first + n - 1. Returns the subtree in whose memory the result is. */
static int combine_subtrees(struct sums *s, int first, int n)
{
	if (s->l->subtrees[s->next].first == first && s->l->subtrees[s->next].n == n)
		return s->next++;
	int n_left = sr_power_below(n - 1), x = combine_subtrees(s, first, n_left),
	    y = combine_subtrees(s, first + n_left, n - n_left);
	sr_build_reduce(s->b, s->area, x * s->stride, s->area, y * s->stride, s->count, false);
	sr_build_round(s->b);
	return x;
}

void sr_hierarchy_combine(struct sr_schedule_builder *b, const struct sr_hierarchy *l, struct sr_area dst, int64_t to,
			  struct sr_area sums, int64_t stride, int64_t count)
{
	struct sums s = {b, l, sums, stride, count, 0};
	if (!count)
		return;
	sr_build_round(b);
	int at = combine_subtrees(&s, 0, l->call->n);
	sr_build_copy(b, dst, to, sums, at * stride, count);
	sr_build_round(b);
}
