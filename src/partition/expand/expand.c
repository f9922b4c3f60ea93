/* Common functions of the forms whose bodies compute on shards and exchange data: extents and types of shards, and the manual
 * computation around a body. */
#include "partition/expand/expand.h"
#include "cost/cost.h"
#include "dialect/attr_names.h"
#include "partition/collective.h"
#include "partition/partition.h"
#include "support/checked.h"

/* ---------------------------------------------------------------- shardings */

int64_t sr_expand_shard_extent(int64_t extent, struct sr_axes axes)
{
	return sr_ceil_div(extent, sr_axes_size(axes));
}

const struct sr_type *sr_expand_local_type(struct sr_expansion *p, const struct sr_type *global_type, const struct sr_axes *axes)
{
	int64_t *shape = sr_dup(p->ctx->arena, global_type->shape, (size_t)global_type->rank, sizeof *shape);
	for (int d = 0; d < global_type->rank; d++)
		shape[d] = sr_expand_shard_extent(shape[d], axes[d]);
	return sr_type_with_shape(p->ctx, global_type, global_type->rank, shape);
}

static bool needs_padding(const struct sr_type *const *types, struct sr_axes *const *axes, int n)
{
	for (int i = 0; i < n; i++)
		for (int d = 0; d < types[i]->rank; d++)
			if (types[i]->shape[d] % sr_axes_size(axes[i][d]))
				return true;
	return false;
}

/* ---------------------------------------------------------------- forms */

struct sr_axes *sr_form_axes(const struct sr_form_query *q, int t)
{
	return sr_axes_by_dim(q->arena, sr_sharding_resolve(q->arena, q->mesh.mesh, q->layouts[t]->sharding));
}

struct sr_value **sr_form_begin(struct sr_expansion *p, const struct sr_form_query *q, const struct sr_attr *const *layouts)
{
	struct sr_op *op = q->op;
	struct sr_context *ctx = q->ctx;
	int n = op->n_operands;
	*p = (struct sr_expansion){.ctx = ctx, .module = q->module, .op = op, .mesh = q->mesh.mesh};
	struct sr_value **operands = SR_NEW_ARRAY(q->arena, struct sr_value *, n);
	struct sr_axes **axes = SR_NEW_ARRAY(q->arena, struct sr_axes *, n + op->n_results);
	const struct sr_type **types = SR_NEW_ARRAY(q->arena, const struct sr_type *, n + op->n_results);
	for (int i = 0; i < n + op->n_results; i++) {
		types[i] = i < n ? sr_operand(op, i)->type : sr_result(op, i - n)->type;
		axes[i] = sr_axes_by_dim(q->arena, sr_sharding_resolve(q->arena, q->mesh.mesh, layouts[i]->sharding));
	}
	for (int i = 0; i < n; i++)
		operands[i] = sr_operand(op, i);
	struct sr_named_attr attrs[] = {{SR_NAME_in_shardings, sr_attr_shardings(ctx, layouts, n)},
				   {SR_NAME_out_shardings, sr_attr_shardings(ctx, layouts + n, op->n_results)},
				   {SR_NAME_manual_axes, sr_all_axes_attr(ctx, p->mesh)}};
	struct sr_builder builder = sr_builder_before(ctx, op);
	p->manual_op = sr_build(&builder, SR_OP_sdy_manual_computation, operands, n, attrs, 3, types + n, op->n_results);
	if (needs_padding(types, axes, n + op->n_results))
		sr_op_set_attr(ctx, p->manual_op, SR_PADDED_ATTR, sr_attr_unit(ctx));
	struct sr_block *body = sr_block_new(ctx, &p->manual_op->regions[0]);
	for (int i = 0; i < n; i++)
		sr_block_add_arg(ctx, body, sr_expand_local_type(p, types[i], axes[i]), op->loc);
	p->builder = (struct sr_builder){.ctx = ctx, .block = body, .loc = op->loc};
	return sr_dup(ctx->arena, body->args, (size_t)n, sizeof(struct sr_value *));
}

void sr_form_end(struct sr_expansion *p, struct sr_value *const *locals)
{
	sr_build(&p->builder, SR_OP_sdy_return, locals, p->op->n_results, NULL, 0, NULL, 0);
	for (int i = 0; i < p->op->n_results; i++)
		sr_value_replace_all(sr_result(p->op, i), sr_result(p->manual_op, i));
	sr_op_erase(p->op);
}

/* Return true for types with elements of less than a byte, which collectives do not support. */
static bool is_sub_byte(enum sr_dtype t)
{
	return t != SR_I1 && sr_dtypes[t].bits < 8;
}

bool sr_spmd_is_supported(const struct sr_op_view *v)
{
	for (int t = 0; t < v->n_tensors; t++)
		if (is_sub_byte(sr_op_view_value(v, t)->type->dtype))
			return false;
	return sr_expand_is_allowed(v->module, v->op);
}

bool sr_expand_is_allowed(const struct sr_op *module, const struct sr_op *op)
{
	const struct sr_attr *replicas = sr_op_attr(module, "mhlo.num_replicas");
	return !(replicas && replicas->i > 1) && !sr_op_parent_of(op, SR_OP_sdy_manual_computation);
}
