/* Implement shardrun-extend-unit-meshes: extend each mesh of one device to the devices of the module's largest mesh, by an axis
 * that no sharding uses. Values that are sharded on it, in functions that were exported for one device, are then replicated.
 *
 *	@one = <["i"=1]>, @mesh = <["x"=4]>   becomes   @one = <["i"=1, "devices"=4]>, @mesh = <["x"=4]>
 *
 * Meshes without axes are left as they are: they have all devices. Cost: linear in the module's symbols. */
#include "import/import_passes.h"
#include "dialect/attr_names.h"
#include <string.h>

/* Return a mesh with the axes of `mesh` and one more axis of n devices. */
static const struct sr_attr *make_extended_mesh(struct sr_context *ctx, const struct sr_mesh *mesh, int64_t n)
{
	const char *name = sr_intern(ctx, "devices");
	struct sr_axis *axes = SR_NEW_ARRAY(ctx->arena, struct sr_axis, mesh->n_axes + 1);
	while (sr_mesh_axis_index(mesh, name) >= 0)
		name = sr_intern(ctx, sr_printf(ctx->arena, "%s_", name));
	memcpy(axes, mesh->axes, sizeof *axes * (size_t)mesh->n_axes);
	axes[mesh->n_axes] = (struct sr_axis){name, n};
	return sr_attr_mesh(ctx, &(struct sr_mesh){.axes = axes, .n_axes = mesh->n_axes + 1});
}

void sr_extend_unit_meshes(struct sr_context *ctx, struct sr_op *module)
{
	int64_t max_devices = 1;
	struct sr_block *body = sr_module_body(module);
	for (struct sr_op *op = body->first; op; op = op->next)
		if (sr_op_mesh(op) && sr_mesh_devices(sr_op_mesh(op)) > max_devices)
			max_devices = sr_mesh_devices(sr_op_mesh(op));
	for (struct sr_op *op = body->first; max_devices > 1 && op; op = op->next) {
		const struct sr_mesh *mesh = sr_op_mesh(op);
		if (mesh && mesh->n_axes && sr_mesh_devices(mesh) == 1)
			sr_op_set_attr(ctx, op, SR_NAME_mesh, make_extended_mesh(ctx, mesh, max_devices));
	}
}

enum sr_status sr_pass_extend_unit_meshes(struct sr_context *ctx, struct sr_op *root, const struct sr_pass_options *options)
{
	(void)options;
	sr_extend_unit_meshes(ctx, root);
	return SR_OK;
}
