/* sdy-resolve-permutation-factors: ops that move elements along sharded dimensions (pad, slice, reverse, windows, uneven reshapes)
 * are computed by exchange of halos with neighbors, or with the dimension replicated.
 *
 *	%0 = stablehlo.slice %arg0 [2:8] {[{"x"}]}                        8 elements over "x"=2
 *	a manual computation: concatenate this shard and the right neighbor's, and slice this device's shard of the result
 *
 * Requires: sdy-insert-explicit-reshards (full). Leaves: no op with a sharded permutation factor, except ops that move no element
 * to another device. The default pipeline uses shardrun-emit-forms instead. */
#include "upstream/permute.h"
#include "dialect/attr_names.h"
#include "partition/insert_reshards/explicit_reshards.h"
#include "partition/partition.h"
#include "upstream/upstream_shapes.h"
#include "upstream/upstream_passes.h"
#include "support/vec.h"
#include <string.h>

void sr_permute_add_manual_axes(struct sr_permutation_pass *p, struct sr_axes axes)
{
	for (int i = 0; i < axes.n; i++)
		if (!sr_permute_is_manual(p, axes.refs[i].axis))
			p->manual_axes[p->n_manual++] = axes.refs[i].axis;
}

bool sr_permute_is_manual(const struct sr_permutation_pass *p, const char *axis)
{
	for (int i = 0; i < p->n_manual; i++)
		if (p->manual_axes[i] == axis)
			return true;
	return false;
}

int64_t sr_permute_manual_shards(const struct sr_permutation_pass *p, struct sr_axes axes)
{
	int64_t n = 1;
	for (int i = 0; i < axes.n; i++)
		n *= sr_permute_is_manual(p, axes.refs[i].axis) ? axes.refs[i].size : 1;
	return n;
}

const struct sr_sharding *sr_permute_sharding(struct sr_permutation_pass *p, const struct sr_attr *sharding)
{
	return sr_sharding_resolve(p->ctx->scratch, p->mesh, sharding->sharding);
}

void sr_permute_reshard_value(struct sr_permutation_pass *p, struct sr_value *v, const struct sr_attr *sharding)
{
	sr_value_set_sharding(p->ctx, v, sharding);
}

const struct sr_attr *sr_permute_sharding_inside(struct sr_permutation_pass *p, const struct sr_attr *sharding)
{
	struct sr_sdy_sharding s = *sharding->sharding;
	struct sr_sdy_dim *dims = sr_dup(p->ctx->scratch, s.dims, (size_t)s.rank, sizeof *dims);
	for (int d = 0; d < s.rank; d++) {
		SR_VEC(struct sr_sdy_axis) left = {0};
		for (int i = 0; i < dims[d].axes.n; i++)
			if (!sr_permute_is_manual(p, dims[d].axes.refs[i].axis))
				sr_push(p->ctx->scratch, &left, dims[d].axes.refs[i]);
		dims[d].axes = (struct sr_sdy_axes){left.data, (int)left.n};
	}
	s.dims = dims;
	return sr_attr_sharding(p->ctx, &s);
}

/* ---- replication ---- */

static bool keeps_shards(struct sr_permutation_pass *p, const struct sr_op *op, const struct sr_op_view *v, int dim)
{
	enum sr_local_kind word = sr_local_kind_of(op);
	const struct sr_attr *in = v->shardings[0];
	if ((word != SR_LOCAL_slice && word != SR_LOCAL_pad) || dim >= sr_operand_type(op, 0)->rank)
		return false;
	int64_t shards = in ? sr_sdy_dim_shards(in->sharding, v->mesh.mesh, dim) : 1;
	return (word == SR_LOCAL_slice ? sr_upstream_slice_keeps_shards : sr_upstream_pad_keeps_shards)(p->ctx, op, dim, shards);
}

/* Replicate permutation factors: insert reshards before and after the op. */
static void replicate(struct sr_permutation_pass *p, struct sr_op *op, const struct sr_sharding_rule *rule)
{
	struct sr_op_view v;
	bool is_any_changed = false;
	if (!sr_op_view_init(&v, p->ctx, p->module, op, rule))
		return;
	bool *is_changed = SR_NEW_ARRAY(p->ctx->scratch, bool, v.n_tensors);
	for (int i = 0; i < rule->permutation.n; i++)
		/* in the rules of slices and pads, factor d is dimension d */
		if (!keeps_shards(p, op, &v, rule->permutation.indices[i]))
			sr_op_view_set_factor(&v, rule->permutation.indices[i], (struct sr_axes){0}, is_changed);
	for (int t = 0; t < v.n_tensors; t++)
		is_any_changed = is_any_changed || is_changed[t];
	if (is_any_changed)
		sr_op_view_insert_reshards(&v, is_changed);
}

/* ---- the walk ---- */

static sr_permute_fn *const expansions[SR_LOCAL_COUNT] = {
	[SR_LOCAL_pad] = sr_permute_pad,
	[SR_LOCAL_reverse] = sr_permute_reverse,
	[SR_LOCAL_slice] = sr_permute_slice,
};

static enum sr_status resolve(struct sr_permutation_pass *p, struct sr_op *op)
{
	const struct sr_attr *in = op->n_operands ? sr_value_sharding(p->ctx, sr_operand(op, 0)) : NULL;
	p->mesh = in ? sr_sharding_mesh(p->module, in->sharding) : NULL;
	p->builder = (struct sr_builder){.ctx = p->ctx, .anchor = op, .loc = op->loc};
	p->n_manual = 0;
	if (p->mesh)
		p->manual_axes = SR_NEW_ARRAY(p->ctx->scratch, const char *, p->mesh->n_axes);
	if (sr_op_is(op, SR_OP_stablehlo_reshape))
		return p->mesh ? sr_permute_reshape(p, op) : SR_OK;
	const struct sr_sharding_rule *rule = sr_op_rule(p->ctx, op, false);
	if (!rule || rule->custom || !rule->permutation.n)
		return SR_OK;
	sr_permute_fn *expansion = p->uses_halo ? expansions[sr_local_kind_of(op)] : NULL;
	bool is_partitioned = p->mesh && !sr_mesh_is_single_device(p->mesh) && !sr_sdy_sharding_is_replicated(in->sharding);
	if (expansion && (!is_partitioned || expansion(p, op)))
		return SR_OK;
	replicate(p, op, rule);
	return SR_OK;
}

struct ops {
	struct sr_context *ctx;
	SR_VEC(struct sr_op *) list;
};

static bool list_op(void *data, struct sr_op *op)
{
	struct ops *ops = data;
	if (!sr_op_has(op, SR_TERMINATOR) && !strcmp(op->info->dialect, "stablehlo"))
		sr_push(ops->ctx->scratch, &ops->list, op);
	return true;
}

enum sr_status sr_resolve_permutation_factors(struct sr_context *ctx, struct sr_op *module, const struct sr_pass_options *options)
{
	struct sr_permutation_pass p = {.ctx = ctx, .module = module, .uses_halo = sr_option_bool(options, "enable-halo-exchange"),
			       .next_channel = sr_upstream_next_channel(module)};
	struct ops ops = {.ctx = ctx};
	enum sr_status status = sr_upstream_by_replica(ctx, module, options, &p.uses_replica_id);
	sr_walk_post(module, list_op, &ops);
	for (size_t i = 0; i < ops.list.n && !status; i++)
		status = resolve(&p, ops.list.data[i]);
	return status;
}
