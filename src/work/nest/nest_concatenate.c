/* Concatenations that are never made: who reads one reads its parts. */
#include "dialect/attr_names.h"
#include "kernels/nest/nest.h"
#include "work/nest/nest_from_op.h"
#include <string.h>

static int longest_part(const struct sr_op *op, int64_t dim)
{
	int longest = 0;
	for (int i = 1; i < op->n_operands; i++)
		if (sr_operand(op, i)->type->shape[dim] > sr_operand(op, longest)->type->shape[dim])
			longest = i;
	return longest;
}

/* An edge joined to a body, as rolls and halos do, where ops by element alone read it: these read the parts then, and the whole
 * is never made. Of others the parts are copied to their places. */
static bool is_read_in_parts(const struct sr_op *op, int64_t dim)
{
	enum { PARTS = 8, USES = 4, LEAST_BYTES = 16 << 10 };
	const struct sr_type *whole = sr_result(op, 0)->type;
	int64_t n, longest = sr_operand(op, longest_part(op, dim))->type->shape[dim];
	int uses = 0;
	for (const struct sr_use *use = sr_result(op, 0)->uses; use; use = use->next, uses++)
		if (use->owner->block != op->block || !(use->owner->info->traits & SR_ELEMENTWISE))
			return false;
	return op->n_operands > 1 && op->n_operands <= PARTS && uses && uses <= USES && longest >= whole->shape[dim] / 4 * 3 &&
	       sr_type_elements(whole, &n) && n * sr_dtype_bytes(whole->dtype) >= LEAST_BYTES;
}

/* A part that is a slice is read where it is sliced from, if what is outside the part is outside of that too. start: of the part
 * in the whole. *at: of the part in what is returned, along each dimension. */
static struct sr_value *behind_slice(struct sr_lowering *l, struct sr_value *part, int64_t dim, int64_t start, int64_t whole,
				     int64_t *at)
{
	struct sr_indexing_map a;
	memset(at, 0, sizeof *at * (size_t)part->type->rank);
	if (!sr_work_is_slice(l->ctx, part->def, &a))
		return part;
	struct sr_value *from = sr_operand(part->def, 0);
	int64_t n = part->type->shape[dim], first = sr_indexing_map_row(&a, (int)dim)[a.n_loops];
	for (int d = 0; d < a.rank; d++)
		if (part->type->shape[d] > 1 && sr_indexing_map_row(&a, d)[d] != 1)
			return part;
	if ((start && first) || (start + n < whole && first + n < from->type->shape[dim]))
		return part;
	for (int d = 0; d < a.rank; d++)
		at[d] = sr_indexing_map_row(&a, d)[a.n_loops];
	return from;
}

/* The next operand: a part, which begins at `start` of the whole; what is outside of it is the operand before. */
static void add_part(struct sr_nest_builder *p, struct sr_value *part, int64_t dim, int64_t start)
{
	int64_t at[SR_NEST_MAX_LOOPS], whole = sr_result(p->l->op, 0)->type->shape[dim];
	struct sr_indexing_map *a = sr_nest_builder_add_operand(p, behind_slice(p->l, part, dim, start, whole, at));
	a->fill = p->tile.n_operands - 2;
	for (int d = 0; d < a->rank; d++) {
		sr_indexing_map_row(a, d)[d] = a->fill >= 0;
		sr_indexing_map_row(a, d)[a->n_loops] = at[d] - (d == dim ? start : 0);
	}
}

/* Operands: an element for what is outside of all parts, which nothing is; the parts but for the longest; the longest, which most
 * points mean, so that a loop over those looks no further. */
bool sr_nest_from_concatenate(struct sr_lowering *l)
{
	int64_t dim = sr_op_int(l->op, SR_NAME_dimension, 0), start = 0, first = 0;
	if (!is_read_in_parts(l->op, dim))
		return false;
	struct sr_nest_builder p = sr_nest_builder_over_result(l, l->op->n_operands + 1);
	int longest = longest_part(l->op, dim);
	add_part(&p, sr_operand(l->op, 0), dim, 0);
	for (int i = 0; i < l->op->n_operands; i++) {
		if (i == longest)
			first = start;
		else
			add_part(&p, sr_operand(l->op, i), dim, start);
		start += sr_operand(l->op, i)->type->shape[dim];
	}
	add_part(&p, sr_operand(l->op, longest), dim, first);
	struct sr_value *v;
	sr_nest_builder_create_op(&p);
	v = sr_nest_builder_arg(&p, p.tile.n_operands - 1);
	return sr_nest_builder_yield(&p, &v, 1);
}
