/* Write a loop nest as a C function: its loops, their blocks, prefetches and streamed stores, and the stages. nest_instr_c.c writes
 * the instructions inside them. */
#include "codegen/nest_limits.h"
#include "codegen/nest_masks.h"
#include "codegen/nest_parts.h"
#include "codegen/nest_prefetch.h"
#include "codegen/nest_ranges.h"
#include "codegen/nest_row_results.h"
#include "codegen/nest_row_vectors.h"
#include "codegen/nest_tables.h"
#include "codegen/nest_transposed_rows.h"
#include <string.h>

/* ---- loops ---- */

static bool is_access(const struct sr_nest_instr *in)
{
	return in->op == SR_NEST_LOAD || in->op == SR_NEST_STORE;
}

static void open_brace(struct sr_nest_form *g, const char *text)
{
	sr_nest_c_indent(g);
	sr_buf_puts(g->out, text);
	g->indentation++;
}

static void close_brace(struct sr_nest_form *g)
{
	g->indentation--;
	sr_nest_c_line(g, "}\n");
}

/* Return the C expression of a loop's first index or, if `last` is true, of the loop's end. */
static const char *loop_bound(struct sr_nest_form *g, int l, bool last)
{
	struct sr_buf text;
	if (g->form == SR_NEST_FORM_COLUMNS && l == g->vector)
		return last ? "h" : "c";
	if (l == 0 && g->r->n_parallel)
		return last ? "last" : "first";
	sr_buf_init(&text, g->arena);
	sr_buf_int(&text, last ? g->r->extent[l] : 0);
	return sr_buf_string(&text);
}

static void open_loop(struct sr_nest_form *g, int l, const char *begin, const char *end)
{
	sr_nest_c_indent(g);
	sr_buf_printf(g->out, "for (int64_t i%d = %s; i%d < %s; i%d++) {\n", l, begin, l, end, l);
	g->indentation++;
}

/* Write the vector loop as a loop for each elementary function, in blocks [c, h) unless it is a block already. */
static bool divided_loop(struct sr_nest_form *g, const struct sr_stage_loops *n, const struct sr_nest_parts *parts,
			 const char *begin, const char *end, enum sr_nest_tests tests)
{
	long long width = g->stream_width ? g->stream_width : g->form == SR_NEST_FORM_COLUMNS ? g->width : SR_NEST_PARTS_BLOCK;
	bool is_block = g->stream_width || g->form == SR_NEST_FORM_COLUMNS;
	open_brace(g, is_block ? "{\n" : sr_printf(g->arena, "for (int64_t c = %s, h; c < %s; c = h) {\n", begin, end));
	if (!is_block)
		sr_nest_c_line(g, sr_printf(g->arena, "h = c + %lld < %s ? c + %lld : %s;\n", width, end, width, end));
	if (parts->with_lanes && sr_nest_has_prefetches(g)) {
		open_brace(g, sr_printf(g->arena, "for (int64_t j = c; j < h; j += %d) {\n", g->lanes));
		sr_nest_c_prefetches(g);
		close_brace(g);
	}
	bool is_written = sr_nest_c_parts(g, n, parts, width, tests);
	close_brace(g);
	return is_written;
}

/* Write a loop over [begin, end) in which each iteration executes the instructions. */
static bool plain_loop(struct sr_nest_form *g, const struct sr_stage_loops *n, const char *begin, const char *end,
		       enum sr_nest_tests tests)
{
	open_loop(g, g->vector, begin, end);
	if (g->rows > 1) {
		sr_nest_c_line(g, sr_printf(g->arena, "#pragma GCC unroll %d\n", g->rows));
		open_brace(g, sr_printf(g->arena, "for (int u = 0; u < %d; u++) {\n", g->rows));
		sr_nest_c_line(g, sr_printf(g->arena, "const int64_t i%d = j + u;\n", n->loops[n->n - 2]));
	}
	bool is_written = (g->rows == 1 || sr_nest_c_instructions(g, n, n->n - 1, tests)) && sr_nest_c_instructions(g, n, n->n, tests);
	if (g->rows > 1)
		close_brace(g);
	if (g->unrolled_loop >= 0) {
		sr_nest_c_line(g, "#pragma GCC unroll 4\n");
		open_loop(g, g->unrolled_loop, "0", loop_bound(g, g->unrolled_loop, true));
		is_written = is_written && sr_nest_c_instructions(g, n, n->n + 1, tests);
		close_brace(g);
	}
	close_brace(g);
	return is_written;
}

/* Write a loop over `width` elements, which compilers vectorize as one vector: GCC 12 would unroll it before. */
static bool single_vector(struct sr_nest_form *g, const struct sr_stage_loops *n, const char *begin, const char *end,
			  enum sr_nest_tests tests)
{
	sr_nest_c_line(g, "#pragma GCC ivdep\n");
	sr_nest_c_line(g, "#pragma GCC unroll 1\n");
	return plain_loop(g, n, begin, end, tests);
}

static bool simple_loop(struct sr_nest_form *g, const struct sr_stage_loops *n, const char *begin, const char *end,
			enum sr_nest_tests tests)
{
	/* GCC 12 would vectorize the loop around an unrolled one, whose iterations are the terms of the sums, and transpose them in
	 * registers. */
	struct sr_nest_parts parts;
	if (sr_nest_find_parts(g, n, &parts))
		return divided_loop(g, n, &parts, begin, end, tests);
	bool has_last_vector = g->has_last_vector && !g->stream_width;
	const char *rest = sr_printf(g->arena, "(%s - (%s)) %% width", end, begin);
	sr_nest_c_line(g, "#pragma GCC ivdep\n");
	if (g->form == SR_NEST_FORM_COLUMNS && g->r->extent[g->vector] <= SR_NEST_FORM_UNROLLED)
		sr_nest_c_line(g, "#pragma GCC unroll 1\n");
	if (!has_last_vector)
		return plain_loop(g, n, begin, end, tests);
	bool is_written = plain_loop(g, n, begin, sr_printf(g->arena, "%s - %s", end, rest), tests);
	open_brace(g, sr_printf(g->arena, "if (%s) {\n", rest));
	is_written = is_written && single_vector(g, n, sr_printf(g->arena, "%s - width", end), end, tests);
	close_brace(g);
	return is_written;
}

/* Return the loops' first store to a streamed buffer, or NULL if there is none. If previous_store is not NULL, stores up to that
 * one are skipped. */
static const struct sr_nest_instr *next_stream(struct sr_nest_form *g, const struct sr_stage_loops *n,
					       const struct sr_nest_instr *previous_store)
{
	for (int s = n->first_stage; s <= n->last_stage; s++) {
		const struct sr_nest_instr *in = sr_nest_instrs(g->t) + sr_nest_stages(g->t)[s].first;
		for (const struct sr_nest_instr *end = in + sr_nest_stages(g->t)[s].n; in < end; in++)
			if (in->op == SR_NEST_STORE && g->is_streamed[g->r->accesses[in->access].buffer] &&
			    (!previous_store || in > previous_store))
				return in;
	}
	return NULL;
}

/* Write the vector loop as blocks [c, h) whose streamed stores go to local arrays, which are then copied to memory. The loop over a
 * transposed block, or over a block of elements of small tables, is one block already. */
static bool stream_blocks(struct sr_nest_form *g, const struct sr_stage_loops *n, const char *begin, const char *end,
			  enum sr_nest_tests tests)
{
	int64_t width = SR_NEST_FORM_STREAM_BLOCK;
	for (const struct sr_nest_instr *in = next_stream(g, n, NULL); in; in = next_stream(g, n, in)) {
		int64_t block_width = SR_NEST_FORM_STREAM_BLOCK /
				      sr_dtype_bytes((enum sr_dtype)sr_nest_values(g->t)[in->args[0]].dtype);
		width = block_width < width ? block_width : width;
	}
	if (g->transposed_loop >= 0 || g->has_tables) {
		width = g->has_tables ? SR_NEST_FORM_TABLE_BLOCK : SR_NEST_FORM_BLOCK_COLUMNS;
		open_brace(g, "{\n");
	} else {
		sr_nest_c_indent(g);
		sr_buf_printf(g->out, "for (int64_t c = %s, h; c < %s; c = h) {\n", begin, end);
		g->indentation++;
		sr_nest_c_indent(g);
		sr_buf_printf(g->out, "h = c + %lld < %s ? c + %lld : %s;\n", (long long)width, end, (long long)width, end);
	}
	for (const struct sr_nest_instr *in = next_stream(g, n, NULL); in; in = next_stream(g, n, in)) {
		sr_nest_c_array(g, sr_nest_c_memory_type(g, in->args[0]), 's', g->r->accesses[in->access].buffer, width);
	}
	g->stream_width = width;
	bool is_written = simple_loop(g, n, "c", "h", tests);
	g->stream_width = 0;
	for (const struct sr_nest_instr *in = next_stream(g, n, NULL); in; in = next_stream(g, n, in)) {
		const struct sr_nest_access *a = &g->r->accesses[in->access];
		sr_nest_c_indent(g);
		sr_buf_printf(g->out, "stream(b%d + ", a->buffer);
		sr_nest_c_affine(g, g->out, a->offset, a->stride, g->vector);
		sr_buf_printf(g->out, " + c, s%d, (h - c) * (int64_t)sizeof *s%d);\n", a->buffer, a->buffer);
	}
	close_brace(g);
	return is_written;
}

/* Write a loop over the lanes [begin, end) of the vector at index j. is_divided: the vector is partly out of bounds. */
static bool lanes_loop(struct sr_nest_form *g, const struct sr_stage_loops *n, const char *begin, const char *end,
		       enum sr_nest_tests tests, bool is_divided)
{
	/* GCC 12 miscompiles loops over few lanes, and over parts of them, if it unrolls them before it vectorizes the loop
	 * around them. */
	enum { FEW_DIVIDED = 8 };
	bool is_miscompiled = is_divided && g->lanes <= FEW_DIVIDED;
	sr_nest_c_line(g, "#pragma GCC ivdep\n");
	if (g->lanes <= SR_NEST_FORM_UNROLLED)
		sr_nest_c_line(g, "#pragma GCC unroll 1\n");
	sr_nest_c_indent(g);
	sr_buf_printf(g->out, "for (int64_t k = %s; k < %s; k++) {\n", begin, end);
	g->indentation++;
	sr_nest_c_indent(g);
	sr_buf_printf(g->out, "const int64_t i%d = j + k;\n%s", g->vector, is_miscompiled ? "__asm__ volatile(\"\");\n" : "");
	bool is_written = sr_nest_c_instructions(g, n, n->n, tests);
	close_brace(g);
	return is_written;
}

/* Write the vector loop of a stage that reduces along it: each SIMD lane has a partial result. If is_bounded, loads are in their
 * bounds only in [low, high). A vector partly outside is divided: its elements inside are loaded without tests. */
static bool reduction_loop(struct sr_nest_form *g, const struct sr_stage_loops *n, const char *begin, const char *end,
			   bool is_bounded)
{
	const char *lanes = sr_printf(g->arena, "%d", g->lanes), *rest = sr_printf(g->arena, "%s - j", end);
	struct sr_nest_parts parts;
	if (!is_bounded && sr_nest_find_parts(g, n, &parts))
		return divided_loop(g, n, &parts, begin, end, SR_NEST_TEST_ALL);
	if (is_bounded) {
		open_brace(g, sr_printf(g->arena, "for (int64_t j = %s; j < %s; j += %s) {\n", begin, end, lanes));
		open_brace(g, sr_printf(g->arena, "for (; j >= low && j + %s <= high; j += %s) {\n", lanes, lanes));
	} else {
		open_brace(g, sr_printf(g->arena, "{ int64_t j = %s;\n", begin));
		open_brace(g, sr_printf(g->arena, "for (; j + %s <= %s; j += %s) {\n", lanes, end, lanes));
	}
	sr_nest_c_prefetches(g);
	bool is_written = lanes_loop(g, n, "0", lanes, is_bounded ? SR_NEST_TEST_NONE : SR_NEST_TEST_ALL, false);
	close_brace(g);
	if (is_bounded) {
		sr_nest_c_line(g, sr_printf(g->arena, "const int64_t w = %s < %s ? %s : %s;\n", rest, lanes, rest, lanes));
		sr_nest_c_line(g, "const int64_t f = low < j ? 0 : low - j < w ? low - j : w;\n");
		sr_nest_c_line(g, "const int64_t h = high - j < f ? f : high - j < w ? high - j : w;\n");
		is_written = is_written && lanes_loop(g, n, "f", "h", SR_NEST_TEST_NONE, true);
		sr_nest_c_line(g, "for (int part = 0; part < 2; part++)\n");
		is_written = is_written && lanes_loop(g, n, "part ? h : 0", "(part ? w : f)", SR_NEST_TEST_ALL, true);
	} else if (g->r->extent[g->vector] % g->lanes) {
		is_written = is_written && lanes_loop(g, n, "0", rest, SR_NEST_TEST_ALL, false);
	}
	close_brace(g);
	return is_written;
}

/* Write the C text of the vector loop over [begin, end), which is not a peeled end. */
static bool vector_loop(struct sr_nest_form *g, const struct sr_stage_loops *n, const char *begin, const char *end,
			enum sr_nest_tests tests)
{
	bool is_block = (g->transposed_loop < 0 && !g->has_tables) || (!strcmp(begin, "c") && !strcmp(end, "h")), is_written;
	if (!is_block || !next_stream(g, n, NULL))
		return simple_loop(g, n, begin, end, tests);
	open_brace(g, "if (past_caches) {\n");
	is_written = stream_blocks(g, n, begin, end, tests);
	close_brace(g);
	open_brace(g, "else {\n");
	is_written = is_written && simple_loop(g, n, begin, end, tests);
	close_brace(g);
	return is_written;
}

/* Write the loops of a flattened stage over points of the last inner loop and over columns. The loop over j takes `lanes` points at
 * a time; a single loop over p, the number of an accumulator, executes all columns of these points. */
static bool flat_loops(struct sr_nest_form *g, const struct sr_stage_loops *n)
{
	int last = g->r->n_loops - 1;
	long long columns = (long long)g->r->extent[g->vector], points = (long long)g->r->extent[last];
	bool is_written = true;
	open_brace(g, "{\n");
	sr_nest_c_line(g, "int64_t j = 0;\n");
	for (int full_rows = 1; is_written && full_rows >= (points % g->lanes == 0); full_rows--) {
		sr_nest_c_indent(g);
		if (full_rows) {
			sr_buf_printf(g->out, "for (; j + %d <= %lld; j += %d)\n", g->lanes, points, g->lanes);
			g->indentation++;
			sr_nest_c_indent(g);
		}
		sr_buf_puts(g->out, "#pragma GCC ivdep\n");
		sr_nest_c_indent(g);
		sr_buf_printf(g->out, "for (int32_t p = 0; p < %lld; p++) {\n",
			      columns * (full_rows ? g->lanes : points % g->lanes));
		g->indentation++;
		sr_nest_c_indent(g);
		sr_buf_printf(g->out, "const int32_t i%d = p %% %lld, q = p / %lld;\n", g->vector, columns, columns);
		is_written = sr_nest_c_instructions(g, n, n->n - 1, SR_NEST_TEST_ALL) &&
			     sr_nest_c_instructions(g, n, n->n, SR_NEST_TEST_ALL);
		close_brace(g);
		g->indentation -= full_rows;
	}
	close_brace(g);
	return is_written;
}

/* Return true if a value of a nest with short rows is in a local array, and equal for all rows or not. */
static bool is_copied(const struct sr_nest_form *g, int v, bool is_equal_for_rows)
{
	return g->is_copied[v] && !(g->deps[v] >> g->vector & 1) == is_equal_for_rows;
}

/* Return true if a copied value is equal for the elements of each row. */
static bool is_repeated(const struct sr_nest_form *g, int v)
{
	return g->is_copied[v] && !(g->deps[v] >> g->short_row_loop & 1);
}

/* Write the local arrays of values that are equal for all short rows, or of those that are not. Values that are equal for the
 * elements of a row have another array y, with one element for each row. */
static void short_row_arrays(struct sr_nest_form *g, bool is_equal_for_rows)
{
	enum { REPEATED = 64 }; /* elements past the end that `repeat` reads */
	int64_t n = g->r->extent[g->short_row_loop] * SR_NEST_FORM_SHORT_ROWS;
	for (int v = 0; v < g->t->n_values; v++) {
		const char *type = sr_nest_c_copied_type(g, v);
		if (is_copied(g, v, is_equal_for_rows))
			sr_nest_c_array(g, type, 'x', v, n);
		if (is_copied(g, v, is_equal_for_rows) && is_repeated(g, v))
			sr_nest_c_array(g, type, 'y', v, SR_NEST_FORM_SHORT_ROWS + REPEATED);
	}
}

/* Write a loop that computes the values of one row which are equal for all rows, and loops that repeat this row. */
static bool repeat_row(struct sr_nest_form *g, const struct sr_stage_loops *n)
{
	int row = g->short_row_loop;
	long long length = (long long)g->r->extent[row];
	bool has_values = false;
	for (int v = 0; v < g->t->n_values; v++)
		has_values = has_values || is_copied(g, v, true);
	if (!has_values)
		return true;
	short_row_arrays(g, true);
	open_loop(g, row, "0", loop_bound(g, row, true));
	bool is_written = sr_nest_c_instructions(g, n, n->n + 2, SR_NEST_TEST_ALL);
	for (int v = 0; v < g->t->n_values; v++)
		if (is_copied(g, v, true))
			sr_nest_c_line(g, sr_printf(g->arena, "x%d[i%d] = %s;\n", v, row, sr_nest_c_copied_value(g, v)));
	close_brace(g);
	for (int v = 0; v < g->t->n_values; v++) {
		if (!is_copied(g, v, true))
			continue;
		sr_nest_c_line(g, sr_printf(g->arena, "for (int q = 1; q < %d; q *= 2)\n", SR_NEST_FORM_SHORT_ROWS));
		sr_nest_c_line(g, sr_printf(g->arena, "\t__builtin_memcpy(x%d + %lld * q, x%d, %lld * q * sizeof *x%d);\n", v,
					    length, v, length, v));
	}
	return is_written;
}

/* Write a block of short rows [c, h). First, a loop over the rows computes what is equal for the elements of each row, one value
 * for each row, and copies gathered rows to local arrays. Calls of `repeat` then fill local arrays with each such value as often
 * as a row has elements. Last, a single loop over p, the number of an element in the block, reads these arrays. */
static bool short_row_loops(struct sr_nest_form *g, const struct sr_stage_loops *n)
{
	int row = g->short_row_loop;
	long long length = (long long)g->r->extent[row];
	short_row_arrays(g, false);
	open_loop(g, g->vector, "c", "h");
	/* GCC 12 vectorizes the copies of rows with bounds together with those of other rows and loads zeros; the empty statement
	 * prevents that */
	if (sr_nest_form_copies_bounded_rows(g))
		sr_nest_c_line(g, "__asm__ volatile(\"\");\n");
	bool is_written = sr_nest_c_instructions(g, n, n->n, SR_NEST_TEST_ALL);
	for (int v = 0; v < g->t->n_values; v++) {
		if (is_copied(g, v, false) && is_repeated(g, v))
			sr_nest_c_line(g, sr_printf(g->arena, "y%d[i%d - c] = %s;\n", v, g->vector, sr_nest_c_copied_value(g, v)));
		else if (is_copied(g, v, false))
			sr_nest_c_row_copy(g, v);
	}
	close_brace(g);
	for (int v = 0; v < g->t->n_values; v++)
		if (is_repeated(g, v))
			sr_nest_c_line(g, sr_printf(g->arena, "repeat(y%d, x%d, h - c, %lld, sizeof *x%d);\n", v, v, length, v));
	g->is_flat = true;
	g->flat_outer = g->vector;
	g->flat_inner = row;
	sr_nest_c_line(g, "const int64_t j = c;\n");
	sr_nest_c_line(g, "#pragma GCC ivdep\n");
	if (g->has_small_matrices) /* GCC 12 would unroll it before it vectorizes loops */
		sr_nest_c_line(g, "#pragma GCC unroll 1\n");
	open_brace(g, sr_printf(g->arena, "for (int32_t p = 0; p < %lld * (h - c); p++) {\n", length));
	sr_nest_c_line(g, sr_printf(g->arena, "const int32_t i%d = p %% %lld, q = p / %lld;\n", row, length, length));
	is_written = is_written && sr_nest_c_instructions(g, n, n->n + 1, SR_NEST_TEST_ALL);
	g->is_flat = false;
	close_brace(g);
	return is_written;
}

/* Return true if v is a mask that is computed before the vector loop, read inside it, and constant in most rows. */
static bool is_row_mask(const struct sr_nest_form *g, const struct sr_stage_loops *n, int v)
{
	const struct sr_nest_instr *in = g->definition[v];
	bool is_read = false;
	if (!g->masks[v].is_known || in->op == SR_NEST_CONSTANT || sr_nest_form_loop_depth(g, n, in) >= n->n)
		return false;
	for (int i = 0; i < g->t->n_instrs; i++) {
		const struct sr_nest_instr *reader = &sr_nest_instrs(g->t)[i];
		for (int k = 0; k < reader->n_args && sr_nest_form_loop_depth(g, n, reader) >= n->n; k++)
			is_read = is_read || reader->args[k] == v;
	}
	return is_read;
}

/* Write a loop for each mask of rows that executes the rows where the mask does not have its usual value, such as the rows of a
 * border. The mask is a constant there: what a select does not take is not computed. The code that follows executes the other
 * rows. */
static bool border_row_loops(struct sr_nest_form *g, const struct sr_stage_loops *n, const char *begin, const char *end)
{
	enum { MAX_LOOPS = 8 };
	int n_loops = 0;
	bool is_written = true;
	for (int v = 0; g->masks && v < g->t->n_values && n_loops < MAX_LOOPS; v++) {
		if (!is_row_mask(g, n, v))
			continue;
		n_loops++;
		open_brace(g, sr_printf(g->arena, "if (v%d != %d) {\n", v, g->masks[v].value));
		sr_nest_c_line(g, sr_printf(g->arena, "const flag v%d = %d;\n", v, !g->masks[v].value));
		is_written = is_written && simple_loop(g, n, begin, end, SR_NEST_TEST_ALL);
		close_brace(g);
		sr_nest_c_line(g, "else\n");
	}
	return is_written;
}

/* Return true if the peeled ends of the range are so few elements that each can have its own code. */
static bool has_constant_columns(const struct sr_nest_form *g, const struct sr_nest_limits *limits)
{
	enum { MAX_INSTRS = 1024 };
	int64_t n = limits->low + g->r->extent[g->vector] - limits->high;
	return limits->is_known && !g->is_reversed && n <= MAX_INSTRS / (g->t->n_instrs + 1);
}

/* Write the elements [begin, end) of a row without a loop. Their index is a constant, so compilers evaluate its tests. */
static bool constant_columns(struct sr_nest_form *g, const struct sr_stage_loops *n, int64_t begin, int64_t end,
			     enum sr_nest_tests tests)
{
	bool is_written = true;
	for (int64_t i = begin; i < end; i++) {
		open_brace(g, sr_printf(g->arena, "{ const int64_t i%d = %lld;\n", g->vector, (long long)i));
		is_written = is_written && sr_nest_c_instructions(g, n, n->n, tests);
		close_brace(g);
	}
	return is_written;
}

/* Write the vector loop over a row whose range is known, and the elements at its ends, in a block. The ends are single elements, or
 * the first and the last `width` elements of the row, with tests. */
static bool row_block(struct sr_nest_form *g, const struct sr_stage_loops *n, const struct sr_nest_limits *limits,
		      const char *block, enum sr_nest_tests row_tests)
{
	long long extent = (long long)g->r->extent[g->vector];
	bool has_ends = sr_nest_has_vector_ends(g, n, limits), is_written = true;
	enum sr_nest_tests tests = SR_NEST_TEST_COLUMN | row_tests;
	const char *low = sr_printf(g->arena, "%lld", (long long)limits->low);
	const char *high = sr_printf(g->arena, "%lld", (long long)limits->high);
	open_brace(g, block);
	g->has_last_vector = sr_nest_has_last_vector(g, n, limits);
	if (has_ends || g->has_last_vector)
		sr_nest_c_line(g, sr_nest_c_width(g, limits));
	if (has_ends) {
		is_written = single_vector(g, n, "0", "width", tests);
		low = "width";
		high = sr_printf(g->arena, "%lld - width", extent);
	} else {
		is_written = constant_columns(g, n, 0, limits->low, tests);
	}
	if (row_tests) { /* few rows have tests */
		g->row_begin = limits->low;
		g->row_end = limits->high;
		sr_nest_c_row_pointers(g, n);
		is_written = is_written && simple_loop(g, n, low, high, row_tests);
	} else {
		is_written = is_written && vector_loop(g, n, low, high, row_tests);
	}
	g->has_last_vector = false;
	if (has_ends)
		is_written = is_written && single_vector(g, n, high, sr_printf(g->arena, "%lld", extent), tests);
	else
		is_written = is_written && constant_columns(g, n, limits->high, extent, tests);
	close_brace(g);
	return is_written;
}

/* Write the rows inside all bounds that do not depend on the vector loop's index, and those outside. The range is known. */
static bool rows_by_condition(struct sr_nest_form *g, const struct sr_stage_loops *n, const struct sr_nest_limits *limits)
{
	const char *condition = sr_nest_c_row_condition(g, n);
	const char *block = *condition ? sr_printf(g->arena, "if (%s) {\n", condition) : "{\n";
	return row_block(g, n, limits, block, SR_NEST_TEST_NONE) &&
	       (!*condition || row_block(g, n, limits, "else {\n", SR_NEST_TEST_ROW));
}

/* Write the vector loop over a row without bounds. */
static bool whole_row(struct sr_nest_form *g, const struct sr_stage_loops *n, const struct sr_nest_limits *limits)
{
	bool has_last_vector = g->has_last_vector = sr_nest_has_last_vector(g, n, limits);
	if (has_last_vector) {
		open_brace(g, "{\n");
		sr_nest_c_line(g, sr_nest_c_width(g, limits));
	}
	bool is_written = vector_loop(g, n, limits->begin, limits->end, SR_NEST_TEST_ALL);
	if (has_last_vector)
		close_brace(g);
	g->has_last_vector = false;
	return is_written;
}

/* Write the vector loop, with peeled ends if an indexing map may be out of bounds there. */
static bool bounded_loops(struct sr_nest_form *g, const struct sr_stage_loops *n)
{
	bool is_in_block = g->transposed_loop >= 0 || g->is_reversed || g->has_tables;
	bool is_reduction = g->lanes > 1 && n->has_reduction && g->form == SR_NEST_FORM_ROWS, is_written;
	const char *begin = is_in_block ? "c" : loop_bound(g, g->vector, false);
	const char *end = is_in_block ? "h" : loop_bound(g, g->vector, true);
	struct sr_nest_limits limits = {.begin = begin, .end = end};
	sr_nest_find_limits(g, n, &limits);
	if (!limits.is_limited && sr_nest_has_row_vectors(g, n))
		return sr_nest_c_row_vectors(g, n);
	if (!limits.is_limited && is_reduction)
		return reduction_loop(g, n, begin, end, false);
	if (!limits.is_limited)
		return whole_row(g, n, &limits);
	if (has_constant_columns(g, &limits))
		return border_row_loops(g, n, begin, end) && rows_by_condition(g, n, &limits);
	sr_nest_c_limits(g, n, &limits);
	if (is_reduction) {
		is_written = reduction_loop(g, n, begin, end, true);
	} else {
		is_written = border_row_loops(g, n, begin, end);
		open_brace(g, "{\n");
		is_written = is_written && simple_loop(g, n, begin, "low", SR_NEST_TEST_ALL) &&
			     vector_loop(g, n, "low", "high", SR_NEST_TEST_NONE) &&
			     simple_loop(g, n, "high", end, SR_NEST_TEST_ALL);
		close_brace(g);
	}
	close_brace(g);
	return is_written;
}

/* Write the vector loop, and before it the indices that do not change in it. */
static bool vector_loops(struct sr_nest_form *g, const struct sr_stage_loops *n)
{
	bool has_block = sr_nest_c_clamp_indices(g, n), is_written = bounded_loops(g, n);
	if (has_block)
		close_brace(g);
	memset(g->has_clamped_index, 0, (size_t)g->t->n_dims * sizeof *g->has_clamped_index);
	memset(g->has_limited_operand, 0, (size_t)g->t->n_values * sizeof *g->has_limited_operand);
	return is_written;
}

/* ---- blocks of a MAP with transposed inputs or outputs, or reversed pixels: copied through local arrays ---- */

static void open_block(struct sr_nest_form *g, const char *at, const char *end, int l, int step)
{
	sr_nest_c_indent(g);
	sr_buf_printf(g->out, "for (int64_t %s = %s; %s < %s; %s += %d) {\n", at, loop_bound(g, l, false), at, loop_bound(g, l, true), at,
		      step);
	g->indentation++;
	sr_nest_c_indent(g);
	sr_buf_printf(g->out, "const int64_t %s = %s + %d < %s ? %s + %d : %s;\n", end, at, step, loop_bound(g, l, true), at, step,
		      loop_bound(g, l, true));
}

/* Write a call that copies a block, transposed or reversed, from an input to the local array of a load, or from the local array of
 * a store to an output. */
static void copy_block(struct sr_nest_form *g, const struct sr_nest_instr *in)
{
	bool is_load = in->op == SR_NEST_LOAD;
	const struct sr_nest_access *a = &g->r->accesses[in->access];
	int v = is_load ? in->result : in->args[0], width = sr_nest_form_block_columns(g);
	int row = g->is_reversed ? g->unrolled_loop : g->transposed_loop;
	open_brace(g, "{\n");
	sr_nest_c_indent(g);
	sr_buf_printf(g->out, "const int64_t i%d = c, i%d = %s;\n", g->vector, row, g->is_reversed ? "0" : "d");
	sr_nest_c_indent(g);
	if (g->is_split || g->is_reversed) {
		sr_buf_puts(g->out, g->is_split ? "split_channels(&" : "reverse_pixels(&");
		sr_nest_c_element(g, a, g->out);
		sr_buf_printf(g->out, ", (uint8_t *)x%d, ", v);
		if (g->is_split)
			sr_buf_printf(g->out, "%d, ", width);
		sr_buf_printf(g->out, "h - c, %d);\n", (int)g->r->extent[row]);
		close_brace(g);
		return;
	}
	sr_buf_printf(g->out, "transpose_%d(", sr_dtype_bytes((enum sr_dtype)sr_nest_values(g->t)[v].dtype));
	if (!is_load)
		sr_buf_printf(g->out, "t%d, %d, ", a->buffer, width);
	sr_buf_putc(g->out, '&');
	sr_nest_c_element(g, a, g->out);
	sr_buf_printf(g->out, ", %lld, ", (long long)a->stride[g->vector]);
	if (is_load)
		sr_buf_printf(g->out, "x%d, %d, h - c, e - d);\n", v, width);
	else
		sr_buf_puts(g->out, "e - d, h - c);\n");
	close_brace(g);
}

/* Write what precedes the loops over a block: local arrays, and copies of inputs to them, transposed or reversed. */
static void begin_block(struct sr_nest_form *g)
{
	int64_t channels = g->is_reversed ? g->r->extent[g->unrolled_loop] : g->is_split ? g->r->extent[g->transposed_loop] : 0;
	int n = sr_nest_form_block_columns(g) * (channels ? (int)channels : SR_NEST_FORM_BLOCK_ROWS);
	for (int i = 0; i < g->t->n_instrs; i++) {
		const struct sr_nest_instr *in = &sr_nest_instrs(g->t)[i];
		if (!sr_nest_form_is_transposed(g, in) && !sr_nest_form_is_reversed(g, in))
			continue;
		bool is_load = in->op == SR_NEST_LOAD;
		int v = is_load ? in->result : in->args[0], name = is_load ? v : g->r->accesses[in->access].buffer;
		sr_nest_c_array(g, sr_nest_c_memory_type(g, v), is_load ? 'x' : 't', name, n);
		if (is_load)
			copy_block(g, in);
	}
}

/* Close the loop over the rows of a block, and write the transposes of its outputs. */
static void end_block(struct sr_nest_form *g)
{
	close_brace(g);
	for (int i = 0; i < g->t->n_instrs; i++) {
		const struct sr_nest_instr *in = &sr_nest_instrs(g->t)[i];
		if (in->op == SR_NEST_STORE && sr_nest_form_is_transposed(g, in))
			copy_block(g, in);
	}
}

/* ---- stages ---- */

/* Return how many rows one iteration of the vector loop over columns reduces, in their order: with several, accumulators are loaded
 * and stored less often. More than 4 rows, with columns of the same sets of a cache, would evict each other. */
static int rows_at_once(struct sr_nest_form *g, const struct sr_stage_loops *n)
{
	enum { MAX_ROWS = 4, MAX_INSTRS = 24 };
	const struct sr_nest_stage *stage = sr_nest_stages(g->t) + g->stage;
	struct sr_nest_parts parts;
	int64_t n_rows = n->n < 2 ? 1 : g->r->extent[n->loops[n->n - 2]];
	int rows = MAX_ROWS;
	if (g->form != SR_NEST_FORM_COLUMNS || g->is_flat || g->lanes > 1 || n->has_short_rows || g->masks ||
	    !n->has_reduction || n->n < 2 || stage->n > MAX_INSTRS || sr_nest_find_parts(g, n, &parts))
		return 1;
	for (int i = stage->first; i < stage->first + stage->n; i++) {
		const struct sr_nest_instr *in = &sr_nest_instrs(g->t)[i];
		bool is_in_row = sr_nest_form_loop_depth(g, n, in) == n->n - 1;
		if ((is_access(in) && g->r->accesses[in->access].n_dims) || (is_in_row && !g->has_row_blocks && n_rows > MAX_ROWS))
			return 1;
	}
	while (n_rows % rows)
		rows--;
	return rows;
}

static bool write_loops(struct sr_nest_form *g, const struct sr_stage_loops *n)
{
	int depth = g->indentation;
	bool is_written = true;
	const char *rows = n->has_short_rows ? sr_printf(g->arena, "%lld", (long long)g->r->extent[g->vector]) : "";
	g->rows = 1;
	g->rows = rows_at_once(g, n);
	for (int k = 0; is_written && k < n->n; k++) {
		if (g->rows == 1 || k < n->n - 1) /* else in the loop over rows */
			is_written = sr_nest_c_instructions(g, n, k, SR_NEST_TEST_ALL);
		if (g->transposed_loop >= 0 && k == n->n - 2) {
			open_block(g, "d", "e", g->transposed_loop, SR_NEST_FORM_BLOCK_ROWS);
			open_block(g, "c", "h", g->vector, sr_nest_form_block_columns(g));
			begin_block(g);
			open_loop(g, g->transposed_loop, "d", "e");
		} else if (g->is_flat && k == n->n - 2) {
			is_written = is_written && flat_loops(g, n);
			break;
		} else if (n->has_short_rows && k == n->n - 1) {
			is_written = is_written && repeat_row(g, n);
			if (g->has_small_matrices && g->vector && g->r->extent[g->vector] <= SR_NEST_FORM_SHORT_ROWS)
				open_brace(g, sr_printf(g->arena, "{ const int64_t c = 0, h = %s;\n", rows));
			else if (g->form == SR_NEST_FORM_MAP)
				open_block(g, "c", "h", g->vector, SR_NEST_FORM_SHORT_ROWS);
			is_written = is_written && short_row_loops(g, n);
		} else if (k == n->n - 1) {
			if (g->form == SR_NEST_FORM_COLUMNS)
				sr_nest_c_row_prefetches(g, n);
			if (g->is_reversed) {
				open_block(g, "c", "h", g->vector, sr_nest_form_block_columns(g));
				begin_block(g);
			}
			if (g->has_tables) {
				sr_nest_c_tables(g);
				open_block(g, "c", "h", g->vector, SR_NEST_FORM_TABLE_BLOCK);
				is_written = is_written && sr_nest_c_lookups(g, n);
			}
			if (sr_nest_form_has_bounded_values(g, n))
				sr_nest_c_line(g, "__asm__ volatile(\"\");\n");
			is_written = is_written && vector_loops(g, n);
		} else if (g->row_block && n->loops[k] == g->row_block_loop) {
			sr_nest_c_open_transposed_rows(g, "0", loop_bound(g, n->loops[k], true));
		} else if (g->rows > 1 && k == n->n - 2) {
			open_brace(g, sr_printf(g->arena, "for (int64_t j = 0; j < %s; j += %d) {\n", loop_bound(g, n->loops[k], true),
						g->rows));
		} else {
			if (k == n->n - 2 && sr_nest_form_shifts_by_index(g, n->loops[k]))
				sr_nest_c_line(g, "#pragma GCC unroll 8\n");
			open_loop(g, n->loops[k], loop_bound(g, n->loops[k], false), loop_bound(g, n->loops[k], true));
		}
	}
	if (!n->n)
		is_written = sr_nest_c_instructions(g, n, 0, SR_NEST_TEST_ALL);
	if (g->transposed_loop >= 0)
		end_block(g);
	if (g->row_block && g->indentation > depth && n->n > 1 && n->loops[n->n - 2] == g->row_block_loop)
		sr_nest_c_close_transposed_rows(g);
	while (g->indentation > depth)
		close_brace(g);
	return is_written;
}

/* Initialize the accumulator of a reduction with its initial value, and the accumulators of further lanes with the identity
 * element. */
static bool init_accumulator(struct sr_nest_form *g, const struct sr_nest_instr *in)
{
	int n = in->op == SR_NEST_FOLD ? in->n_folds : 1;
	bool lanes = in->op == SR_NEST_REDUCE && g->lanes > 1;
	int64_t element[2];
	struct sr_buf identity;
	sr_buf_init(&identity, g->arena);
	if (lanes && sr_nest_identity(in->kernel, (enum sr_dtype)in->type, element))
		sr_c_literal(&identity, (enum sr_dtype)in->type, element);
	for (int k = 0; k < n; k++) {
		int v = in->result + k;
		sr_nest_c_indent(g);
		if (lanes && g->form == SR_NEST_FORM_COLUMNS) {
			sr_buf_printf(g->out, "for (int k = 1; k < %d; k++) for (int64_t i%d = c; i%d < h; i%d++) ", g->lanes,
				      g->vector, g->vector, g->vector);
			sr_buf_printf(g->out, "r%d[k * %lld + i%d - c] = %s;\n", v, (long long)g->width, g->vector,
				      sr_buf_string(&identity));
			sr_nest_c_indent(g);
		}
		if (lanes && g->form == SR_NEST_FORM_ROWS)
			sr_buf_printf(g->out, "%s r%d[%d] = {%s};\n", sr_nest_c_type(g, v), v, g->lanes,
				      sr_nest_c_value(g, in->args[1]));
		if (lanes && g->form == SR_NEST_FORM_ROWS)
			sr_nest_c_indent(g);
		if (lanes && g->form == SR_NEST_FORM_ROWS)
			sr_buf_printf(g->out, "for (int k = 1; k < %d; k++) r%d[k] = %s;\n", g->lanes, v, sr_buf_string(&identity));
		else if (g->form == SR_NEST_FORM_COLUMNS)
			sr_buf_printf(g->out, "for (int64_t i%d = c; i%d < h; i%d++) r%d[i%d - c] = %s;\n", g->vector, g->vector, g->vector,
				      v, g->vector, sr_nest_c_value(g, in->args[n + k]));
		else
			sr_buf_printf(g->out, "%s v%d = %s;\n", sr_nest_c_type(g, v), v, sr_nest_c_value(g, in->args[n + k]));
	}
	return true;
}

/* Combine the lanes by halves, as a binary tree, in loops of constant length, which compilers vectorize. In a block of columns each
 * lane has an accumulator for each column. */
static bool combine_lanes(struct sr_nest_form *g, const struct sr_nest_instr *in)
{
	int v = in->result, i = g->vector;
	bool is_columns_form = g->form == SR_NEST_FORM_COLUMNS, is_written = true;
	const char *columns = is_columns_form ? sr_printf(g->arena, "for (int64_t i%d = c; i%d < h; i%d++) ", i, i, i) : "";
	const char *offset = is_columns_form ? sr_printf(g->arena, " * %lld + i%d - c", (long long)g->width, i) : "";
	const char *a = sr_printf(g->arena, "r%d[k%s]", v, offset);
	for (int half = g->lanes / 2; half; half /= 2) {
		const char *const operands[] = {a, sr_printf(g->arena, "r%d[(k + %d)%s]", v, half, offset)};
		sr_nest_c_indent(g);
		sr_buf_printf(g->out, "for (int k = 0; k < %d; k++) %s%s = ", half, columns, a);
		is_written &= sr_c_call(g->out, g->functions, (enum sr_kernel)in->kernel, (enum sr_dtype)in->type, operands, 2);
		sr_buf_puts(g->out, ";\n");
	}
	if (is_columns_form)
		return is_written;
	sr_nest_c_indent(g);
	sr_buf_printf(g->out, "const %s v%d = r%d[0];\n", sr_nest_c_type(g, v), v, v);
	return is_written;
}

/* Write a loop that copies a block of rows: from an input to the local array of a load, or from the local array of a store. */
static void copy_row_block(struct sr_nest_form *g, const struct sr_nest_instr *in)
{
	int last = g->r->n_loops - 1, row = (int)g->r->extent[last];
	bool is_load = in->op == SR_NEST_LOAD;
	const char *element = sr_printf(g->arena, "%c%d[%lld * i%d + i%d - c]", is_load ? 'x' : 't',
					is_load ? in->result : in->access, (long long)g->width, last, g->vector);
	struct sr_buf memory;
	sr_buf_init(&memory, g->arena);
	sr_nest_c_element(g, &g->r->accesses[in->access], &memory);
	open_loop(g, g->vector, "c", "h");
	sr_nest_c_line(g, sr_printf(g->arena, "#pragma GCC unroll %d\n", row));
	open_loop(g, last, "0", loop_bound(g, last, true));
	sr_nest_c_line(g, is_load ? sr_printf(g->arena, "%s = %s;\n", element, sr_buf_string(&memory))
				  : sr_printf(g->arena, "%s = %s;\n", sr_buf_string(&memory), element));
	close_brace(g);
	close_brace(g);
}

/* Write the local arrays of a block of rows, and the loops that fill those of loads: those that are equal in the loops around the
 * block, or the others. */
static void begin_row_block(struct sr_nest_form *g, bool is_equal)
{
	int64_t n = g->r->n_loops ? g->width * g->r->extent[g->r->n_loops - 1] : 0;
	for (int i = 0; i < g->t->n_instrs; i++) {
		const struct sr_nest_instr *in = &sr_nest_instrs(g->t)[i];
		bool is_load = in->op == SR_NEST_LOAD;
		if (!sr_nest_form_is_in_row_block(g, in) || (is_load && sr_nest_form_first_equal_load(g, in) != in) ||
		    sr_nest_form_is_equal_block(g, in) != is_equal)
			continue;
		sr_nest_c_array(g, sr_nest_c_memory_type(g, is_load ? in->result : in->args[0]), is_load ? 'x' : 't',
				is_load ? in->result : in->access, n);
		if (is_load)
			copy_row_block(g, in);
	}
}

static bool write_stage(struct sr_nest_form *g, int s)
{
	const struct sr_nest_stage *stage = &sr_nest_stages(g->t)[s];
	struct sr_stage_loops nest;
	bool is_written = true;
	sr_nest_form_stage_loops(g, s, &nest);
	g->lanes = g->form != SR_NEST_FORM_MAP ? sr_nest_stage_lanes(stage) : 1;
	g->stage = s;
	bool has_row_vectors = sr_nest_has_row_vectors(g, &nest);
	bool has_accumulators = g->form != SR_NEST_FORM_MAP && !has_row_vectors;
	for (int i = stage->first; is_written && has_accumulators && i < stage->first + stage->n; i++)
		if (sr_nest_instrs(g->t)[i].op == SR_NEST_REDUCE || sr_nest_instrs(g->t)[i].op == SR_NEST_FOLD)
			is_written = init_accumulator(g, &sr_nest_instrs(g->t)[i]);
	g->is_flat = sr_nest_form_is_flat(g, stage);
	g->flat_outer = g->r->n_loops - 1;
	g->flat_inner = g->vector;
	is_written = is_written && write_loops(g, &nest);
	g->is_flat = false;
	for (int i = stage->first; is_written && g->lanes > 1 && !has_row_vectors && i < stage->first + stage->n; i++)
		if (sr_nest_instrs(g->t)[i].op == SR_NEST_REDUCE)
			is_written = combine_lanes(g, &sr_nest_instrs(g->t)[i]);
	for (int i = stage->first; i < stage->first + stage->n; i++)
		if (sr_nest_instrs(g->t)[i].op == SR_NEST_STORE && sr_nest_form_is_in_row_block(g, &sr_nest_instrs(g->t)[i]))
			copy_row_block(g, &sr_nest_instrs(g->t)[i]);
	return is_written;
}

/* ---- the function ---- */

static void name_buffers(struct sr_nest_form *g)
{
	const struct sr_nest *nest = g->t;
	uint64_t shared_buffers = 0, named_buffers = 0;
	for (int i = 0; i < nest->n_outputs; i++)
		if (sr_nest_outputs(nest)[i].may_share)
			shared_buffers |= sr_nest_outputs(nest)[i].may_share | (uint64_t)1 << (nest->n_inputs + i);
	for (int i = 0; i < nest->n_instrs; i++) {
		const struct sr_nest_instr *in = &sr_nest_instrs(nest)[i];
		if (!is_access(in))
			continue;
		const struct sr_nest_access *a = &g->r->accesses[in->access];
		int b = a->buffer, v = in->op == SR_NEST_LOAD ? in->result : in->args[0], k = in->access;
		const char *prefix = b < nest->n_inputs ? "const " : "", *type = sr_nest_c_memory_type(g, v);
		if (!(named_buffers >> b & 1))
			sr_buf_printf(g->out, "\t%s%s *%sb%d = buffers[%d];\n", prefix, type,
				      shared_buffers >> b & 1 ? "" : "restrict ", b, b);
		named_buffers |= (uint64_t)1 << b;
		bool is_first = true;
		for (int j = 0; j < i; j++)
			is_first = is_first && !(is_access(&sr_nest_instrs(nest)[j]) && sr_nest_instrs(nest)[j].access == k);
		if (is_first && sr_nest_form_has_own_pointer(g, a)) /* the statement hides its value from GCC */
			sr_buf_printf(g->out, "\t%s%s *o%d = b%d + %lld;\n\t__asm__(\"\" : \"+r\"(o%d));\n", prefix, type, k, b,
				      (long long)a->offset, k);
	}
}

static void write_arrays(struct sr_nest_form *g)
{
	for (int v = 0; v < g->t->n_values; v++) {
		int64_t n = (g->form == SR_NEST_FORM_COLUMNS ? g->width : 1) * sr_nest_form_copies(g, v);
		if (g->storage[v] == SR_STORAGE_SCALAR)
			continue;
		sr_nest_c_array(g, sr_nest_c_type(g, v), 'r', v, n);
	}
}

/* Return how many bytes an operand of an instruction has in a vector loop, or its result for arg -1. */
static int bytes_in_loop(const struct sr_nest_form *g, const struct sr_nest_instr *in, int arg)
{
	int v = arg < 0 ? in->result : in->args[arg];
	struct sr_nest_range limits;
	if (g->copied_bytes[v])
		return g->copied_bytes[v];
	return arg >= 0 && sr_nest_form_is_clamped(g, in, arg, &limits) ? 4 : sr_nest_form_register_bytes(g, v);
}

/* Return the C type of i1 values: as wide as most values that the nest compares and selects, so that their vectors have equal
 * lengths. */
static const char *flag_type(const struct sr_nest_form *g)
{
	static const char *const names[4] = {"uint8_t", "int16_t", "int32_t", "int64_t"};
	int counts[4] = {0}, best_width = 0;
	for (int i = 0; i < g->t->n_instrs; i++) {
		const struct sr_nest_instr *in = &sr_nest_instrs(g->t)[i];
		for (int k = -1; in->op == SR_NEST_MAP && k < in->n_args; k++) {
			int bytes = bytes_in_loop(g, in, k);
			bool is_selection = in->kernel == SR_KERNEL_COMPARE || in->kernel == SR_KERNEL_SELECT ||
					    in->kernel == SR_KERNEL_CONVERT;
			if (sr_nest_values(g->t)[k < 0 ? in->result : in->args[k]].dtype != SR_I1 && is_selection)
				counts[bytes == 1 ? 0 : bytes == 2 ? 1 : bytes == 4 ? 2 : 3]++;
		}
	}
	for (int w = 1; w < 4; w++)
		best_width = counts[w] && counts[w] >= counts[best_width] ? w : best_width;
	return names[best_width];
}

static bool has_streams(const struct sr_nest_form *g)
{
	for (int b = 0; b < g->t->n_inputs + g->t->n_outputs; b++)
		if (g->is_streamed[b])
			return true;
	return false;
}

/* Write the flag that says whether streamed stores bypass the caches: the outputs alone exceed the device's share of them. An
 * output in the memory of an input is written to lines that are in the cache already. */
static void write_stream_flag(struct sr_nest_form *g)
{
	if (!has_streams(g))
		return;
	sr_buf_printf(g->out, "\tconst int past_caches = cache_bytes < %lld", (long long)g->output_bytes);
	for (int b = g->t->n_inputs; b < g->t->n_inputs + g->t->n_outputs; b++) {
		uint64_t shared_inputs = sr_nest_outputs(g->t)[b - g->t->n_inputs].may_share;
		for (int i = 0; g->is_streamed[b] && i < b; i++)
			if (shared_inputs >> i & 1)
				sr_buf_printf(g->out, " && buffers[%d] != buffers[%d]", b, i);
	}
	sr_buf_puts(g->out, ";\n");
}

/* Open the loop over blocks of columns [c, h). */
static void open_column_blocks(struct sr_nest_form *g)
{
	bool is_whole = g->vector || sr_nest_form_is_one_task(g);
	const char *end = is_whole ? sr_printf(g->arena, "%lld", (long long)g->r->extent[g->vector]) : "last";
	long long width = (long long)g->width;
	open_brace(g, sr_printf(g->arena, "for (int64_t c = %s; c < %s; c += %lld) {\n", is_whole ? "0" : "first", end, width));
	sr_nest_c_line(g, sr_printf(g->arena, "const int64_t h = c + %lld < %s ? c + %lld : %s;\n", width, end, width, end));
}

static bool has_equal_blocks(const struct sr_nest_form *g)
{
	for (int i = 0; i < g->t->n_instrs; i++)
		if (sr_nest_form_is_in_row_block(g, &sr_nest_instrs(g->t)[i]) && sr_nest_form_is_equal_block(g, &sr_nest_instrs(g->t)[i]))
			return true;
	return false;
}

static bool write_function(struct sr_nest_form *g, int number)
{
	const struct sr_nest_prepared *r = g->r;
	bool is_written = true, without_ranges = sr_nest_form_is_without_ranges(g);
	int results = sr_nest_row_results_stage(g), n_stages = g->form == SR_NEST_FORM_MAP && g->t->n_stages ? 1 : g->t->n_stages;
	if (without_ranges)
		sr_buf_puts(g->out, "#if !defined(__clang__)\n#pragma GCC push_options\n"
				    "#pragma GCC optimize(\"no-tree-vrp\")\n#endif\n");
	/* `flatten` inlines all calls: a loop with a call is not vectorized, and within its limits GCC does not inline long
	 * functions in a second copy of a loop */
	sr_buf_printf(g->out, "static __attribute__((flatten%s)) void sr_nest_%d(void *const *buffers, int64_t first, int64_t last,\n"
		      "\t\t   int64_t cache_bytes)\n{\n",
		      g->mostly_gathers ? " SCALAR_GATHERS" : sr_nest_form_has_shifted_loads(g) ? " SHORT_VECTORS" : "", number);
	name_buffers(g);
	g->indentation = 1;
	if (strcmp(flag_type(g), "uint8_t"))
		sr_buf_printf(g->out, "\ttypedef %s flag;\n", flag_type(g));
	write_stream_flag(g);
	if (g->form == SR_NEST_FORM_COLUMNS && has_equal_blocks(g)) {
		open_column_blocks(g);
		begin_row_block(g, true);
	}
	for (int l = 0; g->form != SR_NEST_FORM_MAP && l < r->n_parallel; l++)
		if (results >= 0 && l == r->n_parallel - 1)
			sr_nest_c_open_row_results(g, results, loop_bound(g, l, false), loop_bound(g, l, true));
		else if (g->row_block && l == g->row_block_loop)
			sr_nest_c_open_transposed_rows(g, loop_bound(g, l, false), loop_bound(g, l, true));
		else if (l != g->vector)
			open_loop(g, l, l ? "0" : "first", l ? loop_bound(g, l, true) : "last");
	if (g->form == SR_NEST_FORM_COLUMNS && !has_equal_blocks(g))
		open_column_blocks(g);
	write_arrays(g);
	begin_row_block(g, false);
	for (int s = 0; is_written && s < n_stages; s++)
		is_written = s == results ? sr_nest_c_row_results(g, s) : write_stage(g, s);
	if (g->row_block && g->form == SR_NEST_FORM_ROWS && g->row_block_loop < r->n_parallel)
		sr_nest_c_close_transposed_rows(g);
	while (g->indentation > 1)
		close_brace(g);
	if (has_streams(g))
		sr_buf_puts(g->out, "\tif (past_caches)\n\t\tstream_fence();\n");
	sr_buf_puts(g->out, "}\n\n");
	if (without_ranges)
		sr_buf_puts(g->out, "#if !defined(__clang__)\n#pragma GCC pop_options\n#endif\n\n");
	return is_written;
}

bool sr_nest_c(const struct sr_nest *nest, int number, struct sr_buf *out, struct sr_c_functions *functions, int64_t *iterations,
	       int64_t *grain)
{
	struct sr_nest_prepared *prepared_nest = sr_nest_prepare(nest, NULL, INT64_MAX);
	struct sr_nest_form g = {.t = nest, .r = prepared_nest, .arena = out->arena, .out = out, .functions = functions};
	bool is_written = prepared_nest && sr_nest_form_select(&g);
	g.masks = is_written ? sr_nest_masks(&g) : NULL;
	is_written = is_written && write_function(&g, number);
	*iterations = is_written && g.r->n_parallel ? g.r->extent[0] : 1;
	*grain = is_written && g.r->n_parallel ? g.grain : 1;
	sr_nest_release(prepared_nest);
	return is_written;
}
