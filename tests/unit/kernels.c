/* Reference kernels: which (kernel, type) pairs exist; values of each kernel for several types, with edge cases. */
#include "kernels/kernel.h"
#include "kernels/kernel_check.h"
#include "kernels/kernel_chunk.h"
#include "kernels/sort_runs.h"
#include "tests/unit/suite.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct sr_kernels table;

static void setup(void)
{
	sr_kernels_init(&table);
}

static void run(enum sr_kernel k, enum sr_dtype t, const void *params, void *const *buffers, int64_t begin, int64_t end)
{
	int64_t bytes = sr_kernel_planned_scratch(k, t, params);
	char *scratch = malloc((size_t)bytes + 1);

	ck_assert_msg(table.fn[k][t] != NULL, "no %s for %s", sr_kernel_name(k), sr_dtypes[t].name);
	table.fn[k][t](params, buffers, scratch, begin, end);
	free(scratch);
}

/* ---- existence: types that a kernel supports ---- */

enum {
	B = 1 << SR_CLASS_BOOL,
	I = 1 << SR_CLASS_SINT,
	U = 1 << SR_CLASS_UINT,
	F = 1 << SR_CLASS_FLOAT,
	C = 1 << SR_CLASS_COMPLEX,
	ALL = B | I | U | F | C
};

static int supported_classes(enum sr_kernel k)
{
#define SIGNED(...) | I
#define UNSIGNED(...) | U
#define INTEGER(...) | I | U
#define PRED(...) | B
#define FLOAT(...) | F
#define COMPLEX(...) | C
#define PART(...) | C
#define TEST(...) | F
#define MAP(id, name, arity, work, ...) [SR_KERNEL_##id] = 0 __VA_ARGS__,
	static const int maps[SR_KERNEL_COUNT] = {
#include "kernels/map/map.ops"
	};
	if (k == SR_KERNEL_SELECT_AND_SCATTER) /* the kernel compares, and complex numbers have no order */
		return ALL & ~C;
	return maps[k] ? maps[k] : ALL;
}

/* Return true for kernels that exist for some widths of a class only. */
static bool covers_some_widths(enum sr_kernel k)
{
	return k == SR_KERNEL_COMPLEX || k == SR_KERNEL_REDUCE_PRECISION || k == SR_KERNEL_FFT || k == SR_KERNEL_CHOLESKY ||
	       k == SR_KERNEL_TRIANGULAR_SOLVE || k == SR_KERNEL_RNG_BITS || k == SR_KERNEL_LAPACK;
}

START_TEST(every_kernel_has_the_types_of_its_classes)
{
	for (int k = SR_KERNEL_NONE + 1; k < SR_KERNEL_COUNT; k++)
		for (int t = SR_DTYPE_NONE + 1; t < SR_DTYPE_COUNT; t++) {
			bool is_expected = supported_classes((enum sr_kernel)k) >> sr_dtypes[t].class & 1;
			if (covers_some_widths((enum sr_kernel)k))
				continue;
			ck_assert_msg((table.fn[k][t] != NULL) == is_expected, "%s for %s", sr_kernel_name((enum sr_kernel)k),
				      sr_dtypes[t].name);
		}
	ck_assert_ptr_nonnull(table.fn[SR_KERNEL_COMPLEX][SR_F32]);
	ck_assert_ptr_nonnull(table.fn[SR_KERNEL_REDUCE_PRECISION][SR_BF16]);
	ck_assert_ptr_nonnull(table.fn[SR_KERNEL_RNG_BITS][SR_UI32]);
	ck_assert_ptr_null(table.fn[SR_KERNEL_AND][SR_F32]);
}
END_TEST

START_TEST(names_are_ids_in_lower_case)
{
	ck_assert_str_eq(sr_kernel_name(SR_KERNEL_ADD), "add");
	ck_assert_str_eq(sr_kernel_name(SR_KERNEL_EXPONENTIAL_MINUS_ONE), "exponential_minus_one");
	ck_assert_int_eq(sr_kernel_find("shift_right_arithmetic"), SR_KERNEL_SHIFT_RIGHT_ARITHMETIC);
	ck_assert_int_eq(sr_kernel_find("nothing"), SR_KERNEL_NONE);
	for (int k = SR_KERNEL_NONE + 1; k < SR_KERNEL_COUNT; k++)
		ck_assert_int_eq(sr_kernel_find(sr_kernel_name((enum sr_kernel)k)), k);
}
END_TEST

/* ---- elementwise ---- */

enum { N = 6 };

struct int_case {
	enum sr_kernel k;
	enum sr_dtype t;
	int n;
	int64_t a[N], b[N], want[N];
};

static const struct int_case int_cases[] = {
	{SR_KERNEL_ADD, SR_I8, 3, {127, -128, 5}, {1, -1, -6}, {-128, 127, -1}},
	{SR_KERNEL_ADD, SR_I4, 3, {7, -8, 3}, {1, -1, 2}, {-8, 7, 5}},
	{SR_KERNEL_ADD, SR_UI4, 2, {15, 9}, {1, 9}, {0, 2}},
	{SR_KERNEL_ADD, SR_UI2, 1, {3}, {3}, {2}},
	{SR_KERNEL_ADD, SR_I64, 1, {INT64_MAX}, {1}, {INT64_MIN}},
	{SR_KERNEL_ADD, SR_I1, 3, {0, 1, 1}, {0, 0, 1}, {0, 1, 1}},
	{SR_KERNEL_MULTIPLY, SR_I32, 2, {65536, -3}, {65536, 5}, {0, -15}},
	{SR_KERNEL_SUBTRACT, SR_UI8, 1, {3}, {5}, {254}},
	{SR_KERNEL_DIVIDE, SR_I32, 6, {17, -17, 17, -17, 5, INT32_MIN}, {3, 3, -3, -3, 0, -1}, {5, -5, -5, 5, -1, INT32_MIN}},
	{SR_KERNEL_DIVIDE, SR_I64, 2, {INT64_MIN, 7}, {-1, 0}, {INT64_MIN, -1}},
	{SR_KERNEL_DIVIDE, SR_UI16, 2, {17, 5}, {4, 0}, {4, 65535}},
	{SR_KERNEL_REMAINDER, SR_I32, 6, {17, -17, 17, -17, 5, INT32_MIN}, {3, 3, -3, -3, 0, -1}, {2, -2, 2, -2, 5, 0}},
	{SR_KERNEL_REMAINDER, SR_UI64, 2, {17, 18}, {3, 0}, {2, 18}},
	{SR_KERNEL_POWER, SR_I64, 6, {-1, -1, -3, 1, -3, 0}, {1, 0, -3, -3, 3, 2}, {-1, 1, 0, 1, -27, 0}},
	{SR_KERNEL_POWER, SR_I64, 2, {-1, 0}, {-3, -1}, {-1, 0}},
	{SR_KERNEL_POWER, SR_UI64, 5, {0, 0, 1, 1, 5}, {0, 1, 0, 2, 5}, {1, 0, 1, 1, 3125}},
	{SR_KERNEL_SHIFT_LEFT, SR_I8, 4, {1, 1, 1, -1}, {3, 8, -1, 7}, {8, 0, 0, -128}},
	{SR_KERNEL_SHIFT_LEFT, SR_I4, 2, {1, 1}, {3, 4}, {-8, 0}},
	{SR_KERNEL_SHIFT_RIGHT_LOGICAL, SR_I64, 4, {-1, 0, 8, -1}, {1, 2, 3, 64}, {INT64_MAX, 0, 1, 0}},
	{SR_KERNEL_SHIFT_RIGHT_LOGICAL, SR_I8, 2, {-1, -128}, {4, 7}, {15, 1}},
	{SR_KERNEL_SHIFT_RIGHT_ARITHMETIC, SR_I32, 4, {-8, -8, 8, 8}, {1, 99, 1, -1}, {-4, -1, 4, 0}},
	{SR_KERNEL_SHIFT_RIGHT_ARITHMETIC, SR_UI8, 2, {0x80, 0x40}, {1, 1}, {0xc0, 0x20}},
	{SR_KERNEL_COUNT_LEADING_ZEROS, SR_I16, 4, {0, 1, -1, 255}, {0}, {16, 15, 0, 8}},
	{SR_KERNEL_COUNT_LEADING_ZEROS, SR_UI4, 2, {0, 1}, {0}, {4, 3}},
	{SR_KERNEL_POPCNT, SR_I64, 4, {0, 1, -1, 127}, {0}, {0, 1, 64, 7}},
	{SR_KERNEL_POPCNT, SR_I8, 1, {-1}, {0}, {8}},
	{SR_KERNEL_ABS, SR_I32, 3, {-5, 5, INT32_MIN}, {0}, {5, 5, INT32_MIN}},
	{SR_KERNEL_SIGN, SR_I32, 3, {-5, 0, 7}, {0}, {-1, 0, 1}},
	{SR_KERNEL_NEGATE, SR_UI32, 2, {1, 0}, {0}, {4294967295, 0}},
	{SR_KERNEL_NOT, SR_I1, 2, {0, 1}, {0}, {1, 0}},
	{SR_KERNEL_NOT, SR_UI4, 1, {5}, {0}, {10}},
	{SR_KERNEL_XOR, SR_I32, 1, {12}, {10}, {6}},
	{SR_KERNEL_MAXIMUM, SR_UI64, 1, {-1}, {1}, {-1}},
	{SR_KERNEL_MINIMUM, SR_I64, 1, {-1}, {1}, {-1}},
};

START_TEST(integer_maps)
{
	const struct int_case *c = &int_cases[_i];
	_Alignas(16) char a[N * 16], b[N * 16], out[N * 16];
	int bytes = sr_dtype_bytes(c->t);
	struct sr_map_params p = {.n = c->n, .in = (uint8_t)c->t, .out = (uint8_t)c->t};
	bool one = c->k == SR_KERNEL_COUNT_LEADING_ZEROS || c->k == SR_KERNEL_POPCNT || c->k == SR_KERNEL_ABS ||
		   c->k == SR_KERNEL_SIGN || c->k == SR_KERNEL_NEGATE || c->k == SR_KERNEL_NOT;

	for (int i = 0; i < c->n; i++) {
		sr_element_set(c->t, a + i * bytes, c->a[i], 0, 0);
		sr_element_set(c->t, b + i * bytes, c->b[i], 0, 0);
	}
	run(c->k, c->t, &p, one ? (void *[]){a, out} : (void *[]){a, b, out}, 0, c->n);
	for (int i = 0; i < c->n; i++) {
		int64_t got;
		sr_element_get(c->t, out + i * bytes, &got, NULL, NULL);
		ck_assert_msg(got == c->want[i], "%s %s [%d]: %lld, not %lld", sr_kernel_name(c->k), sr_dtypes[c->t].name, i,
			      (long long)got, (long long)c->want[i]);
	}
}
END_TEST

struct float_case {
	enum sr_kernel k;
	enum sr_dtype t;
	int arity, n;
	double a[N], b[N], want[N];
};

static const struct float_case float_cases[] = {
	{SR_KERNEL_ADD, SR_F32, 2, 2, {1.5, INFINITY}, {2, -INFINITY}, {3.5, NAN}},
	{SR_KERNEL_ADD, SR_BF16, 2, 2, {256, 1}, {1, 0.0078125}, {256, 1.0078125}},
	{SR_KERNEL_MULTIPLY, SR_F16, 2, 2, {3, 60000}, {5, 2}, {15, INFINITY}},
	{SR_KERNEL_MULTIPLY, SR_F8E5M2, 2, 1, {3}, {2}, {6}},
	{SR_KERNEL_MAXIMUM, SR_F32, 2, 5, {NAN, 1, -0.0, 0.0, 2}, {1, NAN, 0.0, -0.0, 3}, {NAN, NAN, 0.0, 0.0, 3}},
	{SR_KERNEL_MINIMUM, SR_F64, 2, 5, {NAN, 1, -0.0, 0.0, 2}, {1, NAN, 0.0, -0.0, 3}, {NAN, NAN, -0.0, -0.0, 2}},
	{SR_KERNEL_SIGN, SR_F32, 1, 5, {NAN, -3, -0.0, 0.0, 3}, {0}, {NAN, -1, -0.0, 0.0, 1}},
	{SR_KERNEL_ROUND_NEAREST_EVEN, SR_F32, 1, 6, {-2.5, -0.4, 0.5, 1.5, 2.5, 0.4}, {0}, {-2, -0.0, 0, 2, 2, 0}},
	{SR_KERNEL_ROUND_NEAREST_AFZ, SR_F16, 1, 5, {-2.5, 0.4, 0.5, 1.5, 2.5}, {0}, {-3, 0, 1, 2, 3}},
	{SR_KERNEL_FLOOR, SR_F64, 1, 2, {-0.5, 1.5}, {0}, {-1, 1}},
	{SR_KERNEL_CEIL, SR_BF16, 1, 2, {-0.5, 1.5}, {0}, {-0.0, 2}},
	{SR_KERNEL_REMAINDER, SR_F64, 2, 4, {17.5, -17.5, 17.5, -17.5}, {3, 3, -3, -3}, {2.5, -2.5, 2.5, -2.5}},
	{SR_KERNEL_POWER, SR_F64, 2, 5, {-2, -0.0, -36, 5, 3}, {2, 2, 1.1, 2, -1}, {4, 0, NAN, 25, 1.0 / 3}},
	{SR_KERNEL_CBRT, SR_F64, 1, 3, {-8, 0, 27}, {0}, {-2, 0, 3}},
	{SR_KERNEL_LOGISTIC, SR_F32, 1, 4, {0, 1000, -1000, 1}, {0}, {0.5, 1, 0, 0.7310585786300049}},
	{SR_KERNEL_RSQRT, SR_F32, 1, 3, {4, 0, -1}, {0}, {0.5, INFINITY, NAN}},
	{SR_KERNEL_ATAN2, SR_F64, 2, 3, {0, 1, -1}, {1, 0, 0}, {0, M_PI_2, -M_PI_2}},
	{SR_KERNEL_EXPONENTIAL_MINUS_ONE, SR_F64, 1, 2, {0, 1}, {0}, {0, 1.718281828459045}},
	{SR_KERNEL_LOG_PLUS_ONE, SR_F64, 1, 3, {0, -1, -2}, {0}, {0, -INFINITY, NAN}},
	{SR_KERNEL_TANH, SR_F32, 1, 2, {0, 1}, {0}, {0, 0.7615941559557649}},
	{SR_KERNEL_ABS, SR_F64, 1, 2, {-0.0, -2}, {0}, {0, 2}},
	{SR_KERNEL_NEGATE, SR_BF16, 1, 2, {0, -2}, {0}, {-0.0, 2}},
	{SR_KERNEL_IMAG, SR_F32, 1, 1, {3}, {0}, {0}},
};

static bool close_to(double got, double expected, double tolerance)
{
	if (isnan(expected))
		return isnan(got) != 0;
	if (got == expected)
		return signbit(got) == signbit(expected);
	return fabs(got - expected) <= tolerance * fmax(1, fabs(expected));
}

START_TEST(float_maps)
{
	const struct float_case *c = &float_cases[_i];
	_Alignas(16) char a[N * 16], b[N * 16], out[N * 16];
	int bytes = sr_dtype_bytes(c->t);
	struct sr_map_params p = {.n = c->n, .in = (uint8_t)c->t, .out = (uint8_t)c->t};

	for (int i = 0; i < c->n; i++) {
		sr_element_set(c->t, a + i * bytes, 0, c->a[i], 0);
		sr_element_set(c->t, b + i * bytes, 0, c->b[i], 0);
	}
	run(c->k, c->t, &p, c->arity == 1 ? (void *[]){a, out} : (void *[]){a, b, out}, 0, c->n);
	for (int i = 0; i < c->n; i++) {
		double got;
		sr_element_get(c->t, out + i * bytes, NULL, &got, NULL);
		ck_assert_msg(close_to(got, c->want[i], c->t == SR_F64 ? 1e-15 : 1e-7), "%s %s [%d]: %.17g, not %.17g",
			      sr_kernel_name(c->k), sr_dtypes[c->t].name, i, got, c->want[i]);
	}
}
END_TEST

struct complex_case {
	enum sr_kernel k;
	int arity;
	double a[2], b[2], want[2];
};

static const struct complex_case complex_cases[] = {
	{SR_KERNEL_ADD, 2, {1, 2}, {3, 4}, {4, 6}},
	{SR_KERNEL_MULTIPLY, 2, {1, 2}, {3, 4}, {-5, 10}},
	{SR_KERNEL_DIVIDE, 2, {1.5, 2.5}, {2.5, 1.5}, {0.88235294117647056, 0.4705882352941177}},
	{SR_KERNEL_POWER, 2, {1.5, 2.5}, {2.5, 1.5}, {-1.5679313814305016, -2.6674775446623613}},
	{SR_KERNEL_POWER, 2, {0, 0}, {0, 0}, {1, 0}},
	{SR_KERNEL_SIGN, 1, {0, 2}, {0}, {0, 1}},
	{SR_KERNEL_SIGN, 1, {NAN, 0}, {0}, {NAN, NAN}},
	{SR_KERNEL_MAXIMUM, 2, {1, 5}, {1, 6}, {1, 6}},
	{SR_KERNEL_SQRT, 1, {-4, 0}, {0}, {0, 2}},
	{SR_KERNEL_EXPONENTIAL, 1, {0, M_PI}, {0}, {-1, 1.2246467991473532e-16}},
	{SR_KERNEL_EXPONENTIAL_MINUS_ONE, 1, {1e-20, 1e-20}, {0}, {1e-20, 1e-20}},
	{SR_KERNEL_LOG_PLUS_ONE, 1, {1e-20, 1e-20}, {0}, {1e-20, 1e-20}},
	{SR_KERNEL_CBRT, 1, {8, 0}, {0}, {2, 0}},
	{SR_KERNEL_ATAN2, 2, {1, 0}, {1, 0}, {M_PI_4, 0}},
	{SR_KERNEL_TANH, 1, {1, 0}, {0}, {0.76159415595576485, 0}},
};

START_TEST(complex_maps)
{
	const struct complex_case *c = &complex_cases[_i];
	double a[2] = {c->a[0], c->a[1]}, b[2] = {c->b[0], c->b[1]}, out[2];
	float float_a[2] = {(float)a[0], (float)a[1]}, float_b[2] = {(float)b[0], (float)b[1]}, float_out[2];
	struct sr_map_params p = {.n = 1};

	run(c->k, SR_C128, &p, c->arity == 1 ? (void *[]){a, out} : (void *[]){a, b, out}, 0, 1);
	run(c->k, SR_C64, &p, c->arity == 1 ? (void *[]){float_a, float_out} : (void *[]){float_a, float_b, float_out}, 0, 1);
	for (int i = 0; i < 2; i++) {
		ck_assert_msg(close_to(out[i], c->want[i], 1e-15) || out[i] == c->want[i], "%s [%d]: %.17g", sr_kernel_name(c->k),
			      i, out[i]);
		ck_assert_msg(close_to((double)float_out[i], c->want[i], 1e-6) || (double)float_out[i] == c->want[i], "%s f32 [%d]: %.9g",
			      sr_kernel_name(c->k), i, (double)float_out[i]);
	}
}
END_TEST

START_TEST(complex_to_real_and_back)
{
	float z[4] = {3, -4, 0, 7}, component[2], complex_values[4];
	struct sr_map_params p = {.n = 2};

	run(SR_KERNEL_ABS, SR_C64, &p, (void *[]){z, component}, 0, 2);
	ck_assert(component[0] == 5 && component[1] == 7);
	run(SR_KERNEL_IMAG, SR_C64, &p, (void *[]){z, component}, 0, 2);
	ck_assert(component[0] == -4 && component[1] == 7);
	run(SR_KERNEL_REAL, SR_C64, &p, (void *[]){z, component}, 0, 2);
	ck_assert(component[0] == 3 && component[1] == 0);
	p.scalar[1] = 1;
	run(SR_KERNEL_COMPLEX, SR_F32, &p, (void *[]){component, component, complex_values}, 0, 2);
	ck_assert(complex_values[0] == 3 && complex_values[1] == 3 && complex_values[2] == 0 && complex_values[3] == 3);
}
END_TEST

START_TEST(maps_keep_to_their_range_and_take_scalars)
{
	float a[5] = {1, 2, 3, 4, 5}, two = 2, out[5] = {0};
	uint8_t finite[3] = {9, 9, 9};
	float odd[3] = {1, INFINITY, NAN};
	struct sr_map_params p = {.n = 5, .scalar = {0, 1}};

	run(SR_KERNEL_MULTIPLY, SR_F32, &p, (void *[]){a, &two, out}, 1, 4);
	ck_assert(out[0] == 0 && out[1] == 4 && out[2] == 6 && out[3] == 8 && out[4] == 0);
	run(SR_KERNEL_MULTIPLY, SR_F32, &p, (void *[]){a, &two, a}, 0, 5);
	ck_assert(a[0] == 2 && a[4] == 10);
	p.scalar[0] = 1;
	run(SR_KERNEL_SUBTRACT, SR_F32, &p, (void *[]){&two, &two, out}, 0, 1);
	ck_assert(out[0] == 0);
	p.scalar[0] = 0;
	run(SR_KERNEL_IS_FINITE, SR_F32, &p, (void *[]){odd, finite}, 0, 3);
	ck_assert(finite[0] == 1 && finite[1] == 0 && finite[2] == 0);
}
END_TEST

/* ---- conversions ---- */

struct convert_case {
	enum sr_dtype from, to;
	int64_t i; /* value to convert, if `from` is an integer type */
	double d, im;
	int64_t want_i;
	double want_d, want_im;
};

static const struct convert_case convert_cases[] = {
	{SR_F32, SR_I32, 0, 3e9, 0, INT32_MAX, 0, 0},
	{SR_F32, SR_I32, 0, -3e9, 0, INT32_MIN, 0, 0},
	{SR_F32, SR_I32, 0, NAN, 0, 0, 0, 0},
	{SR_F32, SR_I32, 0, -1.9, 0, -1, 0, 0},
	{SR_F64, SR_I64, 0, 1e30, 0, INT64_MAX, 0, 0},
	{SR_F64, SR_UI8, 0, -1, 0, 0, 0, 0},
	{SR_F64, SR_UI8, 0, 300, 0, 255, 0, 0},
	{SR_F64, SR_UI64, 0, 1e30, 0, -1, 0, 0},
	{SR_BF16, SR_I4, 0, 100, 0, 7, 0, 0},
	{SR_I32, SR_I8, 300, 0, 0, 44, 0, 0},
	{SR_I8, SR_UI32, -1, 0, 0, 4294967295, 0, 0},
	{SR_I64, SR_I4, 9, 0, 0, -7, 0, 0},
	{SR_I32, SR_I1, -2, 0, 0, 1, 0, 0},
	{SR_F32, SR_I1, 0, 0.25, 0, 1, 0, 0},
	{SR_F32, SR_I1, 0, -0.0, 0, 0, 0, 0},
	{SR_C64, SR_I1, 0, 0, 1, 0, 0, 0}, /* the imaginary part is dropped */
	{SR_C128, SR_I32, 0, 2.5, 9, 2, 0, 0},
	{SR_I1, SR_F32, 1, 0, 0, 0, 1, 0},
	{SR_I64, SR_F32, 16777217, 0, 0, 0, 16777216, 0},
	{SR_UI64, SR_F64, -1, 0, 0, 0, 18446744073709551616.0, 0},
	{SR_F64, SR_F16, 0, 65520, 0, 0, INFINITY, 0},
	{SR_F64, SR_BF16, 0, 1.00390625000001, 0, 0, 1.0078125, 0},
	{SR_F32, SR_BF16, 0, 1.00390625, 0, 0, 1, 0},
	{SR_F32, SR_F8E4M3FN, 0, 17, 0, 0, 16, 0},
	{SR_F16, SR_F64, 0, 0.1, 0, 0, 0.0999755859375, 0},
	{SR_F32, SR_C128, 0, 2, 0, 0, 2, 0},
	{SR_C128, SR_C64, 0, 2, -3, 0, 2, -3},
	{SR_C64, SR_F32, 0, 2, -3, 0, 2, 0},
};

START_TEST(conversions)
{
	const struct convert_case *c = &convert_cases[_i];
	_Alignas(16) char in[16], out[3 * 16];
	struct sr_map_params p = {.n = 3, .scalar = {1}, .in = (uint8_t)c->from, .out = (uint8_t)c->to};

	sr_element_set(c->from, in, c->i, c->d, c->im);
	run(SR_KERNEL_CONVERT, c->from, &p, (void *[]){in, out}, 1, 3);
	for (int k = 1; k < 3; k++) {
		int64_t i = 0;
		double d = 0, im = 0;
		sr_element_get(c->to, out + k * sr_dtype_bytes(c->to), &i, &d, &im);
		ck_assert_msg(sr_dtype_is_integer(c->to) ? i == c->want_i : d == c->want_d && im == c->want_im,
			      "%s to %s: %lld %g %g", sr_dtypes[c->from].name, sr_dtypes[c->to].name, (long long)i, d, im);
	}
}
END_TEST

START_TEST(bitcasts)
{
	uint64_t word = 0x0123456789abcdef, joined_bits = 0;
	uint8_t bits[64];
	uint16_t quarters[4];
	int8_t nibbles[2];
	struct sr_map_params p = {.n = 64, .in = SR_I64, .out = SR_I1};

	run(SR_KERNEL_BITCAST, SR_I64, &p, (void *[]){&word, bits}, 0, 64);
	ck_assert(bits[0] == 1 && bits[4] == 0 && bits[5] == 1 && bits[56] == 1 && bits[57] == 0);
	p.in = SR_I1, p.out = SR_I64;
	run(SR_KERNEL_BITCAST, SR_I1, &p, (void *[]){bits, &joined_bits}, 0, 64);
	ck_assert(joined_bits == word);
	p.in = SR_F64, p.out = SR_UI16;
	run(SR_KERNEL_BITCAST, SR_F64, &p, (void *[]){&word, quarters}, 0, 4);
	ck_assert(quarters[0] == 0xcdef && quarters[3] == 0x0123);
	p.in = SR_UI8, p.out = SR_I4;
	run(SR_KERNEL_BITCAST, SR_UI8, &p, (void *[]){(uint8_t[]){0xf7}, nibbles}, 0, 2);
	ck_assert(nibbles[0] == 7 && nibbles[1] == -1);
}
END_TEST

/* ---- comparison, select ---- */

START_TEST(comparisons)
{
	double a[6] = {1, 2, 3, NAN, -0.0, -INFINITY}, b[6] = {2, 2, 2, NAN, 0.0, NAN};
	static const char *const expected[2][6] = {{"010010", "101101", "100000", "110010", "001000", "011010"},
					       {"010100", "101011", "100011", "110111", "001000", "011100"}};
	uint8_t out[6];

	for (int total = 0; total < 2; total++)
		for (int direction = SR_EQ; direction <= SR_GE; direction++) {
			struct sr_map_params p = {.n = 6, .variant = (uint8_t)(direction | total << 3)};
			run(SR_KERNEL_COMPARE, SR_F64, &p, (void *[]){a, b, out}, 0, 6);
			for (int i = 0; i < 6; i++)
				ck_assert_msg(out[i] == expected[total][direction][i] - '0', "total %d direction %d [%d]", total,
					      direction, i);
		}
	struct sr_map_params p = {.n = 1, .variant = SR_LT};
	run(SR_KERNEL_COMPARE, SR_UI8, &p, (void *[]){(uint8_t[]){1}, (uint8_t[]){255}, out}, 0, 1);
	ck_assert(out[0] == 1);
	run(SR_KERNEL_COMPARE, SR_I8, &p, (void *[]){(int8_t[]){1}, (int8_t[]){-1}, out}, 0, 1);
	ck_assert(out[0] == 0);
	p.variant = SR_NE;
	run(SR_KERNEL_COMPARE, SR_C64, &p, (void *[]){(float[]){1, 2}, (float[]){1, 3}, out}, 0, 1);
	ck_assert(out[0] == 1);
}
END_TEST

START_TEST(select_and_clamp)
{
	uint8_t pred[3] = {1, 0, 1}, one = 0;
	int32_t a[3] = {1, 2, 3}, b[3] = {4, 5, 6}, out[3];
	struct sr_map_params p = {.n = 3};

	run(SR_KERNEL_SELECT, SR_I32, &p, (void *[]){pred, a, b, out}, 0, 3);
	ck_assert(out[0] == 1 && out[1] == 5 && out[2] == 3);
	p.scalar[0] = 1;
	run(SR_KERNEL_SELECT, SR_I32, &p, (void *[]){&one, a, b, out}, 0, 3);
	ck_assert(out[0] == 4 && out[2] == 6);

	float lower_bound = -1, upper_bound = 1, in[4] = {-5, 0.5f, 5, NAN}, clamped_values[4];
	struct sr_map_params q = {.n = 4, .scalar = {1, 0, 1}};
	run(SR_KERNEL_CLAMP, SR_F32, &q, (void *[]){&lower_bound, in, &upper_bound, clamped_values}, 0, 4);
	ck_assert(clamped_values[0] == -1 && clamped_values[1] == 0.5f && clamped_values[2] == 1 && isnan(clamped_values[3]));
}
END_TEST

START_TEST(reduced_precision)
{
	double in[6] = {INFINITY, NAN, 5e-324, 0, 65505, 65520}, expected[6] = {INFINITY, NAN, 0, 0, 65504, INFINITY}, out[6];
	struct sr_map_params p = {.n = 6, .exponent_bits = 5, .mantissa_bits = 10};

	run(SR_KERNEL_REDUCE_PRECISION, SR_F64, &p, (void *[]){in, out}, 0, 6);
	for (int i = 0; i < 6; i++)
		ck_assert(close_to(out[i], expected[i], 0));
	p.mantissa_bits = 0;
	run(SR_KERNEL_REDUCE_PRECISION, SR_F64, &p, (void *[]){in + 1, out}, 0, 1);
	ck_assert(isinf(out[0]));
}
END_TEST

/* A slice that is updated in its buffer may be written by ranges of rows, in any order; a program has the range of all rows. */
START_TEST(slices_are_updated_by_rows)
{
	enum { PLANES = 2, ROWS = 6, COLUMNS = 5, TENSOR = PLANES * ROWS * COLUMNS, SLICE_ROWS = 4, SLICE_COLUMNS = 3 };
	static const int64_t ends[] = {4, 1, 3}, begins[] = {3, 0, 1};
	struct sr_dynamic_slice_params p = {.rank = 3, .bytes = 4, .index_type = SR_I64, .src = {PLANES, ROWS, COLUMNS},
					    .size = {1, SLICE_ROWS, SLICE_COLUMNS}};
	int64_t starts[] = {1, 7, 1}; /* 7 is clamped to ROWS - SLICE_ROWS */
	float in[TENSOR], in_place[TENSOR], copy[TENSOR] = {0}, expected[TENSOR], update[SLICE_ROWS * SLICE_COLUMNS];
	for (int i = 0; i < TENSOR; i++)
		in[i] = in_place[i] = expected[i] = (float)i;
	for (int i = 0; i < SLICE_ROWS * SLICE_COLUMNS; i++) {
		update[i] = (float)(1000 + i);
		expected[(ROWS + 2 + i / SLICE_COLUMNS) * COLUMNS + 1 + i % SLICE_COLUMNS] = update[i];
	}
	void *buffers[] = {in, update, starts, starts + 1, starts + 2, copy};
	run(SR_KERNEL_DYNAMIC_UPDATE_SLICE, SR_F32, &p, buffers, 0, SLICE_ROWS);
	buffers[0] = buffers[5] = in_place;
	for (int i = 0; i < 3; i++)
		run(SR_KERNEL_DYNAMIC_UPDATE_SLICE, SR_F32, &p, buffers, begins[i], ends[i]);
	ck_assert_mem_eq(copy, expected, sizeof expected);
	ck_assert_mem_eq(in_place, expected, sizeof expected);
	const int64_t bytes[] = {sizeof in, sizeof update, 8, 8, 8, sizeof in};
	for (int64_t range = 0; range <= SLICE_ROWS + 1; range++) {
		struct sr_kernel_call call = {.kernel = SR_KERNEL_DYNAMIC_UPDATE_SLICE, .type = SR_F32, .params = &p,
					      .n_params = sizeof p, .n_buffers = 6, .bytes = bytes, .range = range};
		ck_assert_int_eq(sr_kernel_check(&call), range == SLICE_ROWS);
	}
}
END_TEST

#include "kernels_shaped.h"
#include "kernels_nest.h"
#include "tests/unit/kernels_folds.h"

/* Products of many rows are divided into an even number of calls, so that two workers share them equally. */
START_TEST(product_calls)
{
	static const int64_t rows_per_call[][2] = {{511, 511}, {512, 256}, {768, 384}, {1024, 512}, {1530, 768}, {1536, 384}};
	for (size_t i = 0; i < sizeof rows_per_call / sizeof *rows_per_call; i++) {
		struct sr_product_params p = {.batch = 1, .m = rows_per_call[i][0], .n = 2048, .k = 1024, .out = SR_BF16, .rhs = SR_BF16};
		ck_assert_int_eq(sr_kernel_split_of(SR_KERNEL_PRODUCT, &p).grain, rows_per_call[i][1]);
	}
	struct sr_product_params narrow = {.batch = 1, .m = 100000, .n = 64, .k = 64, .out = SR_F64, .rhs = SR_F64};
	ck_assert_int_eq(sr_kernel_split_of(SR_KERNEL_PRODUCT, &narrow).grain, 25000);
	struct sr_product_params complex = {.batch = 1, .m = 600, .n = 300, .k = 300, .out = SR_C64, .rhs = SR_C64};
	ck_assert_int_eq(sr_kernel_split_of(SR_KERNEL_PRODUCT, &complex).grain, 304);
}
END_TEST

/* Chunks of whole matrices have at least 2 million FLOPs, chunks of columns 8 million, chunks of rows 34 million
 * and an even number; two chunks of rows, or of columns of few rows, 1 million. Large results have 8 or 16 chunks of rows or
 * columns, whichever are more. Small results with long sums have up to 8 chunks of terms. */
START_TEST(product_chunks)
{
	static const int64_t cases[][5] = {
		{2, 128, 64, 64, 1}, {2, 128, 128, 64, 2}, {2, 128, 1024, 64, 2}, {8, 128, 128, 64, 4}, {1, 128, 256, 64, 2},
		{1, 128, 1024, 64, 2}, {1, 1024, 25152, 768, 16}, {1, 25152, 768, 1024, 16}, {1, 8192, 3072, 768, 8},
		{1, 1024, 1536, 768, 4}, {1, 25152, 768, 1, 2}, {1, 512, 512, 512, 2}, {1, 512, 1024, 64, 2}, {1, 512, 128, 256, 2},
		{1, 511, 512, 512, 2}, {1, 768, 384, 384, 4}, {1, 128, 64, 64, 1}, {1, 64, 128, 8192, 8}, {1, 63, 128, 1000, 1},
		{1, 32, 256, 256, 2}, {1, 32, 255, 512, 1}, {1, 32, 256, 64, 1},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const int64_t *c = cases[i]; /* matrices, rows, columns, terms, chunks */
		struct sr_product_params p = {.batch = c[0], .m = c[1], .n = c[2], .k = c[3], .out = SR_F32, .rhs = SR_F32};
		ck_assert_int_eq(sr_kernel_chunk_count(SR_KERNEL_PRODUCT, &p), c[4]);
	}
}
END_TEST

/* Chunks of columns are contiguous and cover the result. */
START_TEST(column_chunks_of_many_rows)
{
	struct sr_product_params p = {.batch = 1, .m = 1024, .n = 25155, .k = 768, .out = SR_F32, .rhs = SR_F32};
	p.lhs_m = p.rhs_n = p.k;
	p.lhs_k = p.rhs_k = 1;
	int64_t column = 0;
	for (int64_t i = 0, n = sr_kernel_chunk_count(SR_KERNEL_PRODUCT, &p); i < n; i++) {
		struct sr_kernel_chunk chunk;
		sr_kernel_get_chunk(SR_KERNEL_PRODUCT, SR_F32, &p, i, n, &chunk);
		ck_assert_int_eq(chunk.range, 1024);
		ck_assert_int_eq(chunk.params.product.out_m, 25155);
		ck_assert_int_eq(chunk.offset[0], 0);
		ck_assert_int_eq(chunk.offset[1], column * 768 * 4);
		ck_assert_int_eq(chunk.offset[2], column * 4);
		column += chunk.params.product.n;
	}
	ck_assert_int_eq(column, 25155);
}
END_TEST

/* A weighted sum, x[0] * w + x[1] * w + ..., is one op of vector code for each product. */
START_TEST(weighted_sums_are_one_op_for_each_product)
{
	enum { TERMS = 5, LENGTH = 300 };
	static float in[LENGTH + TERMS], got[LENGTH];
	struct nest_case *c = calloc(1, sizeof *c);
	const float weight = 0.75F;
	memcpy(c->constants, &weight, sizeof weight);
	c->nest = (struct sr_nest){.n_loops = 1, .n_parallel = 1, .n_inputs = 1, .n_outputs = 1, .n_stages = 1,
				   .constant_bytes = 16, .extent = {LENGTH}, .n_accesses = TERMS};
	int w = new_instr(c, (struct sr_nest_instr){.op = SR_NEST_CONSTANT}, 0, true), sum = -1;
	for (int k = 0; k < TERMS; k++) {
		struct sr_nest_instr multiply = {.op = SR_NEST_MAP, .kernel = SR_KERNEL_MULTIPLY, .n_args = 2};
		struct sr_nest_instr add = {.op = SR_NEST_MAP, .kernel = SR_KERNEL_ADD, .n_args = 2};
		c->accesses[k] = (struct sr_nest_access){.offset = k, .fill = -1, .stride = {1}};
		multiply.args[0] = new_instr(c, (struct sr_nest_instr){.op = SR_NEST_LOAD, .access = k}, 0, true);
		multiply.args[1] = w;
		add.args[0] = sum;
		add.args[1] = sum = new_instr(c, multiply, 0, true);
		sum = k ? new_instr(c, add, 0, true) : sum;
	}
	new_store(c, 0, 1, sum, 0);
	for (int v = 0; v < c->nest.n_values; v++)
		c->values[v].dtype = SR_F32;
	for (int i = 0; i < c->nest.n_instrs; i++)
		c->instrs[i].type = SR_F32;
	for (int i = 0; i < LENGTH + TERMS; i++)
		in[i] = (float)(i % 37) / 7;
	struct sr_nest *nest = pack_nest(c);
	struct sr_nest_prepared *r = sr_nest_prepare(nest, &table, SR_NEST_STREAM_BYTES);
	ck_assert_int_eq(r->code->n_groups, 1);
	ck_assert_int_le(r->code->groups[0].n_steps, TERMS + 2); /* the store of the result, and the end */
	execute_nest(r, (void *[]){in, got});
	for (int i = 0; i < LENGTH; i++) {
		float want = in[i] * weight;
		for (int k = 1; k < TERMS; k++)
			want += in[i + k] * weight;
		ck_assert(!memcmp(&want, &got[i], sizeof want));
	}
	release_case(c, nest, r);
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("kernels");
	TCase *t = tcase_create("elementwise");

	tcase_add_checked_fixture(t, setup, NULL);
	tcase_add_test(t, every_kernel_has_the_types_of_its_classes);
	tcase_add_test(t, product_calls);
	tcase_add_test(t, product_chunks);
	tcase_add_test(t, column_chunks_of_many_rows);
	tcase_add_test(t, names_are_ids_in_lower_case);
	tcase_add_loop_test(t, integer_maps, 0, (int)(sizeof(int_cases) / sizeof(*int_cases)));
	tcase_add_loop_test(t, float_maps, 0, (int)(sizeof(float_cases) / sizeof(*float_cases)));
	tcase_add_loop_test(t, complex_maps, 0, (int)(sizeof(complex_cases) / sizeof(*complex_cases)));
	tcase_add_loop_test(t, conversions, 0, (int)(sizeof(convert_cases) / sizeof(*convert_cases)));
	tcase_add_test(t, complex_to_real_and_back);
	tcase_add_test(t, maps_keep_to_their_range_and_take_scalars);
	tcase_add_test(t, bitcasts);
	tcase_add_test(t, comparisons);
	tcase_add_test(t, select_and_clamp);
	tcase_add_test(t, reduced_precision);
	tcase_add_test(t, slices_are_updated_by_rows);
	tcase_add_loop_test(t, nests_match_point_by_point_evaluation, 0, 10);
	tcase_add_loop_test(t, recorded_tiles_match_point_by_point_evaluation, 0, 10);
	tcase_add_loop_test(t, kept_values_match_point_by_point_evaluation, 0, 5);
	tcase_add_loop_test(t, interleaved_stores_match_point_by_point_evaluation, 0, 6);
	tcase_add_loop_test(t, interleaved_loads_match_point_by_point_evaluation, 0, 6);
	tcase_add_loop_test(t, stencils_match_point_by_point_evaluation, 0, 6);
	tcase_add_test(t, tiles_at_opposite_ends_are_of_different_classes);
	tcase_add_test(t, stored_values_are_written_in_place);
	tcase_add_test(t, results_of_vector_code_are_streamed);
	tcase_add_test(t, bodies_of_folds_are_vector_code);
	tcase_add_loop_test(t, indices_of_extrema_are_counted, 0, 2);
	tcase_add_test(t, float_expressions_match_point_by_point_evaluation);
	tcase_add_test(t, weighted_sums_are_one_op_for_each_product);
	tcase_add_test(t, tiles_of_columns_have_several_rows);
	tcase_add_test(t, computed_indices_of_rows_are_invariant);
	tcase_add_test(t, nests_stream_large_outputs);
	tcase_add_loop_test(t, small_nests_as_code_match_point_by_point_evaluation, 0, 10);
	tcase_add_test(t, corrupted_nests_are_refused);
	suite_add_tcase(s, t);
	suite_add_tcase(s, shaped_tests());
	return s;
}

int main(void)
{
	return sr_run_suite(suite());
}
