/* sdy-convert-global-to-local: local types and stablehlo collectives in upstream's forms, which upstream's executable tests
 * expect.
 *
 *	%0 = sdy.all_gather [{"x"}, {"y"}] %arg0 out_sharding=<@mesh, [{}, {}]> : tensor<8x8xf32>
 *	one all_gather along a new dimension, then transpose and reshape; shardrun-global-to-local gathers dimension by dimension
 *
 * Values and types are handled by local/local.c; this file rewrites single ops. Shardings stay on the ops, and each collective has
 * its own channel. */
#include "upstream/upstream_local.h"
#include "dialect/attr_names.h"
#include "partition/device_coordinate.h"
#include "dialect/op_builders.h"
#include "partition/partition.h"
#include "upstream/upstream_passes.h"

static sr_local_fn *const rewrites[SR_LOCAL_COUNT] = {
	[SR_LOCAL_all_gather] = sr_upstream_all_gather,
	[SR_LOCAL_all_reduce] = sr_upstream_all_reduce,
	[SR_LOCAL_all_slice] = sr_upstream_all_slice,
	[SR_LOCAL_all_to_all] = sr_upstream_all_to_all,
	[SR_LOCAL_collective_permute] = sr_upstream_collective_permute,
	[SR_LOCAL_reduce_scatter] = sr_upstream_reduce_scatter,
	[SR_LOCAL_replicated_to_unreduced] = sr_local_replicated_to_unreduced,
	[SR_LOCAL_sharded_to_unreduced] = sr_local_sharded_to_unreduced,
	[SR_LOCAL_concatenate] = sr_upstream_concatenate,
	[SR_LOCAL_constant] = sr_upstream_constant,
	[SR_LOCAL_convolution] = sr_upstream_convolution,
	[SR_LOCAL_drop] = sr_local_drop,
	[SR_LOCAL_dynamic_slice] = sr_local_slice_sizes,
	[SR_LOCAL_gather] = sr_upstream_gather,
	[SR_LOCAL_iota] = sr_upstream_iota,
	[SR_LOCAL_pad] = sr_upstream_pad,
	[SR_LOCAL_product] = sr_upstream_product,
	[SR_LOCAL_reduce_window] = sr_upstream_window,
	[SR_LOCAL_scatter] = sr_upstream_scatter,
	[SR_LOCAL_select_and_scatter] = sr_upstream_window,
	[SR_LOCAL_slice] = sr_upstream_slice,
};

bool sr_upstream_is_replicated(const struct sr_local *l, const struct sr_value *v)
{
	const struct sr_local_value *info = sr_local_find(l, v);
	return !info || !info->sharding || sr_sdy_sharding_is_replicated(info->sharding);
}

struct sr_value *sr_upstream_offset(struct sr_local *l, struct sr_axes axes, int64_t unit)
{
	int64_t n = sr_mesh_devices(l->mesh), *table = SR_NEW_ARRAY(l->ctx->scratch, int64_t, n);
	struct sr_value *id = sr_build_device_id(&l->builder, l->upstream->uses_replica_id);
	for (int64_t i = 0; i < n; i++)
		table[i] = sr_mesh_coordinate_along(l->mesh, i, axes) * unit;
	return sr_device_lookup(&l->builder, table, n, SR_I64, id);
}

struct sr_value *sr_upstream_slice_shard(struct sr_local *l, struct sr_value *v, const struct sr_axes *axes,
					 const struct sr_type *local_type)
{
	struct sr_value **starts = SR_NEW_ARRAY(l->ctx->scratch, struct sr_value *, local_type->rank);
	for (int d = 0; d < local_type->rank; d++)
		starts[d] = axes[d].n ? sr_upstream_offset(l, axes[d], local_type->shape[d])
				      : sr_build_scalar(&l->builder, SR_I64, 0);
	return sr_build_dynamic_slice(&l->builder, v, starts, local_type->shape);
}

enum sr_status sr_upstream_expect_reduction(struct sr_local *l, struct sr_op *op, struct sr_axes axes)
{
	const struct sr_use *use = sr_result(op, 0)->uses;
	struct sr_arena *arena = l->ctx->scratch;
	const struct sr_attr *reduced_axes = NULL;
	if (use && !use->next && sr_op_is(use->owner, SR_OP_sdy_all_reduce))
		reduced_axes = sr_op_attr(use->owner, SR_NAME_reduction_axes);
	if (!reduced_axes)
		return sr_op_error(op, &l->ctx->diags, SR_INVALID,
				   "has partial results along sharded dimensions; its only use must be an sdy.all_reduce");
	if (!sr_axes_equal(sr_axes_sort_and_merge(arena, l->mesh, sr_axes_resolve(arena, l->mesh, *reduced_axes->axes)),
			   sr_axes_sort_and_merge(arena, l->mesh, axes)))
		return sr_op_error(op, &l->ctx->diags, SR_INVALID,
				   "has partial results along other axes than those of the sdy.all_reduce that uses it");
	return SR_OK;
}

static bool note_channel(void *data, struct sr_op *op)
{
	int64_t *next = data;
	const struct sr_attr *channel = sr_op_attr(op, SR_NAME_channel_handle), *handle;
	handle = channel && channel->kind == SR_ATTR_STRUCT ? sr_attr_field(channel, "handle") : NULL;
	if (handle && handle->i >= *next)
		*next = handle->i + 1;
	return true;
}

int64_t sr_upstream_next_channel(struct sr_op *module)
{
	int64_t next = 1;
	sr_walk(module, note_channel, &next);
	return next;
}

enum sr_status sr_upstream_by_replica(struct sr_context *ctx, struct sr_op *module, const struct sr_pass_options *options,
				      bool *is_by_replica)
{
	*is_by_replica = sr_option_int(options, "replica-count") > 1;
	if (*is_by_replica && sr_option_int(options, "partition-count") > 1)
		return sr_op_error(module, &ctx->diags, SR_UNSUPPORTED,
				   "cannot be partitioned for both replica-count and partition-count above 1");
	return SR_OK;
}

enum sr_status sr_convert_global_to_local(struct sr_context *ctx, struct sr_op *module, const struct sr_pass_options *options)
{
	struct sr_local_upstream u = {.next_channel = sr_upstream_next_channel(module),
				      .per_dim_gather = sr_option_bool(options, "per-dim-all-gather"),
				      .combines_scatters = sr_option_bool(options, "combine-multi-dimension-reduce-scatter")};
	struct sr_local l = {.ctx = ctx, .module = module, .n_replicas = 1, .max_listed = INT64_MAX, .upstream = &u};
	enum sr_status status = sr_upstream_by_replica(ctx, module, options, &u.uses_replica_id);
	if (status)
		return status;
	l.groups_by_axes = sr_option_bool(options, "enable-rgv3");
	status = sr_local_rewrite_module(&l, rewrites);
	if (status && l.op)
		sr_error(&ctx->diags, status, sr_loc_source(l.op->loc),
			 "failed to legalize operation '%s' that was explicitly marked illegal",
			 l.op->info->name);
	return status;
}
