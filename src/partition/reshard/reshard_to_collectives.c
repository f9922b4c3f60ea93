/* Upstream's choice of collectives for a change of sharding: all_slice, collective_permute, all_to_alls, all_gather, in this
 * order, and once more where sizes did not fit.
 *
 *	mesh <["x"=2, "y"=2]>, [{"x"}, {}] to [{}, {"x", "y"}]
 *	all_slice [{"y"}, {}]           [{"x", "y"}, {}]      slice where the axis can travel with the others
 *	all_to_all {"x", "y"}: 0 -> 1   [{}, {"x", "y"}]
 *
 * The state is what is left to do: per dimension the axes that are there and should not be (in) and those that should be there
 * and are not (out), both without the common prefix, cut so that axes of the two overlap only where they are equal. `now` is
 * the sharding at this point.
 *
 * Requires in and out shardings of one rank on meshes with the same axes. Leaves the route at out's dims whatever the sizes:
 * where the rounds did not get there, the rest is gathered and sliced. Upstream: sdy-reshard-to-collectives. */
#include "partition/reshard/reshard_plan.h"
#include "support/gcd.h"

struct place { /* of an axis of out: which dimension wants it, and as which of its axes */
	struct sr_axis_ref ref;
	int dim;
	int64_t index;
};

struct inserter {
	struct sr_arena *arena;
	struct sr_reshard_plan *route;
	int rank;
	struct sr_axis_list *in, *out, *now; /* [rank] */
	struct sr_axis_list in_set;          /* all of `in`; keeps what an all_gather took but for the last, as upstream's does */
	int64_t *capacity;                   /* [rank], by how much the step at work can shard a dimension */
	SR_VEC(struct place) places;
	bool on_out_mesh;
};

static void note_places(struct inserter *c)
{
	c->places.n = 0;
	for (int d = 0; d < c->rank; d++)
		for (size_t i = 0; i < c->out[d].n; i++)
			sr_push(c->arena, &c->places, (struct place){c->out[d].data[i], d, (int64_t)i});
}

static const struct place *place_of(const struct inserter *c, struct sr_axis_ref ref)
{
	for (size_t i = 0; i < c->places.n; i++)
		if (sr_axis_ref_equal(c->places.data[i].ref, ref))
			return &c->places.data[i];
	return NULL;
}

static struct inserter start(struct sr_reshard_plan *route)
{
	struct sr_arena *arena = route->arena;
	int rank = route->rank;
	struct inserter c = {.arena = arena,
			     .route = route,
			     .rank = rank,
			     .in = sr_axis_lists_of(arena, route->in),
			     .out = sr_axis_lists_of(arena, route->out),
			     .now = sr_axis_lists_of(arena, route->in),
			     .capacity = SR_NEWS(arena, int64_t, rank),
			     .on_out_mesh = route->same_mesh};
	struct sr_axis_list *whole = sr_axis_lists_of(arena, route->in);
	sr_axis_lists_align(arena, c.in, rank, c.out, rank);
	sr_axis_lists_align(arena, c.out, rank, whole, rank);
	for (int d = 0; d < rank; d++)
		while (c.in[d].n && c.out[d].n && sr_axis_ref_equal(c.in[d].data[0], c.out[d].data[0])) {
			sr_axis_list_erase(&c.in[d], 0);
			sr_axis_list_erase(&c.out[d], 0);
		}
	for (int d = 0; d < rank; d++)
		sr_axis_list_extend(arena, &c.in_set, (struct sr_axes){c.in[d].data, (int)c.in[d].n});
	note_places(&c);
	return c;
}

static bool done(const struct inserter *c)
{
	for (int d = 0; d < c->rank; d++)
		if (c->in[d].n || c->out[d].n)
			return false;
	return c->on_out_mesh;
}

static const struct sr_axes *axes_of(struct sr_arena *arena, const struct sr_axis_list *lists, int n)
{
	struct sr_axes *axes = SR_NEWS(arena, struct sr_axes, n);
	for (int d = 0; d < n; d++)
		axes[d] = sr_axis_list_axes(arena, &lists[d]);
	return axes;
}

/* A step to the sharding of now. */
static void add_step(struct inserter *c, struct sr_reshard_step step)
{
	step.dims = axes_of(c->arena, c->now, c->rank);
	sr_push(c->arena, &c->route->steps, step);
}

static void add_in(struct inserter *c, int dim, size_t at, struct sr_axis_ref ref)
{
	sr_axis_list_insert(c->arena, &c->in[dim], at, ref);
	if (!sr_axis_list_has(&c->in_set, ref))
		sr_push(c->arena, &c->in_set, ref);
}

/* ---------------------------------------------------------------- capacity */

static bool divisible(int64_t a, int64_t b)
{
	return a % b == 0 || b % a == 0;
}

/* The part of an axis that a capacity has room for, its left one, and what is left over on the right. */
struct fit {
	struct sr_axis_ref within, rest;
	bool has_rest;
};

static bool fit_axis(struct sr_axis_ref ref, int64_t *capacity, struct fit *out)
{
	*out = (struct fit){.within = ref};
	if (*capacity <= 1 || !divisible(ref.size, *capacity))
		return false;
	if (*capacity >= ref.size) {
		*capacity /= ref.size;
		return true;
	}
	out->within.size = *capacity;
	out->rest = (struct sr_axis_ref){ref.axis, ref.pre * *capacity, ref.size / *capacity};
	out->has_rest = true;
	*capacity = 1;
	return true;
}

/* Put axes of `available` (one list for all dimensions, or one for each: stride 1) into `in` of the first dimensions with
 * room, at the front or the back. What is taken goes onto taken[dim] too where that is not NULL. */
static void distribute(struct inserter *c, struct sr_axis_list *available, int stride, bool to_front, struct sr_axis_list *taken)
{
	struct sr_axis_list split = {0};
	for (int d = 0; d < c->rank; d++) {
		struct sr_axis_list *from = &available[d * stride];
		size_t at = to_front ? 0 : c->in[d].n;
		for (size_t i = 0; i < from->n && c->capacity[d] > 1;) {
			struct fit fit;
			if (!fit_axis(from->data[i], &c->capacity[d], &fit)) {
				i++;
				continue;
			}
			sr_axis_list_erase(from, i);
			add_in(c, d, at++, fit.within);
			if (taken) {
				sr_axis_list_merge(c->arena, &taken[d], fit.within);
				sr_axis_list_merge(c->arena, &c->now[d], fit.within);
			}
			if (fit.has_rest) {
				sr_push(c->arena, &split, fit.within);
				sr_axis_list_insert(c->arena, from, 0, fit.rest);
			}
		}
	}
	sr_axis_lists_align(c->arena, c->out, c->rank, &split, 1);
}

/* ---------------------------------------------------------------- all_slice */

struct range { /* of out axes of one dimension */
	int dim;
	size_t begin, end;
};

/* Whether the axes of dimension src go as they stand to one other dimension, behind whose share of them more axes can be
 * sliced that have to get there too: then slicing those at src spares a permute. Reserves the target's capacity. */
static bool slice_for_all_to_all(struct inserter *c, int src, struct range *range)
{
	const struct sr_axis_list *in = &c->in[src];
	const struct place *place = in->n && !c->out[src].n ? place_of(c, in->data[in->n - 1]) : NULL;
	if (!place || c->in[place->dim].n)
		return false;
	const struct sr_axis_list *out = &c->out[place->dim];
	size_t last = sr_axis_list_find(out, in->data[in->n - 1]), begin = last < out->n ? last + 1 : 0, end = begin, i = in->n,
	       k = begin;
	if (begin == out->n || sr_axis_list_has(&c->in_set, out->data[begin]))
		return false;
	int64_t common = 1, added = 1;
	for (; i > 0 && k > 0 && sr_axis_ref_equal(in->data[i - 1], out->data[k - 1]); i--, k--)
		common *= in->data[i - 1].size;
	for (; i > 0; i--) {
		const struct place *other = place_of(c, in->data[i - 1]);
		if (other && other->dim == place->dim) /* out of order: a permute is needed anyway */
			return false;
	}
	for (; end < out->n && !sr_axis_list_has(&c->in_set, out->data[end]); end++)
		added *= out->data[end].size;
	if (c->route->shape[src] % (sr_axis_list_size(&c->now[src]) * added) != 0)
		return false;
	c->capacity[place->dim] /= common * added;
	*range = (struct range){place->dim, begin, end};
	return true;
}

static void slice_at_sources(struct inserter *c, struct sr_axis_list *sliced)
{
	struct range range;
	for (int src = 0; src < c->rank; src++) {
		if (!slice_for_all_to_all(c, src, &range))
			continue;
		for (size_t i = range.begin; i < range.end; i++) {
			struct sr_axis_ref ref = c->out[range.dim].data[i];
			add_in(c, src, c->in[src].n, ref);
			sr_axis_list_merge(c->arena, &sliced[src], ref);
			sr_axis_list_merge(c->arena, &c->now[src], ref);
		}
	}
}

/* Slice what the dimension wants and nobody has, as far as its capacity goes; the rest onto `left`. */
static void slice_in_place(struct inserter *c, int dim, struct sr_axis_list *sliced, struct sr_axis_list *left)
{
	struct sr_axis_list *in = &c->in[dim], *out = &c->out[dim];
	for (size_t i = 0; i < out->n;) {
		struct sr_axis_ref ref = out->data[i];
		struct fit fit;
		if (sr_axis_list_has(&c->in_set, ref)) {
			i++;
			continue;
		}
		if (!fit_axis(ref, &c->capacity[dim], &fit)) {
			sr_push(c->arena, left, ref);
			i++;
			continue;
		}
		sr_axis_list_merge(c->arena, sliced, fit.within);
		sr_axis_list_merge(c->arena, &c->now[dim], fit.within);
		if (!in->n && i == 0) {
			sr_axis_list_erase(out, 0); /* where it belongs */
		} else {
			add_in(c, dim, in->n, fit.within);
			out->data[i++] = fit.within;
		}
		if (fit.has_rest) {
			sr_axis_list_insert(c->arena, out, i++, fit.rest);
			sr_push(c->arena, left, fit.rest);
		}
	}
}

/* A dimension is sliced at most as much as its output is sharded more than its input; more would have to be moved away again. */
static void try_all_slice(struct inserter *c)
{
	struct sr_axis_list *sliced = SR_NEWS(c->arena, struct sr_axis_list, c->rank), left = {0};
	for (int d = 0; d < c->rank; d++) {
		int64_t in = sr_axis_list_size(&c->in[d]), out = sr_axis_list_size(&c->out[d]);
		c->capacity[d] = out / sr_gcd(in, out);
	}
	slice_at_sources(c, sliced);
	for (int d = 0; d < c->rank; d++)
		slice_in_place(c, d, &sliced[d], &left);
	distribute(c, &left, 0, false, sliced);
	note_places(c);
	for (int d = 0; d < c->rank; d++)
		if (sliced[d].n) {
			add_step(c,
				 (struct sr_reshard_step){.code = SR_OP_sdy_all_slice, .axes = axes_of(c->arena, sliced, c->rank)});
			return;
		}
}

/* ---------------------------------------------------------------- collective_permute */

/* The axes of one dimension stand so that no all_to_all and no all_gather can take them as they are. `free`: the last axis to
 * be gathered from a place where something else may stand. */
static bool out_of_order(const struct inserter *c, int dim, struct sr_axis_ref *free, bool *has_free)
{
	const struct sr_axis_list *in = &c->in[dim];
	const struct place *last = NULL;
	bool *seen = SR_NEWS(c->arena, bool, c->rank);
	int64_t last_index = 0;
	for (size_t i = 0; i < in->n; i++) {
		const struct place *place = place_of(c, in->data[i]);
		if (place) {
			bool follows = last && last->dim == place->dim && place->index == last_index + 1;
			if ((place->dim == dim || seen[place->dim]) && !follows)
				return true;
			seen[place->dim] = true;
			last_index = place->index;
		} else if (last && !c->out[dim].n) {
			return true; /* to be gathered, but not at the front */
		} else {
			*free = in->data[i];
			*has_free = true;
		}
		last = place;
	}
	return false;
}

static bool should_permute(const struct inserter *c)
{
	struct sr_axis_ref free_in = {0}, free_out = {0};
	bool has_in = false, has_out = false;
	for (int d = 0; d < c->rank; d++) {
		const struct sr_axis_list *in = &c->in[d], *out = &c->out[d];
		if (in->n && out->n && divisible(in->data[0].size, out->data[0].size))
			return true; /* what is there can be replaced by what should be */
		for (size_t i = 0; i < out->n; i++)
			if (!sr_axis_list_has(&c->in_set, out->data[i])) {
				free_out = out->data[i];
				has_out = true;
			}
		if (out_of_order(c, d, &free_in, &has_in))
			return true;
	}
	return has_in && has_out && divisible(free_in.size, free_out.size);
}

/* Take the front of `from` up to `capacity` off and onto `to` (NULL: drop it) and `merged` (NULL: none); what of the capacity
 * is left. */
static int64_t take_front(struct inserter *c, struct sr_axis_list *from, int64_t capacity, struct sr_axis_list *to,
			  struct sr_axis_list *merged)
{
	struct fit fit;
	while (capacity > 1 && from->n && fit_axis(from->data[0], &capacity, &fit)) {
		sr_axis_list_erase(from, 0);
		if (to)
			sr_push(c->arena, to, fit.within);
		if (merged)
			sr_axis_list_merge(c->arena, merged, fit.within);
		if (fit.has_rest)
			sr_axis_list_insert(c->arena, from, 0, fit.rest);
	}
	return capacity;
}

/* The dimension's in axes give way to as many of its out axes as fit; `wanted` gets the out axes that did not, and `spare` the
 * in axes nobody wants, those that were not replaced first, so that they go back to where they were. */
static void replace_axes(struct inserter *c, int dim, struct sr_axis_list *wanted, struct sr_axis_list *spare)
{
	struct sr_axis_list *in = &c->in[dim], *out = &c->out[dim], replaced = {0};
	int64_t all = sr_axis_list_size(in);
	sr_axis_list_pop(&c->now[dim], in->data, in->n);
	c->capacity[dim] = take_front(c, out, all, NULL, &c->now[dim]);
	sr_axis_list_extend(c->arena, wanted, (struct sr_axes){out->data, (int)out->n});
	for (size_t i = 0; i < in->n;)
		if (place_of(c, in->data[i]))
			sr_axis_list_erase(in, i);
		else
			i++;
	take_front(c, in, all / c->capacity[dim], &replaced, NULL);
	sr_axis_list_extend(c->arena, spare, (struct sr_axes){in->data, (int)in->n});
	sr_axis_list_extend(c->arena, spare, (struct sr_axes){replaced.data, (int)replaced.n});
	in->n = 0;
}

static void permute(struct inserter *c)
{
	struct sr_axis_list wanted = {0}, *spare = SR_NEWS(c->arena, struct sr_axis_list, c->rank), rest = {0};
	c->in_set.n = 0;
	for (int d = 0; d < c->rank; d++)
		replace_axes(c, d, &wanted, &spare[d]);
	distribute(c, &wanted, 0, false, NULL);
	/* to the front: they are gathered once what stands behind them has moved on */
	distribute(c, spare, 1, true, NULL);
	for (int d = 0; d < c->rank; d++)
		sr_axis_list_extend(c->arena, &rest, (struct sr_axes){spare[d].data, (int)spare[d].n});
	distribute(c, &rest, 0, true, NULL);
	note_places(c);
	for (int d = 0; d < c->rank; d++)
		for (size_t i = 0; i < c->in[d].n; i++)
			sr_axis_list_merge(c->arena, &c->now[d], c->in[d].data[i]);
}

/* Another order of devices needs a permute even if all axes stay. */
static void try_collective_permute(struct inserter *c)
{
	bool needed = should_permute(c);
	if (needed)
		permute(c);
	else if (c->on_out_mesh)
		return;
	c->on_out_mesh = true;
	add_step(c, (struct sr_reshard_step){.code = SR_OP_sdy_collective_permute});
}

/* ---------------------------------------------------------------- all_to_all and all_gather */

/* The last axes of src that one other dimension wants, all of them together. in_order: only if they are what it wants next. */
static bool try_all_to_all(struct inserter *c, int src, bool in_order)
{
	struct sr_axis_list *from = &c->in[src], moved = {0};
	size_t first = from->n;
	int tgt = -1;
	for (; first > 0; first--) {
		const struct place *place = place_of(c, from->data[first - 1]);
		if (!place || place->dim == src || (tgt >= 0 && place->dim != tgt))
			break;
		tgt = place->dim;
	}
	if (tgt < 0)
		return false;
	struct sr_axis_list *to = &c->in[tgt], *wanted = &c->out[tgt];
	size_t n = from->n - first;
	if (in_order && !sr_axes_equal((struct sr_axes){from->data + first, (int)n},
				       (struct sr_axes){wanted->data, (int)(n < wanted->n ? n : wanted->n)}))
		return false;
	sr_axis_list_pop(&c->now[src], from->data + first, n);
	for (size_t i = first; i < from->n; i++) {
		struct sr_axis_ref ref = from->data[i];
		sr_axis_list_merge(c->arena, &moved, ref);
		sr_axis_list_merge(c->arena, &c->now[tgt], ref);
		sr_axis_list_remove(&c->in_set, ref);
		if (!to->n && wanted->n && sr_axis_ref_equal(wanted->data[0], ref))
			sr_axis_list_erase(wanted, 0);
		else
			add_in(c, tgt, to->n, ref);
	}
	from->n = first;
	add_step(c, (struct sr_reshard_step){
			    .code = SR_OP_sdy_all_to_all, .axes = axes_of(c->arena, &moved, 1), .src = src, .tgt = tgt});
	return true;
}

static void try_all_to_alls(struct inserter *c, bool in_order)
{
	for (int src = 0; src < c->rank; src++)
		while (try_all_to_all(c, src, in_order))
			;
}

/* Dimensions whose last axis nobody wants are gathered down to their common prefix with the output. */
static void try_all_gather(struct inserter *c)
{
	struct sr_axis_list *gathered = SR_NEWS(c->arena, struct sr_axis_list, c->rank);
	bool any = false;
	for (int d = 0; d < c->rank; d++) {
		struct sr_axis_list *in = &c->in[d];
		if (!in->n || place_of(c, in->data[in->n - 1]))
			continue;
		sr_axis_list_remove(&c->in_set, in->data[in->n - 1]);
		sr_axis_list_pop(&c->now[d], in->data, in->n);
		for (size_t i = 0; i < in->n; i++)
			sr_axis_list_merge(c->arena, &gathered[d], in->data[i]);
		in->n = 0;
		any = true;
	}
	if (any)
		add_step(c, (struct sr_reshard_step){.code = SR_OP_sdy_all_gather, .axes = axes_of(c->arena, gathered, c->rank)});
}

/* Two axes that overlap and are not equal even when aligned, "x":(1)2 and "x":(1)3, have no common parts to move. */
static bool cannot_coexist(const struct inserter *c)
{
	for (int d = 0; d < c->rank; d++)
		for (size_t i = 0; i < c->out[d].n; i++)
			for (size_t k = 0; k < c->in_set.n; k++)
				if (!sr_axis_can_coexist(c->out[d].data[i], c->in_set.data[k]))
					return true;
	return false;
}

/* A permute must leave every dimension as many shards as it had; with sizes such as 12 and 8 the choice above can miss that. */
static bool permutes_keep_shards(const struct sr_reshard_plan *route)
{
	for (size_t i = 0; i < route->steps.n; i++)
		for (int d = 0; route->steps.data[i].code == SR_OP_sdy_collective_permute && d < route->rank; d++) {
			struct sr_axes before = i ? route->steps.data[i - 1].dims[d] : route->in->dims[d].axes;
			if (sr_axes_size(before) != sr_axes_size(route->steps.data[i].dims[d]))
				return false;
		}
	return true;
}

void sr_reshard_plan_upstream(struct sr_reshard_plan *route)
{
	struct inserter c = start(route);
	const struct sr_axes *left = NULL;
	if (!cannot_coexist(&c)) {
		for (int i = 0; i < 2 && !done(&c); i++) {
			try_all_slice(&c);
			try_collective_permute(&c);
			try_all_to_alls(&c, true);
			try_all_to_alls(&c, false);
			try_all_gather(&c);
		}
		left = axes_of(route->arena, c.now, c.rank);
	}
	if (!permutes_keep_shards(route)) {
		route->steps.n = 0;
		left = NULL;
	}
	sr_reshard_plan_gather_and_slice(route, left, false);
}
