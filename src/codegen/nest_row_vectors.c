/* Reductions of rows of a few vectors: accumulators in vector registers instead of a local array of lanes. For rows that short,
 * storing and loading the lanes takes more time than the rest of the loop.
 *
 * Example: the sum of 20 products, with 16 lanes and vectors of 8 elements.
 *
 *	row_float r4[2];
 *	for (c < 3)  j = c < 2 ? 8 c : 20 - 8;
 *		for (k < 8)  t4[k] = x[j + k] * y[j + k];
 *		the vector t4 becomes r4[c], or is added to r4[c - 2]; the last one with its last 4 lanes first, the others -0
 *	r4[0] += r4[1];
 *	r4[0] += r4[0] rotated by 4 lanes, 2 lanes, 1 lane;
 *
 * Elements of bf16 are loaded and converted as a vector before the loop over k.
 *
 * The loop over c is unrolled and the one over k is one vector, so that t4 is in a register, too. The elements that are left after
 * the row's last whole vector are the end of a vector that overlaps it, whose other elements are computed twice. Lanes are added in
 * the same order as in the array, so results have the same bits. */
#include "codegen/nest_row_vectors.h"
#include "codegen/nest_limits.h"
#include "codegen/nest_parts.h"
#include "codegen/nest_prefetch.h"
#include "codegen/nest_transposed_rows.h"
#include <string.h>

enum {
	MAX_ROW = 64,     /* most elements of a row */
	MIN_LANES = 8,    /* least lanes: as many as a vector has elements, at least */
	MAX_INSTRS = 2048 /* most instructions of the unrolled loop, times the elements of a vector */
};

/* Return the bytes of a reduction's accumulator, or 0 if it has no vectors. */
static int accumulator_bytes(const struct sr_nest_form *g, const struct sr_nest_instr *in)
{
	static const char *const types[] = {"float", "int32_t", "uint32_t", "double", "int64_t", "uint64_t"};
	for (int i = 0; i < 6; i++)
		if (!strcmp(sr_nest_c_type(g, in->result), types[i]))
			return i < 3 ? 4 : 8;
	return 0;
}

/* Return the next reduction of the stage after `in`, or the first one if it is NULL; NULL if there is none. */
static const struct sr_nest_instr *next_reduction(const struct sr_nest_form *g, const struct sr_nest_instr *in)
{
	const struct sr_nest_stage *stage = sr_nest_stages(g->t) + g->stage;
	const struct sr_nest_instr *first = sr_nest_instrs(g->t) + stage->first;
	for (in = in ? in + 1 : first; in < first + stage->n; in++)
		if (in->op == SR_NEST_REDUCE)
			return in;
	return NULL;
}

/* Return true for a load of contiguous bf16 elements, which become a vector of f32 before the loop over its elements. Compilers
 * would divide a loop with elements of both sizes into parts. */
static bool is_row_of_bf16(const struct sr_nest_form *g, const struct sr_nest_instr *in)
{
	return in->op == SR_NEST_LOAD && sr_nest_values(g->t)[in->result].dtype == SR_BF16 &&
	       !g->r->accesses[in->access].n_dims && g->r->accesses[in->access].stride[g->vector] == 1;
}

/* Return true if vectors of bf16 elements are quicker than a loop over the lanes: the row is no multiple of the lanes, and less
 * than three times as long or only its extrema are computed. */
static bool gains_from_bf16_vectors(const struct sr_nest_form *g)
{
	enum { MAX_ITERATIONS = 3 };
	int64_t length = g->r->extent[g->vector];
	bool has_extrema = true;
	for (const struct sr_nest_instr *in = next_reduction(g, NULL); in; in = next_reduction(g, in))
		has_extrema = has_extrema && (in->kernel == SR_KERNEL_MAXIMUM || in->kernel == SR_KERNEL_MINIMUM);
	return length % g->lanes && (has_extrema || length < (int64_t)MAX_ITERATIONS * g->lanes);
}

/* Return true if an instruction in the vector loop can be executed twice for the same element, and compilers make it an operation
 * of one vector of elements of `bytes`: it computes, reduces, or loads contiguous elements, or one, without bounds. Otherwise
 * vectors would be stored to memory in parts, and processors wait for such stores if they load the whole. */
static bool is_one_vector(const struct sr_nest_form *g, const struct sr_nest_instr *in, int bytes)
{
	const struct sr_nest_access *a = in->op == SR_NEST_LOAD ? &g->r->accesses[in->access] : NULL;
	enum sr_dtype type = in->result >= 0 ? (enum sr_dtype)sr_nest_values(g->t)[in->result].dtype : SR_I1;
	if (in->op == SR_NEST_CONSTANT || in->op == SR_NEST_REDUCE || (bytes == 4 && is_row_of_bf16(g, in)))
		return true;
	bool is_adjacent = a && (a->stride[g->vector] == 0 || a->stride[g->vector] == 1 || sr_nest_form_is_transposed_row(g, in));
	if (a && (a->n_dims || !is_adjacent || sr_dtype_bytes(type) != bytes))
		return false;
	bool is_flag = in->op == SR_NEST_MAP && type == SR_I1;
	return (a || in->op == SR_NEST_MAP || in->op == SR_NEST_INDEX) && !sr_dtype_is_complex(type) &&
	       (is_flag || sr_nest_form_register_bytes(g, in->result) == bytes);
}

bool sr_nest_has_row_vectors(struct sr_nest_form *g, const struct sr_stage_loops *n)
{
	const struct sr_nest_stage *stage = sr_nest_stages(g->t) + g->stage;
	const struct sr_nest_instr *in = sr_nest_instrs(g->t) + stage->first, *end = in + stage->n;
	struct sr_nest_limits limits = {.begin = ""};
	struct sr_nest_parts parts;
	int n_instrs = 0;
	if (g->form != SR_NEST_FORM_ROWS || !n->has_reduction || g->lanes < MIN_LANES || g->vector != g->r->n_parallel || !n->n ||
	    n->has_short_rows || g->r->extent[g->vector] > MAX_ROW || g->r->extent[g->vector] < g->lanes)
		return false;
	int bytes = accumulator_bytes(g, next_reduction(g, NULL));
	for (; in < end; in++) {
		if (sr_nest_form_loop_depth(g, n, in) != n->n)
			continue;
		if (is_row_of_bf16(g, in) && !gains_from_bf16_vectors(g))
			return false;
		if (!bytes || !is_one_vector(g, in, bytes) || (in->op == SR_NEST_REDUCE && accumulator_bytes(g, in) != bytes))
			return false;
		n_instrs++;
	}
	sr_nest_find_limits(g, n, &limits);
	return n_instrs * g->r->extent[g->vector] <= MAX_INSTRS && !limits.is_limited && !sr_nest_find_parts(g, n, &parts);
}

/* Write code that combines vector `to` with `from`, the last argument, by a reduction's function. */
static bool join(struct sr_nest_form *g, const struct sr_nest_instr *in, const char *to, const char *from)
{
	sr_nest_c_indent(g);
	sr_buf_printf(g->out, "\tJOIN_ROWS(%s, ", sr_nest_c_type(g, in->result));
	bool is_written = sr_c_call(g->out, g->functions, (enum sr_kernel)in->kernel, (enum sr_dtype)in->type,
				    (const char *const[]){"x[k]", "y[k]"}, 2);
	sr_buf_printf(g->out, ", %s, %s);\n", to, from);
	return is_written;
}

/* Return the C text of a reduction's identity element. */
static const char *identity_of(struct sr_nest_form *g, const struct sr_nest_instr *in)
{
	int64_t element[2] = {0};
	struct sr_buf text;
	sr_buf_init(&text, g->arena);
	sr_nest_identity(in->kernel, (enum sr_dtype)in->type, element);
	sr_c_literal(&text, (enum sr_dtype)in->type, element);
	return sr_buf_string(&text);
}

/* Write what follows the computation of the values t of one vector: they become an accumulator, or are combined with one. The first
 * lane begins with the initial value, the others with their first values. */
static bool accumulate(struct sr_nest_form *g, const struct sr_nest_instr *in, int width)
{
	int v = in->result, length = (int)g->r->extent[g->vector];
	const char *type = sr_nest_c_type(g, v), *identity = identity_of(g, in), *init = sr_nest_c_value(g, in->args[1]);
	const char *vectors = sr_printf(g->arena, "(%d / ROW_LANES_%d)", g->lanes, width);
	const char *value = sr_printf(g->arena, "x%d", v), *to = sr_printf(g->arena, "r%d[c %% %s]", v, vectors);
	bool is_written = true;
	sr_nest_c_line(g, sr_printf(g->arena, "row_%s x%d = *(row_%s *)t%d;\n", type, v, type, v));
	sr_nest_c_line(g, sr_printf(g->arena, "if (c == %d / ROW_LANES_%d)\n", length, width));
	sr_nest_c_line(g, sr_printf(g->arena, "\tx%d = LAST_LANES_%d(%s, x%d, %s, %d);\n", v, width, type, v, identity, length));
	if (strcmp(init, identity) != 0) {
		sr_nest_c_line(g, sr_printf(g->arena, "row_%s start%d = FIRST_LANE_%d(%s, %s, %s);\n", type, v, width, type, init,
					    identity));
		sr_nest_c_line(g, "if (c == 0)\n");
		is_written = join(g, in, sr_printf(g->arena, "start%d", v), value);
		sr_nest_c_line(g, sr_printf(g->arena, "x%d = c ? x%d : start%d;\n", v, v, v));
	}
	sr_nest_c_line(g, sr_printf(g->arena, "if (c < %s)\n", vectors));
	sr_nest_c_line(g, sr_printf(g->arena, "\tr%d[c] = x%d;\n", v, v));
	sr_nest_c_line(g, "else\n");
	return is_written && join(g, in, to, value);
}

/* Combine the accumulators, and then the lanes of the one that is left, by halves. */
static bool combine(struct sr_nest_form *g, const struct sr_nest_instr *in, int width)
{
	int v = in->result;
	bool is_written = true;
	for (int half = g->lanes / 4; half; half /= 2) {
		sr_nest_c_line(g, "#pragma GCC unroll 16\n");
		sr_nest_c_line(g, sr_printf(g->arena, "for (int c = 0; %d / ROW_LANES_%d > %d && c < %d; c++)\n", g->lanes, width,
					    half, half));
		is_written = is_written && join(g, in, sr_printf(g->arena, "r%d[c]", v),
						sr_printf(g->arena, "r%d[c + %d]", v, half));
	}
	for (int bytes = 16; bytes >= width; bytes /= 2) {
		const char *type = sr_nest_c_type(g, v);
		const char *rotated = sr_printf(g->arena, "ROTATED_%d(%s, r%d[0], %d)", width, type, v, bytes / width);
		sr_nest_c_line(g, sr_printf(g->arena, "if (ROW_LANES_%d > %d)\n", width, bytes / width));
		is_written = is_written && join(g, in, sr_printf(g->arena, "r%d[0]", v), rotated);
	}
	sr_nest_c_line(g, sr_printf(g->arena, "const %s v%d = r%d[0][0];\n", sr_nest_c_type(g, v), v, v));
	return is_written;
}

/* Write the vectors w of f32 of the bf16 elements that the stage loads. */
static void convert_rows(struct sr_nest_form *g, const struct sr_stage_loops *n)
{
	const struct sr_nest_stage *stage = sr_nest_stages(g->t) + g->stage;
	for (int i = stage->first; i < stage->first + stage->n; i++) {
		const struct sr_nest_instr *in = &sr_nest_instrs(g->t)[i];
		struct sr_buf element;
		if (!is_row_of_bf16(g, in) || sr_nest_form_loop_depth(g, n, in) != n->n)
			continue;
		sr_buf_init(&element, g->arena);
		sr_nest_c_element(g, &g->r->accesses[in->access], &element);
		sr_nest_c_array(g, "float", 'w', in->result, 8);
		sr_nest_c_line(g, sr_printf(g->arena, "{ const int64_t i%d = j; *(row_float *)w%d = ROW_OF_BF16(&%s); }\n",
					    g->vector, in->result, sr_buf_string(&element)));
	}
}

bool sr_nest_c_row_vectors(struct sr_nest_form *g, const struct sr_stage_loops *n)
{
	int length = (int)g->r->extent[g->vector], width = accumulator_bytes(g, next_reduction(g, NULL));
	const char *lanes = sr_printf(g->arena, "ROW_LANES_%d", width);
	bool is_written = true;
	for (const struct sr_nest_instr *in = next_reduction(g, NULL); in; in = next_reduction(g, in))
		sr_nest_c_line(g, sr_printf(g->arena, "row_%s r%d[%d / %s];\n", sr_nest_c_type(g, in->result), in->result, g->lanes,
					    lanes));
	sr_nest_c_line(g, "#pragma GCC unroll 64\n");
	sr_nest_c_line(g, sr_printf(g->arena, "for (int c = 0; c < (%d + %s - 1) / %s; c++) {\n", length, lanes, lanes));
	g->indentation++;
	sr_nest_c_line(g, sr_printf(g->arena, "const int64_t j = c < %d / %s ? c * %s : %d - %s;\n", length, lanes, lanes, length,
				    lanes));
	for (const struct sr_nest_instr *in = next_reduction(g, NULL); in; in = next_reduction(g, in))
		sr_nest_c_array(g, sr_nest_c_type(g, in->result), 't', in->result, 32 / width);
	if (sr_nest_has_prefetches(g)) {
		sr_nest_c_line(g, sr_printf(g->arena, "if (j %% %d == 0) {\n", g->lanes));
		sr_nest_c_prefetches(g);
		sr_nest_c_line(g, "}\n");
	}
	convert_rows(g, n);
	sr_nest_c_line(g, "#pragma GCC ivdep\n");
	sr_nest_c_line(g, "#pragma GCC unroll 1\n");
	sr_nest_c_line(g, sr_printf(g->arena, "for (int64_t k = 0; k < %s; k++) {\n", lanes));
	g->indentation++;
	sr_nest_c_line(g, sr_printf(g->arena, "const int64_t i%d = j + k;\n", g->vector));
	g->has_row_vectors = true;
	is_written = is_written && sr_nest_c_instructions(g, n, n->n, SR_NEST_TEST_ALL);
	g->has_row_vectors = false;
	g->indentation--;
	sr_nest_c_line(g, "}\n");
	for (const struct sr_nest_instr *in = next_reduction(g, NULL); is_written && in; in = next_reduction(g, in))
		is_written = accumulate(g, in, width);
	g->indentation--;
	sr_nest_c_line(g, "}\n");
	for (const struct sr_nest_instr *in = next_reduction(g, NULL); is_written && in; in = next_reduction(g, in))
		is_written = combine(g, in, width);
	return is_written;
}
