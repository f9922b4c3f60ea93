/* SORT by keys of TYPE as unsigned numbers. Included through each_type.h by radix_sort.c. */
#define TOP ((uint64_t)1 << (BITS - 1))

/* What holds a number: no wider than need be, so that many are made at once. */
typedef __typeof__(__builtin_choose_expr(BITS <= 32, (uint32_t)0, (uint64_t)0)) FN(holder);

/* `flip` is all ones where the order is descending. *odd gains what the number does not tell of its key. */
static inline FN(holder) FN(number)(S key, int total, uint64_t flip, int *odd)
{
	const FN(holder) mask = (FN(holder))MASK;
	FN(holder) x = 0;

	memcpy(&x, &key, sizeof key);
	x &= mask;
#if CLASS == COLUMNS_FLOAT
	const FN(holder) infinity = (FN(holder))SR_CAT(INFINITY_, TYPE);
	bool nan = total != 1 && (x & ~(FN(holder))TOP) > infinity, zero = total != 1 && x == (FN(holder))TOP;
	*odd |= (nan ? ODD_NAN : 0) | (zero ? ODD_ZERO : 0);
	x = nan ? infinity + 1 : zero ? 0 : x;
	x = x & (FN(holder))TOP ? ~x : x | (FN(holder))TOP;
#elif CLASS == COLUMNS_SINT
	x ^= (FN(holder))TOP;
#endif
	return (x ^ (FN(holder))flip) & mask;
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

/* The row of keys, `step` apart, as numbers of 32 or 64 bits; returns what is odd about them. */
static int FN(numbers)(const struct sr_sort_params *p, const S *restrict keys, void *restrict numbers)
{
	uint64_t flip = p->descending ? ~(uint64_t)0 : 0;
	int64_t n = p->length, step = p->inner;
	int total = p->total, odd = 0;
	FN(holder) *restrict to = numbers;

	if (step == 1)
		for (int64_t i = 0; i < n; i++)
			to[i] = FN(number)(keys[i], total, flip, &odd);
	else
		for (int64_t i = 0; i < n; i++)
			to[i] = FN(number)(keys[i * step], total, flip, &odd);
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

static void FN(turn)(S *keys, int64_t n)
{
	for (int64_t i = 0; i < n - 1 - i; i++) {
		S x = keys[i];
		keys[i] = keys[n - 1 - i];
		keys[n - 1 - i] = x;
	}
}

/* The first n go behind the next m, both in the order that they have. */
static void FN(rotate)(S *keys, int64_t n, int64_t m)
{
	if (!n || !m)
		return;
	FN(turn)(keys, n);
	FN(turn)(keys + n, m);
	FN(turn)(keys, n + m);
}

#if CLASS == COLUMNS_FLOAT
/* NaN, zeros of either sign; 0: others. */
static int FN(odd)(S key)
{
	uint64_t x = 0;

	memcpy(&x, &key, sizeof key);
	x &= MASK & ~TOP;
	return x > SR_CAT(INFINITY_, TYPE) ? ODD_NAN : x == 0 ? ODD_ZERO : 0;
}

/* Those that are odd come first, in the order that they had, the others in any; returns how many. */
static int64_t FN(part_odd)(S *keys, int64_t n)
{
	int64_t found = 0;

	for (int64_t i = 0; i < n; i++)
		if (FN(odd)(keys[i])) {
			S x = keys[i];
			keys[i] = keys[found];
			keys[found++] = x;
		}
	return found;
}

/* NaN before zeros, both in the order that they had; returns how many. */
static int64_t FN(part_nan)(S *keys, int64_t n)
{
	int64_t half = n / 2;

	if (n < 2)
		return n && FN(odd)(keys[0]) == ODD_NAN;
	int64_t a = FN(part_nan)(keys, half), b = FN(part_nan)(keys + half, n - half);
	FN(rotate)(keys + a, half - a, b);
	return a + b;
}
#endif

/* The first n of the keys, all of one number, go behind those of the `rest` behind them, in order, whose number is less. */
static void FN(put_behind)(const struct sr_sort_params *p, S *keys, int64_t n, int64_t rest)
{
	uint64_t flip = p->descending ? ~(uint64_t)0 : 0;
	int64_t low = 0, high = rest;
	int odd = 0;

	while (n && low < high) {
		int64_t middle = low + (high - low) / 2;
		if (FN(number)(keys[n + middle], p->total, flip, &odd) < FN(number)(keys[0], p->total, flip, &odd))
			low = middle + 1;
		else
			high = middle;
	}
	FN(rotate)(keys, n, low);
}

/* n keys in order, none odd, with scratch for a part of the row. */
static void FN(sort_numbers)(const struct sr_sort_params *p, S *keys, int64_t n, void *scratch)
{
	uint64_t flip = p->descending ? ~(uint64_t)0 : 0;
	uint32_t *narrow = (uint32_t *)(void *)keys;
	uint64_t *wide = (uint64_t *)(void *)keys;
	int odd = 0;

	if (BITS == 32) {
		for (int64_t i = 0; i < n; i++)
			narrow[i] = (uint32_t)FN(number)(keys[i], p->total, flip, &odd);
		sort_in_place_uint32_t(narrow, n, 32, scratch, p->length / SR_SORT_PART);
	} else {
		for (int64_t i = 0; i < n; i++)
			wide[i] = FN(number)(keys[i], p->total, flip, &odd);
		sort_in_place_uint64_t(wide, n, 64, scratch, p->length / SR_SORT_PART);
	}
	FN(keys)(p, keys, n, keys);
}

static void FN(sort_in_place)(const struct sr_sort_params *p, const S *in, S *keys, void *scratch)
{
	int64_t n = p->length, odd_ones = 0, nans = 0;

	if (in != keys)
		memmove(keys, in, (size_t)n * sizeof *keys);
#if CLASS == COLUMNS_FLOAT
	int odd = 0;
	for (int64_t i = 0; i < n; i++)
		FN(number)(keys[i], p->total, 0, &odd);
	odd_ones = odd ? FN(part_odd)(keys, n) : 0;
	nans = odd & ODD_NAN ? FN(part_nan)(keys, odd_ones) : 0;
#endif
	n -= odd_ones;
	FN(sort_numbers)(p, keys + odd_ones, n, scratch);
	FN(put_behind)(p, keys + nans, odd_ones - nans, n);
	FN(put_behind)(p, keys, nans, n + odd_ones - nans);
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
		int odd = p->length > UINT32_MAX ? ODD_NAN : FN(numbers)(p, (const S *)buffers[p->key] + first, scratch);
		if ((odd & ODD_NAN && !p->total) || p->length > UINT32_MAX) { /* NaN has no place in the plain order */
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

static void FN(fill_rows)(struct sr_kernels *table)
{
	table->fn[SR_KERNEL_SORT][DTYPE_ID] = FN(sort);
}
#undef TOP
