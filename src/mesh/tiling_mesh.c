/* Find meshes that express a set of tilings. First choose a device order: the identity, else the device list of one of the
 * tilings. In that order each tile dimension consists of iota dimensions, and one (size, stride) has the boundaries stride and
 * stride * size. There is one axis between any two consecutive boundaries of the set.
 *
 *	[4,2]<=[8] and [2,1,4]<=[4,2]T(1,0)     boundaries 8, 2, 1     axes 4, 2
 *	[2,3]<=[6] and [3,2]<=[6]               boundaries 6, 3 | 2, 1: neither of 3 and 2 divides the other, so one axis of 6 with
 * sub-axes */
#include "mesh/tiling.h"
#include "support/vec.h"
#include <stdlib.h>

typedef SR_VEC(int64_t) boundary_vec;

/* A device order and the boundaries of the tilings expressed in it. */
struct device_order {
	const int64_t *device_ids, *position; /* device at each grid position; NULL: identity */
	boundary_vec boundaries;
};

static void add_boundary(struct sr_arena *arena, boundary_vec *boundaries, int64_t boundary)
{
	for (size_t i = 0; i < boundaries->n; i++)
		if (boundaries->data[i] == boundary)
			return;
	sr_push(arena, boundaries, boundary);
}

/* Add the tiling's boundaries. Return false, leaving the boundaries unchanged, if the order cannot express the tiling. */
static bool add_tile(struct sr_arena *arena, struct device_order *order, const struct sr_tiling *t)
{
	const struct sr_iota_dims *dims = sr_tiling_iota_by_dim(arena, t, order->position);
	for (int i = 0; dims && i < t->n_dims; i++)
		for (int k = 0; k < dims[i].n; k++) {
			add_boundary(arena, &order->boundaries, dims[i].dims[k].stride);
			add_boundary(arena, &order->boundaries, dims[i].dims[k].stride * dims[i].dims[k].size);
		}
	return dims;
}

/* Return the device order given by the tiling's own list; the identity if the tiling is NULL. */
static struct device_order device_order_of(struct sr_arena *arena, const struct sr_tiling *t, int64_t n_devices)
{
	if (!t)
		return (struct device_order){0};
	int64_t *position = SR_NEW_ARRAY(arena, int64_t, n_devices);
	const int64_t *ids = sr_tiling_ids(arena, t);
	for (int64_t i = 0; i < n_devices; i++)
		position[ids[i]] = i;
	return (struct device_order){.device_ids = ids, .position = position};
}

static bool add_all(struct sr_arena *arena, struct device_order *order, const struct sr_tiling *const *tiles, int n)
{
	bool is_added = true;
	for (int i = 0; is_added && i < n; i++)
		is_added = add_tile(arena, order, tiles[i]);
	return is_added;
}

static int compare_descending(const void *a, const void *b)
{
	int64_t p = *(const int64_t *)a, q = *(const int64_t *)b;
	return (p < q) - (p > q);
}

/* Make an axis between consecutive boundaries, using only boundaries that divide or are divided by all others. */
static struct sr_tiling_mesh make_mesh(struct sr_arena *arena, struct device_order *order, int64_t n_devices)
{
	boundary_vec sizes = {0};
	add_boundary(arena, &order->boundaries, 1);
	qsort(order->boundaries.data, order->boundaries.n, sizeof *order->boundaries.data, compare_descending);
	int64_t high = n_devices;
	for (size_t i = 0; i < order->boundaries.n; i++) {
		int64_t boundary = order->boundaries.data[i];
		bool is_divisible = boundary < high;
		for (size_t k = 0; is_divisible && k < order->boundaries.n; k++)
			is_divisible = order->boundaries.data[k] % boundary == 0 || boundary % order->boundaries.data[k] == 0;
		if (!is_divisible)
			continue;
		sr_push(arena, &sizes, high / boundary);
		high = boundary;
	}
	return (struct sr_tiling_mesh){sizes.data, (int)sizes.n, order->device_ids};
}

struct sr_tiling_mesh *sr_tiling_meshes(struct sr_arena *arena, const struct sr_tiling *const *tiles, int n, int64_t n_devices,
					int *n_meshes)
{
	SR_VEC(struct device_order) orders = {0};
	for (int i = -1; i < n; i++) {
		struct device_order one = device_order_of(arena, i < 0 ? NULL : tiles[i], n_devices);
		if (add_all(arena, &one, tiles, n)) {
			sr_push(arena, &orders, one);
			break;
		}
	}
	for (int i = 0, has_single_order = orders.n == 1; !has_single_order && i < n; i++) {
		bool is_found = false;
		for (size_t k = 0; !is_found && k < orders.n; k++)
			is_found = add_tile(arena, &orders.data[k], tiles[i]);
		if (is_found)
			continue;
		struct device_order own = {0};
		if (!add_tile(arena, &own, tiles[i])) {
			own = device_order_of(arena, tiles[i], n_devices);
			add_tile(arena, &own, tiles[i]);
		}
		sr_push(arena, &orders, own);
	}
	struct sr_tiling_mesh *meshes = SR_NEW_ARRAY(arena, struct sr_tiling_mesh, orders.n);
	for (size_t i = 0; i < orders.n; i++)
		meshes[i] = make_mesh(arena, &orders.data[i], n_devices);
	*n_meshes = (int)orders.n;
	return meshes;
}
