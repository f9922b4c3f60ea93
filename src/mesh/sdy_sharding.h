/* Axes and shardings as text and attributes have them: a whole axis is its name alone, its size stands in a mesh that may come
 * later. What computes with axes takes struct sr_axis_ref, sr_axes and sr_sharding (mesh.h), which are made here of what was
 * written and the mesh, so that nothing is compared or counted before sizes are known. Strings are interned: equal pointers,
 * equal names. */
#ifndef SR_MESH_SDY_SHARDING_H
#define SR_MESH_SDY_SHARDING_H

#include "mesh/mesh.h"

struct sr_sdy_axis {
	const char *axis;
	int64_t pre, size; /* "x":(pre)size; of a whole axis 1 and 0 */
};

struct sr_sdy_axes {
	const struct sr_sdy_axis *refs; /* [n]; may be NULL if n == 0 */
	int n;
};

struct sr_sdy_dim {
	struct sr_sdy_axes axes;
	bool closed;  /* {"x"} closed; {"x", ?} open */
	int priority; /* -1: none given (means 0) */
};

struct sr_sdy_sharding {
	const char *mesh_name;      /* interned symbol; NULL where the mesh stands inline */
	const struct sr_mesh *mesh; /* the inline mesh, or NULL where mesh_name names it */
	const struct sr_sdy_dim *dims; /* [rank] */
	int rank;
	struct sr_sdy_axes replicated, unreduced;
	enum sr_unreduced_kind unreduced_kind;
};

/* With the mesh's sizes: the whole axis as (axis, 1, n). */
struct sr_axis_ref sr_axis_resolve(const struct sr_mesh *mesh, struct sr_sdy_axis axis);
struct sr_axes sr_axes_resolve(struct sr_arena *arena, const struct sr_mesh *mesh, struct sr_sdy_axes axes);
struct sr_sharding *sr_sharding_resolve(struct sr_arena *arena, const struct sr_mesh *mesh, const struct sr_sdy_sharding *s);
/* And back: parts that are whole axes of the mesh by name alone. */
struct sr_sdy_axis sr_axis_to_sdy(const struct sr_mesh *mesh, struct sr_axis_ref ref);
struct sr_sdy_axes sr_axes_to_sdy(struct sr_arena *arena, const struct sr_mesh *mesh, struct sr_axes axes);
struct sr_sdy_sharding *sr_sharding_to_sdy(struct sr_arena *arena, const struct sr_mesh *mesh, const struct sr_sharding *s);

bool sr_sdy_axis_equal(struct sr_sdy_axis a, struct sr_sdy_axis b);
bool sr_sdy_axes_equal(struct sr_sdy_axes a, struct sr_sdy_axes b);
/* No dimension names an axis, and nothing is unreduced. */
bool sr_sdy_sharding_is_replicated(const struct sr_sdy_sharding *s);
/* The same layout: replicated both (a missing sharding, NULL, is replicated), or one mesh, dims' axes and unreduced axes. */
bool sr_sdy_sharding_is_equivalent(const struct sr_sdy_sharding *a, const struct sr_sdy_sharding *b);
int64_t sr_sdy_dim_shards(const struct sr_sdy_sharding *s, const struct sr_mesh *mesh, int dim); /* product of its axes */
/* The fully replicated sharding of a rank, closed or open. */
struct sr_sdy_sharding sr_sdy_replicated_sharding(struct sr_arena *arena, const char *mesh_name, int rank, bool closed);

#endif
