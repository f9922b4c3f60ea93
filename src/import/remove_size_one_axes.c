/* sdy-remove-size-one-axes: takes axes of size 1 out of all shardings. The meshes keep them.
 *
 *	mesh <["a"=1, "b"=2]>: [{"a", "b"}, {"a"}]   becomes   [{"b"}, {}] */
#include "import/import_passes.h"
#include "dialect/attr_names.h"
#include "import/sharding_walk.h"

struct remover {
	struct sr_context *ctx;
	struct sr_op *module;
};

/* Parts of an axis between which such an axis stood become one. */
static struct sr_sdy_axes without_ones(struct sr_arena *arena, const struct sr_mesh *mesh, struct sr_sdy_axes axes)
{
	struct sr_axes left = {0};
	for (int i = 0; i < axes.n; i++) {
		struct sr_axis_ref ref = sr_axis_resolve(mesh, axes.refs[i]);
		if (ref.size != 1)
			left = sr_axes_append(arena, left, ref);
	}
	return sr_axes_to_sdy(arena, mesh, left);
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
		dims[d].axes = without_ones(arena, mesh, dims[d].axes);
		if (dims[d].axes.n == 0 && dims[d].closed)
			dims[d].priority = -1; /* of nothing, it would be invalid */
	}
	s.dims = dims;
	s.replicated = without_ones(arena, mesh, s.replicated);
	s.unreduced = without_ones(arena, mesh, s.unreduced);
	return sr_attr_sharding(r->ctx, &s);
}

static bool has_ones(const struct sr_op *op)
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
	bool any = false;
	for (struct sr_op *op = sr_module_body(module)->first; op; op = op->next)
		any = any || has_ones(op);
	if (any)
		sr_shardings_map(ctx, module, remove_ones, &r);
	return SR_OK;
}
