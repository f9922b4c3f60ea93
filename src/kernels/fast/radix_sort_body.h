/* SORT by keys of TYPE, which are converted to unsigned integers. Included through each_type.h by radix_sort.h. */
#define TOP ((uint64_t)1 << (BITS - 1))

/* Unsigned integer type for a converted key, as narrow as possible, for vectorization. */
typedef __typeof__(__builtin_choose_expr(BITS <= 32, (uint32_t)0, (uint64_t)0)) FN(integer);

/* Convert a key to an unsigned integer in sort order. `flip` is all ones for descending order. *odd accumulates flags of "odd"
 * keys, which the integer does not represent exactly (NaN, -0). */
static inline FN(integer) FN(to_integer)(S key, int total, uint64_t flip, int *odd)
{
	const FN(integer) mask = (FN(integer))MASK;
	FN(integer) x = 0;

	memcpy(&x, &key, sizeof key);
	x &= mask;
#if CLASS == COLUMNS_FLOAT
	const FN(integer) infinity = (FN(integer))SR_CAT(INFINITY_, TYPE);
	bool is_nan = total != 1 && (x & ~(FN(integer))TOP) > infinity, is_negative_zero = total != 1 && x == (FN(integer))TOP;
	*odd |= (is_nan ? ODD_NAN : 0) | (is_negative_zero ? ODD_ZERO : 0);
	x = is_nan ? infinity + 1 : is_negative_zero ? 0 : x;
	x = x & (FN(integer))TOP ? ~x : x | (FN(integer))TOP;
#elif CLASS == COLUMNS_SINT
	x ^= (FN(integer))TOP;
#endif
	return (x ^ (FN(integer))flip) & mask;
}

static inline S FN(key)(uint64_t x, uint64_t flip)
{
	S key;

	x = (x ^ flip) & MASK;
#if CLASS == COLUMNS_FLOAT
	x = x & TOP ? x ^ TOP : ~x & MASK;
#elif CLASS == COLUMNS_SINT
	x = (uint64_t)SIGN_EXTEND(x ^ TOP);
#endif
	memcpy(&key, &x, sizeof key);
	return key;
}

/* Convert a row of keys, `step` elements apart, to integers of 32 or 64 bits; return the accumulated odd flags. */
static int FN(to_integers)(const struct sr_sort_params *p, const S *restrict keys, void *restrict numbers)
{
	uint64_t flip = p->descending ? ~(uint64_t)0 : 0;
	int64_t n = p->length, step = p->inner;
	int total = p->total, odd = 0;
	FN(integer) *restrict to = numbers;

	if (step == 1)
		for (int64_t i = 0; i < n; i++)
			to[i] = FN(to_integer)(keys[i], total, flip, &odd);
	else
		for (int64_t i = 0; i < n; i++)
			to[i] = FN(to_integer)(keys[i * step], total, flip, &odd);
	return odd;
}

static void FN(keys)(const struct sr_sort_params *p, const void *numbers, int64_t n, S *out)
{
	uint64_t flip = p->descending ? ~(uint64_t)0 : 0;

	if (BITS <= 32)
		for (int64_t i = 0; i < n; i++)
			out[i * p->inner] = FN(key)(((const uint32_t *)numbers)[i], flip);
	else
		for (int64_t i = 0; i < n; i++)
			out[i * p->inner] = FN(key)(((const uint64_t *)numbers)[i], flip);
}

static void FN(reverse)(S *keys, int64_t n)
{
	for (int64_t i = 0; i < n - 1 - i; i++) {
		S x = keys[i];
		keys[i] = keys[n - 1 - i];
		keys[n - 1 - i] = x;
	}
}

/* Rotate: move the first n keys after the next m; both groups keep their order. */
static void FN(rotate)(S *keys, int64_t n, int64_t m)
{
	if (!n || !m)
		return;
	FN(reverse)(keys, n);
	FN(reverse)(keys + n, m);
	FN(reverse)(keys, n + m);
}

#if CLASS == COLUMNS_FLOAT
/* Return ODD_NAN for a NaN, ODD_ZERO for a zero of either sign, 0 otherwise. */
static int FN(odd)(S key)
{
	uint64_t x = 0;

	memcpy(&x, &key, sizeof key);
	x &= MASK & ~TOP;
	return x > SR_CAT(INFINITY_, TYPE) ? ODD_NAN : x == 0 ? ODD_ZERO : 0;
}

/* Move odd keys (NaN and zeros, see FN(odd)) to the front, in their original order; the other keys end up in any order. Returns the
 * number of odd keys. */
static int64_t FN(odd_to_front)(S *keys, int64_t n)
{
	int64_t n_found = 0;

	for (int64_t i = 0; i < n; i++)
		if (FN(odd)(keys[i])) {
			S x = keys[i];
			keys[i] = keys[n_found];
			keys[n_found++] = x;
		}
	return n_found;
}

/* Move NaN before zeros; NaN and zeros each keep their order. Returns the number of NaN. */
static int64_t FN(nan_to_front)(S *keys, int64_t n)
{
	int64_t half_length = n / 2;

	if (n < 2)
		return n && FN(odd)(keys[0]) == ODD_NAN;
	int64_t a = FN(nan_to_front)(keys, half_length), b = FN(nan_to_front)(keys + half_length, n - half_length);
	FN(rotate)(keys + a, half_length - a, b);
	return a + b;
}
#endif

/* Insert the first n keys, whose integers are equal, into the `rest` sorted keys after them: rotate them past all keys with
 * smaller integers. */
static void FN(insert_equal_keys)(const struct sr_sort_params *p, S *keys, int64_t n, int64_t rest)
{
	uint64_t flip = p->descending ? ~(uint64_t)0 : 0;
	int64_t low = 0, high = rest;
	int odd = 0;

	while (n && low < high) {
		int64_t middle = low + (high - low) / 2;
		if (FN(to_integer)(keys[n + middle], p->total, flip, &odd) <
		    FN(to_integer)(keys[0], p->total, flip, &odd))
			low = middle + 1;
		else
			high = middle;
	}
	FN(rotate)(keys, n, low);
}

#define K S
#define NAME(name) FN(name)
#include "kernels/fast/merge_runs_body.h"
#undef NAME
#undef K

/* Sort n keys, which contain no NaN or zero unless the order is total, from `in` to `keys`, which may be the same memory; scratch
 * holds 1 / SR_SORT_SCRATCH_DIVISOR of the row. */
static void FN(sort_numbers)(const struct sr_sort_params *p, const S *in, S *keys, int64_t n, void *scratch)
{
	uint64_t flip = p->descending ? ~(uint64_t)0 : 0;
	uint32_t *keys32 = (uint32_t *)(void *)keys;
	uint64_t *keys64 = (uint64_t *)(void *)keys;
	int odd = 0;

	if (BITS == 32) {
		for (int64_t i = 0; i < n; i++)
			keys32[i] = (uint32_t)FN(to_integer)(in[i], 1, flip, &odd);
		sort_in_place_uint32_t(keys32, n, 32, scratch, p->length / SR_SORT_SCRATCH_DIVISOR);
	} else {
		for (int64_t i = 0; i < n; i++)
			keys64[i] = FN(to_integer)(in[i], 1, flip, &odd);
		sort_in_place_uint64_t(keys64, n, 64, scratch, p->length / SR_SORT_SCRATCH_DIVISOR);
	}
	FN(keys)(p, keys, n, keys);
}

/* Sort the keys of a row, none of which is NaN or zero unless the order is total, from `in` to other memory. The first pass moves
 * the keys into partitions by the highest bits that differ, through a cache line of each partition in scratch; each partition is
 * then sorted while it is in cache. `differing` has a bit set if it differs between any two keys. Scratch as for sort_numbers. */
static void FN(sort_into)(const struct sr_sort_params *p, const S *in, S *keys, uint64_t differing, void *scratch)
{
	uint64_t flip = p->descending ? ~(uint64_t)0 : 0;
	int64_t n = p->length, n_buffer = n / SR_SORT_SCRATCH_DIVISOR;
	int bits = differing ? 64 - __builtin_clzll(differing) : 1, digit = first_digit(n, bits), shift = bits - digit, odd = 0;
	uint32_t starts[1 << LONG_DIGIT] = {0}, ends[1 << LONG_DIGIT], mask = (1u << digit) - 1;
	/* keys before the destination in its first cache line */
	uint32_t lead = (uint32_t)((uintptr_t)keys % LINE / sizeof *keys);
	FN(integer) *to = (FN(integer) *)(void *)keys - lead, *lines = scratch;
	enum { LINE_KEYS = LINE / sizeof(FN(integer)) };

	for (int64_t i = 0; i < n; i++)
		starts[FN(to_integer)(in[i], 1, flip, &odd) >> shift & mask]++;
	for (uint32_t d = 0, sum = lead; d <= mask; d++) {
		uint32_t count = starts[d];
		starts[d] = ends[d] = sum;
		sum += count;
	}
	for (int64_t i = 0; i < n; i++) {
		FN(integer) x = FN(to_integer)(in[i], 1, flip, &odd);
		uint32_t d = x >> shift & mask, at = ends[d]++;
		lines[d * LINE_KEYS + at % LINE_KEYS] = x;
		if (at % LINE_KEYS < LINE_KEYS - 1)
			continue;
		if (at - starts[d] >= LINE_KEYS - 1)
			store_line(to + at + 1 - LINE_KEYS, lines + d * LINE_KEYS);
		else
			memcpy(to + starts[d], lines + d * LINE_KEYS + starts[d] % LINE_KEYS, (at + 1 - starts[d]) * sizeof *to);
	}
	for (uint32_t d = 0; d <= mask; d++) {
		uint32_t full = ends[d] - ends[d] % LINE_KEYS, begin = full > starts[d] ? full : starts[d];
		memcpy(to + begin, lines + d * LINE_KEYS + begin % LINE_KEYS, (ends[d] - begin) * sizeof *to);
	}
	order_lines();
	for (uint32_t d = 0; d <= mask; d++) {
		int64_t length = ends[d] - starts[d];
		if (shift && BITS == 32)
			sort_in_place_uint32_t((uint32_t *)(void *)to + starts[d], length, shift, scratch, n_buffer);
		else if (shift)
			sort_in_place_uint64_t((uint64_t *)(void *)to + starts[d], length, shift, scratch, n_buffer);
		FN(keys)(p, to + starts[d], length, (S *)(void *)(to + starts[d]));
	}
}

/* Return the bits in which any of n keys differs from `key`. */
static uint64_t FN(differing_bits)(const S *keys, int64_t n, S key)
{
	FN(integer) first = 0, differing = 0;

	memcpy(&first, &key, sizeof key);
	for (int64_t i = 0; i < n; i++) {
		FN(integer) x = 0;
		memcpy(&x, &keys[i], sizeof keys[i]);
		differing |= x ^ first;
	}
	return differing & MASK;
}

/* Return which of the flags ODD_NAN and ODD_ZERO apply to any of n keys; 0 under the total order. */
static int FN(odd_flags)(const S *keys, int64_t n, int total)
{
	FN(integer) nan = 0, zero = 0;
#if CLASS == COLUMNS_FLOAT
	const FN(integer) top = (FN(integer))TOP, infinity = (FN(integer))SR_CAT(INFINITY_, TYPE);
	for (int64_t i = 0; i < n; i++) {
		FN(integer) x = 0;
		memcpy(&x, &keys[i], sizeof keys[i]);
		nan |= (x & (FN(integer))MASK & ~top) > infinity;
		zero |= (x & (FN(integer))MASK) == top;
	}
#endif
	return total == 1 ? 0 : (nan ? ODD_NAN : 0) | (zero ? ODD_ZERO : 0);
}

/* Find the sorted runs of the row, where found->n is 0 if there are too many, and the bits in which keys differ. Returns the
 * accumulated odd flags: with odd keys (NaN, -0), runs by <= are not in the sort's order. */
static int FN(inspect)(const struct sr_sort_params *p, const S *keys, struct runs *found, uint64_t *differing)
{
	enum { BLOCK_KEYS = 2048 };
	/* the total order of floats differs from <= */
	bool merges = !p->descending && !(CLASS == COLUMNS_FLOAT && p->total == 1);
	int odd = 0;

	found->n = 0;
	*differing = 0;
	for (int64_t i = 0, end; i < p->length; i = end) {
		end = i + BLOCK_KEYS < p->length ? i + BLOCK_KEYS : p->length;
		odd |= FN(odd_flags)(keys + i, end - i, p->total);
		*differing |= FN(differing_bits)(keys + i, end - i, keys[0]);
		merges = merges && FN(find_runs)(keys, i, end, found);
	}
	if (merges)
		found->ends[found->n++] = p->length;
	else
		found->n = 0;
	return odd;
}

static void FN(sort_in_place)(const struct sr_sort_params *p, const S *in, S *keys, void *scratch)
{
	int64_t n = p->length, n_odd_values = 0, n_nan = 0;
	struct runs found_runs;
	uint64_t differing;
	int odd = FN(inspect)(p, in, &found_runs, &differing);

	if (!odd && found_runs.n) {
		FN(merge_runs)(in, keys, &found_runs, scratch, n / SR_SORT_SCRATCH_DIVISOR);
		return;
	}
	if (!odd && in != keys && n <= UINT32_MAX - LINE) {
		FN(sort_into)(p, in, keys, differing, scratch);
		return;
	}
#if CLASS == COLUMNS_FLOAT
	if (odd) {
		memmove(keys, in, (size_t)n * sizeof *keys);
		in = keys;
		n_odd_values = FN(odd_to_front)(keys, n);
		n_nan = odd & ODD_NAN ? FN(nan_to_front)(keys, n_odd_values) : 0;
	}
#endif
	n -= n_odd_values;
	FN(sort_numbers)(p, in + n_odd_values, keys + n_odd_values, n, scratch);
	FN(insert_equal_keys)(p, keys + n_nan, n_odd_values - n_nan, n);
	FN(insert_equal_keys)(p, keys, n_nan, n + n_odd_values - n_nan);
}

sr_kernel_fn FN(sr_sort_reference);

static void FN(sort)(const void *params, void *const *buffers, void *scratch, int64_t begin, int64_t end)
{
	const struct sr_sort_params *p = params;

	if (begin < end && p->length <= UINT32_MAX && sr_sort_is_in_place(DTYPE_ID, p)) {
		FN(sort_in_place)(p, buffers[0], buffers[1], scratch);
		return;
	}
	for (int64_t row = begin; row < end; row++) {
		int64_t first = row / p->inner * p->length * p->inner + row % p->inner;
		int odd = p->length > UINT32_MAX ? ODD_NAN : FN(to_integers)(p, (const S *)buffers[p->key] + first, scratch);
		/* the comparator's plain order is undefined for NaN, and positions have 32 bits */
		if ((odd & ODD_NAN && !p->total) || p->length > UINT32_MAX) {
			FN(sr_sort_reference)(params, buffers, scratch, row, row + 1);
			continue;
		}
		struct sorted s = (BITS <= 32 ? sort_32 : sort_64)(p, scratch, BITS, odd || p->n_operands > 1);
		char *copy = (char *)scratch + p->length * (BITS <= 32 ? 16 : 24);
		if (!odd)
			FN(keys)(p, s.numbers, s.n, (S *)buffers[p->n_operands + p->key] + first);
		for (int k = 0; k < p->n_operands; k++)
			if (odd || k != p->key)
				permute(p, k, buffers, first, s.order, s.n, copy);
	}
}

static void FN(register_kernels)(struct sr_kernels *table)
{
	table->fn[SR_KERNEL_SORT][DTYPE_ID] = FN(sort);
}
#undef TOP
