/* Implement sdy-lift-inlined-meshes: move inline meshes of shardings into mesh ops and merge equal mesh ops.
 *
 *	#sdy.sharding<mesh<["x"=4]>, [{"x"}]>   becomes   #sdy.sharding<@mesh, [{"x"}]>, with sdy.mesh @mesh = <["x"=4]>
 *
 * Also lifts the meshes of StableHLO collectives' replica_groups, and stores each mesh on its op as a stablehlo.mesh dictionary. */
#include "import/calls/call_graph.h"
#include "dialect/attr_names.h"
#include "import/import_passes.h"
#include "import/replica_group_mesh.h"
#include "import/sharding_walk.h"
#include <string.h>

struct mesh_lifter {
	struct sr_context *ctx;
	struct sr_symbols symbols;
	/* maps the interned name of an erased duplicate mesh to the name of the mesh that replaces it */
	struct sr_map replacement_names;
	struct sr_map lifted_mesh_names;      /* maps the #stablehlo.mesh of replica_groups to the name of its mesh op */
	struct sr_op *last_mesh;        /* op after which new meshes are inserted; NULL: at the start of the module */
};

static const char *mesh_name(struct mesh_lifter *l, const struct sr_mesh *mesh)
{
	if (sr_mesh_is_single_device(mesh))
		return sr_printf(l->ctx->arena, "maximal_mesh_%lld", (long long)mesh->device_ids[0]);
	return mesh->n_axes == 0 && mesh->n_device_ids == 0 ? "empty_mesh" : "mesh";
}

static struct sr_op *find_equal(const struct mesh_lifter *l, const struct sr_attr *mesh)
{
	for (struct sr_op *op = sr_module_body(l->symbols.module)->first; op; op = op->next)
		if (sr_op_is(op, SR_OP_sdy_mesh) && sr_op_attr(op, SR_NAME_mesh) == mesh)
			return op;
	return NULL;
}

static const char *new_mesh(struct mesh_lifter *l, const struct sr_mesh *mesh)
{
	const struct sr_attr *attr = sr_attr_mesh(l->ctx, mesh);
	const char *name = mesh_name(l, mesh);
	struct sr_named_attr attrs[2] = {{SR_NAME_sym_name, sr_attr_string(l->ctx, name, strlen(name))}, {SR_NAME_mesh, attr}};
	struct sr_block *body = sr_module_body(l->symbols.module);
	struct sr_builder b = {.ctx = l->ctx, .block = body, .anchor = l->last_mesh ? l->last_mesh->next : body->first,
			       .loc = l->symbols.module->loc};
	l->last_mesh = sr_build(&b, SR_OP_sdy_mesh, NULL, 0, attrs, 2, NULL, 0);
	return sr_symbols_insert(&l->symbols, l->last_mesh);
}

static const char *add_mesh(struct mesh_lifter *l, const struct sr_mesh *mesh)
{
	struct sr_op *op = find_equal(l, sr_attr_mesh(l->ctx, mesh));
	return op ? sr_symbol_name(op) : new_mesh(l, mesh);
}

static const struct sr_attr *lift_sharding(void *data, const struct sr_attr *attr)
{
	struct mesh_lifter *l = data;
	struct sr_sdy_sharding s = *attr->sharding;
	const char *name = s.mesh ? add_mesh(l, s.mesh) : sr_map_get(&l->replacement_names, s.mesh_name);
	if (!name)
		return attr;
	s.mesh = NULL;
	s.mesh_name = sr_intern(l->ctx, name);
	return sr_attr_sharding(l->ctx, &s);
}

/* Data of the callback lift_groups: the pass's state, and the op code whose replica groups it rewrites. */
struct lift_groups {
	struct mesh_lifter *l;
	int code;
};

static bool lift_groups(void *data, struct sr_op *op)
{
	const struct lift_groups *g = data;
	struct mesh_lifter *l = g->l;
	const struct sr_attr *mesh_attr = sr_op_is(op, (enum sr_op_code)g->code) ? sr_replica_group_mesh(op) : NULL;
	if (!mesh_attr)
		return true;
	struct sr_mesh mesh;
	const char *name = NULL;
	if (mesh_attr->kind == SR_ATTR_SYMBOL)
		name = sr_map_get(&l->replacement_names, mesh_attr->s);
	else if (mesh_attr->kind == SR_ATTR_MESH)
		name = add_mesh(l, mesh_attr->mesh);
	else if (sr_map_has(&l->lifted_mesh_names, mesh_attr))
		name = sr_map_get(&l->lifted_mesh_names, mesh_attr);
	else if (sr_mesh_of_attr(l->ctx, mesh_attr, &mesh))
		name = new_mesh(l, &mesh);
	if (!name)
		return true;
	sr_map_put(&l->lifted_mesh_names, mesh_attr, (void *)(uintptr_t)name);
	sr_replica_group_set_mesh(l->ctx, op, sr_attr_symbol(l->ctx, name));
	return true;
}

/* Return the mesh as a dictionary {axes = [{name = "x", size = 4}], device_ids = dense<...>}. */
static const struct sr_attr *make_mesh_dictionary(struct sr_context *ctx, const struct sr_mesh *mesh)
{
	const struct sr_attr **axes = SR_NEW_ARRAY(ctx->arena, const struct sr_attr *, mesh->n_axes);
	for (int i = 0; i < mesh->n_axes; i++) {
		struct sr_named_attr entries[2] = {
			{sr_intern(ctx, SR_NAME_name), sr_attr_string(ctx, mesh->axes[i].name, strlen(mesh->axes[i].name))},
			{sr_intern(ctx, SR_NAME_size), sr_attr_i64(ctx, mesh->axes[i].size)}};
		axes[i] = sr_attr_dict(ctx, entries, 2);
	}
	struct sr_named_attr entries[2] = {{sr_intern(ctx, SR_NAME_axes), sr_attr_array(ctx, axes, mesh->n_axes)}};
	int64_t n = mesh->n_device_ids;
	if (n > 0)
		entries[1] = (struct sr_named_attr){sr_intern(ctx, SR_NAME_device_ids),
						    sr_attr_dense_i64(ctx, 1, &n, mesh->device_ids)};
	return sr_attr_dict(ctx, entries, n > 0 ? 2 : 1);
}

enum sr_status sr_pass_lift_inlined_meshes(struct sr_context *ctx, struct sr_op *module, const struct sr_pass_options *options)
{
	struct mesh_lifter l = {.ctx = ctx};
	sr_symbols_init(&l.symbols, ctx, module);
	sr_map_init(&l.replacement_names, ctx->arena);
	sr_map_init(&l.lifted_mesh_names, ctx->arena);
	for (struct sr_op *op = sr_module_body(module)->first, *next; op; op = next) {
		next = op->next;
		if (!sr_op_is(op, SR_OP_sdy_mesh))
			continue;
		struct sr_op *first_equal = find_equal(&l, sr_op_attr(op, SR_NAME_mesh));
		if (first_equal == op) {
			l.last_mesh = op;
			continue;
		}
		sr_map_put(&l.replacement_names, sr_intern(ctx, sr_symbol_name(op)),
			   (void *)(uintptr_t)sr_symbol_name(first_equal));
		sr_symbols_erase(&l.symbols, op);
	}
	sr_shardings_map(ctx, module, lift_sharding, &l);
	static const int op_codes[] = {SR_OP_stablehlo_all_gather, SR_OP_stablehlo_all_reduce, SR_OP_stablehlo_reduce_scatter,
				    SR_OP_stablehlo_all_to_all, SR_OP_stablehlo_collective_broadcast};
	for (size_t i = 0; i < sizeof op_codes / sizeof *op_codes; i++)
		sr_walk_post(module, lift_groups, &(struct lift_groups){&l, op_codes[i]});
	for (struct sr_op *op = sr_module_body(module)->first; op; op = op->next)
		if (sr_op_mesh(op) && !sr_op_attr(op, "stablehlo.mesh"))
			sr_op_set_attr(ctx, op, "stablehlo.mesh", make_mesh_dictionary(ctx, sr_op_mesh(op)));
	return SR_OK;
}
