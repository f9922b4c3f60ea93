/* The elements that each of two devices has after their sorted shards are merged, so that each merges only these. Let a and b be
 * the sorted halves of a vector of 2 n elements. a[t] is one of the n smallest elements if it does not follow b[n - 1 - t] (the
 * first step of a bitonic merge: Batcher, AFIPS 1968). a is ascending and t -> b[n - 1 - t] is descending, so this holds for the
 * first s elements of a, and the n smallest elements are a[0, s) and b[0, n - s). Equal elements of a precede those of b, as in a
 * stable sort. s is searched for in two rounds: first among multiples of about sqrt(n), then among the elements that follow the
 * multiple that was found. */
#include "partition/expand/sort_halves.h"

/* Return the i1 tensor whose elements are true where a does not follow b in the sort's order. For floats of JAX's order, zeros are
 * equal, and NaN are equal and the largest. */
static struct sr_value *does_not_follow(struct sr_expansion *p, struct sr_value *a, struct sr_value *b, const struct sr_sort_key *key)
{
	bool is_total = sr_dtype_is_float(a->type->dtype) && key->float_order == 1, has_nan = sr_dtype_is_float(a->type->dtype) && !is_total;
	struct sr_value *is_not_after = sr_build_compare(&p->builder, a, key->is_descending ? SR_GE : SR_LE, b,
							 is_total ? "TOTALORDER" : NULL);
	struct sr_value *last_value = key->is_descending ? a : b;
	if (!has_nan)
		return is_not_after;
	return sr_build_binary(&p->builder, SR_OP_stablehlo_or, is_not_after,
			       sr_build_compare(&p->builder, last_value, SR_NE, last_value, NULL));
}

/* Return the number of indices t for which a[t] does not follow b[n - 1 - t] in the sort's order; a and b have n elements. */
static struct sr_value *count_preceding(struct sr_expansion *p, struct sr_value *a, struct sr_value *b, const struct sr_sort_key *key,
					enum sr_dtype dtype)
{
	struct sr_value *is_not_after = does_not_follow(p, a, sr_build_reverse(&p->builder, b, 0), key),
			*ones = sr_build_convert(&p->builder, is_not_after, dtype), *zero = sr_build_scalar(&p->builder, dtype, 0);
	return sr_build_reduction(&p->builder, ones, zero, SR_OP_stablehlo_add, &(int64_t){0}, 1);
}

/* Return the number of elements of the lower half of `both` among the n smallest ones. The halves are read in place. */
static struct sr_value *find_split(struct sr_expansion *p, struct sr_value *both, const struct sr_sort_key *key, enum sr_dtype dtype)
{
	struct sr_builder *builder = &p->builder;
	int64_t n = both->type->shape[0] / 2, step = 1;
	while (step * step * 4 <= n)
		step *= 2;
	struct sr_value *a = sr_build_slice_dim(builder, both, 0, 0, (n - 1) / step + 1, step),
			*b = sr_build_slice_dim(builder, both, 0, n + (n - 1) % step, (n - 1) / step + 1, step);
	struct sr_value *n_multiples = count_preceding(p, a, b, key, dtype);
	struct sr_value *one = sr_build_integer(builder, n_multiples->type, 1);
	struct sr_value *last = sr_build_binary(builder, SR_OP_stablehlo_subtract, n_multiples, one);
	last = sr_build_binary(builder, SR_OP_stablehlo_multiply, last, sr_build_integer(builder, last->type, step));
	last = sr_spmd_clamp(p, last, 0, n - step);
	struct sr_value *at = sr_build_binary(builder, SR_OP_stablehlo_subtract, sr_build_scalar(builder, dtype, 2 * n - step), last);
	a = sr_build_dynamic_slice_dim(builder, both, 0, last, step);
	b = sr_build_dynamic_slice_dim(builder, both, 0, at, step);
	struct sr_value *n_after_multiples = count_preceding(p, a, b, key, dtype);
	return sr_build_binary(builder, SR_OP_stablehlo_add, last, n_after_multiples);
}

struct sr_value *sr_sort_own_half(struct sr_expansion *p, struct sr_value *both, struct sr_axes axes, const struct sr_sort_key *key)
{
	struct sr_builder *builder = &p->builder;
	int64_t n = both->type->shape[0] / 2;
	enum sr_dtype dtype = sr_spmd_index_type(2 * n);
	struct sr_value *n_from_lower = find_split(p, both, key, dtype);
	struct sr_value *length = sr_build_scalar(builder, dtype, n), *zero = sr_build_scalar(builder, dtype, 0);
	struct sr_value *n_from_upper = sr_build_binary(builder, SR_OP_stablehlo_subtract, length, n_from_lower);
	/* 0 on the device with the lower half, n on the other one */
	struct sr_value *offset = sr_spmd_shard_offset(p, axes, n, dtype);
	struct sr_value *is_lower = sr_build_compare(builder, offset, SR_EQ, zero, NULL);
	/* The lower half of the result consists of the runs both[0, s) and both[n, 2 n - s), the upper half of both[s, n) and
	 * both[2 n - s, 2 n), where s is n_from_lower. */
	struct sr_value *first = sr_build_select(builder, is_lower, zero, n_from_lower),
			*upper = sr_build_select(builder, is_lower, n_from_upper, length);
	struct sr_value *first_run = sr_build_dynamic_slice_dim(builder, both, 0, first, n),
			*upper_run = sr_build_dynamic_slice_dim(builder, both, 0, upper, n);
	struct sr_value *n_first = sr_build_select(builder, is_lower, n_from_lower, n_from_upper);
	struct sr_value *positions = sr_build_iota(builder, dtype, first_run->type, 0);
	struct sr_value *is_first = sr_build_compare(builder, positions, SR_LT,
						     sr_build_broadcast(builder, n_first, positions->type, NULL), NULL);
	return sr_build_select(builder, is_first, first_run, upper_run);
}
