/* Compute with lists of axis references, major to minor: the axes of a dimension, of a collective, replicated or unreduced axes.
 *
 * All references belong to one mesh; the references of a list do not overlap. New lists are allocated in the arena; an unchanged
 * list may share storage with its input. */
#include "mesh/mesh.h"
#include "support/checked.h"
#include "support/vec.h"

typedef SR_VEC(struct sr_axis_ref) ref_vec;

static struct sr_axes axes_of_vec(ref_vec *v)
{
	return (struct sr_axes){v->data, (int)v->n};
}

static void push_merged(struct sr_arena *arena, ref_vec *v, struct sr_axis_ref ref)
{
	if (v->n > 0 && sr_axis_can_merge(v->data[v->n - 1], ref))
		v->data[v->n - 1] = sr_axis_merge(v->data[v->n - 1], ref);
	else
		sr_push(arena, v, ref);
}

/* Return the number of equal leading references. */
static int common_refs(struct sr_axes a, struct sr_axes b)
{
	int n = 0;
	while (n < a.n && n < b.n && sr_axis_ref_equal(a.refs[n], b.refs[n]))
		n++;
	return n;
}

bool sr_axes_equal(struct sr_axes a, struct sr_axes b)
{
	return a.n == b.n && common_refs(a, b) == a.n;
}

bool sr_axes_is_prefix(struct sr_axes a, struct sr_axes b)
{
	int n = common_refs(a, b);
	return n == a.n || (n == a.n - 1 && n < b.n && sr_axis_is_prefix(a.refs[n], b.refs[n]));
}

bool sr_axes_is_strict_prefix(struct sr_axes a, struct sr_axes b)
{
	return sr_axes_is_prefix(a, b) && !sr_axes_equal(a, b);
}

int sr_axes_compare_by_name(struct sr_axes a, struct sr_axes b)
{
	if (a.n != b.n)
		return a.n < b.n ? -1 : 1;
	int n = common_refs(a, b);
	return n == a.n ? 0 : sr_axis_compare_by_name(a.refs[n], b.refs[n]);
}

struct sr_axes sr_axes_concat(struct sr_arena *arena, struct sr_axes a, struct sr_axes b)
{
	ref_vec out = {0};
	for (int i = 0; i < a.n; i++)
		push_merged(arena, &out, a.refs[i]);
	for (int i = 0; i < b.n; i++)
		push_merged(arena, &out, b.refs[i]);
	return axes_of_vec(&out);
}

struct sr_axes sr_axes_append(struct sr_arena *arena, struct sr_axes a, struct sr_axis_ref b)
{
	return sr_axes_concat(arena, a, (struct sr_axes){&b, 1});
}

static bool overlaps_any(struct sr_axis_ref ref, struct sr_axes axes)
{
	for (int i = 0; i < axes.n; i++)
		if (sr_axis_overlaps(ref, axes.refs[i]))
			return true;
	return false;
}

bool sr_axes_overlap(struct sr_axes a, struct sr_axes b)
{
	for (int i = 0; i < a.n; i++)
		if (overlaps_any(a.refs[i], b))
			return true;
	return false;
}

bool sr_axes_has(struct sr_axes a, struct sr_axis_ref b)
{
	for (int i = 0; i < a.n; i++)
		if (sr_axis_contains(a.refs[i], b))
			return true;
	return false;
}

int64_t sr_axes_size(struct sr_axes axes)
{
	int64_t size = 1;
	for (int i = 0; i < axes.n; i++)
		if (sr_mul_overflows(size, axes.refs[i].size, &size))
			return INT64_MAX;
	return size;
}

struct sr_axes sr_axes_common_prefix(struct sr_arena *arena, struct sr_axes a, struct sr_axes b)
{
	int n = common_refs(a, b);
	struct sr_axis_ref last_ref;
	if (n == a.n || n == b.n || !sr_axis_common_prefix(a.refs[n], b.refs[n], &last_ref))
		return (struct sr_axes){a.refs, n};
	ref_vec out = {0};
	for (int i = 0; i < n; i++)
		sr_push(arena, &out, a.refs[i]);
	sr_push(arena, &out, last_ref);
	return axes_of_vec(&out);
}

struct sr_axes sr_axes_prefix_without_overlaps(struct sr_arena *arena, struct sr_axes a, struct sr_axes b)
{
	ref_vec out = {0};
	for (int i = 0; i < a.n; i++) {
		struct sr_axis_ref prefix;
		if (!sr_axis_prefix_without_overlaps(a.refs[i], b, &prefix))
			break;
		sr_push(arena, &out, prefix);
		if (prefix.size != a.refs[i].size)
			break;
	}
	return axes_of_vec(&out);
}

/* Append the sub-axes of `ref` that remain after removing all references of b. References of b are processed by ascending
 * `pre`, so that everything to the left of a removed range is final. Return false if ref cannot coexist with one of b. */
static bool push_difference(struct sr_arena *arena, ref_vec *out, struct sr_axis_ref ref, struct sr_axes b)
{
	for (bool has_suffix = true; has_suffix;) {
		const struct sr_axis_ref *first = NULL;
		for (int i = 0; i < b.n; i++) {
			if (!sr_axis_can_coexist(ref, b.refs[i]))
				return false;
			if (sr_axis_overlaps(ref, b.refs[i]) && (!first || b.refs[i].pre < first->pre))
				first = &b.refs[i];
		}
		struct sr_axis_ref prefix;
		if (!first) {
			sr_push(arena, out, ref);
			return true;
		}
		if (sr_axis_prefix_without_overlap(ref, *first, &prefix))
			sr_push(arena, out, prefix);
		has_suffix = sr_axis_suffix_without_overlap(ref, *first, &ref);
	}
	return true;
}

bool sr_axes_difference(struct sr_arena *arena, struct sr_axes a, struct sr_axes b, struct sr_axes *out)
{
	ref_vec difference_refs = {0};
	for (int i = 0; i < a.n; i++)
		if (!push_difference(arena, &difference_refs, a.refs[i], b))
			return false;
	*out = axes_of_vec(&difference_refs);
	return true;
}

struct sr_axes sr_mesh_unused_axes(struct sr_arena *arena, const struct sr_mesh *mesh, struct sr_axes used_axes)
{
	ref_vec out = {0};
	for (int i = 0; i < mesh->n_axes; i++) {
		size_t n = out.n;
		struct sr_axis_ref full_axis = {mesh->axes[i].name, 1, mesh->axes[i].size};
		if (!push_difference(arena, &out, full_axis, used_axes))
			out.n = n; /* Count the full axis as used if its sub-axes cannot coexist. */
	}
	return axes_of_vec(&out);
}

struct sr_axes sr_axes_sort_and_merge(struct sr_arena *arena, const struct sr_mesh *mesh, struct sr_axes a)
{
	struct sr_axis_ref *sorted_refs = sr_dup(arena, a.refs, (size_t)a.n, sizeof *a.refs);
	for (int i = 1; i < a.n; i++) { /* Insertion sort, since lists are short and mostly sorted. */
		struct sr_axis_ref ref = sorted_refs[i];
		int j = i;
		for (; j > 0 && sr_axis_compare(mesh, ref, sorted_refs[j - 1]) < 0; j--)
			sorted_refs[j] = sorted_refs[j - 1];
		sorted_refs[j] = ref;
	}
	return sr_axes_concat(arena, (struct sr_axes){sorted_refs, a.n}, (struct sr_axes){0});
}
