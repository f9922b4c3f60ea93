/* Accesses: which element of a tensor a point of a tile's loops means. The attribute #work.map in a form to compute with.
 *
 * Dimension d of the tensor is at x = sum over loops l of map[d][l] * (index of l) + map[d][n_loops]. With divisor[d], at x / divisor[d],
 * x being a multiple; with index[d] >= 0, at the value of that operand of the tile, clamped to [0, limit[d]], plus x. With fill >= 0,
 * points outside the tensor (or between its elements, where there is a divisor) mean the value of operand `fill`. */
#ifndef SR_WORK_INDEXING_MAP_H
#define SR_WORK_INDEXING_MAP_H

#include "dialect/ops.h"

struct sr_indexing_map {
	int rank, n_loops;
	int64_t *map;                     /* [rank][n_loops + 1] */
	int64_t *index, *limit, *divisor; /* [rank]; NULL: none, none, all 1 */
	int64_t fill;
	const struct sr_attr *attr; /* the attribute that it was read from and still is; NULL: none */
};

static inline int64_t *sr_indexing_map_row(const struct sr_indexing_map *a, int d)
{
	return a->map + (int64_t)d * (a->n_loops + 1);
}
static inline bool sr_indexing_map_is_affine(const struct sr_indexing_map *a)
{
	return !a->index && !a->divisor && a->fill < 0;
}

/* All zero: the first element of everything. This and what follows lies in the context's scratch arena. */
struct sr_indexing_map sr_indexing_map_new(struct sr_context *ctx, int rank, int n_loops);
struct sr_indexing_map sr_indexing_map_identity(struct sr_context *ctx, int n); /* dimension d is loop d */
/* Its lists are the attribute's own: to be read alone. The map of a scalar is NULL. */
struct sr_indexing_map sr_indexing_map_read(struct sr_context *ctx, const struct sr_attr *attr, int rank, int n_loops);
const struct sr_attr *sr_indexing_map_attr(struct sr_context *ctx, const struct sr_indexing_map *a);

/* Loops as numbers of other loops: loop l is sum over k of to[l][k] * (index of k) + to[l][n], for n loops. The access by those; operand
 * numbers in index and fill grow by `shift`. False: overflow. */
bool sr_indexing_map_substitute_loops(struct sr_context *ctx, const struct sr_indexing_map *a, const int64_t *to, int n, int shift, struct sr_indexing_map *out);
/* Each dimension is one loop of its own (or 0, where the extent is 1), without offset: to each loop its dimension, -1: none. */
bool sr_indexing_map_is_permutation(const struct sr_indexing_map *a, const int64_t *shape, int *dim_of_loop);
/* Without what a loop of one round adds to a row, of the first n loops: equal accesses have equal maps then. */
void sr_indexing_map_drop_unit_loops(struct sr_context *ctx, struct sr_indexing_map *a, const int64_t *loops, int n);
bool sr_indexing_map_equal(const struct sr_indexing_map *a, const struct sr_indexing_map *b);

#endif
