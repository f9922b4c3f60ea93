/* Halo exchange of slices, pads and reverses along sharded dimensions: element t of the result is element off + t * step of a
 * value, or padding, so each device gets one range of elements. The operand may itself be a slice, pad or reverse, which is read
 * through (form/form.h): the range is taken from the operand's operand if that sends no more.
 *
 * 	x: 8 elements over "x"=4;  slice [2:10] of pad(x, low = [1], high = [1])
 * 	->  element i is element i + 1 of x, or the padding value beyond its end: each device drops its first element and
 * 	    appends the first one of the next device; the last device appends the padding value
 *
 * Stencils with a fixed boundary are written this way: one pad, and a slice per neighbor. Dimensions that are not sharded are
 * sliced and padded locally. */
#include "dialect/attr_names.h"
#include "partition/halo/halo.h"
#include "support/checked.h"
#include <math.h>

enum { MAX_DEPTH = 4 };

/* Map of one dimension: element t of the result is element off + t * step of the value if that is in [begin, end), else padding.
 * With interior padding it is element (t - low) / dilation, if that is an integer. */
struct affine_dim {
	int64_t off, step, begin, end;
	int64_t low, dilation; /* interior padding of the operand is dilation - 1; `low` is only used with interior padding */
};

struct affine_read {
	struct sr_expansion *h;
	const struct sr_op *op;
	const struct sr_sdy_sharding *out;
	const struct sr_type *type;   /* type of the result of the slice, pad or reverse */
	struct sr_value *source, *fill; /* value that is read; scalar padding value, NULL: no padding */
	struct affine_dim dims[SR_MAX_RANK];
	/* transfers of the sharded dimensions that move elements; NULL for other dimensions */
	struct sr_halo_transfer *transfers[SR_MAX_RANK];
	struct sr_wire_cost cost;              /* summed cost of the transfers along all dimensions */
};

static const int64_t *ints(const struct affine_read *m, const struct sr_op *op, const char *name)
{
	const int64_t *v;
	int64_t n;
	return sr_op_ints(m->h->ctx, op, name, &v, &n) ? v : NULL;
}

/* ---------------------------------------------------------------- reading */

/* Compose the map of a result dimension with `inner`, the map of the op that defines the value. */
static void compose(struct affine_dim *d, const struct affine_dim *inner)
{
	int64_t begin = inner->off + d->begin * inner->step, last = inner->off + (d->end - 1) * inner->step;
	d->off = inner->off + d->off * inner->step;
	d->step *= inner->step;
	d->begin = inner->step > 0 ? begin : last;
	d->end = (inner->step > 0 ? last : begin) + 1;
	d->begin = d->begin > inner->begin ? d->begin : inner->begin;
	d->end = d->end < inner->end ? d->end : inner->end;
	if (d->end < d->begin)
		d->end = d->begin;
}

static bool read_slice(const struct affine_read *m, const struct sr_op *op, struct affine_dim *dims)
{
	const int64_t *start = ints(m, op, SR_NAME_start_indices), *steps = ints(m, op, SR_NAME_strides);
	for (int d = 0; d < m->type->rank; d++) {
		if (!start || !steps)
			return false;
		dims[d].off = start[d];
		dims[d].step = steps[d];
	}
	return true;
}

static bool read_pad(const struct affine_read *m, const struct sr_op *op, struct affine_dim *dims)
{
	const int64_t *low = ints(m, op, SR_NAME_edge_padding_low), *interior = ints(m, op, SR_NAME_interior_padding);
	for (int d = 0; d < m->type->rank; d++) {
		int64_t max_padding = sr_operand(op, 0)->type->shape[d] + sr_result(op, 0)->type->shape[d];
		if (!low || !interior || low[d] < -max_padding || low[d] > max_padding || (interior[d] && op != m->op))
			return false;
		dims[d].off = -low[d];
		dims[d].low = low[d];
		dims[d].dilation = interior[d] + 1;
	}
	return true;
}

static bool read_reverse(const struct affine_read *m, const struct sr_op *op, struct affine_dim *dims)
{
	const int64_t *reversed_dims;
	int64_t n;
	if (!sr_op_ints(m->h->ctx, op, SR_NAME_dimensions, &reversed_dims, &n))
		return false;
	for (int64_t i = 0; i < n; i++)
		dims[reversed_dims[i]] = (struct affine_dim){
			.off = dims[reversed_dims[i]].end - 1, .step = -1, .end = dims[reversed_dims[i]].end, .dilation = 1};
	return true;
}

/* Return true if the pad adds padding; false if it only removes elements. */
static bool adds_padding(const struct sr_op *pad, int rank, const struct affine_dim *dims)
{
	const struct sr_type *in = sr_operand(pad, 0)->type, *out = sr_result(pad, 0)->type;
	for (int d = 0; d < rank; d++)
		if (dims[d].low > 0 || dims[d].dilation > 1 || dims[d].low + in->shape[d] < out->shape[d])
			return true;
	return false;
}

/* Compose the maps with those of `op`, which defines m->source (at first m->op itself). Returns false if op is not a slice, pad or
 * reverse, or if the maps cannot be composed. */
static bool compose_with_op(struct affine_read *m, struct sr_op *op)
{
	static bool (*const readers[SR_OP_COUNT])(const struct affine_read *m, const struct sr_op *op, struct affine_dim *dims) = {
		[SR_OP_stablehlo_slice] = read_slice, [SR_OP_stablehlo_pad] = read_pad, [SR_OP_stablehlo_reverse] = read_reverse};
	struct affine_dim inner[SR_MAX_RANK];
	struct sr_value *operand = op && op->n_operands ? sr_operand(op, 0) : NULL;
	if (!op || !readers[sr_op_code_of(op)] || !sr_halo_is_supported(operand->type, m->out))
		return false;
	for (int d = 0; d < m->type->rank; d++)
		inner[d] = (struct affine_dim){.step = 1, .end = operand->type->shape[d], .dilation = 1};
	if (!readers[sr_op_code_of(op)](m, op, inner))
		return false;
	bool is_adding_pad = sr_op_is(op, SR_OP_stablehlo_pad) && adds_padding(op, m->type->rank, inner);
	if (is_adding_pad && m->fill)
		return false;
	for (int d = 0; d < m->type->rank; d++) {
		if (m->dims[d].dilation > 1)
			return false;
		m->dims[d].low = inner[d].low;
		m->dims[d].dilation = inner[d].dilation;
		compose(&m->dims[d], &inner[d]);
		if (inner[d].dilation > 1)
			m->dims[d].begin = 0, m->dims[d].end = operand->type->shape[d];
	}
	m->source = operand;
	m->fill = is_adding_pad ? sr_operand(op, 1) : m->fill;
	return true;
}

/* Return the op that defines v, skipping reshards, which inlined functions leave at their results. */
static struct sr_op *producer(const struct sr_value *v)
{
	while (v->def && sr_op_is(v->def, SR_OP_sdy_reshard))
		v = sr_operand(v->def, 0);
	return v->def;
}

/* ---------------------------------------------------------------- transfers */

static int64_t n_shards_of_dim(const struct affine_read *m, int d)
{
	return sr_sdy_dim_shards(m->out, m->h->mesh, d);
}

static bool is_dim_changed(const struct affine_read *m, int d)
{
	const struct affine_dim *dim = &m->dims[d];
	int64_t n = m->source->type->shape[d];
	return dim->off || dim->step != 1 || dim->dilation > 1 || dim->begin || dim->end != n || n != m->type->shape[d];
}

/* Return the offset within a shard of its first selected element. Requires strides_locally: then the offset is the same in all
 * shards, and every device selects every step-th element of its shard before sending. */
static int64_t common_phase(const struct affine_dim *d)
{
	return d->off - sr_halo_floor_div(d->off, d->step) * d->step;
}

static bool strides_locally(const struct affine_read *m, int d, int64_t shard_extent)
{
	return m->dims[d].step > 1 && shard_extent % m->dims[d].step == 0;
}

/* Return the first element that a device needs if its first result element is at position `at` of the dilated value. */
static int64_t first_dilated_element(const struct affine_dim *d, int64_t at)
{
	return sr_halo_floor_div(at - d->low, d->dilation);
}

/* Return the number of elements that a device needs to cover n positions after dilation. */
static int64_t max_undilated(const struct affine_dim *d, int64_t n)
{
	return (n - 1 + d->dilation - 1) / d->dilation + 1;
}

/* Return true if the padding of the last shard is overwritten with the padding value before the transfer, so that all shards have
 * the same length. */
static bool overwrites_last_padding(const struct affine_read *m, int d)
{
	int64_t extent = m->source->type->shape[d];
	return m->fill && extent % n_shards_of_dim(m, d) && !m->dims[d].begin && m->dims[d].end == extent;
}

static struct sr_halo_transfer *exchange_of(struct affine_read *m, int d)
{
	const struct affine_dim *dim = &m->dims[d];
	struct sr_halo_dim halo_dim = sr_halo_dim_of(m->h, m->out, d);
	int64_t n = sr_ceil_div(m->type->shape[d], halo_dim.shards),
		shard_extent = sr_ceil_div(m->source->type->shape[d], halo_dim.shards);
	int64_t step = dim->step < 0 ? -dim->step : dim->step, first = dim->off;
	struct sr_halo_range_source s = {shard_extent, dim->begin, dim->end};
	if (overwrites_last_padding(m, d))
		s.end = shard_extent * halo_dim.shards;
	if (strides_locally(m, d, shard_extent)) {
		int64_t phase = common_phase(dim);
		s = (struct sr_halo_range_source){shard_extent / step, sr_halo_floor_div(dim->begin - phase + step - 1, step),
					    sr_halo_floor_div(dim->end - phase + step - 1, step)};
		first = (dim->off - phase) / step;
		step = 1;
	}
	struct sr_halo_transfer *transfer =
		sr_halo_transfer_new(m->h, halo_dim, dim->dilation > 1 ? max_undilated(dim, n) : (n - 1) * step + 1);
	for (int64_t j = 0; j < halo_dim.shards; j++) {
		int64_t n_remaining = m->type->shape[d] - j * n, count = n_remaining < n ? n_remaining : n;
		if (count <= 0)
			break;
		if (dim->dilation > 1)
			sr_halo_transfer_add(transfer, 0, s, j, 0, first_dilated_element(dim, j * n), max_undilated(dim, n));
		else if (dim->step > 0)
			sr_halo_transfer_add(transfer, 0, s, j, 0, first + j * n * step, (count - 1) * step + 1);
		else /* For a reverse, the device's last result element is the first element of the range that the device reads. */
			sr_halo_transfer_add(transfer, 0, s, j, (n - count) * step, first - (j * n + count - 1) * step,
					     (count - 1) * step + 1);
	}
	return transfer;
}

/* Return false if the result may contain no element of the value along some dimension. */
static bool has_elements(const struct affine_read *m)
{
	for (int d = 0; d < m->type->rank; d++) {
		const struct affine_dim *dim = &m->dims[d];
		int64_t last = dim->off + (m->type->shape[d] - 1) * dim->step, low = dim->step > 0 ? dim->off : last,
			high = dim->step > 0 ? last : dim->off;
		if (dim->dilation == 1 && (high < dim->begin || low >= dim->end || dim->begin >= dim->end))
			return false;
		/* with a stride, every element of the value may be between two of the selected positions */
		if (dim->dilation == 1 && (dim->step > 1 || dim->step < -1) && m->fill)
			return false;
	}
	return true;
}

/* Set up the transfers of the sharded dimensions that move elements. Sets m->transfers and m->cost. Returns whether the form is
 * used, unused or impossible. */
static enum sr_form_use set_up(struct affine_read *m)
{
	enum sr_form_use use = SR_FORM_UNUSED;
	m->cost = (struct sr_wire_cost){0};
	for (int d = 0; d < m->type->rank; d++) {
		m->transfers[d] = NULL;
		if (n_shards_of_dim(m, d) == 1 || !is_dim_changed(m, d))
			continue;
		if (!has_elements(m) || !sr_halo_is_listable(sr_halo_dim_of(m->h, m->out, d)))
			return SR_FORM_IMPOSSIBLE;
		m->transfers[d] = exchange_of(m, d);
		if (!sr_halo_transfer_cost(m->transfers[d], sr_halo_bytes_along(m->h, m->source->type, m->out, d), &m->cost))
			return SR_FORM_IMPOSSIBLE;
		use = SR_FORM_USED;
	}
	return use;
}

/* Set *m to the map of the op itself, without ops that it reads through. Returns false if the op is not supported. */
static bool read_op(struct affine_read *m, struct sr_op *op)
{
	m->op = op;
	m->type = sr_result(op, 0)->type;
	m->source = sr_result(op, 0);
	for (int d = 0; d < m->type->rank; d++)
		m->dims[d] = (struct affine_dim){.step = 1, .end = m->type->shape[d], .dilation = 1};
	return sr_halo_is_supported(m->type, m->out) && compose_with_op(m, op);
}

/* Read the op and the ops that it reads through. Returns false if it is not supported. */
static bool read(struct affine_read *m, struct sr_op *op)
{
	bool is_readable = read_op(m, op);
	while (is_readable && m->source->def && sr_form_is_read_through(m->source->def))
		is_readable = compose_with_op(m, producer(m->source));
	return is_readable;
}

/* ---------------------------------------------------------------- building */

/* Return the local shard after the transfer along a sharded dimension. */
static struct sr_value *build_sharded_dim(struct affine_read *m, struct sr_value *v, int dim, struct sr_value *fill)
{
	const struct affine_dim *d = &m->dims[dim];
	struct sr_expansion *h = m->h;
	struct sr_halo_dim halo_dim = sr_halo_dim_of(h, m->out, dim);
	int64_t shard_extent = v->type->shape[dim], n = sr_ceil_div(m->type->shape[dim], halo_dim.shards),
		step = d->step < 0 ? -d->step : d->step;
	struct sr_halo_fill missing_fill = {fill ? SR_FILL_VALUE : SR_FILL_ANY, fill};
	if (overwrites_last_padding(m, dim))
		v = sr_halo_masked(h, v, dim, halo_dim, m->source->type->shape[dim], fill);
	if (strides_locally(m, dim, shard_extent)) {
		v = sr_build_slice_dim(&h->builder, v, dim, common_phase(d), shard_extent / step, step);
		step = 1;
	}
	v = sr_halo_transfer_build(m->transfers[dim], &v, v->type, dim, missing_fill);
	if (d->dilation > 1) {
		int64_t *first = SR_NEW_ARRAY(h->arena, int64_t, halo_dim.shards);
		struct sr_dim_padding padding = {.high = d->dilation - 1, .interior = d->dilation - 1};
		v = sr_build_pad_dim(&h->builder, v, dim, padding, fill);
		for (int64_t j = 0; j < halo_dim.shards; j++)
			first[j] = j * n - d->low - first_dilated_element(d, j * n) * d->dilation;
		return sr_halo_slice_per_device(h, v, dim, halo_dim, first, n);
	}
	v = sr_build_slice_dim(&h->builder, v, dim, 0, n, step);
	return d->step < 0 ? sr_build_reverse(&h->builder, v, dim) : v;
}

static int64_t clamp(int64_t v, int64_t low, int64_t high)
{
	return v < low ? low : v > high ? high : v;
}

/* Slice and pad a dimension that is not sharded. Returns NULL if the result contains no element of the value. */
static struct sr_value *build_local_dim(struct affine_read *m, struct sr_value *v, int dim, struct sr_value *fill)
{
	const struct affine_dim *d = &m->dims[dim];
	int64_t n = m->type->shape[dim], step = d->step < 0 ? -d->step : d->step, had = v->type->shape[dim];
	struct sr_builder *b = &m->h->builder;
	if (d->dilation > 1) {
		struct sr_dim_padding padding = {d->low, n - d->low - ((had - 1) * d->dilation + 1), d->dilation - 1};
		return sr_build_pad_dim(b, v, dim, padding, fill);
	}
	/* elements of [begin, end) are the results t from `low` to `high` */
	int64_t low = d->step > 0 ? d->begin - d->off : d->off - (d->end - 1),
		high = d->step > 0 ? d->end - 1 - d->off : d->off - d->begin;
	int64_t first = clamp(sr_ceil_div(low > 0 ? low : 0, step), 0, n), last = high < 0 ? -1 : clamp(high / step, -1, n - 1);
	if (last < first)
		return NULL;
	v = sr_build_slice_dim(b, v, dim, d->step > 0 ? d->off + first * step : d->off - last * step, last - first + 1, step);
	if (d->step < 0)
		v = sr_build_reverse(b, v, dim);
	return sr_build_pad_dim(b, v, dim, (struct sr_dim_padding){.low = first, .high = n - 1 - last}, fill);
}

static bool is_dim_shrunk(const struct affine_read *m, int d)
{
	return m->type->shape[d] < m->source->type->shape[d];
}

static struct sr_value *build(struct affine_read *m, struct sr_value *v, struct sr_value *fill)
{
	for (int d = 0; d < m->type->rank; d++)
		if (n_shards_of_dim(m, d) == 1 && is_dim_changed(m, d) && is_dim_shrunk(m, d))
			v = build_local_dim(m, v, d, fill);
	for (int d = 0; d < m->type->rank; d++)
		if (m->transfers[d])
			v = build_sharded_dim(m, v, d, fill);
	for (int d = 0; d < m->type->rank; d++)
		if (n_shards_of_dim(m, d) == 1 && is_dim_changed(m, d) && !is_dim_shrunk(m, d))
			v = build_local_dim(m, v, d, fill);
	return v;
}

/* Return true if the factor belongs to a dimension of operand and result. */
static bool supports(const struct sr_op_view *v, int factor)
{
	return v->p.tensors[0].factors[factor].is_present && v->p.tensors[v->rule->n_operands].factors[factor].is_present;
}

static enum sr_form_use cost(const struct sr_form_query *q, struct sr_wire_cost *sum)
{
	struct sr_expansion h = sr_halo_of(q);
	struct affine_read m = {.h = &h, .out = q->layouts[q->op->n_operands]->sharding};
	if (!read(&m, q->op))
		return SR_FORM_UNUSED;
	enum sr_form_use use = set_up(&m);
	sr_wire_cost_add(sum, m.cost);
	return use;
}

static void emit(const struct sr_form_query *q)
{
	struct sr_expansion h = sr_halo_of(q);
	struct sr_value *unused_value = sr_operand(q->op, 0);
	const struct sr_attr *layout = q->layouts[q->op->n_operands];
	struct affine_read m = {.h = &h, .out = layout->sharding};
	read(&m, q->op);
	set_up(&m);
	struct sr_sdy_sharding scalar = {.mesh_name = m.out->mesh_name, .mesh = m.out->mesh};
	const struct sr_attr *shardings[] = {layout, m.fill ? sr_attr_sharding(q->ctx, &scalar) : layout, layout};
	struct sr_value *operands[] = {m.source, m.fill};
	struct sr_value **args = sr_form_begin(&h, operands, m.fill ? 2 : 1, shardings),
			*local = build(&m, args[0], m.fill ? args[1] : NULL);
	sr_form_end(&h, &local);
	/* erase the ops between the result and the value that is now read, which have no users left */
	while (unused_value != m.source && unused_value->def && !unused_value->uses) {
		struct sr_op *unused_op = unused_value->def;
		unused_value = sr_operand(unused_op, 0);
		sr_op_erase(unused_op);
	}
}

const struct sr_op_form sr_halo_of_slice_pad_reverse = {"halo", supports, cost, emit};

/* Mark the ops that define the operand as read through, as long as that does not make the transfers more expensive. */
void sr_halo_mark_slice_pad_reverse(struct sr_context *ctx, struct sr_op *module, struct sr_op *op, struct sr_cost_model *costs)
{
	const struct sr_attr *sharding = sr_value_sharding(ctx, sr_result(op, 0));
	struct sr_expansion h = {.ctx = ctx, .arena = ctx->scratch, .module = module, .costs = costs, .max_listed = SR_FORM_MAX_LISTED,
			    .mesh = sharding ? sr_sharding_mesh(module, sharding->sharding) : NULL};
	struct sr_arena_position mark = sr_arena_mark(ctx->scratch);
	struct affine_read m = {.h = &h, .out = sharding ? sharding->sharding : NULL};
	double latency = sr_cost_model_loop_latency(costs, op), min_bytes = HUGE_VAL;
	const struct sr_value *source = NULL;
	if (h.mesh && !sr_mesh_is_single_device(h.mesh) && read_op(&m, op))
		for (int depth = 0; depth <= MAX_DEPTH; depth++) {
			double bytes = set_up(&m) == SR_FORM_USED ? m.cost.bytes + latency * m.cost.rounds : HUGE_VAL;
			if (bytes < HUGE_VAL && bytes <= min_bytes) {
				min_bytes = bytes;
				source = m.source;
			}
			if (!compose_with_op(&m, producer(m.source)))
				break;
		}
	sr_arena_release(ctx->scratch, mark);
	for (struct sr_use *use = &op->operands[0]; source && use->value != source;)
		use = sr_form_mark_def(ctx, use);
}
