/* Divide a vector loop with several elementary functions, such as exponentials and logarithms, into a loop for each. Compilers keep
 * the coefficients of one function's polynomials in vector registers, but not those of several. The loops pass over blocks that
 * stay in the first-level cache; values that a later loop reads are in local arrays. */
#include "codegen/nest_parts.h"

#include <string.h>

enum {
	MAX_PARTS = 31,
	MAX_KEPT = 6,     /* maximum number of values that are kept from one part to the next */
	MIN_EXTENT = 64,  /* minimum extent of the vector loop */
	MIN_LANES = 16    /* minimum number of lanes of a reduction */
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

/* Return true if an instruction computes, loads without bounds, stores one element, or accumulates one. */
static bool is_simple(const struct sr_nest_form *g, const struct sr_nest_instr *in)
{
	bool is_access = in->op == SR_NEST_LOAD || in->op == SR_NEST_STORE || in->op == SR_NEST_INDEX;
	return in->op == SR_NEST_MAP || in->op == SR_NEST_CONSTANT || in->op == SR_NEST_REDUCE ||
	       (is_access && !g->r->accesses[in->access].n_dims);
}

/* Return true if the vector loop reduces along itself, so that each SIMD lane has a partial result. */
static bool has_lanes(const struct sr_nest_form *g, const struct sr_stage_loops *n)
{
	return g->form == SR_NEST_FORM_ROWS && n->has_reduction;
}

/* Return the loops' first instruction; *end is the one after their last. */
static int first_instr(const struct sr_nest_form *g, const struct sr_stage_loops *n, int *end)
{
	const struct sr_nest_stage *stages = sr_nest_stages(g->t);
	*end = stages[n->last_stage].first + stages[n->last_stage].n;
	return stages[n->first_stage].first;
}

static bool may_be_divided(const struct sr_nest_form *g, const struct sr_stage_loops *n)
{
	int n_elementary = 0, end;
	if (g->vector < 0 || g->r->extent[g->vector] < MIN_EXTENT || g->unrolled_loop >= 0 || g->transposed_loop >= 0 ||
	    g->has_tables || n->has_short_rows || g->is_flat || g->rows > 1)
		return false;
	if (g->form == SR_NEST_FORM_COLUMNS && g->width > SR_NEST_PARTS_COLUMNS)
		return false;
	if (has_lanes(g, n) && (g->lanes < MIN_LANES || SR_NEST_PARTS_BLOCK % g->lanes))
		return false;
	for (int i = first_instr(g, n, &end); i < end; i++) {
		const struct sr_nest_instr *in = &sr_nest_instrs(g->t)[i];
		if (!is_simple(g, in))
			return false;
		n_elementary += is_elementary(g, in) && sr_nest_form_loop_depth(g, n, in) == n->n;
	}
	return n_elementary > 1;
}

static bool is_sine_or_cosine(const struct sr_nest_instr *in)
{
	return in->kernel == SR_KERNEL_SINE || in->kernel == SR_KERNEL_COSINE;
}

/* Return true if the loop is faster with elementary function i in a loop of its own:
 * - if i depends on another function of the current part: such a chain is so long that processors overlap few iterations of it;
 * - if nothing is reduced: compilers have more registers for the coefficients of i.
 * A sine and a cosine of one number stay together, since compilers reduce the argument once for both. */
static bool gains_from_cut(const struct sr_nest_form *g, int first, int i, int part, bool is_chained)
{
	const struct sr_nest_instr *instrs = sr_nest_instrs(g->t);
	bool has_elementary = false;
	for (int j = first; j < i; j++) {
		if (g->part_of[j] != part || !is_elementary(g, &instrs[j]))
			continue;
		has_elementary = true;
		if (is_sine_or_cosine(&instrs[i]) && is_sine_or_cosine(&instrs[j]) && instrs[i].args[0] == instrs[j].args[0])
			return false;
	}
	return is_chained || (has_elementary && g->form == SR_NEST_FORM_MAP);
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
	int n_values = g->t->n_values, *last_reader = SR_NEW_ARRAY(g->arena, int, n_values), end;
	bool *is_chained = SR_NEW_ARRAY(g->arena, bool, n_values); /* depends on an elementary function of the current part */
	g->part_of = SR_NEW_ARRAY(g->arena, int, g->t->n_instrs);
	*parts = (struct sr_nest_parts){1, 0, SR_NEW_ARRAY(g->arena, int, n_values), SR_NEW_ARRAY(g->arena, uint32_t, n_values)};
	int first = first_instr(g, n, &end);
	for (int i = first; i < end; i++)
		for (int k = 0; k < instrs[i].n_args; k++)
			last_reader[instrs[i].args[k]] = i;
	for (int i = first; i < end; i++) {
		const struct sr_nest_instr *in = &instrs[i];
		if (in->op == SR_NEST_CONSTANT || sr_nest_form_loop_depth(g, n, in) != n->n)
			continue;
		bool depends = false;
		for (int k = 0; k < in->n_args; k++)
			depends |= is_chained[in->args[k]];
		if (is_elementary(g, in) && parts->n < MAX_PARTS && gains_from_cut(g, first, i, parts->n, depends) &&
		    may_be_cut(g, parts, last_reader, i)) {
			parts->n++;
			memset(is_chained, 0, (size_t)n_values * sizeof *is_chained);
			depends = false;
		}
		if (in->result >= 0)
			is_chained[in->result] = depends || is_elementary(g, in);
		g->part_of[i] = parts->n;
		if (in->op == SR_NEST_REDUCE && has_lanes(g, n))
			parts->with_lanes |= 1u << parts->n;
		for (int k = 0; k < in->n_args; k++)
			if (parts->defined[in->args[k]] && parts->defined[in->args[k]] < parts->n)
				parts->read[in->args[k]] |= 1u << parts->n;
		if (in->result >= 0)
			parts->defined[in->result] = parts->n;
	}
	return parts->n > 1;
}

/* Write what part g->part computes for an element. */
static bool write_element(struct sr_nest_form *g, const struct sr_nest_parts *parts, const struct sr_stage_loops *n,
			  enum sr_nest_tests tests)
{
	int l = g->vector;
	for (int v = 0; v < g->t->n_values; v++)
		if (parts->read[v] >> g->part & 1)
			sr_nest_c_line(g, sr_printf(g->arena, "const %s v%d = t%d[i%d - c];\n", sr_nest_c_type(g, v), v, v, l));
	bool is_written = sr_nest_c_instructions(g, n, n->n, tests);
	for (int v = 0; v < g->t->n_values; v++)
		if (parts->read[v] && parts->defined[v] == g->part)
			sr_nest_c_line(g, sr_printf(g->arena, "t%d[i%d - c] = v%d;\n", v, l, v));
	return is_written;
}

/* Write a loop of part g->part: its head, and the index of the vector loop unless that is the loop's own. */
static bool write_loop(struct sr_nest_form *g, const struct sr_nest_parts *parts, const struct sr_stage_loops *n,
		       enum sr_nest_tests tests, const char *head, const char *index)
{
	sr_nest_c_line(g, "#pragma GCC ivdep\n");
	sr_nest_c_line(g, head);
	g->indentation++;
	if (index)
		sr_nest_c_line(g, index);
	bool is_written = write_element(g, parts, n, tests);
	g->indentation--;
	sr_nest_c_line(g, "}\n");
	return is_written;
}

/* Write the loops of part g->part over a block [c, h). Its reductions have an accumulator for each SIMD lane. */
static bool write_lanes(struct sr_nest_form *g, const struct sr_nest_parts *parts, const struct sr_stage_loops *n,
			enum sr_nest_tests tests)
{
	const char *index = sr_printf(g->arena, "const int64_t i%d = j + k;\n", g->vector);
	const char *head = sr_printf(g->arena, "for (int64_t k = 0; k < %d; k++) {\n", g->lanes);
	sr_nest_c_line(g, "{ int64_t j = c;\n");
	g->indentation++;
	sr_nest_c_line(g, sr_printf(g->arena, "for (; j + %d <= h; j += %d) {\n", g->lanes, g->lanes));
	g->indentation++;
	bool is_written = write_loop(g, parts, n, tests, head, index);
	g->indentation--;
	sr_nest_c_line(g, "}\n");
	if (g->r->extent[g->vector] % g->lanes)
		is_written = is_written && write_loop(g, parts, n, tests, "for (int64_t k = 0; k < h - j; k++) {\n", index);
	g->indentation--;
	sr_nest_c_line(g, "}\n");
	return is_written;
}

bool sr_nest_c_parts(struct sr_nest_form *g, const struct sr_stage_loops *n, const struct sr_nest_parts *parts, int64_t width,
		     enum sr_nest_tests tests)
{
	const char *head = sr_printf(g->arena, "for (int64_t i%d = c; i%d < h; i%d++) {\n", g->vector, g->vector, g->vector);
	bool is_written = true;
	for (int v = 0; v < g->t->n_values; v++)
		if (parts->read[v])
			sr_nest_c_array(g, sr_nest_c_type(g, v), 't', v, width);
	for (g->part = 1; g->part <= parts->n && is_written; g->part++)
		is_written = parts->with_lanes >> g->part & 1 ? write_lanes(g, parts, n, tests)
							      : write_loop(g, parts, n, tests, head, NULL);
	g->part = 0;
	return is_written;
}
