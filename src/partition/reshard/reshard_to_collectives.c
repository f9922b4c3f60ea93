/* Upstream's plan for a change of sharding: all_slice, collective_permute, all_to_alls, all_gather, in this order, repeated once
 * if axis sizes did not fit.
 *
 *	mesh <["x"=2, "y"=2]>, [{"x"}, {}] to [{}, {"x", "y"}]
 *	all_slice [{"y"}, {}]           [{"x", "y"}, {}]      slice an axis where it can move together with others
 *	all_to_all {"x", "y"}: 0 -> 1   [{}, {"x", "y"}]
 *
 * State: per dimension, the axes that are present and must go (in), and the axes that are missing (out), both without the common
 * prefix and split so that overlapping axes are equal. `present_axes` is the current sharding.
 *
 * Requires: in and out shardings of one rank on meshes with the same axes. The plan always ends with the axes of `out`: if two
 * rounds do not reach them, the remaining axes are gathered and sliced. Upstream: sdy-reshard-to-collectives. */
#include "partition/reshard/reshard_plan.h"
#include "support/gcd.h"

struct target { /* target of an axis of `out`: dimension, and index in the dimension's list */
	struct sr_axis_ref ref;
	int dim;
	int64_t index;
};

struct planner {
	struct sr_arena *arena;
	struct sr_reshard_plan *plan;
	int rank;
	struct sr_axis_list *in, *out,
	    *present_axes; /* axes to remove, axes to add, and present axes of each dimension; length: rank */
	/* all axes of `in`. As in upstream, an all_gather of several axes removes only the last one from this list. */
	struct sr_axis_list in_set;
	/* for each dimension: factor by which the current step may still increase its number of shards; length: rank */
	int64_t *capacity;
	SR_VEC(struct target) targets;
	bool is_on_output_mesh;
};

static void note_targets(struct planner *c)
{
	c->targets.n = 0;
	for (int d = 0; d < c->rank; d++)
		for (size_t i = 0; i < c->out[d].n; i++)
			sr_push(c->arena, &c->targets, (struct target){c->out[d].data[i], d, (int64_t)i});
}

static const struct target *target_of(const struct planner *c, struct sr_axis_ref ref)
{
	for (size_t i = 0; i < c->targets.n; i++)
		if (sr_axis_ref_equal(c->targets.data[i].ref, ref))
			return &c->targets.data[i];
	return NULL;
}

static struct planner start_planning(struct sr_reshard_plan *plan)
{
	struct sr_arena *arena = plan->arena;
	int rank = plan->rank;
	struct planner c = {.arena = arena,
			     .plan = plan,
			     .rank = rank,
			     .in = sr_axis_lists_of(arena, plan->in),
			     .out = sr_axis_lists_of(arena, plan->out),
			     .present_axes = sr_axis_lists_of(arena, plan->in),
			     .capacity = SR_NEW_ARRAY(arena, int64_t, rank),
			     .is_on_output_mesh = plan->is_same_mesh};
	struct sr_axis_list *in_axes = sr_axis_lists_of(arena, plan->in);
	sr_axis_lists_align(arena, c.in, rank, c.out, rank);
	sr_axis_lists_align(arena, c.out, rank, in_axes, rank);
	for (int d = 0; d < rank; d++)
		while (c.in[d].n && c.out[d].n && sr_axis_ref_equal(c.in[d].data[0], c.out[d].data[0])) {
			sr_axis_list_erase(&c.in[d], 0);
			sr_axis_list_erase(&c.out[d], 0);
		}
	for (int d = 0; d < rank; d++)
		sr_axis_list_extend(arena, &c.in_set, (struct sr_axes){c.in[d].data, (int)c.in[d].n});
	note_targets(&c);
	return c;
}

static bool is_complete(const struct planner *c)
{
	for (int d = 0; d < c->rank; d++)
		if (c->in[d].n || c->out[d].n)
			return false;
	return c->is_on_output_mesh;
}

static const struct sr_axes *axes_of(struct sr_arena *arena, const struct sr_axis_list *lists, int n)
{
	struct sr_axes *axes = SR_NEW_ARRAY(arena, struct sr_axes, n);
	for (int d = 0; d < n; d++)
		axes[d] = sr_axis_list_axes(arena, &lists[d]);
	return axes;
}

/* Append a step, after which the sharding is `present_axes`. */
static void add_step(struct planner *c, struct sr_reshard_step step)
{
	step.dims = axes_of(c->arena, c->present_axes, c->rank);
	sr_push(c->arena, &c->plan->steps, step);
}

static void add_in_axis(struct planner *c, int dim, size_t at, struct sr_axis_ref ref)
{
	sr_axis_list_insert(c->arena, &c->in[dim], at, ref);
	if (!sr_axis_list_has(&c->in_set, ref))
		sr_push(c->arena, &c->in_set, ref);
}

/* ---------------------------------------------------------------- capacity */

static bool are_divisible(int64_t a, int64_t b)
{
	return a % b == 0 || b % a == 0;
}

/* Part of an axis that fits into a capacity (the major part), and the remaining minor part. */
struct axis_split {
	struct sr_axis_ref major, remaining;
	bool has_remaining;
};

static bool split_axis_by_capacity(struct sr_axis_ref ref, int64_t *capacity, struct axis_split *out)
{
	*out = (struct axis_split){.major = ref};
	if (*capacity <= 1 || !are_divisible(ref.size, *capacity))
		return false;
	if (*capacity >= ref.size) {
		*capacity /= ref.size;
		return true;
	}
	out->major.size = *capacity;
	out->remaining = (struct sr_axis_ref){ref.axis, ref.pre * *capacity, ref.size / *capacity};
	out->has_remaining = true;
	*capacity = 1;
	return true;
}

/* Move axes of `available_axes` (one list for all dimensions, or stride 1: one list per dimension) into `in` of the first
 * dimensions with capacity, at the front or the back. If `removed_axes` is not NULL the axes are also appended to removed_axes[dim]
 * and `present_axes`. */
static void distribute(struct planner *c, struct sr_axis_list *available_axes, int stride, bool to_front,
		       struct sr_axis_list *removed_axes)
{
	struct sr_axis_list split_axes = {0};
	for (int d = 0; d < c->rank; d++) {
		struct sr_axis_list *axes = &available_axes[d * stride];
		size_t at = to_front ? 0 : c->in[d].n;
		for (size_t i = 0; i < axes->n && c->capacity[d] > 1;) {
			struct axis_split fit;
			if (!split_axis_by_capacity(axes->data[i], &c->capacity[d], &fit)) {
				i++;
				continue;
			}
			sr_axis_list_erase(axes, i);
			add_in_axis(c, d, at++, fit.major);
			if (removed_axes) {
				sr_axis_list_merge(c->arena, &removed_axes[d], fit.major);
				sr_axis_list_merge(c->arena, &c->present_axes[d], fit.major);
			}
			if (fit.has_remaining) {
				sr_push(c->arena, &split_axes, fit.major);
				sr_axis_list_insert(c->arena, axes, 0, fit.remaining);
			}
		}
	}
	sr_axis_lists_align(c->arena, c->out, c->rank, &split_axes, 1);
}

/* ---------------------------------------------------------------- all_slice */

struct range { /* range of axes in the list `out` of one dimension */
	int dim;
	size_t begin, end;
};

/* Return true if all axes of dimension src move, in order, to one other dimension that also needs further, unused axes directly
 * after them. If src is first sliced along the further axes, one all_to_all moves all of them without a permute. Reserves the
 * target's capacity. */
static bool slice_for_all_to_all(struct planner *c, int src, struct range *range)
{
	const struct sr_axis_list *in = &c->in[src];
	const struct target *target = in->n && !c->out[src].n ? target_of(c, in->data[in->n - 1]) : NULL;
	if (!target || c->in[target->dim].n)
		return false;
	const struct sr_axis_list *out = &c->out[target->dim];
	size_t last = sr_axis_list_find(out, in->data[in->n - 1]), begin = last < out->n ? last + 1 : 0, end = begin, i = in->n,
	       k = begin;
	if (begin == out->n || sr_axis_list_has(&c->in_set, out->data[begin]))
		return false;
	int64_t common = 1, added_size = 1;
	for (; i > 0 && k > 0 && sr_axis_ref_equal(in->data[i - 1], out->data[k - 1]); i--, k--)
		common *= in->data[i - 1].size;
	for (; i > 0; i--) {
		const struct target *other_target = target_of(c, in->data[i - 1]);
		if (other_target && other_target->dim == target->dim) /* the axes are out of order, so a permute is needed anyway */
			return false;
	}
	for (; end < out->n && !sr_axis_list_has(&c->in_set, out->data[end]); end++)
		added_size *= out->data[end].size;
	if (c->plan->shape[src] % (sr_axis_list_size(&c->present_axes[src]) * added_size) != 0)
		return false;
	c->capacity[target->dim] /= common * added_size;
	*range = (struct range){target->dim, begin, end};
	return true;
}

static void slice_at_sources(struct planner *c, struct sr_axis_list *sliced_axes)
{
	struct range range;
	for (int src = 0; src < c->rank; src++) {
		if (!slice_for_all_to_all(c, src, &range))
			continue;
		for (size_t i = range.begin; i < range.end; i++) {
			struct sr_axis_ref ref = c->out[range.dim].data[i];
			add_in_axis(c, src, c->in[src].n, ref);
			sr_axis_list_merge(c->arena, &sliced_axes[src], ref);
			sr_axis_list_merge(c->arena, &c->present_axes[src], ref);
		}
	}
}

/* Slice the missing axes of a dimension that are unused, as far as its capacity allows; append the other axes to `remaining_axes`.
 */
static void slice_in_place(struct planner *c, int dim, struct sr_axis_list *sliced_axes, struct sr_axis_list *remaining_axes)
{
	struct sr_axis_list *in = &c->in[dim], *out = &c->out[dim];
	for (size_t i = 0; i < out->n;) {
		struct sr_axis_ref ref = out->data[i];
		struct axis_split fit;
		if (sr_axis_list_has(&c->in_set, ref)) {
			i++;
			continue;
		}
		if (!split_axis_by_capacity(ref, &c->capacity[dim], &fit)) {
			sr_push(c->arena, remaining_axes, ref);
			i++;
			continue;
		}
		sr_axis_list_merge(c->arena, sliced_axes, fit.major);
		sr_axis_list_merge(c->arena, &c->present_axes[dim], fit.major);
		if (!in->n && i == 0) {
			sr_axis_list_erase(out, 0); /* the axis is at its final position in the dimension now */
		} else {
			add_in_axis(c, dim, in->n, fit.major);
			out->data[i++] = fit.major;
		}
		if (fit.has_remaining) {
			sr_axis_list_insert(c->arena, out, i++, fit.remaining);
			sr_push(c->arena, remaining_axes, fit.remaining);
		}
	}
}

/* Append an all_slice that slices each dimension by at most the ratio of its output to its input shards; further axes would have to
 * be moved away again. */
static void try_all_slice(struct planner *c)
{
	struct sr_axis_list *sliced_axes = SR_NEW_ARRAY(c->arena, struct sr_axis_list, c->rank), remaining_axes = {0};
	for (int d = 0; d < c->rank; d++) {
		int64_t in = sr_axis_list_size(&c->in[d]), out = sr_axis_list_size(&c->out[d]);
		c->capacity[d] = out / sr_gcd(in, out);
	}
	slice_at_sources(c, sliced_axes);
	for (int d = 0; d < c->rank; d++)
		slice_in_place(c, d, &sliced_axes[d], &remaining_axes);
	distribute(c, &remaining_axes, 0, false, sliced_axes);
	note_targets(c);
	for (int d = 0; d < c->rank; d++)
		if (sliced_axes[d].n) {
			add_step(c, (struct sr_reshard_step){.code = SR_OP_sdy_all_slice,
							     .axes = axes_of(c->arena, sliced_axes, c->rank)});
			return;
		}
}

/* ---------------------------------------------------------------- collective_permute */

/* Return true if the order of a dimension's axes allows neither an all_to_all nor an all_gather. `free_axis`: an axis that will be
 * gathered last, so that another axis may be exchanged for it. */
static bool is_misordered(const struct planner *c, int dim, struct sr_axis_ref *free_axis, bool *has_free)
{
	const struct sr_axis_list *in = &c->in[dim];
	const struct target *last = NULL;
	bool *is_targeted = SR_NEW_ARRAY(c->arena, bool, c->rank);
	int64_t last_index = 0;
	for (size_t i = 0; i < in->n; i++) {
		const struct target *target = target_of(c, in->data[i]);
		if (target) {
			bool is_next_index = last && last->dim == target->dim && target->index == last_index + 1;
			if ((target->dim == dim || is_targeted[target->dim]) && !is_next_index)
				return true;
			is_targeted[target->dim] = true;
			last_index = target->index;
		} else if (last && !c->out[dim].n) {
			return true; /* an axis without target follows one that moves, and must be gathered */
		} else {
			*free_axis = in->data[i];
			*has_free = true;
		}
		last = target;
	}
	return false;
}

static bool should_permute(const struct planner *c)
{
	struct sr_axis_ref free_in = {0}, free_out = {0};
	bool has_in_axis = false, has_out_axis = false;
	for (int d = 0; d < c->rank; d++) {
		const struct sr_axis_list *in = &c->in[d], *out = &c->out[d];
		if (in->n && out->n && are_divisible(in->data[0].size, out->data[0].size))
			return true; /* a permute can replace an axis that must be removed by one that must be added */
		for (size_t i = 0; i < out->n; i++)
			if (!sr_axis_list_has(&c->in_set, out->data[i])) {
				free_out = out->data[i];
				has_out_axis = true;
			}
		if (is_misordered(c, d, &free_in, &has_in_axis))
			return true;
	}
	return has_in_axis && has_out_axis && are_divisible(free_in.size, free_out.size);
}

/* Move axes of total size up to `capacity` from the front of `source` to `target` (NULL: drop them) and append them to
 * `merged_axes` (NULL: do not). Returns the remaining capacity. */
static int64_t move_front_axes(struct planner *c, struct sr_axis_list *source, int64_t capacity, struct sr_axis_list *target,
			       struct sr_axis_list *merged_axes)
{
	struct axis_split fit;
	while (capacity > 1 && source->n && split_axis_by_capacity(source->data[0], &capacity, &fit)) {
		sr_axis_list_erase(source, 0);
		if (target)
			sr_push(c->arena, target, fit.major);
		if (merged_axes)
			sr_axis_list_merge(c->arena, merged_axes, fit.major);
		if (fit.has_remaining)
			sr_axis_list_insert(c->arena, source, 0, fit.remaining);
	}
	return capacity;
}

/* Replace a dimension's `in` axes by as many of its `out` axes as fit. `missing_axes` receives the `out` axes that do not fit;
 * `untargeted_axes` receives the `in` axes without target, beginning with those that were not replaced, so that they keep their
 * positions. */
static void replace_axes(struct planner *c, int dim, struct sr_axis_list *missing_axes, struct sr_axis_list *untargeted_axes)
{
	struct sr_axis_list *in = &c->in[dim], *out = &c->out[dim], replaced_axes = {0};
	int64_t in_size = sr_axis_list_size(in);
	sr_axis_list_pop(&c->present_axes[dim], in->data, in->n);
	c->capacity[dim] = move_front_axes(c, out, in_size, NULL, &c->present_axes[dim]);
	sr_axis_list_extend(c->arena, missing_axes, (struct sr_axes){out->data, (int)out->n});
	for (size_t i = 0; i < in->n;)
		if (target_of(c, in->data[i]))
			sr_axis_list_erase(in, i);
		else
			i++;
	move_front_axes(c, in, in_size / c->capacity[dim], &replaced_axes, NULL);
	sr_axis_list_extend(c->arena, untargeted_axes, (struct sr_axes){in->data, (int)in->n});
	sr_axis_list_extend(c->arena, untargeted_axes, (struct sr_axes){replaced_axes.data, (int)replaced_axes.n});
	in->n = 0;
}

static void permute_axes(struct planner *c)
{
	struct sr_axis_list missing_axes = {0}, *untargeted_axes = SR_NEW_ARRAY(c->arena, struct sr_axis_list, c->rank),
			    remaining_axes = {0};
	c->in_set.n = 0;
	for (int d = 0; d < c->rank; d++)
		replace_axes(c, d, &missing_axes, &untargeted_axes[d]);
	distribute(c, &missing_axes, 0, false, NULL);
	/* Axes without a target are placed at the front, since they are gathered once the axes that follow them have been moved
	 * away. */
	distribute(c, untargeted_axes, 1, true, NULL);
	for (int d = 0; d < c->rank; d++)
		sr_axis_list_extend(c->arena, &remaining_axes,
				    (struct sr_axes){untargeted_axes[d].data, (int)untargeted_axes[d].n});
	distribute(c, &remaining_axes, 0, true, NULL);
	note_targets(c);
	for (int d = 0; d < c->rank; d++)
		for (size_t i = 0; i < c->in[d].n; i++)
			sr_axis_list_merge(c->arena, &c->present_axes[d], c->in[d].data[i]);
}

/* Append a collective_permute if one is needed. A different device order needs a permute even if no axis moves. */
static void try_collective_permute(struct planner *c)
{
	bool is_needed = should_permute(c);
	if (is_needed)
		permute_axes(c);
	else if (c->is_on_output_mesh)
		return;
	c->is_on_output_mesh = true;
	add_step(c, (struct sr_reshard_step){.code = SR_OP_sdy_collective_permute});
}

/* ---------------------------------------------------------------- all_to_all and all_gather */

/* Append an all_to_all of the last axes of src that have the same target dimension. in_order: only if they are the next axes that
 * the target needs. Returns false if there are none. */
static bool try_all_to_all(struct planner *c, int src, bool in_order)
{
	struct sr_axis_list *source_axes = &c->in[src], moved_axes = {0};
	size_t first = source_axes->n;
	int tgt = -1;
	for (; first > 0; first--) {
		const struct target *target = target_of(c, source_axes->data[first - 1]);
		if (!target || target->dim == src || (tgt >= 0 && target->dim != tgt))
			break;
		tgt = target->dim;
	}
	if (tgt < 0)
		return false;
	struct sr_axis_list *target_axes = &c->in[tgt], *missing_axes = &c->out[tgt];
	size_t n = source_axes->n - first;
	if (in_order && !sr_axes_equal((struct sr_axes){source_axes->data + first, (int)n},
				       (struct sr_axes){missing_axes->data, (int)(n < missing_axes->n ? n : missing_axes->n)}))
		return false;
	sr_axis_list_pop(&c->present_axes[src], source_axes->data + first, n);
	for (size_t i = first; i < source_axes->n; i++) {
		struct sr_axis_ref ref = source_axes->data[i];
		sr_axis_list_merge(c->arena, &moved_axes, ref);
		sr_axis_list_merge(c->arena, &c->present_axes[tgt], ref);
		sr_axis_list_remove(&c->in_set, ref);
		if (!target_axes->n && missing_axes->n && sr_axis_ref_equal(missing_axes->data[0], ref))
			sr_axis_list_erase(missing_axes, 0);
		else
			add_in_axis(c, tgt, target_axes->n, ref);
	}
	source_axes->n = first;
	add_step(c, (struct sr_reshard_step){
			    .code = SR_OP_sdy_all_to_all, .axes = axes_of(c->arena, &moved_axes, 1), .src = src, .tgt = tgt});
	return true;
}

static void try_all_to_alls(struct planner *c, bool in_order)
{
	for (int src = 0; src < c->rank; src++)
		while (try_all_to_all(c, src, in_order))
			;
}

/* Append an all_gather of the dimensions whose last axis has no target, down to the common prefix with the output. */
static void try_all_gather(struct planner *c)
{
	struct sr_axis_list *gathered_axes = SR_NEW_ARRAY(c->arena, struct sr_axis_list, c->rank);
	bool is_any_gathered = false;
	for (int d = 0; d < c->rank; d++) {
		struct sr_axis_list *in = &c->in[d];
		if (!in->n || target_of(c, in->data[in->n - 1]))
			continue;
		sr_axis_list_remove(&c->in_set, in->data[in->n - 1]);
		sr_axis_list_pop(&c->present_axes[d], in->data, in->n);
		for (size_t i = 0; i < in->n; i++)
			sr_axis_list_merge(c->arena, &gathered_axes[d], in->data[i]);
		in->n = 0;
		is_any_gathered = true;
	}
	if (is_any_gathered)
		add_step(c,
			 (struct sr_reshard_step){.code = SR_OP_sdy_all_gather, .axes = axes_of(c->arena, gathered_axes, c->rank)});
}

/* Return true if some axes overlap in a way that alignment cannot make equal: "x":(1)2 and "x":(1)3. */
static bool has_unalignable_axes(const struct planner *c)
{
	for (int d = 0; d < c->rank; d++)
		for (size_t i = 0; i < c->out[d].n; i++)
			for (size_t k = 0; k < c->in_set.n; k++)
				if (!sr_axis_can_coexist(c->out[d].data[i], c->in_set.data[k]))
					return true;
	return false;
}

/* Return true if each permute keeps the number of shards of every dimension; sizes such as 12 and 8 can violate this. */
static bool permutes_keep_shards(const struct sr_reshard_plan *plan)
{
	for (size_t i = 0; i < plan->steps.n; i++)
		for (int d = 0; plan->steps.data[i].code == SR_OP_sdy_collective_permute && d < plan->rank; d++) {
			struct sr_axes axes_before = i ? plan->steps.data[i - 1].dims[d] : plan->in->dims[d].axes;
			if (sr_axes_size(axes_before) != sr_axes_size(plan->steps.data[i].dims[d]))
				return false;
		}
	return true;
}

void sr_reshard_plan_upstream(struct sr_reshard_plan *plan)
{
	struct planner c = start_planning(plan);
	const struct sr_axes *axes_left = NULL;
	if (!has_unalignable_axes(&c)) {
		for (int i = 0; i < 2 && !is_complete(&c); i++) {
			try_all_slice(&c);
			try_collective_permute(&c);
			try_all_to_alls(&c, true);
			try_all_to_alls(&c, false);
			try_all_gather(&c);
		}
		axes_left = axes_of(plan->arena, c.present_axes, c.rank);
	}
	if (!permutes_keep_shards(plan)) {
		plan->steps.n = 0;
		axes_left = NULL;
	}
	sr_reshard_plan_gather_and_slice(plan, axes_left, false);
}
