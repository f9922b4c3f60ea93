/* Create and verify propagation edge attributes. */
#include "dialect/sdy/propagation_edges.h"
#include "dialect/ops.h"
#include "dialect/sdy/sdy_check.h"
#include <string.h>

static const struct sr_attr *make_struct(struct sr_context *ctx, const char *name, const struct sr_attr *const *fields)
{
	return sr_attr_struct(ctx, sr_attr_def_find("sdy", name), fields);
}

const struct sr_attr *sr_attr_edge_value_ref(struct sr_context *ctx, bool is_result, int64_t index)
{
	const struct sr_attr *type = sr_attr_enum(ctx, "sdy", "edge_node_type", is_result ? "result" : "operand");
	return make_struct(ctx, "edge_value_ref", (const struct sr_attr *[]){type, sr_attr_i64(ctx, index)});
}

const struct sr_attr *sr_attr_edge_details(struct sr_context *ctx, const struct sr_attr *axis, const struct sr_attr *source,
					   const struct sr_attr *const *targets, int n)
{
	return make_struct(ctx, "axis_to_propagation_details", (const struct sr_attr *[]){axis, source, sr_attr_array(ctx, targets, n)});
}

const struct sr_attr *sr_attr_edge_step(struct sr_context *ctx, int64_t step, const struct sr_attr *const *details, int n)
{
	const struct sr_attr *fields[] = {sr_attr_i64(ctx, step), sr_attr_array(ctx, details, n)};
	return make_struct(ctx, "propagation_one_step", fields);
}

const struct sr_attr *sr_attr_propagation_edges(struct sr_context *ctx, const struct sr_attr *const *steps, int n)
{
	return make_struct(ctx, "propagation_edges", (const struct sr_attr *[]){sr_attr_array(ctx, steps, n)});
}

static bool is_propagation_edges(const struct sr_attr *a)
{
	return a->kind == SR_ATTR_STRUCT && strcmp(a->def->dialect, "sdy") == 0 && strcmp(a->def->name, "propagation_edges") == 0;
}

static int64_t step_index(const struct sr_attr *step)
{
	return step->list[0]->i;
}

int64_t sr_propagation_edges_last(const struct sr_attr *edges)
{
	int64_t max_step = -1;
	for (int i = 0; i < edges->list[0]->n; i++)
		if (step_index(edges->list[0]->list[i]) > max_step)
			max_step = step_index(edges->list[0]->list[i]);
	return max_step;
}

/* ---------------------------------------------------------------- the attribute by itself */

static bool occurs_before(const struct sr_attr *const *attrs, int n, const struct sr_attr *a)
{
	for (int i = 0; i < n; i++)
		if (attrs[i] == a)
			return true;
	return false;
}

static const char *check_details(struct sr_context *ctx, int64_t step, const struct sr_attr *details)
{
	const struct sr_attr *targets = details->list[2];
	for (int i = 0; i < targets->n; i++) {
		if (targets->list[i] == details->list[1])
			return "propagation edges have a source that is the same as a target";
		if (occurs_before(targets->list, i, targets->list[i]))
			return sr_printf(ctx->arena, "propagation edges have duplicate targets for step index: %lld and axis: %s",
					 (long long)step, details->list[0]->axes->refs[0].axis);
	}
	return NULL;
}

const char *sr_propagation_edges_error(struct sr_context *ctx, const struct sr_attr *a)
{
	const struct sr_attr *steps = a->list[0];
	for (int i = 0; i < steps->n; i++) {
		int64_t step = step_index(steps->list[i]);
		const struct sr_attr *entries = steps->list[i]->list[1];
		if (step < 0)
			return sr_printf(ctx->arena, "propagation edges have negative step index: %lld", (long long)step);
		for (int k = 0; k < i; k++)
			if (step_index(steps->list[k]) == step)
				return sr_printf(ctx->arena, "propagation edges have duplicate step index: %lld", (long long)step);
		for (int k = 0; k < entries->n; k++) {
			const char *error = check_details(ctx, step, entries->list[k]);
			if (error)
				return error;
		}
	}
	return NULL;
}

/* ---------------------------------------------------------------- as an attribute of an op */

struct edge_check {
	const struct sr_sdy_check *c;
	const struct sr_op *module;
	const struct sr_mesh *mesh; /* mesh in the shardings of the values referenced so far */
	bool has_several_meshes;
};

static struct sr_value *referenced_value(struct sr_op *op, const struct sr_attr *node)
{
	int64_t i = node->list[1]->i;
	if (node->list[0]->i)
		return i >= 0 && i < op->n_results ? sr_result(op, (int)i) : NULL;
	return i >= 0 && i < op->n_operands ? sr_operand(op, (int)i) : NULL;
}

static enum sr_status find_mesh(struct edge_check *w, const struct sr_attr *node, const struct sr_attr *axis)
{
	struct sr_value *v = referenced_value(w->c->op, node);
	const struct sr_attr *sharding = v ? sr_value_sharding(w->c->ctx, v) : NULL;
	const struct sr_mesh *mesh = sharding ? sr_sharding_mesh(w->module, sharding->sharding) : NULL;
	w->has_several_meshes = w->has_several_meshes || (mesh && w->mesh && !sr_mesh_equal(mesh, w->mesh));
	w->mesh = w->mesh ? w->mesh : mesh;
	return SR_OK;
}

/* Return true for data-flow edge ops. Their propagation edges number the sources of the edge, which are operands of other ops, so
 * that an index may exceed the op's own operands. (Upstream rejects a second source of a loop.) */
static bool numbers_sources(const struct sr_op *op)
{
	return sr_op_is(op, SR_OP_sdy_data_flow_edge) || sr_op_is(op, SR_OP_sdy_func_data_flow_edge);
}

static enum sr_status check_node(struct edge_check *w, const struct sr_attr *node, const struct sr_attr *axis)
{
	struct sr_op *op = w->c->op;
	bool is_result = node->list[0]->i;
	if (sr_mesh_axis_index(w->mesh, axis->axes->refs[0].axis) < 0)
		return sr_check_error(w->c, "expected axis ref to be in one of the meshes");
	if (numbers_sources(op) || referenced_value(op, node))
		return SR_OK;
	return sr_check_error(w->c, "expected a value ref to have %s index in range [0, %d), got: %lld",
			      is_result ? "a result" : "an operand", is_result ? op->n_results : op->n_operands,
			      (long long)node->list[1]->i);
}

static enum sr_status for_each_node(struct edge_check *w, const struct sr_attr *edges,
				    enum sr_status (*fn)(struct edge_check *w, const struct sr_attr *node,
							 const struct sr_attr *axis))
{
	for (int s = 0; s < edges->list[0]->n; s++) {
		const struct sr_attr *entries = edges->list[0]->list[s]->list[1];
		for (int e = 0; e < entries->n; e++) {
			const struct sr_attr *axis = entries->list[e]->list[0], *targets = entries->list[e]->list[2];
			if (fn(w, entries->list[e]->list[1], axis))
				return SR_INVALID;
			for (int t = 0; t < targets->n; t++)
				if (fn(w, targets->list[t], axis))
					return SR_INVALID;
		}
	}
	return SR_OK;
}

static enum sr_status check_edges(const struct sr_sdy_check *c, const struct sr_attr *a)
{
	struct edge_check w = {.c = c, .module = sr_op_parent_of(c->op, SR_OP_builtin_module)};
	for_each_node(&w, a, find_mesh);
	if (!w.mesh)
		return sr_check_error(c, "expected propagation edges attr to reference a sharding.");
	if (w.has_several_meshes)
		return sr_check_error(c, "expected a common mesh for propagation edges attr.");
	return for_each_node(&w, a, check_node);
}

enum sr_status sr_propagation_edges_check(struct sr_context *ctx, struct sr_op *op, const char *name, const struct sr_attr *a,
					  struct sr_diags *diags)
{
	struct sr_sdy_check c = {ctx, op, diags, ""};
	bool is_single = strcmp(name, "sdy.propagation_edges") == 0;
	bool is_list = strcmp(name, "sdy.block_arg_propagation_edges") == 0 || strcmp(name, "sdy.result_propagation_edges") == 0;
	if (is_single && !is_propagation_edges(a))
		return sr_check_error(&c, "should have a propagation edges attribute of type PropagationEdgesAttr for attr named "
				      "'sdy.propagation_edges'");
	if (is_single)
		return check_edges(&c, a);
	bool has_valid_elements = a->kind == SR_ATTR_ARRAY;
	for (int i = 0; is_list && has_valid_elements && i < a->n; i++)
		has_valid_elements = is_propagation_edges(a->list[i]);
	if (is_list && !has_valid_elements)
		return sr_check_error(&c, "should have a propagation edges attribute of type ArrayAttr<PropagationEdgesAttr> for "
				      "attr named 'sdy.result_propagation_edges' or 'sdy.block_arg_propagation_edges'");
	return SR_OK;
}
