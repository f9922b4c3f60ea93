/* Read the mesh and axes in the replica_groups of StableHLO collectives. */
#include "import/replica_group_mesh.h"
#include "dialect/attr_names.h"
#include "dialect/signature.h"
#include <string.h>

static const struct sr_attr *read_group_axes(const struct sr_op *op)
{
	const struct sr_attr *groups = sr_op_attr(op, SR_NAME_replica_groups);
	bool names_mesh = groups && groups->kind == SR_ATTR_STRUCT && strcmp(groups->def->name, "replica_group_mesh_axes") == 0;
	return names_mesh ? groups : NULL;
}

const struct sr_attr *sr_replica_group_mesh(const struct sr_op *op)
{
	const struct sr_attr *groups = read_group_axes(op);
	return groups ? sr_attr_field(groups, SR_NAME_mesh) : NULL;
}

void sr_replica_group_set_mesh(struct sr_context *ctx, struct sr_op *op, const struct sr_attr *mesh)
{
	const struct sr_attr *groups = read_group_axes(op);
	const struct sr_attr *fields[2] = {mesh, sr_attr_field(groups, SR_NAME_axes)};
	sr_op_set_attr(ctx, op, SR_NAME_replica_groups, sr_attr_struct(ctx, groups->def, fields));
}

bool sr_mesh_of_attr(struct sr_context *ctx, const struct sr_attr *attr, struct sr_mesh *mesh)
{
	if (attr->kind == SR_ATTR_MESH) {
		*mesh = *attr->mesh;
		return true;
	}
	const struct sr_attr *list = attr->kind == SR_ATTR_STRUCT ? sr_attr_field(attr, SR_NAME_axes) : NULL;
	if (!list)
		return false;
	struct sr_axis *axes = SR_NEW_ARRAY(ctx->arena, struct sr_axis, list->n);
	for (int i = 0; i < list->n; i++)
		axes[i] = (struct sr_axis){sr_attr_field(list->list[i], SR_NAME_name)->s, sr_attr_field(list->list[i], SR_NAME_size)->i};
	*mesh = (struct sr_mesh){.axes = axes, .n_axes = list->n};
	return true;
}

const struct sr_attr *sr_stablehlo_mesh(struct sr_context *ctx, const struct sr_mesh *mesh)
{
	const struct sr_attr_def *axis_def = sr_attr_def_find("stablehlo", "mesh_axis");
	const struct sr_attr_def *def = sr_attr_def_find("stablehlo", "mesh");
	const struct sr_attr **axes = SR_NEW_ARRAY(ctx->arena, const struct sr_attr *, mesh->n_axes);
	for (int i = 0; i < mesh->n_axes; i++) {
		const struct sr_attr *fields[2] = {sr_attr_string(ctx, mesh->axes[i].name, strlen(mesh->axes[i].name)),
						   sr_attr_i64(ctx, mesh->axes[i].size)};
		axes[i] = sr_attr_struct(ctx, axis_def, fields);
	}
	int64_t n = mesh->n_device_ids;
	const struct sr_attr *fields[2] = {sr_attr_array(ctx, axes, mesh->n_axes),
					   n ? sr_attr_dense_i64(ctx, 1, &n, mesh->device_ids) : NULL};
	return sr_attr_struct(ctx, def, fields);
}
