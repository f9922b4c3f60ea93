/* Divide a vector loop with several elementary functions, such as exponentials and logarithms, into a loop for each. Compilers keep
 * the coefficients of one function's polynomials in vector registers, but not those of several. The loops pass over blocks that
 * stay in the first-level cache; values that a later loop reads are in local arrays. */
#include "codegen/nest_parts.h"

enum {
	MAX_PARTS = 31,
	MAX_KEPT = 6,     /* maximum number of values that are kept from one part to the next */
	BLOCK = 256,      /* iterations of a block */
	MIN_EXTENT = 64   /* minimum extent of the vector loop */
};

static enum sr_dtype type_of(const struct sr_nest_form *g, int v)
{
	return (enum sr_dtype)sr_nest_values(g->t)[v].dtype;
}

static bool is_elementary(const struct sr_nest_form *g, const struct sr_nest_instr *in)
{
	return in->op == SR_NEST_MAP && sr_dtype_is_float(type_of(g, in->result)) &&
	       sr_kernel_work_class((enum sr_kernel)in->kernel) == SR_WORK_TRANSCENDENTAL;
}

/* Return true if an instruction computes, loads without bounds, or stores one element. */
static bool is_simple(const struct sr_nest_form *g, const struct sr_nest_instr *in)
{
	bool is_access = in->op == SR_NEST_LOAD || in->op == SR_NEST_STORE || in->op == SR_NEST_INDEX;
	return in->op == SR_NEST_MAP || in->op == SR_NEST_CONSTANT || (is_access && !g->r->accesses[in->access].n_dims);
}

static bool may_be_divided(const struct sr_nest_form *g, const struct sr_stage_loops *n)
{
	int n_elementary = 0;
	if (g->form != SR_NEST_FORM_MAP || g->vector < 0 || g->r->extent[g->vector] < MIN_EXTENT || g->unrolled_loop >= 0 ||
	    g->transposed_loop >= 0 || g->has_tables || n->has_short_rows)
		return false;
	for (int i = 0; i < g->t->n_instrs; i++) {
		const struct sr_nest_instr *in = &sr_nest_instrs(g->t)[i];
		if (!is_simple(g, in))
			return false;
		n_elementary += is_elementary(g, in) && sr_nest_form_loop_depth(g, n, in) == n->n;
	}
	return n_elementary > 1;
}

/* Return true if at most MAX_KEPT values that the vector loop computes before instruction i are read from there on, all floats: loops
 * that load integers or masks of other sizes are not vectorized as well. */
static bool may_be_cut(const struct sr_nest_form *g, const struct sr_nest_parts *parts, const int *last_reader, int i)
{
	int n_kept = 0;
	for (int v = 0; v < g->t->n_values; v++) {
		if (!parts->defined[v] || last_reader[v] < i)
			continue;
		if (!sr_dtype_is_float(type_of(g, v)) || ++n_kept > MAX_KEPT)
			return false;
	}
	return true;
}

bool sr_nest_find_parts(struct sr_nest_form *g, const struct sr_stage_loops *n, struct sr_nest_parts *parts)
{
	if (!may_be_divided(g, n))
		return false;
	const struct sr_nest_instr *instrs = sr_nest_instrs(g->t);
	int n_values = g->t->n_values, *last_reader = SR_NEW_ARRAY(g->arena, int, n_values);
	bool has_elementary = false; /* the current part has an elementary function */
	g->part_of = SR_NEW_ARRAY(g->arena, int, g->t->n_instrs);
	*parts = (struct sr_nest_parts){1, SR_NEW_ARRAY(g->arena, int, n_values), SR_NEW_ARRAY(g->arena, uint32_t, n_values)};
	for (int i = 0; i < g->t->n_instrs; i++)
		for (int k = 0; k < instrs[i].n_args; k++)
			last_reader[instrs[i].args[k]] = i;
	for (int i = 0; i < g->t->n_instrs; i++) {
		const struct sr_nest_instr *in = &instrs[i];
		if (in->op == SR_NEST_CONSTANT || sr_nest_form_loop_depth(g, n, in) != n->n)
			continue;
		if (is_elementary(g, in)) {
			parts->n += has_elementary && parts->n < MAX_PARTS && may_be_cut(g, parts, last_reader, i);
			has_elementary = true;
		}
		g->part_of[i] = parts->n;
		for (int k = 0; k < in->n_args; k++)
			if (parts->defined[in->args[k]] && parts->defined[in->args[k]] < parts->n)
				parts->read[in->args[k]] |= 1u << parts->n;
		if (in->result >= 0)
			parts->defined[in->result] = parts->n;
	}
	return parts->n > 1;
}

/* Write the loop of part g->part over a block [c, h). */
static bool write_part(struct sr_nest_form *g, const struct sr_nest_parts *parts, const struct sr_stage_loops *n,
		       enum sr_nest_tests tests)
{
	int l = g->vector;
	sr_nest_c_line(g, "#pragma GCC ivdep\n");
	sr_nest_c_line(g, sr_printf(g->arena, "for (int64_t i%d = c; i%d < h; i%d++) {\n", l, l, l));
	g->indentation++;
	for (int v = 0; v < g->t->n_values; v++)
		if (parts->read[v] >> g->part & 1)
			sr_nest_c_line(g, sr_printf(g->arena, "const %s v%d = t%d[i%d - c];\n", sr_nest_c_type(g, v), v, v, l));
	bool is_written = sr_nest_c_instructions(g, n, n->n, tests);
	for (int v = 0; v < g->t->n_values; v++)
		if (parts->read[v] && parts->defined[v] == g->part)
			sr_nest_c_line(g, sr_printf(g->arena, "t%d[i%d - c] = v%d;\n", v, l, v));
	g->indentation--;
	sr_nest_c_line(g, "}\n");
	return is_written;
}

bool sr_nest_c_parts(struct sr_nest_form *g, const struct sr_stage_loops *n, const struct sr_nest_parts *parts, const char *begin,
		     const char *end, enum sr_nest_tests tests)
{
	long long width = g->stream_width ? g->stream_width : BLOCK;
	bool is_written = true;
	sr_nest_c_line(g, g->stream_width ? "{\n"
					  : sr_printf(g->arena, "for (int64_t c = %s, h; c < %s; c = h) {\n", begin, end));
	g->indentation++;
	if (!g->stream_width)
		sr_nest_c_line(g, sr_printf(g->arena, "h = c + %lld < %s ? c + %lld : %s;\n", width, end, width, end));
	for (int v = 0; v < g->t->n_values; v++)
		if (parts->read[v])
			sr_nest_c_line(g, sr_printf(g->arena, "%s t%d[%lld] __attribute__((aligned(64)));\n",
						    sr_nest_c_type(g, v), v, width));
	for (g->part = 1; g->part <= parts->n && is_written; g->part++)
		is_written = write_part(g, parts, n, tests);
	g->part = 0;
	g->indentation--;
	sr_nest_c_line(g, "}\n");
	return is_written;
}
