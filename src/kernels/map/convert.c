/* CONVERT and BITCAST: every element type to every other.
 *
 * A block of elements is widened to the widest type of its class (int64, uint64, double, complex<double>), then narrowed to the
 * result type, so that n types need 5n loops and each value is rounded once, except that integers become floats of less than 32
 * bits by way of double. As in XLA:CPU, floats are truncated to integers and saturate, with NaN becoming 0; integers wrap; any
 * nonzero value is true; the imaginary part of a complex number is dropped. */
#include "kernels/element.h"
#define COLUMNS 0
#include "kernels/map/map_columns.h"
#undef COLUMNS
#include <string.h>

enum { BLOCK = 128 };
enum wide_kind { WIDE_SIGNED, WIDE_UNSIGNED, WIDE_DOUBLE, WIDE_COMPLEX, WIDE_COUNT };

struct conversion {
	int64_t (*widen)(const void *from, int64_t step, int64_t begin, int64_t n, void *wide);
	enum wide_kind kind;
	void (*narrow[WIDE_COUNT])(const void *wide, int64_t begin, int64_t n, void *to);
};

static int64_t saturate_signed(double v, int bits)
{
	double limit = ldexp(1, bits - 1);

	if (isnan(v))
		return 0;
	if (v >= limit)
		return (int64_t)(((uint64_t)1 << (bits - 1)) - 1);
	if (v <= -limit)
		return -(int64_t)(((uint64_t)1 << (bits - 1)) - 1) - 1;
	return (int64_t)v;
}

static uint64_t saturate_unsigned(double v, int bits)
{
	if (isnan(v) || v <= 0)
		return 0;
	if (v >= ldexp(1, bits))
		return ~(uint64_t)0 >> (64 - bits);
	return (uint64_t)v;
}

/* Convert double to bfloat16. Rounding to odd in f32 first makes the result equal to that of a single rounding to nearest. */
static uint16_t round_BF16(double v)
{
	union { float f; uint32_t u; } r = {(float)v};

	if (r.f != v && !isnan(v) && !isinf(r.f)) {
		if (fabs((double)r.f) > fabs(v))
			r.u--;
		r.u |= 1;
	}
	return sr_f32_to_bf16(r.f);
}

#define ROUND(id) \
	static inline __attribute__((unused)) S_##id round_##id(double v) { return (S_##id)v; }
#define ROUND_SMALL(id) \
	static inline __attribute__((unused)) S_##id round_##id(double v) { return store_##id(v); }
ROUND(F16)
ROUND(F32)
ROUND(F64)
ROUND_SMALL(F4E2M1FN)
ROUND_SMALL(F6E2M3FN)
ROUND_SMALL(F6E3M2FN)
ROUND_SMALL(F8E3M4)
ROUND_SMALL(F8E4M3)
ROUND_SMALL(F8E4M3B11FNUZ)
ROUND_SMALL(F8E4M3FN)
ROUND_SMALL(F8E4M3FNUZ)
ROUND_SMALL(F8E5M2)
ROUND_SMALL(F8E5M2FNUZ)
ROUND_SMALL(F8E8M0FNU)

#include "kernels/map/all_types.h"
#define BODY "kernels/map/convert_body.h"
#include "kernels/map/each_type.h"

static const struct conversion *const conversions[SR_DTYPE_COUNT] = {
#include "kernels/map/all_types.h"
#define BODY "kernels/map/convert_row.h"
#include "kernels/map/each_type.h"
};

void sr_convert_reference(const void *params, void *const *buffers, void *scratch, int64_t begin, int64_t end)
{
	const struct sr_map_params *p = params;
	const struct conversion *in_conversion = conversions[p->in], *out_conversion = conversions[p->out];
	sr_c128 block[BLOCK];

	for (int64_t i = begin; i < end; i += BLOCK) {
		int64_t n = end - i < BLOCK ? end - i : BLOCK;
		in_conversion->widen(buffers[0], !p->scalar[0], i, n, block);
		out_conversion->narrow[in_conversion->kind](block, i, n, buffers[1]);
	}
}

/* Compute BITCAST with sub-byte types: element i of the narrow type is bits (i % ratio) * bits of wide element i / ratio, lowest
 * first. A sub-byte element occupies a byte in memory, so its bits are moved one element at a time; bit offsets never cross a
 * byte. */
static void bitcast_bits(const struct sr_map_params *p, const uint8_t *in, uint8_t *out, int64_t begin, int64_t end)
{
	const struct sr_dtype_info *in_type = &sr_dtypes[p->in], *out_type = &sr_dtypes[p->out];
	bool is_split = in_type->bits >= out_type->bits;
	const struct sr_dtype_info *narrow_type = is_split ? out_type : in_type, *wide_type = is_split ? in_type : out_type;
	int64_t ratio = wide_type->bits / narrow_type->bits;
	uint8_t mask = (uint8_t)((1u << narrow_type->bits) - 1);

	for (int64_t i = begin; i < end; i++) {
		int64_t bit = i % ratio * narrow_type->bits, byte = i / ratio * wide_type->bytes + bit / 8;
		if (is_split) {
			uint8_t v = (uint8_t)(in[byte] >> bit % 8) & mask;
			bool is_negative = out_type->class == SR_CLASS_SINT && v >> (narrow_type->bits - 1);
			out[i] = is_negative ? v | (uint8_t)~mask : v;
		} else {
			if (bit % 8 == 0)
				out[byte] = 0;
			out[byte] |= (uint8_t)((in[i] & mask) << bit % 8);
			if (wide_type->class == SR_CLASS_SINT && wide_type->bits < 8 &&
			    bit + narrow_type->bits == wide_type->bits && out[byte] >> (wide_type->bits - 1))
				out[byte] |= (uint8_t)(0xffu << wide_type->bits);
		}
	}
}

static void bitcast(const void *params, void *const *buffers, void *scratch, int64_t begin, int64_t end)
{
	const struct sr_map_params *p = params;
	const struct sr_dtype_info *in_type = &sr_dtypes[p->in], *out_type = &sr_dtypes[p->out];
	int64_t bytes = in_type->bytes < out_type->bytes ? in_type->bytes : out_type->bytes;

	if (in_type->bits == in_type->bytes * 8 && out_type->bits == out_type->bytes * 8)
		memcpy((char *)buffers[1] + begin * bytes, (const char *)buffers[0] + begin * bytes,
		       (size_t)((end - begin) * bytes));
	else
		bitcast_bits(p, buffers[0], buffers[1], begin, end);
}

void sr_kernels_init_convert(struct sr_kernels *table)
{
	for (int t = SR_DTYPE_NONE + 1; t < SR_DTYPE_COUNT; t++) {
		table->fn[SR_KERNEL_CONVERT][t] = sr_convert_reference;
		table->fn[SR_KERNEL_BITCAST][t] = bitcast;
	}
}
