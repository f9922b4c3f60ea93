/* Every fast kernel compared with the reference, for each instruction set of this machine: bit-equal, or within some roundings
 * for functions and for sums in another order. */
#include "kernels/fast/fast.h"
#include "support/knobs/knobs.h"
#include "tests/unit/suite.h"
#include <dirent.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

enum { MAX = 1200 };

static struct sr_kernels reference, fast[SR_ISA_COUNT];
static int n_isa;
static uint64_t seed = 1;

static void fill_tables(void)
{
	sr_kernels_init(&reference);
	n_isa = (int)sr_isa_detect() + 1;
	for (int i = 0; i < n_isa; i++) {
		sr_kernels_init(&fast[i]);
		sr_kernels_fast_init_isa(&fast[i], (enum sr_isa)i);
	}
}

static void setup(void)
{
	if (sr_blas_core_of(sr_isa_detect()))
		setenv("OPENBLAS_CORETYPE", sr_blas_core_of(sr_isa_detect()), 1);
	ck_assert_ptr_null(sr_blas_open());
	const char *message;
	uint64_t library = sr_dnnl_open(sr_cpu_features(), &message);
	sr_dnnl_limit(library, library);
	fill_tables();
}

static uint64_t next_random(void)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return seed >> 33;
}

/* Fill an array with ordinary values, and if `with_special` also NaN, infinities and extreme values. */
static void fill_array(enum sr_dtype t, void *to, int64_t n, bool with_special)
{
	static const double odd[] = {NAN, INFINITY, -INFINITY, 0.0, -0.0, 1, -1, 1e-40, 3e38, 0.5};

	for (int64_t i = 0; i < n; i++) {
		double v = (double)(int64_t)(next_random() % 2001) / 250 - 4;
		if (with_special && next_random() % 8 == 0)
			v = odd[next_random() % 10];
		int64_t integer = with_special && next_random() % 8 == 0 ? INT32_MIN : (int64_t)(next_random() % 41) - 20;
		sr_element_set(t, (char *)to + i * sr_dtype_bytes(t), t == SR_I1 ? integer & 1 : integer, v,
			       (double)(next_random() % 100) / 50 - 1);
	}
}

static bool are_close(enum sr_dtype t, const void *a, const void *b, double tolerance)
{
	double x = 0, y = 0, xi = 0, yi = 0;
	int64_t i = 0, j = 0;

	if (memcmp(a, b, (size_t)sr_dtype_bytes(t)) == 0)
		return true;
	if (sr_dtype_is_integer(t))
		return false;
	sr_element_get(t, a, &i, &x, &xi);
	sr_element_get(t, b, &j, &y, &yi);
	if ((t == SR_C64 || t == SR_C128) && !(isfinite(x) && isfinite(xi))) {
		enum sr_dtype part = t == SR_C64 ? SR_F32 : SR_F64;
		int64_t bytes = sr_dtype_bytes(part);
		return are_close(part, a, b, tolerance) && are_close(part, (const char *)a + bytes, (const char *)b + bytes, tolerance);
	}
	if (isnan(x) && isnan(y))
		return true;
	double e = tolerance * (t == SR_F64 || t == SR_C128 ? 0x1p-52 : t == SR_BF16 ? 0x1p-7 : t == SR_F16 ? 0x1p-10 : 0x1p-23);
	return hypot(x - y, xi - yi) <= e * fmax(hypot(x, xi), 0x1p-126);
}

/* Return scratch of exactly the size that the kernel requires. */
static void *exact_scratch(const struct sr_kernels *table, enum sr_kernel k, enum sr_dtype t, const void *params)
{
	static void *scratch;
	free(scratch);
	scratch = aligned_alloc(64, ((size_t)sr_kernel_call_scratch(table, k, t, params) + 63) / 64 * 64);
	return scratch;
}

static void check_chunks_of_kernel(enum sr_kernel k, enum sr_dtype t, enum sr_dtype out_t, const void *params, void **in, int n_in, int64_t n_out,
		  int64_t begin, int64_t end, double tolerance)
{
	size_t bytes = (size_t)n_out * (size_t)sr_dtype_bytes(out_t);
	char *expected = calloc(bytes + 1, 1), *got = calloc(bytes + 1, 1);
	void *buffers[8];

	memcpy(buffers, in, (size_t)n_in * sizeof(*in));
	buffers[n_in] = expected;
	reference.fn[k][t](params, buffers, NULL, begin, end);
	buffers[n_in] = got;
	for (int isa = 0; isa < n_isa; isa++) {
		memset(got, 0, bytes);
		fast[isa].fn[k][t](params, buffers, exact_scratch(&fast[isa], k, t, params), begin, end);
		for (int64_t i = 0; i < n_out; i++) {
			const char *w = expected + i * sr_dtype_bytes(out_t), *g = got + i * sr_dtype_bytes(out_t);
			double x = 0, y = 0, imaginary;
			int64_t unused_integer;
			sr_element_get(out_t, w, &unused_integer, &x, &imaginary);
			sr_element_get(out_t, g, &unused_integer, &y, &imaginary);
			ck_assert_msg(are_close(out_t, w, g, tolerance), "%s %s isa %d [%d of %d]: %.17g, not %.17g", sr_kernel_name(k),
				      sr_dtypes[t].name, isa, (int)i, (int)n_out, y, x);
		}
	}
	free(expected);
	free(got);
}

/* Tolerance, in units in the last place, of functions that do not come from the C library (elementary.h); 0: bit-equal. */
static double max_ulps(enum sr_kernel k)
{
	switch (k) {
	case SR_KERNEL_EXPONENTIAL:
	case SR_KERNEL_EXPONENTIAL_MINUS_ONE:
	case SR_KERNEL_LOG:
	case SR_KERNEL_LOG_PLUS_ONE:
	case SR_KERNEL_LOGISTIC:
	case SR_KERNEL_SINE:
	case SR_KERNEL_COSINE:
	case SR_KERNEL_TAN:
	case SR_KERNEL_TANH:
	case SR_KERNEL_CBRT:
	case SR_KERNEL_POWER:
	case SR_KERNEL_ATAN2:
		return 8;
	default:
		return 0;
	}
}

static int arity(enum sr_kernel k)
{
#define MAP(id, name, arity_, ...) [SR_KERNEL_##id] = arity_,
	static const int arities[SR_KERNEL_COUNT] = {
#include "kernels/map/map.ops"
	};
	return arities[k];
}

/* The selected instruction set is the last one all of whose features are present, even if an earlier one lacks a feature. A limit
 * on instruction sets is a set of features, too. */
START_TEST(instruction_sets_are_selected_by_features)
{
	uint64_t avx2 = sr_isa_features(SR_ISA_AVX2), all = sr_isa_features(SR_ISA_AVX512);

	ck_assert_int_eq(sr_isa_select(0), SR_ISA_BASE);
	ck_assert_int_eq(sr_isa_select(avx2), SR_ISA_AVX2);
	ck_assert_int_eq(sr_isa_select(avx2 | SR_FEATURE(AVX512)), SR_ISA_AVX512);
	ck_assert_int_eq(sr_isa_select(all & ~SR_FEATURE(VNNI)), SR_ISA_AVX512);
	ck_assert_int_eq(sr_isa_select(all & ~SR_FEATURE(AVX512)), SR_ISA_AVX2);
	ck_assert_int_eq(sr_isa_select(all & ~SR_FEATURE(FMA)), SR_ISA_BASE);
	ck_assert(!(avx2 & SR_FEATURE(VNNI)) && (all & SR_FEATURE(VNNI)));
	ck_assert(sr_isa_is_within(sr_isa_detect(), sr_cpu_features()));
	ck_assert_int_eq(sr_isa_find("avx2,avx512", 4), SR_ISA_AVX2);
	ck_assert_int_eq(sr_isa_find("avx", 3), SR_ISA_COUNT);
}
END_TEST

/* OpenBLAS uses the core that a program sets for its process. */
START_TEST(blas_core)
{
	static const char *const cores[SR_ISA_COUNT] = {"Nehalem", "Haswell", "SkylakeX"};

	ck_assert(sr_blas_is_open());
	if (sr_isa_detect() != SR_ISA_BASE && strstr(sr_blas_version(), "DYNAMIC_ARCH"))
		ck_assert_str_eq(sr_blas_core(), cores[sr_isa_detect()]);
}
END_TEST

/* Return the result type of a kernel, which may differ from the operand's. */
static enum sr_dtype result_type(enum sr_kernel k, enum sr_dtype t)
{
	bool is_double = t == SR_F64 || t == SR_C128;

	if (k == SR_KERNEL_COMPLEX)
		return is_double ? SR_C128 : SR_C64;
	if ((k == SR_KERNEL_ABS || k == SR_KERNEL_REAL || k == SR_KERNEL_IMAG) && (t == SR_C64 || t == SR_C128))
		return is_double ? SR_F64 : SR_F32;
	return t;
}

START_TEST(maps)
{
	_Alignas(32) char a[MAX * 8], b[MAX * 8];

	for (int k = SR_KERNEL_NONE + 1; k < SR_KERNEL_COUNT; k++)
		for (int t = SR_DTYPE_NONE + 1; t < SR_DTYPE_COUNT; t++) {
			if (fast[0].fn[k][t] == reference.fn[k][t] || (arity((enum sr_kernel)k) == 0 && k != SR_KERNEL_COMPLEX))
				continue;
			for (int round = 0; round < 8; round++) {
				int64_t n = round < 4 ? 67 : round, begin = round & 1;
				struct sr_map_params p = {.n = n, .scalar = {(uint8_t)(round >> 1 & 1), (uint8_t)(round & 1)}};
				fill_array((enum sr_dtype)t, a, n, round % 3 != 0);
				fill_array((enum sr_dtype)t, b, n, round % 3 != 0);
				enum sr_dtype out = result_type((enum sr_kernel)k, (enum sr_dtype)t);
				/* a product and a sum may be rounded together (FMA) */
				bool complex = sr_dtypes[t].class == SR_CLASS_COMPLEX;
				check_chunks_of_kernel((enum sr_kernel)k, (enum sr_dtype)t, out, &p, (void *[]){a, b}, sr_kernel_arity((enum sr_kernel)k), n, begin, n,
				      complex ? 2 : max_ulps((enum sr_kernel)k));
			}
		}
}
END_TEST

/* Return the error of `got` against `true_result` in units in the last place; infinite if signed zeros, infinities or NaN differ.
 * `rounded_value` is `true_result` rounded to a type with `digits` digits; `min_exponent` is the exponent of its smallest denormal.
 */
static double ulp_distance(double got, long double true_result, double rounded_value, int digits, int min_exponent)
{
	int e;

	if (isnan(rounded_value))
		return isnan(got) ? 0 : INFINITY;
	if (isinf(rounded_value) || rounded_value == 0)
		return got == rounded_value && signbit(got) == signbit(rounded_value) ? 0 : INFINITY;
	frexpl(true_result, &e);
	return (double)fabsl((long double)got - true_result) / ldexp(1, (e < min_exponent ? min_exponent : e) - digits);
}

static const struct {
	enum sr_kernel kernel;
	double units; /* maximum error in f64 in units in the last place; for f32 functions, which compute in double, it is 0.51 */
	long double (*exact)(long double), (*exact_2)(long double, long double);
} own_functions[] = {
	{SR_KERNEL_EXPONENTIAL, 1, expl, NULL},
	{SR_KERNEL_EXPONENTIAL_MINUS_ONE, 1.2, expm1l, NULL},
	{SR_KERNEL_LOG, 1, logl, NULL},
	{SR_KERNEL_LOG_PLUS_ONE, 1, log1pl, NULL},
	{SR_KERNEL_SINE, 1, sinl, NULL},
	{SR_KERNEL_COSINE, 1, cosl, NULL},
	{SR_KERNEL_TAN, 1.2, tanl, NULL},
	{SR_KERNEL_TANH, 2.75, tanhl, NULL},
	{SR_KERNEL_CBRT, 1, cbrtl, NULL},
	{SR_KERNEL_ATAN2, 1, NULL, atan2l},
	{SR_KERNEL_POWER, 1.25, NULL, powl},
	{SR_KERNEL_REMAINDER, 0, NULL, fmodl},
};

static long double exact_value(int f, double x, double y)
{
	return own_functions[f].exact ? own_functions[f].exact((long double)x)
				      : own_functions[f].exact_2((long double)x, (long double)y);
}

static float test_float(int i)
{
	static const float odd[] = {0.f, -0.f, INFINITY, -INFINITY, NAN, 1e-45f, -1e-39f, 88.8f, -103.9f, -200.f};
	uint32_t bits = (uint32_t)next_random() ^ (uint32_t)(next_random() << 31);
	float random_float;

	memcpy(&random_float, &bits, sizeof random_float);
	return i < 10 ? odd[i] : i % 2 ? random_float : (float)(next_random() % 20000) / 100 - 100;
}

START_TEST(own_elementary_functions_are_accurate)
{
	enum { N = 4096, ROUNDS = 16 };
	static float x[N], y[N], result[N];
	static double x_f64[N], y_f64[N], result_f64[N];
	enum sr_kernel k = own_functions[_i].kernel;
	bool one = own_functions[_i].exact != NULL, in_float = k == SR_KERNEL_EXPONENTIAL || own_functions[_i].units > 2;
	double max_ulps_f64 = own_functions[_i].units, max_ulps = in_float ? max_ulps_f64 : 0.51;
	struct sr_map_params p = {.n = N};

	for (int round = 0; round < ROUNDS * n_isa; round++) {
		const struct sr_kernels *table = &fast[round % n_isa];
		for (int i = 0; i < N; i++) {
			x[i] = test_float(i);
			y[i] = i % 4 == 1 ? (float)(next_random() % 41) - 20 : test_float((int)(next_random() % N));
			x_f64[i] = ldexp((double)x[i], i < 10 ? 0 : i % 8 * (round % 3 ? 1 : 100));
			y_f64[i] = (double)y[i];
		}
		table->fn[k][SR_F32](&p, one ? (void *[]){x, result} : (void *[]){x, y, result}, NULL, 0, N);
		table->fn[k][SR_F64](&p, one ? (void *[]){x_f64, result_f64} : (void *[]){x_f64, y_f64, result_f64}, NULL, 0, N);
		for (int i = 0; i < N; i++) {
			long double exact_result = exact_value(_i, (double)x[i], (double)y[i]),
				    exact_result_f64 = exact_value(_i, x_f64[i], y_f64[i]);
			double error = ulp_distance((double)result[i], exact_result, (double)(float)exact_result, 24, -125);
			double error_f64 = ulp_distance(result_f64[i], exact_result_f64, (double)exact_result_f64, 53, -1021);
			ck_assert_msg(error <= max_ulps, "%s(%a, %a) is not %a: %g", sr_kernel_name(k), x[i], y[i], result[i], error);
			ck_assert_msg(error_f64 <= max_ulps_f64, "%s(%a, %a) is not %a: %g", sr_kernel_name(k), x_f64[i], y_f64[i],
				      result_f64[i], error_f64);
		}
	}
}
END_TEST

/* Quotients of complex<f64> have small errors, relative to their absolute values, also where the squares of the operands overflow
 * or underflow. */
START_TEST(complex_quotients_are_accurate)
{
	enum { N = 4096 };
	static const int ranges[] = {0, 30, 400, 1000};
	static double _Complex x[N], y[N], result[N];
	const struct sr_kernels *table = &fast[_i];
	struct sr_map_params p = {.n = N};

	if (_i >= n_isa)
		return;
	ck_assert(table->fn[SR_KERNEL_DIVIDE][SR_C128] != reference.fn[SR_KERNEL_DIVIDE][SR_C128]);
	for (int round = 0; round < 4; round++) {
		fill_array(SR_C128, x, N, false);
		fill_array(SR_C128, y, N, false);
		for (int i = 0; i < N; i++) {
			uint64_t width = 2 * (uint64_t)ranges[round] + 1;
			x[i] *= ldexp(1, (int)(next_random() % width) - ranges[round]);
			y[i] *= ldexp(1, (int)(next_random() % width) - ranges[round]);
		}
		table->fn[SR_KERNEL_DIVIDE][SR_C128](&p, (void *[]){x, y, result}, NULL, 0, N);
		for (int i = 0; i < N; i++) {
			long double a = __real__ x[i], b = __imag__ x[i], c = __real__ y[i], d = __imag__ y[i];
			long double square = c * c + d * d;
			long double re = (a * c + b * d) / square, im = (b * c - a * d) / square, size = hypotl(re, im);
			if (size < 0x1p-960L || size > 0x1p1023L)
				continue;
			long double error = hypotl(re - __real__ result[i], im - __imag__ result[i]) / size;
			ck_assert_msg(error <= 2 * 0x1p-52L, "(%La, %La) / (%La, %La) is (%La, %La), not (%a, %a)", a, b, c, d,
				      re, im, __real__ result[i], __imag__ result[i]);
		}
	}
}
END_TEST

/* Exponentials of complex<f64> have small errors in each part, also where only the exponential of the real part overflows. */
START_TEST(complex_exponentials_are_accurate)
{
	enum { N = 4096 };
	static double _Complex x[N], result[N];
	const double infinity = (double)INFINITY;
	const struct sr_kernels *table = &fast[_i];
	struct sr_map_params p = {.n = N};

	if (_i >= n_isa)
		return;
	ck_assert(table->fn[SR_KERNEL_EXPONENTIAL][SR_C128] != reference.fn[SR_KERNEL_EXPONENTIAL][SR_C128]);
	fill_array(SR_C128, x, N, false);
	for (int i = 0; i < N; i++)
		x[i] *= i % 4 == 0 ? 1 : i % 4 == 1 ? 20 : ldexp(1, (int)(next_random() % 20) - 10);
	x[0] = __builtin_complex(709.9, 1.5707963267948966);
	x[1] = __builtin_complex(745., 1.5707963267948966);
	table->fn[SR_KERNEL_EXPONENTIAL][SR_C128](&p, (void *[]){x, result}, NULL, 0, N);
	for (int i = 0; i < N; i++) {
		long double a = __real__ x[i], b = __imag__ x[i], parts[] = {expl(a) * cosl(b), expl(a) * sinl(b)};
		double computed[] = {__real__ result[i], __imag__ result[i]};
		for (int k = 0; k < 2; k++) {
			double rounded = (double)parts[k], error = ulp_distance(computed[k], parts[k], rounded, 53, -1021);
			ck_assert_msg(error <= (a > 700 ? 3 : 2.5), "part %d of exp(%a, %a) is not %a: %g", k, (double)a,
				      (double)b, computed[k], error);
		}
	}
	const double _Complex special[] = {__builtin_complex(infinity, 0.), __builtin_complex(-infinity, -0.),
					   __builtin_complex(1., infinity), __builtin_complex((double)NAN, 0.)};
	p.n = 4;
	table->fn[SR_KERNEL_EXPONENTIAL][SR_C128](&p, (void *[]){(void *)special, result}, NULL, 0, 4);
	ck_assert(__real__ result[0] == infinity && __imag__ result[0] == 0);
	ck_assert(__real__ result[1] == 0 && __imag__ result[1] == 0 && signbit(__imag__ result[1]));
	ck_assert(isnan(__real__ result[2]) && isnan(__imag__ result[2]));
	ck_assert(isnan(__real__ result[3]) && __imag__ result[3] == 0);
}
END_TEST

static bool have_same_bits(enum sr_dtype t, const char *a, const char *b)
{
	enum sr_dtype part = t == SR_C64 ? SR_F32 : t == SR_C128 ? SR_F64 : t;
	if (part != t)
		return have_same_bits(part, a, b) && have_same_bits(part, a + sr_dtype_bytes(part), b + sr_dtype_bytes(part));
	double x = 0, y = 0;
	if (!memcmp(a, b, (size_t)sr_dtype_bytes(t)))
		return true;
	if (!sr_dtype_is_float(t))
		return false;
	sr_element_get(t, a, NULL, &x, NULL);
	sr_element_get(t, b, NULL, &y, NULL);
	return isnan(x) && isnan(y);
}

/* Each elementwise function gives an element the same bits alone and at every position of a range of any length, with other
 * elements and with a scalar. */
START_TEST(bits_of_an_element_do_not_depend_on_its_position)
{
	enum { MAX_ROW_LENGTH = 67 };
	_Alignas(64) char a[MAX_ROW_LENGTH * 16], b[MAX_ROW_LENGTH * 16], one[MAX_ROW_LENGTH * 16], many[MAX_ROW_LENGTH * 16];
	const struct sr_kernels *table = &fast[_i % SR_ISA_COUNT];

	if (_i % SR_ISA_COUNT >= n_isa)
		return;
	for (int k = SR_KERNEL_NONE + 1; k < SR_KERNEL_CONVERT; k++)
		for (int t = SR_DTYPE_NONE + 1; t < SR_DTYPE_COUNT; t++) {
			enum sr_dtype type = (enum sr_dtype)t, out = k == SR_KERNEL_IS_FINITE
				? SR_I1 : result_type((enum sr_kernel)k, type);
			int64_t bytes = sr_dtype_bytes(out), n_in = sr_kernel_arity((enum sr_kernel)k);
			struct sr_map_params p = {.n = MAX_ROW_LENGTH, .scalar = {0, (uint8_t)(_i / SR_ISA_COUNT)}};
			if (!table->fn[k][t])
				continue;
			fill_array(type, a, MAX_ROW_LENGTH, true);
			fill_array(type, b, MAX_ROW_LENGTH, true);
			for (int64_t i = 0; i < MAX_ROW_LENGTH; i++)
				table->fn[k][t](&p, n_in == 2 ? (void *[]){a, b, one} : (void *[]){a, one}, NULL, i, i + 1);
			for (int64_t n = 1; n <= MAX_ROW_LENGTH; n++) {
				table->fn[k][t](&p, n_in == 2 ? (void *[]){a, b, many} : (void *[]){a, many}, NULL, MAX_ROW_LENGTH - n,
						MAX_ROW_LENGTH);
				for (int64_t i = MAX_ROW_LENGTH - n; i < MAX_ROW_LENGTH; i++)
					ck_assert_msg(have_same_bits(out, one + i * bytes, many + i * bytes),
						      "%s of %s isa %d: element %d of %d differs",
						      sr_kernel_name((enum sr_kernel)k), sr_dtypes[t].name, _i % SR_ISA_COUNT,
						      (int)i, (int)n);
			}
		}
}
END_TEST

#define COUNT_OF(list) (int)(sizeof(list) / sizeof *(list))

START_TEST(quotients_by_powers_of_two)
{
	_Alignas(32) uint32_t a[MAX], d[1];

	for (int k = 0; k < 64; k++) {
		struct sr_map_params p = {.n = 50, .scalar = {0, 1}};
		d[0] = ((uint32_t)1 << k / 2) - (uint32_t)(k & 1); /* divisors: powers of two, other numbers, and zero */
		fill_array(SR_UI32, a, 50, true);
		check_chunks_of_kernel(SR_KERNEL_DIVIDE, SR_UI32, SR_UI32, &p, (void *[]){a, d}, 2, 50, 0, 50, 0);
	}
}
END_TEST

/* Check every quotient and remainder of 8-bit integers, and for wider integers those next to multiples of the divisor, where
 * rounding shows. */
START_TEST(quotients_of_integers)
{
	static const enum sr_dtype types[] = {SR_I8, SR_UI8, SR_I16, SR_UI16, SR_I32, SR_UI32, SR_I64, SR_UI64};
	static const int64_t edges[] = {0, 1, -1, 2, -2, INT64_MAX, INT64_MIN, INT64_MIN + 1};
	enum sr_dtype t = types[_i % 8];
	bool one_divisor = _i >= 8;
	enum { N = 256 };
	_Alignas(64) char a[N * 8], b[N * 8];
	struct sr_map_params p = {.n = N, .scalar = {0, one_divisor}};

	for (int round = 0; round < 256; round++) {
		int shift = (int)(next_random() % (uint64_t)sr_dtypes[t].bits), delta = (int)(next_random() % 3) - 1;
		int64_t divisor = sr_dtypes[t].bits == 8 ? round : (int64_t)(next_random() << 33 ^ next_random()) >> (64 - sr_dtypes[t].bits + shift);
		if (sr_dtypes[t].bits == 64 && round < COUNT_OF(edges))
			divisor = edges[round];
		for (int64_t i = 0; i < N; i++) {
			int64_t y = one_divisor ? divisor : (int64_t)((uint64_t)divisor + (uint64_t)i % 5);
			int64_t multiple = (int64_t)(next_random() % 1024 * (uint64_t)y + (uint64_t)delta);
			int64_t x = sr_dtypes[t].bits == 8 ? i : i % 16 == 0 ? INT64_MIN : i % 16 == 1 ? -1 : i % 16 == 2 ? INT32_MIN : multiple;
			sr_element_set(t, a + i * sr_dtype_bytes(t), x, 0, 0);
			sr_element_set(t, b + i * sr_dtype_bytes(t), y, 0, 0);
		}
		check_chunks_of_kernel(SR_KERNEL_DIVIDE, t, t, &p, (void *[]){a, b}, 2, N, 0, N, 0);
		check_chunks_of_kernel(SR_KERNEL_REMAINDER, t, t, &p, (void *[]){a, b}, 2, N, 0, N, 0);
	}
}
END_TEST

START_TEST(maps_in_place)
{
	float a[100], expected[100];
	struct sr_map_params p = {.n = 100};

	fill_array(SR_F32, a, 100, false);
	for (int i = 0; i < 100; i++)
		expected[i] = a[i] * a[i];
	for (int isa = 0; isa < n_isa; isa++) {
		float x[100];
		memcpy(x, a, sizeof(a));
		fast[isa].fn[SR_KERNEL_MULTIPLY][SR_F32](&p, (void *[]){x, x, x}, NULL, 0, 100);
		ck_assert(memcmp(x, expected, sizeof(x)) == 0);
	}
}
END_TEST

static const enum sr_dtype loop_types[] = {SR_F32, SR_F64, SR_BF16, SR_F16, SR_I32, SR_UI32, SR_I64, SR_I1};

START_TEST(choices)
{
	enum sr_dtype t = loop_types[_i];
	_Alignas(32) char a[MAX * 8], b[MAX * 8], c[MAX * 8];
	uint8_t pred[MAX];

	fill_array(SR_I1, pred, MAX, false);
	for (int round = 0; round < 96; round++) {
		struct sr_map_params p = {.n = 50,
					  .scalar = {round & 1, round >> 1 & 1, round >> 2 & 1},
					  .variant = (uint8_t)(round % 6 | (round >> 4 & 1) << 3)};
		fill_array(t, a, 50, true);
		fill_array(t, b, 50, true);
		fill_array(t, c, 50, true);
		check_chunks_of_kernel(SR_KERNEL_SELECT, t, t, &p, (void *[]){pred, a, b}, 3, 50, 3, 50, 0);
		check_chunks_of_kernel(SR_KERNEL_CLAMP, t, t, &p, (void *[]){a, b, c}, 3, 50, 0, 47, 0);
		check_chunks_of_kernel(SR_KERNEL_COMPARE, t, SR_I1, &p, (void *[]){a, b}, 2, 50, 0, 50, 0);
	}
}
END_TEST

START_TEST(conversions)
{
	_Alignas(32) char a[MAX * 16];

	for (int in_type = SR_DTYPE_NONE + 1; in_type < SR_DTYPE_COUNT; in_type++)
		for (int out_type = SR_DTYPE_NONE + 1; out_type < SR_DTYPE_COUNT; out_type++)
			for (int scalar = 0; scalar < 2; scalar++) {
				struct sr_map_params p = {
					.n = 40, .scalar = {(uint8_t)scalar}, .in = (uint8_t)in_type, .out = (uint8_t)out_type};
				fill_array((enum sr_dtype)in_type, a, 40, true);
				check_chunks_of_kernel(SR_KERNEL_CONVERT, (enum sr_dtype)in_type, (enum sr_dtype)out_type, &p, (void *[]){a}, 1, 40,
				      1, 40, 0);
			}
}
END_TEST

/* Compare all conversions of `n` elements bit by bit, NaN included, with the reference. */
static void check_bits(enum sr_dtype in_type, enum sr_dtype out_type, const void *in, int64_t n)
{
	struct sr_map_params p = {.n = n, .in = (uint8_t)in_type, .out = (uint8_t)out_type};
	size_t bytes = (size_t)n * (size_t)sr_dtype_bytes(out_type);
	char *expected = malloc(bytes), *got = malloc(bytes);

	reference.fn[SR_KERNEL_CONVERT][in_type](&p, (void *[]){(void *)(uintptr_t)in, expected}, NULL, 0, n);
	for (int isa = 0; isa < n_isa; isa++) {
		memset(got, 0x55, bytes);
		fast[isa].fn[SR_KERNEL_CONVERT][in_type](&p, (void *[]){(void *)(uintptr_t)in, got}, NULL, 0, n);
		for (int64_t i = 0; i < n; i++) {
			int64_t at = i * sr_dtype_bytes(out_type);
			ck_assert_msg(memcmp(expected + at, got + at, (size_t)sr_dtype_bytes(out_type)) == 0,
				      "%s to %s, isa %d: element %d of %d differs", sr_dtypes[in_type].name,
				      sr_dtypes[out_type].name, isa, (int)i, (int)n);
		}
	}
	free(expected);
	free(got);
}

/* Conversions of floats of at most 8 bits: every pattern to wider floats; and to each narrow type every number of 16 bits, and the
 * f32 numbers around each tie. */
START_TEST(small_float_conversions)
{
	static const enum sr_dtype wide_types[] = {SR_F32, SR_BF16, SR_F16};
	enum sr_dtype t = (enum sr_dtype)(SR_F4E2M1FN + _i);
	static uint16_t halves[1 << 16];
	static uint32_t ties[5 * 2 * 256];
	uint8_t patterns[256];
	int64_t n_ties = 0;

	for (int i = 0; i < 256; i++)
		patterns[i] = (uint8_t)(i & ((1 << sr_dtypes[t].bits) - 1));
	for (int i = 0; i < 1 << 16; i++)
		halves[i] = (uint16_t)i;
	for (int i = 0; i < 256; i++)
		for (int next = 0; next < 2; next++) {
			float a = (float)sr_float_decode(t, patterns[i]), b = (float)sr_float_decode(t, patterns[(i + next) % 256]);
			float tie = a / 2 + b / 2;
			uint32_t bits;
			memcpy(&bits, &tie, sizeof bits);
			for (uint32_t d = 0; d < 5; d++)
				ties[n_ties++] = bits + d - 2;
		}
	for (size_t i = 0; i < sizeof wide_types / sizeof *wide_types; i++)
		check_bits(t, wide_types[i], patterns, 256);
	check_bits(SR_BF16, t, halves, 1 << 16);
	check_bits(SR_F16, t, halves, 1 << 16);
	check_bits(SR_F32, t, ties, n_ties);
	for (int isa = 0; isa < n_isa; isa++) {
		ck_assert(fast[isa].fn[SR_KERNEL_PRODUCT][t] != reference.fn[SR_KERNEL_PRODUCT][t]);
		ck_assert(fast[isa].fn[SR_KERNEL_CONVOLUTION][t] != reference.fn[SR_KERNEL_CONVOLUTION][t]);
	}
}
END_TEST

START_TEST(reductions)
{
	static const struct sr_reduce_params shapes[] = {
		{.rank = 2, .shape = {3, 101}, .reduced = {0, 1}},	{.rank = 2, .shape = {101, 7}, .reduced = {1, 0}},
		{.rank = 3, .shape = {2, 50, 8}, .reduced = {0, 1, 0}}, {.rank = 3, .shape = {4, 5, 6}, .reduced = {1, 0, 1}},
		{.rank = 1, .shape = {1200}, .reduced = {1}},		{.rank = 2, .shape = {2, 600}, .reduced = {1, 0}},
		{.rank = 2, .shape = {5, 0}, .reduced = {0, 1}},	{.rank = 2, .shape = {5, 6}, .reduced = {0, 0}},
	};
	enum sr_dtype t = loop_types[_i];
	_Alignas(32) char a[MAX * 8], init[8];

	for (size_t s = 0; s < sizeof(shapes) / sizeof(*shapes); s++)
		for (int monoid = 0; monoid < SR_MONOID_COUNT; monoid++) {
			struct sr_reduce_params p = shapes[s];
			int64_t out = 1;
			for (int d = 0; d < p.rank; d++)
				out *= p.reduced[d] ? 1 : p.shape[d];
			p.monoid = monoid;
			if (!sr_dtype_is_integer(t) && monoid >= SR_MONOID_AND)
				continue;
			/* positive values, so that no cancellation shows the different order of sums */
			for (int64_t i = 0; i < MAX; i++)
				sr_element_set(t, a + i * sr_dtype_bytes(t), (int64_t)next_random() % 2 + 1,
					       1 + (double)(next_random() % 100) * (monoid == 1 ? 1e-4 : 1), 0);
			sr_element_set(t, init, 1, 1, 0);
			check_chunks_of_kernel(SR_KERNEL_REDUCE, t, t, &p, (void *[]){a, init}, 2, out, out > 2, out, 64);
		}
}
END_TEST

/* Layouts: {batch, m, n, k, lhs_batch, lhs_m, lhs_k, rhs_batch, rhs_n, rhs_k}. */
static const int64_t layouts[][10] = {
	{1, 5, 7, 6, 0, 6, 1, 0, 1, 7},	   {1, 5, 7, 6, 0, 1, 5, 0, 6, 1},   {3, 4, 5, 6, 24, 6, 1, 30, 1, 5},
	{2, 4, 5, 6, 6, 12, 1, 5, 1, 10},  {1, 1, 7, 6, 0, 6, 1, 0, 1, 7},   {1, 1, 7, 6, 0, 1, 1, 0, 6, 1},
	{1, 5, 1, 6, 0, 6, 1, 0, 1, 1},	   {1, 5, 1, 6, 0, 1, 5, 0, 1, 1},   {1, 4, 5, 3, 0, 6, 2, 0, 2, 10},
	{2, 3, 4, 5, 0, 5, 1, 20, 1, 4},   {1, 3, 4, 1, 0, 1, 1, 0, 1, 4},   {1, 3, 4, 0, 0, 1, 1, 0, 1, 1},
	{1, 4, 5, 3, 0, 0, 1, 0, 1, 5},	   {1, 4, 1, 3, 0, 3, 1, 0, 1, 0},   {1, 1, 1, 600, 0, 600, 1, 0, 1, 1},
	{1, 30, 20, 5, 0, 5, 1, 0, 1, 20}, {1, 2, 1, 300, 0, 2, 4, 0, 1, 2}, {2, 130, 2, 3, 390, 3, 1, 6, 1, 2},
};

START_TEST(products)
{
	static const enum sr_dtype types[] = {SR_F32, SR_F64, SR_C64, SR_C128, SR_F16, SR_BF16};
	const int64_t *l = layouts[_i];
	_Alignas(32) static char a[MAX * 2 * 16], b[MAX * 2 * 16];

	for (size_t i = 0; i < 6; i++)
		for (int to_f32 = 0; to_f32 < 2; to_f32++) {
			enum sr_dtype t = types[i], out = to_f32 && sr_dtype_bytes(t) == 2 ? SR_F32 : t;
			struct sr_product_params p = {l[0], l[1], l[2], l[3], l[4], l[5], l[6], l[7], l[8], l[9], out, t};
			for (int64_t j = 0; j < 2 * MAX; j++) {
				sr_element_set(t, a + j * sr_dtype_bytes(t), 0, 1 + (double)(next_random() % 64) / 32,
					       (double)(next_random() % 64) / 64);
				sr_element_set(t, b + j * sr_dtype_bytes(t), 0, 1 + (double)(next_random() % 64) / 32,
					       (double)(next_random() % 64) / 64);
			}
			int64_t rows = p.batch * p.m;
			check_chunks_of_kernel(SR_KERNEL_PRODUCT, t, out, &p, (void *[]){a, b}, 2, rows * p.n, 0, rows, 400);
			check_chunks_of_kernel(SR_KERNEL_PRODUCT, t, out, &p, (void *[]){a, b}, 2, rows * p.n, rows / 3, rows - rows / 4, 400);
		}
}
END_TEST

START_TEST(convolutions)
{
	static const enum sr_dtype types[] = {SR_F32, SR_F16, SR_BF16};
	_Alignas(16) static float in[2 * 9 * 8 * 5], kernel[3 * 2 * 5 * 70];

	for (int round = 0; round < 24; round++) {
		enum sr_dtype t = types[round % 3];
		struct sr_conv_params p = {.spatial = 2,
					   .out = (int32_t)t,
					   .batch = 2,
					   .in_features = 5,
					   .out_features = 70,
					   .feature_groups = 1,
					   .batch_groups = 1,
					   .in = {9, 8},
					   .window = {3, 2},
					   .stride = {1 + (round & 1), 1},
					   .lhs_dilation = {1, 1 + (round >> 1 & 1)},
					   .rhs_dilation = {1 + (round >> 2 & 1), 1},
					   .pad_low = {1, round & 1},
					   .reversal = {(uint8_t)(round & 1), (uint8_t)(round >> 1 & 1)},
					   .lhs_stride = {360, 1, 40, 5},
					   .rhs_stride = {70, 1, 700, 350}};
		for (int d = 0; d < 2; d++)
			p.out_shape[d] =
				((p.in[d] - 1) * p.lhs_dilation[d] + 1 + 2 * p.pad_low[d] - (p.window[d] - 1) * p.rhs_dilation[d] -
				 1) / p.stride[d] +
				1;
		p.out_stride[1] = 1;
		p.out_stride[3] = 70;
		p.out_stride[2] = 70 * p.out_shape[1];
		p.out_stride[0] = p.out_stride[2] * p.out_shape[0];
		for (int64_t j = 0; j < 720; j++)
			sr_element_set(t, (char *)in + j * sr_dtype_bytes(t), 0, 1 + (double)(next_random() % 64) / 32, 0);
		for (int64_t j = 0; j < 2100; j++)
			sr_element_set(t, (char *)kernel + j * sr_dtype_bytes(t), 0, 1 + (double)(next_random() % 64) / 32, 0);
		check_chunks_of_kernel(SR_KERNEL_CONVOLUTION, t, t, &p, (void *[]){in, kernel}, 2, 2 * p.out_stride[0], round & 1, 140 - round % 5,
		      100);
	}
}
END_TEST

static const int64_t extents[][2] = {{1, 1}, {2, 1}, {1, 3}, {5, 5}, {9, 4}, {4, 9}, {33, 33}, {70, 3}, {3, 70}};

/* Run a LAPACK routine on a random matrix, and check that it does not write beyond its scratch. */
static void run_lapack(enum sr_dtype type, const struct sr_lapack_params *p)
{
	enum { BUFFERS = 12, GUARD = 256 };
	int64_t larger_dim = p->m > p->n ? p->m : p->n, bytes = (larger_dim + 1) * (larger_dim + 1) * 16;
	size_t scratch = (size_t)sr_kernel_planned_scratch(SR_KERNEL_LAPACK, type, p);
	void *buffers[BUFFERS];
	unsigned char *work = aligned_alloc(64, (scratch + GUARD + 63) / 64 * 64);

	for (int i = 0; i < BUFFERS; i++) {
		buffers[i] = calloc(1, (size_t)bytes);
		if (i < sr_lapack_operand_count(p->routine) && !(p->routine == SR_LAPACK_GEQP3 && i == 1))
			fill_array(type, buffers[i], bytes / sr_dtype_bytes(type), false);
	}
	memset(work, 0xa5, scratch + GUARD);
	fast[0].fn[SR_KERNEL_LAPACK][type](p, buffers, work, 0, 1);
	for (size_t i = 0; i < GUARD; i++)
		ck_assert_msg(work[scratch + i] == 0xa5, "routine %d of %s, %d x %d, mode %c: scratch byte %zu", p->routine,
			      sr_dtypes[type].name, (int)p->m, (int)p->n, p->mode, scratch + i);
	for (int i = 0; i < BUFFERS; i++)
		free(buffers[i]);
	free(work);
}

START_TEST(lapack_scratch)
{
	static const enum sr_dtype types[] = {SR_F32, SR_F64, SR_C64, SR_C128};
	static const uint32_t square = 1u << SR_LAPACK_POTRF | 1u << SR_LAPACK_GEHRD | 1u << SR_LAPACK_SYTRD | 1u << SR_LAPACK_SYEVD |
				       1u << SR_LAPACK_GEEV | 1u << SR_LAPACK_GEES;
	int64_t m = extents[_i][0], n = extents[_i][1];

	for (int routine = 0; routine < SR_LAPACK_COUNT; routine++)
		for (int t = 0; t < 4; t++)
			for (const char *mode = "ASNV"; *mode; mode++) {
				bool svd = routine == SR_LAPACK_GESDD || routine == SR_LAPACK_GESVD;
				if ((square >> routine & 1 && m != n) || svd == (*mode == 'V') || (!svd && *mode == 'A') ||
				    (routine == SR_LAPACK_ORGQR && m < n))
					continue;
				struct sr_lapack_params p = {.routine = routine, .uplo = 'L', .side = 'L', .trans = 'N', .diag = 'N',
							     .mode = (uint8_t)(svd ? *mode : *mode == 'S' ? 'N' : *mode),
							     .left = 'V', .right = 'V', .batch = 1, .m = m, .n = n, .low = 1, .high = n};
				p.k = routine == SR_LAPACK_ORGQR ? n : routine == SR_LAPACK_ORMQR ? m : 0;
				run_lapack(types[t], &p);
			}
}
END_TEST

#include "tests/unit/kernels_gemm.h"
#include "tests/unit/kernels_library.h"
#include "tests/unit/kernels_fft.h"
#include "tests/unit/kernels_accumulate.h"
#include "tests/unit/kernels_access.h"
#include "tests/unit/kernels_code.h"
#include "tests/unit/kernels_cumulate.h"
#include "tests/unit/kernels_scatter.h"
#include "tests/unit/kernels_small_factors.h"
#include "tests/unit/kernels_sort.h"

/* Add a test case. If the environment variable CK_RUN_CASE is set, only that case is executed. */
static TCase *add_case(Suite *s, const char *name, SFun case_setup)
{
	TCase *t = tcase_create(name);
	tcase_add_checked_fixture(t, case_setup, NULL);
	suite_add_tcase(s, t);
	return t;
}

static void add_maps(TCase *t)
{
	tcase_add_test(t, maps);
	tcase_add_loop_test(t, own_elementary_functions_are_accurate, 0, COUNT_OF(own_functions));
	tcase_add_loop_test(t, bits_of_an_element_do_not_depend_on_its_position, 0, 2 * SR_ISA_COUNT);
	tcase_add_loop_test(t, complex_quotients_are_accurate, 0, SR_ISA_COUNT);
	tcase_add_loop_test(t, complex_exponentials_are_accurate, 0, SR_ISA_COUNT);
	tcase_add_test(t, quotients_by_powers_of_two);
	tcase_add_loop_test(t, quotients_of_integers, 0, 16);
	tcase_add_test(t, maps_in_place);
	tcase_add_loop_test(t, choices, 0, COUNT_OF(loop_types));
	tcase_add_test(t, conversions);
	tcase_add_loop_test(t, small_float_conversions, 0, SR_F8E8M0FNU - SR_F4E2M1FN + 1);
}

static void add_products(TCase *t)
{
	tcase_add_test(t, blas_core);
	tcase_add_test(t, instruction_sets_are_selected_by_features);
	tcase_add_loop_test(t, products, 0, COUNT_OF(layouts));
	tcase_add_loop_test(t, own_products, 0, COUNT_OF(gemm_types));
	tcase_add_loop_test(t, small_products, 0, 2);
	tcase_add_test(t, long_sums);
	tcase_add_loop_test(t, column_chunks, 0, COUNT_OF(gemm_types));
	tcase_add_loop_test(t, library_products, 0, 7);
	tcase_add_loop_test(t, product_terms, 0, 8);
	tcase_add_loop_test(t, bf16_products, 0, 4);
	tcase_add_test(t, library_leaves_products_of_bf16);
	tcase_add_test(t, library_leaves_products_of_distant_rows);
	tcase_add_test(t, library_leaves_products_that_it_packs_slowly);
	tcase_add_test(t, library_product_blocks_signals);
}

static void add_convolutions(TCase *t)
{
	tcase_add_test(t, convolutions);
	tcase_add_loop_test(t, own_convolutions, 0, 6);
	tcase_add_loop_test(t, library_convolutions, 0, COUNT_OF(conv_types));
	tcase_add_test(t, library_convolutions_of_8_by_8);
	tcase_add_test(t, library_depthwise_of_one_dimension);
	tcase_add_test(t, library_gradient_of_signals);
	tcase_add_loop_test(t, winograd_convolutions, 0, 3);
	tcase_add_test(t, winograd_shapes);
	tcase_add_test(t, small_convolution_chunks);
	tcase_add_test(t, row_blocks);
	tcase_add_loop_test(t, feature_chunks, 0, 6);
	tcase_add_test(t, group_chunks);
	tcase_add_test(t, depthwise_gradients);
	tcase_add_test(t, library_convolution_empty);
}

static void add_ffts(TCase *t)
{
	tcase_add_loop_test(t, fft_lengths, 0, 4);
	tcase_add_loop_test(t, fft_long_lengths, 0, COUNT_OF(long_ffts));
	tcase_add_loop_test(t, fft_dimensions, 0, COUNT_OF(fft_shapes));
	tcase_add_loop_test(t, fft_columns, 0, COUNT_OF(column_shapes));
	tcase_add_test(t, fft_lines_do_not_interact);
}

int main(void)
{
	Suite *s = suite_create("kernels/fast");

	add_maps(add_case(s, "maps", fill_tables));
	tcase_add_loop_test(add_case(s, "reductions", fill_tables), reductions, 0, COUNT_OF(loop_types));
	tcase_add_loop_test(add_case(s, "cumulations", fill_tables), cumulations, 0, COUNT_OF(loop_types));
	tcase_add_loop_test(add_case(s, "scatters", fill_tables), scatters, 0, 5);
	tcase_add_loop_test(add_case(s, "histograms", fill_tables), histograms, 0, 6);
	tcase_add_loop_test(add_case(s, "selections", fill_tables), selections, 0, 5);
	tcase_add_loop_test(add_case(s, "sorts", fill_tables), sorts, 0, COUNT_OF(key_types));
	tcase_add_loop_test(add_case(s, "sorts of runs", fill_tables), sorts_of_runs, 0, COUNT_OF(run_types));
	tcase_add_loop_test(add_case(s, "accumulations", fill_tables), accumulations, SR_DTYPE_NONE + 1, SR_DTYPE_COUNT);
	add_products(add_case(s, "products", setup));
	add_convolutions(add_case(s, "convolutions", setup));
	TCase *t = add_case(s, "interpreter", fill_tables);
	tcase_add_loop_test(t, access_functions, 0, SR_ISA_COUNT);
	tcase_add_test(t, transposes);
	tcase_add_loop_test(t, single_ops_of_code, SR_DTYPE_NONE + 1, SR_DTYPE_COUNT);
	tcase_add_loop_test(t, pairs_of_code, 0, 4);
	tcase_add_loop_test(t, branches_of_code, 0, 4);
	tcase_add_loop_test(t, loops_of_code, 0, 5);
	tcase_add_test(t, nested_loops_of_code);
	tcase_add_loop_test(add_case(s, "lapack", setup), lapack_scratch, 0, COUNT_OF(extents));
	tcase_add_loop_test(add_case(s, "small factors", setup), small_factors, 0, 10);
	tcase_add_loop_test(add_case(s, "large Cholesky", setup), large_cholesky, 0, 6);
	add_ffts(add_case(s, "fft", fill_tables));
	return sr_run_suite(s);
}
