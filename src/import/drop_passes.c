/* Implement passes that drop attributes and ops that are not needed after propagation: sharding rules, sharding groups, debug info,
 * and all shardings and meshes. */
#include "dialect/attr_names.h"
#include "import/import_passes.h"
#include "import/sharding_walk.h"

static void drop_attrs(struct sr_context *ctx, struct sr_op *op, const char *const *names, int n)
{
	if (sr_op_is(op, SR_OP_func_func)) {
		sr_func_attrs_drop(ctx, op, SR_NAME_arg_attrs, names, n);
		sr_func_attrs_drop(ctx, op, SR_NAME_res_attrs, names, n);
	}
	for (int i = 0; i < n; i++)
		sr_op_remove_attr(ctx, op, names[i]);
}

/* Implement sdy-drop-sharding-rules: remove sdy.sharding_rule from ops unless the rule is custom, that is, the user's. */
static bool drop_rule(void *data, struct sr_op *op)
{
	const struct sr_attr *rule = sr_op_attr(op, "sdy.sharding_rule");
	if (rule && rule->kind == SR_ATTR_RULE && !rule->rule->custom)
		sr_op_remove_attr(data, op, "sdy.sharding_rule");
	return true;
}

enum sr_status sr_pass_drop_sharding_rules(struct sr_context *ctx, struct sr_op *func, const struct sr_pass_options *options)
{
	sr_walk_post(func, drop_rule, ctx);
	return SR_OK;
}

/* Implement sdy-remove-sharding-groups: erase sdy.sharding_group ops, which propagation has applied. */
static bool remove_group(void *data, struct sr_op *op)
{
	if (sr_op_is(op, SR_OP_sdy_sharding_group))
		sr_op_erase(op);
	return true;
}

enum sr_status sr_pass_remove_sharding_groups(struct sr_context *ctx, struct sr_op *module, const struct sr_pass_options *options)
{
	sr_walk_post(module, remove_group, ctx);
	return SR_OK;
}

/* Implement sdy-remove-propagation-debug-info: remove the attributes that record where shardings came from. */
static bool remove_origins(void *data, struct sr_op *op)
{
	static const char *const names[] = {
		"sdy.propagation_edges", "sdy.block_arg_propagation_edges", "sdy.result_propagation_edges",
		"sdy.sharding_origins",  "sdy.block_arg_sharding_origins",  "sdy.result_sharding_origins",
	};
	drop_attrs(data, op, names, sizeof names / sizeof *names);
	return true;
}

enum sr_status sr_pass_remove_propagation_debug_info(struct sr_context *ctx, struct sr_op *module,
						     const struct sr_pass_options *options)
{
	sr_walk_post(module, remove_origins, ctx);
	return SR_OK;
}

/* Implement sdy-drop-sharding-and-mesh: remove sdy.sharding from ops, arguments and results, and erase the mesh ops. */
static bool drop_sharding(void *data, struct sr_op *op)
{
	static const char *const names[] = {"sdy.sharding"};
	drop_attrs(data, op, names, 1);
	if (sr_op_is(op, SR_OP_sdy_mesh))
		sr_op_erase(op);
	return true;
}

enum sr_status sr_pass_drop_sharding_and_mesh(struct sr_context *ctx, struct sr_op *module, const struct sr_pass_options *options)
{
	sr_walk_post(module, drop_sharding, ctx);
	return SR_OK;
}
