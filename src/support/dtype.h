/* Element types and conversion of single elements, shared by constants, kernels, files and collectives. A float of at most 8
 * bits is stored as its bit pattern in the low bits of a byte; i1 is 0 or 1; i2 and i4 are sign-extended to a byte. */
#ifndef SR_SUPPORT_DTYPE_H
#define SR_SUPPORT_DTYPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum sr_dtype {
	SR_DTYPE_NONE = 0,
#define DTYPE(id, name, bytes, bits, class, npy) SR_##id,
#include "support/dtypes.def"
	SR_DTYPE_COUNT
};

enum sr_dtype_class { SR_CLASS_NONE, SR_CLASS_BOOL, SR_CLASS_SINT, SR_CLASS_UINT, SR_CLASS_FLOAT, SR_CLASS_COMPLEX };

struct sr_dtype_info {
	const char *name; /* MLIR's name, for example "f32" */
	int bytes;        /* bytes of an element in memory */
	int bits;
	enum sr_dtype_class class;
	const char *npy; /* the type's descr in an .npy header */
};

extern const struct sr_dtype_info sr_dtypes[SR_DTYPE_COUNT];

enum sr_dtype sr_dtype_find(const char *name, size_t n); /* Return the type with this name, or SR_DTYPE_NONE. */
static inline int sr_dtype_bytes(enum sr_dtype t)
{
	return sr_dtypes[t].bytes;
}
static inline bool sr_dtype_is_float(enum sr_dtype t)
{
	return sr_dtypes[t].class == SR_CLASS_FLOAT;
}
static inline bool sr_dtype_is_complex(enum sr_dtype t)
{
	return sr_dtypes[t].class == SR_CLASS_COMPLEX;
}
static inline bool sr_dtype_is_integer(enum sr_dtype t) /* Return true for integers, including i1. */
{
	return sr_dtypes[t].class == SR_CLASS_BOOL || sr_dtypes[t].class == SR_CLASS_SINT || sr_dtypes[t].class == SR_CLASS_UINT;
}

/* Return the element type of the real and imaginary parts of a complex type. */
static inline enum sr_dtype sr_dtype_complex_part(enum sr_dtype t)
{
	return t == SR_C64 ? SR_F32 : SR_F64;
}
/* Return the integer type of a width (1: i1), or SR_DTYPE_NONE if there is none. */
enum sr_dtype sr_dtype_of_integer(int bits, bool is_unsigned);
/* Return the number of significand bits of a float type, including the hidden bit. */
int sr_float_precision(enum sr_dtype t);

/* Convert a float bit pattern (in the low bits of `bits`) to double and back, for every float type. Encoding rounds to nearest
 * even and keeps subnormals; overflow gives Inf, NaN, or the largest value for formats that have neither. */
double sr_float_decode(enum sr_dtype t, uint64_t bits);
uint64_t sr_float_encode(enum sr_dtype t, double value); /* Encode a number; rounds once. */
/* Print a float as MLIR does: with 6 digits if they are exact, else with all digits, else as hex bits. */
struct sr_buf;
void sr_print_float(struct sr_buf *out, enum sr_dtype type, uint64_t bits);
/* Print one element of any type; a complex number as [re, im]. */
void sr_print_number(struct sr_buf *out, enum sr_dtype type, const void *at);

/* Fast conversions of bf16, bit-exact with sr_float_encode and sr_float_decode. */
static inline float sr_bf16_to_f32(uint16_t x)
{
	union { uint32_t u; float f; } v = {(uint32_t)x << 16};
	return v.f;
}
static inline uint16_t sr_f32_to_bf16(float f)
{
	union { float f; uint32_t u; } v = {f};
	if ((v.u & 0x7fffffffu) > 0x7f800000u)
		return (uint16_t)((v.u >> 16) | 0x40u);
	return (uint16_t)((v.u + 0x7fffu + ((v.u >> 16) & 1)) >> 16);
}

/* Sign- or zero-extend n integers narrower than 8 bits, of which only the low bits are meaningful, to the form that
 * sr_element_set stores. Elements of other types are unchanged. */
void sr_elements_extend(enum sr_dtype t, void *data, int64_t n);
static inline bool sr_dtype_is_sub_byte(enum sr_dtype t)
{
	return t != SR_I1 && sr_dtype_is_integer(t) && sr_dtypes[t].bits < 8;
}
/* Load the element at p as the widest type of its class: integers into *i (sign- or zero-extended), floats and real parts into
 * *d, imaginary parts into *im. Pointers that the class does not need may be NULL. */
void sr_element_get(enum sr_dtype t, const void *p, int64_t *i, double *d, double *im);
/* Store one element: integers and i1 from i, floats from d, complex numbers from d and im. */
void sr_element_set(enum sr_dtype t, void *p, int64_t i, double d, double im);

#endif
