/* Lower reduce and reduce_window to loop nests: kept dimensions are parallel loops, reduced dimensions and the window's are
 * inner loops. */
#include "work/nest/nest_from_op.h"
#include "dialect/attr_names.h"
#include "dialect/reducer.h"
#include "kernels/nest/nest.h"
#include "work/emit/emit.h"
#include <string.h>

/* Return the type to accumulate in: f32 for sums and products of 16-bit floats and for all reductions of narrower ones, whose
 * results are rounded once at the end; else the operands' own. */
static const struct sr_type *accumulator_type(struct sr_context *ctx, const struct sr_reducer *r, const struct sr_type *element)
{
	int bits = sr_dtype_is_float(element->dtype) ? sr_dtypes[element->dtype].bits : 32;
	bool is_rounded = r->monoid == SR_MONOID_ADD || r->monoid == SR_MONOID_MUL;
	return bits < 16 || (bits == 16 && is_rounded) ? sr_type_tensor(ctx, SR_F32, 0, NULL) : element;
}

static struct sr_value *build_convert(struct sr_builder *b, struct sr_value *v, const struct sr_type *to)
{
	return v->type == to ? v : sr_result(sr_build(b, SR_OP_stablehlo_convert, &v, 1, NULL, 0, &to, 1), 0);
}

/* Build the body of a reduction of k pairs of scalars of these types: result i is op codes[i] on pair i. */
static void build_reducers(struct sr_context *ctx, struct sr_region *region, const enum sr_op_code *codes,
			   const struct sr_type **types, int k,
			   const struct sr_attr *loc)
{
	struct sr_block *block = sr_block_new(ctx, region);
	struct sr_builder b = {.ctx = ctx, .block = block, .loc = loc};
	struct sr_value **results = SR_NEW_ARRAY(ctx->scratch, struct sr_value *, k);
	for (int i = 0; i < 2 * k; i++)
		sr_block_add_arg(ctx, block, types[i % k], loc);
	for (int i = 0; i < k; i++)
		results[i] = sr_result(sr_build(&b, codes[i], (struct sr_value *[]){block->args[i], block->args[k + i]}, 2, NULL, 0,
						  &types[i], 1), 0);
	sr_build(&b, SR_OP_stablehlo_return, results, k, NULL, 0, NULL, 0);
}

struct sr_value *sr_nest_build_reduce(struct sr_nest_builder *p, struct sr_value *v, struct sr_value *init, enum sr_op_code code)
{
	struct sr_value *values[] = {v, init};
	struct sr_op *reduce = sr_build(&p->body, SR_OP_work_reduce, values, 2, NULL, 0, &init->type, 1);
	build_reducers(p->l->ctx, &reduce->regions[0], &code, &init->type, 1, p->l->op->loc);
	return sr_result(reduce, 0);
}

/* Set the types in which to accumulate, and the ops that combine values. Return true if a type differs from its operand's type. */
static bool select_accumulators(struct sr_context *ctx, struct sr_op *op, struct sr_value **values, int k,
				const struct sr_type **types,
				enum sr_op_code *codes)
{
	bool is_any_different = false;
	for (int i = 0; i < k; i++) {
		const struct sr_reducer *r = sr_reducer_of_pair(&op->regions[0], i);
		if (!r || values[i]->type != values[k + i]->type)
			return false;
		types[i] = accumulator_type(ctx, r, values[i]->type);
		codes[i] = r->code;
		is_any_different = is_any_different || types[i] != values[i]->type;
	}
	return is_any_different;
}

/* Finish the nest with a work.reduce of the inputs values[0..k) and the init values values[k..2k). It takes over the op's body. */
static bool finish_reduction(struct sr_nest_builder *p, struct sr_value **values, int k)
{
	struct sr_context *ctx = p->l->ctx;
	struct sr_op *op = p->l->op;
	const struct sr_type **types = SR_NEW_ARRAY(ctx->scratch, const struct sr_type *, k);
	enum sr_op_code *codes = SR_NEW_ARRAY(ctx->scratch, enum sr_op_code, k);
	struct sr_value **results = SR_NEW_ARRAY(ctx->scratch, struct sr_value *, k);
	bool has_accumulators = select_accumulators(ctx, op, values, k, types, codes);
	for (int i = 0; i < k; i++) {
		values[i] = has_accumulators ? build_convert(&p->body, values[i], types[i]) : values[i];
		values[k + i] = has_accumulators ? build_convert(&p->body, values[k + i], types[i]) : values[k + i];
		types[i] = values[k + i]->type;
	}
	struct sr_op *reduce = sr_build(&p->body, SR_OP_work_reduce, values, 2 * k, NULL, 0, types, k);
	if (has_accumulators)
		build_reducers(ctx, &reduce->regions[0], codes, types, k, op->loc);
	else
		sr_region_take(&reduce->regions[0], &op->regions[0]);
	for (int i = 0; i < k; i++)
		results[i] = build_convert(&p->body, sr_result(reduce, i), sr_element_scalar(ctx, sr_result(op, i)->type));
	return sr_nest_builder_yield(p, results, k);
}

/* Return true if the body uses no values from outside and has no nested regions. */
static bool is_self_contained(const struct sr_op *op)
{
	for (struct sr_op *inner = op->regions[0].first->first; inner; inner = inner->next) {
		if (inner->n_regions)
			return false;
		for (int i = 0; i < inner->n_operands; i++)
			if (sr_value_block(sr_operand(inner, i)) != op->regions[0].first)
				return false;
	}
	return true;
}

/* Return true if a loop nest can compute the op's k results together: each by a known op, or by a body of at most
 * SR_NEST_MAX_FOLDS results. */
static bool has_fold(const struct sr_op *op, int k)
{
	bool is_known = true;
	for (int i = 0; i < k; i++)
		is_known = is_known && sr_monoid_of(op, 0, i) >= 0;
	return is_known || k <= SR_NEST_MAX_FOLDS;
}

/* Return true if the op combines each element of one operand with the identity alone, exactly: the reduced dimensions have extent
 * 1. Integers only: adding 0 to the float -0 gives 0. */
static bool leaves_elements(struct sr_context *ctx, const struct sr_op *op, const int64_t *dims, int64_t n_dims)
{
	const struct sr_type *in = sr_operand(op, 0)->type;
	const struct sr_reducer *r = op->n_operands == 2 ? sr_op_reducer(op) : NULL;
	const struct sr_attr *init = r ? sr_constant_value(sr_operand(op, 1)) : NULL;
	for (int64_t i = 0; i < n_dims; i++)
		if (in->shape[dims[i]] != 1)
			return false;
	return init && in->element == sr_result(op, 0)->type->element && sr_dtype_is_integer(in->dtype) &&
	       init == sr_reducer_identity(ctx, r, in->dtype);
}

bool sr_nest_from_reduce(struct sr_lowering *l)
{
	struct sr_context *ctx = l->ctx;
	const struct sr_type *in = sr_operand(l->op, 0)->type;
	int k = l->op->n_operands / 2, n = 0, loop_of[SR_MAX_RANK];
	int64_t *loops = SR_NEW_ARRAY(ctx->scratch, int64_t, in->rank + 1), n_dims;
	bool is_reduced[SR_MAX_RANK] = {0};
	const int64_t *dims;
	if (!is_self_contained(l->op) || !has_fold(l->op, k))
		return false;
	sr_op_ints(ctx, l->op, SR_NAME_dimensions, &dims, &n_dims);
	for (int64_t i = 0; i < n_dims; i++)
		is_reduced[dims[i]] = true;
	for (int pass = 0; pass < 2; pass++)
		for (int d = 0; d < in->rank; d++)
			if (is_reduced[d] == (pass == 1))
				loops[loop_of[d] = n++] = in->shape[d];
	bool is_copy = leaves_elements(ctx, l->op, dims, n_dims);
	n -= is_copy ? (int)n_dims : 0;
	struct sr_nest_builder p = sr_nest_builder_new(l, loops, n, is_copy ? n : n - (int)n_dims, 2 * k);
	for (int i = 0; i < (is_copy ? 1 : 2 * k); i++) {
		struct sr_indexing_map *a = sr_nest_builder_add_operand(&p, sr_operand(l->op, i));
		for (int d = 0; i < k && d < in->rank; d++)
			if (loop_of[d] < n)
				sr_indexing_map_row(a, d)[loop_of[d]] = 1;
	}
	sr_nest_builder_create_op(&p);
	if (is_copy)
		return sr_nest_builder_yield(&p, p.body.block->args, 1);
	return finish_reduction(&p, sr_dup(ctx->scratch, p.body.block->args, (size_t)(2 * k), sizeof(struct sr_value *)), k);
}

static const int64_t *int_list(struct sr_context *ctx, struct sr_op *op, const char *name)
{
	const int64_t *v;
	int64_t n;
	return sr_op_ints(ctx, op, name, &v, &n) && n ? v : NULL;
}

struct sr_window_lists sr_window_lists_of(struct sr_context *ctx, struct sr_op *op)
{
	return (struct sr_window_lists){.size = int_list(ctx, op, SR_NAME_window_dimensions),
					.stride = int_list(ctx, op, SR_NAME_window_strides),
					.base = int_list(ctx, op, SR_NAME_base_dilations),
					.dilation = int_list(ctx, op, SR_NAME_window_dilations),
					.padding = int_list(ctx, op, SR_NAME_padding)};
}

bool sr_window_is_cumulative(struct sr_op *op, const struct sr_window_lists *w)
{
	const struct sr_type *in = sr_operand(op, 0)->type, *out = sr_result(op, 0)->type;
	int n_cumulative = 0;
	for (int i = 0; i < op->n_operands / 2; i++)
		if (!sr_reducer_of_pair(&op->regions[0], i))
			return false;
	for (int d = 0; d < in->rank; d++) {
		int64_t n = in->shape[d], low = w->padding ? w->padding[2 * d] : 0;
		bool covers_dim = w->size[d] == n && (low == 0 || low == n - 1);
		if (n != out->shape[d] || (w->stride && w->stride[d] != 1) || (w->base && w->base[d] != 1) ||
		    (w->dilation && w->dilation[d] != 1) || (w->size[d] != 1 && !covers_dim))
			return false;
		n_cumulative += w->size[d] != 1;
	}
	return n_cumulative == 1;
}

/* Return true if the cumulative kernel takes less time than a nest that reads a window for each element: the window is longer than
 * MAX_PREFIX, and the init values are the identities of the reductions, so that padding has no effect. */
static bool is_cumulative(struct sr_context *ctx, struct sr_op *op, const struct sr_window_lists *w)
{
	enum { MAX_PREFIX = 4 };
	int k = op->n_operands / 2, rank = sr_operand(op, 0)->type->rank;
	bool is_long = false;
	for (int d = 0; d < rank; d++)
		is_long = is_long || w->size[d] > MAX_PREFIX;
	if (!is_long || !sr_window_is_cumulative(op, w))
		return false;
	for (int i = 0; i < k; i++) {
		const struct sr_reducer *r = sr_reducer_of_pair(&op->regions[0], i);
		if (sr_constant_value(sr_operand(op, k + i)) != sr_reducer_identity(ctx, r, sr_operand(op, i)->type->dtype))
			return false;
	}
	return true;
}

bool sr_nest_from_window(struct sr_lowering *l)
{
	struct sr_context *ctx = l->ctx;
	struct sr_window_lists w = sr_window_lists_of(ctx, l->op);
	const struct sr_type *in = sr_operand(l->op, 0)->type, *out = sr_result(l->op, 0)->type;
	int k = l->op->n_operands / 2, rank = in->rank;
	int64_t *loops = SR_NEW_ARRAY(ctx->scratch, int64_t, 2 * rank + 1);
	for (int d = 0; d < rank; d++) {
		loops[d] = out->shape[d];
		loops[rank + d] = w.size[d];
	}
	if (!is_self_contained(l->op) || !has_fold(l->op, k) || 2 * rank > 16 || is_cumulative(ctx, l->op, &w))
		return false;
	struct sr_nest_builder p = sr_nest_builder_new(l, loops, 2 * rank, rank, 2 * k);
	for (int i = 0; i < k; i++) /* init values come first, since they are the fill value outside of the operand */
		sr_nest_builder_add_operand(&p, sr_operand(l->op, k + i));
	for (int i = 0; i < k; i++) {
		struct sr_indexing_map *a = sr_nest_builder_add_operand(&p, sr_operand(l->op, i));
		a->fill = i;
		if (w.base)
			a->divisor = sr_dup(ctx->scratch, w.base, (size_t)rank, sizeof *w.base);
		for (int d = 0; d < rank; d++) {
			sr_indexing_map_row(a, d)[d] = w.stride ? w.stride[d] : 1;
			sr_indexing_map_row(a, d)[rank + d] = w.dilation ? w.dilation[d] : 1;
			sr_indexing_map_row(a, d)[2 * rank] = w.padding ? -w.padding[2 * d] : 0;
		}
	}
	sr_nest_builder_create_op(&p);
	struct sr_value **values = SR_NEW_ARRAY(ctx->scratch, struct sr_value *, 2 * k);
	for (int i = 0; i < k; i++) {
		values[i] = sr_nest_builder_arg(&p, k + i);
		values[k + i] = sr_nest_builder_arg(&p, i);
	}
	return finish_reduction(&p, values, k);
}
