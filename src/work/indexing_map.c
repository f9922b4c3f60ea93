/* Read, build and compose indexing maps. */
#include "work/indexing_map.h"
#include "dialect/attr_names.h"
#include "dialect/signature.h"
#include "support/checked.h"
#include <string.h>

struct sr_indexing_map sr_indexing_map_new(struct sr_context *ctx, int rank, int n_loops)
{
	return (struct sr_indexing_map){
	    .rank = rank, .n_loops = n_loops, .map = SR_NEW_ARRAY(ctx->scratch, int64_t, rank * (n_loops + 1)), .fill = -1};
}

struct sr_indexing_map sr_indexing_map_identity(struct sr_context *ctx, int n)
{
	struct sr_indexing_map a = sr_indexing_map_new(ctx, n, n);
	for (int d = 0; d < n; d++)
		sr_indexing_map_row(&a, d)[d] = 1;
	return a;
}

enum { LOOPS, MAP, INDEX, LIMIT, DIVISOR, FILL }; /* fields of the attribute #work.map, in order */

/* Return a list field, NULL if it is empty. The memory is the attribute's and must not be written. */
static int64_t *read_list(struct sr_context *ctx, const struct sr_attr *attr, int field)
{
	const int64_t *v;
	int64_t n;
	return attr->list[field] && sr_attr_ints(ctx, attr->list[field], &v, &n) && n ? (int64_t *)(uintptr_t)v : NULL;
}

struct sr_indexing_map sr_indexing_map_read(struct sr_context *ctx, const struct sr_attr *attr, int rank, int n_loops)
{
	struct sr_indexing_map a = {.rank = rank, .n_loops = n_loops, .map = read_list(ctx, attr, MAP), .attr = attr};
	const int64_t *fill = read_list(ctx, attr, FILL);
	a.index = read_list(ctx, attr, INDEX);
	a.limit = read_list(ctx, attr, LIMIT);
	a.divisor = read_list(ctx, attr, DIVISOR);
	a.fill = fill ? *fill : -1;
	return a;
}

static const struct sr_attr *ints_or_null(struct sr_context *ctx, const int64_t *v, int64_t n)
{
	return v ? sr_attr_i64s(ctx, v, n) : NULL;
}

const struct sr_attr *sr_indexing_map_attr(struct sr_context *ctx, const struct sr_indexing_map *a)
{
	int64_t n = a->rank;
	if (a->attr)
		return a->attr;
	const struct sr_attr *fields[] = {[LOOPS] = sr_attr_i64(ctx, a->n_loops),
					  [MAP] = ints_or_null(ctx, n ? a->map : NULL, n * (a->n_loops + 1)),
					  [INDEX] = ints_or_null(ctx, a->index, n),
					  [LIMIT] = ints_or_null(ctx, a->limit, n),
					  [DIVISOR] = ints_or_null(ctx, a->divisor, n),
					  [FILL] = a->fill >= 0 ? sr_attr_i64s(ctx, &a->fill, 1) : NULL};
	return sr_attr_struct(ctx, sr_attr_def_find("work", "map"), fields);
}

bool sr_indexing_map_substitute_loops(struct sr_context *ctx, const struct sr_indexing_map *a, const int64_t *to, int n, int shift, struct sr_indexing_map *out)
{
	*out = sr_indexing_map_new(ctx, a->rank, n);
	out->divisor = a->divisor;
	out->limit = a->limit;
	out->fill = a->fill < 0 ? -1 : a->fill + shift;
	for (int d = 0; d < a->rank; d++) {
		int64_t *row = sr_indexing_map_row(out, d), product;
		const int64_t *source_row = sr_indexing_map_row(a, d);
		row[n] = source_row[a->n_loops];
		for (int l = 0; l < a->n_loops; l++)
			for (int k = 0; k <= n; k++)
				if (sr_mul_overflows(source_row[l], to[l * (n + 1) + k], &product) ||
				    sr_add_overflows(row[k], product, &row[k]))
					return false;
	}
	if (a->index)
		out->index = SR_NEW_ARRAY(ctx->scratch, int64_t, a->rank);
	for (int d = 0; a->index && d < a->rank; d++)
		out->index[d] = a->index[d] < 0 ? -1 : a->index[d] + shift;
	return true;
}

bool sr_indexing_map_is_permutation(const struct sr_indexing_map *a, const int64_t *shape, int *dim_of_loop)
{
	if (!sr_indexing_map_is_affine(a))
		return false;
	for (int l = 0; l < a->n_loops; l++)
		dim_of_loop[l] = -1;
	for (int d = 0; d < a->rank; d++) {
		const int64_t *row = sr_indexing_map_row(a, d);
		int loop = -1, n = 0;
		for (int l = 0; l < a->n_loops; l++)
			if (row[l])
				loop = l, n++;
		if (row[a->n_loops] || (n == 0 && shape[d] != 1) || n > 1 || (n == 1 && (row[loop] != 1 || dim_of_loop[loop] >= 0)))
			return false;
		if (n)
			dim_of_loop[loop] = d;
	}
	return true;
}

void sr_indexing_map_drop_unit_loops(struct sr_context *ctx, struct sr_indexing_map *a, const int64_t *loops, int n)
{
	int64_t *map = a->map;
	for (int d = 0; d < a->rank; d++)
		for (int l = 0; l < n; l++)
			if (loops[l] == 1 && sr_indexing_map_row(a, d)[l]) {
				if (a->map == map)
					a->map = sr_dup(ctx->scratch, map, (size_t)(a->rank * (a->n_loops + 1)), sizeof *map);
				sr_indexing_map_row(a, d)[l] = 0;
				a->attr = NULL;
			}
}

static bool ints_equal(const int64_t *a, const int64_t *b, int64_t n)
{
	return a == b || n == 0 || (a && b && !memcmp(a, b, (size_t)n * sizeof *a));
}

bool sr_indexing_map_equal(const struct sr_indexing_map *a, const struct sr_indexing_map *b)
{
	return a->rank == b->rank && a->n_loops == b->n_loops && a->fill == b->fill &&
	       ints_equal(a->map, b->map, (int64_t)a->rank * (a->n_loops + 1)) && ints_equal(a->index, b->index, a->rank) &&
	       ints_equal(a->limit, b->limit, a->rank) && ints_equal(a->divisor, b->divisor, a->rank);
}
