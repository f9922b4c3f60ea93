/* SELECT_AND_SCATTER for TYPE. Vectors hold one element of each of several windows, whose first elements are `step` elements of
 * the operand after one another: the windows of a contiguous run, or those at the next positions of a row. Included through
 * each_type.h by code.h, after body.h. */
#if CLASS != COLUMNS_COMPLEX
#define PASS(op) \
	for (int64_t l = 0; l < n; l++) { \
		S old = best[l], update_value = cell[l * step]; \
		bool keep = LOAD(old) op LOAD(update_value); \
		best[l] = keep ? old : update_value; \
		which[l] = keep ? which[l] : number; \
	} \
	break
static inline __attribute__((always_inline)) void FN(compare_at_step)(int select, S *restrict best, int32_t *restrict which,
		const S *restrict cell, int64_t step, int32_t number, int64_t n)
{
	switch (select) {
	case SR_EQ:
		PASS(==);
	case SR_NE:
		PASS(!=);
	case SR_LT:
		PASS(<);
	case SR_LE:
		PASS(<=);
	case SR_GT:
		PASS(>);
	default:
		PASS(>=);
	}
}
#undef PASS

/* In each of n windows, compare the selected element with the next element, and record the number of the one that is selected. */
static void FN(compare_cell)(int select, S *restrict best, int32_t *restrict which, const S *restrict cell, int64_t step,
		int32_t number, int64_t n)
{
	if (step == 1)
		FN(compare_at_step)(select, best, which, cell, 1, number, n);
	else if (step == 2)
		FN(compare_at_step)(select, best, which, cell, 2, number, n);
	else
		FN(compare_at_step)(select, best, which, cell, step, number, n);
}

/* Select an element in each of n windows, whose first elements are in[0], in[step], ..., and scatter the source elements to the
 * selected elements. */
static void FN(select_cells)(const struct sr_select_and_scatter_params *p, const struct sr_window_cells *c, const S *in, S *out,
		const S *source, int64_t step, int64_t n)
{
	int64_t index[SR_KERNEL_MAX_RANK] = {0}, offset = 0, to[BATCH], offset_of[BATCH] = {0};
	int32_t best_cell[BATCH] = {0}, number = 0;
	S best_value[BATCH];

	for (int64_t l = 0; l < n; l++)
		best_value[l] = in[l * step];
	while (next_cell(c, index, &offset)) {
		FN(compare_cell)(p->select, best_value, best_cell, in + offset, step, ++number, n);
		if (number < BATCH)
			offset_of[number] = offset;
	}
	for (int64_t l = 0; l < n; l++) {
		int32_t cell = best_cell[l];
		to[l] = (cell < BATCH ? offset_of[cell] : cell_offset(c, cell)) + l * step;
	}
	FN(loops_of)[1 + p->window.monoid].points(out, to, source, 1, n);
}

static void FN(select_and_scatter)(const void *params, void *const *buffers, void *scratch, int64_t begin, int64_t end)
{
	const struct sr_select_and_scatter_params *p = params;
	const S *in = buffers[0], *source = buffers[1], *init = buffers[2];
	S *out = buffers[3];
	int64_t position[SR_KERNEL_MAX_RANK] = {0}, windows, step;
	struct sr_reduce_window_params w;
	struct sr_select_geometry geometry = sr_select_geometry_of(&p->window, begin, end, &w);
	struct sr_window_cells c;

	if (begin >= end)
		return;
	in += geometry.first_element, out += geometry.first_element, source += geometry.first_position;
	for (int64_t i = 0; i < geometry.elements; i++)
		out[i] = *init;
	if (!geometry.positions)
		return;
	do {
		windows = sr_select_windows(&geometry, &w, position, &step);
		bool has_cells = sr_select_cells(&geometry, &w, position, &c);
		for (int64_t i = 0, n; has_cells && i < windows; i += n) {
			n = windows - i < BATCH ? windows - i : BATCH;
			FN(select_cells)(p, &c, in + c.first + i * step, out + c.first + i * step, source + i, step, n);
		}
		source += windows;
	} while (sr_select_next_position(&geometry, &w, windows, position));
}
#endif
