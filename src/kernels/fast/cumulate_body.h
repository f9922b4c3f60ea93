/* CUMULATE for TYPE: contiguous rows by prefix.h where it supports the type and the monoid; a strip of columns at a time.
 * Included by loops_body.h. */
#define CUMULATE(id) \
	static void FN(cumulate_row_##id)(T acc, const S *in, S *out, int64_t n, int64_t step) \
	{ \
		for (; n > 0; n--, in += step, out += step) { \
			acc = FN(id)(acc, LOAD(*in)); \
			*out = STORE(acc); \
		} \
	} \
	static void FN(cumulate_columns_##id)(T init, const S *in, S *out, int64_t rows, int64_t stride, int64_t n) \
	{ \
		T acc[STRIP]; \
		for (int64_t k = 0; k < n; k++) \
			acc[k] = init; \
		for (; rows > 0; rows--, in += stride, out += stride) { \
			_Pragma("GCC ivdep") for (int64_t k = 0; k < n; k++) \
			{ \
				acc[k] = FN(id)(acc[k], LOAD(in[k])); \
				out[k] = STORE(acc[k]); \
			} \
		} \
	}
CUMULATE(ADD)
CUMULATE(MULTIPLY)
CUMULATE(MINIMUM)
CUMULATE(MAXIMUM)
#undef CUMULATE

sr_kernel_fn FN(sr_cumulate_reference);
static void FN(fast_cumulate)(ARGUMENTS)
{
	static void (*const rows[SR_MONOID_COUNT])(T acc, const S *in, S *out, int64_t n, int64_t step) = REDUCE_ROW(cumulate_row);
	static void (*const columns[SR_MONOID_COUNT])(T init, const S *in, S *out, int64_t rows, int64_t stride, int64_t n) =
		REDUCE_ROW(cumulate_columns);
	const struct sr_cumulate_params *p = params;
	int64_t n = p->length, inner = p->inner, step = p->reverse ? -inner : inner;
	T init = LOAD(*(const S *)buffers[1]);

	if (!rows[p->monoid]) {
		FN(sr_cumulate_reference)(params, buffers, scratch, begin, end);
		return;
	}
	for (int64_t o = begin; o < end; o++) {
		int64_t row = o * n * inner, first = row + (p->reverse ? (n - 1) * inner : 0);
		const S *in = buffers[0];
		S *out = buffers[2];
		if (inner == 1 && prefixes[DTYPE_ID][p->monoid])
			prefixes[DTYPE_ID][p->monoid](out + row, in + row, buffers[1], n, p->reverse);
		else if (inner == 1)
			rows[p->monoid](init, in + first, out + first, n, step);
		else
			for (int64_t k = 0; k < inner; k += STRIP)
				columns[p->monoid](init, in + first + k, out + first + k, n, step,
						   inner - k < STRIP ? inner - k : STRIP);
	}
}
