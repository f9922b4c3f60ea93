/* Lower two kinds of concatenations: those whose readers are elementwise, so that they need no buffer, and very small ones. */
#include "dialect/attr_names.h"
#include "kernels/nest/nest.h"
#include "work/nest/nest_from_op.h"
#include <string.h>

static int longest_operand(const struct sr_op *op, int64_t dim)
{
	int longest_number = 0;
	for (int i = 1; i < op->n_operands; i++)
		if (sr_operand(op, i)->type->shape[dim] > sr_operand(op, longest_number)->type->shape[dim])
			longest_number = i;
	return longest_number;
}

enum { MAX_OPERANDS = 8, MAX_USES = 4, MIN_BYTES = 16 << 10, TINY_BYTES = 4 << 10 };

/* Return true if the result is so small that a copy per operand takes longer than a nest with comparisons. Gathers read the
 * components of index vectors through the concatenation. */
static bool is_tiny(const struct sr_op *op)
{
	const struct sr_type *result_type = sr_result(op, 0)->type;
	int64_t n;
	for (const struct sr_use *use = sr_result(op, 0)->uses; use; use = use->next)
		if (sr_op_is(use->owner, SR_OP_stablehlo_gather))
			return false;
	return op->n_operands > 1 && op->n_operands <= MAX_OPERANDS && sr_type_elements(result_type, &n) &&
	       n * sr_dtype_bytes(result_type->dtype) <= TINY_BYTES;
}

/* Return true if one operand has most of the elements, as in rolls and halo exchanges, and only elementwise ops read the result:
 * fused into them, the concatenation takes no memory. Other concatenations copy their operands into the result. */
static bool is_read_elementwise(const struct sr_op *op, int64_t dim)
{
	const struct sr_type *result_type = sr_result(op, 0)->type;
	int64_t n, max_extent = sr_operand(op, longest_operand(op, dim))->type->shape[dim];
	int uses = 0;
	for (const struct sr_use *use = sr_result(op, 0)->uses; use; use = use->next, uses++)
		if (use->owner->block != op->block || !(use->owner->info->traits & SR_ELEMENTWISE))
			return false;
	return op->n_operands > 1 && op->n_operands <= MAX_OPERANDS && uses && uses <= MAX_USES &&
	       max_extent >= result_type->shape[dim] / 4 * 3 && sr_type_elements(result_type, &n) &&
	       n * sr_dtype_bytes(result_type->dtype) >= MIN_BYTES;
}

/* Return the value from which an operand of the concatenation can be read: the slice's source if the operand is a slice and
 * both have the same extents in the other dimensions, else the operand itself. start: offset of the operand in the result along
 * dim. at[d]: offset of the operand in the returned value. */
static struct sr_value *source_of_operand(struct sr_lowering *l, struct sr_value *operand, int64_t dim, int64_t start,
					  int64_t extent, int64_t *at)
{
	struct sr_indexing_map a;
	memset(at, 0, sizeof *at * (size_t)operand->type->rank);
	if (!sr_work_is_slice(l->ctx, operand->def, &a))
		return operand;
	struct sr_value *source = sr_operand(operand->def, 0);
	int64_t n = operand->type->shape[dim], first = sr_indexing_map_row(&a, (int)dim)[a.n_loops];
	for (int d = 0; d < a.rank; d++)
		if (operand->type->shape[d] > 1 && sr_indexing_map_row(&a, d)[d] != 1)
			return operand;
	if ((start && first) || (start + n < extent && first + n < source->type->shape[dim]))
		return operand;
	for (int d = 0; d < a.rank; d++)
		at[d] = sr_indexing_map_row(&a, d)[a.n_loops];
	return source;
}

/* Add an operand of the concatenation at offset `start` of the result. Outside of its bounds, the previously added operand is
 * read. */
static void add_operand(struct sr_nest_builder *p, struct sr_value *operand, int64_t dim, int64_t start)
{
	int64_t at[SR_NEST_MAX_LOOPS], extent = sr_result(p->l->op, 0)->type->shape[dim];
	struct sr_indexing_map *a = sr_nest_builder_add_operand(p, source_of_operand(p->l, operand, dim, start, extent, at));
	a->fill = p->nest.n_operands - 2;
	for (int d = 0; d < a->rank; d++) {
		sr_indexing_map_row(a, d)[d] = a->fill >= 0;
		sr_indexing_map_row(a, d)[a->n_loops] = at[d] - (d == dim ? start : 0);
	}
}

/* Add the operands of the nest in this order: a value for elements outside all operands, which do not occur; all operands but
 * the longest; the longest, which most iterations read, so that these check no other operand. */
bool sr_nest_from_concatenate(struct sr_lowering *l)
{
	int64_t dim = sr_op_int(l->op, SR_NAME_dimension, 0), start = 0, first = 0;
	if (!is_tiny(l->op) && !is_read_elementwise(l->op, dim))
		return false;
	struct sr_nest_builder p = sr_nest_builder_over_result(l, l->op->n_operands + 1);
	int longest_number = longest_operand(l->op, dim);
	add_operand(&p, sr_operand(l->op, 0), dim, 0);
	for (int i = 0; i < l->op->n_operands; i++) {
		if (i == longest_number)
			first = start;
		else
			add_operand(&p, sr_operand(l->op, i), dim, start);
		start += sr_operand(l->op, i)->type->shape[dim];
	}
	add_operand(&p, sr_operand(l->op, longest_number), dim, first);
	struct sr_value *v;
	sr_nest_builder_create_op(&p);
	v = sr_nest_builder_arg(&p, p.nest.n_operands - 1);
	return sr_nest_builder_yield(&p, &v, 1);
}
