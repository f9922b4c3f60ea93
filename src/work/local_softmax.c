/* Rewrite a softmax whose rows are sharded so that the first pass over a shard computes both its maximum and its exponentials, and
 * the second pass scales them. Before, the exponentials waited for the maximum of all devices, which took a third pass.
 *
 *	m = all_reduce(max)(reduce(max)(x))               l = reduce(max)(x);  c = l if l is finite, else 0
 *	e = exp(x - m)                                    e = exp(x - c);  m = all_reduce(max)(l)
 *	s = all_reduce(add)(reduce(add)(e))         =>    s = all_reduce(add)(reduce(add)(e) * exp(l - m))
 *	y = e / s                                         y = e * (exp(l - m) / s)
 *
 * As in the online softmax of Milakov and Gimelshein (2018), but by devices. A row of a shard that holds only -inf has e = 0, and the
 * factor exp(-inf - m) is 0, or NaN if the whole row is -inf, as exp(x - m) is; infinities and NaN in x give NaN in both forms.
 *
 * JAX's logsumexp subtracts a guarded maximum, m' = select(is_finite(m), m, 0). The factor is then exp(min(l - m', 0)): l <= m' unless
 * the row has +inf, where m' = 0 and s = inf for any factor but 0. A finite factor keeps e / s = 0 for the row's finite elements. */
#include "dialect/attr_names.h"
#include "dialect/reducer.h"
#include "work/work.h"
#include <string.h>

enum { MIN_ROW = 16 }; /* least elements of a row on a device: shorter rows are dominated by the values per row */

struct softmax {
	struct sr_op *max_reduce, *max_all_reduce, *exponential, *sum_reduce, *sum_all_reduce;
	struct sr_value *x, *maximum; /* operand; maximum over devices as the exponentials use it */
	bool is_guarded;              /* the maximum is replaced by 0 where it is not finite */
	const int64_t *reduced;
	int64_t n_reduced, kept[SR_MAX_RANK];
	int n_kept;
};

/* Return the op that defines v if it has this code and number of operands and is in the block; else NULL. */
static struct sr_op *definition(const struct sr_value *v, enum sr_op_code code, int n_operands, const struct sr_block *block)
{
	struct sr_op *op = v->def;
	return op && sr_op_is(op, code) && op->n_operands == n_operands && op->block == block ? op : NULL;
}

static bool has_reducer(const struct sr_op *op, enum sr_op_code code)
{
	const struct sr_reducer *r = sr_op_reducer(op);
	return r && r->code == code;
}

/* Return the reduce whose result the all_reduce combines, if both reduce by `code` and it starts from the identity element and has no
 * other reader; else NULL. */
static struct sr_op *reduce_of(struct sr_context *ctx, const struct sr_op *all_reduce, enum sr_op_code code)
{
	struct sr_op *reduce = definition(sr_operand(all_reduce, 0), SR_OP_stablehlo_reduce, 2, all_reduce->block);
	if (!reduce || !has_reducer(all_reduce, code) || !has_reducer(reduce, code))
		return NULL;
	const struct sr_attr *init = sr_constant_value(sr_operand(reduce, 1));
	bool starts_from_identity = init && init == sr_reducer_identity(ctx, sr_op_reducer(reduce), sr_operand_type(reduce, 0)->dtype);
	return starts_from_identity && !sr_result(reduce, 0)->uses->next ? reduce : NULL;
}

/* Return the value that v repeats along other dimensions than kept[n_kept]; NULL if v is no such broadcast. */
static struct sr_value *repeated_value(struct sr_context *ctx, struct sr_value *v, const int64_t *kept, int n_kept)
{
	int64_t map[SR_MAX_RANK], n;
	const int64_t *dims;
	for (int d = 0; d < v->type->rank; d++)
		map[d] = d;
	while (v->def && sr_op_is(v->def, SR_OP_stablehlo_broadcast_in_dim)) {
		int64_t inner_map[SR_MAX_RANK];
		if (!sr_op_ints(ctx, v->def, SR_NAME_broadcast_dimensions, &dims, &n))
			return NULL;
		for (int64_t d = 0; d < n; d++)
			inner_map[d] = map[dims[d]];
		memcpy(map, inner_map, sizeof *map * (size_t)n);
		v = sr_operand(v->def, 0);
	}
	for (int d = 0; d < n_kept; d++)
		if (v->type->rank != n_kept || map[d] != kept[d])
			return NULL;
	return v;
}

/* Return true if v repeats the identity element of the reduction by `code`. */
static bool is_identity(struct sr_context *ctx, const struct sr_value *v, enum sr_op_code code)
{
	while (v->def && sr_op_is(v->def, SR_OP_stablehlo_broadcast_in_dim))
		v = sr_operand(v->def, 0);
	const struct sr_attr *constant = sr_constant_value(v);
	return constant && constant == sr_reducer_identity(ctx, sr_reducer_find(code), v->type->dtype);
}

/* Return the operand of max(v, -inf), which is how JAX writes a maximum; v itself if it is no such op. */
static struct sr_value *without_lowest(struct sr_context *ctx, struct sr_value *v)
{
	struct sr_op *op = v->def;
	if (!op || !sr_op_is(op, SR_OP_stablehlo_maximum))
		return v;
	for (int i = 0; i < 2; i++)
		if (is_identity(ctx, sr_operand(op, i), SR_OP_stablehlo_maximum))
			return sr_operand(op, 1 - i);
	return v;
}

/* Return w if v is select(is_finite(w), w, 0); v itself if it is not. */
static struct sr_value *without_guard(struct sr_context *ctx, struct sr_value *v, const struct sr_block *block)
{
	struct sr_op *select = definition(v, SR_OP_stablehlo_select, 3, block);
	struct sr_op *is_finite = select ? definition(sr_operand(select, 0), SR_OP_stablehlo_is_finite, 1, block) : NULL;
	bool is_guard = is_finite && sr_operand(is_finite, 0) == sr_operand(select, 1) &&
			is_identity(ctx, sr_operand(select, 2), SR_OP_stablehlo_add);
	return is_guard ? sr_operand(select, 1) : v;
}

/* Return true if the divisor of `divide` is the sum, and the dividend the exponentials. */
static bool is_quotient(struct sr_context *ctx, const struct softmax *s, const struct sr_op *divide)
{
	return sr_op_is(divide, SR_OP_stablehlo_divide) && divide->block == s->sum_reduce->block &&
	       sr_operand(divide, 0) == sr_result(s->exponential, 0) &&
	       repeated_value(ctx, sr_operand(divide, 1), s->kept, s->n_kept) == sr_result(s->sum_all_reduce, 0);
}

static bool has_benefit(const struct softmax *s)
{
	int64_t n, n_rows;
	enum sr_dtype type = s->x->type->dtype;
	return (type == SR_F32 || type == SR_F64) && sr_type_elements(s->x->type, &n) &&
	       sr_type_elements(sr_result_type(s->max_reduce, 0), &n_rows) && n >= SR_WORK_LARGE_ELEMENTS && n / MIN_ROW >= n_rows;
}

/* Recognize the softmax whose sum over devices is `all_reduce`. */
static bool find_softmax(struct sr_context *ctx, struct sr_op *all_reduce, struct softmax *s)
{
	const struct sr_block *block = all_reduce->block;
	const int64_t *dims;
	int64_t n;
	*s = (struct softmax){.sum_all_reduce = all_reduce};
	s->sum_reduce = all_reduce->n_operands == 1 ? reduce_of(ctx, all_reduce, SR_OP_stablehlo_add) : NULL;
	s->exponential = s->sum_reduce ? definition(sr_operand(s->sum_reduce, 0), SR_OP_stablehlo_exponential, 1, block) : NULL;
	struct sr_op *difference = s->exponential ? definition(sr_operand(s->exponential, 0), SR_OP_stablehlo_subtract, 2, block) : NULL;
	if (!difference || !sr_op_ints(ctx, s->sum_reduce, SR_NAME_dimensions, &s->reduced, &s->n_reduced))
		return false;
	s->x = sr_operand(difference, 0);
	for (int d = 0; d < s->x->type->rank; d++) {
		bool is_reduced = false;
		for (int64_t i = 0; i < s->n_reduced; i++)
			is_reduced = is_reduced || s->reduced[i] == d;
		if (!is_reduced)
			s->kept[s->n_kept++] = d;
	}
	s->maximum = repeated_value(ctx, sr_operand(difference, 1), s->kept, s->n_kept);
	if (!s->maximum)
		return false;
	struct sr_value *unguarded = without_guard(ctx, s->maximum, block);
	s->is_guarded = unguarded != s->maximum;
	s->max_all_reduce = definition(without_lowest(ctx, unguarded), SR_OP_stablehlo_all_reduce, 1, block);
	s->max_reduce = s->max_all_reduce ? reduce_of(ctx, s->max_all_reduce, SR_OP_stablehlo_maximum) : NULL;
	if (!s->max_reduce || sr_operand(s->max_reduce, 0) != s->x || !sr_op_ints(ctx, s->max_reduce, SR_NAME_dimensions, &dims, &n) ||
	    n != s->n_reduced || memcmp(dims, s->reduced, sizeof *dims * (size_t)n) != 0 ||
	    sr_op_attr(s->max_all_reduce, SR_NAME_replica_groups) != sr_op_attr(all_reduce, SR_NAME_replica_groups) ||
	    !sr_have_same_group_numbering(s->max_all_reduce, all_reduce))
		return false;
	for (const struct sr_use *use = sr_result(s->exponential, 0)->uses; use; use = use->next)
		if (use->owner != s->sum_reduce && !is_quotient(ctx, s, use->owner))
			return false;
	return has_benefit(s);
}

static struct sr_value *build(struct sr_builder *b, enum sr_op_code code, struct sr_value *x, struct sr_value *y)
{
	return sr_result(sr_build(b, code, (struct sr_value *[]){x, y}, y ? 2 : 1, NULL, 0, &x->type, 1), 0);
}

static struct sr_value *repeat(struct sr_builder *b, const struct softmax *s, struct sr_value *v)
{
	struct sr_named_attr attr = {SR_NAME_broadcast_dimensions, sr_attr_i64s(b->ctx, s->kept, s->n_kept)};
	return sr_result(sr_build(b, SR_OP_stablehlo_broadcast_in_dim, &v, 1, &attr, 1, &s->x->type, 1), 0);
}

/* Insert the shard's exponentials before the maximum over devices, and let the sum read them. */
static struct sr_value *build_exponentials(struct sr_context *ctx, const struct softmax *s)
{
	struct sr_builder b = {.ctx = ctx, .block = s->max_reduce->block, .anchor = s->max_all_reduce, .loc = s->exponential->loc};
	struct sr_value *local = sr_result(s->max_reduce, 0), *zero = sr_build_splat(&b, local->type, 0);
	struct sr_value *init = sr_build_splat(&b, sr_operand_type(s->sum_reduce, 1), 0);
	struct sr_value *is_finite = sr_build_infer(&b, SR_OP_stablehlo_is_finite, &local, 1, NULL, 0);
	struct sr_value *center =
		sr_build_infer(&b, SR_OP_stablehlo_select, (struct sr_value *[]){is_finite, local, zero}, 3, NULL, 0);
	struct sr_value *difference = build(&b, SR_OP_stablehlo_subtract, s->x, repeat(&b, s, center));
	struct sr_value *e = build(&b, SR_OP_stablehlo_exponential, difference, NULL);
	sr_op_set_operand(s->sum_reduce, 0, e);
	sr_op_set_operand(s->sum_reduce, 1, init);
	sr_op_move_before(s->sum_reduce, s->max_all_reduce);
	return e;
}

struct sr_op *sr_work_localize_softmax(struct sr_context *ctx, struct sr_op *all_reduce)
{
	struct softmax s;
	if (!find_softmax(ctx, all_reduce, &s))
		return all_reduce;
	struct sr_value *e = build_exponentials(ctx, &s);
	struct sr_builder b = {.ctx = ctx, .block = all_reduce->block, .anchor = all_reduce, .loc = s.exponential->loc};
	struct sr_value *difference = build(&b, SR_OP_stablehlo_subtract, sr_result(s.max_reduce, 0), s.maximum);
	if (s.is_guarded)
		difference = build(&b, SR_OP_stablehlo_minimum, difference, sr_build_splat(&b, difference->type, 0));
	struct sr_value *factor = build(&b, SR_OP_stablehlo_exponential, difference, NULL);
	sr_op_set_operand(all_reduce, 0, build(&b, SR_OP_stablehlo_multiply, sr_result(s.sum_reduce, 0), factor));
	for (struct sr_use *use = sr_result(s.exponential, 0)->uses, *next; use; use = next) {
		struct sr_op *divide = use->owner;
		next = use->next;
		b.anchor = divide;
		b.loc = divide->loc;
		struct sr_value *scale = build(&b, SR_OP_stablehlo_divide, factor, sr_result(all_reduce, 0));
		sr_value_replace_all(sr_result(divide, 0), build(&b, SR_OP_stablehlo_multiply, e, repeat(&b, &s, scale)));
		sr_work_retire_unused(ctx, divide);
	}
	sr_work_retire_unused(ctx, s.exponential);
	sr_ops_reclaim(ctx);
	return all_reduce;
}
