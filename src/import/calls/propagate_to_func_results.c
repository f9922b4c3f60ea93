/* Implement sdy-propagate-to-func-results: set the result shardings of every function but the entry to those of the returned
 * values; results whose returned value has no sharding lose theirs. */
#include "import/calls/call_graph.h"
#include "import/import_passes.h"
#include "dialect/ops.h"

enum sr_status sr_pass_propagate_to_func_results(struct sr_context *ctx, struct sr_op *module,
						 const struct sr_pass_options *options)
{
	struct sr_op *entry = sr_main_func(module);
	for (struct sr_op *op = sr_module_body(module)->first; op; op = op->next) {
		struct sr_block *body = sr_op_is(op, SR_OP_func_func) && op != entry ? sr_func_entry(op) : NULL;
		struct sr_op *terminator = body ? sr_block_terminator(body) : NULL;
		const struct sr_attr **dicts = terminator ? sr_func_result_dicts(ctx, op) : NULL;
		for (int i = 0; terminator && i < terminator->n_operands; i++)
			dicts[i] = sr_dict_with(ctx, dicts[i], "sdy.sharding", sr_value_sharding(ctx, sr_operand(terminator, i)));
		if (terminator)
			sr_func_set_result_dicts(ctx, op, dicts);
	}
	return SR_OK;
}
