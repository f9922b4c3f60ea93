/* Halo exchange of a concatenate along a sharded dimension: each device gets the elements of its shard from the devices that
 * have them. An operand is sharded like the result, or replicated along the dimension. A slice operand is read from the value
 * that it slices, a broadcast scalar is made locally.
 *
 *	roll by 1, n = 8, 4 devices of 2:   [7:8] is device 0's [0,1), from [1,2) of device 3
 *	                                    [0:7] gives devices 1..3 their [0,1), from [1,2) of the previous one; the rest stays
 *	                                    one permute of one element around the ring moves everything
 *
 * A border that repeats or reverses a few rows (jnp.pad's modes edge, reflect and symmetric) is read from the value that has the
 * rows. A device that has all of them makes its border of its own shard; other rows are sent one by one.
 *
 *	reverse(x[1:3]), x[0:6] of x, n = 8, 2 devices of 4:   device 0 reverses [1,3) of its shard; device 1 gets [2,4) of it
 */
#include "dialect/attr_names.h"
#include "partition/halo/halo.h"
#include "support/checked.h"

enum {
	MAX_OPERANDS = 64,
	MAX_BORDER = 16, /* maximum extent of a border that is read from the value of its rows */
};

/* Order of the rows of an operand: those of a range of a value, the same reversed, or one row again and again. */
enum order { IN_ORDER, REVERSED, REPEATED };

/* A border of n rows that a device makes of its own shard of value number `value`: rows [first, first + n) of the shard, reversed,
 * or row `first` repeated. */
struct local_border {
	int value;
	enum order order;
	int64_t first, n;
};

struct concatenation {
	struct sr_expansion *h;
	struct sr_op *op;
	const struct sr_attr *sharding; /* sharding of the result */
	int dim;
	struct sr_halo_dim d;
	struct sr_value *values[MAX_OPERANDS]; /* distinct values of which the operands are slices */
	bool is_replicated[MAX_OPERANDS];      /* true for a value that is replicated along dim */
	int n_values;
	struct local_border borders[MAX_OPERANDS]; /* border k is number MAX_OPERANDS + k of the transfer's values */
	int n_borders;
	bool is_emitting; /* true: values have their present shardings; false: assume that they are sharded like the result */
	struct sr_halo_transfer *transfer;
};

/* Return the scalar that v broadcasts; NULL if v is not a broadcast scalar. */
static struct sr_value *scalar_of(const struct sr_value *v)
{
	bool is_broadcast_scalar = v->def && sr_op_is(v->def, SR_OP_stablehlo_broadcast_in_dim) &&
				   sr_operand(v->def, 0)->type->rank == 0;
	return is_broadcast_scalar ? sr_operand(v->def, 0) : NULL;
}

/* Return true if the op is a slice along dim only, with stride 1; *first: the slice's start. */
static bool is_range_along(struct sr_context *ctx, const struct sr_op *op, int dim, int64_t *first)
{
	const int64_t *start, *limit, *stride;
	int64_t n;
	if (!op || !sr_op_is(op, SR_OP_stablehlo_slice) || !sr_op_ints(ctx, op, SR_NAME_start_indices, &start, &n) ||
	    !sr_op_ints(ctx, op, SR_NAME_limit_indices, &limit, &n) || !sr_op_ints(ctx, op, SR_NAME_strides, &stride, &n))
		return false;
	const struct sr_type *in = sr_operand(op, 0)->type;
	for (int d = 0; d < in->rank; d++)
		if (stride[d] != 1 || (d != dim && (start[d] || limit[d] != in->shape[d])))
			return false;
	*first = start[dim];
	return true;
}

/* Return true if the op reverses dimension dim alone, or repeats its only row; *order: which of them. */
static bool is_border_along(struct sr_context *ctx, const struct sr_op *op, int dim, enum order *order)
{
	const int64_t *dims;
	int64_t n;
	bool is_broadcast = op && sr_op_is(op, SR_OP_stablehlo_broadcast_in_dim);
	if (!is_broadcast && !(op && sr_op_is(op, SR_OP_stablehlo_reverse)))
		return false;
	const struct sr_type *from = sr_operand(op, 0)->type, *to = sr_result(op, 0)->type;
	if (!sr_op_ints(ctx, op, is_broadcast ? SR_NAME_broadcast_dimensions : SR_NAME_dimensions, &dims, &n) ||
	    !sr_type_is_static(from) || !sr_type_is_static(to) || from->rank != to->rank || to->shape[dim] > MAX_BORDER)
		return false;
	*order = is_broadcast ? REPEATED : REVERSED;
	if (!is_broadcast)
		return n == 1 && dims[0] == dim;
	for (int d = 0; d < to->rank; d++)
		if (dims[d] != d || from->shape[d] != (d == dim ? 1 : to->shape[d]))
			return false;
	return true;
}

/* Return the value of which operand v is a range of elements in this order, and the range's start. */
static struct sr_value *sliced_value(struct concatenation *c, struct sr_value *v, int64_t *first, enum order *order)
{
	*first = 0;
	*order = IN_ORDER;
	if (v->def && sr_form_is_read_through(v->def) && is_border_along(c->h->ctx, v->def, c->dim, order))
		v = sr_operand(v->def, 0);
	if (v->def && sr_form_is_read_through(v->def) && is_range_along(c->h->ctx, v->def, c->dim, first))
		v = sr_operand(v->def, 0);
	return v;
}

/* If v is a reshard of a replicated value, return the replicated value, whose elements need not be sent; else return v. */
static struct sr_value *replicated_source(struct concatenation *c, struct sr_value *v)
{
	struct sr_value *replicated_value = v->def && sr_op_is(v->def, SR_OP_sdy_reshard) ? sr_operand(v->def, 0) : NULL;
	const struct sr_attr *s = replicated_value ? sr_value_sharding(c->h->ctx, replicated_value) : NULL;
	return replicated_value && (!s || sr_sdy_sharding_is_replicated(s->sharding)) ? replicated_value : v;
}

static bool is_replicated_along(struct concatenation *c, const struct sr_value *v)
{
	const struct sr_attr *s = sr_value_sharding(c->h->ctx, v);
	const struct sr_mesh *mesh = s ? sr_sharding_mesh(c->h->module, s->sharding) : NULL;
	return !mesh || s->sharding->rank != v->type->rank || sr_sdy_dim_shards(s->sharding, mesh, c->dim) == 1;
}

/* Return the index of v in c->values, to which it is added if needed; -1: there are too many values. */
static int index_of_value(struct concatenation *c, struct sr_value *v)
{
	for (int i = 0; i < c->n_values; i++)
		if (c->values[i] == v)
			return i;
	if (c->n_values == MAX_OPERANDS)
		return -1;
	c->values[c->n_values] = v;
	c->is_replicated[c->n_values] = v->type->rank == 0 || (c->is_emitting && is_replicated_along(c, v));
	return c->n_values++;
}

/* Elements [at, at + n) of the result: rows of value `number`, in this order, which are [first, first + n) of it, or only `first`
 * if it is repeated. */
struct operand_rows {
	int number;
	enum order order;
	int64_t first, at, n;
};

/* Return the row of the value that is row i of the operand. */
static int64_t source_row(const struct operand_rows *r, int64_t i)
{
	return r->order == REPEATED ? r->first : r->order == REVERSED ? r->first + r->n - 1 - i : r->first + i;
}

static struct sr_halo_range_source source_of(const struct concatenation *c, int number)
{
	const struct sr_value *v = c->values[number];
	struct sr_halo_range_source s = {.end = v->type->rank ? v->type->shape[c->dim] : sr_result(c->op, 0)->type->shape[c->dim]};
	s.shard_extent = c->is_replicated[number] ? 0 : sr_ceil_div(s.end, c->d.shards);
	return s;
}

/* State that rows [lo, hi) of the operand, a border, are elements [dst, dst + hi - lo) of device j. Return false if there are too
 * many borders. */
static bool add_border(struct concatenation *c, const struct operand_rows *r, int64_t j, int64_t dst, int64_t lo, int64_t hi)
{
	struct sr_halo_range_source s = source_of(c, r->number);
	int64_t a = source_row(r, lo), b = source_row(r, hi - 1), low = a < b ? a : b, high = a < b ? b : a;
	bool is_local = !s.shard_extent || (low / s.shard_extent == j && high / s.shard_extent == j);
	for (int64_t i = lo; !is_local && i < hi; i++)
		sr_halo_transfer_add(c->transfer, r->number, s, j, dst + i - lo, source_row(r, i), 1);
	if (!is_local)
		return true;
	if (c->n_borders == MAX_OPERANDS)
		return false;
	int number = MAX_OPERANDS + c->n_borders;
	c->borders[c->n_borders++] = (struct local_border){r->number, r->order, low - j * s.shard_extent, hi - lo};
	sr_halo_transfer_add(c->transfer, number, (struct sr_halo_range_source){.end = hi - lo}, j, dst, 0, hi - lo);
	return true;
}

/* State which elements of the result an operand has. Return false if there are too many borders. */
static bool add_rows(struct concatenation *c, const struct operand_rows *r)
{
	int64_t local_extent = sr_ceil_div(sr_result(c->op, 0)->type->shape[c->dim], c->d.shards), at = r->at, n = r->n;
	struct sr_halo_range_source s = source_of(c, r->number);
	bool is_scalar = c->values[r->number]->type->rank == 0;
	for (int64_t j = at / local_extent; j < c->d.shards && j * local_extent < at + n; j++) {
		int64_t lo = at > j * local_extent ? at : j * local_extent,
			hi = at + n < (j + 1) * local_extent ? at + n : (j + 1) * local_extent, dst = lo - j * local_extent;
		if (r->order != IN_ORDER && n > 1) {
			if (!add_border(c, r, j, dst, lo - at, hi - at))
				return false;
			continue;
		}
		sr_halo_transfer_add(c->transfer, r->number, s, j, dst, is_scalar ? 0 : r->first + lo - at, hi - lo);
	}
	return true;
}

static bool collect(struct concatenation *c)
{
	int64_t at = 0;
	bool has_tensor = false;
	for (int i = 0; i < c->op->n_operands; i++) {
		struct sr_value *v = sr_operand(c->op, i), *source = scalar_of(v);
		struct operand_rows r = {.at = at, .n = v->type->shape[c->dim]};
		source = source ? source : sliced_value(c, v, &r.first, &r.order);
		source = c->is_emitting ? replicated_source(c, source) : source;
		if (source->type->rank && !sr_halo_is_supported(source->type, c->sharding->sharding))
			return false;
		r.number = index_of_value(c, source);
		if (r.number < 0 || !add_rows(c, &r))
			return false;
		at += r.n;
		has_tensor = has_tensor || source->type->rank;
	}
	/* A concatenate of broadcast scalars only is rejected: it needs no form, and build() needs a tensor operand for the type of
	 * a shard. */
	return has_tensor;
}

/* Return the sharding of value `number`: that of the result, but replicated along dim if the value is. */
static const struct sr_attr *sharding_of(struct concatenation *c, int number)
{
	struct sr_sdy_sharding s = *c->sharding->sharding;
	if (c->values[number]->type->rank == 0)
		s = (struct sr_sdy_sharding){.mesh_name = s.mesh_name, .mesh = s.mesh};
	if (s.rank && c->is_replicated[number]) {
		struct sr_sdy_dim *dims = sr_dup(c->h->arena, s.dims, (size_t)s.rank, sizeof *dims);
		dims[c->dim].axes = (struct sr_sdy_axes){0};
		s.dims = dims;
	}
	return sr_attr_sharding(c->h->ctx, &s);
}

/* Build a border of this device's shard of its value. */
static struct sr_value *build_border(struct concatenation *c, const struct local_border *border, struct sr_value *shard)
{
	struct sr_builder *b = &c->h->builder;
	if (border->order == REVERSED)
		return sr_build_reverse(b, sr_build_slice_dim(b, shard, c->dim, border->first, border->n, 1), c->dim);
	int64_t dims[SR_MAX_RANK], *shape = sr_dup(c->h->arena, shard->type->shape, (size_t)shard->type->rank, sizeof *shape);
	for (int d = 0; d < shard->type->rank; d++)
		dims[d] = d;
	shape[c->dim] = border->n;
	return sr_build_broadcast(b, sr_build_slice_dim(b, shard, c->dim, border->first, 1, 1),
				  sr_type_with_shape(c->h->ctx, shard->type, shard->type->rank, shape), dims);
}

static void build(struct concatenation *c)
{
	const struct sr_attr *shardings[MAX_OPERANDS + 1];
	const struct sr_type *sample_type = NULL;
	for (int i = 0; i < c->n_values; i++)
		shardings[i] = sharding_of(c, i);
	shardings[c->n_values] = c->sharding;
	struct sr_value **args = sr_form_begin(c->h, c->values, c->n_values, shardings), *local, *sources[2 * MAX_OPERANDS];
	for (int i = 0; i < c->n_values; i++) {
		sources[i] = args[i];
		sample_type = args[i]->type->rank ? args[i]->type : sample_type;
	}
	for (int i = 0; i < c->n_borders; i++)
		sources[MAX_OPERANDS + i] = build_border(c, &c->borders[i], args[c->borders[i].value]);
	local = sr_halo_transfer_build(c->transfer, sources, sample_type, c->dim, (struct sr_halo_fill){.kind = SR_FILL_ANY});
	sr_form_end(c->h, &local);
}

static enum sr_form_use set_up(struct concatenation *c, const struct sr_form_query *q)
{
	const struct sr_type *t = sr_result(q->op, 0)->type;
	c->op = q->op;
	c->sharding = q->layouts[q->op->n_operands];
	c->dim = (int)sr_op_int(q->op, SR_NAME_dimension, 0);
	c->d = sr_halo_dim_of(c->h, c->sharding->sharding, c->dim);
	if (c->d.shards == 1)
		return SR_FORM_UNUSED;
	c->transfer = sr_halo_transfer_new(c->h, c->d, sr_ceil_div(t->shape[c->dim], c->d.shards));
	return c->d.shards <= q->max_listed && collect(c) ? SR_FORM_USED : SR_FORM_IMPOSSIBLE;
}

static bool supports(const struct sr_op_view *v, int factor)
{
	const struct sr_tensor_mapping *map = sr_projection_mapping(&v->p, v->rule->n_operands);
	int dim = (int)sr_op_int(v->op, SR_NAME_dimension, 0);
	return dim < map->rank && map->dims[dim].n == 1 && map->dims[dim].factors[0] == factor;
}

static enum sr_form_use cost(const struct sr_form_query *q, struct sr_wire_cost *sum)
{
	struct sr_expansion h = sr_halo_of(q);
	struct concatenation c = {.h = &h};
	enum sr_form_use use = set_up(&c, q);
	if (use != SR_FORM_USED)
		return use;
	double bytes = sr_halo_bytes_along(&h, sr_result(q->op, 0)->type, c.sharding->sharding, c.dim);
	return sr_halo_transfer_cost(c.transfer, bytes, sum) ? SR_FORM_USED : SR_FORM_IMPOSSIBLE;
}

static void emit(const struct sr_form_query *q)
{
	struct sr_expansion h = sr_halo_of(q);
	struct concatenation c = {.h = &h, .is_emitting = true};
	int n = q->op->n_operands;
	struct sr_op **producers = SR_NEW_ARRAY(q->arena, struct sr_op *, n);
	for (int i = 0; i < n; i++)
		producers[i] = sr_operand(q->op, i)->def;
	set_up(&c, q);
	build(&c);
	for (int i = 0; i < n; i++) /* a slice may occur twice as operand; erase it once */
		for (struct sr_op *next, *op = producers[i];
		     op && op->block && sr_form_is_read_through(op) && !sr_result(op, 0)->uses; op = next) {
			next = sr_operand(op, 0)->def;
			sr_op_erase(op);
		}
}

const struct sr_op_form sr_halo_of_concatenate = {"halo", supports, cost, emit};

void sr_halo_mark_concatenate(struct sr_context *ctx, struct sr_op *module, struct sr_op *op, struct sr_cost_model *costs)
{
	int dim = (int)sr_op_int(op, SR_NAME_dimension, 0);
	int64_t first;
	enum order order;
	(void)module, (void)costs;
	for (int i = 0; i < op->n_operands; i++) {
		struct sr_use *use = &op->operands[i];
		if (is_border_along(ctx, use->value->def, dim, &order))
			use = sr_form_mark_def(ctx, use);
		if (is_range_along(ctx, use->value->def, dim, &first))
			sr_form_mark_def(ctx, use);
	}
}
