/* The functions of vector_code.h, as static ones. Included once per instruction set, after access_body.h. */
#include "kernels/nest/vector_code.h"

#define VECTOR_TYPE(name, T) \
	typedef T name __attribute__((vector_size(ACCESS_VECTOR), may_alias)); \
	typedef T name##_at __attribute__((vector_size(ACCESS_VECTOR), aligned(1), may_alias));
VECTOR_TYPE(vector_i4, int32_t)
VECTOR_TYPE(vector_u4, uint32_t)
VECTOR_TYPE(vector_f4, float)
VECTOR_TYPE(vector_i8, int64_t)
VECTOR_TYPE(vector_u8, uint64_t)
VECTOR_TYPE(vector_f8, double)
#undef VECTOR_TYPE

#define VECTOR_ARGUMENTS \
	const struct sr_vector_op *op, int64_t i, vector_i4 v0, vector_i4 v1, vector_i4 v2, vector_i4 v3, \
		vector_i4 v4, vector_i4 v5, vector_i4 v6, vector_i4 v7
typedef void vector_fn(VECTOR_ARGUMENTS);
#define EACH _Pragma("GCC unroll 8") for (int k = 0; k < SR_VECTOR_COUNT; k++)
#define NEXT_OP(v) ((vector_fn *)op[1].fn)(op + 1, i, (v)[0], (v)[1], (v)[2], (v)[3], (v)[4], (v)[5], (v)[6], (v)[7])
#define MEMORY(number) \
	(*(const vector_i4_at *)(const void *)(op->args[number].at + (i & op->args[number].mask) + k * op->args[number].step))

/* An op with the arguments x, y and z, each the expression of vector k: `v[k]` or MEMORY(number). */
#define VECTOR_OP(name, X, Y, Z, value)                              \
	static void name(VECTOR_ARGUMENTS)                           \
	{                                                            \
		vector_i4 v[SR_VECTOR_COUNT] = {v0, v1, v2, v3, v4, v5, v6, v7};     \
		EACH                                                 \
		{                                                    \
			const vector_i4 x = X, y = Y, z = Z;         \
			(void)x, (void)y, (void)z;                   \
			v[k] = (vector_i4)(value);                   \
		}                                                    \
		if (op->out.at) {                                    \
			char *to = op->out.at + (i & op->out.mask);  \
			EACH *(vector_i4_at *)(void *)(to + k * ACCESS_VECTOR) = v[k]; \
		}                                                    \
		NEXT_OP(v);                                          \
	}
/* Functions of one argument, of two and of three. */
#define UNARY(name, value) \
	VECTOR_OP(name##_none, MEMORY(0), x, x, value) VECTOR_OP(name##_first, v[k], x, x, value)
#define BINARY(name, value) \
	VECTOR_OP(name##_none, MEMORY(0), MEMORY(1), x, value) VECTOR_OP(name##_first, v[k], MEMORY(1), x, value) \
	VECTOR_OP(name##_second, MEMORY(0), v[k], x, value)
#define TERNARY(name, value) \
	VECTOR_OP(name##_none, MEMORY(0), MEMORY(1), MEMORY(2), value) VECTOR_OP(name##_first, v[k], MEMORY(1), MEMORY(2), value) \
	VECTOR_OP(name##_second, MEMORY(0), v[k], MEMORY(2), value) VECTOR_OP(name##_third, MEMORY(0), MEMORY(1), v[k], value)

#define NO_SIGN(W) ((vector_i##W)(~(vector_u##W){0} >> 1))
#define CHOOSE(mask, y, z) (((mask) & (y)) | (~(mask) & (z)))
/* Maximum and minimum of floats as in scalar_functions.h: NaN if either is NaN, and -0 < +0. */
#define EXTREMUM(W, before, join)                                    \
	CHOOSE(((vector_f##W)x != (vector_f##W)x) | ((vector_f##W)y != (vector_f##W)y), \
	       (vector_i##W)((vector_f##W)x + (vector_f##W)y),       \
	       CHOOSE((vector_f##W)x before (vector_f##W)y, (vector_i##W)x, (vector_i##W)y) join \
		       CHOOSE((vector_f##W)y before (vector_f##W)x, (vector_i##W)y, (vector_i##W)x))
#define FIRST_IF(T, before) CHOOSE((T)((T)x before (T)y), (T)x, (T)y)
#define COMPARES(T)                                                  \
	BINARY(equal_##T, (vector_##T)x == (vector_##T)y)            \
	BINARY(differs_##T, (vector_##T)x != (vector_##T)y)          \
	BINARY(less_##T, (vector_##T)x < (vector_##T)y)              \
	BINARY(at_most_##T, (vector_##T)x <= (vector_##T)y)          \
	BINARY(greater_##T, (vector_##T)x > (vector_##T)y)           \
	BINARY(at_least_##T, (vector_##T)x >= (vector_##T)y)
#define SHIFT_AMOUNT(W) ((vector_u##W)y & (8 * W - 1))
#define IS_SHIFT(W) ((vector_u##W)((vector_u##W)y < 8 * W))
#define VECTOR_OPS(W, infinity, one)                                 \
	BINARY(add_f##W, (vector_f##W)x + (vector_f##W)y)            \
	BINARY(subtract_f##W, (vector_f##W)x - (vector_f##W)y)       \
	BINARY(multiply_f##W, (vector_f##W)x * (vector_f##W)y)       \
	BINARY(divide_f##W, (vector_f##W)x / (vector_f##W)y)         \
	BINARY(maximum_f##W, EXTREMUM(W, >, &))                      \
	BINARY(minimum_f##W, EXTREMUM(W, <, |))                      \
	UNARY(negate_f##W, (vector_i##W)x ^ ~NO_SIGN(W))             \
	UNARY(abs_f##W, (vector_i##W)x & NO_SIGN(W))                 \
	UNARY(is_finite_f##W, (vector_f##W)((vector_i##W)x & NO_SIGN(W)) < infinity) \
	BINARY(add_i##W, (vector_u##W)x + (vector_u##W)y)            \
	BINARY(subtract_i##W, (vector_u##W)x - (vector_u##W)y)       \
	BINARY(multiply_i##W, (vector_u##W)x * (vector_u##W)y)       \
	BINARY(maximum_i##W, FIRST_IF(vector_i##W, >))               \
	BINARY(minimum_i##W, FIRST_IF(vector_i##W, <))               \
	BINARY(maximum_u##W, FIRST_IF(vector_u##W, >))               \
	BINARY(minimum_u##W, FIRST_IF(vector_u##W, <))               \
	UNARY(negate_i##W, -(vector_u##W)x)                          \
	UNARY(one_i##W, (vector_i##W)x & 1)                          \
	UNARY(one_f##W, (vector_i##W)x & one)                        \
	BINARY(shift_left_i##W, ((vector_u##W)x << SHIFT_AMOUNT(W)) & IS_SHIFT(W)) \
	BINARY(shift_right_i##W, ((vector_u##W)x >> SHIFT_AMOUNT(W)) & IS_SHIFT(W)) \
	BINARY(shift_arithmetic_i##W, (vector_i##W)x >> (vector_i##W)(SHIFT_AMOUNT(W) | (~IS_SHIFT(W) & (8 * W - 1)))) \
	COMPARES(i##W) COMPARES(u##W) COMPARES(f##W)
VECTOR_OPS(4, __builtin_inff(), 0x3f800000)
VECTOR_OPS(8, __builtin_inf(), 0x3ff0000000000000)
BINARY(and_i4, x & y)
BINARY(or_i4, x | y)
BINARY(xor_i4, x ^ y)
UNARY(not_i4, ~x)
UNARY(copy_i4, x)
UNARY(to_float_i4, __builtin_convertvector(x, vector_f4))
TERNARY(select_i4, CHOOSE(x, y, z))

/* Truth values are bytes in memory outside of vector code. Compilers turn these loops into conversions of vectors. */
#define TRUTH_VALUES(W)                                              \
	static void load_bytes_##W(VECTOR_ARGUMENTS)                 \
	{                                                            \
		const uint8_t *from = (const uint8_t *)op->args[0].at + (i & op->args[0].mask) / W; \
		int##W##_element *to = (void *)op->out.at;           \
		vector_i4 v[SR_VECTOR_COUNT] = {v0, v1, v2, v3, v4, v5, v6, v7};     \
		for (int k = 0; k < SR_VECTOR_COUNT * ACCESS_VECTOR / W; k++) \
			to[k] = -(int##W##_element)(from[k] != 0);   \
		EACH v[k] = *(const vector_i4_at *)(const void *)(op->out.at + k * ACCESS_VECTOR); \
		NEXT_OP(v);                                          \
	}                                                            \
	static void store_bytes_##W(VECTOR_ARGUMENTS)                \
	{                                                            \
		vector_i4 v[SR_VECTOR_COUNT] = {v0, v1, v2, v3, v4, v5, v6, v7};     \
		const int##W##_element *from = (const void *)v;      \
		uint8_t *to = (uint8_t *)op->out.at + (i & op->out.mask) / W; \
		for (int k = 0; k < SR_VECTOR_COUNT * ACCESS_VECTOR / W; k++) \
			to[k] = from[k] & 1;                         \
		NEXT_OP(v);                                          \
	}
typedef int32_t int4_element __attribute__((may_alias));
typedef int64_t int8_element __attribute__((may_alias));
TRUTH_VALUES(4)
TRUTH_VALUES(8)

/* Call a kernel for the elements of a block. */
static void vector_call(VECTOR_ARGUMENTS)
{
	const struct sr_vector_call *call = op->call;
	struct sr_map_params p = call->params;
	void *buffers[SR_VECTOR_ARGS + 1];
	vector_i4 v[SR_VECTOR_COUNT];
	(void)v0, (void)v1, (void)v2, (void)v3, (void)v4, (void)v5, (void)v6, (void)v7;
	p.n = SR_VECTOR_COUNT * ACCESS_VECTOR / call->element_bytes;
	for (int k = 0; k < call->n_args; k++) {
		buffers[k] = op->args[k].at + (i & op->args[k].mask);
		p.scalar[k] = !op->args[k].step;
	}
	char *to = buffers[call->n_args] = op->out.at + (i & op->out.mask);
	call->fn(&p, buffers, NULL, 0, p.n);
	EACH v[k] = *(const vector_i4_at *)(const void *)(to + k * ACCESS_VECTOR);
	NEXT_OP(v);
}

static void vector_end(VECTOR_ARGUMENTS)
{
	(void)op, (void)i, (void)v0, (void)v1, (void)v2, (void)v3, (void)v4, (void)v5, (void)v6, (void)v7;
}

static void vector_run(const struct sr_vector_op *ops, int64_t n)
{
	const vector_i4 zero = {0};
	for (int64_t i = 0; i < n; i++)
		((vector_fn *)ops->fn)(ops, i * SR_VECTOR_COUNT * ACCESS_VECTOR, zero, zero, zero, zero, zero, zero, zero, zero);
}

#define FORMS(name) {(sr_vector_fn *)name##_none, (sr_vector_fn *)name##_first}
#define FORMS_2(name) {(sr_vector_fn *)name##_none, (sr_vector_fn *)name##_first, (sr_vector_fn *)name##_second}
#define FORMS_3(name) \
	{(sr_vector_fn *)name##_none, (sr_vector_fn *)name##_first, (sr_vector_fn *)name##_second, (sr_vector_fn *)name##_third}
/* The rows of a table: types of 4 and 8 bytes, floats, signed and unsigned integers. */
enum { VECTOR_F4, VECTOR_F8, VECTOR_I4, VECTOR_I8, VECTOR_U4, VECTOR_U8, VECTOR_TYPES };
typedef sr_vector_fn *const vector_row[VECTOR_TYPES][SR_VECTOR_FORMS];
#define ROWS(F, f, i, u) {F(f##4), F(f##8), F(i##4), F(i##8), F(u##4), F(u##8)}
#define FLOAT_ROWS(F, f) {F(f##4), F(f##8)}
#define INTEGER_ROWS(F, i, u) {[VECTOR_I4] = F(i##4), F(i##8), F(u##4), F(u##8)}
#define SAME_ROWS(F, f) {F(f), F(f), F(f), F(f), F(f), F(f)}
#define COMPARE_ROWS(name) ROWS(FORMS_2, name##_f, name##_i, name##_u)
static const vector_row vector_kernels[SR_KERNEL_COUNT] = {
	[SR_KERNEL_ADD] = ROWS(FORMS_2, add_f, add_i, add_i),
	[SR_KERNEL_SUBTRACT] = ROWS(FORMS_2, subtract_f, subtract_i, subtract_i),
	[SR_KERNEL_MULTIPLY] = ROWS(FORMS_2, multiply_f, multiply_i, multiply_i),
	[SR_KERNEL_DIVIDE] = FLOAT_ROWS(FORMS_2, divide_f),
	[SR_KERNEL_MAXIMUM] = ROWS(FORMS_2, maximum_f, maximum_i, maximum_u),
	[SR_KERNEL_MINIMUM] = ROWS(FORMS_2, minimum_f, minimum_i, minimum_u),
	[SR_KERNEL_NEGATE] = ROWS(FORMS, negate_f, negate_i, negate_i),
	[SR_KERNEL_ABS] = FLOAT_ROWS(FORMS, abs_f),
	[SR_KERNEL_IS_FINITE] = FLOAT_ROWS(FORMS, is_finite_f),
	[SR_KERNEL_SHIFT_LEFT] = INTEGER_ROWS(FORMS_2, shift_left_i, shift_left_i),
	[SR_KERNEL_SHIFT_RIGHT_LOGICAL] = INTEGER_ROWS(FORMS_2, shift_right_i, shift_right_i),
	[SR_KERNEL_SHIFT_RIGHT_ARITHMETIC] = INTEGER_ROWS(FORMS_2, shift_arithmetic_i, shift_arithmetic_i),
	[SR_KERNEL_SELECT] = SAME_ROWS(FORMS_3, select_i4),
};
/* Functions of integers of all types and of truth values. */
static sr_vector_fn *const vector_logical[SR_KERNEL_COUNT][SR_VECTOR_FORMS] = {
	[SR_KERNEL_AND] = FORMS_2(and_i4), [SR_KERNEL_OR] = FORMS_2(or_i4), [SR_KERNEL_XOR] = FORMS_2(xor_i4),
	[SR_KERNEL_NOT] = FORMS(not_i4)};
static const vector_row vector_compares[] = {
	[SR_EQ] = COMPARE_ROWS(equal), [SR_NE] = COMPARE_ROWS(differs), [SR_LT] = COMPARE_ROWS(less),
	[SR_LE] = COMPARE_ROWS(at_most), [SR_GT] = COMPARE_ROWS(greater), [SR_GE] = COMPARE_ROWS(at_least)};
static const vector_row vector_of_truth_value = ROWS(FORMS, one_f, one_i, one_i);
static sr_vector_fn *const vector_copy[SR_VECTOR_FORMS] = FORMS(copy_i4);
static sr_vector_fn *const vector_to_float[SR_VECTOR_FORMS] = FORMS(to_float_i4);

/* Return the row of a type; -1: none. */
static int vector_type(enum sr_dtype type)
{
	static const int8_t rows[SR_DTYPE_COUNT] = {
		[SR_F32] = VECTOR_F4 + 1, [SR_F64] = VECTOR_F8 + 1, [SR_I32] = VECTOR_I4 + 1,
		[SR_I64] = VECTOR_I8 + 1, [SR_UI32] = VECTOR_U4 + 1, [SR_UI64] = VECTOR_U8 + 1};
	return rows[type] - 1;
}

static sr_vector_fn *vector_find(enum sr_kernel kernel, enum sr_dtype in, enum sr_dtype out, int variant, enum sr_vector_form form)
{
	int row = vector_type(in), out_row = vector_type(out);
	bool is_same_size = row >= 0 && out_row >= 0 && sr_dtype_bytes(in) == sr_dtype_bytes(out);
	if (kernel == SR_KERNEL_CONVERT && in == SR_I1)
		return out_row < 0 ? NULL : vector_of_truth_value[out_row][form];
	if (kernel == SR_KERNEL_CONVERT && is_same_size && row >= VECTOR_I4 && out_row >= VECTOR_I4)
		return vector_copy[form];
	if (kernel == SR_KERNEL_CONVERT)
		return in == SR_I32 && out == SR_F32 ? vector_to_float[form] : NULL;
	if (kernel == SR_KERNEL_COMPARE)
		return row < 0 || variant > SR_GE ? NULL : vector_compares[variant][row][form];
	if (kernel == SR_KERNEL_BITCAST)
		return is_same_size ? vector_copy[form] : NULL;
	if (vector_logical[kernel][0])
		return (in == SR_I1 && out == SR_I1) || (is_same_size && row >= VECTOR_I4) ? vector_logical[kernel][form] : NULL;
	return row < 0 ? NULL : vector_kernels[kernel][row][form];
}

static const struct sr_vector_functions vector_functions = {
	ACCESS_VECTOR, vector_find, {(sr_vector_fn *)load_bytes_4, (sr_vector_fn *)load_bytes_8},
	{(sr_vector_fn *)store_bytes_4, (sr_vector_fn *)store_bytes_8}, (sr_vector_fn *)vector_call,
	(sr_vector_fn *)vector_end, vector_run};
