/* Meshes, axes, sub-axes and shardings: algorithms on plain structs, independent of the IR. Used by text, propagation,
 * partition, I/O and collectives.
 *
 * A mesh is a list of named axes with sizes. Its devices are the positions 0..n-1 of the row-major grid over the axes, permuted
 * by device_ids unless empty (grid position p is device device_ids[p]). An axis reference (axis, pre, size) is the sub-axis of
 * `size` devices with `pre` devices to its left, as in Shardy. "x" of size 8 splits into "x":(1)2, "x":(2)2 and "x":(4)2,
 * written "x":(pre)size; the full axis is (x, 1, 8). Axis names are interned by the caller and compared by pointer. The parsed
 * form of sdy attributes, in which a full axis has no size, has other types (sdy_sharding.h); sr_axes_resolve and its relatives
 * convert it.
 *
 * Example: mesh <["x"=4, "y"=2]>, sharding [{"x"}, {"y"}] of 16x8: device (x=i, y=j) = 2i+j holds rows 4i..4i+3, columns
 * 4j..4j+3. */
#ifndef SR_MESH_MESH_H
#define SR_MESH_MESH_H

#include "support/arena.h"
#include <stdbool.h>
#include <stdint.h>

#define SR_MAX_RANK 16 /* largest rank of a tensor that can be executed; text may have any rank */

struct sr_axis {
	const char *name; /* name of the axis, interned */
	int64_t size;
};

struct sr_mesh {
	const struct sr_axis *axes; /* axes, major to minor; length n_axes */
	int n_axes;
	/* device at each grid position; NULL: identity; length n_device_ids. A mesh without axes and with one id is a
	 * single-device ("maximal") mesh */
	const int64_t *device_ids;
	int n_device_ids;
};

struct sr_axis_ref {
	const char *axis; /* name of the axis, interned */
	int64_t pre;      /* product of the sizes of the sub-axes to the left; 1 for a full axis */
	int64_t size;
};

/* A list of axis references, major to minor. */
struct sr_axes {
	const struct sr_axis_ref *refs; /* the references; length n; may be NULL if n == 0 */
	int n;
};

struct sr_dim_sharding {
	struct sr_axes axes;
	bool closed;   /* true for closed, {"x"}; false for open, {"x", ?} */
	int priority;  /* priority of the dimension; -1: absent, which means 0 */
};

/* In the order of the attribute #sdy.reduction_op. */
enum sr_unreduced_kind { SR_UNREDUCED_SUM, SR_UNREDUCED_MAX, SR_UNREDUCED_MIN };
extern const char *const sr_unreduced_kind_names[]; /* "sum", "max", "min" */

struct sr_sharding {
	const char *mesh_name;      /* interned symbol name; NULL if the mesh is inline */
	const struct sr_mesh *mesh; /* the inline mesh; NULL if mesh_name names it */
	const struct sr_dim_sharding *dims; /* shardings of the dimensions; length: rank */
	int rank;
	struct sr_axes replicated; /* axes that must not be used for sharding */
	struct sr_axes unreduced;  /* axes along which each device holds a partial result, to be combined by unreduced_kind */
	enum sr_unreduced_kind unreduced_kind;
};

/* ---- meshes ---- */
int64_t sr_mesh_devices(const struct sr_mesh *mesh); /* Return the number of devices; 1 for the empty and the single-device mesh. */
/* Return the size of an axis; 0 if the mesh has no such axis. */
int64_t sr_mesh_axis_size(const struct sr_mesh *mesh, const char *axis);
/* Return the index of an axis; -1 if the mesh has no such axis. */
int sr_mesh_axis_index(const struct sr_mesh *mesh, const char *axis);
/* Return true if axes and device order are equal; device_ids that spell out the identity equal no device_ids. */
bool sr_mesh_equal(const struct sr_mesh *a, const struct sr_mesh *b);
/* Return true if the axes are equal; the device order is ignored. */
bool sr_mesh_same_axes(const struct sr_mesh *a, const struct sr_mesh *b);
bool sr_mesh_is_single_device(const struct sr_mesh *mesh);
/* Convert a device id to its grid position and back (by device_ids); -1 if the mesh has no such device or position. */
int64_t sr_mesh_position(const struct sr_mesh *mesh, int64_t device);
int64_t sr_mesh_device(const struct sr_mesh *mesh, int64_t position);
/* Return the distance in positions between neighbours along the reference; 0 if the mesh has no such sub-axis. */
int64_t sr_mesh_stride(const struct sr_mesh *mesh, struct sr_axis_ref ref);
/* Return the coordinate of a device along a (sub-)axis, 0..ref.size-1; 0 for an unknown device or axis. */
int64_t sr_mesh_coordinate(const struct sr_mesh *mesh, int64_t device, struct sr_axis_ref ref);
/* Return the coordinate along a list of axes taken as one, the first axis being the most significant: 0..product-1. */
int64_t sr_mesh_coordinate_along(const struct sr_mesh *mesh, int64_t device, struct sr_axes axes);
/* Groups of devices that differ only along `axes` (replica groups). Members are ordered by their coordinate along `axes`, groups
 * row-major by the other axes. Allocated in the arena. The axes must not overlap and must be able to coexist. */
struct sr_groups {
	int64_t *ids; /* group after group, shorter groups padded with -1; length n_groups * group_size */
	int64_t n_groups, group_size;
};
struct sr_groups sr_mesh_groups(struct sr_arena *arena, const struct sr_mesh *mesh, struct sr_axes axes);
/* The coordinate along a list of (sub-)axes as a mixed-radix number, without the mesh: digit i of a position is position /
 * stride % size, the first digit being the most significant. Represents groups of meshes with too many devices to enumerate. */
struct sr_digit {
	int64_t size, stride;
};
struct sr_digits {
	const struct sr_digit *digits; /* digits, each of size > 1, the most significant first; length n */
	int n;
};
struct sr_digits sr_mesh_digits(struct sr_arena *arena, const struct sr_mesh *mesh, struct sr_axes axes);
int64_t sr_digits_size(struct sr_digits digits);
int64_t sr_digits_coordinate(struct sr_digits digits, int64_t position);
/* Return the position with this coordinate and coordinate 0 along all other axes. */
int64_t sr_digits_position(struct sr_digits digits, int64_t coordinate);
/* Return true if the digits enumerate every position 0..n-1 exactly once. */
bool sr_digits_cover_all(struct sr_digits digits, int64_t n);
/* Enumerate an iota tile assignment of GSPMD V2 strings, [dims]<=[reshape]T(perm): product(reshape) ids in row-major order of
 * the tiles. perm NULL: identity. Return NULL if an extent is negative, the product overflows or perm is not a permutation. */
int64_t *sr_iota_tile(struct sr_arena *arena, const int64_t *reshape, const int *perm, int n_reshape);

/* ---- axis references ----
 * As in Shardy, containment, prefix and overlap compare the ranges [pre, pre * size) only, not
 * divisibility: "x":(1)2 counts as a prefix of "x":(1)3. Functions that create a reference (overlap, prefix, suffix, difference)
 * require sr_axis_can_coexist and fail without it. A full axis of size 1 overlaps itself and never merges. */
bool sr_axis_ref_equal(struct sr_axis_ref a, struct sr_axis_ref b);
bool sr_axes_equal(struct sr_axes a, struct sr_axes b);
bool sr_axis_contains(struct sr_axis_ref a, struct sr_axis_ref b);       /* Return true if b's range is within a's range. */
bool sr_axis_overlaps(struct sr_axis_ref a, struct sr_axis_ref b);
bool sr_axis_overlap(struct sr_axis_ref a, struct sr_axis_ref b, struct sr_axis_ref *out);
bool sr_axis_is_prefix(struct sr_axis_ref a, struct sr_axis_ref b);      /* Return true if a is b or its major part. */
/* Return true if a and b are sub-axes of one common factorization: their boundaries divide each other. */
bool sr_axis_can_coexist(struct sr_axis_ref a, struct sr_axis_ref b);
/* Compute the largest prefix of a that does not overlap b. Return false if none is left. */
bool sr_axis_prefix_without_overlap(struct sr_axis_ref a, struct sr_axis_ref b, struct sr_axis_ref *out);
/* Compute the largest suffix of a that does not overlap b. Return false if none is left. */
bool sr_axis_suffix_without_overlap(struct sr_axis_ref a, struct sr_axis_ref b, struct sr_axis_ref *out);
/* Compute the longer of a and b that is a prefix of both. Return false if neither is. */
bool sr_axis_common_prefix(struct sr_axis_ref a, struct sr_axis_ref b, struct sr_axis_ref *out);
/* Return true if a followed by b is one sub-axis: (x,1,2)(x,2,4) = (x,1,8). */
bool sr_axis_can_merge(struct sr_axis_ref a, struct sr_axis_ref b);
struct sr_axis_ref sr_axis_merge(struct sr_axis_ref a, struct sr_axis_ref b);
/* Compare for sorting: by axis index in the mesh, then pre, then size. */
int sr_axis_compare(const struct sr_mesh *mesh, struct sr_axis_ref a, struct sr_axis_ref b);
/* Compare without a mesh: by axis name, then pre, then size. */
int sr_axis_compare_by_name(struct sr_axis_ref a, struct sr_axis_ref b);
/* Compare lists: shorter first, then by the first difference under sr_axis_compare_by_name. */
int sr_axes_compare_by_name(struct sr_axes a, struct sr_axes b);
/* Return true if list a is a prefix of list b; a's last reference may be a prefix of b's reference there. */
bool sr_axes_is_prefix(struct sr_axes a, struct sr_axes b);
bool sr_axes_is_strict_prefix(struct sr_axes a, struct sr_axes b);
/* Return the largest prefix of `ref` (or of list a) that overlaps nothing in b. */
bool sr_axis_prefix_without_overlaps(struct sr_axis_ref ref, struct sr_axes b, struct sr_axis_ref *out);
struct sr_axes sr_axes_prefix_without_overlaps(struct sr_arena *arena, struct sr_axes a, struct sr_axes b);
/* Return the list sorted in mesh order with adjacent sub-axes merged: the form of replicated and unreduced axes. */
struct sr_axes sr_axes_sort_and_merge(struct sr_arena *arena, const struct sr_mesh *mesh, struct sr_axes a);
/* Return a followed by b, with adjacent sub-axes merged. Either may be empty. */
struct sr_axes sr_axes_concat(struct sr_arena *arena, struct sr_axes a, struct sr_axes b);
struct sr_axes sr_axes_append(struct sr_arena *arena, struct sr_axes a, struct sr_axis_ref b);
bool sr_axes_overlap(struct sr_axes a, struct sr_axes b);
bool sr_axes_has(struct sr_axes a, struct sr_axis_ref b); /* Return true if some reference of a contains b. */
/* Return the product of the sizes; 1 for an empty list. */
int64_t sr_axes_size(struct sr_axes axes);
/* Return the longest common prefix of two lists. Its last reference may be a proper prefix of those in a and b. */
struct sr_axes sr_axes_common_prefix(struct sr_arena *arena, struct sr_axes a, struct sr_axes b);
/* Remove from a everything that overlaps b, keeping a's order. Return false if some references cannot coexist. */
bool sr_axes_difference(struct sr_arena *arena, struct sr_axes a, struct sr_axes b, struct sr_axes *out);
/* Return the mesh's axes without everything that overlaps used_axes, in mesh order; an axis of which a part is used is split into
 * sub-axes. */
struct sr_axes sr_mesh_unused_axes(struct sr_arena *arena, const struct sr_mesh *mesh, struct sr_axes used_axes);

/* ---- shardings ---- */
bool sr_sharding_equal(const struct sr_sharding *a, const struct sr_sharding *b);
/* Return true if the dimensions have equal axes; whether they are open, and priorities, are ignored. */
bool sr_sharding_same_axes(const struct sr_sharding *a, const struct sr_sharding *b);
/* Return true if two shardings of one row-major tensor viewed in two static shapes place the same elements on every device. The
 * shapes have as many extents as the shardings have dimensions. allows_uneven: for extents that shards do not divide, compare the
 * number of shards outside of each axis instead of strides. */
bool sr_sharding_same_placement(struct sr_arena *arena, const struct sr_sharding *a, const int64_t *a_shape,
				const struct sr_sharding *b, const int64_t *b_shape, bool allows_uneven);
/* Return the axes of the dimensions, followed by the unreduced axes. */
struct sr_axes sr_sharding_used_axes(struct sr_arena *arena, const struct sr_sharding *s);

/* The slice of a global shape that a device holds. local: extent of a shard, ceil(global / shards). size: extent of the shard
 * without padding; 0 if the device holds only padding, where start is at most the global extent. */
struct sr_device_slice {
	int64_t start[SR_MAX_RANK], size[SR_MAX_RANK], local[SR_MAX_RANK];
};
struct sr_device_slice sr_sharding_slice(const struct sr_sharding *s, const struct sr_mesh *mesh, const int64_t *global,
					 int64_t device);

#endif
