/* Decompose stablehlo.rng into rng_bit_generator and arithmetic. The specification leaves the choice of the generator to the
 * implementation. This one is Threefry with a constant key and a different counter for each op of the program, so that every run
 * and every device generates the same numbers.
 *
 *	UNIFORM of floats   [0, 1) with the upper bits as significand, times (b - a), plus a
 *	UNIFORM of integers bits modulo (b - a), plus a
 *	NORMAL              sqrt(2) erf_inv(u) b + a, u uniform in (-1, 1)
 *
 * An op in a loop is left as it is: the decomposition would generate the same numbers in each iteration. */
#include "optimize/legalize/random.h"
#include "dialect/attr_names.h"
#include <math.h>
#include <string.h>

static const uint64_t key = 0x5368617264727521; /* arbitrary constant key of the random generator */

struct decomposition {
	struct sr_builder *b;
	enum sr_dtype type, bits; /* element type of the computation; unsigned integer type of the same width */
	const struct sr_type *shape; /* result shape, with type `type` */
};

static struct sr_value *unary(struct decomposition *d, enum sr_op_code code, struct sr_value *x)
{
	return sr_build_infer(d->b, code, &x, 1, NULL, 0);
}

static struct sr_value *binary(struct decomposition *d, enum sr_op_code code, struct sr_value *x, struct sr_value *y)
{
	return sr_build_infer(d->b, code, (struct sr_value *[]){x, y}, 2, NULL, 0);
}

static const struct sr_type *type_of_shape(struct decomposition *d, enum sr_dtype type)
{
	return sr_type_tensor(d->b->ctx, type, d->shape->rank, d->shape->shape);
}

static struct sr_value *cast(struct decomposition *d, enum sr_op_code code, struct sr_value *x, enum sr_dtype to)
{
	const struct sr_type *type = type_of_shape(d, to);
	return sr_result(sr_build(d->b, code, &x, 1, NULL, 0, &type, 1), 0);
}

static bool count_rng_op(void *n, struct sr_op *op)
{
	*(uint64_t *)n += sr_op_is(op, SR_OP_stablehlo_rng);
	return true;
}

/* Return the number of rng ops left in the module. It differs for each op that is rewritten, and is used as the op's counter. */
static uint64_t number_of(struct sr_op *op)
{
	uint64_t n = 0;
	while (sr_op_parent(op))
		op = sr_op_parent(op);
	sr_walk(op, count_rng_op, &n);
	return n;
}

static bool is_in_loop(const struct sr_op *op)
{
	while (op && !sr_op_is(op, SR_OP_stablehlo_while))
		op = sr_op_parent(op);
	return op != NULL;
}

static struct sr_value *random_bits(struct decomposition *d, struct sr_op *op)
{
	struct sr_context *ctx = d->b->ctx;
	int64_t two = 2;
	uint64_t state[] = {key, number_of(op) << 40};
	const struct sr_type *types[] = {sr_type_tensor(ctx, SR_UI64, 1, &two), type_of_shape(d, d->bits)};
	struct sr_value *initial_state = sr_build_constant(d->b, sr_attr_dense(ctx, types[0], state, sizeof state));
	struct sr_named_attr attr = {SR_NAME_rng_algorithm, sr_attr_enum(ctx, "stablehlo", SR_NAME_rng_algorithm, "THREE_FRY")};
	return sr_result(sr_build(d->b, SR_OP_stablehlo_rng_bit_generator, &initial_state, 1, &attr, 1, types, 2), 1);
}

static struct sr_value *splat_bits(struct decomposition *d, uint64_t v)
{
	const struct sr_type *type = type_of_shape(d, d->bits);
	return sr_build_constant(d->b, sr_attr_dense(d->b->ctx, type, &v, sr_dtype_bytes(d->bits)));
}

/* Build uniform floats in [0, 1): random significand bits make a number in [1, 2), from which 1 is subtracted. */
static struct sr_value *unit_interval(struct decomposition *d, struct sr_op *op)
{
	int mantissa = d->type == SR_F64 ? 52 : 23, width = sr_dtypes[d->bits].bits;
	struct sr_value *shift = splat_bits(d, (uint64_t)(width - mantissa));
	struct sr_value *v = binary(d, SR_OP_stablehlo_shift_right_logical, random_bits(d, op), shift);
	v = binary(d, SR_OP_stablehlo_or, v, splat_bits(d, sr_float_encode(d->type, 1)));
	v = cast(d, SR_OP_stablehlo_bitcast_convert, v, d->type);
	return binary(d, SR_OP_stablehlo_subtract, v, sr_build_splat(d->b, d->shape, 1));
}

/* Broadcast operand i, a scalar bound of the distribution, to a tensor of the computation's type. */
static struct sr_value *broadcast_bound(struct decomposition *d, struct sr_op *op, int i)
{
	return sr_build_broadcast(d->b, sr_build_convert(d->b, sr_operand(op, i), d->type), d->shape, NULL);
}

static struct sr_value *build_uniform(struct decomposition *d, struct sr_op *op)
{
	struct sr_value *a = broadcast_bound(d, op, 0), *range = binary(d, SR_OP_stablehlo_subtract, broadcast_bound(d, op, 1), a), *v;
	if (sr_dtype_is_float(d->type))
		return binary(d, SR_OP_stablehlo_add, binary(d, SR_OP_stablehlo_multiply, unit_interval(d, op), range), a);
	v = binary(d, SR_OP_stablehlo_remainder, random_bits(d, op), cast(d, SR_OP_stablehlo_bitcast_convert, range, d->bits));
	return binary(d, SR_OP_stablehlo_add, cast(d, SR_OP_stablehlo_bitcast_convert, v, d->type), a);
}

static struct sr_value *build_normal(struct decomposition *d, struct sr_op *op)
{
	double min_uniform = d->type == SR_F64 ? nextafter(-1, 0) : (double)nextafterf(-1, 0);
	struct sr_value *u = binary(d, SR_OP_stablehlo_multiply, unit_interval(d, op), sr_build_splat(d->b, d->shape, 2));
	u = binary(d, SR_OP_stablehlo_add, u, sr_build_splat(d->b, d->shape, -1));
	u = binary(d, SR_OP_stablehlo_maximum, u, sr_build_splat(d->b, d->shape, min_uniform));
	u = binary(d, SR_OP_stablehlo_multiply, unary(d, SR_OP_chlo_erf_inv, u), sr_build_splat(d->b, d->shape, sqrt(2)));
	return binary(d, SR_OP_stablehlo_add, binary(d, SR_OP_stablehlo_multiply, u, broadcast_bound(d, op, 1)),
		      broadcast_bound(d, op, 0));
}

bool sr_decompose_rng(struct sr_builder *b, struct sr_op *op)
{
	const struct sr_type *type = sr_result(op, 0)->type;
	bool is_normal = !strcmp(sr_attr_enum_name(sr_op_attr(op, SR_NAME_rng_distribution)), "NORMAL");
	bool is_float = sr_dtype_is_float(type->dtype);
	if (!sr_type_is_static(type) || is_in_loop(op) || (is_normal && !is_float) ||
	    (!is_float && !sr_dtype_is_integer(type->dtype)))
		return false;
	bool is_64bit = sr_dtypes[type->dtype].bits == 64;
	bool is_signed = sr_dtypes[type->dtype].class == SR_CLASS_SINT;
	struct decomposition d = {.b = b, .bits = is_64bit ? SR_UI64 : SR_UI32};
	d.type = is_float ? is_64bit ? SR_F64 : SR_F32 : is_64bit ? is_signed ? SR_I64 : SR_UI64 : is_signed ? SR_I32 : SR_UI32;
	d.shape = sr_type_tensor(b->ctx, d.type, type->rank, type->shape);
	struct sr_value *v = is_normal ? build_normal(&d, op) : build_uniform(&d, op);
	sr_value_replace_all(sr_result(op, 0), sr_build_convert(b, v, type->dtype));
	return true;
}
