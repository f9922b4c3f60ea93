/* The functions of vector_code.h, as static ones. Included once per instruction set, after access_body.h. */
#include "kernels/nest/vector_code.h"
#include "kernels/vector_extrema.h"

#define VECTOR_TYPE(name, T) \
	typedef T name __attribute__((vector_size(ACCESS_VECTOR), may_alias)); \
	typedef T name##_at __attribute__((vector_size(ACCESS_VECTOR), aligned(1), may_alias));
VECTOR_TYPE(vector_i1, int8_t)
VECTOR_TYPE(vector_u1, uint8_t)
VECTOR_TYPE(vector_i2, int16_t)
VECTOR_TYPE(vector_u2, uint16_t)
VECTOR_TYPE(vector_i4, int32_t)
VECTOR_TYPE(vector_u4, uint32_t)
VECTOR_TYPE(vector_f4, float)
VECTOR_TYPE(vector_i8, int64_t)
VECTOR_TYPE(vector_u8, uint64_t)
VECTOR_TYPE(vector_f8, double)
#undef VECTOR_TYPE
typedef int8_t int1_element __attribute__((may_alias));
typedef uint8_t unsigned1_element __attribute__((may_alias));
typedef int16_t int2_element __attribute__((may_alias));
typedef uint16_t unsigned2_element __attribute__((may_alias));
typedef int32_t int4_element __attribute__((may_alias));
typedef uint32_t unsigned4_element __attribute__((may_alias));
typedef int64_t int8_element __attribute__((may_alias));
typedef float float4_element __attribute__((may_alias));
typedef double float8_element __attribute__((may_alias));
typedef float half_vector_f4 __attribute__((vector_size(ACCESS_VECTOR / 2)));

#define VECTOR_ARGUMENTS \
	const struct sr_vector_op *op, int64_t i, vector_i4 v0, vector_i4 v1, vector_i4 v2, vector_i4 v3, \
		vector_i4 v4, vector_i4 v5, vector_i4 v6, vector_i4 v7
typedef void vector_fn(VECTOR_ARGUMENTS);
#define EACH _Pragma("GCC unroll 8") for (int k = 0; k < SR_VECTOR_COUNT; k++)
#define NEXT_OP(v) ((vector_fn *)op[1].fn)(op + 1, i, (v)[0], (v)[1], (v)[2], (v)[3], (v)[4], (v)[5], (v)[6], (v)[7])
#define MEMORY(number) \
	(*(const vector_i4_at *)(const void *)(op->args[number].at + (i & op->args[number].mask) + k * op->args[number].step))

/* A single element: all elements of the vector are the same. */
#define ONE_VECTOR(number) (*(const vector_i4_at *)(const void *)op->args[number].at)

/* An op with the arguments x, y and z, each the expression of vector k: `v[k]`, MEMORY(number) or ONE_VECTOR(number). */
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
/* Functions of one argument, of two and of three. _ONE: also those for a single element, of two arguments and as the third one. */
#define UNARY(name, value) \
	VECTOR_OP(name##_none, MEMORY(0), x, x, value) VECTOR_OP(name##_first, v[k], x, x, value)
#define BINARY(name, value) \
	VECTOR_OP(name##_none, MEMORY(0), MEMORY(1), x, value) VECTOR_OP(name##_first, v[k], MEMORY(1), x, value) \
	VECTOR_OP(name##_second, MEMORY(0), v[k], x, value)
#define BINARY_ONE(name, value) \
	BINARY(name, value) VECTOR_OP(name##_first_one, v[k], ONE_VECTOR(1), x, value) \
	VECTOR_OP(name##_second_one, ONE_VECTOR(0), v[k], x, value)
#define TERNARY(name, value) \
	VECTOR_OP(name##_none, MEMORY(0), MEMORY(1), MEMORY(2), value) VECTOR_OP(name##_first, v[k], MEMORY(1), MEMORY(2), value) \
	VECTOR_OP(name##_second, MEMORY(0), v[k], MEMORY(2), value) VECTOR_OP(name##_third, MEMORY(0), MEMORY(1), v[k], value)
#define TERNARY_ONE(name, value) \
	TERNARY(name, value) VECTOR_OP(name##_first_one, v[k], MEMORY(1), ONE_VECTOR(2), value) \
	VECTOR_OP(name##_second_one, MEMORY(0), v[k], ONE_VECTOR(2), value)

#define NO_SIGN(W) ((vector_i##W)(~(vector_u##W){0} >> 1))
#define CHOOSE(mask, y, z) (((mask) & (y)) | (~(mask) & (z)))
#define FIRST_IF(T, before) CHOOSE((T)((T)x before (T)y), (T)x, (T)y)
#define COMPARES(T)                                                  \
	BINARY_ONE(equal_##T, (vector_##T)x == (vector_##T)y)            \
	BINARY_ONE(differs_##T, (vector_##T)x != (vector_##T)y)          \
	BINARY_ONE(less_##T, (vector_##T)x < (vector_##T)y)              \
	BINARY_ONE(at_most_##T, (vector_##T)x <= (vector_##T)y)          \
	BINARY_ONE(greater_##T, (vector_##T)x > (vector_##T)y)           \
	BINARY_ONE(at_least_##T, (vector_##T)x >= (vector_##T)y)
/* Comparisons of floats by their total order: of integers in the same order. */
#define TOTAL(W, v) ((vector_i##W)(v) ^ (((vector_i##W)(v) >> (8 * W - 1)) & NO_SIGN(W)))
#define TOTAL_COMPARES(W)                                            \
	BINARY(total_less_f##W, TOTAL(W, x) < TOTAL(W, y))           \
	BINARY(total_at_most_f##W, TOTAL(W, x) <= TOTAL(W, y))       \
	BINARY(total_greater_f##W, TOTAL(W, x) > TOTAL(W, y))        \
	BINARY(total_at_least_f##W, TOTAL(W, x) >= TOTAL(W, y))
#define SHIFT_AMOUNT(W) ((vector_u##W)y & (8 * W - 1))
#define IS_SHIFT(W) ((vector_u##W)((vector_u##W)y < 8 * W))
/* The amount by which a shift with SR_VECTOR_COMMON_AMOUNT shifts every element: the first element of the second argument. */
#define COMMON_AMOUNT(W) (*(const int##W##_element *)(const void *)op->args[1].at)
#define FLOAT_OPS(W, T, infinity, one)                               \
	BINARY_ONE(add_f##W, (vector_f##W)x + (vector_f##W)y)            \
	BINARY_ONE(subtract_f##W, (vector_f##W)x - (vector_f##W)y)       \
	BINARY_ONE(multiply_f##W, (vector_f##W)x * (vector_f##W)y)       \
	BINARY_ONE(divide_f##W, (vector_f##W)x / (vector_f##W)y)         \
	BINARY_ONE(maximum_f##W, SR_EXTREMUM(vector_i##W, T, maximum, (vector_f##W)x, (vector_f##W)y)) \
	BINARY_ONE(minimum_f##W, SR_EXTREMUM(vector_i##W, T, minimum, (vector_f##W)x, (vector_f##W)y)) \
	UNARY(negate_f##W, (vector_i##W)x ^ ~NO_SIGN(W))             \
	UNARY(abs_f##W, (vector_i##W)x & NO_SIGN(W))                 \
	UNARY(is_finite_f##W, (vector_f##W)((vector_i##W)x & NO_SIGN(W)) < infinity) \
	UNARY(one_f##W, (vector_i##W)x & one)                        \
	COMPARES(f##W) TOTAL_COMPARES(W)
#define INTEGER_OPS(W)                                               \
	BINARY_ONE(add_i##W, (vector_u##W)x + (vector_u##W)y)            \
	BINARY_ONE(subtract_i##W, (vector_u##W)x - (vector_u##W)y)       \
	BINARY_ONE(multiply_i##W, (vector_u##W)x * (vector_u##W)y)       \
	BINARY_ONE(maximum_i##W, FIRST_IF(vector_i##W, >))               \
	BINARY_ONE(minimum_i##W, FIRST_IF(vector_i##W, <))               \
	BINARY_ONE(maximum_u##W, FIRST_IF(vector_u##W, >))               \
	BINARY_ONE(minimum_u##W, FIRST_IF(vector_u##W, <))               \
	UNARY(negate_i##W, -(vector_u##W)x)                          \
	UNARY(one_i##W, (vector_i##W)x & 1)                          \
	BINARY_ONE(shift_left_i##W, ((vector_u##W)x << SHIFT_AMOUNT(W)) & IS_SHIFT(W)) \
	BINARY_ONE(shift_right_i##W, ((vector_u##W)x >> SHIFT_AMOUNT(W)) & IS_SHIFT(W)) \
	BINARY_ONE(shift_arithmetic_i##W, (vector_i##W)x >> (vector_i##W)(SHIFT_AMOUNT(W) | (~IS_SHIFT(W) & (8 * W - 1)))) \
	UNARY(shift_left_all_i##W, (vector_u##W)x << COMMON_AMOUNT(W)) \
	UNARY(shift_right_all_i##W, (vector_u##W)x >> COMMON_AMOUNT(W)) \
	UNARY(shift_arithmetic_all_i##W, (vector_i##W)x >> COMMON_AMOUNT(W)) \
	COMPARES(i##W) COMPARES(u##W)
/* Combined ops. AMOUNT: all elements of argument `number` are the same. */
#define AMOUNT(number, W) ((vector_u##W)ONE_VECTOR(number))
#define IN_RANGE(n, W) ((vector_u##W)((n) < 8 * W))
#define SHIFTS(W)                                                    \
	(((vector_u##W)x << (AMOUNT(1, W) & (8 * W - 1)) & IN_RANGE(AMOUNT(1, W), W)) | \
	 ((vector_u##W)x >> (AMOUNT(3, W) & (8 * W - 1)) & IN_RANGE(AMOUNT(3, W), W)))
#define COMBINED_OPS(W)                                              \
	VECTOR_OP(shifts_xor_i##W##_none, MEMORY(0), x, MEMORY(2), SHIFTS(W) ^ (vector_u##W)z) \
	VECTOR_OP(shifts_xor_i##W##_first, v[k], x, MEMORY(2), SHIFTS(W) ^ (vector_u##W)z) \
	VECTOR_OP(shifts_xor_i##W##_third, MEMORY(0), x, v[k], SHIFTS(W) ^ (vector_u##W)z) \
	UNARY(xor_shift_left_i##W, (vector_u##W)x ^ (vector_u##W)x << COMMON_AMOUNT(W)) \
	UNARY(xor_shift_right_i##W, (vector_u##W)x ^ (vector_u##W)x >> COMMON_AMOUNT(W)) \
	BINARY(add_select_f##W, (vector_f##W)x + (vector_f##W)CHOOSE(y, ONE_VECTOR(2), ONE_VECTOR(3))) \
	TERNARY(add_select_3_f##W, \
		(vector_f##W)x + (vector_f##W)CHOOSE(y, CHOOSE(z, ONE_VECTOR(3), ONE_VECTOR(4)), ONE_VECTOR(5))) \
	TERNARY_ONE(multiply_add_f##W, (vector_f##W)x * (vector_f##W)y + (vector_f##W)z) \
	TERNARY_ONE(multiply_subtract_f##W, (vector_f##W)x * (vector_f##W)y - (vector_f##W)z) \
	TERNARY_ONE(subtract_product_f##W, (vector_f##W)z - (vector_f##W)x * (vector_f##W)y) \
	TERNARY_ONE(add_3_f##W, (vector_f##W)x + (vector_f##W)y + (vector_f##W)z) \
	UNARY(square_f##W, (vector_f##W)x * (vector_f##W)x)          \
	BINARY(equal_or_nan_f##W, ((vector_f##W)x == (vector_f##W)y) | ((vector_f##W)x != (vector_f##W)x))
COMBINED_OPS(4)
COMBINED_OPS(8)
INTEGER_OPS(1)
INTEGER_OPS(2)
INTEGER_OPS(4)
INTEGER_OPS(8)
FLOAT_OPS(4, ps, __builtin_inff(), 0x3f800000)
FLOAT_OPS(8, pd, __builtin_inf(), 0x3ff0000000000000)
BINARY_ONE(and_i4, x & y)
BINARY_ONE(or_i4, x | y)
BINARY_ONE(xor_i4, x ^ y)
UNARY(not_i4, ~x)
UNARY(copy_i4, x)
UNARY(to_float_i4, __builtin_convertvector(x, vector_f4))
UNARY(to_float_u4, __builtin_convertvector((vector_u4)x, vector_f4))
TERNARY(select_i4, CHOOSE(x, y, z))

/* Convert a float to an integer type as the kernel does: saturate; NaN becomes 0. greatest: the greatest float of the type. */
#define CLAMPED(W, least, greatest)                                  \
	CHOOSE((vector_f##W)x < (least), (vector_i##W)((vector_f##W){0} + (least)), CHOOSE((vector_f##W)x > (greatest), \
	       (vector_i##W)((vector_f##W){0} + (greatest)), (vector_i##W)x)) & ((vector_f##W)x == (vector_f##W)x)
#define TRUNCATED(W, T, least, greatest) __builtin_convertvector((vector_f##W)(CLAMPED(W, least, greatest)), vector_##T)
UNARY(f4_to_i1, TRUNCATED(4, i4, -0x1p7f, 0x7fp0f))
UNARY(f4_to_u1, TRUNCATED(4, i4, 0.0f, 0xffp0f))
UNARY(f4_to_i2, TRUNCATED(4, i4, -0x1p15f, 0x7fffp0f))
UNARY(f4_to_u2, TRUNCATED(4, i4, 0.0f, 0xffffp0f))
UNARY(f4_to_i4, CHOOSE((vector_f4)x >= 0x1p31f, (vector_i4){0} + INT32_MAX, TRUNCATED(4, i4, -0x1p31f, 0x7fffff80p0f)))
UNARY(f8_to_f4, __builtin_convertvector(__builtin_convertvector((vector_f8)x, half_vector_f4), vector_f8))
#if defined(__AVX512DQ__) /* the instruction set converts integers of 8 bytes */
UNARY(f8_to_i1, TRUNCATED(8, i8, -0x1p7, 0x7fp0))
UNARY(f8_to_u1, TRUNCATED(8, i8, 0.0, 0xffp0))
UNARY(f8_to_i2, TRUNCATED(8, i8, -0x1p15, 0x7fffp0))
UNARY(f8_to_u2, TRUNCATED(8, i8, 0.0, 0xffffp0))
UNARY(f8_to_i4, TRUNCATED(8, i8, -0x1p31, 0x7fffffffp0))
UNARY(f8_to_u4, TRUNCATED(8, i8, 0.0, 0xffffffffp0))
UNARY(f8_to_i8, CHOOSE((vector_f8)x >= 0x1p63, (vector_i8){0} + INT64_MAX, TRUNCATED(8, i8, -0x1p63, 0x7ffffffffffffc00p0)))
UNARY(f8_to_u8, CHOOSE((vector_f8)x >= 0x1p64, ~(vector_i8){0}, (vector_i8)TRUNCATED(8, u8, 0.0, 0xfffffffffffff800p0)))
UNARY(to_float_i8, __builtin_convertvector((vector_i8)x, vector_f8))
UNARY(to_float_u8, __builtin_convertvector((vector_u8)x, vector_f8))
UNARY(i8_to_f4, __builtin_convertvector(__builtin_convertvector((vector_i8)x, half_vector_f4), vector_f8))
UNARY(u8_to_f4, __builtin_convertvector(__builtin_convertvector((vector_u8)x, half_vector_f4), vector_f8))
#endif

/* Values of fewer bytes N than the W bytes of the ops' elements: in memory they have their own size. In vectors an integer is
 * extended to an element, f32 is extended to f64, and a truth value has all bits of an element set for true. E: type of the
 * elements in vectors. */
#define ELEMENTS(W) (SR_VECTOR_COUNT * ACCESS_VECTOR / W)
/* Compilers turn these loops into conversions of vectors. */
#define LOAD_NARROW(name, W, E, T, value)                              \
	static void name(VECTOR_ARGUMENTS)                           \
	{                                                            \
		const T##_element *from = (const void *)(op->args[0].at + (i & op->args[0].mask) / W * (int)sizeof *from); \
		vector_i4 v[SR_VECTOR_COUNT];                        \
		E##_element *to = (void *)v;                         \
		(void)v0, (void)v1, (void)v2, (void)v3, (void)v4, (void)v5, (void)v6, (void)v7; \
		for (int k = 0; k < ELEMENTS(W); k++) {              \
			const T##_element x = from[k];               \
			to[k] = value;                               \
		}                                                    \
		if (op->out.at) {                                    \
			vector_i4_at *block = (void *)(op->out.at + (i & op->out.mask)); \
			EACH block[k] = v[k];                        \
		}                                                    \
		NEXT_OP(v);                                          \
	}
#define STORE_NARROW(name, W, E, T, value)                             \
	static void name(VECTOR_ARGUMENTS)                           \
	{                                                            \
		vector_i4 v[SR_VECTOR_COUNT] = {v0, v1, v2, v3, v4, v5, v6, v7}; \
		const E##_element *from = (const void *)v;           \
		T##_element *to = (void *)(op->out.at + (i & op->out.mask) / W * (int)sizeof *to); \
		for (int k = 0; k < ELEMENTS(W); k++) {              \
			const E##_element x = from[k];               \
			to[k] = (T##_element)(value);                \
		}                                                    \
		NEXT_OP(v);                                          \
	}
#define NARROW_TYPES(W, N)                                           \
	LOAD_NARROW(load_i##N##_##W, W, int##W, int##N, x)           \
	LOAD_NARROW(load_u##N##_##W, W, int##W, unsigned##N, x)      \
	STORE_NARROW(store_i##N##_##W, W, int##W, int##N, x)         \
	UNARY(i##W##_to_i##N, (vector_i##W)x << 8 * (W - N) >> 8 * (W - N)) \
	UNARY(i##W##_to_u##N, (vector_u##W)x << 8 * (W - N) >> 8 * (W - N))
#define TRUTH_VALUES(W)                                              \
	LOAD_NARROW(load_truth_##W, W, int##W, int1, -(x != 0))      \
	STORE_NARROW(store_truth_##W, W, int##W, int1, x & 1)
NARROW_TYPES(2, 1)
NARROW_TYPES(4, 1)
NARROW_TYPES(4, 2)
NARROW_TYPES(8, 1)
NARROW_TYPES(8, 2)
NARROW_TYPES(8, 4)
LOAD_NARROW(load_f4_8, 8, float8, float4, x)
STORE_NARROW(store_f4_8, 8, float8, float4, x)
/* The instruction computes the bits of half_of_float. Values of f16 in vectors are f32, which the store rounds. */
#if defined(__F16C__)
#if defined(__AVX512BW__)
#define TO_HALVES(v) __builtin_ia32_vcvtps2ph512_mask((vector_f4)(v), 0, (half_vector_i2){0}, -1)
#else
#define TO_HALVES(v) __builtin_ia32_vcvtps2ph256((vector_f4)(v), 0)
#endif
typedef short half_vector_i2 __attribute__((vector_size(ACCESS_VECTOR / 2)));
static void store_f2_4(VECTOR_ARGUMENTS)
{
	vector_i4 v[SR_VECTOR_COUNT] = {v0, v1, v2, v3, v4, v5, v6, v7};
	char *to = op->out.at + (i & op->out.mask) / 2;
	EACH
	{
		const half_vector_i2 halves = TO_HALVES(v[k]);
		memcpy(to + k * (ACCESS_VECTOR / 2), &halves, sizeof halves);
	}
	NEXT_OP(v);
}
#define HAS_HALVES true
#else
#define store_f2_4 vector_end
#define HAS_HALVES false
#endif
TRUTH_VALUES(1)
TRUTH_VALUES(2)
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

#ifdef STREAM_STORE
static void vector_stream(VECTOR_ARGUMENTS)
{
	const vector_i4 v[SR_VECTOR_COUNT] = {v0, v1, v2, v3, v4, v5, v6, v7};
	char *to = op->out.at + (i & op->out.mask);
	if (op->out.mask && !((uintptr_t)to & (ACCESS_VECTOR - 1)))
		EACH STREAM_STORE((access_line *)(void *)(to + k * ACCESS_VECTOR), (access_line)v[k]);
	else
		EACH *(vector_i4_at *)(void *)(to + k * ACCESS_VECTOR) = v[k];
	NEXT_OP(v);
}
#undef STREAM_STORE
#else
#define vector_stream NULL
#endif

static void vector_end(VECTOR_ARGUMENTS)
{
	(void)op, (void)i, (void)v0, (void)v1, (void)v2, (void)v3, (void)v4, (void)v5, (void)v6, (void)v7;
}

/* A single array is prefetched to L1; several of them together do not fit there, and are prefetched to L2. */
static void vector_run(const struct sr_vector_op *ops, int64_t n, const char *const *next, int n_next)
{
	enum { BLOCK = SR_VECTOR_COUNT * ACCESS_VECTOR, LINE = 64, TO_L1 = 3, TO_L2 = 2 };
	const vector_i4 zero = {0};
	for (int64_t i = 0; i < n; i++) {
		for (int k = 0; n_next == 1 && k < BLOCK; k += LINE)
			__builtin_prefetch(next[0] + i * BLOCK + k, 0, TO_L1);
		for (int m = 0; n_next > 1 && m < n_next; m++)
			for (int k = 0; k < BLOCK; k += LINE)
				__builtin_prefetch(next[m] + i * BLOCK + k, 0, TO_L2);
		((vector_fn *)ops->fn)(ops, i * BLOCK, zero, zero, zero, zero, zero, zero, zero, zero);
	}
}

#define FORMS(name) {(sr_vector_fn *)name##_none, (sr_vector_fn *)name##_first}
#define FORMS_2(name) {(sr_vector_fn *)name##_none, (sr_vector_fn *)name##_first, (sr_vector_fn *)name##_second}
#define FORMS_2_ONE(name) \
	{(sr_vector_fn *)name##_none, (sr_vector_fn *)name##_first, (sr_vector_fn *)name##_second, \
	 [SR_VECTOR_FIRST_ONE] = (sr_vector_fn *)name##_first_one, (sr_vector_fn *)name##_second_one}
#define FORMS_3(name) \
	{(sr_vector_fn *)name##_none, (sr_vector_fn *)name##_first, (sr_vector_fn *)name##_second, (sr_vector_fn *)name##_third}
#define FORMS_3_ONE(name) \
	{(sr_vector_fn *)name##_none, (sr_vector_fn *)name##_first, (sr_vector_fn *)name##_second, (sr_vector_fn *)name##_third, \
	 (sr_vector_fn *)name##_first_one, (sr_vector_fn *)name##_second_one}
/* The rows of a table: floats of 4 and 8 bytes, signed and unsigned integers of 1 to 8 bytes. */
enum { VECTOR_F4, VECTOR_F8, VECTOR_I1, VECTOR_I2, VECTOR_I4, VECTOR_I8, VECTOR_U1, VECTOR_U2, VECTOR_U4, VECTOR_U8, VECTOR_TYPES };
typedef sr_vector_fn *const vector_row[VECTOR_TYPES][SR_VECTOR_FORMS];
#define FLOAT_ROWS(F, f) {F(f##4), F(f##8)}
#define INTEGERS(F, i, u) F(i##1), F(i##2), F(i##4), F(i##8), F(u##1), F(u##2), F(u##4), F(u##8)
#define ROWS(F, f, i, u) {F(f##4), F(f##8), INTEGERS(F, i, u)}
#define INTEGER_ROWS(F, i, u) {[VECTOR_I1] = INTEGERS(F, i, u)}
#define SAME_ROWS(F, f) {F(f), F(f), F(f), F(f), F(f), F(f), F(f), F(f), F(f), F(f)}
#define COMPARE_ROWS(name) ROWS(FORMS_2_ONE, name##_f, name##_i, name##_u)
static const vector_row vector_kernels[SR_KERNEL_COUNT] = {
	[SR_KERNEL_ADD] = ROWS(FORMS_2_ONE, add_f, add_i, add_i),
	[SR_KERNEL_SUBTRACT] = ROWS(FORMS_2_ONE, subtract_f, subtract_i, subtract_i),
	[SR_KERNEL_MULTIPLY] = ROWS(FORMS_2_ONE, multiply_f, multiply_i, multiply_i),
	[SR_KERNEL_DIVIDE] = FLOAT_ROWS(FORMS_2_ONE, divide_f),
	[SR_KERNEL_MAXIMUM] = ROWS(FORMS_2_ONE, maximum_f, maximum_i, maximum_u),
	[SR_KERNEL_MINIMUM] = ROWS(FORMS_2_ONE, minimum_f, minimum_i, minimum_u),
	[SR_KERNEL_NEGATE] = ROWS(FORMS, negate_f, negate_i, negate_i),
	[SR_KERNEL_ABS] = FLOAT_ROWS(FORMS, abs_f),
	[SR_KERNEL_IS_FINITE] = FLOAT_ROWS(FORMS, is_finite_f),
	[SR_KERNEL_SHIFT_LEFT] = INTEGER_ROWS(FORMS_2_ONE, shift_left_i, shift_left_i),
	[SR_KERNEL_SHIFT_RIGHT_LOGICAL] = INTEGER_ROWS(FORMS_2_ONE, shift_right_i, shift_right_i),
	[SR_KERNEL_SHIFT_RIGHT_ARITHMETIC] = INTEGER_ROWS(FORMS_2_ONE, shift_arithmetic_i, shift_arithmetic_i),
	[SR_KERNEL_SELECT] = SAME_ROWS(FORMS_3, select_i4),
};
/* Shifts of all elements by the same valid amount. */
static const vector_row vector_shifts[SR_KERNEL_COUNT] = {
	[SR_KERNEL_SHIFT_LEFT] = INTEGER_ROWS(FORMS, shift_left_all_i, shift_left_all_i),
	[SR_KERNEL_SHIFT_RIGHT_LOGICAL] = INTEGER_ROWS(FORMS, shift_right_all_i, shift_right_all_i),
	[SR_KERNEL_SHIFT_RIGHT_ARITHMETIC] = INTEGER_ROWS(FORMS, shift_arithmetic_all_i, shift_arithmetic_all_i)};
#define SHIFTS_XOR(name) \
	{(sr_vector_fn *)name##_none, (sr_vector_fn *)name##_first, [SR_VECTOR_THIRD] = (sr_vector_fn *)name##_third}
#define COMBINED_ROWS(W)                                             \
	{FORMS(xor_shift_left_i##W), FORMS(xor_shift_right_i##W), SHIFTS_XOR(shifts_xor_i##W), FORMS_2(add_select_f##W), \
	 FORMS_3(add_select_3_f##W), FORMS_3_ONE(multiply_add_f##W), FORMS_3_ONE(multiply_subtract_f##W), \
	 FORMS_3_ONE(subtract_product_f##W), FORMS_3_ONE(add_3_f##W), FORMS(square_f##W), \
	 FORMS_2(equal_or_nan_f##W)}
static sr_vector_fn *const vector_combined[][SR_VECTOR_COMBINED_COUNT][SR_VECTOR_FORMS] = {
	[4] = COMBINED_ROWS(4), [8] = COMBINED_ROWS(8)};
/* Functions of integers of all types and of truth values. */
static sr_vector_fn *const vector_logical[SR_KERNEL_COUNT][SR_VECTOR_FORMS] = {
	[SR_KERNEL_AND] = FORMS_2_ONE(and_i4), [SR_KERNEL_OR] = FORMS_2_ONE(or_i4), [SR_KERNEL_XOR] = FORMS_2_ONE(xor_i4),
	[SR_KERNEL_NOT] = FORMS(not_i4)};
static const vector_row vector_compares[] = {
	[SR_EQ] = COMPARE_ROWS(equal), [SR_NE] = COMPARE_ROWS(differs), [SR_LT] = COMPARE_ROWS(less),
	[SR_LE] = COMPARE_ROWS(at_most), [SR_GT] = COMPARE_ROWS(greater), [SR_GE] = COMPARE_ROWS(at_least)};
static const vector_row vector_total_compares[] = {
	[SR_EQ] = FLOAT_ROWS(FORMS_2, equal_i), [SR_NE] = FLOAT_ROWS(FORMS_2, differs_i),
	[SR_LT] = FLOAT_ROWS(FORMS_2, total_less_f), [SR_LE] = FLOAT_ROWS(FORMS_2, total_at_most_f),
	[SR_GT] = FLOAT_ROWS(FORMS_2, total_greater_f),
	[SR_GE] = FLOAT_ROWS(FORMS_2, total_at_least_f)};
static const vector_row vector_of_truth_value = ROWS(FORMS, one_f, one_i, one_i);
static sr_vector_fn *const vector_copy[SR_VECTOR_FORMS] = FORMS(copy_i4);
/* Conversions from f32 and f64 to integers, and to f32 and f64, by the bytes of the ops' elements. */
static const vector_row vector_of_float[] = {
	[4] = {[VECTOR_I1] = FORMS(f4_to_i1), FORMS(f4_to_i2), FORMS(f4_to_i4), [VECTOR_U1] = FORMS(f4_to_u1), FORMS(f4_to_u2)},
#if defined(__AVX512DQ__)
	[8] = {[VECTOR_I1] = FORMS(f8_to_i1), FORMS(f8_to_i2), FORMS(f8_to_i4), FORMS(f8_to_i8),
	       [VECTOR_U1] = FORMS(f8_to_u1), FORMS(f8_to_u2), FORMS(f8_to_u4), FORMS(f8_to_u8)}
#else
	[8] = {{NULL}}
#endif
};
#define SAME_INTEGERS(f, u) FORMS(f), FORMS(f), FORMS(f), FORMS(u)
static const vector_row vector_to_f4[] = {
	[4] = {[VECTOR_I1] = FORMS(to_float_i4), FORMS(to_float_i4), FORMS(to_float_i4),
	       [VECTOR_U1] = FORMS(to_float_i4), FORMS(to_float_i4), FORMS(to_float_u4)},
	[8] = {[VECTOR_F8] = FORMS(f8_to_f4),
#if defined(__AVX512DQ__)
	       [VECTOR_I8] = FORMS(i8_to_f4), [VECTOR_U8] = FORMS(u8_to_f4)
#endif
	}};
static const vector_row vector_to_f8 = {
	[VECTOR_F4] = FORMS(copy_i4),
#if defined(__AVX512DQ__)
	[VECTOR_I1] = SAME_INTEGERS(to_float_i8, to_float_i8), SAME_INTEGERS(to_float_i8, to_float_u8)
#endif
};
/* Conversions of integers to fewer bytes; loads and stores of values that have fewer bytes than the ops' elements. */
#define TO_NARROW(W) \
	[VECTOR_I1] = FORMS(i##W##_to_i1), [VECTOR_U1] = FORMS(i##W##_to_u1)
static const vector_row vector_to_narrow[] = {
	[2] = {TO_NARROW(2)}, [4] = {TO_NARROW(4), [VECTOR_I2] = FORMS(i4_to_i2), [VECTOR_U2] = FORMS(i4_to_u2)},
	[8] = {TO_NARROW(8), [VECTOR_I2] = FORMS(i8_to_i2), [VECTOR_U2] = FORMS(i8_to_u2), [VECTOR_I4] = FORMS(i8_to_i4),
	       [VECTOR_U4] = FORMS(i8_to_u4)}};
#define FUNCTION(name) (sr_vector_fn *)name
static sr_vector_fn *const vector_load_truth[] = {
	[1] = FUNCTION(load_truth_1), [2] = FUNCTION(load_truth_2), [4] = FUNCTION(load_truth_4), [8] = FUNCTION(load_truth_8)};
static sr_vector_fn *const vector_store_truth[] = {
	[1] = FUNCTION(store_truth_1), [2] = FUNCTION(store_truth_2), [4] = FUNCTION(store_truth_4), [8] = FUNCTION(store_truth_8)};
static sr_vector_fn *const vector_loads[][VECTOR_TYPES] = {
	[2] = {[VECTOR_I1] = FUNCTION(load_i1_2), [VECTOR_U1] = FUNCTION(load_u1_2)},
	[4] = {[VECTOR_I1] = FUNCTION(load_i1_4), FUNCTION(load_i2_4), [VECTOR_U1] = FUNCTION(load_u1_4), FUNCTION(load_u2_4)},
	[8] = {[VECTOR_F4] = FUNCTION(load_f4_8), [VECTOR_I1] = FUNCTION(load_i1_8), FUNCTION(load_i2_8), FUNCTION(load_i4_8),
	       [VECTOR_U1] = FUNCTION(load_u1_8), FUNCTION(load_u2_8), FUNCTION(load_u4_8)}};
static sr_vector_fn *const vector_stores[][VECTOR_TYPES] = {
	[2] = {[VECTOR_I1] = FUNCTION(store_i1_2), [VECTOR_U1] = FUNCTION(store_i1_2)},
	[4] = {[VECTOR_I1] = FUNCTION(store_i1_4), FUNCTION(store_i2_4), [VECTOR_U1] = FUNCTION(store_i1_4), FUNCTION(store_i2_4)},
	[8] = {[VECTOR_F4] = FUNCTION(store_f4_8), [VECTOR_I1] = FUNCTION(store_i1_8), FUNCTION(store_i2_8), FUNCTION(store_i4_8),
	       [VECTOR_U1] = FUNCTION(store_i1_8), FUNCTION(store_i2_8), FUNCTION(store_i4_8)}};

/* Return the row of a type; -1: none. */
static int vector_type(enum sr_dtype type)
{
	static const int8_t rows[SR_DTYPE_COUNT] = {
		[SR_F32] = VECTOR_F4 + 1, [SR_F64] = VECTOR_F8 + 1, [SR_I8] = VECTOR_I1 + 1, [SR_I16] = VECTOR_I2 + 1,
		[SR_I32] = VECTOR_I4 + 1, [SR_I64] = VECTOR_I8 + 1, [SR_UI8] = VECTOR_U1 + 1, [SR_UI16] = VECTOR_U2 + 1,
		[SR_UI32] = VECTOR_U4 + 1, [SR_UI64] = VECTOR_U8 + 1};
	return rows[type] - 1;
}

/* Return the function of a conversion between two types with rows. */
static sr_vector_fn *vector_find_convert(enum sr_dtype in, enum sr_dtype out, enum sr_vector_form form)
{
	int row = vector_type(in), out_row = vector_type(out), bytes = sr_dtype_bytes(in), out_bytes = sr_dtype_bytes(out);
	int widest = bytes > out_bytes ? bytes : out_bytes;
	if (in == out)
		return vector_copy[form];
	if (out == SR_F32)
		return vector_to_f4[widest][row][form];
	if (out == SR_F64)
		return vector_to_f8[row][form];
	if (row < VECTOR_I1)
		return vector_of_float[widest][out_row][form];
	return out_bytes >= bytes ? vector_copy[form] : vector_to_narrow[bytes][out_row][form];
}

static sr_vector_fn *vector_find(enum sr_kernel kernel, enum sr_dtype in, enum sr_dtype out, int variant, enum sr_vector_form form)
{
	int row = vector_type(in), out_row = vector_type(out);
	bool is_same_size = row >= 0 && out_row >= 0 && sr_dtype_bytes(in) == sr_dtype_bytes(out);
	if (kernel == SR_KERNEL_CONVERT && in == SR_I1)
		return out_row < 0 ? NULL : vector_of_truth_value[out_row][form];
	if (kernel == SR_KERNEL_CONVERT && in == SR_F32 && out == SR_F16)
		return HAS_HALVES ? vector_copy[form] : NULL;
	if (kernel == SR_KERNEL_CONVERT)
		return row < 0 || out_row < 0 ? NULL : vector_find_convert(in, out, form);
	if (kernel == SR_KERNEL_COMPARE)
		return row < 0 ? NULL : (variant & SR_COMPARE_TOTAL ? vector_total_compares :
					 vector_compares)[variant & SR_COMPARE_MASK][row][form];
	if (kernel == SR_KERNEL_BITCAST)
		return is_same_size ? vector_copy[form] : NULL;
	if (vector_logical[kernel][0])
		return (in == SR_I1 && out == SR_I1) || (is_same_size && row >= VECTOR_I1) ? vector_logical[kernel][form] : NULL;
	if (row >= 0 && variant == SR_VECTOR_COMMON_AMOUNT && vector_shifts[kernel][row][SR_VECTOR_NONE])
		return vector_shifts[kernel][row][form];
	return row < 0 ? NULL : vector_kernels[kernel][row][form];
}

static sr_vector_fn *vector_find_combined(enum sr_vector_combined op, int bytes, enum sr_vector_form form)
{
	return bytes == 4 || bytes == 8 ? vector_combined[bytes][op][form] : NULL;
}

static sr_vector_fn *vector_find_load(enum sr_dtype type, int bytes)
{
	return type == SR_I1 ? vector_load_truth[bytes] : vector_loads[bytes][vector_type(type)];
}

static sr_vector_fn *vector_find_store(enum sr_dtype type, int bytes)
{
	if (type == SR_F16)
		return (sr_vector_fn *)store_f2_4;
	return type == SR_I1 ? vector_store_truth[bytes] : vector_stores[bytes][vector_type(type)];
}

static const struct sr_vector_functions vector_functions = {
	ACCESS_VECTOR, vector_find, vector_find_combined, vector_find_load, vector_find_store, (sr_vector_fn *)vector_call,
	(sr_vector_fn *)vector_end, (sr_vector_fn *)vector_stream, vector_run};
