/* Transforms of dimensions that are not the last ones, and of several dimensions. A transform of a transposed value, whose result
 * is transposed, too, becomes a transform of columns of the value:
 *
 *	%1 = transpose %a, dims = [1, 0]
 *	%2 = fft %1, type = FFT, length = [8]
 *	%3 = transpose %2, dims = [1, 0]
 * becomes
 *	%3 = fft %a, type = FFT, length = [8] {shardrun.trailing_dimensions = 1 : i64}
 *
 * A transform of several dimensions whose elements exceed the caches becomes one transform for each dimension, since threads divide
 * the lines along one dimension. */
#include "dialect/attr_names.h"
#include "dialect/op_builders.h"
#include "dialect/signature.h"
#include "kernels/kernel.h"
#include "support/checked.h"
#include "work/work.h"

enum { MAX_CACHED_BYTES = 1 << 20 }; /* maximum bytes of a transform of several dimensions that stays one op */

struct fft {
	struct sr_op *op;
	enum sr_fft_kind kind;
	bool is_complex, is_to_real; /* FFT or IFFT; IRFFT */
	const int64_t *lengths;
	int64_t n; /* number of transformed dimensions */
};

static bool read_fft(struct sr_context *ctx, struct sr_op *op, struct fft *f)
{
	*f = (struct fft){.op = op, .kind = (enum sr_fft_kind)sr_op_int(op, SR_NAME_fft_type, SR_FFT)};
	f->is_to_real = f->kind == SR_IRFFT;
	f->is_complex = !f->is_to_real && f->kind != SR_RFFT;
	return sr_op_ints(ctx, op, SR_NAME_fft_length, &f->lengths, &f->n) && !sr_op_attr(op, SR_WORK_TRAILING_DIMENSIONS) &&
	       sr_type_is_static(sr_result_type(op, 0));
}

/* Return true if one transform of all dimensions exceeds the caches. */
static bool is_large(const struct fft *f)
{
	int64_t bytes = 2 * (int64_t)sizeof(float);
	for (int64_t i = 0; i < f->n; i++)
		if (sr_mul_overflows(bytes, f->lengths[i], &bytes))
			return true;
	return bytes > MAX_CACHED_BYTES;
}

/* Build the transform of dimension `dim` of v. */
static struct sr_value *transform_dim(struct sr_builder *b, struct sr_value *v, enum sr_fft_kind kind, int64_t length, int64_t dim,
				      const struct sr_type *type)
{
	struct sr_context *ctx = b->ctx;
	struct sr_named_attr attrs[] = {{SR_NAME_fft_type, sr_attr_enum_at(ctx, "stablehlo", SR_NAME_fft_type, kind)},
					{SR_NAME_fft_length, sr_attr_i64s(ctx, &length, 1)}};
	struct sr_op *op = sr_build(b, SR_OP_stablehlo_fft, &v, 1, attrs, 2, &type, 1);
	if (dim < v->type->rank - 1)
		sr_op_set_attr(ctx, op, SR_WORK_TRAILING_DIMENSIONS, sr_attr_i64(ctx, v->type->rank - 1 - dim));
	return sr_result(op, 0);
}

/* Build the transforms of v along dims[0..f->n), in the order of the op: the last one first, or last if its result is real. */
static struct sr_value *transform_dims(struct sr_builder *b, const struct fft *f, struct sr_value *v, const int64_t *dims)
{
	enum sr_fft_kind complex_kind = f->is_complex ? f->kind : f->is_to_real ? SR_IFFT : SR_FFT;
	int64_t last = f->n - 1;
	const struct sr_type *type = f->is_complex ? v->type : sr_result_type(f->op, 0);
	if (!f->is_to_real)
		v = transform_dim(b, v, f->kind, f->lengths[last], dims[last], type);
	for (int64_t i = last - 1; i >= 0; i--)
		v = transform_dim(b, v, complex_kind, f->lengths[i], dims[i], v->type);
	return f->is_to_real ? transform_dim(b, v, f->kind, f->lengths[last], dims[last], type) : v;
}

/* Return the only user of the op's result if it is a transpose in the op's block; else NULL. */
static struct sr_op *transpose_after(const struct sr_op *op)
{
	const struct sr_use *use = sr_result(op, 0)->uses;
	bool is_transpose = use && !use->next && use->owner->block == op->block && sr_op_is(use->owner, SR_OP_stablehlo_transpose);
	return is_transpose ? use->owner : NULL;
}

/* Build `transpose(transpose(v, first), second)` for a value v that is not transposed yet. */
static struct sr_value *transpose_twice(struct sr_builder *b, struct sr_value *v, const int64_t *first, const int64_t *second)
{
	int64_t permutation[SR_MAX_RANK];
	bool is_identity = true;
	for (int d = 0; d < v->type->rank; d++) {
		permutation[d] = first[second[d]];
		is_identity = is_identity && permutation[d] == d;
	}
	return is_identity ? v : sr_build_transpose(b, v, permutation);
}

struct sr_op *sr_work_transform_dimensions(struct sr_context *ctx, struct sr_op *op)
{
	struct fft f;
	struct sr_op *before = sr_operand(op, 0)->def, *after = transpose_after(op), *replaced = op;
	const int64_t *first, *second;
	int64_t dims[SR_MAX_RANK], rank = sr_operand_type(op, 0)->rank, n;
	if (!read_fft(ctx, op, &f))
		return op;
	bool is_transposed = f.is_complex && after && before && sr_op_is(before, SR_OP_stablehlo_transpose) &&
			     sr_op_ints(ctx, before, SR_NAME_permutation, &first, &n) &&
			     sr_op_ints(ctx, after, SR_NAME_permutation, &second, &n);
	if (!is_transposed && (f.n == 1 || !is_large(&f)))
		return op;
	for (int64_t i = 0; i < f.n; i++)
		dims[i] = is_transposed ? first[rank - f.n + i] : rank - f.n + i;
	if (is_transposed)
		replaced = after;
	struct sr_builder b = {.ctx = ctx, .block = op->block, .anchor = replaced, .loc = op->loc};
	struct sr_value *v = transform_dims(&b, &f, sr_operand(is_transposed ? before : op, 0), dims);
	if (is_transposed)
		v = transpose_twice(&b, v, first, second);
	sr_value_replace_all(sr_result(replaced, 0), v);
	sr_work_retire_unused(ctx, replaced);
	sr_ops_reclaim(ctx);
	return v->def;
}
