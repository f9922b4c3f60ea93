/* Shifts: a slice of a padded value, or a pad alone or of a slice, whose result has the extent of the value along every
 * sharded dimension. A pad that only cuts is a slice.
 *
 * 	x: 8 elements over "x"=4;  slice [2:10] of pad(x, low = [1], high = [1])
 * 	->  element i is element i + 1 of x, and the padding value where there is none: each device drops its first element
 * 	    and appends the first of the next one; the last device appends the padding value
 *
 * So are stencils with a fixed boundary written: one pad, a slice per neighbour. A dimension that is not sharded may take any
 * padding and slice; it is padded, or cut, on each device. */
#include "partition/halo/halo.h"
#include "dialect/names.h"

struct shift {
	struct sr_halo *h;
	struct sr_value *from, *fill;
	int64_t by[SR_MAX_RANK]; /* element i of the result is element i + by of `from`; fill outside */
	const struct sr_written_sharding *out;
};

static const int64_t *ints(struct shift *s, const struct sr_op *op, const char *name)
{
	const int64_t *v;
	int64_t n;
	return sr_op_ints(s->h->ctx, op, name, &v, &n) ? v : NULL;
}

/* The first elements that v takes of its operand where it is a slice in steps of one, or a pad that only cuts. */
static const int64_t *slice_starts(struct shift *s, const struct sr_value *v)
{
	bool pads = v->def && sr_op_is(v->def, SR_OP_stablehlo_pad);
	if (!pads && !(v->def && sr_op_is(v->def, SR_OP_stablehlo_slice)))
		return NULL;
	const int64_t *first = ints(s, v->def, pads ? SR_NAME_edge_padding_low : SR_NAME_start_indices),
		      *last = ints(s, v->def, pads ? SR_NAME_edge_padding_high : SR_NAME_limit_indices),
		      *steps = ints(s, v->def, pads ? SR_NAME_interior_padding : SR_NAME_strides);
	if (!first || !last || !steps)
		return NULL;
	int64_t *starts = sr_dup(s->h->ctx->arena, first, (size_t)v->type->rank, sizeof *starts);
	for (int d = 0; d < v->type->rank; d++) {
		if (steps[d] != !pads || (pads && (first[d] > 0 || last[d] > 0 || first[d] == INT64_MIN)))
			return NULL;
		starts[d] = pads ? -first[d] : first[d];
	}
	return starts;
}

/* A pad between elements, or by more than there is, is none of ours. Fills in `by`. */
static bool read_pad(struct shift *s, const struct sr_op *pad, const int64_t *outer)
{
	const struct sr_type *in = sr_operand(pad, 0)->type, *wide = sr_result(pad, 0)->type;
	const int64_t *low = ints(s, pad, SR_NAME_edge_padding_low), *interior = ints(s, pad, SR_NAME_interior_padding);
	for (int d = 0; d < in->rank; d++) {
		if (!low || !interior || interior[d] || low[d] < -in->shape[d] || low[d] > wide->shape[d])
			return false;
		s->by[d] = (outer ? outer[d] : 0) - low[d];
	}
	return true;
}

/* Look through a slice that is padded again: only where nothing that it cut off would show instead of padding. */
static void look_through_slice(struct shift *s, const struct sr_type *out)
{
	const int64_t *inner = slice_starts(s, s->from);
	if (!inner)
		return;
	struct sr_value *whole = sr_operand(s->from->def, 0);
	for (int d = 0; d < out->rank; d++) {
		int64_t cut = whole->type->shape[d] - inner[d] - s->from->type->shape[d];
		if ((inner[d] && s->by[d] < 0) || (cut && s->by[d] + out->shape[d] > s->from->type->shape[d]))
			return;
	}
	for (int d = 0; d < out->rank; d++)
		s->by[d] += inner[d];
	s->from = whole;
}

/* Where a function is inlined, a reshard of its result may stand between. */
static struct sr_op *maker(const struct sr_value *v)
{
	while (v->def && sr_op_is(v->def, SR_OP_sdy_reshard))
		v = sr_operand(v->def, 0);
	return v->def;
}

static bool read(struct shift *s, struct sr_op *op)
{
	const int64_t *outer = slice_starts(s, sr_result(op, 0));
	struct sr_op *inner = maker(sr_operand(op, 0)), *pad = op;
	if (outer && inner && sr_op_is(inner, SR_OP_stablehlo_pad))
		pad = inner;
	else
		outer = NULL;
	if (!sr_op_is(pad, SR_OP_stablehlo_pad) || !sr_type_is_static(sr_result(pad, 0)->type) ||
	    !sr_type_is_static(sr_operand(pad, 0)->type) || !read_pad(s, pad, outer))
		return false;
	s->from = sr_operand(pad, 0);
	s->fill = sr_operand(pad, 1);
	look_through_slice(s, sr_result(op, 0)->type);
	return true;
}

static int64_t shards(struct shift *s, int d)
{
	return sr_written_dim_shards(s->out, s->h->mesh, d);
}

/* Elements move along a sharded dimension by no more than a shard, or stay where padding and slice undo each other. */
static bool is_wanted(struct shift *s, const struct sr_op *op)
{
	const struct sr_type *in = s->from->type, *out = sr_result(op, 0)->type, *between = sr_operand(op, 0)->type;
	bool wanted = false;
	for (int d = 0; d < out->rank; d++) {
		int64_t m = in->shape[d] / shards(s, d);
		if (shards(s, d) == 1)
			continue;
		if (in->shape[d] != out->shape[d] || s->by[d] > m || s->by[d] < -m)
			return false;
		wanted = wanted || s->by[d] || between->shape[d] != out->shape[d];
	}
	return wanted;
}

/* The local part of `from` moved along a sharded dimension. */
static struct sr_value *moved(struct shift *s, struct sr_value *v, int dim, struct sr_value *fill)
{
	struct sr_halo_dim d = sr_halo_dim_of(s->h, s->out, dim);
	int64_t by = s->by[dim], n = by < 0 ? -by : by, m = v->type->shape[dim];
	struct sr_halo_sources from = {.step = by < 0 ? -1 : 1};
	struct sr_value *parts[2];
	if (!by)
		return v;
	struct sr_value *got = sr_halo_permute(s->h, sr_halo_slice(s->h, v, dim, by < 0 ? m - n : 0, n), d, from);
	got = sr_halo_filled(s->h, got, d, from, fill);
	if (n == m)
		return got;
	parts[by > 0] = got;
	parts[by < 0] = sr_halo_slice(s->h, v, dim, by < 0 ? 0 : n, m - n);
	return sr_halo_concatenate(s->h, parts, 2, dim);
}

/* Padded and cut along the dimensions that are not sharded. */
static struct sr_value *padded(struct shift *s, struct sr_value *v, const struct sr_type *out, struct sr_value *fill)
{
	struct sr_context *ctx = s->h->ctx;
	int rank = out->rank;
	int64_t *low = SR_NEWS(ctx->arena, int64_t, rank), *high = SR_NEWS(ctx->arena, int64_t, rank),
		*shape = sr_dup(ctx->arena, v->type->shape, (size_t)rank, sizeof *shape);
	bool some = false;
	for (int d = 0; d < rank; d++) {
		if (shards(s, d) > 1)
			continue;
		low[d] = -s->by[d];
		high[d] = out->shape[d] - shape[d] + s->by[d];
		shape[d] = out->shape[d];
		some = some || low[d] || high[d];
	}
	if (!some)
		return v;
	struct sr_value *operands[] = {v, fill};
	struct sr_named attrs[] = {{SR_NAME_edge_padding_low, sr_attr_i64s(ctx, low, rank)},
				   {SR_NAME_edge_padding_high, sr_attr_i64s(ctx, high, rank)},
				   {SR_NAME_interior_padding, sr_attr_i64s(ctx, SR_NEWS(ctx->arena, int64_t, rank), rank)}};
	const struct sr_type *type = sr_type_with_shape(ctx, out, rank, shape);
	return sr_result(sr_build(&s->h->at, SR_OP_stablehlo_pad, operands, 2, attrs, 3, &type, 1), 0);
}

bool sr_halo_of_shift(struct sr_halo *h, struct sr_op *op)
{
	const struct sr_attr *sharding = sr_value_sharding(h->ctx, sr_result(op, 0));
	const struct sr_type *out = sr_result(op, 0)->type;
	struct shift s = {.h = h, .out = sharding->sharding};
	if (out->rank > SR_MAX_RANK || !sr_halo_divides(h, out, s.out) || !read(&s, op) || !sr_halo_divides(h, s.from->type, s.out) ||
	    !is_wanted(&s, op))
		return false;
	struct sr_written_sharding scalar = {.mesh_name = s.out->mesh_name, .mesh = s.out->mesh};
	const struct sr_attr *shardings[] = {sharding, sr_attr_sharding(h->ctx, &scalar)};
	struct sr_value *operands[] = {s.from, s.fill}, *between = sr_operand(op, 0);
	struct sr_op *manual = sr_halo_begin(h, op, operands, shardings, 2, sharding);
	struct sr_value **args = manual->regions[0].first->args, *v = args[0];
	for (int d = 0; d < out->rank; d++)
		if (shards(&s, d) > 1)
			v = moved(&s, v, d, args[1]);
	sr_halo_end(h, op, manual, padded(&s, v, out, args[1]));
	while (between != s.from && between->def && !between->uses) { /* what was looked through */
		struct sr_op *gone = between->def;
		between = sr_operand(gone, 0);
		sr_op_erase(gone);
	}
	return true;
}
