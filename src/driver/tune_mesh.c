/* Meshes to compile for: new meshes for programs without one, other sizes for programs with one. */
#include "dialect/attr_names.h"
#include "driver/tune.h"
#include "support/vec.h"
#include <stdlib.h>
#include <string.h>

enum { MAX_AXES = 8, MAX_MESHES = 16 };

static enum sr_status report_malformed_mesh(struct sr_context *ctx, const char *text)
{
	return sr_error(&ctx->diags, SR_USAGE, (struct sr_src_loc){0},
			"--mesh=%s cannot be parsed: expected NAME=SIZE,... like data=8,model=4, with at most %d axes", text,
			MAX_AXES);
}

static bool has_axis(const struct sr_axis *axes, int n, const char *name)
{
	for (int i = 0; i < n; i++)
		if (axes[i].name == name)
			return true;
	return false;
}

static enum sr_status parse_mesh(struct sr_context *ctx, const char *text, struct sr_axis *axes, int *n)
{
	int64_t n_devices = 1;
	*n = 0;
	for (const char *at = text;; at++) {
		size_t name = strcspn(at, "=,");
		char *end = NULL;
		long long size = at[name] == '=' ? strtoll(at + name + 1, &end, 10) : 0;
		if (!name || size < 1 || (*end && *end != ',') || *n == MAX_AXES ||
		    sr_mul_overflows(n_devices, (int64_t)size, &n_devices) || n_devices > INT32_MAX ||
		    has_axis(axes, *n, sr_intern_n(ctx, at, name)))
			return report_malformed_mesh(ctx, text);
		axes[(*n)++] = (struct sr_axis){sr_intern_n(ctx, at, name), size};
		at = end;
		if (!*at)
			return SR_OK;
	}
}

const char *sr_mesh_str(struct sr_arena *arena, const struct sr_mesh *mesh)
{
	const char *text = "";
	for (int a = 0; a < mesh->n_axes; a++)
		text = sr_printf(arena, "%s%s%s=%lld", text, a ? "," : "", mesh->axes[a].name, (long long)mesh->axes[a].size);
	return text;
}

/* Resize the module's mesh. Shardings stay valid, since they name axes; sub-axes and local shapes may become invalid. */
static enum sr_status resize_mesh(struct sr_context *ctx, struct sr_op *module, const char *text, const struct sr_mesh *to)
{
	const struct sr_attr *attr = sr_attr_mesh(ctx, to);
	bool is_unchanged = true;
	for (struct sr_op *op = sr_module_body(module)->first; op; op = op->next) {
		const struct sr_mesh *old_mesh = sr_op_mesh(op);
		bool has_same_axes = old_mesh && old_mesh->n_axes == to->n_axes;
		for (int a = 0; has_same_axes && a < old_mesh->n_axes; a++)
			has_same_axes = has_axis(to->axes, to->n_axes, old_mesh->axes[a].name);
		if (!old_mesh || !old_mesh->n_axes || sr_op_attr(op, SR_NAME_mesh) == attr)
			continue;
		if (!has_same_axes)
			return sr_op_error(op, &ctx->diags, SR_USAGE,
					   "is a mesh of the program, %s; --mesh=%s must give each of its axes a size, and name no "
					   "others",
					   sr_mesh_str(ctx->arena, old_mesh), text);
		sr_op_set_attr(ctx, op, SR_NAME_mesh, attr);
		/* the attribute stablehlo.mesh has the old sizes; import sets it again */
		sr_op_remove_attr(ctx, op, "stablehlo.mesh");
		is_unchanged = false;
	}
	if (is_unchanged || !sr_verify(ctx, module))
		return SR_OK;
	return sr_error(&ctx->diags, SR_USAGE, (struct sr_src_loc){0},
			"--mesh=%s: the program depends on the sizes of its mesh and is invalid with these",
			text);
}

enum sr_status sr_tune_set_mesh(struct sr_context *ctx, struct sr_op *module, const char *text)
{
	struct sr_axis axes[MAX_AXES];
	struct sr_mesh mesh = {.axes = axes};
	enum sr_status status = text ? parse_mesh(ctx, text, axes, &mesh.n_axes) : SR_OK;
	if (status || !text)
		return status;
	if (sr_first_mesh_op(module))
		return resize_mesh(ctx, module, text, &mesh);
	const struct sr_attr *attr = sr_attr_mesh(ctx, &mesh);
	struct sr_block *body = sr_module_body(module);
	const char *name = "mesh";
	for (int i = 0; sr_symbol_find(module, name); i++)
		name = sr_printf(ctx->arena, "mesh_%d", i);
	struct sr_named_attr attrs[] = {{SR_NAME_sym_name, sr_attr_string(ctx, name, strlen(name))}, {SR_NAME_mesh, attr}};
	struct sr_builder b = {.ctx = ctx, .block = body, .anchor = body->first, .loc = module->loc};
	sr_build(&b, SR_OP_sdy_mesh, NULL, 0, attrs, 2, NULL, 0);
	return SR_OK;
}

/* ---------------------------------------------------------------- meshes of a number of devices */

struct enumeration {
	struct sr_context *ctx;
	struct sr_mesh_texts *out;
};

/* Enumerate meshes of up to three axes of at least two devices, in non-increasing sizes. `text` has the axes so far. */
static void enumerate_meshes(struct enumeration *m, const char *text, int n_axes, int64_t devices_remaining, int64_t max_size)
{
	static const char *const names[] = {"x", "y", "z"};
	if (devices_remaining == 1 && n_axes && m->out->n < MAX_MESHES)
		m->out->texts[m->out->n++] = text;
	for (int64_t size = devices_remaining < max_size ? devices_remaining : max_size; devices_remaining > 1 && size > 1 && n_axes < 3; size--)
		if (devices_remaining % size == 0)
			enumerate_meshes(
			    m, sr_printf(m->ctx->arena, "%s%s%s=%lld", text, n_axes ? "," : "", names[n_axes], (long long)size),
			    n_axes + 1, devices_remaining / size, size);
}

enum sr_status sr_tune_meshes(struct sr_context *ctx, const struct sr_op *module, const struct sr_tune_options *tune,
			      struct sr_mesh_texts *out)
{
	struct sr_op *mesh_op = sr_first_mesh_op(module);
	int64_t n_devices = tune->devices ? tune->devices : tune->ranks;
	*out = (struct sr_mesh_texts){SR_NEW_ARRAY(ctx->arena, const char *, MAX_MESHES), 0};
	for (size_t i = 0; i < tune->n_meshes && i < MAX_MESHES; i++)
		out->texts[out->n++] = tune->meshes[i];
	if (tune->n_meshes > MAX_MESHES)
		return sr_error(&ctx->diags, SR_USAGE, (struct sr_src_loc){0}, "--mesh is given %zu times; at most %d are tried",
				tune->n_meshes, MAX_MESHES);
	if (mesh_op && tune->devices && tune->devices != sr_mesh_devices(sr_op_mesh(mesh_op)))
		return sr_op_error(mesh_op, &ctx->diags, SR_USAGE,
				   "is a mesh of the program, %s; --devices=%lld is for programs without a mesh, and --mesh "
				   "resizes the axes of this one",
				   sr_mesh_str(ctx->arena, sr_op_mesh(mesh_op)), (long long)tune->devices);
	if (!out->n && (mesh_op || !tune->auto_shard))
		out->texts[out->n++] = NULL;
	else if (!out->n && n_devices > 1 && n_devices <= INT32_MAX)
		enumerate_meshes(&(struct enumeration){ctx, out}, "", 0, n_devices, n_devices);
	if (out->n)
		return SR_OK;
	return sr_error(&ctx->diags, SR_USAGE, (struct sr_src_loc){0},
			"--auto-shard: the program has no mesh; give one by --mesh=data=4,model=2, or --devices=8 for any mesh of 8 "
			"devices");
}
