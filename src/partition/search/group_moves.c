/* Group moves: a value gets another layout, and all ops that define or read it change accordingly, then the ops at the values whose
 * layouts change by that, and so on. Changes of one axis (region.c) and of one op (descent.c) do not find improvements that need
 * several axes and several ops at once, such as a reshard from [{"x"}, {}] to [{}, {"y"}] that two readers would share.
 *
 * Every layout of full axes is tried for small ranks and meshes, otherwise those that the value has, or a reader requires. Each
 * layout is tried with only the ops at that value, and with more and more of the ops around them; a minimum cut finds the best part
 * of each change. Cost: values times layouts times the ops that change with them, so group moves are only tried in small
 * programs. */
#include "partition/search/search.h"

enum {
	MAX_HOPS = 3, /* number of sizes of a change that are tried; the last one includes all ops that change */
	MAX_AXES = 2, MAX_RANK = 3, /* maximum number of mesh axes, and rank of values, for which all layouts are tried */
};

struct group_move {
	struct sr_search *s;
	SR_VEC(struct sr_strategy *) next; /* strategy of each node of the region in the move */
	double gain;
};

/* Add the node to the region if it has a strategy with this layout for its tensor. */
static void add_node(struct group_move *m, int node, int tensor, const struct sr_attr *layout)
{
	struct sr_search *s = m->s;
	struct sr_search_node *n = node >= 0 ? &s->nodes.data[node] : NULL;
	if (!n || !sr_search_may_change(s, n) || n->seen_stamp == s->stamp || n->now->layouts[tensor] == layout)
		return;
	struct sr_strategy *x = sr_search_memoized_with_layout(s, n->kind, n->now, tensor, layout);
	if (!x || x->layouts[tensor] != layout)
		return;
	n->seen_stamp = s->stamp;
	sr_push(s->arena, &s->region, node);
	sr_push(s->arena, &m->next, x);
}

/* Add the ops that define or read the value to the region. */
static void add_nodes_at_value(struct group_move *m, const struct sr_search_value *e, const struct sr_attr *layout)
{
	add_node(m, e->node, e->tensor, layout);
	for (size_t k = 0; k < e->readers.n; k++)
		add_node(m, e->readers.data[k].node, e->readers.data[k].tensor, layout);
}

/* Add to the region the ops at the values whose layouts node number i of the region changes. */
static void add_neighbor_nodes(struct group_move *m, size_t i)
{
	struct sr_search *s = m->s;
	const struct sr_search_node *n = &s->nodes.data[s->region.data[i]];
	for (int t = 0; t < n->n_tensors; t++) {
		const struct sr_attr *layout = m->next.data[i]->layouts[t];
		if (n->edges[t] >= 0 && layout != n->now->layouts[t])
			add_nodes_at_value(m, &s->edges.data[n->edges[t]], layout);
	}
}

/* Apply the best part of the change to the region's first n nodes. */
static double apply(struct group_move *m, size_t n)
{
	struct sr_search *s = m->s;
	size_t all = s->region.n;
	int *nodes = sr_dup(s->ctx->scratch, s->region.data, all, sizeof *nodes);
	s->stamp++;
	s->region.n = n;
	for (size_t i = 0; i < n; i++) {
		struct sr_search_node *node = &s->nodes.data[nodes[i]];
		node->seen_stamp = s->stamp;
		node->next = m->next.data[i];
	}
	double gain = sr_search_apply_best_subset(s, 0);
	for (size_t i = 0; i < all; i++) /* restore the region's order, which sorting by component has changed */
		s->region.data[i] = nodes[i];
	s->region.n = all;
	return gain;
}

/* Try the group move of giving the value this layout. */
static void try_layout(struct group_move *m, int edge, const struct sr_attr *layout)
{
	struct sr_search *s = m->s;
	size_t ends[MAX_HOPS], first = 0;
	double gain = 0;
	struct sr_arena_position mark = sr_arena_mark(s->ctx->scratch);
	s->stamp++;
	s->region.n = m->next.n = 0;
	add_nodes_at_value(m, &s->edges.data[edge], layout);
	for (int hop = 0; hop < MAX_HOPS; hop++) {
		ends[hop] = s->region.n;
		for (; first < ends[hop]; first++)
			add_neighbor_nodes(m, first);
	}
	for (; first < s->region.n; first++)
		add_neighbor_nodes(m, first);
	ends[MAX_HOPS - 1] = s->region.n;
	for (int hop = 0; hop < MAX_HOPS && !(gain > 0); hop++)
		if (!hop || ends[hop] > ends[hop - 1])
			gain = apply(m, ends[hop]);
	sr_arena_release(s->ctx->scratch, mark);
	m->gain += gain;
}

/* Try the layouts of the value in which mesh axis a and each following axis are on any dimension or on none, in either order. */
static void try_axes(struct group_move *m, int edge, int a, struct sr_axes *dims)
{
	struct sr_search *s = m->s;
	const struct sr_mesh *mesh = s->mesh.mesh;
	const struct sr_type *type = s->edges.data[edge].value->type;
	if (a == mesh->n_axes) {
		try_layout(m, edge, sr_sharding_attr_of_axes(s->ctx, &s->mesh, dims, type->rank));
		return;
	}
	struct sr_axis_ref axis = {mesh->axes[a].name, 1, mesh->axes[a].size};
	try_axes(m, edge, a + 1, dims);
	for (int d = 0; axis.size > 1 && d < type->rank; d++) {
		struct sr_axes was = dims[d], one = {&axis, 1};
		if (type->shape[d] % (sr_axes_size(was) * axis.size))
			continue;
		dims[d] = sr_axes_append(s->ctx->scratch, was, axis);
		try_axes(m, edge, a + 1, dims);
		dims[d] = sr_axes_concat(s->ctx->scratch, one, was);
		if (was.n)
			try_axes(m, edge, a + 1, dims);
		dims[d] = was;
	}
}

static void try_layouts(struct group_move *m, int edge)
{
	struct sr_search *s = m->s;
	const struct sr_search_value *e = &s->edges.data[edge];
	const struct sr_attr *current = sr_search_layout_of(s, e, false);
	if (s->mesh.mesh->n_axes <= MAX_AXES && e->value->type->rank <= MAX_RANK) {
		try_axes(m, edge, 0, SR_NEWS(s->ctx->scratch, struct sr_axes, e->value->type->rank));
		return;
	}
	if (current)
		try_layout(m, edge, current);
	for (size_t i = 0; i < e->required.n; i++)
		if (e->required.data[i].n[0])
			try_layout(m, edge, e->required.data[i].layout);
}

double sr_search_group_moves(struct sr_search *s)
{
	struct group_move m = {.s = s};
	for (size_t i = 0; i < s->edges.n; i++) {
		struct sr_arena_position mark = sr_arena_mark(s->ctx->scratch);
		try_layouts(&m, (int)i);
		sr_arena_release(s->ctx->scratch, mark);
	}
	return m.gain;
}
