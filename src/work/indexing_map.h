/* Indexing maps: which element of a tensor an iteration of a loop nest reads or writes. The attribute #work.map as arrays to
 * compute with.
 *
 * Dimension d of the tensor is indexed by x = sum over loops l of map[d][l] * (index of l) + map[d][n_loops]. With divisor[d],
 * by x / divisor[d], and only where x is a multiple; with index[d] >= 0, by x plus the index value of that number
 * (sr_work_index_value), clamped to [0, limit[d]]. With fill >= 0, iterations outside the tensor (or at no multiple of the divisor) read operand `fill`
 * instead. */
#ifndef SR_WORK_INDEXING_MAP_H
#define SR_WORK_INDEXING_MAP_H

#include "dialect/ops.h"

struct sr_indexing_map {
	int rank, n_loops;
	int64_t *map;                     /* coefficients, with the constant term last; dimensions [rank][n_loops + 1] */
	int64_t *index, *limit, *divisor; /* length rank each; NULL: no indices, no limits, all divisors are 1 */
	int64_t fill;
	const struct sr_attr *attr; /* attribute with the same content; NULL: not created yet */
};

static inline int64_t *sr_indexing_map_row(const struct sr_indexing_map *a, int d)
{
	return a->map + (int64_t)d * (a->n_loops + 1);
}
static inline bool sr_indexing_map_is_affine(const struct sr_indexing_map *a)
{
	return !a->index && !a->divisor && a->fill < 0;
}

/* Return a map whose rows are all zero, so that every iteration accesses the first element. This function and the following
 * ones allocate in the context's scratch arena. */
struct sr_indexing_map sr_indexing_map_new(struct sr_context *ctx, int rank, int n_loops);
/* Return the map in which loop d indexes dimension d. */
struct sr_indexing_map sr_indexing_map_identity(struct sr_context *ctx, int n);
/* Return the map that an attribute describes. The arrays belong to the attribute and must not be written; `map` of a scalar is
 * NULL. */
struct sr_indexing_map sr_indexing_map_read(struct sr_context *ctx, const struct sr_attr *attr, int rank, int n_loops);
const struct sr_attr *sr_indexing_map_attr(struct sr_context *ctx, const struct sr_indexing_map *a);

/* Express the map in other loops: loop l is sum over k of to[l][k] * (index of k) + to[l][n], for n new loops. Operand numbers
 * in index and fill grow by `shift`. Return false if a coefficient overflows. */
bool sr_indexing_map_substitute_loops(struct sr_context *ctx, const struct sr_indexing_map *a, const int64_t *to, int n, int shift, struct sr_indexing_map *out);
/* Return true if each dimension is indexed by one loop of its own (or by 0, if its extent is 1) without offset. dim_of_loop[l]:
 * the dimension of loop l, -1: none. */
bool sr_indexing_map_is_permutation(const struct sr_indexing_map *a, const int64_t *shape, int *dim_of_loop);
/* Set the coefficients of loops of extent 1, among the first n loops, to 0, so that equal accesses have equal maps. */
void sr_indexing_map_drop_unit_loops(struct sr_context *ctx, struct sr_indexing_map *a, const int64_t *loops, int n);
bool sr_indexing_map_equal(const struct sr_indexing_map *a, const struct sr_indexing_map *b);

#endif
