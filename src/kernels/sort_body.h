/* SORT by keys of TYPE: merge sort of indices. Included through each_type.h by sort.c. */
static bool FN(before)(const struct sr_sort_params *p, const S *keys, int64_t a, int64_t b)
{
	T x = LOAD(keys[(p->descending ? b : a) * p->inner]), y = LOAD(keys[(p->descending ? a : b) * p->inner]);

#if CLASS == COLUMNS_FLOAT
	if (p->total == 1)
		return total_F64((double)x) < total_F64((double)y);
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

static void FN(reverse)(S *keys, int64_t low, int64_t high)
{
	for (high--; low < high; low++, high--) {
		S x = keys[low];
		keys[low] = keys[high];
		keys[high] = x;
	}
}

/* Merge the sorted runs [low, middle) and [middle, high) of one row in place: split the longer run in half, find the split of the
 * other run by binary search, exchange the inner parts by rotation (three reversals), and recurse. */
static void FN(merge_in_place)(const struct sr_sort_params *p, S *keys, int64_t low, int64_t middle, int64_t high)
{
	while (low < middle && middle < high) {
		if (high - low == 2) {
			if (FN(before)(p, keys, middle, low))
				FN(reverse)(keys, low, high);
			return;
		}
		bool splits_left = middle - low > high - middle;
		int64_t a = splits_left ? low + (middle - low) / 2 : low, b = splits_left ? middle : middle + (high - middle) / 2,
			end = splits_left ? high : middle;
		/* binary search for the first element of the other run that does not come before the split */
		for (int64_t *split = splits_left ? &b : &a; *split < end;) {
			int64_t at = *split + (end - *split) / 2;
			bool is_before = splits_left ? FN(before)(p, keys, at, a) : !FN(before)(p, keys, b, at);
			*(is_before ? split : &end) = at + is_before;
		}
		FN(reverse)(keys, a, middle);
		FN(reverse)(keys, middle, b);
		FN(reverse)(keys, a, b);
		int64_t split = a + b - middle;
		FN(merge_in_place)(p, keys, low, a, split);
		low = split, middle = b;
	}
}

static void FN(sort_in_place)(const struct sr_sort_params *p, const S *in, S *out)
{
	int64_t n = p->length;

	memmove(out, in, (size_t)n * sizeof *out);
	for (int64_t width = 1; width < n; width *= 2)
		for (int64_t low = 0; low + width < n; low += 2 * width)
			FN(merge_in_place)(p, out, low, low + width, low + 2 * width < n ? low + 2 * width : n);
}

/* See sr_sort_divide_runs. */
static void FN(divide_runs)(const struct sr_sort_params *p, void *row, int64_t middle)
{
	S *keys = row;
	int64_t n_second = p->length - middle, low = middle > n_second ? middle - n_second : 0, high = middle;

	while (low < high) {
		int64_t i = low + (high - low) / 2;
		if (FN(before)(p, keys, 2 * middle - i - 1, i))
			high = i;
		else
			low = i + 1;
	}
	for (int64_t i = low, j = middle; i < middle; i++, j++) {
		S x = keys[i];
		keys[i] = keys[j];
		keys[j] = x;
	}
}

sr_kernel_fn FN(sr_sort_reference);
void FN(sr_sort_reference)(const void *params, void *const *buffers, void *scratch, int64_t begin, int64_t end)
{
	const struct sr_sort_params *p = params;
	int64_t n = p->length;

	if (begin < end && sr_sort_is_in_place(DTYPE_ID, p)) {
		FN(sort_in_place)(p, buffers[p->key], buffers[p->n_operands + p->key]);
		return;
	}
	for (int64_t row = begin; row < end; row++) {
		int64_t *order = scratch, *merged_order = order + n, first = row / p->inner * n * p->inner + row % p->inner;
		const S *keys = (const S *)buffers[p->key] + first;
		for (int64_t i = 0; i < n; i++)
			order[i] = i;
		for (int64_t width = 1; width < n; width *= 2) {
			for (int64_t low = 0; low < n; low += 2 * width)
				FN(merge)
				(p, keys, order, merged_order, low, low + width < n ? low + width : n,
				 low + 2 * width < n ? low + 2 * width : n);
			int64_t *swap = order;
			order = merged_order;
			merged_order = swap;
		}
		for (int k = 0; k < p->n_operands; k++)
			permute(p, k, buffers, first, order, (char *)scratch + 2 * n * (int64_t)sizeof(int64_t));
	}
}

static void FN(register_kernels)(struct sr_kernels *table)
{
	table->fn[SR_KERNEL_SORT][DTYPE_ID] = FN(sr_sort_reference);
}
