/* Rows of reductions that are columns of an array: the vector loop would gather their elements one by one, or scatter them. Blocks
 * of rows are transposed into local arrays, or from these to outputs. There, the elements of a row are contiguous. Example: sums of
 * the 200 rows of a transposed matrix.
 *
 *	for (d = first; d < last)  e = d + 32;
 *		float z3[32 * 224];
 *		transpose_4(&x[d], 128, z3, 224, 200, e - d);
 *		for (i0 = d; i0 < e)
 *			for (i1 < 200)  sum += z3[(i0 - d) * 224 + i1];
 *
 * The loop over rows is the one around the vector loop: the last parallel loop, whose blocks all stages read, or an inner loop. In
 * the form COLUMNS it is the last inner loop, and the elements of a row are the columns [c, h). The order of iterations is the same
 * as without blocks, and so are the bits. */
#include "codegen/nest_transposed_rows.h"
#include "support/bug.h"
#include <string.h>

enum {
	MAX_BLOCK = 32, MIN_BLOCK = 16,  /* rows of a block: the elements of a cache line of f32, at least */
	MIN_ROW = 16,                    /* fewest elements of a row: as many as a vector has */
	MIN_STRIDE = 8,                  /* smallest stride along a row: shuffles load elements that are closer */
	MAX_BLOCK_BYTES = 384 << 10,     /* of all local arrays: they stay in a core's caches */
	MAX_COLUMNS = 1024,              /* most columns of a block in the form COLUMNS, unless one block has all */
	MAX_ALL_COLUMNS = 2048,          /* most columns of such a block: a task has no more if they have MIN_BLOCK rows */
	PADDING = 16                     /* elements after each row: rows of a power of two would be in the same sets of a cache */
};

/* Return the distance in elements of the rows of a block. */
static int64_t pitch_of(const struct sr_nest_form *g)
{
	int64_t length = g->r->extent[g->vector];
	if (g->form == SR_NEST_FORM_COLUMNS && length > MAX_ALL_COLUMNS)
		length = MAX_COLUMNS;
	return (length + 2 * PADDING - 1) / PADDING * PADDING;
}

/* Return the loop over rows, or -1 if the nest has none with enough rows and elements. */
static int find_loop(const struct sr_nest_form *g)
{
	const struct sr_nest_prepared *r = g->r;
	int loop = r->n_loops - (g->form == SR_NEST_FORM_COLUMNS ? 1 : 2);
	bool is_rows = g->form == SR_NEST_FORM_ROWS && g->vector == loop + 1 && loop + 1 >= r->n_parallel;
	bool is_columns = g->form == SR_NEST_FORM_COLUMNS && g->short_row_loop < 0 && !g->has_row_blocks;
	for (int s = 0; s < g->t->n_stages; s++)
		is_columns = is_columns && !sr_nest_form_is_flat(g, sr_nest_stages(g->t) + s);
	return (is_rows || is_columns) && loop >= 0 && r->extent[loop] >= MIN_BLOCK && r->extent[g->vector] >= MIN_ROW ? loop : -1;
}

/* Return true if no other instruction stores to the buffer. */
static bool is_only_store(const struct sr_nest_form *g, const struct sr_nest_instr *in)
{
	for (int i = 0; i < g->t->n_instrs; i++) {
		const struct sr_nest_instr *other = &sr_nest_instrs(g->t)[i];
		if (other != in && other->op == SR_NEST_STORE &&
		    g->r->accesses[other->access].buffer == g->r->accesses[in->access].buffer)
			return false;
	}
	return true;
}

bool sr_nest_form_is_transposed_row(const struct sr_nest_form *g, const struct sr_nest_instr *in)
{
	bool is_load = in->op == SR_NEST_LOAD && !g->is_unused[in->result] && !g->is_inlined_fill[in->result];
	if (!g->row_block || !(is_load || (in->op == SR_NEST_STORE && is_only_store(g, in))))
		return false;
	const struct sr_nest_access *a = &g->r->accesses[in->access];
	return !a->n_dims && a->stride[g->row_block_loop] == 1 && a->stride[g->vector] >= MIN_STRIDE;
}

/* Return the value that a load defines, or that a store writes, and the bytes of an element of it. */
static int value_of(const struct sr_nest_instr *in)
{
	return in->op == SR_NEST_LOAD ? in->result : in->args[0];
}

static int element_bytes(const struct sr_nest_form *g, const struct sr_nest_instr *in)
{
	return sr_dtype_bytes((enum sr_dtype)sr_nest_values(g->t)[value_of(in)].dtype);
}

/* Return the first load of the nest or, if the rows are iterations of an inner loop, of the stage, that reads the same block. */
static const struct sr_nest_instr *first_equal_load(const struct sr_nest_form *g, const struct sr_nest_instr *in)
{
	const struct sr_nest_access *a = &g->r->accesses[in->access];
	bool is_in_stage = g->row_block_loop >= g->r->n_parallel;
	const struct sr_nest_instr *other = sr_nest_instrs(g->t);
	other += is_in_stage ? sr_nest_stages(g->t)[g->stage_of[in->result]].first : 0;
	for (; other < in; other++) {
		const struct sr_nest_access *b = other->op == SR_NEST_LOAD ? &g->r->accesses[other->access] : NULL;
		if (b && sr_nest_form_is_transposed_row(g, other) && b->buffer == a->buffer && b->offset == a->offset &&
		    !memcmp(b->stride, a->stride, (size_t)g->r->n_loops * sizeof *a->stride))
			return other;
	}
	return in;
}

void sr_nest_form_select_transposed_rows(struct sr_nest_form *g)
{
	int loop = find_loop(g);
	int64_t bytes = 0;
	if (loop < 0)
		return;
	g->row_block_loop = loop;
	g->row_block = MAX_BLOCK;
	for (int i = 0; i < g->t->n_instrs; i++) {
		const struct sr_nest_instr *in = &sr_nest_instrs(g->t)[i];
		if (sr_nest_form_is_transposed_row(g, in) && (in->op == SR_NEST_STORE || first_equal_load(g, in) == in))
			bytes += element_bytes(g, in);
	}
	if (!bytes || g->r->extent[g->vector] > INT32_MAX)
		g->row_block = 0;
	while (g->row_block && g->row_block * pitch_of(g) * bytes > MAX_BLOCK_BYTES)
		g->row_block = g->row_block > MIN_BLOCK ? g->row_block / 2 : 0;
}

void sr_nest_c_transposed_element(struct sr_nest_form *g, const struct sr_nest_instr *in, struct sr_buf *out)
{
	bool is_load = in->op == SR_NEST_LOAD;
	int number = is_load ? first_equal_load(g, in)->result : in->access;
	sr_buf_printf(out, "%c%d[(i%d - d) * %lld + i%d%s]", is_load ? 'z' : 'q', number, g->row_block_loop,
		      (long long)pitch_of(g), g->vector, g->form == SR_NEST_FORM_COLUMNS ? " - c" : "");
}

/* Return true if the loop over blocks that is being written has a local array for instruction `in`. A loop over parallel iterations
 * has the arrays of all stages, a loop over inner iterations those of stage g->stage. */
static bool has_block(const struct sr_nest_form *g, const struct sr_nest_instr *in)
{
	const struct sr_nest_instr *first = sr_nest_instrs(g->t) + sr_nest_stages(g->t)[g->stage].first;
	bool is_inside = g->row_block_loop < g->r->n_parallel || (in >= first && in < first + sr_nest_stages(g->t)[g->stage].n);
	return is_inside && sr_nest_form_is_transposed_row(g, in) && (in->op == SR_NEST_STORE || first_equal_load(g, in) == in);
}

/* Write a call that transposes a block of columns from an input to a local array, or from a local array to an output. */
static void transpose_block(struct sr_nest_form *g, const struct sr_nest_instr *in)
{
	bool is_columns = g->form == SR_NEST_FORM_COLUMNS;
	const char *length = is_columns ? "h - c" : sr_printf(g->arena, "%lld", (long long)g->r->extent[g->vector]);
	const struct sr_nest_access *a = &g->r->accesses[in->access];
	long long pitch = (long long)pitch_of(g), stride = (long long)a->stride[g->vector];
	struct sr_buf element;
	sr_buf_init(&element, g->arena);
	sr_nest_c_element(g, a, &element);
	sr_nest_c_line(g, sr_printf(g->arena, "{ const int64_t i%d = d, i%d = %s;\n", g->row_block_loop, g->vector,
				    is_columns ? "c" : "0"));
	const char *call = sr_printf(g->arena, "\ttranspose_%d(", element_bytes(g, in)), *memory = sr_buf_string(&element);
	if (in->op == SR_NEST_LOAD)
		sr_nest_c_line(g, sr_printf(g->arena, "%s&%s, %lld, z%d, %lld, %s, e - d); }\n", call, memory, stride, in->result,
					    pitch, length));
	else
		sr_nest_c_line(g, sr_printf(g->arena, "%sq%d, %lld, &%s, %lld, e - d, %s); }\n", call, in->access, pitch, memory,
					    stride, length));
}

void sr_nest_c_open_transposed_rows(struct sr_nest_form *g, const char *begin, const char *end)
{
	int l = g->row_block_loop;
	bool is_columns = g->form == SR_NEST_FORM_COLUMNS;
	/* an iteration of the loop over columns reduces g->rows rows */
	int rows = (int)(is_columns ? g->row_block / g->rows * g->rows : g->row_block);
	if (is_columns && g->width > pitch_of(g) && g->r->extent[g->vector] > pitch_of(g))
		sr_bug("a block of %lld columns exceeds its array", (long long)g->width);
	sr_nest_c_line(g, sr_printf(g->arena, "for (int64_t d = %s, e; d < %s; d = e) {\n", begin, end));
	g->indentation++;
	sr_nest_c_line(g, sr_printf(g->arena, "e = d + %d < %s ? d + %d : %s;\n", rows, end, rows, end));
	for (int i = 0; i < g->t->n_instrs; i++) {
		const struct sr_nest_instr *in = &sr_nest_instrs(g->t)[i];
		if (!has_block(g, in))
			continue;
		bool is_load = in->op == SR_NEST_LOAD;
		sr_nest_c_array(g, sr_nest_c_memory_type(g, value_of(in)), is_load ? 'z' : 'q', is_load ? in->result : in->access,
				rows * pitch_of(g));
		if (is_load)
			transpose_block(g, in);
	}
	if (is_columns && g->rows > 1)
		sr_nest_c_line(g, sr_printf(g->arena, "for (int64_t j = d; j < e; j += %d) {\n", g->rows));
	else
		sr_nest_c_line(g, sr_printf(g->arena, "for (int64_t i%d = d; i%d < e; i%d++) {\n", l, l, l));
	g->indentation++;
}

void sr_nest_c_close_transposed_rows(struct sr_nest_form *g)
{
	g->indentation--;
	sr_nest_c_line(g, "}\n");
	for (int i = 0; i < g->t->n_instrs; i++)
		if (sr_nest_instrs(g->t)[i].op == SR_NEST_STORE && has_block(g, &sr_nest_instrs(g->t)[i]))
			transpose_block(g, &sr_nest_instrs(g->t)[i]);
}
