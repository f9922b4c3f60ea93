/* Implement sdy-add-data-flow-edges: insert an sdy.data_flow_edge after the owner of every data-flow edge and redirect the
 * owner's users to it.
 *
 *	%0:2 = while(...)   becomes   %0:2 = while(...); %1 = sdy.data_flow_edge %0#0; %2 = sdy.data_flow_edge %0#1
 *
 * The edge ops hold their owners' shardings for propagation. Owners without static shape (tokens) get no edge op. */
#include "import/edges/edge_ops.h"
#include "import/import_passes.h"

static bool add_to_op(void *data, struct sr_op *op)
{
	sr_edges_add(data, op);
	return true;
}

enum sr_status sr_pass_add_data_flow_edges(struct sr_context *ctx, struct sr_op *module, const struct sr_pass_options *options)
{
	sr_walk_post(module, add_to_op, ctx);
	return SR_OK;
}
