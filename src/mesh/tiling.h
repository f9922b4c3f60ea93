/* GSPMD's shardings (XLA's HloSharding): how a tensor's tiles are laid onto a list of devices, with the algebra between its two
 * texts and the axes of a mesh.
 *
 *	{devices=[4,2]0,4,1,5,2,6,3,7}                                 V1: tiles in row-major order, the device of each
 *	{devices=[4,2]<=[2,4]T(1,0)}                                   V2: the same as an iota, reshaped, transposed, flattened
 *	{devices=[2,1,4]<=[8] last_tile_dim_replicate}                 the last dimension of the tiles holds copies
 *	{devices=[2,2,2]<=[8] last_tile_dims={manual, replicated}}     the last two are what they say
 *	{replicated} {manual} {unreduced} {unknown} {maximal device=3} {{replicated}, {manual}}
 *
 * each with shard_as N, shard_like N and metadata={...} behind. What names the axes of a mesh, {mesh['x'=4,'y'=2], [{'x'}, {'y'}]},
 * is read as one of these. All is plain data in an arena; where a V2 list of devices is meant, ids is NULL. The list of devices of
 * a V2 text is a sequence of parts, major to minor: a part (size, stride) counts 0, stride, 2 stride, ...; the device is the sum
 * over the parts. [4,2]<=[2,4]T(1,0) has the parts (4, 1) and (2, 4). */
#ifndef SR_MESH_TILING_H
#define SR_MESH_TILING_H

#include "mesh/mesh.h"
#include "support/buf.h"

/* The kinds that a subgroup of tiles may have come first, in the order of XLA's canonical form. */
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

enum sr_tiling_group { SR_TILING_NO_GROUP, SR_TILING_SHARD_AS, SR_TILING_SHARD_LIKE };

struct sr_tiling {
	enum sr_tiling_kind kind;
	int64_t device; /* MAXIMAL */
	/* TILED */
	const int64_t *dims; /* [n_dims]: tiles per dimension of the tensor, then per subgroup */
	int n_dims;
	const enum sr_tiling_kind *subgroups; /* [n_subgroups]: what the last dims are */
	int n_subgroups;
	const int64_t *ids; /* V1: [product of dims]; NULL: V2 */
	const int64_t *reshape; /* V2: [n_reshape] */
	const int *perm;        /* V2: [n_reshape]; NULL: the identity */
	int n_reshape;
	/* TUPLE */
	const struct sr_tiling *elements; /* [n_elements] */
	int n_elements;
	/* of any kind */
	enum sr_tiling_group group;
	int64_t group_id;
	const char *metadata; /* the text within its braces; NULL: none */
};

static inline int sr_tiling_rank(const struct sr_tiling *t)
{
	return t->n_dims - t->n_subgroups;
}

/* ---- text (tiling_parse.c, tiling_print.c, tiling_proto.c) ---- */
/* False: malformed; *why says what, and where in the text, in the arena. Devices are each named once, 0 to n - 1. */
bool sr_tiling_parse(struct sr_arena *arena, const char *text, struct sr_tiling *out, const char **why);
void sr_tiling_print(const struct sr_tiling *t, struct sr_buf *out);
/* The text of a serialized xla.OpSharding, still to be parsed (tiling_proto.c); NULL: the bytes are none. */
const char *sr_tiling_text_of_proto(struct sr_arena *arena, const void *bytes, size_t n);

/* ---- forms (tiling_form.c) ---- */
int64_t sr_tiling_devices(const struct sr_tiling *t);                               /* of a TILED one */
const int64_t *sr_tiling_ids(struct sr_arena *arena, const struct sr_tiling *t);    /* of a TILED one, V1 or V2 */
/* In a list of devices in the order of the tiles, make those ascending that hold copies (a REPLICATED subgroup, the last). */
void sr_tiling_sort_replicas(const struct sr_tiling *t, int64_t *ids);
/* As XLA canonicalises: subgroups of one kind merged, sorted and without size 1, copies ascending; no tiles at all is the
 * subgroup's kind; consecutive parts of V2 merged. V1 stays V1. Elements of tuples likewise. */
struct sr_tiling sr_tiling_canonical(struct sr_arena *arena, const struct sr_tiling *t);
struct sr_tiling sr_tiling_to_v1(struct sr_arena *arena, const struct sr_tiling *t);
/* Canonical V2, or canonical V1 where no iota gives the list. */
struct sr_tiling sr_tiling_to_v2(struct sr_arena *arena, const struct sr_tiling *t);
/* The same tiles on the same devices in the same order, in whatever form; metadata apart. */
bool sr_tiling_equal(struct sr_arena *arena, const struct sr_tiling *a, const struct sr_tiling *b);

struct sr_iota_dim {
	int64_t size, stride;
};
struct sr_iota_dims {
	struct sr_iota_dim *at; /* [n], sizes above 1, no two neighbours that make one */
	int n;
};
/* False where the list (a permutation of 0 to n - 1) is no sequence of parts. */
bool sr_tiling_find_iota(struct sr_arena *arena, const int64_t *ids, int64_t n, struct sr_iota_dims *out);
/* A canonical V2 list of devices from parts: sets ids, reshape, perm and n_reshape alone. */
void sr_tiling_set_iota(struct sr_arena *arena, struct sr_tiling *t, const struct sr_iota_dim *parts, int n);

/* ---- meshes (tiling_axes.c, tiling_mesh.c). Tiles are canonical and TILED. ---- */
/* The parts of each of the n_dims dimensions, with position[device] for devices (NULL: identity). Of the copies in a REPLICATED
 * subgroup the order is free: it is made ascending. NULL where the list is no sequence of parts, or a dimension ends within one. */
struct sr_iota_dims *sr_tiling_iota_by_dim(struct sr_arena *arena, const struct sr_tiling *t, const int64_t *position);
/* The axes of each of the n_dims dimensions, major to minor, resolved. NULL where the mesh cannot express them: another number of
 * devices, another order, or parts that are none of its (sub-)axes. */
struct sr_axes *sr_tiling_axes(struct sr_arena *arena, const struct sr_mesh *mesh, const struct sr_tiling *t);
/* Canonical, V2 where the mesh's order of devices allows it. Axes are resolved; dims, manual and unreduced overlap nowhere. */
struct sr_tiling sr_tiling_of_axes(struct sr_arena *arena, const struct sr_mesh *mesh, const struct sr_axes *dims, int rank,
			       struct sr_axes manual, struct sr_axes unreduced);

/* Meshes without names that express shardings: the sizes of the axes, major to minor, and the order of devices (NULL: identity). */
struct sr_tiling_mesh {
	const int64_t *sizes;
	int n;
	const int64_t *device_ids; /* [n_devices] */
};
/* As few meshes as express all tiles (of n_devices each): one where the identity or the order of one of them serves all, else one
 * per order, in the order of the tiles. A mesh has no more axes than its tiles have cuts; cuts that do not divide each other are
 * left to sub-axes. */
struct sr_tiling_mesh *sr_tiling_meshes(struct sr_arena *arena, const struct sr_tiling *const *tiles, int n, int64_t n_devices,
				    int *n_meshes);

#endif
