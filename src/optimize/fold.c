/* Implementation of constant folding: a table with a function for each op, which folds the op or leaves it to be computed at run
 * time. Values are computed by running the op as a loop nest (work).
 *
 * A splat is represented by one element: an elementwise op of splats is computed once, and a data movement of a splat is a splat.
 * The limit on the number of elements does not apply to these two. */
#include "optimize/fold.h"
#include "dialect/attr_names.h"
#include "dialect/signature.h"
#include "work/emit/emit.h"
#include <math.h>
#include <string.h>

struct sr_folder {
	struct sr_context *ctx;
	struct sr_fold_options options;
	struct sr_kernels kernels;
	const struct row *rows_by_code[SR_OP_COUNT];
};

struct constant {
	const void *data; /* elements of the constant; one element if splat */
	int64_t bytes;
	enum sr_dtype type;
	bool splat;
};

struct fold {
	struct sr_folder *folder;
	struct sr_context *ctx;
	struct sr_op *op;
	const struct sr_type *type; /* type of the folded op's result */
	struct constant *in; /* constant operands of the folded op */
	int64_t n; /* number of elements to compute */
	bool splat; /* true if all operands are splats */
};

typedef const struct sr_attr *fold_fn(struct fold *f);

enum { SHAPES = 1 << 0 }; /* flag: the op occurs in computations of shapes */
struct row {
	enum sr_op_code code;
	fold_fn *fold;
	unsigned flags;
};

/* ---------------------------------------------------------------- constants */

static bool is_splat(const struct sr_attr *a)
{
	int64_t n;
	return a->dense->splat || (sr_type_elements(a->type, &n) && n == 1);
}

const struct sr_attr *sr_splat_to(struct sr_context *ctx, const struct sr_attr *dense, const struct sr_type *type)
{
	int64_t bytes;
	const void *data = is_splat(dense) ? sr_dense_data(ctx, dense, false, &bytes) : NULL;
	return data ? sr_attr_dense(ctx, type, data, sr_dtype_bytes(type->dtype)) : NULL;
}

const struct sr_attr *sr_splat_number(struct sr_context *ctx, const struct sr_type *type, double number)
{
	unsigned char element[16] = {0};
	sr_element_set(type->dtype, element, (int64_t)number, number, 0);
	return sr_attr_dense(ctx, type, element, sr_dtype_bytes(type->dtype));
}

/* Read the element of a constant splat of numbers. */
static bool splat_element(struct sr_context *ctx, const struct sr_value *v, int64_t *i, double *d, double *im)
{
	const struct sr_attr *a = sr_constant_value(v);
	int64_t bytes;
	*i = 0;
	*d = *im = 0;
	if (!a || !is_splat(a) || a->type->dtype == SR_DTYPE_NONE)
		return false;
	sr_element_get(a->type->dtype, sr_dense_data(ctx, a, false, &bytes), i, d, im);
	return true;
}

bool sr_is_splat_of(struct sr_context *ctx, const struct sr_value *v, double number)
{
	int64_t i;
	double d, im;
	if (!splat_element(ctx, v, &i, &d, &im))
		return false;
	return sr_dtype_is_integer(v->type->dtype) ? (double)i == number : d == number && im == 0;
}

bool sr_is_splat_of_signed(struct sr_context *ctx, const struct sr_value *v, double number)
{
	int64_t i;
	double d, im;
	bool is_real = splat_element(ctx, v, &i, &d, &im) && sr_dtype_is_float(v->type->dtype);
	return is_real && d == number && !signbit(d) == !signbit(number);
}

bool sr_is_splat_of_ones(struct sr_context *ctx, const struct sr_value *v)
{
	int64_t i;
	double d, im;
	if (!splat_element(ctx, v, &i, &d, &im) || !sr_dtype_is_integer(v->type->dtype))
		return false;
	int bits = sr_dtypes[v->type->dtype].bits;
	uint64_t mask = bits < 64 ? ((uint64_t)1 << bits) - 1 : UINT64_MAX;
	return ((uint64_t)i & mask) == mask;
}

static bool get_constant(struct fold *f, int i)
{
	const struct sr_attr *a = sr_constant_value(sr_operand(f->op, i));
	struct constant *c = &f->in[i];
	if (!a || a->type->dtype == SR_DTYPE_NONE)
		return false;
	c->data = sr_dense_data(f->ctx, a, false, &c->bytes);
	c->type = a->type->dtype;
	c->splat = is_splat(a);
	return c->data != NULL;
}

/* Return all elements of constant operand i; the element of a splat is repeated. */
static const void *full_elements(struct fold *f, int i)
{
	int64_t bytes;
	return sr_dense_data(f->ctx, sr_constant_value(sr_operand(f->op, i)), true, &bytes);
}

/* ---------------------------------------------------------------- elementwise */

/* Compute an op by running it as a loop nest. */
static const struct sr_attr *run_kernel(struct fold *f)
{
	int64_t size = sr_dtype_bytes(f->type->dtype);
	void *out = sr_alloc(f->ctx->arena, (size_t)f->n, (size_t)size);
	struct sr_work_input *in = SR_NEW_ARRAY(f->ctx->arena, struct sr_work_input, f->op->n_operands);
	for (int i = 0; i < f->op->n_operands; i++)
		in[i] = (struct sr_work_input){f->in[i].data, f->in[i].splat};
	if (f->n && !sr_work_execute(f->ctx, &f->folder->kernels, f->op, in, f->splat, out))
		return NULL;
	return sr_attr_dense(f->ctx, f->type, out, f->n * size);
}

/* Fold chlo.erf. No kernel computes it, since the op is decomposed before a program runs. */
static const struct sr_attr *fold_erf(struct fold *f)
{
	int64_t size = sr_dtype_bytes(f->type->dtype);
	char *out = sr_alloc(f->ctx->arena, (size_t)f->n, (size_t)size);
	if (!sr_dtype_is_float(f->type->dtype) || f->in[0].type != f->type->dtype)
		return NULL;
	for (int64_t i = 0; i < f->n; i++) {
		double x = 0;
		sr_element_get(f->type->dtype, (const char *)f->in[0].data + (f->in[0].splat ? 0 : i * size), NULL, &x, NULL);
		sr_element_set(f->type->dtype, out + i * size, 0, erf(x), 0);
	}
	return sr_attr_dense(f->ctx, f->type, out, f->n * size);
}

/* Fold an elementwise function, unless a result is NaN, or infinite for a finite argument: these are left to be computed at run
 * time. */
static const struct sr_attr *fold_function(struct fold *f)
{
	const struct sr_attr *out = run_kernel(f);
	int64_t bytes, size = sr_dtype_bytes(f->type->dtype), in_bytes = sr_dtype_bytes(f->in[0].type);
	const char *v = out ? sr_dense_data(f->ctx, out, false, &bytes) : NULL, *x = f->in[0].data;
	for (int64_t i = 0; v && i * size < bytes; i++) {
		double y = 0, argument = 0;
		sr_element_get(f->type->dtype, v + i * size, &(int64_t){0}, &y, &(double){0});
		sr_element_get(f->in[0].type, x + (f->in[0].splat ? 0 : i * in_bytes), &(int64_t){0}, &argument, &(double){0});
		if (isnan(y) || (isinf(y) && isfinite(argument)))
			return NULL;
	}
	return out;
}

static const struct sr_attr *fold_quotient(struct fold *f)
{
	int64_t size = sr_dtype_bytes(f->in[1].type);
	const char *divisor = f->in[1].data;
	for (int64_t at = 0; sr_dtype_is_integer(f->in[1].type) && at < f->in[1].bytes; at += size) {
		int64_t v = 0;
		sr_element_get(f->in[1].type, divisor + at, &v, NULL, NULL);
		if (v == 0)
			return NULL;
	}
	return run_kernel(f);
}

/* Return true if v, rounded toward zero, is a value of the integer type `to`, and v is not negative zero. */
static bool is_in_range(enum sr_dtype to, double v)
{
	int bits = sr_dtypes[to].bits;
	if (to == SR_I1)
		return true;
	if (!isfinite(v) || (v == 0 && signbit(v)))
		return false;
	v = trunc(v);
	if (sr_dtypes[to].class == SR_CLASS_UINT)
		return v >= 0 && v < ldexp(1, bits);
	return v >= -ldexp(1, bits - 1) && v < ldexp(1, bits - 1);
}

static const struct sr_attr *convert(struct fold *f)
{
	enum sr_dtype in_type = f->in[0].type, out_type = f->type->dtype;
	int64_t size = sr_dtype_bytes(in_type);
	if (in_type == out_type)
		return sr_constant_value(sr_operand(f->op, 0));
	if (sr_dtype_is_complex(in_type) || sr_dtype_is_complex(out_type))
		return NULL;
	for (int64_t at = 0; sr_dtype_is_float(in_type) && sr_dtype_is_integer(out_type) && at < f->in[0].bytes; at += size) {
		double v = 0;
		sr_element_get(in_type, (const char *)f->in[0].data + at, NULL, &v, NULL);
		if (!is_in_range(out_type, v))
			return NULL;
	}
	return run_kernel(f);
}

/* ---------------------------------------------------------------- data movement */

/* Return true if all operands are splats of equal elements. */
static bool is_one_element(const struct fold *f)
{
	for (int i = 1; i < f->op->n_operands; i++)
		if (memcmp(f->in[i].data, f->in[0].data, (size_t)sr_dtype_bytes(f->type->dtype)) != 0)
			return false;
	return f->splat;
}

/* Prepare to compute every element of the result. Returns false if there are too many. */
static bool expand(struct fold *f)
{
	f->splat = false;
	return sr_type_elements(f->type, &f->n) && f->n <= f->folder->options.max_elements;
}

static const struct sr_attr *move(struct fold *f)
{
	if (is_one_element(f))
		return sr_attr_dense(f->ctx, f->type, f->in[0].data, sr_dtype_bytes(f->type->dtype));
	return expand(f) ? run_kernel(f) : NULL;
}

static const struct sr_attr *reshape(struct fold *f)
{
	return is_one_element(f) ? move(f) : expand(f) ? sr_attr_dense(f->ctx, f->type, f->in[0].data, f->in[0].bytes) : NULL;
}

/* Fold concatenate: for each point of the outer dimensions, append the operands' rows. */
static const struct sr_attr *concatenate(struct fold *f)
{
	int64_t dim = sr_op_int(f->op, SR_NAME_dimension, 0), outer = 1, inner = sr_dtype_bytes(f->type->dtype), at = 0;
	if (is_one_element(f) || !expand(f))
		return is_one_element(f) ? move(f) : NULL;
	for (int d = 0; d < f->type->rank; d++)
		*(d < dim ? &outer : &inner) *= d == dim ? 1 : f->type->shape[d];
	int64_t row = f->type->shape[dim] * inner;
	char *out = sr_alloc(f->ctx->arena, (size_t)outer, (size_t)row);
	for (int i = 0; i < f->op->n_operands; i++) {
		int64_t operand_bytes = sr_operand(f->op, i)->type->shape[dim] * inner;
		const char *source = full_elements(f, i);
		for (int64_t o = 0; o < outer; o++)
			memcpy(out + o * row + at, source + o * operand_bytes, (size_t)operand_bytes);
		at += operand_bytes;
	}
	return sr_attr_dense(f->ctx, f->type, out, outer * row);
}

/* Fold a broadcast only if the result has no more elements than the operand. */
static const struct sr_attr *broadcast(struct fold *f)
{
	int64_t in_elements, out_elements;
	if (!f->splat && (!sr_type_elements(sr_operand(f->op, 0)->type, &in_elements) ||
			  !sr_type_elements(f->type, &out_elements) || out_elements > in_elements))
		return NULL;
	return move(f);
}

/* Fold a reverse, unless no element would move: a pattern removes such a reverse. */
static const struct sr_attr *reverse(struct fold *f)
{
	const int64_t *dims;
	int64_t n, max_length = 0;
	sr_op_ints(f->ctx, f->op, SR_NAME_dimensions, &dims, &n);
	for (int64_t i = 0; i < n; i++)
		if (f->type->shape[dims[i]] > max_length)
			max_length = f->type->shape[dims[i]];
	return f->splat || max_length <= 1 ? NULL : move(f);
}

static const struct row rows[] = {
	{SR_OP_chlo_erf, fold_erf},
	{SR_OP_stablehlo_abs, run_kernel},
	{SR_OP_stablehlo_add, run_kernel, SHAPES},
	{SR_OP_stablehlo_and, run_kernel, SHAPES},
	{SR_OP_stablehlo_broadcast_in_dim, broadcast, SHAPES},
	{SR_OP_stablehlo_clamp, run_kernel, SHAPES},
	{SR_OP_stablehlo_compare, run_kernel, SHAPES},
	{SR_OP_stablehlo_concatenate, concatenate, SHAPES},
	{SR_OP_stablehlo_convert, convert, SHAPES},
	{SR_OP_stablehlo_cosine, fold_function},
	{SR_OP_stablehlo_divide, fold_quotient, SHAPES},
	{SR_OP_stablehlo_exponential, fold_function},
	{SR_OP_stablehlo_log, fold_function},
	{SR_OP_stablehlo_logistic, fold_function},
	{SR_OP_stablehlo_maximum, run_kernel, SHAPES},
	{SR_OP_stablehlo_minimum, run_kernel, SHAPES},
	{SR_OP_stablehlo_multiply, run_kernel, SHAPES},
	{SR_OP_stablehlo_negate, run_kernel, SHAPES},
	{SR_OP_stablehlo_not, run_kernel, SHAPES},
	{SR_OP_stablehlo_or, run_kernel, SHAPES},
	{SR_OP_stablehlo_remainder, fold_quotient, SHAPES},
	{SR_OP_stablehlo_reshape, reshape, SHAPES},
	{SR_OP_stablehlo_reverse, reverse},
	{SR_OP_stablehlo_round_nearest_afz, fold_function},
	{SR_OP_stablehlo_round_nearest_even, fold_function},
	{SR_OP_stablehlo_rsqrt, fold_function},
	{SR_OP_stablehlo_select, run_kernel, SHAPES},
	{SR_OP_stablehlo_sign, fold_function, SHAPES},
	{SR_OP_stablehlo_sine, fold_function},
	{SR_OP_stablehlo_slice, move, SHAPES},
	{SR_OP_stablehlo_sqrt, fold_function},
	{SR_OP_stablehlo_subtract, run_kernel, SHAPES},
	{SR_OP_stablehlo_tan, fold_function},
	{SR_OP_stablehlo_tanh, fold_function},
	{SR_OP_stablehlo_transpose, move, SHAPES},
	{SR_OP_stablehlo_xor, run_kernel, SHAPES},
};

/* ---------------------------------------------------------------- */

struct sr_folder *sr_folder_new(struct sr_context *ctx, const struct sr_fold_options *options)
{
	struct sr_folder *f = SR_NEW(ctx->arena, struct sr_folder);
	f->ctx = ctx;
	f->options = *options;
	sr_kernels_init(&f->kernels);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (!options->shapes_only || rows[i].flags & SHAPES)
			f->rows_by_code[rows[i].code] = &rows[i];
	return f;
}

static bool is_foldable_type(const struct sr_folder *f, const struct sr_type *t)
{
	return sr_type_is_static(t) && t->dtype != SR_DTYPE_NONE && (!f->options.integers_only || sr_dtype_is_integer(t->dtype));
}

static bool is_number(const struct sr_type *t)
{
	int64_t n;
	return sr_type_is_static(t) && t->dtype != SR_DTYPE_NONE && sr_type_elements(t, &n) && n == 1;
}

const struct sr_attr *sr_fold(struct sr_folder *folder, struct sr_op *op)
{
	const struct row *row = folder->rows_by_code[op->info->code];
	bool number = folder->options.convert_numbers && sr_op_is(op, SR_OP_stablehlo_convert) && is_number(op->results[0].type);
	if (!row || op->n_results != 1 || !op->n_operands || (!number && !is_foldable_type(folder, op->results[0].type)))
		return NULL;
	for (int i = 0; i < op->n_operands; i++)
		if ((!number && !is_foldable_type(folder, sr_operand(op, i)->type)) || !sr_constant_value(sr_operand(op, i)))
			return NULL;
	struct fold f = {.folder = folder, .ctx = folder->ctx, .op = op, .type = op->results[0].type, .splat = true};
	f.in = SR_NEW_ARRAY(f.ctx->arena, struct constant, op->n_operands);
	for (int i = 0; i < op->n_operands; i++) {
		if (!get_constant(&f, i))
			return NULL;
		f.splat = f.splat && f.in[i].splat;
	}
	if (!sr_type_elements(f.type, &f.n) || (!f.splat && f.n > folder->options.max_elements))
		return NULL;
	if (f.splat && f.n > 1)
		f.n = 1;
	return row->fold(&f);
}
