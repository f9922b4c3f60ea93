/* Select the form of a loop nest's generated function. */
#include "codegen/nest_masks.h"
#include "codegen/nest_ranges.h"
#include "codegen/nest_tables.h"
#include "codegen/nest_transposed_rows.h"
#include "support/checked.h"
#include <string.h>

enum { ROW_BYTES = 512 << 10, MAX_WIDTH = 1024, CHUNK_ITERATIONS = 1 << 15, SHORT_LOOP = 16, MAX_FLAT_COLUMNS = 64 };

static int transposed_loop(const struct sr_nest_form *g)
{
	int last = g->r->n_loops - 1;
	for (int i = 0; i < g->t->n_accesses; i++) {
		const struct sr_nest_access *a = &g->r->accesses[i];
		for (int l = 0; l < last; l++)
			if (a->buffer >= 0 && !a->n_dims && a->stride[l] == 1 && a->stride[last] > 1)
				return l;
	}
	return -1;
}

/* Return true if all transposed inputs are arrays of at most INTERLEAVED elements, which the transposed loop reads one after
 * another: compilers load them with shuffles, or gathers from few cache lines. */
static bool is_interleaved(const struct sr_nest_form *g)
{
	enum { INTERLEAVED = 4 };
	bool is_short = g->r->extent[g->transposed_loop] <= INTERLEAVED;
	for (int i = 0; i < g->t->n_accesses && is_short; i++) {
		const struct sr_nest_access *a = &g->r->accesses[i];
		if (a->buffer >= 0 && !a->n_dims && a->stride[g->transposed_loop] == 1)
			is_short = a->stride[g->vector] <= INTERLEAVED;
	}
	return is_short;
}

/* Return the number of bytes of the elements that a load or a store accesses. */
static int64_t element_bytes(const struct sr_nest_form *g, const struct sr_nest_instr *in)
{
	return sr_dtype_bytes((enum sr_dtype)sr_nest_values(g->t)[in->op == SR_NEST_LOAD ? in->result : in->args[0]].dtype);
}

/* Return true if all loads of interleaved inputs read pixels of bytes, and values have more bytes. */
static bool is_split(const struct sr_nest_form *g)
{
	bool is_wider = false;
	for (int i = 0; i < g->t->n_instrs; i++) {
		const struct sr_nest_instr *in = &sr_nest_instrs(g->t)[i];
		if (in->op != SR_NEST_LOAD && in->op != SR_NEST_STORE)
			continue;
		const struct sr_nest_access *a = &g->r->accesses[in->access];
		is_wider = is_wider || (in->op == SR_NEST_STORE && element_bytes(g, in) > 1);
		if (a->n_dims || a->stride[g->transposed_loop] != 1 || a->stride[g->vector] == 0)
			continue;
		bool is_dense = a->stride[g->vector] == g->r->extent[g->transposed_loop];
		if (in->op == SR_NEST_STORE || element_bytes(g, in) != 1 || !is_dense)
			return false;
	}
	return is_wider;
}

bool sr_nest_form_is_reversed(const struct sr_nest_form *g, const struct sr_nest_instr *in)
{
	if (g->unrolled_loop < 0 || in->op != SR_NEST_LOAD || element_bytes(g, in) != 1)
		return false;
	const struct sr_nest_access *a = &g->r->accesses[in->access];
	return a->stride[g->unrolled_loop] == 1 && a->stride[g->vector] == -g->r->extent[g->unrolled_loop];
}

int sr_nest_form_block_columns(const struct sr_nest_form *g)
{
	return g->is_interleaved || g->is_reversed ? SR_NEST_FORM_INTERLEAVED_COLUMNS : SR_NEST_FORM_BLOCK_COLUMNS;
}

/* Return the number of stages that pass over the inner loops. */
static int count_passes(const struct sr_nest_form *g)
{
	int n = 0;
	for (int s = 0; s < g->t->n_stages; s++)
		n += sr_nest_stages(g->t)[s].over_inner;
	return n;
}

/* Return true if the nest only reduces integers, in any order, along one loop of few iterations, along which it reads arrays
 * contiguously that the vector loop would read with that stride. Compilers unroll such a loop, and load several rows with shuffles.
 * Several passes over the same rows, as of an argmax, are vectorized only if a row's elements are three or a power of two. */
static bool reduces_short_integer_rows(const struct sr_nest_form *g)
{
	enum { MAX_SHUFFLED = 4 };
	const struct sr_nest_prepared *r = g->r;
	int64_t n = r->extent[r->n_loops - 1];
	bool reads_rows = false, is_shuffled = n <= MAX_SHUFFLED || !(n & (n - 1));
	if (r->n_loops != r->n_parallel + 1 || (!is_shuffled && count_passes(g) > 1))
		return false;
	for (int i = 0; i < g->t->n_instrs; i++) {
		const struct sr_nest_instr *in = sr_nest_instrs(g->t) + i;
		bool is_integer = in->result >= 0 && sr_dtype_is_integer((enum sr_dtype)sr_nest_values(g->t)[in->result].dtype);
		if (in->op == SR_NEST_FOLD || (in->op == SR_NEST_REDUCE && !is_integer))
			return false;
	}
	for (int i = 0; i < g->t->n_accesses; i++) {
		const struct sr_nest_access *a = &r->accesses[i];
		if (a->buffer < 0 || !a->stride[r->n_parallel])
			continue;
		if (a->n_dims || a->stride[r->n_parallel] != 1 || a->stride[r->n_parallel - 1] != r->extent[r->n_parallel])
			return false;
		reads_rows = true;
	}
	return reads_rows;
}

static bool has_reductions(const struct sr_nest_form *g)
{
	for (int i = 0; i < g->t->n_instrs; i++)
		if (sr_nest_instrs(g->t)[i].op == SR_NEST_REDUCE || sr_nest_instrs(g->t)[i].op == SR_NEST_FOLD)
			return true;
	return false;
}

/* Return true if the last loop is short, the one around it long, and each indexing map affine in them. */
static bool is_last_loop_unrolled(const struct sr_nest_form *g)
{
	enum { MAX_UNROLLED = 4, MIN_VECTOR_LOOP = 64 };
	const struct sr_nest_prepared *r = g->r;
	int last = r->n_loops - 1;
	if (last < 1 || r->extent[last] > MAX_UNROLLED || r->extent[last - 1] < MIN_VECTOR_LOOP)
		return false;
	for (int i = 0; i < g->t->n_accesses; i++)
		if (r->accesses[i].n_dims)
			return false;
	return !has_reductions(g);
}

/* Return true if the nest reduces nothing, and stores an element in each iteration. */
static bool only_computes_elements(const struct sr_nest_form *g)
{
	for (int i = 0; i < g->t->n_instrs; i++) {
		const struct sr_nest_instr *in = &sr_nest_instrs(g->t)[i];
		if (in->op == SR_NEST_STORE && !g->r->accesses[in->access].stride[g->r->n_loops - 1])
			return false;
	}
	return !has_reductions(g);
}

static void select_loops(struct sr_nest_form *g)
{
	const struct sr_nest_prepared *r = g->r;
	int p = r->n_parallel, n = r->n_loops;
	g->vector = n - 1;
	g->transposed_loop = g->unrolled_loop = -1;
	if (p >= n - 1 && is_last_loop_unrolled(g)) {
		g->form = SR_NEST_FORM_MAP;
		g->unrolled_loop = n - 1;
		g->vector = n - 2;
		for (int i = 0; i < g->t->n_instrs; i++)
			g->is_reversed = g->is_reversed || sr_nest_form_is_reversed(g, &sr_nest_instrs(g->t)[i]);
	} else if (p == n) {
		g->form = SR_NEST_FORM_MAP;
		g->transposed_loop = n > 1 ? transposed_loop(g) : -1;
		g->is_interleaved = g->transposed_loop >= 0 && is_interleaved(g);
		g->is_split = g->is_interleaved && is_split(g);
	} else if (sr_nest_reduces_columns(r) && !reduces_short_integer_rows(g)) {
		g->form = SR_NEST_FORM_COLUMNS;
		g->vector = p - 1;
	} else if (p == n - 1 && r->extent[p] <= SHORT_LOOP && only_computes_elements(g)) {
		g->form = SR_NEST_FORM_MAP;
	} else {
		g->form = SR_NEST_FORM_ROWS;
	}
}

/* ---- dependences and storage of values ---- */

static uint32_t loops_with_coefficients(const struct sr_nest_form *g, const int64_t *coef)
{
	uint32_t deps = 0;
	for (int l = 0; l < g->r->n_loops; l++)
		deps |= coef[l] ? (uint32_t)1 << l : 0;
	return deps;
}

static uint32_t map_dependences(const struct sr_nest_form *g, const struct sr_nest_access *a)
{
	uint32_t deps = loops_with_coefficients(g, a->stride);
	if (a->fill >= 0)
		deps |= g->deps[a->fill];
	for (int k = 0; k < a->n_dims; k++) {
		const struct sr_nest_dim *d = &g->r->dims[a->first_dim + k];
		deps |= loops_with_coefficients(g, d->coef) | (d->index >= 0 ? g->deps[d->index] : 0);
	}
	return deps;
}

static void set_dependences(struct sr_nest_form *g, const struct sr_nest_instr *in, int stage, bool over_inner_loops)
{
	uint32_t inner_loops = ((uint32_t)1 << g->r->n_loops) - ((uint32_t)1 << g->r->n_parallel), deps = 0;
	int n = in->op == SR_NEST_FOLD ? in->n_folds : in->result >= 0;
	bool is_reduction = in->op == SR_NEST_REDUCE || in->op == SR_NEST_FOLD;
	for (int i = 0; i < in->n_args; i++)
		deps |= g->deps[in->args[i]];
	if (in->op == SR_NEST_LOAD || in->op == SR_NEST_INDEX)
		deps |= map_dependences(g, &g->r->accesses[in->access]);
	if (is_reduction)
		deps = g->form == SR_NEST_FORM_COLUMNS ? (deps & ~inner_loops) | (uint32_t)1 << g->vector : deps & ~inner_loops;
	for (int k = 0; k < n; k++) {
		int v = in->result + k;
		g->definition[v] = in;
		g->stage_of[v] = g->form == SR_NEST_FORM_MAP ? 0 : stage;
		g->is_accumulator[v] = is_reduction;
		g->deps[v] = deps;
		if (g->form == SR_NEST_FORM_MAP || in->op == SR_NEST_CONSTANT)
			continue;
		if (sr_nest_values(g->t)[v].is_saved && over_inner_loops) {
			g->deps[v] |= inner_loops | (g->form == SR_NEST_FORM_COLUMNS ? (uint32_t)1 << g->vector : 0);
			g->storage[v] = SR_STORAGE_SAVED;
		} else if (g->form == SR_NEST_FORM_COLUMNS && (is_reduction || !over_inner_loops) && (g->deps[v] >> g->vector & 1)) {
			g->storage[v] = SR_STORAGE_BLOCK;
		}
	}
}

/* Find loads that are used only as fill values, in the same stage and loop as the load that they fill. They become a part of
 * that load's expression. */
static void find_inlined_fills(struct sr_nest_form *g)
{
	bool *is_read_elsewhere = SR_NEW_ARRAY(g->arena, bool, g->t->n_values + 1);
	for (int i = 0; i < g->t->n_instrs; i++) {
		const struct sr_nest_instr *in = sr_nest_instrs(g->t) + i;
		const struct sr_nest_access *a = in->op == SR_NEST_LOAD ? &g->r->accesses[in->access] : NULL;
		for (int k = 0; k < in->n_args; k++)
			is_read_elsewhere[in->args[k]] = true;
		for (int k = 0; in->op == SR_NEST_FOLD && k < in->n_folds; k++)
			is_read_elsewhere[in->body_results[k]] = true;
		for (int k = 0; a && k < a->n_dims; k++)
			if (g->r->dims[a->first_dim + k].index >= 0)
				is_read_elsewhere[g->r->dims[a->first_dim + k].index] = true;
		if (a && a->fill >= 0) {
			bool is_elsewhere = g->stage_of[a->fill] != g->stage_of[in->result] ||
					    g->deps[a->fill] != g->deps[in->result];
			is_read_elsewhere[a->fill] = is_read_elsewhere[a->fill] || is_elsewhere;
			g->is_inlined_fill[a->fill] = g->definition[a->fill] && g->definition[a->fill]->op == SR_NEST_LOAD;
		}
	}
	for (int v = 0; v < g->t->n_values; v++)
		g->is_inlined_fill[v] = g->is_inlined_fill[v] && !is_read_elsewhere[v] && g->storage[v] == SR_STORAGE_SCALAR;
}

static bool init_values(struct sr_nest_form *g)
{
	size_t n = (size_t)g->t->n_values + 1;
	g->deps = SR_NEW_ARRAY(g->arena, uint32_t, n);
	g->storage = SR_NEW_ARRAY(g->arena, uint8_t, n);
	g->is_accumulator = SR_NEW_ARRAY(g->arena, bool, n);
	g->is_inlined_fill = SR_NEW_ARRAY(g->arena, bool, n);
	g->has_clamped_index = SR_NEW_ARRAY(g->arena, bool, g->t->n_dims + 1);
	g->has_limited_operand = SR_NEW_ARRAY(g->arena, bool, n);
	g->is_unused = sr_nest_find_unused(g->r, g->arena);
	g->stage_of = SR_NEW_ARRAY(g->arena, int, n);
	g->definition = SR_NEW_ARRAY(g->arena, const struct sr_nest_instr *, n);
	for (int v = 0; v < g->t->n_values; v++) {
		g->stage_of[v] = -1;
		enum sr_dtype type = (enum sr_dtype)sr_nest_values(g->t)[v].dtype;
		if (!sr_c_type_of(type))
			return false;
		g->functions->has_small_floats |= sr_c_is_small_float(type);
	}
	for (int s = 0; s < g->t->n_stages; s++)
		for (int i = 0; i < sr_nest_stages(g->t)[s].n; i++) {
			const struct sr_nest_instr *in = sr_nest_instrs(g->t) + sr_nest_stages(g->t)[s].first + i;
			set_dependences(g, in, s, sr_nest_stages(g->t)[s].over_inner);
			for (int k = 0; in->op == SR_NEST_FOLD && k < in->n_body; k++)
				g->definition[sr_nest_instrs(g->t)[in->body + k].result] = sr_nest_instrs(g->t) + in->body + k;
		}
	find_inlined_fills(g);
	return true;
}

/* ---- block sizes ---- */

int64_t sr_nest_form_copies(const struct sr_nest_form *g, int v)
{
	if (g->storage[v] == SR_STORAGE_SAVED)
		return g->r->inner_iterations;
	bool has_lanes = g->is_accumulator[v] && g->definition[v]->op == SR_NEST_REDUCE;
	return has_lanes ? sr_nest_stage_lanes(sr_nest_stages(g->t) + g->stage_of[v]) : 1;
}

/* Return the bytes of the local arrays for one row, or for one column of a block. */
static int64_t row_bytes(const struct sr_nest_form *g)
{
	int64_t bytes = 0;
	for (int v = 0; v < g->t->n_values; v++)
		if (g->storage[v] != SR_STORAGE_SCALAR)
			bytes += sr_dtype_bytes((enum sr_dtype)sr_nest_values(g->t)[v].dtype) * 2 * sr_nest_form_copies(g, v);
	return bytes;
}

bool sr_nest_form_is_flat(const struct sr_nest_form *g, const struct sr_nest_stage *stage)
{
	bool has_lanes = stage->over_inner && stage->lanes > 1;
	return g->form == SR_NEST_FORM_COLUMNS && has_lanes && g->r->extent[g->vector] <= MAX_FLAT_COLUMNS;
}

static bool is_any_stage_flat(const struct sr_nest_form *g)
{
	for (int s = 0; s < g->t->n_stages; s++)
		if (sr_nest_form_is_flat(g, sr_nest_stages(g->t) + s))
			return true;
	return false;
}

/* Return the least number of columns in a task of a thread: few columns of many rows are divided, too, so that several threads read
 * them. One thread executes neighbouring tasks as one block. */
static int64_t min_columns(const struct sr_nest_form *g, int64_t rows)
{
	enum { MIN_COLUMNS = 32, CHUNKS = 4 };
	int64_t columns = (g->r->extent[0] / CHUNKS + MIN_COLUMNS - 1) / MIN_COLUMNS * MIN_COLUMNS;
	bool is_divided = g->form == SR_NEST_FORM_COLUMNS && !is_any_stage_flat(g) && rows >= CHUNK_ITERATIONS / MIN_COLUMNS;
	if (is_divided && columns < g->width)
		return columns > MIN_COLUMNS ? columns : MIN_COLUMNS;
	return g->width > 64 ? g->width : 64;
}

bool sr_nest_form_is_one_task(const struct sr_nest_form *g)
{
	return g->form == SR_NEST_FORM_COLUMNS && g->vector == 0 && sr_nest_is_one_task(g->r) && g->r->extent[0] <= g->grain;
}

static bool select_blocks(struct sr_nest_form *g)
{
	int64_t inner_iterations = 1, bytes = row_bytes(g), min_grain = 1;
	for (int l = 1; l < g->r->n_loops; l++)
		inner_iterations *= g->r->extent[l];
	g->width = 1;
	if (is_any_stage_flat(g))
		g->width = g->r->extent[g->vector];
	else if (g->short_row_loop >= 0 || g->has_row_blocks)
		g->width = SR_NEST_FORM_SHORT_ROWS;
	else if (g->form == SR_NEST_FORM_COLUMNS)
		for (g->width = MAX_WIDTH; g->width > SHORT_LOOP && g->width * bytes > ROW_BYTES; g->width /= 2)
			;
	if (g->width * bytes > ROW_BYTES)
		return false;
	if (g->vector == 0)
		min_grain = min_columns(g, inner_iterations);
	else if (g->transposed_loop == 0)
		min_grain = SR_NEST_FORM_BLOCK_ROWS;
	else if (g->row_block && g->row_block_loop == 0)
		min_grain = g->row_block;
	g->grain = CHUNK_ITERATIONS / inner_iterations / min_grain * min_grain;
	g->grain = g->grain < min_grain ? min_grain : g->grain;
	if (sr_nest_form_is_one_task(g))
		g->width = g->r->extent[0];
	return true;
}

/* ---- streamed stores ---- */

/* Return true if a store of elements of this size gains from streaming: it writes long rows that are contiguous along the vector
 * loop. In a nest with transposed inputs, which is executed block by block, the rows of a block must consist of full cache lines. */
static bool has_long_rows(const struct sr_nest_form *g, const struct sr_nest_access *a, int64_t element)
{
	enum { LINE_BYTES = 64, MIN_BLOCK_BYTES = 256 };
	if (a->n_dims || a->stride[g->vector] != 1)
		return false;
	if (g->transposed_loop < 0)
		return g->r->extent[g->vector] >= SR_NEST_FORM_STREAM_BLOCK / element;
	return !g->is_interleaved && g->r->extent[g->vector] >= SR_NEST_FORM_BLOCK_COLUMNS &&
	       a->stride[g->transposed_loop] * element % LINE_BYTES == 0 && SR_NEST_FORM_BLOCK_COLUMNS * element >= MIN_BLOCK_BYTES;
}

/* Select the outputs whose stores may be streamed: each by one store, with long rows. */
static void select_streams(struct sr_nest_form *g)
{
	int n_stores[SR_NEST_MAX_BUFFERS] = {0};
	if (g->form == SR_NEST_FORM_COLUMNS || g->vector < 0 || g->unrolled_loop >= 0)
		return;
	for (int i = 0; i < g->t->n_instrs; i++) {
		const struct sr_nest_instr *in = sr_nest_instrs(g->t) + i;
		if (in->op != SR_NEST_STORE)
			continue;
		const struct sr_nest_access *a = &g->r->accesses[in->access];
		int64_t element = sr_dtype_bytes((enum sr_dtype)sr_nest_values(g->t)[in->args[0]].dtype), bytes = element;
		for (int l = 0; l < g->r->n_loops; l++)
			if (a->stride[l] && sr_mul_overflows(bytes, g->r->extent[l], &bytes))
				bytes = INT64_MAX;
		if (sr_add_overflows(g->output_bytes, bytes, &g->output_bytes))
			g->output_bytes = INT64_MAX;
		g->is_streamed[a->buffer] = !n_stores[a->buffer]++ && has_long_rows(g, a, element);
	}
	if (g->output_bytes < SR_NEST_FORM_STREAMED)
		memset(g->is_streamed, 0, sizeof g->is_streamed);
}

/* ---- prefetches ---- */

/* Return the number of bytes that a nest reads by an indexing map if they can be prefetched, else 0. In form ROWS the loops must
 * read the elements in the order of their addresses, without gaps and repetitions. In form COLUMNS each iteration of the last inner
 * loop must read a contiguous row of its own. */
static int64_t prefetchable_bytes(const struct sr_nest_form *g, const struct sr_nest_access *a, int64_t element)
{
	int64_t elements = 1, last = g->r->n_loops - 1;
	bool is_in_order = true, reads_rows = a->stride[g->vector] == 1 && a->stride[last];
	for (int64_t l = last; l >= 0; l--) {
		is_in_order = is_in_order && (a->stride[l] == elements || g->r->extent[l] == 1);
		if (a->stride[l] && sr_mul_overflows(elements, g->r->extent[l], &elements))
			return 0;
	}
	if (a->n_dims || !(g->form == SR_NEST_FORM_ROWS ? is_in_order : reads_rows))
		return 0;
	return elements * element;
}

/* Select the inputs that the first stage of a reduction prefetches by full cache lines. Later stages find them in the caches. */
static void select_prefetches(struct sr_nest_form *g)
{
	enum { LINE_BYTES = 64 };
	int64_t prefetched_bytes = 0, n_instrs = g->t->n_instrs;
	const struct sr_nest_stage *stage = sr_nest_stages(g->t), *end = stage + g->t->n_stages;
	g->is_prefetched = SR_NEW_ARRAY(g->arena, bool, n_instrs + 1);
	while (stage < end && !stage->over_inner)
		stage++;
	if (g->form == SR_NEST_FORM_MAP || stage == end || sr_nest_form_is_flat(g, stage))
		return;
	for (int i = stage->first; i < stage->first + stage->n; i++) {
		const struct sr_nest_instr *in = &sr_nest_instrs(g->t)[i];
		if (in->op != SR_NEST_LOAD)
			continue;
		const struct sr_nest_access *a = &g->r->accesses[in->access];
		int64_t element = sr_dtype_bytes((enum sr_dtype)sr_nest_values(g->t)[in->result].dtype);
		int64_t bytes = prefetchable_bytes(g, a, element);
		bool reads_lines = g->form == SR_NEST_FORM_COLUMNS || element * sr_nest_stage_lanes(stage) >= LINE_BYTES;
		if (!bytes || !reads_lines)
			continue;
		g->is_prefetched[i] = true;
		if (sr_add_overflows(prefetched_bytes, bytes, &prefetched_bytes))
			prefetched_bytes = INT64_MAX;
	}
	if (prefetched_bytes < (g->form == SR_NEST_FORM_ROWS ? SR_NEST_FORM_PREFETCHED : SR_NEST_FORM_PREFETCHED_COLUMNS))
		memset(g->is_prefetched, 0, (size_t)n_instrs * sizeof *g->is_prefetched);
}

/* ---- gathers ---- */

/* Return an upper bound of the distance in bytes between elements that are read by an indexing map. */
static int64_t table_bytes(const struct sr_nest_form *g, const struct sr_nest_access *a, int64_t element)
{
	int64_t bytes = 0, term;
	for (int l = 0; l < g->r->n_loops; l++)
		if (sr_mul_overflows(a->stride[l], g->r->extent[l], &term) || sr_mul_overflows(term, element, &term) ||
		    sr_add_overflows(bytes, term < 0 ? -term : term, &bytes))
			return INT64_MAX;
	for (int k = 0; k < a->n_dims; k++) {
		const struct sr_nest_dim *d = &g->r->dims[a->first_dim + k];
		if (sr_mul_overflows(d->stride, d->limit, &term) || sr_mul_overflows(term, element, &term) ||
		    sr_add_overflows(bytes, term < 0 ? -term : term, &bytes))
			return INT64_MAX;
	}
	return bytes;
}

/* Return true if a load has an index that varies along loop l. */
static bool is_gather_along(const struct sr_nest_form *g, const struct sr_nest_instr *in, int l)
{
	const struct sr_nest_access *a = in->op == SR_NEST_LOAD ? &g->r->accesses[in->access] : NULL;
	for (int k = 0; a && k < a->n_dims; k++) {
		int index = g->r->dims[a->first_dim + k].index;
		if (index >= 0 && g->deps[index] >> l & 1)
			return true;
	}
	return false;
}

/* Return true if a nest of form MAP mostly gathers elements of arrays that exceed the caches of a core. The gather
 * instructions of a vectorized loop merge elements into one register (GCC 12), so that each waits for the one before it, and their
 * cache misses do not overlap. The cache misses of scalar loads, whose results are then combined to vectors, overlap. */
static bool mostly_gathers(const struct sr_nest_form *g)
{
	enum { MIN_TABLE_BYTES = 2 << 20, MAPS_PER_GATHER = 16 };
	int n_maps = 0, n_gathers = 0;
	for (int i = 0; i < g->t->n_instrs; i++) {
		const struct sr_nest_instr *in = &sr_nest_instrs(g->t)[i];
		n_maps += in->op == SR_NEST_MAP;
		if (in->op == SR_NEST_MAP && sr_kernel_work_class((enum sr_kernel)in->kernel) != SR_WORK_CHEAP)
			return false;
		if (in->op != SR_NEST_LOAD)
			continue;
		int64_t element = sr_dtype_bytes((enum sr_dtype)sr_nest_values(g->t)[in->result].dtype);
		n_gathers += is_gather_along(g, in, g->vector) &&
			     table_bytes(g, &g->r->accesses[in->access], element) >= MIN_TABLE_BYTES;
	}
	return n_gathers && n_maps <= MAPS_PER_GATHER * n_gathers;
}

/* Return true if a nest of form COLUMNS sums short rows of gathered elements, computes little with each, and would transpose other
 * rows for that, which compilers do not vectorize: rows of more than four elements that are no power of two, or of wide elements.
 * Scalar code for a row then takes about half of the time. The order of each sum is the same. */
static bool sums_gathered_rows(const struct sr_nest_form *g)
{
	enum { MAPS_PER_GATHER = 4, WIDE_BYTES = 8, MAX_SHUFFLED = 4 };
	int last = g->r->n_loops - 1, n_maps = 0, n_gathers = 0;
	if (g->form != SR_NEST_FORM_COLUMNS || g->r->n_loops != g->r->n_parallel + 1 || g->r->extent[last] > SHORT_LOOP ||
	    count_passes(g) > 1)
		return false;
	bool is_transposed = g->r->extent[last] > MAX_SHUFFLED && (g->r->extent[last] & (g->r->extent[last] - 1));
	for (int s = 0; s < g->t->n_stages; s++)
		if (sr_nest_stage_lanes(sr_nest_stages(g->t) + s) > 1)
			return false;
	for (int i = 0; i < g->t->n_instrs; i++) {
		const struct sr_nest_instr *in = &sr_nest_instrs(g->t)[i];
		const struct sr_nest_access *a = in->op == SR_NEST_LOAD ? &g->r->accesses[in->access] : NULL;
		bool is_cheap = in->op != SR_NEST_MAP || sr_kernel_work_class((enum sr_kernel)in->kernel) == SR_WORK_CHEAP;
		if (in->op == SR_NEST_FOLD || !is_cheap || (in->op == SR_NEST_REDUCE && in->kernel != SR_KERNEL_ADD))
			return false;
		n_maps += in->op == SR_NEST_MAP;
		n_gathers += is_gather_along(g, in, last);
		int64_t bytes = a ? sr_dtype_bytes((enum sr_dtype)sr_nest_values(g->t)[in->result].dtype) : 0;
		is_transposed = is_transposed || (bytes >= WIDE_BYTES && !a->n_dims && a->stride[last] == 1);
	}
	return is_transposed && n_gathers && n_maps <= MAPS_PER_GATHER * n_gathers;
}

bool sr_nest_form_select(struct sr_nest_form *g)
{
	select_loops(g);
	if (!init_values(g))
		return false;
	if (sums_gathered_rows(g)) {
		g->form = SR_NEST_FORM_ROWS;
		g->vector = g->r->n_loops - 1;
		init_values(g);
	}
	select_streams(g);
	select_prefetches(g);
	g->ranges = sr_nest_ranges(g);
	sr_nest_form_select_short_rows(g);
	sr_nest_form_select_tables(g);
	sr_nest_form_select_transposed_rows(g);
	if (g->short_row_loop >= 0) {
		memset(g->is_streamed, 0, sizeof g->is_streamed);
		memset(g->is_prefetched, 0, (size_t)g->t->n_instrs * sizeof *g->is_prefetched);
	}
	g->mostly_gathers = g->form == SR_NEST_FORM_MAP && g->vector >= 0 && g->unrolled_loop < 0 && g->short_row_loop < 0 &&
			    mostly_gathers(g);
	return select_blocks(g);
}

void sr_nest_form_stage_loops(const struct sr_nest_form *g, int stage, struct sr_stage_loops *n)
{
	const struct sr_nest_prepared *r = g->r;
	bool is_over_inner = g->form != SR_NEST_FORM_MAP && sr_nest_stages(g->t)[stage].over_inner;
	*n = (struct sr_stage_loops){.first_stage = stage, .last_stage = g->form == SR_NEST_FORM_MAP ? g->t->n_stages - 1 : stage};
	n->has_short_rows = g->short_row_loop >= 0 && (g->form == SR_NEST_FORM_MAP || is_over_inner);
	for (int l = 0; l < r->n_loops; l++)
		if (l != g->vector && l != g->short_row_loop &&
		    (g->form == SR_NEST_FORM_MAP ? l != g->transposed_loop && l != g->unrolled_loop
						 : is_over_inner && l >= r->n_parallel))
			n->loops[n->n++] = l;
	if (g->transposed_loop >= 0)
		n->loops[n->n++] = g->transposed_loop;
	if (g->vector >= 0 && (g->form != SR_NEST_FORM_ROWS || is_over_inner))
		n->loops[n->n++] = g->vector;
	for (int i = 0; i < sr_nest_stages(g->t)[stage].n; i++)
		n->has_reduction = n->has_reduction ||
				   sr_nest_instrs(g->t)[sr_nest_stages(g->t)[stage].first + i].op == SR_NEST_REDUCE;
}

bool sr_nest_form_has_bounds(const struct sr_nest_form *g, const struct sr_nest_access *a)
{
	for (int k = 0; k < a->n_dims; k++)
		if (g->r->dims[a->first_dim + k].extent > 0)
			return true;
	return false;
}

int sr_nest_form_loop_depth(const struct sr_nest_form *g, const struct sr_stage_loops *n, const struct sr_nest_instr *in)
{
	int v = in->result, level = 0;
	int innermost = n->has_short_rows ? g->short_row_loop : g->unrolled_loop;
	if (g->unrolled_loop >= 0 && in->op == SR_NEST_STORE && !(g->deps[in->args[0]] >> g->unrolled_loop & 1))
		return g->r->accesses[in->access].stride[g->unrolled_loop] ? n->n + 1 : n->n;
	bool is_row = v >= 0 && n->has_short_rows && !g->has_small_matrices;
	if (g->has_small_matrices && v >= 0 && (g->deps[v] >> g->vector & 1))
		return n->n + 1;
	if (innermost >= 0 && (v < 0 || g->deps[v] >> innermost & 1))
		return is_row && !(g->deps[v] >> g->vector & 1) ? n->n + 2 : n->n + 1;
	if (v < 0 || (g->is_accumulator[v] && g->form != SR_NEST_FORM_MAP) || g->storage[v] != SR_STORAGE_SCALAR)
		return n->n;
	for (int k = 0; k < n->n; k++)
		if (g->deps[v] >> n->loops[k] & 1)
			level = k + 1;
	return level;
}

bool sr_nest_form_is_transposed(const struct sr_nest_form *g, const struct sr_nest_instr *in)
{
	bool is_in_place = g->is_interleaved && !(g->is_split && in->op == SR_NEST_LOAD);
	if (g->transposed_loop < 0 || is_in_place || (in->op != SR_NEST_LOAD && in->op != SR_NEST_STORE))
		return false;
	const struct sr_nest_access *a = &g->r->accesses[in->access];
	int n_stores = 0;
	for (int i = 0; in->op == SR_NEST_STORE && i < g->t->n_instrs; i++)
		n_stores += sr_nest_instrs(g->t)[i].op == SR_NEST_STORE &&
			    g->r->accesses[sr_nest_instrs(g->t)[i].access].buffer == a->buffer;
	return n_stores <= 1 && !a->n_dims && a->stride[g->transposed_loop] == 1 && a->stride[g->vector] > 1;
}

/* Return true if the instruction takes no time in most iterations: it is a mask that is constant there, or selects by one. */
static bool is_by_constant_mask(const struct sr_nest_form *g, const struct sr_nest_instr *in)
{
	return g->masks && (g->masks[in->result].is_known || (in->kernel == SR_KERNEL_SELECT && g->masks[in->args[0]].is_known));
}

bool sr_nest_form_has_shifted_loads(const struct sr_nest_form *g)
{
	enum { MAPS_PER_LOAD = 4, LINE_BYTES = 64, SHORT_ROW = 512 };
	int n_loads = 0, n_shifted = 0, n_maps = 0, widths = 0;
	bool has_short_rows = g->vector >= 0 && g->r->extent[g->vector] <= SHORT_ROW;
	for (int i = 0; g->vector >= 0 && i < g->t->n_instrs; i++) {
		const struct sr_nest_instr *in = &sr_nest_instrs(g->t)[i];
		const struct sr_nest_access *a = in->op == SR_NEST_LOAD ? &g->r->accesses[in->access] : NULL;
		n_maps += in->op == SR_NEST_MAP && !(has_short_rows && is_by_constant_mask(g, in));
		if (!a)
			continue;
		int64_t offset = a->offset, stride = a->stride[g->vector];
		for (int k = 0; k < a->n_dims; k++) {
			const struct sr_nest_dim *d = &g->r->dims[a->first_dim + k];
			offset += d->offset * d->stride;
			stride += d->coef[g->vector] * d->stride;
		}
		n_loads += stride == 1;
		widths |= stride == 1 ? sr_dtype_bytes((enum sr_dtype)sr_nest_values(g->t)[in->result].dtype) : 0;
		n_shifted += stride == 1 && offset * sr_dtype_bytes((enum sr_dtype)sr_nest_values(g->t)[in->result].dtype) % LINE_BYTES;
	}
	for (int i = 0; i < g->t->n_instrs; i++)
		if (sr_nest_form_is_elementary(g, &sr_nest_instrs(g->t)[i]))
			return false;
	return n_shifted && n_maps <= MAPS_PER_LOAD * n_loads && (widths & 9) != 9;
}

bool sr_nest_form_is_without_ranges(const struct sr_nest_form *g)
{
	for (int i = 0; i < g->t->n_instrs; i++) {
		const struct sr_nest_instr *in = &sr_nest_instrs(g->t)[i];
		if (in->op == SR_NEST_MAP && in->kernel == SR_KERNEL_REMAINDER &&
		    sr_dtype_is_integer((enum sr_dtype)sr_nest_values(g->t)[in->result].dtype))
			return true;
	}
	for (int s = 0; s < g->t->n_stages; s++) {
		const struct sr_nest_stage *stage = sr_nest_stages(g->t) + s;
		for (int i = stage->first; i < stage->first + stage->n && !sr_nest_form_is_flat(g, stage); i++)
			if (sr_nest_instrs(g->t)[i].op == SR_NEST_REDUCE &&
			    sr_dtype_is_integer((enum sr_dtype)sr_nest_instrs(g->t)[i].type))
				return true;
	}
	return false;
}

bool sr_nest_form_has_own_pointer(const struct sr_nest_form *g, const struct sr_nest_access *a)
{
	enum { MAX_STRIDE = 1024 };
	bool is_vector_loop = g->form == SR_NEST_FORM_MAP && g->vector >= 0 && g->unrolled_loop < 0 && g->short_row_loop < 0;
	int64_t stride = is_vector_loop ? a->stride[g->vector] : 0;
	if (a->buffer < 0 || a->n_dims || stride <= 3 || stride > MAX_STRIDE || !(stride & (stride - 1)))
		return false;
	for (int i = 0; i < g->t->n_accesses; i++) {
		const struct sr_nest_access *b = &g->r->accesses[i];
		if (b->buffer == a->buffer && !b->n_dims && b->offset != a->offset &&
		    !memcmp(b->stride, a->stride, (size_t)g->r->n_loops * sizeof *a->stride))
			return true;
	}
	return false;
}

bool sr_nest_form_is_elementary(const struct sr_nest_form *g, const struct sr_nest_instr *in)
{
	return in->op == SR_NEST_MAP && sr_dtype_is_float((enum sr_dtype)sr_nest_values(g->t)[in->result].dtype) &&
	       sr_kernel_work_class((enum sr_kernel)in->kernel) == SR_WORK_TRANSCENDENTAL;
}

bool sr_nest_form_shifts_by_index(const struct sr_nest_form *g, int l)
{
	enum { MAX_EXTENT = 8 };
	for (int i = 0; i < g->t->n_instrs && g->r->extent[l] <= MAX_EXTENT; i++) {
		const struct sr_nest_instr *in = &sr_nest_instrs(g->t)[i];
		bool is_shift = in->op == SR_NEST_MAP &&
				(in->kernel == SR_KERNEL_SHIFT_LEFT || in->kernel == SR_KERNEL_SHIFT_RIGHT_LOGICAL ||
				 in->kernel == SR_KERNEL_SHIFT_RIGHT_ARITHMETIC);
		if (!is_shift || sr_dtype_bytes((enum sr_dtype)in->type) > 2 || g->deps[in->args[1]] != (uint32_t)1 << l)
			continue;
		const struct sr_nest_instr *count = g->definition[in->args[1]];
		while (count && count->op == SR_NEST_MAP && count->n_args == 1)
			count = g->definition[count->args[0]];
		if (count && count->op == SR_NEST_INDEX)
			return true;
	}
	return false;
}
