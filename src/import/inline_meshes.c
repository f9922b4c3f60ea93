/* Implement sdy-inline-meshes, the inverse of sdy-lift-inlined-meshes: replace mesh names in shardings by the meshes themselves
 * and erase the mesh ops. */
#include "import/import_passes.h"
#include "import/replica_group_mesh.h"
#include "import/sharding_walk.h"

struct inliner {
	struct sr_context *ctx;
	struct sr_op *module;
};

static const struct sr_attr *inline_mesh(void *data, const struct sr_attr *attr)
{
	const struct inliner *in = data;
	struct sr_sdy_sharding s = *attr->sharding;
	if (s.mesh)
		return attr;
	s.mesh = sr_sharding_mesh(in->module, &s);
	if (!s.mesh)
		return attr;
	s.mesh_name = NULL;
	return sr_attr_sharding(in->ctx, &s);
}

static bool inline_groups(void *data, struct sr_op *op)
{
	const struct inliner *in = data;
	const struct sr_attr *mesh_attr = sr_replica_group_mesh(op);
	const struct sr_mesh *mesh = mesh_attr && mesh_attr->kind == SR_ATTR_SYMBOL ? sr_mesh_find(in->module, mesh_attr->s) : NULL;
	if (mesh)
		sr_replica_group_set_mesh(in->ctx, op, sr_stablehlo_mesh(in->ctx, mesh));
	return true;
}

enum sr_status sr_pass_inline_meshes(struct sr_context *ctx, struct sr_op *module, const struct sr_pass_options *options)
{
	struct inliner in = {ctx, module};
	sr_shardings_map(ctx, module, inline_mesh, &in);
	sr_walk(module, inline_groups, &in);
	for (struct sr_op *op = sr_module_body(module)->first, *next; op; op = next) {
		next = op->next;
		if (sr_op_is(op, SR_OP_sdy_mesh))
			sr_op_erase(op);
	}
	return SR_OK;
}
