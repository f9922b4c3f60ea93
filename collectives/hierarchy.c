/* Nodes, and the tree over members as they see it. */
#include "collectives/hierarchy.h"

static int members_from(const struct sr_coll_call *call, int first, int n)
{
	int same = 1;
	while (same < n && call->node[first + same] == call->node[first])
		same++;
	return same;
}

static void find_parts(struct sr_hierarchy *l, int first, int n)
{
	if (members_from(l->call, first, n) == n) {
		l->parts[l->n_parts++] = (struct sr_hierarchy_subtree){first, n, l->call->node[first]};
		return;
	}
	int left = sr_power_below(n - 1);
	find_parts(l, first, left);
	find_parts(l, first + left, n - left);
}

bool sr_hierarchy_find(const struct sr_coll_call *call, struct sr_arena *arena, struct sr_hierarchy *out)
{
	if (call->carrier != SR_CARRIER_HIERARCHICAL || !call->node)
		return false;
	*out = (struct sr_hierarchy){.call = call, .mine = call->node[call->me]};
	for (int k = 0; k < call->n; k++)
		out->n_nodes = call->node[k] >= out->n_nodes ? call->node[k] + 1 : out->n_nodes;
	out->local = SR_NEWS(arena, int, call->n);
	out->count = SR_NEWS(arena, int, out->n_nodes);
	out->members = SR_NEWS(arena, int *, out->n_nodes);
	out->parts = SR_NEWS(arena, struct sr_hierarchy_subtree, call->n);
	for (int k = 0; k < call->n; k++)
		out->local[k] = out->count[call->node[k]]++;
	for (int a = 0; a < out->n_nodes; a++)
		out->members[a] = SR_NEWS(arena, int, out->count[a]);
	for (int k = 0; k < call->n; k++)
		out->members[call->node[k]][out->local[k]] = k;
	find_parts(out, 0, call->n);
	int *parts = SR_NEWS(arena, int, out->n_nodes);
	for (int p = 0; p < out->n_parts; p++) {
		int n = ++parts[out->parts[p].node];
		out->most_parts = n > out->most_parts ? n : out->most_parts;
	}
	for (int a = 0; a < out->n_nodes; a++)
		out->most = out->count[a] > out->most ? out->count[a] : out->most;
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
	int next; /* part */
};

/* The part in which the sum of members first .. first + n - 1 is in the end. */
static int combine(struct sums *s, int first, int n)
{
	if (s->l->parts[s->next].first == first && s->l->parts[s->next].n == n)
		return s->next++;
	int left = sr_power_below(n - 1), x = combine(s, first, left), y = combine(s, first + left, n - left);
	sr_build_reduce(s->b, s->area, x * s->stride, s->area, y * s->stride, s->count, false);
	sr_build_round(s->b);
	return x;
}

void sr_hierarchy_combine(struct sr_schedule_builder *b, const struct sr_hierarchy *l, struct sr_area dst, int64_t to,
		       struct sr_area sums,
		       int64_t stride, int64_t count)
{
	struct sums s = {b, l, sums, stride, count, 0};
	if (!count)
		return;
	sr_build_round(b);
	int at = combine(&s, 0, l->call->n);
	sr_build_copy(b, dst, to, sums, at * stride, count);
	sr_build_round(b);
}
