/* Implement sdy-pre-order-funcs: move all functions to the end of the module, callers before callees. */
#include "import/calls/call_graph.h"
#include "import/import_passes.h"

enum sr_status sr_pass_pre_order_funcs(struct sr_context *ctx, struct sr_op *module, const struct sr_pass_options *options)
{
	sr_op_vec funcs = sr_funcs_callees_first(ctx, module);
	for (size_t i = funcs.n; i-- > 0;) {
		sr_op_unlink(funcs.data[i]);
		sr_op_append(sr_module_body(module), funcs.data[i]);
	}
	return SR_OK;
}
