/* Convert between tile dimensions and the (sub-)axes of a mesh. In a mesh's device list an axis is an iota dimension (size,
 * stride): with axes of 4 and 2 devices the first is (4, 2), the second (2, 1), and sub-axis (2)2 of the first is (2, 2). The
 * iota dimensions of a tile dimension are split at the boundaries of axes:
 *
 *	devices=[2,4]<=[4,2]T(1,0)     iota dimensions (2, 1), (4, 2)     on x=4, y=2: [{y}, {x}]      on d=8: [{d:(4)2}, {d:(1)4}]
 *
 * If the mesh has its own device order, grid positions are used instead of device ids. */
#include "mesh/tiling.h"
#include "support/vec.h"

/* Return the grid positions of the devices in tile order, with replication groups sorted. */
static int64_t *positions_in_tile_order(struct sr_arena *arena, const struct sr_tiling *t, const int64_t *position)
{
	const int64_t *ids = sr_tiling_ids(arena, t);
	int64_t n = sr_tiling_devices(t), *out = SR_NEW_ARRAY(arena, int64_t, n);
	for (int64_t i = 0; i < n; i++)
		out[i] = position ? position[ids[i]] : ids[i];
	sr_tiling_sort_replicas(t, out);
	return out;
}

/* Move iota dimensions whose sizes multiply to `size` from the major end of `remaining` to `out`. Return false if a dimension
 * would be split unevenly. */
static bool take_tile_dims(struct sr_arena *arena, struct sr_iota_dims *remaining, int64_t size, struct sr_iota_dims *out)
{
	*out = (struct sr_iota_dims){SR_NEW_ARRAY(arena, struct sr_iota_dim, remaining->n), 0};
	while (size > 1) {
		struct sr_iota_dim *iota_dim = remaining->dims;
		bool consumes_all = size % iota_dim->size == 0;
		if (!consumes_all && iota_dim->size % size != 0)
			return false;
		int64_t n_remaining = consumes_all ? 1 : iota_dim->size / size;
		out->dims[out->n++] = (struct sr_iota_dim){iota_dim->size / n_remaining, iota_dim->stride * n_remaining};
		size /= iota_dim->size / n_remaining;
		iota_dim->size = n_remaining;
		if (n_remaining == 1) {
			remaining->dims++;
			remaining->n--;
		}
	}
	return true;
}

struct sr_iota_dims *sr_tiling_iota_by_dim(struct sr_arena *arena, const struct sr_tiling *t, const int64_t *position)
{
	struct sr_iota_dims all, *out = SR_NEW_ARRAY(arena, struct sr_iota_dims, t->n_dims);
	bool is_iota = sr_tiling_find_iota(arena, positions_in_tile_order(arena, t, position), sr_tiling_devices(t), &all);
	for (int i = 0; is_iota && i < t->n_dims; i++)
		is_iota = take_tile_dims(arena, &all, t->dims[i], &out[i]);
	return is_iota ? out : NULL;
}

typedef SR_VEC(struct sr_axis_ref) refs;

/* Append the (sub-)axes that make up an iota dimension. Return false if it does not align with the mesh's axes. */
static bool append_axes(struct sr_arena *arena, const struct sr_mesh *mesh, struct sr_iota_dim iota_dim, refs *out)
{
	int64_t high = sr_mesh_devices(mesh), begin = iota_dim.stride, end = iota_dim.stride * iota_dim.size;
	for (int i = 0; i < mesh->n_axes; i++) {
		int64_t low = high / mesh->axes[i].size;
		int64_t begin_stride = begin > low ? begin : low, limit = end < high ? end : high;
		if (begin_stride < limit) {
			if (begin_stride % low || begin_stride % begin || limit % begin_stride || high % limit || end % limit)
				return false;
			sr_push(arena, out, (struct sr_axis_ref){mesh->axes[i].name, high / limit, limit / begin_stride});
		}
		high = low;
	}
	return true;
}

static int64_t *inverse_permutation(struct sr_arena *arena, const int64_t *order, int64_t n)
{
	int64_t *out = SR_NEW_ARRAY(arena, int64_t, n);
	for (int64_t i = 0; i < n; i++)
		out[order[i]] = i;
	return out;
}

struct sr_axes *sr_tiling_axes(struct sr_arena *arena, const struct sr_mesh *mesh, const struct sr_tiling *t)
{
	int64_t n = sr_tiling_devices(t);
	if (mesh->n_axes == 0 || sr_mesh_devices(mesh) != n)
		return NULL;
	struct sr_axes *out = SR_NEW_ARRAY(arena, struct sr_axes, t->n_dims);
	struct sr_iota_dims *dims = sr_tiling_iota_by_dim(arena, t, mesh->device_ids ? inverse_permutation(arena, mesh->device_ids, n) : NULL);
	for (int i = 0; dims && i < t->n_dims; i++) {
		refs list = {0};
		for (int k = 0; k < dims[i].n; k++)
			if (!append_axes(arena, mesh, dims[i].dims[k], &list))
				return NULL;
		out[i] = (struct sr_axes){list.data, (int)list.n};
	}
	return dims ? out : NULL;
}

/* ---------------------------------------------------------------- from axes */

/* Append the iota dimensions of the axes. Return their number of devices. */
static int64_t append_iota_dims(struct sr_arena *arena, const struct sr_mesh *mesh, struct sr_axes axes, struct sr_iota_dims *out)
{
	int64_t devices = 1;
	for (int i = 0; i < axes.n; i++) {
		struct sr_axis_ref ref = axes.refs[i];
		int64_t high = sr_mesh_devices(mesh);
		for (int k = 0; mesh->axes[k].name != ref.axis; k++)
			high /= mesh->axes[k].size;
		out->dims[out->n++] = (struct sr_iota_dim){ref.size, high / (ref.pre * ref.size)};
		devices *= ref.size;
	}
	return devices;
}

static void apply_order(struct sr_arena *arena, const struct sr_mesh *mesh, struct sr_tiling *t)
{
	int64_t n = sr_tiling_devices(t), *ids = sr_dup(arena, sr_tiling_ids(arena, t), (size_t)n, sizeof *ids);
	for (int64_t i = 0; i < n; i++)
		ids[i] = mesh->device_ids[ids[i]];
	t->ids = ids;
}

struct sr_tiling sr_tiling_of_axes(struct sr_arena *arena, const struct sr_mesh *mesh, const struct sr_axes *dims, int rank,
				   struct sr_axes manual_axes, struct sr_axes unreduced_axes)
{
	if (sr_mesh_is_single_device(mesh))
		return (struct sr_tiling){.kind = SR_TILING_MAXIMAL, .device = mesh->device_ids[0]};
	if (sr_mesh_devices(mesh) == 1)
		return (struct sr_tiling){.kind = SR_TILING_REPLICATED};
	struct sr_axes used_axes = sr_axes_concat(arena, manual_axes, unreduced_axes);
	for (int i = 0; i < rank; i++)
		used_axes = sr_axes_concat(arena, used_axes, dims[i]);
	struct sr_axes subgroups[SR_TILING_SUBGROUP_COUNT] = {
		[SR_TILING_MANUAL] = manual_axes, [SR_TILING_UNREDUCED] = unreduced_axes,
		[SR_TILING_REPLICATED] = sr_mesh_unused_axes(arena, mesh, used_axes)};
	int n_dims = rank + SR_TILING_SUBGROUP_COUNT,
	    n_parts = manual_axes.n + unreduced_axes.n + subgroups[SR_TILING_REPLICATED].n;
	for (int i = 0; i < rank; i++)
		n_parts += dims[i].n;
	struct sr_iota_dims iota_dims = {SR_NEW_ARRAY(arena, struct sr_iota_dim, n_parts), 0};
	int64_t *tiles = SR_NEW_ARRAY(arena, int64_t, n_dims);
	enum sr_tiling_kind *kinds = SR_NEW_ARRAY(arena, enum sr_tiling_kind, SR_TILING_SUBGROUP_COUNT);
	for (int i = 0; i < n_dims; i++)
		tiles[i] = append_iota_dims(arena, mesh, i < rank ? dims[i] : subgroups[i - rank], &iota_dims);
	for (int i = 0; i < SR_TILING_SUBGROUP_COUNT; i++)
		kinds[i] = (enum sr_tiling_kind)i;
	struct sr_tiling t = {.kind = SR_TILING_TILED, .dims = tiles, .n_dims = n_dims, .subgroups = kinds,
			    .n_subgroups = SR_TILING_SUBGROUP_COUNT};
	sr_tiling_set_iota(arena, &t, iota_dims.dims, iota_dims.n);
	if (mesh->device_ids)
		apply_order(arena, mesh, &t);
	return sr_tiling_to_v2(arena, &t);
}
