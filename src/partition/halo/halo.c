/* shardrun-halo-exchange: expand ops that move elements along a sharded dimension into an exchange of boundary elements between
 * devices, where that is cheaper than gathering the dimension.
 *
 *	roll by one, 8 elements over "x"=4:   concatenate(slice [7:8], slice [0:7])
 *	->  a manual computation over all axes: each device sends its last element to the next (the last to the first) and
 *	    returns concatenate(received element, its own first element)
 *
 * The exchange is an sdy.manual_computation of the global module, so later passes treat it as any other:
 * shardrun-insert-reshards reshards its operands, shardrun-global-to-local inlines its body. Requires: propagation done, calls
 * inlined. Leaves: sdy.manual_computation ops; ops without an expansion are unchanged. Cost: linear in the module. */
#include "dialect/signature.h"
#include "dialect/attr_names.h"
#include "partition/collective.h"
#include "partition/device_coordinate.h"
#include "partition/halo/halo.h"
#include "partition/local/local.h"
#include "partition/partition.h"
#include "partition/partition_passes.h"
#include "support/checked.h"
#include "support/vec.h"

struct sr_halo_dim sr_halo_dim_of(struct sr_halo *h, const struct sr_sdy_sharding *s, int dim)
{
	struct sr_halo_dim d = {.axes = sr_axes_resolve(h->ctx->arena, h->mesh, s->dims[dim].axes)};
	d.shards = sr_axes_size(d.axes);
	return d;
}

double sr_halo_bytes_along(const struct sr_halo *h, const struct sr_type *t, const struct sr_sdy_sharding *s, int dim)
{
	double bytes = (double)sr_dtype_bytes(t->dtype);
	for (int d = 0; d < t->rank; d++)
		bytes *= d == dim ? 1 : (double)sr_ceil_div(t->shape[d], sr_sdy_dim_shards(s, h->mesh, d));
	return bytes;
}

double sr_halo_gather_cost(const struct sr_halo *h, double bytes, struct sr_axes axes)
{
	return sr_cost_model_collective(h->costs, h->mesh, SR_ALL_GATHER, bytes, axes, h->latency);
}

bool sr_halo_is_supported(const struct sr_type *t, const struct sr_sdy_sharding *s)
{
	if (t->kind != SR_TYPE_TENSOR || t->dtype == SR_DTYPE_NONE || !sr_type_is_static(t) || s->rank != t->rank ||
	    t->rank > SR_MAX_RANK)
		return false;
	for (int d = 0; d < t->rank; d++)
		if (!t->shape[d])
			return false;
	return true;
}

static bool divides(struct sr_halo *h, const struct sr_type *t, const struct sr_sdy_sharding *s)
{
	for (int d = 0; d < t->rank; d++)
		if (t->shape[d] % sr_sdy_dim_shards(s, h->mesh, d))
			return false;
	return true;
}

static const struct sr_type *local_type(struct sr_halo *h, const struct sr_type *t, const struct sr_sdy_sharding *s)
{
	int64_t *shape = sr_dup(h->ctx->arena, t->shape, (size_t)t->rank, sizeof *shape);
	for (int d = 0; d < t->rank; d++)
		shape[d] = sr_ceil_div(shape[d], sr_sdy_dim_shards(s, h->mesh, d));
	return sr_type_with_shape(h->ctx, t, t->rank, shape);
}

struct sr_op *sr_halo_begin(struct sr_halo *h, struct sr_op *op, struct sr_value *const *operands,
			    const struct sr_attr *const *shardings, int n, const struct sr_attr *out)
{
	struct sr_context *ctx = h->ctx;
	struct sr_named_attr attrs[] = {{SR_NAME_in_shardings, sr_attr_shardings(ctx, shardings, n)},
				   {SR_NAME_out_shardings, sr_attr_shardings(ctx, &out, 1)},
				   {SR_NAME_manual_axes, sr_all_axes_attr(ctx, h->mesh)}};
	struct sr_builder outside = {.ctx = ctx, .anchor = op, .loc = op->loc};
	bool even = divides(h, sr_result(op, 0)->type, out->sharding);
	for (int i = 0; i < n; i++)
		even = even && divides(h, operands[i]->type, shardings[i]->sharding);
	struct sr_op *manual = sr_build(&outside, SR_OP_sdy_manual_computation, operands, n, attrs, 3, &sr_result(op, 0)->type, 1);
	if (!even)
		sr_op_set_attr(ctx, manual, SR_PADDED, sr_attr_unit(ctx));
	struct sr_block *body = sr_block_new(ctx, &manual->regions[0]);
	for (int i = 0; i < n; i++)
		sr_block_add_arg(ctx, body, local_type(h, operands[i]->type, shardings[i]->sharding), op->loc);
	h->at = (struct sr_builder){.ctx = ctx, .block = body, .loc = op->loc};
	return manual;
}

void sr_halo_end(struct sr_halo *h, struct sr_op *op, struct sr_op *manual, struct sr_value *local)
{
	sr_build(&h->at, SR_OP_sdy_return, &local, 1, NULL, 0, NULL, 0);
	sr_value_replace_all(sr_result(op, 0), sr_result(manual, 0));
	sr_op_erase(op);
}

struct sr_value *sr_halo_slice(struct sr_halo *h, struct sr_value *v, int dim, int64_t first, int64_t n)
{
	return sr_halo_strided_slice(h, v, dim, first, n, 1);
}

struct sr_value *sr_halo_strided_slice(struct sr_halo *h, struct sr_value *v, int dim, int64_t first, int64_t n, int64_t step)
{
	struct sr_context *ctx = h->ctx;
	int rank = v->type->rank;
	int64_t *start = SR_NEWS(ctx->arena, int64_t, rank),
		*limit = sr_dup(ctx->arena, v->type->shape, (size_t)rank, sizeof *limit), *one = SR_NEWS(ctx->arena, int64_t, rank),
		*shape = sr_dup(ctx->arena, v->type->shape, (size_t)rank, sizeof *shape);
	if (first == 0 && step == 1 && n == v->type->shape[dim])
		return v;
	for (int d = 0; d < rank; d++)
		one[d] = 1;
	start[dim] = first;
	limit[dim] = first + (n - 1) * step + 1;
	one[dim] = step;
	shape[dim] = n;
	struct sr_named_attr attrs[] = {{SR_NAME_start_indices, sr_attr_i64s(ctx, start, rank)},
				   {SR_NAME_limit_indices, sr_attr_i64s(ctx, limit, rank)},
				   {SR_NAME_strides, sr_attr_i64s(ctx, one, rank)}};
	const struct sr_type *type = sr_type_with_shape(ctx, v->type, rank, shape);
	return sr_result(sr_build(&h->at, SR_OP_stablehlo_slice, &v, 1, attrs, 3, &type, 1), 0);
}

struct sr_value *sr_halo_concatenate(struct sr_halo *h, struct sr_value *const *parts, int n, int dim)
{
	struct sr_context *ctx = h->ctx;
	int64_t *shape = sr_dup(ctx->arena, parts[0]->type->shape, (size_t)parts[0]->type->rank, sizeof *shape);
	struct sr_named_attr attr = {SR_NAME_dimension, sr_attr_i64(ctx, dim)};
	if (n == 1)
		return parts[0];
	for (int i = 1; i < n; i++)
		shape[dim] += parts[i]->type->shape[dim];
	const struct sr_type *type = sr_type_with_shape(ctx, parts[0]->type, parts[0]->type->rank, shape);
	return sr_result(sr_build(&h->at, SR_OP_stablehlo_concatenate, parts, n, &attr, 1, &type, 1), 0);
}

static int64_t source_of(struct sr_halo_dim d, struct sr_halo_permute_sources from, int64_t j)
{
	int64_t k = from.at ? from.at[j] : j + from.step;
	return k < d.shards ? k : -1;
}

static const struct sr_attr *pairs(struct sr_halo *h, struct sr_halo_dim d, struct sr_halo_permute_sources from)
{
	struct sr_context *ctx = h->ctx;
	if (sr_mesh_devices(h->mesh) > h->max_listed)
		return sr_attr_permute_along(ctx, h->module, h->mesh, d.axes, from.at, from.step);
	struct sr_groups g = sr_mesh_groups(ctx->arena, h->mesh, d.axes);
	int64_t *list = SR_NEWS(ctx->arena, int64_t, 2 * g.n_groups * g.group_size), n = 0;
	for (int64_t i = 0; i < g.n_groups; i++)
		for (int64_t j = 0; j < g.group_size; j++)
			if (source_of(d, from, j) >= 0) {
				list[2 * n] = g.ids[i * g.group_size + source_of(d, from, j)];
				list[2 * n++ + 1] = g.ids[i * g.group_size + j];
			}
	return sr_attr_dense_i64(ctx, 2, (int64_t[]){n, 2}, list);
}

struct sr_value *sr_halo_permute(struct sr_halo *h, struct sr_value *v, struct sr_halo_dim d, struct sr_halo_permute_sources from)
{
	struct sr_context *ctx = h->ctx;
	struct sr_named_attr attrs[] = {
		{SR_NAME_source_target_pairs, pairs(h, d, from)},
		{SR_NAME_channel_handle, sr_local_channel(ctx)},
		{"shardrun.cause", sr_attr_string(ctx, "halo", 4)},
		{"shardrun.shardings", sr_collective_shardings_attr(&h->at, h->mesh, d.axes)}};
	return sr_result(sr_build(&h->at, SR_OP_stablehlo_collective_permute, &v, 1, attrs, 4, &v->type, 1), 0);
}

/* Return an i1 scalar: this device has a source. */
static struct sr_value *has_source(struct sr_halo *h, struct sr_halo_dim d, struct sr_halo_permute_sources from)
{
	int64_t devices = sr_mesh_devices(h->mesh), n = devices > h->max_listed ? d.shards : devices;
	if (devices > h->max_listed && !from.at) {
		struct sr_value *mine = sr_device_coordinate(&h->at, h->mesh, d.axes);
		return sr_device_equals(&h->at, mine, from.step > 0 ? d.shards - 1 : 0, false);
	}
	int64_t *table = SR_NEWS(h->ctx->arena, int64_t, n);
	for (int64_t i = 0; i < n; i++) {
		int64_t j = n < devices ? i : sr_mesh_coordinate_along(h->mesh, i, d.axes);
		table[i] = source_of(d, from, j) >= 0;
	}
	struct sr_value *at = n < devices ? sr_device_coordinate(&h->at, h->mesh, d.axes) : NULL;
	return sr_device_lookup(&h->at, table, n, SR_I1, at);
}

struct sr_value *sr_halo_pad(struct sr_halo *h, struct sr_value *v, int dim, struct sr_halo_padding by, struct sr_value *scalar)
{
	struct sr_context *ctx = h->ctx;
	int rank = v->type->rank;
	int64_t *low = SR_NEWS(ctx->arena, int64_t, rank), *high = SR_NEWS(ctx->arena, int64_t, rank),
		*interior = SR_NEWS(ctx->arena, int64_t, rank),
		*shape = sr_dup(ctx->arena, v->type->shape, (size_t)rank, sizeof *shape);
	if (!by.low && !by.high && !by.interior)
		return v;
	low[dim] = by.low;
	high[dim] = by.high;
	interior[dim] = by.interior;
	shape[dim] += by.low + by.high + (shape[dim] - 1) * by.interior;
	if (!scalar)
		scalar = sr_build_splat(&h->at, sr_type_tensor(ctx, v->type->dtype, 0, NULL), 0);
	struct sr_value *operands[] = {v, scalar};
	struct sr_named_attr attrs[] = {{SR_NAME_edge_padding_low, sr_attr_i64s(ctx, low, rank)},
				   {SR_NAME_edge_padding_high, sr_attr_i64s(ctx, high, rank)},
				   {SR_NAME_interior_padding, sr_attr_i64s(ctx, interior, rank)}};
	const struct sr_type *type = sr_type_with_shape(ctx, v->type, rank, shape);
	return sr_result(sr_build(&h->at, SR_OP_stablehlo_pad, operands, 2, attrs, 3, &type, 1), 0);
}

struct sr_value *sr_halo_splat(struct sr_halo *h, struct sr_value *scalar, const struct sr_type *type)
{
	struct sr_named_attr none = {SR_NAME_broadcast_dimensions, sr_attr_i64s(h->ctx, NULL, 0)};
	return sr_result(sr_build(&h->at, SR_OP_stablehlo_broadcast_in_dim, &scalar, 1, &none, 1, &type, 1), 0);
}

struct sr_value *sr_halo_filled(struct sr_halo *h, struct sr_value *v, struct sr_halo_dim d, struct sr_halo_permute_sources from,
				struct sr_value *fill)
{
	if (fill->type != v->type)
		fill = sr_halo_splat(h, fill, v->type);
	struct sr_value *operands[] = {has_source(h, d, from), v, fill};
	return sr_result(sr_build(&h->at, SR_OP_stablehlo_select, operands, 3, NULL, 0, &v->type, 1), 0);
}

/* ---- the pass ---- */

/* Readers are visited before what they read, since expansions look through producers: first concatenates, which look through
 * slices, then the others from last to first. */
enum { CONCATENATES, OTHERS, N_ROUNDS };

static const struct pattern {
	sr_halo_fn *run;
	int round;
} patterns[SR_LOCAL_COUNT] = {
	[SR_LOCAL_concatenate] = {sr_halo_expand_concatenate, CONCATENATES},
	[SR_LOCAL_convolution] = {sr_halo_expand_convolution, OTHERS},
	[SR_LOCAL_pad] = {sr_halo_expand_slice_pad_reverse, OTHERS},
	[SR_LOCAL_reduce_window] = {sr_halo_expand_reduce_window, OTHERS},
	[SR_LOCAL_reverse] = {sr_halo_expand_slice_pad_reverse, OTHERS},
	[SR_LOCAL_select_and_scatter] = {sr_halo_expand_select_and_scatter, OTHERS},
	[SR_LOCAL_slice] = {sr_halo_expand_slice_pad_reverse, OTHERS},
};

struct found {
	struct sr_arena *arena;
	SR_VEC(struct sr_op *) ops[N_ROUNDS];
};

/* Slices of a sort's results are left to the sort's expansion (expand_sort.c). */
static bool slices_sorted(const struct sr_op *op)
{
	const struct sr_op *def = sr_op_is(op, SR_OP_stablehlo_slice) ? sr_operand(op, 0)->def : NULL;
	return def && sr_op_is(def, SR_OP_stablehlo_sort);
}

static bool collect(void *data, struct sr_op *op)
{
	struct found *f = data;
	const struct pattern *p = &patterns[sr_local_kind_of(op)];
	if (p->run && op->n_results == 1 && !slices_sorted(op) && !sr_op_parent_of(op, SR_OP_sdy_manual_computation))
		sr_push(f->arena, &f->ops[p->round], op);
	return true;
}

/* Return the mesh of the result, else of an operand: a replicated result may have a sharded operand. */
static const struct sr_mesh *mesh_of(struct sr_halo *h, const struct sr_op *op)
{
	for (int i = -1; i < op->n_operands; i++) {
		const struct sr_attr *s = sr_value_sharding(h->ctx, i < 0 ? sr_result(op, 0) : sr_operand(op, i));
		if (s && sr_sharding_mesh(h->module, s->sharding))
			return sr_sharding_mesh(h->module, s->sharding);
	}
	return NULL;
}

enum sr_status sr_exchange_halos(struct sr_context *ctx, struct sr_op *module, const struct sr_pass_options *options)
{
	struct sr_halo h = {.ctx = ctx, .module = module, .max_listed = sr_option_int(options, "max-listed-devices"),
			    .costs = sr_cost_model_new(ctx, module, true)};
	struct found f = {.arena = ctx->arena};
	sr_walk(module, collect, &f);
	for (int round = 0; round < N_ROUNDS; round++)
		for (size_t i = f.ops[round].n; i-- > 0;) {
			struct sr_op *op = f.ops[round].data[i];
			h.mesh = op->block ? mesh_of(&h, op) : NULL; /* no block: erased with a reader that looked through it */
			if (!h.mesh)
				continue;
			h.latency = sr_cost_model_loop_latency(h.costs, op);
			patterns[sr_local_kind_of(op)].run(&h, op);
		}
	return SR_OK;
}
