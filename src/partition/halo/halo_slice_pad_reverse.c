/* Slices, pads and reversals along sharded dimensions: element t of the result is element off + t * step of a value, or padding,
 * so that each device gets a range from wherever it lies. What it reads may itself be a slice, a pad or a reversal: where less
 * is sent so, the range is taken from the value behind it.
 *
 * 	x: 8 elements over "x"=4;  slice [2:10] of pad(x, low = [1], high = [1])
 * 	->  element i is element i + 1 of x, and the padding value where there is none: each device drops its first element
 * 	    and appends the first of the next one; the last device appends the padding value
 *
 * So are stencils with a fixed boundary written: one pad, a slice per neighbour. A dimension that is not sharded may take any
 * padding and slice; it is cut, or padded, on each device. */
#include "dialect/attr_names.h"
#include "partition/halo/halo.h"
#include "support/checked.h"

enum { MOST_DEPTH = 4 };

/* Along one dimension: element t of the result is element off + t * step of the value where that lies in [begin, end), and
 * padding elsewhere. Of a pad between elements: element (t - low) / dilation, where that is whole. */
struct move_dim {
	int64_t off, step, begin, end;
	int64_t low, dilation; /* dilation 1: off and step say it all */
};

struct move {
	struct sr_halo *h;
	const struct sr_op *op;
	const struct sr_sdy_sharding *out;
	const struct sr_type *type; /* of the result */
	struct sr_value *from, *fill; /* fill NULL: nothing is padding */
	struct move_dim dims[SR_MAX_RANK];
	struct sr_halo_transfer *exchanges[SR_MAX_RANK]; /* of the dimensions that move */
	double cost; /* of the exchanges */
};

static const int64_t *ints(const struct move *m, const struct sr_op *op, const char *name)
{
	const int64_t *v;
	int64_t n;
	return sr_op_ints(m->h->ctx, op, name, &v, &n) ? v : NULL;
}

/* ---------------------------------------------------------------- reading */

/* The value of v is made of its operand as `inner` says: element t of the result is that of the operand now. */
static void compose(struct move_dim *d, const struct move_dim *inner)
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

static bool read_slice(const struct move *m, const struct sr_op *op, struct move_dim *dims)
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

static bool read_pad(const struct move *m, const struct sr_op *op, struct move_dim *dims)
{
	const int64_t *low = ints(m, op, SR_NAME_edge_padding_low), *interior = ints(m, op, SR_NAME_interior_padding);
	for (int d = 0; d < m->type->rank; d++) {
		int64_t most = sr_operand(op, 0)->type->shape[d] + sr_result(op, 0)->type->shape[d];
		if (!low || !interior || low[d] < -most || low[d] > most || (interior[d] && op != m->op))
			return false;
		dims[d].off = -low[d];
		dims[d].low = low[d];
		dims[d].dilation = interior[d] + 1;
	}
	return true;
}

static bool read_reverse(const struct move *m, const struct sr_op *op, struct move_dim *dims)
{
	const int64_t *reversed;
	int64_t n;
	if (!sr_op_ints(m->h->ctx, op, SR_NAME_dimensions, &reversed, &n))
		return false;
	for (int64_t i = 0; i < n; i++)
		dims[reversed[i]] = (struct move_dim){
			.off = dims[reversed[i]].end - 1, .step = -1, .end = dims[reversed[i]].end, .dilation = 1};
	return true;
}

/* A pad that only cuts has no padding. */
static bool widens(const struct sr_op *pad, int rank, const struct move_dim *dims)
{
	const struct sr_type *in = sr_operand(pad, 0)->type, *out = sr_result(pad, 0)->type;
	for (int d = 0; d < rank; d++)
		if (dims[d].low > 0 || dims[d].dilation > 1 || dims[d].low + in->shape[d] < out->shape[d])
			return true;
	return false;
}

/* Looks through the op that makes m->from, or is m->op; false: it is none of ours. */
static bool look_through(struct move *m, struct sr_op *op)
{
	static bool (*const readers[SR_OP_COUNT])(const struct move *m, const struct sr_op *op, struct move_dim *dims) = {
		[SR_OP_stablehlo_slice] = read_slice, [SR_OP_stablehlo_pad] = read_pad, [SR_OP_stablehlo_reverse] = read_reverse};
	struct move_dim inner[SR_MAX_RANK];
	struct sr_value *from = op && op->n_operands ? sr_operand(op, 0) : NULL;
	if (!op || !readers[sr_op_code_of(op)] || !sr_halo_is_supported(from->type, m->out))
		return false;
	for (int d = 0; d < m->type->rank; d++)
		inner[d] = (struct move_dim){.step = 1, .end = from->type->shape[d], .dilation = 1};
	if (!readers[sr_op_code_of(op)](m, op, inner))
		return false;
	bool pads = sr_op_is(op, SR_OP_stablehlo_pad) && widens(op, m->type->rank, inner);
	if (pads && m->fill)
		return false;
	for (int d = 0; d < m->type->rank; d++) {
		if (m->dims[d].dilation > 1)
			return false;
		m->dims[d].low = inner[d].low;
		m->dims[d].dilation = inner[d].dilation;
		compose(&m->dims[d], &inner[d]);
		if (inner[d].dilation > 1)
			m->dims[d].begin = 0, m->dims[d].end = from->type->shape[d];
	}
	m->from = from;
	m->fill = pads ? sr_operand(op, 1) : m->fill;
	return true;
}

/* Where a function is inlined, a reshard of its result may stand between. */
static struct sr_op *maker(const struct sr_value *v)
{
	while (v->def && sr_op_is(v->def, SR_OP_sdy_reshard))
		v = sr_operand(v->def, 0);
	return v->def;
}

/* ---------------------------------------------------------------- what moves */

static int64_t shards(const struct move *m, int d)
{
	return sr_sdy_dim_shards(m->out, m->h->mesh, d);
}

static bool is_moved(const struct move *m, int d)
{
	const struct move_dim *dim = &m->dims[d];
	int64_t n = m->from->type->shape[d];
	return dim->off || dim->step != 1 || dim->dilation > 1 || dim->begin || dim->end != n || n != m->type->shape[d];
}

static int64_t floor_div(int64_t a, int64_t b)
{
	return a / b - (a % b < 0);
}

/* Every step-th element is cut before it is sent where the shards all begin at the same place between two. */
static int64_t phase_of(const struct move_dim *d)
{
	return d->off - floor_div(d->off, d->step) * d->step;
}

static bool steps_first(const struct move *m, int d, int64_t part)
{
	return m->dims[d].step > 1 && part % m->dims[d].step == 0;
}

/* What device j needs of a dilated dimension, whose place `at` it has first: the first element, and how far behind `at` it lies. */
static int64_t first_dilated(const struct move_dim *d, int64_t at)
{
	return floor_div(at - d->low, d->dilation);
}

/* How many elements a device holds of the dilated value's dimension before it is dilated and cut to n. */
static int64_t most_dilated(const struct move_dim *d, int64_t n)
{
	return (n - 1 + d->dilation - 1) / d->dilation + 1;
}

/* What fills the last part up is made padding before it is sent: all parts are then as long. */
static bool is_masked(const struct move *m, int d)
{
	int64_t extent = m->from->type->shape[d];
	return m->fill && extent % shards(m, d) && !m->dims[d].begin && m->dims[d].end == extent;
}

static struct sr_halo_transfer *exchange_of(struct move *m, int d)
{
	const struct move_dim *dim = &m->dims[d];
	struct sr_halo_dim along = sr_halo_dim_of(m->h, m->out, d);
	int64_t n = sr_ceil_div(m->type->shape[d], along.shards), part = sr_ceil_div(m->from->type->shape[d], along.shards);
	int64_t step = dim->step < 0 ? -dim->step : dim->step, first = dim->off;
	struct sr_halo_range_source s = {part, dim->begin, dim->end};
	if (is_masked(m, d))
		s.end = part * along.shards;
	if (steps_first(m, d, part)) {
		int64_t phase = phase_of(dim);
		s = (struct sr_halo_range_source){part / step, floor_div(dim->begin - phase + step - 1, step),
					    floor_div(dim->end - phase + step - 1, step)};
		first = (dim->off - phase) / step;
		step = 1;
	}
	struct sr_halo_transfer *x =
		sr_halo_transfer_new(m->h, along, dim->dilation > 1 ? most_dilated(dim, n) : (n - 1) * step + 1);
	for (int64_t j = 0; j < along.shards; j++) {
		int64_t left = m->type->shape[d] - j * n, count = left < n ? left : n;
		if (count <= 0)
			break;
		if (dim->dilation > 1)
			sr_halo_transfer_add(x, 0, s, j, 0, first_dilated(dim, j * n), most_dilated(dim, n));
		else if (dim->step > 0)
			sr_halo_transfer_add(x, 0, s, j, 0, first + j * n * step, (count - 1) * step + 1);
		else /* backwards: the last of a device's elements is the first of its range */
			sr_halo_transfer_add(x, 0, s, j, (n - count) * step, first - (j * n + count - 1) * step,
					     (count - 1) * step + 1);
	}
	return x;
}

/* Of a value no element of which is in the result, nothing is made; nor where steps may pass by all of them. */
static bool has_elements(const struct move *m)
{
	for (int d = 0; d < m->type->rank; d++) {
		const struct move_dim *dim = &m->dims[d];
		int64_t last = dim->off + (m->type->shape[d] - 1) * dim->step, low = dim->step > 0 ? dim->off : last,
			high = dim->step > 0 ? last : dim->off;
		if (dim->dilation == 1 && (high < dim->begin || low >= dim->end || dim->begin >= dim->end))
			return false;
		/* between two steps there may be nothing */
		if (dim->dilation == 1 && (dim->step > 1 || dim->step < -1) && m->fill)
			return false;
	}
	return true;
}

/* Some sharded dimension moves, and it costs less than to gather it. Fills in exchanges and sent. */
static bool is_wanted(struct move *m)
{
	bool wanted = false;
	m->cost = 0;
	if (!has_elements(m))
		return false;
	for (int d = 0; d < m->type->rank; d++) {
		m->exchanges[d] = NULL;
		if (shards(m, d) == 1 || !is_moved(m, d))
			continue;
		double k = (double)shards(m, d), part = (double)sr_ceil_div(m->from->type->shape[d], shards(m, d));
		double bytes = sr_halo_bytes_along(m->h, m->from->type, m->out, d);
		m->exchanges[d] = exchange_of(m, d);
		double cost = sr_halo_transfer_cost(m->exchanges[d], bytes);
		if (cost >= sr_halo_gather_cost(m->h, k * part * bytes, k))
			return false;
		m->cost += cost;
		wanted = true;
	}
	return wanted;
}

/* What the op reads, looked through as deeply as it sends no more for it. */
static bool read(struct move *m, struct sr_op *op)
{
	struct move deeper;
	m->from = sr_result(op, 0);
	for (int d = 0; d < m->type->rank; d++)
		m->dims[d] = (struct move_dim){.step = 1, .end = m->type->shape[d], .dilation = 1};
	if (!look_through(m, op))
		return false;
	bool wanted = is_wanted(m);
	deeper = *m;
	for (int depth = 0; depth < MOST_DEPTH && look_through(&deeper, maker(deeper.from)); depth++)
		if (is_wanted(&deeper) && (!wanted || deeper.cost <= m->cost)) {
			*m = deeper;
			wanted = true;
		}
	return wanted;
}

/* ---------------------------------------------------------------- building */

static struct sr_value *reversed(struct sr_halo *h, struct sr_value *v, int dim)
{
	struct sr_named_attr attr = {SR_NAME_dimensions, sr_attr_i64s(h->ctx, (int64_t[]){dim}, 1)};
	return sr_result(sr_build(&h->at, SR_OP_stablehlo_reverse, &v, 1, &attr, 1, &v->type, 1), 0);
}

/* The local part of the value moved along a sharded dimension. */
static struct sr_value *moved(struct move *m, struct sr_value *v, int dim, struct sr_value *fill)
{
	const struct move_dim *d = &m->dims[dim];
	struct sr_halo *h = m->h;
	struct sr_halo_dim along = sr_halo_dim_of(h, m->out, dim);
	int64_t part = v->type->shape[dim], n = sr_ceil_div(m->type->shape[dim], along.shards),
		step = d->step < 0 ? -d->step : d->step;
	struct sr_halo_fill by = {fill ? SR_FILL_VALUE : SR_FILL_ANY, fill};
	if (is_masked(m, dim))
		v = sr_halo_masked(h, v, dim, along, m->from->type->shape[dim], fill);
	if (steps_first(m, dim, part)) {
		v = sr_halo_strided_slice(h, v, dim, phase_of(d), part / step, step);
		step = 1;
	}
	v = sr_halo_transfer_build(m->exchanges[dim], &v, v->type, dim, by);
	if (d->dilation > 1) {
		int64_t *first = SR_NEWS(h->ctx->arena, int64_t, along.shards);
		v = sr_halo_pad(h, v, dim, (struct sr_halo_padding){.high = d->dilation - 1, .interior = d->dilation - 1}, fill);
		for (int64_t j = 0; j < along.shards; j++)
			first[j] = j * n - d->low - first_dilated(d, j * n) * d->dilation;
		return sr_halo_slice_per_device(h, v, dim, along, first, n);
	}
	v = sr_halo_strided_slice(h, v, dim, 0, n, step);
	return d->step < 0 ? reversed(h, v, dim) : v;
}

static int64_t clamped(int64_t v, int64_t low, int64_t high)
{
	return v < low ? low : v > high ? high : v;
}

/* Along a dimension that is not sharded: the elements that there are, then padding around them. */
static struct sr_value *made_locally(struct move *m, struct sr_value *v, int dim, struct sr_value *fill)
{
	const struct move_dim *d = &m->dims[dim];
	int64_t n = m->type->shape[dim], step = d->step < 0 ? -d->step : d->step, had = v->type->shape[dim];
	if (d->dilation > 1)
		return sr_halo_pad(m->h, v, dim,
				   (struct sr_halo_padding){d->low, n - d->low - ((had - 1) * d->dilation + 1), d->dilation - 1},
				   fill);
	/* t from first to last are elements of [begin, end) */
	int64_t low = d->step > 0 ? d->begin - d->off : d->off - (d->end - 1),
		high = d->step > 0 ? d->end - 1 - d->off : d->off - d->begin;
	int64_t first = clamped(sr_ceil_div(low > 0 ? low : 0, step), 0, n), last = high < 0 ? -1 : clamped(high / step, -1, n - 1);
	if (last < first)
		return NULL;
	v = sr_halo_strided_slice(m->h, v, dim, d->step > 0 ? d->off + first * step : d->off - last * step, last - first + 1,
				   step);
	if (d->step < 0)
		v = reversed(m->h, v, dim);
	return sr_halo_pad(m->h, v, dim, (struct sr_halo_padding){.low = first, .high = n - 1 - last}, fill);
}

static bool shrinks(const struct move *m, int d)
{
	return m->type->shape[d] < m->from->type->shape[d];
}

static struct sr_value *build(struct move *m, struct sr_value *v, struct sr_value *fill)
{
	for (int d = 0; d < m->type->rank; d++)
		if (shards(m, d) == 1 && is_moved(m, d) && shrinks(m, d))
			v = made_locally(m, v, d, fill);
	for (int d = 0; d < m->type->rank; d++)
		if (m->exchanges[d])
			v = moved(m, v, d, fill);
	for (int d = 0; d < m->type->rank; d++)
		if (shards(m, d) == 1 && is_moved(m, d) && !shrinks(m, d))
			v = made_locally(m, v, d, fill);
	return v;
}

bool sr_halo_expand_slice_pad_reverse(struct sr_halo *h, struct sr_op *op)
{
	const struct sr_attr *sharding = sr_value_sharding(h->ctx, sr_result(op, 0));
	struct move m = {.h = h, .op = op, .type = sr_result(op, 0)->type};
	if (!sharding || !sr_halo_is_supported(m.type, m.out = sharding->sharding) || !read(&m, op))
		return false;
	struct sr_sdy_sharding scalar = {.mesh_name = m.out->mesh_name, .mesh = m.out->mesh};
	const struct sr_attr *shardings[] = {sharding, sr_attr_sharding(h->ctx, &scalar)};
	struct sr_value *operands[] = {m.from, m.fill}, *between = sr_operand(op, 0);
	struct sr_op *manual = sr_halo_begin(h, op, operands, shardings, m.fill ? 2 : 1, sharding);
	struct sr_value **args = manual->regions[0].first->args;
	sr_halo_end(h, op, manual, build(&m, args[0], m.fill ? args[1] : NULL));
	while (between != m.from && between->def && !between->uses) { /* what was looked through */
		struct sr_op *gone = between->def;
		between = sr_operand(gone, 0);
		sr_op_erase(gone);
	}
	return true;
}
