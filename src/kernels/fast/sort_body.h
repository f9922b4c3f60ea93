/* SORT by keys of TYPE as unsigned numbers. Included through each_type.h by sort.c. */
#define TOP ((uint64_t)1 << (BITS - 1))

/* `flip` is all ones where the order is descending. *odd gains what the number does not tell of its key. */
static inline uint64_t FN(number)(S key, int total, uint64_t flip, int *odd)
{
	uint64_t x = 0;

	memcpy(&x, &key, sizeof key);
	x &= MASK;
#if CLASS == COLUMNS_FLOAT
	bool nan = total != 1 && (x & ~TOP) > SR_CAT(INFINITY_, TYPE), zero = total != 1 && x == TOP;
	*odd |= nan ? ODD_NAN : zero ? ODD_ZERO : 0;
	x = nan ? SR_CAT(INFINITY_, TYPE) + 1 : zero ? 0 : x;
	x = x & TOP ? ~x : x | TOP;
#elif CLASS == COLUMNS_SINT
	x ^= TOP;
#endif
	return (x ^ flip) & MASK;
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
static int FN(numbers)(const struct sr_sort_params *p, const S *keys, void *to)
{
	uint64_t flip = p->descending ? ~(uint64_t)0 : 0;
	int total = p->total, odd = 0;

	if (BITS <= 32)
		for (int64_t i = 0; i < p->length; i++)
			((uint32_t *)to)[i] = (uint32_t)FN(number)(keys[i * p->inner], total, flip, &odd);
	else
		for (int64_t i = 0; i < p->length; i++)
			((uint64_t *)to)[i] = FN(number)(keys[i * p->inner], total, flip, &odd);
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

sr_kernel_fn FN(sr_sort_reference);

static void FN(sort)(const void *params, void *const *buffers, void *scratch, int64_t begin, int64_t end)
{
	const struct sr_sort_params *p = params;

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
