/* Rows of indexing maps through reshapes: linear indices are split into digits in mixed radix, which must be affine. */
#include "support/checked.h"
#include "work/fuse/fuse.h"
#include <string.h>

bool sr_fuse_is_index(const struct sr_work_nest *nest, int operand)
{
	for (int i = 0; i < nest->n_operands; i++)
		for (int d = 0; nest->accesses[i].index && d < nest->accesses[i].rank; d++)
			if (nest->accesses[i].index[d] == operand)
				return true;
	return false;
}

/* Split the lowest digit off a row, which becomes the quotient. Terms divisible by the radix go to the quotient; the others
 * must stay below the radix. If a loop crosses the radix at a divisor, *loop_split names the loop split that would help. */
static bool take_digit(const int64_t *loops, int n_loops, int64_t *row, int64_t radix, int64_t *low,
		       struct sr_fuse_split *loop_split)
{
	int64_t max_digit = 0;
	memset(low, 0, sizeof *low * (size_t)(n_loops + 1));
	for (int l = 0; l < n_loops; l++) {
		int64_t c = loops[l] == 1 ? 0 : row[l];
		row[l] = c % radix ? 0 : c / radix;
		low[l] = c % radix ? c : 0;
		if (low[l] < 0)
			return false;
		if (low[l] && (loops[l] - 1) > (radix - 1) / low[l]) {
			int64_t inner_extent = radix / low[l];
			if (radix % low[l] == 0 && loops[l] % inner_extent == 0)
				*loop_split = (struct sr_fuse_split){l, inner_extent};
			return false;
		}
		max_digit += low[l] * (loops[l] - 1);
	}
	if (row[n_loops] < 0)
		return false;
	low[n_loops] = row[n_loops] % radix;
	row[n_loops] /= radix;
	return max_digit + low[n_loops] < radix;
}

/* Write a row as digits in mixed radix: out[k] is digit k as a row over the same loops, the last digit varies fastest. Return
 * false if a digit is not affine; *loop_split then names the loop split that would make it affine. */
static bool find_digits(const int64_t *loops, int n_loops, const int64_t *row, const int64_t *radix, int n, int64_t *out,
			struct sr_fuse_split *loop_split)
{
	int64_t remainder[SR_NEST_MAX_LOOPS + 1];
	memcpy(remainder, row, sizeof *row * (size_t)(n_loops + 1));
	for (int k = n - 1; k > 0; k--)
		if (!take_digit(loops, n_loops, remainder, radix[k], out + k * (n_loops + 1), loop_split))
			return false;
	if (n)
		memcpy(out, remainder, sizeof *remainder * (size_t)(n_loops + 1));
	return true;
}

/* Express the indexing map of a reshape's result as one of its operand: dimensions fall into groups with equal numbers of
 * elements. */
static bool map_through_reshape(struct sr_context *ctx, const int64_t *loops, const struct sr_indexing_map *a,
				const struct sr_type *in_type, const struct sr_type *out_type, struct sr_indexing_map *out,
				struct sr_fuse_split *loop_split)
{
	int n = a->n_loops, d = 0, e = 0;
	*out = sr_indexing_map_new(ctx, out_type->rank, n);
	while (d < in_type->rank || e < out_type->rank) {
		int64_t row[SR_NEST_MAX_LOOPS + 1] = {0}, in_extent = 1, out_extent = 1;
		int first = e, first_from = d;
		do { /* extend both groups until they have equally many elements */
			if (in_extent <= out_extent && d < in_type->rank)
				in_extent *= in_type->shape[d++];
			else if (e < out_type->rank)
				out_extent *= out_type->shape[e++];
			else
				in_extent *= in_type->shape[d++];
		} while (in_extent != out_extent);
		int64_t stride = 1;
		for (int k = d - 1; k >= first_from; stride *= in_type->shape[k--])
			for (int l = 0; l <= n; l++) {
				int64_t term;
				if (sr_mul_overflows(sr_indexing_map_row(a, k)[l], stride, &term) ||
				    sr_add_overflows(row[l], term, &row[l]))
					return false;
			}
		if (e > first &&
		    !find_digits(loops, n, row, out_type->shape + first, e - first, sr_indexing_map_row(out, first), loop_split))
			return false;
	}
	return true;
}

bool sr_fuse_through_reshapes(struct sr_context *ctx, const struct sr_work_nest *c, int i, struct sr_value **v, struct sr_indexing_map *a,
			      struct sr_fuse_split *loop_split)
{
	*v = c->operands[i];
	*a = c->accesses[i];
	*loop_split = (struct sr_fuse_split){0};
	while ((*v)->def && sr_op_is((*v)->def, SR_OP_stablehlo_reshape)) {
		struct sr_value *source = sr_operand((*v)->def, 0);
		struct sr_indexing_map out;
		if (!sr_indexing_map_is_affine(a) ||
		    !map_through_reshape(ctx, c->loops, a, (*v)->type, source->type, &out, loop_split))
			return false;
		*v = source;
		*a = out;
	}
	return true;
}

/* Find the loops that index one dimension of a result, slowest first. Return false if they do not enumerate each element once. */
static bool loops_of_row(const struct sr_work_nest *p, const int64_t *row, int64_t extent, int *order, int *n)
{
	int64_t stride = 1;
	*n = 0;
	/* The loops are found from the fastest to the slowest: the stride of each is the product of the extents of the faster
	 * loops. */
	for (;;) {
		int loop = -1;
		for (int l = 0; l < p->n_loops && loop < 0; l++)
			if (p->loops[l] > 1 && row[l] == stride)
				loop = l;
		if (loop < 0)
			break;
		stride *= p->loops[loop];
		memmove(order + 1, order, sizeof *order * (size_t)*n);
		order[0] = loop;
		if (++*n == p->n_loops)
			break;
	}
	int terms = 0;
	for (int l = 0; l < p->n_loops; l++)
		terms += p->loops[l] > 1 && row[l] != 0;
	return stride == extent && terms == *n && row[p->n_loops] == 0;
}

bool sr_fuse_loops_of(const struct sr_work_nest *p, int result, const struct sr_indexing_map *read_map, const int64_t *loops,
		      int n_loops, int64_t *to, bool *is_known, struct sr_fuse_split *loop_split)
{
	const struct sr_indexing_map *result_map = &p->result_indexing_maps[result];
	memset(to, 0, sizeof *to * (size_t)(p->n_loops * (n_loops + 1)));
	for (int l = 0; l < p->n_loops; l++)
		is_known[l] = p->loops[l] == 1;
	for (int d = 0; d < result_map->rank; d++) {
		int order[SR_NEST_MAX_LOOPS], n;
		int64_t radix[SR_NEST_MAX_LOOPS], digits[SR_NEST_MAX_LOOPS * (SR_NEST_MAX_LOOPS + 1)];
		if (!loops_of_row(p, sr_indexing_map_row(result_map, d), p->result_types[result]->shape[d], order, &n))
			return false;
		for (int k = 0; k < n; k++)
			radix[k] = p->loops[order[k]];
		if (!find_digits(loops, n_loops, sr_indexing_map_row(read_map, d), radix, n, digits, loop_split))
			return false;
		for (int k = 0; k < n; k++) {
			if (is_known[order[k]])
				return false;
			is_known[order[k]] = true;
			memcpy(to + order[k] * (n_loops + 1), digits + k * (n_loops + 1), sizeof *to * (size_t)(n_loops + 1));
		}
	}
	return true;
}
