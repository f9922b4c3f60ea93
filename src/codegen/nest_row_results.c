/* The last stage of a nest that reduces rows computes one element for each row, such as the logarithm of a sum. Row by row it would
 * be scalar code, which takes as long as an elementary function of a whole vector. For short rows, it is a loop of its own over a
 * block of rows:
 *
 *	for (c < rows)  h = c + 64;
 *		float y5[64];
 *		for (i0 = c; i0 < h)
 *			v5 = sum of exp(x[i0, j]) over j;
 *			y5[i0 - c] = v5;
 *		for (i0 = c; i0 < h)  v5 = y5[i0 - c];
 *			result[i0] = log(v5); */
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

/* Return true if an earlier stage defines v for each row, so that the last stage reads it from a local array. */
static bool is_passed(const struct sr_nest_form *g, int v)
{
	const struct sr_nest_stage *last = sr_nest_stages(g->t) + g->t->n_stages - 1;
	if (g->definition[v]->op == SR_NEST_CONSTANT || g->stage_of[v] == g->t->n_stages - 1)
		return false;
	for (int i = last->first; i < last->first + last->n; i++) {
		const struct sr_nest_instr *in = &sr_nest_instrs(g->t)[i];
		for (int k = 0; k < in->n_args; k++)
			if (in->args[k] == v)
				return true;
	}
	return false;
}

bool sr_nest_has_row_results(const struct sr_nest_form *g)
{
	const struct sr_nest_stage *last = sr_nest_stages(g->t) + g->t->n_stages - 1;
	bool has_elementary = false;
	if (g->form != SR_NEST_FORM_ROWS || g->row_block || g->t->n_stages < 2 || last->over_inner || !g->r->n_parallel ||
	    g->r->inner_iterations > MAX_ROW || g->r->extent[row_loop(g)] < MIN_ROWS)
		return false;
	for (int i = last->first; i < last->first + last->n; i++) {
		const struct sr_nest_instr *in = &sr_nest_instrs(g->t)[i];
		bool is_access = in->op == SR_NEST_LOAD || in->op == SR_NEST_STORE || in->op == SR_NEST_INDEX;
		if (is_access ? g->r->accesses[in->access].n_dims > 0 : in->op != SR_NEST_MAP && in->op != SR_NEST_CONSTANT)
			return false;
		has_elementary = has_elementary || sr_nest_form_is_elementary(g, in);
	}
	return has_elementary;
}

void sr_nest_c_open_row_results(struct sr_nest_form *g, const char *begin, const char *end)
{
	int l = row_loop(g);
	sr_nest_c_line(g, sr_printf(g->arena, "for (int64_t c = %s, h; c < %s; c = h) {\n", begin, end));
	g->indentation++;
	sr_nest_c_line(g, sr_printf(g->arena, "h = c + %d < %s ? c + %d : %s;\n", BLOCK, end, BLOCK, end));
	for (int v = 0; v < g->t->n_values; v++)
		if (g->definition[v] && is_passed(g, v))
			sr_nest_c_array(g, sr_nest_c_type(g, v), 'y', v, BLOCK);
	sr_nest_c_line(g, sr_printf(g->arena, "for (int64_t i%d = c; i%d < h; i%d++) {\n", l, l, l));
	g->indentation++;
}

bool sr_nest_c_row_results(struct sr_nest_form *g, int stage)
{
	int l = row_loop(g);
	struct sr_stage_loops loops;
	for (int v = 0; v < g->t->n_values; v++)
		if (g->definition[v] && is_passed(g, v))
			sr_nest_c_line(g, sr_printf(g->arena, "y%d[i%d - c] = %s;\n", v, l, sr_nest_c_value(g, v)));
	g->indentation--;
	sr_nest_c_line(g, "}\n");
	sr_nest_c_line(g, "#pragma GCC ivdep\n");
	sr_nest_c_line(g, sr_printf(g->arena, "for (int64_t i%d = c; i%d < h; i%d++) {\n", l, l, l));
	g->indentation++;
	for (int v = 0; v < g->t->n_values; v++)
		if (g->definition[v] && is_passed(g, v))
			sr_nest_c_line(g, sr_printf(g->arena, "const %s v%d = y%d[i%d - c];\n", sr_nest_c_type(g, v), v, v, l));
	g->stage = stage;
	g->lanes = 1;
	sr_nest_form_stage_loops(g, stage, &loops);
	return sr_nest_c_instructions(g, &loops, 0, SR_NEST_TEST_ALL);
}
