/* Short rows: one loop in place of the last two loops of a nest whose last loop is shorter than a vector.
 *
 * Example: bits of bytes, out[8 i + k] = in[i] >> k & 1 with k < 8. A vector loop over k fills a part of a vector, and one over i
 * stores with stride 8. Instead, blocks of i are executed by two loops:
 *
 *	for (i in [c, h))  for (k < 8)  x[8 (i - c) + k] = in[i];
 *	for (p in [0, 8 (h - c)))       out[8 c + p] = x[p] >> p % 8 & 1;
 *
 * The first one copies what the second one cannot read in the order of p: values that are equal for the elements of a row, and
 * rows that are gathered or bounded. Values that are equal for all rows, such as k here, are computed for one row, which is then
 * repeated in a local array.
 *
 * The elements of small matrices are one loop, too, without copies, if the nest reads and writes them in order; and so are those of
 * longer rows of elementary functions.
 *
 * Nests that reduce such rows are executed column by column of a block instead (form COLUMNS). There rows are copied from inputs to
 * local arrays, and from local arrays to outputs, since the vector loop over a column would access one element of each row. */
#include "codegen/nest_ranges.h"
#include <string.h>

enum {
	MAX_MATRIX = 64, MIN_ROWS = 64, MIN_ROW_BLOCK = 3, MAX_SHUFFLED = 4, MAX_ROW = 16, MAX_COPIES = 8,
	/* most bytes of a short row, and of one if the nest computes elementary functions */
	MAX_ROW_BYTES = 32, MAX_ELEMENTARY_ROW_BYTES = 128
};

static bool depends_on(const struct sr_nest_form *g, int v, int l)
{
	return g->deps[v] >> l & 1;
}

/* Return true if an indexing map passes through the elements of loops `outer` and `last` at a constant distance, without bounds.
 * Its dynamic indices do not change in these loops. */
static bool is_in_order(const struct sr_nest_form *g, const struct sr_nest_access *a, int outer, int last)
{
	for (int k = 0; k < a->n_dims; k++) {
		const struct sr_nest_dim *d = &g->r->dims[a->first_dim + k];
		bool is_constant = !d->coef[outer] && !d->coef[last] && d->divisor == 1 && d->extent <= 0;
		if (!is_constant || (d->index >= 0 && (depends_on(g, d->index, outer) || depends_on(g, d->index, last))))
			return false;
	}
	return a->stride[outer] == g->r->extent[last] * a->stride[last];
}

/* Return true if a load can be copied row by row: its dynamic indices and its fill value are equal for the elements of a row. */
static bool is_copied_by_rows(const struct sr_nest_form *g, const struct sr_nest_access *a, int last)
{
	bool is_row = a->fill < 0 || !depends_on(g, a->fill, last);
	for (int k = 0; k < a->n_dims; k++) {
		const struct sr_nest_dim *d = &g->r->dims[a->first_dim + k];
		is_row = is_row && (d->index < 0 || !depends_on(g, d->index, last)) && (d->divisor == 1 || !d->coef[last]);
	}
	return is_row;
}

/* Mark an instruction's operands that are equal for the elements of a row, or for all rows but not their elements. Return false if
 * the instruction cannot be executed in one loop over rows and their elements. */
static bool mark_copies(struct sr_nest_form *g, const struct sr_nest_instr *in, int outer, int last, bool *has_maps)
{
	const struct sr_nest_access *a = in->op == SR_NEST_LOAD || in->op == SR_NEST_STORE ? &g->r->accesses[in->access] : NULL;
	if (in->op == SR_NEST_REDUCE || in->op == SR_NEST_FOLD)
		return false;
	if (in->op == SR_NEST_STORE && (!is_in_order(g, a, outer, last) || a->stride[last] != 1))
		return false;
	if (in->op == SR_NEST_LOAD && !is_in_order(g, a, outer, last) && !g->is_unused[in->result]) {
		g->is_copied[in->result] = true;
		return is_copied_by_rows(g, a, last);
	}
	*has_maps = *has_maps || in->op == SR_NEST_MAP;
	for (int i = 0; i < in->n_args; i++)
		if (depends_on(g, in->args[i], last) != depends_on(g, in->args[i], outer))
			g->is_copied[in->args[i]] = true;
	return true;
}

/* Return true if the loops `outer` and `last` of all stages over them can be executed as one loop. */
static bool can_be_one_loop(struct sr_nest_form *g, int outer, int last)
{
	bool has_maps = false, is_possible = true;
	int n_copies = 0;
	for (int s = 0; s < g->t->n_stages; s++) {
		const struct sr_nest_stage *stage = &sr_nest_stages(g->t)[s];
		for (int i = stage->first; is_possible && i < stage->first + stage->n; i++) {
			const struct sr_nest_instr *in = &sr_nest_instrs(g->t)[i];
			bool is_inner = g->form == SR_NEST_FORM_MAP || stage->over_inner;
			bool is_element = in->result < 0 || (depends_on(g, in->result, last) && depends_on(g, in->result, outer));
			if (is_inner && is_element)
				is_possible = mark_copies(g, in, outer, last, &has_maps);
			else if (in->op == SR_NEST_REDUCE || in->op == SR_NEST_FOLD)
				is_possible = false;
		}
	}
	for (int v = 0; v < g->t->n_values; v++) {
		n_copies += g->is_copied[v];
		is_possible = is_possible && g->storage[v] != SR_STORAGE_SAVED;
	}
	return is_possible && has_maps && n_copies <= MAX_COPIES;
}

/* Return true if one loop over rows and their elements loads vectors for an access: its elements are adjacent in the order of the
 * loop, apart from those out of bounds, or are found by an index that the loop computes, which is a gather in any case; or it loads
 * one element for the whole loop. */
static bool is_vector_of_rows(const struct sr_nest_form *g, const struct sr_nest_access *a, int outer, int last)
{
	int64_t of_outer = a->stride[outer], of_last = a->stride[last];
	bool is_gather = false;
	for (int k = 0; k < a->n_dims; k++) {
		const struct sr_nest_dim *d = &g->r->dims[a->first_dim + k];
		of_outer += d->coef[outer] * d->stride;
		of_last += d->coef[last] * d->stride;
		is_gather = is_gather || (d->index >= 0 && depends_on(g, d->index, last));
		if (d->divisor != 1)
			return false;
	}
	return is_gather || (!of_outer && !of_last) || (of_last == 1 && of_outer == g->r->extent[last]);
}

/* Return true if a nest without reductions computes elementary functions of the elements of rows that are no multiple of a vector:
 * one loop over the rows and their elements leaves fewer elements after its last vector than a loop for each row. An elementary
 * function takes as long for one element as for a vector. */
static bool has_elementary_rows(const struct sr_nest_form *g, int outer, int last)
{
	enum { VECTOR = 16, MAX_LENGTH = 256, MIN_ELEMENTS = 64 };
	int64_t length = g->r->extent[last];
	bool has_functions = false;
	if (g->form != SR_NEST_FORM_MAP || g->unrolled_loop >= 0 || g->has_tables || length % VECTOR == 0 ||
	    length > MAX_LENGTH || g->r->extent[outer] * length < MIN_ELEMENTS)
		return false;
	for (int i = 0; i < g->t->n_instrs; i++) {
		const struct sr_nest_instr *in = &sr_nest_instrs(g->t)[i];
		bool is_store = in->op == SR_NEST_STORE, is_load = in->op == SR_NEST_LOAD;
		const struct sr_nest_access *a = is_store || is_load ? &g->r->accesses[in->access] : NULL;
		if (in->op == SR_NEST_FOLD || (a && !is_vector_of_rows(g, a, outer, last)) ||
		    (is_store && (a->n_dims || a->stride[last] != 1)))
			return false;
		has_functions = has_functions || (sr_nest_form_is_elementary(g, in) && depends_on(g, in->result, last));
	}
	return has_functions;
}

/* Return the number of bytes of the widest element that the nest stores. */
static int64_t stored_bytes(const struct sr_nest_form *g)
{
	int64_t bytes = 1;
	for (int i = 0; i < g->t->n_instrs; i++) {
		const struct sr_nest_instr *in = &sr_nest_instrs(g->t)[i];
		int64_t n = in->op == SR_NEST_STORE ? sr_dtype_bytes((enum sr_dtype)sr_nest_values(g->t)[in->args[0]].dtype) : 0;
		bytes = n > bytes ? n : bytes;
	}
	return bytes;
}

/* Compilers load strided elements of shorter rows with shuffles. A copy is no gain if an outer loop repeats it, unless it does not
 * change in all outer loops, which are then inside the loop over blocks. */
bool sr_nest_form_is_in_row_block(const struct sr_nest_form *g, const struct sr_nest_instr *in)
{
	if (!g->has_row_blocks || (in->op != SR_NEST_LOAD && in->op != SR_NEST_STORE))
		return false;
	const struct sr_nest_access *a = &g->r->accesses[in->access];
	int last = g->r->n_loops - 1;
	bool is_repeated = false;
	for (int l = 0; l < g->vector; l++)
		is_repeated = is_repeated || !a->stride[l];
	return !a->n_dims && a->stride[last] == 1 && a->stride[g->vector] >= MIN_ROW_BLOCK &&
	       (!is_repeated || g->r->extent[last] > MAX_SHUFFLED || sr_nest_form_is_equal_block(g, in));
}

bool sr_nest_form_is_equal_block(const struct sr_nest_form *g, const struct sr_nest_instr *in)
{
	const struct sr_nest_access *a = in->op == SR_NEST_LOAD ? &g->r->accesses[in->access] : NULL;
	for (int l = 0; a && l < g->vector; l++)
		if (a->stride[l])
			return false;
	return a && g->vector > 0;
}

const struct sr_nest_instr *sr_nest_form_first_equal_load(const struct sr_nest_form *g, const struct sr_nest_instr *in)
{
	const struct sr_nest_access *a = &g->r->accesses[in->access];
	for (const struct sr_nest_instr *other = sr_nest_instrs(g->t); other < in; other++) {
		const struct sr_nest_access *b = other->op == SR_NEST_LOAD ? &g->r->accesses[other->access] : NULL;
		if (b && sr_nest_form_is_in_row_block(g, other) && b->buffer == a->buffer && b->offset == a->offset &&
		    !memcmp(b->stride, a->stride, (size_t)g->r->n_loops * sizeof *a->stride))
			return other;
	}
	return in;
}

/* Blocks of rows are copied if each is short, and no stage has several accumulators for a column. */
static bool has_row_blocks(const struct sr_nest_form *g)
{
	const struct sr_nest_prepared *r = g->r;
	int last = r->n_loops - 1;
	if (g->form != SR_NEST_FORM_COLUMNS || r->n_loops != r->n_parallel + 1 || r->extent[last] > MAX_ROW ||
	    r->extent[last] < MIN_ROW_BLOCK || r->extent[g->vector] < MIN_ROWS)
		return false;
	for (int s = 0; s < g->t->n_stages; s++)
		if (sr_nest_stage_lanes(sr_nest_stages(g->t) + s) > 1)
			return false;
	return true;
}

/* Return true if the last two loops of a nest without reductions are over the elements of small matrices, which it loads and
 * stores in order. All other values are equal for a matrix, or are computed from the indices. */
static bool has_small_matrices(const struct sr_nest_form *g, int outer, int last)
{
	int64_t n = g->r->extent[outer] * g->r->extent[last];
	bool has_maps = false;
	if (g->form != SR_NEST_FORM_MAP || g->unrolled_loop >= 0 || outer < 1 || g->r->extent[outer] < 2 || n > MAX_MATRIX)
		return false;
	for (int i = 0; i < g->t->n_instrs; i++) {
		const struct sr_nest_instr *in = &sr_nest_instrs(g->t)[i];
		bool is_store = in->op == SR_NEST_STORE, is_load = in->op == SR_NEST_LOAD;
		const struct sr_nest_access *a = is_load || is_store ? &g->r->accesses[in->access] : NULL;
		bool is_equal = is_load && !depends_on(g, in->result, outer) && !depends_on(g, in->result, last);
		if (in->op == SR_NEST_REDUCE || in->op == SR_NEST_FOLD)
			return false;
		if (a && !is_equal && (!is_in_order(g, a, outer, last) || a->stride[last] != 1))
			return false;
		has_maps = has_maps || in->op == SR_NEST_MAP;
	}
	return has_maps;
}

/* Store operands of a comparison in local arrays of fewer bytes than their type has, if nothing else reads them. */
static void select_copied_bytes(struct sr_nest_form *g, const struct sr_nest_instr *in, const int *n_uses)
{
	int type_bytes = sr_dtype_bytes((enum sr_dtype)sr_nest_values(g->t)[in->args[0]].dtype);
	for (int bytes = (int)stored_bytes(g); bytes < type_bytes; bytes *= 2) {
		struct sr_nest_range limits[2];
		bool is_possible = true, is_clamped;
		for (int k = 0; k < 2; k++) {
			int v = in->args[k];
			bool is_constant = g->definition[v] && g->definition[v]->op == SR_NEST_CONSTANT;
			is_possible = is_possible && (is_constant || (g->is_copied[v] && n_uses[v] == 1)) &&
				      sr_nest_form_compares_in(g, in, k, bytes, &limits[k], &is_clamped) &&
				      !(is_clamped && is_constant);
		}
		for (int k = 0; is_possible && k < 2; k++) {
			g->copied_bytes[in->args[k]] = (uint8_t)bytes;
			g->copied_limits[in->args[k]] = limits[k];
		}
		if (is_possible)
			return;
	}
}

static void select_copied_types(struct sr_nest_form *g)
{
	int *n_uses = SR_NEW_ARRAY(g->arena, int, g->t->n_values + 1);
	for (int i = 0; i < g->t->n_instrs; i++) {
		const struct sr_nest_instr *in = &sr_nest_instrs(g->t)[i];
		const struct sr_nest_access *a = in->op == SR_NEST_LOAD ? &g->r->accesses[in->access] : NULL;
		for (int k = 0; k < in->n_args; k++)
			n_uses[in->args[k]]++;
		if (a && a->fill >= 0)
			n_uses[a->fill]++;
		for (int k = 0; a && k < a->n_dims; k++)
			if (g->r->dims[a->first_dim + k].index >= 0)
				n_uses[g->r->dims[a->first_dim + k].index]++;
	}
	for (int i = 0; i < g->t->n_instrs; i++) {
		const struct sr_nest_instr *in = &sr_nest_instrs(g->t)[i];
		if (in->op == SR_NEST_MAP && in->kernel == SR_KERNEL_COMPARE &&
		    sr_dtype_is_integer((enum sr_dtype)sr_nest_values(g->t)[in->args[0]].dtype))
			select_copied_bytes(g, in, n_uses);
	}
}

/* Return true if a loop over the elements of rows takes less time than a loop over rows that is unrolled along them: the first one
 * reads vectors without shuffles if it only copies what is equal for all rows, and the second one is not vectorized for bytes that
 * depend on their number in the row. */
static bool is_faster_than_unrolled(const struct sr_nest_form *g, int outer)
{
	bool is_row_equal = true;
	for (int v = 0; v < g->t->n_values; v++)
		is_row_equal = is_row_equal && !(g->is_copied[v] && depends_on(g, v, outer));
	return is_row_equal || stored_bytes(g) == 1;
}

/* Return the most bytes of a row that is short. */
static int64_t max_row_bytes(const struct sr_nest_form *g, int outer, int last)
{
	for (int i = 0; i < g->t->n_instrs; i++) {
		const struct sr_nest_instr *in = &sr_nest_instrs(g->t)[i];
		if (sr_nest_form_is_elementary(g, in) && depends_on(g, in->result, outer))
			return MAX_ELEMENTARY_ROW_BYTES;
	}
	return MAX_ROW_BYTES;
}

void sr_nest_form_select_short_rows(struct sr_nest_form *g)
{
	const struct sr_nest_prepared *r = g->r;
	int last = r->n_loops - 1, outer = last - 1, n_inner = r->n_loops - r->n_parallel;
	g->short_row_loop = -1;
	g->has_row_blocks = has_row_blocks(g);
	g->is_copied = SR_NEW_ARRAY(g->arena, bool, g->t->n_values + 1);
	g->copied_bytes = SR_NEW_ARRAY(g->arena, uint8_t, g->t->n_values + 1);
	g->copied_limits = SR_NEW_ARRAY(g->arena, struct sr_nest_range, g->t->n_values + 1);
	if (outer < 0 || g->is_reversed || g->transposed_loop >= 0 || g->form == SR_NEST_FORM_ROWS ||
	    (g->form == SR_NEST_FORM_COLUMNS && n_inner != 1))
		return;
	if (has_elementary_rows(g, outer, last)) {
		g->has_small_matrices = true;
		g->short_row_loop = last;
		g->vector = outer;
		return;
	}
	if (r->extent[last] > MAX_ROW || r->extent[last] * stored_bytes(g) > max_row_bytes(g, outer, last))
		return;
	if (has_small_matrices(g, outer, last)) {
		g->has_small_matrices = true;
		g->short_row_loop = last;
		g->vector = outer;
		return;
	}
	if (r->extent[outer] < MIN_ROWS)
		return;
	if (!can_be_one_loop(g, outer, last) || (g->unrolled_loop >= 0 && !is_faster_than_unrolled(g, outer))) {
		memset(g->is_copied, 0, (size_t)g->t->n_values * sizeof *g->is_copied);
		return;
	}
	g->has_row_blocks = false;
	g->unrolled_loop = -1;
	g->short_row_loop = last;
	g->vector = outer;
	select_copied_types(g);
}

bool sr_nest_form_copies_bounded_rows(const struct sr_nest_form *g)
{
	for (int v = 0; v < g->t->n_values; v++) {
		const struct sr_nest_instr *in = g->definition[v];
		bool is_row = g->is_copied[v] && depends_on(g, v, g->vector) && depends_on(g, v, g->short_row_loop);
		const struct sr_nest_access *a = is_row && in && in->op == SR_NEST_LOAD ? &g->r->accesses[in->access] : NULL;
		if (a && sr_nest_form_has_bounds(g, a))
			return true;
	}
	return false;
}

bool sr_nest_form_has_bounded_values(const struct sr_nest_form *g, const struct sr_stage_loops *n)
{
	bool has_bounds = false;
	for (int s = n->first_stage; s <= n->last_stage; s++)
		for (int i = 0; i < sr_nest_stages(g->t)[s].n; i++) {
			const struct sr_nest_instr *in = &sr_nest_instrs(g->t)[sr_nest_stages(g->t)[s].first + i];
			has_bounds |= in->op == SR_NEST_LOAD && sr_nest_form_has_bounds(g, &g->r->accesses[in->access]) &&
				      sr_nest_form_loop_depth(g, n, in) < n->n;
		}
	return has_bounds && n->n > 1 && g->r->extent[g->vector] <= SR_NEST_FORM_UNROLLED;
}
