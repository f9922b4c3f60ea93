/* Lower sort: the kernel once per key if the comparator compares keys in a known order, else an instruction that executes the
 * comparator as a computation. */
#include "dialect/attr_names.h"
#include "dialect/signature.h"
#include "dialect/sort_keys.h"
#include "plan/lower/lower.h"
#include "support/checked.h"
#include "work/work.h"
#include <string.h>

/* Return how many of the first elements along `dim` a nest reads of its operand i; -1: unknown. */
static int64_t leading_elements_read(struct sr_context *ctx, struct sr_op *op, int i, int64_t dim)
{
	struct sr_work_nest nest = sr_work_read(ctx, op);
	const struct sr_indexing_map *a = &nest.accesses[i];
	int64_t last = sr_indexing_map_row(a, (int)dim)[a->n_loops];
	if (a->index || a->divisor)
		return -1;
	for (int l = 0; l < a->n_loops; l++) {
		int64_t last_index, coefficient = sr_indexing_map_row(a, (int)dim)[l];
		if (coefficient > 0 && nest.loops[l] > 0 &&
		    (sr_mul_overflows(coefficient, nest.loops[l] - 1, &last_index) || sr_add_overflows(last, last_index, &last)))
			return -1;
	}
	return last < 0 ? 0 : last + 1;
}

/* Return how many of the first sorted elements the readers use; 0: all. */
static int64_t n_elements_used(struct sr_context *ctx, struct sr_op *sort, int64_t dim)
{
	int64_t max_used = 1;
	for (int r = 0; r < sort->n_results; r++)
		for (struct sr_use *use = sr_result(sort, r)->uses; use; use = use->next) {
			int64_t n = sr_op_is(use->owner, SR_OP_work_nest) ? leading_elements_read(ctx, use->owner, sr_use_index(use), dim) : -1;
			if (n < 0)
				return 0;
			max_used = n > max_used ? n : max_used;
		}
	return max_used < sr_result(sort, 0)->type->shape[dim] ? max_used : 0;
}

/* Sort by the least significant key first; a stable sort by each more significant one follows, in place. */
static void sort_by_keys(struct sr_plan_builder *b, struct sr_op *op, struct sr_sort_params p, const struct sr_sort_key *keys,
			 int n_keys, int64_t n_used)
{
	int n = op->n_operands, *buffers = SR_NEW_ARRAY(b->arena, int, 2 * n);
	for (int i = 0; i < n; i++)
		buffers[i] = sr_plan_buffer_for(b, sr_operand(op, i));
	for (int i = 0; i < n; i++)
		buffers[n + i] = sr_plan_buffer_for(b, sr_result(op, i));
	for (int k = n_keys - 1; k >= 0; k--) {
		enum sr_dtype type = sr_plan_dtype(sr_operand(op, keys[k].operand));
		p.key = keys[k].operand;
		p.total = keys[k].float_order;
		p.descending = keys[k].is_descending;
		p.n_used_results = k ? 0 : n_used;
		sr_plan_add_kernel(b, SR_KERNEL_SORT, type, p.outer * p.inner, buffers, 2 * n, &p, sizeof p);
		memcpy(buffers, buffers + n, (size_t)n * sizeof *buffers);
	}
}

enum sr_status sr_lower_sort(struct sr_plan_builder *b, struct sr_op *op)
{
	struct sr_sort_key keys[SR_SORT_KEYS];
	struct sr_sort_params p = {.n_operands = op->n_operands, .outer = 1, .inner = 1};
	const struct sr_type *t = sr_operand(op, 0)->type;
	int64_t dim = sr_op_int(op, SR_NAME_dimension, -1);
	if (dim < 0)
		dim += t->rank;
	if (op->n_operands > (int)(sizeof p.bytes / sizeof *p.bytes))
		return sr_lower_unsupported(b, op, "sorts more than 16 operands together, which is not supported");
	if (!t->rank || !sr_plan_elements(b, sr_operand(op, 0)))
		return sr_lower_identity(b, op);
	p.length = t->shape[dim];
	for (int d = 0; d < t->rank; d++)
		if (d != dim)
			*(d < dim ? &p.outer : &p.inner) *= t->shape[d];
	for (int i = 0; i < op->n_operands; i++)
		p.bytes[i] = sr_dtype_bytes(sr_plan_dtype(sr_operand(op, i)));
	int n_keys = sr_sort_keys(b->ctx, op, keys);
	if (n_keys) {
		sort_by_keys(b, op, p, keys, n_keys, n_elements_used(b->ctx, op, dim));
		return SR_OK;
	}
	struct sr_body_instr instr = {.kind = SR_BODY_SORT, .k = op->n_operands, .u.sort = p};
	if (b->scratch_bytes < 16 * p.length)
		b->scratch_bytes = 16 * p.length;
	return sr_lower_op_body_instr(b, op, 1, &instr);
}
