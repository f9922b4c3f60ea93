/* The table of element types, and loading and storing single elements.
 *
 * A float of at most 16 bits is described by its number of exponent bits, number of mantissa bits M, bias, and the meaning of
 * its largest patterns. With exponent field e and mantissa m the value is m * 2^(1 - bias - M) if e = 0, else (2^M + m) * 2^(e -
 * bias - M). Bit patterns without the sign therefore increase with the value: rounding up to the next pattern is correct across
 * exponents, and overflow is a comparison of patterns. Formats: IEEE 754; OCP 8-bit floating point (E4M3FN, E5M2); OCP
 * microscaling (E2M1, E2M3, E3M2, E8M0); FNUZ as in LLVM's APFloat. */
#include "support/dtype.h"
#include <math.h>
#include <string.h>

const struct sr_dtype_info sr_dtypes[SR_DTYPE_COUNT] = {
	[SR_DTYPE_NONE] = {"none", 0, 0, SR_CLASS_NONE, ""},
#define DTYPE(id, name, bytes, bits, class, npy) [SR_##id] = {name, bytes, bits, SR_CLASS_##class, npy},
#include "support/dtypes.def"
};

enum sr_dtype sr_dtype_find(const char *name, size_t n)
{
	for (int t = 1; t < SR_DTYPE_COUNT; t++)
		if (strlen(sr_dtypes[t].name) == n && memcmp(sr_dtypes[t].name, name, n) == 0)
			return (enum sr_dtype)t;
	return SR_DTYPE_NONE;
}

enum sr_dtype sr_dtype_of_integer(int bits, bool is_unsigned)
{
	for (int t = 1; t < SR_DTYPE_COUNT; t++)
		if (sr_dtypes[t].bits == bits && sr_dtype_is_integer((enum sr_dtype)t) &&
		    (sr_dtypes[t].class == SR_CLASS_UINT) == is_unsigned)
			return (enum sr_dtype)t;
	return SR_DTYPE_NONE;
}

enum top_patterns {
	TOP_IEEE,   /* the largest exponent encodes Inf and NaN */
	TOP_FN,     /* no Inf; all bits one is NaN */
	TOP_FNUZ,   /* no Inf, no -0; the pattern of -0 is NaN */
	TOP_FINITE, /* neither Inf nor NaN: overflow gives the largest value */
};

struct float_format {
	/* number of exponent bits and of mantissa bits; exponent 0: not a float of at most 16 bits */
	signed char exponent, mantissa;
	short bias;
	enum top_patterns top;
};

static const struct float_format formats[SR_DTYPE_COUNT] = {
	[SR_F4E2M1FN] = {2, 1, 1, TOP_FINITE},
	[SR_F6E2M3FN] = {2, 3, 1, TOP_FINITE},
	[SR_F6E3M2FN] = {3, 2, 3, TOP_FINITE},
	[SR_F8E3M4] = {3, 4, 3, TOP_IEEE},
	[SR_F8E4M3] = {4, 3, 7, TOP_IEEE},
	[SR_F8E4M3B11FNUZ] = {4, 3, 11, TOP_FNUZ},
	[SR_F8E4M3FN] = {4, 3, 7, TOP_FN},
	[SR_F8E4M3FNUZ] = {4, 3, 8, TOP_FNUZ},
	[SR_F8E5M2] = {5, 2, 15, TOP_IEEE},
	[SR_F8E5M2FNUZ] = {5, 2, 16, TOP_FNUZ},
	[SR_BF16] = {8, 7, 127, TOP_IEEE},
	[SR_F16] = {5, 10, 15, TOP_IEEE},
};

enum { DOUBLE_MANTISSA = 52, FLOAT_MANTISSA = 23, DOUBLE_BIAS = 1023, E8M0_BIAS = 127, E8M0_NAN = 0xff };

int sr_float_precision(enum sr_dtype t)
{
	return t == SR_F64   ? DOUBLE_MANTISSA + 1
	       : t == SR_F32 ? FLOAT_MANTISSA + 1
			     : formats[t].mantissa + 1; /* 1 for E8M0, which has no mantissa bits */
}

static uint64_t bits_of(double x)
{
	uint64_t u;
	memcpy(&u, &x, sizeof u);
	return u;
}

static double double_of(uint64_t u)
{
	double x;
	memcpy(&x, &u, sizeof x);
	return x;
}

/* Return a double NaN whose payload starts with the top bits of a narrower NaN's payload. */
static double make_nan(uint64_t sign, uint64_t payload)
{
	return double_of(sign << 63 | 0x7ffull << DOUBLE_MANTISSA | payload | 1ull << (DOUBLE_MANTISSA - 1));
}

static double decode_small(const struct float_format *f, uint64_t bits)
{
	int m_bits = f->mantissa, width = 1 + f->exponent + m_bits;
	uint64_t sign = bits >> (width - 1) & 1, magnitude = bits & ((1ull << (width - 1)) - 1);
	uint64_t e = magnitude >> m_bits, m = magnitude & ((1ull << m_bits) - 1), top = (1ull << f->exponent) - 1;
	if (f->top == TOP_IEEE && e == top)
		return m ? make_nan(sign, m << (DOUBLE_MANTISSA - m_bits)) : sign ? -INFINITY : INFINITY;
	if (f->top == TOP_FN && magnitude == (1ull << (width - 1)) - 1)
		return make_nan(sign, 0);
	if (f->top == TOP_FNUZ && sign && !magnitude)
		return make_nan(0, 0);
	double x = e ? ldexp((double)(m | 1ull << m_bits), (int)e - f->bias - m_bits) : ldexp((double)m, 1 - f->bias - m_bits);
	return sign ? -x : x;
}

double sr_float_decode(enum sr_dtype t, uint64_t bits)
{
	if (t == SR_F64)
		return double_of(bits);
	if (t == SR_F32) {
		uint32_t u = (uint32_t)bits;
		float x;
		memcpy(&x, &u, sizeof x);
		return x;
	}
	if (t == SR_F8E8M0FNU)
		return (bits & 0xff) == E8M0_NAN ? make_nan(0, 0) : ldexp(1.0, (int)(bits & 0xff) - E8M0_BIAS);
	return decode_small(&formats[t], bits);
}

/* Return m / 2^shift rounded to nearest, ties to even; m < 2^53. */
static uint64_t shift_round(uint64_t m, int shift)
{
	if (shift > 54)
		return 0;
	uint64_t half = 1ull << (shift - 1), remainder = m & (2 * half - 1), q = m >> shift;
	return q + (remainder > half || (remainder == half && (q & 1)));
}

/* Return the bit pattern of |x| for finite nonzero x, without checking for overflow. */
static uint64_t encode_magnitude(const struct float_format *f, uint64_t x)
{
	int field = (int)(x >> DOUBLE_MANTISSA & 0x7ff), min_exponent = 1 - f->bias;
	uint64_t m = x & ((1ull << DOUBLE_MANTISSA) - 1);
	int exponent = field ? field - DOUBLE_BIAS : 1 - DOUBLE_BIAS; /* exponent of the implicit leading bit, 2^M */
	if (field)
		m |= 1ull << DOUBLE_MANTISSA;
	if (exponent < min_exponent)
		return shift_round(m, min_exponent - exponent + DOUBLE_MANTISSA - f->mantissa);
	return ((uint64_t)(exponent - min_exponent) << f->mantissa) + shift_round(m, DOUBLE_MANTISSA - f->mantissa);
}

static uint64_t encode_nan(const struct float_format *f, uint64_t x)
{
	int width = 1 + f->exponent + f->mantissa;
	uint64_t sign = x >> 63 << (width - 1), all_ones = (1ull << (width - 1)) - 1;
	switch (f->top) {
	case TOP_IEEE: {
		uint64_t payload = x << 12 >> (64 - f->mantissa), quiet_bit = 1ull << (f->mantissa - 1);
		return sign | (all_ones >> f->mantissa << f->mantissa) | payload | quiet_bit;
	}
	case TOP_FN:
		return sign | all_ones;
	case TOP_FNUZ:
		break;
	case TOP_FINITE: /* a format without NaN: encode NaN as minus zero, as ml_dtypes does */
		return sign ? 0 : 1ull << (width - 1);
	}
	return 1ull << (width - 1);
}

static uint64_t encode_small(const struct float_format *f, double value)
{
	uint64_t x = bits_of(value), all_ones = (1ull << (f->exponent + f->mantissa)) - 1;
	if (isnan(value))
		return encode_nan(f, x);
	uint64_t sign = x >> 63 << (f->exponent + f->mantissa);
	uint64_t infinity = all_ones >> f->mantissa << f->mantissa;
	uint64_t max_magnitude = f->top == TOP_IEEE ? infinity : f->top == TOP_FN ? all_ones - 1 : all_ones;
	uint64_t magnitude = isinf(value) ? all_ones + 1 : value == 0 ? 0 : encode_magnitude(f, x & ~(1ull << 63));
	if (magnitude > max_magnitude) {
		if (f->top == TOP_FN || f->top == TOP_FNUZ)
			return encode_nan(f, x);
		magnitude = max_magnitude;
	}
	return f->top == TOP_FNUZ && !magnitude ? 0 : sign | magnitude;
}

/* E8M0 encodes powers of two, without sign or zero. Values not above zero and values too large become NaN. A tie rounds up,
 * since the lower neighbour's significand, 1, is odd. */
static uint64_t encode_e8m0(double value)
{
	if (!(value > 0) || isinf(value))
		return E8M0_NAN;
	int exponent;
	double fraction = frexp(value, &exponent); /* value = fraction * 2^exponent, with fraction in [0.5, 1) */
	int pattern = exponent - 1 + E8M0_BIAS;
	if (pattern < 0)
		return 0;
	pattern += fraction >= 0.75;
	return pattern > E8M0_NAN ? E8M0_NAN : (uint64_t)pattern;
}

uint64_t sr_float_encode(enum sr_dtype t, double value)
{
	if (t == SR_F64)
		return bits_of(value);
	if (t == SR_F32) {
		float x = (float)value;
		uint32_t u;
		memcpy(&u, &x, sizeof u);
		return u;
	}
	return t == SR_F8E8M0FNU ? encode_e8m0(value) : encode_small(&formats[t], value);
}

/* Load `bytes` bytes at p as an unsigned integer in host byte order. */
static uint64_t load_uint(const void *p, int bytes)
{
	uint8_t u8;
	uint16_t u16;
	uint32_t u32;
	uint64_t u64;
	switch (bytes) {
	case 1:
		return memcpy(&u8, p, 1), u8;
	case 2:
		return memcpy(&u16, p, 2), u16;
	case 4:
		return memcpy(&u32, p, 4), u32;
	default:
		return memcpy(&u64, p, 8), u64;
	}
}

static void store_uint(void *p, int bytes, uint64_t value)
{
	uint8_t u8 = (uint8_t)value;
	uint16_t u16 = (uint16_t)value;
	uint32_t u32 = (uint32_t)value;
	memcpy(p, bytes == 1 ? (void *)&u8 : bytes == 2 ? (void *)&u16 : bytes == 4 ? (void *)&u32 : (void *)&value, (size_t)bytes);
}

static uint64_t zero_extend(uint64_t x, int bits)
{
	return bits == 64 ? x : x & ((1ull << bits) - 1);
}

static int64_t sign_extend(uint64_t x, int bits)
{
	uint64_t sign = 1ull << (bits - 1);
	return (int64_t)((zero_extend(x, bits) ^ sign) - sign);
}

void sr_elements_extend(enum sr_dtype t, void *data, int64_t n)
{
	uint8_t *p = data;
	bool is_signed = sr_dtypes[t].class == SR_CLASS_SINT;
	if (!sr_dtype_is_sub_byte(t))
		return;
	for (int64_t i = 0; i < n; i++)
		p[i] = (uint8_t)(is_signed ? (uint64_t)sign_extend(p[i], sr_dtypes[t].bits) : zero_extend(p[i], sr_dtypes[t].bits));
}

void sr_element_get(enum sr_dtype t, const void *p, int64_t *i, double *d, double *im)
{
	const struct sr_dtype_info *info = &sr_dtypes[t];
	enum sr_dtype component = sr_dtype_complex_part(t);
	int component_bytes = info->bytes / 2;
	switch (info->class) {
	case SR_CLASS_BOOL:
		*i = load_uint(p, 1) != 0;
		break;
	case SR_CLASS_SINT:
		*i = sign_extend(load_uint(p, info->bytes), info->bits);
		break;
	case SR_CLASS_UINT:
		*i = (int64_t)zero_extend(load_uint(p, info->bytes), info->bits);
		break;
	case SR_CLASS_FLOAT:
		*d = sr_float_decode(t, load_uint(p, info->bytes));
		break;
	case SR_CLASS_COMPLEX:
		*d = sr_float_decode(component, load_uint(p, component_bytes));
		*im = sr_float_decode(component, load_uint((const char *)p + component_bytes, component_bytes));
		break;
	case SR_CLASS_NONE:
		break;
	}
}

void sr_element_set(enum sr_dtype t, void *p, int64_t i, double d, double im)
{
	const struct sr_dtype_info *info = &sr_dtypes[t];
	enum sr_dtype component = sr_dtype_complex_part(t);
	int component_bytes = info->bytes / 2;
	switch (info->class) {
	case SR_CLASS_BOOL:
		store_uint(p, 1, i != 0);
		break;
	case SR_CLASS_SINT:
		store_uint(p, info->bytes, (uint64_t)sign_extend((uint64_t)i, info->bits));
		break;
	case SR_CLASS_UINT:
		store_uint(p, info->bytes, zero_extend((uint64_t)i, info->bits));
		break;
	case SR_CLASS_FLOAT:
		store_uint(p, info->bytes, sr_float_encode(t, d));
		break;
	case SR_CLASS_COMPLEX:
		store_uint(p, component_bytes, sr_float_encode(component, d));
		store_uint((char *)p + component_bytes, component_bytes, sr_float_encode(component, im));
		break;
	case SR_CLASS_NONE:
		break;
	}
}
