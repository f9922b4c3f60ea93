/* Compare shardings, and compute used axes and the slice of a tensor that a device holds.
 *
 * A dimension of n elements in s shards has ceil(n / s) elements per shard; the last shards are shorter: 10 in 4 is 3 3 3 1, 5
 * in 4 is 2 2 1 0, 3 in 8 is 1 1 1 0 0 0 0 0. */
#include "mesh/mesh.h"
#include "support/checked.h"
#include <assert.h>

const char *const sr_unreduced_kind_names[] = {[SR_UNREDUCED_SUM] = "sum", [SR_UNREDUCED_MAX] = "max", [SR_UNREDUCED_MIN] = "min"};

static bool has_same_mesh(const struct sr_sharding *a, const struct sr_sharding *b)
{
	if (!a->mesh != !b->mesh)
		return false;
	return a->mesh ? sr_mesh_equal(a->mesh, b->mesh) : a->mesh_name == b->mesh_name;
}

static bool has_same_unreduced(const struct sr_sharding *a, const struct sr_sharding *b)
{
	return sr_axes_equal(a->unreduced, b->unreduced) && (a->unreduced.n == 0 || a->unreduced_kind == b->unreduced_kind);
}

bool sr_sharding_equal(const struct sr_sharding *a, const struct sr_sharding *b)
{
	if (!has_same_mesh(a, b) || !sr_sharding_same_axes(a, b) || !has_same_unreduced(a, b) ||
	    !sr_axes_equal(a->replicated, b->replicated))
		return false;
	for (int i = 0; i < a->rank; i++)
		if (a->dims[i].closed != b->dims[i].closed || a->dims[i].priority != b->dims[i].priority)
			return false;
	return true;
}

bool sr_sharding_same_axes(const struct sr_sharding *a, const struct sr_sharding *b)
{
	if (a->rank != b->rank)
		return false;
	for (int i = 0; i < a->rank; i++)
		if (!sr_axes_equal(a->dims[i].axes, b->dims[i].axes))
			return false;
	return true;
}

struct sr_axes sr_sharding_used_axes(struct sr_arena *arena, const struct sr_sharding *s)
{
	int n = s->unreduced.n, k = 0;
	for (int i = 0; i < s->rank; i++)
		n += s->dims[i].axes.n;
	struct sr_axis_ref *refs = SR_NEW_ARRAY(arena, struct sr_axis_ref, n);
	for (int i = 0; i < s->rank; i++)
		for (int j = 0; j < s->dims[i].axes.n; j++)
			refs[k++] = s->dims[i].axes.refs[j];
	for (int j = 0; j < s->unreduced.n; j++)
		refs[k++] = s->unreduced.refs[j];
	return (struct sr_axes){refs, n};
}

struct sr_device_slice sr_sharding_slice(const struct sr_sharding *s, const struct sr_mesh *mesh, const int64_t *global,
					 int64_t device)
{
	struct sr_device_slice slice = {0};
	assert(s->rank <= SR_MAX_RANK);
	for (int i = 0; i < s->rank; i++) {
		int64_t shards = sr_axes_size(s->dims[i].axes);
		int64_t local_extent = shards > 0 ? sr_ceil_div(global[i], shards) : global[i];
		int64_t k = sr_mesh_coordinate_along(mesh, device, s->dims[i].axes);
		/* Compare k by division, since k * local_extent could overflow. */
		int64_t start = local_extent == 0 || k > global[i] / local_extent ? global[i] : k * local_extent;
		int64_t remaining_extent = global[i] - start;
		slice.start[i] = start;
		slice.local[i] = local_extent;
		slice.size[i] = remaining_extent < local_extent ? remaining_extent : local_extent;
	}
	return slice;
}
