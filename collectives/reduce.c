/* The elements of reductions: a table by type and monoid of loops over two buffers, and the fold over many.
 *
 * Narrow floats (f16, bf16, f8, ...) go through f32 in blocks: a fold widens every contribution, reduces in f32 and rounds once.
 * The order of a fold over n members is one binary tree over member index, split at the largest power of two below n: 0+1, 2+3,
 * (0+1)+(2+3), ... The meaning of min, max, and of reductions of i1, is the StableHLO specification's (maximum, minimum: IEEE-754
 * 2019; add of booleans is or, multiply is and). */
#include "collectives/builder.h"
#include <complex.h>
#include <math.h>
#include <string.h>

typedef void reduce_fn(void *restrict dst, const void *restrict src, int64_t n, bool reversed);

/* IEEE-754 maximum and minimum: NaN wins, -0 lies below +0. */
#define FLOAT_LOW(a, b) (a < b || a != a ? a : b < a || b != b ? b : signbit(a) ? a : b)
#define FLOAT_HIGH(a, b) (a > b || a != a ? a : b > a || b != b ? b : signbit(a) ? b : a)
#define INTEGER_LOW(a, b) (b < a ? b : a)
#define INTEGER_HIGH(a, b) (a < b ? b : a)
#define COMPLEX_LESS(a, b) (creal(a) < creal(b) || (creal(a) == creal(b) && cimag(a) < cimag(b)))
#define COMPLEX_LOW(a, b) (COMPLEX_LESS(b, a) ? b : a)
#define COMPLEX_HIGH(a, b) (COMPLEX_LESS(a, b) ? b : a)

#define T int8_t
#define U uint32_t
#define NAME i8
#define LOW INTEGER_LOW
#define HIGH INTEGER_HIGH
#define BITS
#include "collectives/reduce_body.h"
#define T int16_t
#define U uint32_t
#define NAME i16
#define LOW INTEGER_LOW
#define HIGH INTEGER_HIGH
#define BITS
#include "collectives/reduce_body.h"
#define T int32_t
#define U uint32_t
#define NAME i32
#define LOW INTEGER_LOW
#define HIGH INTEGER_HIGH
#define BITS
#include "collectives/reduce_body.h"
#define T int64_t
#define U uint64_t
#define NAME i64
#define LOW INTEGER_LOW
#define HIGH INTEGER_HIGH
#define BITS
#include "collectives/reduce_body.h"
#define T uint8_t
#define U uint32_t
#define NAME ui8
#define LOW INTEGER_LOW
#define HIGH INTEGER_HIGH
#define BITS
#include "collectives/reduce_body.h"
#define T uint16_t
#define U uint32_t
#define NAME ui16
#define LOW INTEGER_LOW
#define HIGH INTEGER_HIGH
#define BITS
#include "collectives/reduce_body.h"
#define T uint32_t
#define U uint32_t
#define NAME ui32
#define LOW INTEGER_LOW
#define HIGH INTEGER_HIGH
#define BITS
#include "collectives/reduce_body.h"
#define T uint64_t
#define U uint64_t
#define NAME ui64
#define LOW INTEGER_LOW
#define HIGH INTEGER_HIGH
#define BITS
#include "collectives/reduce_body.h"
#define T float
#define U float
#define NAME f32
#define LOW FLOAT_LOW
#define HIGH FLOAT_HIGH
#include "collectives/reduce_body.h"
#define T double
#define U double
#define NAME f64
#define LOW FLOAT_LOW
#define HIGH FLOAT_HIGH
#include "collectives/reduce_body.h"
#define T float _Complex
#define U float _Complex
#define NAME c64
#define LOW COMPLEX_LOW
#define HIGH COMPLEX_HIGH
#include "collectives/reduce_body.h"
#define T double _Complex
#define U double _Complex
#define NAME c128
#define LOW COMPLEX_LOW
#define HIGH COMPLEX_HIGH
#include "collectives/reduce_body.h"

/* Booleans are 0 or 1: every monoid is one of the bitwise loops. */
static reduce_fn *const table_i1[SR_MONOID_COUNT] = {
	[SR_MONOID_ADD] = disjunction_ui8, [SR_MONOID_MUL] = conjunction_ui8, [SR_MONOID_MIN] = conjunction_ui8,
	[SR_MONOID_MAX] = disjunction_ui8, [SR_MONOID_AND] = conjunction_ui8, [SR_MONOID_OR] = disjunction_ui8,
	[SR_MONOID_XOR] = exclusive_ui8};

/* Types that have loops of their own; i2, i4, ui2, ui4 run as bytes and are then cut to their bits. NULL: a narrow float. */
static reduce_fn *const *const tables[SR_DTYPE_COUNT] = {
	[SR_I1] = table_i1,   [SR_I2] = table_i8,   [SR_I4] = table_i8,     [SR_I8] = table_i8,     [SR_I16] = table_i16,
	[SR_I32] = table_i32, [SR_I64] = table_i64, [SR_UI2] = table_ui8,   [SR_UI4] = table_ui8,   [SR_UI8] = table_ui8,
	[SR_UI16] = table_ui16, [SR_UI32] = table_ui32, [SR_UI64] = table_ui64, [SR_F32] = table_f32, [SR_F64] = table_f64,
	[SR_C64] = table_c64, [SR_C128] = table_c128};

enum { BLOCK = 512 }; /* elements widened at a time */

static bool is_narrow_float(enum sr_dtype type)
{
	return sr_dtype_is_float(type) && sr_dtypes[type].bits < 32;
}

bool sr_reduce_supported(enum sr_dtype type, enum sr_monoid monoid)
{
	if (monoid >= SR_MONOID_COUNT)
		return false;
	return is_narrow_float(type) ? table_f32[monoid] != NULL : tables[type] && tables[type][monoid];
}

enum sr_dtype sr_accumulator(enum sr_dtype type, enum sr_monoid monoid)
{
	return is_narrow_float(type) && (monoid == SR_MONOID_ADD || monoid == SR_MONOID_MUL) ? SR_F32 : type;
}

/* ---- narrow floats ---- */

static float f32_of_half(uint16_t x)
{
#ifdef __FLT16_MAX__
	union { uint16_t u; _Float16 f; } v = {x};
	return (float)v.f;
#else
	return (float)sr_float_decode(SR_F16, x);
#endif
}

static uint16_t half_of_f32(float x)
{
#ifdef __FLT16_MAX__
	union { _Float16 f; uint16_t u; } v = {(_Float16)x};
	return v.u;
#else
	return (uint16_t)sr_float_encode(SR_F16, x);
#endif
}

static void widen(float *restrict dst, enum sr_dtype type, const void *restrict src, int64_t n)
{
	const uint16_t *half = src;
	const uint8_t *byte = src;
	if (type == SR_F32)
		memcpy(dst, src, (size_t)n * sizeof *dst);
	else if (type == SR_BF16)
		for (int64_t i = 0; i < n; i++)
			dst[i] = sr_bf16_to_f32(half[i]);
	else if (type == SR_F16)
		for (int64_t i = 0; i < n; i++)
			dst[i] = f32_of_half(half[i]);
	else
		for (int64_t i = 0; i < n; i++)
			dst[i] = (float)sr_float_decode(type, byte[i]);
}

static void narrow(enum sr_dtype type, void *restrict dst, const float *restrict src, int64_t n)
{
	uint16_t *half = dst;
	uint8_t *byte = dst;
	if (type == SR_F32)
		memcpy(dst, src, (size_t)n * sizeof *src);
	else if (type == SR_BF16)
		for (int64_t i = 0; i < n; i++)
			half[i] = sr_f32_to_bf16(src[i]);
	else if (type == SR_F16)
		for (int64_t i = 0; i < n; i++)
			half[i] = half_of_f32(src[i]);
	else
		for (int64_t i = 0; i < n; i++)
			byte[i] = (uint8_t)sr_float_encode(type, src[i]);
}

void sr_convert_elements(enum sr_dtype to, void *dst, enum sr_dtype from, const void *src, int64_t count)
{
	float block[BLOCK];
	for (int64_t i = 0; i < count; i += BLOCK) {
		int64_t n = count - i < BLOCK ? count - i : BLOCK;
		widen(block, from, (const char *)src + i * sr_dtype_bytes(from), n);
		narrow(to, (char *)dst + i * sr_dtype_bytes(to), block, n);
	}
}

static void reduce_narrow(enum sr_dtype type, enum sr_monoid monoid, char *dst, const char *src, int64_t count, bool reversed)
{
	float d[BLOCK], s[BLOCK];
	int64_t size = sr_dtype_bytes(type);
	for (int64_t i = 0; i < count; i += BLOCK) {
		int64_t n = count - i < BLOCK ? count - i : BLOCK;
		widen(d, type, dst + i * size, n);
		widen(s, type, src + i * size, n);
		table_f32[monoid](d, s, n, reversed);
		narrow(type, dst + i * size, d, n);
	}
}

/* Cut integers of 2 and 4 bits, held in bytes, back to their range. */
static void wrap_bits(enum sr_dtype type, void *dst, int64_t count)
{
	int spare = 8 - sr_dtypes[type].bits;
	uint8_t *u = dst;
	int8_t *s = dst;
	if (sr_dtypes[type].class == SR_CLASS_UINT)
		for (int64_t i = 0; i < count; i++)
			u[i] = (uint8_t)((uint8_t)(u[i] << spare) >> spare);
	else
		for (int64_t i = 0; i < count; i++)
			s[i] = (int8_t)((int8_t)(uint8_t)(u[i] << spare) >> spare);
}

static void reduce(enum sr_dtype type, enum sr_monoid monoid, void *dst, const void *src, int64_t count, bool reversed)
{
	if (is_narrow_float(type)) {
		reduce_narrow(type, monoid, dst, src, count, reversed);
		return;
	}
	tables[type][monoid](dst, src, count, reversed);
	if (sr_dtypes[type].bits < 8 && type != SR_I1)
		wrap_bits(type, dst, count);
}

void sr_reduce_elements(enum sr_dtype type, enum sr_monoid monoid, void *dst, const void *src, int64_t count)
{
	reduce(type, monoid, dst, src, count, false);
}

/* ---- the order of sums ---- */

/* Of all partial results that are alive at once, which stay in the nearest caches, and of one: long enough for what reads ahead. */
enum { TREE_BYTES = 64 << 10, MOST_BLOCK = 8 << 10 };

/* One block of every contribution, as the tree reads it. */
struct leaves {
	enum sr_dtype type, carried, result; /* of the contributions; of partial results; `type`, or `carried` where it is one */
	reduce_fn *combine;
	const char *const *at; /* [n], each from `shift` bytes on; NULL: at first + k * stride */
	const char *first;
	int64_t shift, stride, offset; /* bytes; the last: of the block in each */
	int64_t block, count;          /* bytes of a partial result; elements that it has now */
};

static const char *leaf(const struct leaves *l, int k)
{
	return (l->at ? l->at[k] + l->shift : l->first + k * l->stride) + l->offset;
}

/* sum = the contributions first .. first + n - 1; what follows it is free. Split at the largest power of two below n. */
static void tree(const struct leaves *l, int first, int n, char *sum)
{
	int left = n > 1 ? sr_power_below(n - 1) : 0;
	bool is_wide = l->type == l->carried;
	if (n == 1 && is_wide) {
		memcpy(sum, leaf(l, first), (size_t)(l->count * sr_dtype_bytes(l->type)));
	} else if (n == 1) {
		widen((float *)(void *)sum, l->type, leaf(l, first), l->count);
	} else if (n - left == 1 && is_wide) {
		tree(l, first, left, sum);
		l->combine(sum, leaf(l, first + left), l->count, false);
	} else {
		tree(l, first, left, sum);
		tree(l, first + left, n - left, sum + l->block);
		l->combine(sum, sum + l->block, l->count, false);
	}
}

static void reduce_tree(struct leaves l, enum sr_monoid monoid, char *dst, int n, int64_t count)
{
	_Alignas(64) char sum[TREE_BYTES];
	bool is_narrow = is_narrow_float(l.type);
	l.carried = is_narrow ? SR_F32 : l.type;
	l.combine = is_narrow ? table_f32[monoid] : tables[l.type][monoid];
	int alive = 2;
	for (int64_t reached = 2; reached < n; reached *= 2)
		alive++;
	l.block = TREE_BYTES / alive / 64 * 64 < MOST_BLOCK ? TREE_BYTES / alive / 64 * 64 : MOST_BLOCK;
	int64_t size = sr_dtype_bytes(l.type), block = l.block / sr_dtype_bytes(l.carried);
	for (int64_t i = 0; i < count; i += block) {
		l.offset = i * size;
		l.count = count - i < block ? count - i : block;
		tree(&l, 0, n, sum);
		if (l.result != l.carried)
			narrow(l.type, dst + i * size, (float *)(void *)sum, l.count);
		else
			memcpy(dst + i * sr_dtype_bytes(l.carried), sum, (size_t)(l.count * sr_dtype_bytes(l.carried)));
		if (sr_dtypes[l.type].bits < 8 && l.type != SR_I1 && !is_narrow)
			wrap_bits(l.type, dst + i * size, l.count);
	}
}

void sr_reduce_fold(enum sr_dtype type, enum sr_monoid monoid, void *dst, const void *src, int64_t stride, int n, int64_t count)
{
	reduce_tree((struct leaves){.type = type, .result = type, .first = src, .stride = stride}, monoid, dst, n, count);
}

/* ---- local entries ---- */

/* f32 partial results with narrow contributions. */
static void reduce_widening(enum sr_monoid monoid, float *dst, enum sr_dtype type, const char *src, int64_t count, bool reversed)
{
	float s[BLOCK];
	for (int64_t i = 0; i < count; i += BLOCK) {
		int64_t n = count - i < BLOCK ? count - i : BLOCK;
		widen(s, type, src + i * sr_dtype_bytes(type), n);
		table_f32[monoid](dst + i, s, n, reversed);
	}
}

static void fold_members(const struct sr_schedule_entry *e, enum sr_monoid monoid, char *dst, const struct sr_views *v, int64_t count)
{
	struct leaves l = {.type = e->src_type, .result = e->type, .at = (const char *const *)v->of[e->src] + e->peer, .shift = e->src_offset};
	reduce_tree(l, monoid, dst, e->n_fold, count);
}

void sr_entry_run_dense(const struct sr_schedule_entry *e, enum sr_monoid monoid, const struct sr_views *v)
{
	const void *from = e->kind == SR_ENTRY_READ ? v->of[e->src][e->peer] : v->mine[e->src];
	char *dst = (char *)v->mine[e->dst] + e->dst_offset;
	const char *src = (const char *)from + e->src_offset;
	int64_t count = e->bytes / sr_dtype_bytes(e->type);
	switch (e->kind) {
	case SR_ENTRY_ZERO:
		memset(dst, 0, (size_t)e->bytes);
		break;
	case SR_ENTRY_COPY:
	case SR_ENTRY_READ:
		if (e->type != e->src_type)
			sr_convert_elements(e->type, dst, e->src_type, src, count);
		else if (dst != src)
			memcpy(dst, src, (size_t)e->bytes);
		break;
	case SR_ENTRY_REDUCE:
		if (e->type != e->src_type)
			reduce_widening(monoid, (float *)dst, e->src_type, src, count, e->reversed);
		else
			reduce(e->type, monoid, dst, src, count, e->reversed);
		break;
	case SR_ENTRY_FOLD:
		sr_reduce_fold(e->type, monoid, dst, src, e->stride, e->n_fold, count);
		break;
	case SR_ENTRY_FOLD_MEMBERS:
		fold_members(e, monoid, dst, v, count);
		break;
	default:
		break;
	}
}
