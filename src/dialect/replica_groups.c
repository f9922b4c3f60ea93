/* Read and create the replica groups of collectives in both forms, a dense table (rows of ids, padded with -1) or axes of a mesh;
 * and source-target pairs derived from axes. */
#include "dialect/attr_names.h"
#include "dialect/ops.h"
#include "dialect/signature.h"

/* Read #stablehlo.mesh<axes = [<name, size>...], device_ids = ...>. Return false if it is malformed. */
static bool read_mesh_struct(struct sr_context *ctx, const struct sr_attr *a, struct sr_mesh *mesh)
{
	const struct sr_attr *axes = sr_attr_field(a, "axes");
	struct sr_axis *list = SR_NEW_ARRAY(ctx->arena, struct sr_axis, axes->n);
	for (int i = 0; i < axes->n; i++)
		list[i] = (struct sr_axis){sr_attr_field(axes->list[i], "name")->s, sr_attr_field(axes->list[i], "size")->i};
	int64_t n;
	bool is_valid = sr_struct_ints(ctx, a, "device_ids", &mesh->device_ids, &n);
	mesh->axes = list;
	mesh->n_axes = axes->n;
	mesh->n_device_ids = (int)n;
	return is_valid;
}

static const struct sr_mesh *read_mesh_reference(struct sr_context *ctx, const struct sr_op *op, const struct sr_attr *a)
{
	if (a->kind == SR_ATTR_MESH)
		return a->mesh;
	if (a->kind == SR_ATTR_SYMBOL)
		return sr_mesh_find(sr_op_module(op), a->s);
	struct sr_mesh *mesh = SR_NEW(ctx->arena, struct sr_mesh);
	return sr_attr_is_struct(a, "stablehlo", "mesh") && read_mesh_struct(ctx, a, mesh) ? mesh : NULL;
}

static struct sr_sdy_axis read_axis_reference(const struct sr_attr *a)
{
	const struct sr_attr *sub = sr_attr_field(a, "sub_axis_info");
	struct sr_sdy_axis ref = {.axis = sr_attr_field(a, "name")->s, .pre = 1};
	if (sub) {
		ref.pre = sr_attr_field(sub, "pre_size")->i;
		ref.size = sr_attr_field(sub, "size")->i;
	}
	return ref;
}

/* Convert a list of axis references to mixed-radix digits of grid positions. */
static enum sr_status read_axis_digits(struct sr_context *ctx, struct sr_op *op, const struct sr_mesh *mesh,
				       const struct sr_attr *axes, struct sr_axes *refs, struct sr_digits *out)
{
	struct sr_axis_ref *resolved_refs = SR_NEW_ARRAY(ctx->arena, struct sr_axis_ref, axes->n);
	for (int i = 0; i < axes->n; i++) {
		if (!sr_attr_is_struct(axes->list[i], "stablehlo", "axis_ref"))
			return sr_op_error(op, &ctx->diags, SR_INVALID,
					   "has replica groups whose axes are not references to axes");
		resolved_refs[i] = sr_axis_resolve(mesh, read_axis_reference(axes->list[i]));
		if (sr_mesh_axis_size(mesh, resolved_refs[i].axis) == 0)
			return sr_op_error(op, &ctx->diags, SR_INVALID,
					   "names axis \"%s\" in its replica groups, which its mesh does not have",
					   resolved_refs[i].axis);
	}
	*refs = (struct sr_axes){resolved_refs, axes->n};
	*out = sr_mesh_digits(ctx->arena, mesh, *refs);
	return SR_OK;
}

static enum sr_status read_mesh_field(struct sr_context *ctx, struct sr_op *op, const struct sr_attr *a, const char *field,
				      const struct sr_mesh **mesh)
{
	*mesh = read_mesh_reference(ctx, op, sr_attr_field(a, field));
	if (*mesh)
		return SR_OK;
	return sr_op_error(op, &ctx->diags, SR_INVALID, "names a mesh for its replica groups that the module does not have");
}

static bool covers_mesh(struct sr_context *ctx, const struct sr_mesh *mesh, struct sr_digits x_digits, struct sr_digits y_digits)
{
	struct sr_digit *digits = SR_NEW_ARRAY(ctx->arena, struct sr_digit, x_digits.n + y_digits.n);
	for (int i = 0; i < x_digits.n + y_digits.n; i++)
		digits[i] = i < x_digits.n ? x_digits.digits[i] : y_digits.digits[i - x_digits.n];
	return sr_digits_cover_all((struct sr_digits){digits, x_digits.n + y_digits.n}, sr_mesh_devices(mesh));
}

/* Convert `axes` of a mesh to digits *axis_digits, and the remaining axes of the mesh to *other_axes. */
static enum sr_status split_mesh_axes(struct sr_context *ctx, struct sr_op *op, const struct sr_mesh *mesh,
				      const struct sr_attr *axes, struct sr_digits *other_axes, struct sr_digits *axis_digits)
{
	struct sr_axes refs;
	enum sr_status status = read_axis_digits(ctx, op, mesh, axes, &refs, axis_digits);
	if (status)
		return status;
	*other_axes = sr_mesh_digits(ctx->arena, mesh, sr_mesh_unused_axes(ctx->arena, mesh, refs));
	if (covers_mesh(ctx, mesh, *other_axes, *axis_digits))
		return SR_OK;
	return sr_op_error(op, &ctx->diags, SR_INVALID, "names axes for its devices that overlap or do not divide their mesh");
}

enum sr_status sr_op_group_axes(struct sr_context *ctx, struct sr_op *op, struct sr_group_axes *out)
{
	const struct sr_attr *a = sr_op_attr(op, "replica_groups");
	*out = (struct sr_group_axes){0};
	if (!a || a->kind != SR_ATTR_STRUCT)
		return SR_OK;
	enum sr_status status = read_mesh_field(ctx, op, a, "mesh", &out->mesh);
	return status ? status
		      : split_mesh_axes(ctx, op, out->mesh, sr_attr_field(a, "axes"), &out->group_digits, &out->member_digits);
}

static struct sr_groups enumerate_groups(struct sr_context *ctx, const struct sr_group_axes *g)
{
	struct sr_groups out = {.n_groups = sr_digits_size(g->group_digits), .group_size = sr_digits_size(g->member_digits)};
	out.ids = SR_NEW_ARRAY(ctx->arena, int64_t, out.n_groups * out.group_size);
	for (int64_t i = 0; i < out.n_groups; i++)
		for (int64_t k = 0; k < out.group_size; k++)
			out.ids[i * out.group_size + k] = sr_mesh_device(g->mesh, sr_digits_position(g->group_digits, i) +
										      sr_digits_position(g->member_digits, k));
	return out;
}

enum sr_status sr_op_groups(struct sr_context *ctx, struct sr_op *op, struct sr_groups *out)
{
	const struct sr_attr *a = sr_op_attr(op, "replica_groups");
	struct sr_group_axes axes;
	*out = (struct sr_groups){0};
	if (!a)
		return sr_op_error(op, &ctx->diags, SR_INVALID, "requires attribute 'replica_groups'");
	enum sr_status status = sr_op_group_axes(ctx, op, &axes);
	if (status)
		return status;
	if (axes.mesh) {
		*out = enumerate_groups(ctx, &axes);
		return SR_OK;
	}
	const int64_t *v;
	int64_t n;
	if (a->kind != SR_ATTR_DENSE || a->type->rank != 2 || !sr_attr_ints(ctx, a, &v, &n))
		return sr_op_error(op, &ctx->diags, SR_INVALID, "replica groups should be a rank 2 tensor");
	out->ids = sr_dup(ctx->arena, v, (size_t)n, sizeof *v);
	out->n_groups = a->type->shape[0];
	out->group_size = a->type->shape[1];
	return SR_OK;
}

int64_t sr_op_group_size(struct sr_context *ctx, struct sr_op *op)
{
	struct sr_group_axes axes;
	const struct sr_attr *a = sr_op_attr(op, "replica_groups");
	if (sr_op_group_axes(ctx, op, &axes))
		return 0;
	if (axes.mesh)
		return sr_digits_size(axes.member_digits);
	return a && a->kind == SR_ATTR_DENSE && a->type->rank == 2 ? a->type->shape[1] : 0;
}

static enum sr_status read_permute_between(struct sr_context *ctx, struct sr_op *op, const struct sr_attr *a,
					   struct sr_permute_axes *out)
{
	struct sr_digits unnamed_axes;
	enum sr_status status = read_mesh_field(ctx, op, a, "source_mesh", &out->source_mesh);
	if (!status)
		status = split_mesh_axes(ctx, op, out->source_mesh, sr_attr_field(a, "source_axes"), &unnamed_axes,
					 &out->source_axes);
	if (!status && (unnamed_axes.n || out->other_axes.n || sr_mesh_devices(out->mesh) != sr_mesh_devices(out->source_mesh)))
		return sr_op_error(op, &ctx->diags, SR_INVALID, "should name all axes of its two meshes, which have as many devices");
	return status;
}

enum sr_status sr_op_permute_axes(struct sr_context *ctx, struct sr_op *op, struct sr_permute_axes *out)
{
	const struct sr_attr *a = sr_op_attr(op, "source_target_pairs");
	int64_t n = 0, size;
	*out = (struct sr_permute_axes){0};
	if (!a || a->kind != SR_ATTR_STRUCT)
		return SR_OK;
	enum sr_status status = read_mesh_field(ctx, op, a, "mesh", &out->mesh);
	if (!status)
		status = split_mesh_axes(ctx, op, out->mesh, sr_attr_field(a, "axes"), &out->other_axes, &out->axes);
	if (status)
		return status;
	if (sr_attr_is_struct(a, "shardrun", "permute_between"))
		return read_permute_between(ctx, op, a, out);
	const struct sr_attr *step = sr_attr_field(a, "step");
	sr_struct_ints(ctx, a, "sources", &out->sources, &n);
	out->step = step ? step->i : 0;
	size = sr_digits_size(out->axes);
	bool *is_source = SR_NEW_ARRAY(ctx->arena, bool, n);
	bool is_valid = (!n || n == size) && out->step > -size && out->step < size;
	for (int64_t i = 0; is_valid && i < n; i++) {
		is_valid = out->sources[i] >= -1 && out->sources[i] < size && (out->sources[i] < 0 || !is_source[out->sources[i]]);
		if (is_valid && out->sources[i] >= 0)
			is_source[out->sources[i]] = true;
	}
	if (!n)
		out->sources = NULL;
	if (!is_valid)
		return sr_op_error(op, &ctx->diags, SR_INVALID, "names sources that its axes do not have, or one twice");
	return SR_OK;
}

/* ---------------------------------------------------------------- creating attributes */

/* Refer to a mesh by its symbol if the module defines it, else inline. */
static const struct sr_attr *make_mesh_reference(struct sr_context *ctx, const struct sr_op *module, const struct sr_mesh *mesh)
{
	for (struct sr_op *op = sr_module_body(module)->first; op; op = op->next)
		if (sr_op_mesh(op) == mesh)
			return sr_attr_symbol(ctx, sr_symbol_name(op));
	return sr_attr_mesh(ctx, mesh);
}

static const struct sr_attr *make_axis_references(struct sr_context *ctx, const struct sr_mesh *mesh, struct sr_axes axes)
{
	const struct sr_attr **list = SR_NEW_ARRAY(ctx->arena, const struct sr_attr *, axes.n);
	for (int i = 0; i < axes.n; i++) {
		struct sr_axis_ref ref = axes.refs[i];
		const struct sr_attr *sub_axis_fields[] = {sr_attr_i64(ctx, ref.pre), sr_attr_i64(ctx, ref.size)};
		bool is_full_axis = ref.pre == 1 && ref.size == sr_mesh_axis_size(mesh, ref.axis);
		const struct sr_attr *fields[] = {
			sr_attr_string(ctx, ref.axis, sr_interned_length(ref.axis)),
			is_full_axis ? NULL : sr_attr_struct(ctx, sr_attr_def_find("stablehlo", "sub_axis_info"), sub_axis_fields)};
		list[i] = sr_attr_struct(ctx, sr_attr_def_find("stablehlo", "axis_ref"), fields);
	}
	return sr_attr_array(ctx, list, axes.n);
}

const struct sr_attr *sr_attr_group_axes(struct sr_context *ctx, const struct sr_op *module, const struct sr_mesh *mesh,
					 struct sr_axes axes)
{
	const struct sr_attr *fields[] = {make_mesh_reference(ctx, module, mesh), make_axis_references(ctx, mesh, axes)};
	return sr_attr_struct(ctx, sr_attr_def_find("stablehlo", "replica_group_mesh_axes"), fields);
}

const struct sr_attr *sr_attr_permute_along(struct sr_context *ctx, const struct sr_op *module, const struct sr_mesh *mesh,
					    struct sr_axes axes, const int64_t *sources, int64_t step)
{
	int64_t n = sources ? sr_axes_size(axes) : 0;
	const struct sr_attr *fields[] = {make_mesh_reference(ctx, module, mesh), make_axis_references(ctx, mesh, axes),
					  n ? sr_attr_i64s(ctx, sources, n) : NULL, n ? NULL : sr_attr_i64(ctx, step)};
	return sr_attr_struct(ctx, sr_attr_def_find("shardrun", "permute_along"), fields);
}

const struct sr_attr *sr_attr_permute_between(struct sr_context *ctx, const struct sr_op *module, struct sr_mesh_axes source,
					      struct sr_mesh_axes target)
{
	const struct sr_attr *fields[] = {
	    make_mesh_reference(ctx, module, source.mesh), make_axis_references(ctx, source.mesh, source.axes),
	    make_mesh_reference(ctx, module, target.mesh), make_axis_references(ctx, target.mesh, target.axes)};
	return sr_attr_struct(ctx, sr_attr_def_find("shardrun", "permute_between"), fields);
}

static bool has_channel(const struct sr_op *op)
{
	const struct sr_attr *channel = sr_op_attr(op, SR_NAME_channel_handle);
	const struct sr_attr *handle = channel ? sr_attr_field(channel, SR_NAME_handle) : NULL;
	return handle && handle->i > 0;
}

bool sr_have_same_group_numbering(const struct sr_op *x, const struct sr_op *y)
{
	return has_channel(x) == has_channel(y) &&
	       sr_op_attr(x, SR_NAME_use_global_device_ids) == sr_op_attr(y, SR_NAME_use_global_device_ids);
}
