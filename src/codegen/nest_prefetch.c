/* Prefetches of the inputs of loop nests that reduce. */
#include "codegen/nest_prefetch.h"
#include "codegen/nest_instr_c.h"

bool sr_nest_has_prefetches(const struct sr_nest_form *g)
{
	for (int i = 0; i < g->t->n_instrs; i++)
		if (g->is_prefetched[i] && g->stage_of[sr_nest_instrs(g->t)[i].result] == g->stage)
			return true;
	return false;
}

void sr_nest_c_prefetches(struct sr_nest_form *g)
{
	for (int i = 0; i < g->t->n_instrs; i++) {
		const struct sr_nest_instr *in = &sr_nest_instrs(g->t)[i];
		if (!g->is_prefetched[i] || g->stage_of[in->result] != g->stage)
			continue;
		const struct sr_nest_access *a = &g->r->accesses[in->access];
		int b = a->buffer;
		int last = g->r->n_loops - 1;
		sr_nest_c_indent(g);
		sr_buf_printf(g->out, g->form == SR_NEST_FORM_ROWS ? "prefetch_streams(b%d, (" : "prefetch_rows(b%d + c + ", b);
		sr_nest_c_affine(g, g->out, a->offset, a->stride, g->vector);
		if (g->form == SR_NEST_FORM_ROWS)
			sr_buf_printf(g->out, " + j) * sizeof *b%d, %d * sizeof *b%d);\n", b, g->lanes, b);
		else
			sr_buf_printf(g->out, ", i%d, %lld * (int64_t)sizeof *b%d, (h - c) * sizeof *b%d);\n", last,
				      (long long)a->stride[last], b, b);
	}
}

void sr_nest_c_row_prefetches(struct sr_nest_form *g, const struct sr_stage_loops *n)
{
	bool has_loop = g->rows > 1 && sr_nest_has_prefetches(g); /* more than one row: there are two loops at least */
	int l = has_loop ? n->loops[n->n - 2] : 0;
	if (has_loop)
		sr_nest_c_line(g, sr_printf(g->arena, "for (int64_t i%d = j; i%d < j + %d; i%d++) {\n", l, l, g->rows, l));
	g->indentation += has_loop;
	sr_nest_c_prefetches(g);
	g->indentation -= has_loop;
	if (has_loop)
		sr_nest_c_line(g, "}\n");
}
