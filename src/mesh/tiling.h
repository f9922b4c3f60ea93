/* GSPMD shardings (XLA's HloSharding): an assignment of a tensor's tiles to a list of devices. Converts between the two text
 * forms and the axes of a mesh.
 *
 *	{devices=[4,2]0,4,1,5,2,6,3,7}                                 V1: tiles in row-major order, the device of each
 *	{devices=[4,2]<=[2,4]T(1,0)}                                   V2: the same list as an iota, reshaped, transposed, flattened
 *	{devices=[2,1,4]<=[8] last_tile_dim_replicate}                 the last dimension of the tiles is replication
 *	{devices=[2,2,2]<=[8] last_tile_dims={manual, replicated}}     the last two dimensions are subgroups of these kinds
 *	{replicated} {manual} {unreduced} {unknown} {maximal device=3} {{replicated}, {manual}}
 *
 * each optionally followed by shard_as N, shard_like N and metadata={...}. The form with named mesh axes, {mesh['x'=4,'y'=2],
 * [{'x'}, {'y'}]}, is parsed into one of these. All data is plain and lives in an arena. A V2 device list (ids is NULL) is a
 * sequence of strided iota dimensions, major to minor: dimension (size, stride) counts 0, stride, 2 stride, ...; a device id is
 * the sum over the dimensions. [4,2]<=[2,4]T(1,0) has the dimensions (4, 1) and (2, 4). */
#ifndef SR_MESH_TILING_H
#define SR_MESH_TILING_H

#include "mesh/mesh.h"
#include "support/buf.h"

/* The kinds allowed for subgroups of tiles come first, in the order of XLA's canonical form. */
enum sr_tiling_kind {
	SR_TILING_MANUAL,
	SR_TILING_UNREDUCED,
	SR_TILING_REPLICATED,
	SR_TILING_SUBGROUP_COUNT,
	SR_TILING_MAXIMAL = SR_TILING_SUBGROUP_COUNT,
	SR_TILING_UNKNOWN,
	SR_TILING_TILED,
	SR_TILING_TUPLE
};

extern const char *const sr_tiling_kind_names[]; /* name of each kind in text: "manual", ...; length SR_TILING_TILED */

enum sr_tiling_group { SR_TILING_NO_GROUP, SR_TILING_SHARD_AS, SR_TILING_SHARD_LIKE };

struct sr_tiling {
	enum sr_tiling_kind kind;
	int64_t device; /* the device of a MAXIMAL sharding */
	/* fields of a TILED sharding */
	const int64_t *dims; /* number of tiles along each dimension of the tensor, then size of each subgroup; length n_dims */
	int n_dims;
	const enum sr_tiling_kind *subgroups; /* kinds of the last n_subgroups entries of `dims` */
	int n_subgroups;
	const int64_t *ids; /* device of each tile in V1; NULL: the list is in V2; length: product of `dims` */
	const int64_t *reshape; /* extents of the iota in V2; length n_reshape */
	const int *perm;        /* permutation of the iota's dimensions in V2; NULL: the identity; length n_reshape */
	int n_reshape;
	/* fields of a TUPLE of shardings */
	const struct sr_tiling *elements; /* shardings of the tuple's elements; length n_elements */
	int n_elements;
	/* fields of shardings of every kind */
	enum sr_tiling_group group;
	int64_t group_id;
	const char *metadata; /* text between the braces of metadata={...}; NULL: none */
};

static inline int sr_tiling_rank(const struct sr_tiling *t)
{
	return t->n_dims - t->n_subgroups;
}

/* ---- text (tiling_parse.c, tiling_print.c, tiling_proto.c) ---- */
/* Parse a sharding. Return false if it is malformed; *why is then a message with the position in the text, in the arena. Checks
 * that device ids are a permutation of 0..n-1. */
bool sr_tiling_parse(struct sr_arena *arena, const char *text, struct sr_tiling *out, const char **problem);
void sr_tiling_print(const struct sr_tiling *t, struct sr_buf *out);
/* Return the text of a serialized xla.OpSharding, to be passed to sr_tiling_parse; NULL if the bytes are not such a message. */
const char *sr_tiling_text_of_proto(struct sr_arena *arena, const void *bytes, size_t n);

/* ---- forms (tiling_form.c) ---- */
int64_t sr_tiling_devices(const struct sr_tiling *t); /* Return the number of devices of a TILED sharding. */
/* Return the device list of a TILED sharding; a V2 list is enumerated. */
const int64_t *sr_tiling_ids(struct sr_arena *arena, const struct sr_tiling *t);
/* Sort the ids of each replication group (a last subgroup of kind REPLICATED) in a device list that is in tile order. */
void sr_tiling_sort_replicas(const struct sr_tiling *t, int64_t *ids);
/* Return XLA's canonical form: subgroups of one kind are merged, sorted and dropped if of size 1; replication groups are sorted;
 * a sharding without tiles becomes its subgroup's kind; adjacent V2 dimensions are merged. V1 stays V1. Applied to the elements
 * of a tuple. */
struct sr_tiling sr_tiling_canonical(struct sr_arena *arena, const struct sr_tiling *t);
struct sr_tiling sr_tiling_to_v1(struct sr_arena *arena, const struct sr_tiling *t);
/* Return the canonical form, V2 if the device list is an iota, else V1. */
struct sr_tiling sr_tiling_to_v2(struct sr_arena *arena, const struct sr_tiling *t);
/* Return true if both shardings assign the same tiles to the same devices in the same order, in either form. Metadata is
 * ignored. */
bool sr_tiling_equal(struct sr_arena *arena, const struct sr_tiling *a, const struct sr_tiling *b);

struct sr_iota_dim {
	int64_t size, stride;
};
struct sr_iota_dims {
	struct sr_iota_dim *dims; /* dimensions of size above 1, of which no two adjacent ones can be merged; length n */
	int n;
};
/* Decompose a device list (a permutation of 0..n-1) into iota dimensions. Return false if it has no such form. */
bool sr_tiling_find_iota(struct sr_arena *arena, const int64_t *ids, int64_t n, struct sr_iota_dims *out);
/* Set the device list to the canonical V2 form of iota dimensions: sets only ids, reshape, perm and n_reshape. */
void sr_tiling_set_iota(struct sr_arena *arena, struct sr_tiling *t, const struct sr_iota_dim *dims, int n);

/* ---- meshes (tiling_axes.c, tiling_mesh.c). Tiles are canonical and TILED. ---- */
/* Return the iota dimensions that make up each of the n_dims tile dimensions; position[device] replaces device ids if not NULL.
 * Replication groups are sorted first, since their order is irrelevant. Return NULL if the device list is not an iota or a tile
 * dimension ends inside an iota dimension. */
struct sr_iota_dims *sr_tiling_iota_by_dim(struct sr_arena *arena, const struct sr_tiling *t, const int64_t *position);
/* Return the axes of each of the n_dims tile dimensions, major to minor, resolved. Return NULL if the mesh cannot express them:
 * it has another number or order of devices, or an iota dimension is not one of its (sub-)axes. */
struct sr_axes *sr_tiling_axes(struct sr_arena *arena, const struct sr_mesh *mesh, const struct sr_tiling *t);
/* Convert axes to a canonical sharding, V2 if the mesh's device order allows. The axes are resolved; `dims`,
 * `manual_axes` and `unreduced_axes` must not overlap. */
struct sr_tiling sr_tiling_of_axes(struct sr_arena *arena, const struct sr_mesh *mesh, const struct sr_axes *dims, int rank,
				   struct sr_axes manual_axes, struct sr_axes unreduced_axes);

/* An unnamed mesh that expresses shardings: sizes of its axes, major to minor, and its device order (NULL: identity). */
struct sr_tiling_mesh {
	const int64_t *sizes;
	int n;
	const int64_t *device_ids; /* device at each grid position; length n_devices */
};
/* Return a small set of meshes that expresses all tilings of n_devices devices: one mesh if the identity or the order of one
 * tiling serves all, else one per order, in the order of the tilings. A mesh has one axis between consecutive boundaries of its
 * tilings; boundaries that do not divide each other are left to sub-axes. */
struct sr_tiling_mesh *sr_tiling_meshes(struct sr_arena *arena, const struct sr_tiling *const *tiles, int n, int64_t n_devices,
					int *n_meshes);

#endif
