/* Replica groups of collectives in each of their forms: a dense table (rows of ids, -1 pads), or axes of a mesh. */
#include "dialect/ops.h"
#include "dialect/signature.h"

/* #stablehlo.mesh<axes = [<name, size>...], device_ids = ...> */
static bool mesh_of_struct(struct sr_context *ctx, const struct sr_attr *a, struct sr_mesh *mesh)
{
	const struct sr_attr *axes = sr_attr_field(a, "axes");
	struct sr_axis *list = SR_NEWS(ctx->arena, struct sr_axis, axes->n);
	for (int i = 0; i < axes->n; i++)
		list[i] = (struct sr_axis){sr_attr_field(axes->list[i], "name")->s, sr_attr_field(axes->list[i], "size")->i};
	int64_t n;
	bool good = sr_struct_ints(ctx, a, "device_ids", &mesh->device_ids, &n);
	mesh->axes = list;
	mesh->n_axes = axes->n;
	mesh->n_device_ids = (int)n;
	return good;
}

static const struct sr_mesh *mesh_of(struct sr_context *ctx, const struct sr_op *op, const struct sr_attr *a)
{
	if (a->kind == SR_ATTR_MESH)
		return a->mesh;
	if (a->kind == SR_ATTR_SYMBOL)
		return sr_mesh_find(sr_op_module(op), a->s);
	struct sr_mesh *mesh = SR_NEW(ctx->arena, struct sr_mesh);
	return sr_attr_is_struct(a, "stablehlo", "mesh") && mesh_of_struct(ctx, a, mesh) ? mesh : NULL;
}

static struct sr_axis_ref axis_ref(const struct sr_attr *a)
{
	const struct sr_attr *sub = sr_attr_field(a, "sub_axis_info");
	struct sr_axis_ref ref = {.axis = sr_attr_field(a, "name")->s, .pre = 1};
	if (sub) {
		ref.pre = sr_attr_field(sub, "pre_size")->i;
		ref.size = sr_attr_field(sub, "size")->i;
	}
	return ref;
}

static enum sr_status groups_of_axes(struct sr_context *ctx, struct sr_op *op, const struct sr_attr *a, struct sr_groups *out)
{
	const struct sr_attr *axes = sr_attr_field(a, "axes");
	const struct sr_mesh *mesh = mesh_of(ctx, op, sr_attr_field(a, "mesh"));
	for (int i = 0; i < axes->n; i++)
		if (!sr_attr_is_struct(axes->list[i], "stablehlo", "axis_ref"))
			return sr_op_error(op, &ctx->diags, SR_INVALID, "has replica groups whose axes are not references to axes");
	if (!mesh)
		return sr_op_error(op, &ctx->diags, SR_INVALID,
				   "names a mesh for its replica groups that the module does not have");
	struct sr_axis_ref *refs = SR_NEWS(ctx->arena, struct sr_axis_ref, axes->n);
	for (int i = 0; i < axes->n; i++) {
		refs[i] = sr_axis_resolve(mesh, axis_ref(axes->list[i]));
		if (sr_mesh_axis_size(mesh, refs[i].axis) == 0)
			return sr_op_error(op, &ctx->diags, SR_INVALID,
					   "names axis \"%s\" in its replica groups, which its mesh does not have", refs[i].axis);
	}
	*out = sr_mesh_groups(ctx->arena, mesh, (struct sr_axes){refs, axes->n});
	return SR_OK;
}

enum sr_status sr_op_groups(struct sr_context *ctx, struct sr_op *op, struct sr_groups *out)
{
	const struct sr_attr *a = sr_op_attr(op, "replica_groups");
	*out = (struct sr_groups){0};
	if (!a)
		return sr_op_error(op, &ctx->diags, SR_INVALID, "requires attribute 'replica_groups'");
	if (a->kind == SR_ATTR_STRUCT)
		return groups_of_axes(ctx, op, a, out);
	const int64_t *v;
	int64_t n;
	if (a->kind != SR_ATTR_DENSE || a->type->rank != 2 || !sr_attr_ints(ctx, a, &v, &n))
		return sr_op_error(op, &ctx->diags, SR_INVALID, "replica groups should be a rank 2 tensor");
	out->ids = sr_dup(ctx->arena, v, (size_t)n, sizeof *v);
	out->n_groups = a->type->shape[0];
	out->group_size = a->type->shape[1];
	return SR_OK;
}
