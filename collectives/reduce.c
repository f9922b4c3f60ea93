/* Reduction of elements: a table of loops by element type and monoid, and the tree reduction over many members.
 *
 * Narrow floats (f16, bf16, f8, ...) are converted to f32 block by block: a fold widens every contribution, reduces in f32 and
 * rounds once. A fold over n members evaluates one binary tree over member index, split at the largest power of two below n:
 * 0+1, 2+3, (0+1)+(2+3), ... min and max are those of the kernels (kernels/order.h); of i1, add is or and multiply is and. */
#include "collectives/builder.h"
#include "kernels/order.h"
#include "support/streaming.h"
#include <string.h>

typedef void reduce_fn(void *restrict dst, const void *restrict src, int64_t n, bool reversed);

#define INTEGER_LOW(a, b) (b < a ? b : a)
#define INTEGER_HIGH(a, b) (a < b ? b : a)

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
#define LOW minimumf
#define HIGH maximumf
#include "collectives/reduce_body.h"
#define T double
#define U double
#define NAME f64
#define LOW minimum
#define HIGH maximum
#include "collectives/reduce_body.h"
#define T float _Complex
#define U float _Complex
#define NAME c64
#define LOW sr_complex_minimum
#define HIGH sr_complex_maximum
#include "collectives/reduce_body.h"
#define T double _Complex
#define U double _Complex
#define NAME c128
#define LOW sr_complex_minimum
#define HIGH sr_complex_maximum
#include "collectives/reduce_body.h"

/* Booleans are 0 or 1, so every monoid is a bitwise loop. */
static reduce_fn *const reduce_table_i1[SR_MONOID_COUNT] = {
	[SR_MONOID_ADD] = disjunction_ui8, [SR_MONOID_MUL] = conjunction_ui8, [SR_MONOID_MIN] = conjunction_ui8,
	[SR_MONOID_MAX] = disjunction_ui8, [SR_MONOID_AND] = conjunction_ui8, [SR_MONOID_OR] = disjunction_ui8,
	[SR_MONOID_XOR] = exclusive_ui8};

/* Loops by type; i2, i4, ui2 and ui4 are computed as bytes and then truncated. NULL: a narrow float. */
static reduce_fn *const *const reduce_tables[SR_DTYPE_COUNT] = {
	[SR_I1] = reduce_table_i1,   [SR_I2] = table_i8,   [SR_I4] = table_i8,     [SR_I8] = table_i8,     [SR_I16] = table_i16,
	[SR_I32] = table_i32, [SR_I64] = table_i64, [SR_UI2] = table_ui8,   [SR_UI4] = table_ui8,   [SR_UI8] = table_ui8,
	[SR_UI16] = table_ui16, [SR_UI32] = table_ui32, [SR_UI64] = table_ui64, [SR_F32] = table_f32, [SR_F64] = table_f64,
	[SR_C64] = table_c64, [SR_C128] = table_c128};

enum { BLOCK = 512 }; /* elements converted to f32 at a time */

static bool is_narrow_float(enum sr_dtype type)
{
	return sr_dtype_is_float(type) && sr_dtypes[type].bits < 32;
}

bool sr_reduce_supported(enum sr_dtype type, enum sr_monoid monoid)
{
	if (monoid >= SR_MONOID_COUNT)
		return false;
	return is_narrow_float(type) ? table_f32[monoid] != NULL : reduce_tables[type] && reduce_tables[type][monoid];
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
	const uint16_t *halves = src;
	const uint8_t *byte = src;
	if (type == SR_F32)
		memcpy(dst, src, (size_t)n * sizeof *dst);
	else if (type == SR_BF16)
		for (int64_t i = 0; i < n; i++)
			dst[i] = sr_bf16_to_f32(halves[i]);
	else if (type == SR_F16)
		for (int64_t i = 0; i < n; i++)
			dst[i] = f32_of_half(halves[i]);
	else
		for (int64_t i = 0; i < n; i++)
			dst[i] = (float)sr_float_decode(type, byte[i]);
}

static void narrow(enum sr_dtype type, void *restrict dst, const float *restrict src, int64_t n)
{
	uint16_t *halves = dst;
	uint8_t *byte = dst;
	if (type == SR_F32)
		memcpy(dst, src, (size_t)n * sizeof *src);
	else if (type == SR_BF16)
		for (int64_t i = 0; i < n; i++)
			halves[i] = sr_f32_to_bf16(src[i]);
	else if (type == SR_F16)
		for (int64_t i = 0; i < n; i++)
			halves[i] = half_of_f32(src[i]);
	else
		for (int64_t i = 0; i < n; i++)
			byte[i] = (uint8_t)sr_float_encode(type, src[i]);
}

void sr_convert_elements(enum sr_dtype dst_type, void *dst, enum sr_dtype src_type, const void *src, int64_t count)
{
	float block[BLOCK];
	for (int64_t i = 0; i < count; i += BLOCK) {
		int64_t n = count - i < BLOCK ? count - i : BLOCK;
		widen(block, src_type, (const char *)src + i * sr_dtype_bytes(src_type), n);
		narrow(dst_type, (char *)dst + i * sr_dtype_bytes(dst_type), block, n);
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

/* Truncate integers of 2 or 4 bits, stored in bytes, to their range. */
static void wrap_bits(enum sr_dtype type, void *dst, int64_t count)
{
	int unused_bits = 8 - sr_dtypes[type].bits;
	uint8_t *u = dst;
	int8_t *s = dst;
	if (sr_dtypes[type].class == SR_CLASS_UINT)
		for (int64_t i = 0; i < count; i++)
			u[i] = (uint8_t)((uint8_t)(u[i] << unused_bits) >> unused_bits);
	else
		for (int64_t i = 0; i < count; i++)
			s[i] = (int8_t)((int8_t)(uint8_t)(u[i] << unused_bits) >> unused_bits);
}

static void reduce(enum sr_dtype type, enum sr_monoid monoid, void *dst, const void *src, int64_t count, bool reversed)
{
	if (is_narrow_float(type)) {
		reduce_narrow(type, monoid, dst, src, count, reversed);
		return;
	}
	reduce_tables[type][monoid](dst, src, count, reversed);
	if (sr_dtypes[type].bits < 8 && type != SR_I1)
		wrap_bits(type, dst, count);
}

void sr_reduce_elements(enum sr_dtype type, enum sr_monoid monoid, void *dst, const void *src, int64_t count)
{
	reduce(type, monoid, dst, src, count, false);
}

/* ---- tree reduction ---- */

/* Bytes of all partial results that are live at once, which fit the L1 and L2 caches; and maximum bytes of one partial result,
 * enough for hardware prefetching. */
enum { TREE_BYTES = 64 << 10, MAX_BLOCK = 8 << 10 };

/* One block of every contribution: the leaves of the tree. */
struct leaves {
	enum sr_dtype type, partial_type, result; /* element types of contributions, of partial results, and of the result */
	reduce_fn *combine;
	const char *const *
	    contributions; /* [n] contribution k begins `shift` bytes after contributions[k]; NULL: it begins at first + k * stride */
	const char *first;
	int64_t shift, stride, offset; /* distances in bytes; `offset`: offset of the current block in each contribution */
	int64_t block, count;          /* bytes reserved for a partial result; number of elements in the current block */
	bool streams;                  /* true if the result is written past the caches */
};

static const char *contribution_address(const struct leaves *l, int k)
{
	return (l->contributions ? l->contributions[k] + l->shift : l->first + k * l->stride) + l->offset;
}

/* Set `sum` to the reduction of contributions first .. first + n - 1, split at the largest power of two below n. The memory
 * after `sum` is used for further partial results. */
static void reduce_subtree(const struct leaves *l, int first, int n, char *sum)
{
	int n_left = n > 1 ? sr_power_below(n - 1) : 0;
	bool is_wide = l->type == l->partial_type;
	if (n == 1 && is_wide) {
		memcpy(sum, contribution_address(l, first), (size_t)(l->count * sr_dtype_bytes(l->type)));
	} else if (n == 1) {
		widen((float *)(void *)sum, l->type, contribution_address(l, first), l->count);
	} else if (n - n_left == 1 && is_wide) {
		reduce_subtree(l, first, n_left, sum);
		l->combine(sum, contribution_address(l, first + n_left), l->count, false);
	} else {
		reduce_subtree(l, first, n_left, sum);
		reduce_subtree(l, first + n_left, n - n_left, sum + l->block);
		l->combine(sum, sum + l->block, l->count, false);
	}
}

/* Return true if [x, x + bytes) and [y, y + bytes) have a byte in common. */
static bool do_ranges_overlap(const char *x, const char *y, int64_t bytes)
{
	return x < y + bytes && y < x + bytes;
}

/* Reduce two contributions in dst itself, without partial results. Return false if dst overlaps the second one, or overlaps the
 * first one without being equal to it, or if the elements need a conversion. */
static bool reduce_pair(const struct leaves *l, reduce_fn *combine, char *dst, int64_t count)
{
	const char *first_contribution = contribution_address(l, 0), *second_contribution = contribution_address(l, 1);
	int64_t size = sr_dtype_bytes(l->type), block = MAX_BLOCK / size;
	bool is_first = dst == first_contribution;
	if (l->type != l->result || is_narrow_float(l->type) || sr_dtypes[l->type].bits < 8 ||
	    do_ranges_overlap(dst, second_contribution, count * size) ||
	    (!is_first && do_ranges_overlap(dst, first_contribution, count * size)))
		return false;
	for (int64_t i = 0; i < count; i += block) {
		int64_t n = count - i < block ? count - i : block;
		if (!is_first)
			memcpy(dst + i * size, first_contribution + i * size, (size_t)(n * size));
		combine(dst + i * size, second_contribution + i * size, n, false);
	}
	return true;
}

static void reduce_tree(struct leaves l, enum sr_monoid monoid, char *dst, int n, int64_t count)
{
	_Alignas(64) char sum[TREE_BYTES];
	bool is_narrow = is_narrow_float(l.type);
	l.partial_type = is_narrow ? SR_F32 : l.type;
	l.combine = is_narrow ? table_f32[monoid] : reduce_tables[l.type][monoid];
	if (n == 2 && !l.streams && reduce_pair(&l, l.combine, dst, count))
		return;
	int n_live = 2;
	for (int64_t members = 2; members < n; members *= 2)
		n_live++;
	l.block = TREE_BYTES / n_live / 64 * 64 < MAX_BLOCK ? TREE_BYTES / n_live / 64 * 64 : MAX_BLOCK;
	int64_t size = sr_dtype_bytes(l.type), block = l.block / sr_dtype_bytes(l.partial_type);
	for (int64_t i = 0; i < count; i += block) {
		l.offset = i * size;
		l.count = count - i < block ? count - i : block;
		reduce_subtree(&l, 0, n, sum);
		if (l.result != l.partial_type)
			narrow(l.type, dst + i * size, (float *)(void *)sum, l.count);
		else if (l.streams)
			sr_copy_streaming(dst + i * sr_dtype_bytes(l.partial_type), sum,
					  (size_t)(l.count * sr_dtype_bytes(l.partial_type)));
		else
			memcpy(dst + i * sr_dtype_bytes(l.partial_type), sum, (size_t)(l.count * sr_dtype_bytes(l.partial_type)));
		if (sr_dtypes[l.type].bits < 8 && l.type != SR_I1 && !is_narrow)
			wrap_bits(l.type, dst + i * size, l.count);
	}
}

void sr_reduce_fold(enum sr_dtype type, enum sr_monoid monoid, void *dst, const void *src, int64_t stride, int n, int64_t count)
{
	reduce_tree((struct leaves){.type = type, .result = type, .first = src, .stride = stride}, monoid, dst, n, count);
}

/* ---- local entries ---- */

/* Reduce narrow contributions into f32 partial results. */
static void reduce_widening(enum sr_monoid monoid, float *dst, enum sr_dtype type, const char *src, int64_t count, bool reversed)
{
	float s[BLOCK];
	for (int64_t i = 0; i < count; i += BLOCK) {
		int64_t n = count - i < BLOCK ? count - i : BLOCK;
		widen(s, type, src + i * sr_dtype_bytes(type), n);
		table_f32[monoid](dst + i, s, n, reversed);
	}
}

static void fold_members(const struct sr_schedule_entry *e, enum sr_monoid monoid, char *dst, const struct sr_views *v,
			 int64_t count)
{
	struct leaves l = {.type = e->src_type, .result = e->type, .contributions = (const char *const *)v->member_buffers[e->src] + e->peer, .shift = e->src_offset,
			   .streams = v->streams && e->dst == SR_OUT};
	reduce_tree(l, monoid, dst, e->n_fold, count);
}

void sr_entry_run_dense(const struct sr_schedule_entry *e, enum sr_monoid monoid, const struct sr_views *v)
{
	const void *base = e->kind == SR_ENTRY_READ ? v->member_buffers[e->src][e->peer] : v->own[e->src];
	char *dst = (char *)v->own[e->dst] + e->dst_offset;
	const char *src = (const char *)base + e->src_offset;
	int64_t count = e->bytes / sr_dtype_bytes(e->type);
	switch (e->kind) {
	case SR_ENTRY_ZERO:
		memset(dst, 0, (size_t)e->bytes);
		break;
	case SR_ENTRY_COPY:
	case SR_ENTRY_READ:
		if (e->type != e->src_type)
			sr_convert_elements(e->type, dst, e->src_type, src, count);
		else if (dst != src && v->streams && e->dst == SR_OUT)
			sr_copy_streaming(dst, src, (size_t)e->bytes);
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
