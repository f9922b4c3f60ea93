/* shardrun-decompose: rewrite ops that no kernel computes as ops that have a kernel: batch normalization as defined in the
 * specification, torch_index_select as gather, rng from random bits (random.c), convolutions of complex numbers
 * as real ones, and custom calls that stand for an op (@mhlo.erf). */
#include "optimize/shapes/dynamism.h"
#include "dialect/attr_names.h"
#include "optimize/legalize/custom_call_ops.h"
#include "optimize/legalize/flatten_tuples.h"
#include "optimize/pass_functions.h"
#include "optimize/legalize/random.h"
#include <string.h>

/* ---------------------------------------------------------------- small builders */

static struct sr_value *unary(struct sr_builder *b, enum sr_op_code code, struct sr_value *x)
{
	return sr_build_infer(b, code, &x, 1, NULL, 0);
}

static struct sr_value *binary(struct sr_builder *b, enum sr_op_code code, struct sr_value *x, struct sr_value *y)
{
	return sr_build_infer(b, code, (struct sr_value *[]){x, y}, 2, NULL, 0);
}

#define ADD(x, y) binary(b, SR_OP_stablehlo_add, x, y)
#define SUB(x, y) binary(b, SR_OP_stablehlo_subtract, x, y)
#define MUL(x, y) binary(b, SR_OP_stablehlo_multiply, x, y)
#define DIV(x, y) binary(b, SR_OP_stablehlo_divide, x, y)

/* Build the sums over all dimensions but `feature`. */
static struct sr_value *sum_except(struct sr_builder *b, struct sr_value *v, int64_t feature)
{
	int64_t dims[SR_MAX_RANK], n = 0;
	for (int d = 0; d < v->type->rank; d++)
		if (d != feature)
			dims[n++] = d;
	return sr_build_reduction(b, v, sr_build_zero_scalar(b, v->type->element), SR_OP_stablehlo_add, dims, n);
}

static void replace(struct sr_op *op, int i, struct sr_value *v)
{
	sr_value_replace_all(sr_result(op, i), v);
}

/* ---------------------------------------------------------------- batch normalization */

struct norm {
	int64_t feature;
	double epsilon, count; /* epsilon of the batch normalization; number of elements of a feature */
	/* type in which the normalization computes: that of the operand, with elements of at least f32 */
	const struct sr_type *type;
	enum sr_dtype result;
};

static struct norm norm_of(struct sr_op *op)
{
	const struct sr_attr *epsilon = sr_op_attr(op, SR_NAME_epsilon);
	const struct sr_type *t = sr_operand(op, 0)->type;
	struct norm n = {.feature = sr_op_int(op, SR_NAME_feature_index, 0), .count = 1, .result = t->dtype, .type = t};
	n.epsilon = epsilon && epsilon->kind == SR_ATTR_FLOAT ? sr_float_decode(epsilon->type->dtype, (uint64_t)epsilon->i) : 0;
	for (int d = 0; d < t->rank; d++)
		if (d != n.feature)
			n.count *= (double)t->shape[d];
	return n;
}

static struct sr_value *widened_operand(struct sr_builder *b, struct sr_op *op, int i)
{
	struct sr_value *v = sr_operand(op, i);
	return sr_dtypes[v->type->dtype].bits < 32 ? sr_build_convert(b, v, SR_F32) : v;
}

static struct sr_value *broadcast_feature(struct sr_builder *b, const struct norm *n, struct sr_value *v)
{
	return sr_build_broadcast(b, v, n->type, &n->feature);
}

/* Build sqrt(variance + epsilon), broadcast to the operand's shape; *shifted_variance: variance + epsilon. */
static struct sr_value *deviation(struct sr_builder *b, const struct norm *n, struct sr_value *variance,
				  struct sr_value **shifted_variance)
{
	struct sr_value *v = broadcast_feature(b, n, variance);
	*shifted_variance = ADD(v, sr_build_splat(b, v->type, n->epsilon));
	return unary(b, SR_OP_stablehlo_sqrt, *shifted_variance);
}

static struct sr_value *normalize(struct sr_builder *b, const struct norm *n, struct sr_value *x, struct sr_value *scale,
				  struct sr_value *offset, struct sr_value *mean, struct sr_value *variance)
{
	struct sr_value *shifted_variance, *centered_input = SUB(x, broadcast_feature(b, n, mean));
	struct sr_value *scaled_input = MUL(DIV(centered_input, deviation(b, n, variance, &shifted_variance)),
					    broadcast_feature(b, n, scale));
	return ADD(scaled_input, broadcast_feature(b, n, offset));
}

static bool batch_norm_inference(struct sr_builder *b, struct sr_op *op)
{
	struct norm n = norm_of(op);
	struct sr_value *y = normalize(b, &n, widened_operand(b, op, 0), widened_operand(b, op, 1), widened_operand(b, op, 2),
				       widened_operand(b, op, 3), widened_operand(b, op, 4));
	replace(op, 0, sr_build_convert(b, y, n.result));
	return true;
}

static bool batch_norm_training(struct sr_builder *b, struct sr_op *op)
{
	struct norm n = norm_of(op);
	struct sr_value *x = widened_operand(b, op, 0), *sum = sum_except(b, x, n.feature);
	struct sr_value *count = sr_build_splat(b, sum->type, n.count), *mean = DIV(sum, count);
	struct sr_value *centered = SUB(x, broadcast_feature(b, &n, mean)),
			*variance = DIV(sum_except(b, MUL(centered, centered), n.feature), count);
	struct sr_value *y = normalize(b, &n, x, widened_operand(b, op, 1), widened_operand(b, op, 2), mean, variance);
	replace(op, 0, sr_build_convert(b, y, n.result));
	replace(op, 1, sr_build_convert(b, mean, sr_result(op, 1)->type->dtype));
	replace(op, 2, sr_build_convert(b, variance, sr_result(op, 2)->type->dtype));
	return true;
}

static bool batch_norm_grad(struct sr_builder *b, struct sr_op *op)
{
	struct norm n = norm_of(op);
	struct sr_value *x = widened_operand(b, op, 0), *scale = widened_operand(b, op, 1), *mean = widened_operand(b, op, 2),
			*variance = widened_operand(b, op, 3), *dy = widened_operand(b, op, 4);
	struct sr_value *shifted_variance, *centered_input = SUB(x, broadcast_feature(b, &n, mean)),
					   *root = deviation(b, &n, variance, &shifted_variance);
	struct sr_value *count = sr_build_splat(b, x->type, n.count), *offset = sum_except(b, dy, n.feature);
	struct sr_value *product_sum = sum_except(b, MUL(dy, centered_input), n.feature);
	struct sr_value *variance_term = DIV(MUL(broadcast_feature(b, &n, product_sum), centered_input), shifted_variance);
	struct sr_value *inner = SUB(SUB(MUL(dy, count), broadcast_feature(b, &n, offset)), variance_term);
	struct sr_value *dx = MUL(DIV(DIV(broadcast_feature(b, &n, scale), root), count), inner);
	/* sum(dy * (centered_input / root)) without another pass over the input, as the root is equal for all terms */
	struct sr_value *feature_root = unary(b, SR_OP_stablehlo_sqrt, ADD(variance, sr_build_splat(b, variance->type, n.epsilon)));
	replace(op, 0, sr_build_convert(b, dx, n.result));
	replace(op, 1, sr_build_convert(b, DIV(product_sum, feature_root), sr_result(op, 1)->type->dtype));
	replace(op, 2, sr_build_convert(b, offset, sr_result(op, 2)->type->dtype));
	return true;
}

/* ---------------------------------------------------------------- other ops */

/* Rewrite torch_index_select: the result consists of slices of the operand along `dim` at the indices in `index`; the first
 * batch_dims dimensions are batch dimensions. */
static bool torch_index_select(struct sr_builder *b, struct sr_op *op)
{
	struct sr_context *ctx = b->ctx;
	struct sr_value *x = sr_operand(op, 0), *index = sr_operand(op, 1);
	int64_t dim = sr_op_int(op, SR_NAME_dim, 0), batch = sr_op_int(op, SR_NAME_batch_dims, 0), rank = x->type->rank,
		index_rank = index->type->rank;
	int64_t *sizes = SR_NEW_ARRAY(ctx->arena, int64_t, rank), *offset = SR_NEW_ARRAY(ctx->arena, int64_t, rank), n = 0;
	int64_t *batching = SR_NEW_ARRAY(ctx->arena, int64_t, batch + 1);
	const struct sr_attr_def *def = sr_attr_def_find("stablehlo", "gather");
	if (dim < 0)
		dim += rank;
	if (batch < 0)
		batch += index_rank;
	if (!def || def->n_fields != 6 || batch > dim)
		return false;
	for (int64_t d = 0; d < rank; d++) {
		sizes[d] = d == dim || d < batch ? 1 : x->type->shape[d];
		if (d >= batch && d < dim)
			offset[n++] = d;
		else if (d > dim)
			offset[n++] = d - 1 + index_rank - batch;
	}
	for (int64_t d = 0; d < batch; d++)
		batching[d] = d;
	const struct sr_attr *fields[6] = {sr_attr_i64s(ctx, offset, n),       sr_attr_i64s(ctx, &dim, 1),
					   sr_attr_i64s(ctx, batching, batch), sr_attr_i64s(ctx, batching, batch),
					   sr_attr_i64s(ctx, &dim, 1),	       sr_attr_i64(ctx, index_rank)};
	struct sr_named_attr attrs[] = {{SR_NAME_dimension_numbers, sr_attr_struct(ctx, def, fields)},
				   {SR_NAME_slice_sizes, sr_attr_i64s(ctx, sizes, rank)}};
	const struct sr_type *type = sr_result(op, 0)->type;
	replace(op, 0, sr_result(sr_build(b, SR_OP_stablehlo_gather, (struct sr_value *[]){x, index}, 2, attrs, 2, &type, 1), 0));
	return true;
}

/* Rewrite an op to compute with wider floats: convert its operands to `to` and its results back. */
static bool compute_widened(struct sr_builder *b, struct sr_op *op, enum sr_dtype to)
{
	struct sr_value *operands[2];
	const struct sr_type *type = sr_result(op, 0)->type, *wide_type = sr_type_tensor(b->ctx, to, type->rank, type->shape);
	for (int i = 0; i < op->n_operands; i++)
		operands[i] = sr_build_convert(b, sr_operand(op, i), to);
	struct sr_op *new_op =
		sr_build(b, (enum sr_op_code)op->info->code, operands, op->n_operands, op->attrs, op->n_attrs, &wide_type, 1);
	replace(op, 0, sr_build_convert(b, sr_result(new_op, 0), type->dtype));
	return true;
}

/* Compute factorizations and triangular solves of 8- and 16-bit floats in f32, since they have no kernels. */
static bool compute_in_f32(struct sr_builder *b, struct sr_op *op)
{
	enum sr_dtype type = sr_result(op, 0)->type->dtype;
	return sr_dtype_is_float(type) && sr_dtypes[type].bits < 32 && compute_widened(b, op, SR_F32);
}

/* Compute reduce_precision of 8-bit floats in f16, as XLA does: subnormal values of the 8-bit type are kept if the requested
 * exponent is as wide as f16's. */
static bool reduce_precision(struct sr_builder *b, struct sr_op *op)
{
	enum sr_dtype type = sr_result(op, 0)->type->dtype;
	return sr_dtypes[type].bits < 16 && compute_widened(b, op, type == SR_F8E8M0FNU ? SR_F32 : SR_F16);
}

/* Rewrite a convolution of complex numbers as four convolutions of their real and imaginary parts, which have faster kernels. */
static bool complex_convolution(struct sr_builder *b, struct sr_op *op)
{
	const struct sr_type *type = sr_result(op, 0)->type;
	struct sr_value *parts[2][2], *products[2][2];
	if (!sr_dtype_is_complex(type->dtype))
		return false;
	for (int i = 0; i < 2; i++) {
		if (sr_operand(op, i)->type->dtype != type->dtype)
			return false;
		parts[i][0] = unary(b, SR_OP_stablehlo_real, sr_operand(op, i));
		parts[i][1] = unary(b, SR_OP_stablehlo_imag, sr_operand(op, i));
	}
	const struct sr_type *real_type = sr_type_tensor(b->ctx, type->dtype == SR_C64 ? SR_F32 : SR_F64, type->rank, type->shape);
	for (int i = 0; i < 2; i++)
		for (int j = 0; j < 2; j++) {
			struct sr_value *operands[] = {parts[0][i], parts[1][j]};
			products[i][j] = sr_result(
			    sr_build(b, SR_OP_stablehlo_convolution, operands, 2, op->attrs, op->n_attrs, &real_type, 1), 0);
		}
	struct sr_value *re = SUB(products[0][0], products[1][1]), *im = ADD(products[0][1], products[1][0]);
	replace(op, 0, binary(b, SR_OP_stablehlo_complex, re, im));
	return true;
}

/* ---------------------------------------------------------------- */

static const struct sr_decomposition table[] = {
	{SR_OP_stablehlo_batch_norm_inference, batch_norm_inference},
	{SR_OP_stablehlo_batch_norm_training, batch_norm_training},
	{SR_OP_stablehlo_batch_norm_grad, batch_norm_grad},
	{SR_OP_stablehlo_torch_index_select, torch_index_select},
	{SR_OP_stablehlo_custom_call, sr_replace_call_by_op},
	{SR_OP_stablehlo_rng, sr_decompose_rng},
	{SR_OP_stablehlo_cholesky, compute_in_f32},
	{SR_OP_stablehlo_triangular_solve, compute_in_f32},
	{SR_OP_stablehlo_reduce_precision, reduce_precision},
	{SR_OP_stablehlo_convolution, complex_convolution},
	{0},
};

struct walk {
	struct sr_context *ctx;
	const struct sr_decomposition *table;
};

static bool visit(void *data, struct sr_op *op)
{
	struct walk *w = data;
	for (const struct sr_decomposition *d = w->table; d->code; d++) {
		struct sr_builder b = {.ctx = w->ctx, .block = op->block, .anchor = op, .loc = op->loc};
		if (!sr_op_is(op, d->code) || !d->apply(&b, op))
			continue;
		sr_op_erase(op);
		break;
	}
	return true;
}

void sr_decompose(struct sr_context *ctx, struct sr_op *root, const struct sr_decomposition *rows)
{
	struct walk w = {ctx, rows};
	sr_walk_post(root, visit, &w);
}

struct illegal_op_check {
	struct sr_context *ctx;
	bool (*is_illegal)(const struct sr_op *op);
	enum sr_status status;
};

static bool report_if_illegal(void *data, struct sr_op *op)
{
	struct illegal_op_check *r = data;
	if (r->is_illegal(op))
		r->status = sr_error(&r->ctx->diags, SR_INVALID, sr_loc_source(op->loc),
				     "failed to legalize operation '%s' that was explicitly marked illegal", op->info->name);
	return !r->status;
}

enum sr_status sr_report_illegal_op(struct sr_context *ctx, struct sr_op *root, bool (*is_illegal)(const struct sr_op *op))
{
	struct illegal_op_check r = {ctx, is_illegal, SR_OK};
	sr_walk(root, report_if_illegal, &r);
	return r.status;
}

enum sr_status sr_run_decompose(struct sr_context *ctx, struct sr_op *root, const struct sr_pass_options *options)
{
	(void)options;
	sr_flatten_tuples(ctx, root);
	sr_decompose(ctx, root, table);
	sr_decompose(ctx, root, sr_forms_by_type);
	return SR_OK;
}
