/* Elementwise kernels that map.ops cannot express: COMPARE, CLAMP, SELECT, REDUCE_PRECISION, COMPLEX. */
#include "kernels/element.h"
#include <stddef.h>

#include "kernels/map/all_types.h"
#define BODY "kernels/map/scalar_body.h"
#include "kernels/map/each_type.h"
#include "kernels/map/all_types.h"
#define BODY "kernels/map/compare_body.h"
#include "kernels/map/each_type.h"

void sr_compare_reference(const void *params, enum sr_dtype t, void *const *buffers, int64_t begin, int64_t end)
{
	static sr_kernel_fn *const compare[SR_DTYPE_COUNT] = {
#include "kernels/map/all_types.h"
#define BODY "kernels/map/compare_row.h"
#include "kernels/map/each_type.h"
	};

	compare[t](params, buffers, NULL, begin, end);
}

/* Define SELECT for one element size; buffers: predicate, on true, on false, out. */
#define SELECT(name, type) \
	static void name(const void *params, void *const *buffers, void *scratch, int64_t begin, int64_t end) \
	{ \
		const struct sr_map_params *p = params; \
		const uint8_t *pred = buffers[0]; \
		const type *a = buffers[1], *b = buffers[2]; \
		type *out = buffers[3]; \
		int64_t step = !p->scalar[0], step_a = !p->scalar[1], step_b = !p->scalar[2]; \
		for (int64_t i = begin; i < end; i++) \
			out[i] = pred[i * step] ? a[i * step_a] : b[i * step_b]; \
	}
typedef struct {
	uint64_t halves[2];
} sixteen_bytes;
SELECT(select_1, uint8_t)
SELECT(select_2, uint16_t)
SELECT(select_4, uint32_t)
SELECT(select_8, uint64_t)
SELECT(select_16, sixteen_bytes)

#define JOIN(name, part, complex_type) \
	static void name(const void *params, void *const *buffers, void *scratch, int64_t begin, int64_t end) \
	{ \
		const struct sr_map_params *p = params; \
		const part *re = buffers[0], *im = buffers[1]; \
		complex_type *out = buffers[2]; \
		int64_t step_re = !p->scalar[0], step_im = !p->scalar[1]; \
		for (int64_t i = begin; i < end; i++) \
			out[i] = __builtin_complex(re[i * step_re], im[i * step_im]); \
	}
JOIN(complex_F32, float, sr_c64)
JOIN(complex_F64, double, sr_c128)

/* Round the bits of a float with `exponent` and `mantissa` bits to fewer bits of both: round to nearest even, overflow to Inf,
 * underflow to zero (StableHLO specification, reduce_precision). */
static uint64_t reduce_bits(uint64_t v, int exponent, int mantissa, int to_exponent, int to_mantissa)
{
	uint64_t sign = (uint64_t)1 << (exponent + mantissa), inf = (((uint64_t)1 << exponent) - 1) << mantissa;

	if ((v & (sign - 1)) > inf)
		return to_mantissa > 0 ? v : inf;
	if (to_mantissa < mantissa) {
		uint64_t last_kept_bit = (uint64_t)1 << (mantissa - to_mantissa);
		v += (last_kept_bit >> 1) - 1 + ((v & last_kept_bit) != 0);
		v &= ~(last_kept_bit - 1);
	}
	if (to_exponent < exponent) {
		uint64_t bias = ((uint64_t)1 << (exponent - 1)) - 1, to_bias = ((uint64_t)1 << (to_exponent - 1)) - 1;
		uint64_t e = v & inf;
		if (e > (bias + to_bias) << mantissa)
			return (v & sign) | inf;
		if (e <= (bias - to_bias) << mantissa)
			return v & sign;
	}
	return v;
}

#define REDUCE_PRECISION(name, type, exponent, mantissa) \
	static void name(const void *params, void *const *buffers, void *scratch, int64_t begin, int64_t end) \
	{ \
		const struct sr_map_params *p = params; \
		const type *in = buffers[0]; \
		type *out = buffers[1]; \
		int64_t step = !p->scalar[0]; \
		for (int64_t i = begin; i < end; i++) \
			out[i] = (type)reduce_bits(in[i * step], exponent, mantissa, p->exponent_bits, p->mantissa_bits); \
	}
REDUCE_PRECISION(reduce_precision_BF16, uint16_t, 8, 7)
REDUCE_PRECISION(reduce_precision_F16, uint16_t, 5, 10)
REDUCE_PRECISION(reduce_precision_F32, uint32_t, 8, 23)
REDUCE_PRECISION(reduce_precision_F64, uint64_t, 11, 52)

void sr_kernels_init_compare(struct sr_kernels *table)
{
	static sr_kernel_fn *const select[17] = {[1] = select_1, [2] = select_2, [4] = select_4, [8] = select_8, [16] = select_16};

	for (int t = SR_DTYPE_NONE + 1; t < SR_DTYPE_COUNT; t++)
		table->fn[SR_KERNEL_SELECT][t] = select[sr_dtypes[t].bytes];
	table->fn[SR_KERNEL_COMPLEX][SR_F32] = complex_F32;
	table->fn[SR_KERNEL_COMPLEX][SR_F64] = complex_F64;
	table->fn[SR_KERNEL_REDUCE_PRECISION][SR_BF16] = reduce_precision_BF16;
	table->fn[SR_KERNEL_REDUCE_PRECISION][SR_F16] = reduce_precision_F16;
	table->fn[SR_KERNEL_REDUCE_PRECISION][SR_F32] = reduce_precision_F32;
	table->fn[SR_KERNEL_REDUCE_PRECISION][SR_F64] = reduce_precision_F64;
#include "kernels/map/all_types.h"
#define BODY "kernels/map/register_kernels.h"
#include "kernels/map/each_type.h"
}
