/* Implement sdy-import-func-calls: replace each func.call by an sdy.named_computation that holds the callee's body, and erase the
 * callees.
 *
 *	%0 = call @f(%x)   becomes   %0 = sdy.named_computation<"f">(%x) (%arg1) { ... sdy.return ... }
 *
 * The function's argument shardings become in_shardings, the call's shardings out_shardings. A function with several calls has
 * its body cloned, with a warning; run sdy-flatten-call-graph first to avoid it. */
#include "import/calls/call_graph.h"
#include "dialect/attr_names.h"
#include "import/edges/edge_ops.h"
#include "import/import_passes.h"
#include "dialect/signature.h"
#include <stdatomic.h>
#include <string.h>

struct importer {
	struct sr_context *ctx;
	struct sr_symbols symbols;
	struct sr_map bodies; /* maps a function to the named computation that took over its body */
};

/* Fill `attrs` with the call's discardable attributes and the attributes of sdy.named_computation. Return their number. */
static int copy_attrs(struct importer *im, const struct sr_op *call, const struct sr_op *func, struct sr_named_attr *attrs)
{
	int n = 0;
	for (int i = 0; i < call->n_attrs; i++)
		if (!sr_attr_is_inherent(call, call->attrs[i].name) && strcmp(call->attrs[i].name, "sdy.sharding") != 0 &&
		    strcmp(call->attrs[i].name, "execution_thread") != 0)
			attrs[n++] = call->attrs[i];
	const char *name = sr_func_original_name(func);
	const struct sr_attr *thread = sr_op_attr(func, "execution_thread") ? sr_op_attr(func, "execution_thread")
									    : sr_op_attr(call, "execution_thread");
	const struct sr_named_attr computation_attrs[] = {{SR_NAME_name, sr_attr_string(im->ctx, name, strlen(name))},
				       {SR_NAME_in_shardings, sr_func_arg_shardings(im->ctx, func)},
				       {SR_NAME_out_shardings, sr_op_attr(call, "sdy.sharding")},
				       {"execution_thread", thread}};
	for (size_t i = 0; i < sizeof computation_attrs / sizeof *computation_attrs; i++)
		if (computation_attrs[i].value)
			attrs[n++] = computation_attrs[i];
	return n;
}

static void replace_terminator(struct sr_context *ctx, struct sr_block *block, enum sr_op_code code)
{
	struct sr_op *old_terminator = sr_block_terminator(block);
	struct sr_value **operands = SR_NEW_ARRAY(ctx->arena, struct sr_value *, old_terminator->n_operands);
	for (int i = 0; i < old_terminator->n_operands; i++)
		operands[i] = sr_operand(old_terminator, i);
	struct sr_builder b = {.ctx = ctx, .block = block, .loc = old_terminator->loc};
	sr_build(&b, code, operands, old_terminator->n_operands, NULL, 0, NULL, 0);
	sr_op_erase(old_terminator);
}

/* Fill `region` with a clone of the body of `computation`. */
static void copy_region(struct sr_context *ctx, struct sr_region *region, struct sr_op *computation)
{
	struct sr_op *clone = sr_op_clone(ctx, computation, NULL);
	sr_region_take(region, &clone->regions[0]);
	for (int i = 0; i < clone->n_operands; i++)
		sr_op_set_operand(clone, i, NULL);
}

/* Warn about cloning once per process, as upstream does. */
static void warn_once(struct sr_context *ctx, const struct sr_op *call, const struct sr_op *func)
{
	static atomic_flag has_warned = ATOMIC_FLAG_INIT;
	if (!atomic_flag_test_and_set(&has_warned))
		sr_report(&ctx->diags, SR_WARNING, sr_loc_source(call->loc),
			  "function @%s has multiple call ops, we need to clone the function body for each call",
			  sr_symbol_name(func));
}

static void import_call(struct importer *im, struct sr_op *call, struct sr_op *func)
{
	struct sr_context *ctx = im->ctx;
	struct sr_named_attr *attrs = SR_NEW_ARRAY(ctx->arena, struct sr_named_attr, call->n_attrs + 4);
	struct sr_value **operands = SR_NEW_ARRAY(ctx->arena, struct sr_value *, call->n_operands);
	const struct sr_type **types = SR_NEW_ARRAY(ctx->arena, const struct sr_type *, call->n_results);
	for (int i = 0; i < call->n_operands; i++)
		operands[i] = sr_operand(call, i);
	for (int i = 0; i < call->n_results; i++)
		types[i] = sr_result(call, i)->type;
	int n = copy_attrs(im, call, func, attrs);
	struct sr_builder b = {.ctx = ctx, .block = call->block, .anchor = call, .loc = call->loc};
	struct sr_op *op = sr_build(&b, SR_OP_sdy_named_computation, operands, call->n_operands, attrs, n, types, call->n_results);
	struct sr_op *first_computation = sr_map_get(&im->bodies, func);
	if (!first_computation) {
		sr_region_take(&op->regions[0], &func->regions[0]);
		replace_terminator(ctx, op->regions[0].first, SR_OP_sdy_return);
		sr_map_put(&im->bodies, func, op);
	} else {
		warn_once(ctx, call, func);
		copy_region(ctx, &op->regions[0], first_computation);
	}
	for (int i = 0; i < call->n_results; i++)
		sr_value_replace_all(sr_result(call, i), sr_result(op, i));
	sr_op_erase(call);
}

static bool add_edges(void *data, struct sr_op *op)
{
	if (sr_op_is(op, SR_OP_sdy_named_computation))
		sr_edges_add(data, op);
	return true;
}

enum sr_status sr_pass_import_func_calls(struct sr_context *ctx, struct sr_op *module, const struct sr_pass_options *options)
{
	struct importer im = {.ctx = ctx};
	sr_symbols_init(&im.symbols, ctx, module);
	sr_map_init(&im.bodies, ctx->arena);
	sr_op_vec funcs = sr_funcs_callees_first(ctx, module);
	for (size_t f = 0; f < funcs.n; f++) {
		sr_op_vec calls = sr_calls_of(ctx, funcs.data[f]);
		for (size_t i = 0; i < calls.n; i++) {
			struct sr_op *func = sr_callee(&im.symbols, calls.data[i]);
			if (!func)
				return SR_INVALID;
			if (!sr_func_entry(func) && !sr_map_has(&im.bodies, func))
				return sr_op_error(calls.data[i], &ctx->diags, SR_INVALID, "calls a function without a body");
			if (func == funcs.data[f])
				return sr_op_error(func, &ctx->diags, SR_UNSUPPORTED, "@%s calls itself", sr_symbol_name(func));
			import_call(&im, calls.data[i], func);
		}
	}
	for (size_t i = 0; i < im.bodies.n; i++)
		sr_symbols_erase(&im.symbols, (struct sr_op *)(uintptr_t)im.bodies.entries[i].key);
	if (sr_option_bool(options, "add-data-flow-edges-on-named-computations"))
		sr_walk_post(module, add_edges, ctx);
	return SR_OK;
}
