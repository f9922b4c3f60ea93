/* The exchange with neighbors in a manual computation: concatenate the neighbors' shards with this device's, pad, and slice the
 * device's shard of the result at an offset computed from its coordinate. */
#include "dialect/attr_names.h"
#include "dialect/signature.h"
#include "partition/device_coordinate.h"
#include "dialect/op_builders.h"
#include "upstream/permute.h"
#include "upstream/upstream_shapes.h"
#include "support/vec.h"

struct sr_op *sr_permute_begin(struct sr_permutation_pass *p, struct sr_value *const *operands, const struct sr_attr *const *in,
			       int n, const struct sr_type *const *locals, const struct sr_attr *out, const struct sr_type *result)
{
	struct sr_context *ctx = p->ctx;
	SR_VEC(struct sr_sdy_axis) axes = {0};
	for (int i = 0; i < p->mesh->n_axes; i++)
		if (sr_permute_is_manual(p, p->mesh->axes[i].name))
			sr_push(ctx->scratch, &axes, (struct sr_sdy_axis){p->mesh->axes[i].name, 1, 0});
	struct sr_named_attr attrs[] = {{SR_NAME_in_shardings, sr_attr_shardings(ctx, in, n)},
				   {SR_NAME_out_shardings, sr_attr_shardings(ctx, &out, 1)},
				   {SR_NAME_manual_axes, sr_attr_axes(ctx, axes.data, (int)axes.n)}};
	struct sr_op *manual_op = sr_build(&p->builder, SR_OP_sdy_manual_computation, operands, n, attrs, 3, &result, 1);
	struct sr_block *body = sr_block_new(ctx, &manual_op->regions[0]);
	for (int i = 0; i < n; i++)
		sr_block_add_arg(ctx, body, locals[i], manual_op->loc);
	p->builder = (struct sr_builder){.ctx = ctx, .block = body, .loc = manual_op->loc};
	return manual_op;
}

struct sr_value *sr_permute_end(struct sr_permutation_pass *p, struct sr_op *manual_op, struct sr_value *local_value)
{
	sr_build(&p->builder, SR_OP_sdy_return, &local_value, 1, NULL, 0, NULL, 0);
	p->builder = (struct sr_builder){
	    .ctx = p->ctx, .block = manual_op->block, .anchor = manual_op->next, .loc = manual_op->loc};
	return sr_result(manual_op, 0);
}

struct sr_value *sr_permute_from_neighbor(struct sr_permutation_pass *p, struct sr_value *v, struct sr_axes axes, int64_t offset)
{
	struct sr_context *ctx = p->ctx;
	struct sr_digits axis_digits = sr_mesh_digits(ctx->scratch, p->mesh, axes);
	int64_t n = sr_mesh_devices(p->mesh), size = sr_digits_size(axis_digits),
		*pairs = SR_NEW_ARRAY(ctx->scratch, int64_t, 2 * n), k = 0;
	for (int64_t i = 0; i < n; i++) {
		int64_t source = sr_digits_coordinate(axis_digits, i), target = source + offset;
		if (target < 0 || target >= size)
			continue;
		pairs[2 * k] = sr_mesh_device(p->mesh, i);
		pairs[2 * k++ + 1] = sr_mesh_device(p->mesh, i - sr_digits_position(axis_digits, source) +
								 sr_digits_position(axis_digits, target));
	}
	if (!k)
		return NULL;
	const struct sr_attr *fields[] = {sr_attr_i64(ctx, p->next_channel++), sr_attr_i64(ctx, 1)},
			     *channel = sr_attr_struct(ctx, sr_attr_def_find("stablehlo", SR_NAME_channel_handle), fields);
	struct sr_named_attr attrs[] = {{SR_NAME_source_target_pairs, sr_attr_dense_i64(ctx, 2, (int64_t[]){k, 2}, pairs)},
				   {SR_NAME_channel_handle, channel}};
	return sr_result(sr_build(&p->builder, SR_OP_stablehlo_collective_permute, &v, 1, attrs, 2, &v->type, 1), 0);
}

static struct sr_value *binary_with_constant(struct sr_permutation_pass *p, enum sr_op_code code, struct sr_value *v,
					     int64_t number)
{
	return sr_build_binary(&p->builder, code, v, sr_build_scalar(&p->builder, SR_I64, number));
}

/* Return the device's coordinate along the axes, an i64 scalar; looked up in a table if the mesh has its own device order. */
static struct sr_value *coordinate_along(struct sr_permutation_pass *p, struct sr_axes axes)
{
	struct sr_value *id = sr_build_device_id(&p->builder, p->uses_replica_id), *sum = NULL;
	int64_t n = sr_mesh_devices(p->mesh);
	if (p->mesh->n_device_ids) {
		int64_t *table = SR_NEW_ARRAY(p->ctx->scratch, int64_t, n);
		for (int64_t i = 0; i < n; i++)
			table[i] = sr_mesh_coordinate_along(p->mesh, i, axes);
		return sr_device_lookup(&p->builder, table, n, SR_I64, id);
	}
	for (int i = 0; i < axes.n; i++) {
		int64_t stride = sr_mesh_stride(p->mesh, axes.refs[i]), size = axes.refs[i].size;
		struct sr_value *v = stride > 1 ? binary_with_constant(p, SR_OP_stablehlo_divide, id, stride) : id;
		v = size < n ? binary_with_constant(p, SR_OP_stablehlo_remainder, v, size) : v;
		sum = sum ? sr_build_binary(&p->builder, SR_OP_stablehlo_add,
					    binary_with_constant(p, SR_OP_stablehlo_multiply, sum, size), v)
			  : v;
	}
	return sum ? sum : sr_build_scalar(&p->builder, SR_I64, 0);
}

/* Concatenate the left neighbors' shards, the device's own and the right neighbors', padded on both sides by `margin` elements. */
static struct sr_value *concatenate_neighbors(struct sr_permutation_pass *p, struct sr_value *v, struct sr_value *fill, int dim,
					      const struct sr_neighbor_range *d, int64_t margin, int64_t interior,
					      const struct sr_attr *manual_sharding)
{
	struct sr_context *ctx = p->ctx;
	int rank = v->type->rank, n = 0;
	struct sr_value **operands = SR_NEW_ARRAY(ctx->scratch, struct sr_value *, d->left + 1 + d->right), *shard;
	for (int64_t i = d->left; i >= -d->right; i--) {
		shard = i ? sr_permute_from_neighbor(p, v, d->axes, i) : v;
		operands[n++] = shard ? shard : v;
	}
	v = sr_build_concatenate(&p->builder, operands, n, dim);
	sr_permute_reshard_value(p, v, manual_sharding);
	int64_t *edge = sr_make_ints(ctx, rank, 0), *interior_padding = sr_make_ints(ctx, rank, 0);
	edge[dim] = margin;
	interior_padding[dim] = interior;
	v = sr_build_pad(&p->builder, v, fill, edge, edge, interior_padding);
	sr_permute_reshard_value(p, v, manual_sharding);
	return v;
}

/* Exchange halos along one dimension. Shard t of the result reads read_extent elements of the operand with `interior` padding, from
 * element t * out - low on. In the concatenation, the padding and `left` shards of neighbors precede the device's own shard. */
static struct sr_value *exchange_dim(struct sr_permutation_pass *p, struct sr_value *v, struct sr_value *fill, int dim,
				     const struct sr_neighbor_range *d, int64_t low, int64_t interior,
				     const struct sr_attr *manual_sharding)
{
	struct sr_context *ctx = p->ctx;
	int64_t shard = v->type->shape[dim] * (interior + 1), margin = d->read_extent * (interior + 1);
	struct sr_value *concatenation = concatenate_neighbors(p, v, fill, dim, d, margin, interior, manual_sharding),
			*at = coordinate_along(p, d->axes), *zero;
	if (d->offsets) {
		at = sr_device_lookup(&p->builder, d->offsets, d->shards, SR_I64, at);
		zero = sr_build_scalar(&p->builder, SR_I64, 0);
	} else {
		struct sr_value *step = sr_build_scalar(&p->builder, SR_I64, d->out - shard),
				*base = sr_build_scalar(&p->builder, SR_I64, d->left * shard + margin - low);
		at = sr_build_binary(&p->builder, SR_OP_stablehlo_multiply, at, step);
		at = sr_build_binary(&p->builder, SR_OP_stablehlo_add, at, base);
		zero = sr_build_scalar(&p->builder, SR_I64, 0);
		at = sr_build_binary(&p->builder, SR_OP_stablehlo_maximum, at, zero);
	}
	int rank = v->type->rank;
	struct sr_value **starts = SR_NEW_ARRAY(ctx->scratch, struct sr_value *, rank);
	int64_t *sizes = sr_dup(ctx->scratch, v->type->shape, (size_t)rank, sizeof *sizes);
	for (int i = 0; i < rank; i++)
		starts[i] = i == dim ? at : zero;
	sizes[dim] = d->read_extent;
	v = sr_build_dynamic_slice(&p->builder, concatenation, starts, sizes);
	sr_permute_reshard_value(p, v, manual_sharding);
	return v;
}

static const struct sr_type *local_type(struct sr_permutation_pass *p, const struct sr_type *t, const struct sr_sharding *s)
{
	int64_t *shape = sr_dup(p->ctx->scratch, t->shape, (size_t)t->rank, sizeof *shape);
	for (int d = 0; d < t->rank; d++)
		shape[d] /= sr_permute_manual_shards(p, s->dims[d].axes);
	return sr_type_with_shape(p->ctx, t, t->rank, shape);
}

struct sr_value *sr_permute_exchange(struct sr_permutation_pass *p, const struct sr_halo_exchange *e)
{
	struct sr_context *ctx = p->ctx;
	const struct sr_sharding *in = sr_permute_sharding(p, e->in);
	struct sr_sdy_sharding scalar = {.mesh_name = e->in->sharding->mesh_name, .mesh = e->in->sharding->mesh};
	struct sr_value *operands[] = {e->input, e->fill};
	const struct sr_attr *shardings[] = {e->in, sr_attr_sharding(ctx, &scalar)},
			     *manual_sharding = sr_permute_sharding_inside(p, e->in);
	const struct sr_type *locals[] = {local_type(p, e->input->type, in), e->fill->type},
			     *result = sr_upstream_divisible(ctx, p->module, e->result, e->out);
	struct sr_op *manual_op = sr_permute_begin(p, operands, shardings, 2, locals, e->out, result);
	struct sr_block *body = manual_op->regions[0].first;
	struct sr_value *v = body->args[0];
	for (int d = 0; d < e->input->type->rank; d++)
		if (e->dims[d].needs_neighbors)
			v = exchange_dim(p, v, body->args[1], d, &e->dims[d], e->low ? e->low[d] : 0,
					 e->interior ? e->interior[d] : 0, manual_sharding);
	return sr_permute_end(p, manual_op, e->finish(e->data, p, v, body->args[1], result));
}
