/* sdy-remove-propagation-debug-info: takes away the attributes that say where shardings came from. */
#include "import/passes.h"
#include "dialect/names.h"
#include "import/sharding_walk.h"

static const char *const names[] = {
	"sdy.propagation_edges", "sdy.block_arg_propagation_edges", "sdy.result_propagation_edges",
	"sdy.sharding_origins",  "sdy.block_arg_sharding_origins",  "sdy.result_sharding_origins",
};
enum { N_NAMES = sizeof names / sizeof *names };

static bool remove_of_op(void *data, struct sr_op *op)
{
	struct sr_context *ctx = data;
	if (sr_op_is(op, SR_OP_func_func)) {
		sr_func_attrs_drop(ctx, op, SR_NAME_arg_attrs, names, N_NAMES);
		sr_func_attrs_drop(ctx, op, SR_NAME_res_attrs, names, N_NAMES);
		return true;
	}
	for (int i = 0; i < N_NAMES; i++)
		sr_op_remove_attr(ctx, op, names[i]);
	return true;
}

enum sr_status sr_pass_remove_propagation_debug_info(struct sr_context *ctx, struct sr_op *module,
						     const struct sr_pass_options *options)
{
	sr_walk_post(module, remove_of_op, ctx);
	return SR_OK;
}
