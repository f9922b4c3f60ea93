/* View of an op by the factors of its sharding rule: its mesh, the shardings of its operands and results, their projection to
 * factors, and the conversion of factors back to shardings. */
#include "partition/form/form.h"

const struct sr_attr *sr_sharding_through_barriers(struct sr_context *ctx, struct sr_value *v)
{
	return sr_value_sharding(ctx, sr_value_before_barriers(v));
}

bool sr_is_single_device(const struct sr_op *module, const struct sr_attr *sharding)
{
	const struct sr_mesh *mesh = sr_sharding_mesh(module, sharding->sharding);
	return mesh && sr_mesh_is_single_device(mesh);
}

static bool has_axes(const struct sr_attr *sharding)
{
	const struct sr_sdy_sharding *s = sharding ? sharding->sharding : NULL;
	for (int d = 0; s && d < s->rank; d++)
		if (s->dims[d].axes.n)
			return true;
	return false;
}

/* Return the mesh that most of the shardings with axes name. If several meshes have the largest count, return the mesh whose last
 * mention comes first. */
static struct sr_mesh_ref most_common_mesh(struct sr_op *module, const struct sr_attr *const *shardings, int n,
					   struct sr_mesh_ref default_mesh)
{
	struct sr_mesh_ref best_mesh = default_mesh;
	int best_count = 0;
	for (int i = 0; i < n; i++) {
		if (!has_axes(shardings[i]))
			continue;
		const struct sr_sdy_sharding *s = shardings[i]->sharding;
		/* best_mesh is the mesh of sharding i; best_count is then the number of shardings before i with this mesh */
		bool is_best = best_count && s->mesh_name == best_mesh.name;
		int count = is_best ? best_count + 1 : 0;
		for (int j = 0; !is_best && j <= i; j++)
			count += has_axes(shardings[j]) && shardings[j]->sharding->mesh_name == s->mesh_name;
		if (count > best_count) {
			best_count = count;
			best_mesh = (struct sr_mesh_ref){sr_sharding_mesh(module, s), s->mesh_name};
		}
	}
	return best_mesh;
}

static bool is_empty(const struct sr_mesh *mesh)
{
	return mesh->n_axes == 0 && mesh->n_device_ids == 0;
}

/* Find the mesh of the shardings, which must agree in axes but may differ in device order, of which *out has the most frequent one.
 * Return false if there is no such mesh, or only a single device. */
static bool find_common_mesh(struct sr_op *module, const struct sr_attr *const *shardings, int n, struct sr_mesh_ref *out)
{
	*out = (struct sr_mesh_ref){0};
	for (int i = 0; i < n; i++) {
		const struct sr_mesh *mesh = shardings[i] ? sr_sharding_mesh(module, shardings[i]->sharding) : NULL;
		if (!mesh || (out->mesh && !is_empty(out->mesh) && is_empty(mesh)))
			continue;
		if (out->mesh && !is_empty(out->mesh)) {
			if (!sr_mesh_same_axes(mesh, out->mesh))
				return false;
			if (mesh->device_ids) /* prefer the mesh in default device order */
				continue;
		}
		*out = (struct sr_mesh_ref){mesh, shardings[i]->sharding->mesh_name};
	}
	if (!out->mesh || sr_mesh_is_single_device(out->mesh))
		return false;
	*out = most_common_mesh(module, shardings, n, *out);
	return true;
}

static int64_t element_count(const struct sr_type *type)
{
	int64_t n = 0;
	return type->kind == SR_TYPE_TENSOR && sr_type_elements(type, &n) ? n : 0;
}

struct sr_value *sr_op_view_value(const struct sr_op_view *v, int tensor)
{
	return tensor < v->rule->n_operands ? sr_operand(v->op, tensor) : sr_result(v->op, tensor - v->rule->n_operands);
}

static bool read_tensors(struct sr_op_view *v, struct sr_context *ctx, struct sr_op *module, struct sr_op *op,
			 const struct sr_sharding_rule *rule)
{
	struct sr_arena *arena = ctx->scratch;
	*v = (struct sr_op_view){
		.ctx = ctx, .module = module, .op = op, .rule = rule, .n_tensors = rule->n_operands + rule->n_results};
	if (rule->n_operands != op->n_operands || rule->n_results != op->n_results)
		return false;
	v->shardings = SR_NEW_ARRAY(arena, const struct sr_attr *, v->n_tensors);
	v->sizes = SR_NEW_ARRAY(arena, int64_t, v->n_tensors);
	for (int t = 0; t < v->n_tensors; t++) {
		v->shardings[t] = sr_sharding_through_barriers(ctx, t < op->n_operands ? sr_form_source(op, t)->value
										       : sr_op_view_value(v, t));
		v->sizes[t] = element_count(sr_op_view_value(v, t)->type);
	}
	return true;
}

static void project(struct sr_op_view *v)
{
	struct sr_arena *arena = v->ctx->scratch;
	const struct sr_sharding **resolved_shardings = SR_NEW_ARRAY(arena, const struct sr_sharding *, v->n_tensors);
	for (int t = 0; t < v->n_tensors; t++)
		resolved_shardings[t] = v->shardings[t] ? sr_sharding_resolve(arena, v->mesh.mesh, v->shardings[t]->sharding)
							: NULL;
	v->p = sr_projection_build(arena, v->rule, v->mesh.mesh, resolved_shardings, true);
}

bool sr_op_view_init(struct sr_op_view *v, struct sr_context *ctx, struct sr_op *module, struct sr_op *op,
		     const struct sr_sharding_rule *rule)
{
	if (!read_tensors(v, ctx, module, op, rule) || !find_common_mesh(module, v->shardings, v->n_tensors, &v->mesh))
		return false;
	project(v);
	return true;
}

bool sr_op_view_init_on(struct sr_op_view *v, struct sr_context *ctx, struct sr_op *module, struct sr_op *op,
			const struct sr_sharding_rule *rule, struct sr_mesh_ref mesh)
{
	struct sr_mesh_ref own;
	if (!read_tensors(v, ctx, module, op, rule) || (find_common_mesh(module, v->shardings, v->n_tensors, &own) &&
							own.mesh != mesh.mesh))
		return false;
	v->mesh = mesh;
	project(v);
	return true;
}

bool sr_index_list_has(struct sr_index_list list, int factor)
{
	for (int i = 0; i < list.n; i++)
		if (list.indices[i] == factor)
			return true;
	return false;
}

const struct sr_attr *sr_op_view_sharding(const struct sr_op_view *v, int tensor)
{
	struct sr_sharding s = sr_projection_sharding(v->ctx->scratch, &v->p, tensor, v->mesh.name);
	if (!v->mesh.name)
		s.mesh = v->mesh.mesh;
	return sr_sharding_attr(v->ctx, v->mesh.mesh, &s);
}

void sr_op_view_set_factor(struct sr_op_view *v, int factor, struct sr_axes axes, bool *is_changed)
{
	for (int t = 0; t < v->n_tensors; t++) {
		struct sr_factor_sharding *f = &v->p.tensors[t].factors[factor];
		if (!f->is_present || (f->overflow_axes.n == 0 && sr_axes_equal(f->axes, axes)))
			continue;
		f->axes = axes;
		f->overflow_axes = (struct sr_axes){0};
		is_changed[t] = true;
	}
}

const struct sr_attr *sr_replicated_on(struct sr_context *ctx, struct sr_mesh_ref mesh, const struct sr_type *type)
{
	struct sr_sdy_sharding s = sr_sdy_replicated_sharding(ctx->scratch, mesh.name,
							      type->kind == SR_TYPE_TENSOR ? type->rank : 0, true);
	if (!mesh.name)
		s.mesh = mesh.mesh;
	return sr_attr_sharding(ctx, &s);
}

const struct sr_attr *sr_sharding_or_replicated(struct sr_context *ctx, struct sr_value *v, struct sr_mesh_ref mesh)
{
	const struct sr_attr *s = sr_value_sharding(ctx, v);
	return s ? s : sr_replicated_on(ctx, mesh, v->type);
}
