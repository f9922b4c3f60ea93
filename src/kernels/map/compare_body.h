/* COMPARE and CLAMP for TYPE. Included through each_type.h by compare.c, after scalar_body.h. */
static void FN(compare)(const void *params, void *const *buffers, void *scratch, int64_t begin, int64_t end)
{
	const struct sr_map_params *p = params;
	const S *a = buffers[0], *b = buffers[1];
	uint8_t *out = buffers[2];
	int64_t step_a = !p->scalar[0], step_b = !p->scalar[1];
	enum sr_compare comparison = (enum sr_compare)(p->variant & SR_COMPARE_MASK);

#if CLASS == COLUMNS_FLOAT
	if (p->variant & SR_COMPARE_TOTAL) {
		for (int64_t i = begin; i < end; i++) {
			int64_t x = total_F64(LOAD(a[i * step_a])), y = total_F64(LOAD(b[i * step_b]));
			out[i] = sr_compare_result(comparison, x < y, x == y, x > y);
		}
		return;
	}
#endif
	for (int64_t i = begin; i < end; i++) {
		T x = LOAD(a[i * step_a]), y = LOAD(b[i * step_b]);
#if CLASS == COLUMNS_COMPLEX
		bool is_ordered = !sr_complex_is_nan(x) && !sr_complex_is_nan(y);
		out[i] = sr_compare_result(comparison, is_ordered && sr_complex_less(x, y), x == y,
					   is_ordered && sr_complex_less(y, x));
#else
		out[i] = sr_compare_result(comparison, x < y, x == y, x > y);
#endif
	}
}

static void FN(clamp)(const void *params, void *const *buffers, void *scratch, int64_t begin, int64_t end)
{
	const struct sr_map_params *p = params;
	const S *low = buffers[0], *in = buffers[1], *high = buffers[2];
	S *out = buffers[3];
	int64_t step_low = !p->scalar[0], step_in = !p->scalar[1], step_high = !p->scalar[2];

	for (int64_t i = begin; i < end; i++) {
		T x = FN(MAXIMUM)(LOAD(in[i * step_in]), LOAD(low[i * step_low]));
		out[i] = STORE(FN(MINIMUM)(x, LOAD(high[i * step_high])));
	}
}

static void FN(register_kernels)(struct sr_kernels *table)
{
	table->fn[SR_KERNEL_COMPARE][DTYPE_ID] = FN(compare);
	table->fn[SR_KERNEL_CLAMP][DTYPE_ID] = FN(clamp);
}
