/* Check axes and shardings against their mesh: names, order, duplicates, divisibility of sub-axes, ranks. */
#include "dialect/sdy/sdy_check.h"
#include "support/checked.h"
#include "support/integers.h"
#include <stdlib.h>

static const char *format_prefix(const struct sr_sdy_check *c)
{
	struct sr_arena *arena = c->diags->arena;
	if (c->value)
		return c->n_values == 1 ? sr_printf(arena, "%s - ", c->prefix) : sr_printf(arena, "%s %d - ", c->prefix, c->value - 1);
	return c->prefix[0] ? sr_printf(arena, "%s ", c->prefix) : "";
}

enum sr_status sr_check_error(const struct sr_sdy_check *c, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	const char *message = sr_vprintf(c->diags->arena, format, args);
	va_end(args);
	return sr_op_error(c->op, c->diags, SR_INVALID, "%s%s", format_prefix(c), message);
}

static void print_axis_ref(struct sr_buf *out, struct sr_sdy_axis ref)
{
	sr_buf_printf(out, "\"%s\"", ref.axis);
	if (ref.size)
		sr_buf_printf(out, ":(%lld)%lld", (long long)ref.pre, (long long)ref.size);
}

const char *sr_axis_str(struct sr_context *ctx, struct sr_sdy_axis ref)
{
	struct sr_buf out;
	sr_buf_init(&out, ctx->arena);
	print_axis_ref(&out, ref);
	return sr_buf_string(&out);
}

const char *sr_axes_str(struct sr_context *ctx, struct sr_sdy_axes axes)
{
	struct sr_buf out;
	sr_buf_init(&out, ctx->arena);
	sr_buf_putc(&out, '[');
	for (int i = 0; i < axes.n; i++) {
		sr_buf_puts(&out, i ? ", " : "");
		print_axis_ref(&out, axes.refs[i]);
	}
	sr_buf_putc(&out, ']');
	return sr_buf_string(&out);
}

struct sr_op *sr_enclosing_manual_computation(const struct sr_op *op, const char *axis)
{
	for (struct sr_op *m = sr_op_parent_of(op, SR_OP_sdy_manual_computation); m;
	     m = sr_op_parent_of(m, SR_OP_sdy_manual_computation)) {
		const struct sr_attr *manual_axes = sr_op_attr(m, "manual_axes");
		for (int i = 0; manual_axes && manual_axes->kind == SR_ATTR_AXES && i < manual_axes->axes->n; i++)
			if (manual_axes->axes->refs[i].axis == axis)
				return m;
	}
	return NULL;
}

/* ---------------------------------------------------------------- meshes */

static const char *check_device_ids(struct sr_context *ctx, const struct sr_mesh *m)
{
	int64_t product = 1;
	for (int i = 0; i < m->n_axes; i++)
		if (sr_mul_overflows(product, m->axes[i].size, &product))
			return "has more devices than can be counted";
	if (m->n_device_ids == 0)
		return NULL;
	if (product != m->n_device_ids)
		return sr_printf(ctx->arena, "total product of axis sizes must match total number of device ids, got: %lld != %d",
				 (long long)product, m->n_device_ids);
	int64_t *sorted = sr_dup(ctx->arena, m->device_ids, (size_t)m->n_device_ids, sizeof *sorted);
	qsort(sorted, (size_t)m->n_device_ids, sizeof *sorted, sr_compare_integers);
	bool is_identity = true;
	for (int i = 0; i < m->n_device_ids; i++) {
		is_identity = is_identity && m->device_ids[i] == i;
		if (sorted[i] != i)
			return sr_printf(ctx->arena, "sorted device ids must be iota(product(axes)), got: %s",
					 sr_dims_str(ctx, sorted, m->n_device_ids));
	}
	return is_identity ? "if the ordered device ids are the same as iota(product(axes)), no need to specify them for simplicity"
			: NULL;
}

const char *sr_mesh_error(struct sr_context *ctx, const struct sr_mesh *m)
{
	for (int i = 0; i < m->n_axes; i++)
		if (m->axes[i].size <= 0)
			return sr_printf(ctx->arena, "axis size must be at least 1, got: %lld", (long long)m->axes[i].size);
	for (int i = 0; i < m->n_device_ids; i++)
		if (m->device_ids[i] < 0)
			return sr_printf(ctx->arena, "device id must be non-negative, got: %lld", (long long)m->device_ids[i]);
	if (m->n_axes == 0)
		return m->n_device_ids > 1 ? "axes is empty and device_ids has more than one element" : NULL;
	for (int i = 0; i < m->n_axes; i++)
		for (int k = 0; k < i; k++)
			if (m->axes[i].name == m->axes[k].name)
				return sr_printf(ctx->arena, "duplicate axis name: \"%s\"", m->axes[i].name);
	return check_device_ids(ctx, m);
}

/* ---------------------------------------------------------------- lists of axes */

static bool is_sub_axis(struct sr_sdy_axis ref)
{
	return ref.size != 0;
}

enum sr_status sr_check_axes(const struct sr_sdy_check *c, struct sr_seen_axes *seen, struct sr_sdy_axes axes)
{
	for (int i = 0; i < axes.n; i++) {
		struct sr_sdy_axis ref = axes.refs[i];
		if (sr_mesh_axis_index(seen->mesh, ref.axis) < 0)
			return sr_check_error(c, "unknown axis name: \"%s\"", ref.axis);
		for (size_t k = 0; k < seen->refs.n; k++)
			if (sr_sdy_axis_equal(seen->refs.data[k], ref))
				return sr_check_error(c, "duplicate axis ref: %s", sr_axis_str(c->ctx, ref));
		sr_push(c->ctx->arena, &seen->refs, ref);
		if (i > 0 && is_sub_axis(ref) && is_sub_axis(axes.refs[i - 1]) &&
		    sr_axis_can_merge(sr_axis_resolve(seen->mesh, axes.refs[i - 1]), sr_axis_resolve(seen->mesh, ref)))
			return sr_check_error(c, "two consecutive sub-axes can be merged: %s, %s",
					      sr_axis_str(c->ctx, axes.refs[i - 1]), sr_axis_str(c->ctx, ref));
	}
	return SR_OK;
}

static int compare_axes(const struct sr_mesh *mesh, struct sr_sdy_axis a, struct sr_sdy_axis b)
{
	int i = sr_mesh_axis_index(mesh, a.axis), k = sr_mesh_axis_index(mesh, b.axis);
	if (i != k)
		return i < k ? -1 : 1;
	if (a.pre != b.pre)
		return a.pre < b.pre ? -1 : 1;
	return (a.size > b.size) - (a.size < b.size);
}

enum sr_status sr_check_sorted_axes(const struct sr_sdy_check *c, struct sr_seen_axes *seen, struct sr_sdy_axes axes,
				    const char *list_name)
{
	for (int i = 1; i < axes.n; i++)
		if (compare_axes(seen->mesh, axes.refs[i - 1], axes.refs[i]) > 0)
			return sr_check_error(c, "%s axes are not ordered w.r.t. mesh", list_name);
	return sr_check_axes(c, seen, axes);
}

static enum sr_status check_sub_axis(const struct sr_sdy_check *c, const struct sr_mesh *mesh, struct sr_sdy_axis ref)
{
	int64_t axis_size = sr_mesh_axis_size(mesh, ref.axis), next_pre_size;
	const char *axis_text = sr_axis_str(c->ctx, ref);
	if (ref.pre < 1)
		return sr_check_error(c, "sub-axis pre-size must be at least 1: %s", axis_text);
	if (ref.size <= 1)
		return sr_check_error(c, "sub-axis sizes must be greater than 1: %s", axis_text);
	if (sr_mul_overflows(ref.pre, ref.size, &next_pre_size))
		return sr_check_error(c, "sub-axis next pre-size overflows: %s", axis_text);
	if (axis_size % next_pre_size != 0)
		return sr_check_error(c, "sub-axis next pre-size %lld doesn't divide the size of the full axis %lld: %s",
				      (long long)next_pre_size, (long long)axis_size, axis_text);
	if (ref.size == axis_size)
		return sr_check_error(c, "sub-axis size is equal to the full axis size: %s", axis_text);
	return SR_OK;
}

/* Check that each sub-axis of `axis` in `seen` divides the axis, and that no two of them overlap. */
static enum sr_status check_sub_axes_of(const struct sr_sdy_check *c, const struct sr_seen_axes *seen, const char *axis)
{
	const struct sr_sdy_axis **sub = SR_NEW_ARRAY(c->ctx->arena, const struct sr_sdy_axis *, seen->refs.n);
	bool uses_full_axis = false;
	int n = 0;
	for (size_t i = 0; i < seen->refs.n; i++) {
		const struct sr_sdy_axis *ref = &seen->refs.data[i];
		if (ref->axis != axis)
			continue;
		if (!is_sub_axis(*ref)) {
			uses_full_axis = true;
			continue;
		}
		int position = n++;
		for (; position > 0 && compare_axes(seen->mesh, *sub[position - 1], *ref) > 0; position--)
			sub[position] = sub[position - 1];
		sub[position] = ref;
	}
	if (uses_full_axis && n > 0)
		return sr_check_error(c, "both sub-axis and full-axis are used for axis name: \"%s\"", axis);
	for (int i = 0; i < n; i++) {
		if (check_sub_axis(c, seen->mesh, *sub[i]))
			return SR_INVALID;
		if (i > 0 && sub[i - 1]->pre * sub[i - 1]->size > sub[i]->pre)
			return sr_check_error(c, "overlapping sub-axes: %s, %s", sr_axis_str(c->ctx, *sub[i - 1]),
					      sr_axis_str(c->ctx, *sub[i]));
	}
	return SR_OK;
}

/* ---------------------------------------------------------------- shardings */

static enum sr_status check_scalar_sharding(const struct sr_sdy_check *c, const struct sr_sdy_sharding *s, const char *message)
{
	if (s->rank != 0 || s->replicated.n || s->unreduced.n)
		return sr_check_error(c, "%s", message);
	return SR_OK;
}

static enum sr_status check_dims(const struct sr_sdy_check *c, struct sr_seen_axes *seen, const struct sr_sdy_sharding *s)
{
	for (int d = 0; d < s->rank; d++) {
		const struct sr_sdy_dim *dim = &s->dims[d];
		if (dim->priority < -1)
			return sr_check_error(c, "dim %d has a negative priority", d);
		if (dim->priority >= 0 && dim->closed && dim->axes.n == 0)
			return sr_check_error(c, "dim %d is empty and closed but has a priority", d);
		if (sr_check_axes(c, seen, dim->axes))
			return SR_INVALID;
	}
	return SR_OK;
}

static enum sr_status check_not_manual(const struct sr_sdy_check *c, const struct sr_seen_axes *seen)
{
	for (size_t i = 0; i < seen->refs.n; i++) {
		struct sr_op *owner = sr_enclosing_manual_computation(c->op, seen->refs.data[i].axis);
		if (!owner)
			continue;
		sr_check_error(c, "operates on axis \"%s\" which is already bound by a parent sdy.manual_computation op",
			       seen->refs.data[i].axis);
		sr_report(c->diags, SR_NOTE, sr_loc_source(owner->loc), "parent bounding this axis as manual");
		return SR_INVALID;
	}
	return SR_OK;
}

static enum sr_status check_against_mesh(const struct sr_sdy_check *c, const struct sr_sdy_sharding *s, const struct sr_mesh *mesh)
{
	struct sr_sdy_axis inline_refs[16]; /* inline space that is usually enough, so that a check allocates nothing */
	struct sr_seen_axes seen = {.mesh = mesh, .refs = {inline_refs, 0, sizeof inline_refs / sizeof *inline_refs}};
	if (check_dims(c, &seen, s) || sr_check_sorted_axes(c, &seen, s->replicated, "replicated") ||
	    sr_check_sorted_axes(c, &seen, s->unreduced, "unreduced"))
		return SR_INVALID;
	for (int i = 0; i < mesh->n_axes; i++)
		if (check_sub_axes_of(c, &seen, mesh->axes[i].name))
			return SR_INVALID;
	return check_not_manual(c, &seen);
}

static bool is_shaped(const struct sr_type *t)
{
	return t->kind == SR_TYPE_TENSOR || t->kind == SR_TYPE_UNRANKED || t->kind == SR_TYPE_VECTOR || t->kind == SR_TYPE_MEMREF;
}

enum sr_status sr_check_sharding(const struct sr_sdy_check *c, const struct sr_sdy_sharding *s, const struct sr_type *type)
{
	const struct sr_op *module = sr_op_module(c->op);
	const struct sr_mesh *mesh = module || s->mesh ? sr_sharding_mesh(module, s) : NULL;
	if (!module && !s->mesh) /* skip a detached op: the module with its mesh is not known yet */
		return SR_OK;
	if (!mesh)
		return sr_check_error(c, "unknown mesh: @%s", s->mesh_name);
	const char *error = s->mesh ? sr_mesh_error(c->ctx, s->mesh) : NULL;
	if (error)
		return sr_check_error(c, "%s", error);
	if (sr_mesh_is_single_device(mesh) || (!type && sr_sdy_sharding_is_replicated(s)))
		return check_scalar_sharding(
			c, s, "a maximal sharding can only have a sharding with rank 0 and no replicated or unreduced axes.");
	if (type && type->kind == SR_TYPE_TUPLE) {
		if (type->n_inputs != 1)
			return sr_check_error(c, "ops can only have a sharding for a tuple of size 1: '%s'",
					      sr_type_string(c->ctx, type));
		type = type->inputs[0];
	}
	if (!type || !is_shaped(type))
		return check_scalar_sharding(c, s,
					     sr_printf(c->ctx->arena,
						       "non-shaped tensors can only have a sharding with rank 0 and no "
						       "replicated or unreduced axes. type: '%s'",
						       type ? sr_type_string(c->ctx, type) : ""));
	if (type->kind == SR_TYPE_UNRANKED)
		return sr_check_error(c, "only ranked tensors can have a sharding. type: '%s'", sr_type_string(c->ctx, type));
	if (s->rank != type->rank)
		return sr_check_error(c, "sharding doesn't match tensor rank: %d != %d", s->rank, type->rank);
	return check_against_mesh(c, s, mesh);
}

enum sr_status sr_check_shardings(const struct sr_sdy_check *c, const struct sr_attr *shardings, const struct sr_type *const *types,
				  int n, const char *list_name)
{
	struct sr_sdy_check list_check = *c;
	list_check.prefix = list_name;
	struct sr_sdy_check value_check = list_check;
	if (n == 0 && shardings->n == 1) {
		const struct sr_sdy_sharding *s = shardings->list[0]->sharding;
		const struct sr_mesh *mesh = sr_sharding_mesh(sr_op_module(c->op), s);
		if ((mesh && sr_mesh_is_single_device(mesh)) || sr_sdy_sharding_is_replicated(s)) {
			value_check.value = 1;
			return sr_check_sharding(&value_check, s, NULL);
		}
	}
	if (shardings->n != n)
		return sr_check_error(&list_check, "shardings don't match number of values: %d shardings vs %d values",
				      shardings->n, n);
	for (int i = 0; i < n; i++) {
		value_check.value = i + 1;
		value_check.n_values = n;
		if (sr_check_sharding(&value_check, shardings->list[i]->sharding, types[i]))
			return SR_INVALID;
	}
	return SR_OK;
}

/* ---------------------------------------------------------------- unreduced axes */

static struct sr_axes axes_difference(const struct sr_sdy_check *c, const struct sr_mesh *mesh, struct sr_sdy_axes a,
				      struct sr_sdy_axes b)
{
	struct sr_axes out = {0};
	struct sr_arena *arena = c->ctx->arena;
	if (!sr_axes_difference(arena, sr_axes_resolve(arena, mesh, a), sr_axes_resolve(arena, mesh, b), &out))
		out = (struct sr_axes){0};
	return out;
}

enum sr_status sr_check_unreduced(const struct sr_sdy_check *c, const struct sr_sdy_sharding *old_sharding,
				  const struct sr_sdy_sharding *new_sharding, int introduced_kind, int removed_kind)
{
	const struct sr_op *module = sr_op_module(c->op);
	const struct sr_mesh *mesh = sr_sharding_mesh(module, new_sharding),
			     *old_mesh = old_sharding ? sr_sharding_mesh(module, old_sharding) : mesh;
	struct sr_sdy_axes old_unreduced = old_sharding ? old_sharding->unreduced : (struct sr_sdy_axes){0};
	if (!mesh || !old_mesh || !sr_mesh_equal(mesh, old_mesh))
		return SR_OK;
	struct sr_axes added_axes = axes_difference(c, mesh, new_sharding->unreduced, old_unreduced),
		       dropped_axes = axes_difference(c, mesh, old_unreduced, new_sharding->unreduced);
	if (added_axes.n && introduced_kind < 0)
		return sr_check_error(c, "cannot add new unreduced axis '%s'.", added_axes.refs[0].axis);
	if (added_axes.n && (int)new_sharding->unreduced_kind != introduced_kind)
		return sr_check_error(c, "cannot introduce '%s' unreduced axes. Expected '%s'.",
				      sr_unreduced_kind_names[new_sharding->unreduced_kind],
				      sr_unreduced_kind_names[introduced_kind]);
	if (dropped_axes.n && removed_kind < 0)
		return sr_check_error(c,
				      "dropped unreduced axis '%s' without a blessed operation (e.g., sdy.reshard). This is an "
				      "invalid transition from unreduced to reduced.",
				      dropped_axes.refs[0].axis);
	if (dropped_axes.n && (int)old_sharding->unreduced_kind != removed_kind)
		return sr_check_error(c, "cannot reduce '%s' unreduced axes. Expected '%s'.",
				      sr_unreduced_kind_names[old_sharding->unreduced_kind],
				      sr_unreduced_kind_names[removed_kind]);
	bool is_kept = sr_axes_overlap(sr_axes_resolve(c->ctx->arena, mesh, new_sharding->unreduced),
				       sr_axes_resolve(c->ctx->arena, mesh, old_unreduced));
	if (is_kept && old_sharding->unreduced_kind != new_sharding->unreduced_kind)
		return sr_check_error(c, "cannot change the reduction operator of kept unreduced axes from %s to %s.",
				      sr_unreduced_kind_names[old_sharding->unreduced_kind],
				      sr_unreduced_kind_names[new_sharding->unreduced_kind]);
	return SR_OK;
}
