/* Convert tiled shardings between V1 and V2, and to the canonical form of each. V2 device lists are converted to iota dimensions
 * and back; permuting tile dimensions works on the enumerated list. */
#include "mesh/tiling.h"
#include "support/checked.h"
#include <stdlib.h>
#include <string.h>

int64_t sr_tiling_devices(const struct sr_tiling *t)
{
	int64_t n = 1;
	for (int i = 0; i < t->n_dims; i++)
		n *= t->dims[i];
	return n;
}

const int64_t *sr_tiling_ids(struct sr_arena *arena, const struct sr_tiling *t)
{
	return t->ids ? t->ids : sr_iota_tile(arena, t->reshape, t->perm, t->n_reshape);
}

static int compare_ascending(const void *a, const void *b)
{
	int64_t p = *(const int64_t *)a, q = *(const int64_t *)b;
	return (p > q) - (p < q);
}

void sr_tiling_sort_replicas(const struct sr_tiling *t, int64_t *ids)
{
	bool has_copies = t->n_subgroups > 0 && t->subgroups[t->n_subgroups - 1] == SR_TILING_REPLICATED;
	int64_t n = sr_tiling_devices(t), group = has_copies ? t->dims[t->n_dims - 1] : n;
	for (int64_t i = 0; has_copies && i < n; i += group)
		qsort(ids + i, (size_t)group, sizeof *ids, compare_ascending);
}

/* ---------------------------------------------------------------- iota dimensions */

/* Append an iota dimension at the minor end; merge it with the last dimension if the two are contiguous. */
static void append_iota_dim(struct sr_iota_dims *list, struct sr_iota_dim dim)
{
	struct sr_iota_dim *last = list->n > 0 ? &list->dims[list->n - 1] : NULL;
	if (dim.size == 1)
		return;
	if (last && last->stride == dim.size * dim.stride)
		*last = (struct sr_iota_dim){last->size * dim.size, dim.stride};
	else
		list->dims[list->n++] = dim;
}

static int compare_strides(const void *a, const void *b)
{
	int64_t p = ((const struct sr_iota_dim *)a)->stride, q = ((const struct sr_iota_dim *)b)->stride;
	return (p < q) - (p > q);
}

/* Return the iota dimensions by descending stride, as they are before the transposition. Clears *is_iota if they do not enumerate
 * 0..n-1 exactly once. */
static struct sr_iota_dim *sorted_iota_dims(struct sr_arena *arena, const struct sr_iota_dim *dims, int n, bool *is_iota)
{
	struct sr_iota_dim *sorted = sr_dup(arena, dims, (size_t)n, sizeof *sorted);
	int64_t stride = 1;
	qsort(sorted, (size_t)n, sizeof *sorted, compare_strides);
	for (int i = n - 1; i >= 0; stride *= sorted[i--].size)
		*is_iota = *is_iota && sorted[i].stride == stride;
	return sorted;
}

/* Find the iota dimensions from the minor to the major one. A dimension extends while its first ids have a constant stride; each of
 * its blocks must equal the ids of the smaller dimensions plus a multiple of that stride. */
bool sr_tiling_find_iota(struct sr_arena *arena, const int64_t *ids, int64_t n, struct sr_iota_dims *out)
{
	enum { MAX_IOTA_DIMS = 64 };
	struct sr_iota_dim *at = SR_NEW_ARRAY(arena, struct sr_iota_dim, MAX_IOTA_DIMS + 1), *end = at + MAX_IOTA_DIMS + 1;
	bool is_iota = ids[0] == 0;
	*out = (struct sr_iota_dims){end, 0};
	for (int64_t n_checked = 1; is_iota && n_checked < n; n_checked *= out->dims->size) {
		int64_t stride = ids[n_checked], size = 1;
		while (n_checked * size < n && ids[n_checked * size] == size * stride)
			size++;
		is_iota = stride > 0 && n % (n_checked * size) == 0 && out->n < MAX_IOTA_DIMS;
		for (int64_t i = n_checked; is_iota && i < n_checked * size; i++)
			is_iota = ids[i] == ids[i % n_checked] + i / n_checked * stride;
		*--out->dims = (struct sr_iota_dim){size, stride};
		out->n++;
	}
	if (is_iota)
		sorted_iota_dims(arena, out->dims, out->n, &is_iota);
	return is_iota;
}

void sr_tiling_set_iota(struct sr_arena *arena, struct sr_tiling *t, const struct sr_iota_dim *dims, int n)
{
	static const int64_t one_device[] = {1};
	struct sr_iota_dims merged_dims = {SR_NEW_ARRAY(arena, struct sr_iota_dim, n), 0};
	bool is_iota = true;
	for (int i = 0; i < n; i++)
		append_iota_dim(&merged_dims, dims[i]);
	struct sr_iota_dim *sorted = sorted_iota_dims(arena, merged_dims.dims, merged_dims.n, &is_iota);
	int64_t *reshape = SR_NEW_ARRAY(arena, int64_t, merged_dims.n);
	int *perm = SR_NEW_ARRAY(arena, int, merged_dims.n);
	for (int i = 0; i < merged_dims.n; i++) {
		reshape[i] = sorted[i].size;
		for (int k = 0; k < merged_dims.n; k++)
			if (merged_dims.dims[i].stride == sorted[k].stride)
				perm[i] = k;
	}
	t->ids = NULL;
	t->n_reshape = merged_dims.n > 0 ? merged_dims.n : 1;
	t->reshape = merged_dims.n > 0 ? reshape : one_device;
	t->perm = merged_dims.n > 1 ? perm : NULL;
}

static void canonical_iota(struct sr_arena *arena, struct sr_tiling *t)
{
	struct sr_iota_dim *iota_dims = SR_NEW_ARRAY(arena, struct sr_iota_dim, t->n_reshape);
	struct sr_iota_dim *transposed_dims = SR_NEW_ARRAY(arena, struct sr_iota_dim, t->n_reshape);
	int64_t stride = 1;
	for (int i = t->n_reshape - 1; i >= 0; stride *= t->reshape[i--])
		iota_dims[i] = (struct sr_iota_dim){t->reshape[i], stride};
	for (int i = 0; i < t->n_reshape; i++)
		transposed_dims[i] = iota_dims[t->perm ? t->perm[i] : i];
	sr_tiling_set_iota(arena, t, transposed_dims, t->n_reshape);
}

/* ---------------------------------------------------------------- canonical form */

/* Return the ids with the tile dimensions permuted by `order`. */
static int64_t *transpose_ids(struct sr_arena *arena, const int64_t *ids, const int64_t *dims, const int *order, int n_dims)
{
	int64_t n = 1, *out, *index = SR_NEW_ARRAY(arena, int64_t, n_dims), *strides = SR_NEW_ARRAY(arena, int64_t, n_dims);
	for (int i = n_dims - 1; i >= 0; n *= dims[i--])
		strides[i] = n;
	out = SR_NEW_ARRAY(arena, int64_t, n);
	for (int64_t k = 0, source = 0; k < n; k++) {
		out[k] = ids[source];
		for (int i = n_dims - 1; i >= 0; i--) {
			source += strides[order[i]];
			if (++index[i] < dims[order[i]])
				break;
			source -= index[i] * strides[order[i]];
			index[i] = 0;
		}
	}
	return out;
}

/* Merge subgroups of one kind, sort them, drop those of size 1, and sort replication groups. */
static void sort_subgroups(struct sr_arena *arena, struct sr_tiling *t)
{
	int rank = sr_tiling_rank(t), n = rank, n_kinds = 0;
	int *order = SR_NEW_ARRAY(arena, int, t->n_dims);
	int64_t *dims = SR_NEW_ARRAY(arena, int64_t, rank + SR_TILING_SUBGROUP_COUNT);
	enum sr_tiling_kind *kinds = SR_NEW_ARRAY(arena, enum sr_tiling_kind, SR_TILING_SUBGROUP_COUNT);
	memcpy(dims, t->dims, (size_t)rank * sizeof *dims);
	for (int i = 0; i < rank; i++)
		order[i] = i;
	for (int kind = 0; kind < SR_TILING_SUBGROUP_COUNT; kind++) {
		int64_t size = 1;
		for (int i = 0; i < t->n_subgroups; i++)
			if (t->subgroups[i] == (enum sr_tiling_kind)kind) {
				order[n++] = rank + i;
				size *= t->dims[rank + i];
			}
		if (size > 1) {
			kinds[n_kinds] = (enum sr_tiling_kind)kind;
			dims[rank + n_kinds++] = size;
		}
	}
	int64_t *ids = transpose_ids(arena, sr_tiling_ids(arena, t), t->dims, order, t->n_dims);
	t->dims = dims;
	t->n_dims = rank + n_kinds;
	t->subgroups = kinds;
	t->n_subgroups = n_kinds;
	sr_tiling_sort_replicas(t, ids);
	struct sr_iota_dims iota_dims;
	if (!t->ids && sr_tiling_find_iota(arena, ids, sr_tiling_devices(t), &iota_dims))
		sr_tiling_set_iota(arena, t, iota_dims.dims, iota_dims.n);
	else
		t->ids = ids;
}

static struct sr_tiling map_tuple(struct sr_arena *arena, const struct sr_tiling *t,
				  struct sr_tiling (*form)(struct sr_arena *arena, const struct sr_tiling *t))
{
	struct sr_tiling out = *t, *elements = SR_NEW_ARRAY(arena, struct sr_tiling, t->n_elements);
	for (int i = 0; i < t->n_elements; i++)
		elements[i] = form(arena, &t->elements[i]);
	out.elements = elements;
	return out;
}

struct sr_tiling sr_tiling_canonical(struct sr_arena *arena, const struct sr_tiling *t)
{
	struct sr_tiling out = *t;
	if (t->kind == SR_TILING_TUPLE)
		return map_tuple(arena, t, sr_tiling_canonical);
	if (t->kind != SR_TILING_TILED)
		return out;
	if (out.n_subgroups > 0)
		sort_subgroups(arena, &out);
	bool has_tiles = out.n_subgroups != 1;
	for (int i = 0; i < sr_tiling_rank(&out); i++)
		has_tiles = has_tiles || out.dims[i] > 1;
	if (!has_tiles)
		return (struct sr_tiling){.kind = out.subgroups[0], .group = t->group, .group_id = t->group_id,
					.metadata = t->metadata};
	if (!out.ids)
		canonical_iota(arena, &out);
	return out;
}

struct sr_tiling sr_tiling_to_v1(struct sr_arena *arena, const struct sr_tiling *t)
{
	if (t->kind == SR_TILING_TUPLE)
		return map_tuple(arena, t, sr_tiling_to_v1);
	struct sr_tiling out = sr_tiling_canonical(arena, t);
	if (out.kind == SR_TILING_TILED)
		out.ids = sr_tiling_ids(arena, &out);
	return out;
}

struct sr_tiling sr_tiling_to_v2(struct sr_arena *arena, const struct sr_tiling *t)
{
	if (t->kind == SR_TILING_TUPLE)
		return map_tuple(arena, t, sr_tiling_to_v2);
	struct sr_tiling out = sr_tiling_canonical(arena, t);
	struct sr_iota_dims iota_dims;
	if (out.kind == SR_TILING_TILED && out.ids && sr_tiling_find_iota(arena, out.ids, sr_tiling_devices(&out), &iota_dims))
		sr_tiling_set_iota(arena, &out, iota_dims.dims, iota_dims.n);
	return out;
}

static bool equal_as_v1(struct sr_arena *arena, const struct sr_tiling *a, const struct sr_tiling *b)
{
	if (a->kind != b->kind || a->group != b->group || a->group_id != b->group_id || a->n_elements != b->n_elements)
		return false;
	for (int i = 0; i < a->n_elements; i++)
		if (!equal_as_v1(arena, &a->elements[i], &b->elements[i]))
			return false;
	if (a->kind != SR_TILING_TILED)
		return a->device == b->device;
	if (a->n_dims != b->n_dims || a->n_subgroups != b->n_subgroups)
		return false;
	for (int i = 0; i < a->n_dims; i++)
		if (a->dims[i] != b->dims[i])
			return false;
	for (int i = 0; i < a->n_subgroups; i++)
		if (a->subgroups[i] != b->subgroups[i])
			return false;
	return !memcmp(a->ids, b->ids, (size_t)sr_tiling_devices(a) * sizeof *a->ids);
}

bool sr_tiling_equal(struct sr_arena *arena, const struct sr_tiling *a, const struct sr_tiling *b)
{
	struct sr_tiling first = sr_tiling_to_v1(arena, a), second = sr_tiling_to_v1(arena, b);
	return equal_as_v1(arena, &first, &second);
}
