/* REDUCE, REDUCE_WINDOW, CUMULATE and SELECT_AND_SCATTER for TYPE, with one function per monoid that continues an accumulator
 * over a run of elements. Included through each_type.h by reduce.c, after scalar_body.h. */
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
		int64_t at = reduction_base(&r, i), index[SR_KERNEL_MAX_RANK] = {0};
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
	const struct sr_reduce_window_params *p = params;
	const S *in = buffers[0], *padding = buffers[1]; /* value of padding and of gaps of base dilation: init */
	S *out = buffers[2];
	T init = LOAD(*padding);
	int64_t cells = window_cells(p);

	for (int64_t i = begin; i < end; i++) {
		T acc = init;
		for (int64_t c = 0; c < cells; c++) {
			int64_t at = window_element(p, i, c);
			acc = FN(runs)[p->monoid](acc, at >= 0 ? in + at : padding, 1, 1);
		}
		out[i] = STORE(acc);
	}
}

sr_kernel_fn FN(sr_cumulate_reference);

/* Compute CUMULATE for COLUMNS neighbouring columns at a time. */
void FN(sr_cumulate_reference)(const void *params, void *const *buffers, void *scratch, int64_t begin, int64_t end)
{
	enum { COLUMNS = 64 };
	const struct sr_cumulate_params *p = params;
	T acc[COLUMNS], init = LOAD(*(const S *)buffers[1]);

	for (int64_t o = begin; o < end; o++)
		for (int64_t first = 0, n; first < p->inner; first += n) {
			n = p->inner - first < COLUMNS ? p->inner - first : COLUMNS;
			for (int64_t k = 0; k < n; k++)
				acc[k] = init;
			for (int64_t i = 0; i < p->length; i++) {
				int64_t at = (o * p->length + (p->reverse ? p->length - 1 - i : i)) * p->inner + first;
				const S *in = (const S *)buffers[0] + at;
				S *out = (S *)buffers[2] + at;
				for (int64_t k = 0; k < n; k++) {
					acc[k] = FN(runs)[p->monoid](acc[k], in + k, 1, 1);
					out[k] = STORE(acc[k]);
				}
			}
		}
}

#if CLASS != COLUMNS_COMPLEX
static void FN(select_and_scatter)(const void *params, void *const *buffers, void *scratch, int64_t begin, int64_t end)
{
	const struct sr_select_and_scatter_params *p = params;
	const struct sr_reduce_window_params *w = &p->window;
	const S *in = buffers[0], *source = buffers[1], *init = buffers[2];
	S *out = buffers[3];
	int64_t cells = window_cells(w), n = 1, positions = 1;

	if (begin >= end)
		return;
	for (int d = 0; d < w->rank; d++) {
		n *= w->in[d];
		positions *= w->out[d];
	}
	int64_t groups = sr_select_and_scatter_groups(w);
	for (int64_t i = n / groups * begin; i < n / groups * end; i++)
		out[i] = *init;
	for (int64_t i = positions / groups * begin; i < positions / groups * end; i++) {
		int64_t selected = -1;
		for (int64_t c = 0; c < cells; c++) {
			int64_t at = window_element(w, i, c);
			if (at < 0)
				continue;
			T x = LOAD(in[selected < 0 ? at : selected]), y = LOAD(in[at]);
			if (selected < 0 || !sr_compare_result((enum sr_compare)p->select, x < y, x == y, x > y))
				selected = at;
		}
		if (selected >= 0)
			out[selected] = STORE(FN(runs)[w->monoid](LOAD(out[selected]), source + i, 1, 1));
	}
}
#endif

static void FN(register_kernels)(struct sr_kernels *table)
{
	table->fn[SR_KERNEL_REDUCE][DTYPE_ID] = FN(reduce);
	table->fn[SR_KERNEL_REDUCE_WINDOW][DTYPE_ID] = FN(reduce_window);
	table->fn[SR_KERNEL_CUMULATE][DTYPE_ID] = FN(sr_cumulate_reference);
#if CLASS != COLUMNS_COMPLEX
	table->fn[SR_KERNEL_SELECT_AND_SCATTER][DTYPE_ID] = FN(select_and_scatter);
#endif
}
