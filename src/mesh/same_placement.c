/* Compare the placement of data by two shardings of a row-major tensor viewed in two shapes. Placement is equal if every axis
 * has the same stride in elements. */
#include "mesh/mesh.h"
#include "support/vec.h"
#include <math.h>
#include <stdlib.h>

struct axis_stride {
	struct sr_axis_ref axis;
	double stride;  /* distance between neighbours along the axis, in elements */
	int64_t prefix; /* number of shards outside of this axis: outer dimensions times preceding axes of the same dimension */
	int64_t extent; /* extent of the dimension that the axis shards */
	int order;      /* insertion order, to make the sort stable */
};

typedef SR_VEC(struct axis_stride) stride_vec;

static int compare_strides(const void *a, const void *b)
{
	const struct axis_stride *x = a, *y = b;
	if (x->stride != y->stride)
		return x->stride < y->stride ? -1 : 1;
	return (x->order > y->order) - (x->order < y->order);
}

/* Return true if s directly precedes `previous`, so that both act as one axis. */
static bool directly_precedes(const struct axis_stride *s, const struct axis_stride *previous, bool allows_uneven)
{
	if (!sr_axis_can_merge(s->axis, previous->axis))
		return false;
	if (!allows_uneven)
		return s->stride == previous->stride * (double)previous->axis.size;
	return previous->prefix == s->prefix || (previous->prefix == s->prefix * s->extent && s->axis.size == s->extent);
}

/* Merge sub-axes of one axis that are adjacent both in the axis and in stride. */
static void merge_adjacent(stride_vec *list, bool allows_uneven)
{
	size_t n = 0;
	for (size_t i = 0; i < list->n; i++) {
		struct axis_stride s = list->data[i], *last = n ? &list->data[n - 1] : NULL;
		if (last && directly_precedes(&s, last, allows_uneven)) {
			last->axis = sr_axis_merge(s.axis, last->axis);
			last->prefix = s.prefix < last->prefix ? s.prefix : last->prefix;
		} else {
			list->data[n++] = s;
		}
	}
	list->n = n;
}

static stride_vec axis_strides(struct sr_arena *arena, const struct sr_sharding *s, const int64_t *shape, bool allows_uneven)
{
	stride_vec list = {0};
	double inner_elements = 1;
	for (int d = s->rank - 1; d >= 0; d--) {
		struct sr_axes axes = s->dims[d].axes;
		int64_t shards = sr_axes_size(axes), outer_shards = 1;
		double step = inner_elements *
			      (allows_uneven ? (double)shape[d] / (double)shards : (double)((shape[d] + shards - 1) / shards));
		for (int k = 0; k < d; k++)
			outer_shards *= shape[k];
		for (int i = axes.n - 1; i >= 0; i--) {
			shards /= axes.refs[i].size;
			sr_push(arena, &list,
				(struct axis_stride){axes.refs[i], step, outer_shards * shards, shape[d], (int)list.n});
			step *= (double)axes.refs[i].size;
		}
		inner_elements *= (double)shape[d];
	}
	if (list.n)
		qsort(list.data, list.n, sizeof *list.data, compare_strides);
	merge_adjacent(&list, allows_uneven);
	return list;
}

bool sr_sharding_same_placement(struct sr_arena *arena, const struct sr_sharding *a, const int64_t *a_shape,
				const struct sr_sharding *b, const int64_t *b_shape, bool allows_uneven)
{
	if (a->mesh_name != b->mesh_name || !sr_axes_equal(a->replicated, b->replicated))
		return false;
	stride_vec x = axis_strides(arena, a, a_shape, allows_uneven), y = axis_strides(arena, b, b_shape, allows_uneven);
	for (size_t i = 0; i < x.n && x.n == y.n; i++) {
		bool same_stride = allows_uneven ? x.data[i].prefix == y.data[i].prefix
						 : fabs(x.data[i].stride - y.data[i].stride) < 1e-6;
		if (!sr_axis_ref_equal(x.data[i].axis, y.data[i].axis) || !same_stride)
			return false;
	}
	return x.n == y.n;
}
