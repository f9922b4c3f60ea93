/* Write a loop nest as C. Each instruction is in the outermost loop that it depends on. Values are named v0, v1, ..., loops i0, i1,
 * ..., buffers b0, b1, ..., numbered as in the nest. r7 is the array of value 7, with an element for each point of a block
 * or, if the value is saved, for each point of the inner loops. */
#include "codegen/nest_form.h"
#include <stdlib.h>
#include <string.h>

/* ---- index expressions ---- */

static void append_term(struct sr_buf *out, int64_t coef, const char *name, bool *has_terms)
{
	if (!coef)
		return;
	sr_buf_puts(out, *has_terms ? " + " : "");
	if (coef != 1)
		sr_buf_printf(out, "%lld * ", (long long)coef);
	sr_buf_puts(out, name);
	*has_terms = true;
}

/* Append the two terms of an index that a flattened stage computes from p: that of the columns' loop, and that of the last loop,
 * whose index is j + q. The sum is a contiguous index (j, p) if possible; else it has 32 bits if they are enough, so that compilers
 * can use it as the index of a gather. */
static void append_flat_terms(const struct sr_nest_form *g, struct sr_buf *out, int64_t column, int64_t point, bool *has_terms)
{
	int64_t columns = g->r->extent[g->vector], max_term = INT32_MAX / (columns * g->lanes);
	const char *name = sr_printf(g->arena, "i%d", g->vector);
	bool is_small = column >= -max_term && column <= max_term && point >= -max_term && point <= max_term;
	append_term(out, point, is_small ? "j" : "(j + q)", has_terms);
	if (column && point == columns * column) {
		append_term(out, column, "p", has_terms);
	} else if (is_small && column && point) {
		bool has_inner_terms = false;
		sr_buf_puts(out, " + (");
		append_term(out, column, name, &has_inner_terms);
		append_term(out, point, "q", &has_inner_terms);
		sr_buf_putc(out, ')');
	} else {
		append_term(out, column, name, has_terms);
		append_term(out, is_small ? point : 0, "q", has_terms);
	}
}

/* Append offset + sum of coef[l] * il without loop `excluded_loop`. */
static void append_affine(const struct sr_nest_form *g, struct sr_buf *out, int64_t offset, const int64_t *coef, int excluded_loop)
{
	bool has_terms = offset != 0;
	int last = g->r->n_loops - 1;
	if (has_terms)
		sr_buf_int(out, offset);
	for (int l = 0; l <= last; l++)
		if (l != excluded_loop && !(g->is_flat && (l == g->vector || l == last)))
			append_term(out, coef[l], sr_printf(g->arena, "i%d", l), &has_terms);
	if (g->is_flat)
		append_flat_terms(g, out, coef[g->vector], coef[last], &has_terms);
	if (!has_terms)
		sr_buf_putc(out, '0');
}

/* Append the number of the current point of the inner loops, at which a saved value is stored in its array. */
static void inner_number(struct sr_nest_form *g, struct sr_buf *out)
{
	int64_t coef[SR_NEST_MAX_LOOPS] = {0}, step = g->form == SR_NEST_FORM_COLUMNS ? g->width : 1;
	for (int l = g->r->n_loops - 1; l >= g->r->n_parallel; l--) {
		coef[l] = step;
		step *= g->r->extent[l];
	}
	if (g->form == SR_NEST_FORM_COLUMNS)
		coef[g->vector] = 1;
	append_affine(g, out, 0, coef, -1);
	if (g->form == SR_NEST_FORM_COLUMNS)
		sr_buf_puts(out, " - c");
}

/* Return a value's C expression in the current stage. */
static const char *value_expression(struct sr_nest_form *g, int v)
{
	struct sr_buf text;
	sr_buf_init(&text, g->arena);
	const struct sr_nest_instr *in = g->definition[v];
	bool is_in_block = g->form == SR_NEST_FORM_COLUMNS && g->storage[v] == SR_STORAGE_BLOCK &&
		(g->stage_of[v] != g->stage || g->is_accumulator[v]);
	if (in && in->op == SR_NEST_CONSTANT) {
		sr_c_literal(&text, (enum sr_dtype)sr_nest_values(g->t)[v].dtype, sr_nest_constants(g->t) + in->constant);
	} else if (g->storage[v] == SR_STORAGE_SAVED && g->stage_of[v] != g->stage) {
		sr_buf_printf(&text, "r%d[", v);
		inner_number(g, &text);
		sr_buf_putc(&text, ']');
	} else if (is_in_block) {
		sr_buf_printf(&text, "r%d[i%d - c]", v, g->vector);
	} else {
		sr_buf_printf(&text, "v%d", v);
	}
	return sr_buf_string(&text);
}

static const char *value_c_type(const struct sr_nest_form *g, int v)
{
	return sr_c_type_of((enum sr_dtype)sr_nest_values(g->t)[v].dtype)->wide_type;
}

static const char *memory_c_type(const struct sr_nest_form *g, int v)
{
	return sr_c_type_of((enum sr_dtype)sr_nest_values(g->t)[v].dtype)->memory;
}

static void indent(struct sr_nest_form *g)
{
	for (int i = 0; i < g->indentation; i++)
		sr_buf_putc(g->out, '\t');
}

static void write_line(struct sr_nest_form *g, const char *text)
{
	indent(g);
	sr_buf_puts(g->out, text);
}

/* ---- loads and stores ---- */

/* Append a dimension's dynamic index, clamped. It has 32 bits if they can hold every element's number: index vectors are then as
 * long as vectors of 32-bit elements, which compilers need to vectorize a gather. */
static void clamped_index(struct sr_nest_form *g, const struct sr_nest_dim *d, struct sr_buf *out)
{
	enum sr_dtype type = (enum sr_dtype)sr_nest_values(g->t)[d->index].dtype;
	bool fits_int32 = d->limit >= 0 && d->offset >= 0 && d->offset <= INT32_MAX && d->limit <= INT32_MAX - d->offset &&
		      d->stride <= INT32_MAX / (d->limit + d->offset + 1);
	bool is_64bit = sr_dtypes[type].bits > 32 || d->limit > INT32_MAX;
	const char *type_suffix = type == SR_UI64 ? "_U64" : is_64bit ? "" : type == SR_UI32 ? "_U32" : "_32";
	sr_buf_printf(out, "(int%d_t)clamped_index%s(%s, %lld)", fits_int32 ? 32 : 64, type_suffix, value_expression(g, d->index),
		      (long long)d->limit);
}

/* Append the C expression of a dimension's coordinate, including its dynamic index, without the term of loop `excluded_loop` (-1: with
 * all terms). */
static void dim_number(struct sr_nest_form *g, const struct sr_nest_dim *d, int excluded_loop, struct sr_buf *out)
{
	if (d->index >= 0) {
		clamped_index(g, d, out);
		sr_buf_puts(out, " + ");
	}
	append_affine(g, out, d->offset, d->coef, excluded_loop);
}

/* Return true if a dimension's bound can be kept by limiting the range of the vector loop. */
static bool is_range(const struct sr_nest_form *g, const struct sr_nest_dim *d)
{
	return d->extent > 0 && d->divisor == 1 && (d->index < 0 || !(g->deps[d->index] & (uint32_t)1 << g->vector));
}

/* Append the bounds of an indexing map as a condition and return their number. If `in_bounds`, leave out bounds that the range of
 * the vector loop already ensures. */
static int append_bounds_check(struct sr_nest_form *g, const struct sr_nest_access *a, bool in_bounds, struct sr_buf *out)
{
	int n = 0;
	for (int k = 0; k < a->n_dims; k++) {
		const struct sr_nest_dim *d = &g->r->dims[a->first_dim + k];
		if (d->extent <= 0 || (in_bounds && is_range(g, d)))
			continue;
		sr_buf_puts(out, n++ ? " && (uint64_t)(" : "(uint64_t)(");
		if (d->divisor > 1) {
			sr_buf_putc(out, '(');
			dim_number(g, d, -1, out);
			sr_buf_printf(out, ") %% %lld == 0 ? (", (long long)d->divisor);
			dim_number(g, d, -1, out);
			sr_buf_printf(out, ") / %lld : -1) < %lldu", (long long)d->divisor, (long long)d->extent);
		} else {
			dim_number(g, d, -1, out);
			sr_buf_printf(out, ") < %lldu", (long long)d->extent);
		}
	}
	return n;
}

static void append_element(struct sr_nest_form *g, const struct sr_nest_access *a, struct sr_buf *out)
{
	sr_buf_printf(out, "b%d[", a->buffer);
	append_affine(g, out, a->offset, a->stride, -1);
	for (int k = 0; k < a->n_dims; k++) {
		const struct sr_nest_dim *d = &g->r->dims[a->first_dim + k];
		sr_buf_printf(out, " + %lld * ((", (long long)d->stride);
		dim_number(g, d, -1, out);
		if (d->divisor > 1)
			sr_buf_printf(out, ") / %lld)", (long long)d->divisor);
		else
			sr_buf_puts(out, "))");
	}
	sr_buf_putc(out, ']');
}

static void append_load(struct sr_nest_form *g, const struct sr_nest_instr *in, bool in_bounds, struct sr_buf *out)
{
	const struct sr_nest_access *a = &g->r->accesses[in->access];
	enum sr_dtype type = (enum sr_dtype)sr_nest_values(g->t)[in->result].dtype;
	struct sr_buf bounds;
	sr_buf_init(&bounds, g->arena);
	if (append_bounds_check(g, a, in_bounds, &bounds))
		sr_buf_printf(out, "%s ? ", sr_buf_string(&bounds));
	if (sr_c_is_16bit_float(type))
		sr_buf_printf(out, "float_%s(", sr_c_type_of(type)->id);
	if (sr_nest_form_is_transposed(g, in))
		sr_buf_printf(out, "x%d[(i%d - d) * %d + i%d - c]", in->result, g->transposed_loop, SR_NEST_FORM_BLOCK_COLUMNS,
			      g->vector);
	else
		append_element(g, a, out);
	if (sr_c_is_16bit_float(type))
		sr_buf_putc(out, ')');
	if (!bounds.n)
		return;
	sr_buf_puts(out, " : ");
	if (!g->is_inlined_fill[a->fill]) {
		sr_buf_puts(out, value_expression(g, a->fill));
		return;
	}
	sr_buf_putc(out, '(');
	append_load(g, g->definition[a->fill], false, out);
	sr_buf_putc(out, ')');
}

static void write_store(struct sr_nest_form *g, const struct sr_nest_instr *in)
{
	const struct sr_nest_access *a = &g->r->accesses[in->access];
	enum sr_dtype type = (enum sr_dtype)sr_nest_values(g->t)[in->args[0]].dtype;
	indent(g);
	if (g->is_in_stream_block && g->is_streamed[a->buffer])
		sr_buf_printf(g->out, "s%d[i%d - c]", a->buffer, g->vector);
	else if (sr_nest_form_is_transposed(g, in))
		sr_buf_printf(g->out, "t%d[(i%d - d) * %d + i%d - c]", a->buffer, g->transposed_loop, SR_NEST_FORM_BLOCK_COLUMNS,
			      g->vector);
	else
		append_element(g, a, g->out);
	if (sr_c_is_16bit_float(type))
		sr_buf_printf(g->out, " = bits_%s(%s);\n", sr_c_type_of(type)->id, value_expression(g, in->args[0]));
	else
		sr_buf_printf(g->out, " = %s;\n", value_expression(g, in->args[0]));
}

/* ---- instructions ---- */

static bool append_map(struct sr_nest_form *g, const struct sr_nest_instr *in, struct sr_buf *out)
{
	const char *args[SR_NEST_MAX_ARGS];
	for (int i = 0; i < in->n_args; i++)
		args[i] = value_expression(g, in->args[i]);
	return sr_c_map(out, g->functions, in, (enum sr_dtype)sr_nest_values(g->t)[in->args[0]].dtype,
			(enum sr_dtype)sr_nest_values(g->t)[in->result].dtype, args);
}

static bool write_definition(struct sr_nest_form *g, const struct sr_nest_instr *in, bool in_bounds)
{
	struct sr_buf text;
	int v = in->result;
	bool is_written = true;
	sr_buf_init(&text, g->arena);
	if (in->op == SR_NEST_CONSTANT || g->is_inlined_fill[v])
		return true;
	if (in->op == SR_NEST_LOAD && g->is_unused[v]) /* other threads may write the element meanwhile */
		sr_buf_putc(&text, '0');
	else if (in->op == SR_NEST_LOAD)
		append_load(g, in, in_bounds, &text);
	else if (in->op == SR_NEST_INDEX)
		append_affine(g, &text, g->r->accesses[in->access].offset, g->r->accesses[in->access].stride, -1);
	else if (in->op == SR_NEST_MAP)
		is_written = append_map(g, in, &text);
	indent(g);
	sr_buf_printf(g->out, "const %s v%d = %s;\n", value_c_type(g, v), v, sr_buf_string(&text));
	return is_written;
}

/* Return the C expression of a reduction's accumulator: an element of the array of lanes or of the block's array, or a scalar. */
static const char *accumulator(struct sr_nest_form *g, int v)
{
	struct sr_buf text;
	sr_buf_init(&text, g->arena);
	if (g->is_flat)
		sr_buf_printf(&text, "r%d[p]", v);
	else if (g->form == SR_NEST_FORM_COLUMNS && g->lanes > 1)
		sr_buf_printf(&text, "r%d[i%d %% %d * %lld + i%d - c]", v, g->r->n_loops - 1, g->lanes, (long long)g->width,
			      g->vector);
	else if (g->form == SR_NEST_FORM_COLUMNS)
		sr_buf_printf(&text, "r%d[i%d - c]", v, g->vector);
	else if (g->lanes > 1)
		sr_buf_printf(&text, "r%d[k]", v);
	else
		sr_buf_printf(&text, "v%d", v);
	return sr_buf_string(&text);
}

static bool write_reduce(struct sr_nest_form *g, const struct sr_nest_instr *in)
{
	const char *target = accumulator(g, in->result);
	indent(g);
	sr_buf_printf(g->out, "%s = ", target);
	if (!sr_c_call(g->out, g->functions, (enum sr_kernel)in->kernel, (enum sr_dtype)in->type,
		       (const char *const[]){target, value_expression(g, in->args[0])}, 2))
		return false;
	sr_buf_puts(g->out, ";\n");
	return true;
}

/* Write the body of a FOLD; its arguments are local variables. */
static bool write_fold(struct sr_nest_form *g, const struct sr_nest_instr *in)
{
	bool is_written = true;
	write_line(g, "{\n");
	g->indentation++;
	for (int k = 0; k < 2 * in->n_folds; k++) {
		indent(g);
		sr_buf_printf(g->out, "const %s v%d = %s;\n", value_c_type(g, in->body_args + k), in->body_args + k,
			      k < in->n_folds ? accumulator(g, in->result + k) : value_expression(g, in->args[k - in->n_folds]));
	}
	for (int i = 0; is_written && i < in->n_body; i++)
		is_written = write_definition(g, sr_nest_instrs(g->t) + in->body + i, false);
	for (int k = 0; k < in->n_folds; k++) {
		indent(g);
		sr_buf_printf(g->out, "%s = %s;\n", accumulator(g, in->result + k), value_expression(g, in->body_results[k]));
	}
	g->indentation--;
	write_line(g, "}\n");
	return is_written;
}

static void store_value(struct sr_nest_form *g, const struct sr_nest_instr *in)
{
	int v = in->result;
	if (v < 0 || in->op == SR_NEST_REDUCE || in->op == SR_NEST_FOLD || in->op == SR_NEST_CONSTANT || g->form == SR_NEST_FORM_MAP)
		return;
	if (g->storage[v] == SR_STORAGE_SAVED) {
		indent(g);
		sr_buf_printf(g->out, "r%d[", v);
		inner_number(g, g->out);
		sr_buf_printf(g->out, "] = v%d;\n", v);
	} else if (g->storage[v] == SR_STORAGE_BLOCK) {
		indent(g);
		sr_buf_printf(g->out, "r%d[i%d - c] = v%d;\n", v, g->vector, v);
	}
}

/* Write the declarations of a reduction's accumulators with their initial values, in a nest of form MAP, where the reduction is
 * over one point. */
static bool begin_reduction(struct sr_nest_form *g, const struct sr_nest_instr *in, const char *head)
{
	int n = in->op == SR_NEST_FOLD ? in->n_folds : 1;
	for (int k = 0; k < n; k++) {
		indent(g);
		sr_buf_printf(g->out, head, value_c_type(g, in->result + k), in->result + k, value_expression(g, in->args[n + k]));
	}
	return true;
}

static bool write_instruction(struct sr_nest_form *g, const struct sr_nest_instr *in, bool in_bounds)
{
	bool is_reduction = in->op == SR_NEST_REDUCE || in->op == SR_NEST_FOLD;
	if (in->op == SR_NEST_STORE) {
		write_store(g, in);
		return true;
	}
	if (is_reduction && g->form == SR_NEST_FORM_MAP)
		begin_reduction(g, in, "%s v%d = %s;\n");
	bool is_written = in->op == SR_NEST_REDUCE ? write_reduce(g, in)
		    : in->op == SR_NEST_FOLD ? write_fold(g, in)
					     : write_definition(g, in, in_bounds);
	store_value(g, in);
	return is_written;
}

static bool write_instructions(struct sr_nest_form *g, const struct sr_stage_loops *n, int level, bool in_bounds)
{
	bool is_written = true;
	for (int s = n->first_stage; s <= n->last_stage; s++) {
		const struct sr_nest_stage *stage = &sr_nest_stages(g->t)[s];
		g->stage = g->form == SR_NEST_FORM_MAP ? 0 : s;
		for (int i = stage->first; is_written && i < stage->first + stage->n; i++)
			if (sr_nest_form_loop_depth(g, n, &sr_nest_instrs(g->t)[i]) == level)
				is_written = write_instruction(g, &sr_nest_instrs(g->t)[i], in_bounds);
	}
	return is_written;
}

/* ---- loops ---- */

static void open_brace(struct sr_nest_form *g, const char *text)
{
	indent(g);
	sr_buf_puts(g->out, text);
	g->indentation++;
}

static void close_brace(struct sr_nest_form *g)
{
	g->indentation--;
	write_line(g, "}\n");
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
	indent(g);
	sr_buf_printf(g->out, "for (int64_t i%d = %s; i%d < %s; i%d++) {\n", l, begin, l, end, l);
	g->indentation++;
}

/* Write code that limits the vector loop to the range inside the bounds of its loads, and leave a block open. If no load has
 * bounds, write nothing and return false. */
static bool limit_vector_range(struct sr_nest_form *g, const struct sr_stage_loops *n, const char *begin, const char *end)
{
	bool has_bounds = false;
	int v = g->vector;
	for (int s = n->first_stage; s <= n->last_stage; s++)
		for (int i = 0; i < sr_nest_stages(g->t)[s].n; i++) {
			const struct sr_nest_instr *in = sr_nest_instrs(g->t) + sr_nest_stages(g->t)[s].first + i;
			const struct sr_nest_access *a = in->op == SR_NEST_LOAD ? &g->r->accesses[in->access] : NULL;
			for (int k = 0; a && k < a->n_dims; k++) {
				const struct sr_nest_dim *d = &g->r->dims[a->first_dim + k];
				struct sr_buf x;
				if (!is_range(g, d) || g->is_inlined_fill[in->result] ||
				    sr_nest_form_loop_depth(g, n, in) < n->n)
					continue;
				if (!has_bounds) {
					open_brace(g, "{\n");
					indent(g);
					sr_buf_printf(g->out, "int64_t low = %s, high = %s;\n", begin, end);
				}
				has_bounds = true;
				sr_buf_init(&x, g->arena);
				dim_number(g, d, v, &x);
				indent(g);
				sr_buf_printf(g->out, "clip(%s, %lld, %lld, &low, &high);\n", sr_buf_string(&x), (long long)d->coef[v], (long long)d->extent);
			}
		}
	return has_bounds;
}

static bool simple_loop(struct sr_nest_form *g, const struct sr_stage_loops *n, const char *begin, const char *end, bool in_bounds)
{
	write_line(g, "#pragma GCC ivdep\n");
	open_loop(g, g->vector, begin, end);
	bool is_written = write_instructions(g, n, n->n, in_bounds);
	if (g->unrolled_loop >= 0) {
		write_line(g, "#pragma GCC unroll 4\n");
		open_loop(g, g->unrolled_loop, "0", loop_bound(g, g->unrolled_loop, true));
		is_written = is_written && write_instructions(g, n, n->n + 1, in_bounds);
		close_brace(g);
	}
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
 * transposed block is one block already. */
static bool stream_blocks(struct sr_nest_form *g, const struct sr_stage_loops *n, const char *begin, const char *end,
			  bool in_bounds)
{
	int64_t width = SR_NEST_FORM_STREAM_BLOCK;
	for (const struct sr_nest_instr *in = next_stream(g, n, NULL); in; in = next_stream(g, n, in)) {
		int64_t block_width = SR_NEST_FORM_STREAM_BLOCK /
				      sr_dtype_bytes((enum sr_dtype)sr_nest_values(g->t)[in->args[0]].dtype);
		width = block_width < width ? block_width : width;
	}
	if (g->transposed_loop >= 0) {
		width = SR_NEST_FORM_BLOCK_COLUMNS;
		open_brace(g, "{\n");
	} else {
		indent(g);
		sr_buf_printf(g->out, "for (int64_t c = %s, h; c < %s; c = h) {\n", begin, end);
		g->indentation++;
		indent(g);
		sr_buf_printf(g->out, "h = c + %lld < %s ? c + %lld : %s;\n", (long long)width, end, (long long)width, end);
	}
	for (const struct sr_nest_instr *in = next_stream(g, n, NULL); in; in = next_stream(g, n, in)) {
		indent(g);
		sr_buf_printf(g->out, "%s s%d[%lld] __attribute__((aligned(64)));\n", memory_c_type(g, in->args[0]),
			      g->r->accesses[in->access].buffer, (long long)width);
	}
	g->is_in_stream_block = true;
	bool is_written = simple_loop(g, n, "c", "h", in_bounds);
	g->is_in_stream_block = false;
	for (const struct sr_nest_instr *in = next_stream(g, n, NULL); in; in = next_stream(g, n, in)) {
		const struct sr_nest_access *a = &g->r->accesses[in->access];
		indent(g);
		sr_buf_printf(g->out, "stream(b%d + ", a->buffer);
		append_affine(g, g->out, a->offset, a->stride, g->vector);
		sr_buf_printf(g->out, " + c, s%d, (h - c) * (int64_t)sizeof *s%d);\n", a->buffer, a->buffer);
	}
	close_brace(g);
	return is_written;
}

/* Write the prefetches of the stage's inputs. In form ROWS they stand in the vector loop, one iteration of which reads the elements
 * from index j on, one per lane; in form COLUMNS they precede the vector loop over a row of the block of columns. */
static void write_prefetches(struct sr_nest_form *g)
{
	for (int b = 0; b < g->t->n_inputs; b++) {
		const struct sr_nest_instr *in = g->prefetched_load[b];
		if (!in || g->stage_of[in->result] != g->stage)
			continue;
		const struct sr_nest_access *a = &g->r->accesses[in->access];
		int last = g->r->n_loops - 1;
		indent(g);
		sr_buf_printf(g->out, g->form == SR_NEST_FORM_ROWS ? "prefetch_streams(b%d, (" : "prefetch_rows(b%d + c + ", b);
		append_affine(g, g->out, a->offset, a->stride, g->vector);
		if (g->form == SR_NEST_FORM_ROWS)
			sr_buf_printf(g->out, " + j) * sizeof *b%d, %d * sizeof *b%d);\n", b, g->lanes, b);
		else
			sr_buf_printf(g->out, ", i%d, %lld * (int64_t)sizeof *b%d, (h - c) * sizeof *b%d);\n", last,
				      (long long)a->stride[last], b, b);
	}
}

/* Write a loop over the lanes [begin, end) of the vector at index j. is_divided: the vector is partly out of bounds. */
static bool lanes_loop(struct sr_nest_form *g, const struct sr_stage_loops *n, const char *begin, const char *end, bool in_bounds,
		       bool is_divided)
{
	/* GCC 12 miscompiles loops over a part of few lanes, which it unrolls before it vectorizes the loop around them */
	bool is_miscompiled = is_divided && g->lanes <= 8;
	write_line(g, "#pragma GCC ivdep\n");
	indent(g);
	sr_buf_printf(g->out, "for (int64_t k = %s; k < %s; k++) {\n", begin, end);
	g->indentation++;
	indent(g);
	sr_buf_printf(g->out, "const int64_t i%d = j + k;\n%s", g->vector, is_miscompiled ? "__asm__ volatile(\"\");\n" : "");
	bool is_written = write_instructions(g, n, n->n, in_bounds);
	close_brace(g);
	return is_written;
}

/* Write the vector loop of a stage that reduces along it: each SIMD lane has a partial result. If is_bounded, loads are in their
 * bounds only in [low, high). A vector partly outside is divided: its elements inside are loaded without tests. */
static bool reduction_loop(struct sr_nest_form *g, const struct sr_stage_loops *n, const char *begin, const char *end,
			   bool is_bounded)
{
	const char *lanes = sr_printf(g->arena, "%d", g->lanes), *rest = sr_printf(g->arena, "%s - j", end);
	if (is_bounded) {
		open_brace(g, sr_printf(g->arena, "for (int64_t j = %s; j < %s; j += %s) {\n", begin, end, lanes));
		open_brace(g, sr_printf(g->arena, "for (; j >= low && j + %s <= high; j += %s) {\n", lanes, lanes));
	} else {
		open_brace(g, sr_printf(g->arena, "{ int64_t j = %s;\n", begin));
		open_brace(g, sr_printf(g->arena, "for (; j + %s <= %s; j += %s) {\n", lanes, end, lanes));
	}
	write_prefetches(g);
	bool is_written = lanes_loop(g, n, "0", lanes, is_bounded, false);
	close_brace(g);
	if (is_bounded) {
		write_line(g, sr_printf(g->arena, "const int64_t w = %s < %s ? %s : %s;\n", rest, lanes, rest, lanes));
		write_line(g, "const int64_t f = low < j ? 0 : low - j < w ? low - j : w;\n");
		write_line(g, "const int64_t h = high - j < f ? f : high - j < w ? high - j : w;\n");
		is_written = is_written && lanes_loop(g, n, "f", "h", true, true);
		write_line(g, "for (int part = 0; part < 2; part++)\n");
		is_written = is_written && lanes_loop(g, n, "part ? h : 0", "(part ? w : f)", false, true);
	} else if (g->r->extent[g->vector] % g->lanes) {
		is_written = is_written && lanes_loop(g, n, "0", rest, false, false);
	}
	close_brace(g);
	return is_written;
}

/* Write the C text of the vector loop over [begin, end). `is_interior`: the range is the long one, not a peeled end. */
static bool vector_loop(struct sr_nest_form *g, const struct sr_stage_loops *n, const char *begin, const char *end, bool in_bounds,
			bool is_interior)
{
	bool is_block = g->transposed_loop < 0 || (!strcmp(begin, "c") && !strcmp(end, "h")), is_written;
	if (!is_interior || !is_block || !next_stream(g, n, NULL))
		return simple_loop(g, n, begin, end, in_bounds);
	open_brace(g, "if (past_caches) {\n");
	is_written = stream_blocks(g, n, begin, end, in_bounds);
	close_brace(g);
	open_brace(g, "else {\n");
	is_written = is_written && simple_loop(g, n, begin, end, in_bounds);
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
	write_line(g, "int64_t j = 0;\n");
	for (int full_rows = 1; is_written && full_rows >= (points % g->lanes == 0); full_rows--) {
		indent(g);
		if (full_rows) {
			sr_buf_printf(g->out, "for (; j + %d <= %lld; j += %d)\n", g->lanes, points, g->lanes);
			g->indentation++;
			indent(g);
		}
		sr_buf_puts(g->out, "#pragma GCC ivdep\n");
		indent(g);
		sr_buf_printf(g->out, "for (int32_t p = 0; p < %lld; p++) {\n",
			      columns * (full_rows ? g->lanes : points % g->lanes));
		g->indentation++;
		indent(g);
		sr_buf_printf(g->out, "const int32_t i%d = p %% %lld, q = p / %lld;\n", g->vector, columns, columns);
		is_written = write_instructions(g, n, n->n - 1, false) && write_instructions(g, n, n->n, false);
		close_brace(g);
		g->indentation -= full_rows;
	}
	close_brace(g);
	return is_written;
}

/* Write the vector loop, with peeled ends if an indexing map may be out of bounds there. */
static bool vector_loops(struct sr_nest_form *g, const struct sr_stage_loops *n)
{
	const char *begin = g->transposed_loop >= 0 ? "c" : loop_bound(g, g->vector, false);
	const char *end = g->transposed_loop >= 0 ? "h" : loop_bound(g, g->vector, true);
	bool is_reduction = g->lanes > 1 && n->has_reduction && g->form == SR_NEST_FORM_ROWS, is_written;
	if (!limit_vector_range(g, n, begin, end))
		return is_reduction ? reduction_loop(g, n, begin, end, false) : vector_loop(g, n, begin, end, false, true);
	if (is_reduction)
		is_written = reduction_loop(g, n, begin, end, true);
	else
		is_written = vector_loop(g, n, begin, "low", false, false) && vector_loop(g, n, "low", "high", true, true) &&
			     vector_loop(g, n, "high", end, false, false);
	close_brace(g);
	return is_written;
}

/* ---- blocks of a MAP with transposed inputs or outputs: transposed through local arrays ---- */

static void open_block(struct sr_nest_form *g, const char *at, const char *end, int l, int step)
{
	indent(g);
	sr_buf_printf(g->out, "for (int64_t %s = %s; %s < %s; %s += %d) {\n", at, loop_bound(g, l, false), at, loop_bound(g, l, true), at,
		      step);
	g->indentation++;
	indent(g);
	sr_buf_printf(g->out, "const int64_t %s = %s + %d < %s ? %s + %d : %s;\n", end, at, step, loop_bound(g, l, true), at, step,
		      loop_bound(g, l, true));
}

/* Write a call that transposes a block from an input to the local array of a load, or from the local array of a store to an
 * output. */
static void transpose_block(struct sr_nest_form *g, const struct sr_nest_instr *in)
{
	bool is_load = in->op == SR_NEST_LOAD;
	const struct sr_nest_access *a = &g->r->accesses[in->access];
	int v = is_load ? in->result : in->args[0], width = SR_NEST_FORM_BLOCK_COLUMNS;
	open_brace(g, "{\n");
	indent(g);
	sr_buf_printf(g->out, "const int64_t i%d = c, i%d = d;\n", g->vector, g->transposed_loop);
	indent(g);
	sr_buf_printf(g->out, "transpose_%d(", sr_dtype_bytes((enum sr_dtype)sr_nest_values(g->t)[v].dtype));
	if (!is_load)
		sr_buf_printf(g->out, "t%d, %d, ", a->buffer, width);
	sr_buf_putc(g->out, '&');
	append_element(g, a, g->out);
	sr_buf_printf(g->out, ", %lld, ", (long long)a->stride[g->vector]);
	if (is_load)
		sr_buf_printf(g->out, "x%d, %d, h - c, e - d);\n", v, width);
	else
		sr_buf_puts(g->out, "e - d, h - c);\n");
	close_brace(g);
}

/* Write what precedes the loops over a block: local arrays, and transposes of inputs. */
static void begin_block(struct sr_nest_form *g)
{
	for (int i = 0; i < g->t->n_instrs; i++) {
		const struct sr_nest_instr *in = &sr_nest_instrs(g->t)[i];
		if (!sr_nest_form_is_transposed(g, in))
			continue;
		bool is_load = in->op == SR_NEST_LOAD;
		int v = is_load ? in->result : in->args[0], name = is_load ? v : g->r->accesses[in->access].buffer;
		indent(g);
		sr_buf_printf(g->out, "%s %c%d[%d] __attribute__((aligned(64)));\n", memory_c_type(g, v), is_load ? 'x' : 't', name,
			      SR_NEST_FORM_BLOCK_ROWS * SR_NEST_FORM_BLOCK_COLUMNS);
		if (is_load)
			transpose_block(g, in);
	}
}

/* Close the loop over the rows of a block, and write the transposes of its outputs. */
static void end_block(struct sr_nest_form *g)
{
	close_brace(g);
	for (int i = 0; i < g->t->n_instrs; i++) {
		const struct sr_nest_instr *in = &sr_nest_instrs(g->t)[i];
		if (in->op == SR_NEST_STORE && sr_nest_form_is_transposed(g, in))
			transpose_block(g, in);
	}
}

/* ---- stages ---- */

static bool write_loops(struct sr_nest_form *g, const struct sr_stage_loops *n)
{
	int depth = g->indentation;
	bool is_written = true;
	for (int k = 0; is_written && k < n->n; k++) {
		is_written = write_instructions(g, n, k, false);
		if (g->transposed_loop >= 0 && k == n->n - 2) {
			open_block(g, "d", "e", g->transposed_loop, SR_NEST_FORM_BLOCK_ROWS);
			open_block(g, "c", "h", g->vector,
				   g->is_interleaved ? SR_NEST_FORM_INTERLEAVED_COLUMNS : SR_NEST_FORM_BLOCK_COLUMNS);
			begin_block(g);
			open_loop(g, g->transposed_loop, "d", "e");
		} else if (g->is_flat && k == n->n - 2) {
			is_written = is_written && flat_loops(g, n);
			break;
		} else if (k == n->n - 1) {
			if (g->form == SR_NEST_FORM_COLUMNS)
				write_prefetches(g);
			is_written = is_written && vector_loops(g, n);
		} else {
			open_loop(g, n->loops[k], loop_bound(g, n->loops[k], false), loop_bound(g, n->loops[k], true));
		}
	}
	if (!n->n)
		is_written = write_instructions(g, n, 0, false);
	if (g->transposed_loop >= 0)
		end_block(g);
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
		indent(g);
		if (lanes && g->form == SR_NEST_FORM_COLUMNS) {
			sr_buf_printf(g->out, "for (int k = 1; k < %d; k++) for (int64_t i%d = c; i%d < h; i%d++) ", g->lanes,
				      g->vector, g->vector, g->vector);
			sr_buf_printf(g->out, "r%d[k * %lld + i%d - c] = %s;\n", v, (long long)g->width, g->vector,
				      sr_buf_string(&identity));
			indent(g);
		}
		if (lanes && g->form == SR_NEST_FORM_ROWS)
			sr_buf_printf(g->out, "%s r%d[%d] = {%s};\n", value_c_type(g, v), v, g->lanes,
				      value_expression(g, in->args[1]));
		if (lanes && g->form == SR_NEST_FORM_ROWS)
			indent(g);
		if (lanes && g->form == SR_NEST_FORM_ROWS)
			sr_buf_printf(g->out, "for (int k = 1; k < %d; k++) r%d[k] = %s;\n", g->lanes, v, sr_buf_string(&identity));
		else if (g->form == SR_NEST_FORM_COLUMNS)
			sr_buf_printf(g->out, "for (int64_t i%d = c; i%d < h; i%d++) r%d[i%d - c] = %s;\n", g->vector, g->vector, g->vector,
				      v, g->vector, value_expression(g, in->args[n + k]));
		else
			sr_buf_printf(g->out, "%s v%d = %s;\n", value_c_type(g, v), v, value_expression(g, in->args[n + k]));
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
		indent(g);
		sr_buf_printf(g->out, "for (int k = 0; k < %d; k++) %s%s = ", half, columns, a);
		is_written &= sr_c_call(g->out, g->functions, (enum sr_kernel)in->kernel, (enum sr_dtype)in->type, operands, 2);
		sr_buf_puts(g->out, ";\n");
	}
	if (is_columns_form)
		return is_written;
	indent(g);
	sr_buf_printf(g->out, "const %s v%d = r%d[0];\n", value_c_type(g, v), v, v);
	return is_written;
}

static bool write_stage(struct sr_nest_form *g, int s)
{
	const struct sr_nest_stage *stage = &sr_nest_stages(g->t)[s];
	struct sr_stage_loops nest;
	bool is_written = true;
	sr_nest_form_stage_loops(g, s, &nest);
	g->lanes = g->form != SR_NEST_FORM_MAP ? sr_nest_stage_lanes(stage) : 1;
	g->stage = s;
	for (int i = stage->first; is_written && g->form != SR_NEST_FORM_MAP && i < stage->first + stage->n; i++)
		if (sr_nest_instrs(g->t)[i].op == SR_NEST_REDUCE || sr_nest_instrs(g->t)[i].op == SR_NEST_FOLD)
			is_written = init_accumulator(g, &sr_nest_instrs(g->t)[i]);
	g->is_flat = sr_nest_form_is_flat(g, stage);
	is_written = is_written && write_loops(g, &nest);
	g->is_flat = false;
	for (int i = stage->first; is_written && g->lanes > 1 && i < stage->first + stage->n; i++)
		if (sr_nest_instrs(g->t)[i].op == SR_NEST_REDUCE)
			is_written = combine_lanes(g, &sr_nest_instrs(g->t)[i]);
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
		if (in->op != SR_NEST_LOAD && in->op != SR_NEST_STORE)
			continue;
		int b = g->r->accesses[in->access].buffer, v = in->op == SR_NEST_LOAD ? in->result : in->args[0];
		if (named_buffers >> b & 1)
			continue;
		named_buffers |= (uint64_t)1 << b;
		sr_buf_printf(g->out, "\t%s%s *%sb%d = buffers[%d];\n", b < nest->n_inputs ? "const " : "", memory_c_type(g, v),
			      shared_buffers >> b & 1 ? "" : "restrict ", b, b);
	}
}

static void write_arrays(struct sr_nest_form *g)
{
	for (int v = 0; v < g->t->n_values; v++) {
		int64_t n = (g->form == SR_NEST_FORM_COLUMNS ? g->width : 1) * sr_nest_form_copies(g, v);
		if (g->storage[v] == SR_STORAGE_SCALAR)
			continue;
		indent(g);
		sr_buf_printf(g->out, "%s r%d[%lld] __attribute__((aligned(64)));\n", value_c_type(g, v), v, (long long)n);
	}
}

/* Return the C type of i1 values: as wide as most values that the nest compares and selects, so that their vectors have equal
 * lengths. */
static const char *flag_type(const struct sr_nest *nest)
{
	static const char *const names[4] = {"uint8_t", "int16_t", "int32_t", "int64_t"};
	int counts[4] = {0}, best_width = 0;
	for (int i = 0; i < nest->n_instrs; i++) {
		const struct sr_nest_instr *in = &sr_nest_instrs(nest)[i];
		for (int k = -1; in->op == SR_NEST_MAP && k < in->n_args; k++) {
			enum sr_dtype type = (enum sr_dtype)sr_nest_values(nest)[k < 0 ? in->result : in->args[k]].dtype;
			int n_components = sr_dtypes[type].class == SR_CLASS_COMPLEX ? 2 : 1;
			int bytes = sr_c_is_16bit_float(type) ? 4 : sr_dtype_bytes(type) / n_components;
			bool is_selection = in->kernel == SR_KERNEL_COMPARE || in->kernel == SR_KERNEL_SELECT ||
					    in->kernel == SR_KERNEL_CONVERT;
			if (type != SR_I1 && is_selection)
				counts[bytes == 1 ? 0 : bytes == 2 ? 1 : bytes == 4 ? 2 : 3]++;
		}
	}
	for (int w = 1; w < 4; w++)
		best_width = counts[w] && counts[w] >= counts[best_width] ? w : best_width;
	return names[best_width];
}

/* Return true if a loop that may be peeled reduces integers. Loops of flattened stages are not peeled. */
static bool reduces_integers(const struct sr_nest_form *g)
{
	for (int s = 0; s < g->t->n_stages; s++) {
		const struct sr_nest_stage *stage = sr_nest_stages(g->t) + s;
		for (int i = stage->first; i < stage->first + stage->n && !sr_nest_form_is_flat(g, stage); i++)
			if (sr_nest_instrs(g->t)[i].op == SR_NEST_REDUCE &&
			    sr_dtype_is_integer((enum sr_dtype)sr_nest_instrs(g->t)[i].type))
				return true;
	}
	return false;
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

/* Return true if the nest loads elements at a shifted position of the vector loop, as stencils do, and computes little with each
 * loaded element. At such a position every vector of 64 bytes crosses a cache line, but only every second one of 32 bytes. */
static bool has_many_shifted_loads(const struct sr_nest_form *g)
{
	enum { MAPS_PER_LOAD = 4, LINE_BYTES = 64 };
	int n_loads = 0, n_shifted = 0, n_maps = 0;
	for (int i = 0; g->vector >= 0 && i < g->t->n_instrs; i++) {
		const struct sr_nest_instr *in = &sr_nest_instrs(g->t)[i];
		const struct sr_nest_access *a = in->op == SR_NEST_LOAD ? &g->r->accesses[in->access] : NULL;
		n_maps += in->op == SR_NEST_MAP;
		if (!a)
			continue;
		int64_t offset = a->offset, stride = a->stride[g->vector];
		for (int k = 0; k < a->n_dims; k++) {
			const struct sr_nest_dim *d = &g->r->dims[a->first_dim + k];
			offset += d->offset * d->stride;
			stride += d->coef[g->vector] * d->stride;
		}
		n_loads += stride == 1;
		n_shifted += stride == 1 && offset * sr_dtype_bytes((enum sr_dtype)sr_nest_values(g->t)[in->result].dtype) % LINE_BYTES;
	}
	return n_shifted && n_maps <= MAPS_PER_LOAD * n_loads;
}

static bool write_function(struct sr_nest_form *g, int number)
{
	const struct sr_nest_prepared *r = g->r;
	bool is_written = true, has_integer_reduction = reduces_integers(g);
	int n_stages = g->form == SR_NEST_FORM_MAP && g->t->n_stages ? 1 : g->t->n_stages;
	if (has_integer_reduction) /* GCC 12 miscompiles integer sums in peeled loops with value range propagation */
		sr_buf_puts(g->out, "#if !defined(__clang__)\n#pragma GCC push_options\n"
				    "#pragma GCC optimize(\"no-tree-vrp\")\n#endif\n");
	/* `flatten` inlines all calls: a loop with a call is not vectorized, and within its limits GCC does not inline long
	 * functions in a second copy of a loop */
	sr_buf_printf(g->out, "static __attribute__((flatten%s)) void sr_nest_%d(void *const *buffers, int64_t first, int64_t last,\n"
		      "\t\t   int64_t cache_bytes)\n{\n",
		      has_many_shifted_loads(g) ? " SHORT_VECTORS" : "", number);
	name_buffers(g);
	g->indentation = 1;
	if (strcmp(flag_type(g->t), "uint8_t"))
		sr_buf_printf(g->out, "\ttypedef %s flag;\n", flag_type(g->t));
	write_stream_flag(g);
	for (int l = 0; g->form != SR_NEST_FORM_MAP && l < r->n_parallel; l++)
		if (l != g->vector)
			open_loop(g, l, l ? "0" : "first", l ? loop_bound(g, l, true) : "last");
	if (g->form == SR_NEST_FORM_COLUMNS) {
		const char *first = g->vector ? "0" : "first";
		struct sr_buf last;
		sr_buf_init(&last, g->arena);
		sr_buf_int(&last, r->extent[g->vector]);
		const char *end = g->vector ? sr_buf_string(&last) : "last";
		indent(g);
		sr_buf_printf(g->out, "for (int64_t c = %s; c < %s; c += %lld) {\n", first, end, (long long)g->width);
		g->indentation++;
		indent(g);
		sr_buf_printf(g->out, "const int64_t h = c + %lld < %s ? c + %lld : %s;\n", (long long)g->width, end, (long long)g->width, end);
	}
	write_arrays(g);
	for (int s = 0; is_written && s < n_stages; s++)
		is_written = write_stage(g, s);
	while (g->indentation > 1)
		close_brace(g);
	if (has_streams(g))
		sr_buf_puts(g->out, "\tif (past_caches)\n\t\tstream_fence();\n");
	sr_buf_puts(g->out, "}\n\n");
	if (has_integer_reduction)
		sr_buf_puts(g->out, "#if !defined(__clang__)\n#pragma GCC pop_options\n#endif\n\n");
	return is_written;
}

bool sr_nest_c(const struct sr_nest *nest, int number, struct sr_buf *out, struct sr_c_functions *functions, int64_t *iterations,
	       int64_t *grain)
{
	struct sr_nest_prepared *prepared_nest = sr_nest_prepare(nest, NULL);
	struct sr_nest_form g = {.t = nest, .r = prepared_nest, .arena = out->arena, .out = out, .functions = functions};
	bool is_written = prepared_nest && sr_nest_form_select(&g) && write_function(&g, number);
	*iterations = is_written && g.r->n_parallel ? g.r->extent[0] : 1;
	*grain = is_written && g.r->n_parallel ? g.grain : 1;
	sr_nest_release(prepared_nest);
	return is_written;
}
