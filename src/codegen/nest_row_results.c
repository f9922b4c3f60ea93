/* A stage of a nest that reduces rows computes elementary functions of the rows' results, such as the logarithm of a sum or the
 * scale of a quantized row. Row by row it would be scalar code, which takes as long as an elementary function of a vector. For
 * short rows, it is a loop of its own over a block of rows, and the stages after it are another one:
 *
 *	for (c < rows)  h = c + 64;
 *		float y5[64], y6[64];
 *		for (i0 = c; i0 < h)
 *			v5 = largest |x[i0, j]| over j;
 *			y5[i0 - c] = v5;
 *		for (i0 = c; i0 < h)  v5 = y5[i0 - c];
 *			v6 = exp(floor(log(v5)));
 *			y6[i0 - c] = v6;
 *		for (i0 = c; i0 < h)  v6 = y6[i0 - c];
 *			result[i0, j] = x[i0, j] * v6 for each j; */
#include "codegen/nest_row_results.h"

enum {
	MAX_ROW = 512, /* most elements of a row: in longer ones, a scalar function takes a few percent of the time */
	MIN_ROWS = 16, /* fewest rows: as many as a vector has elements */
	BLOCK = 64     /* rows of a block */
};

static int row_loop(const struct sr_nest_form *g)
{
	return g->r->n_parallel - 1;
}

/* Return true if an instruction of stages `first` to `end` - 1 reads v. */
static bool is_read(const struct sr_nest_form *g, int v, int first, int end)
{
	for (int s = first; s < end; s++)
		for (int i = 0; i < sr_nest_stages(g->t)[s].n; i++) {
			const struct sr_nest_instr *in = &sr_nest_instrs(g->t)[sr_nest_stages(g->t)[s].first + i];
			for (int k = 0; k < in->n_args; k++)
				if (in->args[k] == v)
					return true;
		}
	return false;
}

/* Return true if v is in a local array with one element for each row: a loop before that of stages `first` to `end` - 1 defines
 * it, and they read it. `stage` is the one that is a loop of its own. */
static bool is_passed(const struct sr_nest_form *g, int stage, int v, int first, int end)
{
	int n_before = first > stage ? stage + 1 : stage;
	return g->definition[v] && g->definition[v]->op != SR_NEST_CONSTANT && g->stage_of[v] < n_before &&
	       is_read(g, v, first, end);
}

/* Return true if the stage can be a loop of its own, and those after it another one: it computes elementary functions, and no
 * values of the elements of a row are kept from one stage to another. */
static bool is_row_results(const struct sr_nest_form *g, int stage)
{
	const struct sr_nest_stage *first = sr_nest_stages(g->t) + stage, *last = sr_nest_stages(g->t) + g->t->n_stages - 1;
	bool has_elementary = false;
	for (int v = 0; v < g->t->n_values; v++)
		if (first < last && g->storage[v] == SR_STORAGE_SAVED)
			return false;
	for (int i = first->first; i < last->first + last->n; i++) {
		const struct sr_nest_instr *in = &sr_nest_instrs(g->t)[i];
		bool is_access = in->op == SR_NEST_LOAD || in->op == SR_NEST_STORE || in->op == SR_NEST_INDEX;
		bool is_of_stage = i < first->first + first->n;
		if (is_access ? g->r->accesses[in->access].n_dims > 0
			      : is_of_stage && in->op != SR_NEST_MAP && in->op != SR_NEST_CONSTANT)
			return false;
		has_elementary = has_elementary || (is_of_stage && sr_nest_form_is_elementary(g, in));
	}
	return has_elementary;
}

int sr_nest_row_results_stage(const struct sr_nest_form *g)
{
	if (g->form != SR_NEST_FORM_ROWS || g->row_block || !g->r->n_parallel || g->r->inner_iterations > MAX_ROW ||
	    g->r->extent[row_loop(g)] < MIN_ROWS)
		return -1;
	for (int stage = g->t->n_stages - 1; stage > 0; stage--)
		if (!sr_nest_stages(g->t)[stage].over_inner && is_row_results(g, stage))
			return stage;
	return -1;
}

static void open_rows(struct sr_nest_form *g)
{
	int l = row_loop(g);
	sr_nest_c_line(g, sr_printf(g->arena, "for (int64_t i%d = c; i%d < h; i%d++) {\n", l, l, l));
	g->indentation++;
}

void sr_nest_c_open_row_results(struct sr_nest_form *g, int stage, const char *begin, const char *end)
{
	sr_nest_c_line(g, sr_printf(g->arena, "for (int64_t c = %s, h; c < %s; c = h) {\n", begin, end));
	g->indentation++;
	sr_nest_c_line(g, sr_printf(g->arena, "h = c + %d < %s ? c + %d : %s;\n", BLOCK, end, BLOCK, end));
	for (int v = 0; v < g->t->n_values; v++)
		if (is_passed(g, stage, v, stage, stage + 1) || is_passed(g, stage, v, stage + 1, g->t->n_stages))
			sr_nest_c_array(g, sr_nest_c_type(g, v), 'y', v, BLOCK);
	open_rows(g);
}

/* Close the loop over rows, whose last stage is `last`, and open another one for stages `first` to `end` - 1. */
static void next_rows(struct sr_nest_form *g, int stage, int last, int first, int end)
{
	int l = row_loop(g);
	for (int v = 0; v < g->t->n_values; v++)
		if ((g->stage_of[v] == stage) == (last == stage) &&
		    (is_passed(g, stage, v, stage, stage + 1) || is_passed(g, stage, v, stage + 1, g->t->n_stages)))
			sr_nest_c_line(g, sr_printf(g->arena, "y%d[i%d - c] = %s;\n", v, l, sr_nest_c_value(g, v)));
	g->indentation--;
	sr_nest_c_line(g, "}\n");
	if (first == stage)
		sr_nest_c_line(g, "#pragma GCC ivdep\n");
	open_rows(g);
	for (int v = 0; v < g->t->n_values; v++)
		if (is_passed(g, stage, v, first, end))
			sr_nest_c_line(g, sr_printf(g->arena, "const %s v%d = y%d[i%d - c];\n", sr_nest_c_type(g, v), v, v, l));
}

bool sr_nest_c_row_results(struct sr_nest_form *g, int stage)
{
	struct sr_stage_loops loops;
	next_rows(g, stage, stage - 1, stage, stage + 1);
	g->stage = stage;
	g->lanes = 1;
	sr_nest_form_stage_loops(g, stage, &loops);
	bool is_written = sr_nest_c_instructions(g, &loops, 0, SR_NEST_TEST_ALL);
	if (stage < g->t->n_stages - 1)
		next_rows(g, stage, stage, stage + 1, g->t->n_stages);
	return is_written;
}
