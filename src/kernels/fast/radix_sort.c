/* SORT by radix. Keys become unsigned numbers in the comparator's order (radix_sort_body.h), which are sorted by digits, the lowest
 * first, each pass stable; where other operands follow, the numbers carry the positions that they came from. A number gives its
 * key back, but for zeros that lost their sign and NaN that became one: a row that has such is put in order by position. Where
 * only the first few are asked for they are selected. A long row of keys alone is sorted in place: its numbers are spread by
 * their highest digit until a part of them fits into scratch. */
#include "kernels/element.h"
#include "kernels/fast/fast.h"
#include <string.h>

#pragma GCC optimize("O3")

enum {
	SHORT_ROW = 24,     /* up to here by insertion */
	LONG_ROW = 1 << 15, /* from here by long digits, whose counts then cost less than a pass */
	SHORT_DIGIT = 8,
	PART_BITS = 10, /* numbers of a part that long digits are spread into, as a power of two */
	LONG_DIGIT = 11,
	MOST_SELECTED = 64,
	BLOCK = 32, /* keys compared at once with the last one selected */
	ODD_ZERO = 1,
	ODD_NAN = 2
};

static const uint64_t INFINITY_BF16 = 0x7f80, INFINITY_F16 = 0x7c00, INFINITY_F32 = 0x7f800000, INFINITY_F64 = 0x7ff0000000000000;

/* Where each digit's numbers go, from how often it occurs; false: all n have the same one, which needs no pass. */
static bool place_digits(uint32_t *counts, int digits, int64_t n)
{
	uint32_t sum = 0;

	for (int d = 0; d < digits; d++) {
		uint32_t count = counts[d];
		if (count == (uint32_t)n)
			return false;
		counts[d] = sum;
		sum += count;
	}
	return true;
}

/* A row of n numbers `at` on its way through the passes, with their positions where `from` is given; the others are as long. */
#define ROW(K) \
	struct row_##K { \
		K *at, *other; \
		uint32_t *from, *from_other; \
		int64_t n; \
	}; \
	static void insert_##K(struct row_##K *r) \
	{ \
		for (int64_t i = 1; i < r->n; i++) { \
			K x = r->at[i]; \
			uint32_t from = r->from ? r->from[i] : 0; \
			int64_t j = i; \
			for (; j > 0 && r->at[j - 1] > x; j--) { \
				r->at[j] = r->at[j - 1]; \
				if (r->from) \
					r->from[j] = r->from[j - 1]; \
			} \
			r->at[j] = x; \
			if (r->from) \
				r->from[j] = from; \
		} \
	} \
	static void pass_##K(struct row_##K *r, int shift, int digit) \
	{ \
		uint32_t counts[1 << LONG_DIGIT], mask = (1u << digit) - 1; \
		const K *restrict at = r->at; \
		K *restrict to = r->other; \
		memset(counts, 0, sizeof *counts << digit); \
		for (int64_t i = 0; i < r->n; i++) \
			counts[at[i] >> shift & mask]++; \
		if (!place_digits(counts, 1 << digit, r->n)) \
			return; \
		if (r->from) { \
			uint32_t *from = r->from, *from_to = r->from_other; \
			for (int64_t i = 0; i < r->n; i++) { \
				uint32_t place = counts[at[i] >> shift & mask]++; \
				to[place] = at[i]; \
				from_to[place] = from[i]; \
			} \
			r->from = from_to; \
			r->from_other = from; \
		} else { \
			for (int64_t i = 0; i < r->n; i++) \
				to[counts[at[i] >> shift & mask]++] = at[i]; \
		} \
		r->other = r->at; \
		r->at = to; \
	} \
	static void sort_##K(struct row_##K *r, int low, int bits) /* by `bits` bits from bit `low` on */ \
	{ \
		int digit = r->n < LONG_ROW || bits <= 2 * SHORT_DIGIT ? SHORT_DIGIT : LONG_DIGIT; \
		if (r->n <= SHORT_ROW) { \
			insert_##K(r); \
			return; \
		} \
		for (int shift = 0; shift < bits; shift += digit) \
			pass_##K(r, low + shift, bits - shift < digit ? bits - shift : digit); \
	}
ROW(uint32_t)
ROW(uint64_t)

/* Numbers go to the places of their digits, one for one; ends: of each digit's. A digit's places are gone through again and again until all
 * that came there belong there; who comes next does not depend on who came before, so many are under way at once. */
#define IN_PLACE(K) \
	static void spread_##K(K *at, int64_t n, int shift, int digit, uint32_t *ends) \
	{ \
		uint32_t next[1 << LONG_DIGIT], mask = (1u << digit) - 1; \
		memset(ends, 0, sizeof *ends << digit); \
		for (int64_t i = 0; i < n; i++) \
			ends[at[i] >> shift & mask]++; \
		for (uint32_t d = 0, sum = 0; d <= mask; d++) { \
			next[d] = sum; \
			ends[d] = sum += ends[d]; \
		} \
		for (uint32_t d = 0; d <= mask; d++) \
			while (next[d] < ends[d]) \
				for (uint32_t i = next[d]; i < ends[d]; i++) { \
					K x = at[i]; \
					uint32_t place = next[x >> shift & mask]++; \
					at[i] = at[place]; \
					at[place] = x; \
				} \
	} \
	static void sort_in_place_##K(K *at, int64_t n, int bits, K *spare, int64_t n_spare) \
	{ \
		uint32_t ends[1 << LONG_DIGIT], start = 0; \
		int digit = 1; \
		if (n <= n_spare || n <= SHORT_ROW) { \
			struct row_##K r = {.at = at, .other = spare, .n = n}; \
			sort_##K(&r, 0, bits); \
			if (r.at != at) \
				memcpy(at, r.at, (size_t)n * sizeof *at); \
			return; \
		} \
		while (digit < LONG_DIGIT && digit < bits && n >> (digit + PART_BITS)) \
			digit++; \
		spread_##K(at, n, bits - digit, digit, ends); \
		for (int d = 0; bits > digit && d < 1 << digit; start = ends[d++]) \
			sort_in_place_##K(at + start, ends[d] - start, bits - digit, spare, n_spare); \
	}
IN_PLACE(uint32_t)
IN_PLACE(uint64_t)

/* The least of the keys, in order, as key << 32 | position. */
static void select_least(const uint32_t *keys, int64_t n, uint64_t *best, int64_t keep)
{
	int64_t have = 0;

	for (int64_t i = 0, block; i < n; i += block) {
		uint32_t last = have == keep ? (uint32_t)(best[keep - 1] >> 32) : UINT32_MAX, less = have < keep;
		block = n - i < BLOCK ? n - i : BLOCK;
		for (int64_t k = 0; k < block; k++)
			less |= keys[i + k] < last;
		for (int64_t k = 0; less && k < block; k++) {
			uint64_t x = (uint64_t)keys[i + k] << 32 | (uint32_t)(i + k);
			if (have == keep && x > best[keep - 1])
				continue;
			int64_t j = have < keep ? have++ : keep - 1;
			for (; j > 0 && best[j - 1] > x; j--)
				best[j] = best[j - 1];
			best[j] = x;
		}
	}
}

/* Those of n keys that may be among the first `keep`, as pairs in their own order; how many: as many as are in the classes of upper
 * bits that the first ones fill. */
static int64_t gather_least(const uint32_t *keys, int64_t n, int bits, int64_t keep, uint64_t *pairs)
{
	enum { CLASSES = 4096 };
	uint32_t in_class[CLASSES] = {0}, last = 0;
	int shift = bits > 12 ? bits - 12 : 0;
	int64_t found = 0;

	for (int64_t i = 0; i < n; i++)
		in_class[keys[i] >> shift]++;
	for (int64_t before = in_class[0]; before < keep; before += in_class[last])
		last++;
	for (int64_t i = 0; i < n; i++) {
		if (keys[i] >> shift <= last)
			pairs[found++] = (uint64_t)keys[i] << 32 | (uint32_t)i;
	}
	return found;
}

struct sorted {
	const void *numbers;   /* of 32 or 64 bits, the first n in order */
	const uint32_t *order; /* where they came from, if that was asked for */
	int64_t n;
};

/* The numbers lie at the front of scratch, which has 16 bytes a number. Positions travel in the lower half of wider numbers. */
static struct sorted sort_32(const struct sr_sort_params *p, void *scratch, int bits, bool ordered)
{
	int64_t n = p->length, keep = p->keep > 0 && p->keep < n ? p->keep : n;
	uint32_t *numbers = scratch;
	uint64_t *pairs = (uint64_t *)scratch + n;
	struct row_uint64_t r = {.at = pairs, .other = scratch, .n = n};

	if (!ordered) {
		struct row_uint32_t plain = {.at = numbers, .other = numbers + n, .n = n};
		sort_uint32_t(&plain, 0, bits);
		return (struct sorted){.numbers = plain.at, .n = keep};
	}
	if (keep <= MOST_SELECTED && keep < n) {
		select_least(numbers, n, pairs, keep);
	} else if (keep < n / 4) {
		r.n = gather_least(numbers, n, bits, keep, pairs);
		sort_uint64_t(&r, 32, bits);
	} else {
		for (int64_t i = 0; i < n; i++)
			pairs[i] = (uint64_t)numbers[i] << 32 | (uint32_t)i;
		sort_uint64_t(&r, 32, bits);
	}
	uint32_t *first = (uint32_t *)r.other, *order = first + n;
	for (int64_t i = 0; i < keep; i++) {
		first[i] = (uint32_t)(r.at[i] >> 32);
		order[i] = (uint32_t)r.at[i];
	}
	return (struct sorted){.numbers = first, .order = order, .n = keep};
}

/* Scratch has 24 bytes a number. */
static struct sorted sort_64(const struct sr_sort_params *p, void *scratch, int bits, bool ordered)
{
	int64_t n = p->length;
	struct row_uint64_t r = {.at = scratch, .other = (uint64_t *)scratch + n, .n = n};

	if (ordered) {
		r.from = (uint32_t *)((uint64_t *)scratch + 2 * n);
		r.from_other = r.from + n;
		for (int64_t i = 0; i < n; i++)
			r.from[i] = (uint32_t)i;
	}
	sort_uint64_t(&r, 0, bits);
	return (struct sorted){.numbers = r.at, .order = r.from, .n = p->keep > 0 && p->keep < n ? p->keep : n};
}

struct sixteen {
	uint64_t v[2];
};

#define PICK(type) \
	do { \
		const type *from = (const void *)in; \
		type *to = out; \
		for (int64_t i = 0; i < n; i++) \
			to[i * to_step] = from[order[i] * step]; \
	} while (0)
/* out[i] = in[order[i]], in steps of elements. */
static void pick(int bytes, const char *in, int64_t step, const uint32_t *order, int64_t n, void *out, int64_t to_step)
{
	switch (bytes) {
	case 1:
		PICK(uint8_t);
		break;
	case 2:
		PICK(uint16_t);
		break;
	case 4:
		PICK(uint32_t);
		break;
	case 8:
		PICK(uint64_t);
		break;
	default:
		PICK(struct sixteen);
	}
}

/* n elements of operand k in order; through `copy` where the result lies over the operand. */
static void permute(const struct sr_sort_params *p, int k, void *const *buffers, int64_t first, const uint32_t *order, int64_t n, char *copy)
{
	int bytes = p->bytes[k];
	const char *in = (const char *)buffers[k] + first * bytes;
	char *out = (char *)buffers[p->n_operands + k] + first * bytes;

	if (in != out) {
		pick(bytes, in, p->inner, order, n, out, p->inner);
		return;
	}
	pick(bytes, in, p->inner, order, n, copy, 1);
	for (int64_t i = 0; i < n; i++)
		memcpy(out + i * p->inner * bytes, copy + i * bytes, (size_t)bytes);
}

#define WANT_BOOL 0
#define WANT_INTEGER 1
#define WANT_SMALL 0
#define WANT_FLOAT 1
#define WANT_COMPLEX 0
#define COLUMNS 0
#include "kernels/map/map_columns.h"
#undef COLUMNS
#define BODY "kernels/fast/radix_sort_body.h"
#include "kernels/map/each_type.h"

void sr_kernels_fast_sort(struct sr_kernels *table)
{
#define WANT_BOOL 0
#define WANT_INTEGER 1
#define WANT_SMALL 0
#define WANT_FLOAT 1
#define WANT_COMPLEX 0
#define BODY "kernels/map/fill_row.h"
#include "kernels/map/each_type.h"
}
