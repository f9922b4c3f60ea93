/* Compute grid positions of devices, their coordinates along axes and sub-axes, and replica groups.
 *
 * Positions are row-major over the axes. The coordinate along "x":(pre)size, of an axis of n devices, is index / (n / (pre *
 * size)) modulo size: with "x" of 8, "x":(2)2 of x = 0..7 is 0 0 1 1 0 0 1 1. */
#include "mesh/mesh.h"
#include "support/checked.h"
#include <assert.h>

int sr_mesh_axis_index(const struct sr_mesh *mesh, const char *axis)
{
	for (int i = 0; i < mesh->n_axes; i++)
		if (mesh->axes[i].name == axis)
			return i;
	return -1;
}

int64_t sr_mesh_axis_size(const struct sr_mesh *mesh, const char *axis)
{
	int i = sr_mesh_axis_index(mesh, axis);
	return i < 0 ? 0 : mesh->axes[i].size;
}

/* Return the product of the axis sizes from axis `first` on. Saturates. */
static int64_t size_from(const struct sr_mesh *mesh, int first)
{
	int64_t size = 1;
	for (int i = first; i < mesh->n_axes; i++)
		if (sr_mul_overflows(size, mesh->axes[i].size, &size))
			return INT64_MAX;
	return size;
}

int64_t sr_mesh_devices(const struct sr_mesh *mesh)
{
	return size_from(mesh, 0);
}

bool sr_mesh_is_single_device(const struct sr_mesh *mesh)
{
	return mesh->n_axes == 0 && mesh->n_device_ids == 1;
}

bool sr_mesh_same_axes(const struct sr_mesh *a, const struct sr_mesh *b)
{
	if (a->n_axes != b->n_axes || sr_mesh_is_single_device(a) != sr_mesh_is_single_device(b))
		return false;
	for (int i = 0; i < a->n_axes; i++)
		if (a->axes[i].name != b->axes[i].name || a->axes[i].size != b->axes[i].size)
			return false;
	return true;
}

bool sr_mesh_equal(const struct sr_mesh *a, const struct sr_mesh *b)
{
	if (!sr_mesh_same_axes(a, b))
		return false;
	int n = a->n_device_ids > b->n_device_ids ? a->n_device_ids : b->n_device_ids;
	for (int i = 0; i < n; i++)
		if (sr_mesh_device(a, i) != sr_mesh_device(b, i))
			return false;
	return true;
}

int64_t sr_mesh_position(const struct sr_mesh *mesh, int64_t device)
{
	if (mesh->n_device_ids == 0)
		return device >= 0 && device < sr_mesh_devices(mesh) ? device : -1;
	for (int i = 0; i < mesh->n_device_ids; i++)
		if (mesh->device_ids[i] == device)
			return i;
	return -1;
}

int64_t sr_mesh_device(const struct sr_mesh *mesh, int64_t position)
{
	int64_t n = mesh->n_device_ids ? mesh->n_device_ids : sr_mesh_devices(mesh);
	if (position < 0 || position >= n)
		return -1;
	return mesh->n_device_ids ? mesh->device_ids[position] : position;
}

int64_t sr_mesh_stride(const struct sr_mesh *mesh, struct sr_axis_ref ref)
{
	int i = sr_mesh_axis_index(mesh, ref.axis);
	int64_t end;
	if (i < 0 || ref.pre < 1 || ref.size < 1 || sr_mul_overflows(ref.pre, ref.size, &end))
		return 0;
	int64_t steps = mesh->axes[i].size / end;
	return steps * size_from(mesh, i + 1);
}

static int64_t coordinate_at(const struct sr_mesh *mesh, int64_t position, struct sr_axis_ref ref)
{
	int64_t stride = sr_mesh_stride(mesh, ref);
	return position < 0 || stride == 0 ? 0 : position / stride % ref.size;
}

int64_t sr_mesh_coordinate(const struct sr_mesh *mesh, int64_t device, struct sr_axis_ref ref)
{
	return coordinate_at(mesh, sr_mesh_position(mesh, device), ref);
}

static int64_t coordinate_along_at(const struct sr_mesh *mesh, int64_t position, struct sr_axes axes)
{
	int64_t coordinate = 0;
	for (int i = 0; i < axes.n; i++) {
		struct sr_axis_ref ref = axes.refs[i];
		coordinate = coordinate * ref.size + coordinate_at(mesh, position, ref);
	}
	return coordinate;
}

int64_t sr_mesh_coordinate_along(const struct sr_mesh *mesh, int64_t device, struct sr_axes axes)
{
	return coordinate_along_at(mesh, sr_mesh_position(mesh, device), axes);
}

/* Return the offset of group member k, at coordinate k along the axes, from the group's first member, in positions. */
static int64_t member_offset(const struct sr_mesh *mesh, struct sr_axes axes, int64_t k)
{
	int64_t offset = 0;
	for (int i = axes.n - 1; i >= 0; i--) {
		offset += k % axes.refs[i].size * sr_mesh_stride(mesh, axes.refs[i]);
		k /= axes.refs[i].size;
	}
	return offset;
}

struct sr_groups sr_mesh_groups(struct sr_arena *arena, const struct sr_mesh *mesh, struct sr_axes axes)
{
	int64_t n = sr_mesh_devices(mesh), size = sr_axes_size(axes);
	assert(size > 0 && n % size == 0);
	struct sr_groups groups = {.ids = SR_NEW_ARRAY(arena, int64_t, n), .n_groups = n / size, .group_size = size};
	int64_t *next_id = groups.ids, *end = groups.ids + groups.n_groups * size;
	for (int64_t first = 0; first < n && next_id < end; first++) {
		if (coordinate_along_at(mesh, first, axes) != 0)
			continue;
		for (int64_t k = 0; k < size; k++)
			*next_id++ = sr_mesh_device(mesh, first + member_offset(mesh, axes, k));
	}
	return groups;
}
