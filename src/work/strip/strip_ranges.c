/* Ranges of rows of a strip-mined group (strip_mine.c), and for each range the columns that matter: a causal mask leaves the first
 * columns, a sliding window a band. The loop over a range computes these columns only.
 *
 *	p = softmax(select(row >= column, q k^T, -inf))        while (rows 0 to 255):   softmax(... q[r] k[0:256]^T) v[0:256]
 *	o = p v                                           =>   while (rows 256 to 511): softmax(... q[r] k[0:512]^T) v[0:512]
 *
 * Columns can be left out if what every reduction, product and sum of the group reads there is the operation's identity element:
 * 0, or a low number for a maximum (strip_bounds.c). */
#include "dialect/attr_names.h"
#include "dialect/reducer.h"
#include "work/strip/strip.h"

enum {
	MAX_RANGES = 16 /* maximum ranges: each has its own loop */
};
#define MAX_AREA 0.9 /* ranges are used if they have at most this share of the scores */

static struct sr_strip_dims *group_dims(const struct sr_strip_group *g, const struct sr_value *v)
{
	return v->def && v->def->block == g->seed->block && sr_strip_is_in(v->def) ? sr_map_get(&g->dims, v->def) : NULL;
}

/* ---- dimensions of columns ---- */

/* State of the propagation of dimensions of columns. */
struct columns {
	struct sr_strip_group *g;
	bool has_changed, has_failed;
};

/* Note that v, if the group computes it, has its columns in dimension d. */
static void set_columns(struct columns *c, const struct sr_value *v, int d)
{
	struct sr_strip_dims *dims = group_dims(c->g, v);
	int8_t *own = dims ? &dims->dim[c->g->n_loops] : NULL;
	if (!own || *own == d)
		return;
	if (*own >= 0 || v->type->shape[d] != c->g->columns)
		c->has_failed = true;
	*own = (int8_t)d;
	c->has_changed = true;
}

static void propagate_columns(struct columns *c, struct sr_op *op)
{
	struct sr_context *ctx = c->g->ctx;
	struct sr_strip_dims *dims = group_dims(c->g, sr_result(op, 0));
	for (int i = 0; i < op->n_operands; i++) {
		const struct sr_strip_dims *in = group_dims(c->g, sr_operand(op, i));
		int d = in ? in->dim[c->g->n_loops] : -1, out = d >= 0 ? sr_strip_result_dim(ctx, op, i, d) : -1;
		if (out >= 0)
			set_columns(c, sr_result(op, 0), out);
		if (d >= 0 && out < 0 && sr_op_is(op, SR_OP_stablehlo_dot_general)) {
			dims->columns[i] = (int8_t)d;
			dims->columns[1 - i] = (int8_t)sr_strip_contracted_with(ctx, op, i, d);
			set_columns(c, sr_operand(op, 1 - i), dims->columns[1 - i]);
		} else if (d >= 0 && out < 0 && !sr_op_is(op, SR_OP_stablehlo_reduce)) {
			c->has_failed = true;
		}
	}
	if (!sr_strip_keeps_dims(c->g, op, dims))
		c->has_failed = true;
	for (int i = 0; i < op->n_operands && dims->dim[c->g->n_loops] >= 0; i++) {
		struct sr_strip_dims in = sr_strip_operand_dims(c->g, op, i, dims);
		if (in.dim[c->g->n_loops] >= 0)
			set_columns(c, sr_operand(op, i), in.dim[c->g->n_loops]);
	}
}

/* Find the dimension of columns of each value of the group. Return false if a value may have several. */
static bool find_columns(struct sr_strip_group *g, const struct sr_strip_dims *seed_dims)
{
	const struct sr_type *t = sr_result_type(g->seed, 0);
	struct columns c = {.g = g};
	int column = -1;
	for (int d = 0; d < t->rank; d++) {
		bool is_loop = false;
		for (int l = 0; l < g->n_loops; l++)
			is_loop = is_loop || seed_dims->dim[l] == d;
		if (t->shape[d] == g->columns && !is_loop)
			column = column == -1 ? d : SR_STRIP_LOST;
	}
	if (column < 0)
		return false;
	set_columns(&c, sr_result(g->seed, 0), column);
	while (c.has_changed && !c.has_failed) {
		c.has_changed = false;
		for (size_t i = 0; i < g->ops.n; i++)
			propagate_columns(&c, g->ops.data[i]);
	}
	for (size_t i = 0; i < g->ops.n && !c.has_failed; i++) {
		const struct sr_op *op = g->ops.data[i];
		c.has_failed = op->mark & SR_STRIP_MEMBER && !sr_strip_is_sum(g, op) && sr_strip_has_outer_use(g, op) &&
			       sr_strip_dims_of(g, op)->dim[g->n_loops] >= 0;
	}
	return !c.has_failed;
}

/* ---- proofs ---- */

static struct sr_strip_bounds operand_bounds(const struct sr_strip_group *g, struct sr_strip_prover *p, const struct sr_op *op,
					     int i)
{
	const struct sr_strip_dims *dims = group_dims(g, sr_operand(op, i));
	if (!dims)
		return (struct sr_strip_bounds){.kind = SR_STRIP_UNKNOWN};
	return sr_strip_bounds_of(p, sr_operand(op, i), dims->dim[g->n_loops - 1], dims->dim[g->n_loops], 0);
}

/* Return true if the op computes the same without the columns of the prover's rectangle. */
static bool ignores_columns(const struct sr_strip_group *g, struct sr_strip_prover *p, const struct sr_op *op)
{
	const struct sr_strip_dims *dims = sr_strip_dims_of(g, op);
	if (sr_op_is(op, SR_OP_stablehlo_dot_general)) {
		bool is_partial = sr_strip_is_sum(g, op) && dims->dim[g->n_loops] >= 0;
		return (dims->columns[0] < 0 && !is_partial) || sr_strip_is_zero(operand_bounds(g, p, op, 0)) ||
		       sr_strip_is_zero(operand_bounds(g, p, op, 1));
	}
	const struct sr_strip_dims *in = sr_op_is(op, SR_OP_stablehlo_reduce) ? group_dims(g, sr_operand(op, 0)) : NULL;
	if (!in || in->dim[g->n_loops] < 0 || sr_strip_result_dim(g->ctx, op, 0, in->dim[g->n_loops]) >= 0)
		return true;
	const struct sr_reducer *r = sr_op_reducer(op);
	struct sr_strip_bounds x = operand_bounds(g, p, op, 0);
	if (r && r->monoid == SR_MONOID_MAX && x.kind == SR_STRIP_LOW)
		return sr_strip_bounds_of(p, sr_result(op, 0), dims->dim[g->n_loops - 1], -1, 0).kind == SR_STRIP_FINITE;
	return r && (r->monoid == SR_MONOID_ADD || r->monoid == SR_MONOID_OR) && sr_strip_is_zero(x);
}

/* Return true if the group computes the same without a rectangle. */
static bool can_skip(const struct sr_strip_group *g, int64_t first_row, int64_t n_rows, int64_t first_column, int64_t n_columns)
{
	struct sr_strip_prover p = {g->ctx, g->seed->block, {first_row, n_rows, first_column, n_columns}, {0}};
	sr_map_init(&p.known, g->ctx->scratch);
	for (size_t i = 0; i < g->ops.n; i++)
		if (!ignores_columns(g, &p, g->ops.data[i]))
			return false;
	return true;
}

/* ---- ranges ---- */

/* Set the columns of a range of rows, in multiples of `unit`. */
static void set_range_columns(const struct sr_strip_group *g, struct sr_strip_rectangle *r, int64_t unit)
{
	int64_t n = g->columns, n_units = (n - 1) / unit, begin = 0, end = 1, last = n_units;
	while (begin < last) { /* begin: the most units from the first column on that can be skipped */
		int64_t middle = (begin + last + 1) / 2;
		if (can_skip(g, r->first_row, r->n_rows, 0, middle * unit))
			begin = middle;
		else
			last = middle - 1;
	}
	end = begin + 1, last = n_units + 1;
	while (end < last) { /* end: the least units behind which all columns can be skipped */
		int64_t middle = (end + last) / 2;
		if (can_skip(g, r->first_row, r->n_rows, middle * unit, n - middle * unit))
			last = middle;
		else
			end = middle + 1;
	}
	r->first_column = begin * unit;
	r->n_columns = (end * unit < n ? end * unit : n) - r->first_column;
}

void sr_strip_set_ranges(struct sr_strip_group *g)
{
	int64_t n_rows = g->extent[g->n_loops - 1], size = g->block_extent[g->n_loops - 1], n_blocks = (n_rows - 1) / size + 1;
	int n = n_blocks < MAX_RANGES ? (int)n_blocks : MAX_RANGES;
	double area = 0;
	g->ranges = SR_NEW_ARRAY(g->ctx->scratch, struct sr_strip_rectangle, n);
	if (find_columns(g, sr_strip_dims_of(g, g->seed)))
		for (int i = 0; i < n; i++) {
			struct sr_strip_rectangle *r = &g->ranges[g->n_ranges++];
			int64_t end = (i + 1) * n_blocks / n * size;
			r->first_row = i * n_blocks / n * size;
			r->n_rows = (end < n_rows ? end : n_rows) - r->first_row;
			set_range_columns(g, r, size);
			area += (double)r->n_rows * (double)r->n_columns;
		}
	if (g->n_ranges && area < MAX_AREA * (double)n_rows * (double)g->columns)
		return;
	for (size_t i = 0; i < g->ops.n; i++) {
		struct sr_strip_dims *dims = sr_map_get(&g->dims, g->ops.data[i]);
		dims->dim[g->n_loops] = dims->columns[0] = dims->columns[1] = -1;
	}
	g->n_ranges = 1;
	g->ranges[0] = (struct sr_strip_rectangle){0, n_rows, 0, g->columns};
}
