/* Element types as data, and the conversion of single values: what constants, kernels, files and collectives agree on.
 * A small float is its bit pattern in the low bits of a byte; i1 is 0 or 1; i4 is sign-extended to its byte. */
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
	const char *name; /* MLIR's */
	int bytes;        /* of one element in memory */
	int bits;
	enum sr_dtype_class class;
	const char *npy; /* descr in an .npy header */
};

extern const struct sr_dtype_info sr_dtypes[SR_DTYPE_COUNT];

enum sr_dtype sr_dtype_find(const char *name, size_t n); /* SR_DTYPE_NONE where unknown */
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
static inline bool sr_dtype_is_integer(enum sr_dtype t) /* i1 included */
{
	return sr_dtypes[t].class == SR_CLASS_BOOL || sr_dtypes[t].class == SR_CLASS_SINT || sr_dtypes[t].class == SR_CLASS_UINT;
}

/* Small and half floats to and from double: round to nearest even, overflow as the format says (Inf, NaN or saturation
 * where it has neither), subnormals kept. `bits` is the pattern in the low bits. F32 and F64 too. */
double sr_float_decode(enum sr_dtype t, uint64_t bits);
uint64_t sr_float_encode(enum sr_dtype t, double value); /* one rounding from double */
/* A number as MLIR writes it: 6 digits where they say it all, else all digits, else the bits in hex. */
struct sr_buf;
void sr_print_float(struct sr_buf *out, enum sr_dtype type, uint64_t bits);
/* Likewise any element; a complex one as [re, im]. */
void sr_print_number(struct sr_buf *out, enum sr_dtype type, const void *at);

/* bf16 and f16 fast paths, bit exact with the above. */
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

/* Integers of fewer bits than a byte has, n of them, from where only the low bits say their value: extended, as sr_element_set
 * keeps them. Elements of other types stay as they are. */
void sr_elements_extend(enum sr_dtype t, void *data, int64_t n);
static inline bool sr_dtype_is_sub_byte(enum sr_dtype t)
{
	return t != SR_I1 && sr_dtype_is_integer(t) && sr_dtypes[t].bits < 8;
}
/* One element at p as the widest of its class: integers into *i (sign- or zero-extended), floats and the real part of
 * complex into *d, the imaginary part into *im. Pointers of other classes may be NULL. */
void sr_element_get(enum sr_dtype t, const void *p, int64_t *i, double *d, double *im);
/* Write one element: integers (and i1) from i, floats from d, complex from d and im. */
void sr_element_set(enum sr_dtype t, void *p, int64_t i, double d, double im);

#endif
