/* Implement sdy-remove-size-one-axes: remove axes of size 1 from all shardings. Meshes keep them.
 *
 *	mesh <["a"=1, "b"=2]>: [{"a", "b"}, {"a"}]   becomes   [{"b"}, {}] */
#include "import/import_passes.h"
#include "dialect/attr_names.h"
#include "import/sharding_walk.h"

struct remover {
	struct sr_context *ctx;
	struct sr_op *module;
};

/* Return the axes without those of size 1, with sub-axes that become adjacent merged. */
static struct sr_sdy_axes remove_size_one(struct sr_arena *arena, const struct sr_mesh *mesh, struct sr_sdy_axes axes)
{
	struct sr_axes remaining = {0};
	for (int i = 0; i < axes.n; i++) {
		struct sr_axis_ref ref = sr_axis_resolve(mesh, axes.refs[i]);
		if (ref.size != 1)
			remaining = sr_axes_append(arena, remaining, ref);
	}
	return sr_axes_to_sdy(arena, mesh, remaining);
}

static const struct sr_attr *remove_ones(void *data, const struct sr_attr *attr)
{
	const struct remover *r = data;
	struct sr_sdy_sharding s = *attr->sharding;
	const struct sr_mesh *mesh = sr_sharding_mesh(r->module, &s);
	if (!mesh)
		return attr;
	struct sr_arena *arena = r->ctx->arena;
	struct sr_sdy_dim *dims = sr_dup(arena, s.dims, (size_t)s.rank, sizeof *dims);
	for (int d = 0; d < s.rank; d++) {
		dims[d].axes = remove_size_one(arena, mesh, dims[d].axes);
		if (dims[d].axes.n == 0 && dims[d].closed)
			dims[d].priority = -1; /* an empty closed dimension must not have a priority */
	}
	s.dims = dims;
	s.replicated = remove_size_one(arena, mesh, s.replicated);
	s.unreduced = remove_size_one(arena, mesh, s.unreduced);
	return sr_attr_sharding(r->ctx, &s);
}

static bool has_size_one(const struct sr_op *op)
{
	const struct sr_mesh *mesh = sr_op_mesh(op);
	for (int i = 0; mesh && i < mesh->n_axes; i++)
		if (mesh->axes[i].size == 1)
			return true;
	return false;
}

enum sr_status sr_pass_remove_size_one_axes(struct sr_context *ctx, struct sr_op *module, const struct sr_pass_options *options)
{
	struct remover r = {ctx, module};
	bool has_size_one_axis = false;
	for (struct sr_op *op = sr_module_body(module)->first; op; op = op->next)
		has_size_one_axis = has_size_one_axis || has_size_one(op);
	if (has_size_one_axis)
		sr_shardings_map(ctx, module, remove_ones, &r);
	return SR_OK;
}
