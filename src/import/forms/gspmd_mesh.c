/* Create meshes that can express GSPMD's shardings, and convert shardings to these meshes. Axes are named _axis_0, _axis_1, ...
 * as in XLA. */
#include "import/calls/call_graph.h"
#include "dialect/attr_names.h"
#include "import/forms/gspmd.h"
#include "dialect/ops.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------- meshes */

static const struct sr_attr *make_mesh_attr(struct sr_gspmd *g, const struct sr_tiling_mesh *new_mesh)
{
	struct sr_arena *arena = g->ctx->arena;
	struct sr_axis *axes = SR_NEW_ARRAY(arena, struct sr_axis, new_mesh->n);
	for (int i = 0; i < new_mesh->n; i++)
		axes[i] = (struct sr_axis){sr_intern(g->ctx, sr_printf(arena, "_axis_%d", i)), new_mesh->sizes[i]};
	struct sr_mesh mesh = {.axes = axes, .n_axes = new_mesh->n, .device_ids = new_mesh->device_ids,
			       .n_device_ids = new_mesh->device_ids ? (int)g->n_devices : 0};
	return sr_attr_mesh(g->ctx, &mesh);
}

/* Insert an sdy.mesh before the first op of the module that is no sdy.mesh. */
static struct sr_op *insert_mesh_op(struct sr_gspmd *g, const char *name, const struct sr_attr *mesh)
{
	struct sr_block *body = sr_module_body(g->module);
	struct sr_named_attr attrs[] = {{sr_intern(g->ctx, SR_NAME_sym_name), sr_attr_string(g->ctx, name, strlen(name))},
				   {sr_intern(g->ctx, SR_NAME_mesh), mesh}};
	struct sr_builder b = {.ctx = g->ctx, .block = body, .anchor = body->first, .loc = g->module->loc};
	struct sr_symbols symbols;
	sr_symbols_init(&symbols, g->ctx, g->module);
	while (b.anchor && sr_op_is(b.anchor, SR_OP_sdy_mesh))
		b.anchor = b.anchor->next;
	struct sr_op *op = sr_build(&b, SR_OP_sdy_mesh, NULL, 0, attrs, 2, NULL, 0);
	sr_symbols_insert(&symbols, op);
	return op;
}

static void add_mesh(struct sr_gspmd *g, const struct sr_op *op)
{
	struct sr_gspmd_mesh mesh = {.name = sr_intern(g->ctx, sr_symbol_name(op)), .mesh = sr_op_attr(op, SR_NAME_mesh)->mesh};
	sr_map_init(&mesh.axes, g->ctx->arena);
	sr_push(g->ctx->arena, &g->meshes, mesh);
}

/* Add the module's meshes to g->meshes. */
static void collect_meshes(struct sr_gspmd *g)
{
	for (struct sr_op *op = sr_module_body(g->module)->first; op; op = op->next) {
		const struct sr_mesh *mesh = sr_op_mesh(op);
		if (!mesh || mesh->n_axes == 0)
			continue;
		if (g->n_devices == 0)
			g->n_devices = sr_mesh_devices(mesh);
		if (sr_mesh_devices(mesh) == g->n_devices)
			add_mesh(g, op);
	}
}

void sr_gspmd_make_meshes(struct sr_gspmd *g)
{
	struct sr_arena *arena = g->ctx->arena;
	const struct sr_tiling **inexpressible_tilings = SR_NEW_ARRAY(arena, const struct sr_tiling *, g->tiled.n);
	int n_inexpressible = 0, n_meshes;
	collect_meshes(g);
	for (size_t i = 0; i < g->tiled.n; i++)
		if (!sr_gspmd_find_mesh(g, &g->tiled.data[i], 1))
			inexpressible_tilings[n_inexpressible++] = g->tiled.data[i];
	if (g->n_devices == 0 || (n_inexpressible == 0 && g->meshes.n > 0))
		return;
	struct sr_tiling_mesh *new_mesh = sr_tiling_meshes(arena, inexpressible_tilings, n_inexpressible, g->n_devices, &n_meshes);
	for (int i = 0; i < n_meshes; i++)
		add_mesh(g, insert_mesh_op(g, "mesh", make_mesh_attr(g, &new_mesh[i])));
}

static const struct sr_axes *find_tiling_axes(struct sr_gspmd *g, struct sr_gspmd_mesh *mesh, const struct sr_tiling *t)
{
	if (!sr_map_has(&mesh->axes, t))
		sr_map_put(&mesh->axes, t, sr_tiling_axes(g->ctx->arena, mesh->mesh, t));
	return sr_map_get(&mesh->axes, t);
}

struct sr_gspmd_mesh *sr_gspmd_find_mesh(struct sr_gspmd *g, const struct sr_tiling *const *tilings, int n)
{
	for (size_t m = 0; m < g->meshes.n; m++) {
		bool expresses_all = true;
		for (int i = 0; expresses_all && i < n; i++)
			if (tilings[i] && tilings[i]->kind == SR_TILING_TILED)
				expresses_all = find_tiling_axes(g, &g->meshes.data[m], tilings[i]);
		if (expresses_all)
			return &g->meshes.data[m];
	}
	return NULL;
}

/* Return the name of the single-device mesh of `device`, created if missing. */
static const char *find_or_create_maximal_mesh(struct sr_gspmd *g, int64_t device)
{
	for (struct sr_op *op = sr_module_body(g->module)->first; op; op = op->next) {
		const struct sr_mesh *mesh = sr_op_mesh(op);
		if (mesh && sr_mesh_is_single_device(mesh) && mesh->device_ids[0] == device)
			return sr_intern(g->ctx, sr_symbol_name(op));
	}
	struct sr_mesh mesh = {.device_ids = &device, .n_device_ids = 1};
	const char *name = sr_printf(g->ctx->arena, "maximal_mesh_%" PRId64, device);
	return sr_intern(g->ctx, sr_symbol_name(insert_mesh_op(g, name, sr_attr_mesh(g->ctx, &mesh))));
}

/* ---------------------------------------------------------------- shardings */

struct sr_axes sr_gspmd_subgroup(struct sr_gspmd *g, struct sr_gspmd_mesh *mesh, const struct sr_tiling *t,
				 enum sr_tiling_kind kind)
{
	struct sr_arena *arena = g->ctx->arena;
	if (t->kind == kind)
		return sr_mesh_unused_axes(arena, mesh->mesh, (struct sr_axes){0});
	const struct sr_axes *axes = t->kind == SR_TILING_TILED ? find_tiling_axes(g, mesh, t) : NULL;
	for (int i = 0; axes && i < t->n_subgroups; i++)
		if (t->subgroups[i] == kind)
			return sr_axes_sort_and_merge(arena, mesh->mesh, axes[sr_tiling_rank(t) + i]);
	return (struct sr_axes){0};
}

static bool is_open_dim(struct sr_gspmd_open_dims open_dims, int dim)
{
	for (int64_t i = 0; i < open_dims.n; i++)
		if (open_dims.dims[i] == dim)
			return true;
	return false;
}

static const struct sr_attr *make_maximal_sharding(struct sr_gspmd *g, struct sr_op *op, const struct sr_tiling *t)
{
	if (g->n_devices && t->device >= g->n_devices) {
		g->status = sr_op_error(op, &g->ctx->diags, SR_INVALID,
					"%sis for device %" PRId64 ", but the module is for %" PRId64 " devices", g->subject,
					t->device, g->n_devices);
		return NULL;
	}
	struct sr_sdy_sharding s = sr_sdy_replicated_sharding(g->ctx->arena, find_or_create_maximal_mesh(g, t->device), 0, true);
	return sr_attr_sharding(g->ctx, &s);
}

const struct sr_attr *sr_gspmd_sharding(struct sr_gspmd *g, struct sr_op *op, struct sr_gspmd_mesh *mesh,
					const struct sr_tiling *t, const struct sr_type *type, struct sr_gspmd_open_dims open_dims)
{
	struct sr_arena *arena = g->ctx->arena;
	if (t->kind == SR_TILING_MANUAL || t->kind == SR_TILING_UNKNOWN || type->kind != SR_TYPE_TENSOR)
		return NULL;
	if (t->kind == SR_TILING_TUPLE) {
		g->status = sr_op_error(op, &g->ctx->diags, SR_INVALID, "%shas a tuple of shardings for a value of type %s",
					g->subject, sr_type_string(g->ctx, type));
		return NULL;
	}
	if (t->kind == SR_TILING_TILED && sr_tiling_rank(t) != type->rank) {
		g->status = sr_op_error(op, &g->ctx->diags, SR_INVALID, "%shas a sharding of %d dimensions for a value of type %s",
					g->subject, sr_tiling_rank(t), sr_type_string(g->ctx, type));
		return NULL;
	}
	if (t->kind == SR_TILING_MAXIMAL)
		return make_maximal_sharding(g, op, t);
	mesh = mesh ? mesh : sr_gspmd_find_mesh(g, &t, 1);
	if (!mesh)
		return NULL;
	struct sr_dim_sharding *dims = SR_NEW_ARRAY(arena, struct sr_dim_sharding, type->rank);
	const struct sr_axes *axes = t->kind == SR_TILING_TILED ? find_tiling_axes(g, mesh, t) : NULL;
	for (int i = 0; i < type->rank; i++)
		dims[i] = (struct sr_dim_sharding){axes ? axes[i] : (struct sr_axes){0}, !is_open_dim(open_dims, i), -1};
	struct sr_sharding s = {.mesh_name = mesh->name, .dims = dims, .rank = type->rank};
	s.unreduced = sr_gspmd_subgroup(g, mesh, t, SR_TILING_UNREDUCED);
	return sr_sharding_attr(g->ctx, mesh->mesh, &s);
}

struct sr_gspmd_open_dims sr_gspmd_unspecified_dims(struct sr_context *ctx, const struct sr_op *call)
{
	static const char key[] = "unspecified_dims=[";
	const struct sr_attr *config = sr_op_attr(call, SR_NAME_backend_config);
	const char *p = config && config->kind == SR_ATTR_STRING ? strstr(config->s, key) : NULL;
	if (!p)
		return (struct sr_gspmd_open_dims){0};
	SR_VEC(int64_t) dims = {0};
	p += sizeof key - 1;
	for (char *end; *p && *p != ']'; p = *end == ',' ? end + 1 : end) {
		int64_t dim = strtoll(p, &end, 10);
		if (end == p)
			break;
		sr_push(ctx->arena, &dims, dim);
	}
	return (struct sr_gspmd_open_dims){dims.data, (int64_t)dims.n};
}
