/* Common functions of the forms whose bodies compute on shards and exchange data: extents and types of shards, and the manual
 * computation around a body. */
#include "partition/expand/expand.h"
#include "dialect/attr_names.h"
#include "partition/collective.h"
#include "partition/partition.h"
#include "support/checked.h"

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

/* ---------------------------------------------------------------- forms */

struct sr_axes *sr_form_axes(const struct sr_form_query *q, int t)
{
	return sr_axes_by_dim(q->arena, sr_sharding_resolve(q->arena, q->mesh.mesh, q->layouts[t]->sharding));
}

struct sr_expansion sr_expansion_of(const struct sr_form_query *q)
{
	return (struct sr_expansion){.ctx = q->ctx, .arena = q->arena, .module = q->module, .op = q->op, .mesh = q->mesh.mesh,
				     .costs = q->costs, .max_listed = q->max_listed, .cause = q->op->info->name};
}

static bool shards_divide(const struct sr_expansion *p, const struct sr_type *t, const struct sr_attr *layout)
{
	for (int d = 0; d < t->rank; d++)
		if (t->shape[d] % sr_sdy_dim_shards(layout->sharding, p->mesh, d))
			return false;
	return true;
}

struct sr_value **sr_form_begin(struct sr_expansion *p, struct sr_value *const *operands, int n, const struct sr_attr *const *layouts)
{
	struct sr_op *op = p->op;
	struct sr_context *ctx = p->ctx;
	bool is_divisible = true;
	n = operands ? n : op->n_operands;
	int n_tensors = n + op->n_results;
	struct sr_value **values = SR_NEW_ARRAY(ctx->arena, struct sr_value *, n);
	const struct sr_type **types = SR_NEW_ARRAY(ctx->arena, const struct sr_type *, n_tensors);
	for (int i = 0; i < n_tensors; i++) {
		if (i < n)
			values[i] = operands ? operands[i] : sr_operand(op, i);
		types[i] = i < n ? values[i]->type : sr_result(op, i - n)->type;
		is_divisible = is_divisible && shards_divide(p, types[i], layouts[i]);
	}
	struct sr_named_attr attrs[] = {{SR_NAME_in_shardings, sr_attr_shardings(ctx, layouts, n)},
					{SR_NAME_out_shardings, sr_attr_shardings(ctx, layouts + n, op->n_results)},
					{SR_NAME_manual_axes, sr_all_axes_attr(ctx, p->mesh)}};
	struct sr_builder builder = sr_builder_before(ctx, op);
	p->manual_op = sr_build(&builder, SR_OP_sdy_manual_computation, values, n, attrs, 3, types + n, op->n_results);
	if (!is_divisible)
		sr_op_set_attr(ctx, p->manual_op, SR_PADDED_ATTR, sr_attr_unit(ctx));
	struct sr_block *body = sr_block_new(ctx, &p->manual_op->regions[0]);
	for (int i = 0; i < n; i++) {
		const struct sr_sharding *layout = sr_sharding_resolve(ctx->scratch, p->mesh, layouts[i]->sharding);
		sr_block_add_arg(ctx, body, sr_expand_local_type(p, types[i], sr_axes_by_dim(ctx->scratch, layout)), op->loc);
		values[i] = body->args[i];
	}
	p->builder = (struct sr_builder){.ctx = ctx, .block = body, .loc = op->loc};
	return values;
}

void sr_form_end(struct sr_expansion *p, struct sr_value *const *locals)
{
	sr_build(&p->builder, SR_OP_sdy_return, locals, p->op->n_results, NULL, 0, NULL, 0);
	for (int i = 0; i < p->op->n_results; i++)
		sr_value_replace_all(sr_result(p->op, i), sr_result(p->manual_op, i));
	sr_op_erase(p->op);
}

struct sr_op *sr_form_clone(struct sr_expansion *p, struct sr_value *const *operands, int n, const struct sr_type *const *types,
			    int n_results)
{
	struct sr_op *copy = sr_op_clone(p->ctx, p->op, NULL);
	sr_op_append(p->builder.block, copy);
	sr_op_set_operands(p->ctx, copy, operands, n);
	sr_op_remove_attr(p->ctx, copy, "sdy.sharding");
	return sr_op_with_results(p->ctx, copy, types, n_results);
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
