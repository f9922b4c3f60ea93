/* Implement sdy-export-named-computations: turn each sdy.named_computation into a private function and a func.call. Inverse of
 * sdy-import-func-calls. In- and out-shardings (or those on the data-flow edges) become the shardings of the function's arguments
 * and of the call. */
#include "import/calls/call_graph.h"
#include "dialect/attr_names.h"
#include "import/edges/edge_ops.h"
#include "import/import_passes.h"
#include "dialect/signature.h"
#include <string.h>

struct exporter {
	struct sr_context *ctx;
	struct sr_symbols symbols;
	SR_VEC(struct sr_value *) results; /* results of all calls created so far */
};

static void remove_edges(struct sr_value *const *values, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct sr_op *edge = sr_edge_op(values[i]);
		if (!edge)
			continue;
		sr_value_replace_all(sr_result(edge, 0), values[i]);
		sr_op_erase(edge);
	}
}

static const struct sr_attr *make_argument_attrs(struct sr_context *ctx, const struct sr_attr *shardings)
{
	const struct sr_attr **list = SR_NEW_ARRAY(ctx->arena, const struct sr_attr *, shardings->n);
	for (int i = 0; i < shardings->n; i++) {
		struct sr_named_attr entry = {sr_intern(ctx, "sdy.sharding"), shardings->list[i]};
		list[i] = sr_attr_dict(ctx, &entry, 1);
	}
	return sr_attr_array(ctx, list, shardings->n);
}

/* Outline op's body into a function and return its name. */
static const char *outline_function(struct exporter *ex, struct sr_op *op)
{
	struct sr_context *ctx = ex->ctx;
	const struct sr_attr *name = sr_op_attr(op, SR_NAME_name), *in_shardings = sr_op_attr(op, SR_NAME_in_shardings);
	struct sr_op *func = sr_outline_body(&ex->symbols, op, name->s);
	sr_op_set_attr(ctx, func, "sdy.original_func_name", name);
	sr_op_set_attr(ctx, func, SR_NAME_arg_attrs,
		       in_shardings && in_shardings->n ? make_argument_attrs(ctx, in_shardings) : NULL);
	sr_op_set_attr(ctx, func, "execution_thread", sr_op_attr(op, "execution_thread"));
	struct sr_block *body = func->regions[0].first;
	remove_edges(body->args, (size_t)body->n_args);
	return sr_symbol_name(func);
}

static void make_call(struct exporter *ex, struct sr_op *op, const char *callee)
{
	struct sr_context *ctx = ex->ctx;
	struct sr_named_attr *attrs = SR_NEW_ARRAY(ctx->arena, struct sr_named_attr, op->n_attrs + 2);
	struct sr_value **operands = SR_NEW_ARRAY(ctx->arena, struct sr_value *, op->n_operands);
	const struct sr_type **types = SR_NEW_ARRAY(ctx->arena, const struct sr_type *, op->n_results);
	int n = 0;
	for (int i = 0; i < op->n_attrs; i++)
		if (!sr_attr_is_inherent(op, op->attrs[i].name) && strcmp(op->attrs[i].name, "execution_thread") != 0)
			attrs[n++] = op->attrs[i];
	attrs[n++] = (struct sr_named_attr){SR_NAME_callee, sr_attr_symbol(ctx, callee)};
	const struct sr_attr *out_shardings = sr_op_attr(op, SR_NAME_out_shardings);
	if (out_shardings)
		attrs[n++] = (struct sr_named_attr){"sdy.sharding", out_shardings->n ? out_shardings : NULL};
	for (int i = 0; i < op->n_operands; i++)
		operands[i] = sr_operand(op, i);
	for (int i = 0; i < op->n_results; i++)
		types[i] = sr_result(op, i)->type;
	struct sr_builder b = {.ctx = ctx, .block = op->block, .anchor = op, .loc = op->loc};
	struct sr_op *call = sr_build(&b, SR_OP_func_call, operands, op->n_operands, attrs, n, types, op->n_results);
	for (int i = 0; i < op->n_results; i++) {
		sr_value_replace_all(sr_result(op, i), sr_result(call, i));
		sr_push(ctx->arena, &ex->results, sr_result(call, i));
	}
	sr_op_erase(op);
}

static bool export_op(void *data, struct sr_op *op)
{
	struct exporter *ex = data;
	if (!sr_op_is(op, SR_OP_sdy_named_computation))
		return true;
	const struct sr_block *body = op->regions[0].first;
	const struct sr_attr *in_shardings = sr_edge_shardings(ex->ctx, body->args, body->n_args);
	if (in_shardings)
		sr_op_set_attr(ex->ctx, op, SR_NAME_in_shardings, in_shardings);
	const struct sr_attr *out_shardings = sr_edge_shardings(ex->ctx, sr_result_list(ex->ctx, op), op->n_results);
	if (out_shardings)
		sr_op_set_attr(ex->ctx, op, SR_NAME_out_shardings, out_shardings);
	make_call(ex, op, outline_function(ex, op));
	return true;
}

enum sr_status sr_pass_export_named_computations(struct sr_context *ctx, struct sr_op *module,
						 const struct sr_pass_options *options)
{
	struct exporter ex = {.ctx = ctx};
	sr_symbols_init(&ex.symbols, ctx, module);
	sr_walk_post(module, export_op, &ex);
	remove_edges(ex.results.data, ex.results.n);
	return SR_OK;
}
