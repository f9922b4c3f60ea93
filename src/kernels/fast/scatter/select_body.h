/* SELECT_AND_SCATTER for TYPE, vectorized over neighbouring windows (a contiguous run of elements at each window position),
 * one window element after another. Included through each_type.h by code.h, after body.h. */
#if CLASS != COLUMNS_COMPLEX
#define PASS(op) \
	for (int64_t l = 0; l < n; l++) { \
		S old = best[l], update_value = cell[l]; \
		bool keep = LOAD(old) op LOAD(update_value); \
		best[l] = keep ? old : update_value; \
		which[l] = keep ? which[l] : number; \
	} \
	break
/* In each of n windows, compare the selected element with the next element, and record the number of the one that is selected. */
static void FN(compare_cell)(int select, S *restrict best, int32_t *restrict which, const S *restrict cell, int32_t number,
		int64_t n)
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

/* Select an element in each of n neighbouring windows, whose first elements begin at `in`, and scatter the source elements to the
 * selected elements. */
static void FN(select_cells)(const struct sr_select_and_scatter_params *p, const struct sr_window_cells *c, const S *in, S *out,
		const S *source,
			     int64_t n)
{
	int64_t index[SR_KERNEL_MAX_RANK] = {0}, offset = 0, to[BATCH];
	int32_t best_cell[BATCH] = {0}, number = 0;
	S best_value[BATCH];

	memcpy(best_value, in, (size_t)n * sizeof *in);
	while (next_cell(c, index, &offset))
		FN(compare_cell)(p->select, best_value, best_cell, in + offset, ++number, n);
	for (int64_t l = 0; l < n; l++)
		to[l] = cell_offset(c, best_cell[l]) + l;
	FN(loops_of)[1 + p->window.monoid].points(out, to, source, 1, n);
}

static void FN(select_and_scatter)(const void *params, void *const *buffers, void *scratch, int64_t begin, int64_t end)
{
	const struct sr_select_and_scatter_params *p = params;
	const S *in = buffers[0], *source = buffers[1], *init = buffers[2];
	S *out = buffers[3];
	int64_t position[SR_KERNEL_MAX_RANK] = {0};
	struct sr_select_geometry geometry = sr_select_geometry_of(&p->window);
	struct sr_window_cells c;

	if (begin >= end)
		return;
	for (int64_t i = 0; i < geometry.elements; i++)
		out[i] = *init;
	if (!geometry.positions)
		return;
	do {
		bool has_cells = sr_select_cells(&geometry, &p->window, position, &c);
		for (int64_t i = 0, n; has_cells && i < geometry.run; i += n) {
			n = geometry.run - i < BATCH ? geometry.run - i : BATCH;
			FN(select_cells)(p, &c, in + c.first + i, out + c.first + i, source + i, n);
		}
		source += geometry.run;
	} while (sr_select_next_position(&geometry, &p->window, position));
}
#endif
