/* Meshes, axes and sub-axes, shardings: pure algebra on plain structs. Nothing here knows the IR; shardings are read by text,
 * propagation, partition, I/O and collectives alike.
 *
 * A mesh is a list of named axes with sizes; its devices are the positions 0..n-1 of the row-major grid over the axes, permuted
 * by device_ids where they are given (position p of the grid is device device_ids[p]).
 * An axis reference is (axis, pre, size): the part of the axis of `size` devices that has `pre` devices to its left.
 * "x" of 8 splits into "x":(1)2, "x":(2)2 and "x":(4)2; written "x":(pre)size; the whole axis is (x, 1, n).
 * Axis names are interned by the caller (pointer equality). What text has, whole axes without their size, is of other types
 * (sdy_sharding.h): sr_axes_resolve and its like make these of it.
 *
 * Example: mesh <["x"=4, "y"=2]>, sharding [{"x"}, {"y"}] of 16x8: device (x=i, y=j) = 2i+j holds rows 4i..4i+3,
 * columns 4j..4j+3. */
#ifndef SR_MESH_MESH_H
#define SR_MESH_MESH_H

#include "support/arena.h"
#include <stdbool.h>
#include <stdint.h>

#define SR_MAX_RANK 16 /* dimensions of a tensor that can be run; text takes any rank */

struct sr_axis {
	const char *name; /* interned */
	int64_t size;
};

struct sr_mesh {
	const struct sr_axis *axes; /* [n_axes], major to minor */
	int n_axes;
	const int64_t *device_ids; /* [n_device_ids]; NULL: identity. No axes and one id: a single-device ("maximal") mesh */
	int n_device_ids;
};

struct sr_axis_ref {
	const char *axis; /* interned name */
	int64_t pre;      /* 1 for a whole axis */
	int64_t size;
};

/* A list of axis references, major to minor. */
struct sr_axes {
	const struct sr_axis_ref *refs; /* [n]; may be NULL if n == 0 */
	int n;
};

struct sr_dim_sharding {
	struct sr_axes axes;
	bool closed;   /* {"x"} closed; {"x", ?} open */
	int priority;  /* -1: none given (means 0) */
};

enum sr_unreduced_kind { SR_UNREDUCED_SUM, SR_UNREDUCED_MAX, SR_UNREDUCED_MIN };

struct sr_sharding {
	const char *mesh_name;      /* interned symbol; NULL where the mesh stands inline */
	const struct sr_mesh *mesh; /* the inline mesh, or NULL where mesh_name names it */
	const struct sr_dim_sharding *dims; /* [rank] */
	int rank;
	struct sr_axes replicated; /* axes that may not be used for sharding */
	struct sr_axes unreduced;  /* each device holds a partial value along these */
	enum sr_unreduced_kind unreduced_kind;
};

/* ---- meshes ---- */
int64_t sr_mesh_devices(const struct sr_mesh *mesh); /* number of devices; 1 for the empty and the single-device mesh */
int64_t sr_mesh_axis_size(const struct sr_mesh *mesh, const char *axis); /* 0 where the mesh has no such axis */
int sr_mesh_axis_index(const struct sr_mesh *mesh, const char *axis);    /* -1 where it has none */
/* The same axes and the same order of devices; device_ids that spell out the identity equal none. */
bool sr_mesh_equal(const struct sr_mesh *a, const struct sr_mesh *b);
bool sr_mesh_same_axes(const struct sr_mesh *a, const struct sr_mesh *b); /* whatever the order of devices */
bool sr_mesh_is_single_device(const struct sr_mesh *mesh);
/* The grid position of a device and back (device_ids applied); -1 where the mesh has no such device or position. */
int64_t sr_mesh_position(const struct sr_mesh *mesh, int64_t device);
int64_t sr_mesh_device(const struct sr_mesh *mesh, int64_t position);
/* How many positions apart two neighbours along the reference are; 0 where the mesh has no such part. */
int64_t sr_mesh_stride(const struct sr_mesh *mesh, struct sr_axis_ref ref);
/* Coordinate of a device along one (sub-)axis: 0..ref.size-1; 0 for a device or an axis that the mesh does not have. */
int64_t sr_mesh_coordinate(const struct sr_mesh *mesh, int64_t device, struct sr_axis_ref ref);
/* Coordinate along a list taken as one axis, the first the most significant: 0..product-1. */
int64_t sr_mesh_coordinate_along(const struct sr_mesh *mesh, int64_t device, struct sr_axes axes);
/* Groups of devices that differ only along `axes`: groups[n_groups][group_size], members in order of their coordinate along
 * `axes`; groups in row-major order of the other axes. Allocated in the arena. `axes` must not overlap and
 * must be able to coexist. */
struct sr_groups {
	int64_t *ids; /* [n_groups * group_size]; -1 pads a shorter group */
	int64_t n_groups, group_size;
};
struct sr_groups sr_mesh_groups(struct sr_arena *arena, const struct sr_mesh *mesh, struct sr_axes axes);
/* A list of (sub-)axes taken as one, without the mesh: its coordinate at a position reads digit by digit, position / stride % size,
 * the first the most significant. What follows from axes is kept so where there may be too many devices to list. */
struct sr_digit {
	int64_t size, stride;
};
struct sr_digits {
	const struct sr_digit *at; /* [n], sizes above 1 */
	int n;
};
struct sr_digits sr_mesh_digits(struct sr_arena *arena, const struct sr_mesh *mesh, struct sr_axes axes);
int64_t sr_digits_size(struct sr_digits digits);
int64_t sr_digits_coordinate(struct sr_digits digits, int64_t position);
/* The position at a coordinate, all other coordinates 0. */
int64_t sr_digits_position(struct sr_digits digits, int64_t coordinate);
/* One list makes every position of 0..n-1 once, in some order. */
bool sr_digits_cover_all(struct sr_digits digits, int64_t n);
/* An iota tile assignment of V2 strings, [dims]<=[reshape]T(perm): as many ids as the product of reshape, in row-major order of
 * the tile dims. perm NULL: the identity. NULL where an extent is negative, the product overflows or perm is no permutation. */
int64_t *sr_iota_tile(struct sr_arena *arena, const int64_t *reshape, const int *perm, int n_reshape);

/* ---- axis references ----
 * Containment, prefix and overlap compare the ranges [pre, pre * size) as Shardy does, and say nothing of divisibility: "x":(1)2
 * counts as a prefix of "x":(1)3. What makes a new reference (overlap, prefix, suffix, difference) needs sr_axis_can_coexist
 * and gives nothing without it. A whole axis of size 1 overlaps itself and never merges. */
bool sr_axis_ref_equal(struct sr_axis_ref a, struct sr_axis_ref b);
bool sr_axes_equal(struct sr_axes a, struct sr_axes b);
bool sr_axis_contains(struct sr_axis_ref a, struct sr_axis_ref b);       /* every part of b lies in a */
bool sr_axis_overlaps(struct sr_axis_ref a, struct sr_axis_ref b);
bool sr_axis_overlap(struct sr_axis_ref a, struct sr_axis_ref b, struct sr_axis_ref *out);
bool sr_axis_is_prefix(struct sr_axis_ref a, struct sr_axis_ref b);      /* a is b's left part (or b itself) */
bool sr_axis_is_strict_prefix(struct sr_axis_ref a, struct sr_axis_ref b);
/* a and b can be parts of one common refinement: their boundaries divide each other. */
bool sr_axis_can_coexist(struct sr_axis_ref a, struct sr_axis_ref b);
/* The largest prefix of a that does not overlap b; false where none is left. */
bool sr_axis_prefix_without_overlap(struct sr_axis_ref a, struct sr_axis_ref b, struct sr_axis_ref *out);
/* The largest suffix of a that does not overlap b; false where none is left. */
bool sr_axis_suffix_without_overlap(struct sr_axis_ref a, struct sr_axis_ref b, struct sr_axis_ref *out);
/* The longer of a and b that is a prefix of both; false where neither is. */
bool sr_axis_common_prefix(struct sr_axis_ref a, struct sr_axis_ref b, struct sr_axis_ref *out);
bool sr_axis_can_merge(struct sr_axis_ref a, struct sr_axis_ref b);      /* a then b make one: (x,1,2)(x,2,4) = (x,1,8) */
struct sr_axis_ref sr_axis_merge(struct sr_axis_ref a, struct sr_axis_ref b);
/* Order for sorted lists: by position in the mesh, then pre, then size. */
int sr_axis_compare(const struct sr_mesh *mesh, struct sr_axis_ref a, struct sr_axis_ref b);
/* The order that needs no mesh: by name as text, then pre, then size. */
int sr_axis_compare_by_name(struct sr_axis_ref a, struct sr_axis_ref b);
/* Shorter lists first, then the first difference by sr_axis_compare_by_name. */
int sr_axes_compare_by_name(struct sr_axes a, struct sr_axes b);
/* a is a prefix of b, its last axis perhaps of b's axis there. */
bool sr_axes_is_prefix(struct sr_axes a, struct sr_axes b);
bool sr_axes_is_strict_prefix(struct sr_axes a, struct sr_axes b);
/* The largest prefix of ref, and of the list a, that overlaps nothing in b. */
bool sr_axis_prefix_without_overlaps(struct sr_axis_ref ref, struct sr_axes b, struct sr_axis_ref *out);
struct sr_axes sr_axes_prefix_without_overlaps(struct sr_arena *arena, struct sr_axes a, struct sr_axes b);
/* In mesh order with adjacent parts merged, as replicated and unreduced axes are kept. */
struct sr_axes sr_axes_sort_and_merge(struct sr_arena *arena, const struct sr_mesh *mesh, struct sr_axes a);
/* a followed by b with adjacent parts merged; either may be empty. */
struct sr_axes sr_axes_concat(struct sr_arena *arena, struct sr_axes a, struct sr_axes b);
struct sr_axes sr_axes_append(struct sr_arena *arena, struct sr_axes a, struct sr_axis_ref b);
bool sr_axes_overlap(struct sr_axes a, struct sr_axes b);
bool sr_axes_has(struct sr_axes a, struct sr_axis_ref b); /* some ref of a contains b */
/* The product of the sizes; 1 for none. */
int64_t sr_axes_size(struct sr_axes axes);
/* The longest common prefix of the two lists; its last axis may be a prefix of a's and b's axis there. */
struct sr_axes sr_axes_common_prefix(struct sr_arena *arena, struct sr_axes a, struct sr_axes b);
/* Remove from a everything that overlaps b: a's parts not in b, in a's order (not a prefix). False where sizes cannot coexist. */
bool sr_axes_difference(struct sr_arena *arena, struct sr_axes a, struct sr_axes b, struct sr_axes *out);
/* All of the mesh's axes that none of `used` overlaps, split where a part is used, in mesh order. */
struct sr_axes sr_mesh_unused_axes(struct sr_arena *arena, const struct sr_mesh *mesh, struct sr_axes used);

/* ---- shardings ---- */
bool sr_sharding_equal(const struct sr_sharding *a, const struct sr_sharding *b);
/* The dims' axes only: not open or closed, not priorities. */
bool sr_sharding_same_axes(const struct sr_sharding *a, const struct sr_sharding *b);
/* Of one row-major tensor in two static shapes, of as many extents as the shardings have dimensions: every device holds the same
 * elements. uneven: as far as that can be said where shards do not divide extents, by how many parts lie outside of each axis. */
bool sr_sharding_same_placement(struct sr_arena *arena, const struct sr_sharding *a, const int64_t *a_shape,
			      const struct sr_sharding *b, const int64_t *b_shape, bool uneven);
struct sr_axes sr_sharding_used_axes(struct sr_arena *arena, const struct sr_sharding *s); /* of the dims, then unreduced */

/* What one device holds of a global shape: local extent per dimension is ceil(global / shards); the slice [start, start + size)
 * has size cut at the global end (0 where a device holds only padding; start is then at most the global end). */
struct sr_device_slice {
	int64_t start[SR_MAX_RANK], size[SR_MAX_RANK], local[SR_MAX_RANK];
};
struct sr_device_slice sr_sharding_slice(const struct sr_sharding *s, const struct sr_mesh *mesh, const int64_t *global,
					int64_t device);

#endif
