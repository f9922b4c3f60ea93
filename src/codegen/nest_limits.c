/* Find and write the range of a vector loop in which all bounds of its loads are kept, and masks are constant (nest_masks.h).
 *
 * A stencil reads u[i - 1], u[i] and u[i + 1] of a row of n elements: its range is [1, n - 1). In most nests it is the same for all
 * rows that are inside the bounds of the other dimensions, and known when the code is written. In others, such as those of a
 * device's shard, the C code computes it for each row. */
#include "codegen/nest_limits.h"
#include "codegen/nest_masks.h"
#include "codegen/nest_parts.h"
#include <string.h>

/* A dimension of a load, or the range of a mask, that limits the vector loop, and where to search for the next one. */
struct limit {
	const struct sr_nest_dim *dim;
	int mask;   /* number of the mask's value; -1: the limit is that of a load */
	int scalar; /* number of the value that is added to the index; -1: none */
	int stage, instr, next_dim; /* next_dim: -1 for the mask of the instruction's result */
};

/* Return the dimension k of the instruction's load, or with k = -1 its mask's range, if it limits the vector loop; else NULL. */
static const struct sr_nest_dim *limit_of(const struct sr_nest_form *g, const struct sr_stage_loops *n,
					  const struct sr_nest_instr *in, int k)
{
	if (k < 0)
		return g->masks && in->op == SR_NEST_MAP && g->masks[in->result].has_range ? &g->masks[in->result].range : NULL;
	const struct sr_nest_dim *d = &g->r->dims[g->r->accesses[in->access].first_dim + k];
	bool is_inner = !g->is_inlined_fill[in->result] && sr_nest_form_loop_depth(g, n, in) >= n->n;
	return is_inner && sr_nest_c_is_range(g, d) ? d : NULL;
}

/* Find the next limit; the first one if *limit is {.stage = n->first_stage, .next_dim = -1}. Return false if there are no more. */
static bool next_limit(const struct sr_nest_form *g, const struct sr_stage_loops *n, struct limit *limit)
{
	for (; limit->stage <= n->last_stage; limit->stage++, limit->instr = 0)
		for (; limit->instr < sr_nest_stages(g->t)[limit->stage].n; limit->instr++, limit->next_dim = -1) {
			const struct sr_nest_instr *in =
				sr_nest_instrs(g->t) + sr_nest_stages(g->t)[limit->stage].first + limit->instr;
			int n_dims = in->op == SR_NEST_LOAD ? g->r->accesses[in->access].n_dims : 0;
			while (limit->next_dim < n_dims) {
				int k = limit->next_dim++;
				limit->dim = limit_of(g, n, in, k);
				limit->mask = k < 0 ? in->result : -1;
				limit->scalar = k < 0 && limit->dim ? g->masks[in->result].scalar : -1;
				if (limit->dim)
					return true;
			}
		}
	return false;
}

static void limit_known_range(const struct sr_nest_form *g, const struct limit *limit, struct sr_nest_limits *limits)
{
	int64_t begin, end;
	if (!limit->dim->coef[g->vector])
		return;
	limits->is_known = limits->is_known && limit->scalar < 0 && sr_nest_c_known_range(g, limit->dim, &begin, &end);
	if (!limits->is_known)
		return;
	limits->low = begin > limits->low ? begin : limits->low;
	limits->high = end < limits->high ? end : limits->high;
}

void sr_nest_find_limits(const struct sr_nest_form *g, const struct sr_stage_loops *n, struct sr_nest_limits *limits)
{
	struct limit limit = {.stage = n->first_stage, .next_dim = -1};
	limits->is_limited = false;
	limits->is_known = g->form == SR_NEST_FORM_MAP && g->unrolled_loop < 0 && g->transposed_loop < 0 && !g->has_tables &&
			   (g->vector || !g->r->n_parallel);
	limits->low = 0;
	limits->high = g->r->extent[g->vector];
	while (next_limit(g, n, &limit)) {
		limits->is_limited = true;
		limit_known_range(g, &limit, limits);
	}
	limits->is_known = limits->is_known && limits->low < limits->high;
}

void sr_nest_c_limits(struct sr_nest_form *g, const struct sr_stage_loops *n, const struct sr_nest_limits *limits)
{
	struct limit limit = {.stage = n->first_stage, .next_dim = -1};
	sr_nest_c_line(g, "{\n");
	g->indentation++;
	sr_nest_c_line(g, sr_printf(g->arena, "int64_t low = %s, high = %s;\n", limits->begin, limits->end));
	while (next_limit(g, n, &limit)) {
		struct sr_buf x;
		sr_buf_init(&x, g->arena);
		if (limit.scalar >= 0)
			sr_buf_printf(&x, "bounded(%s) + ", sr_nest_c_value(g, limit.scalar));
		sr_nest_c_coordinate(g, limit.dim, g->vector, &x);
		sr_nest_c_line(g, sr_printf(g->arena, "clip(%s, %lld, %lld, &low, &high);\n", sr_buf_string(&x),
					    (long long)limit.dim->coef[g->vector], (long long)limit.dim->extent));
	}
}

const char *sr_nest_c_row_condition(struct sr_nest_form *g, const struct sr_stage_loops *n)
{
	struct limit limit = {.stage = n->first_stage, .next_dim = -1};
	struct sr_buf all;
	sr_buf_init(&all, g->arena);
	while (next_limit(g, n, &limit)) {
		struct sr_buf test;
		if (limit.dim->coef[g->vector])
			continue;
		sr_buf_init(&test, g->arena);
		if (limit.mask >= 0) {
			sr_buf_printf(&test, "(v%d == %d)", limit.mask, g->masks[limit.mask].value);
		} else {
			sr_buf_puts(&test, "((uint64_t)(");
			sr_nest_c_coordinate(g, limit.dim, -1, &test);
			sr_buf_printf(&test, ") < %lldu)", (long long)limit.dim->extent);
		}
		if (!strstr(sr_buf_string(&all), sr_buf_string(&test)))
			sr_buf_printf(&all, "%s%s", all.n ? " & " : "", sr_buf_string(&test));
	}
	return sr_buf_string(&all);
}

/* ---- vectors at the ends of rows ---- */

/* Return how many bytes the largest element has that the nest loads or stores. */
static int largest_element(const struct sr_nest_form *g)
{
	int largest = 1;
	for (int i = 0; i < g->t->n_instrs; i++) {
		const struct sr_nest_instr *in = &sr_nest_instrs(g->t)[i];
		int v = in->op == SR_NEST_LOAD ? in->result : in->op == SR_NEST_STORE ? in->args[0] : -1;
		int bytes = v < 0 ? 0 : sr_dtype_bytes((enum sr_dtype)sr_nest_values(g->t)[v].dtype);
		largest = bytes > largest ? bytes : largest;
	}
	return largest;
}

/* Return true if the vector loop computes elementary functions, which take as long for one element as for a vector, and accesses
 * elements of one size. Compilers vectorize a loop over elements of several sizes only with as many iterations as a vector has
 * elements of the smallest size. */
static bool has_elementary_functions(const struct sr_nest_form *g, const struct sr_stage_loops *n)
{
	int bytes = largest_element(g);
	bool has_functions = false;
	for (int i = 0; i < g->t->n_instrs; i++) {
		const struct sr_nest_instr *in = &sr_nest_instrs(g->t)[i];
		int v = in->op == SR_NEST_LOAD ? in->result : in->op == SR_NEST_STORE ? in->args[0] : -1;
		if (sr_nest_form_loop_depth(g, n, in) < n->n)
			continue;
		if (v >= 0 && sr_dtype_bytes((enum sr_dtype)sr_nest_values(g->t)[v].dtype) != bytes)
			return false;
		has_functions = has_functions || sr_nest_form_is_elementary(g, in);
	}
	return has_functions;
}

/* Return true if it pays to write code for one vector in addition to the vector loop: rows of several vectors, or of one if
 * elementary functions are computed, and not too many instructions, each of which is compiled again. */
static bool has_vectors(struct sr_nest_form *g, const struct sr_stage_loops *n)
{
	enum { MAX_INSTRS = 256, MIN_VECTORS = 4 };
	struct sr_nest_parts parts;
	int min_vectors = has_elementary_functions(g, n) ? 1 : MIN_VECTORS;
	return g->form == SR_NEST_FORM_MAP && !n->has_short_rows && g->unrolled_loop < 0 && g->t->n_instrs <= MAX_INSTRS &&
	       g->r->extent[g->vector] >= min_vectors * SR_NEST_FORM_VECTOR_BYTES / largest_element(g) &&
	       !sr_nest_find_parts(g, n, &parts);
}

/* Return true if a load with a bound along the vector loop has a fill value that is a load itself. */
static bool has_chained_bounds(const struct sr_nest_form *g)
{
	for (int i = 0; i < g->t->n_instrs; i++) {
		const struct sr_nest_instr *in = &sr_nest_instrs(g->t)[i];
		const struct sr_nest_access *a = in->op == SR_NEST_LOAD ? &g->r->accesses[in->access] : NULL;
		for (int k = 0; a && a->fill >= 0 && g->is_inlined_fill[a->fill] && k < a->n_dims; k++)
			if (g->r->dims[a->first_dim + k].extent > 0 && g->r->dims[a->first_dim + k].coef[g->vector])
				return true;
	}
	return false;
}

bool sr_nest_has_vector_ends(struct sr_nest_form *g, const struct sr_stage_loops *n, const struct sr_nest_limits *limits)
{
	enum { MIN_COLUMNS = 3, MIN_BYTES = 4 };
	int bytes = largest_element(g), most = SR_NEST_FORM_VECTOR_BYTES / bytes;
	int64_t before = limits->low, after = g->r->extent[g->vector] - limits->high;
	return bytes >= MIN_BYTES && before <= most && after <= most && (before >= MIN_COLUMNS || after >= MIN_COLUMNS) &&
	       !has_chained_bounds(g) && has_vectors(g, n);
}

bool sr_nest_has_last_vector(struct sr_nest_form *g, const struct sr_stage_loops *n, const struct sr_nest_limits *limits)
{
	enum { MIN_REST = 3 }; /* fewer elementary functions are quicker one by one */
	int64_t most = SR_NEST_FORM_VECTOR_BYTES / largest_element(g);
	int64_t inside = sr_nest_has_vector_ends(g, n, limits) ? g->r->extent[g->vector] : limits->high - limits->low;
	for (int i = 0; i < g->t->n_outputs; i++)
		if (sr_nest_outputs(g->t)[i].may_share)
			return false;
	int64_t min_rest = has_elementary_functions(g, n) ? MIN_REST : limits->is_limited ? 1 : INT64_MAX;
	return limits->is_known && inside % most >= min_rest && inside >= most && has_vectors(g, n);
}

const char *sr_nest_c_width(struct sr_nest_form *g, const struct sr_nest_limits *limits)
{
	long long before = (long long)limits->low, after = (long long)(g->r->extent[g->vector] - limits->high);
	int bytes = largest_element(g);
	const char *vector = sr_nest_form_has_shifted_loads(g) ? "SHORT_VECTOR_BYTES" : "LONG_VECTOR_BYTES";
	const char *size = sr_printf(g->arena, "%s / %d", vector, bytes);
	return sr_printf(g->arena, "enum { width = %s >= %lld ? %s : %d };\n", size, before > after ? before : after, size,
			 SR_NEST_FORM_VECTOR_BYTES / bytes);
}
