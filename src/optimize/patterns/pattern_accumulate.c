/* Pattern of a sum of tensors that are zero outside of a slice. The gradient of code that reads single slices of a tensor is such a
 * sum: JAX writes each term as a dynamic_update_slice of zeros or a pad, and PyTorch/XLA does.
 *
 *	acc + dynamic_update_slice(0, x, i)   ->   dynamic_update_slice(acc, dynamic_slice(acc, i) + x, i)
 *
 * The sum of n terms then writes each slice in place, and not the whole tensor n times. Elements outside of the slice had a zero
 * added, which changes -0 to 0; the pattern applies where acc has no element -0: where it is zeros to which others were added. A
 * sum of two such terms becomes a sum of zeros and both slices: an element that is -0 in both slices is 0. */
#include "dialect/attr_names.h"
#include "dialect/op_builders.h"
#include "dialect/trip_count.h"
#include "optimize/patterns/match.h"
#include "optimize/patterns/patterns.h"
#include <string.h>

enum {
	/* The slice has at most 1 / MIN_PARTS of the cache lines. Larger ones are read in place by the loop nest of the sum. */
	MIN_PARTS = 8,
	LINE_BITS = 512,
	/* Maximum number of ops that has_no_negative_zero looks at */
	MAX_OPS = 4096,
};

/* A tensor that is zero outside of a slice */
struct term {
	struct sr_value *zeros; /* tensor or scalar */
	struct sr_value *x;     /* the slice */
	struct sr_value *start[SR_MAX_RANK];
	int64_t first[SR_MAX_RANK]; /* start, clamped, if is_constant */
	bool is_constant;
};

/* Return the scalar or constant that fills v, a tensor of equal elements; else v. */
static const struct sr_value *filling(const struct sr_value *v)
{
	v = sr_loop_invariant_source(v);
	const struct sr_op *broadcast = sr_value_def_of(v, SR_OP_stablehlo_broadcast_in_dim);
	return broadcast && !sr_operand_type(broadcast, 0)->rank ? sr_loop_invariant_source(sr_operand(broadcast, 0)) : v;
}

/* Return true if every element of v, and each part of a complex one, is zero but not -0. */
static bool is_positive_zero(struct sr_context *ctx, const struct sr_value *v)
{
	static const unsigned char zero[2 * sizeof(double)];
	int64_t bytes;
	v = filling(v);
	return sr_is_splat_of(ctx, v, 0) &&
	       !memcmp(sr_dense_data(ctx, sr_constant_value(v), false, &bytes), zero, (size_t)sr_dtype_bytes(v->type->dtype));
}

/* Store the start indices of a dynamic_update_slice. The number of a ui64 above the largest i64 is negative. */
static void read_start(struct sr_context *ctx, const struct sr_op *update, struct term *t)
{
	const struct sr_type *all = sr_operand_type(update, 0);
	t->is_constant = true;
	for (int d = 0; d < all->rank; d++) {
		int64_t last = all->shape[d] - t->x->type->shape[d], i = 0;
		t->start[d] = sr_operand(update, 2 + d);
		t->is_constant = t->is_constant && sr_constant_integer(ctx, t->start[d], &i);
		bool is_large = i > last || (i < 0 && t->start[d]->type->dtype == SR_UI64);
		t->first[d] = is_large ? last : i < 0 ? 0 : i;
	}
}

static bool read_pad(struct sr_context *ctx, const struct sr_op *pad, struct term *t)
{
	struct sr_ints low = sr_match_ints(ctx, pad, SR_NAME_edge_padding_low);
	struct sr_ints high = sr_match_ints(ctx, pad, SR_NAME_edge_padding_high);
	bool is_plain = sr_match_all_equal(sr_match_ints(ctx, pad, SR_NAME_interior_padding), 0);
	t->is_constant = true;
	for (int64_t d = 0; d < low.n; d++) {
		is_plain = is_plain && low.v[d] >= 0 && high.v[d] >= 0;
		t->first[d] = low.v[d];
	}
	return is_plain;
}

/* Return true if a slice of this type is in few of the cache lines of the tensor `all`. */
static bool is_small_part(const struct sr_type *slice, const struct sr_type *all)
{
	int64_t n, n_slice, n_row = 1, line = LINE_BITS / sr_dtypes[all->dtype].bits;
	if (!sr_type_is_static(slice) || !sr_type_is_static(all) || !sr_type_elements(all, &n) ||
	    !sr_type_elements(slice, &n_slice))
		return false;
	for (int d = all->rank - 1; d >= 0; d--) { /* contiguous elements */
		n_row *= slice->shape[d];
		if (slice->shape[d] != all->shape[d])
			break;
	}
	return n_slice && n_slice / n_row <= n / MIN_PARTS / (n_row > line ? n_row : line);
}

/* Read v, which only the sum uses, as a small slice among zeros. */
static bool read_term(struct sr_context *ctx, const struct sr_value *v, struct term *t)
{
	const struct sr_op *update = sr_value_def_of(v, SR_OP_stablehlo_dynamic_update_slice);
	const struct sr_op *pad = sr_value_def_of(v, SR_OP_stablehlo_pad);
	if ((!update && !pad) || !sr_value_has_one_use(v))
		return false;
	t->x = sr_operand(v->def, update ? 1 : 0);
	t->zeros = sr_operand(v->def, update ? 0 : 1);
	if (!is_small_part(t->x->type, v->type) || !is_positive_zero(ctx, t->zeros))
		return false;
	if (update)
		read_start(ctx, update, t);
	return update || read_pad(ctx, pad, t);
}

/* Return true if the op is dynamic_update_slice(acc, slice of acc + x) at any place. */
static bool adds_to_slice(const struct sr_op *update)
{
	const struct sr_op *add = sr_value_def_of(sr_operand(update, 1), SR_OP_stablehlo_add);
	const struct sr_op *slice = add ? sr_operand(add, 0)->def : NULL;
	return slice && (sr_op_is(slice, SR_OP_stablehlo_dynamic_slice) || sr_op_is(slice, SR_OP_stablehlo_slice)) &&
	       sr_operand(slice, 0) == sr_operand(update, 0);
}

/* Return true if no element of v is -0: x + y is -0 only if both are. Result number i of an optimization_barrier is its operand i.
 * `assumed`, if not NULL, has no element -0. *left: number of ops that may still be looked at. */
static bool has_no_negative_zero(struct sr_context *ctx, const struct sr_value *v, const struct sr_value *assumed, int *left)
{
	for (; v != assumed && !is_positive_zero(ctx, v); v = sr_operand(v->def, v->index)) {
		const struct sr_op *op = v->def, *loop = op ? NULL : v->block->region->op;
		if (--*left < 0)
			return false;
		if (loop && !assumed && sr_op_is(loop, SR_OP_stablehlo_while) && v->block == loop->regions[1].first)
			return has_no_negative_zero(ctx, sr_operand(loop, v->index), NULL, left) &&
			       has_no_negative_zero(ctx, sr_operand(sr_block_terminator(v->block), v->index), v, left);
		if (!op)
			return false;
		if (sr_op_is(op, SR_OP_stablehlo_add) && has_no_negative_zero(ctx, sr_operand(op, 1), assumed, left))
			return true;
		bool is_update = sr_op_is(op, SR_OP_stablehlo_dynamic_update_slice) || sr_op_is(op, SR_OP_stablehlo_pad);
		if (is_update && !adds_to_slice(op) && !has_no_negative_zero(ctx, sr_operand(op, 1), assumed, left))
			return false;
		if (!is_update && !sr_op_is(op, SR_OP_stablehlo_add) && !sr_op_is(op, SR_OP_stablehlo_slice) &&
		    !sr_op_is(op, SR_OP_stablehlo_dynamic_slice) && !sr_op_has(op, SR_VIEW))
			return false;
	}
	return true;
}

static bool is_accumulator(struct sr_context *ctx, const struct sr_value *v)
{
	int left = MAX_OPS;
	return sr_value_has_one_use(v) && (sr_dtype_is_integer(v->type->dtype) || has_no_negative_zero(ctx, v, NULL, &left));
}

/* Build acc with t->x added to its slice. */
static struct sr_value *build_sum(struct sr_builder *b, struct sr_value *acc, struct term *t)
{
	const struct sr_type *slice = t->x->type, *index = sr_type_tensor(b->ctx, SR_I64, 0, NULL);
	int64_t limit[SR_MAX_RANK];
	for (int d = 0; d < slice->rank; d++) {
		limit[d] = t->first[d] + slice->shape[d];
		t->start[d] = t->is_constant ? sr_build_integer(b, index, t->first[d]) : t->start[d];
	}
	struct sr_value *old = t->is_constant ? sr_build_slice(b, acc, t->first, limit, NULL) :
						sr_build_dynamic_slice(b, acc, t->start, slice->shape);
	return sr_build_update_slice(b, acc, sr_build_binary(b, SR_OP_stablehlo_add, old, t->x), t->start);
}

static bool decompose(struct sr_builder *b, struct sr_op *op)
{
	struct term t, other;
	struct sr_value *acc = NULL;
	for (int i = 1; i >= 0 && !acc; i--)
		if (read_term(b->ctx, sr_operand(op, i), &t) &&
		    (is_accumulator(b->ctx, sr_operand(op, 1 - i)) || read_term(b->ctx, sr_operand(op, 1 - i), &other)))
			acc = sr_operand(op, 1 - i);
	if (!acc)
		return false;
	if (!is_accumulator(b->ctx, acc)) { /* zeros to which both slices are added */
		bool is_tensor = other.zeros->type == acc->type;
		acc = build_sum(b, is_tensor ? other.zeros : sr_build_broadcast(b, other.zeros, acc->type, NULL), &other);
	}
	sr_value_replace_all(sr_result(op, 0), build_sum(b, acc, &t));
	return true;
}

/* A sum with a tensor that is zero outside of a small slice -> sum of the slice. Shards have other slices than the whole tensor. */
bool sr_pattern_sum_of_slices(struct sr_rewriter *rw, struct sr_op *op)
{
	return !rw->config->keeps_shardings && sr_rewrite_decompose(rw, op, decompose);
}
