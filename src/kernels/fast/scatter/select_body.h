/* SELECT_AND_SCATTER of TYPE: the run of elements behind a window's place is looked at side by side, cell after cell. Included through
 * each_type.h by code.h, after body.h. */
#if CLASS != COLUMNS_COMPLEX
#define PASS(op) \
	for (int64_t l = 0; l < n; l++) { \
		S was = best[l], comes = cell[l]; \
		bool stays = LOAD(was) op LOAD(comes); \
		best[l] = stays ? was : comes; \
		which[l] = stays ? which[l] : number; \
	} \
	break
/* What was selected of n windows, and in which cell, against the next one. */
static void FN(look_at)(int select, S *restrict best, int32_t *restrict which, const S *restrict cell, int32_t number, int64_t n)
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

/* n of the windows of one place, whose first cell begins at `in`. */
static void FN(select_cells)(const struct sr_select_and_scatter_params *p, const struct sr_cells *c, const S *in, S *out, const S *source,
			     int64_t n)
{
	int64_t index[SR_KERNEL_MAX_RANK] = {0}, here = 0, to[FEW];
	int32_t which[FEW] = {0}, number = 0;
	S best[FEW];

	memcpy(best, in, (size_t)n * sizeof *in);
	while (next_cell(c, index, &here))
		FN(look_at)(p->select, best, which, in + here, ++number, n);
	for (int64_t l = 0; l < n; l++)
		to[l] = place_of_cell(c, which[l]) + l;
	FN(loops_of)[1 + p->window.monoid].points(out, to, source, 1, n);
}

static void FN(select_and_scatter)(const void *params, void *const *buffers, void *scratch, int64_t begin, int64_t end)
{
	const struct sr_select_and_scatter_params *p = params;
	const S *in = buffers[0], *source = buffers[1], *init = buffers[2];
	S *out = buffers[3];
	int64_t place[SR_KERNEL_MAX_RANK] = {0};
	struct sr_pool pool = sr_pool_of(&p->window);
	struct sr_cells c;

	if (begin >= end)
		return;
	for (int64_t i = 0; i < pool.elements; i++)
		out[i] = *init;
	if (!pool.places)
		return;
	do {
		bool some = sr_pool_cells(&pool, &p->window, place, &c);
		for (int64_t i = 0, n; some && i < pool.run; i += n) {
			n = pool.run - i < FEW ? pool.run - i : FEW;
			FN(select_cells)(p, &c, in + c.first + i, out + c.first + i, source + i, n);
		}
		source += pool.run;
	} while (sr_pool_next(&pool, &p->window, place));
}
#endif
