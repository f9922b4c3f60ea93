/* An axis given to a factor of a node, and from there to whatever dimensions are tied to it: through values to the ops around, and
 * through their factors on. Where an op has two factors that the change comes to, the nearer one counts. The change ends at nodes
 * that have no choice and at factors that cannot take it; which part of it to make is for the cut to say. */
#include "partition/search/search.h"

enum { MAX_KNOWN = 512 }; /* factors that a change goes on to though an earlier one was about them */

struct change {
	struct sr_search *s;
	int known;
	struct sr_axis_ref axis;
	enum sr_axis_change how;
};

static struct sr_axes list_of(const struct sr_search *s, int number)
{
	return s->lists.data[number];
}

static int without(struct change *c, int number)
{
	struct sr_axes one = {&c->axis, 1};
	return sr_search_axes_number(c->s, sr_axes_prefix_without_overlaps(c->s->ctx->scratch, list_of(c->s, number), one));
}

static int with(struct change *c, int number)
{
	return sr_search_axes_number(c->s, sr_axes_append(c->s->ctx->scratch, list_of(c->s, number), c->axis));
}

/* The dimension of the first result that the factor is the last of; -1: none. */
static int dim_of_result(const struct sr_op_class *kind, int factor)
{
	const struct sr_tensor_mapping *map = sr_projection_mapping(&kind->view.p, kind->view.rule->n_operands);
	for (int d = 0; d < map->rank; d++)
		if (map->dims[d].n && map->dims[d].factors[map->dims[d].n - 1] == factor)
			return d;
	return -1;
}

static struct sr_strategy *take(struct change *c, struct sr_op_class *kind, const struct sr_strategy *now, int factor)
{
	int axes[SR_SEARCH_MAX_FACTORS], scatter[SR_SEARCH_MAX_TENSORS];
	for (int f = 0; f < kind->view.rule->n_factors; f++)
		axes[f] = f == factor ? without(c, now->axes[f]) : now->axes[f];
	int dim = kind->result_rank ? dim_of_result(kind, factor) : -1;
	for (int d = 0; now->scatter && d < kind->result_rank; d++)
		scatter[d] = d == dim ? without(c, now->scatter[d]) : now->scatter[d];
	return sr_search_strategy(c->s, kind, axes, now->scatter ? scatter : NULL);
}

/* A part of the axis shards something: it is not to be had whole. */
static bool is_parted(struct change *c, const struct sr_op_class *kind, const struct sr_strategy *now)
{
	struct sr_axes one = {&c->axis, 1};
	for (int f = 0; f < kind->view.rule->n_factors; f++) {
		struct sr_axes axes = list_of(c->s, now->axes[f]);
		if (sr_axes_overlap(axes, one) && !sr_axes_has(axes, c->axis))
			return true;
	}
	return false;
}

/* Where the axis is reduced and the dimension is the result's, the result is scattered along it, if that is the change; else the
 * axis comes from whatever factor had it. A dimension of the result that loses it to a reduced factor is scattered along it. */
static struct sr_strategy *give(struct change *c, struct sr_op_class *kind, const struct sr_strategy *now, int factor)
{
	const struct sr_sharding_rule *rule = kind->view.rule;
	int axes[SR_SEARCH_MAX_FACTORS], scatter[SR_SEARCH_MAX_TENSORS], dim = kind->result_rank ? dim_of_result(kind, factor) : -1;
	bool reduces = sr_index_list_has(rule->reduction, factor);
	if (is_parted(c, kind, now))
		return NULL;
	for (int d = 0; d < kind->result_rank; d++)
		scatter[d] = now->scatter ? without(c, now->scatter[d]) : 0;
	for (int f = 0; f < rule->n_factors; f++)
		axes[f] = now->axes[f];
	for (int f = 0; f < rule->n_factors; f++) {
		if (f == factor || !sr_axes_has(list_of(c->s, axes[f]), c->axis))
			continue;
		bool may = dim >= 0 && sr_index_list_has(rule->reduction, f);
		c->s->may_scatter = c->s->may_scatter || may;
		if (may && c->how == SR_AXIS_ADD_SCATTERED) {
			scatter[dim] = with(c, scatter[dim]);
			return sr_search_strategy(c->s, kind, axes, scatter);
		}
		axes[f] = without(c, axes[f]);
		int lost = kind->result_rank && reduces ? dim_of_result(kind, f) : -1;
		if (lost >= 0)
			scatter[lost] = with(c, scatter[lost]);
	}
	if (kind->limits.whole[factor] || rule->sizes[factor] % (sr_axes_size(list_of(c->s, axes[factor])) * c->axis.size))
		return NULL;
	axes[factor] = with(c, axes[factor]);
	struct sr_strategy *x = sr_search_strategy(c->s, kind, axes, kind->result_rank ? scatter : NULL);
	return sr_axes_has(list_of(c->s, x->axes[factor]), c->axis) ? x : NULL;
}

/* The node's strategy after the change at this factor; NULL: it ends here. */
static struct sr_strategy *changed(struct change *c, const struct sr_search_node *n, int factor)
{
	bool has = sr_axes_has(list_of(c->s, n->now->axes[factor]), c->axis);
	int dim = n->kind->result_rank ? dim_of_result(n->kind, factor) : -1;
	bool scattered = dim >= 0 && n->now->scatter && sr_axes_has(list_of(c->s, n->now->scatter[dim]), c->axis);
	if (c->how == SR_AXIS_REMOVE)
		return has || scattered ? take(c, n->kind, n->now, factor) : NULL;
	return has ? n->now : give(c, n->kind, n->now, factor);
}

enum entry { DONE, REFUSED, LATER }; /* LATER: the change came to the node by another factor, this one is still to be changed */

static enum entry enter(struct change *c, int node, int factor)
{
	struct sr_search_node *n = &c->s->nodes.data[node];
	bool covered = n->covered & (1u << factor);
	if (n->seen == c->s->stamp)
		return covered ? DONE : LATER;
	if (!sr_search_may_change(c->s, n) || (covered && c->known++ >= MAX_KNOWN))
		return REFUSED;
	struct sr_strategy *next = changed(c, n, factor);
	if (!next)
		return REFUSED;
	n->seen = c->s->stamp;
	n->next = next;
	n->factor = factor;
	n->covered |= 1u << factor;
	sr_push(c->s->arena, &c->s->region, node);
	return DONE;
}

/* The first factor of a dimension is the one that its first axes shard. */
static enum entry enter_dim(struct change *c, int node, int tensor, int dim)
{
	const struct sr_search_node *n = &c->s->nodes.data[node];
	const struct sr_tensor_mapping *map = n->kind ? sr_projection_mapping(&n->kind->view.p, tensor) : NULL;
	c->s->visits++;
	return map && dim < map->rank && map->dims[dim].n ? enter(c, node, map->dims[dim].factors[0]) : REFUSED;
}

static enum entry enter_reader(struct change *c, const struct sr_search_value *e, size_t i, int dim)
{
	return enter_dim(c, e->readers.data[i].node, e->readers.data[i].tensor, dim);
}

/* Enter the readers that no change with this axis has been about, then others as long as the change may repeat some: so all changes
 * together look at a value's readers a constant number of times each. */
static void enter_many(struct change *c, struct sr_search_value *e, int dim, bool again)
{
	struct sr_dim_visits *t = &e->through[dim];
	size_t n = 0;
	if (!again) {
		t->open.n = 0;
		for (size_t i = 0; i < e->readers.n; i++)
			sr_push(c->s->arena, &t->open, (int)i);
	}
	for (size_t i = 0; i < t->open.n; i++)
		if (enter_reader(c, e, (size_t)t->open.data[i], dim) == LATER)
			t->open.data[n++] = t->open.data[i];
	t->open.n = n;
	for (size_t i = 0; again && i < e->readers.n && c->known < MAX_KNOWN; i++)
		c->known += enter_reader(c, e, i, dim) == REFUSED;
}

/* Enter all that share a dimension of a value, once in a change. */
static void spread_dim(struct change *c, struct sr_search_value *e, int dim)
{
	struct sr_dim_visits *t = &e->through[dim];
	bool again = t->stamp > c->s->pass;
	if (t->stamp == c->s->stamp)
		return;
	t->stamp = c->s->stamp;
	if (e->node >= 0)
		enter_dim(c, e->node, e->tensor, dim);
	if (e->readers.n > MAX_KNOWN) {
		enter_many(c, e, dim, again);
		return;
	}
	for (size_t i = 0; i < e->readers.n; i++)
		enter_reader(c, e, i, dim);
}

static void spread(struct change *c, int node)
{
	const struct sr_search_node *n = &c->s->nodes.data[node];
	int factor = n->factor;
	for (int t = 0; t < n->n_tensors; t++) {
		const struct sr_tensor_mapping *map = sr_projection_mapping(&n->kind->view.p, t);
		struct sr_search_value *e = n->edges[t] >= 0 ? &c->s->edges.data[n->edges[t]] : NULL;
		for (int d = 0; e && d < map->rank; d++) {
			if (map->dims[d].n && map->dims[d].factors[0] == factor)
				spread_dim(c, e, d);
		}
	}
}

void sr_search_collect_region(struct sr_search *s, int node, int factor, struct sr_axis_ref axis, enum sr_axis_change how)
{
	struct change c = {.s = s, .axis = axis, .how = how};
	struct sr_arena_position mark = sr_arena_mark(s->ctx->scratch);
	s->stamp++;
	s->region.n = 0;
	s->may_scatter = false;
	enter(&c, node, factor);
	for (size_t i = 0; i < s->region.n; i++)
		spread(&c, s->region.data[i]);
	sr_arena_release(s->ctx->scratch, mark);
}

/* The node's strategy without the axis; axis of size 0: without any. */
static struct sr_strategy *dropped(struct change *c, const struct sr_search_node *n)
{
	int axes[SR_SEARCH_MAX_FACTORS] = {0}, scatter[SR_SEARCH_MAX_TENSORS] = {0};
	bool all = c->axis.size == 0;
	for (int f = 0; !all && f < n->kind->view.rule->n_factors; f++)
		axes[f] = without(c, n->now->axes[f]);
	for (int d = 0; !all && n->now->scatter && d < n->kind->result_rank; d++)
		scatter[d] = without(c, n->now->scatter[d]);
	return sr_search_strategy(c->s, n->kind, axes, n->now->scatter ? scatter : NULL);
}

void sr_search_collect_without_axis(struct sr_search *s, struct sr_axis_ref axis)
{
	struct change c = {.s = s, .axis = axis, .how = SR_AXIS_REMOVE};
	struct sr_arena_position mark = sr_arena_mark(s->ctx->scratch);
	s->stamp++;
	s->region.n = 0;
	for (size_t i = 0; i < s->nodes.n; i++) {
		struct sr_search_node *n = &s->nodes.data[i];
		if (!sr_search_may_change(s, n))
			continue;
		n->seen = s->stamp;
		n->next = dropped(&c, n);
		sr_push(s->arena, &s->region, (int)i);
	}
	sr_arena_release(s->ctx->scratch, mark);
}
