/* Halo exchange of a concatenate along a sharded dimension: each device gets the elements of its shard from the devices that
 * have them. An operand is sharded like the result, or replicated along the dimension. A slice operand is read from the value
 * that it slices, a broadcast scalar is made locally.
 *
 *	roll by 1, n = 8, 4 devices of 2:   [7:8] is device 0's [0,1), from [1,2) of device 3
 *	                                    [0:7] gives devices 1..3 their [0,1), from [1,2) of the previous one; the rest stays
 *	                                    one permute of one element around the ring moves everything
 */
#include "dialect/attr_names.h"
#include "partition/halo/halo.h"
#include "support/checked.h"

enum { MAX_OPERANDS = 64 };

struct concatenation {
	struct sr_expansion *h;
	struct sr_op *op;
	const struct sr_attr *sharding; /* sharding of the result */
	int dim;
	struct sr_halo_dim d;
	struct sr_value *values[MAX_OPERANDS]; /* distinct values of which the operands are slices */
	bool is_replicated[MAX_OPERANDS];      /* true for a value that is replicated along dim */
	int n_values;
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

/* Return the value of which operand v is a range of elements, and the range's start. */
static struct sr_value *sliced_value(struct concatenation *c, struct sr_value *v, int64_t *first)
{
	*first = 0;
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

/* State that elements [at, at + n) of the result are those of value `number` from element `first` on. */
static void add_range(struct concatenation *c, int number, int64_t first, int64_t at, int64_t n)
{
	int64_t extent = sr_result(c->op, 0)->type->shape[c->dim], local_extent = sr_ceil_div(extent, c->d.shards);
	struct sr_value *v = c->values[number];
	bool is_scalar = v->type->rank == 0;
	struct sr_halo_range_source s = {.end = is_scalar ? extent : v->type->shape[c->dim]};
	s.shard_extent = c->is_replicated[number] ? 0 : sr_ceil_div(s.end, c->d.shards);
	for (int64_t j = at / local_extent; j < c->d.shards && j * local_extent < at + n; j++) {
		int64_t lo = at > j * local_extent ? at : j * local_extent,
			hi = at + n < (j + 1) * local_extent ? at + n : (j + 1) * local_extent;
		sr_halo_transfer_add(c->transfer, number, s, j, lo - j * local_extent, is_scalar ? 0 : first + lo - at, hi - lo);
	}
}

static bool collect(struct concatenation *c)
{
	int64_t at = 0;
	bool has_tensor = false;
	for (int i = 0; i < c->op->n_operands; i++) {
		struct sr_value *v = sr_operand(c->op, i), *source = scalar_of(v);
		int64_t first = 0, n = v->type->shape[c->dim];
		source = source ? source : sliced_value(c, v, &first);
		source = c->is_emitting ? replicated_source(c, source) : source;
		if (source->type->rank && !sr_halo_is_supported(source->type, c->sharding->sharding))
			return false;
		int number = index_of_value(c, source);
		if (number < 0)
			return false;
		add_range(c, number, first, at, n);
		at += n;
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

static void build(struct concatenation *c)
{
	const struct sr_attr *shardings[MAX_OPERANDS + 1];
	const struct sr_type *sample_type = NULL;
	for (int i = 0; i < c->n_values; i++)
		shardings[i] = sharding_of(c, i);
	shardings[c->n_values] = c->sharding;
	struct sr_value **args = sr_form_begin(c->h, c->values, c->n_values, shardings), *local;
	for (int i = 0; i < c->n_values; i++)
		sample_type = args[i]->type->rank ? args[i]->type : sample_type;
	local = sr_halo_transfer_build(c->transfer, args, sample_type, c->dim, (struct sr_halo_fill){.kind = SR_FILL_ANY});
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
		if (producers[i] && producers[i]->block && sr_form_is_read_through(producers[i]) &&
		    !sr_result(producers[i], 0)->uses)
			sr_op_erase(producers[i]);
}

const struct sr_op_form sr_halo_of_concatenate = {"halo", supports, cost, emit};

void sr_halo_mark_concatenate(struct sr_context *ctx, struct sr_op *module, struct sr_op *op, struct sr_cost_model *costs)
{
	int dim = (int)sr_op_int(op, SR_NAME_dimension, 0);
	int64_t first;
	(void)module, (void)costs;
	for (int i = 0; i < op->n_operands; i++)
		if (is_range_along(ctx, sr_operand(op, i)->def, dim, &first))
			sr_form_mark_def(ctx, &op->operands[i]);
}
