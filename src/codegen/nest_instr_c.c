/* Write the instructions of a loop nest as C. Each instruction is in the outermost loop that it depends on. Values are named v0,
 * v1, ..., loops i0, i1, ..., buffers b0, b1, ..., numbered as in the nest. r7 is the array of value 7, with an element for each
 * point of a block or, if the value is saved, for each point of the inner loops. */
#include "codegen/nest_instr_c.h"
#include "codegen/nest_masks.h"
#include "codegen/nest_ranges.h"
#include "codegen/nest_transposed_rows.h"
#include <math.h>
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

/* Append the two terms of an index that a loop over p computes: that of loop flat_inner, and that of loop flat_outer, whose
 * index is j + q. The sum is a contiguous index (j, p) if possible; else it has 32 bits if they are enough, so that compilers
 * can use it as the index of a gather. */
static void append_flat_terms(const struct sr_nest_form *g, struct sr_buf *out, int64_t column, int64_t point, bool *has_terms)
{
	int64_t columns = g->r->extent[g->flat_inner], n_outer = g->short_row_loop >= 0 ? g->width : g->lanes;
	int64_t max_term = INT32_MAX / (columns * n_outer);
	const char *name = sr_printf(g->arena, "i%d", g->flat_inner);
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

void sr_nest_c_affine(const struct sr_nest_form *g, struct sr_buf *out, int64_t offset, const int64_t *coef, int excluded_loop)
{
	bool has_terms = offset != 0;
	if (has_terms)
		sr_buf_int(out, offset);
	for (int l = 0; l < g->r->n_loops; l++)
		if (l != excluded_loop && !(g->is_flat && (l == g->flat_inner || l == g->flat_outer)))
			append_term(out, coef[l], sr_printf(g->arena, "i%d", l), &has_terms);
	if (g->is_flat)
		append_flat_terms(g, out, coef[g->flat_inner], coef[g->flat_outer], &has_terms);
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
	sr_nest_c_affine(g, out, 0, coef, -1);
	if (g->form == SR_NEST_FORM_COLUMNS)
		sr_buf_puts(out, " - c");
}

const char *sr_nest_c_value(struct sr_nest_form *g, int v)
{
	struct sr_buf text;
	sr_buf_init(&text, g->arena);
	const struct sr_nest_instr *in = g->definition[v];
	bool is_in_block = g->form == SR_NEST_FORM_COLUMNS && g->storage[v] == SR_STORAGE_BLOCK &&
		(g->stage_of[v] != g->stage || g->is_accumulator[v]);
	if (g->is_flat && g->is_copied[v]) {
		sr_buf_printf(&text, "x%d[p]", v);
	} else if (in && in->op == SR_NEST_CONSTANT) {
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

const char *sr_nest_c_type(const struct sr_nest_form *g, int v)
{
	enum sr_dtype type = (enum sr_dtype)sr_nest_values(g->t)[v].dtype;
	bool is_narrow = sr_dtype_is_integer(type) && sr_nest_form_register_bytes(g, v) < sr_dtype_bytes(type);
	return is_narrow ? "int32_t" : sr_c_type_of(type)->wide_type;
}

const char *sr_nest_c_memory_type(const struct sr_nest_form *g, int v)
{
	return sr_c_type_of((enum sr_dtype)sr_nest_values(g->t)[v].dtype)->memory;
}

void sr_nest_c_indent(struct sr_nest_form *g)
{
	for (int i = 0; i < g->indentation; i++)
		sr_buf_putc(g->out, '\t');
}

void sr_nest_c_line(struct sr_nest_form *g, const char *text)
{
	sr_nest_c_indent(g);
	sr_buf_puts(g->out, text);
}

void sr_nest_c_array(struct sr_nest_form *g, const char *type, char letter, int number, int64_t n)
{
	enum { MIN_ELEMENTS = 128 }; /* an array of as many bytes is shorter than a way of the cache */
	bool is_shifted = n >= MIN_ELEMENTS && !(n & (MIN_ELEMENTS - 1));
	sr_nest_c_indent(g);
	sr_buf_printf(g->out, "%s %c%d[%lld%s] __attribute__((aligned(64)));\n", type, letter, number, (long long)n,
		      is_shifted ? sr_printf(g->arena, " + 64 / sizeof(%s)", type) : "");
}

/* ---- loads and stores ---- */

/* The C expression has 32 bits if the numbers of all elements fit: vectors of indices are then as long as vectors of 32-bit elements,
 * which compilers need to vectorize a gather. */
void sr_nest_c_clamped_index(struct sr_nest_form *g, const struct sr_nest_dim *d, struct sr_buf *out)
{
	enum sr_dtype type = (enum sr_dtype)sr_nest_values(g->t)[d->index].dtype;
	bool fits_int32 = d->limit >= 0 && d->offset >= 0 && d->offset <= INT32_MAX && d->limit <= INT32_MAX - d->offset &&
		      d->stride <= INT32_MAX / (d->limit + d->offset + 1);
	bool is_narrow = d->limit <= INT32_MAX && sr_dtypes[type].bits == 64 && sr_nest_form_register_bytes(g, d->index) == 4;
	bool is_64bit = (sr_dtypes[type].bits > 32 && !is_narrow) || d->limit > INT32_MAX;
	if (g->has_clamped_index[d - g->r->dims]) {
		sr_buf_printf(out, "clamped%d", (int)(d - g->r->dims));
		return;
	}
	const char *type_suffix = is_narrow ? "_32" : type == SR_UI64 ? "_U64" : is_64bit ? "" : type == SR_UI32 ? "_U32" : "_32";
	sr_buf_printf(out, "(int%d_t)clamped_index%s(%s, %lld)", fits_int32 ? 32 : 64, type_suffix, sr_nest_c_value(g, d->index),
		      (long long)d->limit);
}

/* Return true if the value of a dynamic index has been computed before the vector loop. */
static bool precedes_vector_loop(const struct sr_nest_form *g, const struct sr_stage_loops *n, int index)
{
	const struct sr_nest_instr *definition = g->definition[index];
	return definition && g->storage[index] == SR_STORAGE_SCALAR && sr_nest_form_loop_depth(g, n, definition) < n->n;
}

/* Define the variable clamped<dim>, or limited<value>, before the vector loop; open a block before the first one. */
static void define_before_loop(struct sr_nest_form *g, const char *definition, bool *is_any)
{
	if (!*is_any) {
		sr_nest_c_line(g, "{\n");
		g->indentation++;
	}
	sr_nest_c_line(g, definition);
	*is_any = true;
}

/* Return the C expression of operand `arg` of a comparison, clamped to limits. */
static const char *limited_operand(struct sr_nest_form *g, const struct sr_nest_instr *in, int arg,
				   const struct sr_nest_range *limits)
{
	return sr_printf(g->arena, "clamped_to_32(%s, %lld, %lld)", sr_nest_c_value(g, in->args[arg]), (long long)limits->low,
			 (long long)limits->high);
}

/* Clamp the operands of a comparison that do not change in the vector loop. */
static void limit_operands(struct sr_nest_form *g, const struct sr_stage_loops *n, const struct sr_nest_instr *in, bool *is_any)
{
	struct sr_nest_range limits;
	for (int k = 0; k < in->n_args; k++)
		if (sr_nest_form_is_clamped(g, in, k, &limits) && precedes_vector_loop(g, n, in->args[k])) {
			define_before_loop(g, sr_printf(g->arena, "const int32_t limited%d = %s;\n", in->result,
							limited_operand(g, in, k, &limits)), is_any);
			g->has_limited_operand[in->result] = true;
		}
}

bool sr_nest_c_clamp_indices(struct sr_nest_form *g, const struct sr_stage_loops *n)
{
	bool is_any = false;
	for (int s = n->first_stage; s <= n->last_stage; s++)
		for (int i = 0; i < sr_nest_stages(g->t)[s].n; i++) {
			const struct sr_nest_instr *in = sr_nest_instrs(g->t) + sr_nest_stages(g->t)[s].first + i;
			const struct sr_nest_access *a = in->op == SR_NEST_LOAD ? &g->r->accesses[in->access] : NULL;
			for (int k = a ? a->first_dim : 0; a && k < a->first_dim + a->n_dims; k++) {
				const struct sr_nest_dim *d = &g->r->dims[k];
				struct sr_buf index;
				if (d->index < 0 || g->has_clamped_index[k] || !precedes_vector_loop(g, n, d->index))
					continue;
				sr_buf_init(&index, g->arena);
				sr_nest_c_clamped_index(g, d, &index);
				define_before_loop(g, sr_printf(g->arena, "const int64_t clamped%d = %s;\n", k,
								sr_buf_string(&index)), &is_any);
				g->has_clamped_index[k] = true;
			}
			limit_operands(g, n, in, &is_any);
		}
	return is_any;
}

void sr_nest_c_coordinate(struct sr_nest_form *g, const struct sr_nest_dim *d, int excluded_loop, struct sr_buf *out)
{
	if (d->index >= 0) {
		sr_nest_c_clamped_index(g, d, out);
		sr_buf_puts(out, " + ");
	}
	sr_nest_c_affine(g, out, d->offset, d->coef, excluded_loop);
}

bool sr_nest_c_is_range(const struct sr_nest_form *g, const struct sr_nest_dim *d)
{
	return d->extent > 0 && d->divisor == 1 && (d->index < 0 || !(g->deps[d->index] & (uint32_t)1 << g->vector));
}

/* Return true if code with these tests leaves out the bounds of a dimension. */
static bool is_passed(const struct sr_nest_form *g, const struct sr_nest_dim *d, enum sr_nest_tests tests)
{
	return tests != SR_NEST_TEST_ALL && sr_nest_c_is_range(g, d) &&
	       !(tests & (d->coef[g->vector] ? SR_NEST_TEST_COLUMN : SR_NEST_TEST_ROW));
}

/* Append the bounds of an indexing map that are tested as a condition, and return their number. */
static int append_bounds_check(struct sr_nest_form *g, const struct sr_nest_access *a, enum sr_nest_tests tests, struct sr_buf *out)
{
	int n = 0;
	for (int k = 0; k < a->n_dims; k++) {
		const struct sr_nest_dim *d = &g->r->dims[a->first_dim + k];
		if (d->extent <= 0 || is_passed(g, d, tests))
			continue;
		sr_buf_puts(out, n++ ? " && (uint64_t)(" : "(uint64_t)(");
		if (d->divisor > 1) {
			sr_buf_putc(out, '(');
			sr_nest_c_coordinate(g, d, -1, out);
			sr_buf_printf(out, ") %% %lld == 0 ? (", (long long)d->divisor);
			sr_nest_c_coordinate(g, d, -1, out);
			sr_buf_printf(out, ") / %lld : -1) < %lldu", (long long)d->divisor, (long long)d->extent);
		} else {
			sr_nest_c_coordinate(g, d, -1, out);
			sr_buf_printf(out, ") < %lldu", (long long)d->extent);
		}
	}
	return n;
}

void sr_nest_c_element(struct sr_nest_form *g, const struct sr_nest_access *a, struct sr_buf *out)
{
	bool is_own = sr_nest_form_has_own_pointer(g, a);
	sr_buf_printf(out, is_own ? "o%d[" : "b%d[", is_own ? (int)(a - g->r->accesses) : a->buffer);
	sr_nest_c_affine(g, out, is_own ? 0 : a->offset, a->stride, -1);
	for (int k = 0; k < a->n_dims; k++) {
		const struct sr_nest_dim *d = &g->r->dims[a->first_dim + k];
		sr_buf_printf(out, " + %lld * ((", (long long)d->stride);
		sr_nest_c_coordinate(g, d, -1, out);
		if (d->divisor > 1)
			sr_buf_printf(out, ") / %lld)", (long long)d->divisor);
		else
			sr_buf_puts(out, "))");
	}
	sr_buf_putc(out, ']');
}

bool sr_nest_c_known_range(const struct sr_nest_form *g, const struct sr_nest_dim *d, int64_t *begin, int64_t *end)
{
	const int64_t max_number = INT64_MAX / 4, step = d->coef[g->vector];
	if (d->index >= 0 || d->offset > max_number || d->offset < -max_number || d->extent > max_number)
		return false;
	if (step != 1 && step != -1)
		return false;
	for (int l = 0; l < g->r->n_loops; l++)
		if (l != g->vector && d->coef[l])
			return false;
	*begin = step > 0 ? -d->offset : d->offset - d->extent + 1;
	*end = *begin + d->extent;
	return true;
}

/* ---- rows of loads ---- */

/* Return the distance in elements of the loads of two successive iterations of the vector loop. */
static int64_t step_of_load(const struct sr_nest_form *g, const struct sr_nest_access *a)
{
	int64_t step = a->stride[g->vector];
	for (int k = 0; k < a->n_dims; k++)
		step += g->r->dims[a->first_dim + k].coef[g->vector] * g->r->dims[a->first_dim + k].stride;
	return step;
}

/* Return true if a load, or the load of a fill value, reads elements at equal distances in [g->row_begin, g->row_end), and all are
 * in bounds if the row is inside the bounds that do not depend on the vector loop's index. */
static bool is_row(const struct sr_nest_form *g, const struct sr_nest_instr *in)
{
	const struct sr_nest_access *a = &g->r->accesses[in->access];
	for (int k = 0; k < a->n_dims; k++) {
		const struct sr_nest_dim *d = &g->r->dims[a->first_dim + k];
		int64_t begin, end;
		if (d->divisor > 1 || (d->index >= 0 && g->deps[d->index] >> g->vector & 1))
			return false;
		if (d->extent > 0 && d->coef[g->vector] && g->is_inlined_fill[in->result] &&
		    !(sr_nest_c_known_range(g, d, &begin, &end) && begin <= g->row_begin && end >= g->row_end))
			return false;
	}
	return true;
}

/* Return true if code with these tests has a pointer to the row that it loads, which the bounds that are equal for the whole row
 * select before the vector loop. Compilers vectorize loads from a pointer, but no loads that are executed under conditions. */
static bool has_row_pointer(const struct sr_nest_form *g, const struct sr_nest_instr *in, enum sr_nest_tests tests)
{
	enum { MAX_ELEMENTS = 1 << 22 }; /* of the array of zeros to which the pointer points if the row is out of bounds */
	const struct sr_nest_access *a = &g->r->accesses[in->access];
	bool has_bounds = false;
	if (tests != SR_NEST_TEST_ROW) /* a nest without a vector loop has no such tests */
		return false;
	for (int k = 0; k < a->n_dims; k++) {
		const struct sr_nest_dim *d = &g->r->dims[a->first_dim + k];
		has_bounds = has_bounds || (d->extent > 0 && !d->coef[g->vector]);
	}
	int64_t step = step_of_load(g, a);
	return has_bounds && step >= -1 && step <= 1 && g->row_end - g->row_begin <= MAX_ELEMENTS && is_row(g, in);
}

/* Return the load of the fill value of `in`, if the pointer of `load` can point to its row; else NULL. */
static const struct sr_nest_instr *fill_row(const struct sr_nest_form *g, const struct sr_nest_instr *load,
					    const struct sr_nest_instr *in)
{
	int fill = g->r->accesses[in->access].fill;
	const struct sr_nest_instr *fill_load = fill >= 0 && g->is_inlined_fill[fill] ? g->definition[fill] : NULL;
	int64_t step = step_of_load(g, &g->r->accesses[load->access]);
	return fill_load && is_row(g, fill_load) && step_of_load(g, &g->r->accesses[fill_load->access]) == step ? fill_load : NULL;
}

/* Write the row pointer p of a load, and the flag k, which is 0 if the row is out of the bounds of the load and of its fill values.
 * The pointer is then to zeros, which are not used. The assembler statement hides from GCC that the flag is the result of a test:
 * it does not vectorize selections by a bool that is equal in all iterations, but selections by an integer of the elements' size. */
static void write_row_pointer(struct sr_nest_form *g, const struct sr_nest_instr *load)
{
	const char *type = sr_nest_c_memory_type(g, load->result);
	int v = load->result, n_bounds = 1;
	bool is_reversed = step_of_load(g, &g->r->accesses[load->access]) < 0;
	sr_nest_c_line(g, sr_printf(g->arena, "const %s *p%d = ", type, v));
	for (const struct sr_nest_instr *in = load; in && n_bounds; in = fill_row(g, load, in)) {
		const struct sr_nest_access *a = &g->r->accesses[in->access];
		n_bounds = append_bounds_check(g, a, SR_NEST_TEST_ROW, g->out);
		sr_buf_puts(g->out, n_bounds ? " ? &" : "&");
		sr_nest_c_element(g, a, g->out);
		sr_buf_puts(g->out, n_bounds ? " : " : ";\n");
	}
	sr_buf_puts(g->out, n_bounds ? "0;\n" : "");
	sr_nest_c_line(g, sr_printf(g->arena, "int%d_t k%d = p%d != 0;\n", 8 * sr_nest_form_register_bytes(g, v), v, v));
	sr_nest_c_line(g, sr_printf(g->arena, "__asm__(\"\" : \"+r\"(k%d));\n", v));
	sr_nest_c_line(g, sr_printf(g->arena, "p%d = p%d ? p%d : (const %s *)(const void *)zeros + %lld;\n", v, v, v, type,
				    is_reversed ? (long long)(g->row_end - g->row_begin - 1) : 0));
}

static void append_load(struct sr_nest_form *g, const struct sr_nest_instr *in, enum sr_nest_tests tests, struct sr_buf *out)
{
	const struct sr_nest_access *a = &g->r->accesses[in->access];
	enum sr_dtype type = (enum sr_dtype)sr_nest_values(g->t)[in->result].dtype;
	struct sr_buf bounds;
	sr_buf_init(&bounds, g->arena);
	bool has_pointer = has_row_pointer(g, in, tests);
	if (append_bounds_check(g, a, tests, &bounds))
		sr_buf_printf(out, "%s ? ", has_pointer ? sr_printf(g->arena, "k%d", in->result) : sr_buf_string(&bounds));
	if (sr_c_is_narrow_float(type))
		sr_buf_printf(out, "float_%s(", sr_c_type_of(type)->id);
	if (sr_nest_form_is_transposed(g, in))
		sr_buf_printf(out, "x%d[(i%d - d) * %d + i%d - c]", in->result, g->transposed_loop, sr_nest_form_block_columns(g),
			      g->vector);
	else if (sr_nest_form_is_in_row_block(g, in))
		sr_buf_printf(out, "x%d[%lld * i%d + i%d - c]", sr_nest_form_first_equal_load(g, in)->result, (long long)g->width,
			      g->r->n_loops - 1, g->vector);
	else if (sr_nest_form_is_transposed_row(g, in))
		sr_nest_c_transposed_element(g, in, out);
	else if (sr_nest_form_is_reversed(g, in))
		sr_buf_printf(out, "x%d[%d * (i%d - c) + i%d]", in->result, (int)g->r->extent[g->unrolled_loop], g->vector,
			      g->unrolled_loop);
	else if (g->table_bytes[in->result])
		sr_buf_printf(out, "x%d[i%d - c]", in->result, g->vector);
	else if (has_pointer)
		sr_buf_printf(out, "m%d", in->result);
	else
		sr_nest_c_element(g, a, out);
	if (sr_c_is_narrow_float(type))
		sr_buf_putc(out, ')');
	if (!bounds.n)
		return;
	sr_buf_puts(out, " : ");
	for (const struct sr_nest_instr *fill = in; has_pointer && (fill = fill_row(g, in, fill));)
		a = &g->r->accesses[fill->access];
	if (a->fill < 0 || !g->is_inlined_fill[a->fill]) {
		sr_buf_puts(out, a->fill < 0 ? "0" : sr_nest_c_value(g, a->fill));
		return;
	}
	sr_buf_putc(out, '(');
	append_load(g, g->definition[a->fill], SR_NEST_TEST_ALL, out);
	sr_buf_putc(out, ')');
}

static void write_store(struct sr_nest_form *g, const struct sr_nest_instr *in)
{
	const struct sr_nest_access *a = &g->r->accesses[in->access];
	enum sr_dtype type = (enum sr_dtype)sr_nest_values(g->t)[in->args[0]].dtype;
	sr_nest_c_indent(g);
	if (g->stream_width && g->is_streamed[a->buffer])
		sr_buf_printf(g->out, "s%d[i%d - c]", a->buffer, g->vector);
	else if (sr_nest_form_is_in_row_block(g, in))
		sr_buf_printf(g->out, "t%d[%lld * i%d + i%d - c]", in->access, (long long)g->width, g->r->n_loops - 1, g->vector);
	else if (sr_nest_form_is_transposed_row(g, in))
		sr_nest_c_transposed_element(g, in, g->out);
	else if (sr_nest_form_is_transposed(g, in))
		sr_buf_printf(g->out, "t%d[(i%d - d) * %d + i%d - c]", a->buffer, g->transposed_loop, SR_NEST_FORM_BLOCK_COLUMNS,
			      g->vector);
	else
		sr_nest_c_element(g, a, g->out);
	if (sr_c_is_narrow_float(type))
		sr_buf_printf(g->out, " = bits_%s(%s);\n", sr_c_type_of(type)->id, sr_nest_c_value(g, in->args[0]));
	else
		sr_buf_printf(g->out, " = %s;\n", sr_nest_c_value(g, in->args[0]));
}

/* ---- instructions ---- */

/* Append x / y, where x is an integer of few bits, converted to f32, and y a constant, as x * high + x * low, where high + low is
 * 1 / y with more bits than a float has. A division takes several times as long. Return false if the sum is not the quotient of
 * each number in the range of x (Brisebarre, Muller and Raina 2004 show that it is for most y). */
static bool append_quotient(struct sr_nest_form *g, const struct sr_nest_instr *in, struct sr_buf *out)
{
	const struct sr_nest_instr *x = g->definition[in->args[0]], *y = in->n_args == 2 ? g->definition[in->args[1]] : NULL;
	bool is_converted = x && x->op == SR_NEST_MAP && x->kernel == SR_KERNEL_CONVERT;
	if (in->kernel != SR_KERNEL_DIVIDE || in->type != SR_F32 || !is_converted || !y || y->op != SR_NEST_CONSTANT)
		return false;
	const struct sr_nest_range *range = &g->ranges[x->args[0]];
	bool is_integer = sr_dtype_is_integer((enum sr_dtype)sr_nest_values(g->t)[x->args[0]].dtype);
	if (!is_integer || range->low < INT16_MIN || range->high > UINT16_MAX)
		return false;
	float divisor;
	memcpy(&divisor, sr_nest_constants(g->t) + y->constant, sizeof divisor);
	float parts[2] = {1 / divisor};
	parts[1] = (float)(1 / (double)divisor - (double)parts[0]);
	if (parts[1] == 0) /* compilers multiply in place of a division by a power of two */
		return false;
	for (int64_t i = range->low; i <= range->high; i++) {
		float quotient = (float)i / divisor, sum = fmaf((float)i, parts[0], (float)i * parts[1]);
		if (isnan(quotient) || memcmp(&quotient, &sum, sizeof sum) != 0)
			return false;
	}
	sr_buf_printf(out, "quotient(%s, %s", sr_nest_c_value(g, in->args[0]), sr_nest_c_value(g, in->args[1]));
	for (int k = 0; k < 2; k++) {
		sr_buf_puts(out, ", ");
		sr_c_literal(out, SR_F32, &parts[k]);
	}
	sr_buf_putc(out, ')');
	return true;
}

/* Append the quotient or remainder of two integers that differ along the vector loop, by a division of floats: there are no vector
 * instructions that divide integers. Return false for a constant divisor, by which compilers divide without a division, and for
 * integers that can have more than 32 bits. */
static bool append_vector_quotient(struct sr_nest_form *g, const struct sr_nest_instr *in, const char *const *args,
				   struct sr_buf *out)
{
	enum sr_dtype type = (enum sr_dtype)in->type;
	bool is_quotient = in->kernel == SR_KERNEL_DIVIDE;
	if ((!is_quotient && in->kernel != SR_KERNEL_REMAINDER) || !sr_dtype_is_integer(type) || g->vector < 0)
		return false;
	const struct sr_nest_instr *y = g->definition[in->args[1]];
	if (!y || y->op == SR_NEST_CONSTANT || !(g->deps[in->result] >> g->vector & 1))
		return false;
	for (int k = 0; k < 2 && type == SR_I64; k++)
		if (g->ranges[in->args[k]].low == INT32_MIN || !sr_nest_range_fits(&g->ranges[in->args[k]], 4))
			return false;
	type = type == SR_I64 ? SR_I32 : type;
	if (sr_dtypes[type].bits < 8 || sr_dtypes[type].bits > 32)
		return false;
	g->functions->has_quotients = true;
	sr_buf_printf(out, "%s_%s(%s, %s)", is_quotient ? "quotient" : "modulus", sr_c_type_of(type)->id, args[0], args[1]);
	return true;
}

/* Return true if a float type represents all numbers of a range. */
static bool is_exact_in(const struct sr_nest_range *range, enum sr_dtype type)
{
	int64_t limit = (int64_t)1 << sr_float_precision(type);
	return range->low >= -limit && range->high <= limit;
}

/* Simplify the types of a conversion from an integer to a float: an integer that f32 represents is converted like one of 16 bits,
 * and if f16 or bf16, which are floats in registers, represents it, too, it is not rounded. */
static void simplify_conversion(const struct sr_nest_form *g, const struct sr_nest_instr *in, enum sr_dtype *from,
				enum sr_dtype *to)
{
	const struct sr_nest_range *range = &g->ranges[in->args[0]];
	bool is_from_integer = in->kernel == SR_KERNEL_CONVERT && sr_dtype_is_integer(*from) && *from != SR_I1;
	if (!is_from_integer || !sr_dtype_is_float(*to) || !is_exact_in(range, SR_F32))
		return;
	if (sr_dtypes[*from].bits > 16)
		*from = SR_I16;
	if ((*to == SR_F16 || *to == SR_BF16) && is_exact_in(range, *to))
		*to = SR_F32;
}

static bool append_map(struct sr_nest_form *g, const struct sr_nest_instr *in, struct sr_buf *out)
{
	const char *args[SR_NEST_MAX_ARGS];
	if (append_quotient(g, in, out))
		return true;
	for (int i = 0; i < in->n_args; i++) {
		struct sr_nest_range limits;
		args[i] = sr_nest_c_value(g, in->args[i]);
		if (sr_nest_form_is_clamped(g, in, i, &limits))
			args[i] = g->has_limited_operand[in->result] ? sr_printf(g->arena, "limited%d", in->result)
								     : limited_operand(g, in, i, &limits);
	}
	enum sr_dtype from = (enum sr_dtype)sr_nest_values(g->t)[in->args[0]].dtype,
		      to = (enum sr_dtype)sr_nest_values(g->t)[in->result].dtype;
	simplify_conversion(g, in, &from, &to);
	return append_vector_quotient(g, in, args, out) || sr_c_map(out, g->functions, in, from, to, args);
}

/* Return true if code with these tests is executed only where value v is a mask with its usual value. */
static bool is_known_mask(const struct sr_nest_form *g, int v, enum sr_nest_tests tests)
{
	const struct sr_nest_mask *mask = g->masks && tests != SR_NEST_TEST_ALL ? &g->masks[v] : NULL;
	if (!mask || !mask->is_known)
		return false;
	return tests == SR_NEST_TEST_NONE || (mask->has_range && is_passed(g, &mask->range, tests));
}

/* Write the element m of the row that a load's pointer points to. */
static void write_element(struct sr_nest_form *g, const struct sr_nest_instr *in)
{
	int64_t step = step_of_load(g, &g->r->accesses[in->access]);
	sr_nest_c_line(g, sr_printf(g->arena, "const %s m%d = p%d[%lld * (i%d - %lld)];\n", sr_nest_c_memory_type(g, in->result),
				    in->result, in->result, (long long)step, g->vector, (long long)g->row_begin));
}

static bool write_definition(struct sr_nest_form *g, const struct sr_nest_instr *in, enum sr_nest_tests tests)
{
	struct sr_buf text;
	int v = in->result;
	bool is_written = true;
	sr_buf_init(&text, g->arena);
	if (in->op == SR_NEST_CONSTANT || g->is_inlined_fill[v] || (g->is_flat && g->is_copied[v]))
		return true;
	if (is_known_mask(g, v, tests))
		sr_buf_putc(&text, g->masks[v].value ? '1' : '0');
	else if (in->op == SR_NEST_LOAD && g->is_unused[v]) /* other threads may write the element meanwhile */
		sr_buf_putc(&text, '0');
	else if (in->op == SR_NEST_LOAD && g->has_row_vectors && sr_nest_values(g->t)[v].dtype == SR_BF16)
		sr_buf_printf(&text, "w%d[k]", v);
	else if (in->op == SR_NEST_LOAD)
		append_load(g, in, tests, &text);
	else if (in->op == SR_NEST_INDEX)
		sr_nest_c_affine(g, &text, g->r->accesses[in->access].offset, g->r->accesses[in->access].stride, -1);
	else if (in->op == SR_NEST_MAP)
		is_written = append_map(g, in, &text);
	if (in->op == SR_NEST_LOAD && !g->is_unused[v] && has_row_pointer(g, in, tests))
		write_element(g, in);
	sr_nest_c_indent(g);
	sr_buf_printf(g->out, "const %s v%d = %s;\n", sr_nest_c_type(g, v), v, sr_buf_string(&text));
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
	if (g->has_row_vectors) {
		sr_nest_c_line(g, sr_printf(g->arena, "t%d[k] = %s;\n", in->result, sr_nest_c_value(g, in->args[0])));
		return true;
	}
	const char *target = accumulator(g, in->result);
	sr_nest_c_indent(g);
	sr_buf_printf(g->out, "%s = ", target);
	if (!sr_c_call(g->out, g->functions, (enum sr_kernel)in->kernel, (enum sr_dtype)in->type,
		       (const char *const[]){target, sr_nest_c_value(g, in->args[0])}, 2))
		return false;
	sr_buf_puts(g->out, ";\n");
	return true;
}

/* Write the body of a FOLD; its arguments are local variables. */
static bool write_fold(struct sr_nest_form *g, const struct sr_nest_instr *in)
{
	bool is_written = true;
	sr_nest_c_line(g, "{\n");
	g->indentation++;
	for (int k = 0; k < 2 * in->n_folds; k++) {
		sr_nest_c_indent(g);
		sr_buf_printf(g->out, "const %s v%d = %s;\n", sr_nest_c_type(g, in->body_args + k), in->body_args + k,
			      k < in->n_folds ? accumulator(g, in->result + k) : sr_nest_c_value(g, in->args[k - in->n_folds]));
	}
	for (int i = 0; is_written && i < in->n_body; i++)
		is_written = write_definition(g, sr_nest_instrs(g->t) + in->body + i, SR_NEST_TEST_ALL);
	for (int k = 0; k < in->n_folds; k++) {
		sr_nest_c_indent(g);
		sr_buf_printf(g->out, "%s = %s;\n", accumulator(g, in->result + k), sr_nest_c_value(g, in->body_results[k]));
	}
	g->indentation--;
	sr_nest_c_line(g, "}\n");
	return is_written;
}

static void store_value(struct sr_nest_form *g, const struct sr_nest_instr *in)
{
	int v = in->result;
	if (v < 0 || in->op == SR_NEST_REDUCE || in->op == SR_NEST_FOLD || in->op == SR_NEST_CONSTANT ||
	    g->form == SR_NEST_FORM_MAP)
		return;
	if (g->storage[v] == SR_STORAGE_SAVED) {
		sr_nest_c_indent(g);
		sr_buf_printf(g->out, "r%d[", v);
		inner_number(g, g->out);
		sr_buf_printf(g->out, "] = v%d;\n", v);
	} else if (g->storage[v] == SR_STORAGE_BLOCK) {
		sr_nest_c_indent(g);
		sr_buf_printf(g->out, "r%d[i%d - c] = v%d;\n", v, g->vector, v);
	}
}

/* Write the declarations of a reduction's accumulators with their initial values, in a nest of form MAP, where the reduction is
 * over one point. */
static void begin_reduction(struct sr_nest_form *g, const struct sr_nest_instr *in)
{
	int n = in->op == SR_NEST_FOLD ? in->n_folds : 1;
	for (int k = 0; k < n; k++) {
		sr_nest_c_indent(g);
		sr_buf_printf(g->out, "%s v%d = %s;\n", sr_nest_c_type(g, in->result + k), in->result + k,
			      sr_nest_c_value(g, in->args[n + k]));
	}
}

static bool write_instruction(struct sr_nest_form *g, const struct sr_nest_instr *in, enum sr_nest_tests tests)
{
	bool is_reduction = in->op == SR_NEST_REDUCE || in->op == SR_NEST_FOLD;
	if (in->op == SR_NEST_STORE) {
		write_store(g, in);
		return true;
	}
	if (is_reduction && g->form == SR_NEST_FORM_MAP)
		begin_reduction(g, in);
	bool is_written = in->op == SR_NEST_REDUCE ? write_reduce(g, in)
		    : in->op == SR_NEST_FOLD ? write_fold(g, in)
					     : write_definition(g, in, tests);
	store_value(g, in);
	return is_written;
}

const char *sr_nest_c_copied_type(const struct sr_nest_form *g, int v)
{
	static const char *const types[] = {[1] = "int8_t", [2] = "int16_t", [4] = "int32_t"};
	return g->copied_bytes[v] ? types[g->copied_bytes[v]] : sr_nest_c_type(g, v);
}

const char *sr_nest_c_copied_value(struct sr_nest_form *g, int v)
{
	const struct sr_nest_range *limits = &g->copied_limits[v];
	const char *value = sr_nest_c_value(g, v);
	if (!g->copied_bytes[v] || sr_nest_range_fits(&g->ranges[v], g->copied_bytes[v]))
		return value;
	return sr_printf(g->arena, "clamped_to_32(%s, %lld, %lld)", value, (long long)limits->low, (long long)limits->high);
}

void sr_nest_c_row_copy(struct sr_nest_form *g, int v)
{
	int row = g->short_row_loop;
	long long length = (long long)g->r->extent[row];
	struct sr_buf text;
	sr_buf_init(&text, g->arena);
	append_load(g, g->definition[v], SR_NEST_TEST_ALL, &text);
	sr_nest_c_line(g, sr_printf(g->arena, "#pragma GCC unroll %lld\n", length));
	sr_nest_c_line(g, sr_printf(g->arena, "for (int i%d = 0; i%d < %lld; i%d++)\n", row, row, length, row));
	sr_nest_c_line(g, sr_printf(g->arena, "\tx%d[%lld * (i%d - c) + i%d] = %s;\n", v, length, g->vector, row,
				    sr_buf_string(&text)));
}

void sr_nest_c_row_pointers(struct sr_nest_form *g, const struct sr_stage_loops *n)
{
	bool has_pointers = false;
	for (int s = n->first_stage; s <= n->last_stage; s++)
		for (int i = 0; i < sr_nest_stages(g->t)[s].n; i++) {
			const struct sr_nest_instr *in = sr_nest_instrs(g->t) + sr_nest_stages(g->t)[s].first + i;
			if (in->op != SR_NEST_LOAD || g->is_inlined_fill[in->result] || g->is_unused[in->result] ||
			    sr_nest_form_loop_depth(g, n, in) < n->n || !has_row_pointer(g, in, SR_NEST_TEST_ROW))
				continue;
			if (!has_pointers)
				sr_nest_c_line(g, sr_printf(g->arena, "static any_C128 zeros[%lld]; const int64_t i%d = %lld;\n",
							    (long long)(g->row_end - g->row_begin), g->vector,
							    (long long)g->row_begin));
			has_pointers = true;
			write_row_pointer(g, in);
		}
}

bool sr_nest_c_instructions(struct sr_nest_form *g, const struct sr_stage_loops *n, int level, enum sr_nest_tests tests)
{
	bool is_written = true, has_known_rows = !(tests & SR_NEST_TEST_ROW) && g->masks && level == n->n;
	for (int s = n->first_stage; s <= n->last_stage; s++) {
		const struct sr_nest_stage *stage = &sr_nest_stages(g->t)[s];
		g->stage = g->form == SR_NEST_FORM_MAP ? 0 : s;
		for (int i = stage->first; is_written && i < stage->first + stage->n; i++) {
			const struct sr_nest_instr *in = &sr_nest_instrs(g->t)[i];
			int depth = sr_nest_form_loop_depth(g, n, in);
			if (g->is_in_index_loop && (in->result < 0 || !g->is_index_operand[in->result]))
				continue;
			/* Masks of outer loops are redefined as constants. */
			if (has_known_rows && depth < level && in->op == SR_NEST_MAP && g->masks[in->result].is_known)
				is_written = write_definition(g, in, SR_NEST_TEST_NONE);
			else if (depth == level && (!g->part || g->part_of[i] == g->part))
				is_written = write_instruction(g, in, tests);
		}
	}
	return is_written;
}
