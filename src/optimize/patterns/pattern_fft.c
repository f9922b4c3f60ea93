/* A pattern of FFTs along several dimensions of which some are sharded. It transforms the unsharded dimensions, exchanges blocks by
 * all_to_all so that other dimensions are sharded, and transforms the dimensions that were sharded. Without the pattern each device
 * gathers and transforms the entire value, unless the value has a batch dimension that can be sharded.
 *
 *	%r = fft %a, length = [8, 16, 32]	sharding [{"x"}, {}, {}]
 * becomes
 *	%0 = fft %a, length = [16, 32]		[{"x"}, {}, {}]
 *	%1 = transpose %0, dims = [1, 2, 0]	[{"x"}, {}, {}]
 *	%2 = fft %1, length = [8]
 *	%r = transpose %2, dims = [2, 0, 1]
 *
 * A transform of real values begins with the last dimension, and one to real values ends with it. */
#include "dialect/attr_names.h"
#include "dialect/signature.h"
#include "kernels/kernel.h"
#include "mesh/sdy_sharding.h"
#include "optimize/patterns/match.h"
#include "optimize/patterns/patterns.h"
#include <string.h>

enum { MIN_BYTES = 1 << 20 }; /* minimum size of the result: transforming less everywhere takes no longer than exchanging it */

struct transform {
	struct sr_rewriter *rw;
	struct sr_op *op;
	int rank;
	bool is_sharded[SR_MAX_RANK], is_other[SR_MAX_RANK]; /* transformed dimensions that are sharded, and those that are not */
};

/* Create an op before the transform; `sharding` is that of the result's dimension order[d] for each d. */
static struct sr_value *create(const struct transform *t, enum sr_op_code code, struct sr_value *v,
			       const struct sr_named_attr *attrs, int n_attrs, const struct sr_type *type,
			       const struct sr_sdy_sharding *sharding, const int64_t *order)
{
	struct sr_context *ctx = t->rw->ctx;
	struct sr_sdy_sharding permuted = *sharding;
	struct sr_sdy_dim dims[SR_MAX_RANK];
	v = sr_result(sr_rewrite_create(t->rw, t->op, code, &v, 1, attrs, n_attrs, type), 0);
	for (int d = 0; d < t->rank; d++)
		dims[d] = sharding->dims[order[d]];
	permuted.dims = dims;
	sr_value_set_sharding(ctx, v, sr_attr_sharding(ctx, &permuted));
	return v;
}

static const struct sr_type *permute(struct sr_context *ctx, const struct sr_type *t, const int64_t *order)
{
	int64_t shape[SR_MAX_RANK];
	for (int d = 0; d < t->rank; d++)
		shape[d] = t->shape[order[d]];
	return sr_type_with_shape(ctx, t, t->rank, shape);
}

/* Transform v along the chosen dimensions; the result has this type and sharding. */
static struct sr_value *transform_along(const struct transform *t, struct sr_value *v, const bool *is_chosen,
					enum sr_fft_kind kind, const struct sr_type *type, const struct sr_sdy_sharding *sharding)
{
	struct sr_context *ctx = t->rw->ctx;
	const struct sr_type *real = kind == SR_IRFFT ? type : v->type; /* the type with the lengths of the transform */
	int64_t *order = SR_NEW_ARRAY(ctx->arena, int64_t, t->rank), *inverse = SR_NEW_ARRAY(ctx->arena, int64_t, t->rank),
		*lengths = SR_NEW_ARRAY(ctx->arena, int64_t, t->rank), identity[SR_MAX_RANK];
	int n = 0, n_chosen = 0;
	for (int chosen = 0; chosen < 2; chosen++)
		for (int d = 0; d < t->rank; d++)
			if (is_chosen[d] == chosen) {
				inverse[d] = n;
				order[n++] = d;
				if (chosen)
					lengths[n_chosen++] = real->shape[d];
			}
	for (int d = 0; d < t->rank; d++)
		identity[d] = d;
	struct sr_named_attr there = {SR_NAME_permutation, sr_attr_i64s(ctx, order, t->rank)},
			     back = {SR_NAME_permutation, sr_attr_i64s(ctx, inverse, t->rank)};
	struct sr_named_attr attrs[] = {{SR_NAME_fft_type, sr_attr_enum_at(ctx, "stablehlo", SR_NAME_fft_type, kind)},
					{SR_NAME_fft_length, sr_attr_i64s(ctx, lengths, n_chosen)}};
	bool is_transposed = memcmp(order, identity, sizeof *order * (size_t)t->rank) != 0;
	if (is_transposed)
		v = create(t, SR_OP_stablehlo_transpose, v, &there, 1, permute(ctx, v->type, order), sharding, order);
	v = create(t, SR_OP_stablehlo_fft, v, attrs, 2, permute(ctx, type, order), sharding, order);
	return is_transposed ? create(t, SR_OP_stablehlo_transpose, v, &back, 1, type, sharding, identity) : v;
}

/* Return the sharding with the axes of the sharded transformed dimensions moved to the first other transformed dimension. */
static struct sr_sdy_sharding exchange_axes(const struct transform *t, const struct sr_sdy_sharding *sharding)
{
	struct sr_arena *arena = t->rw->ctx->arena;
	struct sr_sdy_sharding exchanged = *sharding;
	struct sr_sdy_dim *dims = sr_dup(arena, sharding->dims, (size_t)t->rank, sizeof *dims);
	int n = 0, to = 0;
	while (!t->is_other[to])
		to++;
	for (int d = 0; d < t->rank; d++)
		n += sharding->dims[d].axes.n;
	struct sr_sdy_axis *refs = SR_NEW_ARRAY(arena, struct sr_sdy_axis, n + 1);
	dims[to].axes = (struct sr_sdy_axes){refs, 0};
	for (int d = 0; d < t->rank; d++)
		if (t->is_sharded[d]) {
			for (int i = 0; i < sharding->dims[d].axes.n; i++)
				refs[dims[to].axes.n++] = sharding->dims[d].axes.refs[i];
			dims[d].axes = (struct sr_sdy_axes){0};
		}
	exchanged.dims = dims;
	return exchanged;
}

/* Find the transformed dimensions that are sharded in the operand or the result. Return false if these are none or all, or the
 * value is small. */
static bool find_dims(struct transform *t, const struct sr_attr *in, const struct sr_attr *out)
{
	struct sr_ints lengths = sr_match_ints(t->rw->ctx, t->op, SR_NAME_fft_length);
	int64_t bytes;
	int n_sharded = 0;
	if (!sr_type_is_static(sr_operand_type(t->op, 0)) || !sr_type_bytes(sr_result(t->op, 0)->type, &bytes) ||
	    bytes < MIN_BYTES)
		return false;
	for (int d = t->rank - (int)lengths.n; d < t->rank; d++) {
		t->is_sharded[d] = (in && in->sharding->dims[d].axes.n) || (out && out->sharding->dims[d].axes.n);
		t->is_other[d] = !t->is_sharded[d];
		n_sharded += t->is_sharded[d];
	}
	return n_sharded && n_sharded < lengths.n;
}

/* Return true if a batch dimension can be sharded along the axes of the transformed dimensions as well: then two all_to_alls are
 * enough. */
static bool has_batch_dim(const struct transform *t, const struct sr_sdy_sharding *sharding)
{
	const struct sr_mesh *mesh = sr_sharding_mesh(sr_op_module(t->op), sharding);
	int64_t shards = 1;
	for (int d = 0; mesh && d < t->rank; d++)
		shards *= sr_sdy_dim_shards(sharding, mesh, d);
	for (int d = 0; !t->is_sharded[d] && !t->is_other[d]; d++)
		if (sr_result_type(t->op, 0)->shape[d] % shards == 0)
			return true;
	return false;
}

/* fft along sharded and other dimensions -> fft along the others, transpose, fft along the sharded ones, transpose */
bool sr_pattern_sharded_fft(struct sr_rewriter *rw, struct sr_op *op)
{
	struct sr_context *ctx = rw->ctx;
	struct sr_value *v = sr_operand(op, 0);
	const struct sr_type *type = sr_result(op, 0)->type;
	const struct sr_attr *in = sr_value_sharding(ctx, v), *out = sr_value_sharding(ctx, sr_result(op, 0));
	enum sr_fft_kind kind = (enum sr_fft_kind)sr_op_int(op, SR_NAME_fft_type, SR_FFT);
	struct transform t = {.rw = rw, .op = op, .rank = type->rank};
	bool is_real = kind == SR_RFFT || kind == SR_IRFFT;
	if (!rw->config->keeps_shardings || !find_dims(&t, in, out) || (is_real && t.is_sharded[t.rank - 1]))
		return false;
	const struct sr_sdy_sharding *sharding = in && sr_sdy_sharding_has_axes(in->sharding) ? in->sharding : out->sharding;
	if (has_batch_dim(&t, sharding))
		return false;
	struct sr_sdy_sharding exchanged = exchange_axes(&t, sharding);
	if (kind == SR_IRFFT) {
		v = transform_along(&t, v, t.is_sharded, SR_IFFT, v->type, &exchanged);
		v = transform_along(&t, v, t.is_other, kind, type, sharding);
	} else {
		v = transform_along(&t, v, t.is_other, kind, type, sharding);
		v = transform_along(&t, v, t.is_sharded, is_real ? SR_FFT : kind, type, &exchanged);
	}
	sr_rewrite_replace(rw, op, v); /* its sharding may differ from the op's */
	return true;
}
