/* Check constraints of Shardy's ops other than collectives: meshes, sharding constraints, edges, ops with bodies. */
#include "dialect/sdy/sdy_check.h"
#include "support/checked.h"
#include <string.h>

sr_infer_fn sr_infer_sdy_data_flow_edge, sr_infer_sdy_func_data_flow_edge, sr_infer_sdy_manual_computation, sr_infer_sdy_mesh,
	sr_infer_sdy_named_computation, sr_infer_sdy_propagation_barrier, sr_infer_sdy_reshard, sr_infer_sdy_sharding_constraint,
	sr_infer_sdy_sharding_group;

static struct sr_sdy_check make_check(const struct sr_infer *in)
{
	return (struct sr_sdy_check){in->ctx, in->op, in->diags, "", 0, 0};
}

static enum sr_status infer_operand_type(struct sr_infer *in)
{
	in->is_verifying = true;
	if (in->types[0] && in->types[0] != sr_infer_operand(in, 0))
		return sr_infer_error(in, "requires the same type for all operands and results");
	in->types[0] = sr_infer_operand(in, 0);
	return SR_OK;
}

/* ---------------------------------------------------------------- mesh */

enum sr_status sr_infer_sdy_mesh(struct sr_infer *in)
{
	const struct sr_mesh *m = sr_op_attr(in->op, "mesh")->mesh;
	const struct sr_op *parent = sr_op_parent(in->op);
	struct sr_src_loc loc = sr_loc_source(in->op->loc);
	if (parent && !sr_op_is(parent, SR_OP_builtin_module))
		return sr_infer_error(in, "expects parent op 'builtin.module'");
	for (int i = 0; i < m->n_axes; i++) {
		if (m->axes[i].size > 0)
			continue;
		sr_error(in->diags, SR_INVALID, loc, "axis size must be at least 1, got: %lld", (long long)m->axes[i].size);
		return sr_error(in->diags, SR_INVALID, loc,
				"custom op 'sdy.mesh' failed to parse Sdy_Mesh parameter 'axes' which is to be a "
				"`::llvm::ArrayRef<MeshAxisAttr>`");
	}
	const char *error = sr_mesh_error(in->ctx, m);
	return error ? sr_error(in->diags, SR_INVALID, loc, "custom op 'sdy.mesh' %s", error) : SR_OK;
}

/* ---------------------------------------------------------------- one value */

/* Return the operand's sharding, looking through propagation barriers. */
static const struct sr_attr *sharding_through_barriers(const struct sr_infer *in)
{
	return sr_value_sharding(in->ctx, sr_value_before_barriers(sr_operand(in->op, 0)));
}

static enum sr_status infer_constraint(struct sr_infer *in)
{
	struct sr_sdy_check c = make_check(in);
	const struct sr_sdy_sharding *out_sharding = sr_op_attr(in->op, "sharding")->sharding;
	if (infer_operand_type(in) || sr_check_sharding(&c, out_sharding, sr_infer_operand(in, 0)))
		return SR_INVALID;
	const struct sr_attr *operand_sharding = sharding_through_barriers(in);
	return operand_sharding ? sr_check_unreduced(&c, operand_sharding->sharding, out_sharding, SR_UNREDUCED_SUM,
						     operand_sharding->sharding->unreduced_kind)
				: SR_OK;
}

enum sr_status sr_infer_sdy_sharding_constraint(struct sr_infer *in)
{
	return infer_constraint(in);
}

enum sr_status sr_infer_sdy_reshard(struct sr_infer *in)
{
	return infer_constraint(in);
}

enum sr_status sr_infer_sdy_sharding_group(struct sr_infer *in)
{
	return SR_OK;
}

enum sr_status sr_infer_sdy_propagation_barrier(struct sr_infer *in)
{
	in->is_verifying = true;
	if (strcmp(sr_attr_enum_name(sr_op_attr(in->op, "allowed_direction")), "BOTH") == 0)
		return sr_infer_error(in, "cannot specify `BOTH` as the direction. Not blocking propagation direction makes the op "
					  "redundant.");
	return infer_operand_type(in);
}

enum sr_status sr_infer_sdy_data_flow_edge(struct sr_infer *in)
{
	struct sr_sdy_check c = make_check(in);
	const struct sr_value *v = sr_operand(in->op, 0);
	const struct sr_attr *sharding = sr_op_attr(in->op, "sharding");
	in->is_verifying = true;
	if (!sr_type_is_static(v->type))
		return sr_infer_error(in, "expected sdy.data_flow_edge to have a static-shaped result. type: '%s'",
				      sr_infer_type_str(in, v->type));
	if (!sr_value_has_one_use(v))
		return sr_infer_error(in, "expected input of sdy.data_flow_edge to have a single user");
	if (v->def && strcmp(v->def->info->dialect, "sdy") == 0 && !sr_op_has(v->def, SR_DATA_FLOW_EDGE)) {
		sr_infer_error(in, "expected input of sdy.data_flow_edge to not be defined by an SdyDialect op (other than an "
			       "sdy.named_computation).");
		sr_report(in->diags, SR_NOTE, sr_loc_source(v->def->loc), "sdy op defining the input of the sdy.data_flow_edge");
		return SR_INVALID;
	}
	if (sharding && sr_check_sharding(&c, sharding->sharding, v->type))
		return SR_INVALID;
	return infer_operand_type(in);
}

enum sr_status sr_infer_sdy_func_data_flow_edge(struct sr_infer *in)
{
	const struct sr_value *v = sr_operand(in->op, 0);
	in->is_verifying = true;
	if (!sr_type_is_static(v->type))
		return sr_infer_error(in, "expected sdy.func_data_flow_edge to have a static-shaped result. type: '%s'",
				      sr_infer_type_str(in, v->type));
	if (!sr_value_has_one_use(v))
		return sr_infer_error(in, "expected operand of sdy.func_data_flow_edge to have a single user");
	if (!v->def && !sr_op_is(v->block->region->op, SR_OP_func_func))
		return sr_infer_error(in, "expected operand of sdy.func_data_flow_edge to be a block argument of a func op.");
	if (v->def && !sr_op_is(v->def, SR_OP_func_call))
		return sr_infer_error(in, "expected operand of sdy.func_data_flow_edge to be a result of call op.");
	return infer_operand_type(in);
}

/* ---------------------------------------------------------------- computations with bodies */

struct type_list {
	const struct sr_type **types;
	int n;
};

static struct type_list types_of_operands(const struct sr_infer *in, const struct sr_op *op)
{
	struct type_list v = {SR_NEW_ARRAY(in->ctx->arena, const struct sr_type *, op->n_operands), op->n_operands};
	for (int i = 0; i < v.n; i++)
		v.types[i] = sr_operand(op, i)->type;
	return v;
}

static struct type_list types_of_arguments(const struct sr_infer *in, const struct sr_block *block)
{
	struct type_list v = {SR_NEW_ARRAY(in->ctx->arena, const struct sr_type *, block->n_args), block->n_args};
	for (int i = 0; i < v.n; i++)
		v.types[i] = block->args[i]->type;
	return v;
}

struct manual_values {
	struct sr_infer *in;
	const struct sr_sdy_axes *axes;
	const char *value_kind; /* kind of the values, for messages: "operand" or "result" */
};

static bool is_manual(const struct manual_values *m, struct sr_sdy_axis ref)
{
	for (int i = 0; i < m->axes->n; i++)
		if (m->axes->refs[i].axis == ref.axis)
			return true;
	return false;
}

static enum sr_status check_manual_axes_first(const struct manual_values *m, const struct sr_sdy_sharding *s, int index)
{
	struct sr_context *ctx = m->in->ctx;
	for (int d = 0; d < s->rank; d++) {
		struct sr_sdy_axes axes = s->dims[d].axes;
		for (int i = 1; i < axes.n; i++)
			if (is_manual(m, axes.refs[i]) && !is_manual(m, axes.refs[i - 1]))
				return sr_infer_error(
				    m->in,
				    "%s sharding at index %d must have all manual axes come before free axes in its dimension "
				    "sharding at index %d. Saw manual axis %s after free axis %s",
				    m->value_kind, index, d, sr_axis_str(ctx, axes.refs[i]), sr_axis_str(ctx, axes.refs[i - 1]));
	}
	return SR_OK;
}

static enum sr_status check_local_type(const struct manual_values *m, const struct sr_sdy_sharding *s,
				       const struct sr_type *global_type, const struct sr_type *local_type, int index)
{
	struct sr_infer *in = m->in;
	const struct sr_mesh *mesh = sr_sharding_mesh(sr_op_module(in->op), s);
	if (!sr_is_ranked(global_type) || !mesh || s->rank != global_type->rank)
		return SR_OK;
	int64_t *shape = sr_dup(in->ctx->arena, global_type->shape, (size_t)global_type->rank, sizeof *shape);
	for (int d = 0; d < s->rank; d++) {
		int64_t shards = 1;
		for (int i = 0; i < s->dims[d].axes.n; i++)
			if (is_manual(m, s->dims[d].axes.refs[i]))
				shards *= sr_axis_resolve(mesh, s->dims[d].axes.refs[i]).size;
		if (sr_is_dynamic(shape[d]))
			continue;
		if (sr_op_attr(in->op, SR_PADDED_ATTR))
			shape[d] = sr_ceil_div(shape[d], shards) * shards;
		if (shape[d] % shards != 0)
			return sr_infer_error(in, "%s dimension size %lld is not divisible by the manual axes size %lld",
					      m->value_kind, (long long)shape[d], (long long)shards);
		shape[d] /= shards;
	}
	const struct sr_type *expected = sr_type_tensor_of(in->ctx, global_type->element, global_type->rank, shape, NULL);
	if (expected != local_type)
		return sr_infer_error(in,
				      "%s shape, corresponding sharding, and region %s shape at index %d must match. Expected "
				      "local shape '%s', actual local shape '%s'",
				      m->value_kind, m->value_kind, index, sr_infer_type_str(in, expected),
				      sr_infer_type_str(in, local_type));
	return SR_OK;
}

static enum sr_status check_manual_values(const struct manual_values *m, struct type_list global_types,
					  struct type_list local_types, const struct sr_attr *shardings)
{
	struct sr_sdy_check c = make_check(m->in);
	if (global_types.n == 0 && local_types.n == 0 && shardings->n == 0)
		return SR_OK;
	if (sr_check_shardings(&c, shardings, global_types.types, global_types.n, m->value_kind))
		return SR_INVALID;
	if (global_types.n != local_types.n)
		return sr_infer_error(m->in, "number of op %ss and region %ss must match. Op has %d op %ss and %d region %ss",
				      m->value_kind, m->value_kind, global_types.n, m->value_kind, local_types.n, m->value_kind);
	for (int i = 0; i < global_types.n; i++) {
		const struct sr_sdy_sharding *s = shardings->list[i]->sharding;
		if (check_manual_axes_first(m, s, i) || check_local_type(m, s, global_types.types[i], local_types.types[i], i))
			return SR_INVALID;
	}
	return SR_OK;
}

/* Return the mesh that all shardings have, and set *has_several_meshes if there are several meshes. Ignore meshes without axes,
 * which are compatible with any mesh. */
static const struct sr_mesh *common_mesh(const struct sr_infer *in, const struct sr_attr *const lists[2], bool *has_several_meshes)
{
	const struct sr_op *module = sr_op_module(in->op);
	const struct sr_mesh *shared_mesh = NULL;
	*has_several_meshes = false;
	for (int k = 0; k < 2; k++)
		for (int i = 0; i < lists[k]->n; i++) {
			const struct sr_mesh *mesh = sr_sharding_mesh(module, lists[k]->list[i]->sharding);
			if (!mesh || mesh->n_axes == 0)
				continue;
			if (shared_mesh && !sr_mesh_equal(shared_mesh, mesh))
				*has_several_meshes = true;
			shared_mesh = shared_mesh ? shared_mesh : mesh;
		}
	return shared_mesh;
}

enum sr_status sr_infer_sdy_manual_computation(struct sr_infer *in)
{
	struct sr_op *op = in->op;
	const struct sr_attr *lists[] = {sr_op_attr(op, "in_shardings"), sr_op_attr(op, "out_shardings")};
	const struct sr_sdy_axes *axes = sr_op_attr(op, "manual_axes")->axes;
	const struct sr_op *terminator = sr_region_end(op, 0);
	struct manual_values operands = {in, axes, "operand"}, results = {in, axes, "result"};
	struct type_list result_types = {in->types, op->n_results};
	bool has_several_meshes;
	for (int i = 0; i < axes->n; i++) {
		struct sr_op *owner = sr_enclosing_manual_computation(op, axes->refs[i].axis);
		if (!owner)
			continue;
		sr_infer_error(in, "operates on axis \"%s\" which is already bound by a parent sdy.manual_computation op",
			       axes->refs[i].axis);
		sr_report(in->diags, SR_NOTE, sr_loc_source(owner->loc), "parent bounding this axis as manual");
		return SR_INVALID;
	}
	if (!terminator)
		return sr_infer_error(in, "expects a body that ends with sdy.return");
	if (!sr_op_module(op))
		return SR_OK;
	if (check_manual_values(&operands, types_of_operands(in, op), types_of_arguments(in, sr_region_block(op, 0)), lists[0]) ||
	    check_manual_values(&results, result_types, types_of_operands(in, terminator), lists[1]))
		return SR_INVALID;
	if (lists[0]->n == 0 && lists[1]->n == 0)
		return SR_OK;
	const struct sr_mesh *mesh = common_mesh(in, lists, &has_several_meshes);
	if ((!mesh || has_several_meshes) && axes->n)
		return sr_infer_error(in, "all in and out shardings must be bound to the same mesh or an empty mesh.");
	for (int i = 0; i < axes->n; i++)
		if (sr_mesh_axis_index(mesh, axes->refs[i].axis) < 0)
			return sr_infer_error(in, "unknown manual axis: \"%s\"", axes->refs[i].axis);
	return SR_OK;
}

enum sr_status sr_infer_sdy_named_computation(struct sr_infer *in)
{
	struct sr_op *op = in->op;
	struct sr_sdy_check c = make_check(in);
	const struct sr_attr *in_shardings = sr_op_attr(op, "in_shardings"), *out_shardings = sr_op_attr(op, "out_shardings");
	const struct sr_block *block = sr_region_block(op, 0);
	const struct sr_op *terminator = sr_region_end(op, 0);
	in->is_verifying = true;
	if (!terminator)
		return sr_infer_error(in, "expects a body that ends with sdy.return");
	if (block->n_args != op->n_operands)
		return sr_infer_error(in, "number of block arguments must match the number of operands: %d != %d", block->n_args,
				      op->n_operands);
	for (int i = 0; i < block->n_args; i++)
		if (block->args[i]->type != sr_infer_operand(in, i))
			return sr_infer_error(in,
					      "expected the type of the %d'th block argument to match the type of the "
					      "corresponding operand: '%s' vs '%s'",
					      i, sr_infer_type_str(in, block->args[i]->type),
					      sr_infer_type_str(in, sr_infer_operand(in, i)));
	in->is_verifying = op->n_results == terminator->n_operands;
	if (!in->is_verifying)
		return sr_infer_mismatch(in, types_of_operands(in, terminator).types, terminator->n_operands);
	for (int i = 0; i < op->n_results; i++)
		in->types[i] = sr_operand(terminator, i)->type;
	struct type_list operands = types_of_operands(in, op);
	if (in_shardings && sr_op_module(op) && sr_check_shardings(&c, in_shardings, operands.types, operands.n, "in_shardings"))
		return SR_INVALID;
	if (out_shardings && sr_op_module(op) && sr_check_shardings(&c, out_shardings, in->types, op->n_results, "out_shardings"))
		return SR_INVALID;
	return SR_OK;
}
