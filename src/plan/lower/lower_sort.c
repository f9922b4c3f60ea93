/* sort: the kernel where the comparator is one of a known order, else a body step that asks the comparator as a plan. */
#include "dialect/signature.h"
#include "dialect/comparison.h"
#include "dialect/names.h"
#include "optimize/fold.h"
#include "plan/lower/lower.h"
#include "support/checked.h"
#include "work/work.h"
#include <math.h>
#include <string.h>

/* What the two values of a comparison went through before. */
enum { ZEROS_EQUAL = 1, NANS_EQUAL = 2 };

static bool is_positive_nan(struct sr_context *ctx, const struct sr_value *v)
{
	const struct sr_attr *a = sr_constant_value(v);
	int64_t n, i = 0;
	double d = 0, im = 0;
	const void *data = a && sr_dtype_is_float(v->type->dtype) ? sr_dense_data(ctx, a, false, &n) : NULL;
	if (!data)
		return false;
	sr_element_get(v->type->dtype, data, &i, &d, &im);
	return isnan(d) && !signbit(d);
}

static struct sr_op *compare_of(const struct sr_value *v, enum sr_compare direction)
{
	struct sr_op *op = v->def;
	return op && sr_op_is(op, SR_OP_stablehlo_compare) && sr_comparison_of(op) == direction ? op : NULL;
}

/* The argument that a value was made of by select(x == 0, 0, x) and select(x != x, NaN, x), in any order; x is the argument or what
 * was made of it so far. NULL where it is made otherwise. *how gains what was made equal. */
static const struct sr_value *key_argument(struct sr_context *ctx, const struct sr_value *v, int *how)
{
	const struct sr_op *op = v->def, *test;
	const struct sr_value *from;
	if (!op)
		return v;
	if (!sr_op_is(op, SR_OP_stablehlo_select))
		return NULL;
	from = key_argument(ctx, sr_operand(op, 2), how);
	if (!from)
		return NULL;
	const struct sr_value *chosen = sr_operand(op, 1);
	if ((test = compare_of(sr_operand(op, 0), SR_EQ)) && sr_is_splat_of(ctx, chosen, 0) && sr_is_splat_of(ctx, sr_operand(test, 1), 0))
		*how |= ZEROS_EQUAL;
	else if ((test = compare_of(sr_operand(op, 0), SR_NE)) && is_positive_nan(ctx, chosen) && sr_operand(test, 0) == sr_operand(test, 1))
		*how |= NANS_EQUAL;
	else
		return NULL;
	return sr_operand(test, 0) == from || sr_operand(test, 0) == sr_operand(op, 2) ? from : NULL;
}

/* A comparator that is one compare of the two copies of one operand, less or greater: its key, else -1. The copies may go through
 * what makes zeros and NaN equal (JAX's sort). */
static int sort_key(struct sr_context *ctx, struct sr_op *op, struct sr_sort_params *p)
{
	struct sr_block *block = op->regions[0].first;
	struct sr_op *end = sr_block_terminator(block), *cmp = end->n_operands == 1 ? sr_operand(end, 0)->def : NULL;
	if (!cmp || !sr_op_is(cmp, SR_OP_stablehlo_compare) || cmp->block != block)
		return -1;
	enum sr_compare way = sr_comparison_of(cmp);
	p->total = sr_comparison_is(cmp, "TOTALORDER");
	p->descending = way == SR_GT;
	if (way != SR_LT && way != SR_GT)
		return -1;
	int how[2] = {0, 0};
	const struct sr_value *x = key_argument(ctx, sr_operand(cmp, 0), &how[0]), *y = key_argument(ctx, sr_operand(cmp, 1), &how[1]);
	if (how[0] != how[1] || (how[0] && (!p->total || how[0] != (ZEROS_EQUAL | NANS_EQUAL))))
		return -1;
	if (how[0])
		p->total = 2;
	for (int k = 0; x && y && k < op->n_operands; k++)
		if (x == block->args[2 * k] && y == block->args[2 * k + 1])
			return k;
	return -1;
}

/* How many of the first elements along `dim` a tile's operand i reads; -1: not known. */
static int64_t reach(struct sr_context *ctx, struct sr_op *op, int i, int64_t dim)
{
	struct sr_work_tile tile = sr_work_read(ctx, op);
	const struct sr_access *a = &tile.accesses[i];
	int64_t last = sr_access_row(a, (int)dim)[a->n_loops];
	if (a->index || a->divisor)
		return -1;
	for (int l = 0; l < a->n_loops; l++) {
		int64_t along, coefficient = sr_access_row(a, (int)dim)[l];
		if (coefficient > 0 && tile.loops[l] > 0 &&
		    (sr_mul_overflows(coefficient, tile.loops[l] - 1, &along) || sr_add_overflows(last, along, &last)))
			return -1;
	}
	return last < 0 ? 0 : last + 1;
}

/* How many of the first elements in order anybody reads; 0: all. */
static int64_t keep(struct sr_context *ctx, struct sr_op *sort, int64_t dim)
{
	int64_t most = 1;
	for (int r = 0; r < sort->n_results; r++)
		for (struct sr_use *use = sr_result(sort, r)->uses; use; use = use->next) {
			int64_t n = sr_op_is(use->owner, SR_OP_work_tile) ? reach(ctx, use->owner, sr_use_index(use), dim) : -1;
			if (n < 0)
				return 0;
			most = n > most ? n : most;
		}
	return most < sr_result(sort, 0)->type->shape[dim] ? most : 0;
}

enum sr_status sr_lower_sort(struct sr_plan_builder *b, struct sr_op *op)
{
	struct sr_sort_params p = {.n_operands = op->n_operands, .outer = 1, .inner = 1};
	const struct sr_type *t = sr_operand(op, 0)->type;
	int64_t dim = sr_op_int(op, SR_NAME_dimension, -1);
	if (dim < 0)
		dim += t->rank;
	if (op->n_operands > (int)(sizeof p.bytes / sizeof *p.bytes))
		return sr_lower_unsupported(b, op, "sorts more than 16 operands together");
	if (!t->rank || !sr_plan_elements(b, sr_operand(op, 0)))
		return sr_lower_identity(b, op);
	p.length = t->shape[dim];
	for (int d = 0; d < t->rank; d++)
		if (d != dim)
			*(d < dim ? &p.outer : &p.inner) *= t->shape[d];
	for (int i = 0; i < op->n_operands; i++)
		p.bytes[i] = sr_dtype_bytes(sr_plan_dtype(sr_operand(op, i)));
	p.key = sort_key(b->ctx, op, &p);
	if (p.key < 0) {
		struct sr_body_step step = {.kind = SR_BODY_SORT, .k = op->n_operands, .u.sort = p};
		if (b->scratch_bytes < 16 * p.length)
			b->scratch_bytes = 16 * p.length;
		return sr_lower_own_body_step(b, op, 1, &step);
	}
	p.keep = keep(b->ctx, op, dim);
	int n = 0, *buffers = SR_NEWS(b->arena, int, 2 * op->n_operands);
	for (int i = 0; i < op->n_operands; i++)
		buffers[n++] = sr_plan_buffer_for(b, sr_operand(op, i));
	for (int i = 0; i < op->n_operands; i++)
		buffers[n++] = sr_plan_buffer_for(b, sr_result(op, i));
	sr_plan_kernel(b, SR_KERNEL_SORT, sr_plan_dtype(sr_operand(op, p.key)), p.outer * p.inner, buffers, n, &p, sizeof p);
	return SR_OK;
}
