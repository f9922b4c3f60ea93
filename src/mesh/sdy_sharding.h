/* Axes and shardings as in sdy attributes and text: a full axis is referenced by name alone, and its size is known only from a
 * mesh that may be defined later. Algorithms on axes use struct sr_axis_ref, sr_axes and sr_sharding (mesh.h), which the
 * *_resolve functions make from these and a mesh; so nothing is compared or counted before sizes are known. Strings are
 * interned: equal names have equal pointers. */
#ifndef SR_MESH_SDY_SHARDING_H
#define SR_MESH_SDY_SHARDING_H

#include "mesh/mesh.h"

struct sr_sdy_axis {
	const char *axis;
	int64_t pre, size; /* "x":(pre)size; for a full axis pre is 1 and size is 0 */
};

struct sr_sdy_axes {
	const struct sr_sdy_axis *refs; /* axis references, major to minor; may be NULL if n == 0; length n */
	int n;
};

struct sr_sdy_dim {
	struct sr_sdy_axes axes;
	bool closed;  /* true for closed, {"x"}; false for open, {"x", ?} */
	int priority; /* priority of the dimension; -1: absent, which means 0 */
};

struct sr_sdy_sharding {
	const char *mesh_name;      /* interned symbol name; NULL if the mesh is inline */
	const struct sr_mesh *mesh; /* the inline mesh; NULL if mesh_name names it */
	const struct sr_sdy_dim *dims; /* shardings of the dimensions; length: rank */
	int rank;
	struct sr_sdy_axes replicated, unreduced;
	enum sr_unreduced_kind unreduced_kind;
};

/* Return the reference, list or sharding with sizes from the mesh: a full axis becomes (axis, 1, n). */
struct sr_axis_ref sr_axis_resolve(const struct sr_mesh *mesh, struct sr_sdy_axis axis);
struct sr_axes sr_axes_resolve(struct sr_arena *arena, const struct sr_mesh *mesh, struct sr_sdy_axes axes);
struct sr_sharding *sr_sharding_resolve(struct sr_arena *arena, const struct sr_mesh *mesh, const struct sr_sdy_sharding *s);
/* Convert to the form of sdy attributes, the inverse of resolving: a reference to a full axis becomes the axis name alone. */
struct sr_sdy_axis sr_axis_to_sdy(const struct sr_mesh *mesh, struct sr_axis_ref ref);
struct sr_sdy_axes sr_axes_to_sdy(struct sr_arena *arena, const struct sr_mesh *mesh, struct sr_axes axes);
struct sr_sdy_sharding *sr_sharding_to_sdy(struct sr_arena *arena, const struct sr_mesh *mesh, const struct sr_sharding *s);

bool sr_sdy_axis_equal(struct sr_sdy_axis a, struct sr_sdy_axis b);
bool sr_sdy_axes_equal(struct sr_sdy_axes a, struct sr_sdy_axes b);
/* Return true if no dimension has an axis and nothing is unreduced. */
bool sr_sdy_sharding_is_replicated(const struct sr_sdy_sharding *s);
/* Return true if a dimension is sharded. */
bool sr_sdy_sharding_has_axes(const struct sr_sdy_sharding *s);
/* Return true if the shardings are on equal inline meshes, or on meshes of the same name. */
bool sr_sdy_sharding_same_mesh(const struct sr_sdy_sharding *a, const struct sr_sdy_sharding *b);
/* Return true for equal layouts: both replicated (NULL counts as replicated), or equal mesh, axes of the dimensions and
 * unreduced axes. */
bool sr_sdy_sharding_is_equivalent(const struct sr_sdy_sharding *a, const struct sr_sdy_sharding *b);
/* Return the number of shards of a dimension, the product of its axis sizes. */
int64_t sr_sdy_dim_shards(const struct sr_sdy_sharding *s, const struct sr_mesh *mesh, int dim);
/* Return a fully replicated sharding with all dimensions closed or open. */
struct sr_sdy_sharding sr_sdy_replicated_sharding(struct sr_arena *arena, const char *mesh_name, int rank, bool closed);

#endif
