/* The meshes that a set of tiles needs. A mesh is first an order of devices: the identity, or else the list of one of the tiles.
 * Given the order, each tile's dimensions are parts, and a part (size, stride) ends at the cuts stride and stride * size; between
 * two cuts of the whole set lies an axis.
 *
 *	[4,2]<=[8] and [2,1,4]<=[4,2]T(1,0)     cuts 8, 2, 1     axes 4, 2
 *	[2,3]<=[6] and [3,2]<=[6]               cuts 6, 3 | 2, 1: neither divides the other, so one axis of 6 and its sub-axes */
#include "mesh/tiling.h"
#include "support/vec.h"
#include <stdlib.h>

typedef SR_VEC(int64_t) cuts_vec;

/* An order of devices with the tiles that it has to express. */
struct order {
	const int64_t *device_ids, *position; /* NULL: identity */
	cuts_vec cuts;
};

static void add_cut(struct sr_arena *arena, cuts_vec *cuts, int64_t cut)
{
	for (size_t i = 0; i < cuts->n; i++)
		if (cuts->data[i] == cut)
			return;
	sr_push(arena, cuts, cut);
}

/* False, with nothing changed, where the order cannot express the tile. */
static bool add_tile(struct sr_arena *arena, struct order *order, const struct sr_tiling *t)
{
	const struct sr_iota_dims *dims = sr_tiling_iota_by_dim(arena, t, order->position);
	for (int i = 0; dims && i < t->n_dims; i++)
		for (int k = 0; k < dims[i].n; k++) {
			add_cut(arena, &order->cuts, dims[i].at[k].stride);
			add_cut(arena, &order->cuts, dims[i].at[k].stride * dims[i].at[k].size);
		}
	return dims;
}

/* The order of the tile's own list; the identity for NULL. */
static struct order order_of(struct sr_arena *arena, const struct sr_tiling *t, int64_t n_devices)
{
	if (!t)
		return (struct order){0};
	int64_t *position = SR_NEWS(arena, int64_t, n_devices);
	const int64_t *ids = sr_tiling_ids(arena, t);
	for (int64_t i = 0; i < n_devices; i++)
		position[ids[i]] = i;
	return (struct order){.device_ids = ids, .position = position};
}

static bool add_all(struct sr_arena *arena, struct order *order, const struct sr_tiling *const *tiles, int n)
{
	bool good = true;
	for (int i = 0; good && i < n; i++)
		good = add_tile(arena, order, tiles[i]);
	return good;
}

static int descending(const void *a, const void *b)
{
	int64_t p = *(const int64_t *)a, q = *(const int64_t *)b;
	return (p < q) - (p > q);
}

/* Axes between the cuts that divide or are divided by all others. */
static struct sr_tiling_mesh mesh_of(struct sr_arena *arena, struct order *order, int64_t n_devices)
{
	cuts_vec sizes = {0};
	add_cut(arena, &order->cuts, 1);
	qsort(order->cuts.data, order->cuts.n, sizeof *order->cuts.data, descending);
	int64_t high = n_devices;
	for (size_t i = 0; i < order->cuts.n; i++) {
		int64_t cut = order->cuts.data[i];
		bool chain = cut < high;
		for (size_t k = 0; chain && k < order->cuts.n; k++)
			chain = order->cuts.data[k] % cut == 0 || cut % order->cuts.data[k] == 0;
		if (!chain)
			continue;
		sr_push(arena, &sizes, high / cut);
		high = cut;
	}
	return (struct sr_tiling_mesh){sizes.data, (int)sizes.n, order->device_ids};
}

struct sr_tiling_mesh *sr_tiling_meshes(struct sr_arena *arena, const struct sr_tiling *const *tiles, int n, int64_t n_devices,
				    int *n_meshes)
{
	SR_VEC(struct order) orders = {0};
	for (int i = -1; i < n; i++) {
		struct order one = order_of(arena, i < 0 ? NULL : tiles[i], n_devices);
		if (add_all(arena, &one, tiles, n)) {
			sr_push(arena, &orders, one);
			break;
		}
	}
	for (int i = 0, single = orders.n == 1; !single && i < n; i++) {
		bool found = false;
		for (size_t k = 0; !found && k < orders.n; k++)
			found = add_tile(arena, &orders.data[k], tiles[i]);
		if (found)
			continue;
		struct order own = {0};
		if (!add_tile(arena, &own, tiles[i])) {
			own = order_of(arena, tiles[i], n_devices);
			add_tile(arena, &own, tiles[i]);
		}
		sr_push(arena, &orders, own);
	}
	struct sr_tiling_mesh *meshes = SR_NEWS(arena, struct sr_tiling_mesh, orders.n);
	for (size_t i = 0; i < orders.n; i++)
		meshes[i] = mesh_of(arena, &orders.data[i], n_devices);
	*n_meshes = (int)orders.n;
	return meshes;
}
