/* Implement sdy-manual-axes-cleanup: sort the manual axes of each manual computation by mesh order, and add manual axes that an
 * in- or out-sharding does not use to its replicated axes.
 *
 *	in_shardings=[<@mesh, [{"x"}]>] manual_axes={"y", "x"}   becomes
 *	in_shardings=[<@mesh, [{"x"}], replicated={"y"}>] manual_axes={"x", "y"} */
#include "import/import_passes.h"
#include "dialect/attr_names.h"
#include "dialect/ops.h"
#include "import/sharding_walk.h"

struct cleanup {
	struct sr_context *ctx;
	struct sr_op *module;
	enum sr_status status;
};

/* State while a manual computation is processed. */
struct manual {
	struct cleanup *c;
	const struct sr_mesh *mesh, *inline_mesh;
	const char *mesh_name; /* name of the mesh; NULL if the mesh is inline */
	struct sr_axes axes;
};

static bool is_empty(const struct sr_mesh *mesh)
{
	return mesh->n_axes == 0 && mesh->n_device_ids == 0;
}

/* Find the first non-empty mesh of the shardings. */
static void find_mesh(struct manual *m, const struct sr_attr *shardings)
{
	for (int i = 0; shardings && i < shardings->n; i++) {
		const struct sr_sdy_sharding *s = shardings->list[i]->sharding;
		const struct sr_mesh *mesh = sr_sharding_mesh(m->c->module, s);
		if (mesh && (!m->mesh || is_empty(m->mesh))) {
			m->mesh = mesh;
			m->mesh_name = s->mesh_name;
			m->inline_mesh = s->mesh;
		}
	}
}

static const struct sr_attr *add_unused_axes(void *data, const struct sr_attr *attr)
{
	struct manual *m = data;
	struct sr_context *ctx = m->c->ctx;
	struct sr_sharding s = *sr_sharding_resolve(ctx->arena, m->mesh, attr->sharding);
	struct sr_axes used_axes = sr_sharding_used_axes(ctx->arena, &s), unused_axes;
	used_axes = sr_axes_concat(ctx->arena, used_axes, s.replicated);
	if (!sr_axes_difference(ctx->arena, m->axes, used_axes, &unused_axes) || unused_axes.n == 0)
		return attr;
	s.replicated = sr_axes_sort_and_merge(ctx->arena, m->mesh, sr_axes_concat(ctx->arena, s.replicated, unused_axes));
	s.mesh_name = m->mesh_name;
	s.mesh = m->inline_mesh;
	return sr_sharding_attr(ctx, m->mesh, &s);
}

static bool precedes_in_mesh(const struct sr_mesh *mesh, struct sr_sdy_axis a, struct sr_sdy_axis b)
{
	return sr_mesh_axis_index(mesh, a.axis) < sr_mesh_axis_index(mesh, b.axis);
}

static const struct sr_attr *sort_axes(struct manual *m, const struct sr_attr *attr)
{
	struct sr_sdy_axis *refs = sr_dup(m->c->ctx->arena, attr->axes->refs, (size_t)attr->axes->n, sizeof *refs);
	for (int i = 1; i < attr->axes->n; i++)
		for (int k = i; k > 0 && precedes_in_mesh(m->mesh, refs[k], refs[k - 1]); k--) {
			struct sr_sdy_axis swap = refs[k];
			refs[k] = refs[k - 1];
			refs[k - 1] = swap;
		}
	return sr_attr_axes(m->c->ctx, refs, attr->axes->n);
}

/* Add unused axes to the shardings of the tensors in a list attribute. Shardings of tokens stay as they are. */
static void add_axes_to_list(struct manual *m, struct sr_op *op, const char *name, bool is_result)
{
	struct sr_context *ctx = m->c->ctx;
	const struct sr_attr *old_list = sr_op_attr(op, name);
	const struct sr_attr **list = SR_NEW_ARRAY(ctx->arena, const struct sr_attr *, old_list->n);
	for (int i = 0; i < old_list->n; i++) {
		const struct sr_type *type = is_result ? sr_result(op, i)->type : sr_operand(op, i)->type;
		list[i] = type->kind == SR_TYPE_TENSOR ? add_unused_axes(m, old_list->list[i]) : old_list->list[i];
	}
	sr_op_set_attr(ctx, op, name, sr_attr_shardings(ctx, list, old_list->n));
}

static bool clean_op(void *data, struct sr_op *op)
{
	struct cleanup *c = data;
	if (!sr_op_is(op, SR_OP_sdy_manual_computation))
		return true;
	const struct sr_attr *in_shardings = sr_op_attr(op, SR_NAME_in_shardings),
			     *out_shardings = sr_op_attr(op, SR_NAME_out_shardings);
	const struct sr_attr *axes = sr_op_attr(op, SR_NAME_manual_axes);
	if (in_shardings->n == 0 && out_shardings->n == 0) {
		struct sr_op *first = op->regions[0].first->first;
		if (axes->axes->n > 0 && !sr_op_is(first, SR_OP_sdy_return))
			c->status = sr_op_error(op, &c->ctx->diags, SR_INVALID,
						"has manual_axes when there are no in/out shardings and the body is not empty. "
						"This isn't allowed at this stage, please contact the Shardy team or file a bug.");
		return true;
	}
	struct manual m = {.c = c};
	find_mesh(&m, in_shardings);
	find_mesh(&m, out_shardings);
	if (!m.mesh)
		return true;
	const struct sr_attr *sorted_axes = sort_axes(&m, axes);
	sr_op_set_attr(c->ctx, op, SR_NAME_manual_axes, sorted_axes);
	m.axes = sr_axes_resolve(c->ctx->arena, m.mesh, *sorted_axes->axes);
	add_axes_to_list(&m, op, SR_NAME_in_shardings, false);
	add_axes_to_list(&m, op, SR_NAME_out_shardings, true);
	return true;
}

enum sr_status sr_pass_manual_axes_cleanup(struct sr_context *ctx, struct sr_op *module, const struct sr_pass_options *options)
{
	struct cleanup c = {ctx, module, SR_OK};
	sr_walk_post(module, clean_op, &c);
	return c.status;
}
