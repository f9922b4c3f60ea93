/* Order the parallel loops of nests that reduce large arrays, such as the maximum over a point's neighbours with the channels last in
 * memory and first in the result. Vector loops over elements that are adjacent in the arrays read whole cache lines; the few
 * results are then stored with a stride.
 *
 *	for c, n, k:  y[c, n] = max(y[c, n], x[n, k, c])      =>      for n, c, k:  y[c, n] = max(y[c, n], x[n, k, c])  */
#include "dialect/attr_names.h"
#include "work/fuse/fuse.h"

enum {
	FEW = 8, /* the results, and operands in another order, have at most this part of the largest operand's elements */
	MIN_EXTENT = 16 /* least extent of the loop that becomes the last parallel one: the elements of a vector */
};

/* Return the loop that alone indexes the last dimension of an operand whose map is affine, or -1. */
static int loop_of_adjacent_elements(const struct sr_indexing_map *a)
{
	int loop = -1;
	if (!a->rank || !sr_indexing_map_is_affine(a))
		return -1;
	const int64_t *row = sr_indexing_map_row(a, a->rank - 1);
	for (int l = 0; l < a->n_loops; l++) {
		if (row[l] && (loop >= 0 || row[l] != 1))
			return -1;
		loop = row[l] ? l : loop;
	}
	for (int d = 0; loop >= 0 && d < a->rank - 1; d++)
		if (sr_indexing_map_row(a, d)[loop])
			return -1;
	return loop;
}

static int64_t elements_of(const struct sr_type *type)
{
	int64_t n;
	return sr_type_elements(type, &n) ? n : 0;
}

/* Return the parallel loop over adjacent elements of all large operands, of which one has FEW times the elements of each result;
 * -1: there is none. */
static int find_loop(const struct sr_work_nest *nest)
{
	int64_t largest = 0;
	int loop = -1;
	for (int i = 0; i < nest->n_operands; i++) {
		int64_t n = elements_of(nest->operands[i]->type);
		if (n <= largest)
			continue;
		largest = n;
		loop = loop_of_adjacent_elements(&nest->accesses[i]);
	}
	if (loop < 0 || loop >= nest->parallel || largest < SR_WORK_LARGE_ELEMENTS || nest->loops[loop] < MIN_EXTENT)
		return -1;
	for (int i = 0; i < nest->n_operands; i++)
		if (elements_of(nest->operands[i]->type) > largest / FEW && loop_of_adjacent_elements(&nest->accesses[i]) != loop)
			return -1;
	for (int i = 0; i < nest->n_results; i++)
		if (elements_of(nest->result_types[i]) > largest / FEW)
			return -1;
	return loop;
}

struct sr_op *sr_fuse_order_loops(struct sr_context *ctx, struct sr_op *op)
{
	struct sr_work_nest nest = sr_work_read(ctx, op);
	int *order = SR_NEW_ARRAY(ctx->scratch, int, nest.n_loops + 1), loop = nest.parallel < nest.n_loops ? find_loop(&nest) : -1;
	if (loop < 0 || loop == nest.parallel - 1)
		return NULL;
	for (int l = 0; l < nest.n_loops; l++)
		order[l] = l == loop ? nest.parallel - 1 : l > loop && l < nest.parallel ? l - 1 : l;
	sr_work_reorder_loops(ctx, op, &nest, order);
	sr_work_update(ctx, op, &nest);
	return op;
}
