/* Element types as C types, for function bodies that are included once per type (each_type.h).
 *
 * With TYPE defined as an id of dtypes.def: S is the type in memory, T the type to compute in; LOAD and STORE convert between
 * them (STORE wraps an integer to its width and rounds a float once). WORD is the unsigned type for integer arithmetic, CLASS one
 * of the COLUMNS_ numbers of map_columns.h, BITS the width, FN(name) a function name that is unique for the type. Also declares
 * the scalar helpers that the expressions of map.ops use. */
#ifndef SR_KERNELS_ELEMENT_H
#define SR_KERNELS_ELEMENT_H

#include "kernels/kernel.h"
#include "kernels/order.h"
#include "kernels/small_float.h"
#include <math.h>
#include <stdbool.h>

#define SR_CAT_(a, b) a##b
#define SR_CAT(a, b) SR_CAT_(a, b)
#define S SR_CAT(S_, TYPE)
#define T SR_CAT(T_, TYPE)
#define R SR_CAT(R_, TYPE) /* type of the real and imaginary parts of a complex type in memory; otherwise S */
#define LOAD(v) SR_CAT(load_, TYPE)(v)
#define STORE(v) SR_CAT(store_, TYPE)(v)
#define CLASS SR_CAT(CLASS_, TYPE)
#define BITS SR_CAT(BITS_, TYPE)
#define MASK (~(uint64_t)0 >> (64 - BITS))
#define WORD SR_CAT(WORD_, TYPE)
#define SIGN_EXTEND(v) ((SR_CAT(SIGNED_, WORD))((WORD)(v) << (sizeof(WORD) * 8 - BITS)) >> (sizeof(WORD) * 8 - BITS))
#define M(name) SR_CAT(MATH_, TYPE)(name)
#define FN(name) SR_CAT(name##_, TYPE)
#define DTYPE_ID SR_CAT(SR_, TYPE)
#define RE(v) (__real__(v))
#define IM(v) (__imag__(v))

#define SR_PLAIN(id, ctype, bits) \
	typedef ctype S_##id; \
	typedef ctype T_##id; \
	typedef ctype R_##id; \
	enum { BITS_##id = bits }; \
	static inline T_##id load_##id(S_##id v) { return v; } \
	static inline S_##id store_##id(T_##id v) { return v; }
#define SR_NARROW(id, ctype, bits, wrap) \
	typedef ctype S_##id; \
	typedef ctype T_##id; \
	typedef ctype R_##id; \
	enum { BITS_##id = bits }; \
	static inline T_##id load_##id(S_##id v) { return v; } \
	static inline S_##id store_##id(T_##id v) { return wrap; }
#define SR_CODED(id, ctype, bits, wide, decode, encode) \
	typedef ctype S_##id; \
	typedef wide T_##id; \
	typedef ctype R_##id; \
	enum { BITS_##id = bits }; \
	static inline T_##id load_##id(S_##id v) { return decode; } \
	static inline S_##id store_##id(T_##id v) { return encode; }
#ifdef SR_SMALL_FLOATS_ARE_F32 /* computed in f32, by conversions that GCC can vectorize */
#define SR_SMALL(id, exponent, mantissa, bias, top) \
	SR_CODED(id, uint8_t, 1 + exponent + mantissa, float, sr_small_decode(v, exponent, mantissa, bias, SR_SMALL_##top), \
		 sr_small_encode(v, exponent, mantissa, bias, SR_SMALL_##top))
#define SR_E8M0(id) SR_CODED(id, uint8_t, 8, float, sr_e8m0_decode(v), sr_e8m0_encode(v))
#else
#define SR_SMALL_BITS(id, bits) \
	SR_CODED(id, uint8_t, bits, double, sr_float_decode(SR_##id, v), (uint8_t)sr_float_encode(SR_##id, v))
#define SR_SMALL(id, exponent, mantissa, bias, top) SR_SMALL_BITS(id, 1 + exponent + mantissa)
#define SR_E8M0(id) SR_SMALL_BITS(id, 8)
#endif

typedef float _Complex sr_c64;
typedef double _Complex sr_c128;

SR_NARROW(I1, uint8_t, 1, v != 0)
SR_NARROW(I2, int8_t, 2, (int8_t)((int8_t)((uint8_t)v << 6) >> 6))
SR_NARROW(I4, int8_t, 4, (int8_t)((int8_t)((uint8_t)v << 4) >> 4))
SR_PLAIN(I8, int8_t, 8)
SR_PLAIN(I16, int16_t, 16)
SR_PLAIN(I32, int32_t, 32)
SR_PLAIN(I64, int64_t, 64)
SR_NARROW(UI2, uint8_t, 2, v & 3)
SR_NARROW(UI4, uint8_t, 4, v & 15)
SR_PLAIN(UI8, uint8_t, 8)
SR_PLAIN(UI16, uint16_t, 16)
SR_PLAIN(UI32, uint32_t, 32)
SR_PLAIN(UI64, uint64_t, 64)
SR_SMALL_FLOATS(SR_SMALL)
SR_E8M0(F8E8M0FNU)
SR_CODED(BF16, uint16_t, 16, float, sr_bf16_to_f32(v), sr_f32_to_bf16(v))
#ifdef SR_OWN_ELEMENTARY_FUNCTIONS /* conversions of f16 that GCC can vectorize, unlike those of _Float16 */
SR_HALF_FUNCTIONS
SR_CODED(F16, uint16_t, 16, float, float_of_half(v), half_of_float(v))
#else
SR_CODED(F16, _Float16, 16, float, (float)v, (_Float16)v)
#endif
SR_PLAIN(F32, float, 32)
SR_PLAIN(F64, double, 64)

typedef sr_c64 S_C64, T_C64;
typedef sr_c128 S_C128, T_C128;
typedef float R_C64;
typedef double R_C128;
static inline T_C64 load_C64(S_C64 v) { return v; }
static inline S_C64 store_C64(T_C64 v) { return v; }
static inline T_C128 load_C128(S_C128 v) { return v; }
static inline S_C128 store_C128(T_C128 v) { return v; }

#define CLASS_I1 1
#define CLASS_I2 2
#define CLASS_I4 2
#define CLASS_I8 2
#define CLASS_I16 2
#define CLASS_I32 2
#define CLASS_I64 2
#define CLASS_UI2 3
#define CLASS_UI4 3
#define CLASS_UI8 3
#define CLASS_UI16 3
#define CLASS_UI32 3
#define CLASS_UI64 3
#define CLASS_F4E2M1FN 4
#define CLASS_F6E2M3FN 4
#define CLASS_F6E3M2FN 4
#define CLASS_F8E3M4 4
#define CLASS_F8E4M3 4
#define CLASS_F8E4M3B11FNUZ 4
#define CLASS_F8E4M3FN 4
#define CLASS_F8E4M3FNUZ 4
#define CLASS_F8E5M2 4
#define CLASS_F8E5M2FNUZ 4
#define CLASS_F8E8M0FNU 4
#define CLASS_BF16 4
#define CLASS_F16 4
#define CLASS_F32 4
#define CLASS_F64 4
#define CLASS_C64 5
#define CLASS_C128 5

#define WORD_I2 uint32_t
#define WORD_I4 uint32_t
#define WORD_I8 uint32_t
#define WORD_I16 uint32_t
#define WORD_I32 uint32_t
#define WORD_I64 uint64_t
#define WORD_UI2 uint32_t
#define WORD_UI4 uint32_t
#define WORD_UI8 uint32_t
#define WORD_UI16 uint32_t
#define WORD_UI32 uint32_t
#define WORD_UI64 uint64_t
#define SIGNED_uint32_t int32_t
#define SIGNED_uint64_t int64_t

#define MATH_F4E2M1FN(name) name
#define MATH_F6E2M3FN(name) name
#define MATH_F6E3M2FN(name) name
#define MATH_F8E3M4(name) name
#define MATH_F8E4M3(name) name
#define MATH_F8E4M3B11FNUZ(name) name
#define MATH_F8E4M3FN(name) name
#define MATH_F8E4M3FNUZ(name) name
#define MATH_F8E5M2(name) name
#define MATH_F8E5M2FNUZ(name) name
#define MATH_F8E8M0FNU(name) name
#define MATH_BF16(name) name##f
#define MATH_F16(name) name##f
#define MATH_F32(name) name##f
#define MATH_F64(name) name

/* Multiply complex numbers by the textbook formula, as XLA does: no special handling of Inf and NaN. */
#define CMUL(a, b) __builtin_complex(RE(a) * RE(b) - IM(a) * IM(b), RE(a) * IM(b) + IM(a) * RE(b))

uint64_t sr_power_unsigned(uint64_t base, uint64_t exponent);
uint64_t sr_power_signed(int64_t base, int64_t exponent);
sr_c128 sr_complex_divide(sr_c128 x, sr_c128 y);
sr_c128 sr_complex_exp(sr_c128 x);
sr_c128 sr_complex_expm1(sr_c128 x);
sr_c128 sr_complex_log1p(sr_c128 x);
sr_c128 sr_complex_pow(sr_c128 x, sr_c128 y);
sr_c128 sr_complex_sign(sr_c128 x);
sr_c128 sr_complex_atan2(sr_c128 y, sr_c128 x);

/* Load element i, an index of any integer type, as int64_t; unsigned values beyond INT64_MAX become INT64_MAX. */
static inline int64_t sr_index_load(enum sr_dtype t, const void *p, int64_t i)
{
	switch (t) {
	case SR_I32:
		return ((const int32_t *)p)[i];
	case SR_I64:
		return ((const int64_t *)p)[i];
	case SR_UI32:
		return ((const uint32_t *)p)[i];
	case SR_UI64:
		return ((const uint64_t *)p)[i] > INT64_MAX ? INT64_MAX : (int64_t)((const uint64_t *)p)[i];
	case SR_I16:
		return ((const int16_t *)p)[i];
	case SR_UI16:
		return ((const uint16_t *)p)[i];
	case SR_I2:
	case SR_I4:
	case SR_I8:
		return ((const int8_t *)p)[i];
	default:
		return ((const uint8_t *)p)[i];
	}
}

/* Load n indices as int64_t, beginning with element `first` and `step` elements apart (load_indices.c). */
void sr_index_load_strided(enum sr_dtype type, const void *indices, int64_t first, int64_t step, int64_t n, int64_t *to);

SR_BIT_COUNTS
#ifndef SR_OWN_ELEMENTARY_FUNCTIONS /* the reference kernels use the C library's functions */
#define SR_LIBRARY_1(name, library) \
	static inline float name##f(float x) { return library##f(x); } \
	static inline double name(double x) { return library(x); }
#define SR_LIBRARY_2(name, library) \
	static inline float name##f(float x, float y) { return library##f(x, y); } \
	static inline double name(double x, double y) { return library(x, y); }
SR_LIBRARY_1(exponential, exp)
SR_LIBRARY_1(exponential_minus_one, expm1)
SR_LIBRARY_1(hyperbolic_tangent, tanh)
SR_LIBRARY_1(logarithm, log)
SR_LIBRARY_1(logarithm_plus_one, log1p)
SR_LIBRARY_1(sine, sin)
SR_LIBRARY_1(cosine, cos)
SR_LIBRARY_1(tangent, tan)
SR_LIBRARY_1(cube_root, cbrt)
SR_LIBRARY_2(arc_tangent, atan2)
SR_LIBRARY_2(power, pow)
SR_LIBRARY_2(modulo, fmod)
#endif

/* Return the scratch bytes of a sort. The functions named sr_*_scratch below return those of other kernels. */
int64_t sr_sort_scratch(enum sr_dtype t, const struct sr_sort_params *p);
/* Return true if the sort works in place: a single long row, keys only, with a total order on the key's bits. It then needs
 * scratch for 1 / SR_SORT_SCRATCH_DIVISOR of the row. */
bool sr_sort_is_in_place(enum sr_dtype t, const struct sr_sort_params *p);
enum { SR_SORT_SCRATCH_DIVISOR = 8 };
int64_t sr_fft_scratch(enum sr_dtype t, const struct sr_fft_params *p);
int64_t sr_product_scratch(enum sr_dtype t, const struct sr_product_params *p);
/* Return the number of elements of a LAPACK routine's workspace; blocked routines get space for blocks of 64 columns. */
int64_t sr_lapack_work_elements(const struct sr_lapack_params *p);
int64_t sr_lapack_scratch(enum sr_dtype type, const struct sr_lapack_params *p);

/* ---- gather and scatter: from an index of the output (or updates) to an element of the operand (gather.c) ---- Compute the
 * operand offset *at of element i. Returns false if it is out of bounds; with `clamp`, start indices are clamped and it never
 * is. */
bool sr_gather_element_offset(const struct sr_gather_params *p, const void *indices, int64_t i, bool clamp, int64_t *at);
/* Return the length of contiguous runs: elements i .. i + length - 1, i a multiple of the length, are contiguous in the operand. */
int64_t sr_gather_run_length(const struct sr_gather_params *p, bool clamp);

/* Reference kernels of PRODUCT and CONVOLUTION for lhs of type t. Faster kernels call them for params that they do not support. */
void sr_product_reference(const void *params, enum sr_dtype t, void *const *buffers, int64_t begin, int64_t end);
void sr_convolution_reference(const void *params, enum sr_dtype t, void *const *buffers, int64_t begin, int64_t end);
void sr_reduce_reference(const void *params, enum sr_dtype t, void *const *buffers, int64_t begin, int64_t end);
void sr_compare_reference(const void *params, enum sr_dtype t, void *const *buffers, int64_t begin, int64_t end);
sr_kernel_fn sr_convert_reference;

/* ---- registration functions of the files in this folder ---- */
void sr_kernels_init_map_integer(struct sr_kernels *table);
void sr_kernels_init_map_float(struct sr_kernels *table);
void sr_kernels_init_map_small(struct sr_kernels *table);
void sr_kernels_init_map_complex(struct sr_kernels *table);
void sr_kernels_init_convert(struct sr_kernels *table);
void sr_kernels_init_compare(struct sr_kernels *table);
void sr_kernels_init_move(struct sr_kernels *table);
void sr_kernels_init_reduce(struct sr_kernels *table);
void sr_kernels_init_product(struct sr_kernels *table);
void sr_kernels_init_gather(struct sr_kernels *table);
void sr_kernels_init_scatter(struct sr_kernels *table);
void sr_kernels_init_sort(struct sr_kernels *table);
void sr_kernels_init_fft(struct sr_kernels *table);
void sr_kernels_init_linalg(struct sr_kernels *table);
void sr_kernels_init_rng(struct sr_kernels *table);

#endif
