/* Small tables: gathers from tables that vector registers hold, such as a function of 8-bit numbers or the numbers of a codebook,
 * out[i] = table[index[i]].
 *
 * Compilers load such elements one by one, or gather them from memory. Instead, blocks [c, h) of the vector loop have three parts:
 *
 *	for (i in [c, h))  y[i - c] = index[i], clamped;
 *	lookup(x, y, table, h - c);                x[k] = table[y[k]], by permutations of the table's registers
 *	for (i in [c, h))  out[i] = x[i - c];
 *
 * The first loop executes the instructions that the indices depend on, and no others. */
#include "codegen/nest_tables.h"

enum { TABLE_BYTES = 256, BLOCK = SR_NEST_FORM_TABLE_BLOCK };

/* Return the bytes of an element of a table if a load reads a small one, with an index for each iteration of the vector loop; else
 * 0. */
static int small_table_bytes(const struct sr_nest_form *g, const struct sr_nest_instr *in)
{
	const struct sr_nest_access *a = in->op == SR_NEST_LOAD ? &g->r->accesses[in->access] : NULL;
	const struct sr_nest_dim *d = a && a->n_dims == 1 ? &g->r->dims[a->first_dim] : NULL;
	if (!d || d->index < 0 || d->extent > 0 || d->divisor != 1 || a->stride[g->vector] || g->is_unused[in->result] ||
	    g->is_inlined_fill[in->result] || !(g->deps[d->index] >> g->vector & 1))
		return 0;
	for (int l = 0; l < g->r->n_loops; l++)
		if (d->coef[l])
			return 0;
	int bytes = sr_dtype_bytes((enum sr_dtype)sr_nest_values(g->t)[in->result].dtype);
	return bytes <= 4 && d->limit < TABLE_BYTES / bytes ? bytes : 0;
}

/* Mark the values that value v depends on as operands of an index. Return false if they are expensive, or loaded by an index that
 * changes in the vector loop: they are computed twice if other instructions use them. */
static bool mark_index_operands(struct sr_nest_form *g, int v)
{
	const struct sr_nest_instr *in = g->definition[v];
	const struct sr_nest_access *a = in && in->op == SR_NEST_LOAD ? &g->r->accesses[in->access] : NULL;
	if (!in || (in->op == SR_NEST_MAP && sr_kernel_work_class((enum sr_kernel)in->kernel) != SR_WORK_CHEAP))
		return false;
	if (g->is_index_operand[v] || !(g->deps[v] >> g->vector & 1))
		return true;
	bool is_cheap = (!a || !a->n_dims) && (in->op == SR_NEST_LOAD || in->op == SR_NEST_MAP || in->op == SR_NEST_INDEX);
	g->is_index_operand[v] = true;
	for (int k = 0; is_cheap && k < in->n_args; k++)
		is_cheap = mark_index_operands(g, in->args[k]);
	return is_cheap;
}

void sr_nest_form_select_tables(struct sr_nest_form *g)
{
	g->table_bytes = SR_NEW_ARRAY(g->arena, uint8_t, g->t->n_values + 1);
	g->is_index_operand = SR_NEW_ARRAY(g->arena, bool, g->t->n_values + 1);
	if (g->form != SR_NEST_FORM_MAP || g->vector < 0 || g->transposed_loop >= 0 || g->unrolled_loop >= 0 ||
	    g->short_row_loop >= 0 || g->r->extent[g->vector] < BLOCK)
		return;
	for (int i = 0; i < g->t->n_instrs; i++) {
		const struct sr_nest_instr *in = &sr_nest_instrs(g->t)[i];
		int bytes = small_table_bytes(g, in);
		if (!bytes)
			continue;
		bool *previous = sr_dup(g->arena, g->is_index_operand, (size_t)g->t->n_values + 1, sizeof *previous);
		if (mark_index_operands(g, g->r->dims[g->r->accesses[in->access].first_dim].index)) {
			g->table_bytes[in->result] = (uint8_t)bytes;
			g->has_tables = true;
		} else {
			g->is_index_operand = previous;
		}
	}
}

/* Return the dimension of a small table that the load of value v indexes. */
static const struct sr_nest_dim *table_dim(const struct sr_nest_form *g, int v)
{
	return &g->r->dims[g->r->accesses[g->definition[v]->access].first_dim];
}

void sr_nest_c_tables(struct sr_nest_form *g)
{
	for (int v = 0; v < g->t->n_values; v++) {
		if (!g->table_bytes[v])
			continue;
		const struct sr_nest_access *a = &g->r->accesses[g->definition[v]->access];
		const struct sr_nest_dim *d = table_dim(g, v);
		sr_nest_c_array(g, sr_nest_c_memory_type(g, v), 't', v, TABLE_BYTES / g->table_bytes[v]);
		sr_nest_c_line(g, sr_printf(g->arena, "for (int k = 0; k < %lld; k++)\n", (long long)d->limit + 1));
		sr_nest_c_indent(g);
		sr_buf_printf(g->out, "\tt%d[k] = b%d[", v, a->buffer);
		sr_nest_c_affine(g, g->out, a->offset, a->stride, -1);
		sr_buf_printf(g->out, " + %lld * (int64_t)(k + %lld)];\n", (long long)d->stride, (long long)d->offset);
	}
}

/* Write the local arrays of the indices of a block, and of the elements that they select. */
static void block_arrays(struct sr_nest_form *g)
{
	for (int v = 0; v < g->t->n_values; v++) {
		int bytes = g->table_bytes[v], index_bits = bytes == 1 ? 16 : 8 * bytes;
		if (!bytes)
			continue;
		sr_nest_c_array(g, sr_nest_c_memory_type(g, v), 'x', v, BLOCK);
		sr_nest_c_array(g, sr_printf(g->arena, "uint%d_t", index_bits), 'y', v, BLOCK);
	}
}

bool sr_nest_c_lookups(struct sr_nest_form *g, const struct sr_stage_loops *n)
{
	int l = g->vector;
	block_arrays(g);
	sr_nest_c_line(g, "#pragma GCC ivdep\n");
	sr_nest_c_line(g, sr_printf(g->arena, "for (int64_t i%d = c; i%d < h; i%d++) {\n", l, l, l));
	g->indentation++;
	g->is_in_index_loop = true;
	bool is_written = sr_nest_c_instructions(g, n, n->n, SR_NEST_TEST_ALL);
	g->is_in_index_loop = false;
	for (int v = 0; v < g->t->n_values; v++) {
		if (!g->table_bytes[v])
			continue;
		sr_nest_c_indent(g);
		sr_buf_printf(g->out, "y%d[i%d - c] = ", v, l);
		sr_nest_c_clamped_index(g, table_dim(g, v), g->out);
		sr_buf_puts(g->out, ";\n");
	}
	g->indentation--;
	sr_nest_c_line(g, "}\n");
	for (int v = 0; v < g->t->n_values; v++)
		if (g->table_bytes[v])
			sr_nest_c_line(g, sr_printf(g->arena, "lookup_%d(x%d, y%d, t%d, h - c, %lld);\n", g->table_bytes[v], v, v,
						    v, (long long)table_dim(g, v)->limit + 1));
	return is_written;
}
