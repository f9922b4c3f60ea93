/* SORT by least significant digit radix sort. Keys are converted to unsigned integers in the comparator's order (radix_sort_body.h)
 * and sorted digit by digit, lowest first, each pass stable. If other operands are permuted too, the integers carry their original
 * positions. Afterwards the integers are converted back to keys, except for zeros that lost their sign and for NaN: a row with such
 * keys is permuted by position. If only the first few results are needed, they are selected. A long row with keys only needs no
 * second row of scratch: if it consists of a few sorted runs, as after an exchange of sorted shards, they are merged; else it is
 * partitioned by the highest digit until a partition fits in scratch, in place if operand and result are the same memory.
 *
 * Included by radix_sort_base.c and radix_sort_avx2.c with INIT, the name of the registration function: AVX2 vectors halve the time
 * to convert and inspect keys. */
#include "kernels/element.h"
#include "kernels/fast/fast.h"
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

enum {
	SHORT_ROW = 24,     /* rows up to this length are sorted by insertion */
	/* rows from this length on are sorted by long digits, whose histograms then cost less than another pass */
	LONG_ROW = 1 << 15,
	SHORT_DIGIT = 8,
	PARTITION_BITS = 10, /* log2 of the size of the partitions that in-place sorting aims at */
	LONG_DIGIT = 11,
	MIN_LANES = 32, /* sets of keys whose minima bound the smallest keys */
	MAX_RUNS = 16,         /* maximum number of sorted runs of a row that is merged */
	CACHED_KEYS = 1 << 17, /* maximum number of keys in the buffer of an in-place merge, so that it stays in cache */
	LINE = 64, /* bytes of a cache line */
	BLOCK = 32, /* number of keys that are compared at once with the bound of the smallest keys */
	ODD_ZERO = 1,
	ODD_NAN = 2
};

static const uint64_t INFINITY_BF16 = 0x7f80, INFINITY_F16 = 0x7c00, INFINITY_F32 = 0x7f800000, INFINITY_F64 = 0x7ff0000000000000;

/* Convert a histogram of digits to start offsets. Returns false if all n keys have the same digit, so that no pass is needed. */
static bool start_offsets(uint32_t *counts, int digits, int64_t n)
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

/* State of a row of n integers `at` during the passes, with their original positions `from` (NULL: not needed); `other` and
 * `from_other` are buffers of the same size. */
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
		if (!start_offsets(counts, 1 << digit, r->n)) \
			return; \
		if (r->from) { \
			uint32_t *from = r->from, *from_to = r->from_other; \
			for (int64_t i = 0; i < r->n; i++) { \
				uint32_t position = counts[at[i] >> shift & mask]++; \
				to[position] = at[i]; \
				from_to[position] = from[i]; \
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
	static void sort_##K(struct row_##K *r, int low, int bits) /* Sort a row by `bits` bits, beginning with bit `low`. */ \
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

/* Return the number of bits by which n keys are partitioned, of the `bits` bits by which they are sorted. */
static int first_digit(int64_t n, int bits)
{
	int digit = 1;

	while (digit < LONG_DIGIT && digit < bits && n >> (digit + PARTITION_BITS))
		digit++;
	return digit;
}

/* Partition in place by a digit (American flag sort), one swap at a time; ends[d] is the end of digit d's partition. Each
 * partition is scanned repeatedly until all of its elements are in place; the elements of a scan are independent, so that many
 * memory accesses overlap. */
#define IN_PLACE(K) \
	static void partition_##K(K *at, int64_t n, int shift, int digit, uint32_t *ends) \
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
					uint32_t position = next[x >> shift & mask]++; \
					at[i] = at[position]; \
					at[position] = x; \
				} \
	} \
	static void sort_in_place_##K(K *at, int64_t n, int bits, K *buffer, int64_t n_buffer) \
	{ \
		uint32_t ends[1 << LONG_DIGIT], start = 0; \
		int digit = first_digit(n, bits); \
		if (n <= n_buffer || n <= SHORT_ROW) { \
			struct row_##K r = {.at = at, .other = buffer, .n = n}; \
			sort_##K(&r, 0, bits); \
			if (r.at != at) \
				memcpy(at, r.at, (size_t)n * sizeof *at); \
			return; \
		} \
		partition_##K(at, n, bits - digit, digit, ends); \
		for (int d = 0; bits > digit && d < 1 << digit; start = ends[d++]) \
			sort_in_place_##K(at + start, ends[d] - start, bits - digit, buffer, n_buffer); \
	}
IN_PLACE(uint32_t)
IN_PLACE(uint64_t)

/* Store a cache line past the caches: the partitions that a pass writes are more lines than a cache holds until they are full. */
static inline void store_line(void *to, const void *line)
{
#ifdef __SSE2__
	for (int i = 0; i < LINE / 16; i++)
		_mm_stream_si128((__m128i *)to + i, _mm_loadu_si128((const __m128i *)line + i));
#else
	memcpy(to, line, LINE);
#endif
}

/* Order the stores of store_line before later ones. */
static inline void order_lines(void)
{
#ifdef __SSE2__
	_mm_sfence();
#endif
}

/* Sorted runs of a row: run r is at [ends[r - 1], ends[r]). */
struct runs {
	int64_t ends[MAX_RUNS];
	int64_t n;
};

/* Set minima[k] to the smallest of the keys k, k + lanes, k + 2 lanes and so on; up to lanes - 1 keys at the end are left out. */
static inline __attribute__((always_inline)) void find_minima(const uint32_t *restrict keys, int64_t n, const int64_t lanes,
							      uint32_t *restrict minima)
{
	for (int64_t k = 0; k < lanes; k++)
		minima[k] = keys[k];
	for (int64_t i = lanes; i + lanes <= n; i += lanes)
		for (int64_t k = 0; k < lanes; k++)
			minima[k] = keys[i + k] < minima[k] ? keys[i + k] : minima[k];
}

/* Return the smallest key that is not less than `rank` of the MIN_LANES keys, itself included. */
static uint32_t key_of_rank(const uint32_t *keys, int64_t rank)
{
	uint32_t ranks[MIN_LANES] = {0}, found = UINT32_MAX;

	for (int j = 0; j < MIN_LANES; j++)
		for (int i = 0; i < MIN_LANES; i++)
			ranks[i] += keys[j] <= keys[i];
	for (int i = 0; i < MIN_LANES; i++)
		found = ranks[i] >= rank && keys[i] < found ? keys[i] : found;
	return found;
}

/* Return an upper bound of the `n_kept` smallest of n keys: the n_kept-th smallest of the minima of at least 4 n_kept sets of keys.
 * In random order few other keys are within the bound. n_kept <= n / 16; `minima` has space for n keys. */
static uint32_t bound_of_smallest(const uint32_t *keys, int64_t n, int bits, int64_t n_kept, uint32_t *minima)
{
	int64_t lanes = MIN_LANES;

	if (4 * n_kept <= MIN_LANES) {
		find_minima(keys, n, MIN_LANES, minima);
		return key_of_rank(minima, n_kept);
	}
	while (lanes < 4 * n_kept)
		lanes *= 2;
	find_minima(keys, n, lanes, minima);
	struct row_uint32_t row = {.at = minima, .other = minima + lanes, .n = lanes};
	sort_uint32_t(&row, 0, bits);
	return row.at[n_kept - 1];
}

/* Collect the keys up to `bound` in their original order, as key << 32 | position; return their number. */
static int64_t collect_smallest(const uint32_t *keys, int64_t n, uint32_t bound, uint64_t *pairs)
{
	int64_t n_found = 0;

	for (int64_t i = 0, block; i < n; i += block) {
		uint32_t is_found = 0;
		block = n - i < BLOCK ? n - i : BLOCK;
		for (int64_t k = 0; k < block; k++)
			is_found |= keys[i + k] <= bound;
		for (int64_t k = 0; is_found && k < block; k++) {
			pairs[n_found] = (uint64_t)keys[i + k] << 32 | (uint32_t)(i + k);
			n_found += keys[i + k] <= bound;
		}
	}
	return n_found;
}

struct sorted {
	const void *numbers;   /* sorted keys as integers of 32 or 64 bits; the first n are valid */
	const uint32_t *order; /* original position of each sorted key; NULL if not requested */
	int64_t n;
};

/* Sort keys converted to integers of up to 32 bits, at the beginning of scratch, which has 16 bytes per key. Positions are carried
 * in the lower half of 64-bit integers. */
static struct sorted sort_32(const struct sr_sort_params *p, void *scratch, int bits, bool ordered)
{
	int64_t n = p->length, n_kept = p->n_used_results > 0 && p->n_used_results < n ? p->n_used_results : n;
	uint32_t *numbers = scratch;
	uint64_t *pairs = (uint64_t *)scratch + n;
	struct row_uint64_t r = {.at = pairs, .other = scratch, .n = n};

	if (n >= 2 * MIN_LANES && n_kept <= n / 16) {
		r.n = collect_smallest(numbers, n, bound_of_smallest(numbers, n, bits, n_kept, numbers + n), pairs);
	} else if (ordered) {
		for (int64_t i = 0; i < n; i++)
			pairs[i] = (uint64_t)numbers[i] << 32 | (uint32_t)i;
	} else {
		struct row_uint32_t row = {.at = numbers, .other = numbers + n, .n = n};
		sort_uint32_t(&row, 0, bits);
		return (struct sorted){.numbers = row.at, .n = n_kept};
	}
	sort_uint64_t(&r, 32, bits);
	uint32_t *first = (uint32_t *)r.other, *order = first + n;
	for (int64_t i = 0; i < n_kept; i++) {
		first[i] = (uint32_t)(r.at[i] >> 32);
		order[i] = (uint32_t)r.at[i];
	}
	return (struct sorted){.numbers = first, .order = order, .n = n_kept};
}

/* Sort keys converted to integers of 64 bits, at the beginning of scratch, which has 24 bytes per key. */
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
	return (struct sorted){
	    .numbers = r.at, .order = r.from, .n = p->n_used_results > 0 && p->n_used_results < n ? p->n_used_results : n};
}

struct bytes16 {
	uint64_t v[2];
};

#define GATHER(type) \
	do { \
		const type *from = (const void *)in; \
		type *to = out; \
		for (int64_t i = 0; i < n; i++) \
			to[i * to_step] = from[order[i] * step]; \
	} while (0)
/* Gather elements by position: out[i] = in[order[i]]; steps count elements. */
static void gather(int bytes, const char *in, int64_t step, const uint32_t *order, int64_t n, void *out, int64_t to_step)
{
	switch (bytes) {
	case 1:
		GATHER(uint8_t);
		break;
	case 2:
		GATHER(uint16_t);
		break;
	case 4:
		GATHER(uint32_t);
		break;
	case 8:
		GATHER(uint64_t);
		break;
	default:
		GATHER(struct bytes16);
	}
}

/* Permute n elements of operand k into the sorted order; through `copy` if the result shares the operand's memory. */
static void permute(const struct sr_sort_params *p, int k, void *const *buffers, int64_t first, const uint32_t *order, int64_t n, char *copy)
{
	int bytes = p->bytes[k];
	const char *in = (const char *)buffers[k] + first * bytes;
	char *out = (char *)buffers[p->n_operands + k] + first * bytes;

	if (in != out) {
		gather(bytes, in, p->inner, order, n, out, p->inner);
		return;
	}
	gather(bytes, in, p->inner, order, n, copy, 1);
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

void INIT(struct sr_kernels *table)
{
#define WANT_BOOL 0
#define WANT_INTEGER 1
#define WANT_SMALL 0
#define WANT_FLOAT 1
#define WANT_COMPLEX 0
#define BODY "kernels/map/register_kernels.h"
#include "kernels/map/each_type.h"
}
