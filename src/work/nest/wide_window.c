/* Expand reduce_window by doubling: the values of windows of 2, 4, 8, ... elements are computed along one dimension after another,
 * each from two values of the previous kind, so that a window of n elements takes some log n elementwise ops, whatever the body is,
 * and each op is a vector loop. The body must be associative, as the specification demands; the order of elements is kept. */
#include "work/nest/nest_from_op.h"
#include "dialect/attr_names.h"
#include "dialect/op_builders.h"
#include "dialect/reducer.h"
#include <string.h>

enum { MAX_NARROW_WINDOW = 9 }; /* maximum window that a nest reads element by element */

struct window_expansion {
	struct sr_builder b;
	struct sr_op *op;
	int k, rank;
	struct sr_value **x; /* [k] */
	struct sr_window_lists window;
};

static int64_t value_or_one(const int64_t *v, int d)
{
	return v ? v[d] : 1;
}

/* Return true if the body holds elementwise ops and constants only, on the operands' element types. */
static bool has_plain_body(const struct window_expansion *w)
{
	struct sr_block *body = w->op->regions[0].first;
	for (int i = 0; i < 2 * w->k; i++)
		if (body->args[i]->type->dtype != sr_operand(w->op, i % w->k)->type->dtype)
			return false;
	for (struct sr_op *op = body->first; op != sr_block_terminator(body); op = op->next) {
		if (!sr_op_has(op, SR_ELEMENTWISE) && !sr_op_is(op, SR_OP_stablehlo_constant))
			return false;
		for (int i = 0; i < op->n_operands; i++)
			if (sr_value_block(sr_operand(op, i)) != body)
				return false;
	}
	return true;
}

/* Return the ops per element of the result that the expansion takes. They are computed for all elements of a dimension before it is
 * reduced to the window's steps. */
static double count_ops(const struct window_expansion *w)
{
	double density = 1, n = 0;
	for (int d = 0; d < w->rank; d++)
		density *= (double)value_or_one(w->window.stride, d);
	for (int d = w->rank - 1; d >= 0; d--) {
		for (int64_t rest = w->window.size[d]; rest > 1; rest /= 2)
			n += density;
		density /= (double)value_or_one(w->window.stride, d);
		for (int64_t rest = w->window.size[d]; rest & (rest - 1); rest &= rest - 1)
			n += density;
	}
	return n;
}

static bool is_cheaper(const struct window_expansion *w)
{
	const double min_speedup = 1.25; /* intermediate results may be stored */
	double elements = 1;
	for (int d = 0; d < w->rank; d++)
		elements *= (double)w->window.size[d];
	return elements > MAX_NARROW_WINDOW && elements > min_speedup * count_ops(w) && !sr_window_is_cumulative(w->op, &w->window);
}

/* ---- building ---- */

static struct sr_value *build_pad(struct window_expansion *w, struct sr_value *v, struct sr_value *init)
{
	int64_t *lists = SR_NEW_ARRAY(w->b.ctx->scratch, int64_t, 3 * w->rank);
	for (int d = 0; d < w->rank; d++) {
		lists[d] = w->window.padding ? w->window.padding[2 * d] : 0;
		lists[w->rank + d] = w->window.padding ? w->window.padding[2 * d + 1] : 0;
		lists[2 * w->rank + d] = value_or_one(w->window.base, d) - 1;
	}
	return sr_build_pad(&w->b, v, init, lists, lists + w->rank, lists + 2 * w->rank);
}

/* Apply the body elementwise to tensors a and b; each is a list of k tensors of one shape. The results are stored in `to`. */
static void apply_body(struct window_expansion *w, struct sr_value *const *a, struct sr_value *const *b, struct sr_value **to)
{
	struct sr_context *ctx = w->b.ctx;
	struct sr_block *body = w->op->regions[0].first;
	struct sr_op *end = sr_block_terminator(body);
	struct sr_map copied_values;
	sr_map_init(&copied_values, ctx->scratch);
	for (int i = 0; i < 2 * w->k; i++)
		sr_map_put(&copied_values, body->args[i], (void *)(i < w->k ? a[i] : b[i - w->k]));
	for (struct sr_op *op = body->first; op != end; op = op->next) {
		struct sr_value **args = SR_NEW_ARRAY(ctx->scratch, struct sr_value *, op->n_operands + 1);
		const struct sr_type *operand_type = a[0]->type, *element = sr_result(op, 0)->type->element;
		const struct sr_type *type = sr_type_tensor_of(ctx, element, operand_type->rank, operand_type->shape, NULL);
		for (int i = 0; i < op->n_operands; i++)
			args[i] = sr_map_get(&copied_values, sr_operand(op, i));
		struct sr_value *v = sr_op_is(op, SR_OP_stablehlo_constant)
			? sr_build_broadcast(&w->b, sr_build_constant(&w->b, sr_op_attr(op, SR_NAME_value)), operand_type, NULL)
			: sr_result(sr_build(&w->b, sr_op_code_of(op), args, op->n_operands, op->attrs, op->n_attrs, &type, 1), 0);
		sr_map_put(&copied_values, sr_result(op, 0), v);
	}
	for (int i = 0; i < w->k; i++)
		to[i] = sr_map_get(&copied_values, sr_operand(end, i));
}

/* Replace w->x by the results of windows along dimension d alone. The windows of powers of two that are combined correspond to
 * the bits set in the window size. */
static void expand_dim(struct window_expansion *w, int d)
{
	struct sr_context *ctx = w->b.ctx;
	int64_t size = w->window.size[d], step = value_or_one(w->window.stride, d), dilation = value_or_one(w->window.dilation, d),
		n = w->x[0]->type->shape[d];
	int64_t out = (n - (size - 1) * dilation - 1) / step + 1, n_done = 0;
	struct sr_value **power = sr_dup(ctx->scratch, w->x, (size_t)w->k, sizeof *w->x), **result = w->x;
	struct sr_value **left_operands = SR_NEW_ARRAY(ctx->scratch, struct sr_value *, w->k),
			**right_operands = SR_NEW_ARRAY(ctx->scratch, struct sr_value *, w->k);
	for (int64_t p = 1; p <= size; p *= 2) {
		if (size & p) {
			for (int i = 0; i < w->k; i++)
				right_operands[i] = sr_build_slice_dim(&w->b, power[i], d, n_done * dilation, out, step);
			if (n_done)
				apply_body(w, result, right_operands, result);
			else
				memcpy(result, right_operands, sizeof *right_operands * (size_t)w->k);
			n_done += p;
		}
		if (p > size / 2)
			break;
		n = power[0]->type->shape[d] - p * dilation;
		for (int i = 0; i < w->k; i++) {
			left_operands[i] = sr_build_slice_dim(&w->b, power[i], d, 0, n, 1);
			right_operands[i] = sr_build_slice_dim(&w->b, power[i], d, p * dilation, n, 1);
		}
		apply_body(w, left_operands, right_operands, power);
	}
}

struct sr_op *sr_work_expand_wide_window(struct sr_context *ctx, struct sr_op *op)
{
	struct window_expansion w = {
	    .b = {.ctx = ctx, .block = op->block, .anchor = op, .loc = op->loc}, .op = op, .k = op->n_operands / 2};
	struct sr_op *previous_op = op->prev;
	if (!sr_op_is(op, SR_OP_stablehlo_reduce_window))
		return NULL;
	w.rank = sr_operand(op, 0)->type->rank;
	w.window = sr_window_lists_of(ctx, op);
	if (!w.window.size || !is_cheaper(&w) || !has_plain_body(&w))
		return NULL;
	w.x = SR_NEW_ARRAY(ctx->scratch, struct sr_value *, w.k);
	struct sr_value **init = SR_NEW_ARRAY(ctx->scratch, struct sr_value *, w.k);
	for (int i = 0; i < w.k; i++)
		w.x[i] = build_pad(&w, sr_operand(op, i), sr_operand(op, w.k + i));
	for (int d = w.rank - 1; d >= 0; d--)
		if (w.window.size[d] > 1 || value_or_one(w.window.stride, d) > 1)
			expand_dim(&w, d);
	for (int i = 0; i < w.k; i++)
		init[i] = sr_build_broadcast(&w.b, sr_operand(op, w.k + i), w.x[i]->type, NULL);
	apply_body(&w, init, w.x, w.x);
	for (int i = 0; i < w.k; i++)
		sr_value_replace_all(sr_result(op, i), w.x[i]);
	return previous_op ? previous_op->next : op->block->first;
}
