/* Lists of axes for planning reshards, and their alignment. Two lists are aligned when overlapping axes are equal: "x":(1)4 and
 * "x":(2)2 are aligned by splitting the first into "x":(1)2, "x":(2)2. */
#include "partition/reshard/reshard_plan.h"
#include <string.h>

void sr_axis_list_insert(struct sr_arena *arena, struct sr_axis_list *list, size_t at, struct sr_axis_ref ref)
{
	sr_push(arena, list, ref);
	memmove(list->data + at + 1, list->data + at, (list->n - 1 - at) * sizeof *list->data);
	list->data[at] = ref;
}

void sr_axis_list_erase(struct sr_axis_list *list, size_t at)
{
	memmove(list->data + at, list->data + at + 1, (list->n - 1 - at) * sizeof *list->data);
	list->n--;
}

void sr_axis_list_extend(struct sr_arena *arena, struct sr_axis_list *list, struct sr_axes axes)
{
	for (int i = 0; i < axes.n; i++)
		sr_push(arena, list, axes.refs[i]);
}

size_t sr_axis_list_find(const struct sr_axis_list *list, struct sr_axis_ref ref)
{
	size_t i = 0;
	while (i < list->n && !sr_axis_ref_equal(list->data[i], ref))
		i++;
	return i;
}

bool sr_axis_list_has(const struct sr_axis_list *list, struct sr_axis_ref ref)
{
	return sr_axis_list_find(list, ref) < list->n;
}

void sr_axis_list_remove(struct sr_axis_list *list, struct sr_axis_ref ref)
{
	size_t at = sr_axis_list_find(list, ref);
	if (at < list->n)
		sr_axis_list_erase(list, at);
}

void sr_axis_list_merge(struct sr_arena *arena, struct sr_axis_list *list, struct sr_axis_ref ref)
{
	if (list->n && sr_axis_can_merge(list->data[list->n - 1], ref))
		list->data[list->n - 1] = sr_axis_merge(list->data[list->n - 1], ref);
	else
		sr_push(arena, list, ref);
}

void sr_axis_list_pop(struct sr_axis_list *list, const struct sr_axis_ref *sub_axes, size_t n)
{
	while (n-- && list->n) {
		struct sr_axis_ref *last = &list->data[list->n - 1], prefix;
		if (sr_axis_prefix_without_overlap(*last, sub_axes[n], &prefix))
			*last = prefix;
		else
			list->n--;
	}
}

int64_t sr_axis_list_size(const struct sr_axis_list *list)
{
	return sr_axes_size((struct sr_axes){list->data, (int)list->n});
}

struct sr_axes sr_axis_list_axes(struct sr_arena *arena, const struct sr_axis_list *list)
{
	return (struct sr_axes){sr_dup(arena, list->data, list->n, sizeof *list->data), (int)list->n};
}

struct sr_axis_list *sr_axis_lists_of(struct sr_arena *arena, const struct sr_sharding *s)
{
	struct sr_axis_list *lists = SR_NEW_ARRAY(arena, struct sr_axis_list, s->rank);
	for (int d = 0; d < s->rank; d++)
		sr_axis_list_extend(arena, &lists[d], s->dims[d].axes);
	return lists;
}

/* Return all axes of the lists, ordered by name and pre-size. */
static struct sr_axis_list ordered(struct sr_arena *arena, const struct sr_axis_list *lists, int n)
{
	struct sr_axis_list all_axes = {0};
	for (int i = 0; i < n; i++)
		for (size_t k = 0; k < lists[i].n; k++) {
			size_t at = all_axes.n;
			while (at && sr_axis_compare_by_name(lists[i].data[k], all_axes.data[at - 1]) < 0)
				at--;
			sr_axis_list_insert(arena, &all_axes, at, lists[i].data[k]);
		}
	return all_axes;
}

/* Split axis number `at` where axes of `other_axes` begin and end. Returns the index of the next axis. */
static size_t split_axis(struct sr_arena *arena, struct sr_axis_list *list, size_t at, const struct sr_axis_list *other_axes)
{
	struct sr_axis_ref ref = list->data[at], sub_axis;
	size_t k = 0;
	while (k < other_axes->n && !sr_axis_overlaps(ref, other_axes->data[k]))
		k++;
	for (; k < other_axes->n; k++) {
		struct sr_axis_ref overlap = other_axes->data[k];
		if (!sr_axis_can_coexist(overlap, ref) || sr_axis_contains(overlap, ref) ||
		    !sr_axis_overlaps(overlap, ref))
			break;
		sr_axis_list_erase(list, at);
		if (sr_axis_prefix_without_overlap(ref, overlap, &sub_axis))
			sr_axis_list_insert(arena, list, at++, sub_axis);
		if (sr_axis_overlap(ref, overlap, &sub_axis))
			sr_axis_list_insert(arena, list, at++, sub_axis);
		if (!sr_axis_suffix_without_overlap(ref, overlap, &sub_axis))
			return at;
		sr_axis_list_insert(arena, list, at, sub_axis);
		ref = sub_axis;
	}
	return at + 1;
}

void sr_axis_lists_align(struct sr_arena *arena, struct sr_axis_list *lists, int n, const struct sr_axis_list *other_lists,
			 int n_others)
{
	struct sr_axis_list other_axes = ordered(arena, other_lists, n_others);
	for (int i = 0; i < n; i++)
		for (size_t at = 0; at < lists[i].n;)
			at = split_axis(arena, &lists[i], at, &other_axes);
}
