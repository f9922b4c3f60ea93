/* SCATTER for TYPE, window by window. Included through each_type.h by code.h, after scalar_body.h. */
#define TABLE_ELEMENTS (TABLE_BYTES / (int64_t)sizeof(S))
#define EACH_IN(n, updates, out_index, update_index, kept, value) \
	for (int64_t i = 0; i < (n); i++) \
		if (kept) { \
			S old = out[out_index], update_value = updates[update_index]; \
			(void)old; \
			out[out_index] = value; \
		}
#define EACH_OF(...) EACH_IN(n, __VA_ARGS__)
#define EACH(...) EACH_OF(updates, __VA_ARGS__)
/* Combine the rest of a contiguous row in blocks of constant length. Each block compiles to vectors without a loop: rows are often
 * short. The pragma keeps the compiler from unrolling the block before it vectorizes it. */
#define ROW_BLOCKS(bytes) \
	for (; at + (int64_t)((bytes) / sizeof(S)) <= n; at += (int64_t)((bytes) / sizeof(S))) { \
		_Pragma("GCC unroll 1") \
		EACH_IN((int64_t)((bytes) / sizeof(S)), from, at + i, at + i, true, VALUE) \
	}
/* Combine windows that are one row of `length` elements, if the rows have that length. */
#define SHORT_ROWS(length) \
	if (n == (int64_t)(length) && !one_update) { \
		for (int64_t k = 0; k < windows; k++) { \
			S *restrict out = to + p->offsets[k]; \
			const S *restrict from = updates + p->windows[k] * step; \
			_Pragma("GCC unroll 1") \
			EACH_IN((int64_t)(length), from, i, i, true, VALUE) \
		} \
		return; \
	}
/* Loops that combine one row of a window; several windows that are one contiguous row each; several windows of one element
 * each; and runs of such windows at the same place, for which the element stays in a register. */
#define LOOPS(name) \
	static void FN(row_##name)(S *restrict out, int64_t step, const S *restrict updates, int64_t update_step, int64_t n) \
	{ \
		if (step == 1 && update_step == 1) { \
			EACH(i, i, true, VALUE) \
		} else { \
			EACH(i * step, i * update_step, true, VALUE) \
		} \
	} \
	static void FN(rows_##name)(S *restrict to, const struct window_offsets *p, const S *restrict updates, int64_t step, \
				    int64_t windows, int64_t n, bool one_update) \
	{ \
		SHORT_ROWS(3) \
		SHORT_ROWS(4) \
		SHORT_ROWS(32 / sizeof(S)) \
		SHORT_ROWS(64 / sizeof(S)) \
		for (int64_t k = 0; k < windows; k++) { \
			S *restrict out = to + p->offsets[k]; \
			const S *restrict from = updates + p->windows[k] * step; \
			int64_t at = 0; \
			if (one_update) { \
				EACH_OF(updates, i, 0, true, VALUE) \
				continue; \
			} \
			ROW_BLOCKS(64) \
			ROW_BLOCKS(32) \
			ROW_BLOCKS(16) \
			for (; at < n; at++) { \
				EACH_IN(1, from, at, at, true, VALUE) \
			} \
		} \
	} \
	static void FN(points_##name)(S *restrict out, const int64_t *restrict at, const S *restrict updates, int64_t step, int64_t n) \
	{ \
		EACH(at[i], i * step, at[i] >= 0, POINT) \
	} \
	static void FN(runs_##name)(S *restrict out, const int64_t *restrict at, const S *restrict updates, int64_t step, int64_t n) \
	{ \
		for (int64_t i = 0, end; i < n; i = end) { \
			int64_t to = at[i]; \
			S old = to < 0 ? (S){0} : out[to]; \
			for (end = i; end < n && at[end] == to; end++) { \
				S update_value = updates[end * step]; \
				(void)old; \
				old = POINT; \
			} \
			if (to >= 0) \
				out[to] = old; \
		} \
	}
#define POINT VALUE
#define VALUE update_value
LOOPS(REPLACE)
#undef VALUE
#define VALUE STORE(FN(ADD)(LOAD(old), LOAD(update_value)))
LOOPS(ADD)
#undef VALUE
#define VALUE STORE(FN(MULTIPLY)(LOAD(old), LOAD(update_value)))
LOOPS(MULTIPLY)
#undef VALUE
#undef POINT
#define VALUE STORE(FN(MINIMUM)(LOAD(old), LOAD(update_value)))
#if CLASS == COLUMNS_FLOAT
#define POINT STORE(M(scalar_minimum)(LOAD(old), LOAD(update_value)))
#else
#define POINT VALUE
#endif
LOOPS(MINIMUM)
#undef VALUE
#undef POINT
#define VALUE STORE(FN(MAXIMUM)(LOAD(old), LOAD(update_value)))
#if CLASS == COLUMNS_FLOAT
#define POINT STORE(M(scalar_maximum)(LOAD(old), LOAD(update_value)))
#else
#define POINT VALUE
#endif
LOOPS(MAXIMUM)
#undef VALUE
#undef POINT
#if CLASS != COLUMNS_FLOAT && CLASS != COLUMNS_COMPLEX
#define POINT VALUE
#define VALUE STORE(FN(AND)(LOAD(old), LOAD(update_value)))
LOOPS(AND)
#undef VALUE
#define VALUE STORE(FN(OR)(LOAD(old), LOAD(update_value)))
LOOPS(OR)
#undef VALUE
#define VALUE STORE(FN(XOR)(LOAD(old), LOAD(update_value)))
LOOPS(XOR)
#undef VALUE
#undef POINT
#endif
#undef LOOPS
#undef ROW_BLOCKS
#undef SHORT_ROWS
#undef EACH
#undef EACH_OF
#undef EACH_IN

struct FN(loops) {
	void (*row)(S *restrict out, int64_t step, const S *restrict updates, int64_t update_step, int64_t n);
	void (*rows)(S *restrict to, const struct window_offsets *p, const S *restrict updates, int64_t step, int64_t windows,
			int64_t n,
		     bool one_update);
	void (*points)(S *restrict out, const int64_t *restrict at, const S *restrict updates, int64_t step, int64_t n);
	void (*runs)(S *restrict out, const int64_t *restrict at, const S *restrict updates, int64_t step, int64_t n);
};
#define SCATTER_LOOPS(name) {FN(row_##name), FN(rows_##name), FN(points_##name), FN(runs_##name)}
static const struct FN(loops) FN(loops_of)[1 + SR_MONOID_COUNT] = {
	SCATTER_LOOPS(REPLACE), [1 + SR_MONOID_ADD] = SCATTER_LOOPS(ADD), [1 + SR_MONOID_MUL] = SCATTER_LOOPS(MULTIPLY), [1 + SR_MONOID_MIN] = SCATTER_LOOPS(MINIMUM),
	[1 + SR_MONOID_MAX] = SCATTER_LOOPS(MAXIMUM),
#if CLASS != COLUMNS_FLOAT && CLASS != COLUMNS_COMPLEX
	[1 + SR_MONOID_AND] = SCATTER_LOOPS(AND), [1 + SR_MONOID_OR] = SCATTER_LOOPS(OR), [1 + SR_MONOID_XOR] = SCATTER_LOOPS(XOR),
#endif
};
#undef SCATTER_LOOPS

/* Combine the updates of a window that is in bounds into the operand. */
static void FN(window)(const struct sr_scatter_windows *w, const struct FN(loops) *loops, S *out, const S *updates)
{
	int64_t index[SR_KERNEL_MAX_RANK];
	int innermost = w->n_window - 1, d;
	const struct sr_scatter_loop *s = w->window;

	for (d = 0; d < innermost; d++)
		index[d] = 0;
	do {
		loops->row(out, s[innermost].operand, updates, s[innermost].updates, s[innermost].n);
		for (d = innermost - 1; d >= 0; d--) {
			out += s[d].operand;
			updates += s[d].updates;
			if (++index[d] < s[d].n)
				break;
			out -= s[d].operand * s[d].n;
			updates -= s[d].updates * s[d].n;
			index[d] = 0;
		}
	} while (d >= 0);
}

/* Combine the updates of a window that is partly out of bounds, element by element. */
static void FN(partial_window)(const struct sr_scatter_windows *w, const struct FN(loops) *loops, const void *indices,
		int64_t first,
		     int64_t operand, S *out, const S *updates)
{
	for (int64_t e = 0; e < w->elements; e++) {
		int64_t update, at = sr_scatter_element(w, indices, first, operand, e, &update);
		loops->points(out, &at, updates + update, 0, 1);
	}
}

#if CLASS != COLUMNS_FLOAT && CLASS != COLUMNS_COMPLEX
/* Add n updates of a small operand, such as a histogram's bins, to TABLES tables in turn, so that an addition does not wait for the
 * one before if both are to the same element. Sums of integers do not depend on the order. at: the element of each update;
 * TABLE_ELEMENTS if it is out of bounds. */
#define ADD_TO_TABLES(update) \
	for (int64_t i = 0; i + TABLES <= n; i += TABLES) { \
		_Pragma("GCC unroll 8") \
		for (int k = 0; k < TABLES; k++) { \
			S *sum = &tables[k][at[i + k]]; \
			*sum = STORE(FN(ADD)(LOAD(*sum), LOAD(update))); \
		} \
	}
static void FN(add_to_tables)(S tables[TABLES][TABLE_ELEMENTS + 1], const int32_t *restrict at, const S *restrict updates,
			      int64_t step, int64_t n)
{
	S one_update = updates[0];
	if (step == 0) {
		ADD_TO_TABLES(one_update)
	} else {
		ADD_TO_TABLES(updates[(i + k) * step])
	}
	for (int64_t i = n - n % TABLES; i < n; i++)
		tables[0][at[i]] = STORE(FN(ADD)(LOAD(tables[0][at[i]]), LOAD(updates[i * step])));
}
#undef ADD_TO_TABLES

/* Add the updates along the fastest batch loop, of windows of one element, to a small operand. */
static __attribute__((noinline)) void
FN(add_in_tables)(const struct sr_scatter_windows *w, const void *indices, int64_t first, int64_t operand,
		  const struct sr_scatter_loop *innermost, S *out, const S *updates)
{
	S tables[TABLES][TABLE_ELEMENTS + 1];
	int64_t offsets[BATCH];
	int32_t at[BATCH];

	for (int k = 0; k < TABLES; k++)
		memset(tables[k], 0, (size_t)w->operand_elements * sizeof(S));
	for (int64_t i = 0, n; i < innermost->n; i += n) {
		n = innermost->n - i < BATCH ? innermost->n - i : BATCH;
		find_offsets(w, indices, first + i * innermost->indices, operand + i * innermost->operand, innermost, n, offsets);
		if (has_runs(offsets, n)) {
			FN(runs_ADD)(out, offsets, updates + i * innermost->updates, innermost->updates, n);
			continue;
		}
		for (int64_t k = 0; k < n; k++)
			at[k] = offsets[k] < 0 ? TABLE_ELEMENTS : (int32_t)offsets[k];
		FN(add_to_tables)(tables, at, updates + i * innermost->updates, innermost->updates, n);
	}
	for (int k = 0; k < TABLES; k++)
		for (int64_t e = 0; e < w->operand_elements; e++)
			out[e] = STORE(FN(ADD)(LOAD(out[e]), LOAD(tables[k][e])));
}
#endif

/* Combine the windows along the fastest batch loop. Windows that are contiguous rows are skipped if their operand offset is outside
 * [begin, end). */
static void FN(windows)(const struct sr_scatter_windows *w, const void *indices, int64_t first, int64_t operand, S *out,
			const S *updates, int64_t begin, int64_t end)
{
	static const struct sr_scatter_loop one = {.n = 1};
	const struct sr_scatter_loop *innermost = w->n_batch ? &w->batch[w->n_batch - 1] : &one;
	const struct FN(loops) *loops = &FN(loops_of)[1 + w->p->monoid];
	struct window_offsets p;

#if CLASS != COLUMNS_FLOAT && CLASS != COLUMNS_COMPLEX
	if (!w->n_window && w->p->monoid == SR_MONOID_ADD && w->operand_elements <= TABLE_ELEMENTS &&
	    w->operand_elements <= innermost->n / UPDATES_PER_ELEMENT) {
		FN(add_in_tables)(w, indices, first, operand, innermost, out, updates);
		return;
	}
#endif
	for (int64_t i = 0, n; i < innermost->n; i += n) {
		n = innermost->n - i < BATCH ? innermost->n - i : BATCH;
		find_offsets(w, indices, first + i * innermost->indices, operand + i * innermost->operand, innermost, n, p.offsets);
		if (!w->n_window)
			(has_runs(p.offsets, n) ? loops->runs : loops->points)(out, p.offsets, updates + i * innermost->updates,
									       innermost->updates, n);
		else if (w->is_contiguous)
			loops->rows(out, &p, updates + i * innermost->updates, innermost->updates, filter_range(&p, n, begin, end),
				    w->window[0].n,
				    w->p->splat);
		for (int64_t k = 0; w->n_window && !w->is_contiguous && k < n; k++) {
			const S *update = updates + (i + k) * innermost->updates;
			if (p.offsets[k] >= 0)
				FN(window)(w, loops, out + p.offsets[k], update);
			else if (w->may_be_partial)
				FN(partial_window)(w, loops, indices, first + (i + k) * innermost->indices,
						operand + (i + k) * innermost->operand, out, update);
		}
	}
}

#undef TABLE_ELEMENTS

sr_kernel_fn FN(sr_scatter_reference);

static void FN(scatter)(const void *params, void *const *buffers, void *scratch, int64_t begin, int64_t end)
{
	const struct sr_scatter_params *p = params;
	int64_t index[SR_KERNEL_MAX_RANK] = {0}, first = 0, operand = 0, update = 0;
	struct sr_scatter_windows w;
	int d;

	if (begin >= end)
		return;
	sr_scatter_windows_describe(p, &w);
	if (!sr_scatter_keeps_order(&p->g) || (!w.is_contiguous && end - begin < w.operand_elements)) {
		FN(sr_scatter_reference)(params, buffers, scratch, begin, end);
		return;
	}
	if (buffers[0] != buffers[3])
		memcpy((S *)buffers[3] + begin, (const S *)buffers[0] + begin, (size_t)(end - begin) * sizeof(S));
	if (!w.update_elements)
		return;
	do {
		FN(windows)(&w, buffers[1], first, operand, buffers[3], (const S *)buffers[2] + update, begin, end);
		for (d = w.n_batch - 2; d >= 0; d--) {
			const struct sr_scatter_loop *s = &w.batch[d];
			first += s->indices;
			operand += s->operand;
			update += s->updates;
			if (++index[d] < s->n)
				break;
			first -= s->indices * s->n;
			operand -= s->operand * s->n;
			update -= s->updates * s->n;
			index[d] = 0;
		}
	} while (d >= 0);
}

#if CLASS != COLUMNS_COMPLEX
static sr_kernel_fn FN(select_and_scatter);
#endif

static void FN(register_kernels)(struct sr_kernels *table)
{
	table->fn[SR_KERNEL_SCATTER][DTYPE_ID] = FN(scatter);
#if CLASS != COLUMNS_COMPLEX
	table->fn[SR_KERNEL_SELECT_AND_SCATTER][DTYPE_ID] = FN(select_and_scatter);
#endif
}
