/* SCATTER for TYPE. Included through each_type.h by scatter.c, after scalar_body.h. */
#define COMBINE(id) \
	static T FN(combine_##id)(T x, T y) \
	{ \
		return FN(id)(x, y); \
	}
COMBINE(ADD)
COMBINE(MULTIPLY)
COMBINE(MINIMUM)
COMBINE(MAXIMUM)
#if CLASS != COLUMNS_FLOAT && CLASS != COLUMNS_COMPLEX
COMBINE(AND)
COMBINE(OR)
COMBINE(XOR)
#endif
#undef COMBINE

typedef T FN(combine_fn)(T x, T y);
static FN(combine_fn) *const FN(combines)[SR_MONOID_COUNT] = {
	[SR_MONOID_ADD] = FN(combine_ADD), [SR_MONOID_MUL] = FN(combine_MULTIPLY), [SR_MONOID_MIN] = FN(combine_MINIMUM),
	[SR_MONOID_MAX] = FN(combine_MAXIMUM),
#if CLASS != COLUMNS_FLOAT && CLASS != COLUMNS_COMPLEX
	[SR_MONOID_AND] = FN(combine_AND), [SR_MONOID_OR] = FN(combine_OR), [SR_MONOID_XOR] = FN(combine_XOR),
#endif
};

sr_kernel_fn FN(sr_scatter_reference);
void FN(sr_scatter_reference)(const void *params, void *const *buffers, void *scratch, int64_t begin, int64_t end)
{
	const struct sr_scatter_params *p = params;
	const S *updates = buffers[2];
	S *out = buffers[3];

	if (begin >= end)
		return;
	if (buffers[0] != buffers[3])
		memcpy(out + begin, (const S *)buffers[0] + begin, (size_t)(end - begin) * sizeof(S));
	int64_t run = sr_gather_run_length(&p->g, false);
	for (int64_t i = 0, n = count_elements(p->g.out, p->g.out_rank); i < n; i += run) {
		int64_t at;
		if (!sr_gather_element_offset(&p->g, buffers[1], i, false, &at))
			continue;
		for (int64_t k = at < begin ? begin - at : 0; k < run && at + k < end; k++) {
			S update = updates[p->splat ? 0 : i + k];
			out[at + k] = p->monoid < 0 ? update : STORE(FN(combines)[p->monoid](LOAD(out[at + k]), LOAD(update)));
		}
	}
}

static void FN(register_kernels)(struct sr_kernels *table)
{
	table->fn[SR_KERNEL_SCATTER][DTYPE_ID] = FN(sr_scatter_reference);
}
