/* Implement sdy-update-non-divisible-input-output-shardings: make the shardings of arguments and results of functions, calls and
 * manual computations divide their dimensions evenly. A dimension keeps the longest prefix of its axes that divides it; the last
 * axis may become a sub-axis.
 *
 *	mesh x=4: tensor<2xf32> [{"x"}]   becomes   [{"x":(1)2}]
 *
 * Arguments and results of functions with the attribute shardrun.uneven keep their shardings; the attribute is removed. */
#include "import/import_passes.h"
#include "dialect/attr_names.h"
#include "dialect/ops.h"
#include "support/gcd.h"
#include "support/vec.h"

struct update {
	struct sr_context *ctx;
	struct sr_op *module;
};

static struct sr_axes longest_even_prefix(struct sr_arena *arena, struct sr_axes axes, int64_t size)
{
	struct sr_axis_ref *refs = SR_NEW_ARRAY(arena, struct sr_axis_ref, axes.n);
	int n = 0;
	for (; n < axes.n; n++) {
		int64_t divisor = sr_gcd(axes.refs[n].size, size);
		if (divisor == 1)
			break;
		refs[n] = axes.refs[n];
		refs[n].size = divisor;
		if (divisor != axes.refs[n].size) {
			n++;
			break;
		}
		size /= divisor;
	}
	return (struct sr_axes){refs, n};
}

static const struct sr_attr *make_even_sharding(struct update *u, const struct sr_attr *attr, const struct sr_type *type)
{
	const struct sr_mesh *mesh = attr ? sr_sharding_mesh(u->module, attr->sharding) : NULL;
	if (!mesh || type->kind != SR_TYPE_TENSOR || !sr_type_is_static(type))
		return attr;
	struct sr_sharding s = *sr_sharding_resolve(u->ctx->arena, mesh, attr->sharding);
	struct sr_dim_sharding *dims = sr_dup(u->ctx->arena, s.dims, (size_t)s.rank, sizeof *dims);
	bool is_changed = false;
	for (int d = 0; d < s.rank && d < type->rank; d++) {
		if (type->shape[d] % sr_axes_size(dims[d].axes) == 0)
			continue;
		dims[d].axes = longest_even_prefix(u->ctx->arena, dims[d].axes, type->shape[d]);
		dims[d].priority = -1;
		is_changed = true;
	}
	s.dims = dims;
	return is_changed ? sr_sharding_attr(u->ctx, mesh, &s) : attr;
}

/* Return the evenly dividing shardings of n values; NULL where a sharding need not change or stays uneven. */
static const struct sr_attr **make_even_shardings(struct update *u, const struct sr_op *func, const struct sr_type *const *types,
						  int n,
						  const struct sr_attr *(*get)(const struct sr_op *func, int i, const char *name))
{
	const struct sr_attr **list = SR_NEW_ARRAY(u->ctx->arena, const struct sr_attr *, n);
	for (int i = 0; i < n; i++) {
		const struct sr_attr *old_sharding = get(func, i, "sdy.sharding");
		list[i] = get(func, i, SR_UNEVEN_SHARDING) ? old_sharding : make_even_sharding(u, old_sharding, types[i]);
		list[i] = list[i] != old_sharding ? list[i] : NULL;
	}
	return list;
}

static void update_func(struct update *u, struct sr_op *func)
{
	const struct sr_type *type = sr_func_type(func);
	sr_func_set_arg_attrs(u->ctx, func, "sdy.sharding",
			      make_even_shardings(u, func, type->inputs, type->n_inputs, sr_func_arg_attr));
	sr_func_set_result_attrs(u->ctx, func, "sdy.sharding",
				 make_even_shardings(u, func, type->results, type->n_results, sr_func_result_attr));
	for (int i = 0; i < type->n_inputs; i++)
		if (sr_func_arg_attr(func, i, SR_UNEVEN_SHARDING))
			sr_func_set_arg_attr(u->ctx, func, i, SR_UNEVEN_SHARDING, NULL);
	for (int i = 0; i < type->n_results; i++)
		sr_func_set_result_attr(u->ctx, func, i, SR_UNEVEN_SHARDING, NULL);
}

static void update_results(struct update *u, struct sr_op *op, const char *name)
{
	const struct sr_attr *old_sharding = sr_op_attr(op, name);
	if (!old_sharding || old_sharding->kind != SR_ATTR_SHARDINGS)
		return;
	const struct sr_attr **list = SR_NEW_ARRAY(u->ctx->arena, const struct sr_attr *, old_sharding->n);
	for (int i = 0; i < old_sharding->n; i++)
		list[i] = i < op->n_results ? make_even_sharding(u, old_sharding->list[i], sr_result(op, i)->type)
					    : old_sharding->list[i];
	sr_op_set_attr(u->ctx, op, name, sr_attr_shardings(u->ctx, list, old_sharding->n));
}

/* Update the in_shardings of a manual computation: the axes that are not manual must divide the local shape evenly. */
static void update_arguments(struct update *u, struct sr_op *op)
{
	const struct sr_attr *old_sharding = sr_op_attr(op, SR_NAME_in_shardings);
	const struct sr_attr *manual = sr_op_attr(op, SR_NAME_manual_axes);
	const struct sr_block *body = op->regions[0].first;
	const struct sr_attr **list = SR_NEW_ARRAY(u->ctx->arena, const struct sr_attr *, old_sharding->n);
	for (int i = 0; i < old_sharding->n; i++) {
		const struct sr_attr *local_sharding = sr_sharding_without_axes(u->ctx, old_sharding->list[i], manual);
		const struct sr_attr *even_local_sharding = make_even_sharding(u, local_sharding, body->args[i]->type);
		list[i] = local_sharding == even_local_sharding
			      ? old_sharding->list[i]
			      : sr_sharding_with_axes(u->ctx, old_sharding->list[i], even_local_sharding, manual);
	}
	sr_op_set_attr(u->ctx, op, SR_NAME_in_shardings, sr_attr_shardings(u->ctx, list, old_sharding->n));
}

static bool update_op(void *data, struct sr_op *op)
{
	struct update *u = data;
	if (sr_op_is(op, SR_OP_func_func)) {
		update_func(u, op);
	} else if (sr_op_is(op, SR_OP_func_call)) {
		update_results(u, op, "sdy.sharding");
	} else if (sr_op_is(op, SR_OP_sdy_manual_computation)) {
		update_arguments(u, op);
		update_results(u, op, SR_NAME_out_shardings);
	}
	return true;
}

enum sr_status sr_pass_update_non_divisible_input_output_shardings(struct sr_context *ctx, struct sr_op *module,
								   const struct sr_pass_options *options)
{
	struct update u = {ctx, module};
	sr_walk(module, update_op, &u);
	return SR_OK;
}
