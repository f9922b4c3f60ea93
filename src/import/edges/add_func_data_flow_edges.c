/* Implement sdy-add-func-data-flow-edges: insert an sdy.func_data_flow_edge after each argument of every function but the entry
 * and after each call result, so that propagation crosses calls that are not inlined. */
#include "import/calls/call_graph.h"
#include "import/edges/edge_ops.h"
#include "import/op_class.h"
#include "import/import_passes.h"
#include "dialect/ops.h"

static void add_edges(struct sr_context *ctx, struct sr_value *const *values, int n, const struct sr_attr *loc)
{
	/* Keep the edge ops in the order of the values, all after the last value. */
	struct sr_op *last_edge = NULL;
	for (int i = 0; i < n; i++) {
		if (!sr_type_is_static_tensor(values[i]->type))
			continue;
		const struct sr_attr *sharding = sr_value_sharding(ctx, values[i]);
		struct sr_named_attr attr = {"sdy.sharding", sharding ? sr_attr_shardings(ctx, &sharding, 1) : NULL};
		struct sr_op *edge = sr_insert_after_value(ctx, values[i], SR_OP_sdy_func_data_flow_edge, loc, &attr, 1);
		if (last_edge && last_edge->next != edge) {
			sr_op_unlink(edge);
			sr_op_insert_after(last_edge, edge);
		}
		last_edge = edge;
	}
}

enum sr_status sr_pass_add_func_data_flow_edges(struct sr_context *ctx, struct sr_op *module, const struct sr_pass_options *options)
{
	struct sr_op *entry = sr_main_func(module);
	for (struct sr_op *op = sr_module_body(module)->first; op; op = op->next)
		if (sr_op_is(op, SR_OP_func_func) && op != entry && sr_func_entry(op))
			add_edges(ctx, sr_func_entry(op)->args, sr_func_entry(op)->n_args, op->loc);
	sr_op_vec calls = sr_calls_of(ctx, module);
	for (size_t i = 0; i < calls.n; i++)
		add_edges(ctx, sr_result_list(ctx, calls.data[i]), calls.data[i]->n_results, calls.data[i]->loc);
	return SR_OK;
}
