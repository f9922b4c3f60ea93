/* sdy-drop-sharding-and-mesh: takes sdy.sharding off ops, arguments and results, and the meshes out of the module. */
#include "import/passes.h"
#include "dialect/names.h"
#include "import/sharding_walk.h"

static bool drop_of_op(void *data, struct sr_op *op)
{
	static const char *const names[] = {"sdy.sharding"};
	struct sr_context *ctx = data;
	sr_op_remove_attr(ctx, op, names[0]);
	if (sr_op_is(op, SR_OP_func_func)) {
		sr_func_attrs_drop(ctx, op, SR_NAME_arg_attrs, names, 1);
		sr_func_attrs_drop(ctx, op, SR_NAME_res_attrs, names, 1);
	} else if (sr_op_is(op, SR_OP_sdy_mesh)) {
		sr_op_erase(op);
	}
	return true;
}

enum sr_status sr_pass_drop_sharding_and_mesh(struct sr_context *ctx, struct sr_op *module, const struct sr_pass_options *options)
{
	sr_walk_post(module, drop_of_op, ctx);
	return SR_OK;
}
