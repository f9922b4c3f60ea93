/* SORT by keys of TYPE: merges of index runs. Included through each_type.h by sort.c. */
static bool FN(before)(const struct sr_sort_params *p, const S *keys, int64_t a, int64_t b)
{
	T x = LOAD(keys[(p->descending ? b : a) * p->inner]), y = LOAD(keys[(p->descending ? a : b) * p->inner]);

#if CLASS == COLUMNS_FLOAT
	if (p->total == 1)
		return sr_total_key((double)x) < sr_total_key((double)y);
	if (p->total == 2)
		return x < y || (y != y && x == x);
#endif
#if CLASS == COLUMNS_COMPLEX
	return sr_complex_less(x, y);
#else
	return x < y;
#endif
}

static void FN(merge)(const struct sr_sort_params *p, const S *keys, const int64_t *from, int64_t *to, int64_t low, int64_t middle,
		      int64_t high)
{
	int64_t a = low, b = middle;

	for (int64_t i = low; i < high; i++)
		to[i] = a < middle && (b >= high || !FN(before)(p, keys, from[b], from[a])) ? from[a++] : from[b++];
}

sr_kernel_fn FN(sr_sort_reference);
void FN(sr_sort_reference)(const void *params, void *const *buffers, void *scratch, int64_t begin, int64_t end)
{
	const struct sr_sort_params *p = params;
	int64_t n = p->length;

	for (int64_t row = begin; row < end; row++) {
		int64_t *order = scratch, *other = order + n, first = row / p->inner * n * p->inner + row % p->inner;
		const S *keys = (const S *)buffers[p->key] + first;
		for (int64_t i = 0; i < n; i++)
			order[i] = i;
		for (int64_t width = 1; width < n; width *= 2) {
			for (int64_t low = 0; low < n; low += 2 * width)
				FN(merge)
				(p, keys, order, other, low, low + width < n ? low + width : n,
				 low + 2 * width < n ? low + 2 * width : n);
			int64_t *swap = order;
			order = other;
			other = swap;
		}
		for (int k = 0; k < p->n_operands; k++)
			permute(p, k, buffers, first, order, (char *)scratch + 2 * n * (int64_t)sizeof(int64_t));
	}
}

static void FN(fill_rows)(struct sr_kernels *table)
{
	table->fn[SR_KERNEL_SORT][DTYPE_ID] = FN(sr_sort_reference);
}
