/* REDUCE and REDUCE_WINDOW of TYPE: one function per monoid that continues an accumulator over a run. Included through
 * each_type.h by reduce.c, after scalar_body.h. */
#define RUN(monoid) \
	static T FN(run_##monoid)(T acc, const S *in, int64_t n, int64_t stride) \
	{ \
		for (int64_t i = 0; i < n; i++) \
			acc = FN(monoid)(acc, LOAD(in[i * stride])); \
		return acc; \
	}
RUN(ADD)
RUN(MULTIPLY)
RUN(MINIMUM)
RUN(MAXIMUM)
#if CLASS != COLUMNS_FLOAT && CLASS != COLUMNS_COMPLEX
RUN(AND)
RUN(OR)
RUN(XOR)
#endif
#undef RUN

typedef T FN(run_fn)(T acc, const S *in, int64_t n, int64_t stride);
static FN(run_fn) *const FN(runs)[SR_MONOID_COUNT] = {
	[SR_MONOID_ADD] = FN(run_ADD),	   [SR_MONOID_MUL] = FN(run_MULTIPLY), [SR_MONOID_MIN] = FN(run_MINIMUM),
	[SR_MONOID_MAX] = FN(run_MAXIMUM),
#if CLASS != COLUMNS_FLOAT && CLASS != COLUMNS_COMPLEX
	[SR_MONOID_AND] = FN(run_AND),	   [SR_MONOID_OR] = FN(run_OR),	       [SR_MONOID_XOR] = FN(run_XOR),
#endif
};

static void FN(reduce)(const void *params, void *const *buffers, void *scratch, int64_t begin, int64_t end)
{
	const struct sr_reduce_params *p = params;
	const S *in = buffers[0];
	S *out = buffers[2];
	T init = LOAD(*(const S *)buffers[1]);
	struct reduction r;

	reduction_init(&r, p);
	for (int64_t i = begin; i < end; i++) {
		int64_t at = reduction_base(&r, i), index[SR_KERNEL_RANK] = {0};
		T acc = init;
		for (int64_t n = 0; n < r.runs; n++) {
			acc = FN(runs)[p->monoid](acc, in + at, r.run, r.run_stride);
			at = reduction_next(&r, at, index);
		}
		out[i] = STORE(acc);
	}
}

static void FN(reduce_window)(const void *params, void *const *buffers, void *scratch, int64_t begin, int64_t end)
{
	const struct sr_window_params *p = params;
	const S *in = buffers[0];
	S *out = buffers[2];
	T init = LOAD(*(const S *)buffers[1]);
	int64_t cells = window_cells(p);

	for (int64_t i = begin; i < end; i++) {
		T acc = init;
		for (int64_t c = 0; c < cells; c++) {
			int64_t at = window_at(p, i, c);
			if (at >= 0)
				acc = FN(runs)[p->monoid](acc, in + at, 1, 1);
		}
		out[i] = STORE(acc);
	}
}

static void FN(fill_rows)(struct sr_kernels *table)
{
	table->fn[SR_KERNEL_REDUCE][DTYPE_ID] = FN(reduce);
	table->fn[SR_KERNEL_REDUCE_WINDOW][DTYPE_ID] = FN(reduce_window);
}
